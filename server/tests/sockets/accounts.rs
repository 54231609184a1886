//! What players hear outside their matches: account events, challenges, standing offers.

use std::collections::HashSet;

use crate::common::{Client, Plan, Server};
use serde_json::{Value, json};

/// An account as a client follows it: every event has the number after the one before.
struct Account {
    stream: String,
    seq: u64,
}

impl Account {
    async fn follow(client: &mut Client) -> (Self, Value) {
        Self::follow_since(client, json!({"type":"follow_account"})).await
    }

    async fn follow_since(client: &mut Client, ask: Value) -> (Self, Value) {
        let reply = client.ask(ask).await;
        assert_eq!(reply["type"], "account", "{reply}");
        let account = Self {
            stream: reply["stream"].as_str().expect("a name").to_owned(),
            seq: reply["seq"].as_u64().expect("a number"),
        };
        (account, reply)
    }

    /// The next event; the only one with the next number.
    async fn event(&mut self, client: &mut Client) -> Value {
        self.seq += 1;
        let wanted = self.seq;
        let mut frame = client
            .find(&format!("account event {wanted}"), |frame| {
                frame["account"].is_string() && frame["seq"] == wanted
            })
            .await;
        assert_eq!(frame["account"], client.player.as_str());
        frame["body"].take()
    }
}

/// A guest who follows the account.
async fn present(server: &Server, name: &str) -> (Client, Account) {
    let mut client = server.guest(name).await;
    let (account, reply) = Account::follow(&mut client).await;
    assert_eq!(reply["challenges"], json!([]));
    (client, account)
}

fn to(name: &str) -> Value {
    json!({"type":"challenge","player":name,"position":"nim:1,2","side":"first"})
}

#[tokio::test]
async fn more_than_fits_the_queue_is_not_sent_at_once() {
    let server = Plan::with(|config| config.limits.queue_messages = 8)
        .start()
        .await;
    let (mut ann, mut anns) = present(&server, "Ann").await;
    let (mut bo, mut bos) = present(&server, "Bo").await;
    for _ in 0..10 {
        assert_eq!(bo.ask(to("Ann")).await["type"], "challenged");
        bos.event(&mut bo).await;
        anns.event(&mut ann).await;
    }
    let (mut again, _) = server.again(&ann).await;
    for (since, complete) in [(0, false), (3, true)] {
        let ask = json!({"type":"follow_account","stream":anns.stream,"since_seq":since});
        let (_, reply) = Account::follow_since(&mut again, ask).await;
        assert_eq!(
            (&reply["seq"], &reply["complete"]),
            (&json!(10), &json!(complete))
        );
    }
    anns.seq = 3;
    for _ in 4..=10 {
        assert_eq!(anns.event(&mut again).await["type"], "challenged");
    }
}

#[tokio::test]
async fn long_challenges_do_not_make_a_reply_too_long() {
    let server = Server::start().await;
    let (mut ann, mut anns) = present(&server, "Ann").await;
    let (mut bo, mut bos) = present(&server, "Bo").await;
    let mut ask = to("Ann");
    ask["position"] = json!(format!("nim:{}", vec!["1234567890123456"; 700].join(",")));
    for _ in 0..10 {
        assert_eq!(bo.ask(ask.clone()).await["type"], "challenged");
        bos.event(&mut bo).await;
        anns.event(&mut ann).await;
    }
    let (mut again, _) = server.again(&ann).await;
    let (_, reply) = Account::follow(&mut again).await;
    assert!(reply.to_string().len() <= 65_536);
    assert_eq!(reply["challenges"].as_array().expect("a list").len(), 5);
}

