//! Fair shares of the solver: what many hostile connections ask for costs an ordinary player nothing that can be counted. How many
//! milliseconds it costs is measured by `scripts/measure-fairness`.

use std::net::Ipv4Addr;
use std::sync::{Arc, mpsc};

use crate::common::{Client, Plan, Server, until};
use crate::pages::{page, read};
use crate::tournaments::cup;
use grundy_server::analysis::{Job, Owner};
use grundy_server::clock::ManualClock;
use grundy_server::config::Config;
use grundy_shared::ids::Millis;
use grundy_shared::solver::Budget;
use serde_json::{Value, json};

/// A position with which the solver is busy for longer than any budget here.
const LONG: &str = "cram:....../....../....../......@misere";
/// The time of a bot whose match is not about time.
const HOUR_MS: u64 = 3_600_000;

/// The limits that a server has when nobody sets any, and one thread for long jobs.
fn limits_as_they_are(config: &mut Config) {
    let defaults = Config::default().limits;
    config.limits = defaults;
    // The hostile connections do not read, and so answer no ping.
    config.times.ping_ms = Millis(300_000);
    config.times.dead_after_ms = Millis(900_000);
    // So that the crowd can come within a test.
    config.limits.guests_per_minute_per_address = 1_000;
    config.solver.threads = 1;
}

fn against(bot: &str, position: &str, side: &str, base_ms: u64) -> Value {
    json!({"type":"create","position":position,"side":side,
        "clock":{"type":"fischer","base_ms":base_ms,"increment_ms":0},
        "opponent":{"type":"bot","name":bot}})
}

/// What a hostile connection does, by its number.
async fn attack(client: &mut Client, number: u32) {
    match number % 4 {
        0 => {
            client.send(json!({"type":"solve","position":LONG})).await;
        }
        1 => {
            let created = client
                .ask(against("perfect", LONG, "second", HOUR_MS))
                .await;
            assert_eq!(created["type"], "created", "{created}");
            client
                .send(json!({"type":"leave","match":created["match"]}))
                .await;
            client.send(json!({"type":"solve","position":LONG})).await;
        }
        2 => {
            let created = client
                .ask(against("trickster", LONG, "second", HOUR_MS))
                .await;
            assert_eq!(created["type"], "created", "{created}");
            let said = json!({"type":"say","match":created["match"],"text":"hurry"});
            client.send(said).await;
        }
        _ => {
            let login = json!({"type":"set_password","password":"correct horse battery"});
            client.send(login).await;
            client.send(json!({"type":"solve","position":LONG})).await;
        }
    }
}

#[tokio::test]
async fn a_hundred_hostile_connections_cost_an_ordinary_player_nothing() {
    let server = Plan::with(limits_as_they_are).start().await;
    let mut hostile = Vec::new();
    for number in 0..100_u32 {
        let address = Ipv4Addr::new(127, 0, 0, 2 + u8::try_from(number / 20).expect("of five"));
        hostile.push(server.guest_from(address, "Eve").await);
    }
    // The address has all the connections that it may have.
    assert!(
        server
            .try_connect_from(Ipv4Addr::new(127, 0, 0, 2))
            .await
            .is_none()
    );
    for (number, client) in (0..).zip(&mut hostile) {
        attack(client, number).await;
    }
    let queue = server.app.metrics.solver_queue.clone();
    until("the solver has more to do than it can", || {
        queue.waiting_in_all() > 20
    })
    .await;
    let mut ordinary = server.guest("Ann").await;
    let created = ordinary
        .ask(against("perfect", "nim:1,4,6,7", "first", HOUR_MS))
        .await;
    let id = created["match"].as_str().expect("an id").to_owned();
    for ply in [1, 3, 5] {
        // The bot and the solver both answer, and no answer is a refusal.
        let solved = ordinary
            .ask(json!({"type":"solve","position":"nim:1,4,6,7"}))
            .await;
        assert_eq!(solved["type"], "solved", "{solved}");
        assert_eq!(solved["solution"]["outcome"], "N", "{solved}");
        let text = one_object(&server, &mut ordinary, &id, ply).await;
        let moved = ordinary
            .ask(json!({"type":"move","match":id,"ply":ply,"move":text}))
            .await;
        assert_eq!(moved["type"], "accepted", "{moved}");
        until("the bot moves", || plies(&server, &id) > ply).await;
    }
    // The flood had not ended meanwhile: what came later was done before.
    assert!(queue.waiting_in_all() > 0);
    drop(hostile);
    server.stop().await;
}

