//! Removing what nobody needs any more: the only place that deletes a match or a player.

use grundy_shared::ids::{MatchId, PlayerId};
use grundy_shared::protocol::chat::Room;
use rustc_hash::FxHashSet;
use sqlx::postgres::PgConnection;

use super::batch::Batch;
use super::fault::Fault;
use super::rows::player_id;
use super::stage::Stage;
use super::tally::Tally;
use crate::store::columns::{integer, match_id};
use crate::store::{NodeId, REMOVED_AT_ONCE, Removal, StreamId, Unneeded};

/// A match that ended before $1 without a move. There is an index of these by the moments of their ends.
macro_rules! came_to_nothing {
    () => {
        "outcome = 'void' AND plies = 0 AND series IS NULL AND rematch_of IS NULL AND ended_at < $1"
    };
}

/// One of these that may be removed. Its first event says whether it is of a tournament: a quote inside of a text is escaped, so the field is
/// not found in a name.
macro_rules! is_void {
    () => {
        "status = 'over' AND ended_order < (SELECT max(ended_order) FROM match WHERE ended_order IS NOT NULL) \
         AND number < (SELECT streams FROM tally) \
         AND NOT EXISTS (SELECT 1 FROM match AS later WHERE later.rematch_of = match.id) \
         AND EXISTS (SELECT 1 FROM event WHERE stream = match.number AND seq = 1 AND position('\"tournament\":'::bytea IN body) = 0)"
    };
}

/// A guest who came before $1 and may be removed.
macro_rules! is_unused {
    () => {
        "NOT kept AND password IS NULL AND created_at < $1 \
         AND NOT EXISTS (SELECT 1 FROM match WHERE first_id = player.id) \
         AND NOT EXISTS (SELECT 1 FROM match WHERE second_id = player.id)"
    };
}

/// Removed guests that are remembered. No commit waits as long as it takes to remove so many.
const REMEMBERED: i64 = 1_000;

/// Matches without a move that are looked at. Those of tournaments stay for good, so there may be any number of them.
const LOOKED_AT: i64 = 1_000;

/// What may be removed, drawn at random: what is kept for another reason, because somebody follows it or is connected, holds up nothing else. Looks at the newest
/// matches, and at those before a random one. (If these were looked up again by their numbers, PostgreSQL could prefer to read the whole index of such matches.)
pub(super) async fn removable(
    connection: &mut PgConnection,
    unneeded: Unneeded,
) -> Result<Removal, Fault> {
    let ids: Vec<i64> = sqlx::query_scalar(concat!(
        "WITH drawn AS (SELECT ended_at FROM match WHERE ended_order >= \
         (SELECT floor(1 + random() * max(ended_order))::bigint FROM match WHERE ended_order IS NOT NULL) ORDER BY ended_order LIMIT 1), \
         looked_at AS MATERIALIZED ((SELECT id, number, status, ended_order FROM match WHERE ",
        came_to_nothing!(),
        " ORDER BY ended_at DESC LIMIT $3) UNION (SELECT id, number, status, ended_order FROM match WHERE ",
        came_to_nothing!(),
        " AND ended_at <= (SELECT ended_at FROM drawn) ORDER BY ended_at DESC LIMIT $3)) \
         SELECT id FROM looked_at AS match WHERE ",
        is_void!(),
        " ORDER BY random() LIMIT $2"
    ))
    .bind(integer(unneeded.matches_before.0))
    .bind(integer(REMOVED_AT_ONCE as u64))
    .bind(LOOKED_AT)
    .fetch_all(&mut *connection)
    .await?;
    let players: Vec<Vec<u8>> = sqlx::query_scalar(concat!(
        "SELECT id FROM player WHERE ",
        is_unused!(),
        " ORDER BY random() LIMIT $2"
    ))
    .bind(integer(unneeded.guests_before.0))
    .bind(integer(REMOVED_AT_ONCE as u64))
    .fetch_all(connection)
    .await?;
    Ok(Removal {
        matches: ids.into_iter().filter_map(|id| match_id(id).ok()).collect(),
        guests: players.iter().filter_map(|id| player_id(id).ok()).collect(),
    })
}

/// Removes those of these that may still be removed; what was removed. The transaction has begun, and the lease is good until it ends.
pub(super) async fn remove(
    connection: &mut PgConnection,
    wanted: &Removal,
    unneeded: Unneeded,
) -> Result<Removal, Fault> {
    let tally = Tally::lock(connection).await?;
    let matches = remove_matches(connection, &wanted.matches, unneeded, tally).await?;
    let guests = remove_guests(connection, &wanted.guests, unneeded).await?;
    // Who has played is not looked at again.
    sqlx::query(
        "UPDATE player SET kept = TRUE WHERE id IN (SELECT id FROM player WHERE NOT kept AND password IS NULL AND created_at < $1 \
         AND (EXISTS (SELECT 1 FROM match WHERE first_id = player.id AND plies > 0) \
         OR EXISTS (SELECT 1 FROM match WHERE second_id = player.id AND plies > 0)) LIMIT $2)",
    )
    .bind(integer(unneeded.guests_before.0))
    .bind(integer(REMOVED_AT_ONCE as u64))
    .execute(connection)
    .await?;
    Ok(Removal { matches, guests })
}

