//! `grundy whoami`: who we are at the server.

use clap::Args;
use serde_json::json;

use crate::account::{self, sign_in};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::clean;

/// Arguments of `whoami`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  grundy whoami --profile work")]
pub(crate) struct Arguments {
    /// Use your identity of a server that you know at this new address of it too
    #[arg(long)]
    same_server: bool,
}

impl Arguments {
    /// Says it; a first visit makes a guest.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if self.same_server {
            account::accept_address(context).await?;
        }
        let signed_in = sign_in(context, 0).await?;
        let (welcome, config) = (&signed_in.welcome, &context.config);
        let running = welcome.obligations.len();
        if context.output.json {
            context.output.object(&json!({
                "schema": "grundy/whoami/1",
                "server": config.server().to_string(),
                "server_id": welcome.server_id,
                "server_version": welcome.server,
                "profile": config.profile(),
                "player": welcome.player,
                "running_matches": running,
                "limits": welcome.limits,
            }))?;
        } else {
            context.output.line(&format!(
                "{} at {} ({}), profile {}, {running} running {}",
                clean(&welcome.player.name),
                config.server(),
                clean(&welcome.server),
                config.profile(),
                if running == 1 { "match" } else { "matches" },
            ))?;
        }
        signed_in.connection.close().await;
        Ok(Exit::Done)
    }
}
