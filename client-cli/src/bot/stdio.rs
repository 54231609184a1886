//! A bot as a process that has said who it is: asks it for moves, and finds out what is wrong when no move comes.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_words::Message;

use super::escape::{QUOTED_BYTES, quoted};
use super::groups::Groups;
use super::legal;
use super::limits::Limits;
use super::line::{self, Said};
use super::process::{Heard, Process};
use super::request::{self, Go, NewGame};
use super::stderr_log::StderrLog;

/// Lines, besides the answer, that a bot may write during one move.
const NOISE_LINES: u32 = 10_000;
/// Bytes of them.
const NOISE_BYTES: usize = 1 << 20;
/// The hint for the commonest slip of a beginner.
pub(crate) const FLUSH: &str = "no newline was read; did you flush stdout?";

/// How a bot is started.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) command: Vec<String>,
    pub(crate) directory: Option<PathBuf>,
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) limits: Limits,
    /// Options that are set after the greeting, by name.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) log: Option<Arc<StderrLog>>,
    pub(crate) patience: Patience,
    pub(crate) groups: Groups,
}

/// How long a bot may take for what is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Patience {
    /// From its start to `ok`.
    pub(crate) start: Duration,
    /// From `new` to `ready`, if the bot asks to be waited for.
    pub(crate) new_game: Duration,
    /// After its time is up, until it is killed: shorter than the second that the fault may cost in all.
    pub(crate) late: Duration,
    /// After `quit`, until it is killed.
    pub(crate) grace: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            new_game: Duration::from_secs(10),
            late: Duration::from_millis(700),
            grace: Duration::from_secs(1),
        }
    }
}

/// What a bot says about itself.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct About {
    pub(crate) fields: BTreeMap<String, String>,
    /// Its options, each with type, default and range.
    pub(crate) options: Vec<BTreeMap<String, String>>,
}

impl About {
    /// Whether it has this feature.
    pub(crate) fn has(&self, feature: &str) -> bool {
        let features = self.fields.get("features");
        features.is_some_and(|all| all.split(',').any(|one| one == feature))
    }

    /// The games that it plays; all if it names none.
    pub(crate) fn plays(&self, game: &str) -> bool {
        let games = self.fields.get("games");
        games.is_none_or(|all| all.split(',').any(|one| one == game))
    }
}

/// Why a bot did not do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// Its command is not there or cannot be executed, so it is no bot at all; with how the process ended.
    NoCommand(String),
    /// It ended, or closed its stdout; with how.
    Crash(String),
    /// It said nothing in time.
    Silent(String),
    /// It wrote what is no answer, or too much.
    Malformed(String),
}

impl Trouble {
    /// As a message. What the bot itself said stands only in the English one.
    pub(crate) fn message(&self) -> Message {
        let kind = match self {
            Self::NoCommand(_) => "no-command",
            Self::Crash(_) => "crash",
            Self::Silent(_) => "silent",
            Self::Malformed(_) => "malformed",
        };
        Message::new("bot-trouble")
            .text("kind", kind)
            .text("said", self.words())
    }

    /// In words.
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::NoCommand(words)
            | Self::Crash(words)
            | Self::Silent(words)
            | Self::Malformed(words) => words,
        }
    }
}

/// What a bot answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// A move, as typed.
    Move(String),
    /// It gives up.
    Resign,
}

/// What a bot did after its time was up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Late {
    /// It answered.
    Answered,
    /// It asked for the legal moves, and did not answer.
    Asked,
    /// Nothing.
    Silent,
}

/// A bot that is ready to play.
#[derive(Debug)]
pub(crate) struct StdioBot {
    process: Process,
    about: About,
    patience: Patience,
    /// The request before the next one.
    last_id: u64,
    /// From which move on the last request's legal moves were asked for when its time was up.
    unanswered: Option<u128>,
    /// What is being written, kept to be used again.
    text: String,
}

