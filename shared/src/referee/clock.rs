//! Time controls as text and as running clocks. Time is passed in: nothing here looks at a clock.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::Refusal;
use crate::event::{Clocks, TimeControl};
use crate::ids::{Millis, Seat};

/// Time at the start that a player may have, in milliseconds: 1 s to 24 h.
pub const BASE_MS: RangeInclusive<u64> = 1_000..=86_400_000;
/// Time a move may add, in milliseconds: none to 1 h.
pub const INCREMENT_MS: RangeInclusive<u64> = 0..=3_600_000;

const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

impl TimeControl {
    /// Checks the bounds that [`BASE_MS`] and [`INCREMENT_MS`] state.
    ///
    /// # Errors
    /// [`Refusal::OutOfRange`] names the field, its bounds and what it was.
    pub fn check(self) -> Result<(), Refusal> {
        let Self::Fischer {
            base_ms,
            increment_ms,
        } = self
        else {
            return Ok(());
        };
        within("base_ms", base_ms, BASE_MS)?;
        within("increment_ms", increment_ms, INCREMENT_MS)
    }
}

fn within(field: &'static str, got: Millis, bounds: RangeInclusive<u64>) -> Result<(), Refusal> {
    if bounds.contains(&got.0) {
        return Ok(());
    }
    Err(Refusal::OutOfRange {
        field,
        min: *bounds.start(),
        max: *bounds.end(),
        got: got.0,
    })
}

/// A text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeControlError {
    /// It cannot be read.
    #[error(
        "'{0}' is not a time control: write the time a player starts with and the time a move adds, such as 3m+2s \
         (a bare 3+2 is minutes and seconds), or none"
    )]
    Unreadable(String),
    /// It can be read, but not be played.
    #[error(transparent)]
    Bounds(#[from] Refusal),
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `none`, `3m+2s`, `5m` (nothing added) and `3+2` (minutes and seconds); units are h, m, s and ms.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        if text == "none" {
            return Ok(Self::Untimed {});
        }
        let unreadable = || TimeControlError::Unreadable(text.chars().take(40).collect());
        let (base, increment) = match text.split_once('+') {
            Some((base, increment)) => (duration(base, "m"), duration(increment, "s")),
            // Alone, a number without a unit could be meant as minutes or as seconds.
            None => (duration(text, ""), Some(Millis(0))),
        };
        let control = Self::Fischer {
            base_ms: base.ok_or_else(unreadable)?,
            increment_ms: increment.ok_or_else(unreadable)?,
        };
        control.check()?;
        Ok(control)
    }
}

/// A number and its unit; `bare` is the unit of a number that has none.
fn duration(text: &str, bare: &str) -> Option<Millis> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit = if unit.is_empty() { bare } else { unit };
    let (_, ms) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let number: u64 = number.parse().ok()?;
    number.checked_mul(*ms).map(Millis)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untimed {} => f.pad("none"),
            Self::Fischer {
                base_ms,
                increment_ms,
            } => f.pad(&format!("{}+{}", in_unit(*base_ms), in_unit(*increment_ms))),
        }
    }
}

/// In the largest unit that leaves a whole number; nothing is so many seconds.
fn in_unit(time: Millis) -> String {
    if time.0 == 0 {
        return "0s".to_owned();
    }
    let (name, ms) = UNITS
        .iter()
        .find(|(_, ms)| time.0.is_multiple_of(*ms))
        .expect("one millisecond divides every time");
    format!("{}{name}", time.0 / ms)
}

/// The clocks of one match while it goes on.
///
/// A clock can be *held*: it then stands still and has no deadline, although it may be its player's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MatchClock {
    increment: Millis,
    left: Clocks,
    /// Whose turn it is, and since when that player's clock runs, or would if it were not held; what it used before
    /// that is already taken off.
    running: Option<(Seat, Millis)>,
    held: [bool; 2],
}

impl MatchClock {
    /// Clocks that stand at their base; `None` when the match is untimed.
    pub(super) fn new(control: TimeControl, held: bool) -> Option<Self> {
        match control {
            TimeControl::Untimed {} => None,
            TimeControl::Fischer {
                base_ms,
                increment_ms,
            } => Some(Self {
                increment: increment_ms,
                left: Clocks {
                    first_ms: base_ms,
                    second_ms: base_ms,
                },
                running: None,
                held: [held; 2],
            }),
        }
    }

    pub(super) fn start(&mut self, seat: Seat, now: Millis) {
        self.running = Some((seat, now));
    }

    pub(super) fn stop(&mut self, now: Millis) {
        self.left = self.left_at(now);
        self.running = None;
        self.held = [false; 2];
    }

    /// Whose clock runs at this moment, and since when.
    fn ticking(&self) -> Option<(Seat, Millis)> {
        self.running.filter(|(seat, _)| !self.is_held(*seat))
    }

