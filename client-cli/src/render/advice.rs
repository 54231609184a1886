//! Hints in sentences: what the solver knows of a position, as much of it as was asked for.

use grundy_shared::solver::{OutcomeClass, Solution};

use super::{count, short};
use crate::session::match_view::NoHints;

/// A hint is not known.
pub(crate) const TOO_HARD: &str =
    "The solver could not decide this position in the time of a hint.";

/// The first hint for the player to move: whether the position is won.
pub(crate) fn hint(solution: &Solution) -> String {
    let first = solution.winning_moves.first();
    let many = match (solution.winning_moves_total, solution.legal_moves) {
        (Some(1), Some(1)) => " There is only one move.".to_owned(),
        (Some(1), Some(legal)) => format!(" Only 1 of {} wins.", count(legal, "move")),
        (Some(winning), Some(legal)) => format!(" {winning} of {} win.", count(legal, "move")),
        _ => String::new(),
    };
    match (solution.outcome, first) {
        (OutcomeClass::Unknown, _) => TOO_HARD.to_owned(),
        (OutcomeClass::D, None) => {
            "No move wins by force: with best play the match is a draw.".to_owned()
        }
        (_, None) if solution.winning_moves_total == Some(0) => {
            "Every move loses against best play. Choose one that is hard to answer; 'why' shows the reason."
                .to_owned()
        }
        (_, None) => {
            "You can win, but the solver found no winning move in the time of a hint.".to_owned()
        }
        (_, Some(_)) => format!(
            "You can win.{many} Type hint again for the idea, then for the place and a move, or why for the reason."
        ),
    }
}

/// Why the last move of a match was right or wrong, then why the position is won or lost. `reasons` and `position` are the solver's sentences.
pub(crate) fn why(last: &str, reasons: &[String], position: &str) -> String {
    format!(
        "The last move, {}:\n{}\n\nThe position now:\n{position}",
        short(last),
        reasons.join("\n")
    )
}

/// Why there is no hint.
pub(crate) fn no_hints(why: NoHints) -> &'static str {
    match why {
        NoHints::Opponent => {
            "there are no hints while you play against another player; 'grundy review' shows everything afterwards"
        }
        NoHints::Tournament => {
            "there are no hints in a tournament; 'grundy review' shows everything afterwards"
        }
    }
}
