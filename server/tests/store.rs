//! The laws of the store, one by one, on every backend.

use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{
    Commit, CommitError, Cursor, Guard, LIST_PAGE, LIVE_PAGE, LOAD_PAGE, Lease, ListFilter,
    MatchRow, MatchStatus, NewPlayer, NodeId, NodeRow, Page, Projection, Store, StoreError,
    StreamId, Unique, last_heartbeat,
};
use grundy_shared::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use grundy_shared::ids::{
    ClientCreateId, JoinCode, MatchId, Millis, PlayerId, Ply, Seq, TournamentId,
};
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

/// A commit that makes a match with one event.
fn new_match(bits: u64) -> Commit {
    with_row(bits, row(1))
}

fn with_row(bits: u64, row: MatchRow) -> Commit {
    Commit::append(id(bits), Seq(0), bodies([1])).with_row(id(bits), row)
}

/// Bodies with everything that quoting could harm.
fn bodies(numbers: impl IntoIterator<Item = u64>) -> Vec<Bytes> {
    numbers
        .into_iter()
        .map(|n| format!("{{\"n\":{n},\"text\":\"a\\\"b\\\\ é \u{1F3B2} \u{7f} ','\"}}").into())
        .collect()
}

/// A store with the right to write to it.
#[derive(Clone)]
struct Desk {
    store: Arc<dyn Store>,
    lease: Lease,
}

impl Desk {
    async fn new(store: Arc<dyn Store>) -> Self {
        let lease = store.enlist(NodeId::ONLY, Millis(1)).await.unwrap();
        Self { store, lease }
    }

    async fn commit(&self, commit: Commit) -> Result<(), CommitError> {
        let mut outcomes = self.store.commit(self.lease, vec![commit]).await;
        assert_eq!(outcomes.len(), 1);
        outcomes.remove(0)
    }

    async fn append(
        &self,
        stream: impl Into<StreamId>,
        expected: u64,
        events: Vec<Bytes>,
    ) -> Result<(), CommitError> {
        self.commit(Commit::append(stream, Seq(expected), events))
            .await
    }

    async fn texts(&self, stream: impl Into<StreamId>) -> Vec<(u64, Bytes)> {
        let logged = self.store.load(stream.into(), Seq(0), LOAD_PAGE).await;
        let logged = logged.unwrap().unwrap_or_default();
        let pairs = logged.into_iter().map(|event| (event.seq.0, event.body));
        pairs.collect()
    }

    async fn length(&self, stream: impl Into<StreamId>) -> usize {
        self.texts(stream).await.len()
    }
}

/// One stream of each kind.
fn kinds() -> [StreamId; 3] {
    [
        StreamId::Match(id(1)),
        StreamId::Tournament(TournamentId::from_random(1)),
        StreamId::Account(player(1).id),
    ]
}

fn conflict(stream: impl Into<StreamId>, actual: u64) -> CommitError {
    CommitError::Conflict {
        stream: stream.into(),
        actual: Seq(actual),
    }
}

/// Runs one law on every backend.
fn on_every_backend<F>(law: impl Fn(Desk) -> F)
where
    F: Future<Output = ()>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        law(Desk::new(Arc::new(MemoryStore::new())).await).await;
        let directory = TempDir::new().unwrap();
        let store = SqliteStore::open(&directory.path().join("grundy.db"))
            .await
            .unwrap();
        law(Desk::new(Arc::new(store)).await).await;
    });
}

#[test]
fn law_1_events_are_dense_and_in_order() {
    on_every_backend(|desk| async move {
        for stream in kinds() {
            desk.append(stream, 0, bodies(1..=1)).await.unwrap();
            desk.append(stream, 1, bodies(2..=4)).await.unwrap();
            desk.append(stream, 4, bodies([])).await.unwrap();
            desk.append(stream, 4, bodies(5..=5)).await.unwrap();
            let expected: Vec<_> = (1..).zip(bodies(1..=5)).collect();
            assert_eq!(desk.texts(stream).await, expected, "{stream}");
        }
    });
}

