//! From a position to its solution.

use crate::game::Kind;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::bounds::{BOUNDED_NODES, reaches_many};
use crate::solver::compound::Compounded;
use crate::solver::conjunctive::{Conjunctive, alone};
use crate::solver::joint::{Joint, Judged};
use crate::solver::solution::count;
use crate::solver::sum_solver::{Answer, SumSolver};
use crate::solver::tried::Tried;
use crate::solver::{Budget, OutcomeClass, Solution, WinningMove, loopy, partizan_verdict};
use crate::theory::{Meter, MoveList, Stopped};

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
    solve_within(position, to_move, &mut budget.meter(), max_moves)
}

/// [`solve`] without what needs a search of its own once the winner is known: the remoteness, where it is no closed form, and the value of a
/// position of which only the winner is a closed form.
pub(crate) fn solve_winner(
    position: &Position,
    to_move: Seat,
    budget: &Budget<'_>,
    max_moves: usize,
) -> Solution {
    solved(position, to_move, &mut budget.meter(), max_moves, false)
}

/// [`solve`] with the rest of a budget.
pub(crate) fn solve_within(
    position: &Position,
    to_move: Seat,
    meter: &mut Meter<'_>,
    max_moves: usize,
) -> Solution {
    solved(position, to_move, meter, max_moves, true)
}

/// Everything only if `whole`, as [`solve_winner`] says.
fn solved(
    position: &Position,
    to_move: Seat,
    meter: &mut Meter<'_>,
    max_moves: usize,
    whole: bool,
) -> Solution {
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
        method: String::new(),
        exact: false,
    };
    let winning = match position.kind() {
        Kind::Impartial => tell(&mut solution, position, max_moves, meter, whole),
        Kind::Partizan | Kind::Loopy => {
            let mut joint = Joint::new(position, to_move);
            tell_joint(&mut solution, &mut joint, max_moves, meter, whole)
        }
    };
    match winning {
        Ok(Some(replies)) => {
            solution.winning_moves_total = count(replies.total);
            solution.winning_moves = listed(position, &replies.first);
        }
        Ok(None) => {}
        Err(tried) => solution.method = tried.to_string(),
    }
    solution
}

/// What is known of an impartial position; its winning moves, where they are known, are for the caller to list.
fn tell(
    solution: &mut Solution,
    position: &Position,
    max_moves: usize,
    meter: &mut Meter<'_>,
    whole: bool,
) -> Result<Option<MoveList<Move>>, Tried> {
    let answer = answer(position, max_moves, whole, meter)?;
    solution.outcome = match answer.lost {
        true => OutcomeClass::P,
        false => OutcomeClass::N,
    };
    solution.exact = true;
    solution.nim_value = answer.nim_value;
    solution.remoteness = answer.remoteness;
    if !whole && Compounded::new(position, 0).is_none() {
        solution.remoteness = SumSolver::new(position, 0).remoteness_by_form(meter);
    }
    solution.method = answer.method;
    solution.winning_moves = listed(position, &answer.known);
    Ok(answer.winning)
}

/// [`tell`] for a position that is solved as a whole.
fn tell_joint(
    solution: &mut Solution,
    joint: &mut Joint<'_>,
    max_moves: usize,
    meter: &mut Meter<'_>,
    whole: bool,
) -> Result<Option<MoveList<Move>>, Tried> {
    let judged = judged(joint, max_moves, meter)?;
    solution.outcome = judged.outcome;
    solution.exact = true;
    solution.value = judged.value;
    solution.method = judged.method;
    solution.remoteness = judged.plies;
    // What is not a sum was searched.
    let components = joint.position.sum.components().iter();
    let is_bounded = joint.is_compound() || !(judged.is_large || reaches_many(components));
    let is_open = solution.remoteness.is_none() && solution.outcome != OutcomeClass::D;
    if whole && is_open && is_bounded {
        solution.remoteness = meter.with_at_most(BOUNDED_NODES, |meter| {
            joint.remoteness(meter).ok().flatten()
        });
    }
    Ok(judged.winning)
}

/// By the theory of its kind; a compound only by a search.
fn judged(joint: &mut Joint<'_>, max_moves: usize, meter: &mut Meter<'_>) -> Result<Judged, Tried> {
    if joint.is_compound() {
        let alone = alone(joint.position);
        if let Some(mut apart) = Conjunctive::new(joint.position, &alone, joint.to_move) {
            let half = meter.left() / 2;
            let by_law = meter.with_at_most(half, |meter| apart.judge(max_moves, meter));
            if let Ok(judged) = by_law {
                return Ok(judged);
            }
        }
        let searched = joint.judge(max_moves, meter);
        return searched.map_err(|Stopped| Tried::default().and(joint.search()));
    }
    match joint.position.kind() {
        Kind::Loopy => loopy::judge(joint, max_moves, meter),
        _ => partizan_verdict::judge(joint, max_moves, meter),
    }
}

