//! A tournament of built-in bots on a server that dies again and again, at the places where tournaments are in danger.

use std::collections::BTreeSet;

use futures::{SinkExt as _, StreamExt as _};
use grundy_server::data::location;
use grundy_server::fsck::fsck;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{LOAD_PAGE, Store, StreamId};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, Seq, TournamentId};
use grundy_shared::tournament::{Dated, Tournament, TournamentEvent};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::process::{Launch, PATIENCE, Server};

/// Where the server dies, each in turn.
const PLACES: [&str; 5] = [
    "before_tournament_publish",
    "before_commit",
    "after_commit_before_ack",
    "mid_batch",
    "before_publish",
];
/// Deaths of one tournament; fewer if it is over before.
const DEATHS: usize = 15;

/// Waits, but not for ever.
async fn in_time<F: Future>(what: &str, future: F) -> F::Output {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("in vain: {what}"))
}

/// A connection to a server that may die at any moment.
struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Client {
    /// Signs in; `None` if the server died.
    async fn connect(server: &Server) -> Option<Self> {
        let url = format!("ws://{}/ws", server.address());
        let connecting = tokio_tungstenite::connect_async(url);
        let (socket, _) = in_time("the handshake", connecting).await.ok()?;
        let mut client = Self(socket);
        let hello = json!({"type":"hello","protocol":1});
        client.ask(hello).await?;
        Some(client)
    }

    /// The next frame; `None` if the server died. In time as a whole: pings would prolong a wait in vain for ever.
    async fn frame(&mut self, what: &str) -> Option<Value> {
        let frame = async {
            loop {
                match self.0.next().await? {
                    Ok(Message::Text(text)) => {
                        return Some(serde_json::from_str(&text).expect("a frame is JSON"));
                    }
                    Ok(Message::Ping(_) | Message::Pong(_)) => {}
                    Ok(_) | Err(_) => return None,
                }
            }
        };
        in_time(what, frame).await
    }

    async fn ask(&mut self, body: Value) -> Option<Value> {
        let what = format!("the answer to {body}");
        let request = json!({"id":1,"body":body}).to_string();
        in_time(&what, self.0.send(Message::text(request)))
            .await
            .ok()?;
        loop {
            let mut frame = self.frame(&what).await?;
            if frame["re"] == 1 {
                assert_ne!(frame["body"]["type"], "error", "{frame}");
                return Some(frame["body"].take());
            }
        }
    }
}

/// Makes the tournament; `None` if the server died before it said which.
async fn create(client: &mut Client, format: &Value) -> Option<String> {
    let rules = json!({
        "games": 4,
        "clock": {"type":"fischer","base_ms":60_000,"increment_ms":1_000},
        "starts": {"type":"random","recipe":"nim,heaps=3-4,max=7,count=8"},
        "start_ms": 60_000,
        "away_ms": 60_000,
    });
    let request = json!({
        "type": "create_tournament",
        "name": "Cup",
        "format": format,
        "rules": rules,
        "admission": {"most": 5},
        "bots": ["perfect", "random", "greedy", "skill:0.5", "teacher"],
    });
    let created = client.ask(request).await?;
    Some(created["tournament"].as_str().expect("an id").to_owned())
}

/// The tournament that a server before this one has made.
async fn made(client: &mut Client) -> Option<Option<String>> {
    let listed = client.ask(json!({"type":"list_tournaments"})).await?;
    let id = listed["tournaments"][0]["tournament"].as_str();
    Some(id.map(str::to_owned))
}

/// Follows the tournament; whether it came to its end, and all numbers of its events that were announced.
async fn follow(client: &mut Client, id: &str, announced: &mut BTreeSet<u64>) -> Option<bool> {
    let state = client
        .ask(json!({"type":"watch_tournament","tournament":id}))
        .await?;
    if state["seed"].is_string() {
        return Some(true);
    }
    let mut newest = format!("nothing since it was followed at {}", state["seq"]);
    loop {
        let what =
            format!("the next event of the tournament; the newest: {newest}; at first {state}");
        let frame = client.frame(&what).await?;
        newest = frame.to_string();
        if frame["tournament"] == id {
            announced.extend(frame["seq"].as_u64());
            if frame["body"]["type"] == "seed_opened" {
                return Some(true);
            }
        }
    }
}

