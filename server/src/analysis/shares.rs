//! Fair shares of processor time: first among addresses, then among the players at each address.
//!
//! The job that goes next is one of the address that has used the least processor time, and there one of the player who has used the least
//! (start-time fair queueing). Who was away begins with as much as the least of those who are here: idle time is not saved up, and what
//! somebody used alone is not held against them for longer than others need to catch up. Knows no clock: the time used is passed in.

use std::collections::VecDeque;
use std::time::Duration;

use grundy_shared::ids::PlayerId;
use rustc_hash::FxHashMap;

use super::lane::Lane;
use super::owner::{Owner, Place};

/// After so many jobs that were chosen by shares, the one that has waited longest is next: no job waits for ever, however many new
/// addresses come.
const OLDEST_EVERY: u32 = 16;
/// Accounts without jobs that are remembered because they have used more than others.
const REMEMBERED: usize = 256;

/// How many jobs may wait in a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    /// Of all addresses.
    pub(super) all: usize,
    /// Of one address.
    pub(super) of_address: usize,
    /// Of one player.
    pub(super) of_player: usize,
}

impl Bounds {
    /// The bounds for this owner. The server itself may fill a whole lane: a round of a tournament has more games than one player may have jobs.
    fn of(self, owner: Owner) -> Self {
        match owner.place {
            Place::Server => Self {
                of_address: self.all,
                of_player: self.all,
                ..self
            },
            Place::Address(_) | Place::Player(_) => self,
        }
    }
}

/// Whether one more job may wait.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Room<T> {
    /// It may.
    Free,
    /// It may, because this one lost its place: the newest of the address with the most jobs in the lane.
    Displaced(T),
    /// It may not.
    Full,
}

/// Jobs that wait, and what everybody has used.
pub(super) struct Shares<T> {
    /// What a job that has begun counts until it is known what it has used.
    advance: Duration,
    accounts: Accounts<Place, Address<T>>,
    waiting: [usize; Lane::ALL.len()],
    /// Counts the jobs.
    pushed: u64,
    /// Jobs taken from each lane since the oldest was.
    since_oldest: [u32; Lane::ALL.len()],
}

/// What one address or player has used, and has still to do.
#[derive(Default, Debug)]
struct Usage {
    used: Duration,
    running: u32,
    waiting: usize,
}

impl Usage {
    fn is_active(&self) -> bool {
        self.running > 0 || self.waiting > 0
    }
}

/// Something that has a [`Usage`].
trait Account {
    fn usage(&self) -> &Usage;
    fn usage_mut(&mut self) -> &mut Usage;
}

struct Accounts<K, A> {
    all: FxHashMap<K, A>,
    /// The least that any active account has used, at the moment when it was most.
    floor: Duration,
}

impl<K, A> Default for Accounts<K, A> {
    fn default() -> Self {
        Self {
            all: FxHashMap::default(),
            floor: Duration::ZERO,
        }
    }
}

impl<K: Copy + Eq + std::hash::Hash, A: Account + Default> Accounts<K, A> {
    /// The account of somebody who has a job to do.
    fn open(&mut self, key: K) -> &mut A {
        let account = self.all.entry(key).or_default();
        let floor = self.floor;
        let usage = account.usage_mut();
        if !usage.is_active() {
            usage.used = usage.used.max(floor);
        }
        account
    }

    /// Raises the floor, and forgets accounts that are not active and have used no more than others. Cost: linear in the accounts.
    fn tidy(&mut self) {
        let usages = self.all.values().map(Account::usage);
        let least = usages
            .filter(|usage| usage.is_active())
            .map(|usage| usage.used)
            .min();
        let Some(least) = least else {
            self.all.clear();
            self.floor = Duration::ZERO;
            return;
        };
        self.floor = self.floor.max(least);
        let floor = self.floor;
        self.all
            .retain(|_, account| account.usage().is_active() || account.usage().used > floor);
        let idle = self
            .all
            .values()
            .filter(|account| !account.usage().is_active());
        if idle.count() > REMEMBERED {
            self.all.retain(|_, account| account.usage().is_active());
        }
    }
}

struct Address<T> {
    usage: Usage,
    /// Jobs of all its players by lane.
    waiting: [usize; Lane::ALL.len()],
    players: Accounts<Option<PlayerId>, Player<T>>,
}

struct Player<T> {
    usage: Usage,
    queues: [VecDeque<Waiting<T>>; Lane::ALL.len()],
}

struct Waiting<T> {
    number: u64,
    job: T,
}

impl<T> Default for Address<T> {
    fn default() -> Self {
        Self {
            usage: Usage::default(),
            waiting: Default::default(),
            players: Accounts::default(),
        }
    }
}

impl<T> Default for Player<T> {
    fn default() -> Self {
        Self {
            usage: Usage::default(),
            queues: Default::default(),
        }
    }
}

impl<T> Account for Address<T> {
    fn usage(&self) -> &Usage {
        &self.usage
    }

    fn usage_mut(&mut self) -> &mut Usage {
        &mut self.usage
    }
}

