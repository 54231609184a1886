//! What PostgreSQL adds to the laws: several stores on one database, and connections that break.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use grundy_server::store::committer::{Committer, Completion};
use grundy_server::store::postgres::{Address, PostgresStore};
use grundy_server::store::{
    Commit, CommitError, Guard, ListFilter, MatchRow, MatchStatus, NodeId, Order, Page, Projection,
    Store, StoreError, StreamId, Unique,
};
use grundy_shared::ids::{MatchId, Millis, Seq};
use tokio::task::JoinSet;
use tokio_util::task::TaskTracker;

use crate::cluster::Database;
use crate::desk::{
    Desk, bodies, code, conflict, create_id, id, new_match, new_player, over, player, rename, row,
    token, with_row,
};
use crate::proxy::{Next, Proxy};

/// So many servers on one database.
pub(crate) async fn servers(database: &Database, count: u32) -> Vec<Desk> {
    let mut desks = Vec::new();
    for number in 1..=count {
        let store: Arc<dyn Store> = Arc::new(database.store().await);
        let lease = store.enlist(NodeId(number), Millis(1)).await.unwrap();
        desks.push(Desk { store, lease });
    }
    desks
}

pub(crate) async fn close(desks: Vec<Desk>) {
    for desk in desks {
        desk.store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_appends_of_several_servers_exactly_one_wins() {
    let database = Database::new().await;
    let desks = servers(&database, 3).await;
    desks[0].commit(new_match(1)).await.unwrap();
    for round in 1..=20 {
        let mut rivals = JoinSet::new();
        for (number, desk) in desks.iter().cloned().enumerate() {
            rivals.spawn(async move {
                let body = format!("{{\"round\":{round},\"server\":{number}}}");
                let answer = desk.append(id(1), round, vec![body.clone().into()]).await;
                (answer, body)
            });
        }
        let mut winners = Vec::new();
        for (answer, body) in rivals.join_all().await {
            match answer {
                Ok(()) => winners.push(body),
                Err(error) => assert_eq!(error, conflict(id(1), round + 1)),
            }
        }
        assert_eq!(winners.len(), 1);
        // Every server sees the winner's event after its answer.
        for desk in &desks {
            let read = desk.store.load(id(1).into(), Seq(round), 9).await;
            let read = read.unwrap().unwrap();
            assert_eq!(read.len(), 1);
            assert_eq!(read[0].text(), winners[0]);
        }
    }
    close(desks).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_new_streams_codes_names_and_players_of_several_servers_one_wins() {
    let database = Database::new().await;
    let desks = servers(&database, 3).await;
    for round in 0..10_u64 {
        let mut rivals = JoinSet::new();
        for (server, desk) in (0_u64..).zip(desks.clone()) {
            rivals.spawn(async move {
                let own = 1_000 + round * 10 + server;
                let who = u128::from(own);
                desk.commit(new_player(who, server as u8 + 100 + 10 * round as u8 % 100))
                    .await
                    .ok();
                let named = format!("name {round}");
                [
                    desk.commit(new_match(round)).await,
                    desk.commit(new_match(own).with(code(round, own, 0, 9)))
                        .await,
                    desk.commit(new_match(own + 500).with(create_id(
                        1,
                        &format!("n{round}"),
                        own + 500,
                    )))
                    .await,
                    desk.commit(Commit::default().with(rename(who, &named)))
                        .await,
                ]
            });
        }
        let answers = rivals.join_all().await;
        let refusals = [
            conflict(id(round), 1),
            CommitError::Taken(Unique::JoinCode),
            CommitError::Taken(Unique::CreateId),
            CommitError::Taken(Unique::Name),
        ];
        for (kind, refusal) in refusals.into_iter().enumerate() {
            let of_kind: Vec<_> = answers.iter().map(|answers| &answers[kind]).collect();
            let wins = of_kind.iter().filter(|answer| answer.is_ok()).count();
            assert_eq!(wins, 1, "{of_kind:?}");
            assert!(
                of_kind
                    .iter()
                    .all(|answer| answer.is_ok() || **answer == Err(refusal.clone())),
                "{of_kind:?}"
            );
        }
    }
    close(desks).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guard_holds_over_all_servers() {
    let database = Database::new().await;
    let desks = servers(&database, 3).await;
    let guard = Guard::OpenMatches {
        of: Some(player(1).id),
        at_most: 5,
    };
    let mut rivals = JoinSet::new();
    for bits in 0..30_u64 {
        let desk = desks[bits as usize % 3].clone();
        rivals.spawn(async move { desk.commit(new_match(bits).guarded(guard)).await });
    }
    let answers = rivals.join_all().await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 5);
    assert_eq!(desks[0].store.open_count(None).await, Ok(5));
    assert_eq!(desks[1].store.open_count(Some(player(1).id)).await, Ok(5));
    close(desks).await;
}

/// Everything behind the last place, by all orders in which a reader can go on.
async fn read_on(desk: &Desk, order: Order, from: &mut Page, seen: &mut Vec<MatchId>) {
    loop {
        let page = Page {
            order,
            ..from.clone()
        };
        let listing = desk.store.list(ListFilter::default(), page).await.unwrap();
        let Some(last) = listing.found.last() else {
            return;
        };
        from.from = Some(last.cursor.clone());
        seen.extend(listing.found.iter().map(|listed| listed.id));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_16_a_reader_misses_nothing_that_several_servers_commit_at_once() {
    const EACH: u64 = 40;
    let database = Database::new().await;
    let desks = servers(&database, 3).await;
    let mut writers = JoinSet::new();
    for (server, desk) in (0_u64..).zip(desks.clone()) {
        for number in 0..EACH {
            let desk = desk.clone();
            writers.spawn(async move {
                let bits = server * EACH + number;
                desk.commit(new_match(bits)).await.unwrap();
                let ends =
                    Commit::append(id(bits), Seq(1), bodies([2])).with_row(id(bits), over(1, 2));
                desk.commit(ends).await.unwrap();
            });
        }
    }
    let all: BTreeSet<_> = (0..3 * EACH).map(id).collect();
    let mut readings = Vec::new();
    for order in [Order::Oldest, Order::Ended] {
        let (desk, wanted) = (desks[0].clone(), all.len());
        readings.push(TaskTracker::new().spawn(async move {
            let (mut seen, mut from) = (
                Vec::new(),
                Page {
                    order,
                    from: None,
                    limit: 7,
                },
            );
            while seen.len() < wanted {
                read_on(&desk, order, &mut from, &mut seen).await;
                tokio::task::yield_now().await;
            }
            seen
        }));
    }
    writers.join_all().await;
    for reading in readings {
        let seen = reading.await.unwrap();
        assert_eq!(seen.iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(seen.len(), all.len(), "each once");
    }
    close(desks).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_place_was_taken_writes_no_more() {
    let database = Database::new().await;
    let desks = servers(&database, 2).await;
    desks[0].commit(new_match(1)).await.unwrap();
    // A sign of life is seen, also if it is of the same moment.
    let before = desks[1].store.nodes().await.unwrap()[0];
    for _ in 0..2 {
        let beaten = desks[0].store.heartbeat(desks[0].lease, Millis(9)).await;
        assert_eq!(beaten, Ok(()));
    }
    let seen = desks[1].store.nodes().await.unwrap()[0];
    assert_eq!(seen.sign, before.sign + 2);
    assert_eq!(desks[1].store.take_over(desks[1].lease, seen).await, Ok(1));
    let late = desks[0].append(id(1), 1, bodies([2])).await;
    assert_eq!(late, Err(CommitError::Fenced));
    let beat = desks[0].store.heartbeat(desks[0].lease, Millis(5)).await;
    assert_eq!(beat, Err(StoreError::Fenced));
    desks[1].append(id(1), 1, bodies([2])).await.unwrap();
    // A store that is asked with both leases takes neither for the other.
    for seq in 2..5 {
        let append = || vec![Commit::append(id(1), Seq(seq), bodies([9]))];
        let stale = desks[1].store.commit(desks[0].lease, append()).await;
        assert_eq!(stale, [Err(CommitError::Fenced)]);
        let good = desks[1].store.commit(desks[1].lease, append()).await;
        assert_eq!(good, [Ok(())]);
    }
    // Two that take each other over: at most one succeeds.
    let desks_again = servers(&database, 2).await;
    let nodes = desks_again[0].store.nodes().await.unwrap();
    let (first, second) = tokio::join!(
        desks_again[0]
            .store
            .take_over(desks_again[0].lease, nodes[1]),
        desks_again[1]
            .store
            .take_over(desks_again[1].lease, nodes[0]),
    );
    let won = [&first, &second].into_iter().filter(|one| one.is_ok());
    assert_eq!(won.count(), 1, "{first:?} {second:?}");
    close(desks).await;
    close(desks_again).await;
}

/// A store whose way to the server goes through a proxy.
pub(crate) async fn behind(proxy: &Proxy, database: &Database) -> Desk {
    let url = format!(
        "postgres://grundy_server@localhost/{}?host={}",
        database.name,
        proxy.directory()
    );
    let store = PostgresStore::open(Address::read(&url).unwrap())
        .await
        .unwrap();
    Desk::new(Arc::new(store)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_whose_answer_is_lost_is_found_out_about() {
    let database = Database::new().await;
    let proxy = Proxy::new(database.cluster.directory());
    let desk = behind(&proxy, &database).await;
    desk.commit(new_match(1)).await.unwrap();
    let mut end = 1;
    for fate in [Next::LoseAnswer, Next::LoseCommit, Next::LoseAnswer] {
        proxy.set_next(fate);
        let batch = vec![
            Commit::append(id(1), Seq(end), bodies([end])),
            Commit::append(id(1), Seq(end), bodies([77])),
            Commit::append(id(1), Seq(end + 1), bodies([end + 1])),
        ];
        let answers = desk.store.commit(desk.lease, batch).await;
        assert!(proxy.has_happened());
        // Neither a conflict with itself nor an event too many.
        assert_eq!(
            answers,
            [Ok(()), Err(conflict(id(1), end + 1)), Ok(())],
            "{fate:?}"
        );
        end += 2;
        assert_eq!(desk.length(id(1)).await as u64, end);
    }
    // The same of what is no commit.
    proxy.set_next(Next::LoseAnswer);
    desk.store.heartbeat(desk.lease, Millis(50)).await.unwrap();
    proxy.set_next(Next::LoseCommit);
    desk.store.heartbeat(desk.lease, Millis(60)).await.unwrap();
    assert_eq!(
        desk.store.nodes().await.unwrap()[0].heartbeat,
        Some(Millis(60))
    );
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_ended_lose_and_double_nothing() {
    const EVENTS: u64 = 150;
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    let mut writers = JoinSet::new();
    for bits in 0..4 {
        desk.commit(new_match(bits)).await.unwrap();
        let desk = desk.clone();
        writers.spawn(async move {
            for event in 1..=EVENTS {
                let body = vec![Bytes::from(format!("{{\"event\":{event}}}"))];
                desk.append(id(bits), event, body).await.unwrap();
            }
        });
    }
    let mut killer = database.connect().await;
    let mut killed = 0;
    while !writers.is_empty() {
        let ended: i64 = sqlx::query_scalar(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .fetch_one(&mut killer)
        .await
        .unwrap();
        killed += ended;
        // So much happens between two.
        let before = desk.store.gauges().events;
        while desk.store.gauges().events < before + 20 && !writers.is_empty() {
            while let Some(done) = writers.try_join_next() {
                done.unwrap();
            }
            tokio::task::yield_now().await;
        }
    }
    assert!(killed > 5, "{killed}");
    for bits in 0..4 {
        let texts = desk.texts(id(bits)).await;
        assert_eq!(texts.len() as u64, EVENTS + 1);
        for (seq, body) in &texts[1..] {
            assert_eq!(*body, format!("{{\"event\":{}}}", seq - 1));
        }
    }
    assert_eq!(desk.store.ready().await, Ok(()));
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_lacks_acknowledged_commits_is_not_written_to() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    desk.commit(new_match(1)).await.unwrap();
    desk.append(id(1), 1, bodies([2])).await.unwrap();
    // As a standby that was promoted without the last commit.
    let mut owner = database.connect().await;
    sqlx::raw_sql("UPDATE grundy.life SET mark = mark - 1")
        .execute(&mut owner)
        .await
        .unwrap();
    let refused = desk.append(id(1), 2, bodies([3])).await;
    assert!(
        matches!(refused, Err(CommitError::Store(StoreError::Lost { .. }))),
        "{refused:?}"
    );
    assert!(matches!(desk.store.failed().await, StoreError::Lost { .. }));
    let stored = sqlx::query_scalar("SELECT count(*) FROM grundy.event");
    let stored: i64 = stored.fetch_one(&mut owner).await.unwrap();
    assert_eq!(stored, 2, "nothing of it is done");
    let closed = desk.append(id(1), 2, bodies([3])).await;
    assert_eq!(closed, Err(CommitError::Store(StoreError::Closed)));
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lane_takes_nothing_where_the_other_lane_lacks_commits() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    desk.commit(new_match(1)).await.unwrap();
    desk.append(id(1), 1, bodies([2])).await.unwrap();
    assert_eq!(desk.length(id(1)).await, 2);
    // As a standby that was promoted without the last move. Nobody has moved since.
    let mut owner = database.connect().await;
    sqlx::raw_sql(
        "UPDATE grundy.life SET mark = mark - 1 WHERE lane = 0 AND mark > 0; \
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    .execute(&mut owner)
    .await
    .unwrap();
    let read = desk.store.load(id(1).into(), Seq(0), 10).await;
    assert!(matches!(read, Err(StoreError::Busy { .. })), "{read:?}");
    let refused = desk.commit(new_match(2)).await;
    assert!(
        matches!(refused, Err(CommitError::Store(StoreError::Lost { .. }))),
        "{refused:?}"
    );
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_frozen_in_a_transaction_holds_others_up_for_two_seconds_only() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    desk.commit(new_match(1)).await.unwrap();
    let mut frozen = database.connect().await;
    sqlx::raw_sql("SET idle_in_transaction_session_timeout = 2000; BEGIN; SELECT * FROM grundy.tally FOR UPDATE")
        .execute(&mut frozen)
        .await
        .unwrap();
    // A move does not wait for it, and a new match waits until the server of PostgreSQL has ended that session.
    desk.append(id(1), 1, bodies([2])).await.unwrap();
    desk.commit(new_match(2)).await.unwrap();
    assert!(sqlx::raw_sql("COMMIT").execute(&mut frozen).await.is_err());
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_are_acknowledged_while_another_server_holds_the_tally() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    let (committer, commits) = Committer::new(Arc::clone(&desk.store), desk.lease);
    let commits = TaskTracker::new().spawn(commits.run());
    committer.commit(new_match(1)).await.unwrap();
    let mut other = database.connect().await;
    sqlx::raw_sql("BEGIN; SELECT * FROM grundy.tally FOR UPDATE")
        .execute(&mut other)
        .await
        .unwrap();
    let (sender, mut answers) = tokio::sync::mpsc::channel(9);
    let submit = |number: u64, commit: Commit| {
        let sender = sender.clone();
        let told = move |outcome: Result<(), CommitError>| {
            sender.try_send((number, outcome)).unwrap();
        };
        committer
            .submit(commit, Completion::Once(Box::new(told)))
            .unwrap();
    };
    // One batch, if there were one queue.
    submit(9, new_match(2));
    submit(1, Commit::append(id(1), Seq(1), bodies([2])));
    assert_eq!(answers.recv().await, Some((1, Ok(()))));
    // And those after it.
    for seq in 2..5 {
        submit(seq, Commit::append(id(1), Seq(seq), bodies([9])));
        assert_eq!(answers.recv().await, Some((seq, Ok(()))));
    }
    assert_eq!(committer.waiting(), 1, "the new match waits");
    sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
    assert_eq!(answers.recv().await, Some((9, Ok(()))));
    committer.close().await;
    commits.await.unwrap();
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_that_the_database_refuses_harms_no_other_commit_of_the_batch() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    let with_start = |bits, start: &str| {
        with_row(
            bits,
            MatchRow {
                start: start.to_owned(),
                ..row(1)
            },
        )
    };
    let batch = vec![new_match(1), with_start(2, "nim:\0"), new_match(3)];
    let answers = desk.store.commit(desk.lease, batch).await;
    assert_eq!((&answers[0], &answers[2]), (&Ok(()), &Ok(())));
    assert!(
        matches!(
            &answers[1],
            Err(CommitError::Store(StoreError::Corrupt { .. }))
        ),
        "{answers:?}"
    );
    assert_eq!(desk.length(id(2)).await, 0);
    assert_eq!(desk.store.ready().await, Ok(()));
    // One that fills a transaction by itself.
    let mut large = with_start(4, "nim:\0");
    for bits in 0..40 {
        large = large.with(Projection::Kept(player(bits).id));
    }
    let batch = vec![large, new_match(5), new_match(6)];
    let answers = desk.store.commit(desk.lease, batch).await;
    assert_eq!((&answers[1], &answers[2]), (&Ok(()), &Ok(())));
    assert!(
        matches!(
            &answers[0],
            Err(CommitError::Store(StoreError::Corrupt { .. }))
        ),
        "{answers:?}"
    );
    assert_eq!(desk.store.ready().await, Ok(()));
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_is_not_as_it_was_written_is_not_shown() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    let live = MatchRow {
        status: MatchStatus::Live,
        ..over(1, 2)
    };
    for (bits, row) in (1..).zip([over(1, 2), over(1, 2), live.clone(), live, over(1, 2)]) {
        let commit = Commit::append(id(bits), Seq(0), bodies(1..=5)).with_row(id(bits), row);
        desk.commit(commit).await.unwrap();
    }
    let mut owner = database.connect().await;
    for statement in [
        "DELETE FROM grundy.event WHERE stream = 1 AND seq = 5",
        "UPDATE grundy.event SET body = '{}' WHERE stream = 2 AND seq = 3",
        "UPDATE grundy.event SET body = '{}' WHERE stream = 3 AND seq = 3",
        "DELETE FROM grundy.event WHERE stream = 4 AND seq = 2",
    ] {
        sqlx::raw_sql(statement).execute(&mut owner).await.unwrap();
    }
    for (bits, after) in [(1, 0), (2, 4), (4, 1)] {
        let read = desk.store.load(id(bits).into(), Seq(after), 1).await;
        assert!(
            matches!(read, Err(StoreError::Corrupt { .. })),
            "{bits}: {read:?}"
        );
    }
    let live = desk.store.live(NodeId::ONLY, None).await.unwrap();
    assert_eq!(live.len(), 2);
    let are_damaged = live
        .iter()
        .all(|live| matches!(live.log, Err(StoreError::Corrupt { .. })));
    assert!(are_damaged, "{live:?}");
    assert_eq!(desk.length(id(5)).await, 5);
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_who_was_removed_gets_no_seat() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    desk.commit(new_player(1, 1)).await.unwrap();
    let unneeded = grundy_server::store::Unneeded {
        matches_before: Millis(1_000),
        guests_before: Millis(1_000),
    };
    let wanted = desk.store.removable(unneeded).await.unwrap();
    assert_eq!(wanted.guests, [player(1).id]);
    let removed = desk
        .store
        .remove(desk.lease, wanted.clone(), unneeded)
        .await;
    assert_eq!(removed, Ok(wanted));
    assert_eq!(desk.store.bearer(token(1).hash).await, Ok(None));
    let late = desk.commit(new_match(1)).await;
    assert_eq!(late, Err(conflict(StreamId::Account(player(1).id), 0)));
    // The name is free again.
    desk.commit(new_player(1, 2)).await.unwrap();
    let kept = Projection::Kept(player(1).id);
    desk.commit(Commit::default().with(kept)).await.unwrap();
    assert!(desk.store.removable(unneeded).await.unwrap().is_empty());
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unfinished_matches_of_several_servers_are_listed_in_one_order() {
    let database = Database::new().await;
    let desks = servers(&database, 3).await;
    let live = MatchRow {
        status: MatchStatus::Live,
        ..over(1, 2)
    };
    // Every fifth waits, every fifth is live, and the owners take turns; the second one has nothing that waits.
    for bits in 1..=60_u64 {
        let row = match bits % 5 {
            0 => row(1),
            1 => live.clone(),
            _ => over(1, 2),
        };
        let owner = match bits % 5 {
            0 => [0, 2][bits as usize / 5 % 2],
            _ => bits as usize % 3,
        };
        desks[owner].commit(with_row(bits, row)).await.unwrap();
    }
    let listed = async |status, order| {
        let (mut found, mut from) = (Vec::new(), None);
        loop {
            let filter = ListFilter {
                status: Some(status),
                ..ListFilter::default()
            };
            let limit = 5;
            let page = Page { order, from, limit };
            let listing = desks[1].store.list(filter, page).await.unwrap();
            found.extend(listing.found.iter().map(|listed| listed.id));
            from = listing.next;
            if from.is_none() {
                return found;
            }
        }
    };
    for (status, rest) in [(MatchStatus::Waiting, 0), (MatchStatus::Live, 1)] {
        let mut expected: Vec<MatchId> = (1..=60).filter(|bits| bits % 5 == rest).map(id).collect();
        assert_eq!(listed(status, Order::Oldest).await, expected);
        expected.reverse();
        assert_eq!(listed(status, Order::Newest).await, expected);
        assert_eq!(listed(status, Order::Ended).await, []);
    }
    close(desks).await;
}
