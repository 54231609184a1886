//! `grundy odds`: how likely players of known skill win.

mod compared;
mod fair;

use clap::Args;
use grundy_shared::odds::{Chance, NotComputed, Player, Table};
use grundy_words::{Catalogue, Message};
use serde_json::{Value, json};

pub(super) use fair::{FairArguments, fair_start};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::misread::Misread;
use crate::reading::position;
use crate::render::{headings, table};

/// Digits of a fraction that a table shows.
const SHOWN_DIGITS: usize = 24;

/// Arguments of `odds`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy odds nim:3,5,7 --skills 0.5,0.5
  grundy odds nim:3,5,6 --skills best,random
  grundy odds kayles:7@misere --skills 0.9,skill:0.7 --json

A player of skill 0.9 plays a winning move with probability 0.9 if there is one, and otherwise any legal move. \
'perfect' is 1, 'random' is 0. 'best' plays the move that is most likely to win against this opponent. \
The bots skill:Q give the win away if they do not keep it. \
All positions that can be reached are computed, up to 500,000.")]
pub(crate) struct Arguments {
    /// The position, such as nim:3,5,7
    position: String,
    /// The two players: skills from 0 to 1, perfect, random, best, or bots such as skill:0.7
    #[arg(long, value_name = "A,B", value_parser = players)]
    skills: Players,
}

/// Two players.
#[derive(Clone, Copy, Debug)]
struct Players([Player; 2]);

/// Reads two players.
fn players(text: &str) -> Result<Players, Misread> {
    match text.split(',').collect::<Vec<&str>>()[..] {
        [one, two] => {
            let read = |text: &str| {
                text.parse().map_err(|error| {
                    let message = Message::new("misread-player").text("text", text);
                    Misread(message.text("said", error))
                })
            };
            Ok(Players([read(one)?, read(two)?]))
        }
        _ => Err(Misread(Message::new("misread-players"))),
    }
}

impl Arguments {
    /// Computes both orders.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let start = position(&self.position)?;
        let [one, two] = self.skills.0;
        let orders = [[one, two], [two, one]];
        let orders = if one == two { &orders[..1] } else { &orders };
        let mut odds = Vec::new();
        for order in orders {
            let mut table = Table::new(order[0], order[1]);
            let first_wins = table.first_wins(&start).map_err(|error| refused(&error))?;
            odds.push((*order, first_wins, table.positions()));
        }
        if context.output.json {
            let rows = odds.iter().map(|(order, first_wins, positions)| {
                let mut row = chance(*first_wins);
                row["first"] = json!(order[0].to_string());
                row["second"] = json!(order[1].to_string());
                row["positions"] = json!(positions);
                row
            });
            let rows: Vec<Value> = rows.collect();
            context.output.object(&json!({
                "schema": "grundy/odds/1",
                "position": start.to_string(),
                "odds": rows,
            }))?;
            return Ok(Exit::Done);
        }
        let words = context.output.words();
        let rows: Vec<Vec<String>> = odds
            .iter()
            .map(|(order, first_wins, _)| {
                let mut row = vec![order[0].to_string(), order[1].to_string()];
                row.extend([
                    percent(*first_wins, words),
                    percent(first_wins.rest(), words),
                ]);
                row.push(fraction(*first_wins));
                row
            })
            .collect();
        let names = [
            "odds-first",
            "odds-second",
            ">odds-first-wins",
            ">odds-second-wins",
            "odds-exactly",
        ];
        let odds = table(&headings(names, words), &rows, context.output.width());
        let text = format!("{start}\n\n{odds}");
        context.output.text(&text)?;
        Ok(Exit::Done)
    }
}

fn refused(error: &NotComputed) -> Failure {
    Failure::told(Exit::Input, "no_odds", not_computed(error))
        .help(Message::new("odds-refused-how"))
}

/// Why odds are not computed.
fn not_computed(error: &NotComputed) -> Message {
    let why = match error {
        NotComputed::TooLarge => "large",
        NotComputed::Endless => "endless",
    };
    Message::new("odds-refused")
        .text("why", why)
        .text("said", error)
}

/// A chance for programs.
fn chance(first_wins: Chance) -> Value {
    json!({
        "first_wins": first_wins.value,
        "exact": first_wins.exact.map(|exact| exact.to_string()),
    })
}

/// A chance with two decimals of a percent. What is rounded to 0 or 100 without being it says so.
fn percent(chance: Chance, words: &Catalogue) -> String {
    let percent = 100.0 * chance.value;
    match percent {
        0.0 => "0 %".to_owned(),
        100.0 => "100 %".to_owned(),
        tiny if tiny < 0.01 => words.say("odds-below"),
        large if large > 99.99 => words.say("odds-above"),
        percent => format!("{percent:.2} %"),
    }
}

/// That the first player wins, as a fraction; empty where it has too many digits.
fn fraction(first_wins: Chance) -> String {
    let text = first_wins.exact.map(|exact| exact.to_string());
    text.filter(|text| text.len() <= SHOWN_DIGITS)
        .unwrap_or_default()
}
