//! How long something waits in PostgreSQL: for a way that is broken without a word, for a lock that somebody holds, for a database that is gone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use grundy_server::store::{
    Commit, CommitError, MatchRow, MatchStatus, Mistakes, Order, Page, Projection, ReviewRow,
    Spender, Spendings, StoreError,
};
use grundy_shared::ids::{Millis, Seq};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgConnection;
use tokio::task::JoinSet;

use crate::cluster::Database;
use crate::desk::{Desk, bodies, id, new_match, over, row, with_row};
use crate::postgres::behind;
use crate::proxy::{Next, Proxy};
use crate::words::say;

/// The first page.
fn newest() -> Page {
    Page {
        order: Order::Newest,
        from: None,
        limit: 10,
    }
}

/// The longest that they are waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// Connections for reading.
const READERS: usize = 6;

/// So many reads at once; what came of each.
fn read_at_once(desk: &Desk, count: usize) -> JoinSet<Result<Option<MatchRow>, StoreError>> {
    let mut reads = JoinSet::new();
    for _ in 0..count {
        let desk = desk.clone();
        reads.spawn(async move { desk.store.row(id(1)).await });
    }
    reads
}

/// Nobody reads or writes a table until it is free.
struct Lock(PgConnection);

impl Lock {
    async fn new(database: &Database, table: &str) -> Self {
        let mut holder = database.connect().await;
        let lock = format!("BEGIN; LOCK TABLE grundy.{table} IN ACCESS EXCLUSIVE MODE");
        let lock = sqlx::raw_sql(AssertSqlSafe(lock));
        lock.execute(&mut holder).await.unwrap();
        Self(holder)
    }

    async fn free(mut self) {
        let free = sqlx::raw_sql("COMMIT").execute(&mut self.0).await;
        free.unwrap();
    }
}

/// Waits until so many statements wait for a lock.
async fn until_they_wait(database: &Database, count: usize) {
    let mut observer = database.connect().await;
    let began = Instant::now();
    let mut waiting = 0;
    while waiting < count as i64 {
        assert!(began.elapsed() < PATIENCE, "{waiting} of {count} wait");
        waiting = sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        .fetch_one(&mut observer)
        .await
        .unwrap();
    }
}

