//! What bots need of the server: legal moves on request, limits of their own, and the history of two players.

use std::collections::{HashMap, HashSet};

use crate::common::{Client, PATIENCE, Plan, Server};
use grundy_server::config::Config;
use grundy_shared::Position;
use grundy_shared::ids::Seat;
use serde_json::{Value, json};

/// A new guest that says it is a bot, and its welcome.
async fn bot(server: &Server, name: &str) -> (Client, Value) {
    let mut client = server.connect().await;
    let welcome = client
        .introduce(json!({"type":"hello","protocol":1,"name":name,"bot":true}))
        .await;
    assert_eq!(welcome["type"], "welcome", "{welcome}");
    client.player = welcome["player"]["id"].as_str().expect("an id").to_owned();
    client.token = welcome["token"].as_str().expect("a token").to_owned();
    (client, welcome)
}

/// The limits that a server has when nobody sets any.
fn limits_as_they_are(config: &mut Config) {
    let defaults = Config::default().limits;
    config.limits.burst = defaults.burst;
    config.limits.requests_per_second = defaults.requests_per_second;
}

async fn all_moves(client: &mut Client, mut ask: Value) -> (Vec<String>, Value) {
    let mut all = Vec::new();
    loop {
        let page = client.ask(ask.clone()).await;
        assert_eq!(page["type"], "moves", "{page}");
        let moves = page["moves"].as_array().expect("a list").iter();
        all.extend(moves.map(|mv| mv.as_str().expect("a move").to_owned()));
        match page["next"].as_u64() {
            Some(next) => ask["from"] = next.into(),
            None => return (all, page),
        }
    }
}

#[tokio::test]
async fn moves_of_positions_come_in_pages_and_hold_every_move_once() {
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    for (text, side) in [
        ("nim:3,5", None),
        ("kayles:9+nim:4@selective", None),
        ("hack:0b1,0r2", Some("second")),
        ("nim:0", None),
    ] {
        let mut ask = json!({"type":"moves","position":text,"limit":3});
        let mut seat = Seat::First;
        if let Some(side) = side {
            ask["to_move"] = side.into();
            seat = Seat::Second;
        }
        let (listed, last) = all_moves(&mut client, ask).await;
        let position = Position::parse(text).expect(text);
        let expected: Vec<_> = position.moves(seat).map(|mv| mv.to_string()).collect();
        assert_eq!(listed, expected, "{text}");
        assert_eq!(last["total"], expected.len(), "{last}");
        assert_eq!(last["position"], position.to_string());
    }
    let huge = client
        .ask(json!({"type":"moves","position":"nim:1000000000000000000","from":9_007_199_254_740_000_u64,"limit":1}))
        .await;
    assert_eq!(huge["total"], "1000000000000000000");
    assert_eq!(huge["moves"], json!(["A-9007199254740001"]));
    server.stop().await;
}

