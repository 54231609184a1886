//! Power cuts without a plug: what a killed process had flushed, and what it had not.
//!
//! A process under test runs with a small library of our own (`flush_recorder.c`) that keeps a shadow of its data
//! directory with only what was flushed. After a SIGKILL, images of the disk are built from both: one without
//! everything that was not flushed, and torn ones in which each sector that was not flushed is old or new by chance. Each
//! is then opened as after a restart, and must have every event that was acknowledged.

mod recorder;

use std::collections::BTreeSet;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

pub(crate) use recorder::Recorder;

/// What a disk writes at once.
const SECTOR: usize = 512;

/// The disk of a process that was killed: its data directory, and the shadow of it.
pub(crate) struct Disk<'a> {
    /// What the process wrote.
    pub(crate) data: &'a Path,
    /// What it flushed.
    pub(crate) shadow: &'a Path,
}

impl Disk<'_> {
    /// Writes an image into an empty directory: without everything that was not flushed, or torn with a seed.
    pub(crate) fn build_image(&self, seed: Option<u64>, into: &Path) {
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
