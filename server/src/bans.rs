//! Who is banned: what the store says, in memory, so that a handshake does not wait for the store.

use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

use grundy_shared::ids::{Millis, PlayerId};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use rustc_hash::FxHashMap;

use crate::store::{BanRow, BanSubject, Store, StoreError};

/// A ban that somebody meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banned {
    /// Of a player, otherwise of an address.
    pub of_player: bool,
    /// How long it still holds; for good if absent.
    pub wait: Option<Millis>,
}

impl Banned {
    /// The refusal. It does not say why: the reason is for operators.
    #[must_use]
    pub fn refusal(self) -> ErrorBody {
        let error = ErrorBody::new(ErrorCode::Banned, self.words());
        match self.wait {
            Some(wait) => error.retry_after_ms(wait.0),
            None => error,
        }
    }

    /// The same in words.
    #[must_use]
    pub fn words(self) -> String {
        let whom = match self.of_player {
            true => "you",
            false => "your address",
        };
        let end = match self.wait {
            Some(wait) => format!("the ban ends in {} minutes", wait.0.div_ceil(60_000)),
            None => "the ban has no end".to_owned(),
        };
        format!("an operator has banned {whom} from this server; {end}")
    }
}

/// The bans of a server. Bounded by the number of bans that the store keeps.
#[derive(Debug, Default)]
pub struct Bans {
    all: RwLock<FxHashMap<BanSubject, BanRow>>,
    /// How many there are: mostly none, and then nobody needs the lock.
    count: AtomicUsize,
}

impl Bans {
    /// Those of a store.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn load(store: &dyn Store) -> Result<Self, StoreError> {
        let all: FxHashMap<_, _> = store
            .bans()
            .await?
            .into_iter()
            .map(|ban| (ban.subject, ban))
            .collect();
        Ok(Self {
            count: AtomicUsize::new(all.len()),
            all: RwLock::new(all),
        })
    }

    /// Takes those of the store in place of what is here: another server has changed them.
    ///
    /// # Errors
    /// The store could not be read; then nothing has changed.
    pub async fn read_again(&self, store: &dyn Store) -> Result<(), StoreError> {
        let Self { all, count } = Self::load(store).await?;
        *self.all.write().unwrap_or_else(PoisonError::into_inner) =
            all.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.count.store(count.into_inner(), Ordering::Release);
        Ok(())
    }

    /// Adds a ban that is stored.
    pub fn put(&self, ban: BanRow) {
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(ban.subject, ban);
        self.count.store(all.len(), Ordering::Release);
    }

    /// Removes a ban, as is stored.
    pub fn remove(&self, subject: BanSubject) {
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.remove(&subject);
        self.count.store(all.len(), Ordering::Release);
    }

    /// The subjects of bans that have ended. Cost: linear in the bans.
    #[must_use]
    pub fn that_ended(&self, now: Millis) -> Vec<BanSubject> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let ended = all.values().filter(|ban| !ban.holds(now));
        ended.map(|ban| ban.subject).collect()
    }

    /// How many are kept, those that have ended included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ban of this subject, if it holds.
    #[must_use]
    pub fn of(&self, subject: BanSubject, now: Millis) -> Option<BanRow> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.get(&subject).filter(|ban| ban.holds(now)).cloned()
    }

    /// Whether a ban is kept for this subject, also one that has ended.
    #[must_use]
    pub fn keeps(&self, subject: BanSubject) -> bool {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.contains_key(&subject)
    }

    /// Those that hold, in the order of their subjects. Cost: linear in the bans.
    #[must_use]
    pub fn that_hold(&self, now: Millis) -> Vec<BanRow> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let mut hold: Vec<_> = all.values().filter(|ban| ban.holds(now)).cloned().collect();
        hold.sort_by_key(|ban| ban.subject);
        hold
    }

    /// Whether a player is banned.
    ///
    /// # Errors
    /// The ban.
    pub fn check_player(&self, player: PlayerId, now: Millis) -> Result<(), Banned> {
        if self.is_empty() {
            return Ok(());
        }
        match self.of(BanSubject::Player(player), now) {
            Some(ban) => Err(met(&ban, now)),
            None => Ok(()),
        }
    }

    /// Whether an address is banned. Of several bans the one that ends last counts. Cost: linear in the bans.
    ///
    /// # Errors
    /// The ban.
    pub fn check_address(&self, address: IpAddr, now: Millis) -> Result<(), Banned> {
        if self.is_empty() {
            return Ok(());
        }
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let here = all.values().filter(|ban| {
            let within =
                matches!(ban.subject, BanSubject::Address(range) if range.contains(address));
            within && ban.holds(now)
        });
        let last = here.max_by_key(|ban| ban.until.unwrap_or(Millis(u64::MAX)));
        last.map_or(Ok(()), |ban| Err(met(ban, now)))
    }
}

fn met(ban: &BanRow, now: Millis) -> Banned {
    Banned {
        of_player: matches!(ban.subject, BanSubject::Player(_)),
        wait: ban.until.map(|until| until.since(now)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ban(range: &str, until: Option<u64>) -> BanRow {
        BanRow {
            subject: BanSubject::Address(range.parse().expect("a range")),
            reason: "flood".to_owned(),
            created_at: Millis(0),
            until: until.map(Millis),
        }
    }

    #[test]
    fn a_ban_holds_until_its_end_and_the_longest_counts() {
        let bans = Bans::default();
        let address: IpAddr = "192.0.2.7".parse().expect("an address");
        assert_eq!(bans.check_address(address, Millis(5)), Ok(()));
        bans.put(ban("192.0.2.0/24", Some(100)));
        bans.put(ban("192.0.2.7", Some(60)));
        let banned = |wait| {
            Err(Banned {
                of_player: false,
                wait,
            })
        };
        assert_eq!(
            bans.check_address(address, Millis(5)),
            banned(Some(Millis(95)))
        );
        assert_eq!(bans.check_address(address, Millis(100)), Ok(()));
        let other = "198.51.100.1".parse().expect("an address");
        assert_eq!(bans.check_address(other, Millis(5)), Ok(()));
        bans.put(ban("192.0.2.7", None));
        assert_eq!(bans.check_address(address, Millis(1_000)), banned(None));
        bans.remove(ban("192.0.2.7", None).subject);
        assert_eq!(bans.that_hold(Millis(5)).len(), 1);
    }
}
