//! Which server has the connection from which a player plays. One row for each seat says who took it last.

use grundy_shared::ids::{MatchId, Millis, Seat};
use sqlx::postgres::PgConnection;

use super::fault::Fault;
use super::spent::{HELD_FOR, micros};
use crate::store::columns::{corrupt, integer, match_id, unsigned};
use crate::store::{GROWN_MAX, Lease, LostSeat, NodeId, Seating, Seats};

/// Seats as two columns, in the order of their keys: servers wait for each other and never in a circle.
fn columns(mut seats: Vec<(MatchId, Seat)>) -> (Vec<i64>, Vec<i16>) {
    seats.sort_by_key(|(id, seat)| (id.to_i64(), seat.index()));
    seats
        .into_iter()
        .map(|(id, seat)| (id.to_i64(), number_of(seat)))
        .unzip()
}

/// Notes what has changed here, and reads what others have.
pub(super) async fn seats(
    connection: &mut PgConnection,
    lease: Lease,
    seating: Seating,
) -> Result<Seats, Fault> {
    let Seating { taken, left, asked } = seating;
    let came = match taken.is_empty() {
        true => Vec::new(),
        false => take(connection, lease, taken).await?,
    };
    if !left.is_empty() {
        leave(connection, lease, left).await?;
    }
    let elsewhere = elsewhere(connection, lease, &asked).await?;
    Ok(Seats { elsewhere, came })
}

/// Takes seats; which of them another server had.
async fn take(
    connection: &mut PgConnection,
    lease: Lease,
    mut taken: Vec<(MatchId, Seat, Millis)>,
) -> Result<Vec<(MatchId, Seat, Lease)>, Fault> {
    taken.sort_by_key(|(id, seat, _)| (id.to_i64(), seat.index()));
    let at: Vec<i64> = taken.iter().map(|(.., at)| integer(at.0)).collect();
    let taken = taken.into_iter().map(|(id, seat, _)| (id, seat));
    let (matches, seats) = columns(taken.collect());
    // All parts of the statement see the rows as they were before it.
    let rows: Vec<(i64, i16, i64, i64)> = sqlx::query_as(
        "WITH taken AS (SELECT match, seat, at FROM unnest($3::bigint[], $4::smallint[], $5::bigint[]) AS taken (match, seat, at) \
         WHERE EXISTS (SELECT FROM life WHERE life.node = $1 AND life.epoch = $2 AND good)), \
         noted AS (INSERT INTO seat (match, seat, node, epoch, at) SELECT match, seat, $1, $2, at FROM taken ORDER BY match, seat \
         ON CONFLICT (match, seat) DO UPDATE SET node = excluded.node, epoch = excluded.epoch, at = excluded.at \
         WHERE excluded.at >= seat.at OR NOT EXISTS (SELECT FROM life WHERE life.node = seat.node AND life.epoch = seat.epoch AND good)) \
         SELECT seat.match, seat.seat, seat.node, seat.epoch FROM taken JOIN seat USING (match, seat) WHERE seat.node <> $1 AND taken.at >= seat.at",
    )
    .bind(i64::from(lease.node.0))
    .bind(integer(lease.epoch))
    .bind(matches)
    .bind(seats)
    .bind(at)
    .fetch_all(connection)
    .await?;
    let came = rows.into_iter().map(|(id, seat, node, epoch)| {
        let from = Lease {
            node: NodeId(u32::try_from(node).map_err(corrupt)?),
            epoch: unsigned(epoch)?,
        };
        Ok((match_id(id)?, seat_of(seat), from))
    });
    came.collect()
}

/// Leaves those of these seats that this life still has.
async fn leave(
    connection: &mut PgConnection,
    lease: Lease,
    left: Vec<(MatchId, Seat)>,
) -> Result<(), Fault> {
    let (matches, seats) = columns(left);
    sqlx::query(
        "DELETE FROM seat USING unnest($3::bigint[], $4::smallint[]) AS gone (match, seat) \
         WHERE seat.match = gone.match AND seat.seat = gone.seat AND node = $1 AND epoch = $2",
    )
    .bind(i64::from(lease.node.0))
    .bind(integer(lease.epoch))
    .bind(matches)
    .bind(seats)
    .execute(connection)
    .await?;
    Ok(())
}

