//! The laws of the store, one by one, on every backend.

use std::future::Future;
use std::sync::Arc;

use futures::future::join_all;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{
    AppendError, CreateError, Cursor, LIST_PAGE, LIVE_PAGE, LOAD_PAGE, ListFilter, MatchRow,
    MatchStatus, NewMatch, NewPlayer, Page, Store, StoreError, Unique,
};
use grundy_shared::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Ply, Seq};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tempfile::TempDir;
use tokio::task::JoinSet;

fn player(bits: u128) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(bits),
        name: format!("player {bits}"),
        bot: bits.is_multiple_of(2),
    }
}

fn id(bits: u64) -> MatchId {
    MatchId::from_random(bits)
}

fn row(first: u128) -> MatchRow {
    MatchRow {
        start: "nim:3,5,7".to_owned(),
        clock: TimeControl::Fischer {
            base_ms: Millis(180_000),
            increment_ms: Millis(2_000),
        },
        first: Some(player(first)),
        second: None,
        status: MatchStatus::Waiting,
        outcome: None,
        reason: None,
        plies: Ply(0),
        created_at: Millis(1_000),
        ended_at: None,
        rematch_of: None,
    }
}

fn over(first: u128, second: u128) -> MatchRow {
    MatchRow {
        second: Some(player(second)),
        status: MatchStatus::Over,
        outcome: Some(Outcome::Second),
        reason: Some(EndReason::LastMove),
        plies: Ply(3),
        ended_at: Some(Millis(9_000)),
        rematch_of: Some(id(77)),
        ..row(first)
    }
}

fn new_match(bits: u64) -> NewMatch {
    NewMatch {
        id: id(bits),
        code: None,
        row: row(1),
        events: bodies(1..=1),
    }
}

/// Bodies with everything that quoting could harm.
fn bodies(numbers: impl IntoIterator<Item = u64>) -> Vec<String> {
    numbers
        .into_iter()
        .map(|n| format!("{{\"n\":{n},\"text\":\"a\\\"b\\\\ é \u{1F3B2} \u{7f} ','\"}}"))
        .collect()
}

async fn texts(store: &dyn Store, id: MatchId) -> Vec<(u64, String)> {
    store
        .load(id, Seq(0), LOAD_PAGE)
        .await
        .unwrap()
        .unwrap()
        .into_iter()
        .map(|event| (event.seq.0, event.body))
        .collect()
}

/// Runs one law on every backend.
fn on_every_backend<F>(law: impl Fn(Arc<dyn Store>) -> F)
where
    F: Future<Output = ()>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        law(Arc::new(MemoryStore::new())).await;
        let directory = TempDir::new().unwrap();
        let store = SqliteStore::open(&directory.path().join("grundy.db"))
            .await
            .unwrap();
        law(Arc::new(store)).await;
    });
}

#[test]
fn law_1_events_are_dense_and_in_order() {
    on_every_backend(|store| async move {
        store.create(new_match(1)).await.unwrap();
        store
            .append(id(1), Seq(1), bodies(2..=4), None)
            .await
            .unwrap();
        store
            .append(id(1), Seq(4), bodies(5..=5), None)
            .await
            .unwrap();
        let expected: Vec<_> = (1..).zip(bodies(1..=5)).collect();
        assert_eq!(texts(&*store, id(1)).await, expected);
    });
}

#[test]
fn law_2_an_append_elsewhere_than_at_the_end_changes_nothing() {
    on_every_backend(|store| async move {
        store.create(new_match(1)).await.unwrap();
        for wrong in [0, 2, 3, u64::MAX] {
            let refused = store
                .append(id(1), Seq(wrong), bodies([9]), Some(over(5, 6)))
                .await;
            assert_eq!(refused, Err(AppendError::Conflict { actual: Seq(1) }));
        }
        assert_eq!(texts(&*store, id(1)).await.len(), 1);
        assert_eq!(store.row(id(1)).await.unwrap(), Some(row(1)));
        let nowhere = store.append(id(2), Seq(0), bodies([1]), None).await;
        assert_eq!(nowhere, Err(AppendError::NoSuchMatch));
    });
}

