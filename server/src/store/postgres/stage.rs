//! What a batch knows and what it is to write: decided in memory, then written with a few statements.

use bytes::Bytes;
use grundy_shared::chain::{self, Hash};
use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seq};
use rustc_hash::{FxHashMap, FxHashSet};

use super::places::{Known, Places, seats};
use super::tally::Tally;
use crate::store::{
    AddressDigest, Append, MatchRow, MatchStatus, Mistakes, NodeId, PuzzleRow, ReviewRow, StreamId,
    Word,
};

/// Where a log ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// The number of the stream.
    pub(super) number: i64,
    /// The number of the last event.
    pub(super) seq: Seq,
    /// The end of the chain.
    pub(super) hash: Hash,
}

/// An event that is to be written.
#[derive(Clone, Debug)]
pub(super) struct NewEvent {
    pub(super) stream: i64,
    pub(super) seq: Seq,
    pub(super) body: Bytes,
}

/// A review that is to be kept.
#[derive(Clone, Debug)]
pub(super) struct NewReview {
    pub(super) of: MatchId,
    pub(super) row: ReviewRow,
    /// All reviews together are to have no more bytes than this.
    pub(super) most_bytes: u64,
}

/// What is to be written with the next statements.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) streams: Vec<(i64, StreamId)>,
    pub(super) touched: FxHashSet<StreamId>,
    pub(super) events: Vec<NewEvent>,
    /// The newest summary of each match.
    pub(super) rows: FxHashMap<MatchId, Box<MatchRow>>,
    /// Matches whose mistakes and whose places in the order of ends are good for nothing: they were not over meanwhile.
    pub(super) reopened: FxHashSet<MatchId>,
    /// Matches whose addresses are to be written.
    pub(super) addressed: FxHashSet<MatchId>,
    pub(super) codes: FxHashMap<JoinCode, (i64, Millis)>,
    /// Codes that expired by then are forgotten.
    pub(super) expired_at: Option<Millis>,
    pub(super) create_ids: FxHashMap<(PlayerId, ClientCreateId), i64>,
    /// Mistakes of matches that are over.
    pub(super) mistakes: FxHashMap<MatchId, Mistakes>,
    /// Reviews of matches that are over, the newest last: one for each match.
    pub(super) reviews: Vec<NewReview>,
    /// Puzzles that are not known.
    pub(super) puzzles: Vec<PuzzleRow>,
    /// What is said, in order.
    pub(super) words: Vec<Word>,
}

/// What a batch knows: all that its commits concern, as the transaction has locked it.
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) heads: FxHashMap<StreamId, Head>,
    pub(super) places: Places,
    /// The last place in the order of ends.
    pub(super) last_end: i64,
    /// Players who were erased, and the names that stand for them.
    pub(super) erased: FxHashMap<PlayerId, String>,
    /// Guests who were removed a short time ago.
    pub(super) removed: FxHashSet<PlayerId>,
    pub(super) codes: FxHashMap<JoinCode, Millis>,
    pub(super) create_ids: FxHashSet<(PlayerId, ClientCreateId)>,
    /// Which of the puzzles of the batch are known.
    pub(super) puzzles: FxHashSet<PuzzleId>,
    /// What words have settled, of what those of the batch settle.
    pub(super) settled: FxHashSet<String>,
    /// The last word that is forgotten.
    pub(super) forgotten: i64,
    pub(super) changes: Changes,
    /// The order row as it is to be written, where the batch has locked it.
    pub(super) tally: Option<Tally>,
}

impl Stage {
    /// The number of the last event of a stream.
    pub(super) fn end_of(&self, stream: StreamId) -> Seq {
        self.heads.get(&stream).map_or(Seq(0), |head| head.seq)
    }

    /// Adds events after the end. A new stream gets the next number.
    pub(super) fn append(&mut self, append: &Append) {
        if append.events.is_empty() {
            return;
        }
        let stream = append.stream;
        let mut head = match self.heads.get(&stream) {
            Some(head) => *head,
            None => self.make_stream(stream),
        };
        for body in &append.events {
            head.seq = head.seq.next();
            head.hash = chain::link(&head.hash, body);
            self.changes.events.push(NewEvent {
                stream: head.number,
                seq: head.seq,
                body: body.clone(),
            });
        }
        self.heads.insert(stream, head);
        self.changes.touched.insert(stream);
    }

