//! All bars of Chomp that fit in a bar, each told by those before it: Grundy value and remoteness in both end rules.
//!
//! A bar is a partition, its rows longest first. ChompTable are numbered with the last row as the most significant digit and the first row as the
//! least, so that a bite leads to a smaller number, and bars that differ in the first row only stand side by side. Such a run shares what it
//! bites from the first row; what it bites from the other rows are the same distances for all of it.

use std::sync::Arc;

use crate::theory::cache::Cache;
use crate::theory::suspense::is_lost;
use crate::theory::{Meter, Stopped};

/// ChompTable in one table.
const MOST_BARS: u64 = 1 << 23;

/// Squares of a bar in a table: values and plies are below it, and take 16 bits.
const MOST_SQUARES: u64 = 1 << 16;

/// Bites looked up for one node of work.
const LOOKED_UP: u64 = 32;

/// Bites that may have to be looked up for one table: some seconds.
const MOST_LOOKED_UP: u64 = 1 << 31;

/// What is known of a bar.
#[derive(Clone, Copy, Debug)]
struct Cell {
    value: u16,
    /// To the end of normal and of misère play.
    plies: [u16; 2],
}

/// The table of a bar.
#[derive(Debug)]
pub struct ChompTable {
    /// The lengths of its rows, longest first; there are no more of them than the first is long.
    rows: Vec<usize>,
    /// What each length of each row adds to the number of a bar.
    weights: Vec<Vec<u32>>,
    /// In the order of their numbers, from the corner alone.
    cells: Vec<Cell>,
}

static TABLES: Cache<Vec<usize>, ChompTable> = Cache::new(1 << 26);

/// A table that has this bar, unless it would have more than 2^23 bars, the bar has 2^16 squares, or its bars times its squares below the
/// first row are more than 2^31.
///
/// O(bars x squares below the first row) once, and 6 bytes for each bar.
pub fn chomp_table(bar: &[u64], meter: &mut Meter<'_>) -> Result<Option<Arc<ChompTable>>, Stopped> {
    let Some(rows) = upright(bar) else {
        return Ok(None);
    };
    if let Some(known) = TABLES.find(|within| fits(&rows, within)) {
        return Ok(Some(known));
    }
    let Some((weights, bars)) = weights(&rows) else {
        return Ok(None);
    };
    let below: usize = rows.iter().skip(1).sum();
    if bars as u64 * below as u64 > MOST_LOOKED_UP {
        return Ok(None);
    }
    let table = ChompTable::fill(rows, weights, bars, meter)?;
    let (key, table) = (table.rows.clone(), Arc::new(table));
    TABLES.put(key, Arc::clone(&table), table.bytes() as usize);
    Ok(Some(table))
}

/// The rows that are not empty, or the columns where these are fewer. `None` for no square and for too many.
fn upright(bar: &[u64]) -> Option<Vec<usize>> {
    let rows = rows_of(bar)?;
    match rows.len() <= rows[0] {
        true => Some(rows),
        false => Some(columns_of(&rows)),
    }
}

/// The rows that are not empty. `None` for no square and for too many.
fn rows_of(bar: &[u64]) -> Option<Vec<usize>> {
    let squares = bar
        .iter()
        .try_fold(0u64, |all, row| all.checked_add(*row))?;
    if squares == 0 || squares >= MOST_SQUARES {
        return None;
    }
    let rows = bar.iter().map(|row| *row as usize);
    Some(rows.take_while(|row| *row > 0).collect())
}

/// The same bar on its side.
fn columns_of(rows: &[usize]) -> Vec<usize> {
    let height = |column: usize| rows.iter().take_while(|row| **row > column).count();
    (0..rows[0]).map(height).collect()
}

fn fits(bar: &[usize], within: &[usize]) -> bool {
    bar.len() <= within.len() && bar.iter().zip(within).all(|(row, most)| row <= most)
}

/// What each length of each row adds to the number of a bar, and how many bars there are; `None` above [`MOST_BARS`].
///
/// Let N(j, c) be the number of bars of rows 0 to j whose last row is shorter than c. The bars before one are, for each row j, those that
/// agree with it beyond and are shorter there, but no shorter than the row after: N(j, row j) - N(j, row j + 1).
fn weights(rows: &[usize]) -> Option<(Vec<Vec<u32>>, usize)> {
    let mut weights = Vec::with_capacity(rows.len());
    // The corner stays: the first row is never empty.
    let mut shorter: Vec<u64> = (0..=rows[0] as u64 + 1)
        .map(|c| c.saturating_sub(1))
        .collect();
    let mut before = vec![0; shorter.len()];
    for (j, most) in rows.iter().enumerate() {
        if j > 0 {
            let all = shorter.last().copied().unwrap_or(0);
            before = std::mem::take(&mut shorter);
            let longer = before.iter().take(most + 1).map(|shorter| all - shorter);
            shorter = std::iter::once(0)
                .chain(longer.scan(0, |sum: &mut u64, more| {
                    *sum += more;
                    Some(*sum)
                }))
                .collect();
        }
        if shorter.last().is_none_or(|bars| *bars > MOST_BARS) {
            return None;
        }
        let added = shorter.iter().zip(&before).take(most + 1);
        weights.push(added.map(|(own, before)| (own - before) as u32).collect());
    }
    let bars = shorter.last().copied().unwrap_or(0);
    Some((weights, bars as usize))
}

