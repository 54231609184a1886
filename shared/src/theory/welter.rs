//! Welter's game: coins on different squares of a strip, each moved down to any free square.
//!
//! C. P. Welter, *The theory of a class of games on a sequence of squares* (1954); J. H. Conway, *On Numbers and Games* (1976), chapter 13.
//! The Grundy value is the xor of all squares and, for each pair of coins, of all bits up to the lowest in which their squares differ.
//! So bit b of a coin's share in the pairs is the parity of the other coins that agree with it in the bits below b. From bit to bit this decides the one
//! square to which a coin must go for any value that is wanted, be it free below the coin or not: **one coin has one square for each value**.
//!
//! *Misère play.* Call k coins *fickle* when they stand on squares below 2k and no two of them add up to 2k - 1, so that each of the k pairs of
//! squares with that sum has one coin. Other coins are *firm*. M. Sato and Y. Yamasaki (1980) showed that the game is tame. In the words of [`Tally`]: fickle coins count
//! with their value, which is 0 or 1, firm ones above 1 with theirs, and firm ones of value 0 or 1 as two heaps above 1 with this xor. Proof:
//!
//! * A fickle set has value 0 or 1: halve its even squares and its odd ones. The odd halves are what the even halves leave free on squares 0 to k - 1, read backwards; a free square
//!   that moves up is a coin that moves down in the reflection, so both halves are the same game, and the bits above the lowest cancel.
//! * From a fickle set, exactly one square other than its own makes each coin fickle again: the partner, 2k - 1 less its square. By uniqueness it is the square of the other value of 0 and 1.
//!   So (A) fickle coins that have a move can change their value, by a coin in the upper half of the squares; (D) no move makes fickle coins firm with the other value of 0 and 1;
//!   and (B) no move makes firm coins of value 0 or 1 fickle, since that coin has its squares for both values in the fickle set.
//! * (C) Firm coins above 1 can be made, for either f of 0 and 1, firm with value f or fickle with value 1 - f. Some move leads to f; let it lead from a to x with the
//!   coins fickle after it. The partner of x has value 1 - f: if it is below a, go there. Otherwise a is below 2k and its partner o has a coin. Both o and x lie below a, and a below the partner of x, so
//!   x is below o: moving o to x instead leaves a fickle set that differs from the first in one partner.
//!
//! Then in a sum with other tame parts: with a value above 1 and xor 0, a move leaves an xor other than 0, and by (B) a value above 1; with none above 1 and xor 1, a move leaves
//! xor 0 and none, or by (D) an xor other than 0. A position that is not lost has a move to a lost one: with one value above 1 by (C), with several the move of normal play, which by
//! (B) leaves some; with none, by (A). ∎

use crate::theory::Tally;

/// Coins on different squares, sorted for questions about their low bits.
#[derive(Clone, Debug)]
pub struct Coins {
    /// The squares with their bits in reverse, ascending: those that agree in their lowest bits lie together.
    reversed: Vec<u64>,
    value: u64,
    fickle: bool,
}

impl Coins {
    /// O(coins log coins).
    #[must_use]
    pub fn new(squares: &[u64]) -> Self {
        let mut reversed: Vec<u64> = squares.iter().map(|square| square.reverse_bits()).collect();
        reversed.sort_unstable();
        let xor = squares.iter().fold(0, |xor, square| xor ^ square);
        let value = xor ^ pairs(&reversed);
        let double = 2 * squares.len() as u64;
        let mut low: Vec<u64> = squares.to_vec();
        low.sort_unstable();
        let partners = |a: u64, b: u64| a.checked_add(b) == Some(double - 1);
        let (mut from, mut to) = (0, low.len());
        // The lowest and the highest square that are left: one is dropped at each step.
        let mut fickle = low.last().is_none_or(|highest| *highest < double);
        while fickle && from + 1 < to {
            fickle = !partners(low[from], low[to - 1]);
            match low[from] + low[to - 1] < double {
                true => from += 1,
                false => to -= 1,
            }
        }
        Self {
            reversed,
            value,
            fickle,
        }
    }

