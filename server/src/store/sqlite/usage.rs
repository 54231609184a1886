//! What addresses and players have used of their quotas.

use grundy_shared::ids::{Millis, PlayerId};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::fault::Failure;
use super::rows::{integer, unsigned};
use super::writer::Writer;
use crate::store::{AddressDigest, NodeId, StoreError, Usage, UsageOf};

/// What a node noted. A row that cannot be read is left out: somebody has a little more room for a day.
pub(super) async fn read_usage(
    connection: &mut SqliteConnection,
    node: NodeId,
) -> Result<Vec<Usage>, StoreError> {
    let rows = sqlx::query("SELECT kind, id, bytes, matches, guests FROM usage WHERE node = ?1")
        .bind(node.0)
        .fetch_all(connection)
        .await?;
    Ok(rows
        .iter()
        .filter_map(|row| read(row).ok().flatten())
        .collect())
}

fn read(row: &SqliteRow) -> Result<Option<Usage>, StoreError> {
    let moment = |column| Ok::<_, StoreError>(Millis(unsigned(row.try_get(column)?)?));
    let id: &[u8] = row.try_get("id")?;
    let of = match row.try_get::<i64, _>("kind")? {
        0 => id
            .try_into()
            .ok()
            .map(|digest| UsageOf::Address(AddressDigest(u16::from_be_bytes(digest)))),
        1 => PlayerId::from_bytes(id).map(UsageOf::Player),
        _ => None,
    };
    let Some(of) = of else {
        return Ok(None);
    };
    Ok(Some(Usage {
        of,
        bytes: moment("bytes")?,
        matches: moment("matches")?,
        guests: moment("guests")?,
    }))
}

fn key(of: UsageOf) -> (i64, Vec<u8>) {
    match of {
        UsageOf::Address(digest) => (0, digest.0.to_be_bytes().to_vec()),
        UsageOf::Player(player) => (1, player.as_bytes().to_vec()),
    }
}

impl Writer {
    /// Notes what was used, and forgets what ends at or before `at`.
    pub(super) async fn note_usage(
        &mut self,
        node: NodeId,
        at: Millis,
        rows: &[Usage],
    ) -> Result<(), Failure> {
        self.begin().await?;
        for row in rows {
            let (kind, id) = key(row.of);
            sqlx::query(
                "INSERT INTO usage (node, kind, id, bytes, matches, guests) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                 ON CONFLICT (node, kind, id) DO UPDATE SET bytes = excluded.bytes, matches = excluded.matches, guests = excluded.guests",
            )
            .bind(node.0)
            .bind(kind)
            .bind(id)
            .bind(integer(row.bytes.0))
            .bind(integer(row.matches.0))
            .bind(integer(row.guests.0))
            .execute(&mut self.connection)
            .await?;
        }
        sqlx::query("DELETE FROM usage WHERE max(bytes, matches, guests) <= ?1")
            .bind(integer(at.0))
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }
}
