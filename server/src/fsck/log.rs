//! One log on its way through the checks; for a match its summary, and what the one says of the other.

use grundy_shared::chain::{self, Hash};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, Seq};
use grundy_shared::protocol::ChatEvent;
use grundy_shared::rated::RatedPair;
use grundy_shared::referee::{Referee, Rematch};
use grundy_shared::review;
use grundy_shared::solver::Budget;
use serde::Serialize;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::audit::AuditEvent;

use super::games::{Games, Played};
use super::puzzles;
use super::ratings;
use super::report::{Problem, Report};
use super::tournament::Fold;
use super::value::value;
use crate::store::sqlite::entries::{Entries, Entry};
use crate::store::sqlite::rows::{
    match_id, read_mistakes, read_row, status_word, stream_of, unsigned,
};
use crate::store::sqlite::seal::broken_seal;
use crate::store::{MatchRow, MatchStatus, Mistakes, StoreError, StreamId};

/// Solver budget for each position when mistakes are counted again, in nodes. If it does not suffice, the match's count is not compared.
const MISTAKE_NODES: u64 = 2_000;

/// A summary as stored, and how its match was closed.
pub(super) struct Summary {
    pub(super) id: MatchId,
    row: Result<MatchRow, StoreError>,
    closed: Closed,
    /// Its place in the order of ends; `None` if the column cannot be read, which was reported.
    ended_order: Option<Option<i64>>,
    mistakes: Option<Mistakes>,
    /// What does not fit its seal.
    unsealed: Option<&'static str>,
}

enum Closed {
    No,
    At(Seq, Vec<u8>),
    /// Found already: nothing more is concluded from it.
    Unreadable,
}

impl Summary {
    /// `None` where the id cannot be read.
    fn read(row: &SqliteRow, report: &mut Report) -> Option<Self> {
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
        let place = row.try_get::<Option<i64>, _>("ended_order");
        let place = place.map_err(StoreError::from);
        let ended_order = value(place, &mut note, ["match", "ended_order"]);
        let mistakes = read_mistakes(row);
        let mistakes = value(mistakes, &mut note, ["match", "mistakes"]).flatten();
        let summary = read_row(row);
        let unsealed = match &summary {
            Ok(summary) => {
                let seal = broken_seal(row, id, summary, mistakes);
                value(seal, &mut note, ["match", "seal"]).flatten()
            }
            Err(_) => None,
        };
        Some(Self {
            id,
            row: summary,
            closed,
            ended_order,
            mistakes,
            unsealed,
        })
    }
}

impl Summary {
    /// Compares the columns that are written at or after the end of a match: its place in the order of ends, and its mistakes.
    fn check_end(&self, row: &MatchRow, referee: &Referee, report: &mut Report) {
        let mut wrong = |field: &str, stored: String, replayed: String| {
            let field = field.to_owned();
            let problem = Problem::WrongSummary {
                field,
                stored,
                replayed,
            };
            report.find(Some(self.id), None, problem);
        };
        let is_over = row.status == MatchStatus::Over;
        if let Some(place) = self.ended_order
            && place.is_some() != is_over
        {
            let replayed = match is_over {
                true => "a number",
                false => "none",
            };
            wrong("ended_order", words(&place), replayed.to_owned());
        }
        match self.mistakes {
            Some(Mistakes::Known(counts)) if is_over => {
                let budget = Budget::nodes(MISTAKE_NODES);
                let again = review::mistakes(referee, &budget);
                if let Some(again) = again.filter(|again| *again != counts) {
                    wrong("mistakes", words(&counts), words(&again));
                }
            }
            Some(mistakes) if !is_over => {
                wrong("mistakes", format!("{mistakes:?}"), "none".to_owned());
            }
            Some(_) | None => {}
        }
    }
}

/// A stream, and the match that it is of.
pub(super) struct Stream {
    pub(super) id: StreamId,
    pub(super) summary: Option<Summary>,
}

impl Stream {
    /// `None` where there is no such stream, or its id cannot be read: without it the events cannot be checked either.
    pub(super) fn read(row: &SqliteRow, report: &mut Report) -> Option<Self> {
        let has_match = !matches!(row.try_get::<Option<i64>, _>("number"), Ok(None));
        let summary = match has_match {
            true => Summary::read(row, report),
            false => None,
        };
        if matches!(row.try_get::<Option<i64>, _>("of"), Ok(None)) {
            let what = "log".to_owned();
            let id = summary.map(|summary| summary.id);
            report.find(id, None, Problem::HalfGone { what });
            return None;
        }
        let key = row.try_get::<&[u8], _>("key").map_err(StoreError::from);
        let kind = row.try_get::<i64, _>("kind").map_err(StoreError::from);
        let id = kind.and_then(|kind| stream_of(kind, key?));
        let known = summary.as_ref().map(|summary| summary.id);
        let note = |problem| report.find(known, None, problem);
        let id = value(id, note, ["stream", "kind, id"])?;
        if has_match && known.is_none() {
            return None;
        }
        let named = known.map(StreamId::Match);
        if matches!(id, StreamId::Match(_)) || named.is_some() {
            if named.is_none() {
                let what = "summary".to_owned();
                report.find_in(Some(id), None, Problem::HalfGone { what });
            } else if named != Some(id) {
                let what = "log".to_owned();
                report.find_in(named, None, Problem::HalfGone { what });
                return None;
            }
        }
        Some(Self { id, summary })
    }
}

