//! Time controls: their bounds, and how they are written.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::Refusal;
pub use crate::bounds::{BASE_MS, DELAY_MS, INCREMENT_MS, MAIN_MS, MOVE_MS, PERIOD_MS, PERIODS};
use crate::event::TimeControl;
use crate::ids::Millis;

const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];
const DAY: (&str, u64) = ("d", 86_400_000);

impl TimeControl {
    /// The numbers of the clock, each with its name on the wire and its bounds.
    fn numbers(self) -> Vec<(&'static str, u64, RangeInclusive<u64>)> {
        match self {
            Self::Untimed {} => Vec::new(),
            Self::Fischer {
                base_ms,
                increment_ms,
            } => vec![
                ("base_ms", base_ms.0, BASE_MS),
                ("increment_ms", increment_ms.0, INCREMENT_MS),
            ],
            Self::Delay { base_ms, delay_ms } | Self::Bronstein { base_ms, delay_ms } => vec![
                ("base_ms", base_ms.0, BASE_MS),
                ("delay_ms", delay_ms.0, DELAY_MS),
            ],
            Self::PerMove { move_ms } => vec![("move_ms", move_ms.0, MOVE_MS)],
            Self::ByoYomi {
                base_ms,
                period_ms,
                periods,
            } => vec![
                ("base_ms", base_ms.0, MAIN_MS),
                ("period_ms", period_ms.0, PERIOD_MS),
                ("periods", periods.into(), PERIODS),
            ],
        }
    }

    /// The numbers of the clock with their names on the wire.
    pub fn fields(self) -> impl Iterator<Item = (&'static str, u64)> {
        self.numbers()
            .into_iter()
            .map(|(field, value, _)| (field, value))
    }

    /// Checks the bounds that the constants of this module state.
    ///
    /// # Errors
    /// [`Refusal::OutOfRange`] names the field, its bounds and what it was.
    pub fn check(self) -> Result<(), Refusal> {
        for (field, got, bounds) in self.numbers() {
            if !bounds.contains(&got) {
                return Err(Refusal::OutOfRange {
                    field,
                    min: *bounds.start(),
                    max: *bounds.end(),
                    got,
                });
            }
        }
        Ok(())
    }
}

/// A text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeControlError {
    /// It cannot be read.
    #[error(
        "'{0}' is not a time control: write 3m+2s (3 minutes, plus 2 seconds a move; also 3+2), 5m+d3s (a delay of 3 seconds), \
         5m+b3s (Bronstein), 30s/move or 3d/move, 10m+3x30s (byo-yomi: 3 periods of 30 seconds), or none"
    )]
    Unreadable(String),
    /// It can be read, but not be played.
    #[error("{}", out_of_bounds(.0))]
    Bounds(#[from] Refusal),
}

fn out_of_bounds(refusal: &Refusal) -> String {
    let Refusal::OutOfRange {
        field, min, max, ..
    } = refusal
    else {
        return refusal.to_string();
    };
    let (what, example) = match *field {
        "base_ms" => ("the time at the start", "3m+2s"),
        "increment_ms" => ("the time that a move adds", "3m+2s"),
        "delay_ms" => ("the delay", "5m+d3s"),
        "move_ms" => ("the time for a move", "30s/move"),
        "period_ms" => ("a period", "10m+3x30s"),
        _ => {
            return format!("there must be {min} to {max} periods, such as 10m+3x30s");
        }
    };
    let [min, max] = [min, max].map(|ms| in_unit(Millis(*ms), true));
    format!("{what} must be from {min} to {max}, such as {example}")
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `none`, `3m+2s`, `5m` (nothing added), `3+2` (minutes and seconds), `5m+d3s` (delay), `5m+b3s` (Bronstein), `30s/move`, `3d/move`
    /// and `10m+3x30s` (byo-yomi); units are h, m, s and ms, and d in a time for each move.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let read = read(text);
        let control =
            read.ok_or_else(|| TimeControlError::Unreadable(text.chars().take(40).collect()))?;
        control.check()?;
        Ok(control)
    }
}

