//! The process itself stands still or loses a part: nobody pays for it with time, and nothing is half alive.

use std::time::{Duration, Instant};

use grundy_shared::event::TimeControl;
use grundy_shared::ids::Millis;
use grundy_shared::protocol::client::Ping;
use grundy_shared::protocol::{ErrorCode, Reply};
use rustix::process::Signal;
use tempfile::TempDir;

use crate::player::{Player, a_match};
use crate::process::Launch;

/// Time on the clock: less than the process stands still.
const BASE: Millis = Millis(4_000);
const STANDSTILL: Duration = Duration::from_millis(6_000);

#[tokio::test]
async fn nobody_loses_on_time_while_the_process_is_stopped() {
    let directory = TempDir::new().expect("a directory");
    let launch = Launch::on(&directory.path().join("data"));
    let server = launch.serve().await;
    let clock = TimeControl::Fischer {
        base_ms: BASE,
        increment_ms: Millis(0),
    };
    let begun = Instant::now();
    let (id, [mut first, mut second]) = a_match(&server, directory.path(), clock).await;
    server.signal(Signal::STOP);
    tokio::time::sleep(STANDSTILL).await;
    server.signal(Signal::CONT);
    for (player, ply) in [(&mut first, 1), (&mut second, 2)] {
        let reply = player.ask(Player::mv(id, ply, "A-1")).await;
        let ran = begun.elapsed() - STANDSTILL;
        match reply {
            Reply::Accepted {
                clocks: Some(clocks),
                ..
            } => assert!(clocks.first_ms > Millis(0), "{clocks:?}"),
            // On a machine so busy that the server needed the whole time for itself, a flag is right.
            Reply::Error(refusal)
                if refusal.code == ErrorCode::MatchOver && ran.as_millis() >= BASE.0.into() =>
            {
                return;
            }
            other => panic!("after {ran:?} without the standstill, move {ply} got {other:?}"),
        }
    }
}

#[tokio::test]
async fn nobody_is_given_up_for_what_a_stopped_process_did_not_hear() {
    let directory = TempDir::new().expect("a directory");
    let launch = Launch::on(&directory.path().join("data"))
        .with("GRUNDYD_TIMES__PING_MS", "1000")
        .with("GRUNDYD_TIMES__DEAD_AFTER_MS", "3000");
    let server = launch.serve().await;
    let mut player = Player::guest(&server, directory.path()).await;
    // Just heard, and not pinged since.
    server.signal(Signal::STOP);
    player.hears_nothing(STANDSTILL).await;
    server.signal(Signal::CONT);
    assert!(matches!(player.ask(Ping {}).await, Reply::Pong { .. }));
}

#[cfg(feature = "failpoints")]
#[tokio::test]
async fn a_server_whose_writer_died_ends_and_says_so() {
    let directory = TempDir::new().expect("a directory");
    let launch =
        Launch::on(&directory.path().join("data")).with("GRUNDYD_FAILPOINT", "writer_dies:8");
    let mut server = launch.serve().await;
    // A start passes the place two or three times, and then a heartbeat each second: it dies long after it listens, also on a busy machine.
    let status = server.ended().await;
    assert_eq!(status.code(), Some(1), "{}", launch.logged());
    assert!(
        launch.logged().contains("the writer panicked"),
        "{}",
        launch.logged()
    );
    // And it starts again from what is on the disk.
    drop(server);
    Launch::on(&launch.data).serve().await;
}
