//! Following a match: no gap, no repeat, whoever was away or slow, and one connection a seat.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::common::faulty::{Faulty, READS};
use crate::common::{Client, Plan, Server, in_time};
use futures::StreamExt;
use grundy_server::metrics::ByReason;
use grundy_shared::ids::{MatchId, Millis};
use grundy_shared::referee::{MOVE_BYTES_MAX, MOVE_OVERHEAD, MOVES_BYTES_MAX};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpSocket;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

/// Moves that a connection which is not read cannot hold.
const WAVE: u32 = 2_000;

/// Plays so many plies of a match in which each takes one; from ply `from`.
async fn play_on(first: &mut Client, second: &mut Client, id: &str, from: u32, plies: u32) {
    for ply in from..from + plies {
        let (mover, heap) = match ply % 2 {
            1 => (&mut *first, "A-1"),
            _ => (&mut *second, "B-1"),
        };
        let accepted = mover.play(id, ply, heap).await;
        assert_eq!(accepted["type"], "accepted", "{accepted}");
    }
}

/// Reads events until this one; every number from `after` on comes once and in order.
async fn read_to(client: &mut Client, after: u64, last: u64) {
    let mut expected = after + 1;
    while expected <= last {
        let frame = client.find("an event", |frame| frame["seq"].is_u64()).await;
        assert_eq!(frame["seq"], expected, "{frame}");
        expected += 1;
    }
}

#[tokio::test]
async fn resuming_has_neither_gap_nor_repeat_however_long_the_log() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1000,1000").await;
    play_on(&mut first, &mut second, &id, 1, 400).await;
    let mut watchers = Vec::new();
    for since in [0_u64, 1, 200, 399, 401, 402] {
        let mut watcher = server.guest("Wat").await;
        let ask = json!({"type":"watch","match":id,"since_seq":since});
        let attached = watcher.ask(ask).await;
        assert_eq!(attached["type"], "attached", "{attached}");
        assert_eq!(attached["snapshot"]["seq"], 402);
        watchers.push((watcher, since));
    }
    // They read while the match goes on.
    play_on(&mut first, &mut second, &id, 401, 100).await;
    for (watcher, since) in &mut watchers {
        read_to(watcher, *since, 502).await;
    }
    let (mut again, _) = server.again(&first).await;
    again
        .ask(json!({"type":"resume","match":id,"since_seq":2}))
        .await;
    read_to(&mut again, 2, 502).await;
    server.stop().await;
}

#[tokio::test]
async fn the_newest_connection_of_a_player_has_the_seat() {
    let server = Server::start().await;
    let (mut old, mut second, id) = server.pair("nim:9,9").await;
    let (mut new, _) = server.again(&old).await;
    let attached = new
        .ask(json!({"type":"resume","match":id,"since_seq":2}))
        .await;
    assert_eq!(attached["seat"], "first");
    let notice = old.notice().await;
    assert_eq!(
        (&notice["type"], &notice["match"]),
        (&json!("superseded"), &json!(id))
    );
    assert_eq!(new.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(second.event(3).await["move"], "A-1");
    assert_eq!(new.event(3).await["move"], "A-1");
    // The old one stays connected, hears nothing of the match, and can take it back.
    old.socket.get_mut().set_nodelay(true).expect("it lives");
    let attached = old
        .ask(json!({"type":"resume","match":id,"since_seq":3}))
        .await;
    assert_eq!(
        attached["snapshot"]["seq"], 3,
        "no event of presence was made of it"
    );
    assert_eq!(new.notice().await["type"], "superseded");
    assert_eq!(second.play(&id, 2, "B-1").await["type"], "accepted");
    assert_eq!(old.event(4).await["move"], "B-1");
    assert_eq!(old.play(&id, 3, "A-1").await["type"], "accepted");
    server.stop().await;
}

#[tokio::test]
async fn presence_is_told_and_leaving_ends_the_events() {
    let server = Server::start().await;
    let (first, mut second, id) = server.pair("nim:9,9").await;
    let mut gone = first;
    assert_eq!(gone.ask(json!({"type":"bye"})).await["type"], "done");
    assert_eq!(gone.closed().await.0, 1000);
    let away = second.event(3).await;
    assert_eq!(
        (&away["type"], &away["seat"], &away["online"]),
        (&json!("presence"), &json!("first"), &json!(false))
    );
    let (mut back, _) = server.again(&gone).await;
    back.ask(json!({"type":"resume","match":id,"since_seq":3}))
        .await;
    assert_eq!(second.event(4).await["online"], true);
    // A connection that breaks is a departure too.
    drop(back);
    assert_eq!(second.event(5).await["online"], false);
    let (mut back, _) = server.again(&gone).await;
    back.ask(json!({"type":"resume","match":id,"since_seq":5}))
        .await;
    let left = second.ask(json!({"type":"leave","match":id})).await;
    assert_eq!(left["type"], "done");
    assert_eq!(back.event_of("presence").await["online"], true);
    assert_eq!(back.event_of("presence").await["online"], false);
    assert_eq!(back.play(&id, 1, "A-1").await["type"], "accepted");
    let moved = second.play(&id, 2, "A-1").await;
    assert_eq!(moved["type"], "accepted", "playing needs no following");
    assert_eq!(
        second.ask(json!({"type":"leave","match":id})).await["type"],
        "done"
    );
    let heard = second.find("a pong", |frame| frame["body"]["type"] == "pong");
    let heard = tokio::time::timeout(std::time::Duration::from_millis(1), heard).await;
    assert!(heard.is_err(), "no event came after it left");
    server.stop().await;
}

/// A connection that takes as little as it can before it is read.
async fn narrow(server: &Server, token: Option<&str>) -> Client {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4_096).expect("a small buffer");
    let stream = socket.connect(server.address).await.expect("it listens");
    let mut client = server.connect().await;
    let url = format!("ws://{}/ws", server.address);
    client.socket = client_async(url, stream)
        .await
        .expect("the handshake succeeds")
        .0;
    let mut hello = json!({"type":"hello","protocol":1});
    if let Some(token) = token {
        hello["token"] = json!(token);
    }
    assert_eq!(client.ask(hello).await["type"], "welcome");
    client
}

