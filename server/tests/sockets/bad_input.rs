//! Whatever a client says, it is told what was wrong with it by a code, and the connection stays unless the page says otherwise.

use crate::common::{Client, Plan, Server};
use serde_json::{Value, json};

/// A frame with this body, as text.
fn body(text: &str) -> String {
    format!(r#"{{"id":5,"body":{text}}}"#)
}

/// Text, code, field at fault.
type Row = (String, &'static str, Option<&'static str>);

async fn check(client: &mut Client, rows: Vec<Row>) {
    for (text, code, field) in rows {
        let frame = client.refusal(&text).await;
        let shown: String = text.chars().take(200).collect();
        assert_eq!(frame["body"]["code"], code, "{shown}: {frame}");
        if let Some(field) = field {
            assert_eq!(frame["body"]["field"], field, "{shown}: {frame}");
        }
        assert_eq!(frame["body"]["closes"], false, "{shown}");
        let message = frame["body"]["message"].as_str().expect("words");
        assert!(!message.is_empty(), "{shown}");
    }
    assert_eq!(client.ask(json!({"type":"ping"})).await["type"], "pong");
}

#[tokio::test]
async fn what_is_not_a_request_is_refused_by_name() {
    // Ten of them in a minute close the connection: nine on each of two.
    let server = Server::start().await;
    let not_json = [
        "",
        " ",
        "x",
        "null",
        "[]",
        "7",
        "\"a\"",
        "{",
        r#"{"id":1,"body":{"type":"ping"}}x"#,
    ];
    let more = [
        "\u{feff}{}",
        "\0",
        "NaN",
        r#"{"id":1,"body":{"type":"ping"}} ."#,
        r#"{"id":1,}"#,
        "{'id':1}",
        "{\"id\":1 \"body\":{}}",
    ];
    for texts in [&not_json[..], &more[..]] {
        let mut client = server.guest("Ann").await;
        for text in texts {
            let frame = client.refusal(text).await;
            let code = frame["body"]["code"].as_str().expect("a code");
            assert!(code == "bad_json", "{text:?}: {frame}");
        }
        assert_eq!(client.ask(json!({"type":"ping"})).await["type"], "pong");
    }
    server.stop().await;
}

#[tokio::test]
async fn fields_and_types_are_refused_by_name() {
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    let deep = format!("{}1{}", "[".repeat(20_00), "]".repeat(20_00));
    let rows: Vec<Row> = vec![
        (body(&deep), "too_deep", None),
        (
            r#"{"body":{"type":"ping"}}"#.into(),
            "missing_field",
            Some("id"),
        ),
        (r#"{"id":1}"#.into(), "missing_field", Some("body")),
        (
            r#"{"id":"1","body":{"type":"ping"}}"#.into(),
            "wrong_type",
            Some("id"),
        ),
        (
            r#"{"id":-1,"body":{"type":"ping"}}"#.into(),
            "out_of_range",
            Some("id"),
        ),
        (
            r#"{"id":1.5,"body":{"type":"ping"}}"#.into(),
            "out_of_range",
            Some("id"),
        ),
        (
            r#"{"id":9007199254740993,"body":{"type":"ping"}}"#.into(),
            "out_of_range",
            Some("id"),
        ),
        (
            r#"{"id":18446744073709551616,"body":{"type":"ping"}}"#.into(),
            "out_of_range",
            Some("id"),
        ),
        (
            r#"{"id":1e400,"body":{"type":"ping"}}"#.into(),
            "out_of_range",
            None,
        ),
        (
            r#"{"id":1,"id":2,"body":{"type":"ping"}}"#.into(),
            "duplicate_field",
            Some("id"),
        ),
        (
            r#"{"id":1,"body":{"type":"ping"},"x":1}"#.into(),
            "unknown_field",
            Some("x"),
        ),
        (body(r#"{"type":"pong"}"#), "unknown_type", Some("type")),
        (body(r#"{"type":"mvoe"}"#), "unknown_type", Some("type")),
        (body(r#"{}"#), "missing_field", Some("type")),
        (body(r#"{"type":"ping","x":1}"#), "unknown_field", Some("x")),
        (
            body(r#"{"type":"ping","type":"ping"}"#),
            "duplicate_field",
            Some("type"),
        ),
        (body(r#"{"type":"resign"}"#), "missing_field", Some("match")),
        (
            body(r#"{"type":"resign","match":7}"#),
            "wrong_type",
            Some("match"),
        ),
        (
            body(r#"{"type":"move","match":"7Kq2mVx9Rt","ply":-1,"move":"A-1"}"#),
            "out_of_range",
            Some("ply"),
        ),
        (
            body(r#"{"type":"move","match":"7Kq2mVx9Rt","ply":1.0,"move":"A-1"}"#),
            "out_of_range",
            Some("ply"),
        ),
        (
            body(r#"{"type":"move","match":"7Kq2mVx9Rt","ply":4294967296,"move":"A-1"}"#),
            "out_of_range",
            Some("ply"),
        ),
        (
            body(
                r#"{"type":"move","match":"7Kq2mVx9Rt","ply":1,"move":"A-1","client_move_id":""}"#,
            ),
            "out_of_range",
            Some("client_move_id"),
        ),
        (
            body(
                r#"{"type":"move","match":"7Kq2mVx9Rt","ply":1,"move":"A-1","client_move_id":"a b"}"#,
            ),
            "out_of_range",
            Some("client_move_id"),
        ),
        (
            body(r#"{"type":"resume","match":"7Kq2mVx9Rt","since_seq":9007199254740993}"#),
            "out_of_range",
            Some("since_seq"),
        ),
        (
            body(r#"{"type":"list","limit":0}"#),
            "out_of_range",
            Some("limit"),
        ),
        (
            body(r#"{"type":"list","limit":201}"#),
            "out_of_range",
            Some("limit"),
        ),
        (
            body(r#"{"type":"list","before":"x"}"#),
            "out_of_range",
            Some("before"),
        ),
        (
            body(
                r#"{"type":"create_tournament","name":"Cup","format":{"type":"gauntlet","seeds":3},"rules":{"games":2,"clock":{"type":"fischer","base_ms":60000,"increment_ms":1000},"starts":{"type":"list","positions":["nim:3,5"]},"start_ms":60000,"away_ms":60000},"admission":{"most":3}}"#,
            ),
            "out_of_range",
            Some("format.seeds"),
        ),
        (
            body(r#"{"type":"list","only":{"game":"chess"}}"#),
            "out_of_range",
            Some("only.game"),
        ),
        (
            body(r#"{"type":"list","only":{"start":"nim:"}}"#),
            "bad_position",
            Some("only.start"),
        ),
        (
            body(r#"{"type":"list","only":{"result":"won"}}"#),
            "missing_field",
            Some("player"),
        ),
        (
            body(r#"{"type":"list","order":"odd"}"#),
            "wrong_type",
            Some("order"),
        ),
        (
            body(r#"{"type":"list","status":"odd"}"#),
            "wrong_type",
            Some("status"),
        ),
        (
            body(r#"{"type":"solve","position":"nim:1","max_moves":201}"#),
            "out_of_range",
            Some("max_moves"),
        ),
        (
            body(r#"{"type":"explain","position":"nim:3","moves":"A-1"}"#),
            "wrong_type",
            Some("moves"),
        ),
        (
            body(r#"{"type":"explain","position":"nim:3","moves":["A-1","3-2"]}"#),
            "illegal_move",
            Some("moves[1]"),
        ),
        (
            body(&format!(
                r#"{{"type":"explain","position":"nim:3","moves":["A-1"{}]}}"#,
                r#","A-1""#.repeat(16)
            )),
            "out_of_range",
            Some("moves"),
        ),
        (
            body(r#"{"type":"hello","protocol":1}"#),
            "already_identified",
            None,
        ),
    ];
    check(&mut client, rows).await;
    server.stop().await;
}

#[tokio::test]
async fn positions_and_terms_are_checked_before_a_match_is_made() {
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    let create = |position: &str, rest: &str| {
        body(&format!(
            r#"{{"type":"create","position":"{position}","opponent":{{"type":"invite"}}{rest}}}"#
        ))
    };
    let clock = |base: &str, increment: &str| {
        create(
            "nim:3",
            &format!(
                r#","clock":{{"type":"fischer","base_ms":{base},"increment_ms":{increment}}}"#
            ),
        )
    };
    let octal = format!("octal.0.{}:5", "7".repeat(10_000));
    let rows: Vec<Row> = vec![
        (create("", ""), "bad_position", Some("position")),
        (create("nim", ""), "bad_position", Some("position")),
        (create("nim:1,x", ""), "bad_position", Some("position")),
        (create("chess:1", ""), "bad_position", Some("position")),
        (create("nim:0", ""), "bad_position", Some("position")),
        (create("nim:_", ""), "bad_position", Some("position")),
        (
            create("nim:3,5,7@every", ""),
            "bad_position",
            Some("position"),
        ),
        (
            create("nim:10000000000000000000", ""),
            "out_of_range",
            Some("position"),
        ),
        (
            create("nim:1152921504606846976", ""),
            "out_of_range",
            Some("position"),
        ),
        (create(&octal, ""), "bad_game_code", Some("position")),
        (
            create("octal.0.7g:5", ""),
            "bad_game_code",
            Some("position"),
        ),
        (clock("0", "0"), "out_of_range", Some("base_ms")),
        (clock("999", "0"), "out_of_range", Some("base_ms")),
        (clock("1000000000000", "0"), "out_of_range", Some("base_ms")),
        (
            clock("60000", "3600001"),
            "out_of_range",
            Some("increment_ms"),
        ),
        (clock("-1", "0"), "out_of_range", None),
        (clock("NaN", "0"), "bad_json", None),
        (
            create("nim:3", r#","side":"left""#),
            "wrong_type",
            Some("side"),
        ),
        (
            body(r#"{"type":"create","position":"nim:3","opponent":{"type":"bot","name":"hal"}}"#),
            "out_of_range",
            Some("opponent.name"),
        ),
        (
            body(r#"{"type":"solve","position":"nim:1,"}"#),
            "bad_position",
            Some("position"),
        ),
        (
            body(r#"{"type":"join","code":"KWQHRMTB"}"#),
            "no_such_code",
            Some("code"),
        ),
        (
            body(r#"{"type":"join","code":"x"}"#),
            "no_such_code",
            Some("code"),
        ),
    ];
    check(&mut client, rows).await;
    assert_eq!(server.store.open_count(None).await, Ok(0));
    server.stop().await;
}

#[tokio::test]
async fn a_match_that_is_not_there_has_one_answer() {
    let server = Server::start().await;
    let mut owner = server.guest("Ann").await;
    let waiting = owner
        .ask(json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}}))
        .await["match"]
        .clone();
    let mut stranger = server.guest("Bob").await;
    for id in [
        "",
        "x",
        "7Kq2mVx9Rt",
        "7Kq2mVx9R0",
        waiting.as_str().expect("an id"),
    ] {
        let about = [
            "watch",
            "record",
            "review",
            "moves",
            "resign",
            "abort",
            "rematch",
            "withdraw",
            "decline_rematch",
            "resume",
            "leave",
            "withdraw_proposal",
            "continue",
        ];
        let mut asks: Vec<_> = about.map(|kind| json!({"type":kind,"match":id})).into();
        asks.push(json!({"type":"move","match":id,"ply":1,"move":"A-1"}));
        asks.push(json!({"type":"propose","match":id,"proposal":"draw"}));
        asks.push(json!({"type":"claim","match":id,"claim":"win"}));
        asks.push(json!({"type":"plan","match":id,"ply":1,"lines":[["A-1","B-1"]]}));
        asks.push(json!({"type":"propose","match":id,"proposal":"adjourn"}));
        asks.push(json!({"type":"answer","match":id,"proposed_seq":3,"agree":true}));
        // What is hidden is refused as what does not exist, whatever else is wrong with the request.
        asks.push(json!({"type":"move","match":id,"ply":7,"move":"Z-9"}));
        asks.push(json!({"type":"watch","match":id,"since_seq":99}));
        for ask in asks {
            let refused = stranger.ask(ask.clone()).await;
            assert_eq!(refused["code"], "no_such_match", "{ask}: {refused}");
        }
    }
    let refused = stranger
        .ask(json!({"type":"list","status":"waiting"}))
        .await;
    assert_eq!(refused["matches"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn moves_are_refused_with_what_mends_them() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    let mut watcher = server.guest("Wat").await;
    let code = |refused: &Value| refused["code"].as_str().unwrap_or("none").to_owned();
    assert_eq!(code(&watcher.play(&id, 1, "A-1").await), "not_a_player");
    assert_eq!(
        code(&watcher.ask(json!({"type":"resume","match":id})).await),
        "not_a_player"
    );
    assert_eq!(code(&second.play(&id, 1, "A-1").await), "not_your_turn");
    for (text, why) in [
        ("C-1", "absent"),
        ("A-0", "zero"),
        ("A-4", "too many"),
        ("", "empty"),
        ("B", "half"),
        ("A-1,B-1", "two"),
    ] {
        let refused = first.play(&id, 1, text).await;
        assert_eq!(code(&refused), "illegal_move", "{why}: {refused}");
        let example = refused["example"].as_str().expect("a legal move");
        assert!(
            ["A-1", "A-2", "A-3", "B-1", "B-2", "B-3", "B-4", "B-5"].contains(&example),
            "{refused}"
        );
    }
    for ply in [0, 2, 77] {
        let refused = first.play(&id, ply, "A-1").await;
        assert_eq!(code(&refused), "stale_ply", "{refused}");
        assert_eq!(
            (&refused["expected"], &refused["seq"]),
            (&json!(1), &json!(2)),
            "{refused}"
        );
    }
    let named =
        |text: &str| json!({"type":"move","match":id,"ply":1,"move":text,"client_move_id":"m1"});
    let accepted = first.ask(named("A-1")).await;
    assert_eq!(accepted["type"], "accepted");
    assert_eq!(
        first.ask(named("a-1")).await,
        accepted,
        "the same move has the same answer"
    );
    assert_eq!(code(&first.ask(named("A-2")).await), "idempotency_conflict");
    assert_eq!(
        code(&second.ask(json!({"type":"rematch","match":id})).await),
        "not_over"
    );
    let early = second.ask(json!({"type":"review","match":id})).await;
    assert_eq!(code(&early), "not_over");
    assert!(
        early["message"]
            .as_str()
            .is_some_and(|words| words.contains("review")),
        "{early}"
    );
    assert_eq!(second.play(&id, 2, "A-2").await["type"], "accepted");
    assert_eq!(
        code(&first.ask(json!({"type":"abort","match":id})).await),
        "too_late"
    );
    assert_eq!(
        first.ask(json!({"type":"resign","match":id})).await["type"],
        "done"
    );
    assert_eq!(code(&first.play(&id, 3, "B-1").await), "match_over");
    assert_eq!(
        code(&first.ask(json!({"type":"resign","match":id})).await),
        "match_over"
    );
    let ahead = first
        .ask(json!({"type":"resume","match":id,"since_seq":99}))
        .await;
    assert_eq!(code(&ahead), "out_of_range", "{ahead}");
    server.stop().await;
}

#[tokio::test]
async fn seats_are_taken_once_and_by_somebody_else() {
    let server = Server::start().await;
    let mut owner = server.guest("Ann").await;
    let created = owner
        .ask(json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}}))
        .await;
    let (id, code) = (&created["match"], &created["code"]);
    let join = json!({"type":"join","code":code});
    assert_eq!(owner.ask(join.clone()).await["code"], "own_match");
    assert_eq!(
        owner.ask(json!({"type":"resign","match":id})).await["code"],
        "not_started"
    );
    let (mut second, mut third) = (server.guest("Bob").await, server.guest("Cyd").await);
    assert_eq!(second.ask(join.clone()).await["type"], "joined");
    assert_eq!(
        second.ask(join.clone()).await["type"],
        "joined",
        "a repeat is harmless"
    );
    assert_eq!(third.ask(join.clone()).await["code"], "seat_taken");
    assert_eq!(
        owner.ask(join).await["code"],
        "own_match",
        "before and after the seat was taken"
    );
    let revoked = owner
        .ask(json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}}))
        .await;
    assert_eq!(
        owner
            .ask(json!({"type":"abort","match":revoked["match"]}))
            .await["type"],
        "done"
    );
    let late = third
        .ask(json!({"type":"join","code":revoked["code"]}))
        .await;
    assert_eq!(late["code"], "no_such_code", "{late}");
    server.stop().await;
}

#[tokio::test]
async fn nobody_acts_before_saying_hello() {
    let server = Plan::with(|config| config.times.hello_ms = grundy_shared::ids::Millis(300))
        .start()
        .await;
    let mut client = server.connect().await;
    for ask in [
        json!({"type":"ping"}),
        json!({"type":"list"}),
        json!({"type":"bye"}),
    ] {
        assert_eq!(client.ask(ask).await["code"], "auth_required");
    }
    let old = client.ask(json!({"type":"hello","protocol":0})).await;
    assert_eq!(
        (&old["code"], &old["limit"]),
        (&json!("unsupported_version"), &json!("1"))
    );
    let long = client
        .ask(json!({"type":"hello","protocol":1,"client":"x".repeat(65)}))
        .await;
    assert_eq!(
        (&long["code"], &long["field"]),
        (&json!("out_of_range"), &json!("client"))
    );
    for name in ["", "  ", "a\u{202e}b", "a\nb", "\u{200b}", &"x".repeat(33)] {
        let refused = client
            .ask(json!({"type":"hello","protocol":1,"name":name}))
            .await;
        assert_eq!(refused["code"], "bad_name", "{name:?}");
    }
    assert_eq!(client.closed().await, (1008, "no hello".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn a_wrong_token_closes() {
    let server = Server::start().await;
    for token in ["", "grg_x", &"z".repeat(5_000)] {
        let mut client = server.connect().await;
        let refused = client
            .ask(json!({"type":"hello","protocol":1,"token":token}))
            .await;
        assert_eq!(
            (&refused["code"], &refused["closes"]),
            (&json!("bad_token"), &json!(true))
        );
        assert_eq!(client.closed().await.0, 1008);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_token_comes_without_a_name_and_without_bot() {
    let server = Server::start().await;
    let ann = server.guest("Ann").await;
    let mut client = server.connect().await;
    let given = [
        ("name", json!("Bea")),
        ("bot", json!(true)),
        ("bot", json!(false)),
    ];
    for (field, value) in given {
        let mut hello = json!({"type":"hello","protocol":1,"token":ann.token});
        hello[field] = value;
        let refused = client.ask(hello).await;
        assert_eq!(
            (&refused["code"], &refused["field"]),
            (&json!("unknown_field"), &json!(field)),
            "{refused}"
        );
    }
    let hello = json!({"type":"hello","protocol":1,"token":ann.token});
    let welcome = client.ask(hello).await;
    assert_eq!(welcome["player"]["name"], "Ann", "{welcome}");
    server.stop().await;
}
