//! What one address may do: sessions and short requests at once, and sessions a second; pages a second; guests and wrong join codes a minute.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::config::Config;
use crate::ledger::{Digested, Ledger, Limit};
use crate::places::{Places, Purpose};
use crate::rate::Rates;
use crate::store::{AddressDigest, AddressSecret};

/// For how long a request for a page or a file waits for the place of another one of its address.
const PATIENCE: Duration = Duration::from_secs(2);
/// When an address may try again that has as many connections as it may.
const TOO_MANY: Duration = Duration::from_secs(10);

/// The part of an address that limits are counted by: an IPv4 address, or the first 64 bits of an IPv6 one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AddressKey(IpAddr);

impl From<IpAddr> for AddressKey {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(four) => IpAddr::V4(four),
            IpAddr::V6(six) => {
                let network = six.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(network.into())
            }
        })
    }
}

impl AddressKey {
    /// The address, or the first of the network.
    #[must_use]
    pub fn ip(self) -> IpAddr {
        self.0
    }

    /// 16 bits of a digest with the secret of the store: every 65,536th address has the same, and which ones is known only with the secret.
    #[must_use]
    pub fn digest(self, secret: &AddressSecret) -> AddressDigest {
        let hash = Sha256::new()
            .chain_update("grundy address ")
            .chain_update(secret.as_bytes())
            .chain_update(self.0.to_string())
            .finalize();
        AddressDigest(u16::from_be_bytes([hash[0], hash[1]]))
    }
}

impl Digested for AddressKey {
    fn add_to(&self, hash: &mut Sha256) {
        hash.update("address ");
        hash.update(self.0.to_string());
    }
}

/// A limit was reached; how long to wait, where that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait(pub Duration);

/// Why a connection is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// This address has, or opens, too many.
    Address(Wait),
    /// The server has as many as it takes.
    Full,
}

/// The counts of all addresses.
#[derive(Debug)]
pub struct Addresses {
    config: ArcSwap<Config>,
    /// For most addresses, and for those that the operator trusts.
    quotas: [Quotas; 2],
    /// What other servers count.
    ledger: Arc<Ledger>,
    open: Mutex<Places<AddressKey>>,
    /// Rings at each address for which requests wait, when one of its places is given back: nobody pays for those who wait elsewhere. Never locked before `open`.
    freed: Mutex<FxHashMap<AddressKey, Arc<Notify>>>,
    /// Until when an address that guessed too often may not try any code: a right one would be told from a wrong one otherwise.
    barred: Mutex<FxHashMap<AddressKey, Instant>>,
}

/// What may happen how often, and what was counted.
#[derive(Debug)]
struct Quotas {
    opening: Rates<AddressKey>,
    guests: Rates<AddressKey>,
    codes: Rates<AddressKey>,
    pages: Rates<AddressKey>,
}

/// What one address may have.
struct Bounds {
    connections: u32,
    connections_per_second: u32,
    guests_per_minute: u32,
    burst: u32,
    requests_per_second: u32,
}

impl Bounds {
    /// The bound for an address that the operator trusts: the larger of the two.
    fn of(config: &Config, is_trusted: bool) -> Self {
        let (limits, trusted) = (&config.limits, &config.trusted);
        let larger = |usual: u32, of_trusted: u32| match is_trusted {
            true => usual.max(of_trusted),
            false => usual,
        };
        Self {
            connections: larger(
                limits.connections_per_address,
                trusted.connections_per_address,
            ),
            connections_per_second: larger(
                limits.connections_per_second_per_address,
                trusted.connections_per_second_per_address,
            ),
            guests_per_minute: larger(
                limits.guests_per_minute_per_address,
                trusted.guests_per_minute_per_address,
            ),
            burst: larger(limits.burst, trusted.burst),
            requests_per_second: larger(limits.requests_per_second, trusted.requests_per_second),
        }
    }
}

impl Quotas {
    fn over(self, ledger: &Arc<Ledger>) -> Self {
        Self {
            opening: self.opening.over(ledger, Limit::Opening),
            guests: self.guests.over(ledger, Limit::Guests),
            codes: self.codes.over(ledger, Limit::Codes),
            pages: self.pages.over(ledger, Limit::Pages),
        }
    }

    fn new(config: &Config, is_trusted: bool) -> Self {
        let bounds = Bounds::of(config, is_trusted);
        Self {
            opening: Rates::per_second(
                bounds.connections_per_second,
                // Everybody at an address may come back at once, however long the server was away.
                bounds.connections,
            ),
            guests: Rates::per_minute(bounds.guests_per_minute),
            codes: Rates::per_minute(config.limits.code_guesses_per_minute),
            pages: Rates::per_second(bounds.requests_per_second, bounds.burst),
        }
    }

