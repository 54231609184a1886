//! The law of cursors: a reader who goes on from its last place sees everything once, in whatever order commits become visible.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use grundy_server::store::memory::MemoryStore;
use grundy_server::store::{Cursor, NodeId};
use grundy_shared::ids::{MatchId, Seq};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::desk::{Desk, bodies, id, new_match, on_every_backend};

/// Matches that are made and paged through.
#[derive(Clone)]
struct Matches {
    desk: Desk,
    /// What a store of several writers does: see [`Late`].
    late: Option<Arc<Late>>,
}

/// Makes the memory store one in which numbers are drawn before commits become visible, as by the sequence of a database with several
/// writers: what drew its number first may be seen last.
struct Late {
    numbers: Mutex<BTreeMap<MatchId, i64>>,
    /// Lets each commit become visible.
    gates: Vec<Semaphore>,
    cursor: Place,
}

/// What a cursor of that store says.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// In the order in which matches became visible, as the law asks.
    OfSight,
    /// In the order in which numbers were drawn: the mistake.
    OfNumber,
}

impl Matches {
    async fn late(commits: u64, cursor: Place) -> Self {
        Self {
            desk: Desk::new(Arc::new(MemoryStore::new())).await,
            late: Some(Arc::new(Late {
                numbers: Mutex::default(),
                gates: (0..commits).map(|_| Semaphore::new(0)).collect(),
                cursor,
            })),
        }
    }

    /// Makes a match.
    async fn make(self, bits: u64) {
        if let Some(late) = &self.late {
            let drawn = {
                let mut numbers = late.numbers.lock().unwrap();
                let next = numbers.len() as i64 + 1;
                *numbers.entry(id(bits)).or_insert(next)
            };
            let gate = &late.gates[drawn as usize - 1];
            drop(gate.acquire().await.unwrap());
        }
        self.desk.commit(new_match(bits)).await.unwrap();
    }

    /// Lets the commit that drew this number become visible, and waits until it is.
    async fn show(&self, number: usize) {
        let Some(late) = &self.late else { return };
        let before = self.desk.store.gauges().events;
        late.gates[number].add_permits(1);
        while self.desk.store.gauges().events == before {
            tokio::task::yield_now().await;
        }
    }

    /// What can be seen behind this place.
    async fn page(&self, after: Option<Cursor>) -> Vec<(MatchId, Cursor)> {
        let live = async |after| self.desk.store.live(NodeId::ONLY, after).await.unwrap();
        let Some(late) = self
            .late
            .as_ref()
            .filter(|late| late.cursor == Place::OfNumber)
        else {
            let page = live(after).await.into_iter();
            return page.map(|live| (live.id, live.cursor)).collect();
        };
        let after: i64 = after.map_or(0, |after| after.to_string().parse().unwrap());
        let seen = live(None).await;
        let numbers = late.numbers.lock().unwrap();
        let mut page: Vec<_> = seen
            .into_iter()
            .map(|live| (numbers[&live.id], live.id))
            .filter(|(number, _)| *number > after)
            .collect();
        page.sort_unstable();
        let place = |number: i64| number.to_string().parse().unwrap();
        page.into_iter()
            .map(|(number, id)| (id, place(number)))
            .collect()
    }
}

/// The matches, in the order in which their commits begin: not that of their ids.
const MATCHES: [u64; 5] = [7, 3, 11, 1, 5];

/// Begins the commits, lets them become visible in this order, and reads after each from where it
/// has come to. All that was seen, in its order.
async fn read_while_shown(matches: Matches, order: &[usize; 5]) -> Vec<MatchId> {
    let mut begun = JoinSet::new();
    for (count, bits) in (1..).zip(MATCHES) {
        begun.spawn(matches.clone().make(bits));
        // Each has drawn its number before the next begins.
        while let Some(late) = &matches.late
            && late.numbers.lock().unwrap().len() < count
        {
            tokio::task::yield_now().await;
        }
    }
    let (mut seen, mut after) = (Vec::new(), None);
    for number in order {
        matches.show(*number).await;
        read_on(&matches, &mut after, &mut seen).await;
    }
    begun.join_all().await;
    read_on(&matches, &mut after, &mut seen).await;
    seen
}

async fn read_on(matches: &Matches, after: &mut Option<Cursor>, seen: &mut Vec<MatchId>) {
    loop {
        let page = matches.page(after.clone()).await;
        let Some((_, last)) = page.last() else { return };
        *after = Some(last.clone());
        seen.extend(page.into_iter().map(|(id, _)| id));
    }
}

const ORDERS: [[usize; 5]; 5] = [
    [0, 1, 2, 3, 4],
    [4, 3, 2, 1, 0],
    [1, 0, 3, 2, 4],
    [2, 4, 0, 3, 1],
    [4, 0, 1, 2, 3],
];

fn each_once(mut seen: Vec<MatchId>) -> bool {
    let mut all = MATCHES.map(id);
    all.sort_unstable();
    seen.sort_unstable();
    seen == all
}

#[test]
fn law_16_whoever_reads_on_sees_each_match_once() {
    for order in ORDERS {
        on_every_backend(async |desk| {
            let matches = Matches { desk, late: None };
            let seen = read_while_shown(matches, &order).await;
            assert!(each_once(seen.clone()), "{seen:?}");
        });
    }
}

#[tokio::test]
async fn law_16_holds_where_commits_become_visible_out_of_order() {
    for order in ORDERS {
        let matches = Matches::late(5, Place::OfSight).await;
        let seen = read_while_shown(matches, &order).await;
        assert!(each_once(seen.clone()), "{order:?}: {seen:?}");
    }
}

/// The law can fail: a cursor that says the number leaves out what is seen late.
#[tokio::test]
async fn a_cursor_of_numbers_breaks_law_16() {
    let mut broken = 0;
    for order in ORDERS {
        let matches = Matches::late(5, Place::OfNumber).await;
        let seen = read_while_shown(matches, &order).await;
        broken += u32::from(!each_once(seen));
    }
    assert_eq!(
        broken, 4,
        "of the orders only the first is that of the numbers"
    );
}

#[test]
fn law_16_whoever_reads_a_log_on_sees_each_event_once() {
    const EVENTS: u64 = 40;
    on_every_backend(|desk| async move {
        let streams: Vec<_> = (1..=4).map(id).collect();
        let mut writers = JoinSet::new();
        for stream in streams.clone() {
            let desk = desk.clone();
            writers.spawn(async move {
                for event in 0..EVENTS {
                    desk.append(stream, event, bodies([event])).await.unwrap();
                }
            });
        }
        let mut seen: BTreeMap<MatchId, Vec<u64>> = BTreeMap::new();
        let complete = |seen: &BTreeMap<MatchId, Vec<u64>>| {
            seen.values().map(Vec::len).sum::<usize>() as u64 >= 4 * EVENTS
        };
        while !complete(&seen) {
            for stream in &streams {
                let seen = seen.entry(*stream).or_default();
                let after = Seq(seen.last().copied().unwrap_or(0));
                let page = desk.store.load((*stream).into(), after, 7).await.unwrap();
                seen.extend(page.into_iter().flatten().map(|event| event.seq.0));
            }
            tokio::task::yield_now().await;
        }
        writers.join_all().await;
        let each: Vec<u64> = (1..=EVENTS).collect();
        assert!(seen.values().all(|seen| *seen == each), "{seen:?}");
    });
}
