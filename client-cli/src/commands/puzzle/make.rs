//! `grundy puzzle make`.

use std::path::{Path, PathBuf};

use clap::Args;
use grundy_shared::practice::Exercise;
use grundy_shared::puzzle::{Collection, Puzzle};
use grundy_shared::record::Record;
use grundy_shared::referee::Status;
use grundy_shared::review::Review;
use grundy_words::Message;

use super::put::Solving;
use crate::commands::games::chunks::{Piece, each_record};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::library::Library;
use crate::record;
use crate::thinking::think;
use crate::written;

/// Arguments of `puzzle make`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Record files of matches that are over [default: all matches on this computer]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to write the puzzles; '-' or nothing writes to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace that file if it exists
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    solving: Solving,
}

impl Arguments {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        let out = self.out.as_deref().filter(|path| *path != Path::new("-"));
        if let Some(path) = out {
            record::check_writable(path)?;
            let reads: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
            written::not_read(path, &reads)?;
        }
        if let Some(path) = out.filter(|path| !self.force && path.exists()) {
            let message = Message::new("file-exists-already").text("file", path.display());
            return Err(Failure::told(Exit::Refused, "file_exists", message)
                .help(Message::new("file-exists-force")));
        }
        let (mut matches, mut mistakes, mut puzzles) = (0_u64, 0_u64, Vec::new());
        let mut add = |record: &Record| {
            if record.referee().status() == Status::Over {
                let (number, found) = self.of_match(record);
                (matches, mistakes) = (matches + 1, mistakes + number);
                puzzles.extend(found);
            }
        };
        if self.files.is_empty() {
            for record in Library::open()?.records(false)? {
                match record {
                    Ok(record) => add(&record),
                    Err(failure) => {
                        context
                            .output
                            .warn(&failure.as_warning(context.output.words()));
                    }
                }
            }
        }
        for path in &self.files {
            each_record(path, |piece| {
                match piece {
                    Piece::Record(record) => add(&record),
                    Piece::CutOff(warning) => {
                        context.output.warn(&warning.said(context.output.words()));
                    }
                }
                Ok(())
            })?;
        }
        let collection = Collection::of(puzzles);
        let text = collection.written();
        match out {
            Some(path) => record::save(path, text.as_bytes())?,
            None => context.output.bytes(text.as_bytes())?,
        }
        let made = collection.len() as u64;
        let counted = |message, n| Message::new(message).number("n", n);
        let made_of = Message::new("puzzle-made")
            .message("puzzles", counted("count-puzzles", made))
            .message("mistakes", counted("count-mistakes", mistakes))
            .message("matches", counted("count-matches", matches));
        let others = match mistakes.saturating_sub(made) {
            0 => None,
            others => Some(counted("puzzle-made-others", others)),
        };
        let words = context.output.words();
        let said = [Some(made_of), others].into_iter().flatten();
        let said: Vec<String> = said.map(|message| message.said(words)).collect();
        context.output.talk(&words.sentences(&said));
        Ok(Exit::Done)
    }

    /// How many wins were given away in a match, and the puzzles among them.
    fn of_match(&self, record: &Record) -> (u64, Vec<Puzzle>) {
        let limits = self.solving.limits();
        think(limits.time, limits.memory_bytes, |budget| {
            let review = Review::of(record.referee(), budget);
            let exercises = Exercise::all_of(&review, record.match_id(), budget);
            let puzzles = exercises
                .iter()
                .filter_map(|one| Puzzle::of(one, budget).ok());
            (exercises.len() as u64, puzzles.collect())
        })
    }
}
