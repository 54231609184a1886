//! The verdict on a position as text.

use grundy_shared::solver::{OutcomeClass, Solution};
use grundy_words::{Catalogue, Value};

use super::{short, table};
use crate::verdict::Verdict;

/// Who wins, in words.
fn outcome(outcome: OutcomeClass, words: &Catalogue) -> String {
    words.say(match outcome {
        OutcomeClass::N => "solve-outcome-n",
        OutcomeClass::P => "solve-outcome-p",
        OutcomeClass::L => "solve-outcome-l",
        OutcomeClass::R => "solve-outcome-r",
        OutcomeClass::D => "solve-outcome-d",
        OutcomeClass::Unknown => "solve-outcome-unknown",
    })
}

/// A message about a number of things.
fn counted(words: &Catalogue, name: &str, number: u64) -> String {
    let text = number.to_string();
    words.with(
        name,
        &[("count", Value::Number(number)), ("n", Value::Text(&text))],
    )
}

/// The verdict in one line.
pub(crate) fn headline(solution: &Solution, words: &Catalogue) -> String {
    let named = |name, value: &str| words.with(name, &[("value", Value::Text(value))]);
    let mut parts = vec![short(&solution.position), outcome(solution.outcome, words)];
    if let Some(value) = solution.nim_value {
        parts.push(named("solve-nim-value", &value.to_string()));
    }
    if let Some(value) = &solution.value {
        parts.push(named("solve-value", value));
    }
    if let Some(plies) = solution.remoteness.filter(|plies| *plies > 0) {
        let lost = solution.outcome == OutcomeClass::P || solution.winning_moves_total == Some(0);
        let whose = if lost {
            "solve-longest"
        } else {
            "solve-shortest"
        };
        parts.push(counted(words, whose, plies));
    }
    parts.join("   ")
}

/// The verdict with its moves, and what to type next; `larger_budget` is the flag to try if the position was not solved.
pub(crate) fn screen(
    verdict: &Verdict,
    next: &str,
    larger_budget: &str,
    words: &Catalogue,
    width: Option<usize>,
) -> String {
    let solution = &verdict.solution;
    let try_ = |name| words.with(name, &[("flag", Value::Text(larger_budget))]);
    let mut text = headline(solution, words);
    text.push('\n');
    if solution.outcome == OutcomeClass::Unknown {
        text.push_str(&format!("  {}\n  {}\n", solution.method, try_("solve-try")));
    }
    if solution.outcome == OutcomeClass::N && solution.winning_moves_total.is_none() {
        let said = match solution.winning_moves.is_empty() {
            true => try_("solve-not-found"),
            false if solution.legal_moves.is_none() => words.say("solve-many"),
            false => words.say("solve-known"),
        };
        text.push_str(&format!("  {said}\n"));
    }
    let rows = rows(verdict, words);
    if !rows.is_empty() {
        let heading = |name| words.say(name);
        let headings = [
            heading("solve-move"),
            heading("solve-leaves"),
            format!(">{}", heading("solve-value-column")),
            heading("solve-result"),
            format!(">{}", heading("solve-left")),
        ];
        text.push('\n');
        text.push_str(&table(
            &headings.each_ref().map(String::as_str),
            &rows,
            width,
        ));
    }
    if let Some(said) = unlisted(verdict, words) {
        text.push_str(&format!("  {said}\n"));
    }
    if solution.legal_moves == Some(0) {
        text.push_str(&format!("  {}\n", words.say("solve-over")));
    } else {
        text.push_str(next);
        text.push('\n');
    }
    text
}

/// The moves that are shown, with what they come to.
fn rows(verdict: &Verdict, words: &Catalogue) -> Vec<Vec<String>> {
    let solution = &verdict.solution;
    let known = |value: Option<u64>| value.map_or("-".to_owned(), |value| value.to_string());
    let wins = |mv: &str| solution.winning_moves.iter().any(|won| won.mv == mv);
    let shown = verdict.moves.iter().flatten();
    shown
        .map(|considered| {
            let after = &considered.after;
            let result = match after.outcome {
                OutcomeClass::P => words.say("solve-wins"),
                OutcomeClass::N => words.say("solve-loses"),
                // The move is known to win, and the budget ran out before what it leaves was looked at.
                OutcomeClass::Unknown if wins(&considered.mv) => words.say("solve-wins"),
                other => outcome(other, words),
            };
            vec![
                considered.mv.clone(),
                short(&after.position),
                known(after.nim_value),
                result,
                known(after.remoteness),
            ]
        })
        .collect()
}

/// What the list of moves leaves out, in words.
fn unlisted(verdict: &Verdict, words: &Catalogue) -> Option<String> {
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
        return (more > 0).then(|| counted(words, "solve-more", more));
    }
    if more_wins > 0 {
        return Some(counted(words, "solve-more-winning", more_wins));
    }
    let losing = legal - winning.min(legal);
    if solution.outcome == OutcomeClass::D {
        // Some of them keep the draw.
        return (losing > 0).then(|| counted(words, "solve-others-draw", losing));
    }
    (losing > 0 && shown < legal).then(|| {
        let name = match winning {
            0 => "solve-all-lose",
            _ => "solve-others-lose",
        };
        counted(words, name, losing)
    })
}
