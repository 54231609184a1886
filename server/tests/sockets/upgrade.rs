//! A database that an older server left is taken over in place: every record byte for byte, and every match goes on.
//!
//! `data/schema-1` was made by the last server with schema 1; its README says how.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::{Plan, Server};
use crate::ended::all_counted;
use grundy_server::clock::ManualClock;
use grundy_server::fsck::fsck;
use grundy_server::store::open::open;
use grundy_server::store::{
    LOAD_PAGE, ListFilter, Mistakes, NodeId, Order, Page, Store, StoreError, StreamId,
    last_heartbeat,
};
use grundy_shared::chain;
use grundy_shared::ids::{MatchId, Millis, Seq};
use grundy_shared::record::Record;
use grundy_shared::review::mistakes;
use grundy_shared::solver::Budget;
use serde_json::{Value, json};
use tempfile::TempDir;

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/schema-1")
}

/// A copy of the database with its write-ahead log, as a kill left it.
fn copy() -> (TempDir, PathBuf) {
    let directory = TempDir::new().expect("a directory");
    for name in ["grundy.db", "grundy.db-wal"] {
        let copied = std::fs::copy(fixture().join(name), directory.path().join(name));
        copied.expect("the fixture is there");
    }
    let path = directory.path().join("grundy.db");
    (directory, path)
}

/// What the older server showed, just before it was killed.
fn seen() -> Value {
    let text = std::fs::read(fixture().join("seen.json")).expect("the fixture is there");
    serde_json::from_slice(&text).expect("it is JSON")
}

/// The records that were exported then.
fn records() -> BTreeMap<MatchId, String> {
    let files = std::fs::read_dir(fixture().join("records")).expect("the fixture is there");
    let records = files.map(|file| {
        let path = file.expect("an entry").path();
        let id = path.file_stem().and_then(|stem| stem.to_str());
        let id = id.expect("a match id").parse().expect("a match id");
        (id, std::fs::read_to_string(&path).expect("a record"))
    });
    records.collect()
}

/// The record of a match as it is exported, from what is stored.
async fn exported(store: &dyn Store, id: MatchId) -> String {
    let (mut head, mut lines, mut seq) = (chain::genesis(id), String::new(), Seq(0));
    loop {
        let page = store.load(StreamId::Match(id), seq, LOAD_PAGE).await;
        let page = page.expect("readable").expect("there");
        if page.is_empty() {
            break;
        }
        for event in page {
            seq = event.seq;
            head = chain::link(&head, &event.body);
            lines.push_str(&format!("{{\"seq\":{seq},\"body\":{}}}\n", event.text()));
        }
    }
    let head: String = head.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "{{\"schema\":\"grundy/record/1\",\"match\":\"{id}\",\"events\":{seq},\"head\":\"{head}\"}}\n{lines}"
    )
}

#[tokio::test]
async fn every_record_is_exported_as_before_and_the_database_is_sound() {
    let (_directory, path) = copy();
    // Checking changes nothing, so it says what to do first.
    match fsck(&path).await {
        Err(StoreError::Unusable { why, .. }) => assert!(why.contains("schema 1"), "{why}"),
        other => panic!("{other:?}"),
    }
    for opened in 1..=2 {
        let store = open(&path).await.expect("it is taken over");
        let records = records();
        assert_eq!(records.len(), 18);
        for (id, record) in &records {
            assert_eq!(
                &exported(&*store, *id).await,
                record,
                "opened {opened} times"
            );
        }
        let alive = last_heartbeat(&*store, NodeId::ONLY).await;
        let heartbeat = seen()["heartbeat"].as_u64().map(Millis);
        assert_eq!(alive.expect("readable"), heartbeat);
        assert_eq!(store.open_count(None).await, Ok(6));
        store.close().await;
        let report = fsck(&path).await.expect("it can be checked");
        assert!(report.is_sound(), "{report}");
        assert_eq!((report.matches, report.events), (18, 91));
    }
}

