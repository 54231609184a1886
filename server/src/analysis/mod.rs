//! Work of the solver, on threads of its own: bounded in number, waiting, time and memory, so that play goes on.
//!
//! The built-in bots' moves come before passwords, but not for ever. Passwords come before analyses, and analyses before idle work, which no
//! client waits for. A job that panics does no harm: what it owned is dropped, and with it the duty to answer, which answers `internal`.

pub mod reviews;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use grundy_shared::solver::Budget;
use prometheus_client::metrics::gauge::Gauge;

use crate::lifecycle::Lifecycle;

/// What a job is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A built-in bot is to move.
    Play,
    /// A password is tried: few at a time, since each needs much memory.
    Secret,
    /// Somebody wants to know.
    Study,
    /// No client waits for the result. The job begins when there is nothing else to do, and gives way as soon as there is.
    Idle,
}

/// How many times the processor time of other jobs an idle job may use.
const IDLE_FACTOR: u32 = 10;
/// Maximum number of idle jobs in the queue.
const IDLE_WAITING: usize = 1;

/// Passwords that are tried at once.
const SECRETS_AT_ONCE: usize = 2;
/// Moves that may come before a password which waits.
const PLAYS_BEFORE_SECRET: u32 = 4;
/// Passwords that may wait: a second's worth or two.
const SECRETS_WAITING: usize = 16;

/// The bounds of the pool and of each job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Threads.
    pub threads: usize,
    /// Jobs of each purpose that may wait.
    pub queue: usize,
    /// CPU time of a job.
    pub cpu: Duration,
    /// Memory of a job, in bytes.
    pub memory_bytes: u64,
    /// Nodes of a job.
    pub nodes: u64,
}

/// The queue is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueueFull;