#[test]
fn law_2_an_append_elsewhere_than_at_the_end_changes_nothing() {
    on_every_backend(|desk| async move {
        desk.commit(new_match(1)).await.unwrap();
        for wrong in [0, 2, 3, u64::MAX] {
            let refused =
                Commit::append(id(1), Seq(wrong), bodies([9])).with_row(id(1), over(5, 6));
            assert_eq!(desk.commit(refused).await, Err(conflict(id(1), 1)));
        }
        assert_eq!(desk.length(id(1)).await, 1);
        assert_eq!(desk.store.row(id(1)).await.unwrap(), Some(row(1)));
        for stream in &kinds()[1..] {
            let nowhere = desk.append(*stream, 3, bodies([1])).await;
            assert_eq!(nowhere, Err(conflict(*stream, 0)));
        }
        let twice = Commit::append(id(1), Seq(1), bodies([2])).and(id(1), Seq(2), bodies([3]));
        assert_eq!(desk.commit(twice).await, Err(conflict(id(1), 2)));
        assert_eq!(desk.length(id(1)).await, 1);
        // A summary needs a log, and a code or a name a match.
        let nothing = Commit::default().with_row(id(2), row(1));
        assert_eq!(desk.commit(nothing).await, Err(conflict(id(2), 0)));
        for hanging in [code(1, 2, 0, 9), create_id(1, "a", 2)] {
            let hanging = Commit::default().with(hanging);
            assert_eq!(desk.commit(hanging).await, Err(conflict(id(2), 0)));
        }
    });
}

#[test]
fn law_2_of_concurrent_appends_exactly_one_wins() {
    on_every_backend(|desk| async move {
        desk.commit(new_match(1)).await.unwrap();
        for round in 1..=20 {
            let mut rivals = JoinSet::new();
            for rival in 0..8 {
                let desk = desk.clone();
                rivals.spawn(async move {
                    let body = format!("{{\"round\":{round},\"rival\":{rival}}}");
                    desk.append(id(1), round, vec![body.into()]).await
                });
            }
            let mut wins = 0;
            for answer in rivals.join_all().await {
                match answer {
                    Ok(()) => wins += 1,
                    Err(error) => assert_eq!(error, conflict(id(1), round + 1)),
                }
            }
            assert_eq!(wins, 1);
        }
        assert_eq!(desk.length(id(1)).await, 21);
    });
}

#[test]
fn law_3_events_and_what_follows_come_together() {
    on_every_backend(|desk| async move {
        desk.commit(new_match(1)).await.unwrap();
        let ends = Commit::append(id(1), Seq(1), bodies([2])).with_row(id(1), over(1, 2));
        desk.commit(ends).await.unwrap();
        assert_eq!(desk.store.row(id(1)).await.unwrap(), Some(over(1, 2)));
        assert_eq!(desk.length(id(1)).await, 2);
        // What comes after the end (an offer of a rematch) is logged as well.
        desk.append(id(1), 2, bodies([3])).await.unwrap();
        assert_eq!(desk.length(id(1)).await, 3);
    });
}

#[test]
fn law_3_several_streams_change_together_or_not_at_all() {
    on_every_backend(|desk| async move {
        let [game, tournament, account] = kinds();
        let rematch = id(2);
        let first = Commit::append(game, Seq(0), bodies([1]))
            .with_row(id(1), over(1, 2))
            .and(tournament, Seq(0), bodies([1, 2]));
        desk.commit(first).await.unwrap();
        let both = |expected| {
            Commit::append(game, Seq(1), bodies([2]))
                .and(rematch, Seq(0), bodies([1, 2]))
                .with_row(rematch, row(1))
                .and(account, Seq(0), bodies([7]))
                .and(tournament, Seq(expected), bodies([3]))
        };
        assert_eq!(desk.commit(both(1)).await, Err(conflict(tournament, 2)));
        let lengths = async || {
            let mut lengths = Vec::new();
            for stream in [game, tournament, account, rematch.into()] {
                lengths.push(desk.length(stream).await);
            }
            lengths
        };
        assert_eq!(lengths().await, [1, 2, 0, 0]);
        assert_eq!(desk.store.row(rematch).await.unwrap(), None);
        desk.commit(both(2)).await.unwrap();
        assert_eq!(lengths().await, [2, 3, 1, 2]);
        assert_eq!(desk.store.row(rematch).await.unwrap(), Some(row(1)));
    });
}

fn code(bits: u64, of: u64, at: u64, expires_at: u64) -> Projection {
    Projection::JoinCode {
        code: JoinCode::from_random(bits),
        match_id: id(of),
        at: Millis(at),
        expires_at: Millis(expires_at),
    }
}

fn create_id(who: u128, name: &str, of: u64) -> Projection {
    Projection::CreateId {
        player: player(who).id,
        client_create_id: name.parse().unwrap(),
        match_id: id(of),
    }
}

