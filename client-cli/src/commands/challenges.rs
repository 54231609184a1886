//! `grundy challenges`: waits for challenges, and answers them.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use grundy_shared::event::TimeControl;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::protocol::AccountEvent;
use grundy_shared::protocol::account::{ChallengeEnd, ChallengeInfo, DeclineReason};
use grundy_shared::protocol::client::{Accept, Decline, FollowAccount, Side};
use grundy_shared::protocol::server::Reply;
use grundy_words::{Catalogue, Message};
use serde_json::json;

use super::join::take_seat;
use crate::account::{SignedIn, sign_in};
use crate::challenge::shown;
use crate::confirm::may_record;
use crate::connection::{Incoming, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::matches::ending;
use crate::render::sentences::terms;
use crate::render::{clean, short};

/// Arguments of `challenges`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy challenges                       wait, and show each challenge; Ctrl-C ends it
  grundy challenges accept Hc5Wd9JrTe
  grundy challenges decline Hc5Wd9JrTe --reason later

Other players can challenge you while this waits. Accept or decline from another terminal.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the open challenges from you and to you
    List,
    /// Accept a challenge, and play
    Accept {
        /// The challenge
        challenge: String,
        /// Write the record of the match to this file at the end
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
    },
    /// Decline a challenge
    Decline {
        /// The challenge
        challenge: String,
        /// Why
        #[arg(long, value_name = "REASON", default_value = "other")]
        reason: Reason,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Reason {
    /// No reason.
    Other,
    /// Not now.
    Later,
    /// Not this game.
    Game,
    /// Not this start position.
    Position,
    /// The clocks are too fast.
    TooFast,
    /// The clocks are too slow.
    TooSlow,
    /// Only with clocks.
    Untimed,
    /// Only without clocks.
    Timed,
    /// Not against bots.
    NoBots,
    /// Only against bots.
    OnlyBots,
    /// Too many matches.
    TooManyMatches,
}

impl Reason {
    fn on_the_wire(self) -> DeclineReason {
        match self {
            Self::Other => DeclineReason::Other,
            Self::Later => DeclineReason::Later,
            Self::Game => DeclineReason::Game,
            Self::Position => DeclineReason::Position,
            Self::TooFast => DeclineReason::TooFast,
            Self::TooSlow => DeclineReason::TooSlow,
            Self::Untimed => DeclineReason::Untimed,
            Self::Timed => DeclineReason::Timed,
            Self::NoBots => DeclineReason::NoBots,
            Self::OnlyBots => DeclineReason::OnlyBots,
            Self::TooManyMatches => DeclineReason::TooManyMatches,
        }
    }
}

impl Arguments {
    /// Waits, lists, accepts or declines.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        match self.what {
            None => wait(context, signed_in).await,
            Some(What::List) => {
                let open = follow(&mut signed_in).await?;
                signed_in.connection.close().await;
                list(context, &open)?;
                Ok(Exit::Done)
            }
            Some(What::Accept { challenge, record }) => {
                accept(context, signed_in, challenge, record).await
            }
            Some(What::Decline { challenge, reason }) => {
                let reason = reason.on_the_wire();
                let decline = Decline { challenge, reason };
                signed_in.connection.ask(decline).await?;
                signed_in.connection.close().await;
                let words = context.output.words();
                context.output.talk(&words.say("challenges-declined"));
                Ok(Exit::Done)
            }
        }
    }
}

/// Follows our account; the open challenges.
async fn follow(signed_in: &mut SignedIn) -> Result<Vec<ChallengeInfo>, Failure> {
    match signed_in.connection.ask(FollowAccount::default()).await? {
        Reply::Account { challenges, .. } => Ok(challenges),
        other => Err(unexpected(&other)),
    }
}

fn list(context: &Context, open: &[ChallengeInfo]) -> Result<(), Failure> {
    if context.output.json {
        return context.output.object(&json!({
            "schema": "grundy/challenges/1",
            "challenges": open,
        }));
    }
    let words = context.output.words();
    if open.is_empty() {
        context.output.talk(&words.say("challenges-none"));
    }
    for challenge in open {
        context.output.line(&line(challenge, words))?;
    }
    Ok(())
}

