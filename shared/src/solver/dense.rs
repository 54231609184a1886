//! A compound searched as one game in a table of all its positions, for components with few states: a look-up costs nanoseconds.
//!
//! The states of every component are numbered so that moves lead to smaller numbers. A position is the number whose digits these are, so
//! its options stand before it, and the table is filled from 0 on.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::solver::state_interner::StateInterner;
use crate::solver::whole::Known;
use crate::theory::compound::{Breadth, Compound};
use crate::theory::{Meter, Stopped};

/// Positions in the table. Not all need be reached: where a move is made in every component, some combinations never come.
const MOST_POSITIONS: usize = 1 << 20;

/// Moves of all positions together: some seconds.
const MOST_MOVES: u64 = 4_000_000_000;

/// Moves for one node of work.
const LOOKED_UP: u64 = 16;

/// A component: its states in an order in which moves lead back.
struct Digit {
    /// The options of each state, as distances in the table from state 0.
    options: Vec<Rc<[u32]>>,
    /// How far apart neighbouring states are in the table.
    stride: u32,
}

/// What is known of a position in the table.
#[derive(Clone, Copy, Default)]
struct Cell {
    value: u32,
    remoteness: u32,
}

/// The table, and what is used again for every position.
struct Table {
    compound: Compound,
    misere: bool,
    digits: Vec<Digit>,
    cells: Vec<Cell>,
    /// For each value the position that saw it last, plus one.
    seen: Vec<u32>,
    /// The options that the digits before the last one determine.
    bases: Vec<u32>,
}

/// The facts about the position with these states, or `Stopped` if the table would be too large.
pub(crate) fn search(
    compound: Compound,
    misere: bool,
    start: &[u32],
    interner: &mut StateInterner,
    meter: &mut Meter<'_>,
) -> Result<Known, Stopped> {
    let mut digits = Vec::with_capacity(start.len());
    let (mut positions, mut moves) = (1usize, 1u64);
    for state in start {
        let states = closure(*state, interner, meter)?;
        let stride = positions as u32;
        let own: u64 = states.iter().map(|options| options.len() as u64).sum();
        let count = states.len() as u64;
        moves = match compound.breadth() {
            Breadth::One => moves.saturating_mul(count) + own.saturating_mul(positions as u64),
            Breadth::Any => moves.saturating_mul(own + count),
            Breadth::Each => moves.saturating_mul(own.max(1)),
        };
        positions = positions.saturating_mul(states.len());
        if positions > MOST_POSITIONS || moves > MOST_MOVES {
            return Err(Stopped);
        }
        let apart = |options: &Vec<u32>| options.iter().map(|state| state * stride).collect();
        digits.push(Digit {
            options: states.iter().map(apart).collect(),
            stride,
        });
    }
    meter.hold(positions as u64 * 8)?;
    let mut table = Table {
        compound,
        misere,
        digits,
        cells: Vec::with_capacity(positions),
        seen: Vec::new(),
        bases: Vec::new(),
    };
    for position in 0..positions as u32 {
        let cell = table.cell(position, meter)?;
        table.cells.push(cell);
    }
    let last = table.cells.last().copied().unwrap_or_default();
    Ok(Known {
        lost: is_lost(last.remoteness, misere),
        value: u64::from(last.value),
        remoteness: u64::from(last.remoteness),
    })
}

impl Table {
    /// The facts about the position with this number, once all before it are in the table.
    fn cell(&mut self, position: u32, meter: &mut Meter<'_>) -> Result<Cell, Stopped> {
        let state = |digit: &Digit| position / digit.stride % digit.options.len() as u32;
        let states: Vec<u32> = self.digits.iter().map(state).collect();
        let own = self.digits.iter().zip(&states);
        let lists: Vec<(Rc<[u32]>, u32)> = own
            .map(|(digit, state)| {
                let options = Rc::clone(&digit.options[*state as usize]);
                (options, state * digit.stride)
            })
            .collect();
        let finished = |(options, _): &(Rc<[u32]>, u32)| options.is_empty();
        meter.work(1)?;
        let mut found = Found::default();
        let short = self.compound.is_short() && lists.iter().any(finished);
        if short || lists.iter().all(finished) {
            return Ok(Cell::default());
        }
        match self.compound.breadth() {
            Breadth::One => {
                for (options, own) in &lists {
                    self.bases.clear();
                    self.bases.push(position - own);
                    self.look(position, options, &mut found, meter)?;
                }
            }
            breadth => {
                let stays = breadth == Breadth::Any;
                let moving = lists.iter().filter(|list| !finished(list));
                let mut moving: Vec<&(Rc<[u32]>, u32)> = moving.collect();
                moving.sort_by_key(|(options, _)| options.len());
                let resting: u32 = lists
                    .iter()
                    .filter(|list| finished(list))
                    .map(|l| l.1)
                    .sum();
                let Some(((longest, own), others)) = moving.split_last() else {
                    return Err(Stopped);
                };
                self.bases.clear();
                self.bases.push(resting);
                for (options, own) in others {
                    let before = std::mem::take(&mut self.bases);
                    meter.work(before.len() as u64 * options.len() as u64 / LOOKED_UP)?;
                    for base in before {
                        let stay = stays.then_some(own);
                        let after = options.iter().chain(stay).map(|option| base + option);
                        self.bases.extend(after);
                    }
                }
                self.look(position, longest, &mut found, meter)?;
                if stays {
                    // The longest is left as it is; all left as they are, which comes last, is no move.
                    self.bases.pop();
                    self.look(position, &[*own], &mut found, meter)?;
                }
            }
        }
        let value = self.seen.iter().position(|last| *last != position + 1);
        Ok(Cell {
            value: value.unwrap_or(self.seen.len()) as u32,
            remoteness: match found.shortest {
                0 => found.longest,
                shortest => shortest,
            },
        })
    }

