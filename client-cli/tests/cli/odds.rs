//! `odds`, `fair` and `play --fair`.

use serde_json::json;

use crate::program::Home;

#[test]
fn odds_are_shown_for_both_orders() {
    let home = Home::new();
    let ran = home.run(&["odds", "nim:3,5,6", "--skills", "best,random"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stdout,
        "nim:3,5,6\n\n  \
         moves first  moves second     first wins   second wins  exactly\n  \
         best         random        above 99.99 %  below 0.01 %  135134/135135\n  \
         random       best                    0 %         100 %  0\n",
        "{ran:?}"
    );
    let ran = home.run(&["odds", "nim:2,2,6", "--skills", "0.5,0.75", "--json"]);
    let shown = ran.json();
    assert_eq!(shown["schema"], "grundy/odds/1");
    let value = shown["odds"][0]["first_wins"].as_f64().expect("a number");
    assert!((value - 0.4985).abs() < 5e-5, "{shown}");
    assert_eq!(shown["odds"][1]["first"], "0.75");
    // Equal players: one order.
    let ran = home.run(&["odds", "nim:1,2", "--skills", "1,1", "--json"]);
    assert_eq!(
        ran.json()["odds"],
        json!([{"first": "perfect", "second": "perfect", "first_wins": 1.0, "exact": "1", "positions": 8}])
    );
}

#[test]
fn fair_starts_are_listed_most_even_first() {
    let home = Home::new();
    let ran = home.run(&["fair", "--skills", "0.5,0.75", "--count", "5", "--json"]);
    let shown = ran.json();
    let starts = shown["starts"].as_array().expect("a list");
    assert_eq!(starts.len(), 5, "{shown}");
    let distance = |place: usize| {
        let value = starts[place]["first_wins"].as_f64().expect("a number");
        (value - 0.5).abs()
    };
    for place in 1..5 {
        assert!(distance(place - 1) <= distance(place) && distance(place) <= 0.01);
    }
    let ran = home.run(&["fair", "--skills", "1,1", "--heaps", "2", "--max", "3"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stderr.contains("None of 6 starts"), "{ran:?}");
}

#[test]
fn what_has_no_odds_is_refused_with_an_example() {
    let home = Home::new();
    for (words, code, says) in [
        (
            vec!["odds", "nim:3", "--skills", "0.5"],
            2,
            "write two players",
        ),
        (
            vec!["odds", "nim:3", "--skills", "0.5,1.5"],
            2,
            "'1.5' is not a player",
        ),
        (
            vec!["odds", "nim:3,5", "--skills", "0.5,greedy"],
            2,
            "'greedy' is not a player",
        ),
        (
            vec!["odds", "nim:1000000", "--skills", "0.5,0.5"],
            3,
            "more positions or moves",
        ),
        (
            vec!["odds", "loopy.0-1.1-0:0", "--skills", "0.5,0.5"],
            3,
            "every line of play ends",
        ),
        (
            vec!["odds", "nim:3,,5", "--skills", "0.5,0.5"],
            3,
            "nim:3,,5",
        ),
        (
            vec!["fair", "--family", "cram", "--skills", "0.5,0.5"],
            3,
            "lists of heaps",
        ),
        (
            vec!["fair", "--heaps", "x", "--skills", "0.5,0.5"],
            2,
            "write a range",
        ),
        (
            vec!["fair", "--heaps", "4-2", "--skills", "0.5,0.5"],
            3,
            "4 to 2 heaps",
        ),
        (
            vec!["fair", "--heaps", "8", "--max", "99", "--skills", "0.5,0.5"],
            3,
            "20000 starts",
        ),
        (
            vec!["play", "--local", "--fair", "0.5", "--bot", "greedy"],
            2,
            "it is not known how often",
        ),
        (
            vec!["play", "cram", "--local", "--fair", "0.5"],
            3,
            "lists of heaps",
        ),
        (
            vec!["play", "--local", "--fair", "2"],
            2,
            "'2' is not a player",
        ),
    ] {
        let ran = home.run(&words);
        assert_eq!(ran.code, Some(code), "{words:?}: {ran:?}");
        assert!(ran.stderr.contains(says), "{words:?}: {ran:?}");
    }
}

#[test]
fn a_fair_match_begins_with_a_fair_start() {
    let home = Home::new();
    let ran = home.run(&[
        "play",
        "--local",
        "--fair",
        "0.5",
        "--bot",
        "skill:0.8",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("\"nim:"), "{ran:?}");
}
