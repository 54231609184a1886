//! Whole matches over a real server.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;

use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Home, Running};
use crate::server::{Network, Server, that_answers};

/// The word after `before` in a line.
pub(crate) fn word_after<'l>(line: &'l str, before: &str) -> &'l str {
    let (_, rest) = line
        .split_once(before)
        .unwrap_or_else(|| panic!("no '{before}' in {line:?}"));
    rest.split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .expect("a word")
}

/// A creates an untimed match from this position and moves first; gives its id and code.
pub(crate) fn invite(home: &Home, position: &str) -> (Running, String, String) {
    let mut a = home.start(&["play", position, "--invite", "--side", "first"]);
    let line = a.says("Join code: ");
    let id = word_after(&line, "Match ").to_owned();
    let code = word_after(&line, "Join code: ").to_owned();
    let command = a.says("grundy join");
    assert!(command.contains(&code), "{command}");
    (a, id, code)
}

/// Two people at one match; the first is to move.
pub(crate) fn pair(a_home: &Home, b_home: &Home, position: &str) -> (Running, Running, String) {
    let (mut a, id, code) = invite(a_home, position);
    let mut b = b_home.start(&["join", &code]);
    a.says("Your move");
    b.says("is to move");
    (a, b, id)
}

pub(crate) fn moves(home: &Home, id: &str) -> Vec<String> {
    let shown = home.run(&["games", "show", id, "--json"]).json();
    let moves = shown["moves"].as_array().expect("a list").iter();
    moves
        .map(|played| played["move"].as_str().expect("a move").to_owned())
        .collect()
}

#[test]
fn a_bot_is_played_to_the_end_and_the_match_is_reviewed() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let ran = home.feed(
        &["play", "nim:2,1", "--side", "first", "--bot", "perfect"],
        // The bot takes one of the last two; the line that names it is refused, and the other wins.
        "a-1\na-1\nb-1\n",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("You win: you made the last move."),
        "{ran:?}"
    );
    let id = word_after(&ran.stdout, "grundy review ").to_owned();

    let export = home.run(&["games", "export", &id]);
    assert_eq!(export.stdout, home.run(&["games", "export", &id]).stdout);
    assert_eq!(
        home.run(&["games", "export", &id, "m.ndjson"]).code,
        Some(0)
    );
    assert_eq!(
        fs::read_to_string(home.file("m.ndjson")).expect("the file"),
        export.stdout
    );
    let here = home.run(&["review", "m.ndjson", "--json"]).json();
    let there = home.run(&["review", &id, "--json"]).json();
    assert_eq!(here, there);
    assert_eq!(here["outcome"], "first");
    assert!(
        home.run(&["games", "export", &id, "--text"])
            .stdout
            .contains("nim:2,1")
    );

    let list = home
        .run(&["games", "list", "--mine", "--status", "over", "--json"])
        .json();
    assert_eq!(list["matches"][0]["match"], json!(id));
    let found = |more: &[&str]| {
        let list = home.run(&[&["games", "list", "--json"], more].concat());
        let count = list.json()["matches"].as_array().map(Vec::len);
        count.unwrap_or_else(|| panic!("{more:?}: {list:?}"))
    };
    for (more, count) in [
        (
            &["--result", "won", "--game", "nim", "--since", "1h"][..],
            1,
        ),
        (&["--result", "lost"], 0),
        (&["--start", "NIM:2,1", "--rated=false", "--oldest"], 1),
        (&["--until", "2026-01-01"], 0),
        (&["--min-moves", "4"], 0),
        (&["--max-moves", "3", "--min-moves", "3"], 1),
    ] {
        assert_eq!(found(more), count, "{more:?}");
    }
    let ran = home.run(&["games", "list", "--since", "yesterday"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("2026-11-30"), "{ran:?}");
    // All of one's own matches, each once.
    let mine = ["games", "export", "--mine", "all/of/mine", "--json"];
    let counts = |ran: Value| (ran["written"].clone(), ran["kept"].clone());
    assert_eq!(counts(home.run(&mine).json()), (json!(1), json!(0)));
    assert_eq!(counts(home.run(&mine).json()), (json!(0), json!(1)));
    let kept = fs::read_to_string(home.file(&format!("all/of/mine/{id}.ndjson")));
    assert_eq!(kept.expect("the file"), export.stdout);
    assert!(home.run(&["games", "show", &id]).stdout.contains("A-1"));
    // A directory cannot be replaced by a file.
    fs::create_dir(home.file("d")).expect("a directory");
    fs::write(home.file("d/f"), "").expect("a file");
    assert_eq!(home.run(&["games", "export", &id, "d"]).code, Some(1));
}

