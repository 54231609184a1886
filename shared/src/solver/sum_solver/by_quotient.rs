//! A misère sum by a misère quotient.

use crate::ids::Seat;
use crate::position::Move;
use crate::solver::misere::Quotient;
use crate::solver::part_interner::copying;
use crate::solver::sum_solver::{QUOTIENT, SumSolver, Verdict, Way};
use crate::theory::{Meter, MoveList, Stopped};

impl SumSolver<'_> {
    /// By a misère quotient, if all components have the same one.
    pub(super) fn by_quotient(
        &mut self,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Verdict>, Stopped> {
        let components = self.live.iter().map(|(_, component)| *component);
        let Some(quotient) = Quotient::of(components, meter)? else {
            return Ok(None);
        };
        Ok(Some(self.judged_by(quotient, meter)))
    }

    /// By the misère quotient of all parts that can be reached.
    pub(super) fn by_parts(&mut self, meter: &mut Meter<'_>) -> Result<Option<Verdict>, Stopped> {
        let components = self.live.iter().map(|(_, component)| *component);
        let found = Quotient::of_reached(components, &mut self.interner, meter)?;
        Ok(found.map(|quotient| self.judged_by(quotient, meter)))
    }

    fn judged_by(&mut self, mut quotient: Quotient, meter: &mut Meter<'_>) -> Verdict {
        let lost = quotient.is_root_lost();
        let winning = match (lost, quotient.table().is_some()) {
            (true, _) => Some(MoveList::default()),
            (false, true) => self.quotient_replies(&quotient, meter).ok(),
            (false, false) => self.listed_quotient_replies(&mut quotient, meter).ok(),
        };
        Verdict {
            lost,
            nim_value: None,
            winning,
            known: Vec::new(),
            method: QUOTIENT.to_owned(),
            way: Way::Quotient(quotient),
        }
    }

    /// All moves to a lost class, counted; the first are kept.
    fn quotient_replies(
        &self,
        quotient: &Quotient,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let table = quotient.table().ok_or(Stopped)?;
        let mut replies = MoveList::default();
        for ((index, component), beside) in self.live.iter().zip(quotient.beside()) {
            for (part, beside) in beside.into_iter().enumerate() {
                meter.work(1)?;
                let room = self.max_moves - replies.first.len();
                let found = component.misere_replies(part, beside, table, room, meter)?;
                let found = found.ok_or(Stopped)?;
                replies.append(found.map(|mv| self.position.sum.own(*index, mv)));
            }
        }
        Ok(replies)
    }

    /// Every move, looked up by the class of what it leaves.
    fn listed_quotient_replies(
        &mut self,
        quotient: &mut Quotient,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let mut replies = MoveList::default();
        for (place, beside) in quotient.beside_components().into_iter().enumerate() {
            let (index, component) = self.live[place];
            for mv in component.moves(Seat::First) {
                meter.work(copying(component))?;
                let after = self.interner.parts_of(&[component.play(&*mv)], meter)?;
                // Each part was looked up.
                meter.work(after.len() as u64 / 16)?;
                if quotient.is_lost_beside(beside, &after, &self.interner, meter)? {
                    replies.push(self.max_moves, || self.position.sum.own(index, mv));
                }
            }
        }
        Ok(replies)
    }
}
