//! Series over the wire: the next game begins with the end of the one before.

use std::sync::Arc;

use crate::common::{Client, Plan, Server};
use grundy_server::store::sqlite::SqliteStore;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};

fn blitz(games: u32) -> Value {
    json!({
        "position": "nim:1,2",
        "clock": {"type":"fischer","base_ms":60_000,"increment_ms":0},
        "games": games,
    })
}

/// The next event of this type in this match.
async fn event_in(client: &mut Client, id: &str, kind: &str) -> Value {
    let mut frame = client
        .find(&format!("{kind} in {id}"), |frame| {
            frame["match"] == id && frame["body"]["type"] == kind
        })
        .await;
    frame["body"].take()
}

async fn resign(client: &mut Client, id: &str) {
    let done = client.ask(json!({"type":"resign","match":id})).await;
    assert_eq!(done["type"], "done", "{done}");
}

/// The own matches, the oldest first.
async fn listed(client: &mut Client) -> Vec<Value> {
    let mut reply = client
        .ask(json!({"type":"list","mine":true,"limit":200}))
        .await;
    let Value::Array(mut matches) = reply["matches"].take() else {
        panic!("{reply}");
    };
    matches.reverse();
    matches
}

#[tokio::test]
async fn a_series_is_played_with_sides_swapped_and_its_score_kept() {
    let server = Server::start().await;
    let (mut ada, mut bo, first) = server.pair_with(blitz(4)).await;
    let mut id = first.clone();
    // Ada wins the first two games, Bo the third, Ada the fourth.
    for (game, loser) in [(1, 1), (2, 1), (3, 0), (4, 1)] {
        let created = match game {
            1 => server_created(&mut ada, &id).await,
            _ => event_in(&mut ada, &id, "created").await,
        };
        let series = &created["series"];
        assert_eq!(
            (&series["id"], &series["game"]),
            (&json!(first), &json!(game))
        );
        assert_eq!((&series["games"], &series["draws"]), (&json!(4), &json!(0)));
        let first_is_ada = game % 2 == 1;
        let won = [(game - 1).min(2), u32::from(game == 4)];
        let score = match first_is_ada {
            true => won,
            false => [won[1], won[0]],
        };
        assert_eq!(series["first_wins"], score[0], "{created}");
        assert_eq!(series["second_wins"], score[1], "{created}");
        if game > 1 {
            let joined = event_in(&mut bo, &id, "joined").await;
            let second = if first_is_ada { &bo } else { &ada };
            assert_eq!(joined["player"]["id"], second.player.as_str());
            assert_eq!(created["held"], true);
        }
        resign([&mut ada, &mut bo][loser], &id).await;
        let ended = event_in(&mut ada, &id, "ended").await;
        assert_eq!(ended["next"].is_string(), game < 4, "{ended}");
        if let Some(next) = ended["next"].as_str() {
            id = next.to_owned();
        }
    }
    let matches = listed(&mut bo).await;
    let games: Vec<_> = matches
        .iter()
        .map(|listed| listed["series"]["game"].clone())
        .collect();
    assert_eq!(games, [1, 2, 3, 4]);
    assert!(matches.iter().all(|listed| listed["status"] == "over"));
    server.stop().await;
}

/// Event 1 of a match that was heard before, from its record.
async fn server_created(client: &mut Client, id: &str) -> Value {
    let record = client.ask(json!({"type":"record","match":id})).await;
    record["events"][0]["body"].clone()
}

#[tokio::test]
async fn the_next_game_takes_the_place_of_the_one_before() {
    let server = Plan::with(|config| {
        config.limits.matches_per_player = 1;
        config.limits.live_matches = 1;
        config.limits.matches_per_address = 1;
    })
    .start()
    .await;
    let (mut ada, mut bo, id) = server.pair_with(blitz(2)).await;
    resign(&mut bo, &id).await;
    let ended = event_in(&mut ada, &id, "ended").await;
    let next = ended["next"].as_str().expect("a second game").to_owned();
    event_in(&mut ada, &next, "joined").await;
    // There is room for no other match: not for her, not on the server, not from here.
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    assert_eq!(ada.ask(create.clone()).await["type"], "error");
    resign(&mut ada, &next).await;
    let ended = event_in(&mut ada, &next, "ended").await;
    assert_eq!(ended["next"], Value::Null);
    // And when the series is over, there is room again.
    assert_eq!(ada.ask(create).await["type"], "created");
    server.stop().await;
}

