//! Erasing players: what the writer changes of accounts and logs, and how logs with a name are found.
//!
//! A log is rewritten wherever it is, in one transaction: its segments, the end that is kept beside it, its summary, and the entries that the
//! journal still has of it.

use grundy_shared::chain;
use grundy_shared::ids::{PlayerId, Seq};
use rustc_hash::FxHashMap;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::attempt::Attempt;
use super::entries::{Entries, Entry};
use super::fault::Failure;
use super::heads::Head;
use super::journal::Journal;
use super::refusal::Refusal;
use super::rows::{integer, stream_of, unsigned};
use super::seal;
use super::writer::Writer;
use crate::store::erasure::ERASED_REMEMBERED;
use crate::store::{
    BanSubject, Commit, CommitError, Erasure, Guard, Lease, MENTIONS_PAGE, MatchRow, MatchStatus,
    NewErasure, Rewrite, Rewritten, StoreError, StreamId, Unique,
};

/// Events of the logs that are rewritten, by the numbers of their logs and their own.
type Fresh = FxHashMap<(i64, Seq), Entry>;

/// The logs with one of these texts in their segments, after this number; and where the next page begins.
pub(super) async fn mentioning(
    connection: &mut SqliteConnection,
    texts: &[String],
    after: i64,
) -> Result<(Vec<StreamId>, Option<i64>), StoreError> {
    let texts = serde_json::to_string(texts).expect("texts can be written");
    let rows = sqlx::query(
        "SELECT number, kind, id, EXISTS (SELECT 1 FROM segment, json_each(?2) WHERE segment.stream = stream.number \
         AND instr(segment.body, CAST(value AS BLOB)) > 0) AS has FROM stream WHERE number > ?1 ORDER BY number LIMIT ?3",
    )
    .bind(after)
    .bind(texts)
    .bind(MENTIONS_PAGE as i64)
    .fetch_all(connection)
    .await?;
    let mut found = Vec::new();
    for row in &rows {
        if row.try_get("has")? {
            found.push(stream_of(row.try_get("kind")?, row.try_get("id")?)?);
        }
    }
    let next = match rows.last() {
        Some(last) if rows.len() == MENTIONS_PAGE => Some(last.try_get("number")?),
        _ => None,
    };
    Ok((found, next))
}

/// The logs with one of these texts in events that are not settled. Cost: linear in the bytes of these.
pub(super) async fn mentioning_unsettled(journal: &Journal, texts: &[String]) -> Vec<StreamId> {
    let mut found = Vec::new();
    for stream in journal.unsettled() {
        let entries = journal.entries_after(stream, Seq(0));
        let mut bodies = entries
            .iter()
            .map(|entry| String::from_utf8_lossy(&entry.body));
        if bodies.any(|body| texts.iter().any(|text| body.contains(text.as_str()))) {
            found.push(stream);
        }
        tokio::task::yield_now().await;
    }
    found
}

/// The erasures that are not finished.
///
/// # Errors
/// They cannot be read.
pub(crate) async fn erasures(
    connection: &mut SqliteConnection,
) -> Result<Vec<Erasure>, StoreError> {
    let rows = sqlx::query("SELECT player, name, names, streams, events, heads FROM erasure")
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_erasure).collect()
}

fn read_erasure(row: &SqliteRow) -> Result<Erasure, StoreError> {
    let player = PlayerId::from_bytes(row.try_get("player")?);
    let heads: &[u8] = row.try_get("heads")?;
    let heads = heads.try_into();
    Ok(Erasure {
        player: player.ok_or_else(|| corrupt("a player id is not 16 bytes"))?,
        name: row.try_get("name")?,
        names: serde_json::from_str(row.try_get("names")?).map_err(corrupt)?,
        done: Rewritten {
            streams: unsigned(row.try_get("streams")?)?,
            events: unsigned(row.try_get("events")?)?,
            heads: heads.map_err(|_| corrupt("a digest is not 32 bytes"))?,
        },
    })
}

fn corrupt(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        why: why.to_string(),
    }
}

fn nobody(player: PlayerId) -> CommitError {
    CommitError::Conflict {
        stream: StreamId::Account(player),
        actual: Seq(0),
    }
}

