//! A quotient guessed from who loses small sums, for listed heaps where adding one after the other does not lead to it. As every guess it is to be verified.
//!
//! D. Angluin, *Learning regular sets from queries and counterexamples* (1987), for sums instead of words. *Experiments* are sums that are put beside others: a sum
//! has a row of answers, whether it is lost beside each of them. Sums with new rows become classes, until each class with one more heap has the row of a
//! class. Where a sum and the one that stands for its class get different rows once the same heap is beside both, that heap with the experiment that tells them apart is
//! the next experiment.

use rustc_hash::FxHashMap;

use super::base::{Base, options_of};
use super::bits::Bits;
use super::family::{Family, Listed};
use super::heap::Heap;
use super::monoid::{ONE, Quotient};
use super::outcomes::{Outcomes, Sum, joined};
use crate::theory::{Meter, Stopped};

/// Classes above which it is given up: each class is put beside two heaps and every experiment.
const MOST_CLASSES: usize = 256;

struct Learner<'f> {
    outcomes: Outcomes<'f>,
    heaps: u32,
    experiments: Vec<Sum>,
    /// One sum of each class.
    sums: Vec<Sum>,
    rows: FxHashMap<Vec<bool>, u16>,
}

impl Learner<'_> {
    fn row(&mut self, sum: &[u32], meter: &mut Meter<'_>) -> Result<Vec<bool>, Stopped> {
        let beside = self.experiments.iter();
        let outcomes = &mut self.outcomes;
        beside
            .map(|beside| outcomes.is_lost(&joined(sum, beside), meter))
            .collect()
    }

    /// What each class becomes with each heap; `None` if there are too many classes.
    fn steps(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<Vec<u16>>>, Stopped> {
        let empty = self.row(&[], meter)?;
        self.rows = FxHashMap::from_iter([(empty, ONE)]);
        self.sums = vec![Sum::new()];
        let mut steps: Vec<Vec<u16>> = Vec::new();
        while let Some(sum) = self.sums.get(steps.len()).cloned() {
            let mut step = Vec::with_capacity(self.heaps as usize);
            for heap in 0..self.heaps {
                let with = joined(&sum, &[heap]);
                let row = self.row(&with, meter)?;
                let next = self.sums.len() as u16;
                let class = *self.rows.entry(row).or_insert(next);
                if class == next {
                    if self.sums.len() == MOST_CLASSES {
                        return Ok(None);
                    }
                    self.sums.push(with);
                }
                step.push(class);
            }
            steps.push(step);
        }
        Ok(Some(steps))
    }

    /// An experiment that tells apart two sums that have the same row so far.
    fn missing(
        &mut self,
        steps: &[Vec<u16>],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Sum>, Stopped> {
        for (class, step) in steps.iter().enumerate() {
            for (first, with) in (0u32..).zip(step) {
                for second in 0..self.heaps {
                    let sum = joined(&self.sums[class], &[first, second]);
                    let alike = joined(&self.sums[usize::from(*with)], &[second]);
                    let rows = [self.row(&sum, meter)?, self.row(&alike, meter)?];
                    let mut places = 0..self.experiments.len();
                    if let Some(place) = places.find(|place| rows[0][*place] != rows[1][*place]) {
                        return Ok(Some(joined(&self.experiments[place], &[second])));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The heaps in the monoid of these classes.
    fn base(&mut self, steps: &[Vec<u16>], meter: &mut Meter<'_>) -> Result<Base, Stopped> {
        let order = self.sums.len();
        meter.hold((order * order * 2) as u64)?;
        let mut lost = Bits::new(order);
        let mut products = Vec::with_capacity(order * order);
        for class in 0..order as u16 {
            meter.work(1 + order as u64 / 16)?;
            if self
                .outcomes
                .is_lost(&self.sums[usize::from(class)], meter)?
            {
                lost.insert(class);
            }
            let with = |sum: &Sum| {
                let heaps = sum.iter();
                heaps.fold(class, |class, heap| {
                    steps[usize::from(class)][*heap as usize]
                })
            };
            products.extend(self.sums.iter().map(with));
        }
        let quotient = Quotient {
            order,
            products,
            lost,
        };
        let family = self.outcomes.family();
        let mut heaps: Vec<Heap> = Vec::new();
        for (heap, class) in steps[usize::from(ONE)].iter().enumerate() {
            let options = options_of(&quotient, &heaps, heap, family, meter)?;
            heaps.push(Heap {
                class: *class,
                weight: family.weight(heap),
                options,
            });
        }
        Ok(Base::new(quotient, heaps))
    }
}

/// The heaps of a base and the next one in a monoid that answers all experiments as play does; `None` if it is too large.
pub(super) fn learned(
    family: &Listed,
    known: &Base,
    meter: &mut Meter<'_>,
) -> Result<Option<Base>, Stopped> {
    let mut learner = Learner {
        outcomes: Outcomes::new(family, known),
        heaps: known.heaps.len() as u32 + 1,
        experiments: vec![Sum::new()],
        sums: Vec::new(),
        rows: FxHashMap::default(),
    };
    loop {
        let Some(steps) = learner.steps(meter)? else {
            return Ok(None);
        };
        match learner.missing(&steps, meter)? {
            Some(experiment) => learner.experiments.push(experiment),
            None => return learner.base(&steps, meter).map(Some),
        }
    }
}
