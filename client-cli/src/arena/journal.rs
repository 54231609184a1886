//! The journal: what is played and every finished game, one line each, written before anybody hears of the result. It is all that a
//! resume needs.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::result::GameResult;
use super::settings::Settings;
use crate::exit::Exit;
use crate::failure::Failure;

/// The file in the directory of an arena.
const NAME: &str = "journal.ndjson";
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
const ELSEWHERE: &str = "--resume takes the directory that was given to --out";

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
    /// Where each game stands, by its number; games that are missing have no bytes.
    places: Vec<(u64, u32)>,
    games: u64,
}

impl Journal {
    /// Begins an arena in this directory, which is made if it is not there.
    ///
    /// # Errors
    /// There is one already, or it cannot be written.
    pub(crate) fn begin(directory: &Path, settings: &Settings) -> Result<Self, Failure> {
        let shown = directory.display();
        let fail = |error: std::io::Error| {
            Failure::new(Exit::Failed, "journal", format!("--out {shown}: {error}"))
        };
        fs::create_dir_all(directory).map_err(fail)?;
        let path = directory.join(NAME);
        if path.exists() {
            return Err(Failure::new(
                Exit::Input,
                "journal",
                format!("--out {shown}: there is an arena in it already"),
            )
            .hint(format!(
                "go on with it: grundy arena --resume {shown}; or name another directory"
            )));
        }
        let file = OpenOptions::new()
            .create_new(true)
            .append(true)
            .read(true)
            .open(&path)
            .map_err(fail)?;
        let mut journal = Self {
            directory: directory.to_owned(),
            file,
            mark: settings.mark(),
            length: 0,
            places: Vec::new(),
            games: 0,
        };
        journal.lock()?;
        let head = Head {
            schema: SCHEMA.to_owned(),
            arena: journal.mark.clone(),
            settings: settings.clone(),
        };
        journal.write(&crate::output::to_json(&head)?)?;
        journal.sync()?;
        File::open(directory)
            .and_then(|directory| directory.sync_all())
            .map_err(fail)?;
        Ok(journal)
    }

    /// Reads what was played. A last line without its end was being written when the machine or the runner stopped: it is cut off, and its
    /// game will be played again.
    ///
    /// # Errors
    /// There is no arena, another runner has it, or it is damaged; the error names the line.
    pub(crate) fn resume(directory: &Path) -> Result<(Self, Settings), Failure> {
        let path = directory.join(NAME);
        let shown = path.display();
        let file = OpenOptions::new()
            .append(true)
            .read(true)
            .open(&path)
            .map_err(|error| {
                let exit = match error.kind() {
                    std::io::ErrorKind::NotFound => Exit::NotFound,
                    _ => Exit::Failed,
                };
                Failure::new(exit, "journal", format!("{shown}: {error}")).hint(ELSEWHERE)
            })?;
        let mut journal = Self {
            directory: directory.to_owned(),
            file,
            mark: String::new(),
            length: 0,
            places: Vec::new(),
            games: 0,
        };
        journal.lock()?;
        let settings = journal.read_all()?;
        journal.file.set_len(journal.length)?;
        Ok((journal, settings))
    }

    fn lock(&self) -> Result<(), Failure> {
        self.file.try_lock().map_err(|_| {
            let shown = self.directory.display();
            Failure::new(
                Exit::Refused,
                "journal",
                format!("{shown}: another runner is playing this arena"),
            )
            .hint("wait until it has ended, or end it")
        })
    }

