//! Rated pairs on a server that dies again and again around the commit with which a pair ends: each pair counts once for both players,
//! and what was announced stands.

use std::collections::BTreeMap;

use futures::{SinkExt as _, StreamExt as _};
use grundy_server::data::location;
use grundy_server::fsck::fsck;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{LOAD_PAGE, Store, StreamId};
use grundy_shared::ids::{PlayerId, Seq};
use grundy_shared::rated::RatingEvent;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
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
/// Deaths of one run.
const DEATHS: usize = 16;
/// Pairs that are played to their end after the last death.
const PAIRS_AFTER: usize = 3;

/// A connection to a server that may die at any moment: then nothing is heard any more.
struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u64,
    /// Ratings after pairs, as they were announced, by pair.
    announced: BTreeMap<String, Value>,
}

impl Client {
    /// Signs in; the welcome tells who it is and what it plays.
    async fn connect(server: &Server, token: Option<&str>) -> Option<(Self, Value)> {
        let url = format!("ws://{}/ws", server.address());
        let (socket, _) = tokio_tungstenite::connect_async(url).await.ok()?;
        let mut client = Self {
            socket,
            next: 0,
            announced: BTreeMap::new(),
        };
        let mut hello = json!({"type":"hello","protocol":1});
        if let Some(token) = token {
            hello["token"] = json!(token);
        }
        let welcome = client.ask(hello).await?;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        Some((client, welcome))
    }

    async fn frame(&mut self) -> Option<Value> {
        loop {
            match self.socket.next().await? {
                Ok(Message::Text(text)) => {
                    let frame: Value = serde_json::from_str(&text).expect("a frame is JSON");
                    let body = &frame["body"];
                    if body["type"] == "rated" {
                        let pair = body["pair"].as_str().expect("an id").to_owned();
                        self.announced.insert(pair, body.clone());
                    }
                    return Some(frame);
                }
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(_) | Err(_) => return None,
            }
        }
    }

    async fn ask(&mut self, body: Value) -> Option<Value> {
        self.next += 1;
        let request = json!({"id":self.next,"body":body}).to_string();
        self.socket.send(Message::text(request)).await.ok()?;
        loop {
            let mut frame = self.frame().await?;
            if frame["re"] == self.next {
                return Some(frame["body"].take());
            }
        }
    }
}

/// The two players, across the deaths of the server.
#[derive(Default)]
struct Players {
    tokens: [Option<String>; 2],
    ids: [Option<PlayerId>; 2],
    announced: BTreeMap<String, Value>,
}

impl Players {
    /// Plays pairs until the server dies, or until so many more have ended. How many have.
    async fn play(&mut self, server: &Server, random: &mut StdRng, pairs: usize) -> usize {
        let mut ended = 0;
        let mut clients = Vec::new();
        for place in 0..2 {
            let token = self.tokens[place].clone();
            let Some((client, welcome)) = Client::connect(server, token.as_deref()).await else {
                return ended;
            };
            if let Some(token) = welcome["token"].as_str() {
                self.tokens[place] = Some(token.to_owned());
            }
            let id = welcome["player"]["id"].as_str().expect("an id");
            self.ids[place] = Some(id.parse().expect("an id"));
            clients.push((client, welcome));
        }
        let mut going: Vec<String> = clients[0].1["obligations"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|duty| duty["code"].is_null())
            .map(|duty| duty["match"].as_str().expect("an id").to_owned())
            .collect();
        let [one, two] = &mut clients[..] else {
            panic!("two players");
        };
        let (one, two) = (&mut one.0, &mut two.0);
        while ended < pairs {
            let alive = match going.pop() {
                Some(id) => play_on(one, two, &id, random).await,
                None => begin(one, two, &mut going).await,
            };
            for client in [&mut *one, &mut *two] {
                self.announced.append(&mut client.announced);
            }
            match alive {
                None => return ended,
                Some(over) => ended += usize::from(over),
            }
        }
        ended
    }
}

/// Begins a rated pair; `None` if the server died.
async fn begin(one: &mut Client, two: &mut Client, going: &mut Vec<String>) -> Option<bool> {
    let create = json!({
        "type": "create",
        "position": "nim:1,2",
        "clock": {"type":"fischer","base_ms":3_600_000,"increment_ms":0},
        "games": 2,
        "rated": true,
        "opponent": {"type":"invite"},
    });
    let created = one.ask(create).await?;
    assert_eq!(created["type"], "created", "{created}");
    let join = json!({"type":"join","code":created["code"]});
    let joined = two.ask(join).await?;
    assert_eq!(joined["type"], "joined", "{joined}");
    going.push(created["match"].as_str().expect("an id").to_owned());
    Some(false)
}

