//! The open connections of each player. When the player is renamed, all of them are told.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::PlayerId;
use rustc_hash::FxHashMap;

use crate::matches::{Outbox, Outgoing};

/// The open connections. Bounded by how many connections the server takes.
#[derive(Debug, Default)]
pub struct Connections(Mutex<FxHashMap<PlayerId, Vec<Outbox>>>);

/// A connection among them, until it is dropped.
#[derive(Debug)]
pub struct Present {
    connections: Arc<Connections>,
    player: PlayerId,
    outbox: Outbox,
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, FxHashMap<PlayerId, Vec<Outbox>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection is that of this player from now on. What is read of the player after this is not missed.
    #[must_use]
    pub fn enter(self: &Arc<Self>, player: PlayerId, outbox: &Outbox) -> Present {
        let mut open = self.open();
        open.entry(player).or_default().push(outbox.clone());
        Present {
            connections: self.clone(),
            player,
            outbox: outbox.clone(),
        }
    }

    /// Tells the connections of a player its new name, which is stored.
    pub fn rename(&self, player: PlayerId, name: &str) {
        let open = self.open();
        for outbox in open.get(&player).into_iter().flatten() {
            outbox.push_or_close(Outgoing::Renamed(name.into()));
        }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        if let Some(outboxes) = open.get_mut(&self.player) {
            if let Some(at) = outboxes.iter().position(|outbox| *outbox == self.outbox) {
                outboxes.swap_remove(at);
            }
            if outboxes.is_empty() {
                open.remove(&self.player);
            }
        }
    }
}
