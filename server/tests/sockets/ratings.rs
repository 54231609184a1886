//! Rated pairs over the wire: what they make of ratings, what they refuse, and that nobody gets help while one runs.

use std::sync::Arc;

use crate::common::{Client, Plan, Server, until};
use crate::tournaments::cup;
use grundy_server::clock::ManualClock;
use grundy_server::fsck::{Problem, fsck};
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{NodeId, Store};
use grundy_shared::ids::Millis;
use grundy_shared::protocol::ClientMessage;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;

pub(crate) fn rated() -> Value {
    json!({
        "position": "nim:1,2",
        "clock": {"type":"fischer","base_ms":60_000,"increment_ms":0},
        "games": 2,
        "rated": true,
    })
}

/// The next event of this type in this match.
pub(crate) async fn event_in(client: &mut Client, id: &str, kind: &str) -> Value {
    let mut frame = client
        .find(&format!("{kind} in {id}"), |frame| {
            frame["match"] == id && frame["body"]["type"] == kind
        })
        .await;
    frame["body"].take()
}

pub(crate) async fn resign(client: &mut Client, id: &str) {
    let done = client.ask(json!({"type":"resign","match":id})).await;
    assert_eq!(done["type"], "done", "{done}");
}

/// The first player resigns the first game of a pair; the id of the second.
pub(crate) async fn lose_first_game(loser: &mut Client, id: &str) -> String {
    resign(loser, id).await;
    let ended = event_in(loser, id, "ended").await;
    ended["next"].as_str().expect("a second game").to_owned()
}

/// Plays a rated pair between new guests, which the first of them loses with both games.
pub(crate) async fn lost_pair(server: &Server) -> (Client, Client, String) {
    let (mut ada, bo, id) = server.pair_with(rated()).await;
    let next = lose_first_game(&mut ada, &id).await;
    resign(&mut ada, &next).await;
    event_in(&mut ada, &next, "ended").await;
    (ada, bo, next)
}

async fn ratings(client: &mut Client, player: &str) -> Value {
    client.ask(json!({"type":"ratings","player":player})).await
}

