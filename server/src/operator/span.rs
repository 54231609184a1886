//! Lengths of time, as operators type them: `90s`, `10m`, `7d`, `1h 30m`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use grundy_shared::ids::Millis;
use serde::{Deserialize, Serialize};

/// The longest span: ten years of 365 days.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// A length of time, from 1 s to ten years.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Span(Duration);

/// A text is not a span.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a time from 1 s to 10 years: type one such as 90s, 10m, 12h or 7d")]
pub struct BadSpan(String);

impl Span {
    /// In milliseconds.
    #[must_use]
    pub fn millis(self) -> Millis {
        Millis(u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX))
    }

    /// As a duration.
    #[must_use]
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl FromStr for Span {
    type Err = BadSpan;

    fn from_str(text: &str) -> Result<Self, BadSpan> {
        let read = humantime::parse_duration(text.trim()).ok();
        let allowed = Duration::from_secs(1)..=LONGEST;
        read.filter(|span| allowed.contains(span))
            .map(Self)
            .ok_or_else(|| BadSpan(text.to_owned()))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.0).fmt(f)
    }
}

impl TryFrom<String> for Span {
    type Error = BadSpan;

    fn try_from(text: String) -> Result<Self, BadSpan> {
        text.parse()
    }
}

impl From<Span> for String {
    fn from(span: Span) -> Self {
        span.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_as_they_are_typed_and_read_back() {
        for (text, seconds) in [
            ("1s", 1),
            ("90s", 90),
            ("10m", 600),
            ("1h 30m", 5_400),
            ("7d", 604_800),
            (" 2w ", 1_209_600),
        ] {
            let span: Span = text.parse().expect("a span");
            assert_eq!(span.millis(), Millis(seconds * 1_000), "{text}");
            assert_eq!(span.to_string().parse(), Ok(span), "{text}");
        }
    }

    #[test]
    fn what_is_no_span_or_out_of_bounds_is_refused() {
        for text in [
            "",
            "7",
            "-7d",
            "7 parsecs",
            "0s",
            "999ms",
            "11y",
            "9999999999999999999d",
        ] {
            assert_eq!(text.parse::<Span>(), Err(BadSpan(text.to_owned())));
        }
    }
}
