//! Random bits made into choices. The bits come from the caller.

/// Gives 64 random bits at each call.
pub(super) type Bits<'r> = &'r mut dyn FnMut() -> u64;

/// A fraction from 0 to below 1, evenly: the 53 bits that a float keeps.
pub(super) fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// A number from 0 to below `count`, all equally likely: random numbers beyond the largest multiple of `count`
/// are drawn again. On average fewer than two are drawn.
pub(super) fn below(count: u128, random: Bits<'_>) -> u128 {
    if let Ok(count) = u64::try_from(count) {
        return u128::from(below_64(count, random));
    }
    let unfair = (u128::MAX % count + 1) % count;
    loop {
        let drawn = u128::from(random()) << 64 | u128::from(random());
        if drawn <= u128::MAX - unfair {
            return drawn % count;
        }
    }
}

/// As [`below`], where one draw of 64 bits is enough.
fn below_64(count: u64, random: Bits<'_>) -> u64 {
    let unfair = (u64::MAX % count + 1) % count;
    loop {
        let drawn = random();
        if drawn <= u64::MAX - unfair {
            return drawn % count;
        }
    }
}

/// Keeps one of the best of a stream of candidates: of equal ones each with the same chance.
pub(super) struct Pick<K, T> {
    best: Option<(K, T)>,
    equals: u128,
}

impl<K: Ord, T> Pick<K, T> {
    pub(super) fn new() -> Self {
        Self {
            best: None,
            equals: 0,
        }
    }

    /// Offers a candidate; a smaller key is better.
    pub(super) fn offer(&mut self, key: K, candidate: T, random: Bits<'_>) {
        let order = match &self.best {
            None => std::cmp::Ordering::Less,
            Some((best, _)) => key.cmp(best),
        };
        let takes = match order {
            std::cmp::Ordering::Less => {
                self.equals = 1;
                true
            }
            std::cmp::Ordering::Equal => {
                self.equals += 1;
                below(self.equals, random) == 0
            }
            std::cmp::Ordering::Greater => false,
        };
        if takes {
            self.best = Some((key, candidate));
        }
    }

    pub(super) fn into_best(self) -> Option<T> {
        self.best.map(|(_, candidate)| candidate)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::bits;
    use super::*;

    #[test]
    fn numbers_are_drawn_evenly_whatever_the_count() {
        const TIMES: u32 = 12_000;
        let mut random = bits(3);
        let mut counts = [0u32; 3];
        for _ in 0..TIMES {
            counts[below(3, &mut random) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| count.abs_diff(TIMES / 3) < 260),
            "{counts:?}"
        );
        for count in [
            1,
            2,
            u128::from(u64::MAX),
            1 << 64,
            1 << 127,
            (1 << 127) + 1,
            u128::MAX,
        ] {
            assert!(below(count, &mut random) < count);
        }
        // The last, unfair stretch is drawn again.
        let mut script = [u64::MAX, 5].into_iter();
        assert_eq!(below(3, &mut || script.next().expect("two are enough")), 2);
        let mut script = [u64::MAX, u64::MAX, 1, 5].into_iter();
        let count = (1 << 64) + 1;
        // 2^128 - 1 is a multiple of 2^64 + 1, so 2^128 leaves a stretch of one number.
        let drawn = below(count, &mut || script.next().expect("four are enough"));
        assert_eq!(drawn, ((1 << 64) + 5) % count);
    }

    #[test]
    fn of_equal_candidates_each_has_the_same_chance() {
        let mut random = bits(9);
        let mut counts = [0u32; 4];
        for _ in 0..9_000 {
            let mut pick = Pick::new();
            for (at, key) in [2, 1, 1, 1].into_iter().enumerate() {
                pick.offer(key, at, &mut random);
            }
            counts[pick.into_best().expect("there were candidates")] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!(
            counts[1..].iter().all(|count| count.abs_diff(3_000) < 250),
            "{counts:?}"
        );
    }
}
