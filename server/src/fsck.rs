//! Checks a database offline: that nothing was lost, changed or made up.
//!
//! Every log must be dense, fit its hash chain, and be a match that the referee accepts; every summary must be what its
//! log says; a finished match must end where it ended when it was closed. One match is in memory at a time.

use std::fmt;
use std::path::Path;

use futures::TryStreamExt;
use grundy_shared::chain::{self, Hash};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, Seq};
use grundy_shared::referee::Referee;
use serde::Serialize;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};

use crate::store::sqlite::lock::FileLock;
use crate::store::sqlite::rows::{match_id, read_row, row_columns, unsigned};
use crate::store::sqlite::schema::{connect_reader, resolve};
use crate::store::{MatchRow, MatchStatus, StoreError};

/// Findings that are listed; more are only counted.
const LISTED: usize = 1_000;
/// Summaries in memory at a time.
const MATCHES_A_PAGE: i64 = 256;

/// What was checked, and what was found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Matches checked.
    pub matches: u64,
    /// Events checked.
    pub events: u64,
    /// How many problems there are.
    pub problems: u64,
    /// The first thousand of them.
    pub findings: Vec<Finding>,
}

/// One problem, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The match, if it can be told.
    #[serde(rename = "match")]
    pub id: Option<MatchId>,
    /// The number of the event.
    pub seq: Option<Seq>,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Problem {
    /// SQLite's own check fails.
    #[error("the file is damaged: {detail}")]
    Damaged {
        /// What SQLite says.
        detail: String,
    },
    /// The last server did not stop cleanly, and its write-ahead log is gone.
    #[error(
        "the server did not stop cleanly, and its write-ahead log is gone: the last commits may be missing"
    )]
    LogMissing {},
    /// Something refers to a match that is not there.
    #[error("table {table} refers to a match that is not there")]
    Orphan {
        /// Where.
        table: String,
    },
    /// The log skips this number.
    #[error("the event is missing: the log goes on with {found}")]
    Missing {
        /// The number that comes next.
        found: Seq,
    },
    /// The stored bytes do not fit the hash chain.
    #[error("the stored bytes do not fit the hash chain")]
    BrokenChain {},
    /// The body is not an event.
    #[error("it is not an event: {why}")]
    NotAnEvent {
        /// Why.
        why: String,
    },
    /// The rules do not allow it.
    #[error("the referee refuses it: {law}")]
    Unlawful {
        /// The law that it breaks.
        law: String,
    },
    /// A finished match whose last events are gone, or that has more than when it ended.
    #[error("the match was closed with {closed} events, but its log ends here")]
    WrongEnd {
        /// The number of events when it was closed.
        closed: Seq,
    },
    /// A finished match ends with another event than when it was closed.
    #[error("it is not the event with which the match was closed")]
    WrongHead {},
    /// A finished match whose end was not written beside it.
    #[error("the match is over, but was not closed")]
    NotClosed {},
    /// The summary contradicts the log.
    #[error("the summary says {field} = {stored}, the log says {replayed}")]
    WrongSummary {
        /// What of it.
        field: String,
        /// As stored.
        stored: String,
        /// As the log has it.
        replayed: String,
    },
    /// The summary cannot be read.
    #[error("the summary cannot be read: {why}")]
    BadSummary {
        /// Why.
        why: String,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.id, self.seq) {
            (Some(id), Some(seq)) => write!(f, "match {id}, event {seq}: ")?,
            (Some(id), None) => write!(f, "match {id}: ")?,
            (None, _) => {}
        }
        self.problem.fmt(f)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{finding}")?;
        }
        let unlisted = self.problems - self.findings.len() as u64;
        if unlisted > 0 {
            writeln!(f, "and {unlisted} more")?;
        }
        write!(f, "{} matches, {} events: ", self.matches, self.events)?;
        match self.problems {
            0 => f.write_str("sound"),
            1 => f.write_str("1 problem"),
            many => write!(f, "{many} problems"),
        }
    }
}

