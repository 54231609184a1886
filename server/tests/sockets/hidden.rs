//! What is hidden from a player answers as what does not exist: byte for byte the same, but for the name that was asked for.

use std::collections::BTreeSet;

use crate::common::{Client, Plan};
use crate::tournaments::cup;
use grundy_server::audit::Actor;
use grundy_server::erasure;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::PlayerId;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Ids that nobody has drawn.
const ABSENT: &str = "7Kq2mVx9Rt";
const NOBODY: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";
/// Ten digits beyond the largest id, and texts that are no id.
const MALFORMED: [&str; 4] = ["zzzzzzzzzz", "7Kq2mVx9R0", "x", ""];

/// Fields by which a request names something that another player may have made.
const NAMING: [&str; 9] = [
    "challenge",
    "code",
    "match",
    "opponent",
    "player",
    "seek",
    "stream",
    "token",
    "tournament",
];
/// All other fields of requests: terms, texts, places in a list, puzzles, which are there for everybody, and the asker's own names and secrets.
const PLAIN: [&str; 62] = [
    "action",
    "admission",
    "after",
    "after_ply",
    "agree",
    "at_once",
    "automatic",
    "before",
    "bot",
    "bots",
    "claim",
    "client",
    "client_create_id",
    "client_move_id",
    "clock",
    "current",
    "expires_in_ms",
    "expires_ms",
    "family",
    "format",
    "from",
    "game",
    "games",
    "hints",
    "label",
    "language",
    "limit",
    "lines",
    "max_moves",
    "min_base_ms",
    "mine",
    "move",
    "moves",
    "name",
    "only",
    "order",
    "password",
    "picture",
    "play",
    "ply",
    "position",
    "preset",
    "progress",
    "proposal",
    "proposed_seq",
    "protocol",
    "provisional",
    "puzzle",
    "rated",
    "reason",
    "request",
    "room",
    "rules",
    "scopes",
    "session",
    "side",
    "since_seq",
    "start_in_ms",
    "status",
    "text",
    "to_move",
    "untimed",
];
/// Whose answers are compared elsewhere (`identity.rs`), or that name only a built-in bot.
const ELSEWHERE: [(&str, &str); 3] = [
    ("create", "opponent"),
    ("hello", "token"),
    ("recover", "code"),
];

/// Types of requests with a field of theirs.
type Fields = BTreeSet<(String, String)>;

fn pair(kind: &str, field: &str) -> (String, String) {
    (kind.to_owned(), field.to_owned())
}

/// Every request with each of its fields, as the schema says.
fn fields_of_requests() -> Fields {
    let schema = std::fs::read("../docs/protocol.schema.json").expect("the schema");
    let schema: Value = serde_json::from_slice(&schema).expect("JSON");
    let requests = schema["$defs"]["ClientMessage"]["oneOf"].as_array();
    let mut found = Fields::new();
    for request in requests.expect("requests") {
        let fields = request["properties"].as_object().expect("fields");
        let kind = fields["type"]["const"].as_str().expect("a type");
        let others = fields.keys().filter(|field| *field != "type");
        found.extend(others.map(|field| pair(kind, field)));
    }
    found
}

/// The fields of these names alone.
fn named(fields: &[&str]) -> Fields {
    let mut found = fields_of_requests();
    found.retain(|(_, field)| fields.contains(&&**field));
    found
}

/// Requests without the field that is compared.
struct Asks {
    field: &'static str,
    bodies: Vec<Value>,
}

impl Asks {
    /// Of these types, with nothing but the field.
    fn bare(field: &'static str, kinds: &[&str]) -> Self {
        let bodies = kinds.iter().map(|kind| json!({"type":kind})).collect();
        Self { field, bodies }
    }

    fn and(mut self, bodies: impl IntoIterator<Item = Value>) -> Self {
        self.bodies.extend(bodies);
        self
    }

    fn kinds(&self) -> Fields {
        let kind = |body: &Value| body["type"].as_str().expect("a type").to_owned();
        let of_body = |body| pair(&kind(body), self.field);
        self.bodies.iter().map(of_body).collect()
    }

    /// Asks each with every one of the names, the first of which nobody has. All refusals must have this code.
    async fn assert_alike(&self, client: &mut Client, code: &str, names: &[&str]) {
        for body in &self.bodies {
            let expected = self.answer(client, body, names[0]).await;
            let refused: Value = serde_json::from_str(&expected).expect("JSON");
            assert_eq!(refused["code"].as_str().unwrap_or(""), code, "{refused}");
            for name in &names[1..] {
                let answer = self.answer(client, body, name).await;
                assert_eq!(answer, expected, "{body} {} {name:?}", self.field);
            }
        }
    }

