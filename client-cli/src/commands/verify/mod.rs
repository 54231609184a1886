//! `grundy verify`: checks the certificate of a verdict, a tournament, or an arena.

mod arena;
mod tournament;

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, Subcommand};
use grundy_shared::certificate::{
    Certificate, Fault, MAX_BYTES, Outcome, Refusal, THEOREMS, Verified, WORK, verify,
};
use grundy_shared::theory::Meter;
use grundy_words::{Catalogue, Message};
use serde::Serialize;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::{self, Kind};
use crate::render;

/// Memory for the tables of closed forms, in bytes.
const MEMORY: u64 = 1 << 30;

/// What is read.
const KIND: Kind = Kind {
    name: "certificate",
    code: "bad_certificate",
    made_by: "made-by-solve",
};

/// Arguments of `verify`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "\
Examples:
  grundy solve kayles:7,5 --certificate kayles.json
  grundy verify kayles.json
  grundy verify - --json < kayles.json
  grundy verify tournament cup.ndjson
  grundy verify arena DIR

The exit code is 0 if the proof holds, 10 if it does not, and 3 if the file is not a certificate. \
The verifier uses the rules of the games and the theorems that it names, but not the solver.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// A certificate written by 'grundy solve --certificate'; '-' reads stdin
    #[arg(value_name = "FILE", required = true)]
    source: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compute a tournament again from its export
    Tournament(tournament::Arguments),
    /// Compute an arena again from the files that it wrote
    Arena(arena::Arguments),
}

/// The result for a certificate.
#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    accepted: bool,
    #[serde(flatten)]
    proved: Option<&'r Verified>,
    #[serde(flatten)]
    refused: Option<Refused<'r>>,
}

/// Why it is not accepted.
#[derive(Serialize)]
struct Refused<'r> {
    place: &'r str,
    message: &'r str,
}

impl Arguments {
    /// Checks it.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        match &self.command {
            Some(Command::Tournament(arguments)) => return arguments.run(context),
            Some(Command::Arena(arguments)) => return arguments.run(context),
            None => {}
        }
        let source = self.source.clone().unwrap_or_else(|| PathBuf::from("-"));
        let bytes = record::bytes(&source, MAX_BYTES, &KIND)?;
        let (begun, line) = (Instant::now(), context.output.progress_line());
        let goes_on = || {
            line.show_with(|| {
                Message::new("verify-progress")
                    .text("seconds", begun.elapsed().as_secs())
                    .said(context.output.words())
            });
            false
        };
        let mut meter = Meter::new(WORK, MEMORY, &goes_on);
        let checked =
            Certificate::read(&bytes).and_then(|certificate| verify(&certificate, &mut meter));
        drop(line);
        if let Err(refusal) = &checked
            && refusal.fault == Fault::Unreadable
        {
            let why = Message::new("verify-unreadable")
                .text("place", &refusal.place)
                .text("said", &refusal.message);
            return Err(match kind_of(&bytes) {
                Some(kind) => {
                    let other = Message::new("verify-other").text("kind", kind);
                    let how = Message::new("verify-other-how").text("kind", kind);
                    KIND.refused(&source, other).help(how)
                }
                None => KIND.refused(&source, why),
            });
        }
        if context.output.json {
            context.output.object(&report(&checked))?;
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

/// The kind of a file that is not a certificate but another file of ours.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], &str); 3] = [
        (br#"{"schema":"grundy/tournament/"#, "tournament"),
        (br#"{"schema":"grundy/arena/"#, "arena"),
        (br#"{"schema":"grundy/record/"#, "record"),
    ];
    let found = kinds
        .into_iter()
        .find(|(begin, _)| bytes.starts_with(begin));
    found.map(|(_, kind)| kind)
}

fn report(checked: &Result<Verified, Refusal>) -> Report<'_> {
    Report {
        schema: "grundy/verify/1",
        accepted: checked.is_ok(),
        proved: checked.as_ref().ok(),
        refused: checked.as_ref().err().map(|refusal| Refused {
            place: &refusal.place,
            message: &refusal.message,
        }),
    }
}

/// The same for people.
fn said(checked: &Result<Verified, Refusal>, words: &Catalogue) -> String {
    let proved = match checked {
        Ok(proved) => proved,
        Err(refusal) => {
            let refused = Message::new("verify-refused")
                .whether("costly", refusal.fault == Fault::Costly)
                .text("place", render::clean(&refusal.place))
                .text("said", render::clean(&refusal.message));
            return refused.said(words) + "\n";
        }
    };
    let case = match (proved.outcome, &proved.winning_move) {
        (Outcome::P, _) => "lost",
        (Outcome::N, None) if proved.theorems.contains(&"strategy-stealing") => "unknown-move",
        (Outcome::N, None) => "has-won",
        (Outcome::N, Some(_)) => "won",
        (Outcome::L, None) => "left",
        (Outcome::L, Some(_)) => "left-move",
        (Outcome::R, _) => "right",
        (Outcome::D, _) => "draw",
    };
    let mv = proved.winning_move.as_ref();
    let proof = Message::new("verify-proved")
        .text("case", case)
        .text("position", render::short(&proved.position))
        .text("move", mv.map_or_else(String::new, ToString::to_string));
    let value = proved.nim_value.map(|value| {
        let value = Message::new("verify-value").text("value", value.0);
        format!("   {}", value.said(words))
    });
    let mut text = proof.said(words) + &value.unwrap_or_default() + "\n";
    let trusted = THEOREMS
        .iter()
        .filter(|theorem| proved.theorems.contains(&theorem.name));
    for theorem in trusted {
        let trusted = Message::new("verify-theorem")
            .text("name", theorem.name)
            .text("statement", theorem.statement)
            .text("source", theorem.source);
        text.push_str(&format!("  {}\n", trusted.said(words)));
    }
    text
}
