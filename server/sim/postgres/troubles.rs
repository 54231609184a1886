//! What befalls the database over time, until faults stop.

use std::sync::Arc;
use std::time::Duration;

use grundy_server::store::NodeId;
use tokio_util::sync::CancellationToken;

use super::locks::Row;
use crate::faults::Fault;
use crate::world::World;

/// A plan with so much trouble has room for an outage in which a server gives up.
const LONG_TROUBLE_MS: u64 = 80_000;

/// Before servers go on that have let others look.
const FOUND_MS: u64 = 1_500;

/// Lets one trouble come after the other to the database of these servers.
pub(crate) async fn come(world: Arc<World>, nodes: Vec<NodeId>) {
    loop {
        let quiet = Duration::from_millis(world.dice.about(5_000));
        tokio::time::sleep(quiet).await;
        if world.is_calm() {
            return;
        }
        let fault = *world.dice.pick(&[
            Fault::DatabaseStop,
            Fault::DatabaseKill,
            Fault::DatabaseKill,
            Fault::NoConnections,
            Fault::IdleInTransaction,
            Fault::SlowReaders,
            Fault::DiskFull,
            Fault::Failover,
        ]);
        if !world.plan.allows(fault) {
            continue;
        }
        let began = world.now_ms();
        befall(&world, &nodes, fault).await;
        // What was refused is tried again a second later at most, and a busy store keeps its callers for five.
        let good = world.now_ms();
        world.note(format_args!("the database is good again"));
        let mut timeline = world.timeline();
        timeline.stalls.push((began, good));
        timeline
            .forgiven
            .push((began.saturating_sub(10), good + 8_000));
    }
}

async fn befall(world: &Arc<World>, nodes: &[NodeId], fault: Fault) {
    let database = &world.database;
    match fault {
        Fault::DatabaseStop => {
            world.fired(fault);
            database.shut(false, false);
            last(world, world.dice.within(200..1_500)).await;
            database.serve();
        }
        Fault::DatabaseKill => {
            world.fired(fault);
            database.doubtful_moment().await;
            database.shut(true, false);
            let long = world.plan.trouble_ms > LONG_TROUBLE_MS;
            let lasts = match long && world.now_ms() < world.plan.trouble_ms - 75_000 {
                true => world.dice.within(62_000..70_000),
                false => world.dice.about(1_500),
            };
            last(world, lasts).await;
            database.serve();
        }
        Fault::NoConnections => {
            world.fired(fault);
            database.shut(false, true);
            last(world, world.dice.within(500..8_000)).await;
            database.serve();
        }
        Fault::IdleInTransaction => {
            world.fired(fault);
            // Somebody else, whose sessions have no time limit.
            let number = database.locks.begin(&CancellationToken::new());
            let rows = [Row::Tally];
            let _ = database.locks.take(number, &rows).await;
            last(world, world.dice.within(500..9_000)).await;
            database.locks.end(number);
        }
        Fault::SlowReaders => {
            let pools = database.pools();
            if pools.is_empty() {
                return;
            }
            world.fired(fault);
            let pool = world.dice.pick(&pools);
            let all = pool.acquire_many(6).await;
            last(world, world.dice.within(500..7_000)).await;
            drop(all);
        }
        Fault::DiskFull => {
            world.fired(fault);
            database.fill_disk(true);
            last(world, world.dice.about(2_500)).await;
            database.fill_disk(false);
        }
        Fault::Failover => fail_over(world, nodes).await,
        _ => {}
    }
}

/// The address of the database leads to a standby that lacks the last commits, until an operator sees that the servers refuse it. Some of them perhaps lack nothing there.
async fn fail_over(world: &Arc<World>, nodes: &[NodeId]) {
    let database = &world.database;
    // A process whose place another has taken has a directory of its own, and what it notes there is not simulated.
    if world.board().replaced > 1 {
        return;
    }
    database.shut(false, false);
    let behind = Duration::from_millis(world.dice.within(300..2_000));
    let Some(standby) = database.standby_behind(world, behind, nodes) else {
        database.serve();
        return;
    };
    world.fired(Fault::Failover);
    last(world, world.dice.within(50..1_000)).await;
    database.lead_to(standby.clone());
    database.serve();
    // Who lacks something finds that before others go on there. Where it does not live any more, somebody else has to find it.
    last(world, FOUND_MS).await;
    if standby.is_lacking() {
        last(world, world.dice.within(500..6_000)).await;
    }
    database.shut(false, false);
    database.lead_to(database.primary.clone());
    last(world, world.dice.within(50..1_000)).await;
    database.serve();
}

/// Waits so long, or until faults stop.
async fn last(world: &World, millis: u64) {
    tokio::select! {
        biased;
        () = world.calmed.notified() => {}
        () = tokio::time::sleep(Duration::from_millis(millis)) => {}
    }
}
