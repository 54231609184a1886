//! `grundy` without a command: a menu on a terminal, a text elsewhere.

use crate::online::invite;
use crate::program::Home;
use crate::screen::Screen;
use crate::server::Server;

const DOWN: &str = "\x1b[B";
/// The words that stand where the menu waits after a command.
const PAUSE: &str = "Press Enter for the menu";

/// The menu of a home whose server does not exist.
fn menu(columns: u16, rows: u16, flags: &[&str]) -> (Home, Screen) {
    let home = Home::at("http://127.0.0.1:1");
    let mut screen = Screen::start(home.command(flags), columns, rows);
    screen.waits("the menu", |screen| screen.shown().contains("  p  "));
    (home, screen)
}

#[test]
fn arrows_lead_to_a_match_without_a_server_and_back() {
    let (_home, mut screen) = menu(80, 24, &[]);
    screen.shows("Play a bot");
    screen.shows("Settings");
    screen.types("\r");
    screen.shows("Choose a game");
    screen.types(DOWN);
    screen.types("\r");
    // The second game, with a bot in this process.
    screen.shows("bash.10:23");
    screen.shows("move>");
    screen.types("resign\r");
    screen.shows("Resign? y/N");
    screen.types("y\r");
    screen.shows("Rematch");
    screen.types("n\r");
    screen.shows(PAUSE);
    assert!(
        screen.shown().contains("No server answers"),
        "{}",
        screen.shown()
    );
    screen.types("\r");
    // Where it was left.
    screen.shows("Choose a game");
    screen.types("\x1b");
    screen.shows("Play a bot");
    screen.types("\x1b");
    assert_eq!(screen.ends().0, Some(0));
}

#[test]
fn letters_and_clicks_choose_and_failures_return_to_the_menu() {
    let (_home, mut screen) = menu(80, 24, &[]);
    screen.types("l");
    screen.shows(PAUSE);
    assert!(screen.shown().contains("error:"), "{}", screen.shown());
    screen.types("\r");
    screen.shows("Play a bot");
    screen.types("s");
    screen.shows("Show the settings");
    // The third line below the head, clicked twice.
    for _ in 0..2 {
        screen.types("\x1b[<0;5;6M\x1b[<0;5;6m");
    }
    // What the first command wrote is on the screen until the second one writes.
    screen.shows("timeout");
    screen.shows(PAUSE);
    screen.types("q\r");
    assert_eq!(screen.ends().0, Some(0));
}

#[test]
fn the_language_is_chosen_in_the_menu() {
    let (_home, mut screen) = menu(80, 24, &["--lang", "zh-CN"]);
    screen.shows("\u{4e0e}\u{673a}\u{5668}\u{4eba}\u{5bf9}\u{5c40}");
    screen.types("s");
    screen.shows("English");
    screen.types("\r");
    screen.shows("Show the settings");
    screen.types(DOWN);
    screen.types("\r");
    screen.shows("\u{663e}\u{793a}\u{8bbe}\u{7f6e}");
    screen.types("q");
    assert_eq!(screen.ends().0, Some(0));
}

#[test]
fn the_whole_menu_fits_a_small_terminal() {
    let (_home, mut screen) = menu(40, 8, &[]);
    for words in ["p  Play a bot", "w  Watch", "s  Settings"] {
        screen.shows(words);
    }
    screen.types("f");
    screen.shows("Two players at this keyboard");
    screen.types("\x03");
    assert_eq!(screen.ends().0, Some(130));
}

#[test]
fn a_link_is_joined_from_the_menu() {
    let server = Server::start();
    let friend = Home::at(&server.url);
    let (mut friend, _, code) = invite(&friend, "nim:3,3");
    let (_home, mut screen) = menu(80, 24, &[]);
    screen.types("f");
    screen.shows("Join with a code");
    screen.types(DOWN);
    screen.types("\r");
    screen.shows("Code or link:");
    screen.types("none\r");
    screen.shows(PAUSE);
    screen.types("\r");
    screen.shows("Join with a code");
    screen.types(DOWN);
    screen.types("\r");
    screen.shows("Code or link:");
    // Letters are typed here, though some of them choose elsewhere.
    let ws = server.url.replacen("http", "ws", 1);
    screen.types(&format!("{ws}/j/{}?lang=en\r", code.to_lowercase()));
    friend.says("Your move");
    screen.shows("nim:3,3");
}

#[test]
fn without_a_terminal_there_is_a_text() {
    let home = Home::new();
    for flags in [&[][..], &["--plain"], &["--no-input"]] {
        let ran = home.run(flags);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            ran.stdout.contains("All commands: grundy --help"),
            "{ran:?}"
        );
    }
    for flags in [&["--plain"][..], &["--no-input"], &["--screen", "lines"]] {
        let mut screen = Screen::start(home.command(flags), 80, 40);
        screen.shows("All commands: grundy --help");
        assert!(!screen.has(b"\x1b[?1049h"), "{flags:?}");
    }
}

#[test]
fn the_name_of_a_game_starts_its_example() {
    let home = Home::new();
    for (game, start) in [("nim", "nim:3,5,7"), ("Kayles", "kayles:7")] {
        let ran = home.feed(&["play", game, "--local", "--plain"], "quit\n");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains(start), "{ran:?}");
    }
}

#[test]
fn the_help_has_groups_in_both_languages() {
    let home = Home::new();
    for flag in ["-h", "--help", "help"] {
        let help = home.run(&[flag]).stdout;
        let play = help.find("\nPlay:\n  play ").expect("a group");
        let bots = help
            .find("\nBots and tournaments:\n  bot ")
            .expect("a group");
        assert!(play < bots, "{help}");
        assert!(!help.contains("\nCommands:"), "{help}");
    }
    let help = home.run(&["--help", "--lang", "zh-CN"]).stdout;
    assert!(help.contains("\n\u{5bf9}\u{5c40}:\n  play "), "{help}");
}
