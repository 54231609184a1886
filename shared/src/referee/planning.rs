//! Conditional moves in slow games: replies that a player plans while the opponent is to move.

use super::limits::{
    PLAN_CLOCKS_FROM_MS, PLAN_LINES_MAX, PLAN_MOVES_MAX, PLAN_TEXT_MAX, PLANS_MAX,
};
use super::log::BrokenLaw;
use super::{Command, Decision, Referee, Refusal, Status};
use crate::event::Event;
use crate::ids::{Millis, PlayerId, Ply, Seat};
use crate::position::Position;

/// A plan that was read in a position, before the match decides whether it can be made: up to 128 moves are played for it, which can take long in a large
/// position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadPlan {
    position: Position,
    seat: Seat,
    lines: Result<Vec<Vec<String>>, Refusal>,
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

impl Referee {
    /// The lines of play that this player has planned, starting with the next move of the match.
    #[must_use]
    pub fn plan(&self, seat: Seat) -> &[Vec<String>] {
        &self.plans.lines[seat.index()]
    }

    /// The move that the player to move has planned for this position: send [`Command::PlayPlanned`]. `None` if nothing is planned, or if no move
    /// can be made now.
    #[must_use]
    pub fn planned_move(&self) -> Option<&str> {
        let plays = self.status() == Status::Live && self.paused_until().is_none();
        let line = self.plan(self.to_move()).first().filter(|_| plays)?;
        line.first().map(String::as_str)
    }

    /// Whether moves can be planned in this match: only in slow matches, in which nobody is expected to wait at the board.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        let first_move = self.control.for_first_move();
        first_move.is_none_or(|time| time >= PLAN_CLOCKS_FROM_MS)
    }

    /// O(size) if the plan was read in the position of the match; otherwise it is read here.
    pub(super) fn make_plan(
        &self,
        now: Millis,
        player: PlayerId,
        ply: Ply,
        lines: &[Vec<String>],
        read: Option<&ReadPlan>,
    ) -> Result<Decision, Refusal> {
        self.unless_ended(now, player, |seat| {
            self.check_ply(ply)?;
            if !self.is_slow() {
                return Err(Refusal::TooFastToPlan);
            }
            if self.to_move() == seat {
                return Err(Refusal::PlanAfterYourMove);
            }
            let fits = |read: &&ReadPlan| read.seat == seat && read.position == self.position;
            let lines = match read.filter(fits) {
                Some(read) => read.lines.clone()?,
                None => read_plan(&self.position, seat, lines)?,
            };
            if lines == self.plan(seat) {
                return Ok(Decision::Nothing);
            }
            // What was planned can always be dropped: that takes a plan that stands.
            if self.plans.made[seat.index()] >= PLANS_MAX && !lines.is_empty() {
                return Err(Refusal::TooManyPlans);
            }
            Ok(self.one(Event::Planned {
                at_ms: now,
                seat,
                lines: Some(lines),
            }))
        })
    }

    /// The planned move as an ordinary move of its player.
    pub(super) fn play_planned(
        &self,
        now: Millis,
        opponent_lag: Millis,
    ) -> Result<Decision, Refusal> {
        let Some(text) = self.planned_move().map(str::to_owned) else {
            return Ok(Decision::Nothing);
        };
        let player = self.player(self.to_move()).ok_or(Refusal::NotStarted)?.id;
        let command = Command::Move {
            player,
            ply: self.ply().next(),
            client_move_id: None,
            text,
            opponent_lag,
            hints: 0,
        };
        Ok(match self.handle(now, &command)? {
            Decision::Events(mut ruling) => {
                if let Some(Event::Moved { planned, .. }) = ruling.events.first_mut() {
                    *planned = true;
                }
                Decision::Events(ruling)
            }
            other => other,
        })
    }

    /// Folds a plan of a log. `is_read` for one that this referee has ruled in this state: it is not read a second time.
    pub(super) fn fold_planned(
        &mut self,
        at: Millis,
        seat: Seat,
        lines: Option<&[Vec<String>]>,
        is_read: bool,
    ) -> Result<(), BrokenLaw> {
        self.check_live(at)?;
        let made = self.plans.made[seat.index()];
        let hidden = lines.is_none();
        let lines = lines.unwrap_or_default();
        let too_many = made >= PLANS_MAX && !lines.is_empty();
        if self.tournament.is_some() || !self.is_slow() || self.to_move() == seat || too_many {
            return Err(BrokenLaw::NoPlan);
        }
        if !is_read && read_plan(&self.position, seat, lines).as_deref() != Ok(lines) {
            return Err(BrokenLaw::NoPlan);
        }
        self.plans.lines[seat.index()] = lines.to_vec();
        self.plans.hidden[seat.index()] = hidden;
        self.plans.made[seat.index()] = made.saturating_add(1);
        Ok(())
    }

    /// Whether the log may mark this move as planned. If the plan is hidden from the reader, any move may have been planned.
    pub(super) fn may_be_planned(&self, seat: Seat, text: &str) -> bool {
        self.plans.hidden[seat.index()] || self.planned_move() == Some(text)
    }
}

/// The lines in canonical form, if each is a line of play that ends with a move of this seat, and no two of them answer one line differently. What is cheap
/// to check comes first: numbers and lengths bound the moves that are read and played.
fn read_plan(
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
