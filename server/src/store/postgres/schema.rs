//! The tables: made and upgraded by `migrate` with a role that owns them, and checked by every connection that serves.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use tokio::time::{Instant, sleep};

use super::address::{Address, SCHEMA};
use super::fault::Fault;
use super::rights;
use crate::planted;
use crate::store::StoreError;

/// The migrations in their order: append-only.
const MIGRATIONS: [&str; 5] = [
    include_str!("../../../../migrations/postgres/0001_streams.sql"),
    include_str!("../../../../migrations/postgres/0002_words.sql"),
    include_str!("../../../../migrations/postgres/0003_duties_and_copies.sql"),
    include_str!("../../../../migrations/postgres/0004_limits_and_seats.sql"),
    include_str!("../../../../migrations/postgres/0005_known_addresses.sql"),
];

/// Programs that know this schema, or one after it, can use the newest one: so servers of two versions run side by side while they are replaced one by one. A migration
/// that takes away or changes what older programs use raises it.
const SERVES: i64 = 4;

/// What tests take for the migration of the next version. It only adds something.
const NEXT: &str = "ALTER TABLE grundy.node ADD COLUMN version TEXT";

/// The schema that this program reads and writes.
fn known() -> i64 {
    MIGRATIONS.len() as i64 + i64::from(planted::is("next_schema"))
}

fn migrations() -> impl Iterator<Item = &'static str> {
    let next = planted::is("next_schema").then_some(NEXT);
    MIGRATIONS.into_iter().chain(next)
}

/// How long a change waits for a table that others use; they wait behind it meanwhile.
const LOCKED_MOST: &str = "SET LOCAL lock_timeout = '1s'";
/// Before it is tried again. Others go on meanwhile.
const PAUSE: Duration = Duration::from_secs(3);
/// How long it is tried.
const TRIES_FOR: Duration = Duration::from_mins(10);

/// Lets one `migrate` run at a time. Any constant that no other program takes.
const MIGRATING: i64 = 0x474E_4459;

/// What a database holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// Nothing.
    Empty,
    /// Tables of another program.
    Foreign,
    /// Ours.
    Ours {
        /// Its version.
        schema: i64,
        /// Programs that know this version can use it.
        serves: i64,
    },
}

async fn find(connection: &mut PgConnection) -> Result<Found, Fault> {
    // Another program may have a schema of this name, too.
    let (ours, foreign): (bool, bool) = sqlx::query_as(
        "SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('grundy.schema_version') AND attname = 'one'), \
         EXISTS (SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
         WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\\_%' \
         AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'))",
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
    // The first servers did not write down what it serves.
    let ours: Option<(i64, i64)> = sqlx::query_as(
        "SELECT version, coalesce((to_jsonb(of_schema) ->> 'serves')::bigint, version) FROM grundy.schema_version AS of_schema",
    )
    .fetch_optional(connection)
    .await?;
    Ok(ours.map_or(Found::Foreign, |(schema, serves)| Found::Ours {
        schema,
        serves,
    }))
}

