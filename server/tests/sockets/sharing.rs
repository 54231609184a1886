//! Two servers over one store.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::common::faulty::Faulty;
use crate::common::{Plan, Server, in_time, until};
use crate::tournaments::cup;
use grundy_server::clock::ManualClock;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::{
    self, Commit, LOAD_PAGE, MatchRow, MatchStatus, NodeId, Store, StreamId,
};
use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq, TournamentId};
use grundy_shared::referee::{Command, Decision, Referee, Terms};
use grundy_shared::tournament::{Dated, TournamentEvent};
use serde_json::{Value, json};

const START: Millis = Millis(1_700_000_000_000);

async fn two() -> (Server, Server) {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let plan = |node| Plan {
        store: store.clone(),
        node: NodeId(node),
        ..Plan::default()
    };
    (plan(2).start().await, plan(3).start().await)
}

#[tokio::test]
async fn players_on_two_servers_play_a_match_and_its_rematch() {
    let (here, there) = two().await;
    let (mut ada, mut bea) = (here.guest("ada").await, there.guest("bea").await);
    let create =
        json!({"type":"create","position":"nim:3,5","side":"first","opponent":{"type":"invite"}});
    let created = ada.ask(create).await;
    let id = created["match"].as_str().expect("an id").to_owned();
    let join = json!({"type":"join","code":created["code"]});
    assert_eq!(bea.ask(join).await["type"], "joined");
    ada.event_of("joined").await;
    assert_eq!(ada.play(&id, 1, "A-3").await["type"], "accepted");
    assert_eq!(bea.event_of("moved").await["move"], "A-3");
    assert_eq!(bea.play(&id, 2, "B-5").await["type"], "accepted");
    assert_eq!(ada.event_of("ended").await["outcome"], "second");

    let rematch = json!({"type":"rematch","match":id});
    assert_eq!(ada.ask(rematch.clone()).await["type"], "rematch");
    bea.event_of("rematch_offered").await;
    let accepted = bea.ask(rematch).await;
    assert_eq!(
        ada.event_of("rematch_accepted").await["rematch"],
        accepted["rematch"]
    );
    let id = accepted["rematch"].as_str().expect("an id").to_owned();
    assert_eq!(bea.play(&id, 1, "A-3").await["type"], "accepted");
    let moved = |frame: &serde_json::Value| {
        frame["match"] == id.as_str() && frame["body"]["type"] == "moved"
    };
    ada.find("a move of the rematch", moved).await;
    assert_eq!(ada.play(&id, 2, "B-5").await["type"], "accepted");
}

#[tokio::test]
async fn servers_of_one_store_have_one_id_and_others_another() {
    let (here, there) = two().await;
    let (ada, bea) = (here.guest("Ada").await, there.guest("Bea").await);
    let (_, at_here) = here.again(&ada).await;
    let (_, at_there) = there.again(&bea).await;
    assert!(at_here["server_id"].is_string(), "{at_here}");
    assert_eq!(at_here["server_id"], at_there["server_id"]);
    let other = Server::start().await;
    let cyd = other.guest("Cyd").await;
    let (_, elsewhere) = other.again(&cyd).await;
    assert_ne!(elsewhere["server_id"], at_here["server_id"]);
}

#[tokio::test]
async fn a_player_finds_matches_of_another_server_in_the_obligations() {
    let (here, there) = two().await;
    let (mut ada, _bea, id) = here.pair("nim:3,5").await;
    assert_eq!(ada.play(&id, 1, "A-1").await["type"], "accepted");
    let (_again, welcome) = there.again(&ada).await;
    let duty = &welcome["obligations"][0];
    assert_eq!(
        (&duty["match"], &duty["to_move"], &duty["seq"]),
        (&json!(id), &json!(false), &json!(3))
    );
}

