//! Faults, one after another, while pairs of players play across nodes; and what was acknowledged compared with the log.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grundy_server::store::Store as _;
use grundy_server::store::postgres::{Address, PostgresStore};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rustix::process::Signal;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::cable::Way;
use crate::checker::{Findings, Logs, Witness, check_history};
use crate::cluster::{Cluster, Plan};
use crate::facts::Facts;
use crate::fault::Fault;
use crate::journal_reader::JournalReader;
use crate::ledger::Ledger;
use crate::node::run as run_program;
use crate::patience::{PATIENCE, until};
use crate::player::{Player, Table};
use crate::postgres::{Disk, Postgres, ROLE};
use crate::role;
use crate::society;
use crate::stranger;
use crate::versions::Versions;
use crate::watcher::Watcher;
use crate::wiring::Wires;

/// Servers.
const NODES: usize = 3;
/// Pairs of players who invite each other.
const PAIRS: usize = 8;
/// Rows of the ledger: of those pairs, of a pair that meets in the lobby, of a player against a built-in bot on each node, and of as many watchers.
const ROWS: usize = PAIRS + 1 + 2 * NODES;
/// Settings of the servers: automatic matching is quick.
const SETTINGS: [(&str, &str); 3] = [
    ("GRUNDYD_TIMES__WAVE_MS", "200"),
    society::SETTINGS[0],
    society::SETTINGS[1],
];
/// Moves of each row that are waited for after a fault.
const MOVES_AFTER: u64 = 2;
/// Longer than it usually takes until everybody has moved.
const LONG: Duration = Duration::from_secs(12);
/// Room on the disk of PostgreSQL for what is stored from one fault to the next: about three times as much as a machine with two cores needs.
const MIB_OF_A_FAULT: usize = 5;
/// Faults before the first look at everything that is stored. Each next look comes after twice as many, because it reads all that was ever stored.
const FIRST_CHECK: u64 = 10;
/// A node that cannot go on ends within this time.
const ENDING: Duration = Duration::from_secs(12);

/// What came of many faults.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) faults: u64,
    pub(crate) acks: u64,
    pub(crate) findings: Findings,
    /// The longest time from the kill of a node until every pair had a move acknowledged again.
    pub(crate) worst_failover: Duration,
    /// Acknowledged facts other than moves, and whether there was one of each kind.
    pub(crate) others: String,
    pub(crate) all_kinds: bool,
    /// What the program found in the database at the end, if it looked.
    pub(crate) fsck: Option<Result<(), String>>,
    /// There were fewer faults than asked for.
    pub(crate) cut_short: bool,
}

/// When a campaign ends before all faults have happened.
#[derive(Clone, Default)]
pub(crate) struct End {
    /// It has lasted this long.
    pub(crate) after: Option<Duration>,
    /// There is a file of this name.
    pub(crate) file: Option<PathBuf>,
}

impl End {
    fn has_come(&self, began: Instant) -> bool {
        let late = self.after.is_some_and(|after| began.elapsed() >= after);
        late || self.file.as_ref().is_some_and(|file| file.exists())
    }
}

impl Outcome {
    /// The one line.
    pub(crate) fn verdict(&self) -> String {
        let Findings {
            lost,
            early,
            doubled,
            corrupt,
            ..
        } = &self.findings;
        let others = match self.others() {
            0 => String::new(),
            others => format!(" other {others}"),
        };
        let fsck = match &self.fsck {
            None => "not-run",
            Some(Ok(())) => "sound",
            Some(Err(_)) => "NOT SOUND",
        };
        format!(
            "faults {}{} acks {} lost {} doubled {} forks {} seen-not-logged {}{others} {} fsck {fsck} worst-failover {:.1} s",
            self.faults,
            if self.cut_short { " (cut short)" } else { "" },
            self.acks,
            lost.len(),
            doubled.len(),
            corrupt.len(),
            early.len(),
            self.others,
            self.worst_failover.as_secs_f64()
        )
    }

    /// What else is wrong. That servers refuse while they are cut off is not.
    fn others(&self) -> usize {
        let wrong = self.findings.wrong.iter();
        wrong
            .filter(|wrong| !wrong.contains(" was refused: "))
            .count()
    }

