//! The tools of operators on PostgreSQL.

use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::databases::Databases;
use super::{bed, moved, refuses, run, sqlite};

/// What fsck finds, each as one line.
fn findings(address: &str) -> Vec<String> {
    let output = run(&["fsck", "--database", address, "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = report["findings"].as_array().expect("a list");
    let code = if found.is_empty() { 0 } else { 3 };
    assert_eq!(output.status.code(), Some(code), "{report}");
    found.iter().map(Value::to_string).collect()
}

#[tokio::test]
async fn fsck_finds_what_was_changed_in_postgresql() {
    let directory = TempDir::new().expect("a directory");
    let old = directory.path().join("old");
    bed::fill(&old, false).await;
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    moved(&sqlite(&old), &address);
    let owner = address.replace("grundy_server@", "owner@");
    assert_eq!(findings(&address), [] as [&str; 0]);
    let id = "(SELECT number FROM grundy.match ORDER BY number LIMIT 1)";
    let event = format!("stream = {id} AND seq = 3");
    for (change, back, found) in [
        (
            format!("UPDATE grundy.event SET body = body || ' ' WHERE {event}"),
            format!(
                "UPDATE grundy.event SET body = substr(body, 1, length(body) - 1) WHERE {event}"
            ),
            &["\"match\":", "broken_chain"][..],
        ),
        (
            format!(
                "CREATE TABLE kept AS SELECT * FROM grundy.event WHERE {event}; DELETE FROM grundy.event WHERE {event}"
            ),
            "INSERT INTO grundy.event SELECT * FROM kept; DROP TABLE kept".to_owned(),
            &["\"match\":", "missing"],
        ),
        (
            format!("UPDATE grundy.match SET plies = plies + 1 WHERE number = {id}"),
            format!("UPDATE grundy.match SET plies = plies - 1 WHERE number = {id}"),
            &["wrong_summary", "plies"],
        ),
        (
            "UPDATE grundy.rating SET rating = rating + 1".to_owned(),
            "UPDATE grundy.rating SET rating = rating - 1".to_owned(),
            &["wrong_summary", "\"log\":\"rating"],
        ),
        (
            "UPDATE grundy.puzzle SET attempts = attempts + 1".to_owned(),
            "UPDATE grundy.puzzle SET attempts = attempts - 1".to_owned(),
            &["wrong_summary", "\"log\":\"puzzle"],
        ),
        (
            "UPDATE grundy.tally SET open = open + 1".to_owned(),
            "UPDATE grundy.tally SET open = open - 1".to_owned(),
            &["wrong_count", "open matches"],
        ),
        (
            "UPDATE grundy.tally SET puzzles = puzzles + 1".to_owned(),
            "UPDATE grundy.tally SET puzzles = puzzles - 1".to_owned(),
            &["wrong_count", "puzzles"],
        ),
        (
            "UPDATE grundy.stream SET last = last + 1 WHERE kind = 4".to_owned(),
            "UPDATE grundy.stream SET last = last - 1 WHERE kind = 4".to_owned(),
            &["broken_chain", "\"log\":"],
        ),
    ] {
        databases.sql(&owner, &change).await;
        let all = findings(&address).join("\n");
        assert!(
            found.iter().all(|part| all.contains(part)),
            "{change}: {all}"
        );
        databases.sql(&owner, &back).await;
    }
    assert_eq!(findings(&address), [] as [&str; 0]);
    refuses(
        &["fsck", "--accept", "--database", &address],
        2,
        &["run fsck without --accept"],
    );
}

#[tokio::test]
async fn a_damaged_log_in_postgresql_is_not_exported() {
    let directory = TempDir::new().expect("a directory");
    let old = directory.path().join("old");
    bed::fill(&old, false).await;
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    moved(&sqlite(&old), &address);
    let owner = address.replace("grundy_server@", "owner@");
    let export = [
        "export",
        "--database",
        &address,
        "--kind",
        "audit",
        "server",
    ];
    assert!(run(&export).status.success());
    let changed = "UPDATE grundy.event SET body = body || ' ' WHERE stream = (SELECT number FROM grundy.stream WHERE kind = 5) AND seq = 1";
    databases.sql(&owner, changed).await;
    refuses(&export, 3, &["does not fit its hash chain"]);
    let unknown = [
        "export",
        "--database",
        &address,
        "--kind",
        "account",
        "67e55044-10b1-426f-9247-bb680e5fe0c8",
    ];
    refuses(&unknown, 2, &["no log of"]);
}

/// The commands that `backup` and `restore` name, as they are in docs/OPERATIONS.md.
#[tokio::test]
async fn a_dump_is_restored_and_is_sound() {
    let directory = TempDir::new().expect("a directory");
    let old = directory.path().join("old");
    bed::fill(&old, false).await;
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    let before = moved(&sqlite(&old), &address);
    let shown = address.split('?').next().expect("an address");
    refuses(
        &["backup", "--database", &address, "/nowhere"],
        2,
        &["pg_dump --format=custom --file=grundy.dump", shown],
    );
    refuses(
        &["restore", "--database", &address, "/nowhere"],
        2,
        &[
            "pg_restore --single-transaction --exit-on-error --dbname=",
            shown,
        ],
    );
    let dump = directory.path().join("grundy.dump");
    let dump = dump.to_str().expect("UTF-8");
    let owner = address.replace("grundy_server@", "owner@");
    let file = format!("--file={dump}");
    tool("pg_dump", &["--format=custom", &file, &owner]);
    let restored = databases.bare().await;
    let into = format!("--dbname={restored}");
    tool(
        "pg_restore",
        &["--single-transaction", "--exit-on-error", &into, dump],
    );
    let restored = restored.replace("owner@", "grundy_server@");
    assert_eq!(findings(&restored), [] as [&str; 0]);
    let back = moved(&restored, &sqlite(&directory.path().join("back")));
    assert_eq!(back["digest"], before["digest"]);
}

/// Runs a program of PostgreSQL.
fn tool(name: &str, arguments: &[&str]) {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(name)
        .args(arguments)
        .env("PATH", format!("/usr/lib/postgresql/15/bin:{path}"))
        .output()
        .expect("Debian's package postgresql is installed");
    assert!(output.status.success(), "{output:?}");
}