#[test]
fn law_2_of_concurrent_appends_exactly_one_wins() {
    on_every_backend(|store| async move {
        store.create(new_match(1)).await.unwrap();
        for round in 1..=20 {
            let mut rivals = JoinSet::new();
            for rival in 0..8 {
                let store = Arc::clone(&store);
                rivals.spawn(async move {
                    let body = format!("{{\"round\":{round},\"rival\":{rival}}}");
                    store.append(id(1), Seq(round), vec![body], None).await
                });
            }
            let mut wins = 0;
            let actual = Seq(round + 1);
            for answer in rivals.join_all().await {
                match answer {
                    Ok(()) => wins += 1,
                    Err(error) => assert_eq!(error, AppendError::Conflict { actual }),
                }
            }
            assert_eq!(wins, 1);
        }
        assert_eq!(texts(&*store, id(1)).await.len(), 21);
    });
}

#[test]
fn law_3_events_and_row_come_together() {
    on_every_backend(|store| async move {
        store.create(new_match(1)).await.unwrap();
        store
            .append(id(1), Seq(1), bodies([2]), Some(over(1, 2)))
            .await
            .unwrap();
        assert_eq!(store.row(id(1)).await.unwrap(), Some(over(1, 2)));
        assert_eq!(texts(&*store, id(1)).await.len(), 2);
        // What comes after the end (an offer of a rematch) is logged as well.
        store
            .append(id(1), Seq(2), bodies([3]), None)
            .await
            .unwrap();
        assert_eq!(texts(&*store, id(1)).await.len(), 3);
    });
}

#[test]
fn law_7_ids_codes_and_tokens_belong_to_one() {
    on_every_backend(|store| async move {
        let code = JoinCode::from_random(1);
        let with_code = |bits, created: u64, expires| NewMatch {
            code: Some((code, Millis(expires))),
            row: MatchRow {
                created_at: Millis(created),
                ..row(1)
            },
            ..new_match(bits)
        };
        store.create(with_code(1, 1_000, 5_000)).await.unwrap();
        let same_id = store.create(with_code(1, 2_000, 9_000)).await;
        assert_eq!(same_id, Err(CreateError::Taken(Unique::MatchId)));
        let same_code = store.create(with_code(2, 4_999, 9_000)).await;
        assert_eq!(same_code, Err(CreateError::Taken(Unique::JoinCode)));
        assert_eq!(store.row(id(2)).await.unwrap(), None);
        assert_eq!(
            store.find_code(code).await.unwrap(),
            Some((id(1), Millis(5_000)))
        );
        let refused = store.create(with_code(1, 6_000, 9_000)).await;
        assert_eq!(refused, Err(CreateError::Taken(Unique::MatchId)));
        store
            .create(NewMatch {
                row: MatchRow {
                    created_at: Millis(6_000),
                    ..row(4)
                },
                ..new_match(4)
            })
            .await
            .unwrap();
        assert_eq!(
            store.find_code(code).await.unwrap(),
            Some((id(1), Millis(5_000))),
            "only a match that is made with a code forgets what expired"
        );
        store.create(with_code(3, 5_000, 9_000)).await.unwrap();
        assert_eq!(
            store.find_code(code).await.unwrap(),
            Some((id(3), Millis(9_000)))
        );

        let new_player = |bits, token| NewPlayer {
            info: player(bits),
            token_hash: [token; 32],
            created_at: Millis(1),
        };
        store.create_player(new_player(1, 1)).await.unwrap();
        assert_eq!(
            store.create_player(new_player(1, 2)).await,
            Err(CreateError::Taken(Unique::PlayerId))
        );
        assert_eq!(
            store.create_player(new_player(2, 1)).await,
            Err(CreateError::Taken(Unique::Token))
        );
        store.create_player(new_player(2, 2)).await.unwrap();
        for bits in [1, 2] {
            let info = Some(player(bits));
            assert_eq!(store.player(player(bits).id).await.unwrap(), info);
            assert_eq!(store.player_by_token([bits as u8; 32]).await.unwrap(), info);
        }
    });
}

