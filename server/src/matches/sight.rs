//! The part of a match's log that a client may see: planned replies are hidden from everybody but their player, and watchers of a rated
//! match are some moves behind.

use std::borrow::Cow;

use grundy_shared::Position;
use grundy_shared::event::{Event, Series};
use grundy_shared::ids::{MatchId, PlayerId, Ply, Seat, Seq};
use grundy_shared::referee::{Referee, Status};

use super::frame::Frame;
use crate::planted;
use crate::store::{MatchRow, MatchStatus, Store, StoreError};

/// Whether the match belongs to a rated pair whose next game is not over: what the solver says of it would help a player of that game, who begins
/// with the same position.
///
/// # Errors
/// The store cannot be read.
pub async fn is_of_running_pair(store: &dyn Store, row: &MatchRow) -> Result<bool, StoreError> {
    let pair = row.series.filter(|series| series.rated);
    let Some(series) = pair.filter(|series| series.game < series.games) else {
        return Ok(false);
    };
    let next = Series {
        game: series.game + 1,
        ..series
    };
    // A pair that ended early has no other game.
    let next = store.row(next.match_id()).await?;
    Ok(next.is_some_and(|next| next.status != MatchStatus::Over))
}

/// The first bytes of an event that only its own player sees in full.
const KEPT: &[u8] = br#"{"type":"planned","#;

/// An event in the forms in which followers of the match receive it.
#[derive(Clone, Debug)]
pub(super) struct Announcement {
    pub(super) seq: Seq,
    /// For everybody.
    open: Frame,
    /// For the player of this seat, if that player sees more.
    own: Option<(Seat, Frame)>,
}

impl Announcement {
    /// Makes it from the frame of the whole event.
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

    /// Makes it from a frame that is the same for everybody: an event with this number, or number 0 if it is not an event.
    pub(super) fn same_for_all(seq: Seq, frame: Frame) -> Self {
        Self {
            seq,
            open: frame,
            own: None,
        }
    }

    /// The frame for a connection with this seat.
    pub(super) fn for_seat(&self, seat: Option<Seat>) -> &Frame {
        match &self.own {
            Some((own, frame)) if Some(*own) == seat => frame,
            _ => &self.open,
        }
    }

    /// The frame for connections without a seat.
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
        // A reader who may see the whole event is shown that it is damaged.
        Err(_) => Cow::Borrowed(b"{}"),
    }
}

/// How many moves of a match watchers may see, if its last `behind` moves are hidden from them while it is rated and live.
#[must_use]
pub fn watched_ply(referee: &Referee, behind: u32) -> Ply {
    match is_delayed(referee) {
        true => Ply(referee.ply().0.saturating_sub(behind)),
        false => referee.ply(),
    }
}

/// The last event that watchers may see. Events between the hidden moves are hidden too.
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

/// The position that watchers of a rated match may see. It is kept, so that each new position costs only the moves since the last one.
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

    /// The position after this many moves, which are no fewer than last time. O(moves since the last time).
    pub(super) fn at(&mut self, referee: &Referee, ply: Ply) -> &Position {
        let here = self.position.clone();
        self.position = referee.play_on(here, self.ply, ply);
        self.ply = ply;
        &self.position
    }
}

/// The last event that this player may see.
#[must_use]
pub fn seq_for(referee: &Referee, player: PlayerId, behind: u32) -> Seq {
    match referee.seat_of(player) {
        Some(_) => referee.seq(),
        None => watched_seq(referee, behind),
    }
}

/// The position that this player may see, and the seat to move in it. For a watcher of a rated match this is O(moves), each played once.
#[must_use]
pub fn board(referee: &Referee, player: PlayerId, behind: u32) -> (Position, Seat) {
    let ply = match referee.seat_of(player) {
        Some(_) => referee.ply(),
        None => watched_ply(referee, behind),
    };
    (referee.position_after(ply), Seat::to_move_at(ply))
}
