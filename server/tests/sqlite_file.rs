//! The store as a file: what may be opened, and what the world does to it.

mod blobs;
#[path = "powercut/recorder.rs"]
mod recorder;

use std::ops::Deref;
use std::path::Path;
use std::process::{Command, Stdio};

use bytes::Bytes;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{
    Commit, CommitError, LOAD_PAGE, Lease, MatchRow, MatchStatus, NodeId, Store, StoreError,
    last_heartbeat,
};
use grundy_shared::event::TimeControl;
use grundy_shared::ids::{MatchId, Millis, Ply, Seq};
use recorder::Recorder;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;

fn id(bits: u64) -> MatchId {
    MatchId::from_random(bits)
}

fn new_match(bits: u64) -> Commit {
    let row = MatchRow {
        start: "nim:3,5,7".to_owned(),
        clock: TimeControl::Untimed {},
        first: None,
        second: None,
        status: MatchStatus::Waiting,
        outcome: None,
        reason: None,
        plies: Ply(0),
        created_at: Millis(1),
        ended_at: None,
        rematch_of: None,
        series: None,
    };
    Commit::append(id(bits), Seq(0), bodies(1)).with_row(id(bits), row)
}

/// So many empty events.
fn bodies(count: usize) -> Vec<Bytes> {
    vec![Bytes::from_static(b"{}"); count]
}

/// A store on a file, and the right to write to it.
struct Desk {
    store: SqliteStore,
    lease: Lease,
}

impl Desk {
    async fn open(path: &Path) -> Self {
        let store = SqliteStore::open(path).await.unwrap();
        let lease = store.enlist(NodeId::ONLY, Millis(1)).await.unwrap();
        Self { store, lease }
    }

    async fn commit(&self, commit: Commit) -> Result<(), CommitError> {
        self.store.commit(self.lease, vec![commit]).await.remove(0)
    }

    async fn heartbeat(&self, at: u64) -> Result<(), StoreError> {
        self.store.heartbeat(self.lease, Millis(at)).await
    }

    async fn append(
        &self,
        bits: u64,
        expected: u64,
        events: Vec<Bytes>,
    ) -> Result<(), CommitError> {
        self.commit(Commit::append(id(bits), Seq(expected), events))
            .await
    }
}

impl Deref for Desk {
    type Target = SqliteStore;

    fn deref(&self) -> &SqliteStore {
        &self.store
    }
}

async fn length(store: &SqliteStore, id: MatchId) -> u64 {
    let mut end = Seq(0);
    while let Some(last) = store
        .load(id.into(), end, LOAD_PAGE)
        .await
        .unwrap()
        .unwrap()
        .last()
    {
        end = last.seq;
    }
    end.0
}

fn conflict(bits: u64, actual: u64) -> CommitError {
    CommitError::Conflict {
        stream: id(bits).into(),
        actual: Seq(actual),
    }
}

async fn run(path: &Path, statements: &str) {
    let mut connection = blobs::other_hand(path).await;
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned()))
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn what_was_stored_is_there_after_opening_again() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    for round in 1..=5 {
        let store = Desk::open(&path).await;
        store.commit(new_match(round)).await.unwrap();
        for bits in 1..round {
            // The first append after opening: the end of the log comes from the database.
            let end = length(&store, id(bits)).await;
            let wrong = store.append(bits, end - 1, vec![]).await;
            assert_eq!(wrong, Err(conflict(bits, end)));
            store.append(bits, end, bodies(2)).await.unwrap();
            assert_eq!(length(&store, id(bits)).await, end + 2);
        }
        store.close().await;
        // Closed, it is one file.
        assert!(!directory.path().join("grundy.db-wal").exists());
    }
}

#[tokio::test]
async fn a_file_has_one_server() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    let store = Desk::open(&path).await;
    let link = directory.path().join("other-name.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    for name in [&path, &link] {
        match SqliteStore::open(name).await {
            Err(StoreError::InUse { pid, .. }) => {
                assert_eq!(pid, i32::try_from(std::process::id()).ok());
            }
            other => panic!("{other:?}"),
        }
    }
    store.close().await;
    SqliteStore::open(&path).await.unwrap().close().await;
}

