//! What other servers on the same store have changed that this one keeps in memory: bans, and players who are erased. Each second it is asked for once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_shared::ids::PlayerId;

use crate::accounts::Accounts;
use crate::bans::Bans;
use crate::clock::Clock;
use crate::connections::Connections;
use crate::lobby::Lobby;
use crate::matches::Matches;
use crate::store::{BanSubject, News, Notice, Store, StoreError};
use crate::tournaments::Tournaments;

/// What has to hear of changes.
pub struct Hearing {
    /// Where they are stored.
    pub store: Arc<dyn Store>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Who is banned.
    pub bans: Arc<Bans>,
    /// Who is connected.
    pub connections: Arc<Connections>,
    /// What players hear outside of matches.
    pub accounts: Arc<Accounts>,
    /// Who looks for an opponent.
    pub lobby: Arc<Lobby>,
    /// The matches in memory.
    pub matches: Arc<Matches>,
    /// The tournaments in memory.
    pub tournaments: Arc<Tournaments>,
    /// The number of the last notice that was heard, or that was there before this server read what notices are about.
    pub heard: AtomicU64,
}

impl Hearing {
    /// Takes in what was stored since the last look. What cannot be read is asked for again with the next one.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn look(&self) -> Result<(), StoreError> {
        loop {
            let notices = self
                .store
                .notices(self.heard.load(Ordering::Relaxed))
                .await?;
            let Some(last) = notices.last().map(|last| last.number) else {
                return Ok(());
            };
            self.take(&notices).await?;
            self.heard.store(last, Ordering::Relaxed);
        }
    }

    async fn take(&self, notices: &[Notice]) -> Result<(), StoreError> {
        if notices.iter().any(|notice| notice.news == News::Bans) {
            self.bans.read_again(&*self.store).await?;
            self.close_banned();
        }
        for notice in notices {
            if let News::Erased { player, .. } = &notice.news {
                // The lobby and the accounts hear it from the server that erases.
                self.sign_out(*player);
                self.matches.read_anew_with(*player);
                self.tournaments.forget_finished();
            }
        }
        Ok(())
    }

    /// Closes the connections of whoever is banned.
    pub fn close_banned(&self) {
        let now = self.clock.now();
        self.connections.close_banned(|player, address| {
            self.bans.check_player(player, now).is_err()
                || self.bans.check_address(address.ip(), now).is_err()
        });
    }

    /// Signs an erased player out, and has nobody answered with the old name from what is in memory.
    pub fn forget(&self, player: PlayerId, name: &str) {
        self.accounts.erase(player, name);
        self.lobby.rename(player, name);
        self.sign_out(player);
    }

    fn sign_out(&self, player: PlayerId) {
        self.connections.sign_out(player, |_| false);
        self.bans.remove(BanSubject::Player(player));
    }
}
