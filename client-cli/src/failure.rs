//! Why a command failed, as shown to people and to programs.

use std::fmt;
use std::io;
use std::time::Duration;

use grundy_shared::notation::{MoveError, NotationError};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::exit::Exit;
use crate::render::refusals::{in_words, remedy};

/// No server is asked again sooner, even if it says that it may be.
const SLOWER: Duration = Duration::from_millis(20);
/// Columns of a text that are shown around a fault; what is longer is cut.
const WINDOW: usize = 72;

/// A refusal or fault: a machine code, words, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    code: String,
    message: String,
    hint: Option<String>,
    place: Option<Place>,
    retry_after_ms: Option<u64>,
    /// Whether the server closes the connection after this.
    closes: bool,
    /// What the server names as right.
    example: Option<String>,
}

/// The place of a fault in a text.
#[derive(Debug)]
struct Place {
    text: String,
    /// The first character, counted from 1.
    from: usize,
    /// One past the last.
    to: usize,
    expected: String,
}

/// The code of a failure that needs no message: the reader of our output has closed it.
const CLOSED_PIPE: &str = "closed_pipe";

impl Failure {
    /// A failure with nothing but words, which may quote a file or a server: they are cleaned for the terminal.
    pub(crate) fn new(exit: Exit, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            exit,
            code: code.into(),
            message: crate::render::clean(&message.into()),
            hint: None,
            place: None,
            retry_after_ms: None,
            closes: false,
            example: None,
        }
    }

    /// A wrong flag or configuration.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", message)
    }

    /// With what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With the place of the fault in a text: its first character, from 1, the one after its last, and what may stand there.
    pub(crate) fn at(mut self, text: &str, from: usize, to: usize, expected: &str) -> Self {
        self.place = Some(Place {
            text: text.to_owned(),
            from,
            to,
            expected: expected.to_owned(),
        });
        self
    }

    /// With when to try again, if that is known.
    pub(crate) fn retry_after(mut self, wait: Option<Duration>) -> Self {
        let wait = wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        self.retry_after_ms = wait;
        self
    }

    /// When to try again, if that is known.
    pub(crate) fn wait(&self) -> Option<Duration> {
        self.retry_after_ms.map(Duration::from_millis)
    }

    /// How long to wait before the same connection asks again, if the server was asked too fast and would have us ask again within
    /// `patience`.
    pub(crate) fn slow_down(&self, patience: Duration) -> Option<Duration> {
        let again = self.has_code(ErrorCode::RateLimited) && !self.closes;
        let wait = self.wait().map(|wait| wait.max(SLOWER));
        wait.filter(|wait| again && *wait <= patience)
    }

    /// A position that does not parse.
    pub(crate) fn notation(text: &str, error: &NotationError) -> Self {
        Self {
            hint: Some(format!(
                "a position looks like {}   (see 'grundy rules list')",
                error.help
            )),
            place: Some(Place {
                text: text.to_owned(),
                from: error.column,
                to: error.column + error.length,
                expected: error.expected.clone(),
            }),
            ..Self::new(Exit::Input, error.code.as_str(), error.message.clone())
        }
    }

    /// A move that is not legal.
    pub(crate) fn illegal_move(text: &str, error: &MoveError) -> Self {
        let example = error.example.as_ref();
        Self {
            hint: example.map(|example| format!("a legal move is {example}")),
            place: error.column.map(|column| Place {
                text: text.to_owned(),
                from: column,
                to: column + 1,
                expected: String::new(),
            }),
            ..Self::new(
                Exit::Input,
                ErrorCode::IllegalMove.as_str(),
                match text.contains(|c: char| c.is_ascii_digit()) {
                    true => error.message.clone(),
                    false => format!(
                        "'{}' is not a move: {}",
                        crate::render::short(text),
                        error.message
                    ),
                },
            )
        }
    }

    /// The same failure with this legal move as the example, or with none.
    pub(crate) fn with_example(mut self, example: Option<&str>) -> Self {
        self.hint = example.map(|example| format!("a legal move is {example}"));
        self
    }

    /// What the server refused.
    pub(crate) fn refused(error: ErrorBody) -> Self {
        let hint = match (&error.example, error.code) {
            (Some(example), ErrorCode::IllegalMove) => {
                format!("a legal move is {}", crate::render::clean(example))
            }
            (Some(example), ErrorCode::NameTaken) => {
                let example = crate::render::clean(example);
                format!("choose another name, such as {example}: grundy name {example}")
            }
            (_, ErrorCode::BadPosition | ErrorCode::BadGameCode) => {
                "'grundy rules list' shows a position of every game".to_owned()
            }
            // The remedy is about matches. What a player has too many of besides, the message says.
            (_, ErrorCode::TooMany) if !error.message.contains("unfinished matches") => {
                String::new()
            }
            _ => remedy(error.code, error.retry_after_ms.map(Duration::from_millis)),
        };
        let message = in_words(&error.message, error.field.as_deref());
        Self {
            // What the message says whole needs no more.
            hint: Some(hint).filter(|hint| !hint.is_empty()),
            retry_after_ms: error.retry_after_ms,
            closes: error.closes,
            example: error.example,
            ..Self::new(exit_of(error.code), error.code.as_str(), message)
        }
    }

    /// How the program is to end.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Whether the reader of our output has closed it.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.code == CLOSED_PIPE
    }

    /// Whether the server does not know the token that we sent.
    pub(crate) fn is_bad_token(&self) -> bool {
        self.has_code(ErrorCode::BadToken)
    }

    /// Whether the server refused for this cause.
    pub(crate) fn has_code(&self, code: ErrorCode) -> bool {
        self.code == code.as_str()
    }

    /// What the server names as right in place of what it refused.
    pub(crate) fn example(&self) -> Option<&str> {
        self.example.as_deref()
    }

    /// The words without the rest.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub(crate) fn remedy(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The form for people where the work goes on without what failed.
    pub(crate) fn as_warning(&self) -> String {
        match &self.hint {
            Some(hint) => format!("warning: {}; {hint}", self.message),
            None => format!("warning: {}", self.message),
        }
    }

    /// What `--json` prints under `error`.
    pub(crate) fn for_programs(&self) -> ForPrograms<'_> {
        ForPrograms {
            code: &self.code,
            exit: self.exit.number(),
            message: &self.message,
            hint: self.hint.as_deref(),
            span: self.place.as_ref().map(|place| [place.from, place.to]),
            retry_after_ms: self.retry_after_ms,
        }
    }

    /// The answer to a line of `solve -`.
    pub(crate) fn in_batch(&self) -> InBatch<'_> {
        InBatch {
            code: &self.code,
            message: &self.message,
            column: self.place.as_ref().map(|place| place.from),
            expected: self.place.as_ref().map(|place| &*place.expected),
            hint: self.hint.as_deref(),
        }
    }
}

