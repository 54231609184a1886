//! What this server has acknowledged, beyond the database: a file beside it that has the numbers of its last transactions.
//!
//! A server that runs notices by itself when the database lacks commits that it has acknowledged, and stops. So that no lane writes and nobody reads before another lane has
//! noticed, each new connection is compared with what all have acknowledged. Other servers may lack nothing of their own there: who finds a loss keeps them away (`lacking.rs`),
//! and after a promotion everybody waits for that. The file tells the next start, which would go on
//! from the past otherwise. It is written with each sign of life, and when such a loss is found. It is not flushed: it is there after a crash of the server, which is
//! when supervisors start it again, and perhaps not after one of its machine.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::postgres::PgConnection;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::address::Address;
use super::fault::Fault;
use super::lane::Lane;
use crate::store::{Lease, NodeId, StoreError};

/// The file, in the data directory of a server.
const FILE: &str = "acknowledged.json";
/// The longest that the comparison of a new connection may take.
const LONGEST: Duration = Duration::from_secs(5);
/// A database that was promoted is not used for so long: another server may lack something there that this one does not, and then ends the leases of all.
const OTHERS_LOOK: Duration = Duration::from_secs(2);

/// The numbers of the last transactions of one life of a node that were acknowledged.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Marks {
    /// The id that PostgreSQL generates when it creates its files. A copy restored elsewhere from a dump has another one.
    system: String,
    /// The id of the database, which all its servers share once one of them has generated it. A copy restored from a dump has the same one.
    #[serde(default)]
    database: Option<String>,
    node: u32,
    epoch: u64,
    /// By the number of the lane.
    marks: BTreeMap<i16, i64>,
    /// The line of promotions on which they were acknowledged, as far as is known.
    #[serde(default)]
    timeline: Option<String>,
}

impl Marks {
    /// Whether the database was promoted since.
    fn is_before(&self, timeline: &str) -> bool {
        let known = self.timeline.as_deref();
        known.is_some_and(|known| known != timeline)
    }

    /// Whether they belong to this database. A file of an older version is assumed to.
    fn is_of(&self, system: &str, database: Option<&str>) -> bool {
        let own = self.database.as_deref();
        self.system == system && (own.is_none() || own == database)
    }

    fn life(&self) -> Lease {
        Lease {
            node: NodeId(self.node),
            epoch: self.epoch,
        }
    }
}

/// What was acknowledged in this life of a server. Shared by all lanes.
#[derive(Debug, Default)]
pub(super) struct Acknowledged {
    noted: Mutex<Noted>,
    /// Held while the file is written.
    file: Mutex<()>,
    is_writing: AtomicBool,
}

#[derive(Debug, Default)]
struct Noted {
    /// Where it is written for the next start.
    path: Option<PathBuf>,
    /// What the life before had acknowledged. A database that has something of this life has all of that.
    earlier: Option<Marks>,
    marks: Marks,
    /// The line of promotions that the database has come down, and when this server saw it first, unless it was there from the beginning.
    timeline: Option<(String, Option<Instant>)>,
    /// Held as long as the server runs: two servers would write over each other's file, and take each other's socket for administrators.
    _held: Option<File>,
}

impl Acknowledged {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compares what an earlier life has left in this directory with the database, and keeps the marks of this life there from now on.
    ///
    /// # Errors
    /// `Lost`, if the database lacks some of it, unless the loss is accepted; `Unusable`, if the file cannot be read.
    pub(super) async fn keep_in(
        &self,
        directory: &Path,
        accept_loss: bool,
        address: &Address,
        connection: &mut PgConnection,
    ) -> Result<(), Fault> {
        let held = hold(directory)?;
        let path = directory.join(FILE);
        let (system, database) = (system(connection).await?, database(connection).await?);
        let is_of_this = |marks: &Marks| marks.is_of(&system, database.as_deref());
        let earlier = read(&path)?.filter(|marks| is_of_this(marks) && !accept_loss);
        if let Some(marks) = &earlier
            && is_lacked(connection, marks).await?
        {
            return Err(lost(address).into());
        }
        let timeline = timeline(connection).await?;
        if earlier
            .as_ref()
            .is_some_and(|marks| marks.is_before(&timeline))
        {
            sleep(OTHERS_LOOK).await;
        }
        let marks = Marks {
            system,
            database,
            timeline: Some(timeline),
            ..Marks::default()
        };
        let mut noted = self.noted();
        noted.path = Some(path);
        noted.earlier = earlier;
        noted.marks = marks;
        noted._held = Some(held);
        Ok(())
    }

