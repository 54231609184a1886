//! The keys: one table from which the help, the footer and the page of the documentation are made.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// Enters this line, as if it was typed.
    Type(&'static str),
    /// Begins to type this.
    Begin(&'static str),
    Help,
    Enter,
    Clear,
    Interrupt,
    Suspend,
    Redraw,
    Mouse,
    NextPane,
    Scroll(isize),
    /// The next legal move, or the one before.
    NextMove(bool),
    /// The first legal move of the next heap or place, or of the one before.
    NextPlace(bool),
    /// The board after one move more, or less.
    Step(bool),
    /// The board at the start, or now.
    ToEnd(bool),
    Recall(bool),
    Go(isize),
    Home,
    End,
    DeleteBack,
    Delete,
    DeleteWord,
    DeleteAll,
}

/// When an entry does something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    Always,
    /// We have a seat.
    Playing,
    /// We have a seat, and hints are allowed.
    Hints,
    /// The match is on a server.
    Online,
}

/// With which input line a key does this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Line {
    Any,
    /// While nothing is typed: these keys would begin no move.
    Empty,
    /// While something is typed.
    Typed,
}

/// A key with what must be held down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key(pub(super) KeyCode, pub(super) KeyModifiers);

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) keys: &'static [Key],
    pub(super) line: Line,
    pub(super) when: When,
    pub(super) action: Action,
    /// What it does.
    pub(super) words: &'static str,
    /// The same for the footer; empty where it is not there.
    pub(super) footer: &'static str,
}

const fn key(code: KeyCode) -> Key {
    Key(code, KeyModifiers::NONE)
}

const fn ctrl(letter: char) -> Key {
    Key(KeyCode::Char(letter), KeyModifiers::CONTROL)
}

const fn entry(
    keys: &'static [Key],
    line: Line,
    when: When,
    action: Action,
    words: &'static str,
) -> Entry {
    Entry {
        keys,
        line,
        when,
        action,
        words,
        footer: "",
    }
}

impl Entry {
    const fn footer(mut self, footer: &'static str) -> Self {
        self.footer = footer;
        self
    }

    /// Its keys, or the word that is typed where there is none.
    pub(super) fn names(&self) -> String {
        match (self.keys, self.action) {
            ([], Action::Type(word) | Action::Begin(word)) => word.trim_end().to_owned(),
            (keys, _) => {
                let names: Vec<String> = keys.iter().map(|key| key.name()).collect();
                names.join(" ")
            }
        }
    }
}

impl Key {
    /// What a key is called.
    pub(super) fn name(self) -> String {
        let name = match self.0 {
            KeyCode::Char(c) if self.1.contains(KeyModifiers::CONTROL) => {
                c.to_ascii_uppercase().to_string()
            }
            KeyCode::Char(c) => c.to_string(),
            KeyCode::F(number) => format!("F{number}"),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            other => format!("{other:?}"),
        };
        match self.1.contains(KeyModifiers::CONTROL) {
            true => format!("Ctrl-{name}"),
            false => name,
        }
    }

    fn is(self, event: &KeyEvent) -> bool {
        // The terminal has put Shift into the character already.
        let held = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
        self.0 == event.code && self.1 == held
    }
}

/// The entry for a key, if there is one while the line is empty or not.
pub(super) fn of(event: &KeyEvent, is_empty: bool) -> Option<&'static Entry> {
    let fits = |line: Line| match line {
        Line::Any => true,
        Line::Empty => is_empty,
        Line::Typed => !is_empty,
    };
    TABLE
        .iter()
        .find(|entry| fits(entry.line) && entry.keys.iter().any(|key| key.is(event)))
}

use Action::{
    Begin, Clear, Delete, DeleteAll, DeleteBack, DeleteWord, End, Enter, Go, Help, Home, Interrupt,
    Mouse, NextMove, NextPane, NextPlace, Recall, Redraw, Scroll, Step, Suspend, ToEnd, Type,
};
use Line::{Any, Empty, Typed};
use When::{Always, Hints, Online, Playing};

