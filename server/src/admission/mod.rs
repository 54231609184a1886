//! What the server takes on while it has more to do than it can: see docs/decisions/0032.
//!
//! Every 50 ms, the server's own work is measured and gives a [`Level`]. Each request for new work asks once whether its [`Work`] is accepted; new guests and
//! matches wait for a while before they are refused. Running matches never ask.

mod level;
mod machine;
mod pulse;
mod queue;
mod signals;
mod work;

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use tokio_util::sync::CancellationToken;

pub use self::level::Level;
pub use self::machine::{Bounds, Machine};
pub use self::queue::Turn;
pub use self::signals::Signals;
pub use self::work::Work;

use self::pulse::Pulse;
use self::queue::Queue;
use crate::addresses::AddressKey;
use crate::chance::Chance;
use crate::config::Overload;
use crate::metrics::process::resident_bytes;
use crate::metrics::{ByKind, Metrics};
use crate::store::committer::Committer;

/// Looks from one reading of the memory in use to the next: it reads a file of the system.
const LOOKS_PER_MEMORY: u32 = 20;
/// What is refused at level 1 may come again after one to two times this; twice as late with each level more.
const COME_BACK_MS: u64 = 500;

/// The decision on a request for new work.
#[derive(Debug)]
pub enum Entry {
    /// It may begin.
    Admitted,
    /// It has to wait for its turn.
    Waits(Turn),
    /// It is refused: `server_busy`.
    Refused(ErrorBody),
}

/// Decides what the server takes on. Shared by all sessions.
pub struct Admission {
    /// `None`: everything is taken on.
    bounds: ArcSwapOption<Bounds>,
    level: AtomicU8,
    queue: Queue,
    /// How long new guests and matches wait, in milliseconds.
    patience_ms: AtomicU64,
    pulse: Pulse,
    committer: Committer,
    metrics: Arc<Metrics>,
    chance: Arc<dyn Chance>,
}

impl Admission {
    /// Takes on everything until [`Admission::watch`] runs.
    #[must_use]
    pub fn new(
        overload: &Overload,
        committer: Committer,
        metrics: Arc<Metrics>,
        chance: Arc<dyn Chance>,
    ) -> Arc<Self> {
        Arc::new(Self {
            bounds: ArcSwapOption::new(bounds(overload).map(Arc::new)),
            level: AtomicU8::new(0),
            queue: Queue::default(),
            patience_ms: AtomicU64::new(overload.wait_ms.0),
            pulse: Pulse::new(),
            committer,
            metrics,
            chance,
        })
    }

    /// Other bounds are in force from the next look on. The level stays until a look changes it, or ends if there are no bounds.
    pub fn set_bounds(&self, overload: &Overload) {
        self.bounds.store(bounds(overload).map(Arc::new));
        self.patience_ms.store(overload.wait_ms.0, Relaxed);
    }

    /// How much is given up now.
    #[must_use]
    pub fn level(&self) -> Level {
        Level::new(self.level.load(Relaxed))
    }

