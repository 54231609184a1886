//! How many open matches were made from one address. The log does not know it, so a restart forgets it; how many a player or the
//! whole server may have is checked by the store, in the commit that makes one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::protocol::{ErrorBody, ErrorCode};
use rustc_hash::FxHashMap;

use crate::addresses::AddressKey;

/// The open matches of each address; one without any is not kept.
#[derive(Debug)]
pub(super) struct Quotas {
    at_most: u32,
    taken: Mutex<FxHashMap<AddressKey, u32>>,
}

/// The right to one open match; given back when dropped.
#[derive(Debug)]
pub(super) struct MatchPermit {
    quotas: Arc<Quotas>,
    address: AddressKey,
}

impl Quotas {
    /// So many matches for each address.
    pub(super) fn new(at_most: u32) -> Arc<Self> {
        Arc::new(Self {
            at_most,
            taken: Mutex::default(),
        })
    }

    fn taken(&self) -> MutexGuard<'_, FxHashMap<AddressKey, u32>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether one more match is allowed at this moment.
    ///
    /// # Errors
    /// The refusal.
    pub(super) fn check(&self, address: AddressKey) -> Result<(), ErrorBody> {
        match self.taken().get(&address) {
            Some(taken) if *taken >= self.at_most => Err(too_many(self.at_most)),
            _ => Ok(()),
        }
    }

    /// Takes a permit before the match is stored, so that two requests at once cannot share the last one.
    ///
    /// # Errors
    /// The refusal.
    pub(super) fn take(self: &Arc<Self>, address: AddressKey) -> Result<MatchPermit, ErrorBody> {
        let mut taken = self.taken();
        let count = taken.get(&address).copied().unwrap_or(0);
        if count >= self.at_most {
            return Err(too_many(self.at_most));
        }
        taken.insert(address, count + 1);
        Ok(self.permit(address))
    }

    /// Takes a permit for a match that is stored already, whatever the limit says.
    pub(super) fn keep(self: &Arc<Self>, address: AddressKey) -> MatchPermit {
        *self.taken().entry(address).or_default() += 1;
        self.permit(address)
    }

    fn permit(self: &Arc<Self>, address: AddressKey) -> MatchPermit {
        MatchPermit {
            quotas: self.clone(),
            address,
        }
    }
}

impl Drop for MatchPermit {
    fn drop(&mut self) {
        let mut taken = self.quotas.taken();
        if let Some(count) = taken.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

fn too_many(limit: u32) -> ErrorBody {
    let message = "too many matches from your address wait or run: one has to end first";
    ErrorBody::new(ErrorCode::TooMany, message).limit(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permit_is_taken_once_and_given_back() {
        let quotas = Quotas::new(1);
        let [a, b] = [1, 2].map(|last| std::net::IpAddr::from([10, 0, 0, last]).into());
        let permit = quotas.take(a).expect("room");
        assert_eq!(
            quotas.take(a).expect_err("no room").code,
            ErrorCode::TooMany
        );
        assert!(quotas.check(a).is_err());
        assert!(quotas.check(b).is_ok());
        let _ = quotas.take(b).expect("room for others");
        let kept = quotas.keep(a);
        drop(permit);
        assert!(quotas.check(a).is_err());
        drop(kept);
        assert!(quotas.taken().is_empty());
    }
}
