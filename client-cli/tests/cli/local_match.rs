//! Matches on one computer, without a server.

use serde_json::json;

use crate::program::Home;

#[test]
fn the_board_is_told_so_that_it_can_be_played_from_the_screen() {
    let home = Home::new();
    for (position, sentence) in [
        (
            "cram:...../..x../.....",
            "Rows ....., ..x.., .....: 14 free squares.",
        ),
        ("cram:..x.x", "Row ..x.x: 3 free squares."),
        ("notakto:xx......x", "Board xx. ... ..x (3 marks)."),
        (
            "notakto:xxx....../x........",
            "Boards xxx ... ... (dead), x.. ... ... (1 mark).",
        ),
        ("loopy.0-1.1-0:0", "A token on 0."),
    ] {
        let ran = home.feed(&["play", position, "--local", "--two"], "board\n");
        let told: Vec<&str> = ran.stdout.lines().skip(4).collect();
        let state = format!("{sentence} Player 1 is to move.");
        assert_eq!(told, [&state, &format!("Position: {position}")], "{ran:?}");
    }
}

#[test]
fn typed_nonsense_is_told_what_can_be_typed() {
    let home = Home::new();
    let typed = ["take 3 please", "9999999999999999999999999", "foo", "A9"];
    let ran = home.feed(&["play", "nim:3", "--local", "--two"], &typed.join("\n"));
    let told: Vec<&str> = ran.stderr.lines().collect();
    for (typed, told) in typed[..3].iter().zip(&told) {
        assert!(
            told.starts_with(&format!("'{typed}' is not a move: ")),
            "{ran:?}"
        );
        assert!(
            told.ends_with("(a legal move is A-1; 'help' lists what else you can type)"),
            "{ran:?}"
        );
    }
    assert_eq!(
        told[3],
        "Heap A has 3: 9 cannot be taken (a legal move is A-1)"
    );
    // A number alone is a move of some games.
    let ran = home.feed(&["play", "treblecross:.....", "--local", "--two"], "9");
    assert!(!ran.stderr.contains("is not a move"), "{ran:?}");
    assert!(ran.stderr.contains("(a legal move is 1)"), "{ran:?}");
}

#[test]
fn a_match_here_is_told_in_sentences() {
    let home = Home::new();
    let ran = home.feed(
        &["play", "nim:1,2@misere", "--local", "--two"],
        "z\nb1\nB - 1\nA-1\n",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        told[2].contains("The player who makes the last move loses"),
        "{ran:?}"
    );
    assert_eq!(told[3], "Heaps A 1, B 2. Player 1 is to move.");
    assert_eq!(
        told[4],
        "Player 1 took 1 from B, leaving 1. Heaps A 1, B 1. Player 2 is to move."
    );
    assert!(
        told[7].starts_with("Player 1 wins: Player 2 had to")
            || ran.stdout.contains("had to make the last move"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("a legal move is"), "{ran:?}");
}

#[test]
fn a_perfect_bot_wins_what_is_won() {
    let ran = Home::new().feed(
        &[
            "play", "nim:2,3", "--local", "--bot", "perfect", "--side", "second",
        ],
        "a1\nb1\na1\nb1\na1\nb1\n",
    );
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("perfect took 1 from B"), "{ran:?}");
    assert!(
        ran.stdout
            .contains("perfect wins: perfect made the last move."),
        "{ran:?}"
    );
}

#[test]
fn a_flag_falls_while_nobody_types() {
    let home = Home::new();
    let mut running = home.start(&["play", "nim:3", "--local", "--two", "--clock", "1s"]);
    running.says("Player 2 wins: Player 1's time ran out.");
    assert_eq!(running.ends_by_itself().code, Some(0));
}

#[test]
fn a_program_plays_in_json() {
    let home = Home::new();
    let mut running = home.start(&[
        "play", "bash.1:3", "--local", "--json", "--side", "first", "--bot", "perfect",
    ]);
    assert_eq!(running.tells("welcome")["schema"], "grundy/play/1");
    let joined = running.tells("joined");
    assert_eq!(
        (&joined["seq"], &joined["your_turn"]),
        (&json!(2), &json!(true))
    );
    running.types("X-1");
    assert_eq!(running.tells("error")["error"]["code"], "illegal_move");
    running.types("moves");
    assert_eq!(running.tells("moves")["moves"], json!(["A-1"]));
    running.types("a1");
    assert_eq!(running.tells("moved")["position"], "bash.1:2");
    assert_eq!(running.tells("moved")["your_turn"], true);
    running.types("a1");
    let result = running.tells("result");
    assert_eq!(result["you_won"], true, "{result}");
    assert_eq!(running.ends_by_itself().code, Some(0));
}

#[test]
fn ctrl_c_is_exit_130() {
    let home = Home::new();
    let mut running = home.start(&["play", "nim:3", "--local", "--side", "first"]);
    running.says("Your move");
    running.signal(rustix::process::Signal::INT);
    assert_eq!(running.ends_by_itself().code, Some(130));
}

/// A program need not wait for its turn before it asks for a hint.
#[test]
fn a_program_gets_each_hint_that_it_asks_for() {
    let home = Home::new();
    let play = [
        "play",
        "nim:3,5,7",
        "--local",
        "--bot",
        "perfect",
        "--side",
        "first",
        "--json",
    ];
    for _ in 0..5 {
        let ran = home.feed(&play, "hint\nwhy\nA-1\nhint\nwhy\nresign\n");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let kinds: Vec<String> = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
            .filter_map(|line| Some(line["type"].as_str()?.to_owned()))
            .filter(|kind| ["hint", "why", "error", "moved"].contains(&&**kind))
            .collect();
        assert_eq!(
            kinds,
            ["hint", "why", "moved", "moved", "hint", "why"],
            "{ran:?}"
        );
    }
}

#[test]
fn a_record_that_cannot_be_written_is_refused_before_the_match() {
    let home = Home::new();
    for (name, code) in [("none/record.jsonl", 4), ("", 1)] {
        let path = home.file(name);
        let path = path.to_str().expect("UTF-8");
        let ran = home.feed(&["play", "nim:1", "--local", "--record", path], "a1\n");
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stdout.is_empty(), "{ran:?}");
        assert!(
            ran.stderr.contains(path) && !ran.stderr.contains(".grundy-"),
            "{ran:?}"
        );
    }
}

#[test]
fn a_move_of_more_than_65_535_letters_is_listed() {
    let question = ["solve", "prefix.131072:0,110+nim:131071"];
    let ran = Home::new().run(&question);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let verdict = Home::new()
        .run(&[&question[..], &["--json"]].concat())
        .json();
    let moves = verdict["winning_moves"].as_array().expect("a list");
    let length = |mv: &serde_json::Value| mv["move"].as_str().map_or(0, str::len);
    assert!(
        moves.iter().any(|mv| length(mv) > 65_535),
        "{}",
        moves.len()
    );
}
