//! `@zero` by the nim-values that the games know: the winner, and the moves to the one value of each component that wins.

use crate::erased::{Component, ComponentMove};
use crate::ids::Seat;
use crate::solver::component_value::{together, value_of};
use crate::solver::compound::Compounded;
use crate::solver::part_interner::copying;
use crate::solver::sum_solver::Answer;
use crate::theory::{Goal, Meter, MoveList, Stopped};

impl Compounded<'_> {
    /// `None` where a game does not know a value.
    pub(super) fn by_nim_values(&self, meter: &mut Meter<'_>) -> Result<Option<Answer>, Stopped> {
        let mut parts = Vec::with_capacity(self.components.len());
        let mut values = Vec::with_capacity(self.components.len());
        for component in self.components {
            meter.work(1)?;
            let of_parts = component.values(meter)?;
            let Some(value) = together(&of_parts) else {
                return Ok(None);
            };
            parts.push(of_parts);
            values.push(value);
        }
        let lost = self.is_lost(&values);
        let xor = values.iter().fold(0, |xor, value| xor ^ value);
        let large = values.iter().filter(|value| **value > 1).count();
        let mut winning = MoveList::default();
        for (index, component) in self.components.iter().enumerate().filter(|_| !lost) {
            let (others, above) = (xor ^ values[index], large - usize::from(values[index] > 1));
            // Beside values of at most 1 it is 1 that is lost in misère play, and no value above 1 makes that xor 0.
            let wanted = others ^ u64::from(self.misere && above == 0);
            let room = self.max_moves - winning.first.len();
            let found = moves_to(component, &parts[index], wanted, room, meter)?;
            winning.append(found.map(|mv| self.position.sum.own(index, mv)));
        }
        Ok(Some(Answer {
            lost,
            nim_value: (!self.misere).then_some(xor),
            winning: Some(winning),
            known: Vec::new(),
            remoteness: None,
            method: self.method().to_owned(),
        }))
    }
}

/// The moves of a component, whose parts have these values, that leave it this value. It has another one.
fn moves_to(
    component: &Component,
    parts: &[Option<u64>],
    wanted: u64,
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<MoveList<ComponentMove>, Stopped> {
    let value = together(parts).ok_or(Stopped)?;
    let mut all = MoveList::default();
    for (part, of_part) in parts.iter().enumerate() {
        meter.work(1)?;
        let goal = Goal::Value(wanted ^ value ^ of_part.ok_or(Stopped)?);
        match component.replies(part, goal, want - all.first.len(), meter)? {
            Some(found) => all.append(found),
            None => return listed(component, wanted, want, meter),
        }
    }
    Ok(all)
}

/// The same by looking at every move.
fn listed(
    component: &Component,
    wanted: u64,
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<MoveList<ComponentMove>, Stopped> {
    let count = component.move_count(Seat::First);
    meter.work(u64::try_from(count).map_err(|_| Stopped)?)?;
    let mut all = MoveList::default();
    for mv in component.moves(Seat::First) {
        meter.work(copying(component))?;
        if value_of(&component.play(&*mv), meter)?.ok_or(Stopped)? == wanted {
            all.push(want, || mv);
        }
    }
    Ok(all)
}
