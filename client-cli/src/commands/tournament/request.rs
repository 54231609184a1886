//! Requests about one tournament that are answered with its state: join, withdraw, start, pause, resume, cancel.

use clap::Args;
use grundy_shared::protocol::client::ClientMessage;
use grundy_shared::protocol::tournament::{
    Control, ControlTournament, JoinTournament, WithdrawFromTournament,
};

use super::show;
use super::state::state_of;
use crate::account::sign_in;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of a command about one tournament.
#[derive(Debug, Args)]
pub(super) struct Named {
    /// The tournament
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,
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
    Withdraw,
    Control(Control),
}

impl Named {
    /// Asks, and prints the state that comes back.
    pub(super) async fn ask(self, context: &Context, wish: Wish) -> Result<Exit, Failure> {
        let tournament = self.tournament;
        let request: ClientMessage = match wish {
            Wish::Join => JoinTournament { tournament }.into(),
            Wish::Withdraw => WithdrawFromTournament { tournament }.into(),
            Wish::Control(action) => ControlTournament {
                tournament,
                action,
                reason: None,
            }
            .into(),
        };
        print_answer(context, request).await
    }
}

impl Cancel {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if self.confirm != self.tournament {
            let words = format!(
                "--confirm {} does not name the tournament {}",
                self.confirm, self.tournament
            );
            return Err(Failure::new(Exit::Usage, "confirm", words).hint(format!(
                "grundy tournament cancel {0} --confirm {0}",
                self.tournament
            )));
        }
        let request = ControlTournament {
            tournament: self.tournament,
            action: Control::Cancel,
            reason: Some(self.reason),
        };
        print_answer(context, request.into()).await
    }
}

async fn print_answer(context: &Context, request: ClientMessage) -> Result<Exit, Failure> {
    let mut signed_in = sign_in(context, 0).await?;
    let state = state_of(&mut signed_in.connection, request).await?;
    signed_in.connection.close().await;
    show::print(context, &state, None)?;
    Ok(Exit::Done)
}