#[test]
fn a_compound_is_played_and_its_review_is_the_same_with_and_without_the_server() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, mut b, id) = pair(&a_home, &b_home, "nim:2+kayles:1@selective@misere");
    a.types("1.a-1");
    b.says("Your move.");
    b.types("1.a-1,2.a-1");
    a.says("You win: guest-");
    b.says("you had to make the last move");
    let there = a_home.run(&["review", &id, "--json"]);
    assert_eq!(there.code, Some(0), "{there:?}");
    assert_eq!(there.json()["outcome"], "first");
    let written = a_home.run(&["games", "export", &id, "m.ndjson"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    // No server is asked: there is none at this home.
    let away = Home::new();
    fs::copy(a_home.file("m.ndjson"), away.file("m.ndjson")).expect("a file");
    assert_eq!(
        away.run(&["review", "m.ndjson", "--json"]).stdout,
        there.stdout
    );
    let text = away.run(&["review", "m.ndjson"]);
    assert!(text.stdout.contains("@selective@misere"), "{text:?}");
}

#[test]
fn two_terminals_of_one_person_play_each_other() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let (mut a, id, code) = invite(&home, "nim:1,2");
    let mut b = home.start(&["join", &code.to_lowercase()]);
    b.mutters("your own invitation");
    a.says("has joined");
    a.says("Your move");
    b.says("is to move");
    b.types("a1");
    a.types("b1");
    b.says("took 1 from B, leaving 1. Heaps A 1, B 1. Your move.");
    a.says("took 1 from A, leaving 0. Heaps A 0, B 1. Your move.");
    a.types("b 1");
    b.says("wins: guest");
    a.says("You win: you made the last move.");
    assert_eq!((a.ends().code, b.ends().code), (Some(0), Some(0)));
    assert_eq!(moves(&home, &id), ["B-1", "A-1", "B-1"]);

    let credentials = home.file(".config/grundy/credentials.toml");
    let mode = fs::metadata(&credentials)
        .expect("the file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = fs::read_to_string(&credentials).expect("the file");
    assert_eq!(text.matches("[[identity]]").count(), 2, "{text}");
}

#[test]
fn a_killed_client_is_resumed_from_another_process() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let (mut a, b, id) = pair(&home, &home, "nim:3,3");
    a.types("a1");
    a.says("Heaps A 2, B 3");
    b.kill();
    a.says("has disconnected or left");
    let mut b = home.start(&["resume"]);
    b.says("Heaps A 2, B 3. Your move.");
    a.says("is back");
    b.types("b1");
    a.says("took 1 from B, leaving 2");
    b.says("Heaps A 2, B 2");
    assert_eq!(moves(&home, &id), ["A-1", "B-1"]);
    // Both seats are ours: the one that is free is taken.
    drop(a);
    b.says("has disconnected or left");
    let mut a = home.start(&["resume", &id]);
    a.says("Your move");
    a.types("resign");
    b.says("You win");
    assert_eq!((a.ends().code, b.ends().code), (Some(0), Some(0)));
}

#[test]
fn a_seat_left_a_moment_ago_is_taken_and_not_the_other_one_of_ours() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let (mut a, mut b, id) = pair(&home, &home, "nim:3,3");
    a.types("a1");
    b.says("Your move");
    a.signal(Signal::INT);
    assert_eq!(a.ends_by_itself().code, Some(130));
    // The log does not say yet that anybody has left.
    let mut a = home.start(&["resume", &id]);
    a.says("Heaps A 2, B 3");
    b.types("b1");
    a.says("Your move");
    a.types("resign");
    b.says("You win");
    assert_eq!((a.ends().code, b.ends().code), (Some(0), Some(0)));
}