/// Something to be worked out.
pub struct Job {
    cancelled: Box<dyn Fn() -> bool + Send>,
    /// Set when the job was stopped because other work waits.
    gave_way: Option<Arc<AtomicBool>>,
    work: Box<dyn FnOnce(&Budget<'_>) + Send>,
}

impl Job {
    /// It is dropped unworked, or told to stop, once `cancelled` says so.
    pub fn new(
        cancelled: impl Fn() -> bool + Send + 'static,
        work: impl FnOnce(&Budget<'_>) + Send + 'static,
    ) -> Self {
        Self {
            cancelled: Box::new(cancelled),
            gave_way: None,
            work: Box::new(work),
        }
    }

    /// A budget that also ends when other work waits for a thread. `gave_way` is then true, and the result may be incomplete.
    pub fn giving_way(
        cancelled: impl Fn() -> bool + Send + 'static,
        gave_way: Arc<AtomicBool>,
        work: impl FnOnce(&Budget<'_>) + Send + 'static,
    ) -> Self {
        Self {
            gave_way: Some(gave_way),
            ..Self::new(cancelled, work)
        }
    }
}

#[derive(Default)]
struct Queues {
    play: VecDeque<Job>,
    secret: VecDeque<Job>,
    /// Passwords that are being tried.
    secrets: usize,
    /// Moves that were taken before a password which waits.
    overtaken: u32,
    study: VecDeque<Job>,
    idle: VecDeque<Job>,
    stopping: bool,
}

impl Queues {
    /// The most urgent job that may begin.
    fn take(&mut self) -> Option<(Purpose, Job)> {
        let secret_waits = self.secrets < SECRETS_AT_ONCE && !self.secret.is_empty();
        let play_is_next = !secret_waits || self.overtaken < PLAYS_BEFORE_SECRET;
        if play_is_next && let Some(job) = self.play.pop_front() {
            self.overtaken += u32::from(secret_waits);
            return Some((Purpose::Play, job));
        }
        if secret_waits && let Some(job) = self.secret.pop_front() {
            self.secrets += 1;
            self.overtaken = 0;
            return Some((Purpose::Secret, job));
        }
        if let Some(job) = self.study.pop_front() {
            return Some((Purpose::Study, job));
        }
        self.idle.pop_front().map(|job| (Purpose::Idle, job))
    }

    /// Jobs that a client waits for.
    fn urgent(&self) -> usize {
        self.play.len() + self.secret.len() + self.study.len()
    }
}

struct Pool {
    bounds: Bounds,
    waiting: Gauge,
    queues: Mutex<Queues>,
    /// Number of queued jobs that a client waits for.
    urgent: AtomicUsize,
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
    /// Starts the threads; `waiting` shows how many jobs wait.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start(bounds: Bounds, waiting: Gauge) -> std::io::Result<Self> {
        let pool = Pool::new(bounds, waiting);
        for number in 1..=bounds.threads.max(1) {
            let pool = pool.clone();
            thread::Builder::new()
                .name(format!("solver-{number}"))
                .spawn(move || pool.work())?;
        }
        Ok(Self { pool, inline: None })
    }

    /// Without threads, for simulations: a job is a task that runs in one go, and no measured time stops it.
    #[must_use]
    pub fn inline(bounds: Bounds, waiting: Gauge, lifecycle: Lifecycle) -> Self {
        Self {
            pool: Pool::new(bounds, waiting),
            inline: Some(lifecycle),
        }
    }

    /// Queues the job that `prepare` makes; it makes none where there is no room, so that who has to answer still can.
    ///
    /// # Errors
    /// [`QueueFull`].
    pub fn submit(&self, purpose: Purpose, prepare: impl FnOnce() -> Job) -> Result<(), QueueFull> {
        if let Some(lifecycle) = &self.inline {
            let (pool, job) = (self.pool.clone(), prepare());
            drop(lifecycle.spawn(async move { pool.run_untimed(job) }));
            return Ok(());
        }
        let mut queues = self.pool.lock();
        let (queue, most) = match purpose {
            Purpose::Play => (&mut queues.play, self.pool.bounds.queue),
            Purpose::Secret => (&mut queues.secret, SECRETS_WAITING),
            Purpose::Study => (&mut queues.study, self.pool.bounds.queue),
            Purpose::Idle => (&mut queues.idle, IDLE_WAITING),
        };
        if queue.len() >= most {
            return Err(QueueFull);
        }
        queue.push_back(prepare());
        self.pool.waiting.inc();
        self.pool.urgent.store(queues.urgent(), Ordering::Relaxed);
        drop(queues);
        self.pool.wake.notify_one();
        Ok(())
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        let mut queues = self.pool.lock();
        queues.stopping = true;
        queues.play.clear();
        queues.secret.clear();
        queues.study.clear();
        queues.idle.clear();
        drop(queues);
        self.pool.wake.notify_all();
    }
}

impl Pool {
    fn new(bounds: Bounds, waiting: Gauge) -> Arc<Self> {
        Arc::new(Self {
            bounds,
            waiting,
            queues: Mutex::default(),
            urgent: AtomicUsize::default(),
            wake: Condvar::new(),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        // On Linux this lowers the calling thread alone; elsewhere it would slow the whole server.
        #[cfg(target_os = "linux")]
        if let Err(error) = rustix::process::nice(10) {
            tracing::debug!(%error, "solver threads run at normal priority");
        }
        while let Some((purpose, job)) = self.next() {
            self.run(purpose, job);
            if purpose == Purpose::Secret {
                self.lock().secrets -= 1;
                self.wake.notify_one();
            }
        }
    }

    fn next(&self) -> Option<(Purpose, Job)> {
        let mut queues = self.lock();
        loop {
            if queues.stopping {
                return None;
            }
            if let Some(taken) = queues.take() {
                self.waiting.dec();
                self.urgent.store(queues.urgent(), Ordering::Relaxed);
                return Some(taken);
            }
            queues = self
                .wake
                .wait(queues)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn run(&self, purpose: Purpose, job: Job) {
        let Job {
            cancelled,
            gave_way,
            work,
        } = job;
        if cancelled() {
            return;
        }
        let cpu = match purpose {
            Purpose::Play | Purpose::Secret | Purpose::Study => self.bounds.cpu,
            Purpose::Idle => self.bounds.cpu * IDLE_FACTOR,
        };
        let gives_way = || {
            let gave_way = gave_way.as_ref();
            let gives = gave_way.filter(|_| self.urgent.load(Ordering::Relaxed) > 0);
            gives.is_some_and(|gave_way| {
                gave_way.store(true, Ordering::Relaxed);
                true
            })
        };
        let began = thread_time();
        let stop = || cancelled() || gives_way() || thread_time().saturating_sub(began) >= cpu;
        self.run_until(&stop, work);
    }

    fn run_untimed(&self, job: Job) {
        let Job {
            cancelled, work, ..
        } = job;
        if !cancelled() {
            self.run_until(&cancelled, work);
        }
    }

    fn run_until(&self, stop: &dyn Fn() -> bool, work: Box<dyn FnOnce(&Budget<'_>) + Send>) {
        let budget = Budget {
            nodes: self.bounds.nodes,
            memory_bytes: self.bounds.memory_bytes,
            stop,
        };
        if catch_unwind(AssertUnwindSafe(|| work(&budget))).is_err() {
            tracing::error!("an analysis panicked");
        }
    }
}

/// CPU time that this thread has used.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const BOUNDS: Bounds = Bounds {
        threads: 1,
        queue: 1,
        cpu: Duration::from_millis(20),
        memory_bytes: 1 << 20,
        nodes: u64::MAX,
    };

    fn submit(
        pool: &Analysis,
        purpose: Purpose,
        work: impl FnOnce(&Budget<'_>) + Send + 'static,
    ) -> Result<(), QueueFull> {
        pool.submit(purpose, || Job::new(|| false, work))
    }

    #[test]
    fn a_job_without_end_is_stopped_at_its_cpu_time() {
        let pool = Analysis::start(BOUNDS, Gauge::default()).expect("threads");
        let (done, is_done) = mpsc::sync_channel(1);
        let work = move |budget: &Budget<'_>| {
            let began = thread_time();
            while !(budget.stop)() {}
            let _ = done.send(thread_time() - began);
        };
        submit(&pool, Purpose::Study, work).expect("room");
        let used = is_done.recv().expect("it ends");
        // Exact where nothing disturbs the measure; a virtual machine may count time in which it did not run.
        assert!(used < Duration::from_secs(2), "{used:?}");
    }

    #[test]
    fn a_password_gets_its_turn_among_moves_without_end() {
        let job = || Job::new(|| false, |_| ());
        let mut queues = Queues::default();
        queues.study.push_back(job());
        queues.play.extend((0..20).map(|_| job()));
        queues.secret.extend((0..4).map(|_| job()));
        let mut taken = Vec::new();
        while let Some((purpose, _)) = queues.take() {
            taken.push(purpose);
        }
        let places = |wanted: Purpose| {
            let places = taken.iter().enumerate();
            let places = places.filter(move |(_, purpose)| **purpose == wanted);
            places.map(|(place, _)| place).collect::<Vec<_>>()
        };
        // No more than are allowed at once: none of them is ever done here.
        assert_eq!(places(Purpose::Secret), [4, 9]);
        assert_eq!(places(Purpose::Study), [22]);
    }

    #[test]
    fn what_nobody_waits_for_gives_way() {
        let bounds = Bounds {
            cpu: Duration::from_secs(60),
            queue: 2,
            ..BOUNDS
        };
        let pool = Analysis::start(bounds, Gauge::default()).expect("threads");
        let gave_way = Arc::<AtomicBool>::default();
        let (started, is_started) = mpsc::sync_channel(1);
        let (done, is_done) = mpsc::sync_channel(3);
        let note = |word: &'static str| {
            let done = done.clone();
            move |_: &Budget<'_>| done.send(word).expect("the test waits")
        };
        let idle = done.clone();
        let endless = move |budget: &Budget<'_>| {
            let _ = started.send(());
            while !(budget.stop)() {}
            let _ = idle.send("idle");
        };
        let job = Job::giving_way(|| false, gave_way.clone(), endless);
        pool.submit(Purpose::Idle, || job).expect("room");
        is_started.recv().expect("it starts");
        assert!(!gave_way.load(Ordering::Relaxed));
        submit(&pool, Purpose::Study, note("study")).expect("room");
        submit(&pool, Purpose::Play, note("play")).expect("room");
        let order: Vec<_> = is_done.iter().take(3).collect();
        assert_eq!(order[0], "idle");
        assert!(gave_way.load(Ordering::Relaxed));
        // It also begins after all others, however early it was submitted.
        let job = || Job::new(|| false, |_| ());
        let mut queues = Queues::default();
        queues.idle.push_back(job());
        queues.study.push_back(job());
        queues.play.push_back(job());
        let order = std::iter::from_fn(|| queues.take().map(|(purpose, _)| purpose));
        let expected = [Purpose::Play, Purpose::Study, Purpose::Idle];
        assert_eq!(order.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_panic_costs_one_job_and_a_full_queue_is_told() {
        let pool = Analysis::start(BOUNDS, Gauge::default()).expect("threads");
        let (hold, held) = mpsc::sync_channel::<()>(1);
        let (started, is_started) = mpsc::sync_channel(1);
        let blocking = move |_: &Budget<'_>| {
            let _ = started.send(());
            let _ = held.recv();
            panic!("on purpose");
        };
        submit(&pool, Purpose::Study, blocking).expect("room");
        is_started.recv().expect("it starts");
        let (done, is_done) = mpsc::sync_channel(1);
        let next = move |_: &Budget<'_>| done.send(()).expect("the test waits");
        submit(&pool, Purpose::Study, next).expect("room for one");
        assert_eq!(submit(&pool, Purpose::Study, |_| ()), Err(QueueFull));
        submit(&pool, Purpose::Play, |_| ()).expect("its own queue");
        drop(hold);
        is_done.recv().expect("the thread lives on");
    }
}
