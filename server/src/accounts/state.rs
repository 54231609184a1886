//! Everything that accounts hold, behind one lock.

use std::collections::{BTreeSet, VecDeque};

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{ChallengeId, PlayerId};
use grundy_shared::protocol::AccountEvent;
use rustc_hash::FxHashMap;
use tokio::time::Instant;

use super::account::{Account, Follower};
use super::challenge::Open;
use crate::hall::Life;
use crate::matches::Outbox;
use crate::names::name_key;

/// Accounts that are remembered although nobody follows them and no challenge concerns them.
const ABSENT_MAX: usize = 1_000;

/// Everything that accounts hold. Bounded by the connections, the challenges, and [`ABSENT_MAX`].
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) accounts: FxHashMap<PlayerId, Account>,
    /// Those who are present, by the keys of their names.
    by_name: FxHashMap<String, PlayerId>,
    /// Those who are not needed any more, in the order of leaving; who has come back is passed over.
    pub(super) absent: VecDeque<PlayerId>,
    pub(super) offering: BTreeSet<PlayerId>,
    pub(super) challenges: FxHashMap<ChallengeId, Open>,
    pub(super) expiry: BTreeSet<(Instant, ChallengeId)>,
    /// Connections of this server that are about to follow an account.
    joining: FxHashMap<PlayerId, usize>,
}

impl State {
    pub(super) fn account(&self, player: PlayerId) -> Option<&Account> {
        self.accounts.get(&player)
    }

    /// Who is present under this name.
    pub(super) fn named(&self, name: &str) -> Option<PlayerId> {
        self.by_name.get(&name_key(name)).copied()
    }

    /// A player has another name.
    pub(super) fn rename(&mut self, player: PlayerId, name: &str) {
        let Some(account) = self.accounts.get_mut(&player) else {
            return;
        };
        let before = name_key(&account.facts.info.name);
        name.clone_into(&mut account.facts.info.name);
        if let Some(offer) = &mut account.facts.offer {
            name.clone_into(&mut offer.info.player.name);
        }
        if self.by_name.remove(&before).is_some() {
            self.by_name.insert(name_key(name), player);
        }
    }

    pub(super) fn followers(&self, player: PlayerId) -> usize {
        let account = self.accounts.get(&player);
        account.map_or(0, |account| account.followers.len())
    }

    /// What this server calls the connection, if it follows the account of this player.
    pub(super) fn place_of(&self, player: PlayerId, connection: &Outbox) -> Option<u64> {
        self.accounts.get(&player)?.place_of(connection)
    }

    pub(super) fn tell(&mut self, player: PlayerId, event: &AccountEvent) {
        if let Some(account) = self.accounts.get_mut(&player) {
            account.tell(event);
        }
    }

    /// A connection of this server is about to follow the account of this player, or no longer about to.
    pub(super) fn join(&mut self, player: PlayerId, joins: bool) {
        let joining = self.joining.entry(player).or_insert(0);
        *joining = match joins {
            true => *joining + 1,
            false => joining.saturating_sub(1),
        };
        if *joining == 0 {
            self.joining.remove(&player);
        }
    }

    /// Whether all know that this player is here.
    pub(super) fn is_known_here(&self, player: &PlayerInfo, life: Life) -> bool {
        self.accounts.get(&player.id).is_some_and(|account| {
            account.facts.present.contains(&life) && account.facts.info.name == player.name
        })
    }

    /// A connection of this server follows the account of this player.
    pub(super) fn follow(&mut self, player: PlayerId, connection: &Outbox, place: u64) {
        if let Some(account) = self.accounts.get_mut(&player)
            && account.place_of(connection).is_none()
        {
            account.followers.push(Follower {
                place,
                outbox: connection.clone(),
            });
        }
    }

    /// A connection of this server follows the account no longer. What this server called it.
    pub(super) fn unfollow(&mut self, player: PlayerId, connection: &Outbox) -> Option<u64> {
        let account = self.accounts.get_mut(&player)?;
        let place = account.place_of(connection)?;
        account.followers.retain(|follower| follower.place != place);
        Some(place)
    }

