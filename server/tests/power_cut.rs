//! What was acknowledged survives a power cut, and would not with `synchronous=NORMAL`.
//!
//! The process that is killed is this test binary itself, started again to run [`writer_process`].

mod played;
mod powercut;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use grundy_server::fsck::fsck;
use grundy_server::store::sqlite::{Durability, SqliteStore};
use grundy_server::store::{Allowances, LOAD_PAGE, Store};
use grundy_shared::ids::{MatchId, Seq};
use powercut::{Disk, Recorder};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;
use tokio::task::JoinSet;

const DATABASE: &str = "grundy.db";
/// Examples of failures to keep.
const EXAMPLES: usize = 5;
/// Matches that are written at the same time.
const PRODUCERS: u64 = 8;
/// In which directory the writer process writes; set only for it.
const DIRECTORY: &str = "POWER_CUT_DIRECTORY";
/// The first match of the writer process.
const FIRST: &str = "POWER_CUT_FIRST";
/// Set when the writer process is to be the control.
const WEAKENED: &str = "POWER_CUT_WEAKENED";

/// Not a test but the process under test, when it is told where to write: writes whole matches and prints each
/// acknowledgement, until it is killed.
#[test]
fn writer_process() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let first: u64 = std::env::var(FIRST).unwrap().parse().unwrap();
    let durability = match std::env::var_os(WEAKENED) {
        Some(_) => Durability::WeakenedAsControl,
        None => Durability::Full,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let path = Path::new(&directory).join(DATABASE);
        let store = Arc::new(
            SqliteStore::open_with(&path, durability, Allowances::default())
                .await
                .unwrap(),
        );
        let lease = played::lease(&*store).await;
        played::players(&*store, lease).await;
        let mut producers = JoinSet::new();
        for producer in 0..PRODUCERS {
            let store = Arc::clone(&store);
            producers.spawn(async move {
                for number in 0.. {
                    let bits = first + number * PRODUCERS + producer;
                    let played = played::match_of(bits, "nim:3,3,2");
                    for step in 0..played.steps.len() {
                        let Seq(seq) = played.store(&*store, lease, step).await.unwrap();
                        writeln!(std::io::stdout(), "ack {bits} {seq}").unwrap();
                    }
                }
            });
        }
        producers.join_all().await;
    });
}

/// An event that somebody was told is safe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ack {
    /// Of this match.
    id: MatchId,
    /// With this number; all before it are safe as well.
    seq: Seq,
}

/// What many images showed.
#[derive(Default, Debug)]
struct Verdict {
    /// Images opened.
    images: u64,
    /// Acknowledged events that an image lacked, summed over the images.
    lost: u64,
    /// Images that could not be opened or that `fsck` found unsound.
    corrupt: u64,
    /// A few of the failures, in words, with the seed that makes them again.
    examples: Vec<String>,
}

impl Verdict {
    fn example(&mut self, text: String) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(text);
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "images {} lost {} corrupt {}",
            self.images, self.lost, self.corrupt
        )?;
        self.examples
            .iter()
            .try_for_each(|example| write!(f, "\n  {example}"))
    }
}

/// One disk on which a process is started and killed again and again.
struct Experiment {
    recorder: Recorder,
    data: TempDir,
    shadow: TempDir,
    durability: Durability,
    first: u64,
    acks: Vec<Ack>,
}

impl Experiment {
    fn new(durability: Durability) -> Self {
        Self {
            recorder: Recorder::build(),
            data: TempDir::new().unwrap(),
            shadow: TempDir::new().unwrap(),
            durability,
            first: 1,
            acks: Vec::new(),
        }
    }

    /// Starts the writer, and kills it once it has acknowledged so many events, or lets it die at a failpoint.
    fn kill_after(&mut self, acks: usize, failpoint: Option<&str>) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["writer_process", "--exact", "--nocapture"])
            .env(DIRECTORY, self.data.path())
            .env(FIRST, self.first.to_string())
            .envs(
                self.recorder
                    .environment(self.data.path(), self.shadow.path()),
            )
            .stdout(Stdio::piped());
        if self.durability == Durability::WeakenedAsControl {
            command.env(WEAKENED, "1");
        }
        if let Some(failpoint) = failpoint {
            command.env("GRUNDYD_FAILPOINT", failpoint);
        }
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let before = self.acks.len();
        let mut line = String::new();
        while output.read_line(&mut line).unwrap() > 0 {
            // A line that was cut off is no acknowledgement.
            if let Some(rest) = line.strip_prefix("ack ").and_then(|r| r.strip_suffix('\n')) {
                let (bits, seq) = rest.split_once(' ').unwrap();
                self.acks.push(Ack {
                    id: MatchId::from_random(bits.parse().unwrap()),
                    seq: Seq(seq.parse().unwrap()),
                });
            }
            if self.acks.len() - before == acks {
                child.kill().unwrap();
            }
            line.clear();
        }
        child.wait().unwrap();
        // The next process makes other matches.
        self.first += 1_000_000;
    }

    /// Builds the image without everything that was not flushed, and one torn image per seed; opens each and compares it
    /// with what was acknowledged.
    async fn cut_power(&self, torn: impl IntoIterator<Item = u64>, verdict: &mut Verdict) {
        let disk = Disk {
            data: self.data.path(),
            shadow: self.shadow.path(),
        };
        let seeds = torn.into_iter().map(Some);
        for seed in std::iter::once(None).chain(seeds) {
            let directory = TempDir::new().expect("a temporary directory");
            disk.build_image(seed, directory.path());
            let what = match seed {
                None => "all unflushed data lost".to_owned(),
                Some(seed) => format!("torn with seed {seed}"),
            };
            let database = directory.path().join(DATABASE);
            verdict.images += 1;
            if let Err(error) = compare(&database, &self.acks, &what, verdict).await {
                verdict.corrupt += 1;
                verdict.example(format!("{what}: {error}"));
            }
        }
    }
}

