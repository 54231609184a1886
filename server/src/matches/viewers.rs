//! Who follows a match, and how far each has come.

use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::protocol::Notice;

use super::outbox::{ConnectionId, Frame, Outbox, Outgoing, PushError};

/// One connection that follows a match.
#[derive(Debug)]
pub(super) struct Viewer {
    pub(super) outbox: Outbox,
    /// The seat that this connection has; `None` for a watcher.
    pub(super) seat: Option<Seat>,
    pub(super) pace: Pace,
}

/// How a viewer gets its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pace {
    /// Each as it happens.
    Live,
    /// It still reads the backlog of this number from the log, and says when it is done.
    Reading(u64),
    /// A watcher that was too slow: it gets a snapshot when its queue is empty.
    Lagging,
}

/// The connections that follow one match; one at most for each seat.
#[derive(Debug, Default)]
pub(super) struct Viewers(Vec<Viewer>);

impl Viewers {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Viewer> {
        self.0.iter_mut().find(|viewer| viewer.outbox.id() == id)
    }

    pub(super) fn holds(&self, seat: Seat) -> bool {
        self.0.iter().any(|viewer| viewer.seat == Some(seat))
    }

    /// The connections of both players.
    pub(super) fn seated(&self) -> impl Iterator<Item = (Seat, &Outbox)> {
        self.0
            .iter()
            .filter_map(|viewer| viewer.seat.map(|seat| (seat, &viewer.outbox)))
    }

    /// Adds a viewer. An older entry of its connection goes; another connection that has its seat is told that it lost it.
    pub(super) fn add(&mut self, match_id: MatchId, newcomer: Viewer) {
        self.remove(newcomer.outbox.id());
        if newcomer.seat.is_some()
            && let Some(at) = self
                .0
                .iter()
                .position(|viewer| viewer.seat == newcomer.seat)
        {
            let older = self.0.swap_remove(at).outbox;
            let notice = Frame::notice(&Notice::Superseded { match_id });
            older.push_or_close(Outgoing::Frame(notice));
            older.push_or_close(Outgoing::Unfollow(match_id));
        }
        self.0.push(newcomer);
    }

    /// Takes a connection off the list; the seat it had, if it had one.
    pub(super) fn remove(&mut self, id: ConnectionId) -> Option<Seat> {
        let at = self.0.iter().position(|viewer| viewer.outbox.id() == id)?;
        self.0.swap_remove(at).seat
    }

    /// Sends an event to all who are live. Cost: linear in the viewers; the text is shared.
    pub(super) fn announce(&mut self, frame: &Frame) {
        for viewer in &mut self.0 {
            if viewer.pace != Pace::Live {
                continue;
            }
            // A connection that is gone takes its leave by an order of its own.
            if viewer.outbox.push(Outgoing::Frame(frame.clone())) == Err(PushError::Full) {
                viewer.pace = Pace::Lagging;
                match viewer.seat {
                    Some(_) => viewer.outbox.overflow(),
                    None => viewer.outbox.mark_lagging(),
                }
            }
        }
    }
}
