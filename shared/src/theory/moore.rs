//! Moore's Nim: take from one to k heaps at once.
//!
//! E. H. Moore, *A generalization of the game called Nim* (1910): lost iff in every binary place the number of heaps with a 1 is a multiple of k + 1. Misère play: with
//! no heap above 1, lost iff their number is 1 modulo k + 1; else as in normal play.

use crate::theory::{Meter, Stopped};

/// Binary places of a heap.
const PLACES: u32 = 60;

/// For each binary place, the lowest first, how many heaps have a 1 there, modulo k + 1.
#[must_use]
pub fn columns(heaps: &[u64], k: u64) -> Vec<u64> {
    let ones = |place: u32| heaps.iter().filter(|heap| **heap >> place & 1 == 1).count() as u64;
    (0..PLACES).map(|place| ones(place) % (k + 1)).collect()
}

/// Whether the player to move loses, nothing else being on the board. O(60 x heaps).
#[must_use]
pub fn is_lost(heaps: &[u64], k: u64, misere: bool) -> bool {
    match misere && heaps.iter().all(|heap| *heap <= 1) {
        true => heaps.iter().sum::<u64>() % (k + 1) == 1,
        false => columns(heaps, k).iter().all(|column| *column == 0),
    }
}

/// The Grundy value where a formula is known: k = 1 (Bouton 1901) and up to k + 1 heaps that are not empty.
///
/// Up to k heaps are worth their sum, since everything smaller can be reached. For k + 1 heaps (T. A. Jenkyns, J. P. Mayberry, *The skeleton of an
/// impartial game and the Nim-function of Moore's Nim_k game*, 1980): let m be the least heap, y the sum less (k+1)m, and z = 1 + y(y+1)/2; it is the sum if m < z, else
/// z - 1 + (m - z) mod (y + 1).
#[must_use]
pub fn value(heaps: &[u64], k: u64) -> Option<u64> {
    if k == 1 {
        return Some(heaps.iter().fold(0, |xor, heap| xor ^ heap));
    }
    let filled = heaps.iter().copied().filter(|heap| *heap > 0);
    let count = filled.clone().count() as u64;
    let sum: u128 = filled.clone().map(u128::from).sum();
    let least = u128::from(filled.min().unwrap_or(0));
    let value = match count {
        _ if count <= k => sum,
        _ if count == k + 1 => {
            let above = sum - u128::from(count) * least;
            let from = 1 + above.saturating_mul(above + 1) / 2;
            match least.checked_sub(from) {
                None => sum,
                Some(beyond) => from - 1 + beyond % (above + 1),
            }
        }
        _ => return None,
    };
    u64::try_from(value).ok()
}

/// Plies to the end of a position that the player to move loses, when the loser delays and the winner hurries; normal play: 2n/(k + 1), where n is the
/// number of things on the board. O(heaps).
///
/// Each round takes a multiple of k + 1, as the columns are multiples of it before and after. The loser makes it k + 1 by taking 1 from a heap with a 1 in the lowest
/// column that is not zero: the winner cannot change a higher column, for which k + 1 ones would have to go, so k other heaps lose their 1 there, and 1 is all that each
/// loses, since the ones below it in the first heap need k more. In misère play a round that leaves no heap above 1 takes at least 2k + 1:
/// k + 1 heaps were above 1, and one thing is left of 2k + 2; so it ends one ply sooner.
#[must_use]
pub fn plies_of_lost(heaps: &[u64], k: u64, misere: bool) -> u64 {
    let things: u128 = heaps.iter().copied().map(u128::from).sum();
    let all = match misere && heaps.iter().all(|heap| *heap <= 1) {
        true => 2 * (things.saturating_sub(1) / u128::from(k + 1)) + 1,
        false => 2 * things / u128::from(k + 1) - u128::from(misere),
    };
    u64::try_from(all).unwrap_or(u64::MAX)
}

/// All ways of changing one to k heaps so that every column becomes a multiple of k + 1: what each heap becomes. `None` when there are
/// more than `most`.
///
/// From the highest place down. A heap that was made smaller is free: its lower digits may be anything. With s ones among the others and f free heaps, r of the
/// others get 0 for their 1 and become free, u of those free before get a 1, so that s - r + u is a multiple of k + 1. Since f + r <= k, there is always such a choice,
/// whatever was chosen before; and within a place only what leads to one is walked. So the walk has no dead ends: O(60 x heaps²) for each way found.
pub fn equalized(
    heaps: &[u64],
    k: u64,
    most: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Vec<u64>>>, Stopped> {
    let mut walk = Walk {
        k: usize::try_from(k).unwrap_or(usize::MAX).min(heaps.len()),
        modulus: k + 1,
        before: heaps,
        now: heaps.to_vec(),
        free: vec![false; heaps.len()],
        most,
        found: Vec::new(),
    };
    walk.place(PLACES, meter)?;
    walk.found.retain(|after| after != heaps);
    Ok((walk.found.len() <= most).then_some(walk.found))
}

struct Walk<'h> {
    k: usize,
    modulus: u64,
    before: &'h [u64],
    now: Vec<u64>,
    free: Vec<bool>,
    most: usize,
    found: Vec<Vec<u64>>,
}