    /// Somebody follows the account of this player on a server. `stream` names the numbering of an account that is new here.
    pub(super) fn come(&mut self, player: &PlayerInfo, by: Life, stream: String) {
        let account = self.accounts.entry(player.id);
        let account = account.or_insert_with(|| Account::new(player.clone(), stream));
        account.facts.present.insert(by);
        player.name.clone_into(&mut account.facts.info.name);
        self.by_name.insert(name_key(&player.name), player.id);
    }

    /// Nobody follows the account on this server any more.
    pub(super) fn go(&mut self, player: PlayerId, by: Life) {
        self.end_offer(player, |offer| offer.by == by);
        let Some(account) = self.accounts.get_mut(&player) else {
            return;
        };
        account.facts.present.remove(&by);
        if account.is_present() {
            return;
        }
        let key = name_key(&account.facts.info.name);
        if self.by_name.get(&key) == Some(&player) {
            self.by_name.remove(&key);
        }
        self.forget_if_unneeded(player);
    }

    /// This life of a server, and those before it, are over.
    pub(super) fn gone(&mut self, life: Life) {
        let mut here: Vec<(PlayerId, Life)> = Vec::new();
        for (player, account) in &self.accounts {
            let over = account.facts.present.iter();
            let over = over.filter(|present| present.is_over_with(life));
            here.extend(over.map(|present| (*player, *present)));
        }
        // What follows must be the same on every server.
        here.sort_unstable();
        for (player, present) in here {
            self.go(player, present);
        }
    }

    /// Who is on this server, as all know, and has no connection; and who has one and is not known to be here. Cost: linear in the accounts.
    pub(super) fn misplaced(&self, life: Life) -> (Vec<PlayerId>, Vec<PlayerInfo>) {
        let (mut left, mut came) = (Vec::new(), Vec::new());
        for (player, account) in &self.accounts {
            let known = account.facts.present.contains(&life);
            let here = !account.followers.is_empty();
            if known && !here && !self.joining.contains_key(player) {
                left.push(*player);
            } else if here && !known {
                came.push(account.facts.info.clone());
            }
        }
        (left, came)
    }

    /// Standing offers of this server whose connections have gone. Cost: linear in the offers.
    pub(super) fn deserted_offers(&self, life: Life) -> Vec<(PlayerId, u64)> {
        let offers = self.offering.iter().filter_map(|player| {
            let account = self.accounts.get(player)?;
            let offer = account.facts.offer.as_ref()?;
            let deserted = offer.by == life && !account.has_place(offer.place);
            deserted.then_some((*player, offer.place))
        });
        offers.collect()
    }

    /// Remembers an account that nobody needs a while longer, and forgets the one that nobody has needed for longest.
    pub(super) fn forget_if_unneeded(&mut self, player: PlayerId) {
        let needed = |accounts: &FxHashMap<PlayerId, Account>, player: &PlayerId| {
            accounts.get(player).is_none_or(Account::is_needed)
        };
        if needed(&self.accounts, &player) || self.absent.contains(&player) {
            return;
        }
        self.absent.push_back(player);
        while self.absent.len() > ABSENT_MAX {
            let Some(oldest) = self.absent.pop_front() else {
                return;
            };
            if !needed(&self.accounts, &oldest)
                && let Some(account) = self.accounts.remove(&oldest)
            {
                // Another numbering begins for those who follow it and are not known to be here yet.
                account
                    .followers
                    .iter()
                    .for_each(|follower| follower.outbox.overflow());
            }
        }
    }

    /// Takes an account over from a summary.
    pub(super) fn put(&mut self, account: Account) {
        let info = &account.facts.info;
        if account.is_present() {
            self.by_name.insert(name_key(&info.name), info.id);
        }
        if account.facts.offer.is_some() {
            self.offering.insert(info.id);
        }
        self.accounts.insert(info.id, account);
    }
}
