//! The facts that decide a partizan sum in normal play.

use std::cmp::Ordering;

use super::summands::{named_summands, summand_kind};
use crate::fact::{Fact, MAX_TERMS, Stake, Worth};
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::joint::Joint;
use crate::solver::partizan::Values;
use crate::theory::{CanonicalForm, CanonicalForms, Dyadic, Meter, Stopped};

/// The values of the summands and of the whole, with what is at stake in each.
pub(super) fn partizan_sum(
    position: &Position,
    to_move: Seat,
    meter: &mut Meter<'_>,
) -> Result<Fact, Stopped> {
    let mut joint = Joint::new(position, to_move);
    let mut values = Values::default();
    let parts = joint.parts(meter)?;
    let total = values.of_all(&parts, &mut joint.interner, meter)?;
    let summands = named_summands(position);
    let terms_total = summands.len() as u64;
    let (mut terms, mut swings) = (Vec::new(), Vec::new());
    for (name, summand) in summands.into_iter().take(MAX_TERMS) {
        let parts = joint.interner.parts_of(&[summand], meter)?;
        let value = values.of_all(&parts, &mut joint.interner, meter)?;
        let (stake, swing) = stake(&mut values.forms, value, meter)?;
        terms.push(Worth {
            name,
            value: values.forms.shown(value),
            stake,
        });
        swings.push(swing);
    }
    let (stake, _) = stake(&mut values.forms, total, meter)?;
    let is_complete = terms.len() as u64 == terms_total && terms_total > 1;
    Ok(Fact::PartizanSum {
        of: summand_kind(position),
        hottest: hottest(&swings)
            .filter(|_| is_complete)
            .map(|at| terms[at].name.clone()),
        terms,
        terms_total,
        total: values.forms.shown(total),
        stake,
    })
}

/// What is at stake in a value, and how much lies between the stops.
fn stake(
    forms: &mut CanonicalForms,
    value: CanonicalForm,
    meter: &mut Meter<'_>,
) -> Result<(Stake, Dyadic), Stopped> {
    let [left, right] = forms.stops(value, meter)?;
    let swing = &left + &-&right;
    let stake = match (forms.as_number(value), swing.sign()) {
        (Some(number), _) => Stake::Number {
            number: number.to_string(),
        },
        (None, Ordering::Equal) => Stake::Infinitesimal {
            ahead: ahead(forms, value, &left, meter)?,
            number: left.to_string(),
        },
        (None, _) => Stake::Hot {
            left: left.to_string(),
            right: right.to_string(),
        },
    };
    Ok((stake, swing))
}

/// The player for whom a value is better than a number, no matter who starts.
fn ahead(
    forms: &mut CanonicalForms,
    value: CanonicalForm,
    number: &Dyadic,
    meter: &mut Meter<'_>,
) -> Result<Option<Seat>, Stopped> {
    let number = forms.plain(number.clone(), 0, meter)?;
    let above = forms.at_most(number, value, meter)?;
    let below = forms.at_most(value, number, meter)?;
    Ok(match (above, below) {
        (true, false) => Some(Seat::First),
        (false, true) => Some(Seat::Second),
        _ => None,
    })
}

/// Where most lies between the stops, the first of several; none if nothing does anywhere.
fn hottest(swings: &[Dyadic]) -> Option<usize> {
    let mut found: Option<usize> = None;
    for (at, swing) in swings.iter().enumerate() {
        let above = match found {
            Some(most) => *swing > swings[most],
            None => swing.sign() == Ordering::Greater,
        };
        if above {
            found = Some(at);
        }
    }
    found
}
