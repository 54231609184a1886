//! Matches as text.

use grundy_shared::event::{EndReason, Outcome, PlayerInfo, Series};
use grundy_shared::ids::Seat;
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::server::MatchSummary;
use grundy_shared::record::{Record, clock_text, date_text};
use grundy_shared::referee::{Referee, Status};
use serde::Serialize;
use serde_json::{Value, json};

use super::{clean, count, points, short, table, terms};

/// After the match.
const PLACE_COLUMN: usize = 1;
/// A match of a list.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    #[serde(flatten)]
    pub(crate) summary: MatchSummary,
    /// It was found in the library on this computer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) local: bool,
}

/// Before the state.
const MISTAKES_COLUMN: usize = 7;

fn name(player: Option<&PlayerInfo>) -> String {
    player.map_or_else(|| "-".to_owned(), |player| short(&clean(&player.name)))
}

/// How a match ended, in words.
pub(crate) fn ending(outcome: Outcome, reason: EndReason) -> String {
    let who = match outcome {
        Outcome::First => "first won",
        Outcome::Second => "second won",
        Outcome::Draw => "draw",
        Outcome::Void => "does not count",
    };
    let how = match reason {
        EndReason::LastMove => "last move",
        EndReason::Resignation => "resignation",
        EndReason::Time => "time",
        EndReason::Aborted => "called off",
        EndReason::Expired => "nobody came",
        EndReason::Outgrown => "too long to go on",
        EndReason::Repetition => "repetition",
        EndReason::Agreement => "agreed",
        EndReason::Abandoned => "abandoned",
        EndReason::NoStart => "not begun",
        EndReason::NoShow => "no show",
        EndReason::Disconnected => "disconnected",
        EndReason::Withdrawn => "withdrawn",
        EndReason::Cancelled => "cancelled",
        EndReason::Operator => "by an operator",
    };
    format!("{who} ({how})")
}

/// The place in a series, with the score after the match if it is over.
fn place(series: Series, outcome: Option<Outcome>) -> String {
    let series = outcome.map_or(series, |outcome| series.after(outcome));
    let [first, second] = Seat::BOTH.map(|seat| points(series.half_points(seat)));
    let pair = if series.rated { "rated pair, " } else { "" };
    format!(
        "{pair}game {} of {}, score {first}-{second}",
        series.game, series.games
    )
}

/// The wins that the players of a match gave away, the first player's first.
fn mistakes(summary: &MatchSummary) -> String {
    match (summary.mistakes, summary.status) {
        (Some(counts), _) => format!("{}-{}", counts.first, counts.second),
        (None, _) if summary.mistakes_unknown => "?".to_owned(),
        (None, ListStatus::Over) => "not yet".to_owned(),
        (None, _) => "-".to_owned(),
    }
}

/// Matches, one line each.
pub(crate) fn list(matches: &[Listed], with_mistakes: bool, width: Option<usize>) -> String {
    // Where all are in one place, there is nothing to say about it.
    let is_mixed = matches.iter().any(|one| one.local) && !matches.iter().all(|one| one.local);
    let rows: Vec<Vec<String>> = matches
        .iter()
        .map(|Listed { summary, local }| {
            let state = match (summary.outcome, summary.reason, summary.status) {
                (Some(outcome), Some(reason), _) => ending(outcome, reason),
                (_, _, ListStatus::Waiting) => "waiting".to_owned(),
                (_, _, ListStatus::Live) if *local => "not finished".to_owned(),
                (_, _, ListStatus::Live) => "running".to_owned(),
                (_, _, ListStatus::Over) => "over".to_owned(),
            };
            let state = match summary.series {
                Some(series) => format!("{state}; {}", place(series, summary.outcome)),
                None => state,
            };
            let mut row = vec![
                summary.match_id.to_string(),
                date_text(summary.created_at_ms),
                short(&clean(&summary.position)),
                terms(summary.clock),
                name(summary.first.as_ref()),
                name(summary.second.as_ref()),
                summary.plies.to_string(),
                state,
            ];
            if with_mistakes {
                row.insert(MISTAKES_COLUMN, mistakes(summary));
            }
            if is_mixed {
                let place = if *local { "here" } else { "server" };
                row.insert(PLACE_COLUMN, place.to_owned());
            }
            row
        })
        .collect();
    let mut headings = vec![
        "match", "day", "start", "clock", "first", "second", ">plies", "state",
    ];
    if with_mistakes {
        headings.insert(MISTAKES_COLUMN, ">mistakes");
    }
    if is_mixed {
        headings.insert(PLACE_COLUMN, "where");
    }
    table(&headings, &rows, width)
}

