//! Records of matches in a stream, and in the library on this computer.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::online::word_after;
use crate::program::{Home, Ran};
use crate::server::{Server, that_says};

/// Plays these moves against the bot from this position on the server, and returns the id of the match.
fn play(home: &Home, position: &str, moves: &str) -> String {
    let arguments = ["play", position, "--side", "first", "--bot", "perfect"];
    let ran = home.feed(&arguments, moves);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    word_after(&ran.stdout, "Match ").to_owned()
}

/// The only match in the library.
fn the_match(home: &Home) -> (String, PathBuf) {
    let files = fs::read_dir(library(home)).expect("a library");
    let mut files = files.map(|file| file.expect("an entry").path());
    let path = files.next().expect("a match");
    assert_eq!(files.next(), None);
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    (stem.expect("a name").to_owned(), path)
}

fn library(home: &Home) -> PathBuf {
    home.file(".local/share/grundy/matches")
}

fn read(path: impl Into<PathBuf>) -> String {
    fs::read_to_string(path.into()).expect("a file")
}

/// The ids of the records in a stream, in their order.
fn heads(stream: &str) -> Vec<String> {
    let lines = stream
        .lines()
        .filter(|line| line.starts_with("{\"schema\""));
    let id = |line: &str| {
        let header: Value = serde_json::from_str(line).expect("a header");
        header["match"].as_str().expect("an id").to_owned()
    };
    lines.map(id).collect()
}

fn listed(ran: &Ran) -> Vec<String> {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let matches = ran.json()["matches"].clone();
    let matches = matches.as_array().expect("a list").iter();
    let id = |one: &Value| one["match"].as_str().expect("an id").to_owned();
    matches.map(id).collect()
}

const STREAM: [&str; 4] = ["games", "export", "--mine", "-"];

