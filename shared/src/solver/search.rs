//! The winner by exhaustive search over multisets of parts: the last resort, correct for every game that ends.

use rustc_hash::FxHashMap;

use crate::solver::part_interner::{Options, PartInterner, Parts, bytes_of, replace};
use crate::theory::{Meter, Stopped};

/// A search that remembers what it found.
#[derive(Debug)]
pub(crate) struct Search {
    misere: bool,
    lost: FxHashMap<Parts, bool>,
}

/// One position on the way down: which option of which part is looked at.
struct Frame {
    parts: Parts,
    place: usize,
    option: usize,
    options: Options,
}

impl Search {
    pub(crate) fn new(misere: bool) -> Self {
        Self {
            misere,
            lost: FxHashMap::default(),
        }
    }

    /// Whether the player to move loses. Depth first without recursion; a position is left as soon as one winning move is found.
    pub(crate) fn is_lost(
        &mut self,
        parts: &[u32],
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        let root = reduced(parts, interner, meter)?;
        if let Some(lost) = self.known(&root, interner, meter)? {
            return Ok(lost);
        }
        let mut path = vec![Frame::new(root, interner, meter)?];
        let mut answer = false;
        while let Some(frame) = path.last_mut() {
            let Some(child) = frame.next(interner, meter)? else {
                let frame = path.pop().expect("the loop has just looked at it");
                answer = true;
                self.remember(frame.parts, true, meter)?;
                continue;
            };
            match self.known(&child, interner, meter)? {
                Some(false) => {}
                Some(true) => {
                    let frame = path.pop().expect("the loop has just looked at it");
                    answer = false;
                    self.remember(frame.parts, false, meter)?;
                }
                None => {
                    frame.step_back();
                    path.push(Frame::new(child, interner, meter)?);
                }
            }
        }
        Ok(answer)
    }

    /// What is known without looking at moves: found before, or in misère play by the rule for sums of tame parts.
    fn known(
        &mut self,
        parts: &Parts,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<Option<bool>, Stopped> {
        if let Some(lost) = self.lost.get(parts) {
            return Ok(Some(*lost));
        }
        if !self.misere {
            return Ok(parts.is_empty().then_some(true));
        }
        let tally = interner.misere_tally_of(parts, meter)?;
        Ok(tally.map(|tally| tally.is_lost(true)))
    }

    fn remember(&mut self, parts: Parts, lost: bool, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        meter.hold(bytes_of(&parts) + 16)?;
        self.lost.insert(parts, lost);
        Ok(())
    }
}

impl Frame {
    fn new(
        parts: Parts,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        let options = interner.options(parts[0], meter)?;
        Ok(Self {
            parts,
            place: 0,
            option: 0,
            options,
        })
    }

    /// The next position that a move leads to.
    fn next(
        &mut self,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Parts>, Stopped> {
        meter.work(1 + self.parts.len() as u64 / 64)?;
        while self.option == self.options.len() {
            let before = self.parts[self.place];
            while self.place < self.parts.len() && self.parts[self.place] == before {
                self.place += 1;
            }
            let Some(part) = self.parts.get(self.place) else {
                return Ok(None);
            };
            self.options = interner.options(*part, meter)?;
            self.option = 0;
        }
        let Some(option) = self.options.get(self.option) else {
            return Ok(None);
        };
        let child = replace(&self.parts, self.place, option);
        self.option += 1;
        reduced(&child, interner, meter).map(Some)
    }

    /// Looks at the same option again, once it is known.
    fn step_back(&mut self) {
        self.option -= 1;
    }
}

/// Removes pairs of parts whose only move ends them. Under both end rules such a pair changes nothing: the player who wins without it
/// answers a move in one of the two with the other, and if nothing else is left, the pair takes two plies.
fn reduced(
    parts: &[u32],
    interner: &mut PartInterner,
    meter: &mut Meter<'_>,
) -> Result<Parts, Stopped> {
    let mut kept: Vec<u32> = Vec::with_capacity(parts.len());
    let mut single: Option<u32> = None;
    for part in parts {
        if interner.move_count(*part) == 1 && is_one_step(&interner.options(*part, meter)?) {
            single = match single {
                None => Some(*part),
                Some(_) => None,
            };
        } else {
            kept.push(*part);
        }
    }
    kept.extend(single);
    kept.sort_unstable();
    Ok(kept.into())
}

/// Whether the part is finished after any move.
fn is_one_step(options: &Options) -> bool {
    options.len() == 1 && options.get(0).is_some_and(<[u32]>::is_empty)
}
