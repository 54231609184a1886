//! What addresses and players may use up in a day: stored bytes, new matches, new guests.
//!
//! A quota is refilled at a steady rate, so that all of it may be used at once, and as much again in the 24 hours after that. What is left is
//! one number: when the quota will be full again. Running matches are counted and never refused; what is new is refused while a
//! quota is used up. Large uses are noted in the store, so that a restart does not forget them.

use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use grundy_shared::ids::{Millis, PlayerId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::config;
use crate::ledger::{Digested, Ledger, Limit};
use crate::store::{AddressDigest, Usage, UsageOf};

const DAY: Duration = Duration::from_secs(86_400);
const NANOS_PER_MS: u64 = 1_000_000;
/// Bytes of a row beside the events, about: the summary of a match, or a player with a token.
pub const ROW_BYTES: u64 = 512;
/// Players that are remembered; those beyond them are counted by their addresses only.
const PLAYERS_MAX: usize = 500_000;
/// A use of less than this part of every quota is not noted in the store.
const NOTED_FROM: u32 = 100;

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Bytes of events, of lines of chat and of guests.
    Bytes,
    /// New matches.
    Matches,
    /// New guests.
    Guests,
}

impl Resource {
    fn limit(self) -> Limit {
        match self {
            Self::Bytes => Limit::DayBytes,
            Self::Matches => Limit::DayMatches,
            Self::Guests => Limit::DayGuests,
        }
    }

    /// The name under which a refusal is counted.
    #[must_use]
    pub fn scope(self) -> &'static str {
        match self {
            Self::Bytes => "bytes_per_day",
            Self::Matches => "matches_per_day",
            Self::Guests => "guests_per_day",
        }
    }
}

/// A quota is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UsedUp {
    /// Which.
    pub counted: Resource,
    /// Whether it is that of the address; else of the player.
    pub of_address: bool,
    /// How much may be used in a day.
    pub quota: u64,
    /// When there is room again.
    pub wait: Duration,
}

/// Where something is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// The address.
    pub address: AddressDigest,
    /// The operator trusts it.
    pub is_trusted: bool,
}

impl Source {
    /// The address for which a use counts: none if the operator trusts it.
    #[must_use]
    pub fn counted(self) -> Option<AddressDigest> {
        (!self.is_trusted).then_some(self.address)
    }
}

/// When each quota of somebody is full again, in nanoseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Levels {
    full_at: [u64; 3],
    /// Used since it was noted in the store.
    changed: bool,
}

/// What everybody has used. Memory: at most 65,536 addresses and 500,000 players, of about 50 bytes each.
#[derive(Debug)]
pub struct Quotas {
    limits: ArcSwap<config::Quotas>,
    addresses: Mutex<FxHashMap<AddressDigest, Levels>>,
    players: Mutex<FxHashMap<PlayerId, Levels>>,
    /// What is used on other servers.
    ledger: Arc<Ledger>,
    /// Addresses that the operator trusts and that are connected: for those who were there when a match or a seek was made, of whom only the digest is kept.
    trusted: Mutex<FxHashSet<AddressDigest>>,
}

impl Quotas {
    /// Everybody has used what was noted.
    #[must_use]
    pub fn new(
        limits: &config::Quotas,
        now: Millis,
        noted: impl IntoIterator<Item = Usage>,
    ) -> Self {
        // Also what was noted under a clock that was ahead is waited for no longer.
        let most = nanos(now).saturating_add(2 * day());
        let quotas = Self {
            limits: ArcSwap::from_pointee(limits.clone()),
            addresses: Mutex::default(),
            players: Mutex::default(),
            ledger: Ledger::alone(),
            trusted: Mutex::default(),
        };
        for usage in noted {
            let full_at = [usage.bytes, usage.matches, usage.guests];
            let full_at = full_at.map(|at| nanos(at).min(most));
            let levels = Levels {
                full_at,
                changed: false,
            };
            match usage.of {
                UsageOf::Address(address) => {
                    lock(&quotas.addresses).insert(address, levels);
                }
                UsageOf::Player(player) => {
                    lock(&quotas.players).insert(player, levels);
                }
            }
        }
        quotas
    }

    /// The same over all servers.
    #[must_use]
    pub fn over(self, ledger: &Arc<Ledger>) -> Self {
        Self {
            ledger: ledger.clone(),
            ..self
        }
    }

