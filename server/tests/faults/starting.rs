//! Faults that a server meets when it starts.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use grundy_server::data::location;
use grundy_server::fsck::{Problem, fsck};
use grundy_server::store::open::open;
use grundy_server::store::{NodeId, last_heartbeat};
use grundy_shared::ids::{MatchId, Millis, Seq};
use grundy_shared::protocol::Reply;
use grundy_shared::protocol::client::{Ping, Record};
use rustix::process::Signal;
use sqlx::Connection;
use tempfile::TempDir;

use crate::UNTIMED;
use crate::intruder;
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

/// The file beside the database with this ending.
fn beside(launch: &Launch, suffix: &str) -> PathBuf {
    let mut name = location(&launch.data).into_os_string();
    name.push(suffix);
    name.into()
}

/// A data directory whose server was killed after a move, the match, and its first player.
async fn killed_after_a_move(directory: &Path) -> (Launch, MatchId, Player) {
    let launch = Launch::on(&directory.join("data"));
    let mut server = launch.serve().await;
    let (id, [mut first, _second]) = a_match(&server, directory, UNTIMED).await;
    server.signal(Signal::TERM);
    assert!(server.ended().await.success(), "{}", launch.logged());
    let mut server = launch.serve().await;
    first = first.again(&server, directory).await;
    assert!(matches!(
        first.ask(Player::mv(id, 1, "A-1")).await,
        Reply::Accepted { .. }
    ));
    server.signal(Signal::KILL);
    server.ended().await;
    (launch, id, first)
}

#[tokio::test]
async fn without_its_write_ahead_log_a_database_is_refused_until_the_loss_is_accepted() {
    let directory = TempDir::new().expect("a directory");
    let (mut launch, id, mut first) = killed_after_a_move(directory.path()).await;
    // Put back, it is as if it had never been away.
    let log = beside(&launch, "-wal");
    let kept = directory.path().join("kept-wal");
    std::fs::rename(&log, &kept).expect("a killed server leaves its write-ahead log");
    let (code, said) = refused(&launch).await;
    assert_eq!(code, 3, "{said}");
    std::fs::rename(&kept, &log).expect("it can be put back");
    let mut server = launch.serve().await;
    server.signal(Signal::KILL);
    server.ended().await;
    std::fs::remove_file(&log).expect("a killed server leaves its write-ahead log");

    let report = fsck(&location(&launch.data)).await.expect("it can be read");
    assert_eq!(report.findings[0].problem, Problem::LogMissing {});
    for _ in 0..2 {
        let (code, said) = refused(&launch).await;
        assert_eq!(code, 3, "{said}");
        let last = said.lines().last().unwrap_or_default();
        assert!(last.contains("grundy.db-wal is missing"), "{said}");
        assert!(last.contains("--accept-loss"), "{said}");
    }
    launch.flags.push("--accept-loss".to_owned());
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
        launch.logged().contains("the last commits may be lost"),
        "{}",
        launch.logged()
    );
    let report = fsck(&location(&launch.data))
        .await
        .expect("it can be checked");
    assert!(report.is_sound(), "{report}");
    launch.flags.pop();
    launch.serve().await;
}

#[tokio::test]
async fn a_write_ahead_log_that_was_cut_is_refused_until_the_loss_is_accepted() {
    let directory = TempDir::new().expect("a directory");
    let (mut launch, ..) = killed_after_a_move(directory.path()).await;
    let log = beside(&launch, "-wal");
    let whole = std::fs::read(&log).expect("a killed server leaves its write-ahead log");
    // Its last frames, or one bit of its last page.
    let mut flipped = whole.clone();
    *flipped.last_mut().expect("it has frames") ^= 1;
    for changed in [&whole[..whole.len() - 4_096], &whole[..100], &flipped] {
        std::fs::write(&log, changed).expect("it can be written");
        for _ in 0..2 {
            let (code, said) = refused(&launch).await;
            let last = said.lines().last().unwrap_or_default();
            assert_eq!(code, 3, "{said}");
            assert!(
                last.contains("commits of the last server are missing"),
                "{said}"
            );
            assert!(last.contains("--accept-loss"), "{said}");
        }
    }
    // Put back, it is as if nothing had happened.
    std::fs::write(&log, &whole).expect("it can be written");
    let mut server = launch.serve().await;
    server.signal(Signal::KILL);
    server.ended().await;
    let cut = std::fs::read(&log).expect("it is there");
    std::fs::write(&log, &cut[..cut.len() - 4_096]).expect("it can be written");
    launch.flags.push("--accept-loss".to_owned());
    let mut server = launch.serve().await;
    server.signal(Signal::TERM);
    assert!(server.ended().await.success(), "{}", launch.logged());
    launch.flags.pop();
    launch.serve().await;
}

