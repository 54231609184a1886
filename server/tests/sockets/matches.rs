//! Matches from their beginning to their end, and what can be asked of them afterwards.

use crate::common;

use std::time::Duration;

use crate::common::{Client, Plan, Server};
use grundy_shared::chain;
use grundy_shared::ids::{MatchId, Millis, Seq};
use grundy_shared::solver::Reasons;
use grundy_words::Language;
use grundy_words::reason::lines;
use serde_json::{Value, json};

#[tokio::test]
async fn two_guests_play_a_match_to_its_end() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1,2").await;
    let accepted = first.play(&id, 1, "b-1").await;
    assert_eq!(accepted["type"], "accepted", "{accepted}");
    assert_eq!(
        (&accepted["seq"], &accepted["ply"], &accepted["move"]),
        (&json!(3), &json!(1), &json!("B-1"))
    );
    assert_eq!(second.event(3).await["move"], "B-1");
    assert_eq!(second.play(&id, 2, "A-1").await["type"], "accepted");
    assert_eq!(first.play(&id, 3, "B-1").await["type"], "accepted");
    for client in [&mut first, &mut second] {
        let ended = client.event(6).await;
        assert_eq!(
            (&ended["outcome"], &ended["reason"]),
            (&json!("first"), &json!("last_move"))
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn a_built_in_bot_plays_to_the_end() {
    let server = Server::start().await;
    let mut player = server.guest("Ann").await;
    let created = player
        .ask(json!({"type":"create","position":"nim:1,1","side":"second","opponent":{"type":"bot","name":"perfect"}}))
        .await;
    let id = created["match"].as_str().expect("an id").to_owned();
    assert_eq!(player.event(3).await["type"], "moved");
    let last = player
        .ask(json!({"type":"move","match":id,"ply":2,"move":"B-1"}))
        .await;
    let other = player
        .ask(json!({"type":"move","match":id,"ply":2,"move":"A-1"}))
        .await;
    assert!(
        [&last, &other]
            .iter()
            .any(|reply| reply["type"] == "accepted"),
        "{last} {other}"
    );
    assert_eq!(player.event_of("ended").await["outcome"], "second");
    server.stop().await;
}

#[tokio::test]
async fn a_resignation_and_a_move_that_race_have_one_result() {
    let server = Server::start().await;
    for _ in 0..30 {
        let (mut first, mut second, id) = server.pair("nim:1,0").await;
        // The move ends the match as well: whichever comes second is told that it is over.
        let moving = first.play(&id, 1, "A-1");
        let resigning = second.ask(json!({"type":"resign","match":id}));
        let (moved, resigned) = tokio::join!(moving, resigning);
        let accepted = moved["type"] == "accepted";
        let done = resigned["type"] == "done";
        assert!(accepted != done, "{moved} {resigned}");
        let over = if accepted { &resigned } else { &moved };
        assert_eq!(over["code"], "match_over");
        let expected = if accepted { "last_move" } else { "resignation" };
        for client in [&mut first, &mut second] {
            let ended = client.event_of("ended").await;
            assert_eq!(
                (&ended["reason"], &ended["outcome"]),
                (&json!(expected), &json!("first"))
            );
        }
        let row = server.store.row(id.parse().expect("an id")).await;
        let row = row.expect("readable").expect("there");
        assert_eq!(serde_json::to_value(row.reason).expect("plain"), expected);
    }
    assert_eq!(server.app.matches.open_matches(), 0);
    server.stop().await;
}

#[tokio::test]
async fn a_flag_falls_by_itself() {
    let server = Server::start().await;
    let terms =
        json!({"position":"nim:3,5","clock":{"type":"fischer","base_ms":6_000,"increment_ms":0}});
    let (mut first, mut second, id) = server.pair_with(terms).await;
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(second.play(&id, 2, "A-1").await["type"], "accepted");
    for client in [&mut first, &mut second] {
        let ended = client.event_of("ended").await;
        assert_eq!(
            (&ended["reason"], &ended["outcome"]),
            (&json!("time"), &json!("second"))
        );
    }
    assert_eq!(first.play(&id, 3, "A-1").await["code"], "match_over");
    server.stop().await;
}

#[tokio::test]
async fn a_rematch_swaps_the_sides_and_brings_both_along() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    first.ask(json!({"type":"resign","match":id})).await;
    let rematch = json!({"type":"rematch","match":id});
    let offered = second.ask(rematch.clone()).await;
    assert!(offered["rematch"].is_null(), "{offered}");
    assert_eq!(first.event_of("rematch_offered").await["seat"], "second");
    let accepted = first.ask(rematch.clone()).await;
    let new = accepted["rematch"].as_str().expect("an id").to_owned();
    assert_eq!(
        second.event_of("rematch_accepted").await["rematch"],
        new.as_str()
    );
    for client in [&mut first, &mut second] {
        let created = client
            .find("event 1", |frame| {
                frame["match"] == new.as_str() && frame["seq"] == 1
            })
            .await;
        assert_eq!(created["body"]["rematch_of"], id.as_str());
        client
            .find("event 2", |frame| {
                frame["match"] == new.as_str() && frame["seq"] == 2
            })
            .await;
    }
    assert_eq!(first.play(&new, 1, "A-1").await["code"], "not_your_turn");
    assert_eq!(second.play(&new, 1, "A-1").await["type"], "accepted");
    let event = first
        .find("the move", |frame| {
            frame["match"] == new.as_str() && frame["seq"] == 3
        })
        .await;
    assert_eq!(event["body"]["move"], "A-1");
    assert_eq!(
        first.ask(rematch).await["rematch"],
        new.as_str(),
        "a repeat has the same answer"
    );
    server.stop().await;
}

#[tokio::test]
async fn who_offers_a_rematch_hears_that_the_other_has_left() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1").await;
    first.play(&id, 1, "A-1").await;
    second.event_of("ended").await;
    first.ask(json!({"type":"rematch","match":id})).await;
    second.event_of("rematch_offered").await;
    second.ask(json!({"type":"bye"})).await;
    let left = json!({"type":"opponent_left","match":id});
    assert_eq!(first.notice().await, left);
    // The offer stands: who comes back can accept it.
    let (mut second, _) = server.again(&second).await;
    second.ask(json!({"type":"resume","match":id})).await;
    let accepted = second.ask(json!({"type":"rematch","match":id})).await;
    let rematch = accepted["rematch"].as_str().expect("an id").to_owned();

    // Gone before the offer; and who only comes to look at the offer is not told of its own absence.
    second.ask(json!({"type":"resign","match":rematch})).await;
    second.ask(json!({"type":"bye"})).await;
    first
        .find("the end", |frame| {
            frame["match"] == *rematch && frame["body"]["type"] == "ended"
        })
        .await;
    first.ask(json!({"type":"rematch","match":rematch})).await;
    let left = json!({"type":"opponent_left","match":rematch});
    assert_eq!(first.notice().await, left);
    let (mut second, _) = server.again(&second).await;
    second.ask(json!({"type":"resume","match":rematch})).await;
    second.ask(json!({"type":"leave","match":rematch})).await;
    assert_eq!(first.notice().await, left);
    server.stop().await;
}

