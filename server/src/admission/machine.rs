//! From signals to a level: a pure machine, to which its owner passes the time.
//!
//! The delay is smoothed, so that one slow sync of the disk refuses nobody. A level begins as soon as the smoothed delay reaches its
//! bound. It ends only after the delay has stayed clearly below that bound for a while, one level at a time: otherwise everybody
//! who was refused would come back at the same moment.

use std::time::Duration;

use super::level::Level;
use super::signals::Signals;

/// Half of the distance to a new steady delay is covered in about 0.7 times this.
const SMOOTHING: Duration = Duration::from_millis(300);
/// A delay counts as at most so many times the target, so that the end of a long stall is seen soon.
const DELAY_MOST: u64 = 5;
/// Before a level ends, the delay has been low enough for so long.
const CALM: Duration = Duration::from_secs(1);
/// The bounds of the levels 1 to 4, in hundredths of the target.
const BEGINS_AT: [u64; 4] = [100, 150, 200, 250];
/// A level can end below this part of its bound, in hundredths.
const ENDS_BELOW: u64 = 75;
/// The levels 1 to 4 begin at this part of the memory that the operator allows, in hundredths.
const MEMORY_BEGINS_AT: [u64; 4] = [85, 90, 95, 100];
/// They can end this much lower, in hundredths.
const MEMORY_SLACK: u64 = 5;
/// Between two steps no more time counts than this.
const STEP_MOST: Duration = Duration::from_secs(10);

/// What the operator has set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The delay of a move from which on the server refuses new work.
    pub target: Duration,
    /// The memory that the server may take, in bytes; `None`: as much as the system gives.
    pub memory_bytes: Option<u64>,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Machine {
    bounds: Bounds,
    level: Level,
    /// In microseconds.
    smoothed: u64,
    stepped_at: Duration,
    low_since: Option<Duration>,
}

impl Machine {
    /// A machine at rest. Its times count from the same moment as `now`.
    #[must_use]
    pub fn new(bounds: Bounds, now: Duration) -> Self {
        Self {
            bounds,
            level: Level::CALM,
            smoothed: 0,
            stepped_at: now,
            low_since: None,
        }
    }

    /// Other bounds hold from the next step on.
    pub fn set_bounds(&mut self, bounds: Bounds) {
        self.bounds = bounds;
    }

    /// The level now.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// The smoothed delay.
    #[must_use]
    pub fn delay(&self) -> Duration {
        Duration::from_micros(self.smoothed)
    }

    /// Takes in what was measured at this moment; the level from then on. A step at an earlier moment than the one before counts as
    /// at the same.
    pub fn step(&mut self, now: Duration, signals: &Signals) -> Level {
        let passed = now.saturating_sub(self.stepped_at).min(STEP_MOST);
        self.stepped_at = self.stepped_at.max(now);
        self.smooth(micros(passed), micros(signals.delay()));
        if self.reached(signals.memory_bytes, 100, 0) > self.level {
            self.level = self.reached(signals.memory_bytes, 100, 0);
            self.low_since = None;
        } else if self.reached(signals.memory_bytes, ENDS_BELOW, MEMORY_SLACK) < self.level {
            let since = *self.low_since.get_or_insert(now);
            if now.saturating_sub(since) >= CALM {
                self.level = self.level.lower();
                self.low_since = Some(now);
            }
        } else {
            self.low_since = None;
        }
        self.level
    }

    /// A low pass of the first order, which is stable for steps of any length.
    fn smooth(&mut self, passed: u64, delay: u64) {
        let (target, constant) = (micros(self.bounds.target), micros(SMOOTHING));
        let delay = delay.min(target.saturating_mul(DELAY_MOST));
        self.smoothed = (self.smoothed * constant + delay * passed) / (constant + passed);
    }

    /// The highest level whose bounds are reached, where those of the delay are this part (in hundredths) of what they are, and those
    /// of memory so many hundredths lower.
    fn reached(&self, memory: u64, part: u64, slack: u64) -> Level {
        let target = micros(self.bounds.target);
        let late = BEGINS_AT
            .iter()
            .filter(|bound| self.smoothed * 10_000 >= target * **bound * part);
        let allowed = self.bounds.memory_bytes.unwrap_or(u64::MAX);
        let full = MEMORY_BEGINS_AT
            .iter()
            .filter(|bound| memory / 100 >= allowed / 10_000 * (**bound - slack));
        let reached = late.count().max(full.count());
        Level::new(u8::try_from(reached).unwrap_or(u8::MAX))
    }
}