    /// Other quotas are in force. What was used until now keeps its time; a quota of 0 refuses nobody any more.
    pub fn set_limits(&self, limits: &config::Quotas) {
        self.limits.store(Arc::new(limits.clone()));
    }

    /// The operator trusts this address, which has connected: only what its players use is counted.
    pub fn trust(&self, address: AddressDigest) {
        lock(&self.trusted).insert(address);
    }

    /// The operator trusts only these addresses of those that are connected. They are asked for while no other can be added, so none is lost.
    pub fn trust_only<T: IntoIterator<Item = AddressDigest>>(&self, connected: impl FnOnce() -> T) {
        let mut trusted = lock(&self.trusted);
        *trusted = connected().into_iter().collect();
    }

    /// Where something is made of which only the digest of the address is known. An address with the digest of a trusted one is treated as trusted while that one
    /// is connected; nobody outside knows which one that is. If the address itself is known, it decides.
    #[must_use]
    pub fn source(&self, address: AddressDigest) -> Source {
        Source {
            address,
            is_trusted: lock(&self.trusted).contains(&address),
        }
    }

    fn quota(&self, counted: Resource, of_address: bool) -> u64 {
        let limits = self.limits.load();
        match (counted, of_address) {
            (Resource::Bytes, true) => limits.bytes_per_address,
            (Resource::Bytes, false) => limits.bytes_per_player,
            (Resource::Matches, true) => limits.matches_per_address.into(),
            (Resource::Matches, false) => limits.matches_per_player.into(),
            (Resource::Guests, true) => limits.guests_per_address.into(),
            // A player is no guest of its own.
            (Resource::Guests, false) => 0,
        }
    }

    /// Whether something new may be made: nothing of what it uses is used up. `address` is that of [`Source::counted`].
    ///
    /// # Errors
    /// [`UsedUp`] with the longest wait.
    pub fn check(
        &self,
        now: Millis,
        uses: &[Resource],
        address: Option<AddressDigest>,
        player: Option<PlayerId>,
    ) -> Result<(), UsedUp> {
        let here = address.and_then(|address| lock(&self.addresses).get(&address).copied());
        let own = player.and_then(|player| lock(&self.players).get(&player).copied());
        let mut worst: Option<UsedUp> = None;
        for (levels, of_address) in [(here, true), (own, false)] {
            for counted in uses {
                let quota = self.quota(*counted, of_address);
                let full_at = levels.unwrap_or_default().full_at[*counted as usize];
                let of_all = match of_address {
                    true => self.wait_of_all(*counted, quota, address),
                    false => self.wait_of_all(*counted, quota, player),
                };
                let Some(wait) = wait(now, full_at, quota).max(of_all) else {
                    continue;
                };
                if worst.is_none_or(|worst| worst.wait < wait) {
                    worst = Some(UsedUp {
                        counted: *counted,
                        of_address,
                        quota,
                        wait,
                    });
                }
            }
        }
        worst.map_or(Ok(()), Err)
    }

    /// How long to wait because of what was used on all servers.
    fn wait_of_all(
        &self,
        counted: Resource,
        quota: u64,
        who: Option<impl Digested>,
    ) -> Option<Duration> {
        let lead = DAY.saturating_sub(each(quota)?);
        self.ledger.check(counted.limit(), &who?, lead).err()
    }

    fn tell_all(&self, used: &[(Resource, u64)], of_address: bool, who: &impl Digested) {
        for (counted, amount) in used {
            let quota = self.quota(*counted, of_address);
            if let Some(each) = each(quota) {
                let used = each.saturating_mul(u32::try_from(*amount).unwrap_or(u32::MAX));
                let lead = DAY.saturating_sub(each);
                self.ledger
                    .spend(counted.limit(), who, used.min(2 * DAY), lead);
            }
        }
    }

    /// Counts what was used, whether or not it was allowed. `address` is that of [`Source::counted`].
    pub fn count(
        &self,
        now: Millis,
        used: &[(Resource, u64)],
        address: Option<AddressDigest>,
        players: impl IntoIterator<Item = PlayerId>,
    ) {
        if let Some(address) = address {
            self.tell_all(used, true, &address);
            let mut all = lock(&self.addresses);
            self.add(now, used, true, all.entry(address).or_default());
        }
        let mut players = players.into_iter().peekable();
        if players.peek().is_none() {
            return;
        }
        let mut all = lock(&self.players);
        for player in players {
            self.tell_all(used, false, &player);
            if all.len() < PLAYERS_MAX || all.contains_key(&player) {
                self.add(now, used, false, all.entry(player).or_default());
            }
        }
    }

