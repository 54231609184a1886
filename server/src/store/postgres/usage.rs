//! What addresses and players have used of their quotas.

use grundy_shared::ids::{Millis, PlayerId};
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::batch::Batch;
use super::fault::Fault;
use super::rows::read_moment;
use crate::store::columns::integer;
use crate::store::{AddressDigest, NodeId, Usage, UsageOf};

/// What a node noted. A row that cannot be read is left out: somebody has a little more room for a day.
pub(super) async fn read_usage(
    connection: &mut PgConnection,
    node: NodeId,
) -> Result<Vec<Usage>, Fault> {
    let rows = sqlx::query("SELECT kind, id, bytes, matches, guests FROM usage WHERE node = $1")
        .bind(i64::from(node.0))
        .fetch_all(connection)
        .await?;
    Ok(rows
        .iter()
        .filter_map(|row| read(row).ok().flatten())
        .collect())
}

fn read(row: &PgRow) -> Result<Option<Usage>, Fault> {
    let id: &[u8] = row.try_get("id")?;
    let of = match row.try_get::<i16, _>("kind")? {
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
        bytes: read_moment(row, "bytes")?,
        matches: read_moment(row, "matches")?,
        guests: read_moment(row, "guests")?,
    }))
}

fn key(of: UsageOf) -> (i16, Vec<u8>) {
    match of {
        UsageOf::Address(digest) => (0, digest.0.to_be_bytes().to_vec()),
        UsageOf::Player(player) => (1, player.as_bytes().to_vec()),
    }
}

impl Batch<'_> {
    /// Notes what was used, and forgets what ends at or before `at`.
    pub(super) async fn note_usage(&mut self, at: Millis, rows: &[Usage]) -> Result<(), Fault> {
        // Of two rows for one key the later one stays: a statement may write each only once.
        let mut newest = rustc_hash::FxHashMap::default();
        newest.extend(rows.iter().map(|row| (row.of, row)));
        let (kinds, ids): (Vec<i16>, Vec<Vec<u8>>) = newest.keys().map(|of| key(*of)).unzip();
        let column = |of: fn(&Usage) -> Millis| {
            let values = newest.values().map(|row| integer(of(row).0));
            values.collect::<Vec<_>>()
        };
        sqlx::query(
            "INSERT INTO usage (node, kind, id, bytes, matches, guests) \
             SELECT $1, * FROM unnest($2::smallint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[]) \
             ON CONFLICT (node, kind, id) DO UPDATE SET bytes = excluded.bytes, matches = excluded.matches, guests = excluded.guests",
        )
        .bind(i64::from(self.node.0))
        .bind(kinds)
        .bind(ids)
        .bind(column(|row| row.bytes))
        .bind(column(|row| row.matches))
        .bind(column(|row| row.guests))
        .execute(&mut *self.connection)
        .await?;
        sqlx::query("DELETE FROM usage WHERE greatest(bytes, matches, guests) <= $1")
            .bind(integer(at.0))
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }
}