/// Opens an image as after a restart; an error says how it is corrupt.
async fn compare(
    database: &Path,
    acks: &[Ack],
    what: &str,
    verdict: &mut Verdict,
) -> Result<(), String> {
    let store = SqliteStore::open(database)
        .await
        .map_err(|error| error.to_string())?;
    let mut promised: BTreeMap<MatchId, Seq> = BTreeMap::new();
    for ack in acks {
        let last = promised.entry(ack.id).or_default();
        *last = ack.seq.max(*last);
    }
    for (id, promised) in promised {
        let kept = length(&store, id).await?;
        if kept < promised {
            let lost = acks.iter().filter(|ack| ack.id == id && ack.seq > kept);
            verdict.lost += lost.count() as u64;
            verdict.example(format!(
                "{what}: match {id} was acknowledged up to {promised} and ends at {kept}"
            ));
        }
    }
    store.close().await;
    let report = fsck(database).await.map_err(|error| error.to_string())?;
    if report.is_sound() {
        Ok(())
    } else {
        Err(report.to_string())
    }
}

/// How many events a match has; 0 when there is none.
async fn length(store: &SqliteStore, id: MatchId) -> Result<Seq, String> {
    let mut end = Seq(0);
    loop {
        let page = store
            .load(id.into(), end, LOAD_PAGE)
            .await
            .map_err(|error| error.to_string())?;
        match page.unwrap_or_default().last() {
            Some(last) => end = last.seq,
            None => return Ok(end),
        }
    }
}

/// A seed of this run, printed so that a failure can be made again with `POWER_CUT_SEED`.
fn seed() -> u64 {
    let seed = std::env::var("POWER_CUT_SEED").map_or_else(
        |_| rand::random(),
        |text| text.parse().expect("POWER_CUT_SEED is a number"),
    );
    println!("POWER_CUT_SEED={seed}");
    seed
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_the_power_goes() {
    let mut chance = StdRng::seed_from_u64(seed());
    let mut experiment = Experiment::new(Durability::Full);
    let mut verdict = Verdict::default();
    for _ in 0..6 {
        experiment.kill_after(chance.random_range(1..600), None);
        let torn: [u64; 3] = chance.random();
        experiment.cut_power(torn, &mut verdict).await;
    }
    println!("acks {} {verdict}", experiment.acks.len());
    assert_eq!(
        (verdict.images, verdict.lost, verdict.corrupt),
        (24, 0, 0),
        "{verdict}"
    );
}

#[tokio::test]
async fn the_control_loses_acknowledged_events() {
    let mut experiment = Experiment::new(Durability::WeakenedAsControl);
    let mut verdict = Verdict::default();
    // A kill right after a checkpoint, which flushes everything, finds nothing to lose; that is chance, and not again and again.
    for _ in 0..10 {
        experiment.kill_after(200, None);
        experiment.cut_power([1, 2], &mut verdict).await;
        println!("control: {verdict}");
        if verdict.lost > 0 {
            break;
        }
    }
    assert!(
        verdict.lost > 0,
        "the power-cut tests cannot fail: {verdict}"
    );
    assert_eq!(verdict.corrupt, 0, "{verdict}");
}

/// Kills at the named places, where the states are that chance rarely meets.
#[cfg(feature = "failpoints")]
#[tokio::test]
async fn nothing_acknowledged_is_lost_at_any_failpoint() {
    let mut chance = StdRng::seed_from_u64(seed());
    for (place, passings) in [
        ("in_migration", 1..2),
        ("mid_batch", 1..300),
        ("before_commit", 1..100),
        ("after_commit_before_ack", 1..100),
        ("in_checkpoint", 1..3),
    ] {
        let mut experiment = Experiment::new(Durability::Full);
        let mut verdict = Verdict::default();
        for _ in 0..3 {
            let failpoint = format!("{place}:{}", chance.random_range(passings.clone()));
            experiment.kill_after(usize::MAX, Some(&failpoint));
            let torn: [u64; 3] = chance.random();
            experiment.cut_power(torn, &mut verdict).await;
        }
        println!("{place}: acks {} {verdict}", experiment.acks.len());
        assert_eq!(
            (verdict.lost, verdict.corrupt),
            (0, 0),
            "{place}: {verdict}"
        );
    }
}