impl StdioBot {
    /// Starts the process, greets it, and sets its options.
    ///
    /// # Errors
    /// As [`Self::greeted`].
    pub(crate) fn start(launch: &Launch) -> Result<Self, Result<Trouble, io::Error>> {
        let mut bot = Self::greeted(launch)?;
        bot.set_options(launch);
        Ok(bot)
    }

    /// Starts the process, greets it, and waits for `ok`. No option is set, so that those that it offers can be looked at first.
    ///
    /// # Errors
    /// `Err(Err(_))` if no process can be started: that is not the bot's fault.
    pub(crate) fn greeted(launch: &Launch) -> Result<Self, Result<Trouble, io::Error>> {
        let command = launch.limits.wrap(&launch.command).map_err(Err)?;
        let process = Process::start(
            command,
            launch.directory.as_deref(),
            &launch.variables,
            launch.log.clone(),
            &launch.groups,
        )
        .map_err(Err)?;
        let mut bot = Self {
            process,
            about: About::default(),
            patience: launch.patience,
            last_id: 0,
            unanswered: None,
            text: String::new(),
        };
        bot.greet().map_err(Ok)?;
        Ok(bot)
    }

    /// Its process group.
    pub(crate) fn group(&self) -> i32 {
        self.process.group()
    }

    /// What it says about itself.
    pub(crate) fn about(&self) -> &About {
        &self.about
    }

    fn greet(&mut self) -> Result<(), Trouble> {
        let deadline = Instant::now() + self.patience.start;
        self.text.clear();
        request::greeting(&mut self.text);
        self.send(deadline);
        let mut noise = Noise::default();
        loop {
            match self.hear(deadline, &mut noise, "ok")? {
                Said::About(fields) => self.about.fields.extend(fields),
                Said::Offers(option) if self.about.options.len() < 1_000 => {
                    self.about.options.push(option);
                }
                Said::Ok => return Ok(()),
                _ => {}
            }
        }
    }

    /// Sets the options that were asked for.
    pub(crate) fn set_options(&mut self, launch: &Launch) {
        let deadline = Instant::now() + self.patience.start;
        self.text.clear();
        for (name, value) in &launch.options {
            request::option(&mut self.text, name, value);
        }
        self.send(deadline);
    }

    fn send(&mut self, deadline: Instant) {
        self.process.write(&self.text, deadline);
    }

    /// The next line, understood; noise is counted.
    fn hear(&mut self, deadline: Instant, noise: &mut Noise, due: &str) -> Result<Said, Trouble> {
        let said = match self.process.read_line(deadline) {
            Heard::Line(line) => {
                noise.count(line)?;
                line::read(line).map_err(Trouble::Malformed)?
            }
            Heard::Late => {
                let why = match noise.lines {
                    0 => FLUSH.to_owned(),
                    _ => format!("its last line was '{}'", quoted(&noise.last)),
                };
                return Err(Trouble::Silent(format!(
                    "'{due}' did not come in time: {why}"
                )));
            }
            Heard::TooLong => {
                let words = format!("a line of more than {} KiB", line::LINE_BYTES >> 10);
                return Err(Trouble::Malformed(words));
            }
            Heard::Closed => {
                let was_there = !self.process.has_ended();
                let mut how = self.process.kill();
                // One that is about to end keeps its own exit code.
                if was_there && how == "signal 9" {
                    "it closed its stdout, and was killed".clone_into(&mut how);
                }
                let last = self.process.last_words();
                let last = last.map(|last| format!("; its last words: {last}"));
                how += &last.unwrap_or_default();
                return Err(match self.process.is_no_command() {
                    true => Trouble::NoCommand(how),
                    false => Trouble::Crash(how),
                });
            }
        };
        Ok(said)
    }

    /// Tells it about a game; waits for `ready` only if the bot asked for that.
    ///
    /// # Errors
    /// It did not get ready.
    pub(crate) fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Trouble> {
        let deadline = Instant::now() + self.patience.new_game;
        self.text.clear();
        game.write(&mut self.text);
        self.send(deadline);
        if !self.about.has("ready") {
            return Ok(());
        }
        let mut noise = Noise::default();
        while self.hear(deadline, &mut noise, "ready")? != Said::Ready {}
        Ok(())
    }

