//! Skill: how often a player finds a winning move, fitted to decisions in won positions.
//!
//! The model is that of the bots `skill:Q` and of [`crate::odds`]: with probability *q* the player makes a winning move,
//! otherwise any legal move, each equally likely. With a share *w* of the moves winning, the win is kept with
//! probability `q + (1-q)w`. The estimate is the *q* that makes the decisions most likely; the interval holds each *q* whose
//! likelihood is at least `exp(-1.92)` times that (S. S. Wilks, 1938), which is a 95 % interval for many decisions
//! and an approximation for few.

use serde::{Deserialize, Serialize};

use crate::json::exact;

/// Half of the 95 % point of the chi-squared distribution with one degree of freedom.
const FALL: f64 = 1.920_729_410_347_062;
/// Halvings of an interval: more than a double has digits.
const HALVINGS: u32 = 60;

/// One decision in a won position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// The share of the legal moves that win; strictly between 0 and 1, or the decision says nothing.
    pub winning_share: f64,
    /// Whether the win was kept.
    pub kept: bool,
}

/// The skill that fits best.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SkillEstimate {
    /// From 0 (any legal move) to 1 (always a winning move).
    #[serde(deserialize_with = "exact")]
    pub skill: f64,
    /// The lower end of the 95 % interval.
    #[serde(deserialize_with = "exact")]
    pub low: f64,
    /// The upper end.
    #[serde(deserialize_with = "exact")]
    pub high: f64,
    /// The decisions that it was fitted to.
    pub decisions: u64,
}

/// Decisions in which the same share of the moves wins, counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecisionCount {
    /// The share of the legal moves that win.
    pub winning_share: f64,
    /// How often the win was kept.
    pub kept: u64,
    /// How often it was given away.
    pub missed: u64,
}

impl From<Decision> for DecisionCount {
    fn from(decision: Decision) -> Self {
        Self {
            winning_share: decision.winning_share,
            kept: u64::from(decision.kept),
            missed: u64::from(!decision.kept),
        }
    }
}

/// Fits the skill to these decisions. Those in which every move wins, or none, are left out; `None` if no other is there.
///
/// Cost: some hundred passes over the decisions.
#[must_use]
pub fn skill(decisions: &[Decision]) -> Option<SkillEstimate> {
    skill_of_counts(decisions.iter().copied().map(DecisionCount::from))
}

/// The same for decisions that were counted by their shares: a hundred thousand decisions have few different shares.
///
/// Cost: some hundred passes over the counts.
#[must_use]
pub fn skill_of_counts(counts: impl IntoIterator<Item = DecisionCount>) -> Option<SkillEstimate> {
    let says = |count: &DecisionCount| 0.0 < count.winning_share && count.winning_share < 1.0;
    let counts: Vec<DecisionCount> = counts.into_iter().filter(says).collect();
    let decisions: u64 = counts.iter().map(|count| count.kept + count.missed).sum();
    if decisions == 0 {
        return None;
    }
    // The logarithm of the likelihood is concave, so its slope falls.
    let best = match slope(&counts, 0.0) > 0.0 {
        false => 0.0,
        true if counts.iter().all(|count| count.missed == 0) => 1.0,
        true => boundary(0.0, 1.0, |q| slope(&counts, q) > 0.0),
    };
    let least = log_likelihood(&counts, best) - FALL;
    let fits = |q: f64| log_likelihood(&counts, q) >= least;
    let low = match fits(0.0) {
        true => 0.0,
        false => boundary(best, 0.0, fits),
    };
    let high = match fits(1.0) {
        true => 1.0,
        false => boundary(best, 1.0, fits),
    };
    Some(SkillEstimate {
        skill: best,
        low,
        high,
        decisions,
    })
}

/// Where a property ends that holds at one end and not at the other.
fn boundary(holds_at: f64, fails_at: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut inner, mut outer) = (holds_at, fails_at);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inner, outer);
        match holds(middle) {
            true => inner = middle,
            false => outer = middle,
        }
    }
    inner
}

fn log_likelihood(counts: &[DecisionCount], q: f64) -> f64 {
    let of = |count: &DecisionCount| {
        let lost = (1.0 - q) * (1.0 - count.winning_share);
        weighted(count.kept, || libm::log(1.0 - lost)) + weighted(count.missed, || libm::log(lost))
    };
    counts.iter().map(of).sum()
}

fn slope(counts: &[DecisionCount], q: f64) -> f64 {
    let of = |count: &DecisionCount| {
        let rest = 1.0 - count.winning_share;
        weighted(count.kept, || rest / (1.0 - (1.0 - q) * rest))
            + weighted(count.missed, || -1.0 / (1.0 - q))
    };
    counts.iter().map(of).sum()
}

