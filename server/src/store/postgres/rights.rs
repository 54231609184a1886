//! The rights of the role with which servers connect. migrations/postgres/grants.sql has the same for administrators who grant them by hand.

use sqlx::postgres::PgConnection;

use super::address::{Address, SCHEMA};
use super::fault::Fault;
use crate::store::StoreError;

/// What the role of this connection lacks, by tables; `USAGE` first.
const LACKING: &str = "SELECT 'USAGE on the schema' AS lacking, '' AS name FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE') \
     UNION ALL SELECT string_agg(wanted, ', ' ORDER BY place) || ' on ' || relname, relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace, \
     unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) WITH ORDINALITY AS wants (wanted, place) \
     WHERE nspname = $1 AND relkind = 'r' AND (wanted = 'SELECT' OR relname <> 'schema_version') AND NOT has_table_privilege(pg_class.oid, wanted) \
     GROUP BY relname ORDER BY name";

/// Whether the role may do all that a server does. What it lacks is named at once, not when it is needed.
///
/// # Errors
/// `Unusable`, with every right that is missing and the command that grants it.
pub(super) async fn check(connection: &mut PgConnection, address: &Address) -> Result<(), Fault> {
    let lacking: Vec<(String, String)> = sqlx::query_as(LACKING)
        .bind(SCHEMA)
        .fetch_all(connection)
        .await?;
    if lacking.is_empty() {
        return Ok(());
    }
    let lacking: Vec<String> = lacking.into_iter().map(|(right, _)| right).collect();
    let role = address.role();
    Err(StoreError::Unusable {
        path: address.place(),
        why: format!(
            "the role {role} lacks rights: {}; grant them as the owner of the tables: grundy-server migrate --database postgres://OWNER@HOST/DATABASE --grant {role}",
            lacking.join("; ")
        ),
    }
    .into())
}

/// Gives the roles that had the rights of servers before those on tables that are new. Their names, as SQL writes them.
pub(super) async fn renew(connection: &mut PgConnection) -> Result<Vec<String>, Fault> {
    // Whoever may change the leases is a server.
    let roles: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT grantee::regrole::text FROM pg_class, aclexplode(relacl) \
         WHERE pg_class.oid = 'grundy.life'::regclass AND privilege_type = 'UPDATE' AND grantee <> relowner AND grantee <> 0 ORDER BY 1",
    )
    .fetch_all(&mut *connection)
    .await?;
    for role in &roles {
        give(connection, role).await?;
    }
    Ok(roles)
}

/// Gives a role the rights of servers.
///
/// # Errors
/// `Unusable`, if there is no such role.
pub(super) async fn grant(
    connection: &mut PgConnection,
    address: &Address,
    role: &str,
) -> Result<(), Fault> {
    let known: Option<String> =
        sqlx::query_scalar("SELECT quote_ident(rolname) FROM pg_roles WHERE rolname = $1")
            .bind(role)
            .fetch_optional(&mut *connection)
            .await?;
    let Some(role) = known else {
        return Err(StoreError::Unusable {
            path: address.place(),
            why: format!("it has no role {role}; make it first: createuser --pwprompt {role}"),
        }
        .into());
    };
    give(connection, &role).await
}

/// The same for a name that the database has written as an identifier.
async fn give(connection: &mut PgConnection, role: &str) -> Result<(), Fault> {
    let grants = format!(
        "GRANT USAGE ON SCHEMA {SCHEMA} TO {role}; \
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {role}; \
         REVOKE INSERT, UPDATE, DELETE ON {SCHEMA}.schema_version FROM {role}"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(grants))
        .execute(connection)
        .await?;
    Ok(())
}
