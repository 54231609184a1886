//! What survives a stop, a failing store and a panic: everything that was acknowledged, and the players' time.

use crate::{blobs, common};

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::common::faulty::{Faulty, faulty};
use crate::common::{Plan, Server};
use grundy_server::clock::ManualClock;
use grundy_server::data;
use grundy_server::store::{Commit, MatchRow, MatchStatus, NodeId, Store, last_heartbeat};
use grundy_shared::event::{Event, Outcome, PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use serde_json::{Value, json};
use sqlx::Connection;

const START: Millis = Millis(1_700_000_000_000);

/// Changes a word of a stored event.
fn replace(event: &mut blobs::Entry, from: &str, to: &str) {
    let body = String::from_utf8(event.body.clone()).expect("text");
    event.body = body.replace(from, to).into_bytes();
}

async fn on_disk(directory: &Path, clock: &Arc<ManualClock>) -> Server {
    let plan = Plan {
        clock: clock.clone(),
        ..Plan::on_disk(directory).await
    };
    plan.start().await
}

/// Against a bot, with clocks.
fn against_a_bot() -> Value {
    json!({"type":"create","position":"nim:3,5,7","side":"first","opponent":{"type":"bot","name":"perfect"},
        "clock":{"type":"fischer","base_ms":60_000,"increment_ms":0}})
}

#[tokio::test]
async fn a_match_that_nobody_was_told_of_before_the_server_died_has_cost_nothing() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let plan = || Plan {
        store: store.clone(),
        clock: clock.clone(),
        ..Plan::default()
    };
    let server = plan().start().await;
    let mut ada = server.guest("ada").await;
    Faulty::close(&store.created);
    ada.send(against_a_bot()).await;
    store.until_it_waits().await;
    // It is stored, and the server hears of it late, or never.
    clock.advance(Millis(8_000));
    store.until_it_beats().await;

    let server = plan().start().await;
    let (mut ada, welcome) = server.again(&ada).await;
    let id = &welcome["obligations"][0]["match"];
    let resumed = ada.ask(json!({"type":"resume","match":id,"since_seq":0}));
    assert_eq!(
        resumed.await["snapshot"]["clocks"],
        json!({"first_ms":60_000,"second_ms":60_000})
    );
    assert_eq!(ada.event_of("outage").await["credited_ms"], 8_000);
}

#[tokio::test]
async fn no_heartbeat_runs_ahead_of_what_a_player_is_owed() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let plan = Plan {
        store: store.clone(),
        clock: clock.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let terms = json!({"position":"nim:3,5,7","clock":{"type":"fischer","base_ms":60_000,"increment_ms":0}});
    let (mut first, mut second, id) = server.pair_with(terms).await;
    let latest = || async {
        store.until_it_beats().await;
        let latest = last_heartbeat(&*store, NodeId::ONLY).await;
        latest.expect("readable").expect("beaten").since(START)
    };
    clock.advance(Millis(10_000));
    let held = Faulty::close(&store.gate);
    first
        .send(json!({"type":"move","match":id,"ply":1,"move":"C-1"}))
        .await;
    store.until_it_waits().await;
    clock.advance(Millis(8_000));
    assert_eq!(latest().await, Millis(10_000));
    store.gate.add_permits(held);
    assert_eq!(second.event_of("outage").await["credited_ms"], 8_000);
    assert_eq!(latest().await, Millis(18_000));
}

