//! A tournament on a server played by a program here: the connection follows the tournament, which seats it in each of its games.
//! After a break it is made again, and every game that goes on is read again from its first event.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::FutureExt as _;
use grundy_shared::event::Outcome;
use grundy_shared::ids::{MatchId, PlayerId, Ply, Seq};
use grundy_shared::protocol::client::{Move, Ping, Resign};
use grundy_shared::protocol::server::Reply;
use grundy_shared::protocol::tournament::{JoinTournament, TournamentStatus, WatchTournament};
use grundy_shared::tournament::TournamentEvent;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::bridge::{Bridge, Table, Thought};
use crate::account::{SignedIn, sign_in_bot};
use crate::connection::{Connection, Incoming, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::remote::GIVE_UP;

/// How often to ask the server whether it is there.
const PING: Duration = Duration::from_secs(5);
/// Between two attempts to come back.
const AGAIN: Duration = Duration::from_millis(200);

/// What the program did in the tournament.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Played {
    /// Games that ended while we were there.
    pub(crate) games: u64,
    /// Games won.
    pub(crate) wins: u64,
    /// Games lost.
    pub(crate) losses: u64,
}

/// How a connection ended.
enum End {
    /// The tournament is over.
    Over,
    /// The connection is gone.
    Lost(Failure),
}

/// A program in a tournament.
struct Circuit<'c> {
    bridge: &'c mut Bridge,
    context: &'c Context,
    tournament: String,
    us: PlayerId,
    tables: BTreeMap<MatchId, Table>,
    thinking: Option<(MatchId, JoinHandle<Thought>)>,
    /// Moves without an answer: their request, the match, the ply and the text.
    asked: BTreeMap<u64, (MatchId, Ply, String)>,
    played: Played,
}

/// Enters the tournament, if the program has not, and plays all its games to the end of the tournament.
///
/// # Errors
/// The tournament does not take us, or the server cannot be reached for ten minutes.
pub(crate) async fn play(
    bridge: &mut Bridge,
    context: &Context,
    signed_in: SignedIn,
    tournament: &str,
) -> Result<Played, Failure> {
    let us = signed_in.welcome.player.id;
    let mut circuit = Circuit {
        bridge,
        context,
        tournament: tournament.to_owned(),
        us,
        tables: BTreeMap::new(),
        thinking: None,
        asked: BTreeMap::new(),
        played: Played::default(),
    };
    let mut connection = signed_in.connection;
    connection
        .ask(JoinTournament {
            tournament: tournament.to_owned(),
        })
        .await?;
    let mut lost_at: Option<Instant> = None;
    loop {
        let failure = match circuit.converse(&mut connection).await? {
            End::Over => {
                connection.close().await;
                return Ok(circuit.played);
            }
            End::Lost(failure) => failure,
        };
        context
            .output
            .talk(&format!("connection lost: {}", failure.message()));
        if !circuit.asked.is_empty() || !circuit.tables.is_empty() {
            lost_at = None;
        }
        circuit.forget().await;
        let since = *lost_at.get_or_insert_with(Instant::now);
        connection = loop {
            match sign_in_bot(context, None).await {
                Ok(signed_in) => break signed_in.connection,
                Err(failure) if retries(&failure) && since.elapsed() < GIVE_UP => {
                    sleep(AGAIN).await;
                }
                Err(failure) => return Err(failure),
            }
        };
    }
}

/// Whether trying again may help.
fn retries(failure: &Failure) -> bool {
    matches!(failure.exit(), Exit::Unreachable | Exit::Refused)
}

