//! Values of positions in which the players have different moves: canonical forms, each held once
//! (J. H. Conway, *On Numbers and Games*, 1976; Berlekamp, Conway, Guy, *Winning Ways*, 1982; D. Grossman, A. N. Siegel 2009).
//!
//! Numbers and nimbers are held as such, whatever their size; beside a number nobody needs to move in it (number avoidance),
//! and a number added to anything else is added to its options (number translation).

mod stops;
mod text;

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::theory::{Dyadic, Meter, Stopped};

/// How deep comparisons and sums may go before they are given up: it bounds the stack.
const DEEPEST: u32 = 600;
/// Largest nimber whose options are gone through.
const MOST_STARS: u64 = 1 << 12;

/// A value: one of those of a [`CanonicalForms`]. Equal values of the same are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CanonicalForm(u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    /// A number and a nimber.
    Plain(Dyadic, u64),
    /// Anything else: what Left may make of it, and what Right may, sorted.
    Hot(Box<[CanonicalForm]>, Box<[CanonicalForm]>),
}

/// Whose edge it is that something stands on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stem {
    /// Left's: the game 1.
    Blue,
    /// Right's: the game -1.
    Red,
    /// Both players': the game *.
    Green,
}

/// All values met so far, and what became known of them.
#[derive(Debug, Default)]
pub struct CanonicalForms {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, CanonicalForm>,
    compared: FxHashMap<(CanonicalForm, CanonicalForm), bool>,
    sums: FxHashMap<(CanonicalForm, CanonicalForm), CanonicalForm>,
    stems: FxHashMap<(Stem, CanonicalForm), CanonicalForm>,
    depth: u32,
}

/// A position by its options, not yet in canonical form.
struct Raw {
    left: Vec<CanonicalForm>,
    right: Vec<CanonicalForm>,
    /// Whether a form is at most (`true`) or at least this position.
    compared: FxHashMap<(CanonicalForm, bool), bool>,
}

impl CanonicalForms {
    /// A number and a nimber together.
    pub fn plain(
        &mut self,
        number: Dyadic,
        nimber: u64,
        meter: &mut Meter<'_>,
    ) -> Result<CanonicalForm, Stopped> {
        meter.work(number.words())?;
        self.intern(Node::Plain(number, nimber), meter)
    }

    /// Nothing: whoever is to move loses.
    pub fn zero(&mut self, meter: &mut Meter<'_>) -> Result<CanonicalForm, Stopped> {
        self.plain(Dyadic::default(), 0, meter)
    }

    /// The number and the nimber that it is the sum of, if it is.
    #[must_use]
    pub fn as_plain(&self, form: CanonicalForm) -> Option<(&Dyadic, u64)> {
        match self.node(form) {
            Node::Plain(number, nimber) => Some((number, *nimber)),
            Node::Hot(..) => None,
        }
    }

    /// The number that it is, if it is one.
    #[must_use]
    pub fn as_number(&self, form: CanonicalForm) -> Option<&Dyadic> {
        let (number, nimber) = self.as_plain(form)?;
        (nimber == 0).then_some(number)
    }

    fn node(&self, form: CanonicalForm) -> &Node {
        &self.nodes[form.0 as usize]
    }

