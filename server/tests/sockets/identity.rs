//! Passwords, recovery codes and tokens: what they open, when they stop opening it, and what outlives the server.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;

use crate::common::faulty::Faulty;
use crate::common::{Client, Plan, Server, until};
use grundy_server::clock::ManualClock;
use grundy_server::fsck::fsck;
use grundy_server::identity::{LOGINS_MAX, TOKENS_MAX};
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{BanRow, BanSubject};
use grundy_shared::ids::{Millis, PlayerId};
use serde_json::{Value, json};
use tempfile::TempDir;

const PASSWORD: &str = "correct horse";
const OTHER: &str = "battery staple";

fn plan() -> Plan {
    Plan::with(|config| {
        config.limits.logins_per_minute_per_account = 1_000;
        config.limits.logins_per_ten_minutes_per_address = 1_000;
        config.limits.tokens_per_minute_per_player = 1_000;
    })
}

fn login(name: &str, password: &str) -> Value {
    json!({"type":"login","name":name,"password":password})
}

fn set(password: &str) -> Value {
    json!({"type":"set_password","password":password})
}

fn hello(token: &Value) -> Value {
    json!({"type":"hello","protocol":1,"token":token})
}

/// A guest who has claimed the account.
async fn claimed(server: &Server, name: &str) -> Client {
    let mut client = server.guest(name).await;
    let done = client.ask(set(PASSWORD)).await;
    assert_eq!(done["type"], "done", "{done}");
    client
}

/// Logs in, and says hello on the same connection.
async fn come(server: &Server, name: &str, password: &str) -> (Client, Value) {
    let mut client = server.connect().await;
    let proved = client.ask(login(name, password)).await;
    assert_eq!(proved["type"], "logged_in", "{proved}");
    let welcome = client.ask(hello(&proved["token"])).await;
    assert_eq!(welcome["type"], "welcome", "{welcome}");
    (client, proved["token"].clone())
}

/// The code of the answer to this token on a connection of its own.
async fn answer_to(server: &Server, token: &Value) -> Value {
    let answer = server.connect().await.ask(hello(token)).await;
    answer.get("code").cloned().unwrap_or(json!("welcome"))
}

async fn prefixes(client: &mut Client) -> Vec<String> {
    let tokens = client.ask(json!({"type":"tokens"})).await;
    let tokens = tokens["tokens"].as_array().expect("tokens");
    let prefixes = tokens.iter().map(|token| token["prefix"].as_str());
    prefixes
        .map(|prefix| prefix.expect("a prefix").to_owned())
        .collect()
}

/// The prefix of the token of this connection.
async fn own_prefix(client: &mut Client) -> Value {
    let tokens = client.ask(json!({"type":"tokens"})).await;
    let mut tokens = tokens["tokens"].as_array().expect("tokens").iter();
    let own = tokens.find(|token| token["this"] == true);
    own.expect("that of the connection")["prefix"].clone()
}

/// Waits for the notice and the close.
async fn is_signed_out(client: &mut Client) {
    assert_eq!(client.notice().await["type"], "signed_out");
    assert_eq!(client.closed().await, (1008, "signed_out".to_owned()));
}

#[tokio::test]
async fn a_password_opens_the_account_on_a_second_computer_and_the_match_goes_on() {
    let server = plan().start().await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    first.play(&id, 1, "A-1").await;
    second.play(&id, 2, "A-1").await;
    assert_eq!(first.ask(set(PASSWORD)).await["type"], "done");
    // In any case, as names are.
    let (mut elsewhere, _) = come(&server, "FIRST", PASSWORD).await;
    let resumed = elsewhere
        .ask(json!({"type":"resume","match":id,"since_seq":0}))
        .await;
    assert_eq!(resumed["type"], "attached", "{resumed}");
    assert_eq!(elsewhere.play(&id, 3, "A-1").await["type"], "accepted");
    // The first computer's secret is still good.
    let (_, welcome) = server.again(&first).await;
    assert_eq!(welcome["claimed"], true);
    server.stop().await;
}

