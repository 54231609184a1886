//! What pages have worked out for one reader and keep for the next: the answers that were wanted last.

use std::num::NonZeroUsize;
use std::sync::Arc;

use bytes::Bytes;
use grundy_shared::Position;
use grundy_shared::ids::{MatchId, Millis, Seat, Seq, TournamentId};
use grundy_words::Language;

use super::study::Study;
use crate::latest::Latest;

/// Positions whose text is longer are not kept, so that what is kept has a bound: some megabytes.
pub(super) const POSITION_MAX: usize = 500;
/// Studies that are kept, of some ten kilobytes each.
const STUDIES: NonZeroUsize = NonZeroUsize::new(200).expect("not 0");
/// Cards that are kept, of some ten kilobytes each.
const CARDS: NonZeroUsize = NonZeroUsize::new(200).expect("not 0");
/// Last positions of matches that are kept.
const ENDS: NonZeroUsize = NonZeroUsize::new(1_000).expect("not 0");
/// Pages of tournaments that are kept.
const TOURNAMENTS: NonZeroUsize = NonZeroUsize::new(50).expect("not 0");

/// A page of a tournament, and when it was made.
#[derive(Clone)]
pub(super) struct Painted {
    /// The moment.
    pub(super) at: Millis,
    /// How far the tournament had come.
    pub(super) seq: Seq,
    /// The page.
    pub(super) html: Bytes,
}

/// How a match has ended.
#[derive(Clone)]
pub(super) struct End {
    /// The last position.
    pub(super) position: Position,
    /// Whether the solver may help the player of each seat.
    pub(super) helps: [bool; 2],
}

/// What is kept.
pub(super) struct Kept {
    /// What the solver found of a position with this player to move, if it found everything.
    pub(super) studies: Latest<(String, Seat), Arc<Study>>,
    /// The card of a position.
    pub(super) cards: Latest<String, Bytes>,
    /// How a match has ended, which nothing changes any more.
    pub(super) ends: Latest<MatchId, End>,
    /// The page of a tournament in a language.
    pub(super) tournaments: Latest<(TournamentId, Language), Painted>,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            studies: Latest::of(STUDIES),
            cards: Latest::of(CARDS),
            ends: Latest::of(ENDS),
            tournaments: Latest::of(TOURNAMENTS),
        }
    }
}