    fn read_all(&mut self) -> Result<Settings, Failure> {
        let shown = self.directory.join(NAME).display().to_string();
        let damaged = |number: usize, why: &str| {
            Failure::new(
                Exit::Input,
                "journal",
                format!("{shown}, line {number}: {why}"),
            )
        };
        let mut reader = BufReader::with_capacity(1 << 20, self.file.try_clone()?);
        let mut settings = None;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read =
                std::io::Read::take(&mut reader, LINE_BYTES as u64).read_until(b'\n', &mut line)?;
            if read == 0 || line.pop() != Some(b'\n') {
                break;
            }
            if number == 1 {
                let not_one = |error: serde_json::Error| {
                    let why = format!("this is not the journal of an arena: {}", place(&error));
                    damaged(1, &why).hint(ELSEWHERE)
                };
                // The settings of another version need not be readable.
                let version: Version = serde_json::from_slice(&line).map_err(not_one)?;
                if version.schema != SCHEMA {
                    let why = format!(
                        "it is '{}', and this program reads {SCHEMA}",
                        crate::render::clean(&version.schema)
                    );
                    return Err(
                        damaged(1, &why).hint("resume it with the version of grundy that began it")
                    );
                }
                let head: Head = serde_json::from_slice(&line).map_err(not_one)?;
                if head.arena != head.settings.mark() {
                    return Err(
                        damaged(1, "the settings were changed after the arena began")
                            .hint("begin a new arena with --out for other settings"),
                    );
                }
                self.mark = head.arena;
                settings = Some(head.settings);
            } else {
                let game: Line<GameResult> = serde_json::from_slice(&line).map_err(|error| {
                    damaged(number, &place(&error))
                        .hint("delete this line, and --resume plays its game again")
                })?;
                if game.arena != self.mark {
                    return Err(damaged(number, "it belongs to another arena")
                        .hint("delete this line, or take the journal that belongs here"));
                }
                if !self.note(game.result.game, read) {
                    let why = format!("game {} stands in the journal twice", game.result.game);
                    return Err(damaged(number, &why).hint("delete one of the two lines"));
                }
            }
            self.length += read as u64;
        }
        settings.ok_or_else(|| {
            damaged(1, "the journal has no first line")
                .hint("nothing was played: begin anew with --out")
        })
    }

    /// Remembers where a game stands: at the end so far. False if it is known already.
    fn note(&mut self, game: u64, bytes: usize) -> bool {
        // A number beyond all bounds would be damage, and is refused by the plan.
        let Ok(at) = usize::try_from(game.min(50_000_000)) else {
            return false;
        };
        if self.places.len() <= at {
            self.places.resize(at + 1, (0, 0));
        }
        if self.places[at].1 != 0 {
            return false;
        }
        self.places[at] = (self.length, u32::try_from(bytes).unwrap_or(u32::MAX));
        self.games += 1;
        true
    }

    fn write(&mut self, text: &str) -> Result<usize, Failure> {
        let mut line = String::with_capacity(text.len() + 1);
        line.push_str(text);
        line.push('\n');
        // One write, so that a kill leaves the whole line or none.
        self.file.write_all(line.as_bytes()).map_err(|error| {
            let shown = self.directory.display();
            Failure::new(
                Exit::Failed,
                "journal",
                format!("{shown}: the journal cannot be written: {error}"),
            )
            .hint(format!("make room, then: grundy arena --resume {shown}"))
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
        self.note(result.game, written);
        self.length += written as u64;
        Ok(())
    }

    /// Whether a game was played.
    pub(crate) fn has(&self, game: u64) -> bool {
        let place = usize::try_from(game)
            .ok()
            .and_then(|at| self.places.get(at));
        place.is_some_and(|place| place.1 != 0)
    }

    /// A game that was played.
    ///
    /// # Errors
    /// The file was changed meanwhile.
    pub(crate) fn game(&self, game: u64) -> Result<GameResult, Failure> {
        let (from, bytes) = self.places[usize::try_from(game).unwrap_or(usize::MAX)];
        let mut line = vec![0; bytes as usize];
        self.file.read_exact_at(&mut line, from)?;
        let line: Line<GameResult> = serde_json::from_slice(&line).map_err(|error| {
            Failure::new(
                Exit::Input,
                "journal",
                format!("{}: game {game}: {error}", self.directory.display()),
            )
        })?;
        Ok(line.result)
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
