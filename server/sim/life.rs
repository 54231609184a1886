//! The life of one server process: when it dies, when it stands still, and what goes with it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use grundy_server::spawner::{Scheduler, Spawner};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::faults::Fault;
use crate::link::Link;
use crate::world::World;

/// One process from its start to its end.
pub(crate) struct Life {
    pub(crate) world: Arc<World>,
    /// Which server, and which of its lives.
    pub(crate) name: String,
    dead: AtomicBool,
    /// The whole machine died: nobody hears of it.
    pub(crate) silent: AtomicBool,
    still: AtomicBool,
    /// Turns of tasks so far, and at which the process dies.
    turns: AtomicU64,
    dies_at: AtomicU64,
    /// A moment, and the turns before it.
    moment: AtomicU64,
    turns_before: AtomicU64,
    standing: Mutex<Vec<Waker>>,
    links: Mutex<Vec<Weak<Link>>>,
    pub(crate) died: Notify,
    /// When that was, in virtual milliseconds.
    gone_ms: AtomicU64,
    /// Cancelled when the process is gone, however it went.
    pub(crate) gone: CancellationToken,
    spawner: Mutex<Option<Spawner>>,
}

/// Turns of all tasks in one virtual millisecond: far more than any work takes.
const IN_A_MOMENT: u64 = 100_000;
/// Turns of one task that come later than they could: once in so many.
const DISORDER: u32 = 12;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Life {
    pub(crate) fn begin(world: &Arc<World>, name: String) -> (Arc<Self>, Spawner) {
        let life = Arc::new(Self {
            world: world.clone(),
            name,
            dead: AtomicBool::new(false),
            silent: AtomicBool::new(false),
            still: AtomicBool::new(false),
            turns: AtomicU64::new(0),
            dies_at: AtomicU64::new(u64::MAX),
            moment: AtomicU64::new(u64::MAX),
            turns_before: AtomicU64::new(0),
            standing: Mutex::default(),
            links: Mutex::default(),
            died: Notify::new(),
            gone_ms: AtomicU64::new(u64::MAX),
            gone: CancellationToken::new(),
            spawner: Mutex::default(),
        });
        let spawner = Spawner::scheduled_by(life.clone());
        *locked(&life.spawner) = Some(spawner.clone());
        (life, spawner)
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.dead.load(Ordering::Relaxed)
    }

    /// Whether its whole machine dies with it.
    pub(crate) fn is_silent(&self) -> bool {
        self.silent.load(Ordering::Relaxed)
    }

    /// Since when it is gone, in virtual milliseconds; the end of all time while it is there.
    pub(crate) fn gone_ms(&self) -> u64 {
        self.gone_ms.load(Ordering::Relaxed)
    }

    /// The process dies so many turns of its tasks from now.
    pub(crate) fn die_after(&self, turns: u64) {
        let at = self.turns.load(Ordering::Relaxed) + turns;
        self.dies_at.store(at, Ordering::Relaxed);
    }

    /// Nothing of this process happens any more.
    pub(crate) fn die(&self) {
        if self.dead.swap(true, Ordering::Relaxed) {
            return;
        }
        let world = &self.world;
        self.gone_ms.store(world.now_ms(), Ordering::Relaxed);
        world.crashes.fetch_add(1, Ordering::Relaxed);
        world.timeline().upsets.push(world.now_ms());
        world.note(format_args!("{} dies", self.name));
        if let Some(spawner) = locked(&self.spawner).take() {
            spawner.kill();
        }
        let silent = self.silent.load(Ordering::Relaxed);
        for link in locked(&self.links).drain(..) {
            if let Some(link) = link.upgrade() {
                if silent {
                    link.go_silent();
                } else {
                    link.cut();
                }
            }
        }
        self.gone.cancel();
        self.died.notify_one();
    }

    /// The process has ended by itself.
    pub(crate) fn end(&self) {
        self.dead.store(true, Ordering::Relaxed);
        self.gone_ms.store(self.world.now_ms(), Ordering::Relaxed);
        self.gone.cancel();
        let now = self.world.now_ms();
        self.world.timeline().upsets.push(now);
        self.world.note(format_args!("{} has ended", self.name));
        if let Some(spawner) = locked(&self.spawner).take() {
            spawner.kill();
        }
        for link in locked(&self.links).drain(..) {
            if let Some(link) = link.upgrade() {
                link.cut();
            }
        }
    }

    /// The world is over. Until then the process and what starts its tasks hold each other.
    pub(crate) fn let_go(&self) {
        locked(&self.spawner).take();
    }

    /// A connection that dies with the process.
    pub(crate) fn holds(&self, link: &Arc<Link>) {
        let mut links = locked(&self.links);
        links.retain(|link| link.strong_count() > 0);
        links.push(Arc::downgrade(link));
    }

    /// So many turns must not be taken in one moment: nothing would ever come of them.
    fn look_at_the_time(&self, turn: u64) {
        let now = self.world.now_ms();
        if self.moment.swap(now, Ordering::Relaxed) == now {
            self.world.stuck(format!("{} spins at {now} ms", self.name));
            self.die();
        }
        self.turns_before.store(turn, Ordering::Relaxed);
    }

    /// Stands still, or goes on.
    pub(crate) fn stand_still(&self, still: bool) {
        self.still.store(still, Ordering::Relaxed);
        let now = self.world.now_ms();
        self.world.timeline().upsets.push(now);
        self.world.note(format_args!(
            "{} {}",
            self.name,
            if still { "stands still" } else { "goes on" }
        ));
        if !still {
            let standing = std::mem::take(&mut *locked(&self.standing));
            standing.into_iter().for_each(Waker::wake);
        }
    }

    pub(crate) fn stands_still(&self) -> bool {
        self.still.load(Ordering::Relaxed)
    }
}

impl Scheduler for Life {
    fn turn(&self, context: &mut Context<'_>) -> Poll<()> {
        if self.is_dead() {
            return Poll::Pending;
        }
        if self.still.load(Ordering::Relaxed) {
            locked(&self.standing).push(context.waker().clone());
            return Poll::Pending;
        }
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        if turn - self.turns_before.load(Ordering::Relaxed) > IN_A_MOMENT {
            self.look_at_the_time(turn);
        }
        if turn >= self.dies_at.load(Ordering::Relaxed) {
            self.world.fired(Fault::CrashAnywhere);
            self.die();
            return Poll::Pending;
        }
        let world = &self.world;
        if world.plan.allows(Fault::Disorder) && !world.is_calm() && world.dice.one_in(DISORDER) {
            world.faults.fired(Fault::Disorder);
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}
