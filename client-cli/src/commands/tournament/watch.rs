//! `grundy tournament watch`: every event of a tournament in its order, without a gap, until it is over.

use std::time::Duration;

use clap::Args;
use grundy_shared::ids::Seq;
use grundy_shared::protocol::tournament::{
    LoggedEvent, TournamentState, TournamentStatus, WatchTournament,
};
use grundy_shared::tournament::{Dated, Pace, TournamentEvent};
use grundy_words::{Catalogue, Message};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::state::{state_of, whole_state};
use super::{board, log, show};
use crate::account::sign_in;
use crate::connection::{Connection, Incoming};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::remote::GIVE_UP;
use crate::render;

/// Between two attempts to come back.
const AGAIN: Duration = Duration::from_millis(500);

/// Arguments of `tournament watch`.
#[derive(Debug, Args)]
#[command(after_help = "\
With --screen full the tournament is shown as tables: standings, cross-table, the games that are played and those that are over; Enter watches or reviews one. \
With --json every event is one line with its number, the last line is the final state. If the connection breaks it is made \
again, and no event is left out or printed twice.")]
pub(super) struct Arguments {
    /// The tournament
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,
}

/// What is printed.
struct Watch<'c> {
    context: &'c Context,
    tournament: String,
    /// The newest event that was printed.
    seq: Seq,
    names: Vec<String>,
    /// The newest event that there was when the connection began.
    missed: Seq,
    /// How fast it goes, as the events say.
    pace: Pace,
    /// Since when the server cannot be reached.
    lost_at: Option<Instant>,
    /// For the progress line: the state after the newest event that was printed.
    state: Option<TournamentState>,
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let output = &context.output;
        if let Some(signs) = output.signs.filter(|_| output.full) {
            return board::show_tables(context, signs, self.tournament).await;
        }
        let mut watch = Watch {
            context,
            tournament: self.tournament,
            seq: Seq(0),
            names: Vec::new(),
            missed: Seq(0),
            pace: Pace::default(),
            state: None,
            lost_at: None,
        };
        loop {
            let result = watch.follow().await;
            match result {
                Ok(()) => return Ok(Exit::Done),
                Err(failure) if failure.exit() == Exit::Unreachable && watch.seq > Seq(0) => {
                    let since = *watch.lost_at.get_or_insert_with(Instant::now);
                    if since.elapsed() > GIVE_UP {
                        return Err(failure);
                    }
                    sleep(AGAIN).await;
                }
                Err(failure) => return Err(failure),
            }
        }
    }
}

