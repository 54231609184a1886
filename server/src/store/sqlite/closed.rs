//! Logs of finished matches: checked against the end that was written down, before anything of them is told.

use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::TryStreamExt;
use grundy_shared::chain::{self, Hash};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::referee::Referee;
use rustc_hash::FxHashSet;
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::entries::{Entries, Entry};
use super::journal::Journal;
use super::rows::unsigned;
use super::seal::{read_sealed, sealed_columns};
use super::unverified::Unverified;
use crate::store::{MatchRow, StoreError, StreamId};

/// Matches remembered as sound, about 1 MiB; beyond them all are forgotten, and checked again when they are asked for.
const REMEMBERED: usize = 65_536;

/// The finished matches whose logs were found sound since the start.
#[derive(Debug, Default)]
pub(super) struct Sound(Mutex<FxHashSet<MatchId>>);

impl Sound {
    fn lock(&self) -> MutexGuard<'_, FxHashSet<MatchId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what was found of these logs, which are others now.
    pub(super) fn forget(&self, streams: impl Iterator<Item = StreamId>) {
        let mut sound = self.lock();
        for stream in streams {
            if let StreamId::Match(id) = stream {
                sound.remove(&id);
            }
        }
    }

    /// Checks the log of a finished match, unless it was found sound before. Cost: linear in its events the first time; one of them is
    /// in memory at a time.
    ///
    /// # Errors
    /// `Corrupt` where the events are not those with which the match was closed.
    pub(super) async fn check(
        &self,
        id: MatchId,
        journal: &Journal,
        unverified: &Unverified,
        connection: &mut SqliteConnection,
    ) -> Result<(), StoreError> {
        if self.lock().contains(&id) {
            return Ok(());
        }
        check_log(id, journal, unverified, connection).await?;
        let mut sound = self.lock();
        if sound.len() >= REMEMBERED {
            sound.clear();
        }
        sound.insert(id);
        Ok(())
    }
}

/// One statement, so that it sees the log and its end at one moment. What of the log is not settled yet was written since the start,
/// or checked then. The summary is compared with the log, too: if they differ, the log counts, and the summary is no longer shown.
async fn check_log(
    id: MatchId,
    journal: &Journal,
    unverified: &Unverified,
    connection: &mut SqliteConnection,
) -> Result<(), StoreError> {
    let unsettled = journal.entries_after(id.into(), Seq(0));
    let mut rows = sqlx::query(concat!(
        "SELECT number, log_count, log_head, body, ",
        sealed_columns!(),
        " FROM match LEFT JOIN segment ON stream = number WHERE id = ?1 ORDER BY first"
    ))
    .bind(id.to_i64())
    .fetch(connection);
    let mut end = (None, None);
    let (mut count, mut head) = (0, chain::genesis(id));
    let (mut said, mut stored) = (Derived::Nothing, None);
    while let Some(row) = rows.try_next().await? {
        if stored.is_none() {
            stored = Some((row.try_get::<i64, _>("number")?, read_sealed(&row)));
        }
        end = (row.try_get("log_count")?, row.try_get("log_head")?);
        let Some(blob) = row.try_get::<Option<Vec<u8>>, _>("body")? else {
            break;
        };
        for entry in Entries::of(blob) {
            let entry = entry?;
            (count, head) = follow(count, head, &entry)?;
            said.take(&entry.body);
        }
    }
    for entry in &unsettled {
        if entry.seq.0 > count {
            (count, head) = follow(count, head, entry)?;
            said.take(&entry.body);
        }
    }
    let (Some(closed), Some(last)): (Option<i64>, Option<Vec<u8>>) = end else {
        return Err(corrupt("the match is over, but was not closed".to_owned()));
    };
    if unsigned(closed)? != count {
        return Err(corrupt(format!(
            "the match was closed with {closed} events, and has {count}"
        )));
    }
    if *last != head {
        return Err(corrupt(
            "the events are not those with which the match was closed".to_owned(),
        ));
    }
    if let Some((number, stored)) = stored {
        let checked = stored.and_then(|(_, stored, _)| match said {
            Derived::Row(row) if *row != stored => Err(corrupt(
                "the log says otherwise than the summary".to_owned(),
            )),
            Derived::Row(_) | Derived::Nothing | Derived::Unreadable => Ok(()),
        });
        if let Err(error) = checked {
            unverified.note("match", &number, &error);
        }
    }
    Ok(())
}

/// The summary that follows from the events so far.
enum Derived {
    Nothing,
    Row(Box<MatchRow>),
    /// An event cannot be read: whoever reads the log learns it.
    Unreadable,
}

impl Derived {
    fn take(&mut self, body: &[u8]) {
        let Ok(event) = serde_json::from_slice::<Event>(body) else {
            *self = Self::Unreadable;
            return;
        };
        match self {
            Self::Row(row) => row.follow(&event),
            Self::Nothing => {
                *self = match Referee::replay(&[event]) {
                    Ok(referee) => Self::Row(Box::new(MatchRow::of(&referee, None))),
                    Err(_) => Self::Unreadable,
                };
            }
            Self::Unreadable => {}
        }
    }
}

fn follow(count: u64, head: Hash, entry: &Entry) -> Result<(u64, Hash), StoreError> {
    let count = count + 1;
    if entry.seq.0 != count {
        return Err(corrupt(format!("event {count} is missing")));
    }
    Ok((count, chain::link(&head, &entry.body)))
}

fn corrupt(why: String) -> StoreError {
    StoreError::Corrupt { why }
}
