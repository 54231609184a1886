//! Hints in sentences: what the solver knows of a position, as much of it as was asked for.

use grundy_shared::ids::Seat;
use grundy_shared::position::Position;
use grundy_shared::practice::NoHints;
use grundy_shared::solver::{Budget, OutcomeClass, Reasons, Solution, explain, reasons, solve};
use grundy_words::{Catalogue, Language, Value, reason};

use super::{short, working};

/// Winning moves that an explanation names at most.
const NAMED_MOVES: usize = 12;

/// Why moves win or lose, in sentences.
pub(crate) fn moves(reasons: &Reasons, language: Language) -> String {
    reason::lines(reasons, language).join("\n")
}

/// Why a position is won or lost, in sentences.
pub(crate) fn position(
    position: &Position,
    to_move: Seat,
    language: Language,
    budget: &Budget<'_>,
) -> String {
    match language {
        // With the working behind the values, for which other languages have no words yet.
        Language::English => explain(position, to_move, budget).to_string(),
        Language::Chinese => {
            let words = Catalogue::of(language);
            let mut lines = reason::lines(&reasons(position, to_move, &[], budget), language);
            let mut working = working::of_components(position, words);
            let solution = solve(position, to_move, budget, NAMED_MOVES);
            working.extend(working::winning_moves(&solution, to_move, words));
            if !working.is_empty() {
                lines.push(String::new());
            }
            lines.append(&mut working);
            lines.join("\n")
        }
    }
}

/// What is said if a hint is not known.
pub(crate) fn too_hard(words: &Catalogue) -> String {
    words.say("hint-too-hard")
}

/// The first hint for the player to move: whether the position is won.
pub(crate) fn hint(solution: &Solution, words: &Catalogue) -> String {
    match (solution.outcome, solution.winning_moves.first()) {
        (OutcomeClass::Unknown, _) => too_hard(words),
        (OutcomeClass::D, None) => words.say("hint-draw"),
        (_, None) if solution.winning_moves_total == Some(0) => words.say("hint-lost"),
        (_, None) => words.say("hint-not-found"),
        (_, Some(_)) => won(solution, words),
    }
}

/// That the position is won, and by how many of the moves.
fn won(solution: &Solution, words: &Catalogue) -> String {
    let (winning, legal) = match (solution.winning_moves_total, solution.legal_moves) {
        (Some(1), Some(1)) => return words.say("hint-won-forced"),
        (Some(winning), Some(legal)) => (winning, legal),
        _ => return words.say("hint-won"),
    };
    let (n, won) = (legal.to_string(), winning.to_string());
    let count = ("count", Value::Number(legal));
    match winning {
        1 => words.with("hint-won-one", &[count, ("n", Value::Text(&n))]),
        _ => {
            let winning = ("winning", Value::Text(&won));
            words.with("hint-won-some", &[count, ("n", Value::Text(&n)), winning])
        }
    }
}

/// Why the last move of a match was right or wrong, then why the position is won or lost. `reasons` and `position` are the solver's sentences.
pub(crate) fn why(last: &str, reasons: &str, position: &str, words: &Catalogue) -> String {
    let last = words.with("why-last-move", &[("move", Value::Text(&short(last)))]);
    let now = words.say("why-position");
    format!("{last}\n{reasons}\n\n{now}\n{position}")
}

/// The message that says why there is no hint.
pub(crate) fn no_hints(why: NoHints) -> &'static str {
    match why {
        NoHints::Opponent => "typed-no-hints",
        NoHints::Tournament => "typed-no-hints-tournament",
    }
}
