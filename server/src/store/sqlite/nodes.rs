//! The servers that share the store.

use grundy_shared::ids::Millis;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::rows::unsigned;
use crate::store::{NodeId, NodeRow, StoreError};

/// The nodes. A heartbeat that is no time is none: the players lose nothing by it, and the next one takes its place.
pub(super) async fn read_nodes(
    connection: &mut SqliteConnection,
) -> Result<Vec<NodeRow>, StoreError> {
    let rows = sqlx::query("SELECT id, epoch, enlisted_at, heartbeat FROM node ORDER BY id")
        .fetch_all(connection)
        .await?;
    let read = |row: &SqliteRow| {
        let heartbeat = row.try_get::<Option<i64>, _>("heartbeat");
        let heartbeat = heartbeat.map_err(StoreError::from);
        let heartbeat = heartbeat.and_then(|at| at.map(unsigned).transpose());
        let heartbeat = heartbeat.unwrap_or_else(|error| {
            tracing::error!(%error, "the last heartbeat cannot be read");
            None
        });
        Ok(NodeRow {
            id: NodeId(row.try_get("id")?),
            epoch: unsigned(row.try_get("epoch")?)?,
            enlisted_at: Millis(unsigned(row.try_get("enlisted_at")?)?),
            heartbeat: heartbeat.map(Millis),
            sign: 0,
            left: false,
        })
    };
    rows.iter().map(read).collect()
}
