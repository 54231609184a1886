//! What a server sees of the others by looking, and what that costs.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::client::Client;
use crate::cluster::{Cluster, Hints};
use crate::duel::Duel;
use crate::patience::until;
use crate::postgres::{DATABASE, Postgres};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_of_two_nodes_are_shown_on_both_in_one_order_by_their_looks_alone() {
    chat_across(Hints::None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hints_carry_lines_across_nodes() {
    chat_across(Hints::Nats).await;
}

fn say(id: &Value, room: &str, text: &str) -> Value {
    json!({"type": "say", "match": id, "room": room, "text": text})
}

/// The next line that a client hears, with its number.
async fn heard(client: &mut Client) -> (u64, String) {
    let frame = client.hears(&["\"chat\":", "\"said\""]).await;
    let text = frame["body"]["text"].as_str().expect("words").to_owned();
    (frame["seq"].as_u64().expect("a number"), text)
}

async fn chat_across(hints: Hints) {
    let mut cluster = Cluster::start(2, hints).await;
    let [a, b] = &mut cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut duel = Duel::begin(a, b, false).await;
    // Somebody hears the room on both nodes once a first line has arrived on each.
    let id = duel.id.clone();
    for round in 0..2_u64 {
        let (here, there) = (format!("here {round}"), format!("there {round}"));
        duel.one.get(say(&id, "players", &here), "said").await;
        assert_eq!(heard(&mut duel.two).await, (2 * round + 1, here.clone()));
        assert_eq!(heard(&mut duel.one).await, (2 * round + 1, here));
        duel.two.get(say(&id, "players", &there), "said").await;
        assert_eq!(heard(&mut duel.one).await, (2 * round + 2, there.clone()));
        assert_eq!(heard(&mut duel.two).await, (2 * round + 2, there));
    }
    // Both talk at once: everybody hears the same, in order, each line once.
    for round in 0..3 {
        let (here, there) = (format!("quick {round}"), format!("quick too {round}"));
        duel.one.send(say(&id, "players", &here)).await;
        duel.two.send(say(&id, "players", &there)).await;
    }
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        one.push(heard(&mut duel.one).await);
        two.push(heard(&mut duel.two).await);
    }
    assert_eq!(one, two);
    let numbers: Vec<u64> = one.iter().map(|(seq, _)| *seq).collect();
    assert_eq!(numbers, [5, 6, 7, 8, 9, 10]);
}

/// How long transactions are counted, and how often.
const MEASURED: Duration = Duration::from_secs(5);
const WINDOWS: usize = 6;
/// One connection follows all of them.
const FOLLOWS: [(&str, &str); 1] = [("GRUNDYD_LIMITS__FOLLOWS_PER_CONNECTION", "5000")];
/// Matches in the short run; `GRUNDY_LIVE` names another number for figures.
const LIVE: usize = 60;
/// Statements a second that two servers may need with all these matches, in which nothing happens. Heartbeats and looks at other servers are most of them.
const STATEMENTS: f64 = 100.0;

/// With a thousand matches it prints what docs/PERFORMANCE.md shows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_in_which_nothing_happens_cost_one_question_for_all() {
    let live = std::env::var("GRUNDY_LIVE").ok();
    let live = live.map_or(LIVE, |live| live.parse().expect("a number of matches"));
    for hints in [Hints::None, Hints::Nats] {
        let cluster = Cluster::start_with(2, hints, &FOLLOWS).await;
        let [a, b] = &cluster.nodes[..] else {
            panic!("two nodes");
        };
        let mut one = Client::come(a).await;
        let mut two = Client::come(b).await;
        let create = json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "invite"}});
        for _ in 0..live {
            let code = one.get(create.clone(), "created").await["code"].clone();
            two.get(json!({"type": "join", "code": code}), "joined")
                .await;
        }
        // The database counts transactions late, those with which the matches were made, too.
        let mut a_second = f64::INFINITY;
        for _ in 0..WINDOWS {
            let before = cluster.transactions().await;
            let processor = a.processor_time() + b.processor_time();
            let began = Instant::now();
            let told = two.hears_nothing_of("\"nothing\"", MEASURED).await;
            assert!(told, "nothing happens");
            let seconds = began.elapsed().as_secs_f64();
            let processor = a.processor_time() + b.processor_time() - processor;
            a_second = (cluster.transactions().await - before) as f64 / seconds;
            let part = 100.0 * processor.as_secs_f64() / seconds / 2.0;
            println!(
                "live {live} hints {hints:?}: {a_second:.0} transactions a second, {part:.1} % of a processor for each server"
            );
            if a_second < STATEMENTS {
                break;
            }
        }
        assert!(a_second < STATEMENTS, "{a_second} a second");
    }
}

