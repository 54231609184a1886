//! Turning the screen on: the terminal's modes, its colours, and the signs that it can show.

use std::io;

use anstream::{AutoStream, ColorChoice};
use crossterm::event::Event;

use super::pressed;
use super::probe;
use super::terminal::Terminal;
use super::theme::{Background, Theme};
use crate::output::Signs;

/// The look of the screen before the terminal was asked.
pub(super) fn theme(signs: Signs) -> Theme {
    Theme {
        colour: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        lines: signs == Signs::Unicode,
        background: std::env::var("COLORFGBG").map_or_else(
            |_| Background::default(),
            |value| Background::of_variable(&value),
        ),
    }
}

/// Turns the screen on. Returns the keys that were pressed while the terminal was asked for the widths of its signs and for its background.
///
/// # Errors
/// The terminal cannot be written to, or has no raw mode.
pub(super) fn open(
    signs: Signs,
    mouse: bool,
    theme: &mut Theme,
) -> io::Result<(Terminal, Vec<Event>)> {
    let terminal = Terminal::enter(mouse)?;
    let Signs::Ask { safe } = signs else {
        return Ok((terminal, Vec::new()));
    };
    let heard = probe::ask()?;
    theme.lines = !heard.is_wide.unwrap_or(safe);
    theme.background = heard.background.unwrap_or(theme.background);
    Ok((terminal, pressed::read(&heard.typed)))
}
