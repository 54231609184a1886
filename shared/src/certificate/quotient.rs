//! Proofs by a misère quotient: a finite monoid in which the product of the classes of all heaps says who loses.
//!
//! The conditions are those that [`theory::quotient`](crate::theory::quotient) proves sufficient. They are checked here from what the certificate says alone.

use std::collections::BTreeMap;

use crate::certificate::MisereQuotient;
use crate::certificate::refusal::{Checked, unproved};
use crate::certificate::table::{Code, check_period};
use crate::erased::Component;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::theory::Meter;
use crate::theory::compound::Compound;
use crate::theory::period::Period;

/// The class of the empty sum.
const ONE: usize = 0;

/// A set of classes: whether each is in it.
type Set = Vec<bool>;

/// A quotient that was checked.
struct Checker<'c> {
    claim: &'c MisereQuotient,
    code: Code,
    /// Row by row.
    products: Vec<usize>,
    lost: Set,
}

impl MisereQuotient {
    /// Whether the player to move loses; the winning move, if there is one, must lead to a lost position.
    pub(super) fn is_lost(
        &self,
        position: &Position,
        winning: Option<&Move>,
        meter: &mut Meter<'_>,
    ) -> Checked<bool> {
        const PLACE: &str = "proof.quotient";
        if position.compound() != Compound::Sum || !position.end_rule().is_misere() {
            return unproved(PLACE, "it proves something only of sums in misere play");
        }
        let checker = Checker::new(self, meter)?;
        checker.check_heaps(meter)?;
        let lost = checker.lost[checker.class_of(position, meter)?];
        if let Some(mv) = winning
            && !checker.lost[checker.class_of(&position.play(mv), meter)?]
        {
            return unproved("winning_move", "it leads to a position that is not lost");
        }
        Ok(lost)
    }
}

impl<'c> Checker<'c> {
    /// Reads the table of products, and checks that it is one of a commutative monoid.
    fn new(claim: &'c MisereQuotient, meter: &mut Meter<'_>) -> Checked<Self> {
        const PRODUCTS: &str = "proof.quotient.products";
        let order = claim.products.len();
        let mut products = vec![ONE; order * order];
        for (a, row) in claim.products.iter().enumerate() {
            let right = row.len() == a + 1 && row.iter().all(|class| usize::from(*class) < order);
            if !right || usize::from(row[0]) != a {
                let message = "it must have the products of this class with those up to itself";
                return unproved(format!("{PRODUCTS}[{a}]"), message);
            }
            meter.hold(order as u64 * 8)?;
            for (b, class) in row.iter().enumerate() {
                products[a * order + b] = usize::from(*class);
                products[b * order + a] = usize::from(*class);
            }
        }
        let mut lost = vec![false; order];
        for (index, class) in claim.lost.iter().enumerate() {
            match lost.get_mut(usize::from(*class)) {
                Some(lost) if *class > 0 => *lost = true,
                _ => {
                    let message = "it is no class, or that of the empty sum";
                    return unproved(format!("proof.quotient.lost[{index}]"), message);
                }
            }
        }
        let place = "proof.quotient";
        let checker = Self {
            claim,
            code: Code::read(&claim.game, place)?,
            products,
            lost,
        };
        if order == 0
            || claim
                .classes
                .iter()
                .any(|class| usize::from(*class) >= order)
        {
            return unproved(format!("{place}.classes"), "there is no such class");
        }
        for a in 0..order {
            meter.work((order * order) as u64 / 64)?;
            for b in 0..order {
                let ab = checker.product(a, b);
                for c in 0..order {
                    if checker.product(ab, c) != checker.product(a, checker.product(b, c)) {
                        let message = format!("{a}, {b} and {c} are not associative");
                        return unproved(PRODUCTS, message);
                    }
                }
            }
        }
        if let Some(period) = claim.period {
            let place = format!("{place}.period");
            check_period(&checker.code, &claim.classes, period, &place)?;
        }
        Ok(checker)
    }

    fn product(&self, a: usize, b: usize) -> usize {
        self.products[a * self.claim.products.len() + b]
    }

    /// The class of a heap that the list reaches.
    fn class(&self, heap: usize) -> usize {
        usize::from(self.claim.classes[heap])
    }

