//! Whether a connection has its place.

use crate::addresses::{ConnectionPermit, Refused};

/// Whether a connection has its place.
pub(super) enum Arrival {
    /// It has.
    Entered(ConnectionPermit),
    /// It has not: it is told so when it asks for a session.
    TurnedAway(Refused),
    /// A proxy connected, and has a place: whom it speaks for, its request tells.
    Proxied(ConnectionPermit),
}
