//! All positions that can be reached, and the outcome of each, by retrograde analysis; also correct if play can cycle
//! (K. Thompson 1986; for loopy games C. A. B. Smith 1966).
//!
//! Backward from the finished positions: a player who can move to a lost position wins, and one who can move only to won positions
//! loses. Positions that this never reaches are draws. Positions come in the order of their distance from the end, so that the distance is
//! the remoteness.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::game::EndRule;
use crate::ids::Seat;
use crate::solver::part_interner::{PartInterner, Parts, bytes_of, kinds, replace};
use crate::theory::{Meter, Stopped};

/// The outcome of a position for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// Won in so many plies.
    Won(u64),
    /// Lost after so many plies.
    Lost(u64),
    /// Neither player can force a win.
    Drawn,
}

impl Fate {
    /// Plies to the end; `None` in a draw.
    pub(crate) fn plies(self) -> Option<u64> {
        match self {
            Self::Won(plies) | Self::Lost(plies) => Some(plies),
            Self::Drawn => None,
        }
    }
}

/// Where the moves of a position lead.
pub(crate) trait Successors {
    /// Gives every position that one move of this seat makes, some perhaps more than once. Charges its cost.
    fn visit(
        &mut self,
        from: &Parts,
        seat: Seat,
        meter: &mut Meter<'_>,
        found: &mut dyn FnMut(Parts, &mut Meter<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped>;
}

/// In a disjunctive sum one part is moved in.
impl Successors for PartInterner {
    fn visit(
        &mut self,
        from: &Parts,
        seat: Seat,
        meter: &mut Meter<'_>,
        found: &mut dyn FnMut(Parts, &mut Meter<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        for place in kinds(from) {
            for option in self.options_of(from[place], seat, meter)?.iter() {
                meter.work(1 + from.len() as u64 / 64)?;
                found(replace(from, place, option), meter)?;
            }
        }
        Ok(())
    }
}

/// The positions that can be reached, each with the player to move.
#[derive(Debug)]
pub(crate) struct Graph {
    /// Whether it matters who is to move.
    sided: bool,
    numbers: FxHashMap<(Parts, Seat), u32>,
    fates: Vec<Fate>,
}

/// What is known of a position during the backward pass.
struct Open {
    /// The positions that a move leads to, and once all are met those that a move leads from.
    beside: Vec<u32>,
    /// Moves that are not known to lose.
    hopes: u32,
    fate: Option<Fate>,
}

impl Graph {
    /// Explores what can be reached from a position, whoever is to move where that matters; `Stopped` when there are more than
    /// `most` positions, each counted for either player.
    pub(crate) fn explore(
        root: &Parts,
        sided: bool,
        end: EndRule,
        most: usize,
        moves: &mut dyn Successors,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        let mut numbers: FxHashMap<(Parts, Seat), u32> = FxHashMap::default();
        let mut waiting = VecDeque::new();
        for seat in Seat::BOTH.into_iter().take(if sided { 2 } else { 1 }) {
            numbers.insert((root.clone(), seat), numbers.len() as u32);
            waiting.push_back((root.clone(), seat));
        }
        let mut open: Vec<Open> = Vec::new();
        let mut decided = VecDeque::new();
        while let Some((parts, seat)) = waiting.pop_front() {
            let number = open.len() as u32;
            let next = if sided { seat.other() } else { seat };
            let mut children = Vec::new();
            moves.visit(&parts, seat, meter, &mut |after, meter| {
                let bytes = bytes_of(&after);
                let count = numbers.len();
                if count > most {
                    return Err(Stopped);
                }
                let child = *numbers.entry((after, next)).or_insert_with_key(|key| {
                    waiting.push_back(key.clone());
                    count as u32
                });
                if numbers.len() > count {
                    meter.hold(2 * bytes + 80)?;
                }
                children.push(child);
                Ok(())
            })?;
            children.sort_unstable();
            children.dedup();
            meter.hold(children.len() as u64 * 4)?;
            open.push(Open {
                beside: children,
                hopes: 0,
                fate: None,
            });
            let last = &mut open[number as usize];
            last.hopes = last.beside.len() as u32;
            if last.beside.is_empty() {
                last.fate = Some(match end {
                    EndRule::Normal => Fate::Lost(0),
                    EndRule::Misere => Fate::Won(0),
                });
                decided.push_back(number);
            }
        }
        turn_round(&mut open);
        way_back(&mut open, decided, meter)?;
        let fates = open
            .into_iter()
            .map(|open| open.fate.unwrap_or(Fate::Drawn));
        Ok(Self {
            sided,
            numbers,
            fates: fates.collect(),
        })
    }

    /// The outcome of a position that was reached, with this player to move.
    pub(crate) fn fate(&self, parts: &Parts, to_move: Seat) -> Option<Fate> {
        let seat = if self.sided { to_move } else { Seat::First };
        let number = self.numbers.get(&(parts.clone(), seat))?;
        Some(self.fates[*number as usize])
    }
}

/// Turns lists of successors into lists of predecessors.
fn turn_round(open: &mut [Open]) {
    let after: Vec<Vec<u32>> = open
        .iter_mut()
        .map(|open| std::mem::take(&mut open.beside))
        .collect();
    for (number, children) in after.into_iter().enumerate() {
        for child in children {
            open[child as usize].beside.push(number as u32);
        }
    }
}

fn way_back(
    open: &mut [Open],
    mut decided: VecDeque<u32>,
    meter: &mut Meter<'_>,
) -> Result<(), Stopped> {
    while let Some(number) = decided.pop_front() {
        let known = &mut open[number as usize];
        let before = std::mem::take(&mut known.beside);
        let fate = known.fate;
        meter.work(1 + before.len() as u64)?;
        for number in before {
            let parent = &mut open[number as usize];
            if parent.fate.is_some() {
                continue;
            }
            parent.fate = match fate {
                Some(Fate::Lost(plies)) => Some(Fate::Won(plies + 1)),
                Some(Fate::Won(plies)) => {
                    parent.hopes -= 1;
                    (parent.hopes == 0).then_some(Fate::Lost(plies + 1))
                }
                _ => None,
            };
            if parent.fate.is_some() {
                decided.push_back(number);
            }
        }
    }
    Ok(())
}