#[tokio::test]
async fn what_is_wrong_at_a_login_is_not_said() {
    let server = plan().start().await;
    let _ann = claimed(&server, "Ann").await;
    let _guest = server.guest("Bo").await;
    let mut answers = Vec::new();
    for (name, password) in [
        ("Ann", OTHER),
        ("Ann", ""),
        ("Ann", "Correct horse"),
        ("Bo", PASSWORD),
        ("Nobody", PASSWORD),
        ("", PASSWORD),
    ] {
        answers.push(server.connect().await.ask(login(name, password)).await);
    }
    let recover = |name: &str| json!({"type":"recover","name":name,"code":"AAAA-AAAA-AAAA-AAAA","password":OTHER});
    assert_eq!(answers[0]["code"], "bad_credentials", "{}", answers[0]);
    let same = |answers: &[Value]| answers.iter().all(|answer| *answer == answers[0]);
    assert!(same(&answers), "{answers:#?}");
    answers.clear();
    for name in ["Ann", "Bo", "Nobody"] {
        answers.push(server.connect().await.ask(recover(name)).await);
    }
    assert_eq!(answers[0]["code"], "bad_credentials", "{}", answers[0]);
    assert!(same(&answers), "{answers:#?}");
    // The connection stays, and a password that nobody can have is refused before anything is looked up.
    let mut client = server.connect().await;
    for name in ["Ann", "Nobody"] {
        let refused = client.ask(login(name, &"x".repeat(1_025))).await;
        assert_eq!(
            (&refused["code"], &refused["field"]),
            (&json!("out_of_range"), &json!("password"))
        );
        assert!(refused.get("got").is_none());
    }
    assert_eq!(
        client.ask(login("Ann", PASSWORD)).await["type"],
        "logged_in"
    );
    server.stop().await;
}

/// A server with these bounds of attempts, and the one address from which everybody comes.
async fn with_attempts(at_account: u32, from_address: u32) -> Server {
    Plan::with(|config| {
        config.limits.logins_per_minute_per_account = at_account;
        config.limits.logins_per_ten_minutes_per_address = from_address;
    })
    .start()
    .await
}

#[tokio::test]
async fn attempts_are_bounded_by_account_and_by_address_whether_it_is_there_or_not() {
    let server = with_attempts(2, 4).await;
    let mut ann = claimed(&server, "Ann").await;
    let mut client = server.connect().await;
    for _ in 0..2 {
        let wrong = client.ask(login("Ann", OTHER)).await;
        assert_eq!(wrong["code"], "bad_credentials");
    }
    // The right password as well: otherwise guessing would go on.
    let refused = client.ask(login("aNN", PASSWORD)).await;
    assert_eq!(refused["code"], "too_many_attempts", "{refused}");
    let wait = refused["retry_after_ms"].as_u64().expect("a time");
    assert!((1..=30_001).contains(&wait), "{refused}");
    assert_eq!(refused["closes"], false);
    // What the account refuses costs the address nothing.
    for _ in 0..2 {
        let unknown = client.ask(login("Nobody", OTHER)).await;
        assert_eq!(unknown["code"], "bad_credentials");
    }
    // The address has no attempt left, at any account, and the accounts pay nothing for what it refuses.
    for name in ["Cyd", "Cyd", "Cyd", "Nobody"] {
        let refused = server.connect().await.ask(login(name, OTHER)).await;
        assert_eq!(refused["code"], "too_many_attempts");
        let words = refused["message"].as_str().expect("words");
        assert!(words.contains("your address"), "{refused}");
    }
    // Strangers take nothing from a player who is signed in, and cannot guess the password with a new name.
    let change = |current: &str| json!({"type":"set_password","password":OTHER,"current":current});
    let wrong = ann.ask(change(OTHER)).await;
    assert_eq!(wrong["code"], "bad_credentials", "{wrong}");
    let renamed = ann.ask(json!({"type":"rename","name":"Anna"})).await;
    assert_eq!(renamed["type"], "renamed", "{renamed}");
    let refused = ann.ask(change(PASSWORD)).await;
    assert_eq!(refused["code"], "too_many_attempts", "{refused}");
    assert_eq!(ann.ask(json!({"type":"ping"})).await["type"], "pong");
    server.stop().await;
}

