//! Why a command failed, as shown to people and to programs.

use std::fmt;
use std::io;
use std::time::Duration;

use grundy_shared::notation::{MoveError, NotationError};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_words::{Catalogue, Language, Message};
use serde::Serialize;

use crate::exit::Exit;
use crate::fault::Place;
use crate::render::refusals::{in_words, remedy};

/// No server is asked again sooner, even if it says that it may be.
const SLOWER: Duration = Duration::from_millis(20);

/// A refusal or fault: a machine code, words, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    code: String,
    /// In English, as programs get it.
    message: String,
    /// In English.
    hint: Option<String>,
    /// The same as messages that can be said in every language, if there are such.
    spoken: Box<Spoken>,
    place: Option<Place>,
    retry_after_ms: Option<u64>,
    /// Whether the server closes the connection after this.
    closes: bool,
    /// What the server names as right.
    example: Option<String>,
    /// Whether waiting does not help, although the server cannot be reached.
    lasts: bool,
}

/// What is wrong, and what to do, before they are said in a language.
#[derive(Default, Debug)]
struct Spoken {
    message: Option<Message>,
    hint: Option<Message>,
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
            spoken: Box::default(),
            place: None,
            retry_after_ms: None,
            closes: false,
            example: None,
            lasts: false,
        }
    }

    /// A failure that can be said in every language.
    pub(crate) fn told(exit: Exit, code: impl Into<String>, message: Message) -> Self {
        let english = message.said(Catalogue::of(Language::English));
        let mut failure = Self::new(exit, code, english);
        failure.spoken.message = Some(message);
        failure
    }

    /// With what to do about it, which can be said in every language. Where there is nothing to say, the message is empty.
    pub(crate) fn help(mut self, hint: Message) -> Self {
        let english = hint.said(Catalogue::of(Language::English));
        self.hint = Some(english).filter(|hint| !hint.is_empty());
        self.spoken.hint = Some(hint);
        self
    }

    /// A wrong flag or configuration.
    pub(crate) fn usage(message: Message) -> Self {
        Self::told(Exit::Usage, "usage", message)
    }

    /// A fault of this program itself, in words for its developers.
    pub(crate) fn internal(why: impl fmt::Display) -> Self {
        let message = Message::new("failure-internal").text("said", why);
        Self::told(Exit::Failed, "internal", message)
    }

    /// Something from the server that this client cannot read.
    pub(crate) fn not_understood(message: Message) -> Self {
        Self::told(Exit::Protocol, "not_understood", message)
    }

    /// With what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self.spoken.hint = None;
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

    /// The same, and waiting does not help.
    pub(crate) fn for_good(self) -> Self {
        Self {
            lasts: true,
            ..self
        }
    }

    /// Whether the server cannot be reached now, and may be later.
    pub(crate) fn is_away(&self) -> bool {
        self.exit == Exit::Unreachable && !self.lasts
    }

    /// When to try again, if that is known.
    pub(crate) fn wait(&self) -> Option<Duration> {
        self.retry_after_ms.map(Duration::from_millis)
    }

    /// How long to wait before the same connection asks again, if the server was asked too fast and would have us ask again within
    /// `patience`.
    pub(crate) fn slow_down(&self, patience: Duration) -> Option<Duration> {
        self.again_after(ErrorCode::RateLimited, patience)
    }

    /// The same if the server had too much to do: it has done nothing of what it refused.
    pub(crate) fn come_back(&self, patience: Duration) -> Option<Duration> {
        self.again_after(ErrorCode::ServerBusy, patience)
    }

    fn again_after(&self, code: ErrorCode, patience: Duration) -> Option<Duration> {
        let again = self.has_code(code) && !self.closes;
        let wait = self.wait().map(|wait| wait.max(SLOWER));
        wait.filter(|wait| again && *wait <= patience)
    }

    /// A position that does not parse.
    pub(crate) fn notation(text: &str, error: &NotationError) -> Self {
        let message = Message::new("refused")
            .text("code", error.code.as_str())
            .text("said", &error.message);
        let mut failure = Self::told(Exit::Input, error.code.as_str(), message)
            .help(Message::new("remedy-position").text("example", &error.help));
        failure.place = Some(Place {
            text: text.to_owned(),
            from: error.column,
            to: error.column + error.length,
            expected: error.expected.clone(),
        });
        failure
    }

    /// A move that is not legal.
    pub(crate) fn illegal_move(text: &str, error: &MoveError) -> Self {
        let is_written_as_one = text.contains(|c: char| c.is_ascii_digit());
        Self::not_a_move(text, error, is_written_as_one)
    }

    /// The same for a text that was hardly meant as a move unless it `may_be_one`.
    pub(crate) fn not_a_move(text: &str, error: &MoveError, may_be_one: bool) -> Self {
        let message = Message::new("refused-move")
            .whether("move", may_be_one)
            .text("text", crate::render::short(text))
            .text("said", &error.message);
        let failure = Self::told(Exit::Input, ErrorCode::IllegalMove.as_str(), message);
        let example = error.example.as_ref().map(ToString::to_string);
        let mut failure = failure.with_example(example.as_deref());
        failure.place = error.column.map(|column| Place {
            text: text.to_owned(),
            from: column,
            to: column + 1,
            expected: String::new(),
        });
        failure
    }

    /// The same failure with this legal move as the example, or with none.
    pub(crate) fn with_example(mut self, example: Option<&str>) -> Self {
        (self.hint, self.spoken.hint) = (None, None);
        match example {
            Some(example) => self.help(Message::new("remedy-move").text("example", example)),
            None => self,
        }
    }

    /// What the server refused.
    pub(crate) fn refused(error: ErrorBody) -> Self {
        let message = Message::new("refused")
            .text("code", error.code.as_str())
            .text("said", in_words(&error.message, error.field.as_deref()));
        let example = error.example.as_deref().map(crate::render::clean);
        let hint = match (example, error.code) {
            (Some(example), ErrorCode::IllegalMove) => {
                Some(Message::new("remedy-move").text("example", example))
            }
            (Some(example), ErrorCode::NameTaken) => {
                Some(Message::new("remedy-name").text("example", example))
            }
            (_, ErrorCode::BadPosition | ErrorCode::BadGameCode) => {
                Some(Message::new("remedy-list"))
            }
            // The remedy is about matches. What a player has too many of besides, the message says.
            (_, ErrorCode::TooMany) if !error.message.contains("unfinished matches") => None,
            _ => remedy(error.code, error.retry_after_ms.map(Duration::from_millis)),
        };
        let failure = Self::told(exit_of(error.code), error.code.as_str(), message);
        let failure = match hint {
            Some(hint) => failure.help(hint),
            None => failure,
        };
        Self {
            retry_after_ms: error.retry_after_ms,
            closes: error.closes,
            example: error.example,
            ..failure
        }
    }

    /// How the program is to end.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Whether a server that was there may be there again later: it has gone, or takes nobody for now.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(self.exit, Exit::Unreachable | Exit::Refused)
    }

    /// The code for programs.
    pub(crate) fn code(&self) -> &str {
        &self.code
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

    /// The English words without the rest, for programs and logs.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// What is wrong, without the rest. What has no message in other languages is English in all of them.
    pub(crate) fn message_in(&self, words: &Catalogue) -> String {
        match &self.spoken.message {
            Some(message) => crate::render::clean(&message.said(words)),
            None => self.message.clone(),
        }
    }

    /// What to do about it.
    pub(crate) fn remedy_in(&self, words: &Catalogue) -> Option<String> {
        match &self.spoken.hint {
            Some(hint) => Some(hint.said(words)),
            None => self.hint.clone(),
        }
    }

    /// What is wrong and what to do about it as one remark.
    pub(crate) fn remark_in(&self, words: &Catalogue) -> String {
        let what = self.message_in(words);
        match self.remedy_in(words) {
            Some(how) => Message::new("failure-remark")
                .text("what", what)
                .text("how", how)
                .said(words),
            None => what,
        }
    }

    /// The form for people where the work goes on without what failed.
    pub(crate) fn as_warning(&self, words: &Catalogue) -> String {
        let what = self.message_in(words);
        let warning = match self.remedy_in(words) {
            Some(how) => Message::new("failure-warning-how").text("how", how),
            None => Message::new("failure-warning"),
        };
        warning.text("what", what).said(words)
    }

    /// The form for people: what is wrong, where, and what to do, each on its lines.
    pub(crate) fn shown_in(&self, words: &Catalogue) -> String {
        let what = Message::new("failure-error").text("what", self.message_in(words));
        let mut text = what.said(words);
        if let Some(place) = &self.place {
            // What may stand there is known in English only.
            let is_read = words.language() == Language::English;
            text.push_str(&format!("\n{}", place.shown(is_read)));
        }
        if let Some(how) = self.remedy_in(words) {
            let help = Message::new("failure-help").text("how", how);
            text.push_str(&format!("\n{}", help.said(words)));
        }
        text
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
    /// The form for people, in English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown_in(Catalogue::of(Language::English)))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::new(Exit::Done, CLOSED_PIPE, "nobody reads the output any more")
        } else {
            Self::told(Exit::Failed, "io", crate::system::said(&error))
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

    #[test]
    fn nothing_that_others_say_commands_the_terminal() {
        let mut error = ErrorBody::new(ErrorCode::IllegalMove, "no\u{1b}[2J\u{202e}");
        error.example = Some("A-1\u{9b}31m".to_owned());
        let shown = Failure::refused(error).to_string();
        assert_eq!(shown, "error: no[2J\nhelp: a legal move is A-131m");
    }
}
