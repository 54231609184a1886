//! The outgoing queue of one connection, and the promise that every request is answered once.
//!
//! Whoever has something to say to a connection puts it here without waiting. The queue is bounded in messages and
//! bytes; what happens at the bound is for the one who speaks to decide: a watcher falls back to a snapshot, a player's
//! connection is closed, since a player must not miss anything.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use grundy_shared::ids::{MatchId, PlayerId, Seat, Seq};
use grundy_shared::protocol::{ErrorBody, Reply};
use tokio::sync::Notify;
use tokio::time::Instant;

pub use super::frame::Frame;
use super::refusal;
use crate::addresses::AddressKey;
use crate::metrics::Refusals;
use crate::planted;

/// Room for so many items stays with an empty queue; what a burst took beyond it is given back.
const ROOM_KEPT: usize = 8;

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

/// What waits for a connection.
#[derive(Debug)]
pub enum Outgoing {
    /// To be sent as it is.
    Frame(Frame),
    /// The connection follows this match from here on, with this seat if it is a player's.
    Follow(MatchId, Option<Seat>),
    /// Events to be read from the log first.
    Backlog(MatchId, Box<Backlog>),
    /// The connection no longer follows this match.
    Unfollow(MatchId),
    /// A line of chat, for a connection that follows the match. The connection sends it only if its player has not muted the speaker.
    Said(Box<Said>),
    /// The player has another name.
    Renamed(Box<str>),
    /// The player's new list of muted players.
    Muted(Box<[PlayerId]>),
    /// The token of the connection was revoked, or has expired.
    SignedOut,
    /// An operator has banned the player or the address.
    Banned,
    /// This server cannot reach the store that others may reach.
    CutOff,
}

/// A line in a room of a match.
#[derive(Debug)]
pub struct Said {
    /// The match.
    pub match_id: MatchId,
    /// The player who said it.
    pub by: PlayerId,
    /// The frame for the connection.
    pub frame: Frame,
}

/// Why something could not be put into a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PushError {
    /// The reader is too slow, or was once for something that must not be missed.
    Full,
    /// The connection is gone.
    Gone,
}

/// What waits. It grows with what waits: most connections have one or two items at a time, and there are many connections.
#[derive(Debug, Default)]
struct Queue {
    items: VecDeque<Outgoing>,
    bytes: usize,
    /// To be woken by the next item.
    reader: Option<Waker>,
    /// Nothing more is let in.
    closed: bool,
}

impl Queue {
    fn take(&mut self) -> Option<Outgoing> {
        let item = self.items.pop_front()?;
        self.bytes -= item.size();
        if self.items.is_empty() && self.items.capacity() > ROOM_KEPT {
            self.items = VecDeque::new();
        }
        Some(item)
    }
}

#[derive(Debug)]
struct Shared {
    /// From where the peer has connected.
    address: AddressKey,
    queue: Mutex<Queue>,
    messages_max: AtomicUsize,
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

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The way into the queue of one connection. Cheap to clone; equal when it is the same connection.
#[derive(Clone, Debug)]
pub struct Outbox(Arc<Shared>);

impl PartialEq for Outbox {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Outbox {}

/// The other end of an [`Outbox`]; one per connection.
#[derive(Debug)]
pub struct OutboxReader(Arc<Shared>);

/// Opens the queue of a new connection from this address, bounded in messages and bytes.
#[must_use]
pub fn outbox(
    address: AddressKey,
    messages_max: usize,
    bytes_max: usize,
    refusals: Refusals,
) -> (Outbox, OutboxReader) {
    let shared = Arc::new(Shared {
        address,
        queue: Mutex::default(),
        messages_max: AtomicUsize::new(messages_max),
        bytes_max,
        unanswered: AtomicU32::new(0),
        overflowed: AtomicBool::new(false),
        lagging: AtomicBool::new(false),
        analysing: AtomicBool::new(false),
        alarm: Notify::new(),
        refusals,
    });
    (Outbox(shared.clone()), OutboxReader(shared))
}

impl Outbox {
    /// From where the peer has connected.
    #[must_use]
    pub fn address(&self) -> AddressKey {
        self.0.address
    }

    /// Changes how many messages the queue holds from now on.
    pub fn set_messages_max(&self, messages_max: usize) {
        self.0.messages_max.store(messages_max, Ordering::Relaxed);
    }

