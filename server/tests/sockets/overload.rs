//! A server that has more to do than it can refuses new work in a fixed order, and serves the matches that run.

use crate::common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::faulty::Faulty;
use crate::common::{Client, Plan, Server};
use grundy_server::admission::Level;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Long enough between two levels for a few questions, on a busy machine too.
const TARGET: Millis = Millis(2_000);

/// A server over a store whose commits can be held up.
async fn overloaded() -> (Arc<Faulty>, Server) {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..Plan::with(|config| config.overload.target_ms = TARGET)
    };
    (store, plan.start().await)
}

/// What the clients ask that is new work, in the order in which it is refused.
fn new_work(watched: &str) -> [Value; 4] {
    [
        json!({"type":"hello","protocol":1,"name":"late"}),
        json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}}),
        json!({"type":"solve","position":"nim:3,5"}),
        json!({"type":"watch","match":watched}),
    ]
}

fn assert_shed(refused: &Value) {
    assert_eq!(refused["code"], "server_busy", "{refused}");
    let wait = refused["retry_after_ms"].as_u64().expect("a time");
    assert!((500..8_000).contains(&wait), "{refused}");
    let words = refused["message"].as_str().expect("words");
    assert!(words.contains("overloaded"), "{refused}");
}

async fn until_level(server: &Server, number: u8) {
    let reached = || server.app.admission.level() >= Level::new(number);
    common::until("a level of overload", reached).await;
}

/// The status of `/readyz`.
async fn readiness(server: &Server) -> String {
    let mut stream = TcpStream::connect(server.address).await.expect("a server");
    let request = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    stream.write_all(request).await.expect("it is read");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("text");
    answer.split(' ').nth(1).unwrap_or_default().to_owned()
}

/// Asks for new work of every kind on connections that exist, the guest on one that is new.
async fn ask_each(server: &Server, asker: &mut Client, watched: &str) -> [Value; 4] {
    let [hello, create, solve, watch] = new_work(watched);
    let mut newcomer = server.connect().await;
    [
        newcomer.ask(hello).await,
        asker.ask(create).await,
        asker.ask(solve).await,
        asker.ask(watch).await,
    ]
}

#[tokio::test]
async fn new_work_is_refused_in_order_and_matches_that_run_go_on() {
    let (store, server) = overloaded().await;
    let (mut first, second, id) = server.pair("nim:3,5").await;
    let mut asker = server.guest("asker").await;
    assert_eq!(readiness(&server).await, "200");

    // The store takes nothing: the age of the first move is the delay that the server sees.
    let held = Faulty::close(&store.gate);
    let asked = first
        .send(json!({"type":"move","match":id,"ply":1,"move":"A-1"}))
        .await;
    store.until_it_waits().await;
    for (number, refused) in (1..=4).zip(new_work(&id)) {
        until_level(&server, number).await;
        match number {
            1 => assert_shed(&server.connect().await.ask(refused).await),
            _ => assert_shed(&asker.ask(refused).await),
        }
        // What comes later in the order is still taken on, unless the next level was reached meanwhile.
        let later = match number {
            1 | 2 => json!({"type":"solve","position":"nim:1,2"}),
            3 => json!({"type":"watch","match":id}),
            _ => continue,
        };
        let answer = asker.ask(later).await;
        if server.app.admission.level() == Level::new(number) {
            assert_ne!(answer["type"], "error", "level {number}: {answer}");
        }
    }
    for refused in ask_each(&server, &mut asker, &id).await {
        assert_shed(&refused);
    }
    assert_eq!(readiness(&server).await, "503");
    let metrics = server.app.metrics.render(&server.app.store.gauges());
    assert!(metrics.contains("grundy_overload_level 4"), "{metrics}");
    for kind in ["guest", "match", "analysis", "watch"] {
        let line = format!("grundy_shed_total{{kind=\"{kind}\"}}");
        assert!(metrics.contains(&line), "{line} in\n{metrics}");
    }

    // Who plays comes in with a token, resumes, and moves; nothing of that is refused.
    let (mut again, welcome) = server.again(&second).await;
    assert_eq!(welcome["type"], "welcome");
    let resumed = again
        .ask(json!({"type":"resume","match":id,"since_seq":2}))
        .await;
    assert_eq!(resumed["type"], "attached", "{resumed}");
    store.gate.add_permits(held);
    assert_eq!(first.reply(asked).await["type"], "accepted");
    let opened = Instant::now();
    assert_eq!(again.play(&id, 2, "B-1").await["type"], "accepted");
    assert!(server.app.admission.level() > Level::CALM);

    // Within ten seconds everything is taken on again.
    let calm = || server.app.admission.level() == Level::CALM;
    common::until("calm", calm).await;
    let took = opened.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    for answer in ask_each(&server, &mut asker, &id).await {
        assert_ne!(answer["type"], "error", "{answer}");
    }
    assert_eq!(readiness(&server).await, "200");
    drop(second);
    server.stop().await;
}

#[tokio::test]
async fn a_server_without_a_target_refuses_nothing() {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let (mut first, _second, id) = server.pair("nim:3,5").await;
    let held = Faulty::close(&store.gate);
    let asked = first
        .send(json!({"type":"move","match":id,"ply":1,"move":"A-1"}))
        .await;
    store.until_it_waits().await;
    assert_eq!(server.app.admission.level(), Level::CALM);
    store.gate.add_permits(held);
    assert_eq!(first.reply(asked).await["type"], "accepted");
    server.stop().await;
}