    /// The whole answer as text, with the name left out.
    async fn answer(&self, client: &mut Client, body: &Value, name: &str) -> String {
        let mut ask = body.clone();
        ask[self.field] = json!(name);
        let mut answer = client.ask(ask).await;
        if answer["got"] == name {
            answer["got"] = json!("NAME");
        }
        answer.to_string()
    }
}

/// Every request that names a match.
fn about_a_match() -> Asks {
    let alone = [
        "resign",
        "abort",
        "withdraw_proposal",
        "continue",
        "rematch",
        "withdraw",
        "decline_rematch",
        "resume",
        "watch",
        "leave",
        "record",
        "moves",
        "review",
    ];
    Asks::bare("match", &alone).and([
        json!({"type":"move","ply":1,"move":"A-1"}),
        json!({"type":"move","ply":7,"move":"Z-9","client_move_id":"a"}),
        json!({"type":"propose","proposal":"draw"}),
        json!({"type":"propose","proposal":"abort"}),
        json!({"type":"answer","proposed_seq":3,"agree":true}),
        json!({"type":"plan","ply":1,"lines":[["A-1","B-1"]]}),
        json!({"type":"claim","claim":"win"}),
        json!({"type":"resume","since_seq":99}),
        json!({"type":"watch","since_seq":99}),
        json!({"type":"say","room":"players","preset":"hello"}),
        json!({"type":"say","room":"watchers","text":"hello"}),
        json!({"type":"chat","room":"players"}),
        json!({"type":"chat","room":"watchers","after":5}),
        json!({"type":"record","since_seq":9}),
        json!({"type":"review","after_ply":3}),
        json!({"type":"moves","from":3}),
    ])
}

/// Every request that names a challenge.
fn about_a_challenge() -> Asks {
    Asks::bare("challenge", &["accept", "decline", "withdraw_challenge"])
        .and([json!({"type":"decline","reason":"later"})])
}

/// Every request that names a seek.
fn about_a_seek() -> Asks {
    Asks::bare("seek", &["take", "withdraw_seek"])
}

/// Every request that names a token of the asker's own account.
fn about_a_token() -> Asks {
    Asks::bare("token", &["rotate_token", "revoke_token"])
}

/// Every request that names a tournament.
fn about_a_tournament() -> Asks {
    let alone = [
        "join_tournament",
        "withdraw_from_tournament",
        "show_tournament",
        "watch_tournament",
        "unwatch_tournament",
        "tournament_log",
    ];
    Asks::bare("tournament", &alone).and([
        json!({"type":"control_tournament","action":"start"}),
        json!({"type":"control_tournament","action":"cancel","reason":"rain"}),
        json!({"type":"show_tournament","after":3,"limit":0}),
        json!({"type":"watch_tournament","play":true}),
        json!({"type":"tournament_log","since_seq":9,"games":true}),
    ])
}

/// Requests that look a player up by name.
fn about_a_player() -> Asks {
    Asks::bare("player", &["mute", "unmute", "list", "ratings"]).and([
        json!({"type":"rating_history","family":"nim"}),
        json!({"type":"list","status":"over","only":{"min_mistakes":0}}),
    ])
}

/// Requests of operators.
fn in_care() -> Asks {
    Asks::bare("player", &["sign_out_player", "help_player"])
}

fn challenge() -> Asks {
    Asks::bare("player", &[]).and([json!({"type":"challenge","position":"nim:3"})])
}

fn opponent() -> Asks {
    Asks::bare("opponent", &[]).and([json!({"type":"list","mine":true})])
}

fn code() -> Asks {
    Asks::bare("code", &["join"])
}

fn stream() -> Asks {
    Asks::bare("stream", &["follow_account"])
}

#[test]
fn every_name_in_a_request_is_compared() {
    let known: Vec<&str> = NAMING.iter().chain(&PLAIN).copied().collect();
    let unknown: Vec<_> = fields_of_requests()
        .difference(&named(&known))
        .cloned()
        .collect();
    assert_eq!(unknown, [], "does the field name something?");
    let compared = [
        about_a_match(),
        about_a_challenge(),
        about_a_seek(),
        about_a_token(),
        about_a_tournament(),
        about_a_player(),
        in_care(),
        challenge(),
        opponent(),
        code(),
        stream(),
    ];
    let mut found: Fields = compared.iter().flat_map(Asks::kinds).collect();
    found.extend(ELSEWHERE.map(|(kind, field)| pair(kind, field)));
    assert_eq!(found, named(&NAMING));
}

