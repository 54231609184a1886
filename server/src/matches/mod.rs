//! Live matches: one task each, reached through its mailbox.
//!
//! An [`actor`] holds the referee of one match, stores what the referee decides and only then tells anybody. The
//! [`directory`] knows every actor. Nothing here knows sockets: a connection is an [`outbox::Outbox`].

pub mod actor;
pub mod builtin;
mod damaged;
pub mod directory;
mod frame;
pub mod machine;
pub mod outbox;
mod places;
mod rebuild;
pub mod refusal;
mod table;
mod viewers;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{ClientMoveId, Millis, PlayerId, Ply, Seq};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::addresses::Subscriber;

pub use directory::Directory;
pub use outbox::{Backlog, ConnectionId, Follow, Frame, Outbox, Outgoing, ReplyTo};

/// Orders that wait for one match.
pub const MAILBOX: usize = 64;

/// The way to one match.
pub type Mailbox = mpsc::Sender<Box<Order>>;

/// Something that a match is to do. Each with a [`ReplyTo`] is answered exactly once, whatever happens.
#[derive(Debug)]
pub enum Order {
    /// A player acts.
    Act {
        /// Where the answer goes.
        reply: ReplyTo,
        /// When the server received it: what happened before it was looked at costs the player no time.
        received: Millis,
        /// The same on the timer that measures the server.
        heard: Instant,
        /// Who.
        player: PlayerId,
        /// What.
        act: Act,
    },
    /// Somebody takes the free seat, and follows the match from event 1 on.
    Join {
        /// Where the answer goes.
        reply: ReplyTo,
        /// When the server received it.
        received: Millis,
        /// Who.
        player: PlayerInfo,
    },
    /// A connection is to follow the match.
    Attach {
        /// The connection.
        outbox: Outbox,
        /// Where the answer goes; `None` when it follows from another request.
        reply: Option<ReplyTo>,
        /// Who.
        player: PlayerId,
        /// Whether the player's seat is taken with it.
        seated: bool,
        /// The newest event that the client has.
        since: Seq,
    },
    /// A connection has read its backlog up to `after`.
    GoLive(ConnectionId, Backlog),
    /// A connection that missed events has an empty queue again.
    CatchUp(ConnectionId),
    /// A connection no longer follows the match.
    Leave(ConnectionId, Option<ReplyTo>),
    /// The players learn only now of a match that has begun: the time since is given back.
    Announced,
    /// The server stops.
    Stop,
}

/// What a player can do.
#[derive(Debug)]
pub enum Act {
    /// Move.
    Move {
        /// The number of the move.
        ply: Ply,
        /// The move, as typed.
        text: String,
        /// The client's own name for it.
        client_move_id: Option<ClientMoveId>,
    },
    /// Give up.
    Resign,
    /// Call the match off.
    Abort,
    /// Offer or accept a rematch, from this address.
    Rematch(Subscriber),
    /// Take back the own offer of a rematch.
    WithdrawRematch,
}

impl Order {
    /// The duty to answer, if there is one: for those who cannot carry the order out.
    #[must_use]
    pub fn into_reply(self) -> Option<ReplyTo> {
        match self {
            Self::Act { reply, .. } | Self::Join { reply, .. } => Some(reply),
            Self::Attach { reply, .. } | Self::Leave(_, reply) => reply,
            Self::GoLive(..) | Self::CatchUp(_) | Self::Announced | Self::Stop => None,
        }
    }
}
