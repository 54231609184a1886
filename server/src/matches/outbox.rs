//! The outgoing queue of one connection, and the promise that every request is answered once.
//!
//! Whoever has something to say to a connection puts it here without waiting. The queue is bounded in messages and
//! bytes; what happens at the bound is for the one who speaks to decide: a watcher falls back to a snapshot, a player's
//! connection is closed, since a player must not miss anything.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use bytes::Bytes;
use grundy_shared::ids::{MatchId, Seat, Seq};
use grundy_shared::protocol::server::{event_frame, notice_frame, reply_frame};
use grundy_shared::protocol::{ErrorBody, Notice, Reply};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use tokio::sync::{Notify, mpsc};

use super::{Mailbox, refusal};
use crate::metrics::ByReason;

/// The text of one message to a client, written once and shared by all who get it.
#[derive(Clone, Debug)]
pub struct Frame(Bytes);

impl Frame {
    /// The frame of a reply.
    #[must_use]
    pub fn reply(re: Option<u64>, body: &Reply) -> Self {
        Self(reply_frame(re, body).into())
    }

    /// The frame of an event, from the JSON in which it is stored.
    #[must_use]
    pub fn event(match_id: MatchId, seq: Seq, json: &str) -> Self {
        Self(event_frame(match_id, seq, json).into())
    }

    /// The frame of a notice.
    #[must_use]
    pub fn notice(body: &Notice) -> Self {
        Self(notice_frame(body).into())
    }

    /// Its UTF-8 text.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.0
    }
}

/// Names one connection for the life of the process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConnectionId(u64);

/// Events of a match that a connection still has to read from the log: those after `after`, up to `upto`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backlog {
    /// Which it is among those that the match has given out.
    pub number: u64,
    /// The newest event that the connection has.
    pub after: Seq,
    /// The last one to read before asking for live events.
    pub upto: Seq,
}

/// A match that a connection follows.
#[derive(Clone, Debug)]
pub struct Follow {
    /// The match.
    pub match_id: MatchId,
    /// The seat taken with it, if it is a player's.
    pub seat: Option<Seat>,
    /// Where orders to the match go.
    pub mailbox: Mailbox,
}

/// What waits for a connection.
#[derive(Debug)]
pub enum Outgoing {
    /// To be sent as it is.
    Frame(Frame),
    /// The connection follows this match from here on.
    Follow(Box<Follow>),
    /// Events to be read from the log first.
    Backlog(MatchId, Backlog),
    /// The connection no longer follows this match.
    Unfollow(MatchId),
}

/// Why something could not be put into a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PushError {
    /// The reader is too slow.
    Full,
    /// The connection is gone.
    Gone,
}

#[derive(Debug)]
struct Shared {
    id: ConnectionId,
    queue: mpsc::Sender<Outgoing>,
    bytes: AtomicUsize,
    bytes_max: usize,
    /// Requests that have not been answered yet.
    unanswered: AtomicU32,
    /// Something that must not be missed did not fit.
    overflowed: AtomicBool,
    /// Events of a match that is only watched did not fit.
    lagging: AtomicBool,
    /// An analysis of this connection is running.
    analysing: AtomicBool,
    /// Wakes a connection that is stuck in writing.
    alarm: Notify,
    refusals: Refusals,
}

/// The way into the queue of one connection. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbox(Arc<Shared>);

/// The other end of an [`Outbox`]; one per connection.
#[derive(Debug)]
pub struct OutboxReader {
    queue: mpsc::Receiver<Outgoing>,
    shared: Arc<Shared>,
}

/// Counts refusals by code.
pub type Refusals = Family<ByReason, Counter>;

/// Opens the queue of a new connection, bounded in messages and bytes.
#[must_use]
pub fn outbox(messages_max: usize, bytes_max: usize, refusals: Refusals) -> (Outbox, OutboxReader) {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let (sender, receiver) = mpsc::channel(messages_max);
    let shared = Arc::new(Shared {
        id: ConnectionId(NEXT.fetch_add(1, Ordering::Relaxed)),
        queue: sender,
        bytes: AtomicUsize::new(0),
        bytes_max,
        unanswered: AtomicU32::new(0),
        overflowed: AtomicBool::new(false),
        lagging: AtomicBool::new(false),
        analysing: AtomicBool::new(false),
        alarm: Notify::new(),
        refusals,
    });
    let reader = OutboxReader {
        queue: receiver,
        shared: shared.clone(),
    };
    (Outbox(shared), reader)
}

impl Outbox {
    /// The connection's name.
    #[must_use]
    pub fn id(&self) -> ConnectionId {
        self.0.id
    }

