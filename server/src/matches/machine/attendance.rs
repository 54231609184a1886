//! Who is there for a game of a tournament.

use grundy_shared::event::EndReason;
use grundy_shared::ids::{Millis, Seat};

use super::beginning::Origin;

/// What a game of a tournament asks of its players.
#[derive(Debug, Default)]
pub(super) struct Attendance {
    /// Since when each player has been away, if this counts.
    pub(super) away_since: [Option<Millis>; 2],
    /// What the tournament has ordered.
    pub(super) ordered: Option<(Option<Seat>, EndReason)>,
}

impl Attendance {
    /// Players who have to find back are away from the moment at which their clocks start.
    pub(super) fn new(origin: Origin) -> Self {
        let away_since = match origin {
            Origin::Recovered { clocks_at } => [Some(clocks_at); 2],
            _ => [None; 2],
        };
        Self {
            away_since,
            ordered: None,
        }
    }

    pub(super) fn order(&mut self, loser: Option<Seat>, reason: EndReason) {
        self.ordered.get_or_insert((loser, reason));
    }
}
