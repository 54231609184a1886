//! Values of take-and-break games: octal codes (Guy and Smith 1956), hexadecimal ones that leave up to three heaps, and
//! Grundy's game, which splits a heap unequally.
//!
//! Where a heap is left as two at most, the tables are computed in *sparse space* ([`Space`]): in little more than O(heap ×
//! rare heaps) instead of O(heap²). With three heaps it is O(heap²).

use std::sync::Arc;

use crate::theory::breaks::Numbers;
use crate::theory::cache::Cache;
use crate::theory::heap_values::HeapValues;
use crate::theory::period::{self, Period};
use crate::theory::sparse::{Space, Splits};
use crate::theory::subtraction::Marks;
use crate::theory::{Meter, Stopped};

/// Heaps for which values are tabulated: as many as prove the longest period known, of octal 0.354.
pub const MAX_TABLE: usize = 3 << 23;

/// Tables that were computed, by their rules.
static TABLES: Cache<Rule, Table> = Cache::new(1 << 27);

/// What may be done to one heap.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    /// How many may be taken, ascending, with the digit that says what may be left: bit 0 nothing, bit 1 one heap,
    /// bit 2 two, bit 3 three. Only digits other than 0.
    digits: Vec<(u64, u8)>,
    /// Whether two heaps that are left must differ.
    unequal: bool,
}

impl Rule {
    /// The game of a code: digit i says what may be left when i are taken.
    #[must_use]
    pub fn code(digits: &[u8]) -> Self {
        let digits = (0..).zip(digits.iter().copied());
        Self {
            digits: digits.filter(|(_, digit)| *digit != 0).collect(),
            unequal: false,
        }
    }

    /// Grundy's game: a heap is split in two unequal ones.
    #[must_use]
    pub fn unequal_split() -> Self {
        Self {
            digits: vec![(0, 4)],
            unequal: true,
        }
    }

    /// The amounts that may be taken, ascending, each with its digit, which is not 0.
    #[must_use]
    pub fn digits(&self) -> &[(u64, u8)] {
        &self.digits
    }

    /// What may be left when so many are taken: 0 where they may not be. O(log digits).
    #[must_use]
    pub fn digit(&self, taken: u64) -> u8 {
        let place = self
            .digits
            .binary_search_by_key(&taken, |(taken, _)| *taken);
        place.map_or(0, |place| self.digits[place].1)
    }

    /// The most that may be taken at once.
    #[must_use]
    pub fn reach(&self) -> u64 {
        self.digits.last().map_or(0, |(taken, _)| *taken)
    }

    /// How many heaps may be left at most, 1 at least. `None` where they must differ: the Guy–Smith bound speaks of parts of any size.
    #[must_use]
    pub fn parts_of_any_size(&self) -> Option<u64> {
        match (self.has_bit(3), self.has_bit(2)) {
            _ if self.unequal => None,
            (true, _) => Some(3),
            (false, true) => Some(2),
            (false, false) => Some(1),
        }
    }

    /// How many ways 1 <= a <= b, a + b = rest, the rest may be left as two heaps: all a up to this number.
    #[must_use]
    pub fn splits(&self, rest: u64) -> u64 {
        match self.unequal {
            true => rest.saturating_sub(1) / 2,
            false => rest / 2,
        }
    }

    fn has_bit(&self, bit: u8) -> bool {
        self.digits.iter().any(|(_, digit)| digit >> bit & 1 == 1)
    }

    /// The amounts of which the rest may be left as two heaps.
    fn taken_with_a_split(&self) -> impl Iterator<Item = u64> {
        let splits = self.digits.iter().filter(|(_, digit)| digit & 4 != 0);
        splits.map(|(taken, _)| *taken)
    }
}

/// Room to work in while values are added.
#[derive(Default)]
struct Room {
    marks: Marks,
    /// What is left of a heap to be split, with the number of its splits.
    rests: Vec<(usize, usize)>,
    splits: Splits,
}

/// The values of one rule, as far as computed; all of them once a period is proved.
#[derive(Clone, Debug)]
pub struct Table {
    rule: Rule,
    values: Vec<u16>,
    /// Where two heaps may be left, and never three.
    space: Option<Space>,
    /// Where three may: the distinct values of two heaps that together are n.
    pairs: Option<Vec<Vec<u16>>>,
    period: Option<Period>,
    /// Values among which a period was looked for.
    searched: usize,
}

