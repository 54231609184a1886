//! What was worked out for one and is kept for the next: the answers that were wanted last.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use lru::LruCache;

/// A number of answers, of which the one that was wanted longest ago makes room.
#[derive(Debug)]
pub struct Latest<K: Hash + Eq, V>(Mutex<LruCache<K, V>>);

impl<K: Hash + Eq, V: Clone> Latest<K, V> {
    /// None yet, and never more than `most`.
    #[must_use]
    pub fn of(most: NonZeroUsize) -> Self {
        Self(Mutex::new(LruCache::new(most)))
    }

    /// The answer, if it is kept. O(1), and the time to clone it.
    pub fn get(&self, key: &K) -> Option<V> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(key).cloned()
    }

    /// The cached answer, or a new one, which is then cached. O(1), and the time to compute and clone it; the cache is locked meanwhile.
    pub fn get_or_put(&self, key: K, make: impl FnOnce() -> V) -> V {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get_or_insert(key, make).clone()
    }

    /// Keeps an answer. O(1).
    pub fn put(&self, key: K, value: V) {
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
