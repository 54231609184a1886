//! A desk: the full screen of what is no match. It shows a position or tables, what was said, and a line that is typed.
//!
//! It decides nothing: what is typed, chosen or clicked becomes a line, and the command acts on it as on one that was typed in line mode.

mod layout;
mod sheet;
#[cfg(test)]
mod tests;
pub(super) mod view;

use std::collections::VecDeque;
use std::time::Duration;

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use ratatui::layout::Rect;

use self::view::View;
use super::keyboard::{Keyboard, Signals, Stroke};
use super::keys::{Action, Entry};
use super::log::Tone;
use super::opening::{open, theme};
use super::paint::desk::paint;
use super::planted::plant_a_panic;
use super::state::Outcome;
use super::table::{LESSON, LOBBY, MENU, TABLES, WALK};
use super::targets::Targets;
use super::terminal::Terminal;
use crate::failure::Failure;
use crate::output::{Output, Signs};
use crate::render::board::Glyphs;

pub(crate) use self::sheet::{Row, Sheet};

/// A user who waits longer is told that the solver thinks.
const SLOW: Duration = Duration::from_millis(300);
/// Lines that may be entered while something else is done.
const ENTERED: usize = 16;

/// What a desk is for: which keys it hears.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A lesson, or puzzles.
    Lesson,
    /// A walk through a match or from a position.
    Walk,
    /// The lobby.
    Lobby,
    /// Tables at which nothing is typed.
    Tables,
    /// A menu, in which a line is typed only where it is asked for.
    Menu,
}

impl Purpose {
    /// Whether lines are typed from the start.
    fn types(self) -> bool {
        !matches!(self, Self::Tables | Self::Menu)
    }

    fn keys(self) -> &'static [Entry] {
        match self {
            Self::Lesson => LESSON,
            Self::Walk => WALK,
            Self::Lobby => LOBBY,
            Self::Tables => TABLES,
            Self::Menu => MENU,
        }
    }
}

/// What the user did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Heard {
    /// This line was entered.
    Line(String),
    /// Ctrl-C was pressed.
    Interrupted,
    /// A signal asks the program to end, or the terminal has gone.
    Ended,
}

/// A desk on the terminal; dropping it gives the terminal back.
#[derive(Debug)]
pub(crate) struct Desk {
    terminal: Terminal,
    keyboard: Keyboard,
    view: View,
    targets: Targets,
    /// The size at which it was drawn last.
    area: Rect,
    /// Lines that were entered while something else was done.
    entered: VecDeque<String>,
}

