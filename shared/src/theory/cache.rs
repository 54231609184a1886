//! Tables that are computed once and shared between calls.

use std::sync::{Arc, PoisonError, RwLock};

/// A cache bounded by the bytes of its tables: the newest stay, the newest one always. Nobody waits on anybody's
/// computation, only on a look-up.
#[derive(Debug)]
pub struct Cache<K, V> {
    entries: RwLock<Vec<Entry<K, V>>>,
    most_bytes: usize,
}

#[derive(Debug)]
struct Entry<K, V> {
    key: K,
    table: Arc<V>,
    bytes: usize,
}

impl<K: PartialEq, V> Cache<K, V> {
    /// An empty cache for so many bytes.
    #[must_use]
    pub const fn new(most_bytes: usize) -> Self {
        Self {
            entries: RwLock::new(Vec::new()),
            most_bytes,
        }
    }

    /// The first table whose key is accepted. O(entries).
    pub fn find(&self, accept: impl Fn(&K) -> bool) -> Option<Arc<V>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.iter().find(|entry| accept(&entry.key))?;
        Some(Arc::clone(&entry.table))
    }

    /// Puts a table of so many bytes in the place of the one with the same key, unless the present one has more bytes.
    pub fn put(&self, key: K, table: Arc<V>, bytes: usize) {
        let bytes = bytes + ENTRY_BYTES;
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = entries.iter().position(|entry| entry.key == key) {
            if entries[place].bytes > bytes {
                return;
            }
            entries.remove(place);
        }
        let mut total: usize = entries.iter().map(|entry| entry.bytes).sum();
        while total + bytes > self.most_bytes && !entries.is_empty() {
            total -= entries.remove(0).bytes;
        }
        entries.push(Entry { key, table, bytes });
    }
}

/// What an entry costs besides its table; it bounds the number of entries, too.
const ENTRY_BYTES: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_tables_make_room() {
        let cache: Cache<u32, u32> = Cache::new(4 * ENTRY_BYTES);
        for key in 0..10 {
            cache.put(key, Arc::new(key), 0);
        }
        let kept: Vec<u32> = (0..10)
            .filter(|key| cache.find(|k| k == key).is_some())
            .collect();
        assert_eq!(kept, [6, 7, 8, 9]);
        cache.put(9, Arc::new(90), 1);
        cache.put(9, Arc::new(91), 0);
        assert_eq!(cache.find(|key| *key == 9).as_deref(), Some(&90));
        cache.put(10, Arc::new(10), 100 * ENTRY_BYTES);
        assert!(cache.find(|key| *key == 10).is_some() && cache.find(|key| *key == 9).is_none());
    }
}
