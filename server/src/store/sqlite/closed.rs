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

    /// Checks the log of a finished match, unless it was found sound before. Cost: linear in its events the first time, with one of them in
    /// memory at a time; if the first look finds damage, also linear in the journal, which is bounded.
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
        let unsettled = journal.entries_after(id.into(), Seq(0));
        match check_log(id, &unsettled, unverified, connection).await {
            Err(error) if error.is_damage() => {
                // An event may have been committed between the two readings.
                tracing::debug!(match_id = %id, %error, "a finished match is checked a second time");
                check_at_one_moment(id, unverified, connection).await?;
            }
            checked => checked?,
        }
        let mut sound = self.lock();
        if sound.len() >= REMEMBERED {
            sound.clear();
        }
        sound.insert(id);
        Ok(())
    }
}

/// Checks a log as a restart would read it: its unsettled events, too, come from the database, and everything is read in one transaction.
async fn check_at_one_moment(
    id: MatchId,
    unverified: &Unverified,
    connection: &mut SqliteConnection,
) -> Result<(), StoreError> {
    sqlx::query("BEGIN").execute(&mut *connection).await?;
    let checked = async {
        let unsettled = stored_journal_of(id, connection).await?;
        check_log(id, &unsettled, unverified, connection).await
    };
    let checked = checked.await;
    sqlx::query("ROLLBACK").execute(connection).await?;
    checked
}

/// The events of a match in the batches of the journal. Cost: linear in the journal.
async fn stored_journal_of(
    id: MatchId,
    connection: &mut SqliteConnection,
) -> Result<Vec<Entry>, StoreError> {
    let number: Option<i64> = sqlx::query_scalar("SELECT number FROM match WHERE id = ?1")
        .bind(id.to_i64())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(number) = number else {
        return Ok(Vec::new());
    };
    let mut batches =
        sqlx::query("SELECT body FROM batch WHERE instr(body, ?1) > 0 ORDER BY number")
            .bind(number.to_be_bytes().to_vec())
            .fetch(connection);
    let mut unsettled = Vec::new();
    while let Some(row) = batches.try_next().await? {
        for entry in Entries::of(row.try_get::<Vec<u8>, _>("body")?) {
            let entry = entry?;
            if entry.stream == number {
                unsettled.push(entry);
            }
        }
    }
    Ok(unsettled)
}

/// Compares the log with the end in the row of its match: one statement reads both, but for `unsettled`, the events that are in the journal. What is not
/// settled yet was written since the start, or checked then. The summary is compared with the log, too: if they differ, the log counts,
/// and the summary is no longer shown.
async fn check_log(
    id: MatchId,
    unsettled: &[Entry],
    unverified: &Unverified,
    connection: &mut SqliteConnection,
) -> Result<(), StoreError> {
    let mut rows = sqlx::query(concat!(
        "SELECT number, log_count, log_head, body, ",
        sealed_columns!(),
        " FROM match LEFT JOIN segment ON stream = number WHERE id = ?1 ORDER BY first"
    ))
    .bind(id.to_i64())
    .fetch(connection);
    let mut end = None;
    let (mut count, mut head) = (0, chain::genesis(id));
    let (mut said, mut stored) = (Derived::Nothing, None);
    while let Some(row) = rows.try_next().await? {
        if stored.is_none() {
            stored = Some((row.try_get::<i64, _>("number")?, read_sealed(&row)));
        }
        end = Some((row.try_get("log_count")?, row.try_get("log_head")?));
        let Some(blob) = row.try_get::<Option<Vec<u8>>, _>("body")? else {
            break;
        };
        for entry in Entries::of(blob) {
            let entry = entry?;
            (count, head) = follow(count, head, &entry)?;
            said.take(&entry.body);
        }
    }
    let settled = count;
    for entry in unsettled {
        if entry.seq.0 > count {
            (count, head) = follow(count, head, entry)?;
            said.take(&entry.body);
        }
    }
    // Removed meanwhile: nothing is left to compare.
    let Some(end) = end else {
        return Ok(());
    };
    let (Some(closed), Some(last)): (Option<i64>, Option<Vec<u8>>) = end else {
        return Err(corrupt("the match is over, but was not closed".to_owned()));
    };
    if unsigned(closed)? != count {
        return Err(corrupt(format!(
            "the match was closed with {closed} events, and has {count}: {settled} of them settled, {} in the journal",
            count - settled
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

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use grundy_shared::event::TimeControl;
    use grundy_shared::ids::{Millis, Ply};
    use sqlx::ConnectOptions;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::*;
    use crate::store::sqlite::SqliteStore;
    use crate::store::sqlite::schema::connect_reader;
    use crate::store::{Commit, MatchStatus, NodeId, Store};

    fn row(status: MatchStatus) -> MatchRow {
        MatchRow {
            start: "nim:3,5,7".to_owned(),
            clock: TimeControl::Untimed {},
            first: None,
            second: None,
            status,
            outcome: None,
            reason: None,
            plies: Ply(0),
            created_at: Millis(1),
            ended_at: (status == MatchStatus::Over).then_some(Millis(2)),
            rematch_of: None,
            series: None,
        }
    }

    /// The check reads the journal from memory and then the rows, so memory is behind whatever is committed or settled in between.
    #[tokio::test]
    async fn a_journal_that_is_behind_the_rows_is_not_taken_for_damage() {
        let directory = tempfile::TempDir::new().unwrap();
        let path = directory.path().join("grundy.db");
        let store = SqliteStore::open(&path).await.unwrap();
        let lease = store.enlist(NodeId::ONLY, Millis(1)).await.unwrap();
        let id = MatchId::from_random(7);
        let append = |expected| Commit::append(id, Seq(expected), vec![Bytes::from_static(b"{}")]);
        let mut behind = vec![Journal::default()];
        for (expected, status) in [
            (0, Some(MatchStatus::Live)),
            (1, Some(MatchStatus::Over)),
            (2, None),
            (3, None),
        ] {
            let commit = match status {
                Some(status) => append(expected).with_row(id, row(status)),
                None => append(expected),
            };
            assert_eq!(store.commit(lease, vec![commit]).await, [Ok(())]);
            let then = Journal::default();
            let entries = store.journal.entries_after(id.into(), Seq(0));
            let entries = entries.into_iter().map(|entry| (id.into(), true, entry));
            then.take(1, 0, entries);
            behind.push(then);
        }
        let mut connection = connect_reader(&path).await.unwrap();
        for (commits, journal) in behind.iter().enumerate() {
            let sound = Sound::default();
            let unverified = Unverified::default();
            let checked = sound.check(id, journal, &unverified, &mut connection);
            assert_eq!(checked.await, Ok(()), "memory of {commits} commits of 4");
        }

        store.close().await;
        let changed = "UPDATE match SET log_count = 5";
        let options = SqliteConnectOptions::new().filename(&path);
        let mut other = options.connect().await.unwrap();
        sqlx::query(changed).execute(&mut other).await.unwrap();
        let (sound, unverified) = (Sound::default(), Unverified::default());
        let checked = sound.check(id, &behind[0], &unverified, &mut connection);
        let error = checked.await.unwrap_err().to_string();
        let seen = "closed with 5 events, and has 4: ";
        assert!(error.contains(seen), "{error}");
    }
}
