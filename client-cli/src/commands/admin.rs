//! `grundy admin`: what an operator does for players.

use clap::{Args, Subcommand};
use grundy_shared::protocol::client::{HelpPlayer, SignOutPlayer};
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde_json::json;

use crate::account::sign_in;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{clean, word};

/// Arguments of `admin`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy admin sign-out Ada
  grundy admin help Ada

Only for players whom the configuration of the server names in 'operators'.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
enum Command {
    /// Revoke all tokens of a player: every connection of the player is closed
    SignOut {
        /// The player, by id or name
        player: String,
    },
    /// Print new recovery codes for a player who cannot sign in any more; the codes before are void
    Help {
        /// The player, by id or name
        player: String,
    },
}

impl Arguments {
    /// Does it.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let output = &context.output;
        match self.command {
            Command::SignOut { player } => {
                let shown = clean(&player);
                signed_in.connection.ask(SignOutPlayer { player }).await?;
                match output.json {
                    true => output.object(&json!({
                        "schema": "grundy/admin/1",
                        "signed_out": shown,
                    }))?,
                    false => {
                        let done = Message::new("admin-signed-out").text("name", shown);
                        output.sentences(&done.said(output.words()))?;
                    }
                }
            }
            Command::Help { player } => {
                match signed_in.connection.ask(HelpPlayer { player }).await? {
                    Reply::RecoveryCodes { player, codes } => {
                        let codes: Vec<String> =
                            codes.iter().map(|code| clean(code.reveal())).collect();
                        if output.json {
                            output.object(&json!({
                                "schema": "grundy/admin/1",
                                "player": player,
                                "recovery_codes": codes,
                            }))?;
                        } else {
                            for code in codes {
                                output.line(&code)?;
                            }
                            let name = clean(&player.name);
                            let about = Message::new("admin-codes")
                                .text("name", word(&name))
                                .text("shown", name);
                            output.talk(&about.said(output.words()));
                        }
                    }
                    other => return Err(unexpected(&other)),
                }
            }
        }
        signed_in.connection.close().await;
        Ok(Exit::Done)
    }
}
