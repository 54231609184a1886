//! The two streams that a command writes: results to stdout, talk to stderr.
//!
//! Nothing else in this crate prints: `println!` panics when the reader of a pipe has gone.

use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum as _;
use grundy_words::{Catalogue, Language};
use rustix::termios::tcgetwinsize;
use serde::Serialize;

use crate::failure::{Failure, ForPrograms};
use crate::global::{Global, GlyphSet, Mode};
use crate::held;
use crate::progress_line::ProgressLine;
use crate::render::board::{Frame, Glyphs};
use crate::render::wrapped;

/// How a command speaks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    /// The language of sentences.
    pub(crate) language: Language,
    /// Results are JSON.
    pub(crate) json: bool,
    /// No talk.
    pub(crate) quiet: bool,
    /// More talk: 1 for what the connection does.
    pub(crate) verbose: u8,
    /// Whether the user may be asked something: stdin is a terminal and nobody forbade it.
    pub(crate) asks: bool,
    /// The characters for drawings; `None` where nothing is drawn, because stdout is no terminal or somebody forbade it.
    pub(crate) glyphs: Option<Glyphs>,
    /// The signs of the full screen, if a match is shown there.
    pub(crate) signs: Option<Signs>,
    /// Whether a review is shown on the full screen, too: somebody asked for it.
    pub(crate) full: bool,
    /// The characters for a drawing that belongs to a result, so that it is also in a pipe or a file; `None` if somebody forbade drawings.
    still: Option<Glyphs>,
}

impl Output {
    /// As the flags say.
    pub(crate) fn new(flags: &Global) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let still = glyphs(flags, is_terminal);
        Self {
            language: Language::default(),
            json: flags.json,
            quiet: flags.quiet,
            verbose: flags.verbose,
            asks: !flags.no_input && !flags.json && io::stdin().is_terminal(),
            glyphs: still.filter(|_| is_terminal),
            signs: still.map(|_| signs(flags)),
            full: false,
            still,
        }
    }

    /// The same in a language. JSON is the same in all of them.
    pub(crate) fn in_language(mut self, language: Language) -> Self {
        if !self.json {
            self.language = language;
        }
        self
    }

    /// The same with the full screen in this mode: only where there are drawings, and stdin and stdout are a terminal that has one.
    pub(crate) fn on_screen(mut self, mode: Mode) -> Self {
        let can = self.glyphs.is_some() && self.asks && has_screen();
        if mode == Mode::Full && !can && self.glyphs.is_some() {
            self.talk(&self.words().say("screen-needs-terminal"));
        }
        self.signs = self.signs.filter(|_| can && mode != Mode::Lines);
        self.full = mode == Mode::Full;
        self
    }

    /// For one who could not read the flags.
    pub(crate) fn of_errors(json: bool) -> Self {
        Self {
            language: Language::default(),
            json,
            quiet: false,
            verbose: 0,
            asks: false,
            glyphs: None,
            signs: None,
            full: false,
            still: None,
        }
    }

    /// The words of the language.
    pub(crate) fn words(&self) -> &'static Catalogue {
        Catalogue::of(self.language)
    }

    /// Writes a result as it is.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Writes a result that is bytes already.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(())
    }

    /// Writes words with colours and weights, which are left out where `--color` says so.
    pub(crate) fn styled(&self, text: &str) -> Result<(), Failure> {
        let mut stdout = anstream::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()?;
        Ok(())
    }

    /// Writes one line of a result.
    pub(crate) fn line(&self, line: &str) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(line.as_bytes())?;
        stdout.write_all(b"\n")?;
        stdout.flush()?;
        Ok(())
    }

    /// Writes a result for people to read: on a terminal its lines are broken between words, elsewhere it is left as it is.
    pub(crate) fn prose(&self, text: &str) -> Result<(), Failure> {
        self.text(&wrapped(text, self.width()))
    }

    /// As [`prose`](Self::prose), with the end of the last line.
    pub(crate) fn sentences(&self, text: &str) -> Result<(), Failure> {
        self.line(&wrapped(text, self.width()))
    }

    /// Writes a result as one line of JSON.
    pub(crate) fn object(&self, value: &impl Serialize) -> Result<(), Failure> {
        self.line(&to_json(value)?)
    }

    /// Says something besides the result.
    pub(crate) fn talk(&self, words: &str) {
        if !self.quiet {
            self.remark(words);
        }
    }

    /// The size and the characters of drawings, if there are to be any.
    pub(crate) fn frame(&self) -> Option<Frame> {
        self.glyphs.map(|glyphs| frame_with(glyphs, self.language))
    }

    /// The size and the characters of a drawing that belongs to a result: of the screen, or of a usual one where there is none.
    pub(crate) fn still_frame(&self) -> Option<Frame> {
        self.still.map(|glyphs| frame_with(glyphs, self.language))
    }

    /// Whether a line on the screen may be written over: only where something is drawn on a terminal that can.
    pub(crate) fn overwrites(&self) -> bool {
        let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
        self.glyphs.is_some() && !is_dumb
    }

    /// The columns of the screen that stdout is, if it is one.
    pub(crate) fn width(&self) -> Option<usize> {
        width_of(io::stdout())
    }

    /// Prints a sentence that even `--quiet` does not hide, wrapped if stderr is a terminal.
    pub(crate) fn remark(&self, words: &str) {
        self.warn(&wrapped(words, width_of(io::stderr())));
    }

    /// Says something that even `--quiet` does not hide. Colours are left out where `--color` says so.
    #[expect(
        clippy::unused_self,
        reason = "talk is a matter of the output, and later of its language"
    )]
    pub(crate) fn warn(&self, words: &str) {
        if held::hold(words) {
            return;
        }
        // If stderr is closed, there is nobody left to inform.
        let _ = writeln!(anstream::stderr().lock(), "{words}");
    }

    /// A line that says how far something long has come, on stderr if that is a terminal.
    pub(crate) fn progress_line(&self) -> ProgressLine {
        let is_live = !self.quiet && !self.json && io::stderr().is_terminal();
        ProgressLine::new(is_live)
    }

    /// Says what the connection does, with `-v`.
    pub(crate) fn detail(&self, words: &str) {
        if self.verbose > 0 {
            self.warn(words);
        }
    }

    /// Reports why the command did not succeed.
    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.is_closed_pipe() {
            return;
        }
        if self.json {
            let line = to_json(&Fault {
                error: failure.for_programs(),
            });
            // If it cannot be written as JSON, it is written as text.
            self.warn(&line.unwrap_or_else(|_| failure.to_string()));
        } else {
            let words = self.words();
            self.warn(&coloured(&failure.shown_in(words), words));
        }
    }
}

