//! How long a sum lasts, by a closed form or by a search that its verdict guides.

use rustc_hash::FxHashMap;

use crate::position::Position;
use crate::solver::bounds::{BOUNDED_NODES, MANY_PARTS, reaches_many};
use crate::solver::part_interner::Parts;
use crate::solver::remoteness::{Knowledge, remotenesses};
use crate::solver::sum_solver::{SumSolver, Verdict, Way};
use crate::theory::{Meter, Stopped};

impl SumSolver<'_> {
    /// By a closed form if there is one, otherwise by a search that the verdict guides.
    pub(in crate::solver) fn remoteness(
        &mut self,
        verdict: &mut Verdict,
        meter: &mut Meter<'_>,
    ) -> Option<u64> {
        self.remoteness_by_form(meter)
            .or_else(|| self.remoteness_by_search(verdict, meter))
    }

    /// The remoteness of the only component that has a move, by its closed form.
    pub(crate) fn remoteness_by_form(&self, meter: &mut Meter<'_>) -> Option<u64> {
        let end = self.position.end_rule();
        match self.live[..] {
            [] => Some(0),
            [(_, component)] => {
                let found =
                    meter.with_at_most(BOUNDED_NODES, |meter| component.remoteness(end, meter));
                found.ok().flatten()
            }
            _ => None,
        }
    }

    pub(super) fn remoteness_by_search(
        &mut self,
        verdict: &mut Verdict,
        meter: &mut Meter<'_>,
    ) -> Option<u64> {
        let all = self.remotenesses(verdict, meter).ok()?;
        self.plies_by(&all, self.position, meter).ok()
    }

    /// The remoteness of the position and of all that best play can reach, found by a search that the verdict guides.
    pub(in crate::solver) fn remotenesses(
        &mut self,
        verdict: &mut Verdict,
        meter: &mut Meter<'_>,
    ) -> Result<FxHashMap<Parts, u64>, Stopped> {
        if reaches_many(self.live.iter().map(|(_, component)| *component)) {
            return Err(Stopped);
        }
        let end = self.position.end_rule();
        meter.with_at_most(BOUNDED_NODES, |meter| {
            if matches!(verdict.way, Way::Tested) {
                return Err(Stopped);
            }
            let parts = self.parts(meter)?;
            if parts.len() >= MANY_PARTS {
                return Err(Stopped);
            }
            let mut knowledge = match &mut verdict.way {
                Way::Values => Knowledge::Values,
                Way::Alone => Knowledge::Alone,
                Way::Quotient(quotient) => Knowledge::Quotient(quotient),
                Way::Searched(search) => Knowledge::Searched(search),
                Way::Tested => return Err(Stopped),
            };
            remotenesses(parts, end, &mut knowledge, &mut self.interner, meter)
        })
    }

    /// What [`remotenesses`](Self::remotenesses) found of a position that best play can reach.
    pub(in crate::solver) fn plies_by(
        &mut self,
        all: &FxHashMap<Parts, u64>,
        position: &Position,
        meter: &mut Meter<'_>,
    ) -> Result<u64, Stopped> {
        let parts = self.interner.parts_of(position.sum.components(), meter)?;
        all.get(&parts).copied().ok_or(Stopped)
    }
}
