//! `grundy join`: the other seat of a match, by its code.

use std::path::PathBuf;
use std::sync::OnceLock;

use clap::Args;
use grundy_shared::ids::{JoinCode, MatchId};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::Join;
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;

use crate::account::{SignedIn, sign_in};
use crate::address::Address;
use crate::confirm::may_record;
use crate::connection::{Answer, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::remote;
use crate::session::match_view::{MatchView, Ours};
use crate::session::{Opening, Session};

/// Arguments of `join`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy join KWQHRMTB
  grundy join https://grundy.example/j/KWQHRMTB

Joining your own invitation makes you a second guest, so that two of your terminals can play \
each other. Joining again returns you to that second seat.")]
pub(crate) struct Arguments {
    /// The eight-letter code from your friend, or the link
    #[arg(value_name = "CODE")]
    code: String,
    /// Write the record of the match to this file at the end
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl Arguments {
    /// Joins and plays.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let (server, code) = match of_link(&self.code) {
            Some((server, code)) => (Some(server), code),
            None => (None, &*self.code),
        };
        let code: JoinCode = code.parse().map_err(|_| {
            let shown = crate::render::clean(&crate::render::short(&self.code));
            let message = Message::new("join-bad-code").text("code", shown);
            Failure::told(Exit::Input, "bad_code", message).help(Message::new("join-bad-code-how"))
        })?;
        let Some(server) = server else {
            return self.join(context, code).await;
        };
        let there = Context {
            output: context.output,
            config: context.config.at(server)?,
            config_file: context.config_file.clone(),
            then: OnceLock::new(),
        };
        let done = self.join(&there, code).await;
        if let Some(then) = there.then.into_inner() {
            // Later requests go to that server, too.
            let server = there.config.server().to_string();
            let _ = context.then.set(then.at(&server));
        }
        done
    }

    async fn join(self, context: &Context, code: JoinCode) -> Result<Exit, Failure> {
        if !may_record(&context.output, self.record.as_deref()).await? {
            return Ok(Exit::Done);
        }
        let (mut signed_in, answer) = ask(context, 0, code).await?;
        let answer = match answer {
            Err(failure) if failure.has_code(ErrorCode::OwnMatch) => {
                signed_in.connection.close().await;
                context.output.talk(&context.output.words().say("join-own"));
                let second = ask(context, 1, code).await?;
                signed_in = second.0;
                second
                    .1
                    .map_err(|failure| match failure.has_code(ErrorCode::SeatTaken) {
                        true => failure.help(Message::new("join-own-seat")),
                        false => failure,
                    })
            }
            answer => answer,
        };
        let match_id = match answer? {
            Reply::Joined { match_id, .. } => match_id,
            other => return Err(unexpected(&other)),
        };
        take_seat(context, signed_in, match_id, self.record).await
    }
}

/// The server and the code of a link as invitations show it: `http://127.0.0.1:7310/j/KWQHRMTB`.
fn of_link(text: &str) -> Option<(Address, &str)> {
    let (server, code) = text.trim().rsplit_once("/j/")?;
    let server = Address::parse(server).ok()?;
    let code = code.trim_end_matches('/').split(['?', '#']).next()?;
    Some((server, code))
}

/// Plays a match whose seat the server has just given us.
pub(super) async fn take_seat(
    context: &Context,
    signed_in: SignedIn,
    match_id: MatchId,
    record: Option<PathBuf>,
) -> Result<Exit, Failure> {
    let now = signed_in.welcome.now;
    let ours = Ours::Player(signed_in.welcome.player.id);
    let server = context.config.server().clone();
    let link = remote::seated(signed_in, server, match_id, context.config.timeout());
    Session::new(
        context,
        link,
        MatchView::new(match_id, ours),
        Opening::Joined,
    )
    .at_server_time(now)
    .recording(record)
    .run()
    .await
}

/// Asks for the seat as our identity number `which`.
async fn ask(
    context: &Context,
    which: usize,
    code: JoinCode,
) -> Result<(SignedIn, Answer), Failure> {
    let mut signed_in = sign_in(context, which).await?;
    let code = code.to_string();
    let answer = signed_in.connection.ask(Join { code }).await;
    Ok((signed_in, answer))
}
