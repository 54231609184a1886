//! `grundy puzzle`: the puzzle of a day, the next ones, lists, files, and what they must not give away.

use std::fs;

use serde_json::Value;

use crate::program::{Home, Ran};

/// An address at which no server answers.
const NOWHERE: &str = "http://127.0.0.1:1";

fn puzzle(home: &Home, arguments: &[&str], typed: &str) -> Ran {
    let ran = home.feed(&[&["puzzle"], arguments].concat(), typed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

pub(crate) fn events(ran: &Ran) -> Vec<Value> {
    let json = |line: &str| serde_json::from_str(line).expect("JSON");
    ran.stdout.lines().map(json).collect()
}

/// The winning moves of a puzzle, and a move that does not win.
pub(crate) fn moves_of(home: &Home, put: &Value) -> (Vec<String>, String) {
    let position = put["position"].as_str().expect("a position");
    let side = match put["to_move"].as_str() {
        Some("second") => "right",
        _ => "left",
    };
    let one = |value: &Value| value.as_str().expect("a move").to_owned();
    let solved = home.run(&["solve", position, "--side", side, "--json"]);
    let solved: Value = serde_json::from_str(&solved.stdout).expect("JSON");
    let winning = solved["winning_moves"].as_array().expect("a list").iter();
    let winning: Vec<String> = winning.map(|won| one(&won["move"])).collect();
    let listed = home.run(&["moves", position, "--side", side, "--json"]);
    let listed: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    let mut all = listed["moves"].as_array().expect("a list").iter().map(one);
    let other = all.find(|mv| !winning.contains(mv));
    (winning, other.expect("not every move wins"))
}

/// Everybody gets the same puzzle on one day, another on the next, and the result can be shared without the answer.
#[test]
fn a_day_has_one_puzzle_for_everybody() {
    let home = Home::at(NOWHERE);
    let day = ["--day", "2026-11-25", "--json"];
    let put = events(&puzzle(&home, &day, "")).remove(1);
    assert_eq!(
        (&put["type"], &put["number"]),
        (&"puzzle".into(), &329.into())
    );
    assert_eq!(put["day"], "2026-11-25");
    assert_eq!(events(&puzzle(&Home::at(NOWHERE), &day, ""))[1], put);
    let next = events(&puzzle(&home, &["--day", "2026-11-26", "--json"], ""));
    assert_eq!(next[1]["number"], 330);
    let second = events(&puzzle(&home, &["--day", "2026-12-01", "--json"], ""));
    assert_eq!(second[1]["number"], 601, "the second edition");
    let (winning, _) = moves_of(&home, &put);
    let ran = puzzle(
        &home,
        &["--day", "2026-11-25"],
        &format!("{}\n", winning[0]),
    );
    assert!(
        ran.stdout.contains("\nPuzzle 329, of 2026-11-25: "),
        "{ran:?}"
    );
    let (_, shared) = ran.stdout.split_once("To share:\n").expect("three lines");
    let mut lines = shared.lines();
    assert!(
        lines
            .next()
            .is_some_and(|line| line.starts_with("Grundy puzzle 329 of 2026-11-25: "))
    );
    assert_eq!(lines.next(), Some("solved at once"));
    assert_eq!(lines.next(), Some("grundy puzzle --day 2026-11-25"));
    assert!(!shared.contains(&winning[0]), "{shared}");
    // Only the first time counts.
    let again = events(&puzzle(&home, &day, "solution\n"));
    assert_eq!(again[1]["solved"], "at_once");
    let progress = puzzle(&home, &["progress", "--json"], "");
    let progress: Value = serde_json::from_str(&progress.stdout).expect("JSON");
    assert_eq!(progress["total"]["solved"], 1);
    assert_eq!(progress["total"]["first"]["at_once"], 1);
    assert!(puzzle(&home, &["progress"], "").stdout.contains("all"));
}

/// A puzzle that was given up is not solved: it comes again, and its day is no day in a row.
#[test]
fn a_puzzle_whose_solution_was_shown_is_not_solved() {
    let home = Home::at(NOWHERE);
    let put = events(&puzzle(&home, &["--json"], "solution\n"));
    let share = put.iter().find(|event| event["of"] == "share");
    let text = share.and_then(|share| share["text"].as_str());
    assert!(
        text.is_some_and(|text| text.starts_with("Grundy puzzle ")),
        "{put:?}"
    );
    let number = put[1]["number"].clone();
    let figures = || -> Value {
        let progress = puzzle(&home, &["progress", "--json"], "");
        serde_json::from_str(&progress.stdout).expect("JSON")
    };
    let progress = figures();
    assert_eq!(progress["total"]["solved"], 0);
    assert_eq!(progress["total"]["first"]["shown"], 1);
    assert_eq!(progress["days_in_a_row"], 0);
    let again = puzzle(&home, &[], "");
    assert!(
        again.stdout.contains(", solution shown before."),
        "{again:?}"
    );
    let next = ["next", "--limit", "1", "--json"];
    let first = events(&puzzle(&home, &next, "solution\n"));
    let second = events(&puzzle(&home, &next, ""));
    assert_eq!(
        first[1]["number"], second[1]["number"],
        "none is passed over"
    );
    // The solution that was seen is a hint.
    let (winning, _) = moves_of(&home, &put[1]);
    let solved = events(&puzzle(&home, &["--json"], &format!("{}\n", winning[0])));
    assert_eq!(solved[1]["solved"], "shown");
    let progress = figures();
    assert_eq!(progress["total"]["solved"], 1);
    assert_eq!(progress["total"]["first"]["shown"], 1, "the other one");
    assert_eq!(progress["total"]["first"]["after_hints"], 1);
    assert_eq!(progress["days_in_a_row"], 1);
    let other = events(&puzzle(&home, &["--json"], "solution\n"));
    assert_eq!(
        (&other[1]["number"], &other[1]["solved"]),
        (&number, &"after_hints".into())
    );
}

/// A wrong move is refuted, a hint tells more, and each winning move is right. Puzzles of every theme.
#[test]
fn puzzles_are_solved_like_exercises_and_the_next_ones_are_new() {
    let home = Home::at(NOWHERE);
    for theme in [
        "pairs",
        "coloured-edges",
        "heads",
        "misere_classes",
        "stakes",
    ] {
        let next = ["next", "--theme", theme, "--limit", "1", "--json"];
        let put = events(&puzzle(&home, &next, "")).remove(1);
        let (winning, other) = moves_of(&home, &put);
        let typed = format!("{other}\nhint\n{}\n", winning[0]);
        let solved = events(&puzzle(&home, &next, &typed));
        let kinds: Vec<&str> = solved
            .iter()
            .filter_map(|event| event["type"].as_str())
            .collect();
        assert_eq!(
            kinds,
            ["begin", "puzzle", "wrong", "hint", "right", "end"],
            "{theme}"
        );
        assert_eq!(solved[3]["theme"], theme.replace('-', "_"));
        assert_eq!(solved[4]["performance"], "after_wrong");
        let after = events(&puzzle(&home, &next, "")).remove(1);
        assert!(after["number"].as_u64() > put["number"].as_u64(), "{theme}");
        let again = [&next[..], &["--again"]].concat();
        assert_eq!(
            events(&puzzle(&home, &again, ""))[1]["number"],
            put["number"]
        );
    }
}

/// Until it is solved, nothing of a puzzle names a winning move, how many there are, or the idea.
#[test]
fn nothing_gives_the_answer_away_beforehand() {
    let home = Home::at(NOWHERE);
    for number in ["1", "40", "77", "150"] {
        let shown = puzzle(&home, &[number, "--json"], "skip\n");
        let events = events(&shown);
        let (winning, _) = moves_of(&home, &events[1]);
        let text = puzzle(&home, &[number], "board\nrules\nskip\n").stdout;
        let before = text.split("The rules").next().expect("a text");
        for mv in &winning {
            assert!(!before.contains(&format!(" {mv} ")), "{mv}: {text}");
        }
        for event in &events {
            let text = event.to_string();
            assert!(
                !text.contains("theme") && !text.contains("winning"),
                "{text}"
            );
        }
    }
    let list = puzzle(&home, &["list", "--difficulty", "hard", "--json"], "").stdout;
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let puzzles = list["puzzles"].as_array().expect("a list");
    assert!(puzzles.len() > 20);
    for one in puzzles {
        assert_eq!(one["difficulty"], "hard");
        assert_eq!(one.as_object().map(|one| one.len()), Some(5), "{one}");
    }
    let table = puzzle(&home, &["list", "--family", "kayles"], "").stdout;
    assert!(
        table.trim_start().starts_with("number  family  difficulty"),
        "{table}"
    );
}

/// The mistakes of one's own matches become puzzles in a file, which is solved like the others.
#[test]
fn puzzles_are_made_of_matches() {
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
    for source in [&["m.ndjson"][..], &[]] {
        let ran = puzzle(&home, &[&["make"], source].concat(), "");
        assert_eq!(
            ran.stdout,
            "{\"schema\":\"grundy/puzzles/1\"}\n{\"position\":\"nim:2,5,0\",\"theme\":\"pairs\",\"winning\":1,\"legal\":7}\n"
        );
        assert!(
            ran.stderr.contains("1 puzzle of 1 mistake in 1 match."),
            "{ran:?}"
        );
    }
    puzzle(&home, &["make", "--out", "mine.ndjson"], "");
    let refused = home.run(&["puzzle", "make", "--out", "mine.ndjson"]);
    assert_eq!(refused.code, Some(7), "{refused:?}");
    puzzle(&home, &["make", "--out", "mine.ndjson", "--force"], "");
    let ran = puzzle(&home, &["next", "--from", "mine.ndjson"], "b3\n");
    assert!(ran.stdout.contains("Right: B-3 wins."), "{ran:?}");
    let over = home.run(&["puzzle", "next", "--from", "mine.ndjson"]);
    assert!(
        over.stderr.contains("you have solved all of these puzzles"),
        "{over:?}"
    );
    assert_eq!(over.code, Some(4), "{over:?}");
}

#[test]
fn what_is_no_puzzle_is_refused() {
    let home = Home::at(NOWHERE);
    let file = |name: &str, text: &str| fs::write(home.file(name), text).expect("ours");
    file("none.ndjson", "{\"schema\":\"grundy/puzzles/1\"}\n");
    file(
        "bad.ndjson",
        "{\"schema\":\"grundy/puzzles/1\"}\n\n{\"position\":\"nim:3,,4\"}\n",
    );
    file("other.ndjson", "hello\n");
    let lost = "{\"position\":\"nim:3,5,6\",\"theme\":\"nim_sum\",\"winning\":1,\"legal\":14}\n";
    file(
        "lost.ndjson",
        &format!("{{\"schema\":\"grundy/puzzles/1\"}}\n{lost}"),
    );
    for (arguments, code, said) in [
        (&["0"][..], 4, "the puzzles have the numbers from 1 to "),
        (&["100000"], 4, "the puzzles have the numbers from 1 to "),
        (
            &["--day", "2026-02-30"],
            2,
            "expected a day such as 2026-11-30",
        ),
        (
            &["--day", "yesterday"],
            2,
            "expected a day such as 2026-11-30",
        ),
        (
            &["next", "--theme", "luck"],
            2,
            "the themes are parity, pairs, nim_sum",
        ),
        (&["next", "--family", "chess"], 2, "there is no game family"),
        (
            &["next", "--difficulty", "brutal"],
            2,
            "use easy, medium or hard",
        ),
        (
            &["next", "--family", "race", "--theme", "heads"],
            4,
            "there is no such puzzle",
        ),
        (
            &["1", "--from", "none.ndjson"],
            4,
            "there are no puzzles in this file",
        ),
        (&["list", "--from", "bad.ndjson"], 3, "bad.ndjson: line 3: "),
        (
            &["list", "--from", "other.ndjson"],
            3,
            "other.ndjson: line 1: no puzzles; the first line is {\"schema\"",
        ),
        (&["list", "--from", "missing.ndjson"], 4, "missing.ndjson"),
        (&["list", "--from", "."], 3, "is a directory"),
        (
            &["next", "--from", "lost.ndjson"],
            3,
            "puzzle 1, nim:3,5,6: the player to move cannot force a win",
        ),
        (&["make", "bad.ndjson"], 3, "bad.ndjson"),
    ] {
        let ran = home.run(&[&["puzzle"], arguments].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {ran:?}");
    }
}
