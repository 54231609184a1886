//! Finished matches in the order in which they ended, and the mistakes in them.

use std::sync::atomic::Ordering;

use crate::common::faulty::Faulty;
use crate::common::{Client, Plan, Server, in_time, until};
use grundy_server::store::{Order, Page, Store};
use serde_json::{Value, json};

/// Waits until the mistakes of all finished matches are counted.
pub(crate) async fn all_counted(store: &dyn Store) {
    left_uncounted(store, &[]).await;
}

/// Waits until only the mistakes of these matches are not counted, in the order of their ends.
async fn left_uncounted(store: &dyn Store, ids: &[&str]) {
    let counted = async {
        let left = || async {
            let page = Page {
                order: Order::Ended,
                from: None,
                limit: ids.len() + 1,
            };
            let left = store.uncounted(page).await.expect("readable");
            left.iter()
                .map(|one| one.id.to_string())
                .collect::<Vec<_>>()
        };
        while left().await != ids {
            tokio::task::yield_now().await;
        }
    };
    in_time("the counts", counted).await;
}

fn ids(page: &Value) -> Vec<String> {
    let matches = page["matches"].as_array();
    let matches = matches.unwrap_or_else(|| panic!("{page}"));
    let id = |entry: &Value| entry["match"].as_str().expect("an id").to_owned();
    matches.iter().map(id).collect()
}

async fn invite(creator: &mut Client, other: &mut Client, position: &str) -> String {
    let create =
        json!({"type":"create","position":position,"side":"first","opponent":{"type":"invite"}});
    let created = creator.ask(create).await;
    let join = json!({"type":"join","code":created["code"]});
    assert_eq!(other.ask(join).await["type"], "joined");
    created["match"].as_str().expect("an id").to_owned()
}

async fn resign(client: &mut Client, id: &str) {
    let done = client.ask(json!({"type":"resign","match":id})).await;
    assert_eq!(done["type"], "done", "{done}");
}

