//! Something to be worked out, and what becomes of it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use grundy_shared::solver::Budget;
use tokio::time::Instant;

use super::progress::Progress;

/// The queue is full, or the jobs of this address or player in it are as many as may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueueFull;

/// Why a job has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// There is no room for it.
    QueueFull,
    /// It panicked, or the server stops.
    Failed,
}

impl From<QueueFull> for Unfinished {
    fn from(_: QueueFull) -> Self {
        Self::QueueFull
    }
}

/// How long a job takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// It heeds its budget, or takes some milliseconds at most: the thread for short jobs begins it.
    Short,
    /// It may take longer, and does not heed its budget.
    Long,
}

/// What a job found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found<T> {
    /// What was to be found.
    pub value: T,
    /// How long it took to find it, apart from what came before: waiting, and attempts that were cut off.
    pub took: Duration,
}

/// Something to be worked out. If it is dropped, what it owns is dropped, and with it the duty to answer.
pub struct Job {
    pub(super) cancelled: Box<dyn Fn() -> bool + Send>,
    /// Set when an idle job was stopped because other work waits.
    pub(super) gave_way: Option<Arc<AtomicBool>>,
    /// Whether an attempt of a few milliseconds comes first.
    pub(super) in_slices: bool,
    /// By which its place can be asked for.
    pub(super) progress: Option<Progress>,
    pub(super) work: Box<dyn Work>,
}

impl Job {
    /// `compute` may be called more than once: first with a few milliseconds of processor time, then with more, and again if it had to
    /// give way to others. `then` is called once, with what the last call found or because the job lost its place in the queue. The job
    /// is dropped, or told to stop, once `cancelled` says so.
    pub fn new<T: Send + 'static>(
        cancelled: impl Fn() -> bool + Send + 'static,
        compute: impl FnMut(&Budget<'_>) -> T + Send + 'static,
        then: impl FnOnce(Result<Found<T>, QueueFull>) + Send + 'static,
    ) -> Self {
        Self {
            cancelled: Box::new(cancelled),
            gave_way: None,
            in_slices: true,
            progress: None,
            work: Box::new(Attempts {
                compute,
                found: None,
                then,
            }),
        }
    }

    /// The same job without a first attempt of a few milliseconds: `compute` does not heed that its time is over.
    #[must_use]
    pub fn in_one_go(mut self) -> Self {
        self.in_slices = false;
        self
    }

    /// A job of which [`Analysis::place`](super::Analysis::place) can be asked.
    #[must_use]
    pub fn shown_by(mut self, progress: Option<Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// A budget that also ends when other work waits for a thread. `gave_way` is then true, and the result may be incomplete.
    #[must_use]
    pub fn giving_way(mut self, gave_way: Arc<AtomicBool>) -> Self {
        self.gave_way = Some(gave_way);
        self
    }
}

/// A job without its types.
pub(super) trait Work: Send {
    /// Works, and keeps what was found.
    fn attempt(&mut self, budget: &Budget<'_>);
    /// Hands over what the last attempt found.
    fn finish(self: Box<Self>);
    /// Says that there was no place in the queue.
    fn refuse(self: Box<Self>);
}

struct Attempts<T, C, A> {
    compute: C,
    found: Option<Found<T>>,
    then: A,
}

impl<T, C, A> Work for Attempts<T, C, A>
where
    T: Send,
    C: FnMut(&Budget<'_>) -> T + Send,
    A: FnOnce(Result<Found<T>, QueueFull>) + Send,
{
    fn attempt(&mut self, budget: &Budget<'_>) {
        let began = Instant::now();
        let value = (self.compute)(budget);
        let took = began.elapsed();
        self.found = Some(Found { value, took });
    }

    fn finish(self: Box<Self>) {
        if let Some(found) = self.found {
            (self.then)(Ok(found));
        }
    }

    fn refuse(self: Box<Self>) {
        (self.then)(Err(QueueFull));
    }
}
