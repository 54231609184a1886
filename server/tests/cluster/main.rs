//! Several servers over one PostgreSQL, with NATS for hints: real processes, which are killed, frozen and cut off while players play.
//!
//! Short runs are part of the tests; `scripts/prove-cluster` makes long ones, by the variables `GRUNDY_FAULTS`, `GRUNDY_SEED`, `GRUNDY_WIRES`, `GRUNDY_OLDER` (an older program),
//! `GRUNDY_MINUTES` and `GRUNDY_STOP` (the campaign ends early after that time, or when this file is there) and `GRUNDY_LATE_RETURNS`, and reads the verdict from the file that
//! `GRUNDY_VERDICT` names. These tests need Debian's packages postgresql and nats-server.

mod cable;
mod campaign;
#[expect(dead_code, reason = "the tests of durability use more of it")]
#[path = "../durability/checker.rs"]
mod checker;
mod client;
mod clocks;
mod cluster;
mod controls;
mod database;
mod duel;
mod facts;
mod fault;
#[path = "../durability/journal.rs"]
mod journal;
#[path = "../durability/journal_reader.rs"]
mod journal_reader;
mod late;
mod ledger;
mod limits;
mod lobby;
mod looks;
mod moving;
mod namespace;
mod nats;
mod node;
mod operators;
mod patience;
mod player;
mod port;
mod postgres;
mod proxy;
mod role;
mod scenes;
mod secured;
mod silence;
mod society;
mod stranger;
mod versions;
mod visitor;
mod watcher;
mod watching;
mod wire;
mod wiring;

use std::path::PathBuf;
use std::time::Duration;

use self::campaign::End;
use self::fault::Fault;
use self::wiring::Wires;

/// Faults in the short run: the first kinds, each once.
const SHORT: u64 = 7;
/// Deaths of servers in the short run of late returns: a kill and a freeze.
const FEW_DEATHS: u64 = 2;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
    )
}

/// The wires that `GRUNDY_WIRES` asks for.
fn wires() -> Wires {
    match std::env::var("GRUNDY_WIRES").as_deref() {
        Ok("proxies") => Wires::Proxies,
        Ok("namespaces") => Wires::Namespaces,
        Ok(other) => panic!("GRUNDY_WIRES={other} is neither proxies nor namespaces"),
        Err(_) => match Wires::try_namespaces() {
            Ok(()) => Wires::Namespaces,
            Err(why) => {
                eprintln!("proxies stand for wires: no namespaces can be wired here ({why})");
                Wires::Proxies
            }
        },
    }
}

/// Prints a verdict, and writes it to the file that `GRUNDY_VERDICT` names.
fn say(verdict: &str) {
    println!("{verdict}");
    write_verdict(verdict);
}

/// Writes a verdict to that file.
pub(crate) fn write_verdict(verdict: &str) {
    if let Ok(path) = std::env::var("GRUNDY_VERDICT") {
        std::fs::write(path, format!("{verdict}\n")).expect("the verdict can be written");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_comes_back_late_from_a_dead_server_is_not_charged() {
    let deaths = number("GRUNDY_LATE_RETURNS").unwrap_or(FEW_DEATHS);
    let outcome = late::run(u32::try_from(deaths).expect("a number of deaths")).await;
    say(&outcome.to_string());
    assert!(outcome.charged.is_empty(), "{:#?}", outcome.charged);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fault_of_a_node_a_database_or_a_bus_loses_or_doubles_a_move() {
    let seed = number("GRUNDY_SEED").unwrap_or_else(rand::random);
    let count = number("GRUNDY_FAULTS").unwrap_or(SHORT);
    eprintln!("GRUNDY_FAULTS={count} GRUNDY_SEED={seed} repeats this run");
    let count = usize::try_from(count).expect("a number of faults");
    let faults: Vec<Fault> = Fault::ALL.into_iter().cycle().take(count).collect();
    let older = std::env::var("GRUNDY_OLDER").ok();
    let end = End {
        after: number("GRUNDY_MINUTES").map(|minutes| Duration::from_secs(60 * minutes)),
        file: std::env::var_os("GRUNDY_STOP").map(PathBuf::from),
    };
    let outcome = campaign::run(&faults, seed, wires(), older, end).await;
    let verdict = outcome.verdict();
    say(&verdict);
    assert!(outcome.is_clean(), "{}{:?}", outcome.findings, outcome.fsck);
    assert!(
        outcome.all_kinds && outcome.acks > 10 * outcome.faults,
        "hardly anything was played"
    );
}