fn new_player(bits: u128, token: u8) -> Commit {
    Commit::default().with(Projection::Player(NewPlayer {
        info: player(bits),
        token_hash: [token; 32],
        created_at: Millis(1),
    }))
}

#[test]
fn law_7_codes_names_and_tokens_belong_to_one() {
    on_every_backend(|desk| async move {
        let with_code = |bits, at, expires| new_match(bits).with(code(1, bits, at, expires));
        let find = async || {
            desk.store
                .find_code(JoinCode::from_random(1))
                .await
                .unwrap()
        };
        desk.commit(with_code(1, 1_000, 5_000)).await.unwrap();
        let same_code = desk.commit(with_code(2, 4_999, 9_000)).await;
        assert_eq!(same_code, Err(CommitError::Taken(Unique::JoinCode)));
        assert_eq!(desk.store.row(id(2)).await.unwrap(), None);
        assert_eq!(desk.length(id(2)).await, 0);
        assert_eq!(find().await, Some((id(1), Millis(5_000))));
        let refused = desk.commit(with_code(1, 6_000, 9_000)).await;
        assert_eq!(refused, Err(conflict(id(1), 1)));
        desk.commit(new_match(4)).await.unwrap();
        assert_eq!(
            find().await,
            Some((id(1), Millis(5_000))),
            "only a new code makes forget those that expired"
        );
        desk.commit(with_code(3, 5_000, 9_000)).await.unwrap();
        assert_eq!(find().await, Some((id(3), Millis(9_000))));

        for (who, name, of, taken) in [
            (1, "a", 1, false),
            (1, "a", 3, true),
            (1, "b", 3, false),
            (2, "a", 4, false),
        ] {
            let named = Commit::default().with(create_id(who, name, of));
            let expected = match taken {
                true => Err(CommitError::Taken(Unique::CreateId)),
                false => Ok(()),
            };
            assert_eq!(desk.commit(named).await, expected, "{who} {name}");
        }
        let name: ClientCreateId = "a".parse().unwrap();
        let found = desk.store.find_create_id(player(1).id, &name).await;
        assert_eq!(found.unwrap(), Some(id(1)));

        desk.commit(new_player(1, 1)).await.unwrap();
        assert_eq!(
            desk.commit(new_player(1, 2)).await,
            Err(CommitError::Taken(Unique::PlayerId))
        );
        assert_eq!(
            desk.commit(new_player(2, 1)).await,
            Err(CommitError::Taken(Unique::Token))
        );
        desk.commit(new_player(2, 2)).await.unwrap();
        for bits in [1, 2] {
            let (store, info) = (&desk.store, Some(player(bits)));
            assert_eq!(store.player(player(bits).id).await.unwrap(), info);
            assert_eq!(store.player_by_token([bits as u8; 32]).await.unwrap(), info);
        }
        // Twice in one commit is once too often.
        let mut twice = new_player(8, 8);
        twice.projections.extend(new_player(9, 8).projections);
        assert_eq!(
            desk.commit(twice).await,
            Err(CommitError::Taken(Unique::Token))
        );
        assert_eq!(desk.store.player(player(8).id).await.unwrap(), None);
    });
}

#[test]
fn law_8_absent_is_none() {
    on_every_backend(|desk| async move {
        let store = &desk.store;
        for stream in kinds() {
            assert_eq!(store.load(stream, Seq(0), 10).await.unwrap(), None);
        }
        assert_eq!(store.row(id(1)).await.unwrap(), None);
        let code = store.find_code(JoinCode::from_random(1)).await;
        assert_eq!(code.unwrap(), None);
        let name: ClientCreateId = "a".parse().unwrap();
        let named = store.find_create_id(player(1).id, &name).await;
        assert_eq!(named.unwrap(), None);
        assert_eq!(store.player(player(1).id).await.unwrap(), None);
        assert_eq!(store.player_by_token([0; 32]).await.unwrap(), None);
        assert_eq!(last_heartbeat(&**store, NodeId::ONLY).await.unwrap(), None);
        assert_eq!(last_heartbeat(&**store, NodeId(7)).await.unwrap(), None);
        assert_eq!(store.live(NodeId::ONLY, None).await.unwrap(), Vec::new());
        assert_eq!(store.open_matches(player(1).id, 9).await.unwrap(), []);
        assert_eq!(store.open_count(None).await.unwrap(), 0);
        assert_eq!(store.open_count(Some(player(1).id)).await.unwrap(), 0);
        let page = Page {
            before: None,
            limit: 10,
        };
        let listed = store.list(ListFilter::default(), page).await;
        assert_eq!(listed.unwrap(), Vec::new());
    });
}

