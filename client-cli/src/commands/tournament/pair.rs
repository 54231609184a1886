//! `grundy tournament pair`: the next round of a Swiss tournament.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use grundy_shared::tournament::{SwissError, SwissRound, Trf, next_round};
use grundy_words::{Catalogue, Message};
use serde::Serialize;

use super::report;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// Arguments of `tournament pair`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy tournament pair open.trf
  grundy tournament pair - --json < open.trf

The file holds all finished rounds and a line 'XXR 9' with the number of rounds. 'XXC white1' or \
'XXC black1' is the colour of the first player in round 1 (without it that of round 1, else \
white), 'XXZ 4 7' names who is absent, 'XXP 1 2' who must not meet. A bye that is already \
written into the column of the next round counts as an absence. Exits with 7 if no pairing is \
legal.")]
pub(super) struct Arguments {
    /// The tournament report (TRF-16); '-' reads stdin
    #[arg(value_name = "FILE")]
    source: PathBuf,
    /// Pair without regard to colours, as where each pairing is two games with sides swapped
    #[arg(long)]
    no_colours: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'r> {
    round: usize,
    pairs: &'r [(u32, u32)],
    bye: Option<u32>,
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let trf = report::read(&self.source)?;
        let Some(mut rules) = trf.swiss_rules() else {
            let why = Message::new("pair-no-rounds");
            let message = Message::new("file-fault").text("file", self.source.display());
            let failure = Failure::told(Exit::Input, "bad_trf", message.message("why", why));
            return Err(failure.help(Message::new("pair-no-rounds-how")));
        };
        rules.colours = !self.no_colours;
        let round = next_round(&trf.table, &rules).map_err(|error| {
            let (exit, fault, number) = match error {
                SwissError::Finished(number) => (Exit::Input, "finished", number),
                SwissError::TooFewPlayers(number) => (Exit::Input, "few", number),
                SwissError::TooManyPlayers(number) => (Exit::Input, "many", number),
                SwissError::NoPairing(number) => (Exit::Refused, "none", number),
            };
            let why = Message::new("pair-fault")
                .text("fault", fault)
                .text("n", number)
                .text("said", error);
            let message = Message::new("file-fault").text("file", self.source.display());
            Failure::told(exit, "no_pairing", message.message("why", why))
                .help(Message::new("pair-fault-how").text("fault", fault))
        })?;
        if context.output.json {
            context.output.object(&Report {
                round: round.round,
                pairs: &round.pairs,
                bye: round.bye,
            })?;
        } else {
            context
                .output
                .text(&text(&trf, &round, context.output.words()))?;
        }
        Ok(Exit::Done)
    }
}

/// The boards for people.
fn text(trf: &Trf, round: &SwissRound, words: &Catalogue) -> String {
    let name = |number: u32| {
        let player = trf.players.get(number as usize - 1);
        let name = player
            .map(|player| render::clean(&player.name))
            .unwrap_or_default();
        format!("{number} {name} ({})", trf.table.points(number))
    };
    let title = Message::new("pair-round").text("round", round.round);
    let mut text = format!("{}\n", title.said(words));
    for (board, (white, black)) in round.pairs.iter().enumerate() {
        writeln!(
            text,
            "{:>4}  {} - {}",
            board + 1,
            name(*white),
            name(*black)
        )
        .expect("writing to a String cannot fail");
    }
    if let Some(bye) = round.bye {
        writeln!(text, " {}  {}", words.say("pair-bye"), name(bye))
            .expect("writing to a String cannot fail");
    }
    text
}
