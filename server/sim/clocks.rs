//! Whether a clock was charged for what its player did, no more and no less. Judged from outside: by the moments of commits and by
//! what the world knows of outages, not by what the log says of credits.

use grundy_shared::event::{Clocks, EndReason, Event, TimeControl};
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
    /// How long the match was paused in it; and of that, after it was announced.
    paused_ms: u64,
    paused_later_ms: u64,
    /// How long the clock waited for the network.
    lag_ms: u64,
}

/// The time until the flag of a player falls, after a turn that took so long and had so much: 0 if the flag fell in it. With byo-yomi the
/// periods are counted with it.
fn after_turn(clock: TimeControl, had_ms: u64, used_ms: u64) -> u64 {
    let left = had_ms.saturating_sub(used_ms);
    if left == 0 {
        return 0;
    }
    match clock {
        TimeControl::Untimed {} => 0,
        TimeControl::Fischer { increment_ms, .. } => left + increment_ms.0,
        TimeControl::Delay { delay_ms, .. } | TimeControl::Bronstein { delay_ms, .. } => {
            had_ms.min(left + delay_ms.0)
        }
        TimeControl::PerMove { move_ms } => move_ms.0,
        TimeControl::ByoYomi {
            period_ms, periods, ..
        } if left > period_ms.0 * u64::from(periods) => left,
        // The period that runs is whole again.
        TimeControl::ByoYomi { period_ms, .. } => left.next_multiple_of(period_ms.0),
    }
}

/// The same at the start.
fn at_start(clock: TimeControl) -> u64 {
    match clock {
        TimeControl::Untimed {} => 0,
        TimeControl::Fischer { base_ms, .. } | TimeControl::Bronstein { base_ms, .. } => base_ms.0,
        TimeControl::Delay { base_ms, delay_ms } => base_ms.0 + delay_ms.0,
        TimeControl::PerMove { move_ms } => move_ms.0,
        TimeControl::ByoYomi {
            base_ms,
            period_ms,
            periods,
        } => base_ms.0 + period_ms.0 * u64::from(periods),
    }
}

/// The same as the server told it with a move.
fn as_told(clock: TimeControl, clocks: &Clocks, seat: Seat) -> u64 {
    let periods = clocks.periods.map_or(0, |periods| periods.of(seat));
    let period_ms = match clock {
        TimeControl::ByoYomi { period_ms, .. } => period_ms.0,
        _ => 0,
    };
    clocks.of(seat).0 + period_ms * u64::from(periods)
}