/// A failure as an object.
#[derive(Debug, Serialize)]
pub(crate) struct ForPrograms<'f> {
    code: &'f str,
    exit: u8,
    message: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'f str>,
    /// The first character at fault, counted from 1, and the first one after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
}

/// A failure as the answer to one line of a batch.
#[derive(Debug, Serialize)]
pub(crate) struct InBatch<'f> {
    code: &'f str,
    message: &'f str,
    column: Option<usize>,
    /// What may stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'f str>,
}

impl fmt::Display for InBatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match self.column {
            Some(column) => write!(f, " (column {column})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Failure {
    /// The form for people: what is wrong, where, and what to do, each on its lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n{place}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhelp: {hint}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let characters = self.text.chars().count();
        let at = self.from.saturating_sub(1).min(characters);
        let start = if characters <= WINDOW {
            0
        } else {
            at.saturating_sub(WINDOW / 2).min(characters - WINDOW)
        };
        let before = if start > 0 { "..." } else { "" };
        let after = if start + WINDOW < characters {
            "..."
        } else {
            ""
        };
        let shown: String = self.text.chars().skip(start).take(WINDOW).collect();
        let shown = crate::render::clean(&shown);
        let beyond: String = self.text.chars().skip(start).take(at - start).collect();
        let beyond = crate::render::clean(&beyond);
        let width = (self.to - self.from).clamp(1, WINDOW);
        write!(
            f,
            "  {before}{shown}{after}\n  {:indent$}{}",
            "",
            "^".repeat(width),
            indent = before.len() + beyond.width(),
        )?;
        if self.expected.is_empty() {
            Ok(())
        } else {
            write!(f, " expected {}", self.expected)
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::new(Exit::Done, CLOSED_PIPE, "nobody reads the output any more")
        } else {
            Self::new(Exit::Failed, "io", error.to_string())
        }
    }
}

