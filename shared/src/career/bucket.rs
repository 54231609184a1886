//! Decisions by something that is measured: the number of the move, or its time.

use serde::Serialize;

use super::share::Share;
use crate::statistics::Accuracy;

/// The first number of each range of moves: one, and then doubled.
pub(super) const PLIES: [u64; 9] = [1, 2, 3, 5, 9, 17, 33, 65, 129];
/// The first millisecond of each range of the time that a move took.
pub(super) const USED_MS: [u64; 8] = [0, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000];
/// The first millisecond of each range of the time left on the clock.
pub(super) const LEFT_MS: [u64; 7] = [0, 5_000, 10_000, 30_000, 60_000, 180_000, 600_000];

/// Counts in ranges that begin at these numbers.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    starts: &'static [u64],
    counts: Vec<(Accuracy, u64)>,
}

impl Buckets {
    pub(super) fn new(starts: &'static [u64]) -> Self {
        Self {
            starts,
            counts: vec![Default::default(); starts.len()],
        }
    }

    /// The counts of the range in which this number is: the decisions, and the mistakes.
    pub(super) fn of(&mut self, number: u64) -> &mut (Accuracy, u64) {
        let place = self.starts.partition_point(|start| *start <= number);
        &mut self.counts[place.saturating_sub(1)]
    }

    /// The ranges in which there is something.
    pub(super) fn rows(&self) -> Vec<Range> {
        let ends = self.starts.iter().skip(1).map(|start| Some(*start));
        let ends = ends.chain([None]);
        let rows = self.starts.iter().zip(ends).zip(&self.counts);
        let row =
            |((from, below), (accuracy, mistakes)): ((&u64, Option<u64>), &(Accuracy, u64))| {
                Range {
                    from: *from,
                    below,
                    mistakes: *mistakes,
                    share: (*accuracy).into(),
                }
            };
        let is_used = |range: &Range| range.mistakes > 0 || range.share.decisions > 0;
        rows.map(row).filter(is_used).collect()
    }
}

/// The decisions of one range.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Range {
    /// The first number of the range: of moves, or milliseconds.
    pub from: u64,
    /// The first number after it; `null` for the last range.
    pub below: Option<u64>,
    /// Wins and draws that were given away.
    pub mistakes: u64,
    /// The decisions, and how many kept the win.
    #[serde(flatten)]
    pub share: Share,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_one_range() {
        let all: [&'static [u64]; 3] = [&PLIES, &USED_MS, &LEFT_MS];
        for starts in all {
            assert!(starts.is_sorted_by(|one, next| one < next));
            let near = starts
                .iter()
                .flat_map(|start| [start.saturating_sub(1), *start, start + 1]);
            for number in near.chain([u64::MAX]) {
                let mut buckets = Buckets::new(starts);
                buckets.of(number).1 += 1;
                let [range] = buckets.rows()[..] else {
                    panic!("one range");
                };
                // There is no move 0.
                assert!(range.from <= number.max(1), "{number}");
                assert!(range.below.is_none_or(|below| number < below), "{number}");
            }
        }
    }
}
