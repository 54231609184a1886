//! Games that end as soon as the solver proves who wins.

use std::fs;

use serde_json::Value;

use crate::arena::{FOUR, arena, games, lines};
use crate::program::Home;

fn word<'g>(game: &'g Value, name: &str) -> &'g str {
    game[name].as_str().expect("a word")
}

/// The heaps of a game of Nim after its moves.
fn heaps(game: &Value) -> Vec<u64> {
    let start = word(game, "start").strip_prefix("nim:").expect("Nim");
    let mut heaps: Vec<u64> = start
        .split(',')
        .map(|heap| heap.parse().expect("a number"))
        .collect();
    for mv in word(game, "moves").split(' ') {
        let (heap, taken) = mv.split_once('-').expect("a move");
        let heap = usize::from(heap.as_bytes()[0] - b'A');
        heaps[heap] -= taken.parse::<u64>().expect("a number");
    }
    heaps
}

#[test]
fn a_game_ends_after_so_many_moves_with_the_winner_that_theory_names() {
    let home = Home::new();
    for accuracy in [&[][..], &["--no-accuracy"]] {
        let run = |concurrency, rest: &[&str]| {
            let settings = [
                "--start",
                "nim:30,40,50,60",
                "--pairs",
                "4",
                "--seed",
                "5",
                "--adjudicate",
                "3",
                "--json",
                "--concurrency",
                concurrency,
            ];
            arena(&home, &FOUR, &[&settings, accuracy, rest].concat())
        };
        let ran = run("1", &["--out", "out"]);
        let all = games(&ran);
        let mut winners = std::collections::BTreeSet::new();
        for game in &all {
            assert_eq!(game["cause"], "decided", "{game}");
            assert_eq!(word(game, "moves").split(' ').count(), 3, "{game}");
            // The second player is to move, and wins unless the nim-sum is 0.
            let sum = heaps(game).into_iter().fold(0, |sum, heap| sum ^ heap);
            let winner = if sum == 0 { "first" } else { "second" };
            assert_eq!(game["outcome"], winner, "{game}");
            winners.insert(winner);
        }
        assert_eq!(winners.len(), 2, "both are seen");
        assert!(run("3", &[]).stdout == ran.stdout);
        let verified = home.run(&["verify", "arena", "out"]);
        assert_eq!(verified.code, Some(0), "{verified:?}");
        // A game that did not end there, or otherwise, is found.
        let path = home.file("out/journal.ndjson");
        let journal = fs::read_to_string(&path).expect("a journal");
        let game = lines(&journal).swap_remove(1);
        let other = match game["outcome"] == "first" {
            true => "second",
            false => "first",
        };
        let line = journal.lines().nth(1).expect("a game");
        for forged in [
            line.replace(
                &format!("\"outcome\":{}", game["outcome"]),
                &format!("\"outcome\":\"{other}\""),
            ),
            line.replace("\"cause\":\"decided\"", "\"cause\":\"resign\""),
        ] {
            assert_ne!(forged, line);
            fs::write(&path, journal.replacen(line, &forged, 1)).expect("a journal");
            let found = home.run(&["verify", "arena", "out"]);
            assert_eq!(found.code, Some(10), "{found:?}");
            assert!(found.stdout.contains("by decided"), "{found:?}");
        }
        fs::remove_dir_all(home.file("out")).expect("a directory");
    }
}

#[test]
fn an_adjudicated_arena_is_resumed_with_the_same_bytes() {
    let home = Home::new();
    let rest = [
        "--pairs",
        "3",
        "--seed",
        "2",
        "--adjudicate",
        "2",
        "--json",
        "--out",
        "out",
    ];
    let whole = arena(&home, &FOUR, &rest);
    let path = home.file("out/journal.ndjson");
    let journal = fs::read_to_string(&path).expect("a journal");
    let kept: Vec<&str> = journal.lines().take(7).collect();
    fs::write(&path, kept.join("\n") + "\n").expect("a journal");
    let ran = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
    assert!(ran.stdout == whole.stdout, "{ran:?}");
    let conflict = home.run(&["arena", "--resume", "out", "--adjudicate", "2"]);
    assert_eq!(conflict.code, Some(2), "{conflict:?}");
    // Without it games are played out; and a game without a move is none.
    let played = games(&arena(&home, &FOUR, &["--pairs", "1", "--json"]));
    assert!(played.iter().all(|game| game["cause"] == "normal"));
    let zero = arena(&home, &FOUR, &["--adjudicate", "0"]);
    assert_eq!(zero.code, Some(2), "{zero:?}");
}
