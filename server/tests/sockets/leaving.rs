//! Who says goodbye, leaves or hangs up is still owed what was asked for, and costs nobody else anything.

use crate::common::faulty::Faulty;
use crate::common::{Client, Plan, Server};
use grundy_server::clock::ManualClock;
use grundy_server::store::Store as _;
use grundy_shared::Position;
use grundy_shared::ids::{Millis, Ply, Seat};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A board of which even a fast machine reviews a match only slowly, as often as it does: nothing is kept of a misère search.
const SLOW: &str = "cram:....../....../......@misere";
/// One whose review takes a moment, but far less than a goodbye waits, also on a busy machine.
const BRIEF: &str = "cram:..../..../....@misere";

/// Plays a match to its end, each move the first one there is; its id.
async fn a_finished_match(server: &Server, start: &str) -> String {
    let (mut first, mut second, id) = server.pair(start).await;
    let mut position = Position::parse(start).expect("a position");
    for ply in 1.. {
        let seat = Seat::to_move_at(Ply(ply - 1));
        let Some(mv) = position.nth_move(seat, 0) else {
            break;
        };
        let mover = match seat {
            Seat::First => &mut first,
            Seat::Second => &mut second,
        };
        let accepted = mover.play(&id, ply, &mv.to_string()).await;
        assert_eq!(accepted["type"], "accepted", "{accepted}");
        position = position.play(&mv);
    }
    id
}

/// Positions that the review knows nothing of.
async fn unknown_positions(asker: &mut Client, id: &str) -> u64 {
    let reviewed = asker.ask(json!({"type":"review","match":id})).await;
    assert_eq!(reviewed["type"], "reviewed", "{reviewed}");
    let unknown = &reviewed["review"]["unknown_positions"];
    unknown.as_u64().expect("a number")
}

/// A server whose reviews end by themselves, one after the other.
fn unhurried() -> Plan {
    Plan::with(|config| {
        config.solver.threads = 1;
        config.solver.cpu_ms = Millis(60_000);
    })
}

/// Waits until the one thread of the solver has done what it was asked for before.
async fn solver_is_done(asker: &mut Client) {
    let solved = asker.ask(json!({"type":"solve","position":"nim:1"})).await;
    assert_eq!(solved["type"], "solved", "{solved}");
}

#[tokio::test]
async fn who_hangs_up_leaves_no_half_review_behind() {
    let store = Faulty::new();
    store.none_uncounted.store(true, Ordering::SeqCst);
    let plan = Plan {
        store,
        ..unhurried()
    };
    let server = plan.start().await;
    let id = a_finished_match(&server, SLOW).await;
    let mut asker = server.guest("Ann").await;
    for name in ["Bob", "Cyd", "Dan"] {
        let mut hasty = server.guest(name).await;
        hasty.send(json!({"type":"review","match":id})).await;
        // Answered after the review was begun.
        assert_eq!(hasty.ask(json!({"type":"ping"})).await["type"], "pong");
        drop(hasty);
        solver_is_done(&mut asker).await;
    }
    assert_eq!(unknown_positions(&mut asker, &id).await, 0);
    server.stop().await;
}

#[tokio::test]
async fn a_review_that_time_cut_off_is_not_kept_for_ever() {
    let clock = Arc::new(ManualClock::at(Millis(1_700_000_000_000)));
    let mut plan = unhurried();
    plan.config.solver.cpu_ms = Millis(1);
    plan.clock = clock.clone();
    // Idle work has more time.
    let store = Faulty::new();
    store.none_uncounted.store(true, Ordering::SeqCst);
    plan.store = store.clone();
    let server = plan.start().await;
    let id = a_finished_match(&server, SLOW).await;
    let mut asker = server.guest("Ann").await;
    let worked_out = || {
        let text = server.app.metrics.render(&server.store.gauges());
        let name = "grundy_solver_lookup_seconds_count{kind=\"review\"} ";
        let count = text.lines().find_map(|line| line.strip_prefix(name));
        count.map_or(0, |count| count.parse::<u32>().expect("a count"))
    };
    assert!(unknown_positions(&mut asker, &id).await > 0, "a fast one");
    assert!(unknown_positions(&mut asker, &id).await > 0);
    assert_eq!(worked_out(), 1, "the second came from memory");
    clock.advance(Millis(600_000));
    assert!(unknown_positions(&mut asker, &id).await > 0);
    assert_eq!(worked_out(), 2, "one that is not whole is tried again");
    assert_eq!(store.review(id.parse().expect("an id")).await, Ok(None));
    server.stop().await;
}