/// Who wins a position and how to go on, without the cost of what [`solve`] reports besides.
#[derive(Debug)]
pub(super) struct Judgement {
    pub(super) outcome: OutcomeClass,
    /// The Grundy value, if the method gives it.
    pub(super) nim_value: Option<u64>,
    /// The number that a partizan position is.
    pub(super) value: Option<String>,
    /// The method, or those that were tried.
    pub(super) method: String,
    /// The first move that wins, the quickest if play can cycle; in a draw the first that keeps it.
    pub(super) best: Option<Move>,
}

/// The verdict on a position with one best move.
pub(super) fn judgement(position: &Position, to_move: Seat, meter: &mut Meter<'_>) -> Judgement {
    let judged = match position.kind() {
        Kind::Impartial => answer(position, 1, false, meter).map(|answer| Judgement {
            outcome: match answer.lost {
                true => OutcomeClass::P,
                false => OutcomeClass::N,
            },
            nim_value: answer.nim_value,
            value: None,
            method: answer.method.clone(),
            best: answer.known().and_then(first),
        }),
        _ => {
            let mut joint = Joint::new(position, to_move);
            judged(&mut joint, 1, meter).map(|judged| Judgement {
                outcome: judged.outcome,
                nim_value: None,
                value: judged.value,
                method: judged.method,
                best: judged.best.or(judged.winning).and_then(first),
            })
        }
    };
    judged.unwrap_or_else(|tried| Judgement {
        outcome: OutcomeClass::Unknown,
        nim_value: None,
        value: None,
        method: tried.to_string(),
        best: None,
    })
}

/// The first move of a list.
fn first(moves: MoveList<Move>) -> Option<Move> {
    moves.first.into_iter().next()
}

/// The number of moves that keep a win of the player to move, and the first `want` of them, as [`solve`] reports them, without
/// the cost of the rest. `None` if the budget is used up.
pub(crate) fn winning_moves(
    position: &Position,
    to_move: Seat,
    budget: &Budget<'_>,
    want: usize,
) -> Option<MoveList<Move>> {
    winning_moves_within(position, to_move, &mut budget.meter(), want)
}

/// [`winning_moves`] with the rest of a budget.
pub(crate) fn winning_moves_within(
    position: &Position,
    to_move: Seat,
    meter: &mut Meter<'_>,
    want: usize,
) -> Option<MoveList<Move>> {
    match position.kind() {
        Kind::Impartial => answer(position, want, false, meter).ok()?.winning,
        _ => {
            let mut joint = Joint::new(position, to_move);
            judged(&mut joint, want, meter).ok()?.winning
        }
    }
}

/// As [`winning_moves_within`], for a player who goes on playing: also if only some winning moves are known, which then count as all; if play can cycle, the quickest wins, and in a draw the moves
/// that keep it.
pub(crate) fn best_moves(
    position: &Position,
    to_move: Seat,
    meter: &mut Meter<'_>,
    want: usize,
) -> Option<MoveList<Move>> {
    if position.kind() == Kind::Impartial {
        return answer(position, want, false, meter).ok()?.known();
    }
    let mut joint = Joint::new(position, to_move);
    let judged = judged(&mut joint, want, meter).ok()?;
    judged.best.or(judged.winning)
}

/// Who wins a position, and how many of its moves keep the win: the facts that accuracy is counted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The seat that wins with best play; `None` for a draw.
    pub winner: Option<Seat>,
    /// Moves that keep the win of the player to move; 0 in a lost or drawn position. Saturating.
    pub winning: u128,
    /// Legal moves, saturating.
    pub legal: u128,
}

/// The winner and the winning moves of a position, without the cost of its value and remoteness; `None` if the budget is used up.
#[must_use]
pub fn standing(position: &Position, to_move: Seat, budget: &Budget<'_>) -> Option<Standing> {
    let meter = &mut budget.meter();
    let (winner, winning) = match position.kind() {
        Kind::Impartial => {
            let answer = answer(position, 0, false, meter).ok()?;
            let winner = if answer.lost {
                to_move.other()
            } else {
                to_move
            };
            (Some(winner), answer.winning)
        }
        _ => {
            let mut joint = Joint::new(position, to_move);
            let judged = judged(&mut joint, 0, meter).ok()?;
            if judged.outcome == OutcomeClass::Unknown {
                return None;
            }
            (judged.outcome.winner(to_move), judged.winning)
        }
    };
    let winning = match winner == Some(to_move) {
        true => winning?.total,
        false => 0,
    };
    Some(Standing {
        winner,
        winning,
        legal: position.move_count(to_move),
    })
}

/// The winner, with the first `max_moves` winning moves. The remoteness and the Grundy value are searched for only if `whole`.
pub(super) fn answer(
    position: &Position,
    max_moves: usize,
    whole: bool,
    meter: &mut Meter<'_>,
) -> Result<Answer, Tried> {
    match Compounded::new(position, max_moves) {
        Some(mut compounded) => compounded.answer(whole, meter),
        None => SumSolver::new(position, max_moves).answer(whole, meter),
    }
}

/// The moves with the positions that they lead to, as many as fit.
fn listed(position: &Position, moves: &[Move]) -> Vec<WinningMove> {
    let mut bytes = 0;
    let mut list = Vec::new();
    for mv in moves {
        let to = position.play(mv).to_string();
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
