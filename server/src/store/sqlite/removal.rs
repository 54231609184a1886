//! Removing what nobody needs any more: the only place that deletes a match or a player.
//!
//! The numbers of removed logs are kept as ranges, so that a log that is missing for another reason is found, and no number is given
//! twice. Entries of removed logs may stay in the journal until their batches go; they are passed over.

use grundy_shared::ids::{MatchId, PlayerId};
use grundy_shared::protocol::chat::Room;
use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqliteConnection;

use super::fault::Failure;
use super::rows::{integer, key_of, match_id};
use super::writer::Writer;
use crate::store::{Lease, REMOVED_AT_ONCE, Removal, StoreError, StreamId, Unneeded};

/// A match that ended before ?1 without a move. There is an index of these by the moments of their ends.
const CAME_TO_NOTHING: &str =
    "outcome = 'void' AND plies = 0 AND series IS NULL AND rematch_of IS NULL AND ended_at < ?1";

/// One of these that may be removed. Its log is settled, and its first event says whether it is of a tournament: a quote inside of a
/// text is escaped, so the field is not found in a name.
const IS_VOID: &str = "status = 'over' AND ended_order < (SELECT max(ended_order) FROM match WHERE ended_order IS NOT NULL) \
     AND number < (SELECT max(number) FROM stream) \
     AND NOT EXISTS (SELECT 1 FROM match AS later WHERE later.rematch_of = match.id) \
     AND EXISTS (SELECT 1 FROM segment WHERE stream = match.number AND first = 1 AND instr(body, CAST('\"tournament\":' AS BLOB)) = 0)";

/// A guest who came before ?1 and may be removed.
const IS_UNUSED: &str = "kept = 0 AND password IS NULL AND created_at < ?1 \
     AND NOT EXISTS (SELECT 1 FROM match WHERE first_id = player.id) \
     AND NOT EXISTS (SELECT 1 FROM match WHERE second_id = player.id)";

/// Removed guests that are remembered: those of some 20 seconds. No commit waits longer.
const REMEMBERED: usize = 1_000;

/// What of these is looked at.
const NEEDED: &str = "id, number, status, ended_order";

/// Matches without a move that are looked at. Those of tournaments stay for good, so there may be any number of them.
const LOOKED_AT: usize = 1_000;

/// What may be removed, drawn at random: what is kept for another reason, because somebody follows it or is connected, holds up nothing else. Looks at the newest
/// matches, and at those before a random one.
pub(super) async fn removable(
    connection: &mut SqliteConnection,
    unneeded: Unneeded,
) -> Result<Removal, StoreError> {
    let ids: Vec<i64> = sqlx::query_scalar(AssertSqlSafe(format!(
        "WITH drawn AS (SELECT ended_at FROM match WHERE ended_order >= \
         (SELECT 1 + abs(random() % max(ended_order)) FROM match WHERE ended_order IS NOT NULL) ORDER BY ended_order LIMIT 1), \
         looked_at AS MATERIALIZED (\
         SELECT * FROM (SELECT {NEEDED} FROM match WHERE {CAME_TO_NOTHING} ORDER BY ended_at DESC LIMIT {LOOKED_AT}) \
         UNION SELECT * FROM (SELECT {NEEDED} FROM match WHERE {CAME_TO_NOTHING} AND ended_at <= (SELECT ended_at FROM drawn) \
         ORDER BY ended_at DESC LIMIT {LOOKED_AT})) \
         SELECT id FROM looked_at AS match WHERE {IS_VOID} ORDER BY random() LIMIT {REMOVED_AT_ONCE}"
    )))
    .bind(integer(unneeded.matches_before.0))
    .fetch_all(&mut *connection)
    .await?;
    let players: Vec<Vec<u8>> = sqlx::query_scalar(AssertSqlSafe(format!(
        "SELECT id FROM player WHERE {IS_UNUSED} ORDER BY random() LIMIT {REMOVED_AT_ONCE}"
    )))
    .bind(integer(unneeded.guests_before.0))
    .fetch_all(&mut *connection)
    .await?;
    Ok(Removal {
        matches: ids.into_iter().filter_map(|id| match_id(id).ok()).collect(),
        guests: players
            .iter()
            .filter_map(|id| PlayerId::from_bytes(id))
            .collect(),
    })
}

/// The numbers of removed logs, as ranges.
#[derive(Debug, Default)]
pub(crate) struct Removed(Vec<(i64, i64)>);

impl Removed {
    /// Reads them.
    pub(crate) async fn read(connection: &mut SqliteConnection) -> Result<Self, StoreError> {
        let rows = sqlx::query_as("SELECT first, last FROM removed ORDER BY first");
        Ok(Self(rows.fetch_all(connection).await?))
    }

    /// Whether the log of this number was removed.
    pub(crate) fn contains(&self, number: i64) -> bool {
        self.next_kept(number) != number
    }

    /// The first number from this one on whose log was not removed.
    pub(crate) fn next_kept(&self, from: i64) -> i64 {
        let after = self.0.partition_point(|(first, _)| *first <= from);
        match after.checked_sub(1).map(|place| self.0[place]) {
            Some((_, last)) if last >= from => last.saturating_add(1),
            _ => from,
        }
    }
}

