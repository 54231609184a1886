//! Hostile bots over WebSocket: each loses its own match, with the cause in the record, and costs nobody else anything.

use crate::common::{Client, Plan, Server, in_time};
use futures::SinkExt as _;
use grundy_server::config::Config;
use grundy_server::store::{LOAD_PAGE, StreamId};
use grundy_shared::event::{EndReason, Event, Outcome};
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::referee::Referee;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio_tungstenite::tungstenite::Message;

/// The time that a hostile bot has in all, and its opponent too, who does not need it.
const BASE_MS: u64 = 1_500;
/// The same where the opponent moves: time enough for that on a busy machine.
const BASE_OF_MOVERS_MS: u64 = 10_000;
/// The time of who behaves: it does not run out.
const HOUR_MS: u64 = 3_600_000;

/// What a hostile bot does when it is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Says nothing more, and reads nothing.
    Sleeps,
    /// Goes without a word.
    Disconnects,
    /// Goes in the middle of a frame.
    DisconnectsInAFrame,
    /// Sends its move and goes before the answer.
    DisconnectsAfterItsMove,
    /// Moves for the other side, and resigns for it.
    PlaysTheOtherSide,
    /// Answers the same ply again and again, and plies of the past and the future.
    OldAnswers,
    /// Sends moves that are not legal.
    IllegalMoves,
    /// Asks for more than anybody could answer.
    Floods,
    /// Sends text that is not JSON.
    Nonsense,
    /// Sends text that is not UTF-8.
    Bytes,
    /// Sends a binary message.
    Binary,
    /// Sends a message of 4 MiB.
    Giant,
    /// Begins a message in fragments and never ends it.
    Fragments,
    /// Comes back again and again with the same token, on connection after connection.
    Doubles,
    /// Leaves and resumes as fast as it can.
    ComesAndGoes,
}

const MODES: [Mode; 15] = [
    Mode::Sleeps,
    Mode::Disconnects,
    Mode::DisconnectsInAFrame,
    Mode::DisconnectsAfterItsMove,
    Mode::PlaysTheOtherSide,
    Mode::OldAnswers,
    Mode::IllegalMoves,
    Mode::Floods,
    Mode::Nonsense,
    Mode::Bytes,
    Mode::Binary,
    Mode::Giant,
    Mode::Fragments,
    Mode::Doubles,
    Mode::ComesAndGoes,
];

/// A server with the limits that it has when nobody sets any, but for one address playing everybody.
async fn server() -> Server {
    let change = |config: &mut Config| {
        let defaults = Config::default().limits;
        config.limits.burst = defaults.burst;
        config.limits.requests_per_second = defaults.requests_per_second;
        config.times.away_ms = Config::default().times.away_ms;
    };
    Plan::with(change).start().await
}

/// A new player with the limits of a bot.
async fn bot(server: &Server, name: &str) -> Client {
    let mut client = server.connect().await;
    let welcome = client
        .introduce(json!({"type":"hello","protocol":1,"name":name,"bot":true}))
        .await;
    client.player = welcome["player"]["id"].as_str().expect("an id").to_owned();
    client.token = welcome["token"].as_str().expect("a token").to_owned();
    client
}

/// A match between two bots with so much time for each; the first of them is to move.
async fn begin(first: &mut Client, second: &mut Client, base_ms: u64) -> String {
    let create = json!({
        "type":"create","position":"nim:3,4,5","side":"first","opponent":{"type":"invite"},
        "clock":{"type":"fischer","base_ms":base_ms,"increment_ms":0},
    });
    let created = first.ask(create).await;
    let code = created["code"].clone();
    let joined = second.ask(json!({"type":"join","code":code})).await;
    assert_eq!(joined["type"], "joined", "{joined}");
    created["match"].as_str().expect("an id").to_owned()
}

/// Frames that a hostile bot sends, whatever the server says to them; it may be closed meanwhile.
async fn pour(client: &mut Client, frames: impl Iterator<Item = Message>) {
    for frame in frames {
        if in_time("sending", client.socket.send(frame)).await.is_err() {
            return;
        }
    }
}

fn request(id: u64, body: Value) -> Message {
    Message::text(json!({"id":id,"body":body}).to_string())
}

