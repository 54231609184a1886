//! One match: its summary, its log on its way through the checks, and what the one says of the other.

use grundy_shared::chain::{self, Hash};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, Seq};
use grundy_shared::referee::{Referee, Rematch};
use serde::Serialize;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::report::{Problem, Report};
use super::value;
use crate::store::sqlite::rows::{match_id, read_row, status_word, unsigned};
use crate::store::{MatchRow, MatchStatus, StoreError};

/// A summary as stored, and how its match was closed.
pub(super) struct Summary {
    pub(super) id: MatchId,
    row: Result<MatchRow, StoreError>,
    closed: Closed,
}

enum Closed {
    No,
    At(Seq, Vec<u8>),
    /// Found already: nothing more is concluded from it.
    Unreadable,
}

impl Summary {
    /// `None` where the id cannot be read: without it the events cannot be checked either.
    pub(super) fn read(row: &SqliteRow, report: &mut Report) -> Option<Self> {
        let id = row.try_get("id").map_err(StoreError::from);
        let note = |problem| report.find(None, None, problem);
        let id = value(id.and_then(match_id), note, ["match", "id"])?;
        let count = row.try_get::<Option<i64>, _>("log_count");
        let count = count.map_err(StoreError::from);
        let count = count.and_then(|count| count.map(unsigned).transpose());
        let mut note = |problem| report.find(Some(id), None, problem);
        let count = value(count, &mut note, ["match", "log_count"]);
        let head = row.try_get::<Option<Vec<u8>>, _>("log_head");
        let head = value(head, &mut note, ["match", "log_head"]);
        let closed = match (count, head) {
            (Some(Some(count)), Some(Some(head))) => Closed::At(Seq(count), head),
            (Some(_), Some(_)) => Closed::No,
            _ => Closed::Unreadable,
        };
        Some(Self {
            id,
            row: read_row(row),
            closed,
        })
    }
}

/// The log of one match on its way through the checks.
pub(super) struct Log {
    id: MatchId,
    seq: Seq,
    hash: Hash,
    events: Vec<Event>,
    /// Whether every event so far is there and fits. Nothing is concluded from a log that is broken anyhow.
    whole: bool,
}

impl Log {
    pub(super) fn new(id: MatchId) -> Self {
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

    pub(super) fn take(&mut self, row: &SqliteRow, report: &mut Report) {
        report.events += 1;
        let expected = self.seq.next();
        let seq = row.try_get("seq").map_err(StoreError::from);
        let mut note = |problem| self.find(expected, problem, report);
        let seq = value(seq.and_then(unsigned), &mut note, ["event", "seq"]);
        let body: Option<&[u8]> = value(row.try_get("body"), &mut note, ["event", "body"]);
        let stored: Option<&[u8]> = value(row.try_get("hash"), &mut note, ["event", "hash"]);
        let Some(found) = seq.map(Seq) else {
            return;
        };
        let link = body.map(|body| chain::link(&self.hash, body));
        if found != expected {
            self.find(expected, Problem::Missing { found }, report);
        } else if link
            .zip(stored)
            .is_some_and(|(link, stored)| link != *stored)
        {
            self.find(found, Problem::BrokenChain {}, report);
        }
        // The chain goes on from what is stored, so that one change is one finding.
        self.seq = found;
        let stored = stored.and_then(|stored| stored.try_into().ok());
        self.hash = stored.or(link).unwrap_or_default();
        match body.map(serde_json::from_slice) {
            Some(Ok(event)) => self.events.push(event),
            Some(Err(error)) if self.whole => {
                let why = error.to_string();
                self.find(found, Problem::NotAnEvent { why }, report);
            }
            Some(Err(_)) | None => {}
        }
    }

    /// Compares the log with the end that was written down, and with the summary. The rematch that it
    /// leads to is still to be looked for.
    pub(super) fn finish(mut self, summary: &Summary, report: &mut Report) -> Option<MatchId> {
        let end = self.seq;
        match &summary.closed {
            Closed::At(closed, _) if *closed != end => {
                let closed = *closed;
                self.find(end, Problem::WrongEnd { closed }, report);
            }
            Closed::At(_, head) if *head != self.hash => {
                self.find(end, Problem::WrongHead {}, report);
            }
            _ => {}
        }
        let row = match &summary.row {
            Ok(row) => Some(row),
            Err(error) => {
                let why = error.to_string();
                report.find(Some(self.id), None, Problem::BadSummary { why });
                None
            }
        };
        if !self.whole {
            return None;
        }
        let referee = match Referee::replay(&self.events) {
            Ok(referee) => referee,
            Err(error) => {
                let law = error.law.to_string();
                self.find(error.seq, Problem::Unlawful { law }, report);
                return None;
            }
        };
        if let Some(row) = row {
            self.compare(row, &referee, report);
        }
        if referee.outcome().is_some() && matches!(summary.closed, Closed::No) {
            self.find(end, Problem::NotClosed {}, report);
        }
        match referee.rematch() {
            Rematch::Accepted(rematch) => Some(rematch),
            Rematch::None | Rematch::Offered(_) => None,
        }
    }

    fn compare(&self, stored: &MatchRow, referee: &Referee, report: &mut Report) {
        let ended_at: Option<Millis> = self.events.iter().find_map(|event| match event {
            Event::Ended { at_ms, .. } => Some(*at_ms),
            _ => None,
        });
        let replayed = MatchRow::of(referee, ended_at);
        let mut compare = |field: &str, stored: String, replayed: String| {
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
        compare("start", words(&stored.start), words(&replayed.start));
        compare("clock", words(&stored.clock), words(&replayed.clock));
        compare("first", words(&stored.first), words(&replayed.first));
        compare("second", words(&stored.second), words(&replayed.second));
        compare(
            "status",
            words(&status_word(stored.status)),
            words(&status_word(replayed.status)),
        );
        compare("outcome", words(&stored.outcome), words(&replayed.outcome));
        compare("reason", words(&stored.reason), words(&replayed.reason));
        compare(
            "created_at",
            words(&stored.created_at),
            words(&replayed.created_at),
        );
        compare(
            "ended_at",
            words(&stored.ended_at),
            words(&replayed.ended_at),
        );
        compare(
            "rematch_of",
            words(&stored.rematch_of),
            words(&replayed.rematch_of),
        );
        if stored.status == MatchStatus::Over {
            // Until then the number of moves is what it was when the summary was last written.
            compare("plies", words(&stored.plies), words(&replayed.plies));
        }
    }
}

/// A value of a summary as a person reads it: a word, a number, `none`, or else JSON.
fn words(value: &impl Serialize) -> String {
    match serde_json::to_value(value).expect("a summary is plain values") {
        serde_json::Value::Null => "none".to_owned(),
        serde_json::Value::String(word) => word,
        other => other.to_string(),
    }
}
