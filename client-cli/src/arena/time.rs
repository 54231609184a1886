//! How much time a player has, as it is typed and kept.

use std::time::Duration;

use grundy_words::Message;
use serde::{Deserialize, Serialize};

use crate::bot::request::Pace;
use crate::misread::Misread;

/// The longest time, in milliseconds: a week.
const MOST_MS: u64 = 7 * 24 * 3_600_000;

/// The time that a player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Time {
    /// For each move, in milliseconds.
    PerMove { ms: u64 },
    /// A stock, and what a move adds to it, in milliseconds.
    Stock { base_ms: u64, increment_ms: u64 },
}

impl Time {
    /// As the game takes it.
    pub(crate) fn pace(self) -> Pace {
        match self {
            Self::PerMove { ms } => Pace::PerMove(Duration::from_millis(ms)),
            Self::Stock {
                base_ms,
                increment_ms,
            } => Pace::Stock {
                base: Duration::from_millis(base_ms),
                increment: Duration::from_millis(increment_ms),
            },
        }
    }
}

impl std::str::FromStr for Time {
    type Err = Misread;

    /// Reads `50ms` for each move, or `10s+100ms` for a starting time and an increment.
    fn from_str(text: &str) -> Result<Self, Misread> {
        let wrong = |why: Message| {
            let message = Message::new("misread-time").text("text", text);
            Misread(message.message("why", why))
        };
        let length = |text: &str| match text {
            "0" | "0s" | "0ms" => Ok(0),
            _ => match crate::duration::duration(text) {
                Ok(length) if length.as_millis() > u128::from(MOST_MS) => {
                    Err(wrong(Message::new("misread-time-long")))
                }
                Ok(length) => Ok(u64::try_from(length.as_millis()).unwrap_or(MOST_MS)),
                Err(Misread(why)) => Err(wrong(why)),
            },
        };
        match text.split_once('+') {
            None => match length(text)? {
                0 => Err(wrong(Message::new("misread-no-time"))),
                ms => Ok(Self::PerMove { ms }),
            },
            Some((base, increment)) => match length(base)? {
                0 => Err(wrong(Message::new("misread-no-base"))),
                base_ms => Ok(Self::Stock {
                    base_ms,
                    increment_ms: length(increment)?,
                }),
            },
        }
    }
}
