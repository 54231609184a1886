//! `grundy learn`: lessons from matches, the deck, and what a lesson must not give away.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::Value;

use crate::program::{Home, Ran};

/// An address at which no server answers.
const NOWHERE: &str = "http://127.0.0.1:1";
/// A match with a mistake in each of its first three moves: two of the first player, one of the second.
const PASTED: [&str; 4] = ["nim:3,5,7", "B-4", "B-1", "C-2"];

/// A home with the record of a match with one mistake: B-5 in 2, 5, 0, where only B-3 wins. It is in the library, too.
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
    assert!(ran.stdout.contains("Learn:   grundy learn "), "{ran:?}");
    home
}

fn learn(home: &Home, arguments: &[&str], typed: &str) -> Ran {
    let ran = home.feed(&[&["learn"], arguments].concat(), typed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

fn events(ran: &Ran) -> Vec<Value> {
    let json = |line: &str| serde_json::from_str(line).expect("JSON");
    ran.stdout.lines().map(json).collect()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    let kinds = events.iter().map(|event| event["type"].as_str());
    kinds.map(|kind| kind.expect("a type")).collect()
}

fn deck(home: &Home) -> PathBuf {
    home.file(".local/share/grundy/practice.ndjson")
}

#[test]
fn a_mistake_is_refuted_hinted_at_and_solved() {
    let home = with_match();
    let ran = learn(&home, &["m.ndjson"], "why\nb5\nwhy\nhint\nhint\nb3\n");
    for words in [
        "1 exercise. Each is a position that was won and thrown away: find a winning move.",
        "Exercise 1 of 1: nim, move 3 of match ",
        "Heaps A 2, B 5, C 0.\nPosition: nim:2,5,0\nIt is your move. The player who makes the last move wins.\nFind a winning move, or type ",
        "B-5 does not win: the reply A-2 leaves nim:0,0,0.",
        "Then the game is over.\nTry again.",
        "B-5 leaves nim:2,0,0, and the other player wins:",
        "Hint 1 of 3: Equal values cancel in pairs",
        "Hint 2 of 3: Move in heap B.",
        "Right: B-3 wins. It leaves nim:2,2,0.",
        "No other move wins.",
        "It stays due today.",
        "1 exercise: 1 after a wrong move.",
        "Next:     grundy learn\n",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {ran:?}");
    }
    assert!(
        ran.stderr.contains("explains your last wrong move"),
        "{ran:?}"
    );
}

#[test]
fn a_program_gets_one_event_a_line() {
    let home = with_match();
    let typed = "moves\nhelp\nA-9\nB-1\nhint\nhint\nhint\nB-3\n";
    let events = events(&learn(&home, &["m.ndjson", "--json"], typed));
    assert_eq!(
        kinds(&events),
        [
            "begin",
            "exercise",
            "text",
            "text",
            "error",
            "wrong",
            "hint",
            "hint",
            "hint",
            "right",
            "scheduled",
            "end"
        ]
    );
    assert_eq!(events[0]["schema"], "grundy/learn/1");
    assert_eq!(events[1]["position"], "nim:2,5,0");
    assert_eq!(
        (&events[1]["ply"], &events[1]["to_move"]),
        (&3.into(), &"first".into())
    );
    assert_eq!(events[4]["error"]["code"], "illegal_move");
    assert_eq!(events[5]["reason"]["result"], "loses");
    assert_eq!(events[5]["ends"], true);
    assert_eq!(
        (&events[6]["hint"], &events[6]["theme"]),
        (&"idea".into(), &"pairs".into())
    );
    assert_eq!(events[7]["place"]["name"], "B");
    assert_eq!(events[8]["move"], "B-3");
    assert_eq!(events[9]["performance"], "shown");
    assert_eq!(events[9]["winning_moves_total"], 1);
    assert_eq!(events[10]["due_in_days"], 0);
    assert_eq!(events[11]["results"]["shown"], 1);
}

/// Each of several winning moves is right, and the others are named.
#[test]
fn every_winning_move_is_right() {
    for mv in ["A-1", "b1", "c 1"] {
        let home = Home::at(NOWHERE);
        let events = events(&learn(
            &home,
            &["nim:3,5,7", "B-4", "--json"],
            &format!("{mv}\n"),
        ));
        let right = &events[2];
        assert_eq!(right["performance"], "at_once", "{right}");
        assert_eq!(right["others"].as_array().map(Vec::len), Some(2), "{right}");
        assert!(events[3]["due_in_days"].as_u64() >= Some(1), "{events:?}");
    }
}

/// What is on the screen before an answer, for games of many kinds: the position, and nothing of its solution or of the match.
#[test]
fn nothing_gives_the_answer_away_beforehand() {
    let forbidden = [
        "nim-value",
        "nim-sum",
        "xor",
        "value",
        "remoteness",
        "bits",
        "theme",
        "moves left",
        "wins with",
        "winning moves",
        "best",
        "only",
        "reply",
        "leaves",
        "mistake",
        "??",
    ];
    for (start, mistake) in [
        ("nim:3,5,7", "B-4"),
        ("nim:1,1,5@misere", "C-5"),
        ("kayles:5", "A-1"),
        ("wythoff:4,8", "A-1"),
        ("nim:2,3+kayles:3", "1.A-2"),
        ("hack:0-1-2-3,0-4-5,4-6-7", "0-1"),
        ("domineering:.../...", "1:1"),
        ("stairs:2,3,1", "2-1"),
        ("fib:10", "A-1"),
    ] {
        let home = Home::at(NOWHERE);
        let solved = home.run(&["solve", start, "--json"]).json();
        let winning: Vec<&str> = solved["winning_moves"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|one| one["move"].as_str())
            .collect();
        assert!(!winning.is_empty(), "{start}: {solved}");
        // A legal move that is no winning one: the first, if the one that is named here is not legal.
        let listed = home.run(&["moves", start, "--json"]).json();
        let legal: Vec<&str> = listed["moves"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let losing = |mv: &&str| !winning.contains(mv);
        let mistake = match legal.contains(&mistake) && losing(&mistake) {
            true => mistake,
            false => legal.iter().copied().find(losing).expect("a mistake"),
        };
        for (arguments, typed) in [
            (&[][..], "board\n"),
            (&["--glyphs", "ascii"][..], ""),
            (&["--json"][..], ""),
        ] {
            let arguments = [&[start, mistake][..], arguments].concat();
            let ran = learn(&home, &arguments, typed);
            let shown = &ran.stdout;
            let screen = shown.split("\nNothing was solved").next().unwrap_or("");
            let screen = screen.split("{\"type\":\"end\"").next().unwrap_or("");
            let screen = screen.replace("Find a winning move", "");
            assert!(screen.contains("xercise"), "{start}: {ran:?}");
            let lower = screen.to_lowercase();
            for words in forbidden {
                assert!(!lower.contains(words), "{start}: {words} in {screen}");
            }
            // A board may name all moves, as edges, but never some of them.
            let is_of_a_word = |c: char| c.is_whitespace() || ",;\"".contains(c);
            let words = screen.split(is_of_a_word);
            let words: Vec<&str> = words
                .map(|word| word.trim_end_matches(['.', ':']))
                .collect();
            let named = |mv: &&&str| words.contains(*mv);
            let of_moves = legal.iter().filter(named).count();
            let of_answers = winning.iter().chain([&mistake]).filter(named).count();
            assert!(
                of_answers == 0 || of_moves == legal.len(),
                "{start}: {screen}"
            );
        }
    }
}

/// Solved, it waits; not solved, it stays due. `--all` has it anyway, and progress counts it.
#[test]
fn what_is_due_is_asked_and_what_was_solved_waits() {
    let home = with_match();
    let today = events(&learn(&home, &["--json"], "solution\n"));
    assert_eq!(
        kinds(&today),
        ["begin", "exercise", "solution", "scheduled", "end"]
    );
    assert_eq!(today[2]["best"]["move"], "B-3");
    // The model of memory would be sure of what was seen a moment ago.
    let missed = home.run(&["learn", "--progress", "--json"]).json();
    let total = &missed["total"];
    assert_eq!(
        (&total["expected_recall"], &total["next_due_in_days"]),
        (&0.0.into(), &0.into())
    );
    let table = learn(&home, &["--progress"], "");
    assert!(table.stdout.contains("0%  today\n"), "{table:?}");
    let again = events(&learn(&home, &["--json"], "skip\n"));
    assert_eq!(kinds(&again), ["begin", "exercise", "skipped", "end"]);
    assert_eq!(
        (&again[1]["tries"], &again[3]["left"]),
        (&1.into(), &1.into())
    );
    let solved = events(&learn(&home, &["--json"], "hint\nb3\n"));
    assert_eq!(solved[3]["performance"], "after_hints");
    assert!(solved[4]["due_in_days"].as_u64() >= Some(1));
    let waits = learn(&home, &[], "");
    assert_eq!(
        waits.stdout,
        "Nothing is due today. 'grundy learn --all' practises 1 exercise now.\n"
    );
    assert_eq!(
        events(&learn(&home, &["--all", "--json"], ""))[0]["exercises"],
        1
    );
    for (filter, left) in [
        (&["--family", "nim"][..], 1),
        (&["--family", "sum"], 0),
        (&["--player", "player 1"], 1),
        (&["--player", "Player 2"], 0),
    ] {
        let arguments = [&["--all", "--json"], filter].concat();
        assert_eq!(
            events(&learn(&home, &arguments, ""))[0]["exercises"],
            left,
            "{filter:?}"
        );
    }
    let progress = home.run(&["learn", "--progress", "--json"]).json();
    assert_eq!(progress["schema"], "grundy/learn-progress/1");
    let nim = &progress["families"][0];
    assert_eq!(
        (&nim["family"], &nim["due"], &nim["new"]),
        (&"nim".into(), &0.into(), &0.into())
    );
    assert_eq!(
        (&nim["tries"]["shown"], &nim["tries"]["after_hints"]),
        (&1.into(), &1.into())
    );
    assert!(nim["expected_recall"].as_f64() > Some(0.9));
    let wait = &solved[4]["due_in_days"];
    assert_eq!(&nim["next_due_in_days"], wait);
    let table = learn(&home, &["--progress"], "");
    assert!(table.stdout.contains("nim"), "{table:?}");
    // The day comes when it is due.
    let text = fs::read_to_string(deck(&home)).expect("a deck");
    let (head, rest) = text.split_once("\"due_day\":").expect("a day");
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    fs::write(deck(&home), format!("{head}\"due_day\":1{rest}")).expect("ours");
    assert_eq!(events(&learn(&home, &["--json"], ""))[0]["exercises"], 1);
}

#[test]
fn a_match_is_practised_in_the_order_of_its_moves_within_a_limit() {
    let home = Home::at(NOWHERE);
    let all = events(&learn(
        &home,
        &[&PASTED[..], &["--json"]].concat(),
        "skip\nskip\nskip\n",
    ));
    let plies: Vec<u64> = all
        .iter()
        .filter_map(|event| event["ply"].as_u64())
        .collect();
    assert_eq!(plies, [1, 2, 3]);
    for (more, exercises) in [
        (&["--limit", "2"][..], 2),
        (&["--player", "second"], 1),
        (&["--family", "kayles"], 0),
    ] {
        let arguments = [&PASTED[..], more, &["--json"]].concat();
        assert_eq!(
            events(&learn(&home, &arguments, ""))[0]["exercises"],
            exercises
        );
    }
    let none = learn(&home, &["nim:3,5,7", "A-1"], "");
    assert_eq!(
        none.stdout,
        "Nothing to learn here: no player but bots gave a win away.\n"
    );
}

#[test]
fn the_prompt_is_for_a_person_at_a_terminal() {
    let home = with_match();
    let (mut running, mut keyboard) = home.start_at_terminal(&["learn", "m.ndjson"]);
    running.says("Find a winning move");
    writeln!(keyboard, "?").expect("a terminal");
    running.says("any winning move is right");
    writeln!(keyboard, "b 3").expect("a terminal");
    running.says("Right: B-3 wins.");
    let ran = running.ends_by_itself();
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// What was shown as done is in the deck, whenever the program is killed; and a kill at any other moment damages nothing.
#[test]
fn a_killed_lesson_keeps_what_was_done() {
    let home = with_match();
    let shown = |home: &Home| {
        let progress = home.run(&["learn", "--progress", "--json"]);
        assert_eq!(progress.code, Some(0), "{progress:?}");
        progress.json()["total"]["tries"]["shown"]
            .as_u64()
            .expect("a number")
    };
    for done in 1..=5 {
        let mut running = home.start(&["learn", "m.ndjson", "--json"]);
        running.tells("exercise");
        running.types("solution");
        running.tells("solution");
        running.kill();
        assert!(shown(&home) >= done);
    }
    for _ in 0..5 {
        let before = shown(&home);
        let mut running = home.start(&["learn", "m.ndjson", "--json"]);
        running.tells("exercise");
        running.types("solution");
        running.kill();
        let after = shown(&home);
        assert!(after == before || after == before + 1);
    }
}

#[test]
fn a_damaged_deck_is_named_and_kept() {
    let home = with_match();
    learn(&home, &[], "solution\n");
    let whole = fs::read_to_string(deck(&home)).expect("a deck");
    let damaged = whole.replacen("\"stability\":", "\"stability\":x", 1);
    assert_ne!(damaged, whole);
    fs::write(deck(&home), &damaged).expect("ours");
    for arguments in [
        &["learn"][..],
        &["learn", "m.ndjson"],
        &["learn", "--progress"],
    ] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(
            ran.stderr.contains("practice.ndjson, line 3, column "),
            "{ran:?}"
        );
        assert!(ran.stderr.contains("nothing was changed"), "{ran:?}");
    }
    assert_eq!(fs::read_to_string(deck(&home)).expect("there"), damaged);
    fs::remove_file(deck(&home)).expect("ours");
    fs::create_dir(deck(&home)).expect("ours");
    let ran = home.run(&["learn"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("is a directory"), "{ran:?}");
}

#[test]
fn what_cannot_be_practised_is_refused() {
    let home = with_match();
    home.write("torn.ndjson", "{\"schema\":\"grundy/record/1\"");
    for (arguments, code, words) in [
        (&["torn.ndjson"][..], 3, "line 1"),
        (&["none.ndjson"], 4, "none.ndjson"),
        (&["."], 3, "is a directory"),
        (&["7Kq2mVx9Rt", "--local"], 4, "not in the library"),
        (&["7Kq2mVx9Rt"], 5, ""),
        (&["nim:3,x"], 3, "nim:3,x"),
        (
            &["m.ndjson", "--player", "Ada"],
            3,
            "the players were Player 1 and Player 2",
        ),
        (&["--family", "chess"], 2, "there is no game family"),
        (&["m.ndjson", "--all"], 2, ""),
        (&["--limit", "0"], 2, ""),
    ] {
        let ran = home.run(&[&["learn"], arguments].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(words), "{arguments:?}: {ran:?}");
    }
    let ran = Home::at(NOWHERE).run(&["learn"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.stderr.contains("no finished match"), "{ran:?}");
    // What is typed wrong does not count.
    let typed = "x\nA-7\nD-1\n\nb3\n";
    let ran = learn(&home, &["m.ndjson"], typed);
    assert!(ran.stderr.contains("a legal move is "), "{ran:?}");
    assert!(ran.stdout.contains("1 exercise: 1 at once."), "{ran:?}");
}
