//! Hints in sentences: what the solver knows of a position, as much of it as was asked for.

use grundy_shared::solver::{OutcomeClass, Solution};

use super::{count, short};
use crate::session::match_view::NoHints;

/// How much a hint gives away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Depth {
    /// Whether there is a winning move.
    Exists,
    /// A winning move.
    Move,
}

/// A hint for the player to move.
pub(crate) fn hint(solution: &Solution, depth: Depth) -> String {
    let first = solution.winning_moves.first();
    let many = match (solution.winning_moves_total, solution.legal_moves) {
        (Some(1), Some(legal)) => format!(" Only 1 of {} wins.", count(legal, "move")),
        (Some(winning), Some(legal)) => format!(" {winning} of {} win.", count(legal, "move")),
        _ => String::new(),
    };
    match (solution.outcome, first, depth) {
        (OutcomeClass::Unknown, ..) => {
            "The solver could not decide this position in the time of a hint.".to_owned()
        }
        (OutcomeClass::D, None, _) => {
            "No move wins by force: with best play the match is a draw.".to_owned()
        }
        (_, None, _) if solution.winning_moves_total == Some(0) => {
            "Every move loses against best play. Choose one that is hard to answer; 'why' shows the reason."
                .to_owned()
        }
        (_, None, _) => {
            "You can win, but the solver found no winning move in the time of a hint.".to_owned()
        }
        (_, Some(_), Depth::Exists) => {
            format!("You can win.{many} Type hint again for a winning move, or why for the reason.")
        }
        (_, Some(winning), Depth::Move) => format!("{} wins.", short(&winning.mv)),
    }
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
