//! Records: one match has one record, and whatever is changed in it is found.

use grundy_shared::event::{Event, PlayerInfo};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat};
use grundy_shared::record::{MAX_BYTES, Record, RecordError};
use grundy_shared::referee::{Command, Decision, Referee, Terms};
use proptest::prelude::*;

fn player(number: u128, name: &str) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(number),
        name: name.to_owned(),
        bot: number == 2,
    }
}

/// A match of Nim in which the moves are drawn from `draws`; it may stop in the middle, or end by resignation.
fn play(draws: &[u64], clock: &str, resigns: bool) -> Record {
    let terms = Terms {
        position: "nim:3,4,5".to_owned(),
        clock: clock.parse().expect("a time control"),
        rematch_of: Some(MatchId::from_random(4)),
        series: None,
    };
    let (mut referee, mut log) = Referee::create(
        terms,
        player(1, "Ada \"the\" first\u{7}"),
        Seat::First,
        Millis(1),
    )
    .expect("lawful terms");
    let mut commands = vec![Command::Join {
        player: player(2, "bo-bot"),
    }];
    for (draw, ply) in draws.iter().zip(1..) {
        commands.push(Command::Presence {
            seat: Seat::BOTH[*draw as usize % 2],
            online: draw % 3 == 0,
        });
        commands.push(Command::Move {
            player: PlayerId::from_random(if ply % 2 == 1 { 1 } else { 2 }),
            ply: Ply(ply),
            client_move_id: (draw % 2 == 0).then(|| format!("m{ply}").parse().expect("an id")),
            text: draw.to_string(),
            opponent_lag: Millis(0),
            hints: 0,
        });
    }
    if resigns {
        commands.push(Command::Resign {
            player: PlayerId::from_random(1),
        });
    }
    for (mut command, now) in commands.into_iter().zip(2..) {
        if let Command::Move { text, .. } = &mut command {
            let seat = referee.to_move();
            let count = referee.position().move_count(seat);
            let draw: u128 = text.parse().expect("a number");
            let Some(mv) = (count > 0)
                .then(|| referee.position().nth_move(seat, draw % count))
                .flatten()
            else {
                break;
            };
            *text = mv.to_string();
        }
        if let Ok(Decision::Events(events)) = referee.handle(Millis(now * 1_000), &command) {
            log.extend(referee.accept(events).expect("nothing came between"));
        }
    }
    Record::new(MatchId::from_random(77), log).expect("a lawful log")
}

fn sample() -> String {
    let record = play(&[10, 3, 8, 1], "3m+2s", true);
    String::from_utf8(record.to_bytes()).expect("JSON is UTF-8")
}

fn error(text: &str) -> RecordError {
    let error = Record::read(text.as_bytes()).expect_err("not a record");
    assert!(error.example.starts_with('{'), "{error}");
    error
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_record_reads_back_equal(
        draws in prop::collection::vec(0u64..1_000, 0..14),
        timed: bool,
        resigns: bool,
    ) {
        let record = play(&draws, if timed { "3+2" } else { "none" }, resigns);
        let bytes = record.to_bytes();
        let read = Record::read(&bytes);
        prop_assert_eq!(read.as_ref(), Ok(&record));
        prop_assert_eq!(read.map(|read| read.to_bytes()), Ok(bytes));
    }

    #[test]
    fn a_changed_byte_is_found(at: prop::sample::Index, with: u8) {
        let whole = sample().into_bytes();
        let mut bytes = whole.clone();
        let at = at.index(bytes.len());
        bytes[at] = with;
        prop_assert_eq!(Record::read(&bytes).is_ok(), bytes == whole);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Record::read(&bytes);
    }
}

#[test]
fn a_record_cut_off_anywhere_is_refused() {
    let whole = sample();
    assert!(Record::read(whole.as_bytes()).is_ok());
    for length in 0..whole.len() {
        let error = error(&whole[..length]);
        let line = whole[..length].matches('\n').count() + 1;
        assert_eq!(error.line, line, "{error}");
    }
}

#[test]
fn a_removed_doubled_or_swapped_line_is_refused() {
    let whole = sample();
    let lines: Vec<&str> = whole.lines().collect();
    let join = |lines: &[&str]| lines.join("\n") + "\n";
    for at in 0..lines.len() {
        let mut removed = lines.clone();
        removed.remove(at);
        error(&join(&removed));
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        error(&join(&doubled));
        if at > 0 {
            let mut swapped = lines.clone();
            swapped.swap(at - 1, at);
            error(&join(&swapped));
        }
    }
}

