//! Misère quotients: finite monoids that decide sums of heaps in misère play (T. E. Plambeck, Taming the wild in impartial
//! combinatorial games, 2005; T. E. Plambeck, A. N. Siegel, Misère quotients for impartial games, 2008).
//!
//! Sums of heaps form a monoid. Two sums are alike when, whatever is put beside both, the same player wins; the
//! classes are the *quotient*. With the class of every heap, the product table and the set of lost classes, any sum is decided
//! by multiplication.
//!
//! A [`Builder`] takes heap after heap of a [`Family`], such as those of a take-and-break game, guesses the next quotient and *verifies* it. What is
//! verified is a proof for all sums, however many heaps they have, and does not depend on how the guess came about:
//!
//! * (1) no heap has, beside any class z, a lost option when itself is lost beside z;
//! * (2) every sum that is not lost, the empty one apart, has a lost option;
//! * (3) the empty sum is not lost, and a heap without options is in its class.
//!
//! By induction over the options the lost classes are then exactly the lost sums. (1) is a finite check. For (2) let the *reach* of a sum X
//! be the set of classes z for which some option of X is lost beside z. The class xy and the reach {z : zy in reach of X} ∪ {z : zx
//! in reach of Y} of X + Y follow from those of X and Y, so finitely many pairs of class and reach come up; and as both unions
//! only grow with the reaches, it suffices to follow the smallest reaches of each class.

mod base;
mod bits;
mod family;
mod heap;
mod learned;
mod monoid;
mod outcomes;
mod pairs;
mod refinement;
mod smallest;

use self::base::Base;
use self::bits::Bits;
pub use self::family::{Family, Listed, OptionClasses};
use self::heap::Heap;
pub use self::monoid::{MAX_ORDER, ONE, Quotient};
use self::smallest::Smallest;
use crate::theory::{Meter, Stopped};

/// The quotient of the heaps of one family, growing heap by heap.
#[derive(Clone, Debug)]
pub struct Builder {
    base: Base,
    /// For each class of a heap with options the smallest reaches of such heaps.
    kinds: Smallest,
    /// Whether a heap could not be added.
    stuck: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// Without heaps.
    #[must_use]
    pub fn new() -> Self {
        Self {
            base: Base::new(Quotient::trivial(), Vec::new()),
            kinds: Smallest::default(),
            stuck: false,
        }
    }

    /// The quotient of the heaps added, verified.
    #[must_use]
    pub fn quotient(&self) -> &Quotient {
        &self.base.quotient
    }

    /// The classes of the heaps added, from heap 0. When the quotient becomes larger, they get other numbers.
    pub fn classes(&self) -> impl Iterator<Item = u16> {
        self.base.heaps.iter().map(|heap| heap.class)
    }

