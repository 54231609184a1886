//! What a server has acknowledged, as it knows it, and as it has noted it beside itself for its next start.

use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

use grundy_server::planted;
use grundy_server::store::postgres::Lane;
use grundy_server::store::{Lease, NodeId, StoreError};

use super::database::{Database, Noted};

/// What one life of a server has acknowledged, in all lanes; before that, what the life before had.
pub(super) struct Acknowledged(Mutex<Option<Noted>>);

impl Acknowledged {
    /// Compares what an earlier life has noted with the database.
    ///
    /// # Errors
    /// `Lost`.
    pub(super) fn open(database: &Database, node: NodeId) -> Result<Self, StoreError> {
        let noted = Self(Mutex::new(database.noted(node)));
        match noted.is_lacked_by(database) {
            true => Err(lost()),
            false => Ok(noted),
        }
    }

    /// A transaction with this number was acknowledged.
    pub(super) fn note(&self, lease: Lease, lane: Lane, mark: u64) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *noted {
            Some((of, marks)) if *of == lease => drop(marks.insert(lane, mark)),
            _ => *noted = Some((lease, FxHashMap::from_iter([(lane, mark)]))),
        }
    }

    /// Writes the file.
    pub(super) fn write(&self, database: &Database, node: NodeId) {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(noted) = noted.clone() {
            database.note(node, noted);
        }
    }

    /// Whether the database that is reached now lacks something of this life.
    pub(super) fn is_lacked_by(&self, database: &Database) -> bool {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
