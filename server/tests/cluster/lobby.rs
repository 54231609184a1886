//! What players meet outside their matches, on several servers: seeks, challenges, offers, and the events of accounts.

use std::time::Duration;

use grundy_server::store::NodeId;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::cable::Way;
use crate::client::Client;
use crate::cluster::{Cluster, Hints};
use crate::node::Node;
use crate::patience::until;

/// How soon another server knows that one is dead, and a little more for a busy machine.
const SOON_AFTER_DEATH: Duration = Duration::from_secs(3);

fn nodes<const COUNT: usize>(cluster: &mut Cluster) -> &mut [Node; COUNT] {
    let nodes = cluster.nodes.as_mut_slice();
    nodes.try_into().expect("so many nodes")
}

fn seek(position: &str) -> Value {
    json!({"type": "seek", "position": position, "side": "first"})
}

fn resume(id: &Value) -> Value {
    json!({"type": "resume", "match": id})
}

async fn open_seat(client: &mut Client, position: &str) -> Value {
    client.get(seek(position), "seeking").await["seek"]["seek"].clone()
}

async fn listed(client: &mut Client) -> Vec<Value> {
    let list = client.get(json!({"type": "seeks"}), "seeks").await;
    let seeks = list["seeks"].as_array().expect("a list");
    seeks.iter().map(|seek| seek["seek"].clone()).collect()
}

async fn follow(client: &mut Client) -> Value {
    let reply = client.ask(json!({"type": "follow_account"})).await;
    assert_eq!(reply["type"], "account", "{reply}");
    reply
}

async fn follow_since(client: &mut Client, stream: &Value, since: u64) -> Value {
    let ask = json!({"type": "follow_account", "stream": stream, "since_seq": since});
    client.get(ask, "account").await
}

async fn challenge(from: &mut Client, to: &Client) -> Value {
    let ask =
        json!({"type": "challenge", "player": to.player(), "position": "nim:3,5", "side": "first"});
    from.get(ask, "challenged").await["challenge"]["challenge"].clone()
}