impl Desk {
    /// Turns the full screen on.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub(crate) fn open(output: &Output, signs: Signs, purpose: Purpose) -> Result<Self, Failure> {
        // From the first moment on that the screen is on, it must be given back.
        let signals = Signals::hear()?;
        let mut theme = theme(signs);
        let (terminal, typed) = open(signs, true, &mut theme)?;
        let glyphs = output.glyphs.unwrap_or(Glyphs::ASCII);
        let look = (theme, glyphs);
        let view = View::new(look, output.language, purpose.keys(), purpose.types());
        Ok(Self {
            terminal,
            keyboard: Keyboard::listen_after(typed, signals),
            view,
            targets: Targets::new(),
            area: Rect::new(0, 0, 80, 24),
            entered: VecDeque::new(),
        })
    }

    /// The first line: what this is.
    pub(crate) fn title(&mut self, text: String) {
        self.view.title = crate::render::clean(&text);
    }

    /// The second line: what it is about now.
    pub(crate) fn about(&mut self, text: &str) {
        self.view.about = crate::render::clean(text);
    }

    /// Shows a position in which this seat moves, and keeps its rules and notation for the help.
    pub(crate) fn position(&mut self, position: &Position, seat: Seat, notation: String) {
        self.view.place(position, seat);
        self.view.notation = notation;
    }

    /// Shows tables in place of what was shown.
    pub(crate) fn sheets(&mut self, sheets: Vec<Sheet>) {
        self.view.lay_out(sheets);
    }

    /// Shows the table with this number.
    pub(crate) fn show_sheet(&mut self, number: usize) {
        self.view.sheet = number;
    }

    /// Chooses a row of the table that is shown.
    pub(crate) fn choose(&mut self, row: usize) {
        self.view.choose_row(row);
    }

    /// The number of the chosen row.
    pub(crate) fn row(&self) -> usize {
        self.view.row
    }

    /// Asks for a line where otherwise nothing is typed; with `None`, no more.
    pub(crate) fn ask_for_line(&mut self, question: Option<String>) {
        self.view.input.edit(Action::DeleteAll);
        self.view.types = question.is_some();
        self.ask(question.map(|question| (question, false)));
    }

    /// Says something.
    pub(crate) fn say(&mut self, text: &str) {
        self.view.say(Tone::News, text);
    }

    /// Says that something is not possible.
    pub(crate) fn refuse(&mut self, text: &str) {
        self.view.say(Tone::Refusal, text);
    }

    /// How things stand, above the line that is typed; with `is_urgent` it is to be noticed.
    pub(crate) fn note(&mut self, text: String, is_urgent: bool) {
        self.view.note = (text, is_urgent);
    }

    /// Asks this in place of the prompt; with `true`, Enter alone is an answer.
    pub(crate) fn ask(&mut self, question: Option<(String, bool)>) {
        self.view.question = question;
    }

    /// Whether what is shown can be taken out of the deck.
    pub(crate) fn forgettable(&mut self, is_forgettable: bool) {
        self.view.is_forgettable = is_forgettable;
    }

    /// The move that a label of the drawing stands for.
    pub(crate) fn meant(&self, text: &str) -> Option<String> {
        self.view.meant(self.area, text)
    }

    /// Draws what it shows.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub(crate) fn draw(&mut self) -> Result<(), Failure> {
        let (view, targets, area) = (&self.view, &mut self.targets, &mut self.area);
        self.terminal.draw(|frame| {
            *area = frame.area();
            *targets = paint(frame, view);
        })?;
        Ok(())
    }

    /// Draws, and waits for what the user does. May be dropped while waiting without losing anything.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub(crate) async fn next(&mut self) -> Result<Heard, Failure> {
        if let Some(line) = self.entered.pop_front() {
            return Ok(Heard::Line(line));
        }
        loop {
            self.draw()?;
            let stroke = self.keyboard.next().await;
            if let Some(heard) = self.hear(stroke)? {
                if matches!(heard, Heard::Line(_)) {
                    // The answer may take a while.
                    self.draw()?;
                }
                return Ok(heard);
            }
        }
    }

    /// Draws and hears keys until something is done; `None` if the user interrupts it. Lines that are entered meanwhile come next.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub(crate) async fn meanwhile<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Result<Option<T>, Failure> {
        let late = tokio::time::sleep(SLOW);
        tokio::pin!(work, late);
        let mut note = None;
        let done = loop {
            self.draw()?;
            tokio::select! {
                biased;
                done = &mut work => break Some(done),
                () = &mut late, if note.is_none() => {
                    let thinking = (self.view.words().say("screen-thinking"), false);
                    note = Some(std::mem::replace(&mut self.view.note, thinking));
                }
                stroke = self.keyboard.next() => match self.hear(stroke)? {
                    Some(Heard::Line(line)) if self.entered.len() < ENTERED => self.entered.push_back(line),
                    Some(Heard::Interrupted | Heard::Ended) => break None,
                    Some(Heard::Line(_)) | None => {}
                },
            }
        };
        if let Some(note) = note {
            self.view.note = note;
        }
        Ok(done)
    }

    /// Does what a key asks of the screen; what it asks of others.
    fn hear(&mut self, stroke: Stroke) -> Result<Option<Heard>, Failure> {
        let mouse = self.view.mouse;
        let outcome = match stroke {
            Stroke::End => return Ok(Some(Heard::Ended)),
            Stroke::Continued => {
                self.terminal.enter_again()?;
                Outcome::Nothing
            }
            Stroke::Event(event) => self.view.hear(&event, self.area, &self.targets),
        };
        if self.view.mouse != mouse {
            self.terminal.hear_mouse(self.view.mouse)?;
        }
        match outcome {
            Outcome::Line(line) => {
                plant_a_panic(&line);
                return Ok(Some(Heard::Line(line)));
            }
            Outcome::Interrupt => return Ok(Some(Heard::Interrupted)),
            Outcome::Suspend => self.terminal.suspend()?,
            Outcome::Redraw => self.terminal.forget()?,
            Outcome::Copy(text) => {
                let copied = self.terminal.copy(&text)?;
                self.say(&copied.said(self.view.words()));
            }
            Outcome::Nothing => {}
        }
        Ok(None)
    }
}
