//! Answers to puzzles on a server that dies again and again around the commit that counts them: each counts once, and what was told stands.

use std::collections::BTreeMap;

use futures::{SinkExt as _, StreamExt as _};
use grundy_server::data::location;
use grundy_server::fsck::fsck;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{LOAD_PAGE, Store, StreamId};
use grundy_shared::ids::{PlayerId, Seq};
use grundy_shared::puzzle::{Collection, SolvingEvent};
use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::process::{Launch, PATIENCE, Server};

/// Where the server dies, each in turn: before the commit, with it, after it, and before anybody hears of it.
const PLACES: [&str; 4] = [
    "before_commit",
    "mid_batch",
    "after_commit_before_ack",
    "before_publish",
];
/// Deaths of one run. The commits before each are those of a guest and of the collection, and one for each answer.
const DEATHS: usize = 8;

/// A player whose server may die at any moment.
struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u64,
}

impl Client {
    async fn connect(server: &Server, token: Option<&str>) -> Option<(Self, Value)> {
        let url = format!("ws://{}/ws", server.address());
        let (socket, _) = tokio_tungstenite::connect_async(url).await.ok()?;
        let mut client = Self { socket, next: 0 };
        let mut hello = json!({"type":"hello","protocol":1});
        if let Some(token) = token {
            hello["token"] = json!(token);
        }
        let welcome = client.ask(hello).await?;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        Some((client, welcome))
    }

    async fn ask(&mut self, body: Value) -> Option<Value> {
        self.next += 1;
        let request = json!({"id":self.next,"body":body}).to_string();
        self.socket.send(Message::text(request)).await.ok()?;
        loop {
            match self.socket.next().await? {
                Ok(Message::Text(text)) => {
                    let mut frame: Value = serde_json::from_str(&text).expect("a frame is JSON");
                    if frame["re"] == self.next {
                        return Some(frame["body"].take());
                    }
                }
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(_) | Err(_) => return None,
            }
        }
    }
}

/// The player, across the deaths of the server.
#[derive(Default)]
struct Solver {
    token: Option<String>,
    id: Option<PlayerId>,
    /// What was told of each puzzle, by its id.
    told: BTreeMap<String, Value>,
}

impl Solver {
    /// Answers puzzles in their order, each twice, until the server dies or all are answered. `None` if it died.
    async fn answer_all(&mut self, server: &Server, puzzles: &[String]) -> Option<()> {
        let (mut client, welcome) = Client::connect(server, self.token.as_deref()).await?;
        if let Some(token) = welcome["token"].as_str() {
            self.token = Some(token.to_owned());
        }
        let id = welcome["player"]["id"].as_str().expect("an id");
        self.id = Some(id.parse().expect("an id"));
        for puzzle in puzzles {
            for _ in 0..2 {
                let ask = json!({"type":"solve_puzzle","puzzle":puzzle,"move":null});
                let mut reply = client.ask(ask).await?;
                if reply["code"] == "server_busy" || reply["code"] == "analysis_too_large" {
                    continue;
                }
                assert_eq!(reply["type"], "puzzle_solved", "{reply}");
                reply.as_object_mut().expect("fields").remove("repeated");
                let first = self
                    .told
                    .entry(puzzle.clone())
                    .or_insert_with(|| reply.clone());
                assert_eq!(*first, reply, "the first result is told again");
            }
        }
        Some(())
    }
}

/// What the dead servers left: `fsck` computes every rating again, no puzzle counts twice, and what was told is in the log.
async fn inspect(launch: &Launch, solver: &Solver) -> usize {
    let path = location(&launch.data);
    let report = fsck(&path).await.expect("a database");
    assert!(report.is_sound(), "{report}");
    let Some(player) = solver.id else {
        return 0;
    };
    let store = SqliteStore::open(&path).await.expect("a database");
    let log = store
        .load(StreamId::Solving(player), Seq(0), LOAD_PAGE)
        .await;
    let log = log.expect("it can be read").unwrap_or_default();
    let attempts: Vec<_> = log
        .iter()
        .map(|logged| serde_json::from_slice(&logged.body).expect("an event"))
        .map(|SolvingEvent::Attempted(attempt)| attempt)
        .collect();
    let mut tried: Vec<_> = attempts.iter().map(|attempt| attempt.puzzle).collect();
    tried.sort_unstable();
    tried.dedup();
    assert_eq!(tried.len(), attempts.len(), "no puzzle counts twice");
    for (puzzle, told) in &solver.told {
        let mut of_puzzle = attempts.iter();
        let attempt = of_puzzle.find(|attempt| attempt.puzzle.to_string() == *puzzle);
        let attempt = attempt.expect("what was told is in the log");
        let points = i64::from(attempt.after.rating + 50).div_euclid(100);
        assert_eq!(told["you"]["rating"], points, "puzzle {puzzle}");
    }
    store.close().await;
    attempts.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_to_puzzles_count_once_however_often_the_server_dies() {
    let directory = TempDir::new().expect("a directory");
    let data = directory.path().join("data");
    let edition = Collection::edition();
    let nim = edition
        .numbered()
        .filter(|(_, one)| one.family().name() == "nim");
    let puzzles: Vec<String> = nim.take(12).map(|(_, one)| one.id().to_string()).collect();
    let mut solver = Solver::default();
    let mut counted = 0;
    for death in 0..=DEATHS {
        let last = death == DEATHS;
        let mut launch = Launch::on(&data).with("GRUNDYD_SOLVER__CPU_MS", "60000");
        if !last {
            // The first commits of a start are its own and those of the player.
            let place = format!("{}:{}", PLACES[death % PLACES.len()], 5 + death);
            launch = launch.with("GRUNDYD_FAILPOINT", place);
        }
        // One that dies while it starts is started again.
        let Ok(mut server) = launch.start().await else {
            continue;
        };
        let lived = solver.answer_all(&server, &puzzles);
        let lived = tokio::time::timeout(PATIENCE, lived)
            .await
            .expect("it hangs");
        assert!(lived.is_some() || !last);
        server.signal(if last { Signal::TERM } else { Signal::KILL });
        server.ended().await;
        let now = inspect(&launch, &solver).await;
        assert!(now >= counted && now >= solver.told.len());
        counted = now;
    }
    assert_eq!((counted, solver.told.len()), (puzzles.len(), puzzles.len()));
}
