//! From what the configuration says to a backend: the only place that names one.

use std::path::Path;
use std::sync::Arc;

use super::memory::MemoryStore;
use super::postgres::{Address, PostgresStore};
use super::sqlite::{Durability, SqliteStore};
use super::{Allowances, Store, StoreError};
use crate::failpoint;

/// The word that asks for a store in memory.
pub const MEMORY: &str = ":memory:";

/// Opens the store that `location` names: `:memory:`, the address of a PostgreSQL database (`postgres://…`), or the path of an SQLite file, made if it is not there.
///
/// # Errors
/// Whatever stands in the way, as [`StoreError`] tells it; the data on disk is not touched then.
pub async fn open(location: &Path) -> Result<Arc<dyn Store>, StoreError> {
    open_as_allowed(location, None, Allowances::default()).await
}

/// The same with what the operator allows for this start. A server on a database keeps in its `data` directory what it has acknowledged.
///
/// # Errors
/// As [`open`].
pub async fn open_as_allowed(
    location: &Path,
    data: Option<&Path>,
    allowed: Allowances,
) -> Result<Arc<dyn Store>, StoreError> {
    if location == Path::new(MEMORY) {
        Ok(Arc::new(MemoryStore::new()))
    } else if Address::is_meant_by(location) {
        let address = Address::read(location.to_str().unwrap_or_default())?;
        let store = PostgresStore::open(address).await?;
        if let Some(data) = data {
            store.keep_acknowledged_in(data, allowed.loss).await?;
        }
        Ok(Arc::new(store))
    } else {
        let durability = if failpoint::syncs_too_late() {
            Durability::WeakenedAsControl
        } else {
            Durability::Full
        };
        Ok(Arc::new(
            SqliteStore::open_with(location, durability, allowed).await?,
        ))
    }
}

/// Makes the tables in the PostgreSQL database that `location` names, or upgrades them, as the role that owns them.
///
/// # Errors
/// As [`PostgresStore::migrate`] says.
pub async fn migrate(location: &Path) -> Result<(), StoreError> {
    let address = Address::read(location.to_str().unwrap_or_default())?;
    PostgresStore::migrate(&address).await
}
