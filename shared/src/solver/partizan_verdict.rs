//! Partizan sums: by the values of their parts; if these take too much work, and in misère play, by a search for the winner.

use crate::game::EndRule;
use crate::solver::joint::{Joint, Judged};
use crate::solver::part_interner::PartInterner;
use crate::solver::partizan::{FORMS, by_values};
use crate::solver::sum_solver::SEARCH;
use crate::solver::tried::Tried;
use crate::solver::winner;
use crate::theory::{Meter, Stopped};

/// Work on values before the winner is searched for, in nodes: a second or two.
const VALUES_NODES: u64 = 1 << 22;
/// Work on the search before values are tried again, in nodes: about a minute.
const SEARCH_NODES: u64 = 1 << 30;

/// Who wins, and with which moves.
pub(super) fn judge(
    joint: &mut Joint<'_>,
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<Judged, Tried> {
    let mut tried = Tried::default();
    let mut share_of_search = meter.left();
    let mut goes_on = false;
    if joint.position.end_rule() == EndRule::Normal {
        let share = (meter.left() / 2).min(VALUES_NODES);
        let by_values = meter.with_at_most(share, |meter| by_values(joint, want, meter));
        if let Ok(judged) = by_values {
            return Ok(judged);
        }
        tried.push(FORMS);
        joint.interner = PartInterner::default();
        goes_on = share == VALUES_NODES;
    }
    if goes_on {
        share_of_search = (meter.left() / 2).min(SEARCH_NODES);
    }
    let by_search = meter.with_at_most(share_of_search, |meter| winner::judge(joint, want, meter));
    if let Ok(judged) = by_search {
        return Ok(judged);
    }
    tried.push(SEARCH);
    joint.interner = PartInterner::default();
    match goes_on {
        true => by_values(joint, want, meter).map_err(|Stopped| tried),
        false => Err(tried),
    }
}
