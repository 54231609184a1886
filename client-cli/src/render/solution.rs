//! The verdict on a position as text.

use grundy_shared::solver::{OutcomeClass, Solution};

use super::{count, short, table};
use crate::verdict::Verdict;

/// Who wins, in words.
fn outcome(outcome: OutcomeClass) -> &'static str {
    match outcome {
        OutcomeClass::N => "the player to move wins",
        OutcomeClass::P => "the player to move loses",
        OutcomeClass::L => "Left wins",
        OutcomeClass::R => "Right wins",
        OutcomeClass::D => "draw with best play",
        OutcomeClass::Unknown => "not solved within the budget",
    }
}

/// The verdict in one line.
pub(crate) fn headline(solution: &Solution) -> String {
    let mut parts = vec![
        short(&solution.position),
        outcome(solution.outcome).to_owned(),
    ];
    if let Some(value) = solution.nim_value {
        parts.push(format!("nim-value {value}"));
    }
    if let Some(value) = &solution.value {
        parts.push(format!("value {value}"));
    }
    if let Some(plies) = solution.remoteness.filter(|plies| *plies > 0) {
        let lost = solution.outcome == OutcomeClass::P || solution.winning_moves_total == Some(0);
        let whose = if lost {
            "longest defence"
        } else {
            "shortest win"
        };
        parts.push(format!("{whose} {}", count(plies, "move")));
    }
    parts.join("   ")
}

/// The verdict with its moves, and what to type next; `larger_budget` is the flag to try if the position was not solved.
pub(crate) fn screen(
    verdict: &Verdict,
    next: &str,
    larger_budget: &str,
    width: Option<usize>,
) -> String {
    let solution = &verdict.solution;
    let mut text = headline(solution);
    text.push('\n');
    if solution.outcome == OutcomeClass::Unknown {
        text.push_str(&format!("  {}\n  Try {larger_budget}.\n", solution.method));
    }
    if solution.outcome == OutcomeClass::N && solution.winning_moves_total.is_none() {
        text.push_str(&match solution.winning_moves.is_empty() {
            true => format!(
                "  The winning moves were not found within the budget. Try {larger_budget}.\n"
            ),
            false => "  More than 10^19 moves win; the first of them are listed.\n".to_owned(),
        });
    }
    let shown = verdict.moves.as_deref().unwrap_or_default();
    if !shown.is_empty() {
        let known = |value: Option<u64>| value.map_or("-".to_owned(), |value| value.to_string());
        let wins = |mv: &str| solution.winning_moves.iter().any(|won| won.mv == mv);
        let rows: Vec<Vec<String>> = shown
            .iter()
            .map(|considered| {
                let after = &considered.after;
                let result = match after.outcome {
                    OutcomeClass::P => "wins",
                    OutcomeClass::N => "loses",
                    // The move is known to win, and the budget ran out before what it leaves was looked at.
                    OutcomeClass::Unknown if wins(&considered.mv) => "wins",
                    other => outcome(other),
                };
                vec![
                    considered.mv.clone(),
                    short(&after.position),
                    known(after.nim_value),
                    result.to_owned(),
                    known(after.remoteness),
                ]
            })
            .collect();
        text.push('\n');
        text.push_str(&table(
            &["move", "leaves", ">value", "result", ">moves left after"],
            &rows,
            width,
        ));
    }
    if let Some(words) = unlisted(verdict) {
        text.push_str(&format!("  {words}\n"));
    }
    if solution.legal_moves == Some(0) {
        text.push_str("  There is no move: the game is over.\n");
    } else {
        text.push_str(next);
        text.push('\n');
    }
    text
}

/// What the list of moves leaves out, in words.
fn unlisted(verdict: &Verdict) -> Option<String> {
    let solution = &verdict.solution;
    let shown = verdict.moves.as_ref().map_or(0, Vec::len) as u64;
    let legal = solution.legal_moves?;
    let listed_all = verdict.moves.iter().flatten().any(|considered| {
        !solution
            .winning_moves
            .iter()
            .any(|won| won.mv == considered.mv)
    });
    let winning = solution.winning_moves_total?;
    let more_wins = winning.saturating_sub(shown);
    if listed_all {
        let more = legal - shown.min(legal);
        return (more > 0).then(|| {
            format!(
                "{} not shown; see more with --max-moves",
                count(more, "other move")
            )
        });
    }
    if more_wins > 0 {
        return Some(format!(
            "{} not shown; see more with --max-moves",
            count(more_wins, "other winning move")
        ));
    }
    let losing = legal - winning.min(legal);
    if solution.outcome == OutcomeClass::D {
        // Some of them keep the draw.
        let verb = if losing == 1 { "does" } else { "do" };
        return (losing > 0)
            .then(|| format!("{} {verb} not win; show with --all", count(losing, "move")));
    }
    let verb = if losing == 1 { "loses" } else { "lose" };
    (losing > 0 && shown < legal).then(|| match winning {
        0 => format!("{} {verb}; show with --all", count(losing, "move")),
        _ => format!(
            "{} {verb} the win; show with --all",
            count(losing, "other move")
        ),
    })
}
