//! What shares promise, for arrivals of any kind.

use std::collections::{HashMap, VecDeque};

use proptest::prelude::*;

use super::*;

const BOUNDS: Bounds = Bounds {
    all: 64,
    of_address: 32,
    of_player: 16,
};
const COST: Duration = Duration::from_millis(10);

fn owner(address: u16, player: u128) -> Owner {
    Owner::of_player(PlayerId::from_random(player), Some(address))
}

/// Lets a job wait; whether it may.
fn push<T>(shares: &mut Shares<T>, owner: Owner, job: T) -> bool {
    let room = shares.make_room(Lane::Study, owner, BOUNDS);
    let fits = !matches!(room, Room::Full);
    if fits {
        shares.push(Lane::Study, owner, job);
    }
    fits
}

/// Takes a job and works on it for so long.
fn work<T>(shares: &mut Shares<T>, cost: Duration) -> Option<(Owner, T)> {
    let (owner, job) = shares.pop(Lane::Study)?;
    shares.settle(owner, cost);
    Some((owner, job))
}

fn address_of(owner: Owner) -> u16 {
    match owner.place {
        Place::Address(address) => address,
        Place::Player(_) | Place::Server => panic!("an address"),
    }
}

#[test]
fn a_newcomer_goes_before_everything_that_a_flood_has_queued() {
    let mut shares = Shares::new(COST);
    for address in 1..=5 {
        for player in 0..6 {
            assert!(push(&mut shares, owner(address, player), address));
        }
    }
    for _ in 0..10 {
        work(&mut shares, COST).expect("a flood");
    }
    assert!(push(&mut shares, owner(9, 9), 9));
    // Its fair turn: no more than one job of each other address.
    let order: Vec<u16> = std::iter::from_fn(|| work(&mut shares, COST))
        .map(|(_, job)| job)
        .collect();
    let place = order.iter().position(|address| *address == 9);
    assert!(place.expect("it is served") <= 5, "{order:?}");
}

#[test]
fn the_server_itself_has_the_whole_lane_and_gives_way_in_it() {
    let mut shares = Shares::new(COST);
    for _ in 0..BOUNDS.all {
        assert!(push(&mut shares, Owner::SERVER, 0));
    }
    assert!(!push(&mut shares, Owner::SERVER, 0));
    assert!(push(&mut shares, owner(1, 1), 1));
    assert_eq!(shares.waiting(Lane::Study), BOUNDS.all);
}

#[test]
fn an_address_pays_for_what_it_has_really_used() {
    let mut shares = Shares::new(COST);
    let (dear, cheap) = (owner(1, 1), owner(2, 2));
    let mut done = [0_u32; 2];
    for _ in 0..200 {
        for who in [dear, cheap] {
            while shares.waiting_of(Lane::Study, who)[0] < 2 {
                assert!(push(&mut shares, who, ()));
            }
        }
        let (who, ()) = shares.pop(Lane::Study).expect("both have work");
        let (at, cost) = if who == dear {
            (0, COST * 9)
        } else {
            (1, COST)
        };
        shares.settle(who, cost);
        done[at] += 1;
    }
    // Equal time, not equal numbers: nine cheap jobs for each dear one. Every 17th is the oldest, whoever's it is.
    assert!(
        done[1] >= done[0] * 5 && done[1] <= done[0] * 10,
        "{done:?}"
    );
}

#[test]
fn players_of_one_address_share_what_it_gets() {
    let mut shares = Shares::new(COST);
    for _ in 0..10 {
        assert!(push(&mut shares, owner(1, 1), 1));
    }
    assert!(push(&mut shares, owner(1, 2), 2));
    let first_two = [(); 2].map(|()| work(&mut shares, COST).map(|(_, job)| job));
    assert!(first_two.contains(&Some(2)), "{first_two:?}");
}

#[test]
fn a_running_job_counts_before_it_is_known_what_it_uses() {
    let mut shares = Shares::new(COST);
    for address in [1, 1, 2] {
        assert!(push(&mut shares, owner(address, address.into()), address));
    }
    let first = shares.pop(Lane::Study).map(|(_, job)| job);
    let second = shares.pop(Lane::Study).map(|(_, job)| job);
    assert_ne!(first, second, "an address took two threads");
}