    /// The number of the next request.
    pub(crate) fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Asks for a move and waits until the deadline. Questions for the legal moves are answered on the way; an answer to an
    /// older request is dropped.
    ///
    /// # Errors
    /// No answer.
    pub(crate) fn ask(&mut self, go: &Go<'_>, deadline: Instant) -> Result<Answer, Trouble> {
        self.text.clear();
        self.unanswered = None;
        go.write(&mut self.text);
        self.send(deadline);
        let mut noise = Noise::default();
        loop {
            match self.hear(deadline, &mut noise, "move")? {
                Said::Move { id, text } if id == go.id => return Ok(Answer::Move(text)),
                Said::Resign { id } if id == go.id => return Ok(Answer::Resign),
                Said::Moves { id, from } if id == go.id => {
                    // Questions that were read at once are answered one by one, and each costs time.
                    if Instant::now() >= deadline {
                        self.unanswered = Some(from);
                        let why = "'move' did not come in time: it only asked for the legal moves";
                        return Err(Trouble::Silent(why.to_owned()));
                    }
                    self.answer_moves(id, from, go.position, go.seat, deadline);
                }
                _ => {}
            }
        }
    }

    fn answer_moves(
        &mut self,
        id: u64,
        from: u128,
        position: &Position,
        seat: Seat,
        deadline: Instant,
    ) {
        self.text.clear();
        legal::write(&mut self.text, id, from, position, seat);
        self.send(deadline);
    }

    /// After its time was up: whether it is still alive, as its late answer shows, or its late question for the legal moves. Such a
    /// question is answered, so that the bot does not wait for it for ever.
    pub(crate) fn comes_late(&mut self, go: &Go<'_>) -> Late {
        let deadline = Instant::now() + self.patience.late;
        let mut noise = Noise::default();
        let mut late = Late::Silent;
        if let Some(from) = self.unanswered.take() {
            late = Late::Asked;
            self.answer_moves(go.id, from, go.position, go.seat, deadline);
        }
        loop {
            match self.hear(deadline, &mut noise, "move") {
                Ok(Said::Move { id, .. } | Said::Resign { id }) if id == go.id => {
                    return Late::Answered;
                }
                Ok(Said::Moves { id, from }) if id == go.id => {
                    late = Late::Asked;
                    // Questions that were read at once are answered one by one, and each costs time.
                    if Instant::now() >= deadline {
                        return late;
                    }
                    self.answer_moves(id, from, go.position, go.seat, deadline);
                }
                Ok(_) => {}
                Err(_) => return late,
            }
        }
    }

    /// Tells it how a game ended.
    pub(crate) fn result(&mut self, game: u64, outcome: &str, reason: &str) {
        self.text.clear();
        request::result(&mut self.text, game, outcome, reason);
        // A full pipe is no reason to wait: the bot will be found out at its next move.
        self.send(Instant::now());
    }

    /// Kills it with everything that it started.
    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    /// Whether its process has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.process.has_ended()
    }

    /// Says goodbye, waits for the grace at most, and kills what is left.
    pub(crate) fn quit(mut self) -> String {
        self.text.clear();
        self.text.push_str("quit\n");
        self.send(Instant::now());
        let grace = self.patience.grace;
        self.process.end(grace)
    }
}

/// Lines that were not the answer, counted.
#[derive(Default)]
struct Noise {
    lines: u32,
    bytes: usize,
    /// The beginning of the last one.
    last: Vec<u8>,
}

impl Noise {
    fn count(&mut self, line: &[u8]) -> Result<(), Trouble> {
        self.lines += 1;
        self.bytes += line.len();
        self.last.clear();
        let shown = line.len().min(QUOTED_BYTES + 1);
        self.last.extend_from_slice(&line[..shown]);
        if self.lines > NOISE_LINES || self.bytes > NOISE_BYTES {
            let words = format!(
                "more than {NOISE_LINES} lines or {} MiB without an answer",
                NOISE_BYTES >> 20
            );
            return Err(Trouble::Malformed(words));
        }
        Ok(())
    }
}
