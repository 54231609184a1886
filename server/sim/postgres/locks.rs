//! Rows that transactions have locked, and those that wait for them: in turn, not for ever, and never in a circle.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_server::store::postgres::Lane;
use grundy_server::store::{Lease, NodeId, StreamId};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Something that only one transaction at a time changes. A transaction that needs several takes them in this order, but for leases of others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Row {
    /// The lease of a life, in a lane.
    Life(NodeId, u64, Lane),
    /// The row of a node.
    Node(NodeId),
    /// What counts and numbers everything new.
    Tally,
    /// The end of a log.
    Stream(StreamId),
}

impl Row {
    pub(crate) fn life(lease: Lease, lane: Lane) -> Self {
        Self::Life(lease.node, lease.epoch, lane)
    }
}

/// The longest wait for a row.
const LOCK_TIMEOUT: Duration = Duration::from_secs(4);
/// After such a wait it is looked whether two wait for each other.
const DEADLOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// A transaction that does nothing for so long is ended with its connection.
const IDLE_TIMEOUT: Duration = Duration::from_secs(1);
/// Between two looks at a row that another transaction has.
const LOOK_EVERY: Duration = Duration::from_millis(7);

/// Why a row was not locked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoLock {
    /// Another transaction has it for too long.
    Timeout,
    /// Each waits for the other.
    Deadlock,
}

/// A transaction that is under way.
struct Holder {
    rows: Vec<Row>,
    /// What it waits for.
    wants: Option<Row>,
    /// Since when it waits for its client; such a client may be gone or stand still.
    idle_since: Option<Instant>,
    session: CancellationToken,
}

#[derive(Default)]
struct State {
    next: u64,
    under_way: BTreeMap<u64, Holder>,
    taken: BTreeMap<Row, u64>,
    waiting: BTreeMap<Row, VecDeque<u64>>,
    /// Transactions that were ended because their clients did nothing.
    ended: u64,
}

impl State {
    /// Locks the row if it is free and nobody was earlier.
    fn take(&mut self, number: u64, row: Row) -> bool {
        let first = self.waiting.get(&row).and_then(VecDeque::front).copied();
        let mine = self.taken.get(&row) == Some(&number);
        let free = !self.taken.contains_key(&row) && first.is_none_or(|first| first == number);
        if free && let Some(holder) = self.under_way.get_mut(&number) {
            holder.rows.push(row);
            self.taken.insert(row, number);
        }
        mine || free
    }

    fn stop_waiting(&mut self, number: u64, row: Row) {
        if let Some(waiting) = self.waiting.get_mut(&row) {
            waiting.retain(|other| *other != number);
            if waiting.is_empty() {
                self.waiting.remove(&row);
            }
        }
        if let Some(holder) = self.under_way.get_mut(&number) {
            holder.wants = None;
        }
    }

    fn end(&mut self, number: u64) {
        if let Some(holder) = self.under_way.remove(&number) {
            for row in holder.rows {
                self.taken.remove(&row);
            }
        }
    }

    /// Ends the transaction that has this row, if its client does nothing.
    fn end_idle(&mut self, row: Row) {
        let Some(number) = self.taken.get(&row).copied() else {
            return;
        };
        let holder = self.under_way.get(&number);
        let idle = holder.and_then(|holder| holder.idle_since);
        if idle.is_some_and(|since| since.elapsed() >= IDLE_TIMEOUT)
            && let Some(holder) = holder
        {
            holder.session.cancel();
            self.ended += 1;
            self.end(number);
        }
    }

    /// Whether a transaction waits for itself, by way of others.
    fn is_in_a_circle(&self, number: u64) -> bool {
        let mut at = number;
        for _ in 0..self.under_way.len() {
            let wants = self.under_way.get(&at).and_then(|holder| holder.wants);
            let Some(next) = wants.and_then(|row| self.taken.get(&row)) else {
                return false;
            };
            if *next == number {
                return true;
            }
            at = *next;
        }
        false
    }
}

/// All rows that are locked.
#[derive(Default)]
pub(crate) struct Locks(Mutex<State>);