#[test]
fn law_9_pages_are_bounded_and_meet() {
    on_every_backend(|desk| async move {
        let count = LIVE_PAGE as u64 + 20;
        let all = (1..=count).map(|bits| match bits.is_multiple_of(3) {
            true => with_row(bits, over(1, 2)),
            false => new_match(bits),
        });
        let made = desk.store.commit(desk.lease, all.collect()).await;
        assert!(made.iter().all(Result::is_ok));
        let mut listed = Vec::new();
        let mut before = None;
        let mut late = count;
        loop {
            let page = Page {
                before: before.clone(),
                limit: usize::MAX,
            };
            let part = desk.store.list(ListFilter::default(), page).await.unwrap();
            assert!(part.len() <= LIST_PAGE);
            let Some(last) = part.last() else { break };
            // As a client that has it as text.
            before = Some(last.cursor.to_string().parse::<Cursor>().unwrap());
            listed.extend(part.into_iter().map(|listed| listed.id));
            // What is made meanwhile changes nothing of what could be seen before.
            late += 1;
            desk.commit(with_row(late, over(1, 2))).await.unwrap();
        }
        let newest_first: Vec<_> = (1..=count).rev().map(id).collect();
        assert_eq!(listed, newest_first);
        for bad in ["x", "-", "9999999999999999999"] {
            let page = Page {
                before: Some(bad.parse().unwrap()),
                limit: 1,
            };
            let refused = desk.store.list(ListFilter::default(), page).await;
            assert_eq!(refused, Err(StoreError::BadCursor));
        }

        let mut live = Vec::new();
        let mut after = None;
        loop {
            let part = desk.store.live(NodeId::ONLY, after).await.unwrap();
            assert!(part.len() <= LIVE_PAGE);
            let Some(last) = part.last() else { break };
            after = Some(last.cursor.clone());
            let lengths = part
                .into_iter()
                .map(|live| (live.id, live.log.map(|log| log.len())));
            live.extend(lengths);
        }
        let unfinished: Vec<_> = (1..=count)
            .filter(|bits| !bits.is_multiple_of(3))
            .map(|bits| (id(bits), Ok(1)))
            .collect();
        assert_eq!(live, unfinished);
    });
}

#[test]
fn law_9_a_log_is_read_by_pages() {
    on_every_backend(|desk| async move {
        let long = LOAD_PAGE as u64 + 7;
        for stream in kinds() {
            desk.append(stream, 0, bodies(1..=long)).await.unwrap();
            let load = async |after: u64, limit| {
                let page = desk.store.load(stream, Seq(after), limit).await;
                page.unwrap().unwrap()
            };
            let first = load(0, usize::MAX).await;
            assert_eq!(first.len(), LOAD_PAGE);
            let rest = load(first[LOAD_PAGE - 1].seq.0, usize::MAX).await;
            assert_eq!(rest.len(), 7);
            assert_eq!(rest[6].seq, Seq(long));
            for (after, limit) in [(long, 10), (long + 5, 10), (u64::MAX, 1), (0, 0)] {
                assert_eq!(load(after, limit).await, Vec::new());
            }
            for after in [0, 3, 500, long - 1] {
                assert_eq!(load(after, 1).await[0].seq, Seq(after + 1));
            }
        }
    });
}

