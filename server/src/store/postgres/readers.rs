//! Connections that only read. Each statement sees one moment and belongs to no transaction, so a caller that stops waiting leaves none open.
//!
//! A connection of which the other side knows nothing any more answers nothing, and nothing ends it. So whatever is asked on one is waited for so long only, and a connection
//! that did not answer in time is dropped at once: its place is free for another one.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use deadpool::managed::{Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleResult};
use futures::future::join_all;
use sqlx::postgres::PgConnection;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::acknowledged::Acknowledged;
use super::address::Address;
use super::fault::Fault;
use super::soundness;
use crate::store::StoreError;

/// Connections at most.
const READERS: usize = 6;
/// The longest that a read waits for a connection: for its turn, for an answer of one that was idle, or for a new one.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest that a connection with nothing to do takes to answer.
const PING: Duration = Duration::from_secs(1);
/// The longest that a read takes once it has a connection, with all its statements. The database cancels a statement after five seconds.
const LONGEST: Duration = Duration::from_secs(6);
/// The longest that closing takes.
const CLOSING: Duration = Duration::from_secs(3);
/// A connection that nobody used for so long is closed.
const IDLE: Duration = Duration::from_mins(5);

/// How connections are made, and which of them are used again.
#[derive(Debug)]
struct Connecting {
    address: Address,
    acknowledged: Arc<Acknowledged>,
    /// When a connection was last asked for a sign of life that never came. The others that were idle then most likely go the same way.
    silent: Mutex<Option<Instant>>,
    /// Why the last attempt to connect failed.
    trouble: Mutex<Option<String>>,
}

impl Connecting {
    /// A connection to a primary that has what was acknowledged: a standby would not show what was committed a moment ago.
    async fn connect(&self) -> Result<PgConnection, Fault> {
        let mut connection = self.address.options().connect().await?;
        let sound = async {
            soundness::check(&mut connection, &self.address).await?;
            let acknowledged = &self.acknowledged;
            acknowledged.check(&mut connection, &self.address).await
        };
        match sound.await {
            Ok(()) => Ok(connection),
            // What serves there now may be another one in a moment.
            Err(Fault::Store(error)) => Err(sqlx::Error::Protocol(error.to_string()).into()),
            Err(fault) => Err(fault),
        }
    }

    fn note_trouble(&self, fault: Option<&Fault>) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        *trouble = fault.map(|fault| match fault {
            Fault::Database(error) => error.to_string(),
            Fault::Store(error) => error.to_string(),
        });
    }

    /// Why nobody got a connection in time.
    fn why(&self) -> String {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        match &*trouble {
            Some(trouble) => format!("no connection to the database can be made: {trouble}"),
            None => "no connection to the database is free".to_owned(),
        }
    }

    /// Whether it is as old as one that gave no sign of life.
    fn is_suspect(&self, metrics: &Metrics) -> bool {
        let silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.is_some_and(|silent| metrics.last_used() > silent.elapsed())
    }
}

impl Manager for Connecting {
    type Type = PgConnection;
    type Error = Fault;

    /// Connects, if need be once the database lets somebody in again: it may be started anew.
    async fn create(&self) -> Result<PgConnection, Fault> {
        let began = Instant::now();
        loop {
            let connected = self.connect().await;
            self.note_trouble(connected.as_ref().err());
            let fault = match connected {
                Ok(connection) => return Ok(connection),
                Err(fault) => fault,
            };
            let is_last = began.elapsed() + 2 * PAUSE > LONGEST_WAIT;
            if is_last || !(fault.is_lost() || fault.is_full()) {
                return Err(fault);
            }
            sleep(PAUSE).await;
        }
    }

    async fn recycle(
        &self,
        connection: &mut PgConnection,
        metrics: &Metrics,
    ) -> RecycleResult<Fault> {
        if self.is_suspect(metrics) {
            return Err(Fault::late().into());
        }
        let asked = Instant::now();
        let Ok(answer) = timeout(PING, connection.ping()).await else {
            let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
            *silent = Some(asked);
            return Err(Fault::late().into());
        };
        Ok(answer.map_err(Fault::from)?)
    }
}

