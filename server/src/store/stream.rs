//! Logs: one stream of events each.

use std::fmt;

use bytes::Bytes;
use grundy_shared::chain::{self, Hash};
use grundy_shared::ids::{MatchId, PlayerId, PuzzleId, Seq, TournamentId};
use grundy_shared::protocol::chat::Room;
use grundy_shared::rated::Family;

/// Which log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StreamId {
    /// That of a match.
    Match(MatchId),
    /// That of a tournament.
    Tournament(TournamentId),
    /// That of a player's account.
    Account(PlayerId),
    /// That of a player's rating in a game family.
    Rating(PlayerId, Family),
    /// The log of a room of a match.
    Chat(MatchId, Room),
    /// What operators have done: one log for all servers that share the store.
    Audit,
    /// The puzzles that a player has tried.
    Solving(PlayerId),
    /// The attempts at a puzzle. It names nobody.
    Puzzle(PuzzleId),
}

impl StreamId {
    /// The log of which tournaments there are: that of the first of all ids, which no draw gives in practice.
    #[must_use]
    pub fn of_catalogue() -> Self {
        Self::Tournament(TournamentId::from_random(0))
    }

    /// The link of the hash chain before event 1.
    #[must_use]
    pub fn genesis(self) -> Hash {
        match self {
            Self::Match(id) => chain::genesis(id),
            Self::Tournament(id) => chain::genesis_of_tournament(id),
            Self::Account(id) => chain::genesis_of_account(id),
            Self::Rating(id, family) => chain::genesis_of_rating(id, family.name()),
            Self::Chat(id, room) => chain::genesis_of_chat(id, room.as_str()),
            Self::Audit => chain::genesis_of_audit(),
            Self::Solving(id) => chain::genesis_of_solving(id),
            Self::Puzzle(id) => chain::genesis_of_puzzle(id),
        }
    }
}

impl From<MatchId> for StreamId {
    fn from(id: MatchId) -> Self {
        Self::Match(id)
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Match(id) => write!(f, "match {id}"),
            Self::Tournament(id) => write!(f, "tournament {id}"),
            Self::Account(id) => write!(f, "account {id}"),
            Self::Rating(id, family) => write!(f, "rating {id}/{family}"),
            Self::Chat(id, room) => write!(f, "chat {id}/{room}"),
            Self::Audit => f.write_str("audit server"),
            Self::Solving(id) => write!(f, "solving {id}"),
            Self::Puzzle(id) => write!(f, "puzzle {id}"),
        }
    }
}

/// One event as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    /// Its number.
    pub seq: Seq,
    /// The JSON, byte for byte as it was appended.
    pub body: Bytes,
}

impl Logged {
    /// The JSON as text. Cost: linear.
    #[must_use]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("every backend appends and reads UTF-8 only")
    }
}
