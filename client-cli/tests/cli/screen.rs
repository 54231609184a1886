//! The full screen in a real pseudo-terminal: what is shown, and that the terminal is as before after each way out.

use std::fs::File;
use std::io::Write as _;
use std::num::NonZero;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize};

use crate::program::{Home, PATIENCE, terminal};

/// A program on a terminal of its own.
pub(crate) struct Screen {
    child: Child,
    keyboard: File,
    /// The program's side, held so that its modes can be looked at.
    terminal: Option<File>,
    parts: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    picture: vt100::Parser,
}

/// How often a condition is looked at while nothing is shown.
const LOOK: Duration = Duration::from_millis(50);

/// What undoes what the screen did.
const UNDONE: [&[u8]; 5] = [
    b"\x1b[?1000l",
    b"\x1b[?1006l",
    b"\x1b[?2004l",
    b"\x1b[?1049l",
    b"\x1b[?25h",
];

impl Screen {
    pub(crate) fn start(command: Command, columns: u16, rows: u16) -> Self {
        Self::start_as("xterm", command, columns, rows)
    }

    fn start_as(term: &str, command: Command, columns: u16, rows: u16) -> Self {
        Self::start_typed("", term, command, columns, rows)
    }

    /// The same; these keys are pressed before the program starts.
    fn start_typed(keys: &str, term: &str, mut command: Command, columns: u16, rows: u16) -> Self {
        let (mut keyboard, terminal) = terminal();
        resize(&terminal, columns, rows);
        keyboard.write_all(keys.as_bytes()).expect("a terminal");
        let side = || terminal.try_clone().expect("a descriptor");
        command.stdin(side()).stdout(side()).stderr(side());
        command.env("TERM", term).env("LANG", "C.UTF-8");
        let child = command.spawn().expect("the program starts");
        drop(command);
        let (sender, parts) = channel();
        let screen = keyboard.try_clone().expect("a descriptor");
        std::thread::spawn(move || {
            let mut part = [0; 4_096];
            while let Ok(read @ 1..) = rustix::io::read(&screen, &mut part[..]) {
                if sender.send(part[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            keyboard,
            terminal: Some(terminal),
            parts,
            bytes: Vec::new(),
            picture: vt100::Parser::new(cells(rows), cells(columns), 0),
        }
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.keyboard
            .write_all(keys.as_bytes())
            .expect("a terminal");
    }

    pub(crate) fn shown(&self) -> String {
        self.picture.screen().contents()
    }

    /// Reads until this is so.
    pub(crate) fn waits(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let give_up = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < give_up, "not {what}:\n{}", self.shown());
            match self.parts.recv_timeout(LOOK) {
                Ok(part) => {
                    self.picture.process(&part);
                    self.bytes.extend(part);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(gone) => panic!("not {what} ({gone}):\n{}", self.shown()),
            }
        }
    }

    /// Reads until these words are on the screen.
    pub(crate) fn shows(&mut self, words: &str) {
        self.waits(words, |screen| screen.shown().contains(words));
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).expect("a process id");
        kill_process(Pid::from_raw(pid).expect("a process id"), signal).expect("it runs");
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        resize(self.terminal.as_ref().expect("held"), columns, rows);
        self.picture
            .screen_mut()
            .set_size(cells(rows), cells(columns));
        // Only a program with this terminal as its own is told so by the system.
        self.signal(Signal::WINCH);
    }

    pub(crate) fn has(&self, bytes: &[u8]) -> bool {
        last(&self.bytes, bytes).is_some()
    }

    fn is_cooked(&self) -> bool {
        let terminal = self.terminal.as_ref().expect("held");
        let modes = tcgetattr(terminal).expect("a terminal").local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Does what a shell does with the terminal of a program that has stopped.
    fn cook(&self) {
        let terminal = self.terminal.as_ref().expect("held");
        let mut modes = tcgetattr(terminal).expect("a terminal");
        let usual = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        modes.local_modes.insert(usual);
        tcsetattr(terminal, OptionalActions::Now, &modes).expect("a terminal");
    }

    /// Waits for the end; the terminal must be as it was. The code, and what is on the screen of the shell.
    pub(crate) fn ends(mut self) -> (Option<i32>, String) {
        self.waits("the other screen left", |screen| screen.has(b"\x1b[?1049l"));
        let status = self.child.wait().expect("the program ends");
        assert!(self.is_cooked());
        // With the last one who holds the terminal what is shown there ends.
        drop(self.terminal.take());
        while let Ok(part) = self.parts.recv() {
            self.picture.process(&part);
            self.bytes.extend(part);
        }
        let on = last(&self.bytes, b"\x1b[?1049h").expect("the screen was on");
        for undone in UNDONE {
            let off = last(&self.bytes, undone);
            assert!(off > Some(on), "{}", String::from_utf8_lossy(undone));
        }
        assert!(!self.picture.screen().alternate_screen());
        assert!(!self.picture.screen().hide_cursor());
        (status.code(), self.shown())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn cells(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("a size")
}

fn resize(terminal: &File, columns: u16, rows: u16) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(terminal, size).expect("a size");
}

/// Where the last of these bytes begin.
fn last(bytes: &[u8], searched: &[u8]) -> Option<usize> {
    bytes
        .windows(searched.len())
        .rposition(|part| part == searched)
}

const PLAY: [&str; 7] = [
    "play",
    "nim:3,5,7",
    "--local",
    "--side",
    "first",
    "--bot",
    "perfect",
];

/// A match on this computer, on a screen of 100 columns and 30 lines.
fn play(home: &Home, flags: &[&str]) -> Screen {
    let mut screen = Screen::start(home.command(&[&PLAY[..], flags].concat()), 100, 30);
    screen.shows("Your move.");
    assert!(!screen.is_cooked());
    screen
}

#[test]
fn a_match_is_played_on_the_full_screen() {
    let home = Home::new();
    let mut screen = play(&home, &[]);
    for words in [
        "the last move wins",
        "> Player (you)",
        "perfect",
        "move>",
        "? keys",
    ] {
        screen.shows(words);
    }
    // Typed as people type. The bot has one winning reply.
    screen.types("b 4\r");
    screen.shows("You took 4 from B, leaving 1.");
    screen.shows("perfect took 5 from C");
    // Chosen with the arrows.
    screen.types("\x1b[B");
    screen.shows("Enter plays A-1, which leaves");
    screen.types("\r");
    screen.shows("You took 1 from A");
    screen.shows("perfect took 1 from B");
    // A click on the second stone of the last heap.
    screen.shows("move>");
    screen.types("\x1b[<0;10;6M\x1b[<0;10;6m");
    screen.shows("Enter plays C-1");
    screen.types("\x1b");
    screen.waits("nothing chosen", |screen| {
        !screen.shown().contains("Enter plays")
    });
    // What cannot be played can be changed: it is on the line again.
    screen.types("z-1\r");
    screen.shows("move> z-1");
    screen.types("\x15");
    screen.types("resign\r");
    screen.shows("Resign? y/N");
    screen.types("y\r");
    screen.shows("Rematch, sides swapped?");
    screen.types("n\r");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(0));
    // The result and the next steps stay on the screen of the shell.
    assert!(shown.contains("resign"), "{shown}");
    assert!(shown.contains("grundy review "), "{shown}");
}

#[test]
fn keys_that_are_pressed_before_the_screen_opens_are_not_lost() {
    let home = Home::new();
    // The terminal is asked for its widths, or not.
    for glyphs in [&[][..], &["--glyphs", "ascii"]] {
        let command = home.command(&[&PLAY[..], glyphs].concat());
        let mut screen = Screen::start_typed("a1\rb", "xterm", command, 100, 30);
        screen.shows("You took 1 from A, leaving 2.");
        screen.shows("perfect took");
        screen.shows("move> b");
    }
}

#[test]
fn a_match_of_this_computer_is_not_left_unasked() {
    let home = Home::new();
    let mut screen = play(&home, &[]);
    screen.types("\x1b[21~");
    screen.shows("Leave? The match ends with that. y/N");
    screen.types("n\r");
    screen.shows("The match goes on.");
    screen.types("b4\r");
    screen.shows("perfect took 5 from C");
    screen.types("\x1b[21~");
    screen.shows("Leave? You can resume it. y/N");
    screen.types("\x1b[21~");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("grundy resume"), "{shown}");
}

#[test]
fn painted_vertices_stay_on_the_board() {
    let home = Home::new();
    let col = [
        "play",
        "col:0-1-2-0,3",
        "--local",
        "--two",
        "--glyphs",
        "ascii",
    ];
    let mut screen = Screen::start(home.command(&col), 100, 30);
    screen.shows("is to move.");
    screen.types("0b\r");
    screen.shows(" 0 B-");
    screen.types("1r\r");
    screen.shows(" 1 R-");
    for row in [
        " 0 B-+---+",
        " 1 R-+-+ |",
        " 2 .---+-+",
        " 3 o",
        "B, R painted",
    ] {
        screen.shows(row);
    }
    // An earlier position is shown with its own paint.
    screen.types("[");
    screen.shows(" 1 r-");
}

/// A match in whose positions the solver finds nothing in the time of a hint.
fn play_a_hard_one(home: &Home, flags: &[&str]) -> Screen {
    let hard = format!("cram:{}", ["........."; 7].join("/"));
    let play = [
        "play", &hard, "--local", "--side", "first", "--bot", "random",
    ];
    let mut screen = Screen::start(home.command(&[&play[..], flags].concat()), 100, 30);
    screen.shows("Your move.");
    screen
}

#[test]
fn keys_are_heard_while_a_hint_or_the_verdict_is_worked_out() {
    let home = Home::new();
    let mut screen = play_a_hard_one(&home, &[]);
    screen.types("hint\r");
    screen.shows("Thinking.");
    screen.types("?");
    screen.shows("show this list");
    screen.types("\x1b");
    screen.waits("no help", |screen| {
        !screen.shown().contains("show this list")
    });
    let hints = |screen: &Screen| screen.shown().matches("could not decide").count();
    screen.shows("could not decide");
    // What is entered meanwhile comes after the hint.
    screen.types("hint\rclock\r");
    screen.shows("This match has no clock.");
    assert_eq!(hints(&screen), 2);
    // A move does not wait for it, and stays one however often it is entered.
    screen.types("hint\r1:1-1:2\r1:1-1:2\r");
    screen.shows("You covered 1:1-1:2.");
    assert_eq!(hints(&screen), 2);
    screen.shows("random covered");
    screen.types("\x15resign\r");
    screen.shows("Resign? y/N");
    screen.types("y\r");
    screen.shows("random wins: you resigned. Thinking.");
    // What answers no question that was asked does not answer the one that comes.
    screen.types("y\r \rgrundy");
    screen.shows("Rematch, sides swapped? y/n grundy");
    screen.types("\x03");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(130), "{shown}");
    assert!(shown.contains("was not found in the time"), "{shown}");
}

#[test]
fn who_does_not_wait_for_a_hint_or_the_verdict_leaves_at_once() {
    let home = Home::new();
    let mut screen = play_a_hard_one(&home, &[]);
    screen.types("hint\r\x03");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(130), "{shown}");
    assert!(!shown.contains("could not decide"), "{shown}");
    // The result is shown, and the record is written, all the same.
    let record = home.file("match.ndjson");
    let file = record.to_str().expect("text");
    let mut screen = play_a_hard_one(&home, &["--record", file]);
    screen.types("1:1-1:2\r");
    screen.shows("random covered");
    screen.types("resign\ry\r\x03");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(130), "{shown}");
    assert!(shown.contains("random wins: you resigned."), "{shown}");
    assert!(!shown.contains("was not found in the time"), "{shown}");
    let written = std::fs::read_to_string(&record).expect("a record");
    assert!(written.contains("resignation"), "{written}");
}