    fn make_stream(&mut self, stream: StreamId) -> Head {
        let tally = self
            .tally
            .as_mut()
            .expect("a batch that makes a stream has locked the tally");
        tally.streams += 1;
        let number = tally.streams;
        self.changes.streams.push((number, stream));
        Head {
            number,
            seq: Seq(0),
            hash: stream.genesis(),
        }
    }

    /// Makes or replaces the summary of a match, whose stream is there. Whether its place was the last in the order of ends, and is free now.
    pub(super) fn summarize(&mut self, node: NodeId, id: MatchId, mut row: Box<MatchRow>) -> bool {
        self.rename_erased(&mut row);
        let before = self.places.matches.get(&id).cloned();
        let number = match &before {
            Some(before) => before.number,
            None => self.heads[&StreamId::Match(id)].number,
        };
        let is_over = row.status == MatchStatus::Over;
        let had = before.as_ref().and_then(|before| before.ended_order);
        let ended_order = match (is_over, had) {
            (false, _) => None,
            (true, Some(place)) => Some(place),
            (true, None) => {
                self.last_end += 1;
                Some(self.last_end)
            }
        };
        if had.is_some() && !is_over {
            self.changes.reopened.insert(id);
            self.changes.mistakes.remove(&id);
        }
        let known = Known {
            number,
            owner: before.as_ref().map_or(node, |before| before.owner),
            status: row.status,
            seats: seats(&row),
            address: before
                .and_then(|before| before.address)
                .filter(|_| !is_over),
            ended_order,
        };
        self.places.set(id, known);
        self.changes.rows.insert(id, row);
        had.is_some_and(|place| ended_order.is_none() && place == self.last_end)
    }

    /// Whether a match is over, as far as the batch has come.
    fn is_over(&self, id: MatchId) -> bool {
        let known = self.places.matches.get(&id);
        known.is_some_and(|known| known.ended_order.is_some())
    }

    /// Notes the mistakes of a match that is over.
    pub(super) fn note_mistakes(&mut self, of: MatchId, mistakes: Mistakes) {
        if self.is_over(of) {
            self.changes.mistakes.insert(of, mistakes);
        }
    }

    /// Keeps the review of a match that is over.
    pub(super) fn put_review(&mut self, new: NewReview) {
        if new.row.bytes() <= new.most_bytes && self.is_over(new.of) {
            self.changes.reviews.retain(|older| older.of != new.of);
            self.changes.reviews.push(new);
        }
    }

    /// Says a word.
    pub(super) fn say(&mut self, word: &Word) {
        self.settled.extend(word.settles.clone());
        self.changes.words.push(word.clone());
    }

    /// Notes where a match was created.
    pub(super) fn set_address(&mut self, of: MatchId, address: AddressDigest) {
        let known = self.places.matches.get(&of).cloned();
        if let Some(known) = known.filter(|known| known.status != MatchStatus::Over) {
            let address = Some(address);
            self.places.set(of, Known { address, ..known });
            self.changes.addressed.insert(of);
        }
    }

    /// Gives those in a summary who were erased the names that stand for them: it may have been made before.
    fn rename_erased(&self, row: &mut MatchRow) {
        for player in seats(row).into_iter().flatten() {
            if let Some(name) = self.erased.get(&player) {
                row.rename(player, name);
            }
        }
    }

    /// Gives a code to the match of this number; those that expired at or before `at` are free from then on.
    pub(super) fn give_code(&mut self, code: JoinCode, number: i64, at: Millis, until: Millis) {
        self.codes.retain(|_, until| *until > at);
        self.changes.codes.retain(|_, (_, until)| *until > at);
        self.codes.insert(code, until);
        self.changes.codes.insert(code, (number, until));
        self.changes.expired_at = self.changes.expired_at.max(Some(at));
    }

    /// Gives a match a name of its creator.
    pub(super) fn name(&mut self, player: PlayerId, name: ClientCreateId, number: i64) {
        self.create_ids.insert((player, name.clone()));
        self.changes.create_ids.insert((player, name), number);
    }
}
