//! Conditional moves in slow games: replies that a player plans while the opponent is to move.

use super::limits::{PLAN_CLOCKS_FROM_MS, PLANS_MAX};
use super::log::BrokenLaw;
use super::read_plan::{ReadPlan, read_plan};
use super::{Command, Decision, Referee, Refusal, Status};
use crate::event::Event;
use crate::ids::{Millis, PlayerId, Ply, Seat};

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
