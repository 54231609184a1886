//! Whose turn it is to change an account.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::PlayerId;
use rustc_hash::FxHashMap;
use tokio::sync::{Mutex as Lock, OwnedMutexGuard};

/// The accounts that are being changed here, each by one at a time and the others in the order in which they came: who floods an account
/// with changes does not keep its owner from revoking a token.
#[derive(Default)]
pub(super) struct Turns(Mutex<FxHashMap<PlayerId, Arc<Lock<()>>>>);

/// The right to change an account, or a place among those who wait for it.
pub(super) struct Turn<'a> {
    turns: &'a Turns,
    player: PlayerId,
    lock: Arc<Lock<()>>,
    held: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    fn all(&self) -> MutexGuard<'_, FxHashMap<PlayerId, Arc<Lock<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn take(&self, player: PlayerId) -> Turn<'_> {
        let lock = self.all().entry(player).or_default().clone();
        let mut turn = Turn {
            turns: self,
            player,
            lock,
            held: None,
        };
        turn.held = Some(turn.lock.clone().lock_owned().await);
        turn
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.held = None;
        let mut all = self.turns.all();
        // The table's and this one: nobody else waits.
        if Arc::strong_count(&self.lock) == 2 {
            all.remove(&self.player);
        }
    }
}
