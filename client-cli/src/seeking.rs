//! Looking for an opponent in the lobby: asks, says what happens meanwhile, and waits for the match.

use std::time::Duration;

use grundy_shared::bot::Bot;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Millis};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::{Ping, Seek, WithdrawSeek};
use grundy_shared::protocol::lobby::{SeekEnd, SeekInfo, Window};
use grundy_shared::protocol::server::{Notice, Reply};
use grundy_words::{Catalogue, Language, Message};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep};

use crate::account::{SignedIn, sign_in};
use crate::connection::{Incoming, unexpected};
use crate::context::Context;
use crate::duration::{period, said};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::Link;
use crate::match_source::remote::{Manner, attach};
use crate::render::clean;
use crate::render::lobby::games_of;
use crate::render::sentences::terms;
use crate::trust::Trust;

/// While we wait, the server is asked so often whether it is still there.
const PING: Duration = Duration::from_secs(10);
/// Between two attempts to reach a server that was lost.
const AGAIN: Duration = Duration::from_secs(1);

/// What looking for an opponent came to.
pub(crate) enum Found {
    /// A match, which is followed from our seat.
    Match {
        /// The way to the match.
        link: Link,
        /// The match.
        match_id: MatchId,
        /// Who we are.
        us: PlayerInfo,
        /// The server's time when we signed in.
        now: Millis,
    },
    /// Nobody came in time.
    Nobody {
        /// How long the server has looked.
        waited: Millis,
        /// The bot that the server names instead.
        bot: Bot,
    },
}

/// How one wait ended.
enum Wait {
    Match(MatchId, Option<PlayerInfo>),
    GaveUp(Option<String>),
    /// The connection is lost, and the seek with it.
    Lost,
}

/// Looks for an opponent until there is a match, or until the server gives up. A lost connection is made again.
///
/// # Errors
/// The server refuses, or the user stops it.
pub(crate) async fn seek(context: &Context, request: Seek) -> Result<Found, Failure> {
    let mut signed_in = sign_in(context, 0).await?;
    let words = context.output.words();
    let mut known = open_matches(&signed_in);
    loop {
        let asked = signed_in.connection.ask(request.clone()).await;
        let seek = match asked.map_err(in_the_lobby)? {
            Reply::Seeking { seek } => seek,
            other => return Err(unexpected(&other)),
        };
        announce(context, &seek);
        let match_id = match wait(context, &mut signed_in, &seek).await? {
            Wait::Match(match_id, opponent) => {
                if let Some(opponent) = opponent {
                    let who = Message::new("seek-opponent").text("name", named(&opponent, words));
                    context.output.talk(&who.said(words));
                }
                match_id
            }
            Wait::GaveUp(bot) => {
                let bot = bot.and_then(|bot| bot.parse().ok()).unwrap_or_default();
                let waited = seek.automatic.map_or(Millis(0), |automatic| {
                    automatic.gives_up_at_ms.since(seek.opened_at_ms)
                });
                signed_in.connection.close().await;
                return Ok(Found::Nobody { waited, bot });
            }
            Wait::Lost => {
                context.output.remark(&words.say("seek-lost"));
                signed_in = back(context).await?;
                let now = open_matches(&signed_in);
                // Somebody may have come while we were away.
                match now.iter().find(|id| !known.contains(id)) {
                    Some(made) => *made,
                    None => {
                        known = now;
                        continue;
                    }
                }
            }
        };
        let (us, now) = (signed_in.welcome.player.clone(), signed_in.welcome.now);
        let (server, patience) = (context.config.server().clone(), context.config.timeout());
        let link = attach(signed_in, server, match_id, Manner::Playing, patience).await?;
        return Ok(Found::Match {
            link,
            match_id,
            us,
            now,
        });
    }
}

/// Too many seeks are those of other terminals: each waits for an opponent as this one would.
fn in_the_lobby(failure: Failure) -> Failure {
    match failure.has_code(ErrorCode::TooMany) {
        true => failure.help(Message::new("seek-too-many")),
        false => failure,
    }
}

/// Our matches in which somebody plays against us.
fn open_matches(signed_in: &SignedIn) -> Vec<MatchId> {
    let ours = signed_in.welcome.obligations.iter();
    ours.filter(|ours| ours.code.is_none())
        .map(|ours| ours.match_id)
        .collect()
}

/// Signs in again, as soon as the server is there.
async fn back(context: &Context) -> Result<SignedIn, Failure> {
    loop {
        let attempt = async {
            sleep(AGAIN).await;
            sign_in(context, 0).await
        };
        tokio::select! {
            signed_in = attempt => match signed_in {
                Err(failure) if failure.exit() == Exit::Unreachable => {
                    context.output.detail(failure.message());
                }
                other => return other,
            },
            _ = tokio::signal::ctrl_c() => return Err(stopped()),
        }
    }
}