impl<T> Account for Player<T> {
    fn usage(&self) -> &Usage {
        &self.usage
    }

    fn usage_mut(&mut self) -> &mut Usage {
        &mut self.usage
    }
}

impl<T> Player<T> {
    fn oldest(&self, lane: Lane) -> Option<u64> {
        self.queues[lane.index()].front().map(|job| job.number)
    }
}

impl<T> Address<T> {
    fn oldest(&self, lane: Lane) -> Option<u64> {
        let players = self.players.all.values();
        players.filter_map(|player| player.oldest(lane)).min()
    }
}

impl<T> Shares<T> {
    /// Nobody has used anything. `advance` is what a job that has begun counts until it is known what it has used.
    pub(super) fn new(advance: Duration) -> Self {
        Self {
            advance,
            accounts: Accounts::default(),
            waiting: [0; Lane::ALL.len()],
            pushed: 0,
            since_oldest: [0; Lane::ALL.len()],
        }
    }

    /// How many jobs wait in a lane.
    pub(super) fn waiting(&self, lane: Lane) -> usize {
        self.waiting[lane.index()]
    }

    /// The place of a job of this lane in the order in which jobs go, from 1, if each uses the advance and no other comes; `None` if it does
    /// not wait. `look` says of each job whether it is this one, or `None` if it does not count. Jobs that are taken because they have waited
    /// longest can come before it.
    pub(super) fn place(&self, lane: Lane, look: impl Fn(&T) -> Option<bool>) -> Option<u32> {
        let at = lane.index();
        // How an account stands once this many of its jobs were taken: as in `pop`.
        let standing = |usage: &Usage, taken: usize| {
            let running = u32::try_from(taken).map_or(u32::MAX, |taken| usage.running + taken);
            let used = usage.used + self.advance.saturating_mul(running);
            (used, usage.waiting.saturating_sub(taken))
        };
        let mut order = Vec::with_capacity(self.waiting[at]);
        for address in self.accounts.all.values() {
            let mut own = Vec::with_capacity(address.waiting[at]);
            for player in address.players.all.values() {
                let queue = player.queues[at].iter();
                let count = queue.filter_map(|job| Some((job.number, look(&job.job)?)));
                let count = count.enumerate();
                own.extend(count.map(|(taken, (number, is_it))| {
                    (standing(&player.usage, taken), number, is_it)
                }));
            }
            own.sort_unstable();
            let mut oldest = u64::MAX;
            for (taken, (_, number, is_it)) in own.into_iter().enumerate().rev() {
                oldest = oldest.min(number);
                order.push((standing(&address.usage, taken), oldest, is_it));
            }
        }
        let wanted = order.iter().find(|(.., is_it)| *is_it)?;
        let before = order.iter().filter(|other| *other < wanted).count();
        Some(u32::try_from(before).map_or(u32::MAX, |before| before + 1))
    }

    /// How many jobs of an address wait or run.
    pub(super) fn jobs_of(&self, place: Place) -> usize {
        let address = self.accounts.all.get(&place);
        address.map_or(0, |address| {
            address.usage.waiting + address.usage.running as usize
        })
    }

    /// How many jobs of the owner's address, and of its player, wait in a lane.
    fn waiting_of(&self, lane: Lane, owner: Owner) -> [usize; 2] {
        let at = lane.index();
        let address = self.accounts.all.get(&owner.place);
        let player = address.and_then(|address| address.players.all.get(&owner.player));
        [
            address.map_or(0, |address| address.waiting[at]),
            player.map_or(0, |player| player.queues[at].len()),
        ]
    }

    /// Whether a bound is reached for this owner.
    pub(super) fn is_full(&self, lane: Lane, owner: Owner, bounds: Bounds) -> bool {
        let bounds = bounds.of(owner);
        let [of_address, of_player] = self.waiting_of(lane, owner);
        of_address >= bounds.of_address
            || of_player >= bounds.of_player
            || self.waiting(lane) >= bounds.all
    }

    /// Makes room for one more job of this owner. If the lane is full, the address with the most jobs in it loses its newest, unless the
    /// owner's own address would then have as many. Cost: linear in the addresses if the lane is full.
    pub(super) fn make_room(&mut self, lane: Lane, owner: Owner, bounds: Bounds) -> Room<T> {
        let bounds = bounds.of(owner);
        let [of_address, of_player] = self.waiting_of(lane, owner);
        if of_address >= bounds.of_address || of_player >= bounds.of_player {
            return Room::Full;
        }
        if self.waiting(lane) < bounds.all {
            return Room::Free;
        }
        let displaced = self.displace(lane, of_address + 1);
        displaced.map_or(Room::Full, Room::Displaced)
    }

    /// Lets a job wait, for which [`Shares::make_room`] has found room.
    pub(super) fn push(&mut self, lane: Lane, owner: Owner, job: T) {
        let number = self.pushed;
        self.pushed += 1;
        let player = self.count_waiting(lane, owner);
        player.queues[lane.index()].push_back(Waiting { number, job });
    }

