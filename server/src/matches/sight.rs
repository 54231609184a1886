//! What of a match's log somebody may see: what players keep from each other while it is on, and how far behind a rated match its
//! watchers are.

use std::borrow::Cow;

use grundy_shared::Position;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, PlayerId, Ply, Seat, Seq};
use grundy_shared::referee::{Referee, Status};

use super::frame::Frame;
use crate::planted;

/// How events begin of which others see less than the player whose they are.
const KEPT: &[u8] = br#"{"type":"planned","#;

/// An event as those who follow the match hear of it.
#[derive(Clone, Debug)]
pub(super) struct Announcement {
    pub(super) seq: Seq,
    /// For everybody.
    open: Frame,
    /// For the player of this seat, if it says more.
    own: Option<(Seat, Frame)>,
}

impl Announcement {
    /// Of an event whose frame with all of it is this.
    pub(super) fn of(id: MatchId, seq: Seq, event: &Event, whole: Frame) -> Self {
        match event
            .hidden_from_others()
            .filter(|_| !planted::is("show_plans"))
        {
            None => Self {
                seq,
                open: whole,
                own: None,
            },
            Some((seat, hidden)) => Self {
                seq,
                open: Frame::of_event(id, seq, &hidden).0,
                own: Some((seat, whole)),
            },
        }
    }

    /// Of something that is the same for everybody: an event with this number, or no event, with number 0.
    pub(super) fn same_for_all(seq: Seq, frame: Frame) -> Self {
        Self {
            seq,
            open: frame,
            own: None,
        }
    }

    /// What the connection with this seat is sent.
    pub(super) fn for_seat(&self, seat: Option<Seat>) -> &Frame {
        match &self.own {
            Some((own, frame)) if Some(*own) == seat => frame,
            _ => &self.open,
        }
    }

    /// For those without a seat.
    pub(super) fn into_open(self) -> Frame {
        self.open
    }
}

/// The JSON of a stored event as somebody with this seat, or none, may see it while the match is on.
#[must_use]
pub fn seen_by(seat: Option<Seat>, json: &[u8]) -> Cow<'_, [u8]> {
    if !json.starts_with(KEPT) {
        return Cow::Borrowed(json);
    }
    let hidden = serde_json::from_slice::<Event>(json).map(|event| event.hidden_from_others());
    match hidden {
        Ok(Some((own, hidden))) if Some(own) != seat => Cow::Owned(hidden.to_json().into_bytes()),
        Ok(_) => Cow::Borrowed(json),
        // Whoever may see everything of it learns that it is damaged.
        Err(_) => Cow::Borrowed(b"{}"),
    }
}

/// How many moves of a match watchers may know of, if its last `behind` are kept from them while it is rated and on.
#[must_use]
pub fn watched_ply(referee: &Referee, behind: u32) -> Ply {
    match is_delayed(referee) {
        true => Ply(referee.ply().0.saturating_sub(behind)),
        false => referee.ply(),
    }
}

/// The last event that watchers may know of. What happens between the moves that are kept from them is kept from them too.
#[must_use]
pub fn watched_seq(referee: &Referee, behind: u32) -> Seq {
    let known = watched_ply(referee, behind).0 as usize;
    match referee.moves().get(known) {
        Some(hidden) => Seq(hidden.seq.0 - 1),
        None => referee.seq(),
    }
}

/// Whether watchers of the match are behind its players.
#[must_use]
pub fn is_delayed(referee: &Referee) -> bool {
    referee.is_rated() && referee.status() == Status::Live && !planted::is("tell_watchers_at_once")
}

/// The position that watchers of a rated match may know of. It is kept, so that each of them costs only the moves since the last.
#[derive(Debug)]
pub(super) struct WatchedBoard {
    ply: Ply,
    position: Position,
}

impl WatchedBoard {
    /// The start of a match.
    pub(super) fn at_start(referee: &Referee) -> Self {
        Self {
            ply: Ply(0),
            position: referee.start().clone(),
        }
    }

    /// The board once watchers may know of so many moves, which are no fewer than before. O(moves since the last time).
    pub(super) fn at(&mut self, referee: &Referee, ply: Ply) -> &Position {
        let here = self.position.clone();
        self.position = referee.play_on(here, self.ply, ply);
        self.ply = ply;
        &self.position
    }
}

/// The last event that this player may know of.
#[must_use]
pub fn seq_for(referee: &Referee, player: PlayerId, behind: u32) -> Seq {
    match referee.seat_of(player) {
        Some(_) => referee.seq(),
        None => watched_seq(referee, behind),
    }
}

/// The position that this player may know of, and who is to move in it. For a watcher of a rated match O(moves), each played once.
#[must_use]
pub fn board(referee: &Referee, player: PlayerId, behind: u32) -> (Position, Seat) {
    let ply = match referee.seat_of(player) {
        Some(_) => referee.ply(),
        None => watched_ply(referee, behind),
    };
    (referee.position_after(ply), Seat::to_move_at(ply))
}
