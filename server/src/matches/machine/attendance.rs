//! Who is there for a game of a tournament.

use grundy_shared::event::EndReason;
use grundy_shared::ids::{Millis, Seat};

use super::beginning::Origin;

/// What a game of a tournament asks of its players.
#[derive(Debug, Default)]
pub(super) struct Attendance {
    /// Since when each player has been away, if this counts.
    pub(super) away_since: [Option<Millis>; 2],
    /// Until this moment, players may reconnect from a server that has ended, and their absence does not count.
    pub(super) counts_from: Millis,
    /// What the tournament has ordered.
    pub(super) ordered: Option<(Option<Seat>, EndReason)>,
}

impl Attendance {
    /// Players who have to find back are away from the moment at which their clocks start.
    pub(super) fn new(origin: Origin) -> Self {
        let (away_since, counts_from) = match origin {
            Origin::Recovered { clocks_at } => ([Some(clocks_at); 2], clocks_at),
            _ => ([None; 2], Millis(0)),
        };
        Self {
            away_since,
            counts_from,
            ordered: None,
        }
    }

    /// Players have until this moment to reconnect.
    pub(super) fn excuse(&mut self, until: Millis) {
        self.counts_from = self.counts_from.max(until);
        for since in self.away_since.iter_mut().flatten() {
            *since = until.max(*since);
        }
    }

    pub(super) fn order(&mut self, loser: Option<Seat>, reason: EndReason) {
        self.ordered.get_or_insert((loser, reason));
    }
}
