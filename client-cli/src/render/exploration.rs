//! The walk through a match in sentences.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{OutcomeClass, Solution};
use grundy_words::{Catalogue, Message};

use super::short;
use crate::exploration::{Next, Place};
use crate::render::sentences;

/// Where the walk stands, the position, who wins, and how the match went on.
pub(crate) fn place(place: &Place, position: &Position, words: &Catalogue) -> String {
    let here = [way(place, words), sentences::describe(position, words)];
    let mut lines = vec![
        words.sentences(&here),
        sentences::notation(position, words),
        verdict(&place.solution, place.to_move, words),
    ];
    if let Some(next) = &place.next {
        let went_on = Message::new("explore-next")
            .text("move", short(&next.mv))
            .text("effect", effect(next, &place.solution, place.to_move));
        lines.push(went_on.said(words));
    }
    lines.join("\n")
}

/// Where the walk stands: the way to it from the start or from the match.
pub(crate) fn way(place: &Place, words: &Catalogue) -> String {
    let variation = place.variation.join(&words.say("list-comma"));
    let from = place.ply - place.variation.len();
    let message = match (place.plies, place.variation.len()) {
        (0, 0) => Message::new("explore-start"),
        (0, moves) => Message::new("explore-after").number("count", moves as u64),
        (_, 0) => Message::new("explore-ply").text("ply", place.ply),
        (_, _) => Message::new("explore-variation").text("ply", from),
    };
    message
        .text("plies", place.plies)
        .text("moves", short(&variation))
        .said(words)
}

/// A seat, as the messages name it.
fn seat(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

/// Who wins, and with which moves.
fn verdict(solution: &Solution, to_move: Seat, words: &Catalogue) -> String {
    let winner = solution.outcome.winner(to_move);
    if solution.legal_moves == Some(0) {
        return match winner {
            Some(winner) => Message::new("explore-won")
                .text("role", seat(winner))
                .said(words),
            None => words.say("solve-over"),
        };
    }
    let outcome = match (winner, solution.outcome) {
        (Some(winner), _) if winner == to_move => "wins",
        (Some(_), _) => "loses",
        (None, OutcomeClass::D) => "draw",
        (None, _) => "unknown",
    };
    let turn = Message::new("explore-turn")
        .text("outcome", outcome)
        .text("role", seat(to_move));
    let mut said = vec![turn.said(words)];
    let value = match (solution.nim_value, &solution.value) {
        (Some(value), _) => Some(("explore-nim-value", value.to_string())),
        (None, Some(value)) => Some(("explore-value", value.clone())),
        (None, None) => None,
    };
    if let Some((message, value)) = value {
        said.push(Message::new(message).text("value", value).said(words));
    }
    if let Some(plies) = solution.remoteness.filter(|plies| *plies > 0) {
        said.push(
            Message::new("explore-left")
                .number("count", plies)
                .said(words),
        );
    }
    let wins = winner == Some(to_move);
    said.extend(winning(solution, wins, words));
    words.sentences(&said)
}

/// The moves that win.
fn winning(solution: &Solution, wins: bool, words: &Catalogue) -> Option<String> {
    let moves: Vec<&str> = solution.winning_moves.iter().map(|one| &*one.mv).collect();
    if moves.is_empty() {
        return wins.then(|| words.say("explore-not-found"));
    }
    let total = solution.winning_moves_total;
    let case = match total {
        Some(total) if total <= moves.len() as u64 => "all",
        _ => "some",
    };
    let (winning, legal) = match (total, solution.legal_moves) {
        (Some(total), Some(legal)) => (total.to_string(), legal.to_string()),
        _ => ("none".to_owned(), String::new()),
    };
    let message = Message::new("explore-winning")
        .text("case", case)
        .text("moves", short(&moves.join(&words.say("list-comma"))))
        .text("winning", winning)
        .text("legal", legal);
    Some(message.said(words))
}

/// What the next move of the match did.
fn effect(next: &Next, before: &Solution, mover: Seat) -> &'static str {
    let had_the_win = before.outcome.winner(mover) == Some(mover);
    match (next.winner, next.outcome) {
        (Some(winner), _) if winner == mover => "wins",
        (Some(_), _) if had_the_win => "win-lost",
        (Some(_), _) if before.outcome == OutcomeClass::D => "draw-lost",
        (Some(_), _) => "loses",
        (None, OutcomeClass::D) if had_the_win => "win-drawn",
        (None, OutcomeClass::D) => "draws",
        (None, _) => "unknown",
    }
}