#[tokio::test]
async fn an_accepted_challenge_is_a_match_and_both_hear_its_one_end() {
    let server = Server::start().await;
    let (mut ann, mut anns) = present(&server, "Ann").await;
    let (mut bo, mut bos) = present(&server, "Bo").await;
    let mut ask = to("Bo");
    ask["clock"] = json!({"type":"fischer","base_ms":60_000,"increment_ms":0});
    let challenged = ann.ask(ask).await;
    assert_eq!(challenged["type"], "challenged", "{challenged}");
    let challenge = &challenged["challenge"];
    assert_eq!(
        (&challenge["from"]["name"], &challenge["to"]["name"]),
        (&json!("Ann"), &json!("Bo"))
    );
    for (client, account) in [(&mut ann, &mut anns), (&mut bo, &mut bos)] {
        let event = account.event(client).await;
        assert_eq!(event["type"], "challenged");
        assert_eq!(&event["challenge"], challenge);
    }
    // Nobody else can answer it, and cannot tell it from one that does not exist.
    let id = &challenge["challenge"];
    let mut cay = server.guest("Cay").await;
    for kind in ["accept", "decline", "withdraw_challenge"] {
        let mut hidden = cay.ask(json!({"type":kind,"challenge":id})).await;
        let mut missing = cay.ask(json!({"type":kind,"challenge":"1111111111"})).await;
        assert_eq!(hidden["code"], "no_such_challenge");
        hidden["got"] = Value::Null;
        missing["got"] = Value::Null;
        assert_eq!(hidden, missing);
    }
    let own = ann.ask(json!({"type":"accept","challenge":id})).await;
    assert_eq!(own["code"], "no_such_challenge");

    let joined = bo.ask(json!({"type":"accept","challenge":id})).await;
    assert_eq!(
        (&joined["type"], &joined["seat"]),
        (&json!("joined"), &json!("second"))
    );
    let made = joined["match"].as_str().expect("an id").to_owned();
    for (client, account) in [(&mut ann, &mut anns), (&mut bo, &mut bos)] {
        let mut told = [account.event(client).await, account.event(client).await];
        told.sort_by_key(|event| event["type"].as_str().map(str::to_owned));
        let [ended, began] = told;
        assert_eq!(
            (&ended["type"], &ended["end"], &ended["match"]),
            (&json!("challenge_ended"), &json!("accepted"), &json!(made))
        );
        assert_eq!(
            (&began["type"], &began["match"], &began["position"]),
            (&json!("match_began"), &json!(made), &json!("nim:1,2"))
        );
    }
    // The clocks wait for the challenger, who follows the match now.
    assert_eq!(bo.event(1).await["held"], true);
    let attached = ann.ask(json!({"type":"resume","match":made})).await;
    assert_eq!(attached["seat"], "first");
    ann.play(&made, 1, "B-2").await;
    bo.play(&made, 2, "A-1").await;
    for (client, account) in [(&mut ann, &mut anns), (&mut bo, &mut bos)] {
        let ended = account.event(client).await;
        assert_eq!(
            (&ended["type"], &ended["outcome"], &ended["reason"]),
            (&json!("match_ended"), &json!("second"), &json!("last_move"))
        );
    }
    let again = bo.ask(json!({"type":"accept","challenge":id})).await;
    assert_eq!(again["code"], "no_such_challenge");
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_is_declined_withdrawn_or_expires() {
    let server = Server::start().await;
    let (mut ann, mut anns) = present(&server, "Ann").await;
    let (mut bo, mut bos) = present(&server, "Bo").await;
    let reasons = [
        "other",
        "later",
        "game",
        "position",
        "too_fast",
        "too_slow",
        "untimed",
        "timed",
        "no_bots",
        "only_bots",
        "too_many_matches",
    ];
    let mut ends: Vec<(&str, Option<&str>)> = reasons
        .iter()
        .map(|reason| ("declined", Some(*reason)))
        .collect();
    ends.extend([("withdrawn", None), ("expired", None)]);
    for (end, reason) in ends {
        let mut ask = to("Bo");
        if end == "expired" {
            ask["expires_ms"] = 1_000.into();
        }
        let challenged = ann.ask(ask).await;
        let id = &challenged["challenge"]["challenge"];
        anns.event(&mut ann).await;
        bos.event(&mut bo).await;
        let done = match end {
            "declined" => {
                bo.ask(json!({"type":"decline","challenge":id,"reason":reason}))
                    .await
            }
            "withdrawn" => {
                ann.ask(json!({"type":"withdraw_challenge","challenge":id}))
                    .await
            }
            _ => json!({"type":"done"}),
        };
        assert_eq!(done["type"], "done", "{done}");
        for (client, account) in [(&mut ann, &mut anns), (&mut bo, &mut bos)] {
            let event = account.event(client).await;
            assert_eq!(
                (
                    event["type"].as_str(),
                    event["end"].as_str(),
                    event["reason"].as_str()
                ),
                (Some("challenge_ended"), Some(end), reason)
            );
            assert_eq!(&event["challenge"], id);
            assert!(event.get("match").is_none());
        }
    }
    let unknown = bo
        .ask(json!({"type":"decline","challenge":"1111111111","reason":"dull"}))
        .await;
    assert_eq!(unknown["code"], "wrong_type");
    server.stop().await;
}

#[tokio::test]
async fn acceptance_and_withdrawal_that_race_have_one_end() {
    let server = Server::start().await;
    let (mut ann, mut anns) = present(&server, "Ann").await;
    let (mut bo, mut bos) = present(&server, "Bo").await;
    for _ in 0..15 {
        let challenged = ann.ask(to("Bo")).await;
        let id = &challenged["challenge"]["challenge"];
        anns.event(&mut ann).await;
        bos.event(&mut bo).await;
        let (withdrawn, accepted) = tokio::join!(
            ann.ask(json!({"type":"withdraw_challenge","challenge":id})),
            bo.ask(json!({"type":"accept","challenge":id})),
        );
        let is_made = accepted["type"] == "joined";
        assert!(
            is_made != (withdrawn["type"] == "done"),
            "{withdrawn} {accepted}"
        );
        for (client, account) in [(&mut ann, &mut anns), (&mut bo, &mut bos)] {
            let mut ends = 0;
            for _ in 0..if is_made { 2 } else { 1 } {
                let event = account.event(client).await;
                ends += usize::from(event["type"] == "challenge_ended");
            }
            assert_eq!(ends, 1);
        }
        if is_made {
            bo.ask(json!({"type":"resign","match":accepted["match"]}))
                .await;
            anns.event(&mut ann).await;
            bos.event(&mut bo).await;
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn challenges_are_bounded_and_name_a_player_who_is_here() {
    let server = Server::start().await;
    let (mut ann, _) = present(&server, "Ann").await;
    let mut bo = server.guest("Bo").await;
    let code = |reply: &Value| reply["code"].as_str().unwrap_or("none").to_owned();
    for named in ["Bo", bo.player.as_str(), "Nobody", "perfect"] {
        assert_eq!(code(&ann.ask(to(named)).await), "player_absent", "{named}");
    }
    assert_eq!(code(&ann.ask(to("Ann")).await), "own_match");
    Account::follow(&mut bo).await;
    let mut cay = server.guest("Cay").await;
    assert_eq!(code(&cay.ask(to("Bo")).await), "account_not_followed");
    for (field, value, expected) in [
        ("position", json!("nim:0"), "bad_position"),
        ("position", json!("nimm:1"), "bad_position"),
        ("position", json!("nim:1,2@every"), "bad_position"),
        ("expires_ms", json!(999), "out_of_range"),
        ("expires_ms", json!(3_600_001), "out_of_range"),
        (
            "clock",
            json!({"type":"fischer","base_ms":1,"increment_ms":0}),
            "out_of_range",
        ),
    ] {
        let mut ask = to("Bo");
        ask[field] = value;
        let refused = ann.ask(ask).await;
        assert_eq!(code(&refused), expected, "{refused}");
    }
    for _ in 0..20 {
        assert_eq!(ann.ask(to("Bo")).await["type"], "challenged");
    }
    let refused = ann.ask(to("Bo")).await;
    assert_eq!(
        (code(&refused), &refused["limit"]),
        ("too_many".into(), &json!("20"))
    );
    let (mut other, _) = present(&server, "Other").await;
    for _ in 0..20 {
        assert_eq!(other.ask(to("Bo")).await["type"], "challenged");
    }
    let (mut third, _) = present(&server, "Third").await;
    for _ in 0..10 {
        assert_eq!(third.ask(to("Bo")).await["type"], "challenged");
    }
    let refused = third.ask(to("Bo")).await;
    assert_eq!(
        (code(&refused), &refused["limit"]),
        ("too_many".into(), &json!("50"))
    );

    // A new name is known at once, and the old one is nobody's.
    let renamed = other.ask(json!({"type":"rename","name":"Otto"})).await;
    assert_eq!(renamed["player"]["name"], "Otto", "{renamed}");
    let by_name = third.ask(to("OTTO")).await;
    assert_eq!(by_name["type"], "challenged", "{by_name}");
    let refused = third.ask(to("Other")).await;
    assert_eq!(code(&refused), "player_absent");
    server.stop().await;
}

#[tokio::test]
async fn an_account_is_resumed_from_a_number_without_a_gap() {
    let server = Server::start().await;
    let (mut ann, _) = present(&server, "Ann").await;
    let (mut bo, mut bos) = present(&server, "Bo").await;
    ann.ask(to("Bo")).await;
    bos.event(&mut bo).await;
    let (stream, seq) = (bos.stream.clone(), bos.seq);
    let (back, _) = server.again(&bo).await;
    drop(bo);
    let mut bo = back;
    let third = ann.ask(to(&bo.player)).await;
    // Whoever is away can be challenged no more, but hears of what was open.
    let id = match third["type"].as_str() {
        Some("challenged") => third["challenge"]["challenge"].clone(),
        _ => Value::Null,
    };
    let ask = json!({"type":"follow_account","stream":stream,"since_seq":seq});
    let reply = bo.ask(ask.clone()).await;
    assert_eq!(
        (&reply["type"], &reply["complete"]),
        (&json!("account"), &json!(true))
    );
    assert_eq!(
        reply["challenges"].as_array().map(Vec::len),
        Some(if id.is_null() { 1 } else { 2 })
    );
    let mut again = Account { stream, seq };
    if !id.is_null() {
        assert_eq!(again.event(&mut bo).await["challenge"]["challenge"], id);
    }
    let first = &reply["challenges"][0]["challenge"];
    ann.ask(json!({"type":"withdraw_challenge","challenge":first}))
        .await;
    assert_eq!(again.event(&mut bo).await["end"], "withdrawn");

    for (name, since, complete) in [
        (again.stream.as_str(), again.seq, true),
        (again.stream.as_str(), 0, true),
        (again.stream.as_str(), again.seq + 1, false),
        ("0123456789abcdef", 0, false),
    ] {
        let (mut fresh, _) = server.again(&bo).await;
        let ask = json!({"type":"follow_account","stream":name,"since_seq":since});
        let reply = fresh.ask(ask).await;
        assert_eq!(reply["complete"], complete, "{name} {since}");
    }
    // More than is kept: 60 events.
    for _ in 0..30 {
        let challenged = ann.ask(to(&bo.player)).await;
        let id = &challenged["challenge"]["challenge"];
        ann.ask(json!({"type":"withdraw_challenge","challenge":id}))
            .await;
    }
    let (mut fresh, _) = server.again(&bo).await;
    let stale = json!({"type":"follow_account","stream":again.stream,"since_seq":again.seq});
    assert_eq!(fresh.ask(stale).await["complete"], false);
    let near = json!({"type":"follow_account","stream":again.stream,"since_seq":again.seq + 30});
    let reply = fresh.ask(near).await;
    assert_eq!(reply["complete"], true);
    let mut rest = Account {
        stream: again.stream,
        seq: again.seq + 30,
    };
    for _ in 0..30 {
        rest.event(&mut fresh).await;
    }
    assert_eq!(rest.seq, reply["seq"]);
    server.stop().await;
}

#[tokio::test]
async fn after_a_restart_challenges_are_gone_and_the_numbering_is_another() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = Plan::on_disk(directory.path()).await.start().await;
    let (mut ann, _) = present(&server, "Ann").await;
    let (bo, bos) = present(&server, "Bo").await;
    let challenged = ann.ask(to("Bo")).await;
    let id = &challenged["challenge"]["challenge"];
    server.stop().await;
    let server = Plan::on_disk(directory.path()).await.start().await;
    let (mut bo, _) = server.again(&bo).await;
    let ask = json!({"type":"follow_account","stream":bos.stream,"since_seq":bos.seq});
    let (now, reply) = Account::follow_since(&mut bo, ask).await;
    assert_ne!(now.stream, bos.stream);
    assert_eq!(
        (&reply["complete"], &reply["challenges"]),
        (&json!(false), &json!([]))
    );
    let refused = bo.ask(json!({"type":"accept","challenge":id})).await;
    assert_eq!(refused["code"], "no_such_challenge");
    server.stop().await;
}

#[tokio::test]
async fn every_match_of_mine_is_announced_however_it_began() {
    let server = Server::start().await;
    let (mut ann, mut anns) = present(&server, "Ann").await;
    let bot = json!({"type":"create","position":"nim:3","side":"first","opponent":{"type":"bot","name":"perfect"}});
    let against_bot = ann.ask(bot).await["match"].clone();
    let began = anns.event(&mut ann).await;
    assert_eq!(
        (&began["match"], &began["opponent"]["name"]),
        (&against_bot, &json!("perfect"))
    );
    let invite = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    let created = ann.ask(invite.clone()).await;
    let mut bo = server.guest("Bo").await;
    bo.ask(json!({"type":"join","code":created["code"]})).await;
    let began = anns.event(&mut ann).await;
    assert_eq!(
        (&began["type"], &began["match"]),
        (&json!("match_began"), &created["match"])
    );
    bo.ask(json!({"type":"resign","match":created["match"]}))
        .await;
    assert_eq!(anns.event(&mut ann).await["reason"], "resignation");
    bo.ask(json!({"type":"rematch","match":created["match"]}))
        .await;
    let rematch = ann
        .ask(json!({"type":"rematch","match":created["match"]}))
        .await;
    assert_eq!(anns.event(&mut ann).await["match"], rematch["rematch"]);
    // An invitation that nobody joined is no match.
    let alone = ann.ask(invite).await;
    ann.ask(json!({"type":"abort","match":alone["match"]}))
        .await;
    ann.ask(json!({"type":"resign","match":against_bot})).await;
    let ended = anns.event(&mut ann).await;
    assert_eq!(
        (&ended["type"], &ended["match"]),
        (&json!("match_ended"), &against_bot)
    );
    let left = ann.ask(json!({"type":"leave_account"})).await;
    assert_eq!(left["type"], "done");
    server.stop().await;
}

#[tokio::test]
async fn a_standing_offer_answers_challenges_at_once() {
    let server = Server::start().await;
    let (mut bot, mut bots) = present(&server, "Bot").await;
    let offer = json!({"type":"offer","games":["nim","kayles"],"at_once":2,"min_base_ms":5_000,"untimed":false});
    assert_eq!(bot.ask(offer).await["type"], "done");
    let mut ann = server.guest("Ann").await;
    let listed = ann.ask(json!({"type":"offers"})).await;
    assert_eq!(
        listed,
        json!({"type":"offers","offers":[{
            "player":{"id":bot.player,"name":"Bot","bot":false},
            "games":["nim","kayles"],"at_once":2,"min_base_ms":5_000,"untimed":false
        }]})
    );
    for (game, found) in [("kayles", 1), ("chomp", 0)] {
        let listed = ann.ask(json!({"type":"offers","game":game})).await;
        assert_eq!(listed["offers"].as_array().map(Vec::len), Some(found));
    }
    let fischer = |base: u64| json!({"type":"fischer","base_ms":base,"increment_ms":0});
    let ask = |position: &str, clock: Value| json!({"type":"challenge","player":"Bot","position":position,"clock":clock,"side":"second"});
    for (position, clock, reason) in [
        ("chomp:3,3", fischer(5_000), "game"),
        ("nim:3+chomp:2,2", fischer(5_000), "game"),
        ("nim:3", fischer(4_999), "too_fast"),
        ("nim:3", json!({"type":"untimed"}), "untimed"),
    ] {
        let refused = ann.ask(ask(position, clock)).await;
        assert_eq!(
            (refused["code"].as_str(), refused["reason"].as_str()),
            (Some("declined"), Some(reason)),
            "{refused}"
        );
    }
    for position in ["nim:3", "nim:2+kayles:3"] {
        let joined = ann.ask(ask(position, fischer(5_000))).await;
        assert_eq!(
            (&joined["type"], &joined["seat"]),
            (&json!("joined"), &json!("second")),
            "{joined}"
        );
        let began = bots.event(&mut bot).await;
        assert_eq!(
            (&began["type"], &began["match"], &began["seat"]),
            (&json!("match_began"), &joined["match"], &json!("first"))
        );
        assert_eq!(ann.event(1).await["position"], position);
    }
    let refused = ann.ask(ask("nim:3", fischer(5_000))).await;
    assert_eq!(
        (refused["code"].as_str(), refused["reason"].as_str()),
        (Some("too_many"), Some("too_many_matches")),
        "{refused}"
    );
    for (field, value, code) in [
        ("games", json!(["nimm"]), "out_of_range"),
        ("at_once", json!(0), "out_of_range"),
        ("at_once", json!(21), "out_of_range"),
        ("min_base_ms", json!(999), "out_of_range"),
    ] {
        let mut offer = json!({"type":"offer","at_once":1});
        offer[field] = value;
        assert_eq!(bot.ask(offer).await["code"], code, "{field}");
    }
    let absent = ann.ask(json!({"type":"offer","at_once":1})).await;
    assert_eq!(absent["code"], "account_not_followed");
    bot.ask(json!({"type":"bye"})).await;
    let gone = ann.ask(ask("nim:3", fischer(5_000))).await;
    assert_eq!(gone["code"], "player_absent");
    assert_eq!(ann.ask(json!({"type":"offers"})).await["offers"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn of_many_who_challenge_at_once_a_bot_gets_as_many_as_it_offered() {
    let plan = Plan::with(|config| config.limits.matches_per_player = 100);
    let server = plan.start().await;
    let (mut bot, mut bots) = present(&server, "Bot").await;
    bot.ask(json!({"type":"offer","at_once":12})).await;
    let mut others = Vec::new();
    for _ in 0..5 {
        others.push(server.guest("Other").await);
    }
    let mut asked = Vec::new();
    for _ in 0..5 {
        for (at, other) in others.iter_mut().enumerate() {
            asked.push((at, other.send(to("Bot")).await));
        }
    }
    let mut made = HashSet::new();
    let mut refused = 0;
    for (at, id) in asked {
        let reply = others[at].reply(id).await;
        match reply["type"].as_str() {
            Some("joined") => {
                made.insert(reply["match"].as_str().expect("an id").to_owned());
            }
            _ => {
                assert_eq!(reply["reason"], "too_many_matches", "{reply}");
                refused += 1;
            }
        }
    }
    assert_eq!((made.len(), refused), (12, 13));
    let mut told = HashSet::new();
    for _ in 0..12 {
        let began = bots.event(&mut bot).await;
        told.insert(began["match"].as_str().expect("an id").to_owned());
    }
    assert_eq!(told, made);
    server.stop().await;
}

#[tokio::test]
async fn offers_come_in_pages_and_an_account_has_so_many_followers() {
    let server = Server::start().await;
    let mut players = Vec::new();
    for _ in 0..5 {
        let (mut client, _) = present(&server, "Bot").await;
        client.ask(json!({"type":"offer","at_once":1})).await;
        players.push(client);
    }
    let mut ann = server.guest("Ann").await;
    let mut seen = HashSet::new();
    let mut ask = json!({"type":"offers","limit":2});
    let mut pages = 0;
    loop {
        let page = ann.ask(ask.clone()).await;
        for offer in page["offers"].as_array().expect("a list") {
            assert!(seen.insert(offer["player"]["id"].as_str().expect("an id").to_owned()));
        }
        pages += 1;
        match page.get("next") {
            Some(next) => ask["after"] = next.clone(),
            None => break,
        }
    }
    assert_eq!((seen.len(), pages), (5, 3));
    let mut followers = Vec::new();
    for number in 1..=16 {
        let (mut again, _) = server.again(&ann).await;
        let reply = again.ask(json!({"type":"follow_account"})).await;
        assert_eq!(reply["type"], "account", "{number}");
        followers.push(again);
    }
    let refused = ann.ask(json!({"type":"follow_account"})).await;
    assert_eq!(
        (&refused["code"], &refused["limit"]),
        (&json!("too_many"), &json!("16"))
    );
    server.stop().await;
}