#[test]
fn every_way_out_gives_the_terminal_back() {
    let home = Home::new();
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let screen = play(&home, &[]);
        screen.signal(signal);
        let (code, shown) = screen.ends();
        assert_eq!(code, Some(130), "{shown}");
    }
    let mut screen = play(&home, &[]);
    screen.types("\x03");
    assert_eq!(screen.ends().0, Some(130));
    // A panic: its text stands on the screen of the shell.
    let mut command = home.command(&PLAY);
    command.env("GRUNDY_PLANTED_PANIC", "boom");
    let mut screen = Screen::start(command, 100, 30);
    screen.shows("Your move.");
    screen.types("boom\r");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(101));
    assert!(shown.contains("planted: boom"), "{shown}");
    // F10, and what is asked about a match that is not kept.
    let mut screen = play(&home, &["--no-record"]);
    screen.types("a1\r");
    screen.waits("the bot's reply", |screen| {
        let shown = screen.shown();
        shown.contains("You took 1 from A") && shown.contains("Your move.")
    });
    screen.types("\x1b[21~");
    screen.shows("Leave? The match ends with that. y/N");
    screen.types("y\r");
    assert_eq!(screen.ends().0, Some(0));
}

#[test]
fn a_signal_just_after_the_screen_is_on_gives_the_terminal_back() {
    let home = Home::new();
    let walked = ["review", "nim:1,2", "B-1", "A-1", "B-1", "--screen", "full"];
    let desk = ["explore", "nim:3,5,7"];
    for arguments in [&PLAY[..], &desk, &walked] {
        for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
            // This terminal answers nothing that it is asked, so the program waits for an answer when the signal comes.
            let mut screen = Screen::start(home.command(arguments), 100, 30);
            screen.waits("the screen on", |screen| screen.has(b"\x1b[?1049h"));
            screen.signal(signal);
            let (code, shown) = screen.ends();
            assert_eq!(code, Some(130), "{arguments:?} {signal:?} {shown}");
        }
    }
}

