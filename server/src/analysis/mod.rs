//! Work of the solver, on threads of its own: bounded in number, waiting, time and memory, and shared fairly among addresses and players.
//!
//! A job first gets a few milliseconds on a thread that does nothing else, so that a short one never waits for a long one. What needs more
//! waits for the other threads: there the built-in bots' moves come before passwords, passwords before analyses, and analyses before idle
//! work, which no client waits for; none of them waits for ever. Within each, the job of the address that has used the least processor
//! time goes next. See docs/decisions/0027.
//!
//! A job that panics does no harm: what it owned is dropped, and with it the duty to answer, which answers `internal`.

mod job;
mod lane;
mod owner;
mod progress;
pub mod reviews;
mod schedule;
mod shares;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use grundy_shared::solver::Budget;
use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use self::job::Work;
pub use self::job::{Found, Job, Length, QueueFull, Unfinished};
use self::lane::Lane;
pub use self::owner::{Owner, Place};
pub use self::progress::Progress;
use self::schedule::{Role, Run, Schedule, Taken};
use crate::lifecycle::Lifecycle;
use crate::metrics::{ByPurpose, SolverQueue};

/// What a job is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A built-in bot is to move.
    Play,
    /// A password is tried: few at a time, since each needs much memory.
    Secret,
    /// A client wants to know.
    Study,
    /// No client waits for the result. The job begins when there is nothing else to do, and gives way as soon as there is.
    Idle,
}

impl Purpose {
    /// Its name in the metrics.
    fn label(self) -> ByPurpose {
        let purpose = match self {
            Self::Play => "play",
            Self::Secret => "secret",
            Self::Study => "study",
            Self::Idle => "idle",
        };
        ByPurpose { purpose }
    }

    /// Where a job of this purpose waits that needs more than a few milliseconds.
    fn lane(self) -> Lane {
        match self {
            Self::Play => Lane::Play,
            Self::Secret => Lane::Secret,
            Self::Study | Self::Idle => Lane::Study,
        }
    }
}

/// Processor time of a first attempt.
const SLICE: Duration = Duration::from_millis(2);
/// How many times the processor time of other jobs an idle job may use.
const IDLE_FACTOR: u32 = 10;
/// Passwords that may wait: a second's worth or two.
const SECRETS_WAITING: usize = 16;
/// Of these, those of one address.
const SECRETS_OF_ADDRESS: usize = 4;

/// The bounds of the pool and of each job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Threads for long jobs; there is one more for short ones.
    pub threads: usize,
    /// Jobs that may wait in each lane.
    pub queue: usize,
    /// Of these, those of one address.
    pub queue_per_address: usize,
    /// Of these, those of one player.
    pub queue_per_player: usize,
    /// CPU time of a job.
    pub cpu: Duration,
    /// Memory of a job, in bytes.
    pub memory_bytes: u64,
    /// Nodes of a job.
    pub nodes: u64,
}

impl Bounds {
    fn of(self, lane: Lane) -> shares::Bounds {
        match lane {
            Lane::Quick | Lane::Play | Lane::Study => shares::Bounds {
                all: self.queue,
                of_address: self.queue_per_address,
                of_player: self.queue_per_player,
            },
            Lane::Secret => shares::Bounds {
                all: SECRETS_WAITING,
                of_address: SECRETS_OF_ADDRESS,
                of_player: SECRETS_OF_ADDRESS,
            },
        }
    }
}

/// A job on its way through the pool.
struct Ticket {
    purpose: Purpose,
    job: Job,
    /// How often it gave way.
    gave_way: u32,
    waits: Option<Counted>,
}

/// Counts a job in a gauge: among those that wait, or that run.
struct Counted(Gauge);

impl Counted {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Why an attempt ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    Cancelled,
    GaveWay,
    Time,
}

/// A job panicked: it is dropped.
#[derive(Clone, Copy, Debug)]
struct Panicked;

struct Pool {
    bounds: Bounds,
    metrics: SolverQueue,
    schedule: Mutex<Schedule<Ticket>>,
    /// Number of queued jobs that a client waits for.
    urgent: AtomicUsize,
    /// Wakes the thread for first attempts.
    wake_quick: Condvar,
    /// Wakes the others.
    wake: Condvar,
}

/// The pool; its threads end soon after it is dropped.
pub struct Analysis {
    pool: Arc<Pool>,
    /// Without threads: each job is a task of the server.
    inline: Option<Lifecycle>,
}

impl std::fmt::Debug for Analysis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Analysis").field(&self.pool.bounds).finish()
    }
}

