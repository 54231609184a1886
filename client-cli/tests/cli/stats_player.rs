//! `grundy stats player`: all matches of a player together, from every place where they can be.

use std::collections::HashMap;
use std::fs;

use grundy_shared::event::Event;
use grundy_shared::ids::MatchId;
use grundy_shared::record::Record;
use serde_json::Value;

use crate::program::{Home, Ran};
use crate::server::Server;

/// An address at which no server answers.
const NOWHERE: &str = "http://127.0.0.1:1";

/// The example of the documentation: Ada keeps her one win.
fn example() -> &'static str {
    let page = include_str!("../../../docs/RECORDS.md");
    let (_, rest) = page.split_once("```ndjson\n").expect("an example");
    rest.split_once("```").expect("its end").0
}

/// Plays a match on this computer, and returns the record's name in the library.
fn play(home: &Home, position: &str, moves: &str) {
    let arguments = [
        "play", position, "--local", "--bot", "random", "--side", "first",
    ];
    let ran = home.feed(&arguments, moves);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn stats(home: &Home, more: &[&str]) -> Ran {
    home.run(&[&["stats", "player"], more].concat())
}

fn report(home: &Home, more: &[&str]) -> Value {
    let ran = stats(home, &[more, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()
}

fn refused(ran: &Ran, code: i32, words: &[&str]) {
    assert_eq!(ran.code, Some(code), "{ran:?}");
    assert_eq!(ran.stdout, "");
    for word in words {
        assert!(ran.stderr.contains(word), "{word}: {ran:?}");
    }
}

/// One win given away, one kept, one not had.
fn home_with_three() -> Home {
    let home = Home::at(NOWHERE);
    play(&home, "nim:1,2", "b-2\nresign\n");
    play(&home, "nim:1,2", "b-1\nresign\n");
    play(&home, "wythoff:1,2", "b-2\n");
    home
}

#[test]
fn tables_say_what_the_record_says() {
    let home = Home::at(NOWHERE);
    home.write("m.ndjson", example());
    let ran = stats(&home, &["ada", "--from", "m.ndjson"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let expected = "\
ada: 1 match, 1 won, 0 lost

Results
  game  matches  won  lost  drawn  moves  mistakes
  nim         1    1     0      0      2         0

Wins kept, of those that could be lost
  game    kept  share (95%)         bits found  skill (95%)
  nim   1 of 1  100% (21% to 100%)  1.6 of 1.6  1.00 (0.00 to 1.00)

Trend
  day         matches  mistakes    kept  share (95%)
  2026-11-21        1         0  1 of 1  100% (21% to 100%)

Wins kept, by the number of the move
  moves  mistakes    kept  share (95%)
  1             0  1 of 1  100% (21% to 100%)

Wins kept, by the time that the move took
  time used    mistakes    kept  share (95%)
  5.0s to 10s         0  1 of 1  100% (21% to 100%)

Wins kept, by the time left after the move
  time left         mistakes    kept  share (95%)
  1m 00s to 3m 00s         0  1 of 1  100% (21% to 100%)

Start positions
  start    matches  first won  second won  as first  as second  best play
  nim:1,2        1          1           0       1-0          -  first

Opponents
  opponent  won-lost-drawn  as first  as second
  bo-bot               1-0       1-0          -
";
    assert_eq!(ran.stdout, expected);
    assert_eq!(ran.stderr, "");
}

/// Names of others do nothing in a spreadsheet or a terminal.
#[test]
fn the_table_for_a_spreadsheet_has_no_formulas() {
    let home = Home::at(NOWHERE);
    let record = Record::read(example().as_bytes()).expect("a record");
    let mut all = Vec::new();
    for (number, name) in (1..).zip(["=1+2", "@SUM(1)", "\u{1b}[31mEvil"]) {
        let mut events = record.events().to_vec();
        for event in &mut events {
            if let Event::Joined { player, .. } = event {
                player.name = name.into();
            }
        }
        let named = Record::new(MatchId::from_random(number), events).expect("a record");
        all.extend(named.to_bytes());
    }
    fs::write(home.file("names.ndjson"), all).expect("ours");
    let table = ["Ada", "--from", "names.ndjson", "--csv", "t.csv"];
    let ran = stats(&home, &table);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = fs::read_to_string(home.file("t.csv")).expect("a table");
    assert!(text.contains(",'=1+2,"), "{text}");
    assert!(text.contains(",'@SUM(1),"), "{text}");
    assert!(text.contains(",[31mEvil,"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn all_forms_show_the_same_numbers() {
    let home = home_with_three();
    let ran = stats(&home, &["--json", "--csv", "s.csv", "--svg", "s.svg"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    assert_eq!(report["schema"], "grundy/stats-player/1");
    assert_eq!(report["player"], Value::Null);
    let total = &report["total"];
    assert_eq!((&total["matches"], &total["lost"]), (&3.into(), &3.into()));
    assert_eq!((&total["kept"], &total["mistakes"]), (&1.into(), &1.into()));
    // Each figure of the JSON is one line of the table.
    let csv = fs::read_to_string(home.file("s.csv")).expect("a table");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let mut cells: HashMap<[String; 3], (String, String)> = HashMap::new();
    for line in reader.records() {
        let line = line.expect("a line");
        let [section, row, key, figure, value] = [0, 1, 2, 3, 4].map(|at| line[at].to_owned());
        let earlier = cells.insert([section, row, figure], (key, value));
        assert_eq!(earlier, None, "each figure once");
    }
    let cell = |section: &str, row: usize, figure: &str| {
        let found = cells.get(&[section.to_owned(), row.to_string(), figure.to_owned()]);
        found
            .unwrap_or_else(|| panic!("{section} {row} {figure}"))
            .1
            .clone()
    };
    for section in [
        "families",
        "trend",
        "plies",
        "themes",
        "missed",
        "openings",
        "opponents",
    ] {
        let rows = report[section].as_array().expect("rows");
        assert!(!rows.is_empty(), "{section}");
        for (number, row) in (1..).zip(rows) {
            for (figure, value) in row.as_object().expect("figures") {
                if let Some(number_of) = value.as_f64().filter(|_| figure != "from") {
                    let shown: f64 = cell(section, number, figure).parse().expect("a number");
                    // JSON is read back with an error in the last place.
                    assert!((shown - number_of).abs() < 1e-9, "{section} {figure}");
                }
            }
        }
    }
    let skill: f64 = cell("total", 1, "skill.skill").parse().expect("a number");
    assert!((skill - total["skill"]["skill"].as_f64().expect("a number")).abs() < 1e-9);
    assert_eq!(cell("report", 1, "missed_positions"), "1");
    let text = stats(&home, &[]).stdout;
    assert!(text.contains("\n  all            3"), "{text}");
    assert!(text.contains("1 of 2"), "{text}");
    let svg = fs::read_to_string(home.file("s.svg")).expect("a picture");
    assert!(svg.contains("1 of 2 decisions kept the win."), "{svg}");
}

#[test]
fn filters_choose_the_matches() {
    let home = home_with_three();
    for (more, matches, mistakes) in [
        (&["--family", "nim"][..], 2, 1),
        (&["--game", "WYTHOFF"], 1, 0),
        (&["--vs", "random"], 3, 1),
        (&["Player", "--opponent", "RANDOM"], 3, 1),
        (&["--since", "1d"], 3, 1),
        (&["--last", "2"], 2, 0),
        (&["--last", "1"], 1, 0),
        (&["--last", "9"], 3, 1),
        (&["--local", "--last", "9", "--family", "nim"], 2, 1),
        (&["random"], 3, 0),
    ] {
        let report = report(&home, more);
        let total = &report["total"];
        assert_eq!(
            (&total["matches"], &total["mistakes"]),
            (&matches.into(), &mistakes.into()),
            "{more:?}"
        );
    }
    let rows = report(&home, &["--rows", "1", "--by", "year"]);
    assert_eq!(rows["openings"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&rows["start_positions"], &rows["trend_by"]),
        (&2.into(), &"year".into())
    );
    for more in [
        &["--until", "2020-01-01"][..],
        &["--vs", "bob"],
        &["--family", "chomp"],
    ] {
        refused(
            &stats(&home, more),
            4,
            &["pass the filters", "help: try without"],
        );
    }
}

#[test]
fn without_a_match_the_answer_says_what_to_do() {
    let home = Home::at(NOWHERE);
    let ran = stats(&home, &[]);
    refused(
        &ran,
        4,
        &[
            "no finished matches of yours in the library on this computer",
            "grundy play nim:3,5,7 --local",
        ],
    );
    let ran = stats(&home, &["Ada", "--json"]);
    assert_eq!(ran.error()["code"], "no_such_match");
    // A match that goes on does not count.
    let ran = home.feed(&["play", "nim:5", "--local", "--two"], "a-1\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stats(&home, &[]).code, Some(4));
    refused(&stats(&home, &["--family", "chess"]), 4, &["rules list"]);
    refused(&stats(&home, &["--last", "0"]), 2, &["--last"]);
    refused(&stats(&home, &["--svg", "nowhere/s.svg"]), 4, &["nowhere"]);
    assert_eq!(stats(&home, &["--online"]).code, Some(5));
}

#[test]
fn records_come_from_files_and_each_match_counts_once() {
    let home = Home::at(NOWHERE);
    home.write("m.ndjson", example());
    fs::create_dir(home.file("all")).expect("ours");
    home.write("all/twice.ndjson", &[example(), example()].concat());
    home.write("all/notes.txt", "no record");
    let ran = report(&home, &["Ada", "--from", "m.ndjson", "--from", "all"]);
    assert_eq!(ran["total"]["matches"], 1);
    let ran = home.feed(
        &["stats", "player", "Ada", "--from", "-", "--json"],
        example(),
    );
    assert_eq!(ran.json()["total"]["matches"], 1);
    refused(
        &stats(&home, &["Ada", "--from", "-", "--last", "1"]),
        2,
        &["stdin"],
    );
    refused(
        &stats(&home, &["Ada", "--from", "nowhere.ndjson"]),
        4,
        &["nowhere.ndjson"],
    );
    // A directory goes on without what is damaged; a file that was named is refused.
    let torn = &example()[..example().len() - 9];
    home.write("all/another.ndjson", torn);
    for more in [&[][..], &["--last", "1"]] {
        let ran = stats(&home, &[&["Ada", "--from", "all", "--json"], more].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(
            ran.stderr.matches("another.ndjson: line 7").count(),
            1,
            "{ran:?}"
        );
        assert_eq!(ran.json()["total"]["matches"], 1);
    }
    let illegal = example().replace("\"move\":\"A-1\"", "\"move\":\"A-7\"");
    let newer = example().replace("record/1", "record/2");
    let cases = [
        (torn, "line 7"),
        (&*illegal, "line 5"),
        (&*newer, "line 1"),
        ("", "no record"),
        ("{}\n", "line 1"),
    ];
    for (text, place) in cases {
        home.write("bad.ndjson", text);
        refused(
            &stats(&home, &["Ada", "--from", "bad.ndjson"]),
            3,
            &["bad.ndjson", place],
        );
    }
}

#[test]
fn a_damaged_file_of_the_library_does_not_hide_the_others() {
    let home = home_with_three();
    let directory = home.file(".local/share/grundy/matches");
    let mut files = fs::read_dir(&directory).expect("a library");
    let file = files.next().expect("a record").expect("an entry").path();
    fs::write(&file, "{}\n").expect("ours");
    let ran = stats(&home, &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json()["total"]["matches"], 2);
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .expect("UTF-8");
    assert!(ran.stderr.contains(name), "{ran:?}");
}

#[test]
fn matches_of_the_server_count_with_those_of_this_computer() {
    let server = Server::start();
    let home = Home::at(&server.url);
    play(&home, "nim:1,2", "b-2\nresign\n");
    for moves in ["b-2\nresign\n", "b-1\nresign\n"] {
        let ran = home.feed(
            &["play", "nim:1,2", "--side", "first", "--bot", "perfect"],
            moves,
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    for (more, matches, mistakes) in [
        (&[][..], 3, 2),
        (&["--online"], 2, 1),
        (&["--local"], 1, 1),
        (&["--local", "--online"], 3, 2),
        (&["--online", "--vs", "perfect", "--family", "nim"], 2, 1),
        (&["--local", "--online", "--last", "1"], 1, 0),
    ] {
        let report = report(&home, more);
        let total = &report["total"];
        assert_eq!(
            (&total["matches"], &total["mistakes"]),
            (&matches.into(), &mistakes.into()),
            "{more:?}"
        );
    }
    // A record of the server that is here, too, is one match.
    assert_eq!(
        home.run(&["games", "export", "--mine", "all"]).code,
        Some(0)
    );
    let both = report(&home, &["--online", "--from", "all"]);
    assert_eq!(both["total"]["matches"], 3);
    // The match of this computer is exported, too, and without a server it is all there is.
    for (directory, local, written) in [("all", true, 0), ("here", true, 1), ("again", false, 3)] {
        let more: &[&str] = if local { &["--local"] } else { &[] };
        let mine = ["games", "export", "--mine", directory, "--json"];
        let ran = home.run(&[&mine[..], more].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.json()["written"], written, "{ran:?}");
    }
    let ran = home.run(&["games", "export", "--mine", "-", "--local"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    // If the server is gone, the match of this computer is written all the same.
    drop(server);
    let ran = stats(&home, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("1 match,"), "{ran:?}");
    assert!(
        ran.stderr.contains("only the matches on this computer"),
        "{ran:?}"
    );
    let ran = home.run(&["games", "export", "--mine", "gone"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert_eq!(fs::read_dir(home.file("gone")).expect("written").count(), 1);
}