#[tokio::test]
async fn a_pair_changes_both_ratings_with_its_end() {
    let server = Server::start().await;
    let (mut ada, mut bo, id) = server.pair_with(rated()).await;
    let (ada_id, bo_id) = (ada.player.clone(), bo.player.clone());
    let next = lose_first_game(&mut ada, &id).await;
    assert_eq!(
        ratings(&mut bo, &ada_id).await["ratings"],
        json!([]),
        "one game changes nothing"
    );
    resign(&mut ada, &next).await;
    // The ratings come first, then the end.
    let mut order = Vec::new();
    while order.last() != Some(&"ended".to_owned()) {
        let told = bo
            .find("the end", |frame| {
                frame["body"]["type"] == "rated"
                    || (frame["match"] == next.as_str() && frame["body"]["type"] == "ended")
            })
            .await;
        if told["body"]["type"] == "rated" {
            let body = &told["body"];
            assert_eq!((&body["pair"], &body["match"]), (&json!(id), &json!(next)));
            assert_eq!(body["family"], "nim");
            // Bo moves first in the second game.
            assert_eq!(body["first"]["player"]["id"], bo_id.as_str());
            assert_eq!(
                (&body["first"]["score"], &body["second"]["score"]),
                (&json!("won"), &json!("lost"))
            );
            assert_eq!(
                (&body["first"]["rating"], &body["first"]["change"]),
                (&json!(1662), &json!(162))
            );
            assert_eq!(body["second"]["rating"], 1338);
            assert_eq!(body["second"]["provisional"], true);
        }
        order.push(told["body"]["type"].as_str().expect("a type").to_owned());
    }
    assert_eq!(order, ["rated", "ended"]);
    let shown = ratings(&mut ada, &bo_id).await;
    let info = &shown["ratings"][0];
    assert_eq!(
        (&info["family"], &info["rating"], &info["deviation"]),
        (&json!("nim"), &json!(1662), &json!(290))
    );
    assert_eq!(
        (&info["pairs"], &info["provisional"]),
        (&json!(1), &json!(true))
    );
    let history = ada
        .ask(json!({"type":"rating_history","family":"nim"}))
        .await;
    let entry = &history["pairs"][0];
    assert_eq!(
        (&entry["pair"], &entry["match"], &entry["change"]),
        (&json!(id), &json!(next), &json!(-162))
    );
    assert_eq!(entry["opponent"]["id"], bo_id.as_str());
    assert_eq!(entry["opponent_rating"], 1500);
    let board = json!({"type":"leaderboard","family":"nim","provisional":true});
    let board = ada.ask(board).await;
    let listed: Vec<&Value> = board["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|entry| &entry["player"]["id"])
        .collect();
    assert_eq!(listed, [&json!(bo_id), &json!(ada_id)]);
    // Nobody is settled yet, and no bot has played.
    for ask in [json!({}), json!({"bots":true,"provisional":true})] {
        let mut request = json!({"type":"leaderboard","family":"nim"});
        for (key, value) in ask.as_object().expect("fields") {
            request[key] = value.clone();
        }
        assert_eq!(ada.ask(request).await["entries"], json!([]));
    }
    server.stop().await;
}

#[tokio::test]
async fn whoever_has_lost_the_first_game_and_leaves_has_lost_the_pair() {
    let server = Server::start().await;
    let mut terms = rated();
    terms["clock"] = json!({"type":"fischer","base_ms":5_000,"increment_ms":0});
    let (mut ada, mut bo, id) = server.pair_with(terms).await;
    let next = lose_first_game(&mut ada, &id).await;
    drop(ada);
    assert_eq!(bo.play(&next, 1, "A-1").await["type"], "accepted");
    let ended = event_in(&mut bo, &next, "ended").await;
    assert_eq!(ended["reason"], "time", "{ended}");
    let bo_id = bo.player.clone();
    let shown = ratings(&mut bo, &bo_id).await;
    assert_eq!(shown["ratings"][0]["rating"], 1662, "{shown}");
    server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_rated_is_refused() {
    let server = Server::start().await;
    let mut ada = server.guest("Ada").await;
    let base = json!({"type":"create","position":"nim:1,2","rated":true,"games":2,
        "clock":{"type":"per_move","move_ms":60_000},"opponent":{"type":"invite"}});
    let with = |changes: Value| {
        let mut create = base.clone();
        for (key, value) in changes.as_object().expect("fields") {
            create[key] = value.clone();
        }
        create
    };
    for (changes, field) in [
        (json!({"games":1}), "games"),
        (json!({"games":4}), "games"),
        (json!({"clock":{"type":"untimed"}}), "clock"),
        (json!({"opponent":{"type":"bot","name":"random"}}), "rated"),
    ] {
        let refused = ada.ask(with(changes.clone())).await;
        assert_eq!(refused["code"], "out_of_range", "{changes}: {refused}");
        assert_eq!(refused["field"], field, "{refused}");
    }
    let seek = json!({"type":"seek","position":"nim:1,2","rated":true,"games":2});
    assert_eq!(ada.ask(seek).await["field"], "clock");
    for (request, field) in [
        (json!({"type":"rating_history","family":"nimm"}), "family"),
        (json!({"type":"leaderboard","family":"nimm"}), "family"),
        (
            json!({"type":"leaderboard","family":"nim","after":"7"}),
            "after",
        ),
        (
            json!({"type":"leaderboard","family":"nim","limit":201}),
            "limit",
        ),
        (
            json!({"type":"rating_history","family":"nim","limit":0}),
            "limit",
        ),
    ] {
        let refused = ada.ask(request.clone()).await;
        assert_eq!(refused["code"], "out_of_range", "{request}: {refused}");
        assert_eq!(refused["field"], field, "{refused}");
    }
    // The first player wins a single counter whatever is played.
    let forced = [
        with(json!({"position":"nim:1"})),
        json!({"type":"seek","position":"nim:1,1,1","rated":true,"games":2,"clock":base["clock"]}),
        json!({"type":"challenge","player":"Ada","position":"nim:1","rated":true,"games":2,"clock":base["clock"]}),
    ];
    for request in forced {
        let refused = ada.ask(request).await;
        assert_eq!(refused["code"], "bad_position", "{refused}");
        assert_eq!(refused["field"], "position", "{refused}");
    }
    let casual = ada
        .ask(with(json!({"position":"nim:1","rated":false})))
        .await;
    assert_eq!(casual["type"], "created", "{casual}");
    let nobody = json!({"type":"ratings","player":"0190a5c4-9f6b-4d2a-8a4e-2f6d1c0b9e77"});
    assert_eq!(ada.ask(nobody).await["code"], "no_such_player");
    server.stop().await;
}

#[tokio::test]
async fn history_and_leaderboard_are_read_by_pages() {
    let server = Server::start().await;
    let mut ada = server.guest("Ada").await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        let mut create = json!({"type":"create","side":"first","opponent":{"type":"invite"}});
        for (key, value) in rated().as_object().expect("fields") {
            create[key] = value.clone();
        }
        let created = ada.ask(create).await;
        let id = created["match"].as_str().expect("an id").to_owned();
        let mut other = server.guest("other").await;
        let join = json!({"type":"join","code":created["code"]});
        assert_eq!(other.ask(join).await["type"], "joined");
        let next = lose_first_game(&mut ada, &id).await;
        resign(&mut other, &next).await;
        event_in(&mut ada, &next, "ended").await;
        ids.insert(0, json!(id));
    }
    for limit in [1, 2, 5, 200] {
        let (mut pairs, mut before) = (Vec::new(), Value::Null);
        loop {
            let mut ask = json!({"type":"rating_history","family":"nim","limit":limit});
            if !before.is_null() {
                ask["before"] = before.clone();
            }
            let page = ada.ask(ask).await;
            let entries = page["pairs"].as_array().expect("pairs");
            assert!(entries.len() <= limit);
            pairs.extend(entries.iter().map(|entry| entry["pair"].clone()));
            before = page["next"].clone();
            if before.is_null() {
                break;
            }
        }
        assert_eq!(pairs, ids, "{limit}");
        let (mut players, mut after) = (0, Value::Null);
        loop {
            let mut ask =
                json!({"type":"leaderboard","family":"nim","provisional":true,"limit":limit});
            if !after.is_null() {
                ask["after"] = after.clone();
            }
            let page = ada.ask(ask).await;
            players += page["entries"].as_array().expect("entries").len();
            after = page["next"].clone();
            if after.is_null() {
                break;
            }
        }
        assert_eq!(players, 6);
    }
    server.stop().await;
}

#[tokio::test]
async fn two_servers_of_one_store_rate_each_pair_once() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let plan = |node| Plan {
        store: store.clone(),
        node: NodeId(node),
        ..Plan::default()
    };
    let servers = [plan(2).start().await, plan(3).start().await];
    // One player, at both servers, ends a pair against another guest on each of them at the same time, again and again.
    let ada = servers[0].guest("Ada").await;
    let (mut here, _) = servers[0].again(&ada).await;
    let (mut there, _) = servers[1].again(&ada).await;
    for round in 0..10u64 {
        let mut last = Vec::new();
        for (server, me) in servers.iter().zip([&mut here, &mut there]) {
            let mut create = json!({"type":"create","side":"first","opponent":{"type":"invite"}});
            for (key, value) in rated().as_object().expect("fields") {
                create[key] = value.clone();
            }
            let created = me.ask(create).await;
            let id = created["match"].as_str().expect("an id").to_owned();
            let mut other = server.guest("other").await;
            let join = json!({"type":"join","code":created["code"]});
            assert_eq!(other.ask(join).await["type"], "joined");
            last.push((lose_first_game(me, &id).await, other));
        }
        let (one, two) = (last[0].0.clone(), last[1].0.clone());
        tokio::join!(resign(&mut here, &one), resign(&mut there, &two));
        event_in(&mut here, &one, "ended").await;
        event_in(&mut there, &two, "ended").await;
        let shown = ratings(&mut here, &ada.player).await;
        assert_eq!(shown["ratings"][0]["pairs"], 2 * (round + 1), "{shown}");
    }
    for server in servers {
        server.stop().await;
    }
}