    /// How many messages, and how many bytes, fit into the queue now.
    #[must_use]
    pub fn room(&self) -> (usize, usize) {
        let queue = self.0.queue();
        let messages_max = self.0.messages_max.load(Ordering::Relaxed);
        (
            messages_max.saturating_sub(queue.items.len()),
            self.0.bytes_max.saturating_sub(queue.bytes),
        )
    }

    /// Puts something into the queue without waiting.
    ///
    /// # Errors
    /// [`PushError`]: nothing was put in.
    pub fn push(&self, item: Outgoing) -> Result<(), PushError> {
        self.push_within(item, 1)
    }

    /// Queues something that may be missed. It may use only half of the queue; the other half is for what must not be missed.
    ///
    /// # Errors
    /// [`PushError`]: nothing was put in.
    pub fn push_spare(&self, item: Outgoing) -> Result<(), PushError> {
        self.push_within(item, 2)
    }

    /// Queues something in the first of this many equal parts of the queue.
    fn push_within(&self, item: Outgoing, parts: usize) -> Result<(), PushError> {
        let size = item.size();
        let mut queue = self.0.queue();
        if queue.closed {
            return Err(PushError::Gone);
        }
        // Behind something that must not be missed and did not fit there would be a gap.
        if self.0.overflowed.load(Ordering::Relaxed)
            || queue.items.len() >= self.0.messages_max.load(Ordering::Relaxed) / parts
            || queue.bytes + size > self.0.bytes_max / parts
        {
            return Err(PushError::Full);
        }
        match queue.items.len().checked_sub(1) {
            Some(last) if planted::shows("wrong_order", 3) => queue.items.insert(last, item),
            _ => queue.items.push_back(item),
        }
        queue.bytes += size;
        let reader = queue.reader.take();
        drop(queue);
        if let Some(reader) = reader {
            reader.wake();
        }
        Ok(())
    }

    /// Puts in what must not be missed: if it does not fit, nothing more is let in, and the connection is closed as too slow.
    pub fn push_or_close(&self, item: Outgoing) {
        if self.push(item) == Err(PushError::Full) {
            self.overflow();
        }
    }

    /// Closes the connection as too slow: nothing more is let in.
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
        self.0.refusals.count(error.code);
        Frame::reply(re, &Reply::Error(error))
    }

    /// Whether nobody reads the queue any more.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.0.queue().closed
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
            Self::Frame(frame) => frame.len(),
            Self::Said(said) => said.frame.len(),
            Self::Follow(..)
            | Self::Backlog(..)
            | Self::Unfollow(_)
            | Self::Renamed(_)
            | Self::Muted(_)
            | Self::SignedOut
            | Self::Banned
            | Self::CutOff => 0,
        }
    }
}

impl OutboxReader {
    /// Waits for the next item; for ever, when the queue is closed. Cancel-safe.
    pub async fn next(&mut self) -> Outgoing {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// The same, to be polled together with other things.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Outgoing> {
        let mut queue = self.0.queue();
        let item = queue.take();
        if item.is_none() {
            match &mut queue.reader {
                Some(reader) => reader.clone_from(context.waker()),
                none => *none = Some(context.waker().clone()),
            }
        }
        item.map_or(Poll::Pending, Poll::Ready)
    }

    /// The next item, if one waits.
    pub fn try_next(&mut self) -> Option<Outgoing> {
        self.0.queue().take()
    }

    /// Lets nothing more in; what waits can still be read.
    pub fn close(&mut self) {
        self.0.queue().closed = true;
    }

    /// Whether something that must not be missed did not fit.
    #[must_use]
    pub fn overflowed(&self) -> bool {
        self.0.overflowed.load(Ordering::Relaxed)
    }

    /// Whether events of a watched match did not fit since this was last asked.
    pub fn take_lagging(&self) -> bool {
        self.0.lagging.load(Ordering::Relaxed) && self.0.lagging.swap(false, Ordering::Relaxed)
    }

    /// Waits until the connection is to be closed as too slow.
    pub async fn alarm(&self) {
        self.0.alarm.notified().await;
    }
}

impl Drop for OutboxReader {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        let unread = std::mem::take(&mut *queue);
        queue.closed = true;
        drop(queue);
        // Outside the lock: an item may hold the last way to a match.
        drop(unread);
    }
}