    /// Whether nothing was lost, doubled, forked, or seen that is not in the log.
    pub(crate) fn is_clean(&self) -> bool {
        let Findings {
            lost,
            early,
            doubled,
            corrupt,
            ..
        } = &self.findings;
        let kinds = [lost, early, doubled, corrupt];
        let sound = self.fsck.as_ref().is_some_and(Result::is_ok);
        kinds.iter().all(|kind| kind.is_empty()) && self.others() == 0 && sound
    }
}

/// Everybody who plays or watches.
struct Crowd {
    players: Vec<Player>,
    watchers: Vec<Watcher>,
}

impl Crowd {
    fn at(table: &Arc<Table>) -> Self {
        let mut players = Vec::from(role::seekers(table, PAIRS));
        let mut watchers = Vec::new();
        for number in 0..PAIRS {
            let (pair, played) = role::pair(table, number);
            players.extend(pair);
            if number < NODES {
                // Not where the players are.
                let watcher = Watcher::new(table, played, PAIRS + 1 + NODES + number, number + 2);
                watchers.push(watcher);
            }
        }
        players.extend((0..NODES).map(|home| role::soloist(table, PAIRS + 1 + home, home)));
        Self { players, watchers }
    }
}

/// A cluster under play.
struct Campaign {
    cluster: Cluster,
    versions: Versions,
    random: StdRng,
    table: Arc<Table>,
    players: JoinSet<()>,
    witness: Witness,
    outcome: Outcome,
    /// What was stored at the last look.
    logs: Logs,
    /// What did not stay as it was between two looks.
    history: Findings,
}

/// Lets these faults happen, over wires of this kind. With an older program the nodes begin as that.
pub(crate) async fn run(
    faults: &[Fault],
    seed: u64,
    wires: Wires,
    older: Option<String>,
    end: End,
) -> Outcome {
    let began = Instant::now();
    let plan = Plan {
        disk: Disk::Own(200 + MIB_OF_A_FAULT * faults.len()),
        wires,
        program: older.as_deref(),
        settings: &SETTINGS,
        ..Plan::USUAL
    };
    let cluster = Cluster::start_as(NODES, plan).await;
    let nodes = cluster.to_nodes.iter();
    let table = Arc::new(Table {
        directory: cluster.directory().to_owned(),
        nodes: nodes.map(|cable| cable.address().to_string()).collect(),
        ledger: Ledger::new(ROWS + society::ROWS),
        seed,
        facts: Mutex::default(),
    });
    let Crowd { players, watchers } = Crowd::at(&table);
    let journals = players.iter().map(Player::journal);
    let journals = journals.chain(watchers.iter().map(Watcher::journal));
    let witness = Witness::new(journals.map(JournalReader::open));
    let finish = CancellationToken::new();
    let mut campaign = Campaign {
        cluster,
        versions: Versions::beginning_with(older),
        random: StdRng::seed_from_u64(seed),
        table,
        players: JoinSet::new(),
        witness,
        outcome: Outcome::default(),
        logs: Logs::new(),
        history: Findings::default(),
    };
    for player in players {
        campaign.players.spawn(player.play(finish.clone()));
    }
    for watcher in watchers {
        campaign.players.spawn(watcher.watch(finish.clone()));
    }
    society::begin(&mut campaign.players, &campaign.table, ROWS, &finish);
    campaign.moves_go_on().await;
    let mut next_check = FIRST_CHECK;
    for fault in faults {
        if end.has_come(began) {
            campaign.outcome.cut_short = true;
            break;
        }
        campaign.meet(*fault).await;
        campaign.outcome.faults += 1;
        if campaign.outcome.faults == next_check {
            next_check *= 2;
            campaign.check().await;
            // The default if nothing more comes.
            crate::write_verdict(&format!("{} (unfinished)", campaign.outcome.verdict()));
        }
    }
    finish.cancel();
    campaign.versions.end(&campaign.cluster).await;
    let ended = async { while campaign.player_ends().await {} };
    let ended = timeout(PATIENCE, ended).await;
    assert!(
        ended.is_ok(),
        "players do not finish: {}",
        campaign.cluster.keep().display()
    );
    campaign.check().await;
    campaign.outcome.fsck = Some(campaign.fsck().await);
    let outcome = campaign.outcome;
    if !outcome.is_clean() {
        eprintln!("{}", campaign.cluster.keep().display());
    }
    outcome
}

