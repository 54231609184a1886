//! `grundy games import`: adds records to the library on this computer.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use grundy_shared::record::{MAX_BYTES, Record};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::library::{Kept, Library};
use crate::record;

/// The beginning of a record's first line. No other line begins like this.
const HEADER: &[u8] = b"{\"schema\":";

/// Arguments of `games import`.
#[derive(Debug, Args)]
#[command(after_help = "\
A file holds the record of one match, or of several one after another, as 'grundy games export' writes them. Each \
record is replayed and checked before it is added. The import stops at the first record that is not valid; the records before it are kept.")]
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
}

impl Tally {
    fn add(&mut self, kept: Kept) {
        *match kept {
            Kept::New => &mut self.new,
            Kept::Extended => &mut self.extended,
            Kept::Known => &mut self.known,
        } += 1;
    }
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let library = Library::open()?;
        let mut tally = Tally::default();
        let imported = self
            .files
            .iter()
            .try_for_each(|path| import(&library, path, &mut tally));
        let output = &context.output;
        let directory = library.path().display();
        if output.json && imported.is_ok() {
            output.object(&json!({
                "schema": "grundy/import/1",
                "directory": directory.to_string(),
                "imported": tally.new,
                "extended": tally.extended,
                "kept": tally.known,
            }))?;
        } else if !output.json {
            let extended = match tally.extended {
                0 => String::new(),
                extended => format!(" Extended: {extended}."),
            };
            output.talk(&format!(
                "Imported into {directory}: {}.{extended} Already there: {}.",
                tally.new, tally.known
            ));
        }
        imported.map(|()| Exit::Done)
    }
}

/// Adds every record of a file to the library.
fn import(library: &Library, path: &Path, tally: &mut Tally) -> Result<(), Failure> {
    let source: Box<dyn io::Read> = match path == Path::new("-") {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(path).map_err(|error| record::about(path, &error))?),
    };
    let mut chunks = Chunks::new(BufReader::new(source));
    let mut records = 0_u32;
    loop {
        let line = chunks.line;
        let Some(bytes) = chunks.next().map_err(|error| record::about(path, &error))? else {
            break;
        };
        let record = Record::read(&bytes).map_err(|error| {
            let words = format!(
                "{}: line {}, column {}: {}",
                path.display(),
                line + error.line,
                error.column,
                error.message
            );
            Failure::new(Exit::Input, "bad_record", words)
                .hint(format!("a line looks like {}", error.example))
        })?;
        tally.add(library.keep(&record)?);
        records += 1;
    }
    if records == 0 {
        let words = format!("{}: {}", path.display(), "the file has no record");
        return Err(Failure::new(Exit::Input, "bad_record", words)
            .hint("'grundy games export MATCH FILE' writes one"));
    }
    Ok(())
}

/// Splits a stream of records at each header. Holds one record at a time, and no more of it than a valid record can have.
struct Chunks<R> {
    source: R,
    /// The number of lines returned so far.
    line: usize,
    /// The first line of the next record.
    header: Vec<u8>,
}

impl<R: BufRead> Chunks<R> {
    fn new(source: R) -> Self {
        Self {
            source,
            line: 0,
            header: Vec::new(),
        }
    }

    /// The bytes of the next record, or of the invalid text in its place; `None` at the end.
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = std::mem::take(&mut self.header);
        let mut lines = usize::from(!bytes.is_empty());
        // Text that is longer than any record is refused for its length, so the rest need not be read.
        while bytes.len() <= MAX_BYTES {
            let room = (MAX_BYTES + 1 - bytes.len()) as u64;
            let from = bytes.len();
            if self
                .source
                .by_ref()
                .take(room)
                .read_until(b'\n', &mut bytes)?
                == 0
            {
                break;
            }
            if from > 0 && bytes[from..].starts_with(HEADER) {
                self.header = bytes.split_off(from);
                break;
            }
            lines += 1;
        }
        self.line += lines;
        Ok((!bytes.is_empty()).then_some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_cut_at_headers() {
        let text =
            b"{\"schema\":1}\n{\"seq\":1}\n{\"schema\":2}\n{\"schema\":3}\n{\"seq\":1}\n{\"se";
        let mut chunks = Chunks::new(&text[..]);
        let mut seen = Vec::new();
        while let Some(chunk) = chunks.next().expect("a slice can be read") {
            seen.push((String::from_utf8(chunk).expect("UTF-8"), chunks.line));
        }
        let expected = [
            ("{\"schema\":1}\n{\"seq\":1}\n", 2),
            ("{\"schema\":2}\n", 3),
            ("{\"schema\":3}\n{\"seq\":1}\n{\"se", 6),
        ];
        let seen: Vec<_> = seen.iter().map(|(text, line)| (&**text, *line)).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_is_too_long_is_not_read_to_its_end() {
        let endless = io::repeat(b'x');
        let mut chunks = Chunks::new(BufReader::new(endless));
        let chunk = chunks.next().expect("it can be read");
        assert_eq!(chunk.map(|chunk| chunk.len()), Some(MAX_BYTES + 1));
    }
}
