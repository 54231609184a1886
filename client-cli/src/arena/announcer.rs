//! Output of an arena: progress while it runs, the result at its end, and the files that it writes.

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grundy_words::Message;
use rustix::termios::tcgetwinsize;
use unicode_width::UnicodeWidthChar as _;

use super::files::{FINAL, GAMES, STANDINGS, STARTS, TOURNAMENT, not_written, write};
use super::head::{Head, hex};
use super::interrupt::Interrupt;
use super::journal::Journal;
use super::report::{self, Begun, Final};
use super::result::GameResult;
use super::scoreboard::Scoreboard;
use super::scores::Scores;
use super::settings::Settings;
use super::standings::Table;
use super::suite::Suite;
use crate::failure::Failure;
use crate::output::{Output, to_json};

/// How often progress is shown on a terminal, and elsewhere.
const LIVE: Duration = Duration::from_millis(500);
const PLAIN: Duration = Duration::from_secs(10);
/// Output that is gathered before it is written, in bytes.
const GATHERED: usize = 64 << 10;

/// Writes the output of an arena.
#[derive(Debug)]
pub(crate) struct Announcer {
    output: Output,
    gathered: String,
    games_file: Option<(BufWriter<File>, PathBuf)>,
    head: Head,
    begun: Instant,
    shown: Instant,
    /// Games counted since the start of this process.
    now: u64,
    /// Lines of the table that stands on the terminal.
    live_lines: usize,
    live: bool,
    /// The full screen, while it is on.
    scoreboard: Option<Scoreboard>,
    says_stopping: bool,
}

/// An arena that has ended.
#[derive(Debug)]
pub(crate) struct Finish<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) scores: &'a Scores,
    pub(crate) table: &'a Table,
    /// The tournament file.
    pub(crate) trf: &'a str,
    pub(crate) journal: Option<&'a Journal>,
    /// Why the tournament has fewer rounds than were asked for.
    pub(crate) cut_short: Option<&'a str>,
    /// Whether everything was played.
    pub(crate) complete: bool,
}

impl Announcer {
    /// Says what will be played; with a directory every game is also written there.
    ///
    /// # Errors
    /// The file cannot be made, or the output cannot be written.
    pub(crate) fn begin(
        settings: &Settings,
        suite: &Suite,
        directory: Option<&Path>,
        output: Output,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let commitment = settings.commitment();
        let games_file = match directory {
            None => None,
            Some(directory) => {
                let message = Message::new("arena-commitment");
                let message = message.text("commitment", hex(&commitment));
                output.talk(&message.said(output.words()));
                write(&directory.join(STARTS), &suite.text())?;
                let path = directory.join(GAMES);
                let file = File::create(&path).map_err(|error| not_written(&path, &error))?;
                Some((BufWriter::with_capacity(GATHERED, file), path))
            }
        };
        let mut announcer = Self {
            output,
            gathered: String::new(),
            games_file,
            head: Head::new(commitment),
            begun: Instant::now(),
            shown: Instant::now(),
            now: 0,
            live_lines: 0,
            live: !output.quiet && !output.json && std::io::stderr().is_terminal(),
            scoreboard: None,
            says_stopping: false,
        };
        announcer.tell(&Begun {
            kind: "arena",
            schema: "grundy/arena/1",
            seed: settings.seed,
            commitment: hex(&commitment),
            format: settings.format,
            start: &settings.start,
            suite: &settings.suite,
            bots: settings.bots.iter().map(|bot| &*bot.name).collect(),
            pairs: settings.pairs,
        })?;
        if let Some(signs) = output.signs.filter(|_| output.full) {
            let scoreboard = Scoreboard::open(settings, output, signs, interrupt)?;
            announcer.scoreboard = Some(scoreboard);
        }
        Ok(announcer)
    }

    /// A line for programs.
    fn tell(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        match self.output.json {
            true => self.gather(&to_json(value)?),
            false => Ok(()),
        }
    }

