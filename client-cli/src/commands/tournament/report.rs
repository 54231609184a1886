//! Tournament report files.

use std::path::Path;

use grundy_shared::tournament::{Trf, TrfProblem};
use grundy_words::Message;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::{self, Kind};

/// The largest file: 9,999 players with 999 rounds have 100 MB.
const MAX_BYTES: usize = 128 << 20;

const KIND: Kind = Kind {
    name: "report",
    code: "bad_trf",
    made_by: "made-by-trf",
};

/// Reads a report from a file, or from stdin for `-`.
pub(super) fn read(path: &Path) -> Result<Trf, Failure> {
    let bytes = record::bytes(path, MAX_BYTES, &KIND)?;
    let failure = |why: Message| {
        let message = Message::new("file-fault").text("file", path.display());
        Failure::told(Exit::Input, KIND.code, message.message("why", why))
    };
    if bytes.len() > MAX_BYTES {
        return Err(failure(Message::new("trf-too-large")));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        let why = Message::new("trf-not-utf8").text("line", line + 1);
        failure(why).help(Message::new(KIND.made_by))
    })?;
    text.parse::<Trf>().map_err(|error| {
        let (problem, how) = named(&error.problem);
        let column = error.column.unwrap_or(0);
        let why = Message::new("trf-bad")
            .text("problem", problem)
            .text("line", error.line)
            .number("column", column as u64)
            .text("said", &error);
        failure(why).help(Message::new(how))
    })
}

/// What is wrong in a report, as messages name it, and the message that says what to do.
fn named(problem: &TrfProblem) -> (&'static str, &'static str) {
    match problem {
        TrfProblem::WrongPoints { .. } => ("points", "trf-points-how"),
        TrfProblem::Table(_) => ("table", "trf-table-how"),
        TrfProblem::TooManyRounds { .. } => ("rounds", "trf-rounds-how"),
        TrfProblem::Unsupported(..) => ("unsupported", "trf-unsupported-how"),
        TrfProblem::LongNumber => ("number", "trf-number-how"),
        TrfProblem::NoPlayers => ("empty", KIND.made_by),
        _ => ("other", KIND.made_by),
    }
}
