//! Reading logs. A log is compared with the end that is written beside it: by its numbers whenever a page is read, and as a whole where all of it is read.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures::TryStreamExt as _;
use grundy_shared::chain::{self, Hash};
use grundy_shared::ids::{MatchId, Seq};
use rustc_hash::{FxHashMap, FxHashSet};
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::fault::Fault;
use crate::store::columns::{corrupt, integer, key_of, limit, match_id, unsigned};
use crate::store::{
    Cursor, LIVE_PAGE, LOAD_PAGE, Logged, NodeId, OpenMatchLog, StoreError, StreamId,
};

/// Logs remembered as sound; beyond them all are forgotten, and checked again when they are asked for.
const REMEMBERED: usize = 65_536;

/// The ends of logs of finished matches that were found sound since the start.
#[derive(Debug, Default)]
pub(super) struct Sound(Mutex<FxHashSet<Hash>>);

impl Sound {
    fn lock(&self) -> MutexGuard<'_, FxHashSet<Hash>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, end: Hash) {
        let mut sound = self.lock();
        if sound.len() >= REMEMBERED {
            sound.clear();
        }
        sound.insert(end);
    }
}

/// A log that is followed event by event.
struct Chain {
    end: Seq,
    hash: Hash,
}

impl Chain {
    fn of(stream: StreamId) -> Self {
        Self {
            end: Seq(0),
            hash: stream.genesis(),
        }
    }

    fn follow(&mut self, seq: i64, body: &[u8]) -> Result<(), StoreError> {
        self.end = self.end.next();
        if seq != integer(self.end.0) {
            return Err(corrupt(format_args!("event {} is missing", self.end.0)));
        }
        self.hash = chain::link(&self.hash, body);
        Ok(())
    }

    /// Compares it with the end that is written beside the log.
    fn check_end(&self, last: i64, head: &[u8]) -> Result<(), StoreError> {
        if integer(self.end.0) != last {
            return Err(corrupt(format_args!(
                "the log ended with event {last}, and has {}",
                self.end.0
            )));
        }
        match self.hash[..] == *head {
            true => Ok(()),
            false => Err(corrupt("the events are not those with which the log ended")),
        }
    }
}

fn read_event(row: &PgRow, seq: i64) -> Result<Logged, Fault> {
    let body: Vec<u8> = row.try_get("body")?;
    let text = std::str::from_utf8(&body);
    text.map_err(|_| corrupt(format_args!("event {seq} is not UTF-8")))?;
    Ok(Logged {
        seq: Seq(unsigned(seq)?),
        body: Bytes::from(body),
    })
}

/// The events after a number.
pub(super) async fn load(
    connection: &mut PgConnection,
    sound: &Sound,
    stream: StreamId,
    after: Seq,
    wish: usize,
) -> Result<Option<Vec<Logged>>, Fault> {
    let (kind, key) = key_of(stream);
    let rows = sqlx::query(
        "SELECT stream.number, last, head, coalesce(match.status = 'over', FALSE) AS over, page.seq, page.body FROM stream \
         LEFT JOIN match ON match.number = stream.number \
         LEFT JOIN LATERAL (SELECT seq, body FROM event WHERE event.stream = stream.number AND seq > $3 ORDER BY seq LIMIT $4) AS page ON TRUE \
         WHERE kind = $1 AND stream.id = $2 ORDER BY page.seq",
    )
    .bind(i16::try_from(kind).unwrap_or(i16::MAX))
    .bind(key)
    .bind(integer(after.0))
    .bind(limit(wish, LOAD_PAGE))
    .fetch_all(&mut *connection)
    .await?;
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let last: i64 = first.try_get("last")?;
    let head: Vec<u8> = first.try_get("head")?;
    if first.try_get("over")? {
        check_finished(connection, sound, stream, first.try_get("number")?, &head).await?;
    }
    let mut events = Vec::with_capacity(rows.len());
    for row in &rows {
        let Some(seq) = row.try_get::<Option<i64>, _>("seq")? else {
            break;
        };
        events.push(read_event(row, seq)?);
    }
    let wanted = last.saturating_sub(integer(after.0));
    let wanted = wanted.clamp(0, limit(wish, LOAD_PAGE));
    let is_next = |(place, event): (u64, &Logged)| event.seq.0 - after.0 == place;
    let dense = (1..).zip(&events).all(is_next);
    if integer(events.len() as u64) != wanted || !dense {
        return Err(corrupt(format_args!("an event of {stream} is missing")).into());
    }
    Ok(Some(events))
}

