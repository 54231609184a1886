//! The tables: made and upgraded by `migrate` with a role that owns them, and checked by every connection that serves.

use sqlx::postgres::PgConnection;

use super::address::{Address, SCHEMA};
use super::fault::Fault;
use crate::store::StoreError;

/// The migrations in their order: append-only.
const MIGRATIONS: [&str; 1] = [include_str!(
    "../../../../migrations/postgres/0001_streams.sql"
)];

/// The schema that this program reads and writes.
pub(super) const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Lets one `migrate` run at a time. Any constant that no other program takes.
const MIGRATING: i64 = 0x474E_4459;

/// What a database holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// Nothing.
    Empty,
    /// Tables of another program.
    Foreign,
    /// Ours, of this version.
    Ours(i64),
}

async fn find(connection: &mut PgConnection) -> Result<Found, Fault> {
    let (ours, foreign): (bool, bool) = sqlx::query_as(
        "SELECT to_regclass('grundy.schema_version') IS NOT NULL, \
         EXISTS (SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
         WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\\_%')",
    )
    .fetch_one(&mut *connection)
    .await?;
    if !ours {
        return Ok(if foreign {
            Found::Foreign
        } else {
            Found::Empty
        });
    }
    let version: Option<i64> = sqlx::query_scalar("SELECT version FROM grundy.schema_version")
        .fetch_optional(connection)
        .await?;
    Ok(version.map_or(Found::Foreign, Found::Ours))
}

fn foreign(address: &Address) -> StoreError {
    StoreError::NotOurs {
        path: address.place(),
        why: format!(
            "it has tables of another program, and none in the schema {SCHEMA}; make a database of its own for it (createdb)"
        ),
    }
}

/// Whether the tables are those that this program knows.
///
/// # Errors
/// `NotOurs`, `Newer`, or `Unusable` where `migrate` has to be run first.
pub(super) async fn check(connection: &mut PgConnection, address: &Address) -> Result<(), Fault> {
    let needs = |why: String| StoreError::Unusable {
        path: address.place(),
        why,
    };
    Err(match find(connection).await? {
        Found::Ours(KNOWN) => return Ok(()),
        Found::Ours(found) if found > KNOWN => StoreError::Newer {
            found,
            known: KNOWN,
        },
        Found::Ours(found) => needs(format!(
            "it has schema {found}, and this program needs {KNOWN}: migrate it as the owner of the tables"
        )),
        Found::Empty => needs("it is empty: migrate it as the role that is to own the tables".to_owned()),
        Found::Foreign => foreign(address),
    }
    .into())
}

/// Makes the tables, or upgrades those of an older version, in one transaction. Another `migrate` waits.
///
/// # Errors
/// `NotOurs` and `Newer`, and nothing is changed; else what the database says.
pub(super) async fn migrate(connection: &mut PgConnection, address: &Address) -> Result<(), Fault> {
    sqlx::raw_sql("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        .execute(&mut *connection)
        .await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(MIGRATING)
        .execute(&mut *connection)
        .await?;
    let from = match find(connection).await? {
        Found::Foreign => return Err(foreign(address).into()),
        Found::Ours(found) if found > KNOWN => {
            return Err(StoreError::Newer {
                found,
                known: KNOWN,
            }
            .into());
        }
        Found::Ours(found) => found,
        Found::Empty => {
            sqlx::raw_sql(
                "CREATE SCHEMA IF NOT EXISTS grundy; \
                 CREATE TABLE grundy.schema_version (one SMALLINT PRIMARY KEY CHECK (one = 1), version BIGINT NOT NULL); \
                 INSERT INTO grundy.schema_version (one, version) VALUES (1, 0)",
            )
            .execute(&mut *connection)
            .await?;
            0
        }
    };
    let from = usize::try_from(from).unwrap_or(0);
    for migration in MIGRATIONS.iter().skip(from) {
        sqlx::raw_sql(*migration).execute(&mut *connection).await?;
    }
    sqlx::query("UPDATE grundy.schema_version SET version = $1")
        .bind(KNOWN)
        .execute(&mut *connection)
        .await?;
    sqlx::raw_sql("COMMIT").execute(connection).await?;
    Ok(())
}
