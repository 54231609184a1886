//! Partizan positions in normal play by the values of their parts, which are added exactly (J. H. Conway 1976; Berlekamp, Conway, Guy 1982).

use rustc_hash::FxHashMap;

use crate::ids::Seat;
use crate::solver::OutcomeClass;
use crate::solver::joint::{Joint, Judged};
use crate::solver::part_interner::PartInterner;
use crate::theory::{CanonicalForm, CanonicalForms, Dyadic, Meter, MoveList, Stopped};

/// The name of the method for values that are not all numbers.
pub(super) const FORMS: &str = "sum of canonical forms";

/// The values of the parts met so far.
#[derive(Debug, Default)]
pub(crate) struct Values {
    pub(crate) forms: CanonicalForms,
    of_part: FxHashMap<u32, CanonicalForm>,
}

/// A part on the way to its value.
struct Frame {
    part: u32,
    /// The parts that its options consist of.
    needed: Vec<u32>,
    next: usize,
}

impl Values {
    /// The value of a part: by its game's method, or from those of its options. Depth first without recursion.
    pub(crate) fn of(
        &mut self,
        part: u32,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<CanonicalForm, Stopped> {
        if let Some(form) = self.known(part, interner, meter)? {
            return Ok(form);
        }
        let mut path = vec![Frame::new(part, interner, meter)?];
        while let Some(frame) = path.last_mut() {
            if let Some(part) = frame.needed.get(frame.next).copied() {
                match self.known(part, interner, meter)? {
                    Some(_) => frame.next += 1,
                    None => path.push(Frame::new(part, interner, meter)?),
                }
                continue;
            }
            let part = frame.part;
            path.pop();
            let mut sides = [Vec::new(), Vec::new()];
            for (side, seat) in sides.iter_mut().zip(Seat::BOTH) {
                for option in interner.options_of(part, seat, meter)?.iter() {
                    side.push(self.of_all(option, interner, meter)?);
                }
            }
            let [left, right] = sides;
            let form = self.forms.of_options(left, right, meter)?;
            self.of_part.insert(part, form);
        }
        self.of_part.get(&part).copied().ok_or(Stopped)
    }

    fn known(
        &mut self,
        part: u32,
        interner: &PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<Option<CanonicalForm>, Stopped> {
        if let Some(form) = self.of_part.get(&part) {
            return Ok(Some(*form));
        }
        let component = interner.component(part).clone();
        let form = component.forms(&mut self.forms, meter)?;
        let form = form.first().copied().flatten();
        if let Some(form) = form {
            meter.hold(16)?;
            self.of_part.insert(part, form);
        }
        Ok(form)
    }

    /// The value of parts side by side: numbers and nimbers first, whatever their size, then the others.
    pub(crate) fn of_all(
        &mut self,
        parts: &[u32],
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<CanonicalForm, Stopped> {
        let (mut number, mut nimber) = (Dyadic::default(), 0);
        let mut hot = None;
        for part in parts {
            let form = self.of(*part, interner, meter)?;
            if let Some((own, xor)) = self.forms.as_plain(form) {
                meter.work(number.words())?;
                if !own.is_zero() {
                    number = &number + own;
                }
                nimber ^= xor;
            } else {
                hot = Some(match hot {
                    None => form,
                    Some(sum) => self.forms.add(sum, form, meter)?,
                });
            }
        }
        let plain = self.forms.plain(number, nimber, meter)?;
        match hot {
            None => Ok(plain),
            Some(hot) => self.forms.add(hot, plain, meter),
        }
    }

    /// Whether the player who moves second does not lose. If Left moves first, the value is then at most 0, otherwise at least 0.
    pub(super) fn is_lost_for(
        &mut self,
        to_move: Seat,
        form: CanonicalForm,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        let zero = self.forms.zero(meter)?;
        match to_move {
            Seat::First => self.forms.at_most(form, zero, meter),
            Seat::Second => self.forms.at_most(zero, form, meter),
        }
    }
}

impl Frame {
    fn new(part: u32, interner: &mut PartInterner, meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        let mut needed = Vec::new();
        for seat in Seat::BOTH {
            for option in interner.options_of(part, seat, meter)?.iter() {
                needed.extend_from_slice(option);
            }
        }
        needed.sort_unstable();
        needed.dedup();
        Ok(Self {
            part,
            needed,
            next: 0,
        })
    }
}

/// Who wins, and with which moves, by the values of all parts.
pub(super) fn by_values(
    joint: &mut Joint<'_>,
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<Judged, Stopped> {
    let mut values = Values::default();
    let parts = joint.parts(meter)?;
    let total = values.of_all(&parts, &mut joint.interner, meter)?;
    let lost =
        |seat, values: &mut Values, meter: &mut Meter<'_>| values.is_lost_for(seat, total, meter);
    let outcome = match (
        lost(Seat::First, &mut values, meter)?,
        lost(Seat::Second, &mut values, meter)?,
    ) {
        (true, true) => OutcomeClass::P,
        (false, true) => OutcomeClass::L,
        (true, false) => OutcomeClass::R,
        (false, false) => OutcomeClass::N,
    };
    let number = values.forms.as_number(total).map(Dyadic::to_string);
    let next = joint.to_move.other();
    let winning = match values.is_lost_for(joint.to_move, total, meter)? {
        true => Ok(MoveList::default()),
        false => joint.moves_where(want, meter, |joint, after, meter| {
            let form = values.of_all(after, &mut joint.interner, meter)?;
            values.is_lost_for(next, form, meter)
        }),
    };
    let method = match number {
        Some(_) => "sum of numbers",
        None => FORMS,
    };
    Ok(Judged {
        outcome,
        value: number,
        winning: winning.ok(),
        best: None,
        plies: None,
        is_large: false,
        method: method.to_owned(),
    })
}