/// A connection that is lent for one read. It goes back if the read was concluded on it. Otherwise a statement is under way.
#[derive(Debug)]
struct Reader {
    connection: Option<Object<Connecting>>,
    under_way: TaskTrackerToken,
}

impl Reader {
    /// Runs a read. Nobody waits for its answer if it comes too late: then the connection is dropped.
    async fn run<T>(
        mut self,
        read: impl AsyncFnOnce(&mut PgConnection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some(connection) = &mut self.connection else {
            return Err(StoreError::Closed.into());
        };
        let read = timeout(LONGEST, read(connection)).await;
        let read = read.unwrap_or_else(|_| Err(Fault::late()));
        match (self.connection.take(), &read) {
            // Of a read that could not use what it found, rows may be left that nobody has read.
            (Some(connection), Err(fault))
                if fault.is_lost() || matches!(fault, Fault::Store(_)) =>
            {
                drop(Object::take(connection));
            }
            (connection, _) => drop(connection),
        }
        read
    }
}

impl Drop for Reader {
    /// The caller has gone away. The database goes on with the statement, so its place is free once that has ended: else callers who come and go would make more and more sessions.
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        self.under_way.task_tracker().spawn(async move {
            match timeout(LONGEST, connection.ping()).await {
                Ok(Ok(())) => drop(connection),
                _ => drop(Object::take(connection)),
            }
        });
    }
}

/// The connections that read.
#[derive(Debug)]
pub(super) struct Readers {
    pool: Pool<Connecting>,
    under_way: TaskTracker,
}

impl Readers {
    /// Opens none yet.
    pub(super) fn new(address: &Address, acknowledged: &Arc<Acknowledged>) -> Self {
        let connecting = Connecting {
            address: address.clone(),
            acknowledged: Arc::clone(acknowledged),
            silent: Mutex::default(),
            trouble: Mutex::default(),
        };
        let pool = Pool::builder(connecting)
            .max_size(READERS)
            .queue_mode(QueueMode::Lifo);
        Self {
            pool: pool.build().expect("it has no limits that need a runtime"),
            under_way: TaskTracker::new(),
        }
    }

    /// What a read finds, on a connection that it has alone. It is given up if no answer comes.
    pub(super) async fn read<T>(
        &self,
        read: impl AsyncFnOnce(&mut PgConnection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let read = async { self.take().await?.run(read).await };
        read.await.map_err(Fault::into_error)
    }

    /// A connection that answered a moment ago.
    async fn take(&self) -> Result<Reader, Fault> {
        drop(self.pool.retain(|_, metrics| metrics.last_used() < IDLE));
        let taken = timeout(LONGEST_WAIT, self.pool.get()).await;
        let connection = match taken {
            Ok(Ok(connection)) => connection,
            Ok(Err(PoolError::Backend(fault))) => return Err(fault),
            Ok(Err(PoolError::Closed)) => return Err(StoreError::Closed.into()),
            Ok(Err(_)) | Err(_) => {
                let why = self.pool.manager().why();
                return Err(StoreError::Busy { why }.into());
            }
        };
        let reader = Reader {
            connection: Some(connection),
            under_way: self.under_way.token(),
        };
        self.check_open()?;
        Ok(reader)
    }

    /// Whether nothing can be read any more.
    pub(super) fn check_open(&self) -> Result<(), StoreError> {
        match self.pool.is_closed() {
            true => Err(StoreError::Closed),
            false => Ok(()),
        }
    }

    /// Lets the reads under way finish, and closes.
    pub(super) async fn close(&self) {
        let idle = self.pool.retain(|_, _| false).removed;
        self.pool.close();
        self.under_way.close();
        let closing = async {
            // What goes wrong is no longer of interest.
            join_all(idle.into_iter().map(PgConnection::close)).await;
            self.under_way.wait().await;
        };
        if timeout(CLOSING, closing).await.is_err() {
            tracing::warn!("not every connection that reads could be closed");
        }
    }
}
