//! `grundy verify arena`: computes an arena again from the files that it wrote.

use std::path::PathBuf;

use clap::Args;
use grundy_words::{Catalogue, Message};
use serde::Serialize;

use super::tournament::winner_is;
use crate::arena::{Fault, Verified, verify};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// Arguments of `verify arena`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy arena --bot perfect --bot random --pairs 10 --out cup
  grundy verify arena cup

Everything is computed again from the files alone: settings, starts, who met whom, the moves, times and results of all \
games, accuracy, standings, tie-breaks and ratings. The first error is named with its file and line. The exit code is 0 \
if all is right and 10 if something is not. Compare the commitment with the one that the arena printed before its first \
game, and the head with the one that it printed at its end: files that were made anew from beginning to end have others.")]
pub(super) struct Arguments {
    /// The directory that was given to 'grundy arena --out'
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    accepted: bool,
    #[serde(flatten)]
    verified: Option<&'r Verified>,
    #[serde(flatten)]
    fault: Option<&'r Fault>,
}

impl Arguments {
    /// Checks it.
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let checked = verify(&self.directory)?;
        if context.output.json {
            context.output.object(&Report {
                schema: "grundy/verify-arena/1",
                accepted: checked.is_ok(),
                verified: checked.as_ref().ok(),
                fault: checked.as_ref().err(),
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
            let fault = Message::new("verify-arena-fault")
                .text("file", fault.file)
                .text("line", fault.line)
                .text("said", render::clean(&fault.message));
            fault.said(words) + "\n"
        }
        Ok(right) => {
            let verified = Message::new("verify-arena")
                .text("bots", right.standings.len())
                .text("games", right.games);
            let winner = right.standings.first();
            let winner = winner.map(|row| winner_is(&row.name, words));
            let commitment = Message::new("verify-commitment").text("hash", &right.commitment);
            let head = Message::new("verify-head").text("head", &right.head);
            format!(
                "{}{}\n  {}\n  {}\n",
                verified.said(words),
                winner.unwrap_or_default(),
                commitment.said(words),
                head.said(words)
            )
        }
    }
}