/// A failure for people, with the first words of its first line and of its help in colour.
fn coloured(failure: &str, words: &Catalogue) -> String {
    let [error, help] = ["failure-label-error", "failure-label-help"].map(|name| words.say(name));
    let mut text = String::new();
    for line in failure.lines() {
        let (word, style) = if text.is_empty() && line.starts_with(&error) {
            (&*error, AnsiColor::Red.on_default().bold())
        } else if line.starts_with(&help) {
            (&*help, AnsiColor::Green.on_default())
        } else {
            ("", Style::new())
        };
        let separator = if text.is_empty() { "" } else { "\n" };
        let rest = &line[word.len()..];
        text.push_str(&format!("{separator}{style}{word}{style:#}{rest}"));
    }
    text
}

/// A drawing is not wider, however wide the screen.
const MAX_WIDTH: usize = 100;

/// A frame as large as the screen that stdout is, less the room for the sentences around a drawing; elsewhere of 80 columns.
fn frame_with(glyphs: Glyphs, language: Language) -> Frame {
    let size = tcgetwinsize(io::stdout()).ok();
    let known = |cells: u16, usual: usize| match cells {
        0 => usual,
        cells => usize::from(cells),
    };
    let (columns, rows) = size.map_or((0, 0), |size| (size.ws_col, size.ws_row));
    Frame {
        width: known(columns, 80).min(MAX_WIDTH),
        // Room for the sentences around it.
        rows: known(rows, 24).saturating_sub(5),
        glyphs,
        language,
    }
}

/// The signs that the full screen may use besides those of drawings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signs {
    /// The terminal is asked how wide it draws a sign that fonts draw differently. Without an answer: `safe`?
    Ask {
        /// Whether only signs of certain width are used if the terminal does not answer.
        safe: bool,
    },
    /// Lines of Unicode.
    Unicode,
    /// Only signs that are one column wide in every font.
    Safe,
}

/// The signs of the full screen, as the flags and the locale say.
fn signs(flags: &Global) -> Signs {
    match glyph_set(flags) {
        GlyphSet::Unicode => Signs::Unicode,
        GlyphSet::Auto if is_unicode() => Signs::Ask { safe: is_wide() },
        GlyphSet::Auto | GlyphSet::Safe | GlyphSet::Ascii => Signs::Safe,
    }
}

/// Whether the terminal has a screen on which the cursor can be moved, by the usual variable.
fn has_screen() -> bool {
    std::env::var("TERM").is_ok_and(|term| !term.is_empty() && term != "dumb")
}

/// The set of characters that somebody chose.
fn glyph_set(flags: &Global) -> GlyphSet {
    let set = flags.glyphs.or_else(|| {
        let named = std::env::var("GRUNDY_GLYPHS").ok()?;
        GlyphSet::from_str(&named, true).ok()
    });
    set.unwrap_or(GlyphSet::Auto)
}

/// The characters for drawings, if there are to be any. What is no terminal gets ASCII unless somebody chose.
fn glyphs(flags: &Global, is_terminal: bool) -> Option<Glyphs> {
    if flags.plain || flags.json {
        return None;
    }
    Some(match glyph_set(flags) {
        GlyphSet::Unicode | GlyphSet::Safe => Glyphs::UNICODE,
        GlyphSet::Auto if is_terminal && is_unicode() => Glyphs::UNICODE,
        GlyphSet::Auto | GlyphSet::Ascii => Glyphs::ASCII,
    })
}

/// Whether the terminal shows more than ASCII, by the usual variables. The Linux console has few signs.
fn is_unicode() -> bool {
    if std::env::var("TERM").is_ok_and(|term| matches!(&*term, "linux" | "dumb")) {
        return false;
    }
    locale().is_some_and(|locale| locale.contains("utf-8") || locale.contains("utf8"))
}

/// Whether the locale is of a language whose fonts draw some signs two columns wide.
fn is_wide() -> bool {
    locale().is_some_and(|locale| {
        ["zh", "ja", "ko"]
            .iter()
            .any(|name| locale.starts_with(name))
    })
}

/// The locale of characters in small letters, if one is set.
fn locale() -> Option<String> {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL")
        .or_else(|| set("LC_CTYPE"))
        .or_else(|| set("LANG"))?;
    Some(locale.to_ascii_lowercase())
}

/// The width in columns of the terminal behind this stream; `None` if it is not a terminal or its width is unknown.
fn width_of(stream: impl AsFd) -> Option<usize> {
    let columns = tcgetwinsize(stream).ok()?.ws_col;
    (columns > 0).then_some(usize::from(columns))
}

/// The line of a failure.
#[derive(Serialize)]
struct Fault<'f> {
    error: ForPrograms<'f>,
}

/// One line of JSON.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::from(io::Error::from(error)))
}