    /// Whether the server has room for new clients: below the level from which on analyses are refused.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.level() < Level::ANALYSIS
    }

    /// Whether work of this kind is refused now.
    #[must_use]
    pub fn refuses(&self, work: Work) -> bool {
        self.level() >= work.refused_from()
    }

    /// Whether work that never waits may begin. A refusal is counted.
    ///
    /// # Errors
    /// `server_busy` with the time after which to ask again, which differs from client to client, lest all come back at once.
    pub fn admit(&self, work: Work) -> Result<(), ErrorBody> {
        if self.refuses(work) {
            Err(self.refusal(work))
        } else {
            Ok(())
        }
    }

    /// Whether work for a client at this address may begin, has to wait, or is refused. Later requests do not overtake those that wait.
    #[must_use]
    pub fn enter(&self, work: Work, address: AddressKey) -> Entry {
        if !self.refuses(work) && self.queue.len(work) == 0 {
            return Entry::Admitted;
        }
        let patience = Duration::from_millis(self.patience_ms.load(Relaxed));
        // Without waiting, those who still wait since before a reload hold nobody up.
        if patience.is_zero() && !self.refuses(work) {
            return Entry::Admitted;
        }
        let turn = match patience {
            Duration::ZERO => None,
            _ => self.queue.enter(work, address, patience),
        };
        // A request that finds no place is refused even if the level has fallen: otherwise it would overtake those that wait.
        turn.map_or_else(|| Entry::Refused(self.refusal(work)), Entry::Waits)
    }

    /// Refuses new work, and counts it.
    #[must_use]
    pub fn refusal(&self, work: Work) -> ErrorBody {
        let shed = ByKind { kind: work.name() };
        self.metrics.shed.get_or_create(&shed).inc();
        let least = COME_BACK_MS << self.level().number().saturating_sub(1);
        let wait = least + self.chance.below(least);
        let words = format!(
            "the server is overloaded and takes no {} for a while; matches that run go on",
            work.in_words()
        );
        ErrorBody::new(ErrorCode::ServerBusy, words).retry_after_ms(wait)
    }

    /// Looks at the load until `stop`, on the thread that accepts connections and commits.
    pub async fn watch(self: Arc<Self>, stop: CancellationToken) {
        let mut machine = None;
        let (mut until_memory, mut memory_bytes) = (0, 0);
        let look = || {
            let bounds = self.bounds.load().as_deref().copied();
            if bounds.is_some_and(|bounds| bounds.memory_bytes.is_some()) && until_memory == 0 {
                memory_bytes = resident_bytes().unwrap_or_default();
                until_memory = LOOKS_PER_MEMORY;
            }
            until_memory = until_memory.saturating_sub(1);
            self.look(bounds, &mut machine, memory_bytes);
        };
        let measured = self.pulse.measure(look);
        stop.run_until_cancelled(measured).await;
    }

    /// Measures another thread that serves connections, for as long as it lives: also while there are no bounds, because a reload can set them.
    pub async fn measure_thread(self: Arc<Self>) {
        self.pulse.measure(|| ()).await;
    }

    fn look(&self, bounds: Option<Bounds>, machine: &mut Option<Machine>, memory_bytes: u64) {
        // Taken without bounds, too: what was late before they are set does not count.
        let signals = Signals {
            turn_late: self.pulse.take_late(),
            commit_age: self.committer.take_age(),
            memory_bytes,
        };
        let (level, delay) = match bounds {
            Some(bounds) => {
                let now = self.pulse.now();
                let machine = machine.get_or_insert_with(|| Machine::new(bounds, now));
                machine.set_bounds(bounds);
                (machine.step(now, &signals), machine.delay())
            }
            None => {
                *machine = None;
                (Level::CALM, Duration::ZERO)
            }
        };
        let before = self.level.swap(level.number(), Relaxed);
        self.metrics.overload(level.number(), delay);
        for work in Work::THAT_WAITS {
            self.queue.step(work, level < work.refused_from());
            let waiting = ByKind { kind: work.name() };
            let count = i64::try_from(self.queue.len(work)).unwrap_or(i64::MAX);
            self.metrics.entering.get_or_create(&waiting).set(count);
        }
        if level.number() != before {
            let (level, delay_ms) = (level.number(), delay.as_millis());
            tracing::warn!(level, delay_ms, memory_bytes, "overload level");
        }
    }
}

/// What the operator has set; `None` if that is to take on everything.
fn bounds(overload: &Overload) -> Option<Bounds> {
    (overload.target_ms.0 > 0).then(|| Bounds {
        target: Duration::from_millis(overload.target_ms.0),
        memory_bytes: (overload.memory_bytes > 0).then_some(overload.memory_bytes),
    })
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::chance::SystemChance;
    use crate::config::Config;
    use crate::store::memory::MemoryStore;
    use crate::store::{Lease, NodeId};

    #[tokio::test]
    async fn nobody_overtakes_those_who_wait_because_there_is_no_place_to_wait() {
        let lease = Lease {
            node: NodeId::ONLY,
            epoch: 1,
        };
        let (committer, _) = Committer::new(Arc::new(MemoryStore::new()), lease);
        let overload = Config::default().overload;
        let chance = Arc::new(SystemChance);
        let admission = Admission::new(&overload, committer, Arc::default(), chance);
        let address = |number| IpAddr::V4(Ipv4Addr::from_bits(number)).into();
        let enter = |number| admission.enter(Work::Guest, address(number));
        let mut waiting = Vec::new();
        let level = |level: Level| admission.level.store(level.number(), Relaxed);
        level(Level::GUESTS);
        while let Entry::Waits(turn) = enter(1) {
            waiting.push(turn);
        }
        level(Level::CALM);
        assert!(matches!(enter(1), Entry::Refused(_)));
        assert!(matches!(enter(2), Entry::Waits(_)));
        // With no patience, nobody waits any more and the queue stays empty.
        admission.patience_ms.store(0, Relaxed);
        assert!(matches!(enter(1), Entry::Admitted));
        level(Level::GUESTS);
        assert!(matches!(enter(2), Entry::Refused(_)));
    }
}