impl Walk<'_> {
    /// Settles the places below this one.
    fn place(&mut self, above: u32, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let Some(place) = above.checked_sub(1) else {
            self.found.push(self.now.clone());
            return Ok(());
        };
        self.heap(place, 0, 0, meter)
    }

    /// Settles this place of the heaps from this one on; `ones` were left in it so far.
    fn heap(
        &mut self,
        place: u32,
        heap: usize,
        ones: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        meter.work(1 + self.before.len() as u64 / 16)?;
        if self.found.len() > self.most || !self.can_be_multiple(place, heap, ones) {
            return Ok(());
        }
        if heap == self.before.len() {
            return self.place(place, meter);
        }
        let bit = 1u64 << place;
        let one = self.before[heap] & bit != 0;
        if self.free[heap] {
            self.now[heap] &= !bit;
            self.heap(place, heap + 1, ones, meter)?;
            self.now[heap] |= bit;
            self.heap(place, heap + 1, ones + 1, meter)?;
            self.now[heap] = self.now[heap] & !bit | self.before[heap] & bit;
            return Ok(());
        }
        self.heap(place, heap + 1, ones + u64::from(one), meter)?;
        if one && self.room() > 0 {
            self.free[heap] = true;
            self.now[heap] &= !bit;
            self.heap(place, heap + 1, ones, meter)?;
            self.now[heap] |= bit;
            self.free[heap] = false;
        }
        Ok(())
    }

    /// How many more heaps may be made smaller.
    fn room(&self) -> usize {
        self.k - self.free.iter().filter(|free| **free).count()
    }

    /// Whether the heaps from this one on can make the number of ones a multiple: each number between the fewest and the most can be had.
    fn can_be_multiple(&self, place: u32, heap: usize, ones: u64) -> bool {
        let (mut free, mut fixed) = (0, 0);
        for later in heap..self.before.len() {
            match self.free[later] {
                true => free += 1,
                false => fixed += self.before[later] >> place & 1,
            }
        }
        let fewest = ones + fixed.saturating_sub(self.room() as u64);
        let most = ones + fixed + free;
        most / self.modulus * self.modulus >= fewest
    }
}

/// All ways of changing one to k heaps so that none is above 1 and the number of heaps left is 1 modulo k + 1; `None` when there are more than `most`.
pub fn left_as_ones(
    heaps: &[u64],
    k: u64,
    most: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Vec<u64>>>, Stopped> {
    let mut open: Vec<(Vec<u64>, u64)> = vec![(Vec::new(), 0)];
    for heap in heaps {
        let mut next = Vec::new();
        for (after, changed) in open {
            meter.work(1)?;
            for left in 0..=(*heap).min(1) {
                let changed = changed + u64::from(left != *heap);
                if changed <= k {
                    let mut after = after.clone();
                    after.push(left);
                    next.push((after, changed));
                }
            }
        }
        if next.len() > 4 * most {
            return Ok(None);
        }
        open = next;
    }
    let fits = |(after, changed): &(Vec<u64>, u64)| {
        *changed > 0 && after.iter().sum::<u64>() % (k + 1) == 1
    };
    let found: Vec<Vec<u64>> = open
        .into_iter()
        .filter(fits)
        .map(|(after, _)| after)
        .collect();
    Ok((found.len() <= most).then_some(found))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::theory::suspense;

    /// Remoteness by all lines of play.
    fn remoteness(
        heaps: &[u64],
        k: usize,
        misere: bool,
        known: &mut HashMap<Vec<u64>, u64>,
    ) -> u64 {
        let mut heaps = heaps.to_vec();
        heaps.sort_unstable();
        if let Some(plies) = known.get(&heaps) {
            return *plies;
        }
        let mut after: Vec<(Vec<u64>, usize)> = vec![(Vec::new(), 0)];
        for heap in &heaps {
            let longer = after.iter().flat_map(|(left, changed)| {
                (0..=*heap).map(move |now| {
                    (
                        [&left[..], &[now]].concat(),
                        changed + usize::from(now != *heap),
                    )
                })
            });
            after = longer.filter(|(_, changed)| *changed <= k).collect();
        }
        let after = after.into_iter().filter(|(_, changed)| *changed > 0);
        let options: Vec<u64> = after
            .map(|(left, _)| remoteness(&left, k, misere, known))
            .collect();
        let plies = suspense::remoteness(&options, misere);
        known.insert(heaps, plies);
        plies
    }

    #[test]
    fn lost_positions_last_as_long_as_all_lines_of_play_say() {
        let mut lost = 0;
        for (k, count, largest) in [(1, 4, 6), (2, 5, 4), (3, 5, 3)] {
            for misere in [false, true] {
                let mut known = HashMap::new();
                remoteness(&vec![largest; count], k, misere, &mut known);
                for (heaps, plies) in known {
                    if is_lost(&heaps, k as u64, misere) {
                        assert_eq!(
                            plies_of_lost(&heaps, k as u64, misere),
                            plies,
                            "{heaps:?} {k} {misere}"
                        );
                        lost += 1;
                    }
                }
            }
        }
        assert!(lost > 50, "{lost}");
    }
}
