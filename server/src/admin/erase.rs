//! Erases a player who asks to be forgotten.

use grundy_shared::bot::Bot;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use super::desk::{Desk, check_reason};
use crate::audit::Actor;
use crate::erasure;
use crate::matches::refusal;
use crate::operator::{AdminReply, EraseAsk, ErasedReport};

impl Desk {
    pub(super) async fn erase(&self, by: Actor, ask: EraseAsk) -> Result<AdminReply, ErrorBody> {
        let app = &self.app;
        let not_allowed = |words: String| ErrorBody::new(ErrorCode::NotAllowed, words);
        if ask.player.parse::<Bot>().is_ok() {
            let words = format!(
                "{} is a built-in bot, and no player to be erased",
                ask.player
            );
            return Err(not_allowed(words));
        }
        if let Some(reason) = &ask.reason {
            check_reason(reason)?;
        }
        let player = self.player_named(&ask.player).await?;
        if ask.confirm != player.name {
            let words = format!(
                "--confirm is not the player's name: nothing was erased. To erase player {}, repeat the name that `player` shows",
                player.id
            );
            return Err(not_allowed(words));
        }
        let of_store = |error| refusal::of_store(&error);
        let account = app.store.account(player.id).await.map_err(of_store)?;
        let is_erased = account.is_some_and(|account| account.erased);
        let unfinished = app.store.erasures().await.map_err(of_store)?;
        if is_erased && unfinished.iter().all(|one| one.player != player.id) {
            return Err(not_allowed("the player was erased before".to_owned()));
        }
        let erased = Box::pin(erasure::erase(app, by, player, ask.reason)).await?;
        Ok(AdminReply::Erased(ErasedReport {
            player: erased.player,
            logs: erased.rewritten.streams,
            events: erased.rewritten.events,
            heads: data_encoding::HEXLOWER.encode(&erased.rewritten.heads),
        }))
    }
}
