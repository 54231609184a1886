//! How much one connection may say.

use std::time::Duration;

use tokio::time::Instant;

use crate::config::Limits;

/// Refusals in a row that close a connection.
const REFUSALS_MAX: u8 = 3;
/// Messages that are not JSON, within [`NONSENSE_WINDOW`], that close a connection.
const NONSENSE_MAX: u8 = 10;
const NONSENSE_WINDOW: Duration = Duration::from_secs(60);

/// What one connection has said lately: the generic cell rate algorithm (ITU-T I.371), on the clock reading of the caller's turn.
#[derive(Debug)]
pub(super) struct RateState {
    /// When all messages so far are paid for, at the steady rate.
    paid_at: Instant,
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
            paid_at: now,
            refusals_in_a_row: 0,
            nonsense: 0,
            nonsense_since: now,
        }
    }

    /// Counts a message of any kind.
    ///
    /// # Errors
    /// [`TooFast`].
    pub(super) fn message(&mut self, now: Instant, limits: &Limits) -> Result<(), TooFast> {
        let each = Duration::from_secs(1) / limits.requests_per_second.max(1);
        let burst = each * limits.burst.saturating_sub(1);
        let paid_at = self.paid_at.max(now);
        let wait = paid_at.saturating_duration_since(now + burst);
        if wait.is_zero() {
            self.paid_at = paid_at + each;
            self.refusals_in_a_row = 0;
            return Ok(());
        }
        self.refusals_in_a_row += 1;
        Err(TooFast {
            wait,
            closes: self.refusals_in_a_row >= REFUSALS_MAX,
        })
    }

    /// Counts a message that was not JSON; whether it was one too many.
    pub(super) fn nonsense(&mut self, now: Instant) -> bool {
        if now.duration_since(self.nonsense_since) > NONSENSE_WINDOW {
            self.nonsense_since = now;
            self.nonsense = 0;
        }
        self.nonsense += 1;
        self.nonsense >= NONSENSE_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_then_the_steady_rate_and_the_third_refusal_closes() {
        let limits = Limits {
            burst: 3,
            requests_per_second: 10,
            ..Limits::default()
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
        let mut say = |ms| rate.message(at(ms), &limits);
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
}
