//! What is counted while playing. All who count together run on one thread, so that counters are plain cells.

use std::cell::{Cell, RefCell};

use hdrhistogram::Histogram;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::error::LoadError;
use super::sheds::Sheds;
use super::wire::LinkError;

/// Errors that are reported in full.
const TOLD: usize = 5;

/// What has been counted.
pub(super) struct Tally {
    /// Moves acknowledged.
    pub(super) moves: Cell<u64>,
    /// Matches played to the end.
    pub(super) finished: Cell<u64>,
    /// Paced moves that were sent more than 10 ms after their time.
    pub(super) late: Cell<u64>,
    /// Refusals.
    pub(super) refusals: Cell<u64>,
    /// Connections lost.
    pub(super) disconnects: Cell<u64>,
    /// Events that came with a gap, twice or with another move than was made.
    pub(super) gaps: Cell<u64>,
    /// Events that watchers saw.
    pub(super) watched: Cell<u64>,
    /// Solutions that were asked for and came.
    pub(super) solved: Cell<u64>,
    /// Acknowledged moves that the server does not have.
    pub(super) lost: Cell<u64>,
    /// Moves that fell due in an open loop.
    pub(super) offered: Cell<u64>,
    /// Those of them that no match could make, since all waited for the server.
    pub(super) blocked: Cell<u64>,
    /// Requests beside the moves of an open loop.
    pub(super) others: Cell<u64>,
    /// Those of them that were not asked, since too many waited for the server.
    pub(super) others_blocked: Cell<u64>,
    /// What was refused in an open loop, as a server that is overloaded may do.
    pub(super) sheds: RefCell<Sheds>,
    /// Slips in words, the first few.
    pub(super) slips: RefCell<Vec<String>>,
    /// The code of the first refusal.
    pub(super) first_refusal: RefCell<Option<String>>,
    /// Microseconds from a move to its acknowledgement.
    pub(super) acknowledged: RefCell<Histogram<u64>>,
    /// Microseconds from a move to its event at the opponent.
    pub(super) at_opponent: RefCell<Histogram<u64>>,
    /// Matches whose player to move waits for the phase to change.
    parked: Cell<usize>,
    /// Matches that are played.
    alive: Cell<usize>,
    changed: Notify,
}

impl Tally {
    /// Nothing yet, of so many matches.
    pub(super) fn new(matches: usize) -> Self {
        Self {
            moves: Cell::default(),
            finished: Cell::default(),
            late: Cell::default(),
            refusals: Cell::default(),
            disconnects: Cell::default(),
            gaps: Cell::default(),
            watched: Cell::default(),
            solved: Cell::default(),
            lost: Cell::default(),
            offered: Cell::default(),
            blocked: Cell::default(),
            others: Cell::default(),
            others_blocked: Cell::default(),
            sheds: RefCell::default(),
            slips: RefCell::default(),
            first_refusal: RefCell::default(),
            acknowledged: RefCell::new(micros_histogram()),
            at_opponent: RefCell::new(micros_histogram()),
            parked: Cell::default(),
            alive: Cell::new(matches),
            changed: Notify::new(),
        }
    }

    /// Whether every promise was kept.
    pub(super) fn clean(&self) -> bool {
        [&self.refusals, &self.disconnects, &self.gaps, &self.lost]
            .iter()
            .all(|count| count.get() == 0)
    }

    /// Counts a slip and keeps the words of the first few.
    pub(super) fn slip(&self, count: &Cell<u64>, what: String) {
        add(count, 1);
        let mut slips = self.slips.borrow_mut();
        if slips.len() < TOLD {
            slips.push(what);
        }
    }

    /// Counts the end of a connection before its time.
    pub(super) fn broken(&self, error: &LinkError) {
        match error {
            LinkError::Lost(_) => self.slip(&self.disconnects, error.to_string()),
            LinkError::Refused { code, .. } => {
                self.first_refusal
                    .borrow_mut()
                    .get_or_insert_with(|| code.clone());
                self.slip(&self.refusals, error.to_string());
            }
            LinkError::Wrong(_) => self.slip(&self.gaps, error.to_string()),
        }
    }

    /// Takes in what watchers saw.
    pub(super) fn absorb(&self, watchers: &Self) {
        let counts = |tally: &Self| {
            [
                &tally.watched,
                &tally.refusals,
                &tally.disconnects,
                &tally.gaps,
            ]
            .map(Cell::get)
        };
        let ours = [&self.watched, &self.refusals, &self.disconnects, &self.gaps];
        for (ours, theirs) in ours.into_iter().zip(counts(watchers)) {
            add(ours, theirs);
        }
        let mut slips = self.slips.borrow_mut();
        slips.extend(watchers.slips.borrow().iter().cloned());
        slips.truncate(TOLD);
        let mut refusal = self.first_refusal.borrow_mut();
        *refusal = refusal
            .take()
            .or_else(|| watchers.first_refusal.borrow().clone());
    }

    /// One more match waits for the phase to change, or one less.
    pub(super) fn set_parked(&self, parks: bool) {
        let parked = self.parked.get();
        self.parked.set(if parks { parked + 1 } else { parked - 1 });
        self.tell_parked();
    }

    /// Takes note of how a player's part went. A failure ends the match, for the other player as well.
    pub(super) fn ended(&self, played: Result<(), LinkError>) {
        if let Err(error) = played {
            self.broken(&error);
            self.alive.set(self.alive.get().saturating_sub(1));
            self.tell_parked();
        }
    }

    /// The refusal, if it is one that a server with the load profile does not make.
    pub(super) fn refused(&self) -> Option<LoadError> {
        let refusal = self.first_refusal.borrow();
        let code = refusal.as_deref()?;
        matches!(code, "rate_limited" | "too_many").then(|| LoadError::limits(code))
    }

    /// Matches that are played.
    pub(super) fn alive(&self) -> usize {
        self.alive.get()
    }

    /// Those of them whose player to move does not wait for the phase to change.
    pub(super) fn moving(&self) -> usize {
        self.alive.get().saturating_sub(self.parked.get())
    }

    /// Waits until there are none of those.
    pub(super) async fn all_parked(&self) {
        while self.moving() > 0 {
            self.changed.notified().await;
        }
    }

    fn tell_parked(&self) {
        if self.moving() == 0 {
            self.changed.notify_one();
        }
    }
}

/// Counts times from one microsecond to a minute with three digits.
pub(super) fn micros_histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, 60_000_000, 3).expect("the bounds are in order")
}

/// Counts.
pub(super) fn add(count: &Cell<u64>, more: u64) {
    count.set(count.get() + more);
}

/// Counts the time since a moment.
pub(super) fn note_time(histogram: &RefCell<Histogram<u64>>, since: Instant) {
    let micros = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
    histogram.borrow_mut().saturating_record(micros.max(1));
}
