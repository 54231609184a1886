//! Days, and the periods that a trend is shown in.

use serde::Serialize;

use crate::ids::Millis;
use crate::record::date_text;

/// Milliseconds of a day.
const DAY_MS: u64 = 86_400_000;
/// Periods of a trend, if nobody chose their length: the shortest that need no more.
const USUAL_PERIODS: usize = 24;

/// A day in UTC, counted from 1970-01-01.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub struct Day(pub u64);

impl Day {
    /// The day of this moment.
    #[must_use]
    pub fn of(at: Millis) -> Self {
        Self(at.0 / DAY_MS)
    }

    /// The date: `2026-11-21`.
    #[must_use]
    pub fn date(self) -> String {
        date_text(Millis(self.0 * DAY_MS))
    }

    /// The number of the day in its month, from 1.
    fn of_month(self) -> u64 {
        let date = self.date();
        let day = date.rsplit('-').next().and_then(|day| day.parse().ok());
        day.unwrap_or(1)
    }
}

/// The length of the periods of a trend.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PeriodLength {
    /// Days in UTC.
    Day,
    /// Weeks from Monday to Sunday.
    Week,
    /// Months of the calendar.
    Month,
    /// Years of the calendar.
    Year,
}

impl PeriodLength {
    /// All, the shortest first.
    pub const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Year];

    /// The first day of the period in which this day is. The first week of 1970 has lost the days of 1969.
    #[must_use]
    pub fn first_day(self, day: Day) -> Day {
        match self {
            Self::Day => day,
            // The first day of 1970 was a Thursday.
            Self::Week => Day(day.0.saturating_sub((day.0 + 3) % 7)),
            Self::Month => Day(day.0 + 1 - day.of_month()),
            Self::Year => {
                let year = |day: Day| day.date().rsplitn(3, '-').last().map(str::to_owned);
                let mut first = Self::Month.first_day(day);
                while let Some(before) = first.0.checked_sub(1).map(Day) {
                    if year(before) != year(day) {
                        break;
                    }
                    first = Self::Month.first_day(before);
                }
                first
            }
        }
    }

    /// The shortest length with which these days, in order, fall into few periods.
    pub(super) fn usual(days: impl Iterator<Item = Day> + Clone) -> Self {
        let few = |length: &Self| {
            let mut firsts: Vec<Day> = Vec::new();
            for first in days.clone().map(|day| length.first_day(day)) {
                if firsts.last() != Some(&first) {
                    firsts.push(first);
                }
                if firsts.len() > USUAL_PERIODS {
                    return false;
                }
            }
            true
        };
        Self::ALL.into_iter().find(few).unwrap_or(Self::Year)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_begin_where_the_calendar_says() {
        // 2026-11-25 is a Wednesday.
        let day = Day(20_782);
        assert_eq!(day.date(), "2026-11-25");
        let begins = PeriodLength::ALL.map(|length| length.first_day(day).date());
        assert_eq!(
            begins,
            ["2026-11-25", "2026-11-23", "2026-11-01", "2026-01-01"]
        );
        for length in PeriodLength::ALL {
            assert_eq!(length.first_day(Day(0)), Day(0));
        }
    }

    /// Each day is in the period of the day before it, or begins one; and a period's first day is its own first day.
    #[test]
    fn no_day_is_between_two_periods() {
        for length in PeriodLength::ALL {
            for day in 18_000..19_500 {
                let first = length.first_day(Day(day));
                assert_eq!(length.first_day(first), first);
                let before = length.first_day(Day(day - 1));
                assert!(first == before || first == Day(day), "{length:?} {day}");
            }
        }
    }

    #[test]
    fn a_trend_has_few_periods() {
        let length = |days: u64, step: u64| {
            PeriodLength::usual((0..days).map(move |day| Day(20_000 + step * day)))
        };
        assert_eq!(length(24, 1), PeriodLength::Day);
        assert_eq!(length(60, 1), PeriodLength::Week);
        assert_eq!(length(24, 1_000), PeriodLength::Day);
        assert_eq!(length(400, 1), PeriodLength::Month);
        assert_eq!(length(3_000, 1), PeriodLength::Year);
        assert_eq!(length(100_000, 1), PeriodLength::Year);
        assert_eq!(PeriodLength::usual([].into_iter()), PeriodLength::Day);
    }
}
