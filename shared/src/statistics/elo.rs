//! The rating difference that a match shows, and how sure it is.

use super::normal::{Z95, normal_cdf};
use super::sample::Sample;
use super::wilson::wilson;
use super::{Figure, Undetermined};

/// One standard deviation of a single game in units of normalised Elo: 800 / ln 10.
pub(super) const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// The figures of a match of two.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchSummary {
    /// How many observations (pairs, or games) there are.
    pub n: f64,
    /// The mean score of a game, from 0 to 1.
    pub score: f64,
    /// The variance of one observation's score, pairs halved to 0 to 1.
    pub variance: f64,
    /// The rating difference.
    pub elo: Figure,
    /// The lower end of its 95 % interval.
    pub elo_lo: Figure,
    /// The upper end of its 95 % interval.
    pub elo_hi: Figure,
    /// The difference in normalised Elo: in standard deviations of a game, scaled by 800 / ln 10.
    pub nelo: Figure,
    /// The half width of its 95 % interval.
    pub nelo_err: Figure,
    /// The likelihood of superiority: the chance that the true score is above one half. Its limit, 1 or 0, if all results are the same and not level.
    pub los: Figure,
}

impl MatchSummary {
    /// Every reason for a figure that is not determined, each once.
    #[must_use]
    pub fn reasons(&self) -> Vec<Undetermined> {
        let figures = [
            self.elo,
            self.elo_lo,
            self.elo_hi,
            self.nelo,
            self.nelo_err,
            self.los,
        ];
        let mut reasons: Vec<_> = figures.iter().filter_map(|figure| figure.err()).collect();
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }
}

/// The rating difference at which this score from 0 to 1 is expected: `-400 log10(1/s - 1)`.
///
/// # Errors
/// At 0 and 1 the difference is infinite.
pub fn elo_of_score(score: f64) -> Figure {
    if score <= 0.0 {
        Err(Undetermined::AllLost)
    } else if score >= 1.0 {
        Err(Undetermined::AllWon)
    } else {
        // The sum turns the negative zero of an even score into zero.
        Ok(-400.0 * (1.0 / score - 1.0).log10() + 0.0)
    }
}

/// The score from 0 to 1 that is expected at this rating difference: `1 / (1 + 10^(-d/400))`.
#[must_use]
pub fn score_of_elo(difference: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-difference / 400.0))
}

/// The figures of a match; `None` if it has no observation.
///
/// The interval is that of the mean by the normal approximation, turned into Elo end by end; at 0 % and 100 % its finite
/// end is Wilson's. Sources: Van den Bergh's notes on normalised Elo; fishtest's mathematics page.
#[must_use]
pub fn summarise(sample: &Sample) -> Option<MatchSummary> {
    let n = sample.size();
    if n <= 0.0 {
        return None;
    }
    let (score, variance) = match sample.only_score() {
        Some(score) => (score, 0.0),
        None => (sample.mean(), sample.variance()),
    };
    let mut summary = MatchSummary {
        n,
        score,
        variance,
        elo: elo_of_score(score),
        elo_lo: Err(Undetermined::NoVariance),
        elo_hi: Err(Undetermined::NoVariance),
        nelo: Err(Undetermined::NoVariance),
        nelo_err: Err(Undetermined::NoVariance),
        los: match score {
            won if won > 0.5 => Ok(1.0),
            lost if lost < 0.5 => Ok(0.0),
            _ => Err(Undetermined::NoVariance),
        },
    };
    if variance > 0.0 {
        let standard_error = (variance / n).sqrt();
        let half = Z95 * standard_error;
        let sigma = (sample.unit().games() * variance).sqrt();
        summary.elo_lo = elo_of_score(score - half).map_err(|_| Undetermined::IntervalReachesZero);
        summary.elo_hi = elo_of_score(score + half).map_err(|_| Undetermined::IntervalReachesOne);
        summary.nelo = Ok((score - 0.5) / sigma * NELO_PER_SIGMA);
        summary.nelo_err = Ok(half / sigma * NELO_PER_SIGMA);
        summary.los = Ok(normal_cdf((score - 0.5) / standard_error));
    } else if let Some((low, high)) = wilson(score * n, n) {
        // Of a score between, zero variance leaves no interval.
        if score >= 1.0 {
            summary.elo_lo = elo_of_score(low);
            summary.elo_hi = Err(Undetermined::AllWon);
        } else if score <= 0.0 {
            summary.elo_lo = Err(Undetermined::AllLost);
            summary.elo_hi = elo_of_score(high);
        }
    }
    Some(summary)
}

