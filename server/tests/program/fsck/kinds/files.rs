//! Files that are cut, damaged, removed, or swapped.

use std::fs;
use std::path::{Path, PathBuf};

use sqlx::{AssertSqlSafe, Connection};

use super::bed::{Bed, Files};
use super::chance::Chance;
use crate::blobs::other_hand;

/// A kind of change: its name, of which files, what happens to them, and whether it can have hit what holds nothing.
pub(super) type FileKind = (&'static str, Files, FileChange);

/// What happens to the files.
#[derive(Clone, Copy)]
pub(super) enum FileChange {
    /// The database is cut off at any place.
    Cut,
    /// The database is empty.
    Empty,
    /// A page of the database is all zeros.
    ZeroPage,
    /// The first page is.
    ZeroFirstPage,
    /// A bit of any page flips.
    Flip,
    /// A bit flips in a page of this table.
    FlipIn(&'static str),
    /// Two pages are swapped.
    SwapPages,
    /// A file beside the database is removed.
    Remove(&'static str),
    /// The write-ahead log is cut off at any place.
    CutLog,
    /// The write-ahead log is empty.
    EmptyLog,
    /// A bit of the write-ahead log flips.
    FlipLog,
    /// The database of one moment, the write-ahead log of another; or without the index that says how long the log was.
    Mix {
        database: Files,
        log: Option<Files>,
        index: bool,
    },
    /// The last commit is cut off the write-ahead log, and nothing says how long it was.
    CutLastCommit,
}

use FileChange as Change;

pub(super) const FILES: &[FileKind] = &[
    ("database cut off", Files::Closed, Change::Cut),
    ("database emptied", Files::Closed, Change::Empty),
    ("first page zeroed", Files::Closed, Change::ZeroFirstPage),
    (
        "write-ahead log removed",
        Files::Killed,
        Change::Remove("-wal"),
    ),
    ("write-ahead log emptied", Files::Killed, Change::EmptyLog),
    ("write-ahead log cut off", Files::Killed, Change::CutLog),
    (
        "cp of a running server: the database alone",
        Files::Killed,
        Change::Mix {
            database: Files::Killed,
            log: None,
            index: false,
        },
    ),
    (
        "cp of a running server: database of an earlier moment than the log",
        Files::Killed,
        Change::Mix {
            database: Files::Earlier,
            log: Some(Files::Killed),
            index: false,
        },
    ),
    (
        "cp of a running server: log of an earlier moment than the database",
        Files::Killed,
        Change::Mix {
            database: Files::Killed,
            log: Some(Files::Earlier),
            index: false,
        },
    ),
];

/// Found, unless what was hit holds nothing: free space, or what is in the log as well.
pub(super) const PERHAPS_HARMLESS: &[FileKind] = &[
    ("a page zeroed", Files::Closed, Change::ZeroPage),
    ("two pages swapped", Files::Closed, Change::SwapPages),
    ("a bit of the database", Files::Closed, Change::Flip),
    (
        "a bit in a page of players",
        Files::Closed,
        Change::FlipIn("player"),
    ),
    (
        "a bit in a page of tokens",
        Files::Closed,
        Change::FlipIn("token"),
    ),
    (
        "a bit in a page of summaries",
        Files::Closed,
        Change::FlipIn("match"),
    ),
    (
        "a bit in a page of logs",
        Files::Closed,
        Change::FlipIn("segment"),
    ),
    (
        "a bit in a page of the journal",
        Files::Closed,
        Change::FlipIn("batch"),
    ),
    (
        "a bit in a page of an index",
        Files::Closed,
        Change::FlipIn("player_name_key"),
    ),
    (
        "a bit of the write-ahead log",
        Files::Killed,
        Change::FlipLog,
    ),
    (
        "index of the write-ahead log removed",
        Files::Killed,
        Change::Remove("-shm"),
    ),
    ("lock file removed", Files::Killed, Change::Remove(".lock")),
];

/// What no file can tell of itself.
pub(super) const UNDETECTABLE: &[(FileKind, &str)] = &[
    (
        (
            "all files replaced by those of an earlier moment",
            Files::Killed,
            Change::Mix {
                database: Files::Earlier,
                log: Some(Files::Earlier),
                index: true,
            },
        ),
        "every file is as it was then: only a witness outside the directory knows better",
    ),
    (
        (
            "database replaced by a sound one of another server",
            Files::Closed,
            Change::Mix {
                database: Files::Another,
                log: None,
                index: false,
            },
        ),
        "it is sound; compare the server's id with that which players know",
    ),
    (
        (
            "last commit cut off the log after a power cut",
            Files::Killed,
            Change::CutLastCommit,
        ),
        "the files are as they were before that commit; the index, which knows better, does not survive a power cut",
    ),
];

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn flip(path: &Path, from: usize, to: usize, chance: &mut Chance) {
    let mut bytes = fs::read(path).unwrap();
    let place = from + chance.below(to - from);
    bytes[place] ^= 1 << chance.below(8);
    fs::write(path, bytes).unwrap();
}

const PAGE: usize = 4_096;

/// The pages of a table or an index.
async fn pages(path: &Path, of: &str) -> Vec<usize> {
    let mut connection = other_hand(path).await;
    let statement = format!("SELECT pageno FROM dbstat WHERE name = '{of}'");
    let pages: Vec<i64> = sqlx::query_scalar(AssertSqlSafe(statement))
        .fetch_all(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    pages.into_iter().map(|page| page as usize).collect()
}

/// Makes a change of this kind.
pub(super) async fn change(kind: FileKind, bed: &Bed, path: &Path, chance: &mut Chance) {
    let log = beside(path, "-wal");
    let size = fs::metadata(path).unwrap().len() as usize;
    match kind.2 {
        Change::Cut => {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..chance.below(size)]).unwrap();
        }
        Change::Empty => fs::write(path, []).unwrap(),
        Change::ZeroPage | Change::ZeroFirstPage => {
            let page = match kind.2 {
                Change::ZeroPage => chance.below(size / PAGE),
                _ => 0,
            };
            let mut bytes = fs::read(path).unwrap();
            bytes[page * PAGE..(page + 1) * PAGE].fill(0);
            fs::write(path, bytes).unwrap();
        }
        Change::SwapPages => {
            let bytes = fs::read(path).unwrap();
            let (one, other) = (chance.below(size / PAGE), chance.below(size / PAGE));
            let mut swapped = bytes.clone();
            swapped[one * PAGE..(one + 1) * PAGE]
                .copy_from_slice(&bytes[other * PAGE..(other + 1) * PAGE]);
            swapped[other * PAGE..(other + 1) * PAGE]
                .copy_from_slice(&bytes[one * PAGE..(one + 1) * PAGE]);
            fs::write(path, swapped).unwrap();
        }
        Change::Flip => flip(path, 0, size, chance),
        Change::FlipIn(of) => {
            let pages = pages(path, of).await;
            let page = pages[chance.below(pages.len())];
            flip(path, (page - 1) * PAGE, page * PAGE, chance);
        }
        Change::Remove(suffix) => fs::remove_file(beside(path, suffix)).unwrap(),
        Change::CutLog => {
            let bytes = fs::read(&log).unwrap();
            let frames = frames(path);
            fs::write(&log, &bytes[..chance.below(frames)]).unwrap();
        }
        Change::EmptyLog => fs::write(&log, []).unwrap(),
        Change::FlipLog => {
            let length = fs::metadata(&log).unwrap().len() as usize;
            flip(&log, 0, length, chance);
        }
        Change::Mix {
            database,
            log: of,
            index,
        } => {
            fs::copy(bed.of(database).join("grundy.db"), path).unwrap();
            match of {
                Some(files) => {
                    fs::copy(bed.of(files).join("grundy.db-wal"), &log).unwrap();
                }
                None => {
                    let _ = fs::remove_file(&log);
                }
            }
            let _ = fs::remove_file(beside(path, "-shm"));
            match (index, of) {
                (true, Some(files)) => {
                    let from = bed.of(files).join("grundy.db-shm");
                    fs::copy(from, beside(path, "-shm")).unwrap();
                }
                // Who copies the database by hand leaves the lock file behind.
                _ => {
                    let _ = fs::remove_file(beside(path, ".lock"));
                }
            }
        }
        Change::CutLastCommit => {
            let frames = frames(path);
            fs::remove_file(beside(path, "-shm")).unwrap();
            let bytes = fs::read(&log).unwrap();
            fs::write(&log, &bytes[..frames - 1 - chance.below(PAGE)]).unwrap();
        }
    }
}

/// Bytes of the write-ahead log that its index knows of.
fn frames(path: &Path) -> usize {
    let index = fs::read(beside(path, "-shm")).unwrap();
    let frames = u32::from_ne_bytes(index[16..20].try_into().unwrap()) as usize;
    assert!(frames > 0, "the log has commits");
    32 + frames * (24 + PAGE)
}