    /// Lets a job wait in front of the others of its player: it had begun, and gave way.
    pub(super) fn put_back(&mut self, lane: Lane, owner: Owner, job: T) {
        let number = self.pushed;
        self.pushed += 1;
        let player = self.count_waiting(lane, owner);
        player.queues[lane.index()].push_front(Waiting { number, job });
    }

    fn count_waiting(&mut self, lane: Lane, owner: Owner) -> &mut Player<T> {
        self.waiting[lane.index()] += 1;
        let address = self.accounts.open(owner.place);
        address.usage.waiting += 1;
        address.waiting[lane.index()] += 1;
        let player = address.players.open(owner.player);
        player.usage.waiting += 1;
        player
    }

    /// Takes the newest job of the address that has the most in this lane, if it has more than this.
    fn displace(&mut self, lane: Lane, more_than: usize) -> Option<T> {
        let at = lane.index();
        let addresses = self.accounts.all.values_mut();
        let greediest = addresses
            .filter(|address| address.waiting[at] > more_than)
            .max_by_key(|address| address.waiting[at])?;
        let players = greediest.players.all.values_mut();
        let player = players.max_by_key(|player| {
            let newest = player.queues[at].back().map(|job| job.number);
            (player.queues[at].len(), newest)
        })?;
        let displaced = player.queues[at].pop_back()?;
        player.usage.waiting -= 1;
        greediest.waiting[at] -= 1;
        greediest.usage.waiting -= 1;
        self.waiting[at] -= 1;
        Some(displaced.job)
    }

    /// The job of this lane that goes next, with its owner; [`Shares::settle`] has to be called when it is done. Cost: linear in the
    /// addresses and in the players of one.
    pub(super) fn pop(&mut self, lane: Lane) -> Option<(Owner, T)> {
        let at = lane.index();
        // A first slice is short, and the account is settled before the next.
        let advance = match lane {
            Lane::Quick => Duration::ZERO,
            Lane::Play | Lane::Secret | Lane::Study => self.advance,
        };
        if self.waiting[at] == 0 {
            return None;
        }
        let since_oldest = &mut self.since_oldest[at];
        let oldest = *since_oldest >= OLDEST_EVERY;
        *since_oldest = if oldest { 0 } else { *since_oldest + 1 };
        let standing = |usage: &Usage, number: u64| {
            if oldest {
                (Duration::ZERO, 0, number)
            } else {
                let used = usage.used + advance * usage.running;
                (used, usage.waiting, number)
            }
        };
        let waiting = self.accounts.all.iter_mut();
        let waiting = waiting.filter_map(|(place, address)| {
            let number = address.oldest(lane)?;
            Some((standing(&address.usage, number), *place, address))
        });
        let (_, place, address) = waiting.min_by_key(|(standing, ..)| *standing)?;
        let players = address.players.all.iter_mut();
        let players = players.filter_map(|(id, player)| {
            let number = player.oldest(lane)?;
            Some((standing(&player.usage, number), *id, player))
        });
        let (_, player_id, player) = players.min_by_key(|(standing, ..)| *standing)?;
        let taken = player.queues[at].pop_front()?;
        for usage in [&mut player.usage, &mut address.usage] {
            usage.waiting -= 1;
            usage.running += 1;
        }
        address.waiting[at] -= 1;
        self.waiting[at] -= 1;
        let owner = Owner {
            place,
            player: player_id,
        };
        Some((owner, taken.job))
    }

    /// A job that was taken is done, or waits again: it has used this processor time.
    pub(super) fn settle(&mut self, owner: Owner, used: Duration) {
        if let Some(address) = self.accounts.all.get_mut(&owner.place) {
            address.usage.running = address.usage.running.saturating_sub(1);
            address.usage.used += used;
            if let Some(player) = address.players.all.get_mut(&owner.player) {
                player.usage.running = player.usage.running.saturating_sub(1);
                player.usage.used += used;
            }
            address.players.tidy();
        }
        self.accounts.tidy();
    }

    /// Takes all jobs of a lane that fit. Cost: linear in the jobs of the lane.
    pub(super) fn remove(&mut self, lane: Lane, fits: impl Fn(&T) -> bool) -> Vec<T> {
        let at = lane.index();
        let mut removed = Vec::new();
        for address in self.accounts.all.values_mut() {
            for player in address.players.all.values_mut() {
                let queue = std::mem::take(&mut player.queues[at]);
                let before = queue.len();
                let (gone, kept): (VecDeque<_>, VecDeque<_>) =
                    queue.into_iter().partition(|waiting| fits(&waiting.job));
                player.queues[at] = kept;
                let gone_now = before - player.queues[at].len();
                player.usage.waiting -= gone_now;
                address.usage.waiting -= gone_now;
                address.waiting[at] -= gone_now;
                self.waiting[at] -= gone_now;
                removed.extend(gone.into_iter().map(|waiting| waiting.job));
            }
            address.players.tidy();
        }
        self.accounts.tidy();
        removed
    }
}

#[cfg(test)]
mod tests;
