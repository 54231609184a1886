//! What nobody needs any more is removed: guests who never played, and matches that came to nothing.

use grundy_server::data;
use grundy_server::fsck::fsck;
use grundy_shared::ids::{MatchId, Millis, PlayerId};
use serde_json::{Value, json};

use crate::common::{Client, Plan, Server, in_time};

fn unneeded_at_once(plan: &mut Plan) {
    plan.config.storage.keep_void_matches_ms = Millis(1);
    plan.config.storage.keep_unused_guests_ms = Millis(1);
}

async fn void_match(client: &mut Client) -> MatchId {
    let create = json!({"type":"create","position":"nim:3,4,5","opponent":{"type":"invite"}});
    let created = client.ask(create).await;
    let abort = json!({"type":"abort","match":created["match"]});
    assert_eq!(client.ask(abort).await["type"], "done");
    id_of(&created["match"])
}

fn id_of(text: &Value) -> MatchId {
    text.as_str().expect("a text").parse().expect("an id")
}

async fn is_there(server: &Server, id: MatchId) -> bool {
    server.store.row(id).await.expect("readable").is_some()
}

async fn until_gone(server: &Server, id: MatchId) {
    let gone = async {
        while is_there(server, id).await {
            tokio::task::yield_now().await;
        }
    };
    in_time("the removal", gone).await;
}

/// Asks with a token that was given once; the code of the refusal.
async fn refused(server: &Server, token: &str) -> String {
    let mut client = server.connect().await;
    let hello = json!({"type":"hello","protocol":1,"token":token});
    let refused = client.ask(hello).await;
    refused["code"].as_str().unwrap_or_default().to_owned()
}

/// Makes a match that counts, and matches and guests that come to nothing; checks that only these go. A player who stays.
async fn only_what_came_to_nothing_goes(server: &Server) -> Client {
    let (mut ann, mut bob, counts) = server.pair("nim:3,4,5").await;
    assert_eq!(ann.play(&counts, 1, "A-1").await["type"], "accepted");
    bob.ask(json!({"type":"resign","match":counts})).await;
    let counts = id_of(&json!(counts));
    let mut dan = server.guest("Dan").await;
    let mut cid = server.guest("Cid").await;
    let token = cid.token.clone();
    let id: PlayerId = cid.player.parse().expect("an id");
    assert_eq!(cid.ask(json!({"type":"bye"})).await["type"], "done");

    let aborted = void_match(&mut ann).await;
    let (mut eve, mut fay, talked) = server.pair("nim:9,9").await;
    let say = json!({"type":"say","match":talked,"room":"players","text":"hello"});
    let said = eve.ask(say).await;
    assert_eq!(said["type"], "said", "{said}");
    let asked = eve.ask(json!({"type":"abort","match":talked})).await;
    assert_eq!(asked["type"], "done");
    let agree = json!({"type":"answer","match":talked,"proposed_seq":asked["seq"],"agree":true});
    assert_eq!(fay.ask(agree).await["type"], "done");
    for player in [&mut eve, &mut fay] {
        player.ask(json!({"type":"leave","match":talked})).await;
    }
    let newest = void_match(&mut ann).await;
    for of in [aborted, newest] {
        let leave = json!({"type":"leave","match":of.to_string()});
        ann.ask(leave).await;
    }

    until_gone(server, aborted).await;
    until_gone(server, id_of(&json!(talked))).await;
    assert!(is_there(server, counts).await, "it counts");
    assert!(is_there(server, newest).await, "its number is the newest");
    for request in ["record", "resume", "watch"] {
        let ask = json!({"type":request,"match":aborted.to_string(),"since_seq":0});
        let refused = ann.ask(ask).await;
        assert_eq!(refused["code"], "no_such_match", "{request}: {refused}");
    }
    // Who asks with the token is connected meanwhile, and is not removed.
    let gone = async {
        while server.store.player(id).await.expect("readable").is_some() {
            tokio::task::yield_now().await;
        }
    };
    in_time("the removal of the guest", gone).await;
    assert_eq!(refused(server, &token).await, "bad_token");
    // The name is free again.
    let mut again = server.connect().await;
    let hello = json!({"type":"hello","protocol":1,"name":"Cid"});
    let welcome = again.ask(hello).await;
    assert_eq!(welcome["player"]["name"], "Cid", "{welcome}");
    // Who is connected stays, and so does who has played.
    assert_eq!(dan.ask(json!({"type":"ping"})).await["type"], "pong");
    assert_eq!(server.again(&dan).await.1["player"]["name"], "Dan");
    assert_eq!(bob.ask(json!({"type":"bye"})).await["type"], "done");
    server.again(&bob).await;
    ann
}

#[tokio::test]
async fn what_came_to_nothing_is_removed_from_memory() {
    let mut plan = Plan::default();
    unneeded_at_once(&mut plan);
    let server = plan.start().await;
    only_what_came_to_nothing_goes(&server).await;
    server.stop().await;
}

#[tokio::test]
async fn what_came_to_nothing_is_removed_from_the_disk_which_stays_sound() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut plan = Plan::on_disk(directory.path()).await;
    unneeded_at_once(&mut plan);
    let server = plan.start().await;
    let ann = only_what_came_to_nothing_goes(&server).await;
    server.stop().await;
    let path = data::location(directory.path());
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
    // And the next start takes up where this one ended.
    let server = Plan::on_disk(directory.path()).await.start().await;
    let (mut ann, _) = server.again(&ann).await;
    void_match(&mut ann).await;
    server.stop().await;
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
}
