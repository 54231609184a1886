//! Lengths of time as people type them: `10s`, `500ms`, `3m`, `1m30s`.

use std::time::Duration;

use grundy_shared::ids::Millis;
use grundy_words::{Catalogue, Message};

use crate::misread::Misread;

/// Reads a length of time that is longer than nothing; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, Misread> {
    let length = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => humantime::parse_duration(text)
            .map_err(|_| Misread(Message::new("misread-duration").text("text", text)))?,
    };
    match length.is_zero() {
        true => Err(Misread(Message::new("misread-no-time"))),
        false => Ok(length),
    }
}

/// A length of time for people: `3:12`, `1:02:07`, and tenths below twenty seconds: `9.4 s`.
pub(crate) fn left(time: Millis) -> String {
    let seconds = match time.0 {
        short @ ..20_000 => short / 1_000,
        long => long.div_ceil(1_000),
    };
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) if s < 20 => format!("{s}.{} s", time.0 % 1_000 / 100),
        (0, m, s) => format!("{m}:{s:02}"),
        (h @ 48.., _, _) => format!("{} days {} h", h / 24, h % 24),
        (h, m, s) => format!("{h}:{m:02}:{s:02}"),
    }
}

/// The same in a sentence of a language.
pub(crate) fn left_in(time: Millis, words: &Catalogue) -> String {
    let parts = match time.0 {
        tenths @ ..20_000 => {
            let n = format!("{}.{}", tenths / 1_000, tenths % 1_000 / 100);
            vec![Message::new("duration").text("unit", "s").text("n", n)]
        }
        short @ ..172_800_000 => return left(Millis(short)),
        long => {
            let hours = u128::from(long.div_ceil(1_000) / 3_600);
            vec![of(hours / 24, "days"), of(hours % 24, "h")]
        }
    };
    let parts: Vec<String> = parts.iter().map(|part| part.said(words)).collect();
    parts.join(" ")
}

/// A length of time in a sentence, rounded up to whole seconds where it has any: `300 ms`, `1 min 30 s`, `24 h`, `14 days`.
pub(crate) fn in_words(time: Duration) -> String {
    let parts = parts(time).into_iter();
    let parts: Vec<String> = parts
        .map(|(number, unit)| format!("{number} {unit}"))
        .collect();
    parts.join(" ")
}

/// The same as numbers with their units, the longest first.
fn parts(time: Duration) -> Vec<(u128, &'static str)> {
    if time.as_secs() == 0 {
        return vec![(time.as_millis(), "ms")];
    }
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    let days = if seconds >= 2 * 86_400 {
        seconds / 86_400
    } else {
        0
    };
    let rest = seconds - days * 86_400;
    let parts = [
        (days.into(), "days"),
        ((rest / 3_600).into(), "h"),
        ((rest / 60 % 60).into(), "min"),
        ((rest % 60).into(), "s"),
    ];
    parts
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .collect()
}

/// So many of a unit, as messages say it.
pub(crate) fn of(n: u128, unit: &'static str) -> Message {
    Message::new("duration").text("unit", unit).text("n", n)
}

/// As [`in_words`], in a language.
pub(crate) fn said(time: Duration) -> Vec<Message> {
    let parts = parts(time).into_iter();
    parts.map(|(n, unit)| of(n, unit)).collect()
}

/// A length of time in whole seconds or minutes: `30s`, `2m`.
pub(crate) fn period(time: Millis) -> String {
    match time.0 {
        ms if ms.is_multiple_of(60_000) => format!("{}m", ms / 60_000),
        ms if ms.is_multiple_of(1_000) => format!("{}s", ms / 1_000),
        ms => format!("{ms}ms"),
    }
}

#[cfg(test)]
mod tests {
    use grundy_words::Language;

    use super::*;

    #[test]
    fn lengths_are_read_in_their_units() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1m30s"), Ok(Duration::from_secs(90)));
        for wrong in [
            "",
            "0",
            "s",
            "-1s",
            "10 sheep",
            "99999999999999999999",
            "9999999999999999h",
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn time_left_is_read_at_a_glance() {
        assert_eq!(left(Millis(192_000)), "3:12");
        assert_eq!(left(Millis(9_450)), "9.4 s");
        assert_eq!(left(Millis(3_727_000)), "1:02:07");
        assert_eq!(left(Millis(259_190_000)), "2 days 23 h");
        let english = Catalogue::of(Language::English);
        for time in [
            0,
            9_450,
            19_999,
            20_000,
            172_799_999,
            172_800_000,
            259_190_000,
        ] {
            assert_eq!(left_in(Millis(time), english), left(Millis(time)));
        }
        for (time, words) in [
            (300, "300 ms"),
            (1_000, "1 s"),
            (1_001, "2 s"),
            (90_000, "1 min 30 s"),
            (86_400_000, "24 h"),
            (14 * 86_400_000, "14 days"),
        ] {
            assert_eq!(in_words(Duration::from_millis(time)), words);
        }
        assert_eq!(period(Millis(30_000)), "30s");
        assert_eq!(period(Millis(120_000)), "2m");
    }
}
