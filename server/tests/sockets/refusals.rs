//! Every code of the refusal table of docs/PROTOCOL.md, triggered over a real socket, and what the page says of the bounds that no setting moves.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::common::faulty::Faulty;
use crate::common::{Client, Plan, Server};
use futures::{SinkExt, StreamExt};
use grundy_server::clock::ManualClock;
use grundy_server::config::Config;
use grundy_server::store::{BanRow, BanSubject, NodeId};
use grundy_shared::ids::Millis;
use grundy_shared::protocol::ErrorCode;
use grundy_shared::referee::{
    MOVE_BYTES_MAX, MOVES_BYTES_MAX, OFFERS_MAX, POSITION_BYTES_MAX, START_BYTES_MAX,
};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// A request that is refused with this code, on a server made for it; the refusal. A new code does not compile without one.
async fn provoke(code: ErrorCode) -> Value {
    match code {
        ErrorCode::BadJson => frame("{").await,
        ErrorCode::TooDeep => frame(&format!("{}1{}", "[".repeat(9), "]".repeat(9))).await,
        ErrorCode::UnknownType => ask(json!({"type":"mvoe"})).await,
        ErrorCode::UnknownField => ask(json!({"type":"ping","x":1})).await,
        ErrorCode::MissingField => ask(json!({"type":"resign"})).await,
        ErrorCode::WrongType => ask(json!({"type":"resign","match":7})).await,
        ErrorCode::DuplicateField => frame(r#"{"id":1,"id":1,"body":{"type":"ping"}}"#).await,
        ErrorCode::OutOfRange => ask(json!({"type":"list","limit":0})).await,
        ErrorCode::BadName => hello(json!({"name":""})).await,
        ErrorCode::NameTaken => another_by_that_name().await,
        ErrorCode::BadPosition => ask(create("nimm:3")).await,
        ErrorCode::BadGameCode => ask(create("moore.x:3")).await,
        ErrorCode::IllegalMove => in_match(Who::First, mv(1, "A-9")).await,
        ErrorCode::NotYourTurn => in_match(Who::Second, mv(1, "A-1")).await,
        ErrorCode::NotAPlayer => in_match(Who::Stranger, mv(1, "A-1")).await,
        ErrorCode::NotStarted => of_an_invitation(Who::First, json!({"type":"resign"})).await,
        ErrorCode::NotOver => in_match(Who::First, json!({"type":"rematch"})).await,
        ErrorCode::MatchOver => after_two_moves(true, json!({"type":"resign"})).await,
        ErrorCode::TooLate => after_two_moves(false, json!({"type":"abort"})).await,
        ErrorCode::NoSuchProposal => {
            let answer = json!({"type":"answer","proposed_seq":2,"agree":true});
            in_match(Who::First, answer).await
        }
        ErrorCode::NotPossible => {
            in_match(Who::First, json!({"type":"propose","proposal":"draw"})).await
        }
        ErrorCode::AbsentPlayerWins => claim_over_a_lost_position().await,
        ErrorCode::Paused => move_in_a_pause().await,
        ErrorCode::StalePly => in_match(Who::First, mv(2, "A-1")).await,
        ErrorCode::IdempotencyConflict => two_moves_of_one_name().await,
        ErrorCode::NoSuchMatch => ask(json!({"type":"watch","match":"7Kq2mVx9Rt"})).await,
        ErrorCode::NoSuchPlayer => ask(json!({"type":"list","player":"Dan"})).await,
        ErrorCode::NoSuchChallenge => ask(json!({"type":"decline","challenge":"Hc5Wd9JrTe"})).await,
        ErrorCode::PlayerAbsent => challenge_to("Dan", true).await,
        ErrorCode::AccountNotFollowed => challenge_to("Bo", false).await,
        ErrorCode::NoSuchSeek => ask(json!({"type":"take","seek":"Hc5Wd9JrTe"})).await,
        ErrorCode::NoSuchPuzzle => ask(json!({"type":"puzzle","puzzle":"7Kq2mVx9Rt"})).await,
        ErrorCode::Declined => challenge_to("Bo", true).await,
        ErrorCode::NoSuchCode => ask(json!({"type":"join","code":"KWQHRMTB"})).await,
        ErrorCode::SeatTaken => a_code_that_was_used().await,
        ErrorCode::OwnMatch => in_match(Who::First, json!({"type":"watch"})).await,
        ErrorCode::AuthRequired => before_hello(json!({"type":"ping"})).await,
        ErrorCode::AlreadyIdentified => ask(json!({"type":"hello","protocol":1})).await,
        ErrorCode::BadToken => hello(json!({"token":"grg_x"})).await,
        ErrorCode::MissingScope => with_scope("watch", create("nim:3")).await,
        ErrorCode::BadPassword => ask(json!({"type":"set_password","password":"short"})).await,
        ErrorCode::BadCredentials => before_hello(login()).await,
        ErrorCode::TooManyAttempts => the_second_login_in_a_minute().await,
        ErrorCode::NoSuchToken => ask(json!({"type":"revoke_token","token":"grg_12345678"})).await,
        ErrorCode::UnsupportedVersion => hello(json!({"protocol":2})).await,
        ErrorCode::RateLimited => {
            beyond(|config| config.limits.guests_per_minute_per_address = 1).await
        }
        ErrorCode::TooMany => two_matches(|config| config.limits.matches_per_player = 1).await,
        ErrorCode::ServerBusy => two_matches(|config| config.limits.live_matches = 1).await,
        ErrorCode::AnalysisTooLarge => a_review_of_too_many_moves().await,
        ErrorCode::AnalysisRunning => two_analyses().await,
        ErrorCode::Cancelled => a_cancelled_analysis().await,
        ErrorCode::ReadOnly => on(|store| store.full.store(true, Ordering::SeqCst)).await,
        ErrorCode::ShuttingDown => fenced_off().await,
        ErrorCode::BinaryUnsupported => binary().await,
        ErrorCode::NoSuchTournament => {
            ask(json!({"type":"show_tournament","tournament":"7Kq2mVx9Rt"})).await
        }
        ErrorCode::NotAllowed => of_a_tournament(Who::Second, 1, control("start")).await,
        ErrorCode::NotEntered => {
            of_a_tournament(Who::Second, 1, json!({"type":"withdraw_from_tournament"})).await
        }
        ErrorCode::NotAdmitted => {
            of_a_tournament(Who::Stranger, 1, json!({"type":"join_tournament"})).await
        }
        ErrorCode::EntriesClosed => {
            of_a_tournament(Who::Second, 0, json!({"type":"join_tournament"})).await
        }
        ErrorCode::WrongStatus => of_a_tournament(Who::First, 1, control("start")).await,
        ErrorCode::RatedMatch => solve_in_a_rated_match().await,
        ErrorCode::InSeries => rematch_within_a_series().await,
        ErrorCode::InTournament => abort_of_a_tournament_game().await,
        ErrorCode::Banned => from_a_banned_address().await,
        ErrorCode::Internal => on(|store| store.panics.store(1, Ordering::SeqCst)).await,
    }
}

#[tokio::test]
async fn every_code_is_triggered_by_a_request() {
    // Several at a time: a server that stops waits a while for clients that do not close.
    let provoked = ErrorCode::ALL
        .iter()
        .map(|code| async move { (code, provoke(*code).await) });
    let mut provoked = futures::stream::iter(provoked).buffer_unordered(8);
    while let Some((code, refused)) = provoked.next().await {
        assert_eq!(refused["type"], "error", "{code}: {refused}");
        assert_eq!(refused["code"], code.as_str(), "{refused}");
        let words = refused["message"].as_str().expect("words");
        assert!(!words.is_empty(), "{code}: {refused}");
        assert!(refused["closes"].is_boolean(), "{code}: {refused}");
    }
}

/// Who asks in a match between two.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    First,
    Second,
    Stranger,
}

