//! `grundy tournament schedule`: who meets whom in every round.

use clap::{Args, ValueEnum};
use grundy_shared::tournament::{Bracket, Round, Schedule, ScheduleError, knockout_slots};
use grundy_words::{Catalogue, Message};
use serde::Serialize;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// The form of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Everybody meets everybody once, by the Berger tables
    Berger,
    /// Everybody meets everybody twice, once with each side
    DoubleBerger,
    /// The first --seeds players meet all others
    Gauntlet,
    /// Seeded so that the best meet last
    Knockout,
}

/// Arguments of `tournament schedule`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy tournament schedule --players 6 --format berger
  grundy tournament schedule --players 5 --format knockout --json
  grundy tournament schedule --players 8 --format gauntlet --seeds 2

In each game the player named first moves first. In a knockout neighbours of the list meet, and \
their winners; a number beyond the players is a bye.")]
pub(super) struct Arguments {
    /// How many players there are
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    players: u32,
    /// The form of the tournament
    #[arg(long, value_name = "FORMAT", default_value = "berger")]
    format: Format,
    /// How many players of a gauntlet meet all others
    #[arg(long, value_name = "K", default_value_t = 1)]
    seeds: u32,
}

/// What `--json` prints of rounds.
#[derive(Serialize)]
struct Rounds<'r> {
    rounds: &'r [Round],
}

/// What `--json` prints of a knockout.
#[derive(Serialize)]
struct Knockout<'b> {
    slots: &'b [u32],
    byes: &'b [u32],
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let schedule = match self.format {
            Format::Berger => Schedule::RoundRobin,
            Format::DoubleBerger => Schedule::DoubleRoundRobin,
            Format::Gauntlet => Schedule::Gauntlet { seeds: self.seeds },
            Format::Knockout => {
                let bracket = knockout_slots(self.players).map_err(refusal)?;
                return self.print_bracket(context, &bracket);
            }
        };
        let rounds = schedule.rounds(self.players).map_err(refusal)?;
        if context.output.json {
            context.output.object(&Rounds { rounds: &rounds })?;
        } else {
            context
                .output
                .text(&self.text(&rounds, context.output.words()))?;
        }
        Ok(Exit::Done)
    }

    fn print_bracket(&self, context: &Context, bracket: &Bracket) -> Result<Exit, Failure> {
        if context.output.json {
            context.output.object(&Knockout {
                slots: &bracket.slots,
                byes: &bracket.byes,
            })?;
            return Ok(Exit::Done);
        }
        let words = context.output.words();
        let mut lines = vec![Message::new("schedule-round").text("round", 1).said(words)];
        for two in bracket.slots.chunks(2) {
            let (one, two) = (two[0].min(two[1]), two[0].max(two[1]));
            let pairing = if two > self.players {
                Message::new("schedule-bye").text("name", one).said(words)
            } else {
                format!("{one} - {two}")
            };
            lines.push(format!("  {pairing}"));
        }
        lines.push(words.say("schedule-next"));
        context.output.text(&(lines.join("\n") + "\n"))?;
        Ok(Exit::Done)
    }

    fn text(&self, rounds: &[Round], words: &Catalogue) -> String {
        let mut text = String::new();
        for (place, round) in rounds.iter().enumerate() {
            let games: Vec<String> = round
                .iter()
                .map(|(one, two)| format!("{one}-{two}"))
                .collect();
            let plays = |player: &u32| {
                round
                    .iter()
                    .any(|(one, two)| one == player || two == player)
            };
            let byes = match self.format {
                Format::Gauntlet => Vec::new(),
                _ => (1..=self.players).filter(|player| !plays(player)).collect(),
            };
            let message = match byes.first() {
                Some(player) => Message::new("schedule-games-bye").text("player", player),
                None => Message::new("schedule-games"),
            };
            let message = message
                .text("round", place + 1)
                .text("games", games.join(" "));
            text.push_str(&message.said(words));
            text.push('\n');
        }
        text
    }
}

fn refusal(error: ScheduleError) -> Failure {
    let (case, example) = match error {
        ScheduleError::BadSeeds { .. } => ("seeds", "--players 8 --format gauntlet --seeds 2"),
        ScheduleError::TooFewPlayers(_) => ("few", "--players 8"),
        ScheduleError::TooManyPlayers(_) => ("many", "--players 8"),
        ScheduleError::TooManyGames(..) => ("games", "--players 8"),
    };
    let message = Message::new("schedule-bad")
        .text("case", case)
        .text("said", error);
    Failure::told(Exit::Input, "bad_schedule", message)
        .help(Message::new("schedule-bad-how").text("example", example))
}