#[test]
fn a_match_goes_on_after_the_server_was_killed() {
    let mut server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, mut b, id) = pair(&a_home, &b_home, "nim:3,3");
    a.types("a1");
    b.says("Your move");
    a.says("Heaps A 2, B 3");
    server.kill();
    a.mutters("reconnecting");
    b.mutters("reconnecting");
    // Typed while nobody hears it: sent once, as soon as somebody does.
    b.types("b1");
    server.start_again();
    a.mutters("Back after");
    b.mutters("Back after");
    a.says("took 1 from B, leaving 2. Heaps A 2, B 2. Your move.");
    b.says("Heaps A 2, B 2");
    server.kill();
    server.start_again();
    a.types("a2");
    b.says("Heaps A 0, B 2. Your move.");
    b.types("b2");
    a.says("wins: ");
    assert_eq!(moves(&a_home, &id), ["A-1", "B-1", "A-2", "B-2"]);
    assert_eq!((a.ends().code, b.ends().code), (Some(0), Some(0)));
}

#[test]
fn a_move_made_ahead_is_played_when_its_turn_comes_if_it_is_legal_then() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, mut a_types) =
        a_home.start_at_terminal(&["play", "nim:3,3", "--invite", "--side", "first"]);
    let shown = a.says("Join code: ");
    let id = word_after(&shown, "Match ").to_owned();
    let (mut b, mut b_types) =
        b_home.start_at_terminal(&["join", word_after(&shown, "Join code: ")]);
    a.says("Your move.");
    b.says("is to move");
    writeln!(b_types, "pre").expect("a terminal");
    b.mutters("No move is waiting for your turn");
    writeln!(b_types, "pre A-3").expect("a terminal");
    b.mutters("A-3 will be played as soon as it is your turn, if it is legal then.");
    writeln!(a_types, "A-1").expect("a terminal");
    b.mutters("A-3 is not possible now.");
    writeln!(b_types, "pre A-2").expect("a terminal");
    b.says("You took 2 from A");
    a.says("Your move.");
    writeln!(b_types, "pre B-2").expect("a terminal");
    writeln!(b_types, "pre").expect("a terminal");
    b.mutters("B-2 will not be played.");
    writeln!(b_types, "pre b1").expect("a terminal");
    b.mutters("b1 will be played");
    writeln!(a_types, "b1").expect("a terminal");
    a.says("Heaps A 0, B 1. Your move.");
    assert_eq!(moves(&a_home, &id), ["A-1", "A-2", "B-1", "B-1"]);
}

#[test]
fn a_server_that_stops_says_so_and_a_move_is_kept_until_it_is_back() {
    let mut server = Server::start();
    let home = Home::at(&server.url);
    let (mut a, mut a_types) =
        home.start_at_terminal(&["play", "nim:30,30", "--side", "first", "--bot", "random"]);
    a.says("Your move");
    server.stop();
    let told = a.mutters("The server is stopping.");
    assert!(
        told.contains("The client keeps trying for 10 minutes"),
        "{told}"
    );
    assert!(told.contains("return with: grundy resume "), "{told}");
    writeln!(a_types, "a1").expect("a terminal");
    a.mutters("It will be sent when the connection is back.");
    writeln!(a_types, "b1").expect("a terminal");
    a.mutters("Your move A-1 will be sent when the connection is back");
    server.start_again();
    a.mutters("Back after");
    a.says("You took 1 from A, leaving 29.");
}

#[test]
fn a_move_made_while_the_network_is_cut_is_made_once() {
    let server = Server::start();
    let network = Network::to(&server);
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&network.url));
    let (mut a, mut b, id) = pair(&a_home, &b_home, "nim:3,3");
    network.cut();
    a.types("a1");
    a.says("Heaps A 2, B 3");
    b.mutters("out of date");
    network.mend();
    b.mutters("Back after");
    b.says("Heaps A 2, B 3. Your move.");
    network.cut();
    b.types("b3");
    b.mutters("Your move B-3 is pending");
    network.mend();
    b.mutters("Back after");
    b.says("You took 3 from B");
    a.says("took 3 from B, leaving 0. Heaps A 2, B 0. Your move.");
    a.types("a2");
    a.says("You win");
    b.says("wins");
    assert_eq!(moves(&a_home, &id), ["A-1", "B-3", "A-2"]);
}

