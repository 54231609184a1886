//! `grundy explore`: a walk through a match and from a position.

use serde_json::Value;

use crate::program::{Home, Ran};

/// An address at which no server answers.
const NOWHERE: &str = "http://127.0.0.1:1";

/// A home with the record of a match of four moves.
fn with_match() -> Home {
    let home = Home::at(NOWHERE);
    let play = [
        "play",
        "nim:3,5,7",
        "--local",
        "--two",
        "--record",
        "m.ndjson",
    ];
    let ran = home.feed(&play, "a1\nc7\nb5\na2\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    home
}

fn explore(home: &Home, arguments: &[&str], typed: &str) -> Ran {
    let ran = home.feed(&[&["explore"], arguments].concat(), typed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

fn answers(ran: &Ran) -> Vec<Value> {
    let json = |line: &str| serde_json::from_str(line).expect("JSON");
    ran.stdout.lines().map(json).collect()
}

#[test]
fn a_match_is_walked_through_in_sentences() {
    let home = with_match();
    let ran = explore(&home, &["m.ndjson"], "next 2\nB-3\nmatch\nend\n");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let expected = [
        "Ply 0 of 4. Heaps A 3, B 5, C 7.",
        "Position: nim:3,5,7",
        "The first player is to move and wins. Nim-value 1. 15 moves left with best play. Winning moves: A-1, B-1, C-1 (3 of 15).",
        "The match went on with A-1, which wins.",
        "Ply 2 of 4. Heaps A 2, B 5, C 0.",
        "Position: nim:2,5,0",
        "The first player is to move and wins. Nim-value 7. 5 moves left with best play. Winning moves: B-3 (1 of 7).",
        "The match went on with B-5, which gives the win away.",
        "Variation from ply 2 of 4: B-3. Heaps A 2, B 2, C 0.",
        "Position: nim:2,2,0",
        "The second player is to move and loses. Nim-value 0. 4 moves left with best play.",
    ];
    for (line, expected) in lines.iter().zip(expected) {
        assert_eq!(*line, expected, "{ran:?}");
    }
    assert_eq!(lines[11], lines[4]);
    let end = lines.last().expect("an end");
    assert_eq!(*end, "There is no move: the second player has won.");
}

/// Every ply of a match, by a program: the answers are those of `solve`.
#[test]
fn a_program_gets_one_object_for_each_line() {
    let home = with_match();
    let typed = "ply 3\nback\nA-1\nwhy\nwhy B-5\nmoves\nply 9\nA-9\nmatch\nhelp\nstart\nquit\n";
    let ran = explore(&home, &["m.ndjson", "--json"], typed);
    let answers = answers(&ran);
    let kinds: Vec<&str> = answers
        .iter()
        .filter_map(|one| one["type"].as_str())
        .collect();
    assert_eq!(
        kinds,
        [
            "place", "place", "place", "place", "why", "why_move", "moves", "error", "error",
            "place", "help", "place"
        ]
    );
    assert_eq!(answers[0]["schema"], "grundy/explore/1");
    assert_eq!(answers[1]["ply"], 3);
    assert_eq!(answers[1]["next"]["winner"], "second");
    let tried = &answers[3];
    assert_eq!(tried["variation"], serde_json::json!(["A-1"]));
    assert_eq!(tried["next"], Value::Null);
    for place in answers.iter().filter(|one| one["type"] == "place") {
        let position = place["solution"]["position"].as_str().expect("a position");
        let solved = home.run(&["solve", position, "--json"]).json();
        for field in ["outcome", "nim_value", "winning_moves_total", "remoteness"] {
            assert_eq!(
                place["solution"][field], solved[field],
                "{position} {field}"
            );
        }
    }
    assert_eq!(answers[7]["error"]["code"], "no_such_ply");
    assert_eq!(answers[8]["error"]["code"], "illegal_move");
    assert_eq!(answers[9]["ply"], 2);
}

#[test]
fn a_walk_begins_at_a_position_a_match_here_or_the_last_one() {
    let home = with_match();
    let ran = explore(&home, &["nim:2,2"], "a1\nb1\nback 9\nnext\n");
    assert!(
        ran.stdout.starts_with("Start. Heaps A 2, B 2.\n"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("After 2 moves: A-1, B-1. "), "{ran:?}");
    assert!(
        ran.stderr.contains("there is no match to follow"),
        "{ran:?}"
    );
    // Left and Right: who moves first in a partizan position is said with --side.
    let ran = explore(
        &home,
        &["domineering:../..", "--side", "right", "--json"],
        "",
    );
    assert_eq!(answers(&ran)[0]["to_move"], "second");
    let last = explore(&home, &["--json"], "");
    assert_eq!(answers(&last)[0]["plies"], 4);
    let listed = home.run(&["games", "list", "--local", "--json"]).json();
    let id = listed["matches"][0]["match"].as_str().expect("an id");
    let found = explore(&home, &[id, "--ply", "4", "--json"], "");
    assert_eq!(answers(&found)[0]["solution"]["position"], "nim:0,0,0");
    assert_eq!(answers(&found)[0]["next"], Value::Null);
}

/// The review of a pasted list is that of the record with these moves.
#[test]
fn a_list_of_moves_is_a_match() {
    let home = with_match();
    let pasted = ["nim:3,5,7", "1. a1 c7", "2. b5 a2"];
    let review = |arguments: &[&str]| {
        let mut review = home
            .run(&[&["review", "--json"], arguments].concat())
            .json();
        for field in ["first", "second", "created_at_ms"] {
            review[field] = Value::Null;
        }
        for ply in review["plies"].as_array_mut().expect("plies") {
            ply["spent_ms"] = Value::Null;
        }
        review
    };
    assert_eq!(review(&pasted), review(&["m.ndjson"]));
    let ran = explore(&home, &[&pasted[..], &["--json"]].concat(), "end\nback\n");
    let answers = answers(&ran);
    assert_eq!(answers[0]["next"]["move"], "A-1");
    assert_eq!(answers[1]["ply"], 4);
    assert_eq!(answers[2]["next"]["move"], "A-2");
    // A match that is not over is reviewed as far as it goes.
    let ran = home.run(&["review", "nim:3,5,7", "b1 a1"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn one_move_of_a_match_is_reviewed_with_its_reasons() {
    let home = with_match();
    let ran = home.run(&["review", "m.ndjson", "--ply", "3"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.starts_with("Move 3 of 4, Player 1: B-5 ??\n"),
        "{ran:?}"
    );
    let explained = home.run(&["explain", "nim:2,5,0", "--move", "B-5"]);
    assert!(ran.stdout.ends_with(&explained.stdout), "{ran:?}");
    let json = home
        .run(&["review", "m.ndjson", "--ply", "4", "--json"])
        .json();
    assert_eq!(json["schema"], "grundy/review-move/1");
    assert_eq!(json["reviewed"]["move"], "A-2");
    assert_eq!(json["reasons"]["moves"][0]["result"], "wins");
    for ply in ["0", "5", "4294967295"] {
        let ran = home.run(&["review", "m.ndjson", "--ply", ply]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains("the match has 4 moves"), "{ran:?}");
    }
}

#[test]
fn the_turning_points_of_a_player_are_found_by_name() {
    let home = with_match();
    let review = |more: &[&str]| home.run(&[&["review", "m.ndjson", "--json"], more].concat());
    for (name, side) in [("player 1", "first"), ("Player 2", "second")] {
        let named = review(&["--player", name]);
        assert_eq!(named.code, Some(0), "{named:?}");
        assert_eq!(named.stdout, review(&["--side", side]).stdout);
        let failed = review(&["--player", name, "--fail-on", "??"]);
        assert_eq!(failed.code, Some(if side == "first" { 10 } else { 0 }));
    }
    let ran = review(&["--player", "Ada"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(ran.error()["code"], "not_a_player");
    assert_eq!(
        review(&["--player", "Ada", "--side", "first"]).code,
        Some(2)
    );
}

#[test]
fn what_cannot_be_explored_is_refused() {
    let home = with_match();
    home.write("torn.ndjson", "{\"schema\":\"grundy/record/1\"");
    for (arguments, code, words) in [
        (&["nim:3,x"][..], 3, "nim:3,x"),
        (&["m.ndjson", "--ply", "5"], 3, "the match has 4 moves"),
        (&["torn.ndjson"], 3, "line 1"),
        (&["none.ndjson"], 4, "none.ndjson"),
        (&["."], 3, "is a directory"),
        (&["7Kq2mVx9Rt", "--local"], 4, "not in the library"),
        (&["7Kq2mVx9Rt"], 5, ""),
        (&["nim:3", "--ply", "1"], 3, "there is no match to follow"),
        (&["nim:3", "a4"], 3, "4 cannot be taken"),
        (
            &["m.ndjson", "a1"],
            2,
            "moves can only follow a start position",
        ),
    ] {
        let ran = home.run(&[&["explore"], arguments].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(words), "{arguments:?}: {ran:?}");
    }
    assert_eq!(Home::at(NOWHERE).run(&["explore"]).code, Some(4));
}