#[tokio::test]
async fn a_restart_goes_on_where_it_was_and_credits_the_outage() {
    let directory = tempfile::tempdir().expect("a directory");
    let clock = Arc::new(ManualClock::at(START));
    let server = on_disk(directory.path(), &clock).await;
    let terms = json!({"position":"nim:3,5,7","clock":{"type":"fischer","base_ms":60_000,"increment_ms":0}});
    let (mut first, mut second, id) = server.pair_with(terms).await;
    clock.advance(Millis(10_000));
    let accepted = first.play(&id, 1, "C-1").await;
    assert_eq!(
        accepted["clocks"],
        json!({"first_ms":50_000,"second_ms":60_000})
    );
    clock.advance(Millis(5_000));
    let (old, _) = server.again(&first).await;
    let notice = async {
        assert_eq!(second.notice().await["type"], "shutting_down");
        assert_eq!(second.closed().await, (1012, "shutting_down".to_owned()));
        second
    };
    drop(first);
    let (_, second) = tokio::join!(server.stop(), notice);

    clock.advance(Millis(3_600_000));
    let server = on_disk(directory.path(), &clock).await;
    let (mut second, welcome) = server.again(&second).await;
    assert_eq!(welcome["obligations"][0]["match"], id.as_str());
    assert_eq!(welcome["obligations"][0]["to_move"], true);
    let (mut first, welcome) = server.again(&old).await;
    assert_eq!(welcome["obligations"][0]["to_move"], false);
    let resumed = second
        .ask(json!({"type":"resume","match":id,"since_seq":2}))
        .await;
    assert_eq!(
        resumed["snapshot"]["clocks"],
        json!({"first_ms":50_000,"second_ms":55_000})
    );
    assert_eq!(second.event_of("moved").await["move"], "C-1");
    assert_eq!(second.event_of("outage").await["credited_ms"], 3_600_000);
    first
        .ask(json!({"type":"resume","match":id,"since_seq":0}))
        .await;
    let accepted = second.play(&id, 2, "B-1").await;
    assert_eq!(
        accepted["clocks"],
        json!({"first_ms":50_000,"second_ms":55_000})
    );
    assert_eq!(
        first
            .find("move 2", |frame| frame["body"]["ply"] == 2)
            .await["body"]["move"],
        "B-1"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_bot_moves_after_a_restart_and_invitations_are_still_good() {
    let directory = tempfile::tempdir().expect("a directory");
    let clock = Arc::new(ManualClock::at(START));
    let server = on_disk(directory.path(), &clock).await;
    let mut player = server.guest("Ann").await;
    let created = player
        .ask(json!({"type":"create","position":"nim:9,9","side":"first","opponent":{"type":"bot","name":"perfect"}}))
        .await;
    let id = created["match"].as_str().expect("an id").to_owned();
    let invitation = player
        .ask(json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}}))
        .await;
    assert_eq!(player.play(&id, 1, "A-4").await["type"], "accepted");
    assert_eq!(
        player
            .find("the bot's move", |frame| frame["body"]["ply"] == 2)
            .await["body"]["move"],
        "B-4"
    );
    server.stop().await;
    let server = on_disk(directory.path(), &clock).await;
    let (mut player, welcome) = server.again(&player).await;
    assert_eq!(welcome["obligations"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        player.ask(json!({"type":"resume","match":id})).await["type"],
        "attached"
    );
    assert_eq!(player.play(&id, 3, "A-5").await["type"], "accepted");
    assert_eq!(
        player
            .find("the bot's move", |frame| frame["body"]["ply"] == 4)
            .await["body"]["move"],
        "B-5"
    );
    let mut friend = server.guest("Bob").await;
    let joined = friend
        .ask(json!({"type":"join","code":invitation["code"]}))
        .await;
    assert_eq!(joined["type"], "joined", "{joined}");
    server.stop().await;
    clock.advance(Millis(1));
    on_disk(directory.path(), &clock).await.stop().await;
}

#[tokio::test]
async fn an_invitation_expires() {
    let clock = Arc::new(ManualClock::at(START));
    let mut plan = Plan::with(|config| config.times.join_code_ms = Millis(1_000));
    plan.clock = clock.clone();
    let server = plan.start().await;
    let mut owner = server.guest("Ann").await;
    let created = owner
        .ask(json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}}))
        .await;
    clock.advance(Millis(1_000));
    let late = server
        .guest("Bob")
        .await
        .ask(json!({"type":"join","code":created["code"]}))
        .await;
    assert_eq!(late["code"], "no_such_code");
    let ended = owner.event_of("ended").await;
    assert_eq!(
        (&ended["outcome"], &ended["reason"]),
        (&json!("void"), &json!("expired"))
    );
    server.stop().await;
}

