//! Which job goes next, without threads.

use grundy_shared::ids::PlayerId;

use super::*;

const BOUNDS: Bounds = Bounds {
    all: 64,
    of_address: 64,
    of_player: 64,
};

fn owner(address: u16) -> Owner {
    Owner::of_player(PlayerId::from_random(address.into()), Some(address))
}

fn schedule(threads: usize) -> Schedule<u16> {
    Schedule::new(threads, Duration::from_millis(200))
}

fn push(schedule: &mut Schedule<u16>, lane: Lane, address: u16) {
    assert!(schedule.make_room(lane, owner(address), BOUNDS, |_| false));
    schedule.push(lane, owner(address), address);
}

fn taken(schedule: &mut Schedule<u16>, role: Role) -> Option<(Lane, u16, Run)> {
    match schedule.take(role, |_| 0)? {
        Taken::Job { lane, job, run, .. } => Some((lane, job, run)),
        Taken::Idle(_) | Taken::Leaving(_) => None,
    }
}

/// The lanes of all jobs that a thread takes, none of which is ever done.
fn lanes(schedule: &mut Schedule<u16>) -> Vec<Lane> {
    std::iter::from_fn(|| taken(schedule, Role::Any).map(|(lane, ..)| lane)).collect()
}

#[test]
fn nothing_starves_among_moves_without_end() {
    let mut schedule = schedule(1);
    for _ in 0..20 {
        push(&mut schedule, Lane::Play, 1);
    }
    for lane in [Lane::Secret, Lane::Study] {
        for _ in 0..4 {
            push(&mut schedule, lane, 1);
        }
    }
    let order = lanes(&mut schedule);
    let places = |wanted: Lane| -> Vec<usize> {
        let places = order.iter().enumerate();
        places
            .filter(|(_, lane)| **lane == wanted)
            .map(|(place, _)| place)
            .collect()
    };
    // No more passwords than are allowed at once: none of them is ever done here.
    assert_eq!(places(Lane::Secret), [4, 9]);
    assert_eq!(places(Lane::Study)[..2], [8, 17]);
    assert_eq!(order.len(), 20 + 2 + 4);
    assert_eq!(schedule.waiting(Lane::Secret), 2);
}

#[test]
fn so_many_passwords_are_tried_at_once_whoever_asks_and_however_many_threads_are_free() {
    let mut schedule = schedule(16);
    for address in 1..=9 {
        push(&mut schedule, Lane::Secret, address);
    }
    let mut running = Vec::new();
    for _ in 0..9 {
        while let Some((lane, address, run)) = taken(&mut schedule, Role::Any) {
            assert_eq!(lane, Lane::Secret);
            running.push((address, run));
        }
        assert!(running.len() <= SECRETS_AT_ONCE, "{}", running.len());
        let (address, run) = running.pop().expect("one is tried");
        schedule.settle(owner(address), &run, Duration::ZERO);
    }
    assert!(running.is_empty() && schedule.waiting(Lane::Secret) == 0);
}

#[test]
fn idle_work_begins_when_nothing_else_waits() {
    let mut schedule = schedule(1);
    schedule.push_idle(7);
    push(&mut schedule, Lane::Study, 1);
    assert!(matches!(
        taken(&mut schedule, Role::Any),
        Some((Lane::Study, 1, _))
    ));
    assert!(matches!(
        schedule.take(Role::Any, |_| 0),
        Some(Taken::Idle(7))
    ));
}

#[test]
fn the_thread_for_first_attempts_takes_nothing_else() {
    let mut schedule = schedule(1);
    schedule.push_idle(7);
    for lane in [Lane::Play, Lane::Secret, Lane::Study] {
        push(&mut schedule, lane, 1);
    }
    assert!(schedule.take(Role::Quick, |_| 0).is_none());
    push(&mut schedule, Lane::Quick, 1);
    assert!(matches!(
        taken(&mut schedule, Role::Quick),
        Some((Lane::Quick, 1, _))
    ));
}

