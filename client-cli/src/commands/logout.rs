//! `grundy logout`: this computer forgets the account, and the server this computer.

use clap::Args;
use grundy_shared::protocol::client::Logout;
use grundy_words::Message;
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
            let message = Message::new("logout-lost").text("name", name);
            return Err(Failure::told(Exit::Refused, "no_password", message)
                .help(Message::new("logout-lost-how")));
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
            let words = context.output.words();
            let done = Message::new("logout-done")
                .text("name", &name)
                .text("server", server);
            context.output.sentences(&done.said(words))?;
            if signed_in.welcome.claimed {
                let again = Message::new("logout-again").text("name", word(&name));
                context.output.talk(&again.said(words));
            }
        }
        Ok(Exit::Done)
    }
}
