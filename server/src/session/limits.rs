//! How much one connection may say.

use std::time::Duration;

use tokio::time::Instant;

use crate::config::Limits;
use crate::rate::Rate;

/// Refusals in a row that close a connection.
const REFUSALS_MAX: u8 = 3;
/// Messages that are not JSON, within [`NONSENSE_WINDOW`], that close a connection.
const NONSENSE_MAX: u8 = 10;
const NONSENSE_WINDOW: Duration = Duration::from_secs(60);

/// The account of one connection.
#[derive(Debug)]
pub(super) struct Account {
    messages: Rate,
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

impl Account {
    /// Nothing was said yet.
    #[must_use]
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            messages: Rate::per_second(limits.requests_per_second, limits.burst),
            refusals_in_a_row: 0,
            nonsense: 0,
            nonsense_since: Instant::now(),
        }
    }

    /// Counts a message of any kind.
    ///
    /// # Errors
    /// [`TooFast`].
    pub(super) fn message(&mut self) -> Result<(), TooFast> {
        match self.messages.check() {
            Ok(()) => {
                self.refusals_in_a_row = 0;
                Ok(())
            }
            Err(wait) => {
                self.refusals_in_a_row += 1;
                Err(TooFast {
                    wait,
                    closes: self.refusals_in_a_row >= REFUSALS_MAX,
                })
            }
        }
    }

    /// Counts a message that was not JSON; whether it was one too many.
    pub(super) fn nonsense(&mut self) -> bool {
        let now = Instant::now();
        if now.duration_since(self.nonsense_since) > NONSENSE_WINDOW {
            self.nonsense_since = now;
            self.nonsense = 0;
        }
        self.nonsense += 1;
        self.nonsense >= NONSENSE_MAX
    }
}