#[tokio::test]
async fn moves_of_a_match_are_those_of_the_player_to_move_and_hidden_matches_stay_hidden() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1,2").await;
    first.play(&id, 1, "B-2").await;
    let listed = second.ask(json!({"type":"moves","match":id})).await;
    assert_eq!(
        (&listed["moves"], &listed["to_move"], &listed["position"]),
        (&json!(["A-1"]), &json!("second"), &json!("nim:1,0"))
    );
    let mut other = server.guest("Cay").await;
    assert_eq!(
        other.ask(json!({"type":"moves","match":id})).await["total"],
        1
    );
    second.play(&id, 2, "A-1").await;
    let over = other.ask(json!({"type":"moves","match":id})).await;
    assert_eq!(over["code"], "match_over");

    let invited = first
        .ask(json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}}))
        .await;
    let hidden = invited["match"].as_str().expect("an id").to_owned();
    let own = first.ask(json!({"type":"moves","match":hidden})).await;
    assert_eq!(own["code"], "not_started");
    let missing = json!({"type":"moves","match":"1111111111"});
    let mut answers = Vec::new();
    for ask in [json!({"type":"moves","match":hidden}), missing] {
        let mut refused = other.ask(ask).await;
        assert_eq!(refused["code"], "no_such_match");
        refused["got"] = Value::Null;
        answers.push(refused);
    }
    assert_eq!(answers[0], answers[1]);

    for (ask, code, field) in [
        (json!({}), "missing_field", "position"),
        (
            json!({"position":"nim:1","match":id}),
            "unknown_field",
            "match",
        ),
        (
            json!({"match":id,"to_move":"first"}),
            "unknown_field",
            "to_move",
        ),
        (json!({"position":"nimm:1"}), "bad_position", "position"),
        (
            json!({"position":"nim:1,2@every"}),
            "bad_position",
            "position",
        ),
        (
            json!({"position":"nim:1","limit":0}),
            "out_of_range",
            "limit",
        ),
        (
            json!({"position":"nim:1","limit":201}),
            "out_of_range",
            "limit",
        ),
        (
            json!({"position":"nim:1","from":-1}),
            "out_of_range",
            "from",
        ),
        (
            json!({"position":"nim:1","from":9_007_199_254_740_992_u64}),
            "out_of_range",
            "from",
        ),
    ] {
        let mut ask = ask;
        ask["type"] = "moves".into();
        let refused = other.ask(ask.clone()).await;
        assert_eq!(
            (refused["code"].as_str(), refused["field"].as_str()),
            (Some(code), Some(field)),
            "{ask} {refused}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn a_page_of_long_moves_fits_one_message() {
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    let wide = format!("{}@every", vec!["kayles:9"; 300].join("+"));
    let page = client
        .ask(json!({"type":"moves","position":wide,"limit":200}))
        .await;
    let moves = page["moves"].as_array().expect("a list");
    assert!((1..200).contains(&moves.len()), "{}", moves.len());
    assert_eq!(page["next"], moves.len());
    assert!(page["total"].is_null(), "more than 2^64-1");
    assert!(page.to_string().len() <= 65_536);
    server.stop().await;
}

#[tokio::test]
async fn a_bot_is_told_its_limits_and_a_person_other_ones() {
    let server = Plan::with(limits_as_they_are).start().await;
    let (_, welcome) = bot(&server, "Bot").await;
    let limits = &welcome["limits"];
    for (name, value) in [
        ("matches_per_player", 200),
        ("follows_per_connection", 100),
        ("burst", 100),
        ("requests_per_second", 50),
        ("moves_burst_per_match", 20),
        ("moves_per_second_per_match", 50),
        ("waiting_requests", 256),
        ("queue_messages", 1024),
    ] {
        assert_eq!(limits[name], value, "{name}");
    }
    let mut person = server.connect().await;
    let welcome = person.ask(json!({"type":"hello","protocol":1})).await;
    let limits = &welcome["limits"];
    assert_eq!(
        (&limits["matches_per_player"], &limits["burst"]),
        (&json!(20), &json!(30))
    );
    assert!(limits.get("waiting_requests").is_none());
    server.stop().await;
}

#[tokio::test]
async fn what_a_bot_sends_too_fast_waits_its_turn_and_is_answered() {
    let plan = Plan::with(|config| {
        config.limits.bot_burst = 5;
        config.limits.bot_requests_per_second = 100;
        config.limits.bot_waiting_requests = 20;
    });
    let server = plan.start().await;
    let (mut client, _) = bot(&server, "Bot").await;
    let mut asked = Vec::new();
    for _ in 0..25 {
        asked.push(client.send(json!({"type":"ping"})).await);
    }
    for id in asked {
        assert_eq!(client.reply(id).await["type"], "pong");
    }
    server.stop().await;
}

#[tokio::test]
async fn beyond_the_queue_a_bot_is_refused_and_a_flood_closes_with_every_answer_given() {
    let plan = Plan::with(|config| {
        config.limits.bot_burst = 1;
        config.limits.bot_requests_per_second = 1;
        config.limits.bot_waiting_requests = 4;
    });
    let server = plan.start().await;
    let (mut client, _) = bot(&server, "Bot").await;
    let mut asked = Vec::new();
    for _ in 0..9 {
        asked.push(client.send(json!({"type":"ping"})).await);
    }
    let mut answers: HashMap<String, usize> = HashMap::new();
    for id in &asked[..8] {
        let reply = client.reply(*id).await;
        let what = reply["code"].as_str().unwrap_or("pong").to_owned();
        if what == "rate_limited" {
            assert!(reply["retry_after_ms"].as_u64() > Some(0), "{reply}");
            let limit = reply["limit"].as_str().expect("a limit");
            assert!(limit.contains("4 waiting"), "{limit}");
        }
        *answers.entry(what).or_default() += 1;
    }
    assert_eq!(client.closed().await, (1008, "rate_limited".to_owned()));
    // One at once; four wait until the third refusal in a row closes the connection.
    assert_eq!(answers["rate_limited"], 3, "{answers:?}");
    assert_eq!(answers["pong"], 1, "{answers:?}");
    assert_eq!(answers["server_busy"], 4, "{answers:?}");
    server.stop().await;
}

#[tokio::test]
async fn bye_comes_after_everything_that_waits() {
    let plan = Plan::with(|config| {
        config.limits.bot_burst = 1;
        config.limits.bot_requests_per_second = 2;
    });
    let server = plan.start().await;
    let (mut client, _) = bot(&server, "Bot").await;
    let pings = [
        client.send(json!({"type":"ping"})).await,
        client.send(json!({"type":"ping"})).await,
        client.send(json!({"type":"ping"})).await,
    ];
    let bye = client.send(json!({"type":"bye"})).await;
    for id in pings {
        assert_eq!(client.reply(id).await["type"], "pong");
    }
    assert_eq!(client.reply(bye).await["type"], "done");
    server.stop().await;
}

/// A player of many matches: takes every heap as a whole, the first one first.
struct Blitz {
    client: Client,
    /// Position and number of moves of each match, and the seat that we have.
    boards: HashMap<String, (Position, u32, Seat)>,
    ended: HashMap<String, Value>,
    refused: Vec<Value>,
}

impl Blitz {
    async fn play(&mut self, matches: usize) {
        while self.ended.len() < matches {
            let frame = self.client.frame("an event of a match").await;
            let body = &frame["body"];
            if body["type"] == "error" {
                self.refused.push(body.clone());
            }
            let Some(id) = frame["match"].as_str().map(str::to_owned) else {
                continue;
            };
            let us = |info: &Value| info["id"] == self.client.player.as_str();
            match body["type"].as_str() {
                Some("created") => {
                    let start = body["position"].as_str().expect("a start");
                    let seat: Seat = serde_json::from_value(body["seat"].clone()).expect("a seat");
                    let ours = if us(&body["creator"]) {
                        seat
                    } else {
                        seat.other()
                    };
                    let position = Position::parse(start).expect("a position");
                    self.boards.insert(id, (position, 0, ours));
                    continue;
                }
                Some("joined") => {}
                Some("moved") => {
                    let (position, ply, _) = self.boards.get_mut(&id).expect("created first");
                    let seat: Seat = serde_json::from_value(body["seat"].clone()).expect("a seat");
                    let text = body["move"].as_str().expect("a move");
                    *position = position.play(&position.parse_move(seat, text).expect("legal"));
                    *ply += 1;
                }
                Some("ended") => {
                    self.ended.insert(id, body.clone());
                    continue;
                }
                _ => continue,
            }
            let (position, ply, ours) = &self.boards[&id];
            let to_move = match ply % 2 {
                0 => Seat::First,
                _ => Seat::Second,
            };
            if to_move != *ours || position.is_over(to_move) {
                continue;
            }
            let mv = position.nth_move(to_move, 0).expect("a move").to_string();
            let ask = json!({"type":"move","match":id,"ply":ply + 1,"move":mv});
            self.client.send(ask).await;
        }
    }
}

#[tokio::test]
async fn a_hundred_blitz_games_at_once_on_one_identity_are_played_to_the_end() {
    let server = Plan::with(limits_as_they_are).start().await;
    let (mut first, _) = bot(&server, "White").await;
    let (mut second, _) = bot(&server, "Black").await;
    let terms = json!({
        "type":"create","position":"nim:3,3,3,3","side":"first","opponent":{"type":"invite"},
        "clock":{"type":"fischer","base_ms":120_000,"increment_ms":0}
    });
    // All at once: what is beyond the burst waits.
    let mut asked = Vec::new();
    for _ in 0..100 {
        asked.push(first.send(terms.clone()).await);
    }
    let mut codes = Vec::new();
    for id in asked {
        let created = first.reply(id).await;
        assert_eq!(created["type"], "created", "{created}");
        codes.push(created["code"].clone());
    }
    let mut joins = Vec::new();
    for code in codes {
        joins.push(second.send(json!({"type":"join","code":code})).await);
    }
    let mut matches = HashSet::new();
    for id in joins {
        let joined = second.reply(id).await;
        assert_eq!(joined["type"], "joined", "{joined}");
        matches.insert(joined["match"].as_str().expect("an id").to_owned());
    }
    assert_eq!(matches.len(), 100);
    let mut players = [first, second].map(|client| Blitz {
        client,
        boards: HashMap::new(),
        ended: HashMap::new(),
        refused: Vec::new(),
    });
    for player in &mut players {
        player.client.keep_what_came();
    }
    let [white, black] = &mut players;
    let both = async { tokio::join!(white.play(100), black.play(100)) };
    tokio::time::timeout(PATIENCE, both)
        .await
        .expect("they end");
    for player in &players {
        assert!(player.refused.is_empty(), "{:?}", player.refused);
        for (id, ended) in &player.ended {
            assert_eq!(ended["reason"], "last_move", "{id}: {ended}");
            assert_eq!(ended["outcome"], "second", "twelve moves: {ended}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_matches_of_two_players_are_listed_by_name_and_by_id_in_pages() {
    let server = Server::start().await;
    let mut ann = server.guest("Ann").await;
    let mut bo = server.guest("Bo").await;
    let mut with_bo = Vec::new();
    for turn in 0..3 {
        let side = if turn % 2 == 0 { "first" } else { "second" };
        let created = ann
            .ask(json!({"type":"create","position":"nim:3","side":side,"opponent":{"type":"invite"}}))
            .await;
        bo.ask(json!({"type":"join","code":created["code"]})).await;
        with_bo.insert(0, created["match"].clone());
        ann.ask(
            json!({"type":"create","position":"nim:3","opponent":{"type":"bot","name":"perfect"}}),
        )
        .await;
    }
    // An invitation of Ann's that only she may see.
    ann.ask(json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}}))
        .await;
    let mut cay = server.guest("Cay").await;
    let ids = |page: &Value| -> Vec<Value> {
        let matches = page["matches"].as_array().expect("a list").iter();
        matches.map(|entry| entry["match"].clone()).collect()
    };
    let by_id = json!({"type":"list","player":ann.player,"opponent":bo.player});
    for ask in [
        json!({"type":"list","player":"Ann","opponent":"Bo"}),
        json!({"type":"list","player":"Bo","opponent":"Ann"}),
        by_id,
    ] {
        assert_eq!(ids(&cay.ask(ask).await), with_bo);
    }
    let mine = bo
        .ask(json!({"type":"list","mine":true,"opponent":"Ann"}))
        .await;
    assert_eq!(ids(&mine), with_bo);
    let page = cay
        .ask(json!({"type":"list","player":"Ann","opponent":"Bo","limit":2}))
        .await;
    assert_eq!(ids(&page), with_bo[..2]);
    let rest = cay
        .ask(json!({"type":"list","player":"Ann","opponent":"Bo","limit":2,"before":page["next"]}))
        .await;
    assert_eq!(ids(&rest), with_bo[2..]);
    let with_bot = cay
        .ask(json!({"type":"list","player":"Ann","opponent":"perfect"}))
        .await;
    assert_eq!(ids(&with_bot).len(), 3);
    let all = cay.ask(json!({"type":"list","player":"Ann"})).await;
    assert_eq!(ids(&all).len(), 6, "the invitation is hidden");

    let all_of_bo = json!({"type":"list","player":"b\u{43e}"});
    assert_eq!(
        ids(&cay.ask(all_of_bo).await),
        with_bo,
        "look-alikes find her"
    );
    for (ask, code, field) in [
        (json!({"player":"Dan"}), "no_such_player", "player"),
        (
            json!({"mine":true,"player":"Ann"}),
            "unknown_field",
            "player",
        ),
        (json!({"opponent":"Ann"}), "missing_field", "player"),
        (
            json!({"mine":true,"opponent":"Dan"}),
            "no_such_player",
            "opponent",
        ),
    ] {
        let mut ask = ask;
        ask["type"] = "list".into();
        let refused = cay.ask(ask.clone()).await;
        assert_eq!(
            (refused["code"].as_str(), refused["field"].as_str()),
            (Some(code), Some(field)),
            "{ask} {refused}"
        );
    }
    server.stop().await;
}
