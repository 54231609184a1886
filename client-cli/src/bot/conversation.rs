//! A conversation with a bot over its pipes, of which the last lines are kept to be shown.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_words::Message;

use super::checked::{Found, figure};
use super::escape::quoted;
use super::legal;
use super::line::{self, Said};
use super::process::{Heard, Process};
use super::request::{self, Go, NewGame, Pace};
use super::stdio::{About, FLUSH, Launch};

use crate::system;

/// Lines of the conversation that a failed check shows.
const SHOWN: usize = 8;

/// A bot that is talked to, with the last lines of what was said.
pub(super) struct Conversation<'l> {
    pub(super) launch: &'l Launch,
    process: Option<Process>,
    pub(super) about: About,
    /// Lines of the greeting that are no greeting.
    pub(super) noise: Vec<String>,
    pub(super) lines: VecDeque<String>,
    pub(super) next_id: u64,
    pub(super) ended: Option<String>,
}

/// What a bot answered to `go`.
pub(super) enum Answered {
    Move(String),
    Resigned,
}

impl<'l> Conversation<'l> {
    /// With a bot that is not started yet.
    pub(super) fn new(launch: &'l Launch) -> Self {
        Self {
            launch,
            process: None,
            about: About::default(),
            noise: Vec::new(),
            lines: VecDeque::new(),
            next_id: 0,
            ended: None,
        }
    }

    pub(super) fn note(&mut self, sign: char, line: &[u8]) {
        if self.lines.len() >= SHOWN {
            self.lines.pop_front();
        }
        self.lines.push_back(format!("{sign} {}", quoted(line)));
    }

    pub(super) fn say(&mut self, text: &str) -> Result<(), Message> {
        for line in text.lines() {
            self.note('>', line.as_bytes());
        }
        let deadline = Instant::now() + self.launch.patience.start;
        match &mut self.process {
            Some(process) => {
                process.write(text, deadline);
                Ok(())
            }
            None => Err(Message::new("check-not-running")),
        }
    }

    /// The next line; `None` if nothing comes in time.
    pub(super) fn hear(&mut self, patience: Duration) -> Result<Option<Vec<u8>>, Message> {
        let Some(process) = &mut self.process else {
            return Err(Message::new("check-not-running"));
        };
        let line = match process.read_line(Instant::now() + patience) {
            Heard::Line(line) => line.to_vec(),
            Heard::Late => return Ok(None),
            Heard::TooLong => {
                self.process = None;
                return Err(Message::new("check-long-line"));
            }
            Heard::Closed => {
                let how = process.kill();
                let last = process.last_words();
                self.process = None;
                let ended = Message::new("check-it-ended").text("how", how);
                return Err(with_last_words(ended, last));
            }
        };
        self.note('<', &line);
        Ok(Some(line))
    }

    pub(super) fn start(&mut self) -> Found {
        let launch = self.launch;
        let command = launch.limits.wrap(&launch.command);
        let process = command.and_then(|command| {
            Process::start(
                command,
                launch.directory.as_deref(),
                &launch.variables,
                launch.log.clone(),
                &launch.groups,
            )
        });
        let mut process = process.map_err(|error| system::said(&error))?;
        let become_command = process.become_command(launch.patience.start);
        become_command.map_err(|said| no_start(said, &launch.command))?;
        self.process = Some(process);
        Ok(None)
    }

