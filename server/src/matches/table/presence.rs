//! Who is here, as the log tells it. A return is written down at once. An absence is, once it has lasted: who comes and goes in
//! a loop writes nothing, and who does it slowly writes ever less often.

use grundy_shared::ids::{Millis, Seat};
use grundy_shared::protocol::Notice;
use grundy_shared::referee::{Command, Rematch, Status};

use super::Table;
use crate::matches::builtin;
use crate::matches::outbox::{Frame, Outgoing};

/// The patience with an absence doubles so many times.
const DOUBLINGS_MAX: u32 = 7;

/// Absences that the log does not tell yet, and how often each player's were told since the player's last move.
#[derive(Debug, Default)]
pub(super) struct Absences {
    due: [Option<Millis>; 2],
    told: [u32; 2],
}

impl Absences {
    /// When the next is to be told.
    pub(super) fn next(&self) -> Option<Millis> {
        self.due.into_iter().flatten().min()
    }

    /// Who moves is here to play.
    pub(super) fn forgive(&mut self, seat: Seat) {
        self.told[seat.index()] = 0;
    }
}

impl Table<'_> {
    /// Players whom the log calls present have a while to come: after a start of the server, or into a match that was made for
    /// them.
    pub(super) fn call_the_roll(&mut self) {
        let due = self
            .now()
            .plus(self.actor.directory.config.times.dead_after_ms);
        for seat in Seat::BOTH {
            if self.is_missed(seat) {
                self.absences.due[seat.index()] = Some(due);
            }
        }
    }

    /// Whether this seat is a person's.
    pub(super) fn is_person(&self, seat: Seat) -> bool {
        let player = self.referee.player(seat);
        player.is_some_and(|player| builtin::bot_of(player).is_none())
    }

    /// Whether a player is not here and somebody wants to know: the log calls the player present, or the other one waits for an
    /// answer to the offer of a rematch.
    fn is_missed(&self, seat: Seat) -> bool {
        let wanted = match self.referee.status() {
            Status::Over => self.referee.rematch() == Rematch::Offered(seat.other()),
            Status::Waiting | Status::Live => self.referee.online(seat),
        };
        wanted && self.is_person(seat) && !self.actor.viewers.holds(seat)
    }

    /// A player came, or went. A server that stops does not say that everybody has left.
    pub(super) async fn note_presence(&mut self, seat: Seat) {
        let connected = self.actor.viewers.holds(seat);
        self.actor.pulse.set_connected(seat, connected);
        if self.actor.directory.lifecycle.is_draining() {
            return;
        }
        let now = self.now();
        let due = &mut self.absences.due[seat.index()];
        *due = None;
        if self.is_missed(seat) {
            let patience = self.actor.directory.config.times.away_ms;
            let doublings = self.absences.told[seat.index()].min(DOUBLINGS_MAX);
            let due = now.plus(Millis(patience.0 << doublings));
            self.absences.due[seat.index()] = Some(due);
        } else if self.actor.viewers.holds(seat) && !self.referee.online(seat) {
            let online = true;
            self.decide_alone(now, Command::Presence { seat, online })
                .await;
        }
    }

    /// Tells who has offered a rematch that nobody is there to accept it.
    fn tell_of_absence(&mut self, seat: Seat) {
        self.absences.due[seat.index()] = None;
        let notice = Frame::notice(&Notice::OpponentLeft {
            match_id: self.id(),
        });
        for (seated, outbox) in self.actor.viewers.seated() {
            if seated == seat.other() {
                outbox.push_or_close(Outgoing::Frame(notice.clone()));
            }
        }
    }

    /// Writes down the absences that have lasted; of one after the match only who waits is told.
    pub(super) async fn note_absences(&mut self, now: Millis) {
        for seat in Seat::BOTH {
            if self.absences.due[seat.index()].is_none_or(|due| due > now) {
                continue;
            }
            if self.is_missed(seat) {
                if self.referee.status() == Status::Over {
                    self.tell_of_absence(seat);
                    continue;
                }
                let online = false;
                self.decide_alone(now, Command::Presence { seat, online })
                    .await;
            }
            // What could not be written is tried again.
            if !self.is_missed(seat) {
                self.absences.due[seat.index()] = None;
                self.absences.told[seat.index()] += 1;
            }
        }
    }
}