fn text(id: &Value) -> &str {
    id.as_str().expect("an id is a text")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seek_is_taken_on_another_node_without_hints() {
    meet(Hints::None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seek_is_taken_on_another_node_with_hints() {
    meet(Hints::Nats).await;
}

async fn meet(hints: Hints) {
    let mut cluster = Cluster::start(2, hints).await;
    let [a, b] = nodes(&mut cluster);
    let mut one = Client::come(a).await;
    let mut two = Client::come(b).await;
    let id = open_seat(&mut one, "nim:3,5").await;
    assert_eq!(listed(&mut two).await, std::slice::from_ref(&id));
    let take = json!({"type": "take", "seek": id});
    let joined = two.get(take.clone(), "joined").await;
    assert_eq!(joined["seat"], "second");
    let ended = one.finds(&["seek_ended", text(&id)]).await;
    assert_eq!(ended["body"]["end"], "taken", "{ended}");
    assert_eq!(ended["body"]["match"], joined["match"]);
    // A reply that was lost is given again, also by the other server.
    let mut again = two.go_to(a).await;
    assert_eq!(again.get(take, "joined").await["match"], joined["match"]);
    one.get(resume(&joined["match"]), "attached").await;
    let mv = json!({"type": "move", "match": joined["match"], "ply": 1, "move": "B-2"});
    one.get(mv, "accepted").await;
    // The newer connection of the player has the seat.
    again.finds(&[text(&joined["match"]), "moved"]).await;
    // A seek goes with its connection.
    let id = open_seat(&mut one, "kayles:7").await;
    assert_eq!(listed(&mut two).await, [id]);
    one.get(json!({"type": "bye"}), "done").await;
    gone_from(two).await;
}

/// Waits until nothing is listed any more.
async fn gone_from(client: Client) {
    let client = tokio::sync::Mutex::new(client);
    until("no seek is listed", async || {
        listed(&mut *client.lock().await).await.is_empty()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_nodes_that_race_for_one_seek_one_gets_it() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = nodes(&mut cluster);
    let mut seeker = Client::come(a).await;
    let mut here = Client::come(a).await;
    let mut there = Client::come(b).await;
    for _ in 0..20 {
        let id = open_seat(&mut seeker, "nim:3,5").await;
        let take = json!({"type": "take", "seek": id});
        let (one, two) = tokio::join!(here.ask(take.clone()), there.ask(take));
        let (won, lost) = match one["type"] == "joined" {
            true => (one, two),
            false => (two, one),
        };
        assert_eq!(won["type"], "joined", "{won} {lost}");
        assert_eq!(lost["code"], "no_such_seek", "{won} {lost}");
        let ended = seeker.finds(&["seek_ended", text(&id)]).await;
        assert_eq!(ended["body"]["match"], won["match"]);
        let resign = json!({"type": "resign", "match": won["match"]});
        seeker.get(resign, "done").await;
    }
    let list = json!({"type": "list", "player": seeker.player(), "limit": 100});
    let list = seeker.get(list, "matches").await;
    assert_eq!(list["matches"].as_array().map(Vec::len), Some(20), "{list}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wave_pairs_players_on_two_nodes() {
    let mut cluster = Cluster::start(2, Hints::None).await;
    let [a, b] = nodes(&mut cluster);
    let mut one = Client::come(a).await;
    let mut two = Client::come(b).await;
    let wish = json!({"type": "seek", "position": "kayles:7", "automatic": "exact"});
    one.get(wish.clone(), "seeking").await;
    two.get(wish, "seeking").await;
    let first = one.finds(&["seek_ended"]).await;
    let second = two.finds(&["seek_ended"]).await;
    assert_eq!(first["body"]["end"], "matched", "{first}");
    assert_eq!(first["body"]["match"], second["body"]["match"]);
    assert_ne!(first["body"]["seat"], second["body"]["seat"]);
    for client in [&mut one, &mut two] {
        let attached = client.get(resume(&first["body"]["match"]), "attached");
        attached.await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_killed_node_had_ends_and_what_others_know_stays() {
    let mut cluster = Cluster::start(2, Hints::None).await;
    // The one that is killed has the smaller number, so it is the one that lets challenges expire.
    let [b, a] = nodes(&mut cluster);
    assert!(NodeId::named("n1") < NodeId::named("n0"));
    let mut one = Client::come(a).await;
    let mut bot = Client::come_as_bot(a).await;
    let mut two = Client::come(b).await;
    open_seat(&mut one, "nim:3,5").await;
    follow(&mut bot).await;
    let offer = json!({"type": "offer", "games": ["nim"], "at_once": 2});
    bot.get(offer, "done").await;
    let before = follow(&mut one).await;
    follow(&mut two).await;
    let id = challenge(&mut one, &two).await;
    let brief = json!({"type": "challenge", "player": one.player(), "position": "nim:1,2", "expires_ms": 1_000});
    let brief = two.get(brief, "challenged").await["challenge"]["challenge"].clone();
    assert_eq!(listed(&mut two).await.len(), 1);
    a.kill().await;
    let died = Instant::now();
    let client = tokio::sync::Mutex::new(two);
    until("what the dead node had is gone", async || {
        let two = &mut *client.lock().await;
        let offers = two.get(json!({"type": "offers"}), "offers").await;
        listed(two).await.is_empty() && offers["offers"] == json!([])
    })
    .await;
    let took = died.elapsed();
    println!("a dead node's seek and offer were gone after {took:?}");
    assert!(took < SOON_AFTER_DEATH * 3, "{took:?}");
    let mut two = client.into_inner();
    let expired = two.finds(&["challenge_ended", text(&brief)]).await;
    assert_eq!(expired["body"]["end"], "expired", "{expired}");
    // The challenge stands, and its player goes on with the numbers on the other node.
    let mut back = one.go_to(b).await;
    let account = follow_since(&mut back, &before["stream"], 1).await;
    assert_eq!(
        (&account["seq"], &account["complete"]),
        (&json!(3), &json!(true))
    );
    assert_eq!(account["challenges"][0]["challenge"], id, "{account}");
    two.get(json!({"type": "accept", "challenge": id}), "joined")
        .await;
    let ended = back.finds(&["challenge_ended", text(&id)]).await;
    assert_eq!(
        (&ended["seq"], &ended["body"]["end"]),
        (&json!(4), &json!("accepted"))
    );
    // The node comes back empty.
    a.start().await;
    let mut home = back.go_to(a).await;
    assert!(listed(&mut home).await.is_empty());
    let account = follow_since(&mut home, &before["stream"], 4).await;
    assert_eq!(account["stream"], before["stream"], "{account}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn challenges_cross_nodes_and_end_once() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = nodes(&mut cluster);
    let mut one = Client::come(a).await;
    let mut two = Client::come(b).await;
    follow(&mut two).await;
    follow(&mut one).await;
    let id = challenge(&mut one, &two).await;
    two.finds(&["challenged", text(&id)]).await;
    let no = json!({"type": "decline", "challenge": id, "reason": "later"});
    two.get(no, "done").await;
    let ended = one.finds(&["challenge_ended", text(&id)]).await;
    assert_eq!(ended["body"]["end"], "declined", "{ended}");
    let id = challenge(&mut one, &two).await;
    one.get(
        json!({"type": "withdraw_challenge", "challenge": id}),
        "done",
    )
    .await;
    let ended = two.finds(&["challenge_ended", text(&id)]).await;
    assert_eq!(ended["body"]["end"], "withdrawn", "{ended}");
    let accept = json!({"type": "accept", "challenge": id});
    assert_eq!(two.ask(accept).await["code"], "no_such_challenge");
    // One that nobody answers.
    let ask = json!({"type": "challenge", "player": two.player(), "position": "nim:3,5", "expires_ms": 1_000});
    let id = one.get(ask, "challenged").await["challenge"]["challenge"].clone();
    for client in [&mut one, &mut two] {
        let ended = client.finds(&["challenge_ended", text(&id)]).await;
        assert_eq!(ended["body"]["end"], "expired", "{ended}");
    }
    // Accepted, and withdrawn at the same moment.
    for _ in 0..10 {
        let id = challenge(&mut one, &two).await;
        two.finds(&["\"challenged\"", text(&id)]).await;
        let accept = two.ask(json!({"type": "accept", "challenge": id}));
        let withdraw = one.ask(json!({"type": "withdraw_challenge", "challenge": id}));
        let (accepted, withdrawn) = tokio::join!(accept, withdraw);
        let (won, lost) = (accepted["type"] == "joined", withdrawn["type"] == "done");
        assert!(won != lost, "{accepted} {withdrawn}");
        let ended = one.finds(&["challenge_ended", text(&id)]).await;
        assert_eq!(ended["body"]["end"] == "accepted", won, "{ended}");
        if won {
            assert_eq!(ended["body"]["match"], accepted["match"]);
            let resign = json!({"type": "resign", "match": accepted["match"]});
            two.get(resign, "done").await;
        }
    }
    // Accepted twice, by connections of one player on two nodes.
    for _ in 0..10 {
        let id = challenge(&mut one, &two).await;
        let mut also = two.go_to(a).await;
        follow(&mut also).await;
        let accept = json!({"type": "accept", "challenge": id});
        let (here, there) = tokio::join!(two.ask(accept.clone()), also.ask(accept));
        let joined = [&here, &there].map(|reply| reply["type"] == "joined");
        assert_eq!(
            joined.iter().filter(|won| **won).count(),
            1,
            "{here} {there}"
        );
        let made = if joined[0] { &here } else { &there };
        let resign = json!({"type": "resign", "match": made["match"]});
        also.get(resign, "done").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_offer_of_a_bot_is_taken_from_another_node() {
    let mut cluster = Cluster::start(2, Hints::None).await;
    let [a, b] = nodes(&mut cluster);
    let mut bot = Client::come_as_bot(a).await;
    let mut player = Client::come(b).await;
    follow(&mut bot).await;
    let offer = json!({"type": "offer", "games": ["nim"], "at_once": 1});
    bot.get(offer, "done").await;
    let offers = player.get(json!({"type": "offers"}), "offers").await;
    assert_eq!(offers["offers"][0]["player"]["id"], *bot.player());
    let ask = json!({"type": "challenge", "player": bot.player(), "position": "nim:3,5", "side": "first"});
    let joined = player.get(ask.clone(), "joined").await;
    let began = bot.finds(&["match_began", text(&joined["match"])]).await;
    assert_eq!(began["body"]["seat"], "second", "{began}");
    assert_eq!(player.ask(ask).await["code"], "too_many");
    let other = json!({"type": "challenge", "player": bot.player(), "position": "kayles:7"});
    assert_eq!(player.ask(other).await["code"], "declined");
    bot.get(json!({"type": "leave_account"}), "done").await;
    let client = tokio::sync::Mutex::new(player);
    until("the offer has ended", async || {
        let offers = client
            .lock()
            .await
            .get(json!({"type": "offers"}), "offers")
            .await;
        offers["offers"] == json!([])
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_events_of_an_account_are_dense_and_go_on_on_another_node() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = nodes(&mut cluster);
    let mut here = Client::come(a).await;
    let mut there = here.go_to(b).await;
    let mut rival = Client::come(b).await;
    let account = follow(&mut here).await;
    assert_eq!(follow(&mut there).await["stream"], account["stream"]);
    follow(&mut rival).await;
    // Four events each: challenged, its end, a match that begins, and its end. Both servers have the match.
    for _ in 0..5 {
        let id = challenge(&mut rival, &here).await;
        let joined = there.get(json!({"type": "accept", "challenge": id}), "joined");
        let joined = joined.await;
        here.get(resume(&joined["match"]), "attached").await;
        here.finds(&["match_began", text(&joined["match"])]).await;
        let resign = json!({"type": "resign", "match": joined["match"]});
        rival.get(resign, "done").await;
        here.finds(&["match_ended", text(&joined["match"])]).await;
    }
    let player = text(here.player()).to_owned();
    let mut heard = Vec::new();
    for client in [&mut here, &mut there] {
        let events = client.account_events(&player, 20).await;
        let numbers: Vec<_> = events.iter().map(|event| event["seq"].as_u64()).collect();
        assert_eq!(numbers, (1..=20).map(Some).collect::<Vec<_>>());
        heard.push(events);
    }
    assert_eq!(heard[0], heard[1], "the servers number events differently");
    // Whoever has heard some of them on one node gets the others from the other one.
    let mut back = here.go_to(b).await;
    let account = follow_since(&mut back, &account["stream"], 7).await;
    assert_eq!(
        (&account["seq"], &account["complete"]),
        (&json!(20), &json!(true))
    );
    assert_eq!(back.account_events(&player, 13).await, heard[0][7..]);
    // Present on any server is present.
    drop(here);
    let id = challenge(&mut rival, &there).await;
    there.finds(&["\"challenged\"", text(&id)]).await;
    drop((there, back));
    let rival = tokio::sync::Mutex::new(rival);
    until("nobody is present any more", async || {
        let ask = json!({"type": "challenge", "player": player, "position": "nim:3,5"});
        let reply = rival.lock().await.ask(ask).await;
        reply["code"] == "player_absent"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_away_for_a_moment_loses_no_seat() {
    // Servers send their clients away after five seconds without it, and seats end with that.
    const AWAY: Duration = Duration::from_secs(1);
    let cluster = Cluster::start(2, Hints::Nats).await;
    let mut one = Client::come(&cluster.nodes[0]).await;
    let mut two = Client::come(&cluster.nodes[1]).await;
    let id = open_seat(&mut one, "nim:3,5").await;
    for way in &cluster.to_database {
        way.set(Way::Cut);
    }
    let take = json!({"type": "take", "seek": id});
    two.send(take.clone()).await;
    assert!(two.hears_nothing_of("\"joined\"", AWAY).await);
    for way in &cluster.to_database {
        way.set(Way::Open);
    }
    // What took too long was refused.
    let mut joined = two.hears(&["\"re\":"]).await["body"].take();
    if joined["code"] == "server_busy" {
        joined = two.ask(take).await;
    }
    assert_eq!(joined["type"], "joined", "{joined}");
    let ended = one.finds(&["seek_ended"]).await;
    assert_eq!(ended["body"]["match"], joined["match"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frozen_node_finds_that_its_seeks_have_ended_and_stops() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = nodes(&mut cluster);
    let mut one = Client::come(a).await;
    let mut two = Client::come(b).await;
    open_seat(&mut one, "nim:3,5").await;
    assert_eq!(listed(&mut two).await.len(), 1);
    a.signal(Signal::STOP);
    gone_from(two).await;
    a.signal(Signal::CONT);
    let status = a.ended().await;
    assert!(!status.success());
    let logged = a.logged();
    assert!(logged.contains("has taken this one's place"), "{logged}");
    // The player seeks again, where there is a server.
    let mut back = one.go_to(b).await;
    let id = open_seat(&mut back, "nim:3,5").await;
    assert_eq!(listed(&mut back).await, [id]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_takes_its_seeks_along_at_once_and_leaves_challenges() {
    let mut cluster = Cluster::start(2, Hints::Nats).await;
    let [a, b] = nodes(&mut cluster);
    let mut one = Client::come(a).await;
    let mut two = Client::come(b).await;
    open_seat(&mut one, "nim:3,5").await;
    let account = follow(&mut one).await;
    follow(&mut two).await;
    let id = challenge(&mut one, &two).await;
    a.signal(Signal::TERM);
    assert!(a.ended().await.success());
    assert_eq!(listed(&mut two).await, Vec::<Value>::new());
    let mut back = one.go_to(b).await;
    let again = follow_since(&mut back, &account["stream"], 1).await;
    assert_eq!(again["complete"], true, "{again}");
    assert_eq!(again["challenges"][0]["challenge"], id, "{again}");
    let withdraw = json!({"type": "withdraw_challenge", "challenge": id});
    back.get(withdraw, "done").await;
    let ended = two.finds(&["challenge_ended", text(&id)]).await;
    assert_eq!(ended["body"]["end"], "withdrawn", "{ended}");
}
