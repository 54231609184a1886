//! Why an arena cannot be planned, and what to do about it.

use grundy_shared::tournament::{MAX_SWISS_PLAYERS, ScheduleError, SwissError};
use grundy_words::Message;

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
    /// As a message.
    pub(crate) fn message(self) -> Message {
        match self {
            Self::Rounds {
                players,
                rounds,
                most,
            } => Message::new("plan-rounds")
                .text("players", players)
                .text("rounds", rounds)
                .number("most", most.into()),
            Self::Games {
                pairs, meetings, ..
            } => Message::new("plan-games")
                .text("pairs", pairs)
                .number("meetings", meetings)
                .text("most", MOST_GAMES),
            Self::Schedule(_) | Self::Swiss(_) => Message::new("plan-schedule")
                .text("fault", self.fault())
                .text("said", self),
        }
    }

    /// What is wrong with the bots, as messages name it.
    fn fault(self) -> &'static str {
        match self {
            Self::Schedule(ScheduleError::BadSeeds { .. }) => "seeds",
            Self::Schedule(ScheduleError::TooFewPlayers(_)) => "few",
            Self::Schedule(ScheduleError::TooManyGames(..)) => "games",
            Self::Schedule(ScheduleError::TooManyPlayers(_)) | Self::Swiss(_) => "many",
            Self::Rounds { .. } | Self::Games { .. } => "other",
        }
    }

    /// What to do about it.
    pub(crate) fn hint(self) -> Message {
        match self {
            Self::Rounds { most, .. } => {
                Message::new("plan-rounds-how").number("most", most.into())
            }
            Self::Games { most: 0, .. } => Message::new("plan-fewer-bots-how"),
            Self::Games { most, .. } => Message::new("plan-games-how").text("most", most),
            Self::Schedule(_) | Self::Swiss(_) => Message::new("plan-schedule-how")
                .text("fault", self.fault())
                .text("most", MAX_SWISS_PLAYERS),
        }
    }
}
