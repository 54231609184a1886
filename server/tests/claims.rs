//! Claims over a player who stays away, at a real server.

mod common;

use std::sync::Arc;

use common::{Plan, Server};
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
