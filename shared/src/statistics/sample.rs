//! Results counted by score.

/// What one observation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// One game.
    Game,
    /// Two games from one start, sides swapped.
    Pair,
}

impl Unit {
    /// How many games one observation has.
    #[must_use]
    pub fn games(self) -> f64 {
        match self {
            Self::Game => 1.0,
            Self::Pair => 2.0,
        }
    }
}

/// Pairs by score: how many brought 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairCounts(pub [u64; 5]);

/// Single games by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCounts {
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won.
    pub wins: u64,
}

/// Observations by score, each score divided by the number of its games: from 0 to 1, ascending.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    unit: Unit,
    counts: [f64; 5],
    classes: usize,
}

impl From<PairCounts> for Sample {
    fn from(pairs: PairCounts) -> Self {
        Self {
            unit: Unit::Pair,
            counts: pairs.0.map(|count| count as f64),
            classes: 5,
        }
    }
}

impl From<GameCounts> for Sample {
    fn from(games: GameCounts) -> Self {
        Self {
            unit: Unit::Game,
            counts: [
                games.losses as f64,
                games.draws as f64,
                games.wins as f64,
                0.0,
                0.0,
            ],
            classes: 3,
        }
    }
}

impl Sample {
    /// What one observation is.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// How many observations there are.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.counts().sum()
    }

    /// The counts, of the lowest score first.
    pub(super) fn counts(&self) -> impl Iterator<Item = f64> {
        self.counts.into_iter().take(self.classes)
    }

    /// The scores from 0 to 1 that an observation can have, and how many had each.
    pub(super) fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let last = (self.classes - 1) as f64;
        self.counts()
            .enumerate()
            .map(move |(place, count)| (place as f64 / last, count))
    }

    /// The mean score.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.points()
            .map(|(score, count)| score * count)
            .sum::<f64>()
            / self.size()
    }

    /// The variance of one observation's score about the mean of the sample (divided by the size, not by one less).
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let squares = self
            .points()
            .map(|(score, count)| (score - mean).powi(2) * count);
        squares.sum::<f64>() / self.size()
    }

    /// The one score that all observations had, if they had the same.
    pub(super) fn only_score(&self) -> Option<f64> {
        let mut seen = self.points().filter(|(_, count)| *count > 0.0);
        let (score, _) = seen.next()?;
        seen.next().is_none().then_some(score)
    }
}