    fn add(&self, now: Millis, used: &[(Resource, u64)], of_address: bool, levels: &mut Levels) {
        let now = nanos(now);
        for (counted, amount) in used {
            let quota = self.quota(*counted, of_address);
            if quota == 0 {
                continue;
            }
            let cost = u128::from(*amount) * DAY.as_nanos() / u128::from(quota);
            let level = &mut levels.full_at[*counted as usize];
            // What running matches use beyond the quota is waited for at most a day.
            let most = now.saturating_add(2 * day());
            let cost = u64::try_from(cost).unwrap_or(u64::MAX);
            *level = (*level).max(now).saturating_add(cost).min(most);
            levels.changed = true;
        }
    }

    /// What is to be noted in the store: every large use since the last call.
    #[must_use]
    pub fn changes(&self, now: Millis) -> Vec<Usage> {
        let mut changes = Vec::new();
        let addresses = &mut *lock(&self.addresses);
        take_changes(addresses, now, UsageOf::Address, &mut changes);
        let players = &mut *lock(&self.players);
        take_changes(players, now, UsageOf::Player, &mut changes);
        changes
    }

    /// Forgets those who have used nothing for a day. Cost: linear in those that are remembered.
    pub fn tidy(&self, now: Millis) {
        let now = nanos(now);
        let used = |levels: &Levels| levels.full_at.iter().any(|at| *at > now);
        lock(&self.addresses).retain(|_, levels| used(levels));
        lock(&self.players).retain(|_, levels| used(levels));
    }

    /// How many addresses and players are remembered.
    #[must_use]
    pub fn remembered(&self) -> usize {
        lock(&self.addresses).len() + lock(&self.players).len()
    }
}

fn take_changes<K: Copy + Hash + Eq>(
    all: &mut FxHashMap<K, Levels>,
    now: Millis,
    of: impl Fn(K) -> UsageOf,
    changes: &mut Vec<Usage>,
) {
    let noted_from = nanos(now).saturating_add(day() / u64::from(NOTED_FROM));
    for (key, levels) in all {
        let large = levels.full_at.iter().any(|at| *at > noted_from);
        if large && levels.changed {
            levels.changed = false;
            let [bytes, matches, guests] = levels.full_at.map(|at| Millis(at / NANOS_PER_MS));
            changes.push(Usage {
                of: of(*key),
                bytes,
                matches,
                guests,
            });
        }
    }
}

/// How long one takes to be refilled; `None` without a bound.
fn each(quota: u64) -> Option<Duration> {
    day().checked_div(quota).map(Duration::from_nanos)
}

/// How long to wait until the quota has room for one more; `None` if it has.
fn wait(now: Millis, full_at: u64, quota: u64) -> Option<Duration> {
    let one = day().checked_div(quota)?;
    let wait = full_at
        .saturating_add(one)
        .saturating_sub(nanos(now).saturating_add(day()));
    (wait > 0).then(|| Duration::from_nanos(wait))
}

fn day() -> u64 {
    u64::try_from(DAY.as_nanos()).unwrap_or(u64::MAX)
}

