//! What a player asks of the lobby.

use grundy_shared::bounds::SEEK_START_BYTES_MAX;
use grundy_shared::ids::{SeekId, Seq};
use grundy_shared::protocol::client::{Challenge, Seek, Seeks, Take, WithdrawSeek};
use grundy_shared::protocol::lobby::SeekInfo;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};

use super::answers::page_limit;
use super::player::Player;
use super::socket::Socket;
use crate::lobby::{Wanted, no_such_seek};
use crate::matches::refusal;
use crate::ratings::info_of;

impl<S: Socket> Player<S> {
    pub(super) async fn seek(&mut self, ask: Seek) -> Result<Reply, ErrorBody> {
        self.check_follows()?;
        let app = self.connection.app.clone();
        if !app.lifecycle.accepts_matches() {
            return Err(refusal::no_new_matches(&app.lifecycle));
        }
        let (bots, automatic) = (ask.bots, ask.automatic);
        let challenge = Challenge {
            player: String::new(),
            position: ask.position,
            clock: ask.clock,
            games: ask.games,
            rated: ask.rated,
            side: ask.side,
            expires_ms: None,
        };
        let terms = self.terms(&challenge).await?;
        let length = terms.position.len();
        if length > SEEK_START_BYTES_MAX {
            let words = "the start position of a seek is too long: invite a player instead";
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("position")
                .limit(SEEK_START_BYTES_MAX)
                .got(&length.to_string()));
        }
        let state = app.ratings.state(self.info.id, terms.family).await;
        let state = state.map_err(|error| refusal::of_store(&error))?;
        let rating = (state.pairs > Seq(0)).then(|| info_of(terms.family, &state, app.clock.now()));
        let wanted = Wanted {
            position: terms.position,
            games: terms.games,
            clock: terms.clock,
            count: terms.count,
            rated: terms.rated,
            rating,
            side: terms.side,
            bots,
            automatic,
            address: self.connection.address_digest(),
        };
        self.seeks = true;
        let lobby = &app.lobby;
        let seek = lobby.seek(&self.info, &self.connection.outbox, wanted);
        let seek = seek.await?;
        Ok(Reply::Seeking { seek })
    }

    pub(super) async fn seeks(&self, ask: &Seeks) -> Result<Reply, ErrorBody> {
        let limit = page_limit(ask.limit, 1)?;
        let lobby = &self.connection.app.lobby;
        let listed = lobby.list(&self.info, ask.game.as_deref(), ask.after, limit);
        let (mut seeks, mut more) = listed.await?;
        // A seek is bounded, and the room of a reply is larger than one.
        let mut room = self.room();
        let fits = |seek: &SeekInfo| {
            let size = serde_json::to_string(seek).map_or(usize::MAX, |text| text.len() + 1);
            let fits = size <= room;
            room = room.saturating_sub(size);
            fits
        };
        let fitting = seeks.iter().map(fits).take_while(|fits| *fits).count();
        more = more || fitting < seeks.len();
        seeks.truncate(fitting);
        let next = seeks.last().filter(|_| more).map(|last| last.seek);
        Ok(Reply::Seeks { seeks, next })
    }

    pub(super) async fn take_seek(
        &mut self,
        id: u64,
        ask: &Take,
    ) -> Result<Option<Reply>, ErrorBody> {
        self.check_follows()?;
        let lobby = self.connection.app.lobby.clone();
        let (match_id, seat) = lobby.take(seek_id(&ask.seek)?, &self.info).await?;
        self.seat(id, match_id, Reply::Joined { match_id, seat });
        Ok(None)
    }

    pub(super) async fn withdraw_seek(&self, ask: &WithdrawSeek) -> Result<Reply, ErrorBody> {
        let lobby = &self.connection.app.lobby;
        lobby.withdraw(seek_id(&ask.seek)?, self.info.id).await?;
        Ok(Reply::done())
    }

    /// The seeks of this connection end.
    pub(super) fn leave_lobby(&mut self) {
        if std::mem::take(&mut self.seeks) {
            let lobby = &self.connection.app.lobby;
            lobby.leave(self.info.id, &self.connection.outbox);
        }
    }
}

fn seek_id(text: &str) -> Result<SeekId, ErrorBody> {
    text.parse().map_err(|_| no_such_seek(text))
}
