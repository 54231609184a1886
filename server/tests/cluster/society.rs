//! What visitors of a campaign do besides playing: they chat, challenge each other, take open seats, play rated pairs and tournaments. One task for each of
//! these acts for all its players, on different nodes, and notes its progress in a row of the ledger.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::ids::MatchId;
use serde_json::{Value, json};
use tokio::join;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::facts::{Line, OWN_CLOCKS_FROM};
use crate::player::Table;
use crate::visitor::Visitor;

/// Rows of the ledger.
pub(crate) const ROWS: usize = 5;
/// Lines that are sent in one match; a chat room holds more.
const LINES: usize = 150;
/// Time between two actions.
const PAUSE: Duration = Duration::from_millis(100);
/// An hour: nobody loses on time.
const HOUR_MS: u64 = 3_600_000;
/// Servers take this many lines, and begin tournaments again and again.
pub(crate) const SETTINGS: [(&str, &str); 2] = [
    ("GRUNDYD_LIMITS__CHAT_PER_MINUTE", "600"),
    ("GRUNDYD_LIMITS__CONNECTIONS_PER_ADDRESS", "200"),
];

/// Begins all of it; the rows of the ledger begin with this one.
pub(crate) fn begin(
    tasks: &mut JoinSet<()>,
    table: &Arc<Table>,
    row: usize,
    finish: &CancellationToken,
) {
    let society = |number: usize| Society {
        table: Arc::clone(table),
        row: row + number,
        finish: finish.clone(),
    };
    tasks.spawn(society(0).talk());
    tasks.spawn(society(1).challenge());
    tasks.spawn(society(2).take_seats());
    tasks.spawn(society(3).play_rated_pairs());
    tasks.spawn(society(4).play_tournaments());
}

/// One of these tasks.
struct Society {
    table: Arc<Table>,
    row: usize,
    finish: CancellationToken,
}

impl Society {
    fn visitors<const N: usize>(&self, name: &str) -> [Visitor; N] {
        std::array::from_fn(|number| {
            let name = format!("{name}-{number}");
            Visitor::new(&self.table, &name, self.row + number)
        })
    }

    fn ends(&self) -> bool {
        self.finish.is_cancelled()
    }

    fn goes_on(&self) {
        self.table.ledger.note(self.row);
    }

    /// Two players talk in a match.
    async fn talk(self) {
        let mut two: [Visitor; 2] = self.visitors("talker");
        let mut said = 0;
        while !self.ends() {
            let terms = json!({"clock": {"type": "untimed"}});
            let id = invite(&mut two, terms).await;
            // Followers receive lines.
            for visitor in &mut two {
                visitor.always(vec![json!({"type": "resume", "match": id, "since_seq": 0})]);
            }
            for line in 0..LINES {
                if self.ends() {
                    break;
                }
                let text = format!("line {said}");
                said += 1;
                let say = json!({"type": "say", "match": id, "room": "players", "text": text});
                let [one, other] = &mut two;
                let (speaker, hearer) = if line % 2 == 0 {
                    (one, other)
                } else {
                    (other, one)
                };
                match speaker.ask(&say).await {
                    Ok(reply) if reply["type"] == "said" => {
                        let line = Line {
                            id: text_of(&id),
                            seq: reply["seq"].as_u64().expect("a number"),
                            text,
                        };
                        self.table.facts().said(line);
                        self.goes_on();
                    }
                    Ok(refused) => self.wrong("a line", &refused),
                    // It may have been stored, so it is not sent again.
                    Err(_) => {}
                }
                hearer.listen(PAUSE).await;
            }
            for visitor in &mut two {
                visitor.always(Vec::new());
            }
            resign(&mut two[0], &id).await;
        }
    }

