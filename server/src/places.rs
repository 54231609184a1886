//! How many connections there are and whose they are: sessions, which last, and requests for pages and files, which are over in a moment. Pure.
//!
//! They are counted apart: whoever has as many sessions as an address may have can still read pages, and a page with its files takes the place of no session.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A page or a file; or it has not said yet.
    Request,
    /// A session.
    Session,
}

/// What one has.
#[derive(Clone, Copy, Default, Debug)]
struct Held {
    sessions: u32,
    requests: u32,
    /// Requests that wait for the place of another one.
    waiting: u32,
}

/// The connections of all.
#[derive(Debug)]
pub struct Places<K> {
    all: u32,
    held: FxHashMap<K, Held>,
}

impl<K> Default for Places<K> {
    fn default() -> Self {
        Self {
            all: 0,
            held: FxHashMap::default(),
        }
    }
}

impl Held {
    fn of(&mut self, purpose: Purpose) -> &mut u32 {
        match purpose {
            Purpose::Request => &mut self.requests,
            Purpose::Session => &mut self.sessions,
        }
    }

    fn is_nothing(self) -> bool {
        self.sessions == 0 && self.requests == 0 && self.waiting == 0
    }
}

impl<K: Copy + Eq + Hash> Places<K> {
    /// Connections of all.
    pub fn all(&self) -> u32 {
        self.all
    }

    /// Counts a connection, of nobody yet, if there are fewer than `most`.
    pub fn open(&mut self, most: u32) -> bool {
        let has_room = self.all < most;
        self.all += u32::from(has_room);
        has_room
    }

    /// A connection is closed, which was this one's.
    pub fn close(&mut self, whose: Option<(K, Purpose)>) {
        self.all = self.all.saturating_sub(1);
        if let Some((who, purpose)) = whose {
            self.give_back(who, purpose);
        }
    }

    /// Takes a place for this purpose, if this one has fewer than `most`.
    pub fn take(&mut self, who: K, purpose: Purpose, most: u32) -> bool {
        let held = self.held.entry(who).or_default();
        let count = held.of(purpose);
        let has_room = *count < most;
        *count += u32::from(has_room);
        self.tidy(who);
        has_room
    }

    /// Gives the place for this purpose back.
    pub fn give_back(&mut self, who: K, purpose: Purpose) {
        if let Some(held) = self.held.get_mut(&who) {
            let count = held.of(purpose);
            *count = count.saturating_sub(1);
        }
        self.tidy(who);
    }

    /// Counts a request that waits, if this one has fewer than `most`.
    pub fn wait(&mut self, who: K, most: u32) -> bool {
        let held = self.held.entry(who).or_default();
        let has_room = held.waiting < most;
        held.waiting += u32::from(has_room);
        self.tidy(who);
        has_room
    }

    /// A request waits no more; how many of this one still do.
    pub fn waited(&mut self, who: K) -> u32 {
        let mut left = 0;
        if let Some(held) = self.held.get_mut(&who) {
            held.waiting = held.waiting.saturating_sub(1);
            left = held.waiting;
        }
        self.tidy(who);
        left
    }

    /// How many sessions each one has. O(all of them).
    pub fn sessions(&self) -> impl Iterator<Item = (K, u32)> + '_ {
        self.held.iter().map(|(who, held)| (*who, held.sessions))
    }

    fn tidy(&mut self, who: K) {
        if self.held.get(&who).is_some_and(|held| held.is_nothing()) {
            self.held.remove(&who);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_and_requests_take_no_places_of_each_other() {
        let mut places = Places::default();
        for purpose in [Purpose::Session, Purpose::Request] {
            assert!(places.take("a", purpose, 2) && places.take("a", purpose, 2));
            assert!(!places.take("a", purpose, 2));
            assert!(places.take("b", purpose, 2));
        }
        places.give_back("a", Purpose::Request);
        assert!(!places.take("a", Purpose::Session, 2));
        assert!(places.take("a", Purpose::Request, 2));
    }

    #[test]
    fn only_so_many_wait_and_who_has_nothing_is_forgotten() {
        let mut places = Places::default();
        assert!(places.open(1) && !places.open(1));
        assert!(places.take("a", Purpose::Request, 1));
        assert!(places.wait("a", 1) && !places.wait("a", 1));
        assert_eq!(places.waited("a"), 0);
        assert!(places.wait("a", 2) && places.wait("a", 2));
        assert_eq!((places.waited("a"), places.waited("a")), (1, 0));
        places.close(Some(("a", Purpose::Request)));
        // What was refused leaves nothing behind either.
        assert!(!places.take("b", Purpose::Session, 0) && !places.wait("b", 0));
        assert_eq!((places.all(), places.held.len()), (0, 0));
    }
}
