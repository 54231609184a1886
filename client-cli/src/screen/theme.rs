//! Colours and signs. Only the sixteen colours that the user's terminal defines, on its own background; each is doubled by a sign or a word.

use ratatui::style::{Color, Modifier, Style};

use crate::render::board::Ink;

/// What the terminal draws its text on, by which colours that cannot be read there are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Background {
    #[default]
    Unknown,
    Dark,
    Light,
}

/// How the screen looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Theme {
    /// Whether there is colour; weights and reverse video are there without it.
    pub(super) colour: bool,
    /// Whether lines are those of Unicode, which some fonts draw two columns wide.
    pub(super) lines: bool,
    pub(super) background: Background,
}

impl Theme {
    fn coloured(self, colour: Color) -> Style {
        if !self.colour {
            return Style::new();
        }
        let readable = match (self.background, colour) {
            (Background::Light, Color::Yellow) => Color::Magenta,
            (Background::Light, Color::Cyan) => Color::Blue,
            (Background::Dark, Color::Blue) => Color::LightBlue,
            (Background::Dark, Color::Red) => Color::LightRed,
            (_, other) => other,
        };
        Style::new().fg(readable)
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

    /// What the last move changed.
    pub(super) fn last(self, ink: Ink) -> Style {
        self.ink(ink).add_modifier(Modifier::UNDERLINED)
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

impl Background {
    /// What a variable of some terminals says: `foreground;background` as numbers of the sixteen colours.
    pub(super) fn of_variable(value: &str) -> Self {
        match value.rsplit(';').next().map(str::parse::<u8>) {
            Some(Ok(7 | 9..=15)) => Self::Light,
            Some(Ok(0..=6 | 8)) => Self::Dark,
            _ => Self::Unknown,
        }
    }

    /// A colour as terminals name theirs: `rgb:ffff/ffff/ffff`, with one to four digits each.
    pub(super) fn of_colour(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("rgb:")?.split('/').map(|part| {
            let most = 16_u32.checked_pow(u32::try_from(part.len()).ok()?)?;
            let value = u32::from_str_radix(part, 16).ok()?;
            Some(f64::from(value) / f64::from(most - 1).max(1.0))
        });
        let mut next = || parts.next().flatten();
        let (red, green, blue) = (next()?, next()?, next()?);
        // How bright it looks (ITU-R BT.601).
        let light = 0.299 * red + 0.587 * green + 0.114 * blue;
        Some(match light > 0.5 {
            true => Self::Light,
            false => Self::Dark,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_background_is_read_as_terminals_tell_it() {
        for (text, background) in [
            ("rgb:ffff/ffff/ffff", Some(Background::Light)),
            ("rgb:0000/0000/0000", Some(Background::Dark)),
            ("rgb:fd/f6/e3", Some(Background::Light)),
            ("rgb:00/2b/36", Some(Background::Dark)),
            ("rgb:0/0/f", Some(Background::Dark)),
            ("rgb:/1/2", None),
            ("rgb:123456789/1/2", None),
            ("white", None),
        ] {
            assert_eq!(Background::of_colour(text), background, "{text}");
        }
        for (value, background) in [
            ("0;15", Background::Light),
            ("15;0", Background::Dark),
            ("0;default;7", Background::Light),
            ("15;8", Background::Dark),
            ("", Background::Unknown),
            ("default", Background::Unknown),
        ] {
            assert_eq!(Background::of_variable(value), background, "{value}");
        }
    }

    #[test]
    fn what_cannot_be_read_on_a_background_has_another_colour_there() {
        let theme = |background| Theme {
            colour: true,
            lines: true,
            background,
        };
        let piece = |background| theme(background).ink(Ink::Piece).fg;
        assert_eq!(piece(Background::Unknown), Some(Color::Yellow));
        assert_eq!(piece(Background::Dark), Some(Color::Yellow));
        assert_eq!(piece(Background::Light), Some(Color::Magenta));
        let left = theme(Background::Dark).ink(Ink::Left).fg;
        assert_eq!(left, Some(Color::LightBlue));
        let without = Theme {
            colour: false,
            ..theme(Background::Light)
        };
        assert_eq!(without.ink(Ink::Piece).fg, None);
    }
}
