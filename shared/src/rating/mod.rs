//! The rating of the open ladder: Glicko-2, in rating periods of a fixed number of pairs.
//!
//! It serves matchmaking and the ladder only. The final order of a tournament comes from
//! [`bradley_terry`](crate::statistics::bradley_terry), which does not forget. Source: Glickman, "Example of the
//! Glicko-2 system" (2013). The arithmetic is the crate `skillratings`; this module checks its inputs and bounds.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// A rating deviation above which a rating is provisional.
pub const PROVISIONAL_DEVIATION: f64 = 110.0;

/// A player's rating: shown as `rating ± 2 deviations`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The strength, 1500 for a newcomer.
    pub rating: f64,
    /// One standard deviation of the strength, 350 for a newcomer.
    pub deviation: f64,
    /// How much the strength is expected to change, 0.06 for a newcomer.
    pub volatility: f64,
}

impl Default for Rating {
    fn default() -> Self {
        Self {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
        }
    }
}

impl Rating {
    /// Whether the rating rests on too few games to be shown as settled.
    #[must_use]
    pub fn is_provisional(&self) -> bool {
        self.deviation > PROVISIONAL_DEVIATION
    }
}

/// What became of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameScore {
    /// The player won.
    Won,
    /// Nobody won.
    Drawn,
    /// The player lost.
    Lost,
}

/// One game of a rating period.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedGame {
    /// The opponent's rating before the period.
    pub opponent: f64,
    /// The opponent's deviation before the period.
    pub deviation: f64,
    /// The player's result.
    pub score: GameScore,
}

/// An input out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingError {
    /// A rating.
    #[error("a rating must be between -10000 and 10000")]
    Rating,
    /// A deviation.
    #[error("a rating deviation must be above 0 and at most 1000")]
    Deviation,
    /// A volatility.
    #[error("a volatility must be above 0 and at most 1")]
    Volatility,
    /// The system constant.
    #[error("tau must be between 0.1 and 2")]
    Tau,
    /// The result is not a number: the inputs are in range but too extreme together.
    #[error("the new rating cannot be computed from these figures")]
    NotFinite,
}

/// One unit of the Glicko-2 scale in rating points (Glickman 2013, step 2).
const SCALE: f64 = 173.7178;

/// The largest deviation.
const LARGEST_DEVIATION: f64 = 1000.0;

/// The rating after one period; without a game only the deviation grows.
///
/// # Errors
/// If an input is out of range.
pub fn after_period(player: &Rating, games: &[RatedGame], tau: f64) -> Result<Rating, RatingError> {
    if !(0.1..=2.0).contains(&tau) {
        return Err(RatingError::Tau);
    }
    if !(player.volatility > 0.0 && player.volatility <= 1.0) {
        return Err(RatingError::Volatility);
    }
    let sides = games.iter().map(|game| (game.opponent, game.deviation));
    for (rating, deviation) in sides.chain([(player.rating, player.deviation)]) {
        if !(-10_000.0..=10_000.0).contains(&rating) {
            return Err(RatingError::Rating);
        }
        if !(deviation > 0.0 && deviation <= LARGEST_DEVIATION) {
            return Err(RatingError::Deviation);
        }
    }
    if games.is_empty() {
        // The library keeps deviations below 350 here, and Glickman's step 6 does not.
        let grown = player.deviation.hypot(player.volatility * SCALE);
        let grown = grown.min(LARGEST_DEVIATION);
        return Ok(Rating {
            deviation: grown,
            ..*player
        });
    }
    let rating = Glicko2Rating {
        rating: player.rating,
        deviation: player.deviation,
        volatility: player.volatility,
    };
    let results: Vec<(Glicko2Rating, Outcomes)> = games
        .iter()
        .map(|game| {
            let opponent = Glicko2Rating {
                rating: game.opponent,
                deviation: game.deviation,
                // The opponent's volatility does not enter.
                volatility: 0.06,
            };
            let outcome = match game.score {
                GameScore::Won => Outcomes::WIN,
                GameScore::Drawn => Outcomes::DRAW,
                GameScore::Lost => Outcomes::LOSS,
            };
            (opponent, outcome)
        })
        .collect();
    let config = Glicko2Config {
        tau,
        convergence_tolerance: 1e-12,
    };
    let after = glicko2_rating_period(&rating, &results, &config);
    let figures = [after.rating, after.deviation, after.volatility];
    if figures.iter().all(|figure| figure.is_finite()) {
        Ok(Rating {
            rating: after.rating,
            deviation: after.deviation,
            volatility: after.volatility,
        })
    } else {
        Err(RatingError::NotFinite)
    }
}

#[cfg(test)]
mod tests;
