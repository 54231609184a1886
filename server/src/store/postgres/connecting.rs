//! Connecting to a server that keeps the promises of the store.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::timeout;

use super::address::Address;
use super::fault::Fault;
use super::{rights, schema, soundness};
use crate::store::StoreError;

/// The longest that a connection may take, with its checks.
const LONGEST: Duration = Duration::from_secs(5);

/// Connects, and checks server and tables.
///
/// # Errors
/// As the checks say; or the server cannot be reached.
pub(super) async fn connect(address: &Address) -> Result<PgConnection, Fault> {
    let connecting = async {
        let mut connection = address.options().connect().await?;
        soundness::check(&mut connection, address).await?;
        schema::check(&mut connection, address).await?;
        Ok(connection)
    };
    timeout(LONGEST, connecting)
        .await
        .unwrap_or_else(|_| Err(Fault::late()))
}

/// The same for who writes, with the rights of the role checked before it needs them.
///
/// # Errors
/// As [`connect`]; or rights are missing.
pub(super) async fn connect_with_rights(address: &Address) -> Result<PgConnection, Fault> {
    let connecting = async {
        let mut connection = address.options().connect().await?;
        // Before the tables, which cannot be looked at without rights.
        rights::check(&mut connection, address).await?;
        let _ = connection.close().await;
        connect(address).await
    };
    timeout(LONGEST, connecting)
        .await
        .unwrap_or_else(|_| Err(Fault::late()))
}

/// Lets statements take as long as they need.
pub(super) const PATIENT: &str =
    "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0";

/// The same with statements that may take as long as they need: for tools.
///
/// # Errors
/// As [`connect`].
pub(super) async fn connect_patiently(address: &Address) -> Result<PgConnection, Fault> {
    let mut connection = connect(address).await?;
    sqlx::raw_sql(PATIENT).execute(&mut connection).await?;
    Ok(connection)
}

/// The same for tools that only read: a standby will do as well.
///
/// # Errors
/// As [`schema::check`] says; or the server cannot be reached.
pub(super) async fn connect_to_read(address: &Address) -> Result<PgConnection, Fault> {
    let connecting = async {
        let mut connection = address.options().connect().await?;
        schema::check(&mut connection, address).await?;
        sqlx::raw_sql(PATIENT).execute(&mut connection).await?;
        Ok(connection)
    };
    timeout(LONGEST, connecting)
        .await
        .unwrap_or_else(|_| Err(Fault::late()))
}

/// Makes or upgrades the tables; the roles that have the rights of servers.
///
/// # Errors
/// As [`schema::migrate`] says; or the server cannot be reached.
pub(super) async fn migrate(
    address: &Address,
    grant: Option<&str>,
    tell: &mut (dyn FnMut(String) + Send),
) -> Result<Vec<String>, Fault> {
    let mut connection = address.options().connect().await?;
    soundness::check_primary(&mut connection, address).await?;
    let roles = schema::migrate(&mut connection, address, grant, tell).await?;
    // What it has done is committed.
    let _ = connection.close().await;
    Ok(roles)
}

/// Why a start is not possible, and what to do about it. The address is shown without its password.
pub(super) fn unusable(address: &Address, fault: Fault) -> StoreError {
    let remedy = match &fault {
        Fault::Database(error) => match error.as_database_error().and_then(|error| error.code()) {
            Some(code) if code == "28P01" || code == "28000" => "check user and password",
            Some(code) if code == "3D000" => "make the database (createdb)",
            Some(code) if code == "42501" => {
                "grant the role its rights (grundy-server migrate --grant ROLE, as the owner)"
            }
            Some(code) if code == "53300" => "raise max_connections, or start fewer servers",
            Some(_) => "look at the log of PostgreSQL",
            None => "check address, encryption (sslmode, sslrootcert), and whether PostgreSQL runs",
        },
        Fault::Store(_) => return fault.into_error(),
    };
    let why = match fault.into_error() {
        StoreError::Busy { why } | StoreError::ReadOnly { why } | StoreError::Failed { why } => why,
        other => return other,
    };
    StoreError::Unusable {
        path: address.place(),
        why: format!("{why}; {remedy}"),
    }
}
