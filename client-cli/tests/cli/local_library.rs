//! Matches that are played on this computer are kept while they are played.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::Value;

use crate::program::{Home, Ran, Running};

/// An address at which no server answers.
const NOWHERE: &str = "http://127.0.0.1:1";

const TWO: &[&str] = &["play", "nim:3,5", "--local", "--two"];

/// The files of the library, by name.
fn files(home: &Home) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(home.file(".local/share/grundy/matches")) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

/// The extensions of these files.
fn endings(home: &Home) -> Vec<String> {
    let ending = |path: PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.expect("an extension").to_owned()
    };
    files(home).into_iter().map(ending).collect()
}

/// The matches of the library as `games list` shows them.
fn listed(home: &Home) -> Vec<Value> {
    let ran = home.run(&["games", "list", "--local", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()["matches"].as_array().expect("a list").clone()
}

/// Types a move, and waits until it is on the screen.
fn play(running: &mut Running, mv: &str, shown: &str) {
    running.types(mv);
    running.says(shown);
}

/// A disk that was full leaves nothing, and an empty draft of an older version is no match.
#[test]
fn an_empty_draft_is_passed_over_and_a_failed_one_is_removed() {
    let home = Home::at(NOWHERE);
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    let input = home.write("typed", "b-2\n");
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", script, env!("CARGO_BIN_EXE_grundy")])
        .args(TWO)
        .env_clear()
        .env("HOME", home.directory())
        .stdin(fs::File::open(input).expect("ours"));
    let ran: Ran = command.output().expect("the program runs").into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("not kept"), "{ran:?}");
    assert!(files(&home).is_empty(), "{:?}", files(&home));
    home.write(".local/share/grundy/matches/gybBscnXsW.draft", "");
    for command in [&["games", "list", "--local"][..], &["learn"], &["review"]] {
        let ran = home.run(command);
        assert!(!ran.stderr.contains("gybBscnXsW"), "{ran:?}");
    }
}

/// What is no regular file is named and passed over: nothing waits for a pipe.
#[test]
fn a_pipe_in_the_library_is_passed_over() {
    let home = Home::at(NOWHERE);
    let ran = home.feed(TWO, "b-2\na-3\nb-3\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for name in ["FFFFFFFFF1.ndjson", "FFFFFFFFF2.draft"] {
        let pipe = home.file(".local/share/grundy/matches").join(name);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
    }
    for command in [
        &["games", "list", "--local", "--json"][..],
        &["stats", "player"],
        &["learn"],
        &["puzzle", "make"],
        &["games", "export", "--mine", "out", "--local"],
        &["review", "--local"],
    ] {
        let ran = home.run(command);
        for pipe in ["FFFFFFFFF1.ndjson", "FFFFFFFFF2.draft"] {
            let words = format!("{pipe} is not a regular file");
            assert!(ran.stderr.contains(&words), "{command:?}: {ran:?}");
        }
        assert!(!ran.stderr.contains("error:"), "{command:?}: {ran:?}");
    }
    assert_eq!(listed(&home).len(), 1);
    for command in [
        ["review", "FFFFFFFFF1", "--local"],
        ["resume", "FFFFFFFFF2", "-q"],
    ] {
        let ran = home.run(&command);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains("not a regular file"), "{ran:?}");
    }
}

