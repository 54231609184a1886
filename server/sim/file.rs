//! The way of a server alone to its disk: delays, refusals, and the end of the process in between.

use std::sync::Arc;
use std::time::Duration;

use grundy_server::store::StoreError;
use tokio::sync::{oneshot, watch};
use tokio_util::task::TaskTracker;

use crate::disk::Mood;
use crate::faults::Fault;
use crate::life::Life;
use crate::world::World;

/// The file of one process.
pub(crate) struct File {
    world: Arc<World>,
    life: Arc<Life>,
    failure: watch::Sender<Option<StoreError>>,
    /// What the disk does goes on when the process dies.
    at_work: TaskTracker,
}

impl File {
    pub(crate) fn new(life: &Arc<Life>, failure: &watch::Sender<Option<StoreError>>) -> Self {
        Self {
            world: life.world.clone(),
            life: life.clone(),
            failure: failure.clone(),
            at_work: TaskTracker::new(),
        }
    }

    fn fail(&self) -> StoreError {
        let why = "simulated".to_owned();
        let error = StoreError::Failed { why };
        self.failure.send_replace(Some(error.clone()));
        error
    }

    /// Hands a write to the disk, which makes it whether or not anybody still waits.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        job: impl FnOnce(&World) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let world = &self.world;
        match world.disk.mood() {
            Mood::Good => {}
            Mood::ReadOnly => {
                let why = "simulated".to_owned();
                return Err(StoreError::ReadOnly { why });
            }
            Mood::Busy => {
                tokio::time::sleep(Duration::from_millis(world.dice.within(100..5_000))).await;
                let why = "simulated".to_owned();
                return Err(StoreError::Busy { why });
            }
            Mood::Failed => {
                if world.dice.one_in(2) {
                    let _ = job(world);
                }
                return Err(self.fail());
            }
        }
        if world.strikes(Fault::CrashBeforeCommit, 4_000) {
            self.life.die();
            return std::future::pending().await;
        }
        let slow = world.strikes(Fault::SlowCommit, 60);
        let usual = world.dice.within(0..4);
        let takes = if slow {
            let takes = world.dice.within(300..4_000);
            let now = world.now_ms();
            world.timeline().forgiven.push((now, now + takes + 10));
            takes
        } else {
            usual
        };
        let told_after = world.dice.within(0..2);
        let (done, is_done) = oneshot::channel();
        let (world, life) = (world.clone(), self.life.clone());
        let work = async move {
            let taken = tokio::time::sleep(Duration::from_millis(takes));
            // What is under way when the process dies is made or not, and not later.
            let _ = life.gone.run_until_cancelled(taken).await;
            if life.is_dead() {
                if world.dice.one_in(2) {
                    world.fired(Fault::CommitLost);
                    return;
                }
                world.fired(Fault::CommitKept);
            }
            let result = job(&world);
            if world.strikes(Fault::CrashAfterCommit, 4_000) {
                life.die();
            }
            tokio::time::sleep(Duration::from_millis(told_after)).await;
            let _ = done.send(result);
        };
        // The disk's own task: it belongs to no process.
        drop(self.at_work.spawn(work));
        match is_done.await {
            Ok(result) => Ok(result),
            Err(_) => std::future::pending().await,
        }
    }

    /// Waits until the disk could be read.
    pub(crate) async fn read(&self) -> Result<(), StoreError> {
        let world = &self.world;
        if world.strikes(Fault::ReadBusy, 400) {
            let now = world.now_ms();
            world.timeline().forgiven.push((now, now + 6_000));
            let why = "simulated".to_owned();
            return Err(StoreError::Busy { why });
        }
        if world.strikes(Fault::SlowRead, 60) {
            let takes = world.dice.within(1..800);
            tokio::time::sleep(Duration::from_millis(takes)).await;
        }
        Ok(())
    }
}