/// The log of one stream on its way through the checks.
pub(super) struct Log {
    id: StreamId,
    seq: Seq,
    hash: Hash,
    /// The link of each event so far.
    links: Vec<Hash>,
    events: Vec<Event>,
    /// Of a tournament.
    fold: Option<Fold>,
    /// Of a rating.
    rating: Option<ratings::Fold>,
    /// Of a puzzle, or of a player who solves puzzles.
    solving: Option<puzzles::Fold>,
    /// Whether every event so far is there and fits. Nothing is concluded from a log that is broken anyhow.
    whole: bool,
}

impl Log {
    pub(super) fn new(id: StreamId) -> Self {
        let is_tournament = matches!(id, StreamId::Tournament(_)) && id != StreamId::of_catalogue();
        Self {
            id,
            seq: Seq(0),
            hash: id.genesis(),
            links: Vec::new(),
            events: Vec::new(),
            fold: is_tournament.then(Fold::default),
            rating: matches!(id, StreamId::Rating(..)).then(ratings::Fold::default),
            solving: puzzles::Fold::of(id),
            whole: true,
        }
    }

    pub(super) fn find_at(&mut self, seq: Option<Seq>, problem: Problem, report: &mut Report) {
        self.whole = false;
        report.find_in(Some(self.id), seq, problem);
    }

    fn find(&mut self, seq: Seq, problem: Problem, report: &mut Report) {
        self.find_at(Some(seq), problem, report);
    }

    pub(super) fn take_segment(&mut self, row: &SqliteRow, report: &mut Report) {
        let mut bounds = [None; 2];
        for (bound, column) in bounds.iter_mut().zip(["first", "last"]) {
            let number = row.try_get(column).map_err(StoreError::from);
            let note = |problem| self.find_at(None, problem, report);
            *bound = value(number.and_then(unsigned), note, ["segment", column]);
        }
        let note = |problem| self.find_at(None, problem, report);
        let blob = value(row.try_get::<Vec<u8>, _>("body"), note, ["segment", "body"]);
        let begins = self.seq.next();
        // What is no number was reported.
        let number = row.try_get::<i64, _>("stream").ok();
        for entry in blob.map(Entries::of).into_iter().flatten() {
            let entry = entry.and_then(|entry| match number {
                Some(number) if number != entry.stream => Err(StoreError::Corrupt {
                    why: format!("event {} is of log {}", entry.seq, entry.stream),
                }),
                _ => Ok(entry),
            });
            let note = |problem| self.find_at(None, problem, report);
            if let Some(entry) = value(entry, note, ["segment", "body"]) {
                self.take(&entry, report);
            }
        }
        // Where an event is missing, that is found already.
        if self.whole && bounds != [Some(begins.0), Some(self.seq.0)] {
            let [table, column] = ["segment", "first, last"].map(str::to_owned);
            let why = "it has other events".to_owned();
            self.find(begins, Problem::BadValue { table, column, why }, report);
        }
    }

    /// An event of the journal. If it is settled, it must be the same in the segments.
    pub(super) fn take_unsettled(&mut self, entry: &Entry, report: &mut Report) {
        if entry.seq > self.seq {
            self.take(entry, report);
            return;
        }
        let link = |seq: u64| match seq {
            0 => Some(self.id.genesis()),
            _ => self.links.get(usize::try_from(seq - 1).ok()?).copied(),
        };
        let before = entry.seq.0.checked_sub(1).and_then(link);
        let same = before.is_some_and(|before| chain::link(&before, &entry.body) == entry.hash)
            && link(entry.seq.0) == Some(entry.hash);
        if self.whole && !same {
            self.find(entry.seq, Problem::BrokenChain {}, report);
        }
    }

