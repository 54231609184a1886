//! The hints that were given for a move that is not made yet, beside the draft: a player who leaves and resumes has had them.

use std::fs;

use grundy_shared::ids::MatchId;
use serde::{Deserialize, Serialize};

use super::{DRAFT, FILE_MODE, Library};
use crate::failure::Failure;
use crate::identity::write_whole;
use crate::record;

/// The extension of the file.
const HINTS: &str = "hints";
/// The form of the file.
const SCHEMA: &str = "grundy/hints/1";

/// The hints for one move.
#[derive(Serialize, Deserialize)]
struct Hints {
    schema: String,
    /// The position in which they were given.
    position: String,
    /// How many.
    given: u32,
}

impl Library {
    /// How many hints were given in this position of a match. A damaged file has none.
    pub(crate) fn hints(&self, match_id: MatchId, position: &str) -> u32 {
        let path = self.file_of(match_id, HINTS);
        let bytes = record::check_regular(&path)
            .and_then(|()| fs::read(&path).map_err(|error| record::about(&path, &error)));
        let hints = bytes
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Hints>(&bytes).ok());
        hints.map_or(0, |hints| {
            match hints.position == position && hints.schema == SCHEMA {
                true => hints.given,
                false => 0,
            }
        })
    }

    /// Notes that so many hints were given in this position of a match. A match without a draft cannot be resumed, so nothing is noted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn note_hints(
        &self,
        match_id: MatchId,
        position: &str,
        given: u32,
    ) -> Result<(), Failure> {
        if !self.file_of(match_id, DRAFT).exists() {
            return Ok(());
        }
        let path = self.file_of(match_id, HINTS);
        let hints = Hints {
            schema: SCHEMA.to_owned(),
            position: position.to_owned(),
            given,
        };
        let mut bytes = serde_json::to_vec(&hints).map_err(std::io::Error::from)?;
        bytes.push(b'\n');
        write_whole(&path, &bytes, FILE_MODE).map_err(|error| record::about(&path, &error))
    }

    /// Removes the note: the match is over.
    pub(super) fn forget_hints(&self, match_id: MatchId) {
        // What cannot be removed hurts nobody.
        let _ = fs::remove_file(self.file_of(match_id, HINTS));
    }
}
