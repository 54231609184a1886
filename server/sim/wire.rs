//! What carries hints between servers: late, twice, or not at all.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use grundy_server::bus::{Bus, Hint};
use grundy_server::store::NodeId;
use grundy_shared::ids::Seq;
use tokio::sync::mpsc;

use crate::faults::Fault;
use crate::life::Life;
use crate::world::World;

/// Two looks of a server to which hints come are at most so far apart, with a margin.
const LOOK_MS: u64 = 2_600;
/// Hints that wait for a server; further ones are lost.
const WAITING: usize = 1_024;

/// The end of the wire at one server.
#[derive(Clone)]
struct Socket {
    node: NodeId,
    hints: mpsc::Sender<Hint>,
    cut: Arc<AtomicBool>,
}

impl Socket {
    fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }
}

/// All ends.
#[derive(Default)]
pub(crate) struct Wire(Mutex<Vec<Socket>>);

impl Wire {
    fn sockets(&self) -> MutexGuard<'_, Vec<Socket>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The end of a new process, if there is a wire in this world.
    pub(crate) fn end(&self, life: &Arc<Life>, node: NodeId) -> Option<Arc<dyn Bus>> {
        if !life.world.plan.bus {
            return None;
        }
        let (hints, heard) = mpsc::channel(WAITING);
        let cut = Arc::<AtomicBool>::default();
        let socket = Socket {
            node,
            hints,
            cut: cut.clone(),
        };
        let mut sockets = self.sockets();
        sockets.retain(|socket| !socket.hints.is_closed());
        sockets.push(socket);
        Some(Arc::new(End {
            world: life.world.clone(),
            node,
            cut,
            heard: tokio::sync::Mutex::new(heard),
        }))
    }

    fn carry(&self, world: &Arc<World>, from: NodeId, hint: Hint) {
        let sockets = self.sockets().clone();
        let own_cut = sockets
            .iter()
            .any(|socket| socket.node == from && socket.is_cut());
        for socket in sockets.into_iter().filter(|socket| socket.node != from) {
            let is_lost = own_cut || socket.is_cut() || world.strikes(Fault::HintLost, 15);
            let late = match !is_lost && world.strikes(Fault::HintLate, 15) {
                true => world.dice.within(200..5_000),
                false => world.dice.within(0..3),
            };
            if is_lost || late > 3 {
                // The next look finds it.
                let now = world.now_ms();
                world
                    .timeline()
                    .forgiven
                    .push((now.saturating_sub(10), now + LOOK_MS));
            }
            if is_lost {
                continue;
            }
            let times = if world.strikes(Fault::HintTwice, 15) {
                2
            } else {
                1
            };
            world.helpers.spawn(async move {
                tokio::time::sleep(Duration::from_millis(late)).await;
                for _ in 0..times {
                    // What has no room is lost.
                    let _ = socket.hints.try_send(hint);
                }
            });
        }
    }
}

/// The end of the wire in a process.
struct End {
    world: Arc<World>,
    node: NodeId,
    cut: Arc<AtomicBool>,
    heard: tokio::sync::Mutex<mpsc::Receiver<Hint>>,
}

#[async_trait]
impl Bus for End {
    fn publish(&self, hint: Hint) {
        self.world.wire.carry(&self.world, self.node, hint);
    }

    fn is_connected(&self) -> bool {
        !self.cut.load(Ordering::Relaxed)
    }

    async fn next(&self) -> Hint {
        match self.heard.lock().await.recv().await {
            Some(hint) => hint,
            None => std::future::pending().await,
        }
    }
}

/// Cuts servers off, and has strangers send hints, until faults stop.
pub(crate) async fn trouble(world: Arc<World>) {
    while world.plan.bus && !world.is_calm() {
        tokio::time::sleep(Duration::from_millis(world.dice.about(1_500))).await;
        let sockets = world.wire.sockets().clone();
        if sockets.is_empty() {
            continue;
        }
        let socket = world.dice.pick(&sockets).clone();
        if world.strikes(Fault::HintForged, 2) {
            let id = world.board().any_match(|count| world.dice.below(count));
            let ahead = Seq(*world.dice.pick(&[1, 2, 30, u64::MAX]));
            let hint = match id {
                Some(id) if world.dice.one_in(2) => Hint::Match(id, ahead),
                _ => Hint::Words(ahead),
            };
            for _ in 0..world.dice.within(1..20) {
                // What has no room is lost.
                let _ = socket.hints.try_send(hint);
            }
        }
        if world.strikes(Fault::BusCut, 6) {
            socket.cut.store(true, Ordering::Relaxed);
            tokio::select! {
                biased;
                () = world.calmed.notified() => {}
                () = tokio::time::sleep(Duration::from_millis(world.dice.within(500..8_000))) => {}
            }
            socket.cut.store(false, Ordering::Relaxed);
        }
    }
}
