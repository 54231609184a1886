//! Claims over a player who stays away, at a real server.

use std::sync::Arc;

use crate::common::{Client, Plan, Server, until};
use grundy_server::clock::ManualClock;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};

const MINUTE: u64 = 60_000;

/// A server whose time stands still until it is moved on.
async fn at_rest() -> (Server, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at(Millis(1_700_000_000_000)));
    let plan = Plan {
        clock: clock.clone(),
        ..Plan::default()
    };
    (plan.start().await, clock)
}

fn about(id: &str, claim: &str) -> Value {
    json!({"type":"claim","match":id,"claim":claim})
}

#[tokio::test]
async fn a_win_is_claimed_over_a_player_who_stays_away() {
    for (claim, outcome) in [("win", "second"), ("void", "void")] {
        let (server, clock) = at_rest().await;
        // The second player wins nim:3,3.
        let (first, mut second, id) = server.pair("nim:3,3").await;
        let mut stranger = server.guest("Eve").await;
        let refused = second.ask(about(&id, claim)).await;
        assert_eq!(refused["code"], "not_possible", "{refused}");
        assert_eq!(refused["retry_after_ms"], Value::Null, "{refused}");
        drop(first);
        let mut waits = Vec::new();
        while waits.len() < 1_000 {
            let reply = second.ask(about(&id, claim)).await;
            if reply["type"] == "done" {
                break;
            }
            assert_eq!(reply["code"], "not_possible", "{reply}");
            let wait = reply["retry_after_ms"].as_u64();
            waits.extend(wait);
            assert_eq!(
                stranger.ask(about(&id, claim)).await["code"],
                "not_a_player"
            );
            clock.advance(Millis(wait.unwrap_or(1_000)));
        }
        assert_eq!(waits, [10 * MINUTE], "the first refusal says how long");
        let ended = second.event_of("ended").await;
        assert_eq!(ended["reason"], "abandoned", "{ended}");
        assert_eq!(ended["outcome"], outcome, "{ended}");
        let again = second.ask(about(&id, claim)).await;
        assert_eq!(again["code"], "match_over", "{again}");
        server.stop().await;
    }
}

/// The first player wins this with best play, and it takes the solver a while to see so.
const LONG: &str = "cram:xx.../...../...../...../.....";

/// A server with one thread for the solver, and a match whose first player has stayed away for so long that the second can claim something.
async fn long_gone(cpu_ms: u64) -> (Server, Client, Client, String) {
    let clock = Arc::new(ManualClock::at(Millis(1_700_000_000_000)));
    let mut plan = Plan {
        clock: clock.clone(),
        ..Plan::default()
    };
    // Who has just gone is not away yet.
    plan.config.times.away_ms = Millis(5_000);
    plan.config.solver.threads = 1;
    plan.config.solver.cpu_ms = Millis(cpu_ms);
    let server = plan.start().await;
    let (mut first, mut second, id) = server.pair(LONG).await;
    first.ask(json!({"type":"leave","match":id})).await;
    clock.advance(Millis(5_000));
    assert_eq!(second.event_of("presence").await["online"], false);
    clock.advance(Millis(10 * MINUTE));
    (server, first, second, id)
}

#[tokio::test]
async fn a_slow_server_takes_no_proven_win_away() {
    let (server, _first, mut second, id) = long_gone(1).await;
    let refused = second.ask(about(&id, "void")).await;
    assert_eq!(refused["code"], "absent_player_wins", "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn a_claimant_who_hangs_up_while_the_solver_works_has_claimed_nothing() {
    let (server, mut first, mut second, id) = long_gone(60_000).await;
    second.send(about(&id, "win")).await;
    assert_eq!(second.ask(json!({"type":"ping"})).await["type"], "pong");
    let queue = &server.app.metrics.solver_queue;
    until("the solver works", || queue.running("study") == 1).await;
    drop(second);
    until("the solver is done", || queue.running("study") == 0).await;
    let resume = json!({"type":"resume","match":id,"since_seq":0});
    let resumed = first.ask(resume).await;
    assert_eq!(resumed["snapshot"]["status"], "live", "{resumed}");
    server.stop().await;
}
