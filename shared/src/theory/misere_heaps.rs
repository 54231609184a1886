//! Misère play of take-and-break games by their quotients: the class of each heap, heap by heap, and of all heaps once their classes repeat.
//!
//! *Periods* (Plambeck and Siegel 2008): the Guy–Smith bound ([`period::find`]) holds for classes as it does for Grundy
//! values, as the class of a sum follows from those of its parts. A heap beyond the bound then has options of the same
//! classes as the heap one period before, and the verification of a quotient asks for nothing else: so it is verified for all heaps.

use std::sync::Arc;

use crate::theory::breaks::Numbers;
use crate::theory::cache::Cache;
use crate::theory::period::{self, Period};
use crate::theory::quotient::{Builder, Quotient};
use crate::theory::take_and_break::Rule;
use crate::theory::{Meter, Stopped};

/// Heaps whose classes are tabulated.
pub const MAX_TABLE: usize = 4_096;

/// Tables that were computed, by their rules.
static TABLES: Cache<Rule, Table> = Cache::new(1 << 25);

/// The classes of the heaps of one rule, as far as a quotient was found and verified.
#[derive(Clone, Debug)]
pub struct Table {
    rule: Rule,
    builder: Builder,
    classes: Vec<u16>,
    period: Option<Period>,
    /// Heaps among whose classes a period was looked for.
    searched: usize,
    /// Whether no larger quotient is found.
    complete: bool,
    /// Nodes that were spent in vain on the next heap.
    in_vain: u64,
}

impl Table {
    /// The class of a heap, if the table reaches so far.
    #[must_use]
    pub fn class(&self, heap: u64) -> Option<u16> {
        let place = self.period.map_or(heap, |period| period.fold(heap));
        self.classes.get(usize::try_from(place).ok()?).copied()
    }

    /// The quotient of the heaps in the table.
    #[must_use]
    pub fn quotient(&self) -> &Quotient {
        self.builder.quotient()
    }

    /// The proved period of the classes; the quotient is that of all heaps then.
    #[must_use]
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// How many heaps, from 0, have their class in the table.
    #[must_use]
    pub fn heaps(&self) -> usize {
        self.classes.len()
    }

    /// Whether the player to move loses a sum of this class with heaps whose classes, as numbers, are these.
    pub(crate) fn is_lost_with(&self, beside: u16, heaps: &[u64]) -> bool {
        let quotient = self.quotient();
        let sum = heaps
            .iter()
            .fold(beside, |sum, class| quotient.product(sum, *class as u16));
        quotient.is_lost(sum)
    }

    /// A table of its own, not shared, that reaches this heap, or as far as the budget and the quotients go.
    #[must_use]
    pub fn reaching(rule: &Rule, heap: u64, meter: &mut Meter<'_>) -> Self {
        let mut table = Self::new(rule);
        let _stopped = table.extend(heap, meter);
        table
    }

    fn new(rule: &Rule) -> Self {
        Self {
            rule: rule.clone(),
            builder: Builder::new(),
            classes: Vec::new(),
            period: None,
            searched: 0,
            complete: false,
            in_vain: 0,
        }
    }

    fn extend(&mut self, heap: u64, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let want = usize::try_from(heap).map_or(MAX_TABLE, |heap| heap.saturating_add(1));
        let want = want.min(MAX_TABLE);
        loop {
            let length = self.classes.len();
            if length > self.searched && length >= (self.searched / 4 * 5 + 16).min(want) {
                self.period = self.find_period(meter)?;
                self.searched = length;
            }
            if self.period.is_some() || length >= want || self.complete {
                return Ok(());
            }
            self.complete = !self.builder.add(&self.rule, meter)?;
            // All of them: another quotient may number them otherwise.
            meter.work(1 + length as u64 / 64)?;
            self.classes = self.builder.classes().collect();
        }
    }