#[tokio::test]
async fn a_lost_database_is_never_replaced_by_an_empty_one_without_a_word() {
    let directory = TempDir::new().expect("a directory");
    let (mut launch, ..) = killed_after_a_move(directory.path()).await;
    let kept = directory.path().join("kept.db");
    std::fs::rename(location(&launch.data), &kept).expect("it is there");
    let is_refused = async |launch: &Launch, words: &str| {
        let (code, said) = refused(launch).await;
        let last = said.lines().last().unwrap_or_default();
        assert_eq!(code, 3, "{said}");
        assert!(
            last.contains(words) && last.contains("--new"),
            "{words}: {said}"
        );
    };
    is_refused(&launch, "grundy.db is missing, but its lock file").await;
    std::fs::write(location(&launch.data), []).expect("a file");
    is_refused(&launch, "grundy.db is empty, but its lock file").await;
    std::fs::remove_file(beside(&launch, ".lock")).expect("it is there");
    is_refused(&launch, "grundy.db is empty, but grundy.db-").await;

    // Whoever means it gets a fresh one, and keeps what was left.
    let log = std::fs::read(beside(&launch, "-wal")).expect("it is there");
    launch.flags.push("--new".to_owned());
    let mut server = launch.serve().await;
    let aside = launch.data.join("set-aside-1").join("grundy.db-wal");
    assert_eq!(std::fs::read(aside).expect("it was set aside"), log);
    a_match(&server, directory.path(), UNTIMED).await;
    server.signal(Signal::KILL);
    server.ended().await;
    // The flag never takes a database away.
    is_refused(&launch, "grundy.db exists").await;
    launch.flags.pop();
    launch.serve().await;
}

#[tokio::test]
async fn the_first_start_needs_no_flag_also_after_one_that_was_interrupted() {
    let directory = TempDir::new().expect("a directory");
    let launch = Launch::on(&directory.path().join("data"));
    std::fs::create_dir(&launch.data).expect("a directory");
    // What a start leaves that was killed before it made the database.
    std::fs::write(beside(&launch, ".lock"), "123 making\n").expect("a file");
    std::fs::write(location(&launch.data), []).expect("a file");
    std::fs::write(beside(&launch, "-wal"), []).expect("a file");
    launch.serve().await;
}

#[tokio::test]
async fn a_clock_far_from_the_last_heartbeat_is_refused_until_it_is_accepted() {
    const YEAR: Millis = Millis(365 * 86_400_000);
    let directory = TempDir::new().expect("a directory");
    let mut launch = Launch::on(&directory.path().join("data"));
    let mut server = launch.serve().await;
    let (_, [player, _]) = a_match(&server, directory.path(), UNTIMED).await;
    server.signal(Signal::TERM);
    assert!(server.ended().await.success(), "{}", launch.logged());
    let heartbeat = async || {
        let store = open(&location(&launch.data)).await.expect("a database");
        let last = last_heartbeat(&*store, NodeId::ONLY).await;
        store.close().await;
        last.expect("readable").expect("there")
    };
    let now = heartbeat().await;
    for (at, words) in [
        (now.plus(YEAR), "behind the last heartbeat"),
        (Millis(now.0 - YEAR.0), "ahead of the last heartbeat"),
    ] {
        let mut other = intruder::connect(&location(&launch.data)).await;
        sqlx::query("UPDATE node SET heartbeat = ?1")
            .bind(i64::try_from(at.0).expect("it fits"))
            .execute(&mut other)
            .await
            .expect("written");
        other.close().await.expect("it closes");
        let (code, said) = refused(&launch).await;
        let last = said.lines().last().unwrap_or_default();
        assert_eq!(code, 3, "{said}");
        assert!(
            last.contains(words) && last.contains("--accept-clock"),
            "{said}"
        );

        launch.flags.push("--accept-clock".to_owned());
        let mut server = launch.serve().await;
        let mut player = player.again(&server, directory.path()).await;
        let Reply::Pong { now_ms } = player.ask(Ping {}).await else {
            panic!("no pong");
        };
        assert!(now_ms.since(now) < YEAR && now_ms >= now, "{now_ms}");
        server.signal(Signal::TERM);
        assert!(server.ended().await.success(), "{}", launch.logged());
        launch.flags.pop();
        let mut server = launch.serve().await;
        server.signal(Signal::TERM);
        assert!(server.ended().await.success(), "{}", launch.logged());
    }
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
