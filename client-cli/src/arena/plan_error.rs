//! Why an arena cannot be planned, and what to do about it.

use grundy_shared::tournament::{MAX_SWISS_PLAYERS, ScheduleError, SwissError};

use super::settings::MOST_GAMES;

/// Why there is no plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PlanError {
    #[error("{0}")]
    Schedule(#[from] ScheduleError),
    #[error("{0}")]
    Swiss(SwissError),
    #[error("--rounds {rounds}: {players} bots can play at most {most} {} without meeting twice", if *.most == 1 { "round" } else { "rounds" })]
    Rounds {
        players: usize,
        rounds: u32,
        most: u32,
    },
    #[error("--pairs {pairs}: the bots meet {meetings} {}, and an arena has at most {MOST_GAMES} games", if *.meetings == 1 { "time" } else { "times" })]
    Games {
        pairs: u32,
        meetings: u64,
        most: u64,
    },
}

impl PlanError {
    /// What to do about it.
    pub(crate) fn hint(self) -> String {
        match self {
            Self::Rounds { most: 1, .. } => "write --rounds 1".to_owned(),
            Self::Rounds { most, .. } => format!("write --rounds with a number from 1 to {most}"),
            Self::Games { most: 0, .. } => {
                "name fewer bots, or write --format knockout or --format swiss".to_owned()
            }
            Self::Games { most, .. } => format!("write --pairs with a number from 1 to {most}"),
            Self::Schedule(ScheduleError::BadSeeds { .. }) => {
                "name more bots, or write --seeds 1".to_owned()
            }
            Self::Schedule(ScheduleError::TooFewPlayers(_)) => {
                "name a second bot, such as --bot random".to_owned()
            }
            Self::Schedule(ScheduleError::TooManyGames(..)) => format!(
                "play a Swiss tournament (up to {MAX_SWISS_PLAYERS} bots), a knockout, or qualifying groups"
            ),
            Self::Schedule(ScheduleError::TooManyPlayers(_)) | Self::Swiss(_) => {
                "play a knockout, or qualifying groups first".to_owned()
            }
        }
    }
}
