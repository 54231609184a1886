//! Logs of finished matches: checked against the end that was written down, before anything of them is told.

use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::TryStreamExt;
use grundy_shared::chain;
use grundy_shared::ids::MatchId;
use rustc_hash::FxHashSet;
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::rows::unsigned;
use crate::store::StoreError;

/// Matches remembered as sound, about 1 MiB; beyond them all are forgotten, and checked again when they are asked for.
const REMEMBERED: usize = 65_536;

/// The finished matches whose logs were found sound since the start.
#[derive(Debug, Default)]
pub(super) struct Sound(Mutex<FxHashSet<MatchId>>);

impl Sound {
    fn lock(&self) -> MutexGuard<'_, FxHashSet<MatchId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks the log of a finished match, unless it was found sound before. Cost: linear in its events the first time; one of them is
    /// in memory at a time.
    ///
    /// # Errors
    /// `Corrupt` where the events are not those with which the match was closed.
    pub(super) async fn check(
        &self,
        id: MatchId,
        connection: &mut SqliteConnection,
    ) -> Result<(), StoreError> {
        if self.lock().contains(&id) {
            return Ok(());
        }
        check_log(id, connection).await?;
        let mut sound = self.lock();
        if sound.len() >= REMEMBERED {
            sound.clear();
        }
        sound.insert(id);
        Ok(())
    }
}

/// One statement, so that it sees the log and its end at one moment.
async fn check_log(id: MatchId, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut rows = sqlx::query(
        "SELECT log_count, log_head, seq, CAST(body AS BLOB) AS body \
         FROM match LEFT JOIN event ON match = number WHERE id = ?1 ORDER BY seq",
    )
    .bind(id.to_i64())
    .fetch(connection);
    let mut end = (None, None);
    let (mut count, mut head) = (0, chain::genesis(id));
    while let Some(row) = rows.try_next().await? {
        if count == 0 {
            end = (row.try_get("log_count")?, row.try_get("log_head")?);
        }
        // A match without events is one row of nulls.
        let Some(seq) = row.try_get::<Option<i64>, _>("seq")? else {
            break;
        };
        count += 1;
        if unsigned(seq)? != count {
            return Err(corrupt(format!("event {count} is missing")));
        }
        head = chain::link(&head, row.try_get("body")?);
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
    Ok(())
}

fn corrupt(why: String) -> StoreError {
    StoreError::Corrupt { why }
}
