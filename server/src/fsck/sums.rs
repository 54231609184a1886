//! Rows that no log vouches for: compared with the sums of their tables, and the journal with its last note.

use grundy_shared::ids::Millis;
use sqlx::sqlite::SqliteConnection;

use super::report::{Problem, Report};
use crate::store::StoreError;
use crate::store::sqlite::covered::Covered;
use crate::store::sqlite::run::{self, Run};
use crate::store::sqlite::sums;

/// Since when a server has had the database open, and whether it closed it.
pub(super) async fn check_run(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<Run, StoreError> {
    let run = run::read(connection).await?;
    let opened_at = u64::try_from(run.opened_at).unwrap_or_default();
    report.open_since = run.open.then_some(Millis(opened_at));
    Ok(run)
}

/// Compares each table with its sum. Cost: one pass over the tables, without the events.
pub(super) async fn check_sums(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut recorded = sums::read(connection).await?;
    for covered in Covered::read(connection).await? {
        let table = covered.name.clone();
        let recorded = recorded.remove(&table);
        let Some(recorded) = recorded.filter(|recorded| recorded.is_of(&covered)) else {
            report.find(None, None, Problem::NotSummed { table });
            continue;
        };
        match sums::compute(&covered, connection).await {
            Ok(found) if found == recorded.sum => {}
            Ok(found) => report.find(
                None,
                None,
                Problem::ChangedRows {
                    table,
                    found: found.rows,
                    recorded: recorded.sum.rows,
                },
            ),
            Err(error) => report.note(Err(error)),
        }
    }
    for table in recorded.into_keys() {
        report.find(None, None, Problem::NotSummed { table });
    }
    Ok(())
}

/// Compares the journal with the last note of it. Batches after those of the note were written by moves alone, one after the other.
pub(super) async fn check_journal(
    run: &Run,
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let batches: Vec<(i64, i64)> =
        sqlx::query_as("SELECT number, coalesce(length(body), 0) FROM batch ORDER BY number")
            .fetch_all(connection)
            .await?;
    let noted = run.journal;
    let (before, later): (Vec<_>, Vec<_>) = batches
        .into_iter()
        .partition(|(number, _)| *number <= noted.last);
    let numbers = (noted.first..=noted.last).eq(before.iter().map(|(number, _)| *number));
    let bytes: i64 = before.iter().map(|(_, bytes)| bytes).sum();
    let dense = (noted.last.saturating_add(1)..)
        .zip(&later)
        .all(|(expected, (number, _))| expected == *number);
    if numbers && bytes == noted.bytes && dense {
        return Ok(());
    }
    let words = |first: i64, last: i64, count: usize, bytes: i64| match count {
        0 => "has no batches".to_owned(),
        _ => format!("has {count} of the batches {first} to {last} ({bytes} bytes)"),
    };
    let all: Vec<i64> = before
        .iter()
        .chain(&later)
        .map(|(number, _)| *number)
        .collect();
    let later: i64 = later.iter().map(|(_, bytes)| bytes).sum();
    let (first, last) = (all.first().copied(), all.last().copied());
    let found = words(
        first.unwrap_or_default(),
        last.unwrap_or_default(),
        all.len(),
        bytes.saturating_add(later),
    );
    let noted = match noted.first > noted.last {
        true => format!("should begin with batch {}", noted.first),
        false => format!(
            "should have all of the batches {} to {} ({} bytes)",
            noted.first, noted.last, noted.bytes
        ),
    };
    report.find(None, None, Problem::JournalCut { found, noted });
    Ok(())
}