    /// Puts something into the queue without waiting.
    ///
    /// # Errors
    /// [`PushError`]: nothing was put in.
    pub fn push(&self, item: Outgoing) -> Result<(), PushError> {
        let size = item.size();
        let before = self.0.bytes.fetch_add(size, Ordering::Relaxed);
        let sent = if before + size > self.0.bytes_max {
            Err(PushError::Full)
        } else {
            self.0.queue.try_send(item).map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => PushError::Full,
                mpsc::error::TrySendError::Closed(_) => PushError::Gone,
            })
        };
        if sent.is_err() {
            self.0.bytes.fetch_sub(size, Ordering::Relaxed);
        }
        sent
    }

    /// Puts in what must not be missed: where it does not fit, the connection is closed as too slow.
    pub fn push_or_close(&self, item: Outgoing) {
        if self.push(item) == Err(PushError::Full) {
            self.overflow();
        }
    }

    /// Closes the connection as too slow.
    pub fn overflow(&self) {
        self.0.overflowed.store(true, Ordering::Relaxed);
        self.0.alarm.notify_one();
    }

    /// Notes that a watcher missed events: it asks for a snapshot once it has caught up with its queue.
    pub fn mark_lagging(&self) {
        self.0.lagging.store(true, Ordering::Relaxed);
    }

    /// The frame of a refusal, which is counted.
    #[must_use]
    pub fn refusal(&self, re: Option<u64>, error: ErrorBody) -> Frame {
        let reason = error.code.as_str();
        self.0.refusals.get_or_create(&ByReason { reason }).inc();
        Frame::reply(re, &Reply::Error(error))
    }

    /// Whether nobody reads the queue any more.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.0.queue.is_closed()
    }

    /// Whether requests of this connection wait for their reply.
    #[must_use]
    pub fn has_unanswered(&self) -> bool {
        self.0.unanswered.load(Ordering::Acquire) > 0
    }

    /// Takes the one place that a connection has for analyses; `None` while it is taken.
    #[must_use]
    pub fn begin_analysis(&self) -> Option<Analysing> {
        let taken = self.0.analysing.swap(true, Ordering::AcqRel);
        (!taken).then(|| Analysing(self.clone()))
    }
}

/// The place for the one analysis that a connection may have running; free again when dropped.
#[derive(Debug)]
pub struct Analysing(Outbox);

impl Drop for Analysing {
    fn drop(&mut self) {
        self.0.0.analysing.store(false, Ordering::Release);
    }
}

impl Outgoing {
    fn size(&self) -> usize {
        match self {
            Self::Frame(frame) => frame.0.len(),
            Self::Follow(_) | Self::Backlog(..) | Self::Unfollow(_) => 0,
        }
    }
}

impl OutboxReader {
    /// Waits for the next item; never ends by itself, since the reader's own connection holds an [`Outbox`]. Cancel-safe.
    pub async fn next(&mut self) -> Option<Outgoing> {
        let item = self.queue.recv().await;
        self.taken(item.as_ref());
        item
    }

    /// The next item, if one waits.
    pub fn try_next(&mut self) -> Option<Outgoing> {
        let item = self.queue.try_recv().ok();
        self.taken(item.as_ref());
        item
    }

    /// Lets nothing more in; what waits can still be read.
    pub fn close(&mut self) {
        self.queue.close();
    }

    fn taken(&self, item: Option<&Outgoing>) {
        let size = item.map_or(0, Outgoing::size);
        if size > 0 {
            self.shared.bytes.fetch_sub(size, Ordering::Relaxed);
        }
    }

    /// Whether something that must not be missed did not fit.
    #[must_use]
    pub fn overflowed(&self) -> bool {
        self.shared.overflowed.load(Ordering::Relaxed)
    }

    /// Whether events of a watched match did not fit since this was last asked.
    pub fn take_lagging(&self) -> bool {
        self.shared.lagging.load(Ordering::Relaxed)
            && self.shared.lagging.swap(false, Ordering::Relaxed)
    }

    /// Waits until the connection is to be closed as too slow.
    pub async fn alarm(&self) {
        self.shared.alarm.notified().await;
    }
}

/// The duty to answer one request. Dropped without an answer, whatever the reason, it answers `internal`.
#[derive(Debug)]
pub struct ReplyTo {
    outbox: Outbox,
    re: u64,
    answered: bool,
}

impl ReplyTo {
    /// Takes the duty to answer the request `re` of this connection.
    #[must_use]
    pub fn new(outbox: &Outbox, re: u64) -> Self {
        outbox.0.unanswered.fetch_add(1, Ordering::AcqRel);
        Self {
            outbox: outbox.clone(),
            re,
            answered: false,
        }
    }

    /// The connection that asked.
    #[must_use]
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Answers.
    pub fn send(mut self, reply: &Reply) {
        self.answer(Frame::reply(Some(self.re), reply));
    }

    /// Answers with a refusal.
    pub fn refuse(mut self, error: ErrorBody) {
        self.answer(self.outbox.refusal(Some(self.re), error));
    }

    fn answer(&mut self, frame: Frame) {
        self.answered = true;
        self.outbox.push_or_close(Outgoing::Frame(frame));
    }
}

impl Drop for ReplyTo {
    fn drop(&mut self) {
        if !self.answered {
            self.answer(self.outbox.refusal(Some(self.re), refusal::internal()));
        }
        self.outbox.0.unanswered.fetch_sub(1, Ordering::AcqRel);
    }
}