#[tokio::test]
async fn strangers_do_not_keep_an_owner_out_who_comes_from_a_known_address() {
    let directory = TempDir::new().expect("a directory");
    let home = [127, 0, 0, 21].into();
    let start = async || {
        let mut plan = Plan::on_disk(directory.path()).await;
        plan.config.limits.logins_per_minute_per_account = 2;
        plan.config.limits.logins_per_ten_minutes_per_address = 4;
        plan.start().await
    };
    let sign_in = async |server: &Server, from: Ipv4Addr, password: &str| {
        let client = server.try_connect_from(from).await;
        client.expect("room").ask(login("Ann", password)).await
    };
    let server = start().await;
    // The account is claimed here, and its owner signs in at home once.
    claimed(&server, "Ann").await;
    let at_home = sign_in(&server, home, PASSWORD).await;
    assert_eq!(at_home["type"], "logged_in", "{at_home}");
    server.stop().await;
    let server = start().await;
    let guess = async |server: &Server| {
        let mut codes = Vec::new();
        for stranger in 31..36 {
            let answer = sign_in(server, [127, 0, 0, stranger].into(), OTHER).await;
            codes.push(answer["code"].clone());
        }
        codes
    };
    let codes = guess(&server).await;
    assert_eq!(
        codes[..2],
        [json!("bad_credentials"), json!("bad_credentials")]
    );
    assert_eq!(codes[2..], vec![json!("too_many_attempts"); 3]);
    // A new address shares their attempts and has to wait, even with the right password.
    let elsewhere = sign_in(&server, [127, 0, 0, 40].into(), PASSWORD).await;
    assert_eq!(elsewhere["code"], "too_many_attempts", "{elsewhere}");
    for from in [home, [127, 0, 0, 1].into()] {
        let at_home = sign_in(&server, from, PASSWORD).await;
        assert_eq!(at_home["type"], "logged_in", "{from}: {at_home}");
    }
    // A known address has no more attempts than any other.
    let wrong = sign_in(&server, home, OTHER).await;
    assert_eq!(wrong["code"], "bad_credentials", "{wrong}");
    let refused = sign_in(&server, home, PASSWORD).await;
    assert_eq!(refused["code"], "too_many_attempts", "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn right_passwords_cost_the_address_nothing() {
    let server = with_attempts(5, 2).await;
    let _ann = claimed(&server, "Ann").await;
    for _ in 0..3 {
        come(&server, "Ann", PASSWORD).await;
    }
    let mut client = server.connect().await;
    for _ in 0..2 {
        let wrong = client.ask(login("Ann", OTHER)).await;
        assert_eq!(wrong["code"], "bad_credentials");
    }
    let refused = client.ask(login("Nobody", OTHER)).await;
    assert_eq!(refused["code"], "too_many_attempts");
    server.stop().await;
}

#[tokio::test]
async fn another_password_needs_the_one_before_and_ends_other_logins() {
    let server = plan().start().await;
    let mut ann = claimed(&server, "Ann").await;
    let (mut elsewhere, token) = come(&server, "Ann", PASSWORD).await;
    let play = ann
        .ask(json!({"type":"create_token","name":"bot","scopes":["play"]}))
        .await;
    for current in [None, Some(OTHER)] {
        let mut ask = set(OTHER);
        ask["current"] = json!(current);
        assert_eq!(ann.ask(ask).await["code"], "bad_credentials", "{current:?}");
    }
    let codes = json!({"type":"new_recovery_codes","password":PASSWORD});
    let codes = ann.ask(codes).await["codes"].clone();
    let long = json!({"type":"set_password","password":OTHER,"current":"x".repeat(1_025)});
    assert_eq!(ann.ask(long).await["field"], "current");
    let ask = json!({"type":"set_password","password":OTHER,"current":PASSWORD});
    assert_eq!(ann.ask(ask).await["type"], "done");
    is_signed_out(&mut elsewhere).await;
    assert_eq!(answer_to(&server, &token).await, "bad_token");
    assert_eq!(answer_to(&server, &json!(ann.token)).await, "welcome");
    assert_eq!(answer_to(&server, &play["secret"]).await, "welcome");
    let refused = server.connect().await.ask(login("Ann", PASSWORD)).await;
    assert_eq!(refused["code"], "bad_credentials");
    // Whoever knew the password until now may have drawn them.
    let recover =
        json!({"type":"recover","name":"Ann","code":codes[0],"password":"another password"});
    let refused = server.connect().await.ask(recover).await;
    assert_eq!(refused["code"], "bad_credentials", "{refused}");
    let (mut again, _) = come(&server, "Ann", OTHER).await;
    let tokens = again.ask(json!({"type":"tokens"})).await;
    assert_eq!(tokens["recovery_codes"], 0, "{tokens}");
    server.stop().await;
}

#[tokio::test]
async fn a_recovery_code_sets_a_password_once_and_leaves_no_other_way_in() {
    let server = plan().start().await;
    let mut ann = claimed(&server, "Ann").await;
    let ask = |password: &str| json!({"type":"new_recovery_codes","password":password});
    assert_eq!(ann.ask(ask(OTHER)).await["code"], "bad_credentials");
    let older = ann.ask(ask(PASSWORD)).await["codes"][0].clone();
    let given = ann.ask(ask(PASSWORD)).await;
    let codes = given["codes"].as_array().expect("codes").clone();
    assert_eq!(codes.len(), 10);
    let long = "x".repeat(1_025);
    let refused = ann.ask(ask(&long)).await;
    assert_eq!(refused["code"], "out_of_range", "{refused}");
    assert_eq!(refused["field"], "password");
    let mut guest = server.guest("Bo").await;
    let refused = guest.ask(ask("")).await;
    assert_eq!(refused["code"], "not_allowed", "{refused}");
    let recover = |code: &Value, password: &str| json!({"type":"recover","name":"ann","code":code,"password":password});
    let mut client = server.connect().await;
    assert_eq!(
        client.ask(recover(&older, OTHER)).await["code"],
        "bad_credentials"
    );
    assert_eq!(
        client.ask(recover(&codes[3], "short")).await["code"],
        "bad_password"
    );
    let sloppy = codes[3]
        .as_str()
        .expect("a code")
        .to_lowercase()
        .replace('-', " ");
    let recovered = client.ask(recover(&json!(sloppy), OTHER)).await;
    assert_eq!(recovered["type"], "logged_in", "{recovered}");
    is_signed_out(&mut ann).await;
    assert_eq!(answer_to(&server, &json!(ann.token)).await, "bad_token");
    let again = server
        .connect()
        .await
        .ask(recover(&codes[3], PASSWORD))
        .await;
    assert_eq!(again["code"], "bad_credentials", "each code is good once");
    // A thief of the list cannot come back with the next one.
    let next = server
        .connect()
        .await
        .ask(recover(&codes[4], PASSWORD))
        .await;
    assert_eq!(next["code"], "bad_credentials", "{next}");
    let welcome = client.ask(hello(&recovered["token"])).await;
    assert_eq!(welcome["type"], "welcome");
    assert_eq!(
        client.ask(json!({"type":"tokens"})).await["recovery_codes"],
        0
    );
    come(&server, "Ann", OTHER).await;
    server.stop().await;
}

#[tokio::test]
async fn a_token_is_listed_rotated_and_revoked_and_its_connections_end_at_once() {
    let server = plan().start().await;
    let mut ann = server.guest("Ann").await;
    let create = json!({"type":"create_token","name":"my bot","scopes":["bot","watch","bot"]});
    let created = ann.ask(create).await;
    let (secret, prefix) = (
        created["secret"].clone(),
        created["token"]["prefix"].clone(),
    );
    assert_eq!(created["token"]["scopes"], json!(["bot", "watch"]));
    let (secret_text, prefix_text) = (
        secret.as_str().expect("text"),
        prefix.as_str().expect("text"),
    );
    assert!(secret_text.starts_with(prefix_text) && prefix_text.len() == 12);
    let listed = ann.ask(json!({"type":"tokens"})).await;
    assert!(!listed.to_string().contains(secret_text), "{listed}");
    let tokens = listed["tokens"].as_array().expect("tokens");
    assert!(tokens.contains(&created["token"]), "{listed}");
    let own = tokens.iter().find(|token| token["this"] == true);
    let own = own.expect("that of the connection")["prefix"].clone();
    let mut bot = server.connect().await;
    bot.ask(hello(&secret)).await;
    let rotate = |token: &Value| json!({"type":"rotate_token","token":token});
    let rotated = ann.ask(rotate(&prefix)).await;
    assert_eq!(rotated["token"]["name"], "my bot");
    assert_ne!(rotated["token"]["prefix"], prefix);
    is_signed_out(&mut bot).await;
    assert_eq!(answer_to(&server, &secret).await, "bad_token");
    let mut bot = server.connect().await;
    assert_eq!(bot.ask(hello(&rotated["secret"])).await["type"], "welcome");
    for gone in [&prefix, &secret, &json!("")] {
        let refused = ann.ask(json!({"type":"revoke_token","token":gone})).await;
        assert_eq!(refused["code"], "no_such_token");
        assert!(!refused.to_string().contains(secret_text), "{refused}");
    }
    assert_eq!(ann.ask(rotate(&own)).await["code"], "not_allowed");
    let revoke = json!({"type":"revoke_token","token":rotated["token"]["prefix"]});
    assert_eq!(ann.ask(revoke).await["type"], "done");
    is_signed_out(&mut bot).await;
    assert_eq!(prefixes(&mut ann).await.len(), 1);
    // The last one is its owner's to revoke.
    assert_eq!(ann.ask(json!({"type":"logout"})).await["type"], "done");
    is_signed_out(&mut ann).await;
    assert_eq!(answer_to(&server, &json!(ann.token)).await, "bad_token");
    server.stop().await;
}

/// A token with these scopes, made by this client; its prefix and a connection with it.
async fn with_token(server: &Server, owner: &mut Client, scopes: &[&str]) -> (Value, Client) {
    let create = json!({"type":"create_token","name":"one more","scopes":scopes});
    let made = owner.ask(create).await;
    assert_eq!(made["type"], "token", "{made}");
    let mut client = server.connect().await;
    let welcome = client.ask(hello(&made["secret"])).await;
    assert_eq!(welcome["type"], "welcome", "{welcome}");
    (made["token"]["prefix"].clone(), client)
}

#[tokio::test]
async fn no_token_reaches_further_than_its_scopes_through_the_account() {
    let server = plan().start().await;
    let mut ann = server.guest("Ann").await;
    let own = own_prefix(&mut ann).await;
    let (_, mut manager) = with_token(&server, &mut ann, &["account"]).await;
    let (plays, _) = with_token(&server, &mut ann, &["play"]).await;
    let (manages, _) = with_token(&server, &mut ann, &["account"]).await;
    let rotate = |token: &Value| json!({"type":"rotate_token","token":token});
    for (token, missing) in [
        (&own, "play, bot, watch, tournament, admin"),
        (&plays, "play"),
    ] {
        let refused = manager.ask(rotate(token)).await;
        assert_eq!(refused["code"], "missing_scope", "{refused}");
        assert_eq!(refused["limit"], missing, "{refused}");
    }
    assert_eq!(manager.ask(rotate(&manages)).await["type"], "token");
    // A password would open the guest's account with every scope.
    let refused = manager.ask(set(PASSWORD)).await;
    assert_eq!(refused["code"], "missing_scope", "{refused}");
    assert_eq!(ann.ask(set(PASSWORD)).await["type"], "done");
    // What the operator has not given is not shown, as in `welcome`.
    let (mut again, _) = come(&server, "Ann", PASSWORD).await;
    let tokens = again.ask(json!({"type":"tokens"})).await;
    assert!(!tokens.to_string().contains("admin"), "{tokens}");
    server.stop().await;
}

/// A server whose store can hold up changes of accounts.
async fn on_faulty() -> (Server, Arc<Faulty>) {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..plan()
    };
    (plan.start().await, store)
}

