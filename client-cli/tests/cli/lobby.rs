//! The lobby: strangers who meet at an open seat or are matched, over a real server.

use std::io::Write as _;

use rustix::process::Signal;
use tempfile::TempDir;

use crate::online::word_after;
use crate::program::{Home, Running};
use crate::server::Server;

/// A server whose waves follow each other quickly, and that gives up after this time; and the directory of its settings.
fn quick(give_up_ms: u32) -> (Server, TempDir) {
    let directory = TempDir::new().expect("a directory");
    let file = directory.path().join("server.toml");
    let settings = format!("[times]\nwave_ms = 100\ngive_up_ms = {give_up_ms}\n");
    std::fs::write(&file, settings).expect("a file");
    let server = Server::start_with(&["--config", file.to_str().expect("a path")]);
    (server, directory)
}

/// Opens a seat, and waits until others can see it.
fn open(home: &Home, more: &[&str]) -> Running {
    let mut a = home.start(&[&["play", "nim:2,1", "--open", "--side", "first"], more].concat());
    a.mutters("Your seat is open: nim:2,1");
    a
}

/// The id of the only seat in the lobby.
fn only_seat(home: &Home) -> String {
    let listed = home.run(&["lobby", "--json"]).json();
    assert_eq!(listed["schema"], "grundy/lobby/1");
    let seeks = listed["seeks"].as_array().expect("a list");
    assert_eq!(seeks.len(), 1, "{listed}");
    seeks[0]["seek"].as_str().expect("an id").to_owned()
}

#[test]
fn two_strangers_meet_at_an_open_seat() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let empty = b_home.run(&["lobby"]);
    assert_eq!((empty.code, &*empty.stdout), (Some(0), ""));
    assert!(
        empty.stderr.contains("grundy play nim:3,5,7 --open"),
        "{empty:?}"
    );
    let mut a = open(&a_home, &["--clock", "3+2"]);
    let command = a.mutters("Others take it with: ");
    assert!(
        command.contains(&format!("grundy lobby --server {}", server.url)),
        "{command}"
    );
    // Where nobody can be asked, the seats are listed, and what to type.
    let listed = b_home.run(&["lobby", "--no-input"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    assert!(listed.stdout.contains("nim:2,1, you second"), "{listed:?}");
    assert!(listed.stdout.contains("3m+2s"), "{listed:?}");
    assert!(listed.stderr.contains("grundy lobby ID"), "{listed:?}");
    let kayles = b_home.run(&["lobby", "--game", "kayles", "--json"]).json();
    assert_eq!(kayles["seeks"], serde_json::json!([]));

    let (mut b, mut b_types) = b_home.start_at_terminal(&["lobby"]);
    b.says("nim:2,1");
    writeln!(b_types, "7").expect("a terminal");
    b.mutters("Type a number from 1 to 1");
    writeln!(b_types, "1").expect("a terminal");
    a.mutters("Your opponent is ");
    a.says("Your move");
    a.types("a-1");
    b.says("Your move");
    writeln!(b_types, "b-1").expect("a terminal");
    a.says("Your move");
    a.types("a-1");
    b.says("made the last move");
    assert_eq!(a.ends().code, Some(0));
    let over = b_home.run(&["lobby", "--json"]).json();
    assert_eq!(over["seeks"], serde_json::json!([]));
}

#[test]
fn a_seat_is_taken_by_its_id_and_ones_own_by_the_second_guest() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    for (text, exit, code) in [
        ("nonsense", 3, "bad_seek"),
        ("Tk8Ld4WnZe", 4, "no_such_seek"),
    ] {
        let ran = b_home.run(&["lobby", text, "--json"]);
        assert_eq!(ran.code, Some(exit), "{ran:?}");
        assert_eq!(ran.error()["code"], code);
    }
    let mut a = open(&a_home, &["--opponents", "bots"]);
    let hidden = b_home.run(&["lobby", "--json"]).json();
    assert_eq!(hidden["seeks"], serde_json::json!([]), "for bots only");
    let declined = b_home.run(&["lobby", &only_seat(&a_home), "--json"]);
    assert_eq!(declined.code, Some(7), "{declined:?}");
    assert_eq!(declined.error()["code"], "declined");
    let message = declined.error()["message"].to_string();
    assert!(message.contains("the player plays only bots"), "{message}");
    a.signal(Signal::INT);
    a.mutters("stopped looking for an opponent");
    assert_eq!(a.ends_by_itself().code, Some(130));
    assert_eq!(
        a_home.run(&["lobby", "--json"]).json()["seeks"],
        serde_json::json!([])
    );

    let mut a = open(&a_home, &[]);
    let mut b = a_home.start(&["lobby", &only_seat(&a_home)]);
    b.mutters("This is your own seat");
    a.says("Your move");
    a.types("resign");
    b.says("resigned");
    assert_eq!(a.ends().code, Some(0));
    assert_eq!(b.ends().code, Some(0));
}

