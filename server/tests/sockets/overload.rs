//! A server that has more to do than it can refuses new work in a fixed order, and serves the matches that run.

use crate::common;

use std::time::{Duration, Instant};

use crate::common::faulty::Faulty;
use crate::common::{Client, Plan, Server};
use grundy_server::admission::{Level, Work};
use grundy_server::config::Overload;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// More than any delay of a test.
const TARGET: Millis = Millis(10_000);

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

/// Bounds under which all work is accepted and nothing waits.
const OFF: Overload = Overload {
    target_ms: Millis(0),
    wait_ms: Millis(0),
    memory_bytes: 1,
};

/// Raises a server to the highest level, at which new guests and matches wait for this long.
async fn overload(server: &Server, wait_ms: Millis) {
    // Every server takes more memory than a byte.
    let full = Overload {
        target_ms: TARGET,
        wait_ms,
        ..OFF
    };
    server.app.admission.set_bounds(&full);
    until_level(server, 4).await;
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
async fn control_of_overload_is_switched_on_and_off_while_the_server_runs() {
    let server = Server::start().await;
    assert_eq!(server.app.config.current().overload.target_ms, Millis(0));
    overload(&server, Millis(0)).await;
    let [hello, ..] = new_work("");
    assert_shed(&server.connect().await.ask(hello).await);
    server.app.admission.set_bounds(&OFF);
    let calm = || server.app.admission.level() == Level::CALM;
    common::until("the end of overload", calm).await;
    server.guest("Ann").await;
    server.stop().await;
}

#[tokio::test]
async fn a_guest_who_is_told_to_come_back_may_do_so_on_the_same_connection() {
    let patience = Duration::from_millis(500);
    let plan = Plan::with(|config| config.times.hello_ms = Millis(500));
    let server = plan.start().await;
    overload(&server, Millis(0)).await;
    let [hello, ..] = new_work("");
    let mut guest = server.connect().await;
    let asked = Instant::now();
    assert_shed(&guest.ask(hello.clone()).await);
    server.app.admission.set_bounds(&OFF);
    // At this level the guest is told to wait for at least four seconds.
    let late = || server.app.admission.level() == Level::CALM && asked.elapsed() > 2 * patience;
    common::until("the time to say hello is over", late).await;
    assert_eq!(guest.ask(hello).await["type"], "welcome");
    server.stop().await;
}

#[tokio::test]
async fn new_work_is_refused_in_order_and_matches_that_run_go_on() {
    let server = Server::start().await;
    let (mut first, second, id) = server.pair("nim:3,5").await;
    let mut asker = server.guest("asker").await;
    assert_eq!(readiness(&server).await, "200");
    overload(&server, Millis(0)).await;
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

    // A player signs in with a token, resumes and moves; none of this is refused.
    let (mut again, welcome) = server.again(&second).await;
    assert_eq!(welcome["type"], "welcome");
    let resumed = again
        .ask(json!({"type":"resume","match":id,"since_seq":2}))
        .await;
    assert_eq!(resumed["type"], "attached", "{resumed}");
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(again.play(&id, 2, "B-1").await["type"], "accepted");
    assert!(server.app.admission.level() > Level::CALM);

    // The levels end one at a time; after each, the next kind of work in the order is accepted.
    let enough = Overload {
        target_ms: TARGET,
        memory_bytes: 0,
        ..OFF
    };
    server.app.admission.set_bounds(&enough);
    while server.app.admission.level() > Level::CALM {
        for (asked, work) in new_work(&id).into_iter().zip(Work::ALL) {
            let level = server.app.admission.level();
            let answer = match work {
                Work::Guest => server.connect().await.ask(asked).await,
                _ => asker.ask(asked).await,
            };
            if server.app.admission.level() == level {
                let is_shed = answer["code"] == "server_busy";
                assert_eq!(is_shed, level >= work.refused_from(), "{level:?}: {answer}");
            }
        }
    }
    for answer in ask_each(&server, &mut asker, &id).await {
        assert_ne!(answer["code"], "server_busy", "{answer}");
    }
    assert_eq!(readiness(&server).await, "200");
    drop(second);
    server.stop().await;
}

/// How many requests of this kind wait, as the server reports it.
fn waiting(server: &Server, kind: &str) -> bool {
    let metrics = server.app.metrics.render(&server.app.store.gauges());
    let line = format!("grundy_overload_waiting{{kind=\"{kind}\"}} 1");
    metrics.lines().any(|found| found == line)
}

#[tokio::test]
async fn new_guests_and_matches_wait_and_are_taken_on_while_others_are_answered() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    overload(&server, Millis(60_000)).await;
    let [hello, create, solve, _] = new_work(&id);
    let mut newcomer = server.connect().await;
    let greeted = newcomer.send(hello).await;
    let created = first.send(create).await;
    common::until("both wait", || {
        waiting(&server, "guest") && waiting(&server, "match")
    })
    .await;
    // On the same connection: a move, and requests that do not wait.
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(second.play(&id, 2, "B-1").await["type"], "accepted");
    assert_shed(&first.ask(solve).await);
    server.app.admission.set_bounds(&OFF);
    assert_eq!(newcomer.reply(greeted).await["type"], "welcome");
    assert_eq!(first.reply(created).await["type"], "created");
    server.stop().await;
}

