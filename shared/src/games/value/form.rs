//! A game as its options: what Left may make of it, and what Right may. Two forms of equal value may differ.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ids::Seat;
use crate::theory::{CanonicalForm, CanonicalForms, Dyadic, Meter, Stopped, mex};

/// A game by its options.
///
/// A form whose options are those of a well-known value in canonical form has its name, so there is one text for each form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// A number and a nimber side by side: `3/4`, `*2`, `1/2*`.
    Plain(Dyadic, u32),
    /// So many ups, or downs where it is negative, and a nimber: `^2*`. Never 0 ups.
    Ups(i32, u32),
    /// Any other, of which at least one player has an option.
    Options(Arc<Options>),
}

/// A list without options, beside a bar: it keeps bars of different levels apart.
pub(super) const NOTHING: &str = "_";

/// The options of a form that has no name.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Options {
    /// Those of Left, ascending, then those of Right.
    sides: [Vec<Form>; 2],
    /// How many pairs of braces stand one within another.
    depth: u32,
    /// Whether the players have the same options here and in every position that can be reached.
    same: bool,
}

impl Form {
    fn nimber(nimber: u32) -> Self {
        Self::Plain(Dyadic::default(), nimber)
    }

    /// Ups and a nimber; 0 ups are allowed.
    pub(super) fn ups(ups: i32, nimber: u32) -> Self {
        match ups {
            0 => Self::nimber(nimber),
            _ => Self::Ups(ups, nimber),
        }
    }

    /// The form with these options of Left and of Right, in any order.
    pub(super) fn of(mut sides: [Vec<Self>; 2]) -> Self {
        for side in &mut sides {
            side.sort_unstable();
            side.dedup();
        }
        if let Some(named) = named(&sides) {
            return named;
        }
        let options = || sides.iter().flatten();
        let depth = options().map(Self::depth).max().unwrap_or(0) + 1;
        let same = sides[0] == sides[1] && options().all(Self::is_impartial);
        Self::Options(Arc::new(Options { sides, depth, same }))
    }

    /// What this player may move to, ascending. O(options).
    pub(super) fn options(&self, seat: Seat) -> Vec<Self> {
        let side = seat.index();
        match self {
            Self::Plain(number, 0) => {
                let option = number.options()[side].clone();
                option.into_iter().map(|x| Self::Plain(x, 0)).collect()
            }
            Self::Plain(number, nimber) => {
                let smaller = 0..*nimber;
                smaller.map(|n| Self::Plain(number.clone(), n)).collect()
            }
            // Up is {0|*}; *Winning Ways*, 1982, chapter 3, has the canonical forms of its multiples.
            Self::Ups(ups, nimber) => match ((*ups > 0) == (seat == Seat::First), ups, nimber) {
                (true, 1 | -1, 1) => vec![Self::nimber(0), Self::nimber(1)],
                (true, ..) => vec![Self::nimber(0)],
                (false, 1 | -1, 1) => vec![Self::nimber(0)],
                (false, ..) => vec![Self::ups(ups - ups.signum(), nimber ^ 1)],
            },
            Self::Options(options) => options.sides[side].clone(),
        }
    }

    /// How many options this player has. O(1).
    pub(super) fn option_count(&self, seat: Seat) -> usize {
        match self {
            Self::Plain(number, 0) => usize::from(number.options()[seat.index()].is_some()),
            Self::Plain(_, nimber) => *nimber as usize,
            Self::Ups(..) => self.options(seat).len(),
            Self::Options(options) => options.sides[seat.index()].len(),
        }
    }

    /// How many pairs of braces stand one within another.
    pub(super) fn depth(&self) -> u32 {
        match self {
            Self::Options(options) => options.depth,
            _ => 0,
        }
    }

    /// Whether both players have the same options here and wherever play may lead.
    pub(super) fn is_impartial(&self) -> bool {
        match self {
            Self::Plain(number, _) => number.is_zero(),
            Self::Ups(..) => false,
            Self::Options(options) => options.same,
        }
    }

    /// The forms without names in it, each after those within it, each once.
    pub(super) fn built(&self) -> Vec<&Self> {
        fn visit<'f>(form: &'f Form, met: &mut FxHashMap<&'f Form, ()>, all: &mut Vec<&'f Form>) {
            let Form::Options(options) = form else { return };
            if met.insert(form, ()).is_none() {
                for option in options.sides.iter().flatten() {
                    visit(option, met, all);
                }
                all.push(form);
            }
        }
        let mut all = Vec::new();
        visit(self, &mut FxHashMap::default(), &mut all);
        all
    }

    /// The Grundy value of an impartial form. O(size).
    pub(super) fn grundy(&self) -> u64 {
        match self {
            Self::Plain(_, nimber) => u64::from(*nimber),
            _ => {
                let options = self.options(Seat::First);
                mex(&options.iter().map(Self::grundy).collect::<Vec<_>>())
            }
        }
    }

    /// Its value in canonical form; the values of the forms in it are left in `known`. The depth of calls is that of the braces.
    pub(super) fn value(
        &self,
        known: &mut FxHashMap<Self, CanonicalForm>,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<CanonicalForm, Stopped> {
        if let Some(value) = known.get(self) {
            return Ok(*value);
        }
        let value = match self {
            Self::Plain(number, nimber) => {
                return forms.plain(number.clone(), u64::from(*nimber), meter);
            }
            Self::Ups(ups, nimber) => up_value(*ups, *nimber, forms, meter)?,
            Self::Options(_) => {
                let [left, right] = self.option_values(known, forms, meter)?;
                forms.of_options(left, right, meter)?
            }
        };
        meter.hold(96)?;
        known.insert(self.clone(), value);
        Ok(value)
    }

    /// The values of the options, Left's and Right's.
    pub(super) fn option_values(
        &self,
        known: &mut FxHashMap<Self, CanonicalForm>,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<[Vec<CanonicalForm>; 2], Stopped> {
        let mut side = |seat: Seat| -> Result<Vec<_>, Stopped> {
            let options = self.options(seat).into_iter();
            options
                .map(|option| option.value(known, forms, meter))
                .collect()
        };
        Ok([side(Seat::First)?, side(Seat::Second)?])
    }

    /// As people write it: `{0|1}`.
    pub(super) fn braced(&self) -> Braced<'_> {
        Braced(self)
    }
}

