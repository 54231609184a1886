//! What a match asks the store to commit, all or nothing.

use bytes::Bytes;
use grundy_shared::ids::{MatchId, PlayerId, Seq};

use crate::store::MatchRow;

/// Events for the log of a match, with what follows from them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// The match.
    pub id: MatchId,
    /// The number of the last event of its log.
    pub expected: Seq,
    /// The events, each as JSON: slices of the frames that will announce them.
    pub events: Vec<Bytes>,
    /// The summary, where it changes.
    pub row: Option<Box<MatchRow>>,
    /// Who must have room for one more match.
    pub room: Vec<Room>,
    /// The rematch to be made with it.
    pub rematch: Option<Box<NewMatch>>,
}

/// A match to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewMatch {
    /// Its id.
    pub id: MatchId,
    /// Its events, from number 1.
    pub events: Vec<Bytes>,
    /// Its summary.
    pub row: MatchRow,
}

/// Where a new open match counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// Among the matches of this player.
    Player(PlayerId),
    /// Among all matches.
    Server,
}
