//! Everything that accounts hold, behind one lock.

use std::collections::{BTreeSet, VecDeque};

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{ChallengeId, PlayerId};
use grundy_shared::protocol::AccountEvent;
use rustc_hash::FxHashMap;
use tokio::time::Instant;

use super::account::Account;
use super::challenge::Open;
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
    absent: VecDeque<PlayerId>,
    pub(super) offering: BTreeSet<PlayerId>,
    pub(super) challenges: FxHashMap<ChallengeId, Open>,
    pub(super) expiry: BTreeSet<(Instant, ChallengeId)>,
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
        let before = name_key(&account.info.name);
        name.clone_into(&mut account.info.name);
        if let Some((_, offer)) = &mut account.offer {
            name.clone_into(&mut offer.player.name);
        }
        if self.by_name.remove(&before).is_some() {
            self.by_name.insert(name_key(name), player);
        }
    }

    pub(super) fn followers(&self, player: PlayerId) -> usize {
        let account = self.accounts.get(&player);
        account.map_or(0, |account| account.followers.len())
    }

    pub(super) fn is_followed_by(&self, player: PlayerId, connection: &Outbox) -> bool {
        let account = self.accounts.get(&player);
        account.is_some_and(|account| account.followers.contains(connection))
    }

    pub(super) fn tell(&mut self, player: PlayerId, event: &AccountEvent) {
        if let Some(account) = self.accounts.get_mut(&player) {
            account.tell(event);
        }
    }

    /// A connection follows the account of this player. `stream` names the numbering of an account that is new here.
    pub(super) fn come(
        &mut self,
        player: &PlayerInfo,
        connection: &Outbox,
        stream: impl Fn() -> String,
    ) {
        let account = self.accounts.entry(player.id);
        let account = account.or_insert_with(|| Account::new(player.clone(), stream()));
        if !account.followers.contains(connection) {
            account.followers.push(connection.clone());
        }
        player.name.clone_into(&mut account.info.name);
        self.by_name.insert(name_key(&player.name), player.id);
    }

    /// A connection follows the account no longer.
    pub(super) fn go(&mut self, player: PlayerId, connection: &Outbox) {
        let Some(account) = self.accounts.get_mut(&player) else {
            return;
        };
        account.followers.retain(|follower| follower != connection);
        if account
            .offer
            .as_ref()
            .is_some_and(|(by, _)| by == connection)
        {
            account.offer = None;
            self.offering.remove(&player);
        }
        if account.is_present() {
            return;
        }
        let key = name_key(&account.info.name);
        if self.by_name.get(&key) == Some(&player) {
            self.by_name.remove(&key);
        }
        self.forget_if_unneeded(player);
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
            if !needed(&self.accounts, &oldest) {
                self.accounts.remove(&oldest);
            }
        }
    }
}
