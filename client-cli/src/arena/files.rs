//! The files in the directory of an arena.

use std::fs;
use std::io;
use std::path::Path;

use grundy_words::Message;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::system;

/// What is played, and every finished game.
pub(crate) const JOURNAL: &str = "journal.ndjson";
/// The starts in their order in the suite, one a line.
pub(crate) const STARTS: &str = "starts.txt";
/// Every counted game, in the order of the plan.
pub(crate) const GAMES: &str = "games.ndjson";
/// The standings as CSV.
pub(crate) const STANDINGS: &str = "standings.csv";
/// The rounds as a tournament file.
pub(crate) const TOURNAMENT: &str = "tournament.trf";
/// The last line of `--json`.
pub(crate) const FINAL: &str = "final.json";

/// Writes a file of the arena.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| not_written(path, &error))
}

/// A file of the arena could not be written.
pub(crate) fn not_written(path: &Path, error: &io::Error) -> Failure {
    let message = Message::new("arena-unwritten")
        .text("file", path.display())
        .message("why", system::said(error));
    Failure::told(Exit::Failed, "arena", message).help(Message::new("arena-unwritten-how"))
}
