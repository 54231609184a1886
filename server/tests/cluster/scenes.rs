//! What players and operators of several servers meet, one thing after another.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::client::Client;
use crate::cluster::{Cluster, Hints};
use crate::duel::Duel;
use crate::looks::seats;
use crate::patience::until;

pub(crate) fn resume(id: &Value) -> Value {
    json!({"type": "resume", "match": id, "since_seq": 0})
}

/// Players of one match on different nodes: with NATS and without.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_play_one_match_by_their_looks_alone() {
    play_across(Hints::None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hints_carry_a_match_across_nodes_and_strangers_change_nothing() {
    play_across(Hints::Nats).await;
}

async fn play_across(hints: Hints) {
    let mut cluster = Cluster::start(2, hints).await;
    let [a, b] = &mut cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut duel = Duel::begin(a, b, false).await;
    let id = duel.text().to_owned();
    let mut watcher = Client::come(a).await;
    let watch = json!({"type": "watch", "match": duel.id});
    watcher.get(watch, "attached").await;
    let mut crossings = Vec::new();
    for (ply, text) in (1..).zip(["A-1", "A-1", "A-1", "B-4", "C-1", "C-1"]) {
        let mv = duel.mv(ply, text);
        let began = Instant::now();
        let (mover, other) = match ply % 2 {
            1 => (&mut duel.one, &mut duel.two),
            _ => (&mut duel.two, &mut duel.one),
        };
        mover.get(mv, "accepted").await;
        other
            .hears(&[&id, "moved", &format!("\"ply\":{ply}")])
            .await;
        crossings.push(began.elapsed());
        watcher
            .hears(&[&id, "moved", &format!("\"ply\":{ply}")])
            .await;
    }
    crossings.sort();
    println!("{hints:?}: a move across nodes took {crossings:?}");
    // The same player on the other node, from where the match begins.
    let mut back = duel.one.go_to(b).await;
    let attached = back.get(resume(&duel.id), "attached").await;
    assert_eq!(attached["snapshot"]["ply"], 6, "{attached}");
    let mv = duel.mv(7, "C-3");
    back.get(mv, "accepted").await;
    duel.two.hears(&[&id, "ended"]).await;
    duel.one.hears(&[&id, "superseded"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rated_pair_counts_once_whose_players_are_on_two_nodes() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = &mut cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut duel = Duel::begin(a, b, true).await;
    let first = duel.text().to_owned();
    duel.two
        .get(json!({"type": "resign", "match": duel.id}), "done")
        .await;
    // The end of the first match names the second one, in which both players take their seats.
    let ended = duel.one.hears(&[&first, "ended"]).await;
    let second = ended["body"]["next"].clone();
    duel.one.get(resume(&second), "attached").await;
    duel.one
        .get(json!({"type": "resign", "match": second}), "done")
        .await;
    for client in [&mut duel.one, &mut duel.two] {
        let ratings = client.get(json!({"type": "ratings"}), "ratings").await;
        assert_eq!(ratings["ratings"][0]["pairs"], 1, "{ratings}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tournament_comes_to_its_end_whose_players_are_on_two_nodes() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = &mut cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut one = Client::come(a).await;
    let mut two = Client::come(b).await;
    let cup = json!({"type": "create_tournament", "name": "Cup", "format": {"type": "round_robin"},
        "rules": {"games": 2, "clock": {"type": "fischer", "base_ms": 600_000, "increment_ms": 0},
            "starts": {"type": "list", "positions": ["nim:3,5,7"]}, "start_ms": 60_000, "away_ms": 60_000},
        "admission": {"most": 2}});
    let id = one.get(cup, "tournament").await["tournament"].clone();
    for client in [&mut two, &mut one] {
        let watch = json!({"type": "watch_tournament", "tournament": id, "play": true});
        client.get(watch, "tournament").await;
        let join = json!({"type": "join_tournament", "tournament": id});
        let joined = client.ask(join).await;
        assert_ne!(joined["type"], "error", "{joined}");
    }
    for _ in 0..2 {
        let game = two.hears(&["tournament_match"]).await;
        let resign = json!({"type": "resign", "match": game["body"]["match"]});
        two.get(resign, "done").await;
    }
    one.hears(&["seed_opened"]).await;
    let shown = one
        .get(
            json!({"type": "show_tournament", "tournament": id}),
            "tournament",
        )
        .await;
    assert_eq!(shown["games_ended"], 2, "{shown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_node_takes_over_from_one_that_was_killed() {
    let mut cluster = Cluster::start(3, Hints::Nats).await;
    let [a, b, c] = &mut cluster.nodes[..] else {
        panic!("three nodes");
    };
    let mut duel = Duel::begin(a, b, false).await;
    let id = duel.text().to_owned();
    // A deadline and a bot that only the dead node knew of.
    let mut flagged = Client::come(a).await;
    let timed = json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "bot", "name": "perfect"},
        "clock": {"type": "fischer", "base_ms": 1_000, "increment_ms": 0}});
    let timed = flagged.get(timed, "created").await["match"].clone();
    flagged
        .get(
            json!({"type": "move", "match": timed, "ply": 1, "move": "A-1"}),
            "accepted",
        )
        .await;
    a.kill().await;
    let began = Instant::now();
    let mut back = duel.one.go_to(c).await;
    back.get(resume(&duel.id), "attached").await;
    back.get(duel.mv(1, "A-1"), "accepted").await;
    println!(
        "the first move after a kill was accepted after {:?}",
        began.elapsed()
    );
    duel.two.hears(&[&id, "moved"]).await;
    until("another node takes over", async || {
        b.logged().contains("took over") || c.logged().contains("took over")
    })
    .await;
    println!(
        "a dead node's matches were taken over after {:?}",
        began.elapsed()
    );
    // Nobody follows it: the flag falls all the same.
    let mut witness = flagged.go_to(b).await;
    witness.get(resume(&timed), "attached").await;
    witness.hears(&["ended", "time"]).await;
    // It comes back as itself, and has nothing that it lost.
    a.start().await;
    let mut home = back.go_to(a).await;
    let attached = home.get(resume(&duel.id), "attached").await;
    assert_eq!(attached["snapshot"]["ply"], 1);
}

/// The clocks of both players in thousandths of a second, and what the log says was given back.
pub(crate) async fn clocks(client: &mut Client, id: &Value) -> (u64, u64) {
    let attached = client.get(resume(id), "attached").await;
    let left = attached["snapshot"]["clocks"]["first_ms"].as_u64();
    let record = json!({"type": "record", "match": id});
    let record = client.get(record, "record").await;
    let events = record["events"].as_array().expect("events");
    let credits = events
        .iter()
        .filter_map(|event| event["body"]["credited_ms"].as_u64());
    (left.unwrap_or_else(|| panic!("{attached}")), credits.sum())
}

/// The player to move is connected to the node that dies; the other one is not, so the match lives on elsewhere all the time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_node_charges_nobody_whose_match_lives_on_another_node() {
    let terms = json!({"clock": {"type": "fischer", "base_ms": 60_000, "increment_ms": 0}});
    let mut cluster = Cluster::start(3, Hints::Nats).await;
    // Whose the match is makes no difference, nor who buries the dead, nor whether the player is back before that.
    let cases = [
        (0, 1, true, true),
        (0, 2, true, true),
        (1, 2, false, true),
        (2, 0, false, false),
    ];
    for (dying, other, creates, waits) in cases {
        let nodes = &cluster.nodes;
        let before = Instant::now();
        let mut duel = match creates {
            true => Duel::begin_on(&nodes[dying], &nodes[other], terms.clone()).await,
            false => {
                let terms = json!({"side": "second", "clock": terms["clock"]});
                let duel = Duel::begin_on(&nodes[other], &nodes[dying], terms).await;
                Duel {
                    one: duel.two,
                    two: duel.one,
                    ..duel
                }
            }
        };
        let postgres = &cluster.postgres;
        until("both sit", async || seats(postgres).await == 2).await;
        cluster.nodes[dying].kill().await;
        let killed = Instant::now();
        let ran = u64::try_from((killed - before).as_millis()).expect("a short time");
        // One that comes back once its server is known to be dead, and one that does so at once.
        if waits {
            duel.two.hears(&["\"outage\"", "\"held\":true"]).await;
        } else {
            sleep(Duration::from_millis(700)).await;
        }
        let mut back = duel.one.go_to(&cluster.nodes[other]).await;
        // The server knows of it before we hear the answer.
        let away = killed.elapsed().as_millis();
        let came = Instant::now();
        back.get(resume(&duel.id), "attached").await;
        back.hears(&["\"outage\""]).await;
        let (left, credited) = clocks(&mut back, &duel.id).await;
        let since = u64::try_from(came.elapsed().as_millis()).expect("a short time");
        let way = u64::try_from(away).expect("a short time");
        // The last heartbeat was a moment before the kill, and after the last move.
        assert!(credited + 600 >= way, "{credited} of {way}");
        assert!(
            left + since + ran + 400 >= 60_000,
            "{left} after {ran} and {since}, {credited} of {way}"
        );
        cluster.nodes[dying].start().await;
        let resign = json!({"type": "resign", "match": duel.id});
        back.get(resign, "done").await;
        for mut client in [back, duel.two] {
            client.get(json!({"type": "bye"}), "done").await;
        }
        let postgres = &cluster.postgres;
        until("nobody sits", async || seats(postgres).await == 0).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_hands_its_players_over_and_charges_nobody() {
    let mut cluster = Cluster::start(3, Hints::Nats).await;
    let [a, b, c] = &mut cluster.nodes[..] else {
        panic!("three nodes");
    };
    let mut duel = Duel::begin(a, b, false).await;
    let id = duel.text().to_owned();
    // Its player moves, and a bot that only this node knows of answers.
    let mut other = Client::come(a).await;
    let timed = json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "bot", "name": "perfect"},
        "clock": {"type": "fischer", "base_ms": 60_000, "increment_ms": 0}});
    let timed = other.get(timed, "created").await["match"].clone();
    a.signal(Signal::TERM);
    let notice = duel.one.hears(&["shutting_down"]).await;
    let wait = notice["body"]["reconnect_after_ms"].as_u64();
    assert!(wait.is_some_and(|wait| wait <= 1_000), "{notice}");
    let began = Instant::now();
    // Its matches are taken over at once, not after two seconds of silence.
    until("another node takes over", async || {
        let took = "took over the matches of a server that stopped";
        b.logged().contains(took) || c.logged().contains(took)
    })
    .await;
    println!(
        "a stopped node's matches were taken over after {:?}",
        began.elapsed()
    );
    assert!(a.ended().await.success(), "{}", a.logged());
    let mut back = duel.one.go_to(c).await;
    back.get(resume(&duel.id), "attached").await;
    back.get(duel.mv(1, "A-1"), "accepted").await;
    duel.two.hears(&[&id, "moved"]).await;
    // Long after the stop its player comes back, with a clock that has stood still, and the bot answers.
    let mut home = other.go_to(b).await;
    home.get(resume(&timed), "attached").await;
    let record = json!({"type": "record", "match": timed});
    let record = home.get(record, "record").await;
    let held = json!({"credited_ms": 0, "held": true, "type": "outage", "at_ms": record["events"][2]["body"]["at_ms"]});
    assert_eq!(record["events"][2]["body"], held, "{record}");
    home.get(
        json!({"type": "move", "match": timed, "ply": 1, "move": "A-1"}),
        "accepted",
    )
    .await;
    home.hears(&[timed.as_str().expect("an id"), "moved", "\"ply\":2"])
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_an_hour_apart_cost_nobody_the_node_and_nobody_the_match() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    cluster.nodes[1].kill().await;
    cluster.nodes[1].plant("an_hour_ahead");
    cluster.nodes[1].start().await;
    let [a, b] = &mut cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut duel = Duel::begin(a, b, true).await;
    let id = duel.text().to_owned();
    for (ply, text) in (1..).zip(["A-1", "A-1", "A-1", "B-4", "C-1", "C-1", "C-3"]) {
        let mv = duel.mv(ply, text);
        let (mover, other) = match ply % 2 {
            1 => (&mut duel.one, &mut duel.two),
            _ => (&mut duel.two, &mut duel.one),
        };
        mover.get(mv, "accepted").await;
        other
            .hears(&[&id, "moved", &format!("\"ply\":{ply}")])
            .await;
    }
    duel.one.hears(&[&id, "ended", "last_move"]).await;
    // Both tell the time of the database.
    let record = json!({"type": "record", "match": duel.id});
    let record = duel.two.get(record, "record").await;
    let events = record["events"].as_array().expect("events").iter();
    let moments: Vec<u64> = events
        .filter_map(|event| event["body"]["at_ms"].as_u64())
        .collect();
    let (first, last) = (moments.iter().min(), moments.iter().max());
    assert!(
        last.zip(first)
            .is_some_and(|(last, first)| last - first < 600_000),
        "{record}"
    );
    for node in [&*a, &*b] {
        assert!(!node.logged().contains("took over"), "{}", node.logged());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frozen_node_wakes_up_to_find_that_it_may_write_no_more() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = &mut cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut duel = Duel::begin(a, b, false).await;
    let id = duel.text().to_owned();
    a.signal(Signal::STOP);
    until("the other node takes over", async || {
        b.logged().contains("took over")
    })
    .await;
    let mut back = duel.one.go_to(b).await;
    back.get(resume(&duel.id), "attached").await;
    back.get(duel.mv(1, "A-1"), "accepted").await;
    a.signal(Signal::CONT);
    let status = a.ended().await;
    assert!(!status.success());
    assert!(
        a.logged().contains("has taken this one's place"),
        "{}",
        a.logged()
    );
    duel.two.hears(&[&id, "moved"]).await;
    duel.two.get(duel.mv(2, "A-1"), "accepted").await;
    back.hears(&[&id, "\"ply\":2"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_with_one_name_is_refused_and_the_first_goes_on() {
    let mut cluster = Cluster::start(1, Hints::None).await;
    let mut client = Client::come(&cluster.nodes[0]).await;
    let mut twin = cluster.twin(0);
    let refused = twin.try_start(&[]).await.expect_err("the name is taken");
    assert!(
        refused.contains("another server with the name n0"),
        "{refused}"
    );
    assert_eq!(twin.ended().await.code(), Some(4));
    let create = json!({"type": "create", "position": "nim:3,4,5", "opponent": {"type": "invite"}});
    client.get(create, "created").await;
    // One that was killed has left its name.
    cluster.nodes[0].kill().await;
    twin.start().await;
    Client::come(&twin).await;
}
