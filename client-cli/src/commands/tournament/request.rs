//! Requests about one tournament that are answered with its state: join, withdraw, start, pause, resume, cancel.

use clap::Args;
use grundy_shared::protocol::client::ClientMessage;
use grundy_shared::protocol::tournament::{
    Control, ControlTournament, JoinTournament, WithdrawFromTournament,
};
use grundy_words::Message;

use super::show;
use super::state::state_of;
use crate::account::{SignedIn, sign_in, sign_in_known_bot};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// Arguments of a command about one tournament.
#[derive(Debug, Args)]
pub(super) struct Named {
    /// The tournament
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,
}

/// Arguments of `tournament withdraw`.
#[derive(Debug, Args)]
pub(super) struct Withdraw {
    /// The tournament
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,
    /// Withdraw your bot, which plays with 'grundy bot run' and the same --profile
    #[arg(long)]
    bot: bool,
}

/// Arguments of `tournament cancel`.
#[derive(Debug, Args)]
pub(super) struct Cancel {
    /// The tournament
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,
    /// Repeat the tournament's id, so that no other is cancelled by mistake
    #[arg(long, value_name = "TOURNAMENT")]
    confirm: String,
    /// Why, for the players
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
}

/// What is asked.
#[derive(Clone, Copy)]
pub(super) enum Wish {
    Join,
    Control(Control),
}

impl Named {
    /// Asks, and prints the state that comes back.
    pub(super) async fn ask(self, context: &Context, wish: Wish) -> Result<Exit, Failure> {
        let tournament = self.tournament;
        let request: ClientMessage = match wish {
            Wish::Join => JoinTournament { tournament }.into(),
            Wish::Control(action) => ControlTournament {
                tournament,
                action,
                reason: None,
            }
            .into(),
        };
        let signed_in = sign_in(context, 0).await?;
        print_answer(context, signed_in, request).await
    }
}

impl Withdraw {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let signed_in = match self.bot {
            true => sign_in_known_bot(context).await?,
            false => sign_in(context, 0).await?,
        };
        let tournament = self.tournament;
        let request = WithdrawFromTournament { tournament };
        print_answer(context, signed_in, request.into()).await
    }
}

impl Cancel {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if self.confirm != self.tournament {
            let message = Message::new("tournament-unconfirmed")
                .text("confirm", render::clean(&self.confirm))
                .text("tournament", render::clean(&self.tournament));
            let how =
                Message::new("tournament-unconfirmed-how").text("tournament", &self.tournament);
            return Err(Failure::told(Exit::Usage, "confirm", message).help(how));
        }
        let request = ControlTournament {
            tournament: self.tournament,
            action: Control::Cancel,
            reason: Some(self.reason),
        };
        let signed_in = sign_in(context, 0).await?;
        print_answer(context, signed_in, request.into()).await
    }
}

async fn print_answer(
    context: &Context,
    mut signed_in: SignedIn,
    request: ClientMessage,
) -> Result<Exit, Failure> {
    let state = state_of(&mut signed_in.connection, request).await?;
    signed_in.connection.close().await;
    show::print(context, &state, None)?;
    Ok(Exit::Done)
}
