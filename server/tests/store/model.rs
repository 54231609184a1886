//! Every backend does the same, whatever is asked of it.

use std::sync::Arc;

use grundy_server::store::memory::MemoryStore;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{
    AddressDigest, Commit, Cursor, Guard, LOAD_PAGE, ListFilter, MatchRow, MatchStatus, Mistakes,
    MistakesBy, MistakesWanted, NodeId, Order, Page, Projection, ReviewRow, Store, StreamId,
    Traits,
};
use grundy_shared::ids::{ClientCreateId, JoinCode, Millis, Seq, TournamentId};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::cluster::Database;
use crate::desk::{
    Desk, account, bodies, code, create_id, created_at, id, new_player, over, player, rename, row,
};

/// One operation, small enough that operations meet.
#[expect(clippy::large_enum_variant, reason = "a few dozen of them in a test")]
#[derive(Clone, Debug)]
enum Operation {
    Commit {
        appends: Vec<(u8, u64, u64)>,
        row: Option<(u64, u8)>,
        code: Option<(u64, u64, u64)>,
        name: Option<(u128, u8, u64)>,
        player: Option<(u128, u8)>,
        rename: Option<(u128, u128)>,
        /// Whose account, of which version, with which tokens.
        account: Option<(u128, u64, Vec<u8>)>,
        guard: Option<(Option<u128>, u32)>,
        address: Option<(u64, u16)>,
        guard_from: Option<(u16, u32)>,
        mistakes: Option<(u64, u32)>,
        /// Of which match, how many bytes, and how many all may have.
        review: Option<(u64, usize, u64)>,
    },
    Heartbeat(u64),
    Enlist(u32),
    Load {
        stream: u8,
        after: u64,
        limit: usize,
    },
    Row(u64),
    Review(u64),
    List {
        player: Option<u128>,
        opponent: Option<u128>,
        status: Option<u8>,
        viewer: Option<u128>,
        before: Option<u8>,
        order: u8,
        mistakes: Option<u32>,
    },
    Uncounted {
        order: u8,
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
        option::weighted(0.1, (0..3u128, 0..4u128)),
        option::weighted(0.2, (0..3u128, 0..3u64, vec(0..3u8, 0..3))),
        option::weighted(0.2, (option::of(0..3u128), 0..4u32)),
        option::weighted(0.3, (0..4u64, 0..2u16)),
        (
            option::weighted(0.2, (0..2u16, 0..4u32)),
            option::weighted(0.3, (0..4u64, 0..3u32)),
            option::weighted(0.3, (0..4u64, 0..6usize, 3..12u64)),
        ),
    );
    prop_oneof![
        16 => commit.prop_map(|(appends, row, code, name, player, rename, account, guard, address, (guard_from, mistakes, review))| Commit {
            appends, row, code, name, player, rename, account, guard, address, guard_from, mistakes, review,
        }),
        1 => (0..9u64).prop_map(Heartbeat),
        1 => (2..4u32).prop_map(Enlist),
        4 => (0..8u8, 0..6u64, 0..6usize).prop_map(|(stream, after, limit)| Load { stream, after, limit }),
        1 => (0..4u64).prop_map(Row),
        2 => (0..4u64).prop_map(Review),
        4 => (option::of(0..4u128), option::of(0..4u128), option::of(0..3u8), option::of(0..4u128), option::of(0..6u8), 0..3u8, option::of(0..3u32))
            .prop_map(|(player, opponent, status, viewer, before, order, mistakes)| List { player, opponent, status, viewer, before, order, mistakes }),
        1 => (0..3u8, option::of(0..6u8)).prop_map(|(order, before)| Uncounted { order, before }),
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
        rename: renamed,
        account: changed,
        guard,
        address,
        guard_from,
        mistakes,
        review,
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
    if let Some((who, name)) = renamed {
        commit = commit.with(rename(*who, &self::player(*name).name));
    }
    if let Some((who, version, tokens)) = changed {
        commit = commit.with(account(*who, *version, tokens));
    }
    if let Some((of, at_most)) = guard {
        let of = of.map(|who| self::player(who).id);
        let at_most = *at_most;
        commit = commit.guarded(Guard::OpenMatches { of, at_most });
    }
    if let Some((of, from)) = address {
        commit = commit.with(created_at(*of, *from));
    }
    if let Some((from, at_most)) = guard_from {
        commit = commit.guarded(Guard::OpenMatchesFrom {
            address: AddressDigest(*from),
            at_most: *at_most,
        });
    }
    if let Some((of, count)) = mistakes {
        commit = commit.with(Projection::Mistakes {
            match_id: id(*of),
            mistakes: match count {
                0 => Mistakes::Unknown,
                count => Mistakes::Known([*count, 0]),
            },
        });
    }
    if let Some((of, bytes, most_bytes)) = review {
        commit = commit.with(Projection::Review {
            match_id: id(*of),
            review: ReviewRow {
                version: 1,
                text: "x".repeat(*bytes),
            },
            most_bytes: *most_bytes,
        });
    }
    Some(commit)
}

/// Does what is no commit, and says what came of it.
async fn perform(desk: &Desk, operation: Operation) -> String {
    let status = |number| in_status(0, number).status;
    let cursor = |number: u8| number.to_string().parse::<Cursor>().unwrap();
    let ended = |number: u8| format!("e{number}").parse::<Cursor>().unwrap();
    let order_of = |order| [Order::Newest, Order::Oldest, Order::Ended][usize::from(order)];
    let store = &desk.store;
    match operation {
        Operation::Commit { .. } => unreachable!("commits are done together"),
        Operation::Heartbeat(at) => {
            let noted = store.heartbeat(desk.lease, Millis(at)).await;
            // Each backend has signs of life of its own.
            let nodes = store.nodes().await.map(|mut nodes| {
                nodes.iter_mut().for_each(|node| node.sign = 0);
                nodes
            });
            format!("{noted:?} {nodes:?}")
        }
        Operation::Enlist(node) => format!("{:?}", store.enlist(NodeId(node), Millis(3)).await),
        Operation::Load {
            stream: number,
            after,
            limit,
        } => format!("{:?}", store.load(stream(number), Seq(after), limit).await),
        Operation::Row(bits) => format!("{:?}", store.row(id(bits)).await),
        Operation::Review(bits) => format!("{:?}", store.review(id(bits)).await),
        Operation::List {
            player: who,
            opponent,
            status: wanted,
            viewer,
            before,
            order,
            mistakes,
        } => {
            let (order, by) = (
                order_of(order),
                match who {
                    Some(bits) => MistakesBy::OpponentOf(player(bits).id),
                    None => MistakesBy::Either,
                },
            );
            let filter = ListFilter {
                player: who.map(|bits| player(bits).id),
                opponent: opponent.map(|bits| player(bits).id),
                status: wanted.map(status),
                viewer: viewer.map(|bits| player(bits).id),
                traits: Traits {
                    mistakes: mistakes.map(|least| MistakesWanted { by, least, most: 2 }),
                    ..Traits::default()
                },
            };
            let from = match order {
                Order::Ended => before.map(ended),
                Order::Newest | Order::Oldest => before.map(cursor),
            };
            let limit = 3;
            let page = Page { order, from, limit };
            format!("{:?}", store.list(filter, page).await)
        }
        Operation::Uncounted { order, before } => {
            let page = Page {
                order: order_of(order),
                from: before.map(ended),
                limit: 2,
            };
            format!("{:?}", store.uncounted(page).await)
        }
        Operation::Named(who) => {
            let named = store.player_by_name(&player(who).name).await;
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
                store.open_count_from(AddressDigest(0)).await,
                store.open_count_from(AddressDigest(1)).await,
            );
            format!("{open:?} {counts:?}")
        }
        Operation::Find { id, token, code } => {
            let name: ClientCreateId = format!("name-{token}").parse().unwrap();
            format!(
                "{:?} {:?} {:?} {:?} {:?}",
                store.player(player(id).id).await,
                store.bearer([token; 32].into()).await,
                store.account(player(id).id).await,
                store.find_code(JoinCode::from_random(code)).await,
                store.find_create_id(player(id).id, &name).await,
            )
        }
        Operation::Ready => format!("{:?}", store.ready().await),
    }
}

