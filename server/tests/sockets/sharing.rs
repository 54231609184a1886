//! Two servers over one store.

use std::sync::Arc;

use crate::common::{Plan, Server, in_time, until};
use grundy_server::clock::ManualClock;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::{self, Commit, MatchRow, NodeId, Store};
use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::referee::{Command, Decision, Referee, Terms};
use serde_json::json;

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
