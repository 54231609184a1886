//! `grundy review --annotate`: the marks go into the record, and it stays the record.

use std::fs;

use crate::program::{Home, Ran};

/// The example of the documentation.
fn example() -> &'static str {
    let page = include_str!("../../../docs/RECORDS.md");
    let (_, rest) = page.split_once("```ndjson\n").expect("an example");
    rest.split_once("```").expect("its end").0
}

fn ok(home: &Home, arguments: &[&str]) -> Ran {
    let ran = home.run(arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

fn read(home: &Home, name: &str) -> String {
    fs::read_to_string(home.file(name)).expect("a file")
}

#[test]
fn a_record_is_annotated_in_place_and_stays_valid() {
    let home = Home::new();
    home.write("m.ndjson", example());
    let plain = ok(&home, &["review", "m.ndjson"]).stdout;
    let ran = ok(&home, &["review", "m.ndjson", "--annotate"]);
    assert_eq!(ran.stdout, plain);
    let once = read(&home, "m.ndjson");
    let notes = once
        .strip_prefix(example())
        .expect("the record is unchanged");
    assert!(
        notes.starts_with("{\"notes\":\"grundy/notes/1\","),
        "{notes}"
    );
    assert!(
        notes.contains("{\"note\":{\"ply\":1,\"mark\":\"!\"}}\n"),
        "{notes}"
    );
    // Annotated twice is annotated once, and every command reads it as before.
    assert_eq!(
        ok(&home, &["review", "m.ndjson", "--annotate"]).stdout,
        plain
    );
    assert_eq!(read(&home, "m.ndjson"), once);
    ok(&home, &["games", "import", "m.ndjson"]);
    let exported = ok(&home, &["games", "export", "7Kq2mVx9Rt", "--local"]).stdout;
    assert_eq!(exported, example());
    let stats = ok(
        &home,
        &["stats", "player", "Ada", "--from", "m.ndjson", "--json"],
    );
    assert_eq!(stats.json()["total"]["matches"], 1);
    // A match of the library goes into a file of its own.
    ok(
        &home,
        &[
            "review",
            "7Kq2mVx9Rt",
            "--local",
            "--annotate",
            "out.ndjson",
        ],
    );
    assert_eq!(read(&home, "out.ndjson"), once);
}

#[test]
fn nothing_is_overwritten_and_damaged_notes_are_named() {
    let home = Home::new();
    home.write("m.ndjson", example());
    home.write("other.txt", "mine");
    let refused = |arguments: &[&str], code: i32, words: &str| {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    };
    refused(
        &["review", "m.ndjson", "--annotate", "other.txt"],
        7,
        "is kept",
    );
    assert_eq!(read(&home, "other.txt"), "mine");
    refused(
        &["review", "nim:1,2", "B-2", "--annotate"],
        2,
        "needs a file",
    );
    refused(
        &["review", "m.ndjson", "--annotate", "nowhere/m.ndjson"],
        4,
        "nowhere",
    );
    ok(&home, &["review", "m.ndjson", "--annotate"]);
    let whole = read(&home, "m.ndjson");
    home.write("torn.ndjson", &whole[..whole.len() - 5]);
    refused(&["review", "torn.ndjson"], 3, "torn.ndjson: line 10");
}