#[test]
fn a_seat_survives_a_restart_of_the_server() {
    let mut server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let mut a = open(&a_home, &[]);
    server.kill();
    a.mutters("The connection is lost");
    server.start_again();
    a.mutters("Your seat is open: nim:2,1");
    let mut b = b_home.start(&["lobby", &only_seat(&b_home)]);
    a.says("Your move");
    a.types("resign");
    b.says("resigned");
    assert_eq!(a.ends().code, Some(0));
    assert_eq!(b.ends().code, Some(0));
}

#[test]
fn the_server_finds_an_opponent() {
    let (server, _directory) = quick(50_000);
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let mut a = a_home.start(&["play", "nim:2,1", "--anyone", "--side", "first"]);
    let words = a.mutters("Looking for an opponent: nim:2,1, no clock.");
    assert!(words.contains("The server gives up after 50s."), "{words}");
    let again = a_home.run(&["play", "nim:2,1", "--anyone"]);
    assert_eq!(again.code, Some(7), "{again:?}");
    assert!(again.stderr.contains("--profile NAME"), "{again:?}");
    let mut b = b_home.start(&["play", "nim:2,1", "--anyone"]);
    let opponent = a.mutters("Your opponent is ");
    b.mutters("Your opponent is ");
    assert_eq!(word_after(&opponent, "Your opponent is "), "guest");
    a.says("Your move");
    a.types("resign");
    b.says("resigned");
    assert_eq!(a.ends().code, Some(0));
    assert_eq!(b.ends().code, Some(0));
}

#[test]
fn if_nobody_comes_a_bot_is_offered() {
    let (server, _directory) = quick(5_000);
    let home = Home::at(&server.url);
    let ran = home.run(&["play", "kayles:5", "--anyone", "--widest", "any"]);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    assert!(ran.stderr.contains("nobody came in 5s"), "{ran:?}");
    assert!(
        ran.stderr.contains("grundy play kayles:5 --bot club"),
        "{ran:?}"
    );
    let widened = ["similar clocks", "other games and other clocks"];
    assert!(
        widened.iter().all(|words| ran.stderr.contains(words)),
        "{ran:?}"
    );
    let exact = home.run(&[
        "play", "kayles:5", "--anyone", "--widest", "exact", "--json",
    ]);
    assert_eq!(exact.code, Some(7), "{exact:?}");
    let error = exact.stderr.lines().last().expect("a line");
    assert!(error.contains(r#""code":"nobody_came""#), "{exact:?}");
    assert!(!exact.stderr.contains("similar clocks"), "{exact:?}");

    let (mut a, mut types) = home.start_at_terminal(&["play", "--anyone", "--side", "first"]);
    a.mutters("Looking for an opponent: nim:3,5,7");
    a.mutters("other games");
    writeln!(types, "y").expect("a terminal");
    let opened = a.says("against club bot");
    assert!(opened.contains("Match "), "{opened}");
    writeln!(types, "resign").expect("a terminal");
    writeln!(types, "y").expect("a terminal");
    a.says("you resigned");
}

#[test]
fn flags_that_do_not_fit_together_are_refused() {
    let home = Home::new();
    for arguments in [
        &["play", "nim:3", "--open", "--anyone"][..],
        &["play", "nim:3", "--open", "--invite"],
        &["play", "nim:3", "--open", "--local"],
        &["play", "nim:3", "--anyone", "--bot", "club"],
        &["play", "nim:3", "--anyone", "--against", "Ann"],
        &["play", "nim:3", "--open", "--widest", "any"],
        &["play", "nim:3", "--opponents", "people"],
        &["lobby", "Tk8Ld4WnZe", "--game", "nim"],
        &["lobby", "--limit", "201"],
    ] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
    }
}
