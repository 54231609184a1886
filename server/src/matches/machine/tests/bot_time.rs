//! The time for which a built-in bot waits for its turn to think is not charged to it.

use grundy_shared::event::{EndReason, Event, Proposal};
use grundy_shared::ids::{Millis, Ply, Seat, Seq};
use grundy_shared::referee::{Referee, Status};

use super::rig::*;
use crate::matches::machine::{Act, Thought};

fn credits(rig: &Rig) -> Vec<u64> {
    let credit = |event| match event {
        Event::Outage { credited_ms, .. } => Some(credited_ms.0),
        _ => None,
    };
    rig.events().into_iter().filter_map(credit).collect()
}

fn a_2() -> Thought {
    Thought::Move("A-2".to_owned())
}

/// The log is lawful, and leads to the same clocks.
fn replays(rig: &Rig) {
    let replayed = Referee::replay(&rig.events()).expect("a lawful log");
    let now = Millis(rig.now);
    assert_eq!(
        replayed.clocks_at(now),
        rig.machine.referee().clocks_at(now)
    );
}

#[test]
fn a_bot_that_waits_loses_no_time_however_long_it_takes() {
    let mut rig = Rig::with_timed_bot("nim:3,4,5", Seat::First, "60s+0s");
    // Its flag would have fallen long ago, and nobody is woken for it.
    rig.wait(200_000);
    assert_eq!(rig.machine.referee().status(), Status::Live);
    rig.tell(thought_for(Seq(2), a_2(), 30));
    assert_eq!(credits(&rig), [199_970]);
    assert_eq!(rig.machine.ply(), Ply(1));
    assert_eq!(rig.left().0, 59_970);
    replays(&rig);
}

#[test]
fn what_a_bot_thinks_is_charged() {
    let mut rig = Rig::with_timed_bot("nim:3,4,5", Seat::First, "60s+0s");
    rig.wait(50_000);
    rig.tell(thought_for(Seq(2), a_2(), 50_000));
    assert_eq!(rig.left().0, 10_000);
    assert_eq!(credits(&rig), [0_u64; 0]);
    let mut rig = Rig::with_timed_bot("nim:3,4,5", Seat::First, "60s+0s");
    rig.wait(70_000);
    rig.tell(thought_for(Seq(2), a_2(), 65_000));
    let ended = rig.events().into_iter().any(|event| {
        matches!(
            event,
            Event::Ended {
                reason: EndReason::Time | EndReason::NoStart,
                ..
            }
        )
    });
    assert!(ended, "{:?}", rig.kinds());
    replays(&rig);
}

#[test]
fn short_waits_are_given_back_together() {
    let mut rig = Rig::with_timed_bot("nim:9,9,9", Seat::First, "60s+0s");
    for turn in 0..3_u32 {
        let after = rig.thinking.take().expect("it is to think");
        rig.now += 45;
        let text = ["A-1", "B-1", "C-1"][turn as usize].to_owned();
        rig.tell(thought_for(after, Thought::Move(text), 5));
        assert_eq!(rig.machine.ply(), Ply(2 * turn + 1));
        rig.moves(ADA, 2 * turn + 2, "A-1");
    }
    // 40 ms each: the third time it is worth an event, of no more than has passed in the turn. The rest is kept.
    assert_eq!(credits(&rig), [45]);
    let after = rig.thinking.take().expect("it is to think");
    rig.now += 165;
    rig.tell(thought_for(after, Thought::Move("A-1".to_owned()), 5));
    assert_eq!(credits(&rig), [45, 165]);
    replays(&rig);
}

#[test]
fn nobody_wins_by_asking_while_the_bot_waits() {
    let mut rig = Rig::with_timed_bot("nim:3,4,5", Seat::First, "60s+0s");
    rig.wait(70_000);
    // The referee would find that the flag has fallen.
    rig.act(1, ADA, Act::WithdrawProposal);
    assert_eq!(rig.machine.referee().status(), Status::Live);
    assert_eq!(credits(&rig), [70_000]);
    rig.now += 500;
    rig.tell(thought_for(Seq(2), a_2(), 10));
    assert_eq!(credits(&rig)[1..], [490]);
    assert_eq!(rig.left().0, 59_990);
    replays(&rig);
}

#[test]
fn time_without_room_to_think_is_waiting() {
    let mut rig = Rig::with_timed_bot("nim:3,4,5", Seat::First, "60s+0s");
    for _ in 0..20 {
        assert_eq!(rig.thinking.take(), Some(Seq(2)));
        rig.tell(thought_of(Seq(2), Thought::NoRoom));
        rig.wait(50);
    }
    rig.tell(thought_of(Seq(2), a_2()));
    assert_eq!(credits(&rig), [1_000]);
    replays(&rig);
}

#[test]
fn a_restart_knows_since_when_a_bot_waits() {
    let mut rig = Rig::with_timed_bot("nim:3,4,5", Seat::First, "60s+0s");
    let since = Some(Millis(rig.now));
    rig.now += 5_000;
    assert_eq!(rig.machine.owes_since(), since);
    rig.tell(thought_of(Seq(2), a_2()));
    // The move was announced in the moment in which it was made.
    assert_eq!(credits(&rig), [5_000]);
    assert!(
        rig.machine.owes_since() >= Some(Millis(rig.now)) || rig.machine.owes_since().is_none()
    );
}

#[test]
fn a_credit_that_cannot_be_stored_is_given_once_it_can() {
    let mut rig = Rig::with_timed_bot("nim:3,4,5", Seat::First, "60s+0s");
    rig.wait(70_000);
    rig.stores_at_once = false;
    rig.tell(thought_for(Seq(2), a_2(), 10));
    rig.store_fails(read_only());
    rig.stores_at_once = true;
    rig.wait(10_000);
    assert_eq!(rig.machine.ply(), Ply(1));
    assert!(
        rig.left().0 >= 59_990,
        "{:?} {:?}",
        rig.left(),
        credits(&rig)
    );
    replays(&rig);
}

#[test]
fn a_bot_without_room_to_think_waits_for_nothing_in_a_pause() {
    let mut rig = Rig::with_timed_bot("nim:3,4,5", Seat::First, "60s+0s");
    rig.tell(thought_for(Seq(2), Thought::NoRoom, 0));
    assert_eq!(rig.machine.owes_since(), Some(Millis(rig.now)));
    rig.act(1, ADA, Act::Propose(Proposal::Pause));
    assert!(rig.machine.referee().paused_until().is_some());
    // A moment that has passed would wake the match for ever, and every heartbeat would stay at the moment of the question.
    rig.now += 1_000;
    let wakes_at = rig.machine.wake_at().expect("the pause ends");
    assert!(wakes_at > Millis(rig.now), "{wakes_at:?}");
    assert_eq!(rig.machine.owes_since(), None);
    rig.act(1, ADA, Act::Continue);
    assert!(rig.thinking.is_some());
    replays(&rig);
}
