//! `grundy whoami`: who we are at the server.

use clap::Args;
use grundy_shared::protocol::{Scope, Scopes};
use grundy_words::Message;
use serde_json::json;

use crate::account::{self, sign_in};
use crate::connection::Welcome;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::clean;

/// Arguments of `whoami`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  grundy whoami --profile work")]
pub(crate) struct Arguments {
    /// Confirm that --server is a new address of a server that you already know, and use the same identity there
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
                "claimed": welcome.claimed,
                "scopes": welcome.scopes,
                "token_expires_at_ms": welcome.token_expires_at,
                "running_matches": running,
                "limits": welcome.limits,
            }))?;
        } else {
            let whoami = Message::new("whoami")
                .text("name", clean(&welcome.player.name))
                .text("server", config.server())
                .text("version", clean(&welcome.server))
                .text("profile", config.profile())
                .number("count", running as u64);
            context.output.line(&whoami.said(context.output.words()))?;
        }
        if !context.output.json {
            say_what_is_missing(context, welcome);
        }
        signed_in.connection.close().await;
        Ok(Exit::Done)
    }
}

/// What a guest does not have yet, and what a token is not good for.
fn say_what_is_missing(context: &Context, welcome: &Welcome) {
    let missing = Scopes::of(&[Scope::Play, Scope::Account]).without(welcome.scopes);
    if !welcome.scopes.is_empty() && !missing.is_empty() {
        let scopes = Message::new("whoami-scopes").text("scopes", welcome.scopes);
        context.output.talk(&scopes.said(context.output.words()));
    } else if !welcome.claimed {
        let guest = context.output.words().say("whoami-guest");
        context.output.talk(&guest);
    }
}