/// Every entry. Moves of games begin with letters, digits, and a few signs: no entry for an empty line takes one of those.
pub(super) const TABLE: &[Entry] = &[
    entry(
        &[key(KeyCode::Char('?'))],
        Empty,
        Always,
        Help,
        "show this list; type to search, Enter runs an entry, Tab shows the notation",
    )
    .footer("keys"),
    entry(
        &[key(KeyCode::F(1))],
        Any,
        Always,
        Help,
        "the same while something is typed",
    ),
    entry(
        &[key(KeyCode::Enter)],
        Any,
        Always,
        Enter,
        "enter the line, or play the chosen move",
    )
    .footer("play"),
    entry(
        &[key(KeyCode::Esc)],
        Any,
        Always,
        Clear,
        "clear the line, undo the choice, or return to the board as it is now",
    )
    .footer("clear"),
    entry(
        &[key(KeyCode::Right)],
        Empty,
        Playing,
        NextMove(true),
        "choose the next legal move",
    ),
    entry(
        &[key(KeyCode::Left)],
        Empty,
        Playing,
        NextMove(false),
        "choose the legal move before",
    ),
    entry(
        &[key(KeyCode::Down)],
        Empty,
        Playing,
        NextPlace(true),
        "choose a move in the next heap or place",
    ),
    entry(
        &[key(KeyCode::Up)],
        Empty,
        Playing,
        NextPlace(false),
        "choose a move in the heap or place before",
    ),
    entry(
        &[key(KeyCode::Char('['))],
        Empty,
        Always,
        Step(false),
        "look at the board one move earlier",
    ),
    entry(
        &[key(KeyCode::Char(']'))],
        Empty,
        Always,
        Step(true),
        "look at the board one move later",
    ),
    entry(
        &[key(KeyCode::Char('{'))],
        Empty,
        Always,
        ToEnd(false),
        "look at the start position",
    ),
    entry(
        &[key(KeyCode::Char('}'))],
        Empty,
        Always,
        ToEnd(true),
        "look at the board as it is now",
    ),
    entry(
        &[key(KeyCode::Tab)],
        Any,
        Always,
        NextPane,
        "go to the next pane",
    )
    .footer("panes"),
    entry(
        &[key(KeyCode::PageUp)],
        Any,
        Always,
        Scroll(1),
        "scroll up in the pane",
    ),
    entry(
        &[key(KeyCode::PageDown)],
        Any,
        Always,
        Scroll(-1),
        "scroll down in the pane",
    ),
    entry(
        &[key(KeyCode::F(2))],
        Any,
        Always,
        Mouse,
        "mouse on or off; off, the terminal selects text",
    )
    .footer("mouse"),
    entry(
        &[key(KeyCode::F(3))],
        Any,
        Hints,
        Type("hint"),
        "hint: is there a winning move? more with each asking",
    )
    .footer("hint"),
    entry(
        &[key(KeyCode::F(4))],
        Any,
        Hints,
        Type("why"),
        "why: the last move and the position explained",
    ),
    entry(
        &[key(KeyCode::F(5))],
        Any,
        Playing,
        Type("undo"),
        "take your last move back; another player must agree",
    ),
    entry(
        &[key(KeyCode::F(6))],
        Any,
        Playing,
        Type("accept"),
        "accept what the other player proposes",
    ),
    entry(
        &[key(KeyCode::F(7))],
        Any,
        Playing,
        Type("decline"),
        "decline it",
    ),
    entry(
        &[key(KeyCode::F(8))],
        Any,
        Playing,
        Type("resign"),
        "resign; you are asked first",
    ),
    entry(
        &[key(KeyCode::F(9))],
        Any,
        Always,
        Type("moves"),
        "list the legal moves; 'more' lists the next ones",
    ),
    entry(
        &[key(KeyCode::F(10))],
        Any,
        Always,
        Type("quit"),
        "leave; on a server the match goes on",
    )
    .footer("leave"),
    entry(
        &[],
        Any,
        Always,
        Type("board"),
        "the position in words and in notation",
    ),
    entry(&[], Any, Always, Type("rules"), "the rules of the game"),
    entry(&[], Any, Always, Type("clock"), "the time left"),
    entry(
        &[],
        Any,
        Playing,
        Begin("pre "),
        "pre MOVE: play a move as soon as it is your turn",
    ),
    entry(
        &[],
        Any,
        Online,
        Begin("if "),
        "if A-1 B-2: in slow matches, answer A-1 with B-2",
    ),
    entry(&[], Any, Playing, Type("draw"), "offer a draw"),
    entry(
        &[],
        Any,
        Playing,
        Type("pause"),
        "propose to stop both clocks",
    ),
    entry(
        &[],
        Any,
        Online,
        Type("adjourn"),
        "propose to stop the match for days",
    ),
    entry(&[], Any, Playing, Type("continue"), "end a pause"),
    entry(
        &[],
        Any,
        Playing,
        Type("withdraw"),
        "withdraw what you have proposed",
    ),
    entry(
        &[],
        Any,
        Online,
        Type("claim"),
        "claim the win if your opponent has gone",
    ),
    entry(
        &[],
        Any,
        Playing,
        Type("abort"),
        "call the match off before move 2",
    ),
    entry(
        &[],
        Any,
        Playing,
        Type("rematch"),
        "play again with sides swapped, when the match is over",
    ),
    entry(
        &[],
        Any,
        Always,
        Begin("say "),
        "say TEXT, or /TEXT: talk to the other player, or to the other watchers",
    ),
    entry(&[], Any, Always, Type("chat"), "the last lines of the chat"),
    entry(
        &[],
        Any,
        Always,
        Begin("mute "),
        "mute NAME, unmute NAME: hide or show a player's lines",
    ),
    entry(
        &[key(KeyCode::Up)],
        Typed,
        Always,
        Recall(true),
        "an earlier line that you typed",
    ),
    entry(
        &[key(KeyCode::Down)],
        Typed,
        Always,
        Recall(false),
        "a later line that you typed",
    ),
    entry(
        &[key(KeyCode::Left)],
        Typed,
        Always,
        Go(-1),
        "move in the line",
    ),
    entry(
        &[key(KeyCode::Right)],
        Typed,
        Always,
        Go(1),
        "move in the line",
    ),
    entry(
        &[key(KeyCode::Home), ctrl('a')],
        Any,
        Always,
        Home,
        "to the beginning of the line",
    ),
    entry(
        &[key(KeyCode::End), ctrl('e')],
        Any,
        Always,
        End,
        "to the end of the line",
    ),
    entry(
        &[key(KeyCode::Backspace), ctrl('h')],
        Any,
        Always,
        DeleteBack,
        "delete the character before the cursor",
    ),
    entry(
        &[key(KeyCode::Delete), ctrl('d')],
        Any,
        Always,
        Delete,
        "delete the character at the cursor",
    ),
    entry(
        &[ctrl('w')],
        Any,
        Always,
        DeleteWord,
        "delete the word before the cursor",
    ),
    entry(&[ctrl('u')], Any, Always, DeleteAll, "delete the line"),
    entry(&[ctrl('l')], Any, Always, Redraw, "draw the screen anew"),
    entry(
        &[ctrl('z')],
        Any,
        Always,
        Suspend,
        "suspend the program; the shell's fg returns to it",
    ),
    entry(
        &[ctrl('c')],
        Any,
        Always,
        Interrupt,
        "leave at once; an invitation is cancelled",
    ),
];