impl Analysis {
    /// Starts the threads; `metrics` shows how many jobs wait and were refused.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start(bounds: Bounds, metrics: SolverQueue) -> std::io::Result<Self> {
        let pool = Pool::new(bounds, metrics);
        let quick = pool.clone();
        thread::Builder::new()
            .name("solver-quick".to_owned())
            .spawn(move || {
                // Otherwise the first request that needs them would compute them, on whichever thread that is.
                grundy_shared::games::prepare();
                quick.work(Role::Quick);
            })?;
        for number in 1..=bounds.threads.max(1) {
            let pool = pool.clone();
            thread::Builder::new()
                .name(format!("solver-{number}"))
                .spawn(move || {
                    lower_priority();
                    pool.work(Role::Any);
                })?;
        }
        Ok(Self { pool, inline: None })
    }

    /// Without threads, for simulations: a job is a task that runs in one go, and no measured time stops it.
    #[must_use]
    pub fn inline(bounds: Bounds, metrics: SolverQueue, lifecycle: Lifecycle) -> Self {
        Self {
            pool: Pool::new(bounds, metrics),
            inline: Some(lifecycle),
        }
    }

    /// Queues the job of this owner that `prepare` makes; it makes none where there is no room, so that who has to answer still can.
    ///
    /// # Errors
    /// [`QueueFull`].
    pub fn submit(
        &self,
        purpose: Purpose,
        owner: Owner,
        prepare: impl FnOnce() -> Job,
    ) -> Result<(), QueueFull> {
        if let Some(lifecycle) = &self.inline {
            let (pool, job) = (self.pool.clone(), prepare());
            drop(lifecycle.spawn(async move { pool.run_untimed(job) }));
            return Ok(());
        }
        self.pool.submit(purpose, owner, prepare)
    }

    /// Runs a job for this owner and waits for its result. If the caller stops waiting, the job is dropped or its budget ends.
    ///
    /// # Errors
    /// [`Unfinished`].
    pub async fn work<T: Send + 'static>(
        &self,
        owner: Owner,
        length: Length,
        compute: impl FnMut(&Budget<'_>) -> T + Send + 'static,
    ) -> Result<Found<T>, Unfinished> {
        let gone = CancellationToken::new();
        let _waits = gone.clone().drop_guard();
        let (answer, answered) = oneshot::channel();
        // A caller that no longer waits needs no answer.
        let then = move |found: Result<Found<T>, QueueFull>| drop(answer.send(found));
        let prepare = || {
            let job = Job::new(move || gone.is_cancelled(), compute, then);
            match length {
                Length::Short => job,
                Length::Long => job.in_one_go(),
            }
        };
        self.submit(Purpose::Study, owner, prepare)?;
        // A job that panics is dropped, and its sender with it.
        let found = answered.await.map_err(|_| Unfinished::Failed)?;
        Ok(found?)
    }

    /// The place of a job in its lane, from 1, if those that wait go on to use their whole budgets and nobody else comes; `None` if it does not wait:
    /// it runs, or is done. Cost: linear in the jobs that wait, up to a logarithm.
    #[must_use]
    pub fn place(&self, progress: &Progress) -> Option<u32> {
        let look = |ticket: &Ticket| {
            let own = ticket.job.progress.as_ref();
            let is_it = own.is_some_and(|own| own.is(progress));
            // What nobody needs any more takes no time.
            (is_it || !(ticket.job.cancelled)()).then_some(is_it)
        };
        self.pool.lock().place(look)
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        let dropped = self.pool.lock().stop();
        self.pool.wake.notify_all();
        self.pool.wake_quick.notify_all();
        drop(dropped);
    }
}

/// On Linux this lowers the calling thread alone; elsewhere it would slow the whole server.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(10) {
        tracing::debug!(%error, "solver threads run at normal priority");
    }
}