#[tokio::test]
async fn a_stop_tells_everybody_and_loses_nothing() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:30,50").await;
    let mut guest = server.connect().await;
    let asked = first
        .send(json!({"type":"move","match":id,"ply":1,"move":"A-1"}))
        .await;
    // The session has read the move once it has answered what came after it.
    assert_eq!(first.ask(json!({"type":"ping"})).await["type"], "pong");
    let began = tokio::time::Instant::now();
    let address = server.address;
    let told = async {
        assert_eq!(first.reply(asked).await["type"], "accepted");
        for client in [&mut first, &mut second, &mut guest] {
            let notice = client.notice().await;
            assert_eq!(notice["type"], "shutting_down");
            let wait = notice["reconnect_after_ms"].as_u64().expect("a time");
            assert!((500..3_000).contains(&wait));
            assert_eq!(client.closed().await, (1012, "shutting_down".to_owned()));
        }
    };
    let (_, ()) = tokio::join!(server.stop(), told);
    assert!(began.elapsed() < Duration::from_secs(60));
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn lists_are_paged_newest_first() {
    let server = Server::start().await;
    let mut owner = server.guest("Ann").await;
    let mut made = Vec::new();
    for _ in 0..7 {
        let create = json!({"type":"create","position":"nim:9,9","side":"first","opponent":{"type":"bot","name":"random"}});
        made.push(owner.ask(create).await["match"].clone());
    }
    made.reverse();
    let mut seen = Vec::new();
    let mut ask = json!({"type":"list","mine":true,"limit":3});
    loop {
        let page = owner.ask(ask.clone()).await;
        let matches = page["matches"].as_array().expect("a page");
        seen.extend(matches.iter().map(|entry| entry["match"].clone()));
        if page["next"].is_null() {
            break;
        }
        ask["before"] = page["next"].clone();
    }
    assert_eq!(seen, made);
    let live = owner.ask(json!({"type":"list","status":"live"})).await;
    assert_eq!(live["matches"].as_array().map(Vec::len), Some(7));
    assert_eq!(
        server
            .guest("Bob")
            .await
            .ask(json!({"type":"list","mine":true}))
            .await["matches"],
        json!([])
    );
    server.stop().await;
}