/// Both follow the match, somebody resigns it, and what follows as well; `None` if the server died. Whether the pair is over.
async fn play_on(
    one: &mut Client,
    two: &mut Client,
    id: &str,
    random: &mut StdRng,
) -> Option<bool> {
    let mut id = id.to_owned();
    loop {
        for client in [&mut *one, &mut *two] {
            let resumed = client.ask(json!({"type":"resume","match":id})).await?;
            assert_eq!(resumed["type"], "attached", "{resumed}");
        }
        let loser = if random.random() {
            &mut *one
        } else {
            &mut *two
        };
        let done = loser.ask(json!({"type":"resign","match":id})).await?;
        // It may have ended with the server before this one.
        let known = done["type"] == "done" || done["code"] == "match_over";
        assert!(known, "{done}");
        let next = loop {
            let frame = one.frame().await?;
            if frame["match"] == id.as_str() && frame["body"]["type"] == "ended" {
                break frame["body"]["next"].as_str().map(str::to_owned);
            }
        };
        match next {
            Some(next) => id = next,
            None => return Some(true),
        }
    }
}

/// What the dead servers left: `fsck` computes every rating again, and what was announced is there once.
async fn inspect(launch: &Launch, players: &Players) -> usize {
    let path = location(&launch.data);
    let report = fsck(&path).await.expect("a database");
    assert!(report.is_sound(), "{report}");
    let store = SqliteStore::open(&path).await.expect("a database");
    let mut counts = Vec::new();
    for (place, id) in players.ids.iter().enumerate() {
        let stream = StreamId::Rating(id.expect("it signed in"), "nim".parse().expect("a game"));
        let log = store.load(stream, Seq(0), LOAD_PAGE).await;
        let log = log.expect("it can be read").unwrap_or_default();
        counts.push(log.len());
        for (pair, announced) in &players.announced {
            let rated: Vec<_> = log
                .iter()
                .map(|logged| serde_json::from_slice(&logged.body).expect("an event"))
                .map(|RatingEvent::Rated(rated)| rated)
                .filter(|rated| rated.pair.to_string() == *pair)
                .collect();
            assert_eq!(rated.len(), 1, "pair {pair} in the log of player {place}");
            let own = [&announced["first"], &announced["second"]]
                .into_iter()
                .find(|change| change["player"]["id"] == id.expect("an id").to_string().as_str())
                .expect("both are named");
            let points = i64::from(rated[0].after.rating + 50).div_euclid(100);
            assert_eq!(own["rating"], points, "pair {pair}");
        }
    }
    assert_eq!(counts[0], counts[1], "each pair is in both logs");
    store.close().await;
    counts[0]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rated_pairs_count_once_however_often_the_server_dies() {
    let seed = crate::number("GRUNDY_SEED").unwrap_or_else(rand::random);
    eprintln!("GRUNDY_SEED={seed} repeats this run");
    let mut random = StdRng::seed_from_u64(seed);
    let directory = TempDir::new().expect("a directory");
    let data = directory.path().join("data");
    let mut players = Players::default();
    let mut pairs = 0;
    for death in 0..=DEATHS {
        let last = death == DEATHS;
        let mut launch = Launch::on(&data);
        if !last {
            let place = PLACES[death % PLACES.len()];
            // Two guests, then about six commits for each pair.
            let passing = random.random_range(8..=40);
            launch = launch.with("GRUNDYD_FAILPOINT", format!("{place}:{passing}"));
        }
        // One that dies while it starts is started again.
        let Ok(mut server) = launch.start().await else {
            continue;
        };
        let wanted = if last { PAIRS_AFTER } else { usize::MAX };
        let lived = players.play(&server, &mut random, wanted);
        let lived = tokio::time::timeout(PATIENCE, lived).await;
        pairs += lived.unwrap_or_else(|_| panic!("it hangs; GRUNDY_SEED={seed}"));
        let signal = match last {
            true => rustix::process::Signal::TERM,
            false => rustix::process::Signal::KILL,
        };
        server.signal(signal);
        server.ended().await;
        let counted = inspect(&launch, &players).await;
        assert!(counted >= pairs, "GRUNDY_SEED={seed}");
    }
    eprintln!(
        "{pairs} pairs seen to their end, {} announced, {DEATHS} deaths",
        players.announced.len()
    );
    assert!(
        players.announced.len() > DEATHS / 2,
        "hardly a pair came to its end"
    );
}
