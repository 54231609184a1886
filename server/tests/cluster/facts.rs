//! Compares the acknowledged chat, challenges, open seats, rated pairs and tournaments with the stored ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use grundy_server::store::{Store, StreamId};
use grundy_shared::event::{Event, TimeControl};
use grundy_shared::ids::{MatchId, Seq, TournamentId};
use grundy_shared::protocol::chat::Room;
use serde_json::Value;

use crate::checker::{Findings, Logs};

/// A line of chat in the players' room of a match. No text is sent twice.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) seq: u64,
    pub(crate) text: String,
}

impl Line {
    /// The line that this frame brings, if it brings one.
    pub(crate) fn of_frame(frame: &Value) -> Option<Self> {
        Some(Self {
            id: frame["chat"].as_str()?.to_owned(),
            seq: frame["seq"].as_u64()?,
            text: frame["body"]["text"].as_str()?.to_owned(),
        })
    }
}

/// Facts.
#[derive(Clone, Default)]
pub(crate) struct Facts {
    said: BTreeSet<Line>,
    heard: BTreeSet<Line>,
    challenges: BTreeMap<u64, MatchId>,
    seats: BTreeMap<u64, MatchId>,
    pairs: Vec<MatchId>,
    cups: Vec<TournamentId>,
    wrong: Vec<String>,
}

impl Facts {
    /// A line is acknowledged.
    pub(crate) fn said(&mut self, line: Line) {
        self.said.insert(line);
    }

    /// A client has received a line.
    pub(crate) fn heard(&mut self, line: Line) {
        self.heard.insert(line);
    }

    /// A challenge whose clock starts at so many milliseconds was accepted.
    pub(crate) fn accepted(&mut self, base_ms: u64, id: MatchId) {
        self.note(base_ms, id, true);
    }

    /// A seat whose clock starts at so many milliseconds was taken.
    pub(crate) fn taken(&mut self, base_ms: u64, id: MatchId) {
        self.note(base_ms, id, false);
    }

    fn note(&mut self, base_ms: u64, id: MatchId, challenge: bool) {
        let known = match challenge {
            true => &mut self.challenges,
            false => &mut self.seats,
        };
        let first = *known.entry(base_ms).or_insert(id);
        if first != id {
            self.wrong(format!("{base_ms} was answered with {first} and with {id}"));
        }
    }

    /// A rated pair is over: both of its games have ended.
    pub(crate) fn rated(&mut self, first: MatchId) {
        self.pairs.push(first);
    }

    /// A tournament is over.
    pub(crate) fn finished(&mut self, id: TournamentId) {
        self.cups.push(id);
    }

    /// A fault that no client should see.
    pub(crate) fn wrong(&mut self, what: String) {
        self.wrong.push(what);
    }

    /// Whether there is something of each kind.
    pub(crate) fn has_all_kinds(&self) -> bool {
        let counts = [
            self.said.len(),
            self.challenges.len(),
            self.seats.len(),
            self.pairs.len(),
            self.cups.len(),
        ];
        counts.into_iter().all(|count| count > 0)
    }

    /// Compares with what is stored; these are the logs of all matches.
    pub(crate) async fn check(&self, store: &dyn Store, logs: &Logs) -> Findings {
        let mut findings = Findings {
            wrong: self.wrong.clone(),
            ..Findings::default()
        };
        self.check_lines(store, &mut findings).await;
        self.check_beginnings(logs, &mut findings);
        for id in &self.pairs {
            let next = end_of(logs, *id).and_then(|end| match end {
                Event::Ended { next, .. } => next,
                _ => None,
            });
            if next.is_none_or(|next| end_of(logs, next).is_none()) {
                findings
                    .lost
                    .push(format!("the end of the rated pair {id}"));
            }
        }
        for id in &self.cups {
            check_cup(store, *id, logs, &mut findings).await;
        }
        findings
    }

    /// What was acknowledged is there once, under its number; what was received is there.
    async fn check_lines(&self, store: &dyn Store, findings: &mut Findings) {
        let lines = self.said.union(&self.heard);
        let rooms: BTreeSet<&str> = lines.map(|line| line.id.as_str()).collect();
        let mut stored = BTreeSet::new();
        for id in rooms {
            let room: MatchId = id.parse().expect("an id");
            let mut texts = BTreeSet::new();
            for (seq, body) in read(store, StreamId::Chat(room, Room::Players)).await {
                let Some(text) = body["text"].as_str() else {
                    continue;
                };
                if !texts.insert(text.to_owned()) {
                    findings.doubled.push(format!("line {seq} of {id}: {text}"));
                }
                stored.insert(Line {
                    id: id.to_owned(),
                    seq: seq.0,
                    text: text.to_owned(),
                });
            }
        }
        let missing = |lines: &BTreeSet<Line>| -> Vec<String> {
            let missing = lines.difference(&stored);
            missing.map(|line| format!("{line:?}")).collect()
        };
        findings.lost.extend(missing(&self.said));
        findings.early.extend(missing(&self.heard));
    }

