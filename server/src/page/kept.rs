//! What pages have worked out for one reader and keep for the next: the answers that were wanted last.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use grundy_shared::Position;
use grundy_shared::ids::{MatchId, Millis, Seat, Seq, TournamentId};
use grundy_words::Language;
use lru::LruCache;

use super::study::Study;

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

/// A number of answers, of which the one that was wanted longest ago makes room.
pub(super) struct Latest<K, V>(Mutex<LruCache<K, V>>);

impl<K: Hash + Eq, V: Clone> Latest<K, V> {
    fn of(most: NonZeroUsize) -> Self {
        Self(Mutex::new(LruCache::new(most)))
    }

    /// The answer, if it is kept. O(1), and the time to clone it.
    pub(super) fn get(&self, key: &K) -> Option<V> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(key).cloned()
    }

    /// Keeps an answer. O(1).
    pub(super) fn put(&self, key: K, value: V) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.put(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_wanted_longest_ago_makes_room() {
        let kept = Latest::of(NonZeroUsize::new(2).expect("not 0"));
        kept.put("a", 1);
        kept.put("b", 2);
        assert_eq!(kept.get(&"a"), Some(1));
        kept.put("c", 3);
        assert_eq!(kept.get(&"b"), None);
        assert_eq!((kept.get(&"a"), kept.get(&"c")), (Some(1), Some(3)));
    }
}
