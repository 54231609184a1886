//! Which logs have grown: one statement for all that a server follows.

use grundy_shared::ids::Seq;
use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::fault::Fault;
use crate::store::columns::{corrupt, integer, key_of, unsigned};
use crate::store::{GROWN_MAX, StreamId};

/// Those that have events after the number that goes with each.
pub(super) async fn grown(
    connection: &mut PgConnection,
    known: &[(StreamId, Seq)],
) -> Result<Vec<(StreamId, Seq)>, Fault> {
    let known = &known[..known.len().min(GROWN_MAX)];
    let (kinds, ids): (Vec<i16>, Vec<Vec<u8>>) = known
        .iter()
        .map(|(stream, _)| {
            let (kind, id) = key_of(*stream);
            (i16::try_from(kind).unwrap_or(i16::MAX), id)
        })
        .unzip();
    let after: Vec<i64> = known.iter().map(|(_, seq)| integer(seq.0)).collect();
    let rows = sqlx::query(
        "SELECT known.place, stream.last FROM unnest($1::smallint[], $2::bytea[], $3::bigint[]) WITH ORDINALITY AS known (kind, id, after, place) \
         JOIN stream ON stream.kind = known.kind AND stream.id = known.id WHERE stream.last > known.after",
    )
    .bind(kinds)
    .bind(ids)
    .bind(after)
    .fetch_all(connection)
    .await?;
    let mut grown = Vec::with_capacity(rows.len());
    for row in rows {
        let place = unsigned(row.try_get("place")?)?;
        let place = usize::try_from(place)
            .ok()
            .and_then(|place| known.get(place.checked_sub(1)?));
        let (stream, _) = place.ok_or_else(|| corrupt("a log that was not asked for"))?;
        grown.push((*stream, Seq(unsigned(row.try_get("last")?)?)));
    }
    Ok(grown)
}
