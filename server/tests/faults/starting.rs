//! Faults that a server meets when it starts.

use std::os::unix::fs::PermissionsExt;

use grundy_server::data::location;
use grundy_server::fsck::{Problem, fsck};
use grundy_server::store::open::open;
use grundy_server::store::{NodeId, last_heartbeat};
use grundy_shared::ids::{Millis, Seq};
use grundy_shared::protocol::Reply;
use grundy_shared::protocol::client::{Ping, Record};
use rustix::process::Signal;
use tempfile::TempDir;

use crate::UNTIMED;
use crate::player::{Player, a_match};
use crate::process::Launch;

/// Starts a server that cannot run: its exit code and all it logged.
async fn refused(launch: &Launch) -> (i32, String) {
    match launch.start().await {
        Err(status) => (status.code().expect("it ends by itself"), launch.logged()),
        Ok(_) => panic!("it serves: {}", launch.logged()),
    }
}

#[tokio::test]
async fn a_directory_that_cannot_be_written_is_named() {
    let directory = TempDir::new().expect("a directory");
    let mut launch = Launch::on(&directory.path().join("data"));
    let mut server = launch.serve().await;
    server.signal(Signal::TERM);
    assert!(server.ended().await.success(), "{}", launch.logged());
    let writable = std::fs::metadata(&launch.data)
        .expect("it is there")
        .permissions();
    for path in [launch.data.clone(), location(&launch.data)] {
        let mode = std::fs::metadata(&path)
            .expect("it is there")
            .permissions()
            .mode();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode & !0o222))
            .expect("it is ours");
    }
    if rustix::process::geteuid().is_root() {
        // For root permissions mean nothing, unless it gives up that right.
        launch.before =
            Some(r#"exec setpriv --bounding-set=-dac_override -- "$0" "$@""#.to_owned());
    }
    let (code, said) = refused(&launch).await;
    std::fs::set_permissions(&launch.data, writable).expect("it is ours");
    assert_eq!(code, 3, "{said}");
    assert!(said.contains(&*launch.data.to_string_lossy()), "{said}");
}

#[tokio::test]
async fn without_its_write_ahead_log_a_database_is_older_but_never_fresh() {
    let directory = TempDir::new().expect("a directory");
    let launch = Launch::on(&directory.path().join("data"));
    let mut server = launch.serve().await;
    let (id, [mut first, _second]) = a_match(&server, directory.path(), UNTIMED).await;
    server.signal(Signal::TERM);
    assert!(server.ended().await.success(), "{}", launch.logged());
    let mut server = launch.serve().await;
    first = first.again(&server, directory.path()).await;
    assert!(matches!(
        first.ask(Player::mv(id, 1, "A-1")).await,
        Reply::Accepted { .. }
    ));
    server.signal(Signal::KILL);
    server.ended().await;
    let mut log = location(&launch.data).into_os_string();
    log.push("-wal");
    std::fs::remove_file(&log).expect("a killed server leaves its write-ahead log");

    let report = fsck(&location(&launch.data)).await.expect("it can be read");
    assert_eq!(report.findings[0].problem, Problem::LogMissing {});
    let mut server = launch.serve().await;
    first = first.again(&server, directory.path()).await;
    let record = Record {
        match_id: id.to_string(),
        since_seq: Seq(0),
        limit: None,
    };
    match first.ask(record).await {
        Reply::Record { events, .. } => assert!(events.len() >= 2, "{events:?}"),
        other => panic!("no record: {other:?}"),
    }
    // A clean stop leaves nothing to be missed. The log lines are written by a thread of the server: all of them are there
    // once it has ended.
    server.signal(Signal::TERM);
    assert!(server.ended().await.success(), "{}", launch.logged());
    assert!(
        launch.logged().contains("write-ahead log is gone"),
        "{}",
        launch.logged()
    );
    let report = fsck(&location(&launch.data)).await.expect("it can be read");
    assert!(report.is_sound(), "{report}");
}

#[tokio::test]
async fn a_wall_clock_that_was_set_back_gives_time_to_nobody_and_takes_none() {
    let directory = TempDir::new().expect("a directory");
    let launch = Launch::on(&directory.path().join("data"));
    let mut server = launch.serve().await;
    let (id, [mut first, mut second]) = a_match(&server, directory.path(), UNTIMED).await;
    assert!(matches!(
        first.ask(Player::mv(id, 1, "A-1")).await,
        Reply::Accepted { .. }
    ));
    server.signal(Signal::TERM);
    assert!(server.ended().await.success(), "{}", launch.logged());
    // As if the last run had seen a clock that went an hour ahead.
    let store = open(&location(&launch.data)).await.expect("a database");
    let last = last_heartbeat(&*store, NodeId::ONLY).await;
    let last = last.expect("readable").expect("there");
    let ahead = last.plus(Millis(3_600_000));
    let lease = store.enlist(NodeId::ONLY, last).await.expect("written");
    store.heartbeat(lease, ahead).await.expect("written");
    store.close().await;

    let mut server = launch.serve().await;
    second = second.again(&server, directory.path()).await;
    let Reply::Pong { now_ms } = second.ask(Ping {}).await else {
        panic!("no pong");
    };
    assert!(now_ms >= ahead, "{now_ms} before {ahead}");
    assert!(matches!(
        second.ask(Player::mv(id, 2, "A-1")).await,
        Reply::Accepted { .. }
    ));
    // The log lines are written by a thread of the server: all of them are there once it has ended.
    server.signal(Signal::TERM);
    assert!(server.ended().await.success(), "{}", launch.logged());
    assert!(launch.logged().contains("set back"), "{}", launch.logged());
}

#[cfg(not(feature = "failpoints"))]
#[tokio::test]
async fn a_server_as_it_ships_knows_no_failpoints() {
    let directory = TempDir::new().expect("a directory");
    for variable in ["GRUNDYD_FAILPOINT", "GRUNDYD_UNSAFE_SYNCHRONOUS"] {
        let launch = Launch::on(&directory.path().join("data")).with(variable, "before_commit:1");
        let (code, said) = refused(&launch).await;
        assert_eq!(code, 2, "{said}");
        assert!(
            said.contains(variable) && said.contains("unknown variable"),
            "{said}"
        );
    }
}