    /// Looks at the options that these distances give with every base.
    fn look(
        &mut self,
        position: u32,
        options: &[u32],
        found: &mut Found,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        for base in &self.bases {
            meter.work(1 + options.len() as u64 / LOOKED_UP)?;
            for option in options {
                let cell = self.cells[(base + option) as usize];
                let value = cell.value as usize;
                if value >= self.seen.len() {
                    self.seen.resize(value + 1, 0);
                }
                self.seen[value] = position + 1;
                let plies = cell.remoteness + 1;
                found.longest = found.longest.max(plies);
                if is_lost(cell.remoteness, self.misere)
                    && (found.shortest == 0 || plies < found.shortest)
                {
                    found.shortest = plies;
                }
            }
        }
        Ok(())
    }
}

/// Plies to the end by the options looked at so far: the shortest way to a lost one, 0 while there is none, and the longest way.
#[derive(Default)]
struct Found {
    shortest: u32,
    longest: u32,
}

/// All states that can be reached from a state, itself last, each with the numbers of its options. Depth first without recursion.
fn closure(
    state: u32,
    interner: &mut StateInterner,
    meter: &mut Meter<'_>,
) -> Result<Vec<Vec<u32>>, Stopped> {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut states = Vec::new();
    let mut path = vec![(state, interner.options(state, meter)?, 0)];
    while let Some((state, options, next)) = path.last_mut() {
        meter.work(1)?;
        if let Some(option) = options.get(*next) {
            let option = *option;
            *next += 1;
            if !numbers.contains_key(&option) {
                path.push((option, interner.options(option, meter)?, 0));
            }
            continue;
        }
        numbers.insert(*state, states.len() as u32);
        let known = options.iter().map(|option| numbers[option]);
        states.push(known.collect());
        path.pop();
        if states.len() > MOST_POSITIONS {
            return Err(Stopped);
        }
    }
    Ok(states)
}

fn is_lost(remoteness: u32, misere: bool) -> bool {
    remoteness.is_multiple_of(2) != misere
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::solver::whole::Whole;
    use crate::theory::standing::Law;

    /// The table and the search of what is reached say the same.
    #[test]
    fn the_table_agrees_with_the_search() {
        let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
        for text in [
            "nim:4+nim:3",
            "nim:2,2+kayles:4+nim:0",
            "chomp:3,2+nim:3+bash.2:5",
        ] {
            let position = Position::parse(text).expect("a position");
            // Where @zero ends depends on the numbers, which the table does not know.
            let others = Compound::NAMED.into_iter();
            for compound in others.filter(|compound| *compound != Compound::UntilZero) {
                for misere in [false, true] {
                    let law = Law::of(compound, misere).expect("it is no sum");
                    let mut interner = StateInterner::new(law);
                    let start = position.sum.components().iter();
                    let start = start.map(|component| interner.of(component, &mut meter));
                    let start: Vec<u32> = start.collect::<Result<_, _>>().expect("it is small");
                    let table = search(compound, misere, &start, &mut interner, &mut meter);
                    let searched =
                        Whole::new(compound, misere, &mut interner).search(start, &mut meter);
                    let said = |known: Result<Known, Stopped>| {
                        known.map(|known| (known.lost, known.value, known.remoteness))
                    };
                    let (table, searched) = (said(table), said(searched));
                    match misere {
                        // No Grundy value is told in misère play.
                        true => assert_eq!(
                            table.map(|(lost, _, plies)| (lost, plies)),
                            searched.map(|(lost, _, plies)| (lost, plies)),
                            "{text}"
                        ),
                        false => assert_eq!(table, searched, "{text}"),
                    }
                }
            }
        }
    }
}
