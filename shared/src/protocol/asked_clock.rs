//! The clocks that a request asks for: those of a match, read so that unknown fields are refused.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::{BASE_MS, DELAY_MS, INCREMENT_MS, MAIN_MS, MOVE_MS, PERIOD_MS, PERIODS};
use crate::event::TimeControl;
use crate::ids::Millis;

/// What is played if a request names no clock.
pub(super) fn untimed() -> TimeControl {
    TimeControl::Untimed {}
}

/// The clocks that the creator of a match asks for; unknown fields are refused.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskedClock")]
#[serde(
    remote = "TimeControl",
    tag = "type",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub(super) enum AskedClock {
    /// No clock.
    Untimed {},
    /// Fischer clock: a starting time for each player, and an increment after each of their moves.
    Fischer {
        /// Starting time of each player: 1 s to 24 h.
        #[schemars(extend("minimum" = BASE_MS.start(), "maximum" = BASE_MS.end()))]
        base_ms: Millis,
        /// Added after each of the player's moves: 0 to 1 h.
        #[schemars(extend("minimum" = INCREMENT_MS.start(), "maximum" = INCREMENT_MS.end()))]
        increment_ms: Millis,
    },
    /// Simple delay: in each turn the clock waits for a delay before it runs.
    Delay {
        /// Starting time of each player: 1 s to 24 h.
        #[schemars(extend("minimum" = BASE_MS.start(), "maximum" = BASE_MS.end()))]
        base_ms: Millis,
        /// How long the clock waits in each turn: 1 ms to 1 h.
        #[schemars(extend("minimum" = DELAY_MS.start(), "maximum" = DELAY_MS.end()))]
        delay_ms: Millis,
    },
    /// Bronstein clock: after a move the player gets back the time it took, but no more than the delay.
    Bronstein {
        /// Starting time of each player: 1 s to 24 h.
        #[schemars(extend("minimum" = BASE_MS.start(), "maximum" = BASE_MS.end()))]
        base_ms: Millis,
        /// The most that a move gets back: 1 ms to 1 h.
        #[schemars(extend("minimum" = DELAY_MS.start(), "maximum" = DELAY_MS.end()))]
        delay_ms: Millis,
    },
    /// The same time for each move; in slow games, days.
    PerMove {
        /// Time for each move: 100 ms to 14 days.
        #[schemars(extend("minimum" = MOVE_MS.start(), "maximum" = MOVE_MS.end()))]
        move_ms: Millis,
    },
    /// Byo-yomi: a starting time, then periods. A move within the period leaves the player that period; a period that passes is lost.
    ByoYomi {
        /// Starting time of each player: 0 to 24 h.
        #[schemars(extend("minimum" = MAIN_MS.start(), "maximum" = MAIN_MS.end()))]
        base_ms: Millis,
        /// Length of a period: 1 s to 1 h.
        #[schemars(extend("minimum" = PERIOD_MS.start(), "maximum" = PERIOD_MS.end()))]
        period_ms: Millis,
        /// How many periods each player has: 1 to 100.
        #[schemars(extend("minimum" = PERIODS.start(), "maximum" = PERIODS.end()))]
        periods: u32,
    },
}