impl Report {
    /// Whether nothing was found.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.problems == 0
    }

    fn find(&mut self, id: Option<MatchId>, seq: Option<Seq>, problem: Problem) {
        self.problems += 1;
        if self.findings.len() < LISTED {
            self.findings.push(Finding { id, seq, problem });
        }
    }
}

/// Checks the database at this path; costs one pass over it. No server may use it meanwhile.
///
/// # Errors
/// It is not there, not ours, newer than this program, in use, or too damaged to be opened.
pub async fn fsck(path: &Path) -> Result<Report, StoreError> {
    let path = resolve(path)?;
    if !path.exists() {
        return Err(StoreError::Unusable {
            path,
            why: "there is no such file".to_owned(),
        });
    }
    let lock = FileLock::take(&path)?;
    let mut report = Report::default();
    if lock.misses_log() {
        report.find(None, None, Problem::LogMissing {});
    }
    let mut connection = connect_reader(&path).await?;
    check_file(&mut connection, &mut report).await?;
    let mut after = i64::MIN;
    while let Some(last) = check_page(&mut connection, after, &mut report).await? {
        after = last;
    }
    Ok(report)
}

async fn check_file(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let lines: Vec<String> =
        sqlx::query_scalar(AssertSqlSafe(format!("PRAGMA integrity_check({LISTED})")))
            .fetch_all(&mut *connection)
            .await?;
    for detail in lines {
        if detail != "ok" {
            report.find(None, None, Problem::Damaged { detail });
        }
    }
    let orphans: Vec<String> =
        sqlx::query_scalar("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1000")
            .fetch_all(connection)
            .await?;
    for table in orphans {
        report.find(None, None, Problem::Orphan { table });
    }
    Ok(())
}

/// A summary as stored, and how its match was closed.
struct Summary {
    number: i64,
    id: MatchId,
    row: Result<MatchRow, StoreError>,
    closed: Option<(Seq, Vec<u8>)>,
}

impl Summary {
    fn read(row: &SqliteRow) -> Result<Self, StoreError> {
        let count: Option<i64> = row.try_get("log_count")?;
        let head: Option<Vec<u8>> = row.try_get("log_head")?;
        let closed = match count.zip(head) {
            Some((count, head)) => Some((Seq(unsigned(count)?), head)),
            None => None,
        };
        Ok(Self {
            number: row.try_get("number")?,
            id: match_id(row.try_get("id")?)?,
            row: read_row(row),
            closed,
        })
    }
}

/// Checks the next matches; the number of the last, or `None` at the end.
async fn check_page(
    connection: &mut SqliteConnection,
    after: i64,
    report: &mut Report,
) -> Result<Option<i64>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT number, id, log_count, log_head, ",
        row_columns!(),
        " FROM match WHERE number > ?1 ORDER BY number LIMIT ?2"
    ))
    .bind(after)
    .bind(MATCHES_A_PAGE)
    .fetch_all(&mut *connection)
    .await?;
    let Some(last) = rows.last() else {
        return Ok(None);
    };
    let last: i64 = last.try_get("number")?;
    let mut events = sqlx::query(
        "SELECT match, seq, CAST(body AS BLOB) AS body, hash FROM event \
         WHERE match > ?1 AND match <= ?2 ORDER BY match, seq",
    )
    .bind(after)
    .bind(last)
    .fetch(connection);
    let mut next = events.try_next().await;
    for row in &rows {
        let summary = match Summary::read(row) {
            Ok(summary) => summary,
            Err(error) => {
                let why = error.to_string();
                report.find(None, None, Problem::BadSummary { why });
                continue;
            }
        };
        let mut log = Log::new(summary.id);
        while let Ok(Some(event)) = &next {
            if event.try_get::<i64, _>("match")? > summary.number {
                break;
            }
            if event.try_get::<i64, _>("match")? == summary.number {
                log.take(event, report)?;
            }
            next = events.try_next().await;
        }
        if let Err(error) = &next {
            let detail = error.to_string();
            report.find(Some(summary.id), None, Problem::Damaged { detail });
            break;
        }
        report.matches += 1;
        log.finish(&summary, report);
    }
    Ok(Some(last))
}

