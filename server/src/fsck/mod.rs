//! Checks a database offline: that nothing was lost, changed or made up.
//!
//! Every log must be dense, fit its hash chain, and be a match that the referee accepts; every summary must be what its
//! log says; every log of a tournament must follow its rules; a finished match must end where it ended when it was closed; a tournament must count every finished match of
//! its games, each with the result of the match; every rating is computed again, and every rated pair must be in the logs of both
//! players, once; every review must fit its match; every room of chat must be one of a match; no log may be missing between two others, and whatever
//! refers to something must find it. One log is in memory at a time, besides the journal, which is bounded, and what is
//! known of rated pairs. What cannot be read is a finding, and the rest is checked.

mod games;
mod head;
mod log;
mod puzzles;
mod ratings;
mod references;
mod report;
mod reviews;
mod scratch;
mod staged;
mod sums;
mod tournament;
mod value;

use std::path::Path;

use futures::TryStreamExt;
use rustc_hash::FxHashMap;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};

use self::games::Games;
pub use self::head::Head;
use self::log::{Log, Stream};
use self::references::{
    check_bans, check_chat, check_codes, check_erasures, check_nodes, check_players,
    check_references, check_rematches, check_server, check_tokens,
};
use self::report::LISTED;
pub use self::report::{Finding, Problem, Report};
use self::reviews::check_reviews;
use self::staged::Staged;
use self::sums::{check_journal, check_run, check_sums};
use self::value::value;
use crate::store::StoreError;
use crate::store::open;
use crate::store::sqlite::accept;
use crate::store::sqlite::cut_log::{CutLog, cut_log};
use crate::store::sqlite::entries::{Entries, Entry};
use crate::store::sqlite::lock::FileLock;
use crate::store::sqlite::opening::resolve;
use crate::store::sqlite::removal::Removed;
use crate::store::sqlite::rows::row_columns;
use crate::store::sqlite::run::Run;
use crate::store::sqlite::schema::{connect_reader, connect_unchanging};

/// Summaries in memory at a time.
const STREAMS_A_PAGE: i64 = 256;

/// Checks the database at this path; costs one pass over it. No server may use it meanwhile. In place of a path, it may be the address of a PostgreSQL
/// database, which servers may use.
///
/// # Errors
/// It is not there, not ours, newer than this program, in use, or too damaged to be opened.
pub async fn fsck(path: &Path) -> Result<Report, StoreError> {
    if open::is_address(path) {
        let staged = Staged::read(path).await?;
        let mut report = fsck_copy(&staged.path()).await?;
        staged.note(&mut report);
        return Ok(report);
    }
    let path = resolve(path)?;
    if !path.exists() {
        return Err(StoreError::Unusable {
            path,
            why: "there is no such file".to_owned(),
        });
    }
    let mut lock = FileLock::take(&path)?;
    let mut report = Report::default();
    // Before SQLite reads the write-ahead log, and forgets what it does not believe.
    let cut = cut_log(&path);
    let mut connection = connect_reader(&path).await?;
    let run = check_run(&mut connection, &mut report).await;
    let needs_log = run.as_ref().is_ok_and(|run| run.open);
    if let Some(CutLog { had, sound }) = cut {
        report.find(None, None, Problem::LogCut { had, sound });
        lock.note_log_missing();
    } else if lock.misses_log() || needs_log && !lock.had_log() {
        report.find(None, None, Problem::LogMissing {});
        lock.note_log_missing();
    }
    check_all(&mut connection, run, &mut report).await;
    Ok(report)
}

/// Checks the database, takes what other programs have written for the server's own, and checks again; both reports. What a log contradicts is
/// found again.
///
/// # Errors
/// As [`fsck`]; or the database cannot be written, or its journal cannot be read.
pub async fn accept(path: &Path) -> Result<[Report; 2], StoreError> {
    let before = fsck(path).await?;
    accept::accept(path).await?;
    Ok([before, fsck(path).await?])
}

/// Checks a copy of a database that no program writes to. Nothing in its directory is changed.
///
/// # Errors
/// It is not there, not ours, of another schema than this program's, or too damaged to be opened.
pub async fn fsck_copy(path: &Path) -> Result<Report, StoreError> {
    let mut connection = connect_unchanging(path).await?;
    let mut report = Report::default();
    let run = check_run(&mut connection, &mut report).await;
    if run.as_ref().is_ok_and(|run| run.open) {
        report.find(None, None, Problem::LogMissing {});
    }
    check_all(&mut connection, run, &mut report).await;
    Ok(report)
}

