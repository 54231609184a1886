//! What becomes of servers on a database that lacks what one of them has acknowledged.

use grundy_server::store::postgres::PostgresStore;
use grundy_server::store::{CommitError, NodeId, Store, StoreError};
use grundy_shared::ids::Millis;

use crate::cluster::Database;
use crate::desk::{Desk, bodies, id, new_match};
use crate::postgres::{close, servers};

/// Makes the database one that lacks the last move of this node.
async fn lose_a_move_of(database: &Database, desk: &Desk) {
    let lose = "UPDATE grundy.life SET mark = mark - 1 WHERE lane = 0 AND node = $1 AND mark > 0";
    let mut owner = database.connect().await;
    let lose = sqlx::query(lose).bind(i64::from(desk.lease.node.0));
    let lost = lose.execute(&mut owner).await.unwrap();
    assert_eq!(lost.rows_affected(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_lack_nothing_stop_where_another_one_lacks_commits() {
    let database = Database::new().await;
    let desks = servers(&database, 3).await;
    for (bits, desk) in (1..).zip(&desks) {
        desk.commit(new_match(bits)).await.unwrap();
        desk.append(id(bits), 1, bodies([2])).await.unwrap();
    }
    let [one, other, late] = &desks[..] else {
        panic!("three servers");
    };
    lose_a_move_of(&database, one).await;
    let lost = |refused| matches!(refused, Err(CommitError::Store(StoreError::Lost { .. })));
    assert!(lost(one.append(id(1), 2, bodies([3])).await));
    // One that lacks nothing of its own, and one that starts.
    let refused = other.append(id(2), 2, bodies([3])).await;
    assert_eq!(refused, Err(CommitError::Fenced));
    let refused = PostgresStore::open(database.address()).await;
    assert!(matches!(refused, Err(StoreError::Lost { .. })));
    PostgresStore::accept_loss(&database.address())
        .await
        .unwrap();
    let again = servers(&database, 2).await;
    // One that was away all the time, and knows nothing of what the operator has decided.
    lose_a_move_of(&database, late).await;
    assert!(lost(late.append(id(3), 2, bodies([3])).await));
    for (bits, desk) in (1..).zip(&again) {
        desk.append(id(bits), 2, bodies([3])).await.unwrap();
    }
    // It ends nobody's lease, and keeps nobody away.
    let store = database.store().await;
    let enlisted = store.enlist(NodeId(9), Millis(9)).await;
    assert!(enlisted.is_ok(), "{enlisted:?}");
    store.close().await;
    close(desks).await;
    close(again).await;
}
