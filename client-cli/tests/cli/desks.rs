//! The full screen of lessons, puzzles, walks, the lobby, tournaments and arenas, in a real pseudo-terminal.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use rustix::process::Signal;

use crate::program::Home;
use crate::screen::Screen;
use crate::server::Server;

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const F3: &str = "\x1b[13~";
const F4: &str = "\x1b[14~";
const F5: &str = "\x1b[15~";
const F10: &str = "\x1b[21~";

/// On a screen of 100 columns and 30 lines.
fn on_screen(home: &Home, arguments: &[&str]) -> Screen {
    Screen::start(home.command(arguments), 100, 30)
}

fn gone(screen: &mut Screen, words: &str) {
    screen.waits(&format!("without {words}"), |screen| {
        !screen.shown().contains(words)
    });
}

#[test]
fn a_walk_is_gone_with_arrows_keys_and_words() {
    let home = Home::new();
    let mut screen = on_screen(&home, &["explore", "nim:3,5,7"]);
    screen.shows("A-1, B-1, C-1 (3 of 15)");
    screen.types(DOWN);
    screen.types(DOWN);
    screen.shows("Enter plays B-1, which leaves nim:3,4,7");
    screen.types("\r");
    screen.shows("After 1 move: B-1.");
    screen.types("c 2\r");
    screen.shows("After 2 moves: B-1, C-2.");
    // While nothing is typed, a bracket goes back.
    screen.types("[");
    screen.shows("After 1 move: B-1. Position: nim:3,4,7");
    screen.types(F4);
    screen.shows("one answer repairs it");
    screen.types("z-9\r");
    screen.shows("error:");
    screen.types("?");
    screen.shows("show this list");
    screen.types("variation");
    gone(&mut screen, "show this list");
    screen.shows("match: leave a variation");
    // Esc clears what is searched for, and then closes the help.
    screen.types("\x1b");
    screen.shows("show this list");
    screen.types("\x1b");
    gone(&mut screen, "search>");
    screen.types(F10);
    assert_eq!(screen.ends().0, Some(0));
}

#[test]
fn keys_are_heard_while_the_solver_thinks() {
    let home = Home::new();
    let hard = format!("cram:{}", ["........."; 7].join("/"));
    let mut screen = on_screen(&home, &["explore", &hard, "--budget", "1h"]);
    screen.shows("Thinking. Ctrl-C stops.");
    screen.types("?");
    screen.shows("show this list");
    screen.types("\x1b");
    gone(&mut screen, "show this list");
    screen.types("mov");
    screen.shows("mov");
    screen.types("\x03");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(130), "{shown}");
}

#[test]
fn every_way_out_of_a_desk_gives_the_terminal_back() {
    let home = Home::new();
    let walk = || {
        let mut screen = on_screen(&home, &["explore", "nim:3,5,7"]);
        screen.shows("Winning moves");
        screen
    };
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let screen = walk();
        screen.signal(signal);
        assert_eq!(screen.ends().0, Some(130), "{signal:?}");
    }
    let mut screen = walk();
    screen.types("\x03");
    assert_eq!(screen.ends().0, Some(130));
    let mut command = home.command(&["explore", "nim:3,5,7"]);
    command.env("GRUNDY_PLANTED_PANIC", "boom");
    let mut screen = Screen::start(command, 100, 30);
    screen.shows("Winning moves");
    screen.types("boom\r");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(101));
    assert!(shown.contains("planted: boom"), "{shown}");
    // What cannot be shown is said on the screen of the shell.
    let mut screen = on_screen(&home, &["explore", "nim:3,x"]);
    screen.shows("error:");
    assert!(!screen.has(b"\x1b[?1049h"));
}

