//! Dyadic numbers, the numbers that finite games are: exact, of any length (J. H. Conway, *On Numbers and Games*, 1976).

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Neg};

use num_bigint::{BigInt, BigUint, Sign};

/// Edges of a stalk from which on its signs are read at once rather than one by one.
const LONG: usize = 64;

/// A whole number over a power of two, in lowest terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dyadic {
    numerator: BigInt,
    /// The denominator is two to this power.
    halvings: u64,
}

impl Dyadic {
    /// `numerator / 2^halvings`.
    #[must_use]
    pub fn new(numerator: impl Into<BigInt>, halvings: u64) -> Self {
        let numerator = numerator.into();
        let spare = numerator.trailing_zeros().unwrap_or(halvings).min(halvings);
        Self {
            numerator: numerator >> spare,
            halvings: halvings - spare,
        }
    }

    /// Whether it is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.numerator.sign() == Sign::NoSign
    }

    /// How it compares with 0.
    #[must_use]
    pub fn sign(&self) -> Ordering {
        self.numerator.sign().cmp(&Sign::NoSign)
    }

    /// Machine words that it takes, at least 1: what adding or comparing it costs.
    #[must_use]
    pub fn words(&self) -> u64 {
        1 + (self.numerator.bits() + self.halvings) / 64
    }

    /// The numerator of the same number over a larger denominator.
    fn scaled(&self, halvings: u64) -> BigInt {
        &self.numerator << (halvings - self.halvings)
    }

    /// The largest whole number that is not larger; at most `most`, and at least `-most`. O(words).
    #[must_use]
    pub fn floor_within(&self, most: i64) -> i64 {
        let beyond = match self.sign() {
            Ordering::Less => -most,
            _ => most,
        };
        i64::try_from(self.floor()).map_or(beyond, |floor| floor.clamp(-most, most))
    }

    /// The largest whole number that is not larger.
    fn floor(&self) -> BigInt {
        // A shift of big integers rounds down.
        &self.numerator >> self.halvings
    }

    /// The simplest number above `left` and below `right`; `None` where there is none. The simplest whole number is the one
    /// nearest to 0, and else the denominator is as small as can be (Conway 1976, chapter 2).
    #[must_use]
    pub fn simplest(left: Option<&Self>, right: Option<&Self>) -> Option<Self> {
        let sign = |bound: Option<&Self>| bound.map(Self::sign);
        match (sign(left), sign(right)) {
            (None | Some(Ordering::Less), None | Some(Ordering::Greater)) => Some(Self::default()),
            (Some(Ordering::Equal | Ordering::Greater), _) => above(left?, right),
            _ => {
                let (right, left) = (-right?, left.map(|left| -left));
                above(&right, left.as_ref()).map(|found| -&found)
            }
        }
    }

    /// The number below it and the number above it from which it is born: its options in canonical form.
    #[must_use]
    pub fn options(&self) -> [Option<Self>; 2] {
        let by = |step: i32| Self::new(&self.numerator + step, self.halvings);
        if self.halvings > 0 {
            return [Some(by(-1)), Some(by(1))];
        }
        match self.sign() {
            Ordering::Equal => [None, None],
            Ordering::Greater => [Some(by(-1)), None],
            Ordering::Less => [None, Some(by(1))],
        }
    }

    /// What a stalk is worth on whose top something of this value stands: its edges from the ground up, `true` for blue.
    ///
    /// A blue edge under x is worth (x+n)/2^(n-1) with the least n ≥ 1 for which x+n > 1, a red one the negative of that
    /// for -x (Berlekamp, Conway, Guy 1982). Its sign is put before those of x (T. van Roode 2002), so a long
    /// stalk costs O(edges + length of x).
    #[must_use]
    pub fn on_stalk(&self, edges: &[bool]) -> Self {
        if edges.len() < LONG {
            let mut value = self.clone();
            for blue in edges.iter().rev() {
                value = match blue {
                    true => value.on_blue(),
                    false => -&(-&value).on_blue(),
                };
            }
            return value;
        }
        let mut signs = edges.to_vec();
        signs.extend(self.signs());
        Self::of_signs(&signs)
    }

    fn on_blue(&self) -> Self {
        // x+n > 1 asks for n > 1-x: the least is 2 less the least whole number that is not below x.
        let ceil = self.floor() + u32::from(self.halvings > 0);
        let n = (BigInt::from(2) - ceil).max(BigInt::from(1));
        let sum = self + &Self::new(n.clone(), 0);
        let n = u64::try_from(n)
            .expect("n is at most two more than the size of x, which is an edge count");
        Self::new(sum.numerator, sum.halvings + n - 1)
    }

    /// The sign expansion: as a stalk of blue (`true`) and red edges (Berlekamp's rule, *Winning Ways* 1982).
    fn signs(&self) -> Vec<bool> {
        let positive = self.sign() != Ordering::Less;
        let size = self.numerator.magnitude();
        let whole = size >> self.halvings;
        let whole = u64::try_from(whole).expect("whole numbers here count edges");
        let mut signs = vec![positive; whole as usize];
        if self.halvings > 0 {
            signs.extend([positive, !positive]);
            // The digits behind the point without the last, which is 1.
            let digits = (1..self.halvings).rev();
            signs.extend(digits.map(|place| size.bit(place) == positive));
        }
        signs
    }

    fn of_signs(signs: &[bool]) -> Self {
        let Some(first) = signs.first() else {
            return Self::default();
        };
        let whole = signs.iter().take_while(|sign| *sign == first).count();
        let mut digits = Vec::with_capacity(signs.len() - whole);
        let (whole, digits) = match signs[whole..].split_first() {
            None => (whole, digits),
            Some((_, rest)) => {
                digits.extend(rest.iter().map(|sign| u8::from(sign == first)));
                digits.push(1);
                (whole - 1, digits)
            }
        };
        let halvings = digits.len() as u64;
        let fraction = BigUint::from_radix_be(&digits, 2).unwrap_or_default();
        let size = BigInt::from((BigUint::from(whole) << halvings) + fraction);
        Self::new(if *first { size } else { -size }, halvings)
    }
}