/// What a request has to do with the solver.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Help {
    /// Its answer is what the solver finds, or leads to moves of a built-in bot.
    Gives,
    /// Nothing.
    None,
}

/// Every request: whoever adds one has to say here what it has to do with the solver.
fn help_of(kind: &str) -> Help {
    match kind {
        // `create`, `move`, `plan`, `propose` and `continue` against built-in bots, `rematch` of a match against one, `list` by mistakes, tournaments with
        // built-in bots, and a seat in a game against one of those.
        "solve" | "explain" | "review" | "claim" | "create" | "move" | "plan" | "propose"
        | "continue" | "rematch" | "resume" | "list" | "puzzle" | "solve_puzzle"
        | "create_tournament" | "join_tournament" | "control_tournament" | "watch_tournament" => {
            Help::Gives
        }
        "hello"
        | "login"
        | "recover"
        | "logout"
        | "set_password"
        | "new_recovery_codes"
        | "tokens"
        | "create_token"
        | "rotate_token"
        | "revoke_token"
        | "sign_out_player"
        | "help_player"
        | "rename"
        | "ping"
        | "join"
        | "resign"
        | "abort"
        | "answer"
        | "withdraw_proposal"
        | "withdraw"
        | "decline_rematch"
        | "watch"
        | "leave"
        | "say"
        | "chat"
        | "mute"
        | "unmute"
        | "muted"
        | "record"
        | "moves"
        | "follow_account"
        | "leave_account"
        | "cancel"
        | "challenge"
        | "accept"
        | "decline"
        | "withdraw_challenge"
        | "offer"
        | "offers"
        | "seek"
        | "seeks"
        | "take"
        | "withdraw_seek"
        | "ratings"
        | "rating_history"
        | "leaderboard"
        | "withdraw_from_tournament"
        | "show_tournament"
        | "unwatch_tournament"
        | "list_tournaments"
        | "tournament_log"
        | "bye" => Help::None,
        other => panic!("what has {other} to do with the solver?"),
    }
}

