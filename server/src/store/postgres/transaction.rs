//! Transactions that happen once: begun again where they did not happen, and found out about where the connection was lost in the end.
//!
//! A transaction with a lease raises the mark of the lease in its lane by one. When the connection is lost after COMMIT was sent, nobody knows what became of it. The mark tells:
//! it is read with a lock, so that a server that still works on the COMMIT is waited for, and says that the transaction happened if it has reached its number.
//! A mark that is smaller than one that was acknowledged says that the database has lost commits, as a standby that lacked them: then nothing more is written.

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::{Instant, sleep, timeout};

use super::acknowledged::{Acknowledged, lost};
use super::address::Address;
use super::connecting::connect;
use super::fault::Fault;
use super::lacking::keep_others_away;
use super::lane::Lane;
use super::nodes;
use super::queue::Queue;
use super::reach::Reach;
use super::work::Work;
use crate::failpoint;
use crate::store::{Lease, StoreError};

/// How long something is tried again while the server cannot be reached.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the outcome of a lost COMMIT is looked for. Afterwards only a restart tells.
const LONGEST_DOUBT: Duration = Duration::from_secs(60);
/// The longest that the statements of a transaction, and its COMMIT, may take before the connection is given up.
const LONGEST: Duration = Duration::from_secs(8);
/// The same for a sign of life: a new connection may still bring one in time.
const LONGEST_OF_SIGNS: Duration = Duration::from_secs(1);
/// The longest that an idle connection takes to answer.
const PING: Duration = Duration::from_secs(1);
/// Between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(100);
/// Times that a transaction is begun again because another was first.
const RIVALRIES: u32 = 10;

/// Without the time limit of statements: a COMMIT that it interrupts while a synchronous standby is waited for answers as if that had the transaction.
const COMMIT: &str = "SET LOCAL statement_timeout = 0; COMMIT";

/// Why something was not done.
#[derive(Debug)]
pub(super) enum Ended {
    /// The database refuses a value, which may be of one commit of many. Nothing was done.
    Value(StoreError),
    /// Nothing was done.
    Refused(StoreError),
    /// It took too long. Nothing was done, and less of it may be in time.
    Late(StoreError),
    /// Nothing more may be written.
    Fatal(StoreError),
}

/// How one attempt ended.
enum Stopped<T> {
    /// Nothing was done.
    Before(Fault),
    /// Nothing was done in time.
    Late,
    /// What was decided; whether it is committed is not known.
    InDoubt { mark: i64, done: T, fault: Fault },
    /// Nothing may be done any more.
    Lost(StoreError),
}

impl<T> From<Fault> for Stopped<T> {
    fn from(fault: Fault) -> Self {
        Self::Before(fault)
    }
}

/// A connection, and what is known of the leases that were used on it.
pub(super) struct Transactions {
    address: Address,
    lane: Lane,
    connection: Option<PgConnection>,
    /// The lease that the session of the connection writes for.
    told: Option<Lease>,
    /// The number of the last transaction of each lease that was acknowledged.
    marks: FxHashMap<Lease, i64>,
    acknowledged: Arc<Acknowledged>,
    reach: Arc<Reach>,
}

impl Transactions {
    pub(super) fn new(
        address: Address,
        lane: Lane,
        connection: PgConnection,
        acknowledged: Arc<Acknowledged>,
        reach: Arc<Reach>,
    ) -> Self {
        Self {
            address,
            lane,
            connection: Some(connection),
            told: None,
            marks: FxHashMap::default(),
            acknowledged,
            reach,
        }
    }

    /// The database.
    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    /// Which way it is.
    pub(super) fn lane(&self) -> Lane {
        self.lane
    }

    /// A transaction of this lease is about to be acknowledged.
    fn acknowledge(&mut self, lease: Lease, mark: i64) {
        self.marks.insert(lease, mark);
        self.acknowledged.note(lease, self.lane, mark);
    }

    /// The database lacks what was acknowledged. The next start is told, and so are the other servers.
    async fn lost(&self) -> StoreError {
        self.acknowledged.write();
        if let Some(life) = self.acknowledged.life() {
            keep_others_away(&self.address, life).await;
        }
        lost(&self.address)
    }