#[test]
fn an_error_is_read_on_the_screen_of_the_shell() {
    let server = crate::server::Server::start();
    let home = Home::at(&server.url);
    let arguments = ["play", "nim:3,5,7", "--side", "first"];
    let mut screen = Screen::start(home.command(&arguments), 100, 30);
    screen.shows("Your move.");
    // A second terminal of ours takes the match over.
    let mut second = Screen::start(home.command(&["resume"]), 100, 30);
    second.shows("Your move.");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(7), "{shown}");
    assert!(shown.contains("taken over this match"), "{shown}");
    second.types("quit\r");
    let (code, shown) = second.ends();
    assert_eq!(code, Some(0));
    assert!(shown.contains("Return with: grundy resume"), "{shown}");
}

#[test]
fn a_suspended_program_gives_the_terminal_back_and_takes_it_again() {
    let home = Home::new();
    let mut screen = play(&home, &[]);
    screen.types("b");
    screen.shows("move> b");
    let entered = |screen: &Screen| {
        let on = screen
            .bytes
            .windows(8)
            .filter(|part| *part == b"\x1b[?1049h");
        on.count()
    };
    screen.types("\x1a");
    screen.waits("suspended", |screen| screen.has(b"\x1b[?1049l"));
    // Where nobody could wake it up, it does not stop: then this changes nothing.
    screen.waits("awake", |screen| {
        screen.signal(Signal::CONT);
        entered(screen) > 1
    });
    screen.shows("move> b");
    assert!(!screen.is_cooked());
    screen.types("\x03");
    assert_eq!(screen.ends().0, Some(130));
}