/// Of the bars that bites leave, the best for whoever bites, in both end rules.
#[derive(Clone, Copy, Default)]
struct Best([u32; 2]);

impl Best {
    /// A lost bar is best, the soonest over; else the one that is over last. So a lost one counts down from the top.
    fn add(&mut self, cell: Cell) {
        for ((best, plies), misere) in self.0.iter_mut().zip(cell.plies).zip([false, true]) {
            let key = match is_lost(u64::from(plies), misere) {
                true => u32::MAX - u32::from(plies),
                false => u32::from(plies) + 1,
            };
            *best = (*best).max(key);
        }
    }

    fn plies(self) -> [u16; 2] {
        self.0.map(|best| match best > u32::MAX / 2 {
            true => (u32::MAX - best + 1) as u16,
            false => best as u16,
        })
    }
}

impl ChompTable {
    fn fill(
        rows: Vec<usize>,
        weights: Vec<Vec<u32>>,
        bars: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        let squares: usize = rows.iter().sum();
        meter.hold(bars as u64 * size_of::<Cell>() as u64)?;
        let mut table = Self {
            rows,
            weights,
            cells: Vec::with_capacity(bars),
        };
        // For each value the run, and the bar, that saw it last.
        let mut seen_by_run = vec![0; squares + 1];
        let mut seen_by_bar = vec![0; squares + 1];
        let mut tail = vec![0; table.rows.len() - 1];
        for run in 1u32.. {
            let (cut, bites) = table.bites(&tail);
            let mut best_of_run = Best::default();
            let mut free_in_run = 0;
            let see = |cell: Cell, seen: &mut [u32], best: &mut Best| {
                seen[usize::from(cell.value)] = run;
                best.add(cell);
            };
            for number in &cut {
                see(
                    table.cells[*number as usize],
                    &mut seen_by_run,
                    &mut best_of_run,
                );
            }
            let shortest = tail.first().copied().unwrap_or(0).max(1);
            for first in shortest..=table.rows[0] {
                meter.work(1 + (bites.len() + cut.len()) as u64 / LOOKED_UP)?;
                let bar = table.cells.len() as u32 + 1;
                let mut best = best_of_run;
                let shorter = &table.cells[first - 1..];
                for bite in &bites {
                    let cell = shorter[*bite as usize];
                    seen_by_bar[usize::from(cell.value)] = bar;
                    best.add(cell);
                }
                while seen_by_run[free_in_run] == run {
                    free_in_run += 1;
                }
                let mut free = free_in_run;
                while seen_by_run[free] == run || seen_by_bar[free] == bar {
                    free += 1;
                }
                let cell = Cell {
                    value: free as u16,
                    plies: best.plies(),
                };
                see(cell, &mut seen_by_run, &mut best_of_run);
                table.cells.push(cell);
            }
            let Some(row) = (0..tail.len()).find(|row| tail[*row] < table.rows[row + 1]) else {
                break;
            };
            let longer = tail[row] + 1;
            tail[..=row].fill(longer);
        }
        Ok(table)
    }

    /// Of all bars with these rows after the first: the numbers of those that a bite in the first row makes of them, shorter than the
    /// second; and what bites in the others leave, by the number beyond that of the first row.
    fn bites(&self, tail: &[usize]) -> (Vec<u32>, Vec<u32>) {
        // What the rows from this one on add when they are cut at each length.
        let mut cut = vec![0];
        let mut above: u32 = tail
            .iter()
            .zip(&self.weights[1..])
            .map(|(row, weights)| weights[*row])
            .sum();
        let mut bites = Vec::new();
        for (row, weights) in tail.iter().zip(&self.weights[1..]).rev() {
            let last = cut.len() - 1;
            above -= weights[*row];
            cut = (0..=*row)
                .map(|at| weights[at] + cut[at.min(last)])
                .collect();
            bites.extend(cut[..*row].iter().map(|left| above + left));
        }
        let shorter = cut
            .iter()
            .enumerate()
            .skip(1)
            .take(cut.len().saturating_sub(2));
        let shorter = shorter.map(|(at, left)| at as u32 - 1 + left).collect();
        (shorter, bites)
    }

