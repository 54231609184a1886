//! Promise 1: what was acknowledged is never lost and never doubled, whether the process is killed or the power fails.
//!
//! A short run is part of the tests; `scripts/prove-durability` makes the long one, by the variables `GRUNDY_KILLS`,
//! `GRUNDY_IMAGES`, `GRUNDY_EXACT_IMAGES` and `GRUNDY_SEED` (`GRUNDY_BACKUP_KILLS` for the restore drill), and reads the verdict from the file that `GRUNDY_VERDICT` names.
//! docs/RELIABILITY.md tells how it works and what it has shown.

mod bot;
mod campaign;
mod checker;
mod client;
mod drill;
mod journal;
mod journal_reader;
mod killing;
mod power_cut;
#[path = "../powercut/mod.rs"]
mod powercut;
mod process;
mod puzzles;
mod ratings;
mod tournaments;

use std::time::Instant;

/// Deaths in the short run: each place once.
const SHORT_KILLS: u64 = 8;
/// Deaths while backups are made, in the short run.
const SHORT_BACKUP_KILLS: u64 = 2;
/// Images in the short run.
const SHORT_IMAGES: u64 = 12;
/// Images of power cuts at exact operations in the short run.
const SHORT_EXACT_IMAGES: u64 = 30;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_kills_and_power_cuts() {
    let seed = number("GRUNDY_SEED").unwrap_or_else(rand::random);
    let kills = number("GRUNDY_KILLS").unwrap_or(SHORT_KILLS);
    let images = number("GRUNDY_IMAGES").unwrap_or(SHORT_IMAGES);
    let exact_images = number("GRUNDY_EXACT_IMAGES").unwrap_or(SHORT_EXACT_IMAGES);
    eprintln!(
        "GRUNDY_KILLS={kills} GRUNDY_IMAGES={images} GRUNDY_EXACT_IMAGES={exact_images} GRUNDY_SEED={seed} repeats this run"
    );

    let begun = Instant::now();
    let killed = killing::run(seed, kills).await;
    eprintln!(
        "deaths by place: {:?}; slowest start {} ms; {} s",
        killed.deaths,
        killed.slowest_start.as_millis(),
        begun.elapsed().as_secs()
    );
    let cut = power_cut::run(seed, images).await;
    let exact = power_cut::run_exactly(seed, exact_images).await;
    eprintln!("power cuts by place: {:?}, {:?}", cut.deaths, exact.deaths);
    let control = power_cut::control(seed).await;
    eprintln!("all of it took {} s", begun.elapsed().as_secs());

    let verdict = format!(
        "kills {} acks {} lost {} doubled {}; images {} lost {} corrupt {};{} control NORMAL lost {}",
        killed.kills(),
        killed.acks,
        killed.findings.lost.len(),
        killed.findings.doubled.len(),
        cut.images,
        cut.findings.lost.len() + cut.findings.doubled.len(),
        cut.findings.corrupt.len(),
        in_words(&exact),
        control,
    );
    println!("{verdict}");
    if let Ok(path) = std::env::var("GRUNDY_VERDICT") {
        std::fs::write(path, format!("{verdict}\n")).expect("the verdict can be written");
    }
    assert!(
        killed.findings.is_clean(),
        "after kills:\n{}",
        killed.findings
    );
    assert!(
        cut.findings.is_clean(),
        "after power cuts:\n{}",
        cut.findings
    );
    assert!(
        exact.findings.is_clean(),
        "after power cuts at exact operations:\n{}",
        exact.findings
    );
    assert!(
        killed.kills() >= kills && cut.images >= images && exact.images >= exact_images,
        "fewer deaths than asked for"
    );
    assert!(
        killed.acks >= kills * killing::ACKS_PER_KILL,
        "fewer acknowledgements than a proof needs"
    );
    assert!(
        control > 0,
        "a build that must lose moves lost none: this harness would not have noticed"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_backup_holds_what_was_acknowledged_before_it_began() {
    let seed = number("GRUNDY_SEED").unwrap_or_else(rand::random);
    let kills = number("GRUNDY_BACKUP_KILLS").unwrap_or(SHORT_BACKUP_KILLS);
    eprintln!("GRUNDY_BACKUP_KILLS={kills} GRUNDY_SEED={seed} repeats this run");
    let begun = Instant::now();
    let drill = drill::run_drill(seed, kills).await;
    println!(
        "backups {} kills {} acks in the last {} lost {}; {} s",
        drill.backups,
        drill.tally.kills(),
        drill.acks,
        drill.tally.findings.lost.len(),
        begun.elapsed().as_secs()
    );
    assert!(drill.tally.findings.is_clean(), "{}", drill.tally.findings);
    assert!(drill.backups >= 2 * kills && drill.acks >= 100 * kills);
}

/// The part of the verdict about power cuts at exact operations, if there were any.
fn in_words(exact: &power_cut::Cut) -> String {
    if exact.images == 0 {
        return String::new();
    }
    format!(
        " exact images {} lost {} corrupt {};",
        exact.images,
        exact.findings.lost.len() + exact.findings.doubled.len(),
        exact.findings.corrupt.len()
    )
}