#[test]
fn a_program_that_somebody_else_stopped_takes_the_terminal_again() {
    let home = Home::new();
    let mut screen = play(&home, &[]);
    screen.signal(Signal::STOP);
    screen.cook();
    screen.signal(Signal::CONT);
    screen.waits("keys are heard again", |screen| !screen.is_cooked());
    screen.types("c2\r");
    screen.shows("You took 2 from C");
    screen.types("\x03");
    assert_eq!(screen.ends().0, Some(130));
}

#[test]
fn the_screen_follows_the_size_of_the_terminal() {
    let home = Home::new();
    let mut screen = play(&home, &[]);
    screen.shows("Moves");
    screen.resize(40, 12);
    screen.waits("small", |screen| {
        !screen.shown().contains("Moves") && screen.shown().contains("? keys  Enter play")
    });
    screen.resize(60, 1);
    screen.waits("one line", |screen| {
        screen
            .shown()
            .trim()
            .starts_with("nim:3,5,7 Your move. move>")
    });
    screen.types("c2");
    screen.shows("move> c2");
    screen.resize(80, 24);
    screen.shows("Moves");
    screen.shows("move> c2");
    screen.types("\r");
    screen.shows("You took 2 from C");
    screen.types("\x03");
    screen.ends();
}

#[test]
fn the_terminal_is_asked_how_wide_its_signs_are() {
    let home = Home::new();
    for (answer, line) in [("\x1b[1;2R", "\u{2500}\u{2500}"), ("\x1b[1;3R", "--")] {
        let mut screen = Screen::start(home.command(&PLAY), 100, 30);
        screen.waits("asked", |screen| screen.has(b"\x1b[6n"));
        // What is typed meanwhile is not lost.
        screen.types(&format!("a{answer}"));
        screen.shows(line);
        screen.shows("move> a");
        screen.types("\x03");
        screen.ends();
    }
    for (flags, line) in [
        (&["--glyphs", "unicode"], "\u{2500}\u{2500}"),
        (&["--glyphs", "safe"], "--"),
        (&["--glyphs", "ascii"], "--"),
    ] {
        let mut screen = Screen::start(home.command(&[&PLAY[..], flags].concat()), 100, 30);
        screen.shows(line);
        assert!(!screen.has(b"\x1b[6n"));
        let is_ascii = flags[1] == "ascii";
        screen.shows("move>");
        assert_eq!(screen.shown().is_ascii(), is_ascii, "{}", screen.shown());
        screen.types("\x03");
        screen.ends();
    }
}