/// A legal move of the ordinary player.
async fn one_object(_: &Server, client: &mut Client, id: &str, _: u32) -> String {
    let moves = client
        .ask(json!({"type":"moves","match":id,"limit":1}))
        .await;
    moves["moves"][0].as_str().expect("a move").to_owned()
}

fn plies(server: &Server, id: &str) -> u32 {
    let id = id.parse().expect("an id");
    server.app.matches.plies(id).map_or(0, |ply| ply.0)
}

/// Work that keeps the only thread for long jobs until it is dropped.
struct Busy(#[expect(dead_code, reason = "dropping it ends the work")] mpsc::SyncSender<()>);

/// A server whose time stands still, and whose only thread for long jobs is busy.
async fn busy() -> (Server, Arc<ManualClock>, Busy) {
    let clock = Arc::new(ManualClock::at(Millis(1_700_000_000_000)));
    let mut plan = Plan {
        clock: clock.clone(),
        ..Plan::default()
    };
    plan.config.solver.threads = 1;
    let server = plan.start().await;
    let (ends, is_ended) = mpsc::sync_channel::<()>(1);
    let work = move |_: &Budget<'_>| {
        let _ = is_ended.recv();
    };
    let job = || Job::new(|| false, work, |_| ()).in_one_go();
    let submitted = server.app.matches.analyse(Owner::SERVER, job);
    submitted.expect("room");
    let queue = server.app.metrics.solver_queue.clone();
    until("the solver works", || queue.running("study") == 1).await;
    (server, clock, Busy(ends))
}

