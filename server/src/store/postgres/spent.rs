//! What is used of limits that hold over all servers. The clock of the database counts, so the clocks of servers need not agree.

use std::time::Duration;

use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::fault::Fault;
use crate::store::columns::integer;
use crate::store::{LEVELS_MAX, NodeId, SETTLED_AT_ONCE, Spender};

/// What a server held counts for so long after its last report.
pub(super) const HELD_FOR: Duration = Duration::from_secs(5);
/// Rows that are paid off are removed so late after their last change: nobody asks for them any more. Each server looks for them in one second of a minute, since it looks at all that changed before.
const KEPT_FOR: Duration = Duration::from_secs(60);

pub(super) fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

/// Adds what this server has used, and reads what all have. If it fails, nothing was added, unless only the answer was lost: then a use that is reported again is counted twice.
///
/// Adds in the order of the keys, so that servers wait for each other and never in a circle. The other parts of a statement see the rows as they were before it, so what was added comes
/// from the addition itself, and the rest from the table.
pub(super) async fn add(
    connection: &mut PgConnection,
    spent: &[(Spender, i64)],
    within: Option<Duration>,
) -> Result<Vec<(Spender, i64)>, Fault> {
    let spent = spent.iter().take(SETTLED_AT_ONCE);
    let kinds: Vec<i16> = spent.clone().map(|(of, _)| of.kind).collect();
    let whose: Vec<i64> = spent.clone().map(|(of, _)| of.who).collect();
    let times: Vec<i64> = spent.map(|(_, time)| *time).collect();
    let rows = sqlx::query(
        "WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now), \
         added AS (INSERT INTO spent (kind, who, paid_at, changed) \
         SELECT kind, who, now + time, now FROM clock, unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS used (kind, who, time) ORDER BY kind, who \
         ON CONFLICT (kind, who) DO UPDATE SET paid_at = greatest(spent.paid_at, excluded.changed) + (excluded.paid_at - excluded.changed), changed = excluded.changed \
         RETURNING kind, who, paid_at, changed), \
         others AS (SELECT kind, who, paid_at, changed FROM spent, clock \
         WHERE changed >= CASE WHEN $4::bigint IS NULL THEN 0 ELSE (extract(epoch FROM statement_timestamp()) * 1000000)::bigint - $4 END AND paid_at > now \
         AND NOT EXISTS (SELECT FROM added WHERE added.kind = spent.kind AND added.who = spent.who) ORDER BY changed DESC LIMIT $5) \
         SELECT kind, who, paid_at - now AS left FROM clock, (SELECT * FROM added UNION ALL SELECT * FROM others) AS known \
         WHERE paid_at > now ORDER BY changed DESC LIMIT $5",
    )
    .bind(kinds)
    .bind(whose)
    .bind(times)
    .bind(within.map(micros))
    .bind(integer(LEVELS_MAX as u64))
    .fetch_all(connection)
    .await?;
    let mut levels = Vec::with_capacity(rows.len());
    for row in rows {
        let of = Spender {
            kind: row.try_get("kind")?,
            who: row.try_get("who")?,
        };
        levels.push((of, row.try_get("left")?));
    }
    Ok(levels)
}

/// Says what this server holds, and reads what the others do. It may be said again.
pub(super) async fn hold(
    connection: &mut PgConnection,
    node: NodeId,
    held: &[(i64, u32)],
) -> Result<Vec<(i64, u32)>, Fault> {
    let (whose, counts): (Vec<i64>, Vec<i64>) = held
        .iter()
        .take(SETTLED_AT_ONCE)
        .map(|(who, count)| (*who, i64::from(*count)))
        .unzip();
    let rows: Vec<(Vec<i64>, Vec<i64>)> = sqlx::query_as(
        "WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now), \
         said AS (INSERT INTO held (node, at, who, count) SELECT $1, now, $2, $3 FROM clock \
         ON CONFLICT (node) DO UPDATE SET at = excluded.at, who = excluded.who, count = excluded.count), \
         paid AS (DELETE FROM spent USING clock WHERE now / 1000000 % 60 = $1 % 60 AND changed < now - $5 AND paid_at <= now) \
         SELECT who, count FROM held, clock WHERE node <> $1 AND at > now - $4",
    )
    .bind(i64::from(node.0))
    .bind(whose)
    .bind(counts)
    .bind(micros(HELD_FOR))
    .bind(micros(KEPT_FOR))
    .fetch_all(connection)
    .await?;
    let pairs = rows
        .into_iter()
        .flat_map(|(whose, counts)| whose.into_iter().zip(counts));
    Ok(pairs
        .map(|(who, count)| (who, u32::try_from(count).unwrap_or(0)))
        .collect())
}