    /// For most addresses, and for those that the operator trusts.
    fn both(config: &Config) -> [Self; 2] {
        [false, true].map(|is_trusted| Self::new(config, is_trusted))
    }

    fn adopt(&self, other: &Self) {
        self.opening.adopt(&other.opening);
        self.guests.adopt(&other.guests);
        self.codes.adopt(&other.codes);
        self.pages.adopt(&other.pages);
    }
}

/// The right to one connection; given back when dropped.
#[derive(Debug)]
pub struct ConnectionPermit {
    addresses: Arc<Addresses>,
    /// Whose it is, and for what; `None` while it is not known for whom a proxy speaks.
    named: Option<(AddressKey, Purpose)>,
}

/// A request that waits for a place; it waits no more when this is dropped.
struct Waiting<'a> {
    addresses: &'a Addresses,
    address: AddressKey,
    freed: Arc<Notify>,
}

impl<'a> Waiting<'a> {
    /// One more that waits at this address, if fewer than `most` do.
    fn begin(addresses: &'a Addresses, address: AddressKey, most: u32) -> Option<Self> {
        let mut open = addresses.open();
        open.wait(address, most).then(|| Self {
            addresses,
            address,
            freed: addresses.freed().entry(address).or_default().clone(),
        })
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut open = self.addresses.open();
        if open.waited(self.address) == 0 {
            self.addresses.freed().remove(&self.address);
        }
    }
}

impl Addresses {
    /// Nobody is there yet.
    #[must_use]
    pub fn new(config: &Config, ledger: &Arc<Ledger>) -> Self {
        Self {
            config: ArcSwap::from_pointee(config.clone()),
            quotas: Quotas::both(config).map(|quotas| quotas.over(ledger)),
            ledger: ledger.clone(),
            open: Mutex::default(),
            freed: Mutex::default(),
            barred: Mutex::default(),
        }
    }

    /// Other limits are in force. What was counted a second or a minute under a limit that changes is forgotten.
    pub fn set_limits(&self, config: &Config) {
        self.config.store(Arc::new(config.clone()));
        for (old, new) in self.quotas.iter().zip(Quotas::both(config)) {
            old.adopt(&new);
        }
    }

    /// Whether the operator trusts this address.
    #[must_use]
    pub fn trusts(&self, address: AddressKey) -> bool {
        self.config.load().trusts(address.ip())
    }

    /// The addresses with sessions that the operator trusts. Cost: linear in the addresses that are connected.
    #[must_use]
    pub fn trusted(&self) -> Vec<AddressKey> {
        let (config, open) = (self.config.load(), self.open());
        let connected = open.sessions().map(|(address, _)| address);
        connected
            .filter(|address| config.trusts(address.ip()))
            .collect()
    }

    fn quotas(&self, address: AddressKey) -> &Quotas {
        &self.quotas[usize::from(self.trusts(address))]
    }

    /// Connections of one kind that this address may have.
    fn most(&self, address: AddressKey) -> u32 {
        Bounds::of(&self.config.load(), self.trusts(address)).connections
    }