impl Writer {
    /// Removes those of these that may still be removed; what was removed.
    pub(super) async fn remove(
        &mut self,
        lease: Lease,
        wanted: Removal,
        unneeded: Unneeded,
    ) -> Result<Removal, Failure> {
        self.check_lease(lease).map_err(Failure::Refused)?;
        self.begin().await?;
        let mut removed = Removal::default();
        for id in wanted.matches {
            if self.remove_match(id, unneeded).await? {
                removed.matches.push(id);
            }
        }
        for player in wanted.guests {
            if self.remove_guest(player, unneeded).await? {
                removed.guests.push(player);
            }
        }
        // Who has played is not looked at again.
        sqlx::query(AssertSqlSafe(format!(
            "UPDATE player SET kept = 1 WHERE id IN (SELECT id FROM player WHERE kept = 0 AND password IS NULL AND created_at < ?1 \
             AND (EXISTS (SELECT 1 FROM match WHERE first_id = player.id AND plies > 0) \
             OR EXISTS (SELECT 1 FROM match WHERE second_id = player.id AND plies > 0)) LIMIT {REMOVED_AT_ONCE})"
        )))
        .bind(integer(unneeded.guests_before.0))
        .execute(&mut self.connection)
        .await?;
        Ok(removed)
    }

    async fn remove_match(&mut self, id: MatchId, unneeded: Unneeded) -> Result<bool, Failure> {
        let rooms = Room::ALL.into_iter().map(|room| StreamId::Chat(id, room));
        let streams: Vec<StreamId> = rooms.chain([StreamId::Match(id)]).collect();
        // What is not settled is settled with the next transaction, and removed the next time: a room is not settled by the end of its match.
        if self.journal.settle_soon(&streams) {
            return Ok(false);
        }
        let last: Option<i64> = sqlx::query_scalar(AssertSqlSafe(format!(
            "SELECT (SELECT max(number) FROM stream) FROM match WHERE id = ?2 AND {CAME_TO_NOTHING} AND {IS_VOID}"
        )))
        .bind(integer(unneeded.matches_before.0))
        .bind(id.to_i64())
        .fetch_optional(&mut self.connection)
        .await?;
        let Some(last) = last else {
            return Ok(false);
        };
        let mut numbers = Vec::with_capacity(streams.len());
        for stream in &streams {
            let (kind, key) = key_of(*stream);
            let number: Option<i64> =
                sqlx::query_scalar("SELECT number FROM stream WHERE kind = ?1 AND id = ?2")
                    .bind(kind)
                    .bind(key)
                    .fetch_optional(&mut self.connection)
                    .await?;
            numbers.extend(number);
        }
        if numbers.contains(&last) {
            return Ok(false);
        }
        for number in numbers {
            self.remove_log(number).await?;
        }
        for stream in streams {
            self.heads.remove(stream);
        }
        Ok(true)
    }

    /// Removes a log with what belongs to it, and notes its number.
    async fn remove_log(&mut self, number: i64) -> Result<(), Failure> {
        sqlx::query(
            "DELETE FROM join_code WHERE match = ?1; DELETE FROM create_id WHERE match = ?1; DELETE FROM review WHERE match = ?1; \
             DELETE FROM match WHERE number = ?1; \
             DELETE FROM segment WHERE stream = ?1; DELETE FROM stream WHERE number = ?1",
        )
        .bind(number)
        .execute(&mut self.connection)
        .await?;
        self.review_bytes = None;
        // One range of all that is removed side by side.
        let (first, last): (i64, i64) = sqlx::query_as(
            "SELECT coalesce((SELECT first FROM removed WHERE last = ?1 - 1), ?1), coalesce((SELECT last FROM removed WHERE first = ?1 + 1), ?1)",
        )
        .bind(number)
        .fetch_one(&mut self.connection)
        .await?;
        sqlx::query("DELETE FROM removed WHERE first = ?1 OR last = ?2; INSERT INTO removed (first, last) VALUES (?1, ?2)")
            .bind(first)
            .bind(last)
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    async fn remove_guest(
        &mut self,
        player: PlayerId,
        unneeded: Unneeded,
    ) -> Result<bool, Failure> {
        let id = player.as_bytes().to_vec();
        let unused: bool = sqlx::query_scalar(AssertSqlSafe(format!(
            "SELECT EXISTS (SELECT 1 FROM player WHERE id = ?2 AND {IS_UNUSED})"
        )))
        .bind(integer(unneeded.guests_before.0))
        .bind(id.clone())
        .fetch_one(&mut self.connection)
        .await?;
        if unused {
            self.removed_last.push_back(player);
            if self.removed_last.len() > REMEMBERED {
                self.removed_last.pop_front();
            }
            sqlx::query("DELETE FROM token WHERE player = ?1; DELETE FROM player WHERE id = ?1")
                .bind(id)
                .execute(&mut self.connection)
                .await?;
        }
        Ok(unused)
    }
}
