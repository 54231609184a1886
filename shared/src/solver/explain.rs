//! The reason for a verdict, in the words of the game.

use std::fmt;

use serde::Serialize;

use crate::game::Kind;
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::answers::{answer_lines, value_line};
use crate::solver::bounds::BOUNDED_NODES;
use crate::solver::compound::Compounded;
use crate::solver::joint::Joint;
use crate::solver::reason::{advised, best, changed, whole, working};
use crate::solver::solution::WinningMove;
use crate::solver::sum_solver::SEARCH;
use crate::solver::{Budget, OutcomeClass, Solution, solve_within};
use crate::theory::Meter;
use crate::theory::compound::Compound;

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

/// Explains in the terms of the game why a position is won or lost, in at most about four hundred lines. The verdict
/// and its reasons share the budget; reasons beyond the budget are left out.
#[must_use]
pub fn explain(position: &Position, to_move: Seat, budget: &Budget<'_>) -> Explanation {
    let mut meter = budget.meter();
    // The memory that the verdict took is free again.
    let mut solution = meter.with_at_most(u64::MAX, |meter| {
        solve_within(position, to_move, meter, NAMED_MOVES)
    });
    advise(&mut solution, position, &mut meter);
    let mut lines = Vec::new();
    if position.is_over(to_move) {
        let nobody = position.is_over(to_move.other());
        let short = position.compound().is_short();
        let with_sides = position.kind() != Kind::Impartial;
        let until_zero = position.compound() == Compound::UntilZero;
        let wins = match (nobody, position.end_rule().is_misere()) {
            (_, true) if until_zero => {
                "Every component has nim-value 0, so the game is over; in misere play the player to move has won."
            }
            (_, false) if until_zero => {
                "Every component has nim-value 0, so the game is over; the player who made the last move has won."
            }
            (_, true) if short && with_sides => {
                "The player to move has no move in a component, so the game is over, and in misere play he has won."
            }
            (_, false) if short && with_sides => {
                "The player to move has no move in a component, so the game is over and he has lost."
            }
            (_, true) if short => {
                "A component has no moves left, so the game is over; in misere play the player to move has won."
            }
            (_, false) if short => {
                "A component has no moves left, so the game is over; the player who made the last move has won."
            }
            (true, true) => "No moves are left: in misere play the player to move has won.",
            (true, false) => "No moves are left: the player who made the last move has won.",
            (false, true) => "The player to move has no move, which wins in misere play.",
            (false, false) => "The player to move has no move and has lost.",
        };
        lines.push(wins.to_owned());
    } else {
        if let Some(mut compounded) = Compounded::new(position, 0) {
            lines.extend(compounded.table(&mut meter));
            lines.extend(whole(position, to_move, &solution, &mut meter));
        } else if Joint::is_searched(position) {
            lines.extend(compound(position, to_move, &solution, &mut meter));
        } else {
            lines.extend(sum(position, to_move, &solution, &mut meter));
            lines.extend(by_answers(position, &solution, &mut meter));
        }
        lines.extend(conclusion(&solution, to_move));
        lines.extend(first_winning_move(position, to_move, &solution, &mut meter));
        lines.extend(keeps_the_draw(position, to_move, &solution, &mut meter));
    }
    Explanation {
        schema: "grundy/explain/1",
        position: solution.position,
        outcome: solution.outcome,
        lines,
    }
}

/// Puts the winning move that the words of the game teach before the others.
fn advise(solution: &mut Solution, position: &Position, meter: &mut Meter<'_>) {
    if solution.outcome != OutcomeClass::N {
        return;
    }
    let advised = advised(position, meter).map(|mv| mv.to_string());
    let is_advised = |won: &WinningMove| Some(&won.mv) == advised.as_ref();
    if let Some(place) = solution.winning_moves.iter().position(is_advised) {
        solution.winning_moves[..=place].rotate_right(1);
    }
}

/// What the first winning move changes.
fn first_winning_move(
    position: &Position,
    to_move: Seat,
    solution: &Solution,
    meter: &mut Meter<'_>,
) -> Vec<String> {
    let first = solution.winning_moves.first();
    let mv = first.and_then(|won| position.parse_move(to_move, &won.mv).ok());
    let Some(mv) = mv else {
        return Vec::new();
    };
    let said = meter.with_at_most(BOUNDED_NODES, |meter| {
        changed(position, to_move, &mv, meter)
    });
    let mut name = mv.to_string();
    if name.len() > NAMED_WIDTH {
        name.truncate(name.floor_char_boundary(NAMED_WIDTH - 3));
        name.push_str("...");
    }
    said.into_iter()
        .take(EXPLAINED_COMPONENTS)
        .map(|line| format!("  {name}: {line}"))
        .collect()
}

/// In a draw, a move that keeps it.
fn keeps_the_draw(
    position: &Position,
    to_move: Seat,
    solution: &Solution,
    meter: &mut Meter<'_>,
) -> Option<String> {
    if solution.outcome != OutcomeClass::D {
        return None;
    }
    let kept = best(position, to_move, meter)?;
    Some(format!("A move that keeps the draw is {kept}."))
}

