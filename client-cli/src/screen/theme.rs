//! Colours and signs. Only the sixteen colours that the user's terminal defines, on its own background; each is doubled by a sign or a word.

use ratatui::style::{Color, Modifier, Style};

use crate::render::board::Ink;

/// How the screen looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Theme {
    /// Whether there is colour; weights and reverse video are there without it.
    pub(super) colour: bool,
    /// Whether lines are those of Unicode, which some fonts draw two columns wide.
    pub(super) lines: bool,
}

impl Theme {
    fn coloured(self, colour: Color) -> Style {
        match self.colour {
            true => Style::new().fg(colour),
            false => Style::new(),
        }
    }

    /// A piece of a drawing.
    pub(super) fn ink(self, ink: Ink) -> Style {
        match ink {
            Ink::Plain => Style::new(),
            Ink::Label => Style::new().add_modifier(Modifier::BOLD),
            Ink::Piece => self.coloured(Color::Yellow),
            Ink::Left => self.coloured(Color::Blue).add_modifier(Modifier::BOLD),
            Ink::Right => self.coloured(Color::Red),
            Ink::Both => self.coloured(Color::Green),
            Ink::Note => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// What is chosen.
    pub(super) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// A heading, and what is to be noticed.
    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What is said besides.
    pub(super) fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// What is wrong, or urgent.
    pub(super) fn alarm(self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// What may become urgent.
    pub(super) fn warning(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// What somebody says in the chat.
    pub(super) fn chat(self) -> Style {
        self.coloured(Color::Cyan)
    }

    /// The sign of a line across.
    pub(super) fn across(self) -> &'static str {
        if self.lines { "\u{2500}" } else { "-" }
    }

    /// The sign of a line down.
    pub(super) fn down(self) -> &'static str {
        if self.lines { "\u{2502}" } else { "|" }
    }
}
