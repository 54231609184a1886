//! Files of puzzles.

use std::path::PathBuf;

use grundy_shared::puzzle::Collection;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::{self, Kind};

/// Bytes of a file of puzzles that are read.
const MOST_BYTES: usize = 32 << 20;

/// The puzzles of a file, or those that come with the program.
pub(super) fn collection(from: Option<&PathBuf>) -> Result<Collection, Failure> {
    let Some(path) = from else {
        return Ok(Collection::edition());
    };
    let kind = Kind {
        name: "file of puzzles",
        code: "bad_puzzles",
        made_by: "'grundy puzzle make' writes such a file",
    };
    let bytes = record::bytes(path, MOST_BYTES, &kind)?;
    let bad = |problem: String| {
        let words = format!("{}: {problem}", path.display());
        Failure::new(Exit::Input, "bad_puzzles", words).hint(kind.made_by)
    };
    if bytes.len() > MOST_BYTES {
        return Err(bad(format!("it has more than {MOST_BYTES} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        bad(format!("line {line}: it is not UTF-8"))
    })?;
    Collection::read(&text).map_err(|error| bad(error.to_string()))
}