#[tokio::test]
async fn a_series_that_somebody_leaves_ends() {
    // Called off.
    let server = Server::start().await;
    let (mut ada, mut bo, id) = server.pair_with(blitz(10)).await;
    for player in [&mut bo, &mut ada] {
        let done = player.ask(json!({"type":"abort","match":id})).await;
        assert_eq!(done["type"], "done");
    }
    let ended = event_in(&mut ada, &id, "ended").await;
    assert_eq!(
        (&ended["reason"], &ended["next"]),
        (&json!("aborted"), &Value::Null)
    );
    assert_eq!(listed(&mut ada).await.len(), 1);
    // A player does not come to the first game.
    let mut quick = blitz(10);
    quick["clock"]["base_ms"] = json!(4_000);
    let (mut ada, bo, id) = server.pair_with(quick).await;
    drop(bo);
    assert_eq!(ada.play(&id, 1, "B-1").await["type"], "accepted");
    let ended = event_in(&mut ada, &id, "ended").await;
    assert_eq!(
        (&ended["reason"], &ended["next"]),
        (&json!("no_start"), &Value::Null)
    );
    server.stop().await;
    // And where there is no clock, nobody comes for long.
    let server = Plan::with(|config| {
        config.times.away_ms = Millis(10);
        config.times.abandoned_ms = Millis(50);
    })
    .start()
    .await;
    let (ada, bo, id) = server
        .pair_with(json!({"position":"nim:1,2","games":2}))
        .await;
    let mut eve = server.guest("Eve").await;
    let attached = eve.ask(json!({"type":"watch","match":id})).await;
    assert_eq!(attached["snapshot"]["series"]["games"], 2, "{attached}");
    drop((ada, bo));
    let ended = event_in(&mut eve, &id, "ended").await;
    assert_eq!(
        (&ended["reason"], &ended["next"]),
        (&json!("expired"), &Value::Null)
    );
    server.stop().await;
}

#[tokio::test]
async fn a_number_of_games_that_is_no_series_is_refused() {
    let server = Server::start().await;
    let mut ada = server.guest("Ada").await;
    for games in [json!(0), json!(3), json!(1001), json!(1002)] {
        let create =
            json!({"type":"create","position":"nim:3","games":games,"opponent":{"type":"invite"}});
        let refused = ada.ask(create).await;
        assert_eq!(
            (&refused["code"], &refused["field"]),
            (&json!("out_of_range"), &json!("games"))
        );
        assert_eq!(refused["limit"], "1000");
    }
    for games in [json!(-2), json!(2.5), json!("2"), json!(null)] {
        let create =
            json!({"type":"create","position":"nim:3","games":games,"opponent":{"type":"invite"}});
        let refused = ada.ask(create).await;
        assert_eq!(
            (&refused["type"], &refused["field"]),
            (&json!("error"), &json!("games")),
            "{refused}"
        );
    }
    assert_eq!(listed(&mut ada).await.len(), 0);
    server.stop().await;
}

#[tokio::test]
async fn a_built_in_bot_plays_every_game_of_a_series() {
    let server = Server::start().await;
    let mut ada = server.guest("Ada").await;
    let create = json!({
        "type":"create","position":"nim:1","games":4,"side":"first",
        "opponent":{"type":"bot","name":"perfect"},
    });
    let created = ada.ask(create).await;
    let mut id = created["match"].as_str().expect("a match").to_owned();
    // Whoever moves first takes the last object: Ada in games 1 and 3, the bot in games 2 and 4, by itself.
    for game in 1..=4 {
        if game % 2 == 1 {
            assert_eq!(ada.play(&id, 1, "A-1").await["type"], "accepted");
        }
        let ended = event_in(&mut ada, &id, "ended").await;
        assert_eq!(ended["outcome"], "first");
        assert_eq!(ended["next"].is_string(), game < 4);
        if let Some(next) = ended["next"].as_str() {
            id = next.to_owned();
        }
    }
    let last = listed(&mut ada).await.pop().expect("four matches");
    assert_eq!(last["series"]["first_wins"], 1, "{last}");
    assert_eq!(last["series"]["second_wins"], 2, "{last}");
    server.stop().await;
}

