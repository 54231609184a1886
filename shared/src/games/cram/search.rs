//! The Grundy values of regions, by a search that asks "is it n?" for n = 0, 1, 2 and so on.
//!
//! J. Lemoine, S. Viennot, *Nimbers are inevitable* (2012): a region has the value n where no domino leaves n, and some domino leaves each
//! number below. So one domino that leaves n ends the question, and the others are not looked at; what a domino leaves is asked
//! for the same number, its smaller parts evaluated and taken off first. What is found out of a region, one number after the other,
//! is kept in a table.

use super::cells::{COLUMNS, Cells};
use super::table::{Table, Tables};
use crate::theory::{Meter, Stopped};

/// Parts that one domino can leave: its at most six neighbours lie left, right, above and below, and the two above hang together.
const MOST_PARTS: usize = 4;

/// A connected region of at least two squares, on the board of the search.
#[derive(Debug)]
pub(super) struct Region {
    /// The number of each square, in the order that they were given in.
    pub(super) squares: Vec<u32>,
    rows: usize,
}

impl Region {
    /// The region of these squares by row and column; `None` where it is too large for the search. O(squares).
    pub(super) fn new(squares: impl Iterator<Item = (usize, usize)> + Clone) -> Option<Self> {
        let (top, bottom) = bounds(squares.clone().map(|square| square.0))?;
        let (left, right) = bounds(squares.clone().map(|square| square.1))?;
        let (height, width) = (bottom - top + 1, right - left + 1);
        if height.min(width) > COLUMNS || height.max(width) > u128::ROWS {
            return None;
        }
        let number = |(row, column): (usize, usize)| match height >= width {
            true => (row - top) * 8 + column - left,
            false => (column - left) * 8 + row - top,
        };
        Some(Self {
            squares: squares.map(|square| number(square) as u32).collect(),
            rows: height.max(width),
        })
    }

    fn is_short(&self) -> bool {
        self.rows <= u64::ROWS
    }

    fn cells<C: Cells>(&self) -> C {
        let squares = self.squares.iter();
        squares.fold(C::NONE, |cells, square| cells | C::square(*square))
    }
}

fn bounds(numbers: impl Iterator<Item = usize> + Clone) -> Option<(usize, usize)> {
    Some((numbers.clone().min()?, numbers.max()?))
}

/// The Grundy value of a region.
pub(super) fn value(region: &Region, meter: &mut Meter<'_>) -> Result<u64, Stopped> {
    let value = Tables::lent(|tables| match region.is_short() {
        true => Search::of(&mut tables.short).value(region.cells::<u64>().canonical(), meter),
        false => Search::of(&mut tables.long).value(region.cells::<u128>().canonical(), meter),
    });
    value.map(u64::from)
}

/// Whether what is left of a region by each of these dominoes, pairs of numbers of its squares, has this Grundy value.
pub(super) fn leaving(
    region: &Region,
    dominoes: &[(u32, u32)],
    value: u64,
    meter: &mut Meter<'_>,
) -> Result<Vec<bool>, Stopped> {
    let Ok(value) = u32::try_from(value) else {
        return Ok(vec![false; dominoes.len()]);
    };
    Tables::lent(|tables| match region.is_short() {
        true => Search::of(&mut tables.short).leaving(region.cells(), dominoes, value, meter),
        false => Search::of(&mut tables.long).leaving(region.cells(), dominoes, value, meter),
    })
}

/// What one domino leaves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Remainder<C> {
    /// How long it may take to find out about the last part: those that take less are looked at first.
    work: u32,
    /// The parts whose values are not known, in canonical form, the one of the most work last; then none.
    open: [C; MOST_PARTS],
    /// The xor of the values of all other parts.
    known: u32,
}

struct Search<'t, C> {
    table: &'t mut Table<C>,
    /// The remainders that are to be looked at, of the regions on the way down one after the other.
    remainders: Vec<Remainder<C>>,
}

impl<'t, C: Cells> Search<'t, C> {
    fn of(table: &'t mut Table<C>) -> Self {
        Self {
            table,
            remainders: Vec::new(),
        }
    }

    /// The Grundy value of a region in canonical form.
    fn value(&mut self, region: C, meter: &mut Meter<'_>) -> Result<u32, Stopped> {
        let mut value = 0;
        while !self.has(region, value, meter)? {
            value += 1;
        }
        Ok(value)
    }

