//! The moves of a compound, counted and numbered without listing them.

use super::compound::{Breadth, Compound};

/// The moves of a compound in order, each as the numbers of moves of its components.
///
/// The order is that of a dictionary: by the move in the first component that is moved in, then with nothing else, then by the
/// move in the next.
#[derive(Debug)]
pub struct Turns {
    breadth: Breadth,
    /// How many moves each component has.
    counts: Vec<u128>,
    /// In how many ways a move can be completed from this component on, saturating; moving in none of them is one where it is allowed.
    ways: Vec<u128>,
    /// How many moves there are, saturating.
    pub count: u128,
}

impl Turns {
    /// Of components with so many moves each. O(components).
    #[must_use]
    pub fn new(compound: Compound, counts: Vec<u128>) -> Self {
        let breadth = compound.breadth();
        let mut ways = vec![1u128; counts.len() + 1];
        for (index, count) in counts.iter().enumerate().rev() {
            let here = match breadth {
                Breadth::One => 1,
                Breadth::Any => count.saturating_add(1),
                Breadth::Each => (*count).max(1),
            };
            ways[index] = ways[index + 1].saturating_mul(here);
        }
        let is_over = match compound.is_short() {
            true => counts.contains(&0),
            false => counts.iter().all(|count| *count == 0),
        };
        let count = match breadth {
            _ if is_over => 0,
            Breadth::One => counts.iter().copied().fold(0, u128::saturating_add),
            // Moving nowhere is no move.
            Breadth::Any if ways[0] < u128::MAX => ways[0] - 1,
            Breadth::Any | Breadth::Each => ways[0],
        };
        Self {
            breadth,
            counts,
            ways,
            count,
        }
    }

    /// Move number `n`: the components that are moved in, ascending, each with the number of its move. O(components).
    #[must_use]
    pub fn nth(&self, mut n: u128) -> Option<Vec<(usize, u128)>> {
        if n >= self.count {
            return None;
        }
        let mut steps = Vec::new();
        for (index, count) in self.counts.iter().copied().enumerate() {
            let later = self.ways[index + 1];
            let moves = count.saturating_mul(later);
            match self.breadth {
                Breadth::Each if count == 0 => {}
                Breadth::Each => {
                    steps.push((index, n / later));
                    n %= later;
                }
                Breadth::One | Breadth::Any if n >= moves => n -= moves,
                Breadth::One | Breadth::Any => {
                    steps.push((index, n / later));
                    n %= later;
                    if n == 0 {
                        break;
                    }
                    n -= 1;
                }
            }
        }
        Some(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(compound: Compound, counts: &[u128]) -> Vec<Vec<(usize, u128)>> {
        let turns = Turns::new(compound, counts.to_vec());
        let all: Vec<_> = (0..turns.count).map_while(|n| turns.nth(n)).collect();
        assert_eq!(all.len() as u128, turns.count);
        assert_eq!(turns.nth(turns.count), None);
        all
    }

    #[test]
    fn moves_are_listed_as_in_a_dictionary() {
        assert_eq!(
            listed(Compound::Selective, &[1, 0, 2]),
            [
                vec![(0, 0)],
                vec![(0, 0), (2, 0)],
                vec![(0, 0), (2, 1)],
                vec![(2, 0)],
                vec![(2, 1)],
            ]
        );
        assert_eq!(
            listed(Compound::Every, &[2, 0, 1]),
            [vec![(0, 0), (2, 0)], vec![(0, 1), (2, 0)]]
        );
        assert_eq!(
            listed(Compound::ShortSum, &[1, 2]),
            [vec![(0, 0)], vec![(1, 0)], vec![(1, 1)]]
        );
        for compound in [
            Compound::Conjunctive,
            Compound::ShortSum,
            Compound::ShortSelective,
        ] {
            assert_eq!(listed(compound, &[2, 0]), Vec::<Vec<_>>::new());
        }
        for compound in Compound::NAMED {
            assert_eq!(listed(compound, &[0, 0]), Vec::<Vec<_>>::new());
            let all = listed(compound, &[2, 3, 1]);
            assert!(all.is_sorted() && all.windows(2).all(|two| two[0] != two[1]));
        }
    }

    #[test]
    fn counts_beyond_all_bounds_saturate() {
        let giant = 1_000_000_000_000_000_000;
        for compound in [Compound::Selective, Compound::Every, Compound::Conjunctive] {
            let turns = Turns::new(compound, vec![giant; 3]);
            assert_eq!(turns.count, u128::MAX);
            assert!(turns.nth(u128::MAX - 1).is_some());
            assert_eq!(turns.nth(1 << 100).map(|steps| steps[0].0), Some(0));
        }
        let turns = Turns::new(Compound::Selective, vec![giant; 2]);
        assert_eq!(turns.count, giant * giant + 2 * giant);
        assert_eq!(turns.nth(turns.count - 1), Some(vec![(1, giant - 1)]));
        assert_eq!(
            Turns::new(Compound::Sum, vec![giant; 100_000]).count,
            giant * 100_000
        );
    }
}