    /// Notes for the next start what was acknowledged.
    pub(super) async fn note_acknowledged(&mut self) {
        if let Some(connection) = &mut self.connection
            && let Err(fault) = self.acknowledged.learn_database(connection).await
        {
            // It is asked again with the next heartbeat.
            tracing::debug!(error = %fault.into_error(), "the id of the database is not known");
        }
        self.acknowledged.write_beside();
    }

    /// The connection; a new one, if there is none, which may lead to another database.
    ///
    /// # Errors
    /// `Lost`, if that lacks what was acknowledged in any lane; or none can be made.
    pub(super) async fn connection(&mut self) -> Result<&mut PgConnection, Fault> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let mut connection = connect(&self.address).await?;
                self.acknowledged
                    .check(&mut connection, &self.address)
                    .await?;
                self.reach.find(self.lane);
                connection
            }
        };
        Ok(self.connection.insert(connection))
    }

    /// Whether the server answers on the connection. If it does not, the connection is given up.
    pub(super) async fn answers(&mut self) -> bool {
        if let Some(connection) = &mut self.connection
            && matches!(timeout(PING, connection.ping()).await, Ok(Ok(())))
        {
            return true;
        }
        self.forget_connection();
        false
    }

    /// Gives the connection up. Whatever it was doing, it does nothing more for us.
    fn forget_connection(&mut self) {
        self.connection = None;
        self.told = None;
        self.reach.lose(self.lane);
    }

    /// Whether there is a connection, as far as is known.
    pub(super) fn is_connected(&self) -> bool {
        self.connection.is_some()
    }

    /// Connects, if that is possible now.
    ///
    /// # Errors
    /// `Lost`, if the database lacks what was acknowledged.
    pub(super) async fn reconnect(&mut self) -> Result<(), StoreError> {
        match self.connection().await {
            Err(Fault::Store(StoreError::Lost { .. })) => Err(self.lost().await),
            _ => Ok(()),
        }
    }

    /// Whether the server has no connection for commits, and had none for a while.
    pub(super) fn is_cut_off(&self) -> bool {
        self.reach.is_cut_off()
    }

    /// Closes the connection.
    pub(super) async fn disconnect(&mut self) {
        if let Some(connection) = self.connection.take() {
            // What goes wrong then is no longer of interest.
            let _ = timeout(PING, connection.close()).await;
        }
    }

    /// Does something in a transaction of its own. It is tried again while the server cannot be reached, for five seconds, and at once after a deadlock. What
    /// waits in the queue for longer than that is refused meanwhile.
    pub(super) async fn run<W: Work>(
        &mut self,
        queue: &mut Queue,
        lease: Option<Lease>,
        work: &W,
    ) -> Result<W::Done, Ended> {
        let deadline = Instant::now() + PATIENCE;
        let mut rivalries = 0;
        loop {
            let fault = match self.attempt(lease, work).await {
                Ok(done) => return Ok(done),
                Err(Stopped::Lost(error)) => return Err(Ended::Fatal(error)),
                Err(Stopped::Before(Fault::Store(StoreError::Lost { .. }))) => {
                    return Err(Ended::Fatal(self.lost().await));
                }
                Err(Stopped::Late) => return Err(Ended::Late(Fault::late().into_error())),
                Err(Stopped::Before(fault)) => fault,
                Err(Stopped::InDoubt { mark, done, fault }) => {
                    // Without a lease it is the beginning of a life: to begin another does no harm.
                    if let Some(lease) = lease
                        && self.has_happened(queue, lease, mark).await?
                    {
                        self.acknowledge(lease, mark);
                        return Ok(done);
                    }
                    fault
                }
            };
            if fault.is_rivalry() && rivalries < RIVALRIES {
                rivalries += 1;
            } else if fault.is_lost() && Instant::now() < deadline {
                sleep(PAUSE).await;
            } else if fault.is_of_value() {
                return Err(Ended::Value(fault.into_error()));
            } else {
                return Err(Ended::Refused(fault.into_error()));
            }
        }
    }

    /// The longest that statements take before the connection is given up.
    fn longest(&self) -> Duration {
        match self.lane {
            Lane::Moves | Lane::Order => LONGEST,
            Lane::Signs => LONGEST_OF_SIGNS,
        }
    }

    async fn attempt<W: Work>(
        &mut self,
        lease: Option<Lease>,
        work: &W,
    ) -> Result<W::Done, Stopped<W::Done>> {
        let acknowledged = lease.and_then(|lease| self.marks.get(&lease).copied());
        let (lane, told, longest) = (self.lane, self.told, self.longest());
        let connection = self.connection().await?;
        let prepared = timeout(longest, async {
            if let Some(lease) = lease.filter(|lease| Some(*lease) != told) {
                nodes::set_lease(connection, lease, lane).await?;
            }
            prepare(connection, lease.is_some(), work).await
        })
        .await;
        let Ok(prepared) = prepared else {
            self.forget_connection();
            return Err(Stopped::Late);
        };
        let (mark, done) = match prepared {
            Ok(prepared) => prepared,
            Err(fault) => {
                // The session may have been told of the lease, or not.
                self.told = None;
                self.roll_back(&fault).await;
                // A lease that is not there was not taken away: the database has never heard of it.
                if let (Fault::Store(StoreError::Fenced), Some(lease)) = (&fault, lease)
                    && let Some(acknowledged) = acknowledged
                    && matches!(self.last_mark(lease).await, Ok(last) if last < acknowledged)
                {
                    return Err(Stopped::Lost(self.lost().await));
                }
                return Err(fault.into());
            }
        };
        self.told = lease.or(told);
        if acknowledged.is_some_and(|last| mark <= last) {
            self.forget_connection();
            return Err(Stopped::Lost(self.lost().await));
        }
        failpoint::hit("before_commit");
        let connection = self.connection().await?;
        let committed = timeout(longest, sqlx::raw_sql(COMMIT).execute(connection)).await;
        let fault = match committed {
            Ok(Ok(_)) => {
                if let Some(lease) = lease {
                    self.acknowledge(lease, mark);
                }
                return Ok(done);
            }
            Ok(Err(error)) => Fault::from(error),
            Err(_) => Fault::late(),
        };
        // Also after an answer that says no: to find out is cheap, and to be wrong is not.
        self.forget_connection();
        Err(Stopped::InDoubt { mark, done, fault })
    }

    /// Undoes what was begun, so that the connection can be used again; else it is given up.
    async fn roll_back(&mut self, fault: &Fault) {
        if let Some(connection) = &mut self.connection
            && !fault.is_lost()
        {
            let rolled_back = timeout(PING, sqlx::raw_sql("ROLLBACK").execute(connection)).await;
            if matches!(rolled_back, Ok(Ok(_))) {
                return;
            }
        }
        self.forget_connection();
    }

    /// Whether the transaction of this lease with this number is committed, as the database says once it can be reached.
    async fn has_happened(
        &mut self,
        queue: &mut Queue,
        lease: Lease,
        mark: i64,
    ) -> Result<bool, Ended> {
        let began = Instant::now();
        loop {
            let fault = match self.last_mark(lease).await {
                Ok(last) if self.marks.get(&lease).is_some_and(|known| last < *known) => {
                    return Err(Ended::Fatal(self.lost().await));
                }
                Ok(last) => return Ok(last >= mark),
                Err(Fault::Store(StoreError::Lost { .. })) => {
                    return Err(Ended::Fatal(self.lost().await));
                }
                Err(fault) => fault,
            };
            self.forget_connection();
            let why = fault.into_error();
            if began.elapsed() >= PATIENCE {
                queue.shed(&why);
            }
            if began.elapsed() >= LONGEST_DOUBT {
                return Err(Ended::Fatal(StoreError::Failed {
                    why: format!(
                        "whether a commit was done could not be found out in a minute: {why}"
                    ),
                }));
            }
            sleep(PAUSE).await;
        }
    }

    async fn last_mark(&mut self, lease: Lease) -> Result<i64, Fault> {
        let (lane, longest) = (self.lane, self.longest());
        let connection = self.connection().await?;
        let asked = timeout(longest, nodes::last_mark(connection, lease, lane)).await;
        asked.unwrap_or_else(|_| Err(Fault::late()))
    }
}

/// Everything but the COMMIT.
async fn prepare<W: Work>(
    connection: &mut PgConnection,
    fenced: bool,
    work: &W,
) -> Result<(i64, W::Done), Fault> {
    let mark = match fenced {
        true => nodes::begin(connection).await?,
        false => {
            sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
            0
        }
    };
    let done = work.run(connection).await?;
    Ok((mark, done))
}
