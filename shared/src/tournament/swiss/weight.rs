//! Weights that compare criterion by criterion, and the matching of greatest weight.
//!
//! A weight is a vector of integers compared from the left; as vectors add and subtract component by component, they are
//! an ordered group, and that is all that the blossom algorithm asks of its weights. A criterion is a field of some
//! bits in one component. No weight is ever rounded and no criterion can outweigh an earlier one.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use integer_blossom::max_weight_matching;

/// Bits of a component that fields use. Dual variables are sums of up to n^2 edge weights, so the rest is room for them:
/// 2^40 * 500^2 < 2^58.
const COMPONENT_BITS: u32 = 40;

/// A weight of `L` components.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Lexicographic<const L: usize>([i64; L]);

impl<const L: usize> Add for Lexicographic<L> {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const L: usize> Sub for Lexicographic<L> {
    type Output = Self;
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl<const L: usize> AddAssign for Lexicographic<L> {
    fn add_assign(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += other;
        }
    }
}

impl<const L: usize> SubAssign for Lexicographic<L> {
    fn sub_assign(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own -= other;
        }
    }
}

impl<const L: usize> integer_blossom::Weight for Lexicographic<L> {
    const ZERO: Self = Self([0; L]);
    const ONE: Self = {
        let mut one = [0; L];
        one[L - 1] = 1;
        Self(one)
    };
    fn inf() -> Self {
        let mut inf = [0; L];
        inf[0] = i64::MAX / 4;
        Self(inf)
    }
    fn double(self) -> Self {
        Self(self.0.map(|part| part * 2))
    }
    /// Slacks between outer vertices are even in every component: all duals there are congruent modulo 2.
    fn half(self) -> Self {
        Self(self.0.map(|part| part / 2))
    }
}

/// The place of a criterion in a weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    component: usize,
    shift: u32,
}

/// The fields of a weight, the most important first.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    components: usize,
    /// Bits left in the last component.
    left: u32,
}

impl Scale {
    /// A scale whose first criterion is that an edge is used at all, so that as many vertices as possible are matched.
    pub(super) fn new(vertices: usize) -> (Self, Field) {
        let mut scale = Self {
            components: 1,
            left: COMPONENT_BITS,
        };
        let used = scale.field(vertices as u64);
        (scale, used)
    }

    /// A further criterion; its totals over a matching differ by at most `span`.
    pub(super) fn field(&mut self, span: u64) -> Field {
        let bits = (u64::BITS - span.leading_zeros()).max(1);
        debug_assert!(bits <= COMPONENT_BITS);
        if bits > self.left {
            self.components += 1;
            self.left = COMPONENT_BITS;
        }
        self.left -= bits;
        Field {
            component: self.components - 1,
            shift: self.left,
        }
    }

    /// How many bits of further criteria fit before a weight has more than so many components.
    pub(super) fn room(&self, components: usize) -> u64 {
        let whole = components.saturating_sub(self.components) as u64;
        whole * u64::from(COMPONENT_BITS) + u64::from(self.left)
    }
}

/// The value of one edge in the fields of a scale; fields that are not named are 0.
pub(super) type Values = Vec<(Field, i64)>;

/// The matching of most vertices, and of greatest weight among those: the partner of each vertex. `edge` gives the
/// values of the edge between two vertices, the smaller first, or `None` if there is none.
pub(super) fn best_matching(
    vertices: usize,
    scale: &Scale,
    edge: impl FnMut(usize, usize) -> Option<Values>,
) -> Vec<Option<usize>> {
    match scale.components {
        0..=1 => solve::<1>(vertices, edge),
        2 => solve::<2>(vertices, edge),
        3..=4 => solve::<4>(vertices, edge),
        5..=8 => solve::<8>(vertices, edge),
        9..=16 => solve::<16>(vertices, edge),
        17..=32 => solve::<32>(vertices, edge),
        33..=64 => solve::<64>(vertices, edge),
        _ => solve::<256>(vertices, edge),
    }
}

fn solve<const L: usize>(
    vertices: usize,
    mut edge: impl FnMut(usize, usize) -> Option<Values>,
) -> Vec<Option<usize>> {
    let mut weights = vec![Lexicographic([0; L]); vertices * vertices];
    for i in 0..vertices {
        for j in i + 1..vertices {
            let Some(values) = edge(i, j) else { continue };
            let weight = &mut weights[i * vertices + j].0;
            for (field, value) in values {
                weight[field.component] += value << field.shift;
            }
        }
    }
    max_weight_matching(&weights, vertices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The best total of the fields over all matchings of most vertices, by trying all.
    fn brute(vertices: usize, edges: &[Vec<Option<[i64; 3]>>], used: usize) -> (i64, [i64; 3]) {
        let Some(first) = (0..vertices).find(|v| used & (1 << v) == 0) else {
            return (0, [0; 3]);
        };
        let mut best = brute(vertices, edges, used | (1 << first));
        for second in first + 1..vertices {
            if used & (1 << second) == 0
                && let Some(values) = edges[first][second]
            {
                let (count, rest) = brute(vertices, edges, used | (1 << first) | (1 << second));
                let total = [0, 1, 2].map(|field| rest[field] + values[field]);
                best = best.max((count + 1, total));
            }
        }
        best
    }

    proptest! {
        #[test]
        fn the_best_matching_is_best(
            vertices in 2usize..8,
            raw in prop::collection::vec(prop::option::weighted(0.7, [-3i64..4, 0i64..4, -1i64..2]), 64),
        ) {
            let edges: Vec<Vec<Option<[i64; 3]>>> = (0..vertices)
                .map(|i| (0..vertices).map(|j| raw[i * 8 + j]).collect())
                .collect();
            let (mut scale, used) = Scale::new(vertices);
            let fields = [scale.field(64), scale.field(1 << 39), scale.field(64)];
            prop_assert!(scale.components > 1);
            let mate = best_matching(vertices, &scale, |i, j| {
                let values = edges[i][j]?;
                let named = fields.iter().copied().zip(values);
                Some(std::iter::once((used, 1)).chain(named).collect())
            });
            let mut total = (0, [0; 3]);
            for (i, partner) in mate.iter().enumerate() {
                if let Some(j) = partner.filter(|j| *j > i) {
                    prop_assert_eq!(mate[j], Some(i));
                    let values = edges[i][j].expect("an edge");
                    total.0 += 1;
                    for (sum, value) in total.1.iter_mut().zip(values) {
                        *sum += value;
                    }
                }
            }
            prop_assert_eq!(total, brute(vertices, &edges, 0));
        }
    }
}
