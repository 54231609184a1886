//! The moods of the disk over time.

use std::sync::Arc;
use std::time::Duration;

use crate::disk::Mood;
use crate::faults::Fault;
use crate::world::World;

/// Changes the mood of the disk now and then, until faults stop.
pub(crate) async fn blow(world: Arc<World>) {
    loop {
        let quiet = Duration::from_millis(world.dice.about(8_000));
        tokio::time::sleep(quiet).await;
        if world.is_calm() {
            return;
        }
        let (mood, fault) = *world.dice.pick(&[
            (Mood::ReadOnly, Fault::ReadOnly),
            (Mood::Busy, Fault::Busy),
            (Mood::Failed, Fault::StoreFailed),
        ]);
        if !world.plan.allows(fault) {
            continue;
        }
        world.fired(fault);
        let began = world.now_ms();
        world.disk.set_mood(mood);
        let lasts = match mood {
            Mood::Failed => 200,
            _ => world.dice.about(2_500),
        };
        tokio::select! {
            biased;
            () = world.calmed.notified() => {}
            () = tokio::time::sleep(Duration::from_millis(lasts)) => {}
        }
        world.disk.set_mood(Mood::Good);
        world.note(format_args!("the disk is good again"));
        // What was refused is tried again a second later at most, and a busy store keeps its callers for five.
        let good = world.now_ms();
        let mut timeline = world.timeline();
        timeline.stalls.push((began, good));
        timeline.forgiven.push((began, good + 8_000));
    }
}