fn create(position: &str) -> Value {
    json!({"type":"create","position":position,"side":"first","opponent":{"type":"invite"}})
}

fn mv(ply: u32, text: &str) -> Value {
    json!({"type":"move","ply":ply,"move":text})
}

fn about(id: &str, mut request: Value) -> Value {
    request["match"] = json!(id);
    request
}

/// The reply to a text that may not be a request.
async fn reply_to(client: &mut Client, text: &str) -> Value {
    client.send_text(text).await;
    let mut reply = client.find(text, |frame| frame.get("re").is_some()).await;
    reply["body"].take()
}

async fn frame(text: &str) -> Value {
    let server = Server::start().await;
    let reply = reply_to(&mut server.guest("Ann").await, text).await;
    server.stop().await;
    reply
}

async fn ask(request: Value) -> Value {
    let server = Server::start().await;
    let reply = server.guest("Ann").await.ask(request).await;
    server.stop().await;
    reply
}

async fn before_hello(request: Value) -> Value {
    let server = Server::start().await;
    let reply = server.connect().await.ask(request).await;
    server.stop().await;
    reply
}

async fn hello(fields: Value) -> Value {
    let mut request = json!({"type":"hello","protocol":1});
    for (key, value) in fields.as_object().expect("fields") {
        request[key] = value.clone();
    }
    before_hello(request).await
}