impl Table {
    /// The value of a heap, if the table reaches so far.
    #[must_use]
    pub fn value(&self, heap: u64) -> Option<u64> {
        let place = self.period.map_or(heap, |period| period.fold(heap));
        let place = usize::try_from(place).ok()?;
        self.values.get(place).copied().map(u64::from)
    }

    /// The proved period.
    #[must_use]
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// The values computed, from heap 0.
    #[must_use]
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// A table of its own, not shared: it reaches this heap, if the budget and [`MAX_TABLE`] allow, or has a proved period.
    #[must_use]
    pub fn reaching(rule: &Rule, heap: u64, meter: &mut Meter<'_>) -> Self {
        let mut table = Self::new(rule);
        let _stopped = table.extend(heap, meter);
        table
    }

    fn new(rule: &Rule) -> Self {
        let parities: Vec<u64> = rule.taken_with_a_split().map(|taken| taken % 2).collect();
        let alternates = parities.windows(2).all(|pair| pair[0] == pair[1]);
        let triples = rule.has_bit(3);
        Self {
            rule: rule.clone(),
            values: Vec::new(),
            space: (rule.has_bit(2) && !triples).then(|| Space::new(alternates)),
            pairs: triples.then(Vec::new),
            period: None,
            searched: 0,
        }
    }

    fn bytes(&self) -> usize {
        let pairs = self.pairs.iter().flatten();
        self.rule.digits.len() * 16
            + self.values.len() * 2
            + self.space.as_ref().map_or(0, Space::bytes)
            + pairs.map(|pairs| pairs.len() * 2 + 24).sum::<usize>()
    }

    /// Adds values up to this heap, or until a period is proved, or the table is full.
    fn extend(&mut self, heap: u64, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let want = usize::try_from(heap).map_or(MAX_TABLE, |heap| heap.saturating_add(1));
        let want = want.clamp(256, MAX_TABLE);
        let mut room = Room::default();
        let extended = self.extend_to(want, &mut room, meter);
        meter.release(room.splits.bytes() as u64);
        extended
    }

    fn extend_to(
        &mut self,
        want: usize,
        room: &mut Room,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        loop {
            let length = self.values.len();
            if length >= (self.searched / 4 * 5).min(want) && length > self.searched {
                self.period = self.find_period(meter)?;
                self.searched = length;
            }
            if self.period.is_some() || length >= want {
                return Ok(());
            }
            let next = (length + length / 4).clamp(256, want);
            meter.hold((next - length) as u64 * 2)?;
            self.values.reserve_exact(next - length);
            while self.values.len() < next {
                self.grow(room, meter)?;
            }
        }
    }

    fn find_period(&self, meter: &mut Meter<'_>) -> Result<Option<Period>, Stopped> {
        match self.rule.parts_of_any_size() {
            None => Ok(None),
            Some(parts) => period::find(&self.values, parts, self.rule.reach(), meter),
        }
    }

    /// Adds the value of the first heap that has none.
    fn grow(&mut self, room: &mut Room, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let Room {
            marks,
            rests,
            splits,
        } = room;
        let heap = self.values.len();
        meter.work(1 + self.rule.digits.len() as u64 / 64)?;
        marks.clear();
        for (taken, digit) in &self.rule.digits {
            let Some(rest) = heap.checked_sub(*taken as usize) else {
                break;
            };
            if *taken > 0 && digit & if rest == 0 { 1 } else { 2 } != 0 {
                marks.mark(self.values[rest]);
            }
        }
        if let Some(space) = &mut self.space {
            let rule = &self.rule;
            rests.clear();
            rests.extend(rule.taken_with_a_split().filter_map(|taken| {
                let rest = (heap as u64).checked_sub(taken)?;
                let count = rule.splits(rest) as usize;
                (count > 0).then_some((rest as usize, count))
            }));
            let value = space.least_free(&self.values, rests, splits, marks, meter)?;
            space.add(heap, value, &self.values, meter)?;
            self.values.push(value);
            return Ok(());
        }
        let Some(pairs) = &mut self.pairs else {
            self.values.push(marks.mex().ok_or(Stopped)?);
            return Ok(());
        };
        mark_triples(&self.rule, &self.values, pairs, marks, meter)?;
        let value = marks.mex().ok_or(Stopped)?;
        // The value of the heap itself is not among those of its pairs.
        let found = distinct_pairs(&self.values, marks, meter)?;
        pairs.push(found);
        self.values.push(value);
        Ok(())
    }
}