#[tokio::test]
async fn a_reader_of_ends_misses_no_match_that_ends_after_a_newer_one() {
    let server = Server::start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let mut cay = server.guest("Cay").await;
    let mut made = Vec::new();
    for _ in 0..4 {
        made.push(invite(&mut ann, &mut bo, "nim:1").await);
    }
    let of_others = invite(&mut cay, &mut bo, "nim:1").await;
    let (mut seen, mut place) = (Vec::new(), Value::Null);
    // The newest ends first, and each is read as it ends.
    for number in [3, 1, 0, 2] {
        resign(&mut bo, &made[number]).await;
        if number == 1 {
            resign(&mut bo, &of_others).await;
            // Nothing is read at this end; the match comes with the next one.
            continue;
        }
        loop {
            let mut ask = json!({"type":"list","mine":true,"order":"ended","limit":1});
            if place.is_string() {
                ask["before"] = place.clone();
            }
            let page = ann.ask(ask).await;
            let found = ids(&page);
            let [entry] = &found[..] else {
                assert_eq!(page["next"], Value::Null, "{page}");
                break;
            };
            seen.push(entry.clone());
            place = page["matches"][0]["place"].clone();
        }
    }
    let expected: Vec<_> = [3, 1, 0, 2]
        .map(|number: usize| made[number].clone())
        .into();
    assert_eq!(seen, expected);
    // Everybody sees all finished matches, and no others.
    invite(&mut ann, &mut bo, "nim:1").await;
    let all = cay.ask(json!({"type":"list","order":"ended"})).await;
    let mut expected = expected;
    expected.insert(2, of_others);
    assert_eq!(ids(&all), expected);
    // Other orders have no places, and a place of one order is not valid in another.
    let newest = ann.ask(json!({"type":"list","mine":true})).await;
    assert_eq!(newest["matches"][1]["place"], Value::Null, "{newest}");
    for ask in [
        json!({"type":"list","before":place}),
        json!({"type":"list","order":"ended","before":"1"}),
    ] {
        let refused = ann.ask(ask).await;
        assert_eq!(
            (&refused["code"], &refused["field"]),
            (&json!("out_of_range"), &json!("before")),
            "{refused}"
        );
    }
    // Nothing in this order is going on, and no store is searched for it.
    for status in ["waiting", "live"] {
        let refused = ann
            .ask(json!({"type":"list","order":"ended","status":status}))
            .await;
        assert_eq!(
            (&refused["code"], &refused["field"]),
            (&json!("out_of_range"), &json!("status")),
            "{refused}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn mistakes_are_counted_after_the_end_and_can_be_searched_for() {
    let server = Plan::with(|config| config.solver.review_plies = 4)
        .start()
        .await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    // Ann gives the win away with her first move, and Bo gives it back; the last move wins.
    let thrown = invite(&mut ann, &mut bo, "nim:1,2").await;
    for (ply, text) in [(1, "A-1"), (2, "B-1"), (3, "B-1")] {
        let client = match ply % 2 {
            1 => &mut ann,
            _ => &mut bo,
        };
        assert_eq!(client.play(&thrown, ply, text).await["type"], "accepted");
    }
    let clean = invite(&mut ann, &mut bo, "nim:1").await;
    assert_eq!(ann.play(&clean, 1, "A-1").await["type"], "accepted");
    // Longer than the longest match that is reviewed here.
    let long = invite(&mut ann, &mut bo, "nim:1,1,1,1,1").await;
    for (ply, heap) in (1..).zip(["A", "B", "C", "D", "E"]) {
        let client = match ply % 2 {
            1 => &mut ann,
            _ => &mut bo,
        };
        let played = client.play(&long, ply, &format!("{heap}-1")).await;
        assert_eq!(played["type"], "accepted");
    }
    let running = invite(&mut ann, &mut bo, "nim:1").await;
    all_counted(&*server.store).await;

    let mut cay = server.guest("Cay").await;
    let all = cay.ask(json!({"type":"list","order":"oldest"})).await;
    let shown = |number: usize| {
        let entry = &all["matches"][number];
        (entry["mistakes"].clone(), entry["mistakes_unknown"].clone())
    };
    assert_eq!(ids(&all), [&*thrown, &*clean, &*long, &*running]);
    let counts = |first: u32, second: u32| json!({"first":first,"second":second});
    assert_eq!(shown(0), (counts(1, 1), Value::Null), "{all}");
    assert_eq!(shown(1), (counts(0, 0), Value::Null));
    assert_eq!(shown(2), (Value::Null, json!(true)));
    assert_eq!(shown(3), (Value::Null, Value::Null));
    // The counts of a review.
    let review = cay.ask(json!({"type":"review","match":thrown})).await;
    let points = review["review"]["turning_points"].as_array();
    let seats: Vec<_> = points
        .expect("a list")
        .iter()
        .map(|point| &point["seat"])
        .collect();
    assert_eq!(seats, ["first", "second"]);

    for (ask, expected) in [
        (json!({"only":{"min_mistakes":1}}), vec![&thrown]),
        (json!({"only":{"max_mistakes":0}}), vec![&clean]),
        (
            json!({"player":"Bo","only":{"min_mistakes":1}}),
            vec![&thrown],
        ),
        (json!({"player":"Bo","only":{"min_mistakes":2}}), vec![]),
        (
            json!({"player":"Bo","only":{"min_mistakes":0,"max_mistakes":1,"mistakes_by":"opponent"},"order":"oldest"}),
            vec![&thrown, &clean],
        ),
        (json!({"player":"Cay","only":{"min_mistakes":0}}), vec![]),
    ] {
        let mut ask = ask;
        ask["type"] = json!("list");
        let page = cay.ask(ask.clone()).await;
        assert_eq!(
            ids(&page),
            expected.into_iter().cloned().collect::<Vec<_>>(),
            "{ask}"
        );
        // One match is too long to be counted, and every search reports it.
        let passed_over = match ask["player"] == "Cay" {
            true => Value::Null,
            false => json!(1),
        };
        assert_eq!(
            (&page["unknown"], &page["uncounted"]),
            (&passed_over, &Value::Null),
            "{ask}"
        );
    }
    let refused = cay
        .ask(json!({"type":"list","only":{"min_mistakes":1,"mistakes_by":"player"}}))
        .await;
    assert_eq!(
        (&refused["code"], &refused["field"]),
        (&json!("missing_field"), &json!("player"))
    );
    server.stop().await;
}

/// A player in a rated match gets no help from the solver's results for other matches.
#[tokio::test]
async fn mistakes_are_hidden_from_players_of_rated_matches() {
    let server = Server::start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let thrown = invite(&mut ann, &mut bo, "nim:1,2").await;
    assert_eq!(ann.play(&thrown, 1, "A-1").await["type"], "accepted");
    resign(&mut bo, &thrown).await;
    all_counted(&*server.store).await;
    let terms = json!({
        "position": "nim:1,2",
        "clock": {"type":"fischer","base_ms":60_000,"increment_ms":0},
        "games": 2,
        "rated": true,
    });
    let (mut ada, _, first_game) = server.pair_with(terms).await;
    let list = json!({"type":"list","player":"Ann"});
    let seen = ann.ask(list.clone()).await;
    assert_eq!(
        seen["matches"][0]["mistakes"],
        json!({"first":1,"second":0})
    );
    let hidden = ada.ask(list).await;
    assert_eq!(ids(&hidden), [&*thrown]);
    assert_eq!(hidden["matches"][0]["mistakes"], Value::Null, "{hidden}");
    let search = json!({"type":"list","only":{"min_mistakes":1}});
    assert_eq!(ada.ask(search.clone()).await["code"], "rated_match");
    // The same holds between the games of the pair. Until both are over, nobody sees what the solver finds in the first.
    resign(&mut ada, &first_game).await;
    let mut ended = ada
        .find("the end", |frame| {
            frame["match"] == *first_game && frame["body"]["type"] == "ended"
        })
        .await;
    let next = ended["body"]["next"].take();
    let next = next.as_str().expect("a second game");
    // This match ends later and is counted before it.
    let later = invite(&mut ann, &mut bo, "nim:1,2").await;
    resign(&mut bo, &later).await;
    left_uncounted(&*server.store, &[&first_game]).await;
    assert_eq!(ada.ask(search.clone()).await["code"], "rated_match");
    let of_pair = json!({"type":"list","player":ada.player,"status":"over"});
    let hidden = ann.ask(of_pair.clone()).await;
    assert_eq!(ids(&hidden), [&*first_game]);
    assert_eq!(hidden["matches"][0]["mistakes"], Value::Null, "{hidden}");
    let mut searched = of_pair.clone();
    searched["only"] = json!({"min_mistakes":0});
    let searched = ann.ask(searched).await;
    assert_eq!(
        (ids(&searched).len(), &searched["uncounted"]),
        (0, &json!(1)),
        "{searched}"
    );
    resign(&mut ada, next).await;
    all_counted(&*server.store).await;
    let shown = ann.ask(of_pair).await;
    assert!(
        shown["matches"][1]["mistakes"].is_object() && ids(&shown)[1] == first_game,
        "{shown}"
    );
    server.stop().await;
}

/// A match that cannot be read for a moment is counted later, without a restart.
#[tokio::test]
async fn a_match_that_cannot_be_read_for_a_moment_is_counted_later() {
    let store = Faulty::new();
    let mut plan = Plan::with(|_| {});
    plan.store = store.clone();
    let server = plan.start().await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    let id = invite(&mut ann, &mut bo, "nim:1,2").await;
    store.busy.store(true, Ordering::SeqCst);
    resign(&mut bo, &id).await;
    until("a read that is refused", || {
        store.refused.load(Ordering::SeqCst) > 0
    })
    .await;
    left_uncounted(&*server.store, &[&id]).await;
    store.busy.store(false, Ordering::SeqCst);
    all_counted(&*server.store).await;
    server.stop().await;
}

/// Pages that are cut to fit a message say of each match once that it was left out.
#[tokio::test]
async fn what_is_left_out_is_counted_once_where_pages_are_cut() {
    let server = Plan::with(|config| config.solver.review_plies = 0)
        .start()
        .await;
    let (mut ann, mut bo) = (server.guest("Ann").await, server.guest("Bo").await);
    // One message has room for a few of them.
    let start = format!("nim:2{}", ",1".repeat(7_500));
    let (mut known, mut unknown) = (Vec::new(), 0);
    for number in 0..18 {
        let id = invite(&mut ann, &mut bo, &start).await;
        if number % 3 == 0 {
            known.push(id.clone());
        } else {
            assert_eq!(ann.play(&id, 1, "A-1").await["type"], "accepted");
            unknown += 1;
        }
        resign(&mut bo, &id).await;
    }
    all_counted(&*server.store).await;
    let mut pages = Vec::new();
    let mut before = Value::Null;
    loop {
        let mut ask = json!({"type":"list","order":"oldest","only":{"min_mistakes":0}});
        if before.is_string() {
            ask["before"] = before;
        }
        let page = bo.ask(ask).await;
        before = page["next"].clone();
        pages.push((ids(&page), page["unknown"].as_u64().unwrap_or(0)));
        if before.is_null() {
            break;
        }
    }
    let found: Vec<_> = pages.iter().flat_map(|(ids, _)| ids.clone()).collect();
    assert_eq!(found, known);
    assert!(pages.len() > 1, "{pages:?}");
    let left_out: u64 = pages.iter().map(|(_, unknown)| unknown).sum();
    assert_eq!(left_out, unknown, "{pages:?}");
    server.stop().await;
}
