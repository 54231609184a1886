//! Tournament report files.

use std::path::Path;

use grundy_shared::tournament::{Trf, TrfProblem};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::{self, Kind};

/// The largest file: 9,999 players with 999 rounds have 100 MB.
const MAX_BYTES: usize = 128 << 20;

/// A player's line.
const EXAMPLE: &str = "\
a player's line looks like
  001    1      Tal, Mikhail                      2705                             1.5    1     3 w 1     2 b =";

const KIND: Kind = Kind {
    name: "tournament report",
    code: "bad_trf",
    made_by: EXAMPLE,
};

/// Reads a report from a file, or from stdin for `-`.
pub(super) fn read(path: &Path) -> Result<Trf, Failure> {
    let bytes = record::bytes(path, MAX_BYTES, &KIND)?;
    let failure = |words: String| {
        let words = format!("{}: {words}", path.display());
        Failure::new(Exit::Input, KIND.code, words)
    };
    if bytes.len() > MAX_BYTES {
        return Err(failure("the file is larger than 128 MiB".to_owned()));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        failure(format!("line {}: this is not UTF-8 text", line + 1)).hint(EXAMPLE)
    })?;
    text.parse::<Trf>().map_err(|error| {
        let hint = match &error.problem {
            TrfProblem::WrongPoints { .. } => {
                "columns 81-84 hold the points after the last finished round, such as ' 2.5'"
            }
            TrfProblem::Table(_) => {
                "both players' lines must show the same game, such as '2 w 1' and '1 b 0'"
            }
            TrfProblem::TooManyRounds { .. } => {
                "state the rounds of the whole tournament, such as 'XXR 9'"
            }
            TrfProblem::Unsupported(..) => {
                "remove these lines, or use a program that supports them"
            }
            TrfProblem::LongNumber => "write a file with fewer players, such as one for each group",
            _ => EXAMPLE,
        };
        failure(error.to_string()).hint(hint)
    })
}