impl Campaign {
    /// Waits until a player has finished; false when all have.
    async fn player_ends(&mut self) -> bool {
        match self.players.join_next().await {
            Some(ended) => {
                ended.expect("a player does not panic");
                true
            }
            None => false,
        }
    }

    /// Waits until every pair has moved again; how long the slowest took for its first move.
    async fn moves_go_on(&mut self) -> Duration {
        let (then, began) = (self.table.ledger.counts(), Instant::now());
        let (mut first, mut said) = (None, false);
        while !self.table.ledger.has_grown(&then, MOVES_AFTER) {
            let behind = self.table.ledger.behind(&then, 1);
            if first.is_none() && behind.iter().all(|row| *row >= ROWS) {
                first = Some(began.elapsed());
            }
            if !said && began.elapsed() > LONG {
                said = true;
                let rows = self.table.ledger.behind(&then, MOVES_AFTER);
                eprintln!("rows {rows:?} have hardly moved for {LONG:?}");
            }
            let ended = timeout(Duration::from_millis(10), self.players.join_next()).await;
            if let Ok(ended) = ended {
                panic!(
                    "a player has ended: {ended:?}; see {}",
                    self.cluster.keep().display()
                );
            }
            assert!(
                began.elapsed() < PATIENCE,
                "no moves: {:?} after {:?}, the longest silence {:?}; see {}",
                self.table.ledger.counts(),
                then,
                self.table.ledger.longest_silence(),
                self.cluster.keep().display()
            );
        }
        first.unwrap_or_else(|| began.elapsed())
    }

    async fn meet(&mut self, fault: Fault) {
        let began = Instant::now();
        let number = self.random.random_range(0..NODES);
        match fault {
            Fault::Kill => {
                self.cluster.nodes[number].kill().await;
                let failover = self.moves_go_on().await;
                self.outcome.worst_failover = self.outcome.worst_failover.max(failover);
                self.cluster.nodes[number].start().await;
            }
            Fault::Stop => {
                self.cluster.nodes[number].signal(Signal::TERM);
                self.cluster.nodes[number].ended().await;
                self.moves_go_on().await;
                self.cluster.nodes[number].start().await;
            }
            Fault::Freeze => {
                self.cluster.nodes[number].signal(Signal::STOP);
                self.moves_go_on().await;
                self.lasts(500..3_500).await;
                self.cluster.nodes[number].signal(Signal::CONT);
                self.start_again_if_fenced(number).await;
            }
            Fault::CutFromDatabase => self.cut(number, Way::Cut).await,
            Fault::DeafDatabase => self.cut(number, Way::NothingUp).await,
            Fault::MuteDatabase => self.cut(number, Way::NothingDown).await,
            Fault::ForgottenDatabase => self.cut(number, Way::Forgotten).await,
            Fault::SlowDatabase => self.cut(number, Way::Slow).await,
            Fault::CutFromBus => self.cut_from_bus(number, Way::Cut).await,
            Fault::DeafBus => self.cut_from_bus(number, Way::NothingUp).await,
            Fault::MuteBus => self.cut_from_bus(number, Way::NothingDown).await,
            Fault::CutFromClients => self.cut_from_clients(number, Way::Cut).await,
            Fault::DeafNode => self.cut_from_clients(number, Way::NothingUp).await,
            Fault::MuteNode => self.cut_from_clients(number, Way::NothingDown).await,
            Fault::KillBus => {
                let nats = self.cluster.nats.as_mut().expect("there is a bus");
                nats.kill();
                self.moves_go_on().await;
                let nats = self.cluster.nats.as_mut().expect("there is a bus");
                nats.start_again().await;
            }
            Fault::ForgedHints => {
                let nats = self.cluster.nats.as_ref().expect("there is a bus");
                let bus = nats.address();
                stranger::flood(bus).await;
            }
            Fault::Restart(how) => self.cluster.postgres.restart(how),
            Fault::NoConnections => {
                let taken = self.cluster.postgres.take_all_connections(ROLE).await;
                self.lasts(200..2_000).await;
                drop(taken);
            }
            Fault::IdleInTransaction => {
                let holder = self.cluster.postgres.hold_rows().await;
                self.lasts(500..3_500).await;
                drop(holder);
            }
            Fault::FullDisk if self.cluster.postgres.can_be_filled() => {
                self.cluster.postgres.fill();
                self.lasts(500..3_000).await;
                self.cluster.postgres.free();
            }
            Fault::FullDisk => eprintln!("nobody may mount a disk here"),
            Fault::Upgrade => self.replace_programs().await,
        }
        let silence = self.moves_go_on().await;
        self.start_those_that_ended().await;
        eprintln!(
            "{fault:?}: {} ms, then moves after {} ms",
            began.elapsed().as_millis(),
            silence.as_millis()
        );
    }

