//! How many matches may be open: on this server, of one player, from one address. A place is taken before a match is
//! stored, so that two who come at once cannot share the last one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use rustc_hash::FxHashMap;

use super::refusal;
use crate::addresses::Subscriber;
use crate::config::Limits;

/// Among what a place is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Scope {
    /// All matches of this server.
    Server,
    /// The matches of this player.
    Player(PlayerId),
    /// The matches made from this address. The log does not know it, so a restart forgets it.
    Address(Subscriber),
}

/// The places that are taken. A scope without any is not kept.
#[derive(Debug)]
pub(super) struct Places {
    limits: Limits,
    taken: Mutex<FxHashMap<Scope, u32>>,
}

/// One place of an open match; free again when dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    scope: Scope,
}

impl Places {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            limits: limits.clone(),
            taken: Mutex::default(),
        })
    }

    fn taken(&self) -> MutexGuard<'_, FxHashMap<Scope, u32>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn limit(&self, scope: Scope) -> u32 {
        match scope {
            Scope::Server => self.limits.live_matches,
            Scope::Player(_) => self.limits.matches_per_player,
            Scope::Address(_) => self.limits.matches_per_address,
        }
    }

    /// How many places are taken.
    pub(super) fn count(&self, scope: Scope) -> u32 {
        self.taken().get(&scope).copied().unwrap_or(0)
    }

    /// Takes a place, if there is one.
    ///
    /// # Errors
    /// The refusal.
    pub(super) fn take(self: &Arc<Self>, scope: Scope) -> Result<Place, ErrorBody> {
        let limit = self.limit(scope);
        self.insert(scope, limit)
            .ok_or_else(|| refusal_of(scope, limit))
    }

    /// Takes a place for a match that is there already, whatever the limit says.
    pub(super) fn keep(self: &Arc<Self>, scope: Scope) -> Option<Place> {
        self.insert(scope, u32::MAX)
    }

    /// Whether a place is free at this moment.
    ///
    /// # Errors
    /// The refusal.
    pub(super) fn check(&self, scope: Scope) -> Result<(), ErrorBody> {
        let limit = self.limit(scope);
        if self.count(scope) < limit {
            return Ok(());
        }
        Err(refusal_of(scope, limit))
    }

    fn insert(self: &Arc<Self>, scope: Scope, limit: u32) -> Option<Place> {
        let mut taken = self.taken();
        let count = taken.get(&scope).copied().unwrap_or(0);
        if count >= limit {
            return None;
        }
        taken.insert(scope, count + 1);
        Some(Place {
            places: self.clone(),
            scope,
        })
    }
}

impl Place {
    /// The player whose place it is, if it is one's.
    pub(super) fn player(&self) -> Option<PlayerId> {
        match self.scope {
            Scope::Player(player) => Some(player),
            Scope::Server | Scope::Address(_) => None,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        if let Some(count) = taken.get_mut(&self.scope) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.scope);
            }
        }
    }
}

fn refusal_of(scope: Scope, limit: u32) -> ErrorBody {
    let too_many = |whose: &str| {
        let message = format!("too many matches {whose} wait or run: one has to end first");
        ErrorBody::new(ErrorCode::TooMany, message).limit(limit)
    };
    match scope {
        Scope::Server => refusal::busy("the server has as many matches as it takes"),
        Scope::Player(_) => too_many("of this player"),
        Scope::Address(_) => too_many("from your address"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_taken_once_and_given_back() {
        let places = Places::new(&Limits {
            matches_per_player: 1,
            ..Limits::default()
        });
        let (ann, bob) = (PlayerId::from_random(1), PlayerId::from_random(2));
        let place = places.take(Scope::Player(ann)).expect("room");
        let refused = places.take(Scope::Player(ann)).expect_err("no room");
        assert_eq!(refused.code, ErrorCode::TooMany);
        assert!(places.check(Scope::Player(ann)).is_err());
        let _ = places.take(Scope::Player(bob)).expect("room for others");
        let kept = places.keep(Scope::Player(ann));
        assert_eq!(places.count(Scope::Player(ann)), 2);
        drop((place, kept));
        assert!(places.taken().is_empty());
    }
}
