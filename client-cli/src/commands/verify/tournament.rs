//! `grundy verify tournament`: computes a tournament again from its export.

use std::path::PathBuf;

use clap::Args;
use grundy_shared::export::{Fault, MAX_BYTES, Verified, verify};
use grundy_words::{Catalogue, Message};
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
    made_by: "made-by-tournament",
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
            let why = Message::new("verify-too-long").text("most", MAX_BYTES);
            return Err(KIND.refused(&self.source, why));
        }
        if !bytes.starts_with(br#"{"schema":"grundy/tournament/"#) {
            let failure = KIND.refused(&self.source, Message::new("verify-no-export"));
            return Err(match bytes.starts_with(br#"{"schema":"grundy/arena/"#) {
                true => failure.help(Message::new("verify-arena-how")),
                false => failure,
            });
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
            let words = context.output.words();
            context.output.prose(&said(&checked, words))?;
        }
        Ok(match checked {
            Ok(_) => Exit::Done,
            Err(_) => Exit::No,
        })
    }
}

/// The same for people.
fn said(checked: &Result<Verified, Fault>, words: &Catalogue) -> String {
    match checked {
        Err(fault) => {
            let fault = Message::new("verify-fault")
                .text("line", fault.line)
                .text("said", render::clean(&fault.to_string()));
            fault.said(words) + "\n"
        }
        Ok(right) => {
            let verified = Message::new("verify-tournament")
                .text("name", render::clean(&right.name))
                .text("players", right.players)
                .text("rounds", right.rounds)
                .text("games", right.games);
            let winner = right.standings.rows.first();
            let winner = winner.map(|row| winner_is(&row.name, words));
            let head = Message::new("verify-head").text("head", &right.head);
            format!(
                "{}{}\n  {}\n",
                verified.said(words),
                winner.unwrap_or_default(),
                head.said(words)
            )
        }
    }
}

/// Who is first, after a verdict.
pub(super) fn winner_is(name: &str, words: &Catalogue) -> String {
    let first = Message::new("verify-first").text("name", render::clean(name));
    format!("   {}", first.said(words))
}