#[test]
fn a_lesson_waits_until_its_answers_are_read() {
    let home = Home::new();
    let match_of_two_mistakes = ["nim:3,5,7", "B-4", "B-1", "C-2", "C-2", "A-3", "C-3"];
    let learn = [&["learn"][..], &match_of_two_mistakes].concat();
    let mut screen = on_screen(&home, &learn);
    screen.shows("Exercise 1 of");
    screen.shows("Find a winning move");
    screen.types(F3);
    screen.shows("Hint 1 of 3");
    screen.types("why\r");
    screen.shows("error:");
    screen.types("forget\r");
    screen.shows("y/N");
    screen.types("n\r");
    screen.shows("It stays.");
    screen.types(F5);
    screen.shows("Solution:");
    // The board stays until the user goes on.
    screen.shows("Enter goes on");
    screen.types("\r");
    screen.shows("Exercise 2 of");
    screen.types("quit\r");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(0));
    // The result stays on the screen of the shell.
    assert!(shown.contains("1 by the solution"), "{shown}");
}

#[test]
fn what_is_shared_of_a_puzzle_stays() {
    let home = Home::new();
    let mut screen = on_screen(&home, &["puzzle", "--day", "2026-11-24"]);
    screen.shows("Puzzles");
    screen.types("solution\r");
    screen.shows("Solution:");
    screen.types("\r");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(0));
    assert!(shown.contains("grundy puzzle --day 2026-11-24"), "{shown}");
}

#[test]
fn a_seat_that_appears_in_the_lobby_is_taken_with_enter() {
    let server = Server::start();
    let (ann, bo) = (Home::at(&server.url), Home::at(&server.url));
    let mut lobby = on_screen(&ann, &["lobby"]);
    lobby.shows("Nobody is looking for an opponent now.");
    // A line that is not understood, and a position that is none: nothing is lost.
    lobby.types("dance\r");
    lobby.shows("'dance' is not understood");
    lobby.types("play nim:3,x\r");
    lobby.shows("a whole number");
    let mut open = on_screen(&bo, &["play", "kayles:12", "--open"]);
    open.shows("Your seat is open");
    lobby.types("refresh\r");
    lobby.shows("Open seats: 1");
    lobby.shows("kayles:12");
    lobby.types("\r");
    lobby.shows("the last move wins");
    open.shows("the last move wins");
    lobby.types("resign\r");
    lobby.shows("y/N");
    lobby.types("y\r");
    lobby.shows("Rematch");
    lobby.types("n\r");
    assert_eq!(lobby.ends().0, Some(0));
    open.shows("Rematch");
    open.types("n\r");
    assert_eq!(open.ends().0, Some(0));
}

#[test]
fn the_lobby_says_that_it_is_old_until_the_server_is_back() {
    let mut server = Server::start();
    let home = Home::at(&server.url);
    let mut lobby = on_screen(&home, &["lobby"]);
    lobby.shows("Open seats: 0");
    server.kill();
    lobby.shows("NOT CONNECTED");
    server.start_again();
    gone(&mut lobby, "NOT CONNECTED");
    lobby.types(F10);
    assert_eq!(lobby.ends().0, Some(0));
}

#[test]
fn the_lobby_of_a_server_that_is_not_there_is_an_error() {
    let mut server = Server::start();
    let home = Home::at(&server.url);
    server.kill();
    let (code, shown) = on_screen(&home, &["lobby"]).ends();
    assert_eq!(code, Some(5), "{shown}");
    assert!(shown.contains("cannot reach the server"), "{shown}");
    assert!(shown.contains("help:"), "{shown}");
}

#[test]
fn a_match_is_watched_from_the_lobby_and_a_bot_is_played() {
    let server = Server::start();
    let (ann, bo) = (Home::at(&server.url), Home::at(&server.url));
    let play = ["play", "nim:30,50,70", "--side", "first"];
    let mut match_of_bo = on_screen(&bo, &play);
    match_of_bo.shows("Your move.");
    let mut lobby = on_screen(&ann, &["lobby"]);
    lobby.shows("Matches now: 1");
    lobby.shows("nim:30,50,70");
    lobby.types("\r");
    lobby.shows("the last move wins");
    match_of_bo.types("c 1\r");
    lobby.shows("took 1 from C");
    lobby.types("quit\r");
    assert_eq!(lobby.ends().0, Some(0));
    let mut lobby = on_screen(&ann, &["lobby"]);
    lobby.shows("Matches now: 1");
    lobby.types("play nim:1,2 perfect\r");
    lobby.shows("the last move wins");
    lobby.shows("perfect");
    lobby.types("quit\r");
    assert_eq!(lobby.ends().0, Some(0));
}

