//! Files of puzzles.

use std::path::PathBuf;

use grundy_shared::puzzle::Collection;
use grundy_words::Message;

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
        name: "puzzles",
        code: "bad_puzzles",
        made_by: "made-by-puzzle-make",
    };
    let bytes = record::bytes(path, MOST_BYTES, &kind)?;
    if bytes.len() > MOST_BYTES {
        let why = Message::new("puzzles-too-large").text("most", MOST_BYTES);
        return Err(kind.refused(path, why));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        kind.refused(path, Message::new("puzzles-not-utf8").text("line", line))
    })?;
    Collection::read(&text).map_err(|error| {
        let why = Message::new("puzzles-bad-line")
            .text("line", error.line)
            .text("said", error.problem);
        kind.refused(path, why)
    })
}