impl Pool {
    fn new(bounds: Bounds, metrics: SolverQueue) -> Arc<Self> {
        let threads = bounds.threads.max(1);
        Arc::new(Self {
            bounds,
            metrics,
            schedule: Mutex::new(Schedule::new(threads, bounds.cpu)),
            urgent: AtomicUsize::default(),
            wake_quick: Condvar::new(),
            wake: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Schedule<Ticket>> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waits(&self, purpose: Purpose) -> Counted {
        let label = purpose.label();
        Counted::new(&self.metrics.waiting.get_or_create(&label))
    }

    fn runs(&self, purpose: Purpose) -> Counted {
        let label = purpose.label();
        Counted::new(&self.metrics.running.get_or_create(&label))
    }

    fn count_refused(&self, purpose: Purpose) {
        let label = purpose.label();
        self.metrics.refused.get_or_create(&label).inc();
    }

    fn count_dropped(&self, purpose: Purpose) {
        let label = purpose.label();
        self.metrics.dropped.get_or_create(&label).inc();
    }

    fn submit(
        &self,
        purpose: Purpose,
        owner: Owner,
        prepare: impl FnOnce() -> Job,
    ) -> Result<(), QueueFull> {
        let mut schedule = self.lock();
        if purpose == Purpose::Idle {
            if schedule.idle_waits() {
                return Err(QueueFull);
            }
            let ticket = self.ticket(purpose, prepare());
            schedule.push_idle(ticket);
        } else {
            // A job that runs in one go is known only once it is prepared, and the lanes have the same bounds.
            let first = match purpose {
                Purpose::Play | Purpose::Study => Lane::Quick,
                Purpose::Secret | Purpose::Idle => purpose.lane(),
            };
            let has_room = self.make_room(&mut schedule, first, owner);
            if !has_room {
                drop(schedule);
                // Those that made room for nothing are answered.
                self.wake_quick.notify_one();
                self.wake.notify_one();
                self.count_refused(purpose);
                return Err(QueueFull);
            }
            let ticket = self.ticket(purpose, prepare());
            schedule.push(first, owner, ticket);
        }
        self.note(&schedule);
        let is_urgent = schedule.is_urgent() || schedule.has_more();
        drop(schedule);
        self.wake_quick.notify_one();
        if is_urgent {
            self.wake.notify_one();
        }
        Ok(())
    }

    fn ticket(&self, purpose: Purpose, job: Job) -> Ticket {
        Ticket {
            purpose,
            job,
            gave_way: 0,
            waits: Some(self.waits(purpose)),
        }
    }

    fn make_room(&self, schedule: &mut Schedule<Ticket>, lane: Lane, owner: Owner) -> bool {
        let is_stale = |ticket: &Ticket| (ticket.job.cancelled)();
        schedule.make_room(lane, owner, self.bounds.of(lane), is_stale)
    }

    fn note(&self, schedule: &Schedule<Ticket>) {
        let urgent = usize::from(schedule.is_urgent());
        self.urgent.store(urgent, Ordering::Relaxed);
    }

    fn work(&self, role: Role) {
        while let Some(taken) = self.next(role) {
            match taken {
                Taken::Job {
                    lane,
                    owner,
                    job,
                    run,
                } => self.run(lane, owner, job, &run),
                Taken::Idle(ticket) => self.run_idle(ticket.job),
                Taken::Leaving(ticket) => self.dismiss(ticket),
            }
        }
    }

    fn next(&self, role: Role) -> Option<Taken<Ticket>> {
        let mut schedule = self.lock();
        loop {
            if schedule.stopping {
                return None;
            }
            if let Some(mut taken) = schedule.take(role, |ticket| ticket.gave_way) {
                self.note(&schedule);
                let (Taken::Job { job: ticket, .. } | Taken::Idle(ticket) | Taken::Leaving(ticket)) =
                    &mut taken;
                ticket.waits = None;
                return Some(taken);
            }
            let wake = match role {
                Role::Quick => &self.wake_quick,
                Role::Any => &self.wake,
            };
            schedule = wake.wait(schedule).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Answers a job that lost its place, unless nobody needs it.
    fn dismiss(&self, ticket: Ticket) {
        if (ticket.job.cancelled)() {
            return self.count_dropped(ticket.purpose);
        }
        self.count_refused(ticket.purpose);
        let refuse = AssertUnwindSafe(|| ticket.job.work.refuse());
        if catch_unwind(refuse).is_err() {
            tracing::error!("refusing an analysis panicked");
        }
    }

    fn run(&self, lane: Lane, owner: Owner, mut ticket: Ticket, run: &Run) {
        if (ticket.job.cancelled)() {
            self.count_dropped(ticket.purpose);
            self.lock().settle(owner, run, Duration::ZERO);
            return self.wake.notify_one();
        }
        let is_first = lane == Lane::Quick;
        if is_first && !ticket.job.in_slices {
            // Work that heeds no time is for the other threads.
            return self.pass_on(owner, ticket, run, Duration::ZERO);
        }
        let counted = (!is_first).then(|| self.runs(ticket.purpose));
        let cpu = if is_first {
            SLICE.min(self.bounds.cpu)
        } else {
            self.bounds.cpu
        };
        let began = thread_time();
        let cut = self.attempt_within(&mut ticket.job, run, began + cpu);
        let used = thread_time().saturating_sub(began);
        drop(counted);
        match cut {
            Ok(Some(Cut::Time)) if is_first => return self.pass_on(owner, ticket, run, used),
            Ok(Some(Cut::GaveWay)) => return self.put_back(lane, owner, ticket, run, used),
            Ok(cut) => {
                // Nobody needed it any more before it was done.
                if matches!(cut, Some(Cut::Cancelled)) {
                    self.count_dropped(ticket.purpose);
                }
                self.lock().settle(owner, run, used);
                self.finish(ticket.job);
            }
            Err(Panicked) => self.lock().settle(owner, run, used),
        }
        // A password may have waited for the end of this one.
        self.wake.notify_one();
    }

    /// Works on a job until this thread has used so much processor time in all; why it was cut off, if it was.
    fn attempt_within(
        &self,
        job: &mut Job,
        run: &Run,
        until: Duration,
    ) -> Result<Option<Cut>, Panicked> {
        let cut = Cell::new(None);
        let Job {
            cancelled, work, ..
        } = job;
        let stop = || {
            let why = if cancelled() {
                Cut::Cancelled
            } else if run.gives_way.load(Ordering::Relaxed) {
                Cut::GaveWay
            } else if thread_time() >= until {
                Cut::Time
            } else {
                return false;
            };
            cut.set(Some(why));
            true
        };
        self.attempt(&stop, &mut **work)?;
        Ok(cut.get())
    }

    /// Lets a job that gave way wait again, in front of the others of its player.
    fn put_back(&self, lane: Lane, owner: Owner, mut ticket: Ticket, run: &Run, used: Duration) {
        ticket.gave_way += 1;
        ticket.waits = Some(self.waits(ticket.purpose));
        let mut schedule = self.lock();
        schedule.settle(owner, run, used);
        schedule.put_back(lane, owner, ticket);
        self.note(&schedule);
    }

    /// Lets a job that needs more than a first attempt wait for the other threads.
    fn pass_on(&self, owner: Owner, mut ticket: Ticket, run: &Run, used: Duration) {
        let lane = ticket.purpose.lane();
        let mut schedule = self.lock();
        schedule.settle(owner, run, used);
        if !self.make_room(&mut schedule, lane, owner) {
            drop(schedule);
            return self.dismiss(ticket);
        }
        ticket.waits = Some(self.waits(ticket.purpose));
        schedule.push(lane, owner, ticket);
        if lane == Lane::Play {
            schedule.make_way(owner);
        }
        self.note(&schedule);
        drop(schedule);
        self.wake.notify_one();
    }

    fn run_idle(&self, mut job: Job) {
        if (job.cancelled)() {
            return;
        }
        let began = thread_time();
        let cpu = self.bounds.cpu * IDLE_FACTOR;
        let gave_way = job.gave_way.clone();
        let gives_way = || {
            let gave_way = gave_way.as_ref();
            let gives = gave_way.filter(|_| self.urgent.load(Ordering::Relaxed) > 0);
            gives.is_some_and(|gave_way| {
                gave_way.store(true, Ordering::Relaxed);
                true
            })
        };
        let cancelled = &job.cancelled;
        let stop = || cancelled() || gives_way() || thread_time().saturating_sub(began) >= cpu;
        if self.attempt(&stop, &mut *job.work).is_ok() {
            self.finish(job);
        }
    }

    fn run_untimed(&self, mut job: Job) {
        let cancelled = &job.cancelled;
        if !cancelled() && self.attempt(cancelled, &mut *job.work).is_ok() {
            self.finish(job);
        }
    }

    fn attempt(&self, stop: &dyn Fn() -> bool, work: &mut dyn Work) -> Result<(), Panicked> {
        let budget = Budget {
            nodes: self.bounds.nodes,
            memory_bytes: self.bounds.memory_bytes,
            stop,
        };
        let attempted = catch_unwind(AssertUnwindSafe(|| work.attempt(&budget)));
        attempted.map_err(|_| {
            tracing::error!("an analysis panicked");
            Panicked
        })
    }

    fn finish(&self, job: Job) {
        if catch_unwind(AssertUnwindSafe(|| job.work.finish())).is_err() {
            tracing::error!("answering an analysis panicked");
        }
    }
}

/// CPU time that this thread has used.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(test)]
mod tests;