    fn gather(&mut self, line: &str) -> Result<(), Failure> {
        self.gathered.push_str(line);
        self.gathered.push('\n');
        match self.gathered.len() > GATHERED {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Writes what was gathered.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        if !self.gathered.is_empty() {
            self.output.text(&self.gathered)?;
            self.gathered.clear();
        }
        Ok(())
    }

    /// The next game of the plan.
    pub(crate) fn game(&mut self, result: &GameResult) -> Result<(), Failure> {
        self.now += 1;
        if let Some(scoreboard) = &mut self.scoreboard {
            scoreboard.game(result);
        }
        if !self.output.json && self.games_file.is_none() {
            return Ok(());
        }
        let line = to_json(result)?;
        self.head.add(&line);
        if self.output.json {
            self.gather(&report::played(&line))?;
        }
        if let Some((file, path)) = &mut self.games_file {
            writeln!(file, "{line}").map_err(|error| not_written(path, &error))?;
        }
        Ok(())
    }

    /// Whether it is time to show progress.
    pub(crate) fn is_due(&self) -> bool {
        let is_live = self.live || self.scoreboard.is_some();
        let every = if is_live { LIVE } else { PLAIN };
        self.shown.elapsed() >= every
    }

    /// Shows progress: the table in place on a terminal, a line elsewhere; with the games in all, and how long the rest takes.
    pub(crate) fn show(
        &mut self,
        settings: &Settings,
        scores: &Scores,
        (expected, left): (u64, Option<Duration>),
        table: impl FnOnce() -> Table,
    ) -> Result<(), Failure> {
        self.flush()?;
        self.shown = Instant::now();
        let elapsed = self.begun.elapsed();
        let line = report::progress(
            (scores.games, expected),
            self.now,
            elapsed,
            scores.faults(),
            left,
            self.output.words(),
        );
        if self.scoreboard.as_ref().is_some_and(Scoreboard::is_left) {
            self.leave();
        }
        if let Some(scoreboard) = &self.scoreboard {
            scoreboard.show(settings, scores, &table(), line);
            return Ok(());
        }
        if !self.live {
            self.output.talk(&line);
            return Ok(());
        }
        let text = report::text(settings, &table(), None, self.output.words());
        let text = match screen() {
            Some((columns, rows)) => fitted(&text, columns, rows.saturating_sub(2)),
            None => text,
        };
        let text = format!("{text}{line}");
        self.clear_live();
        self.live_lines = text.lines().count();
        self.output.warn(&text);
        Ok(())
    }

    /// Says, once, that no further game begins.
    pub(crate) fn stopping(&mut self) {
        if !self.says_stopping {
            self.says_stopping = true;
            self.clear_live();
            self.output.talk(&self.output.words().say("arena-stopping"));
        }
    }

    /// Gives the terminal back if the full screen is on.
    fn leave(&mut self) {
        if let Some(scoreboard) = self.scoreboard.take() {
            scoreboard.close();
        }
    }

    fn clear_live(&mut self) {
        if self.live_lines > 0 {
            let _ = write!(std::io::stderr(), "\x1b[{}A\x1b[J", self.live_lines);
            self.live_lines = 0;
        }
    }

    /// Says how it ended, and writes the files.
    ///
    /// # Errors
    /// Something cannot be written.
    pub(crate) fn finish(&mut self, finish: &Finish<'_>) -> Result<(), Failure> {
        self.leave();
        self.clear_live();
        let table = finish.table;
        if let Some((file, path)) = &mut self.games_file {
            file.flush().map_err(|error| not_written(path, &error))?;
        }
        if let Some(journal) = finish.journal {
            journal.sync()?;
            let directory = journal.directory();
            write(&directory.join(STANDINGS), &report::csv(table))?;
            write(&directory.join(TOURNAMENT), finish.trf)?;
        }
        if finish.complete {
            let last = Final::of(
                finish.settings,
                finish.scores,
                table,
                finish.cut_short,
                self.head,
            );
            self.tell(&last)?;
            if let Some(journal) = finish.journal {
                let line = to_json(&last)? + "\n";
                write(&journal.directory().join(FINAL), &line)?;
            }
        }
        self.flush()?;
        if !self.output.json {
            let output = &self.output;
            let text = report::text(finish.settings, table, output.width(), output.words());
            output.text(&text)?;
        }
        let words = self.output.words();
        if let Some(why) = finish.cut_short {
            let message = Message::new("arena-cut-short").text("why", why);
            self.output.remark(&message.said(words));
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = self.now as f64 / seconds.max(1e-9);
        let summary = Message::new("arena-summary")
            .text("games", finish.scores.games)
            .text("pairs", finish.scores.pairs)
            .text("seed", finish.settings.seed)
            .text("seconds", format!("{seconds:.1}"))
            .text("rate", format!("{rate:.0}"));
        self.output.talk(&summary.said(words));
        match (finish.complete, finish.journal) {
            (false, journal) => self.say_how_to_resume(journal),
            (true, Some(journal)) => {
                let head = Message::new("arena-head")
                    .text("head", self.head.to_hex())
                    .text("directory", journal.directory().display());
                self.output.talk(&head.said(words));
            }
            (true, None) => {}
        }
        Ok(())
    }

    fn say_how_to_resume(&self, journal: Option<&Journal>) {
        let message = match journal {
            Some(journal) => {
                Message::new("arena-interrupted").text("directory", journal.directory().display())
            }
            None => Message::new("arena-lost"),
        };
        self.output.remark(&message.said(self.output.words()));
    }
}

/// The columns and rows of the terminal behind stderr.
fn screen() -> Option<(usize, usize)> {
    let size = tcgetwinsize(std::io::stderr()).ok()?;
    let (columns, rows) = (usize::from(size.ws_col), usize::from(size.ws_row));
    (columns > 0 && rows > 0).then_some((columns, rows))
}

/// What of a table fits on a screen: the cursor can go back only over lines that stand on it, each in one row.
fn fitted(text: &str, columns: usize, rows: usize) -> String {
    let lines = text.lines().take(rows.max(1));
    lines
        .map(|line| -> String {
            let mut room = columns - 1;
            let fits = |c: &char| {
                let width = c.width().unwrap_or(0);
                let fits = width <= room;
                room = room.saturating_sub(width);
                fits
            };
            line.chars().take_while(fits).chain(['\n']).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_cut_to_the_screen() {
        let text = "one two\nthree\nfour\n";
        assert_eq!(fitted(text, 6, 2), "one t\nthree\n");
        assert_eq!(fitted(text, 80, 24), text);
        assert_eq!(fitted(text, 1, 0), "\n");
    }
}
