//! The share of decisions that were kept, with its interval.

use serde::Serialize;

use crate::statistics::Accuracy;

/// How many wins were kept, of those that could be lost, as a share with the 95 % interval of E. B. Wilson (1927).
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Share {
    /// Moves made in won positions in which some moves keep the win and others do not.
    pub decisions: u64,
    /// How many of them kept it.
    pub kept: u64,
    /// The share kept, from 0 to 1; `null` without a decision.
    pub share: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Share {
    /// Wins that were given away.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.decisions - self.kept
    }
}

impl From<Accuracy> for Share {
    fn from(accuracy: Accuracy) -> Self {
        let (low, high) = accuracy.interval().unzip();
        Self {
            decisions: accuracy.won,
            kept: accuracy.kept,
            share: accuracy.share(),
            low,
            high,
        }
    }
}
