//! Notes after a record: they change nothing of it, and damage to them is found.

use crate::review_oracle::{Bits, moves};
use grundy_shared::Position;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, Ply};
use grundy_shared::record::Record;
use grundy_shared::record::notes::{Note, Notes};
use grundy_shared::review::Review;
use grundy_shared::solver::Budget;

/// The example of the documentation.
fn example() -> Record {
    let page = include_str!("../../../docs/RECORDS.md");
    let (_, rest) = page.split_once("```ndjson\n").expect("an example");
    let text = rest.split_once("```").expect("its end").0;
    Record::read(text.as_bytes()).expect("a record")
}

fn review(record: &Record) -> Review {
    Review::of(record.referee(), &Budget::nodes(1_000_000))
}

/// The same match from another start, with these moves.
fn record(start: &str, moves: &[String]) -> Record {
    let example = example();
    let mut events = example.events()[..2].to_vec();
    if let Event::Created {
        position, clock, ..
    } = &mut events[0]
    {
        *position = start.to_owned();
        *clock = "none".parse().expect("a time control");
    }
    for (number, text) in (1..).zip(moves) {
        let seat = grundy_shared::ids::Seat::to_move_at(Ply(number - 1));
        events.push(Event::Moved {
            at_ms: Millis(1_795_219_204_000 + u64::from(number)),
            seat,
            ply: Ply(number),
            move_text: text.clone(),
            client_move_id: None,
            clocks: None,
            lag_ms: Millis(0),
            planned: false,
            hints: 0,
        });
    }
    Record::new(MatchId::from_random(1), events).expect("lawful")
}

#[test]
fn a_record_is_the_same_with_and_without_notes() {
    let mut bits = Bits(15);
    for start in [
        "nim:3,5,7",
        "kayles:9",
        "hack:0-1-2,0-3",
        "nim:1,2@misere",
        "wythoff:3,6",
    ] {
        for _ in 0..10 {
            let start = Position::parse(start).expect("a position");
            let mut moves = moves(&start, &mut bits);
            // Without the last move the match is not over.
            moves.pop();
            let record = record(&start.to_string(), &moves);
            let notes = review(&record).notes();
            let bytes = record.annotated(&notes);
            let (read, found) = Record::read_annotated(&bytes).expect("annotated");
            assert_eq!((&read, found.as_ref()), (&record, Some(&notes)));
            assert_eq!(read.to_bytes(), record.to_bytes());
            assert!(bytes.starts_with(&record.to_bytes()));
            // Annotated twice is annotated once.
            assert_eq!(read.annotated(&review(&read).notes()), bytes);
            // Without notes nothing is found, and a reader of records alone refuses them.
            let plain = Record::read_annotated(&record.to_bytes()).expect("a record");
            assert_eq!(plain, (record.clone(), None));
            assert!(Record::read(&bytes).is_err());
            let marks: Vec<&str> = notes.notes.iter().map(|note| &*note.mark).collect();
            let all = review(&record).marks();
            let given: Vec<&str> = all.into_iter().filter(|mark| !mark.is_empty()).collect();
            assert_eq!(marks, given);
        }
    }
}

#[test]
fn a_turning_point_has_its_best_move_and_its_reasons() {
    let record = record("nim:1,2", &["B-2".to_owned()]);
    let Notes { notes, .. } = review(&record).notes();
    let [note] = &notes[..] else {
        panic!("one note");
    };
    assert_eq!(
        (note.ply, &*note.mark, &note.best[..]),
        (Ply(1), "??", &["B-1".to_owned()][..])
    );
    assert!(!note.why.is_empty());
}

/// Cut off after the record, at any byte, notes are refused, with their line; so are other changes.
#[test]
fn damaged_notes_are_refused() {
    let record = example();
    let notes = Notes {
        solver: 7,
        notes: [(1, "!"), (3, "[]")]
            .map(|(ply, mark)| Note {
                ply: Ply(ply),
                mark: mark.to_owned(),
                best: Vec::new(),
                why: Vec::new(),
            })
            .to_vec(),
    };
    let (plain, bytes) = (record.to_bytes(), record.annotated(&notes));
    let lines = plain.iter().filter(|byte| **byte == b'\n').count();
    for end in plain.len() + 1..bytes.len() {
        let error = Record::read_annotated(&bytes[..end]).expect_err("cut off");
        assert!((lines..=lines + 3).contains(&error.line), "{end}: {error}");
    }
    let text = String::from_utf8(bytes).expect("UTF-8");
    for (from, to, line) in [
        ("{\"ply\":1,", "{\"ply\":4,", 8),
        ("{\"ply\":1,", "{\"ply\":3,", 9),
        ("{\"ply\":1,", "{\"ply\":0,", 8),
        ("{\"ply\":1,", "{\"ply\": 1,", 8),
        ("\"mark\":\"!\"", "\"mark\":\"!\",\"x\":1", 8),
        ("\"count\":2", "\"count\":3", 9),
        ("\"solver\":7", "\"solver\":-7", 8),
    ] {
        let changed = text.replacen(from, to, 1);
        let error = Record::read_annotated(changed.as_bytes()).expect_err(to);
        let lines = [line, line - 1, line + 1];
        assert!(lines.contains(&error.line), "{to}: {error}");
    }
    // Notes do not hide a change of the record.
    let changed = text.replacen("\"move\":\"A-1\"", "\"move\":\"A-7\"", 1);
    assert_eq!(
        Record::read_annotated(changed.as_bytes())
            .expect_err("changed")
            .line,
        5
    );
    // Another form is passed over, whatever its lines are.
    let newer = text.replace("grundy/notes/1", "grundy/notes/2") + "anything\n";
    let (read, notes) = Record::read_annotated(newer.as_bytes()).expect("a record");
    assert_eq!((read, notes), (record, None));
}
