//! From what the configuration says to a backend: the only place that names one.

use std::path::Path;
use std::sync::Arc;

use super::copying::{Source, Target};
use super::memory::MemoryStore;
use super::postgres::copy::PostgresTarget;
use super::postgres::copying::PostgresSource;
use super::postgres::whole::WholeLogs;
use super::postgres::{Address, PostgresStore};
use super::sqlite::copy::SqliteTarget;
use super::sqlite::copying::SqliteSource;
use super::sqlite::left;
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
        if allowed.loss {
            PostgresStore::accept_loss(&address).await?;
        }
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

/// Makes the tables in the PostgreSQL database that `location` names, or upgrades them, as the role that owns them, and gives a role the rights of servers. Returns all roles that have
/// them. Reports in sentences what it waits for.
///
/// # Errors
/// As [`PostgresStore::migrate`] says.
pub async fn migrate(
    location: &Path,
    grant: Option<&str>,
    tell: &mut (dyn FnMut(String) + Send),
) -> Result<Vec<String>, StoreError> {
    let address = Address::read(location.to_str().unwrap_or_default())?;
    PostgresStore::migrate(&address, grant, tell).await
}

/// Whether this can name a store. An address is only read: nobody connects.
///
/// # Errors
/// It is no address that can be read.
pub fn check(location: &Path) -> Result<(), StoreError> {
    address_of(location).map(drop)
}

/// Whether this is the address of a database, and no file.
pub(crate) fn is_address(location: &Path) -> bool {
    Address::is_meant_by(location)
}

/// The logs of a database beside the servers that use it; `None` if this is a file.
///
/// # Errors
/// It is no address that can be read, or as [`WholeLogs::open`] says.
pub(crate) async fn whole_logs(location: &Path) -> Result<Option<WholeLogs>, StoreError> {
    match address_of(location)? {
        Some(address) => Ok(Some(WholeLogs::open(&address).await?)),
        None => Ok(None),
    }
}

/// The address that `location` is; `None` if it is a file.
///
/// # Errors
/// It is no address that can be read.
fn address_of(location: &Path) -> Result<Option<Address>, StoreError> {
    match Address::is_meant_by(location) {
        true => Address::read(location.to_str().unwrap_or_default()).map(Some),
        false => Ok(None),
    }
}

/// Whether a store can be copied to this place: it is there, complete, was not moved elsewhere, and is not used by a server. A file has a lock, which tells the last
/// when it is opened.
///
/// # Errors
/// As [`SqliteSource::check`] and [`PostgresSource::check`] say.
pub(crate) async fn check_source(location: &Path, to: &str) -> Result<(), StoreError> {
    match address_of(location)? {
        Some(address) => PostgresSource::check(&address, to).await,
        None => SqliteSource::check(location, to),
    }
}

/// Opens a store, to read all of it as it is now. Servers may use a database meanwhile, but not a file.
///
/// # Errors
/// As [`SqliteSource::open`] and [`PostgresSource::open`] say.
pub(crate) async fn source(location: &Path) -> Result<Box<dyn Source>, StoreError> {
    Ok(match address_of(location)? {
        Some(address) => Box::new(PostgresSource::open(&address).await?),
        None => Box::new(SqliteSource::open(location).await?),
    })
}

/// Begins a copy of a source in this state, or goes on with it.
///
/// # Errors
/// As [`SqliteTarget::open`] and [`PostgresTarget::open`] say.
pub(crate) async fn target(location: &Path, state: &str) -> Result<Box<dyn Target>, StoreError> {
    Ok(match address_of(location)? {
        Some(address) => Box::new(PostgresTarget::open(&address, state).await?),
        None => Box::new(SqliteTarget::open(location, state).await?),
    })
}

/// Makes a database to check a copy in.
///
/// # Errors
/// As [`SqliteTarget::open_scratch`] says.
pub(crate) async fn scratch(path: &Path) -> Result<Box<dyn Target>, StoreError> {
    Ok(Box::new(SqliteTarget::open_scratch(path).await?))
}

/// Lets servers use a complete copy.
///
/// # Errors
/// It cannot be reached or written.
pub(crate) async fn release(location: &Path) -> Result<(), StoreError> {
    match address_of(location)? {
        Some(address) => PostgresTarget::release(&address).await,
        None => SqliteTarget::release(location),
    }
}

/// Whether a copy can be written there, as far as that is seen before the source is read.
///
/// # Errors
/// As [`PostgresTarget::check`] says. A directory is looked at when the copy begins.
pub(crate) async fn check_target(location: &Path) -> Result<(), StoreError> {
    match address_of(location)? {
        Some(address) => PostgresTarget::check(&address).await,
        None => Ok(()),
    }
}

/// Notes in a source in this state that its records are in another place now: no server uses it from then on. How many servers had not stopped by themselves; `None` if
/// the source has changed. Of a file its source must still be open, for its lock.
///
/// # Errors
/// As [`PostgresSource::leave`] and [`left::leave`] say.
pub(crate) async fn leave(
    location: &Path,
    state: &str,
    to: &str,
) -> Result<Option<u64>, StoreError> {
    match address_of(location)? {
        Some(address) => PostgresSource::leave(&address, state, to).await,
        None => left::leave(location, to).map(|()| Some(0)),
    }
}

/// Takes that note back; where the records were moved to, if there was one.
///
/// # Errors
/// As [`PostgresSource::take_back`] and [`left::take_back`] say.
pub(crate) async fn take_back(location: &Path) -> Result<Option<String>, StoreError> {
    match address_of(location)? {
        Some(address) => PostgresSource::take_back(&address).await,
        None => left::take_back(location),
    }
}
