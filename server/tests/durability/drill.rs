//! The restore drill: backups in a loop while bots play and the server is killed. Each backup must hold whatever was acknowledged before it
//! began, and play must go on from one that is restored.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use grundy_server::data::location;
use grundy_server::store::Store as _;
use grundy_server::store::sqlite::SqliteStore;
use serde_json::Value;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use crate::campaign::{Episode, Place, Tally};
use crate::checker::{Findings, Witness};
use crate::journal_reader::JournalReader;
use crate::process::{PATIENCE, PROGRAM};

/// What came of a drill.
pub(crate) struct Drill {
    /// Deaths of the server, and what was found in its own database and in the backups.
    pub(crate) tally: Tally,
    /// Backups.
    pub(crate) backups: u64,
    /// Acknowledgements that the last backup had to hold.
    pub(crate) acks: u64,
}

/// A backup, and what clients had been told before it was begun.
struct Kept {
    directory: PathBuf,
    journals: PathBuf,
}

/// Runs the program, which must succeed, and reads its JSON.
async fn run(arguments: &[&str], directories: [&Path; 2]) -> Value {
    let [named, data] = directories;
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .arg(named)
        .arg("--data")
        .arg(data)
        .arg("--json")
        .stdin(Stdio::null());
    // A backup yields to everything else that the machine does.
    let output = tokio::time::timeout(5 * PATIENCE, command.output());
    let output = output.await.expect("it ends in time").expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Copies the whole lines of journals to which bots are writing.
fn copy_journals(journals: &[PathBuf], to: &Path) {
    std::fs::create_dir(to).expect("a directory");
    for journal in journals {
        let mut text = std::fs::read(journal).expect("a journal can be read");
        let whole = text.iter().rposition(|byte| *byte == b'\n');
        text.truncate(whole.map_or(0, |end| end + 1));
        let name = journal.file_name().expect("a journal has a name");
        std::fs::write(to.join(name), text).expect("a journal can be copied");
    }
}

/// Makes one backup.
async fn back_up(episode: &Site, number: usize) -> Kept {
    let journals = episode.beside.join(format!("journals-{number}"));
    copy_journals(&episode.journals, &journals);
    let made = run(
        &["backup"],
        [&episode.beside.join("backups"), &episode.data],
    )
    .await;
    let directory = made["directory"].as_str().expect("a directory").into();
    Kept {
        directory,
        journals,
    }
}

/// Where an episode is.
struct Site {
    data: PathBuf,
    beside: PathBuf,
    journals: Vec<PathBuf>,
}

/// Makes backups until told to stop.
async fn back_up_in_a_loop(site: &Site, kept: &mut Vec<Kept>, stop: &CancellationToken) {
    while !stop.is_cancelled() {
        let made = back_up(site, kept.len()).await;
        kept.push(made);
    }
}

/// Restores a backup and compares it with what was acknowledged before it began.
async fn check(site: &Site, kept: &Kept, findings: &mut Findings) -> u64 {
    let target = site.beside.join("restored");
    run(&["restore"], [&kept.directory, &target]).await;
    let copies = site.journals.iter().map(|journal| {
        let name = journal.file_name().expect("a journal has a name");
        JournalReader::open(&kept.journals.join(name))
    });
    let mut witness = Witness::new(copies);
    witness.catch_up();
    match SqliteStore::open(&location(&target)).await {
        Ok(store) => {
            let (_, found) = witness.check(&store).await;
            store.close().await;
            findings.extend(found);
        }
        Err(error) => findings.corrupt.push(error.to_string()),
    }
    std::fs::remove_dir_all(&target).expect("a copy can be removed");
    witness.acks()
}

/// Kills the server that often while backups are made, checks each of them, and goes on playing from the last.
pub(crate) async fn run_drill(seed: u64, kills: u64) -> Drill {
    let mut tally = Tally::default();
    let mut episode = Episode::new(seed);
    episode.wanted_acks = 100..300;
    let site = Site {
        data: episode.data(),
        beside: episode.beside("backed-up"),
        journals: episode.journals(),
    };
    std::fs::create_dir(&site.beside).expect("a directory");
    // The first life makes the database.
    episode.live_and_die(Place::Playing, &mut tally).await;
    episode.inspect_remains(&mut tally.findings).await;
    let mut kept = Vec::new();
    for kill in 0..kills {
        let place = match kill % 3 {
            2 => Place::At("in_checkpoint"),
            _ => Place::Playing,
        };
        let stop = CancellationToken::new();
        let life = async {
            episode.live_and_die(place, &mut tally).await;
            stop.cancel();
        };
        tokio::join!(life, back_up_in_a_loop(&site, &mut kept, &stop));
        // And one of what a killed server left.
        let dead = back_up(&site, kept.len()).await;
        kept.push(dead);
        episode.inspect_remains(&mut tally.findings).await;
    }
    let mut acks = 0;
    for backup in &kept {
        acks = check(&site, backup, &mut tally.findings).await;
    }
    // Other bots go on from the last backup.
    let last = kept.last().expect("there are backups");
    let mut next = Episode::new(seed.wrapping_add(1));
    next.wanted_acks = 50..100;
    run(&["restore"], [&last.directory, &next.data()]).await;
    episode.end(&mut tally).await;
    next.live_and_die(Place::Playing, &mut tally).await;
    // They know nothing of the matches of the others, which stay as they are.
    next.inspect_remains(&mut tally.findings).await;
    Drill {
        tally,
        backups: kept.len() as u64,
        acks,
    }
}