    fn intern(&mut self, node: Node, meter: &mut Meter<'_>) -> Result<CanonicalForm, Stopped> {
        if let Some(form) = self.numbers.get(&node) {
            return Ok(*form);
        }
        let bytes = match &node {
            Node::Plain(number, _) => number.words() * 8,
            Node::Hot(left, right) => (left.len() + right.len()) as u64 * 4,
        };
        meter.hold(2 * bytes + 160)?;
        let form = CanonicalForm(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.numbers.insert(node, form);
        Ok(form)
    }

    /// What the players may make of it: Left, Right.
    pub(crate) fn options(
        &mut self,
        form: CanonicalForm,
        meter: &mut Meter<'_>,
    ) -> Result<[Vec<CanonicalForm>; 2], Stopped> {
        let (number, nimber) = match self.node(form) {
            Node::Hot(left, right) => return Ok([left.to_vec(), right.to_vec()]),
            Node::Plain(number, nimber) => (number.clone(), *nimber),
        };
        if nimber > MOST_STARS {
            return Err(Stopped);
        }
        if nimber > 0 {
            let mut stars = Vec::new();
            for smaller in 0..nimber {
                stars.push(self.plain(number.clone(), smaller, meter)?);
            }
            return Ok([stars.clone(), stars]);
        }
        let [left, right] = number.options();
        let mut of = |option: Option<Dyadic>| match option {
            None => Ok(Vec::new()),
            Some(number) => Ok(vec![self.plain(number, 0, meter)?]),
        };
        Ok([of(left)?, of(right)?])
    }

    /// Counts one step down, and gives up where it is too deep.
    fn deeper<T>(
        &mut self,
        meter: &mut Meter<'_>,
        step: impl FnOnce(&mut Self, &mut Meter<'_>) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        meter.work(1)?;
        if self.depth == DEEPEST {
            return Err(Stopped);
        }
        self.depth += 1;
        let result = step(self, meter);
        self.depth -= 1;
        result
    }

    /// Whether `a` is at most `b`: whether Right, moving second, does not lose `a` - `b`.
    pub fn at_most(
        &mut self,
        a: CanonicalForm,
        b: CanonicalForm,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        if a == b {
            return Ok(true);
        }
        if let (Node::Plain(x, i), Node::Plain(y, j)) = (self.node(a), self.node(b)) {
            meter.work(x.words().max(y.words()))?;
            return Ok(match x.cmp(y) {
                Ordering::Less => true,
                Ordering::Equal => i == j,
                Ordering::Greater => false,
            });
        }
        if let Some(known) = self.compared.get(&(a, b)) {
            return Ok(*known);
        }
        let answer = self.deeper(meter, |forms, meter| forms.compare(a, b, meter))?;
        meter.hold(24)?;
        self.compared.insert((a, b), answer);
        Ok(answer)
    }

    /// Not both are plain, so a number among them is nothing to move in.
    fn compare(
        &mut self,
        a: CanonicalForm,
        b: CanonicalForm,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        if self.as_number(a).is_none() {
            let [left, _] = self.options(a, meter)?;
            for option in left {
                if self.at_most(b, option, meter)? {
                    return Ok(false);
                }
            }
        }
        if self.as_number(b).is_none() {
            let [_, right] = self.options(b, meter)?;
            for option in right {
                if self.at_most(option, a, meter)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The value of a position from those of its options.
    pub fn of_options(
        &mut self,
        left: Vec<CanonicalForm>,
        right: Vec<CanonicalForm>,
        meter: &mut Meter<'_>,
    ) -> Result<CanonicalForm, Stopped> {
        self.deeper(meter, |forms, meter| {
            let mut raw = Raw {
                left,
                right,
                compared: FxHashMap::default(),
            };
            loop {
                forms.drop_dominated(&mut raw, meter)?;
                if let Some(number) = forms.simplest(&raw) {
                    return forms.plain(number, 0, meter);
                }
                if !forms.bypass_reversible(&mut raw, meter)? {
                    break;
                }
            }
            let Raw {
                mut left,
                mut right,
                ..
            } = raw;
            left.sort_unstable();
            right.sort_unstable();
            match forms.stars(&left, &right) {
                Some((number, nimber)) => forms.plain(number, nimber, meter),
                None => forms.intern(Node::Hot(left.into(), right.into()), meter),
            }
        })
    }

    fn drop_dominated(&mut self, raw: &mut Raw, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        for (options, upward) in [(&mut raw.left, true), (&mut raw.right, false)] {
            let mut kept: Vec<CanonicalForm> = Vec::new();
            for option in options.drain(..) {
                let mut dominated = false;
                for other in &kept {
                    dominated |= match upward {
                        true => self.at_most(option, *other, meter)?,
                        false => self.at_most(*other, option, meter)?,
                    };
                }
                if dominated {
                    continue;
                }
                let mut rest = Vec::with_capacity(kept.len() + 1);
                for other in kept {
                    let worse = match upward {
                        true => self.at_most(other, option, meter)?,
                        false => self.at_most(option, other, meter)?,
                    };
                    if !worse {
                        rest.push(other);
                    }
                }
                rest.push(option);
                kept = rest;
            }
            *options = kept;
        }
        Ok(())
    }

    /// The number that it is, where all options are numbers, those of Left below those of Right.
    fn simplest(&self, raw: &Raw) -> Option<Dyadic> {
        let only = |options: &[CanonicalForm]| match options {
            [] => Some(None),
            [one] => self.as_number(*one).map(Some),
            _ => None,
        };
        Dyadic::simplest(only(&raw.left)?, only(&raw.right)?)
    }

    /// Replaces the options that the opponent may answer to his good by what he leaves then; whether there were any.
    fn bypass_reversible(&mut self, raw: &mut Raw, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        for (side, lefts) in [(0, true), (1, false)] {
            let options = if lefts { &raw.left } else { &raw.right };
            for (place, option) in options.clone().into_iter().enumerate() {
                let answers = self.options(option, meter)?[1 - side].clone();
                for answer in answers {
                    if !self.compare_raw(answer, raw, lefts, meter)? {
                        continue;
                    }
                    let through = self.options(answer, meter)?[side].clone();
                    let options = if lefts { &mut raw.left } else { &mut raw.right };
                    options.swap_remove(place);
                    options.extend(through);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a form is at most the position, or at least. Bypassing and dropping options does not change the position's
    /// value, so what was found stays right.
    fn compare_raw(
        &mut self,
        form: CanonicalForm,
        raw: &mut Raw,
        at_most: bool,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        if let Some(known) = raw.compared.get(&(form, at_most)) {
            return Ok(*known);
        }
        let answer = self.deeper(meter, |forms, meter| {
            let replies = if at_most { &raw.right } else { &raw.left };
            for reply in replies.clone() {
                let refutes = match at_most {
                    true => forms.at_most(reply, form, meter)?,
                    false => forms.at_most(form, reply, meter)?,
                };
                if refutes {
                    return Ok(false);
                }
            }
            let [left, right] = forms.options(form, meter)?;
            for option in if at_most { left } else { right } {
                if forms.compare_raw(option, raw, !at_most, meter)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        raw.compared.insert((form, at_most), answer);
        Ok(answer)
    }

    /// The number and the nimber, where these are the options of such a sum.
    fn stars(&self, left: &[CanonicalForm], right: &[CanonicalForm]) -> Option<(Dyadic, u64)> {
        if left != right {
            return None;
        }
        let (number, _) = self.as_plain(*left.first()?)?;
        let mut nimbers = Vec::with_capacity(left.len());
        for option in left {
            let (other, nimber) = self.as_plain(*option)?;
            if other != number {
                return None;
            }
            nimbers.push(nimber);
        }
        nimbers.sort_unstable();
        let count = nimbers.len() as u64;
        nimbers
            .into_iter()
            .eq(0..count)
            .then(|| (number.clone(), count))
    }

    /// The value of two positions side by side.
    pub fn add(
        &mut self,
        a: CanonicalForm,
        b: CanonicalForm,
        meter: &mut Meter<'_>,
    ) -> Result<CanonicalForm, Stopped> {
        if let (Node::Plain(x, i), Node::Plain(y, j)) = (self.node(a), self.node(b)) {
            let (sum, xor) = (x + y, i ^ j);
            return self.plain(sum, xor, meter);
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.sums.get(&key) {
            return Ok(*known);
        }
        let sum = self.deeper(meter, |forms, meter| forms.sum(a, b, meter))?;
        meter.hold(24)?;
        self.sums.insert(key, sum);
        Ok(sum)
    }

    /// Not both are plain.
    fn sum(
        &mut self,
        a: CanonicalForm,
        b: CanonicalForm,
        meter: &mut Meter<'_>,
    ) -> Result<CanonicalForm, Stopped> {
        let mut options = [Vec::new(), Vec::new()];
        for (moved, other) in [(a, b), (b, a)] {
            if self.as_number(moved).is_some() {
                continue;
            }
            let of_moved = self.options(moved, meter)?;
            for (all, own) in options.iter_mut().zip(of_moved) {
                for option in own {
                    all.push(self.add(option, other, meter)?);
                }
            }
        }
        let [left, right] = options;
        self.of_options(left, right, meter)
    }

    /// The value of an edge on the ground with this standing on it. It depends on the value only (the colon principle,
    /// *Winning Ways* 1982, chapter 7): cutting the edge leaves nothing, and a move above leaves the edge.
    pub fn on_edge(
        &mut self,
        stem: Stem,
        above: CanonicalForm,
        meter: &mut Meter<'_>,
    ) -> Result<CanonicalForm, Stopped> {
        match (self.node(above), stem) {
            (Node::Plain(number, 0), Stem::Blue | Stem::Red) => {
                let value = number.on_stalk(&[stem == Stem::Blue]);
                return self.plain(value, 0, meter);
            }
            (Node::Plain(number, nimber), Stem::Green) if number.is_zero() => {
                let next = nimber.checked_add(1).ok_or(Stopped)?;
                return self.plain(Dyadic::default(), next, meter);
            }
            _ => {}
        }
        if let Some(known) = self.stems.get(&(stem, above)) {
            return Ok(*known);
        }
        let value = self.deeper(meter, |forms, meter| {
            let zero = forms.zero(meter)?;
            let mut sides = [Vec::new(), Vec::new()];
            let cut = [stem != Stem::Red, stem != Stem::Blue];
            let options = forms.options(above, meter)?;
            for (side, (own, cut)) in sides.iter_mut().zip(options.into_iter().zip(cut)) {
                if cut {
                    side.push(zero);
                }
                for option in own {
                    side.push(forms.on_edge(stem, option, meter)?);
                }
            }
            let [left, right] = sides;
            forms.of_options(left, right, meter)
        })?;
        meter.hold(24)?;
        self.stems.insert((stem, above), value);
        Ok(value)
    }
}