/// A term counted so often. One that is not counted at all may be infinite.
fn weighted(count: u64, term: impl FnOnce() -> f64) -> f64 {
    match count {
        0 => 0.0,
        count => count as f64 * term(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decisions(kept: usize, lost: usize, share: f64) -> Vec<Decision> {
        let of = |kept| Decision {
            winning_share: share,
            kept,
        };
        let all = std::iter::repeat_n(of(true), kept);
        all.chain(std::iter::repeat_n(of(false), lost)).collect()
    }

    #[test]
    fn with_equal_shares_the_estimate_has_a_closed_form() {
        // 7 of 10 kept where a quarter of the moves win: q + (1-q)/4 = 0.7.
        let found = skill(&decisions(7, 3, 0.25)).expect("decisions");
        assert!((found.skill - 0.6).abs() < 1e-9, "{found:?}");
        assert_eq!(found.decisions, 10);
        // Worse than chance is no skill.
        let found = skill(&decisions(1, 9, 0.5)).expect("decisions");
        assert_eq!((found.skill, found.low), (0.0, 0.0));
    }

    #[test]
    fn without_a_mistake_the_lower_end_falls_with_the_number() {
        // (q + (1-q)/4)^n = exp(-1.92) at the lower end.
        for count in [3, 10, 100] {
            let found = skill(&decisions(count, 0, 0.25)).expect("decisions");
            assert_eq!((found.skill, found.high), (1.0, 1.0));
            let share = (-FALL / count as f64).exp();
            let low = (share - 0.25) / 0.75;
            assert!((found.low - low.max(0.0)).abs() < 1e-9, "{count} {found:?}");
        }
    }

    #[test]
    fn what_says_nothing_is_left_out() {
        assert_eq!(skill(&[]), None);
        assert_eq!(skill(&decisions(5, 0, 1.0)), None);
        assert_eq!(skill(&decisions(0, 5, 0.0)), None);
        let mut some = decisions(7, 3, 0.25);
        let alone = skill(&some);
        some.extend(decisions(4, 0, 1.0));
        assert_eq!(skill(&some), alone);
    }

    #[test]
    fn counted_decisions_say_the_same_as_single_ones() {
        let single = [
            decisions(7, 3, 0.25),
            decisions(2, 5, 0.5),
            decisions(4, 0, 1.0),
        ]
        .concat();
        let counted = [(0.25, 7, 3), (0.5, 2, 5), (1.0, 4, 0)];
        let counted = counted.map(|(winning_share, kept, missed)| DecisionCount {
            winning_share,
            kept,
            missed,
        });
        let (one, other) = (skill(&single), skill_of_counts(counted));
        let (one, other) = (one.expect("decisions"), other.expect("decisions"));
        assert_eq!((one.decisions, other.decisions), (17, 17));
        for (one, other) in [
            (one.skill, other.skill),
            (one.low, other.low),
            (one.high, other.high),
        ] {
            assert!((one - other).abs() < 1e-9, "{one} {other}");
        }
        // A win that was always kept has no infinite weight, and nothing counted is no decision.
        let always = skill_of_counts([DecisionCount {
            winning_share: 0.5,
            kept: 9,
            missed: 0,
        }]);
        assert_eq!(always, skill(&decisions(9, 0, 0.5)));
        assert_eq!(
            skill_of_counts([DecisionCount {
                winning_share: 0.5,
                kept: 0,
                missed: 0
            }]),
            None
        );
    }

    proptest! {
        /// No point of a fine grid is more likely than the estimate, and the grid's own interval is the same.
        #[test]
        fn a_grid_finds_nothing_better(
            some in prop::collection::vec((0.01f64..0.99, any::<bool>()), 1..30),
        ) {
            let some: Vec<Decision> = some
                .into_iter()
                .map(|(winning_share, kept)| Decision { winning_share, kept })
                .collect();
            let found = skill(&some).expect("decisions");
            // The likelihood itself, and not its logarithm.
            let likelihood = |q: f64| -> f64 {
                let of = |one: &Decision| {
                    let kept = q + (1.0 - q) * one.winning_share;
                    if one.kept { kept } else { 1.0 - kept }
                };
                some.iter().map(of).product()
            };
            let best = likelihood(found.skill);
            prop_assert!(found.low <= found.skill && found.skill <= found.high);
            for step in 0..=1_000 {
                let q = f64::from(step) / 1_000.0;
                let ratio = likelihood(q) / best;
                prop_assert!(ratio <= 1.0 + 1e-9, "{found:?} {q}");
                let inside = found.low - 1e-9 <= q && q <= found.high + 1e-9;
                let far = (ratio / (-FALL).exp() - 1.0).abs() > 1e-6;
                prop_assert!(!far || inside == (ratio > (-FALL).exp()), "{found:?} {q} {ratio}");
            }
        }
    }
}
