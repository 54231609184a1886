//! Held clocks over the wire: in a rematch until both players are there, after a restart until each is back, and never for longer
//! than the page says.

use std::path::Path;
use std::sync::Arc;

use crate::common::{Client, Plan, Server};
use grundy_server::clock::ManualClock;
use grundy_server::data;
use grundy_server::lifecycle::RECONNECT_MOST;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::open::open;
use grundy_server::store::{LOAD_PAGE, Logged, Store};
use grundy_shared::ids::{MatchId, Millis, Seq};
use serde_json::{Value, json};

const START: Millis = Millis(1_700_000_000_000);
/// Clocks of a rematch are held no longer.
const REMATCH_MS: u64 = 10_000;
/// Clocks are held so much longer after a restart than the longest delay that a client was asked for.
const AFTER_RECONNECT_MS: u64 = 5_000;

async fn on(store: Arc<dyn Store>, clock: &Arc<ManualClock>) -> Server {
    let mut plan = Plan::with(|config| config.times.away_ms = Millis(60_000));
    (plan.store, plan.clock) = (store, clock.clone());
    plan.start().await
}

async fn on_disk(directory: &Path, clock: &Arc<ManualClock>) -> Server {
    let store = open(&data::location(directory)).await.expect("a database");
    on(store, clock).await
}

fn terms() -> Value {
    json!({"position":"nim:3,4,5","clock":{"type":"fischer","base_ms":60_000,"increment_ms":0}})
}

async fn about(client: &mut Client, kind: &str, id: &str) -> Value {
    client.ask(json!({"type":kind,"match":id})).await
}

/// Whether the clock of who is to move is held, and the time that is left; asking lets the match do what is due.
async fn held(client: &mut Client, kind: &str, id: &str) -> (bool, Value) {
    let attached = about(client, kind, id).await;
    assert_eq!(attached["type"], "attached", "{attached}");
    let snapshot = &attached["snapshot"];
    (snapshot["held"] == true, snapshot["clocks"].clone())
}

/// The event of a clock that starts: of which seat.
async fn started(client: &mut Client, id: &str) -> Value {
    let of = |frame: &Value| frame["match"] == id && frame["body"]["type"] == "clock_started";
    client.find("a clock that starts", of).await["body"]["seat"].clone()
}

fn full() -> Value {
    json!({"first_ms":60_000,"second_ms":60_000})
}

/// A rematch that only the second player of the match before follows, who is the first now.
async fn rematch_of_one(server: &Server) -> (Client, Client, String) {
    let (mut first, mut second, id) = server.pair_with(terms()).await;
    assert_eq!(about(&mut second, "resign", &id).await["type"], "done");
    assert_eq!(about(&mut first, "leave", &id).await["type"], "done");
    assert_eq!(about(&mut first, "rematch", &id).await["type"], "rematch");
    let accepted = about(&mut second, "rematch", &id).await;
    let rematch = accepted["rematch"].as_str().expect("accepted").to_owned();
    (first, second, rematch)
}

#[tokio::test]
async fn the_clocks_of_a_rematch_wait_for_the_other_player() {
    let clock = Arc::new(ManualClock::at(START));
    let server = on(Arc::new(MemoryStore::new()), &clock).await;
    let (mut absent, mut here, id) = rematch_of_one(&server).await;
    clock.advance(Millis(REMATCH_MS - 1));
    assert_eq!(held(&mut here, "resume", &id).await, (true, full()));
    assert_eq!(held(&mut absent, "resume", &id).await, (true, full()));
    for _ in 0..2 {
        started(&mut here, &id).await;
    }
    clock.advance(Millis(1_000));
    let left = json!({"first_ms":59_000,"second_ms":60_000});
    assert_eq!(held(&mut here, "resume", &id).await, (false, left));
    server.stop().await;
}

/// How many clocks the server has started by itself. It is stopped for that: it finishes what was begun.
async fn clocks_started(server: Server, directory: &Path, id: &str) -> usize {
    server.stop().await;
    let store = open(&data::location(directory)).await.expect("a database");
    let id: MatchId = id.parse().expect("an id");
    let log = store.load(id.into(), Seq(0), LOAD_PAGE).await;
    store.close().await;
    let log = log.expect("readable").expect("there");
    let starts = |event: &&Logged| event.text().contains(r#""type":"clock_started""#);
    log.iter().filter(starts).count()
}

#[tokio::test]
async fn the_clocks_of_a_rematch_wait_ten_seconds_at_most() {
    for (waited, clocks) in [(REMATCH_MS - 1, 0), (REMATCH_MS, 2)] {
        let directory = tempfile::tempdir().expect("a directory");
        let clock = Arc::new(ManualClock::at(START));
        let server = on_disk(directory.path(), &clock).await;
        let (_absent, mut here, id) = rematch_of_one(&server).await;
        clock.advance(Millis(waited));
        held(&mut here, "resume", &id).await;
        for _ in 0..clocks {
            started(&mut here, &id).await;
        }
        let counted = clocks_started(server, directory.path(), &id).await;
        assert_eq!(counted, clocks, "after {waited} ms");
    }
}

/// A match of which both clocks are full, after a restart.
async fn restarted(directory: &Path, clock: &Arc<ManualClock>) -> (Server, [Client; 2], String) {
    let server = on_disk(directory, clock).await;
    let (first, second, id) = server.pair_with(terms()).await;
    server.stop().await;
    clock.advance(Millis(3_600_000));
    let server = on_disk(directory, clock).await;
    (server, [first, second], id)
}

#[tokio::test]
async fn after_a_restart_a_clock_starts_when_its_player_is_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let clock = Arc::new(ManualClock::at(START));
    let (server, [first, second], id) = restarted(directory.path(), &clock).await;
    clock.advance(Millis(3_000));
    // The other player is back, and to move is the first.
    let (mut second, _) = server.again(&second).await;
    assert_eq!(held(&mut second, "resume", &id).await, (true, full()));
    assert_eq!(started(&mut second, &id).await, "second");
    clock.advance(Millis(3_000));
    let (mut first, _) = server.again(&first).await;
    assert_eq!(held(&mut first, "resume", &id).await, (true, full()));
    assert_eq!(started(&mut first, &id).await, "second");
    assert_eq!(started(&mut first, &id).await, "first");
    clock.advance(Millis(1_000));
    let left = json!({"first_ms":59_000,"second_ms":60_000});
    assert_eq!(held(&mut second, "resume", &id).await, (false, left));
    server.stop().await;
}

#[tokio::test]
async fn after_a_restart_clocks_wait_no_longer_than_the_longest_delay_and_five_seconds() {
    for (early, clocks) in [(1, 0), (0, 2)] {
        let directory = tempfile::tempdir().expect("a directory");
        let clock = Arc::new(ManualClock::at(START));
        let (server, _absent, id) = restarted(directory.path(), &clock).await;
        let most = RECONNECT_MOST.0 + AFTER_RECONNECT_MS;
        let mut watcher = server.guest("Wat").await;
        clock.advance(Millis(most - early));
        held(&mut watcher, "watch", &id).await;
        for _ in 0..clocks {
            started(&mut watcher, &id).await;
        }
        let counted = clocks_started(server, directory.path(), &id).await;
        assert_eq!(counted, clocks, "{early} ms early");
    }
}