    /// Bytes held, roughly.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let order = self.quotient().order;
        order * order * 2 + (self.base.heaps.len() + order) * (order / 8 + 48)
    }

    /// Adds the next larger heap. `Ok(false)` when no quotient is found or none that can be verified: then, and when it is
    /// stopped, nothing is changed.
    pub fn add(&mut self, family: &impl Family, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        self.stuck = self.stuck || !self.try_add(family, meter)?;
        Ok(!self.stuck)
    }

    /// Adds the next of some listed heaps. Where [`add`](Self::add) would not find a quotient, one is guessed from who loses small sums.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the budget is used up.
    pub fn add_listed(&mut self, family: &Listed, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        if self.stuck {
            return Ok(false);
        }
        if self.try_add(family, meter)? {
            return Ok(true);
        }
        let verified = match learned::learned(family, &self.base, meter)? {
            Some(base) => Self::verified(base, meter)?,
            None => None,
        };
        self.stuck = verified.is_none();
        if let Some(larger) = verified {
            *self = larger;
        }
        Ok(!self.stuck)
    }

    fn try_add(&mut self, family: &impl Family, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        let options = self.base.options(family, meter)?;
        let weight = family.weight(self.base.heaps.len());
        let heap = |class, options| Heap {
            class,
            weight,
            options,
        };
        if options.is_empty() {
            self.base.heaps.push(heap(ONE, options));
            return Ok(true);
        }
        let order = self.quotient().order as u64;
        meter.work(order * order / 64)?;
        if let Some(columns) = self.base.columns(&options, meter)?
            && let Some(class) = self.base.known_class(&columns)
        {
            let reach = self.quotient().reach(&options);
            let mut kinds = self.kinds.clone();
            let fits = !self.contradicts(class, &reach)
                && (!kinds.insert(class, reach) || self.wins(&kinds, meter)?);
            if fits {
                self.kinds = kinds;
                self.base.heaps.push(heap(class, options));
                return Ok(true);
            }
        }
        let larger = match self.enlarged(&self.base, family, meter)? {
            Some(larger) => Some(larger),
            None => match self.base.refined(family, meter)? {
                Some(finer) => self.enlarged(&finer, family, meter)?,
                None => None,
            },
        };
        let found = larger.is_some();
        if let Some(larger) = larger {
            *self = larger;
        }
        Ok(found)
    }

    /// With the next heap, by what this base tells apart.
    fn enlarged(
        &self,
        base: &Base,
        family: &impl Family,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let options = base.options(family, meter)?;
        let weight = family.weight(base.heaps.len());
        let Some(columns) = base.columns(&options, meter)? else {
            return Ok(None);
        };
        match base.enlarged(options, weight, &columns, meter)? {
            Some(larger) => Self::verified(larger, meter),
            None => Ok(None),
        }
    }

    /// With this base, where the three conditions hold.
    fn verified(base: Base, meter: &mut Meter<'_>) -> Result<Option<Self>, Stopped> {
        let mut builder = Self {
            base,
            kinds: Smallest::default(),
            stuck: false,
        };
        let quotient = builder.quotient();
        if quotient.is_lost(ONE) {
            return Ok(None);
        }
        let mut kinds = Smallest::default();
        for Heap { class, options, .. } in &builder.base.heaps {
            meter.work(1 + (options.len() * quotient.order) as u64 / 16)?;
            let reach = quotient.reach(options);
            match options.is_empty() {
                true if *class == ONE => {}
                false if !builder.contradicts(*class, &reach) => {
                    kinds.insert(*class, reach);
                }
                _ => return Ok(None),
            }
        }
        let wins = builder.wins(&kinds, meter)?;
        builder.kinds = kinds;
        Ok(wins.then_some(builder))
    }

    /// Whether a heap is against condition (1).
    fn contradicts(&self, class: u16, reach: &Bits) -> bool {
        self.quotient().lost_beside(class).meets(reach)
    }

    /// Condition (2) for sums of heaps of these kinds.
    fn wins(&self, kinds: &Smallest, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        let quotient = self.quotient();
        let kinds: Vec<(u16, Bits)> = kinds.iter().collect();
        let mut sums = Smallest::default();
        let mut open: Vec<(u16, Bits)> = Vec::new();
        for (class, reach) in &kinds {
            if sums.insert(*class, reach.clone()) {
                open.push((*class, reach.clone()));
            }
        }
        while let Some((class, reach)) = open.pop() {
            if !quotient.is_lost(class) && !reach.has(ONE) {
                return Ok(false);
            }
            // A smaller reach came up since.
            if !sums.has(class, &reach) {
                continue;
            }
            for (heap, of_heap) in &kinds {
                meter.work(2 + quotient.order as u64 / 16)?;
                let mut sum = quotient.shifted(&reach, *heap);
                sum.unite(&quotient.shifted(of_heap, class));
                let both = quotient.product(class, *heap);
                if sums.insert(both, sum.clone()) {
                    meter.hold(quotient.order as u64 / 8 + 48)?;
                    open.push((both, sum));
                }
            }
        }
        Ok(true)
    }
}
