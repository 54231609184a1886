//! The open connections of each player, and the tokens that they have come with. When the player is renamed or signed out, they are told.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::{Millis, PlayerId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::addresses::AddressKey;
use crate::matches::{Outbox, Outgoing};
use crate::planted;
use crate::store::{SecretHash, TokenRow};

/// The open connections. Bounded by how many connections the server takes.
#[derive(Debug, Default)]
pub struct Connections {
    open: Mutex<FxHashMap<PlayerId, Vec<Open>>>,
    /// Guests who are being removed. Locked after `open`.
    leaving: Mutex<FxHashSet<PlayerId>>,
}

#[derive(Debug)]
struct Open {
    outbox: Outbox,
    token: SecretHash,
    expires_at: Option<Millis>,
    /// The name and the muted players that the connection was told last, if it was told any.
    told: Option<(Box<str>, Box<[PlayerId]>)>,
    /// False while a new player is being stored: its token is not revoked, although no store has it.
    stored: bool,
}

/// A connection among them, until it is dropped.
#[derive(Debug)]
pub struct Present {
    connections: Arc<Connections>,
    player: PlayerId,
    outbox: Outbox,
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, FxHashMap<PlayerId, Vec<Open>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leaving(&self) -> MutexGuard<'_, FxHashSet<PlayerId>> {
        self.leaving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds those of these players who are not connected: until [`Connections::let_go`], [`Connections::is_leaving`] says so to a
    /// connection that has entered.
    pub fn hold_absent(&self, players: &mut Vec<PlayerId>) {
        let open = self.open();
        players.retain(|player| !open.contains_key(player));
        self.leaving().extend(players.iter().copied());
    }

    /// Holds nobody any more.
    pub fn let_go(&self) {
        self.leaving().clear();
    }

    /// Whether a player is being removed. To be asked after [`Connections::enter`].
    #[must_use]
    pub fn is_leaving(&self, player: PlayerId) -> bool {
        self.leaving().contains(&player)
    }

    /// A connection is that of this player from now on, with this token. What is read of the player after this is not missed.
    #[must_use]
    pub fn enter(self: &Arc<Self>, player: PlayerId, token: &TokenRow, outbox: &Outbox) -> Present {
        self.take_in(player, token, outbox, true)
    }

    /// The same for a player who is new, and not stored before [`Present::mark_stored`] is called.
    #[must_use]
    pub fn enter_new(
        self: &Arc<Self>,
        player: PlayerId,
        token: &TokenRow,
        outbox: &Outbox,
    ) -> Present {
        self.take_in(player, token, outbox, false)
    }

    fn take_in(
        self: &Arc<Self>,
        player: PlayerId,
        token: &TokenRow,
        outbox: &Outbox,
        stored: bool,
    ) -> Present {
        let entered = Open {
            outbox: outbox.clone(),
            token: token.hash,
            expires_at: token.expires_at,
            told: None,
            stored,
        };
        self.open().entry(player).or_default().push(entered);
        Present {
            connections: self.clone(),
            player,
            outbox: outbox.clone(),
        }
    }

    /// Tells the connections of a player what another server may have stored: the name and the muted players, unless they were told the same before.
    pub fn keep_up(&self, player: PlayerId, name: &str, muted: &[PlayerId]) {
        let mut open = self.open();
        for one in open.get_mut(&player).into_iter().flatten() {
            let same = one.told.as_ref();
            if same.is_some_and(|told| (&*told.0, &*told.1) == (name, muted)) {
                continue;
            }
            one.told = Some((name.into(), muted.into()));
            one.outbox.push_or_close(Outgoing::Renamed(name.into()));
            one.outbox.push_or_close(Outgoing::Muted(muted.into()));
        }
    }

    /// Tells the connections of a player its new name, which is stored.
    pub fn rename(&self, player: PlayerId, name: &str) {
        let mut open = self.open();
        for one in open.get_mut(&player).into_iter().flatten() {
            one.told = None;
            one.outbox.push_or_close(Outgoing::Renamed(name.into()));
        }
    }

    /// Sends the stored list of muted players to the player's connections.
    pub fn mute(&self, player: PlayerId, muted: &[PlayerId]) {
        let mut open = self.open();
        for one in open.get_mut(&player).into_iter().flatten() {
            one.told = None;
            one.outbox.push_or_close(Outgoing::Muted(muted.into()));
        }
    }

    /// Signs out the connections of a player whose tokens are good no longer, as is stored.
    pub fn sign_out(&self, player: PlayerId, is_good: impl Fn(&SecretHash) -> bool) {
        let open = self.open();
        let all = open.get(&player).into_iter().flatten();
        for one in all.filter(|one| !is_good(&one.token)) {
            one.outbox.push_or_close(Outgoing::SignedOut);
        }
    }

    /// Closes the connections whose player or address is banned, as is stored. Cost: linear in the connections.
    pub fn close_banned(&self, is_banned: impl Fn(PlayerId, AddressKey) -> bool) {
        let open = self.open();
        for (player, all) in open.iter() {
            for one in all {
                if is_banned(*player, one.outbox.address()) {
                    one.outbox.push_or_close(Outgoing::Banned);
                }
            }
        }
    }

    /// Closes all connections: this server does not know any more what others store. Cost: linear in the connections.
    pub fn cut_off(&self) {
        for one in self.open().values().flatten() {
            one.outbox.push_or_close(Outgoing::CutOff);
        }
    }

    /// Players who are connected, with how many connections each: at most `limit`, in the order of their ids.
    #[must_use]
    pub fn present(&self, limit: usize) -> Vec<(PlayerId, usize)> {
        let open = self.open();
        let mut present: Vec<_> = open
            .iter()
            .map(|(player, all)| (*player, all.len()))
            .collect();
        drop(open);
        present.sort_unstable();
        present.truncate(limit);
        present
    }

    /// How many players are connected.
    #[must_use]
    pub fn players(&self) -> usize {
        self.open().len()
    }

    /// How many connections a player has.
    #[must_use]
    pub fn count(&self, player: PlayerId) -> usize {
        self.open().get(&player).map_or(0, Vec::len)
    }

    /// Signs out those whose tokens have expired. Cost: linear in the connections.
    pub fn expire(&self, now: Millis) {
        let mut open = self.open();
        for one in open.values_mut().flatten() {
            if one.expires_at.is_some_and(|at| at <= now) {
                one.expires_at = None;
                one.outbox.push_or_close(Outgoing::SignedOut);
            }
        }
    }

    /// The tokens that are in use and that a store has had. For servers that share a store, where another one may have revoked them.
    #[must_use]
    pub fn tokens(&self) -> Vec<(PlayerId, SecretHash)> {
        let open = self.open();
        let all = open
            .iter()
            .flat_map(|(player, all)| all.iter().map(move |one| (player, one)));
        let stored = all.filter(|(_, one)| one.stored || planted::is("revoke_unstored"));
        stored.map(|(player, one)| (*player, one.token)).collect()
    }
}

impl Present {
    /// From now on the store has the player and the token.
    pub fn mark_stored(&self) {
        let mut open = self.connections.open();
        let mut all = open.get_mut(&self.player).into_iter().flatten();
        if let Some(one) = all.find(|one| one.outbox == self.outbox) {
            one.stored = true;
        }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        if let Some(all) = open.get_mut(&self.player) {
            if let Some(at) = all.iter().position(|one| one.outbox == self.outbox) {
                all.swap_remove(at);
            }
            if all.is_empty() {
                open.remove(&self.player);
            }
        }
    }
}