#[test]
fn the_greediest_makes_room_and_the_newcomer_is_not_refused() {
    let mut shares = Shares::new(COST);
    let mut number = 0;
    for (address, jobs) in [(1, 30), (2, 34)] {
        for job in 0..jobs {
            if push(
                &mut shares,
                owner(address, u128::from(job % 3 == 0)),
                number,
            ) {
                number += 1;
            }
        }
    }
    for address in 3.. {
        if shares.waiting(Lane::Study) == BOUNDS.all {
            break;
        }
        assert!(push(&mut shares, owner(address, 1), 1_000));
    }
    let most =
        |shares: &Shares<_>| [1, 2].map(|of| shares.waiting_of(Lane::Study, owner(of, 0))[0]);
    let before = most(&shares);
    let room = shares.make_room(Lane::Study, owner(500, 1), BOUNDS);
    assert!(matches!(room, Room::Displaced(_)), "{room:?}");
    let after = most(&shares);
    assert_eq!(
        before.iter().sum::<usize>(),
        after.iter().sum::<usize>() + 1
    );
    assert_eq!(
        before.iter().max(),
        after.iter().max().map(|most| most + 1).as_ref()
    );
    shares.push(Lane::Study, owner(500, 1), 7);
    // The greediest itself is refused, rather than displacing its own jobs.
    let greediest = if after[0] > after[1] { 1 } else { 2 };
    assert_eq!(
        shares.make_room(Lane::Study, owner(greediest, 2), BOUNDS),
        Room::Full
    );
}

#[test]
fn new_addresses_without_end_do_not_keep_an_old_job_waiting() {
    let mut shares = Shares::new(COST);
    let heavy = owner(1, 1);
    assert!(push(&mut shares, heavy, 0));
    assert!(push(&mut shares, owner(2, 2), 2));
    let (who, _) = shares.pop(Lane::Study).expect("a job");
    shares.settle(who, Duration::from_secs(60));
    assert!(push(&mut shares, who, 0));
    let served = (3..200_u16).position(|address| {
        assert!(push(&mut shares, owner(address, 3), address));
        work(&mut shares, COST).is_some_and(|(owner, _)| owner == who)
    });
    assert!(
        served.is_some_and(|after| after <= 2 * OLDEST_EVERY as usize),
        "{served:?}"
    );
}