    /// The Grundy value in normal play. O(1).
    #[must_use]
    pub fn value(&self) -> u64 {
        self.value
    }

    /// Whether they count with their value alone in misère sums: one coin on each pair of squares that add up to one less than twice their number. O(1).
    #[must_use]
    pub fn is_fickle(&self) -> bool {
        self.fickle
    }

    /// What they count with in misère sums. O(1).
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally::of_part(self.value, self.fickle)
    }

    /// The one square on which this coin, one of them, would give them a value. O(log coins), for each of 64 bits.
    #[must_use]
    pub fn square_for(&self, coin: u64, value: u64) -> u64 {
        let mut share = 0;
        self.descend(coin, |bit, odd| {
            share |= u64::from(odd) << bit;
            coin >> bit & 1 == 1
        });
        let wanted = value ^ self.value ^ coin ^ share;
        let mut square = 0;
        self.descend(coin, |bit, odd| {
            let one = (wanted >> bit & 1 == 1) != odd;
            square |= u64::from(one) << bit;
            one
        });
        square
    }

    /// Goes through the bits of a square from the lowest: `next` is given the bit and whether an odd number of coins other than this one agree with the square in all
    /// lower bits, and says what the bit is.
    fn descend(&self, coin: u64, mut next: impl FnMut(u32, bool) -> bool) {
        let mut class = &self.reversed[..];
        let mut is_in_class = true;
        for bit in 0..u64::BITS {
            let others = class.len() - usize::from(is_in_class);
            let one = next(bit, others % 2 == 1);
            let split = class.partition_point(|square| square << bit >> 63 == 0);
            class = match one {
                true => &class[split..],
                false => &class[..split],
            };
            is_in_class &= one == (coin >> bit & 1 == 1);
        }
    }
}

/// For each pair, all bits up to the lowest in which its squares differ: the xor of all. Bit b is the parity of the pairs that agree in the bits below b.
fn pairs(reversed: &[u64]) -> u64 {
    let mut xor = 0;
    for bit in 0..u64::BITS {
        let agree = |a: &u64, b: &u64| (a ^ b).leading_zeros() >= bit;
        let mut count = 0;
        for class in reversed.chunk_by(agree) {
            count += class.len() * (class.len() - 1) / 2;
        }
        if count == 0 {
            break;
        }
        xor |= (count as u64 & 1) << bit;
    }
    xor
}

