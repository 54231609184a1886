//! The lines of a plan, as typed: each is played to see whether it is a line of play.

use super::limits::{PLAN_LINES_MAX, PLAN_MOVES_MAX, PLAN_TEXT_MAX};
use super::refusal::Refusal;
use crate::ids::Seat;
use crate::position::Position;

/// A plan that was read in a position, before the match decides whether it can be made: up to 128 moves are played for it, which can take long in a large
/// position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadPlan {
    pub(super) position: Position,
    pub(super) seat: Seat,
    pub(super) lines: Result<Vec<Vec<String>>, Refusal>,
}

impl ReadPlan {
    /// Reads the lines of this seat in a position in which the other seat is to move. O(moves in the lines), each played once.
    #[must_use]
    pub fn of(position: Position, seat: Seat, lines: &[Vec<String>]) -> Self {
        Self {
            lines: read_plan(&position, seat, lines),
            position,
            seat,
        }
    }
}

/// The lines in canonical form, if each is a line of play that ends with a move of this seat, and no two of them answer one line differently. What is cheap
/// to check comes first: numbers and lengths bound the moves that are read and played.
pub(super) fn read_plan(
    position: &Position,
    seat: Seat,
    lines: &[Vec<String>],
) -> Result<Vec<Vec<String>>, Refusal> {
    if lines.len() > PLAN_LINES_MAX {
        return Err(Refusal::OutOfRange {
            field: "lines",
            min: 0,
            max: PLAN_LINES_MAX as u64,
            got: lines.len() as u64,
        });
    }
    for (number, line) in (1..).zip(lines) {
        let moves = line.len();
        if moves == 0 || moves > PLAN_MOVES_MAX || moves % 2 == 1 {
            return Err(Refusal::BadPlanLength {
                line: number,
                moves,
            });
        }
    }
    check_length(lines)?;
    let mut plan: Vec<Vec<String>> = Vec::with_capacity(lines.len());
    for (number, line) in (1..).zip(lines) {
        plan.push(read_line(position, seat, number, line)?);
    }
    // A move may be typed shorter than it is written.
    check_length(&plan)?;
    for (number, line) in plan.iter().enumerate() {
        for (earlier, other) in plan[..number].iter().enumerate() {
            if let Some(at) = contradiction(other, line) {
                return Err(Refusal::PlanContradicts {
                    one: earlier + 1,
                    other: number + 1,
                    replies: [other[at].clone(), line[at].clone()],
                });
            }
        }
    }
    Ok(plan)
}

fn check_length(lines: &[Vec<String>]) -> Result<(), Refusal> {
    let length: usize = lines.iter().flatten().map(String::len).sum();
    match length > PLAN_TEXT_MAX {
        true => Err(Refusal::PlanTooLong { length }),
        false => Ok(()),
    }
}

fn read_line(
    position: &Position,
    seat: Seat,
    line: usize,
    moves: &[String],
) -> Result<Vec<String>, Refusal> {
    let mut position = position.clone();
    let mut mover = seat.other();
    let mut texts = Vec::with_capacity(moves.len());
    for text in moves {
        if position.is_over(mover) {
            return Err(Refusal::PlanBeyondEnd {
                line,
                after: texts.len(),
            });
        }
        let read = position.parse_move(mover, text);
        let mv = read.map_err(|error| Refusal::IllegalPlan { line, error })?;
        position = position.play(&mv);
        texts.push(mv.to_string());
        mover = mover.other();
    }
    Ok(texts)
}

/// The index of the reply at which two lines answer the same moves differently. Two lines agree if one continues the other.
fn contradiction(one: &[String], other: &[String]) -> Option<usize> {
    let at = one
        .iter()
        .zip(other)
        .position(|(one, other)| one != other)?;
    (at % 2 == 1).then_some(at)
}