    fn leaving(
        &mut self,
        region: C,
        dominoes: &[(u32, u32)],
        value: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<bool>, Stopped> {
        let each = dominoes.iter().map(|(first, second)| {
            meter.work(1)?;
            let remainder = self.remainder(region, C::square(*first) | C::square(*second));
            self.sums_to(&remainder, value, meter)
        });
        each.collect()
    }

    /// Whether a region in canonical form has this value. Recurses into regions of two squares less or more, so a few
    /// hundred calls deep at most.
    fn has(&mut self, region: C, value: u32, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        // Nobody makes more moves than there are dominoes, and each of them can lower the value by one.
        if value > region.count() / 2 {
            return Ok(false);
        }
        if let Some(known) = self.table.known(region).is(value) {
            return Ok(known);
        }
        let base = self.remainders.len();
        let left = self.list(region, value, meter)?;
        self.table.exclude(region, left, meter)?;
        let mut reached = left >> value & 1 == 1;
        let mut place = base;
        while !reached && place < self.remainders.len() {
            let remainder = self.remainders[place];
            // Of a symmetric region they come in twos.
            if place == base || self.remainders[place - 1] != remainder {
                reached = self.sums_to(&remainder, value, meter)?;
            }
            place += 1;
        }
        self.remainders.truncate(base);
        if reached {
            self.table.exclude(region, 1 << value, meter)?;
            return Ok(false);
        }
        for smaller in 0..value {
            if self.has(region, smaller, meter)? {
                return Ok(false);
            }
        }
        self.table.learn(region, value, meter)?;
        Ok(true)
    }

    /// Adds the remainders that may have the value, in the order in which they are to be looked at. Gives the values that
    /// others are known to have, as bits; ends as soon as the value is among them.
    fn list(&mut self, region: C, value: u32, meter: &mut Meter<'_>) -> Result<u64, Stopped> {
        let base = self.remainders.len();
        let mut left = 0;
        let mut looked_at = 0;
        let dominoes = region.dominoes().into_iter().zip([0b11, 0x101]);
        'all: for (mut firsts, shape) in dominoes {
            while firsts != C::NONE {
                let first = firsts.first();
                firsts = firsts.without(C::square(first));
                looked_at += 1;
                let remainder = self.remainder(region, C::of_rows(shape) << first);
                let [only, more, ..] = remainder.open;
                if only == C::NONE {
                    left |= 1 << remainder.known;
                } else if more != C::NONE
                    || self.table.known(only).is(value ^ remainder.known).is_none()
                {
                    self.remainders.push(remainder);
                }
                if left >> value & 1 == 1 {
                    break 'all;
                }
            }
        }
        meter.work(looked_at)?;
        self.remainders[base..].sort_unstable();
        Ok(left)
    }

    /// What a domino leaves of a connected region.
    fn remainder(&self, region: C, domino: C) -> Remainder<C> {
        let mut remainder = Remainder {
            work: 0,
            open: [C::NONE; MOST_PARTS],
            known: 0,
        };
        let mut open = 0;
        let mut rest = region.without(domino);
        while rest != C::NONE {
            let part = next_part(rest, domino);
            rest = rest.without(part);
            match part.count() {
                1 => continue,
                2 => {
                    remainder.known ^= 1;
                    continue;
                }
                _ => {}
            }
            let part = part.canonical();
            if let Some(value) = self.table.known(part).value() {
                remainder.known ^= value;
            } else if let Some(twin) = remainder.open[..open].iter().position(|p| *p == part) {
                // Two of a kind are 0.
                open -= 1;
                remainder.open[twin] = remainder.open[open];
                remainder.open[open] = C::NONE;
            } else {
                remainder.open[open] = part;
                open += 1;
            }
        }
        remainder.open[..open].sort_unstable_by_key(|part| work(*part));
        remainder.work = remainder.open[..open].last().map_or(0, |part| work(*part));
        remainder
    }

    /// Whether a remainder has this value. All its parts but one are evaluated.
    fn sums_to(
        &mut self,
        remainder: &Remainder<C>,
        value: u32,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        let mut wanted = value ^ remainder.known;
        let mut last = None;
        for part in remainder.open {
            if part == C::NONE {
                break;
            }
            if let Some(value) = self.table.known(part).value() {
                wanted ^= value;
            } else if let Some(before) = last.replace(part) {
                wanted ^= self.value(before, meter)?;
            }
        }
        match last {
            Some(part) => self.has(part, wanted, meter),
            None => Ok(wanted == 0),
        }
    }
}

/// One part of what a domino leaves of a connected region, or of the parts that are still to be told. Each of them has a square beside the
/// domino: once all these are reached from one of them, there is one part only.
fn next_part<C: Cells>(rest: C, domino: C) -> C {
    let beside = rest & domino.beside();
    let mut part = C::square(beside.first());
    loop {
        let larger = (part | part.beside()) & rest;
        if beside.without(larger) == C::NONE {
            return rest;
        }
        if larger == part {
            return part;
        }
        part = larger;
    }
}

/// How long it may take to find out about a region: by the number of its dominoes, less where they lie in blocks. The weights were tried out
/// on boards of 5x7 and 4x7.
fn work<C: Cells>(region: C) -> u32 {
    let [across, down] = region.dominoes();
    let dominoes = across.count() + down.count();
    5 * dominoes - 3 * region.blocks().min(dominoes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The domino in the fourth row leaves three, four and three squares in a row: values 1, 2 and 1, none of which is known yet.
    #[test]
    fn two_of_three_parts_are_of_a_kind() {
        let rows = [0b0010u64, 0b0010, 0b0010, 0b1111, 0b1001, 0b1001, 0b0001];
        let cells = (0..).zip(rows).map(|(row, columns)| columns << (8 * row));
        let cells = cells.sum();
        for value in 0..5 {
            let mut table = Table::of_at_most(1 << 20);
            let mut meter = Meter::new(1 << 20, 1 << 20, &|| false);
            let left = Search::<u64>::of(&mut table).leaving(cells, &[(25, 26)], value, &mut meter);
            assert_eq!(left, Ok(vec![value == 2]));
        }
    }
}
