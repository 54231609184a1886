//! Days as people write them.

use std::time::{Duration, UNIX_EPOCH};

use grundy_words::Message;
use humantime::{format_rfc3339_seconds, parse_rfc3339_weak};

use crate::misread::Misread;
use crate::practice::schedule::Day;

/// Seconds of a day.
const DAY_SECONDS: u64 = 24 * 60 * 60;

/// A day as `2026-11-25`.
pub(super) fn date(day: Day) -> String {
    let since_1970 = Duration::from_secs(u64::from(day.0) * DAY_SECONDS);
    let text = format_rfc3339_seconds(UNIX_EPOCH + since_1970).to_string();
    text.chars().take_while(|letter| *letter != 'T').collect()
}

/// Reads a day.
pub(super) fn day(text: &str) -> Result<Day, Misread> {
    let wrong = || Misread(Message::new("misread-day"));
    let at = parse_rfc3339_weak(&format!("{text} 00:00:00")).map_err(|_| wrong())?;
    let since_1970 = at.duration_since(UNIX_EPOCH).map_err(|_| wrong())?;
    let days = since_1970.as_secs() / DAY_SECONDS;
    u32::try_from(days).map(Day).map_err(|_| wrong())
}
