//! `grundy lobby`: who looks for an opponent; takes a seat and plays.

mod hall;

use std::path::PathBuf;

use clap::Args;
use grundy_shared::ids::{Millis, SeekId};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::{Ping, Seeks, Take};
use grundy_shared::protocol::lobby::SeekInfo;
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde_json::json;

use self::hall::{Hall, Wish};
use super::join::take_seat;
use crate::account::{SignedIn, sign_in};
use crate::confirm::may_record;
use crate::connection::{Answer, Welcome, unexpected};
use crate::context::{Context, Then};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::lobby;
use crate::session::lines::Lines;

/// Arguments of `lobby`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy lobby                      list the open seats; on a terminal, choose one and play, or watch a match
  grundy lobby --game kayles
  grundy lobby Tk8Ld4WnZe           take this seat
  grundy play nim:3,5,7 --open      open a seat yourself
  grundy play --anyone              let the server find an opponent

Taking your own seat makes you a second guest, so that two of your terminals can play each other.")]
pub(crate) struct Arguments {
    /// The seat to take, by its id [default: list the seats]
    #[arg(value_name = "SEAT")]
    seek: Option<String>,
    /// List only seats of this game
    #[arg(long, value_name = "GAME", conflicts_with = "seek")]
    game: Option<String>,
    /// The largest number of seats to list
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
    /// Write the record of the match to this file at the end
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// What the user chooses from a list.
enum Choice {
    Seat(String),
    Again,
    Leave,
}

impl Arguments {
    /// Lists the open seats, or takes one.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if !may_record(&context.output, self.record.as_deref()).await? {
            return Ok(Exit::Done);
        }
        if self.seek.is_none() && context.output.signs.is_some() {
            return self.in_the_hall(context).await;
        }
        let mut signed_in = sign_in(context, 0).await?;
        if let Some(seek) = self.seek.clone() {
            let seek = seek_id(&seek)?;
            return match take(context, signed_in, seek.to_string()).await? {
                (signed_in, Ok(reply)) => self.play(context, signed_in, reply).await,
                (_, Err(failure)) => Err(failure),
            };
        }
        loop {
            let (seeks, more) = self.seeks(&mut signed_in).await?;
            let now = match signed_in.connection.ask(Ping {}).await? {
                Reply::Pong { now_ms } => now_ms,
                other => return Err(unexpected(&other)),
            };
            self.show(context, &signed_in.welcome, now, (&seeks, more))?;
            if !context.output.asks || seeks.is_empty() {
                signed_in.connection.close().await;
                return Ok(Exit::Done);
            }
            let seek = match choose(context, &mut signed_in, &seeks).await? {
                Choice::Seat(seek) => seek,
                Choice::Again => continue,
                Choice::Leave => {
                    signed_in.connection.close().await;
                    return Ok(Exit::Done);
                }
            };
            let (back, answer) = take(context, signed_in, seek).await?;
            match answer {
                Ok(reply) => return self.play(context, back, reply).await,
                Err(failure) if failure.has_code(ErrorCode::NoSuchSeek) => {
                    context
                        .output
                        .talk(&context.output.words().say("lobby-gone"));
                    signed_in = back;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// The lobby on the full screen, until the user has chosen something.
    async fn in_the_hall(self, context: &Context) -> Result<Exit, Failure> {
        let mut hall = Hall::enter(context, self.game.clone(), self.limit)?;
        loop {
            let command = match hall.wish().await? {
                Wish::Leave => return Ok(Exit::Done),
                Wish::Interrupt => return Ok(Exit::Interrupted),
                Wish::Command(mut command) => {
                    let plays = ["play", "join", "watch"].map(str::to_owned);
                    if let Some(path) = &self.record
                        && command.first().is_some_and(|word| plays.contains(word))
                    {
                        command.extend(["--record".to_owned(), path.display().to_string()]);
                    }
                    command
                }
                Wish::Seat(seek) => {
                    let signed_in = sign_in(context, 0).await?;
                    match take(context, signed_in, seek.to_string()).await? {
                        (back, Ok(reply)) => {
                            // The screen is for the match now.
                            drop(hall);
                            return self.play(context, back, reply).await;
                        }
                        // Somebody was quicker, or it is not possible now.
                        (_, Err(failure))
                            if failure.exit() == Exit::Refused
                                || failure.has_code(ErrorCode::NoSuchSeek) =>
                        {
                            hall.refuse(&failure);
                            continue;
                        }
                        (_, Err(failure)) => return Err(failure),
                    }
                }
            };
            // A command leads to one other.
            let _ = context.then.set(Then(command));
            return Ok(Exit::Done);
        }
    }

    /// The open seats, the oldest first, and whether there are more.
    async fn seeks(&self, signed_in: &mut SignedIn) -> Result<(Vec<SeekInfo>, bool), Failure> {
        let ask = Seeks {
            game: self.game.clone(),
            after: None,
            limit: Some(self.limit),
        };
        match signed_in.connection.ask(ask).await? {
            Reply::Seeks { mut seeks, next } => {
                seeks.sort_by_key(|seek| seek.opened_at_ms);
                Ok((seeks, next.is_some()))
            }
            other => Err(unexpected(&other)),
        }
    }

    fn show(
        &self,
        context: &Context,
        welcome: &Welcome,
        now: Millis,
        (seeks, more): (&[SeekInfo], bool),
    ) -> Result<(), Failure> {
        let output = &context.output;
        if output.json {
            return output.object(&json!({
                "schema": "grundy/lobby/1",
                "seeks": seeks,
                "more": more,
            }));
        }
        let words = output.words();
        if seeks.is_empty() {
            output.talk(&words.say("lobby-empty"));
            return Ok(());
        }
        output.text(&lobby::table(
            seeks,
            &welcome.player,
            now,
            output.width(),
            words,
        ))?;
        if more {
            output.talk(&words.say("lobby-more"));
        }
        if !output.asks {
            output.talk(&words.say("lobby-take"));
        }
        Ok(())
    }

    async fn play(
        self,
        context: &Context,
        signed_in: SignedIn,
        reply: Reply,
    ) -> Result<Exit, Failure> {
        match reply {
            Reply::Joined { match_id, .. } => {
                take_seat(context, signed_in, match_id, self.record).await
            }
            other => Err(unexpected(&other)),
        }
    }
}

/// Takes a seat; our own one as our second guest.
async fn take(
    context: &Context,
    mut signed_in: SignedIn,
    seek: String,
) -> Result<(SignedIn, Answer), Failure> {
    let answer = signed_in
        .connection
        .ask(Take { seek: seek.clone() })
        .await
        .map_err(in_the_lobby);
    match answer {
        Err(failure) if failure.has_code(ErrorCode::OwnMatch) => {
            signed_in.connection.close().await;
            context
                .output
                .talk(&context.output.words().say("lobby-own"));
            let mut second = sign_in(context, 1).await?;
            let answer = second.connection.ask(Take { seek }).await;
            Ok((second, answer.map_err(in_the_lobby)))
        }
        answer => Ok((signed_in, answer)),
    }
}

fn in_the_lobby(failure: Failure) -> Failure {
    match failure.has_code(ErrorCode::Declined) {
        true => failure.help(Message::new("lobby-takes")),
        false => failure,
    }
}

/// Asks which seat to take. The server is listened to meanwhile, so that it does not take us for gone.
async fn choose(
    context: &Context,
    signed_in: &mut SignedIn,
    seeks: &[SeekInfo],
) -> Result<Choice, Failure> {
    let mut lines = Lines::of_stdin();
    loop {
        let words = context.output.words();
        let question = words.say("lobby-ask");
        context.output.text(&format!("{question} "))?;
        let line = loop {
            tokio::select! {
                line = lines.next() => break line,
                heard = signed_in.connection.receive() => { heard?; }
            }
        };
        let typed = line.unwrap_or_default();
        match typed.trim() {
            "" | "q" | "quit" => return Ok(Choice::Leave),
            "r" | "R" => return Ok(Choice::Again),
            number => {
                let chosen = number.parse::<usize>().ok();
                let seat = chosen.and_then(|number| seeks.get(number.checked_sub(1)?));
                match seat {
                    Some(seat) => return Ok(Choice::Seat(seat.seek.to_string())),
                    None => {
                        let last = Message::new("lobby-number").text("last", seeks.len());
                        context.output.talk(&last.said(words));
                    }
                }
            }
        }
    }
}

fn seek_id(text: &str) -> Result<SeekId, Failure> {
    text.parse().map_err(|_| {
        let shown = crate::render::clean(&crate::render::short(text));
        let message = Message::new("bad-seek").text("text", shown);
        Failure::told(Exit::Input, "bad_seek", message).help(Message::new("bad-seek-how"))
    })
}
