//! `grundy token create`.

use std::time::Duration;

use clap::Args;
use grundy_shared::ids::Millis;
use grundy_shared::protocol::Scope;
use grundy_shared::protocol::client::CreateToken;
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;

use super::place::{Place, hand_over};
use crate::account::SignedIn;
use crate::connection::unexpected;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::misread::Misread;

/// Arguments of `token create`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// What the token is called in your list
    name: String,
    /// What it is good for; give it several times for several scopes
    #[arg(long = "scope", value_name = "SCOPE", required = true, value_parser = scope)]
    scopes: Vec<Scope>,
    /// How long it is valid, such as 90d [default: until it is revoked]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    expires: Option<Duration>,
    #[command(flatten)]
    place: Place,
}

fn scope(word: &str) -> Result<Scope, Misread> {
    word.parse().map_err(|_| {
        let known: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
        Misread(Message::new("misread-scope").text("names", known.join(", ")))
    })
}

impl Arguments {
    pub(super) async fn run(self, context: &Context, mut owner: SignedIn) -> Result<Exit, Failure> {
        if !self.place.is_free(context).await? {
            return Ok(Exit::Done);
        }
        let life =
            |life: Duration| Millis(u64::try_from(life.as_millis()).unwrap_or(u64::MAX >> 11));
        let create = CreateToken {
            name: self.name,
            scopes: self.scopes,
            expires_in_ms: self.expires.map(life),
        };
        match owner.connection.ask(create).await? {
            Reply::Token { token, secret } => hand_over(context, &self.place, &token, &secret)?,
            other => return Err(unexpected(&other)),
        }
        owner.connection.close().await;
        Ok(Exit::Done)
    }
}