/// Checks every turn of a match.
pub(crate) fn check(world: &World, id: MatchId, log: &[Entry], events: &[Event]) {
    let mut clock = TimeControl::Untimed {};
    let mut left = [0; 2];
    let (mut first_move, mut first_moves) = (None, 0);
    // Moves so far. Once a move was taken back, no first move is due any more.
    let mut made = 0;
    let bots = bots(world, events);
    let of_person = |event: &&Event| match event {
        Event::Created {
            creator: player, ..
        }
        | Event::Joined { player, .. } => !player.bot,
        _ => false,
    };
    let people = events.iter().filter(of_person).count();
    // The clocks of a rematch wait for both players.
    let mut held_until = 0;
    let mut turn: Option<Turn> = None;
    let (mut last_ms, mut paused_at, mut paused_from) = (0, 0, 0);
    let mut paused = false;
    for (entry, event) in log.iter().zip(events) {
        let begin = |seat| Turn {
            seat,
            bot: bots[seat.index()],
            at_ms: event.at().0,
            committed_ms: entry.committed_ms,
            paused_ms: 0,
            paused_later_ms: 0,
            lag_ms: 0,
        };
        match event {
            Event::Created {
                clock: terms,
                held,
                first_move_ms,
                first_move_of_both,
                ..
            } => {
                first_move = *first_move_ms;
                first_moves = if *first_move_of_both { 2 } else { 1 };
                if *held {
                    held_until = entry.committed_ms + HELD_MS;
                }
                clock = *terms;
                left = [at_start(clock); 2];
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
                lag_ms,
                ..
            } => {
                let now = as_told(clock, clocks, *seat);
                if let Some(turn) = &turn {
                    let had = left[seat.index()];
                    let used = used(world, id, turn, &begin(*seat), held_until);
                    let [most, least] =
                        [used.least, used.most].map(|used| after_turn(clock, had, used));
                    if !(least..=most).contains(&now) {
                        world.wrong(format!(
                            "move {ply} of {id} left {now} ms of {had} ms, and should leave {least} to {most}: {used:?}, {clock:?}"
                        ));
                    }
                }
                left[seat.index()] = now;
                made = made.max(ply.0);
                turn = Some(Turn {
                    lag_ms: lag_ms.0,
                    ..begin(seat.other())
                });
            }
            Event::TakenBack {
                ply,
                clocks: Some(clocks),
                ..
            } => {
                // What the turn took is given back: both have what they had at its beginning.
                let told = Seat::BOTH.map(|seat| as_told(clock, clocks, seat));
                if told != left {
                    world.wrong(format!("{id} went back to {told:?} ms, and had {left:?}"));
                }
                made = u32::MAX;
                turn = Some(begin(Seat::to_move_at(*ply)));
            }
            // A pause can become an adjournment.
            Event::Paused { .. } if paused => {}
            Event::Paused { at_ms, .. } => {
                (paused, paused_at, paused_from) = (true, at_ms.0, entry.committed_ms);
            }
            Event::Continued { at_ms } => {
                paused = false;
                if let Some(turn) = &mut turn {
                    // A turn can begin in a pause, with a takeback.
                    turn.paused_ms += at_ms.0.saturating_sub(paused_at.max(turn.at_ms));
                    // By commits: a wall clock may have been set meanwhile.
                    let begun = paused_from.max(turn.committed_ms);
                    turn.paused_later_ms += entry.committed_ms.saturating_sub(begun);
                }
            }
            Event::Ended {
                reason: reason @ (EndReason::Time | EndReason::NoStart),
                ..
            } => {
                let limited = first_move.is_some() && made < first_moves && people == 2;
                if limited != (*reason == EndReason::NoStart) {
                    world.wrong(format!(
                        "{id} ended by {} after {made} moves, of which {first_moves} have a limit",
                        reason.as_str()
                    ));
                }
                if let Some(turn) = &turn {
                    let had = match (reason, first_move) {
                        (EndReason::NoStart, Some(Millis(limit))) => limit,
                        _ => left[turn.seat.index()],
                    };
                    let used = used(world, id, turn, &begin(turn.seat), held_until);
                    if !(used.least..=used.most).contains(&had) {
                        world.wrong(format!(
                            "the flag in {id} fell after a turn that had {had} ms: {used:?}, {clock:?}"
                        ));
                    }
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

/// What a turn may be said to have taken, in milliseconds.
#[derive(Debug)]
struct Used {
    /// All that passed, but what could be forgiven.
    least: u64,
    /// What the player had.
    most: u64,
}

fn used(world: &World, id: MatchId, from: &Turn, to: &Turn, held_until: u64) -> Used {
    let span = (from.committed_ms, to.committed_ms);
    let timeline = world.timeline();
    let early = world.since_beginning(Millis(from.at_ms));
    let alone = world.plan.nodes == 1;
    let lost = |span| match alone {
        true => timeline.lost_within(id, span),
        // A stall that one server saw can end on the other.
        false => timeline.down_within(span),
    };
    let down = timeline.down_within((early, span.1));
    // A server does not know what another one is about to give back: one that is gone, on which a bot's move was late, or which was itself
    // late with what began the turn.
    let late = span.0.saturating_sub(early);
    let is_late = late > UNFORGIVEN_MS;
    let own = match !alone && (from.bot || down > 0 || is_late) {
        true => span.1.saturating_sub(early),
        false => span.1.saturating_sub(span.0 + lost(span)),
    };
    let held = held_until.saturating_sub(early);
    // Until the turn is announced nobody can play in it, whatever the reason.
    let forgiven = late + timeline.forgiven_within(span) + held + from.paused_ms + from.lag_ms;
    // What was lost in a pause was not the player's time either: it is left out once.
    let own = own.saturating_sub(from.paused_later_ms.saturating_sub(lost((early, span.1))));
    let passed = to.at_ms.saturating_sub(from.at_ms);
    Used {
        least: passed.saturating_sub(forgiven + HEARTBEAT_MS),
        // The end of a pause may be announced late, too.
        most: own + UNFORGIVEN_MS * if from.paused_ms > 0 { 2 } else { 1 },
    }
}