#[tokio::test]
async fn new_work_that_has_waited_long_enough_is_refused() {
    let server = Server::start().await;
    let mut asker = server.guest("asker").await;
    overload(&server, Millis(100)).await;
    let [hello, create, ..] = new_work("");
    let mut newcomer = server.connect().await;
    let since = Instant::now();
    assert_shed(&newcomer.ask(hello).await);
    assert!(since.elapsed() >= Duration::from_millis(100));
    assert_shed(&asker.ask(create).await);
    server.stop().await;
}

#[tokio::test]
async fn a_connection_has_a_bounded_number_of_requests_that_wait_and_each_is_answered() {
    let server = Server::start().await;
    let mut asker = server.guest("asker").await;
    overload(&server, Millis(60_000)).await;
    let [_, create, ..] = new_work("");
    let mut asked = Vec::new();
    for _ in 0..20 {
        asked.push(asker.send(create.clone()).await);
    }
    for refused in asked.split_off(16) {
        assert_shed(&asker.reply(refused).await);
    }
    let said = asker.send(json!({"type":"bye"})).await;
    for waits in asked {
        assert_eq!(asker.reply(waits).await["code"], "server_busy");
    }
    assert_eq!(asker.reply(said).await["type"], "done");
    server.stop().await;
}

#[tokio::test]
async fn watchers_who_are_there_at_level_4_stay_and_miss_nothing() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    let watch = |since: u64| json!({"type":"watch","match":id,"since_seq":since});
    let (mut stays, mut leaves) = (server.guest("stays").await, server.guest("leaves").await);
    for watcher in [&mut stays, &mut leaves] {
        assert_eq!(watcher.ask(watch(0)).await["type"], "attached");
        assert_eq!(watcher.event(2).await["type"], "joined");
    }
    overload(&server, Millis(0)).await;
    // A watcher who goes away is a new one afterwards.
    let left = leaves.ask(json!({"type":"leave","match":id})).await;
    assert_eq!(left["type"], "done", "{left}");
    assert_shed(&leaves.ask(watch(2)).await);
    // A watcher who stays is answered, and receives every event.
    for (ask, kind) in [
        (json!({"type":"ping"}), "pong"),
        (json!({"type":"record","match":id}), "record"),
        (json!({"type":"chat","match":id,"room":"watchers"}), "chat"),
    ] {
        assert_eq!(stays.ask(ask).await["type"], kind);
    }
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(second.play(&id, 2, "B-1").await["type"], "accepted");
    for seq in [3, 4] {
        assert_eq!(stays.event(seq).await["type"], "moved");
    }
    server.app.admission.set_bounds(&OFF);
    let let_in = || !server.app.admission.refuses(Work::Watch);
    common::until("watchers are let in", let_in).await;
    assert_eq!(leaves.ask(watch(2)).await["type"], "attached");
    for seq in [3, 4] {
        assert_eq!(leaves.event(seq).await["type"], "moved");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_store_that_stalls_is_not_load() {
    // More than the server's delay by its own work in this test, even on a busy machine.
    let target = Millis(2_000);
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..Plan::with(|config| config.overload.target_ms = target)
    };
    let server = plan.start().await;
    let (mut first, _second, id) = server.pair("nim:3,5").await;
    let held = Faulty::close(&store.gate);
    let asked = first
        .send(json!({"type":"move","match":id,"ply":1,"move":"A-1"}))
        .await;
    store.until_it_waits().await;
    let mut newcomer = server.connect().await;
    let [hello, ..] = new_work("");
    let greeted = newcomer.send(hello).await;
    let stalled = Instant::now();
    let long = || stalled.elapsed() > Duration::from_millis(target.0 + 500);
    common::until("the stall is longer than the target", long).await;
    assert_eq!(server.app.admission.level(), Level::CALM);
    assert_eq!(readiness(&server).await, "200");
    store.gate.add_permits(held);
    assert_eq!(first.reply(asked).await["type"], "accepted");
    assert_eq!(newcomer.reply(greeted).await["type"], "welcome");
    assert_eq!(server.app.admission.level(), Level::CALM);
    server.stop().await;
}
