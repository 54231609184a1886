//! A program that takes challenges on a server until it is stopped.

use std::collections::HashSet;
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use grundy_shared::ids::MatchId;
use grundy_shared::protocol::AccountEvent;
use grundy_shared::protocol::client::{FollowAccount, Offer};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use super::bridged::play;
use crate::account::sign_in_bot;
use crate::bot::bridge::Bridge;
use crate::bot::check;
use crate::bot::limits::Limits;
use crate::challenge::shown;
use crate::connection::{Connection, Incoming};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::remote::{GIVE_UP, Manner, attach};

/// Matches that may wait to be begun.
const BEGINNING: usize = 256;
/// Between two attempts to come back.
const WAIT: Duration = Duration::from_secs(1);

/// What is offered, and who plays.
#[derive(Debug)]
pub(super) struct Offering {
    pub(super) offer: Offer,
    pub(super) command: Vec<String>,
    pub(super) limits: Limits,
}

impl Offering {
    /// Makes the offer, and plays every match that begins, each with a process and a connection of its own.
    ///
    /// # Errors
    /// The server refuses the offer, or is gone for too long.
    pub(super) async fn run(self, context: &Context, first: Bridge) -> Result<Exit, Failure> {
        let name = first.name().map(str::to_owned);
        let (begun, mut to_play) = mpsc::channel(BEGINNING);
        let listening = self.listen(context, name.as_deref(), begun);
        let mut listening = std::pin::pin!(listening);
        let mut idle = vec![first];
        let mut known: HashSet<MatchId> = HashSet::new();
        let mut playing = FuturesUnordered::new();
        let result = loop {
            tokio::select! {
                failure = &mut listening => break Err(failure),
                Some(match_id) = to_play.recv() => {
                    if known.insert(match_id) {
                        playing.push(self.play(context, idle.pop(), match_id));
                    }
                }
                Some((match_id, bridge, played)) = playing.next(), if !playing.is_empty() => {
                    known.remove(&match_id);
                    idle.extend(bridge);
                    if let Err(failure) = played {
                        context.output.warn(&format!("match {match_id}: {failure}"));
                    }
                }
                _ = tokio::signal::ctrl_c() => break Ok(Exit::Done),
            }
        };
        for bridge in idle {
            bridge.quit();
        }
        result
    }

    /// Keeps the offer standing, and passes on the matches that begin. Returns only when that is not possible any more.
    async fn listen(
        &self,
        context: &Context,
        name: Option<&str>,
        begun: mpsc::Sender<MatchId>,
    ) -> Failure {
        let mut stood = false;
        let mut lost_at = Instant::now();
        loop {
            let failure = match self.offer(context, name, &begun).await {
                Ok(connection) => {
                    stood = true;
                    let failure = hear(connection, &begun).await;
                    lost_at = Instant::now();
                    context
                        .output
                        .talk(&format!("connection lost: {}", failure.message()));
                    failure
                }
                Err(failure) => failure,
            };
            if !stood || lost_at.elapsed() > GIVE_UP {
                return failure;
            }
            sleep(WAIT).await;
        }
    }

    /// Makes the offer on a new connection.
    async fn offer(
        &self,
        context: &Context,
        name: Option<&str>,
        begun: &mpsc::Sender<MatchId>,
    ) -> Result<Connection, Failure> {
        let mut signed_in = sign_in_bot(context, name).await?;
        signed_in.connection.ask(FollowAccount::default()).await?;
        signed_in.connection.ask(self.offer.clone()).await?;
        let player = &signed_in.welcome.player;
        context.output.talk(&format!(
            "{} takes up to {} matches at once, id {}. Ctrl-C ends it.",
            shown(player),
            self.offer.at_once,
            player.id
        ));
        for open in signed_in.welcome.obligations {
            // The channel is closed only when nobody plays any more.
            let _ = begun.send(open.match_id).await;
        }
        Ok(signed_in.connection)
    }

    /// Plays one match to its end.
    async fn play(
        &self,
        context: &Context,
        bridge: Option<Bridge>,
        match_id: MatchId,
    ) -> (MatchId, Option<Bridge>, Result<(), Failure>) {
        let bridge = match bridge {
            Some(bridge) => Ok(bridge),
            None => {
                let launch = check::launch(self.command.clone(), self.limits);
                let started = spawn_blocking(move || Bridge::start(launch)).await;
                started.unwrap_or_else(|_| {
                    Err(Failure::new(
                        Exit::Failed,
                        "bot",
                        "the bot cannot be started",
                    ))
                })
            }
        };
        let mut bridge = match bridge {
            Ok(bridge) => bridge,
            Err(failure) => return (match_id, None, Err(failure)),
        };
        let played = async {
            let signed_in = sign_in_bot(context, None).await?;
            let player = signed_in.welcome.player.id;
            let (server, patience) = (context.config.server().clone(), context.config.timeout());
            let link = attach(signed_in, server, match_id, Manner::Playing, patience).await?;
            play(context, &mut bridge, link, match_id, player).await
        };
        let played = played.await;
        (match_id, Some(bridge), played)
    }
}

/// Passes on the matches that begin, until the connection breaks.
async fn hear(mut connection: Connection, begun: &mpsc::Sender<MatchId>) -> Failure {
    loop {
        match connection.receive().await {
            Ok(Incoming::Account(AccountEvent::MatchBegan { match_id, .. })) => {
                let _ = begun.send(match_id).await;
            }
            Ok(_) => {}
            Err(failure) => return failure,
        }
    }
}
