//! Lessons of `grundy learn` and `grundy puzzle` where something is wrong: with the deck, the disk, the match or what is typed.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::program::{Home, Ran};

/// An address at which no server answers.
const NOWHERE: &str = "http://127.0.0.1:1";
/// The file of the deck.
const DECK: &str = ".local/share/grundy/practice.ndjson";

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

fn events(ran: &Ran) -> Vec<Value> {
    let json = |line: &str| serde_json::from_str(line).expect("JSON");
    ran.stdout.lines().map(json).collect()
}

fn deck(home: &Home) -> String {
    fs::read_to_string(home.file(DECK)).expect("a deck")
}

/// A match that gives one exercise: nim:3,5,7, which A-1, B-1 and C-1 win.
const MATCH: [&str; 3] = ["learn", "nim:3,5,7", "B-5"];

#[test]
fn a_mistyped_line_names_no_winning_move_and_neither_do_the_rules() {
    let home = Home::at(NOWHERE);
    // nim:3,5,7: the usual example would be A-1, which wins.
    let ran = ok(home.feed(&MATCH, "foo\na-1\n"));
    assert!(ran.stderr.contains("'foo' is not a move"), "{ran:?}");
    let example = ran.stderr.split_once("a legal move is ").expect("one").1;
    let example = example.split_whitespace().next().expect("a move");
    let tried = ok(home.feed(&MATCH, &format!("{example}\n")));
    assert!(tried.stdout.contains("does not win"), "{tried:?}");
    // The rules of Arc Kayles name 1-2, which is the only winning move of puzzle 41; those of Dawson's Chess A-2, that of 126.
    for (number, winning) in [("41", "1-2"), ("126", "A-2")] {
        let ran = ok(home.feed(&["puzzle", number], "rules\n"));
        assert!(ran.stdout.contains("A move: such as "), "{ran:?}");
        let (_, rules) = ran.stdout.split_once("A move: ").expect("rules");
        let words = rules.lines().next().expect("a line").split_whitespace();
        let names = |word: &str| word.trim_end_matches(['.', ',', ';']) == winning;
        assert!(!words.clone().any(names), "{ran:?}");
        let right = ok(home.feed(&["puzzle", number], &format!("{winning}\n")));
        assert!(right.stdout.contains("Right: "), "{right:?}");
    }
}

#[test]
fn an_exercise_that_is_not_won_is_removed() {
    let home = Home::at(NOWHERE);
    ok(home.feed(&["learn", "nim:2,3", "B-2"], ""));
    let lost = deck(&home).replace("nim:2,3", "nim:2,2");
    fs::write(home.file(DECK), lost).expect("ours");
    let ran = ok(home.feed(&["learn", "--all"], "solution\n"));
    assert!(
        ran.stderr
            .contains("nim:2,2 is not won for the player to move, so this exercise was removed"),
        "{ran:?}"
    );
    assert!(!ran.stdout.contains("Solution"), "{ran:?}");
    assert!(!deck(&home).contains("nim:2,2"), "{}", deck(&home));
}

