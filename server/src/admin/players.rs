//! Shows players, and revokes their tokens.

use grundy_shared::protocol::ErrorBody;

use super::desk::{Desk, page};
use crate::audit::{Actor, Change};
use crate::identity::shown;
use crate::matches::refusal;
use crate::operator::{AdminReply, LIST_MAX, PlayerReport, PresentPlayer, RevokeAsk, TokenEntry};
use crate::store::{BanSubject, StoreError};

impl Desk {
    pub(super) async fn players(&self, limit: u32) -> Result<AdminReply, ErrorBody> {
        let limit = page(limit)?;
        let mut present = self.app.connections.present(limit + 1);
        let more = present.len() > limit;
        present.truncate(limit);
        let mut players = Vec::with_capacity(present.len());
        for (id, connections) in present {
            let player = self.app.store.player(id).await;
            // One who is being stored is not shown yet.
            if let Some(player) = player.map_err(|error| refusal::of_store(&error))? {
                players.push(PresentPlayer {
                    player,
                    connections: connections as u64,
                });
            }
        }
        Ok(AdminReply::Players { players, more })
    }

    pub(super) async fn player(&self, named: &str) -> Result<AdminReply, ErrorBody> {
        let app = &self.app;
        let player = self.player_named(named).await?;
        let of_store = |error: StoreError| refusal::of_store(&error);
        let account = app.store.account(player.id).await.map_err(of_store)?;
        let account = account.unwrap_or_default();
        let matches = app.store.open_matches(player.id, LIST_MAX as usize).await;
        let now = app.clock.now();
        let ban = app.bans.of(BanSubject::Player(player.id), now);
        let ban = match ban {
            Some(ban) => Some(self.ban_entry(ban).await?),
            None => None,
        };
        let good = account
            .tokens
            .iter()
            .filter(|token| !token.has_expired(now));
        Ok(AdminReply::Player(Box::new(PlayerReport {
            claimed: account.password.is_some(),
            recovery_codes: account.codes.len() as u64,
            tokens: good
                .map(|token| TokenEntry {
                    prefix: token.prefix.clone(),
                    name: token.name.clone(),
                    scopes: token.scopes.to_words(),
                    created_at_ms: token.created_at,
                    expires_at_ms: token.expires_at,
                })
                .collect(),
            connections: app.connections.count(player.id) as u64,
            matches: matches
                .map_err(of_store)?
                .iter()
                .map(|open| open.id)
                .collect(),
            muted: account.muted.len() as u64,
            ban,
            player,
        })))
    }

    pub(super) async fn revoke(&self, by: Actor, ask: RevokeAsk) -> Result<AdminReply, ErrorBody> {
        let player = self.player_named(&ask.player).await?.id;
        // A whole token is shortened to what names it, so that it is in no log.
        let token = ask.token.filter(|_| !ask.all);
        let token = token.map(|token| shown(&token));
        let change = Change::Revoke {
            player,
            token: token.clone(),
        };
        let effect = async {
            let identities = &self.app.identities;
            match &token {
                Some(prefix) => {
                    identities.revoke_of(player, prefix).await?;
                    Ok("the token is revoked, and its connections are closed".to_owned())
                }
                None => {
                    identities.sign_out(player).await?;
                    Ok(
                        "all tokens of the player are revoked, and the connections closed"
                            .to_owned(),
                    )
                }
            }
        };
        let message = self
            .change(by, change, ask.reason, Vec::new(), effect)
            .await?;
        Ok(AdminReply::Done { message })
    }
}