fn patient() -> Plan {
    Plan::with(|config| {
        config.limits.queue_messages = 8;
        config.limits.queue_bytes = 64 * 1024;
        config.times.send_ms = Millis(60_000);
        config.times.ping_ms = Millis(300_000);
        config.times.dead_after_ms = Millis(900_000);
    })
}

#[tokio::test]
async fn a_slow_watcher_gets_the_state_instead_and_goes_on_from_it() {
    let server = patient().start().await;
    let (mut first, mut second, id) = server.pair("nim:100000,100000").await;
    let mut slow = narrow(&server, None).await;
    slow.ask(json!({"type":"watch","match":id,"since_seq":2}))
        .await;
    play_on(&mut first, &mut second, &id, 1, WAVE).await;
    play_on(&mut first, &mut second, &id, WAVE + 1, 2).await;
    let (mut expected, mut missed, mut told_of_gaps) = (3, 0, 0);
    while expected <= u64::from(WAVE) + 4 {
        let frame = slow.frame("an event or the state").await;
        if let Some(seq) = frame["seq"].as_u64() {
            assert_eq!(seq, expected, "no gap that is not told");
            expected += 1;
        } else {
            // Who stays slow falls behind again.
            assert_eq!(frame["body"]["type"], "snapshot");
            let seq = frame["body"]["seq"].as_u64().expect("a number");
            missed += seq + 1 - expected;
            told_of_gaps += 1;
            expected = seq + 1;
        }
    }
    assert!(told_of_gaps > 0 && missed > 0, "it was never slow");
    server.stop().await;
}

#[tokio::test]
async fn a_slow_player_is_closed_and_resumes() {
    let server = patient().start().await;
    let (mut first, mut second, id) = server.pair("nim:100000,100000").await;
    let mut slow = narrow(&server, Some(&second.token)).await;
    slow.ask(json!({"type":"resume","match":id,"since_seq":2}))
        .await;
    let dropped = ByReason {
        reason: "slow_consumer",
    };
    let dropped = server.app.metrics.dropped.get_or_create(&dropped).clone();
    let mut ply = 1;
    while dropped.get() == 0 {
        play_on(&mut first, &mut second, &id, ply, 1).await;
        ply += 1;
        assert!(ply < 10_000, "it was never too slow");
    }
    let mut seen = 2;
    let code = loop {
        match in_time("the close", slow.socket.next()).await {
            Some(Ok(Message::Text(text))) => {
                let frame: Value = serde_json::from_str(&text).expect("JSON");
                seen += 1;
                assert_eq!(frame["seq"], seen);
            }
            Some(Ok(Message::Close(Some(close)))) => {
                break (u16::from(close.code), close.reason.to_string());
            }
            Some(Ok(_)) => {}
            other => panic!("no close frame: {other:?}"),
        }
    };
    assert_eq!(code, (1008, "slow_consumer".to_owned()));
    assert!(seen < u64::from(ply));
    let (mut again, _) = server.again(&second).await;
    let attached = again
        .ask(json!({"type":"resume","match":id,"since_seq":seen}))
        .await;
    let last = attached["snapshot"]["seq"].as_u64().expect("a number");
    read_to(&mut again, seen, last).await;
    server.stop().await;
}

