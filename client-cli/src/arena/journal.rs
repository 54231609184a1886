//! The journal: what is played and every finished game, one line each, written before anybody hears of the result. It is all that a
//! resume needs.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use grundy_words::Message;
use serde::{Deserialize, Serialize};

use super::files::{JOURNAL, not_written};
use super::result::GameResult;
use super::settings::{MOST_GAMES, Settings};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::beside;
use crate::system;

/// Only its owner reads it: the settings of a bot may hold a secret.
const MODE: u32 = 0o600;
/// What the first line says it is.
const SCHEMA: &str = "grundy/arena/1";
/// The longest line that is read.
const LINE_BYTES: usize = 64 << 20;

/// What every version of the first line has.
#[derive(Deserialize)]
struct Version {
    schema: String,
}

#[derive(Serialize, Deserialize)]
struct Head {
    schema: String,
    arena: String,
    settings: Settings,
}

#[derive(Serialize, Deserialize)]
struct Line<G> {
    arena: String,
    #[serde(flatten)]
    result: G,
}

/// What to do about a directory without a journal.
const ELSEWHERE: &str = "journal-elsewhere";

/// What to verify.
const WRITTEN: &str = "journal-written";

fn absent(path: &Path, error: &std::io::Error) -> Failure {
    let exit = match error.kind() {
        std::io::ErrorKind::NotFound => Exit::NotFound,
        std::io::ErrorKind::NotADirectory => Exit::Input,
        _ => Exit::Failed,
    };
    let message = Message::new("file-fault").text("file", path.display());
    Failure::told(exit, "journal", message.message("why", system::said(error)))
}

/// What is wrong with a journal.
#[derive(Debug)]
pub(crate) struct Damage {
    /// The line, from 1.
    pub(crate) line: usize,
    pub(crate) why: String,
    /// The message that says what to do about it to play on.
    hint: &'static str,
}

/// Where the line of a game stands. Games that are missing have no bytes.
#[derive(Clone, Copy, Default, Debug)]
struct Place {
    from: u64,
    bytes: u32,
    line: u32,
}

/// Whether a journal has no whole first line: then nothing was settled or played, and there is no arena.
fn is_empty(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let mut line = Vec::new();
    let read = BufReader::new(file)
        .take(LINE_BYTES as u64)
        .read_until(b'\n', &mut line);
    read.is_ok_and(|read| read < LINE_BYTES) && line.last() != Some(&b'\n')
}

/// What is wrong with a line.
fn place(error: &serde_json::Error) -> String {
    match error.is_eof() {
        true => "the line is cut off".to_owned(),
        false => format!("the line is damaged at column {}", error.column()),
    }
}

/// An open journal, held by this process alone.
#[derive(Debug)]
pub(crate) struct Journal {
    directory: PathBuf,
    file: File,
    mark: String,
    length: u64,
    /// Where each game stands, by its number.
    places: Vec<Place>,
    games: u64,
    /// Whole lines.
    lines: usize,
}

impl Journal {
    /// Begins an arena in this directory, which is made if it is not there.
    ///
    /// # Errors
    /// There is one already, or it cannot be written.
    pub(crate) fn begin(directory: &Path, settings: &Settings) -> Result<Self, Failure> {
        Self::expect_none(directory)?;
        let path = directory.join(JOURNAL);
        fs::create_dir_all(directory).map_err(|error| not_written(directory, &error))?;
        let fail = |error: std::io::Error| not_written(&path, &error);
        if is_empty(&path) {
            fs::remove_file(&path).map_err(fail)?;
        }
        // It gets its name once it has its first line, so that a full disk or a kill leaves no journal without settings.
        let unnamed = beside(&path, MODE).map_err(fail)?;
        let file = unnamed.as_file().try_clone().map_err(fail)?;
        let mut journal = Self::empty(directory, file);
        journal.mark = settings.mark();
        journal.lock()?;
        let head = Head {
            schema: SCHEMA.to_owned(),
            arena: journal.mark.clone(),
            settings: settings.clone(),
        };
        journal.length = journal.write(&crate::output::to_json(&head)?)? as u64;
        journal.lines = 1;
        journal.sync()?;
        unnamed
            .persist_noclobber(&path)
            .map_err(|error| fail(error.error))?;
        File::open(directory)
            .and_then(|directory| directory.sync_all())
            .map_err(fail)?;
        Ok(journal)
    }

