//! Running clocks, of every kind. Time is passed in: nothing here looks at a clock.

use super::limits::{LAG_MAX, LAG_REFILL};
use crate::event::{Clocks, Periods, TimeControl};
use crate::ids::{Millis, Seat};

/// What one player has: the time that runs, and the periods that come after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Budget {
    left: Millis,
    periods: u32,
}

impl TimeControl {
    /// What a player has at the start; `None` when untimed.
    fn at_start(self) -> Option<Budget> {
        let left = match self {
            Self::Untimed {} => return None,
            Self::Fischer { base_ms, .. } | Self::Bronstein { base_ms, .. } => base_ms,
            Self::Delay { base_ms, delay_ms } => base_ms.plus(delay_ms),
            Self::PerMove { move_ms } => move_ms,
            // Without time before them, the first period runs at once.
            Self::ByoYomi {
                base_ms: Millis(0),
                period_ms,
                periods,
            } => {
                return Some(Budget {
                    left: period_ms,
                    periods: periods.saturating_sub(1),
                });
            }
            Self::ByoYomi {
                base_ms, periods, ..
            } => {
                return Some(Budget {
                    left: base_ms,
                    periods,
                });
            }
        };
        Some(Budget { left, periods: 0 })
    }

    /// The time in which a player has to make the first move; `None` when untimed.
    #[must_use]
    pub fn for_first_move(self) -> Option<Millis> {
        self.at_start().map(|budget| self.in_all(budget))
    }

    /// How long until the flag falls, if this much is left.
    fn in_all(self, budget: Budget) -> Millis {
        match self {
            Self::ByoYomi { period_ms, .. } => {
                let periods = period_ms.0.saturating_mul(budget.periods.into());
                budget.left.plus(Millis(periods))
            }
            _ => budget.left,
        }
    }

    /// What is left of this after so much time in one turn: never below zero.
    fn spend(self, budget: Budget, used: Millis) -> Budget {
        let Self::ByoYomi { period_ms, .. } = self else {
            return Budget {
                left: budget.left.since(used),
                ..budget
            };
        };
        if used < budget.left {
            return Budget {
                left: budget.left.since(used),
                ..budget
            };
        }
        let over = used.since(budget.left).0;
        let length = period_ms.0.max(1);
        match u32::try_from(over / length) {
            Ok(begun) if begun < budget.periods => Budget {
                left: Millis(length - over % length),
                periods: budget.periods - begun - 1,
            },
            _ => Budget {
                left: Millis(0),
                periods: 0,
            },
        }
    }

    /// What a player has after a move that took so long.
    fn after_move(self, before: Budget, used: Millis) -> Budget {
        let after = self.spend(before, used);
        let left = match self {
            Self::Untimed {} => after.left,
            Self::Fischer { increment_ms, .. } => after.left.plus(increment_ms),
            // What a turn does not use of its delay is not kept.
            Self::Delay { delay_ms, .. } | Self::Bronstein { delay_ms, .. } => {
                before.left.min(after.left.plus(delay_ms))
            }
            Self::PerMove { move_ms } => move_ms,
            // A move within a period starts that period anew.
            Self::ByoYomi {
                period_ms, periods, ..
            } if after.periods < periods => period_ms,
            Self::ByoYomi { .. } => after.left,
        };
        Budget { left, ..after }
    }
}

/// The turn that is being played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Turn {
    seat: Seat,
    /// Since when the clock runs, or would if it were not held.
    since: Millis,
    /// What the turn took before that.
    spent: Millis,
    /// What the turn may take before it costs time: the way of messages through the network.
    lag: Millis,
}

/// The clocks of one match while it goes on.
///
/// A clock can be *held*: it then stands still and has no deadline, although it may be its player's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MatchClock {
    control: TimeControl,
    /// At the beginning of the turn.
    left: Clocks,
    turn: Option<Turn>,
    held: [bool; 2],
    /// What each may still be given for the network, and the most that it can be.
    lag: [Millis; 2],
    lag_max: Millis,
}

fn budget_of(clocks: &Clocks, seat: Seat) -> Budget {
    Budget {
        left: clocks.of(seat),
        periods: clocks.periods.map_or(0, |periods| periods.of(seat)),
    }
}

fn set_budget(clocks: &mut Clocks, seat: Seat, budget: Budget) {
    *clocks.of_mut(seat) = budget.left;
    if let Some(periods) = &mut clocks.periods {
        *periods.of_mut(seat) = budget.periods;
    }
}

impl MatchClock {
    /// Clocks that stand at their start; `None` when the match is untimed.
    pub(super) fn new(control: TimeControl, held: bool) -> Option<Self> {
        let Budget { left, periods } = control.at_start()?;
        // A short clock is not made much longer by it.
        let lag_max = LAG_MAX.min(Millis(control.for_first_move()?.0 / 10));
        let has_periods = matches!(control, TimeControl::ByoYomi { .. });
        Some(Self {
            control,
            left: Clocks {
                first_ms: left,
                second_ms: left,
                periods: has_periods.then_some(Periods {
                    first: periods,
                    second: periods,
                }),
            },
            turn: None,
            held: [held; 2],
            lag: [lag_max; 2],
            lag_max,
        })
    }

