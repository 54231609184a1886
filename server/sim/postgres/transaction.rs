//! One transaction as the database sees it: from its beginning to its COMMIT, whose answer may not arrive.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use grundy_server::planted;
use grundy_server::store::Lease;
use grundy_server::store::postgres::Lane;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::database::Change;
use super::fault::Trouble;
use super::locks::{NoLock, Row};
use super::tables::Tables;
use crate::faults::Fault;
use crate::life::Life;

/// A statement may take so long.
const STATEMENT_TIMEOUT_MS: u64 = 5_000;

/// What is to be done in a transaction. It may be begun several times, and is done once.
pub(crate) struct Work<T> {
    pub(super) rows: Vec<Row>,
    /// What it does to the rows: here, and in every copy of the database.
    pub(super) change: Arc<dyn Fn(&Tables) -> T + Send + Sync>,
    /// Who keeps the books is told what was done, when it is done.
    pub(super) told: Arc<dyn Fn(&T) + Send + Sync>,
    done: Arc<Mutex<Option<T>>>,
}

impl<T> Work<T> {
    pub(crate) fn new(
        rows: Vec<Row>,
        change: impl Fn(&Tables) -> T + Send + Sync + 'static,
        told: impl Fn(&T) + Send + Sync + 'static,
    ) -> Self {
        Self {
            rows,
            change: Arc::new(change),
            told: Arc::new(told),
            done: Arc::default(),
        }
    }

    /// What came of it, once it is committed.
    pub(super) fn take_done(&self) -> Option<T> {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.take()
    }
}

/// A transaction that has begun. It is rolled back when it is dropped.
pub(super) struct Transaction {
    life: Arc<Life>,
    session: CancellationToken,
    number: u64,
    lease: Option<(Lease, Lane)>,
    /// Which it is of its lease.
    pub(super) mark: u64,
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let locks = &self.life.world.database.locks;
        // The database does not hear of it when the machine of a server is gone: it waits for its client.
        let unheard = self.life.is_dead() && self.life.is_silent();
        if unheard && locks.idle(self.number, true) {
            return;
        }
        locks.end(self.number);
    }
}

impl Transaction {
    /// Begins, locks what is needed, and does everything but the COMMIT.
    pub(super) async fn begin<T: 'static>(
        life: &Arc<Life>,
        session: &CancellationToken,
        lease: Option<(Lease, Lane)>,
        work: &Work<T>,
    ) -> Result<Self, Trouble> {
        let world = &life.world;
        let database = &world.database;
        let mut transaction = Self {
            life: life.clone(),
            session: session.clone(),
            number: database.locks.begin(session),
            lease,
            mark: 0,
        };
        let statements = async {
            let number = transaction.number;
            pass(world.dice.within(0..3)).await;
            if let Some((lease, lane)) = lease {
                lock(life, number, &[Row::life(lease, lane)]).await?;
                let tables = database.tables();
                if !tables.is_good(lease) && !planted::is("ignore_lease") {
                    return Err(Trouble::Fenced);
                }
                transaction.mark = tables.mark(lease, lane) + 1;
            }
            if !planted::is("take_no_locks") {
                lock(life, number, &work.rows).await?;
            }
            if database.is_disk_full() {
                if planted::is("keep_what_was_refused") {
                    database.finish(world, lease, work);
                }
                return Err(Trouble::DiskFull);
            }
            if world.strikes(Fault::SlowCommit, 60) {
                let takes = world.dice.within(300..6_000);
                pass(takes.min(STATEMENT_TIMEOUT_MS)).await;
                if takes > STATEMENT_TIMEOUT_MS {
                    world.fired(Fault::StatementTimeout);
                    return Err(Trouble::Busy("statement timeout"));
                }
            }
            Ok(())
        };
        match session.run_until_cancelled(statements).await {
            None => return Err(Trouble::Lost),
            Some(done) => done?,
        }
        if !database.locks.idle(transaction.number, true) {
            return Err(Trouble::Lost);
        }
        Ok(transaction)
    }

    /// Sends COMMIT; the answer comes, or never: then it is done or not.
    pub(super) fn commit<T: Send + 'static>(self, work: &Work<T>) -> oneshot::Receiver<()> {
        let (answer, is_answered) = oneshot::channel();
        let world = self.life.world.clone();
        let way = Way::of(&self.life);
        let work = Work {
            rows: Vec::new(),
            change: work.change.clone(),
            told: work.told.clone(),
            done: work.done.clone(),
        };
        let finishing = async move {
            let world = &self.life.world;
            let database = &world.database;
            let (there, flush, back) = (
                world.dice.within(0..2),
                world.dice.within(0..3),
                world.dice.within(0..2),
            );
            let _counted = Counted::one(&self.life);
            let under_way = self.session.run_until_cancelled(pass(there));
            if under_way.await.is_none() || way == Way::CutBefore || way == Way::MuteBefore {
                if way == Way::MuteBefore {
                    // Nobody hears anything: the database waits for a COMMIT, the server for its answer.
                    stay_mute(&self.life, &self.session).await;
                }
                return;
            }
            // What was sent by a process that is gone may have been lost on the way.
            if self.life.is_dead() && world.dice.one_in(2) {
                return world.fired(Fault::CommitLost);
            }
            if !database.locks.idle(self.number, false) {
                return;
            }
            let flushed = self.session.run_until_cancelled(pass(flush)).await;
            if flushed.is_none() && database.crashes() && world.dice.one_in(2) {
                return;
            }
            if self.life.is_dead() {
                world.fired(Fault::CommitKept);
            }
            database.finish(world, self.lease, &work);
            let (life, session) = (self.life.clone(), self.session.clone());
            drop(self);
            let world = &life.world;
            if world.strikes(Fault::CrashAfterCommit, 4_000) {
                life.die();
            }
            match way {
                Way::CutAfter => return,
                Way::MuteAfter => stay_mute(&life, &session).await,
                _ => {}
            }
            if session.run_until_cancelled(pass(back)).await.is_some() {
                // Nobody may wait any more.
                let _ = answer.send(());
            }
        };
        drop(world.database.at_work.spawn(finishing));
        is_answered
    }
}