impl Locks {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A transaction begins; its number.
    pub(super) fn begin(&self, session: &CancellationToken) -> u64 {
        let mut state = self.state();
        state.next += 1;
        let number = state.next;
        let holder = Holder {
            rows: Vec::new(),
            wants: None,
            idle_since: None,
            session: session.clone(),
        };
        state.under_way.insert(number, holder);
        number
    }

    /// Locks rows one after the other, in this order.
    pub(super) async fn take(&self, number: u64, rows: &[Row]) -> Result<(), NoLock> {
        for row in rows {
            if self.state().take(number, *row) {
                continue;
            }
            let waits = Waits {
                locks: self,
                number,
                row: *row,
            };
            waits.begin();
            waits.until_taken().await?;
        }
        Ok(())
    }

    /// The transaction waits for its client from now on, or does so no longer. Whether it is still under way.
    pub(super) fn idle(&self, number: u64, idle: bool) -> bool {
        let mut state = self.state();
        let holder = state.under_way.get_mut(&number);
        holder.is_some_and(|holder| {
            holder.idle_since = idle.then(Instant::now);
            true
        })
    }

    /// The transaction has ended.
    pub(super) fn end(&self, number: u64) {
        self.state().end(number);
    }

    /// Transactions that were ended since the last call because their clients did nothing.
    pub(super) fn take_ended(&self) -> u64 {
        std::mem::take(&mut self.state().ended)
    }
}

/// A wait for one row, also when it is given up.
struct Waits<'l> {
    locks: &'l Locks,
    number: u64,
    row: Row,
}

impl Waits<'_> {
    fn begin(&self) {
        let mut state = self.locks.state();
        let waiting = state.waiting.entry(self.row).or_default();
        waiting.push_back(self.number);
        if let Some(holder) = state.under_way.get_mut(&self.number) {
            holder.wants = Some(self.row);
        }
    }

    async fn until_taken(&self) -> Result<(), NoLock> {
        let began = Instant::now();
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let mut state = self.locks.state();
            state.end_idle(self.row);
            if state.take(self.number, self.row) {
                return Ok(());
            }
            if began.elapsed() >= DEADLOCK_TIMEOUT && state.is_in_a_circle(self.number) {
                return Err(NoLock::Deadlock);
            }
            if began.elapsed() >= LOCK_TIMEOUT {
                return Err(NoLock::Timeout);
            }
        }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.locks.state().stop_waiting(self.number, self.row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Row = Row::Node(NodeId(1));
    const TWO: Row = Row::Node(NodeId(2));

    #[tokio::test(start_paused = true)]
    async fn who_waits_too_long_is_refused_and_the_next_one_is_not() {
        let (locks, session) = (Locks::default(), CancellationToken::new());
        let (first, second) = (locks.begin(&session), locks.begin(&session));
        assert_eq!(locks.take(first, &[ONE, TWO]).await, Ok(()));
        assert_eq!(locks.take(second, &[TWO]).await, Err(NoLock::Timeout));
        locks.end(first);
        assert_eq!(locks.take(second, &[TWO, ONE]).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn one_of_two_that_wait_for_each_other_is_refused() {
        let (locks, session) = (Locks::default(), CancellationToken::new());
        let (first, second) = (locks.begin(&session), locks.begin(&session));
        assert_eq!(locks.take(first, &[ONE]).await, Ok(()));
        assert_eq!(locks.take(second, &[TWO]).await, Ok(()));
        let wait = async |number, row| {
            let taken = locks.take(number, &[row]).await;
            locks.end(number);
            taken
        };
        let (one, other) = tokio::join!(wait(first, TWO), wait(second, ONE));
        assert!(one.is_ok() || other.is_ok(), "{one:?} {other:?}");
        assert!(
            [one, other].contains(&Err(NoLock::Deadlock)),
            "{one:?} {other:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_nothing_loses_its_transaction() {
        let (locks, session) = (Locks::default(), CancellationToken::new());
        let still = CancellationToken::new();
        let (first, second) = (locks.begin(&still), locks.begin(&session));
        assert_eq!(locks.take(first, &[ONE]).await, Ok(()));
        assert!(locks.idle(first, true));
        assert_eq!(locks.take(second, &[ONE]).await, Ok(()));
        assert!(still.is_cancelled() && !session.is_cancelled());
        assert!(!locks.idle(first, false));
        assert_eq!(locks.take_ended(), 1);
    }
}
