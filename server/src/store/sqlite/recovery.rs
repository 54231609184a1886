//! Matches that are not over, with their logs, for a server that starts.

use futures::TryStreamExt;
use grundy_shared::ids::{MatchId, Seq};
use rustc_hash::FxHashMap;
use sqlx::Row;

use super::SqliteStore;
use super::entries::Entry;
use super::logs::{entries_of, whole};
use super::rows::{limit, match_id};
use crate::store::{Cursor, LIVE_PAGE, Logged, NodeId, OpenMatchLog, StoreError};

impl SqliteStore {
    /// A page of matches that are not over: number and id. An id that cannot be read is logged, and its match left out.
    pub(super) async fn live_page(
        &self,
        owner: NodeId,
        after: i64,
    ) -> Result<Vec<(i64, MatchId)>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let rows = sqlx::query(
                        "SELECT number, id FROM match WHERE status <> 'over' AND number > ?1 AND owner = ?2 ORDER BY number LIMIT ?3",
                    )
                    .bind(after)
                    .bind(owner.0)
                    .bind(limit(LIVE_PAGE, LIVE_PAGE))
                    .fetch_all(connection)
                    .await?;
                    let mut page = Vec::with_capacity(rows.len());
                    for row in rows {
                        let number = row.try_get("number")?;
                        let id = row.try_get("id").map_err(StoreError::from);
                        match id.and_then(match_id) {
                            Ok(id) => page.push((number, id)),
                            Err(error) => tracing::error!(number, %error, "a match has lost its id"),
                        }
                    }
                    Ok(page)
                })
            })
            .await
    }

    /// The settled entries of the matches with these numbers.
    async fn segments(
        &self,
        numbers: &[i64],
    ) -> Result<FxHashMap<i64, Result<Vec<Entry>, StoreError>>, StoreError> {
        let wanted = serde_json::to_string(numbers).expect("numbers can be written");
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let mut rows = sqlx::query(
                        "SELECT stream, body FROM segment WHERE stream IN (SELECT value FROM json_each(?1)) ORDER BY stream, first",
                    )
                    .bind(wanted)
                    .fetch(connection);
                    let mut found: FxHashMap<i64, Result<Vec<Entry>, StoreError>> =
                        FxHashMap::default();
                    while let Some(row) = rows.try_next().await? {
                        let number = row.try_get("stream")?;
                        let blob = row.try_get::<Vec<u8>, _>("body").map_err(StoreError::from);
                        let entries = blob.and_then(|blob| entries_of(blob.into()));
                        let log = found.entry(number).or_insert_with(|| Ok(Vec::new()));
                        match (log.as_mut(), entries) {
                            (Ok(log), Ok(entries)) => log.extend(entries),
                            (Ok(_), Err(error)) => *log = Err(error),
                            (Err(_), _) => {}
                        }
                    }
                    Ok(found)
                })
            })
            .await
    }

    /// These matches with their logs. What one of them cannot be read for does not hide the others.
    pub(super) async fn with_logs(
        &self,
        page: &[(i64, MatchId)],
    ) -> Result<Vec<OpenMatchLog>, StoreError> {
        let numbers: Vec<i64> = page.iter().map(|(number, _)| *number).collect();
        // Unsettled events first: they may be settled while the rest is read, but settled events never become unsettled.
        let entries_of =
            |(_, id): &(i64, MatchId)| self.journal.entries_after((*id).into(), Seq(0));
        let unsettled: Vec<_> = page.iter().map(entries_of).collect();
        let mut settled = match self.segments(&numbers).await {
            Err(StoreError::Closed) => return Err(StoreError::Closed),
            Err(error) if page.len() == 1 => {
                FxHashMap::from_iter([(numbers[0], Err(error.clone()))])
            }
            Err(_) => {
                let mut each = Vec::with_capacity(page.len());
                for one in page {
                    each.extend(Box::pin(self.with_logs(std::slice::from_ref(one))).await?);
                }
                return Ok(each);
            }
            Ok(settled) => settled,
        };
        let matches = page.iter().zip(unsettled);
        let matches = matches.map(|((number, id), unsettled)| OpenMatchLog {
            cursor: Cursor::number(*number),
            id: *id,
            log: live_log(*id, settled.remove(number), unsettled),
        });
        Ok(matches.collect())
    }
}

/// The whole log of a match, from its settled entries and those of the journal.
fn live_log(
    id: MatchId,
    settled: Option<Result<Vec<Entry>, StoreError>>,
    unsettled: Vec<Entry>,
) -> Result<Vec<Logged>, StoreError> {
    let mut entries = settled.unwrap_or_else(|| Ok(Vec::new()))?;
    let last = entries.last().map_or(Seq(0), |last| last.seq);
    entries.extend(unsettled.into_iter().filter(|entry| entry.seq > last));
    whole(id.into(), entries)
}
