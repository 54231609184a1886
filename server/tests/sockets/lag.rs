//! What the way through the network takes of a clock is given back, within bounds, and written down.

use std::sync::Arc;

use crate::common::{Client, Plan, Server};
use grundy_server::clock::ManualClock;
use grundy_shared::ids::Millis;
use serde_json::json;

const START: Millis = Millis(1_700_000_000_000);

/// A player whose answer to the first ping takes so long.
async fn far(server: &Server, clock: &ManualClock, away: Millis) -> Client {
    let mut far = server.guest("Far").await;
    clock.advance(away);
    // The pong goes out where the ping is read: before the answer to the first of these, and after its request.
    for _ in 0..2 {
        assert_eq!(far.ask(json!({"type":"ping"})).await["type"], "pong");
    }
    far
}

#[tokio::test]
async fn the_way_through_the_network_costs_no_time_as_long_as_there_is_some_for_it() {
    let clock = Arc::new(ManualClock::at(START));
    let plan = Plan {
        clock: clock.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let mut far = far(&server, &clock, Millis(400)).await;
    let mut near = server.guest("Near").await;
    let terms = json!({"type":"create","position":"nim:9,9","side":"first","opponent":{"type":"invite"},
        "clock":{"type":"fischer","base_ms":60_000,"increment_ms":0}});
    let created = far.ask(terms).await;
    let id = created["match"].as_str().expect("an id").to_owned();
    let joined = near
        .ask(json!({"type":"join","code":created["code"]}))
        .await;
    assert_eq!(joined["type"], "joined", "{joined}");
    // A second is kept for it, and each move brings a tenth of one: 400 ms, 400 ms, 400 ms, 100 ms.
    let mut left = 60_000;
    let mut lags = Vec::new();
    for turn in 0..5 {
        let moved = far.play(&id, 2 * turn + 1, "A-1").await;
        assert_eq!(moved["clocks"]["first_ms"], left, "turn {turn}: {moved}");
        let answered = near.play(&id, 2 * turn + 2, "B-1").await;
        assert_eq!(answered["type"], "accepted", "{answered}");
        let seen = near.event(u64::from(2 * turn + 4)).await;
        assert_eq!(seen["type"], "moved", "{seen}");
        let lag = seen["lag_ms"].as_u64().unwrap_or(0);
        lags.push(lag);
        // The near player's way is too short to be seen.
        assert!(near.event(u64::from(2 * turn + 3)).await["lag_ms"].is_null());
        clock.advance(Millis(1_400));
        left -= 1_400 - lag;
    }
    assert_eq!(lags, [400, 400, 400, 100, 100]);
    server.stop().await;
}