#[tokio::test]
async fn what_was_under_way_with_a_revoked_token_changes_nothing() {
    let (server, store) = on_faulty().await;
    let mut ann = server.guest("Ann").await;
    let stolen = json!({"type":"create_token","name":"stolen","scopes":["account"]});
    let stolen = ann.ask(stolen).await;
    let mut thieves = Vec::new();
    for _ in 0..4 {
        let mut thief = server.connect().await;
        assert_eq!(thief.ask(hello(&stolen["secret"])).await["type"], "welcome");
        thieves.push(thief);
    }
    let open = Faulty::close(&store.gate);
    let create = json!({"type":"create_token","name":"of a thief","scopes":["account"]});
    let revoke = json!({"type":"revoke_token","token":stolen["token"]["prefix"]});
    thieves[0].send(create.clone()).await;
    store.until_it_waits().await;
    let revoked = ann.send(revoke).await;
    for thief in &mut thieves[1..] {
        thief.send(create.clone()).await;
    }
    // The server has read what came before.
    server.connect().await;
    store.gate.add_permits(open);
    assert_eq!(ann.reply(revoked).await["type"], "done");
    let left = prefixes(&mut ann).await;
    for thief in &mut thieves {
        is_signed_out(thief).await;
    }
    assert_eq!(prefixes(&mut ann).await, left);
    server.stop().await;
}