#[test]
fn the_terminal_is_asked_what_its_text_stands_on() {
    let home = Home::new();
    // Stones are yellow, but not on white.
    for (colour, style) in [
        ("rgb:0000/0000/0000", &b"38;5;3"[..]),
        ("rgb:ffff/ffff/ffff", &b"38;5;5"[..]),
    ] {
        let mut screen = Screen::start(home.command(&PLAY), 100, 30);
        screen.waits("asked", |screen| screen.has(b"\x1b]11;?"));
        screen.types(&format!("\x1b]11;{colour}\x1b\\\x1b[1;2R"));
        screen.shows("Your move.");
        screen.waits("the colour of stones", |screen| screen.has(style));
        screen.types("\x03");
        screen.ends();
    }
}

#[test]
fn a_late_answer_of_the_terminal_is_not_typed() {
    let home = Home::new();
    let mut screen = play(&home, &["--glyphs", "unicode"]);
    screen.types("b\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\ 4");
    screen.shows("move> b 4");
    screen.types("\x03");
    screen.ends();
}

#[test]
fn what_is_shown_can_be_copied_through_the_terminal() {
    let home = Home::new();
    let mut screen = play(&home, &["--glyphs", "unicode"]);
    screen.types("\x19");
    screen.shows("Copied, if the terminal allows");
    // "nim:3,5,7" in base64.
    let kept = b"\x1b]52;c;bmltOjMsNSw3\x1b\\";
    assert!(screen.bytes.windows(kept.len()).any(|bytes| bytes == kept));
    screen.types("\x03");
    screen.ends();
}

#[test]
fn colour_is_left_out_where_it_is_not_wanted() {
    let home = Home::new();
    let has_colour = |screen: &Screen| {
        let text = String::from_utf8_lossy(&screen.bytes);
        // Colours of the foreground: 30 to 37, 90 to 97, and numbers of a palette.
        text.split("\x1b[").skip(1).any(|rest| {
            let Some((numbers, _)) = rest.split_once('m') else {
                return false;
            };
            // Other sequences end with other letters.
            let is_style = numbers.chars().all(|c| c.is_ascii_digit() || c == ';');
            let mut numbers = numbers.split(';').map_while(|number| number.parse().ok());
            is_style && numbers.any(|number: u8| matches!(number, 30..=38 | 90..=97))
        })
    };
    let play = |variables: &[(&str, &str)], flags: &[&str]| {
        let mut command = home.command(&[&PLAY[..], flags].concat());
        command.envs(variables.iter().copied());
        let mut screen = Screen::start(command, 100, 30);
        screen.shows("Your move.");
        screen.types("\x1b[C");
        screen.shows("Enter plays A-1");
        screen.types("\x03");
        screen.waits("left", |screen| screen.has(b"\x1b[?1049l"));
        has_colour(&screen)
    };
    assert!(play(&[], &[]));
    assert!(!play(&[("NO_COLOR", "1")], &[]));
    assert!(!play(&[], &["--color", "never"]));
}

#[test]
fn line_mode_is_used_where_it_is_asked_for_and_where_nothing_else_works() {
    let home = Home::new();
    let starts_as = |term: &str, variables: &[(&str, &str)], flags: &[&str]| {
        let mut command = home.command(&[&PLAY[..], flags].concat());
        command.envs(variables.iter().copied());
        let mut screen = Screen::start_as(term, command, 100, 30);
        screen.shows("Your move.");
        screen.has(b"\x1b[?1049h")
    };
    let starts = |variables: &[(&str, &str)], flags: &[&str]| starts_as("xterm", variables, flags);
    assert!(starts(&[], &["--screen", "full"]));
    assert!(!starts_as("dumb", &[], &["--screen", "full"]));
    assert!(!starts(&[], &["--screen", "lines"]));
    assert!(!starts(&[], &["--plain"]));
    assert!(!starts(&[("GRUNDY_SCREEN", "lines")], &[]));
    home.write(".config/grundy/config.toml", "screen = \"lines\"\n");
    assert!(!starts(&[], &[]));
    let shown = home.run(&["config", "show"]);
    assert!(shown.stdout.contains("lines"), "{shown:?}");
    // A value that makes no sense is refused with its place.
    let mut command = home.command(&PLAY);
    command.env("GRUNDY_SCREEN", "big");
    let output = command.output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(stderr.contains("GRUNDY_SCREEN: 'big'"), "{stderr}");
}

