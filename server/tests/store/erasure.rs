//! Law 18: who is erased is erased for good, and the logs are sound before and afterwards.

use std::sync::Arc;

use bytes::Bytes;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{
    Commit, CommitError, Guard, MENTIONS_PAGE, MatchRow, NewErasure, Projection, Rewrite,
    StoreError, StreamId, Unique,
};
use grundy_shared::chain;
use grundy_shared::ids::{ClientCreateId, Millis, Seq};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;

use crate::desk::{
    Desk, account, bodies, conflict, create_id, id, kinds, new_match, new_player, on_every_backend,
    over, player, rename, row, token, with_row,
};

fn erase(bits: u128, name: &str) -> Projection {
    Projection::Erase(Box::new(NewErasure {
        player: player(bits).id,
        name: name.to_owned(),
        name_key: name.to_owned(),
        names: vec![player(bits).name],
    }))
}

fn erasing(bits: u128, name: &str) -> Commit {
    Commit::default().with(erase(bits, name))
}

fn rewrite(stream: impl Into<StreamId>, end: u64, bodies: &[(u64, &str)]) -> Rewrite {
    let bodies = bodies
        .iter()
        .map(|(seq, body)| (Seq(*seq), Bytes::from((*body).to_owned())));
    Rewrite {
        stream: stream.into(),
        end: Seq(end),
        bodies: bodies.collect(),
        row: None,
    }
}

fn renamed(mut row: MatchRow, bits: u128, name: &str) -> MatchRow {
    row.rename(player(bits).id, name);
    row
}

/// Two players with a finished match, which the first of them has named.
async fn past(desk: &Desk) {
    desk.commit(new_player(1, 1)).await.unwrap();
    desk.commit(new_player(2, 2)).await.unwrap();
    let named = with_row(1, over(1, 2)).with(create_id(1, "mine", 1));
    desk.commit(named).await.unwrap();
    desk.commit(Commit::default().with(account(1, 0, &[1, 7])))
        .await
        .unwrap();
}

#[test]
fn what_proves_who_a_player_is_goes_with_the_name_and_nothing_brings_it_back() {
    on_every_backend(|desk| async move {
        past(&desk).await;
        let (store, who) = (&desk.store, player(1).id);
        let taken = desk.commit(erasing(1, "player 2")).await;
        assert_eq!(taken, Err(CommitError::Taken(Unique::Name)));
        assert_eq!(
            desk.commit(erasing(9, "x")).await,
            Err(conflict(StreamId::Account(player(9).id), 0))
        );
        desk.commit(erasing(1, "x")).await.unwrap();
        assert_eq!(store.player(who).await.unwrap().unwrap().name, "x");
        assert_eq!(store.player_by_name("player 1").await.unwrap(), None);
        for byte in [1, 7] {
            assert_eq!(store.bearer(token(byte).hash).await.unwrap(), None);
        }
        let account_now = store.account(who).await.unwrap().unwrap();
        assert!(account_now.erased && account_now.password.is_none());
        assert!(account_now.tokens.is_empty() && account_now.codes.is_empty());
        let name: ClientCreateId = "mine".parse().unwrap();
        assert_eq!(store.find_create_id(who, &name).await.unwrap(), None);
        let unfinished = store.erasures().await.unwrap();
        assert_eq!(unfinished.len(), 1);
        assert_eq!(unfinished[0].names, ["player 1"]);
        // No change of the account, no name, no seat, no second erasure.
        let version = account_now.version;
        for commit in [
            Commit::default().with(account(1, version, &[3])),
            Commit::default().with(rename(1, "Ada")),
            with_row(5, row(1)),
            erasing(1, "y"),
        ] {
            let refused = desk.commit(commit).await;
            assert!(
                matches!(
                    refused,
                    Err(CommitError::Conflict {
                        stream: StreamId::Account(_),
                        ..
                    })
                ),
                "{refused:?}"
            );
        }
        // What was under way with the old name says the new one.
        let late = Commit::append(id(1), Seq(1), bodies([2])).with_row(id(1), over(1, 2));
        desk.commit(late).await.unwrap();
        let first = store.row(id(1)).await.unwrap().unwrap().first.unwrap();
        assert_eq!(first.name, "x");
        // Somebody else may have the name.
        desk.commit(Commit::default().with(rename(2, "player 1")))
            .await
            .unwrap();
    });
}

