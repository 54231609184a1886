//! Players whom others do not want to hear. The list is part of the account.

use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use super::{Asker, Identities};

/// Players that one player may mute.
pub const MUTED_MAX: usize = 100;

impl Identities {
    /// Mutes a player. Returns all who are muted then; the other connections of the asker are told.
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
                    let words = "you have muted as many players as you may: unmute one first";
                    return Err(ErrorBody::new(ErrorCode::TooMany, words).limit(MUTED_MAX));
                }
                account.muted.push(player);
            }
            Ok(account.muted.clone())
        })
        .await
    }

    /// Ends that. It is no error if the player is not muted.
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

    /// Whom a player has muted.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn muted(&self, player: PlayerId) -> Result<Vec<PlayerId>, ErrorBody> {
        Ok(self.account_of(player).await?.muted)
    }
}
