//! The generalised sequential probability ratio test of two rating differences.
//!
//! The log-likelihood ratio compares the two maxima of the multinomial likelihood of the scores, each under its
//! hypothesis about the mean. Sources: Wald, Ann. Math. Statist. 16 (1945) 117-186, for the bounds; Van den Bergh, "The
//! GSPRT approximation" (logistic) and "Normalized Elo, practical" (normalised), as fishtest uses them.

use super::elo::{NELO_PER_SIGMA, score_of_elo};
use super::sample::Sample;
use super::{Figure, Undetermined};

/// What a class that was never observed counts as, so that both likelihoods are positive; the value of fishtest.
const EMPTY_CLASS: f64 = 1e-3;
/// The most rounds of the fixed-point iteration; it needs about ten for the usual small differences.
const ROUNDS: usize = 2_000;
/// How far apart the means of two solutions in a row may be, in standard deviations.
const LONGEST_STEP: f64 = 0.5;
/// The largest rating difference that can be asked about.
const LARGEST_ELO: f64 = 1_000.0;

/// The unit in which the two hypotheses are stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtModel {
    /// Normalised Elo: the mean in standard deviations of a game.
    Normalized,
    /// Logistic Elo: the mean itself.
    Logistic,
}

/// What is tested: `elo0` against `elo1`, with the chances of the two errors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtTest {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, above `elo0`.
    pub elo1: f64,
    /// The chance to accept H1 although H0 holds, between 0 and 0.5.
    pub alpha: f64,
    /// The chance to accept H0 although H1 holds, between 0 and 0.5.
    pub beta: f64,
    /// The unit of the differences.
    pub model: SprtModel,
}

/// The smallest chance of error: the bounds of a test stay finite.
const SMALLEST_CHANCE: f64 = 1e-100;

/// Why a test is not one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are equal or swapped, or not numbers.
    #[error("elo1 must be larger than elo0")]
    Order,
    /// A hypothesis is too far out.
    #[error("elo0 and elo1 must be between -1000 and 1000")]
    Range,
    /// A chance of error is out of range.
    #[error("alpha and beta must be at least 1e-100 and below 0.5")]
    Chance,
    /// There is no observation.
    #[error("there is no game to test")]
    Empty,
}

/// Where the test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// H0 is accepted: the ratio reached the lower bound.
    H0,
    /// H1 is accepted: the ratio reached the upper bound.
    H1,
    /// More games are needed.
    Continue,
}

impl SprtVerdict {
    /// `H0`, `H1` or `continue`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
            Self::Continue => "continue",
        }
    }
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtReport {
    /// The log-likelihood ratio of H1 to H0.
    pub llr: Figure,
    /// At or below it H0 is accepted: `ln(beta / (1 - alpha))`.
    pub lower: f64,
    /// At or above it H1 is accepted: `ln((1 - beta) / alpha)`.
    pub upper: f64,
    /// What follows.
    pub verdict: SprtVerdict,
}

/// The state of a test after these observations. Cost: a few hundred evaluations of five terms.
///
/// # Errors
/// If the test is not one, or there is no observation.
pub fn sprt(sample: &Sample, test: &SprtTest) -> Result<SprtReport, SprtError> {
    let chance = |chance: f64| (SMALLEST_CHANCE..0.5).contains(&chance);
    if !chance(test.alpha) || !chance(test.beta) {
        return Err(SprtError::Chance);
    }
    if test.elo0.is_nan() || test.elo1.is_nan() || test.elo0 >= test.elo1 {
        return Err(SprtError::Order);
    }
    if test.elo0 < -LARGEST_ELO || test.elo1 > LARGEST_ELO {
        return Err(SprtError::Range);
    }
    if sample.size() <= 0.0 {
        return Err(SprtError::Empty);
    }
    let lower = (test.beta / (1.0 - test.alpha)).ln();
    let upper = ((1.0 - test.beta) / test.alpha).ln();
    let llr = log_likelihood_ratio(sample, test);
    let verdict = match llr {
        Ok(llr) if llr >= upper => SprtVerdict::H1,
        Ok(llr) if llr <= lower => SprtVerdict::H0,
        _ => SprtVerdict::Continue,
    };
    Ok(SprtReport {
        llr,
        lower,
        upper,
        verdict,
    })
}

/// The scores from 0 to 1 with their chances; all chances are positive.
type Distribution = Vec<(f64, f64)>;

