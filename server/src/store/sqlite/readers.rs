//! A few connections that only read, each read alone, in order of asking, and bounded in time.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use sqlx::sqlite::SqliteConnection;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use super::opening::disconnect;
use super::schema::connect_reader;
use crate::store::StoreError;

const READERS: usize = 3;
/// The longest a statement may read. A longer one would keep the write-ahead log from being emptied.
pub(super) const LONGEST_READ: Duration = Duration::from_secs(5);
/// How often, in steps of SQLite's machine, to look at the time.
const STEPS_BETWEEN_LOOKS: i32 = 10_000;

/// The connections that read.
#[derive(Debug)]
pub(super) struct Readers {
    path: Arc<Path>,
    free: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Reader>>>,
    tasks: TaskTracker,
    longest: Duration,
}

#[derive(Debug)]
struct Reader {
    connection: SqliteConnection,
    deadline: Deadline,
}

/// A moment after which SQLite gives up a statement; shared with the handler that SQLite calls.
#[derive(Clone, Debug)]
struct Deadline {
    origin: Instant,
    ms: Arc<AtomicU64>,
}

impl Deadline {
    fn never() -> Self {
        Self {
            origin: Instant::now(),
            ms: Arc::new(AtomicU64::new(u64::MAX)),
        }
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn set(&self, from_now: Duration) {
        let ms = u64::try_from(from_now.as_millis()).unwrap_or(u64::MAX);
        self.ms
            .store(self.elapsed_ms().saturating_add(ms), Ordering::Relaxed);
    }

    fn has_passed(&self) -> bool {
        self.elapsed_ms() > self.ms.load(Ordering::Relaxed)
    }
}

impl Reader {
    async fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = connect_reader(path).await?;
        let deadline = Deadline::never();
        let watched = deadline.clone();
        connection
            .lock_handle()
            .await?
            .set_progress_handler(STEPS_BETWEEN_LOOKS, move || !watched.has_passed());
        Ok(Self {
            connection,
            deadline,
        })
    }
}

impl Readers {
    /// Opens them all. No statement will read for longer than `longest`.
    pub(super) async fn open(
        path: &Path,
        tasks: TaskTracker,
        longest: Duration,
    ) -> Result<Self, StoreError> {
        let mut idle = Vec::with_capacity(READERS);
        for _ in 0..READERS {
            idle.push(Reader::open(path).await?);
        }
        Ok(Self {
            path: path.into(),
            free: Arc::new(Semaphore::new(READERS)),
            idle: Arc::new(Mutex::new(idle)),
            tasks,
            longest,
        })
    }

    /// Reads with one of them. The read runs in a task of its own: a caller that stops waiting tears nothing.
    pub(super) async fn read<T, F>(&self, job: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>
            + Send
            + 'static,
    {
        let permit = Arc::clone(&self.free)
            .acquire_owned()
            .await
            .map_err(|_| StoreError::Closed)?;
        let idle = Arc::clone(&self.idle);
        let longest = self.longest;
        let path = Arc::clone(&self.path);
        let task = self.tasks.spawn(async move {
            let reader = lock(&idle).pop();
            // A place without a connection: the read that had it panicked.
            let mut reader = match reader {
                Some(reader) => reader,
                None => Reader::open(&path).await?,
            };
            reader.deadline.set(longest);
            let answer = job(&mut reader.connection).await;
            lock(&idle).push(reader);
            drop(permit);
            answer
        });
        task.await.map_err(|_| StoreError::Failed {
            why: "a read panicked".to_owned(),
        })?
    }

    /// Whether nothing can be read any more.
    pub(super) fn is_closed(&self) -> bool {
        self.free.is_closed()
    }

    /// Lets the reads under way finish, and closes.
    pub(super) async fn close(&self) {
        let all = u32::try_from(READERS).expect("a handful");
        // An error means that somebody closed already.
        if let Ok(permits) = self.free.acquire_many(all).await {
            self.free.close();
            let readers = std::mem::take(&mut *lock(&self.idle));
            for reader in readers {
                disconnect(reader.connection).await;
            }
            drop(permits);
        }
    }
}

fn lock(idle: &Mutex<Vec<Reader>>) -> std::sync::MutexGuard<'_, Vec<Reader>> {
    idle.lock()
        .expect("nothing panics between taking a reader and putting it back")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::SqliteStore;

    #[tokio::test]
    async fn a_read_that_panics_costs_no_connection() {
        let directory = tempfile::TempDir::new().unwrap();
        let path = directory.path().join("grundy.db");
        let _store = SqliteStore::open(&path).await.unwrap();
        let readers = Readers::open(&path, TaskTracker::new(), LONGEST_READ)
            .await
            .unwrap();
        for _ in 0..=READERS {
            let panicked: Result<(), _> = readers
                .read(|_| Box::pin(async { panic!("on purpose") }))
                .await;
            assert!(matches!(panicked, Err(StoreError::Failed { .. })));
        }
        for _ in 0..=READERS {
            let read = readers
                .read(|connection| {
                    Box::pin(async move {
                        let one: i64 = sqlx::query_scalar("SELECT 1").fetch_one(connection).await?;
                        Ok(one)
                    })
                })
                .await;
            assert_eq!(read, Ok(1));
        }
    }

    #[tokio::test]
    async fn a_read_that_takes_too_long_is_given_up_and_its_connection_goes_on() {
        let directory = tempfile::TempDir::new().unwrap();
        let path = directory.path().join("grundy.db");
        let _store = SqliteStore::open(&path).await.unwrap();
        let readers = Readers::open(&path, TaskTracker::new(), Duration::from_millis(50))
            .await
            .unwrap();
        for _ in 0..=READERS {
            let endless = readers
                .read(|connection| {
                    Box::pin(async move {
                        let count: i64 = sqlx::query_scalar(
                            "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT count(*) FROM n",
                        )
                        .fetch_one(connection)
                        .await?;
                        Ok(count)
                    })
                })
                .await;
            assert!(
                matches!(endless, Err(StoreError::Busy { .. })),
                "{endless:?}"
            );
        }
    }
}
