//! What the user enters: lines of stdin, or keys of the full screen.

use super::lines::Lines;
use crate::failure::Failure;
use crate::screen::{Keyboard, Signals, Stroke};

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
    Keys(Option<Box<Keyboard>>, Option<Signals>),
}

impl Input {
    /// The keyboard of the full screen.
    pub(super) fn of_keys() -> Self {
        Self::Keys(None, None)
    }

    /// Hears signals from now on, where the full screen is about to be turned on.
    ///
    /// # Errors
    /// The program cannot hear them.
    pub(super) fn hear_signals(&mut self) -> Result<(), Failure> {
        if let Self::Keys(None, signals) = self {
            *signals = Some(Signals::hear()?);
        }
        Ok(())
    }

    /// Whether it is the keyboard of the full screen.
    pub(super) fn is_of_keys(&self) -> bool {
        matches!(self, Self::Keys(..))
    }

    /// What is entered next. May be dropped while waiting without losing anything.
    ///
    /// # Errors
    /// The keyboard cannot be listened to.
    pub(super) async fn next(&mut self) -> Result<Entered, Failure> {
        Ok(match self {
            Self::Lines(lines) => Entered::Line(lines.next().await),
            Self::Keys(keyboard, signals) => {
                let listening = match (keyboard.take(), signals.take()) {
                    (Some(keyboard), _) => keyboard,
                    (None, Some(signals)) => Box::new(Keyboard::listen(signals)),
                    (None, None) => Box::new(Keyboard::listen(Signals::hear()?)),
                };
                Entered::Stroke(keyboard.insert(listening).next().await)
            }
        })
    }
}