#[tokio::test]
async fn a_bot_that_waits_for_its_turn_to_think_loses_no_time() {
    let (server, clock, busy) = busy().await;
    let mut ann = server.guest("Ann").await;
    let created = ann
        .ask(against("perfect", "nim:3,4,5", "second", 1_000))
        .await;
    let id = created["match"].as_str().expect("an id").to_owned();
    let queue = server.app.metrics.solver_queue.clone();
    // A short thought needs no thread for long jobs. The other bot waits for ten minutes with one second on its clock.
    let thinks = ann.ask(against("trickster", LONG, "second", 1_000)).await;
    let waits = thinks["match"].as_str().expect("an id").to_owned();
    until("the bot waits", || queue.waiting_in_all() >= 1).await;
    until("the other has moved", || plies(&server, &id) == 1).await;
    clock.advance(Millis(600_000));
    // Whoever asks now does not win on time either.
    let nothing = json!({"type":"withdraw_proposal","match":waits});
    let refused = ann.ask(nothing).await;
    assert_ne!(refused["code"], "match_over", "{refused}");
    drop(busy);
    until("the bot moves", || plies(&server, &waits) == 1).await;
    let credited = ann.find("a credit", |frame| {
        frame["match"] == waits.as_str() && frame["body"]["type"] == "outage"
    });
    let credited = credited.await["body"]["credited_ms"].as_u64();
    assert!(credited.is_some_and(|ms| ms >= 599_000), "{credited:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_thought_for_a_match_that_is_over_is_dropped() {
    let (server, _clock, busy) = busy().await;
    let mut ann = server.guest("Ann").await;
    let created = ann.ask(against("trickster", LONG, "second", HOUR_MS)).await;
    let queue = server.app.metrics.solver_queue.clone();
    until("the bot waits", || queue.waiting_in_all() == 1).await;
    let over = ann
        .ask(json!({"type":"resign","match":created["match"]}))
        .await;
    assert_eq!(over["type"], "done", "{over}");
    drop(busy);
    let dropped = || queue.dropped("play");
    until("it is dropped", || dropped() == 1).await;
    assert_eq!(queue.running("play"), 0);
    server.stop().await;
}

/// A graph whose picture takes milliseconds.
fn graph() -> String {
    let edges = (0..29).map(|from| format!("{from}-{}", (from * from + 3) % 29 + 29));
    format!("nodekayles:{}", edges.collect::<Vec<_>>().join(","))
}

/// Pictures of typed positions wait for the solver's threads, where an address has its share. None of it delays a player in a match.
#[tokio::test]
async fn pictures_wait_among_the_solvers_jobs_and_moves_do_not() {
    const OF_ADDRESS: u32 = 4;
    let mut plan = Plan::default();
    plan.config.solver.queue_per_address = OF_ADDRESS;
    let server = plan.start().await;
    let queue = server.app.metrics.solver_queue.clone();
    let (mut first, mut second, id) = server.pair("nim:3,4,5").await;

    // The thread for short work is kept busy.
    let (ends, is_ended) = mpsc::sync_channel::<()>(1);
    let (begins, has_begun) = mpsc::sync_channel::<()>(1);
    let work = move |_: &Budget<'_>| {
        let _ = begins.send(());
        let _ = is_ended.recv();
    };
    let job = || Job::new(|| false, work, |_| ());
    let submitted = server.app.matches.analyse(Owner::SERVER, job);
    submitted.expect("room");
    until("it works", || has_begun.try_recv().is_ok()).await;

    let from = Ipv4Addr::new(127, 0, 0, 2);
    let ask = json!({"type":"moves","position":graph(),"picture":true});
    let mut asking = Vec::new();
    for _ in 0..OF_ADDRESS {
        let mut hostile = server.guest_from(from, "Eve").await;
        let id = hostile.send(ask.clone()).await;
        asking.push((hostile, id));
    }
    until("they wait", || {
        queue.waiting_in_all() == i64::from(OF_ADDRESS)
    })
    .await;
    let mut one_more = server.guest_from(from, "Eve").await;
    let refused = one_more.ask(ask.clone()).await;
    assert_eq!(refused["code"], "server_busy", "{refused}");
    assert!(refused["retry_after_ms"].is_u64(), "{refused}");
    // So is the check of a rated pair's start.
    let rated = json!({"type":"create","position":"nim:3,5,7","rated":true,"games":2,
        "clock":{"type":"fischer","base_ms":60_000,"increment_ms":0},"opponent":{"type":"invite"}});
    let refused = one_more.ask(rated).await;
    assert_eq!(refused["code"], "server_busy", "{refused}");

    // Moves, small positions and their moves need none of these threads.
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(second.play(&id, 2, "A-1").await["type"], "accepted");
    let listed = one_more
        .ask(json!({"type":"moves","position":"nim:3,5"}))
        .await;
    assert_eq!(listed["type"], "moves", "{listed}");
    drop(ends);
    for (mut hostile, id) in asking {
        let drawn = hostile.reply(id).await;
        assert!(drawn["picture"].is_string(), "{drawn}");
    }
    server.stop().await;
}

/// A long log is replayed by the solver's threads, a short one by the thread that needs it.
#[tokio::test]
async fn a_long_match_is_read_by_the_solvers_threads() {
    let (server, _clock, busy) = busy().await;
    let (mut first, mut second, id) = server.pair("nim:200").await;
    let (mut third, mut fourth, short) = server.pair("nim:3,5").await;
    for ply in 1..=110 {
        let mover = match ply % 2 {
            1 => &mut first,
            _ => &mut second,
        };
        assert_eq!(mover.play(&id, ply, "A-1").await["type"], "accepted");
    }
    for (client, id) in [(&mut first, &id), (&mut third, &short)] {
        let resigned = client.ask(json!({"type":"resign","match":id})).await;
        assert_eq!(resigned["type"], "done", "{resigned}");
    }
    for (client, id) in [
        (&mut first, &id),
        (&mut second, &id),
        (&mut third, &short),
        (&mut fourth, &short),
    ] {
        client.ask(json!({"type":"leave","match":id})).await;
    }
    // No client follows them, so they are read from their logs.
    let mut reader = server.guest("reader").await;
    let watch = |id: &str| json!({"type":"watch","match":id,"since_seq":0});
    let attached = reader.ask(watch(&short)).await;
    assert_eq!(attached["type"], "attached", "{attached}");
    let waits = reader.send(watch(&id)).await;
    let queue = server.app.metrics.solver_queue.clone();
    until("it waits", || queue.waiting_in_all() == 1).await;
    drop(busy);
    let attached = reader.reply(waits).await;
    assert_eq!(attached["type"], "attached", "{attached}");
    server.stop().await;
}

