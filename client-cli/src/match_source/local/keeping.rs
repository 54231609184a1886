//! Whether a match in this process reaches the library on this computer.

use grundy_shared::event::Event;
use grundy_shared::ids::MatchId;
use grundy_shared::referee::{Referee, Status};

use crate::failure::Failure;
use crate::library::keeper::Keeper;

/// Whether the match reaches the library on this computer.
#[derive(Debug)]
pub(super) enum Keeping {
    /// The user does not want it.
    Unwanted,
    /// Each event is on the disk before it is shown.
    Each(Keeper),
    /// A write failed, and the user knows. The whole record is tried once more at the end.
    AtTheEnd(Keeper),
}

/// What there is to say before the events are shown.
#[derive(Debug)]
pub(super) enum Kept {
    /// They are on the disk.
    Yes,
    /// They are not, for a reason that is news.
    No(Failure),
}

impl Keeping {
    /// Each event, if there is somebody who keeps it.
    pub(super) fn with(keeper: Option<Keeper>) -> Self {
        keeper.map_or(Self::Unwanted, Self::Each)
    }

    /// That of the next match at this keyboard.
    pub(super) fn next(&self, match_id: MatchId) -> Self {
        match self {
            Self::Unwanted => Self::Unwanted,
            Self::Each(keeper) | Self::AtTheEnd(keeper) => Self::Each(keeper.next(match_id)),
        }
    }

    /// Brings what has happened to the disk. A match without a move is not worth a file until it has a result.
    pub(super) fn keep(&mut self, referee: &Referee, events: &[Event]) -> Option<Kept> {
        let is_over = referee.status() == Status::Over;
        let kept = match self {
            Self::Each(keeper) if !is_over && referee.ply().0 > 0 => keeper.append(events),
            Self::Each(keeper) | Self::AtTheEnd(keeper) if is_over => keeper.finish(events),
            _ => return None,
        };
        self.report(kept)
    }

    /// Moves were taken back: only these events remain.
    pub(super) fn take_back(&mut self, events: &[Event]) -> Option<Kept> {
        match self {
            Self::Each(keeper) => {
                let kept = keeper.replace(events);
                self.report(kept)
            }
            Self::Unwanted | Self::AtTheEnd(_) => None,
        }
    }

    /// Only the first write that fails is news.
    fn report(&mut self, kept: Result<(), Failure>) -> Option<Kept> {
        let Err(failure) = kept else {
            return Some(Kept::Yes);
        };
        match std::mem::replace(self, Self::Unwanted) {
            Self::Each(keeper) => {
                *self = Self::AtTheEnd(keeper);
                Some(Kept::No(failure))
            }
            known => {
                *self = known;
                None
            }
        }
    }
}