#[test]
fn what_cannot_have_happened_is_refused_with_its_line() {
    let whole = sample();
    let changed = |from: &str, to: &str| {
        let line = whole
            .lines()
            .position(|line| line.contains(from))
            .expect("the sample has this");
        let found = error(&whole.replacen(from, to, 1));
        assert_eq!(found.line, line + 1, "{found}");
        found.message
    };
    assert!(changed(r#""reason":"resignation""#, r#""reason":"time""#).contains("cannot end so"));
    assert!(changed(r#""ply":2"#, r#""ply":3"#).contains("move 2"));
    assert!(changed(r#""first_ms":"#, r#""first_ms":1"#).contains("clocks should be"));
    assert!(changed("grundy/record/1", "grundy/record/2").contains("grundy/record/2"));
    assert!(changed(r#""seq":3"#, r#""seq":4"#).contains("not 3"));
}

/// Another lawful match is not this one.
#[test]
fn a_changed_result_or_name_is_refused() {
    let whole = sample();
    for (from, to) in [
        (r#""outcome":"second""#, r#""outcome":"first""#),
        ("bo-bot", "Bo-bot"),
        (r#"events":9,"head":""#, r#"events":9,"head":"0"#),
    ] {
        let changed = whole.replacen(from, to, 1);
        assert_ne!(changed, whole, "{from}");
        assert!(error(&changed).message.contains("was changed"));
    }
}

#[test]
fn other_spellings_of_the_same_are_refused_at_their_place() {
    let whole = sample();
    for (from, to) in [
        ("{\"seq\":1,", "{ \"seq\":1,"),
        ("{\"seq\":1,", "{\"seq\":1.0,"),
        ("\n{\"seq\":2", "\r\n{\"seq\":2"),
        ("\n{\"seq\":2", "\n\n{\"seq\":2"),
        ("\"name\":\"bo-bot\"", "\"name\":\"b\\u006f-bot\""),
        ("\"online\":false", "\"online\":false,\"online\":false"),
        ("\"online\":false", "\"online\":false,\"x\":1"),
    ] {
        assert_ne!(whole.replacen(from, to, 1), whole, "{from}");
        let found = error(&whole.replacen(from, to, 1));
        assert!(
            found.line <= whole.lines().count() && found.column > 0,
            "{found}"
        );
    }
    let bom = format!("\u{feff}{whole}");
    assert_eq!((error(&bom).line, error(&bom).column), (1, 1));
    assert_eq!(error("{\"schema\":1}\n").line, 1);
}

#[test]
fn what_is_too_large_is_not_looked_at() {
    let bytes = vec![b'\n'; MAX_BYTES + 1];
    let error = Record::read(&bytes).expect_err("too large");
    assert!(error.message.contains("16777216"), "{error}");
}

#[test]
fn the_text_names_the_players_the_result_and_every_move() {
    let record = play(&[10, 3, 8], "3m+2s", true);
    let text = record.to_text(&["!", "", "??"]);
    let first_move = record.referee().moves()[0].text.clone();
    for part in [
        "[Date \"1970-01-01\"]",
        "[Rules \"Nim, normal play\"]",
        "[Start \"nim:3,4,5\"]",
        "[First \"Ada \\\"the\\\" first\\u{7}\"]",
        "[Second \"bo-bot (bot)\"]",
        "[Clock \"3m+2s\"]",
        "[Result \"0-1\"]",
        "[Termination \"resignation: Ada ",
        &format!("\n1. first   {first_move}  !   "),
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let plies = text
        .lines()
        .filter(|line| line.contains(". first") || line.contains(". second"));
    assert_eq!(plies.count(), 3);
    assert!(text.lines().all(|line| line == line.trim_end()));
    assert!(matches!(record.events()[0], Event::Created { .. }));
}

#[test]
fn a_refusal_is_short_however_long_the_line_is() {
    let whole = sample();
    let long = whole.replacen("nim:3,4,5", &"9,".repeat(100_000), 1);
    let error = error(&long.replacen("\"seq\":1,", "\"seq\": 1,", 1));
    assert_eq!(error.line, 2);
    assert!(
        error.to_string().len() < 500,
        "{} bytes",
        error.to_string().len()
    );
    let error = Record::read(format!("{{\"{}\":1}}\n", "a".repeat(100_000)).as_bytes());
    let error = error.expect_err("an unknown field");
    assert!(
        error.to_string().len() < 500,
        "{} bytes",
        error.to_string().len()
    );
}