async fn check_all(
    connection: &mut SqliteConnection,
    run: Result<Run, StoreError>,
    report: &mut Report,
) {
    let done = check_file(connection, report).await;
    report.note(done);
    let done = check_streams(connection, report).await;
    report.note(done);
    let done = check_references(connection, report).await;
    report.note(done);
    let done = check_chat(connection, report).await;
    report.note(done);
    let done = check_players(connection, report).await;
    report.note(done);
    let done = check_tokens(connection, report).await;
    report.note(done);
    let done = check_codes(connection, report).await;
    report.note(done);
    let done = check_nodes(connection, report).await;
    report.note(done);
    let done = check_bans(connection, report).await;
    report.note(done);
    let done = check_erasures(connection, report).await;
    report.note(done);
    let done = check_reviews(connection, report).await;
    report.note(done);
    let done = check_server(connection, report).await;
    report.note(done);
    // After what names the very row.
    let done = match run {
        Ok(run) => check_journal(&run, connection, report).await,
        Err(error) => Err(error),
    };
    report.note(done);
    let done = check_sums(connection, report).await;
    report.note(done);
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

/// The events of the journal by the numbers of their streams.
type Unsettled = FxHashMap<i64, Vec<Entry>>;

/// Reads the journal, which is bounded; what of it cannot be read is noted.
async fn read_journal(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<Unsettled, StoreError> {
    let mut unsettled = Unsettled::default();
    let mut rows = sqlx::query("SELECT number, body FROM batch ORDER BY number").fetch(connection);
    while let Some(row) = rows.try_next().await? {
        let mut note = |problem| report.find(None, None, problem);
        let number = row.try_get::<i64, _>("number");
        value(number, &mut note, ["batch", "number"]);
        let blob = row.try_get::<Vec<u8>, _>("body").map_err(StoreError::from);
        let blob = blob.and_then(|blob| match blob.is_empty() {
            true => Err(StoreError::Corrupt {
                why: "it has no events".to_owned(),
            }),
            false => Ok(blob),
        });
        let Some(blob) = value(blob, &mut note, ["batch", "body"]) else {
            continue;
        };
        for entry in Entries::of(blob) {
            if let Some(entry) = value(entry, &mut note, ["batch", "body"]) {
                unsettled.entry(entry.stream).or_default().push(entry);
            }
        }
    }
    Ok(unsettled)
}

async fn check_streams(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut unsettled = read_journal(&mut *connection, report).await?;
    let removed = Removed::read(&mut *connection).await?;
    unsettled.retain(|number, _| !removed.contains(*number));
    let mut after = i64::MIN;
    let mut games = Games::default();
    while let Some(last) = check_page(
        connection,
        after,
        &removed,
        &mut unsettled,
        &mut games,
        report,
    )
    .await?
    {
        after = last;
    }
    games.check(connection, report).await?;
    games.puzzles.check(connection, report).await?;
    games.ratings.check(connection, report).await?;
    // Found under the numbers of streams that are not there.
    if !unsettled.is_empty() {
        let table = "batch".to_owned();
        report.find(None, None, Problem::Orphan { table });
    }
    Ok(())
}

/// Checks the next streams; the number of the last, or `None` at the end.
async fn check_page(
    connection: &mut SqliteConnection,
    after: i64,
    removed: &Removed,
    unsettled: &mut Unsettled,
    games: &mut Games,
    report: &mut Report,
) -> Result<Option<i64>, StoreError> {
    // With the matches that have no stream, too.
    let rows = sqlx::query(concat!(
        "SELECT stream.number AS of, kind, stream.id AS key, match.id, log_count, log_head, match.number, \
         ended_order, mistakes_first, mistakes_second, match.seal, mistakes_seal, ",
        row_columns!(),
        " FROM stream FULL JOIN match ON match.number = stream.number \
         WHERE coalesce(stream.number, match.number) > ?1 ORDER BY coalesce(stream.number, match.number) LIMIT ?2"
    ))
    .bind(after)
    .bind(STREAMS_A_PAGE)
    .fetch_all(&mut *connection)
    .await?;
    let number_of = |row: &SqliteRow| -> Result<i64, StoreError> {
        match row.try_get::<Option<i64>, _>("of")? {
            Some(number) => Ok(number),
            None => Ok(row.try_get("number")?),
        }
    };
    let Some(last) = rows.last() else {
        return Ok(None);
    };
    let last = number_of(last)?;
    let mut segments = sqlx::query(
        "SELECT stream, first, last, body FROM segment \
         WHERE stream > ?1 AND stream <= ?2 ORDER BY stream, first",
    )
    .bind(after)
    .bind(last)
    .fetch(&mut *connection);
    let mut next = segments.try_next().await;
    let mut rematches = Vec::new();
    let mut before = after.max(0);
    for row in &rows {
        let number = number_of(row)?;
        // The server numbers logs without a gap, and notes which it removes.
        let expected = removed.next_kept(before + 1);
        if number > expected {
            report.find(None, None, Problem::LogGone { number: expected });
        }
        before = before.max(number);
        let Some(stream) = Stream::read(row, report) else {
            unsettled.remove(&number);
            continue;
        };
        let mut log = Log::new(stream.id);
        while let Ok(Some(segment)) = &next {
            // What is no number belongs to no stream: SQLite's own check names it.
            let owner = segment.try_get::<i64, _>("stream").unwrap_or(i64::MIN);
            if owner > number {
                break;
            }
            if owner == number {
                log.take_segment(segment, report);
            }
            next = segments.try_next().await;
        }
        if let Err(error) = &next {
            let detail = error.to_string();
            log.find_at(None, Problem::Damaged { detail }, report);
            break;
        }
        for entry in unsettled.remove(&number).unwrap_or_default() {
            log.take_unsettled(&entry, report);
        }
        log.note_end(report);
        match &stream.summary {
            None => report.streams += 1,
            Some(_) => report.matches += 1,
        }
        log.hand_over(games);
        rematches.extend(log.finish(&stream, games, report));
    }
    drop(segments);
    check_rematches(connection, &rematches, report).await?;
    Ok(Some(last))
}
