//! Checks a database offline: that nothing was lost, changed or made up.
//!
//! Every log must be dense, fit its hash chain, and be a match that the referee accepts; every summary must be what its
//! log says; a finished match must end where it ended when it was closed; no match may be missing between two others, and whatever
//! refers to something must find it. One match is in memory at a time. What cannot be read is a finding, and the rest is checked.

mod log;
mod references;
mod report;

use std::path::Path;

use futures::TryStreamExt;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Row};

use self::log::{Log, Summary};
use self::references::{
    check_codes, check_nodes, check_players, check_references, check_rematches,
};
use self::report::LISTED;
pub use self::report::{Finding, Problem, Report};
use crate::store::StoreError;
use crate::store::sqlite::lock::FileLock;
use crate::store::sqlite::rows::row_columns;
use crate::store::sqlite::schema::{connect_reader, resolve};

/// Summaries in memory at a time.
const MATCHES_A_PAGE: i64 = 256;

/// Checks the database at this path; costs one pass over it. No server may use it meanwhile.
///
/// # Errors
/// It is not there, not ours, newer than this program, in use, or too damaged to be opened.
pub async fn fsck(path: &Path) -> Result<Report, StoreError> {
    let path = resolve(path)?;
    if !path.exists() {
        return Err(StoreError::Unusable {
            path,
            why: "there is no such file".to_owned(),
        });
    }
    let lock = FileLock::take(&path)?;
    let mut report = Report::default();
    if lock.misses_log() {
        report.find(None, None, Problem::LogMissing {});
    }
    let mut connection = connect_reader(&path).await?;
    let done = check_file(&mut connection, &mut report).await;
    report.note(done);
    let done = check_matches(&mut connection, &mut report).await;
    report.note(done);
    let done = check_references(&mut connection, &mut report).await;
    report.note(done);
    let done = check_players(&mut connection, &mut report).await;
    report.note(done);
    let done = check_codes(&mut connection, &mut report).await;
    report.note(done);
    let done = check_nodes(&mut connection, &mut report).await;
    report.note(done);
    Ok(report)
}

async fn check_file(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let lines: Vec<String> =
        sqlx::query_scalar(AssertSqlSafe(format!("PRAGMA integrity_check({LISTED})")))
            .fetch_all(&mut *connection)
            .await?;
    for detail in lines {
        if detail != "ok" {
            report.find(None, None, Problem::Damaged { detail });
        }
    }
    let orphans: Vec<String> =
        sqlx::query_scalar("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1000")
            .fetch_all(connection)
            .await?;
    for table in orphans {
        report.find(None, None, Problem::Orphan { table });
    }
    Ok(())
}

async fn check_matches(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut after = i64::MIN;
    while let Some(last) = check_page(connection, after, report).await? {
        after = last;
    }
    Ok(())
}

/// Checks the next matches; the number of the last, or `None` at the end.
async fn check_page(
    connection: &mut SqliteConnection,
    after: i64,
    report: &mut Report,
) -> Result<Option<i64>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT number, id, log_count, log_head, ",
        row_columns!(),
        " FROM match WHERE number > ?1 ORDER BY number LIMIT ?2"
    ))
    .bind(after)
    .bind(MATCHES_A_PAGE)
    .fetch_all(&mut *connection)
    .await?;
    let Some(last) = rows.last() else {
        return Ok(None);
    };
    let last: i64 = last.try_get("number")?;
    let mut events = sqlx::query(
        "SELECT match, seq, CAST(body AS BLOB) AS body, hash FROM event \
         WHERE match > ?1 AND match <= ?2 ORDER BY match, seq",
    )
    .bind(after)
    .bind(last)
    .fetch(&mut *connection);
    let mut next = events.try_next().await;
    let mut rematches = Vec::new();
    let mut before = after.max(0);
    for row in &rows {
        let number: i64 = row.try_get("number")?;
        if number > before + 1 {
            // The server numbers matches without a gap, and removes none.
            report.find(None, None, Problem::MatchGone { number: before + 1 });
        }
        before = before.max(number);
        let Some(summary) = Summary::read(row, report) else {
            continue;
        };
        let mut log = Log::new(summary.id);
        while let Ok(Some(event)) = &next {
            // What is no number belongs to no match: SQLite's own check names it.
            let owner = event.try_get::<i64, _>("match").unwrap_or(i64::MIN);
            if owner > number {
                break;
            }
            if owner == number {
                log.take(event, report);
            }
            next = events.try_next().await;
        }
        if let Err(error) = &next {
            let detail = error.to_string();
            report.find(Some(summary.id), None, Problem::Damaged { detail });
            break;
        }
        report.matches += 1;
        if let Some(rematch) = log.finish(&summary, report) {
            rematches.push((summary.id, rematch));
        }
    }
    drop(events);
    check_rematches(connection, &rematches, report).await?;
    Ok(Some(last))
}

/// A value of a column; `None` when it is none that the server writes, which is noted.
fn value<T>(
    read: Result<T, impl Into<StoreError>>,
    note: impl FnOnce(Problem),
    place: [&str; 2],
) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(error) => {
            let [table, column] = place.map(str::to_owned);
            let why = error.into().to_string();
            note(Problem::BadValue { table, column, why });
            None
        }
    }
}