#[tokio::test]
async fn matches_of_a_dead_server_are_taken_over_and_its_writes_refused() {
    let store = Arc::new(MemoryStore::new());
    let dead = store.enlist(NodeId(2), START).await.expect("enlisted");
    let id = MatchId::from_random(1);
    let player = |n: u128| PlayerInfo {
        id: PlayerId::from_random(n),
        name: format!("p{n}"),
        bot: false,
    };
    let terms = Terms {
        position: "nim:3,5".to_owned(),
        clock: TimeControl::Fischer {
            base_ms: Millis(60_000),
            increment_ms: Millis(0),
        },
        rematch_of: None,
        series: None,
    };
    let (mut referee, mut events) =
        Referee::create(terms, player(1), Seat::First, START).expect("lawful terms");
    let join = Command::Join { player: player(2) };
    let Ok(Decision::Events(joined)) = referee.handle(START, &join) else {
        panic!("the seat is free");
    };
    events.extend(referee.accept(joined).expect("fresh"));
    let bodies = events.iter().map(|event| event.to_json().into()).collect();
    let begun = Commit::append(id, Seq(0), bodies).with_row(id, MatchRow::of(&referee, None));
    assert_eq!(store.commit(dead, vec![begun]).await, [Ok(())]);
    store.heartbeat(dead, START).await.expect("stored");

    let clock = Arc::new(ManualClock::at(START.plus(Millis(20_000))));
    let plan = Plan {
        store: store.clone(),
        clock: clock.clone(),
        node: NodeId(3),
        ..Plan::default()
    };
    let server = plan.start().await;
    // A server that has just come does not call others dead.
    clock.advance(Millis(1));
    let beaten = async {
        let newest = START.plus(Millis(20_001));
        while store::last_heartbeat(&*store, NodeId(3)).await.ok() != Some(Some(newest)) {
            tokio::task::yield_now().await;
        }
    };
    in_time("a heartbeat", beaten).await;
    assert_eq!(server.app.matches.open_matches(), 0);
    clock.advance(Millis(10_000));
    until("the match is taken over", || {
        server.app.matches.open_matches() == 1
    })
    .await;
    let fenced = async {
        let left = || Commit::append(id, Seq(3), Vec::new());
        while store.commit(dead, vec![left()]).await != [Err(store::CommitError::Fenced)] {
            tokio::task::yield_now().await;
        }
    };
    in_time("the end of its lease", fenced).await;
    let log = store
        .load(id.into(), Seq(2), 10)
        .await
        .expect("readable")
        .expect("there");
    assert!(log[0].text().contains(r#""type":"outage""#), "{log:?}");
    server.stop().await;
}

/// All events of a log.
async fn log(store: &dyn Store, stream: StreamId) -> Vec<Value> {
    let read = store.load(stream, Seq(0), LOAD_PAGE).await;
    let read = read.expect("readable").expect("there");
    let bodies = read
        .iter()
        .map(|logged| serde_json::from_str(logged.text()));
    bodies.collect::<Result<_, _>>().expect("JSON")
}

/// Ends the lease of a server, after it has stored the first of these: that a tournament is cancelled, its seed, and that it is over.
async fn die_while_cancelling(server: &Server, id: TournamentId, stored: usize) {
    let (store, node) = (&*server.store, server.app.lease.node);
    let lease = store.enlist(node, server.app.clock.now()).await;
    let lease = lease.expect("enlisted");
    let catalogue = log(store, StreamId::of_catalogue()).await;
    let seed = serde_json::from_value(catalogue[0]["seed"].clone()).expect("a seed");
    let reason = "rain".to_owned();
    let events = [
        TournamentEvent::Cancelled { reason },
        TournamentEvent::SeedOpened { seed },
    ];
    let own = StreamId::Tournament(id);
    let so_far = log(store, own).await;
    let at_ms = so_far.last().expect("an event")["at_ms"].clone();
    let at_ms = serde_json::from_value(at_ms).expect("a moment");
    let bodies = events.into_iter().take(stored);
    let bodies = bodies.map(|event| Dated { at_ms, event }.to_json().into());
    let mut commit = Commit::append(own, Seq(so_far.len() as u64), bodies.collect());
    if stored == 3 {
        let over = json!({"type":"over","tournament":id,"cancelled":true}).to_string();
        let expected = Seq(catalogue.len() as u64);
        commit = commit.and(StreamId::of_catalogue(), expected, vec![over.into()]);
    }
    assert_eq!(store.commit(lease, vec![commit]).await, [Ok(())]);
}

#[tokio::test]
async fn games_of_a_tournament_that_was_cancelled_when_its_server_died_end_where_they_are_taken_up()
{
    // The same server again, and another one that takes over.
    for (dead, heir) in [(NodeId::ONLY, NodeId::ONLY), (NodeId(2), NodeId(3))] {
        for stored in 1..=3 {
            let store = Faulty::new();
            store.shared.store(true, Ordering::SeqCst);
            let plan = |node| Plan {
                store: store.clone(),
                node,
                ..Plan::default()
            };
            let server = plan(dead).start().await;
            let (mut ada, mut bea) = (server.guest("ada").await, server.guest("bea").await);
            let created = ada.ask(cup(&json!({"type":"round_robin"}), 2)).await;
            let id = created["tournament"].clone();
            let watch = json!({"type":"watch_tournament","tournament":id});
            assert_eq!(ada.ask(watch).await["type"], "tournament");
            for client in [&mut ada, &mut bea] {
                let join = json!({"type":"join_tournament","tournament":id});
                assert_eq!(client.ask(join).await["type"], "tournament");
            }
            let begun = |frame: &Value| frame["body"]["type"] == "tournament_match";
            let game = ada.find("the game", begun).await;
            let game = game["body"]["match"].as_str().expect("an id");
            let game: MatchId = game.parse().expect("an id");
            let id = id.as_str().expect("an id").parse().expect("an id");
            die_while_cancelling(&server, id, stored).await;

            let heir = plan(heir).start().await;
            let over = async {
                let row = || async { store.row(game).await.expect("readable").expect("there") };
                while row().await.status != MatchStatus::Over {
                    tokio::task::yield_now().await;
                }
            };
            in_time("the end of the game", over).await;
            let events = log(&*store, game.into()).await;
            let ended = events.last().expect("an event");
            assert_eq!(ended["reason"], "cancelled", "{stored} stored: {ended}");
            heir.stop().await;
        }
    }
}