/// Does the same to the store in memory and to one that is opened anew for each group of operations, and compares all that they answer.
async fn compare<S: Store>(
    groups: Vec<Vec<Operation>>,
    open: impl AsyncFn() -> Arc<S>,
) -> Result<(), TestCaseError> {
    let memory = Arc::new(MemoryStore::new());
    for group in groups {
        let durable = Desk::new(open().await).await;
        let model = Desk::new(memory.clone()).await;
        prop_assert_eq!(durable.lease, model.lease);
        let (writes, others): (Vec<_>, Vec<_>) =
            group.into_iter().partition(|one| commit_of(one).is_some());
        let batch: Vec<_> = writes.iter().filter_map(commit_of).collect();
        let expected = model.store.commit(model.lease, batch.clone()).await;
        let made = durable.store.commit(durable.lease, batch).await;
        prop_assert_eq!(made, expected, "{:?}", writes);
        for operation in others {
            let expected = perform(&model, operation.clone()).await;
            let answer = perform(&durable, operation.clone()).await;
            prop_assert_eq!(answer, expected, "{:?}", operation);
        }
        for number in 0..8 {
            let read = durable.store.load(stream(number), Seq(0), LOAD_PAGE).await;
            let expected = model.store.load(stream(number), Seq(0), LOAD_PAGE).await;
            prop_assert_eq!(read, expected);
        }
        durable.store.close().await;
    }
    Ok(())
}

fn runtime() -> Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever is done, in whatever batches: both backends answer the same, also after SQLite was closed and opened.
    #[test]
    fn sqlite_agrees_with_memory(groups in vec(vec(operations(), 1..12), 1..8)) {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("grundy.db");
        let open = async || Arc::new(SqliteStore::open(&path).await.unwrap());
        runtime().block_on(compare(groups, open))?;
    }
}

proptest! {
    // A new database takes a tenth of a second.
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// The same for PostgreSQL.
    #[test]
    fn postgres_agrees_with_memory(groups in vec(vec(operations(), 1..12), 1..8)) {
        runtime().block_on(async {
            let database = Database::new().await;
            let open = async || Arc::new(database.store().await);
            compare(groups, open).await
        })?;
    }
}
