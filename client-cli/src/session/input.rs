//! What the user enters: lines of stdin, or keys of the full screen.

use std::collections::VecDeque;

use super::lines::Lines;
use crate::failure::Failure;
use crate::screen::{Keyboard, Signals, Stroke};

/// Lines that may be entered while something else is done.
const KEPT: usize = 16;

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
    /// The keyboard of the full screen.
    Keys(Keys),
}

/// The keyboard of the full screen; it is listened to from the first time on.
#[derive(Debug, Default)]
pub(super) struct Keys {
    keyboard: Option<Box<Keyboard>>,
    signals: Option<Signals>,
    /// Lines that were entered while something else was done.
    kept: VecDeque<String>,
}

impl Input {
    /// The keyboard of the full screen.
    pub(super) fn of_keys() -> Self {
        Self::Keys(Keys::default())
    }

    /// Hears signals from now on, where the full screen is about to be turned on.
    ///
    /// # Errors
    /// The program cannot hear them.
    pub(super) fn hear_signals(&mut self) -> Result<(), Failure> {
        if let Self::Keys(keys) = self
            && keys.keyboard.is_none()
        {
            keys.signals = Some(Signals::hear()?);
        }
        Ok(())
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
            Self::Keys(keys) => match keys.kept.pop_front() {
                Some(line) => Entered::Line(Some(line)),
                None => Entered::Stroke(keys.next().await?),
            },
        })
    }

    /// The next key while something else is done: for ever none where lines are read. May be dropped while waiting without losing anything.
    ///
    /// # Errors
    /// The keyboard cannot be listened to.
    pub(super) async fn stroke(&mut self) -> Result<Stroke, Failure> {
        match self {
            Self::Lines(_) => std::future::pending().await,
            Self::Keys(keys) => keys.next().await,
        }
    }

    /// Whether such lines wait.
    pub(super) fn has_kept(&self) -> bool {
        matches!(self, Self::Keys(keys) if !keys.kept.is_empty())
    }

    /// Keeps a line that was entered while something else is done. One too many is lost.
    pub(super) fn keep(&mut self, line: String) {
        if let Self::Keys(keys) = self
            && keys.kept.len() < KEPT
        {
            keys.kept.push_back(line);
        }
    }
}

impl Keys {
    async fn next(&mut self) -> Result<Stroke, Failure> {
        let listening = match (self.keyboard.take(), self.signals.take()) {
            (Some(keyboard), _) => keyboard,
            (None, Some(signals)) => Box::new(Keyboard::listen(signals)),
            (None, None) => Box::new(Keyboard::listen(Signals::hear()?)),
        };
        Ok(self.keyboard.insert(listening).next().await)
    }
}
