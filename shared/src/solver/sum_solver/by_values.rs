//! A sum by the values of its parts: from the methods of the games or from their options, and by testing one part for the value of the others.

use crate::erased::{Component, ComponentMove};
use crate::ids::Seat;
use crate::position::Move;
use crate::solver::part_interner::copying;
use crate::solver::sum_solver::{Source, SumSolver, VALUES, Verdict, Way};
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally};

impl SumSolver<'_> {
    /// By the Grundy values of all parts: in normal play always right, in misère play where every part is tame.
    pub(super) fn by_values(
        &mut self,
        source: Source,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Verdict>, Stopped> {
        let mut values = Vec::with_capacity(self.live.len());
        for place in 0..self.live.len() {
            meter.work(1)?;
            let component = self.live[place].1;
            let known = match self.misere {
                true => component.misere_tallies(meter)?.into_iter().collect(),
                false => self.values_of(component, source, meter)?,
            };
            let Some(known) = known else {
                return Ok(None);
            };
            values.push(known);
        }
        let all = values.iter().flatten();
        let tally = all.fold(Tally::default(), |all, part| all.and(*part));
        let lost = tally.is_lost(self.misere);
        let winning = match lost {
            true => Some(MoveList::default()),
            false => self.replies_to(&values, tally, meter).ok(),
        };
        let suffix = match source {
            Source::Options => format!(", {VALUES}"),
            Source::Methods if self.misere => ", misere rule of tame sums".to_owned(),
            Source::Methods => String::new(),
        };
        Ok(Some(Verdict {
            lost,
            nim_value: (!self.misere).then_some(tally.xor),
            winning,
            known: Vec::new(),
            method: format!("{}{suffix}", self.methods()),
            way: Way::Values,
        }))
    }

    /// In normal play, if the value of one part only is not known, by asking whether it is that of all others together.
    pub(super) fn by_test(&mut self, meter: &mut Meter<'_>) -> Result<Option<Verdict>, Stopped> {
        let mut others = 0;
        let mut open = None;
        for (place, (_, component)) in self.live.iter().enumerate() {
            for (part, value) in component.values(meter)?.into_iter().enumerate() {
                meter.work(1)?;
                match value {
                    Some(value) => others ^= value,
                    None if open.is_none() => open = Some((place, part)),
                    None => return Ok(None),
                }
            }
        }
        let Some((place, part)) = open.filter(|_| self.live.len() > 1) else {
            return Ok(None);
        };
        let tested = &self.live[place].1.parts()[part];
        let Some(lost) = tested.has_value(others, meter)? else {
            return Ok(None);
        };
        let winning = match lost {
            true => Some(MoveList::default()),
            false => self.tested_replies(place, tested, others, meter).ok(),
        };
        Ok(Some(Verdict {
            lost,
            nim_value: lost.then_some(0),
            winning,
            known: Vec::new(),
            method: self.methods(),
            way: Way::Tested,
        }))
    }

    /// The moves that make one component of a single part equal to all others, of value `others` together.
    fn tested_replies(
        &mut self,
        place: usize,
        tested: &Component,
        others: u64,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let mut all = MoveList::default();
        for (number, (index, component)) in self.live.iter().enumerate() {
            let room = self.max_moves - all.first.len();
            if number == place {
                let found = component.replies(0, Goal::Value(others), room, meter)?;
                let found = found.filter(|_| component.parts().len() == 1);
                all.append(
                    found
                        .ok_or(Stopped)?
                        .map(|mv| self.position.sum.own(*index, mv)),
                );
                continue;
            }
            let xor = |values: Vec<Option<u64>>| {
                let mut values = values.into_iter();
                values.try_fold(0, |xor, value| Some(xor ^ value?))
            };
            let rest = others ^ xor(component.values(meter)?).ok_or(Stopped)?;
            for mv in component.moves(Seat::First) {
                meter.work(copying(component))?;
                let after = component.play(&*mv).values(meter)?;
                let value = rest ^ xor(after).ok_or(Stopped)?;
                if tested.has_value(value, meter)?.ok_or(Stopped)? {
                    all.push(self.max_moves, || self.position.sum.own(*index, mv));
                }
            }
        }
        Ok(all)
    }

    /// The values of the parts of a component in normal play, `None` if the source does not know one of them.
    fn values_of(
        &mut self,
        component: &Component,
        source: Source,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Tally>>, Stopped> {
        let alone = |value| Tally::default().with(value);
        let by_method = component.values(meter)?;
        let known: Option<Vec<Tally>> = by_method.iter().map(|value| value.map(alone)).collect();
        if known.is_some() || source == Source::Methods {
            return Ok(known);
        }
        let mut values = Vec::with_capacity(by_method.len());
        for (part, value) in component.parts().into_iter().zip(by_method) {
            values.push(alone(match value {
                Some(value) => value,
                None => {
                    let part = self.interner.number(part, meter)?;
                    self.interner.value(part, meter)?
                }
            }));
        }
        Ok(Some(values))
    }

    /// All moves that bring the sum to a lost position, counted; the first are kept.
    fn replies_to(
        &mut self,
        values: &[Vec<Tally>],
        tally: Tally,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let mut all = MoveList::default();
        for (place, values) in values.iter().enumerate() {
            let (index, component) = self.live[place];
            let mut of_component = MoveList::default();
            for (part, value) in values.iter().enumerate() {
                meter.work(1)?;
                let goal = Goal::beside(tally.less(*value), self.misere);
                let room = self.max_moves - all.first.len() - of_component.first.len();
                let Some(found) = component.replies(part, goal, room, meter)? else {
                    let others = values.iter().fold(tally, |rest, value| rest.less(*value));
                    let room = self.max_moves - all.first.len();
                    of_component = self.listed_replies(component, others, room, meter)?;
                    break;
                };
                of_component.append(found);
            }
            all.append(of_component.map(|mv| self.position.sum.own(index, mv)));
        }
        Ok(all)
    }

    /// Every move of a component, looked up by the values of what it leaves beside the others.
    fn listed_replies(
        &mut self,
        component: &Component,
        others: Tally,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<ComponentMove>, Stopped> {
        let count = component.move_count(Seat::First);
        meter.work(u64::try_from(count).map_err(|_| Stopped)?)?;
        let mut replies = MoveList::default();
        for mv in component.moves(Seat::First) {
            meter.work(copying(component))?;
            let after = self.interner.parts_of(&[component.play(&*mv)], meter)?;
            let mut tally = others;
            for part in &after {
                tally = tally.and(match self.misere {
                    true => self.interner.misere_tally(*part, meter)?.ok_or(Stopped)?,
                    false => Tally::default().with(self.interner.value(*part, meter)?),
                });
            }
            if tally.is_lost(self.misere) {
                replies.push(want, || mv);
            }
        }
        Ok(replies)
    }
}
