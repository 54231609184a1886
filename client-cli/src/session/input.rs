//! What the user enters: lines of stdin, or keys of the full screen.

use super::lines::Lines;
use crate::failure::Failure;
use crate::screen::{Keyboard, Stroke};

/// What the user entered.
#[derive(Debug)]
pub(super) enum Entered {
    /// A line; `None` at the end of stdin.
    Line(Option<String>),
    /// A key, or a signal.
    Stroke(Stroke),
}

/// Where it comes from.
#[derive(Debug)]
pub(super) enum Input {
    /// Lines of stdin.
    Lines(Lines),
    /// The keyboard of the full screen; it is listened to from the first time on.
    Keys(Option<Box<Keyboard>>),
}

impl Input {
    /// The keyboard of the full screen.
    pub(super) fn of_keys() -> Self {
        Self::Keys(None)
    }

    /// Whether it is the keyboard of the full screen.
    pub(super) fn is_of_keys(&self) -> bool {
        matches!(self, Self::Keys(_))
    }

    /// What is entered next. May be dropped while waiting without losing anything.
    ///
    /// # Errors
    /// The keyboard cannot be listened to.
    pub(super) async fn next(&mut self) -> Result<Entered, Failure> {
        Ok(match self {
            Self::Lines(lines) => Entered::Line(lines.next().await),
            Self::Keys(keyboard) => {
                let listening = match keyboard.take() {
                    Some(keyboard) => keyboard,
                    None => Box::new(Keyboard::listen()?),
                };
                Entered::Stroke(keyboard.insert(listening).next().await)
            }
        })
    }
}