fn foreign(address: &Address) -> StoreError {
    StoreError::NotOurs {
        path: address.place(),
        why: format!(
            "it has tables of another program, and none of Grundy in the schema {SCHEMA}; make a database of its own for Grundy (createdb)"
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
    let known = known();
    Err(match find(connection).await? {
        Found::Ours { schema, serves } if (serves..=schema).contains(&known) => return Ok(()),
        Found::Ours { schema, .. } if schema > known => StoreError::Newer {
            found: schema,
            known,
        },
        Found::Ours { schema, .. } => needs(format!(
            "it has schema {schema}, and this program needs {known}: migrate it as the owner of the tables"
        )),
        Found::Empty => needs("it is empty: migrate it as the role that is to own the tables".to_owned()),
        Found::Foreign => foreign(address),
    }
    .into())
}

/// Whether the tables are exactly those of this version: one after it can have what this program does not know, and would not copy.
///
/// # Errors
/// `Newer`; or as [`check`].
pub(super) async fn check_same(
    connection: &mut PgConnection,
    address: &Address,
) -> Result<(), Fault> {
    let known = known();
    match find(connection).await? {
        Found::Ours { schema, .. } if schema > known => Err(StoreError::Newer {
            found: schema,
            known,
        }
        .into()),
        _ => check(connection, address).await,
    }
}

/// Makes the tables, or upgrades those of an older version, in one transaction, with the rights of the roles that servers connect with: these are returned. Another
/// `migrate` waits. Where somebody else uses a table that is to change, as a dump does for as long as it takes, everybody who comes later would wait behind this: so it gives
/// up after a moment, tells for whom it waits, and tries again for some minutes.
///
/// # Errors
/// `NotOurs` and `Newer`, and nothing is changed; else what the database says.
pub(super) async fn migrate(
    connection: &mut PgConnection,
    address: &Address,
    grant: Option<&str>,
    tell: &mut (dyn FnMut(String) + Send),
) -> Result<Vec<String>, Fault> {
    let until = Instant::now() + TRIES_FOR;
    loop {
        match try_to_migrate(connection, address, grant).await {
            Err(fault) if fault.is_lock_timeout() && Instant::now() < until => {
                sqlx::raw_sql("ROLLBACK").execute(&mut *connection).await?;
                // Whatever cannot be said of them, they are waited for.
                let users = users(connection).await.unwrap_or_default();
                tell(format!(
                    "somebody else uses the tables, as a dump does ({}); trying again in {} s",
                    users.join("; "),
                    PAUSE.as_secs()
                ));
                sleep(PAUSE).await;
            }
            tried => return tried,
        }
    }
}

/// Who has used tables of ours for a second or longer, as an operator can find them: the database shows more of each to who may see it.
async fn users(connection: &mut PgConnection) -> Result<Vec<String>, Fault> {
    let users = sqlx::query_scalar(
        "SELECT format('process %s of %s', pid, usename) || CASE WHEN state IS NULL THEN '' ELSE format(' (%s), %s for %s s', application_name, state, \
         extract(epoch FROM clock_timestamp() - xact_start)::bigint) END \
         FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND coalesce(xact_start < clock_timestamp() - interval '1 second', application_name IS DISTINCT FROM 'grundy-server') \
         AND pid IN (SELECT pid FROM pg_locks WHERE granted AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
         AND relation IN (SELECT oid FROM pg_class WHERE relnamespace = to_regnamespace('grundy'))) \
         ORDER BY xact_start LIMIT 5",
    );
    Ok(users.fetch_all(connection).await?)
}

async fn try_to_migrate(
    connection: &mut PgConnection,
    address: &Address,
    grant: Option<&str>,
) -> Result<Vec<String>, Fault> {
    sqlx::raw_sql("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        .execute(&mut *connection)
        .await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(MIGRATING)
        .execute(&mut *connection)
        .await?;
    sqlx::raw_sql(LOCKED_MOST).execute(&mut *connection).await?;
    let known = known();
    let from = match find(connection).await? {
        Found::Foreign => return Err(foreign(address).into()),
        Found::Ours { schema, .. } if schema > known => {
            return Err(StoreError::Newer {
                found: schema,
                known,
            }
            .into());
        }
        Found::Ours { schema, .. } => schema,
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
    for migration in migrations().skip(from) {
        sqlx::raw_sql(migration).execute(&mut *connection).await?;
    }
    sqlx::raw_sql("ALTER TABLE grundy.schema_version ADD COLUMN IF NOT EXISTS serves BIGINT")
        .execute(&mut *connection)
        .await?;
    sqlx::query("UPDATE grundy.schema_version SET version = $1, serves = $2")
        .bind(known)
        .bind(SERVES)
        .execute(&mut *connection)
        .await?;
    if let Some(role) = grant {
        rights::grant(connection, address, role).await?;
    }
    let roles = rights::renew(connection).await?;
    sqlx::raw_sql("COMMIT").execute(connection).await?;
    Ok(roles)
}
