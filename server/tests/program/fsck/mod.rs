//! Whoever changes a log behind the server's back is found out.

mod columns;
mod events;
pub(crate) mod kinds;
mod pairs;
mod reviews;
mod rooms;
mod summaries;
mod tournaments;

use std::path::{Path, PathBuf};

use crate::played::{self, Played};
use grundy_server::fsck::{Finding, Problem, Report, fsck};
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{Lease, Store, StoreError};
use grundy_shared::ids::MatchId;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;

pub(super) async fn store_steps(store: &dyn Store, lease: Lease, played: &Played, steps: usize) {
    for step in 0..steps {
        played.store(store, lease, step).await.unwrap();
    }
}

/// A database with two finished matches and one that is being played; they have the ids 1, 2 and 3.
pub(super) async fn database() -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let lease = played::lease(&store).await;
    played::players(&store, lease).await;
    let (first, second) = (
        played::match_of(1, "nim:2,3"),
        played::match_of(2, "nim:4,1,1"),
    );
    store_steps(&store, lease, &first, first.steps.len()).await;
    store_steps(&store, lease, &second, second.steps.len()).await;
    store_steps(&store, lease, &played::match_of(3, "nim:5,5"), 4).await;
    store.close().await;
    (directory, path)
}

/// Changes the database with another hand.
pub(super) async fn tamper(path: &Path, statements: &str) {
    let mut connection = SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(false)
        .connect()
        .await
        .unwrap();
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned()))
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
}

/// Whether a finding says only that another program has written, as it does of every change here: what it wrote is found beside it.
fn is_of_sums(finding: &Finding) -> bool {
    matches!(
        finding.problem,
        Problem::ChangedRows { .. } | Problem::WrongSeal { .. } | Problem::JournalCut { .. }
    )
}

pub(super) fn places(report: &Report) -> Vec<(Option<MatchId>, Option<u64>)> {
    let place = |finding: &Finding| (finding.id, finding.seq.map(|seq| seq.0));
    let named = report
        .findings
        .iter()
        .filter(|finding| !is_of_sums(finding));
    named.map(place).collect()
}

pub(super) fn at(bits: u64, seq: u64) -> (Option<MatchId>, Option<u64>) {
    (Some(MatchId::from_random(bits)), Some(seq))
}

/// The report after these statements, which must find exactly one thing, at this place.
pub(super) async fn finding_after(
    statements: &str,
    place: (Option<MatchId>, Option<u64>),
) -> (Problem, String) {
    let (_directory, path) = database().await;
    tamper(&path, statements).await;
    only_finding(&path, place).await
}

/// The report, which must find exactly one thing, at this place.
pub(super) async fn only_finding(
    path: &Path,
    place: (Option<MatchId>, Option<u64>),
) -> (Problem, String) {
    let report = fsck(path).await.unwrap();
    let mut places = places(&report);
    places.dedup();
    assert_eq!(places, [place], "{report}");
    (report.findings[0].problem.clone(), report.to_string())
}

#[tokio::test]
async fn an_untouched_database_is_sound() {
    let (_directory, path) = database().await;
    let report = fsck(&path).await.unwrap();
    assert!(report.is_sound(), "{report}");
    assert_eq!(report.matches, 3);
    assert!(report.to_string().ends_with(" events: sound"));
}

#[tokio::test]
async fn what_cannot_be_checked_is_an_error() {
    let directory = TempDir::new().unwrap();
    let missing = directory.path().join("missing.db");
    assert!(matches!(
        fsck(&missing).await,
        Err(StoreError::Unusable { .. })
    ));
    assert!(!missing.exists());
    let path = directory.path().join("grundy.db");
    let store = SqliteStore::open(&path).await.unwrap();
    assert!(matches!(fsck(&path).await, Err(StoreError::InUse { .. })));
    store.close().await;
    assert!(fsck(&path).await.unwrap().is_sound());
}
