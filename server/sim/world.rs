//! One world: its time, its chance, what it remembers, and what it found wrong.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_shared::ids::Millis;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use crate::bells::Bells;
use crate::board::Board;
use crate::dice::Dice;
use crate::disk::Disk;
use crate::faults::{Counts, Fault};
use crate::lobby::Lounge;
use crate::operator::Deeds;
use crate::plan::Plan;
use crate::postgres::Database;
use crate::seated::Seated;
use crate::timeline::Timeline;
use crate::trace::Trace;
use crate::wire::Wire;

/// The wall time at which every world begins.
const BEGINNING: Millis = Millis(1_800_000_000_000);

/// Something that must not be.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// Whether nothing wrong was done, but something was not done.
    pub(crate) liveness: bool,
    /// When, in virtual milliseconds.
    pub(crate) at_ms: u64,
    pub(crate) what: String,
}

/// What everybody in a world shares.
pub(crate) struct World {
    pub(crate) plan: Plan,
    pub(crate) dice: Dice,
    pub(crate) faults: Counts,
    pub(crate) disk: Disk,
    /// What several servers share.
    pub(crate) database: Database,
    /// What carries hints between them.
    pub(crate) wire: Wire,
    pub(crate) crashes: AtomicU64,
    /// Faults fire no more: now everything has to come to its end.
    calm: AtomicBool,
    /// Since when, in virtual milliseconds.
    calm_since: AtomicU64,
    /// Told when faults stop.
    pub(crate) calmed: Notify,
    /// Tasks of the world itself.
    pub(crate) helpers: TaskTracker,
    epoch: Instant,
    trace: Mutex<Trace>,
    findings: Mutex<Vec<Finding>>,
    board: Mutex<Board>,
    bells: Mutex<Bells>,
    lounge: Mutex<Lounge>,
    deeds: Mutex<Deeds>,
    timeline: Mutex<Timeline>,
    seated: Mutex<Seated>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    pub(crate) fn new(plan: Plan, aloud: bool) -> Arc<Self> {
        let disk = Disk::default();
        Arc::new(Self {
            database: Database::over(&disk.memory),
            wire: Wire::default(),
            dice: Dice::new(plan.seed),
            plan,
            faults: Counts::default(),
            disk,
            crashes: AtomicU64::new(0),
            calm: AtomicBool::new(false),
            calm_since: AtomicU64::new(0),
            calmed: Notify::new(),
            helpers: TaskTracker::new(),
            epoch: Instant::now(),
            trace: Mutex::new(Trace::new(aloud)),
            findings: Mutex::default(),
            board: Mutex::default(),
            bells: Mutex::default(),
            lounge: Mutex::default(),
            deeds: Mutex::default(),
            timeline: Mutex::default(),
            seated: Mutex::default(),
        })
    }

    /// Virtual milliseconds since the beginning.
    pub(crate) fn now_ms(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The wall time, as a server takes it at its start.
    pub(crate) fn wall(&self) -> Millis {
        BEGINNING.plus(Millis(self.now_ms()))
    }

    /// The virtual moment of a wall time.
    pub(crate) fn since_beginning(&self, wall: Millis) -> u64 {
        wall.since(BEGINNING).0
    }

    pub(crate) fn note(&self, what: fmt::Arguments<'_>) {
        locked(&self.trace).note(self.now_ms(), what);
    }

    pub(crate) fn trace_hash(&self) -> u64 {
        locked(&self.trace).hash()
    }

    /// Notes what must not be.
    pub(crate) fn wrong(&self, what: impl Into<String>) {
        self.find(false, what.into());
    }

    /// Notes what was not done.
    pub(crate) fn stuck(&self, what: impl Into<String>) {
        self.find(true, what.into());
    }

    fn find(&self, liveness: bool, what: String) {
        self.note(format_args!("FOUND {what}"));
        locked(&self.findings).push(Finding {
            liveness,
            at_ms: self.now_ms(),
            what,
        });
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        locked(&self.findings).clone()
    }

    pub(crate) fn has_findings(&self) -> bool {
        !locked(&self.findings).is_empty()
    }

    pub(crate) fn board(&self) -> MutexGuard<'_, Board> {
        locked(&self.board)
    }

    pub(crate) fn lounge(&self) -> MutexGuard<'_, Lounge> {
        locked(&self.lounge)
    }

    pub(crate) fn deeds(&self) -> MutexGuard<'_, Deeds> {
        locked(&self.deeds)
    }

    pub(crate) fn bells(&self) -> MutexGuard<'_, Bells> {
        locked(&self.bells)
    }

    pub(crate) fn timeline(&self) -> MutexGuard<'_, Timeline> {
        locked(&self.timeline)
    }

    pub(crate) fn seated(&self) -> MutexGuard<'_, Seated> {
        locked(&self.seated)
    }

    pub(crate) fn is_calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    /// Whether faults have stopped so long ago.
    pub(crate) fn is_calm_for(&self, time: Duration) -> bool {
        let since = Duration::from_millis(self.calm_since.load(Ordering::Relaxed));
        self.is_calm() && self.epoch.elapsed() >= since + time
    }

    /// Stops all faults.
    pub(crate) fn calm_down(&self) {
        self.calm_since.store(self.now_ms(), Ordering::Relaxed);
        self.calm.store(true, Ordering::Relaxed);
        self.note(format_args!("calm"));
        self.calmed.notify_waiters();
    }

    /// Whether this fault happens now: once in so many times, where it may.
    pub(crate) fn strikes(&self, fault: Fault, one_in: u32) -> bool {
        let strikes = !self.is_calm() && self.plan.allows(fault) && self.dice.one_in(one_in);
        if strikes {
            self.fired(fault);
        }
        strikes
    }

    pub(crate) fn fired(&self, fault: Fault) {
        self.faults.fired(fault);
        self.note(format_args!("fault {}", fault.name()));
    }

    /// How long something takes on the network.
    pub(crate) fn latency(&self) -> Duration {
        let usual = self.dice.within(0..self.plan.latency_ms + 1);
        let late = self.strikes(Fault::Delay, 400);
        let more = if late {
            self.dice.within(500..4_000)
        } else {
            0
        };
        Duration::from_millis(usual + more)
    }
}
