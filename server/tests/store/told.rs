//! What servers on one database hear of each other, and what one of them does for all: law 22.

use grundy_server::store::{BanRow, Commit, Duty, NewErasure, News, NodeId, Projection};
use grundy_shared::ids::{Millis, PlayerId};

use crate::cluster::Database;
use crate::desk::{new_player, on_every_backend, player};
use crate::postgres::{close, servers};

fn ban(subject: &str) -> Projection {
    Projection::Ban(BanRow {
        subject: subject.parse().unwrap(),
        reason: "flood".to_owned(),
        created_at: Millis(1),
        until: None,
    })
}

fn erase(bits: u128, name: &str) -> Projection {
    Projection::Erase(Box::new(NewErasure {
        player: player(bits).id,
        name: name.to_owned(),
        name_key: name.to_owned(),
        names: vec![player(bits).name],
    }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bans_and_erasures_are_told_to_every_server_in_their_order() {
    let database = Database::new().await;
    let desks = servers(&database, 2).await;
    let [one, two] = &desks[..] else {
        panic!("two servers");
    };
    assert_eq!(two.store.notices(0).await, Ok(vec![]));
    one.commit(new_player(1, 1)).await.unwrap();
    assert_eq!(two.store.notices(0).await, Ok(vec![]), "nobody keeps it");
    let tell = Commit::default().with(ban("address 192.0.2.0/24"));
    one.commit(tell).await.unwrap();
    let begun = Commit::default().with(erase(1, "erased-1"));
    two.commit(begun).await.unwrap();
    let lifted = Projection::Unban("address 192.0.2.0/24".parse().unwrap());
    one.commit(Commit::default().with(lifted)).await.unwrap();
    let who = player(1).id;
    for step in [Projection::ForgetNames(who), Projection::Erased(who)] {
        one.commit(Commit::default().with(step)).await.unwrap();
    }
    let erased = || News::Erased {
        player: who,
        name: "erased-1".to_owned(),
    };
    let expected = [News::Bans, erased(), News::Bans, erased(), erased()];
    for desk in &desks {
        let told = desk.store.notices(0).await.unwrap();
        assert!(told.is_sorted_by_key(|notice| notice.number));
        let news: Vec<_> = told.iter().map(|notice| notice.news.clone()).collect();
        assert_eq!(news, expected);
        let later = desk.store.notices(told[2].number).await;
        assert_eq!(later.as_deref(), Ok(&told[3..]));
    }
    // What is refused is not told.
    let refused = Commit::default()
        .with(ban("address 198.51.100.1"))
        .with(erase(9, "erased-9"));
    let nobody: PlayerId = player(9).id;
    assert!(one.commit(refused).await.is_err(), "{nobody} is not there");
    assert_eq!(one.store.notices(0).await.unwrap().len(), expected.len());
    close(desks).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duty_is_one_servers_until_it_does_not_renew_it() {
    let database = Database::new().await;
    let desks = servers(&database, 2).await;
    let claim = async |number: usize, duty| {
        let desk = &desks[number];
        desk.store.claim(desk.lease, duty).await
    };
    assert_eq!(claim(0, Duty::Sweep).await, Ok(true));
    assert_eq!(claim(1, Duty::Sweep).await, Ok(false));
    assert_eq!(claim(1, Duty::Erasure).await, Ok(true), "another duty");
    assert_eq!(claim(0, Duty::Sweep).await, Ok(true), "it keeps its own");
    let pass = "UPDATE grundy.duty SET renewed_at = renewed_at - interval '11 seconds' WHERE name = 'sweep'";
    database.cluster.run(&database.name, pass).await;
    assert_eq!(claim(1, Duty::Sweep).await, Ok(true), "the first is silent");
    assert_eq!(claim(0, Duty::Sweep).await, Ok(false));
    // A server that was replaced has no duties.
    let store = &desks[1].store;
    store.enlist(NodeId(2), Millis(2)).await.unwrap();
    assert!(claim(1, Duty::Sweep).await.is_err());
    close(desks).await;
}

#[test]
fn the_first_server_of_a_store_has_every_duty() {
    on_every_backend(|desk| async move {
        for duty in [Duty::Sweep, Duty::Erasure] {
            assert_eq!(desk.store.claim(desk.lease, duty).await, Ok(true));
            assert_eq!(desk.store.claim(desk.lease, duty).await, Ok(true));
        }
    });
}
