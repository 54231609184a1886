//! Moments as people type them: `2026-11-30`, `2026-11-30T18:00:00Z`, `30d` ago.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use grundy_shared::ids::Millis;
use grundy_words::Message;

use crate::duration::duration;
use crate::misread::Misread;

/// Reads a moment: a day, a time, or how long ago.
pub(crate) fn moment(text: &str) -> Result<Millis, Misread> {
    let whole = match text.len() {
        // The first moment of a day.
        10 => format!("{text} 00:00:00"),
        _ => text.to_owned(),
    };
    let at = match (humantime::parse_rfc3339_weak(&whole), duration(text)) {
        (Ok(at), _) => Some(at),
        // A bare number could be a year.
        (Err(_), Ok(ago)) if text.parse::<u64>().is_err() => SystemTime::now().checked_sub(ago),
        _ => None,
    };
    let since_1970 = at.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let millis = since_1970.and_then(|time: Duration| u64::try_from(time.as_millis()).ok());
    let refusal = || Misread(Message::new("misread-moment"));
    millis.map(Millis).ok_or_else(refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_days_times_and_ages() {
        assert_eq!(moment("1970-01-02"), Ok(Millis(86_400_000)));
        assert_eq!(moment("1970-01-01T00:00:01.5Z"), Ok(Millis(1_500)));
        assert_eq!(moment("1970-01-01 00:01:00"), Ok(Millis(60_000)));
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .expect("later")
            .as_millis();
        let week = u128::from(moment("7d").expect("a week ago").0);
        assert!((now - 7 * 86_400_000).abs_diff(week) < 60_000);
        for bad in [
            "",
            "2026",
            "yesterday",
            "2026-13-01",
            "1969-12-31",
            "0s",
            "9999999y",
        ] {
            assert!(moment(bad).is_err(), "{bad}");
        }
    }
}
