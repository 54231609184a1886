//! `grundy learn`: exercises from matches on a server, and exercises that are forgotten.

use std::fs;
use std::io::Write as _;

use serde_json::{Value, json};

use crate::program::{Home, Ran};
use crate::server::Server;

/// An address at which no server answers.
const NOWHERE: &str = "http://127.0.0.1:1";

fn events(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let json = |line: &str| serde_json::from_str(line).expect("JSON");
    ran.stdout.lines().map(json).collect()
}

/// The positions of the exercises of a lesson, all of them skipped.
fn positions(home: &Home, more: &[&str]) -> Vec<String> {
    let arguments = [&["learn", "--all", "--json"], more].concat();
    let put = events(&home.feed(&arguments, &"skip\n".repeat(30)));
    let exercises = put.iter().filter(|event| event["type"] == "exercise");
    let position = |event: &Value| event["position"].as_str().expect("a text").to_owned();
    exercises.map(position).collect()
}

/// Two matches at one keyboard: one has a mistake in 3, 5, 7 and one in 3, 5, 5; the other one in 1, 4.
fn with_two_matches() -> Home {
    let home = Home::at(NOWHERE);
    for (start, typed) in [
        ("nim:3,5,7", "c2\na2\nb1\nresign\n"),
        ("nim:1,4", "a1\nresign\n"),
    ] {
        let ran = home.feed(&["play", start, "--local", "--two"], typed);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    home
}

#[test]
fn a_forgotten_exercise_does_not_come_back() {
    let home = with_two_matches();
    let before = positions(&home, &[]);
    assert!(before.contains(&"nim:1,4".to_owned()), "{before:?}");
    let ran = home.run(&["learn", "forget", "nim:1,4"]);
    assert_eq!(
        (ran.code, &*ran.stdout),
        (Some(0), "1 exercise forgotten.\n"),
        "{ran:?}"
    );
    let rest: Vec<String> = before
        .iter()
        .filter(|one| *one != "nim:1,4")
        .cloned()
        .collect();
    assert_eq!(positions(&home, &[]), rest);
    // Another match with the same mistake, and the match by its moves.
    home.feed(&["play", "nim:1,4", "--local", "--two"], "a1\nresign\n");
    assert_eq!(positions(&home, &[]), rest);
    let again = home.run(&["learn", "nim:1,4", "A-1"]);
    assert!(again.stdout.contains("that you had forgotten"), "{again:?}");
    for (arguments, code) in [
        (&["nim:1,4"][..], "no_such_exercise"),
        (&["nim:1,x"], "unknown_game"),
        (&["--match", "7Kq2mVx9Rt"], "no_such_exercise"),
    ] {
        let ran = home.run(&[&["learn", "forget", "--json"], arguments].concat());
        assert!([Some(3), Some(4)].contains(&ran.code), "{ran:?}");
        if code == "no_such_exercise" {
            assert_eq!(ran.error()["code"], code, "{ran:?}");
        }
    }
    assert_eq!(home.run(&["learn", "forget"]).code, Some(2));
}

#[test]
fn all_exercises_of_a_match_are_forgotten_at_once() {
    let home = with_two_matches();
    let all = positions(&home, &[]);
    let put = events(&home.feed(&["learn", "--all", "--json"], ""));
    assert_eq!(put[1]["position"], all[0]);
    let id = put[1]["match"].as_str().expect("an id");
    let forgotten = home
        .run(&["learn", "forget", "--match", id, "--json"])
        .json();
    let gone: Vec<String> = serde_json::from_value(forgotten["forgotten"].clone()).expect("texts");
    assert!(gone.contains(&all[0]), "{forgotten}");
    let left = positions(&home, &[]);
    assert_eq!(left.len() + gone.len(), all.len());
    assert!(left.iter().all(|one| !gone.contains(one)), "{left:?}");
}

#[test]
fn an_exercise_is_forgotten_while_it_is_shown() {
    let home = with_two_matches();
    let all = positions(&home, &[]);
    // A program is not asked whether it means it.
    let put = events(&home.feed(&["learn", "--json"], "forget\n"));
    assert_eq!(put[2], json!({"type":"forgotten"}));
    assert_eq!(put[3]["type"], "exercise");
    let end = put.last().expect("an end");
    assert_eq!(end["left"], all.len() - 1);
    let left = positions(&home, &[]);
    assert_eq!(left, all[1..]);
    let deck = fs::read_to_string(home.file(".local/share/grundy/practice.ndjson"));
    let line = format!("{{\"type\":\"forgotten\",\"position\":\"{}\"}}", all[0]);
    assert!(deck.expect("a deck").contains(&line));
    // A person is.
    let (mut running, mut keyboard) = home.start_at_terminal(&["learn"]);
    running.says("Find a winning move");
    writeln!(keyboard, "forget").expect("a terminal");
    writeln!(keyboard, "n").expect("a terminal");
    running.mutters("It stays.");
    writeln!(keyboard, "forget").expect("a terminal");
    writeln!(keyboard, "y").expect("a terminal");
    running.says("Forgotten: it will not come back.");
    writeln!(keyboard, "quit").expect("a terminal");
    assert_eq!(running.ends_by_itself().code, Some(0));
    assert_eq!(positions(&home, &[]), all[2..]);
}

#[test]
fn matches_on_the_server_are_gone_through_when_the_user_wants_it() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let play = ["play", "nim:3,5,7", "--side", "first", "--bot", "perfect"];
    let ran = home.feed(&play, "c2\nresign\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // What is played on a server is no match on this computer.
    let ran = home.run(&["learn", "--json"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    home.feed(&["play", "nim:1,4", "--local", "--two"], "a1\nresign\n");
    let ran = home.run(&["learn"]);
    let note = "Your matches on a server can be added: grundy learn --online\n";
    assert!(ran.stderr.ends_with(note), "{ran:?}");
    assert_eq!(positions(&home, &[]), ["nim:1,4"]);
    let online = positions(&home, &["--online"]);
    assert!(online.contains(&"nim:3,5,7".to_owned()), "{online:?}");
    assert!(
        !home
            .run(&["learn", "--online"])
            .stderr
            .contains("grundy learn --online")
    );
    // They are in the deck now, and were gone through.
    assert_eq!(positions(&home, &[]), online);
    assert_eq!(positions(&home, &["--online"]), online);
    // Without the server, the rest of the deck is there.
    drop(server);
    assert_eq!(home.run(&["learn", "--online"]).code, Some(5));
    assert_eq!(positions(&home, &[]), online);
}
