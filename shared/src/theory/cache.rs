//! Tables that are computed once and shared between calls.

use std::sync::{Arc, PoisonError, RwLock};

/// A small cache: the newest entries stay. Nobody waits on anybody's computation, only on a look-up.
#[derive(Debug)]
pub struct Cache<K, V> {
    entries: RwLock<Vec<(K, Arc<V>)>>,
    capacity: usize,
}

impl<K: PartialEq, V> Cache<K, V> {
    /// An empty cache for so many entries.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self {
            entries: RwLock::new(Vec::new()),
            capacity,
        }
    }

    /// The first entry whose key is accepted.
    pub fn find(&self, accept: impl Fn(&K) -> bool) -> Option<Arc<V>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.iter().find(|(key, _)| accept(key))?;
        Some(Arc::clone(&entry.1))
    }

    /// Puts an entry in the place of the one with the same key, unless `better` says that the present one is to stay.
    pub fn put(&self, key: K, value: Arc<V>, better: impl Fn(&V, &V) -> bool) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.iter_mut().find(|entry| entry.0 == key) {
            if better(&value, &entry.1) {
                entry.1 = value;
            }
            return;
        }
        if entries.len() == self.capacity {
            entries.remove(0);
        }
        entries.push((key, value));
    }
}
