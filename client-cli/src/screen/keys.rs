//! Keys, and what an entry of their table says.

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
    /// Hands what is shown to the terminal, to be pasted elsewhere.
    Copy,
    NextPane,
    Scroll(isize),
    /// The next legal move, or the one before.
    NextMove(bool),
    /// The first legal move of the next heap or place, or of the one before.
    NextPlace(bool),
    /// The board after one move more, or less.
    Step(bool),
    /// The next move that gave a win away, or the one before.
    NextMistake(bool),
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
    /// We have a seat, and the match is not over.
    Playing,
    /// The other player proposes something.
    Proposed,
    /// We have a seat, the match is not over, and hints are allowed.
    Hints,
    /// We have a seat in a match on a server that is not over.
    Online,
    /// The match is on a server: there is somebody to talk to.
    Shared,
    /// The match is over.
    Over,
    /// An exercise is shown that can be taken out of the deck.
    Forgettable,
    /// No line is asked for.
    Unasked,
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
    /// The message that says what it does.
    pub(super) message: &'static str,
    /// The message for the footer; empty where it is not there.
    pub(super) footer: &'static str,
}

pub(super) const fn key(code: KeyCode) -> Key {
    Key(code, KeyModifiers::NONE)
}

pub(super) const fn ctrl(letter: char) -> Key {
    Key(KeyCode::Char(letter), KeyModifiers::CONTROL)
}

pub(super) const fn entry(
    keys: &'static [Key],
    line: Line,
    when: When,
    action: Action,
    message: &'static str,
) -> Entry {
    Entry {
        keys,
        line,
        when,
        action,
        message,
        footer: "",
    }
}

impl Entry {
    pub(super) const fn footer(mut self, footer: &'static str) -> Self {
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

/// The first of these entries that a key means, while the line is empty or not.
pub(super) fn of(
    entries: impl IntoIterator<Item = &'static Entry>,
    event: &KeyEvent,
    is_empty: bool,
) -> Option<&'static Entry> {
    let fits = |line: Line| match line {
        Line::Any => true,
        Line::Empty => is_empty,
        Line::Typed => !is_empty,
    };
    entries
        .into_iter()
        .find(|entry| fits(entry.line) && entry.keys.iter().any(|key| key.is(event)))
}