    /// What both have left at this moment: never below zero.
    pub(super) fn left_at(&self, now: Millis) -> Clocks {
        let mut left = self.left;
        if let Some((seat, since)) = self.ticking() {
            let of_mover = left.of_mut(seat);
            *of_mover = of_mover.since(now.since(since));
        }
        left
    }

    /// What both have left when the player whose turn it is moves now.
    pub(super) fn after_move(&self, now: Millis) -> Clocks {
        let mut left = self.left_at(now);
        if let Some((seat, _)) = self.running {
            let of_mover = left.of_mut(seat);
            *of_mover = of_mover.plus(self.increment);
        }
        left
    }

    /// The player whose turn it is has moved, and so is there to play: the other's turn begins.
    pub(super) fn press(&mut self, now: Millis) {
        self.left = self.after_move(now);
        if let Some((seat, _)) = self.running {
            self.held[seat.index()] = false;
            self.running = Some((seat.other(), now));
        }
    }

    /// The moment the running clock comes to zero.
    pub(super) fn deadline(&self) -> Option<Millis> {
        self.ticking()
            .map(|(seat, since)| since.plus(self.left.of(seat)))
    }

    /// How much of this time away falls into the turn that is running, and can be given back.
    pub(super) fn creditable(&self, away: Millis, now: Millis) -> Millis {
        self.ticking()
            .map_or(Millis(0), |(_, since)| away.min(now.since(since)))
    }

    pub(super) fn credit(&mut self, time: Millis) {
        if let Some((_, since)) = &mut self.running {
            *since = since.plus(time);
        }
    }

    /// Whether this player's clock is held.
    pub(super) fn is_held(&self, seat: Seat) -> bool {
        self.held[seat.index()]
    }

    /// Whether both clocks could be held and are not: the match is on.
    pub(super) fn can_hold(&self) -> bool {
        self.running.is_some() && self.held != [true; 2]
    }

    /// Holds both clocks from now on.
    pub(super) fn hold(&mut self, now: Millis) {
        self.left = self.left_at(now);
        if let Some((_, since)) = &mut self.running {
            *since = now;
        }
        self.held = [true; 2];
    }

    /// Whether this player's clock can be started: the match is on, and the clock is held.
    pub(super) fn can_release(&self, seat: Seat) -> bool {
        self.running.is_some() && self.is_held(seat)
    }

    /// Holds this player's clock no longer.
    pub(super) fn release(&mut self, seat: Seat, now: Millis) {
        self.held[seat.index()] = false;
        if let Some((running, since)) = &mut self.running
            && *running == seat
        {
            *since = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fischer(base: u64, increment: u64) -> TimeControl {
        TimeControl::Fischer {
            base_ms: Millis(base),
            increment_ms: Millis(increment),
        }
    }

    #[test]
    fn the_usual_forms_are_read() {
        for (text, control, printed) in [
            ("none", TimeControl::Untimed {}, "none"),
            ("3m+2s", fischer(180_000, 2_000), "3m+2s"),
            ("3+2", fischer(180_000, 2_000), "3m+2s"),
            ("5m", fischer(300_000, 0), "5m+0s"),
            ("90s+500ms", fischer(90_000, 500), "90s+500ms"),
            ("24h+1h", fischer(86_400_000, 3_600_000), "24h+1h"),
        ] {
            assert_eq!(text.parse(), Ok(control), "{text}");
            assert_eq!(control.to_string(), printed);
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_its_bounds() {
        let bounds = |text: &str| match text.parse::<TimeControl>() {
            Err(TimeControlError::Bounds(Refusal::OutOfRange {
                field, min, max, ..
            })) => (field, min, max),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(bounds("0+2"), ("base_ms", 1_000, 86_400_000));
        assert_eq!(bounds("999ms+0s"), ("base_ms", 1_000, 86_400_000));
        assert_eq!(bounds("86401s+0"), ("base_ms", 1_000, 86_400_000));
        assert_eq!(bounds("3m+2h"), ("increment_ms", 0, 3_600_000));
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_an_example() {
        for text in [
            "",
            "3",
            "+",
            "3+",
            "+2",
            "-3+2",
            "3m+2s+1",
            "3 m",
            "3x+2",
            "1e3+0",
            "None",
            "NaN+0",
            "99999999999999999999+0",
            "9223372036854775807h+0",
        ] {
            match text.parse::<TimeControl>() {
                Err(error @ TimeControlError::Unreadable(_)) => {
                    assert!(error.to_string().contains("3m+2s"), "{text}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn a_printed_time_control_reads_back(base in BASE_MS, increment in INCREMENT_MS) {
            let control = fischer(base, increment);
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".{0,30}") {
            let _ = text.parse::<TimeControl>();
        }
    }
}