#[tokio::test]
async fn a_panic_costs_one_answer_and_three_cost_one_match() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let (mut first, mut second, id) = server.pair("nim:30,50").await;
    let (mut other, _third, other_id) = server.pair("nim:3,5").await;
    for (ply, text) in [(1, "A-1"), (2, "A-1")] {
        store.panics.store(1, Ordering::SeqCst);
        let (mover, waiter) = if ply == 1 {
            (&mut first, &mut second)
        } else {
            (&mut second, &mut first)
        };
        assert_eq!(mover.play(&id, ply, text).await["code"], "internal");
        // It was stored before the panic: nobody misses it.
        let event = waiter
            .find("the move", |frame| frame["body"]["ply"] == ply)
            .await;
        assert_eq!(event["body"]["move"], text);
    }
    assert_eq!(first.play(&id, 3, "A-1").await["type"], "accepted");
    store.panics.store(1, Ordering::SeqCst);
    assert_eq!(second.play(&id, 4, "A-1").await["code"], "internal");
    assert_eq!(
        first.play(&id, 5, "A-1").await["code"],
        "internal",
        "in quarantine"
    );
    let logged = server
        .store
        .load(id.parse::<MatchId>().expect("an id").into(), Seq(0), 100)
        .await;
    assert_eq!(
        logged.expect("readable").expect("there").len(),
        6,
        "every move is in the log, once"
    );
    assert_eq!(other.play(&other_id, 1, "A-1").await["type"], "accepted");
    // A match whose end was stored before the panic is over, and takes no place any more.
    store.panics.store(1, Ordering::SeqCst);
    let resigned = other.ask(json!({"type":"resign","match":other_id})).await;
    assert_eq!(resigned["code"], "internal");
    assert_eq!(other.event_of("ended").await["reason"], "resignation");
    common::until("the places are free", || {
        server.app.matches.open_matches() == 0
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn who_writes_beside_us_is_taken_into_account() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    let moved =
        format!(r#"{{"type":"moved","at_ms":{START},"seat":"first","ply":1,"move":"A-1"}}"#);
    let stream = id.parse::<MatchId>().expect("an id");
    let beside = Commit::append(stream, Seq(2), vec![moved.into()]);
    let stored = store.inner.commit(server.app.lease, vec![beside]).await;
    assert_eq!(stored, [Ok(())], "it comes first");
    let refused = first.play(&id, 1, "B-1").await;
    assert_eq!(
        (&refused["code"], &refused["expected"]),
        (&json!("stale_ply"), &json!(2))
    );
    for client in [&mut first, &mut second] {
        assert_eq!(client.event(3).await["move"], "A-1");
    }
    assert_eq!(second.play(&id, 2, "B-1").await["seq"], 4);
    server.stop().await;
}

#[tokio::test]
async fn an_outage_is_credited_also_where_somebody_else_writes_first() {
    let store = Faulty::new();
    let id = MatchId::from_random(1);
    let lease = store.inner.enlist(NodeId::ONLY, START).await;
    let lease = lease.expect("enlisted");
    let begun = begun_match(id);
    assert_eq!(store.inner.commit(lease, vec![begun]).await, [Ok(())]);
    let clock = Arc::new(ManualClock::at(START.plus(Millis(20_000))));
    let held = Faulty::close(&store.gate);
    let interfere = async {
        store.until_it_waits().await;
        let other = store.inner.enlist(NodeId(2), START).await;
        let other = other.expect("enlisted");
        let left =
            format!(r#"{{"type":"presence","at_ms":{START},"seat":"first","online":false}}"#);
        let beside = Commit::append(id, Seq(2), vec![left.into()]);
        assert_eq!(store.inner.commit(other, vec![beside]).await, [Ok(())]);
        store.gate.add_permits(held);
    };
    let (server, ()) = tokio::join!(faulty(&store, &clock), interfere);
    let log = store.inner.load(id.into(), Seq(3), 1).await;
    let log = log.expect("readable").expect("there");
    let outage: Value = serde_json::from_slice(&log[0].body).expect("JSON");
    assert_eq!(
        (&outage["type"], &outage["credited_ms"], &outage["held"]),
        (&json!("outage"), &json!(20_000), &json!(true))
    );
    server.stop().await;
}

/// A timed match of players 1 and 2 that has begun, and in which nothing has happened.
fn begun_match(id: MatchId) -> Commit {
    let player = |n: u128| PlayerInfo {
        id: PlayerId::from_random(n),
        name: format!("p{n}"),
        bot: false,
    };
    let created = Event::Created {
        at_ms: START,
        position: "nim:3,5".to_owned(),
        clock: TimeControl::Fischer {
            base_ms: Millis(60_000),
            increment_ms: Millis(0),
        },
        creator: player(1),
        seat: Seat::First,
        rematch_of: None,
        series: None,
        held: false,
        first_move_ms: None,
        first_move_of_both: false,
        tournament: None,
    };
    let joined = Event::Joined {
        at_ms: START,
        seat: Seat::Second,
        player: player(2),
    };
    let row = MatchRow {
        start: "nim:3,5".to_owned(),
        clock: TimeControl::Untimed {},
        first: Some(player(1)),
        second: Some(player(2)),
        status: MatchStatus::Live,
        outcome: None,
        reason: None,
        plies: Ply(0),
        created_at: START,
        ended_at: None,
        rematch_of: None,
        series: None,
    };
    let events = vec![created.to_json().into(), joined.to_json().into()];
    Commit::append(id, Seq(0), events).with_row(id, row)
}

#[tokio::test]
async fn every_open_match_is_taken_up_and_credited_once() {
    const MATCHES: u64 = 1_500;
    let store = Faulty::new();
    let lease = store.inner.enlist(NodeId::ONLY, START).await;
    let lease = lease.expect("enlisted");
    for n in 0..MATCHES {
        let new = begun_match(MatchId::from_random(n));
        assert_eq!(store.inner.commit(lease, vec![new]).await, [Ok(())]);
    }
    store
        .inner
        .heartbeat(lease, START.plus(Millis(5_000)))
        .await
        .expect("stored");
    let clock = Arc::new(ManualClock::at(START.plus(Millis(3_600_000))));
    let server = faulty(&store, &clock).await;
    assert_eq!(server.app.matches.open_matches() as u64, MATCHES);
    let obligations = server
        .app
        .matches
        .obligations(PlayerId::from_random(1), usize::MAX);
    let obligations = obligations.await.expect("the store answers");
    assert_eq!(obligations.len() as u64, MATCHES.min(200));
    assert!(
        obligations
            .iter()
            .all(|open| open.to_move && open.seq == Seq(3))
    );
    for n in [0, MATCHES / 2, MATCHES - 1] {
        let stream = MatchId::from_random(n).into();
        let log = store.inner.load(stream, Seq(2), 10).await;
        let log = log.expect("readable").expect("there");
        let credit = format!(
            r#"{{"type":"outage","at_ms":{},"credited_ms":3595000,"held":true}}"#,
            START.0 + 3_600_000
        );
        assert_eq!(
            log.iter().map(|event| event.text()).collect::<Vec<_>>(),
            [credit]
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn a_damaged_match_is_put_into_quarantine_and_the_others_go_on() {
    let directory = tempfile::tempdir().expect("a directory");
    let clock = Arc::new(ManualClock::at(START));
    let server = on_disk(directory.path(), &clock).await;
    let terms =
        json!({"position":"nim:3,5","clock":{"type":"fischer","base_ms":60_000,"increment_ms":0}});
    let mut matches = Vec::new();
    for _ in 0..5 {
        matches.push(server.pair_with(terms.clone()).await);
    }
    server.stop().await;
    // No text; no event; no link of the chain; another lawful event.
    let path = data::location(directory.path());
    blobs::change_event(&path, 1, 2, |event| event.body = vec![0xff]).await;
    blobs::change_event(&path, 2, 2, |event| event.body = b"{}".to_vec()).await;
    blobs::change_event(&path, 3, 2, |event| event.hash = vec![0; 32]).await;
    blobs::change_event(&path, 4, 2, |event| {
        replace(event, "\"second\"", "\"thief\"")
    })
    .await;

    clock.advance(Millis(600_000));
    let server = on_disk(directory.path(), &clock).await;
    let quarantined = server.app.metrics.matches_quarantined.clone();
    common::until("the quarantine", || quarantined.get() == 4).await;
    for (number, (first, _, id)) in matches.iter().enumerate() {
        let (mut first, _) = server.again(first).await;
        let answer = first.play(id, 1, "A-1").await;
        match number {
            4 => assert_eq!(
                answer["clocks"],
                json!({"first_ms":60_000,"second_ms":60_000}),
                "{answer}"
            ),
            _ => assert_eq!(answer["code"], "internal", "match {number}"),
        }
    }
    assert_eq!(quarantined.get(), 4);
    server.stop().await;
}

/// What the store says of a finished match is compared with the end that was written down when it ended.
#[tokio::test]
async fn a_finished_match_that_is_damaged_is_refused_and_never_told_as_fact() {
    let directory = tempfile::tempdir().expect("a directory");
    let clock = Arc::new(ManualClock::at(START));
    let server = on_disk(directory.path(), &clock).await;
    let mut matches = Vec::new();
    for _ in 0..6 {
        let (mut first, mut second, id) = server.pair("nim:3,5").await;
        assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
        assert_eq!(second.play(&id, 2, "A-1").await["type"], "accepted");
        first.ask(json!({"type":"resign","match":id})).await;
        matches.push(id);
    }
    server.stop().await;
    // Another lawful move; a missing event; a cut tail; another end; no end.
    let path = data::location(directory.path());
    blobs::change_event(&path, 1, 3, |event| replace(event, "\"A-1\"", "\"A-2\"")).await;
    blobs::remove(&path, |stream, seq| {
        [(2, 3), (3, 5)].contains(&(stream, seq))
    })
    .await;
    let mut connection = blobs::other_hand(&path).await;
    let damaged = sqlx::raw_sql(
        "UPDATE match SET log_head = zeroblob(32) WHERE number = 4; \
         UPDATE match SET log_head = NULL, log_count = NULL WHERE number = 5;",
    );
    let damaged = damaged.execute(&mut connection).await;
    assert_eq!(damaged.expect("it can be damaged").rows_affected(), 2);
    connection.close().await.expect("it closes");

    let server = on_disk(directory.path(), &clock).await;
    let mut guest = server.guest("reader").await;
    let asks = [
        json!({"type":"record"}),
        json!({"type":"record","since_seq":4,"limit":1}),
        json!({"type":"review"}),
        json!({"type":"watch","since_seq":0}),
    ];
    for (number, id) in matches.iter().enumerate() {
        // Whichever is the first to read it.
        for turn in 0..asks.len() {
            let mut ask = asks[(number + turn) % asks.len()].clone();
            ask["match"] = json!(id);
            let answer = guest.ask(ask.clone()).await;
            if number == 5 {
                assert_ne!(answer["type"], "error", "{ask}: {answer}");
                continue;
            }
            assert_eq!(
                answer["code"], "internal",
                "match {number}, {ask}: {answer}"
            );
            let message = answer["message"].as_str().expect("words");
            assert!(message.contains("fsck"), "{message}");
        }
    }
    let quarantined = &server.app.metrics.matches_quarantined;
    common::until("the quarantine", || quarantined.get() == 5).await;
    server.stop().await;
}

/// A damaged match is counted at once, even while it is in memory, and is served again when a later check finds it sound.
#[tokio::test]
async fn a_match_called_damaged_is_counted_and_looked_at_again() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let plan = Plan {
        store: store.clone(),
        clock,
        ..Plan::default()
    };
    let server = plan.start().await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(second.play(&id, 2, "A-1").await["type"], "accepted");
    first.ask(json!({"type":"resign","match":id})).await;
    let mut reader = server.guest("reader").await;
    let asks = [
        json!({"type":"record","match":id}),
        json!({"type":"watch","match":id,"since_seq":0}),
    ];
    let quarantined = &server.app.metrics.matches_quarantined;

    store.lost_event.store(3, Ordering::SeqCst);
    assert_eq!(reader.ask(asks[0].clone()).await["code"], "internal");
    assert_eq!(quarantined.get(), 1);
    server.app.matches.look_again().await;
    assert_eq!(reader.ask(asks[0].clone()).await["code"], "internal");
    assert_eq!(quarantined.get(), 1);

    store.lost_event.store(0, Ordering::SeqCst);
    server.app.matches.look_again().await;
    assert_eq!(quarantined.get(), 0);
    for ask in asks {
        let answer = reader.ask(ask).await;
        assert_ne!(answer["type"], "error", "{answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_abandoned_match_ends_also_when_the_server_was_away_meanwhile() {
    let directory = tempfile::tempdir().expect("a directory");
    let clock = Arc::new(ManualClock::at(START));
    let server = on_disk(directory.path(), &clock).await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    let timed = json!({"position":"nim:3","clock":{"type":"fischer","base_ms":86_400_000,"increment_ms":0}});
    let (_third, _fourth, timed) = server.pair_with(timed).await;
    for client in [&mut first, &mut second] {
        client.ask(json!({"type":"bye"})).await;
    }
    let id: MatchId = id.parse().expect("an id");
    let store = &server.store;
    let logged = async {
        while store
            .load(id.into(), Seq(3), 1)
            .await
            .expect("readable")
            .expect("there")
            .is_empty()
        {
            tokio::task::yield_now().await;
        }
    };
    common::in_time("both are gone", logged).await;
    server.stop().await;

    clock.advance(Millis(13 * 86_400_000));
    let server = on_disk(directory.path(), &clock).await;
    assert_eq!(server.app.matches.open_matches(), 2);
    server.stop().await;
    clock.advance(Millis(86_400_000));
    let server = on_disk(directory.path(), &clock).await;
    common::until("the end", || server.app.matches.open_matches() == 1).await;
    let row = server
        .store
        .row(id)
        .await
        .expect("readable")
        .expect("there");
    assert_eq!(
        (row.status, row.outcome),
        (MatchStatus::Over, Some(Outcome::Void))
    );
    let row = server.store.row(timed.parse().expect("an id")).await;
    assert_eq!(
        row.expect("readable").expect("there").status,
        MatchStatus::Live
    );
    server.stop().await;
}
