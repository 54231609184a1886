//! The states that components can reach, numbered, each with the number that a law of compounds needs.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::erased::Component;
use crate::ids::Seat;
use crate::solver::part_interner::{PartInterner, Parts, bytes_of, kinds, replace};
use crate::theory::standing::Law;
use crate::theory::{Meter, Stopped};

/// The state in which neither player has a legal move.
pub(crate) const FINISHED: u32 = 0;

/// All states met so far. States with the same unfinished parts are one state: their games are the same, move by move.
#[derive(Debug)]
pub(crate) struct StateInterner {
    law: Law,
    interner: PartInterner,
    numbers: FxHashMap<Parts, u32>,
    known: Vec<State>,
}

#[derive(Debug, Default)]
struct State {
    parts: Parts,
    /// Of each seat.
    options: [Option<Rc<[u32]>>; 2],
    number: Option<u64>,
}

/// A state on the way down.
struct Frame {
    state: u32,
    options: Rc<[u32]>,
    numbers: Vec<u64>,
}

impl StateInterner {
    pub(crate) fn new(law: Law) -> Self {
        Self {
            law,
            interner: PartInterner::default(),
            numbers: FxHashMap::from_iter([(Parts::default(), FINISHED)]),
            known: vec![State::default()],
        }
    }

    /// The state of a component.
    pub(crate) fn of(
        &mut self,
        component: &Component,
        meter: &mut Meter<'_>,
    ) -> Result<u32, Stopped> {
        let parts = self
            .interner
            .parts_of(std::slice::from_ref(component), meter)?;
        self.numbered(parts, meter)
    }

    fn numbered(&mut self, parts: Parts, meter: &mut Meter<'_>) -> Result<u32, Stopped> {
        if let Some(number) = self.numbers.get(&parts) {
            return Ok(*number);
        }
        meter.hold(2 * bytes_of(&parts) + 64)?;
        let number = self.known.len() as u32;
        self.numbers.insert(parts.clone(), number);
        self.known.push(State {
            parts,
            ..State::default()
        });
        Ok(number)
    }

    /// The states that one move makes of an impartial state, each once. Charges its moves before it lists them.
    pub(crate) fn options(
        &mut self,
        state: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[u32]>, Stopped> {
        self.options_of(state, Seat::First, meter)
    }

    /// The states that one move of this seat makes of a state, each once. Charges its moves before it lists them.
    pub(crate) fn options_of(
        &mut self,
        state: u32,
        seat: Seat,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[u32]>, Stopped> {
        if let Some(options) = &self.known[state as usize].options[seat.index()] {
            return Ok(Rc::clone(options));
        }
        let parts = self.known[state as usize].parts.clone();
        let mut options = Vec::new();
        for place in kinds(&parts) {
            for option in self.interner.options_of(parts[place], seat, meter)?.iter() {
                meter.work(1 + parts.len() as u64 / 64)?;
                options.push(self.numbered(replace(&parts, place, option), meter)?);
            }
        }
        options.sort_unstable();
        options.dedup();
        meter.hold(options.len() as u64 * 4 + 16)?;
        let options: Rc<[u32]> = options.into();
        self.known[state as usize].options[seat.index()] = Some(Rc::clone(&options));
        Ok(options)
    }

    /// The number of a state by the law, from those of its options. Depth first without recursion.
    pub(crate) fn number(&mut self, state: u32, meter: &mut Meter<'_>) -> Result<u64, Stopped> {
        if let Some(number) = self.known[state as usize].number {
            return Ok(number);
        }
        let mut answer = 0;
        let mut path = vec![self.frame(state, meter)?];
        while let Some(frame) = path.last_mut() {
            meter.work(1)?;
            let Some(option) = frame.options.get(frame.numbers.len()).copied() else {
                answer = self.law.number(&frame.numbers);
                self.known[frame.state as usize].number = Some(answer);
                path.pop();
                continue;
            };
            match self.known[option as usize].number {
                Some(number) => frame.numbers.push(number),
                None => path.push(self.frame(option, meter)?),
            }
        }
        Ok(answer)
    }

    /// The number of a state, if it was found before.
    pub(crate) fn known_number(&self, state: u32) -> Option<u64> {
        self.known[state as usize].number
    }

    fn frame(&mut self, state: u32, meter: &mut Meter<'_>) -> Result<Frame, Stopped> {
        Ok(Frame {
            state,
            options: self.options(state, meter)?,
            numbers: Vec::new(),
        })
    }
}
