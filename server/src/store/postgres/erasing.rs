//! Erasing players: what a commit changes of accounts, how logs with a name are found, and how they are rewritten.

use grundy_shared::chain::{self, Hash};
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{PlayerId, Seq};
use rustc_hash::FxHashSet;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{PgExecutor, Row};

use super::batch::Batch;
use super::checks::nobody;
use super::fault::Fault;
use super::rows::player_id;
use super::stage::{Head, Stage};
use super::tally::Tally;
use crate::store::columns::{corrupt, integer, stream_of, unsigned};
use crate::store::{
    BanSubject, CommitError, Cursor, Erasure, MENTIONS_PAGE, Mentions, NewErasure, NodeId, Rewrite,
    Rewritten, StreamId,
};

/// The logs with one of these texts, after this number, and where the next page begins. Cost: linear in the bytes of a page of logs.
pub(super) async fn mentioning(
    connection: &mut PgConnection,
    texts: &[String],
    after: i64,
) -> Result<Mentions, Fault> {
    let texts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
    let rows = sqlx::query(
        "SELECT number, kind, id, EXISTS (SELECT 1 FROM event, unnest($2::bytea[]) AS wanted (words) \
         WHERE event.stream = log.number AND position(words IN body) > 0) AS has \
         FROM (SELECT number, kind, id FROM stream WHERE number > $1 ORDER BY number LIMIT $3) AS log ORDER BY number",
    )
    .bind(after)
    .bind(texts)
    .bind(integer(MENTIONS_PAGE as u64))
    .fetch_all(connection)
    .await?;
    let mut found = Mentions::default();
    for row in &rows {
        if row.try_get("has")? {
            let kind: i16 = row.try_get("kind")?;
            let stream = stream_of(kind.into(), row.try_get("id")?)?;
            found.streams.push(stream);
        }
    }
    found.next = match rows.last() {
        Some(last) if rows.len() == MENTIONS_PAGE => Some(Cursor::number(last.try_get("number")?)),
        _ => None,
    };
    Ok(found)
}