#[tokio::test]
async fn what_is_not_ours_is_refused_and_left_alone() {
    let directory = TempDir::new().unwrap();
    let text = directory.path().join("text");
    std::fs::write(&text, "Dear diary, today I lost at Nim again.".repeat(100)).unwrap();
    let foreign = directory.path().join("foreign.db");
    run(&foreign, "CREATE TABLE recipe (name TEXT)").await;
    let marked = directory.path().join("marked.db");
    run(&marked, "PRAGMA application_id = 7").await;
    for path in [text, foreign, marked] {
        let before = std::fs::read(&path).unwrap();
        let refused = SqliteStore::open(&path).await;
        assert!(
            matches!(refused, Err(StoreError::NotOurs { .. })),
            "{path:?}: {refused:?}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), before, "{path:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_opened_says_why() {
    let directory = TempDir::new().unwrap();
    let refused = SqliteStore::open(directory.path()).await.unwrap_err();
    assert!(refused.to_string().contains("is a directory"), "{refused}");
    let path = directory.path().join("nowhere/grundy.db");
    let refused = SqliteStore::open(&path).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unusable { .. }), "{refused}");
    assert!(refused.to_string().contains("nowhere"), "{refused}");
    // A directory in which nothing can be made, even for root.
    let refused = SqliteStore::open(Path::new("/proc/grundy.db"))
        .await
        .unwrap_err();
    assert!(matches!(refused, StoreError::Unusable { .. }), "{refused}");
    // An empty file is as good as none.
    let empty = directory.path().join("empty.db");
    std::fs::write(&empty, "").unwrap();
    SqliteStore::open(&empty).await.unwrap().close().await;
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_both_versions() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    SqliteStore::open(&path).await.unwrap().close().await;
    run(
        &path,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9000, 'from the future', TRUE, x'00', 0)",
    )
    .await;
    match SqliteStore::open(&path).await {
        Err(StoreError::Newer { found: 9000, known }) => assert!(known < 9000),
        other => panic!("{other:?}"),
    }
    run(
        &path,
        "DELETE FROM _sqlx_migrations WHERE version = 9000; UPDATE _sqlx_migrations SET checksum = x'00'",
    )
    .await;
    let changed = SqliteStore::open(&path).await;
    assert!(
        matches!(changed, Err(StoreError::NotOurs { .. })),
        "{changed:?}"
    );
}

#[tokio::test]
async fn a_lock_held_by_another_process_is_waited_for_and_then_busy() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    let store = Desk::open(&path).await;
    let mut other = blobs::other_hand(&path).await;
    sqlx::raw_sql("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .unwrap();
    let refused = store.heartbeat(1).await;
    assert!(
        matches!(refused, Err(StoreError::Busy { .. })),
        "{refused:?}"
    );
    // Reading goes on, and writing once the lock is gone.
    assert_eq!(last_heartbeat(&*store, NodeId::ONLY).await, Ok(None));
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    store.heartbeat(2).await.unwrap();
    assert_eq!(store.ready().await, Ok(()));
}

#[tokio::test]
async fn the_log_grows_while_a_reader_holds_it_and_is_emptied_after() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    let store = Desk::open(&path).await;
    store.commit(new_match(1)).await.unwrap();
    let mut reader = blobs::other_hand(&path).await;
    sqlx::raw_sql("BEGIN; SELECT count(*) FROM batch")
        .execute(&mut reader)
        .await
        .unwrap();
    let write = async |from: u64, count: u64| {
        for seq in from..from + count {
            let body = "x".repeat(4_000);
            store.append(1, seq, vec![body.into()]).await.unwrap();
        }
    };
    write(1, 1_000).await;
    let held = store.gauges().unsettled_bytes.expect("a file has a log");
    assert!(held > 8 << 20, "{held} bytes");
    sqlx::raw_sql("COMMIT").execute(&mut reader).await.unwrap();
    write(1_001, 1_000).await;
    let freed = store.gauges().unsettled_bytes.expect("a file has a log");
    assert!(freed < 6 << 20, "{freed} bytes, held {held}");
}

