//! Deaths of the server, one after another: bots play, it dies at some place, what it left is compared with what it
//! had promised, and it starts again where it died.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grundy_server::data::location;
use grundy_server::fsck::fsck;
use grundy_server::store::Store as _;
use grundy_server::store::sqlite::SqliteStore;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rustix::process::Signal;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::bot::Bot;
use crate::checker::{Findings, Logs, Witness, check_history, check_outage};
use crate::journal_reader::JournalReader;
use crate::process::{Launch, PATIENCE, ended};

/// Pairs of bots that play at once.
const PAIRS: usize = 12;

/// Where the server dies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Place {
    /// Killed from outside, at any moment of play.
    Playing,
    /// Killed from outside, before or soon after it is ready.
    Starting,
    /// By itself, at this failpoint.
    At(&'static str),
    /// By itself, after an exact operation on its files; only with the flush recorder.
    Exactly(Phase),
}

/// When a server does most to its files besides appending to the write-ahead log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Phase {
    /// From its first operation on.
    Start,
    /// After SIGTERM.
    Stop,
    /// While the write-ahead log is copied into the database.
    Checkpoint,
}

impl Phase {
    /// What the flush recorder reads: the number of operations until death, and how the names of the files end that count.
    fn death(self, random: &mut StdRng) -> String {
        // Each of the first few leaves a state of its own; the later ones are pages and frames, one like the other.
        let most = [4, 4, 16, 120][random.random_range(0..4)];
        let number = random.random_range(1..=most);
        let files = match self {
            // The cut of the write-ahead log and what is written after it stand behind hundreds of pages of the database.
            Self::Start | Self::Stop => ["", "-wal"][random.random_range(0..2)],
            // The database itself is written by a checkpoint only.
            Self::Checkpoint => ".db",
        };
        format!("{number} {files}")
    }
}

impl Place {
    /// Every place where a server that plays can die.
    pub(crate) const ALL: [Self; 7] = [
        Self::At("before_commit"),
        Self::At("after_commit_before_ack"),
        Self::At("mid_batch"),
        Self::At("before_publish"),
        Self::At("in_checkpoint"),
        Self::Starting,
        Self::Playing,
    ];
    /// The place that only a new database has.
    pub(crate) const MIGRATION: Self = Self::At("in_migration");

    fn name(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Starting => "starting",
            Self::At(failpoint) => failpoint,
            Self::Exactly(Phase::Start) => "exactly in a start",
            Self::Exactly(Phase::Stop) => "exactly in a stop",
            Self::Exactly(Phase::Checkpoint) => "exactly in a checkpoint",
        }
    }

    fn failpoint(self, random: &mut StdRng) -> Option<String> {
        let Self::At(name) = self else {
            return None;
        };
        // Once in a life for what happens seldom, somewhere among the first hundred for what happens all the time.
        let most = if matches!(name, "in_checkpoint" | "in_migration") {
            1
        } else {
            120
        };
        Some(format!("{name}:{}", random.random_range(1..=most)))
    }
}

/// The results of many deaths.
#[derive(Default)]
pub(crate) struct Tally {
    /// Deaths, by place.
    pub(crate) deaths: BTreeMap<&'static str, u64>,
    /// Acknowledgements that clients received before a death.
    pub(crate) acks: u64,
    /// What was found wrong.
    pub(crate) findings: Findings,
    /// The longest time from the start of a process until it listened.
    pub(crate) slowest_start: Duration,
}

impl Tally {
    /// All deaths.
    pub(crate) fn kills(&self) -> u64 {
        self.deaths.values().sum()
    }
}

