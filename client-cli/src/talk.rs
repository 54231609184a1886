//! A talk with the user about what is no match: what is said, and the lines that are entered, in line mode or on the full screen.

use std::sync::atomic::Ordering;

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::Budget;
use grundy_words::Message;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::board::draw;
use crate::screen::{Desk, Heard, Purpose};
use crate::session::lines::Lines;
use crate::thinking::{Limits, think, think_beside};

/// A talk.
#[derive(Debug)]
pub(crate) struct Talk {
    output: Output,
    face: Face,
}

/// Where it is held.
#[derive(Debug)]
enum Face {
    Lines(Lines),
    Desk(Box<Desk>),
}

impl Talk {
    /// Begins a talk, on the full screen where matches are shown there. The message is its title.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub(crate) fn begin(output: Output, purpose: Purpose, title: &str) -> Result<Self, Failure> {
        let face = match output.signs {
            Some(signs) => {
                let mut desk = Desk::open(&output, signs, purpose)?;
                desk.title(output.words().say(title));
                Face::Desk(Box::new(desk))
            }
            None => Face::Lines(Lines::of_stdin()),
        };
        Ok(Self { output, face })
    }

    /// How it speaks.
    pub(crate) fn output(&self) -> &Output {
        &self.output
    }

    /// Says something, not as JSON.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn say(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.face {
            Face::Lines(_) => self.output.sentences(text),
            Face::Desk(desk) => {
                desk.say(text);
                Ok(())
            }
        }
    }

    /// Says what comes now; on the full screen it stands above all until the next comes.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn put(&mut self, text: &str, is_forgettable: bool) -> Result<(), Failure> {
        if let Face::Desk(desk) = &mut self.face {
            desk.about(text);
            desk.forgettable(is_forgettable);
            return Ok(());
        }
        self.say(text)
    }

    /// What a talk on the full screen is about now.
    pub(crate) fn about(&mut self, text: impl FnOnce() -> String) {
        if let Face::Desk(desk) = &mut self.face {
            desk.about(&text());
        }
    }

    /// Puts a position on the full screen, before there is anything to say about it.
    pub(crate) fn place(
        &mut self,
        (position, to_move): (&Position, Seat),
        notation: impl FnOnce() -> String,
    ) {
        if let Face::Desk(desk) = &mut self.face {
            desk.position(position, to_move, notation());
        }
    }

    /// Draws a position, and says these words about it. On the full screen `notation` is a page of the help.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn show(
        &mut self,
        (position, to_move): (&Position, Seat),
        words: &str,
        notation: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        match &mut self.face {
            Face::Lines(_) => {
                if let Some(frame) = self.output.frame() {
                    self.output.styled(&draw(position, frame).coloured())?;
                }
            }
            Face::Desk(desk) => desk.position(position, to_move, notation()),
        }
        self.say(words)
    }

    /// Says what cannot be done.
    pub(crate) fn refuse(&mut self, text: &str) {
        match &mut self.face {
            Face::Lines(_) => self.output.remark(text),
            Face::Desk(desk) => desk.refuse(text),
        }
    }

    /// Says something that is no result.
    pub(crate) fn talk(&mut self, text: &str) {
        match &mut self.face {
            Face::Lines(_) => self.output.talk(text),
            Face::Desk(desk) => desk.say(text),
        }
    }

    /// Says what is wrong, though the talk goes on.
    pub(crate) fn warn(&mut self, text: &str) {
        match &mut self.face {
            Face::Lines(_) => self.output.warn(text),
            Face::Desk(desk) => desk.refuse(text),
        }
    }

    /// The next line that the user enters; `None` at the end of the input.
    ///
    /// # Errors
    /// The user interrupts the program, or the terminal cannot be used.
    pub(crate) async fn line(&mut self) -> Result<Option<String>, Failure> {
        if matches!(self.face, Face::Lines(_)) && self.output.asks {
            self.output.text("> ")?;
        }
        self.next().await
    }

    /// Asks a question: what the user enters then.
    ///
    /// # Errors
    /// As [`line`](Self::line).
    pub(crate) async fn ask(&mut self, message: &str) -> Result<String, Failure> {
        let question = self.output.words().say(message);
        match &mut self.face {
            Face::Lines(_) => self.output.text(&format!("{question} "))?,
            Face::Desk(desk) => desk.ask(Some((question, false))),
        }
        let answer = self.next().await?;
        if let Face::Desk(desk) = &mut self.face {
            desk.ask(None);
        }
        Ok(answer.unwrap_or_default())
    }

    /// On the full screen: leaves what is shown until the user has read it and presses Enter. `None` in line mode, where it stays.
    ///
    /// # Errors
    /// As [`line`](Self::line).
    pub(crate) async fn rest(&mut self) -> Result<Option<String>, Failure> {
        let question = self.output.words().say("screen-rest");
        let Face::Desk(desk) = &mut self.face else {
            return Ok(None);
        };
        desk.ask(Some((question, true)));
        let answer = self.next().await?;
        if let Face::Desk(desk) = &mut self.face {
            desk.ask(None);
        }
        Ok(answer)
    }

    /// Asks the solver. The full screen is drawn and hears keys meanwhile.
    ///
    /// # Errors
    /// The solver failed, the user interrupts it, or the terminal cannot be used.
    pub(crate) async fn think<T: Send + 'static>(
        &mut self,
        limits: Limits,
        work: impl FnOnce(&Budget<'_>) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let Face::Desk(desk) = &mut self.face else {
            return Ok(think(limits.time, limits.memory_bytes, work));
        };
        let (thought, given_up) = think_beside(limits, work);
        match desk.meanwhile(thought).await? {
            Some(thought) => Ok(thought.map_err(std::io::Error::from)?),
            None => {
                given_up.store(true, Ordering::Relaxed);
                Err(interrupted())
            }
        }
    }

    async fn next(&mut self) -> Result<Option<String>, Failure> {
        match &mut self.face {
            Face::Lines(lines) => Ok(lines.next().await),
            Face::Desk(desk) => match desk.next().await? {
                Heard::Line(line) => Ok(Some(line)),
                Heard::Interrupted | Heard::Ended => Err(interrupted()),
            },
        }
    }

    /// The move that a label of the drawing stands for, or the text itself.
    pub(crate) fn meant(&self, position: &Position, text: &str) -> String {
        let found = match &self.face {
            Face::Desk(desk) => desk.meant(text),
            Face::Lines(_) => self.output.frame().and_then(|frame| {
                let drawing = draw(position, frame);
                let mut labels = drawing.labels().iter();
                let label = labels.find(|label| label.shown.eq_ignore_ascii_case(text));
                label.map(|label| label.mv.clone())
            }),
        };
        found.unwrap_or_else(|| text.to_owned())
    }
}

fn interrupted() -> Failure {
    let message = Message::new("screen-interrupted");
    Failure::told(Exit::Interrupted, "interrupted", message)
}
