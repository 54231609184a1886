//! Matches as text.

use grundy_shared::event::{EndReason, Outcome, PlayerInfo, Series};
use grundy_shared::ids::Seat;
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::server::MatchSummary;
use grundy_shared::record::{Record, clock_text, date_text};
use grundy_shared::referee::{Referee, Status};
use grundy_words::{Catalogue, Message};
use serde::Serialize;
use serde_json::{Value, json};

use super::sentences::terms;
use super::{clean, headings, player_name, points, short, table};

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

fn name(player: Option<&PlayerInfo>, words: &Catalogue) -> String {
    player.map_or_else(
        || "-".to_owned(),
        |player| short(&player_name(player, words)),
    )
}

/// How a match ended, in words.
pub(crate) fn ending(outcome: Outcome, reason: EndReason, words: &Catalogue) -> String {
    Message::new("matches-ending")
        .text("outcome", outcome.as_str())
        .text("reason", reason.as_str())
        .said(words)
}

/// The place in a series, with the score after the match if it is over.
fn place(series: Series, outcome: Option<Outcome>) -> Message {
    let series = outcome.map_or(series, |outcome| series.after(outcome));
    let [first, second] = Seat::BOTH.map(|seat| points(series.half_points(seat)));
    Message::new("matches-place")
        .whether("rated", series.rated)
        .text("game", series.game)
        .text("games", series.games)
        .text("first", first)
        .text("second", second)
}

/// The wins that the players of a match gave away, the first player's first.
fn mistakes(summary: &MatchSummary, words: &Catalogue) -> String {
    match (summary.mistakes, summary.status) {
        (Some(counts), _) => format!("{}-{}", counts.first, counts.second),
        (None, _) if summary.mistakes_unknown => "?".to_owned(),
        (None, ListStatus::Over) => words.say("matches-uncounted"),
        (None, _) => "-".to_owned(),
    }
}

/// The state of a match in a list.
fn state(Listed { summary, local }: &Listed, words: &Catalogue) -> String {
    let status = match summary.status {
        ListStatus::Waiting => "waiting",
        ListStatus::Live if *local => "unfinished",
        ListStatus::Live if summary.adjourned => "adjourned",
        ListStatus::Live => "running",
        ListStatus::Over => "over",
    };
    let state = match (summary.outcome, summary.reason) {
        (Some(outcome), Some(reason)) => ending(outcome, reason, words),
        _ => Message::new("matches-status")
            .text("status", status)
            .said(words),
    };
    match summary.series {
        Some(series) => Message::new("matches-in-series")
            .text("state", state)
            .messages("place", vec![place(series, summary.outcome)])
            .said(words),
        None => state,
    }
}

/// Matches, one line each.
pub(crate) fn list(
    matches: &[Listed],
    with_mistakes: bool,
    width: Option<usize>,
    words: &Catalogue,
) -> String {
    // Where all are in one place, there is nothing to say about it.
    let is_mixed = matches.iter().any(|one| one.local) && !matches.iter().all(|one| one.local);
    let row = |listed: &Listed| {
        let Listed { summary, local } = listed;
        let mut row = vec![
            summary.match_id.to_string(),
            date_text(summary.created_at_ms),
            short(&clean(&summary.position)),
            terms(summary.clock, words),
            name(summary.first.as_ref(), words),
            name(summary.second.as_ref(), words),
            summary.plies.to_string(),
            state(listed, words),
        ];
        if with_mistakes {
            row.insert(MISTAKES_COLUMN, mistakes(summary, words));
        }
        if is_mixed {
            let place = Message::new("matches-where-is").whether("local", *local);
            row.insert(PLACE_COLUMN, place.said(words));
        }
        row
    };
    let rows: Vec<Vec<String>> = matches.iter().map(row).collect();
    let names = [
        "matches-match",
        "matches-day",
        "matches-start",
        "matches-clock",
        "matches-first",
        "matches-second",
        ">matches-plies",
        "matches-state",
    ];
    let mut headings = headings(names, words).to_vec();
    if with_mistakes {
        headings.insert(
            MISTAKES_COLUMN,
            format!(">{}", words.say("matches-mistakes")),
        );
    }
    if is_mixed {
        headings.insert(PLACE_COLUMN, words.say("matches-where"));
    }
    table(&headings, &rows, width)
}

/// How a match stands.
fn stands(referee: &Referee, words: &Catalogue) -> String {
    let status = match (referee.outcome(), referee.status()) {
        (Some((outcome, reason)), _) => return ending(outcome, reason, words),
        (None, Status::Waiting) => "waiting",
        (None, _) if referee.is_adjourned() => "adjourned",
        (None, _) if referee.paused_until().is_some() => "paused",
        (None, _) => "running",
    };
    Message::new("matches-stands")
        .text("status", status)
        .text("role", referee.to_move())
        .said(words)
}

/// One match with its moves.
pub(crate) fn show(record: &Record, width: Option<usize>, words: &Catalogue) -> String {
    let referee = record.referee();
    let state = stands(referee, words);
    let state = match referee.series() {
        Some(series) => {
            let outcome = referee.outcome().map(|(outcome, _)| outcome);
            Message::new("matches-of-series")
                .text("state", state)
                .messages("place", vec![place(series, outcome)])
                .text("series", series.id)
                .said(words)
        }
        None => state,
    };
    let shown = Message::new("matches-shown")
        .text("match", record.match_id())
        .text("start", short(&referee.start().to_string()))
        .text("clock", terms(referee.clock_control(), words))
        .text("day", date_text(referee.created_at()))
        .text("first", name(referee.player(Seat::First), words))
        .text("second", name(referee.player(Seat::Second), words))
        .number("count", referee.ply().0.into())
        .text("state", state);
    let mut text = format!("{}\n", shown.said(words));
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
                name(referee.player(seat), words),
                played.text.clone(),
                time,
            ]
        })
        .collect();
    if !rows.is_empty() {
        let names = [
            ">matches-ply",
            "matches-who",
            "matches-move",
            ">matches-left",
        ];
        let now = Message::new("matches-now")
            .text("position", short(&referee.position().to_string()))
            .said(words);
        text.push_str(&format!(
            "\n{}\n{now}\n",
            table(&headings(names, words), &rows, width)
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
