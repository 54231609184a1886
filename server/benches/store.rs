//! How fast the store takes moves: producers in a closed loop, each appending to its own match.
//!
//! `cargo bench -p grundy-server --bench store -- [SECONDS [PRODUCERS …]]` prints, for 1, 8, 100 and 5,000 producers, events per
//! second, the wait for an acknowledgement, events per commit, and the processor time of the whole process per event; then
//! how long 10,000 live matches take to read back.
//!
//! With `GRUNDY_BENCH_POSTGRES=postgres://…`, the address of a database with the tables of the store, the same is measured there instead of in an SQLite file;
//! with `GRUNDY_BENCH_STORES=N`, N stores on it share the producers.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grundy_server::store::committer::Committer;
use grundy_server::store::postgres::{Address, PostgresStore};
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{Commit, Lease, MatchRow, MatchStatus, NodeId, Store};
use grundy_shared::event::{Clocks, Event, PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use tempfile::TempDir;
use tokio::task::JoinSet;

/// Scattered, as ids drawn by chance are.
fn id(bits: u64) -> MatchId {
    MatchId::from_random(bits.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

fn new_match(bits: u64, events: u32) -> Commit {
    let player = |bits| PlayerInfo {
        id: PlayerId::from_random(bits),
        name: "somebody".to_owned(),
        bot: false,
    };
    let row = MatchRow {
        start: "nim:3,5,7".to_owned(),
        clock: TimeControl::Untimed {},
        first: Some(player(u128::from(bits))),
        second: Some(player(u128::from(bits) + 1)),
        status: MatchStatus::Live,
        outcome: None,
        reason: None,
        plies: Ply(0),
        created_at: Millis(1_700_000_000_000),
        ended_at: None,
        rematch_of: None,
        series: None,
    };
    let bodies = (0..events).map(|ply| moved(Ply(ply)).into()).collect();
    Commit::append(id(bits), Seq(0), bodies).with_row(id(bits), row)
}

/// Makes these matches.
async fn make(store: &dyn Store, lease: Lease, matches: Range<u64>, events: u32) {
    for first in matches.clone().step_by(500) {
        let page = first..matches.end.min(first + 500);
        let page = page.map(|bits| new_match(bits, events)).collect();
        for made in store.commit(lease, page).await {
            made.expect("a new id");
        }
    }
}

fn moved(ply: Ply) -> String {
    let left = Clocks {
        first_ms: Millis(170_123),
        second_ms: Millis(165_431),
        periods: None,
    };
    Event::Moved {
        at_ms: Millis(1_700_000_000_000 + u64::from(ply.0)),
        seat: Seat::to_move_at(ply),
        ply,
        move_text: "B-3".to_owned(),
        client_move_id: "m-1234567".parse().ok(),
        clocks: Some(left),
        lag_ms: Millis(0),
        planned: false,
        hints: 0,
    }
    .to_json()
}

/// User and system time of this process.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

/// The stores that are measured: one on a new file in this directory, or several on one database.
async fn stores(directory: &TempDir) -> Vec<Arc<dyn Store>> {
    let Ok(address) = std::env::var("GRUNDY_BENCH_POSTGRES") else {
        let store = SqliteStore::open(&directory.path().join("bench.db")).await;
        return vec![Arc::new(store.expect("a new database"))];
    };
    let count = std::env::var("GRUNDY_BENCH_STORES").unwrap_or_default();
    let mut stores: Vec<Arc<dyn Store>> = Vec::new();
    for _ in 0..count.parse().unwrap_or(1) {
        let address = Address::read(&address).expect("the address of a database");
        let store = PostgresStore::open(address).await;
        stores.push(Arc::new(store.expect("a database with tables")));
    }
    stores
}

/// The first number of the matches of a run: a database keeps those of earlier runs.
fn first_match(run: u64) -> u64 {
    (u64::from(std::process::id()) << 24) + (run << 16)
}

async fn closed_loop(producers: u64, seconds: u64) {
    let directory = TempDir::new().expect("a temporary directory");
    let first = first_match(producers);
    let (mut committers, mut committing) = (Vec::new(), JoinSet::new());
    let stores = stores(&directory).await;
    for (node, store) in (1..).map(NodeId).zip(&stores) {
        let lease = store.enlist(node, Millis(0)).await.expect("a node");
        if node == NodeId::ONLY {
            make(&**store, lease, first..first + producers, 1).await;
        }
        let (committer, commits) = Committer::new(store.clone(), lease);
        committers.push(committer);
        committing.spawn(commits.run());
    }
    let counts = || {
        let gauges = stores.iter().map(|store| store.gauges().commits);
        gauges.sum::<u64>()
    };
    let (before, cpu_before, start) = (counts(), cpu(), Instant::now());
    let end = start + Duration::from_secs(seconds);
    let mut tasks = JoinSet::new();
    for bits in 0..producers {
        let committer = committers[bits as usize % committers.len()].clone();
        tasks.spawn(async move {
            let id = id(first + bits);
            let mut waits = Vec::new();
            for seq in 1.. {
                let asked = Instant::now();
                if asked > end {
                    break;
                }
                let body = moved(Ply(seq));
                let append = Commit::append(id, Seq(seq.into()), vec![body.into()]);
                committer.commit(append).await.expect("nobody else writes");
                waits.push(asked.elapsed());
            }
            waits
        });
    }
    let mut waits = tasks.join_all().await.concat();
    let (elapsed, cpu, after) = (start.elapsed(), cpu() - cpu_before, counts());
    waits.sort_unstable();
    let events = waits.len() as f64;
    let at = |share: f64| waits[(share * (events - 1.0)) as usize].as_secs_f64() * 1e3;
    println!(
        "producers {producers:>5}  events/s {:>8.0}  p50 {:>6.2} ms  p99 {:>6.2} ms  events/commit {:>5.1}  cpu {:>5.2} us/event",
        events / elapsed.as_secs_f64(),
        at(0.5),
        at(0.99),
        events / (after - before) as f64,
        cpu.as_secs_f64() * 1e6 / events,
    );
    drop(committers);
    committing.join_all().await;
    for store in stores {
        store.close().await;
    }
}

async fn recovery(matches: u64) {
    let directory = TempDir::new().expect("a temporary directory");
    let store = stores(&directory).await.remove(0);
    let lease = store.enlist(NodeId(9), Millis(0)).await.expect("a node");
    let first = first_match(0);
    make(&*store, lease, first..first + matches, 20).await;
    store.close().await;
    let start = Instant::now();
    let store = stores(&directory).await.remove(0);
    let opened = start.elapsed();
    let (mut after, mut events, mut live) = (None, 0, 0);
    loop {
        let page = store.live(NodeId(9), after).await.expect("a page");
        let Some(last) = page.last() else { break };
        after = Some(last.cursor.clone());
        live += page.len();
        events += page
            .iter()
            .map(|one| one.log.as_ref().expect("undamaged").len())
            .sum::<usize>();
    }
    println!(
        "recovery: {live} matches, {events} events: open {:.0} ms, all {:.0} ms",
        opened.as_secs_f64() * 1e3,
        start.elapsed().as_secs_f64() * 1e3
    );
    store.close().await;
}

fn main() {
    let mut numbers = std::env::args().filter_map(|argument| argument.parse().ok());
    let seconds = numbers.next().unwrap_or(3);
    let producers: Vec<u64> = numbers.collect();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        for count in [1, 8, 100, 5_000] {
            if producers.is_empty() || producers.contains(&count) {
                closed_loop(count, seconds).await;
            }
        }
        if producers.is_empty() {
            recovery(10_000).await;
        }
    });
}