/// One match with its moves.
pub(crate) fn show(record: &Record, width: Option<usize>) -> String {
    let referee = record.referee();
    let state = match (referee.outcome(), referee.status()) {
        (Some((outcome, reason)), _) => ending(outcome, reason),
        (None, Status::Waiting) => "waiting for a second player".to_owned(),
        (None, _) if referee.is_adjourned() => format!("adjourned, {} to move", referee.to_move()),
        (None, _) if referee.paused_until().is_some() => {
            format!("paused, {} to move", referee.to_move())
        }
        (None, _) => format!("running, {} to move", referee.to_move()),
    };
    let state = match referee.series() {
        Some(series) => {
            let outcome = referee.outcome().map(|(outcome, _)| outcome);
            format!(
                "{state}\n{} of series {}",
                place(series, outcome),
                series.id
            )
        }
        None => state,
    };
    let mut text = format!(
        "Match {id}   {start}   {clock}   {day}\nFirst  {first}\nSecond {second}\n{moves}, {state}\n",
        id = record.match_id(),
        start = short(&referee.start().to_string()),
        clock = terms(referee.clock_control()),
        day = date_text(referee.created_at()),
        first = name(referee.player(Seat::First)),
        second = name(referee.player(Seat::Second)),
        moves = count(referee.ply().0, "move"),
    );
    let rows: Vec<Vec<String>> = referee
        .moves()
        .iter()
        .zip(1u32..)
        .map(|(played, ply)| {
            let seat = if ply % 2 == 1 {
                Seat::First
            } else {
                Seat::Second
            };
            let time = played
                .clocks
                .map_or(String::new(), |clocks| clock_text(clocks.of(seat)));
            vec![
                ply.to_string(),
                name(referee.player(seat)),
                played.text.clone(),
                time,
            ]
        })
        .collect();
    if !rows.is_empty() {
        text.push('\n');
        text.push_str(&table(&[">ply", "who", "move", ">left"], &rows, width));
        text.push_str(&format!(
            "\nNow: {}\n",
            short(&referee.position().to_string())
        ));
    }
    text
}

/// The state of a match, as lists show it.
pub(crate) fn status_of(referee: &Referee) -> ListStatus {
    match referee.status() {
        Status::Waiting => ListStatus::Waiting,
        Status::Live => ListStatus::Live,
        Status::Over => ListStatus::Over,
    }
}

/// One match with its moves, for programs.
pub(crate) fn to_json(record: &Record) -> Value {
    let referee = record.referee();
    let (outcome, reason) = referee.outcome().unzip();
    let moves: Vec<Value> = referee
        .moves()
        .iter()
        .map(|played| json!({ "move": played.text, "seq": played.seq, "at_ms": played.at, "clocks": played.clocks }))
        .collect();
    let status = status_of(referee);
    let mut json = json!({
        "schema": "grundy/game/1",
        "match": record.match_id(),
        "start": referee.start().to_string(),
        "position": referee.position().to_string(),
        "clock": referee.clock_control(),
        "first": referee.player(Seat::First),
        "second": referee.player(Seat::Second),
        "status": status,
        "outcome": outcome,
        "reason": reason,
        "created_at_ms": referee.created_at(),
        "moves": moves,
    });
    if let Some(series) = referee.series() {
        json["series"] = json!(series);
        json["next"] = json!(referee.next_match());
    }
    json
}
