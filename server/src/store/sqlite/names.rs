//! The keys of names that were stored before names had keys, or were written by somebody else.

use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use crate::names::{name_key, numbered};
use crate::store::StoreError;

/// Gives every player without a key one. Of players whose names look the same the oldest keeps the name, and the others get a number
/// behind it (docs/decisions/0013). All or nothing.
pub(super) async fn key_names(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let rows =
        sqlx::query("SELECT id, name FROM player WHERE name_key IS NULL ORDER BY created_at, id")
            .fetch_all(&mut *connection)
            .await?;
    if rows.is_empty() {
        return Ok(());
    }
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut *connection)
        .await?;
    for row in &rows {
        // What cannot be read stays without a key: fsck names it.
        let (Ok(id), Ok(name)) = (
            row.try_get::<&[u8], _>("id"),
            row.try_get::<&str, _>("name"),
        ) else {
            continue;
        };
        let mut kept = name.to_owned();
        for number in 2.. {
            let known: bool =
                sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM player WHERE name_key = ?1)")
                    .bind(name_key(&kept))
                    .fetch_one(&mut *connection)
                    .await?;
            if !known {
                break;
            }
            kept = numbered(name, number);
        }
        if kept != name {
            tracing::warn!(
                from = name,
                to = kept,
                "renamed a player whose name another had before"
            );
        }
        sqlx::query("UPDATE player SET name = ?2, name_key = ?3 WHERE id = ?1")
            .bind(id.to_vec())
            .bind(kept.clone())
            .bind(name_key(&kept))
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}
