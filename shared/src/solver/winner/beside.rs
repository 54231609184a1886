//! The components beside the boards of a search: the value of those that are solved, or the parts of those without a board.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::erased::Component;
use crate::ids::Seat;
use crate::solver::graph::Successors;
use crate::solver::part_interner::{PartInterner, Parts, bytes_of};
use crate::solver::partizan::Values;
use crate::theory::{CanonicalForm, Meter, Stopped};

/// The components without boards, together; everything that they can become has a number.
pub(super) struct Beside {
    kind: Kind,
    interner: PartInterner,
    known: Vec<Known>,
    options: FxHashMap<(u32, Seat), Rc<[u32]>>,
}

enum Kind {
    /// In normal play, by value: equal values may replace each other.
    Values {
        values: Box<Values>,
        numbers: FxHashMap<CanonicalForm, u32>,
    },
    /// By their parts.
    Parts(FxHashMap<Parts, u32>),
}

/// What the components can become.
struct Known {
    content: Content,
    /// By how many moves Left is ahead: exactly rounded down for numbers up to [`FAR`], otherwise roughly.
    balance: i64,
    is_number: bool,
}

#[derive(Clone)]
enum Content {
    Value(CanonicalForm),
    Parts(Parts),
}

/// Balances are not counted beyond this.
const FAR: i64 = 1 << 16;

impl Beside {
    /// For components whose parts all have a value.
    pub(super) fn by_value() -> Self {
        Self::of(Kind::Values {
            values: Box::default(),
            numbers: FxHashMap::default(),
        })
    }

    /// For any components.
    pub(super) fn by_parts() -> Self {
        Self::of(Kind::Parts(FxHashMap::default()))
    }

    pub(super) fn is_by_value(&self) -> bool {
        matches!(self.kind, Kind::Values { .. })
    }

    fn of(kind: Kind) -> Self {
        Self {
            kind,
            interner: PartInterner::default(),
            known: Vec::new(),
            options: FxHashMap::default(),
        }
    }

    /// The number of these components together.
    pub(super) fn number(
        &mut self,
        components: &[Component],
        meter: &mut Meter<'_>,
    ) -> Result<u32, Stopped> {
        let parts = self.interner.parts_of(components, meter)?;
        let content = match &mut self.kind {
            Kind::Parts(_) => Content::Parts(parts),
            Kind::Values { values, .. } => {
                Content::Value(values.of_all(&parts, &mut self.interner, meter)?)
            }
        };
        self.numbered(content, meter)
    }

    /// The results of this seat's moves.
    pub(super) fn options(
        &mut self,
        beside: u32,
        seat: Seat,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[u32]>, Stopped> {
        if let Some(options) = self.options.get(&(beside, seat)) {
            return Ok(Rc::clone(options));
        }
        let mut contents = Vec::new();
        match (&self.known[beside as usize].content, &mut self.kind) {
            (Content::Value(form), Kind::Values { values, .. }) => {
                let [left, right] = values.forms.options(*form, meter)?;
                let forms = match seat {
                    Seat::First => left,
                    Seat::Second => right,
                };
                contents.extend(forms.into_iter().map(Content::Value));
            }
            (Content::Parts(parts), _) => {
                self.interner.visit(parts, seat, meter, &mut |after, _| {
                    contents.push(Content::Parts(after));
                    Ok(())
                })?;
            }
            (Content::Value(_), Kind::Parts(_)) => {}
        }
        meter.hold(40 + contents.len() as u64 * 4)?;
        let options = contents.into_iter();
        let options = options.map(|content| self.numbered(content, meter));
        let options: Rc<[u32]> = options.collect::<Result<_, Stopped>>()?;
        self.options.insert((beside, seat), Rc::clone(&options));
        Ok(options)
    }

    fn numbered(&mut self, content: Content, meter: &mut Meter<'_>) -> Result<u32, Stopped> {
        let new = self.known.len() as u32;
        let known = match (&content, &mut self.kind) {
            (Content::Value(form), Kind::Values { values, numbers }) => {
                if let Some(number) = numbers.get(form) {
                    return Ok(*number);
                }
                numbers.insert(*form, new);
                let plain = values.forms.as_plain(*form);
                Known {
                    balance: plain.map_or(0, |(number, _)| number.floor_within(FAR)),
                    is_number: plain.is_some_and(|(_, nimber)| nimber == 0),
                    content,
                }
            }
            (Content::Parts(parts), Kind::Parts(numbers)) => {
                if let Some(number) = numbers.get(parts) {
                    return Ok(*number);
                }
                meter.hold(2 * bytes_of(parts))?;
                numbers.insert(parts.clone(), new);
                Known {
                    balance: balance(parts, &self.interner),
                    is_number: false,
                    content,
                }
            }
            // Contents have the same kind as their container.
            _ => return Err(Stopped),
        };
        meter.hold(96)?;
        self.known.push(known);
        Ok(new)
    }

    /// By how many moves Left is ahead, roughly.
    pub(super) fn balance(&self, beside: u32) -> i64 {
        self.known[beside as usize].balance
    }

    /// The player who wins whatever lies on boards on which neither player has more than so many moves: if the value is a number beyond these.
    /// The player with fewer moves there than the other one has in the number runs out of moves first.
    pub(super) fn winner(&self, beside: u32, most_moves: u32) -> Option<Seat> {
        let known = &self.known[beside as usize];
        let most = i64::from(most_moves);
        match known.balance {
            _ if !known.is_number => None,
            ahead if ahead > most => Some(Seat::First),
            ahead if ahead < -most => Some(Seat::Second),
            _ => None,
        }
    }

    /// Whether the player to move wins with nothing else on the board, if the value says so.
    pub(super) fn is_won(
        &mut self,
        beside: u32,
        to_move: Seat,
        meter: &mut Meter<'_>,
    ) -> Result<Option<bool>, Stopped> {
        match (&self.known[beside as usize].content, &mut self.kind) {
            (Content::Value(form), Kind::Values { values, .. }) => {
                let lost = values.is_lost_for(to_move, *form, meter)?;
                Ok(Some(!lost))
            }
            _ => Ok(None),
        }
    }
}

/// How many moves Left has more than Right.
fn balance(parts: &[u32], interner: &PartInterner) -> i64 {
    let count = |part: &u32, seat| {
        let count = interner.component(*part).move_count(seat);
        i64::try_from(count).unwrap_or(FAR).min(FAR)
    };
    let ahead = parts
        .iter()
        .map(|part| count(part, Seat::First) - count(part, Seat::Second));
    ahead.sum()
}