#[test]
fn a_stream_goes_on_where_it_came_to_and_its_records_are_imported_byte_for_byte() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let nothing = home.run(&STREAM);
    assert_eq!(
        (nothing.code, &*nothing.stdout),
        (Some(0), ""),
        "{nothing:?}"
    );
    let first = play(&home, "nim:1", "a-1\n");
    // One match is resigned, and one has no moves.
    let second = play(&home, "kayles:3", "resign\n");
    let all = home.run(&STREAM);
    assert_eq!(heads(&all.stdout), [&*first, &*second], "{all:?}");
    let one = |id: &str| home.run(&["games", "export", id]).stdout;
    assert_eq!(all.stdout, one(&first) + &one(&second));
    // Continues from the printed cursor, and from a cursor file.
    let cursor = word_after(&all.stderr, "Cursor: ").to_owned();
    let with_file = [&STREAM[..], &["--cursor-file", "cursor"]].concat();
    assert_eq!(home.run(&with_file).stdout, all.stdout);
    assert_eq!(home.run(&with_file).stdout, "");
    let third = play(&home, "nim:2,1", "a-1\na-1\nb-1\n");
    for more in [&["--after", &*cursor][..], &["--cursor-file", "cursor"]] {
        let ran = home.run(&[&STREAM[..], more].concat());
        assert_eq!(heads(&ran.stdout), [&*third], "{more:?}: {ran:?}");
    }
    assert_eq!(home.run(&with_file).stdout, "");
    // A cursor file belongs to one server and player.
    let other = Home::at(&server.url);
    fs::copy(home.file("cursor"), other.file("cursor")).expect("a copy");
    let ran = other.run(&[&with_file[..], &["--json"]].concat());
    assert_eq!(
        (ran.code, &ran.error()["code"]),
        (Some(3), &json!("bad_cursor"))
    );
    home.write("cursor", "nonsense");
    let ran = home.run(&[&with_file[..], &["--json"]].concat());
    assert_eq!(
        (ran.code, &ran.error()["code"]),
        (Some(3), &json!("bad_cursor"))
    );
    assert_eq!(read(home.file("cursor")), "nonsense");
    let ran = home.run(&["games", "export", "--mine", "directory", "--after", "e1"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");

    // Imports into the library of a computer without a server, and exports again.
    let away = Home::new();
    let whole = home.run(&STREAM).stdout;
    let import = away.feed(&["games", "import", "-", "--json"], &whole);
    assert_eq!(import.json()["imported"], 3, "{import:?}");
    away.write("all.ndjson", &whole);
    let again = away
        .run(&["games", "import", "all.ndjson", "--json"])
        .json();
    assert_eq!((&again["imported"], &again["kept"]), (&json!(0), &json!(3)));
    for id in [&first, &second, &third] {
        let path = library(&away).join(format!("{id}.ndjson"));
        assert_eq!(read(&path), one(id));
        assert_eq!(fs::metadata(&path).expect("a file").mode() & 0o777, 0o600);
        let out = away.run(&["games", "export", id, "--local"]);
        assert_eq!(out.stdout, one(id), "{out:?}");
        let shown = |home: &Home, more: &[&str]| {
            let arguments = [&["games", "show", id, "--json"], more].concat();
            home.run(&arguments).stdout
        };
        assert_eq!(shown(&away, &["--local"]), shown(&home, &[]));
        let review = |home: &Home, more: &[&str]| {
            home.run(&[&["review", id, "--json"], more].concat()).stdout
        };
        assert_eq!(review(&away, &["--local"]), review(&home, &[]));
    }
    let mode = fs::metadata(library(&away)).expect("a directory").mode();
    assert_eq!(mode & 0o777, 0o700);
    // The same filters find the same matches.
    for more in [
        &[][..],
        &["--oldest"],
        &["--game", "nim"],
        &["--start", "NIM:2,1"],
        &["--result", "second"],
        &["--player", "perfect", "--result", "won"],
        &["--opponent", "perfect", "--player", "nobody-of-this-name"],
        &["--min-moves", "2"],
        &["--max-moves", "1"],
        &["--rated"],
        &["--since", "1h", "--limit", "2"],
        &["--until", "2026-01-01"],
    ] {
        let there = home.run(&[&["games", "list", "--json"], more].concat());
        let here = away.run(&[&["games", "list", "--local", "--json"], more].concat());
        if more.contains(&"nobody-of-this-name") {
            assert_eq!(listed(&here), Vec::<String>::new());
            continue;
        }
        assert_eq!(listed(&here), listed(&there), "{more:?}");
    }
    // `--mine` means the identities on this computer.
    let mine = ["games", "list", "--local", "--mine", "--json"];
    assert_eq!(listed(&away.run(&mine)).len(), 0);
    home.run(&[
        "games",
        "import",
        &away.file("all.ndjson").display().to_string(),
    ]);
    assert_eq!(listed(&home.run(&mine)).len(), 3);
    let shown = away.run(&["config", "path"]);
    assert!(
        shown.stdout.contains(".local/share/grundy/matches"),
        "{shown:?}"
    );
}

#[test]
fn mistakes_are_shown_and_searched_for_on_the_server_and_here() {
    let server = Server::start();
    let home = Home::at(&server.url);
    // The win is given away with the first move; the bot keeps it.
    let thrown = play(&home, "nim:1,2", "a-1\nb-1\nb-2\n");
    let clean = play(&home, "nim:1", "a-1\n");
    let list = |more: &[&str]| home.run(&[&["games", "list", "--json"], more].concat());
    // The server counts them within a second or two of the end.
    let counted = || {
        let all = list(&[]).json();
        let matches = all["matches"].as_array().expect("a list").clone();
        matches.iter().all(|one| one["mistakes"].is_object())
    };
    let waits = home.start(&["bot", "list"]);
    waits.waits_until(counted);
    let all = list(&["--oldest"]).json();
    assert_eq!(all["matches"][0]["mistakes"], json!({"first":1,"second":0}));
    assert_eq!(all["matches"][1]["mistakes"], json!({"first":0,"second":0}));
    let table = home.run(&["games", "list", "--with-mistakes"]).stdout;
    assert!(
        table.contains("mistakes") && table.contains("1-0"),
        "{table}"
    );
    let bare = home.run(&["games", "list"]).stdout;
    assert!(!bare.contains("mistakes"), "{bare}");
    let whole = home.run(&STREAM).stdout;
    home.feed(&["games", "import", "-"], &whole);
    for (more, expected) in [
        (&["--min-mistakes", "1"][..], vec![&thrown]),
        (&["--max-mistakes", "0"], vec![&clean, &thrown]),
        (&["--mine", "--max-mistakes", "0"], vec![&clean]),
        (&["--mine", "--min-mistakes", "1"], vec![&thrown]),
        (
            &["--mistakes-by", "opponent", "--min-mistakes", "1"],
            vec![],
        ),
        (
            &["--mine", "--mistakes-by", "either", "--min-mistakes", "2"],
            vec![],
        ),
    ] {
        let expected: Vec<String> = expected.into_iter().cloned().collect();
        let found = list(more);
        assert_eq!(listed(&found), expected, "{more:?}");
        assert_eq!(
            (&found.json()["uncounted"], &found.json()["unknown"]),
            (&json!(0), &json!(0))
        );
        assert_eq!(
            listed(&list(&[more, &["--local"]].concat())),
            expected,
            "{more:?} here"
        );
    }
    let here = list(&["--local", "--with-mistakes", "--oldest"]).json();
    assert_eq!(
        here["matches"][0]["mistakes"],
        json!({"first":1,"second":0})
    );
}

#[test]
fn matches_played_here_are_kept_here_and_play_goes_on_where_they_cannot_be() {
    let home = Home::new();
    let play = [
        "play", "nim:1,2", "--local", "--side", "first", "--bot", "perfect",
    ];
    let ran = home.feed(&play, "b-1\na-1\nb-1\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // The bot may take the heap that the next line names. Then the line after it is played.
    assert!(!ran.stderr.contains("library"), "{ran:?}");
    let (id, _) = the_match(&home);
    assert_eq!(
        listed(&home.run(&["games", "list", "--local", "--json"])),
        [&*id]
    );
    let review = home.run(&["review", &id, "--local"]);
    assert_eq!(review.code, Some(0), "{review:?}");
    // A file blocks the place of the directory: one message is shown, and the match is played to its end.
    let full = Home::new();
    full.write(".local/share/grundy", "a file");
    let ran = full.feed(&play, "b-1\na-1\nb-1\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(
        said.matches("This match is not kept on this computer")
            .count(),
        1,
        "{ran:?}"
    );
    assert!(ran.stdout.contains("You win"), "{ran:?}");
}

/// Ten kinds of change: each is refused with its line, and nothing of the changed record is added.
#[test]
fn a_changed_record_is_refused_with_its_line() {
    let home = Home::new();
    // Two people at one keyboard, so that the moves do not depend on a bot.
    let play = ["play", "nim:1,2", "--local", "--two"];
    assert_eq!(home.feed(&play, "b-1\na-1\nb-1\n").code, Some(0));
    let (id, path) = the_match(&home);
    let genuine = read(&path);
    let lines: Vec<&str> = genuine.lines().collect();
    let joined = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    let with = |number: usize, line: &str| {
        let mut lines = lines.clone();
        lines[number - 1] = line;
        joined(&lines)
    };
    let replaced = |number: usize, from: &str, to: &str| {
        let line = lines[number - 1].replacen(from, to, 1);
        assert_ne!(line, lines[number - 1], "{from}");
        with(number, &line)
    };
    let swapped = |a: usize, b: usize| {
        let mut lines = lines.clone();
        lines.swap(a - 1, b - 1);
        joined(&lines)
    };
    let last = lines.len();
    let doubled = [&lines[..4], &lines[3..]].concat();
    let without = [&lines[..3], &lines[4..]].concat();
    let head = lines[0].split("\"head\":\"").nth(1).expect("a head");
    let digit = match head.starts_with('0') {
        true => "1",
        false => "0",
    };
    let other_head = format!("\"head\":\"{digit}{}", &head[1..]);
    let changes = [
        ("cut off after a line", joined(&lines[..last - 1]), last),
        (
            "cut off within a line",
            genuine[..genuine.len() - 9].to_owned(),
            last,
        ),
        ("two lines change places", swapped(4, 5), 4),
        ("a line comes twice", joined(&doubled), 5),
        ("a line is missing", joined(&without), 4),
        ("another move", replaced(4, "\"B-1\"", "\"B-2\""), 6),
        ("an illegal move", replaced(4, "\"B-1\"", "\"A-9\""), 4),
        (
            "another moment",
            replaced(2, "\"at_ms\":1", "\"at_ms\":0"),
            2,
        ),
        (
            "another result",
            replaced(last, "\"outcome\":\"first\"", "\"outcome\":\"second\""),
            last,
        ),
        (
            "another name",
            replaced(2, "\"Player 1\"", "\"Plaxer 1\""),
            1,
        ),
        (
            "another head",
            with(
                1,
                &lines[0].replace(&format!("\"head\":\"{head}"), &other_head),
            ),
            1,
        ),
        ("another match", replaced(1, &id, "7Kq2mVx9Rt"), 1),
        ("a space", replaced(3, ",", ", "), 3),
        (
            "an event more",
            genuine.clone() + lines[last - 1] + "\n",
            last + 1,
        ),
        ("not a header", joined(&lines[1..]), 1),
        (
            "another letter",
            genuine.replacen("Player", "Pl\u{fffd}yer", 1),
            1,
        ),
        ("empty", String::new(), 0),
    ];
    for (what, content, line) in changes {
        let elsewhere = Home::new();
        elsewhere.write("m.ndjson", &content);
        let ran = elsewhere.run(&["games", "import", "m.ndjson", "--json"]);
        assert_eq!(ran.code, Some(3), "{what}: {ran:?}");
        let message = ran.error()["message"].as_str().expect("words").to_owned();
        match line {
            0 => assert!(message.contains("no record"), "{message}"),
            line => assert!(
                message.contains(&format!("line {line},")),
                "{what}: {message}"
            ),
        }
        let empty = fs::read_dir(library(&elsewhere)).map_or(0, Iterator::count);
        assert_eq!(empty, 0, "{what}");
        // After a sound record, line numbers continue, and the sound record is kept.
        if line > 0 {
            let sound = Home::new();
            fs::write(sound.file("m.ndjson"), format!("{genuine}{content}")).expect("a file");
            let ran = sound.run(&["games", "import", "m.ndjson", "--json"]);
            assert_eq!(ran.code, Some(3), "{what}: {ran:?}");
            if what != "not a header" {
                let message = ran.error()["message"].as_str().expect("words").to_owned();
                let place = format!("line {},", last + line);
                assert!(message.contains(&place), "{what}: {message}");
                assert_eq!(read(library(&sound).join(format!("{id}.ndjson"))), genuine);
            }
        }
    }
    // A damaged file in the library hides nothing else.
    fs::write(library(&home).join("7Kq2mVx9Rt.ndjson"), "x").expect("a file");
    let list = home.run(&["games", "list", "--local", "--json"]);
    assert_eq!(listed(&list), [&*id]);
    assert!(list.stderr.contains("7Kq2mVx9Rt.ndjson"), "{list:?}");
}

#[test]
fn another_record_of_a_known_match_is_refused_and_a_longer_one_is_taken() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let (mut a, id, code) = crate::online::invite(&home, "nim:1,2");
    let other = Home::at(&server.url);
    let mut b = other.start(&["join", &code]);
    a.says("Your move");
    // The library refuses a match that is not over.
    let running = home.run(&["games", "export", &id, "running.ndjson"]);
    assert_eq!(running.code, Some(0), "{running:?}");
    let ran = home.run(&["games", "import", "running.ndjson", "--json"]);
    assert_eq!(
        (ran.code, &ran.error()["code"]),
        (Some(7), &json!("not_over"))
    );
    a.types("resign");
    b.says("You win");
    let over = home.run(&["games", "export", &id]).stdout;
    home.write("over.ndjson", &over);
    let import = |name: &str| home.run(&["games", "import", name, "--json"]);
    assert_eq!(import("over.ndjson").json()["imported"], 1);
    // The same events with a different end that is lawful by itself.
    let forged = forged(&over);
    home.write("forged.ndjson", &forged);
    let ran = import("forged.ndjson");
    assert_eq!(
        (ran.code, &ran.error()["code"]),
        (Some(3), &json!("other_record"))
    );
    let message = ran.error()["message"].as_str().expect("words").to_owned();
    assert!(message.contains("event 3 is"), "{message}");
    let kept = library(&home).join(format!("{id}.ndjson"));
    assert_eq!(read(&kept), over);
    // A rematch that is offered later makes the record longer.
    let longer = longer(&over);
    home.write("longer.ndjson", &longer);
    assert_eq!(import("longer.ndjson").json()["extended"], 1);
    assert_eq!(read(&kept), longer);
    assert_eq!(import("over.ndjson").json()["kept"], 1);
    assert_eq!(read(&kept), longer);
}

/// A lawful record of the same match with other events after the second.
fn forged(record: &str) -> String {
    rewritten(record, |events| {
        let ended = events.last_mut().expect("an end");
        let at = ended["at_ms"].as_u64().expect("a moment");
        ended["at_ms"] = json!(at + 1);
    })
}

/// The same record with the offer of a rematch.
fn longer(record: &str) -> String {
    rewritten(record, |events| {
        let at = events.last().expect("an end")["at_ms"].clone();
        events.push(json!({"type":"rematch_offered","at_ms":at,"seat":"first"}));
    })
}

/// A record whose events were changed, with a header that fits.
fn rewritten(record: &str, change: impl FnOnce(&mut Vec<Value>)) -> String {
    use grundy_shared::event::Event;
    use grundy_shared::record::Record;
    let read = Record::read(record.as_bytes()).expect("a record");
    let events = read.events().iter().map(|event| json!(event));
    let mut events: Vec<Value> = events.collect();
    change(&mut events);
    let events = events.into_iter().map(|event| {
        let event: Event = serde_json::from_value(event).expect("an event");
        event
    });
    let record = Record::new(read.match_id(), events.collect()).expect("lawful");
    String::from_utf8(record.to_bytes()).expect("UTF-8")
}

/// A stream whose writer was killed in the middle of a record, and began again with the same file.
#[test]
fn a_record_that_is_cut_off_in_a_stream_is_skipped_and_the_others_are_imported() {
    let played = |moves: &str| {
        let home = Home::new();
        let ran = home.feed(&["play", "nim:1,2", "--local", "--two"], moves);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let (id, path) = the_match(&home);
        (id, read(path))
    };
    let (first, one) = played("b-1\na-1\nb-1\n");
    let (second, two) = played("resign\n");
    let lines = one.lines().count();
    let header = two.find('\n').expect("a line");
    // Within the header, after it, within an event, and before the last line.
    for cut_at in [1, 12, header, header + 1, header + 40, two.len() - 1] {
        let home = Home::new();
        home.write("m.ndjson", &format!("{one}{}{two}", &two[..cut_at]));
        let ran = home.run(&["games", "import", "m.ndjson", "--json"]);
        assert_eq!(ran.code, Some(0), "{cut_at}: {ran:?}");
        let counts = ["imported", "skipped"].map(|name| ran.json()[name].clone());
        assert_eq!(counts, [json!(2), json!(1)], "{cut_at}: {ran:?}");
        assert!(
            ran.stderr.contains(&format!("line {}:", lines + 1)),
            "{cut_at}: {ran:?}"
        );
        for (id, record) in [(&first, &one), (&second, &two)] {
            let kept = read(library(&home).join(format!("{id}.ndjson")));
            assert_eq!(&kept, record, "{cut_at}");
        }
    }
}

#[test]
fn a_damaged_file_of_the_library_is_replaced_by_a_sound_record() {
    let home = Home::new();
    let play = ["play", "nim:1,2", "--local", "--two"];
    assert_eq!(home.feed(&play, "resign\n").code, Some(0));
    let (id, path) = the_match(&home);
    let genuine = read(&path);
    home.write("m.ndjson", &genuine);
    for damaged in ["", "x\n", &genuine[..genuine.len() - 9]] {
        fs::write(&path, damaged).expect("a file");
        let ran = home.run(&["games", "import", "m.ndjson", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.json()["imported"], 1, "{ran:?}");
        let said = ran.stderr.contains("was damaged") && ran.stderr.contains(&id);
        assert!(said, "{ran:?}");
        assert_eq!(read(&path), genuine);
    }
}

/// What was heard while the match was on is not its record: the opponent's plans were hidden.
#[test]
fn a_record_with_a_hidden_plan_is_refused() {
    let home = Home::new();
    let play = ["play", "nim:1,2", "--local", "--two"];
    assert_eq!(home.feed(&play, "b-1\na-1\nb-1\n").code, Some(0));
    let (id, path) = the_match(&home);
    let heard = rewritten(&read(&path), |events| {
        let at = events[1]["at_ms"].clone();
        events.insert(2, json!({"type":"planned","at_ms":at,"seat":"second"}));
    });
    let other = Home::new();
    other.write("m.ndjson", &heard);
    let ran = other.run(&["games", "import", "m.ndjson", "--json"]);
    let error = ran.error();
    assert_eq!(
        (ran.code, &error["code"]),
        (Some(7), &json!("not_whole")),
        "{ran:?}"
    );
    let message = error["message"].as_str().expect("words");
    assert!(message.contains("event 3"), "{message}");
    let hint = error["hint"].as_str().expect("a remedy");
    assert!(
        hint.contains(&format!("grundy games export {id}")),
        "{hint}"
    );
    let empty = fs::read_dir(library(&other)).map_or(0, Iterator::count);
    assert_eq!(empty, 0);
}

/// The matches that were played here are those of the person at this keyboard.
#[test]
fn matches_played_here_are_mine() {
    let home = Home::new();
    let play = [
        "play", "nim:3,5", "--local", "--side", "first", "--bot", "perfect",
    ];
    assert_eq!(home.feed(&play, "resign\n").code, Some(0));
    let (id, _) = the_match(&home);
    for (more, expected) in [
        (&["--mine"][..], vec![&*id]),
        (&["--opponent", "perfect"], vec![&*id]),
        (&["--result", "lost"], vec![&*id]),
        (&["--result", "won"], vec![]),
        (&["--mine", "--opponent", "greedy"], vec![]),
    ] {
        let ran = home.run(&[&["games", "list", "--local", "--json"], more].concat());
        assert_eq!(listed(&ran), expected, "{more:?}");
    }
}

/// A server with three matches: the log of the first is damaged there, and the second has an event of tomorrow.
const DAMAGED: &[&[&str]] = &[
    &[
        r#"{"re":$id,"body":{"type":"welcome","protocol":1,"server":"grundy-server 9","now_ms":1795240800000,"player":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"Cyd","bot":false},"token":"grg_3Jt0","limits":{"message_bytes":16384,"reply_bytes":65536,"burst":30,"requests_per_second":10,"queue_messages":64,"queue_bytes":262144,"matches_per_player":20,"follows_per_connection":20,"solver_ms":200,"solver_bytes":67108864,"review_plies":2000,"ping_ms":15000,"dead_after_ms":35000,"join_code_ms":86400000},"obligations":[]}}"#,
    ],
    &[
        r#"{"re":$id,"body":{"type":"matches","matches":[{"match":"7Kq2mVx9Rs","position":"nim:1,2","clock":{"type":"untimed"},"status":"over","plies":0,"created_at_ms":1795240801000,"place":"e1"},{"match":"7Kq2mVx9Rt","position":"nim:1,2","clock":{"type":"untimed"},"status":"over","plies":0,"created_at_ms":1795240801000,"place":"e2"},{"match":"7Kq2mVx9Ru","position":"nim:1,2","clock":{"type":"untimed"},"status":"over","plies":0,"created_at_ms":1795240801000,"place":"e3"}]}}"#,
    ],
    &[
        r#"{"re":$id,"body":{"type":"error","code":"internal","message":"the record of this match is damaged"}}"#,
    ],
    &[
        r#"{"re":$id,"body":{"type":"record","match":"7Kq2mVx9Rt","events":[{"seq":1,"body":{"type":"applause","at_ms":1795240801000,"how":["loud"]}}],"complete":true}}"#,
    ],
    &[
        r#"{"re":$id,"body":{"type":"record","match":"7Kq2mVx9Ru","events":[{"seq":1,"body":{"type":"created","at_ms":1795240801000,"position":"nim:1,2","clock":{"type":"untimed"},"creator":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c9","name":"Ada","bot":false},"seat":"first"}},{"seq":2,"body":{"type":"joined","at_ms":1795240805000,"seat":"second","player":{"id":"0190a5c4-9f6b-4d2a-8a4e-2f6d1c0b9e77","name":"Bo","bot":true}}},{"seq":3,"body":{"type":"ended","at_ms":1795240806000,"outcome":"second","reason":"resignation"}}],"complete":true}}"#,
    ],
    &[r#"{"re":$id,"body":{"type":"done"}}"#],
];

#[test]
fn a_stream_passes_over_what_cannot_be_read_and_says_so() {
    let home = Home::at(&that_says(DAMAGED));
    let ran = home.run(&[&STREAM[..], &["--cursor-file", "cursor", "--json"]].concat());
    assert_eq!(heads(&ran.stdout), ["7Kq2mVx9Ru"], "{ran:?}");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for id in ["7Kq2mVx9Rs", "7Kq2mVx9Rt"] {
        let warning = format!("match {id} is left out");
        assert_eq!(ran.stderr.matches(&warning).count(), 1, "{ran:?}");
    }
    assert!(ran.stderr.contains("2 records were left out"), "{ran:?}");
    let cursor: Value = serde_json::from_str(&read(home.file("cursor"))).expect("JSON");
    assert_eq!(cursor["after"], "e3");
}

/// If the reader of a stream stops and the stream is interrupted, the output ends with a whole record, and the next call continues after it.
#[test]
fn an_interrupted_stream_loses_and_doubles_nothing() {
    let server = Server::start();
    let home = Home::at(&server.url);
    // More than fits into a pipe, so that the program waits in the middle.
    let mut ids = Vec::new();
    let start = format!("nim:{}1", "1,".repeat(7_000));
    for _ in 0..8 {
        ids.push(play(&home, &start, "resign\n"));
    }
    let whole = home.run(&STREAM).stdout;
    assert_eq!(heads(&whole), ids);
    assert!(whole.len() > 65_536 + 8_192, "{}", whole.len());
    let with_file = [&STREAM[..], &["--cursor-file", "cursor"]].concat();
    let mut written = String::new();
    let mut interrupted = 0;
    while written.len() < whole.len() {
        let mut child = home
            .command(&with_file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdout = child.stdout.take().expect("a pipe");
        // Some output has arrived, so the program is running.
        let mut part = [0; 1_000];
        let first = stdout.read(&mut part).expect("it can be read");
        let mut bytes = part[..first].to_vec();
        let pid = i32::try_from(child.id()).expect("a process id");
        kill_process(Pid::from_raw(pid).expect("a process id"), Signal::INT).expect("it is there");
        stdout.read_to_end(&mut bytes).expect("it can be read");
        let code = child.wait().expect("it ends").code();
        assert!(matches!(code, Some(0 | 130)), "{code:?}");
        interrupted += u32::from(code == Some(130));
        let text = String::from_utf8(bytes).expect("UTF-8");
        assert!(text.is_empty() || text.ends_with('\n'), "a record is whole");
        written += &text;
        assert!(whole.starts_with(&written), "nothing is lost or doubled");
    }
    assert!(written == whole, "what was written in parts is the whole");
    assert!(interrupted > 0, "it was never interrupted");
    // If the reader goes away, the stream ends too, and the next call begins with the record that was not read.
    fs::remove_file(home.file("cursor")).expect("a file");
    let mut child = home
        .command(&with_file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    child.wait().expect("it ends");
    let again = home.run(&with_file).stdout;
    assert!(again == whole, "{} of {} bytes", again.len(), whole.len());
}

/// If the output cannot be written, an error is shown, and no partial file remains.
#[test]
fn a_library_that_cannot_be_written_is_said_to_be() {
    let home = Home::new();
    let play = [
        "play", "nim:1", "--local", "--side", "first", "--bot", "perfect",
    ];
    assert_eq!(home.feed(&play, "a-1\n").code, Some(0));
    let (_, path) = the_match(&home);
    let record = read(&path);
    let other = Home::new();
    other.write("m.ndjson", &record);
    let data = other.file(".local/share/grundy/matches");
    fs::create_dir_all(&data).expect("a directory");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o500)).expect("ours");
    let may_write = File::create(data.join("probe")).is_ok();
    let ran = other.run(&["games", "import", "m.ndjson"]);
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).expect("ours");
    // Root can write everywhere.
    if !may_write {
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert_eq!(fs::read_dir(&data).expect("a directory").count(), 0);
    }
    assert_eq!(other.run(&["games", "import", "none.ndjson"]).code, Some(4));
}
