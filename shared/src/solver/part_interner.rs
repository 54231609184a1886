//! Positions as the solver sees them: multisets of independent parts, each part with a number.
//!
//! A disjunctive sum does not depend on the order of its parts, and a part without a move counts for nothing, in both
//! end rules and for remoteness as well: so a position is the sorted list of the numbers of its unfinished parts.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::erased::Component;
use crate::game::EndRule;
use crate::ids::Seat;
use crate::theory::{Goal, Meter, Stopped, Tally};

/// The unfinished parts of a position, sorted.
pub(crate) type Parts = Box<[u32]>;

/// What a part may become, each option once, sorted. They lie side by side in memory: a large part has very many.
#[derive(Clone, Debug)]
pub(crate) struct Options(Rc<Listed>);

#[derive(Debug, Default)]
pub(super) struct Listed {
    /// The numbers of all options, one after the other.
    numbers: Vec<u32>,
    /// Where each option ends.
    ends: Vec<u32>,
}

/// Replies that are asked for at once, before it is known how many there are.
const FEW: usize = 64;
/// Replies of one part above which its position is given up as too large.
const MANY: u128 = 120_000;

/// Bytes that one remembered list of parts takes, roughly.
pub(crate) fn bytes_of(parts: &[u32]) -> u64 {
    parts.len() as u64 * 4 + 48
}

impl Options {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.ends.len()
    }

    /// Option number `n`, from 0.
    pub(crate) fn get(&self, n: usize) -> Option<&[u32]> {
        (n < self.len()).then(|| self.0.nth(n))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|n| self.0.nth(n))
    }
}

impl Listed {
    fn nth(&self, n: usize) -> &[u32] {
        let start = n.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[start as usize..self.ends[n] as usize]
    }

    pub(super) fn push(&mut self, option: &[u32], meter: &mut Meter<'_>) -> Result<(), Stopped> {
        meter.hold(bytes_listed(option))?;
        self.numbers.extend_from_slice(option);
        self.ends
            .push(u32::try_from(self.numbers.len()).map_err(|_| Stopped)?);
        Ok(())
    }

    /// Sorted, each once. All of them are held; what the repeats took is given back.
    pub(super) fn distinct(self, meter: &mut Meter<'_>) -> Options {
        let mut order: Vec<usize> = (0..self.ends.len()).collect();
        order.sort_unstable_by_key(|n| self.nth(*n));
        let mut once = Self::default();
        let mut last = None;
        for n in order {
            let option = self.nth(n);
            if last.replace(option) == Some(option) {
                meter.release(bytes_listed(option));
                continue;
            }
            once.numbers.extend_from_slice(option);
            once.ends.push(once.numbers.len() as u32);
        }
        once.numbers.shrink_to_fit();
        once.ends.shrink_to_fit();
        Options(Rc::new(once))
    }
}

/// Bytes that an option takes in a list.
fn bytes_listed(option: &[u32]) -> u64 {
    4 + option.len() as u64 * 4
}

/// All parts met so far, numbered, with what became known of them.
#[derive(Debug, Default)]
pub(crate) struct PartInterner {
    numbers: FxHashMap<Component, u32>,
    known: Vec<KnownPart>,
    replies: FxHashMap<(u32, Goal), Options>,
}

#[derive(Debug)]
struct KnownPart {
    component: Component,
    /// Of each seat.
    options: [Option<Options>; 2],
    value: Value,
    /// What it counts with in misère sums, once its game was asked.
    tally: Option<Option<Tally>>,
}

/// What is known of a part's Grundy value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    /// Its game was not asked yet.
    Unasked,
    /// Its game has no method for it.
    Unknown,
    Known(u64),
}

impl PartInterner {
    /// The unfinished parts of these components.
    pub(crate) fn parts_of(
        &mut self,
        components: &[Component],
        meter: &mut Meter<'_>,
    ) -> Result<Parts, Stopped> {
        let mut numbers = Vec::new();
        for component in components {
            for part in component.parts() {
                if Seat::BOTH.iter().any(|seat| part.move_count(*seat) > 0) {
                    numbers.push(self.number(part, meter)?);
                }
            }
        }
        numbers.sort_unstable();
        Ok(numbers.into())
    }

    /// How many parts were met.
    pub(crate) fn met(&self) -> usize {
        self.known.len()
    }

    /// The part with this number.
    pub(crate) fn component(&self, part: u32) -> &Component {
        &self.known[part as usize].component
    }

    /// The number of a part.
    pub(crate) fn number(
        &mut self,
        part: Component,
        meter: &mut Meter<'_>,
    ) -> Result<u32, Stopped> {
        if let Some(number) = self.numbers.get(&part) {
            return Ok(*number);
        }
        meter.hold(200 + part.bytes())?;
        let number = self.known.len() as u32;
        self.numbers.insert(part.clone(), number);
        self.known.push(KnownPart {
            component: part,
            options: [None, None],
            value: Value::Unasked,
            tally: None,
        });
        Ok(number)
    }

    /// How many moves a part has.
    pub(crate) fn move_count(&self, part: u32) -> u128 {
        self.known[part as usize].component.move_count(Seat::First)
    }