    async fn lasts(&mut self, ms: std::ops::Range<u64>) {
        let ms = self.random.random_range(ms);
        sleep(Duration::from_millis(ms)).await;
    }

    async fn cut(&mut self, number: usize, way: Way) {
        self.cluster.to_database[number].set(way);
        self.moves_go_on().await;
        self.lasts(200..4_000).await;
        self.cluster.to_database[number].set(Way::Open);
        self.start_again_if_fenced(number).await;
    }

    async fn cut_from_bus(&mut self, number: usize, way: Way) {
        self.cluster.to_bus[number].set(way);
        self.moves_go_on().await;
        self.cluster.to_bus[number].set(Way::Open);
    }

    /// Players go on elsewhere, without any node taking the place of this one: for the others it lives.
    async fn cut_from_clients(&mut self, number: usize, way: Way) {
        self.cluster.to_nodes[number].set(way);
        self.moves_go_on().await;
        self.lasts(200..2_000).await;
        let node = &mut self.cluster.nodes[number];
        let lives = !node.is_fenced() && !node.ends_within(Duration::ZERO).await;
        assert!(
            lives,
            "a node has ended that its clients cannot reach: {}",
            self.cluster.keep().display()
        );
        self.cluster.to_nodes[number].set(Way::Open);
    }

    async fn replace_programs(&mut self) {
        self.versions.step(&self.cluster).await;
        for number in 0..NODES {
            self.moves_go_on().await;
            let node = &mut self.cluster.nodes[number];
            node.signal(Signal::TERM);
            node.ended().await;
            self.moves_go_on().await;
            self.versions.start(&mut self.cluster.nodes[number]).await;
        }
    }

    /// As a supervisor does: a server that could not write for two seconds has lost its lease, whatever the fault was, and ends by itself.
    async fn start_those_that_ended(&mut self) {
        for node in &mut self.cluster.nodes {
            if node.ends_within(Duration::ZERO).await {
                eprintln!("a node that has ended by itself is started again");
                node.start().await;
            }
        }
    }

    /// A node that was away for too long has lost its lease and ends by itself, which is seen by its log.
    async fn start_again_if_fenced(&mut self, number: usize) {
        let address = self.cluster.nodes[number].address().to_owned();
        let node = &mut self.cluster.nodes[number];
        // Two heartbeats at least.
        let ended = node.ends_within(Duration::from_secs(1)).await;
        if ended || node.is_fenced() && node.ends_within(ENDING).await {
            node.start().await;
        }
        until("the node answers", async || {
            tokio::net::TcpStream::connect(&address).await.is_ok()
        })
        .await;
    }

    /// Compares what was acknowledged and seen so far with what is stored.
    async fn check(&mut self) {
        self.witness.catch_up();
        let address = Address::read(&Postgres::url_by(self.cluster.postgres.port()));
        let opened = PostgresStore::open(address.expect("an address")).await;
        let store = opened.expect("the database is there");
        // Before the logs are read, so that the logs contain what it names.
        let facts: Facts = self.table.facts().clone();
        let (logs, mut findings) = self.witness.check(&store).await;
        let further = facts.check(&store, &logs).await;
        store.close().await;
        check_history(&self.logs, &logs, &mut self.history);
        // What clients were told is found again in each look, so the last one counts.
        findings.lost.extend(self.history.lost.iter().cloned());
        findings.extend(further);
        self.outcome.findings = findings;
        self.outcome.acks = self.witness.acks();
        self.outcome.others = facts.to_string();
        self.outcome.all_kinds = facts.has_all_kinds();
        self.logs = logs;
    }

    /// Runs the program's own check of everything, ratings and tournaments too.
    async fn fsck(&self) -> Result<(), String> {
        let url = self.cluster.postgres.url_of_owner();
        let checked = run_program(&["fsck", "--database", &url]).await;
        match checked.status.success() {
            true => Ok(()),
            false => Err(format!("{checked:?}")),
        }
    }
}
