//! How much one connection may say.

use std::time::Duration;

use tokio::time::Instant;

use crate::config::Limits;

/// Refusals in a row that close a connection.
const REFUSALS_MAX: u8 = 3;
/// Messages that are not JSON, within [`NONSENSE_WINDOW`], that are only refused: the next one closes the connection.
const NONSENSE_MAX: u8 = 9;
const NONSENSE_WINDOW: Duration = Duration::from_secs(60);

/// How often something may happen: so many at once, then so many a second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pace {
    pub(super) burst: u32,
    pub(super) per_second: u32,
}

impl Pace {
    fn each(self) -> Duration {
        Duration::from_secs(1) / self.per_second.max(1)
    }

    fn lead(self) -> Duration {
        self.each() * self.burst.saturating_sub(1)
    }
}

/// What the bounds of the configuration are for one connection: a bot plays many matches at once, and fast ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowance {
    /// For everything that a person says, and for what a bot says besides moves.
    pub(super) requests: Pace,
    /// For the moves of a bot in each match that it follows from its seat.
    pub(super) moves: Option<Pace>,
    /// Requests beyond these that wait instead of being refused.
    pub(super) waiting: u32,
    /// Open matches of the player.
    pub(super) matches: u32,
    /// Open matches that the connection follows.
    pub(super) follows: u32,
    /// Messages that wait for a slow reader.
    pub(super) queue_messages: u32,
}

impl Allowance {
    /// That of a connection whose player is a bot, or is not, or is not known yet.
    pub(super) fn of(limits: &Limits, bot: bool) -> Self {
        match bot {
            false => Self {
                requests: Pace {
                    burst: limits.burst,
                    per_second: limits.requests_per_second,
                },
                moves: None,
                waiting: 0,
                matches: limits.matches_per_player,
                follows: limits.follows_per_connection,
                queue_messages: limits.queue_messages,
            },
            true => Self {
                requests: Pace {
                    burst: limits.bot_burst,
                    per_second: limits.bot_requests_per_second,
                },
                moves: Some(Pace {
                    burst: limits.bot_moves_burst_per_match,
                    per_second: limits.bot_moves_per_second_per_match,
                }),
                waiting: limits.bot_waiting_requests,
                matches: limits.bot_matches_per_player,
                follows: limits.bot_follows_per_connection,
                queue_messages: limits.bot_queue_messages,
            },
        }
    }
}

/// What has happened lately at one pace: the generic cell rate algorithm (ITU-T I.371), on the clock reading of the caller's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meter {
    /// When everything so far is paid for, at the steady rate.
    paid_at: Instant,
}

impl Meter {
    /// Nothing has happened yet.
    pub(super) fn new(now: Instant) -> Self {
        Self { paid_at: now }
    }

    /// Counts one if it may happen now.
    ///
    /// # Errors
    /// How long to wait.
    fn take(&mut self, now: Instant, pace: Pace) -> Result<(), Duration> {
        let wait = self.paid_at.saturating_duration_since(now + pace.lead());
        if wait.is_zero() {
            self.paid_at = self.paid_at.max(now) + pace.each();
            return Ok(());
        }
        Err(wait)
    }

    /// Counts one that happens as soon as it may; when that is.
    pub(super) fn book(&mut self, now: Instant, pace: Pace) -> Instant {
        let wait = self.paid_at.saturating_duration_since(now + pace.lead());
        self.paid_at = self.paid_at.max(now) + pace.each();
        now + wait
    }
}

/// What one connection has said lately.
#[derive(Debug)]
pub(super) struct RateState {
    messages: Meter,
    /// Requests that may wait are counted apart: they have paid for the time to come, which nothing else has to wait for.
    booked: Meter,
    refusals_in_a_row: u8,
    nonsense: u8,
    nonsense_since: Instant,
}

/// A message more than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooFast {
    /// When the next one is welcome.
    pub(super) wait: Duration,
    /// Whether it was the last warning.
    pub(super) closes: bool,
}

impl RateState {
    /// Nothing was said yet.
    #[must_use]
    pub(super) fn new(now: Instant) -> Self {
        Self {
            messages: Meter::new(now),
            booked: Meter::new(now),
            refusals_in_a_row: 0,
            nonsense: 0,
            nonsense_since: now,
        }
    }

    /// Counts a message of any kind.
    ///
    /// # Errors
    /// [`TooFast`].
    pub(super) fn message(&mut self, now: Instant, pace: Pace) -> Result<(), TooFast> {
        match self.messages.take(now, pace) {
            Ok(()) => {
                self.admitted();
                Ok(())
            }
            Err(wait) => Err(self.too_fast(wait)),
        }
    }

    /// Counts a request that is answered as soon as its turn comes; when that is.
    pub(super) fn book(&mut self, now: Instant, pace: Pace) -> Instant {
        self.booked.book(now, pace)
    }

    /// A message was within the bounds.
    pub(super) fn admitted(&mut self) {
        self.refusals_in_a_row = 0;
    }

    /// A message was beyond the bounds.
    pub(super) fn too_fast(&mut self, wait: Duration) -> TooFast {
        self.refusals_in_a_row += 1;
        TooFast {
            wait,
            closes: self.refusals_in_a_row >= REFUSALS_MAX,
        }
    }

    /// Counts a message that was not JSON; whether it was one too many.
    pub(super) fn nonsense(&mut self, now: Instant) -> bool {
        if now.duration_since(self.nonsense_since) > NONSENSE_WINDOW {
            self.nonsense_since = now;
            self.nonsense = 0;
        }
        self.nonsense += 1;
        self.nonsense > NONSENSE_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_then_the_steady_rate_and_the_third_refusal_closes() {
        let pace = Pace {
            burst: 3,
            per_second: 10,
        };
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let refused = |ms, closes| {
            Err(TooFast {
                wait: Duration::from_millis(ms),
                closes,
            })
        };
        let mut rate = RateState::new(start);
        let mut say = |ms| rate.message(at(ms), pace);
        assert_eq!([say(0), say(0), say(0)], [Ok(()); 3]);
        assert_eq!(say(0), refused(100, false));
        assert_eq!(say(99), refused(1, false));
        assert_eq!(say(100), Ok(()));
        assert_eq!(say(150), refused(50, false));
        assert_eq!([say(200), say(300)], [Ok(()); 2]);
        // The whole burst again, after as long as it takes to pay for it.
        assert_eq!([say(700), say(700), say(700)], [Ok(()); 3]);
        assert_eq!(say(700), refused(100, false));
        assert_eq!(say(700), refused(100, false));
        assert_eq!(say(700), refused(100, true));
    }

    #[test]
    fn what_is_booked_leaves_the_rest_its_pace() {
        let pace = Pace {
            burst: 2,
            per_second: 10,
        };
        let now = Instant::now();
        let mut rate = RateState::new(now);
        for _ in 0..50 {
            rate.book(now, pace);
        }
        assert_eq!(rate.message(now, pace), Ok(()));
    }

    #[test]
    fn what_is_booked_goes_at_once_up_to_the_burst_and_then_at_the_steady_rate() {
        let pace = Pace {
            burst: 2,
            per_second: 10,
        };
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut meter = Meter::new(start);
        let booked = [0, 0, 0, 0, 150, 900].map(|ms| meter.book(at(ms), pace));
        assert_eq!(booked, [0, 0, 100, 200, 300, 900].map(at));
    }
}