    /// The Grundy value of a part as far as it is known: found before, or by its game's method.
    pub(crate) fn known_value(
        &mut self,
        part: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u64>, Stopped> {
        let known = &mut self.known[part as usize];
        if known.value == Value::Unasked {
            let values = known.component.values(meter)?;
            let value = values.first().copied().flatten();
            known.value = value.map_or(Value::Unknown, Value::Known);
        }
        match known.value {
            Value::Known(value) => Ok(Some(value)),
            _ => Ok(None),
        }
    }

    /// What a part counts with in misère sums, where its game knows a rule.
    pub(crate) fn misere_tally(
        &mut self,
        part: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Tally>, Stopped> {
        let known = &mut self.known[part as usize];
        if let Some(tally) = known.tally {
            return Ok(tally);
        }
        meter.work(copying(&known.component))?;
        let tallies = known.component.misere_tallies(meter)?;
        let tally = tallies
            .into_iter()
            .try_fold(Tally::default(), |all, part| Some(all.and(part?)));
        known.tally = Some(tally);
        Ok(tally)
    }

    /// What these parts count with in misère sums, where a rule is known for all.
    pub(crate) fn misere_tally_of(
        &mut self,
        parts: &[u32],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Tally>, Stopped> {
        let mut all = Tally::default();
        for part in parts {
            match self.misere_tally(*part, meter)? {
                Some(tally) => all = all.and(tally),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// Remembers the Grundy value of a part.
    pub(crate) fn learn_value(&mut self, part: u32, value: u64) {
        self.known[part as usize].value = Value::Known(value);
    }

    /// Whether the player to move loses with nothing but this part on the board, by a closed form.
    pub(crate) fn is_p_position(
        &self,
        part: u32,
        end: EndRule,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        let component = &self.known[part as usize].component;
        meter.work(copying(component))?;
        component.is_p_position(end, meter)?.ok_or(Stopped)
    }

    /// Everything that one move makes of an impartial part. Charges its moves before it lists them.
    pub(crate) fn options(&mut self, part: u32, meter: &mut Meter<'_>) -> Result<Options, Stopped> {
        self.options_of(part, Seat::First, meter)
    }

    /// Everything that one move of this seat makes of a part. Charges its moves before it lists them.
    pub(crate) fn options_of(
        &mut self,
        part: u32,
        seat: Seat,
        meter: &mut Meter<'_>,
    ) -> Result<Options, Stopped> {
        let known = &self.known[part as usize];
        if let Some(options) = &known.options[seat.index()] {
            return Ok(options.clone());
        }
        let component = known.component.clone();
        let count = component.move_count(seat);
        meter.work(u64::try_from(count).map_err(|_| Stopped)?)?;
        let mut options = Listed::default();
        for mv in component.moves(seat) {
            meter.work(copying(&component))?;
            let after = self.parts_of(&[component.play(&*mv)], meter)?;
            options.push(&after, meter)?;
        }
        let options = options.distinct(meter);
        self.known[part as usize].options[seat.index()] = Some(options.clone());
        Ok(options)
    }

    /// What the moves of a part that reach a goal make of it, by its game's method.
    pub(crate) fn replies(
        &mut self,
        part: u32,
        goal: Goal,
        meter: &mut Meter<'_>,
    ) -> Result<Options, Stopped> {
        if let Some(replies) = self.replies.get(&(part, goal)) {
            return Ok(replies.clone());
        }
        let component = self.known[part as usize].component.clone();
        let Some(mut found) = component.replies(0, goal, FEW, meter)? else {
            let options = self.options_of_value(part, goal, meter)?;
            self.replies.insert((part, goal), options.clone());
            return Ok(options);
        };
        if found.total > MANY {
            return Err(Stopped);
        }
        if found.total > FEW as u128 {
            let want = found.total as usize;
            found = component.replies(0, goal, want, meter)?.ok_or(Stopped)?;
        }
        let mut options = Listed::default();
        for mv in &found.first {
            meter.work(copying(&component))?;
            let after = self.parts_of(&[component.play(&**mv)], meter)?;
            options.push(&after, meter)?;
        }
        let options = options.distinct(meter);
        self.replies.insert((part, goal), options.clone());
        Ok(options)
    }
}

/// The work of playing one move in a component.
pub(crate) fn copying(component: &Component) -> u64 {
    1 + component.bytes() / 8
}

/// The parts after one of them, at this place, became `option`.
pub(crate) fn replace(parts: &[u32], place: usize, option: &[u32]) -> Parts {
    let mut after = Vec::with_capacity(parts.len() - 1 + option.len());
    after.extend_from_slice(&parts[..place]);
    after.extend_from_slice(&parts[place + 1..]);
    after.extend_from_slice(option);
    after.sort_unstable();
    after.into()
}

/// The places of the first part of each kind.
pub(crate) fn kinds(parts: &[u32]) -> impl Iterator<Item = usize> + '_ {
    (0..parts.len()).filter(|place| *place == 0 || parts[place - 1] != parts[*place])
}
