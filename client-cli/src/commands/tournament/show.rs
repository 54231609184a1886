//! `grundy tournament show`: a tournament as text or JSON.

use std::path::PathBuf;

use clap::Args;
use grundy_shared::chart::CrossChart;
use grundy_shared::oracle::PlayerAccuracy;
use grundy_shared::protocol::tournament::{TournamentState, TournamentStatus};
use grundy_shared::tournament::{Format, Tournament};
use grundy_words::{Catalogue, Message};
use serde_json::json;

use super::log::{Log, tournament_so_far};
use super::places::standings;
use super::state::whole_state;
use crate::account::sign_in;
use crate::context::Context;
use crate::duration::left_in;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::save;
use crate::render;
use crate::render::figures::no_elo;
use crate::written::{self, Kind};

/// Arguments of `tournament show`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The tournament
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,
    /// Also show each player's accuracy; fetches all games and solves their positions
    #[arg(long)]
    accuracy: bool,
    /// Also write the cross-table to this file, as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if let Some(file) = &self.svg {
            written::check(file, Kind::Svg, &[])?;
        }
        let mut signed_in = sign_in(context, 0).await?;
        let connection = &mut signed_in.connection;
        let state = whole_state(connection, &self.tournament).await?;
        let log = match self.accuracy {
            true => Some(Log::fetch(connection, &self.tournament).await?),
            false => None,
        };
        let chart = match &self.svg {
            Some(_) => cross_chart(
                &state,
                &tournament_so_far(connection, &self.tournament).await?,
            ),
            None => None,
        };
        signed_in.connection.close().await;
        if let Some(file) = &self.svg {
            let chart = chart.ok_or_else(no_chart)?;
            save(file, chart.svg(&render::clean(&state.name)).as_bytes())?;
        }
        let accuracies = match &log {
            Some(log) => Some(log.accuracies(&log.tournament()?)),
            None => None,
        };
        print(context, &state, accuracies.as_deref())?;
        Ok(Exit::Done)
    }
}

/// The cross-table of the finished rounds.
fn cross_chart(state: &TournamentState, tournament: &Tournament) -> Option<CrossChart> {
    let order = state.standings.iter();
    let order: Vec<(u32, String)> = order.map(|row| (row.player, row.name.clone())).collect();
    CrossChart::of(tournament.table(), &order)
}

fn no_chart() -> Failure {
    let message = Message::new("tables-no-chart");
    Failure::told(Exit::Failed, "no_cross_table", message)
}

/// Prints the state of a tournament, and the accuracy of its players if it is known.
pub(super) fn print(
    context: &Context,
    state: &TournamentState,
    accuracies: Option<&[PlayerAccuracy]>,
) -> Result<(), Failure> {
    let output = &context.output;
    if !output.json {
        return output.text(&text(state, accuracies, output.width(), output.words()));
    }
    let mut object = json!({"schema": "grundy/tournament-state/1", "state": state});
    if let Some(accuracies) = accuracies {
        object["accuracy"] = json!(accuracies);
    }
    output.object(&object)
}

/// A status in words.
pub(super) fn status(status: TournamentStatus) -> Message {
    Message::new("tournament-status").text("status", key(status))
}

/// A status as the messages name it.
fn key(status: TournamentStatus) -> &'static str {
    match status {
        TournamentStatus::Entries => "entries",
        TournamentStatus::Running => "running",
        TournamentStatus::Paused => "paused",
        TournamentStatus::Over => "over",
        TournamentStatus::Cancelled => "cancelled",
    }
}

/// The status, and why it ended before its time.
fn outcome(state: &TournamentState) -> Message {
    let case = match (state.status, &state.cancelled, state.format) {
        (_, Some(_), _) => "cancelled",
        (TournamentStatus::Over, None, Format::Swiss { rounds }) if state.rounds < rounds => {
            "early"
        }
        _ => "plain",
    };
    let reason = state.cancelled.as_deref().map(render::clean);
    Message::new("tournament-outcome")
        .text("case", case)
        .text("status", key(state.status))
        .text("reason", reason.unwrap_or_default())
        .text("round", state.rounds)
}

/// A format in words.
pub(super) fn format(format: Format) -> Message {
    let (format, n) = match format {
        Format::RoundRobin {} => ("round-robin", 0),
        Format::DoubleRoundRobin {} => ("double-round-robin", 0),
        Format::Gauntlet { seeds } => ("gauntlet", seeds),
        Format::Swiss { rounds } => ("swiss", rounds),
        Format::Knockout {} => ("knockout", 0),
        Format::Ladder { rounds } => ("ladder", rounds),
    };
    Message::new("tournament-format")
        .text("format", format)
        .text("n", n)
}

/// `12/1008 games`, and when it will be over.
pub(super) fn progress(state: &TournamentState, words: &Catalogue) -> String {
    let planned = state.games_planned.map(|planned| planned.to_string());
    let games = Message::new("tournament-games")
        .text("planned", planned.unwrap_or_else(|| "none".to_owned()))
        .text("ended", state.games_ended)
        .said(words);
    match state.left_ms {
        Some(left) if state.status == TournamentStatus::Running => {
            Message::new("tournament-time-left")
                .text("games", games)
                .text("time", left_in(left, words))
                .said(words)
        }
        _ => games,
    }
}

fn text(
    state: &TournamentState,
    accuracies: Option<&[PlayerAccuracy]>,
    width: Option<usize>,
    words: &Catalogue,
) -> String {
    let shown = Message::new("tournament-shown")
        .text("tournament", state.tournament)
        .text("name", render::clean(&state.name))
        .messages("format", vec![format(state.format)])
        .messages("outcome", vec![outcome(state)])
        .text("players", state.players)
        .number("games", state.games_of_pairing.into())
        .text("progress", progress(state, words));
    let mut text = format!("{}\n", shown.said(words));
    if !state.standings.is_empty() {
        text.push_str(&standings(&state.standings, accuracies, width, words));
    }
    if let Some(why) = state.elo_why.as_ref().filter(|_| state.games_ended > 0) {
        text.push_str(&render::clean(&no_elo(why).said(words)));
        text.push('\n');
    }
    let proof = Message::new("tournament-proof")
        .text("head", &state.head)
        .text("commitment", state.commitment);
    text.push_str(&proof.said(words));
    text.push('\n');
    text
}
