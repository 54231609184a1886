//! A rating as it is stored: in fixed point, so that it is the same wherever it is computed again.

use serde::{Deserialize, Serialize};

use crate::event::PairScore;
use crate::ids::Millis;
use crate::rating::{GameScore, PROVISIONAL_DEVIATION, RatedGame, Rating, after_period};

/// How much volatilities may change: Glickman's system constant.
pub const TAU: f64 = 0.5;
/// The time without play that counts as one rating period. With the volatility of a newcomer, a deviation of 60 grows to 110 within a year.
pub const PERIOD_MS: Millis = Millis(112 * 60 * 60 * 1_000);
/// The deviation of a newcomer; none is larger.
const DEVIATION_MAX: f64 = 350.0;
/// Points of one unit of Glicko-2's own scale.
const SCALE: f64 = 173.7178;
/// The longest time that a rating counts as settled: about three thousand years.
const SETTLED_MAX: f64 = 1e14;

/// A rating in fixed point. The log keeps it so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Strength {
    /// The rating in hundredths of a point.
    pub rating: i32,
    /// The deviation in hundredths of a point.
    pub deviation: u32,
    /// The volatility in billionths.
    pub volatility: u32,
}

impl Default for Strength {
    fn default() -> Self {
        Self::of(&Rating::default())
    }
}

/// Rounds to the nearest; what is out of range becomes the nearest bound.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast from floating point stops at the bounds, and figures are far within them"
)]
fn nearest(figure: f64) -> i64 {
    figure.round() as i64
}

impl Strength {
    /// From the figures of Glicko-2, rounded; a deviation above that of a newcomer becomes that.
    #[must_use]
    pub fn of(rating: &Rating) -> Self {
        let unsigned = |figure| u32::try_from(nearest(figure)).unwrap_or(0);
        Self {
            rating: i32::try_from(nearest(rating.rating * 100.0)).unwrap_or(0),
            deviation: unsigned(rating.deviation.min(DEVIATION_MAX) * 100.0),
            volatility: unsigned(rating.volatility * 1e9),
        }
    }

    /// The figures of Glicko-2.
    #[must_use]
    pub fn to_rating(self) -> Rating {
        Rating {
            rating: f64::from(self.rating) / 100.0,
            deviation: f64::from(self.deviation) / 100.0,
            volatility: f64::from(self.volatility) / 1e9,
        }
    }

    /// After this time without play: only the deviation grows.
    #[must_use]
    pub fn rested(self, idle: Millis) -> Self {
        let mut rating = self.to_rating();
        #[expect(clippy::cast_precision_loss, reason = "a time to the second is enough")]
        let periods = idle.0 as f64 / PERIOD_MS.0 as f64;
        rating.deviation = rating
            .deviation
            .hypot(SCALE * rating.volatility * periods.sqrt());
        Self::of(&rating)
    }

    /// After a pair against an opponent of this strength. Figures that are too extreme to be computed with stay as they are.
    #[must_use]
    pub fn after_pair(self, opponent: Self, score: PairScore) -> Self {
        let against = opponent.to_rating();
        let pair = RatedGame {
            opponent: against.rating,
            deviation: against.deviation,
            score: match score {
                PairScore::Won => GameScore::Won,
                PairScore::Drawn => GameScore::Drawn,
                PairScore::Lost => GameScore::Lost,
            },
        };
        let after = after_period(&self.to_rating(), &[pair], TAU);
        after.map_or(self, |after| Self::of(&after))
    }

    /// How long the rating stays settled without play; 0 if it is provisional.
    #[must_use]
    pub fn settled_for(self) -> Millis {
        let rating = self.to_rating();
        let room = PROVISIONAL_DEVIATION.powi(2) - rating.deviation.powi(2);
        if room < 0.0 {
            return Millis(0);
        }
        let growth = (SCALE * rating.volatility).powi(2);
        #[expect(clippy::cast_precision_loss, reason = "a time to the second is enough")]
        let settled = (room / growth * PERIOD_MS.0 as f64).min(SETTLED_MAX);
        Millis(u64::try_from(nearest(settled)).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_without_play_makes_a_settled_rating_provisional() {
        let settled = Strength {
            deviation: 6_000,
            ..Strength::default()
        };
        let days = settled.settled_for().0 / (24 * 60 * 60 * 1_000);
        assert!((360..=370).contains(&days), "{days}");
        assert_eq!(settled.rested(settled.settled_for()).deviation, 11_000);
        assert_eq!(settled.rested(Millis(0)), settled);
        assert_eq!(settled.rested(Millis(u64::MAX)).deviation, 35_000);
        assert_eq!(Strength::default().settled_for(), Millis(0));
    }

    #[test]
    fn a_dozen_or_so_pairs_make_a_newcomer_settled() {
        let mut one = Strength::default();
        let mut other = Strength::default();
        let mut pairs = 0;
        while one.settled_for() == Millis(0) {
            let score = match pairs % 2 {
                0 => PairScore::Won,
                _ => PairScore::Lost,
            };
            (one, other) = (
                one.after_pair(other, score),
                other.after_pair(one, score.of_opponent()),
            );
            pairs += 1;
        }
        assert!((8..=20).contains(&pairs), "{pairs}");
    }

    #[test]
    fn extreme_figures_stay_as_they_are() {
        let extreme = Strength {
            rating: i32::MAX,
            ..Strength::default()
        };
        assert_eq!(
            extreme.after_pair(Strength::default(), PairScore::Won),
            extreme
        );
        let none = Strength {
            rating: 0,
            deviation: 0,
            volatility: 0,
        };
        assert_eq!(none.after_pair(none, PairScore::Lost), none);
        assert!(none.settled_for() > Millis(0));
    }
}