/// Checks the whole log of a finished match, unless it was found sound with this end before. Cost: linear in its events the first time; one of them is in memory
/// at a time.
async fn check_finished(
    connection: &mut PgConnection,
    sound: &Sound,
    stream: StreamId,
    number: i64,
    head: &[u8],
) -> Result<(), Fault> {
    let known = <Hash>::try_from(head);
    if known.is_ok_and(|end| sound.lock().contains(&end)) {
        return Ok(());
    }
    let mut rows = sqlx::query(
        "SELECT last, head, seq, body FROM stream LEFT JOIN event ON event.stream = stream.number WHERE number = $1 ORDER BY seq",
    )
    .bind(number)
    .fetch(connection);
    let (mut chain, mut end) = (Chain::of(stream), None);
    while let Some(row) = rows.try_next().await? {
        end = Some((row.try_get("last")?, row.try_get::<Vec<u8>, _>("head")?));
        if let Some(seq) = row.try_get("seq")? {
            chain.follow(seq, row.try_get("body")?)?;
        }
    }
    drop(rows);
    // Removed meanwhile: there is nothing to compare.
    if let Some((last, head)) = end {
        chain.check_end(last, &head)?;
        sound.add(chain.hash);
    }
    Ok(())
}

/// The matches of a node that are not over, after this number, with their logs.
pub(super) async fn live(
    connection: &mut PgConnection,
    owner: NodeId,
    after: i64,
) -> Result<Vec<OpenMatchLog>, Fault> {
    let matches: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT number, id FROM match WHERE owner = $1 AND status <> 'over' AND number > $2 ORDER BY number LIMIT $3",
    )
    .bind(i64::from(owner.0))
    .bind(after)
    .bind(limit(LIVE_PAGE, LIVE_PAGE))
    .fetch_all(&mut *connection)
    .await?;
    let numbers: Vec<i64> = matches.iter().map(|(number, _)| *number).collect();
    let mut rows = sqlx::query(
        "SELECT number, last, head, seq, body FROM stream LEFT JOIN event ON event.stream = stream.number \
         WHERE number = ANY($1) ORDER BY number, seq",
    )
    .bind(&numbers)
    .fetch(connection);
    let mut logs: FxHashMap<i64, Vec<PgRow>> = FxHashMap::default();
    while let Some(row) = rows.try_next().await? {
        logs.entry(row.try_get("number")?).or_default().push(row);
    }
    drop(rows);
    let mut found = Vec::with_capacity(matches.len());
    for (number, id) in matches {
        let id = match_id(id)?;
        let Some(rows) = logs.remove(&number) else {
            continue;
        };
        found.push(OpenMatchLog {
            cursor: Cursor::number(number),
            id,
            log: whole(id, &rows).map_err(Fault::into_error),
        });
    }
    Ok(found)
}

/// A whole log, if it fits the end beside it.
fn whole(id: MatchId, rows: &[PgRow]) -> Result<Vec<Logged>, Fault> {
    let (mut chain, mut log) = (Chain::of(id.into()), Vec::with_capacity(rows.len()));
    for row in rows {
        if let Some(seq) = row.try_get("seq")? {
            let event = read_event(row, seq)?;
            chain.follow(seq, &event.body)?;
            log.push(event);
        }
    }
    if let Some(row) = rows.first() {
        chain.check_end(row.try_get("last")?, row.try_get("head")?)?;
    }
    Ok(log)
}