#[tokio::test]
async fn goodbye_waits_for_the_answers_that_are_due() {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..unhurried()
    };
    let server = plan.start().await;
    let over = a_finished_match(&server, BRIEF).await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    let held = Faulty::close(&store.gate);
    let asked = [
        json!({"type":"move","match":id,"ply":1,"move":"A-1"}),
        json!({"type":"review","match":over}),
        json!({"type":"bye"}),
    ];
    let mut ids = Vec::new();
    for body in asked {
        ids.push(first.send(body).await);
    }
    store.until_it_waits().await;
    // Nobody else is kept waiting by it.
    assert_eq!(second.ask(json!({"type":"ping"})).await["type"], "pong");
    store.gate.add_permits(held);
    for (id, kind) in ids.into_iter().zip(["accepted", "reviewed", "done"]) {
        assert_eq!(first.reply(id).await["type"], kind);
    }
    assert_eq!(first.closed().await.0, 1000);
    assert_eq!(second.event_of("presence").await["online"], false);
    server.stop().await;
}

#[tokio::test]
async fn a_crowd_that_leaves_while_a_move_is_stored_keeps_nobody_from_leaving() {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let (mut first, mut second, id) = server.pair("nim:9,9").await;
    let mut crowd = server.guest("Wat").await;
    let held = Faulty::close(&store.gate);
    let moved = second
        .send(json!({"type":"move","match":id,"ply":2,"move":"A-1"}))
        .await;
    assert_eq!(second.reply(moved).await["code"], "stale_ply");
    let moved = first
        .send(json!({"type":"move","match":id,"ply":1,"move":"A-1"}))
        .await;
    store.until_it_waits().await;
    let leave = json!({"type":"leave","match":id});
    for _ in 0..100 {
        assert_eq!(crowd.ask(leave.clone()).await["type"], "done");
    }
    assert_eq!(first.ask(leave.clone()).await["type"], "done");
    store.gate.add_permits(held);
    // Who has left hears what was asked before, and nothing else.
    assert_eq!(first.reply(moved).await["type"], "accepted");
    assert_eq!(second.event(3).await["move"], "A-1");
    assert_eq!(second.event(4).await["online"], false);
    server.stop().await;
}

#[tokio::test]
async fn what_was_left_at_once_does_not_count() {
    let plan = Plan::with(|config| config.limits.follows_per_connection = 3);
    let server = plan.start().await;
    let mut matches = Vec::new();
    for _ in 0..6 {
        matches.push(server.pair("nim:9,9").await);
    }
    let mut watcher = server.guest("Wat").await;
    for (_, _, id) in &matches {
        let watch = watcher.send(json!({"type":"watch","match":id})).await;
        let leave = watcher.send(json!({"type":"leave","match":id})).await;
        let attached = watcher.reply(watch).await;
        assert_eq!(attached["type"], "attached", "{attached}");
        assert_eq!(watcher.reply(leave).await["type"], "done");
    }
    server.stop().await;
}

#[tokio::test]
async fn bursts_of_others_never_make_a_move_busy() {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let (mut first, mut second, id) = server.pair("nim:9,9").await;
    let mut crowd = Vec::new();
    for _ in 0..20 {
        crowd.push(server.guest("Wat").await);
    }
    let permits = Faulty::close(&store.gate);
    let asked = first
        .send(json!({"type":"move","match":id,"ply":1,"move":"A-1"}))
        .await;
    store.until_it_waits().await;
    // More than any queue of the match holds, while its log is being written.
    let requests = [
        json!({"type":"watch","match":id}),
        json!({"type":"resign","match":id}),
        json!({"type":"move","match":id,"ply":2,"move":"B-1"}),
        json!({"type":"rematch","match":id}),
        json!({"type":"record","match":id}),
        json!({"type":"leave","match":id}),
    ];
    for client in &mut crowd {
        for _ in 0..10 {
            for request in &requests {
                client.send(request.clone()).await;
            }
        }
        // A connection is served in order: all of it has reached the match.
        assert_eq!(client.ask(json!({"type":"ping"})).await["type"], "pong");
    }
    let next = second
        .send(json!({"type":"move","match":id,"ply":2,"move":"B-1"}))
        .await;
    assert_eq!(second.ask(json!({"type":"ping"})).await["type"], "pong");
    store.gate.add_permits(permits);
    assert_eq!(first.reply(asked).await["type"], "accepted");
    assert_eq!(second.reply(next).await["type"], "accepted");
    server.stop().await;
}