impl Writer {
    /// Whether a player can be erased.
    pub(super) async fn check_erase(&mut self, new: &NewErasure) -> Result<(), Refusal> {
        let player = new.player;
        let (known, taken): (bool, bool) = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM player WHERE id = ?1 AND erased = 0), \
             EXISTS (SELECT 1 FROM player WHERE name_key = ?2 AND id <> ?1)",
        )
        .bind(player.as_bytes().to_vec())
        .bind(new.name_key.clone())
        .fetch_one(&mut self.connection)
        .await?;
        if !known {
            return Err(nobody(player).into());
        }
        if taken {
            return Err(CommitError::Taken(Unique::Name).into());
        }
        let open = self.open_matches().await?;
        match open.after(&Commit::default(), Some(player)) {
            0 => Ok(()),
            _ => Err(CommitError::Full(Guard::OpenMatches {
                of: Some(player),
                at_most: 0,
            })
            .into()),
        }
    }

    /// Whether a summary seats nobody anew who was erased.
    pub(super) fn check_seats(&self, row: &MatchRow) -> Result<(), CommitError> {
        let seated = [&row.first, &row.second].into_iter().flatten();
        let gone = seated.map(|player| player.id);
        match gone.into_iter().find(|id| self.erased.contains_key(id)) {
            Some(gone) if row.status != MatchStatus::Over => Err(nobody(gone)),
            _ => Ok(()),
        }
    }

    /// Gives those in a summary who were erased the names that stand for them: it may have been made before.
    pub(super) fn rename_erased(&self, row: &mut MatchRow) {
        for seat in [row.first.as_ref(), row.second.as_ref()].map(|seat| seat.map(|one| one.id)) {
            if let Some((player, name)) = seat.and_then(|id| self.erased.get_key_value(&id)) {
                row.rename(*player, name);
            }
        }
    }

    /// Replaces the name of a player, and removes all that proves who the player is.
    pub(super) async fn erase(&mut self, new: &NewErasure) -> Result<(), Failure> {
        self.write_changes().await?;
        self.begin().await?;
        let player = new.player;
        sqlx::query(
            "UPDATE player SET name = ?2, name_key = ?3, version = version + 1, password = NULL, codes = x'', muted = x'', known = x'', \
             erased = 1, kept = 1 WHERE id = ?1; \
             DELETE FROM token WHERE player = ?1; DELETE FROM create_id WHERE player = ?1; \
             DELETE FROM usage WHERE kind = 1 AND id = ?1",
        )
        .bind(player.as_bytes().to_vec())
        .bind(new.name.clone())
        .bind(new.name_key.clone())
        .execute(&mut self.connection)
        .await?;
        self.remove_ban(BanSubject::Player(player)).await?;
        let names = serde_json::to_string(&new.names).expect("names can be written");
        sqlx::query(
            "INSERT INTO erasure (player, name, names, streams, events, heads) VALUES (?1, ?2, ?3, 0, 0, zeroblob(32))",
        )
        .bind(player.as_bytes().to_vec())
        .bind(new.name.clone())
        .bind(names)
        .execute(&mut self.connection)
        .await?;
        if self.erased.len() >= ERASED_REMEMBERED {
            self.erased.clear();
        }
        self.erased.insert(player, new.name.clone());
        self.erased_now.push(player);
        Ok(())
    }

    pub(super) async fn forget_names(&mut self, player: PlayerId) -> Result<(), Failure> {
        self.begin().await?;
        sqlx::query("UPDATE erasure SET names = '[]' WHERE player = ?1")
            .bind(player.as_bytes().to_vec())
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    pub(super) async fn finish_erasure(&mut self, player: PlayerId) -> Result<(), Failure> {
        self.begin().await?;
        sqlx::query("DELETE FROM erasure WHERE player = ?1")
            .bind(player.as_bytes().to_vec())
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    /// Replaces bodies in all of these logs, or in none.
    pub(super) async fn rewrite(
        &mut self,
        lease: Lease,
        player: PlayerId,
        logs: &[Rewrite],
    ) -> Result<Attempt, Failure> {
        if self.check_lease(lease).is_err() {
            return Ok(Attempt::Refused(CommitError::Fenced));
        }
        let streams: Vec<_> = logs.iter().map(|log| log.stream).collect();
        if self.journal.settle_soon(&streams) {
            self.begin().await?;
            return Ok(Attempt::Settled);
        }
        let erasing = sqlx::query(
            "SELECT player, name, names, streams, events, heads FROM erasure WHERE player = ?1",
        )
        .bind(player.as_bytes().to_vec())
        .fetch_optional(&mut self.connection)
        .await?;
        let Some(erasing) = erasing else {
            return Ok(Attempt::Refused(nobody(player)));
        };
        let mut done = read_erasure(&erasing)?.done;
        let mut heads = Vec::with_capacity(logs.len());
        for log in logs {
            match self.end_to_rewrite(log).await {
                Ok(head) => heads.push(head),
                Err(Refusal::Commit(refusal)) => return Ok(Attempt::Refused(refusal)),
                Err(Refusal::Failure(Failure::Fatal(error @ StoreError::Corrupt { .. }))) => {
                    return Ok(Attempt::Refused(error.into()));
                }
                Err(Refusal::Failure(failure)) => return Err(failure),
            }
        }
        self.begin().await?;
        let mut fresh = Fresh::default();
        for (log, head) in logs.iter().zip(&heads) {
            let after = self.rewrite_log(log, *head, &mut fresh).await?;
            done.count(
                log.stream,
                log.bodies.len() as u64,
                [&head.hash, &after.hash],
            );
            self.heads.set(log.stream, after);
        }
        let numbers: Vec<i64> = heads.iter().map(|head| head.number).collect();
        self.rewrite_batches(&numbers, &fresh).await?;
        sqlx::query("UPDATE erasure SET streams = ?2, events = ?3, heads = ?4 WHERE player = ?1")
            .bind(player.as_bytes().to_vec())
            .bind(integer(done.streams))
            .bind(integer(done.events))
            .bind(done.heads.to_vec())
            .execute(&mut self.connection)
            .await?;
        crate::failpoint::hit("in_rewrite");
        Ok(Attempt::Done)
    }

    /// Where a log ends that is to be rewritten, if it still ends there.
    async fn end_to_rewrite(&mut self, log: &Rewrite) -> Result<Head, Refusal> {
        let head = self.head(log.stream).await?;
        let stream = log.stream;
        match head {
            Some(head) if head.seq == log.end => Ok(head),
            head => Err(CommitError::Conflict {
                stream,
                actual: head.map_or(Seq(0), |head| head.seq),
            }
            .into()),
        }
    }

    /// Writes the segments of a log anew, and what is kept beside it; its new end.
    async fn rewrite_log(
        &mut self,
        log: &Rewrite,
        head: Head,
        fresh: &mut Fresh,
    ) -> Result<Head, Failure> {
        let segments: Vec<(i64, Vec<u8>)> =
            sqlx::query_as("SELECT first, body FROM segment WHERE stream = ?1 ORDER BY first")
                .bind(head.number)
                .fetch_all(&mut self.connection)
                .await?;
        let damaged = || {
            Failure::Refused(corrupt(format_args!(
                "the log of {} is damaged",
                log.stream
            )))
        };
        let mut after = Head {
            seq: Seq(0),
            hash: log.stream.genesis(),
            ..head
        };
        let mut before = after.hash;
        for (first, blob) in segments {
            let (mut blob_now, mut changed) = (Vec::with_capacity(blob.len()), false);
            for entry in Entries::of(blob) {
                let mut entry = entry.map_err(Failure::Refused)?;
                before = chain::link(&before, &entry.body);
                after.seq = after.seq.next();
                if entry.seq != after.seq || entry.hash != before {
                    return Err(damaged());
                }
                if let Some(body) = log.body(entry.seq) {
                    entry.body = body.clone();
                }
                after.hash = chain::link(&after.hash, &entry.body);
                if entry.hash != after.hash {
                    entry.hash = after.hash;
                    fresh.insert((head.number, entry.seq), entry.clone());
                    changed = true;
                }
                entry.write(&mut blob_now);
            }
            if changed {
                sqlx::query("UPDATE segment SET body = ?3 WHERE stream = ?1 AND first = ?2")
                    .bind(head.number)
                    .bind(first)
                    .bind(blob_now)
                    .execute(&mut self.connection)
                    .await?;
            }
        }
        if (after.seq, before) != (head.seq, head.hash) {
            return Err(damaged());
        }
        if let (StreamId::Match(id), Some(row)) = (log.stream, &log.row) {
            let name = |seat: &Option<grundy_shared::event::PlayerInfo>| {
                seat.as_ref().map(|player| player.name.clone())
            };
            sqlx::query("UPDATE match SET log_head = ?2, first_name = ?3, second_name = ?4, seal = ?5 WHERE number = ?1")
                .bind(head.number)
                .bind(after.hash.to_vec())
                .bind(name(&row.first))
                .bind(name(&row.second))
                .bind(seal::of_match(id, row))
                .execute(&mut self.connection)
                .await?;
        }
        Ok(after)
    }

    /// Writes the batches anew that have events of these logs.
    async fn rewrite_batches(&mut self, numbers: &[i64], fresh: &Fresh) -> Result<(), Failure> {
        for batch in self.journal.batches_with(numbers) {
            let blob: Vec<u8> = sqlx::query_scalar("SELECT body FROM batch WHERE number = ?1")
                .bind(batch)
                .fetch_one(&mut self.connection)
                .await?;
            let mut blob_now = Vec::with_capacity(blob.len());
            for entry in Entries::of(blob) {
                let entry = entry.map_err(Failure::Refused)?;
                let new = fresh.get(&(entry.stream, entry.seq));
                new.unwrap_or(&entry).write(&mut blob_now);
            }
            let size = blob_now.len();
            sqlx::query("UPDATE batch SET body = ?2 WHERE number = ?1")
                .bind(batch)
                .bind(blob_now)
                .execute(&mut self.connection)
                .await?;
            self.resized.push((batch, self.journal.resize(batch, size)));
        }
        Ok(())
    }
}
