//! Which server has the connection from which a player plays.

use grundy_shared::ids::{MatchId, Millis, Seat};

use super::Lease;

/// What a server says of the seats of some of its matches, and which matches it asks about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seating {
    /// Seats whose players have come to this server since it spoke last, each once, and when.
    pub taken: Vec<(MatchId, Seat, Millis)>,
    /// Seats whose players have left this server since.
    pub left: Vec<(MatchId, Seat)>,
    /// The matches whose seats are asked for: at most [`GROWN_MAX`](super::GROWN_MAX).
    pub asked: Vec<MatchId>,
}

/// A seat that a server had taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LostSeat {
    /// The match.
    pub id: MatchId,
    /// The seat.
    pub seat: Seat,
    /// Whether the opponent has been connected to a server with a good lease since a moment that the question names.
    pub opponent_stays: bool,
}

/// What the store answers to that.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seats {
    /// Seats of the matches that were asked about that another server has, in no order.
    pub elsewhere: Vec<(MatchId, Seat)>,
    /// The seats just taken that another server had until now, and which life of it, in no order.
    pub came: Vec<(MatchId, Seat, Lease)>,
}
