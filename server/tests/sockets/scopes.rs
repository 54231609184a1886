//! The matrix of rights: every request against every scope of a token, and against a connection that has not said who it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{Client, Plan, Server};
use grundy_server::store::sqlite::SqliteStore;
use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::{ClientMessage, Scope};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Every request by its type, with fields that can be read and name nothing that is there. A new request needs a row.
const REQUESTS: &[(&str, &str, &str)] = &[
    // What may send it: `any` token, or one of these scopes.
    ("hello", "any", r#"{"protocol":1}"#),
    ("login", "any", r#"{"name":"Nobody","password":"12345678"}"#),
    (
        "recover",
        "any",
        r#"{"name":"Nobody","code":"AAAA","password":"12345678"}"#,
    ),
    ("logout", "any", "{}"),
    ("rename", "account", r#"{"name":"perfect"}"#),
    ("set_password", "account", r#"{"password":""}"#),
    ("new_recovery_codes", "account", r#"{"password":""}"#),
    ("tokens", "account", "{}"),
    ("create_token", "account", r#"{"name":"a","scopes":[]}"#),
    ("rotate_token", "account", r#"{"token":"grg_"}"#),
    ("revoke_token", "account", r#"{"token":"grg_"}"#),
    ("sign_out_player", "admin", r#"{"player":"Nobody"}"#),
    ("help_player", "admin", r#"{"player":"Nobody"}"#),
    ("ping", "any", "{}"),
    (
        "create",
        "play",
        r#"{"position":"nimm:3","opponent":{"type":"invite"}}"#,
    ),
    ("join", "play bot", r#"{"code":"KWQHRMTB"}"#),
    (
        "move",
        "play bot",
        r#"{"match":"7Kq2mVx9Rt","ply":1,"move":"A-1"}"#,
    ),
    ("resign", "play bot", MATCH),
    ("abort", "play bot", MATCH),
    (
        "propose",
        "play bot",
        r#"{"match":"7Kq2mVx9Rt","proposal":"draw"}"#,
    ),
    (
        "answer",
        "play bot",
        r#"{"match":"7Kq2mVx9Rt","proposed_seq":3,"agree":true}"#,
    ),
    ("withdraw_proposal", "play bot", MATCH),
    ("continue", "play bot", MATCH),
    (
        "plan",
        "play bot",
        r#"{"match":"7Kq2mVx9Rt","ply":1,"lines":[["A-1","B-1"]]}"#,
    ),
    (
        "claim",
        "play bot",
        r#"{"match":"7Kq2mVx9Rt","claim":"win"}"#,
    ),
    ("rematch", "play bot", MATCH),
    ("withdraw", "play bot", MATCH),
    ("decline_rematch", "play bot", MATCH),
    ("resume", "play bot", MATCH),
    ("watch", "any", MATCH),
    ("leave", "any", MATCH),
    (
        "say",
        "play bot",
        r#"{"match":"7Kq2mVx9Rt","room":"players","preset":"hello"}"#,
    ),
    ("chat", "any", r#"{"match":"7Kq2mVx9Rt","room":"players"}"#),
    ("mute", "play bot", r#"{"player":"Nobody"}"#),
    ("unmute", "play bot", r#"{"player":"Nobody"}"#),
    ("muted", "play bot", "{}"),
    ("list", "any", "{}"),
    ("record", "any", MATCH),
    ("moves", "any", r#"{"position":"nim:3"}"#),
    ("solve", "any", r#"{"position":"nim:3"}"#),
    ("explain", "any", r#"{"position":"nim:3","moves":["A-1"]}"#),
    ("review", "any", MATCH),
    ("follow_account", "play bot", "{}"),
    ("leave_account", "play bot", "{}"),
    ("cancel", "any", r#"{"request":1}"#),
    (
        "challenge",
        "play",
        r#"{"player":"Nobody","position":"nim:3"}"#,
    ),
    ("accept", "play bot", r#"{"challenge":"Hc5Wd9JrTe"}"#),
    ("decline", "play bot", r#"{"challenge":"Hc5Wd9JrTe"}"#),
    (
        "withdraw_challenge",
        "play",
        r#"{"challenge":"Hc5Wd9JrTe"}"#,
    ),
    ("offer", "play bot", r#"{"at_once":0}"#),
    ("offers", "any", "{}"),
    ("seek", "play", r#"{"position":"nimm:3"}"#),
    ("seeks", "any", "{}"),
    ("take", "play", r#"{"seek":"Hc5Wd9JrTe"}"#),
    ("withdraw_seek", "play", r#"{"seek":"Hc5Wd9JrTe"}"#),
    ("ratings", "any", "{}"),
    ("rating_history", "any", r#"{"family":"nimm"}"#),
    ("leaderboard", "any", r#"{"family":"nimm"}"#),
    ("puzzle", "play", r#"{"puzzle":"7Kq2mVx9Rt"}"#),
    ("solve_puzzle", "play", r#"{"puzzle":"7Kq2mVx9Rt"}"#),
    (
        "create_tournament",
        "tournament",
        r#"{"name":"","format":{"type":"round_robin"},"rules":{"games":2,"clock":{"type":"fischer","base_ms":60000,"increment_ms":1000},"starts":{"type":"list","positions":["nim:3,5"]},"start_ms":60000,"away_ms":60000},"admission":{"most":2}}"#,
    ),
    ("join_tournament", "play bot", TOURNAMENT),
    ("withdraw_from_tournament", "play bot", TOURNAMENT),
    (
        "control_tournament",
        "tournament",
        r#"{"tournament":"7Kq2mVx9Rt","action":"start"}"#,
    ),
    ("show_tournament", "any", TOURNAMENT),
    ("watch_tournament", "any", TOURNAMENT),
    ("unwatch_tournament", "any", TOURNAMENT),
    ("list_tournaments", "any", "{}"),
    ("tournament_log", "any", TOURNAMENT),
    ("bye", "any", "{}"),
];
const MATCH: &str = r#"{"match":"7Kq2mVx9Rt"}"#;
const TOURNAMENT: &str = r#"{"tournament":"7Kq2mVx9Rt"}"#;

/// Codes that say that a request was not even looked at.
const UNREAD: &[&str] = &[
    "bad_json",
    "unknown_type",
    "unknown_field",
    "missing_field",
    "wrong_type",
];

fn request((kind, _, fields): &(&str, &str, &str)) -> Value {
    let mut request: Value = serde_json::from_str(fields).expect("fields");
    request["type"] = json!(kind);
    request
}

/// A token of the player with one scope.
async fn with(server: &Server, owner: &mut Client, scope: Scope) -> Client {
    let create = json!({"type":"create_token","name":scope.as_str(),"scopes":[scope]});
    let created = owner.ask(create).await;
    assert_eq!(created["type"], "token", "{created}");
    let mut client = server.connect().await;
    let hello = json!({"type":"hello","protocol":1,"token":created["secret"]});
    let welcome = client.ask(hello).await;
    assert_eq!(welcome["scopes"], json!([scope]), "{welcome}");
    client
}

/// A server whose operator is the player who has come.
async fn operated() -> (TempDir, Server, Client) {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("grundy.db");
    let store = async || Arc::new(SqliteStore::open(&path).await.expect("a store"));
    let first = Plan {
        store: store().await,
        ..Plan::default()
    };
    let first = first.start().await;
    let owner = first.guest("Ann").await;
    first.stop().await;
    let mut plan = Plan::with(|config| {
        config.limits.logins_per_minute_per_account = 1_000;
        config.limits.logins_per_ten_minutes_per_address = 1_000;
        let operator: PlayerId = owner.player.parse().expect("an id");
        config.operators = [operator].into_iter().collect();
    });
    plan.store = store().await;
    let server = plan.start().await;
    let (owner, welcome) = server.again(&owner).await;
    assert_eq!(welcome["scopes"], json!(Scope::ALL), "{welcome}");
    (directory, server, owner)
}

#[test]
fn the_table_has_every_request_and_says_what_the_protocol_says() {
    let listed: Vec<_> = REQUESTS.iter().map(|(kind, ..)| *kind).collect();
    let mut sorted = (listed.clone(), ClientMessage::KINDS.to_vec());
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    assert_eq!(sorted.0, sorted.1);
    for (kind, scopes, _) in REQUESTS {
        let needed = ClientMessage::scopes_of(kind).expect("a request");
        let all = needed.iter().count() == Scope::ALL.len();
        let words = if all { "any" } else { &needed.to_words() };
        assert_eq!(words, *scopes, "{kind}");
    }
}

#[tokio::test]
async fn a_token_does_what_its_scope_allows_and_nothing_else() {
    let (_directory, server, mut owner) = operated().await;
    let mut cells = BTreeMap::new();
    for scope in Scope::ALL {
        let mut client = with(&server, &mut owner, *scope).await;
        for row in REQUESTS {
            let (kind, scopes, _) = row;
            let allowed = *scopes == "any" || scopes.split(' ').any(|one| one == scope.as_str());
            let reply = client.ask(request(row)).await;
            let code = reply["code"].as_str().unwrap_or("none");
            assert!(!UNREAD.contains(&code), "{kind}: {reply}");
            assert_eq!(code != "missing_scope", allowed, "{scope} {kind}: {reply}");
            if !allowed {
                let words = reply["message"].as_str().expect("words");
                assert!(
                    words.contains("Ann") && words.contains("grundy token create"),
                    "{words}"
                );
                assert!(
                    words.contains(scopes.split(' ').next().expect("a word")),
                    "{words}"
                );
            }
            *cells.entry(allowed).or_insert(0) += 1;
            if ["bye", "logout"].contains(kind) && allowed {
                client = with(&server, &mut owner, *scope).await;
            }
        }
    }
    assert_eq!(
        cells.values().sum::<i32>(),
        (REQUESTS.len() * Scope::ALL.len()) as i32
    );
    server.stop().await;
}

#[tokio::test]
async fn before_hello_nothing_but_proofs_of_identity_is_answered() {
    let (_directory, server, _owner) = operated().await;
    for row in REQUESTS {
        let (kind, ..) = row;
        let reply = server.connect().await.ask(request(row)).await;
        let expected = match *kind {
            "hello" => "none",
            "login" | "recover" => "bad_credentials",
            _ => "auth_required",
        };
        assert_eq!(
            reply["code"].as_str().unwrap_or("none"),
            expected,
            "{kind}: {reply}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn what_the_operator_gives_is_not_in_the_power_of_a_player() {
    let plan = Plan::with(|config| {
        config.tournaments.create = grundy_server::config::Creators::Operators;
    });
    let server = plan.start().await;
    let mut ann = server.guest("Ann").await;
    let (_, welcome) = server.again(&ann).await;
    assert_eq!(
        welcome["scopes"],
        json!(["play", "bot", "watch", "account"])
    );
    for row in REQUESTS {
        if ["sign_out_player", "help_player", "create_tournament"].contains(&row.0) {
            let refused = ann.ask(request(row)).await;
            assert_eq!(refused["code"], "not_allowed", "{refused}");
            assert!(
                refused["message"]
                    .as_str()
                    .is_some_and(|words| words.contains("`operators`"))
            );
        }
    }
    let admin = json!({"type":"create_token","name":"a","scopes":["admin"]});
    assert_eq!(ann.ask(admin).await["code"], "not_allowed");
    server.stop().await;
}

#[tokio::test]
async fn no_token_makes_one_that_can_do_more() {
    let (_directory, server, mut owner) = operated().await;
    let mut manager = with(&server, &mut owner, Scope::Account).await;
    let more = json!({"type":"create_token","name":"more","scopes":["account","play"]});
    let refused = manager.ask(more).await;
    assert_eq!(
        (&refused["code"], &refused["field"]),
        (&json!("missing_scope"), &json!("scopes"))
    );
    let less = json!({"type":"create_token","name":"less","scopes":["account"]});
    assert_eq!(manager.ask(less).await["type"], "token");
    server.stop().await;
}

#[tokio::test]
async fn a_token_that_does_not_begin_matches_sees_no_join_codes() {
    let (_directory, server, mut owner) = operated().await;
    let create = json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}});
    let code = owner.ask(create).await["code"].clone();
    assert!(code.is_string());
    let list = json!({"type":"list","mine":true});
    for scope in Scope::ALL {
        let mut client = with(&server, &mut owner, *scope).await;
        let listed = client.ask(list.clone()).await;
        let shown = &listed["matches"][0]["code"];
        assert_eq!(shown == &code, *scope == Scope::Play, "{scope}: {listed}");
        if matches!(scope, Scope::Play | Scope::Bot) {
            let id = &listed["matches"][0]["match"];
            let resume = json!({"type":"resume","match":id,"since_seq":0});
            let resumed = client.ask(resume).await;
            assert_eq!(resumed["type"], "attached", "{scope}: {resumed}");
            let shown = &resumed["code"];
            assert_eq!(shown == &code, *scope == Scope::Play, "{scope}: {resumed}");
        }
    }
    server.stop().await;
}
