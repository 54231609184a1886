//! Copies are whole, whatever happens while they are made.

use std::collections::BTreeMap;
use std::path::Path;

use grundy_shared::ids::{MatchId, PlayerId, PuzzleId, TournamentId};
use rand::RngExt as _;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use super::databases::Databases;
use super::{bed, killed_after, moved, program, run, sqlite, undo};

/// The ids of all logs by their kinds, as `export` takes them.
async fn logs(directory: &Path) -> BTreeMap<&'static str, Vec<String>> {
    let path = directory.join("grundy.db");
    let options = SqliteConnectOptions::new().filename(path);
    let mut connection = options.connect().await.expect("a database");
    let rows: Vec<(i64, Vec<u8>)> = sqlx::query_as("SELECT kind, id FROM stream ORDER BY number")
        .fetch_all(&mut connection)
        .await
        .expect("it is read");
    connection.close().await.expect("it is read");
    let mut logs = BTreeMap::<_, Vec<_>>::new();
    for (kind, id) in rows {
        let number = || i64::from_be_bytes(id[..8].try_into().expect("8 bytes"));
        let player = || {
            PlayerId::from_bytes(&id[..16])
                .expect("16 bytes")
                .to_string()
        };
        let (kind, id) = match kind {
            0 => (
                "match",
                MatchId::from_i64(number()).expect("an id").to_string(),
            ),
            1 => (
                "tournament",
                TournamentId::from_i64(number()).expect("an id").to_string(),
            ),
            2 => ("account", player()),
            3 => {
                let family = String::from_utf8_lossy(&id[16..]);
                ("rating", format!("{}/{family}", player()))
            }
            4 => {
                let id_of = MatchId::from_i64(number()).expect("an id");
                let room = String::from_utf8_lossy(&id[8..]).into_owned();
                ("chat", format!("{id_of}/{room}"))
            }
            5 => ("audit", "server".to_owned()),
            6 => ("solving", player()),
            _ => (
                "puzzle",
                PuzzleId::from_bytes(&id).expect("an id").to_string(),
            ),
        };
        logs.entry(kind).or_default().push(id);
    }
    logs
}

/// All logs of a store, as `export` writes them.
fn exported(place: [&str; 2], logs: &BTreeMap<&'static str, Vec<String>>) -> Vec<u8> {
    let mut all = Vec::new();
    for (kind, ids) in logs {
        let mut arguments = vec!["export", place[0], place[1], "--kind", kind];
        arguments.extend(ids.iter().map(String::as_str));
        let output = run(&arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        all.extend(output.stdout);
    }
    all
}

/// The rows of all tables that are no logs and do not say how a file is used.
async fn rows(directory: &Path) -> String {
    let path = directory.join("grundy.db");
    let options = SqliteConnectOptions::new().filename(path);
    let mut connection = options.connect().await.expect("a database");
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('run', 'batch', 'segment', 'table_sum', '_sqlx_migrations') ORDER BY name",
    )
    .fetch_all(&mut connection)
    .await
    .expect("it is read");
    let mut all = String::new();
    for table in tables {
        let columns: String = sqlx::query_scalar(
            "SELECT group_concat('quote(\"' || name || '\")', ' || '','' || ') FROM pragma_table_info(?1)",
        )
        .bind(&table)
        .fetch_one(&mut connection)
        .await
        .expect("it is read");
        let select = format!("SELECT {columns} FROM \"{table}\" ORDER BY 1");
        let rows: Vec<Option<String>> = sqlx::query_scalar(sqlx::AssertSqlSafe(select))
            .fetch_all(&mut connection)
            .await
            .expect("it is read");
        assert!(
            !rows.is_empty() || table == "scrub",
            "table {table} is not tried"
        );
        for row in rows {
            all.push_str(&format!("{table} {}\n", row.unwrap_or_default()));
        }
    }
    connection.close().await.expect("it is read");
    all
}