/// A COMMIT that has no answer yet.
struct Counted(Arc<Life>);

impl Counted {
    fn one(life: &Arc<Life>) -> Self {
        let committing = &life.world.database.committing;
        committing.fetch_add(1, Ordering::Relaxed);
        Self(life.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let committing = &self.0.world.database.committing;
        committing.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What befalls a COMMIT on its way, and its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Free,
    CutBefore,
    CutAfter,
    MuteBefore,
    MuteAfter,
}

impl Way {
    fn of(life: &Life) -> Self {
        let world = &life.world;
        let before = world.dice.one_in(2);
        if world.strikes(Fault::DatabaseCut, 120) {
            return if before {
                Self::CutBefore
            } else {
                Self::CutAfter
            };
        }
        if world.strikes(Fault::DatabaseMute, 1_500) {
            return if before {
                Self::MuteBefore
            } else {
                Self::MuteAfter
            };
        }
        Self::Free
    }
}

impl super::database::Database {
    /// The transaction is committed, and everybody sees what it has done.
    fn finish<T: 'static>(
        &self,
        world: &crate::world::World,
        lease: Option<(Lease, Lane)>,
        work: &Work<T>,
    ) {
        let change = work.change.clone();
        let tables = self.tables();
        let done = change(&tables);
        if let Some((lease, lane)) = lease {
            tables.raise(lease, lane);
        }
        if self.is_primary() {
            (work.told)(&done);
            let again: Change = Arc::new(move |tables| {
                drop(change(tables));
                if let Some((lease, lane)) = lease {
                    tables.raise(lease, lane);
                }
            });
            self.log(world, again);
        }
        *work.done.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
    }
}

async fn lock(life: &Life, number: u64, rows: &[Row]) -> Result<(), Trouble> {
    let world = &life.world;
    let locks = &world.database.locks;
    let taken = locks.take(number, rows).await;
    for _ in 0..locks.take_ended() {
        world.fired(Fault::IdleEnded);
    }
    taken.map_err(|no_lock| match no_lock {
        NoLock::Timeout => {
            world.fired(Fault::LockTimeout);
            Trouble::Busy("lock timeout")
        }
        NoLock::Deadlock => {
            world.fired(Fault::Deadlock);
            Trouble::Rivalry
        }
    })
}

/// Carries nothing until somebody gives the connection up, or faults stop.
async fn stay_mute(life: &Life, session: &CancellationToken) {
    let calm = life.world.calmed.notified();
    let _ = session.run_until_cancelled(calm).await;
    session.cancel();
}

async fn pass(millis: u64) {
    tokio::time::sleep(Duration::from_millis(millis)).await;
}