    /// Compares a new connection with what was acknowledged in any lane: it may lead to another database than the one before.
    ///
    /// # Errors
    /// `Lost`, if the database lacks some of it.
    pub(super) async fn check(
        &self,
        connection: &mut PgConnection,
        address: &Address,
    ) -> Result<(), Fault> {
        // Before the question: what is acknowledged meanwhile was committed there.
        let known = {
            let noted = self.noted();
            let own = Some(&noted.marks).filter(|marks| !marks.marks.is_empty());
            own.or(noted.earlier.as_ref()).cloned()
        };
        let compared = timeout(LONGEST, async {
            let lacks = match &known {
                Some(known) => is_lacked(connection, known).await?,
                None => false,
            };
            Ok((lacks, timeline(connection).await?))
        });
        let compared = compared.await.unwrap_or_else(|_| Err(Fault::late()));
        let (lacks, timeline) = compared?;
        if lacks {
            return Err(lost(address).into());
        }
        if let Some(seen) = self.see(timeline) {
            sleep_until(seen + OTHERS_LOOK).await;
        }
        Ok(())
    }

    /// A new connection leads to a database on this line of promotions. When that was seen first, if this server knew another one before.
    fn see(&self, timeline: String) -> Option<Instant> {
        let mut noted = self.noted();
        match &noted.timeline {
            Some((known, seen)) if *known == timeline => *seen,
            known => {
                let seen = known.is_some().then(Instant::now);
                noted.marks.timeline = Some(timeline.clone());
                noted.timeline = Some((timeline, seen));
                seen
            }
        }
    }

    /// The life whose commits a database is compared with.
    pub(super) fn life(&self) -> Option<Lease> {
        let noted = self.noted();
        let own = Some(&noted.marks).filter(|marks| !marks.marks.is_empty());
        own.or(noted.earlier.as_ref()).map(Marks::life)
    }

    /// Reads the id of the database, if no server had generated it before this one.
    ///
    /// # Errors
    /// The database cannot be read.
    pub(super) async fn learn_database(&self, connection: &mut PgConnection) -> Result<(), Fault> {
        let is_known = {
            let noted = self.noted();
            noted.path.is_none() || noted.marks.database.is_some()
        };
        if !is_known {
            let database = database(connection).await?;
            self.noted().marks.database = database;
        }
        Ok(())
    }

    /// A transaction with this number was acknowledged.
    pub(super) fn note(&self, lease: Lease, lane: Lane, mark: i64) {
        let marks = &mut self.noted().marks;
        let Lease { node, epoch } = lease;
        if (NodeId(marks.node), marks.epoch) != (node, epoch) {
            (marks.node, marks.epoch) = (node.0, epoch);
            marks.marks.clear();
        }
        marks.marks.insert(lane.number(), mark);
    }

    /// Writes the file on a thread of its own, unless the last time is not over: no commit waits for a slow disk here.
    pub(super) fn write_beside(self: &Arc<Self>) {
        if self.is_writing.swap(true, Ordering::AcqRel) {
            return;
        }
        let this = Arc::clone(self);
        let begun = thread::Builder::new().spawn(move || {
            this.write();
            this.is_writing.store(false, Ordering::Release);
        });
        if let Err(error) = begun {
            self.is_writing.store(false, Ordering::Release);
            tracing::warn!(%error, "what was acknowledged could not be noted");
        }
    }

    /// Writes the file. What goes wrong is logged: it is a second net.
    pub(super) fn write(&self) {
        let _one_at_a_time = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (path, marks) = {
            let noted = self.noted();
            let Some(path) = &noted.path else {
                return;
            };
            (path.clone(), noted.marks.clone())
        };
        // What the life before has written says more than nothing.
        if marks.marks.is_empty() {
            return;
        }
        let written = serde_json::to_vec(&marks).map_err(std::io::Error::from);
        let written = written.and_then(|text| {
            let new = path.with_extension("new");
            std::fs::write(&new, text)?;
            std::fs::rename(&new, &path)
        });
        if let Err(error) = written {
            tracing::warn!(%error, path = %path.display(), "what was acknowledged could not be noted");
        }
    }
}

/// The life that has left this file in a directory.
///
/// # Errors
/// `Unusable`, if it cannot be read.
pub(super) fn life_in(directory: &Path) -> Result<Option<Lease>, StoreError> {
    let marks = read(&directory.join(FILE))?;
    Ok(marks.as_ref().map(Marks::life))
}