#[test]
fn law_8_absent_is_none() {
    on_every_backend(|store| async move {
        assert_eq!(store.load(id(1), Seq(0), 10).await.unwrap(), None);
        assert_eq!(store.row(id(1)).await.unwrap(), None);
        assert_eq!(
            store.find_code(JoinCode::from_random(1)).await.unwrap(),
            None
        );
        assert_eq!(store.player(player(1).id).await.unwrap(), None);
        assert_eq!(store.player_by_token([0; 32]).await.unwrap(), None);
        assert_eq!(store.last_heartbeat().await.unwrap(), None);
        assert_eq!(store.live(None).await.unwrap(), Vec::new());
        let page = Page {
            before: None,
            limit: 10,
        };
        assert_eq!(
            store.list(ListFilter::default(), page).await.unwrap(),
            Vec::new()
        );
    });
}

#[test]
fn law_9_pages_are_bounded_and_meet() {
    on_every_backend(|store| async move {
        let count = LIVE_PAGE as u64 + 20;
        for bits in 1..=count {
            let mut new = new_match(bits);
            if bits.is_multiple_of(3) {
                new.row = over(1, 2);
            }
            store.create(new).await.unwrap();
        }
        let mut listed = Vec::new();
        let mut before = None;
        loop {
            let page = Page {
                before,
                limit: usize::MAX,
            };
            let part = store.list(ListFilter::default(), page).await.unwrap();
            assert!(part.len() <= LIST_PAGE);
            let Some(last) = part.last() else { break };
            before = Some(last.cursor);
            listed.extend(part.into_iter().map(|listed| listed.id));
        }
        let newest_first: Vec<_> = (1..=count).rev().map(id).collect();
        assert_eq!(listed, newest_first);

        let mut live = Vec::new();
        let mut after = None;
        loop {
            let part = store.live(after).await.unwrap();
            assert!(part.len() <= LIVE_PAGE);
            let Some(last) = part.last() else { break };
            after = Some(last.cursor);
            live.extend(
                part.into_iter()
                    .map(|live| (live.id, live.log.map(|log| log.len()))),
            );
        }
        let unfinished: Vec<_> = (1..=count)
            .filter(|bits| !bits.is_multiple_of(3))
            .map(|bits| (id(bits), Ok(1)))
            .collect();
        assert_eq!(live, unfinished);

        let long = LOAD_PAGE as u64 + 7;
        store
            .append(id(1), Seq(1), bodies(2..=long), None)
            .await
            .unwrap();
        let first = store
            .load(id(1), Seq(0), usize::MAX)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(first.len(), LOAD_PAGE);
        let rest = store
            .load(id(1), first[LOAD_PAGE - 1].seq, usize::MAX)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(rest.len(), 7);
        assert_eq!(rest[6].seq, Seq(long));
        for (after, limit) in [(long, 10), (long + 5, 10), (u64::MAX, 1), (0, 0)] {
            assert_eq!(
                store.load(id(1), Seq(after), limit).await.unwrap(),
                Some(Vec::new())
            );
        }
    });
}

#[test]
fn lists_can_be_filtered() {
    on_every_backend(|store| async move {
        let rows = [
            row(1),
            row(2),
            MatchRow {
                status: MatchStatus::Live,
                second: Some(player(1)),
                ..row(2)
            },
            over(1, 2),
            // One person on both seats is listed once.
            over(1, 1),
        ];
        for (bits, row) in (1..).zip(rows) {
            let new = NewMatch {
                row,
                ..new_match(bits)
            };
            store.create(new).await.unwrap();
        }
        let wanted = [
            (None, None, vec![5, 4, 3, 2, 1]),
            (Some(1), None, vec![5, 4, 3, 1]),
            (Some(2), None, vec![4, 3, 2]),
            (Some(3), None, vec![]),
            (None, Some(MatchStatus::Waiting), vec![2, 1]),
            (None, Some(MatchStatus::Live), vec![3]),
            (None, Some(MatchStatus::Over), vec![5, 4]),
            (Some(2), Some(MatchStatus::Over), vec![4]),
            (Some(1), Some(MatchStatus::Live), vec![3]),
        ];
        for (who, status, expected) in wanted {
            let filter = ListFilter {
                player: who.map(|bits| player(bits).id),
                status,
            };
            let page = Page {
                before: None,
                limit: 10,
            };
            let found: Vec<_> = store
                .list(filter, page)
                .await
                .unwrap()
                .into_iter()
                .map(|listed| listed.id)
                .collect();
            assert_eq!(
                found,
                expected.into_iter().map(id).collect::<Vec<_>>(),
                "{filter:?}"
            );
        }
    });
}

