//! Moves that a lesson may name: none of them wins.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, standing};

/// Moves that are looked at for an example, at most.
const TRIED: usize = 32;

/// A legal move that is proved not to win; `None` if none is found among the first moves. Cost: the solver is asked for each.
pub(super) fn losing_move(
    position: &Position,
    to_move: Seat,
    budget: &Budget<'_>,
) -> Option<String> {
    let mut moves = position.moves_from(to_move, 0).take(TRIED);
    let found = moves.find(|mv| {
        let after = standing(&position.play(mv), to_move.other(), budget);
        after.is_some_and(|after| after.winner != Some(to_move))
    });
    found.map(|mv| mv.to_string())
}

/// Whether a text names a move that wins, or may win, as one of its words.
pub(super) fn names_winning_move(
    text: &str,
    position: &Position,
    to_move: Seat,
    budget: &Budget<'_>,
) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|letter| matches!(letter, ';' | ',' | '.' | '(' | ')'));
        position.parse_move(to_move, word).is_ok_and(|mv| {
            let after = standing(&position.play(&mv), to_move.other(), budget);
            after.is_none_or(|after| after.winner == Some(to_move))
        })
    })
}