/// The database lacks what was acknowledged.
pub(super) fn lost(address: &Address) -> StoreError {
    StoreError::Lost {
        why: format!(
            "{address} lacks commits that were acknowledged, as a standby that was promoted without them; connect to the server that has them, restore it, or start \
             with --accept-loss to go on without them"
        ),
    }
}

/// Takes the data directory for this server alone.
fn hold(directory: &Path) -> Result<File, StoreError> {
    let held = File::open(directory).map_err(|error| StoreError::Unusable {
        path: directory.to_owned(),
        why: error.to_string(),
    })?;
    match flock(&held, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => Err(StoreError::InUse {
            path: directory.to_owned(),
            pid: None,
        }),
        // A file system without locks is no reason not to serve.
        _ => Ok(held),
    }
}

fn read(path: &Path) -> Result<Option<Marks>, StoreError> {
    let unusable = |why: String| StoreError::Unusable {
        path: path.to_owned(),
        why,
    };
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(format!("it cannot be read: {error}"))),
    };
    if text.is_empty() {
        // The machine lost its power while it was written. It is a second net.
        tracing::warn!(path = %path.display(), "the note of what was acknowledged is empty");
        return Ok(None);
    }
    let marks = serde_json::from_slice(&text);
    marks.map(Some).map_err(|error| {
        unusable(format!(
            "it is not what a server has written ({error}); remove it if the database is the right one"
        ))
    })
}

async fn system(connection: &mut PgConnection) -> Result<String, Fault> {
    let read = sqlx::query_scalar("SELECT system_identifier::text FROM pg_control_system()");
    Ok(read.fetch_one(connection).await?)
}

/// The id that all servers on this database share; `None` before the first has generated it.
async fn database(connection: &mut PgConnection) -> Result<Option<String>, Fault> {
    let read = sqlx::query_scalar("SELECT id::text FROM server");
    Ok(read.fetch_optional(connection).await?)
}

/// The number that each promotion of a standby raises.
async fn timeline(connection: &mut PgConnection) -> Result<String, Fault> {
    let read = sqlx::query_scalar("SELECT left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)");
    match read.fetch_one(connection).await {
        Ok(timeline) => Ok(timeline),
        // Whoever runs the database for others may forbid the question.
        Err(sqlx::Error::Database(_)) => Ok(String::new()),
        Err(error) => Err(error.into()),
    }
}

/// Whether the database has less of that life than these numbers.
async fn is_lacked(connection: &mut PgConnection, marks: &Marks) -> Result<bool, Fault> {
    let stored = stored(connection, marks).await?;
    let lacks = |(lane, mark): (&i16, &i64)| stored.get(lane).is_none_or(|has| has < mark);
    Ok(marks.marks.iter().any(lacks))
}

/// The numbers that the database has of that life, by the number of the lane.
async fn stored(connection: &mut PgConnection, marks: &Marks) -> Result<BTreeMap<i16, i64>, Fault> {
    let rows = sqlx::query("SELECT lane, mark FROM life WHERE node = $1 AND epoch = $2")
        .bind(i64::from(marks.node))
        .bind(crate::store::columns::integer(marks.epoch))
        .fetch_all(connection)
        .await?;
    let read = |row: &sqlx::postgres::PgRow| Ok((row.try_get("lane")?, row.try_get("mark")?));
    rows.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_database_of_the_same_postgresql_has_acknowledged_says_nothing() {
        let marks = |database: Option<&str>| Marks {
            system: "7".to_owned(),
            database: database.map(str::to_owned),
            ..Marks::default()
        };
        for (left, found, same) in [
            (Some("1"), Some("1"), true),
            (Some("1"), Some("2"), false),
            (Some("1"), None, false),
            (None, Some("1"), true),
        ] {
            let marks = marks(left);
            assert_eq!(marks.is_of("7", found), same, "{left:?} {found:?}");
            assert!(!marks.is_of("8", found));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_promotion_is_waited_out_and_the_line_at_the_start_is_not() {
        let acknowledged = Acknowledged::default();
        let see = |timeline: &str| acknowledged.see(timeline.to_owned());
        assert_eq!(see("00000001"), None);
        assert_eq!(see("00000001"), None);
        let seen = Instant::now();
        assert_eq!(see("00000002"), Some(seen));
        tokio::time::advance(OTHERS_LOOK).await;
        assert_eq!(see("00000002"), Some(seen), "it is the same for all lanes");
        assert_eq!(see("00000003"), Some(seen + OTHERS_LOOK));
        let marks = acknowledged.noted().marks.clone();
        assert!(marks.is_before("00000004"), "the next start waits, too");
        assert!(!marks.is_before("00000003"));
        assert!(!Marks::default().is_before("00000003"));
    }
}