#[tokio::test]
async fn matches_are_found_by_what_was_played_and_how_it_ended() {
    let server = Server::start().await;
    let mut ann = server.guest("Ann").await;
    let mut bo = server.guest("Bo").await;
    let mut ids = Vec::new();
    for start in ["nim:1", "nim:1@misere", "kayles:1+nim:1"] {
        let create =
            json!({"type":"create","position":start,"side":"first","opponent":{"type":"invite"}});
        let created = ann.ask(create).await;
        let id = created["match"].as_str().expect("an id").to_owned();
        bo.ask(json!({"type":"join","code":created["code"]})).await;
        if start == "nim:1" {
            assert_eq!(ann.play(&id, 1, "A-1").await["type"], "accepted");
        } else {
            bo.ask(json!({"type":"resign","match":id})).await;
        }
        ids.push(id);
    }
    let mut cay = server.guest("Cay").await;
    let wanted = [
        (json!({"only":{"game":"nim"}}), vec![1, 0]),
        (json!({"only":{"game":"sum"}}), vec![2]),
        (json!({"only":{"start":"nim:1"}}), vec![0]),
        (json!({"only":{"start":"kayles:1+nim:1"}}), vec![2]),
        (json!({"only":{"result":"first"}}), vec![2, 1, 0]),
        (json!({"only":{"result":"second"}}), vec![]),
        (
            json!({"player":"Ann","only":{"result":"won"}}),
            vec![2, 1, 0],
        ),
        (
            json!({"player":"Bo","only":{"result":"lost","min_plies":1}}),
            vec![0],
        ),
        (json!({"player":"Bo","only":{"result":"won"}}), vec![]),
        (json!({"only":{"rated":true}}), vec![]),
        (json!({"only":{"max_plies":0},"order":"oldest"}), vec![1, 2]),
        (json!({"only":{"since_ms":1}}), vec![2, 1, 0]),
        (json!({"only":{"until_ms":1}}), vec![]),
    ];
    for (filter, expected) in wanted {
        let mut ask = filter.clone();
        ask["type"] = json!("list");
        let page = cay.ask(ask).await;
        let found: Vec<&Value> = page["matches"]
            .as_array()
            .unwrap_or_else(|| panic!("{filter}: {page}"))
            .iter()
            .map(|entry| &entry["match"])
            .collect();
        let expected: Vec<&String> = expected.into_iter().map(|n: usize| &ids[n]).collect();
        assert_eq!(found, expected, "{filter}");
    }
    server.stop().await;
}

