//! A store that has left SQLite: players go on where they were.

use serde_json::json;

use crate::client::Client;
use crate::cluster::{Cluster, Hints};
use crate::node::{Node, run};
use crate::patience::until;
use crate::postgres::Postgres;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_goes_on_in_postgresql_and_again_in_sqlite() {
    let cluster = Cluster::start(0, Hints::None).await;
    let mut alone = Node::new(cluster.directory(), "alone", vec![]);
    alone.start().await;
    let mut one = Client::come_as(&alone, "Ada").await;
    let mut two = Client::come_as(&alone, "Bo").await;
    let create = json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "invite"},
        "clock": {"type": "fischer", "base_ms": 86_400_000, "increment_ms": 0}});
    let created = one.get(create, "created").await;
    let join = json!({"type": "join", "code": created["code"]});
    two.get(join, "joined").await;
    let id = created["match"].clone();
    let mv = |ply: u32, text: &str| json!({"type": "move", "match": id, "ply": ply, "move": text});
    let resume = json!({"type": "resume", "match": id, "since_seq": 0});
    one.get(mv(1, "A-1"), "accepted").await;
    alone.kill().await;

    let from = format!("sqlite:{}", alone.data().display());
    let address = Postgres::url_by(cluster.postgres.port());
    let moved = run(&["migrate-store", &from, &address]).await;
    assert!(moved.status.success(), "{moved:?}");
    let mut first = cluster.further("first");
    let mut second = cluster.further("second");
    first.start().await;
    second.start().await;
    // The old server is dead: one of the new ones takes its matches over.
    until("the match is taken over", async || {
        first.logged().contains("took over") || second.logged().contains("took over")
    })
    .await;
    let mut one = one.go_to(&first).await;
    let mut two = two.go_to(&second).await;
    for player in [&mut one, &mut two] {
        let attached = player.get(resume.clone(), "attached").await;
        assert_eq!(attached["snapshot"]["ply"], 1, "{attached}");
        assert!(attached.to_string().contains("Ada"), "{attached}");
    }
    two.get(mv(2, "A-1"), "accepted").await;
    one.hears(&["moved", "\"ply\":2"]).await;
    first.kill().await;
    second.kill().await;

    let back = Node::new(cluster.directory(), "back", vec![]);
    let to = format!("sqlite:{}", back.data().display());
    let moved = run(&["migrate-store", &address, &to]).await;
    assert!(moved.status.success(), "{moved:?}");
    let mut back = back;
    back.start().await;
    let mut one = one.go_to(&back).await;
    let attached = one.get(resume, "attached").await;
    assert_eq!(attached["snapshot"]["ply"], 2, "{attached}");
    one.get(mv(3, "A-1"), "accepted").await;
}
