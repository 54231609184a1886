//! What an operator does on one server holds on all, within about a second.

use std::time::Duration;

use futures::StreamExt as _;
use grundy_server::store::NodeId;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::time::{Instant, timeout};
use tokio_tungstenite::connect_async;

use crate::client::Client;
use crate::cluster::{Cluster, Hints, Settings};
use crate::node::{Node, run, start_program};
use crate::patience::{PATIENCE, until};

/// An operator's request to this server; its reply as JSON.
async fn admin(node: &Node, request: &[&str]) -> Value {
    let data = node.data().to_str().expect("UTF-8");
    let mut arguments = vec!["admin", "--json", "--data", data];
    arguments.extend(request);
    let output = run(&arguments).await;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{request:?}: {output:?}");
    serde_json::from_str(&said).expect("JSON")
}

/// A guest with this name.
async fn named(node: &Node, name: &str) -> (Client, String) {
    let client = Client::come_as(node, name).await;
    let player = admin(node, &["player", name]).await;
    let id = player["player"]["id"].as_str().or(player["id"].as_str());
    let id = id.unwrap_or_else(|| panic!("{player}")).to_owned();
    (client, id)
}

/// Whether a handshake with this server is refused.
async fn is_refused(node: &Node) -> bool {
    let url = format!("ws://{}/ws", node.address());
    match connect_async(url).await {
        Err(_) => true,
        // Whoever is banned meanwhile is sent away.
        Ok((mut socket, _)) => {
            let next = timeout(Duration::from_millis(100), socket.next()).await;
            matches!(next, Ok(None | Some(Err(_))))
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ban_holds_on_every_node_and_so_does_its_end() {
    let cluster = Cluster::start(2, Hints::None).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    let (mut there, id) = named(b, "Mallory").await;
    let mut other = Client::come(b).await;
    admin(a, &["ban", "player", &id, "--reason", "flood"]).await;
    there.hears_the_end().await;
    let lobby = other.ask(json!({"type": "seeks"})).await;
    assert_ne!(lobby["type"], "error", "{lobby}");
    // Every node refuses the player, and lists the ban.
    let refused = there.refused_by(b).await;
    assert_eq!(refused["code"], "banned", "{refused}");
    let bans = admin(b, &["bans"]).await;
    assert!(bans.to_string().contains(&id), "{bans}");

    admin(b, &["unban", "player", &id]).await;
    until("the ban has ended on the other node", async || {
        !admin(a, &["bans"]).await.to_string().contains(&id)
    })
    .await;
    let mut back = there.go_to(a).await;

    admin(a, &["ban", "address", "127.0.0.0/8", "--reason", "flood"]).await;
    back.hears_the_end().await;
    other.hears_the_end().await;
    until("the handshake is refused", async || is_refused(b).await).await;
}

/// A tournament of two that is over, in which the player has lost both games.
async fn cup(organiser: &mut Client, player: &mut Client) -> Value {
    let created = organiser
        .get(
            json!({
                "type": "create_tournament", "name": "Cup", "format": {"type": "round_robin"},
                "rules": {
                    "games": 2, "clock": {"type": "fischer", "base_ms": 600_000, "increment_ms": 0},
                    "starts": {"type": "list", "positions": ["nim:3,5"]}, "start_ms": 600_000, "away_ms": 600_000,
                },
                "admission": {"most": 2},
            }),
            "tournament",
        )
        .await;
    let id = created["tournament"].clone();
    for client in [&mut *organiser, &mut *player] {
        let watch = json!({"type": "watch_tournament", "tournament": id, "play": true});
        client.get(watch, "tournament").await;
        let join = json!({"type": "join_tournament", "tournament": id});
        client.get(join, "tournament").await;
    }
    for _ in 0..2 {
        let game = player.hears(&["tournament_match"]).await;
        let game = game["body"]["match"].clone();
        player
            .get(json!({"type": "resign", "match": game}), "done")
            .await;
    }
    organiser.hears(&["seed_opened"]).await;
    id
}

/// Asks a node until it answers without this word; the answer.
async fn without(node: &Node, ask: &Value, word: &str) -> String {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let seen = Client::come(node).await.ask(ask.clone()).await.to_string();
        if !seen.contains(word) {
            return seen;
        }
        assert!(tokio::time::Instant::now() < deadline, "{seen}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_erased_on_one_node_is_gone_from_the_others() {
    let cluster = Cluster::start(2, Hints::None).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    let (mut player, id) = named(b, "Zarathustra").await;
    let mut other = Client::come(b).await;
    let create = json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "invite"}});
    let created = player.get(create, "created").await;
    let join = json!({"type": "join", "code": created["code"]});
    other.get(join, "joined").await;
    let id_of = created["match"].clone();
    // While the player is in a match that goes on, nobody is erased, also not by another node.
    let data = a.data().to_str().expect("UTF-8");
    let erase = [
        "admin",
        "--data",
        data,
        "erase",
        &id,
        "--confirm",
        "Zarathustra",
    ];
    let refused = run(&erase).await;
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(6), "{words}");
    assert!(words.contains("is not over"), "{words}");
    player
        .get(json!({"type": "resign", "match": id_of}), "done")
        .await;
    let tournament = cup(&mut other, &mut player).await;
    // Both are in memory of the node.
    let mut watcher = Client::come(b).await;
    let watch = json!({"type": "watch", "match": id_of});
    let table = json!({"type": "watch_tournament", "tournament": tournament});
    for ask in [&watch, &table] {
        let seen = watcher.ask(ask.clone()).await.to_string();
        assert!(seen.contains("Zarathustra"), "{seen}");
    }

    // The other node hears a moment later that the tournament is over.
    let deadline = tokio::time::Instant::now() + PATIENCE;
    let mut erased = run(&erase).await;
    while String::from_utf8_lossy(&erased.stderr).contains("which is not over")
        && tokio::time::Instant::now() < deadline
    {
        erased = run(&erase).await;
    }
    assert!(erased.status.success(), "{erased:?}");
    player.hears_the_end().await;
    for ask in [&watch, &table] {
        let seen = without(b, ask, "Zarathustra").await;
        assert!(seen.contains("erased-"), "{seen}");
    }
    let refused = player.refused_by(b).await;
    assert_eq!(refused["code"], "bad_token", "{refused}");
    let checked = run(&["fsck", "--database", &cluster.postgres.url_of_owner()]).await;
    assert!(checked.status.success(), "{checked:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_node_goes_on_with_an_erasure_whose_node_has_died() {
    let mut cluster = Cluster::start(1, Hints::None).await;
    let (_player, id) = named(&cluster.nodes[0], "Zarathustra").await;
    let mut dying = cluster.further("dying");
    dying
        .start_with(&[("GRUNDYD_FAILPOINT", "after_erasure_begun:1")])
        .await;
    let data = dying.data().to_str().expect("UTF-8").to_owned();
    let erase = [
        "admin",
        "--data",
        &data,
        "erase",
        &id,
        "--confirm",
        "Zarathustra",
    ];
    let cut = run(&erase).await;
    assert!(!cut.status.success(), "{cut:?}");
    dying.ended().await;
    let a = &mut cluster.nodes[0];
    until("the erasure is finished", async || {
        a.logged()
            .contains("an erasure that was interrupted is finished")
    })
    .await;
    let player = admin(a, &["player", &id]).await;
    assert!(player.to_string().contains("erased-"), "{player}");
}

/// The command with which a player is erased on this server.
fn erase_of<'a>(node: &'a Node, id: &'a str, name: &'a str) -> [&'a str; 7] {
    let data = node.data().to_str().expect("UTF-8");
    ["admin", "--data", data, "erase", id, "--confirm", name]
}

