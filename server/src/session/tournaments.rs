//! What a player asks of tournaments.

use std::sync::Arc;

use grundy_shared::bounds::{REASON_MAX, TOURNAMENT_NAME_MAX};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::tournament::{
    Control, ControlTournament, CreateTournament, ListTournaments, LoggedEvent, ShowTournament,
    TournamentLog, WatchTournament,
};
use grundy_shared::protocol::{ClientMessage, ErrorBody, ErrorCode, Reply, Scope};
use grundy_shared::tournament::{Dated, TournamentEvent};

use super::answers::page_limit;
use super::player::Player;
use super::socket::Socket;
use crate::audit::Change;
use crate::chat;
use crate::matches::refusal;
use crate::names;
use crate::quotas::{ROW_BYTES, Resource};
use crate::store::{LOAD_PAGE, StreamId};
use crate::tournaments::machine::Ask;
use crate::tournaments::{ENDED_BY_OPERATOR, Input, LiveTournament, Organiser};

/// Tournaments that one connection may follow.
const FOLLOWS_MAX: usize = 20;

impl<S: Socket> Player<S> {
    /// Answers a request about tournaments, or sees to it that it is answered; `None` for one that is about something else.
    pub(super) async fn answer_of_tournaments(
        &mut self,
        id: u64,
        message: ClientMessage,
    ) -> Result<Option<Reply>, ErrorBody> {
        match message {
            ClientMessage::CreateTournament(ask) => self.create_tournament(id, ask).await,
            ClientMessage::JoinTournament(ask) => {
                self.ask_tournament(id, &ask.tournament, Ask::Enter).await
            }
            ClientMessage::WithdrawFromTournament(ask) => {
                self.ask_tournament(id, &ask.tournament, Ask::Withdraw)
                    .await
            }
            ClientMessage::ControlTournament(ask) => self.control_tournament(id, ask).await,
            ClientMessage::ShowTournament(ask) => self.show_tournament(id, &ask).await,
            ClientMessage::WatchTournament(ask) => self.watch_tournament(id, &ask).await,
            ClientMessage::UnwatchTournament(ask) => {
                let live = self.tournament(&ask.tournament).await?;
                self.unwatch(&live);
                Ok(Some(Reply::done()))
            }
            ClientMessage::ListTournaments(ask) => self.list_tournaments(&ask).await,
            ClientMessage::TournamentLog(ask) => self.tournament_log(&ask).await.map(Some),
            _ => Err(refusal::internal()),
        }
    }

    async fn tournament(&self, text: &str) -> Result<Arc<LiveTournament>, ErrorBody> {
        self.connection.app.tournaments.find(text).await
    }

    async fn create_tournament(
        &mut self,
        id: u64,
        mut ask: CreateTournament,
    ) -> Result<Option<Reply>, ErrorBody> {
        ask.name = one_line(&ask.name, "name", TOURNAMENT_NAME_MAX)?;
        for name in &ask.admission.names {
            names::check_label(name).map_err(|refused| refused.field("admission.names"))?;
        }
        let app = self.connection.app.clone();
        refusal::of_reserve(&app.reserve)?;
        let from = self.connection.source();
        let now = app.clock.now();
        let quota = app
            .quotas
            .check(now, &[Resource::Bytes], from.counted(), Some(self.info.id));
        quota.map_err(|used_up| refusal::used_up(&app.metrics, used_up))?;
        let organiser = Organiser {
            player: self.info.clone(),
            address: from.address,
            is_operator: self.is_operator(),
        };
        let (live, bytes) = app.tournaments.create(organiser, ask).await?;
        let used = [(Resource::Bytes, bytes + ROW_BYTES)];
        app.quotas.count(now, &used, from.counted(), [self.info.id]);
        self.show(id, &live, 0, 50);
        Ok(None)
    }

    fn show(&self, id: u64, live: &Arc<LiveTournament>, after: u32, limit: u32) {
        live.give(Input::Show {
            reply: self.reply_to(id),
            player: self.info.id,
            after,
            limit,
        });
    }

    async fn ask_tournament(
        &self,
        id: u64,
        text: &str,
        ask: Ask,
    ) -> Result<Option<Reply>, ErrorBody> {
        let live = self.tournament(text).await?;
        live.give(Input::Ask {
            reply: self.reply_to(id),
            player: self.info.clone(),
            ask,
        });
        Ok(None)
    }

    async fn control_tournament(
        &mut self,
        id: u64,
        ask: ControlTournament,
    ) -> Result<Option<Reply>, ErrorBody> {
        let reason = match ask.reason.filter(|reason| !reason.is_empty()) {
            Some(reason) => one_line(&reason, "reason", REASON_MAX)?,
            None => String::new(),
        };
        let by_operator = self.is_operator() && self.token.scopes.has(Scope::Admin);
        if by_operator && ask.action == Control::Cancel {
            self.end_tournament(id, &ask.tournament, &reason).await?;
            return Ok(None);
        }
        let action = match ask.action {
            Control::Start => Ask::Start,
            Control::Pause => Ask::Pause,
            Control::Resume => Ask::Resume,
            Control::Cancel => Ask::Cancel(reason),
        };
        self.ask_tournament(id, &ask.tournament, action).await
    }