impl Numbers for Table {
    fn number(&self, heap: u64) -> Option<u64> {
        self.value(heap)
    }

    fn period(&self) -> Option<Period> {
        self.period
    }
}

/// Marks the values of the options of the first heap that has none, two or three heaps being left.
fn mark_triples(
    rule: &Rule,
    values: &[u16],
    pairs: &[Vec<u16>],
    marks: &mut Marks,
    meter: &mut Meter<'_>,
) -> Result<(), Stopped> {
    for (taken, digit) in &rule.digits {
        let Some(rest) = values.len().checked_sub(*taken as usize) else {
            break;
        };
        if digit & 4 != 0 {
            match pairs.get(rest) {
                Some(pairs) => pairs.iter().for_each(|pair| marks.mark(*pair)),
                None => {
                    meter.work(rest as u64 / 64 + 1)?;
                    (1..=rest / 2).for_each(|a| marks.mark(values[a] ^ values[rest - a]));
                }
            }
        }
        if digit & 8 != 0 {
            for part in 1..=rest / 3 {
                let pairs = &pairs[rest - part];
                meter.work(pairs.len() as u64 / 64 + 1)?;
                for pair in pairs {
                    marks.mark(values[part] ^ pair);
                }
            }
        }
    }
    Ok(())
}

/// The distinct values of two heaps that together are as large as the first heap that has no value.
fn distinct_pairs(
    values: &[u16],
    marks: &mut Marks,
    meter: &mut Meter<'_>,
) -> Result<Vec<u16>, Stopped> {
    let whole = values.len();
    meter.work(whole as u64 / 64 + 1)?;
    marks.clear();
    let mut distinct = Vec::new();
    for part in 1..=whole / 2 {
        let value = values[part] ^ values[whole - part];
        if marks.mark_new(value) {
            distinct.push(value);
        }
    }
    meter.hold(distinct.len() as u64 * 2 + 24)?;
    Ok(distinct)
}

/// The table of a rule that reaches this heap, if the budget and the size of tables allow; otherwise the table as far as it came.
pub fn table(rule: &Rule, heap: u64, meter: &mut Meter<'_>) -> Arc<Table> {
    let known = TABLES.find(|key| key == rule);
    if let Some(known) = &known
        && (known.value(heap).is_some() || known.searched == MAX_TABLE)
    {
        return Arc::clone(known);
    }
    let mut table = match known {
        None => Table::new(rule),
        // A larger table is a copy while others look at this one.
        Some(known) => match meter.hold(known.bytes() as u64) {
            Ok(()) => (*known).clone(),
            Err(Stopped) => return known,
        },
    };
    // Whoever asks for heap after heap does not pay for a copy of the table each time.
    let _stopped = table.extend(heap.max(table.values.len() as u64 / 8 * 9), meter);
    let table = Arc::new(table);
    TABLES.put(rule.clone(), Arc::clone(&table), table.bytes());
    table
}