#[cfg(test)]
mod tests {
    use super::super::{GameCounts, PairCounts};
    use super::*;

    fn pairs(counts: [u64; 5]) -> MatchSummary {
        summarise(&PairCounts(counts).into()).expect("pairs")
    }

    fn games(wins: u64, losses: u64, draws: u64) -> MatchSummary {
        let counts = GameCounts {
            losses,
            draws,
            wins,
        };
        summarise(&counts.into()).expect("games")
    }

    fn near(figure: Figure, expected: f64, tolerance: f64) {
        let figure = figure.expect("determined");
        assert!(
            (figure - expected).abs() <= tolerance,
            "{figure} is not {expected}"
        );
    }

    #[test]
    fn the_example_of_the_montytest_page() {
        let summary = pairs([13, 37, 50, 25, 3]);
        near(summary.elo, -43.66, 0.005);
        near(Ok(summary.variance), 0.057_62, 5e-6);
        near(summary.nelo, -63.97, 0.005);
    }

    /// The published answers of fastchess's own tests.
    #[test]
    fn the_examples_of_fastchess() {
        let summary = games(76, 89, 123);
        near(summary.nelo, -20.76, 0.005);
        near(summary.nelo_err, 40.13, 0.005);
        near(summary.los, 0.1553, 5e-5);
        let summary = games(136, 96, 111);
        near(summary.nelo, 49.77, 0.005);
        near(summary.elo, 40.70, 0.005);
        let (low, high) = (summary.elo_lo.expect("low"), summary.elo_hi.expect("high"));
        near(Ok((high - low) / 2.0), 30.43, 0.005);
        near(summary.los, 0.9960, 5e-5);
        near(games(34, 356, 0).nelo, -508.44, 0.005);
        let summary = pairs([34, 54, 31 + 32, 64, 75]);
        near(summary.nelo, 57.94, 0.005);
        near(summary.nelo_err, 28.28, 0.005);
        near(summary.elo, 55.58, 0.005);
        let summary = pairs([332, 433, 457 + 41, 333, 334]);
        near(summary.nelo, -9.17, 0.005);
        near(summary.elo, -8.64, 0.005);
        near(summary.los, 0.0505, 5e-5);
    }

    #[test]
    fn what_is_not_determined_says_why() {
        let level = pairs([0, 0, 10, 0, 0]);
        assert_eq!(level.elo.map(f64::to_bits), Ok(0));
        assert_eq!(level.los, Err(Undetermined::NoVariance));
        assert_eq!(level.reasons(), [Undetermined::NoVariance]);
        let won = pairs([0, 0, 0, 0, 10]);
        assert_eq!(won.elo, Err(Undetermined::AllWon));
        assert_eq!(won.elo_hi, Err(Undetermined::AllWon));
        near(
            won.elo_lo,
            -400.0 * (1.0 / 0.722_467_2f64 - 1.0).log10(),
            0.001,
        );
        let lost = games(0, 3, 0);
        assert_eq!(lost.elo_lo, Err(Undetermined::AllLost));
        assert!(lost.elo_hi.is_ok());
        let wide = pairs([1, 0, 0, 0, 9]);
        assert_eq!(wide.elo_hi, Err(Undetermined::IntervalReachesOne));
        assert!(summarise(&PairCounts([0; 5]).into()).is_none());
    }

    /// The limit of the formula: the standard error is zero.
    #[test]
    fn the_superiority_is_certain_if_all_results_are_the_same() {
        assert_eq!(games(50, 0, 0).los, Ok(1.0));
        assert_eq!(games(0, 50, 0).los, Ok(0.0));
        assert_eq!(pairs([0, 0, 0, 0, 50]).los, Ok(1.0));
        assert_eq!(pairs([0, 0, 0, 50, 0]).los, Ok(1.0));
        assert_eq!(pairs([0, 50, 0, 0, 0]).los, Ok(0.0));
    }

    #[test]
    fn counts_near_the_largest_stay_finite() {
        let summary = pairs([u64::MAX, 0, 1, 0, u64::MAX]);
        near(summary.elo, 0.0, 1e-6);
        assert!(summary.los.expect("determined").is_finite());
    }
}