#[tokio::test]
async fn in_a_rated_match_no_request_gives_what_the_solver_finds() {
    let clock = Arc::new(ManualClock::at(Millis(1_700_000_000_000)));
    let server = Plan {
        clock: clock.clone(),
        ..Plan::default()
    }
    .start()
    .await;
    // A match whose other player stays away, one that is over, and two against a built-in bot: one goes on, one is over.
    let (stays_away, mut ada, away) = server.pair("nim:3,4").await;
    drop(stays_away);
    let over = {
        let create = json!({"type":"create","position":"nim:2","opponent":{"type":"invite"}});
        let created = ada.ask(create).await;
        let mut other = server.guest("other").await;
        let join = json!({"type":"join","code":created["code"]});
        other.ask(join).await;
        let id = created["match"].as_str().expect("an id").to_owned();
        resign(&mut ada, &id).await;
        id
    };
    let against_bot = |position: &str| {
        json!({"type":"create","position":position,"side":"first",
            "opponent":{"type":"bot","name":"perfect"}})
    };
    let goes_on = ada.ask(against_bot("nim:5,6")).await;
    let ended = ada.ask(against_bot("nim:2")).await;
    let (goes_on, ended) = (goes_on["match"].clone(), ended["match"].clone());
    // A match that is over, and that nobody follows any more.
    let forgotten = ada.ask(against_bot("nim:2")).await["match"].clone();
    let forgotten_id = forgotten.as_str().expect("an id").to_owned();
    ada.play(&forgotten_id, 1, "A-2").await;
    event_in(&mut ada, &forgotten_id, "ended").await;
    ada.ask(json!({"type":"leave","match":forgotten})).await;
    let id = forgotten_id.parse().expect("an id");
    until("the match is forgotten", || {
        server.app.matches.get(id).is_none()
    })
    .await;
    let done = ada.play(ended.as_str().expect("an id"), 1, "A-2").await;
    assert_eq!(done["type"], "accepted", "{done}");
    event_in(&mut ada, ended.as_str().expect("an id"), "ended").await;
    // Asked until the absence is noted.
    let claim = json!({"type":"claim","match":away,"claim":"win"});
    while ada.ask(claim.clone()).await["retry_after_ms"].is_null() {
        clock.advance(Millis(1_000));
    }
    clock.advance(Millis(20 * 60_000));

    // A tournament that waits for its start, in which a built-in bot plays, and one whose first game waits for the player.
    let mut bots_cup = cup(&json!({"type":"round_robin"}), 2);
    bots_cup["bots"] = json!(["perfect"]);
    let waits = ada.ask(bots_cup.clone()).await["tournament"].clone();
    let runs = ada.ask(bots_cup.clone()).await["tournament"].clone();
    let watch = json!({"type":"watch_tournament","tournament":runs});
    assert_eq!(ada.ask(watch).await["type"], "tournament");
    let join = json!({"type":"join_tournament","tournament":runs});
    assert_eq!(ada.ask(join).await["type"], "tournament");
    let game = ada
        .find("the game", |frame| {
            frame["body"]["type"] == "tournament_match"
        })
        .await;
    let game = game["body"]["match"].clone();

    let mut asks = vec![
        json!({"type":"solve","position":"nim:3,5,7"}),
        json!({"type":"explain","position":"nim:3,5,7"}),
        json!({"type":"review","match":over}),
        claim,
        against_bot("nim:1,2"),
        json!({"type":"move","match":goes_on,"ply":1,"move":"B-1"}),
        json!({"type":"continue","match":goes_on}),
        json!({"type":"rematch","match":ended}),
        json!({"type":"puzzle"}),
        json!({"type":"solve_puzzle","puzzle":"4d4acdb8a1eb022f96a5310be5a755c5","move":null}),
        bots_cup,
        json!({"type":"join_tournament","tournament":waits}),
        json!({"type":"control_tournament","tournament":waits,"action":"start"}),
        json!({"type":"watch_tournament","tournament":waits,"play":true}),
        json!({"type":"resume","match":game}),
        json!({"type":"list","mine":true,"only":{"min_mistakes":1}}),
        json!({"type":"propose","match":goes_on,"proposal":"resume"}),
        json!({"type":"plan","match":goes_on,"ply":1,"lines":[["A-1","B-1"]]}),
    ];
    let mut kinds: Vec<&str> = asks.iter().filter_map(|ask| ask["type"].as_str()).collect();
    let mut gives: Vec<&str> = ClientMessage::KINDS.to_vec();
    gives.retain(|kind| help_of(kind) == Help::Gives);
    kinds.sort_unstable();
    gives.sort_unstable();
    assert_eq!(kinds, gives, "each is asked");
    asks.push(json!({"type":"rematch","match":forgotten}));

    // A rated pair with days for each move.
    let mut create = rated();
    create["type"] = json!("create");
    create["side"] = json!("first");
    create["opponent"] = json!({"type":"invite"});
    create["clock"] = json!({"type":"per_move","move_ms":14 * 86_400_000u64});
    let created = ada.ask(create).await;
    let pair = created["match"].as_str().expect("an id").to_owned();
    // While nobody has joined, nothing runs.
    assert_eq!(ada.ask(asks[0].clone()).await["type"], "solved");
    let mut bo = server.guest("Bo").await;
    let join = json!({"type":"join","code":created["code"]});
    assert_eq!(bo.ask(join).await["type"], "joined");
    for ask in &asks {
        let refused = ada.ask(ask.clone()).await;
        assert_eq!(refused["code"], "rated_match", "{ask}: {refused}");
    }
    assert_eq!(bo.ask(asks[0].clone()).await["code"], "rated_match");
    // Whoever plays none is not concerned, and no move of the rated match is.
    let mut eve = server.guest("Eve").await;
    assert_eq!(eve.ask(asks[0].clone()).await["type"], "solved");
    assert_eq!(ada.play(&pair, 1, "B-1").await["type"], "accepted");
    // Nor are requests that give no help: ending a match or tournament that has begun, and a tournament of people.
    for ask in [
        json!({"type":"resume","match":goes_on}),
        json!({"type":"watch_tournament","tournament":waits}),
        json!({"type":"control_tournament","tournament":waits,"action":"pause"}),
        cup(&json!({"type":"round_robin"}), 2),
    ] {
        let answer = ada.ask(ask.clone()).await;
        assert_ne!(answer["type"], "error", "{ask}: {answer}");
    }
    // Between the games, too, and of the first game nothing is shown.
    let next = lose_first_game(&mut ada, &pair).await;
    let review = json!({"type":"review","match":pair});
    assert_eq!(ada.ask(review.clone()).await["code"], "rated_match");
    assert_eq!(ada.ask(asks[0].clone()).await["code"], "rated_match");
    resign(&mut ada, &next).await;
    event_in(&mut ada, &next, "ended").await;
    assert_eq!(ada.ask(review).await["type"], "reviewed");
    for ask in &asks {
        let answer = ada.ask(ask.clone()).await;
        assert_ne!(answer["code"], "rated_match", "{ask}: {answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_rematch_of_a_rated_pair_is_another_one() {
    let server = Server::start().await;
    let (mut ada, mut bo, last) = lost_pair(&server).await;
    let rematch = json!({"type":"rematch","match":last});
    ada.ask(rematch.clone()).await;
    let accepted = bo.ask(rematch).await;
    let id = accepted["rematch"].as_str().expect("an id").to_owned();
    let created = event_in(&mut ada, &id, "created").await;
    let series = &created["series"];
    assert_eq!(
        (&series["id"], &series["game"], &series["rated"]),
        (&json!(id), &json!(1), &json!(true)),
        "{created}"
    );
    assert_eq!(created["rematch_of"], last.as_str());
    event_in(&mut ada, &id, "joined").await;
    let next = lose_first_game(&mut ada, &id).await;
    resign(&mut ada, &next).await;
    let me = ada.player.clone();
    assert_eq!(ratings(&mut bo, &me).await["ratings"][0]["pairs"], 2);
    server.stop().await;
}

#[tokio::test]
async fn the_first_game_is_reviewed_when_both_are_over() {
    let server = Server::start().await;
    let (mut ada, _bo, id) = server.pair_with(rated()).await;
    let next = lose_first_game(&mut ada, &id).await;
    // The server cannot know whether this is another identity of the same person.
    let mut third = server.guest("Cleo").await;
    let review = json!({"type":"review","match":id});
    let refused = third.ask(review.clone()).await;
    assert_eq!(refused["code"], "not_over", "{refused}");
    resign(&mut ada, &next).await;
    event_in(&mut ada, &next, "ended").await;
    for id in [&id, &next] {
        let review = json!({"type":"review","match":id});
        assert_eq!(third.ask(review).await["type"], "reviewed");
    }
    server.stop().await;
}

/// A database in which a rated pair was played, closed.
async fn database() -> TempDir {
    let directory = TempDir::new().expect("a directory");
    let store = SqliteStore::open(&directory.path().join("grundy.db")).await;
    let store: Arc<dyn Store> = Arc::new(store.expect("a database"));
    let plan = Plan {
        store: store.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    lost_pair(&server).await;
    lost_pair(&server).await;
    server.stop().await;
    store.close().await;
    directory
}

#[tokio::test]
async fn fsck_computes_every_rating_again() {
    let directory = database().await;
    let path = directory.path().join("grundy.db");
    let report = fsck(&path).await.expect("it can be read");
    assert!(report.is_sound(), "{report}");
    assert_eq!(report.streams, 4, "two logs for each pair");
    for (change, problem) in [
        (
            "UPDATE rating SET rating = rating + 1 WHERE rating > 150000",
            "the summary says rating",
        ),
        (
            "UPDATE rating SET settled_until = 7",
            "the summary says rating",
        ),
        (
            "DELETE FROM rating WHERE rating > 150000",
            "its summary is gone",
        ),
        ("UPDATE rating SET bot = 1", "table rating refers"),
        ("UPDATE rating SET family = 'nimm'", "cannot be read"),
        (
            "UPDATE rating SET family = 'kayles' WHERE rating > 150000",
            "its log is gone",
        ),
    ] {
        let directory = database().await;
        let path = directory.path().join("grundy.db");
        let mut connection = SqliteConnectOptions::new()
            .filename(&path)
            .connect()
            .await
            .expect("a database");
        sqlx::raw_sql(AssertSqlSafe(change.to_owned()))
            .execute(&mut connection)
            .await
            .expect("it is changed");
        connection.close().await.expect("closed");
        let report = fsck(&path).await.expect("it can be read");
        let found = report.to_string();
        assert!(found.contains(problem), "{change}: {found}");
    }
}

#[tokio::test]
async fn fsck_misses_a_pair_that_is_in_no_log() {
    // The match without the ratings, as a server that forgot them would have stored it.
    let directory = database().await;
    let path = directory.path().join("grundy.db");
    let mut connection = SqliteConnectOptions::new()
        .filename(&path)
        .foreign_keys(false)
        .connect()
        .await
        .expect("a database");
    // What is settled is in segments, the rest in the journal: here only the streams' kinds are changed, so that fsck takes these logs
    // for those of accounts.
    let forget =
        "DELETE FROM rating; UPDATE stream SET kind = 2, id = substr(id, 1, 16) WHERE kind = 3";
    sqlx::raw_sql(forget)
        .execute(&mut connection)
        .await
        .expect("it is changed");
    connection.close().await.expect("closed");
    let report = fsck(&path).await.expect("it can be read");
    let missing = report
        .findings
        .iter()
        .filter(|finding| matches!(finding.problem, Problem::NotRated { .. }));
    assert_eq!(missing.count(), 4, "{report}");
}

#[tokio::test]
async fn ratings_survive_a_restart() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("grundy.db");
    let mut shown = Vec::new();
    let mut player = None;
    for life in 0..2 {
        let store = SqliteStore::open(&path).await.expect("a database");
        let store: Arc<dyn Store> = Arc::new(store);
        let plan = Plan {
            store: store.clone(),
            ..Plan::default()
        };
        let server = plan.start().await;
        if life == 0 {
            let (_, bo, _) = lost_pair(&server).await;
            player = Some(bo);
        }
        let (mut bo, _) = server.again(player.as_ref().expect("Bo")).await;
        let me = bo.player.clone();
        let reply = ratings(&mut bo, &me).await;
        shown.push(reply["ratings"][0]["rating"].clone());
        server.stop().await;
        store.close().await;
    }
    assert_eq!(shown, [json!(1662), json!(1662)]);
}

#[test]
fn one_place_asks_the_store_whether_a_player_may_be_helped() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut left = vec![source.clone()];
    let mut asking = Vec::new();
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                left.push(path);
            } else if std::fs::read_to_string(&path).is_ok_and(|text| text.contains("plays_rated"))
            {
                let name = path.strip_prefix(&source).expect("below it").to_owned();
                asking.extend((!name.starts_with("store")).then_some(name));
            }
        }
    }
    assert_eq!(asking, [std::path::PathBuf::from("help.rs")]);
}