/// One data directory, from its making to the end of its last match.
pub(crate) struct Episode {
    directory: tempfile::TempDir,
    random: StdRng,
    bots: Vec<Bot>,
    witness: Witness,
    acks: watch::Sender<u64>,
    /// The logs from which the next life goes on.
    last: Option<Logs>,
    /// The logs that the last life left that had listened, and when it died.
    served: Option<(Logs, Instant)>,
    /// Whether the life that has just ended had listened, and when it died.
    died: Option<(bool, Instant)>,
    /// How long processes lived since then that died before they listened.
    in_vain: Duration,
    /// How long nobody served before the life that is under way or has just ended.
    away: Option<Duration>,
    /// More variables for the server.
    pub(crate) environment: Vec<(&'static str, OsString)>,
    /// More acknowledgements than this are waited for before a kill from outside.
    pub(crate) wanted_acks: std::ops::Range<u64>,
}

impl Episode {
    /// With bots that were never there before.
    pub(crate) fn new(seed: u64) -> Self {
        let directory = tempfile::Builder::new()
            .prefix("grundy-durability-")
            .tempdir()
            .expect("a directory");
        std::fs::create_dir(directory.path().join("data")).expect("a data directory");
        let acks = watch::Sender::new(0);
        let bots: Vec<Bot> = (0..PAIRS)
            .flat_map(|number| Bot::pair(directory.path(), number, seed, &acks))
            .collect();
        let witness = Witness::new(bots.iter().map(|bot| JournalReader::open(bot.journal())));
        Self {
            directory,
            random: StdRng::seed_from_u64(seed),
            bots,
            witness,
            acks,
            last: None,
            served: None,
            died: None,
            in_vain: Duration::ZERO,
            away: None,
            environment: Vec::new(),
            wanted_acks: 50..900,
        }
    }

    /// The data directory.
    pub(crate) fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// A directory beside it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The journals of the bots.
    pub(crate) fn journals(&self) -> Vec<PathBuf> {
        let journals = self.bots.iter().map(Bot::journal);
        journals.map(Path::to_owned).collect()
    }

    /// The episode's own chance.
    pub(crate) fn random(&mut self) -> &mut StdRng {
        &mut self.random
    }

    /// How many acknowledgements the bots have.
    pub(crate) fn acks(&self) -> u64 {
        *self.acks.borrow()
    }

    /// Keeps everything for a person to look at, and says where.
    pub(crate) fn keep(&mut self) -> &Path {
        self.directory.disable_cleanup(true);
        self.directory.path()
    }

    /// Starts the server, lets the bots play, and sees the server die.
    pub(crate) async fn live_and_die(&mut self, place: Place, tally: &mut Tally) {
        self.away = None;
        let mut launch = Launch::on(&self.data());
        launch.environment.clone_from(&self.environment);
        if let Some(failpoint) = place.failpoint(&mut self.random) {
            launch = launch.with("GRUNDYD_FAILPOINT", failpoint);
        }
        if let Place::Exactly(phase) = place {
            launch = launch.with("FLUSH_RECORD_DEATH", self.death());
            // The order of the death before.
            let _ = std::fs::remove_file(self.death());
            if phase == Phase::Start {
                let order = phase.death(&mut self.random);
                order_death(&self.death(), &order);
            }
        }
        let begun = Instant::now();
        let listened = if place == Place::Starting {
            let mut child = launch.command().spawn().expect("the server starts");
            let late = Duration::from_micros(self.random.random_range(0..60_000));
            tokio::time::sleep(late).await;
            child.start_kill().expect("a child can be killed");
            ended(&mut child).await;
            false
        } else {
            self.play_until_death(&launch, place, tally).await
        };
        if !listened {
            self.in_vain += begun.elapsed();
        }
        self.died = Some((listened, Instant::now()));
        *tally.deaths.entry(place.name()).or_default() += 1;
        self.witness.catch_up();
    }

