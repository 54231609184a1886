//! The matches of a server and those of this computer, side by side.

use std::fs;
use std::io::Write as _;

use serde_json::Value;

use crate::online::word_after;
use crate::program::{Home, Ran};
use crate::server::Server;

/// An address at which no server answers.
const NOWHERE: &str = "http://127.0.0.1:1";

/// Plays a match of two moves on this computer, and returns its id.
fn play_here(home: &Home, position: &str) -> String {
    let before = ids(&home.run(&["games", "list", "--local", "--json"]));
    let ran = home.feed(&["play", position, "--local", "--two"], "a-1\nresign\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let after = ids(&home.run(&["games", "list", "--local", "--json"]));
    let new = after.into_iter().find(|id| !before.contains(id));
    new.expect("a new match")
}

/// Plays a match on the server, and returns its id.
fn play_there(home: &Home, position: &str) -> String {
    let play = ["play", position, "--side", "first", "--bot", "perfect"];
    let ran = home.feed(&play, "a-1\nresign\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    word_after(&ran.stdout, "Match ").to_owned()
}

fn matches(ran: &Ran) -> Vec<Value> {
    ran.json()["matches"].as_array().expect("a list").clone()
}

fn ids(ran: &Ran) -> Vec<String> {
    let id = |one: &Value| one["match"].as_str().expect("an id").to_owned();
    matches(ran).iter().map(id).collect()
}

#[test]
fn a_list_has_the_matches_of_both_places_in_their_order() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let first = play_here(&home, "nim:2,2");
    let second = play_there(&home, "nim:3,3");
    let third = play_here(&home, "nim:4,4");
    let list = |more: &[&str]| home.run(&[&["games", "list", "--json"], more].concat());
    let both = list(&[]);
    assert_eq!(ids(&both), [&*third, &*second, &*first]);
    let local: Vec<bool> = matches(&both)
        .iter()
        .map(|one| one["local"] == true)
        .collect();
    assert_eq!(local, [true, false, true]);
    assert_eq!(
        ids(&list(&["--mine", "--oldest"])),
        [&*first, &*second, &*third]
    );
    assert_eq!(ids(&list(&["--local"])), [&*third, &*first]);
    assert_eq!(ids(&list(&["--online"])), [&*second]);
    let limited = list(&["--limit", "2"]);
    assert_eq!(ids(&limited), [&*third, &*second]);
    assert_eq!(limited.json()["more"], true);
    assert_eq!(ids(&list(&["--start", "nim:2,2"])), [&*first]);
    // A match in both places is listed once.
    assert_eq!(
        home.run(&["games", "export", &second, "m.ndjson"]).code,
        Some(0)
    );
    assert_eq!(home.run(&["games", "import", "m.ndjson"]).code, Some(0));
    assert_eq!(ids(&list(&[])), [&*third, &*second, &*first]);
    // The table says where each is, if that differs.
    let table = home.run(&["games", "list"]).stdout;
    let words = |line: &str| {
        line.split_whitespace()
            .take(2)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = table.lines().map(words).collect();
    assert_eq!(rows[0], ["match", "where"]);
    assert_eq!(rows[1], [&*third, "here"]);
    assert_eq!(rows[2], [&*second, "server"]);
    let alone = home
        .run(&["games", "list", "--local", "--limit", "1"])
        .stdout;
    assert!(!alone.contains("where"), "{alone}");
    assert_eq!(list(&["--local", "--online"]).code, Some(2));
}

#[test]
fn without_its_server_the_list_says_that_it_is_not_complete() {
    let home = Home::at(NOWHERE);
    let nothing = home.run(&["games", "list"]);
    assert_eq!(nothing.code, Some(5), "{nothing:?}");
    let id = play_here(&home, "nim:2,2");
    let ran = home.run(&["games", "list", "--json"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert_eq!(ids(&ran), [&*id]);
    assert!(
        ran.stderr
            .contains("these are the matches on this computer"),
        "{ran:?}"
    );
    assert_eq!(home.run(&["games", "list", "--local"]).code, Some(0));
    assert_eq!(home.run(&["games", "list", "--online"]).code, Some(5));
    // Who has named no server misses nothing, unless one is there.
    let mut command = home.command(&["games", "list", "--json"]);
    let ran: Ran = command
        .env_remove("GRUNDY_SERVER")
        .output()
        .expect("it runs")
        .into();
    assert!(ran.stdout.contains(&id), "{ran:?}");
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{ran:?}");
}

#[test]
fn a_match_of_this_computer_is_found_without_a_server() {
    let home = Home::at(NOWHERE);
    let id = play_here(&home, "nim:2,3");
    for command in [&["games", "show"][..], &["games", "export"], &["review"]] {
        let ran = home.run(&[command, &[&id]].concat());
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{ran:?}");
        let local = home.run(&[command, &[&id, "--local"]].concat());
        assert_eq!(local.stdout, ran.stdout);
    }
    // One that is not over can be reviewed, too: nobody else is concerned.
    let ran = home.feed(&["play", "nim:9", "--local", "--two"], "a-1\n");
    let unfinished = word_after(&ran.stderr, "grundy resume ").to_owned();
    let ran = home.run(&["review", &unfinished]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        home.run(&["games", "list", "--local"])
            .stdout
            .contains("not finished")
    );
}

/// The server is asked first for a match that was played there, and the library has it when the server does not answer.
#[test]
fn an_imported_match_is_found_when_the_server_is_gone() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let id = play_there(&home, "nim:2,3");
    let record = home.run(&["games", "export", &id]).stdout;
    drop(server);
    let away = Home::at(NOWHERE);
    assert_eq!(away.feed(&["games", "import", "-"], &record).code, Some(0));
    let ran = away.run(&["games", "export", &id]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout, record);
    assert!(
        ran.stderr
            .contains("the record in the library on this computer is used"),
        "{ran:?}"
    );
    // A damaged record is reported, and not that the server has none.
    let path = away.file(&format!(".local/share/grundy/matches/{id}.ndjson"));
    fs::write(&path, record.replace("resignation", "time")).expect("ours");
    let ran = away.run(&["games", "show", &id]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("cannot have happened"), "{ran:?}");
}

#[test]
fn review_without_a_match_takes_the_last_one() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let reviewed = || {
        let ran = home.run(&["review", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()["start"].as_str().expect("a start").to_owned()
    };
    let nothing = home.run(&["review"]);
    assert_eq!(nothing.code, Some(4), "{nothing:?}");
    assert!(
        nothing.stderr.contains("you have not finished a match yet"),
        "{nothing:?}"
    );
    play_here(&home, "nim:2,2");
    play_here(&home, "nim:3,3");
    // A match that is not over is not the last that was finished.
    home.feed(&["play", "nim:9", "--local", "--two"], "a-1\n");
    assert_eq!(reviewed(), "nim:3,3");
    play_there(&home, "nim:4,4");
    assert_eq!(reviewed(), "nim:4,4");
    let local = home.run(&["review", "--local", "--json"]).json();
    assert_eq!(local["start"], "nim:3,3");
    play_here(&home, "nim:5,5");
    assert_eq!(reviewed(), "nim:5,5");
    drop(server);
    let ran = home.run(&["review", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stderr
            .contains("this is the last match on this computer"),
        "{ran:?}"
    );
    assert_eq!(ran.json()["start"], "nim:5,5");
}

#[test]
fn an_export_overwrites_no_other_file_unasked() {
    let home = Home::at(NOWHERE);
    let id = play_here(&home, "nim:2,3");
    let path = home.write("m.ndjson", "mine\n");
    let content = || fs::read_to_string(&path).expect("a file");
    let export = ["games", "export", &*id, "m.ndjson"];
    let ran = home.run(&export);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    assert!(
        ran.stderr.contains("m.ndjson exists and is different"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("--force"), "{ran:?}");
    assert_eq!(content(), "mine\n");
    let json = home.run(&[&export[..], &["--json"]].concat());
    assert_eq!(json.error()["code"], "file_exists");
    // A person is asked.
    let (mut running, mut keyboard) = home.start_at_terminal(&export);
    writeln!(keyboard, "n").expect("a terminal");
    running.mutters("m.ndjson was not overwritten");
    assert_eq!(running.ends_by_itself().code, Some(7));
    assert_eq!(content(), "mine\n");
    let (running, mut keyboard) = home.start_at_terminal(&export);
    writeln!(keyboard, "y").expect("a terminal");
    assert_eq!(running.ends_by_itself().code, Some(0));
    let record = home.run(&["games", "export", &id]).stdout;
    assert_eq!(content(), record);
    // The same again, an empty file and a new file take nothing away.
    assert_eq!(home.run(&export).code, Some(0));
    fs::write(&path, "").expect("ours");
    assert_eq!(home.run(&export).code, Some(0));
    assert_eq!(
        home.run(&["games", "export", &id, "new.ndjson"]).code,
        Some(0)
    );
    fs::write(&path, "mine\n").expect("ours");
    let forced = home.run(&[&export[..], &["--force"]].concat());
    assert_eq!(forced.code, Some(0), "{forced:?}");
    assert_eq!(content(), record);
    // A directory is no file.
    let ran = home.run(&["games", "export", &id, ".", "--force"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(home.run(&["games", "export", &id, "--force"]).code, Some(2));
}