    /// One player challenges another.
    async fn challenge(self) {
        let [mut one, mut other]: [Visitor; 2] = self.visitors("challenger");
        for visitor in [&mut one, &mut other] {
            visitor.always(vec![json!({"type": "follow_account"})]);
            visitor.arrive().await;
        }
        for base_ms in (OWN_CLOCKS_FROM..).step_by(2) {
            if self.ends() {
                break;
            }
            other.arrive().await;
            let challenge = json!({"type": "challenge", "player": other.id(), "position": "nim:1,2", "clock": clock(base_ms)});
            let asked = one.ask(&challenge).await;
            other.listen(PAUSE).await;
            match asked {
                Ok(reply) if reply["type"] == "challenged" => {
                    let id = &reply["challenge"]["challenge"];
                    let accept = json!({"type": "accept", "challenge": id});
                    let reply = other.settle(&accept).await;
                    if let Some(id) = joined(&reply) {
                        self.table.facts().accepted(base_ms, id);
                        self.goes_on();
                    }
                }
                // The other player's server may just have failed.
                Ok(refused) if refused["code"] == "player_absent" => other.listen(PAUSE).await,
                Ok(refused) if refused["code"] == "too_many" => end_all(&mut one).await,
                Ok(refused) => self.wrong("a challenge", &refused),
                Err(_) => {}
            }
            end_all(&mut other).await;
        }
    }

    /// One player opens a seat, and two others want it.
    async fn take_seats(self) {
        let [mut one, mut other, mut third]: [Visitor; 3] = self.visitors("sitter");
        for base_ms in (OWN_CLOCKS_FROM + 1..).step_by(2) {
            if self.ends() {
                break;
            }
            let seek = json!({"type": "seek", "position": "nim:1,2", "clock": clock(base_ms)});
            let seat = match one.ask(&seek).await {
                Ok(reply) if reply["type"] == "seeking" => reply["seek"]["seek"].clone(),
                // Those whose connection was lost have not ended yet.
                Ok(refused) if refused["code"] == "too_many" => {
                    one.listen(PAUSE).await;
                    continue;
                }
                Ok(refused) => {
                    self.wrong("a seek", &refused);
                    continue;
                }
                Err(_) => continue,
            };
            let take = json!({"type": "take", "seek": seat});
            let replies = join!(other.settle(&take), third.settle(&take));
            let taken: Vec<MatchId> = [replies.0, replies.1].iter().filter_map(joined).collect();
            for id in &taken {
                self.table.facts().taken(base_ms, *id);
                self.goes_on();
            }
            if taken.len() > 1 {
                let two = format!("two players have taken one seat: {taken:?}");
                self.table.facts().wrong(two);
            }
            one.listen(PAUSE).await;
            end_all(&mut one).await;
            if taken.is_empty() {
                // The seek may have outlived its connection, and fills the places of the player.
                one.settle(&json!({"type": "withdraw_seek", "seek": seat}))
                    .await;
            }
        }
    }

    /// Two players play rated pairs.
    async fn play_rated_pairs(self) {
        let mut two: [Visitor; 2] = self.visitors("rated");
        let mut pairs = 0;
        while !self.ends() {
            let terms = json!({"rated": true, "games": 2, "clock": clock(HOUR_MS), "position": "nim:3,4,5"});
            let first = invite(&mut two, terms).await;
            resign(&mut two[1], &first).await;
            self.goes_on();
            let second = next_of(&mut two[0], &first).await;
            resign(&mut two[pairs % 2], &second).await;
            self.goes_on();
            pairs += 1;
            self.table.facts().rated(id_of(&first));
            let ratings = two[0].settle(&json!({"type": "ratings"})).await;
            if ratings["ratings"][0]["pairs"] != pairs {
                self.wrong(&format!("ratings after {pairs} pairs"), &ratings);
            }
            two[1].listen(PAUSE).await;
        }
    }