#[tokio::test]
async fn a_password_that_is_set_with_a_revoked_token_is_not_set() {
    let mut plan = plan();
    plan.config.solver.threads = 1;
    plan.config.solver.cpu_ms = Millis(60_000);
    let server = plan.start().await;
    let mut thief = server.guest("Ann").await;
    let stolen = own_prefix(&mut thief).await;
    let (_, mut owner) = with_token(&server, &mut thief, &["account"]).await;
    // The one thread that could hash the password does something else, so that the token is revoked before.
    let queue = &server.app.metrics.solver_queue;
    let waiting = || queue.waiting_in_all();
    let mut busy = server.guest("Bo").await;
    busy.send(json!({"type":"solve","position":"cram:....../....../....../......@misere"}))
        .await;
    assert_eq!(busy.ask(json!({"type":"ping"})).await["type"], "pong");
    until("the solver works", || queue.running("study") == 1).await;
    thief.send(set(PASSWORD)).await;
    until("the password waits", || waiting() == 1).await;
    let revoke = json!({"type":"revoke_token","token":stolen});
    assert_eq!(owner.ask(revoke).await["type"], "done");
    assert_eq!(waiting(), 1, "it was not tried before");
    drop(busy);
    is_signed_out(&mut thief).await;
    assert_eq!(prefixes(&mut owner).await.len(), 1);
    let refused = server.connect().await.ask(login("Ann", PASSWORD)).await;
    assert_eq!(refused["code"], "bad_credentials", "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn a_program_that_waits_for_its_turn_when_it_is_signed_out_hears_why_it_gets_no_answer() {
    let mut plan = plan();
    plan.config.limits.bot_requests_per_second = 1;
    plan.config.limits.bot_burst = 3;
    let server = plan.start().await;
    let mut bot = server.connect().await;
    let welcome = bot
        .ask(json!({"type":"hello","protocol":1,"name":"Bo","bot":true}))
        .await;
    assert_eq!(welcome["type"], "welcome", "{welcome}");
    let (_, mut owner) = with_token(&server, &mut bot, &["account"]).await;
    let stolen = own_prefix(&mut bot).await;
    // A second each: the last of them waits for minutes.
    let mut last = 0;
    for _ in 0..200 {
        last = bot.send(json!({"type":"ping"})).await;
    }
    let revoke = json!({"type":"revoke_token","token":stolen});
    assert_eq!(owner.ask(revoke).await["type"], "done");
    let refused = bot.reply(last).await;
    assert_eq!(refused["code"], "bad_token", "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn new_tokens_are_bounded_by_the_minute_and_revoking_is_not() {
    let mut plan = plan();
    plan.config.limits.tokens_per_minute_per_player = 2;
    let server = plan.start().await;
    let mut ann = server.guest("Ann").await;
    let create = json!({"type":"create_token","name":"one more","scopes":["play"]});
    let made = ann.ask(create.clone()).await["token"]["prefix"].clone();
    let rotated = ann.ask(json!({"type":"rotate_token","token":made})).await;
    let refused = ann.ask(create).await;
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    let wait = refused["retry_after_ms"].as_u64().expect("a time");
    assert!((1..=30_001).contains(&wait), "{refused}");
    let made = rotated["token"]["prefix"].clone();
    let revoke = json!({"type":"revoke_token","token":made});
    assert_eq!(ann.ask(revoke).await["type"], "done");
    server.stop().await;
}

#[tokio::test]
async fn whoever_is_signed_out_in_a_match_leaves_it_and_nothing_is_done_in_their_name() {
    let server = plan().start().await;
    let (mut first, mut second, _) = server.pair("nim:3,5").await;
    let (mut elsewhere, _) = server.again(&first).await;
    let revoke = json!({"type":"revoke_token","token":prefixes(&mut elsewhere).await[0]});
    elsewhere.send(revoke).await;
    is_signed_out(&mut first).await;
    until("the seat is free", || {
        server.app.addresses.connections() <= 1
    })
    .await;
    assert_eq!(second.event_of("presence").await["online"], false);
    server.stop().await;
}

#[tokio::test]
async fn a_token_expires_on_open_connections_too() {
    let clock = Arc::new(ManualClock::at(Millis(1_000)));
    let mut plan = plan();
    plan.clock = clock.clone();
    let server = plan.start().await;
    let mut ann = server.guest("Ann").await;
    for life in [0, 59_999, 315_360_000_001_u64] {
        let create =
            json!({"type":"create_token","name":"brief","scopes":["play"],"expires_in_ms":life});
        assert_eq!(ann.ask(create).await["code"], "out_of_range", "{life}");
    }
    let create =
        json!({"type":"create_token","name":"brief","scopes":["play"],"expires_in_ms":60_000});
    let created = ann.ask(create).await;
    assert_eq!(created["token"]["expires_at_ms"], 61_000);
    let mut client = server.connect().await;
    let welcome = client.ask(hello(&created["secret"])).await;
    assert_eq!(welcome["token_expires_at_ms"], 61_000);
    clock.advance(Millis(60_000));
    is_signed_out(&mut client).await;
    assert_eq!(answer_to(&server, &created["secret"]).await, "bad_token");
    assert_eq!(prefixes(&mut ann).await.len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn tokens_are_bounded_and_a_login_always_finds_room() {
    let server = plan().start().await;
    let mut ann = claimed(&server, "Ann").await;
    let create = |scope: &str| json!({"type":"create_token","name":"one more","scopes":[scope]});
    for _ in 0..TOKENS_MAX {
        assert_eq!(ann.ask(create("play")).await["type"], "token");
    }
    let refused = ann.ask(create("play")).await;
    assert_eq!(
        (&refused["code"], &refused["limit"]),
        (&json!("too_many"), &json!("50"))
    );
    for _ in 1..LOGINS_MAX {
        assert_eq!(ann.ask(create("account")).await["type"], "token");
    }
    assert_eq!(ann.ask(create("account")).await["code"], "too_many");
    let (mut newest, _) = come(&server, "Ann", PASSWORD).await;
    // The oldest login went.
    is_signed_out(&mut ann).await;
    assert_eq!(prefixes(&mut newest).await.len(), TOKENS_MAX + LOGINS_MAX);
    server.stop().await;
}

#[tokio::test]
async fn an_operator_signs_a_player_out_and_helps_the_player_back_in() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("grundy.db");
    let first = on_disk(&path, None).await;
    let (ann, bo) = (first.guest("Ann").await, claimed(&first, "Bo").await);
    first.stop().await;
    let server = on_disk(&path, Some(&ann)).await;
    let (mut ann, _) = server.again(&ann).await;
    let (mut bo, _) = server.again(&bo).await;
    let about = |kind: &str, player: &str| json!({"type":kind,"player":player});
    let nobody = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    for kind in ["sign_out_player", "help_player"] {
        for player in ["Nobody", nobody] {
            assert_eq!(ann.ask(about(kind, player)).await["code"], "no_such_player");
        }
        assert_eq!(bo.ask(about(kind, "Ann")).await["code"], "not_allowed");
        // Who has a token with the scope `admin` alone must not come to the rest of the account by it.
        let refused = ann.ask(about(kind, "Ann")).await;
        assert_eq!(refused["code"], "not_allowed", "{refused}");
        assert_eq!(refused["field"], "player", "{refused}");
    }
    assert_eq!(
        ann.ask(about("sign_out_player", "bo")).await["type"],
        "done"
    );
    is_signed_out(&mut bo).await;
    let helped = ann.ask(about("help_player", &bo.player)).await;
    assert_eq!(helped["player"]["name"], "Bo", "{helped}");
    let recover = json!({"type":"recover","name":"Bo","code":helped["codes"][0],"password":OTHER});
    assert_eq!(
        server.connect().await.ask(recover).await["type"],
        "logged_in"
    );
    server.stop().await;
}

#[tokio::test]
async fn changes_at_once_are_all_made_one_after_the_other() {
    let server = plan().start().await;
    let ann = server.guest("Ann").await;
    let mut all = Vec::new();
    for _ in 0..24 {
        all.push(server.again(&ann).await.0);
    }
    let create = json!({"type":"create_token","name":"one of many","scopes":["play"]});
    let made = all.iter_mut().map(|client| client.ask(create.clone()));
    let made = futures::future::join_all(made).await;
    let made: Vec<_> = made.iter().map(|made| &made["type"]).collect();
    assert_eq!(made, vec!["token"; all.len()]);
    assert_eq!(prefixes(&mut all[0]).await.len(), 1 + all.len());
    server.stop().await;
}

#[tokio::test]
async fn a_banned_player_gets_no_token_and_only_the_right_password_shows_the_ban() {
    let server = plan().start().await;
    let mut ann = claimed(&server, "Ann").await;
    let codes = json!({"type":"new_recovery_codes","password":PASSWORD});
    let code = ann.ask(codes).await["codes"][0].clone();
    let id: PlayerId = ann.player.parse().expect("an id");
    let subject = BanSubject::Player(id);
    server.app.bans.put(BanRow {
        subject,
        reason: "abuse".to_owned(),
        created_at: Millis(0),
        until: None,
    });
    let recover = json!({"type":"recover","name":"Ann","code":code,"password":OTHER});
    let before = server.store.account(id).await.expect("a store");
    for (request, expected) in [
        (login("Ann", OTHER), "bad_credentials"),
        (login("Ann", PASSWORD), "banned"),
        (recover.clone(), "banned"),
    ] {
        let reply = server.connect().await.ask(request).await;
        assert_eq!(reply["code"], expected, "{reply}");
    }
    let after = server.store.account(id).await.expect("a store");
    assert_eq!(after, before, "no token, and the code is not spent");
    server.app.bans.remove(subject);
    let reply = server.connect().await.ask(recover).await;
    assert_eq!(reply["type"], "logged_in", "{reply}");
    server.stop().await;
}

/// A server with its store in this file, and this operator.
async fn on_disk(path: &Path, operator: Option<&Client>) -> Server {
    let mut plan = plan();
    let operator = operator.map(|operator| operator.player.parse::<PlayerId>().expect("an id"));
    plan.config.operators = operator.into_iter().collect();
    plan.store = Arc::new(SqliteStore::open(path).await.expect("a store"));
    plan.start().await
}

/// What was answered is in the files: nothing of the server that answered is left but these.
#[tokio::test]
async fn what_was_acknowledged_outlives_the_server_and_no_secret_is_in_its_files() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("grundy.db");
    let server = on_disk(&path, None).await;
    let mut ann = claimed(&server, "Ann").await;
    let codes = json!({"type":"new_recovery_codes","password":PASSWORD});
    let codes = ann.ask(codes).await["codes"].clone();
    let create = json!({"type":"create_token","name":"kept","scopes":["play"]});
    let (kept, gone) = (ann.ask(create.clone()).await, ann.ask(create).await);
    let revoke = json!({"type":"revoke_token","token":gone["token"]["prefix"]});
    assert_eq!(ann.ask(revoke).await["type"], "done");
    // As a kill leaves it.
    let copy = TempDir::new().expect("a directory");
    for file in std::fs::read_dir(directory.path()).expect("files") {
        let file = file.expect("a file").path();
        let name = file.file_name().expect("a name");
        if name.to_string_lossy().starts_with("grundy.db")
            && !name.to_string_lossy().contains("shm")
        {
            std::fs::copy(&file, copy.path().join(name)).expect("copied");
        }
    }
    server.stop().await;
    let path = copy.path().join("grundy.db");
    let server = on_disk(&path, None).await;
    assert_eq!(answer_to(&server, &kept["secret"]).await, "welcome");
    assert_eq!(answer_to(&server, &gone["secret"]).await, "bad_token");
    come(&server, "Ann", PASSWORD).await;
    let recover = json!({"type":"recover","name":"Ann","code":codes[0],"password":OTHER});
    assert_eq!(
        server.connect().await.ask(recover).await["type"],
        "logged_in"
    );
    server.stop().await;
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
    let mut secrets = vec![PASSWORD.to_owned(), OTHER.to_owned(), ann.token.clone()];
    for secret in [&kept["secret"], &gone["secret"], &codes[0]] {
        secrets.push(secret.as_str().expect("text").to_owned());
    }
    for file in std::fs::read_dir(copy.path()).expect("files") {
        let bytes = std::fs::read(file.expect("a file").path()).expect("readable");
        for secret in &secrets {
            let found = bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes());
            assert!(!found, "{secret}");
        }
    }
}