    /// Makes sure that no arena is in this directory.
    ///
    /// # Errors
    /// There is one.
    pub(crate) fn expect_none(directory: &Path) -> Result<(), Failure> {
        let path = directory.join(JOURNAL);
        if !path.exists() || is_empty(&path) {
            return Ok(());
        }
        let about = |message| Message::new(message).text("directory", directory.display());
        let message = about("journal-there");
        Err(Failure::told(Exit::Input, "journal", message).help(about("journal-there-how")))
    }

    /// Reads what was played. A last line without its end was being written when the machine or the runner stopped: it is cut off, and its
    /// game will be played again.
    ///
    /// # Errors
    /// There is no arena, another runner has it, or it is damaged; the error names the line.
    pub(crate) fn resume(directory: &Path) -> Result<(Self, Settings), Failure> {
        let path = directory.join(JOURNAL);
        let file = OpenOptions::new()
            .append(true)
            .read(true)
            .open(&path)
            .map_err(|error| absent(&path, &error).help(Message::new(ELSEWHERE)))?;
        let mut journal = Self::empty(directory, file);
        journal.lock()?;
        let settings = journal.read_all()?.map_err(|damage| {
            let message = Message::new("journal-damaged")
                .text("file", path.display())
                .text("line", damage.line)
                .text("said", damage.why);
            Failure::told(Exit::Input, "journal", message).help(Message::new(damage.hint))
        })?;
        journal.file.set_len(journal.length)?;
        Ok((journal, settings))
    }

    /// Reads what was played, and changes nothing.
    ///
    /// # Errors
    /// There is no arena; or it is damaged.
    pub(crate) fn inspect(directory: &Path) -> Result<Result<(Self, Settings), Damage>, Failure> {
        let path = directory.join(JOURNAL);
        let file =
            File::open(&path).map_err(|error| absent(&path, &error).help(Message::new(WRITTEN)))?;
        let mut journal = Self::empty(directory, file);
        let settings = match journal.read_all()? {
            Ok(settings) => settings,
            Err(damage) => return Ok(Err(damage)),
        };
        if journal.file.metadata()?.len() > journal.length {
            return Ok(Err(Damage {
                line: journal.lines + 1,
                why: "the line is cut off".to_owned(),
                hint: ELSEWHERE,
            }));
        }
        Ok(Ok((journal, settings)))
    }

    fn empty(directory: &Path, file: File) -> Self {
        Self {
            directory: directory.to_owned(),
            file,
            mark: String::new(),
            length: 0,
            places: Vec::new(),
            games: 0,
            lines: 0,
        }
    }

    fn lock(&self) -> Result<(), Failure> {
        self.file.try_lock().map_err(|_| {
            let message = Message::new("journal-in-use").text("file", self.directory.display());
            Failure::told(Exit::Refused, "journal", message)
                .help(Message::new("journal-in-use-how"))
        })
    }

