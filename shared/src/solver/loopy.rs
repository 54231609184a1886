//! Positions that can recur: solved by searching all reachable positions or, if those are too many, by loopy values
//! (C. A. B. Smith 1966; A. S. Fraenkel, Y. Perl 1975).

use rustc_hash::FxHashMap;

use crate::game::EndRule;
use crate::solver::OutcomeClass;
use crate::solver::joint::{Joint, Judged};
use crate::solver::part_interner::{PartInterner, Parts};
use crate::solver::tried::Tried;
use crate::theory::loopy::{LoopyOutcome, outcome};
use crate::theory::{LoopyValue, Meter, MoveList, Stopped};

/// The values of the parts met so far.
#[derive(Default)]
struct Values(FxHashMap<u32, LoopyValue>);

impl Values {
    /// The outcome of these parts together for the player to move.
    fn outcome(
        &mut self,
        parts: &Parts,
        interner: &PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<LoopyOutcome, Stopped> {
        for part in parts {
            if !self.0.contains_key(part) {
                let values = interner.component(*part).loopy_values(meter)?;
                let value = values.into_iter().next().flatten().ok_or(Stopped)?;
                meter.hold(64)?;
                self.0.insert(*part, value);
            }
        }
        Ok(outcome(parts.iter().filter_map(|part| self.0.get(part))))
    }
}

/// The name of the method that adds the values of parts.
const VALUES: &str = "loopy values";

/// Who wins, and with which moves.
pub(super) fn judge(
    joint: &mut Joint<'_>,
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<Judged, Tried> {
    let half = meter.left() / 2;
    let by_search = meter.with_at_most(half, |meter| joint.judge(want, meter));
    if let Ok(judged) = by_search {
        return Ok(judged);
    }
    joint.interner = PartInterner::default();
    let tried = Tried::default().and(joint.search());
    match joint.position.end_rule() {
        EndRule::Normal => by_values(joint, want, meter).map_err(|Stopped| tried.and(VALUES)),
        EndRule::Misere => Err(tried),
    }
}

fn by_values(joint: &mut Joint<'_>, want: usize, meter: &mut Meter<'_>) -> Result<Judged, Stopped> {
    let mut values = Values::default();
    let parts = joint.parts(meter)?;
    let (outcome, wanted) = match values.outcome(&parts, &joint.interner, meter)? {
        LoopyOutcome::Won => (OutcomeClass::N, LoopyOutcome::Lost),
        LoopyOutcome::Lost => (OutcomeClass::P, LoopyOutcome::Lost),
        LoopyOutcome::Drawn => (OutcomeClass::D, LoopyOutcome::Drawn),
    };
    let mut moves = |wanted| {
        let of = joint.moves_where(want, meter, |joint, after, meter| {
            Ok(values.outcome(after, &joint.interner, meter)? == wanted)
        });
        of.ok()
    };
    Ok(Judged {
        outcome,
        value: None,
        winning: match outcome {
            OutcomeClass::N => moves(wanted),
            _ => Some(MoveList::default()),
        },
        best: match outcome {
            OutcomeClass::D => moves(wanted),
            _ => None,
        },
        plies: None,
        is_large: false,
        method: VALUES.to_owned(),
    })
}
