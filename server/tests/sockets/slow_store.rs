//! A store that is slow or full costs no player time.

use crate::common;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::common::Client;
use crate::common::faulty::{Faulty, faulty};
use grundy_server::clock::ManualClock;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};

const START: Millis = Millis(1_700_000_000_000);

#[tokio::test]
async fn a_full_disk_refuses_costs_no_time_and_heals_by_itself() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let terms =
        json!({"position":"nim:3,5","clock":{"type":"fischer","base_ms":60_000,"increment_ms":0}});
    let (mut first, mut second, id) = server.pair_with(terms).await;
    store.full.store(true, Ordering::SeqCst);
    clock.advance(Millis(1_000));
    let refused = first.play(&id, 1, "A-1").await;
    assert_eq!(refused["code"], "read_only");
    assert!(refused["retry_after_ms"].is_u64());
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    assert_eq!(second.ask(create.clone()).await["code"], "read_only");
    let watched = second
        .ask(json!({"type":"resume","match":id,"since_seq":2}))
        .await;
    assert_eq!(
        watched["snapshot"]["ply"], 0,
        "nothing was applied, and reading works"
    );
    clock.advance(Millis(30_000));
    store.full.store(false, Ordering::SeqCst);
    let accepted = first.play(&id, 1, "A-1").await;
    assert_eq!(
        accepted["clocks"],
        json!({"first_ms":59_000,"second_ms":60_000}),
        "{accepted}"
    );
    assert_eq!(second.event_of("outage").await["credited_ms"], 30_000);
    assert_eq!(second.ask(create).await["type"], "created");
    server.stop().await;
}

#[tokio::test]
async fn a_slow_store_flags_nobody() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let terms =
        json!({"position":"nim:3,5","clock":{"type":"fischer","base_ms":5_000,"increment_ms":0}});
    let (mut first, mut second, id) = server.pair_with(terms).await;
    clock.advance(Millis(4_000));
    let held = store.gate.forget_permits(usize::MAX >> 3);
    let asked = first
        .send(json!({"type":"move","match":id,"ply":1,"move":"A-1"}))
        .await;
    // Answered after the move was received, since a connection is served in order.
    assert_eq!(first.ask(json!({"type":"ping"})).await["type"], "pong");
    clock.advance(Millis(60_000));
    store.gate.add_permits(held);
    let accepted = first.reply(asked).await;
    assert_eq!(
        accepted["clocks"],
        json!({"first_ms":1_000,"second_ms":5_000}),
        "{accepted}"
    );
    assert_eq!(second.event_of("outage").await["credited_ms"], 60_000);
    let accepted = second.play(&id, 2, "A-1").await;
    assert_eq!(
        accepted["clocks"],
        json!({"first_ms":1_000,"second_ms":5_000}),
        "{accepted}"
    );
    server.stop().await;
}

/// Two seconds pass before what waits at this gate is stored.
async fn two_slow_seconds(
    store: &Faulty,
    clock: &ManualClock,
    gate: &tokio::sync::Semaphore,
    held: usize,
) {
    store.until_it_waits().await;
    clock.advance(Millis(2_000));
    gate.add_permits(held);
}

/// The newest credit to the clocks of a match, and what they stand at before the first move.
async fn credited(client: &mut Client, id: &str) -> (Value, Value) {
    let outage = |frame: &Value| frame["match"] == id && frame["body"]["type"] == "outage";
    let outage = client.find("a credit", outage).await;
    let ask = json!({"type":"resume","match":id,"since_seq":outage["seq"]});
    let attached = client.ask(ask).await;
    let clocks = attached["snapshot"]["clocks"].clone();
    (outage["body"]["credited_ms"].clone(), clocks)
}

/// What the clocks of a rematch stand at once they have been started.
async fn started(client: &mut Client, id: &str) -> Value {
    let clock = |frame: &Value| frame["match"] == id && frame["body"]["type"] == "clock_started";
    client.find("one clock", clock).await;
    client.find("the other clock", clock).await;
    let attached = client.ask(json!({"type":"resume","match":id})).await;
    attached["snapshot"]["clocks"].clone()
}