#[tokio::test]
async fn coming_and_going_loses_and_doubles_nothing() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1000,1000").await;
    let mut seen = BTreeSet::new();
    let mut newest = 2;
    let mut roaming = server.guest("Wat").await;
    for ply in 1..=300 {
        play_on(&mut first, &mut second, &id, ply, 1).await;
        let ask = json!({"type":"watch","match":id,"since_seq":newest});
        let attached = roaming.ask(ask).await;
        let upto = attached["snapshot"]["seq"].as_u64().expect("a number");
        for seq in newest + 1..=upto {
            roaming.event(seq).await;
            assert!(seen.insert(seq), "{seq} came twice");
        }
        newest = upto;
        if ply % 3 == 0 {
            roaming = server.again(&roaming).await.0;
        } else {
            roaming.ask(json!({"type":"leave","match":id})).await;
        }
    }
    assert_eq!(seen.len(), 300);
    server.stop().await;
}

#[tokio::test]
async fn a_player_does_not_watch_the_own_match() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:9,9").await;
    let watch = json!({"type":"watch","match":id,"since_seq":2});
    let refused = first.ask(watch).await;
    assert_eq!(refused["code"], "own_match");
    let words = refused["message"].as_str().expect("words");
    assert!(words.contains("`resume`"), "{words}");
    // Nothing has changed by it.
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(second.event(3).await["move"], "A-1");
    server.stop().await;
}

async fn on_faulty() -> (Arc<Faulty>, Server) {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..Plan::default()
    };
    (store, plan.start().await)
}

#[tokio::test]
async fn following_anew_in_the_middle_of_a_backlog_begins_anew() {
    let (store, server) = on_faulty().await;
    let (mut first, mut second, id) = server.pair("nim:1000,1000").await;
    play_on(&mut first, &mut second, &id, 1, 78).await;
    let mut watcher = server.guest("Wat").await;
    store.reads.forget_permits(READS);
    let watch = json!({"type":"watch","match":id,"since_seq":0});
    watcher.ask(watch.clone()).await;
    // Its first page is held up; it asks again meanwhile, and gets no more of its first backlog after that.
    let again = watcher.send(watch).await;
    // What was sent before this was answered has reached the server.
    assert_eq!(first.ask(json!({"type":"ping"})).await["type"], "pong");
    store.reads.add_permits(2);
    assert_eq!(watcher.reply(again).await["type"], "attached");
    read_to(&mut watcher, 0, 50).await;
    // The second backlog is held up while the match goes on.
    play_on(&mut first, &mut second, &id, 79, 2).await;
    store.reads.add_permits(READS / 2);
    read_to(&mut watcher, 0, 82).await;
    server.stop().await;
}