#[test]
fn a_player_in_an_open_match_is_not_erased() {
    on_every_backend(|desk| async move {
        desk.commit(new_player(1, 1)).await.unwrap();
        desk.commit(new_match(1)).await.unwrap();
        let guard = Guard::OpenMatches {
            of: Some(player(1).id),
            at_most: 0,
        };
        assert_eq!(
            desk.commit(erasing(1, "x")).await,
            Err(CommitError::Full(guard))
        );
        assert!(desk.store.bearer(token(1).hash).await.unwrap().is_some());
    });
}

#[test]
fn logs_are_rewritten_all_or_none_and_only_for_who_is_being_erased() {
    on_every_backend(|desk| async move {
        past(&desk).await;
        let who = player(1).id;
        let [.., room, _] = kinds();
        desk.append(room, 0, bodies(1..4)).await.unwrap();
        let store = &desk.store;
        let room_log = || rewrite(room, 3, &[(2, "{\"a\":1}")]);
        let match_log = |end| Rewrite {
            row: Some(Box::new(renamed(over(1, 2), 1, "x"))),
            ..rewrite(id(1), end, &[(1, "{\"b\":\"x\"}")])
        };
        let nobody = store.rewrite(desk.lease, who, vec![room_log()]).await;
        assert_eq!(nobody, Err(conflict(StreamId::Account(who), 0)));
        desk.commit(erasing(1, "x")).await.unwrap();
        let before = desk.texts(room).await;
        let refused = store
            .rewrite(desk.lease, who, vec![room_log(), match_log(2)])
            .await;
        assert_eq!(refused, Err(conflict(id(1), 1)));
        assert_eq!(desk.texts(room).await, before, "none");
        store
            .rewrite(desk.lease, who, vec![room_log(), match_log(1)])
            .await
            .unwrap();
        let texts = desk.texts(room).await;
        assert_eq!(texts[1].1, "{\"a\":1}");
        assert_eq!([&texts[0], &texts[2]], [&before[0], &before[2]]);
        assert_eq!(desk.texts(id(1)).await[0].1, "{\"b\":\"x\"}");
        assert_eq!(
            store.row(id(1)).await.unwrap().unwrap().first.unwrap().name,
            "x"
        );
        // The logs go on from their new ends.
        desk.append(room, 3, bodies([4])).await.unwrap();
        assert_eq!(desk.length(room).await, 4);
        // The digest is that of the ends before and afterwards, in their order.
        let end = |stream: StreamId, texts: &[(u64, Bytes)]| {
            texts
                .iter()
                .fold(stream.genesis(), |head, (_, body)| chain::link(&head, body))
        };
        let first = bodies([1]);
        let line = |stream: StreamId, before: chain::Hash, after: chain::Hash| {
            [stream.to_string().as_bytes(), &before, &after].concat()
        };
        let rooms = line(room, end(room, &before), end(room, &texts));
        let genesis = StreamId::from(id(1)).genesis();
        let games = line(
            id(1).into(),
            chain::link(&genesis, &first[0]),
            chain::link(&genesis, b"{\"b\":\"x\"}"),
        );
        let digest = chain::link(&chain::link(&[0; 32], &rooms), &games);
        let done = store.erasures().await.unwrap()[0].done;
        assert_eq!((done.streams, done.events, done.heads), (2, 2, digest));
        // Names are forgotten first, then the erasure is over.
        desk.commit(Commit::default().with(Projection::ForgetNames(who)))
            .await
            .unwrap();
        assert_eq!(store.erasures().await.unwrap()[0].names, [""; 0]);
        while !store.scrub(desk.lease).await.unwrap() {}
        desk.commit(Commit::default().with(Projection::Erased(who)))
            .await
            .unwrap();
        assert_eq!(store.erasures().await.unwrap(), []);
        let over = store.rewrite(desk.lease, who, vec![room_log()]).await;
        assert!(over.is_err(), "{over:?}");
        let stale = store.enlist(desk.lease.node, Millis(2)).await.unwrap();
        assert_eq!(store.scrub(desk.lease).await, Err(StoreError::Fenced));
        let fenced = store.rewrite(desk.lease, who, vec![room_log()]).await;
        assert_eq!(fenced, Err(CommitError::Fenced));
        assert!(store.scrub(stale).await.is_ok());
    });
}