    fn find_period(&self, meter: &mut Meter<'_>) -> Result<Option<Period>, Stopped> {
        match self.rule.parts_of_any_size() {
            None => Ok(None),
            Some(parts) => period::find(&self.classes, parts, self.rule.reach(), meter),
        }
    }

    fn bytes(&self) -> usize {
        self.builder.bytes() + self.classes.len() * 2
    }
}

/// The classes of some heaps, with the table that they are of. Those of another table are other numbers.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The table.
    pub table: Arc<Table>,
    /// The class of each heap.
    pub classes: Vec<u16>,
}

impl Classes {
    /// The classes of these heaps, `None` where the table does not reach one of them. The table is shared: asked again for heaps
    /// that are no larger, it is the same one.
    pub fn of_heaps(
        rule: &Rule,
        heaps: &[u64],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stopped> {
        meter.work(1 + heaps.len() as u64 / 16)?;
        let table = table(rule, heaps.iter().copied().max().unwrap_or(0), meter);
        let classes: Option<Vec<u16>> = heaps.iter().map(|heap| table.class(*heap)).collect();
        Ok(classes.map(|classes| Self { table, classes }))
    }
}

impl Numbers for Table {
    fn number(&self, heap: u64) -> Option<u64> {
        self.class(heap).map(u64::from)
    }