/// The calculation for the components of a sum, each taken alone, and what they come to together.
fn sum(
    position: &Position,
    to_move: Seat,
    solution: &Solution,
    meter: &mut Meter<'_>,
) -> Vec<String> {
    let mut lines = Vec::new();
    let components = position.sum.components();
    for (index, component) in components.iter().enumerate().take(EXPLAINED_COMPONENTS) {
        if components.len() > 1 {
            lines.push(format!(
                "Component {}, alone: {}",
                index + 1,
                component.info().title
            ));
        }
        lines.extend(component.explain(position.end_rule(), meter));
        lines.extend(meter.with_at_most(BOUNDED_NODES, |meter| {
            working(component, position.end_rule(), meter)
        }));
        if component.explained_by_options() && !position.end_rule().is_misere() {
            lines.extend(meter.with_at_most(BOUNDED_NODES, |meter| value_line(component, meter)));
        }
    }
    if components.len() > EXPLAINED_COMPONENTS {
        let more = components.len() - EXPLAINED_COMPONENTS;
        lines.push(format!("and {}", counted_components(more)));
    }
    match components {
        [_] if position.kind() == Kind::Partizan => {
            lines.extend(whole(position, to_move, solution, meter));
        }
        [_] if position.kind() == Kind::Loopy => {}
        [only] => lines.extend(only.how_to_win(position.end_rule())),
        _ => {
            lines.push("All together:".to_owned());
            let said = whole(position, to_move, solution, meter).into_iter();
            lines.extend(said.map(|line| format!("  {line}")));
        }
    }
    lines
}

/// The rule of a compound that only a search decides, its components, and the shortest win.
fn compound(
    position: &Position,
    to_move: Seat,
    solution: &Solution,
    meter: &mut Meter<'_>,
) -> Vec<String> {
    let components = position.sum.components();
    let mut lines = vec![position.compound_rule()];
    for (index, component) in components.iter().enumerate().take(EXPLAINED_COMPONENTS) {
        let title = component.info().title;
        let [left, right] = Seat::BOTH.map(|seat| component.move_count(seat));
        let moves = match left {
            1 => "1 move".to_owned(),
            _ => format!("{left} moves"),
        };
        let moves = match left == right {
            true => format!("{moves} for either player"),
            false => format!("{moves} for Left, {right} for Right"),
        };
        lines.push(format!("  Component {}, {title}: {moves}", index + 1));
    }
    if components.len() > EXPLAINED_COMPONENTS {
        let more = counted_components(components.len() - EXPLAINED_COMPONENTS);
        lines.push(format!("  and {more}"));
    }
    lines.extend(whole(position, to_move, solution, meter));
    lines
}

fn counted_components(more: usize) -> String {
    match more {
        1 => "1 more component".to_owned(),
        _ => format!("{more} more components"),
    }
}

/// The replies to moves, if no theory gives a reason.
fn by_answers(position: &Position, solution: &Solution, meter: &mut Meter<'_>) -> Vec<String> {
    let mut components = position.sum.components().iter();
    let no_theory = position.kind() == Kind::Impartial
        && (solution.method == SEARCH || components.any(|one| one.explained_by_options()));
    match solution.exact && no_theory {
        true => answer_lines(position, solution, meter),
        false => Vec::new(),
    }
}

/// Who wins, and with which moves.
fn conclusion(solution: &Solution, to_move: Seat) -> Option<String> {
    let named = named_moves(solution);
    let whoever = |winner: Seat| {
        let name = if winner == Seat::First {
            "Left"
        } else {
            "Right"
        };
        match named.as_deref().filter(|_| winner == to_move) {
            None => format!("{name} wins, no matter who starts."),
            Some(moves) => format!("{name} wins, no matter who starts; winning moves: {moves}."),
        }
    };
    Some(match solution.outcome {
        OutcomeClass::P => "The player to move loses: every move can be answered.".to_owned(),
        OutcomeClass::N => match &named {
            Some(moves) => format!("The player to move wins with {moves}."),
            None => {
                "The player to move wins; no winning move was found within the budget.".to_owned()
            }
        },
        OutcomeClass::L => whoever(Seat::First),
        OutcomeClass::R => whoever(Seat::Second),
        OutcomeClass::D => {
            "Neither player can force a win: best play never ends, which is a draw.".to_owned()
        }
        OutcomeClass::Unknown => {
            let tried = &solution.method;
            format!("Not decided: {tried}. The budget was used up before the winner was known.")
        }
    })
}

/// The first winning moves, and how many more there are; `None` when none is known.
fn named_moves(solution: &Solution) -> Option<String> {
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
        return None;
    }
    let total = solution.winning_moves_total;
    let all = total.is_some_and(|total| total == moves.len() as u64);
    let more = match (all, total) {
        (true, _) => String::new(),
        (false, Some(total)) => format!(" and {} more", total - moves.len() as u64),
        // The known winning moves; others may win as well.
        (false, None) if moves.len() < solution.winning_moves.len() => {
            " and more; others may win as well".to_owned()
        }
        (false, None) if solution.legal_moves.is_some() => "; others may win as well".to_owned(),
        (false, None) => " and more".to_owned(),
    };
    Some(format!("{}{more}", moves.join(", ")))
}