fn generous() -> Plan {
    Plan::with(|config| {
        config.limits.chat_burst = 1_000;
        config.limits.tokens_per_minute_per_player = 1_000;
        config.limits.code_guesses_per_minute = 1_000;
    })
}

/// The id or code under this key of a reply of this type.
async fn made(client: &mut Client, ask: Value, kind: &str, key: &str) -> String {
    let reply = client.ask(ask).await;
    assert_eq!(reply["type"], kind, "{reply}");
    let found = reply[key].as_str().or(reply[key][key].as_str());
    found.expect("a text").to_owned()
}

fn invitation() -> Value {
    json!({"type":"create","position":"nim:3","opponent":{"type":"invite"}})
}

#[tokio::test]
async fn a_hidden_match_answers_as_an_absent_one_but_for_the_id() {
    let server = generous().start().await;
    let mut owner = server.guest("Ann").await;
    let waiting = made(&mut owner, invitation(), "created", "match").await;
    let ended = made(&mut owner, invitation(), "created", "match").await;
    let cancelled = owner.ask(json!({"type":"abort","match":ended})).await;
    assert_eq!(cancelled["type"], "done");
    let mut stranger = server.guest("Bob").await;
    let ids = [&[ABSENT, &*waiting, &*ended][..], &MALFORMED].concat();
    let asks = about_a_match();
    asks.assert_alike(&mut stranger, "no_such_match", &ids)
        .await;
    server.stop().await;
}

