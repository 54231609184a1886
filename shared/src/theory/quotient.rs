//! Misère quotients: finite monoids that decide sums of heaps in misère play (T. E. Plambeck, Taming the wild in impartial
//! combinatorial games, 2005; T. E. Plambeck, A. N. Siegel, Misère quotients for impartial games, 2008).
//!
//! Sums of heaps form a monoid. Two sums are alike when, whatever is put beside both, the same player wins; the
//! classes are the *quotient*. With the class of every heap, the product table and the set of lost classes, any sum is decided
//! by multiplication.
//!
//! A [`Builder`] takes heap after heap of a take-and-break game, guesses the next quotient and *verifies* it. What is
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

use rustc_hash::FxHashMap;

use crate::theory::take_and_break::Rule;
use crate::theory::{Meter, Stopped};

/// Classes of a quotient above which it is given up.
pub const MAX_ORDER: usize = 1_024;

/// Equal heaps that are put side by side in search of a repetition before it is given up.
const MAX_COPIES: usize = 32;

/// Classes of sums told apart by their options, above which a heap is given up.
const MAX_REFINED: usize = 2_048;

/// The class of the empty sum.
pub const ONE: u16 = 0;

/// A finite commutative monoid whose elements are lost or not.
#[derive(Clone, Debug)]
pub struct Quotient {
    order: usize,
    /// Row by row.
    products: Vec<u16>,
    lost: Bits,
}

impl Quotient {
    /// The quotient of no heaps at all: one class, not lost.
    fn trivial() -> Self {
        Self {
            order: 1,
            products: vec![ONE],
            lost: Bits::new(1),
        }
    }

    /// How many classes there are.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// How many of them are lost for the player to move.
    #[must_use]
    pub fn lost_order(&self) -> usize {
        self.lost.len()
    }

    /// The class of two sums side by side.
    #[must_use]
    pub fn product(&self, a: u16, b: u16) -> u16 {
        self.products[usize::from(a) * self.order + usize::from(b)]
    }

    /// Whether the player to move loses.
    #[must_use]
    pub fn is_lost(&self, class: u16) -> bool {
        self.lost.has(class)
    }

    /// Every class.
    fn classes(&self) -> impl Iterator<Item = u16> + use<> {
        (0..=u16::MAX).take(self.order)
    }

    /// The classes beside which this one is lost.
    fn lost_beside(&self, class: u16) -> Bits {
        self.shifted(&self.lost, class)
    }

    /// The classes whose product with this one is in the set.
    fn shifted(&self, set: &Bits, by: u16) -> Bits {
        let mut shifted = Bits::new(self.order);
        for class in self.classes() {
            if set.has(self.product(class, by)) {
                shifted.insert(class);
            }
        }
        shifted
    }

    /// The classes beside which one of the options is lost.
    fn reach(&self, options: &Bits) -> Bits {
        let mut reach = Bits::new(self.order);
        for option in options.iter() {
            reach.unite(&self.lost_beside(option));
        }
        reach
    }
}

/// The quotient of the heaps of one rule, growing heap by heap.
#[derive(Clone, Debug)]
pub struct Builder {
    rule: Rule,
    base: Base,
    /// For each class of a heap with options the smallest reaches of such heaps.
    kinds: Smallest,
    /// Whether a heap could not be added.
    stuck: bool,
}

