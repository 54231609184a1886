//! Players who come back late from a server that was killed or has frozen: no player is charged for time in which no living server could accept the move.

use std::fmt;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::time::Duration;

use futures::FutureExt;
use futures::future::join_all;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use crate::client::Client;
use crate::cluster::{Cluster, Hints};
use crate::duel::Duel;
use crate::looks::seats;
use crate::node::Node;
use crate::patience::until;
use crate::postgres::{DATABASE, Postgres};
use crate::scenes::{clocks, resume};

/// Servers.
const NODES: usize = 3;
/// What the players have on their clocks.
const BASE: Duration = Duration::from_secs(600);
/// An opponent who is to move does so, after the take-over.
const ANSWER: Duration = Duration::from_secs(4);
/// A player comes back this long after the death of the server. The others detect the death within two to three seconds, and the clocks are held for eight
/// more.
const LATE: Duration = Duration::from_secs(6);
/// How old the last heartbeat before a death may be, plus the uncertainty of the test's measurements.
const TOLERANCE: Duration = Duration::from_millis(700);

/// Each match has new players, all of one address.
const SETTINGS: [(&str, &str); 3] = [
    ("GRUNDYD_LIMITS__CONNECTIONS_PER_ADDRESS", "200"),
    ("GRUNDYD_LIMITS__GUESTS_PER_MINUTE_PER_ADDRESS", "10000"),
    ("GRUNDYD_QUOTAS__GUESTS_PER_ADDRESS", "100000"),
];

/// The results of many deaths.
#[derive(Default)]
pub(crate) struct Outcome {
    kills: u32,
    freezes: u32,
    /// Deaths in which another server ended by itself; they do not count, and are repeated.
    disturbed: u32,
    returns: u32,
    worst: Duration,
    /// Those who were charged for more than their own time.
    pub(crate) charged: Vec<String>,
}

impl Outcome {
    fn add(&mut self, number: u32, lost: Vec<(&str, Value, Duration)>) {
        let how = if is_kill(number) { "kill" } else { "freeze" };
        for (what, id, lost) in lost {
            self.returns += 1;
            self.worst = self.worst.max(lost);
            if lost > TOLERANCE {
                self.charged
                    .push(format!("{how} {number}, {what}: {id} lost {lost:?}"));
            }
        }
        if is_kill(number) {
            self.kills += 1;
        } else {
            self.freezes += 1;
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "deaths {} kills {} freezes {} late-returns {} charged {} worst-charge {} ms of {} ms allowed, disturbed {}",
            self.kills + self.freezes,
            self.kills,
            self.freezes,
            self.returns,
            self.charged.len(),
            self.worst.as_millis(),
            TOLERANCE.as_millis(),
            self.disturbed
        )
    }
}

/// A match whose first player is connected to the server that dies, and is to move then or when the opponent has answered.
struct Stake {
    what: &'static str,
    id: Value,
    absent: Client,
    /// The opponent, and whether that one is connected to the same server.
    opponent: Option<(Client, bool)>,
    /// Whether the opponent is to move.
    answers: bool,
    /// When the clock began to run.
    began: Instant,
}

impl Stake {
    /// Between two people. The creator's server owns the match.
    async fn of_people(what: &'static str, creator: &Node, other: &Node, dying: &Node) -> Self {
        let began = Instant::now();
        let clock = json!({"type": "fischer", "base_ms": millis(BASE), "increment_ms": 0});
        let creates = std::ptr::eq(creator, dying);
        let side = if creates { "first" } else { "second" };
        let terms = json!({"side": side, "clock": clock});
        let Duel { id, one, two } = Duel::begin_on(creator, other, terms).await;
        let (absent, opponent) = if creates { (one, two) } else { (two, one) };
        Self {
            what,
            id,
            absent,
            opponent: Some((opponent, std::ptr::eq(creator, other))),
            answers: false,
            began,
        }
    }

