//! The Grundy values of the single heaps of one game, as a sequence.

use std::fmt;

use crate::theory::period::Period;

/// The values of heaps 0, 1, 2 … as far as they are known.
pub struct HeapValues {
    value: Box<dyn Fn(u64) -> Option<u64>>,
    /// How many heaps from 0 on have a known value without the help of a period.
    pub computed: u64,
    /// The period, where it is proved: then every heap has a value.
    pub period: Option<Period>,
}

impl HeapValues {
    /// The sequence of this function; the first `computed` values are known, all of them where there is a period.
    #[must_use]
    pub fn new(
        computed: u64,
        period: Option<Period>,
        value: impl Fn(u64) -> Option<u64> + 'static,
    ) -> Self {
        Self {
            value: Box::new(value),
            computed,
            period,
        }
    }

    /// The value of a heap, where it is known.
    #[must_use]
    pub fn value(&self, heap: u64) -> Option<u64> {
        (self.value)(heap)
    }

    /// The largest value among those computed, or among all where there is a period; `None` where that are more than 2^26 values to
    /// look at.
    #[must_use]
    pub fn largest(&self) -> Option<u64> {
        const MOST: u64 = 1 << 26;
        let heaps = match self.period {
            Some(period) => period.start.saturating_add(period.length),
            None => self.computed,
        };
        let values = (0..heaps).filter_map(|heap| self.value(heap));
        (heaps <= MOST).then(|| values.max()).flatten()
    }
}

impl fmt::Debug for HeapValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeapValues")
            .field("computed", &self.computed)
            .field("period", &self.period)
            .finish_non_exhaustive()
    }
}
