//! The results of a match, as they are typed.

use clap::Args;
use grundy_shared::statistics::{GameCounts, PairCounts, Sample};

use super::numbers;
use crate::failure::Failure;

/// The results of a match, as pairs or as single games.
#[derive(Debug, Args)]
pub(super) struct Results {
    /// How many pairs scored 0, 1/2, 1, 1 1/2 and 2 points
    #[arg(
        long,
        value_name = "N0,N1,N2,N3,N4",
        required_unless_present = "games",
        allow_hyphen_values = true
    )]
    pairs: Option<String>,
    /// How many single games were lost, drawn and won
    #[arg(
        long,
        value_name = "L,D,W",
        conflicts_with = "pairs",
        allow_hyphen_values = true
    )]
    games: Option<String>,
}

impl Results {
    /// Reads them. Before the first game all counts are 0.
    pub(super) fn sample(&self) -> Result<Sample, Failure> {
        Ok(if let Some(pairs) = &self.pairs {
            PairCounts(numbers::counts(pairs, "--pairs", "13,37,50,25,3")?).into()
        } else {
            let games = self.games.as_deref().unwrap_or_default();
            let [losses, draws, wins] = numbers::counts(games, "--games", "89,123,76")?;
            GameCounts {
                losses,
                draws,
                wins,
            }
            .into()
        })
    }

    /// What is counted, for people.
    pub(super) fn unit(&self) -> &'static str {
        match self.pairs {
            Some(_) => "pair",
            None => "game",
        }
    }
}