#[tokio::test]
async fn players_who_are_not_there_hear_of_the_next_game_and_watchers_find_it() {
    let server = Server::start().await;
    let (mut ada, mut bo, id) = server.pair_with(blitz(2)).await;
    let mut eve = server.guest("Eve").await;
    eve.ask(json!({"type":"watch","match":id})).await;
    // Bo follows the account on a connection that does not follow the match.
    let (mut elsewhere, _) = server.again(&bo).await;
    elsewhere.ask(json!({"type":"follow_account"})).await;
    bo.ask(json!({"type":"leave","match":id})).await;
    resign(&mut ada, &id).await;
    let ended = event_in(&mut eve, &id, "ended").await;
    let next = ended["next"].as_str().expect("a second game").to_owned();
    let attached = eve.ask(json!({"type":"watch","match":next})).await;
    assert_eq!(attached["type"], "attached", "{attached}");
    let began = elsewhere
        .find("the second game", |frame| {
            frame["body"]["type"] == "match_began" && frame["body"]["match"] == next.as_str()
        })
        .await;
    assert_eq!(began["body"]["series"]["game"], 2, "{began}");
    let attached = elsewhere.ask(json!({"type":"resume","match":next})).await;
    assert_eq!(
        (&attached["type"], &attached["seat"]),
        (&json!("attached"), &json!("first"))
    );
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_can_be_to_a_series() {
    let server = Server::start().await;
    let (mut ada, mut bo) = (server.guest("Ada").await, server.guest("Bo").await);
    for client in [&mut ada, &mut bo] {
        client.ask(json!({"type":"follow_account"})).await;
    }
    let mut challenge = json!({"type":"challenge","player":"Bo","position":"nim:1,2","games":3});
    let refused = ada.ask(challenge.clone()).await;
    assert_eq!(
        (&refused["code"], &refused["field"]),
        (&json!("out_of_range"), &json!("games"))
    );
    challenge["games"] = json!(2);
    let challenged = ada.ask(challenge).await;
    assert_eq!(challenged["challenge"]["games"], 2, "{challenged}");
    let id = challenged["challenge"]["challenge"].clone();
    let joined = bo.ask(json!({"type":"accept","challenge":id})).await;
    let id = joined["match"].as_str().expect("a match").to_owned();
    resign(&mut bo, &id).await;
    let ended = event_in(&mut bo, &id, "ended").await;
    assert!(ended["next"].is_string(), "{ended}");
    server.stop().await;
}

#[tokio::test]
async fn only_the_last_game_of_a_series_has_a_rematch() {
    let server = Server::start().await;
    let (mut ada, mut bo, id) = server.pair_with(blitz(2)).await;
    resign(&mut bo, &id).await;
    let ended = event_in(&mut ada, &id, "ended").await;
    let next = ended["next"].as_str().expect("a second game").to_owned();
    let refused = ada.ask(json!({"type":"rematch","match":id})).await;
    assert_eq!(refused["code"], "in_series", "{refused}");
    let words = refused["message"].as_str().expect("words");
    assert!(words.contains(&next), "{words}");
    resign(&mut bo, &next).await;
    event_in(&mut ada, &next, "ended").await;
    let offered = ada.ask(json!({"type":"rematch","match":next})).await;
    assert_eq!(offered["type"], "rematch", "{offered}");
    let accepted = bo.ask(json!({"type":"rematch","match":next})).await;
    assert_eq!(accepted["type"], "rematch", "{accepted}");
    server.stop().await;
}

#[tokio::test]
async fn after_a_restart_the_next_game_counts_for_the_same_address() {
    let directory = tempfile::tempdir().expect("a directory");
    let on_disk = async || {
        let path = directory.path().join("grundy.db");
        let store = SqliteStore::open(&path).await.expect("a database");
        let plan = Plan::with(|config| config.limits.matches_per_address = 1);
        let store = Arc::new(store);
        Plan { store, ..plan }.start().await
    };
    let server = on_disk().await;
    let (ada, bo, id) = server.pair_with(blitz(4)).await;
    server.stop().await;
    let server = on_disk().await;
    let (mut ada, _) = server.again(&ada).await;
    let (mut bo, _) = server.again(&bo).await;
    ada.ask(json!({"type":"resume","match":id})).await;
    bo.ask(json!({"type":"resume","match":id})).await;
    resign(&mut bo, &id).await;
    let ended = event_in(&mut ada, &id, "ended").await;
    let next = ended["next"].as_str().expect("a second game").to_owned();
    event_in(&mut ada, &next, "joined").await;
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    let refused = ada.ask(create).await;
    assert_eq!(refused["code"], "too_many", "{refused}");
    server.stop().await;
}
