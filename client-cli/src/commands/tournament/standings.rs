//! `grundy tournament standings`: the players of a tournament file in order.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use grundy_shared::tournament::{
    Edition, Standing, TieBreak, TieBreakRules, Trf, UnknownTieBreak, standings,
};
use grundy_words::{Catalogue, Language, Message};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::report;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// The text of FIDE's C.07.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Text {
    /// Of 1 August 2024: an unplayed round counts a dummy with the player's own points
    #[value(name = "2024")]
    Of2024,
    /// Of 1 March 2026: the dummy's points have an upper bound
    #[value(name = "2026")]
    Of2026,
}

/// Arguments of `tournament standings`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy tournament standings open.trf
  grundy tournament standings open.trf --tie-breaks PTS,DE,BH-C1,SB --json
  grundy tournament standings club.trf --round-robin
  grundy tournament standings open.trf --trf > ranked.trf

Tie-breaks: PTS points, DE direct encounter, BH Buchholz, BH-C1 without the lowest opponent, \
BH-M1 without the lowest and the highest, SB Sonneborn-Berger, WIN rounds with a win's points, \
WON games won over the board, PS progressive, KS Koya. They apply in the order given; players \
whom none separates share a rank. Default: PTS,DE,BH-C1,BH,SB, in a round robin PTS,DE,SB,WIN.")]
pub(super) struct Arguments {
    /// The tournament report (TRF-16); '-' reads stdin
    #[arg(value_name = "FILE")]
    source: PathBuf,
    /// The tie-breaks in their order
    #[arg(long, value_name = "LIST")]
    tie_breaks: Option<String>,
    /// The pairings were known beforehand: forfeits count as games
    #[arg(long)]
    round_robin: bool,
    /// The text of FIDE's C.07 on unplayed rounds
    #[arg(long, value_name = "YEAR", default_value = "2026")]
    edition: Text,
    /// Print the tournament report again, with the ranks
    #[arg(long, conflicts_with = "json")]
    trf: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'r> {
    rows: Vec<Row<'r>>,
}

/// A row: `id`, `rank`, and a member for each tie-break.
struct Row<'r> {
    standing: &'r Standing,
    tie_breaks: &'r [TieBreak],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.standing.player)?;
        map.serialize_entry("rank", &self.standing.rank)?;
        for (tie_break, value) in self.tie_breaks.iter().zip(&self.standing.values) {
            map.serialize_entry(tie_break.acronym(), &value.to_f64())?;
        }
        map.end()
    }
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let tie_breaks = self.tie_breaks()?;
        let mut trf = report::read(&self.source)?;
        let rules = TieBreakRules {
            edition: match self.edition {
                Text::Of2024 => Edition::August2024,
                Text::Of2026 => Edition::March2026,
            },
            predetermined: self.round_robin,
        };
        let rows = standings(&trf.table, &tie_breaks, rules);
        if self.trf {
            for row in &rows {
                if let Some(player) = trf.players.get_mut(row.player as usize - 1) {
                    player.rank = Some(row.rank);
                }
            }
            context.output.text(&trf.to_string())?;
        } else if context.output.json {
            let rows = rows.iter().map(|standing| Row {
                standing,
                tie_breaks: &tie_breaks,
            });
            context.output.object(&Report {
                rows: rows.collect(),
            })?;
        } else {
            let output = &context.output;
            let text = text(&trf, &rows, &tie_breaks, output.width(), output.words());
            output.text(&text)?;
        }
        Ok(Exit::Done)
    }

    fn tie_breaks(&self) -> Result<Vec<TieBreak>, Failure> {
        let Some(list) = &self.tie_breaks else {
            return Ok(match self.round_robin {
                true => TieBreak::ROUND_ROBIN.to_vec(),
                false => TieBreak::SWISS.to_vec(),
            });
        };
        let mut column = 1;
        let mut tie_breaks = Vec::new();
        for part in list.split(',') {
            let refused = |message: Message| {
                let end = column + part.chars().count().max(1);
                Failure::told(Exit::Usage, "bad_tie_break", message)
                    .at(list, column, end, "a tie-break")
                    .help(Message::new("such-as").text("example", "--tie-breaks PTS,DE,BH-C1,SB"))
            };
            let tie_break = part.parse().map_err(|error: UnknownTieBreak| {
                let message = Message::new("tie-break-unknown").text("name", &error.0);
                refused(message.text("said", &error))
            })?;
            if tie_breaks.contains(&tie_break) {
                return Err(refused(
                    Message::new("tie-break-twice").text("name", tie_break),
                ));
            }
            tie_breaks.push(tie_break);
            column += part.chars().count() + 1;
        }
        Ok(tie_breaks)
    }
}

/// The table for people.
fn text(
    trf: &Trf,
    rows: &[Standing],
    tie_breaks: &[TieBreak],
    width: Option<usize>,
    words: &Catalogue,
) -> String {
    let name = |row: &Standing| {
        let player = trf.players.get(row.player as usize - 1);
        let name = player.map(|player| render::clean(&player.name));
        name.unwrap_or_default().trim().to_owned()
    };
    let [rank, id, heading] =
        ["standings-rank", "standings-id", "standings-name"].map(|name| words.say(name));
    let acronyms = tie_breaks
        .iter()
        .map(|tie_break| tie_break.acronym().to_owned());
    let headings = [rank, id].into_iter().chain(acronyms).chain([heading]);
    let rows = rows.iter().map(|row| {
        let places = [row.rank.to_string(), row.player.to_string()].into_iter();
        let values = row.values.iter().map(|value| value.to_f64().to_string());
        places.chain(values).chain([name(row)]).collect()
    });
    if words.language() == Language::English {
        let headings: Vec<String> = headings.collect();
        let lines = std::iter::once(headings).chain(rows);
        return lines.map(|cells| line(&cells)).collect();
    }
    let right = tie_breaks.len() + 2;
    let headings = headings.enumerate().map(|(place, heading)| match place {
        _ if place < right => format!(">{heading}"),
        _ => heading,
    });
    let (headings, rows): (Vec<String>, Vec<Vec<String>>) = (headings.collect(), rows.collect());
    render::table(&headings, &rows, width)
}

/// A line of the English table, whose columns have the same width in every tournament.
fn line(cells: &[String]) -> String {
    let [rank, id, values @ .., name] = cells else {
        return String::new();
    };
    let values: String = values.iter().map(|value| format!("{value:>8}")).collect();
    format!("{rank:>4}  {id:>4}{values}  {name}\n")
}