fn log_likelihood_ratio(sample: &Sample, test: &SprtTest) -> Figure {
    let counts: Distribution = sample
        .points()
        .map(|(score, count)| (score, if count > 0.0 { count } else { EMPTY_CLASS }))
        .collect();
    let size: f64 = counts.iter().map(|(_, count)| count).sum();
    let observed: Distribution = counts
        .iter()
        .map(|(score, count)| (*score, count / size))
        .collect();
    let under = |elo: f64| match test.model {
        SprtModel::Logistic => likeliest_with_mean(&observed, score_of_elo(elo)),
        SprtModel::Normalized => {
            // The standard deviation of a game is that of a halved pair times the root of 2.
            let t = elo / NELO_PER_SIGMA * sample.unit().games().sqrt();
            likeliest_with_t(&observed, t)
        }
    };
    let (h0, h1) = (under(test.elo0), under(test.elo1));
    let (Some(h0), Some(h1)) = (h0, h1) else {
        return Err(Undetermined::NotConverged);
    };
    let terms = observed.iter().zip(h0.iter().zip(&h1));
    let mean: f64 = terms
        .map(|((_, chance), ((_, p0), (_, p1)))| chance * (p1 / p0).ln())
        .sum();
    Ok(size * mean)
}

/// The likeliest distribution given the observed one with mean `mean`.
fn likeliest_with_mean(observed: &Distribution, mean: f64) -> Option<Distribution> {
    likeliest(observed, |score| score - mean)
}