    /// Against a built-in bot.
    async fn against_a_bot(dying: &Node) -> Self {
        let mut absent = Client::come(dying).await;
        let began = Instant::now();
        let create = json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "bot", "name": "perfect"},
            "clock": {"type": "fischer", "base_ms": millis(BASE), "increment_ms": 0}});
        let id = absent.get(create, "created").await["match"].clone();
        Self {
            what: "against a bot",
            id,
            absent,
            opponent: None,
            answers: false,
            began,
        }
    }

    fn seats(&self) -> i64 {
        if self.opponent.is_some() { 2 } else { 1 }
    }

    /// The player comes to another server; how much more the clock has lost than the player's own time.
    async fn comes_back(&mut self, there: &Node, died: Instant) -> Duration {
        self.absent = self.absent.go_to(there).await;
        let came = Instant::now();
        self.absent.get(resume(&self.id), "attached").await;
        let (left, _) = clocks(&mut self.absent, &self.id).await;
        let own = (died - self.began) + came.elapsed();
        (BASE - Duration::from_millis(left)).saturating_sub(own)
    }

    fn mv(&self, ply: u32) -> Value {
        json!({"type": "move", "match": self.id, "ply": ply, "move": "A-1"})
    }

    /// The first player has moved, so the opponent is to move.
    async fn with_a_move(mut self) -> Self {
        self.absent.get(self.mv(1), "accepted").await;
        self.answers = true;
        self
    }

    /// The opponent moves, if it is the opponent's turn.
    async fn answer(&mut self) {
        let mv = self.mv(2);
        if let Some((opponent, _)) = self.opponent.as_mut().filter(|_| self.answers) {
            opponent.get(mv, "accepted").await;
        }
    }

    /// Both leave it.
    async fn end(mut self, there: &Node) {
        let resign = json!({"type": "resign", "match": self.id});
        self.absent.get(resign, "done").await;
        self.absent.get(json!({"type": "bye"}), "done").await;
        if let Some((opponent, died)) = &mut self.opponent {
            if *died {
                *opponent = opponent.go_to(there).await;
            }
            opponent.get(json!({"type": "bye"}), "done").await;
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("a short time")
}

/// Kills and freezes servers in turn, this many times. Each time, players who are to move, or will be, lose their connections; they come back late, to a living
/// server.
pub(crate) async fn run(deaths: u32) -> Outcome {
    let mut cluster = Cluster::start_with(NODES, Hints::Nats, &SETTINGS).await;
    let mut outcome = Outcome::default();
    while outcome.kills + outcome.freezes < deaths {
        let number = outcome.kills + outcome.freezes;
        let dying = number as usize % NODES;
        let round = AssertUnwindSafe(round(&mut cluster, number, dying));
        match round.catch_unwind().await {
            Ok(lost) => outcome.add(number, lost),
            Err(panic) => {
                // On a busy machine a server can get no processor for so long that the others take it for dead. Its players are not part of this test.
                if !another_has_ended(&mut cluster, dying).await {
                    resume_unwind(panic);
                }
                outcome.disturbed += 1;
                for node in &mut cluster.nodes {
                    if !node.ends_within(Duration::ZERO).await {
                        node.kill().await;
                    }
                    node.start().await;
                }
            }
        }
        eprintln!("{outcome}");
    }
    outcome
}

/// Whether a server that should live has ended by itself.
async fn another_has_ended(cluster: &mut Cluster, dying: usize) -> bool {
    for (number, node) in cluster.nodes.iter_mut().enumerate() {
        if number != dying && node.ends_within(Duration::from_secs(1)).await {
            return true;
        }
    }
    false
}

/// One death; how much more each clock has lost than the player's own time.
async fn round(
    cluster: &mut Cluster,
    number: u32,
    dying: usize,
) -> Vec<(&'static str, Value, Duration)> {
    let postgres = &cluster.postgres;
    until("nobody sits", async || seats(postgres).await == 0).await;
    let node = |more: usize| &cluster.nodes[(dying + more) % NODES];
    let (dies, there, elsewhere) = (node(0), node(1), node(2));
    let mut stakes = vec![
        Stake::of_people("own match", dies, there, dies).await,
        Stake::of_people("match of the opponent's server", there, dies, dies).await,
        Stake::of_people("opponent on the third server", dies, elsewhere, dies).await,
        Stake::of_people("both on the dead server", dies, dies, dies).await,
        Stake::against_a_bot(dies).await,
        Stake::of_people("opponent to move", dies, there, dies)
            .await
            .with_a_move()
            .await,
        Stake::of_people("opponent to move elsewhere", dies, elsewhere, dies)
            .await
            .with_a_move()
            .await,
    ];
    let sitting: i64 = stakes.iter().map(Stake::seats).sum();
    until("all sit", async || seats(postgres).await == sitting).await;
    until("the servers have been alive since", async || {
        newer_seats(postgres).await == 0
    })
    .await;
    let died = Instant::now();
    let is_kill = is_kill(number);
    dies.signal(if is_kill { Signal::KILL } else { Signal::STOP });
    sleep_until(died + ANSWER).await;
    if let Some((opponent, _)) = &mut stakes[0].opponent {
        opponent.finds(&["\"outage\"", "\"held\":true"]).await;
    }
    join_all(stakes.iter_mut().map(Stake::answer)).await;
    sleep_until(died + LATE).await;
    let returns = stakes.iter_mut().map(|stake| stake.comes_back(there, died));
    let lost = join_all(returns).await;
    let lost = stakes
        .iter()
        .zip(lost)
        .map(|(stake, lost)| (stake.what, stake.id.clone(), lost));
    let lost = lost.collect();
    for stake in stakes {
        stake.end(there).await;
    }
    let node = &mut cluster.nodes[dying];
    if !is_kill {
        node.signal(Signal::CONT);
    }
    // A server that was frozen finds that another one has taken its place.
    node.ended().await;
    node.start().await;
    lost
}

/// Seats that were taken after the last heartbeat of a server.
async fn newer_seats(postgres: &Postgres) -> i64 {
    let mut owner = postgres.connect(DATABASE).await;
    let counted = sqlx::query_scalar(
        "SELECT count(*) FROM grundy.seat WHERE at > (SELECT min(heartbeat) FROM grundy.node)",
    );
    counted.fetch_one(&mut owner).await.expect("a count")
}

/// Every second death is a freeze.
fn is_kill(number: u32) -> bool {
    number.is_multiple_of(2)
}
