//! The servers that share the store, and their leases.
//!
//! A lease is a row of `life` for each lane. Every transaction of a server raises the number in its row, which locks the row until the transaction ends. Who ends a
//! lease changes the same rows, and so waits for the transactions that are under way; the next ones find the rows changed.

use grundy_shared::ids::Millis;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::address::Address;
use super::fault::Fault;
use super::lane::Lane;
use super::rows::{read_moment, read_moment_if_any};
use super::tally::Tally;
use super::unfinished;
use crate::clock::BEHIND_MAX;
use crate::store::columns::{corrupt, integer, unsigned};
use crate::store::{Lease, NodeId, NodeRow, StoreError};

/// Lives of a node whose rows are kept.
const LIVES_KEPT: i64 = 100;

/// Tells the session which lease it writes for, so that the statement that begins each transaction needs no parameters.
pub(super) async fn set_lease(
    connection: &mut PgConnection,
    lease: Lease,
    lane: Lane,
) -> Result<(), Fault> {
    sqlx::query(
        "SELECT set_config('grundy.node', $1::text, FALSE), set_config('grundy.epoch', $2::text, FALSE), set_config('grundy.lane', $3::text, FALSE)",
    )
    .bind(lease.node.0.to_string())
    .bind(lease.epoch.to_string())
    .bind(lane.number().to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Begins a transaction, and locks the lease of the session until it ends; the number of the transaction. One round trip.
///
/// # Errors
/// `Fenced`, when the lease is no longer good. The transaction has begun then, too.
pub(super) async fn begin(connection: &mut PgConnection) -> Result<i64, Fault> {
    let row = sqlx::raw_sql(
        "BEGIN; UPDATE life SET mark = mark + 1 WHERE node = current_setting('grundy.node')::bigint \
         AND epoch = current_setting('grundy.epoch')::bigint AND lane = current_setting('grundy.lane')::smallint AND good RETURNING mark",
    )
    .fetch_optional(connection)
    .await?;
    match row {
        Some(row) => Ok(row.try_get("mark")?),
        None => Err(StoreError::Fenced.into()),
    }
}

/// The number of the last transaction of a lease that is committed. Waits for one that is under way on another connection.
pub(super) async fn last_mark(
    connection: &mut PgConnection,
    lease: Lease,
    lane: Lane,
) -> Result<i64, Fault> {
    let mark: Option<i64> = sqlx::query_scalar(
        "SELECT mark FROM life WHERE node = $1 AND epoch = $2 AND lane = $3 FOR UPDATE",
    )
    .bind(i64::from(lease.node.0))
    .bind(integer(lease.epoch))
    .bind(lane.number())
    .fetch_optional(connection)
    .await?;
    Ok(mark.unwrap_or(0))
}

/// The nodes, by their numbers.
pub(super) async fn read_nodes(connection: &mut PgConnection) -> Result<Vec<NodeRow>, Fault> {
    let rows = sqlx::query(
        "SELECT id, epoch, enlisted_at, heartbeat, \
         (SELECT sum(mark)::bigint FROM life WHERE life.node = node.id AND life.epoch = node.epoch) AS sign, \
         NOT EXISTS (SELECT FROM life WHERE life.node = node.id AND life.good) AS gone FROM node ORDER BY id",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(read_node).collect()
}

fn read_node(row: &PgRow) -> Result<NodeRow, Fault> {
    // A heartbeat that is no time is none: the players lose nothing by it, and the next one takes its place.
    let heartbeat = read_moment_if_any(row, "heartbeat").unwrap_or_else(|_| {
        tracing::error!("the last heartbeat cannot be read");
        None
    });
    let id: i64 = row.try_get("id")?;
    Ok(NodeRow {
        id: NodeId(u32::try_from(id).map_err(corrupt)?),
        epoch: unsigned(row.try_get("epoch")?)?,
        enlisted_at: read_moment(row, "enlisted_at")?,
        heartbeat,
        sign: unsigned(row.try_get::<Option<i64>, _>("sign")?.unwrap_or(0))?,
        left: row.try_get("gone")?,
    })
}

/// The time of the machine with the database.
pub(super) async fn read_time(connection: &mut PgConnection) -> Result<Millis, Fault> {
    let now: i64 =
        sqlx::query_scalar("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
            .fetch_one(connection)
            .await?;
    Ok(Millis(unsigned(now)?))
}

/// Whether a lease is good.
pub(super) async fn is_good(connection: &mut PgConnection, lease: Lease) -> Result<bool, Fault> {
    let good = sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM life WHERE node = $1 AND epoch = $2 AND good)",
    )
    .bind(i64::from(lease.node.0))
    .bind(integer(lease.epoch))
    .fetch_one(connection)
    .await?;
    Ok(good)
}

/// Ends the lives of a node that are good. Waits for their transactions that are under way.
async fn end_lives(connection: &mut PgConnection, node: NodeId) -> Result<(), Fault> {
    sqlx::query("UPDATE life SET good = FALSE WHERE node = $1 AND good")
        .bind(i64::from(node.0))
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends the leases of all servers that did not stop by themselves; how many such servers there are. Waits for their transactions that are under way.
pub(super) async fn end_all_lives(connection: &mut PgConnection) -> Result<u64, Fault> {
    let ended: i64 = sqlx::query_scalar(
        "WITH ended AS (UPDATE life SET good = FALSE WHERE good RETURNING node) SELECT count(DISTINCT node) FROM ended",
    )
    .fetch_one(connection)
    .await?;
    Ok(unsigned(ended)?)
}

/// Begins a new life of a node.
///
/// # Errors
/// `Unusable`, `Moved` or `Lost`, if the database is an unfinished copy, its records were moved, or it was found to lack commits since this server was opened.
pub(super) async fn enlist(
    connection: &mut PgConnection,
    address: &Address,
    node: NodeId,
    at: Millis,
) -> Result<Lease, Fault> {
    // Before the row of the node: a heartbeat of the older life locks both in this order.
    end_lives(connection, node).await?;
    let believed = integer(at.0).saturating_add(integer(BEHIND_MAX.0));
    let epoch: i64 = sqlx::query_scalar(
        "INSERT INTO node (id, epoch, enlisted_at, heartbeat) VALUES ($1, 1, $2, NULL) \
         ON CONFLICT (id) DO UPDATE SET epoch = node.epoch + 1, enlisted_at = $2, \
         heartbeat = CASE WHEN node.heartbeat > $3 THEN $2 ELSE node.heartbeat END RETURNING epoch",
    )
    .bind(i64::from(node.0))
    .bind(integer(at.0))
    .bind(believed)
    .fetch_one(&mut *connection)
    .await?;
    // One that began while this waited for the row of the node.
    end_lives(connection, node).await?;
    sqlx::query(
        "INSERT INTO life (node, epoch, lane, good, mark) SELECT $1, $2, lane, TRUE, 0 FROM unnest($3::smallint[]) AS lane",
    )
    .bind(i64::from(node.0))
    .bind(epoch)
    .bind(Lane::ALL.map(Lane::number).to_vec())
    .execute(&mut *connection)
    .await?;
    // Rows of long ago would be looked at with every heartbeat. Nobody asks any more what a life did that ended so many lives before.
    sqlx::query("DELETE FROM life WHERE node = $1 AND epoch < $2 - $3 AND NOT good")
        .bind(i64::from(node.0))
        .bind(epoch)
        .bind(LIVES_KEPT)
        .execute(&mut *connection)
        .await?;
    // Who copies or moves the store notes it under this lock: either this life is seen there, or the note here.
    Tally::lock(connection).await?;
    unfinished::check_on(connection, address, None).await?;
    Ok(Lease {
        node,
        epoch: unsigned(epoch)?,
    })
}

/// Notes that a node is alive. The lease is good until the transaction ends.
pub(super) async fn heartbeat(
    connection: &mut PgConnection,
    lease: Lease,
    at: Millis,
) -> Result<(), Fault> {
    sqlx::query("UPDATE node SET heartbeat = greatest(heartbeat, $2) WHERE id = $1")
        .bind(i64::from(lease.node.0))
        .bind(integer(at.0))
        .execute(connection)
        .await?;
    Ok(())
}

/// Notes for the last time that a node is alive, and ends its lease, which is good until the transaction ends. Nobody has a seat there any more.
pub(super) async fn retire(
    connection: &mut PgConnection,
    lease: Lease,
    at: Millis,
) -> Result<(), Fault> {
    end_lives(connection, lease.node).await?;
    sqlx::query("DELETE FROM seat WHERE node = $1")
        .bind(i64::from(lease.node.0))
        .execute(&mut *connection)
        .await?;
    heartbeat(connection, lease, at).await
}

/// Ends the lease of another node, as it was seen. Waits for its transactions that are under way.
pub(super) async fn end_life(
    connection: &mut PgConnection,
    lease: Lease,
    from: NodeRow,
) -> Result<(), Fault> {
    sqlx::query(
        "UPDATE life SET good = FALSE WHERE node = $1 AND epoch = $2 AND good AND node <> $3",
    )
    .bind(i64::from(from.id.0))
    .bind(integer(from.epoch))
    .bind(i64::from(lease.node.0))
    .execute(connection)
    .await?;
    Ok(())
}

/// Takes over the matches of a node, whose leases are good for nothing then; how many there are. The lease of the other is good until the transaction ends.
///
/// # Errors
/// `Fenced`, when the other node lives again.
pub(super) async fn take_over(
    connection: &mut PgConnection,
    lease: Lease,
    from: NodeRow,
) -> Result<u64, Fault> {
    let other = i64::from(from.id.0);
    // Before the row of the node: a heartbeat of the other life locks both in this order. A node that has retired has none.
    end_life(connection, lease, from).await?;
    let ended =
        sqlx::query("UPDATE node SET epoch = epoch + 1 WHERE id = $1 AND epoch = $2 AND id <> $3")
            .bind(other)
            .bind(integer(from.epoch))
            .bind(i64::from(lease.node.0))
            .execute(&mut *connection)
            .await?;
    if ended.rows_affected() == 0 {
        return Err(StoreError::Fenced.into());
    }
    sqlx::query("DELETE FROM seat WHERE node = $1 AND epoch <= $2")
        .bind(other)
        .bind(integer(from.epoch))
        .execute(&mut *connection)
        .await?;
    Tally::lock(connection).await?;
    let taken = sqlx::query("UPDATE match SET owner = $2 WHERE owner = $1 AND status <> 'over'")
        .bind(other)
        .bind(i64::from(lease.node.0))
        .execute(connection)
        .await?;
    Ok(taken.rows_affected())
}