/// Matches from before the migration are listed in the order of their end times, and their mistakes are counted in the background.
#[tokio::test]
async fn finished_matches_get_their_places_and_their_mistakes() {
    let (_directory, path) = copy();
    let server = upgraded(&path, Millis(1_900_000_000_000)).await;
    all_counted(&*server.store).await;
    let page = Page {
        order: Order::Ended,
        from: None,
        limit: 100,
    };
    let listed = server.store.list(ListFilter::default(), page).await;
    let listed = listed.expect("readable").found;
    let records = records();
    let over = |record: &&String| record.contains(r#""type":"ended""#);
    // Those that were running are over as well: their clocks have run out.
    assert!(listed.len() >= records.values().filter(over).count());
    let before: Vec<_> = listed
        .iter()
        .filter(|one| over(&&records[&one.id]))
        .collect();
    assert_eq!(before.len(), records.values().filter(over).count());
    assert!(
        before.is_sorted_by_key(|one| one.row.ended_at),
        "{before:?}"
    );
    let mut known = 0;
    for one in before {
        let record = Record::read(records[&one.id].as_bytes()).expect("a record");
        let counts = mistakes(record.referee(), &Budget::nodes(1_000_000));
        match one.mistakes {
            Some(Mistakes::Known(found)) => assert_eq!(Some(found), counts, "{}", one.id),
            // The solver has less work there.
            Some(Mistakes::Unknown) => {}
            None => panic!("{} is not counted", one.id),
        }
        known += u32::from(one.mistakes != Some(Mistakes::Unknown));
    }
    assert!(known > 5, "{known}");
    server.stop().await;
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
}

async fn upgraded(path: &Path, at: Millis) -> Server {
    let mut plan = Plan::with(|config| {
        config.limits.burst = 10_000;
        // Nothing old is removed while the test looks at it.
        config.storage.keep_void_matches_ms = Millis(0);
        config.storage.keep_unused_guests_ms = Millis(0);
    });
    plan.store = open(path).await.expect("it is taken over");
    plan.clock = Arc::new(ManualClock::at(at));
    plan.start().await
}

/// Without the time.
fn lasting(mut attached: Value) -> Value {
    if let Some(snapshot) = attached["snapshot"].as_object_mut() {
        snapshot.remove("at_ms");
    }
    attached
}

/// A newer server may say more.
fn assert_has(now: &Value, before: &Value, place: &str) {
    match before.as_object() {
        Some(fields) => {
            for (name, value) in fields {
                assert_has(&now[name], value, &format!("{place}.{name}"));
            }
        }
        None => assert_eq!(now, before, "{place}"),
    }
}

#[tokio::test]
async fn players_find_what_they_left_and_play_on() {
    let (_directory, path) = copy();
    let seen = seen();
    let alive = Millis(seen["heartbeat"].as_u64().expect("a moment"));
    let server = upgraded(&path, alive.plus(Millis(60_000))).await;
    let mut clients = BTreeMap::new();
    for player in seen["players"].as_array().expect("players") {
        let mut client = server.connect().await;
        let welcome = client
            .ask(json!({"type":"hello","protocol":1,"token":player["token"]}))
            .await;
        assert_eq!(welcome["player"], player["player"]);
        let open = |welcome: &Value| {
            let open = welcome["obligations"].as_array().expect("obligations");
            let mut open: Vec<_> = open.iter().map(|open| open["match"].to_string()).collect();
            open.sort();
            open
        };
        assert_eq!(open(&welcome), open(player));
        let id = player["player"]["id"].as_str().expect("an id").to_owned();
        clients.insert(id, client);
    }
    let mut played = 0;
    for (id, before) in seen["matches"].as_object().expect("matches") {
        let by = before["by"].as_str().expect("an id");
        let Some(client) = clients.get_mut(by) else {
            panic!("{id} was shown to nobody who is back");
        };
        let before = &before["attached"];
        let status = before["snapshot"]["status"].as_str();
        let resumed = client
            .ask(json!({"type":"resume","match":id,"since_seq":0}))
            .await;
        if status != Some("live") {
            assert_has(&resumed, &lasting(before.clone()), id);
            continue;
        }
        for field in ["start", "position", "ply", "first", "second"] {
            assert_eq!(
                resumed["snapshot"][field], before["snapshot"][field],
                "{id}: {field}"
            );
        }
        // Whoever is to move moves: an illegal one is answered by a legal one.
        let to_move = resumed["snapshot"]["to_move"].as_str().expect("a seat");
        let mover = resumed["snapshot"][to_move]["id"].as_str();
        let mover = clients.get_mut(mover.expect("an id"));
        let mover = mover.expect("it is the turn of somebody who is back");
        mover.ask(json!({"type":"resume","match":id})).await;
        let ply = resumed["snapshot"]["ply"].as_u64().expect("a number") + 1;
        let move_of = |text: &str| json!({"type":"move","match":id,"ply":ply,"move":text});
        let refused = mover.ask(move_of("A-999999")).await;
        let legal = refused["example"].as_str().expect("a legal move");
        let accepted = mover.ask(move_of(legal)).await;
        assert_eq!(accepted["type"], "accepted", "{accepted}");
        played += 1;
    }
    assert_eq!(played, 5, "matches went on");
    let mut guest = server.guest("新来的").await;
    let code = &seen["waiting"]["code"];
    let joined = guest.ask(json!({"type":"join","code":code})).await;
    assert_eq!(joined["match"], seen["waiting"]["match"], "{joined}");
    server.stop().await;
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
}
