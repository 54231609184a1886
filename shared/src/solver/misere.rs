//! Sums whose parts all have a class in one misère quotient.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::erased::Component;
use crate::solver::part_interner::PartInterner;
use crate::theory::misere_heaps::{Classes, Table};
use crate::theory::quotient::ONE;
use crate::theory::{Meter, Stopped};

/// A quotient with the classes of the parts of a position, and of parts met later.
#[derive(Debug)]
pub(crate) struct Quotient {
    table: Arc<Table>,
    /// By component.
    classes: Vec<Vec<u16>>,
    of_parts: FxHashMap<u32, u16>,
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
            table,
            classes: all,
            of_parts: FxHashMap::default(),
        }))
    }

    /// The table that the classes are of.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// The classes of the parts, by component.
    pub(crate) fn classes(&self) -> &[Vec<u16>] {
        &self.classes
    }

    /// Whether the player to move loses the whole position.
    pub(crate) fn is_root_lost(&self) -> bool {
        let quotient = self.table.quotient();
        let classes = self.classes.iter().flatten();
        quotient.is_lost(classes.fold(ONE, |sum, class| quotient.product(sum, *class)))
    }

    /// For each part of each component the class of all other parts. A class has no inverse: it is the product of those before and
    /// those after.
    pub(crate) fn beside(&self) -> Vec<Vec<u16>> {
        let quotient = self.table.quotient();
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

    /// Whether the player to move loses these parts, which came from the position.
    pub(crate) fn is_lost(
        &mut self,
        parts: &[u32],
        interner: &PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        meter.work(1 + parts.len() as u64 / 16)?;
        let mut sum = ONE;
        for part in parts {
            let class = match self.of_parts.get(part) {
                Some(class) => *class,
                None => self.class_of(*part, interner, meter)?,
            };
            sum = self.table.quotient().product(sum, class);
        }
        Ok(self.table.quotient().is_lost(sum))
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
        if !Arc::ptr_eq(&table, &self.table) {
            return Err(Stopped);
        }
        let quotient = self.table.quotient();
        let class = classes
            .iter()
            .fold(ONE, |sum, class| quotient.product(sum, *class));
        self.of_parts.insert(part, class);
        Ok(class)
    }
}