async fn in_match(who: Who, request: Value) -> Value {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    let request = about(&id, request);
    let reply = match who {
        Who::First => first.ask(request).await,
        Who::Second => second.ask(request).await,
        Who::Stranger => server.guest("Cyd").await.ask(request).await,
    };
    server.stop().await;
    reply
}

async fn of_an_invitation(who: Who, request: Value) -> Value {
    let server = Server::start().await;
    let mut owner = server.guest("Ann").await;
    let created = owner.ask(create("nim:3")).await;
    let request = about(created["match"].as_str().expect("an id"), request);
    let reply = match who {
        Who::First => owner.ask(request).await,
        _ => server.guest("Bob").await.ask(request).await,
    };
    server.stop().await;
    reply
}

async fn after_two_moves(ended: bool, request: Value) -> Value {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:3,5").await;
    first.play(&id, 1, "A-1").await;
    second.play(&id, 2, "A-1").await;
    if ended {
        second.ask(json!({"type":"resign","match":id})).await;
    }
    let reply = first.ask(about(&id, request)).await;
    server.stop().await;
    reply
}

async fn move_in_a_pause() -> Value {
    let server = Server::start().await;
    let clock = json!({"type":"fischer","base_ms":60_000,"increment_ms":0});
    let timed = json!({"type":"create","position":"nim:3,5","side":"first","clock":clock,"opponent":{"type":"invite"}});
    let (mut first, mut second, id) = server.pair_with(timed).await;
    let pause = about(&id, json!({"type":"propose","proposal":"pause"}));
    assert_eq!(first.ask(pause.clone()).await["proposed"], true);
    assert_eq!(second.ask(pause).await["proposed"], Value::Null);
    let reply = first.play(&id, 1, "A-1").await;
    server.stop().await;
    reply
}

