//! A pair of games from one start, sides swapped: its points and what they mean.

use super::accuracy::Accuracy;
use super::sample::PairCounts;

/// One of the two players of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// The player whose points are counted.
    A,
    /// The opponent.
    B,
}

/// What a complete pair shows, given who had the won side by theory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PairClass {
    /// 1-1: both won with the won side.
    Sound,
    /// 1-1: both threw the won side away.
    DoubleUpset,
    /// One player won both games: exactly one won side was thrown away.
    SingleUpset,
    /// At least one game was drawn.
    Drawn,
    /// Theory does not say who had the won side.
    Unknown,
}

/// A complete pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairResult {
    /// The points of [`Contestant::A`] in half points: 0 to 4.
    pub half_points: u8,
    /// What the points mean.
    pub class: PairClass,
}

impl PairResult {
    /// From the winners of the two games (`None`: drawn) and the player who had the won side in the first game; in the
    /// second it is the other's. `favoured` is `None` if the start is a draw or its outcome is unknown.
    #[must_use]
    pub fn of(
        first: Option<Contestant>,
        second: Option<Contestant>,
        favoured: Option<Contestant>,
    ) -> Self {
        let points = |winner| match winner {
            Some(Contestant::A) => 2,
            None => 1,
            Some(Contestant::B) => 0,
        };
        let class = match (first, second, favoured) {
            (None, _, _) | (_, None, _) => PairClass::Drawn,
            (_, _, None) => PairClass::Unknown,
            (Some(one), Some(two), Some(_)) if one == two => PairClass::SingleUpset,
            (Some(one), Some(_), Some(favoured)) if one == favoured => PairClass::Sound,
            _ => PairClass::DoubleUpset,
        };
        Self {
            half_points: points(first) + points(second),
            class,
        }
    }
}

/// Complete pairs of one player against another, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairTally {
    /// By points.
    pub counts: PairCounts,
    /// 1-1 in which both won with the won side.
    pub sound: u64,
    /// 1-1 in which both threw the won side away.
    pub double_upsets: u64,
    /// How many won positions the player kept.
    pub accuracy: Accuracy,
}

impl PairTally {
    /// Counts a pair.
    pub fn count(&mut self, pair: PairResult) {
        self.counts.0[usize::from(pair.half_points.min(4))] += 1;
        match pair.class {
            PairClass::Sound => self.sound += 1,
            PairClass::DoubleUpset => self.double_upsets += 1,
            PairClass::SingleUpset | PairClass::Drawn | PairClass::Unknown => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Contestant::{A, B};
    use super::*;

    #[test]
    fn two_kinds_of_one_all() {
        let class = |first, second, favoured| PairResult::of(first, second, favoured).class;
        assert_eq!(class(Some(A), Some(B), Some(A)), PairClass::Sound);
        assert_eq!(class(Some(B), Some(A), Some(A)), PairClass::DoubleUpset);
        assert_eq!(class(Some(A), Some(A), Some(B)), PairClass::SingleUpset);
        assert_eq!(class(None, Some(A), Some(B)), PairClass::Drawn);
        assert_eq!(class(Some(A), Some(B), None), PairClass::Unknown);
    }

    #[test]
    fn points_are_those_of_a() {
        let mut tally = PairTally::default();
        for (first, second) in [
            (Some(A), Some(A)),
            (Some(A), None),
            (Some(B), Some(A)),
            (None, Some(B)),
            (Some(B), Some(B)),
        ] {
            tally.count(PairResult::of(first, second, Some(A)));
        }
        assert_eq!(tally.counts, PairCounts([1; 5]));
        assert_eq!((tally.sound, tally.double_upsets), (0, 1));
    }
}