#[test]
fn addresses_are_forgotten() {
    let mut shares = Shares::new(COST);
    for address in 0..20_000 {
        assert!(push(&mut shares, owner(address, address.into()), address));
        work(&mut shares, COST).expect("work");
        assert!(
            shares.accounts.all.is_empty(),
            "nobody waits: nobody is owed anything"
        );
    }
    // While somebody waits, a bounded number is remembered.
    assert!(push(&mut shares, owner(40_000, 1), 1));
    shares.pop(Lane::Study).expect("it runs all the time");
    for address in 0..20_000 {
        assert!(push(&mut shares, owner(address, address.into()), address));
        work(&mut shares, COST).expect("work");
        assert!(shares.accounts.all.len() <= REMEMBERED + 2);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Work-conserving, in order for each player, and no job is lost or done twice; the counts agree at all times.
    #[test]
    fn every_job_that_waits_is_done_once(steps in prop::collection::vec((0..6_u16, 0..3_u128, 0..3_u8, 0..50_u64), 1..400)) {
        let mut shares = Shares::new(COST);
        let mut expected: HashMap<Owner, VecDeque<usize>> = HashMap::new();
        for (number, (address, player, kind, cost)) in steps.into_iter().enumerate() {
            let who = owner(address, player);
            if kind > 0 {
                match shares.make_room(Lane::Study, who, BOUNDS) {
                    Room::Full => continue,
                    Room::Free => {}
                    Room::Displaced(lost) => {
                        let mut queues = expected.values_mut();
                        let queue = queues.find(|queue| queue.back() == Some(&lost));
                        queue.expect("the newest of its player").pop_back();
                    }
                }
                shares.push(Lane::Study, who, number);
                expected.entry(who).or_default().push_back(number);
            } else {
                let waits = expected.values().any(|queue| !queue.is_empty());
                let done = work(&mut shares, Duration::from_millis(cost));
                prop_assert_eq!(done.is_some(), waits);
                if let Some((who, job)) = done {
                    prop_assert_eq!(expected.get_mut(&who).and_then(VecDeque::pop_front), Some(job));
                }
            }
            let waiting: usize = expected.values().map(VecDeque::len).sum();
            prop_assert_eq!(shares.waiting(Lane::Study), waiting);
            prop_assert!(waiting <= BOUNDS.all);
            for (who, queue) in &expected {
                prop_assert!(queue.len() <= BOUNDS.of_player);
                prop_assert_eq!(shares.waiting_of(Lane::Study, *who)[1], queue.len());
            }
        }
    }

    /// While all have work, no address gets more than its share, up to one job of the longest kind and what goes to the oldest.
    #[test]
    fn addresses_with_work_get_equal_time(costs in prop::collection::vec(1..20_u64, 5), rounds in 100..400_u32) {
        let mut shares = Shares::new(COST);
        let mut used: HashMap<u16, Duration> = HashMap::new();
        for _ in 0..rounds {
            for address in 0..5 {
                while shares.waiting_of(Lane::Study, owner(address, 1))[0] < 2 {
                    prop_assert!(push(&mut shares, owner(address, 1), ()));
                }
            }
            let (who, ()) = shares.pop(Lane::Study).expect("work");
            let address = address_of(who);
            let cost = Duration::from_millis(costs[usize::from(address)]);
            shares.settle(who, cost);
            *used.entry(address).or_default() += cost;
        }
        let least = (0..5).map(|address| used.get(&address).copied().unwrap_or_default()).min();
        let most = used.values().max().copied();
        let longest = Duration::from_millis(20);
        let to_the_oldest = longest * (rounds / OLDEST_EVERY + 1);
        prop_assert!(most.unwrap_or_default() <= least.unwrap_or_default() + longest + to_the_oldest);
    }

    /// However jobs come: one of an address that has used nothing waits for no more than one job of each other address, and the oldest.
    #[test]
    fn nobody_waits_longer_than_a_fair_turn(flood in prop::collection::vec((0..5_u16, 0..4_u128), 1..200), done in 0..40_usize) {
        let mut shares = Shares::new(COST);
        for (address, player) in flood {
            push(&mut shares, owner(address, player), ());
        }
        for _ in 0..done {
            work(&mut shares, COST);
        }
        let modest = owner(99, 99);
        prop_assert!(push(&mut shares, modest, ()));
        let before = std::iter::from_fn(|| work(&mut shares, COST)).position(|(who, ())| who == modest);
        prop_assert!(before.is_some_and(|before| before <= 5 + 1), "{:?}", before);
    }
}

#[test]
fn a_place_is_told_as_jobs_go_when_each_uses_the_advance() {
    let mut shares = Shares::new(COST);
    // One address has used more than the others, and one has two players.
    assert!(push(&mut shares, owner(1, 1), 100));
    work(&mut shares, COST * 2);
    let jobs = [
        (1, 1),
        (1, 1),
        (2, 2),
        (2, 3),
        (2, 2),
        (3, 4),
        (1, 1),
        (3, 4),
    ];
    for (number, (address, player)) in jobs.into_iter().enumerate() {
        assert!(push(&mut shares, owner(address, player), number));
    }
    let told: Vec<_> = (0..jobs.len())
        .map(|number| shares.place(Lane::Study, |job| Some(*job == number)))
        .collect();
    let mut places: Vec<_> = told.iter().flatten().copied().collect();
    places.sort_unstable();
    assert!(places.iter().copied().eq(1..=8), "{told:?}");
    assert_eq!(shares.place(Lane::Study, |job| Some(*job == 100)), None);
    assert_eq!(shares.place(Lane::Quick, |job| Some(*job == 0)), None);
    // One that does not count holds up none of those behind it.
    let gone = told.iter().position(|place| *place == Some(1));
    let last = told.iter().position(|place| *place == Some(8));
    let look = |job: &usize| (Some(*job) != gone).then_some(Some(*job) == last);
    let without = shares.place(Lane::Study, look);
    assert!(without.is_some_and(|place| place < 8), "{without:?}");
    for place in 1..=8 {
        let (_, job) = work(&mut shares, COST).expect("it waits");
        assert_eq!(told[job], Some(place), "{told:?}");
    }
}
