//! Power cuts without a plug: what a killed process had flushed, and what it had not.
//!
//! A process under test runs with a small library of our own (`flush_recorder.c`) that keeps a shadow of its data
//! directory with only what was flushed. After a SIGKILL, images of the disk are built from both: one without
//! everything that was not flushed, and torn ones with a part of it, chosen by chance ([`tear`] says which parts a disk can
//! leave). Each image is then opened as after a restart, and must have every event that was acknowledged.

mod recorder;
mod tear;

use std::collections::BTreeSet;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::StdRng;

pub(crate) use recorder::Recorder;
use tear::{Cut, File};

/// How the names of the recorder's notes end.
const NOTE: &str = ".cut";

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
            let file = File {
                flushed: std::fs::read(self.shadow.join(name)).ok(),
                written: std::fs::read(self.data.join(name)).ok(),
                cut: self.cut(name),
            };
            let left = match &mut chance {
                None => file.flushed,
                Some(chance) => file.tear(chance),
            };
            if let Some(bytes) = left {
                std::fs::write(into.join(name), bytes).expect("room for an image");
            }
        }
    }

    /// How a file lost bytes since it was last flushed, as the recorder noted it beside the shadow.
    fn cut(&self, name: &str) -> Cut {
        match std::fs::read_to_string(self.shadow.join(format!("{name}{NOTE}"))) {
            Err(_) => Cut::No,
            Ok(text) if text == "new" => Cut::Replaced,
            Ok(text) => Cut::To(text.parse().expect("the recorder notes a length")),
        }
    }
}

/// The files that mean something after a restart: neither shared memory nor locks, and no notes of the recorder.
fn names(directory: &Path) -> BTreeSet<String> {
    std::fs::read_dir(directory)
        .expect("the directory of a disk")
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("our names are ASCII"))
        .filter(|name| {
            ["-shm", ".lock", NOTE]
                .iter()
                .all(|end| !name.ends_with(end))
        })
        .collect()
}