/// The log of one match on its way through the checks.
struct Log {
    id: MatchId,
    seq: Seq,
    hash: Hash,
    events: Vec<Event>,
    /// Whether every event so far is there and fits. Nothing is concluded from a log that is broken anyhow.
    whole: bool,
}

impl Log {
    fn new(id: MatchId) -> Self {
        Self {
            id,
            seq: Seq(0),
            hash: chain::genesis(id),
            events: Vec::new(),
            whole: true,
        }
    }

    fn find(&mut self, seq: Seq, problem: Problem, report: &mut Report) {
        self.whole = false;
        report.find(Some(self.id), Some(seq), problem);
    }

    fn take(&mut self, row: &SqliteRow, report: &mut Report) -> Result<(), StoreError> {
        report.events += 1;
        let found = Seq(unsigned(row.try_get("seq")?)?);
        let body: &[u8] = row.try_get("body")?;
        let stored: &[u8] = row.try_get("hash")?;
        let expected = self.seq.next();
        if found != expected {
            self.find(expected, Problem::Missing { found }, report);
        } else if chain::link(&self.hash, body) != stored {
            self.find(found, Problem::BrokenChain {}, report);
        }
        // The chain goes on from what is stored, so that one change is one finding.
        self.seq = found;
        self.hash = stored.try_into().unwrap_or_default();
        match serde_json::from_slice(body) {
            Ok(event) => self.events.push(event),
            Err(error) if self.whole => {
                let why = error.to_string();
                self.find(found, Problem::NotAnEvent { why }, report);
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// Compares the log with the end that was written down, and with the summary.
    fn finish(mut self, summary: &Summary, report: &mut Report) {
        let end = self.seq;
        match &summary.closed {
            Some((closed, _)) if *closed != end => {
                let closed = *closed;
                self.find(end, Problem::WrongEnd { closed }, report);
            }
            Some((_, head)) if *head != self.hash => {
                self.find(end, Problem::WrongHead {}, report);
            }
            _ => {}
        }
        if !self.whole {
            return;
        }
        let referee = match Referee::replay(&self.events) {
            Ok(referee) => referee,
            Err(error) => {
                let law = error.law.to_string();
                return self.find(error.seq, Problem::Unlawful { law }, report);
            }
        };
        match &summary.row {
            Ok(row) => self.compare(row, &referee, report),
            Err(error) => {
                let why = error.to_string();
                report.find(Some(self.id), None, Problem::BadSummary { why });
            }
        }
        if referee.outcome().is_some() && summary.closed.is_none() {
            self.find(end, Problem::NotClosed {}, report);
        }
    }

    fn compare(&self, stored: &MatchRow, referee: &Referee, report: &mut Report) {
        let ended_at: Option<Millis> = self.events.iter().find_map(|event| match event {
            Event::Ended { at_ms, .. } => Some(*at_ms),
            _ => None,
        });
        let replayed = MatchRow::of(referee, ended_at);
        let mut compare = |field: &str, stored: &dyn fmt::Debug, replayed: &dyn fmt::Debug| {
            let (stored, replayed) = (format!("{stored:?}"), format!("{replayed:?}"));
            if stored != replayed {
                let field = field.to_owned();
                report.find(
                    Some(self.id),
                    None,
                    Problem::WrongSummary {
                        field,
                        stored,
                        replayed,
                    },
                );
            }
        };
        compare("start", &stored.start, &replayed.start);
        compare("clock", &stored.clock, &replayed.clock);
        compare("first", &stored.first, &replayed.first);
        compare("second", &stored.second, &replayed.second);
        compare("status", &stored.status, &replayed.status);
        compare("outcome", &stored.outcome, &replayed.outcome);
        compare("reason", &stored.reason, &replayed.reason);
        compare("created_at", &stored.created_at, &replayed.created_at);
        compare("ended_at", &stored.ended_at, &replayed.ended_at);
        compare("rematch_of", &stored.rematch_of, &replayed.rematch_of);
        if stored.status == MatchStatus::Over {
            // Until then the number of moves is what it was when the summary was last written.
            compare("plies", &stored.plies, &replayed.plies);
        }
    }
}