    fn open(&self) -> MutexGuard<'_, Places<AddressKey>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn freed(&self) -> MutexGuard<'_, FxHashMap<AddressKey, Arc<Notify>>> {
        self.freed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place of this address was given back.
    fn ring(&self, address: AddressKey) {
        if let Some(freed) = self.freed().get(&address) {
            freed.notify_waiters();
        }
    }

    /// Takes a permit for a connection that has not said yet what it is for. It is counted as a short request.
    ///
    /// # Errors
    /// [`Refused`] with the reason.
    pub fn enter(self: &Arc<Self>, address: AddressKey) -> Result<ConnectionPermit, Refused> {
        let mut permit = self.enter_unnamed()?;
        permit.name(address)?;
        Ok(permit)
    }

    /// Takes a permit for a session.
    ///
    /// # Errors
    /// [`Refused`] with the reason.
    pub fn enter_session(
        self: &Arc<Self>,
        address: AddressKey,
    ) -> Result<ConnectionPermit, Refused> {
        let mut permit = self.enter_unnamed()?;
        permit.stay(address)?;
        Ok(permit)
    }

    /// Takes a permit for a connection of a proxy, which has not said yet for whom it speaks.
    ///
    /// # Errors
    /// [`Refused::Full`].
    pub fn enter_unnamed(self: &Arc<Self>) -> Result<ConnectionPermit, Refused> {
        let most = self.config.load().limits.connections;
        if !self.open().open(most) {
            return Err(Refused::Full);
        }
        Ok(ConnectionPermit {
            addresses: self.clone(),
            named: None,
        })
    }

    /// Counts a new session.
    ///
    /// # Errors
    /// Too many a second from this address.
    pub fn may_open(&self, address: AddressKey) -> Result<(), Refused> {
        check(&self.quotas(address).opening, address).map_err(Refused::Address)
    }

    /// The addresses with sessions that other servers must know of, and how many each has: those with more than a tenth of what they may have. Cost: linear in
    /// the addresses that are connected.
    #[must_use]
    pub fn held(&self) -> Vec<(AddressKey, u32)> {
        let least = self.config.load().limits.connections_per_address / 10;
        let open = self.open();
        let held = open.sessions().filter(|(_, count)| *count > least);
        held.collect()
    }

    /// Connections now.
    #[must_use]
    pub fn connections(&self) -> u32 {
        self.open().all()
    }

    /// Counts a new guest.
    ///
    /// # Errors
    /// Too many from this address.
    pub fn new_guest(&self, address: AddressKey) -> Result<(), Wait> {
        check(&self.quotas(address).guests, address)
    }

    /// Counts a page.
    ///
    /// # Errors
    /// Too many from this address.
    pub fn may_read(&self, address: AddressKey) -> Result<(), Wait> {
        check(&self.quotas(address).pages, address)
    }

    /// Whether this address may try a join code.
    ///
    /// # Errors
    /// It has given too many wrong ones.
    pub fn may_try_code(&self, address: AddressKey) -> Result<(), Wait> {
        let until = self.barred().get(&address).copied();
        let wait = until.map(|until| until.saturating_duration_since(Instant::now()));
        wait.filter(|wait| !wait.is_zero())
            .map_or(Ok(()), |wait| Err(Wait(wait)))
    }

    /// Counts a wrong join code.
    ///
    /// # Errors
    /// Too many from this address: it may not try again for a while.
    pub fn wrong_code(&self, address: AddressKey) -> Result<(), Wait> {
        let counted = check(&self.quotas(address).codes, address);
        if let Err(Wait(wait)) = counted {
            self.barred().insert(address, Instant::now() + wait);
        }
        counted
    }

    fn barred(&self) -> MutexGuard<'_, FxHashMap<AddressKey, Instant>> {
        self.barred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets addresses that have not been heard of for a while. Cost: linear in the addresses known.
    pub fn tidy(&self) {
        for Quotas {
            opening,
            guests,
            codes,
            pages,
        } in &self.quotas
        {
            for limiter in [opening, guests, codes, pages] {
                limiter.tidy();
            }
        }
        let now = Instant::now();
        self.barred().retain(|_, until| *until > now);
    }
}

impl ConnectionPermit {
    /// Counts the connection as a short request of this address, once it is known.
    ///
    /// # Errors
    /// The address has as many as it may.
    pub fn name(&mut self, address: AddressKey) -> Result<(), Refused> {
        let most = self.addresses.most(address);
        self.take(address, Purpose::Request, most)
    }

    /// The same, and waits a moment for one of the address's requests to end: a browser asks for all files of a page at once, and so do all at one address.
    ///
    /// # Errors
    /// None has ended in time, or too many wait already.
    pub async fn name_in_time(&mut self, address: AddressKey) -> Result<(), Refused> {
        let addresses = self.addresses.clone();
        let most = addresses.most(address);
        let in_turn = async {
            let refused = match self.name(address) {
                Ok(()) => return Ok(()),
                Err(refused) => refused,
            };
            let waiting = Waiting::begin(&addresses, address, most).ok_or(refused)?;
            loop {
                // Before the look: what is given back in between is heard.
                let freed = waiting.freed.notified();
                if self.name(address).is_ok() {
                    return Ok(());
                }
                freed.await;
            }
        };
        let named = tokio::time::timeout(PATIENCE, in_turn).await;
        named.unwrap_or(Err(Refused::Address(Wait(TOO_MANY))))
    }

    /// Counts the connection as a session of this address. It is a short request no more.
    ///
    /// # Errors
    /// The address has as many as it may, here and on other servers.
    pub fn stay(&mut self, address: AddressKey) -> Result<(), Refused> {
        let elsewhere = self.addresses.ledger.held_elsewhere(&address);
        let most = self.addresses.most(address);
        self.take(address, Purpose::Session, most.saturating_sub(elsewhere))
    }

