//! A server's way to write in one lane: its connection, transactions one after the other, and finding out what became of a COMMIT without an answer.
//! It does what `server/src/store/postgres/{writer,transaction}.rs` does, in the same order and with the same times.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use grundy_server::planted;
use grundy_server::store::postgres::{Lane, Reach};
use grundy_server::store::{Lease, StoreError};
use rustc_hash::FxHashMap;
use tokio::sync::{Mutex, Notify};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::acknowledged::{Acknowledged, lost};
use super::fault::Trouble;
use super::locks::{NoLock, Row};
use super::transaction::{Transaction, Work};
use crate::faults::Fault;
use crate::life::Life;

const PATIENCE: Duration = Duration::from_secs(5);
const LONGEST_DOUBT: Duration = Duration::from_secs(60);
const LONGEST: Duration = Duration::from_secs(8);
const LONGEST_OF_SIGNS: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(100);
const RIVALRIES: u32 = 10;

/// Why something was not done.
pub(super) enum Ended {
    /// Nothing was done.
    Refused(StoreError),
    /// Nothing more may be written.
    Fatal(StoreError),
}

/// How one attempt ended.
enum Stopped {
    /// Nothing was done.
    Before(Trouble),
    /// Whether it is committed is not known.
    InDoubt(u64),
    /// Nothing may be done any more.
    Lost,
}

/// The connection, and what is known of the leases that were used on it.
#[derive(Default)]
struct Transactions {
    session: Option<CancellationToken>,
    marks: FxHashMap<Lease, u64>,
}

/// A lane of one server.
pub(super) struct Writer {
    life: Arc<Life>,
    lane: Lane,
    acknowledged: Arc<Acknowledged>,
    reach: Arc<Reach>,
    transactions: Mutex<Transactions>,
    /// How often all that waited was refused.
    sheds: AtomicU64,
    shed: Notify,
}

impl Writer {
    pub(super) fn new(
        life: &Arc<Life>,
        lane: Lane,
        acknowledged: &Arc<Acknowledged>,
        reach: &Arc<Reach>,
    ) -> Self {
        Self {
            life: life.clone(),
            lane,
            acknowledged: acknowledged.clone(),
            reach: reach.clone(),
            transactions: Mutex::default(),
            sheds: AtomicU64::new(0),
            shed: Notify::new(),
        }
    }

    /// Refuses what waits now. Nothing of it has begun.
    fn shed(&self) {
        self.sheds.fetch_add(1, Ordering::Relaxed);
        self.shed.notify_waiters();
    }

    /// Waits until everything that was begun has ended.
    pub(super) async fn finish(&self) {
        drop(self.transactions.lock().await);
    }