impl Circuit<'_> {
    /// Plays on this connection until it or the tournament ends.
    async fn converse(&mut self, connection: &mut Connection) -> Result<End, Failure> {
        let watch = WatchTournament {
            tournament: self.tournament.clone(),
            play: true,
        };
        match connection.ask(watch).await {
            Ok(Reply::Tournament(state)) => {
                if matches!(
                    state.status,
                    TournamentStatus::Over | TournamentStatus::Cancelled
                ) {
                    return Ok(End::Over);
                }
            }
            Ok(other) => return Err(unexpected(&other)),
            Err(failure) if retries(&failure) => return Ok(End::Lost(failure)),
            Err(failure) => return Err(failure),
        }
        let mut ping = tokio::time::interval(PING);
        loop {
            // What has come is heard first: a past turn is not thought about.
            while let Some(heard) = connection.receive().now_or_never() {
                if let Some(end) = self.hear(heard, connection).await? {
                    return Ok(end);
                }
            }
            self.think();
            let sent = tokio::select! {
                heard = connection.receive() => {
                    if let Some(end) = self.hear(heard, connection).await? {
                        return Ok(end);
                    }
                    Ok(())
                }
                thought = finished(&mut self.thinking) => {
                    let (match_id, (bot, chosen)) = thought?;
                    self.bridge.bot = bot;
                    self.answer(match_id, chosen, connection).await
                }
                _ = ping.tick() => connection.send(Ping {}).await.map(drop),
            };
            if let Err(failure) = sent {
                return Ok(End::Lost(failure));
            }
        }
    }

    async fn hear(
        &mut self,
        heard: Result<Incoming, Failure>,
        connection: &mut Connection,
    ) -> Result<Option<End>, Failure> {
        match heard {
            Err(failure) if retries(&failure) => return Ok(Some(End::Lost(failure))),
            Err(failure) => return Err(failure),
            Ok(Incoming::Event(match_id, seq, event)) => {
                let us = self.us;
                let table = self
                    .tables
                    .entry(match_id)
                    .or_insert_with(|| Table::new(us));
                if seq == Seq(table.now.0 + 1)
                    && let Some(outcome) = table.apply(seq, event)?
                {
                    self.end(match_id, outcome).await;
                }
            }
            Ok(Incoming::Tournament(_, dated)) => {
                if matches!(
                    dated.event,
                    TournamentEvent::SeedOpened { .. } | TournamentEvent::Cancelled { .. }
                ) {
                    return Ok(Some(End::Over));
                }
            }
            Ok(Incoming::Reply(request, answer)) => {
                let asked = self.asked.remove(&request);
                if let (Some((match_id, ply, text)), Err(failure)) = (asked, *answer)
                    && let Some(wait) = failure.wait()
                {
                    sleep(wait.min(Duration::from_secs(5))).await;
                    if let Err(failure) = self.send(match_id, ply, text, connection).await {
                        return Ok(Some(End::Lost(failure)));
                    }
                }
            }
            Ok(Incoming::Unknown(..) | Incoming::Account(_) | Incoming::Notice(_)) => {}
        }
        Ok(None)
    }

    /// Lets the program think about the first game in which it is to move.
    fn think(&mut self) {
        if self.thinking.is_some() {
            return;
        }
        for (match_id, table) in &mut self.tables {
            if let Some(turn) = table.turn() {
                self.bridge.games += u64::from(table.asked.0 <= 2);
                let thought = self.bridge.think(turn, &self.context.output);
                self.thinking = Some((*match_id, thought));
                return;
            }
        }
    }

    async fn answer(
        &mut self,
        match_id: MatchId,
        chosen: Result<Option<String>, Failure>,
        connection: &mut Connection,
    ) -> Result<(), Failure> {
        let Some(table) = self.tables.get(&match_id) else {
            return Ok(());
        };
        // The match may have gone on.
        if table.asked != table.ply.next() {
            return Ok(());
        }
        let ply = table.asked;
        match chosen {
            Ok(Some(text)) => self.send(match_id, ply, text, connection).await,
            Ok(None) => self.resign(match_id, connection).await,
            Err(failure) => {
                let output = &self.context.output;
                output.warn(&format!("{failure}; the match is resigned"));
                self.resign(match_id, connection).await
            }
        }
    }

    async fn send(
        &mut self,
        match_id: MatchId,
        ply: Ply,
        text: String,
        connection: &mut Connection,
    ) -> Result<(), Failure> {
        let request = Move {
            match_id: match_id.to_string(),
            ply,
            move_text: text.clone(),
            client_move_id: None,
        };
        let id = connection.send(request).await?;
        self.asked.insert(id, (match_id, ply, text));
        Ok(())
    }

    async fn resign(
        &mut self,
        match_id: MatchId,
        connection: &mut Connection,
    ) -> Result<(), Failure> {
        let match_id = match_id.to_string();
        connection.send(Resign { match_id }).await.map(drop)
    }

    /// A game is over.
    async fn end(&mut self, match_id: MatchId, outcome: Outcome) {
        if let Some((_, thought)) = self.thinking.take_if(|(of, _)| *of == match_id) {
            // A program that still thinks is not waited for: it is started anew.
            self.bridge.launch.groups.kill_all();
            self.bridge.bot = thought.await.ok().and_then(|(bot, _)| bot);
        }
        let Some(table) = self.tables.remove(&match_id) else {
            return;
        };
        self.bridge.tell_result(&table, outcome);
        self.played.games += 1;
        match outcome.winner() {
            Some(winner) if table.seat == Some(winner) => self.played.wins += 1,
            Some(_) => self.played.losses += 1,
            None => {}
        }
        let about = format!("{match_id}  {}", outcome.as_str());
        self.context.output.detail(&about);
    }

    /// The connection is gone: what goes on is read again.
    async fn forget(&mut self) {
        self.tables.clear();
        self.asked.clear();
        if let Some((_, thought)) = self.thinking.take() {
            self.bridge.bot = thought.await.ok().and_then(|(bot, _)| bot);
        }
    }
}

/// What came of it, once it has; never while nobody thinks.
async fn finished(
    thinking: &mut Option<(MatchId, JoinHandle<Thought>)>,
) -> Result<(MatchId, Thought), Failure> {
    match thinking {
        Some((match_id, thought)) => {
            let (match_id, result) = (*match_id, thought.await);
            *thinking = None;
            let thought = result
                .map_err(|_| Failure::new(Exit::Failed, "bot", "the thread of the bot ended"))?;
            Ok((match_id, thought))
        }
        None => std::future::pending().await,
    }
}
