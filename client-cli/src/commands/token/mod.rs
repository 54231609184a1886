//! `grundy token`: secrets for programs and other computers, each with as few rights as it needs.

mod create;
mod list;
mod listed;
mod place;

use clap::{Args, Subcommand};
use grundy_shared::protocol::client::{RevokeToken, RotateToken};
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde_json::json;

use self::listed::find;
use self::place::{Place, hand_over};
use crate::account::{SignedIn, sign_in, sign_in_bot};
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::clean;

/// Arguments of `token`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy token create reader --scope watch --expires 90d --to reader.token
  grundy --token-file reader.token games list
  grundy token list
  grundy token rotate reader --to reader.token
  grundy token revoke reader
  grundy token create server --bot --scope bot --to bot.token
  grundy --token-file bot.token bot run --games nim -- ./mybot

Scopes:
  play        play as a person does
  bot         play as a program that is asked to: it begins no match of its own
  watch       read only
  tournament  create tournaments, where the server lets you, and control yours
  admin       sign players out and help them back in; operators only
  account     manage the account; what 'grundy login' uses has every scope

A token is shown once. Whoever has it can do what its scopes say in your name, until it expires or you \
revoke it; then its connections are closed at once.")]
pub(crate) struct Arguments {
    /// The tokens of your bot, which is another player than you
    #[arg(long, global = true)]
    bot: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a token and print it, once
    Create(create::Arguments),
    /// List your tokens, without their secrets
    List,
    /// Replace a token by a new one with the same rights
    Rotate {
        /// Its name, or its first characters as 'grundy token list' shows them
        token: String,
        #[command(flatten)]
        place: Place,
    },
    /// Revoke a token: its connections are closed
    Revoke {
        /// Its name, or its first characters as 'grundy token list' shows them
        token: String,
    },
}

impl Arguments {
    /// Does what is asked.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let owner = match self.bot {
            true => sign_in_bot(context, None).await?,
            false => sign_in(context, 0).await?,
        };
        match self.command {
            Command::Create(arguments) => arguments.run(context, owner).await,
            Command::List => list::run(context, owner).await,
            Command::Rotate { token, place } => rotate(context, owner, &token, &place).await,
            Command::Revoke { token } => revoke(context, owner, &token).await,
        }
    }
}

async fn rotate(
    context: &Context,
    mut owner: SignedIn,
    token: &str,
    place: &Place,
) -> Result<Exit, Failure> {
    let token = find(&mut owner, token).await?.prefix;
    if !place.is_free(context).await? {
        return Ok(Exit::Done);
    }
    match owner.connection.ask(RotateToken { token }).await? {
        Reply::Token { token, secret } => hand_over(context, place, &token, &secret)?,
        other => return Err(unexpected(&other)),
    }
    owner.connection.close().await;
    Ok(Exit::Done)
}

async fn revoke(context: &Context, mut owner: SignedIn, token: &str) -> Result<Exit, Failure> {
    let revoked = find(&mut owner, token).await?;
    if revoked.this {
        let message = Message::new("token-own");
        return Err(
            Failure::told(Exit::Refused, "own_token", message).help(Message::new("token-own-how"))
        );
    }
    let token = revoked.prefix.clone();
    owner.connection.ask(RevokeToken { token }).await?;
    owner.connection.close().await;
    match context.output.json {
        true => context.output.object(&json!({
            "schema": "grundy/token/1",
            "revoked": revoked,
        }))?,
        false => {
            let done = Message::new("token-revoked")
                .text("name", clean(&revoked.name))
                .text("prefix", clean(&revoked.prefix));
            context
                .output
                .sentences(&done.said(context.output.words()))?;
        }
    }
    Ok(Exit::Done)
}
