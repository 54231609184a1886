//! What is not copied, and what is not served.

use std::time::{Duration, Instant};

use grundy_server::store::Store as _;
use grundy_server::store::sqlite::SqliteStore;
use sqlx::Connection as _;
use tempfile::TempDir;

use super::databases::Databases;
use super::{bed, killed_after, move_to, moved, refuses, run, sqlite, told};
use crate::process::Server;

#[tokio::test]
async fn a_store_in_use_is_not_copied() {
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    let server = Server::start(&[]);
    let from = sqlite(server.data().path());
    refuses(
        &["migrate-store", &from, &address],
        4,
        &[&from, "in use", "stop every server", "again"],
    );
    let node = Server::start(&["--database", &address]);
    let directory = TempDir::new().expect("a directory");
    let to = sqlite(&directory.path().join("new"));
    let shown = address.split('?').next().expect("an address");
    refuses(
        &["migrate-store", &address, &to],
        4,
        &[shown, "in use", "stop every server", "again"],
    );
    // Nobody gives a sign of life any more, but what the server had sent last may still be written on a slow disk.
    let _data = node.killed();
    let since = Instant::now();
    let mut output = move_to(&address, &to);
    while output.status.code() == Some(4) {
        assert!(since.elapsed() < Duration::from_secs(60), "still in use");
        output = move_to(&address, &to);
    }
    let done = told(&output);
    assert_eq!(done["logs"], 0);
}

#[tokio::test]
async fn only_an_empty_target_is_written_or_the_half_done_copy_of_this_very_source() {
    let directory = TempDir::new().expect("a directory");
    let [old, other, new] = ["old", "other", "new"].map(|name| directory.path().join(name));
    bed::fill(&old, false).await;
    bed::fill(&other, false).await;
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    assert!(!killed_after(4, &sqlite(&old), &address));
    // It is not served, and it is no source.
    let data = directory.path().join("data");
    let data = data.to_str().expect("UTF-8");
    refuses(
        &[
            "--data",
            data,
            "--database",
            &address,
            "--listen",
            "127.0.0.1:0",
        ],
        3,
        &[
            "is a copy that is not complete",
            "grundy-server migrate-store",
        ],
    );
    refuses(
        &["migrate-store", &address, &sqlite(&new)],
        3,
        &["not complete"],
    );
    // A server has run on the other one since, so it is another state.
    let store = SqliteStore::open(&other.join("grundy.db")).await;
    store.expect("a database").close().await;
    refuses(
        &["migrate-store", &sqlite(&other), &address],
        3,
        &["unfinished copy of another store", "drop the database"],
    );
    moved(&sqlite(&old), &address);
    refuses(
        &["migrate-store", &sqlite(&old), &address],
        3,
        &["it has records"],
    );

    // The same with a file.
    assert!(!killed_after(5, &address, &sqlite(&new)));
    let path = new.to_str().expect("UTF-8");
    refuses(
        &["--data", path, "--listen", "127.0.0.1:0"],
        3,
        &[
            "is a copy that is not complete",
            "migrate-store",
            ".unfinished",
        ],
    );
    let second = databases.empty().await;
    moved(&sqlite(&other), &second);
    refuses(
        &["migrate-store", &second, &sqlite(&new)],
        3,
        &["unfinished copy of another store", "remove it"],
    );
    moved(&address, &sqlite(&new));
    refuses(
        &["migrate-store", &address, &sqlite(&new)],
        3,
        &["there is a database"],
    );
    let checked = run(&["fsck", "--data", path]);
    assert!(checked.status.success(), "{checked:?}");
}

#[tokio::test]
async fn a_target_that_is_no_store_of_this_version_is_refused_with_what_to_do() {
    let directory = TempDir::new().expect("a directory");
    let old = directory.path().join("old");
    bed::fill(&old, false).await;
    let from = sqlite(&old);
    let mut databases = Databases::start().await;
    let bare = databases.bare().await;
    refuses(
        &["migrate-store", &from, &bare],
        3,
        &["it is empty", "migrate"],
    );
    databases.sql(&bare, "CREATE TABLE other (id INT)").await;
    refuses(
        &["migrate-store", &from, &bare],
        3,
        &["tables of another program"],
    );
    let newer = databases.empty().await;
    databases
        .sql(
            &newer.replace("grundy_server@", "owner@"),
            "UPDATE grundy.schema_version SET version = 900, serves = 1",
        )
        .await;
    refuses(
        &["migrate-store", &from, &newer],
        3,
        &["schema 900", "newer"],
    );
    refuses(
        &[
            "migrate-store",
            &from,
            "postgres://ann:s3cret@127.0.0.1:9/nothing",
        ],
        3,
        &["postgres://ann@127.0.0.1:9/nothing", "check address"],
    );
    let unknown = newer.replace("grundy_server@", "nobody:s3cret@");
    refuses(&["migrate-store", &from, &unknown], 3, &["nobody"]);
    refuses(&["migrate-store", &from, &from], 2, &["one of the two"]);
    let nowhere = sqlite(&directory.path().join("nowhere"));
    let empty = databases.empty().await;
    refuses(&["migrate-store", &nowhere, &empty], 3, &["No such"]);
    refuses(
        &["migrate-store", "s3cret", &empty],
        2,
        &["For more information"],
    );
    let output = run(&[
        "migrate-store",
        &from,
        "postgres://ann:s3cret@127.0.0.1:9/nothing",
    ]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("s3cret"));
}

#[tokio::test]
async fn a_damaged_source_is_not_copied() {
    let directory = TempDir::new().expect("a directory");
    let old = directory.path().join("old");
    bed::fill(&old, false).await;
    let url = format!("sqlite://{}", old.join("grundy.db").display());
    let mut connection = sqlx::SqliteConnection::connect(&url)
        .await
        .expect("a database");
    sqlx::query("UPDATE match SET plies = plies + 1 WHERE status = 'over' AND number = 1")
        .execute(&mut connection)
        .await
        .expect("it is changed");
    connection.close().await.expect("it is closed");
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    let output = run(&["migrate-store", &sqlite(&old), &address]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("is damaged: see above"), "{errors}");
    assert!(errors.contains("plies"), "{errors}");
}
