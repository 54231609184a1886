//! One world from its beginning to its end.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::runtime::Builder;

use crate::check;
use crate::client::Client;
use crate::faults::{Counts, Fault};
use crate::node::{Node, Process};
use crate::operator::{self, Operator};
use crate::plan::Plan;
use crate::postgres;
use crate::weather;
use crate::wire;
use crate::world::{Finding, World};

/// Once faults have stopped, everything must be over after so long, in virtual time.
const REST: Duration = Duration::from_secs(400);
/// After the last client has left, the servers are back, and let go of everything, within this.
const LETTING_GO: Duration = Duration::from_secs(60);

/// What came of a world.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) seed: u64,
    pub(crate) findings: Vec<Finding>,
    pub(crate) events: u64,
    pub(crate) crashes: u64,
    pub(crate) hash: u64,
    pub(crate) faults: Counts,
}

thread_local! {
    /// Panics on this thread since it was last asked.
    static PANICS: Cell<u32> = const { Cell::new(0) };
}

/// Counts panics, which a server may catch, instead of only printing them.
pub(crate) fn watch_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.with(|count| count.set(count.get() + 1));
        print(panic);
    }));
}

/// Runs the world of a seed.
pub(crate) fn run(
    seed: u64,
    without: &[Fault],
    planted: Option<&'static str>,
    aloud: bool,
) -> Report {
    PANICS.with(|count| count.set(0));
    #[cfg(feature = "planted")]
    grundy_server::planted::plant(planted);
    #[cfg(not(feature = "planted"))]
    let _ = planted;
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime without threads");
    let world = runtime.block_on(async {
        let world = World::new(Plan::of(seed).without(without), aloud);
        world.note(format_args!("{:?}", world.plan));
        happen(&world).await;
        world
    });
    // Every task ends before the world does.
    drop(runtime);
    if PANICS.with(Cell::get) > 0 {
        world.wrong("something panicked");
    }
    let world = &*world;
    let report = Report {
        seed,
        findings: world.findings(),
        events: world.disk.events(),
        crashes: world.crashes.load(Ordering::Relaxed),
        hash: world.trace_hash(),
        faults: Counts::default(),
    };
    report.faults.add(&world.faults);
    report
}

async fn happen(world: &Arc<World>) {
    let nodes: Vec<Arc<Node>> = (0..world.plan.nodes as usize)
        .map(|index| Node::new(world, index))
        .collect();
    if nodes.len() > 1 {
        world.fired(Fault::SecondNode);
        world.board().replaced += 1;
    }
    for node in &nodes {
        world.helpers.spawn(node.clone().operate());
    }
    if nodes.len() > 1 {
        let ids = nodes.iter().map(|node| node.id()).collect();
        world.helpers.spawn(postgres::come(world.clone(), ids));
        world.helpers.spawn(wire::trouble(world.clone()));
    } else {
        world.helpers.spawn(weather::blow(world.clone()));
    }
    if world.plan.operator {
        world
            .helpers
            .spawn(Operator::new(world, &nodes[0]).operate());
    }
    for index in 0..world.plan.clients {
        let client = Client::new(world, &nodes, index);
        world.helpers.spawn(client.live());
    }
    let trouble = Duration::from_millis(world.plan.trouble_ms);
    wait_for(trouble, || world.has_findings()).await;
    world.calm_down();
    let all_done = wait_for(REST, || {
        world.has_findings() || world.board().finished == world.plan.clients
    });
    if !all_done.await {
        let left = world.plan.clients - world.board().finished;
        world.stuck(format!("{left} clients never came to an end"));
    }
    if !world.has_findings() {
        rest(world, &nodes).await;
    }
    if !world.has_findings() {
        check::logs(world);
        operator::check(world);
    }
    for process in nodes.iter().filter_map(|node| node.serving()) {
        process.life.let_go();
    }
}

/// The servers let go of what they hold.
async fn rest(world: &Arc<World>, nodes: &[Arc<Node>]) {
    let back = || nodes.iter().all(|node| node.serving().is_some());
    if !wait_for(LETTING_GO, back).await {
        return world.stuck("a server is not there at the end");
    }
    let serving: Vec<_> = nodes.iter().filter_map(|node| node.serving()).collect();
    let connections = |process: &Process| process.app.addresses.connections();
    let gone = wait_for(LETTING_GO, || {
        serving.iter().all(|process| connections(process) == 0)
    });
    if !gone.await {
        world.stuck("connections never end");
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    for process in &serving {
        check::at_rest(world, process);
    }
}

/// Waits until something holds, at most so long; whether it does.
async fn wait_for(most: Duration, holds: impl Fn() -> bool) -> bool {
    let until = tokio::time::Instant::now() + most;
    while !holds() {
        if tokio::time::Instant::now() >= until {
            return false;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_50_seeds_gives_the_same_trace_twice() {
        for seed in 1..=50 {
            let (first, second) = (run(seed, &[], None, false), run(seed, &[], None, false));
            assert_eq!(first.hash, second.hash, "seed {seed}");
        }
    }

    /// Those that a few seeds show.
    #[cfg(feature = "planted")]
    #[test]
    fn planted_faults_are_found() {
        for fault in [
            "acknowledge_before_commit",
            "credit_twice",
            "skip_account_event",
        ] {
            let found =
                (1..=24).any(|seed| !run(seed, &[], Some(fault), false).findings.is_empty());
            assert!(found, "{fault}");
            assert!(run(1, &[], None, false).findings.is_empty());
        }
    }

    /// The same where several servers share a database.
    #[cfg(feature = "planted")]
    #[test]
    fn planted_faults_of_the_simulated_database_are_found() {
        for fault in [
            "accept_lost_commits",
            "count_dead_seats",
            "forget_unknown_commit",
            "ignore_lease",
            "keep_what_was_refused",
            "take_no_locks",
            "trust_stale_read",
        ] {
            let mut seeds = (1..=60).map(|number| 5 * number);
            let shown = seeds.find(|seed| !run(*seed, &[], Some(fault), false).findings.is_empty());
            let seed = shown.unwrap_or_else(|| panic!("{fault}"));
            assert!(run(seed, &[], None, false).findings.is_empty(), "{seed}");
        }
    }

    #[test]
    fn seeds_differ() {
        assert_ne!(run(1, &[], None, false).hash, run(2, &[], None, false).hash);
    }
}