#[test]
fn a_damaged_draft_that_is_resumed_is_named_with_its_line() {
    let home = Home::at(NOWHERE);
    let ran = home.feed(TWO, "b-2\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let path = files(&home).remove(0);
    let whole = fs::read_to_string(&path).expect("a draft");
    fs::write(&path, format!("{whole}garbage\n")).expect("ours");
    let id = path.file_stem().and_then(|stem| stem.to_str());
    let ran = home.run(&["resume", id.expect("a name")]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let line = format!(".draft: line {}", whole.lines().count() + 1);
    assert!(ran.stderr.contains(&line), "{ran:?}");
}

/// The program is killed as soon as a move is on the screen: the move is in the library.
#[test]
fn a_killed_match_keeps_every_move_that_was_shown() {
    let home = Home::new();
    let mut running = home.start(TWO);
    // Nothing was played: there is nothing to keep.
    running.says("Player 1 is to move");
    assert!(files(&home).is_empty());
    play(&mut running, "b-2", "Player 1 took 2 from B");
    play(&mut running, "a-3", "Player 2 took 3 from A");
    running.kill();
    let [found] = &*listed(&home) else {
        panic!("one match");
    };
    assert_eq!(
        (&found["status"], &found["plies"]),
        (&"live".into(), &2.into())
    );
    let id = found["match"].as_str().expect("an id");
    let shown = home.run(&["games", "show", id, "--local"]);
    assert!(shown.stdout.contains("A-3"), "{shown:?}");
    // The export is a record, so other programs can read it.
    let record = home.run(&["games", "export", id, "m.ndjson", "--local"]);
    assert_eq!(record.code, Some(0), "{record:?}");
    let exported = fs::read_to_string(home.file("m.ndjson")).expect("a record");
    assert_eq!(exported.lines().count(), 1 + 2 + 2, "{exported}");
    // A match that is not over is not imported anywhere.
    let ran = Home::new().feed(&["games", "import", "-"], &exported);
    assert_eq!(ran.code, Some(7), "{ran:?}");
}

#[test]
fn a_finished_match_is_a_record_and_leaves_no_draft() {
    let home = Home::new();
    let mut running = home.start(TWO);
    play(&mut running, "b-2", "Player 1 took 2 from B");
    assert_eq!(endings(&home), ["draft"]);
    running.types("resign");
    assert_eq!(running.ends().code, Some(0));
    assert_eq!(endings(&home), ["ndjson"]);
    // One that nobody has begun to play is kept if it has a result.
    assert_eq!(home.feed(TWO, "resign\n").code, Some(0));
    assert_eq!(home.feed(TWO, "").code, Some(0));
    assert_eq!(listed(&home).len(), 2);
}

#[test]
fn a_rematch_is_kept_like_any_match() {
    let home = Home::new();
    let (mut running, mut keyboard) =
        home.start_at_terminal(&["play", "nim:1", "--local", "--two"]);
    let mut types = |line: &str| writeln!(keyboard, "{line}").expect("a terminal");
    running.says("Player 1 is to move.");
    types("a1");
    running.says("Player 1 wins");
    types("y");
    running.says("Player 2 is to move.");
    types("a1");
    running.says("Player 2 wins");
    types("n");
    assert_eq!(running.ends_by_itself().code, Some(0));
    assert_eq!(endings(&home), ["ndjson", "ndjson"]);
    let [second, first] = &*listed(&home) else {
        panic!("two matches");
    };
    assert_eq!(
        first["first"]["name"], second["second"]["name"],
        "sides are swapped"
    );
    // The first record says that there was a rematch.
    let id = first["match"].as_str().expect("an id");
    let shown = home.run(&["games", "export", id]);
    assert!(shown.stdout.contains("\"rematch_accepted\""), "{shown:?}");
}

#[test]
fn moves_that_were_taken_back_are_gone_from_the_draft() {
    let home = Home::new();
    let mut running = home.start(TWO);
    play(&mut running, "b-2", "Player 1 took 2 from B");
    play(&mut running, "a-3", "Player 2 took 3 from A");
    play(&mut running, "undo", "Taken back.");
    play(&mut running, "a-1", "Player 2 took 1 from A");
    let ran = running.ends();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let found = &listed(&home)[0];
    let id = found["match"].as_str().expect("an id");
    let shown = home.run(&["games", "show", id, "--local", "--json"]).json();
    let moves: Vec<&Value> = shown["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|one| &one["move"])
        .collect();
    assert_eq!(moves, ["B-2", "A-1"]);
}

/// The file of the only match.
fn the_file(home: &Home) -> String {
    let [path] = &*files(home) else {
        panic!("one match");
    };
    fs::read_to_string(path).expect("a file")
}

/// Killed, left and resumed, with and without its id: one match, which ends as one record.
#[test]
fn an_unfinished_match_is_resumed_where_it_was() {
    let home = Home::at(NOWHERE);
    let mut running = home.start(TWO);
    play(&mut running, "b-2", "Player 1 took 2 from B");
    play(&mut running, "a-3", "Player 2 took 3 from A");
    running.kill();
    let id = listed(&home)[0]["match"]
        .as_str()
        .expect("an id")
        .to_owned();
    // The write of a third move was interrupted.
    let draft = the_file(&home);
    fs::write(&files(&home)[0], format!("{draft}{{\"seq\":5,\"bo")).expect("ours");
    let mut running = home.start(&["resume", &id]);
    running.says("2 moves so far.");
    running.says("Heaps A 0, B 3. Player 1 is to move.");
    play(&mut running, "b-1", "Player 1 took 1 from B");
    // Nobody else can play it meanwhile.
    let second = home.run(&["resume", &id]);
    assert_eq!(second.code, Some(7), "{second:?}");
    assert!(
        second
            .stderr
            .contains("is being played in another terminal"),
        "{second:?}"
    );
    let ran = running.ends();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(the_file(&home).starts_with(&draft));
    let left = home.feed(&["resume"], "undo\nb-2\nquit\n");
    assert!(
        left.stderr
            .contains(&format!("Return with: grundy resume {id}")),
        "{left:?}"
    );
    let ended = home.feed(&["resume"], "b-1\n");
    assert!(ended.stdout.contains("Player 2 wins"), "{ended:?}");
    assert_eq!(endings(&home), ["ndjson"]);
    assert!(
        the_file(&home).contains("\"move\":\"B-2\""),
        "the move after the undo"
    );
    // Nothing is left to resume.
    assert_eq!(home.run(&["resume"]).code, Some(5));
    assert_eq!(home.run(&["resume", &id]).code, Some(5));
}

#[test]
fn a_bot_plays_on_and_the_clock_is_given_the_time_away() {
    let home = Home::at(NOWHERE);
    let terms = [
        "play", "nim:9,9", "--local", "--bot", "perfect", "--side", "second", "--clock", "3m+2s",
    ];
    let mut running = home.start(&terms);
    running.says("Your move");
    running.kill();
    let mut running = home.start(&["resume", "--json"]);
    assert_eq!(running.tells("welcome")["how"], "attached");
    running.types("resign");
    assert_eq!(running.tells("result")["reason"], "resignation");
    assert_eq!(running.ends().code, Some(0));
    assert!(the_file(&home).contains("\"type\":\"outage\""));
}

/// A script writes all its lines at once, before the match so far has been heard.
#[test]
fn a_line_that_is_typed_early_waits_for_the_match() {
    let home = Home::at(NOWHERE);
    let terms = [
        "play", "nim:9,9", "--local", "--bot", "perfect", "--side", "second",
    ];
    let mut running = home.start(&terms);
    running.says("Your move");
    running.kill();
    for _ in 0..5 {
        let ran = home.feed(&["resume", "--json"], "resignation\nquit\n");
        assert!(!ran.stdout.contains("not started"), "{ran:?}");
    }
    let ran = home.feed(&["resume", "--json"], "resign\n");
    assert!(ran.stdout.contains("\"resignation\""), "{ran:?}");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn nothing_is_kept_that_the_user_does_not_want_to_keep() {
    let home = Home::new();
    let play = [TWO, &["--no-record"]].concat();
    let ran = home.feed(&play, "b-2\nresign\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!home.file(".local").exists(), "{ran:?}");
    // Matches on a server are the server's.
    let ran = home.run(&["play", "nim:3", "--no-record"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("--local"), "{ran:?}");
}

/// A shell that lets the program write no more than one block of 512 or 1,024 bytes into a file.
fn with_little_room(home: &Home, moves: &str) -> Ran {
    let program = home.command(TWO);
    let mut shell = std::process::Command::new("/bin/sh");
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    shell.args(["-c", script]).arg(program.get_program());
    shell.args(program.get_args()).env_clear();
    shell.env("HOME", home.directory());
    let mut running = Running::start(&mut shell);
    for line in moves.lines() {
        running.types(line);
    }
    running.mutters("This match is not kept on this computer: ");
    running.ends()
}

/// Where the disk is full, play goes on, and what was written before can be read.
#[test]
fn a_full_disk_is_reported_once_and_play_goes_on() {
    let home = Home::new();
    let moves = "b-1\nb-1\nb-1\nb-1\nb-1\na-1\na-1\na-1\n";
    let ran = with_little_room(&home, moves);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("Player 2 wins"), "{ran:?}");
    assert!(
        !ran.stdout.contains("is not kept"),
        "said once, on stderr: {ran:?}"
    );
    assert_eq!(endings(&home), ["draft"]);
    let found = &listed(&home)[0];
    let plies = found["plies"].as_u64().expect("a number");
    assert!(
        (1..8).contains(&plies) && found["status"] == "live",
        "{found}"
    );
}

#[test]
fn a_damaged_draft_is_reported_and_hides_nothing() {
    let home = Home::new();
    assert_eq!(home.feed(TWO, "b-2\n").code, Some(0));
    let [draft] = &*files(&home) else {
        panic!("one draft");
    };
    let text = fs::read_to_string(draft).expect("a draft");
    let (before, after) = text.rsplit_once("B-2").expect("the move");
    assert_eq!(home.feed(TWO, "resign\n").code, Some(0));
    for (damaged, words) in [
        (
            format!("{before}B-9{after}"),
            "line 4, column 1: this cannot have happened",
        ),
        (
            text.replace("draft/1", "draft/2"),
            "line 1, column 1: this is \"grundy/draft/2\"",
        ),
    ] {
        fs::write(draft, damaged).expect("ours");
        let ran = home.run(&["games", "list", "--local", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
        assert_eq!(ran.json()["matches"].as_array().map(Vec::len), Some(1));
        let id = draft
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("an id");
        let ran = home.run(&["games", "show", id, "--local"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    }
}

/// A hint is noted with the move, also if the player leaves between the two.
#[test]
fn a_hint_counts_after_the_match_was_left_and_resumed() {
    let home = Home::at(NOWHERE);
    let play = ["play", "nim:3,5,7", "--local", "--two"];
    let ran = home.feed(&play, "a-1\nhint\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = home.feed(&["resume"], "c-1\nresign\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(endings(&home), ["ndjson"]);
    let review = home.run(&["review", "--json"]).json();
    assert_eq!(review["plies"][2]["hints"], 1, "{review}");
}