#[test]
fn a_program_plays_a_bot_in_json() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let mut running = home.start(&["play", "nim:2,3,4", "--json", "--bot", "random"]);
    assert_eq!(running.tells("welcome")["schema"], "grundy/play/1");
    let mut last_seq = 0;
    loop {
        let line: Value = serde_json::from_str(&running.says("{")).expect("JSON");
        if let Some(seq) = line["seq"].as_u64() {
            assert_eq!(seq, last_seq + 1, "{line}");
            last_seq = seq;
        }
        if line["type"] == "result" {
            assert!(line["you_won"].is_boolean(), "{line}");
            break;
        }
        if line["your_turn"] == true {
            let position = line["position"].as_str().expect("a position");
            let heaps = position.trim_start_matches("nim:").split(',');
            let (index, heap) = heaps
                .enumerate()
                .find(|(_, heap)| *heap != "0")
                .expect("a heap");
            running.types(&format!("{}-{heap}", ["A", "B", "C"][index]));
        }
    }
    assert_eq!(running.ends_by_itself().code, Some(0));
}

#[test]
fn stdin_that_ends_leaves_the_match_running() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let ran = home.feed(&["play", "nim:30,50", "--side", "first"], "a1\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stderr.contains("Return with: grundy resume "),
        "{ran:?}"
    );
    let resumed = home.feed(&["resume"], "resign\n");
    assert!(resumed.stdout.contains("you resigned"), "{resumed:?}");
    let ran = home.run(&["resume"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
}

#[test]
fn who_joins_without_input_leaves_though_the_other_player_is_to_move() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, id, code) = invite(&a_home, "nim:3,3");
    let ran = b_home.run(&["join", &code, "--plain", "--no-input"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let back = format!("Return with: grundy resume {id}");
    assert!(ran.stderr.contains(&back), "{ran:?}");
    // A line that waits for its turn is still sent after the end of the input.
    a.says("Your move");
    let mut b = b_home.start(&["resume", "--plain", "--no-input"]);
    b.types("b-3");
    drop(b.stdin.take());
    b.says("is to move");
    a.types("a-3");
    a.says("took 3 from B");
    assert_eq!(b.ends_by_itself().code, Some(0));
    assert_eq!(moves(&a_home, &id), ["A-3", "B-3"]);
}

#[test]
fn an_own_match_is_not_watched_and_the_next_step_is_named() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let (a, id, _) = invite(&home, "nim:3,3");
    let running = home.run(&["watch", &id]);
    assert_eq!(running.code, Some(7), "{running:?}");
    let back = format!("grundy resume {id}");
    assert!(running.stderr.contains(&back), "{running:?}");
    a.kill();
    let mut bot = home.start(&["play", "nim:7", "--side", "first"]);
    bot.says("Your move");
    let mut tv = home.start(&["watch", "--tv", "--plain"]);
    tv.mutters("Only matches of your own are being played, and you cannot watch those.");
    bot.types("a-7");
    bot.says("You win");
    let over = home.run(&[
        "games", "list", "--mine", "--status", "over", "--online", "--json",
    ]);
    let over = over.json()["matches"][0]["match"].clone();
    let over = over.as_str().expect("an id");
    let ran = home.run(&["watch", over]);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    let review = format!("grundy review {over}");
    assert!(ran.stderr.contains(&review), "{ran:?}");
    assert!(!ran.stderr.contains("resume"), "{ran:?}");
}