/// The duty to answer one request. Dropped without an answer, whatever the reason, it answers `internal`.
#[derive(Debug)]
pub struct ReplyTo {
    outbox: Outbox,
    re: u64,
    heard: Instant,
    answered: bool,
}

impl ReplyTo {
    /// Takes the duty to answer the request `re` of this connection, which was heard at this moment.
    #[must_use]
    pub fn new(outbox: &Outbox, re: u64, heard: Instant) -> Self {
        outbox.0.unanswered.fetch_add(1, Ordering::AcqRel);
        Self {
            outbox: outbox.clone(),
            re,
            heard,
            answered: false,
        }
    }

    /// From where the request came.
    #[must_use]
    pub fn address(&self) -> AddressKey {
        self.outbox.address()
    }

    /// When the request was heard.
    #[must_use]
    pub fn heard(&self) -> Instant {
        self.heard
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
        if planted::shows("lose_reply", 40) {
            return;
        }
        if planted::shows("double_reply", 40) {
            self.outbox.push_or_close(Outgoing::Frame(frame.clone()));
        }
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use tokio_util::task::TaskTracker;

    use super::*;

    fn nobody() -> AddressKey {
        std::net::IpAddr::from([127, 0, 0, 1]).into()
    }

    fn item(text: &str) -> Outgoing {
        Outgoing::Frame(Frame::of_bytes(Bytes::copy_from_slice(text.as_bytes())))
    }

    fn text(item: Outgoing) -> Bytes {
        match item {
            Outgoing::Frame(frame) => frame.into_bytes(),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_reader_that_waits_is_woken_by_each_item() {
        let (outbox, mut queue) = outbox(nobody(), 10, 100, Refusals::default());
        let reading = TaskTracker::new().spawn(async move {
            let mut read = Vec::new();
            while read.last().is_none_or(|last| last != "end") {
                read.push(text(queue.next().await));
            }
            read
        });
        for word in ["one", "two", "three", "end"] {
            // The reader has taken what there was, and waits.
            tokio::task::yield_now().await;
            assert_eq!(outbox.push(item(word)), Ok(()));
        }
        let read = tokio::time::timeout(Duration::from_secs(5), reading).await;
        let read = read.expect("it is woken").expect("it does not panic");
        assert_eq!(read, ["one", "two", "three", "end"]);
        assert_eq!(outbox.push(item("late")), Err(PushError::Gone));
    }

    #[test]
    fn nothing_follows_what_must_not_be_missed_and_did_not_fit() {
        let (outbox, mut queue) = outbox(nobody(), 2, 100, Refusals::default());
        for event in ["one", "two", "three"] {
            outbox.push_or_close(item(event));
        }
        // There is room again, and "three" is missing.
        assert!(queue.try_next().is_some_and(|first| text(first) == "one"));
        outbox.push_or_close(item("four"));
        assert_eq!(outbox.push(item("five")), Err(PushError::Full));
        assert!(queue.try_next().is_some_and(|next| text(next) == "two"));
        assert!(queue.try_next().is_none());
        assert!(queue.overflowed());
    }

    #[test]
    fn the_queue_is_bounded_in_messages_and_bytes_and_gives_room_back() {
        let (outbox, mut queue) = outbox(nobody(), 100, 200, Refusals::default());
        for _ in 0..100 {
            assert_eq!(outbox.push(item("xy")), Ok(()));
        }
        assert_eq!(outbox.push(item("")), Err(PushError::Full));
        for _ in 0..50 {
            assert!(queue.try_next().is_some());
        }
        assert_eq!(outbox.push(item(&"x".repeat(101))), Err(PushError::Full));
        assert_eq!(outbox.push(item(&"x".repeat(100))), Ok(()));
        while queue.try_next().is_some() {}
        assert!(queue.0.queue().items.capacity() <= ROOM_KEPT);
        assert_eq!(outbox.push(item("again")), Ok(()));
        queue.close();
        assert_eq!(outbox.push(item("late")), Err(PushError::Gone));
        assert!(queue.try_next().is_some_and(|last| text(last) == "again"));
        assert!(queue.try_next().is_none());
        drop(queue);
        assert!(outbox.is_gone());
    }
}
