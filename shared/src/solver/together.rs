//! Compounds with coloured or loopy components: no number of a component decides them, so the whole is searched, by the states of its components.

use crate::erased::Component;
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::graph::Successors;
use crate::solver::part_interner::Parts;
use crate::solver::state_interner::{FINISHED, StateInterner};
use crate::solver::turning::Turning;
use crate::theory::compound::Compound;
use crate::theory::standing::Law;
use crate::theory::{Meter, Stopped};

/// How components are played together, and the states that they can reach.
#[derive(Debug)]
pub(crate) struct Together {
    compound: Compound,
    states: StateInterner,
}

impl Together {
    /// `None` for a position that is played as a disjunctive sum: also in a compound that does not end early, if only one component has a move left.
    pub(crate) fn of(position: &Position) -> Option<Self> {
        let compound = position.compound();
        let law = Law::of(compound, position.end_rule().is_misere())?;
        let components = position.sum.components();
        let counts = |component: &&Component| {
            let mut seats = Seat::BOTH.into_iter();
            compound.is_short() || seats.any(|seat| component.move_count(seat) > 0)
        };
        let several = components.iter().filter(counts).nth(1).is_some();
        several.then(|| Self {
            compound,
            states: StateInterner::new(law),
        })
    }

    /// The states of these components, sorted: their order does not matter. Those that count for nothing are left out.
    pub(crate) fn states_of(
        &mut self,
        components: &[Component],
        meter: &mut Meter<'_>,
    ) -> Result<Parts, Stopped> {
        let states = components.iter();
        let states: Result<Vec<u32>, Stopped> = states
            .map(|component| self.states.of(component, meter))
            .collect();
        Ok(self.tidied(states?))
    }

    fn tidied(&self, mut states: Vec<u32>) -> Parts {
        if !self.compound.is_short() {
            states.retain(|state| *state != FINISHED);
        }
        states.sort_unstable();
        states.into()
    }
}

impl Successors for Together {
    fn visit(
        &mut self,
        from: &Parts,
        seat: Seat,
        meter: &mut Meter<'_>,
        found: &mut dyn FnMut(Parts, &mut Meter<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let mut options = Vec::with_capacity(from.len());
        for state in from {
            let of_component = self.states.options_of(*state, seat, meter)?;
            if of_component.is_empty() && self.compound.is_short() {
                return Ok(());
            }
            options.push(of_component);
        }
        let mut turns = Turning::new(self.compound.breadth(), options);
        let mut after = Vec::with_capacity(from.len());
        while !turns.ended() {
            meter.work(1 + from.len() as u64 / 16)?;
            turns.read(from, &mut after);
            found(self.tidied(after.clone()), meter)?;
            turns.go_on();
        }
        Ok(())
    }
}
