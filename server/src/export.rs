//! Writes logs of a database as NDJSON: a header line with the number of events and the head of the hash chain, then a line for each
//! event.
//!
//! A match is written as its record, byte for byte as `grundy games export` writes it. The other logs have the
//! same form under another schema. A log that does not fit its chain is not written at all.

use std::io::{self, Write};
use std::path::Path;

use grundy_shared::ids::BadId;
use grundy_shared::protocol::chat::UnknownRoom;
use grundy_shared::rated::UnknownFamily;
use grundy_shared::{chain, record};
use rustc_hash::FxHashMap;
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use crate::store::sqlite::entries::{Entries, Entry};
use crate::store::sqlite::lock::FileLock;
use crate::store::sqlite::logs::whole;
use crate::store::sqlite::opening::resolve;
use crate::store::sqlite::rows::key_of;
use crate::store::sqlite::schema::connect_reader;
use crate::store::{Logged, StoreError, StreamId, open};

/// The schema of a log that is not of a match.
const SCHEMA: &str = "grundy/log/1";

/// What a log is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A match.
    Match,
    /// A tournament.
    Tournament,
    /// An account.
    Account,
    /// A player's rating in a game family; the id is `PLAYER/FAMILY`.
    Rating,
    /// A room of a match. The id is `MATCH/ROOM`.
    Chat,
    /// What operators have done; the id is `server`.
    Audit,
    /// The puzzles that a player has tried; the id is that of the player.
    Solving,
    /// The attempts at a puzzle.
    Puzzle,
}

impl Kind {
    /// The word for it, also the name of its field in the header.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Tournament => "tournament",
            Self::Account => "account",
            Self::Rating => "rating",
            Self::Chat => "chat",
            Self::Audit => "audit",
            Self::Solving => "solving",
            Self::Puzzle => "puzzle",
        }
    }

    fn of(stream: StreamId) -> Self {
        match stream {
            StreamId::Match(_) => Self::Match,
            StreamId::Tournament(_) => Self::Tournament,
            StreamId::Account(_) => Self::Account,
            StreamId::Rating(..) => Self::Rating,
            StreamId::Chat(..) => Self::Chat,
            StreamId::Audit => Self::Audit,
            StreamId::Solving(_) => Self::Solving,
            StreamId::Puzzle(_) => Self::Puzzle,
        }
    }

    fn stream(self, id: &str) -> Result<StreamId, BadLogId> {
        Ok(match self {
            Self::Match => StreamId::Match(id.parse()?),
            Self::Tournament => StreamId::Tournament(id.parse()?),
            Self::Account => StreamId::Account(id.parse()?),
            Self::Rating => {
                let (player, family) = id.split_once('/').ok_or(BadLogId::NoFamily)?;
                StreamId::Rating(player.parse()?, family.parse()?)
            }
            Self::Chat => {
                let (id, room) = id.split_once('/').ok_or(BadLogId::NoRoom)?;
                StreamId::Chat(id.parse()?, room.parse()?)
            }
            Self::Audit if id == "server" => StreamId::Audit,
            Self::Audit => return Err(BadLogId::NotServer),
            Self::Solving => StreamId::Solving(id.parse()?),
            Self::Puzzle => StreamId::Puzzle(id.parse()?),
        })
    }
}

