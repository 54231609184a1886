//! A tournament waits for the result of each game: no game of it may be forgotten, whatever the store does.

mod common;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use common::Client;
use common::faulty::{Faulty, faulty};
use grundy_server::clock::ManualClock;
use grundy_server::store::Store;
use grundy_shared::ids::{MatchId, Millis, TournamentId};
use grundy_shared::tournament::match_of_game;
use serde_json::{Value, json};

const START: Millis = Millis(1_700_000_000_000);
/// How long a player may stay away from a game, in milliseconds.
const ABSENCE: u64 = 60_000;

/// A tournament for three with these built-in bots, which the organiser follows.
async fn tournament(organiser: &mut Client, bots: &[&str]) -> TournamentId {
    let created = organiser
        .ask(json!({
            "type": "create_tournament",
            "name": "Cup",
            "format": {"type": "round_robin"},
            "rules": {
                "games": 2,
                "clock": {"type": "fischer", "base_ms": 600_000, "increment_ms": 1_000},
                "starts": {"type": "list", "positions": ["nim:3,5,7"]},
                "start_ms": ABSENCE,
                "away_ms": ABSENCE,
            },
            "admission": {"most": 3},
            "bots": bots,
        }))
        .await;
    assert_eq!(created["type"], "tournament", "{created}");
    let id = created["tournament"].as_str().expect("an id");
    let watch = json!({"type":"watch_tournament","tournament":id});
    assert_eq!(organiser.ask(watch).await["type"], "tournament");
    id.parse().expect("an id")
}

async fn begin(organiser: &mut Client, id: TournamentId) {
    let begin = json!({"type":"control_tournament","tournament":id,"action":"start"});
    organiser.ask(begin).await;
}

/// The next event of this kind in the tournament's log.
async fn event_of(organiser: &mut Client, kind: &str) -> Value {
    let wanted = |frame: &Value| frame["tournament"].is_string() && frame["body"]["type"] == kind;
    organiser.find(kind, wanted).await["body"].clone()
}

fn first_match(id: TournamentId) -> MatchId {
    match_of_game(id, 1, 1, 1)
}

#[tokio::test]
async fn a_game_whose_log_cannot_be_read_for_a_moment_goes_on() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let mut organiser = server.guest("organiser").await;
    let id = tournament(&mut organiser, &["perfect", "random"]).await;
    // The first game is stored, but its maker does not know yet.
    let held = Faulty::close(&store.created);
    begin(&mut organiser, id).await;
    store.until_it_waits().await;
    // The store panics after the first move, and nobody follows the game that has to be read again then.
    store.busy.store(true, Ordering::SeqCst);
    store.panics.store(1, Ordering::SeqCst);
    store.created.add_permits(held);
    let is_refused = || store.refused.load(Ordering::SeqCst) > 0;
    common::until("a log that cannot be read", is_refused).await;
    store.busy.store(false, Ordering::SeqCst);
    for game in 1..=2 {
        let ended = event_of(&mut organiser, "game_ended").await;
        assert_eq!(
            (&ended["game"], &ended["reason"]),
            (&json!(game), &json!("last_move"))
        );
    }
    event_of(&mut organiser, "seed_opened").await;
    server.stop().await;
}

#[tokio::test]
async fn a_game_that_somebody_asked_for_before_it_was_stored_is_not_forgotten() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let mut organiser = server.guest("organiser").await;
    let id = tournament(&mut organiser, &["random"]).await;
    let join = json!({"type":"join_tournament","tournament":id});
    assert_eq!(organiser.ask(join).await["players"], 2);
    // Somebody asks for the match of the first game, and its log is found empty.
    let mut early = server.guest("early").await;
    let held = Faulty::close(&store.reads);
    early
        .send(json!({"type":"watch","match":first_match(id)}))
        .await;
    store.until_it_waits().await;
    begin(&mut organiser, id).await;
    organiser
        .find("the game", |frame| {
            frame["body"]["type"] == "tournament_match"
        })
        .await;
    let row = store.inner.row(first_match(id)).await;
    assert!(row.expect("readable").is_some(), "it is stored");
    // Only now the answer arrives that there is no such match.
    store.reads.add_permits(held);
    early.ask(json!({"type":"ping"})).await;
    clock.advance(Millis(ABSENCE + 1));
    let ended = event_of(&mut organiser, "game_ended").await;
    assert_eq!(ended["reason"], "no_show", "{ended}");
    server.stop().await;
}
