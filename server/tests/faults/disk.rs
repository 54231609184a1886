//! Faults of the disk under a server that plays: nothing is acknowledged that is not stored, reading goes on, and
//! writing goes on by itself when the fault is over.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Instant;

use grundy_server::data::location;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::client::{Record, Resume};
use grundy_shared::protocol::{ErrorCode, Reply};
use rustix::process::{Resource, Rlimit, prlimit};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use crate::UNTIMED;
use crate::player::{Player, a_match};
use crate::process::{Launch, PATIENCE, Server};

/// The answer of `/readyz`.
fn readyz(server: &Server) -> String {
    let mut stream = TcpStream::connect(server.address()).expect("the server accepts");
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("a time can be set");
    write!(
        stream,
        "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    .expect("it can be asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}

/// The status of `/readyz`.
fn readiness(server: &Server) -> u16 {
    readyz(server)
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .expect("an HTTP status")
}

/// Waits until the server says that it is ready: it does not where a busy machine keeps its store waiting.
fn check_ready(server: &Server, launch: &Launch) {
    let since = Instant::now();
    loop {
        match readiness(server) {
            200 => return,
            status => assert!(since.elapsed() < PATIENCE, "{status}: {}", launch.logged()),
        }
    }
}

/// With a match in which one move was made: makes the fault, sees that the next move is refused for now and everything
/// that only reads works, ends the fault, and sees that play goes on.
async fn play_through(
    launch: &Launch,
    directory: &Path,
    begin: impl AsyncFnOnce(&Server),
    end: impl AsyncFnOnce(&Server),
) {
    let server = launch.serve().await;
    let (id, [mut first, mut second]) = a_match(&server, directory, UNTIMED).await;
    assert!(matches!(
        first.ask(Player::mv(id, 1, "A-1")).await,
        Reply::Accepted { seq: Seq(3), .. }
    ));
    check_ready(&server, launch);
    begin(&server).await;

    let refusal = second.refusal(Player::mv(id, 2, "B-1")).await;
    assert_eq!(refusal.code, ErrorCode::ReadOnly, "{refusal}");
    assert!(
        refusal.retry_after_ms.is_some() && !refusal.closes,
        "{refusal:?}"
    );
    assert_eq!(readiness(&server), 503);
    reads_go_on(id, &mut first).await;
    let mut back = first.again(&server, directory).await;
    let resume = Resume {
        match_id: id.to_string(),
        since_seq: Seq(2),
    };
    assert!(matches!(back.ask(resume).await, Reply::Attached { .. }));
    assert!(matches!(
        back.event().await,
        (_, Seq(3), Event::Moved { .. })
    ));

    end(&server).await;
    // The same move again, as a client does that was told to wait.
    let mut answer = second.ask(Player::mv(id, 2, "B-1")).await;
    let deadline = tokio::time::Instant::now() + PATIENCE;
    while matches!(&answer, Reply::Error(refusal) if refusal.code == ErrorCode::ReadOnly) {
        assert!(
            tokio::time::Instant::now() < deadline,
            "it stays read-only: {}",
            launch.logged()
        );
        answer = second.ask(Player::mv(id, 2, "B-1")).await;
    }
    let Reply::Accepted { seq, .. } = answer else {
        panic!("not accepted: {answer:?}");
    };
    // Each hears of the move under the number that was acknowledged, after everything before it.
    for expected in 4..=seq.0 {
        assert_eq!(back.event().await.1, Seq(expected));
    }
    check_ready(&server, launch);
}

async fn reads_go_on(id: MatchId, player: &mut Player) {
    let record = Record {
        match_id: id.to_string(),
        since_seq: Seq(0),
        limit: None,
    };
    match player.ask(record).await {
        Reply::Record {
            events,
            complete: true,
            ..
        } => assert_eq!(events.len(), 3),
        other => panic!("no record: {other:?}"),
    }
}

#[tokio::test]
async fn a_limit_of_file_sizes_is_read_only_until_it_is_raised() {
    let directory = TempDir::new().expect("a directory");
    let launch = Launch::on(&directory.path().join("data"));
    let limit = async |server: &Server, bytes| {
        let most = prlimit(
            Some(server.id()),
            Resource::Fsize,
            Rlimit {
                current: bytes,
                maximum: None,
            },
        );
        most.expect("a limit can be set");
    };
    play_through(
        &launch,
        directory.path(),
        async |server| limit(server, Some(0)).await,
        async |server| {
            limit(server, None).await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_full_disk_is_read_only_until_there_is_room() {
    let directory = TempDir::new().expect("a directory");
    let [data, shadow] = ["data", "shadow"].map(|name| directory.path().join(name));
    std::fs::create_dir(&data).expect("a directory for the data");
    std::fs::create_dir(&shadow).expect("a directory for the shadow");
    let full = directory.path().join("full");
    let recorder = crate::recorder::Recorder::build();
    let mut launch = Launch::on(&data).with("FLUSH_RECORD_FULL", &full);
    let variables = recorder.environment(&data, &shadow);
    launch
        .environment
        .extend(variables.map(|(name, value)| (name, value.into())));
    play_through(
        &launch,
        directory.path(),
        async |_| std::fs::write(&full, "").expect("a file can be made"),
        async |_| std::fs::remove_file(&full).expect("a file can be removed"),
    )
    .await;
}

#[tokio::test]
async fn a_lock_of_another_process_is_waited_for_and_then_busy() {
    let directory = TempDir::new().expect("a directory");
    let launch = Launch::on(&directory.path().join("data"));
    let server = launch.serve().await;
    let (id, [mut first, _second]) = a_match(&server, directory.path(), UNTIMED).await;
    let options = SqliteConnectOptions::new().filename(location(&launch.data));
    let mut other = options.connect().await.expect("the database opens");
    sqlx::query("BEGIN EXCLUSIVE")
        .execute(&mut other)
        .await
        .expect("the lock is free");

    let refusal = first.refusal(Player::mv(id, 1, "A-1")).await;
    assert_eq!(refusal.code, ErrorCode::ServerBusy, "{refusal}");
    assert!(refusal.retry_after_ms.is_some(), "{refusal:?}");
    sqlx::query("ROLLBACK")
        .execute(&mut other)
        .await
        .expect("the lock is given back");
    other.close().await.expect("it closes");
    assert!(matches!(
        first.ask(Player::mv(id, 1, "A-1")).await,
        Reply::Accepted { seq: Seq(3), .. }
    ));
}

/// Starts the server with a small file system of its own at the data directory.
const OWN_DISK: &str = r#"exec unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=16m own "$OWN_DISK" && exec "$0" "$@"' "$0" "$@""#;

#[tokio::test]
async fn below_the_reserve_running_matches_go_on_and_nothing_new_is_taken_until_there_is_room() {
    let directory = TempDir::new().expect("a directory");
    let data = directory.path().join("data");
    std::fs::create_dir(&data).expect("a directory for the data");
    let mut launch = Launch::on(&data).with("OWN_DISK", &data);
    launch.before = Some(OWN_DISK.to_owned());
    launch = launch.with("GRUNDYD_STORAGE__RESERVE_BYTES", "8000000");
    let server = launch.serve().await;
    let (id, [mut first, mut second]) = a_match(&server, directory.path(), UNTIMED).await;
    check_ready(&server, &launch);
    // As the server sees its disk.
    let root = format!("/proc/{}/root", server.id().as_raw_nonzero());
    let filler = Path::new(&root)
        .join(data.strip_prefix("/").expect("an absolute path"))
        .join("filler");
    std::fs::write(&filler, vec![1; 10_000_000]).expect("there is room");

    let deadline = Instant::now() + PATIENCE;
    // It is ready all the same, once the store answers in time.
    loop {
        let answer = readyz(&server);
        if answer.contains("are refused") && answer.starts_with("HTTP/1.1 200 ") {
            break;
        }
        assert!(Instant::now() < deadline, "{answer}: {}", launch.logged());
    }
    let refusal = first.refusal(Player::create()).await;
    assert_eq!(refusal.code, ErrorCode::ReadOnly, "{refusal}");
    assert!(
        refusal.retry_after_ms.is_some() && !refusal.closes,
        "{refusal:?}"
    );
    for (ply, text) in [(1, "A-1"), (2, "B-1"), (3, "C-1")] {
        let player = if ply == 2 { &mut second } else { &mut first };
        let made = player.ask(Player::mv(id, ply, text)).await;
        assert!(matches!(made, Reply::Accepted { .. }), "{made:?}");
    }

    std::fs::remove_file(&filler).expect("it goes");
    let deadline = Instant::now() + PATIENCE;
    loop {
        match first.ask(Player::create()).await {
            Reply::Created { .. } => break,
            Reply::Error(refusal) if refusal.code == ErrorCode::ReadOnly => {}
            other => panic!("neither: {other:?}"),
        }
        assert!(Instant::now() < deadline, "{}", launch.logged());
    }
    Player::guest(&server, directory.path()).await;
}