/// The class of a refusal.
fn exit_of(code: ErrorCode) -> Exit {
    use ErrorCode::*;
    match code {
        BadPosition | BadGameCode | IllegalMove | OutOfRange | BadName | BadPassword => Exit::Input,
        NoSuchMatch | NoSuchCode | NoSuchPlayer | NoSuchChallenge | NoSuchSeek | NoSuchPuzzle
        | NoSuchTournament | NoSuchToken | PlayerAbsent => Exit::NotFound,
        AuthRequired | BadToken | Banned | NotAPlayer | NotAllowed | MissingScope
        | BadCredentials => Exit::NotAllowed,
        NotYourTurn | NotStarted | NotOver | MatchOver | TooLate | StalePly
        | IdempotencyConflict | SeatTaken | OwnMatch | RateLimited | TooManyAttempts | TooMany
        | ServerBusy | AnalysisRunning | Cancelled | ReadOnly | ShuttingDown | Declined
        | InTournament | InSeries | EntriesClosed | NotAdmitted | NotEntered | WrongStatus
        | NameTaken | NoSuchProposal | NotPossible | AbsentPlayerWins | Paused | RatedMatch => {
            Exit::Refused
        }
        BadJson | TooDeep | UnknownType | UnknownField | MissingField | WrongType
        | DuplicateField | UnsupportedVersion | AlreadyIdentified | AccountNotFollowed
        | BinaryUnsupported => Exit::Protocol,
        AnalysisTooLarge | Internal => Exit::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, from: usize, length: usize) -> String {
        let place = Place {
            text: text.to_owned(),
            from,
            to: from + length,
            expected: "a number".to_owned(),
        };
        place.to_string()
    }

    #[test]
    fn the_caret_stands_under_the_fault() {
        assert_eq!(
            shown("nim:1,4,x", 9, 1),
            "  nim:1,4,x\n          ^ expected a number"
        );
        assert_eq!(shown("nim:", 5, 0), "  nim:\n      ^ expected a number");
    }

    #[test]
    fn a_long_text_is_cut_around_the_fault() {
        let text = format!("nim:{}x{}", "1,".repeat(500), ",1".repeat(500));
        let shown = shown(&text, 1005, 1);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[0].len() < 90, "{shown}");
        let caret = lines[1].find('^').expect("a caret");
        assert_eq!(&lines[0][caret..=caret], "x", "{shown}");
    }

    #[test]
    fn nothing_that_others_say_commands_the_terminal() {
        let mut error = ErrorBody::new(ErrorCode::IllegalMove, "no\u{1b}[2J\u{202e}");
        error.example = Some("A-1\u{9b}31m".to_owned());
        let shown = Failure::refused(error).to_string();
        assert_eq!(shown, "error: no[2J\nhelp: a legal move is A-131m");
    }

    #[test]
    fn a_place_beyond_the_text_does_not_panic() {
        shown("", 1, 0);
        shown("a", 99, 500);
    }
}