    /// Three players play tournaments.
    async fn play_tournaments(self) {
        let mut three: [Visitor; 3] = self.visitors("contestant");
        let mut number = 0;
        while !self.ends() {
            number += 1;
            let name = format!("Cup {number}");
            let id = create_cup(&mut three[0], &name).await;
            let join = json!({"type": "join_tournament", "tournament": id});
            for player in &mut three {
                // Sent again, it may be refused: the player has entered already.
                player.settle(&join).await;
            }
            let show = json!({"type": "show_tournament", "tournament": id});
            let mut turn = 0;
            loop {
                turn += 1;
                let player = &mut three[turn % 3];
                let cup = player.settle(&show).await;
                match cup["status"].as_str() {
                    Some("over") => break,
                    Some("entries" | "running") => {}
                    _ => self.wrong("a tournament", &cup),
                }
                for game in cup["matches"].as_array().into_iter().flatten() {
                    resign(player, game).await;
                    self.goes_on();
                }
                player.listen(PAUSE).await;
            }
            let id = id.as_str().and_then(|id| id.parse().ok());
            self.table.facts().finished(id.expect("an id"));
        }
    }

    fn wrong(&self, what: &str, refused: &Value) {
        self.table.facts().wrong(format!("{what}: {refused}"));
    }
}

fn clock(base_ms: u64) -> Value {
    json!({"type": "fischer", "base_ms": base_ms, "increment_ms": 0})
}

fn text_of(id: &Value) -> String {
    id.as_str().expect("an id is a text").to_owned()
}

fn id_of(id: &Value) -> MatchId {
    text_of(id).parse().expect("an id")
}

/// The match of this reply, if it says that there is one.
fn joined(reply: &Value) -> Option<MatchId> {
    (reply["type"] == "joined").then(|| id_of(&reply["match"]))
}

/// Begins a match of these two; its id.
async fn invite([one, other]: &mut [Visitor; 2], terms: Value) -> Value {
    one.arrive().await;
    let name = format!("{}-{}", text_of(one.id()), rand::random::<u32>());
    let mut create = json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "invite"}, "client_create_id": name});
    for (field, value) in terms.as_object().into_iter().flatten() {
        create[field] = value.clone();
    }
    let created = one.settle(&create).await;
    assert_eq!(created["type"], "created", "{created}");
    let join = json!({"type": "join", "code": created["code"]});
    // If an earlier answer was lost, the seat is taken.
    other.settle(&join).await;
    created["match"].clone()
}

async fn resign(visitor: &mut Visitor, id: &Value) {
    let resign = json!({"type": "resign", "match": id});
    visitor.settle(&resign).await;
}

/// Resigns all matches of this player that are not over.
async fn end_all(visitor: &mut Visitor) {
    let list = json!({"type": "list", "mine": true, "status": "live"});
    let open = visitor.settle(&list).await;
    for open in open["matches"].as_array().into_iter().flatten() {
        resign(visitor, &open["match"]).await;
    }
}

/// The second game of a pair whose first one is over.
async fn next_of(visitor: &mut Visitor, id: &Value) -> Value {
    let record = json!({"type": "record", "match": id});
    let record = visitor.settle(&record).await;
    let events = record["events"].as_array().into_iter().flatten();
    let mut next = events.filter_map(|event| event["body"].get("next"));
    next.next()
        .unwrap_or_else(|| panic!("no second game: {record}"))
        .clone()
}

/// The tournament of this name, which is created if it is not there: the answer to an earlier request may be lost.
async fn create_cup(organiser: &mut Visitor, name: &str) -> Value {
    let create = json!({"type": "create_tournament", "name": name, "format": {"type": "round_robin"},
        "rules": {"games": 2, "clock": clock(HOUR_MS), "starts": {"type": "list", "positions": ["nim:3,5,7"]}, "start_ms": HOUR_MS, "away_ms": HOUR_MS},
        "admission": {"most": 3}});
    loop {
        if let Ok(created) = organiser.ask(&create).await {
            assert_eq!(created["type"], "tournament", "{created}");
            return created["tournament"].clone();
        }
        let listed = organiser.settle(&json!({"type": "list_tournaments"})).await;
        let mut cups = listed["tournaments"].as_array().into_iter().flatten();
        if let Some(cup) = cups.find(|cup| cup["name"] == name) {
            return cup["tournament"].clone();
        }
    }
}
