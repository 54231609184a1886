//! The copy that is kept of a database before its schema is upgraded: the way back.

use std::io;
use std::path::Path;

use grundy_shared::ids::Millis;
use sqlx::sqlite::SqliteConnection;

use super::snapshot;
use crate::archive::DATABASE;
use crate::archive::digest;
use crate::archive::manifest::{Manifest, SCHEMA};
use crate::archive::staging::{Staging, remove};
use crate::store::StoreError;

/// The name of the directory beside a database with the copy that has this schema.
#[must_use]
pub fn name(schema: i64) -> String {
    format!("before-upgrade-of-schema-{schema}")
}

/// Keeps a copy of the database beside it, in place of an older one.
///
/// # Errors
/// `Unusable`: there is no room for it, or it cannot be written. The database is not touched.
pub(super) async fn keep(
    connection: &mut SqliteConnection,
    database: &Path,
    schema: i64,
) -> Result<(), StoreError> {
    let above = database.parent().unwrap_or(Path::new("."));
    let name = name(schema);
    let failed = |why: String| StoreError::Unusable {
        path: database.to_owned(),
        why: format!("no copy can be kept before the upgrade from schema {schema}: {why}"),
    };
    let of_file = |error: io::Error| failed(error.to_string());
    let at = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default();
    let staging = Staging::begin(above, &name).map_err(of_file)?;
    let copy = staging.path().join(DATABASE);
    snapshot::copy_at_once(connection, database, &copy)
        .await
        .map_err(|error| failed(error.to_string()))?;
    let sum = digest::of(&copy).map_err(of_file)?;
    let manifest = Manifest {
        schema: SCHEMA.to_owned(),
        made_at: Millis(u64::try_from(at.as_millis()).unwrap_or(u64::MAX)),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        database_schema: schema,
        bytes: sum.bytes,
        sha256: sum.sha256,
        logs: None,
    };
    manifest.write(staging.path()).map_err(of_file)?;
    // The one of an upgrade that was not finished, or of a database that was restored since.
    if above.join(&name).exists() {
        remove(&above.join(&name)).map_err(of_file)?;
    }
    let kept = staging.publish(&name).map_err(of_file)?;
    tracing::info!(copy = %kept.display(), schema, "kept a copy before the upgrade");
    Ok(())
}
