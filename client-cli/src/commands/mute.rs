//! `grundy mute` and `grundy unmute`: hide a player's chat lines, and show them again.

use clap::Args;
use grundy_shared::event::PlayerInfo;
use grundy_shared::protocol::client::{Mute, Muted, Unmute};
use grundy_shared::protocol::server::Reply;
use grundy_words::{Catalogue, Message};
use serde_json::json;

use crate::account::{SignedIn, sign_in};
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::clean;

/// Arguments of `mute`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy mute Bo
  grundy mute        list the players you have muted

The server sends you no more chat lines of this player. The player is not notified.")]
pub(crate) struct MuteArguments {
    /// The player's id or name; without it, list the players you have muted
    #[arg(value_name = "PLAYER")]
    player: Option<String>,
}

/// Arguments of `unmute`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  grundy unmute Bo")]
pub(crate) struct UnmuteArguments {
    /// The player's id or name
    #[arg(value_name = "PLAYER")]
    player: String,
}

impl MuteArguments {
    /// Mutes the player, if one is named, and then lists all muted players.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let done = match self.player {
            Some(player) => {
                let muted = Message::new("mute-on").text("name", clean(&player));
                settle(&mut signed_in, Mute { player }).await?;
                Some(muted)
            }
            None => None,
        };
        finish(context, signed_in, done).await
    }
}

impl UnmuteArguments {
    /// Unmutes the player.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let player = self.player;
        let unmuted = Message::new("mute-off").text("name", clean(&player));
        settle(&mut signed_in, Unmute { player }).await?;
        finish(context, signed_in, Some(unmuted)).await
    }
}

async fn settle(
    signed_in: &mut SignedIn,
    ask: impl Into<grundy_shared::protocol::ClientMessage>,
) -> Result<(), Failure> {
    match signed_in.connection.ask(ask).await? {
        Reply::Done { .. } => Ok(()),
        other => Err(unexpected(&other)),
    }
}

/// Reports the change, or else the muted players. For programs, always reports the muted players.
async fn finish(
    context: &Context,
    mut signed_in: SignedIn,
    done: Option<Message>,
) -> Result<Exit, Failure> {
    let players = match signed_in.connection.ask(Muted {}).await? {
        Reply::Muted { players } => players,
        other => return Err(unexpected(&other)),
    };
    signed_in.connection.close().await;
    if context.output.json {
        context.output.object(&json!({
            "schema": "grundy/muted/1",
            "server": context.config.server().to_string(),
            "players": players,
        }))?;
    } else {
        let words = context.output.words();
        let done = done.unwrap_or_else(|| listed(&players, words));
        context.output.line(&done.said(words))?;
    }
    Ok(Exit::Done)
}

fn listed(players: &[PlayerInfo], words: &Catalogue) -> Message {
    match players {
        [] => Message::new("mute-none"),
        players => {
            let names: Vec<String> = players.iter().map(|player| clean(&player.name)).collect();
            Message::new("mute-list").text("names", names.join(&words.say("list-comma")))
        }
    }
}