/// What the process under test is to do; set only for it.
const ROLE: &str = "SQLITE_FILE_ROLE";
/// Where.
const DIRECTORY: &str = "SQLITE_FILE_DIRECTORY";
/// While this file is there, the disk is full.
const FULL: &str = "FLUSH_RECORD_FULL";

/// Not a test but the process under test, for what concerns a whole process: limits, preloaded faults, death.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn process_under_test() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let directory = std::env::var_os(DIRECTORY).unwrap();
    let path = Path::new(&directory).join("grundy.db");
    let store = Desk::open(&path).await;
    store.commit(new_match(1)).await.unwrap();
    match role.as_str() {
        "disk_full" => {
            let full = std::env::var_os(FULL).unwrap();
            std::fs::write(&full, "").unwrap();
            refused_then_again(&store, || std::fs::remove_file(&full).unwrap()).await;
        }
        "file_size_limit" => {
            let before = getrlimit(Resource::Fsize);
            let limit = Rlimit {
                current: Some(1 << 20),
                ..before
            };
            setrlimit(Resource::Fsize, limit).unwrap();
            refused_then_again(&store, || setrlimit(Resource::Fsize, before).unwrap()).await;
        }
        "store_fails" => {
            let refused = append_until_refused(&store).await;
            println!("acknowledged {}", refused.0);
            assert_eq!(refused.1, CommitError::Store(StoreError::Closed));
            let why = store.failed().await;
            assert!(matches!(why, StoreError::Failed { .. }), "{why:?}");
            assert_eq!(store.ready().await, Err(StoreError::Closed));
            store.close().await;
        }
        other => panic!("no role {other}"),
    }
    println!("role played");
}

/// Appends until it is refused: how long the log had become, and the refusal.
async fn append_until_refused(store: &Desk) -> (u64, CommitError) {
    for seq in 1.. {
        let body = "x".repeat(3_000);
        if let Err(error) = store.append(1, seq, vec![body.into()]).await {
            return (seq, error);
        }
    }
    unreachable!("the log does not grow for ever")
}

/// Nothing can be written: that is said, reading goes on, and writing too once it can.
async fn refused_then_again(store: &Desk, make_room: impl FnOnce()) {
    let (end, refused) = append_until_refused(store).await;
    let read_only = |error: &StoreError| matches!(error, StoreError::ReadOnly { .. });
    assert!(
        matches!(&refused, CommitError::Store(error) if read_only(error)),
        "{refused:?}"
    );
    assert!(read_only(&store.ready().await.unwrap_err()));
    assert_eq!(length(store, id(1)).await, end);
    make_room();
    store.append(1, end, bodies(1)).await.unwrap();
    assert_eq!(store.ready().await, Ok(()));
    store.close().await;
}

/// Starts this binary again in a role, with these variables; what it printed.
fn play(role: &str, data: &Path, shadow: Option<&Path>, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["process_under_test", "--exact", "--nocapture"])
        .env(ROLE, role)
        .env(DIRECTORY, data)
        .envs(variables.iter().copied())
        .stdout(Stdio::piped());
    let recorder = Recorder::build();
    if let Some(shadow) = shadow {
        command.envs(recorder.environment(data, shadow));
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{role}: {} {text}", output.status);
    assert!(text.contains("role played"), "{role}: {text}");
    text
}

#[test]
fn a_full_disk_is_read_only_until_there_is_room() {
    let (data, shadow) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let full = data.path().join("full");
    play(
        "disk_full",
        data.path(),
        Some(shadow.path()),
        &[(FULL, full.to_str().unwrap())],
    );
}

#[test]
fn a_file_size_limit_is_read_only_until_it_is_raised() {
    let data = TempDir::new().unwrap();
    play("file_size_limit", data.path(), None, &[]);
}