    /// False when it died before it listened.
    async fn play_until_death(&mut self, launch: &Launch, place: Place, tally: &mut Tally) -> bool {
        let away = self.away_now();
        let begun = Instant::now();
        let mut server = match launch.start().await {
            Ok(server) => server,
            Err(status) => {
                let killed = status.signal() == Some(Signal::KILL.as_raw());
                assert!(
                    killed && matches!(place, Place::At(_) | Place::Exactly(Phase::Start)),
                    "the server ended with {status}: {}",
                    launch.logged()
                );
                return false;
            }
        };
        tally.slowest_start = tally.slowest_start.max(begun.elapsed());
        let target = self.acks() + self.random.random_range(self.wanted_acks.clone());
        let late = Duration::from_micros(self.random.random_range(0..5_000));
        let mut acks = self.acks.subscribe();
        let lives = self.let_bots_play(server.address(), &CancellationToken::new());
        let all_back = CancellationToken::new();
        let order = match place {
            Place::Exactly(phase) if phase != Phase::Start => {
                Some((self.death(), phase.death(&mut self.random)))
            }
            _ => None,
        };
        let death = async {
            if place == Place::Playing || order.is_some() {
                tokio::select! {
                    () = async { acks.wait_for(|acks| *acks >= target).await.map(drop).unwrap_or_default() } => {}
                    () = all_back.cancelled() => {}
                }
            }
            if let Some((path, order)) = &order {
                order_death(path, order);
            }
            match place {
                Place::Playing => tokio::time::sleep(late).await,
                Place::Exactly(Phase::Stop) => {
                    server.signal(Signal::TERM);
                    return server.ended().await;
                }
                _ => {
                    tokio::select! {
                        status = server.ended() => return status,
                        () = all_back.cancelled() => {}
                    }
                }
            }
            server.signal(Signal::KILL);
            server.ended().await
        };
        let (status, ()) = tokio::join!(
            async {
                let in_time = tokio::time::timeout(5 * PATIENCE, death).await;
                in_time.unwrap_or_else(|_| panic!("no death at {place:?}: {}", launch.logged()))
            },
            async {
                gather(lives, &mut self.bots, &mut tally.findings).await;
                all_back.cancel();
            }
        );
        // A stop may have fewer operations than were ordered.
        let stopped = place == Place::Exactly(Phase::Stop) && status.success();
        assert!(
            stopped || status.signal() == Some(Signal::KILL.as_raw()),
            "it ended by itself: {}",
            launch.logged()
        );
        self.away = away;
        true
    }

    /// The file with the order to die for the flush recorder.
    fn death(&self) -> PathBuf {
        self.beside("death")
    }

    /// How long nobody has served, apart from what lived in vain.
    fn away_now(&self) -> Option<Duration> {
        let (_, died) = self.served.as_ref()?;
        Some(died.elapsed().saturating_sub(self.in_vain))
    }

    /// From these logs the next life goes on.
    fn leave(&mut self, logs: Logs) {
        if let Some((true, died)) = self.died {
            self.served = Some((logs.clone(), died));
            self.in_vain = Duration::ZERO;
        }
        self.last = Some(logs);
    }

    /// Sends the bots to the server.
    fn let_bots_play(&mut self, address: &str, finish: &CancellationToken) -> JoinSet<Bot> {
        let bots = self.bots.drain(..);
        bots.map(|bot| bot.live(address.to_owned(), finish.clone()))
            .collect()
    }

    /// Compares what a death left behind in this data directory with what was promised.
    async fn inspect(&self, data: &Path, findings: &mut Findings) -> Logs {
        let path = location(data);
        let store = match SqliteStore::open(&path).await {
            Ok(store) => store,
            Err(error) => {
                findings.corrupt.push(error.to_string());
                return Logs::new();
            }
        };
        let (logs, found) = self.witness.check(&store).await;
        store.close().await;
        findings.extend(found);
        match fsck(&path).await {
            Ok(report) if report.is_sound() => {}
            Ok(report) => findings.corrupt.push(report.to_string()),
            Err(error) => findings.corrupt.push(error.to_string()),
        }
        if let Some(before) = &self.last {
            check_history(before, &logs, findings);
        }
        if let (Some((before, _)), Some(away)) = (&self.served, self.away) {
            check_outage(before, &logs, away, findings);
        }
        logs
    }

    /// The same for what lies in the data directory, from where the next life goes on.
    pub(crate) async fn inspect_remains(&mut self, findings: &mut Findings) {
        let logs = self.inspect_copy(&self.data(), findings).await;
        self.leave(logs);
    }

    /// Compares a copy: the server itself must meet what is there, and not what is left after the comparison.
    pub(crate) async fn inspect_copy(&self, data: &Path, findings: &mut Findings) -> Logs {
        let copy = self.beside("copy");
        copy_database(data, &copy);
        let logs = self.inspect(&copy, findings).await;
        std::fs::remove_dir_all(&copy).expect("a copy can be removed");
        logs
    }

