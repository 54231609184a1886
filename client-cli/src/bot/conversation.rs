//! A conversation with a bot over its pipes, of which the last lines are kept to be shown.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::ids::Seat;

use super::escape::quoted;
use super::legal;
use super::line::{self, Said};
use super::process::{Heard, Process};
use super::request::{self, Go, NewGame, Pace};
use super::stdio::{About, FLUSH, Launch};

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

    pub(super) fn say(&mut self, text: &str) -> Result<(), String> {
        for line in text.lines() {
            self.note('>', line.as_bytes());
        }
        let deadline = Instant::now() + self.launch.patience.start;
        match &mut self.process {
            Some(process) => {
                process.write(text, deadline);
                Ok(())
            }
            None => Err("it does not run any more".to_owned()),
        }
    }

    /// The next line; `None` if nothing comes in time.
    pub(super) fn hear(&mut self, patience: Duration) -> Result<Option<Vec<u8>>, String> {
        let Some(process) = &mut self.process else {
            return Err("it does not run any more".to_owned());
        };
        let line = match process.read_line(Instant::now() + patience) {
            Heard::Line(line) => line.to_vec(),
            Heard::Late => return Ok(None),
            Heard::TooLong => {
                self.process = None;
                return Err("it wrote a line of more than 64 KiB".to_owned());
            }
            Heard::Closed => {
                let how = process.kill();
                let last = process.last_words();
                self.process = None;
                let last = last.map(|last| format!("; its last words on stderr: {last}"));
                return Err(format!("it ended ({how}){}", last.unwrap_or_default()));
            }
        };
        self.note('<', &line);
        Ok(Some(line))
    }

    pub(super) fn start(&mut self) -> Result<String, String> {
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
        let mut process = process.map_err(|error| error.to_string())?;
        process.become_command(launch.patience.start)?;
        self.process = Some(process);
        Ok(String::new())
    }

    pub(super) fn greets(&mut self) -> Result<String, String> {
        let mut text = String::new();
        request::greeting(&mut text);
        self.say(&text)?;
        let begun = Instant::now();
        let patience = self.launch.patience.start;
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            let Some(line) = self.hear(left)? else {
                let seconds = patience.as_secs_f64();
                return Err(format!("no ok within {seconds} s: {FLUSH}"));
            };
            match line::read(&line)? {
                Said::About(fields) => self.about.fields.extend(fields),
                Said::Offers(option) => self.about.options.push(option),
                Said::Ok => break,
                _ => self.noise.push(quoted(&line)),
            }
        }
        Ok(format!("{:.0} ms", begun.elapsed().as_secs_f64() * 1_000.0))
    }

    /// A running, greeted bot: the old one, or a new one after a failed check.
    pub(super) fn revive(&mut self) -> Result<(), String> {
        let runs = self
            .process
            .as_mut()
            .is_some_and(|process| !process.has_ended());
        if !runs {
            self.start()?;
            self.greets()?;
        }
        Ok(())
    }

    pub(super) fn new_game(&mut self, start: &str, seat: Seat, pace: Pace) -> Result<(), String> {
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
            Some(line) if line::read(&line)? == Said::Ready => Ok(()),
            Some(line) => Err(format!("'{}' came where ready was due", quoted(&line))),
            None => Err(format!(
                "it asked to be waited for, and did not say ready: {FLUSH}"
            )),
        }
    }

    /// Asks for a move, and for a legal one.
    pub(super) fn go(&mut self, position: &str, seat: Seat) -> Result<Position, String> {
        let position: Position = position
            .parse()
            .map_err(|_| format!("{position} is no position"))?;
        let text = self.request(&position, seat, PER_MOVE);
        match self.exchange(&text, &position, seat)? {
            Answered::Resigned => Err("it resigned".to_owned()),
            Answered::Move(text) => {
                let mv = position.parse_move(seat, &text).map_err(|error| {
                    let example = error.example.as_ref();
                    let example =
                        example.map(|example| format!("; legal is, for example, {example}"));
                    format!(
                        "'{}' is not legal in {}: {error}{}",
                        quoted(text.as_bytes()),
                        shortened(&position),
                        example.unwrap_or_default()
                    )
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
    ) -> Result<Answered, String> {
        self.revive()?;
        self.say(text)?;
        let patience = Duration::from_secs(5);
        let begun = Instant::now();
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            let Some(line) = self.hear(left)? else {
                return Err(format!("no answer within 5 s: {FLUSH}"));
            };
            match line::read(&line)? {
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

    pub(super) fn own(&self, id: u64) -> Result<(), String> {
        match id == self.next_id {
            true => Ok(()),
            false => Err(format!(
                "the answer has the number {id}, the request had {}",
                self.next_id
            )),
        }
    }

    /// Waits for the end of the process and notes how it ended.
    pub(super) fn waits_for_end(&mut self, after: &str) -> Result<String, String> {
        let Some(mut process) = self.process.take() else {
            return Err("it does not run any more".to_owned());
        };
        let begun = Instant::now();
        let grace = self.launch.patience.grace;
        let how = process.end(grace);
        let took = begun.elapsed();
        self.ended = Some(how);
        match took < grace {
            true => Ok(format!("{:.0} ms", took.as_secs_f64() * 1_000.0)),
            false => Err(format!(
                "it was still there 1 s after {after}, and was killed"
            )),
        }
    }
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