/// A player who talks all the time may say as much as there is room for.
const TALKATIVE: Settings = &[
    ("GRUNDYD_LIMITS__CHAT_BURST", "1000"),
    ("GRUNDYD_LIMITS__CHAT_PER_MINUTE", "10000"),
    ("GRUNDYD_LIMITS__CHAT_LINES_PER_ROOM", "2000"),
    ("GRUNDYD_LIMITS__CHAT_LINES_PER_PLAYER", "10000"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_erasure_waits_for_what_the_player_says_on_another_node() {
    let cluster = Cluster::start_with(2, Hints::None, TALKATIVE).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    // Others play, and the player watches.
    let (mut one, mut other) = (Client::come(b).await, Client::come(b).await);
    let mut lines = Vec::new();
    for _ in 0..4 {
        let create =
            json!({"type": "create", "position": "nim:3,4,5", "opponent": {"type": "invite"}});
        let created = one.get(create, "created").await;
        let join = json!({"type": "join", "code": created["code"]});
        other.get(join, "joined").await;
        lines.push(json!({"type": "say", "match": created["match"], "room": "watchers", "preset": "hello"}));
    }
    let (mut player, id) = named(b, "Zarathustra").await;
    let began = Instant::now();
    let erase = erase_of(a, &id, "Zarathustra");
    let (erased, said) = tokio::join!(run(&erase), player.asks_to_the_end(&lines));
    assert!(erased.status.success(), "{erased:?}");
    assert!(said > 0, "the player could not say anything");
    // In that time the other node has heard of it, and has stored what was on its way there.
    assert!(began.elapsed() > Duration::from_secs(3));
    let named = "SELECT ARRAY[count(*), count(*) FILTER (WHERE position('Zarathustra'::bytea IN body) > 0)] FROM grundy.event";
    let counted = cluster.postgres.numbers(named).await;
    assert!(
        counted[0] > i64::try_from(said).expect("a number"),
        "{counted:?}"
    );
    assert_eq!(counted[1], 0, "of {said} lines");
    let checked = run(&["fsck", "--database", &cluster.postgres.url_of_owner()]).await;
    assert!(checked.status.success(), "{checked:?}");
}

/// A tournament that nobody has entered, by this organiser.
async fn open_cup(organiser: &mut Client) -> Value {
    let request = json!({
        "type": "create_tournament", "name": "Cup", "format": {"type": "round_robin"},
        "rules": {
            "games": 2, "clock": {"type": "fischer", "base_ms": 600_000, "increment_ms": 0},
            "starts": {"type": "list", "positions": ["nim:3,5"]}, "start_ms": 600_000, "away_ms": 600_000,
        },
        "admission": {"most": 8},
    });
    organiser.get(request, "tournament").await["tournament"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_erased_while_a_tournament_of_another_node_goes_on() {
    let cluster = Cluster::start(2, Hints::None).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    let mut organiser = Client::come(b).await;
    let cup = open_cup(&mut organiser).await;
    let join = json!({"type": "join_tournament", "tournament": cup});
    let (mut player, id) = named(b, "Zarathustra").await;
    player.get(join.clone(), "tournament").await;
    let refused = run(&erase_of(a, &id, "Zarathustra")).await;
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(6), "{words}");
    assert!(words.contains("which is not over"), "{words}");

    // Who enters between the question and the moment in which the other node hears of the erasure. It may have heard of one before: then another player tries.
    let begun = "SELECT ARRAY[count(*)] FROM grundy.erasure";
    let mut number = 0;
    let (words, id) = loop {
        number += 1;
        let name = format!("Zoroaster{number}");
        let (mut player, id) = named(b, &name).await;
        let erase = erase_of(a, &id, &name);
        let enter = async {
            until("the erasure has begun", async || {
                cluster.postgres.numbers(begun).await == [1]
            })
            .await;
            player.try_to_ask(&join).await
        };
        let (erased, entered) = tokio::join!(run(&erase), enter);
        let words = String::from_utf8_lossy(&erased.stderr).into_owned();
        if entered.is_some_and(|reply| reply["type"] == "tournament") {
            assert!(!erased.status.success(), "{erased:?}");
            break (words, id);
        }
        assert!(erased.status.success(), "{erased:?}");
        assert!(number < 20, "nobody enters in time");
    };
    assert!(words.contains("the erasure is not finished"), "{words}");
    assert!(words.contains("which is not over"), "{words}");
    // It is finished when the tournament is over.
    let cancel = json!({"type": "control_tournament", "tournament": cup, "action": "cancel"});
    organiser.get(cancel, "tournament").await;
    until("the erasure is finished", async || {
        cluster.postgres.numbers(begun).await == [0]
    })
    .await;
    let left =
        "SELECT ARRAY[count(*)] FROM grundy.event WHERE position('Zoroaster'::bytea IN body) > 0";
    assert_eq!(cluster.postgres.numbers(left).await, [0]);
    let player = admin(b, &["player", &id]).await;
    assert!(player.to_string().contains("erased-"), "{player}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_drains_still_pairs_the_players_of_the_others() {
    let cluster = Cluster::start(2, Hints::None).await;
    let [other, leads] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    assert!(NodeId::named("n1") < NodeId::named("n0"));
    let mut early = Client::come(leads).await;
    let drained = admin(leads, &["drain", "--deadline", "1s"]).await;
    assert_eq!(drained["type"], "drained", "{drained}");
    let wish = json!({"type": "seek", "position": "kayles:7", "automatic": "exact"});
    let refused = early.ask(wish.clone()).await;
    assert_eq!(refused["code"], "shutting_down", "{refused}");
    let (mut one, mut two) = (Client::come(other).await, Client::come(other).await);
    for client in [&mut one, &mut two] {
        client.get(wish.clone(), "seeking").await;
    }
    let first = one.finds(&["seek_ended"]).await;
    let second = two.finds(&["seek_ended"]).await;
    assert_eq!(first["body"]["end"], "matched", "{first}");
    assert_eq!(first["body"]["match"], second["body"]["match"]);
    let id = first["body"]["match"].clone();
    let resume = json!({"type": "resume", "match": id});
    one.get(resume, "attached").await;
    one.get(json!({"type": "resign", "match": id}), "done")
        .await;
}

/// Whether the server knows a player.
async fn knows(node: &Node, player: &str) -> bool {
    let data = node.data().to_str().expect("UTF-8");
    let asked = run(&["admin", "--data", data, "player", player]).await;
    let code = asked.status.code();
    assert!(matches!(code, Some(0 | 6)), "{asked:?}");
    code == Some(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_node_removes_guests_and_another_one_when_it_is_dead() {
    let cluster = Cluster::start(0, Hints::None).await;
    let at_once = [("GRUNDYD_STORAGE__KEEP_UNUSED_GUESTS_MS", "1")];
    let mut first = cluster.further("first");
    first.start_with(&at_once).await;
    let (guest, id) = named(&first, "Passer-by").await;
    drop(guest);
    until("the guest is removed", async || !knows(&first, &id).await).await;
    let mut second = cluster.further("second");
    second.start_with(&at_once).await;
    first.kill().await;
    let (guest, id) = named(&second, "Another").await;
    drop(guest);
    until("the other one removes", async || !knows(&second, &id).await).await;
    assert!(second.logged().contains("removed what nobody needed"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_answers_every_command_of_an_operator() {
    let cluster = Cluster::start(2, Hints::None).await;
    let [a, b] = &cluster.nodes[..] else {
        panic!("two nodes");
    };
    let (mut ada, ada_id) = named(a, "Ada").await;
    let (mut bo, _) = named(a, "Bo").await;
    let create = json!({"type": "create", "position": "nim:3,4,5", "opponent": {"type": "invite"}});
    let created = ada.get(create.clone(), "created").await;
    let id = created["match"].as_str().expect("an id").to_owned();
    bo.get(json!({"type": "join", "code": created["code"]}), "joined")
        .await;
    // A disk that flushes for a second makes the store not ready for as long.
    until("the store is ready", async || {
        admin(b, &["status"]).await["store"] == "ready"
    })
    .await;
    // Asked of the node where nobody plays.
    for (request, part) in [
        (&["status"][..], "\"store\":\"ready\""),
        (&["matches", "--player", "Ada"], &id),
        (&["players"], "players"),
        (&["player", &ada_id], "Ada"),
        (&["end-match", &id, "--reason", "they asked"], "done"),
        (&["clear-invitations", "--player", "Ada"], "ended"),
        (&["drain", "--deadline", "1s"], "type"),
        (&["undrain"], "done"),
        (&["reload"], "type"),
        (&["bans"], "bans"),
        (&["audit"], "they asked"),
        (&["revoke", &ada_id, "--all"], "done"),
    ] {
        let reply = admin(b, request).await.to_string();
        assert!(reply.contains(part), "{request:?}: {reply}");
    }
    bo.hears(&[&id, "ended", "operator"]).await;
    ada.hears_the_end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_waits_says_for_whom() {
    let cluster = Cluster::start(1, Hints::None).await;
    let mut dump = cluster
        .postgres
        .hold("LOCK TABLE grundy.schema_version IN ACCESS SHARE MODE")
        .await;
    let pid: i32 = sqlx::query_scalar("SELECT pg_backend_pid()")
        .fetch_one(&mut dump)
        .await
        .unwrap();
    let url = cluster.postgres.url_of_owner();
    let mut migrating = start_program(&["migrate", "--database", &url]);
    let mut said = BufReader::new(migrating.stderr.take().unwrap()).lines();
    let waits = async {
        while let Some(line) = said.next_line().await.unwrap() {
            if line.contains("trying again") {
                return line;
            }
        }
        panic!("it says nothing")
    };
    let line = timeout(PATIENCE, waits).await.expect("it says so at once");
    assert!(line.contains(&format!("process {pid} of owner")), "{line}");
    drop(dump);
    let migrated = timeout(PATIENCE, migrating.wait()).await;
    assert!(migrated.expect("it goes on").unwrap().success());
}
