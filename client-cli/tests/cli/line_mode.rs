//! Line mode on a real terminal: what a person sees who plays there.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;
use tempfile::TempDir;

use crate::program::{Home, PATIENCE, terminal};
use crate::server::Server;

/// A program on a terminal, and all that its screen has shown.
struct Screen {
    child: Child,
    keyboard: File,
    parts: Receiver<Vec<u8>>,
    shown: String,
    /// What was looked at already.
    at: usize,
}

impl Screen {
    /// Starts the program on a screen of so many columns and 24 rows.
    fn start(mut command: Command, columns: u16) -> Self {
        let (keyboard, terminal) = terminal();
        let size = rustix::termios::Winsize {
            ws_row: 24,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        rustix::termios::tcsetwinsize(&terminal, size).expect("a size");
        let copy = || terminal.try_clone().expect("a handle");
        command.env("GRUNDY_SCREEN", "lines");
        command.stdin(copy()).stdout(copy()).stderr(copy());
        let child = command.spawn().expect("the program starts");
        // Nobody but the program holds the terminal: its end is the end of what is shown.
        drop((command, terminal));
        let mut screen = keyboard.try_clone().expect("a handle");
        let (sender, parts) = channel();
        std::thread::spawn(move || {
            let mut part = [0; 4_096];
            while let Ok(read @ 1..) = screen.read(&mut part) {
                if sender.send(part[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            keyboard,
            parts,
            shown: String::new(),
            at: 0,
        }
    }

    /// Starts `grundy` with a locale of UTF-8.
    fn of(home: &Home, arguments: &[&str], columns: u16) -> Self {
        let mut command = home.command(arguments);
        command.env("LANG", "C.UTF-8").env("TERM", "xterm");
        Self::start(command, columns)
    }

    /// Waits until these words are shown after what was waited for before; what was shown up to them.
    fn shows(&mut self, words: &str) -> String {
        let give_up = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = self.shown[self.at..].find(words) {
                let from = self.at;
                self.at += found + words.len();
                return self.shown[from..self.at].to_owned();
            }
            let wait = give_up.saturating_duration_since(Instant::now());
            match self.parts.recv_timeout(wait) {
                Ok(part) => self.shown.push_str(&String::from_utf8_lossy(&part)),
                Err(why) => panic!("no '{words}' ({why}): {}", self.shown),
            }
        }
    }

    fn types(&mut self, line: &str) {
        writeln!(self.keyboard, "{line}").expect("the terminal is there");
    }

    /// Waits for the end; its code.
    fn ends(mut self) -> (Option<i32>, String) {
        loop {
            match self.parts.recv_timeout(PATIENCE) {
                Ok(part) => self.shown.push_str(&String::from_utf8_lossy(&part)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end: {}", self.shown),
            }
        }
        let status = self.child.wait().expect("the program ends");
        (status.code(), std::mem::take(&mut self.shown))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A text without escapes.
fn bare(shown: &str) -> String {
    anstream::adapter::strip_str(shown).to_string()
}

#[test]
fn the_board_is_drawn_with_the_signs_that_the_terminal_has() {
    let home = Home::new();
    let play = ["play", "nim:3,5", "--local", "--two"];
    let stones = "\u{25c9} \u{25c9} \u{25c9} \u{25c9} \u{25c9}";
    let mut screen = Screen::of(&home, &play, 80);
    let shown = screen.shows("Player 1 is to move.");
    assert!(
        bare(&shown).contains(&format!(" B  5  {stones}")),
        "{shown}"
    );
    assert!(shown.contains("\u{1b}["), "there is colour: {shown}");
    for (variables, flags) in [
        (&[("TERM", "linux")][..], &[][..]),
        (&[("LANG", "C")], &[]),
        (&[("GRUNDY_GLYPHS", "ascii")], &[]),
        (&[], &["--glyphs", "ascii"]),
    ] {
        let mut command = home.command(&[&play[..], flags].concat());
        command.env("LANG", "C.UTF-8").env("TERM", "xterm");
        command.envs(variables.iter().copied()).env("NO_COLOR", "1");
        let mut screen = Screen::start(command, 80);
        let shown = screen.shows("Player 1 is to move.");
        assert!(shown.contains(" B  5  o o o o o"), "{shown}");
        assert!(shown.is_ascii() && !shown.contains('\u{1b}'), "{shown}");
    }
    let mut screen = Screen::of(&home, &[&play[..], &["--plain"]].concat(), 80);
    let shown = screen.shows("Heaps A 3, B 5. Player 1 is to move.");
    assert!(!shown.contains('\u{25c9}'), "{shown}");
}

#[test]
fn an_edge_is_cut_by_the_letter_that_the_drawing_shows() {
    let home = Home::new();
    let mut screen = Screen::of(&home, &["play", "hack:0-1-2,0-3", "--local", "--two"], 80);
    let shown = screen.shows("Player 1 is to move.");
    assert!(bare(&shown).contains(" =0-a-1-b-2"), "{shown}");
    screen.types("B");
    screen.shows("Player 1 cut");
    let shown = screen.shows("Player 2 is to move.");
    assert!(bare(&shown).contains(" =0-a-1\r\n"), "{shown}");
}

#[test]
fn moves_are_read_in_any_case_and_width() {
    let home = Home::new();
    let mut screen = Screen::of(&home, &["play", "NIM:3,5", "--local", "--two"], 80);
    screen.shows("Player 1 is to move.");
    screen.types("\u{ff41}\u{ff0d}\u{ff12}");
    screen.shows("Player 1 took 2 from A, leaving 1.");
    screen.types("b 5");
    screen.shows("Player 2 took 5 from B, leaving 0.");
}

#[test]
fn hints_reasons_and_taking_back() {
    let home = Home::new();
    let play = [
        "play", "nim:3,5", "--local", "--side", "first", "--bot", "perfect",
    ];
    let mut screen = Screen::of(&home, &play, 80);
    screen.shows("Your move.");
    screen.types("undo");
    screen.shows("You have made no move that could be taken back");
    screen.types("hint");
    screen.shows("You can win. Only 1 of 8 moves wins.");
    screen.types("hint");
    screen.shows("Equal values cancel in pairs");
    screen.types("hint");
    screen.shows("Move in heap B.");
    screen.types("hint");
    screen.shows("B-2 wins.");
    screen.types("why");
    screen.shows("The player to move wins with B-2.");
    screen.types("a3");
    screen.shows("You took 3 from A");
    screen.shows("perfect wins");
    screen.types("n");
    assert_eq!(screen.ends().0, Some(0));
    // The record has them, and so has the review; the bot needed none.
    let review = home.run(&["review"]);
    let words = "Player asked for 5 hints before move 1.\n";
    assert!(review.stdout.contains(words), "{review:?}");
    let json = home.run(&["review", "--json"]).json();
    assert_eq!(json["plies"][1]["hints"], 5);
    assert_eq!(json["plies"][2]["hints"], serde_json::Value::Null);

    let play = [
        "play", "nim:9,9", "--local", "--side", "first", "--bot", "perfect",
    ];
    let mut screen = Screen::of(&home, &play, 80);
    screen.shows("Your move.");
    screen.types("hint");
    screen.shows("Every move loses against best play.");
    screen.types("a3");
    screen.shows("perfect took 3 from B, leaving 6.");
    screen.shows("Your move.");
    screen.types("undo");
    screen.shows("Taken back.");
    let shown = screen.shows("Your move.");
    let stones = ["\u{25c9}"; 9].join(" ");
    assert!(
        bare(&shown).contains(&format!(" B  9  {stones}")),
        "{shown}"
    );
}

#[test]
fn why_explains_the_last_move_and_then_the_position() {
    let home = Home::new();
    let mut screen = Screen::of(&home, &["play", "nim:3,5", "--local", "--two"], 80);
    screen.shows("Player 1 is to move.");
    // Before the first move there is only a position.
    screen.types("why");
    let first = bare(&screen.shows("The player to move wins with B-2."));
    assert!(!first.contains("The last move"), "{first}");
    screen.types("a1");
    screen.shows("Player 2 is to move.");
    screen.types("why");
    screen.shows("The last move, A-1:");
    let last = bare(&screen.shows("The position now:"));
    assert!(last.contains("A-1 loses"), "{last}");
    assert!(last.contains("B-3"), "the reply that punishes it: {last}");
    screen.shows("The player to move wins with B-3.");
    // A move that was right has no reply to fear.
    screen.types("b3");
    screen.shows("Player 1 is to move.");
    screen.types("why");
    screen.shows("The last move, B-3:");
    let last = bare(&screen.shows("The position now:"));
    assert!(last.contains("B-3 is the best move: it wins."), "{last}");
}

/// A lesson draws the board as a match does, and each exercise ends with a prompt for the next.
#[test]
fn a_lesson_draws_the_board_of_its_position() {
    let home = Home::new();
    let mut screen = Screen::of(&home, &["learn", "nim:3,5,7", "B-4", "B-1"], 80);
    let shown = bare(&screen.shows("Find a winning move"));
    let stones = ["\u{25c9}"; 5].join(" ");
    assert!(shown.contains(&format!(" B  5  {stones}")), "{shown}");
    screen.types("b4");
    screen.shows("Try again.");
    screen.types("b1");
    screen.shows("Right: B-1 wins.");
    screen.shows("Exercise 2 of 2");
    let shown = bare(&screen.shows("Find a winning move"));
    assert!(shown.contains(" B  1  \u{25c9}"), "{shown}");
    screen.types("quit");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(0));
    assert!(shown.contains("1 left."), "{shown}");
}

#[test]
fn the_list_of_moves_has_pages() {
    let home = Home::new();
    let mut screen = Screen::of(&home, &["play", "nim:100", "--local", "--two"], 80);
    screen.shows("Player 1 is to move.");
    screen.types("moves");
    screen.shows("Moves 1 to 40 of 100: A-1 A-2");
    screen.shows("60 more");
    screen.types("more");
    screen.shows("Moves 41 to 80 of 100: A-41");
    screen.types("more");
    screen.shows("Moves 81 to 100 of 100: A-81");
    screen.types("moves 7");
    screen.shows("Moves 7 to 46 of 100: A-7");
}

#[test]
fn a_misspelt_word_is_recognized_and_what_ends_a_match_is_asked_about() {
    let home = Home::new();
    let mut screen = Screen::of(&home, &["play", "nim:9", "--local", "--two"], 80);
    screen.shows("Player 1 is to move.");
    screen.types("resgin");
    screen.shows("did you mean 'resign'?");
    screen.types("a1");
    screen.shows("Player 2 is to move.");
    for (word, question, answer) in [
        ("resign", "Resign? y/N", "Not resigned."),
        ("abort", "Call the match off? y/N", "Not called off."),
    ] {
        screen.types(word);
        screen.shows(question);
        screen.types("no");
        screen.shows(answer);
        // What is no answer is done, and says no.
        screen.types(word);
        screen.shows(question);
        screen.types("moves");
        screen.shows(answer);
        screen.shows("8 moves: A-1");
    }
    // A match that is kept goes on later, so leaving it is not asked about.
    screen.types("quit");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(0));
    assert!(shown.contains("the match is unfinished."), "{shown}");
    let play = ["play", "nim:9", "--local", "--two", "--no-record"];
    let mut screen = Screen::of(&home, &play, 80);
    screen.shows("Player 1 is to move.");
    screen.types("a1");
    screen.shows("Player 2 is to move.");
    screen.types("quit");
    screen.shows("Quit? The match is local");
    screen.types("no");
    screen.shows("The match goes on.");
    screen.types("quit");
    screen.shows("y/N");
    screen.types("y");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(0));
    assert!(
        shown.contains("The match was local and has ended."),
        "{shown}"
    );
}

#[test]
fn the_clock_runs_on_the_prompt_and_warns() {
    let home = Home::new();
    let play = ["play", "nim:9", "--local", "--two", "--clock", "15s"];
    let mut screen = Screen::of(&home, &play, 80);
    let mut plain = Screen::of(&home, &[&play[..], &["--plain"]].concat(), 80);
    // A busy machine may leave out seconds, but the sign comes with the last ten, and so does the second warning.
    let seconds = |screen: &mut Screen| -> f64 {
        let shown = screen.shows(" s");
        let text = bare(&shown).replace(" s", "");
        text.trim().parse().unwrap_or_else(|_| panic!("{shown:?}"))
    };
    let shown = screen.shows("> ");
    assert!(bare(&shown).ends_with(" s > "), "{shown}");
    assert!(!shown.contains('!'), "{shown}");
    // The cursor goes back to what is being typed.
    screen.shows("\u{1b}7\r");
    screen.shows("\u{1b}8");
    screen.shows("! ");
    let left = seconds(&mut screen);
    assert!(left <= 10.0, "{left}");
    for (least, most) in [(10.0, 15.0), (0.0, 10.0)] {
        plain.shows("You have ");
        let left = seconds(&mut plain);
        assert!((least..=most).contains(&left), "{left}");
    }
}

#[test]
fn everything_fits_forty_columns() {
    let home = Home::new();
    for command in [
        &[][..],
        &["play"],
        &["rules", "list"],
        &["rules", "show", "hack"],
        &["bot", "list"],
        &["solve", "nim:1,4,6,7", "--all"],
        &["solve", "wythoff:50,80+nim:300,500,700"],
        &["explain", "kayles:7"],
        &["moves", "nim:3,5"],
    ] {
        let (code, shown) = Screen::of(&home, command, 40).ends();
        assert_eq!(code, Some(0), "{shown}");
        // A line that shows progress is written over.
        for line in bare(&shown).lines().flat_map(|line| line.split('\r')) {
            let one_word = !line.trim().contains(' ');
            assert!(line.chars().count() <= 40 || one_word, "{command:?} {line}");
        }
    }
    let mut screen = Screen::of(&home, &["play", "nim:3,137", "--local", "--two"], 40);
    let words = "moves more help rules hint why board clock nonsense resgin quit";
    for word in words.split(' ') {
        screen.shows("\n> ");
        screen.types(word);
    }
    let (_, shown) = screen.ends();
    for line in bare(&shown).lines() {
        assert!(line.chars().count() <= 40, "{line}\n{shown}");
    }
}

#[test]
fn what_the_other_player_says_is_shown_until_the_player_is_muted() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, id, code) = crate::online::invite(&a_home, "nim:3,5");
    let mut b = Screen::of(&b_home, &["join", &code], 80);
    b.shows("is to move.");
    a.says("Your move");
    b.types("say");
    b.shows("Good luck");
    b.types("mute");
    b.shows("Muted: this player's lines are hidden.");
    a.types("say unseen");
    b.types("unmute");
    b.shows("Unmuted: this player's lines are shown again.");
    a.types("say seen");
    let shown = b.shows(": seen");
    assert!(shown.contains("guest-"), "{shown}");
    // Watchers have a room of their own, and their lines go there.
    let c_home = Home::at(&server.url);
    let mut c = Screen::of(&c_home, &["watch", &id], 80);
    c.shows("is to move.");
    c.types("help");
    c.shows("talk to the other watchers");
    c.types("a3");
    c.shows("You are watching this match");
    c.types("/oops");
    c.shows(": Oops");
    a.types("resign");
    b.shows("You win");
    b.shows("Rematch, sides swapped? y/N ");
    // The question stays open when a chat line arrives.
    b.types("say good game");
    b.types("n");
    assert_eq!(b.ends().0, Some(0));
    c.shows("wins");
}

#[test]
fn a_match_is_ended_from_outside_it() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let ran = home.feed(
        &["play", "nim:30,30", "--side", "first", "--bot", "club"],
        "",
    );
    assert!(ran.stdout.contains("against club bot"), "{ran:?}");
    let id = ran.stdout.split("Match ").nth(1).expect("a match");
    let id = &id[..10];
    assert_eq!(home.run(&["resign", "1111111111"]).code, Some(4));
    let mut screen = Screen::of(&home, &["resign", id], 80);
    screen.shows(&format!("Resign match {id}? y/N "));
    screen.types("");
    let (code, shown) = screen.ends();
    assert!(
        code == Some(0) && shown.contains("Nothing was done."),
        "{shown}"
    );
    let ran = home.run(&["abort", id, "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout, format!("Match {id} is called off.\n"));
    assert_eq!(home.run(&["resign", id]).code, Some(7));
}

/// A move that is taken back leads to the same position, in which hints go on.
#[test]
fn hints_go_on_where_they_were_after_a_move_is_taken_back() {
    let home = Home::new();
    let play = [
        "play", "nim:3,5", "--local", "--side", "first", "--bot", "perfect",
    ];
    let mut screen = Screen::of(&home, &play, 80);
    screen.shows("Your move.");
    screen.types("hint");
    screen.shows("You can win.");
    screen.types("a1");
    screen.shows("perfect took 3 from B");
    screen.shows("Your move.");
    screen.types("undo");
    screen.shows("Taken back.");
    screen.shows("Your move.");
    screen.types("hint");
    screen.shows("Equal values cancel in pairs");
    screen.types("b2");
    screen.shows("Your move.");
    screen.types("resign");
    screen.shows("Resign? y/N");
    screen.types("y");
    screen.shows("Rematch, sides swapped? y/N");
    screen.types("n");
    screen.ends();
    let review = home.run(&["review"]);
    assert!(
        review
            .stdout
            .contains("Player asked for 2 hints before move "),
        "{review:?}"
    );
}

#[test]
fn a_hint_is_for_matches_without_another_player() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let mut a = a_home.start(&["play", "nim:3,5", "--invite", "--side", "first"]);
    let line = a.says("Join code: ");
    let code = line.split("Join code: ").nth(1).expect("a code").to_owned();
    let mut b = b_home.start(&["join", &code]);
    b.says("is to move");
    a.says("Your move");
    for word in ["hint", "why"] {
        a.types(word);
        a.mutters("There are no hints while you play against another player");
    }
    a.types("undo");
    a.mutters("You have no move to take back");
    let mut bot = a_home.start(&["play", "nim:3,5", "--side", "first", "--bot", "perfect"]);
    bot.says("Your move");
    bot.types("hint");
    bot.says("You can win.");
    bot.types("A-1");
    bot.says("Your move");
    bot.types("why");
    bot.says("The last move, ");
    bot.says("The position now:");
    bot.types("B-1");
    bot.says("Your move");
    bot.types("resign");
    bot.says("Review:  grundy review ");
    // Both are in the log of the server, and so in its review.
    let review = a_home.run(&["review"]);
    let words = " asked for 1 hint before move 1.";
    assert!(review.stdout.contains(words), "{review:?}");
    let words = " asked for 1 hint before move 3.";
    assert!(review.stdout.contains(words), "{review:?}");
}

#[test]
fn a_file_is_not_overwritten_without_asking() {
    let home = Home::new();
    let path = home.write("match.ndjson", "kept");
    let file = path.to_str().expect("UTF-8");
    let mut screen = Screen::of(&home, &["play", "nim:3", "--local", "--record", file], 80);
    screen.shows("exists. Overwrite it? y/N ");
    screen.types("n");
    assert_eq!(screen.ends().0, Some(0));
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "kept");
}

#[test]
fn every_page_that_a_manual_cites_is_written_and_completions_name_games() {
    let home = Home::new();
    let directory = home.file("man");
    let ran = home.run(&["man", "--to", directory.to_str().expect("UTF-8")]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut cited = 0;
    for entry in std::fs::read_dir(&directory).expect("a directory") {
        let page = std::fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        for word in page.replace("\\-", "-").split_whitespace() {
            if let Some(name) = word
                .strip_suffix("(1)")
                .filter(|name| name.starts_with("grundy"))
            {
                assert!(directory.join(format!("{name}.1")).is_file(), "{name}");
                cited += 1;
            }
        }
    }
    assert!(cited > 20, "{cited}");
    let page = home.run(&["man", "tournament", "create"]);
    assert!(page.stdout.contains("grundy-tournament-create"), "{page:?}");
    assert_eq!(home.run(&["man", "nonsense"]).code, Some(4));
    for shell in ["bash", "zsh", "fish"] {
        let script = home.run(&["completions", shell]).stdout;
        for name in ["kayles", "wythoff", "club"] {
            assert!(script.contains(name), "{shell} {name}");
        }
    }
}

#[test]
fn a_flag_without_effect_is_refused() {
    let home = Home::new();
    for words in [
        &["solve", "nim:3", "--timeout", "1s"][..],
        &["play", "nim:3", "--local", "--server", "http://127.0.0.1:1"],
        &["explain", "nim:3", "--profile", "p"],
    ] {
        let ran = home.run(words);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("has no effect here"), "{ran:?}");
    }
    let ran = home.run(&["play", "nim:3", "--local", "--two", "--side", "first"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn play_without_a_position_shows_the_games() {
    let home = Home::new();
    let ran = home.run(&["play"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for words in [
        "Games:",
        "kayles",
        "grundy play kayles:7 --local --two",
        "Next: ",
    ] {
        assert!(ran.stdout.contains(words), "{ran:?}");
    }
    let ran = home.run(&["play", "--json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    // The name of a game begins its own example.
    let ran = home.feed(&["play", "Nim", "--local", "--side", "first"], "");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("nim:3,5,7"), "{ran:?}");
    let ran = home.run(&["play", "nimm", "--local"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let ran = home.run(&["rules", "hack"]);
    assert_eq!(ran.stdout, home.run(&["rules", "show", "hack"]).stdout);
    assert!(ran.stdout.contains("Hackenbush"), "{ran:?}");
}

#[test]
fn a_clock_out_of_bounds_is_refused_in_words() {
    let ran = Home::new().run(&["play", "nim:3", "--local", "--clock", "0s"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let words = "the time at the start must be from 1s to 1d, such as 3m+2s";
    assert!(ran.stderr.contains(words), "{ran:?}");
}

#[test]
fn two_players_take_a_move_back_pause_and_call_the_match_off() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let play = [
        "play",
        "nim:3,4,5",
        "--invite",
        "--side",
        "first",
        "--clock",
        "10+5",
        "--plain",
    ];
    let mut a = Screen::of(&a_home, &play, 200);
    let line = a.shows("Your friend types:");
    let code = line.split("Join code: ").nth(1).expect("a code");
    let code = code.lines().next().expect("a line").trim().to_owned();
    let mut b = Screen::of(&b_home, &["join", &code, "--plain"], 200);
    a.shows("Your move");
    b.shows("is to move");
    a.types("accept");
    a.shows("There is nothing to answer");
    a.types("withdraw");
    a.shows("There is nothing to withdraw: you have proposed nothing");
    a.types("continue");
    a.shows("The match is not paused");
    a.types("A-3");
    b.shows("Your move");
    a.types("undo");
    a.shows("You propose to take the last move back");
    b.shows("proposes to take the last move back. Type accept or decline.");
    b.types("n");
    a.shows("declines to take the last move back.");
    a.types("undo");
    b.shows("proposes to take the last move back");
    b.types("accept");
    for player in [&mut a, &mut b] {
        player.shows("Taken back: the match is at its start again.");
    }
    a.shows("Your move");
    b.types("pause");
    a.shows("proposes a pause of at most 15 minutes");
    a.types("y");
    a.shows("The match is paused, for at most 15:00. Type continue to play on.");
    a.types("A-3");
    a.shows("The match is paused: type continue to play on");
    b.shows("The match is paused");
    b.types("continue");
    a.shows("The match goes on.");
    a.types("draw");
    a.shows("This game always has a winner");
    a.types("abort");
    b.shows("proposes to call the match off. Type accept or decline.");
    b.types("abort");
    for player in [&mut a, &mut b] {
        player.shows("The match was called off; it does not count.");
    }
}

#[test]
fn two_players_adjourn_and_one_plans_a_reply() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let kept = TempDir::new().expect("a directory");
    let file = kept.path().join("match.ndjson");
    let play = [
        "play",
        "nim:3,4,5",
        "--invite",
        "--side",
        "first",
        "--clock",
        "3d/move",
        "--plain",
        "--record",
        file.to_str().expect("UTF-8"),
    ];
    let mut a = Screen::of(&a_home, &play, 200);
    let line = a.shows("Your friend types:");
    let code = line.split("Join code: ").nth(1).expect("a code");
    let code = code.lines().next().expect("a line").trim().to_owned();
    let mut b = Screen::of(&b_home, &["join", &code, "--plain"], 200);
    a.shows("Your move");
    b.shows("is to move");
    a.types("if B-1 A-1");
    a.shows("It is your turn: make your move");
    b.types("if A-1");
    b.shows("After each move of your opponent, type your reply");
    b.types("if A-1 b9");
    b.shows("Heap B has 4");
    b.types("if");
    b.shows("No replies are planned.");
    b.types("if a1 then b1 a1 b2");
    b.shows("Planned: if A-1 then B-1, if A-1 then B-2.");
    b.types("if C-5 B-1");
    b.shows("Planned: if A-1 then B-1, if A-1 then B-2; if C-5 then B-1.");
    b.types("if none");
    b.shows("No replies are planned.");
    b.types("if A-1 B-2");
    b.shows("Planned: if A-1 then B-2.");
    a.types("adjourn");
    b.shows("proposes to adjourn the match, for at most 7 days. Type accept or decline.");
    b.types("accept");
    for player in [&mut a, &mut b] {
        player.shows("The match is adjourned, for at most 7 days 0 h.");
    }
    a.types("A-1");
    a.shows("The match is adjourned: type continue to propose resuming");
    let listed = a_home.run(&["games", "list", "--mine"]);
    assert!(listed.stdout.contains("adjourned"), "{listed:?}");
    assert!(!listed.stdout.contains("running"), "{listed:?}");
    b.types("quit");
    b.shows("You have left; the match is adjourned.");
    assert_eq!(b.ends().0, Some(0));
    let mut b = Screen::of(&b_home, &["resume", "--plain"], 200);
    let shown = b.shows("The match is adjourned.");
    assert!(
        !shown.contains("to move") && !shown.contains("Your move"),
        "{shown}"
    );
    b.types("continue");
    a.shows("proposes to resume the match. Type accept or decline.");
    a.types("continue");
    for player in [&mut a, &mut b] {
        player.shows("The match goes on.");
    }
    a.types("A-1");
    b.shows("took 1 from A");
    b.shows("You took 2 from B, leaving 2 as planned.");
    a.shows("took 2 from B");
    b.types("resign");
    b.types("yes");
    a.shows("The record was written to");
    // What Bea had planned was hidden from Ada; the record has it all the same.
    let recorded = std::fs::read_to_string(&file).expect("a record");
    assert!(recorded.contains("C-5"), "{recorded}");
    let id = recorded.split("\"match\":\"").nth(1).expect("an id");
    let id = id.split('"').next().expect("an id");
    let exported = a_home.run(&["games", "export", id]);
    assert_eq!(exported.stdout, recorded);
}

#[test]
fn who_watches_a_player_sees_one_match_after_the_other() {
    let server = Server::start();
    let (home, watcher) = (Home::at(&server.url), Home::at(&server.url));
    assert_eq!(
        home.run(&["name", "Ada"]).code,
        Some(0),
        "a name of her own"
    );
    let refused = watcher.run(&["watch", "--player", "Nobody"]);
    assert_eq!(refused.code, Some(4), "{refused:?}");
    let unnamed = watcher.run(&["watch"]);
    assert_eq!(unnamed.code, Some(2));
    assert!(unnamed.stderr.contains("--tv"), "{unnamed:?}");
    let mut screen = Screen::of(&watcher, &["watch", "--player", "Ada", "--plain"], 80);
    screen.shows("Waiting for a match of Ada to begin. Ctrl-C ends it.");
    for position in ["nim:7", "nim:9"] {
        let mut ada = Screen::of(
            &home,
            &[
                "play", position, "--side", "first", "--bot", "club", "--plain",
            ],
            80,
        );
        ada.shows("Your move");
        screen.shows(&format!("Ada plays first, club bot second; {position}"));
        ada.types(&format!("A-{}", &position[4..]));
        screen.shows("Ada wins: Ada made the last move.");
        screen.shows("Waiting for a match of Ada to begin");
        ada.types("n");
        assert_eq!(ada.ends().0, Some(0));
    }
}

#[test]
fn who_cancels_an_invitation_that_was_just_taken_plays_on() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let play = ["play", "nim:3", "--invite", "--side", "first", "--plain"];
    let mut a = Screen::of(&a_home, &play, 200);
    let line = a.shows("Your friend types:");
    let code = line.split("Join code: ").nth(1).expect("a code");
    let code = code.lines().next().expect("a line").trim().to_owned();
    a.types("abort");
    a.shows("Call the match off? y/N");
    let mut b = Screen::of(&b_home, &["join", &code, "--plain"], 200);
    b.shows("is to move");
    a.types("y");
    b.shows("proposes to call the match off. Type accept or decline.");
    b.types("decline");
    a.shows("declines to call the match off.");
    a.types("A-1");
    b.shows("Your move");
    b.types("A-2");
    b.shows("You win: you made the last move.");
}
