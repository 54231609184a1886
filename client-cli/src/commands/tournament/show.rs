//! A tournament as text or JSON.

use std::fmt::Write as _;

use grundy_shared::protocol::tournament::{TournamentState, TournamentStatus};
use grundy_shared::tournament::Format;
use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;
use crate::render;

/// A ladder's rating with a larger deviation is provisional.
const PROVISIONAL: f64 = 110.0;

/// Prints the state of a tournament.
pub(super) fn print(context: &Context, state: &TournamentState) -> Result<(), Failure> {
    match context.output.json {
        true => context
            .output
            .object(&json!({"schema": "grundy/tournament-state/1", "state": state})),
        false => context.output.text(&words(state)),
    }
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

fn words(state: &TournamentState) -> String {
    let mut text = format!(
        "{}   {}   {}   {}\n{} players, {}   {}\n",
        state.tournament,
        render::clean(&state.name),
        format(state.format),
        status(state.status),
        state.players,
        match state.games_of_pairing {
            1 => "1 game a pairing".to_owned(),
            games => format!("{games} games a pairing"),
        },
        progress(state),
    );
    if !state.standings.is_empty() {
        text.push_str(
            "rank  player                            points  games    +    =    -   Elo\n",
        );
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
            "{:>4}  {:<32} {:>7.1} {:>6} {:>4} {:>4} {:>4} {:>5}{}",
            row.rank,
            name,
            row.points,
            row.games,
            row.wins,
            row.draws,
            row.losses,
            elo,
            if row.withdrawn { "  withdrawn" } else { "" },
        )
        .expect("writing to a String cannot fail");
    }
    writeln!(
        text,
        "head {}   commitment {}",
        state.head, state.commitment
    )
    .expect("writing to a String cannot fail");
    text
}