/// The name of the form with these options, sorted, if it has one.
fn named(sides: &[Vec<Form>; 2]) -> Option<Form> {
    let number = |side: &[Form]| match side {
        [] => Some(None),
        [Form::Plain(number, 0)] => Some(Some(number.clone())),
        _ => None,
    };
    let [left, right] = sides;
    let simplest = || Dyadic::simplest(number(left)?.as_ref(), number(right)?.as_ref());
    let starred = || match (left.first()?, left == right) {
        (Form::Plain(number, 0), true) => Some(Form::Plain(number.clone(), left.len() as u32)),
        _ => None,
    };
    // The opponent of the one who is ahead has one option, with one up less.
    let ahead = |far: &[Form], by: i32| match far {
        [Form::Plain(number, nimber)] if number.is_zero() => Some(Form::Ups(by, nimber ^ 1)),
        [Form::Ups(ups, nimber)] if ups.signum() == by => Some(Form::Ups(ups + by, nimber ^ 1)),
        _ => None,
    };
    let candidates = [
        simplest().map(|number| Form::Plain(number, 0)),
        starred(),
        ahead(right, 1),
        ahead(left, -1),
    ];
    let fits = |form: &Form| {
        let [own_left, own_right] = Seat::BOTH.map(|seat| form.options(seat));
        own_left == *left && own_right == *right
    };
    candidates.into_iter().flatten().find(fits)
}

/// The value of ups and a nimber, one up after the other.
fn up_value(
    ups: i32,
    nimber: u32,
    forms: &mut CanonicalForms,
    meter: &mut Meter<'_>,
) -> Result<CanonicalForm, Stopped> {
    let mut value = forms.zero(meter)?;
    for count in 1..=ups.unsigned_abs() {
        // Each further up changes the nimber's last bit; at the end it is this one.
        let own = Form::ups(
            count as i32 * ups.signum(),
            nimber ^ ((ups.unsigned_abs() - count) & 1),
        );
        let mut sides = [Vec::new(), Vec::new()];
        for (side, seat) in sides.iter_mut().zip(Seat::BOTH) {
            for option in own.options(seat) {
                side.push(match option {
                    Form::Plain(number, nimber) => forms.plain(number, u64::from(nimber), meter)?,
                    // All that is not plain is the value of the round before.
                    _ => value,
                });
            }
        }
        let [left, right] = sides;
        value = forms.of_options(left, right, meter)?;
    }
    Ok(value)
}

impl fmt::Display for Form {
    /// Without braces, as positions are printed: n colons are the bar of n levels, n commas separate options there.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Options(options) => {
                let level = options.depth as usize;
                for (side, bar) in options.sides.iter().zip([":", ""]) {
                    if side.is_empty() {
                        f.write_str(NOTHING)?;
                    }
                    for (index, option) in side.iter().enumerate() {
                        let comma = if index > 0 { "," } else { "" };
                        write!(f, "{}{option}", comma.repeat(level))?;
                    }
                    f.write_str(&bar.repeat(level))?;
                }
                Ok(())
            }
            _ => self.write_named(f, ["u", "d", "s"]),
        }
    }
}

/// A form as people write it.
pub(super) struct Braced<'f>(&'f Form);

impl fmt::Display for Braced<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Form::Options(options) = self.0 else {
            return self.0.write_named(f, ["^", "v", "*"]);
        };
        for (side, before) in options.sides.iter().zip(["{", "|"]) {
            f.write_str(before)?;
            for (index, option) in side.iter().enumerate() {
                let comma = if index > 0 { "," } else { "" };
                write!(f, "{comma}{}", option.braced())?;
            }
        }
        f.write_str("}")
    }
}

impl Form {
    /// The names of ups, downs and stars are given.
    fn write_named(&self, f: &mut fmt::Formatter<'_>, names: [&str; 3]) -> fmt::Result {
        let [up, down, star] = names;
        let mut counted = |name: &str, count: u32| match count {
            0 => Ok(()),
            1 => f.write_str(name),
            _ => write!(f, "{name}{count}"),
        };
        match self {
            Self::Plain(number, nimber) if number.is_zero() && *nimber > 0 => {
                counted(star, *nimber)
            }
            Self::Plain(number, nimber) => {
                counted(&number.to_string(), 1)?;
                counted(star, *nimber)
            }
            Self::Ups(ups, nimber) => {
                counted(if *ups > 0 { up } else { down }, ups.unsigned_abs())?;
                counted(star, *nimber)
            }
            Self::Options(_) => Ok(()),
        }
    }
}
