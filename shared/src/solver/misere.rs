//! Sums whose parts all have a class in one misère quotient.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::erased::Component;
use crate::ids::Seat;
use crate::solver::part_interner::PartInterner;
use crate::solver::reached_parts::ReachedParts;
use crate::theory::misere_heaps::{Classes, Table};
use crate::theory::quotient::{self, Builder, ONE};
use crate::theory::{Meter, Stopped};

/// A quotient with the classes of the parts of a position, and of parts met later.
#[derive(Debug)]
pub(crate) struct Quotient {
    source: Source,
    /// By component.
    classes: Vec<Vec<u16>>,
    of_parts: FxHashMap<u32, u16>,
}

/// What the classes are of.
#[derive(Debug)]
enum Source {
    /// The heaps of a take-and-break game.
    Heaps(Arc<Table>),
    /// All parts that can be reached.
    Parts(Box<Builder>),
}

impl Quotient {
    /// The quotient that these components have in common, if there is one.
    pub(crate) fn of<'c>(
        components: impl Iterator<Item = &'c Component> + Clone,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stopped> {
        // The first time the shared table grows until it has all; from then on all are of the same one.
        for component in components.clone() {
            if component.misere_classes(meter)?.is_none() {
                return Ok(None);
            }
        }
        let mut common: Option<Arc<Table>> = None;
        let mut all = Vec::new();
        for component in components {
            let Some(Classes { table, classes }) = component.misere_classes(meter)? else {
                return Ok(None);
            };
            if !Arc::ptr_eq(common.get_or_insert_with(|| Arc::clone(&table)), &table) {
                return Ok(None);
            }
            all.push(classes);
        }
        Ok(common.map(|table| Self {
            source: Source::Heaps(table),
            classes: all,
            of_parts: FxHashMap::default(),
        }))
    }

    /// The quotient of all parts that can be reached from these components; `None` if there are too many or no quotient of them is found.
    pub(crate) fn of_reached<'c>(
        components: impl Iterator<Item = &'c Component>,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let mut roots: Vec<Vec<Option<u32>>> = Vec::new();
        for component in components {
            let mut numbers = Vec::new();
            for part in component.parts() {
                let number = match part.move_count(Seat::First) {
                    0 => None,
                    _ => Some(interner.number(part, meter)?),
                };
                numbers.push(number);
            }
            roots.push(numbers);
        }
        let all = roots.iter().flatten().flatten().copied();
        let Some(reached) = ReachedParts::of(all, interner, meter)? else {
            return Ok(None);
        };
        let mut builder = Builder::new();
        for _ in 0..reached.family().len() {
            if !builder.add_listed(reached.family(), meter)? {
                return Ok(None);
            }
        }
        let classes: Vec<u16> = builder.classes().collect();
        let parts = reached.heaps();
        let of_parts: FxHashMap<u32, u16> = parts
            .map(|(part, heap)| (part, classes[heap as usize]))
            .collect();
        let class = |part: Option<u32>| part.map_or(ONE, |part| of_parts[&part]);
        let classes = roots.into_iter();
        Ok(Some(Self {
            classes: classes
                .map(|parts| parts.into_iter().map(class).collect())
                .collect(),
            source: Source::Parts(Box::new(builder)),
            of_parts,
        }))
    }

    /// The table that the classes are of, if they are those of heaps.
    pub(crate) fn table(&self) -> Option<&Table> {
        match &self.source {
            Source::Heaps(table) => Some(table),
            Source::Parts(_) => None,
        }
    }

    /// Whether the classes of heaps are those of another one.
    pub(crate) fn shares_classes_with(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::Heaps(own), Source::Heaps(others)) => Arc::ptr_eq(own, others),
            _ => false,
        }
    }

    /// The monoid of the classes.
    pub(crate) fn monoid(&self) -> &quotient::Quotient {
        match &self.source {
            Source::Heaps(table) => table.quotient(),
            Source::Parts(builder) => builder.quotient(),
        }
    }

    /// The classes of the parts, by component.
    pub(crate) fn classes(&self) -> &[Vec<u16>] {
        &self.classes
    }

    /// Whether the player to move loses the whole position.
    pub(crate) fn is_root_lost(&self) -> bool {
        let quotient = self.monoid();
        let classes = self.classes.iter().flatten();
        quotient.is_lost(classes.fold(ONE, |sum, class| quotient.product(sum, *class)))
    }

    /// For each part of each component the class of all other parts. A class has no inverse: it is the product of those before and
    /// those after.
    pub(crate) fn beside(&self) -> Vec<Vec<u16>> {
        let quotient = self.monoid();
        let mut beside: Vec<Vec<u16>> = self.classes.clone();
        let mut after = ONE;
        for (place, classes) in beside.iter_mut().zip(&self.classes).rev() {
            for (place, class) in place.iter_mut().zip(classes).rev() {
                *place = after;
                after = quotient.product(after, *class);
            }
        }
        let mut before = ONE;
        for (place, classes) in beside.iter_mut().zip(&self.classes) {
            for (place, class) in place.iter_mut().zip(classes) {
                *place = quotient.product(*place, before);
                before = quotient.product(before, *class);
            }
        }
        beside
    }

    /// For each component the class of all others.
    pub(crate) fn beside_components(&self) -> Vec<u16> {
        let quotient = self.monoid();
        let product = |classes: &[u16]| {
            let classes = classes.iter();
            classes.fold(ONE, |sum, class| quotient.product(sum, *class))
        };
        let own: Vec<u16> = self
            .classes
            .iter()
            .map(|classes| product(classes))
            .collect();
        let mut beside = vec![ONE; own.len()];
        let mut before = ONE;
        for (place, class) in beside.iter_mut().zip(&own) {
            *place = before;
            before = quotient.product(before, *class);
        }
        let mut after = ONE;
        for (place, class) in beside.iter_mut().zip(&own).rev() {
            *place = quotient.product(*place, after);
            after = quotient.product(*class, after);
        }
        beside
    }

    /// Whether the player to move loses these parts, which came from the position.
    pub(crate) fn is_lost(
        &mut self,
        parts: &[u32],
        interner: &PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        self.is_lost_beside(ONE, parts, interner, meter)
    }

    /// Whether the player to move loses these parts beside a sum of this class.
    pub(crate) fn is_lost_beside(
        &mut self,
        beside: u16,
        parts: &[u32],
        interner: &PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        meter.work(1 + parts.len() as u64 / 16)?;
        let mut sum = beside;
        for part in parts {
            let class = match self.of_parts.get(part) {
                Some(class) => *class,
                None => self.class_of(*part, interner, meter)?,
            };
            sum = self.monoid().product(sum, class);
        }
        Ok(self.monoid().is_lost(sum))
    }

    /// The class of a part. If the shared table has grown in the meantime, the class belongs to another table and is of no use.
    fn class_of(
        &mut self,
        part: u32,
        interner: &PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<u16, Stopped> {
        let found = interner.component(part).misere_classes(meter)?;
        let Classes { table, classes } = found.ok_or(Stopped)?;
        let Source::Heaps(own) = &self.source else {
            return Err(Stopped);
        };
        if !Arc::ptr_eq(&table, own) {
            return Err(Stopped);
        }
        let quotient = own.quotient();
        let class = classes
            .iter()
            .fold(ONE, |sum, class| quotient.product(sum, *class));
        self.of_parts.insert(part, class);
        Ok(class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::solver::search::Search;

    /// The quotient of all parts of a position, compared with a search of all pairs of parts and some triples.
    fn checked(text: &str) -> (usize, usize) {
        let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
        let meter = &mut meter;
        let position = Position::parse(text).expect(text);
        let mut interner = PartInterner::default();
        let components = position.sum.components().iter();
        let found = Quotient::of_reached(components, &mut interner, meter).expect("budget");
        let mut quotient = found.expect(text);
        let mut parts: Vec<u32> = quotient.of_parts.keys().copied().collect();
        parts.sort_unstable();
        let mut sums: Vec<Vec<u32>> = Vec::new();
        for (place, a) in parts.iter().enumerate() {
            sums.push(vec![*a]);
            for (more, b) in parts[place..].iter().enumerate() {
                sums.push(vec![*a, *b]);
                let third = parts.get((7 * place + 3 * more) % (11 * parts.len()));
                sums.extend(third.map(|c| vec![*a, *b, *c]));
            }
        }
        let mut search = Search::new(true);
        for mut sum in sums {
            sum.sort_unstable();
            let lost = search.is_lost(&sum, &mut interner, meter).expect("budget");
            let by_class = quotient.is_lost(&sum, &interner, meter).expect("budget");
            assert_eq!(by_class, lost, "{text} {sum:?}");
        }
        (quotient.monoid().order(), quotient.monoid().lost_order())
    }

    /// T. Plambeck, G. Whitehead, *The secrets of Notakto* (2013): 18 classes, of which four are lost.
    #[test]
    fn the_quotient_of_notakto_is_the_published_one() {
        assert_eq!(checked("notakto:.........@misere"), (18, 4));
    }

    #[test]
    fn quotients_of_reached_parts_decide_as_all_lines_of_play_do() {
        for text in [
            "cram:..../....@misere",
            "treblecross:........@misere",
            "flip.1.2:HHHHH@misere",
            "wythoff:3,4@misere",
        ] {
            let (order, lost) = checked(text);
            assert!(lost < order, "{text}");
        }
    }
}