    /// Does something in a transaction of its own, once. It is tried again while the database cannot be reached, for five seconds, and at once after a deadlock.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        lease: Option<Lease>,
        work: &Work<T>,
    ) -> Result<T, Ended> {
        let sheds = self.sheds.load(Ordering::Relaxed);
        let mut transactions = loop {
            let shed = self.shed.notified();
            if self.sheds.load(Ordering::Relaxed) > sheds {
                return Err(Ended::Refused(Trouble::Lost.into_error()));
            }
            tokio::select! {
                biased;
                () = shed => {}
                transactions = self.transactions.lock() => break transactions,
            }
        };
        let ended = self.run_alone(&mut transactions, lease, work).await;
        if matches!(&ended, Err(Ended::Refused(StoreError::Busy { .. }))) {
            self.shed();
        }
        ended
    }

    async fn run_alone<T: Send + 'static>(
        &self,
        transactions: &mut Transactions,
        lease: Option<Lease>,
        work: &Work<T>,
    ) -> Result<T, Ended> {
        let deadline = Instant::now() + PATIENCE;
        let mut rivalries = 0;
        loop {
            let trouble = match self.attempt(transactions, lease, work).await {
                Ok(done) => return Ok(done),
                Err(Stopped::Lost | Stopped::Before(Trouble::Lacking)) => return Err(self.lost()),
                Err(Stopped::Before(trouble)) => trouble,
                Err(Stopped::InDoubt(mark)) => {
                    let world = &self.life.world;
                    world.fired(Fault::CommitUnknown);
                    if planted::is("forget_unknown_commit") {
                        return Err(Ended::Refused(Trouble::Lost.into_error()));
                    }
                    // Without a lease it is the beginning of a life: to begin another does no harm.
                    if let Some(lease) = lease {
                        if self.has_happened(transactions, lease, mark).await? {
                            world.fired(Fault::UnknownMade);
                            self.acknowledge(transactions, lease, mark);
                            if let Some(done) = work.take_done() {
                                return Ok(done);
                            }
                            world
                                .wrong("the mark says that a transaction happened, and it did not");
                        } else {
                            world.fired(Fault::UnknownNotMade);
                        }
                    }
                    Trouble::Lost
                }
            };
            if trouble == Trouble::Rivalry && rivalries < RIVALRIES {
                rivalries += 1;
            } else if trouble == Trouble::Lost && Instant::now() < deadline {
                sleep(PAUSE).await;
            } else {
                return Err(Ended::Refused(trouble.into_error()));
            }
        }
    }

    fn acknowledge(&self, transactions: &mut Transactions, lease: Lease, mark: u64) {
        transactions.marks.insert(lease, mark);
        self.acknowledged.note(lease, self.lane, mark);
    }

    fn lost(&self) -> Ended {
        let world = &self.life.world;
        world.fired(Fault::LossRefused);
        self.acknowledged.keep_others_away(&world.database);
        Ended::Fatal(lost())
    }

    async fn connection(
        &self,
        transactions: &mut Transactions,
    ) -> Result<CancellationToken, Trouble> {
        if let Some(session) = &transactions.session {
            return Ok(session.clone());
        }
        let world = &self.life.world;
        sleep(Duration::from_millis(world.dice.within(1..5))).await;
        let session = world.database.connect()?;
        if self.acknowledged.is_lacked_by(&world.database) {
            return Err(Trouble::Lacking);
        }
        self.acknowledged.let_others_look(&world.database).await;
        transactions.session = Some(session.clone());
        self.reach.find(self.lane);
        Ok(session)
    }

    fn longest(&self) -> Duration {
        match self.lane {
            Lane::Moves | Lane::Order => LONGEST,
            Lane::Signs => LONGEST_OF_SIGNS,
        }
    }

    fn forget(&self, transactions: &mut Transactions) {
        transactions.session = None;
        self.reach.lose(self.lane);
    }

    /// Connects again, if nothing is written meanwhile.
    pub(super) async fn reconnect(&self) -> Result<(), Ended> {
        let Ok(mut transactions) = self.transactions.try_lock() else {
            return Ok(());
        };
        match self.connection(&mut transactions).await {
            Err(Trouble::Lacking) => Err(self.lost()),
            _ => Ok(()),
        }
    }

    async fn attempt<T: Send + 'static>(
        &self,
        transactions: &mut Transactions,
        lease: Option<Lease>,
        work: &Work<T>,
    ) -> Result<T, Stopped> {
        let session = self.connection(transactions).await;
        let session = session.map_err(Stopped::Before)?;
        let acknowledged = lease.and_then(|lease| transactions.marks.get(&lease).copied());
        let leased = lease.map(|lease| (lease, self.lane));
        let begun = timeout(
            self.longest(),
            Transaction::begin(&self.life, &session, leased, work),
        )
        .await;
        let transaction = match begun.unwrap_or(Err(Trouble::Lost)) {
            Ok(transaction) => transaction,
            Err(trouble) => {
                if trouble == Trouble::Lost {
                    self.forget(transactions);
                }
                // A lease that is not there was not taken away: the database has never heard of it.
                if let (Trouble::Fenced, Some(lease), Some(acknowledged)) =
                    (trouble, lease, acknowledged)
                    && matches!(self.last_mark(transactions, lease).await, Ok(last) if last < acknowledged)
                    && !planted::is("accept_lost_commits")
                {
                    return Err(Stopped::Lost);
                }
                return Err(Stopped::Before(trouble));
            }
        };
        let mark = transaction.mark;
        if acknowledged.is_some_and(|last| mark <= last) && !planted::is("accept_lost_commits") {
            self.forget(transactions);
            return Err(Stopped::Lost);
        }
        let life = &self.life;
        if life.world.strikes(Fault::CrashBeforeCommit, 4_000) {
            life.die();
            return std::future::pending().await;
        }
        if let Ok(Ok(())) = timeout(self.longest(), transaction.commit(work)).await {
            if let Some(lease) = lease {
                self.acknowledge(transactions, lease, mark);
            }
            if let Some(done) = work.take_done() {
                return Ok(done);
            }
        }
        if let Some(session) = &transactions.session {
            session.cancel();
        }
        self.forget(transactions);
        Err(Stopped::InDoubt(mark))
    }

    /// Whether the transaction of this lease with this number is committed, as the database says once it can be reached.
    async fn has_happened(
        &self,
        transactions: &mut Transactions,
        lease: Lease,
        mark: u64,
    ) -> Result<bool, Ended> {
        let began = Instant::now();
        loop {
            match self.last_mark(transactions, lease).await {
                Ok(last)
                    if transactions
                        .marks
                        .get(&lease)
                        .is_some_and(|known| last < *known)
                        && !planted::is("accept_lost_commits") =>
                {
                    return Err(self.lost());
                }
                Ok(last) => return Ok(last >= mark),
                Err(Trouble::Lacking) => return Err(self.lost()),
                Err(_) => self.forget(transactions),
            }
            if began.elapsed() >= PATIENCE {
                self.shed();
            }
            if began.elapsed() >= LONGEST_DOUBT {
                self.life.world.fired(Fault::NeverKnown);
                return Err(Ended::Fatal(StoreError::Failed {
                    why: "simulated: whether a commit was done could not be found out in a minute"
                        .to_owned(),
                }));
            }
            sleep(PAUSE).await;
        }
    }

    /// Waits for a transaction that is under way on another connection.
    async fn last_mark(
        &self,
        transactions: &mut Transactions,
        lease: Lease,
    ) -> Result<u64, Trouble> {
        let session = self.connection(transactions).await?;
        let database = &self.life.world.database;
        let number = database.locks.begin(&session);
        let row = [Row::life(lease, self.lane)];
        let asked = timeout(self.longest(), database.locks.take(number, &row));
        let locked = session.run_until_cancelled(asked).await;
        let mark = database.tables().mark(lease, self.lane);
        database.locks.end(number);
        match locked {
            Some(Ok(Ok(()))) => Ok(mark),
            Some(Ok(Err(NoLock::Timeout | NoLock::Deadlock))) => Err(Trouble::Busy("lock timeout")),
            Some(Err(_)) | None => Err(Trouble::Lost),
        }
    }
}
