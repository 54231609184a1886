//! Events that another program changes or removes.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection};

use super::chance::Chance;
use crate::blobs::{self, other_hand};

/// A kind of change: its name, which logs, and what happens to one of them.
pub(super) type LogKind = (&'static str, &'static str, LogChange);

/// What happens to a log.
#[derive(Clone, Copy)]
pub(super) enum LogChange {
    /// A bit of an event flips.
    Flip,
    /// An event before the last is removed.
    Remove,
    /// The last events are removed.
    CutTail,
    /// All events are removed.
    Empty,
    /// A bit of a link of the chain flips.
    FlipLink,
}

const OVER: &str = "SELECT number FROM match WHERE status = 'over'";
const RUNNING: &str = "SELECT number FROM match WHERE status = 'live'";

pub(super) const LOGS: &[LogKind] = &[
    ("finished match: a bit of an event", OVER, LogChange::Flip),
    (
        "finished match: a bit of the chain",
        OVER,
        LogChange::FlipLink,
    ),
    ("finished match: an event removed", OVER, LogChange::Remove),
    ("finished match: tail cut", OVER, LogChange::CutTail),
    ("running match: a bit of an event", RUNNING, LogChange::Flip),
    (
        "running match: an event removed",
        RUNNING,
        LogChange::Remove,
    ),
    ("running match: tail cut", RUNNING, LogChange::CutTail),
    (
        "running match: all events removed",
        RUNNING,
        LogChange::Empty,
    ),
    (
        "tournament: a bit of an event",
        "SELECT number FROM stream WHERE kind = 1",
        LogChange::Flip,
    ),
    (
        "tournament: tail cut",
        "SELECT number FROM stream WHERE kind = 1",
        LogChange::CutTail,
    ),
    (
        "account: a bit of an event",
        "SELECT number FROM stream WHERE kind = 2",
        LogChange::Flip,
    ),
    (
        "account: tail cut",
        "SELECT number FROM stream WHERE kind = 2",
        LogChange::CutTail,
    ),
    (
        "rating: a bit of an event",
        "SELECT number FROM stream WHERE kind = 3",
        LogChange::Flip,
    ),
    (
        "rating: log emptied",
        "SELECT number FROM stream WHERE kind = 3",
        LogChange::Empty,
    ),
    (
        "chat: a bit of a line",
        "SELECT number FROM stream WHERE kind = 4",
        LogChange::Flip,
    ),
    (
        "chat: a line removed",
        "SELECT number FROM stream WHERE kind = 4",
        LogChange::Remove,
    ),
    (
        "chat: tail cut",
        "SELECT number FROM stream WHERE kind = 4",
        LogChange::CutTail,
    ),
];

/// The number of the last event of a log; 0 if there is none.
async fn last_of(path: &Path, log: u64) -> u64 {
    let mut connection = other_hand(path).await;
    let blobs: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT body FROM segment UNION ALL SELECT body FROM batch")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    connection.close().await.unwrap();
    let entries = blobs.iter().flat_map(|blob| blobs::read(blob));
    let of = entries.filter(|entry| entry.stream == log);
    of.map(|entry| entry.seq).max().unwrap_or(0)
}

/// Makes a change of this kind.
pub(super) async fn change((name, which, change): LogKind, path: &Path, chance: &mut Chance) {
    let mut connection = other_hand(path).await;
    let logs: Vec<i64> = sqlx::query_scalar(AssertSqlSafe(which.to_owned()))
        .fetch_all(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let log = u64::try_from(logs[chance.below(logs.len())]).unwrap();
    let last = last_of(path, log).await;
    assert!(last > 0, "{name}: log {log} has no events");
    let at = 1 + chance.below(last as usize) as u64;
    let cut = chance.below(last as usize) as u64;
    let (place, bit) = (chance.below(1_000), 1 << chance.below(8));
    match change {
        LogChange::Flip => {
            blobs::change_event(path, log, at, |event| {
                let place = place % event.body.len();
                event.body[place] ^= bit;
            })
            .await;
        }
        LogChange::FlipLink => {
            blobs::change_event(path, log, at, |event| event.hash[place % 32] ^= bit).await;
        }
        LogChange::Remove => {
            let at = at.min(last - 1).max(1);
            blobs::remove(path, |stream, seq| (stream, seq) == (log, at)).await;
        }
        LogChange::CutTail => {
            blobs::remove(path, |stream, seq| stream == log && seq > cut.max(1)).await;
        }
        LogChange::Empty => blobs::remove(path, |stream, _| stream == log).await,
    }
}
