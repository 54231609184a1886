//! Positions, their moves and the rules of their games.

use grundy_shared::Position;
use grundy_shared::game::EndRule;
use grundy_shared::ids::Seat;

use crate::render::count;

/// Moves that `moves` lists.
const LISTED_MOVES: usize = 40;

/// Characters of a position's description that are worth reading aloud.
const DESCRIBED: usize = 600;

/// The rule without its last sentence about winning, which the end rule states for the whole position.
pub(super) fn rule(text: &str) -> &str {
    text.split(" The player who ").next().unwrap_or(text)
}

/// Who wins when nobody can move any more.
pub(crate) fn end_rule(position: &Position) -> &'static str {
    match position.end_rule() {
        EndRule::Normal => "The player who makes the last move wins.",
        EndRule::Misere => "The player who makes the last move loses (misere).",
    }
}

/// The position, as short as can be read.
pub(crate) fn describe(position: &Position) -> String {
    readable(position.describe())
}

/// The position in notation, to be copied or read instead of the description.
pub(crate) fn notation(position: &Position) -> String {
    format!("Position: {}", readable(position.to_string()))
}

/// A text of any length, cut to a readable length.
fn readable(text: String) -> String {
    if text.len() <= DESCRIBED {
        return text;
    }
    let end = text.floor_char_boundary(DESCRIBED);
    let end = text[..end].rfind(' ').unwrap_or(end);
    format!(
        "{} ... (cut; the whole is {} characters long)",
        &text[..end],
        text.len()
    )
}

pub(super) fn short_words(words: &str) -> String {
    if words.len() <= DESCRIBED {
        words.to_owned()
    } else {
        format!("{} ...", &words[..words.floor_char_boundary(DESCRIBED)])
    }
}

/// A page of the moves that there are, from this number on, counted from 1; and where the next page begins.
pub(crate) fn moves(position: &Position, to_move: Seat, from: u128) -> (String, u128) {
    let total = position.move_count(to_move);
    // After the last move comes the first again.
    let from = match (1..=total).contains(&from) {
        true => from,
        false => 1,
    };
    let listed: Vec<String> = position
        .moves_from(to_move, from - 1)
        .take(LISTED_MOVES)
        .map(|mv| mv.to_string())
        .collect();
    let next = from + listed.len() as u128;
    let list = listed.join(" ");
    let text = match (from, total.saturating_sub(next - 1)) {
        (1, 0) => format!("{}: {list}", count(total, "move")),
        (_, 0) => format!("Moves {from} to {} of {total}: {list}", next - 1),
        (_, rest) => format!(
            "Moves {from} to {} of {total}: {list} ... and {rest} more; type more for the next",
            next - 1
        ),
    };
    (text, next)
}

/// The rules of the games in a position.
pub(crate) fn rules(position: &Position) -> String {
    rules_with(position, |notation| Some(notation.to_owned()))
}

/// The same with other words for how the moves of each game are written, made of the usual ones; `None` leaves them out.
pub(crate) fn rules_with(position: &Position, moves: impl Fn(&str) -> Option<String>) -> String {
    let games = position.games();
    let mut lines: Vec<String> = games
        .iter()
        .map(|game| {
            let moves = moves(game.move_notation);
            let moves = moves.map_or(String::new(), |moves| format!("\nA move: {moves}."));
            format!("{}: {}{moves}", game.title, rule(game.rule))
        })
        .collect();
    if position.component_count() > 1 {
        lines.push(position.compound_rule());
    }
    lines.push(end_rule(position).to_owned());
    lines.join("\n")
}
