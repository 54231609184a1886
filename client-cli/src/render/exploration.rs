//! The walk through a match in sentences.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{OutcomeClass, Solution};

use super::{count, short};
use crate::exploration::{Next, Place};
use crate::render::sentences;

/// What can be typed.
pub(crate) const HELP: &str = "\
Type a move to try it. next [N] and ply N follow the match, back [N] takes moves back, match leaves a variation, start and end \
go to both ends. moves and more list the moves, why [MOVE] gives the reason, board shows the position again, quit leaves.";

/// Where the walk stands, the position, who wins, and how the match went on.
pub(crate) fn place(place: &Place, position: &Position) -> String {
    let mut lines = vec![
        format!("{} {}", way(place), sentences::describe(position)),
        sentences::notation(position),
        verdict(&place.solution, place.to_move),
    ];
    if let Some(next) = &place.next {
        lines.push(format!(
            "The match went on with {}{}.",
            short(&next.mv),
            effect(next, &place.solution, place.to_move)
        ));
    }
    lines.join("\n")
}

fn way(place: &Place) -> String {
    let variation = place.variation.join(", ");
    let from = place.ply - place.variation.len();
    match (place.plies, place.variation.len()) {
        (0, 0) => "Start.".to_owned(),
        (0, moves) => format!(
            "After {}: {}.",
            count(moves as u64, "move"),
            short(&variation)
        ),
        (plies, 0) => format!("Ply {} of {plies}.", place.ply),
        (plies, _) => format!(
            "Variation from ply {from} of {plies}: {}.",
            short(&variation)
        ),
    }
}

/// Who wins, and with which moves.
fn verdict(solution: &Solution, to_move: Seat) -> String {
    let turn = format!("The {to_move} player is to move");
    let winner = solution.outcome.winner(to_move);
    if solution.legal_moves == Some(0) {
        return match winner {
            Some(winner) => format!("There is no move: the {winner} player has won."),
            None => "There is no move: the game is over.".to_owned(),
        };
    }
    let who = match (winner, solution.outcome) {
        (Some(winner), _) if winner == to_move => format!("{turn} and wins"),
        (Some(_), _) => format!("{turn} and loses"),
        (None, OutcomeClass::D) => format!("{turn}; with best play it is a draw"),
        (None, _) => format!("{turn}; who wins was not found within the budget"),
    };
    let value = match (solution.nim_value, &solution.value) {
        (Some(value), _) => format!(". Nim-value {value}"),
        (None, Some(value)) => format!(". Value {value}"),
        (None, None) => String::new(),
    };
    let left = solution.remoteness.filter(|plies| *plies > 0);
    let left = left.map_or(String::new(), |plies| {
        format!(". {} left with best play", count(plies, "move"))
    });
    let moves: Vec<&str> = solution.winning_moves.iter().map(|one| &*one.mv).collect();
    let more = match solution.winning_moves_total {
        Some(total) if total <= moves.len() as u64 => "",
        _ => ", ...",
    };
    let of = match (solution.winning_moves_total, solution.legal_moves) {
        (Some(total), Some(legal)) => format!(" ({total} of {legal})"),
        _ => String::new(),
    };
    let moves = match (&*moves, winner == Some(to_move)) {
        ([], true) => ". The winning moves were not found within the budget".to_owned(),
        ([], false) => String::new(),
        (moves, _) => format!(". Winning moves: {}{more}{of}", short(&moves.join(", "))),
    };
    format!("{who}{value}{left}{moves}.")
}

/// What the next move of the match did.
fn effect(next: &Next, before: &Solution, mover: Seat) -> &'static str {
    let had_the_win = before.outcome.winner(mover) == Some(mover);
    match (next.winner, next.outcome) {
        (Some(winner), _) if winner == mover => ", which wins",
        (Some(_), _) if had_the_win => ", which gives the win away",
        (Some(_), _) if before.outcome == OutcomeClass::D => ", which gives the draw away",
        (Some(_), _) => ", which loses",
        (None, OutcomeClass::D) if had_the_win => ", which gives the win away and leaves a draw",
        (None, OutcomeClass::D) => ", which keeps the draw",
        (None, _) => "",
    }
}
