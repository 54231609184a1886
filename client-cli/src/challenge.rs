//! Challenging a player: asks, and waits for the match.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::MatchId;
use grundy_shared::protocol::AccountEvent;
use grundy_shared::protocol::account::{ChallengeEnd, ChallengeInfo, DeclineReason};
use grundy_shared::protocol::client::{Challenge, FollowAccount, WithdrawChallenge};
use grundy_shared::protocol::server::Reply;
use grundy_words::{Catalogue, Message};

use crate::account::SignedIn;
use crate::connection::{Incoming, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::Link;
use crate::match_source::remote::{Manner, attach, seated};
use crate::render::clean;

/// Challenges a player and waits until the match is made, and follows it.
///
/// # Errors
/// The player is not here, declines, or does not answer in time; or the user stops waiting.
pub(crate) async fn challenge(
    context: &Context,
    mut signed_in: SignedIn,
    request: Challenge,
) -> Result<(Link, MatchId), Failure> {
    signed_in.connection.ask(FollowAccount::default()).await?;
    let (server, patience) = (context.config.server().clone(), context.config.timeout());
    let challenge = match signed_in.connection.ask(request).await? {
        Reply::Joined { match_id, .. } => {
            return Ok((seated(signed_in, server, match_id, patience), match_id));
        }
        Reply::Challenged { challenge } => challenge,
        other => return Err(unexpected(&other)),
    };
    let words = context.output.words();
    let sent = Message::new("challenge-sent")
        .text("challenge", challenge.challenge)
        .text("name", shown(&challenge.to, words));
    context.output.talk(&sent.said(words));
    let match_id = answer(&mut signed_in, &challenge).await?;
    let link = attach(signed_in, server, match_id, Manner::Playing, patience).await?;
    Ok((link, match_id))
}

/// Waits for the end of a challenge: the match, if it is accepted.
async fn answer(signed_in: &mut SignedIn, challenge: &ChallengeInfo) -> Result<MatchId, Failure> {
    let ours = challenge.challenge;
    loop {
        let heard = tokio::select! {
            heard = signed_in.connection.receive() => heard?,
            _ = tokio::signal::ctrl_c() => {
                let challenge = ours.to_string();
                signed_in.connection.ask(WithdrawChallenge { challenge }).await?;
                let message = Message::new("challenge-withdrawn");
                return Err(Failure::told(Exit::Interrupted, "withdrawn", message));
            }
        };
        let Incoming::Account(event) = heard else {
            continue;
        };
        match event {
            AccountEvent::ChallengeEnded {
                challenge: id,
                end,
                reason,
                match_id,
                ..
            } if id == ours => {
                return match (end, match_id) {
                    (ChallengeEnd::Accepted, Some(match_id)) => Ok(match_id),
                    _ => Err(no_match(&challenge.to, end, reason)),
                };
            }
            _ => {}
        }
    }
}

fn no_match(to: &PlayerInfo, end: ChallengeEnd, reason: Option<DeclineReason>) -> Failure {
    let reason = reason.unwrap_or_default();
    let (code, case) = match end {
        ChallengeEnd::Declined if reason == DeclineReason::Other => ("declined", "declined"),
        ChallengeEnd::Declined => ("declined", "declined-why"),
        ChallengeEnd::Expired => ("expired", "expired"),
        ChallengeEnd::Withdrawn => ("withdrawn", "withdrawn"),
        ChallengeEnd::ServerStopped | ChallengeEnd::Accepted => ("shutting_down", "stopped"),
    };
    let message = Message::new("challenge-no-match")
        .text("case", case)
        .messages("name", vec![player(to)])
        .text("reason", key(reason))
        .text("said", reason.in_words());
    Failure::told(Exit::Refused, code, message)
}

/// A reason as the messages name it.
fn key(reason: DeclineReason) -> &'static str {
    match reason {
        DeclineReason::Other => "other",
        DeclineReason::Later => "later",
        DeclineReason::Game => "game",
        DeclineReason::Position => "position",
        DeclineReason::TooFast => "too-fast",
        DeclineReason::TooSlow => "too-slow",
        DeclineReason::Untimed => "untimed",
        DeclineReason::Timed => "timed",
        DeclineReason::NoBots => "no-bots",
        DeclineReason::OnlyBots => "only-bots",
        DeclineReason::TooManyMatches => "too-many",
    }
}

/// A player's name, and whether it is a bot.
pub(crate) fn shown(player: &PlayerInfo, words: &Catalogue) -> String {
    self::player(player).said(words)
}

/// The same before it is said in a language.
fn player(player: &PlayerInfo) -> Message {
    Message::new("challenge-player")
        .whether("bot", player.bot)
        .text("name", clean(&player.name))
}