/// The likeliest distribution given the observed one under `sum p(x) gradient(x) = 0`: by Lagrange's multiplier it is
/// `observed / (1 + theta gradient)`, and theta is the root of a decreasing function between two poles.
fn likeliest(observed: &Distribution, gradient: impl Fn(f64) -> f64) -> Option<Distribution> {
    let slopes: Vec<f64> = observed.iter().map(|(score, _)| gradient(*score)).collect();
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && greatest > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    loop {
        let theta = f64::midpoint(low, high);
        if theta <= low || theta >= high {
            break;
        }
        let terms = observed.iter().zip(&slopes);
        let sum: f64 = terms
            .map(|((_, chance), slope)| chance * slope / (1.0 + theta * slope))
            .sum();
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = f64::midpoint(low, high);
    let chances = observed.iter().zip(&slopes);
    let found: Distribution = chances
        .map(|((score, chance), slope)| (*score, chance / (1.0 + theta * slope)))
        .collect();
    found
        .iter()
        .all(|(_, chance)| chance.is_finite() && *chance > 0.0)
        .then_some(found)
}

/// The likeliest distribution given the observed one whose mean is `t` standard deviations above one half.
///
/// The condition `mean - 1/2 - t sigma = 0` is not linear. Its gradient at a distribution with mean m and standard
/// deviation s is `x - 1/2 - t s (1 + ((x - m)/s)^2) / 2`; solving with that gradient and taking it anew at the solution
/// converges to the maximum. The start is the uniform distribution, as Van den Bergh advises, and for a large t the
/// solution for a smaller one.
fn likeliest_with_t(observed: &Distribution, t: f64) -> Option<Distribution> {
    let uniform: Distribution = observed.iter().map(|(score, _)| (*score, 1.0)).collect();
    let mut start = mean_and_deviation(&uniform);
    let mut found = None;
    let steps = (t.abs() / LONGEST_STEP).ceil().max(1.0);
    for step in 1..=steps as u32 {
        let t = t * f64::from(step) / steps;
        // Whole steps may swing about the solution; shorter ones do not.
        let solution = [1.0, 0.5, 0.2, 0.05]
            .iter()
            .find_map(|share| iterated(observed, t, start, *share))?;
        start = mean_and_deviation(&solution);
        found = Some(solution);
    }
    found
}

/// The fixed point of the iteration from a mean and standard deviation, going so far of each step.
fn iterated(
    observed: &Distribution,
    t: f64,
    (mut mean, mut deviation): (f64, f64),
    share: f64,
) -> Option<Distribution> {
    for round in 0..ROUNDS {
        let found = likeliest(observed, |score| {
            let distance = (score - mean) / deviation;
            score - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
        })?;
        let (next_mean, next_deviation) = mean_and_deviation(&found);
        let change = (next_mean - mean).abs() + (next_deviation - deviation).abs();
        if change < 1e-11 || (round + 1 == ROUNDS && change < 1e-8) {
            let gap = next_mean - 0.5 - t * next_deviation;
            return (gap.abs() < 1e-8).then_some(found);
        }
        mean += share * (next_mean - mean);
        deviation += share * (next_deviation - deviation);
    }
    None
}

fn mean_and_deviation(distribution: &Distribution) -> (f64, f64) {
    let total: f64 = distribution.iter().map(|(_, chance)| chance).sum();
    let mean = distribution.iter().map(|(x, p)| x * p).sum::<f64>() / total;
    let squares = distribution.iter().map(|(x, p)| (x - mean).powi(2) * p);
    (mean, (squares.sum::<f64>() / total).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::{GameCounts, PairCounts};
    use super::*;

    fn test(elo0: f64, elo1: f64, model: SprtModel) -> SprtTest {
        SprtTest {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model,
        }
    }

    fn llr(sample: Sample, elo0: f64, elo1: f64, model: SprtModel) -> f64 {
        let report = sprt(&sample, &test(elo0, elo1, model)).expect("a test");
        report.llr.expect("determined")
    }

    fn pairs(counts: [u64; 5]) -> Sample {
        PairCounts(counts).into()
    }

    fn games(wins: u64, losses: u64, draws: u64) -> Sample {
        GameCounts {
            losses,
            draws,
            wins,
        }
        .into()
    }

    #[test]
    fn the_example_of_the_montytest_page() {
        let found = llr(pairs([13, 37, 50, 25, 3]), 0.0, 4.0, SprtModel::Normalized);
        assert!((found + 0.549_12).abs() < 5e-6, "{found}");
    }

    /// The ten published pairs of counts and ratios of fastchess's own tests. It prints two decimals, and stops its
    /// iteration at 1e-4, which shows in the two extreme ones.
    #[test]
    fn the_examples_of_fastchess() {
        use SprtModel::{Logistic, Normalized};
        let cases: [(Sample, f64, f64, SprtModel, f64); 10] = [
            (games(36433, 36027, 68692), 0.0, 2.0, Normalized, 0.92),
            (games(10871, 10650, 20431), -1.75, 0.25, Normalized, 2.30),
            (games(4250, 0, 0), 0.0, 10.0, Normalized, 120.56),
            (games(21404, 21184, 40708), 0.5, 2.5, Logistic, -1.57),
            (games(57433, 57030, 106_593), 0.0, 2.0, Logistic, -2.59),
            (
                pairs([365, 16618, 36229, 16974, 390]),
                0.0,
                2.0,
                Normalized,
                2.25,
            ),
            (
                pairs([127, 4883, 10712, 5150, 104]),
                -1.75,
                0.25,
                Normalized,
                3.01,
            ),
            (pairs([0, 0, 0, 0, 5550]), 0.0, 5.0, Normalized, 111.82),
            (
                pairs([223, 9863, 21279, 10037, 246]),
                0.5,
                2.5,
                Logistic,
                -3.07,
            ),
            (
                pairs([871, 26175, 55983, 26678, 821]),
                0.0,
                2.0,
                Logistic,
                -4.98,
            ),
        ];
        for (sample, elo0, elo1, model, expected) in cases {
            let found = llr(sample, elo0, elo1, model);
            let tolerance = 0.006 + expected.abs() * 2e-4;
            assert!(
                (found - expected).abs() < tolerance,
                "{found} is not {expected}"
            );
        }
    }

    /// On results of one kind only the ratio is finite, or said not to be found for the farthest hypotheses.
    #[test]
    fn extreme_questions_have_defined_answers() {
        let counts = [
            [0, 0, 9, 0, 0],
            [1_000_000, 0, 0, 0, 0],
            [0, 1, 0, 0, 9],
            [3, 0, 0, 0, 3],
        ];
        let hypotheses = [
            (0.0, 5.0),
            (-20.0, 20.0),
            (0.0, 200.0),
            (0.0, 1e-9),
            (-1000.0, 1000.0),
        ];
        for counts in counts {
            for (elo0, elo1) in hypotheses {
                for model in [SprtModel::Normalized, SprtModel::Logistic] {
                    let report = sprt(&pairs(counts), &test(elo0, elo1, model)).expect("a test");
                    let far = elo1 > 100.0 && model == SprtModel::Normalized;
                    let found = report.llr.map_or(far, f64::is_finite);
                    assert!(
                        found,
                        "{counts:?} {elo0} {elo1} {model:?}: {:?}",
                        report.llr
                    );
                }
            }
        }
    }

    #[test]
    fn the_bounds_are_walds() {
        let report = sprt(
            &pairs([1, 2, 3, 2, 1]),
            &test(0.0, 5.0, SprtModel::Logistic),
        );
        let report = report.expect("a test");
        assert!((report.upper - 2.944_44).abs() < 1e-5);
        assert!((report.lower + 2.944_44).abs() < 1e-5);
        assert_eq!(report.verdict, SprtVerdict::Continue);
    }

    #[test]
    fn tests_that_are_none_are_refused() {
        let sample = pairs([1, 2, 3, 2, 1]);
        let model = SprtModel::Logistic;
        assert_eq!(sprt(&sample, &test(5.0, 5.0, model)), Err(SprtError::Order));
        assert_eq!(
            sprt(&sample, &test(f64::NAN, 5.0, model)),
            Err(SprtError::Order)
        );
        assert_eq!(
            sprt(&sample, &test(0.0, f64::INFINITY, model)),
            Err(SprtError::Range)
        );
        let mut chance = test(0.0, 5.0, model);
        chance.alpha = 0.0;
        assert_eq!(sprt(&sample, &chance), Err(SprtError::Chance));
        assert_eq!(
            sprt(&pairs([0; 5]), &test(0.0, 5.0, model)),
            Err(SprtError::Empty)
        );
    }

    /// The log-likelihood of the observed counts under the constraint, maximised by walking: random small steps that keep
    /// the condition, whenever they gain. Slow, and independent of the formulas above.
    fn walked_maximum(
        observed: &Distribution,
        start: Distribution,
        condition: impl Fn(&Distribution) -> Distribution,
    ) -> f64 {
        let likelihood = |at: &Distribution| -> f64 {
            let terms = observed.iter().zip(at);
            terms.map(|((_, seen), (_, p))| seen * p.ln()).sum()
        };
        let mut state = 88_172_645_463_325_252u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut best = condition(&start);
        let mut step = 0.1;
        while step > 1e-8 {
            let mut gained = false;
            for _ in 0..400 {
                let moved: Distribution = best
                    .iter()
                    .map(|(x, p)| (*x, (p * (1.0 + step * random())).max(1e-12)))
                    .collect();
                let moved = condition(&moved);
                if moved.iter().all(|(_, p)| *p > 0.0) && likelihood(&moved) > likelihood(&best) {
                    best = moved;
                    gained = true;
                }
            }
            if !gained {
                step /= 2.0;
            }
        }
        likelihood(&best)
    }

    /// Tilts a distribution by the weight exp(k x) until its value of `measure` is `goal`.
    fn tilted(
        at: &Distribution,
        goal: f64,
        measure: impl Fn(&Distribution) -> f64,
    ) -> Distribution {
        let tilt = |k: f64| -> Distribution {
            let weights: Vec<f64> = at.iter().map(|(x, p)| p * (k * x).exp()).collect();
            let total: f64 = weights.iter().sum();
            let scores = at.iter().map(|(x, _)| *x);
            scores.zip(weights.iter().map(|w| w / total)).collect()
        };
        let (mut low, mut high) = (-60.0, 60.0);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if measure(&tilt(middle)) < goal {
                low = middle;
            } else {
                high = middle;
            }
        }
        tilt(low)
    }

    #[test]
    fn the_constrained_maxima_are_maxima() {
        let observed: Distribution = [0.1, 0.25, 0.4, 0.2, 0.05]
            .iter()
            .enumerate()
            .map(|(place, p)| (place as f64 / 4.0, *p))
            .collect();
        let likelihood = |at: &Distribution| -> f64 {
            let terms = observed.iter().zip(at);
            terms.map(|((_, seen), (_, p))| seen * p.ln()).sum()
        };
        for t in [-0.8, -0.1, 0.0, 0.3, 1.2] {
            let measure = |at: &Distribution| {
                let (mean, deviation) = mean_and_deviation(at);
                (mean - 0.5) / deviation
            };
            let found = likeliest_with_t(&observed, t).expect("it converges");
            assert!((measure(&found) - t).abs() < 1e-9);
            let walked = walked_maximum(&observed, observed.clone(), |at| tilted(at, t, measure));
            let gap = walked - likelihood(&found);
            assert!(gap.abs() < 1e-6, "t {t}: {gap}");
        }
        for mean in [0.3, 0.5, 0.7] {
            let found = likeliest_with_mean(&observed, mean).expect("it converges");
            assert!((mean_and_deviation(&found).0 - mean).abs() < 1e-12);
            let walked = walked_maximum(&observed, observed.clone(), |at| {
                tilted(at, mean, |at| mean_and_deviation(at).0)
            });
            let gap = walked - likelihood(&found);
            assert!(gap.abs() < 1e-6, "mean {mean}: {gap}");
        }
    }
}
