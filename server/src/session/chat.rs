//! Chat requests: saying something, reading a room, and muting players.

use grundy_shared::ids::MatchId;
use grundy_shared::protocol::client::{Chat, Mute, Say, Unmute};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};

use super::answers::{no_such_player, page_limit};
use super::player::Player;
use super::requests::match_id;
use super::socket::Socket;
use crate::chat::{Words, clean};
use crate::matches::{Said, refusal};
use crate::quotas::Resource;
use crate::store::MatchRow;

impl<S: Socket> Player<S> {
    pub(super) async fn say(&self, id: u64, ask: Say) -> Result<Option<Reply>, ErrorBody> {
        let match_id = match_id(&ask.match_id)?;
        let chats = &self.connection.app.chats;
        chats.admit(self.info.id)?;
        let words = match (ask.text, ask.preset) {
            (Some(text), None) => Words::Text(clean(&text)?),
            (None, Some(preset)) => Words::Preset(preset),
            (None, None) => {
                let words = "`say` needs a `text` or a `preset`";
                return Err(ErrorBody::new(ErrorCode::MissingField, words).field("text"));
            }
            (Some(_), Some(_)) => {
                let words = "`say` has a `text` or a `preset`, not both";
                return Err(ErrorBody::new(ErrorCode::UnknownField, words).field("preset"));
            }
        };
        refusal::of_reserve(&self.connection.app.reserve)?;
        let (quotas, now) = (&self.connection.app.quotas, self.connection.app.clock.now());
        let address = self.connection.source().counted();
        let checked = quotas.check(now, &[Resource::Bytes], address, Some(self.info.id));
        checked.map_err(|used_up| refusal::used_up(&self.connection.app.metrics, used_up))?;
        let row = self.row_of(match_id).await?;
        chats.may_say(&self.info, &row, ask.room, &words).await?;
        let used = [(Resource::Bytes, words.line_bytes())];
        quotas.count(now, &used, address, [self.info.id]);
        chats.say(
            self.reply_to(id),
            self.info.clone(),
            (match_id, ask.room),
            words,
        );
        Ok(None)
    }

    pub(super) async fn chat(&self, ask: &Chat) -> Result<Reply, ErrorBody> {
        let id = match_id(&ask.match_id)?;
        let limit = page_limit(ask.limit, 1)?;
        let row = self.row_of(id).await?;
        let chats = &self.connection.app.chats;
        chats.may_read(self.info.id, &row, ask.room).await?;
        chats
            .page((id, ask.room), ask.after, limit, &self.muted, self.room())
            .await
    }

    /// The summary of a match that this player may see.
    async fn row_of(&self, id: MatchId) -> Result<MatchRow, ErrorBody> {
        let app = &self.connection.app;
        let row = app.store.row(id).await;
        let row = row.map_err(|error| app.matches.unreadable(id, &error))?;
        let row = row.filter(|row| self.may_see(row));
        row.ok_or_else(|| refusal::no_such_match(&id.to_string()))
    }

    pub(super) async fn mute(&mut self, ask: &Mute) -> Result<Reply, ErrorBody> {
        let player = self.player_named("player", &ask.player).await?;
        if player == self.info.id {
            let words = "you cannot mute yourself";
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words).field("player"));
        }
        let known = self.connection.app.store.player(player).await;
        if known.map_err(|error| refusal::of_store(&error))?.is_none() {
            return Err(no_such_player("player", &ask.player));
        }
        let identities = &self.connection.app.identities;
        self.muted = identities.mute(self.asker(), player).await?.into();
        Ok(Reply::done())
    }

    pub(super) async fn unmute(&mut self, ask: &Unmute) -> Result<Reply, ErrorBody> {
        let player = self.player_named("player", &ask.player).await?;
        let identities = &self.connection.app.identities;
        self.muted = identities.unmute(self.asker(), player).await?.into();
        Ok(Reply::done())
    }

    pub(super) async fn list_muted(&self) -> Result<Reply, ErrorBody> {
        let app = &self.connection.app;
        let ids = app.identities.muted(self.info.id).await?;
        let mut players = Vec::with_capacity(ids.len());
        for id in ids {
            let player = app.store.player(id).await;
            players.extend(player.map_err(|error| refusal::of_store(&error))?);
        }
        Ok(Reply::Muted { players })
    }

    /// Whether the client receives this line: it follows the match, and its player has not muted the speaker.
    pub(super) fn hears(&self, said: &Said) -> bool {
        self.follow(said.match_id).is_some() && !self.muted.contains(&said.by)
    }
}
