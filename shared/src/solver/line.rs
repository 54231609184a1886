//! The shortest win as a line of play: the winner hurries and the loser delays.

use crate::game::Kind;
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::Budget;
use crate::solver::bounds::BOUNDED_NODES;
use crate::solver::graph::Fate;
use crate::solver::joint::Joint;
use crate::solver::sum_solver::SumSolver;
use crate::theory::compound::Compound;
use crate::theory::{Meter, Stopped};

/// Moves of one position among which the next of the line is looked for.
const MOST_MOVES: u128 = 10_000;

/// How long a position lasts, and how.
#[derive(Debug)]
pub(super) struct Line {
    /// Plies to the end; `None` in a draw.
    pub(super) plies: Option<u64>,
    /// The first moves; none in a draw.
    pub(super) moves: Vec<String>,
}

impl Line {
    /// The shortest win of a position that is searched, with its first `most` moves. A disjunctive sum, or a position that is not impartial.
    ///
    /// # Errors
    /// More than 100,000 positions can be reached, or the budget is used up.
    pub(super) fn of(
        position: &Position,
        to_move: Seat,
        most: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        if position.kind() == Kind::Impartial {
            let mut solver = SumSolver::new(position, 0);
            let mut verdict = solver.verdict(meter).ok_or(Stopped)?;
            let all = solver.remotenesses(&mut verdict, meter)?;
            let mut quick = |after: &Position, meter: &mut Meter<'_>| {
                meter.work(1)?;
                Ok(solver.plies_by(&all, after, meter).ok())
            };
            if let Ok(line) = Self::walk(position, to_move, most, |after, _| quick(after, meter)) {
                return Ok(line);
            }
            // The vertices of a graph can have other numbers in play than in the search: such a position is searched by itself.
            return Self::walk(position, to_move, most, |after, _| {
                match quick(after, meter)? {
                    Some(plies) => Ok(Some(plies)),
                    None => plies_of(after, meter).map(Some),
                }
            });
        }
        let mut joint = Joint::new(position, to_move);
        Self::walk(position, to_move, most, |after, seat| {
            meter.work(1)?;
            let parts = joint.parts_of(after.sum.components(), meter)?;
            Ok(match joint.fate(&parts, seat, meter)? {
                Fate::Won(plies) | Fate::Lost(plies) => Some(plies),
                Fate::Drawn => None,
            })
        })
    }

    /// From the position to its end, one ply less each time: the parity of the remoteness is that of the winner, so a move to a
    /// position of one ply less is best for whoever makes it.
    fn walk(
        position: &Position,
        to_move: Seat,
        most: usize,
        mut plies: impl FnMut(&Position, Seat) -> Result<Option<u64>, Stopped>,
    ) -> Result<Self, Stopped> {
        let mut line = Self {
            plies: plies(position, to_move)?,
            moves: Vec::new(),
        };
        let Some(all) = line.plies else {
            return Ok(line);
        };
        let (mut position, mut seat) = (position.clone(), to_move);
        for left in (0..all).rev().take(most) {
            if position.move_count(seat) > MOST_MOVES {
                return Err(Stopped);
            }
            let mut next = None;
            for mv in position.moves(seat) {
                let after = position.play(&mv);
                if plies(&after, seat.other())? == Some(left) {
                    next = Some((mv, after));
                    break;
                }
            }
            let (mv, after) = next.ok_or(Stopped)?;
            line.moves.push(mv.to_string());
            (position, seat) = (after, seat.other());
        }
        Ok(line)
    }
}

/// The first `most` moves of the quickest win, as [`Line::of`] finds them within some seconds of work; `None` where that does not suffice, as
/// in a position with many others below it.
pub(crate) fn shortest_line(
    position: &Position,
    to_move: Seat,
    most: usize,
    budget: &Budget<'_>,
) -> Option<Vec<String>> {
    if position.compound() != Compound::Sum {
        return None;
    }
    let line = budget.meter().with_at_most(BOUNDED_NODES, |meter| {
        Line::of(position, to_move, most, meter)
    });
    Some(line.ok()?.moves)
}

/// How long a position lasts, by a search of its own.
fn plies_of(position: &Position, meter: &mut Meter<'_>) -> Result<u64, Stopped> {
    let mut solver = SumSolver::new(position, 0);
    let mut verdict = solver.verdict(meter).ok_or(Stopped)?;
    let all = solver.remotenesses(&mut verdict, meter)?;
    solver.plies_by(&all, position, meter)
}