#[test]
fn the_link_of_an_invitation_is_joined() {
    let server = Server::start();
    let a_home = Home::at(&server.url);
    let (mut a, id, code) = invite(&a_home, "nim:3,3");
    let link = format!("{}/j/{code}", server.url);
    let b_home = Home::new();
    let ran = b_home.run(&["join", &link, "--server", "http://127.0.0.1:1"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let ran = b_home.run(&["join", &link, "--plain", "--no-input"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains(&id), "{ran:?}");
    a.says("Your move");
}

/// Leaving needs no turn, which may never come if a person is to move.
#[test]
fn a_script_that_quits_does_not_wait_for_a_person() {
    let server = Server::start();
    let a_home = Home::at(&server.url);
    let (_a, _, code) = invite(&a_home, "nim:3,3");
    let b_home = Home::at(&server.url);
    let mut b = b_home.start(&["join", &code, "--plain", "--no-input"]);
    b.types("quit");
    let ran = b.ends_by_itself();
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn the_only_running_match_need_not_be_named() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let none = a_home.run(&["resign"]);
    assert_eq!(none.code, Some(4), "{none:?}");
    let (_a, _b, id) = pair(&a_home, &b_home, "nim:3,3");
    let (_c, _d, other) = pair(&a_home, &b_home, "nim:4,4");
    let several = a_home.run(&["resign"]);
    assert_eq!(several.code, Some(2), "{several:?}");
    for id in [&id, &other] {
        assert!(several.stderr.contains(id.as_str()), "{several:?}");
    }
    assert_eq!(a_home.run(&["resign", &other]).code, Some(0));
    let only = a_home.run(&["resign"]);
    assert_eq!(only.code, Some(0), "{only:?}");
    assert!(only.stdout.contains(&id), "{only:?}");
}

#[test]
fn ctrl_c_cancels_an_invitation_and_leaves_a_match() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let (mut a, id, code) = invite(&home, "nim:3,3");
    a.mutters("Waiting for your friend");
    a.signal(Signal::INT);
    a.mutters("cancelled");
    assert_eq!(a.ends_by_itself().code, Some(130));
    assert_eq!(home.run(&["join", &code]).code, Some(4));
    let shown = home.run(&["games", "show", &id, "--json"]).json();
    assert_eq!(shown["reason"], "aborted");

    let mut a = home.start(&["play", "nim:30,30", "--side", "first"]);
    a.says("Your move");
    a.signal(Signal::INT);
    a.mutters("grundy resume");
    assert_eq!(a.ends_by_itself().code, Some(130));
    let resumed = home.feed(&["resume"], "resign\n");
    assert!(resumed.stdout.contains("you resigned"), "{resumed:?}");
}

#[test]
fn who_waits_is_offered_what_works_and_leaves_the_invitation_open() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, mut a_types) = a_home.start_at_terminal(&[
        "play",
        "hack:0b1,0r2",
        "--invite",
        "--side",
        "first",
        "--clock",
        "3+2",
    ]);
    let line = a.says("Join code: ");
    let (id, code) = (
        word_after(&line, "Match "),
        word_after(&line, "Join code: "),
    );
    a.mutters("Waiting for your friend");
    writeln!(a_types, "0b1").expect("a terminal");
    a.mutters("(until then: help, moves, board, clock, abort, quit)");
    writeln!(a_types, "resign").expect("a terminal");
    a.mutters("so you cannot resign ('abort' cancels the invitation)");
    a_types.write_all(b"\x04").expect("a terminal");
    a.mutters("the invitation stays open and its code stays valid. Return with: grundy resume ");
    assert_eq!(a.ends_by_itself().code, Some(0));

    let (mut a, mut a_types) = a_home.start_at_terminal(&["resume", id]);
    a.says("Nobody has joined yet.");
    let (mut b, mut b_types) = b_home.start_at_terminal(&["join", code]);
    // Of two colours each has one.
    b.says(", Right (second), against ");
    a.says(", Left (first), against ");
    a.says("or: help, moves, board, clock, pause, adjourn, resign, abort, quit.");
    writeln!(b_types, "help").expect("a terminal");
    b.says("You are Right (second).");
    writeln!(b_types, "clock").expect("a terminal");
    b.says(", you 3:00.");
    writeln!(a_types, "abort").expect("a terminal");
    b.says("proposes to call the match off");
    writeln!(b_types, "accept").expect("a terminal");
    a.says("called off");
    b.says("called off");
}

#[test]
fn who_comes_late_sees_the_whole_match() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, mut b, id) = pair(&a_home, &b_home, "nim:3,3");
    a.types("a1");
    b.says("Your move");
    let c_home = Home::at(&server.url);
    let mut watcher = c_home.start(&["watch", &id]);
    watcher.says("Heaps A 2, B 3");
    b.types("b3");
    watcher.says("took 3 from B");
    a.says("Your move");
    a.types("a2");
    watcher.says("made the last move");
    assert_eq!(watcher.ends_by_itself().code, Some(0));
    let late = c_home.run(&["watch", &id, "--json"]);
    assert_eq!(late.code, Some(0));
    assert!(late.stdout.contains(r#""outcome":"first""#), "{late:?}");
    let own = a_home.run(&["watch", &id]);
    assert_eq!(own.code, Some(7), "{own:?}");
    assert!(own.stderr.contains("grundy review"), "{own:?}");
    assert_eq!(a_home.run(&["watch", "1111111111"]).code, Some(4));
}

#[test]
fn terminals_that_start_at_once_are_one_guest_and_lose_none() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let start = |profile: &str| home.start(&["whoami", "--json", "--profile", profile]);
    let running: Vec<Running> = ["p", "q", "p", "q", "p", "q"].map(start).into();
    let players: Vec<String> = running
        .into_iter()
        .map(|running| {
            let ran = running.ends();
            assert_eq!(ran.code, Some(0));
            ran.json()["player"]["id"]
                .as_str()
                .expect("an id")
                .to_owned()
        })
        .collect();
    assert!(
        players[0] == players[2] && players[0] == players[4],
        "{players:?}"
    );
    assert!(
        players[1] == players[3] && players[1] == players[5],
        "{players:?}"
    );
    assert_ne!(players[0], players[1]);
    let text = fs::read_to_string(home.file(".config/grundy/credentials.toml")).expect("the file");
    assert_eq!(text.matches("[[identity]]").count(), 2, "{text}");
}