/// The first player wins nim:3,5 with best play, and goes away.
async fn claim_over_a_lost_position() -> Value {
    let clock = Arc::new(ManualClock::at(Millis(1_700_000_000_000)));
    let plan = Plan {
        clock: clock.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let (first, mut second, id) = server.pair("nim:3,5").await;
    drop(first);
    let claim = about(&id, json!({"type":"claim","claim":"win"}));
    for _ in 0..1_000 {
        let reply = second.ask(claim.clone()).await;
        if reply["code"] != "not_possible" {
            server.stop().await;
            return reply;
        }
        // That the player is gone is noted after some seconds; then the refusal says how long to wait.
        let wait = reply["retry_after_ms"].as_u64().unwrap_or(1_000);
        clock.advance(Millis(wait));
    }
    panic!("the player is gone, and that is never noted");
}

async fn two_moves_of_one_name() -> Value {
    let server = Server::start().await;
    let (mut first, _second, id) = server.pair("nim:3,5").await;
    let named = |text: &str| {
        let mut request = about(&id, mv(1, text));
        request["client_move_id"] = json!("m-1");
        request
    };
    assert_eq!(first.ask(named("A-1")).await["type"], "accepted");
    let reply = first.ask(named("A-2")).await;
    server.stop().await;
    reply
}

async fn a_code_that_was_used() -> Value {
    let server = Server::start().await;
    let mut owner = server.guest("Ann").await;
    let code = owner.ask(create("nim:3")).await["code"].clone();
    let join = json!({"type":"join","code":code});
    assert_eq!(
        server.guest("Bob").await.ask(join.clone()).await["type"],
        "joined"
    );
    let reply = server.guest("Cyd").await.ask(join).await;
    server.stop().await;
    reply
}

fn login() -> Value {
    json!({"type":"login","name":"Ann","password":"not the password"})
}

async fn the_second_login_in_a_minute() -> Value {
    let plan = Plan::with(|config| config.limits.logins_per_minute_per_account = 1);
    let server = plan.start().await;
    let mut client = server.connect().await;
    assert_eq!(client.ask(login()).await["code"], "bad_credentials");
    let reply = client.ask(login()).await;
    server.stop().await;
    reply
}

/// The reply to one who has come with a token of this scope.
async fn with_scope(scope: &str, request: Value) -> Value {
    let server = Server::start().await;
    let mut owner = server.guest("Ann").await;
    let token = json!({"type":"create_token","name":"a token","scopes":[scope]});
    let token = owner.ask(token).await["secret"].clone();
    let mut client = server.connect().await;
    let hello = json!({"type":"hello","protocol":1,"token":token});
    assert_eq!(client.ask(hello).await["type"], "welcome");
    let reply = client.ask(request).await;
    server.stop().await;
    reply
}

/// A guest asks for the name of another.
async fn another_by_that_name() -> Value {
    let server = Server::start().await;
    let _ann = server.guest("Ann").await;
    let mut other = server.connect().await;
    let hello = json!({"type":"hello","protocol":1,"name":"ann"});
    let reply = other.ask(hello).await;
    server.stop().await;
    reply
}

/// A challenge to a player of this name by one who follows her account, or not. Bo is there; if she follows it, he offers to play
/// another game.
async fn challenge_to(name: &str, following: bool) -> Value {
    let server = Server::start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let follow = json!({"type":"follow_account"});
    assert_eq!(bo.ask(follow.clone()).await["type"], "account");
    if following {
        assert_eq!(ann.ask(follow).await["type"], "account");
        let offer = json!({"type":"offer","games":["kayles"],"at_once":1});
        assert_eq!(bo.ask(offer).await["type"], "done");
    }
    let challenge = json!({"type":"challenge","player":name,"position":"nim:3"});
    let reply = ann.ask(challenge).await;
    server.stop().await;
    reply
}

/// The second guest of a server with these limits.
/// The address is banned after the handshake, which the server refuses from then on.
async fn from_a_banned_address() -> Value {
    let server = Server::start().await;
    let mut client = server.connect().await;
    server.app.bans.put(BanRow {
        subject: BanSubject::Address("127.0.0.0/8".parse().expect("a range")),
        reason: "flood".to_owned(),
        created_at: Millis(0),
        until: None,
    });
    let reply = client.ask(json!({"type":"hello","protocol":1})).await;
    server.stop().await;
    reply
}

async fn beyond(limits: impl FnOnce(&mut Config)) -> Value {
    let server = Plan::with(limits).start().await;
    let _first = server.guest("Ann").await;
    let hello = json!({"type":"hello","protocol":1});
    let reply = server.connect().await.ask(hello).await;
    server.stop().await;
    reply
}

fn control(action: &str) -> Value {
    json!({"type":"control_tournament","action":action})
}

/// A tournament of Ann's, which she has entered. It starts with this many players, and admits only Ann, Bob and Dan.
async fn tournament_of(ann: &mut Client, most: u32) -> Value {
    let created = ann
        .ask(json!({
            "type": "create_tournament",
            "name": "Cup",
            "format": {"type": "round_robin"},
            "rules": {
                "games": 2,
                "clock": {"type": "fischer", "base_ms": 60_000, "increment_ms": 1_000},
                "starts": {"type": "list", "positions": ["nim:3,5"]},
                "start_ms": 60_000,
                "away_ms": 60_000,
            },
            "admission": {"most": most, "names": ["Ann", "Bob", "Dan"]},
        }))
        .await;
    assert_eq!(created["type"], "tournament", "{created}");
    let id = created["tournament"].clone();
    let joined = ann
        .ask(json!({"type":"join_tournament","tournament":id}))
        .await;
    assert_eq!(joined["players"], 1, "{joined}");
    id
}

/// What Ann, Bob or Cyd hears who asks this about Ann's tournament of two, which has one free place, or none.
async fn of_a_tournament(who: Who, free: u32, mut request: Value) -> Value {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.guest("Ann").await, server.guest("Bob").await);
    request["tournament"] = tournament_of(&mut ann, 2).await;
    if free == 0 {
        let mut dan = server.guest("Dan").await;
        let join = json!({"type":"join_tournament","tournament":request["tournament"]});
        assert_eq!(dan.ask(join).await["players"], 2);
    }
    let reply = match who {
        Who::First => ann.ask(request).await,
        Who::Second => bob.ask(request).await,
        Who::Stranger => server.guest("Cyd").await.ask(request).await,
    };
    server.stop().await;
    reply
}

