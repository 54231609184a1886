//! How long the positions of one match last, and the values that only a search finds: each position that play can reach is looked at once
//! for all of them.

use rustc_hash::FxHashMap;

use crate::game::Kind;
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::Budget;
use crate::solver::bounds::{BOUNDED_PARTS, MANY_PARTS, reaches_many};
use crate::solver::compound::Compounded;
use crate::solver::part_interner::{PartInterner, Parts};
use crate::solver::remoteness::{Knowledge, add_remotenesses};
use crate::solver::verdict::solve_within;
use crate::theory::compound::Compound;
use crate::theory::{Meter, Stopped};

/// The numbers of a position that cost more than its winner; `None` where one was not found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Numbers {
    /// Plies to the end when the winner hurries and the loser delays.
    pub(crate) remoteness: Option<u64>,
    /// The Grundy value, in normal play.
    pub(crate) nim_value: Option<u64>,
}

/// What was found of the positions of one match, which all have the same end rule.
#[derive(Debug)]
pub(crate) struct Lengths<'a> {
    found: Found,
    meter: Meter<'a>,
}

impl<'a> Lengths<'a> {
    /// With a budget for all positions together.
    pub(crate) fn new(budget: &Budget<'a>) -> Self {
        Self {
            found: Found::default(),
            meter: budget.meter(),
        }
    }

    /// Whether the solver looks for a number of this position that is not known: its length, or its value in normal play. Of a sum it looks for no
    /// value but that of its parts.
    pub(crate) fn lacks(position: &Position, known: Numbers) -> bool {
        let is_sum = position.compound() == Compound::Sum && position.sum.components().len() > 1;
        let has_value =
            position.kind() == Kind::Impartial && !position.end_rule().is_misere() && !is_sum;
        known.remoteness.is_none() || has_value && known.nim_value.is_none()
    }

    /// The numbers of this position, of which some may be known, for at most so many nodes.
    pub(crate) fn numbers(
        &mut self,
        position: &Position,
        to_move: Seat,
        known: Numbers,
        nodes: u64,
    ) -> Numbers {
        let found = &mut self.found;
        self.meter.with_at_most_held(nodes, |meter| {
            found.numbers(position, to_move, known, meter)
        })
    }
}

/// The parts that were met, and the remoteness of sums of them.
#[derive(Debug, Default)]
struct Found {
    interner: PartInterner,
    known: FxHashMap<Parts, u64>,
}

impl Found {
    /// The numbers of this position, of which some may be known. Sums whose parts have values by the methods of their games, and single parts of
    /// which a closed form knows the winner, use what was found of the positions before; others are solved by themselves. What is found stays
    /// allocated.
    fn numbers(
        &mut self,
        position: &Position,
        to_move: Seat,
        known: Numbers,
        meter: &mut Meter<'_>,
    ) -> Numbers {
        match self.of_sum(position, known, meter) {
            Ok(Some(numbers)) => numbers,
            Ok(None) => {
                let nodes = meter.left();
                let solution =
                    meter.with_at_most(nodes, |meter| solve_within(position, to_move, meter, 0));
                Numbers {
                    remoteness: solution.remoteness,
                    nim_value: solution.nim_value,
                }
            }
            Err(Stopped) => known,
        }
    }

    /// `None` where neither the values of all parts nor the winner of the only part are known without a search.
    fn of_sum(
        &mut self,
        position: &Position,
        known: Numbers,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Numbers>, Stopped> {
        if position.kind() != Kind::Impartial || Compounded::new(position, 0).is_some() {
            return Ok(None);
        }
        let components = position.sum.components();
        let end = position.end_rule();
        if reaches_many(components.iter()) {
            return Err(Stopped);
        }
        let parts = self.interner.parts_of(components, meter)?;
        if parts.len() >= MANY_PARTS {
            return Err(Stopped);
        }
        let (mut knowledge, nim_value) = match self.tally_known(&parts, end.is_misere(), meter)? {
            Some(nim_value) => (Knowledge::Values, nim_value),
            None => match parts[..] {
                [part] if self.interner.is_p_position(part, end, meter).is_ok() => {
                    (Knowledge::Alone, None)
                }
                _ => return Ok(None),
            },
        };
        let mut remoteness = known.remoteness.or_else(|| self.known.get(&parts).copied());
        if remoteness.is_none() {
            let (all, interner) = (&mut self.known, &mut self.interner);
            let found = add_remotenesses(all, parts.clone(), end, &mut knowledge, interner, meter);
            remoteness = found.ok().and_then(|()| all.get(&parts).copied());
        }
        // The value of a part alone takes more than its length: where that was too much, so is this.
        let nim_value = match (&parts[..], nim_value.or(known.nim_value), remoteness) {
            ([part], None, Some(_)) if !end.is_misere() => {
                self.interner.value_within(*part, BOUNDED_PARTS, meter).ok()
            }
            (_, nim_value, _) => nim_value,
        };
        Ok(Some(Numbers {
            remoteness,
            nim_value,
        }))
    }

    /// Whether the methods of the games know what each part counts with, and then the value of all together in normal play.
    fn tally_known(
        &mut self,
        parts: &[u32],
        misere: bool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Option<u64>>, Stopped> {
        if misere {
            let tally = self.interner.misere_tally_of(parts, meter)?;
            return Ok(tally.map(|_| None));
        }
        let mut xor = 0;
        for part in parts {
            match self.interner.known_value(*part, meter)? {
                Some(value) => xor ^= value,
                None => return Ok(None),
            }
        }
        Ok(Some(Some(xor)))
    }
}