/// Conway's mating: the two coins that agree in most low bits are mates, then the two of the others, and so on; one may be left. The value is the xor of
/// (a xor b) - 1 for mates a and b, and of the square that is left. O(coins^3): for explanations.
#[must_use]
pub fn mates(squares: &[u64]) -> (Vec<(u64, u64)>, Option<u64>) {
    let mut left = squares.to_vec();
    let mut mates = Vec::new();
    while left.len() > 1 {
        let mut best = (0, 0, 1);
        for b in 1..left.len() {
            for a in 0..b {
                let agree = (left[a] ^ left[b]).trailing_zeros();
                if (a, b) == (0, 1) || agree > best.0 {
                    best = (agree, a, b);
                }
            }
        }
        let (_, a, b) = best;
        let second = left.remove(b);
        let first = left.remove(a);
        mates.push((first.min(second), first.max(second)));
    }
    (mates, left.first().copied())
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::*;
    use crate::theory::mex;

    /// Every set of so many squares below a bound.
    fn sets(count: usize, below: u64) -> Vec<Vec<u64>> {
        if count == 0 {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for highest in 0..below {
            for mut set in sets(count - 1, highest) {
                set.push(highest);
                all.push(set);
            }
        }
        all
    }

    /// The sets that one move makes of a sorted one.
    fn options(set: &[u64]) -> Vec<Vec<u64>> {
        let mut all = Vec::new();
        for (place, coin) in set.iter().enumerate() {
            for to in (0..*coin).filter(|to| !set.contains(to)) {
                let mut after = set.to_vec();
                after[place] = to;
                after.sort_unstable();
                all.push(after);
            }
        }
        all
    }

    fn small_sets() -> Vec<Vec<u64>> {
        let sizes = [(0, 1), (1, 40), (2, 24), (3, 16), (4, 13), (5, 12), (6, 12)];
        sizes
            .into_iter()
            .flat_map(|(count, below)| sets(count, below))
            .collect()
    }

    fn recursive(set: &[u64], known: &mut FxHashMap<Vec<u64>, u64>) -> u64 {
        if let Some(value) = known.get(set) {
            return *value;
        }
        let values: Vec<u64> = options(set)
            .iter()
            .map(|after| recursive(after, known))
            .collect();
        let value = mex(&values);
        known.insert(set.to_vec(), value);
        value
    }

    #[test]
    fn the_formula_and_the_mating_are_the_recursion() {
        let mut known = FxHashMap::default();
        for set in small_sets() {
            let value = recursive(&set, &mut known);
            assert_eq!(Coins::new(&set).value(), value, "{set:?}");
            let (pairs, single) = mates(&set);
            let mated = pairs.iter().fold(0, |xor, (a, b)| xor ^ ((a ^ b) - 1));
            assert_eq!(mated ^ single.unwrap_or(0), value, "{set:?}");
        }
    }

    #[test]
    fn each_coin_has_one_square_for_each_value() {
        for set in small_sets() {
            let coins = Coins::new(&set);
            for (place, coin) in set.iter().enumerate() {
                for value in 0..20 {
                    let square = coins.square_for(*coin, value);
                    let mut after = set.clone();
                    after[place] = square;
                    assert_eq!(Coins::new(&after).value(), value, "{set:?} {coin}");
                    let others = set.iter().filter(|other| *other != coin);
                    assert!(!others.clone().any(|other| *other == square));
                }
                assert_eq!(coins.square_for(*coin, coins.value()), *coin);
            }
        }
    }

    /// Of a set beside a heap of Nim, whether the player to move loses in misère play.
    fn is_lost(set: &[u64], heap: u64, known: &mut FxHashMap<(Vec<u64>, u64), bool>) -> bool {
        let key = (set.to_vec(), heap);
        if let Some(lost) = known.get(&key) {
            return *lost;
        }
        let after = options(set);
        let over = after.is_empty() && heap == 0;
        let lost = !over
            && !after.iter().any(|after| is_lost(after, heap, known))
            && !(0..heap).any(|less| is_lost(set, less, known));
        known.insert(key, lost);
        lost
    }

    #[test]
    fn misere_play_is_tame() {
        let mut known = FxHashMap::default();
        for set in small_sets().iter().filter(|set| set.len() < 6) {
            let coins = Coins::new(set);
            for heap in 0..5 {
                let lost = coins.tally().with(heap).is_lost(true);
                assert_eq!(lost, is_lost(set, heap, &mut known), "{set:?} {heap}");
            }
            let double = 2 * set.len() as u64;
            let fickle = set.iter().all(|a| *a < double)
                && set.iter().all(|a| !set.contains(&(double - 1 - a)));
            assert_eq!(coins.is_fickle(), fickle, "{set:?}");
        }
    }

    #[test]
    fn the_largest_squares_have_a_value() {
        let top = 1_000_000_000_000_000_000;
        let coins: Vec<u64> = (0..2_000).map(|n| top - 3 * n).collect();
        let sorted = Coins::new(&coins);
        let square = sorted.square_for(top, 0);
        let mut after = coins.clone();
        after[0] = square;
        assert_eq!(Coins::new(&after).value(), 0);
    }
}