    fn bytes(&self) -> u64 {
        let weights: usize = self.weights.iter().map(Vec::len).sum();
        (self.cells.len() * size_of::<Cell>() + weights * 4) as u64
    }

    /// What is known of a bar; `None` where it does not fit in the bar of the table.
    fn cell(&self, bar: &[u64]) -> Option<Cell> {
        let rows = rows_of(bar)?;
        let rows = match fits(&rows, &self.rows) {
            true => rows,
            // It may fit on its side only, whichever way round it has fewer rows.
            false => Some(columns_of(&rows)).filter(|columns| fits(columns, &self.rows))?,
        };
        let numbers = rows.iter().zip(&self.weights);
        let number: u32 = numbers.map(|(row, weights)| weights[*row]).sum();
        self.cells.get(number as usize).copied()
    }

    /// The Grundy value of a bar; `None` where it does not fit in the bar of the table.
    #[must_use]
    pub fn value(&self, bar: &[u64]) -> Option<u64> {
        self.cell(bar).map(|cell| u64::from(cell.value))
    }

    /// Plies to the end of a bar when the winner hurries and the loser delays; `None` where it does not fit in the bar of the table.
    #[must_use]
    pub fn remoteness(&self, bar: &[u64], misere: bool) -> Option<u64> {
        let plies = self.cell(bar)?.plies[usize::from(misere)];
        Some(u64::from(plies))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::theory::mex;
    use crate::theory::suspense::remoteness;

    /// The value and the plies of a bar by plain recursion.
    fn told(bar: &[u64], known: &mut HashMap<Vec<u64>, (u64, [u64; 2])>) -> (u64, [u64; 2]) {
        if let Some(told) = known.get(bar) {
            return *told;
        }
        let mut options = Vec::new();
        for (row, length) in bar.iter().enumerate() {
            for left in u64::from(row == 0)..*length {
                let mut after = bar.to_vec();
                after[row..]
                    .iter_mut()
                    .for_each(|row| *row = (*row).min(left));
                options.push(told_of(&after, known));
            }
        }
        let values: Vec<u64> = options.iter().map(|(value, _)| *value).collect();
        let plies = [false, true].map(|misere| {
            let plies = options.iter().map(|(_, plies)| plies[usize::from(misere)]);
            remoteness(&plies.collect::<Vec<u64>>(), misere)
        });
        let answer = (mex(&values), plies);
        known.insert(bar.to_vec(), answer);
        answer
    }

    fn told_of(bar: &[u64], known: &mut HashMap<Vec<u64>, (u64, [u64; 2])>) -> (u64, [u64; 2]) {
        let live: Vec<u64> = bar.iter().copied().take_while(|row| *row > 0).collect();
        told(&live, known)
    }

    #[test]
    fn every_bar_in_a_table_is_as_plain_recursion_tells() {
        let mut known = HashMap::new();
        for bar in [
            vec![1],
            vec![9],
            vec![1, 1, 1],
            vec![7, 6],
            vec![6, 6, 4, 1],
            vec![3, 3, 3, 2, 2, 2, 1],
            vec![5, 5, 5, 5, 5],
            vec![9, 5, 5, 2],
            vec![5, 5, 1, 1],
            vec![5, 3, 3, 2],
            vec![3, 2, 2, 2, 2, 1],
        ] {
            told(&bar, &mut known);
            let rows = upright(&bar).expect("it has squares");
            let (weights, bars) = weights(&rows).expect("it is small");
            let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
            let table = ChompTable::fill(rows, weights, bars, &mut meter).expect("it is small");
            assert_eq!(table.cells.len(), bars);
            let within = |other: &&Vec<u64>| {
                other.len() <= bar.len() && other.iter().zip(&bar).all(|(row, most)| row <= most)
            };
            let all: Vec<&Vec<u64>> = known.keys().filter(within).collect();
            assert_eq!(all.len(), bars, "{bar:?}");
            for other in all {
                let (value, plies) = known[other];
                assert_eq!(table.value(other), Some(value), "{other:?} in {bar:?}");
                for misere in [false, true] {
                    let plies = plies[usize::from(misere)];
                    assert_eq!(table.remoteness(other, misere), Some(plies), "{other:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_large_is_not_tried() {
        let mut meter = Meter::new(1, 0, &|| false);
        for bar in [
            &[1 << 40, 2][..],
            &[u64::MAX, u64::MAX],
            &[60_000, 60_000],
            &[20; 20],
            &[0],
            &[],
        ] {
            assert!(matches!(chomp_table(bar, &mut meter), Ok(None)), "{bar:?}");
        }
        assert_eq!(chomp_table(&[30, 30, 30], &mut meter).err(), Some(Stopped));
    }
}
