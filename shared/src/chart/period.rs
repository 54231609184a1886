//! The values of heaps 0, 1, 2 … in rows, with their period.

use std::fmt::{self, Write as _};

use super::frame::{Chart, file, inline};
use crate::theory::heap_values::HeapValues;

/// Values in a row where there is no period, or none that fits a row.
const ACROSS: u64 = 16;
/// The longest period that is a row.
const LONGEST: u64 = 34;
/// Values that are drawn at most.
const CELLS: u64 = 340;
/// Periods that are drawn after the values before them.
const PERIODS: u64 = 3;
/// The size of a cell, and of the column with the first heap of each row.
const WIDTH: i64 = 34;
const HEIGHT: i64 = 26;
const HEAD: i64 = 56;

/// The values of the first heaps. Where a period is proved, a row is a period long, so that the values below each other are the same from
/// the row on in which it holds; rows in which it holds are shaded in turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeriodStrip {
    across: u64,
    values: Vec<u64>,
    /// The first heap from which on the period holds.
    start: Option<u64>,
    /// The length of the period.
    length: u64,
}

impl PeriodStrip {
    /// Of these values; `None` if none is known. Looks at 340 heaps at most.
    #[must_use]
    pub fn of(values: &HeapValues) -> Option<Self> {
        let period = values.period;
        let across = match period {
            // Short periods are repeated until the row is full.
            Some(period) if period.length <= LONGEST => {
                period.length * (ACROSS / period.length).max(1)
            }
            _ => ACROSS,
        };
        let wanted = period.map_or(8 * ACROSS, |period| {
            let repeated = period.length.saturating_mul(PERIODS).max(2 * across);
            let heaps = period.start.saturating_add(repeated);
            heaps.div_ceil(across).saturating_mul(across)
        });
        let known: Vec<u64> = (0..wanted.min(CELLS / across * across))
            .map_while(|heap| values.value(heap))
            .collect();
        (!known.is_empty()).then_some(Self {
            across,
            values: known,
            start: period.map(|period| period.start),
            length: period.map_or(0, |period| period.length),
        })
    }

    /// As one file.
    #[must_use]
    pub fn svg(&self, label: &str) -> String {
        file(self, label)
    }

    /// As part of a page.
    #[must_use]
    pub fn inline_svg(&self, label: &str) -> String {
        inline(self, label)
    }

    /// How a heap is shaded: not at all before the period holds, then each period otherwise than the one before it.
    fn class(&self, heap: u64) -> &'static str {
        let Some(after) = self.start.and_then(|start| heap.checked_sub(start)) else {
            return "cell";
        };
        match after.checked_div(self.length) {
            Some(number) if number.is_multiple_of(2) => "s2",
            Some(_) => "s3",
            None => "cell",
        }
    }
}

impl Chart for PeriodStrip {
    const CLASS: &'static str = "strip";

    fn size(&self) -> (i64, i64) {
        let rows = (self.values.len() as u64).div_ceil(self.across);
        (
            HEAD + WIDTH * self.across as i64 + 8,
            HEIGHT * rows as i64 + 16,
        )
    }

    fn draw(&self, text: &mut String) -> fmt::Result {
        for (heap, value) in (0..).zip(&self.values) {
            let (column, row) = ((heap % self.across) as i64, (heap / self.across) as i64);
            let (x, y) = (HEAD + column * WIDTH, 8 + row * HEIGHT);
            if column == 0 {
                write!(
                    text,
                    r#"<text class="head" x="{}" y="{}" text-anchor="end">{heap}</text>"#,
                    HEAD - 8,
                    y + 18
                )?;
            }
            write!(
                text,
                r#"<rect class="{}" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}"/><text x="{}" y="{}" text-anchor="middle">{value}</text>"#,
                self.class(heap),
                x + WIDTH / 2,
                y + 18
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::period::Period;

    fn strip(period: Option<Period>, computed: u64) -> Option<PeriodStrip> {
        let known = move |heap| (heap < computed || period.is_some()).then_some(heap % 7);
        PeriodStrip::of(&HeapValues::new(computed, period, known))
    }

    #[test]
    fn a_row_is_a_period_long_and_all_of_it_is_inside() {
        let period = |start, length| Some(Period { start, length });
        for (period, computed, across, cells) in [
            (period(0, 7), 100, 14, 28),
            (period(71, 12), 1_000, 12, 108),
            (period(3, 34), 1_000, 34, 136),
            (period(3, 1_000), 9_000, 16, 336),
            (period(u64::MAX, 5), 9_000, 15, 330),
            (None, 1_000, 16, 128),
            (None, 5, 16, 5),
        ] {
            let strip = strip(period, computed).expect("values");
            assert_eq!(
                (strip.across, strip.values.len()),
                (across, cells),
                "{period:?}"
            );
            let svg = strip.svg("values");
            assert_eq!(
                svg.matches("<rect class=\"").count(),
                cells + 1,
                "{period:?}"
            );
            let (width, _) = strip.size();
            for x in svg.split("<rect class=\"").skip(2) {
                let x = x.split("x=\"").nth(1).and_then(|x| x.split('"').next());
                let x: i64 = x.and_then(|x| x.parse().ok()).expect("a place");
                assert!(x + WIDTH <= width, "{period:?}");
            }
        }
        assert_eq!(strip(None, 0), None);
    }

    #[test]
    fn what_is_before_the_period_is_not_shaded() {
        let period = Some(Period {
            start: 2,
            length: 3,
        });
        let strip = strip(period, 100).expect("values");
        let classes: Vec<&str> = (0..9).map(|heap| strip.class(heap)).collect();
        let shades = ["cell", "cell", "s2", "s2", "s2", "s3", "s3", "s3", "s2"];
        assert_eq!(classes, shades);
    }
}
