//! Whether a clock was charged for what its player did, no more and no less. Judged from outside: by the moments of commits and by
//! what the world knows of outages, not by what the log says of credits.

use grundy_shared::event::{EndReason, Event, TimeControl};
use grundy_shared::ids::{MatchId, Millis, Seat};

use crate::disk::Entry;
use crate::world::World;

/// What is announced late by less than this may be charged, and what the moments of a commit are uncertain by.
const UNFORGIVEN_MS: u64 = 540;
/// A heartbeat may be so old when a process dies, beside what the store took.
const HEARTBEAT_MS: u64 = 1_500;

/// The moments of a start are uncertain by so much.
const START_MS: u64 = 200;

/// The clocks of a rematch are held for so long at most, and a margin.
const HELD_MS: u64 = 10_600;

/// One turn: whose, and since when.
struct Turn {
    seat: Seat,
    /// Of somebody whom the server moves for.
    bot: bool,
    /// By the server's clock.
    at_ms: u64,
    committed_ms: u64,
}

/// Checks every turn of a match.
pub(crate) fn check(world: &World, id: MatchId, log: &[Entry], events: &[Event]) {
    let mut left = [0; 2];
    let mut increment = 0;
    let bots = bots(world, events);
    // The clocks of a rematch wait for both players.
    let mut held_until = 0;
    let mut turn: Option<Turn> = None;
    let mut last_ms = 0;
    for (entry, event) in log.iter().zip(events) {
        let begin = |seat| Turn {
            seat,
            bot: bots[seat.index()],
            at_ms: event.at().0,
            committed_ms: entry.committed_ms,
        };
        match event {
            Event::Created { clock, held, .. } => {
                if *held {
                    held_until = entry.committed_ms + HELD_MS;
                }
                if let TimeControl::Fischer {
                    base_ms,
                    increment_ms,
                } = clock
                {
                    left = [base_ms.0; 2];
                    increment = increment_ms.0;
                }
            }
            Event::Outage {
                at_ms,
                credited_ms,
                held: true,
            } => judge_credit(world, id, last_ms, at_ms.0, credited_ms.0),
            Event::Joined { .. } => turn = Some(begin(Seat::First)),
            Event::Moved {
                seat,
                ply,
                clocks: Some(clocks),
                ..
            } => {
                let now = clocks.of(*seat).0;
                let charged = (left[seat.index()] + increment).saturating_sub(now);
                if let Some(turn) = &turn {
                    let what = format!("move {ply} of {id}");
                    judge(world, &what, turn, &begin(*seat), charged, held_until);
                }
                left[seat.index()] = now;
                turn = Some(begin(seat.other()));
            }
            Event::Ended {
                reason: EndReason::Time,
                ..
            } => {
                if let Some(turn) = &turn {
                    let what = format!("the flag in {id}");
                    judge(
                        world,
                        &what,
                        turn,
                        &begin(turn.seat),
                        left[turn.seat.index()],
                        held_until,
                    );
                }
            }
            _ => {}
        }
        last_ms = event.at().0;
    }
}

/// A start gives back no more than the time since the server was last there: at its last heartbeat, or at the event before.
fn judge_credit(world: &World, id: MatchId, last_ms: u64, at_ms: u64, credited: u64) {
    // With two servers it counts from the heartbeat of the one that owned the match, which is not known here.
    if world.plan.nodes > 1 {
        return;
    }
    let at = world.since_beginning(Millis(at_ms));
    let last = world.since_beginning(Millis(last_ms));
    let Some(beat) = world.timeline().heartbeat_before(at) else {
        return;
    };
    let alive = beat.max(last);
    if credited > at.saturating_sub(alive) + START_MS {
        world.wrong(format!(
            "{id} was credited {credited} ms at {at} ms, and the server was there at {alive} ms"
        ));
    }
}

/// In which seats the server moves.
fn bots(world: &World, events: &[Event]) -> [bool; 2] {
    let mut bots = [false; 2];
    for event in events {
        if let Event::Created {
            creator: player,
            seat,
            ..
        }
        | Event::Joined { player, seat, .. } = event
        {
            bots[seat.index()] = !world.disk.is_guest(player.id);
        }
    }
    bots
}

fn judge(world: &World, what: &str, from: &Turn, to: &Turn, charged: u64, held_until: u64) {
    let span = (from.committed_ms, to.committed_ms);
    let timeline = world.timeline();
    let early = world.since_beginning(Millis(from.at_ms));
    let down = timeline.down_within((early, span.1));
    // A server does not know what another one is about to give back: one that is gone, on which a bot's move was late, or which was itself
    // late with what began the turn.
    let late = from.committed_ms.saturating_sub(early) > UNFORGIVEN_MS;
    let own = match world.plan.nodes > 1 && (from.bot || down > 0 || late) {
        true => span.1 - early,
        false => (span.1 - span.0).saturating_sub(timeline.down_within(span)),
    };
    let held = held_until.saturating_sub(early);
    let forgiven = timeline.forgiven_within((early, span.1)) + held;
    drop(timeline);
    if charged > own + UNFORGIVEN_MS {
        world.wrong(format!(
            "{what} was charged {charged} ms, and the player had {own} ms ({span:?})"
        ));
    }
    let passed = to.at_ms.saturating_sub(from.at_ms);
    if charged + forgiven + HEARTBEAT_MS < passed {
        world.wrong(format!(
            "{what} was charged {charged} ms of {passed} ms, and {forgiven} ms could be forgiven ({span:?})"
        ));
    }
}
