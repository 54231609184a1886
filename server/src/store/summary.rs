//! Summaries of matches: what lists show, what a start takes up, and who plays.

use grundy_shared::event::{EndReason, Event, Outcome, PlayerInfo, Series, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat};
use grundy_shared::referee::Referee;
pub use grundy_shared::referee::Status as MatchStatus;

use super::cursor::Cursor;
use super::error::StoreError;
use super::stream::Logged;

/// The summary of a match: what a list shows. Derived from the log, and compared with it by `fsck`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchRow {
    /// The start position, canonical.
    pub start: String,
    /// The time control.
    pub clock: TimeControl,
    /// Who has the first seat.
    pub first: Option<PlayerInfo>,
    /// Who has the second seat.
    pub second: Option<PlayerInfo>,
    /// How far the match has come.
    pub status: MatchStatus,
    /// Who won, once it is over.
    pub outcome: Option<Outcome>,
    /// How, once it is over.
    pub reason: Option<EndReason>,
    /// Moves made when the row was written; exact once the match is over.
    pub plies: Ply,
    /// When it was created.
    pub created_at: Millis,
    /// When it ended.
    pub ended_at: Option<Millis>,
    /// The match of which it is the rematch.
    pub rematch_of: Option<MatchId>,
    /// Its place in a series.
    pub series: Option<Series>,
}

impl MatchRow {
    /// The summary of the match that this referee holds. The referee does not remember when the match ended:
    /// that is the time of its event `ended`.
    #[must_use]
    pub fn of(referee: &Referee, ended_at: Option<Millis>) -> Self {
        Self {
            start: referee.start().to_string(),
            clock: referee.clock_control(),
            first: referee.player(Seat::First).cloned(),
            second: referee.player(Seat::Second).cloned(),
            status: referee.status(),
            outcome: referee.outcome().map(|(outcome, _)| outcome),
            reason: referee.outcome().map(|(_, reason)| reason),
            plies: referee.ply(),
            created_at: referee.created_at(),
            ended_at,
            rematch_of: referee.rematch_of(),
            series: referee.series(),
        }
    }

    /// The summary after one more event of the match.
    pub fn follow(&mut self, event: &Event) {
        match event {
            Event::Joined { seat, player, .. } => {
                let taken = match seat {
                    Seat::First => &mut self.first,
                    Seat::Second => &mut self.second,
                };
                *taken = Some(player.clone());
                self.status = MatchStatus::Live;
            }
            Event::Moved { ply, .. } | Event::TakenBack { ply, .. } => self.plies = *ply,
            Event::Ended {
                at_ms,
                outcome,
                reason,
                ..
            } => {
                self.status = MatchStatus::Over;
                self.outcome = Some(*outcome);
                self.reason = Some(*reason);
                self.ended_at = Some(*at_ms);
            }
            Event::Created { .. }
            | Event::Presence { .. }
            | Event::Outage { .. }
            | Event::ClockStarted { .. }
            | Event::Proposed { .. }
            | Event::ProposalEnded { .. }
            | Event::Planned { .. }
            | Event::Paused { .. }
            | Event::Continued { .. }
            | Event::RematchOffered { .. }
            | Event::RematchWithdrawn { .. }
            | Event::RematchDeclined { .. }
            | Event::RematchAccepted { .. } => {}
        }
    }

    /// Whether the match is not over, and this player sits in it, if one is asked for.
    pub(super) fn is_open(&self, of: Option<PlayerId>) -> bool {
        self.status != MatchStatus::Over && of.is_none_or(|player| self.seats(player))
    }

    /// Who has this seat.
    #[must_use]
    pub fn player(&self, seat: Seat) -> Option<&PlayerInfo> {
        match seat {
            Seat::First => self.first.as_ref(),
            Seat::Second => self.second.as_ref(),
        }
    }

    /// Whether this player sits in it.
    #[must_use]
    pub fn seats(&self, player: PlayerId) -> bool {
        let mut seats = [&self.first, &self.second].into_iter().flatten();
        seats.any(|seated| seated.id == player)
    }

    /// Whether this player may know of it. An invitation is its creator's alone, also when it has ended and nobody had joined.
    #[must_use]
    pub fn is_seen_by(&self, player: PlayerId) -> bool {
        let is_invitation = self.first.is_none() || self.second.is_none();
        !is_invitation || self.seats(player)
    }
}

/// A match that is not over, with its whole log, or the reason why that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenMatchLog {
    /// Its place, to go on from.
    pub cursor: Cursor,
    /// Its id.
    pub id: MatchId,
    /// Its events, from number 1. `Corrupt` and `Busy` are the trouble of this match alone.
    pub log: Result<Vec<Logged>, StoreError>,
}
