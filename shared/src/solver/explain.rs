//! The reason for a verdict, in the words of the game.

use std::fmt;

use serde::Serialize;

use crate::erased::{Component, Position};
use crate::ids::Seat;
use crate::solver::{Budget, OutcomeClass, Solution, solve_within};
use crate::theory::Meter;

/// Winning moves named in an explanation.
const NAMED_MOVES: usize = 12;
/// Letters that these moves may take together.
const NAMED_WIDTH: usize = 90;
/// Components explained one by one.
const EXPLAINED_COMPONENTS: usize = 8;

/// Why a position is won or lost, line by line, in plain ASCII.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Explanation {
    /// Always `grundy/explain/1`.
    pub schema: &'static str,
    /// The position, canonical.
    pub position: String,
    /// Who wins.
    pub outcome: OutcomeClass,
    /// The text, line by line.
    pub lines: Vec<String>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.lines.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            f.write_str(line)?;
        }
        Ok(())
    }
}

/// Says in the game's own terms why a position is won or lost. At most some four hundred lines, whatever the size. The verdict
/// and its reasons share the budget; what reasons it no longer reaches are left out.
#[must_use]
pub fn explain(position: &Position, to_move: Seat, budget: &Budget<'_>) -> Explanation {
    let mut meter = budget.meter();
    // The memory that the verdict took is free again.
    let solution = meter.with_at_most(u64::MAX, |meter| {
        solve_within(position, to_move, meter, NAMED_MOVES)
    });
    let mut lines = Vec::new();
    if position.is_over(to_move) {
        let wins = match position.end_rule().is_misere() {
            true => "Nobody can move any more: in misere play the player to move has won.",
            false => "Nobody can move any more: the player who made the last move has won.",
        };
        lines.push(wins.to_owned());
    } else {
        let components = position.sum.components();
        for (index, component) in components.iter().enumerate().take(EXPLAINED_COMPONENTS) {
            if components.len() > 1 {
                lines.push(format!(
                    "Component {}: {}",
                    index + 1,
                    component.info().title
                ));
            }
            lines.extend(component.explain(position.end_rule(), &mut meter));
        }
        match components {
            [only] => lines.extend(only.how_to_win(position.end_rule())),
            _ => lines.extend(together(position, components, &mut meter)),
        }
        lines.extend(conclusion(&solution));
    }
    Explanation {
        schema: "grundy/explain/1",
        position: solution.position,
        outcome: solution.outcome,
        lines,
    }
}

/// What the values of several components come to.
fn together(position: &Position, components: &[Component], meter: &mut Meter<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if components.len() > EXPLAINED_COMPONENTS {
        let more = components.len() - EXPLAINED_COMPONENTS;
        lines.push(format!("and {more} more components"));
    }
    if position.end_rule().is_misere() {
        return lines;
    }
    let values: Option<Vec<u64>> = components
        .iter()
        .map(|component| {
            let parts = component.values(meter).ok()?;
            parts.into_iter().try_fold(0, |xor, part| Some(xor ^ part?))
        })
        .collect();
    if let Some(values) = values {
        let xor = values.iter().fold(0, |xor, value| xor ^ value);
        let shown = values.iter().take(EXPLAINED_COMPONENTS);
        let shown: Vec<String> = shown.map(u64::to_string).collect();
        let more = if values.len() > shown.len() {
            " ^ ..."
        } else {
            ""
        };
        lines.push(format!(
            "The components together: {}{more} = {xor}",
            shown.join(" ^ ")
        ));
    }
    lines
}

/// Who wins, and with which moves.
fn conclusion(solution: &Solution) -> Vec<String> {
    match solution.outcome {
        OutcomeClass::P => {
            vec!["The player to move loses: every move can be answered.".to_owned()]
        }
        OutcomeClass::N => {
            let mut width = 0;
            let listed = solution.winning_moves.iter().map(|mv| mv.mv.as_str());
            let moves: Vec<&str> = listed
                .take_while(|mv| {
                    let first = width == 0;
                    width += mv.len() + 2;
                    first || width <= NAMED_WIDTH
                })
                .collect();
            if moves.is_empty() {
                return vec![
                    "The player to move wins; with which move was not found within the budget."
                        .to_owned(),
                ];
            }
            let total = solution.winning_moves_total;
            let all = total.is_some_and(|total| total == moves.len() as u64);
            let more = match (all, total) {
                (true, _) => String::new(),
                (false, Some(total)) => format!(" and {} more", total - moves.len() as u64),
                (false, None) => " and more".to_owned(),
            };
            vec![format!(
                "The player to move wins with {}{more}.",
                moves.join(", ")
            )]
        }
        _ => vec!["Who wins was not found within the budget.".to_owned()],
    }
}