/// Shows challenges as they come, until the user stops it.
async fn wait(context: &Context, mut signed_in: SignedIn) -> Result<Exit, Failure> {
    let us = signed_in.welcome.player.clone();
    let words = context.output.words();
    for challenge in follow(&mut signed_in).await? {
        show(
            context,
            &json!({"type": "challenged", "challenge": challenge}),
            &line(&challenge, words),
        )?;
    }
    let waiting = Message::new("challenges-waiting")
        .text("name", shown(&us, words))
        .text("id", us.id);
    context.output.talk(&waiting.said(words));
    // The end of a match names the seat that won: the players are those of its beginning.
    let mut running: HashMap<MatchId, (Seat, String)> = HashMap::new();
    loop {
        let heard = tokio::select! {
            heard = signed_in.connection.receive() => heard?,
            _ = tokio::signal::ctrl_c() => {
                signed_in.connection.close().await;
                return Ok(Exit::Done);
            }
        };
        let Incoming::Account(event) = heard else {
            continue;
        };
        let said = event_line(&event, &mut running, words);
        show(context, &event, &said)?;
    }
}

/// What happened, in a line. `running` has our seat and the opponent of the matches that are not over.
fn event_line(
    event: &AccountEvent,
    running: &mut HashMap<MatchId, (Seat, String)>,
    words: &Catalogue,
) -> String {
    match event {
        AccountEvent::Challenged { challenge, .. } => line(challenge, words),
        AccountEvent::ChallengeEnded { challenge, end, .. } => {
            format!("{challenge}  {}", ended(*end).said(words))
        }
        AccountEvent::MatchBegan {
            match_id,
            opponent,
            seat,
            ..
        } => {
            let opponent = shown(opponent, words);
            running.insert(*match_id, (*seat, opponent.clone()));
            Message::new("challenges-began")
                .text("match", match_id)
                .text("name", opponent)
                .said(words)
        }
        AccountEvent::TournamentPaired {
            tournament,
            round,
            opponent,
            ..
        } => {
            let name = opponent.as_ref().map(|opponent| shown(opponent, words));
            Message::new("challenges-paired")
                .whether("bye", opponent.is_none())
                .text("tournament", tournament)
                .text("round", round)
                .text("name", name.unwrap_or_default())
                .said(words)
        }
        AccountEvent::MatchEnded {
            match_id,
            outcome,
            reason,
            ..
        } => {
            let won = |who, name: String| {
                let won = Message::new("challenges-won").text("who", who);
                won.text("name", name).said(words)
            };
            let ending = match (running.remove(match_id), outcome.winner()) {
                (Some((ours, opponent)), Some(winner)) if winner == ours => won("you", opponent),
                (Some((_, opponent)), Some(_)) => won("name", opponent),
                _ => ending(*outcome, *reason, words),
            };
            Message::new("challenges-over")
                .text("match", match_id)
                .text("ending", ending)
                .said(words)
        }
    }
}

fn show(context: &Context, event: &impl serde::Serialize, said: &str) -> Result<(), Failure> {
    if context.output.json {
        context.output.object(event)
    } else {
        context.output.line(said)
    }
}

/// How a challenge ended.
fn ended(end: ChallengeEnd) -> Message {
    let end = match end {
        ChallengeEnd::Accepted => "accepted",
        ChallengeEnd::Declined => "declined",
        ChallengeEnd::Withdrawn => "withdrawn",
        ChallengeEnd::Expired => "expired",
        ChallengeEnd::ServerStopped => "stopped",
    };
    Message::new("challenge-ended").text("end", end)
}

/// A challenge in a line.
fn line(challenge: &ChallengeInfo, words: &Catalogue) -> String {
    let side = match challenge.side {
        Side::First => "first",
        Side::Second => "second",
        Side::Random => "random",
    };
    let games = match challenge.games {
        1 => "one",
        _ if challenge.rated => "pair",
        _ => "some",
    };
    let is_timed = !matches!(challenge.clock, TimeControl::Untimed {});
    Message::new("challenge-line")
        .text("challenge", challenge.challenge)
        .text("from", shown(&challenge.from, words))
        .text("to", shown(&challenge.to, words))
        .text("start", short(&clean(&challenge.position)))
        .whether("timed", is_timed)
        .text("clock", terms(challenge.clock, words))
        .text("games", games)
        .text("n", challenge.games)
        .text("side", side)
        .said(words)
}

async fn accept(
    context: &Context,
    mut signed_in: SignedIn,
    challenge: String,
    record: Option<PathBuf>,
) -> Result<Exit, Failure> {
    if !may_record(&context.output, record.as_deref()).await? {
        return Ok(Exit::Done);
    }
    let match_id = match signed_in.connection.ask(Accept { challenge }).await? {
        Reply::Joined { match_id, .. } => match_id,
        other => return Err(unexpected(&other)),
    };
    take_seat(context, signed_in, match_id, record).await
}
