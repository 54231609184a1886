//! One connection between a client and a server, and what is said over it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use grundy_server::session::socket::CloseCode;
use grundy_server::store::NodeId;
use grundy_shared::ids::{MatchId, PlayerId, Seq};
use grundy_shared::protocol::{Notice, Reply};

use crate::life::Life;
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

/// Where a connection leads, and when it ended. It outlives the connection.
pub(crate) struct Way {
    pub(crate) server: NodeId,
    life: Weak<Life>,
    /// In virtual milliseconds; the end of all time while it is open.
    ended_ms: AtomicU64,
}

impl Way {
    /// When it ended, in virtual milliseconds; the end of all time while it is open.
    pub(crate) fn ended_ms(&self) -> u64 {
        self.ended_ms.load(Ordering::Relaxed)
    }

    /// Whether it is open, and the server at its end is alive.
    pub(crate) fn leads_somewhere(&self) -> bool {
        let is_alive = |life: Arc<Life>| !life.is_dead() && !life.stands_still();
        self.ended_ms() == u64::MAX && self.life.upgrade().is_some_and(is_alive)
    }
}

/// A connection.
pub(crate) struct Link {
    pub(crate) number: u64,
    /// Where it leads.
    pub(crate) way: Arc<Way>,
    pub(crate) up: Pipe<Upward>,
    pub(crate) down: Pipe<Downward>,
    /// The network does something to it: what is late or missing proves nothing.
    pub(crate) troubled: AtomicBool,
    /// Nothing passes it any more.
    ended: AtomicBool,
    world: Arc<World>,
}

impl Link {
    pub(crate) fn new(world: &Arc<World>, server: NodeId, life: &Arc<Life>) -> Arc<Self> {
        Arc::new(Self {
            number: world.board().next_link(),
            way: Arc::new(Way {
                server,
                life: Arc::downgrade(life),
                ended_ms: AtomicU64::new(u64::MAX),
            }),
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

    fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
        let now = self.world.now_ms();
        self.way.ended_ms.fetch_min(now, Ordering::Relaxed);
    }

    /// Whether nothing passes it any more.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// The connection is reset: of what is under way, some still arrives, in each direction.
    pub(crate) fn cut(&self) {
        self.mark_troubled();
        self.end();
        let keep = |under_way: usize| self.world.dice.below(under_way + 1);
        self.up.end(keep(self.up.under_way()));
        self.down.end(keep(self.down.under_way()));
    }

    /// Nothing passes any more, in either direction, and nobody is told.
    pub(crate) fn go_silent(&self) {
        self.mark_troubled();
        self.end();
        self.up.swallow();
        self.down.swallow();
    }
}