fn read(text: &str) -> Option<TimeControl> {
    if text == "none" {
        return Some(TimeControl::Untimed {});
    }
    if let Some(time) = text.strip_suffix("/move") {
        let days = || {
            let days: u64 = digits(time.strip_suffix(DAY.0)?)?;
            days.checked_mul(DAY.1).map(Millis)
        };
        let move_ms = days().or_else(|| duration(time, ""))?;
        return Some(TimeControl::PerMove { move_ms });
    }
    let Some((base, added)) = text.split_once('+') else {
        // Alone, a number without a unit could be meant as minutes or as seconds.
        return Some(TimeControl::Fischer {
            base_ms: duration(text, "")?,
            increment_ms: Millis(0),
        });
    };
    let base_ms = duration(base, "m")?;
    let delay = |text| duration(text, "s");
    if let Some(text) = added.strip_prefix('d') {
        let delay_ms = delay(text)?;
        return Some(TimeControl::Delay { base_ms, delay_ms });
    }
    if let Some(text) = added.strip_prefix('b') {
        let delay_ms = delay(text)?;
        return Some(TimeControl::Bronstein { base_ms, delay_ms });
    }
    if let Some((periods, period)) = added.split_once('x') {
        return Some(TimeControl::ByoYomi {
            base_ms,
            period_ms: duration(period, "s")?,
            periods: u32::try_from(digits(periods)?).ok()?,
        });
    }
    Some(TimeControl::Fischer {
        base_ms,
        increment_ms: duration(added, "s")?,
    })
}

/// A number of nothing but digits.
fn digits(text: &str) -> Option<u64> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

/// A number and its unit; `bare` is the unit of a number that has none.
fn duration(text: &str, bare: &str) -> Option<Millis> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(length);
    let unit = if unit.is_empty() { bare } else { unit };
    let (_, ms) = UNITS.iter().find(|(name, _)| *name == unit)?;
    digits(number)?.checked_mul(*ms).map(Millis)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = |time: Millis| in_unit(time, false);
        let text = match *self {
            Self::Untimed {} => "none".to_owned(),
            Self::Fischer {
                base_ms,
                increment_ms,
            } => format!("{}+{}", unit(base_ms), unit(increment_ms)),
            Self::Delay { base_ms, delay_ms } => format!("{}+d{}", unit(base_ms), unit(delay_ms)),
            Self::Bronstein { base_ms, delay_ms } => {
                format!("{}+b{}", unit(base_ms), unit(delay_ms))
            }
            Self::PerMove { move_ms } => format!("{}/move", in_unit(move_ms, true)),
            Self::ByoYomi {
                base_ms,
                period_ms,
                periods,
            } => format!("{}+{periods}x{}", unit(base_ms), unit(period_ms)),
        };
        f.pad(&text)
    }
}