impl Watch<'_> {
    /// Prints what was missed and then what happens, until the tournament is over or the connection breaks.
    async fn follow(&mut self) -> Result<(), Failure> {
        let mut signed_in = sign_in(self.context, 0).await?;
        let connection = &mut signed_in.connection;
        let request = WatchTournament {
            tournament: self.tournament.clone(),
            play: false,
        };
        let state = state_of(connection, request).await?;
        let upto = state.seq;
        self.missed = upto;
        // What was missed is told as it was then.
        self.state.get_or_insert(TournamentState {
            seq: Seq(0),
            status: TournamentStatus::Entries,
            games_ended: 0,
            seed: None,
            ..*state
        });
        self.catch_up(connection, upto).await?;
        self.lost_at = None;
        while !self.is_over() {
            if let Incoming::Tournament(seq, dated) = connection.receive().await?
                && seq == self.seq.next()
            {
                self.print(seq, &dated)?;
            }
        }
        let state = whole_state(connection, &self.tournament).await?;
        show::print(self.context, &state, None)?;
        signed_in.connection.close().await;
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.state
            .as_ref()
            .is_some_and(|state| state.seed.is_some())
    }

    /// Reads the log up to an event.
    async fn catch_up(&mut self, connection: &mut Connection, upto: Seq) -> Result<(), Failure> {
        while self.seq < upto {
            let events = log::events_after(connection, &self.tournament, self.seq).await?;
            if events.is_empty() {
                return Ok(());
            }
            for LoggedEvent { seq, body, .. } in events {
                self.print(seq, &body)?;
            }
        }
        Ok(())
    }

    fn print(&mut self, seq: Seq, dated: &Dated) -> Result<(), Failure> {
        self.seq = seq;
        self.pace.note(dated);
        self.count(seq, dated);
        if let TournamentEvent::Entered { player } = &dated.event {
            self.names.push(player.name.clone());
        }
        if self.context.output.json {
            return self
                .context
                .output
                .object(&json!({"seq": seq, "body": dated}));
        }
        match self.said(dated, self.context.output.words()) {
            Some(said) => self.context.output.line(&said),
            None => Ok(()),
        }
    }

    /// Keeps the figures of the state up to date.
    fn count(&mut self, seq: Seq, dated: &Dated) {
        let Some(state) = &mut self.state else {
            return;
        };
        if seq <= state.seq {
            return;
        }
        state.seq = seq;
        state.now_ms = dated.at_ms;
        let is_new = seq > self.missed;
        state.left_ms = is_new.then(|| self.pace.left(dated.at_ms)).flatten();
        match &dated.event {
            TournamentEvent::EntriesClosed {} => {
                state.began_at_ms = Some(dated.at_ms);
                state.status = TournamentStatus::Running;
            }
            TournamentEvent::GameEnded { .. } => state.games_ended += 1,
            TournamentEvent::SeedOpened { seed } => state.seed = Some(*seed),
            TournamentEvent::Cancelled { reason } => {
                state.status = TournamentStatus::Cancelled;
                state.cancelled = Some(reason.clone());
            }
            _ => {}
        }
    }

    fn name(&self, number: u32) -> String {
        let name = self.names.get(number as usize - 1);
        name.map_or_else(|| number.to_string(), |name| render::clean(name))
    }

    /// One event for people.
    fn said(&self, dated: &Dated, words: &Catalogue) -> Option<String> {
        let message = match &dated.event {
            TournamentEvent::Created { name, format, .. } => Message::new("tournament-created")
                .text("name", render::clean(name))
                .messages("format", vec![show::format(*format)]),
            TournamentEvent::Entered { player } => {
                Message::new("tournament-entered").text("name", render::clean(&player.name))
            }
            TournamentEvent::EntriesClosed {} => {
                Message::new("tournament-begun").text("n", self.names.len())
            }
            TournamentEvent::Withdrew { player } => {
                Message::new("tournament-withdrew").text("name", self.name(*player))
            }
            TournamentEvent::RoundPaired { round, pairs, byes } => {
                let pairs = pairs.iter();
                let pairs =
                    pairs.map(|(one, two)| format!("{} - {}", self.name(*one), self.name(*two)));
                let byes = byes.iter().map(|player| {
                    let bye = Message::new("tournament-bye").text("name", self.name(*player));
                    bye.said(words)
                });
                let all: Vec<String> = pairs.chain(byes).collect();
                Message::new("tournament-paired")
                    .text("round", round)
                    .text("pairs", all.join(&words.say("tournament-comma")))
            }
            TournamentEvent::GameEnded {
                round,
                board,
                game,
                match_id,
                outcome,
                reason,
                ..
            } => {
                let state = self.state.as_ref();
                let progress = state.map(|state| show::progress(state, words));
                Message::new("tournament-game")
                    .text("match", match_id)
                    .text("round", round)
                    .text("board", board)
                    .text("game", game)
                    .text("ending", render::matches::ending(*outcome, *reason, words))
                    .text("progress", progress.unwrap_or_default())
            }
            TournamentEvent::Paused {} => Message::new("tournament-event").text("event", "paused"),
            TournamentEvent::Resumed {} => {
                Message::new("tournament-event").text("event", "resumed")
            }
            TournamentEvent::Cancelled { reason } => Message::new("tournament-event")
                .text("event", "cancelled")
                .text("reason", render::clean(reason)),
            TournamentEvent::SeedOpened { .. } => return None,
        };
        Some(message.said(words))
    }
}