#[test]
fn every_log_with_a_text_is_found_page_by_page() {
    on_every_backend(|desk| async move {
        let logs = MENTIONS_PAGE as u64 + 40;
        for bits in 1..=logs {
            let body = match bits % 50 {
                0 => "{\"who\":\"Ada\"}",
                _ => "{\"who\":\"Bo\"}",
            };
            let events = vec![Bytes::from_static(b"{}"), Bytes::from(body)];
            let row = if bits % 3 == 0 { row(1) } else { over(1, 2) };
            let commit = Commit::append(id(bits), Seq(0), events).with_row(id(bits), row);
            desk.commit(commit).await.unwrap();
        }
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let texts = vec!["\"Ada\"".to_owned(), "nobody".to_owned()];
            let page = desk.store.mentioning(texts, after).await.unwrap();
            found.extend(page.streams);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        found.sort_unstable();
        found.dedup();
        let mut expected: Vec<StreamId> = (1..=logs / 50).map(|n| id(n * 50).into()).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
    });
}

/// A database in a directory of its own, with the right to write to it.
async fn open(directory: &TempDir) -> Desk {
    let store = SqliteStore::open(&directory.path().join("grundy.db")).await;
    Desk::new(Arc::new(store.unwrap())).await
}

/// Whether the text is in this file. Never to be asked of a database that is open: the locks on it would be lost.
fn has(directory: &TempDir, name: &str, text: &str) -> bool {
    let bytes = std::fs::read(directory.path().join(name)).unwrap();
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

const SECRET: &str = "a secret";

/// Makes a log with a secret in long events.
async fn say_secrets(desk: &Desk) {
    desk.commit(new_player(1, 1)).await.unwrap();
    let [.., room, _] = kinds();
    for number in 0..20 {
        let body = format!("{{\"text\":\"{SECRET} {}\"}}", "x".repeat(20_000));
        desk.append(room, number, vec![body.into()]).await.unwrap();
    }
}

/// Rewrites that log without the secret.
async fn rewrite_secrets(desk: &Desk) {
    let [.., room, _] = kinds();
    desk.commit(erasing(1, "x")).await.unwrap();
    let bodies: Vec<_> = (1..=20).map(|seq| (seq, "{}")).collect();
    let rewritten = desk
        .store
        .rewrite(desk.lease, player(1).id, vec![rewrite(room, 20, &bodies)]);
    rewritten.await.unwrap();
}

#[tokio::test]
async fn freed_pages_are_overwritten() {
    let directory = TempDir::new().unwrap();
    let desk = open(&directory).await;
    say_secrets(&desk).await;
    // A clean stop settles the log, and frees the pages of the journal.
    desk.store.close().await;
    assert!(has(&directory, "grundy.db", SECRET));
    let desk = open(&directory).await;
    rewrite_secrets(&desk).await;
    let mut portions = 0;
    while !desk.store.scrub(desk.lease).await.unwrap() {
        portions += 1;
    }
    assert!((3..20).contains(&portions), "{portions}");
    desk.store.close().await;
    assert!(!has(&directory, "grundy.db", SECRET));
}

#[tokio::test]
async fn the_write_ahead_log_is_cut_once_nobody_reads_from_it() {
    let directory = TempDir::new().unwrap();
    let desk = open(&directory).await;
    say_secrets(&desk).await;
    rewrite_secrets(&desk).await;
    let path = directory.path().join("grundy.db");
    let options = SqliteConnectOptions::new().filename(&path);
    let mut reader = options.connect().await.unwrap();
    let read = sqlx::raw_sql("BEGIN; SELECT count(*) FROM player").execute(&mut reader);
    read.await.unwrap();
    let log = directory.path().join("grundy.db-wal");
    let mut bytes = Vec::new();
    for _ in 0..50 {
        let done = desk.store.scrub(desk.lease).await.unwrap();
        assert!(!done, "somebody reads from the log");
        bytes.push(std::fs::metadata(&log).unwrap().len());
    }
    assert_eq!(bytes[25], bytes[49], "the log does not grow meanwhile");
    assert!(has(&directory, "grundy.db-wal", SECRET));
    let read = sqlx::raw_sql("COMMIT").execute(&mut reader);
    read.await.unwrap();
    // Others commit while the log is cut.
    let mut beats = 2;
    while !desk.store.scrub(desk.lease).await.unwrap() {
        beats += 1;
        let beat = desk.store.heartbeat(desk.lease, Millis(beats));
        beat.await.unwrap();
    }
    assert!(!has(&directory, "grundy.db-wal", SECRET));
    let beat = desk.store.heartbeat(desk.lease, Millis(1_000));
    beat.await.unwrap();
    desk.store.ready().await.unwrap();
    desk.store.close().await;
    assert!(!has(&directory, "grundy.db", SECRET));
}