    pub(super) fn start(&mut self, seat: Seat, now: Millis) {
        self.start_after(seat, now, Millis(0));
    }

    fn start_after(&mut self, seat: Seat, now: Millis, lag: Millis) {
        self.turn = Some(Turn {
            seat,
            since: now,
            spent: Millis(0),
            lag,
        });
    }

    pub(super) fn stop(&mut self, now: Millis) {
        self.left = self.left_at(now);
        self.turn = None;
        self.held = [false; 2];
    }

    /// The turn whose clock runs at this moment.
    fn ticking(&self) -> Option<Turn> {
        self.turn.filter(|turn| !self.is_held(turn.seat))
    }

    /// What the turn has taken until now, the way through the network included.
    fn taken(&self, turn: Turn, now: Millis) -> Millis {
        match self.is_held(turn.seat) {
            true => turn.spent,
            false => turn.spent.plus(now.since(turn.since)),
        }
    }

    /// What the turn has cost until now.
    fn used(&self, turn: Turn, now: Millis) -> Millis {
        self.taken(turn, now).since(turn.lag)
    }

    /// The most that this player may be given for the network in the next turn.
    pub(super) fn lag_allowed(&self, seat: Seat) -> Millis {
        self.lag[seat.index()]
    }

    /// What both have left at this moment: never below zero.
    pub(super) fn left_at(&self, now: Millis) -> Clocks {
        let mut left = self.left;
        if let Some(turn) = self.turn {
            let budget = budget_of(&left, turn.seat);
            let budget = self.control.spend(budget, self.used(turn, now));
            set_budget(&mut left, turn.seat, budget);
        }
        left
    }

    /// What both have left when the player whose turn it is moves now.
    pub(super) fn after_move(&self, now: Millis) -> Clocks {
        let mut left = self.left;
        if let Some(turn) = self.turn {
            let budget = budget_of(&left, turn.seat);
            let budget = self.control.after_move(budget, self.used(turn, now));
            set_budget(&mut left, turn.seat, budget);
        }
        left
    }

    /// The player whose turn it is has moved, and so is there to play: the other's turn begins, in which the clock waits so long for the
    /// network.
    pub(super) fn press(&mut self, now: Millis, next_lag: Millis) {
        self.left = self.after_move(now);
        if let Some(turn) = self.turn {
            let used = turn.lag.min(self.taken(turn, now));
            let lag = &mut self.lag[turn.seat.index()];
            *lag = lag.since(used).plus(LAG_REFILL).min(self.lag_max);
            self.held[turn.seat.index()] = false;
            self.start_after(turn.seat.other(), now, next_lag);
        }
    }

    /// What both have left when moves are taken back now: what the turn has taken is given back.
    pub(super) fn before_turn(&self) -> Clocks {
        self.left
    }

    /// Moves were taken back, and it is this player's turn.
    pub(super) fn take_back(&mut self, seat: Seat, now: Millis) {
        if self.turn.is_some() {
            self.start(seat, now);
        }
    }

    /// The moment the flag of the running clock falls, or its player has used so much of the turn.
    pub(super) fn deadline(&self, limit: Option<Millis>) -> Option<Millis> {
        let turn = self.ticking()?;
        let in_all = self.control.in_all(budget_of(&self.left, turn.seat));
        let in_all = limit.map_or(in_all, |limit| limit.min(in_all));
        Some(turn.since.plus(in_all.plus(turn.lag).since(turn.spent)))
    }

    /// How much of this time away falls into the turn that is running, and can be given back.
    pub(super) fn creditable(&self, away: Millis, now: Millis) -> Millis {
        self.ticking()
            .map_or(Millis(0), |turn| away.min(now.since(turn.since)))
    }

    pub(super) fn credit(&mut self, time: Millis) {
        if let Some(turn) = &mut self.turn {
            turn.since = turn.since.plus(time);
        }
    }

    /// Whether this player's clock is held.
    pub(super) fn is_held(&self, seat: Seat) -> bool {
        self.held[seat.index()]
    }

    /// Whether both clocks could be held and are not: the match is on.
    pub(super) fn can_hold(&self) -> bool {
        self.turn.is_some() && self.held != [true; 2]
    }

    /// Holds both clocks from now on.
    pub(super) fn hold(&mut self, now: Millis) {
        if let Some(turn) = self.turn {
            self.turn = Some(Turn {
                since: now,
                spent: self.taken(turn, now),
                ..turn
            });
        }
        self.held = [true; 2];
    }

    /// Whether this player's clock can be started: the match is on, and the clock is held.
    pub(super) fn can_release(&self, seat: Seat) -> bool {
        self.turn.is_some() && self.is_held(seat)
    }

    /// Holds this player's clock no longer.
    pub(super) fn release(&mut self, seat: Seat, now: Millis) {
        self.held[seat.index()] = false;
        if let Some(turn) = &mut self.turn
            && turn.seat == seat
        {
            turn.since = now;
        }
    }
}

#[cfg(test)]
mod tests;
