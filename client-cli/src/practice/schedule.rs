//! When an exercise is due again: spaced repetition by FSRS with its published parameters (Ye, Su and Cao 2022; version 6). See
//! docs/decisions/0040.

use fsrs::{DEFAULT_PARAMETERS, FSRS, MemoryState, current_retrievability};
use grundy_shared::ids::Millis;
use grundy_shared::practice::Performance;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// The chance with which an exercise is to be solved when it is due.
const RETENTION: f32 = 0.9;
/// Milliseconds of a day.
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
/// No exercise is put off for longer, in days.
const LONGEST: f32 = 3_650.0;

/// A day, counted from 1970-01-01 UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Day(pub(crate) u32);

impl Day {
    /// The day of this time.
    pub(crate) fn of(time: Millis) -> Self {
        Self(u32::try_from(time.0 / DAY_MS).unwrap_or(u32::MAX))
    }

    /// The days from another day until this one; 0 if that is later, as after a clock was set.
    pub(crate) fn since(self, earlier: Self) -> u32 {
        self.0.saturating_sub(earlier.0)
    }
}

/// How well an exercise is remembered, as FSRS models it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Memory {
    /// Days after which the chance of solving it has fallen to 90 percent.
    stability: f32,
    /// From 1 to 10.
    difficulty: f32,
}

impl Memory {
    /// Whether the numbers are in their ranges.
    pub(crate) fn is_valid(&self) -> bool {
        self.stability.is_finite()
            && self.stability > 0.0
            && (1.0..=10.0).contains(&self.difficulty)
    }

    /// The chance of solving it after so many days, from 0 to 1.
    pub(crate) fn recall(&self, days: u32) -> f32 {
        let decay = DEFAULT_PARAMETERS[DEFAULT_PARAMETERS.len() - 1];
        current_retrievability(self.state(), days as f32, decay)
    }

    fn state(&self) -> MemoryState {
        MemoryState {
            stability: self.stability,
            difficulty: self.difficulty,
        }
    }
}

/// What is remembered after an exercise went so, `days` days after the last time, and the days until it is due again: 0 for the same
/// day, but only if no winning move was found by the player.
///
/// # Errors
/// The memory is not valid.
pub(crate) fn next(
    memory: Option<Memory>,
    days: u32,
    performance: Performance,
) -> Result<(Memory, u32), Failure> {
    let states = FSRS::default().next_states(memory.map(|memory| memory.state()), RETENTION, days);
    let states = states.map_err(|error| Failure::internal(format!("no next day: {error}")))?;
    let (state, least) = match performance {
        Performance::AtOnce => (states.good, 1.0),
        Performance::AfterHints => (states.hard, 1.0),
        Performance::AfterWrong | Performance::Shown => (states.again, 0.0),
    };
    let memory = Memory {
        stability: state.memory.stability,
        difficulty: state.memory.difficulty,
    };
    Ok((memory, state.interval.round().clamp(least, LONGEST) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The intervals of an exercise that always goes like this, each time on the day on which it is due.
    fn intervals(performances: &[Performance]) -> Vec<u32> {
        let (mut memory, mut wait) = (None, 0);
        let mut intervals = Vec::new();
        for performance in performances {
            let (next, days) = next(memory, wait, *performance).expect("valid");
            assert!(next.is_valid(), "{next:?}");
            memory = Some(next);
            wait = days;
            intervals.push(days);
        }
        intervals
    }

    #[test]
    fn an_exercise_that_goes_well_waits_ever_longer_and_one_that_does_not_comes_soon() {
        let well = intervals(&[Performance::AtOnce; 6]);
        assert!(well.windows(2).all(|pair| pair[0] < pair[1]), "{well:?}");
        assert!(well[0] >= 1 && well[5] > 60, "{well:?}");
        let with_hints = intervals(&[Performance::AfterHints; 6]);
        assert!(
            with_hints
                .iter()
                .zip(&well)
                .all(|(hints, well)| hints <= well)
        );
        for bad in [Performance::AfterWrong, Performance::Shown] {
            assert_eq!(intervals(&[bad]), [0]);
            let forgotten = [Performance::AtOnce, Performance::AtOnce, bad];
            let forgotten = intervals(&forgotten);
            assert!(forgotten[2] < forgotten[1], "{forgotten:?}");
        }
        let many = intervals(&[Performance::AtOnce; 60]);
        assert_eq!(many.last(), Some(&3_650));
    }

    #[test]
    fn recall_is_nine_in_ten_when_an_exercise_is_due() {
        let (memory, days) = next(None, 0, Performance::AtOnce).expect("valid");
        assert!((memory.recall(days) - RETENTION).abs() < 0.03);
        assert!(memory.recall(0) > 0.99 && memory.recall(400) < 0.8);
        let wrong = Memory {
            stability: f32::NAN,
            difficulty: 5.0,
        };
        assert!(!wrong.is_valid());
        assert!(next(Some(wrong), 1, Performance::AtOnce).is_err());
        assert_eq!(Day::of(Millis(DAY_MS * 3 - 1)), Day(2));
        assert_eq!(Day(2).since(Day(5)), 0);
    }
}