    fn take(&mut self, entry: &Entry, report: &mut Report) {
        report.events += 1;
        let (expected, found) = (self.seq.next(), entry.seq);
        if found != expected {
            self.find(expected, Problem::Missing { found }, report);
        } else if chain::link(&self.hash, &entry.body) != entry.hash {
            self.find(found, Problem::BrokenChain {}, report);
        }
        // The chain goes on from what is stored, so that one change is one finding.
        self.seq = found;
        self.hash = entry.hash;
        self.links.push(entry.hash);
        if let Some(fold) = self.fold.as_mut().filter(|_| self.whole) {
            if let Err(problem) = fold.take(found, &entry.body) {
                self.find(found, problem, report);
            }
            return;
        }
        if let Some(rating) = self.rating.as_mut().filter(|_| self.whole) {
            if let Err(problem) = rating.take(&entry.body) {
                self.find(found, problem, report);
            }
            return;
        }
        if let Some(solving) = self.solving.as_mut().filter(|_| self.whole) {
            if let Err(problem) = solving.take(&entry.body) {
                self.find(found, problem, report);
            }
            return;
        }
        if matches!(self.id, StreamId::Chat(..)) && self.whole {
            if let Err(error) = serde_json::from_slice::<ChatEvent>(&entry.body) {
                let why = error.to_string();
                self.find(found, Problem::NotAnEvent { why }, report);
            }
            return;
        }
        if self.id == StreamId::Audit && self.whole {
            if let Err(error) = serde_json::from_slice::<AuditEvent>(&entry.body) {
                let why = error.to_string();
                self.find(found, Problem::NotAnEvent { why }, report);
            }
            return;
        }
        if !matches!(self.id, StreamId::Match(_)) {
            return;
        }
        match serde_json::from_slice(&entry.body) {
            Ok(event) => self.events.push(event),
            Err(error) if self.whole => {
                let why = error.to_string();
                self.find(found, Problem::NotAnEvent { why }, report);
            }
            Err(_) => {}
        }
    }

    /// Notes where the log ends.
    pub(super) fn note_end(&self, report: &mut Report) {
        let end = format!("{} {} ", self.id, self.seq);
        report.head.take(&[end.as_bytes(), &self.hash].concat());
        let last = self.events.last().map(Event::at);
        report.last_event_at = report.last_event_at.max(last);
    }

    /// Hands over what a tournament or a rating counts.
    pub(super) fn hand_over(&mut self, games: &mut Games) {
        if let (StreamId::Tournament(id), Some(fold)) = (self.id, self.fold.take()) {
            games.take_book(id, self.whole.then(|| fold.into_book()));
        }
        if let (StreamId::Rating(player, family), Some(fold)) = (self.id, self.rating.take()) {
            let fold = Some(fold).filter(|_| self.whole);
            games.ratings.take_log(player, family, fold);
        }
        if let Some(fold) = self.solving.take() {
            let fold = Some(fold).filter(|_| self.whole);
            games.puzzles.take_log(self.id, fold);
        }
    }

    /// Compares the log with the end that was written down, and with the summary. The rematch that it
    /// leads to is still to be looked for.
    pub(super) fn finish(
        mut self,
        stream: &Stream,
        games: &mut Games,
        report: &mut Report,
    ) -> Option<(MatchId, MatchId)> {
        let end = self.seq;
        if end == Seq(0) {
            let what = "log".to_owned();
            self.find(Seq(1), Problem::HalfGone { what }, report);
        }
        let summary = stream.summary.as_ref()?;
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
                report.find(Some(summary.id), None, Problem::BadSummary { why });
                None
            }
        };
        if !self.whole {
            games.take_broken(summary.id);
            return None;
        }
        let referee = match Referee::replay(&self.events) {
            Ok(referee) => referee,
            Err(error) => {
                let law = error.law.to_string();
                self.find(error.seq, Problem::Unlawful { law }, report);
                games.take_broken(summary.id);
                return None;
            }
        };
        // The log as other players see it may lack the lines of a plan, but the stored log may not.
        let hidden = |event: &Event| matches!(event, Event::Planned { lines: None, .. });
        if let Some(seq) = (1..)
            .map(Seq)
            .zip(&self.events)
            .find_map(|(seq, event)| hidden(event).then_some(seq))
        {
            let law = "the planned moves are missing".to_owned();
            self.find(seq, Problem::Unlawful { law }, report);
        }
        if let Some(game) = referee.tournament() {
            games.take_played(Played {
                id: summary.id,
                game,
                end: referee.outcome(),
            });
        }
        let ended = self
            .events
            .iter()
            .find_map(|end| RatedPair::ended(&referee, end));
        if let Some(pair) = ended {
            games.ratings.take_pair(pair);
        }
        games.ratings.take_game(summary.id, &referee);
        if let Some(row) = row {
            self.compare(summary.id, row, &referee, report);
            summary.check_end(row, &referee, report);
        }
        if let Some(what) = summary.unsealed {
            let what = what.to_owned();
            report.find(Some(summary.id), None, Problem::WrongSeal { what });
        }
        if referee.outcome().is_some() && matches!(summary.closed, Closed::No) {
            self.find(end, Problem::NotClosed {}, report);
        }
        let rematch = match referee.rematch() {
            Rematch::Accepted(rematch) => Some(rematch),
            Rematch::None | Rematch::Offered(_) => None,
        };
        let follows = referee.next_match().or(rematch);
        follows.map(|follows| (summary.id, follows))
    }

    fn compare(&self, id: MatchId, stored: &MatchRow, referee: &Referee, report: &mut Report) {
        let ended_at: Option<Millis> = self.events.iter().find_map(|event| match event {
            Event::Ended { at_ms, .. } => Some(*at_ms),
            _ => None,
        });
        let replayed = MatchRow::of(referee, ended_at);
        let mut compare = |field: &str, stored: String, replayed: String| {
            if stored != replayed {
                let field = field.to_owned();
                report.find(
                    Some(id),
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
        compare("series", words(&stored.series), words(&replayed.series));
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