/// Runs the program where no file can be written: every write fails as on a full disk, without the privileges of a user mattering.
fn on_a_full_disk(home: &Home, arguments: &[&str], typed: &str) -> Ran {
    let input = home.write("typed", typed);
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_grundy")])
        .args(arguments)
        .env_clear()
        .env("HOME", home.directory())
        .env("GRUNDY_SERVER", NOWHERE)
        .current_dir(home.directory())
        .stdin(File::open(input).expect("ours"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .expect("the program runs");
    output.into()
}

#[test]
fn a_full_disk_does_not_end_a_lesson() {
    let home = Home::at(NOWHERE);
    for arguments in [
        &["puzzle", "1"][..],
        &["puzzle", "next", "--limit", "2"],
        &MATCH,
    ] {
        let ran = ok(on_a_full_disk(&home, arguments, "solution\nsolution\n"));
        assert!(ran.stdout.contains("Solution: "), "{ran:?}");
        let warnings = ran.stderr.matches("your progress is not saved: ").count();
        assert!((1..=2).contains(&warnings), "{ran:?}");
        for words in ["os error", ".grundy-"] {
            assert!(!ran.stderr.contains(words), "{ran:?}");
        }
    }
    let ran = ok(on_a_full_disk(
        &home,
        &["puzzle", "next", "--limit", "2"],
        "solution\nsolution\n",
    ));
    assert_eq!(ran.stdout.matches("Solution: ").count(), 2, "{ran:?}");
    assert_eq!(ran.stderr.matches("not saved").count(), 1, "{ran:?}");
    assert!(!home.file(DECK).exists());
}

/// A start that is proved won by its symmetry, and whose later positions no solver decides in this time.
fn undecided() -> Vec<String> {
    let rows = ["........"; 7].join("/");
    let moves = ["1:1-1:2", "3:3-4:3", "--budget", "1s"];
    let position = format!("cram:{rows}");
    std::iter::once(position)
        .chain(moves.map(str::to_owned))
        .collect()
}

#[test]
fn moves_that_were_not_judged_are_not_called_right() {
    let home = Home::at(NOWHERE);
    let source = undecided();
    let source: Vec<&str> = source.iter().map(String::as_str).collect();
    let ran = ok(home.run(&[&["learn"], &source[..]].concat()));
    assert!(
        ran.stdout.contains("Nothing to learn here so far: ") && ran.stdout.contains("--budget"),
        "{ran:?}"
    );
    let ran = ok(home.run(&[&["review"], &source[..], &["--fail-on", "??"]].concat()));
    assert!(
        ran.stderr
            .contains("warning: --fail-on may have missed a mark: "),
        "{ran:?}"
    );
    // A match that is judged gives no warning.
    let ran = ok(home.run(&["review", "nim:2,3", "B-1", "--fail-on", "??"]));
    assert_eq!(ran.stderr, "");
    // Draws are not practised, and the lesson says so.
    let drawn = [
        "learn",
        "loopy.0-1.1-0.0-2.2-3.1-4.4-5:0",
        "0-1",
        "1-0",
        "0-2",
        "2-3",
    ];
    let ran = ok(home.run(&drawn));
    assert!(ran.stdout.contains("draws are not practised"), "{ran:?}");
}

#[test]
fn a_match_that_is_given_by_its_moves_is_one_match_however_often() {
    let home = Home::at(NOWHERE);
    let match_of = |ran: Ran| events(&ran)[1]["match"].clone();
    let learn = [&MATCH[..], &["--json"]].concat();
    let first = match_of(ok(home.run(&learn)));
    assert_eq!(match_of(ok(home.run(&learn))), first);
    assert_eq!(
        deck(&home).matches("\"ply\":1").count(),
        1,
        "{}",
        deck(&home)
    );
    let other = ["learn", "nim:3,5,7", "B-4", "--json"];
    assert_ne!(match_of(ok(home.run(&other))), first);
}

/// A long match in which every second move is a mistake: two equal heaps and a heap of 1, which nobody takes.
fn long_match(heap: usize) -> Vec<String> {
    let mut words = vec![format!("nim:{heap},{heap},1")];
    words.extend((0..heap).flat_map(|_| ["A-1".to_owned(), "B-1".to_owned()]));
    words
}

#[test]
fn one_match_gives_a_bounded_number_of_exercises_at_once() {
    let home = Home::at(NOWHERE);
    let words = long_match(120);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let learn = [&["learn", "--limit", "1000", "--json"], &words[..]].concat();
    let first = ok(home.run(&learn));
    assert_eq!(events(&first)[0]["exercises"], 100, "{}", first.stderr);
    assert!(
        first.stderr.contains("left out for now"),
        "{}",
        first.stderr
    );
    let again = ok(home.run(&learn));
    assert_eq!(events(&again)[0]["exercises"], 120, "{}", again.stderr);
}

#[test]
fn a_deck_of_a_newer_version_is_not_called_damaged() {
    let home = Home::at(NOWHERE);
    ok(home.feed(&MATCH, ""));
    let good = deck(&home);
    for (text, words) in [
        (good.replace("deck/1", "deck/2"), "the form grundy/deck/2"),
        (
            format!("{good}{{\"type\":\"streak\",\"days\":3}}\n"),
            "this version does not know entries of the type 'streak'",
        ),
    ] {
        fs::write(home.file(DECK), &text).expect("ours");
        let ran = home.run(&["learn"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains(words), "{ran:?}");
        assert!(ran.stderr.contains("update grundy"), "{ran:?}");
        assert!(!ran.stderr.contains("correct the line"), "{ran:?}");
        assert_eq!(deck(&home), text);
    }
    fs::write(home.file(DECK), format!("{good}?\n")).expect("ours");
    let ran = home.run(&["learn"]);
    assert!(ran.stderr.contains("is not valid JSON"), "{ran:?}");
    assert!(ran.stderr.contains("correct the line"), "{ran:?}");
}

#[test]
fn a_deck_behind_a_link_stays_there_and_what_killed_programs_left_is_removed() {
    let home = Home::at(NOWHERE);
    ok(home.feed(&MATCH, ""));
    let (link, target) = (home.file(DECK), home.file("synchronized.ndjson"));
    fs::rename(&link, &target).expect("ours");
    symlink(&target, &link).expect("ours");
    let left = home.write(".local/share/grundy/.grundy-AbCdEf", "half");
    let old = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    let file = File::options().write(true).open(&left).expect("ours");
    file.set_modified(old).expect("ours");
    let fresh = home.write(".local/share/grundy/.grundy-GhIjKl", "half");
    ok(home.feed(&["puzzle", "6"], "solution\n"));
    assert!(fs::symlink_metadata(&link).is_ok_and(|about| about.is_symlink()));
    let synchronized = fs::read_to_string(&target).expect("the deck");
    assert!(synchronized.contains("\"puzzle\""), "{synchronized}");
    assert!(!left.exists() && fresh.exists());
}

/// Two records in one file, as `grundy games export --mine -` writes them.
#[test]
fn files_with_several_records_are_read() {
    let home = Home::at(NOWHERE);
    let mut both = String::new();
    for (name, start, typed) in [
        ("a.ndjson", "nim:3,5,7", "a1\nc7\nb5\na2\n"),
        ("b.ndjson", "nim:2,5,6", "c5\nresign\n"),
    ] {
        let play = ["play", start, "--local", "--two", "--record", name];
        ok(home.feed(&play, typed));
        both += &fs::read_to_string(home.file(name)).expect("a record");
    }
    home.write("both.ndjson", &both);
    let ran = ok(home.run(&["puzzle", "make", "both.ndjson"]));
    assert!(ran.stderr.contains(" in 2 matches."), "{ran:?}");
    let one = ok(home.run(&["puzzle", "make", "a.ndjson"]));
    assert!(
        one.stderr.ends_with("1 puzzle of 1 mistake in 1 match.\n"),
        "{one:?}"
    );
    let ran = ok(home.run(&["learn", "both.ndjson", "--json"]));
    assert_eq!(events(&ran)[0]["exercises"], 2, "{ran:?}");
    let refused = home.run(&["review", "both.ndjson"]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
    let line = both
        .lines()
        .skip(1)
        .position(|line| line.contains("\"schema\""));
    let line = line.expect("a second record") + 2;
    let words = format!("both.ndjson: a second record begins at line {line}");
    assert!(refused.stderr.contains(&words), "{refused:?}");
    assert!(
        refused.stderr.contains("grundy games import"),
        "{refused:?}"
    );
    let newer = both.replacen("record/1", "record/2", 1);
    home.write("newer.ndjson", &newer);
    let refused = home.run(&["review", "newer.ndjson"]);
    assert!(refused.stderr.contains("update grundy"), "{refused:?}");
}
