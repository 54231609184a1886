//! A finer look at the same heaps, for when sums of one class do not stay alike beside a new heap: the transition algebra of
//! Plambeck and Siegel (2008), which tells sums apart by the classes of their options as well.

use rustc_hash::FxHashMap;

use super::base::{Base, options_of};
use super::bits::Bits;
use super::family::Family;
use super::heap::Heap;
use super::monoid::{MAX_REFINED, ONE, Quotient};
use crate::theory::{Meter, Stopped};

/// The sums that differ in their class or in the classes of their options, and how heaps lead from one to another.
struct Transitions<'b> {
    /// The heaps that differ.
    kinds: Vec<&'b Heap>,
    /// By number; the empty sum is number [`ONE`].
    sums: Vec<Heap>,
    /// Of which sum, and by which kind of heap, each came up first.
    made: Vec<(usize, usize)>,
    /// What each becomes with each kind of heap.
    steps: Vec<Vec<u16>>,
}

impl<'b> Transitions<'b> {
    /// `None` where there are more than [`MAX_REFINED`].
    fn of(base: &'b Base, meter: &mut Meter<'_>) -> Result<Option<Self>, Stopped> {
        let quotient = &base.quotient;
        let mut kinds: Vec<&Heap> = Vec::new();
        for heap in &base.heaps {
            if !kinds.iter().any(|kind| kind.is_like(heap)) {
                kinds.push(heap);
            }
        }
        let empty = Heap {
            class: ONE,
            weight: 0,
            options: Bits::new(quotient.order),
        };
        let mut numbers = FxHashMap::default();
        numbers.insert((empty.class, empty.options.clone()), ONE);
        let mut sums = vec![empty];
        let mut made = vec![(0, 0)];
        let mut steps: Vec<Vec<u16>> = Vec::new();
        while let Some(sum) = sums.get(steps.len()).cloned() {
            let mut step = Vec::with_capacity(kinds.len());
            for (kind, heap) in kinds.iter().enumerate() {
                meter.work(1 + (sum.options.len() + heap.options.len()) as u64 / 16)?;
                let with = sum.beside(heap, quotient);
                let next = sums.len() as u16;
                let key = (with.class, with.options.clone());
                let number = *numbers.entry(key).or_insert(next);
                if number == next {
                    meter.hold(quotient.order as u64 / 4 + 100)?;
                    if sums.len() == MAX_REFINED {
                        return Ok(None);
                    }
                    made.push((steps.len(), kind));
                    sums.push(with);
                }
                step.push(number);
            }
            steps.push(step);
        }
        Ok(Some(Self {
            kinds,
            sums,
            made,
            steps,
        }))
    }

    /// The monoid of these sums; `coarse` tells which of them are lost.
    fn monoid(&self, coarse: &Quotient, meter: &mut Meter<'_>) -> Result<Quotient, Stopped> {
        let order = self.sums.len();
        meter.hold((order * order * 2) as u64)?;
        let mut products = vec![ONE; order * order];
        for a in 0..order {
            meter.work(1 + order as u64 / 16)?;
            products[a * order] = a as u16;
            for b in 1..order {
                let (before, kind) = self.made[b];
                let without = products[a * order + before];
                products[a * order + b] = self.steps[usize::from(without)][kind];
            }
        }
        let mut lost = Bits::new(order);
        for (number, sum) in (0..).zip(&self.sums) {
            if coarse.is_lost(sum.class) {
                lost.insert(number);
            }
        }
        Ok(Quotient {
            order,
            products,
            lost,
        })
    }

    /// Which sum this heap is, alone.
    fn class_of(&self, heap: &Heap) -> u16 {
        let kind = self.kinds.iter().position(|kind| kind.is_like(heap));
        self.steps[0][kind.expect("the kinds were collected from these heaps")]
    }
}

impl Base {
    /// The same heaps in the monoid of their transitions; `None` where that is too large.
    pub(super) fn refined(
        &self,
        family: &impl Family,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let Some(transitions) = Transitions::of(self, meter)? else {
            return Ok(None);
        };
        let quotient = transitions.monoid(&self.quotient, meter)?;
        let heaps = self.heaps.iter().map(|heap| Heap {
            class: transitions.class_of(heap),
            weight: heap.weight,
            options: Bits::new(quotient.order),
        });
        let mut heaps: Vec<Heap> = heaps.collect();
        // The options of a heap follow from the classes of the smaller ones.
        for heap in 0..heaps.len() {
            heaps[heap].options = options_of(&quotient, &heaps, heap, family, meter)?;
        }
        Ok(Some(Self::new(quotient, heaps)))
    }
}
