//! Each match is reviewed once: after its end, or when somebody asks first. What was stored is served after a restart.

use std::sync::atomic::Ordering;

use grundy_server::data::location;
use grundy_server::fsck::fsck;
use grundy_server::metrics::BySource;
use grundy_server::store::{Commit, Projection, ReviewRow, Store};
use grundy_shared::ids::{MatchId, Millis};
use grundy_shared::review::StoredReview;
use grundy_shared::solver::VERSION;
use serde_json::{Value, json};

use crate::common::faulty::Faulty;
use crate::common::{Client, Plan, Server, in_time};
use crate::ended::all_counted;
use crate::ratings::{event_in, lose_first_game, rated, resign};

/// A match of three moves in which both players threw a win away; its id.
async fn finished(server: &Server) -> String {
    let (mut first, mut second, id) = server.pair("nim:1,2").await;
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    assert_eq!(second.play(&id, 2, "B-1").await["type"], "accepted");
    assert_eq!(first.play(&id, 3, "B-1").await["type"], "accepted");
    event_in(&mut first, &id, "ended").await;
    id
}

fn id_of(text: &str) -> MatchId {
    text.parse().expect("an id")
}

/// How many reviews came from there since the start.
fn from(server: &Server, source: &'static str) -> u64 {
    let reviews = &server.app.metrics.reviews;
    reviews.get_or_create(&BySource { source }).get()
}

async fn review(client: &mut Client, id: &str) -> Value {
    let reviewed = client.ask(json!({"type":"review","match":id})).await;
    assert_eq!(reviewed["type"], "reviewed", "{reviewed}");
    reviewed["review"].clone()
}

async fn stored(store: &dyn Store, id: &str) -> ReviewRow {
    let stored = async {
        loop {
            if let Some(row) = store.review(id_of(id)).await.expect("readable") {
                return row;
            }
            tokio::task::yield_now().await;
        }
    };
    in_time("the review", stored).await
}

#[tokio::test]
async fn an_idle_server_reviews_each_match_once_and_serves_it_after_a_restart() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = Plan::on_disk(directory.path()).await.start().await;
    let id = finished(&server).await;
    all_counted(&*server.store).await;
    let row = stored(&*server.store, &id).await;
    assert_eq!(row.version, VERSION);
    assert_eq!(from(&server, "idle"), 1);
    let mut asker = server.guest("Ann").await;
    let first = review(&mut asker, &id).await;
    assert_eq!(first["first"]["name"], "first", "{first}");
    assert_eq!(review(&mut asker, &id).await, first);
    assert_eq!(
        ["store", "memory", "solver"].map(|source| from(&server, source)),
        [1, 1, 0]
    );
    server.stop().await.close().await;

    let server = Plan::on_disk(directory.path()).await.start().await;
    let mut asker = server.guest("Bob").await;
    assert_eq!(review(&mut asker, &id).await, first);
    assert_eq!(
        ["store", "solver", "idle"].map(|source| from(&server, source)),
        [1, 0, 0]
    );
    server.stop().await.close().await;
    let report = fsck(&location(directory.path())).await;
    let report = report.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
}

#[tokio::test]
async fn a_review_of_another_version_or_one_that_cannot_be_read_is_made_anew() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = Plan::on_disk(directory.path()).await.start().await;
    let id = finished(&server).await;
    all_counted(&*server.store).await;
    let good = stored(&*server.store, &id).await;
    let mut asker = server.guest("Ann").await;
    let first = review(&mut asker, &id).await;
    server.stop().await.close().await;
    let other = ReviewRow {
        version: VERSION - 1,
        text: good.text.replace("Nim", "Min"),
    };
    let torn = ReviewRow {
        version: VERSION,
        text: good.text[..good.text.len() / 2].to_owned(),
    };
    for kept in [other, torn] {
        let server = Plan::on_disk(directory.path()).await.start().await;
        let projection = Projection::Review {
            match_id: id_of(&id),
            review: kept.clone(),
            most_bytes: 1_000_000,
        };
        let commit = Commit::default().with(projection);
        server.app.committer.commit(commit).await.expect("kept");
        let mut asker = server.guest("Bob").await;
        assert_eq!(review(&mut asker, &id).await, first);
        assert_eq!(from(&server, "solver"), 1);
        let replaced = async {
            while stored(&*server.store, &id).await == kept {
                tokio::task::yield_now().await;
            }
        };
        in_time("another review", replaced).await;
        assert_eq!(stored(&*server.store, &id).await, good);
        server.stop().await.close().await;
    }
    let report = fsck(&location(directory.path())).await;
    let report = report.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
}

