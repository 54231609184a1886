//! Limits over all servers, and seats: the laws of what servers on one database say to each other. A store that only one server uses has nothing to say.

use std::sync::Arc;
use std::time::Duration;

use grundy_server::store::{
    Lease, NodeId, NodeRow, Seating, Seats, Spender, Spendings, Store, StoreError,
};
use grundy_shared::ids::{MatchId, Millis, Seat};

use crate::cluster::Database;
use crate::desk::{id, on_every_backend};

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;

fn spender(kind: i16, who: i64) -> Spender {
    Spender { kind, who }
}

/// Two servers on one database.
async fn servers(database: &Database) -> [(Arc<dyn Store>, Lease); 2] {
    let server = async |number| {
        let store: Arc<dyn Store> = Arc::new(database.store().await);
        let lease = store.enlist(NodeId(number), Millis(1)).await.unwrap();
        (store, lease)
    };
    [server(1).await, server(2).await]
}

fn used(spent: Vec<(Spender, i64)>) -> Spendings {
    Spendings {
        spent,
        ..Spendings::default()
    }
}

/// Refilled since: less than this, on a machine however busy.
const SLACK: i64 = 600 * SECOND;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_24_uses_are_added_and_seen_by_all() {
    let database = Database::new().await;
    let [(a, one), (b, two)] = servers(&database).await;
    let (here, there) = (spender(1, i64::MIN), spender(2, i64::MAX));
    let said = used(vec![(there, HOUR), (here, 3 * HOUR)]);
    a.settle(one.node, said).await.unwrap();
    let said = used(vec![(here, 2 * HOUR)]);
    let mut levels = b.settle(two.node, said).await.unwrap().spent;
    levels.sort();
    let [(first, of_both), (second, of_one)] = levels[..] else {
        panic!("{levels:?}");
    };
    assert_eq!((first, second), (here, there));
    assert!(
        (5 * HOUR - SLACK..=5 * HOUR).contains(&of_both),
        "{of_both}"
    );
    assert!((HOUR - SLACK..=HOUR).contains(&of_one), "{of_one}");
    // Given back.
    let said = used(vec![(here, -4 * HOUR)]);
    let levels = a.settle(one.node, said).await.unwrap().spent;
    let left = levels.iter().find(|(of, _)| *of == here).unwrap().1;
    assert!((HOUR - SLACK..=HOUR).contains(&left), "{left}");
    // What is refilled is nobody's any more.
    let said = used(vec![(here, -2 * HOUR)]);
    let levels = a.settle(one.node, said).await.unwrap().spent;
    assert!(!levels.iter().any(|(of, _)| *of == here), "{levels:?}");
    // Only what changed lately, if that is asked for.
    let said = Spendings {
        within: Some(Duration::ZERO),
        ..Spendings::default()
    };
    assert_eq!(b.settle(two.node, said).await.unwrap().spent, []);
    for store in [a, b] {
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_24_servers_that_report_at_once_lose_nothing() {
    let database = Database::new().await;
    let [(a, one), (b, two)] = servers(&database).await;
    let many = |reversed: bool| {
        let mut spent: Vec<_> = (0..200).map(|who| (spender(1, who), HOUR)).collect();
        if reversed {
            spent.reverse();
        }
        used(spent)
    };
    for round in 0..5 {
        let (first, second) = tokio::join!(
            a.settle(one.node, many(round % 2 == 0)),
            b.settle(two.node, many(true))
        );
        first.unwrap();
        second.unwrap();
    }
    let levels = a.settle(one.node, Spendings::default()).await.unwrap();
    assert_eq!(levels.spent.len(), 200);
    for (of, left) in levels.spent {
        assert!(
            (10 * HOUR - SLACK..=10 * HOUR).contains(&left),
            "{of:?}: {left}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_24_what_others_hold_is_said_by_each() {
    let database = Database::new().await;
    let [(a, one), (b, two)] = servers(&database).await;
    let held = |held: Vec<(i64, u32)>| Spendings {
        held,
        ..Spendings::default()
    };
    let said = a
        .settle(one.node, held(vec![(7, 3), (8, 1)]))
        .await
        .unwrap();
    assert_eq!(said.held, []);
    let said = b.settle(two.node, held(vec![(7, 2)])).await.unwrap();
    assert_eq!(said.held, [(7, 3), (8, 1)]);
    let said = a.settle(one.node, held(Vec::new())).await.unwrap();
    assert_eq!(said.held, [(7, 2)]);
    let said = b.settle(two.node, held(Vec::new())).await.unwrap();
    assert_eq!(said.held, []);
}

fn takes(taken: &[(MatchId, Seat)]) -> Seating {
    takes_at(5, taken)
}

fn takes_at(at: u64, taken: &[(MatchId, Seat)]) -> Seating {
    let taken = taken.iter().map(|(id, seat)| (*id, *seat, Millis(at)));
    Seating {
        taken: taken.collect(),
        asked: vec![id(1), id(2), id(3)],
        ..Seating::default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_25_a_seat_belongs_to_the_server_that_took_it_last() {
    let database = Database::new().await;
    let [(a, one), (b, two)] = servers(&database).await;
    let (first, second) = ((id(1), Seat::First), (id(1), Seat::Second));
    // Who has said nothing yet, or nothing for long, holds nothing.
    b.seats(two, takes(&[second])).await.unwrap();
    assert_eq!(a.seats(one, takes(&[])).await.unwrap().elsewhere, []);
    let mut owner = database.connect().await;
    for (store, lease) in [(&a, one), (&b, two)] {
        let said = Spendings::default();
        store.settle(lease.node, said).await.unwrap();
    }
    for (seconds, holds) in [(-60, false), (3_660, true)] {
        // An hour ahead in the end, so that the test may take its time.
        let says = "UPDATE grundy.held SET at = at + 1000000 * $1::bigint";
        let says = sqlx::query(says).bind(i64::from(seconds));
        says.execute(&mut owner).await.unwrap();
        // What its heartbeat says is by another clock, and can be of long ago while it lives.
        for heartbeat in [Millis(3), Millis(4_000_000_000_000)] {
            b.heartbeat(two, heartbeat).await.unwrap();
            let elsewhere = a.seats(one, takes(&[])).await.unwrap().elsewhere;
            assert_eq!(!elsewhere.is_empty(), holds, "{seconds} {heartbeat:?}");
        }
    }
    assert_eq!(a.seats(one, takes(&[])).await.unwrap().elsewhere, [second]);
    let elsewhere = |of: &Arc<dyn Store>, lease, seating| {
        let of = of.clone();
        async move {
            let mut seats = of.seats(lease, seating).await.unwrap().elsewhere;
            seats.sort();
            seats
        }
    };
    let mine = [first, (id(2), Seat::First)];
    assert_eq!(elsewhere(&a, one, takes(&mine)).await, [second]);
    assert_eq!(elsewhere(&b, two, takes(&[second])).await, mine);
    assert_eq!(elsewhere(&a, one, takes(&[])).await, [second]);
    // The other server takes it over, and the first one leaves what is not its own any more.
    assert_eq!(elsewhere(&b, two, takes(&[first])).await, [mine[1]]);
    let leaves = |left| Seating { left, ..takes(&[]) };
    assert_eq!(
        elsewhere(&a, one, leaves(vec![first])).await,
        [first, second]
    );
    assert_eq!(elsewhere(&b, two, leaves(vec![second])).await, [mine[1]]);
    assert_eq!(elsewhere(&a, one, takes(&[])).await, [first]);
    // What was taken earlier and is said later changes nothing.
    assert_eq!(elsewhere(&a, one, takes_at(4, &[first])).await, [first]);
    // Nobody asks about another match.
    let asked = Seating::default();
    assert_eq!(elsewhere(&a, one, asked).await, []);
    // A life that is over holds nothing and takes nothing.
    b.enlist(two.node, Millis(2)).await.unwrap();
    assert_eq!(elsewhere(&a, one, takes(&[])).await, []);
    elsewhere(&b, two, takes(&[first, mine[1]])).await;
    assert_eq!(elsewhere(&a, one, takes(&[])).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_25_who_takes_a_seat_learns_whose_it_was() {
    let database = Database::new().await;
    let [(a, one), (b, two)] = servers(&database).await;
    let (first, second) = ((id(1), Seat::First), (id(2), Seat::Second));
    let came = |of: &Arc<dyn Store>, lease, seating| {
        let of = of.clone();
        async move {
            let mut came = of.seats(lease, seating).await.unwrap().came;
            came.sort_by_key(|(id, seat, _)| (*id, *seat));
            came
        }
    };
    // Nobody had it; and it is no news that it is one's own.
    let mine = [first, second];
    assert_eq!(came(&a, one, takes(&mine)).await, []);
    assert_eq!(came(&a, one, takes_at(6, &[first])).await, []);
    let from = |(id, seat): (MatchId, Seat), lease: Lease| (id, seat, lease);
    assert_eq!(
        came(&b, two, takes_at(7, &[first])).await,
        [from(first, one)]
    );
    // What was taken earlier and is said later comes from nowhere.
    assert_eq!(came(&a, one, takes_at(3, &[first])).await, []);
    // What a dead life had is there until its matches are taken over, but for what others have taken since.
    let again = a.enlist(one.node, Millis(9)).await.unwrap();
    assert_eq!(lost_by(&b, one, None).await, [second]);
    assert_eq!(lost_by(&b, one, Some(second)).await, []);
    let earlier = Lease {
        epoch: one.epoch - 1,
        ..one
    };
    assert_eq!(lost_by(&b, earlier, None).await, []);
    assert_eq!(
        came(&b, two, takes_at(7, &[second])).await,
        [from(second, one)]
    );
    assert_eq!(
        came(&a, again, takes_at(8, &mine)).await,
        [from(first, two), from(second, two)]
    );
    let third = a.enlist(one.node, Millis(9)).await.unwrap();
    a.forget_seats(third).await.unwrap();
    assert_eq!(lost_by(&b, third, None).await, []);
    b.retire(two, Millis(9)).await.unwrap();
    assert_eq!(lost_by(&a, two, None).await, []);
}

/// The seats that this life and those before it had, after this one.
async fn lost_by(
    store: &Arc<dyn Store>,
    life: Lease,
    after: Option<(MatchId, Seat)>,
) -> Vec<(MatchId, Seat)> {
    let lost = store.seats_of(life.node, life.epoch, Millis(0), after);
    let lost = lost.await.unwrap().into_iter();
    lost.map(|lost| (lost.id, lost.seat)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_25_an_opponent_stays_who_has_sat_at_a_good_server_since_a_moment() {
    let database = Database::new().await;
    let [(a, one), (b, two)] = servers(&database).await;
    let seats = [1, 2, 3].map(|bits| (id(bits), Seat::First));
    a.seats(one, takes(&seats)).await.unwrap();
    b.seats(two, takes_at(7, &[(id(1), Seat::Second)]))
        .await
        .unwrap();
    b.seats(two, takes_at(8, &[(id(2), Seat::Second)]))
        .await
        .unwrap();
    let stays = async || {
        let lost = b.seats_of(one.node, one.epoch, Millis(7), None);
        let lost = lost.await.unwrap().into_iter();
        lost.map(|lost| lost.opponent_stays).collect::<Vec<_>>()
    };
    assert_eq!(stays().await, [true, false, false]);
    let mut seen = a.nodes().await.unwrap().into_iter();
    let seen = seen.find(|row| row.id == two.node).unwrap();
    a.end_life(one, seen).await.unwrap();
    assert_eq!(stays().await, [false, false, false]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_25_a_server_whose_lease_was_ended_holds_no_seat() {
    let database = Database::new().await;
    let [(a, one), (b, two)] = servers(&database).await;
    for (store, lease) in [(&a, one), (&b, two)] {
        let said = Spendings::default();
        store.settle(lease.node, said).await.unwrap();
    }
    let seat = (id(1), Seat::First);
    b.seats(two, takes(&[seat])).await.unwrap();
    let elsewhere = async || a.seats(one, takes(&[])).await.unwrap().elsewhere;
    assert_eq!(elsewhere().await, [seat]);
    let seen = async || {
        let mut nodes = a.nodes().await.unwrap().into_iter();
        nodes.find(|row| row.id == two.node).unwrap()
    };
    let before = seen().await;
    // Neither another life of the node than the one that was seen nor the caller's own is ended.
    let other = NodeRow {
        epoch: two.epoch + 1,
        ..before
    };
    a.end_life(one, other).await.unwrap();
    b.end_life(two, before).await.unwrap();
    assert_eq!(elsewhere().await, [seat]);
    for _ in 0..2 {
        a.end_life(one, before).await.unwrap();
        assert_eq!(elsewhere().await, []);
        assert!(seen().await.left);
    }
    assert_eq!(b.heartbeat(two, Millis(9)).await, Err(StoreError::Fenced));
    // Its players are known until its matches are taken over.
    assert_eq!(lost_by(&a, two, None).await, [seat]);
    assert_eq!(a.take_over(one, before).await, Ok(0));
    assert_eq!(lost_by(&a, two, None).await, []);
}

#[test]
fn law_24_and_25_a_server_alone_knows_of_no_others() {
    on_every_backend(|desk| async move {
        let said = Spendings {
            held: vec![(1, 1)],
            ..Spendings::default()
        };
        let levels = desk.store.settle(desk.lease.node, said).await.unwrap();
        assert_eq!(levels.held, []);
        let seats = desk.store.seats(desk.lease, takes(&[(id(1), Seat::First)]));
        assert_eq!(seats.await.unwrap(), Seats::default());
    });
}