#[test]
fn a_refusal_has_the_exit_code_of_its_class() {
    for (body, code) in [
        (
            r#"{"type":"error","code":"rate_limited","message":"slower","retry_after_ms":7,"closes":true}"#,
            7,
        ),
        (
            r#"{"type":"error","code":"unsupported_version","message":"no","limit":"2","closes":true}"#,
            8,
        ),
        (
            r#"{"type":"error","code":"not_a_player","message":"no","closes":true}"#,
            6,
        ),
        (
            r#"{"type":"error","code":"of_tomorrow","message":"\u001b[2Jno","closes":true}"#,
            1,
        ),
        (r#"{"type":"of_tomorrow"}"#, 8),
    ] {
        let home = Home::at(&that_answers(vec![body]));
        let ran = home.run(&["whoami", "--json"]);
        assert_eq!(ran.code, Some(code), "{body}: {ran:?}");
        let error = ran.error();
        assert_eq!(error["exit"], code);
        assert!(!ran.stderr.contains("\\u001b"), "{ran:?}");
        if code == 7 {
            assert_eq!(error["retry_after_ms"], 7);
        }
    }
    let server = Server::start();
    let home = Home::at(&server.url);
    let mut evil = home.command(&["whoami"]);
    evil.env("GRUNDY_NAME", "evil\u{202e}");
    assert_eq!(evil.output().expect("it runs").status.code(), Some(3));
}

#[test]
fn a_busy_server_is_asked_again_for_a_while() {
    let busy = r#"{"type":"error","code":"server_busy","message":"not now","retry_after_ms":30,"closes":false}"#;
    let not_ours = r#"{"type":"error","code":"not_a_player","message":"no","closes":false}"#;
    // Whatever it says after that is the answer.
    let home = Home::at(&that_answers(vec![busy, busy, not_ours]));
    let ran = home.run(&["whoami", "--json"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    // It is not asked for longer than an answer is waited for, and the refusal says when to come back.
    let long = r#"{"type":"error","code":"server_busy","message":"not now","retry_after_ms":4000,"closes":false}"#;
    let home = Home::at(&that_answers(vec![long, long, not_ours]));
    let ran = home.run(&["whoami", "--json", "--timeout", "5s"]);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    assert_eq!(ran.error()["retry_after_ms"], 4000);
}

/// Each step of these commands is a request, and they come faster than the server allows.
#[test]
fn a_server_that_wants_requests_slower_gets_them_slower() {
    let settings = TempDir::new().expect("a directory");
    let config = settings.path().join("slow.toml");
    fs::write(
        &config,
        "limits.burst = 2\nlimits.requests_per_second = 5\n",
    )
    .expect("a file");
    let server = Server::start_with(&["--config", config.to_str().expect("UTF-8")]);
    let home = Home::at(&server.url);
    for _ in 0..3 {
        let alone = ["play", "nim:1", "--side", "first", "--bot", "random"];
        let ran = home.feed(&alone, "a-1\n");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stdout.contains("You win"), "{ran:?}");
    }
    let ran = home.run(&["games", "export", "--mine", "mine", "--json"]);
    assert_eq!(ran.json()["written"], 3, "{ran:?}");
}

#[test]
fn sentences_are_as_wide_as_the_terminal_and_what_is_copied_is_whole() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcsetwinsize};
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&screen).expect("ours");
    unlockpt(&screen).expect("ours");
    let name = ptsname(&screen, Vec::new()).expect("a name");
    let name = name.into_string().expect("UTF-8");
    let size = Winsize {
        ws_row: 24,
        ws_col: 40,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&screen, size).expect("a size");
    let terminal = fs::File::options().write(true).open(name).expect("there");
    let position = format!("nim:{}", vec!["3"; 25].join(","));
    let home = Home::new();
    let mut child = home
        .command(&["play", &position, "--local", "--side", "first"])
        .stdin(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .stdout(terminal)
        .spawn()
        .expect("it starts");
    // Nobody but the program holds the terminal: its end is the end of what is shown.
    let mut shown = Vec::new();
    let mut part = [0; 4_096];
    while let Ok(read @ 1..) = rustix::io::read(&screen, &mut part[..]) {
        shown.extend_from_slice(&part[..read]);
    }
    child.wait().expect("it ends");
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines.len() > 4, "{lines:?}");
    for line in &lines {
        assert!(line.len() <= 40 || !line.contains(' '), "{line:?}");
    }
    assert!(shown.contains(&format!("{position},")), "{shown:?}");
}