fn nanos(at: Millis) -> u64 {
    at.0.saturating_mul(NANOS_PER_MS)
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Millis = Millis(1_700_000_000_000);
    const ALL: [Resource; 3] = [Resource::Bytes, Resource::Matches, Resource::Guests];
    const HERE: Option<AddressDigest> = Some(AddressDigest(7));

    fn limits() -> config::Quotas {
        config::Quotas {
            bytes_per_address: 1_000_000,
            bytes_per_player: 400_000,
            matches_per_address: 24,
            matches_per_player: 12,
            guests_per_address: 5,
        }
    }

    fn player(bits: u128) -> PlayerId {
        PlayerId::from_random(bits)
    }

    #[test]
    fn a_day_has_the_whole_quota_and_then_as_much_as_is_refilled() {
        let quotas = Quotas::new(&limits(), NOW, []);
        let one = [(Resource::Matches, 1)];
        let may = |now| quotas.check(now, &[Resource::Matches], HERE, None);
        for _ in 0..24 {
            may(NOW).expect("within the quota");
            quotas.count(NOW, &one, HERE, []);
        }
        let refused = may(NOW).expect_err("used up");
        assert_eq!((refused.quota, refused.of_address), (24, true));
        assert_eq!(refused.wait, Duration::from_secs(3_600));
        may(NOW.plus(Millis(3_600_000))).expect("one is refilled in an hour");
        let other = Some(AddressDigest(8));
        let all = ALL;
        quotas
            .check(NOW, &all, other, None)
            .expect("another address");
        let later = NOW.plus(Millis(86_400_000));
        quotas.tidy(later);
        assert_eq!(quotas.remembered(), 0);
    }

    #[test]
    fn a_player_has_a_quota_beside_that_of_the_address() {
        let quotas = Quotas::new(&limits(), NOW, []);
        quotas.count(NOW, &[(Resource::Bytes, 400_000)], HERE, [player(1)]);
        let own = |who| quotas.check(NOW, &[Resource::Bytes], HERE, Some(player(who)));
        let refused = own(1).expect_err("used up");
        assert_eq!((refused.quota, refused.of_address), (400_000, false));
        own(2).expect("somebody else at the same address");
    }

    #[test]
    fn only_connected_addresses_share_the_trust_of_their_digests() {
        let quotas = Quotas::new(&limits(), NOW, []);
        let trusted = || [7, 8].map(|digest| quotas.source(AddressDigest(digest)).is_trusted);
        quotas.trust(AddressDigest(7));
        assert_eq!(trusted(), [true, false]);
        quotas.trust_only(|| [AddressDigest(8)]);
        assert_eq!(trusted(), [false, true]);
    }

    #[test]
    fn a_quota_that_is_lifted_refuses_nobody_any_more() {
        let quotas = Quotas::new(&limits(), NOW, []);
        quotas.count(NOW, &[(Resource::Bytes, 400_000)], HERE, [player(1)]);
        let own = || quotas.check(NOW, &[Resource::Bytes], None, Some(player(1)));
        own().expect_err("used up");
        quotas.set_limits(&config::Quotas {
            bytes_per_player: 0,
            ..limits()
        });
        own().expect("no bound");
    }

    #[test]
    fn a_restart_remembers_large_uses() {
        let quotas = Quotas::new(&limits(), NOW, []);
        quotas.count(NOW, &[(Resource::Bytes, 1_000)], HERE, [player(2)]);
        assert_eq!(quotas.changes(NOW), [], "too little to be noted");
        quotas.count(NOW, &[(Resource::Bytes, 2_000_000)], HERE, [player(1)]);
        let noted = quotas.changes(NOW);
        assert_eq!(noted.len(), 2);
        assert_eq!(quotas.changes(NOW), [], "nothing new");
        let again = Quotas::new(&limits(), NOW, noted);
        let refused = again.check(NOW, &[Resource::Bytes], HERE, None);
        let refused = refused.expect_err("still used up");
        assert!(refused.wait > Duration::from_secs(86_000), "{refused:?}");
    }

    #[test]
    fn no_quota_is_no_bound() {
        let none = config::Quotas {
            bytes_per_address: 0,
            bytes_per_player: 0,
            matches_per_address: 0,
            matches_per_player: 0,
            guests_per_address: 0,
        };
        let quotas = Quotas::new(&none, NOW, []);
        let all = ALL.map(|counted| (counted, u64::MAX));
        quotas.count(NOW, &all, HERE, [player(1)]);
        let all = ALL;
        quotas
            .check(NOW, &all, HERE, Some(player(1)))
            .expect("no bound");
        quotas.tidy(NOW);
        assert_eq!(quotas.remembered(), 0);
    }

    proptest! {
        #[test]
        fn two_quotas_are_the_most_in_any_day(steps in prop::collection::vec(1_u64..3_600_000, 1..200)) {
            let quotas = Quotas::new(&limits(), NOW, []);
            let (mut now, mut made) = (NOW, Vec::new());
            for step in steps {
                while quotas.check(now, &[Resource::Guests], HERE, None).is_ok() {
                    quotas.count(now, &[(Resource::Guests, 1)], HERE, []);
                    made.push(now);
                }
                now = now.plus(Millis(step));
            }
            for (place, first) in made.iter().enumerate() {
                let within = |at: &&Millis| at.since(*first).0 < 86_400_000;
                prop_assert!(made[place..].iter().filter(within).count() <= 10);
            }
        }
    }
}