#[tokio::test]
async fn a_backlog_with_a_hole_closes_the_connection() {
    let (store, server) = on_faulty().await;
    let (mut first, mut second, id) = server.pair("nim:100,100").await;
    play_on(&mut first, &mut second, &id, 1, 68).await;
    // In the middle of a page, and alone on the last one.
    for lost in [30, 51] {
        store.lost_event.store(lost, Ordering::SeqCst);
        let mut watcher = server.guest("Wat").await;
        let watch = json!({"type":"watch","match":id,"since_seq":0});
        assert_eq!(watcher.ask(watch).await["type"], "attached");
        assert_eq!(
            watcher.closed().await,
            (1012, "backlog unreadable".to_owned())
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn who_asks_for_a_rematch_before_it_is_made_does_not_split_it() {
    let (store, server) = on_faulty().await;
    let (mut first, mut second, id) = server.pair("nim:9,9").await;
    first.ask(json!({"type":"resign","match":id})).await;
    let rematch = json!({"type":"rematch","match":id});
    second.ask(rematch.clone()).await;
    // The id can be worked out; whoever asks for it too early is told so only after it was made.
    let mut eager = server.guest("Eve").await;
    let new = rematch_id(&id);
    store.reads.forget_permits(READS);
    let asked = eager
        .send(json!({"type":"watch","match":new,"since_seq":0}))
        .await;
    assert_eq!(eager.ask(json!({"type":"ping"})).await["type"], "pong");
    assert_eq!(first.ask(rematch).await["rematch"], new.as_str());
    store.reads.add_permits(READS / 2);
    let told = eager.reply(asked).await;
    assert_eq!(told["type"], "error", "{told}");
    let mut watcher = server.guest("Wat").await;
    let watch = json!({"type":"watch","match":new,"since_seq":2});
    assert_eq!(watcher.ask(watch).await["type"], "attached");
    assert_eq!(second.play(&new, 1, "A-1").await["type"], "accepted");
    let moved = |frame: &Value| frame["match"] == new.as_str() && frame["seq"] == 3;
    watcher.find("the move", moved).await;
    server.stop().await;
}

/// So many components in each of which a move must be made.
fn every(components: usize, heap: u32) -> String {
    let start = vec![format!("nim:{heap}"); components].join("+");
    format!("{start}@every")
}

/// The move that takes one from each component.
fn one_from_each(components: usize) -> String {
    let steps: Vec<String> = (1..=components)
        .map(|number| format!("{number}.A-1"))
        .collect();
    steps.join(",")
}

#[tokio::test]
async fn every_move_of_every_match_fits_into_a_message() {
    let server = Server::start().await;
    // A comma is counted behind each.
    let most = (1usize..)
        .find(|components| one_from_each(components + 1).len() + 1 > MOVE_BYTES_MAX)
        .expect("it grows");
    let (mut first, mut second, id) = server.pair(&every(most, 2)).await;
    for kind in ["every", "selective", "conjunctive", "shortselective"] {
        let position = every(most + 1, 1).replace("every", kind);
        let refused = first
            .ask(json!({"type":"create","position":position,"opponent":{"type":"invite"}}))
            .await;
        assert_eq!(refused["code"], "out_of_range", "{kind}: {refused}");
        assert_eq!(refused["field"], "position");
        assert_eq!(refused["limit"], MOVE_BYTES_MAX.to_string());
        assert_eq!(
            refused["got"],
            (one_from_each(most + 1).len() + 1).to_string()
        );
    }
    let mv = one_from_each(most);
    for (ply, mover) in [(1, &mut first), (2, &mut second)] {
        let id64 = "x".repeat(64);
        let moved = mover
            .ask(json!({"type":"move","match":id,"ply":ply,"move":mv,"client_move_id":id64}))
            .await;
        assert_eq!(moved["type"], "accepted", "{moved}");
    }
    assert_eq!(first.event_of("ended").await["outcome"], "second");
    assert_eq!(second.event_of("ended").await["reason"], "last_move");
    server.stop().await;
}

#[tokio::test]
async fn a_match_of_long_moves_ends_before_its_log_is_too_long() {
    let server = Server::start().await;
    let components = 1_000;
    let (mut first, mut second, id) = server.pair(&every(components, 1_000)).await;
    let mv = one_from_each(components);
    let moves = MOVES_BYTES_MAX / (mv.len() + MOVE_OVERHEAD) + 1;
    for ply in 1..=u32::try_from(moves).expect("few") {
        let mover = if ply % 2 == 1 {
            &mut first
        } else {
            &mut second
        };
        let moved = mover.play(&id, ply, &mv).await;
        assert_eq!(moved["type"], "accepted", "{ply}: {moved}");
        // What is not read fills the queue.
        for client in [&mut first, &mut second] {
            client.event(u64::from(ply) + 2).await;
        }
    }
    for client in [&mut first, &mut second] {
        let ended = client.event(moves as u64 + 3).await;
        assert_eq!(
            (&ended["outcome"], &ended["reason"]),
            (&json!("void"), &json!("outgrown"))
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn a_crowd_that_asks_for_a_rematch_too_early_does_not_split_it() {
    let store = Faulty::new();
    let mut plan = Plan::with(|config| config.limits.queue_messages = 1_000);
    plan.store = store.clone();
    let server = plan.start().await;
    let (mut first, mut second, id) = server.pair("nim:9,9").await;
    first.ask(json!({"type":"resign","match":id})).await;
    let rematch = json!({"type":"rematch","match":id});
    second.ask(rematch.clone()).await;
    // The log is looked for only once the match is made, by those who asked before.
    let new = rematch_id(&id);
    store.reads_late.store(true, Ordering::SeqCst);
    store.reads.forget_permits(READS);
    let mut eager = server.guest("Eve").await;
    let watch = json!({"type":"watch","match":new,"since_seq":0});
    let mut asked = Vec::new();
    for _ in 0..=WATCHERS_TO_WAIT {
        asked.push(eager.send(watch.clone()).await);
    }
    let one_too_many = asked.pop().expect("many");
    assert_eq!(eager.reply(one_too_many).await["code"], "server_busy");
    assert_eq!(first.ask(rematch).await["rematch"], new.as_str());
    store.reads.add_permits(READS / 2);
    for id in asked {
        let told = eager.reply(id).await;
        assert_ne!(told["code"], "internal", "{told}");
    }
    // Whoever follows it follows the match that is played.
    let mut watcher = server.guest("Wat").await;
    for watching in [&mut eager, &mut watcher] {
        assert_eq!(watching.ask(watch.clone()).await["type"], "attached");
    }
    let resume = json!({"type":"resume","match":new,"since_seq":2});
    assert_eq!(second.ask(resume).await["seat"], "first");
    assert_eq!(second.play(&new, 1, "A-1").await["type"], "accepted");
    let moved = |frame: &Value| frame["match"] == new.as_str() && frame["seq"] == 3;
    for watching in [&mut eager, &mut watcher, &mut second] {
        watching.find("the move", moved).await;
    }
    server.stop().await;
}

/// Who may wait to watch a match while it is read from its log.
const WATCHERS_TO_WAIT: usize = 64;

/// As the server makes it.
fn rematch_id(of: &str) -> String {
    let hash = Sha256::new()
        .chain_update("grundy rematch ")
        .chain_update(of)
        .finalize();
    let bits = hash.first_chunk().expect("a hash is longer");
    MatchId::from_random(u64::from_be_bytes(*bits)).to_string()
}

#[tokio::test]
async fn the_longest_match_position_can_be_resumed_watched_and_read() {
    let plan = Plan::with(|config| config.limits.message_bytes = 65_536);
    let server = plan.start().await;
    let start = format!("kayles:{}", vec!["1000000000000000000"; 818].join(","));
    let longer = json!({"type":"create","position":format!("{start},1000000000000000000"),"opponent":{"type":"invite"}});
    let (mut first, mut second, id) = server.pair(&start).await;
    assert_eq!(first.ask(longer).await["code"], "out_of_range");
    let mut ply = 0;
    let ended = loop {
        let heap = grundy_shared::notation::heap_name(ply as usize);
        let split = match ply {
            0..818 => format!("{heap}-1/499999999999999999,500000000000000000"),
            _ => format!("{heap}-1/249999999999999999,250000000000000000"),
        };
        ply += 1;
        let (mover, other) = match ply % 2 {
            1 => (&mut first, &mut second),
            _ => (&mut second, &mut first),
        };
        let moved = mover.play(&id, ply, &split).await;
        assert_eq!(moved["type"], "accepted", "{moved}");
        assert_eq!(other.event(2 + u64::from(ply)).await["ply"], ply);
        assert_eq!(mover.event(2 + u64::from(ply)).await["ply"], ply);
        if server.store.open_count(None).await == Ok(0) {
            break other.event(3 + u64::from(ply)).await;
        }
    };
    assert_eq!(
        (&ended["outcome"], &ended["reason"]),
        (&json!("void"), &json!("outgrown"))
    );
    let since = 3 + u64::from(ply);
    let mut watcher = server.guest("watcher").await;
    for (kind, client) in [("resume", &mut first), ("watch", &mut watcher)] {
        let attached = client
            .ask(json!({"type":kind,"match":id,"since_seq":since}))
            .await;
        let length = attached.to_string().len();
        assert!((48 * 1024..=64 * 1024).contains(&length), "{length}");
        let position = attached["snapshot"]["position"].as_str().expect("text");
        let read = grundy_shared::Position::parse(position).expect("it reads back");
        assert_eq!(read.to_string(), position);
    }
    let listed = first.ask(json!({"type":"list","mine":true})).await;
    assert_eq!(listed["matches"][0]["plies"], ply);
    server.stop().await;
}
