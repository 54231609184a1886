//! Files that commands write: nothing of another kind is lost, and no command overwrites what it reads.

use std::fs;

use crate::program::Home;

/// An address at which no server answers.
const NOWHERE: &str = "http://127.0.0.1:1";

/// The example of the documentation.
fn example() -> &'static str {
    let page = include_str!("../../../docs/RECORDS.md");
    let (_, rest) = page.split_once("```ndjson\n").expect("an example");
    rest.split_once("```").expect("its end").0
}

/// A home with a record, a text and a puzzle file.
fn home() -> Home {
    let home = Home::at(NOWHERE);
    home.write("m.ndjson", example());
    home.write("keep.txt", "Dear Ada,\n");
    home
}

/// Every command that writes a file, without the name of the file at its end.
const WRITERS: [&[&str]; 9] = [
    &["review", "m.ndjson", "--svg"],
    &["review", "m.ndjson", "--html"],
    &["review", "m.ndjson", "--annotate"],
    &["stats", "player", "ada", "--from", "m.ndjson", "--csv"],
    &["stats", "player", "ada", "--from", "m.ndjson", "--svg"],
    &["play", "nim:1", "--local", "--record"],
    &["solve", "nim:1,2,3", "--certificate"],
    &["puzzle", "make", "m.ndjson", "--out"],
    &["watch", "7Kq2mVx9Rt", "--record"],
];

#[test]
fn a_file_of_another_kind_is_kept_and_nothing_is_computed() {
    let home = home();
    for writer in WRITERS {
        let ran = home.feed(&[writer, &["keep.txt"]].concat(), "a1\n");
        assert_eq!(ran.code, Some(7), "{writer:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{writer:?}");
        assert!(ran.stderr.contains("keep.txt"), "{writer:?}: {ran:?}");
        let kept = fs::read_to_string(home.file("keep.txt")).expect("kept");
        assert_eq!(kept, "Dear Ada,\n", "{writer:?}");
    }
}

#[test]
fn no_command_overwrites_a_record() {
    let home = home();
    home.write("other.ndjson", example());
    for writer in WRITERS {
        // Notes go into the record that is reviewed.
        if writer.contains(&"--annotate") {
            continue;
        }
        for name in ["m.ndjson", "./m.ndjson", "other.ndjson"] {
            let ran = home.feed(&[writer, &[name]].concat(), "a1\n");
            assert_eq!(ran.code, Some(7), "{writer:?}: {ran:?}");
            let kept = fs::read_to_string(home.file(name)).expect("kept");
            assert_eq!(kept, example(), "{writer:?} {name}");
        }
    }
    let forced = ["puzzle", "make", "m.ndjson", "--out", "m.ndjson", "--force"];
    let ran = home.run(&forced);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    assert!(ran.stderr.contains("is read by this command"), "{ran:?}");
}

#[test]
fn a_file_of_the_same_kind_is_replaced_and_an_empty_one_filled() {
    let home = home();
    for writer in [WRITERS[0], WRITERS[1], WRITERS[3], WRITERS[4], WRITERS[6]] {
        home.write("out", "");
        for _ in 0..2 {
            let ran = home.run(&[writer, &["out"]].concat());
            assert_eq!(ran.code, Some(0), "{writer:?}: {ran:?}");
        }
        let written = fs::metadata(home.file("out")).expect("a file");
        assert!(written.len() > 100, "{writer:?}");
    }
}

#[test]
fn a_dash_is_stdout_or_refused_and_never_the_name_of_a_file() {
    let home = home();
    for writer in WRITERS {
        let ran = home.feed(&[writer, &["-"]].concat(), "a1\n");
        let is_stdout = writer.contains(&"--out") || writer.contains(&"--certificate");
        let code = if is_stdout { 0 } else { 2 };
        assert_eq!(ran.code, Some(code), "{writer:?}: {ran:?}");
        assert_eq!(ran.stdout.is_empty(), !is_stdout, "{writer:?}");
        assert!(!home.file("-").exists(), "{writer:?}");
    }
}