#[test]
fn law_10_a_conflict_does_not_hurt_its_neighbours() {
    on_every_backend(|store| async move {
        for bits in 0..50 {
            store.create(new_match(bits)).await.unwrap();
        }
        let appends = (0..50).map(|bits| {
            let expected = if bits == 25 { Seq(7) } else { Seq(1) };
            store.append(id(bits), expected, bodies([2]), None)
        });
        for (bits, answer) in (0..).zip(join_all(appends).await) {
            let expected = if bits == 25 {
                Err(AppendError::Conflict { actual: Seq(1) })
            } else {
                Ok(())
            };
            assert_eq!(answer, expected);
        }
    });
}

#[test]
fn law_11_a_caller_may_stop_waiting() {
    on_every_backend(|store| async move {
        store.create(new_match(1)).await.unwrap();
        for _ in 0..200 {
            let head = texts(&*store, id(1)).await.len() as u64;
            let append = store.append(id(1), Seq(head), bodies([0, 1]), None);
            // Polled once, then dropped.
            let _ = futures::poll!(Box::pin(append));
            store.ready().await.unwrap();
            let after = texts(&*store, id(1)).await.len() as u64;
            assert!(after == head || after == head + 2);
        }
    });
}

#[test]
fn law_12_after_close_everything_is_closed() {
    on_every_backend(|store| async move {
        store.create(new_match(1)).await.unwrap();
        store.close().await;
        store.close().await;
        assert_eq!(store.row(id(1)).await, Err(StoreError::Closed));
        assert_eq!(store.ready().await, Err(StoreError::Closed));
        assert_eq!(
            store.append(id(1), Seq(1), bodies([2]), None).await,
            Err(AppendError::Store(StoreError::Closed))
        );
        assert_eq!(
            store.create(new_match(2)).await,
            Err(CreateError::Store(StoreError::Closed))
        );
        assert_eq!(store.live(None).await, Err(StoreError::Closed));
    });
}

#[test]
fn the_heartbeat_never_goes_back() {
    on_every_backend(|store| async move {
        for (at, last) in [(5, 5), (9, 9), (7, 9)] {
            store.heartbeat(Millis(at)).await.unwrap();
            assert_eq!(store.last_heartbeat().await.unwrap(), Some(Millis(last)));
        }
    });
}

/// One operation, small enough that operations meet.
#[derive(Clone, Debug)]
enum Operation {
    Create {
        id: u64,
        code: Option<u64>,
        created_at: u64,
        status: u8,
        events: u64,
    },
    Append {
        id: u64,
        /// Where the log may end.
        expected: u64,
        events: u64,
        status: Option<u8>,
    },
    Player {
        id: u128,
        token: u8,
    },
    Heartbeat(u64),
    Load {
        id: u64,
        after: u64,
        limit: usize,
    },
    Row(u64),
    List {
        player: Option<u128>,
        status: Option<u8>,
        before: Option<i64>,
    },
    Live(Option<i64>),
    FindCode(u64),
    FindPlayer {
        id: u128,
        token: u8,
    },
    Ready,
}

fn operations() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let (id, code, status) = (0..6u64, 0..3u64, 0..3u8);
    prop_oneof![
        3 => (id.clone(), option::of(code.clone()), 0..9u64, status.clone(), 0..3u64)
            .prop_map(|(id, code, created_at, status, events)| Create { id, code, created_at, status, events }),
        8 => (id.clone(), 0..6u64, 0..3u64, option::of(status.clone()))
            .prop_map(|(id, expected, events, status)| Append { id, expected, events, status }),
        1 => (0..3u128, 0..3u8).prop_map(|(id, token)| Player { id, token }),
        1 => (0..9u64).prop_map(Heartbeat),
        3 => (id.clone(), 0..6u64, 0..6usize).prop_map(|(id, after, limit)| Load { id, after, limit }),
        1 => id.prop_map(Row),
        1 => (option::of(0..4u128), option::of(status), option::of(0..6i64))
            .prop_map(|(player, status, before)| List { player, status, before }),
        1 => option::of(0..6i64).prop_map(Live),
        1 => code.prop_map(FindCode),
        1 => (0..3u128, 0..3u8).prop_map(|(id, token)| FindPlayer { id, token }),
        1 => Just(Ready),
    ]
}