/// Waits for the end of a seek, and says when its window widens.
async fn wait(
    context: &Context,
    signed_in: &mut SignedIn,
    seek: &SeekInfo,
) -> Result<Wait, Failure> {
    let begun = Instant::now();
    let mut steps = steps(seek).into_iter().peekable();
    let mut stopping = false;
    let mut ping = interval_at(begun + PING, PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let next = steps.peek().map(|(after, _)| begun + *after);
        let widens = async {
            match next {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        let heard = tokio::select! {
            heard = signed_in.connection.receive() => heard,
            () = widens => {
                if let Some((after, window)) = steps.next() {
                    let wider = Message::new("seek-wider")
                        .text("window", window)
                        .text("seconds", after.as_secs());
                    context.output.talk(&wider.said(context.output.words()));
                }
                continue;
            }
            _ = ping.tick() => match signed_in.connection.ask(Ping {}).await {
                Ok(_) => continue,
                Err(failure) => Err(failure),
            },
            _ = tokio::signal::ctrl_c() => {
                let seek = seek.seek.to_string();
                match signed_in.connection.ask(WithdrawSeek { seek }).await {
                    // The seat is taken, or is being taken: the notice is on its way. A second Ctrl-C means that the user does not want the match.
                    Err(failure) if failure.exit() != Exit::Unreachable && !stopping => {
                        stopping = true;
                        context.output.remark(&context.output.words().say("seek-too-late"));
                        continue;
                    }
                    _ => return Err(stopped()),
                }
            }
        };
        match heard {
            Ok(Incoming::Notice(Notice::SeekEnded {
                seek: id,
                end,
                match_id,
                opponent,
                bot,
                ..
            })) if id == seek.seek => {
                return match (end, match_id) {
                    (_, Some(match_id)) => Ok(Wait::Match(match_id, opponent)),
                    (SeekEnd::TooManyMatches, None) => Err(too_many_matches()),
                    _ => Ok(Wait::GaveUp(bot)),
                };
            }
            Ok(_) => {}
            Err(failure) if failure.exit() == Exit::Unreachable => {
                context.output.detail(failure.message());
                return Ok(Wait::Lost);
            }
            Err(failure) => return Err(failure),
        }
    }
}

fn stopped() -> Failure {
    Failure::told(Exit::Interrupted, "withdrawn", Message::new("seek-stopped"))
}

fn too_many_matches() -> Failure {
    Failure::told(Exit::Refused, "too_many_matches", Message::new("seek-full"))
        .help(Message::new("seek-full-how"))
}

/// How long after the start of a seek its window widens, and to what.
fn steps(seek: &SeekInfo) -> Vec<(Duration, &'static str)> {
    let Some(automatic) = seek.automatic else {
        return Vec::new();
    };
    let after = |at: Millis| Duration::from_millis(at.since(seek.opened_at_ms).0);
    let mut steps = Vec::new();
    if automatic.widest >= Window::Near {
        steps.push((after(automatic.near_at_ms), "near"));
    }
    if automatic.widest >= Window::Any {
        steps.push((after(automatic.any_at_ms), "any"));
    }
    steps
}

/// What is sought, and how it ends.
fn announce(context: &Context, seek: &SeekInfo) {
    let words = context.output.words();
    let message = match seek.automatic {
        Some(automatic) => {
            let waits = automatic.gives_up_at_ms.since(seek.opened_at_ms);
            Message::new("seek-looking").text("time", waited(waits, words))
        }
        None => {
            let server = context.config.server();
            let trust = match server.trust() {
                Trust::Only(file) => format!(" --ca {}", file.display()),
                Trust::System => String::new(),
            };
            let command = format!("grundy lobby --server {server}{trust}");
            Message::new("seek-open").text("command", command)
        }
    };
    let message = message.text("what", wanted(seek, words));
    context.output.talk(&message.said(words));
}

/// The terms of a seek in a few words.
pub(crate) fn wanted(seek: &SeekInfo, words: &Catalogue) -> String {
    games_of(Message::new("lobby-wanted"), seek)
        .text("clock", terms(seek.clock, words))
        .said(words)
}

/// A player's name, and whether it is a bot.
fn named(player: &PlayerInfo, words: &Catalogue) -> String {
    let name = clean(&player.name);
    match player.bot {
        true => Message::new("lobby-bot").text("name", name).said(words),
        false => name,
    }
}

/// A wait in whole seconds or minutes.
pub(crate) fn waited(time: Millis, words: &Catalogue) -> String {
    match words.language() {
        Language::English => period(time),
        Language::Chinese => {
            let parts = said(Duration::from_millis(time.0));
            let parts: Vec<String> = parts.iter().map(|part| part.said(words)).collect();
            parts.join(" ")
        }
    }
}