/// Proves that so many reads as there are places wait for a lock at the same time, and are answered once it is free.
async fn check_all_places(desk: &Desk, database: &Database) {
    let lock = Lock::new(database, "match").await;
    let reads = read_at_once(desk, READERS);
    until_they_wait(database, READERS).await;
    lock.free().await;
    for read in reads.join_all().await {
        assert_eq!(read, Ok(Some(row(1))));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_on_a_way_that_was_forgotten_end_and_take_no_place() {
    let database = Database::new().await;
    let proxy = Proxy::new(database.cluster.directory());
    let desk = behind(&proxy, &database).await;
    desk.commit(new_match(1)).await.unwrap();
    // All connections are in use, and nobody answers on them any more.
    let lock = Lock::new(&database, "match").await;
    let reads = read_at_once(&desk, READERS);
    until_they_wait(&database, READERS).await;
    proxy.forget_connections();
    for read in reads.join_all().await {
        assert!(matches!(read, Err(StoreError::Busy { .. })), "{read:?}");
    }
    lock.free().await;
    for read in read_at_once(&desk, 2 * READERS).join_all().await {
        assert_eq!(read, Ok(Some(row(1))));
    }
    assert_eq!(desk.store.ready().await, Ok(()));
    check_all_places(&desk, &database).await;
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_that_were_forgotten_cost_reads_a_moment_and_no_place() {
    let database = Database::new().await;
    let proxy = Proxy::new(database.cluster.directory());
    let desk = behind(&proxy, &database).await;
    desk.commit(new_match(1)).await.unwrap();
    check_all_places(&desk, &database).await;
    proxy.forget_connections();
    let began = Instant::now();
    for read in read_at_once(&desk, 2 * READERS).join_all().await {
        assert_eq!(read, Ok(Some(row(1))));
    }
    // A second for each of six that were asked one after the other would be longer.
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
    check_all_places(&desk, &database).await;
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_way_that_is_forgotten_at_any_moment_of_a_read_takes_no_place() {
    let database = Database::new().await;
    let proxy = Proxy::new(database.cluster.directory());
    let desk = behind(&proxy, &database).await;
    desk.commit(new_match(1)).await.unwrap();
    for messages in 0..6 {
        assert_eq!(desk.store.row(id(1)).await, Ok(Some(row(1))));
        proxy.forget_connections_after(messages);
        // Whichever message is lost, one of these says it or comes after it.
        for _ in 0..4 {
            let read = desk.store.row(id(1)).await;
            assert!(
                matches!(&read, Ok(Some(_)) | Err(StoreError::Busy { .. })),
                "{messages}: {read:?}"
            );
        }
    }
    check_all_places(&desk, &database).await;
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_that_nobody_waits_for_any_more_keep_their_place_until_they_end() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    desk.commit(new_match(1)).await.unwrap();
    let lock = Lock::new(&database, "match").await;
    // So nobody who comes and goes makes more and more sessions.
    for _ in 0..3 {
        let mut reads = read_at_once(&desk, READERS);
        until_they_wait(&database, READERS).await;
        reads.shutdown().await;
    }
    let mut observer = database.connect().await;
    let waiting: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    .fetch_one(&mut observer)
    .await
    .unwrap();
    assert!(waiting <= READERS as i64, "{waiting} sessions");
    lock.free().await;
    assert!(desk.store.time().await.is_ok());
    check_all_places(&desk, &database).await;
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_of_uses_that_is_refused_has_added_nothing() {
    const DAY: i64 = 24 * 3_600 * 1_000_000;
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    let node = desk.lease.node;
    let of = Spender { kind: 1, who: 7 };
    let report = Spendings {
        spent: vec![(of, DAY)],
        held: vec![(7, 1)],
        within: None,
    };
    for table in ["held", "spent"] {
        let lock = Lock::new(&database, table).await;
        let refused = desk.store.settle(node, report.clone()).await;
        assert!(
            matches!(refused, Err(StoreError::Busy { .. })),
            "{table}: {refused:?}"
        );
        lock.free().await;
        let levels = desk.store.settle(node, Spendings::default()).await.unwrap();
        assert_eq!(levels.spent, [], "{table}");
    }
    let levels = desk.store.settle(node, report).await.unwrap().spent;
    let [(whose, left)] = levels[..] else {
        panic!("{levels:?}");
    };
    assert_eq!(whose, of);
    assert!((DAY / 2..=DAY).contains(&left), "{left}");
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_heartbeat_waits_for_nothing_that_somebody_else_holds() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    desk.commit(new_match(1)).await.unwrap();
    let mut other = database.connect().await;
    let hold = "BEGIN; SELECT one FROM grundy.tally FOR UPDATE; SELECT number FROM grundy.stream FOR UPDATE";
    sqlx::raw_sql(hold).execute(&mut other).await.unwrap();
    // One write in each lane waits.
    let mut writes = JoinSet::new();
    let writer = desk.clone();
    writes.spawn(async move { writer.append(id(1), 1, bodies([2])).await });
    let writer = desk.clone();
    writes.spawn(async move { writer.commit(new_match(2)).await });
    until_they_wait(&database, 2).await;
    let sign = async || desk.store.nodes().await.unwrap()[0].sign;
    let before = sign().await;
    for beat in 1..=5 {
        let beaten = desk.store.heartbeat(desk.lease, Millis(beat)).await;
        assert_eq!(beaten, Ok(()));
    }
    assert_eq!(sign().await, before + 5);
    assert!(writes.try_join_next().is_none(), "they still wait");
    sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
    while let Some(written) = writes.join_next().await {
        assert_eq!(written.unwrap(), Ok(()));
    }
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_heartbeat_whose_commit_is_not_answered_is_given_again_at_once() {
    let database = Database::new().await;
    let proxy = Proxy::new(database.cluster.directory());
    let desk = behind(&proxy, &database).await;
    proxy.set_next(Next::Swallow);
    // One that waits for as long as a move may wait is given up, since others have taken the matches over by then.
    let beaten = desk.store.heartbeat(desk.lease, Millis(2)).await;
    assert_eq!(beaten, Ok(()));
    assert!(proxy.has_happened());
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_cannot_commit_gives_no_signs_of_life() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    desk.commit(new_match(1)).await.unwrap();
    let beat = async || desk.store.heartbeat(desk.lease, Millis(1)).await;
    assert_eq!(beat().await, Ok(()));
    // The connections for commits are ended, and no new one is let in. That for signs of life is the third.
    let statement = format!("ALTER DATABASE {} CONNECTION LIMIT 0", database.name);
    database.cluster.run("postgres", &statement).await;
    let mut observer = database.connect().await;
    sqlx::raw_sql(
        "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'grundy-server' \
         ORDER BY backend_start LIMIT 2) AS of_commits",
    )
    .execute(&mut observer)
    .await
    .unwrap();
    let ended = desk.append(id(1), 1, bodies([2])).await;
    assert!(ended.is_err(), "{ended:?}");
    assert_eq!(beat().await, Ok(()), "for a moment it is no reason");
    let began = Instant::now();
    while beat().await.is_ok() {
        assert!(began.elapsed() < PATIENCE, "it would keep its matches");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let statement = format!("ALTER DATABASE {} CONNECTION LIMIT -1", database.name);
    database.cluster.run("postgres", &statement).await;
    // It connects again, also if it has nothing to write.
    while beat().await.is_err() {
        assert!(began.elapsed() < PATIENCE, "it never connects again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    desk.append(id(1), 1, bodies([2])).await.unwrap();
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_reads_are_not_answered_is_not_ready() {
    let database = Database::new().await;
    let proxy = Proxy::new(database.cluster.directory());
    let desk = behind(&proxy, &database).await;
    desk.commit(new_match(1)).await.unwrap();
    // Those that write are there, and no new one is let in.
    let statement = format!("ALTER DATABASE {} CONNECTION LIMIT 0", database.name);
    database.cluster.run("postgres", &statement).await;
    assert!(desk.store.row(id(1)).await.is_err());
    assert!(desk.store.ready().await.is_err());
    // A read goes on trying to connect.
    let before = proxy.said();
    let reads = read_at_once(&desk, 1);
    let began = Instant::now();
    while proxy.said() < before + 10 {
        assert!(began.elapsed() < PATIENCE, "it has given up");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let statement = format!("ALTER DATABASE {} CONNECTION LIMIT -1", database.name);
    database.cluster.run("postgres", &statement).await;
    assert_eq!(reads.join_all().await, [Ok(Some(row(1)))]);
    assert_eq!(desk.store.ready().await, Ok(()));
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_words_mistakes_and_reviews_take_few_round_trips() {
    const COUNT: u64 = 256;
    let database = Database::new().await;
    let proxy = Proxy::new(database.cluster.directory());
    let desk = behind(&proxy, &database).await;
    let words =
        (0..COUNT).map(|number| say(&format!("\"{number}\""), Some(&format!("s{number}")), 0));
    let before = proxy.said();
    let outcomes = desk.store.commit(desk.lease, words.collect()).await;
    assert_eq!(outcomes, vec![Ok(()); COUNT as usize]);
    let said = proxy.said() - before;
    assert!(said < 64, "{said} round trips for {COUNT} words");
    let heard = desk.store.words(Seq(0)).await.unwrap();
    for (number, word) in (0..COUNT).zip(&heard) {
        assert_eq!(
            (word.seq, word.text()),
            (Seq(number + 1), &*format!("\"{number}\""))
        );
    }

    let ends = |bits| Commit::append(id(bits), Seq(0), bodies([1])).with_row(id(bits), over(1, 2));
    let outcomes = desk
        .store
        .commit(desk.lease, (1..=COUNT).map(ends).collect())
        .await;
    assert_eq!(outcomes, vec![Ok(()); COUNT as usize]);
    let review = ReviewRow {
        version: 1,
        text: "{}".to_owned(),
    };
    let mut commit = Commit::default();
    for bits in 1..=COUNT {
        let match_id = id(bits);
        commit = commit.with(Projection::Mistakes {
            match_id,
            mistakes: Mistakes::Known([1, 2]),
        });
        let (review, most_bytes) = (review.clone(), 2 * 100);
        commit = commit.with(Projection::Review {
            match_id,
            review,
            most_bytes,
        });
    }
    let before = proxy.said();
    desk.commit(commit).await.unwrap();
    let said = proxy.said() - before;
    assert!(
        said < 32,
        "{said} round trips for the mistakes and reviews of {COUNT} matches"
    );
    let uncounted = desk.store.uncounted(newest()).await.unwrap();
    assert!(uncounted.is_empty(), "{uncounted:?}");
    // The oldest were dropped.
    for bits in 1..=COUNT {
        let kept = desk.store.review(id(bits)).await.unwrap();
        assert_eq!(kept.is_some(), bits > COUNT - 100, "{bits}");
    }
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_of_a_match_that_goes_on_are_forgotten_also_within_a_batch() {
    let database = Database::new().await;
    let desk = Desk::new(Arc::new(database.store().await)).await;
    let live = MatchRow {
        status: MatchStatus::Live,
        ..over(1, 2)
    };
    let of = |bits| Projection::Mistakes {
        match_id: id(bits),
        mistakes: Mistakes::Known([1, 2]),
    };
    desk.commit(with_row(1, over(1, 2))).await.unwrap();
    let batch = vec![
        Commit::default().with(of(1)),
        Commit::append(id(1), Seq(1), bodies([2])).with_row(id(1), live),
        Commit::default().with(of(1)),
        Commit::append(id(1), Seq(2), bodies([3])).with_row(id(1), over(1, 2)),
    ];
    let outcomes = desk.store.commit(desk.lease, batch).await;
    assert_eq!(outcomes, vec![Ok(()); 4]);
    let uncounted = desk.store.uncounted(newest()).await.unwrap();
    assert_eq!(uncounted.len(), 1);
    desk.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_goes_away_is_waited_for_once() {
    let database = Database::new().await;
    let proxy = Proxy::new(database.cluster.directory());
    let desk = behind(&proxy, &database).await;
    let refused = MatchRow {
        start: "nim:\0".to_owned(),
        ..row(1)
    };
    let mut batch = vec![with_row(1, refused)];
    batch.extend((2..12).map(new_match));
    // The value is refused, and then there is no database to make the others.
    proxy.set_next(Next::GoAtRollback);
    let began = Instant::now();
    let outcomes = desk.store.commit(desk.lease, batch).await;
    assert!(proxy.has_happened());
    for outcome in &outcomes {
        assert!(
            matches!(outcome, Err(CommitError::Store(StoreError::Busy { .. }))),
            "{outcome:?}"
        );
    }
    // It is waited for five seconds, and not as often as there are commits.
    assert!(
        began.elapsed() < Duration::from_secs(25),
        "{:?}",
        began.elapsed()
    );
}