fn in_status(first: u128, status: u8) -> MatchRow {
    match status {
        0 => row(first),
        1 => MatchRow {
            status: MatchStatus::Live,
            ..over(first, first + 1)
        },
        _ => over(first, first + 1),
    }
}

/// Does it, and says what came of it.
async fn perform(store: &dyn Store, operation: Operation) -> String {
    let status = |number| in_status(0, number).status;
    match operation {
        Operation::Create {
            id: bits,
            code,
            created_at,
            status,
            events,
        } => {
            let new = NewMatch {
                id: id(bits),
                code: code.map(|code| (JoinCode::from_random(code), Millis(created_at + 3))),
                row: MatchRow {
                    created_at: Millis(created_at),
                    ..in_status(bits.into(), status)
                },
                events: bodies(0..events),
            };
            format!("{:?}", store.create(new).await)
        }
        Operation::Append {
            id: bits,
            expected,
            events,
            status,
        } => {
            let row = status.map(|status| in_status(bits.into(), status));
            let bodies = bodies(expected..expected + events);
            let appended = store.append(id(bits), Seq(expected), bodies, row).await;
            format!("{appended:?}")
        }
        Operation::Player { id, token } => {
            let new = NewPlayer {
                info: player(id),
                token_hash: [token; 32],
                created_at: Millis(1),
            };
            format!("{:?}", store.create_player(new).await)
        }
        Operation::Heartbeat(at) => {
            let noted = store.heartbeat(Millis(at)).await;
            format!("{noted:?}")
        }
        Operation::Load {
            id: bits,
            after,
            limit,
        } => format!("{:?}", store.load(id(bits), Seq(after), limit).await),
        Operation::Row(bits) => format!("{:?}", store.row(id(bits)).await),
        Operation::List {
            player: who,
            status: wanted,
            before,
        } => {
            let filter = ListFilter {
                player: who.map(|bits| player(bits).id),
                status: wanted.map(status),
            };
            let page = Page {
                before: before.map(Cursor),
                limit: 3,
            };
            format!("{:?}", store.list(filter, page).await)
        }
        Operation::Live(after) => format!("{:?}", store.live(after.map(Cursor)).await),
        Operation::FindCode(code) => {
            format!("{:?}", store.find_code(JoinCode::from_random(code)).await)
        }
        Operation::FindPlayer { id, token } => format!(
            "{:?} {:?} {:?}",
            store.player(player(id).id).await,
            store.player_by_token([token; 32]).await,
            store.last_heartbeat().await
        ),
        Operation::Ready => format!("{:?}", store.ready().await),
    }
}

fn is_write(operation: &Operation) -> bool {
    use Operation::*;
    matches!(
        operation,
        Create { .. } | Append { .. } | Player { .. } | Heartbeat(_)
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever is done, in whatever batches: both backends answer the same, also after SQLite was closed and opened.
    #[test]
    fn the_backends_agree(groups in vec(vec(operations(), 1..12), 1..8)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let directory = TempDir::new().unwrap();
            let path = directory.path().join("grundy.db");
            let memory = MemoryStore::new();
            for group in groups {
                let sqlite = SqliteStore::open(&path).await.unwrap();
                let (writes, reads): (Vec<_>, Vec<_>) = group.into_iter().partition(is_write);
                for together in [writes, reads] {
                    // Asked at once, so that the writer commits them together, in this order.
                    let answers = join_all(together.iter().cloned().map(|one| perform(&sqlite, one))).await;
                    for (operation, answer) in together.into_iter().zip(answers) {
                        let expected = perform(&memory, operation.clone()).await;
                        prop_assert_eq!(answer, expected, "{:?}", operation);
                    }
                }
                sqlite.close().await;
            }
            Ok(())
        })?;
    }
}