/// Why a text is not the id of a log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadLogId {
    /// The id of a match, a tournament or a player.
    #[error("{0}")]
    Id(#[from] BadId),
    /// A rating is a player's in a family.
    #[error("not of the form PLAYER/FAMILY")]
    NoFamily,
    /// There is no such family.
    #[error("not a rating: {0}")]
    Family(#[from] UnknownFamily),
    /// Each room of a match has a log.
    #[error("not of the form MATCH/ROOM")]
    NoRoom,
    /// There is one audit log.
    #[error("not `server`, the id of the one audit log")]
    NotServer,
    /// There is no such room.
    #[error("not a room: {0}")]
    Room(#[from] UnknownRoom),
}

/// Why logs were not written, or not all of them.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The text is not an id.
    #[error("{id:?} is {why}")]
    BadId {
        /// The text.
        id: String,
        /// What is wrong with it.
        why: BadLogId,
    },
    /// The database has no such log.
    #[error("the database has no log of {0}; check the id, and --data or --database")]
    Unknown(StreamId),
    /// The database cannot be read, or a log is damaged.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was read cannot be written.
    #[error("cannot write the export: {0}")]
    Write(#[from] io::Error),
}

impl From<sqlx::Error> for ExportError {
    fn from(error: sqlx::Error) -> Self {
        StoreError::from(error).into()
    }
}

/// Writes these logs of the database at this path, in this order. Nothing is written unless all of them are known. One log and the
/// journal, which is bounded, are in memory at a time. No server may use the database meanwhile. In place of a path, it may be the address of a PostgreSQL
/// database, which servers may use.
///
/// # Errors
/// [`ExportError`]. A damaged log ends the export; the logs before it are written.
pub async fn export(
    path: &Path,
    kind: Kind,
    ids: &[String],
    mut out: impl Write,
) -> Result<(), ExportError> {
    let parsed = ids.iter().map(|id| {
        kind.stream(id).map_err(|why| ExportError::BadId {
            id: id.clone(),
            why,
        })
    });
    let streams: Vec<StreamId> = parsed.collect::<Result<_, _>>()?;
    if let Some(mut logs) = open::whole_logs(path).await? {
        for stream in &streams {
            if !logs.knows(*stream).await? {
                return Err(ExportError::Unknown(*stream));
            }
        }
        for stream in streams {
            let log = logs.read(stream).await?;
            write_log(stream, &log.unwrap_or_default(), &mut out)?;
        }
        return Ok(out.flush()?);
    }
    let path = resolve(path)?;
    if !path.exists() {
        let why = "there is no such file".to_owned();
        return Err(StoreError::Unusable { path, why }.into());
    }
    let _lock = FileLock::take(&path)?;
    let mut connection = connect_reader(&path).await?;
    let mut numbers = Vec::with_capacity(streams.len());
    for stream in streams {
        numbers.push((number_of(&mut connection, stream).await?, stream));
    }
    let unsettled = read_journal(&mut connection).await?;
    for (number, stream) in numbers {
        let journal = unsettled.get(&number).map_or(&[][..], Vec::as_slice);
        let log = read_log(&mut connection, number, stream, journal).await?;
        write_log(stream, &log, &mut out)?;
    }
    out.flush()?;
    Ok(())
}

async fn number_of(
    connection: &mut SqliteConnection,
    stream: StreamId,
) -> Result<i64, ExportError> {
    let (kind, key) = key_of(stream);
    let number = sqlx::query_scalar("SELECT number FROM stream WHERE kind = ?1 AND id = ?2")
        .bind(kind)
        .bind(key)
        .fetch_optional(connection)
        .await?;
    number.ok_or(ExportError::Unknown(stream))
}

/// The events of the journal by the numbers of their streams.
async fn read_journal(
    connection: &mut SqliteConnection,
) -> Result<FxHashMap<i64, Vec<Entry>>, ExportError> {
    let blobs: Vec<Vec<u8>> = sqlx::query_scalar("SELECT body FROM batch ORDER BY number")
        .fetch_all(connection)
        .await?;
    let mut unsettled = FxHashMap::<i64, Vec<Entry>>::default();
    for entry in blobs.into_iter().flat_map(Entries::of) {
        let entry = entry?;
        unsettled.entry(entry.stream).or_default().push(entry);
    }
    Ok(unsettled)
}

/// A log as a whole, checked against its hash chain and, if its match is closed, against its end.
async fn read_log(
    connection: &mut SqliteConnection,
    number: i64,
    stream: StreamId,
    journal: &[Entry],
) -> Result<Vec<Logged>, ExportError> {
    let blobs: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT body FROM segment WHERE stream = ?1 ORDER BY first")
            .bind(number)
            .fetch_all(&mut *connection)
            .await?;
    let mut entries = Vec::new();
    for entry in blobs.into_iter().flat_map(Entries::of) {
        entries.push(entry?);
    }
    // What is in a segment too was settled.
    let settled = entries.last().map(|entry| entry.seq).unwrap_or_default();
    entries.extend(journal.iter().filter(|entry| entry.seq > settled).cloned());
    let head = entries.last().map(|entry| entry.hash);
    let log = whole(stream, entries)?;
    let closed = sqlx::query("SELECT log_count, log_head FROM match WHERE number = ?1")
        .bind(number)
        .fetch_optional(connection)
        .await?;
    if let Some(row) = closed {
        let (count, end) = (
            row.try_get::<Option<i64>, _>("log_count")?,
            row.try_get::<Option<Vec<u8>>, _>("log_head")?,
        );
        let fits = count.is_none_or(|count| usize::try_from(count) == Ok(log.len()))
            && end.is_none_or(|end| head.is_some_and(|head| head[..] == end[..]));
        if !fits {
            let why = format!("the log of {stream} does not end where the match was closed");
            return Err(StoreError::Corrupt { why }.into());
        }
    }
    Ok(log)
}

fn write_log(stream: StreamId, log: &[Logged], out: &mut impl Write) -> io::Result<()> {
    let head = log.iter().fold(stream.genesis(), |head, event| {
        chain::link(&head, &event.body)
    });
    let head: String = head.iter().map(|byte| format!("{byte:02x}")).collect();
    let (schema, id) = match stream {
        StreamId::Match(id) => (record::SCHEMA, id.to_string()),
        StreamId::Tournament(id) => (SCHEMA, id.to_string()),
        StreamId::Account(id) => (SCHEMA, id.to_string()),
        StreamId::Rating(id, family) => (SCHEMA, format!("{id}/{family}")),
        StreamId::Chat(id, room) => (SCHEMA, format!("{id}/{room}")),
        StreamId::Audit => (SCHEMA, "server".to_owned()),
        StreamId::Solving(id) => (SCHEMA, id.to_string()),
        StreamId::Puzzle(id) => (SCHEMA, id.to_string()),
    };
    let (of, events) = (Kind::of(stream).word(), log.len());
    writeln!(
        out,
        r#"{{"schema":"{schema}","{of}":"{id}","events":{events},"head":"{head}"}}"#
    )?;
    for event in log {
        writeln!(out, r#"{{"seq":{},"body":{}}}"#, event.seq, event.text())?;
    }
    Ok(())
}
