//! How accounts are changed: one change after the other, each of them durable before its player hears of it.

use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use super::{Asker, Identities, bad_token};
use crate::matches::refusal;
use crate::store::{AccountRow, Commit, CommitError, Projection, SecretHash};

/// Times that a change is tried again because another server was quicker.
const ROUNDS: usize = 10;

impl Identities {
    /// Changes the account of a player who asks for it. A token that was revoked meanwhile changes nothing any more.
    pub(super) async fn change_own<T>(
        &self,
        asker: Asker<'_>,
        change: impl Fn(&mut AccountRow) -> Result<T, ErrorBody>,
    ) -> Result<T, ErrorBody> {
        let own = |account: &AccountRow| {
            let mut tokens = account.tokens.iter();
            tokens.any(|token| token.hash == asker.token.hash)
        };
        self.change(asker.player.id, |account| match own(account) {
            true => change(account),
            false => Err(bad_token()),
        })
        .await
    }

    /// Changes what an account has. When this returns, the change is durable, and connections whose tokens are gone are told.
    pub(super) async fn change<T>(
        &self,
        player: PlayerId,
        change: impl Fn(&mut AccountRow) -> Result<T, ErrorBody>,
    ) -> Result<T, ErrorBody> {
        let services = &self.services;
        let _turn = self.turns.take(player).await;
        for _ in 0..ROUNDS {
            let mut account = self.account_of(player).await?;
            if account.erased {
                let words = "the player was erased: nobody can sign in";
                return Err(ErrorBody::new(ErrorCode::NoSuchPlayer, words));
            }
            let now = services.clock.now();
            account.tokens.retain(|token| !token.has_expired(now));
            let muted = account.muted.clone();
            let changed = change(&mut account)?;
            let muted = Some(&account.muted).filter(|now| **now != muted).cloned();
            let good: Vec<SecretHash> = account.tokens.iter().map(|token| token.hash).collect();
            let account = Box::new(account);
            let commit = Commit::default().with(Projection::Account { player, account });
            match services.committer.commit(commit).await {
                Ok(()) => {
                    let is_good = |hash: &SecretHash| good.contains(hash);
                    services.connections.sign_out(player, is_good);
                    if let Some(muted) = muted {
                        services.connections.mute(player, &muted);
                    }
                    return Ok(changed);
                }
                Err(CommitError::Conflict { .. }) => {}
                Err(error) => return Err(refusal::of_commit(&error)),
            }
        }
        Err(refusal::busy("the account is changed again and again"))
    }
}