/// The erasures that are not finished.
pub(super) async fn erasures(connection: &mut PgConnection) -> Result<Vec<Erasure>, Fault> {
    let rows = sqlx::query(
        "SELECT player, name, names, streams, events, heads FROM erasure ORDER BY player",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(read_erasure).collect()
}

async fn erasure_of(
    executor: impl PgExecutor<'_>,
    player: PlayerId,
) -> Result<Option<Erasure>, Fault> {
    let row = sqlx::query(
        "SELECT player, name, names, streams, events, heads FROM erasure WHERE player = $1",
    )
    .bind(&player.as_bytes()[..])
    .fetch_optional(executor)
    .await?;
    row.as_ref().map(read_erasure).transpose()
}

fn read_erasure(row: &PgRow) -> Result<Erasure, Fault> {
    let heads: &[u8] = row.try_get("heads")?;
    let heads = heads.try_into();
    Ok(Erasure {
        player: player_id(row.try_get("player")?)?,
        name: row.try_get("name")?,
        names: serde_json::from_str(row.try_get("names")?).map_err(corrupt)?,
        done: Rewritten {
            streams: unsigned(row.try_get("streams")?)?,
            events: unsigned(row.try_get("events")?)?,
            heads: heads.map_err(|_| corrupt("a digest is not 32 bytes"))?,
        },
    })
}

impl Batch<'_> {
    /// Replaces the name of a player, and removes all that proves who the player is.
    pub(super) async fn erase(&mut self, new: &NewErasure) -> Result<(), Fault> {
        self.flush().await?;
        let player = new.player;
        let id = &player.as_bytes()[..];
        sqlx::query(
            "UPDATE player SET name = $2, name_key = $3, version = version + 1, password = NULL, codes = '', muted = '', known = '', \
             erased = TRUE, kept = TRUE WHERE id = $1",
        )
        .bind(id)
        .bind(&new.name)
        .bind(&new.name_key)
        .execute(&mut *self.connection)
        .await?;
        for statement in [
            "DELETE FROM token WHERE player = $1",
            "DELETE FROM create_id WHERE player = $1",
            "DELETE FROM usage WHERE kind = 1 AND id = $1",
        ] {
            sqlx::query(statement)
                .bind(id)
                .execute(&mut *self.connection)
                .await?;
        }
        self.remove_ban(BanSubject::Player(player)).await?;
        let names = serde_json::to_string(&new.names).expect("names can be written");
        sqlx::query(
            "INSERT INTO erasure (player, name, names, streams, events, heads) VALUES ($1, $2, $3, 0, 0, $4)",
        )
        .bind(id)
        .bind(&new.name)
        .bind(names)
        .bind(&[0_u8; 32][..])
        .execute(&mut *self.connection)
        .await?;
        self.stage.create_ids.retain(|(by, _)| *by != player);
        self.stage.erased.insert(player, new.name.clone());
        Ok(())
    }

    /// Forgets the names that a player has had.
    pub(super) async fn forget_names(&mut self, player: PlayerId) -> Result<(), Fault> {
        sqlx::query("UPDATE erasure SET names = '[]' WHERE player = $1")
            .bind(&player.as_bytes()[..])
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Ends an erasure.
    pub(super) async fn finish_erasure(&mut self, player: PlayerId) -> Result<(), Fault> {
        sqlx::query("DELETE FROM erasure WHERE player = $1")
            .bind(&player.as_bytes()[..])
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }
}

/// Replaces bodies in all of these logs, or in none. The transaction has begun, and the lease is good until it ends. Cost: linear in the bytes of the logs.
pub(super) async fn rewrite(
    connection: &mut PgConnection,
    player: PlayerId,
    logs: &[Rewrite],
) -> Result<Result<(), CommitError>, Fault> {
    // One at a time: two rewritings of one player count into one row.
    Tally::lock(connection).await?;
    let Some(erasure) = erasure_of(&mut *connection, player).await? else {
        return Ok(Err(nobody(player)));
    };
    let mut done = erasure.done;
    let streams: FxHashSet<StreamId> = logs.iter().map(|log| log.stream).collect();
    let mut batch = Batch {
        connection,
        node: NodeId::ONLY,
        stage: Stage::default(),
    };
    batch.lock_streams(&streams).await?;
    for log in logs {
        let (stream, actual) = (log.stream, batch.stage.end_of(log.stream));
        if actual != log.end {
            return Ok(Err(CommitError::Conflict { stream, actual }));
        }
    }
    for log in logs {
        let Some(head) = batch.stage.heads.get(&log.stream).copied() else {
            continue;
        };
        let after = batch.rewrite_log(log, head).await?;
        done.count(log.stream, log.bodies.len() as u64, [&head.hash, &after]);
        let head = Head {
            hash: after,
            ..head
        };
        batch.stage.heads.insert(log.stream, head);
    }
    sqlx::query("UPDATE erasure SET streams = $2, events = $3, heads = $4 WHERE player = $1")
        .bind(&player.as_bytes()[..])
        .bind(integer(done.streams))
        .bind(integer(done.events))
        .bind(&done.heads[..])
        .execute(&mut *batch.connection)
        .await?;
    crate::failpoint::hit("in_rewrite");
    Ok(Ok(()))
}

impl Batch<'_> {
    /// Writes the new bodies of a log, the end of its chain, and the names in its summary; where the chain ends now.
    async fn rewrite_log(&mut self, log: &Rewrite, head: Head) -> Result<Hash, Fault> {
        let events: Vec<(i64, Vec<u8>)> =
            sqlx::query_as("SELECT seq, body FROM event WHERE stream = $1 ORDER BY seq")
                .bind(head.number)
                .fetch_all(&mut *self.connection)
                .await?;
        let genesis = log.stream.genesis();
        let (mut before, mut after, mut end) = (genesis, genesis, Seq(0));
        for (seq, body) in &events {
            end = end.next();
            if *seq != integer(end.0) {
                break;
            }
            before = chain::link(&before, body);
            let body = log.body(end).map_or(&body[..], |new| &new[..]);
            after = chain::link(&after, body);
        }
        if (end, before) != (head.seq, head.hash) {
            return Err(corrupt(format_args!("the log of {} is damaged", log.stream)).into());
        }
        let seqs: Vec<i64> = log.bodies.iter().map(|(seq, _)| integer(seq.0)).collect();
        let bodies: Vec<&[u8]> = log.bodies.iter().map(|(_, body)| &body[..]).collect();
        sqlx::query(
            "WITH rewritten AS (UPDATE event SET body = new.body FROM unnest($2::bigint[], $3::bytea[]) AS new (seq, body) \
             WHERE event.stream = $1 AND event.seq = new.seq) UPDATE stream SET head = $4 WHERE number = $1",
        )
        .bind(head.number)
        .bind(seqs)
        .bind(bodies)
        .bind(&after[..])
        .execute(&mut *self.connection)
        .await?;
        if let (StreamId::Match(_), Some(row)) = (log.stream, &log.row) {
            let name = |seat: &Option<PlayerInfo>| seat.as_ref().map(|player| player.name.clone());
            sqlx::query("UPDATE match SET first_name = $2, second_name = $3 WHERE number = $1")
                .bind(head.number)
                .bind(name(&row.first))
                .bind(name(&row.second))
                .execute(&mut *self.connection)
                .await?;
        }
        Ok(after)
    }
}
