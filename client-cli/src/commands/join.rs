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
    /// The eight-letter code from your friend, or the link, which names the server, too
    #[arg(value_name = "CODE")]
    code: String,
    /// Write the record of the match to this file at the end
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl Arguments {
    /// Joins and plays.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let (server, code) = invitation(&self.code)?;
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

/// Reads a code, or a link with its server as invitations show it: `http://127.0.0.1:7310/j/KWQHRMTB`.
///
/// # Errors
/// It is neither.
pub(super) fn invitation(text: &str) -> Result<(Option<Address>, JoinCode), Failure> {
    let path = text.split(['?', '#']).next().unwrap_or(text);
    let path = path.trim().trim_end_matches('/');
    let (server, code) = match path.rsplit_once('/') {
        Some((before, code)) => {
            let server = before.strip_suffix("/j").unwrap_or(before);
            (Some(Address::parse(server).ok()), code)
        }
        None => (None, path),
    };
    match (server, code.parse::<JoinCode>()) {
        (None, Ok(code)) => Ok((None, code)),
        (Some(Some(server)), Ok(code)) => Ok((Some(server), code)),
        (link, _) => {
            let shown = crate::render::clean(&crate::render::short(text));
            let kind = if link.is_some() { "link" } else { "code" };
            let message = Message::new("join-bad-code")
                .text("kind", kind)
                .text("code", shown);
            let how = Message::new("join-bad-code-how").text("kind", kind);
            Err(Failure::told(Exit::Input, "bad_code", message).help(how))
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_however_it_was_copied() {
        for (text, server) in [
            ("KWQHRMTB", None),
            (" kwqhrmtb\n", None),
            (
                "http://127.0.0.1:7310/j/KWQHRMTB",
                Some("http://127.0.0.1:7310"),
            ),
            ("127.0.0.1:7310/j/KWQHRMTB/", Some("http://127.0.0.1:7310")),
            (
                "https://play.example/j/KWQHRMTB?lang=zh-CN",
                Some("https://play.example"),
            ),
            (
                "wss://play.example/KWQHRMTB#top",
                Some("https://play.example"),
            ),
        ] {
            let (there, code) = invitation(text).expect(text);
            assert_eq!(
                there.map(|there| there.to_string()).as_deref(),
                server,
                "{text}"
            );
            assert_eq!(code.to_string(), "KWQHRMTB", "{text}");
        }
    }

    #[test]
    fn what_is_no_invitation_is_refused_with_an_example() {
        for text in [
            "",
            "KWQ",
            "https://play.example",
            "https://play.example/j/",
            "https://play.example/j/KWQ",
            "https://play.example/g/KWQHRMTB",
            "ftp://play.example/j/KWQHRMTB",
            "/j/KWQHRMTB",
        ] {
            let failure = invitation(text).expect_err(text);
            assert_eq!(failure.exit(), Exit::Input, "{text}");
            let is_link = text.contains('/');
            assert_eq!(failure.message().contains("link"), is_link, "{text}");
        }
    }
}
