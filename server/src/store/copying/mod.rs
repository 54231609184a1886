//! Copying a whole store from one backend to another: every record as it is.
//!
//! A copy is written in one order: the logs, their events, then table after table in the order of their keys. So what a target holds says how far it
//! is, and an interrupted copy goes on from there. Each portion is one transaction.

pub(crate) mod moved;
pub(crate) mod room;
pub(crate) mod table;
pub(crate) mod transfer;
pub(crate) mod value;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use grundy_shared::chain::{self, Hash};
use grundy_shared::ids::Seq;

use self::table::Table;
use self::value::Value;
use super::{StoreError, StreamId};

/// Bytes of events after which a page ends.
pub(crate) const PAGE: usize = 2 << 20;

/// One event on its way, with its link of the hash chain as it follows from those before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CopiedEvent {
    /// The number of its log.
    pub(crate) stream: i64,
    /// Its number in the log.
    pub(crate) seq: Seq,
    /// Its link.
    pub(crate) hash: Hash,
    /// What it says.
    pub(crate) body: Bytes,
}

/// A log that is followed event by event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Following {
    /// Its number.
    pub(crate) number: i64,
    /// What it is of.
    pub(crate) id: StreamId,
    /// The number of the last event so far.
    pub(crate) last: Seq,
    /// The end of the hash chain so far.
    pub(crate) hash: Hash,
}

impl Following {
    /// A log from its beginning.
    pub(crate) fn new(number: i64, id: StreamId) -> Self {
        Self {
            number,
            id,
            last: Seq(0),
            hash: id.genesis(),
        }
    }

    /// Takes in the next event.
    pub(crate) fn follow(&mut self, seq: Seq, body: Bytes) -> CopiedEvent {
        self.last = seq;
        self.hash = chain::link(&self.hash, &body);
        CopiedEvent {
            stream: self.number,
            seq,
            hash: self.hash,
            body,
        }
    }
}

/// What a source finds wrong in itself while it is read; the reading goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Flaw {
    /// The events of a log do not lead to the end that is kept beside it.
    WrongEnd(StreamId),
    /// Rows of this table refer to a log that is not there.
    Orphan(&'static str),
    /// A count is not what it counts.
    WrongCount {
        /// Of what.
        what: &'static str,
        /// As stored.
        stored: i64,
        /// As counted.
        found: i64,
    },
}

/// A store that is read from its beginning to its end, as it is at one moment.
#[async_trait]
pub(crate) trait Source: Send {
    /// What it is and in which state: equal twice only if nothing was written between.
    async fn state(&mut self) -> Result<String, StoreError>;

    /// The bytes of its tables, about.
    async fn size(&mut self) -> Result<u64, StoreError>;

    /// How many rows a table has.
    async fn count(&mut self, table: &'static Table) -> Result<u64, StoreError>;

    /// The rows of a table in the order of its key, without so many at the beginning.
    fn rows<'a>(
        &'a mut self,
        table: &'static Table,
        skip: u64,
    ) -> BoxStream<'a, Result<Vec<Value>, StoreError>>;

    /// The next events of all logs after this one, in the order of logs and numbers, some megabytes at most; none at the end. What is asked for next is what
    /// follows the last of these.
    async fn events(&mut self, after: (i64, Seq)) -> Result<Vec<CopiedEvent>, StoreError>;

    /// What is wrong with it, as far as it was read, and its counts.
    async fn flaws(&mut self) -> Result<Vec<Flaw>, StoreError>;
}

/// A store that a copy is written to.
#[async_trait]
pub(crate) trait Target: Send {
    /// How many rows of a table it has.
    async fn count(&mut self, table: &'static Table) -> Result<u64, StoreError>;

    /// The last event that it has: the number of its log, and its own; zeros if it has none.
    async fn last_event(&mut self) -> Result<(i64, Seq), StoreError>;

    /// Adds these rows, in one transaction.
    async fn put(&mut self, table: &'static Table, rows: Vec<Vec<Value>>)
    -> Result<(), StoreError>;

    /// Adds these events, in one transaction.
    async fn put_events(&mut self, events: Vec<CopiedEvent>) -> Result<(), StoreError>;

    /// Makes what follows from the records, and closes it.
    async fn complete(self: Box<Self>) -> Result<(), StoreError>;
}