async fn solve_in_a_rated_match() -> Value {
    let server = Server::start().await;
    let terms = json!({"position":"nim:1,2","games":2,"rated":true,
        "clock":{"type":"fischer","base_ms":60_000,"increment_ms":0}});
    let (mut first, _second, _) = server.pair_with(terms).await;
    let reply = first.ask(json!({"type":"solve","position":"nim:1"})).await;
    server.stop().await;
    reply
}

async fn rematch_within_a_series() -> Value {
    let server = Server::start().await;
    let terms = json!({"position":"nim:1","games":2});
    let (mut first, _second, id) = server.pair_with(terms).await;
    first.ask(json!({"type":"resign","match":id})).await;
    let reply = first.ask(json!({"type":"rematch","match":id})).await;
    server.stop().await;
    reply
}

async fn abort_of_a_tournament_game() -> Value {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let id = tournament_of(&mut ann, 2).await;
    let watch = json!({"type":"watch_tournament","tournament":id,"play":true});
    assert_eq!(ann.ask(watch).await["type"], "tournament");
    let join = json!({"type":"join_tournament","tournament":id});
    assert_eq!(bob.ask(join).await["players"], 2);
    let told = ann
        .find("the first game", |frame| {
            frame["body"]["type"] == "tournament_match"
        })
        .await;
    let abort = json!({"type":"abort","match":told["body"]["match"]});
    let reply = ann.ask(abort).await;
    server.stop().await;
    reply
}

/// The second match of a server with these limits.
async fn two_matches(limits: impl FnOnce(&mut Config)) -> Value {
    let server = Plan::with(limits).start().await;
    let mut client = server.guest("Ann").await;
    assert_eq!(client.ask(create("nim:3")).await["type"], "created");
    let reply = client.ask(create("nim:3")).await;
    server.stop().await;
    reply
}

async fn a_review_of_too_many_moves() -> Value {
    let server = Plan::with(|config| config.solver.review_plies = 1)
        .start()
        .await;
    let (mut first, mut second, id) = server.pair("nim:1,1").await;
    first.play(&id, 1, "A-1").await;
    second.play(&id, 2, "B-1").await;
    let reply = first.ask(json!({"type":"review","match":id})).await;
    server.stop().await;
    reply
}

/// A server, and a client whose analysis is not done before it ends with the connection; its id.
async fn a_long_analysis() -> (Server, Client, u64) {
    let server = Plan::with(|config| {
        config.solver.cpu_ms = Millis(60_000);
        config.solver.nodes = 1_000_000_000;
    })
    .start()
    .await;
    let mut client = server.guest("Ann").await;
    let slow = json!({"type":"solve","position":"cram:......../......../......../........@misere"});
    let id = client.send(slow).await;
    (server, client, id)
}