/// The simplest number above one that is not negative.
fn above(left: &Dyadic, right: Option<&Dyadic>) -> Option<Dyadic> {
    let whole = Dyadic::new(left.floor() + 1, 0);
    let Some(right) = right else {
        return Some(whole);
    };
    if whole < *right {
        return Some(whole);
    }
    if left >= right {
        return None;
    }
    // With one place more there is a number between any two.
    let halvings = left.halvings.max(right.halvings) + 1;
    let low = left.scaled(halvings).magnitude().clone();
    let high = right.scaled(halvings).magnitude() - 1u32;
    // Above the highest place in which they differ they are alike: what has 1 there and only 0 below it lies between.
    let place = (&low ^ &high).bits() - 1;
    let between = BigInt::from((high >> place) << place);
    Some(Dyadic::new(between, halvings))
}

impl From<i64> for Dyadic {
    fn from(whole: i64) -> Self {
        Self::new(whole, 0)
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;

    fn add(self, other: Self) -> Dyadic {
        let halvings = self.halvings.max(other.halvings);
        Dyadic::new(self.scaled(halvings) + other.scaled(halvings), halvings)
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic {
            numerator: -&self.numerator,
            halvings: self.halvings,
        }
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_sign = self.sign().cmp(&other.sign());
        by_sign.then_with(|| {
            let halvings = self.halvings.max(other.halvings);
            self.scaled(halvings).cmp(&other.scaled(halvings))
        })
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    /// `35/8`, `-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.halvings {
            0 => self.numerator.fmt(f),
            places => write!(f, "{}/{}", self.numerator, BigUint::from(1u32) << places),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All numbers born by a day, in order, made by Conway's construction: between any two neighbours one is born.
    fn born(days: u32) -> Vec<Dyadic> {
        let mut numbers = vec![Dyadic::default()];
        for _ in 0..days {
            let mut next = vec![&numbers[0] + &Dyadic::from(-1)];
            for pair in numbers.windows(2) {
                let sum = &pair[0] + &pair[1];
                next.extend([
                    pair[0].clone(),
                    Dyadic::new(sum.numerator, sum.halvings + 1),
                ]);
            }
            let last = numbers[numbers.len() - 1].clone();
            next.extend([last.clone(), &last + &Dyadic::from(1)]);
            numbers = next;
        }
        numbers
    }

    #[test]
    fn the_simplest_number_is_the_one_born_first() {
        let numbers = born(4);
        let day = |number: &Dyadic| (0..4).find(|day| born(*day).contains(number));
        for (i, left) in numbers.iter().enumerate() {
            for right in &numbers[i + 1..] {
                let between = numbers.iter().filter(|n| *n > left && *n < right);
                let simplest = Dyadic::simplest(Some(left), Some(right)).expect("left < right");
                match between.min_by_key(|number| day(number).unwrap_or(4)) {
                    Some(first) => assert_eq!(simplest, *first, "{left} {right}"),
                    None => assert!(simplest > *left && simplest < *right),
                }
                assert_eq!(Dyadic::simplest(Some(right), Some(left)), None);
            }
            assert!(Dyadic::simplest(Some(left), None).is_some_and(|n| n > *left));
            assert!(Dyadic::simplest(None, Some(left)).is_some_and(|n| n < *left));
            let [below, above] = left.options();
            let again = Dyadic::simplest(below.as_ref(), above.as_ref());
            assert_eq!(again.as_ref(), Some(left));
        }
    }

    #[test]
    fn stalks_have_the_values_of_the_books() {
        let stalk = |edges: &str| {
            let blue: Vec<bool> = edges.bytes().map(|edge| edge == b'b').collect();
            Dyadic::default().on_stalk(&blue).to_string()
        };
        for (edges, value) in [
            ("", "0"),
            ("bbb", "3"),
            ("br", "1/2"),
            ("rb", "-1/2"),
            ("brr", "1/4"),
            ("brb", "3/4"),
            ("bbbr", "5/2"),
            ("bbbbbrrb", "35/8"),
            ("rrbb", "-5/4"),
        ] {
            assert_eq!(stalk(edges), value, "{edges}");
        }
    }

    proptest! {
        #[test]
        fn a_long_stalk_is_worth_what_its_edges_give_one_by_one(
            edges in proptest::collection::vec(any::<bool>(), 0..200),
            top in -40_i64..40,
            halvings in 0_u64..9,
        ) {
            let top = Dyadic::new(top, halvings);
            let mut value = top.clone();
            for edge in edges.iter().rev() {
                value = value.on_stalk(&[*edge]);
            }
            prop_assert_eq!(top.on_stalk(&edges), value.clone());
            prop_assert_eq!(Dyadic::of_signs(&value.signs()), value);
        }
    }
}
