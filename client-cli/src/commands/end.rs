//! `grundy resign`, `grundy abort` and `grundy claim`: end a match of ours from outside it.

use clap::Args;
use grundy_words::Message;
use std::time::Duration;

use grundy_shared::event::{self, EndReason, Event};
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::{Abort, Claim, ClientMessage, Record, Resign};
use grundy_shared::protocol::server::{NumberedEvent, Reply};
use serde_json::json;
use tokio::time::sleep;

use super::resume::{NAMED, our_matches};
use crate::account::{identities, sign_in_as};
use crate::confirm::confirmed;
use crate::connection::{Connection, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reading::match_id;

/// How often to look whether the match has ended by consent, and how long to wait in between.
const LOOKS: u32 = 5;
const LOOK: Duration = Duration::from_millis(100);

/// How a match is ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Give up.
    Resign,
    /// Call it off.
    Abort,
    /// Claim the win.
    Claim,
}

impl Way {
    fn request(self, of: MatchId) -> ClientMessage {
        let match_id = of.to_string();
        match self {
            Self::Resign => Resign { match_id }.into(),
            Self::Abort => Abort { match_id }.into(),
            Self::Claim => Claim {
                match_id,
                claim: event::Claim::Win,
            }
            .into(),
        }
    }

    fn question(self, of: MatchId) -> String {
        match self {
            Self::Resign => format!("Resign match {of}?"),
            Self::Abort => format!("Call match {of} off?"),
            Self::Claim => format!("Claim the win of match {of}?"),
        }
    }

    fn done(self, of: MatchId, proposed: bool) -> String {
        match self {
            Self::Abort if proposed => format!(
                "Match {of} has already begun. You have proposed to call it off, and it ends if the other player accepts. To see the answer: grundy resume {of}"
            ),
            Self::Resign => format!("You have resigned match {of}."),
            Self::Abort => format!("Match {of} is called off."),
            Self::Claim => format!("You have claimed match {of}: you win."),
        }
    }
}

/// Arguments of `resign`, `abort` and `claim`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The match; 'grundy games list --mine --status live' shows yours [default: your only running match]
    #[arg(value_name = "MATCH")]
    match_id: Option<String>,
    /// Do not ask first
    #[arg(long, short)]
    yes: bool,
}

impl Arguments {
    /// Ends the match.
    pub(super) async fn run(self, context: &Context, way: Way) -> Result<Exit, Failure> {
        let of = match &self.match_id {
            Some(named) => match_id(named)?,
            None => the_only_one(context).await?,
        };
        let output = context.output;
        if !self.yes && output.asks && !confirmed(&output, &way.question(of)).await? {
            output.talk(&output.words().say("nothing-done"));
            return Ok(Exit::Done);
        }
        // The seat may be that of our second guest.
        let mut refused = None;
        let (ours, connection) = identities(context).await?;
        let mut connection = Some(connection);
        for identity in ours {
            let signed_in = sign_in_as(context, identity, connection.take()).await?;
            let Some(mut signed_in) = signed_in else {
                continue;
            };
            let mut answer = signed_in.connection.ask(way.request(of)).await;
            if let Ok(Reply::Done { proposed, seq, .. }) = &mut answer
                && *proposed
            {
                *proposed =
                    !ends_soon(&mut signed_in.connection, of, seq.unwrap_or_default()).await;
            }
            signed_in.connection.close().await;
            match answer {
                Ok(Reply::Done { proposed, .. }) if output.json => {
                    output.object(
                        &json!({ "schema": "grundy/end/1", "match": of, "proposed": proposed }),
                    )?;
                    return Ok(Exit::Done);
                }
                Ok(Reply::Done { proposed, .. }) => {
                    output.line(&way.done(of, proposed))?;
                    return Ok(Exit::Done);
                }
                Ok(other) => return Err(unexpected(&other)),
                Err(failure) if refused.is_none() || !is_not_ours(&failure) => {
                    let other_seat = is_not_ours(&failure);
                    refused = Some(failure);
                    if !other_seat {
                        break;
                    }
                }
                Err(_) => {}
            }
        }
        Err(refused.unwrap_or_else(|| {
            let message = Message::new("no-match-there")
                .text("server", context.config.server())
                .text("profile", context.config.profile());
            Failure::told(Exit::NotFound, "no_such_match", message)
                .help(Message::new("no-match-there-how"))
        }))
    }
}

/// Our running match on the server, if there is exactly one.
async fn the_only_one(context: &Context) -> Result<MatchId, Failure> {
    let mut running = our_matches(context).await?;
    match (running.pop(), running.is_empty()) {
        (Some(only), true) => Ok(only),
        (None, _) => {
            let message = Message::new("end-none").text("server", context.config.server());
            Err(Failure::told(Exit::NotFound, "no_such_match", message)
                .help(Message::new("end-which-how")))
        }
        (Some(last), false) => {
            running.push(last);
            let named: Vec<String> = running
                .iter()
                .take(NAMED)
                .map(ToString::to_string)
                .collect();
            let message = Message::new("end-which")
                .number("count", running.len() as u64)
                .text("matches", named.join(", "));
            Err(Failure::usage(message).help(Message::new("end-which-how")))
        }
    }
}

/// Whether the other player, or a built-in bot, agrees at once: the match ends.
async fn ends_soon(connection: &mut Connection, of: MatchId, since_seq: Seq) -> bool {
    for _ in 0..LOOKS {
        let record = Record {
            match_id: of.to_string(),
            since_seq,
            limit: None,
        };
        let Ok(Reply::Record { events, .. }) = connection.ask(record).await else {
            return false;
        };
        let ends = |event: &NumberedEvent| {
            let reason = EndReason::Aborted;
            matches!(event.body, Event::Ended { reason: ended, .. } if ended == reason)
        };
        if events.iter().any(ends) {
            return true;
        }
        sleep(LOOK).await;
    }
    false
}

/// Whether another identity of ours may have the seat.
fn is_not_ours(failure: &Failure) -> bool {
    failure.has_code(ErrorCode::NotAPlayer) || failure.has_code(ErrorCode::NoSuchMatch)
}