    fn read_all(&mut self) -> Result<Result<Settings, Damage>, Failure> {
        let mut reader = BufReader::with_capacity(1 << 20, self.file.try_clone()?);
        let mut settings = None;
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut reader)
                .take(LINE_BYTES as u64)
                .read_until(b'\n', &mut line)?;
            if read == 0 || line.pop() != Some(b'\n') {
                break;
            }
            self.lines += 1;
            let taken = match settings {
                None => self.take_head(&line).map(|head| settings = Some(head)),
                Some(_) => self.take_game(&line, read),
            };
            if let Err((why, hint)) = taken {
                let line = self.lines;
                return Ok(Err(Damage { line, why, hint }));
            }
            self.length += read as u64;
        }
        Ok(settings.ok_or_else(|| Damage {
            line: 1,
            why: "the journal has no first line".to_owned(),
            hint: "journal-empty-how",
        }))
    }

    fn take_head(&mut self, line: &[u8]) -> Result<Settings, (String, &'static str)> {
        let not_one = |error: serde_json::Error| {
            let why = format!("this is not the journal of an arena: {}", place(&error));
            (why, ELSEWHERE)
        };
        // The settings of another version need not be readable.
        let version: Version = serde_json::from_slice(line).map_err(not_one)?;
        if version.schema != SCHEMA {
            let why = format!(
                "it is '{}', and this program reads {SCHEMA}",
                crate::render::clean(&version.schema)
            );
            return Err((why, "journal-version-how"));
        }
        let head: Head = serde_json::from_slice(line).map_err(not_one)?;
        if head.arena != head.settings.mark() {
            return Err((
                "the settings were changed after the arena began".to_owned(),
                "journal-settings-how",
            ));
        }
        self.mark = head.arena;
        Ok(head.settings)
    }

    fn take_game(&mut self, line: &[u8], bytes: usize) -> Result<(), (String, &'static str)> {
        let game: Line<GameResult> =
            serde_json::from_slice(line).map_err(|error| (place(&error), "journal-delete-how"))?;
        if game.arena != self.mark {
            return Err((
                "it belongs to another arena".to_owned(),
                "journal-other-line-how",
            ));
        }
        let number = game.result.game;
        if self.note(number, bytes) {
            Ok(())
        } else if number > MOST_GAMES {
            Err((
                format!("game {number}: an arena has at most {MOST_GAMES} games"),
                "journal-many-how",
            ))
        } else {
            Err((
                format!("game {number} stands in the journal twice"),
                "journal-twice-how",
            ))
        }
    }

    /// Remembers where a game stands: at the end so far. False if it is known already, or if no arena has so many games.
    fn note(&mut self, game: u64, bytes: usize) -> bool {
        if game > MOST_GAMES {
            return false;
        }
        let at = game as usize;
        if self.places.len() <= at {
            self.places.resize(at + 1, Place::default());
        }
        if self.places[at].bytes != 0 {
            return false;
        }
        self.places[at] = Place {
            from: self.length,
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            line: u32::try_from(self.lines).unwrap_or(u32::MAX),
        };
        self.games += 1;
        true
    }

    fn write(&mut self, text: &str) -> Result<usize, Failure> {
        let mut line = String::with_capacity(text.len() + 1);
        line.push_str(text);
        line.push('\n');
        // One write, so that a kill leaves the whole line or none.
        self.file.write_all(line.as_bytes()).map_err(|error| {
            let about = |message| Message::new(message).text("directory", self.directory.display());
            let message = about("journal-unwritten").message("why", system::said(&error));
            Failure::told(Exit::Failed, "journal", message).help(about("journal-unwritten-how"))
        })?;
        Ok(line.len())
    }

    /// Writes a finished game.
    ///
    /// # Errors
    /// It cannot be written: then the game does not count.
    pub(crate) fn append(&mut self, result: &GameResult) -> Result<(), Failure> {
        let line = Line {
            arena: self.mark.clone(),
            result,
        };
        let written = self.write(&crate::output::to_json(&line)?)?;
        self.lines += 1;
        self.note(result.game, written);
        self.length += written as u64;
        Ok(())
    }

    /// Whether a game was played.
    pub(crate) fn has(&self, game: u64) -> bool {
        self.line_of(game).is_some()
    }

    /// The line of a game that was played.
    pub(crate) fn line_of(&self, game: u64) -> Option<usize> {
        let at = usize::try_from(game).ok()?;
        let place = self.places.get(at).filter(|place| place.bytes != 0)?;
        Some(place.line as usize)
    }

    /// The first game that was played beyond this one.
    pub(crate) fn beyond(&self, game: u64) -> Option<u64> {
        let after = game + 1..self.places.len() as u64;
        after.into_iter().find(|game| self.has(*game))
    }

    /// A game that was played.
    ///
    /// # Errors
    /// The file was changed meanwhile.
    pub(crate) fn game(&self, game: u64) -> Result<GameResult, Failure> {
        let place = self.places[usize::try_from(game).unwrap_or(usize::MAX)];
        let mut line = vec![0; place.bytes as usize];
        self.file.read_exact_at(&mut line, place.from)?;
        let line: Line<GameResult> = serde_json::from_slice(&line).map_err(|error| {
            let message = Message::new("journal-game")
                .text("directory", self.directory.display())
                .text("game", game)
                .text("said", error);
            Failure::told(Exit::Input, "journal", message)
        })?;
        Ok(line.result)
    }

    /// How many lines it has.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// How many games were played.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    /// Where it is.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Brings everything to the disk, so that a power cut loses nothing either.
    pub(crate) fn sync(&self) -> Result<(), Failure> {
        Ok(self.file.sync_data()?)
    }
}