/// A player whose page of moves waits for the solver's threads moves at once, and gets the page later.
#[tokio::test]
async fn a_page_of_moves_holds_up_no_move() {
    let (server, _clock, busy) = busy().await;
    let queue = server.app.metrics.solver_queue.clone();
    let (mut first, _second, id) = server.pair("nim:3,4,5").await;
    let page = first
        .send(json!({"type":"moves","position":"nim:3+nim:4@every"}))
        .await;
    until("the page waits", || queue.waiting_in_all() == 1).await;
    let moved = first.play(&id, 1, "A-1").await;
    assert_eq!(moved["type"], "accepted", "{moved}");
    drop(busy);
    let page = first.reply(page).await;
    assert_eq!(page["total"], 12, "{page}");
    server.stop().await;
}

/// What takes long to read waits among analyses, and none of it runs on a thread that serves connections.
#[tokio::test]
async fn what_a_client_typed_is_read_among_analyses() {
    let (server, _clock, busy) = busy().await;
    let queue = server.app.metrics.solver_queue.clone();
    let heaps = vec!["5"; 200].join(",");
    let (mut ann, mut bea, id) = server.pair(&format!("nim:{heaps}")).await;
    let waits = |count| {
        let queue = queue.clone();
        until("one more waits", move || queue.waiting_in_all() == count)
    };
    let listed = ann
        .send(json!({"type":"list","only":{"start":"kayles:7@zero"}}))
        .await;
    waits(1).await;
    let lines = json!([["A-1", "B-1"], ["A-2", "B-2"]]);
    let planned = bea
        .send(json!({"type":"plan","match":id,"ply":1,"lines":lines}))
        .await;
    waits(2).await;
    let mut eve = server.guest("Eve").await;
    let cup = eve.send(cup(&json!({"type":"round_robin"}), 4)).await;
    waits(3).await;
    let request = page("/lab?position=nim:1&from=kayles:7@zero", "");
    let (lab, ()) = tokio::join!(read(&server, &request), async {
        waits(4).await;
        drop(busy);
    });
    let listed = ann.reply(listed).await;
    assert_eq!(listed["type"], "matches", "{listed}");
    let planned = bea.reply(planned).await;
    assert_eq!(planned["type"], "done", "{planned}");
    let cup = eve.reply(cup).await;
    assert_ne!(cup["type"], "error", "{cup}");
    let (code, lab) = lab;
    assert_eq!(code, 200, "{lab}");
    let back = "href=\"/lab?position=kayles:7@zero\"";
    assert!(lab.contains(back), "{lab}");
    server.stop().await;
}

/// A plan is refused for what the match finds wrong with it before what is wrong with its moves, wherever these were read.
#[tokio::test]
async fn a_plan_in_a_large_position_is_refused_as_in_a_small_one() {
    let server = Server::start().await;
    let heaps = vec!["5"; 200].join(",");
    for position in ["nim:3,4,5", &format!("nim:{heaps}")] {
        let (mut ann, mut bea, id) = server.pair(position).await;
        let plan =
            |ply: u32, line: [&str; 2]| json!({"type":"plan","match":id,"ply":ply,"lines":[line]});
        let illegal = ["A-1", "B-9"];
        let refused = ann.ask(plan(1, illegal)).await;
        assert_eq!(refused["code"], "not_possible", "{refused}");
        let refused = bea.ask(plan(2, illegal)).await;
        assert_eq!(refused["code"], "stale_ply", "{refused}");
        let refused = bea.ask(plan(1, illegal)).await;
        assert_eq!(refused["code"], "illegal_move", "{refused}");
        let made = bea.ask(plan(1, ["A-1", "B-1"])).await;
        assert_eq!(made["type"], "done", "{made}");
        let moved = ann.play(&id, 1, "A-1").await;
        assert_eq!(moved["type"], "accepted", "{moved}");
        until("the reply is made", || plies(&server, &id) == 2).await;
    }
    server.stop().await;
}
