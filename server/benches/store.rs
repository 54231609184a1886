//! How fast the store takes moves: producers in a closed loop, each appending to its own match.
//!
//! `cargo bench -p grundy-server --bench store -- [SECONDS [PRODUCERS …]]` prints, for 1, 8, 100 and 5,000 producers, events per
//! second, the wait for an acknowledgement, events per commit, and the processor time of the whole process per event; then
//! how long 10,000 live matches take to read back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{MatchRow, MatchStatus, NewMatch, Store};
use grundy_shared::event::{Clocks, Event, PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use tempfile::TempDir;
use tokio::task::JoinSet;

fn new_match(bits: u64) -> NewMatch {
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
    };
    NewMatch {
        // Scattered, as ids drawn by chance are.
        id: MatchId::from_random(bits.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
        code: None,
        row,
        events: vec![moved(Ply(0))],
    }
}

fn moved(ply: Ply) -> String {
    let left = Clocks {
        first_ms: Millis(170_123),
        second_ms: Millis(165_431),
    };
    Event::Moved {
        at_ms: Millis(1_700_000_000_000 + u64::from(ply.0)),
        seat: Seat::to_move_at(ply),
        ply,
        move_text: "B-3".to_owned(),
        client_move_id: "m-1234567".parse().ok(),
        clocks: Some(left),
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
    for bits in 0..producers {
        store.create(new_match(bits)).await.expect("a new id");
    }
    let (before, cpu_before, start) = (store.gauges(), cpu(), Instant::now());
    let end = start + Duration::from_secs(seconds);
    let mut tasks = JoinSet::new();
    for bits in 0..producers {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            let id = new_match(bits).id;
            let mut waits = Vec::new();
            for seq in 1.. {
                let asked = Instant::now();
                if asked > end {
                    break;
                }
                let body = moved(Ply(seq));
                store
                    .append(id, Seq(seq.into()), vec![body], None)
                    .await
                    .expect("nobody else writes");
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
    store.close().await;
}

async fn recovery(matches: u64) {
    let directory = TempDir::new().expect("a temporary directory");
    let path = directory.path().join("bench.db");
    let store = SqliteStore::open(&path).await.expect("a new database");
    for first in (0..matches).step_by(500) {
        let page = (first..matches.min(first + 500)).map(|bits| {
            store.create(NewMatch {
                events: (0..20).map(|ply| moved(Ply(ply))).collect(),
                ..new_match(bits)
            })
        });
        for created in join_all(page).await {
            created.expect("a new id");
        }
    }
    store.close().await;
    let start = Instant::now();
    let store = SqliteStore::open(&path).await.expect("the database");
    let opened = start.elapsed();
    let (mut after, mut events, mut live) = (None, 0, 0);
    loop {
        let page = store.live(after).await.expect("a page");
        let Some(last) = page.last() else { break };
        after = Some(last.cursor);
        live += page.len();
        events += page.iter().map(|one| one.events.len()).sum::<usize>();
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
