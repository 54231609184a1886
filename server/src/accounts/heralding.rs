//! What matches have to say to the accounts of their players.

use grundy_shared::ids::{MatchId, Millis, Seat};
use grundy_shared::protocol::AccountEvent;
use grundy_shared::referee::Referee;

use super::Accounts;
use crate::matches::Herald;

/// A match without a move that has been silent for longer began some time ago: a server that meets it now does not say that it begins.
const NEWS: Millis = Millis(20_000);

impl Herald for Accounts {
    fn began(&self, id: MatchId, referee: &Referee) {
        let at_ms = self.clock.now();
        let is_old = referee.ply().0 > 0 || at_ms.since(referee.last_at()) > NEWS;
        if self.hall.is_some() && is_old {
            return;
        }
        for seat in Seat::BOTH {
            let (Some(player), Some(opponent)) =
                (referee.player(seat), referee.player(seat.other()))
            else {
                continue;
            };
            // Whoever follows nothing costs a look-up.
            if self.state().account(player.id).is_none() {
                continue;
            }
            let event = AccountEvent::MatchBegan {
                at_ms,
                match_id: id,
                seat,
                opponent: opponent.clone(),
                position: referee.start().to_string(),
                clock: referee.clock_control(),
                series: referee.series(),
            };
            self.tell(player.id, &event);
        }
    }

    fn ended(&self, id: MatchId, referee: &Referee) {
        let Some((outcome, reason)) = referee.outcome() else {
            return;
        };
        let event = AccountEvent::MatchEnded {
            at_ms: self.clock.now(),
            match_id: id,
            outcome,
            reason,
        };
        for seat in Seat::BOTH {
            if let Some(player) = referee.player(seat) {
                self.tell(player.id, &event);
            }
        }
    }
}
