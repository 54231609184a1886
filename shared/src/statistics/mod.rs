//! What results say about strength: Elo and normalised Elo from pairs of games, the sequential test, ratings over all
//! games, accuracy, skill.
//!
//! Every position is solved, so one game shows the start position and not the player. The unit is the *pair*: two games
//! from one start with sides swapped. A figure that the data do not determine is an [`Undetermined`] with its reason,
//! never NaN or infinity.

mod accuracy;
mod bradley_terry;
mod elo;
mod normal;
mod pair;
mod sample;
mod skill;
mod sprt;
mod wilson;

use std::fmt;

pub use accuracy::{Accuracy, error_rate_bound};
pub use bradley_terry::{BtError, BtRating, BtResult, SMALLEST_COUNT, bradley_terry};
pub use elo::{MatchSummary, elo_of_score, score_of_elo, summarise};
pub use normal::{Z95, normal_cdf};
pub use pair::{Contestant, PairClass, PairResult, PairTally};
pub use sample::{GameCounts, PairCounts, Sample, Unit};
pub use skill::{Decision, DecisionCount, SkillEstimate, skill, skill_of_counts};
pub use sprt::{SprtError, SprtModel, SprtReport, SprtTest, SprtVerdict, sprt};
pub use wilson::wilson;

/// Why a figure is not determined by the data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Undetermined {
    /// All games (or pairs) were lost: the rating difference has no lower bound.
    AllLost,
    /// All games (or pairs) were won: the rating difference has no upper bound.
    AllWon,
    /// All games (or pairs) ended with one and the same score: the variance is zero.
    NoVariance,
    /// The interval of the score reaches 0, so that of the rating difference has no lower end.
    IntervalReachesZero,
    /// The interval of the score reaches 1, so that of the rating difference has no upper end.
    IntervalReachesOne,
    /// There was nothing to count.
    NoData,
    /// The constrained maximum of the likelihood was not found.
    NotConverged,
}

impl Undetermined {
    /// The reason in words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AllLost => "every game was lost, so the rating difference has no lower bound",
            Self::AllWon => "every game was won, so the rating difference has no upper bound",
            Self::NoVariance => "all results are the same, so the variance is zero",
            Self::IntervalReachesZero => {
                "the 95 % interval of the score reaches 0, so elo has no lower bound"
            }
            Self::IntervalReachesOne => {
                "the 95 % interval of the score reaches 1, so elo has no upper bound"
            }
            Self::NoData => "there is nothing to count",
            Self::NotConverged => "the constrained maximum of the likelihood was not found",
        }
    }
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A figure, or why there is none. The figure is always finite.
pub type Figure = Result<f64, Undetermined>;
