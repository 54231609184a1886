//! `grundy verify tournament`: computes a tournament again from its export.

use std::path::PathBuf;

use clap::Args;
use grundy_shared::export::{Fault, MAX_BYTES, Verified, verify};
use serde::Serialize;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::{self, Kind};
use crate::render;

/// What is read.
const KIND: Kind = Kind {
    name: "tournament",
    code: "bad_export",
    made_by: "'grundy tournament export TOURNAMENT FILE' writes such a file",
};

/// Arguments of `verify tournament`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy tournament export 7Kq2mVx9Rt cup.ndjson
  grundy verify tournament cup.ndjson

Everything is computed again from the file alone: the hash chain of the log, the commitment and the seed, the starts, all \
pairings, the moves and results of all games, standings, tie-breaks and ratings. The first error is named with its line. \
The exit code is 0 if all is right and 10 if something is not. Compare the head with the one that 'grundy tournament show' \
prints: a file that was made anew from beginning to end has another head.")]
pub(super) struct Arguments {
    /// An export written by 'grundy tournament export'; '-' reads stdin
    #[arg(value_name = "FILE")]
    source: PathBuf,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    accepted: bool,
    #[serde(flatten)]
    verified: Option<&'r Verified>,
    #[serde(flatten)]
    fault: Option<Found<'r>>,
}

/// What is wrong.
#[derive(Serialize)]
struct Found<'r> {
    line: usize,
    message: &'r str,
}

impl Arguments {
    /// Checks it.
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let bytes = record::bytes(&self.source, MAX_BYTES, &KIND)?;
        if bytes.len() > MAX_BYTES {
            let words = format!("{}: longer than {MAX_BYTES} bytes", self.source.display());
            return Err(Failure::new(Exit::Input, KIND.code, words).hint(KIND.made_by));
        }
        if !bytes.starts_with(br#"{"schema":"grundy/tournament/"#) {
            let words = format!(
                "{}: this is not the export of a tournament on a server",
                self.source.display()
            );
            let hint = match bytes.starts_with(br#"{"schema":"grundy/arena/"#) {
                true => "the directory of an arena is verified with: grundy verify arena DIR",
                false => KIND.made_by,
            };
            return Err(Failure::new(Exit::Input, KIND.code, words).hint(hint));
        }
        let checked = verify(&bytes);
        if context.output.json {
            context.output.object(&Report {
                schema: "grundy/verify-tournament/1",
                accepted: checked.is_ok(),
                verified: checked.as_ref().ok(),
                fault: checked.as_ref().err().map(|fault| Found {
                    line: fault.line,
                    message: &fault.why,
                }),
            })?;
        } else {
            context.output.prose(&words(&checked))?;
        }
        Ok(match checked {
            Ok(_) => Exit::Done,
            Err(_) => Exit::No,
        })
    }
}

/// The same for people.
fn words(checked: &Result<Verified, Fault>) -> String {
    match checked {
        Err(fault) => format!("not verified   {}\n", render::clean(&fault.to_string())),
        Ok(right) => {
            let winner = right.standings.rows.first();
            let winner = winner.map_or(String::new(), |row| {
                format!("   first: {}", render::clean(&row.name))
            });
            format!(
                "verified   {}   {} players, {} rounds, {} games{winner}\n  head {}\n",
                render::clean(&right.name),
                right.players,
                right.rounds,
                right.games,
                right.head
            )
        }
    }
}
