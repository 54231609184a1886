//! Challenging a player: asks, and waits for the match.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::MatchId;
use grundy_shared::protocol::AccountEvent;
use grundy_shared::protocol::account::{ChallengeEnd, ChallengeInfo, DeclineReason};
use grundy_shared::protocol::client::{Challenge, FollowAccount, WithdrawChallenge};
use grundy_shared::protocol::server::Reply;

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
    context.output.talk(&format!(
        "Challenge {} to {}. Waiting for the answer; Ctrl-C withdraws it.",
        challenge.challenge,
        shown(&challenge.to)
    ));
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
                return Err(Failure::new(Exit::Interrupted, "withdrawn", "the challenge is withdrawn"));
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
    let who = shown(to);
    let (code, words) = match end {
        ChallengeEnd::Declined => {
            let why = match reason.unwrap_or_default() {
                DeclineReason::Other => String::new(),
                reason => format!(": {}", reason.in_words()),
            };
            ("declined", format!("{who} declined the challenge{why}"))
        }
        ChallengeEnd::Expired => (
            "expired",
            format!("{who} did not answer the challenge in time"),
        ),
        ChallengeEnd::Withdrawn => ("withdrawn", "the challenge was withdrawn".to_owned()),
        ChallengeEnd::ServerStopped | ChallengeEnd::Accepted => (
            "shutting_down",
            "the server is stopping, and the challenge has ended".to_owned(),
        ),
    };
    Failure::new(Exit::Refused, code, words)
}

/// A player's name, and whether it is a bot.
pub(crate) fn shown(player: &PlayerInfo) -> String {
    match player.bot {
        true => format!("{} (bot)", clean(&player.name)),
        false => clean(&player.name),
    }
}
