//! `grundy tournament show`: a tournament as text or JSON.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use grundy_shared::chart::CrossChart;
use grundy_shared::oracle::PlayerAccuracy;
use grundy_shared::protocol::tournament::{TournamentState, TournamentStatus};
use grundy_shared::tournament::{Format, Tournament};
use grundy_words::Message;
use serde_json::json;

use super::log::{Log, tournament_so_far};
use super::state::whole_state;
use crate::account::sign_in;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::save;
use crate::render;
use crate::written::{self, Kind};

/// A ladder's rating with a larger deviation is provisional.
const PROVISIONAL: f64 = 110.0;

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
    if !context.output.json {
        return context.output.text(&words(state, accuracies));
    }
    let mut object = json!({"schema": "grundy/tournament-state/1", "state": state});
    if let Some(accuracies) = accuracies {
        object["accuracy"] = json!(accuracies);
    }
    context.output.object(&object)
}

/// The word for a status.
pub(super) fn status(status: TournamentStatus) -> &'static str {
    match status {
        TournamentStatus::Entries => "entries are open",
        TournamentStatus::Running => "running",
        TournamentStatus::Paused => "paused",
        TournamentStatus::Over => "over",
        TournamentStatus::Cancelled => "cancelled",
    }
}

/// The status, and why it ended before its time.
fn outcome(state: &TournamentState) -> String {
    let word = status(state.status);
    match (state.status, &state.cancelled, state.format) {
        (_, Some(reason), _) => format!("{word}: {}", render::clean(reason)),
        (TournamentStatus::Over, None, Format::Swiss { rounds }) if state.rounds < rounds => {
            format!(
                "{word} after round {}: everybody who is left has met",
                state.rounds
            )
        }
        _ => word.to_owned(),
    }
}

/// The words for a format.
pub(super) fn format(format: Format) -> String {
    match format {
        Format::RoundRobin {} => "round robin".to_owned(),
        Format::DoubleRoundRobin {} => "double round robin".to_owned(),
        Format::Gauntlet { seeds } => format!("gauntlet, {seeds} against all others"),
        Format::Swiss { rounds } => format!("Swiss, {rounds} rounds"),
        Format::Knockout {} => "knockout".to_owned(),
        Format::Ladder { rounds } => format!("ladder, {rounds} rounds"),
    }
}

/// `12/1008 games`, and when it will be over.
pub(super) fn progress(state: &TournamentState) -> String {
    let mut text = match state.games_planned {
        Some(planned) => format!("{}/{planned} games", state.games_ended),
        None => format!("{} games", state.games_ended),
    };
    if state.status == TournamentStatus::Running
        && let Some(left) = state.left_ms
    {
        write!(text, ", about {} left", crate::duration::left(left))
            .expect("writing to a String cannot fail");
    }
    text
}

fn words(state: &TournamentState, accuracies: Option<&[PlayerAccuracy]>) -> String {
    let mut text = format!(
        "{}   {}   {}   {}\n{} players, {}   {}\n",
        state.tournament,
        render::clean(&state.name),
        format(state.format),
        outcome(state),
        state.players,
        match state.games_of_pairing {
            1 => "1 game a pairing".to_owned(),
            games => format!("{games} games a pairing"),
        },
        progress(state),
    );
    if !state.standings.is_empty() {
        let accuracy = match accuracies {
            Some(_) => "  accuracy",
            None => "",
        };
        writeln!(
            text,
            "rank  player                            points  games    +    =    -   Elo{accuracy}"
        )
        .expect("writing to a String cannot fail");
    }
    for row in &state.standings {
        let name: String = render::clean(&row.name).chars().take(32).collect();
        let elo = match (row.rating, row.elo) {
            // Two deviations; a question mark while that is much.
            (Some(rating), _) => {
                let deviation = row.rating_deviation.unwrap_or(0.0);
                let unsure = if deviation > PROVISIONAL { "?" } else { "" };
                format!("{rating:.0}{unsure} ±{:.0}", 2.0 * deviation)
            }
            (None, Some(elo)) => format!("{elo:+.0}"),
            (None, None) => String::new(),
        };
        writeln!(
            text,
            "{:>4}  {:<32} {:>7.1} {:>6} {:>4} {:>4} {:>4} {:>5}{}{}",
            row.rank,
            name,
            row.points,
            row.games,
            row.wins,
            row.draws,
            row.losses,
            elo,
            accuracies.map_or(String::new(), |accuracies| accuracy(row.player, accuracies)),
            if row.withdrawn { "  withdrawn" } else { "" },
        )
        .expect("writing to a String cannot fail");
    }
    if let Some(why) = state.elo_why.as_ref().filter(|_| state.games_ended > 0) {
        let why = render::clean(why);
        writeln!(text, "Elo is not determined: {why}.").expect("writing to a String cannot fail");
    }
    writeln!(
        text,
        "head {}   commitment {}",
        state.head, state.commitment
    )
    .expect("writing to a String cannot fail");
    text
}

/// The share of won positions kept, and its 95 % interval.
fn accuracy(player: u32, accuracies: &[PlayerAccuracy]) -> String {
    let row = accuracies.iter().find(|row| row.player == player);
    let shares = row.and_then(|row| Some((row.accuracy?, row.accuracy_lo?, row.accuracy_hi?)));
    shares.map_or("  -".to_owned(), |(share, low, high)| {
        let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
        format!("  {share:.1} % ({low:.1}-{high:.1})")
    })
}
