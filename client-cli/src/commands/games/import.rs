//! `grundy games import`: adds records to the library on this computer.

use std::path::{Path, PathBuf};

use clap::Args;
use grundy_words::{Catalogue, Message};
use serde_json::json;

use super::chunks::{Piece, each_record};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::library::{Kept, Library};
use crate::output::Output;

/// Arguments of `games import`.
#[derive(Debug, Args)]
#[command(after_help = "\
A file holds the record of one match, or of several one after another, as 'grundy games export' writes them. Each \
record is replayed and checked before it is added. A cut-off record that is followed by another one is skipped with a warning. \
The import stops at the first other record that is not valid; the records before it are kept.")]
pub(super) struct Arguments {
    /// The files to read; '-' for stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// The number of records of each kind.
#[derive(Clone, Copy, Default)]
struct Tally {
    new: u32,
    extended: u32,
    known: u32,
    /// Cut off, so that there was nothing to put in.
    skipped: u32,
}

impl Tally {
    fn add(&mut self, kept: Kept) {
        *match kept {
            Kept::New | Kept::Repaired => &mut self.new,
            Kept::Extended => &mut self.extended,
            Kept::Known => &mut self.known,
        } += 1;
    }

    /// What was done, for people.
    fn said(self, directory: &str, words: &Catalogue) -> String {
        let counted = |message, n: u32| Message::new(message).text("n", n);
        let some = |message, n: u32| (n > 0).then(|| counted(message, n));
        let said = [
            Some(counted("import-new", self.new).text("directory", directory)),
            some("import-extended", self.extended),
            Some(counted("import-known", self.known)),
            some("import-skipped", self.skipped),
        ];
        let said = said.into_iter().flatten();
        let said: Vec<String> = said.map(|message| message.said(words)).collect();
        words.sentences(&said)
    }
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let library = Library::open()?;
        let mut tally = Tally::default();
        let imported = self
            .files
            .iter()
            .try_for_each(|path| import(&library, path, &context.output, &mut tally));
        let output = &context.output;
        let directory = library.path().display();
        if output.json && imported.is_ok() {
            output.object(&json!({
                "schema": "grundy/import/1",
                "directory": directory.to_string(),
                "imported": tally.new,
                "extended": tally.extended,
                "kept": tally.known,
                "skipped": tally.skipped,
            }))?;
        } else if !output.json {
            let said = tally.said(&directory.to_string(), output.words());
            output.talk(&said);
        }
        imported.map(|()| Exit::Done)
    }
}

/// Adds every record of a file to the library.
fn import(
    library: &Library,
    path: &Path,
    output: &Output,
    tally: &mut Tally,
) -> Result<(), Failure> {
    each_record(path, |piece| {
        let record = match piece {
            Piece::Record(record) => record,
            Piece::CutOff(warning) => {
                output.warn(&warning.said(output.words()));
                tally.skipped += 1;
                return Ok(());
            }
        };
        let kept = library.keep(&record)?;
        if kept == Kept::Repaired {
            let repaired = Message::new("import-repaired").text("match", record.match_id());
            output.warn(&repaired.said(output.words()));
        }
        tally.add(kept);
        Ok(())
    })
}
