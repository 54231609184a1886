//! From a position to its solution.

use crate::erased::{ComponentMove, Position};
use crate::game::{Goal, Replies};
use crate::ids::Seat;
use crate::solver::solution::count;
use crate::solver::{Budget, OutcomeClass, Solution, WinningMove};
use crate::theory::{Meter, Stopped, Tally};

/// Text of winning moves in one solution: the list is cut there, the total stays exact.
const MAX_LISTED_BYTES: usize = 1 << 24;

/// What is known of a position: exact, or `unknown` once the budget is used up. Lists the first `max_moves` winning
/// moves, and fewer when their positions together would take more than 16 MiB of text.
#[must_use]
pub fn solve(
    position: &Position,
    to_move: Seat,
    budget: &Budget<'_>,
    max_moves: usize,
) -> Solution {
    let mut meter = budget.meter();
    let mut solution = Solution {
        schema: "grundy/solve/1",
        position: position.to_string(),
        outcome: OutcomeClass::Unknown,
        nim_value: None,
        value: None,
        legal_moves: count(position.move_count(to_move)),
        winning_moves: Vec::new(),
        winning_moves_total: None,
        remoteness: None,
        method: "none within the budget".to_owned(),
        exact: false,
    };
    if let Ok(Some(verdict)) = by_values(position, max_moves, &mut meter) {
        solution.outcome = match verdict.lost {
            true => OutcomeClass::P,
            false => OutcomeClass::N,
        };
        solution.exact = true;
        solution.nim_value = verdict.nim_value;
        solution.method = verdict.method;
        if let Some(replies) = verdict.winning {
            solution.winning_moves_total = count(replies.total);
            solution.winning_moves = listed(position, &replies);
        }
        solution.remoteness = remoteness(position);
    }
    solution
}

/// What a method found.
struct Verdict {
    lost: bool,
    nim_value: Option<u64>,
    winning: Option<Replies<(usize, ComponentMove)>>,
    method: String,
}

/// By the Grundy values of all parts: in normal play always right, in misère play where every part is tame.
fn by_values(
    position: &Position,
    max_moves: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<Verdict>, Stopped> {
    let misere = position.end_rule().is_misere();
    let components = position.sum.components();
    if misere && !components.iter().all(|component| component.is_tame()) {
        return Ok(None);
    }
    let mut values = Vec::with_capacity(components.len());
    for component in components {
        let known: Option<Vec<u64>> = component.values(meter)?.into_iter().collect();
        let Some(known) = known else {
            return Ok(None);
        };
        values.push(known);
    }
    let tally: Tally = values.iter().flatten().copied().collect();
    let lost = tally.is_lost(misere);
    let mut winning = Some(Replies::default());
    if !lost {
        winning = winning_moves(position, &values, tally, max_moves, meter).ok();
    }
    let mut methods: Vec<&str> = Vec::new();
    for component in components {
        if !methods.contains(&component.method()) {
            methods.push(component.method());
        }
    }
    let mut method = methods.join(", ");
    if misere {
        method.push_str(", misere rule of tame sums");
    }
    Ok(Some(Verdict {
        lost,
        nim_value: (!misere).then_some(tally.xor),
        winning,
        method,
    }))
}

/// All moves that bring the sum to a lost position, counted; the first are kept.
fn winning_moves(
    position: &Position,
    values: &[Vec<u64>],
    tally: Tally,
    max_moves: usize,
    meter: &mut Meter<'_>,
) -> Result<Replies<(usize, ComponentMove)>, Stopped> {
    let misere = position.end_rule().is_misere();
    let mut all = Replies::default();
    for (index, component) in position.sum.components().iter().enumerate() {
        for (part, value) in values[index].iter().enumerate() {
            meter.work(1)?;
            let wanted = tally.without(*value).wanted(misere);
            let room = max_moves - all.first.len();
            let found = component.replies(part, Goal::Value(wanted), room, meter)?;
            let found = found.ok_or(Stopped)?;
            all.total = all.total.saturating_add(found.total);
            all.first
                .extend(found.first.into_iter().map(|mv| (index, mv)));
        }
    }
    Ok(all)
}

/// The moves with the positions that they lead to, as many as fit.
fn listed(position: &Position, replies: &Replies<(usize, ComponentMove)>) -> Vec<WinningMove> {
    let mut bytes = 0;
    let mut list = Vec::new();
    for (component, mv) in &replies.first {
        let mv = position.sum.own(*component, mv.clone());
        let to = position.play(&mv).to_string();
        bytes += to.len();
        if bytes > MAX_LISTED_BYTES && !list.is_empty() {
            break;
        }
        list.push(WinningMove {
            mv: mv.to_string(),
            to,
        });
    }
    list
}

/// By a closed form, where there is one.
fn remoteness(position: &Position) -> Option<u64> {
    match position.sum.components() {
        [component] => component.remoteness(position.end_rule()),
        _ => None,
    }
}