    pub(super) fn greets(&mut self) -> Found {
        let mut text = String::new();
        request::greeting(&mut text);
        self.say(&text)?;
        let begun = Instant::now();
        let patience = self.launch.patience.start;
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            let Some(line) = self.hear(left)? else {
                let seconds = patience.as_secs_f64();
                return Err(late("check-no-ok").text("seconds", seconds));
            };
            match line::read(&line).map_err(slip)? {
                Said::About(fields) => self.about.fields.extend(fields),
                Said::Offers(option) => self.about.options.push(option),
                Said::Ok => break,
                _ => self.noise.push(quoted(&line)),
            }
        }
        Ok(millis(begun.elapsed()))
    }

    /// A running, greeted bot: the old one, or a new one after a failed check.
    pub(super) fn revive(&mut self) -> Result<(), Message> {
        let runs = self
            .process
            .as_ref()
            .is_some_and(|process| !process.has_ended());
        if !runs {
            self.start()?;
            self.greets()?;
        }
        Ok(())
    }

    pub(super) fn new_game(&mut self, start: &str, seat: Seat, pace: Pace) -> Result<(), Message> {
        self.revive()?;
        let mut text = String::new();
        let game = NewGame {
            game: 1,
            start,
            seat,
            opponent: "checker",
            pace,
            seed: 7,
        };
        game.write(&mut text);
        self.say(&text)?;
        if !self.about.has("ready") {
            return Ok(());
        }
        let patience = self.launch.patience.new_game;
        match self.hear(patience)? {
            Some(line) if line::read(&line).map_err(slip)? == Said::Ready => Ok(()),
            Some(line) => Err(Message::new("check-not-ready").text("line", quoted(&line))),
            None => Err(late("check-no-ready")),
        }
    }

    /// Asks for a move, and for a legal one.
    pub(super) fn go(&mut self, position: &str, seat: Seat) -> Result<Position, Message> {
        let position: Position = position
            .parse()
            .map_err(|_| Message::new("check-no-position").text("position", position))?;
        let text = self.request(&position, seat, PER_MOVE);
        match self.exchange(&text, &position, seat)? {
            Answered::Resigned => Err(Message::new("check-resigned")),
            Answered::Move(text) => {
                let mv = position.parse_move(seat, &text).map_err(|error| {
                    let example = error.example.as_ref().map(ToString::to_string);
                    Message::new("check-illegal")
                        .text("text", quoted(text.as_bytes()))
                        .text("position", shortened(&position))
                        .whether("has", example.is_some())
                        .text("example", example.unwrap_or_default())
                        .text("said", &error)
                })?;
                Ok(position.play(&mv))
            }
        }
    }

    pub(super) fn request(&mut self, position: &Position, seat: Seat, pace: Pace) -> String {
        self.next_id += 1;
        let mut text = String::new();
        let go = Go {
            id: self.next_id,
            position,
            seat,
            last: None,
            pace,
            left: [pace.at_start(); 2],
            latency: Duration::ZERO,
        };
        go.write(&mut text);
        text
    }

    /// Sends a request with the newest number, answers questions for moves, and waits for the answer.
    pub(super) fn exchange(
        &mut self,
        text: &str,
        position: &Position,
        seat: Seat,
    ) -> Result<Answered, Message> {
        self.revive()?;
        self.say(text)?;
        let patience = Duration::from_secs(5);
        let begun = Instant::now();
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            let Some(line) = self.hear(left)? else {
                return Err(late("check-no-answer"));
            };
            match line::read(&line).map_err(slip)? {
                Said::Move { id, text } => {
                    self.own(id)?;
                    return Ok(Answered::Move(text));
                }
                Said::Resign { id } => {
                    self.own(id)?;
                    return Ok(Answered::Resigned);
                }
                Said::Moves { id, from } => {
                    self.own(id)?;
                    let mut text = String::new();
                    legal::write(&mut text, id, from, position, seat);
                    self.say(&text)?;
                }
                _ => {}
            }
        }
    }

    pub(super) fn own(&self, id: u64) -> Result<(), Message> {
        match id == self.next_id {
            true => Ok(()),
            false => Err(Message::new("check-other-number")
                .text("got", id)
                .text("asked", self.next_id)),
        }
    }

    /// Waits for the end of the process and notes how it ended.
    pub(super) fn waits_for_end(&mut self, after: &str) -> Found {
        let Some(mut process) = self.process.take() else {
            return Err(Message::new("check-not-running"));
        };
        let begun = Instant::now();
        let grace = self.launch.patience.grace;
        let how = process.end(grace);
        let took = begun.elapsed();
        self.ended = Some(how);
        match took < grace {
            true => Ok(millis(took)),
            false => Err(Message::new("check-killed").text("after", after)),
        }
    }
}

/// How long something took.
pub(super) fn millis(time: Duration) -> Option<Message> {
    figure(format!("{:.0} ms", time.as_secs_f64() * 1_000.0))
}

/// What is wrong, with what the bot said last on stderr.
pub(super) fn with_last_words(wrong: Message, last: Option<String>) -> Message {
    match last {
        Some(last) => Message::new("check-last-words")
            .message("wrong", wrong)
            .text("last", last),
        None => wrong,
    }
}

/// Something has not come in time, perhaps because it was not flushed.
fn late(message: &'static str) -> Message {
    Message::new(message).text("flush", FLUSH)
}

/// The command did not start. A command that is quoted as a whole is one word, and there is no such program.
fn no_start(said: String, command: &[String]) -> Message {
    let is_quoted = matches!(command, [whole] if whole.contains(char::is_whitespace));
    Message::new("check-no-start")
        .text("said", said)
        .whether("quoted", is_quoted)
}

/// A line that is no answer.
fn slip(said: String) -> Message {
    Message::new("check-slip").text("said", said)
}

/// The time of most checks.
pub(super) const PER_MOVE: Pace = Pace::PerMove(Duration::from_secs(5));

/// A position that is written here.
pub(super) fn parse(text: &str) -> Position {
    Position::parse(text).expect("the positions of the checks are lawful")
}

/// A position that fits into a message.
fn shortened(position: &Position) -> String {
    let text = position.to_string();
    match text.len() {
        ..=60 => text,
        _ => format!("{}...", &text[..57]),
    }
}