async fn two_analyses() -> Value {
    let (server, mut client, _) = a_long_analysis().await;
    let reply = client.ask(json!({"type":"solve","position":"nim:1"})).await;
    drop(client);
    server.stop().await;
    reply
}

async fn a_cancelled_analysis() -> Value {
    let (server, mut client, id) = a_long_analysis().await;
    let cancel = json!({"type":"cancel","request":id});
    assert_eq!(client.ask(cancel).await["type"], "done");
    let reply = client.reply(id).await;
    server.stop().await;
    reply
}

/// A move while something is wrong with the store.
async fn on(fault: impl FnOnce(&Faulty)) -> Value {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let (mut first, _second, id) = server.pair("nim:3,5").await;
    fault(&store);
    let reply = first.play(&id, 1, "A-1").await;
    store.full.store(false, Ordering::SeqCst);
    server.stop().await;
    reply
}

/// A move on a server whose store belongs to another one by now.
async fn fenced_off() -> Value {
    let server = Server::start().await;
    let (mut first, _second, id) = server.pair("nim:3,5").await;
    let now = server.app.clock.now();
    server
        .store
        .enlist(NodeId::ONLY, now)
        .await
        .expect("enlisted");
    let reply = first.play(&id, 1, "A-1").await;
    server.stop().await;
    reply
}

async fn binary() -> Value {
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    client
        .socket
        .send(Message::binary(vec![1]))
        .await
        .expect("sent");
    let mut reply = client
        .find("a refusal", |frame| frame.get("re").is_some())
        .await;
    server.stop().await;
    reply["body"].take()
}

/// A frame that is refused for a field of so many arrays within each other, if for nothing else.
fn frame_of_arrays(count: usize) -> String {
    let (open, close) = ("[".repeat(count), "]".repeat(count));
    format!(r#"{{"id":1,"body":{{"type":"ping"}},"x":{open}{close}}}"#)
}

/// The second and the third cell of the row of this bound.
fn bound(what: &str) -> (String, String) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/PROTOCOL.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let row = page
        .lines()
        .find(|line| line.starts_with(&format!("| {what} |")));
    let row = row.unwrap_or_else(|| panic!("the page has no bound of {what:?}"));
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    (cells[1].to_owned(), cells[2].to_owned())
}

/// At the bound a request is not refused with the code that the page has for one beyond it.
async fn check(what: &str, within: Value, past: Value) {
    let (_, shown) = bound(what);
    let (within, past) = (ask(within).await, ask(past).await);
    assert_ne!(within["code"], shown.trim_matches('`'), "{what}: {within}");
    assert_eq!(
        format!("`{}`", past["code"].as_str().unwrap_or("none")),
        shown,
        "{what}: {past}"
    );
}

#[tokio::test]
async fn bounds_of_requests_are_those_of_the_page() {
    let (most, shown) = bound("Nesting of arrays and objects");
    let most: usize = most.trim_end_matches(" levels").parse().expect("a number");
    let deep = |levels: usize| frame_of_arrays(levels - 1);
    assert_eq!(frame(&deep(most)).await["code"], "unknown_field");
    let past = frame(&deep(most + 1)).await["code"].clone();
    assert_eq!(format!("`{}`", past.as_str().expect("a code")), shown);
    let list = |limit: u32| json!({"type":"list","limit":limit});
    check("Entries on a page, or winning moves", list(200), list(201)).await;
    let solve = |most: u32| json!({"type":"solve","position":"nim:1","max_moves":most});
    check(
        "Entries on a page, or winning moves",
        solve(200),
        solve(201),
    )
    .await;
    let named = |letters: usize| {
        let name = "x".repeat(letters);
        json!({"type":"move","match":"7Kq2mVx9Rt","ply":1,"move":"A-1","client_move_id":name})
    };
    let what = "Characters of a `client_move_id` or `client_create_id`";
    check(what, named(64), named(65)).await;
    check(what, named(1), named(0)).await;
    let created = |letters: usize| {
        let mut request = create("nim:3");
        request["client_create_id"] = json!("x".repeat(letters));
        request
    };
    check(what, created(64), created(65)).await;
    let clock = |base: u64, increment: u64| {
        let mut request = create("nim:3");
        request["clock"] = json!({"type":"fischer","base_ms":base,"increment_ms":increment});
        request
    };
    let what = "Starting time, increment";
    check(what, clock(1_000, 0), clock(999, 0)).await;
    check(what, clock(86_400_000, 3_600_000), clock(86_400_001, 0)).await;
    check(what, clock(1_000, 3_600_000), clock(1_000, 3_600_001)).await;
}