/// No list says of a player that there are matches which it does not show.
#[tokio::test]
async fn lists_of_a_player_with_hidden_matches_are_those_of_one_without() {
    let server = generous().start().await;
    let (mut owner, other) = (server.guest("Ann").await, server.guest("Cay").await);
    for is_revoked in [false, true] {
        let id = made(&mut owner, invitation(), "created", "match").await;
        if is_revoked {
            let cancelled = owner.ask(json!({"type":"abort","match":id})).await;
            assert_eq!(cancelled["type"], "done");
        }
    }
    let mut asks = vec![json!({"type":"list"})];
    for status in ["waiting", "live", "over"] {
        asks.push(json!({"type":"list","status":status}));
    }
    for order in ["newest", "oldest", "ended"] {
        asks.push(json!({"type":"list","order":order,"limit":1}));
    }
    for only in [
        json!({"game":"nim"}),
        json!({"start":"nim:3"}),
        json!({"result":"void"}),
        json!({"rated":false}),
        json!({"since_ms":1}),
        json!({"max_plies":5}),
        json!({"max_mistakes":5}),
        json!({"min_mistakes":0}),
    ] {
        asks.push(json!({"type":"list","only":only}));
    }
    let mut stranger = server.guest("Bob").await;
    let asks = Asks::bare("player", &[]).and(asks);
    for names in [
        [&*other.player, &*owner.player, NOBODY],
        ["Cay", "Ann", "cay"],
    ] {
        asks.assert_alike(&mut stranger, "", &names).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn challenges_and_seeks_of_others_answer_as_absent_ones() {
    let server = generous().start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    for client in [&mut ann, &mut bo] {
        let followed = client.ask(json!({"type":"follow_account"})).await;
        assert_eq!(followed["type"], "account");
    }
    let ask = json!({"type":"challenge","player":"Bo","position":"nim:3"});
    let open = made(&mut ann, ask.clone(), "challenged", "challenge").await;
    let over = made(&mut ann, ask, "challenged", "challenge").await;
    let withdrawn = json!({"type":"withdraw_challenge","challenge":over});
    assert_eq!(ann.ask(withdrawn).await["type"], "done");
    let seek = json!({"type":"seek","position":"nim:3"});
    let seeking = made(&mut ann, seek.clone(), "seeking", "seek").await;
    let sought = made(&mut ann, seek, "seeking", "seek").await;
    let withdrawn = json!({"type":"withdraw_seek","seek":sought});
    assert_eq!(ann.ask(withdrawn).await["type"], "done");

    let mut cay = server.guest("Cay").await;
    assert_eq!(
        cay.ask(json!({"type":"follow_account"})).await["type"],
        "account"
    );
    let ids = [&[ABSENT, &*open, &*over][..], &MALFORMED].concat();
    let asks = about_a_challenge();
    asks.assert_alike(&mut cay, "no_such_challenge", &ids).await;
    let ids = [&[ABSENT, &*sought][..], &MALFORMED].concat();
    about_a_seek()
        .assert_alike(&mut cay, "no_such_seek", &ids)
        .await;
    let own = Asks::bare("seek", &["withdraw_seek"]);
    own.assert_alike(&mut cay, "no_such_seek", &[ABSENT, &seeking])
        .await;
    server.stop().await;
}

#[tokio::test]
async fn tokens_codes_and_streams_of_others_answer_as_absent_ones() {
    let server = generous().start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let create = json!({"type":"create_token","name":"t","scopes":["play"]});
    let made_token = ann.ask(create).await;
    let prefix = made_token["token"]["prefix"].as_str().expect("a prefix");
    let whole = made_token["secret"].as_str().expect("a secret");
    let names = ["grg_AAAAAAAA", prefix, whole, ""];
    about_a_token()
        .assert_alike(&mut bo, "no_such_token", &names)
        .await;

    let invited = ann.ask(invitation()).await;
    let abort = json!({"type":"abort","match":invited["match"]});
    assert_eq!(ann.ask(abort).await["type"], "done");
    let revoked = invited["code"].as_str().expect("a code");
    code()
        .assert_alike(&mut bo, "no_such_code", &["BCDFGHJK", revoked, "x", ""])
        .await;

    let account = ann.ask(json!({"type":"follow_account"})).await;
    let of_ann = account["stream"].as_str().expect("a stream");
    stream().assert_alike(&mut bo, "", &["x", of_ann, ""]).await;
    server.stop().await;
}

/// All players are public under their names of now. The names that they had before are nobody's.
#[tokio::test]
async fn names_that_players_had_before_answer_as_those_that_nobody_had() {
    let directory = TempDir::new().expect("a directory");
    let first = Plan::on_disk(directory.path()).await.start().await;
    let chief = first.guest("Chief").await;
    first.stop().await;
    let operator: PlayerId = chief.player.parse().expect("an id");
    let mut plan = Plan::on_disk(directory.path()).await;
    plan.config.operators = [operator].into_iter().collect();
    let server = plan.start().await;
    let (mut chief, _) = server.again(&chief).await;
    let mut renamed = server.guest("Ann").await;
    let renaming = renamed.ask(json!({"type":"rename","name":"Zoe"})).await;
    assert_eq!(renaming["type"], "renamed");
    // Nobody forgets an old name as thoroughly as who is erased.
    let erased = server.guest("Gone").await;
    let player = PlayerInfo {
        id: erased.player.parse().expect("an id"),
        name: "Gone".to_owned(),
        bot: false,
    };
    drop(erased);
    let by = Actor::User { uid: 0 };
    let done = Box::pin(erasure::erase(&server.app, by, player, None)).await;
    done.expect("erased");

    let mut stranger = server.guest("Bob").await;
    let names = ["Nobody", "Ann", "Gone", "ANN", "g0ne", "x"];
    about_a_player()
        .assert_alike(&mut stranger, "no_such_player", &names)
        .await;
    opponent()
        .assert_alike(&mut stranger, "no_such_player", &names)
        .await;
    in_care()
        .assert_alike(&mut chief, "no_such_player", &names)
        .await;
    // Who is an operator, and who is there at all, is not for others to find out.
    let all = [NOBODY, &*chief.player, &*renamed.player, "Zoe", "Nobody"];
    in_care()
        .assert_alike(&mut stranger, "not_allowed", &all)
        .await;
    // Only those who wait for challenges can be told from those who do not exist.
    let names = [&names[..], &["Zoe", &*renamed.player, NOBODY]].concat();
    challenge()
        .assert_alike(&mut stranger, "player_absent", &names)
        .await;
    server.stop().await;
}

/// There are no private tournaments: who may not enter sees one all the same, and one that does not exist has one answer.
#[tokio::test]
async fn a_tournament_that_is_not_there_has_one_answer_and_no_tournament_is_hidden() {
    let server = generous().start().await;
    let mut stranger = server.guest("Bob").await;
    let ids = [&[ABSENT][..], &MALFORMED].concat();
    about_a_tournament()
        .assert_alike(&mut stranger, "no_such_tournament", &ids)
        .await;
    let mut closed = cup(&json!({"type":"round_robin"}), 3);
    closed["admission"]["names"] = json!(["Ann"]);
    let mut organiser = server.guest("Ann").await;
    let id = made(&mut organiser, closed, "tournament", "tournament").await;
    let of = |kind: &str| json!({"type":kind,"tournament":id});
    assert_eq!(
        stranger.ask(of("join_tournament")).await["code"],
        "not_admitted"
    );
    for kind in ["show_tournament", "watch_tournament", "tournament_log"] {
        let shown = stranger.ask(of(kind)).await;
        assert_eq!(shown["tournament"], json!(id), "{kind}: {shown}");
    }
    let listed = stranger.ask(json!({"type":"list_tournaments"})).await;
    assert_eq!(listed["tournaments"][0]["tournament"], json!(id));
    server.stop().await;
}