#[test]
fn a_match_on_a_server_is_watched_and_survives_the_server() {
    let mut server = crate::server::Server::start();
    let (ada, bo, watcher) = (
        Home::at(&server.url),
        Home::at(&server.url),
        Home::at(&server.url),
    );
    let open = ["play", "nim:3,5,7", "--invite", "--side", "first"];
    let mut first = Screen::start(ada.command(&open), 100, 30);
    first.shows("Join code: ");
    let shown = first.shown();
    let word_after = |words: &str| {
        let rest = shown.split(words).nth(1).expect("shown");
        let word = rest.split([' ', '.', '\n']).next();
        word.expect("a word").to_owned()
    };
    let (code, id) = (word_after("Join code: "), word_after("Match "));
    let mut second = Screen::start(bo.command(&["join", &code]), 80, 24);
    second.shows("is to move.");
    let mut third = Screen::start(watcher.command(&["watch", &id]), 40, 12);
    third.shows("is to move.");
    first.shows("Your move.");
    first.types("c6\r");
    second.shows("Your move.");
    third.shows("C  1");
    server.kill();
    second.shows("NOT CONNECTED");
    server.start_again();
    second.shows("Back after");
    second.types("/good luck\r");
    first.shows("Good luck");
    second.types("b 5\r");
    first.shows("took 5 from B");
    third.shows("B  0");
    first.types("resign\r");
    first.shows("Resign? y/N");
    first.types("y\r");
    second.shows("Rematch, sides swapped?");
    second.types("n\r");
    assert_eq!(second.ends().0, Some(0));
    // What a watcher sees stays until the watcher leaves.
    third.shows("Enter leaves.");
    third.types("\r");
    assert_eq!(third.ends().0, Some(0));
}

#[test]
fn a_review_is_walked_through_and_then_printed() {
    let home = Home::new();
    let review = [
        "review",
        "nim:3,5,7",
        "B-4",
        "B-1",
        "C-2",
        "C-2",
        "A-3",
        "C-3",
    ];
    let command = home.command(&[&review[..], &["--screen", "full"]].concat());
    let mut screen = Screen::start(command, 100, 30);
    // It opens at the last turning point, with the reasons.
    screen.shows("gives the win away");
    screen.shows("keeps it");
    screen.types("{");
    screen.shows("Move 2,");
    screen.types("\x1b[H");
    screen.shows("A  3");
    screen.shows("C  7");
    screen.types("]");
    screen.shows("Move 1,");
    screen.types("q");
    let (code, shown) = screen.ends();
    assert_eq!(code, Some(0));
    assert!(shown.contains("was answered by"), "{shown}");
    // Without the flag it is only printed.
    let mut screen = Screen::start(home.command(&review), 100, 30);
    screen.shows("was answered by");
    assert!(!screen.has(b"\x1b[?1049h"));
}

#[test]
fn the_end_of_a_match_leads_to_its_review_and_to_learning() {
    let home = Home::new();
    // F11 and F12 are the keys of both.
    for (asked, key) in [("review\r", "\x1b[23~"), ("learn\r", "\x1b[24~")] {
        for typed in [asked, key] {
            let mut screen = play(&home, &[]);
            screen.types(typed);
            screen.types("b 4\r");
            screen.shows("You took 4 from B, leaving 1.");
            screen.shows("perfect took 5 from C");
            screen.types("resign\r");
            screen.shows("Resign?");
            screen.types("y\r");
            screen.shows("perfect wins: you resigned.");
            screen.types(typed);
            if asked == "review\r" {
                screen.shows("gives the win away");
                screen.types("q");
            } else {
                screen.shows("Find a winning move");
                screen.types("quit\r");
            }
            let (code, _) = screen.ends();
            assert_eq!(code, Some(0), "{typed}");
        }
    }
}

#[test]
fn what_is_not_kept_cannot_be_reviewed_afterwards() {
    let home = Home::new();
    let mut screen = play(&home, &["--no-record"]);
    screen.types("resign\r");
    screen.shows("Resign?");
    screen.types("y\r");
    screen.shows("you resigned");
    screen.types("review\r");
    screen.shows("this match was not kept");
    screen.types("n\r");
    let (code, _) = screen.ends();
    assert_eq!(code, Some(0));
}
