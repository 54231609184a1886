//! Power cuts without a plug: what a killed process had flushed, and what it had not.
//!
//! A process under test runs with a small library of our own (`flush_recorder.c`) that keeps a shadow of its data
//! directory with only what was flushed. After a SIGKILL, images of the disk are built from both: one without
//! everything that was not flushed, and torn ones in which each sector that was not flushed is old or new by chance. Each
//! is opened as after a restart, and must have every event that was acknowledged.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use grundy_server::fsck::fsck;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{LOAD_PAGE, Store};
use grundy_shared::ids::{MatchId, Seq};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;

/// What a disk writes at once.
const SECTOR: usize = 512;
/// Examples of failures to keep.
const EXAMPLES: usize = 5;

/// The flush-recording library, compiled.
pub(crate) struct Recorder {
    library: PathBuf,
    _directory: TempDir,
}

impl Recorder {
    /// Compiles it with the system's C compiler.
    pub(crate) fn build() -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        let library = directory.path().join("flush_recorder.so");
        let source = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/powercut/flush_recorder.c"
        );
        let status = Command::new("cc")
            .args(["-O1", "-shared", "-fPIC", "-Wall", "-o"])
            .arg(&library)
            .arg(source)
            .args(["-ldl", "-lpthread"])
            .status()
            .expect("a C compiler named cc");
        assert!(status.success(), "{source} does not compile");
        Self {
            library,
            _directory: directory,
        }
    }

    /// Has a process recorded: what it flushes of the files in `data` is kept in `shadow`. Both must exist; the shadow of
    /// one directory is kept from process to process.
    pub(crate) fn attach(&self, command: &mut Command, data: &Path, shadow: &Path) {
        command
            .env("LD_PRELOAD", &self.library)
            .env("FLUSH_RECORD_DIR", data)
            .env("FLUSH_RECORD_SHADOW", shadow);
    }
}

/// An event that somebody was told is safe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Ack {
    /// Of this match.
    pub(crate) id: MatchId,
    /// With this number; all before it are safe as well.
    pub(crate) seq: Seq,
}

/// What many images showed.
#[derive(Default, Debug)]
pub(crate) struct Verdict {
    /// Images opened.
    pub(crate) images: u64,
    /// Acknowledged events that an image lacked, summed over the images.
    pub(crate) lost: u64,
    /// Images that could not be opened or that `fsck` found unsound.
    pub(crate) corrupt: u64,
    /// A few of the failures, in words, with the seed that makes them again.
    pub(crate) examples: Vec<String>,
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

/// The disk of a process that was killed: its data directory, the shadow of it, and the database in it.
pub(crate) struct Disk<'a> {
    /// What the process wrote.
    pub(crate) data: &'a Path,
    /// What it flushed.
    pub(crate) shadow: &'a Path,
    /// The name of the database within.
    pub(crate) database: &'a str,
}

impl Disk<'_> {
    /// Builds the image without everything that was not flushed, and one torn image per seed; opens each and compares it
    /// with what was acknowledged.
    pub(crate) async fn cut_power(
        &self,
        torn: impl IntoIterator<Item = u64>,
        acks: &[Ack],
        verdict: &mut Verdict,
    ) {
        let seeds = torn.into_iter().map(Some);
        for seed in std::iter::once(None).chain(seeds) {
            let directory = TempDir::new().expect("a temporary directory");
            self.build_image(seed, directory.path());
            let what = match seed {
                None => "all unflushed data lost".to_owned(),
                Some(seed) => format!("torn with seed {seed}"),
            };
            let database = directory.path().join(self.database);
            verdict.images += 1;
            if let Err(error) = compare(&database, acks, &what, verdict).await {
                verdict.corrupt += 1;
                verdict.example(format!("{what}: {error}"));
            }
        }
    }

    fn build_image(&self, seed: Option<u64>, into: &Path) {
        let mut chance = seed.map(StdRng::seed_from_u64);
        for name in names(self.data).union(&names(self.shadow)) {
            let written = std::fs::read(self.data.join(name)).ok();
            let flushed = std::fs::read(self.shadow.join(name)).ok();
            let left = match &mut chance {
                None => flushed,
                Some(chance) => tear(flushed, written, chance),
            };
            if let Some(bytes) = left {
                std::fs::write(into.join(name), bytes).expect("room for an image");
            }
        }
    }
}

/// The files that mean something after a restart: neither shared memory nor locks.
fn names(directory: &Path) -> BTreeSet<String> {
    std::fs::read_dir(directory)
        .expect("the directory of a disk")
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("our names are ASCII"))
        .filter(|name| !name.ends_with("-shm") && !name.ends_with(".lock"))
        .collect()
}

/// What may be left of a file: whether a new or removed one is there, how long it is, and each of its sectors is old or
/// new by chance. What was never written reads as zeros.
fn tear(old: Option<Vec<u8>>, new: Option<Vec<u8>>, chance: &mut StdRng) -> Option<Vec<u8>> {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (None, Some(new)) if chance.random_bool(0.5) => (Vec::new(), new),
        (Some(old), None) if chance.random_bool(0.5) => return Some(old),
        _ => return None,
    };
    let length = if chance.random_bool(0.5) {
        old.len()
    } else {
        new.len()
    };
    let mut left = vec![0; length];
    for (number, sector) in left.chunks_mut(SECTOR).enumerate() {
        let from = if chance.random_bool(0.5) { &old } else { &new };
        let bytes = from.iter().skip(number * SECTOR);
        sector
            .iter_mut()
            .zip(bytes)
            .for_each(|(to, from)| *to = *from);
    }
    Some(left)
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
            .load(id, end, LOAD_PAGE)
            .await
            .map_err(|error| error.to_string())?;
        match page.unwrap_or_default().last() {
            Some(last) => end = last.seq,
            None => return Ok(end),
        }
    }
}
