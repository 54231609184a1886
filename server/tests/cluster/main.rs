//! Several servers over one PostgreSQL, with NATS for hints: real processes, which are killed, frozen and cut off while players play.
//!
//! A short run is part of the tests; `scripts/prove-cluster` makes the long one, by the variables `GRUNDY_FAULTS` and `GRUNDY_SEED`, and reads the verdict from the file
//! that `GRUNDY_VERDICT` names. These tests need Debian's packages postgresql and nats-server.

mod campaign;
#[expect(dead_code, reason = "the tests of durability use more of it")]
#[path = "../durability/checker.rs"]
mod checker;
mod client;
mod cluster;
mod controls;
mod database;
mod duel;
#[path = "../durability/journal.rs"]
mod journal;
#[path = "../durability/journal_reader.rs"]
mod journal_reader;
mod ledger;
mod limits;
mod lobby;
mod looks;
mod moving;
mod nats;
mod node;
mod operators;
mod patience;
mod player;
mod port;
mod postgres;
mod proxy;
mod scenes;
mod secured;
mod stranger;
mod wire;

use self::campaign::Fault;

/// Faults in the short run: the first kinds, each once.
const SHORT: u64 = 7;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fault_of_a_node_a_database_or_a_bus_loses_or_doubles_a_move() {
    let seed = number("GRUNDY_SEED").unwrap_or_else(rand::random);
    let count = number("GRUNDY_FAULTS").unwrap_or(SHORT);
    eprintln!("GRUNDY_FAULTS={count} GRUNDY_SEED={seed} repeats this run");
    let count = usize::try_from(count).expect("a number of faults");
    let faults: Vec<Fault> = Fault::ALL.into_iter().cycle().take(count).collect();
    let outcome = campaign::run(&faults, seed).await;
    let verdict = outcome.verdict();
    println!("{verdict}");
    if let Ok(path) = std::env::var("GRUNDY_VERDICT") {
        std::fs::write(path, format!("{verdict}\n")).expect("the verdict can be written");
    }
    assert!(outcome.is_clean(), "{}", outcome.findings);
    assert!(
        outcome.acks > 10 * outcome.faults,
        "hardly anything was played"
    );
}