#[test]
fn joining_an_own_invitation_means_the_same_before_and_after() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let (mut a, id, code) = invite(&home, "nim:3,3");
    let mut b = home.start(&["join", &code]);
    b.says("is to move");
    a.says("Your move");
    // Again, from a third terminal: the second seat once more, not the one of who created the match.
    let mut again = home.start(&["join", &code]);
    again.mutters("your own invitation");
    again.says("is to move");
    b.mutters("another of your terminals");
    a.types("a1");
    again.says("Heaps A 2, B 3. Your move.");
    again.types("b1");
    a.says("Heaps A 2, B 2. Your move.");
    drop((a, again));
    assert_eq!(moves(&home, &id), ["A-1", "B-1"]);

    // Somebody else has the seat.
    let (_a, _, code) = invite(&home, "nim:3,3");
    let friend_home = Home::at(&server.url);
    let mut friend = friend_home.start(&["join", &code]);
    friend.says("is to move");
    let ran = home.run(&["join", &code]);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    assert!(ran.stderr.contains("grundy resume"), "{ran:?}");
}

#[test]
fn a_match_that_goes_on_is_not_reviewed() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let (_a, _b, id) = pair(&home, &Home::at(&server.url), "nim:3,3");
    let ran = home.run(&["review", &id, "--json"]);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    let error = ran.error();
    assert_eq!(error["code"], "not_over");
    assert!(
        error["hint"]
            .as_str()
            .expect("a hint")
            .contains("grundy games show"),
        "{error}"
    );
}

#[test]
fn who_moves_second_is_told_what_can_be_typed_too() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, mut a_types) =
        a_home.start_at_terminal(&["play", "nim:3,3", "--invite", "--side", "first"]);
    let code = a.says("Join code: ");
    let (mut b, mut b_types) =
        b_home.start_at_terminal(&["join", word_after(&code, "Join code: ")]);
    a.says("Type a move such as A-1");
    a.mutters("Waiting for your friend");
    b.says("is to move");
    writeln!(b_types, "b1").expect("a terminal");
    b.mutters("It is not your turn: guest-");
    writeln!(a_types, "foo").expect("a terminal");
    // No line is left empty behind what a person types.
    let refused = loop {
        let line = a.mutters("");
        assert!(!line.trim().is_empty());
        if line.contains("'foo' is not a move") {
            break line;
        }
    };
    assert!(refused.contains("a legal move is A-1; 'help'"), "{refused}");
    writeln!(a_types, "a1").expect("a terminal");
    b.says("Your move.");
    b.says("Type a move such as A-1");
    writeln!(b_types, "b3").expect("a terminal");
    writeln!(b_types, "resign").expect("a terminal");
    writeln!(b_types, "y").expect("a terminal");
    a.says("You win");
    let told = |of: &Running| {
        of.seen
            .iter()
            .filter(|line| line.starts_with("Type a move"))
            .count()
    };
    b.says("you resigned");
    assert_eq!((told(&a), told(&b)), (1, 1));
}

#[test]
fn a_second_terminal_takes_the_match_over() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let mut first = home.start(&["play", "nim:30,30", "--side", "first"]);
    first.says("Your move");
    let mut second = home.start(&["resume"]);
    second.says("Your move");
    first.mutters("another of your terminals");
    first.mutters("to continue here: grundy resume ");
    assert_eq!(first.ends_by_itself().code, Some(7));
    second.types("a1");
    second.says("You took 1 from A");
}