    /// The classes whose product with this one is in the set.
    fn shifted(&self, set: &Set, by: usize) -> Set {
        let classes = 0..self.claim.products.len();
        classes.map(|class| set[self.product(class, by)]).collect()
    }

    /// Checks each heap, then that every sum of heaps that is not lost has a move to a lost one.
    fn check_heaps(&self, meter: &mut Meter<'_>) -> Checked<()> {
        let order = self.claim.products.len();
        let mut kinds: Vec<(usize, Set)> = Vec::new();
        for heap in 0..self.claim.classes.len() {
            let place = || format!("proof.quotient.classes[{heap}]");
            let mut options = vec![false; order];
            self.code.each_option(heap, meter, |left| {
                let classes = left.iter().map(|part| self.class(*part));
                options[classes.fold(ONE, |product, class| self.product(product, class))] = true;
            })?;
            meter.work((order * order) as u64 / 64)?;
            let mut reach = vec![false; order];
            for option in (0..order).filter(|option| options[*option]) {
                for (reached, lost) in reach.iter_mut().zip(self.shifted(&self.lost, option)) {
                    *reached |= lost;
                }
            }
            if !options.contains(&true) {
                match self.class(heap) {
                    ONE => continue,
                    _ => return unproved(place(), "a heap without moves is of class 0"),
                }
            }
            let beside = self.shifted(&self.lost, self.class(heap));
            if let Some(class) = (0..order).find(|class| beside[*class] && reach[*class]) {
                let message =
                    format!("beside class {class} it is lost and has a move to a lost sum");
                return unproved(place(), message);
            }
            let kind = (self.class(heap), reach);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        self.check_sums(&kinds, meter)
    }

    /// Follows the smallest reaches of the sums of each class.
    fn check_sums(&self, kinds: &[(usize, Set)], meter: &mut Meter<'_>) -> Checked<()> {
        let order = self.claim.products.len() as u64;
        let mut smallest: BTreeMap<usize, Vec<Set>> = BTreeMap::new();
        let mut open = kinds.to_vec();
        while let Some((class, reach)) = open.pop() {
            let known = smallest.entry(class).or_default();
            meter.work(1 + known.len() as u64 * order / 64)?;
            if known.iter().any(|other| is_within(other, &reach)) {
                continue;
            }
            if !self.lost[class] && !reach[ONE] {
                let message =
                    format!("a sum of class {class} is not lost and has no move to a lost one");
                return unproved("proof.quotient", message);
            }
            known.retain(|other| !is_within(&reach, other));
            known.push(reach.clone());
            meter.hold(order + 32)?;
            for (heap, of_heap) in kinds {
                meter.work(1 + order / 16)?;
                let mut sum = self.shifted(&reach, *heap);
                for (reached, more) in sum.iter_mut().zip(self.shifted(of_heap, class)) {
                    *reached |= more;
                }
                open.push((self.product(class, *heap), sum));
            }
            meter.hold(kinds.len() as u64 * order)?;
        }
        Ok(())
    }

    /// The class of all heaps of a position.
    fn class_of(&self, position: &Position, meter: &mut Meter<'_>) -> Checked<usize> {
        let mut product = ONE;
        for (index, component) in position.sum.components().iter().enumerate() {
            if component.move_count(Seat::First) == 0 {
                continue;
            }
            let parts = component.parts();
            meter.work(parts.len() as u64)?;
            for part in parts {
                match self.class_of_part(&part) {
                    Some(class) => product = self.product(product, class),
                    None => {
                        let message = format!("a heap of component {} is not in it", index + 1);
                        return unproved("proof.quotient.classes", message);
                    }
                }
            }
        }
        Ok(product)
    }

    fn class_of_part(&self, part: &Component) -> Option<usize> {
        let text = part.to_string();
        let (game, heap) = text.split_once(':')?;
        if Code::of(game).as_ref() != Some(&self.code) {
            return None;
        }
        let heap: u64 = heap.parse().ok()?;
        let period = self.claim.period.map(|claim| Period {
            start: claim.start,
            length: claim.length,
        });
        let place = usize::try_from(period.map_or(heap, |period| period.fold(heap))).ok()?;
        (place < self.claim.classes.len()).then(|| self.class(place))
    }
}

/// Whether a set is part of another.
fn is_within(small: &Set, large: &Set) -> bool {
    small
        .iter()
        .zip(large)
        .all(|(small, large)| !small || *large)
}
