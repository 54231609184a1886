//! Moves that a lesson may name: none of them wins.

use grundy_shared::practice::Attempt;
use grundy_shared::solver::{Budget, standing};
use grundy_words::{Catalogue, Message};

use crate::render::sentences;

/// Moves that are looked at for an example, at most.
const TRIED: usize = 32;

/// A legal move that is proved not to win; `None` if none is found among the first moves. Cost: the solver is asked for each.
pub(super) fn losing_move(attempt: &Attempt, budget: &Budget<'_>) -> Option<String> {
    let (position, to_move) = (attempt.position(), attempt.to_move());
    let mut moves = position.moves_from(to_move, 0).take(TRIED);
    let found = moves.find(|mv| {
        let after = standing(&position.play(mv), to_move.other(), budget);
        after.is_some_and(|after| after.winner != Some(to_move))
    });
    found.map(|mv| mv.to_string())
}

/// The rules of the position. Their example of a move gives nothing away.
pub(super) fn rules(attempt: &Attempt, words: &Catalogue, budget: &Budget<'_>) -> String {
    sentences::rules_with(
        attempt.position(),
        words,
        |notation| match names_winning_move(notation, attempt, budget) {
            true => losing_move(attempt, budget).map(|mv| {
                let such = Message::new("practice-such-as").text("move", mv);
                such.said(words)
            }),
            false => Some(notation.to_owned()),
        },
    )
}

/// Whether a text names a move that wins, or may win, as one of its words.
fn names_winning_move(text: &str, attempt: &Attempt, budget: &Budget<'_>) -> bool {
    let (position, to_move) = (attempt.position(), attempt.to_move());
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|letter| matches!(letter, ';' | ',' | '.' | '(' | ')'));
        position.parse_move(to_move, word).is_ok_and(|mv| {
            let after = standing(&position.play(&mv), to_move.other(), budget);
            after.is_none_or(|after| after.winner == Some(to_move))
        })
    })
}