    /// Puts an image of the disk in the place of what the last life wrote; the next life goes on from there.
    pub(crate) fn go_on_from(&mut self, image: &Path, logs: Logs) {
        for disk in [self.data(), self.beside("shadow")] {
            std::fs::remove_dir_all(&disk).expect("a disk can be removed");
            copy_database(image, &disk);
        }
        self.leave(logs);
    }

    /// Lets the bots end their matches, stops the server as an operator does, and compares everything once more.
    pub(crate) async fn end(mut self, tally: &mut Tally) {
        let mut launch = Launch::on(&self.data());
        launch.environment.clone_from(&self.environment);
        self.away = self.away_now();
        let mut server = launch.serve().await;
        let finish = CancellationToken::new();
        finish.cancel();
        let lives = self.let_bots_play(server.address(), &finish);
        gather(lives, &mut self.bots, &mut tally.findings).await;
        if let Some(bot) = self.bots.iter().find(|bot| !bot.is_finished()) {
            tally.findings.wrong.push(format!(
                "{} lost its connection to a server that lives",
                bot.journal().display()
            ));
        }
        server.signal(Signal::TERM);
        let status = server.ended().await;
        if !status.success() {
            tally
                .findings
                .wrong
                .push(format!("SIGTERM was answered by {status}"));
        }
        self.witness.catch_up();
        let mut found = Findings::default();
        let logs = self.inspect(&self.data(), &mut found).await;
        self.witness.check_complete(&logs, &mut found);
        tally.findings.extend(found);
        tally.acks += self.witness.acks();
    }
}

impl Drop for Episode {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "journals, log lines and database are kept in {}",
                self.keep().display()
            );
        }
    }
}

/// Orders the death of a process. It may read the file at any moment, and then reads all of it.
fn order_death(path: &Path, order: &str) {
    let unread = path.with_extension("unread");
    std::fs::write(&unread, order).expect("an order can be written");
    std::fs::rename(&unread, path).expect("an order can be given");
}

/// Waits until each bot is back; one that met what it should not is a finding.
async fn gather(mut lives: JoinSet<Bot>, bots: &mut Vec<Bot>, findings: &mut Findings) {
    while let Some(life) = lives.join_next().await {
        match life {
            Ok(bot) => bots.push(bot),
            Err(error) if error.is_cancelled() => {}
            Err(error) => {
                findings.wrong.push(format!("a bot gave up: {error}"));
                // Its partner would wait for it.
                lives.abort_all();
            }
        }
    }
}

/// Copies the database and its log of changes as they are, without going through SQLite: what a crash leaves behind.
pub(crate) fn copy_database(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory for the copy");
    for entry in std::fs::read_dir(from).expect("the data directory is readable") {
        let path = entry.expect("the data directory is readable").path();
        let name = path.file_name().expect("an entry has a name").to_owned();
        // The rollback journal of a database that is being made belongs to it: without it SQLite cannot tell what was cut off.
        let of_database = [".db", "-wal", "-journal"];
        if of_database
            .iter()
            .any(|end| name.to_string_lossy().ends_with(end))
        {
            std::io::copy(
                &mut File::open(&path).expect("the database is readable"),
                &mut File::create(to.join(name)).expect("the copy is writable"),
            )
            .expect("the database is copied");
        }
    }
}

#[test]
fn a_copy_has_all_files_of_a_database() {
    let directory = tempfile::tempdir().expect("a directory");
    let (from, to) = (directory.path().join("from"), directory.path().join("to"));
    std::fs::create_dir(&from).expect("a directory");
    let files = ["grundy.db", "grundy.db-wal", "grundy.db-journal"];
    for name in files.into_iter().chain(["grundy.db.lock"]) {
        std::fs::write(from.join(name), name).expect("a file");
    }
    copy_database(&from, &to);
    for name in files {
        assert_eq!(
            std::fs::read(to.join(name)).expect("a copy"),
            name.as_bytes()
        );
    }
    assert!(!to.join("grundy.db.lock").exists(), "it is a process's");
}