/// The logs of a match: its own, and those of its rooms.
fn logs_of(id: MatchId) -> impl Iterator<Item = StreamId> {
    let rooms = Room::ALL
        .into_iter()
        .map(move |room| StreamId::Chat(id, room));
    rooms.chain([StreamId::Match(id)])
}

async fn remove_matches(
    connection: &mut PgConnection,
    wanted: &[MatchId],
    unneeded: Unneeded,
    mut tally: Tally,
) -> Result<Vec<MatchId>, Fault> {
    let ids: Vec<i64> = wanted.iter().map(|id| id.to_i64()).collect();
    let void: Vec<i64> = sqlx::query_scalar(concat!(
        "SELECT id FROM match WHERE id = ANY($2) AND ",
        came_to_nothing!(),
        " AND ",
        is_void!()
    ))
    .bind(integer(unneeded.matches_before.0))
    .bind(ids)
    .fetch_all(&mut *connection)
    .await?;
    let void: FxHashSet<MatchId> = void
        .into_iter()
        .filter_map(|id| match_id(id).ok())
        .collect();
    let streams: FxHashSet<StreamId> = void.iter().flat_map(|id| logs_of(*id)).collect();
    let mut batch = Batch {
        connection,
        node: NodeId::ONLY,
        stage: Stage::default(),
    };
    batch.lock_streams(&streams).await?;
    let heads = &batch.stage.heads;
    let is_newest = |stream: StreamId| {
        let head = heads.get(&stream);
        head.is_some_and(|head| head.number == tally.streams)
    };
    let removed: Vec<MatchId> = wanted
        .iter()
        .filter(|id| void.contains(id) && !logs_of(**id).any(is_newest))
        .copied()
        .collect();
    let logs = removed.iter().flat_map(|id| logs_of(*id));
    let numbers: Vec<i64> = logs
        .filter_map(|log| Some(heads.get(&log)?.number))
        .collect();
    let reviews = delete_logs(batch.connection, &numbers).await?;
    if reviews > 0 {
        tally.reviews -= reviews;
        tally.write(batch.connection).await?;
    }
    Ok(removed)
}

/// Deletes these logs with what belongs to them; how many bytes of reviews there were.
async fn delete_logs(connection: &mut PgConnection, numbers: &[i64]) -> Result<i64, Fault> {
    let reviews: Vec<i64> =
        sqlx::query_scalar("DELETE FROM review WHERE match = ANY($1) RETURNING bytes")
            .bind(numbers)
            .fetch_all(&mut *connection)
            .await?;
    for statement in [
        "DELETE FROM join_code WHERE match = ANY($1)",
        "DELETE FROM create_id WHERE match = ANY($1)",
        "DELETE FROM match WHERE number = ANY($1)",
        "DELETE FROM event WHERE stream = ANY($1)",
        "DELETE FROM stream WHERE number = ANY($1)",
        "INSERT INTO removed (number) SELECT * FROM unnest($1)",
    ] {
        sqlx::query(statement)
            .bind(numbers)
            .execute(&mut *connection)
            .await?;
    }
    Ok(reviews.iter().sum())
}

async fn remove_guests(
    connection: &mut PgConnection,
    wanted: &[PlayerId],
    unneeded: Unneeded,
) -> Result<Vec<PlayerId>, Fault> {
    let ids: Vec<&[u8]> = wanted.iter().map(|id| &id.as_bytes()[..]).collect();
    let unused: Vec<Vec<u8>> = sqlx::query_scalar(concat!(
        "SELECT id FROM player WHERE id = ANY($2) AND ",
        is_unused!()
    ))
    .bind(integer(unneeded.guests_before.0))
    .bind(ids)
    .fetch_all(&mut *connection)
    .await?;
    if unused.is_empty() {
        return Ok(Vec::new());
    }
    for statement in [
        "DELETE FROM token WHERE player = ANY($1)",
        "DELETE FROM player WHERE id = ANY($1)",
        "INSERT INTO removed_guest (number, player) SELECT coalesce((SELECT max(number) FROM removed_guest), 0) + place, player \
         FROM unnest($1) WITH ORDINALITY AS gone (player, place)",
    ] {
        sqlx::query(statement)
            .bind(&unused)
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query(
        "DELETE FROM removed_guest WHERE number <= (SELECT max(number) FROM removed_guest) - $1",
    )
    .bind(REMEMBERED)
    .execute(connection)
    .await?;
    let is_gone = |id: &&PlayerId| unused.iter().any(|gone| gone[..] == id.as_bytes()[..]);
    Ok(wanted.iter().filter(is_gone).copied().collect())
}
