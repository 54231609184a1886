//! `grundy name`: another name at the server.

use clap::Args;
use grundy_shared::protocol::client::Rename;
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde_json::json;

use crate::account::{remember_name, sign_in};
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::clean;

/// Arguments of `name`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  grundy name Ada

No two players of a server have names that look the same: case and look-alike letters make no \
difference. Matches that have been created keep your old name.")]
pub(crate) struct Arguments {
    /// Your new name, 1 to 32 characters
    name: String,
}

impl Arguments {
    /// Renames; a first visit makes a guest first.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let before = signed_in.welcome.player.name.clone();
        let player = match signed_in.connection.ask(Rename { name: self.name }).await? {
            Reply::Renamed { player } => player,
            other => return Err(unexpected(&other)),
        };
        remember_name(signed_in.identity, &player.name)?;
        signed_in.connection.close().await;
        if context.output.json {
            context.output.object(&json!({
                "schema": "grundy/name/1",
                "server": context.config.server().to_string(),
                "before": before,
                "player": player,
            }))?;
        } else {
            let changed = Message::new("name-changed")
                .text("name", clean(&player.name))
                .text("before", clean(&before));
            context.output.line(&changed.said(context.output.words()))?;
        }
        Ok(Exit::Done)
    }
}