    /// Stops counting the connection for its address: the operator trusts its player.
    pub fn leave_address(&mut self) {
        if let Some((address, purpose)) = self.named.take() {
            self.addresses.open().give_back(address, purpose);
            self.addresses.ring(address);
        }
    }

    fn take(&mut self, address: AddressKey, purpose: Purpose, most: u32) -> Result<(), Refused> {
        let mut open = self.addresses.open();
        if !open.take(address, purpose, most) {
            return Err(Refused::Address(Wait(TOO_MANY)));
        }
        if let Some((before, purpose)) = self.named.replace((address, purpose)) {
            open.give_back(before, purpose);
            self.addresses.ring(before);
        }
        Ok(())
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.addresses.open().close(self.named);
        if let Some((address, _)) = self.named {
            self.addresses.ring(address);
        }
    }
}

fn check(rates: &Rates<AddressKey>, address: AddressKey) -> Result<(), Wait> {
    rates.check(&address).map_err(Wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Limits;

    fn address(text: &str) -> AddressKey {
        text.parse::<IpAddr>().expect("an address").into()
    }

    fn with(change: impl FnOnce(&mut Limits)) -> Arc<Addresses> {
        let mut config = Config::default();
        change(&mut config.limits);
        Arc::new(Addresses::new(&config, &Ledger::alone()))
    }

    /// How many sessions and guests at once an address may have.
    fn may_have(addresses: &Arc<Addresses>, here: &str) -> (usize, usize) {
        let here = address(here);
        let sessions = || {
            addresses.may_open(here).ok()?;
            addresses.enter_session(here).ok()
        };
        let sessions: Vec<_> = std::iter::from_fn(sessions).collect();
        let guests = std::iter::from_fn(|| addresses.new_guest(here).ok());
        (sessions.len(), guests.count())
    }

    #[tokio::test(start_paused = true)]
    async fn only_trusted_addresses_have_the_larger_bounds() {
        let addresses = with(|_| ());
        for here in ["127.0.0.1", "127.8.9.10", "::1"] {
            assert_eq!(may_have(&addresses, here), (2_000, 2_000), "{here}");
        }
        for elsewhere in ["192.0.2.7", "2001:db8::1", "::ffff:192.0.2.8"] {
            assert_eq!(may_have(&addresses, elsewhere), (20, 30), "{elsewhere}");
        }
        let mut config = Config::default();
        config.trusted.addresses = "192.0.2.0/24, 2001:db8::/48".parse().expect("ranges");
        addresses.set_limits(&config);
        assert_eq!(may_have(&addresses, "192.0.2.9"), (2_000, 2_000));
        assert_eq!(may_have(&addresses, "2001:db8:0:7::1"), (2_000, 2_000));
        assert_eq!(may_have(&addresses, "127.0.0.2"), (20, 30));
        // The larger of the two bounds holds.
        config.limits.connections_per_address = 3_000;
        addresses.set_limits(&config);
        assert_eq!(may_have(&addresses, "192.0.2.10").0, 3_000);
    }

    #[tokio::test(start_paused = true)]
    async fn behind_a_proxy_nobody_is_on_this_machine() {
        let mut config = Config {
            behind_proxy: true,
            ..Config::default()
        };
        let addresses = Arc::new(Addresses::new(&config, &Ledger::alone()));
        for here in ["127.0.0.1", "::1", "192.0.2.7"] {
            assert_eq!(may_have(&addresses, here), (20, 30), "{here}");
        }
        config.trusted.addresses = "192.0.2.7".parse().expect("an address");
        addresses.set_limits(&config);
        assert_eq!(may_have(&addresses, "192.0.2.7"), (2_000, 2_000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_that_counts_for_no_address_makes_room_for_another() {
        let addresses = with(|limits| limits.connections_per_address = 1);
        let here = address("192.0.2.7");
        let mut bot = addresses.enter_session(here).expect("room");
        assert!(addresses.enter_session(here).is_err());
        bot.leave_address();
        let second = addresses.enter_session(here).expect("room again");
        assert!(addresses.enter_session(here).is_err());
        assert_eq!(addresses.connections(), 2);
        drop((bot, second));
        assert_eq!(addresses.connections(), 0);
        addresses.enter_session(here).expect("room again");
    }

    #[test]
    fn an_address_key_is_an_ipv4_address_or_an_ipv6_network() {
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:1"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
        assert_ne!(address("10.0.0.1"), address("10.0.0.2"));
    }

    #[test]
    fn a_digest_is_that_of_the_secret_and_of_the_address_key() {
        let (one, other) = (AddressSecret::from([1; 32]), AddressSecret::from([2; 32]));
        let here = address("2001:db8::1");
        assert_eq!(here.digest(&one), address("2001:db8::2").digest(&one));
        assert_ne!(here.digest(&one), here.digest(&other));
        assert_ne!(here.digest(&one), address("10.0.0.1").digest(&one));
        // Fixed: another program version finds what this one has stored.
        assert_eq!(address("192.0.2.1").digest(&one), AddressDigest(15_808));
    }

    #[test]
    fn permits_are_counted_and_given_back() {
        let addresses = with(|limits| {
            limits.connections = 2;
            limits.connections_per_address = 1;
            limits.connections_per_second_per_address = 100;
        });
        let (a, b, c) = (
            address("10.0.0.1"),
            address("10.0.0.2"),
            address("10.0.0.3"),
        );
        let first = addresses.enter(a).expect("room");
        assert!(matches!(addresses.enter(a), Err(Refused::Address(_))));
        let _second = addresses.enter(b).expect("room");
        assert_eq!(addresses.enter(c).err(), Some(Refused::Full));
        drop(first);
        assert_eq!(addresses.connections(), 1);
        let mut proxied = addresses.enter_unnamed().expect("room again");
        assert_eq!(addresses.enter_unnamed().err(), Some(Refused::Full));
        assert!(matches!(proxied.name(b), Err(Refused::Address(_))));
        proxied.name(c).expect("room for this address");
        drop(proxied);
        assert_eq!(addresses.connections(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_waits_for_another_one_of_its_address_and_not_for_ever() {
        let addresses = with(|limits| limits.connections_per_address = 2);
        let here = address("10.0.0.1");
        let enter = || addresses.enter(here).expect("room");
        let named = || addresses.enter_unnamed().expect("room");
        // Sessions stand in the way of nobody who reads a page.
        let mut sessions = [enter(), enter()];
        for session in &mut sessions {
            session.stay(here).expect("two sessions");
        }
        assert!(addresses.enter_session(here).is_err());
        let (first, second) = (enter(), enter());
        let (mut third, mut fourth, mut fifth) = (named(), named(), named());
        let begun = Instant::now();
        let in_turn = async {
            let freed = async {
                tokio::time::sleep(PATIENCE / 2).await;
                drop(first);
            };
            let all = (
                third.name_in_time(here),
                fourth.name_in_time(here),
                fifth.name_in_time(here),
                freed,
            );
            tokio::join!(all.0, all.1, all.2, all.3)
        };
        let (third, fourth, fifth, ()) = in_turn.await;
        assert!(third.is_ok());
        // One has waited in vain, and one more may not wait.
        assert!(matches!(fourth, Err(Refused::Address(_))));
        assert!(matches!(fifth, Err(Refused::Address(_))));
        assert_eq!(begun.elapsed(), PATIENCE);
        assert!(addresses.freed().is_empty(), "nobody waits any more");
        // Others do not wait for this address.
        addresses.enter(address("10.0.0.2")).expect("another");
        drop(second);
    }

    #[tokio::test(start_paused = true)]
    async fn other_limits_keep_what_was_counted_under_those_that_stay() {
        let mut config = Config::default();
        config.limits.guests_per_minute_per_address = 1;
        config.limits.code_guesses_per_minute = 1;
        let addresses = Addresses::new(&config, &Ledger::alone());
        let here = address("10.0.0.1");
        addresses.new_guest(here).expect("the first");
        addresses.wrong_code(here).expect("the first");
        config.limits.code_guesses_per_minute = 2;
        addresses.set_limits(&config);
        assert!(addresses.new_guest(here).is_err());
        addresses.wrong_code(here).expect("counted anew");
        addresses.wrong_code(here).expect("two a minute");
        assert!(addresses.wrong_code(here).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_may_open_all_that_it_may_have_at_once_and_then_so_many_a_second() {
        let limits = Config::default().limits;
        let addresses = with(|_| ());
        let here = address("10.0.0.1");
        for _ in 0..limits.connections_per_address {
            addresses.may_open(here).expect("the first");
        }
        assert!(addresses.may_open(here).is_err());
        addresses.may_open(address("10.0.0.2")).expect("another");
        tokio::time::advance(Duration::from_secs(1)).await;
        for _ in 0..limits.connections_per_second_per_address {
            addresses.may_open(here).expect("those of a second");
        }
        assert!(addresses.may_open(here).is_err());
    }
}
