//! Heaps in a monoid, and how one more heap changes it.

use super::bits::Bits;
use super::family::{Family, OptionClasses};
use super::heap::Heap;
use super::monoid::{MAX_COPIES, ONE, Quotient};
use super::pairs::{Alike, Pairs};
use crate::theory::{Meter, Stopped};

/// The heaps so far in a monoid that tells, at least, apart what their quotient does.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) quotient: Quotient,
    pub(super) heaps: Vec<Heap>,
    /// The classes by the weight of their lightest sums. A move makes a sum lighter: a heap weighs more than all it may become.
    by_weight: Vec<u16>,
    /// The classes of the options of the lightest sum of each class.
    lightest: Vec<Bits>,
}

impl Base {
    /// Finds the lightest sum of every class (Dijkstra 1959, over multiplication by heaps).
    pub(super) fn new(quotient: Quotient, heaps: Vec<Heap>) -> Self {
        // Of each class the lightest heap, which comes first.
        let mut weighed: Vec<&Heap> = Vec::new();
        for heap in &heaps {
            if weighed.iter().all(|known| known.class != heap.class) {
                weighed.push(heap);
            }
        }
        let mut weights = vec![u64::MAX; quotient.order];
        weights[usize::from(ONE)] = 0;
        let mut lightest = vec![Bits::new(quotient.order); quotient.order];
        let mut by_weight = Vec::with_capacity(quotient.order);
        let mut open: Vec<u16> = quotient.classes().collect();
        let place = |class: u16| usize::from(class);
        while let Some(next) = (0..open.len()).min_by_key(|next| weights[place(open[*next])]) {
            let class = open.swap_remove(next);
            by_weight.push(class);
            for heap in &weighed {
                let sum = quotient.product(class, heap.class);
                let weight = weights[place(class)].saturating_add(heap.weight);
                if weights[place(sum)] <= weight {
                    continue;
                }
                weights[place(sum)] = weight;
                let mut options = Bits::new(quotient.order);
                for option in heap.options.iter() {
                    options.insert(quotient.product(class, option));
                }
                for option in lightest[place(class)].iter() {
                    options.insert(quotient.product(option, heap.class));
                }
                lightest[place(sum)] = options;
            }
        }
        Self {
            quotient,
            heaps,
            by_weight,
            lightest,
        }
    }

    /// The classes of the options of the next heap.
    pub(super) fn options(
        &self,
        family: &impl Family,
        meter: &mut Meter<'_>,
    ) -> Result<Bits, Stopped> {
        options_of(&self.quotient, &self.heaps, self.heaps.len(), family, meter)
    }

    /// Of 0, 1, 2 … copies of a new heap beside each class, which are lost: `columns[copies]` has the classes. The last column
    /// is the same as an earlier one, and as each column follows from the one before, so do all later ones.
    ///
    /// It takes for granted that sums of one class stay alike beside the new heap, and lets their lightest sum speak for them.
    pub(super) fn columns(
        &self,
        options: &Bits,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Bits>>, Stopped> {
        let mut columns = vec![self.quotient.lost.clone()];
        while columns.len() <= MAX_COPIES {
            let before = &columns[columns.len() - 1];
            let mut column = Bits::new(self.quotient.order);
            for class in &self.by_weight {
                meter.work(1 + options.len() as u64 / 16)?;
                let has_lost = options
                    .iter()
                    .any(|option| before.has(self.quotient.product(*class, option)));
                if !has_lost && !self.lightest[usize::from(*class)].meets(&column) {
                    column.insert(*class);
                }
            }
            let repeats = columns.contains(&column);
            columns.push(column);
            if repeats {
                return Ok(Some(columns));
            }
        }
        Ok(None)
    }

    /// The class that does the same as the new heap, in any number of copies.
    pub(super) fn known_class(&self, columns: &[Bits]) -> Option<u16> {
        let quotient = &self.quotient;
        quotient.classes().find(|class| {
            let mut power = ONE;
            columns[1..].iter().all(|column| {
                power = quotient.product(power, *class);
                quotient.lost_beside(power) == *column
            })
        })
    }

    /// The quotient of pairs (class, copies of the new heap), alike pairs taken together, with the new heap in it. `options` are
    /// those of the new heap.
    pub(super) fn enlarged(
        &self,
        options: Bits,
        weight: u64,
        columns: &[Bits],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let pairs = Pairs::new(&self.quotient, columns);
        let Some(Alike { class_of, firsts }) = pairs.alike(meter)? else {
            return Ok(None);
        };
        let order = firsts.len();
        meter.hold((order * order * 2) as u64)?;
        let mut lost = Bits::new(order);
        let mut products = Vec::with_capacity(order * order);
        for (class, a) in (0..).zip(&firsts) {
            meter.work(1 + order as u64 / 16)?;
            if pairs.is_lost(*a) {
                lost.insert(class);
            }
            products.extend(firsts.iter().map(|b| class_of[pairs.product(*a, *b)]));
        }
        let new = Heap {
            class: class_of[pairs.copy()],
            weight,
            options,
        };
        let renamed = |heap: &Heap, class: u16| {
            let mut options = Bits::new(order);
            let old = heap.options.iter();
            old.for_each(|option| options.insert(class_of[usize::from(option)]));
            Heap {
                class,
                weight: heap.weight,
                options,
            }
        };
        let heaps = self.heaps.iter();
        let heaps = heaps.map(|heap| renamed(heap, class_of[usize::from(heap.class)]));
        let heaps = heaps.chain([renamed(&new, new.class)]).collect();
        let quotient = Quotient {
            order,
            products,
            lost,
        };
        Ok(Some(Self::new(quotient, heaps)))
    }
}

/// The classes of the options of a heap, from those of all smaller `heaps`.
pub(super) fn options_of(
    quotient: &Quotient,
    heaps: &[Heap],
    heap: usize,
    family: &impl Family,
    meter: &mut Meter<'_>,
) -> Result<Bits, Stopped> {
    let mut found = OptionClasses::new(quotient, heaps);
    family.options(heap, &mut found, meter)?;
    Ok(found.into_bits())
}