/// One log, read from the store.
async fn log(store: &dyn Store, stream: StreamId) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    loop {
        let page = store
            .load(stream, Seq(bodies.len() as u64), LOAD_PAGE)
            .await
            .expect("it can be read")
            .unwrap_or_default();
        if page.is_empty() {
            return bodies;
        }
        bodies.extend(page.into_iter().map(|logged| logged.body.to_vec()));
    }
}

/// What the dead servers left: exactly the games, each pairing before its games, and each result with the end of its match.
async fn inspect(launch: &Launch, id: &str, announced: &BTreeSet<u64>) -> u64 {
    let path = location(&launch.data);
    let report = fsck(&path).await.expect("a database");
    assert!(report.is_sound(), "{report}");
    let store = SqliteStore::open(&path).await.expect("a database");
    let id: TournamentId = id.parse().expect("an id");
    let bodies = log(&store, StreamId::Tournament(id)).await;
    let read = |body: &Vec<u8>| serde_json::from_slice::<Dated>(body).expect("an event");
    let events: Vec<Dated> = bodies.iter().map(read).collect();
    let last = announced.last().copied().unwrap_or(0);
    assert!(last <= events.len() as u64, "an announced event is lost");
    let tournament = Tournament::replay(events.iter().map(|dated| &dated.event));
    let tournament = tournament.expect("a lawful log").expect("created");
    assert!(tournament.is_over());
    assert_eq!(tournament.cancelled(), None);
    let mut paired_at = vec![Millis(0)];
    let mut games: BTreeSet<MatchId> = BTreeSet::new();
    for dated in &events {
        match &dated.event {
            TournamentEvent::RoundPaired { .. } => paired_at.push(dated.at_ms),
            TournamentEvent::GameEnded {
                match_id, round, ..
            } => {
                assert!(games.insert(*match_id), "game {match_id} counts twice");
                let own = log(&store, StreamId::Match(*match_id)).await;
                let read = |body: &Vec<u8>| serde_json::from_slice(body).expect("an event");
                let own: Vec<Event> = own.iter().map(read).collect();
                let Some(Event::Created { at_ms, .. }) = own.first() else {
                    panic!("{match_id} has no beginning");
                };
                assert!(
                    *at_ms >= paired_at[*round as usize],
                    "made before its pairing"
                );
                let ends = own
                    .iter()
                    .filter(|event| matches!(event, Event::Ended { .. }));
                assert_eq!(ends.count(), 1);
            }
            _ => {}
        }
    }
    assert_eq!(
        report.matches,
        games.len() as u64,
        "a match that is no game, or a game made twice"
    );
    store.close().await;
    tournament.games_ended()
}

