//! Who is here, as the log shows it. A return is written down at once. An absence is, once it has lasted: who comes and goes in
//! a loop writes nothing, and who does it slowly writes ever less often.

use grundy_shared::ids::{Millis, Seat};
use grundy_shared::protocol::Notice;
use grundy_shared::referee::{Command, Rematch, Status};

use super::effect::Effect;
use super::state::Machine;
use crate::matches::frame::Frame;

/// The patience with an absence doubles so many times.
const DOUBLINGS_MAX: u32 = 7;

impl<C: Clone + Eq, R> Machine<C, R> {
    /// Players whom the log calls present have a while to come: after a start of the server, or into a match that was made for
    /// them.
    pub(super) fn call_the_roll(&mut self, now: Millis) {
        let due = now.plus(self.policy.roll_call_ms);
        for seat in Seat::BOTH {
            if self.is_missed(seat) {
                self.absences.due[seat.index()] = Some(due);
            }
        }
    }

    /// Whether a player is not here and somebody wants to know: the log calls the player present, or the other one waits for an
    /// answer to the offer of a rematch.
    fn is_missed(&self, seat: Seat) -> bool {
        let wanted = match self.referee.status() {
            Status::Over => self.referee.rematch() == Rematch::Offered(seat.other()),
            Status::Waiting | Status::Live => self.referee.online(seat),
        };
        wanted && self.is_person(seat) && !self.is_followed_from(seat)
    }

    /// A player came or went, or is waited for. A server that stops does not say that everybody has left.
    pub(super) fn look_for(&mut self, now: Millis, seat: Seat) {
        self.absences.due[seat.index()] = None;
        self.note_attendance(now, seat);
        if self.is_missed(seat) && !self.draining {
            let doublings = self.absences.noted[seat.index()].min(DOUBLINGS_MAX);
            let patience = Millis(self.policy.away_ms.0 << doublings);
            self.absences.due[seat.index()] = Some(now.plus(patience));
        }
    }

    /// A return, or an absence that has lasted.
    pub(super) fn presence_to_note(&mut self, now: Millis) -> Option<Command> {
        if self.referee.status() == Status::Over {
            return None;
        }
        for seat in Seat::BOTH {
            if self.followers.holds(seat) && !self.referee.online(seat) {
                return Some(Command::Presence { seat, online: true });
            }
            let due = self.absences.due[seat.index()];
            if due.is_none_or(|due| due > now) {
                continue;
            }
            if self.is_missed(seat) {
                return Some(Command::Presence {
                    seat,
                    online: false,
                });
            }
            self.absences.due[seat.index()] = None;
        }
        None
    }

    /// After the match only the player who waits for an answer is told that nobody is there to give it.
    pub(super) fn say_who_left(&mut self, now: Millis, effects: &mut Vec<Effect<C, R>>) {
        if self.referee.status() != Status::Over || self.draining {
            return;
        }
        for seat in Seat::BOTH {
            let due = &mut self.absences.due[seat.index()];
            if due.is_none_or(|due| due > now) {
                continue;
            }
            *due = None;
            if self.is_missed(seat) {
                let notice = Frame::notice(&Notice::OpponentLeft { match_id: self.id });
                let waiting = self.followers.seated();
                effects.extend(waiting.filter(|(seated, _)| *seated == seat.other()).map(
                    |(_, connection)| Effect::Send {
                        to: connection.clone(),
                        frame: notice.clone(),
                        seated: true,
                    },
                ));
            }
        }
    }
}
