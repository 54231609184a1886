//! What the figures of an arena say where something was not computed, or was not played to its end.

use std::fs;

use serde_json::Value;

use crate::arena::{arena, lines};
use crate::program::{Home, Ran};

fn final_line(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    lines(&ran.stdout).pop().expect("lines")
}

fn is_verified(home: &Home) {
    let ran = home.run(&["verify", "arena", "out"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn what_the_solver_was_not_asked_is_null_and_says_why() {
    let home = Home::new();
    let bots = ["--bot", "one=perfect", "--bot", "two=random"];
    let rest = ["--pairs", "3", "--seed", "4", "--no-accuracy"];
    let ran = arena(
        &home,
        &bots,
        &[&rest[..], &["--json", "--out", "out"]].concat(),
    );
    let last = final_line(&ran);
    let duel = &last["duel"];
    assert!(duel["sound"].is_null(), "{duel}");
    assert!(duel["double_upsets"].is_null(), "{duel}");
    let why = duel["why"].to_string();
    assert!(why.contains("--no-accuracy"), "{duel}");
    for row in last["standings"].as_array().expect("a list") {
        for figure in [
            "kept",
            "won",
            "accuracy",
            "accuracy_lo",
            "accuracy_hi",
            "trickiness",
        ] {
            assert!(row[figure].is_null(), "{figure}: {row}");
        }
        for why in ["accuracy_why", "trickiness_why"] {
            let words = row[why].as_str().expect("words");
            assert!(words.contains("--no-accuracy"), "{row}");
        }
    }
    is_verified(&home);
    let table = fs::read_to_string(home.file("out/standings.csv")).expect("a file");
    let row = table.lines().nth(1).expect("a line");
    assert!(row.ends_with(",,,,,,0"), "{table}");
    let text = arena(&home, &bots, &rest).stdout;
    assert!(text.contains("1-1 "), "{text}");
    assert!(!text.contains("sound") && !text.contains("upset"), "{text}");
    assert!(!text.contains("--no-accuracy"), "{text}");
}

#[test]
fn accuracy_and_trickiness_that_no_game_determines_say_why() {
    let home = Home::new();
    let bots = ["--bot", "one=perfect", "--bot", "two=perfect"];
    // There is one move, and it wins.
    let rest = ["--pairs", "2", "--start", "nim:1", "--json"];
    let last = final_line(&arena(&home, &bots, &rest));
    assert_eq!(last["duel"]["sound"], 2, "{last}");
    for row in last["standings"].as_array().expect("a list") {
        assert_eq!((&row["kept"], &row["won"]), (&0.into(), &0.into()), "{row}");
        for (figure, why) in [
            ("accuracy", "accuracy_why"),
            ("trickiness", "trickiness_why"),
        ] {
            assert!(row[figure].is_null(), "{row}");
            assert!(row[why].is_string(), "{row}");
        }
    }
    let rest = ["--pairs", "20", "--seed", "1", "--json"];
    let last = final_line(&arena(
        &home,
        &["--bot", "perfect", "--bot", "random"],
        &rest,
    ));
    for row in last["standings"].as_array().expect("a list") {
        assert!(row["accuracy"].is_number(), "{row}");
        assert!(row.get("accuracy_why").is_none(), "{row}");
    }
}

/// A tie-break of the bot in this place.
fn tie_break(last: &Value, place: usize, name: &str) -> Value {
    let all = last["standings"][place]["tie_breaks"].as_array();
    let all = all.expect("a list").iter();
    let found = all.filter(|tie_break| tie_break[0] == name);
    found
        .map(|tie_break| tie_break[1].clone())
        .next()
        .expect(name)
}

#[test]
fn a_match_that_was_won_counts_as_a_win_though_not_every_game_was() {
    let home = Home::new();
    let bots = [
        "--bot",
        "skill:0.8",
        "--bot",
        "skill:0.6",
        "--bot",
        "skill:0.1",
    ];
    for format in ["round-robin", "double-round-robin", "gauntlet"] {
        let rest = [
            "--pairs", "60", "--seed", "3", "--json", "--format", format, "--out", "out",
        ];
        let last = final_line(&arena(&home, &bots, &rest));
        let rows = last["standings"].as_array().expect("a list");
        assert_eq!(rows[0]["name"], "skill:0.8", "{last}");
        assert!(rows[0]["losses"].as_u64().expect("a number") > 0, "{last}");
        let rounds = if format == "double-round-robin" {
            2.0
        } else {
            1.0
        };
        assert_eq!(tie_break(&last, 0, "WIN"), 2.0 * rounds, "{format}: {last}");
        assert_eq!(tie_break(&last, 2, "WIN"), 0.0, "{format}: {last}");
        is_verified(&home);
        fs::remove_dir_all(home.file("out")).expect("a directory");
    }
    let level = ["--bot", "one=perfect", "--bot", "two=perfect"];
    let last = final_line(&arena(&home, &level, &["--pairs", "2", "--json"]));
    assert_eq!(tie_break(&last, 0, "WIN"), 0.0, "a level match is no win");
    assert_eq!(last["standings"][1]["rank"], 1, "{last}");
}

/// The lines of the players in the tournament file.
fn players(home: &Home) -> Vec<String> {
    let trf = fs::read_to_string(home.file("out/tournament.trf")).expect("a file");
    let lines = trf.lines().filter(|line| line.starts_with("001"));
    lines.map(str::to_owned).collect()
}

#[test]
fn the_tournament_file_of_an_arena_that_a_test_ended_has_what_was_played() {
    let home = Home::new();
    let bots = ["--bot", "perfect", "--bot", "random"];
    for (format, rounds) in [("round-robin", 1), ("double-round-robin", 1)] {
        let rest = [
            "--pairs",
            "5000",
            "--sprt",
            "elo0=0,elo1=10",
            "--seed",
            "3",
            "--json",
            "--format",
            format,
            "--out",
            "out",
        ];
        let last = final_line(&arena(&home, &bots, &rest));
        assert_eq!(last["sprt"]["verdict"], "H1", "{last}");
        let players = players(&home);
        assert_eq!(&players[0][80..84], " 1.0", "{players:?}");
        assert!(players[0].contains("   2 w 1"), "{players:?}");
        assert!(players[1].contains("   1 b 0"), "{players:?}");
        assert_eq!(players[0].trim_end().len(), 89 + 10 * rounds, "{players:?}");
        assert_eq!(tie_break(&last, 0, "WIN"), 1.0, "{last}");
        is_verified(&home);
        fs::remove_dir_all(home.file("out")).expect("a directory");
    }
}