    /// Ends any tournament as an operator, with a record in the audit log.
    async fn end_tournament(&mut self, id: u64, text: &str, reason: &str) -> Result<(), ErrorBody> {
        let tournaments = &self.connection.app.tournaments;
        let live = tournaments.find(text).await?;
        let tournament = live.id();
        let change = Change::EndTournament { tournament };
        let reason = match reason {
            "" => ENDED_BY_OPERATOR,
            reason => reason,
        };
        self.audited(change, tournaments.end(text, reason)).await?;
        self.show(id, &live, 0, 50);
        Ok(())
    }

    async fn show_tournament(
        &self,
        id: u64,
        ask: &ShowTournament,
    ) -> Result<Option<Reply>, ErrorBody> {
        let limit = page_limit(ask.limit, 0)?;
        let live = self.tournament(&ask.tournament).await?;
        self.show(id, &live, ask.after, limit as u32);
        Ok(None)
    }

    async fn watch_tournament(
        &mut self,
        id: u64,
        ask: &WatchTournament,
    ) -> Result<Option<Reply>, ErrorBody> {
        let live = self.tournament(&ask.tournament).await?;
        let known = self.tournaments.iter().any(|other| other.id() == live.id());
        if !known && self.tournaments.len() >= FOLLOWS_MAX {
            let words =
                "this connection follows too many tournaments: `unwatch_tournament` one first";
            return Err(ErrorBody::new(ErrorCode::TooMany, words).limit(FOLLOWS_MAX));
        }
        self.tournaments.retain(|other| other.id() != live.id());
        self.tournaments.push(live.clone());
        live.give(Input::Follow {
            reply: self.reply_to(id),
            connection: self.connection.outbox.clone(),
            player: self.info.id,
            play: ask.play,
        });
        Ok(None)
    }

    fn unwatch(&mut self, live: &Arc<LiveTournament>) {
        self.tournaments.retain(|other| other.id() != live.id());
        live.give(Input::Unfollow(self.connection.outbox.clone()));
    }

    /// The connection ends: it follows no tournament any more.
    pub(super) fn unwatch_all(&mut self) {
        for live in std::mem::take(&mut self.tournaments) {
            live.give(Input::Unfollow(self.connection.outbox.clone()));
        }
    }

    async fn list_tournaments(&self, ask: &ListTournaments) -> Result<Option<Reply>, ErrorBody> {
        let limit = page_limit(ask.limit, 1)?;
        let tournaments = &self.connection.app.tournaments;
        let (tournaments, next) = tournaments.list(ask.before, limit).await;
        Ok(Some(Reply::Tournaments { tournaments, next }))
    }

    async fn tournament_log(&self, ask: &TournamentLog) -> Result<Reply, ErrorBody> {
        let limit = page_limit(ask.limit, 1)?;
        let live = self.tournament(&ask.tournament).await?;
        let store = &self.connection.app.store;
        let own = StreamId::Tournament(live.id());
        // One more than asked tells whether there is more.
        let loaded = store.load(own, ask.since_seq, limit + 1).await;
        let logged = loaded.map_err(|error| refusal::of_store(&error))?;
        let logged = logged.unwrap_or_default();
        let found = logged.len();
        let mut room = self.room();
        let mut events = Vec::new();
        for entry in logged.into_iter().take(limit) {
            let body: Dated =
                serde_json::from_slice(&entry.body).map_err(|_| refusal::internal())?;
            let game = match body.event {
                TournamentEvent::GameEnded { match_id, .. } if ask.games => {
                    self.log_of_game(match_id).await?
                }
                _ => None,
            };
            let of_game = game.as_ref().map_or(0, |(_, size)| *size);
            let size = entry.body.len() + 60 + of_game;
            if size > room && !events.is_empty() {
                break;
            }
            room = room.saturating_sub(size);
            events.push(LoggedEvent {
                seq: entry.seq,
                body,
                game: game.map(|(game, _)| game),
            });
        }
        let complete = events.len() == found;
        Ok(Reply::TournamentLog {
            tournament: live.id(),
            events,
            complete,
        })
    }

    /// The log of a match and its bytes; none if it alone would fill more than half a message: it is read by itself.
    async fn log_of_game(&self, id: MatchId) -> Result<Option<(Vec<Event>, usize)>, ErrorBody> {
        let app = &self.connection.app;
        let mut events = Vec::new();
        let (mut last, mut size) = (Seq(0), 0);
        loop {
            let page = app.store.load(id.into(), last, LOAD_PAGE).await;
            let page = page.map_err(|error| app.matches.unreadable(id, &error))?;
            let page = page.unwrap_or_default();
            let Some(newest) = page.last() else {
                return Ok(Some((events, size)));
            };
            last = newest.seq;
            for logged in &page {
                size += logged.body.len() + 1;
                let event = serde_json::from_slice(&logged.body);
                events.push(event.map_err(|error| app.matches.put_aside(id, &error))?);
            }
            if size > self.room() / 2 {
                return Ok(None);
            }
        }
    }
}

/// Checks a text of an organiser, which is stored and shown to everybody, by the rules of chat.
fn one_line(text: &str, field: &str, most: usize) -> Result<String, ErrorBody> {
    let bounded = |refused: ErrorBody| {
        let limit = format!("1 to {most} characters");
        refused.field(field).limit(limit)
    };
    let line = chat::clean(text).map_err(bounded)?;
    match line.chars().count() <= most {
        true => Ok(line),
        false => {
            let words = format!("the text is longer than {most} characters");
            Err(bounded(ErrorBody::new(ErrorCode::OutOfRange, words)))
        }
    }
}