/// Plays one tournament to its end; how often the server died.
async fn survive(seed: u64, format: Value, games: u64) -> usize {
    let mut random = StdRng::seed_from_u64(seed);
    let directory = TempDir::new().expect("a directory");
    let data = directory.path().join("data");
    let mut known: Option<String> = None;
    let mut announced = BTreeSet::new();
    let mut deaths = 0;
    loop {
        let mut launch = Launch::on(&data);
        if deaths < DEATHS {
            let place = PLACES[deaths % PLACES.len()];
            let passing = random.random_range(1..=9);
            launch = launch.with("GRUNDYD_FAILPOINT", format!("{place}:{passing}"));
        }
        // One that dies while it starts is started again.
        if let Ok(mut server) = launch.start().await {
            let lived = async {
                let mut client = Client::connect(&server).await?;
                if known.is_none() {
                    // The server may have died before it said so.
                    known = made(&mut client).await?;
                }
                if known.is_none() {
                    known = create(&mut client, &format).await;
                }
                follow(&mut client, known.as_deref()?, &mut announced).await
            };
            if lived.await == Some(true) {
                server.signal(rustix::process::Signal::TERM);
                server.ended().await;
                let id = known.expect("it was followed");
                let inspected = inspect(&launch, &id, &announced);
                let counted = in_time("the check of the database", inspected).await;
                assert_eq!(counted, games, "GRUNDY_SEED={seed}");
                return deaths;
            }
            server.signal(rustix::process::Signal::KILL);
            server.ended().await;
        }
        deaths += 1;
        assert!(
            deaths < 4 * DEATHS,
            "it does not come to its end; GRUNDY_SEED={seed}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tournament_survives_deaths_of_the_server_at_its_own_places() {
    let seed = crate::number("GRUNDY_SEED").unwrap_or_else(rand::random);
    eprintln!("GRUNDY_SEED={seed} repeats this run");
    for (number, format, games) in [
        (0, json!({"type":"round_robin"}), 40),
        (1, json!({"type":"swiss","rounds":3}), 24),
        (2, json!({"type":"gauntlet","seeds":2}), 24),
    ] {
        let deaths = survive(seed.wrapping_add(number), format, games).await;
        eprintln!("{games} games, {deaths} deaths");
        assert!(
            deaths >= 5,
            "it was over after {deaths} deaths; GRUNDY_SEED={seed}"
        );
    }
}

/// Plays no game of a tournament for two: their server dies when it has stored this event of the tournament, before it does anything about it.
/// The id of the only game, and the directory of the server.
async fn die_at_event(number: u32) -> (MatchId, TempDir) {
    let directory = TempDir::new().expect("a directory");
    let place = format!("before_tournament_publish:{number}");
    let launch = Launch::on(&directory.path().join("data")).with("GRUNDYD_FAILPOINT", place);
    let mut server = launch.serve().await;
    let mut organiser = Client::connect(&server).await.expect("it lives");
    let mut player = Client::connect(&server).await.expect("it lives");
    let rules = json!({
        "games": 2,
        "clock": {"type":"fischer","base_ms":600_000,"increment_ms":0},
        "starts": {"type":"list","positions":["nim:3,5,7"]},
        "start_ms": 600_000,
        "away_ms": 600_000,
    });
    let request = json!({
        "type": "create_tournament",
        "name": "Cup",
        "format": {"type":"round_robin"},
        "rules": rules,
        "admission": {"most": 2},
    });
    let created = organiser.ask(request).await.expect("it lives");
    let id = created["tournament"].as_str().expect("an id");
    let watch = json!({"type":"watch_tournament","tournament":id});
    organiser.ask(watch).await.expect("it lives");
    for client in [&mut organiser, &mut player] {
        let join = json!({"type":"join_tournament","tournament":id});
        client.ask(join).await.expect("it lives");
    }
    let game = loop {
        let frame = organiser.frame("the game").await.expect("it lives");
        if frame["body"]["type"] == "tournament_match" {
            break frame["body"]["match"].as_str().expect("an id").to_owned();
        }
    };
    let cancel = json!({"type":"control_tournament","tournament":id,"action":"cancel"});
    // The answer may come before the server dies.
    let _ = organiser.ask(cancel).await;
    server.ended().await;
    (game.parse().expect("an id"), directory)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_died_when_it_had_stored_a_cancellation_ends_the_games_at_its_next_start() {
    // Two entries, the close of the entries, the pairing, the cancellation, the seed.
    for number in [5, 6] {
        let (game, directory) = die_at_event(number).await;
        let launch = Launch::on(&directory.path().join("data"));
        let mut server = launch.serve().await;
        let mut watcher = Client::connect(&server).await.expect("it lives");
        let watch = json!({"type":"watch","match":game,"since_seq":0});
        watcher.ask(watch).await.expect("it lives");
        let ended = loop {
            let frame = watcher
                .frame("the end of the game")
                .await
                .expect("it lives");
            if frame["match"].is_string() && frame["body"]["type"] == "ended" {
                break frame;
            }
        };
        assert_eq!(ended["body"]["reason"], "cancelled", "{ended}");
        server.signal(rustix::process::Signal::TERM);
        server.ended().await;
        let report = fsck(&location(&launch.data)).await.expect("a database");
        assert!(report.is_sound(), "{report}");
    }
}
