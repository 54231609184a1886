//! What becomes of a store whose records were moved.

use rustix::process::Signal;
use tempfile::TempDir;

use super::databases::Databases;
use super::{bed, moved, program, refuses, run, sqlite, undo};
use crate::process::Server;

/// The flags of a server on a database.
fn serve<'a>(data: &'a str, address: &'a str) -> [&'a str; 6] {
    [
        "--data",
        data,
        "--database",
        address,
        "--listen",
        "127.0.0.1:0",
    ]
}

#[tokio::test]
async fn a_store_that_was_moved_is_not_served_until_the_move_is_undone() {
    let directory = TempDir::new().expect("a directory");
    let [old, new, other] = ["old", "new", "other"].map(|name| directory.path().join(name));
    bed::fill(&old, false).await;
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    let shown = address.split('?').next().expect("an address");
    let from = sqlite(&old);
    refuses(
        &["migrate-store", "--undo", &from],
        2,
        &[&from, "was not moved"],
    );
    moved(&from, &address);
    let data = old.to_str().expect("UTF-8");
    let alone = ["--data", data, "--listen", "127.0.0.1:0"];
    let undoing = format!("migrate-store --undo {from}");
    refuses(&alone, 3, &[shown, "start servers there", &undoing]);
    // It can still be read, but not be moved elsewhere.
    assert!(run(&["fsck", "--data", data]).status.success());
    let second = databases.empty().await;
    refuses(&["migrate-store", &from, &second], 3, &[shown, &undoing]);

    moved(&address, &sqlite(&new));
    let undoing = format!("migrate-store --undo {shown}");
    let to = sqlite(&new);
    let empty = directory.path().join("data");
    let empty = empty.to_str().expect("UTF-8");
    refuses(&serve(empty, &address), 3, &[&to, &undoing]);
    assert!(run(&["fsck", "--database", &address]).status.success());
    refuses(
        &["migrate-store", &address, &sqlite(&other)],
        3,
        &[&to, &undoing],
    );
    undo(&address);
    // The store was filled long ago.
    drop(Server::start(&["--database", &address, "--accept-clock"]));
    undo(&from);
    moved(&from, &second);
}

#[tokio::test]
async fn a_server_that_was_frozen_while_its_store_was_moved_stops_when_it_wakes_up() {
    let directory = TempDir::new().expect("a directory");
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    let node = Server::start(&["--database", &address]);
    node.signal(Signal::STOP);
    let to = sqlite(&directory.path().join("new"));
    let output = run(&["migrate-store", &address, &to]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("1 of the servers on"), "{errors}");
    node.signal(Signal::CONT);
    // It ends by itself, and its next start is refused.
    let data = node.ended();
    let data = data.path().to_str().expect("UTF-8");
    refuses(
        &serve(data, &address),
        3,
        &[&to, "migrate-store --undo", "start servers there"],
    );
}

#[tokio::test]
async fn a_move_that_is_killed_before_its_last_step_ends_with_the_same_command() {
    let directory = TempDir::new().expect("a directory");
    let [old, new] = ["old", "new"].map(|name| directory.path().join(name));
    bed::fill(&old, false).await;
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    for (from, to) in [
        (sqlite(&old), address.clone()),
        (address.clone(), sqlite(&new)),
    ] {
        let killed = program(&["migrate-store", &from, &to])
            .env("GRUNDYD_FAILPOINT", "after_left:1")
            .output()
            .expect("it runs");
        assert_eq!(killed.status.code(), None, "{killed:?}");
        moved(&from, &to);
    }
}

#[tokio::test]
async fn rights_that_are_missing_are_named_all_at_once_and_migrate_renews_them() {
    let directory = TempDir::new().expect("a directory");
    let data = directory.path().to_str().expect("UTF-8");
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    let owner = address.replace("grundy_server@", "owner@");
    let revoke = "REVOKE ALL ON grundy.spent, grundy.seat FROM grundy_server; REVOKE DELETE ON grundy.word FROM grundy_server";
    databases.sql(&owner, revoke).await;
    refuses(
        &serve(data, &address),
        3,
        &[
            "the role grundy_server lacks rights: SELECT, INSERT, UPDATE, DELETE on seat; SELECT, INSERT, UPDATE, DELETE on spent; DELETE on word",
            "--grant grundy_server",
        ],
    );
    let renewed = run(&["migrate", "--database", &owner]);
    let said = String::from_utf8_lossy(&renewed.stdout);
    assert!(
        said.contains("With all rights that servers need: grundy_server"),
        "{said}"
    );
    drop(Server::start(&["--database", &address]));
    let bare = databases.bare().await;
    let first = run(&["migrate", "--database", &bare]);
    let said = String::from_utf8_lossy(&first.stdout);
    assert!(said.contains("--grant ROLE"), "{said}");
    refuses(
        &["migrate", "--database", &bare, "--grant", "nobody here"],
        3,
        &["it has no role nobody here"],
    );
    let granted = run(&["migrate", "--database", &bare, "--grant", "grundy_server"]);
    let said = String::from_utf8_lossy(&granted.stdout);
    assert!(said.contains("need: grundy_server"), "{said}");
}

#[tokio::test]
async fn two_servers_do_not_share_a_data_directory() {
    let mut databases = Databases::start().await;
    let address = databases.empty().await;
    let node = Server::start(&["--database", &address]);
    let data = node.data().path().to_str().expect("UTF-8");
    refuses(&serve(data, &address), 4, &[data, "in use"]);
}