/// Whole microseconds, at most an hour.
fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros())
        .unwrap_or(u64::MAX)
        .min(3_600_000_000)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::signals::Measured;
    use super::super::work::Work;
    use super::*;

    /// Turns of a server that has little to do beside programs that use all processors: some come late, and none has used more than a few milliseconds.
    const BESIDE_LOOPS: &[(u64, u64, u64)] = &[
        (12, 2, 62),
        (0, 1, 50),
        (140, 9, 190),
        (3, 2, 53),
        (96, 4, 146),
    ];
    /// Turns of an overloaded server: each comes late and has used about half of a core.
    const SATURATED: &[(u64, u64, u64)] = &[(80, 62, 130), (95, 70, 145), (70, 58, 120)];

    const TICK: u64 = 50;
    const TARGET: u64 = 100;

    fn machine() -> Machine {
        let bounds = Bounds {
            target: Duration::from_millis(TARGET),
            memory_bytes: Some(1_000_000_000),
        };
        Machine::new(bounds, Duration::ZERO)
    }

    fn late(ms: u64) -> Signals {
        Signals {
            commit_age: Duration::from_millis(ms),
            ..Signals::default()
        }
    }

    /// Steps every 50 ms from `from` for so long, with the same signals.
    fn hold(machine: &mut Machine, from: u64, ms: u64, signals: &Signals) -> u64 {
        for at in (from..from + ms).step_by(TICK as usize) {
            machine.step(Duration::from_millis(at + TICK), signals);
        }
        from + ms
    }

    #[test]
    fn the_order_is_guests_matches_analysis_watchers() {
        let levels = Work::ALL.map(|work| work.refused_from().number());
        assert_eq!(levels, [1, 2, 3, 4]);
        let mut machine = machine();
        let mut at = 0;
        for (delay, level) in [(80, 0), (110, 1), (160, 2), (210, 3), (260, 4)] {
            at = hold(&mut machine, at, 3_000, &late(delay));
            assert_eq!(machine.level().number(), level, "{delay} ms");
        }
    }

    #[test]
    fn one_slow_sync_refuses_nobody_and_a_stall_everything() {
        let mut machine = machine();
        let at = hold(&mut machine, 0, 1_000, &late(1));
        let at = hold(&mut machine, at, TICK, &late(60_000));
        assert_eq!(machine.level(), Level::CALM);
        let at = hold(&mut machine, at, 1_000, &late(60_000));
        assert_eq!(machine.level(), Level::WATCHERS);
        // It is over within ten seconds, one level at a time.
        let mut seen = Vec::new();
        for tick in 0..200 {
            hold(&mut machine, at + tick * TICK, TICK, &late(0));
            seen.push(machine.level().number());
        }
        seen.dedup();
        assert_eq!(seen, [4, 3, 2, 1, 0]);
    }

    #[test]
    fn a_level_stays_while_the_delay_is_just_below_its_bound() {
        let mut machine = machine();
        let at = hold(&mut machine, 0, 3_000, &late(120));
        assert_eq!(machine.level(), Level::GUESTS);
        let at = hold(&mut machine, at, 10_000, &late(90));
        assert_eq!(machine.level(), Level::GUESTS);
        hold(&mut machine, at, 3_000, &late(60));
        assert_eq!(machine.level(), Level::CALM);
    }

    /// The levels of a server whose only thread repeats these turns for ten seconds. A turn is its delay, its processor time and its duration, in milliseconds.
    fn reached_by(turns: &[(u64, u64, u64)]) -> (u8, Duration) {
        let mut machine = machine();
        let (mut at, mut highest, mut longest) = (0, 0, Duration::ZERO);
        for &(late, worked, took) in turns.iter().cycle() {
            let [late, worked, took] = [late, worked, took].map(Duration::from_millis);
            let turn_late = Measured { late, worked, took }.own_delay();
            let signals = Signals {
                turn_late,
                ..Signals::default()
            };
            at += took.as_millis() as u64;
            highest = highest.max(machine.step(Duration::from_millis(at), &signals).number());
            longest = longest.max(machine.delay());
            if at > 10_000 {
                return (highest, longest);
            }
        }
        (highest, longest)
    }

    #[test]
    fn work_of_other_programs_is_not_load() {
        let (level, delay) = reached_by(BESIDE_LOOPS);
        assert_eq!(level, 0, "{delay:?}");
    }

    /// The second has four busy loops beside it and gets less than a third of a core.
    #[test]
    fn a_server_with_more_work_than_it_can_do_is_overloaded_beside_other_programs_too() {
        for turns in [SATURATED, &[(200, 55, 250)]] {
            let (level, delay) = reached_by(turns);
            assert!(level >= 2, "{delay:?}");
        }
    }

    #[test]
    fn memory_counts_as_delay_does() {
        let mut machine = machine();
        let mut at = 0;
        for (memory_bytes, level) in [
            (840_000_000, 0),
            (850_000_000, 1),
            (901_000_000, 2),
            (951_000_000, 3),
            (1_100_000_000, 4),
            (951_000_000, 4),
            (700_000_000, 0),
        ] {
            let signals = Signals {
                memory_bytes,
                ..Signals::default()
            };
            at = hold(&mut machine, at, 6_000, &signals);
            assert_eq!(machine.level().number(), level, "{memory_bytes}");
        }
    }

    proptest! {
        /// Whatever came before, calm is found again within ten seconds, and a steady overload within three.
        #[test]
        fn the_level_follows_the_load(delays in prop::collection::vec(0u64..100_000, 0..200)) {
            let mut machine = machine();
            let mut at = 0;
            for delay in delays {
                let before = machine.level();
                at = hold(&mut machine, at, TICK, &late(delay));
                prop_assert!(machine.level() >= before.lower(), "one level at a time");
                if delay < TARGET && machine.delay() < Duration::from_millis(TARGET) {
                    prop_assert!(machine.level() <= before, "it rises only over the target");
                }
            }
            let mut calmer = machine.clone();
            hold(&mut calmer, at, 10_000, &late(70));
            prop_assert_eq!(calmer.level(), Level::CALM);
            hold(&mut machine, at, 3_000, &late(260));
            prop_assert_eq!(machine.level(), Level::WATCHERS);
        }

        /// Times that stand still, go back or leap break nothing.
        #[test]
        fn any_times_will_do(steps in prop::collection::vec((any::<u32>(), any::<u32>()), 1..100)) {
            let mut machine = machine();
            for (at, delay) in steps {
                let level = machine.step(Duration::from_millis(at.into()), &late(delay.into()));
                prop_assert!(level <= Level::WATCHERS);
            }
        }
    }
}
