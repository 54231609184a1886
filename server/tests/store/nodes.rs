//! The laws of the end and of several nodes: closing, leases, taking over, guards.

use grundy_server::clock::BEHIND_MAX;
use grundy_server::store::{
    AddressDigest, Commit, CommitError, Guard, Lease, MatchRow, MatchStatus, NodeId, NodeRow,
    StoreError, last_heartbeat,
};
use grundy_shared::ids::{Millis, Seq};
use tokio::task::JoinSet;

use crate::desk::{
    Desk, bodies, conflict, created_at, id, new_match, on_every_backend, over, player, row,
    with_row,
};

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
        let nodes = desk.store.nodes().await.unwrap();
        assert_eq!(
            nodes,
            [NodeRow {
                id: NodeId::ONLY,
                epoch: newer.epoch,
                enlisted_at: Millis(60),
                heartbeat: Some(Millis(50)),
                sign: nodes[0].sign,
                left: false,
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
fn law_13_a_node_that_retires_leaves_its_matches_to_others() {
    on_every_backend(|desk| async move {
        let other = desk.store.enlist(NodeId(2), Millis(5)).await.unwrap();
        desk.commit(new_match(1)).await.unwrap();
        assert_eq!(desk.store.retire(desk.lease, Millis(9)).await, Ok(()));
        let late = desk.append(id(1), 1, bodies([2])).await;
        assert_eq!(late, Err(CommitError::Fenced));
        let twice = desk.store.retire(desk.lease, Millis(9)).await;
        assert_eq!(twice, Err(StoreError::Fenced));
        let nodes = desk.store.nodes().await.unwrap();
        assert_eq!(nodes[0].heartbeat, Some(Millis(9)));
        assert!(!nodes[1].left);
        assert_eq!(desk.store.take_over(other, nodes[0]).await, Ok(1));
        let next = Commit::append(id(1), Seq(1), bodies([2]));
        assert_eq!(desk.store.commit(other, vec![next]).await, [Ok(())]);
        // It comes back with nothing of it.
        let again = desk.store.enlist(NodeId::ONLY, Millis(10)).await.unwrap();
        let live = desk.store.live(again.node, None).await.unwrap();
        assert!(live.is_empty());
        assert!(!desk.store.nodes().await.unwrap()[0].left);
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
fn law_14_the_matches_of_an_address_are_counted_until_they_are_over() {
    on_every_backend(|desk| async move {
        let address = AddressDigest(7);
        let from = |bits, of| new_match(bits).with(created_at(bits, of));
        let at_most = |at_most| Guard::OpenMatchesFrom { address, at_most };
        let count = async || desk.store.open_count_from(address).await;
        let of = async |bits| desk.store.address_of(id(bits)).await;
        for bits in 1..=2 {
            desk.commit(from(bits, 7).guarded(at_most(2)))
                .await
                .unwrap();
        }
        let full = Err(CommitError::Full(at_most(2)));
        assert_eq!(desk.commit(from(3, 7).guarded(at_most(2))).await, full);
        // Others are free, and so is a commit that comes from nowhere.
        desk.commit(from(4, 8).guarded(at_most(2))).await.unwrap();
        desk.commit(new_match(5).guarded(at_most(2))).await.unwrap();
        assert_eq!(count().await, Ok(2));
        assert_eq!(of(2).await, Ok(Some(address)));
        assert_eq!(of(5).await, Ok(None));
        assert_eq!(of(99).await, Ok(None));
        // Somebody joins: it is counted still.
        let live = MatchRow {
            status: MatchStatus::Live,
            ..over(1, 2)
        };
        let joined = Commit::append(id(1), Seq(1), bodies([2])).with_row(id(1), live);
        desk.commit(joined).await.unwrap();
        assert_eq!(count().await, Ok(2));
        // The end of one makes room, in the same commit as well.
        let rematch = Commit::append(id(1), Seq(2), bodies([3])).with_row(id(1), over(1, 2));
        let rematch = rematch
            .and(id(6), Seq(0), bodies([1]))
            .with_row(id(6), row(1))
            .with(created_at(6, 7))
            .guarded(at_most(2));
        desk.commit(rematch).await.unwrap();
        assert_eq!(count().await, Ok(2));
        assert_eq!(of(1).await, Ok(None));
        assert_eq!(of(6).await, Ok(Some(address)));
        // A match that is not there comes from nowhere.
        let nowhere = Commit::default().with(created_at(9, 7));
        assert_eq!(desk.commit(nowhere).await, Err(conflict(id(9), 0)));
        assert_eq!(count().await, Ok(2));
    });
}

#[test]
fn a_new_life_believes_no_heartbeat_that_is_a_day_later_than_its_beginning() {
    on_every_backend(|desk| async move {
        let future = Millis(90).plus(BEHIND_MAX);
        desk.store.heartbeat(desk.lease, future).await.unwrap();
        let last = async || last_heartbeat(&*desk.store, NodeId::ONLY).await.unwrap();
        // The life before may have beaten while this one began.
        desk.store.enlist(NodeId::ONLY, Millis(90)).await.unwrap();
        assert_eq!(last().await, Some(future));
        let lease = desk.store.enlist(NodeId::ONLY, Millis(60)).await.unwrap();
        assert_eq!(last().await, Some(Millis(60)));
        desk.store.heartbeat(lease, Millis(61)).await.unwrap();
        assert_eq!(last().await, Some(Millis(61)));
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
