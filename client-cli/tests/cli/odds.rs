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

/// One start from which too many positions can be reached does not end the list.
#[test]
fn a_start_that_is_too_large_is_left_out_and_counted() {
    let home = Home::new();
    let fair = ["fair", "--family", "kayles", "--skills", "0.9,0.7"];
    let small = ["--heaps", "2", "--max", "3", "--json"];
    let ran = home.run(&[&fair[..], &small].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json()["left_out"], 0);
    let both = ["--heaps", "1", "--max", "200", "--misere", "--json"];
    let ran = home.run(&[&fair[..], &both].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let shown = ran.json();
    assert!(shown["left_out"].as_u64() > Some(0), "{shown}");
    assert!(shown["compared"].as_u64() > Some(5), "{shown}");
    let of = |key: &str| shown[key].as_u64().unwrap_or_default();
    assert_eq!(of("left_out") + of("compared"), 200);
    assert!(ran.stderr.contains("left out"), "{ran:?}");
}

/// A game with two heaps needs no --heaps, and --fair needs no start.
#[test]
fn the_number_of_heaps_suits_the_game_and_a_position_is_refused() {
    let home = Home::new();
    let fair = [
        "fair", "--family", "wythoff", "--skills", "0.9,0.7", "--max", "4",
    ];
    let ran = home.run(&[&fair[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json()["compared"], 10);
    for position in ["nim:3,5,7", "nim@misere"] {
        let ran = home.run(&["play", position, "--fair", "0.6", "--local"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("only the name of a game"), "{ran:?}");
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