/// As who rebuilds the table does it. Each look at it takes its time and fails then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_cross_nodes_while_nobody_can_read_who_sits_where() {
    const MOVES: u32 = 4;
    let cluster = Cluster::start(2, Hints::None).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut duel = Duel::begin(a, b, false).await;
    let id = duel.text().to_owned();
    let lock = "LOCK TABLE grundy.seat IN ACCESS EXCLUSIVE MODE";
    let holder = cluster.postgres.hold(lock).await;
    for ply in 1..=MOVES {
        let mv = duel.mv(ply, if ply < 3 { "A-1" } else { "B-1" });
        let moved = format!("\"ply\":{ply}");
        let (mover, other) = match ply % 2 {
            1 => (&mut duel.one, &mut duel.two),
            _ => (&mut duel.two, &mut duel.one),
        };
        mover.get(mv, "accepted").await;
        other.hears(&[&id, &moved]).await;
    }
    drop(holder);
}

/// A second connection of a player, on another node, takes the seat over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_comes_to_another_node_is_superseded_on_the_first() {
    for hints in [Hints::None, Hints::Nats] {
        let cluster = Cluster::start(2, hints).await;
        let [a, b] = &cluster.nodes[..] else {
            panic!("two nodes");
        };
        let mut duel = Duel::begin(a, b, false).await;
        let id = duel.text().to_owned();
        let resume = json!({"type": "resume", "match": duel.id, "since_seq": 0});
        let mut newer = duel.one.go_to(b).await;
        newer.get(resume.clone(), "attached").await;
        duel.one.hears(&[&id, "superseded"]).await;
        // And back again.
        duel.one.get(resume, "attached").await;
        newer.hears(&[&id, "superseded"]).await;
        // The seat is the older connection's again, which plays on.
        let mv = duel.mv(1, "A-1");
        duel.one.get(mv, "accepted").await;
        duel.two.hears(&[&id, "moved"]).await;
    }
}

/// Players who are away for a second are noted as away.
const IMPATIENT: [(&str, &str); 3] = [
    ("GRUNDYD_TIMES__AWAY_MS", "1000"),
    ("GRUNDYD_TIMES__PING_MS", "1000"),
    ("GRUNDYD_TIMES__DEAD_AFTER_MS", "20000"),
];

/// Whether neither hears for so long that anybody came or went. Both listen, so that neither is taken for dead.
async fn nobody_goes(one: &mut Client, other: &mut Client, time: Duration) -> bool {
    let part = "\"presence\"";
    let quiet = tokio::join!(
        one.hears_nothing_of(part, time),
        other.hears_nothing_of(part, time)
    );
    quiet == (true, true)
}

/// The log says of no player that it is away while it is connected to any node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_on_another_node_is_not_away_and_one_whose_node_dies_is() {
    let mut cluster = Cluster::start_with(2, Hints::None, &IMPATIENT).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut duel = Duel::begin(a, b, false).await;
    let id = duel.text().to_owned();
    let resume = json!({"type": "resume", "match": duel.id, "since_seq": 0});
    // Each node has read the match while a player of it was connected to the other one, and would call the roll by now.
    let long = Duration::from_secs(5);
    assert!(nobody_goes(&mut duel.one, &mut duel.two, long).await);
    let mut back = duel.two.go_to(a).await;
    back.get(resume.clone(), "attached").await;
    duel.two.hears(&[&id, "superseded"]).await;
    assert!(nobody_goes(&mut duel.one, &mut back, long).await);
    let mut there = back.go_to(b).await;
    there.get(resume, "attached").await;
    back.hears(&[&id, "superseded"]).await;
    assert!(nobody_goes(&mut duel.one, &mut there, long).await);
    // What a dead node held is nobody's.
    cluster.nodes[1].kill().await;
    duel.one.hears(&[&id, "\"presence\"", "false"]).await;
}

pub(crate) async fn seats(postgres: &Postgres) -> i64 {
    let mut owner = postgres.connect(DATABASE).await;
    let counted = sqlx::query_scalar("SELECT count(*) FROM grundy.seat");
    counted.fetch_one(&mut owner).await.expect("a count")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_goes_with_its_match_and_with_its_node() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let postgres = &cluster.postgres;
    let [a, b] = &mut cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut duel = Duel::begin(a, b, false).await;
    until("both sit", async || seats(postgres).await == 2).await;
    let resign = json!({"type": "resign", "match": duel.id});
    duel.one.get(resign, "done").await;
    duel.one.get(json!({"type": "bye"}), "done").await;
    duel.two.get(json!({"type": "bye"}), "done").await;
    until("nobody sits", async || seats(postgres).await == 0).await;
    let duel = Duel::begin(a, b, false).await;
    until("both sit again", async || seats(postgres).await == 2).await;
    a.kill().await;
    until("the dead node's seat is gone", async || {
        seats(postgres).await == 1
    })
    .await;
    drop(duel);
}
