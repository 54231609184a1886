//! The pages of reviews and exercises: who may read them, and what they give away.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::common::faulty::Faulty;
use crate::common::{Plan, Server, in_time};
use crate::ended::all_counted;
use crate::pages::{page, read};
use crate::ratings::{event_in, lose_first_game, rated, resign};

/// A match of three moves in which both players threw a win away; its id, and the token of the first player.
async fn finished(server: &Server) -> (String, String) {
    let (mut first, mut second, id) = server.pair("nim:1,2").await;
    first.play(&id, 1, "A-1").await;
    second.play(&id, 2, "B-1").await;
    first.play(&id, 3, "B-1").await;
    event_in(&mut first, &id, "ended").await;
    (id, first.token.clone())
}

/// The page of the review, once that is made.
async fn reviewed(server: &Server, path: &str, more: &str) -> String {
    let made = async {
        loop {
            let (code, text) = read(server, &page(path, more)).await;
            assert_eq!(code, 200, "{path}: {text}");
            if !text.contains("data-wanted") {
                return text;
            }
        }
    };
    in_time("the review", made).await
}

#[tokio::test]
async fn a_review_is_painted_at_every_ply() {
    let server = Server::start().await;
    let (id, _) = finished(&server).await;
    all_counted(&*server.store).await;
    let path = format!("/g/{id}/review");
    let text = reviewed(&server, &path, "").await;
    // It opens where the match turned: before the first mistake, with what that took away.
    for words in [
        "<code>nim:1,2</code>",
        "first played A-1 ??.",
        "This gives the win away. Only B-1 keeps it (1 of 3 moves).",
        "first wins with best play, with 3 moves left.",
        "class=\"part chosen\" data-part=\"A.1\"",
        "href=\"?ply=3\"",
    ] {
        assert!(text.contains(words), "no '{words}': {text}");
    }
    // The answer gave the win back, so it is none.
    assert!(!text.contains("It was answered by"), "{text}");
    let at = |ply: &str| format!("{path}?ply={ply}");
    let last = reviewed(&server, &at("3"), "").await;
    assert!(last.contains("first has won."), "{last}");
    assert!(!last.contains("id=\"forward\""), "{last}");
    // What is beyond the end is the end, and what is no number says nothing.
    let marked = |text: &str| text.matches("aria-current=\"step\"").count();
    let beyond = reviewed(&server, &at("4000000000"), "").await;
    assert!(beyond.contains("first has won."), "{beyond}");
    let nonsense = reviewed(&server, &at("%3Cscript%3E"), "").await;
    assert!(nonsense.contains("first played A-1 ??."), "{nonsense}");
    assert_eq!(
        [&text, &last, &beyond, &nonsense].map(|text| marked(text)),
        [1; 4]
    );
    let chinese = reviewed(&server, &path, "Accept-Language: zh-CN\r\n").await;
    assert!(
        chinese.contains("这一步丢掉了胜势。只有 B-1 能保住"),
        "{chinese}"
    );
    let (_, plain) = read(
        &server,
        &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    )
    .await;
    assert!(
        plain.contains(&format!("grundy review {id} --server http://localhost")),
        "{plain}"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_review_says_how_the_match_ended_and_who_gave_up_a_won_position() {
    let server = Server::start().await;
    let (mut first, mut second, id) = server.pair("nim:1,2").await;
    first.play(&id, 1, "B-1").await;
    second.play(&id, 2, "A-1").await;
    first.ask(json!({"type":"resign","match":id})).await;
    event_in(&mut first, &id, "ended").await;
    all_counted(&*server.store).await;
    let path = format!("/g/{id}/review");
    for (language, told) in [
        (
            "en",
            [
                "second wins: first resigned.",
                "first gave up in a won position. This was decisive.",
            ],
        ),
        ("zh-CN", ["first 认输", "first 在必胜局面下认输"]),
    ] {
        let accept = format!("Accept-Language: {language}\r\n");
        let text = reviewed(&server, &path, &accept).await;
        for words in told {
            assert!(text.contains(words), "no '{words}': {text}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_match_without_a_move_has_nothing_to_review() {
    let server = Server::start().await;
    let (mut first, _second, id) = server.pair("nim:1,2").await;
    resign(&mut first, &id).await;
    event_in(&mut first, &id, "ended").await;
    for path in [format!("/g/{id}/review"), format!("/g/{id}/learn")] {
        let (code, text) = read(&server, &page(&path, "")).await;
        assert_eq!(code, 200, "{path}: {text}");
        assert!(text.contains("ended before its first move"), "{text}");
        assert!(!text.contains("<table"), "{text}");
    }
    server.stop().await;
}

#[tokio::test]
async fn exercises_name_no_solution() {
    let server = Server::start().await;
    let (id, token) = finished(&server).await;
    all_counted(&*server.store).await;
    let path = format!("/g/{id}/learn");
    let exercises = |text: &str| -> Value {
        let (_, from) = text.split_once("id=\"exercises\">").expect("exercises");
        let (json, _) = from.split_once("</script>").expect("an end");
        serde_json::from_str(json).expect("JSON")
    };
    let own = format!("Cookie: grundy={token}\r\n");
    let text = reviewed(&server, &path, &own).await;
    let first = json!({"ply":1,"position":"nim:1,2","to_move":"first","move":"A-1","drawn":false});
    let second =
        json!({"ply":2,"position":"nim:0,2","to_move":"second","move":"B-1","drawn":false});
    assert_eq!(exercises(&text), json!([first]));
    // The only winning move of the exercise is nowhere on the page.
    assert!(!text.contains("B-1"), "{text}");
    let text = reviewed(&server, &format!("{path}?side=second"), &own).await;
    assert_eq!(exercises(&text), json!([second]));
    let text = reviewed(&server, &path, "").await;
    assert_eq!(exercises(&text), json!([first, second]));
    server.stop().await;
}

#[tokio::test]
async fn no_review_of_a_match_that_goes_on_or_is_somebody_elses() {
    let server = Server::start().await;
    let (_first, _second, id) = server.pair("nim:3,5,7").await;
    let mut creator = server.guest("Ada").await;
    let created = creator
        .ask(json!({"type":"create","position":"nim:3,5,7","opponent":{"type":"invite"}}))
        .await;
    let hidden = created["match"].as_str().expect("a match").to_owned();
    for name in ["review", "learn"] {
        let (code, text) = read(&server, &page(&format!("/g/{id}/{name}"), "")).await;
        assert_eq!(code, 409, "{text}");
        assert!(text.contains("The match is still going on."), "{text}");
        for id in [hidden.as_str(), "aaaaaaaaaa", "nonsense"] {
            let (code, text) = read(&server, &page(&format!("/g/{id}/{name}"), "")).await;
            assert_eq!(code, 404, "{text}");
            assert!(text.contains("There is no match at this address"), "{text}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn whoever_plays_for_a_rating_reads_no_review() {
    let server = Server::start().await;
    let (over, _) = finished(&server).await;
    all_counted(&*server.store).await;
    let (mut ada, _bo, pair) = server.pair_with(rated()).await;
    let own = format!("Cookie: grundy={}\r\n", ada.token);
    let next = lose_first_game(&mut ada, &pair).await;
    let codes = async |id: &str, more: &str| {
        let mut codes = Vec::new();
        for name in ["review", "learn"] {
            codes.push(
                read(&server, &page(&format!("/g/{id}/{name}"), more))
                    .await
                    .0,
            );
        }
        codes
    };
    // Of another match nothing to a player of the pair; of the pair nothing to anybody.
    assert_eq!(codes(&over, &own).await, [403, 403]);
    assert_eq!(codes(&over, "").await, [200, 200]);
    assert_eq!(codes(&pair, &own).await, [409, 409]);
    assert_eq!(codes(&pair, "").await, [409, 409]);
    resign(&mut ada, &next).await;
    event_in(&mut ada, &next, "ended").await;
    assert_eq!(codes(&over, &own).await, [200, 200]);
    assert_eq!(codes(&pair, "").await, [200, 200]);
    server.stop().await;
}

#[tokio::test]
async fn whoever_cannot_be_looked_up_is_not_taken_for_a_stranger() {
    let store = Faulty::new();
    let plan = Plan {
        store: store.clone(),
        ..Plan::default()
    };
    let server = plan.start().await;
    let (over, _) = finished(&server).await;
    all_counted(&*server.store).await;
    let (ada, _bo, pair) = server.pair_with(rated()).await;
    let own = format!("Cookie: grundy={}\r\n", ada.token);
    let ask = async |path: &str, more: &str| read(&server, &page(path, more)).await;
    // The server has worked all of it out, for somebody who may know it.
    let lab = "/lab?position=nim:3,5,7";
    let (review, learn) = (format!("/g/{over}/review"), format!("/g/{over}/learn"));
    for path in [lab, &review, &learn, "/rules/nim"] {
        assert_eq!(ask(path, "").await.0, 200, "{path}");
    }
    store.strangers.store(true, Ordering::SeqCst);
    for path in [lab, &review, &learn] {
        let (code, text) = ask(path, &own).await;
        assert_eq!(code, 503, "{path}: {text}");
        assert!(!text.contains("class=\"sign wins\""), "{path}: {text}");
        assert!(!text.contains("id=\"exercises\""), "{path}: {text}");
        assert!(text.contains("<html lang=\"en\">"), "{path}: {text}");
    }
    let (code, text) = ask("/rules/nim", &own).await;
    assert_eq!(code, 200, "{text}");
    assert!(!text.contains("<table"), "{text}");
    // Nor is a match that is there said not to be.
    assert_eq!(ask(&format!("/g/{pair}"), &own).await.0, 503);
    assert_eq!(ask(&format!("/g/{pair}.svg"), &own).await.0, 503);
    // Who has no cookie needs no look.
    assert_eq!(ask(lab, "").await.0, 200);
    store.strangers.store(false, Ordering::SeqCst);
    assert_eq!(ask(lab, &own).await.0, 403);
    server.stop().await;
}
