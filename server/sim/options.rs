//! The command: which seeds, and what to print.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use grundy_server::planted;

use crate::faults::{Counts, Fault};
use crate::run::{Report, run, watch_panics};

/// Plays many short histories of servers, clients, network and store, each decided by its seed, and checks what must always hold.
#[derive(Parser)]
#[command(name = "simulate")]
struct Options {
    /// How many seeds.
    #[arg(long, default_value_t = 2_000)]
    seeds: u64,
    /// The first of them.
    #[arg(long, default_value_t = 1)]
    from: u64,
    /// From one seed to the next: 5, from a multiple of 5 on, gives only worlds with several servers.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    step: u64,
    /// This seed alone, twice; both runs must be the same.
    #[arg(long, conflicts_with_all = ["seeds", "from", "step"])]
    seed: Option<u64>,
    /// With --seed: print everything that happens.
    #[arg(long, requires = "seed")]
    trace: bool,
    /// Print how often each kind of fault fired.
    #[arg(long)]
    counts: bool,
    /// Kinds of fault that never fire, separated by commas; --counts shows their names.
    #[arg(long, value_delimiter = ',', value_parser = fault_named)]
    without: Vec<Fault>,
    /// Plant this fault in all seeds. Needs the cargo feature `planted`.
    #[arg(long, value_parser = planted_named)]
    plant: Option<&'static str>,
    /// Plant each fault alone, and list how many seeds each takes to be found, at most --seeds. Needs the cargo feature `planted`.
    #[arg(long)]
    planted: bool,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: u64,
    /// Stop after so many seeds with findings.
    #[arg(long, default_value_t = 10)]
    stop_after: u64,
}

fn planted_named(name: &str) -> Result<&'static str, String> {
    if !cfg!(feature = "planted") {
        return Err("this build has no planted faults: add --features planted".to_owned());
    }
    let mut all = planted::NAMES.iter().copied();
    all.find(|known| *known == name).ok_or_else(|| {
        format!(
            "no fault is named {name:?}; the names are {:?}",
            planted::NAMES
        )
    })
}

fn fault_named(name: &str) -> Result<Fault, String> {
    let mut all = Fault::ALL.iter().copied();
    all.find(|fault| fault.name() == name).ok_or_else(|| {
        format!(
            "no fault is named {name:?}; a legal one is {:?}",
            Fault::Cut.name()
        )
    })
}

pub(crate) fn main() -> ExitCode {
    let options = Options::parse();
    watch_panics();
    if options.planted {
        return plant_all(&options);
    }
    let sum = match options.seed {
        Some(seed) => replay(seed, &options),
        None => sweep(&options),
    };
    if options.counts {
        for fault in Fault::ALL {
            println!("{:>10} {}", sum.faults.of(*fault), fault.name());
        }
    }
    println!(
        "seeds {} events {} crashes {} safety {} liveness {}",
        sum.seeds, sum.events, sum.crashes, sum.safety, sum.liveness
    );
    if sum.safety + sum.liveness == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Plants one fault after the other; whether each was found.
fn plant_all(options: &Options) -> ExitCode {
    if !cfg!(feature = "planted") {
        eprintln!("this build has no planted faults: add --features planted");
        return ExitCode::from(2);
    }
    let mut missed = 0;
    println!("| fault | seeds until found | what was found |");
    println!("|---|---|---|");
    for name in planted::NAMES {
        let found = (0..options.seeds).find_map(|count| {
            let seed = options.from + count * options.step;
            // Where something is found without it, nothing is proved.
            if !run(seed, &options.without, None, false).findings.is_empty() {
                return None;
            }
            let report = run(seed, &options.without, Some(*name), false);
            let finding = report.findings.into_iter().next()?;
            Some((count + 1, finding.what))
        });
        match found {
            Some((seeds, what)) => {
                let what: String = what.chars().take(90).collect();
                println!("| `{name}` | {seeds} | {what} |");
            }
            None => {
                missed += 1;
                println!("| `{name}` | not in {} | |", options.seeds);
            }
        }
    }
    println!("planted {} missed {missed}", planted::NAMES.len());
    ExitCode::from(u8::from(missed > 0))
}

/// What came of many worlds.
#[derive(Default)]
struct Sum {
    seeds: u64,
    events: u64,
    crashes: u64,
    safety: u64,
    liveness: u64,
    faults: Counts,
}

impl Sum {
    fn add(&mut self, report: &Report) {
        self.seeds += 1;
        self.events += report.events;
        self.crashes += report.crashes;
        self.faults.add(&report.faults);
        // What was not done may be so for what was done wrong.
        if report.findings.iter().any(|finding| !finding.liveness) {
            self.safety += 1;
        } else if !report.findings.is_empty() {
            self.liveness += 1;
        }
    }
}

fn tell(report: &Report) {
    for finding in report.findings.iter().take(4) {
        let kind = if finding.liveness {
            "liveness"
        } else {
            "safety"
        };
        println!(
            "seed {} {kind} at {} ms: {}",
            report.seed, finding.at_ms, finding.what
        );
    }
}

fn replay(seed: u64, options: &Options) -> Sum {
    let without = &options.without;
    let report = run(seed, without, options.plant, options.trace);
    let again = run(seed, without, options.plant, false);
    let mut sum = Sum::default();
    sum.add(&report);
    tell(&report);
    println!("seed {seed} trace {:016x}", report.hash);
    if report.hash != again.hash {
        println!("seed {seed} is not repeatable: trace {:016x}", again.hash);
        sum.safety += 1;
    }
    sum
}

fn sweep(options: &Options) -> Sum {
    let next = AtomicU64::new(options.from);
    let end = options.from + options.seeds * options.step;
    let sum = Mutex::new(Sum::default());
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(options.step, Ordering::Relaxed);
                    if seed >= end {
                        return;
                    }
                    let report = run(seed, &options.without, options.plant, false);
                    let mut sum = sum.lock().expect("no thread panics with it");
                    tell(&report);
                    sum.add(&report);
                    if sum.safety + sum.liveness >= options.stop_after {
                        return;
                    }
                }
            });
        }
    });
    eprintln!("took {:.1} s", began.elapsed().as_secs_f64());
    sum.into_inner().expect("no thread panics with it")
}