#[test]
fn lists_can_be_filtered() {
    on_every_backend(|desk| async move {
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
            desk.commit(with_row(bits, row)).await.unwrap();
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
                opponent: None,
                status,
            };
            let page = Page {
                before: None,
                limit: 10,
            };
            let found: Vec<_> = desk
                .store
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
fn open_matches_are_counted_and_found() {
    on_every_backend(|desk| async move {
        let live = |second| MatchRow {
            status: MatchStatus::Live,
            second: Some(player(second)),
            ..row(1)
        };
        let invitation = with_row(1, row(1)).with(code(5, 1, 0, 100));
        for commit in [
            invitation,
            with_row(2, live(2)),
            with_row(3, live(1)),
            with_row(4, over(1, 2)),
        ] {
            desk.commit(commit).await.unwrap();
        }
        let open = async |who, limit| {
            let open = desk.store.open_matches(player(who).id, limit).await;
            let open = open.unwrap().into_iter();
            open.map(|open| (open.id, open.row.status, open.code))
                .collect::<Vec<_>>()
        };
        let (waiting, playing) = (MatchStatus::Waiting, MatchStatus::Live);
        let invited = Some((JoinCode::from_random(5), Millis(100)));
        assert_eq!(
            open(1, 9).await,
            [
                (id(3), playing, None),
                (id(2), playing, None),
                (id(1), waiting, invited)
            ]
        );
        assert_eq!(open(1, 1).await, [(id(3), playing, None)]);
        assert_eq!(open(2, 9).await, [(id(2), playing, None)]);
        let count = async |who: Option<u128>| {
            let count = desk.store.open_count(who.map(|who| player(who).id)).await;
            count.unwrap()
        };
        assert_eq!(count(None).await, 3);
        assert_eq!(count(Some(1)).await, 3);
        assert_eq!(count(Some(2)).await, 1);
        let ends = Commit::append(id(2), Seq(1), bodies([2])).with_row(id(2), over(1, 2));
        desk.commit(ends).await.unwrap();
        assert_eq!(
            (
                count(None).await,
                count(Some(1)).await,
                count(Some(2)).await
            ),
            (2, 2, 0)
        );
    });
}

#[test]
fn law_10_a_refusal_does_not_hurt_its_neighbours() {
    on_every_backend(|desk| async move {
        let made = desk
            .store
            .commit(desk.lease, (0..50).map(new_match).collect());
        assert!(made.await.iter().all(Result::is_ok));
        let batch = (0..50).map(|bits| {
            let expected = if bits == 25 { Seq(7) } else { Seq(1) };
            let append = Commit::append(id(bits), expected, bodies([2]));
            match bits {
                30 => append.with(create_id(1, "x", 999)),
                31 => append.guarded(Guard::OpenMatches {
                    of: None,
                    at_most: 49,
                }),
                _ => append,
            }
        });
        let mut batch: Vec<_> = batch.collect();
        // As if the one before it were done.
        batch.push(Commit::append(id(7), Seq(2), bodies([3])));
        batch.push(Commit::append(id(25), Seq(2), bodies([3])));
        let answers = desk.store.commit(desk.lease, batch).await;
        for (number, answer) in answers.into_iter().enumerate() {
            let expected = match number {
                25 | 51 => Err(conflict(id(25), 1)),
                30 => Err(conflict(id(999), 0)),
                31 => Err(CommitError::Full(Guard::OpenMatches {
                    of: None,
                    at_most: 49,
                })),
                _ => Ok(()),
            };
            assert_eq!(answer, expected, "{number}");
        }
        assert_eq!(desk.length(id(7)).await, 3);
        for unchanged in [25, 30, 31] {
            assert_eq!(desk.length(id(unchanged)).await, 1);
        }
    });
}

#[test]
fn law_11_a_caller_may_stop_waiting() {
    on_every_backend(|desk| async move {
        desk.commit(new_match(1)).await.unwrap();
        for _ in 0..200 {
            let head = desk.length(id(1)).await as u64;
            let append = desk.append(id(1), head, bodies([0, 1]));
            // Polled once, then dropped.
            let _ = futures::poll!(Box::pin(append));
            desk.store.ready().await.unwrap();
            let after = desk.length(id(1)).await as u64;
            assert!(after == head || after == head + 2);
        }
    });
}

#[test]
fn law_12_after_close_everything_is_closed() {
    on_every_backend(|desk| async move {
        desk.commit(new_match(1)).await.unwrap();
        desk.store.close().await;
        desk.store.close().await;
        assert_eq!(desk.store.row(id(1)).await, Err(StoreError::Closed));
        assert_eq!(desk.store.ready().await, Err(StoreError::Closed));
        let closed = Err(CommitError::Store(StoreError::Closed));
        assert_eq!(desk.append(id(1), 1, bodies([2])).await, closed);
        assert_eq!(desk.commit(new_match(2)).await, closed);
        let live = desk.store.live(NodeId::ONLY, None).await;
        assert_eq!(live, Err(StoreError::Closed));
        let enlisted = desk.store.enlist(NodeId(2), Millis(1)).await;
        assert_eq!(enlisted, Err(StoreError::Closed));
        let beaten = desk.store.heartbeat(desk.lease, Millis(1)).await;
        assert_eq!(beaten, Err(StoreError::Closed));
    });
}

#[test]
fn law_13_an_older_life_of_a_node_writes_no_more() {
    on_every_backend(|desk| async move {
        desk.commit(new_match(1)).await.unwrap();
        desk.store.heartbeat(desk.lease, Millis(50)).await.unwrap();
        let newer = desk.store.enlist(NodeId::ONLY, Millis(60)).await.unwrap();
        assert_eq!(newer.epoch, desk.lease.epoch + 1);
        let fenced = Err(CommitError::Fenced);
        assert_eq!(desk.append(id(1), 1, bodies([2])).await, fenced);
        assert_eq!(desk.commit(new_match(2)).await, fenced);
        let beaten = desk.store.heartbeat(desk.lease, Millis(99)).await;
        assert_eq!(beaten, Err(StoreError::Fenced));
        assert_eq!(desk.length(id(1)).await, 1);
        assert_eq!(
            desk.store.nodes().await.unwrap(),
            [NodeRow {
                id: NodeId::ONLY,
                epoch: newer.epoch,
                enlisted_at: Millis(60),
                heartbeat: Some(Millis(50)),
            }]
        );
        // To be refused for this is no trouble of the store.
        assert_eq!(desk.store.ready().await, Ok(()));
        let again = Desk {
            lease: newer,
            ..desk.clone()
        };
        again.append(id(1), 1, bodies([2])).await.unwrap();
        let nobody = Lease {
            node: NodeId(9),
            epoch: 1,
        };
        let refused = desk.store.commit(nobody, vec![new_match(3)]).await;
        assert_eq!(refused, [fenced]);
    });
}

#[test]
fn law_13_the_matches_of_a_dead_node_are_taken_over() {
    on_every_backend(|desk| async move {
        let other = desk.store.enlist(NodeId(2), Millis(5)).await.unwrap();
        for bits in 1..=3 {
            desk.commit(new_match(bits)).await.unwrap();
        }
        desk.commit(with_row(4, over(1, 2))).await.unwrap();
        let theirs = desk.store.commit(other, vec![new_match(5)]).await;
        assert_eq!(theirs, [Ok(())]);
        let live = async |node| {
            let live = desk.store.live(node, None).await.unwrap();
            live.into_iter().map(|live| live.id).collect::<Vec<_>>()
        };
        assert_eq!(live(NodeId::ONLY).await, [id(1), id(2), id(3)]);
        assert_eq!(live(NodeId(2)).await, [id(5)]);
        let seen = desk.store.nodes().await.unwrap()[0];
        let older = NodeRow {
            epoch: seen.epoch - 1,
            ..seen
        };
        let refused = desk.store.take_over(other, older).await;
        assert_eq!(refused, Err(StoreError::Fenced));
        assert_eq!(desk.store.take_over(other, seen).await, Ok(3));
        assert_eq!(live(NodeId::ONLY).await, []);
        assert_eq!(live(NodeId(2)).await, [id(1), id(2), id(3), id(5)]);
        let late = desk.append(id(1), 1, bodies([2])).await;
        assert_eq!(late, Err(CommitError::Fenced));
        let twice = desk.store.take_over(other, seen).await;
        assert_eq!(twice, Err(StoreError::Fenced));
        let next = Commit::append(id(1), Seq(1), bodies([2]));
        assert_eq!(desk.store.commit(other, vec![next]).await, [Ok(())]);
    });
}

#[test]
fn law_14_a_guard_holds_whoever_else_commits() {
    on_every_backend(|desk| async move {
        let guard = |who: Option<u128>, at_most| Guard::OpenMatches {
            of: who.map(|who| player(who).id),
            at_most,
        };
        // Twenty at once for five places.
        let mut rivals = JoinSet::new();
        for bits in 0..20 {
            let desk = desk.clone();
            rivals.spawn(async move {
                desk.commit(new_match(bits).guarded(guard(Some(1), 5)))
                    .await
            });
        }
        let answers = rivals.join_all().await;
        let made = answers.iter().filter(|answer| answer.is_ok()).count();
        assert_eq!(made, 5);
        let full = Err(CommitError::Full(guard(Some(1), 5)));
        assert!(
            answers
                .iter()
                .all(|answer| answer.is_ok() || *answer == full)
        );
        // In one batch, too; another player is free, and all together are counted.
        let batch = (20..24).map(|bits| with_row(bits, row(2)).guarded(guard(Some(2), 2)));
        let answers = desk.store.commit(desk.lease, batch.collect()).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 2);
        let all = with_row(30, row(3)).guarded(guard(None, 7));
        let full = Err(CommitError::Full(guard(None, 7)));
        assert_eq!(desk.commit(all.clone()).await, full);
        // Who ends one has room again.
        let ends = Commit::append(id(20), Seq(1), bodies([2])).with_row(id(20), over(2, 2));
        desk.commit(ends).await.unwrap();
        desk.commit(all).await.unwrap();
    });
}

#[test]
fn the_heartbeat_never_goes_back() {
    on_every_backend(|desk| async move {
        for (at, last) in [(5, 5), (9, 9), (7, 9)] {
            desk.store.heartbeat(desk.lease, Millis(at)).await.unwrap();
            let found = last_heartbeat(&*desk.store, NodeId::ONLY).await;
            assert_eq!(found.unwrap(), Some(Millis(last)));
        }
    });
}

/// One operation, small enough that operations meet.
#[derive(Clone, Debug)]
enum Operation {
    Commit {
        appends: Vec<(u8, u64, u64)>,
        row: Option<(u64, u8)>,
        code: Option<(u64, u64, u64)>,
        name: Option<(u128, u8, u64)>,
        player: Option<(u128, u8)>,
        guard: Option<(Option<u128>, u32)>,
    },
    Heartbeat(u64),
    Enlist(u32),
    Load {
        stream: u8,
        after: u64,
        limit: usize,
    },
    Row(u64),
    List {
        player: Option<u128>,
        opponent: Option<u128>,
        status: Option<u8>,
        before: Option<u8>,
    },
    Named(u128),
    Live(u32, Option<u8>),
    Open(u128, usize),
    Find {
        id: u128,
        token: u8,
        code: u64,
    },
    Ready,
}

/// Streams of all kinds: matches 0 to 3, and four others.
fn stream(number: u8) -> StreamId {
    match number % 8 {
        number @ 0..4 => id(number.into()).into(),
        number @ 4..6 => StreamId::Tournament(TournamentId::from_random(number.into())),
        number => StreamId::Account(player(number.into()).id),
    }
}

fn operations() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let commit = (
        vec((0..8u8, 0..5u64, 0..4u64), 0..3),
        option::weighted(0.4, (0..4u64, 0..3u8)),
        option::weighted(0.2, (0..3u64, 0..4u64, 0..9u64)),
        option::weighted(0.1, (0..3u128, 0..3u8, 0..4u64)),
        option::weighted(0.1, (0..3u128, 0..3u8)),
        option::weighted(0.2, (option::of(0..3u128), 0..4u32)),
    );
    prop_oneof![
        16 => commit.prop_map(|(appends, row, code, name, player, guard)| Commit {
            appends, row, code, name, player, guard,
        }),
        1 => (0..9u64).prop_map(Heartbeat),
        1 => (2..4u32).prop_map(Enlist),
        4 => (0..8u8, 0..6u64, 0..6usize).prop_map(|(stream, after, limit)| Load { stream, after, limit }),
        1 => (0..4u64).prop_map(Row),
        2 => (option::of(0..4u128), option::of(0..4u128), option::of(0..3u8), option::of(0..6u8))
            .prop_map(|(player, opponent, status, before)| List { player, opponent, status, before }),
        1 => (0..4u128).prop_map(Named),
        1 => (1..4u32, option::of(0..6u8)).prop_map(|(node, after)| Live(node, after)),
        1 => (0..3u128, 0..4usize).prop_map(|(who, limit)| Open(who, limit)),
        1 => (0..3u128, 0..3u8, 0..3u64).prop_map(|(id, token, code)| Find { id, token, code }),
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

/// The commit that an operation is; `None` when it is something else.
fn commit_of(operation: &Operation) -> Option<Commit> {
    let Operation::Commit {
        appends,
        row,
        code: given,
        name,
        player,
        guard,
    } = operation
    else {
        return None;
    };
    let mut commit = Commit::default();
    for (number, expected, events) in appends {
        commit = commit.and(
            stream(*number),
            Seq(*expected),
            bodies(*expected..expected + events),
        );
    }
    if let Some((bits, status)) = row {
        commit = commit.with_row(id(*bits), in_status((*bits).into(), *status));
    }
    if let Some((bits, of, at)) = given {
        commit = commit.with(code(*bits, *of, *at, at + 3));
    }
    if let Some((who, name, of)) = name {
        commit = commit.with(create_id(*who, &format!("name-{name}"), *of));
    }
    if let Some((who, token)) = player {
        commit
            .projections
            .extend(new_player(*who, *token).projections);
    }
    if let Some((of, at_most)) = guard {
        let of = of.map(|who| self::player(who).id);
        let at_most = *at_most;
        commit = commit.guarded(Guard::OpenMatches { of, at_most });
    }
    Some(commit)
}

/// Does what is no commit, and says what came of it.
async fn perform(desk: &Desk, operation: Operation) -> String {
    let status = |number| in_status(0, number).status;
    let cursor = |number: u8| number.to_string().parse::<Cursor>().unwrap();
    let store = &desk.store;
    match operation {
        Operation::Commit { .. } => unreachable!("commits are done together"),
        Operation::Heartbeat(at) => {
            let noted = store.heartbeat(desk.lease, Millis(at)).await;
            format!("{noted:?} {:?}", store.nodes().await)
        }
        Operation::Enlist(node) => format!("{:?}", store.enlist(NodeId(node), Millis(3)).await),
        Operation::Load {
            stream: number,
            after,
            limit,
        } => format!("{:?}", store.load(stream(number), Seq(after), limit).await),
        Operation::Row(bits) => format!("{:?}", store.row(id(bits)).await),
        Operation::List {
            player: who,
            opponent,
            status: wanted,
            before,
        } => {
            let filter = ListFilter {
                player: who.map(|bits| player(bits).id),
                opponent: opponent.map(|bits| player(bits).id),
                status: wanted.map(status),
            };
            let page = Page {
                before: before.map(cursor),
                limit: 3,
            };
            format!("{:?}", store.list(filter, page).await)
        }
        Operation::Named(who) => {
            let named = store.players_named(&player(who).name, 2).await;
            format!("{named:?}")
        }
        Operation::Live(node, after) => {
            let live = store.live(NodeId(node), after.map(cursor)).await;
            format!("{live:?}")
        }
        Operation::Open(who, limit) => {
            let who = player(who).id;
            let open = store.open_matches(who, limit).await.unwrap();
            // Which of several codes of a match is shown is nobody's business.
            let open: Vec<_> = open
                .iter()
                .map(|open| (open.id, &open.row, open.code.is_some()))
                .collect();
            let counts = (
                store.open_count(Some(who)).await,
                store.open_count(None).await,
            );
            format!("{open:?} {counts:?}")
        }
        Operation::Find { id, token, code } => {
            let name: ClientCreateId = format!("name-{token}").parse().unwrap();
            format!(
                "{:?} {:?} {:?} {:?}",
                store.player(player(id).id).await,
                store.player_by_token([token; 32]).await,
                store.find_code(JoinCode::from_random(code)).await,
                store.find_create_id(player(id).id, &name).await,
            )
        }
        Operation::Ready => format!("{:?}", store.ready().await),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever is done, in whatever batches: both backends answer the same, also after SQLite was closed and opened.
    #[test]
    fn the_backends_agree(groups in vec(vec(operations(), 1..12), 1..8)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let directory = TempDir::new().unwrap();
            let path = directory.path().join("grundy.db");
            let memory = Arc::new(MemoryStore::new());
            for group in groups {
                let sqlite = Desk::new(Arc::new(SqliteStore::open(&path).await.unwrap())).await;
                let model = Desk::new(memory.clone()).await;
                prop_assert_eq!(sqlite.lease, model.lease);
                let (writes, others): (Vec<_>, Vec<_>) =
                    group.into_iter().partition(|one| commit_of(one).is_some());
                let batch: Vec<_> = writes.iter().filter_map(commit_of).collect();
                let expected = model.store.commit(model.lease, batch.clone()).await;
                prop_assert_eq!(sqlite.store.commit(sqlite.lease, batch).await, expected, "{:?}", writes);
                for operation in others {
                    let expected = perform(&model, operation.clone()).await;
                    let answer = perform(&sqlite, operation.clone()).await;
                    prop_assert_eq!(answer, expected, "{:?}", operation);
                }
                for number in 0..8 {
                    let read = sqlite.store.load(stream(number), Seq(0), LOAD_PAGE).await;
                    prop_assert_eq!(read, model.store.load(stream(number), Seq(0), LOAD_PAGE).await);
                }
                sqlite.store.close().await;
            }
            Ok(())
        })?;
    }
}
