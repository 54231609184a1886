//! A compound searched as one game: its Grundy value and its remoteness, which the laws of compounds do not give.

use rustc_hash::FxHashMap;

use crate::solver::part_interner::bytes_of;
use crate::solver::state_interner::{FINISHED, StateInterner};
use crate::solver::turning::Turning;
use crate::theory::compound::{Breadth, Compound};
use crate::theory::{Meter, Stopped};

/// Once this many positions were met, the search is given up: more than 100,000 can be reached.
const MAX_MET: usize = 120_000;

/// Components of positions looked up for one node of work; a look-up counts for eight more.
const LOOKED_UP: u64 = 64;

/// With this many unfinished components, more than 100,000 positions can be reached if one may be moved in alone.
const MANY: usize = 17;

/// The states of all unfinished components, sorted: their order does not matter. Empty when it is over.
type Position = Box<[u32]>;

/// What is known of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) lost: bool,
    /// The Grundy value, in normal play.
    pub(crate) value: u64,
    pub(crate) remoteness: u64,
}

/// A search of a compound.
pub(crate) struct Whole<'b> {
    compound: Compound,
    misere: bool,
    interner: &'b mut StateInterner,
    known: FxHashMap<Position, Known>,
}

/// A position on the way down.
struct Frame {
    position: Position,
    turns: Turning,
    /// Which values its options have.
    values: Vec<bool>,
    /// Plies of the shortest way to a lost option.
    shortest: Option<u64>,
    longest: Option<u64>,
}

impl<'b> Whole<'b> {
    pub(crate) fn new(compound: Compound, misere: bool, interner: &'b mut StateInterner) -> Self {
        Self {
            compound,
            misere,
            interner,
            known: FxHashMap::default(),
        }
    }

    /// The facts about the position with these states. Depth first without recursion.
    pub(crate) fn search(
        &mut self,
        mut states: Vec<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<Known, Stopped> {
        self.tidy(&mut states);
        if self.compound.breadth() != Breadth::Each && states.len() >= MANY {
            return Err(Stopped);
        }
        let mut answer = self.known(&states);
        let mut path = match answer {
            Some(_) => Vec::new(),
            None => vec![self.frame(states.into(), meter)?],
        };
        let mut after = Vec::new();
        let mut looked_up = 0;
        while let Some(frame) = path.last_mut() {
            looked_up += 8 + frame.position.len() as u64;
            meter.work(looked_up / LOOKED_UP)?;
            looked_up %= LOOKED_UP;
            if frame.turns.ended() {
                let frame = path.pop().expect("the loop has just looked at it");
                meter.hold(bytes_of(&frame.position) + 40)?;
                let known = frame.known();
                answer = Some(known);
                self.known.insert(frame.position, known);
                continue;
            }
            frame.turns.read(&frame.position, &mut after);
            self.tidy(&mut after);
            match self.known(&after) {
                Some(known) => {
                    frame.add(known);
                    frame.turns.go_on();
                }
                None if self.known.len() + path.len() > MAX_MET => return Err(Stopped),
                None => path.push(self.frame(after.as_slice().into(), meter)?),
            }
        }
        answer.ok_or(Stopped)
    }

    /// Without finished components, sorted; without any when it is over.
    fn tidy(&self, states: &mut Vec<u32>) {
        let is_zero = |state: &u32| self.interner.known_number(*state) == Some(0);
        let is_over = match self.compound {
            // The numbers of all states were found before.
            Compound::UntilZero => states.iter().all(is_zero),
            compound => compound.is_short() && states.contains(&FINISHED),
        };
        match is_over {
            true => states.clear(),
            false => states.retain(|state| *state != FINISHED),
        }
        states.sort_unstable();
    }

    fn known(&self, states: &[u32]) -> Option<Known> {
        match states.is_empty() {
            true => Some(Known {
                lost: !self.misere,
                value: 0,
                remoteness: 0,
            }),
            false => self.known.get(states).copied(),
        }
    }

    fn frame(&mut self, position: Position, meter: &mut Meter<'_>) -> Result<Frame, Stopped> {
        let options: Result<Vec<_>, Stopped> = position
            .iter()
            .map(|state| self.interner.options(*state, meter))
            .collect();
        meter.work(1 + position.len() as u64)?;
        Ok(Frame {
            position,
            turns: Turning::new(self.compound.breadth(), options?),
            values: Vec::new(),
            shortest: None,
            longest: None,
        })
    }
}

impl Frame {
    fn add(&mut self, option: Known) {
        let value = option.value as usize;
        if self.values.len() <= value {
            self.values.resize(value + 1, false);
        }
        self.values[value] = true;
        let plies = option.remoteness + 1;
        self.longest = self.longest.max(Some(plies));
        if option.lost {
            self.shortest = Some(self.shortest.map_or(plies, |shortest| shortest.min(plies)));
        }
    }

    fn known(&self) -> Known {
        let free = self.values.iter().position(|seen| !seen);
        Known {
            lost: self.shortest.is_none(),
            value: free.unwrap_or(self.values.len()) as u64,
            remoteness: self.shortest.or(self.longest).unwrap_or(0),
        }
    }
}