impl Builder {
    /// Without heaps.
    #[must_use]
    pub fn new(rule: &Rule) -> Self {
        Self {
            rule: rule.clone(),
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
    pub fn add(&mut self, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        self.stuck = self.stuck || !self.try_add(meter)?;
        Ok(!self.stuck)
    }

    fn try_add(&mut self, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        let options = self.base.options(&self.rule, meter)?;
        if options.is_empty() {
            let class = ONE;
            self.base.heaps.push(Heap { class, options });
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
                self.base.heaps.push(Heap { class, options });
                return Ok(true);
            }
        }
        let larger = match self.enlarged(&self.base, meter)? {
            Some(larger) => Some(larger),
            None => match self.base.refined(&self.rule, meter)? {
                Some(finer) => self.enlarged(&finer, meter)?,
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
    fn enlarged(&self, base: &Base, meter: &mut Meter<'_>) -> Result<Option<Self>, Stopped> {
        let options = base.options(&self.rule, meter)?;
        let Some(columns) = base.columns(&options, meter)? else {
            return Ok(None);
        };
        match base.enlarged(options, &columns, meter)? {
            Some(larger) => self.verified(larger, meter),
            None => Ok(None),
        }
    }

    /// With this base, where the three conditions hold.
    fn verified(&self, base: Base, meter: &mut Meter<'_>) -> Result<Option<Self>, Stopped> {
        let mut builder = Self {
            rule: self.rule.clone(),
            base,
            kinds: Smallest::default(),
            stuck: false,
        };
        let quotient = builder.quotient();
        if quotient.is_lost(ONE) {
            return Ok(None);
        }
        let mut kinds = Smallest::default();
        for Heap { class, options } in &builder.base.heaps {
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

/// A heap in a monoid.
#[derive(Clone, Debug)]
struct Heap {
    class: u16,
    /// The classes of its options.
    options: Bits,
}

/// The heaps so far in a monoid that tells, at least, apart what their quotient does.
#[derive(Clone, Debug)]
struct Base {
    quotient: Quotient,
    heaps: Vec<Heap>,
    /// The classes by the weight of their lightest sums. A move makes a sum lighter: a heap weighs more than all it may become.
    by_weight: Vec<u16>,
    /// The classes of the options of the lightest sum of each class.
    lightest: Vec<Bits>,
}

impl Base {
    /// Finds the lightest sum of every class (Dijkstra 1959, over multiplication by heaps).
    fn new(quotient: Quotient, heaps: Vec<Heap>) -> Self {
        // Of each class the smallest heap. A heap of size n weighs n² + 1, more than any heaps that together are no larger.
        let mut weighed: Vec<(u64, &Heap)> = Vec::new();
        for (size, heap) in (0u64..).zip(&heaps) {
            if weighed.iter().all(|(_, known)| known.class != heap.class) {
                weighed.push((size * size + 1, heap));
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
            for (weight, heap) in &weighed {
                let sum = quotient.product(class, heap.class);
                let weight = weights[place(class)] + weight;
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
    fn options(&self, rule: &Rule, meter: &mut Meter<'_>) -> Result<Bits, Stopped> {
        self.options_of(self.heaps.len(), rule, meter)
    }

    /// The classes of the options of a heap; the smaller ones are there.
    fn options_of(&self, heap: usize, rule: &Rule, meter: &mut Meter<'_>) -> Result<Bits, Stopped> {
        let class = |heap: usize| self.heaps[heap].class;
        let product = |a, b| self.quotient.product(a, b);
        let mut options = Bits::new(self.quotient.order);
        for (taken, digit) in rule.digits() {
            let Some(rest) = heap.checked_sub(*taken as usize) else {
                break;
            };
            meter.work(1 + rest as u64 / 16)?;
            if *taken > 0 && digit & if rest == 0 { 1 } else { 2 } != 0 {
                options.insert(class(rest));
            }
            if digit & 4 != 0 {
                for a in 1..=rule.splits(rest as u64) as usize {
                    options.insert(product(class(a), class(rest - a)));
                }
            }
            if digit & 8 != 0 {
                for a in 1..=rest / 3 {
                    meter.work(1 + rest as u64 / 16)?;
                    for b in a..=(rest - a) / 2 {
                        let pair = product(class(b), class(rest - a - b));
                        options.insert(product(class(a), pair));
                    }
                }
            }
        }
        Ok(options)
    }

    /// Of 0, 1, 2 … copies of a new heap beside each class, which are lost: `columns[copies]` has the classes. The last column
    /// is the same as an earlier one, and as each column follows from the one before, so do all later ones.
    ///
    /// It takes for granted that sums of one class stay alike beside the new heap, and lets their lightest sum speak for them.
    fn columns(&self, options: &Bits, meter: &mut Meter<'_>) -> Result<Option<Vec<Bits>>, Stopped> {
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
    fn known_class(&self, columns: &[Bits]) -> Option<u16> {
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
    fn enlarged(
        &self,
        options: Bits,
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
            options,
        };
        let renamed = |heap: &Heap, class: u16| {
            let mut options = Bits::new(order);
            let old = heap.options.iter();
            old.for_each(|option| options.insert(class_of[usize::from(option)]));
            Heap { class, options }
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

    /// The same heaps with sums told apart by the classes of their options as well (the transition algebra of Plambeck and Siegel).
    fn refined(&self, rule: &Rule, meter: &mut Meter<'_>) -> Result<Option<Self>, Stopped> {
        let quotient = &self.quotient;
        let mut kinds: Vec<&Heap> = Vec::new();
        for heap in &self.heaps {
            if !kinds.iter().any(|kind| kind.is_like(heap)) {
                kinds.push(heap);
            }
        }
        let empty = Heap {
            class: ONE,
            options: Bits::new(quotient.order),
        };
        let mut numbers = FxHashMap::default();
        numbers.insert((empty.class, empty.options.clone()), ONE);
        let mut sums = vec![empty];
        // How each sum was made: of which one, by which kind of heap; and what each becomes with each kind.
        let mut made: Vec<(usize, usize)> = vec![(0, 0)];
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
        let order = sums.len();
        meter.hold((order * order * 2) as u64)?;
        let mut products = vec![ONE; order * order];
        for a in 0..order {
            meter.work(1 + order as u64 / 16)?;
            products[a * order] = a as u16;
            for b in 1..order {
                let (before, kind) = made[b];
                products[a * order + b] = steps[usize::from(products[a * order + before])][kind];
            }
        }
        let mut lost = Bits::new(order);
        for (number, sum) in (0..).zip(&sums) {
            if quotient.is_lost(sum.class) {
                lost.insert(number);
            }
        }
        let class = |heap: &Heap| {
            let kind = kinds.iter().position(|kind| kind.is_like(heap));
            steps[0][kind.expect("the kinds were collected from these heaps")]
        };
        let classes: Vec<u16> = self.heaps.iter().map(class).collect();
        let quotient = Quotient {
            order,
            products,
            lost,
        };
        let heaps = classes.into_iter().map(|class| Heap {
            class,
            options: Bits::new(order),
        });
        let mut finer = Self {
            quotient,
            heaps: heaps.collect(),
            by_weight: Vec::new(),
            lightest: Vec::new(),
        };
        for heap in 0..finer.heaps.len() {
            finer.heaps[heap].options = finer.options_of(heap, rule, meter)?;
        }
        Ok(Some(Self::new(finer.quotient, finer.heaps)))
    }
}

impl Heap {
    fn is_like(&self, other: &Self) -> bool {
        self.class == other.class && self.options == other.options
    }

    /// Both side by side.
    fn beside(&self, other: &Self, quotient: &Quotient) -> Self {
        let mut options = Bits::new(quotient.order);
        for option in self.options.iter() {
            options.insert(quotient.product(option, other.class));
        }
        for option in other.options.iter() {
            options.insert(quotient.product(option, self.class));
        }
        Self {
            class: quotient.product(self.class, other.class),
            options,
        }
    }
}

/// Pairs that are alike, taken together.
struct Alike {
    /// The class of each pair.
    class_of: Vec<u16>,
    /// The first pair of each class.
    firsts: Vec<usize>,
}

/// Classes with a number of copies of a new heap: pair number p is class p % order with p / order copies.
struct Pairs<'b> {
    quotient: &'b Quotient,
    columns: &'b [Bits],
    /// From this number of copies on they repeat.
    start: usize,
    /// So many are different.
    copies: usize,
}

impl<'b> Pairs<'b> {
    fn new(quotient: &'b Quotient, columns: &'b [Bits]) -> Self {
        let copies = columns.len() - 1;
        let start = columns.iter().position(|column| *column == columns[copies]);
        Self {
            quotient,
            columns,
            start: start.unwrap_or(0),
            copies,
        }
    }

    fn len(&self) -> usize {
        self.quotient.order * self.copies
    }

    /// One copy of the new heap.
    fn copy(&self) -> usize {
        self.fold(1) * self.quotient.order
    }

    fn fold(&self, copies: usize) -> usize {
        match copies.checked_sub(self.start) {
            Some(beyond) => self.start + beyond % (self.copies - self.start),
            None => copies,
        }
    }

    fn product(&self, a: usize, b: usize) -> usize {
        let order = self.quotient.order;
        let class = self.quotient.products[a % order * order + b % order];
        usize::from(class) + self.fold(a / order + b / order) * order
    }

    fn is_lost(&self, pair: usize) -> bool {
        let order = self.quotient.order;
        self.columns[pair / order].has((pair % order) as u16)
    }

    /// Two pairs are alike when they are lost beside the same pairs.
    fn alike(&self, meter: &mut Meter<'_>) -> Result<Option<Alike>, Stopped> {
        if self.len() > 4 * MAX_REFINED {
            return Ok(None);
        }
        let mut numbers: FxHashMap<Bits, u16> = FxHashMap::default();
        let mut class_of = Vec::with_capacity(self.len());
        let mut firsts = Vec::new();
        for pair in 0..self.len() {
            meter.work(1 + self.len() as u64 / 16)?;
            let mut beside = Bits::new(self.len());
            for other in 0..self.len() {
                if self.is_lost(self.product(pair, other)) {
                    beside.insert(other as u16);
                }
            }
            let next = firsts.len() as u16;
            let class = *numbers.entry(beside).or_insert(next);
            if class == next {
                firsts.push(pair);
                meter.hold(self.len() as u64 / 8 + 48)?;
                if firsts.len() > MAX_ORDER {
                    return Ok(None);
                }
            }
            class_of.push(class);
        }
        meter.release((firsts.len() * (self.len() / 8 + 48)) as u64);
        Ok(Some(Alike { class_of, firsts }))
    }
}

/// For each class the reaches that contain no other one.
#[derive(Clone, Debug, Default)]
struct Smallest(FxHashMap<u16, Vec<Bits>>);

impl Smallest {
    /// Adds a reach, unless a smaller one or itself is there.
    fn insert(&mut self, class: u16, reach: Bits) -> bool {
        let known = self.0.entry(class).or_default();
        if known.iter().any(|smaller| smaller.is_within(&reach)) {
            return false;
        }
        known.retain(|larger| !reach.is_within(larger));
        known.push(reach);
        true
    }

    fn has(&self, class: u16, reach: &Bits) -> bool {
        self.0
            .get(&class)
            .is_some_and(|known| known.contains(reach))
    }

    fn iter(&self) -> impl Iterator<Item = (u16, Bits)> + '_ {
        let classes = self.0.iter();
        classes.flat_map(|(class, known)| known.iter().map(|reach| (*class, reach.clone())))
    }
}

/// A set of small numbers, all below a bound.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Bits(Box<[u64]>);

impl Bits {
    fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)].into())
    }

    fn insert(&mut self, number: u16) {
        self.0[usize::from(number) / 64] |= 1 << (number % 64);
    }

    fn has(&self, number: u16) -> bool {
        self.0[usize::from(number) / 64] >> (number % 64) & 1 == 1
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn unite(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The numbers in it, ascending.
    fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..).zip(&self.0).flat_map(|(place, word): (u16, &u64)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as u16)?;
                rest &= rest - 1;
                Some(place * 64 + bit)
            })
        })
    }
}