#[test]
fn an_arena_is_looked_at_as_tables() {
    let home = Home::new();
    let arena = [
        "arena",
        "--bot",
        "perfect",
        "--bot",
        "random",
        "--start",
        "nim:3,5,7",
        "--seed",
        "7",
    ];
    let full = ["--screen", "full"];
    // To its end: the result is printed.
    let few = [&arena[..], &["--pairs", "4"], &full].concat();
    let (code, shown) = on_screen(&home, &few).ends();
    assert_eq!(code, Some(0));
    assert!(shown.contains("8 games, 4 complete pairs"), "{shown}");
    // Looked at, and interrupted.
    let many = [&arena[..], &["--pairs", "5000000"], &full].concat();
    let mut screen = on_screen(&home, &many);
    screen.shows("Standings");
    screen.shows("perfect");
    screen.types("\t");
    screen.shows(" x ");
    screen.types("\t");
    screen.shows("by the rules");
    screen.types(UP);
    screen.types("\x03");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(130));
    assert!(shown.contains("Interrupted."), "{shown}");
    // Left: it goes on in lines.
    let mut screen = on_screen(&home, &many);
    screen.shows("Standings");
    screen.types("q");
    screen.waits("the other screen left", |screen| screen.has(b"\x1b[?1049l"));
    screen.shows("won as 1st/2nd    accuracy");
    screen.signal(Signal::INT);
    assert_eq!(screen.ends().0, Some(130));
}

#[test]
fn a_tournament_is_looked_at_as_tables() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let create = [
        "tournament",
        "create",
        "Cup",
        "--json",
        "-q",
        "--format",
        "round-robin",
        "--start",
        "nim:3,5,7",
        "--players",
        "3",
    ];
    let created = |bots: &[&str]| {
        let ran = home.run(&[&create[..], bots].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let id = ran.json()["state"]["tournament"]
            .as_str()
            .map(str::to_owned);
        id.expect("an id")
    };
    let id = created(&[]);
    let mut screen = on_screen(&home, &["tournament", "watch", &id, "--screen", "full"]);
    screen.shows("Cup");
    screen.shows("Players can enter.");
    screen.shows("Standings");
    screen.types("q");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(0));
    assert!(shown.contains("entries are open"), "{shown}");
    // Its games end while it is looked at; one of them is reviewed.
    let bots = ["--bot", "perfect", "--bot", "random", "--bot", "greedy"];
    let id = created(&bots);
    let mut screen = on_screen(&home, &["tournament", "watch", &id, "--screen", "full"]);
    screen.shows("Over.");
    screen.shows("perfect");
    screen.types("\t");
    screen.shows(" x ");
    screen.types("\t");
    screen.shows("No game is being played now.");
    screen.types("\t");
    screen.shows("1-0");
    screen.types("\r");
    screen.shows("turning point before");
    screen.types("q");
    assert_eq!(screen.ends().0, Some(0));
    // The cross-table as a picture.
    let ran = home.run(&["tournament", "show", &id, "--svg", "cup.svg"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let svg = std::fs::read_to_string(home.file("cup.svg")).expect("a picture");
    assert!(
        svg.starts_with("<svg ") && svg.contains(">perfect<"),
        "{svg}"
    );
    assert_eq!(svg.matches(">\u{d7}<").count(), 3, "{svg}");
    // The page has the same bytes.
    let mut page = TcpStream::connect(server.address()).expect("the server");
    let request = format!(
        "GET /t/{id}.svg HTTP/1.0\r\nHost: {}\r\n\r\n",
        server.address()
    );
    page.write_all(request.as_bytes()).expect("a request");
    let mut answer = String::new();
    page.read_to_string(&mut answer).expect("an answer");
    assert_eq!(answer.split("\r\n\r\n").nth(1), Some(&*svg), "{answer}");
    // One that is not there.
    let absent = ["tournament", "watch", "Tk8Ld4WnZe", "--screen", "full"];
    let (code, shown) = on_screen(&home, &absent).ends();
    assert_eq!(code, Some(4), "{shown}");
    assert!(shown.contains("error:"), "{shown}");
}