/// A sync that failed is never tried again: what it was to make safe is not acknowledged, and the store ends.
#[tokio::test]
async fn a_failed_sync_ends_the_store() {
    let (data, shadow) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let text = play(
        "store_fails",
        data.path(),
        Some(shadow.path()),
        &[("FLUSH_RECORD_FAIL", "70")],
    );
    let acknowledged = text
        .lines()
        .find_map(|line| line.rsplit_once("acknowledged "))
        .map(|(_, count)| count.parse::<u64>().unwrap())
        .unwrap();
    assert!(acknowledged > 5, "{text}");
    // After the restart the log has what was acknowledged; the event of which nothing was said may be there or not.
    let store = Desk::open(&data.path().join("grundy.db")).await;
    let kept = length(&store, id(1)).await;
    assert!(
        (acknowledged..=acknowledged + 1).contains(&kept),
        "{kept} kept, {acknowledged} acknowledged"
    );
}

#[cfg(feature = "failpoints")]
#[tokio::test]
async fn a_writer_that_dies_ends_the_store() {
    let data = TempDir::new().unwrap();
    let failpoint = [("GRUNDYD_FAILPOINT", "writer_dies:20")];
    play("store_fails", data.path(), None, &failpoint);
    // The log is left in place for the next start.
    Desk::open(&data.path().join("grundy.db")).await;
}

/// What is left of one match must not keep the others from being taken up, nor from being written to.
#[tokio::test]
async fn a_damaged_match_is_its_own_trouble() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    let store = Desk::open(&path).await;
    for bits in 1..=5 {
        store.commit(new_match(bits)).await.unwrap();
        let more = bodies(2);
        store.append(bits, 1, more).await.unwrap();
    }
    store.close().await;
    blobs::change_event(&path, 1, 2, |event| event.body = vec![0xff]).await;
    blobs::remove(&path, |stream, seq| (stream, seq) == (2, 2)).await;
    blobs::change(&path, |entries| {
        let of_third = entries.iter_mut().filter(|entry| entry.stream == 3);
        of_third.for_each(|entry| entry.hash = vec![0; 32]);
    })
    .await;
    let store = Desk::open(&path).await;
    let found = async |store: &Desk| -> Vec<(MatchId, Option<usize>)> {
        let live = store.live(NodeId::ONLY, None).await.unwrap();
        let lengths = live
            .into_iter()
            .map(|live| (live.id, live.log.ok().map(|log| log.len())));
        lengths.collect()
    };
    let logs = [
        (id(1), None),
        (id(2), None),
        (id(3), None),
        (id(4), Some(3)),
        (id(5), Some(3)),
    ];
    assert_eq!(found(&store).await, logs);
    let append = |bits| store.append(bits, 3, bodies(1));
    let (damaged, sound) = tokio::join!(append(2), append(4));
    assert!(
        matches!(damaged, Err(CommitError::Store(StoreError::Corrupt { .. }))),
        "{damaged:?}"
    );
    assert_eq!(sound, Ok(()));
    store.close().await;

    // Without an id there is no match: the page as a whole cannot be read, each of the others alone can.
    run(&path, "UPDATE match SET id = -1 WHERE number = 5").await;
    let store = Desk::open(&path).await;
    let mut rest = logs[..4].to_vec();
    rest[3].1 = Some(4);
    assert_eq!(found(&store).await, rest);
}

#[tokio::test]
async fn a_file_whose_log_was_begun_before_its_header_knew_of_it_is_opened() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("grundy.db");
    let mut connection = SqliteConnectOptions::new()
        .filename(&path)
        .create_if_missing(true)
        .connect()
        .await
        .expect("it is made");
    sqlx::raw_sql("PRAGMA application_id = 1196311641")
        .execute(&mut connection)
        .await
        .expect("it is marked as ours");
    connection.close().await.expect("it closes");
    let mode = |path: &Path| std::fs::read(path).expect("a file")[18..20].to_vec();
    assert_eq!(mode(&path), [1, 1], "a rollback journal");
    // What a power cut leaves of a log whose first frame was under way.
    std::fs::write(directory.path().join("grundy.db-wal"), [0; 4_152]).expect("a file");
    let store = Desk::open(&path).await;
    store.commit(new_match(1)).await.expect("it is written");
    store.close().await;
    assert_eq!(mode(&path), [2, 2], "a write-ahead log");
}
