//! Reading logs: what is settled from the segments of a stream, the rest from the journal.

use bytes::Bytes;
use futures::TryStreamExt;
use grundy_shared::chain;
use grundy_shared::ids::Seq;
use rustc_hash::FxHashMap;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::entries::{Entries, Entry};
use super::journal::Journal;
use super::removal::Removed;
use super::rows::{integer, key_of, stream_of, unsigned};
use crate::store::{Logged, StoreError, StreamId};

/// What the segments of a stream hold.
pub(super) struct SettledEvents {
    /// Events after the number that was asked for, in order.
    pub(super) events: Vec<Logged>,
    /// Whether the match is over, or its row says where its log ended.
    pub(super) closed: bool,
}

fn corrupt(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        why: why.to_string(),
    }
}

/// One event, if it is JSON in form.
pub(super) fn logged(entry: Entry) -> Result<Logged, StoreError> {
    if std::str::from_utf8(&entry.body).is_err() {
        return Err(corrupt(format_args!("event {} is no text", entry.seq)));
    }
    Ok(Logged {
        seq: entry.seq,
        body: entry.body,
    })
}

/// Reads what is settled of a stream; `None` where the stream is not known.
pub(super) async fn settled(
    connection: &mut SqliteConnection,
    stream: StreamId,
    after: Seq,
    limit: usize,
) -> Result<Option<SettledEvents>, StoreError> {
    let (kind, key) = key_of(stream);
    let mut rows = sqlx::query(
        "SELECT segment.body, status = 'over' OR log_count IS NOT NULL OR log_head IS NOT NULL AS closed \
         FROM stream LEFT JOIN segment ON segment.stream = stream.number AND last > ?3 \
         LEFT JOIN match ON match.number = stream.number \
         WHERE kind = ?1 AND stream.id = ?2 ORDER BY first",
    )
    .bind(kind)
    .bind(key)
    .bind(integer(after.0))
    .fetch(connection);
    let mut found: Option<SettledEvents> = None;
    while let Some(row) = rows.try_next().await? {
        let settled = found.get_or_insert(SettledEvents {
            events: Vec::new(),
            closed: row.try_get::<Option<bool>, _>("closed")?.unwrap_or(false),
        });
        let Some(blob) = row.try_get::<Option<Vec<u8>>, _>("body")? else {
            break;
        };
        for entry in Entries::of(blob) {
            let entry = entry?;
            if entry.seq > after && settled.events.len() < limit {
                settled.events.push(logged(entry)?);
            }
        }
        if settled.events.len() >= limit {
            break;
        }
    }
    Ok(found)
}

/// A log as a whole: numbered from 1 without a gap, and at the end of its hash chain.
pub(crate) fn whole(stream: StreamId, entries: Vec<Entry>) -> Result<Vec<Logged>, StoreError> {
    let mut head = stream.genesis();
    let mut log = Vec::with_capacity(entries.len());
    for (seq, entry) in (1..).map(Seq).zip(entries) {
        if entry.seq != seq {
            return Err(corrupt(format_args!("event {seq} is missing")));
        }
        head = chain::link(&head, &entry.body);
        if head != entry.hash {
            return Err(corrupt(format_args!(
                "the log of {stream} does not fit its hash chain"
            )));
        }
        log.push(logged(entry)?);
    }
    Ok(log)
}

/// The streams with events in the journal, by number: their ids, up to where they are settled, and whether their match is over.
type Known = FxHashMap<i64, (StreamId, Seq, bool)>;

/// Reads the journal as it was left.
///
/// # Errors
/// `Corrupt`, where a batch does not consist of events of known streams: whose events are lost then cannot be told, so nobody
/// may go on as if nothing were. A changed body or link is found with its stream.
pub(super) async fn read_journal(connection: &mut SqliteConnection) -> Result<Journal, StoreError> {
    let journal = Journal::default();
    let rows = sqlx::query("SELECT number, body FROM batch ORDER BY number")
        .fetch_all(&mut *connection)
        .await?;
    let mut batches = Vec::with_capacity(rows.len());
    let mut numbers = Vec::new();
    for row in rows {
        let number: i64 = row.try_get("number")?;
        // Nothing at all would be read as no bytes.
        let blob = row.try_get::<Vec<u8>, _>("body").map_err(StoreError::from);
        let size = blob.as_ref().map_or(0, Vec::len);
        let entries = match blob {
            Ok(blob) if blob.is_empty() => Err(corrupt("it has no events")),
            blob => blob.and_then(|blob| entries_of(blob.into())),
        };
        let entries = entries.map_err(|error| corrupt(format_args!("batch {number}: {error}")))?;
        numbers.extend(entries.iter().map(|entry| entry.stream));
        batches.push((number, size, entries));
    }
    let known = known_streams(&mut *connection, &mut numbers).await?;
    let removed = Removed::read(connection).await?;
    for (number, size, entries) in batches {
        let mut unsettled = Vec::with_capacity(entries.len());
        let streams: Vec<i64> = entries.iter().map(|entry| entry.stream).collect();
        for entry in entries {
            if removed.contains(entry.stream) {
                continue;
            }
            let stream = known.get(&entry.stream);
            let (id, settled, over) = stream.ok_or_else(|| {
                corrupt(format_args!(
                    "batch {number} has an event of log {}, which is not known",
                    entry.stream
                ))
            })?;
            if entry.seq > *settled {
                unsettled.push((*id, *over, entry));
            }
        }
        journal.take(number, size, unsettled.into_iter());
        journal.note_settled(streams.into_iter());
    }
    Ok(journal)
}

async fn known_streams(
    connection: &mut SqliteConnection,
    numbers: &mut Vec<i64>,
) -> Result<Known, StoreError> {
    numbers.sort_unstable();
    numbers.dedup();
    let wanted = serde_json::to_string(&numbers).expect("numbers can be written");
    let rows = sqlx::query(
        "SELECT stream.number, kind, stream.id, status = 'over' AS over, \
         (SELECT max(last) FROM segment WHERE segment.stream = stream.number) AS settled \
         FROM stream LEFT JOIN match ON match.number = stream.number \
         WHERE stream.number IN (SELECT value FROM json_each(?1))",
    )
    .bind(wanted)
    .fetch_all(connection)
    .await?;
    let mut known = Known::default();
    for row in &rows {
        match known_stream(row) {
            Ok((number, stream)) => {
                known.insert(number, stream);
            }
            Err(error) => tracing::error!(%error, "a stream cannot be read"),
        }
    }
    Ok(known)
}

fn known_stream(row: &SqliteRow) -> Result<(i64, (StreamId, Seq, bool)), StoreError> {
    let id = stream_of(row.try_get("kind")?, row.try_get("id")?)?;
    // A segment that does not say where it ends is damage of its stream alone: then all that the journal holds of it counts.
    let settled = row.try_get::<Option<i64>, _>("settled");
    let settled = settled.ok().flatten().and_then(|last| unsigned(last).ok());
    let over = row.try_get::<Option<bool>, _>("over")?.unwrap_or(false);
    let settled = Seq(settled.unwrap_or(0));
    Ok((row.try_get("number")?, (id, settled, over)))
}

/// The blob of a segment as the entries of a stream.
pub(super) fn entries_of(blob: Bytes) -> Result<Vec<Entry>, StoreError> {
    Entries::of(blob).collect()
}
