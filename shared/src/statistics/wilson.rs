//! The interval of a proportion.

use super::normal::Z95;

/// Wilson's 95 % interval of a proportion, of `successes` in `trials`; `None` without trials.
///
/// It stays within 0 and 1 and is defined when all or none succeeded. `successes` may be fractional, as half a point
/// for a draw, and is at most `trials`. Source: Wilson, J. Amer. Statist. Assoc. 22 (1927) 209-212.
#[must_use]
pub fn wilson(successes: f64, trials: f64) -> Option<(f64, f64)> {
    if trials.is_nan() || trials <= 0.0 {
        return None;
    }
    let share = successes / trials;
    let z2 = Z95 * Z95;
    let centre = (share + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
    let half = Z95 / (1.0 + z2 / trials)
        * (share * (1.0 - share) / trials + z2 / (4.0 * trials * trials)).sqrt();
    // At the ends the two terms cancel exactly; rounding must not leave the range.
    let low = if successes <= 0.0 {
        0.0
    } else {
        (centre - half).max(0.0)
    };
    let high = if successes >= trials {
        1.0
    } else {
        (centre + half).min(1.0)
    };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_of_ten() {
        let (low, high) = wilson(10.0, 10.0).expect("trials");
        assert!((low - 0.722_5).abs() < 5e-5, "{low}");
        assert_eq!(high, 1.0);
        assert_eq!(wilson(0.0, 0.0), None);
    }

    /// The definition: both ends are the proportions from which the observed one is exactly z standard errors away.
    #[test]
    fn the_ends_solve_the_defining_equation() {
        for trials in [1u32, 2, 7, 40, 1000] {
            for successes in 0..=trials {
                let (n, k) = (f64::from(trials), f64::from(successes));
                let (low, high) = wilson(k, n).expect("trials");
                assert!((0.0..=1.0).contains(&low) && low <= high && high <= 1.0);
                for end in [low, high] {
                    let distance = (k / n - end).powi(2) - Z95 * Z95 * end * (1.0 - end) / n;
                    assert!(distance.abs() < 1e-12, "{k}/{n}: {end}");
                }
            }
        }
    }
}
