//! What is found, and how it is told.

use std::fmt;

use grundy_shared::ids::{MatchId, Millis, Seq};
use serde::Serialize;

use super::head::Head;
use crate::counted::{counted, counted_as};
use crate::store::{StoreError, StreamId};

/// Findings that are listed; more are only counted.
pub(super) const LISTED: usize = 1_000;

/// What was checked, and what was found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Matches checked.
    pub matches: u64,
    /// Other logs checked: of tournaments and accounts.
    pub streams: u64,
    /// Events checked.
    pub events: u64,
    /// Since when a server has had the database open, in milliseconds since 1970, if it has not closed it: it was killed, or this is a copy that
    /// was made while it ran. What it committed later is not in a copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_since: Option<Millis>,
    /// A digest over the ends of all logs.
    pub head: Head,
    /// When the last event of a match happened.
    pub last_event_at: Option<Millis>,
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
    /// The log, if it is another's than a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
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
    /// The write-ahead log ends before a commit that was in it.
    #[error(
        "the write-ahead log has {sound} sound frames, and had {had}: the last commits may be missing"
    )]
    LogCut {
        /// Frames as its index has it.
        had: u64,
        /// Frames that fit their checksums.
        sound: u64,
    },
    /// The journal lacks batches that it had at the last commit that changed more than the journal, or has others.
    #[error(
        "the journal is not as it was left: it {found}, and {noted}; the last events of unfinished matches may be missing"
    )]
    JournalCut {
        /// What is there.
        found: String,
        /// What should be.
        noted: String,
    },
    /// Rows of a table were changed, added or removed by another program.
    #[error(
        "rows of table {table} were changed, added or removed by another program (it has {found}, and should have {recorded})"
    )]
    ChangedRows {
        /// The table.
        table: String,
        /// How many rows it has.
        found: i64,
        /// How many it should have.
        recorded: i64,
    },
    /// What PostgreSQL keeps counted is not what is there.
    #[error("the database says that it has {stored} {what}, and it has {found}")]
    WrongCount {
        /// What is counted.
        what: String,
        /// As stored.
        stored: i64,
        /// As found.
        found: i64,
    },
    /// The sum over the rows of a table is gone.
    #[error("nothing says which rows table {table} should have")]
    NotSummed {
        /// The table.
        table: String,
    },
    /// A summary or a rating does not fit its seal.
    #[error("the {what} was changed by another program")]
    WrongSeal {
        /// Which.
        what: String,
    },
    /// Something refers to a match that is not there, or to a player.
    #[error("table {table} refers to a match or player that is not there")]
    Orphan {
        /// Where.
        table: String,
    },
    /// A column holds what the server never writes there.
    #[error("{table}.{column} cannot be read: {why}")]
    BadValue {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Why.
        why: String,
    },
    /// The logs are numbered without a gap, and this one has gone with its events.
    #[error("log number {number} is gone")]
    LogGone {
        /// The number in the table.
        number: i64,
    },
    /// A player or another match is spoken of that is not there, or is not what it is said to be.
    #[error("its {what} {other} is not there, or is another")]
    Dangling {
        /// As what.
        what: String,
        /// Which.
        other: String,
    },
    /// A tournament counts another result than that of the match.
    #[error("it counts {counted} for match {game}, which ended {ended}")]
    WrongResult {
        /// The match.
        game: MatchId,
        /// What is counted.
        counted: String,
        /// How the match ended.
        ended: String,
    },
    /// A game of a tournament is over, and the tournament has no result of it.
    #[error("it is over, and its result is missing in tournament {tournament}")]
    NotCounted {
        /// The tournament.
        tournament: String,
    },
    /// The figures of a rating do not follow from those before them.
    #[error("the rating was computed otherwise: {why}")]
    WrongRating {
        /// Which figures.
        why: String,
    },
    /// A rated pair is over with this match, and a player's rating does not count it once.
    #[error(
        "a rated pair is over with it, and the rating of player {player} does not count it once"
    )]
    NotRated {
        /// The player.
        player: String,
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
    /// An event of a tournament that does not follow from those before it.
    #[error("it does not fit the tournament: {why}")]
    Unfit {
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
    /// A match without a log, or a log of a match without a summary.
    #[error("its {what} is gone")]
    HalfGone {
        /// Which of the two.
        what: String,
    },
    /// A finished match whose end was not written beside it.
    #[error("the match is over, but was not closed")]
    NotClosed {},
    /// The summary contradicts the log.
    #[error("the summary says {field} {stored}, the log says {replayed}")]
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
        let log = self.id.map(|id| format!("match {id}"));
        match (log.or(self.log.clone()), self.seq) {
            (Some(log), Some(seq)) => write!(f, "{log}, event {seq}: ")?,
            (Some(log), None) => write!(f, "{log}: ")?,
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
        if let Some(since) = self.open_since {
            writeln!(
                f,
                "The server that opened this database at {} ms did not close it: it was killed, or this is a copy made while it ran",
                since.0
            )?;
        }
        let unlisted = self.problems - self.findings.len() as u64;
        if unlisted > 0 {
            writeln!(f, "and {unlisted} more")?;
        }
        write!(f, "{}, ", counted_as(self.matches, "match", "matches"))?;
        if self.streams > 0 {
            write!(f, "{}, ", counted(self.streams, "other log"))?;
        }
        write!(f, "{}: ", counted(self.events, "event"))?;
        match self.problems {
            0 => f.write_str("sound"),
            some => f.write_str(&counted(some, "problem")),
        }
    }
}

impl Report {
    /// Whether nothing was found.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.problems == 0
    }

    /// Takes over what ended a part of the checks.
    pub(super) fn note(&mut self, done: Result<(), StoreError>) {
        if let Err(error) = done {
            let detail = match error {
                StoreError::Corrupt { why } => why,
                error => error.to_string(),
            };
            self.find(None, None, Problem::Damaged { detail });
        }
    }

    pub(super) fn find(&mut self, id: Option<MatchId>, seq: Option<Seq>, problem: Problem) {
        self.find_in(id.map(StreamId::Match), seq, problem);
    }

    pub(super) fn find_in(&mut self, log: Option<StreamId>, seq: Option<Seq>, problem: Problem) {
        self.problems += 1;
        if self.findings.len() < LISTED {
            let (id, log) = match log {
                Some(StreamId::Match(id)) => (Some(id), None),
                other => (None, other.map(|other| other.to_string())),
            };
            self.findings.push(Finding {
                id,
                log,
                seq,
                problem,
            });
        }
    }
}
