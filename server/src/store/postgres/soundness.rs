//! Whether a server of PostgreSQL keeps the promises of the store: asked by every new connection that writes.

use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::address::Address;
use super::fault::Fault;
use crate::store::StoreError;

/// The oldest version that the statements are tried with.
const OLDEST: i64 = 150_000;

/// Whether the server is new enough, a primary, and flushes what it commits, which the session asks for itself from now on.
///
/// # Errors
/// `Unsafe` or `Unusable`, with the setting and what it has to be; `ReadOnly` from a standby.
pub(super) async fn check(connection: &mut PgConnection, address: &Address) -> Result<(), Fault> {
    let row = sqlx::query(
        "SELECT current_setting('server_version_num')::bigint AS version, \
         current_setting('transaction_read_only') AS read_only, current_setting('server_encoding') AS encoding, \
         current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes, \
         current_setting('synchronous_commit') AS synchronous_commit",
    )
    .fetch_one(&mut *connection)
    .await?;
    let version: i64 = row.try_get("version")?;
    let setting = |name: &str| row.try_get::<String, _>(name);
    let unsafe_because = |why: String| Fault::Store(StoreError::Unsafe { why });
    if version < OLDEST {
        return Err(unsafe_because(format!(
            "PostgreSQL {} is too old; version 15 or newer is needed",
            version / 10_000
        )));
    }
    let encoding = setting("encoding")?;
    if encoding != "UTF8" {
        return Err(StoreError::Unusable {
            path: address.place(),
            why: format!(
                "its encoding is {encoding}; make a database with ENCODING 'UTF8' TEMPLATE template0"
            ),
        }
        .into());
    }
    for (name, loses) in [
        ("fsync", "a crash of the machine damages the database"),
        (
            "full_page_writes",
            "a crash of the machine damages the database",
        ),
        (
            "synchronous_commit",
            "a crash loses moves that were acknowledged",
        ),
    ] {
        if setting(name)? == "off" {
            return Err(unsafe_because(format!(
                "{name} is off in {address}, so that {loses}; set {name} = on in postgresql.conf and reload"
            )));
        }
    }
    check_primary(&mut *connection, address).await?;
    // Else a change of the setting would reach sessions that were checked before. A standby that is to have every commit is waited for with both.
    let flushes = match setting("synchronous_commit")?.as_str() {
        "remote_apply" => "SET synchronous_commit = remote_apply",
        _ => "SET synchronous_commit = on",
    };
    sqlx::raw_sql(flushes).execute(&mut *connection).await?;
    if setting("read_only")? == "on" {
        return Err(StoreError::ReadOnly {
            why: format!(
                "default_transaction_read_only is on in {address}; set it off for this role and database"
            ),
        }
        .into());
    }
    Ok(())
}

/// Whether a server of PostgreSQL is a primary.
///
/// # Errors
/// `ReadOnly` from a standby.
pub(super) async fn check_primary(
    connection: &mut PgConnection,
    address: &Address,
) -> Result<(), Fault> {
    let standby: bool = sqlx::query_scalar("SELECT pg_is_in_recovery()")
        .fetch_one(connection)
        .await?;
    if standby {
        return Err(StoreError::ReadOnly {
            why: format!("{address} is a standby; connect to the primary, or promote it"),
        }
        .into());
    }
    Ok(())
}
