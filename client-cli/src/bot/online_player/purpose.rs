//! What our bot is on a server for, and how far it has come with that.

use grundy_shared::ids::MatchId;
use grundy_shared::protocol::client::{ClientMessage, Join, Side};
use grundy_shared::protocol::server::Reply;
use grundy_shared::protocol::tournament::{JoinTournament, TournamentStatus, WatchTournament};
use grundy_words::Message;
use serde_json::json;

use super::state::{Asked, OnlinePlayer, Progress, Purpose, Tally, new_create_id};
use crate::connection::Connection;
use crate::failure::Failure;

impl OnlinePlayer<'_> {
    /// Asks for what the bot is there for, if that is due.
    pub(super) async fn begin(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        if !matches!(self.progress, Progress::Due) {
            return Ok(());
        }
        let request: ClientMessage = match &self.purpose {
            Purpose::Join(code) => Join {
                code: code.to_string(),
            }
            .into(),
            Purpose::Create(create, _) => {
                let mut create = create.clone();
                create.client_create_id = Some(self.create_id.clone());
                create.into()
            }
            Purpose::Finish | Purpose::Offer(_) | Purpose::Tournament(_) => return Ok(()),
        };
        self.progress = Progress::Asked;
        self.ask(connection, request, Asked::Begin).await
    }

    /// After the end of a match: the purpose has come further, if that was its match.
    pub(super) fn go_on(&mut self, ended: MatchId) {
        if !matches!(self.progress, Progress::Playing(playing) if playing == ended) {
            return;
        }
        self.progress = match &mut self.purpose {
            Purpose::Create(create, left) if *left > 1 => {
                *left -= 1;
                create.side = match create.side {
                    Side::First => Side::Second,
                    Side::Second | Side::Random => Side::First,
                };
                self.create_id = new_create_id();
                Progress::Due
            }
            _ => Progress::Done,
        };
    }

    /// Enters the tournament once, and follows it from our seat.
    pub(super) async fn enter(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        let Purpose::Tournament(tournament) = &self.purpose else {
            return Ok(());
        };
        let tournament = tournament.clone();
        if !self.has_entered {
            let join = JoinTournament {
                tournament: tournament.clone(),
            };
            connection.ask(join).await?;
            self.has_entered = true;
        }
        let watch = WatchTournament {
            tournament,
            play: true,
        };
        if let Reply::Tournament(state) = connection.ask(watch).await?
            && matches!(
                state.status,
                TournamentStatus::Over | TournamentStatus::Cancelled
            )
        {
            self.progress = Progress::Done;
        }
        Ok(())
    }

    pub(super) fn report(&self, match_id: MatchId, outcome: &str) -> Result<(), Failure> {
        let output = &self.context.output;
        let of = |message| {
            let played = Message::new(message).text("match", match_id);
            played.text("outcome", outcome).said(output.words())
        };
        if matches!(self.purpose, Purpose::Tournament(_)) {
            output.detail(&of("bot-played"));
            return Ok(());
        }
        match output.json {
            true => output.object(&json!({
                "type": "match",
                "match": match_id.to_string(),
                "outcome": outcome,
            })),
            false => output.line(&of("bot-played-review")),
        }
    }

    pub(super) fn report_tournament(&self) -> Result<(), Failure> {
        let Purpose::Tournament(tournament) = &self.purpose else {
            return Ok(());
        };
        let Tally {
            games,
            wins,
            losses,
        } = self.tally;
        let output = &self.context.output;
        match output.json {
            true => output.object(&json!({
                "type": "tournament",
                "tournament": tournament,
                "games": games,
                "wins": wins,
                "losses": losses,
            })),
            false => {
                let over = Message::new("bot-tournament-over")
                    .text("tournament", tournament)
                    .text("games", games)
                    .text("wins", wins)
                    .text("losses", losses);
                output.line(&over.said(output.words()))
            }
        }
    }
}
