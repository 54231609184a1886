//! Erasing players: what is written over, and how far it has come.

use bytes::Bytes;
use grundy_shared::chain::{self, Hash};
use grundy_shared::ids::{PlayerId, Seq};

use super::cursor::Cursor;
use super::stream::StreamId;
use super::summary::MatchRow;

/// Streams that one [`Store::mentioning`](super::Store::mentioning) looks through.
pub const MENTIONS_PAGE: usize = 256;
/// Players erased since the start whose ids are remembered, so that a commit that was under way does not bring a name back.
pub(super) const ERASED_REMEMBERED: usize = 10_000;

/// A player to be erased. In the same commit the name is replaced, and everything that proves who the player is goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewErasure {
    /// Who.
    pub player: PlayerId,
    /// The name that stands for the player from now on.
    pub name: String,
    /// What it looks like; no other player has it.
    pub name_key: String,
    /// The names that the player has had, as far as they are known.
    pub names: Vec<String>,
}

/// An erasure that is not finished.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Erasure {
    /// Who.
    pub player: PlayerId,
    /// The name that stands for the player.
    pub name: String,
    /// The names that the player has had. Empty once no log has them.
    pub names: Vec<String>,
    /// What was rewritten so far.
    pub done: Rewritten,
}

/// What an erasure has rewritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rewritten {
    /// Logs, one that was rewritten twice counted twice.
    pub streams: u64,
    /// Events whose bodies are others than before.
    pub events: u64,
    /// A digest over the logs in their order, each with the ends of its chain before and afterwards.
    pub heads: Hash,
}

impl Rewritten {
    /// Counts one log with so many changed events, whose chain ended with the first hash and now ends with the second.
    pub(super) fn count(&mut self, stream: StreamId, events: u64, [before, after]: [&Hash; 2]) {
        self.streams += 1;
        self.events += events;
        let line = [stream.to_string().as_bytes(), before, after].concat();
        self.heads = chain::link(&self.heads, &line);
    }
}

/// A log whose events get other bodies. Their numbers stay; the chain is made anew from the first of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rewrite {
    /// Which.
    pub stream: StreamId,
    /// The number of its last event.
    pub end: Seq,
    /// The bodies that differ, in the order of their numbers.
    pub bodies: Vec<(Seq, Bytes)>,
    /// The summary, of a match.
    pub row: Option<Box<MatchRow>>,
}

impl Rewrite {
    /// The new body of an event, if it has one. Cost: logarithmic in the bodies.
    pub(super) fn body(&self, seq: Seq) -> Option<&Bytes> {
        let place = self.bodies.binary_search_by_key(&seq, |(seq, _)| *seq);
        Some(&self.bodies[place.ok()?].1)
    }
}

/// Logs in which a text stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mentions {
    /// The logs.
    pub streams: Vec<StreamId>,
    /// From where the next page goes on; `None` at the end.
    pub next: Option<Cursor>,
}

impl MatchRow {
    /// Gives a player another name, in the seats that the player has; whether there was another.
    pub fn rename(&mut self, player: PlayerId, name: &str) -> bool {
        let mut renamed = false;
        for seated in [&mut self.first, &mut self.second].into_iter().flatten() {
            if seated.id == player && seated.name != name {
                name.clone_into(&mut seated.name);
                renamed = true;
            }
        }
        renamed
    }
}