#[tokio::test]
async fn whatever_is_stored_slowly_costs_nobody_time() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let terms = |side: &str, opponent: Value| {
        json!({
            "type":"create","position":"nim:9,9","side":side,"opponent":opponent,
            "clock":{"type":"fischer","base_ms":5_000,"increment_ms":0}
        })
    };
    let untouched = (json!(2_000), json!({"first_ms":5_000,"second_ms":5_000}));
    let bot = json!({"type":"bot","name":"perfect"});
    let mut first = server.guest("first").await;

    // The move of a bot.
    let held = Faulty::close(&store.gate);
    let created = first.ask(terms("second", bot.clone())).await;
    two_slow_seconds(&store, &clock, &store.gate, held).await;
    let id = created["match"].as_str().expect("an id");
    assert_eq!(credited(&mut first, id).await, untouched, "a bot's move");

    // A match that begins at once.
    let held = Faulty::close(&store.creates);
    let asked = first.send(terms("first", bot)).await;
    two_slow_seconds(&store, &clock, &store.creates, held).await;
    let created = first.reply(asked).await;
    let id = created["match"].as_str().expect("an id");
    assert_eq!(credited(&mut first, id).await, untouched, "a beginning");

    // The second seat is taken.
    let mut second = server.guest("second").await;
    let created = first.ask(terms("first", json!({"type":"invite"}))).await;
    let id = created["match"].as_str().expect("an id").to_owned();
    let held = Faulty::close(&store.gate);
    let join = json!({"type":"join","code":created["code"]});
    let asked = second.send(join).await;
    two_slow_seconds(&store, &clock, &store.gate, held).await;
    assert_eq!(second.reply(asked).await["type"], "joined");
    assert_eq!(credited(&mut first, &id).await, untouched, "a join");

    // A rematch that is announced late: its clocks are held until both players are there.
    first.ask(json!({"type":"resign","match":id})).await;
    let rematch = json!({"type":"rematch","match":id});
    assert_eq!(second.ask(rematch.clone()).await["type"], "rematch");
    let held = Faulty::close(&store.creates);
    let asked = first.send(rematch).await;
    two_slow_seconds(&store, &clock, &store.creates, held).await;
    let accepted = first.reply(asked).await;
    let id = accepted["rematch"].as_str().expect("an id").to_owned();
    assert_eq!(started(&mut second, &id).await, untouched.1, "a rematch");

    // Its clocks are started late.
    first.ask(json!({"type":"resign","match":id})).await;
    let rematch = json!({"type":"rematch","match":id});
    assert_eq!(second.ask(rematch.clone()).await["type"], "rematch");
    let held = Faulty::close(&store.gate);
    let accepted = first.ask(rematch).await;
    two_slow_seconds(&store, &clock, &store.gate, held).await;
    let id = accepted["rematch"].as_str().expect("an id").to_owned();
    assert_eq!(credited(&mut second, &id).await, untouched, "a start");

    // A rematch whose announcement is refused, for longer than its clocks would last.
    first.ask(json!({"type":"resign","match":id})).await;
    let rematch = json!({"type":"rematch","match":id});
    assert_eq!(second.ask(rematch.clone()).await["type"], "rematch");
    let held = Faulty::close(&store.creates);
    let asked = first.send(rematch.clone()).await;
    store.until_it_waits().await;
    store.full.store(true, Ordering::SeqCst);
    store.creates.add_permits(held);
    assert_eq!(first.reply(asked).await["code"], "read_only");
    clock.advance(Millis(6_000));
    store.full.store(false, Ordering::SeqCst);
    let accepted = first.ask(rematch).await;
    let id = accepted["rematch"].as_str().expect("an id").to_owned();
    assert_eq!(started(&mut second, &id).await, untouched.1);
    assert_eq!(second.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(server.app.matches.open_matches(), 3);
    server.stop().await;
}

#[tokio::test]
async fn who_asks_for_a_match_before_its_maker_knows_of_it_costs_nobody_time() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let create = json!({
        "type":"create","position":"nim:9,9","side":"first","opponent":{"type":"bot","name":"perfect"},
        "clock":{"type":"fischer","base_ms":5_000,"increment_ms":0},"client_create_id":"one"
    });
    let mut first = server.guest("first").await;
    let (mut again, _) = server.again(&first).await;
    let held = Faulty::close(&store.created);
    let asked = first.send(create.clone()).await;
    store.until_it_waits().await;
    // It is stored, and found under its name; the pong says that the request has gone to the match.
    let repeated = again.send(create).await;
    again.ask(json!({"type":"ping"})).await;
    clock.advance(Millis(6_000));
    store.created.add_permits(held);
    let created = again.reply(repeated).await;
    assert_eq!(first.reply(asked).await["match"], created["match"]);
    let id = created["match"].as_str().expect("an id");
    // The seat went over to the connection that made it.
    let (credit, clocks) = credited(&mut first, id).await;
    assert_eq!(credit, 6_000);
    assert_eq!(clocks, json!({"first_ms":5_000,"second_ms":5_000}));
    server.stop().await;
}

#[tokio::test]
async fn who_repeats_a_create_is_refused_while_the_log_cannot_be_read() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let create = json!({
        "type":"create","position":"nim:1","side":"first","opponent":{"type":"bot","name":"perfect"},
        "clock":{"type":"untimed"},"client_create_id":"one"
    });
    let mut first = server.guest("first").await;
    let created = first.ask(create.clone()).await;
    let id = created["match"].as_str().expect("an id").to_owned();
    first.play(&id, 1, "A-1").await;
    first.event_of("ended").await;
    // Nobody follows it any more, so that it is not in memory.
    let (mut again, _) = server.again(&first).await;
    first.ask(json!({"type":"leave","match":id})).await;
    let parsed = id.parse().expect("an id");
    let is_away = || server.app.matches.get(parsed).is_none();
    common::until("a match that is put away", is_away).await;
    store.busy.store(true, Ordering::SeqCst);
    let refused = again.ask(create.clone()).await;
    assert_eq!(refused["code"], "server_busy", "{refused}");
    assert!(refused["retry_after_ms"].is_u64(), "{refused}");
    store.busy.store(false, Ordering::SeqCst);
    assert_eq!(again.ask(create).await["match"], created["match"]);
    assert_eq!(again.event_of("ended").await["outcome"], "first");
    server.stop().await;
}