/// The values of a table as a sequence.
#[must_use]
pub fn heap_values(table: Arc<Table>) -> HeapValues {
    let computed = table.values().len() as u64;
    HeapValues::new(computed, table.period(), move |heap| table.value(heap))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    fn meter() -> Meter<'static> {
        Meter::new(1 << 40, 1 << 30, &|| false)
    }

    /// The values by their definition.
    fn naive(rule: &Rule, heaps: usize) -> Vec<u16> {
        let mut values: Vec<u16> = Vec::new();
        let mut options = Vec::new();
        for heap in 0..heaps {
            options.clear();
            for (taken, digit) in &rule.digits {
                let Some(rest) = heap.checked_sub(*taken as usize) else {
                    break;
                };
                if *taken > 0 && digit & if rest == 0 { 1 } else { 2 } != 0 {
                    options.push(u64::from(values[rest]));
                }
                for a in 1..rest {
                    let b = rest - a;
                    if digit & 4 != 0 && !(rule.unequal && a == b) {
                        options.push(u64::from(values[a] ^ values[b]));
                    }
                    if digit & 8 != 0 {
                        let thirds = (1..b).map(|c| values[a] ^ values[c] ^ values[b - c]);
                        options.extend(thirds.map(u64::from));
                    }
                }
            }
            values.push(mex(&options) as u16);
        }
        values
    }

    fn fresh(rule: &Rule, heap: u64) -> Table {
        Table::reaching(rule, heap, &mut meter())
    }

    #[test]
    fn the_tables_agree_with_the_definition() {
        let splitting = |code: u32| [code >> 6 & 4, code >> 6 & 7, code >> 3 & 7, code & 7];
        let codes = (0..512u32).map(|code| splitting(code).map(|digit| digit as u8));
        let mut rules: Vec<Rule> = codes.map(|digits| Rule::code(&digits)).collect();
        rules.extend(
            [
                &[0u8, 15][..],
                &[8, 3],
                &[12, 0, 5],
                &[0, 9, 0, 14],
                &[0, 0, 4, 0, 4, 6],
            ]
            .map(Rule::code),
        );
        for rule in rules {
            let expected = naive(&rule, 200);
            let table = fresh(&rule, 200);
            for (heap, value) in expected.iter().enumerate() {
                assert_eq!(
                    table.value(heap as u64),
                    Some(u64::from(*value)),
                    "{rule:?} {heap}"
                );
            }
        }
        for (rule, heaps) in [
            (Rule::unequal_split(), 3_000),
            (Rule::code(&[0, 6]), 3_000),
            (Rule::code(&[0, 0, 0, 7]), 2_000),
            (Rule::code(&[4, 0, 7, 0, 2]), 2_000),
        ] {
            let table = fresh(&rule, heaps as u64);
            for (heap, value) in naive(&rule, heaps).into_iter().enumerate() {
                assert_eq!(
                    table.value(heap as u64),
                    Some(value.into()),
                    "{rule:?} {heap}"
                );
            }
        }
    }

    /// Splits that several heaps share, near one another and far apart.
    #[test]
    fn the_tables_of_long_codes_agree_with_the_definition() {
        let mut seed = 1u64;
        for round in 0..60 {
            let digits: Vec<u8> = (0..1 + round % 30)
                .map(|place| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let digit = (seed >> 61) as u8;
                    if place == 0 {
                        digit & 4
                    } else {
                        digit * u8::from(seed >> 40 & 1 == 1)
                    }
                })
                .collect();
            let rule = Rule::code(&digits);
            let table = fresh(&rule, 399);
            for (heap, value) in naive(&rule, 400).into_iter().enumerate() {
                assert_eq!(
                    table.value(heap as u64),
                    Some(value.into()),
                    "{rule:?} {heap}"
                );
            }
        }
    }

    #[test]
    fn the_values_of_grundys_game_are_those_published() {
        let values = &fresh(&Rule::unequal_split(), 12).values;
        assert_eq!(
            values[..12],
            [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2],
            "A002188"
        );
    }

    #[test]
    fn a_table_that_was_stopped_anywhere_goes_on_as_if_it_had_not_been() {
        let codes = [&[0u8, 15][..], &[8, 3], &[0, 7, 7], &[0, 6]].map(Rule::code);
        for rule in codes.into_iter().chain([Rule::unequal_split()]) {
            let whole = fresh(&rule, 600);
            let mut stopped = Table::new(&rule);
            let mut nodes = 0;
            while stopped
                .extend(600, &mut Meter::new(nodes, 1 << 30, &|| false))
                .is_err()
            {
                nodes += 1;
            }
            assert!(nodes > 3, "{rule:?} was stopped often");
            assert_eq!(stopped.period, whole.period, "{rule:?}");
            for heap in 0..=600 {
                assert_eq!(stopped.value(heap), whole.value(heap), "{rule:?} {heap}");
            }
            for (stopped, whole) in stopped
                .pairs
                .iter()
                .flatten()
                .zip(whole.pairs.iter().flatten())
            {
                assert_eq!(stopped, whole, "{rule:?}");
            }
        }
    }
}