    /// A challenge or a seat makes at most one match, the acknowledged one. Each has a clock of its own.
    fn check_beginnings(&self, logs: &Logs, findings: &mut Findings) {
        let mut begun: BTreeMap<u64, Vec<MatchId>> = BTreeMap::new();
        for (id, log) in logs {
            if let Some(base_ms) = log.first().and_then(|body| own_clock(body)) {
                begun.entry(base_ms).or_default().push(*id);
            }
        }
        for (base_ms, matches) in &begun {
            if matches.len() > 1 {
                findings
                    .doubled
                    .push(format!("{matches:?} have come of one request ({base_ms})"));
            }
        }
        for (base_ms, id) in self.challenges.iter().chain(&self.seats) {
            if !begun
                .get(base_ms)
                .is_some_and(|matches| matches.contains(id))
            {
                findings.lost.push(format!("{id} ({base_ms})"));
            }
        }
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "lines {} challenges {} seats {} rated-pairs {} tournaments {}",
            self.said.len(),
            self.challenges.len(),
            self.seats.len(),
            self.pairs.len(),
            self.cups.len()
        )
    }
}

/// The clocks of challenges and seats start at this many milliseconds plus a number that is different for each.
pub(crate) const OWN_CLOCKS_FROM: u64 = 7_200_000;

/// The start of the clock of a single match, if it is one of those.
fn own_clock(created: &str) -> Option<u64> {
    match serde_json::from_str(created).ok()? {
        Event::Created {
            clock: TimeControl::Fischer { base_ms, .. },
            rematch_of: None,
            series: None,
            ..
        } => Some(base_ms.0).filter(|base_ms| *base_ms >= OWN_CLOCKS_FROM),
        _ => None,
    }
}

fn end_of(logs: &Logs, id: MatchId) -> Option<Event> {
    let events = logs.get(&id)?.iter();
    let mut events = events.filter_map(|body| serde_json::from_str(body).ok());
    events.find(|event| matches!(event, Event::Ended { .. }))
}

/// A log, as JSON.
async fn read(store: &dyn Store, stream: StreamId) -> Vec<(Seq, Value)> {
    let mut read = Vec::new();
    loop {
        let after = Seq(read.len() as u64);
        let page = store.load(stream, after, usize::MAX).await;
        let page = page.expect("a log can be read").unwrap_or_default();
        if page.is_empty() {
            return read;
        }
        read.extend(page.iter().map(|logged| {
            let body = serde_json::from_str(logged.text()).expect("an event");
            (logged.seq, body)
        }));
    }
}

/// It has come to its end, and each of its games is stored and over.
async fn check_cup(store: &dyn Store, id: TournamentId, logs: &Logs, findings: &mut Findings) {
    let log = read(store, StreamId::Tournament(id)).await;
    if log
        .last()
        .is_none_or(|(_, body)| body["type"] != "seed_opened")
    {
        findings.lost.push(format!("the end of tournament {id}"));
    }
    let games = log.iter().filter(|(_, body)| body["type"] == "game_ended");
    for (seq, game) in games {
        let game: Option<MatchId> = game["match"].as_str().and_then(|id| id.parse().ok());
        if game.is_none_or(|game| end_of(logs, game).is_none()) {
            findings.corrupt.push(format!(
                "event {seq} of tournament {id} names no match that is over"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use grundy_server::store::memory::MemoryStore;

    use super::*;

    const BASE_MS: u64 = OWN_CLOCKS_FROM + 3;

    fn id(number: u64) -> MatchId {
        MatchId::from_random(number)
    }

    fn line(text: &str) -> Line {
        Line {
            id: id(1).to_string(),
            seq: 1,
            text: text.to_owned(),
        }
    }

    /// A match that has begun with a clock of its own.
    fn begun() -> Vec<String> {
        let clock = serde_json::json!({"type": "fischer", "base_ms": BASE_MS, "increment_ms": 0});
        let creator = serde_json::json!({"id": "67e55044-10b1-426f-9247-bb680e5fe0c8", "name": "Ada", "bot": true});
        let created = serde_json::json!({"type": "created", "at_ms": 1, "position": "nim:1,2", "creator": creator, "seat": "first", "clock": clock});
        vec![created.to_string()]
    }

    #[tokio::test]
    async fn what_is_not_stored_is_found() {
        let mut facts = Facts::default();
        facts.said(line("said"));
        facts.heard(line("heard"));
        facts.accepted(BASE_MS, id(2));
        facts.taken(BASE_MS + 1, id(3));
        facts.rated(id(4));
        facts.finished(TournamentId::from_random(5));
        assert!(facts.has_all_kinds());
        let findings = facts.check(&MemoryStore::new(), &Logs::new()).await;
        assert_eq!(findings.lost.len(), 5, "{findings}");
        assert_eq!(findings.early.len(), 1, "{findings}");
        assert!(findings.doubled.is_empty() && findings.wrong.is_empty());
    }

    #[tokio::test]
    async fn two_matches_of_one_request_are_found() {
        let mut facts = Facts::default();
        facts.accepted(BASE_MS, id(2));
        let mut logs = Logs::from([(id(2), begun())]);
        let store = MemoryStore::new();
        assert!(facts.check(&store, &logs).await.is_clean());
        logs.insert(id(3), begun());
        assert_eq!(facts.check(&store, &logs).await.doubled.len(), 1);
        // Two answers to one request are wrong, too.
        facts.accepted(BASE_MS, id(3));
        assert_eq!(facts.check(&store, &logs).await.wrong.len(), 1);
    }
}
