//! One connection between a client and a server, and what is said over it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grundy_server::session::socket::CloseCode;
use grundy_shared::ids::{MatchId, PlayerId, Seq};
use grundy_shared::protocol::{Notice, Reply};

use crate::pipe::Pipe;
use crate::world::World;

/// Bytes that the systems on both sides and the network hold.
const ROOM_DOWN: usize = 24 * 1024;
const ROOM_UP: usize = 64 * 1024;

/// What a client says.
#[derive(Clone, Debug)]
pub(crate) enum Upward {
    Text(String),
    Binary,
    Pong,
    /// A frame against the rules of WebSocket, as the transport reports it.
    Unlawful(CloseCode, &'static str),
}

/// What a server says.
#[derive(Debug)]
pub(crate) enum Downward {
    Reply(Option<u64>, Box<Reply>),
    Event {
        match_id: MatchId,
        seq: Seq,
        body: Box<str>,
    },
    /// An event of an account.
    Account {
        player: PlayerId,
        seq: Seq,
        body: Box<str>,
    },
    Notice(Box<Notice>),
    Ping,
    Close(CloseCode, &'static str),
}

/// A connection.
pub(crate) struct Link {
    pub(crate) number: u64,
    pub(crate) up: Pipe<Upward>,
    pub(crate) down: Pipe<Downward>,
    /// The network does something to it: what is late or missing proves nothing.
    pub(crate) troubled: AtomicBool,
    /// Nothing passes it any more.
    ended: AtomicBool,
    world: Arc<World>,
}

impl Link {
    pub(crate) fn new(world: &Arc<World>) -> Arc<Self> {
        Arc::new(Self {
            number: world.board().next_link(),
            up: Pipe::new(ROOM_UP),
            down: Pipe::new(ROOM_DOWN),
            troubled: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            world: world.clone(),
        })
    }

    pub(crate) fn mark_troubled(&self) {
        self.troubled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_troubled(&self) -> bool {
        self.troubled.load(Ordering::Relaxed)
    }

    /// Whether nothing passes it any more.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// The connection is reset: of what is under way, some still arrives, in each direction.
    pub(crate) fn cut(&self) {
        self.mark_troubled();
        self.ended.store(true, Ordering::Relaxed);
        let keep = |under_way: usize| self.world.dice.below(under_way + 1);
        self.up.end(keep(self.up.under_way()));
        self.down.end(keep(self.down.under_way()));
    }

    /// Nothing passes any more, in either direction, and nobody is told.
    pub(crate) fn go_silent(&self) {
        self.mark_troubled();
        self.ended.store(true, Ordering::Relaxed);
        self.up.swallow();
        self.down.swallow();
    }
}
