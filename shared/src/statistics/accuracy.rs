//! Accuracy: the share of won positions that a player kept.

use super::wilson::wilson;

/// How many won positions a player had, and how many of them were still won after the move.
///
/// A *won position* is one that the mover wins and in which at least one legal move throws the win away. Forced, lost
/// and all-winning positions do not count. Counts of several games add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accuracy {
    /// Won positions kept.
    pub kept: u64,
    /// Won positions in all; never fewer than `kept`.
    pub won: u64,
}

impl Accuracy {
    /// Counts one position in which the mover could throw the win away.
    pub fn count(&mut self, kept: bool) {
        self.won += 1;
        self.kept += u64::from(kept);
    }

    /// Both counts together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            kept: self.kept + other.kept,
            won: self.won + other.won,
        }
    }

    /// The share kept, from 0 to 1; `None` without a won position.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.won > 0).then(|| self.kept as f64 / self.won as f64)
    }

    /// Wilson's 95 % interval of the share; `None` without a won position.
    #[must_use]
    pub fn interval(self) -> Option<(f64, f64)> {
        wilson(self.kept as f64, self.won as f64)
    }
}

/// The upper 95 % bound of an error rate when no error was seen in so many won positions: `1 - 0.05^(1/n)`, close to
/// 3/n. `None` without a position.
#[must_use]
pub fn error_rate_bound(won: u64) -> Option<f64> {
    // 1 - exp(ln 0.05 / n) without the loss of digits for large n.
    (won > 0).then(|| -libm::expm1(0.05f64.ln() / won as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let mut one = Accuracy::default();
        assert_eq!((one.share(), one.interval()), (None, None));
        one.count(true);
        one.count(false);
        let sum = one.plus(Accuracy { kept: 8, won: 8 });
        assert_eq!(sum, Accuracy { kept: 9, won: 10 });
        assert_eq!(sum.share(), Some(0.9));
        let (low, high) = sum.interval().expect("positions");
        assert!(low < 0.9 && 0.9 < high);
    }

    #[test]
    fn the_rule_of_three() {
        let bound = error_rate_bound(1000).expect("positions");
        assert!((bound - 0.003).abs() < 1e-5, "{bound}");
        assert!((error_rate_bound(1).expect("one") - 0.95).abs() < 1e-12);
        assert_eq!(error_rate_bound(0), None);
    }
}
