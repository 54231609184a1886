//! Muting players in chat. The list of muted players is part of the account.

use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use super::{Asker, Identities};

/// Maximum number of players that one player may mute.
pub const MUTED_MAX: usize = 100;

impl Identities {
    /// Mutes a player. Returns the new list of muted players, which the caller's other connections receive too.
    ///
    /// # Errors
    /// `too_many`, or the refusal.
    pub async fn mute(
        &self,
        asker: Asker<'_>,
        player: PlayerId,
    ) -> Result<Vec<PlayerId>, ErrorBody> {
        self.change_own(asker, |account| {
            if !account.muted.contains(&player) {
                if account.muted.len() >= MUTED_MAX {
                    let words = "your list of muted players is full: unmute one first";
                    return Err(ErrorBody::new(ErrorCode::TooMany, words).limit(MUTED_MAX));
                }
                account.muted.push(player);
            }
            Ok(account.muted.clone())
        })
        .await
    }

    /// Unmutes a player. It is not an error if the player is not muted.
    ///
    /// # Errors
    /// The refusal.
    pub async fn unmute(
        &self,
        asker: Asker<'_>,
        player: PlayerId,
    ) -> Result<Vec<PlayerId>, ErrorBody> {
        self.change_own(asker, |account| {
            account.muted.retain(|muted| *muted != player);
            Ok(account.muted.clone())
        })
        .await
    }

    /// The players that this player has muted.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn muted(&self, player: PlayerId) -> Result<Vec<PlayerId>, ErrorBody> {
        Ok(self.account_of(player).await?.muted)
    }
}
