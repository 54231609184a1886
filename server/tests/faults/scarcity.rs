//! Too few of what the system lends to a process: those who play go on.

use grundy_shared::protocol::Reply;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpStream;

use crate::UNTIMED;
use crate::player::{Player, a_match};
use crate::process::Launch;

/// A window in which processor time is compared with time.
const WINDOW: Duration = Duration::from_secs(1);

fn descriptors(pid: Pid) -> u64 {
    let open = std::fs::read_dir(format!("/proc/{pid}/fd", pid = pid.as_raw_pid()));
    open.expect("a process of our own").count() as u64
}

/// Processor time that the process has used, in hundredths of a second.
fn processor_time(pid: Pid) -> u64 {
    let path = format!("/proc/{pid}/stat", pid = pid.as_raw_pid());
    let stat = std::fs::read_to_string(path).expect("a process of our own");
    // After the name in parentheses: fields 12 and 13 are user and system time.
    let fields = stat
        .rsplit_once(") ")
        .expect("a name in parentheses")
        .1
        .split(' ');
    fields
        .skip(11)
        .take(2)
        .map(|ticks| ticks.parse::<u64>().expect("a number"))
        .sum()
}

#[tokio::test]
async fn without_free_descriptors_play_goes_on_and_nothing_spins() {
    let directory = TempDir::new().expect("a directory");
    let launch = Launch::on(&directory.path().join("data"));
    let server = launch.serve().await;
    let (id, [mut first, mut second]) = a_match(&server, directory.path(), UNTIMED).await;
    let limit = |descriptors| {
        let limit = Rlimit {
            current: Some(descriptors),
            maximum: Some(1_024),
        };
        prlimit(Some(server.id()), Resource::Nofile, limit).expect("a limit can be set");
    };
    limit(descriptors(server.id()) + 3);
    let mut crowd = Vec::new();
    for _ in 0..20 {
        // The system takes a connection into its queue before the server does.
        crowd.push(
            TcpStream::connect(server.address())
                .await
                .expect("room in the queue"),
        );
    }
    assert!(matches!(
        first.ask(Player::mv(id, 1, "A-1")).await,
        Reply::Accepted { .. }
    ));
    let before = processor_time(server.id());
    tokio::time::sleep(WINDOW).await;
    let spent = processor_time(server.id()) - before;
    assert!(
        spent < 50,
        "{spent} hundredths of a second of work while nothing happens"
    );
    assert!(matches!(
        second.ask(Player::mv(id, 2, "A-1")).await,
        Reply::Accepted { .. }
    ));

    drop(crowd);
    limit(1_024);
    Player::guest(&server, directory.path()).await;
}

#[tokio::test]
async fn with_256_descriptors_a_crowd_waits_and_those_who_play_go_on() {
    let directory = TempDir::new().expect("a directory");
    let mut launch = Launch::on(&directory.path().join("data"))
        .with("GRUNDYD_LIMITS__CONNECTIONS_PER_ADDRESS", "1000")
        .with("GRUNDYD_TIMES__HANDSHAKE_MS", "60000");
    launch.before = Some(r#"ulimit -n 256 && exec "$0" "$@""#.to_owned());
    let server = launch.serve().await;
    let (id, [mut first, mut second]) = a_match(&server, directory.path(), UNTIMED).await;
    let mut crowd = Vec::new();
    for _ in 0..300 {
        crowd.push(
            TcpStream::connect(server.address())
                .await
                .expect("room in the queue"),
        );
    }
    let exhausted = async {
        while !launch.logged().contains("no connection can be accepted") {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(crate::process::PATIENCE, exhausted)
        .await
        .expect("the descriptors run out");
    let before = processor_time(server.id());
    tokio::time::sleep(WINDOW).await;
    let spent = processor_time(server.id()) - before;
    assert!(spent < 50, "{spent} hundredths of a second of work");
    for ply in 1..=8 {
        let mover = if ply % 2 == 1 {
            &mut first
        } else {
            &mut second
        };
        let made = mover.ask(Player::mv(id, ply, "A-1")).await;
        assert!(matches!(made, Reply::Accepted { .. }), "{made:?}");
    }
    drop(crowd);
    Player::guest(&server, directory.path()).await;
}
