//! What a server has acknowledged, as it knows it, and as it has noted it beside itself for its next start.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_server::planted;
use grundy_server::store::postgres::Lane;
use grundy_server::store::{Lease, NodeId, StoreError};
use rustc_hash::FxHashMap;
use tokio::time::{Instant, sleep_until};

use super::database::{Database, Noted};
use super::tables::Tables;

/// What one life of a server has acknowledged, in all lanes; before that, what the life before had.
pub(super) struct Acknowledged {
    noted: Mutex<Option<Noted>>,
    /// The database that was reached last, and when first, unless that was so from the beginning.
    reached: Mutex<(Arc<Tables>, Option<Instant>)>,
}

/// One that is new is not used for so long: others may lack something there.
const OTHERS_LOOK: Duration = Duration::from_secs(2);

impl Acknowledged {
    /// Compares what an earlier life has noted with the database.
    ///
    /// # Errors
    /// `Lost`.
    pub(super) fn open(database: &Database, node: NodeId) -> Result<Self, StoreError> {
        let noted = Self {
            noted: Mutex::new(database.noted(node)),
            // What it reached before, by what it has noted.
            reached: Mutex::new((database.primary.clone(), None)),
        };
        match noted.is_lacked_by(database) || database.tables().is_lacking() {
            true => {
                noted.keep_others_away(database);
                Err(lost())
            }
            false => Ok(noted),
        }
    }

    fn noted(&self) -> MutexGuard<'_, Option<Noted>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the leases of all servers where something of this life is lacking.
    pub(super) fn keep_others_away(&self, database: &Database) {
        if let Some((life, _)) = &*self.noted() {
            database.tables().keep_away(*life);
        }
    }

    /// Waits until others have had the time to look at a database that is reached for the first time.
    pub(super) async fn let_others_look(&self, database: &Database) {
        if planted::is("accept_lost_commits") {
            return;
        }
        let tables = database.tables();
        let seen = {
            let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
            if !Arc::ptr_eq(&reached.0, &tables) {
                *reached = (tables, Some(Instant::now()));
            }
            reached.1
        };
        if let Some(seen) = seen {
            sleep_until(seen + OTHERS_LOOK).await;
        }
    }

    /// A transaction with this number was acknowledged.
    pub(super) fn note(&self, lease: Lease, lane: Lane, mark: u64) {
        let mut noted = self.noted();
        match &mut *noted {
            Some((of, marks)) if *of == lease => drop(marks.insert(lane, mark)),
            _ => *noted = Some((lease, FxHashMap::from_iter([(lane, mark)]))),
        }
    }

    /// Writes the file.
    pub(super) fn write(&self, database: &Database, node: NodeId) {
        let noted = self.noted();
        if let Some(noted) = noted.clone() {
            database.note(node, noted);
        }
    }

    /// Whether the database that is reached now lacks something of this life.
    pub(super) fn is_lacked_by(&self, database: &Database) -> bool {
        let noted = self.noted();
        noted.as_ref().is_some_and(|noted| lacks(database, noted))
    }
}

fn lacks(database: &Database, (lease, marks): &Noted) -> bool {
    let tables = database.tables();
    let mut marks = marks.iter();
    marks.any(|(lane, mark)| tables.mark(*lease, *lane) < *mark)
        && !planted::is("accept_lost_commits")
}

/// The database lacks what was acknowledged.
pub(super) fn lost() -> StoreError {
    StoreError::Lost {
        why: "simulated: the database lacks commits that were acknowledged".to_owned(),
    }
}