    fn period(&self) -> Option<Period> {
        self.period
    }
}

/// The table of a rule that reaches this heap, if the budget allows and a quotient is found; otherwise the table as far as it came.
/// What a budget did not suffice for is tried again with twice as much only.
pub fn table(rule: &Rule, heap: u64, meter: &mut Meter<'_>) -> Arc<Table> {
    let known = TABLES.find(|key| key == rule);
    if let Some(known) = &known
        && (known.class(heap).is_some()
            || known.complete
            || known.searched == MAX_TABLE
            || known.in_vain > meter.left() / 2)
    {
        return Arc::clone(known);
    }
    let mut table = known.map_or_else(|| Table::new(rule), |known| (*known).clone());
    let (heaps, left) = (table.heaps(), meter.left());
    let stopped = table.extend(heap, meter);
    table.in_vain = match stopped {
        Err(Stopped) if table.heaps() == heaps && !meter.is_told_to_stop() => left - meter.left(),
        _ => 0,
    };
    let table = Arc::new(table);
    TABLES.put(rule.clone(), Arc::clone(&table), table.bytes());
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::quotient::ONE;
    use rustc_hash::FxHashMap;

    /// The class of these heaps together, `None` where the table does not reach one of them.
    fn class_of_sum(table: &Table, heaps: &[u64]) -> Option<u16> {
        heaps.iter().try_fold(ONE, |class, heap| {
            Some(table.quotient().product(class, table.class(*heap)?))
        })
    }

    fn fresh(rule: &Rule, heap: u64) -> Table {
        Table::reaching(rule, heap, &mut Meter::new(1 << 40, 1 << 30, &|| false))
    }

    /// Whether the player to move loses these heaps in misère play, by all lines of play.
    fn is_lost(rule: &Rule, mut heaps: Vec<u64>, known: &mut FxHashMap<Vec<u64>, bool>) -> bool {
        heaps.retain(|heap| *heap > 0);
        heaps.sort_unstable();
        if let Some(lost) = known.get(&heaps) {
            return *lost;
        }
        let mut options = Vec::new();
        for (place, heap) in heaps.iter().enumerate() {
            if place > 0 && heaps[place - 1] == *heap {
                continue;
            }
            let mut others = heaps.clone();
            others.remove(place);
            for (taken, digit) in rule.digits() {
                let Some(rest) = heap.checked_sub(*taken) else {
                    continue;
                };
                if *taken > 0 && digit & if rest == 0 { 1 } else { 2 } != 0 {
                    options.push([&others[..], &[rest]].concat());
                }
                for a in 1..=rest / 2 {
                    let b = rest - a;
                    if digit & 4 != 0 && a <= rule.splits(rest) {
                        options.push([&others[..], &[a, b]].concat());
                    }
                    if digit & 8 != 0 {
                        options.extend((1..b).map(|c| [&others[..], &[a, c, b - c]].concat()));
                    }
                }
            }
        }
        let lost = !options.is_empty()
            && options
                .into_iter()
                .all(|option| !is_lost(rule, option, known));
        known.insert(heaps, lost);
        lost
    }

    #[test]
    fn quotients_decide_as_all_lines_of_play_do() {
        let codes = [
            (&[0u8, 7, 7][..], 9),
            (&[0, 0, 7], 11),
            (&[0, 1, 3, 7], 10),
            (&[0, 0, 0, 7], 13),
            (&[4, 7], 6),
            (&[4, 3], 7),
            (&[0, 2, 6], 9),
            (&[0, 6], 10),
            (&[0, 15], 6),
            (&[8, 3], 6),
            (&[0, 3, 3], 8),
            (&[0, 0, 1], 4),
        ];
        let rules = codes.map(|(digits, heap)| (Rule::code(digits), heap));
        for (rule, heap) in rules.into_iter().chain([(Rule::unequal_split(), 12)]) {
            let table = fresh(&rule, heap);
            let mut known = FxHashMap::default();
            let mut sums = 0;
            for a in 0..=heap {
                for b in 0..=a {
                    for c in 0..=b {
                        let heaps = [a, b, c];
                        let Some(class) = class_of_sum(&table, &heaps) else {
                            continue;
                        };
                        let lost = is_lost(&rule, heaps.to_vec(), &mut known);
                        assert_eq!(table.quotient().is_lost(class), lost, "{rule:?} {heaps:?}");
                        sums += 1;
                    }
                }
            }
            assert!(sums > 30, "{rule:?}: {} heaps, {sums} sums", table.heaps());
        }
    }

    #[test]
    fn partial_quotients_have_the_published_orders() {
        let orders = |rule: Rule, expected: &[(u64, usize)]| {
            for (heap, order) in expected {
                let table = fresh(&rule, *heap);
                assert!(
                    table.class(*heap).is_some(),
                    "{rule:?} {heap}: {}",
                    table.heaps()
                );
                assert_eq!(table.quotient().order(), *order, "{rule:?} {heap}");
            }
        };
        let kayles = [
            (1, 2),
            (2, 6),
            (5, 12),
            (9, 18),
            (12, 24),
            (25, 32),
            (27, 40),
        ];
        orders(Rule::code(&[0, 7, 7]), &kayles);
        orders(Rule::code(&[0, 0, 7]), &[(20, 24)]);
        orders(Rule::code(&[0, 0, 0, 7]), &[(24, 24)]);
        orders(Rule::code(&[4, 7]), &[(20, 122)]);
        orders(Rule::unequal_split(), &[(18, 24), (22, 48)]);
        let kayles = fresh(&Rule::code(&[0, 7, 7]), 1_000_000_000_000_000_000);
        let period = kayles.period().expect("a proved period");
        assert_eq!((period.start, period.length), (71, 12));
        assert_eq!(
            (kayles.quotient().order(), kayles.quotient().lost_order()),
            (40, 9)
        );
        for (digits, order, lost, start, length) in [
            (&[0u8, 7, 5][..], 8, 2, 8, 2),
            (&[0, 5, 3], 16, 3, 21, 9),
            (&[0, 3, 1], 6, 2, 3, 2),
            (&[4, 3], 6, 2, 2, 2),
        ] {
            let table = fresh(&Rule::code(digits), 1 << 40);
            let quotient = table.quotient();
            assert_eq!(
                (quotient.order(), quotient.lost_order()),
                (order, lost),
                "{digits:?}"
            );
            let period = table.period().map(|period| (period.start, period.length));
            assert_eq!(period, Some((start, length)), "{digits:?}");
        }
    }
}