/// The chain of a log, computed from what is stored.
async fn chain_of(server: &Server, id: &str) -> Value {
    let id: MatchId = id.parse().expect("an id");
    let log = server.store.load(id.into(), Seq(0), 1_000).await;
    let log = log.expect("readable").expect("there");
    let head = log.iter().fold(chain::genesis(id), |head, event| {
        chain::link(&head, &event.body)
    });
    let head: String = head.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({"events": log.len(), "head": head})
}

#[tokio::test]
async fn a_finished_match_has_a_record_and_a_review() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1,2,60").await;
    first.play(&id, 1, "A-1").await;
    second.play(&id, 2, "B-2").await;
    let mut stranger = server.guest("Cyd").await;
    let going_on = stranger.ask(json!({"type":"record","match":id})).await;
    assert_eq!(
        (&going_on["complete"], &going_on["chain"]),
        (&json!(true), &Value::Null)
    );
    first.play(&id, 3, "C-60").await;
    first.event_of("ended").await;
    let mut since = 0;
    let mut events = Vec::new();
    loop {
        let page = stranger
            .ask(json!({"type":"record","match":id,"since_seq":since,"limit":2}))
            .await;
        for event in page["events"].as_array().expect("a page") {
            since += 1;
            assert_eq!(event["seq"], since);
            events.push(event["body"]["type"].as_str().expect("a type").to_owned());
        }
        if page["complete"] == true {
            assert_eq!(page["chain"], chain_of(&server, &id).await, "{page}");
            break;
        }
        assert_eq!(page["chain"], Value::Null, "{page}");
    }
    assert_eq!(
        events,
        ["created", "joined", "moved", "moved", "moved", "ended"]
    );
    let record = |since| json!({"type":"record","match":id,"since_seq":since});
    let last = stranger.ask(record(6)).await;
    assert_eq!(
        (&last["events"], &last["complete"]),
        (&json!([]), &json!(true))
    );
    let beyond = stranger.ask(record(7)).await;
    assert_eq!(beyond["code"], "out_of_range", "{beyond}");
    assert_eq!(beyond["field"], "since_seq");
    let whole = stranger.ask(json!({"type":"review","match":id})).await;
    assert_eq!(whole["type"], "reviewed", "{whole}");
    assert_eq!(whole["review"]["schema"], "grundy/review/2");
    assert_eq!(whole["review"]["plies"].as_array().map(Vec::len), Some(4));
    assert!(whole["next_after_ply"].is_null());
    let mut plies = Vec::new();
    let mut after = json!(0);
    while !after.is_null() {
        let page = first
            .ask(json!({"type":"review","match":id,"after_ply":after,"limit":1}))
            .await;
        plies.extend(page["review"]["plies"].as_array().expect("a page").clone());
        after = page["next_after_ply"].clone();
    }
    assert_eq!(
        Value::Array(plies),
        whole["review"]["plies"],
        "the pages make up the whole"
    );
    server.stop().await;
}

