//! The laws of streams: events are dense, and a commit happens as a whole or not at all.

use grundy_server::store::{Commit, CommitError, GROWN_MAX, Guard, LOAD_PAGE};
use grundy_shared::ids::Seq;
use tokio::task::JoinSet;

use crate::desk::{
    bodies, code, conflict, create_id, id, kinds, new_match, on_every_backend, over, row,
};

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
        let [game, tournament, account, ..] = kinds();
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
fn law_23_those_that_have_grown_are_named_and_no_others() {
    on_every_backend(|desk| async move {
        let kinds = kinds();
        for stream in &kinds {
            desk.append(*stream, 0, bodies(1..=3)).await.unwrap();
        }
        let ask = async |known: Vec<_>| {
            let mut grown = desk.store.grown(&known).await.unwrap();
            grown.sort();
            grown
        };
        let mut all: Vec<_> = kinds.iter().map(|stream| (*stream, Seq(3))).collect();
        all.sort();
        let known = |seq| kinds.iter().map(|stream| (*stream, Seq(seq))).collect();
        assert_eq!(ask(known(0)).await, all);
        assert_eq!(ask(known(2)).await, all);
        assert_eq!(ask(known(3)).await, []);
        assert_eq!(ask(known(4)).await, []);
        assert_eq!(ask(vec![(id(99).into(), Seq(0))]).await, []);
        assert_eq!(ask(Vec::new()).await, []);
        desk.append(kinds[0], 3, bodies(4..=4)).await.unwrap();
        assert_eq!(ask(known(3)).await, [(kinds[0], Seq(4))]);
        // No more are looked at than is said.
        let mut many = vec![(id(99).into(), Seq(0)); GROWN_MAX];
        many.push((kinds[0], Seq(3)));
        assert_eq!(ask(many).await, []);
    });
}

#[test]
fn law_23_a_log_longer_than_a_page_is_seen_to_its_end() {
    on_every_backend(|desk| async move {
        desk.commit(new_match(1)).await.unwrap();
        let more = LOAD_PAGE as u64 + 5;
        desk.append(id(1), 1, bodies(2..=more)).await.unwrap();
        let grown = desk.store.grown(&[(id(1).into(), Seq(1))]).await.unwrap();
        assert_eq!(grown, [(id(1).into(), Seq(more))]);
    });
}