/// In the largest unit that leaves a whole number, in days if these are wanted; nothing is so many seconds.
fn in_unit(time: Millis, days: bool) -> String {
    if time.0 == 0 {
        return "0s".to_owned();
    }
    let mut units = days.then_some(DAY).into_iter().chain(UNITS);
    let (name, ms) = units
        .find(|(_, ms)| time.0.is_multiple_of(*ms))
        .expect("one millisecond divides every time");
    format!("{}{name}", time.0 / ms)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fischer(base: u64, increment: u64) -> TimeControl {
        TimeControl::Fischer {
            base_ms: Millis(base),
            increment_ms: Millis(increment),
        }
    }

    #[test]
    fn the_usual_forms_are_read() {
        let (base_ms, delay_ms) = (Millis(300_000), Millis(3_000));
        let per_move = |ms| TimeControl::PerMove {
            move_ms: Millis(ms),
        };
        let byo_yomi = |base, periods| TimeControl::ByoYomi {
            base_ms: Millis(base),
            period_ms: Millis(30_000),
            periods,
        };
        for (text, control, printed) in [
            ("none", TimeControl::Untimed {}, "none"),
            ("3m+2s", fischer(180_000, 2_000), "3m+2s"),
            ("3+2", fischer(180_000, 2_000), "3m+2s"),
            ("5m", fischer(300_000, 0), "5m+0s"),
            ("90s+500ms", fischer(90_000, 500), "90s+500ms"),
            ("24h+1h", fischer(86_400_000, 3_600_000), "24h+1h"),
            ("5m+d3s", TimeControl::Delay { base_ms, delay_ms }, "5m+d3s"),
            ("5+d3", TimeControl::Delay { base_ms, delay_ms }, "5m+d3s"),
            (
                "5m+b3s",
                TimeControl::Bronstein { base_ms, delay_ms },
                "5m+b3s",
            ),
            ("30s/move", per_move(30_000), "30s/move"),
            ("3d/move", per_move(259_200_000), "3d/move"),
            ("24h/move", per_move(86_400_000), "1d/move"),
            ("500ms/move", per_move(500), "500ms/move"),
            ("10m+3x30s", byo_yomi(600_000, 3), "10m+3x30s"),
            ("10+3x30", byo_yomi(600_000, 3), "10m+3x30s"),
            ("0+1x30", byo_yomi(0, 1), "0s+1x30s"),
        ] {
            assert_eq!(text.parse(), Ok(control), "{text}");
            assert_eq!(control.to_string(), printed);
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_its_bounds() {
        for (text, wrong, words) in [
            (
                "0+2",
                "base_ms",
                "the time at the start must be from 1s to 1d, such as 3m+2s",
            ),
            ("999ms+0s", "base_ms", "from 1s"),
            ("86401s+0", "base_ms", "to 1d"),
            (
                "3m+2h",
                "increment_ms",
                "the time that a move adds must be from 0s to 1h",
            ),
            (
                "3m+d0s",
                "delay_ms",
                "the delay must be from 1ms to 1h, such as 5m+d3s",
            ),
            ("0+b3", "base_ms", "1s"),
            (
                "99ms/move",
                "move_ms",
                "the time for a move must be from 100ms to 14d, such as 30s/move",
            ),
            ("15d/move", "move_ms", "14d"),
            (
                "1m+3x2h",
                "period_ms",
                "a period must be from 1s to 1h, such as 10m+3x30s",
            ),
            (
                "1m+0x30s",
                "periods",
                "there must be 1 to 100 periods, such as 10m+3x30s",
            ),
            ("25h+3x30s", "base_ms", "1d"),
        ] {
            match text.parse::<TimeControl>() {
                Err(error @ TimeControlError::Bounds(_)) => {
                    assert!(error.to_string().contains(words), "{text}: {error}");
                    let TimeControlError::Bounds(Refusal::OutOfRange { field, .. }) = error else {
                        panic!("{text}: {error}");
                    };
                    assert_eq!(field, wrong, "{text}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
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
            "3m+d",
            "3m+d-1",
            "3m+e3s",
            "/move",
            "3/move",
            "d/move",
            "+3d/move",
            "3d",
            "10m+x30s",
            "10m+3x",
            "10m+3x30s+2",
            "1m+4294967296x9s",
            "99999999999999999d/move",
        ] {
            match text.parse::<TimeControl>() {
                Err(error @ TimeControlError::Unreadable(_)) => {
                    assert!(error.to_string().contains("3m+2s"), "{text}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    fn any_control() -> impl Strategy<Value = TimeControl> {
        let delayed = || (BASE_MS, DELAY_MS);
        prop_oneof![
            (BASE_MS, INCREMENT_MS).prop_map(|(base, increment)| fischer(base, increment)),
            delayed().prop_map(|(base, delay)| TimeControl::Delay {
                base_ms: Millis(base),
                delay_ms: Millis(delay),
            }),
            delayed().prop_map(|(base, delay)| TimeControl::Bronstein {
                base_ms: Millis(base),
                delay_ms: Millis(delay),
            }),
            MOVE_MS.prop_map(|time| TimeControl::PerMove {
                move_ms: Millis(time),
            }),
            (MAIN_MS, PERIOD_MS, 1u32..=100).prop_map(|(base, period, periods)| {
                TimeControl::ByoYomi {
                    base_ms: Millis(base),
                    period_ms: Millis(period),
                    periods,
                }
            }),
        ]
    }

    proptest! {
        #[test]
        fn a_printed_time_control_reads_back(control in any_control()) {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".{0,30}") {
            let _ = text.parse::<TimeControl>();
        }
    }
}