#[test]
fn threads_for_long_jobs_help_only_when_many_first_attempts_wait() {
    let mut schedule = schedule(1);
    for _ in 0..QUICK_BACKLOG {
        push(&mut schedule, Lane::Quick, 1);
    }
    assert!(schedule.take(Role::Any, |_| 0).is_none());
    push(&mut schedule, Lane::Quick, 1);
    assert!(taken(&mut schedule, Role::Any).is_some());
    assert!(schedule.take(Role::Any, |_| 0).is_none());
}

#[test]
fn a_long_job_of_a_busy_address_gives_way_to_a_move_of_another() {
    let mut schedule = schedule(1);
    for _ in 0..4 {
        push(&mut schedule, Lane::Study, 1);
    }
    let (_, _, run) = taken(&mut schedule, Role::Any).expect("a job");
    let gives_way = |run: &Run| run.gives_way.load(Ordering::Relaxed);
    // Not to more of the same address.
    push(&mut schedule, Lane::Play, 1);
    schedule.make_way(owner(1));
    assert!(!gives_way(&run));
    push(&mut schedule, Lane::Play, 2);
    schedule.make_way(owner(2));
    assert!(gives_way(&run));
    // What gave way often enough is done in the end.
    schedule.settle(owner(1), &run, Duration::ZERO);
    schedule.put_back(Lane::Study, owner(1), 1);
    let taken = schedule.take(Role::Any, |_| GIVES_WAY_MAX);
    let Some(Taken::Job {
        job: 2,
        run,
        owner: second,
        ..
    }) = taken
    else {
        panic!("the move goes first");
    };
    schedule.settle(second, &run, Duration::ZERO);
    let Some(Taken::Job { run, .. }) = schedule.take(Role::Any, |_| GIVES_WAY_MAX) else {
        panic!("there is more");
    };
    push(&mut schedule, Lane::Play, 3);
    schedule.make_way(owner(3));
    assert!(!gives_way(&run));
}

#[test]
fn no_job_gives_way_to_somebody_with_as_many() {
    let mut schedule = schedule(1);
    push(&mut schedule, Lane::Study, 1);
    let (_, _, run) = taken(&mut schedule, Role::Any).expect("a job");
    push(&mut schedule, Lane::Play, 2);
    schedule.make_way(owner(2));
    assert!(!run.gives_way.load(Ordering::Relaxed));
}

#[test]
fn stale_jobs_make_room_first_and_all_that_lose_their_place_are_answered() {
    let bounds = Bounds {
        all: 3,
        of_address: 3,
        of_player: 3,
    };
    let mut schedule = schedule(1);
    for _ in 0..3 {
        push(&mut schedule, Lane::Study, 1);
    }
    // One displaced, and then stale ones: all of address 1.
    assert!(schedule.make_room(Lane::Study, owner(2), bounds, |_| false));
    schedule.push(Lane::Study, owner(2), 2);
    assert!(schedule.make_room(Lane::Study, owner(2), bounds, |job| *job == 1));
    schedule.push(Lane::Study, owner(2), 2);
    let mut left = 0;
    while matches!(schedule.take(Role::Quick, |_| 0), Some(Taken::Leaving(1))) {
        left += 1;
    }
    assert_eq!(left, 3);
    assert_eq!(schedule.waiting(Lane::Study), 2);
}

#[test]
fn a_full_lane_ends_with_one_job_of_each_address() {
    let bounds = Bounds {
        all: 10,
        of_address: 10,
        of_player: 10,
    };
    let mut schedule = schedule(1);
    for _ in 0..10 {
        push(&mut schedule, Lane::Study, 1);
    }
    let mut displaced = 0;
    for address in 2..200 {
        if schedule.make_room(Lane::Study, owner(address), bounds, |_| false) {
            schedule.push(Lane::Study, owner(address), address);
            displaced += 1;
        }
    }
    // Everybody has one at the end.
    assert_eq!(displaced, 9);
    assert_eq!(schedule.leaving.len(), 9);
    assert_eq!(schedule.stop().len(), 10 + 9);
}