/// The seats of these matches that another server has: one whose last report of what it holds is not old. Reports have the time of the database, by which they are judged here; a heartbeat
/// has that of a server, and can be of long ago where its players are owed time.
async fn elsewhere(
    connection: &mut PgConnection,
    lease: Lease,
    asked: &[MatchId],
) -> Result<Vec<(MatchId, Seat)>, Fault> {
    let asked = asked.iter().take(GROWN_MAX);
    let asked: Vec<i64> = asked.map(|id| id.to_i64()).collect();
    let rows: Vec<(i64, i16)> = sqlx::query_as(
        "SELECT seat.match, seat.seat FROM unnest($2::bigint[]) AS asked (match) JOIN seat ON seat.match = asked.match \
         WHERE seat.node <> $1 AND EXISTS (SELECT FROM life WHERE life.node = seat.node AND life.epoch = seat.epoch AND good) \
         AND EXISTS (SELECT FROM held WHERE held.node = seat.node AND held.at > (extract(epoch FROM clock_timestamp()) * 1000000)::bigint - $3)",
    )
    .bind(i64::from(lease.node.0))
    .bind(asked)
    .bind(micros(HELD_FOR))
    .fetch_all(connection)
    .await?;
    places(rows)
}

/// The next seats of this life of a node and of its earlier ones, and whether their opponents have been connected elsewhere since this moment.
pub(super) async fn seats_of(
    connection: &mut PgConnection,
    node: NodeId,
    until: u64,
    since: Millis,
    after: Option<(MatchId, Seat)>,
) -> Result<Vec<LostSeat>, Fault> {
    let (id, seat) = after.map_or((i64::MIN, -1), |(id, seat)| (id.to_i64(), number_of(seat)));
    let rows: Vec<(i64, i16, bool)> = sqlx::query_as(
        "SELECT match, seat, EXISTS (SELECT FROM seat AS other WHERE other.match = seat.match AND other.seat <> seat.seat AND other.at <= $6 \
         AND EXISTS (SELECT FROM life WHERE life.node = other.node AND life.epoch = other.epoch AND good)) \
         FROM seat WHERE node = $1 AND epoch <= $2 AND (match, seat) > ($3, $4) ORDER BY match, seat LIMIT $5",
    )
    .bind(i64::from(node.0))
    .bind(integer(until))
    .bind(id)
    .bind(seat)
    .bind(GROWN_MAX as i64)
    .bind(integer(since.0))
    .fetch_all(connection)
    .await?;
    let lost = rows.into_iter().map(|(id, seat, opponent_stays)| {
        Ok(LostSeat {
            id: match_id(id)?,
            seat: seat_of(seat),
            opponent_stays,
        })
    });
    lost.collect()
}

/// Forgets what earlier lives of this node had taken.
pub(super) async fn forget_seats(connection: &mut PgConnection, lease: Lease) -> Result<(), Fault> {
    sqlx::query("DELETE FROM seat WHERE node = $1 AND epoch < $2")
        .bind(i64::from(lease.node.0))
        .bind(integer(lease.epoch))
        .execute(connection)
        .await?;
    Ok(())
}

fn number_of(seat: Seat) -> i16 {
    i16::from(seat == Seat::Second)
}

fn seat_of(number: i16) -> Seat {
    match number {
        0 => Seat::First,
        _ => Seat::Second,
    }
}

fn places(rows: Vec<(i64, i16)>) -> Result<Vec<(MatchId, Seat)>, Fault> {
    let places = rows
        .into_iter()
        .map(|(id, seat)| Ok((match_id(id)?, seat_of(seat))));
    places.collect()
}
