//! What one server at a time does for all, and what servers hear of each other.

use grundy_shared::ids::PlayerId;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::batch::Batch;
use super::fault::Fault;
use super::rows::player_id;
use crate::store::columns::{integer, limit, unsigned};
use crate::store::{Duty, NOTICES_PAGE, News, NodeId, Notice};

/// Takes a duty, or keeps it, unless another server has renewed it within the last ten seconds; whether it is this server's. The clock is that of the database.
pub(super) async fn claim(
    connection: &mut PgConnection,
    node: NodeId,
    duty: Duty,
) -> Result<bool, Fault> {
    let taken = sqlx::query(
        "INSERT INTO duty (name, node, renewed_at) VALUES ($1, $2, clock_timestamp()) \
         ON CONFLICT (name) DO UPDATE SET node = excluded.node, renewed_at = excluded.renewed_at \
         WHERE duty.node = excluded.node OR duty.renewed_at < clock_timestamp() - interval '10 seconds'",
    )
    .bind(duty.word())
    .bind(i64::from(node.0))
    .execute(connection)
    .await?;
    Ok(taken.rows_affected() > 0)
}

/// The notices after this number, in order: a page of them.
pub(super) async fn notices(
    connection: &mut PgConnection,
    after: u64,
) -> Result<Vec<Notice>, Fault> {
    let rows = sqlx::query(
        "SELECT number, player, name FROM notice WHERE number > $1 ORDER BY number LIMIT $2",
    )
    .bind(integer(after))
    .bind(limit(NOTICES_PAGE, NOTICES_PAGE))
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// The number of the last notice.
pub(super) async fn last_notice(connection: &mut PgConnection) -> Result<u64, Fault> {
    let last: i64 = sqlx::query_scalar("SELECT coalesce(max(number), 0) FROM notice")
        .fetch_one(connection)
        .await?;
    Ok(unsigned(last)?)
}

fn read(row: &PgRow) -> Result<Notice, Fault> {
    let player: Option<&[u8]> = row.try_get("player")?;
    let name: Option<String> = row.try_get("name")?;
    Ok(Notice {
        number: unsigned(row.try_get("number")?)?,
        news: match player {
            None => News::Bans,
            Some(player) => News::Erased {
                player: player_id(player)?,
                name: name.unwrap_or_default(),
            },
        },
    })
}

impl Batch<'_> {
    /// Has other servers read the bans again. The tally is locked.
    pub(super) async fn note_bans(&mut self) -> Result<(), Fault> {
        sqlx::query("INSERT INTO notice (number) SELECT coalesce(max(number), 0) + 1 FROM notice")
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Has other servers forget a player whose erasure is not finished, or is so with this commit. The tally is locked.
    pub(super) async fn note_erased(&mut self, player: PlayerId) -> Result<(), Fault> {
        sqlx::query(
            "INSERT INTO notice (number, player, name) SELECT (SELECT coalesce(max(number), 0) + 1 FROM notice), id, name FROM player WHERE id = $1",
        )
        .bind(&player.as_bytes()[..])
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }
}
