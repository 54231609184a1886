//! `grundy logout`: this computer forgets the account, and the server this computer.

use clap::Args;
use grundy_shared::protocol::client::Logout;
use serde_json::json;

use crate::account::{forget, only_known};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{clean, word};

/// Arguments of `logout`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  grundy logout

The secret of this computer is revoked: no program can use it any more. A guest without a password could \
not come back, so that needs --forget.")]
pub(crate) struct Arguments {
    /// Sign out even where there is no password to come back with
    #[arg(long)]
    forget: bool,
}

impl Arguments {
    /// Signs out.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut signed_in = only_known(context).await?;
        let name = clean(&signed_in.welcome.player.name);
        if !signed_in.welcome.claimed && !self.forget {
            let words = format!("{name} has no password: nobody could sign in as {name} again");
            return Err(Failure::new(Exit::Refused, "no_password", words).hint(
                "set one with 'grundy password', or lose the account with 'grundy logout --forget'",
            ));
        }
        signed_in.connection.ask(Logout {}).await?;
        forget(&signed_in.identity)?;
        let server = context.config.server().to_string();
        if context.output.json {
            context.output.object(&json!({
                "schema": "grundy/logout/1",
                "server": server,
                "player": signed_in.welcome.player,
            }))?;
        } else {
            context
                .output
                .sentences(&format!("{name} is signed out at {server}."))?;
            if signed_in.welcome.claimed {
                context
                    .output
                    .talk(&format!("Sign in again with: grundy login {}", word(&name)));
            }
        }
        Ok(Exit::Done)
    }
}
