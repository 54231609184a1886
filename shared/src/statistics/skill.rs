//! Skill: how often a player finds a winning move, fitted to decisions in won positions.
//!
//! The model is that of the bots `skill:Q` and of [`crate::odds`]: with probability *q* the player makes a winning move,
//! otherwise any legal move, each equally likely. With a share *w* of the moves winning, the win is kept with
//! probability `q + (1-q)w`. The estimate is the *q* that makes the decisions most likely; the interval holds each *q* whose
//! likelihood is at least `exp(-1.92)` times that (S. S. Wilks, 1938), which is a 95 % interval for many decisions
//! and an approximation for few.

use serde::Serialize;

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
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SkillEstimate {
    /// From 0 (any legal move) to 1 (always a winning move).
    pub skill: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The decisions that it was fitted to.
    pub decisions: u64,
}

/// Fits the skill to these decisions. Those in which every move wins, or none, are left out; `None` if no other is there.
///
/// Cost: some hundred passes over the decisions.
#[must_use]
pub fn skill(decisions: &[Decision]) -> Option<SkillEstimate> {
    let says = |decision: &Decision| 0.0 < decision.winning_share && decision.winning_share < 1.0;
    let decisions: Vec<Decision> = decisions.iter().copied().filter(says).collect();
    if decisions.is_empty() {
        return None;
    }
    // The logarithm of the likelihood is concave, so its slope falls.
    let best = match slope(&decisions, 0.0) > 0.0 {
        false => 0.0,
        true if decisions.iter().all(|decision| decision.kept) => 1.0,
        true => boundary(0.0, 1.0, |q| slope(&decisions, q) > 0.0),
    };
    let least = log_likelihood(&decisions, best) - FALL;
    let fits = |q: f64| log_likelihood(&decisions, q) >= least;
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
        decisions: decisions.len() as u64,
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

fn log_likelihood(decisions: &[Decision], q: f64) -> f64 {
    let of = |decision: &Decision| {
        let lost = (1.0 - q) * (1.0 - decision.winning_share);
        libm::log(if decision.kept { 1.0 - lost } else { lost })
    };
    decisions.iter().map(of).sum()
}

fn slope(decisions: &[Decision], q: f64) -> f64 {
    let of = |decision: &Decision| {
        let rest = 1.0 - decision.winning_share;
        match decision.kept {
            true => rest / (1.0 - (1.0 - q) * rest),
            false => -1.0 / (1.0 - q),
        }
    };
    decisions.iter().map(of).sum()
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
