//! Finished matches in the order in which they ended, and the mistakes in them.

use crate::common::{Client, Plan, Server, in_time};
use grundy_server::store::{Order, Page, Store};
use serde_json::{Value, json};

/// Waits until the mistakes of all finished matches are counted.
pub(crate) async fn all_counted(store: &dyn Store) {
    let counted = async {
        let page = || Page {
            order: Order::Ended,
            from: None,
            limit: 1,
        };
        while !store.uncounted(page()).await.expect("readable").is_empty() {
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
    // The same holds between the games of the pair.
    resign(&mut ada, &first_game).await;
    all_counted(&*server.store).await;
    assert_eq!(ada.ask(search).await["code"], "rated_match");
    server.stop().await;
}
