//! Which server has the connection from which a player plays. One row for each seat says who took it last.

use grundy_shared::ids::{MatchId, Seat};
use sqlx::postgres::PgPool;

use super::fault::Fault;
use super::spent;
use crate::store::columns::{integer, match_id};
use crate::store::{GROWN_MAX, Lease, Seating};

/// Seats as two columns, in the order of their keys: servers wait for each other and never in a circle.
fn columns(mut seats: Vec<(MatchId, Seat)>) -> (Vec<i64>, Vec<i16>) {
    seats.sort_by_key(|(id, seat)| (id.to_i64(), seat.index()));
    seats
        .into_iter()
        .map(|(id, seat)| (id.to_i64(), i16::from(seat == Seat::Second)))
        .unzip()
}

/// Notes what has changed here, and reads what others have.
pub(super) async fn seats(
    pool: &PgPool,
    lease: Lease,
    seating: Seating,
) -> Result<Vec<(MatchId, Seat)>, Fault> {
    let (node, epoch) = (i64::from(lease.node.0), integer(lease.epoch));
    if !seating.taken.is_empty() {
        let mut taken = seating.taken;
        taken.sort_by_key(|(id, seat, _)| (id.to_i64(), seat.index()));
        let at: Vec<i64> = taken.iter().map(|(.., at)| integer(at.0)).collect();
        let taken = taken.into_iter().map(|(id, seat, _)| (id, seat));
        let (matches, seats) = columns(taken.collect());
        sqlx::query(
            "INSERT INTO seat (match, seat, node, epoch, at) SELECT match, seat, $1, $2, at FROM unnest($3::bigint[], $4::smallint[], $5::bigint[]) AS taken (match, seat, at) \
             WHERE EXISTS (SELECT FROM life WHERE life.node = $1 AND life.epoch = $2 AND good) ORDER BY match, seat \
             ON CONFLICT (match, seat) DO UPDATE SET node = excluded.node, epoch = excluded.epoch, at = excluded.at \
             WHERE excluded.at >= seat.at OR NOT EXISTS (SELECT FROM life WHERE life.node = seat.node AND life.epoch = seat.epoch AND good)",
        )
        .bind(node)
        .bind(epoch)
        .bind(matches)
        .bind(seats)
        .bind(at)
        .execute(pool)
        .await?;
    }
    if !seating.left.is_empty() {
        let (matches, seats) = columns(seating.left);
        sqlx::query(
            "DELETE FROM seat USING unnest($3::bigint[], $4::smallint[]) AS gone (match, seat) \
             WHERE seat.match = gone.match AND seat.seat = gone.seat AND node = $1 AND epoch = $2",
        )
        .bind(node)
        .bind(epoch)
        .bind(matches)
        .bind(seats)
        .execute(pool)
        .await?;
    }
    let asked = seating.asked.iter().take(GROWN_MAX);
    let asked: Vec<i64> = asked.map(|id| id.to_i64()).collect();
    let rows: Vec<(i64, i16)> = sqlx::query_as(
        "SELECT seat.match, seat.seat FROM unnest($2::bigint[]) AS asked (match) JOIN seat ON seat.match = asked.match \
         WHERE seat.node <> $1 AND EXISTS (SELECT FROM life WHERE life.node = seat.node AND life.epoch = seat.epoch AND good) \
         AND EXISTS (SELECT FROM held WHERE held.node = seat.node AND held.at > (extract(epoch FROM clock_timestamp()) * 1000000)::bigint - $3)",
    )
    .bind(node)
    .bind(asked)
    .bind(spent::micros(spent::HELD_FOR))
    .fetch_all(pool)
    .await?;
    let seat = |second| match second {
        0 => Seat::First,
        _ => Seat::Second,
    };
    let seats = rows
        .into_iter()
        .map(|(id, second)| Ok((match_id(id)?, seat(second))));
    seats.collect()
}