#[tokio::test]
async fn the_solver_answers_within_its_budget_and_one_at_a_time() {
    let server = Plan::with(|config| config.solver.cpu_ms = grundy_shared::ids::Millis(50))
        .start()
        .await;
    let mut client = server.guest("Ann").await;
    let solved = client
        .ask(json!({"type":"solve","position":"nim:1,4,6,7","max_moves":2}))
        .await;
    let solution = &solved["solution"];
    assert_eq!(
        (&solution["outcome"], &solution["nim_value"]),
        (&json!("N"), &json!(4)),
        "{solved}"
    );
    assert_eq!(solution["winning_moves"].as_array().map(Vec::len), Some(2));
    assert_eq!(solution["winning_moves_total"], 3);
    let many = (0..20).map(|_| json!({"type":"solve","position":"nim:1,4,6,7"}));
    let mut ids = Vec::new();
    for ask in many {
        ids.push(client.send(ask).await);
    }
    for id in ids {
        let answer = client.reply(id).await;
        assert!(
            answer["type"] == "solved" || answer["code"] == "analysis_running",
            "{answer}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn a_move_is_explained_with_facts_and_in_words() {
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    let explain = json!({"type":"explain","position":"nim:3,5,7","moves":["a-2"]});
    let explained = client.ask(explain).await;
    assert_eq!(explained["type"], "explained", "{explained}");
    let reasons = &explained["reasons"];
    assert_eq!(reasons["best"], "A-1");
    let asked = &reasons["moves"][0];
    assert_eq!(
        (&asked["move"], &asked["result"], &asked["reply"]["move"]),
        (&json!("A-2"), &json!("loses"), &json!("C-3"))
    );
    assert_eq!(asked["leaves"]["facts"][0]["xor"], 3);
    assert!(
        reasons["lines"]
            .as_array()
            .is_some_and(|lines| lines.len() > 5)
    );
    // Without a move the best one is explained.
    let best = client
        .ask(json!({"type":"explain","position":"nim:3,5,7"}))
        .await;
    assert_eq!(best["reasons"]["moves"][0]["move"], "A-1");
    // Long positions are in the facts several times, and the words are left out.
    let heaps = vec!["1000000000000000000"; 400].join(",");
    let long =
        json!({"type":"explain","position":format!("nim:{heaps}"),"moves":["A-1","B-2","C-3"]});
    let explained = client.ask(long).await;
    let shortened = explained["type"] == "explained" && explained["reasons"]["lines"] == json!([]);
    assert!(
        shortened || explained["code"] == "analysis_too_large",
        "{explained}"
    );
    server.stop().await;
}

#[tokio::test]
async fn reasons_are_said_in_the_language_of_the_client() {
    let server = Server::start().await;
    let explain = json!({"type":"explain","position":"nim:3,5,7","moves":["A-2"]});
    for (asked, language) in [
        (Some("zh-CN"), Language::Chinese),
        (Some("zh_TW.UTF-8"), Language::Chinese),
        (Some("tlh"), Language::English),
        (None, Language::English),
    ] {
        let mut client = server.connect().await;
        let hello = json!({"type":"hello","protocol":1,"language":asked});
        assert_eq!(client.ask(hello).await["type"], "welcome");
        let explained = client.ask(explain.clone()).await;
        let text = explained["reasons"].to_string();
        let reasons: Reasons = serde_json::from_str(&text).expect("reasons");
        assert_eq!(reasons.lines, lines(&reasons, language), "{asked:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_asks_for_moves_is_told_whether_play_can_go_on_for_ever() {
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    for (position, cyclic) in [
        ("nim:3,5,7", None),
        ("loopy.0-1.1-0:0", Some(true)),
        ("loopy.0-1.1-0:0+nim:2", Some(true)),
    ] {
        let moves = client
            .ask(json!({"type":"moves","position":position}))
            .await;
        assert_eq!(moves["type"], "moves", "{moves}");
        assert_eq!(moves["cyclic"].as_bool(), cyclic, "{position}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_match_leaves_its_traces_in_the_metrics() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1,1").await;
    first.play(&id, 1, "A-1").await;
    second.play(&id, 2, "B-1").await;
    first.event_of("ended").await;
    let text = server.app.metrics.render(&server.store.gauges());
    for line in [
        "grundy_moves_total{rule=\"nim\"} 2",
        "grundy_games_finished_total{rule=\"nim\",termination=\"last_move\"} 1",
        "grundy_games_active 0",
        "grundy_move_ack_seconds_count 2",
        "grundy_move_fanout_seconds_count 2",
        // Somebody joined, and two moves.
        "grundy_journal_commit_seconds_count 3",
        "grundy_ws_connections{role=\"player\"} 2",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
    server.stop().await;
}

/// A match against a bot that is over at once.
async fn over_at_once(player: &mut Client) -> Value {
    let create = json!({"type":"create","position":"nim:9,9","side":"first","opponent":{"type":"bot","name":"random"}});
    let created = player.ask(create).await;
    let id = created["match"].clone();
    let done = player.ask(json!({"type":"resign","match":id})).await;
    assert_eq!(done["type"], "done", "{created} {done}");
    id
}

#[tokio::test]
async fn a_rematch_counts_like_any_match() {
    let server = Plan::with(|config| config.limits.matches_per_player = 2)
        .start()
        .await;
    let mut player = server.guest("Ann").await;
    let mut over = Vec::new();
    for _ in 0..3 {
        over.push(over_at_once(&mut player).await);
    }
    for (number, id) in over.iter().enumerate() {
        let answer = player.ask(json!({"type":"rematch","match":id})).await;
        if number == 2 {
            assert_eq!(
                (&answer["code"], &answer["limit"]),
                (&json!("too_many"), &json!("2"))
            );
            continue;
        }
        assert_eq!(answer["type"], "rematch", "{answer}");
        player
            .find("the bot's yes", |frame| {
                frame["match"] == *id && frame["body"]["type"] == "rematch_accepted"
            })
            .await;
    }
    // A repeat needs no room.
    let again = player.ask(json!({"type":"rematch","match":over[0]})).await;
    assert!(again["rematch"].is_string(), "{again}");
    server.stop().await;
    let server = Plan::with(|config| config.limits.live_matches = 1)
        .start()
        .await;
    let mut player = server.guest("Ann").await;
    let id = over_at_once(&mut player).await;
    let mut other = server.guest("Bob").await;
    let create = json!({"type":"create","position":"nim:9,9","opponent":{"type":"invite"}});
    assert_eq!(other.ask(create).await["type"], "created");
    let offered = player.ask(json!({"type":"rematch","match":id})).await;
    assert_eq!(offered["type"], "rematch", "{offered}");
    assert_eq!(server.app.matches.open_matches(), 1, "the server is full");
    server.stop().await;
}

#[tokio::test]
async fn who_plays_one_rematch_after_the_other_follows_one_match() {
    let server = Plan::with(|config| config.limits.follows_per_connection = 2)
        .start()
        .await;
    let mut player = server.guest("Ann").await;
    let mut id = over_at_once(&mut player).await;
    for _ in 0..5 {
        player.ask(json!({"type":"rematch","match":id})).await;
        id = player.event_of("rematch_accepted").await["rematch"].clone();
        let joined = |frame: &Value| frame["match"] == id && frame["seq"] == 2;
        player.find("the new match", joined).await;
        let done = player.ask(json!({"type":"resign","match":id})).await;
        assert_eq!(done["type"], "done", "{done}");
    }
    let create = json!({"type":"create","position":"nim:9,9","opponent":{"type":"invite"}});
    let created = player.ask(create).await;
    assert_eq!(created["type"], "created", "{created}");
    server.stop().await;
}

#[tokio::test]
async fn two_who_come_at_once_do_not_share_the_last_place() {
    let plan = Plan::with(|config| config.limits.matches_per_player = 1);
    let server = plan.start().await;
    let ann = server.guest("Ann").await;
    let mut connections = Vec::new();
    for _ in 0..8 {
        connections.push(server.again(&ann).await.0);
    }
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    let asked = connections
        .iter_mut()
        .map(|client| client.ask(create.clone()));
    let answers = futures::future::join_all(asked).await;
    let created = |answer: &&Value| answer["type"] == "created";
    assert_eq!(answers.iter().filter(created).count(), 1, "{answers:?}");
    for refused in answers.iter().filter(|answer| !created(answer)) {
        assert_eq!(
            (&refused["code"], &refused["limit"]),
            (&json!("too_many"), &json!("1"))
        );
    }
    assert_eq!(server.app.matches.open_matches(), 1);
    server.stop().await;
}

#[tokio::test]
async fn one_address_cannot_take_every_place() {
    let plan = Plan::with(|config| config.limits.matches_per_address = 2);
    let server = plan.start().await;
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    let mut made = Vec::new();
    for name in ["Ann", "Bob"] {
        let mut guest = server.guest(name).await;
        let created = guest.ask(create.clone()).await;
        made.push((guest, created["match"].clone()));
    }
    let mut third = server.guest("Cid").await;
    assert_eq!(third.ask(create.clone()).await["code"], "too_many");
    let (first, id) = &mut made[0];
    let aborted = first.ask(json!({"type":"abort","match":id})).await;
    assert_eq!(aborted["type"], "done");
    assert_eq!(third.ask(create).await["type"], "created");
    server.stop().await;
}

#[tokio::test]
async fn a_match_that_both_players_have_left_makes_room() {
    let plan = Plan::with(|config| {
        config.limits.live_matches = 1;
        config.times.abandoned_ms = Millis(100);
    });
    let server = plan.start().await;
    let (mut first, mut second, id) = server.pair("nim:9,9").await;
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    let mut third = server.guest("Cid").await;
    assert_eq!(third.ask(create.clone()).await["code"], "server_busy");
    assert_eq!(first.ask(json!({"type":"bye"})).await["type"], "done");
    // Who is here keeps it, for however long.
    assert_eq!(second.event_of("presence").await["online"], false);
    tokio::time::timeout(Duration::from_millis(300), second.event_of("ended"))
        .await
        .expect_err("one player is here");
    assert_eq!(second.ask(json!({"type":"bye"})).await["type"], "done");
    let ended = async { while third.ask(create.clone()).await["type"] != "created" {} };
    common::in_time("room", ended).await;
    let row = server.store.row(id.parse().expect("an id")).await;
    let row = row.expect("readable").expect("there");
    assert_eq!(serde_json::to_value(row.reason).expect("plain"), "expired");
    server.stop().await;
}

#[tokio::test]
async fn coming_and_going_in_a_loop_writes_ever_less() {
    let plan = Plan::with(|config| config.times.away_ms = Millis(60_000));
    let server = plan.start().await;
    let (mut first, mut second, id) = server.pair("nim:9,9").await;
    for _ in 0..100 {
        let left = first.ask(json!({"type":"leave","match":id})).await;
        assert_eq!((&left["type"], &left["seq"]), (&json!("done"), &json!(2)));
        let back = json!({"type":"resume","match":id,"since_seq":2});
        assert_eq!(first.ask(back).await["snapshot"]["seq"], 2);
    }
    assert_eq!(first.play(&id, 1, "A-1").await["seq"], 3);
    assert_eq!(second.event(3).await["move"], "A-1");
    server.stop().await;
}

#[tokio::test]
async fn players_and_watchers_on_several_threads_see_one_match() {
    let server = Plan::with(|config| config.workers = 3).start().await;
    // Connections are handed out in turn: these meet in every way.
    let mut matches = Vec::new();
    for _ in 0..3 {
        matches.push(server.pair("nim:30,30").await);
    }
    let mut watchers = Vec::new();
    for (_, _, id) in &matches {
        let mut watcher = server.guest("Wat").await;
        let watch = json!({"type":"watch","match":id,"since_seq":2});
        assert_eq!(watcher.ask(watch).await["type"], "attached");
        watchers.push(watcher);
    }
    for ply in 1..=20 {
        for (first, second, id) in &mut matches {
            let (mover, heap) = match ply % 2 {
                1 => (first, "A-1"),
                _ => (second, "B-1"),
            };
            assert_eq!(mover.play(id, ply, heap).await["type"], "accepted");
        }
    }
    for (watcher, (first, second, _)) in watchers.iter_mut().zip(&mut matches) {
        for client in [watcher, first, second] {
            for seq in 3..=22 {
                assert_eq!(client.event(seq).await["ply"], seq - 2);
            }
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn finished_matches_do_not_count_among_those_followed() {
    let server = Plan::with(|config| config.limits.follows_per_connection = 2)
        .start()
        .await;
    let mut player = server.guest("Ann").await;
    for _ in 0..5 {
        over_at_once(&mut player).await;
    }
    let create = json!({"type":"create","position":"nim:9,9","opponent":{"type":"invite"}});
    for kind in ["created", "created", "error"] {
        assert_eq!(player.ask(create.clone()).await["type"], kind);
    }
    server.stop().await;
}