#[tokio::test]
async fn who_asks_first_has_it_reviewed_and_counted_for_all() {
    let store = Faulty::new();
    store.none_uncounted.store(true, Ordering::SeqCst);
    let plan = Plan {
        store: store.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let id = finished(&server).await;
    let mut asker = server.guest("Ann").await;
    let said = review(&mut asker, &id).await;
    let row = stored(&*server.store, &id).await;
    let text = StoredReview::read(row.text).expect("a review");
    let counted = json!({"first":1,"second":1});
    assert_eq!(text.mistakes(), Ok(Some([1, 1])), "{said}");
    let listed = asker.ask(json!({"type":"list","status":"over"})).await;
    assert_eq!(listed["matches"][0]["mistakes"], counted, "{listed}");
    store.none_uncounted.store(false, Ordering::SeqCst);
    // The next match is reviewed, and this one not again.
    finished(&server).await;
    all_counted(&*server.store).await;
    assert_eq!(
        ["solver", "idle"].map(|source| from(&server, source)),
        [1, 1]
    );
    server.stop().await;
}

#[tokio::test]
async fn what_is_longer_than_the_bound_is_not_stored() {
    let server = Plan::with(|config| config.solver.stored_reviews_bytes = 0)
        .start()
        .await;
    let id = finished(&server).await;
    all_counted(&*server.store).await;
    let mut asker = server.guest("Ann").await;
    review(&mut asker, &id).await;
    assert_eq!(server.store.review(id_of(&id)).await, Ok(None));
    assert_eq!(from(&server, "solver"), 1);
    server.stop().await;
}

#[tokio::test]
async fn a_running_rated_pair_is_not_reviewed_and_its_players_get_no_stored_review() {
    let server = Server::start().await;
    let id = finished(&server).await;
    let (mut ada, _bo, pair) = server.pair_with(rated()).await;
    stored(&*server.store, &id).await;
    let mut other = server.guest("Cleo").await;
    review(&mut other, &id).await;
    // In memory, in the store: a player of a rated match gets it from neither.
    let ask = |id: &str| json!({"type":"review","match":id});
    assert_eq!(ada.ask(ask(&id)).await["code"], "rated_match");
    assert_eq!(other.ask(ask(&pair)).await["code"], "not_over");
    assert_eq!(ada.play(&pair, 1, "A-1").await["type"], "accepted");
    let next = lose_first_game(&mut ada, &pair).await;
    assert_eq!(ada.ask(ask(&id)).await["code"], "rated_match");
    for of in [&pair, &next] {
        assert_eq!(other.ask(ask(of)).await["code"], "not_over");
    }
    // A match that ends later is reviewed before it.
    let later = finished(&server).await;
    stored(&*server.store, &later).await;
    assert_eq!(server.store.review(id_of(&pair)).await, Ok(None));
    resign(&mut ada, &next).await;
    event_in(&mut ada, &next, "ended").await;
    all_counted(&*server.store).await;
    assert_eq!(review(&mut ada, &id).await, review(&mut other, &id).await);
    for of in [&pair, &next] {
        review(&mut ada, of).await;
    }
    // Nobody moved in the second game, so there is nothing to keep.
    assert_eq!(from(&server, "solver"), 1);
    server.stop().await;
}

/// A server whose one thread for long analyses has a minute for each, and reviews nothing unasked.
async fn unhurried() -> Server {
    let store = Faulty::new();
    store.none_uncounted.store(true, Ordering::SeqCst);
    let mut plan = Plan::with(|config| {
        config.solver.threads = 1;
        config.solver.cpu_ms = Millis(60_000);
        config.solver.nodes = 1_000_000_000;
    });
    plan.store = store;
    plan.start().await
}

/// A finished match of one move, of whose positions none is ever solved; its id.
async fn hard(server: &Server) -> String {
    let (mut first, mut second, id) = server
        .pair("cram:......../......../......../........@misere")
        .await;
    let played = first.play(&id, 1, "a1a2").await;
    let example = played["example"].as_str().map(str::to_owned);
    if let Some(legal) = example {
        assert_eq!(first.play(&id, 1, &legal).await["type"], "accepted");
    }
    resign(&mut second, &id).await;
    event_in(&mut first, &id, "ended").await;
    id
}

/// The next notice about a review of this client.
async fn reviewing(client: &mut Client) -> Value {
    let is_one = |frame: &Value| frame["body"]["type"] == "reviewing";
    let mut frame = client.find("a notice", is_one).await;
    frame["body"].take()
}

async fn cancelled(client: &mut Client, request: u64) {
    let cancel = json!({"type":"cancel","request":request});
    assert_eq!(client.ask(cancel).await, json!({"type":"done"}));
    let refused = client.reply(request).await;
    assert_eq!(refused["code"], "cancelled", "{refused}");
}

#[tokio::test]
async fn who_waits_for_a_review_is_told_its_place_and_progress_and_can_cancel_it() {
    let server = unhurried().await;
    let id = hard(&server).await;
    let ask = json!({"type":"review","match":id,"progress":true});
    let mut runs = server.guest("Ann").await;
    let first = runs.send(ask.clone()).await;
    // It waits for a moment, too, before the thread takes it.
    let told = loop {
        let told = reviewing(&mut runs).await;
        if told["place"].is_null() {
            break told;
        }
    };
    let expected =
        json!({"type":"reviewing","request":first,"match":id,"positions_done":0,"positions":2});
    assert_eq!(told, expected);
    let mut waits = server.guest("Bob").await;
    let second = waits.send(ask.clone()).await;
    assert_eq!(reviewing(&mut waits).await["place"], 1);
    let mut last = server.guest("Cyd").await;
    let third = last.send(ask.clone()).await;
    // Which of the two goes first depends on what their first attempts have used.
    let place = reviewing(&mut last).await["place"].as_u64();
    assert!(matches!(place, Some(1 | 2)), "{place:?}");
    cancelled(&mut waits, second).await;
    let nothing = json!({"type":"cancel","request":second});
    assert_eq!(waits.ask(nothing).await["type"], "done");
    // The next may be asked for at once.
    let solved = waits.ask(json!({"type":"solve","position":"nim:1"})).await;
    assert_eq!(solved["type"], "solved");
    // What was cancelled holds up nobody.
    if place == Some(2) {
        assert_eq!(reviewing(&mut last).await["place"], 1);
    }
    // The thread stops working on what nobody wants any more.
    cancelled(&mut runs, first).await;
    while !reviewing(&mut last).await["place"].is_null() {}
    cancelled(&mut last, third).await;
    let easy = finished(&server).await;
    review(&mut runs, &easy).await;
    server.stop().await;
}

#[tokio::test]
async fn a_review_that_gave_way_to_other_work_is_made_once_the_solver_is_idle() {
    let mut plan = Plan::with(|config| {
        config.solver.threads = 1;
        config.solver.cpu_ms = Millis(200);
        config.solver.nodes = 1_000_000_000;
    });
    let store = Faulty::new();
    store.none_uncounted.store(true, Ordering::SeqCst);
    plan.store = store.clone();
    let server = plan.start().await;
    // Who wins is a formula, so the mistakes are counted at once. The lengths are searched for until the time is over.
    let (mut first, mut second, id) = server.pair("wythoff:6000,5000").await;
    assert_eq!(first.play(&id, 1, "A-1").await["type"], "accepted");
    resign(&mut second, &id).await;
    event_in(&mut first, &id, "ended").await;
    store.none_uncounted.store(false, Ordering::SeqCst);
    // Somebody keeps the solver busy until the match has been counted.
    let mut asker = server.guest("Ann").await;
    let hard = "cram:......../......../......../........@misere";
    let counted = async {
        loop {
            asker.ask(json!({"type":"solve","position":hard})).await;
            let listed = asker.ask(json!({"type":"list","status":"over"})).await;
            if listed["matches"][0]["mistakes"].is_object() {
                break;
            }
        }
    };
    in_time("a count", counted).await;
    assert_eq!(server.store.review(id_of(&id)).await, Ok(None));
    assert_eq!(from(&server, "idle"), 0);
    // Nobody asks for the review, and nothing else is to be done.
    let row = stored(&*server.store, &id).await;
    assert_eq!(from(&server, "idle"), 1);
    let review = StoredReview::read(row.text).expect("a review");
    assert_eq!(review.plies_total(), Ok(1));
    server.stop().await;
}