#[tokio::test]
async fn bounds_of_hello_are_those_of_the_page() {
    for (what, field, most) in [
        ("Characters of a name", "name", 32),
        ("Bytes of `client`", "client", 64),
        ("Bytes of `language`", "language", 35),
    ] {
        let (_, shown) = bound(what);
        let within = hello(json!({field:"x".repeat(most)})).await;
        assert_eq!(within["type"], "welcome", "{what}: {within}");
        let past = hello(json!({field:"x".repeat(most + 1)})).await;
        assert_eq!(
            format!("`{}`", past["code"].as_str().expect("a code")),
            shown,
            "{past}"
        );
    }
}

#[tokio::test]
async fn bounds_of_positions_are_those_of_the_page() {
    let (bytes, shown) = bound("Bytes of a start position, written out");
    assert_eq!(bytes, format!("{} KiB", START_BYTES_MAX / 1024));
    let (_, mv_shown) = bound("Bytes of a move in a start position");
    let server = Plan::with(|config| config.limits.message_bytes = 65_536)
        .start()
        .await;
    let mut client = server.guest("Ann").await;
    let long = |heaps: usize| create(&format!("nim:{}", vec!["1"; heaps].join(",")));
    let heaps = (START_BYTES_MAX - "nim:".len()).div_ceil(2);
    assert_eq!(client.ask(long(heaps)).await["type"], "created");
    let past = client.ask(long(heaps + 1)).await;
    assert_eq!(
        format!("`{}`", past["code"].as_str().unwrap_or("none")),
        shown,
        "{past}"
    );
    let every =
        |components: usize| create(&format!("{}@every", vec!["nim:1"; components].join("+")));
    assert_eq!(client.ask(every(100)).await["type"], "created");
    let past = client.ask(every(2_500)).await;
    assert_eq!(
        format!("`{}`", past["code"].as_str().unwrap_or("none")),
        mv_shown,
        "{past}"
    );
    server.stop().await;
    for (what, bytes) in [
        ("Bytes of a move in a start position", MOVE_BYTES_MAX),
        ("Bytes of a position during a match", POSITION_BYTES_MAX),
    ] {
        assert_eq!(bound(what).0, format!("{} KiB", bytes / 1024));
    }
    let moves = bound("Bytes of all moves of a match, plus 256 for each").0;
    assert_eq!(moves, format!("{} MiB", MOVES_BYTES_MAX / 1024 / 1024));
}

#[tokio::test]
async fn offers_of_a_rematch_are_bounded_as_the_page_says() {
    let (most, shown) = bound("Offers of a rematch in a match");
    assert_eq!(most, OFFERS_MAX.to_string());
    let server = Server::start().await;
    let (mut first, _second, id) = server.pair("nim:3,5").await;
    first.ask(json!({"type":"resign","match":id})).await;
    for _ in 0..OFFERS_MAX {
        let offered = first.ask(json!({"type":"rematch","match":id})).await;
        assert_eq!(offered["type"], "rematch", "{offered}");
        first.ask(json!({"type":"withdraw","match":id})).await;
    }
    let past = first.ask(json!({"type":"rematch","match":id})).await;
    assert_eq!(
        format!("`{}`", past["code"].as_str().unwrap_or("none")),
        shown,
        "{past}"
    );
    server.stop().await;
}
