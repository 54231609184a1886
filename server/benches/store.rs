//! How fast the store takes moves: producers in a closed loop, each appending to its own match.
//!
//! `cargo bench -p grundy-server --bench store -- [SECONDS [PRODUCERS …]]` prints, for 1, 8, 100 and 5,000 producers, events per
//! second, the wait for an acknowledgement, events per commit, and the processor time of the whole process per event; then
//! how long 10,000 live matches take to read back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use grundy_server::store::committer::Committer;
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

/// Makes so many matches.
async fn make(store: &dyn Store, lease: Lease, matches: u64, events: u32) {
    for first in (0..matches).step_by(500) {
        let page = first..matches.min(first + 500);
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

async fn closed_loop(producers: u64, seconds: u64) {
    let directory = TempDir::new().expect("a temporary directory");
    let store = SqliteStore::open(&directory.path().join("bench.db"))
        .await
        .expect("a new database");
    let store: Arc<dyn Store> = Arc::new(store);
    let lease = store.enlist(NodeId::ONLY, Millis(0)).await;
    let lease = lease.expect("a node");
    make(&*store, lease, producers, 1).await;
    let (committer, commits) = Committer::new(store.clone(), lease);
    let mut committing = JoinSet::new();
    committing.spawn(commits.run());
    let (before, cpu_before, start) = (store.gauges(), cpu(), Instant::now());
    let end = start + Duration::from_secs(seconds);
    let mut tasks = JoinSet::new();
    for bits in 0..producers {
        let committer = committer.clone();
        tasks.spawn(async move {
            let id = id(bits);
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
    let (elapsed, cpu, after) = (start.elapsed(), cpu() - cpu_before, store.gauges());
    waits.sort_unstable();
    let events = waits.len() as f64;
    let at = |share: f64| waits[(share * (events - 1.0)) as usize].as_secs_f64() * 1e3;
    println!(
        "producers {producers:>5}  events/s {:>8.0}  p50 {:>6.2} ms  p99 {:>6.2} ms  events/commit {:>5.1}  cpu {:>5.2} us/event",
        events / elapsed.as_secs_f64(),
        at(0.5),
        at(0.99),
        events / (after.commits - before.commits) as f64,
        cpu.as_secs_f64() * 1e6 / events,
    );
    drop(committer);
    committing.join_all().await;
    store.close().await;
}

async fn recovery(matches: u64) {
    let directory = TempDir::new().expect("a temporary directory");
    let path = directory.path().join("bench.db");
    let store = SqliteStore::open(&path).await.expect("a new database");
    let lease = store.enlist(NodeId::ONLY, Millis(0)).await;
    make(&store, lease.expect("a node"), matches, 20).await;
    store.close().await;
    let start = Instant::now();
    let store = SqliteStore::open(&path).await.expect("the database");
    let opened = start.elapsed();
    let (mut after, mut events, mut live) = (None, 0, 0);
    loop {
        let page = store.live(NodeId::ONLY, after).await.expect("a page");
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