fn assert_clean(arguments: &[&str]) {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("sound"), "{said}");
}

/// The bytes of the source's database and of its write-ahead log.
fn bytes_of(directory: &Path) -> [Vec<u8>; 2] {
    ["grundy.db", "grundy.db-wal"]
        .map(|name| std::fs::read(directory.join(name)).unwrap_or_default())
}

#[tokio::test]
async fn a_store_goes_to_postgresql_and_back_with_every_byte() {
    let directory = TempDir::new().expect("a directory");
    let [old, new] = ["old", "new"].map(|name| directory.path().join(name));
    bed::fill(&old, true).await;
    let before = bytes_of(&old);
    assert!(!before[1].is_empty(), "the server was killed");
    let mut databases = Databases::start().await;
    let address = databases.empty().await;

    let there = moved(&sqlite(&old), &address);
    assert_eq!(bytes_of(&old), before, "the source is not changed");
    let back = moved(&address, &sqlite(&new));
    assert_eq!(there["digest"], back["digest"]);
    assert_eq!(there["events"], back["events"]);
    assert!(there["events"].as_u64() > Some(100), "{there}");

    let [old_data, new_data] = [&old, &new].map(|data| data.to_str().expect("UTF-8"));
    let logs = logs(&old).await;
    assert_eq!(logs.len(), 8, "each kind of log is tried: {logs:?}");
    let all = exported(["--data", old_data], &logs);
    for place in [["--database", &address], ["--data", new_data]] {
        assert_eq!(exported(place, &logs), all, "{place:?}");
        assert_clean(&["fsck", place[0], place[1]]);
    }
    assert_eq!(rows(&new).await, rows(&old).await);
}

#[tokio::test]
async fn a_copy_that_is_killed_goes_on_and_ends_with_the_same() {
    let directory = TempDir::new().expect("a directory");
    let [old, new] = ["old", "new"].map(|name| directory.path().join(name));
    bed::fill(&old, false).await;
    let mut databases = Databases::start().await;
    let whole = databases.empty().await;
    let expected = moved(&sqlite(&old), &whole)["digest"].clone();
    undo(&sqlite(&old));
    let address = databases.empty().await;
    for (from, to, place, at_least) in [
        // After each third portion, and after each one: where a log is longer than a portion, in its middle.
        (sqlite(&old), address.clone(), "after_copied:3", 6),
        (address, sqlite(&new), "after_copied:1", 18),
    ] {
        let mut kills = 0;
        loop {
            let output = program(&["migrate-store", &from, &to])
                .env("GRUNDYD_FAILPOINT", place)
                .output()
                .expect("it runs");
            if output.status.success() {
                break;
            }
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), None, "{errors}");
            kills += 1;
        }
        assert!(kills >= at_least, "{kills}");
        let digest = match to.strip_prefix("sqlite:") {
            None => moved(&to, &sqlite(&directory.path().join("check")))["digest"].clone(),
            Some(_) => {
                let check = databases.empty().await;
                moved(&to, &check)["digest"].clone()
            }
        };
        assert_eq!(digest, expected);
        undo(&to);
    }
}

#[tokio::test]
async fn a_copy_that_is_killed_at_random_moments_goes_on() {
    let directory = TempDir::new().expect("a directory");
    let old = directory.path().join("old");
    bed::fill(&old, false).await;
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    let mut kills = 0;
    while kills < 20 {
        let lines = rand::rng().random_range(1..26);
        if killed_after(lines, &sqlite(&old), &address) {
            break;
        }
        kills += 1;
    }
    let new = directory.path().join("new");
    if kills == 20 {
        assert!(killed_after(usize::MAX, &sqlite(&old), &address));
    }
    let back = moved(&address, &sqlite(&new));
    assert!(back["events"].as_u64() > Some(100), "{back}");
    assert_eq!(rows(&new).await, rows(&old).await);
}