fn mv(id: u64, match_id: &str, ply: u32, text: &str) -> Message {
    request(
        id,
        json!({"type":"move","match":match_id,"ply":ply,"move":text}),
    )
}

/// Bytes beneath the WebSocket library.
async fn raw(client: &mut Client, bytes: &[u8]) {
    // A server that has closed already takes no more.
    let _ = in_time("writing", client.socket.get_mut().write_all(bytes)).await;
}

/// A masked frame of a client, with the mask 0.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..=125 => bytes.push(0x80 | u8::try_from(short).expect("short")),
        long => {
            bytes.push(0x80 | 127);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

/// The bot does what it does; what it returns stays open until the end of its match.
async fn misbehave(mode: Mode, server: &Server, mut bot: Client, id: &str) -> Vec<Client> {
    let count = 100..400u64;
    match mode {
        Mode::Sleeps => {}
        Mode::Disconnects => return Vec::new(),
        Mode::DisconnectsInAFrame => {
            raw(&mut bot, &frame(0x81, &[b' '; 100])[..50]).await;
            return Vec::new();
        }
        Mode::DisconnectsAfterItsMove => {
            pour(&mut bot, [mv(9, id, 1, "A-1")].into_iter()).await;
            return Vec::new();
        }
        Mode::PlaysTheOtherSide => {
            pour(&mut bot, count.map(|n| mv(n, id, 2, "A-1"))).await;
        }
        Mode::OldAnswers => {
            let plies = [0, 2, 3, 7, u32::MAX].into_iter().cycle();
            pour(
                &mut bot,
                count.zip(plies).map(|(n, ply)| mv(n, id, ply, "A-1")),
            )
            .await;
        }
        Mode::IllegalMoves => {
            let moves = ["D-1", "A-9", "A-0", "", "A-1; A-1", "\u{202e}"]
                .into_iter()
                .cycle();
            pour(
                &mut bot,
                count.zip(moves).map(|(n, text)| mv(n, id, 1, text)),
            )
            .await;
        }
        Mode::Floods => {
            let list = |n| request(n, json!({"type":"list","limit":200}));
            pour(&mut bot, (100..3_000).map(list)).await;
        }
        Mode::Nonsense => pour(&mut bot, count.map(|_| Message::text("move please"))).await,
        Mode::Bytes => raw(&mut bot, &frame(0x81, b"\xff\xfe\x00")).await,
        Mode::Binary => pour(&mut bot, [Message::binary(vec![0u8; 100])].into_iter()).await,
        Mode::Giant => raw(&mut bot, &frame(0x81, &vec![b' '; 4 << 20])).await,
        Mode::Fragments => {
            raw(&mut bot, &frame(0x01, b"{")).await;
            for _ in 0..2_000 {
                raw(&mut bot, &frame(0x00, &[b' '; 100])).await;
            }
        }
        Mode::Doubles => {
            let mut all = vec![];
            for _ in 0..30 {
                let (mut again, _) = server.again(&bot).await;
                again.send(json!({"type":"resume","match":id})).await;
                all.push(again);
            }
            all.push(bot);
            return all;
        }
        Mode::ComesAndGoes => {
            let both = |n: u64| {
                let kind = if n.is_multiple_of(2) {
                    "leave"
                } else {
                    "resume"
                };
                request(n, json!({"type":kind,"match":id}))
            };
            pour(&mut bot, count.map(both)).await;
        }
    }
    vec![bot]
}

/// Two bots that behave play a whole match, and each of their moves is accepted.
async fn honest_match(server: &Server) {
    let (mut one, mut two) = (bot(server, "one").await, bot(server, "two").await);
    let id = begin(&mut one, &mut two, HOUR_MS).await;
    let moves = ["A-3", "B-4", "C-5"];
    for (ply, text) in (1..).zip(moves) {
        let mover = if ply % 2 == 1 { &mut one } else { &mut two };
        let accepted = mover.play(&id, ply, text).await;
        assert_eq!(accepted["type"], "accepted", "{accepted}");
    }
    assert_eq!(two.event_of("ended").await["reason"], "last_move");
}

async fn log(server: &Server, id: &str) -> Vec<Event> {
    let id: MatchId = id.parse().expect("a match id");
    let loaded = server
        .store
        .load(StreamId::Match(id), Seq(0), LOAD_PAGE)
        .await;
    let loaded = loaded.expect("readable").expect("there");
    loaded
        .iter()
        .map(|logged| serde_json::from_slice(&logged.body).expect("an event"))
        .collect()
}

#[tokio::test]
async fn a_hostile_bot_loses_its_own_match_and_costs_nobody_else_anything() {
    let server = server().await;
    for mode in MODES {
        let mut hostile = bot(&server, "hostile").await;
        let mut victim = bot(&server, "victim").await;
        let has_moved = mode == Mode::DisconnectsAfterItsMove;
        let base_ms = if has_moved {
            BASE_OF_MOVERS_MS
        } else {
            BASE_MS
        };
        let id = begin(&mut hostile, &mut victim, base_ms).await;
        let answer = async {
            if has_moved {
                victim.event_of("moved").await;
                assert_eq!(victim.play(&id, 2, "B-1").await["type"], "accepted");
            }
        };
        let (_open, (), ()) = tokio::join!(
            misbehave(mode, &server, hostile, &id),
            honest_match(&server),
            answer
        );
        // Also while the clock of the hostile bot runs down.
        honest_match(&server).await;
        let ended = victim.event_of("ended").await;
        assert_eq!(ended["reason"], "time", "{mode:?}: {ended}");
        assert_eq!(ended["outcome"], "second", "{mode:?}: {ended}");
        // The record has the cause, and nothing that the hostile bot was not allowed to do.
        let events = log(&server, &id).await;
        let referee = Referee::replay(&events).expect("a lawful log");
        let expected = Some((Outcome::Second, EndReason::Time));
        assert_eq!(referee.outcome(), expected, "{mode:?}");
        assert_eq!(referee.ply().0, if has_moved { 2 } else { 0 }, "{mode:?}");
        let began = referee.created_at().0;
        let took = events.last().expect("an end").at().0 - began;
        let presences = events
            .iter()
            .filter(|event| matches!(event, Event::Presence { .. }))
            .count();
        assert!(
            presences < 20,
            "{mode:?}: its coming and going fills the log"
        );
        assert!(took >= base_ms, "{mode:?}: {took} ms");
        let answer = victim.ask(json!({"type":"ping"})).await;
        assert_eq!(answer["type"], "pong", "{mode:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn of_two_instances_with_one_token_the_newer_plays_and_the_older_is_told() {
    let server = server().await;
    let (mut older, mut rival) = (bot(&server, "bot").await, bot(&server, "rival").await);
    let id = begin(&mut older, &mut rival, HOUR_MS).await;
    let (mut newer, _) = server.again(&older).await;
    let attached = newer.ask(json!({"type":"resume","match":id})).await;
    assert_eq!(attached["seat"], "first", "{attached}");
    assert_eq!(older.notice().await["type"], "superseded");
    // Both answer the same request: one move is made, and the other is refused.
    let (one, two) = (
        newer.play(&id, 1, "A-3").await,
        older.play(&id, 1, "B-4").await,
    );
    assert_eq!(one["type"], "accepted", "{one}");
    assert_eq!(two["code"], "stale_ply", "{two}");
    let events = log(&server, &id).await;
    let moves = events
        .iter()
        .filter(|event| matches!(event, Event::Moved { .. }));
    assert_eq!(moves.count(), 1);
    server.stop().await;
}

#[tokio::test]
async fn a_bot_that_never_comes_to_its_match_loses_it() {
    let server = server().await;
    let mut absent = bot(&server, "absent").await;
    absent.ask(json!({"type":"follow_account"})).await;
    absent
        .ask(json!({"type":"offer","games":["nim"],"at_once":50}))
        .await;
    let mut rival = bot(&server, "rival").await;
    rival.ask(json!({"type":"follow_account"})).await;
    let challenge = json!({
        "type":"challenge","player":absent.player,"position":"nim:3,4,5","side":"second",
        "clock":{"type":"fischer","base_ms":1_000,"increment_ms":0},
    });
    let joined = rival.ask(challenge).await;
    assert_eq!(joined["type"], "joined", "{joined}");
    // It is told, and never sends `resume`: its clock is held for 10 seconds, and then runs.
    let ended = rival.event_of("ended").await;
    assert_eq!(ended["reason"], "time", "{ended}");
    assert_eq!(ended["outcome"], "second", "{ended}");
    server.stop().await;
}
