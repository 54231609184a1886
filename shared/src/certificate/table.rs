//! Tables of single heaps, checked value by value, and the periods that they prove.

use crate::certificate::refusal::{Checked, quoted, unproved};
use crate::certificate::{PeriodClaim, TableValues};
use crate::games::octal;
use crate::position::Position;
use crate::theory::period::Period;
use crate::theory::subtraction::Marks;
use crate::theory::{Meter, Stopped};

/// The moves from a heap: the games whose tables a certificate may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    /// Take and break: digit i says what may be left when i are taken.
    Breaks(Vec<u8>),
    /// Take a number of this set, ascending.
    Takes(Vec<u64>),
    /// Grundy's game: two unequal heaps.
    Unequal,
}

impl Code {
    /// The code of a game by its canonical name and parameters, such as `octal.0.77`.
    pub(crate) fn of(game: &str) -> Option<Self> {
        if let Some(digits) = octal::digits_of(game) {
            return Some(Self::Breaks(digits));
        }
        if let Some(set) = game.strip_prefix("sub.") {
            let set: Result<Vec<u64>, _> = set.split('.').map(str::parse).collect();
            return set.ok().map(Self::Takes);
        }
        (game == "grundy").then_some(Self::Unequal)
    }

    /// The code of a game that is written canonically.
    pub(super) fn read(game: &str, place: &str) -> Checked<Self> {
        let heap = format!("{game}:0");
        let canonical = Position::parse(&heap).is_ok_and(|read| read.to_string() == heap);
        let code = Self::of(game).filter(|_| canonical);
        code.map_or_else(
            || {
                let message = format!("the verifier knows no tables of {}", quoted(game));
                unproved(format!("{place}.game"), message)
            },
            Ok,
        )
    }

    /// The most heaps that a move leaves, and the most that it takes: the bound of a period needs both.
    pub(crate) fn parts_and_reach(&self) -> Option<(u64, u64)> {
        match self {
            Self::Breaks(digits) => {
                let has = |bit: u8| digits.iter().any(|digit| digit >> bit & 1 == 1);
                let parts = match (has(3), has(2)) {
                    (true, _) => 3,
                    (false, true) => 2,
                    (false, false) => 1,
                };
                Some((parts, digits.len() as u64 - 1))
            }
            Self::Takes(set) => Some((1, set.last().copied()?)),
            Self::Unequal => None,
        }
    }

    /// Visits what each move from a heap leaves: one to three heaps, or an empty one. Charges its cost.
    pub(super) fn each_option(
        &self,
        heap: usize,
        meter: &mut Meter<'_>,
        mut visit: impl FnMut(&[usize]),
    ) -> Result<(), Stopped> {
        meter.work(1)?;
        match self {
            Self::Takes(set) => {
                meter.work(set.len() as u64 / 64)?;
                for taken in set.iter().take_while(|taken| **taken <= heap as u64) {
                    visit(&[heap - *taken as usize]);
                }
            }
            Self::Unequal => {
                meter.work(heap as u64 / 64)?;
                for part in 1..heap.div_ceil(2) {
                    visit(&[part, heap - part]);
                }
            }
            Self::Breaks(digits) => {
                for (taken, digit) in digits.iter().enumerate().take(heap + 1) {
                    each_break(heap - taken, taken, *digit, meter, &mut visit)?;
                }
            }
        }
        Ok(())
    }

    /// The value of the heap after these values: the least number that no move leaves.
    fn next(
        &self,
        values: &[u16],
        seen: &mut Marks,
        meter: &mut Meter<'_>,
    ) -> Result<u16, Stopped> {
        seen.clear();
        self.each_option(values.len(), meter, |left| {
            seen.mark(left.iter().fold(0, |xor, part| xor ^ values[*part]));
        })?;
        seen.mex().ok_or(Stopped)
    }
}

/// Visits what may be left of this rest if so many were taken under this digit.
fn each_break(
    rest: usize,
    taken: usize,
    digit: u8,
    meter: &mut Meter<'_>,
    visit: &mut impl FnMut(&[usize]),
) -> Result<(), Stopped> {
    let one = if rest == 0 { 1 } else { 2 };
    if taken > 0 && digit & one != 0 {
        visit(&[rest]);
    }
    if digit & 4 != 0 {
        meter.work(rest as u64 / 64)?;
        for part in 1..=rest / 2 {
            visit(&[part, rest - part]);
        }
    }
    if digit & 8 != 0 {
        for least in 1..=rest / 3 {
            let others = rest - least;
            meter.work(1 + others as u64 / 64)?;
            for part in least..=others / 2 {
                visit(&[least, part, others - part]);
            }
        }
    }
    Ok(())
}

/// A table that was checked.
pub(super) struct Table<'c> {
    values: &'c [u16],
    period: Option<Period>,
}

impl<'c> Table<'c> {
    /// Checks every value, then the bound of the period.
    pub(super) fn check(
        table: &'c TableValues,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<Self> {
        let code = Code::read(&table.game, place)?;
        let mut seen = Marks::default();
        for (heap, value) in table.values.iter().enumerate() {
            let mex = code.next(&table.values[..heap], &mut seen, meter)?;
            if *value != mex {
                let message = format!("the value of a heap of {heap} is {mex}, not {value}");
                return unproved(format!("{place}.values[{heap}]"), message);
            }
        }
        if let Some(period) = table.period {
            check_period(&code, &table.values, period, &format!("{place}.period"))?;
        }
        Ok(Self {
            values: &table.values,
            period: table.period.map(|claim| Period {
                start: claim.start,
                length: claim.length,
            }),
        })
    }

    /// The value of a heap, if the table or its period covers it.
    pub(super) fn value(&self, heap: u64) -> Option<u64> {
        let place = self.period.map_or(heap, |period| period.fold(heap));
        let place = usize::try_from(place).ok()?;
        self.values.get(place).copied().map(u64::from)
    }
}

/// Checks the bound of Guy and Smith: see [`theory::period`](crate::theory::period).
pub(super) fn check_period(
    code: &Code,
    values: &[u16],
    period: PeriodClaim,
    place: &str,
) -> Checked<()> {
    let Some((parts, reach)) = code.parts_and_reach() else {
        return unproved(
            place,
            "no bound is known that would prove a period of this game",
        );
    };
    let PeriodClaim { start, length } = period;
    if length == 0 {
        return unproved(format!("{place}.length"), "the period must be at least 1");
    }
    let wanted = u128::from(parts) * u128::from(start.max(1))
        + u128::from(parts - 1) * u128::from(length)
        + u128::from(reach);
    let wanted = wanted + u128::from(length);
    if wanted > values.len() as u128 {
        let message = format!(
            "a proof of period {length} from heap {start} needs {wanted} values, but there are {}",
            values.len()
        );
        return unproved(place, message);
    }
    // Both are below the number of values now.
    let (start, length) = (start as usize, length as usize);
    let until = wanted as usize - length;
    match (start..until).find(|heap| values[*heap] != values[heap + length]) {
        None => Ok(()),
        Some(heap) => {
            let message = format!("the values of {heap} and {} differ", heap + length);
            unproved(place, message)
        }
    }
}
