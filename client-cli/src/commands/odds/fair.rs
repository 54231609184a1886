//! `grundy fair`: starts from which two players are about equally likely to win.

use clap::{Args, builder::RangedU64ValueParser};
use grundy_shared::Position;
use grundy_shared::odds::{Even, Player};
use grundy_words::Message;
use serde_json::{Value, json};

use super::compared::{Wanted, compared};
use super::{Players, chance, percent, players};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::misread::Misread;
use crate::render::{headings, table};

/// How far from even a fair start may be.
const FAIR: f64 = 0.01;
/// Among how many of the most even starts one is drawn for a match.
const DRAWN: usize = 10;

/// Arguments of `fair`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy fair --family nim --skills 0.5,0.75
  grundy fair --family nim --skills perfect,0.75 --heaps 3-4 --max 9
  grundy fair --family kayles --skills skill:0.9,skill:0.7 --misere --count 3

The players are those of 'grundy odds'. Starts whose odds are between 49 and 51 percent are listed, the most even first; \
either player may move first.")]
pub(crate) struct FairArguments {
    #[command(flatten)]
    family: FamilyArguments,
    /// The two players: skills from 0 to 1, perfect, random, best, or bots such as skill:0.7
    #[arg(long, value_name = "A,B", value_parser = players)]
    skills: Players,
    /// How many starts are listed at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000))]
    count: usize,
}

/// Which starts are compared.
#[derive(Debug, Args)]
struct FamilyArguments {
    /// A game whose positions are lists of heaps, such as nim, kayles or sub.1.3.4
    #[arg(long, value_name = "GAME", default_value = "nim")]
    family: String,
    /// The fewest and the most heaps [default: 2-4, or as many as the game has]
    #[arg(long, value_name = "FROM-TO", value_parser = heaps)]
    heaps: Option<[usize; 2]>,
    /// The size of the largest heap
    #[arg(long, value_name = "N", default_value_t = 7)]
    max: u64,
    /// The last move loses
    #[arg(long)]
    misere: bool,
}

/// Reads `2-4` or `3`.
fn heaps(text: &str) -> Result<[usize; 2], Misread> {
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<usize>().ok();
    match (number(fewest), number(most)) {
        (Some(fewest), Some(most)) => Ok([fewest, most]),
        _ => Err(Misread(Message::new("misread-heaps"))),
    }
}

impl FairArguments {
    /// Compares all starts.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let wanted = Wanted {
            game: self.family.family.clone(),
            heaps: self.family.heaps,
            max: self.family.max,
            misere: self.family.misere,
        };
        let players = self.skills.0;
        let fair = compared(context, &wanted, players)?;
        let words = context.output.words();
        if fair.left_out > 0 {
            let left_out = Message::new("fair-left-out").number("n", fair.left_out as u64);
            context.output.talk(&left_out.said(words));
        }
        let listed = fair.starts.iter().filter(|even| even.distance() <= FAIR);
        let listed: Vec<&Even> = listed.take(self.count).collect();
        if context.output.json {
            let rows = listed.iter().map(|even| {
                let mut row = chance(even.first_wins);
                row["position"] = json!(even.start.to_string());
                row["first"] = json!(players[even.first].to_string());
                row["second"] = json!(players[1 - even.first].to_string());
                row
            });
            let rows: Vec<Value> = rows.collect();
            context.output.object(&json!({
                "schema": "grundy/fair/1",
                "compared": fair.compared,
                "left_out": fair.left_out,
                "starts": rows,
            }))?;
            return Ok(Exit::Done);
        }
        if listed.is_empty() {
            let closest = fair.starts.first().map(|even| {
                Message::new("fair-closest")
                    .text("start", &even.start)
                    .text("first", players[even.first])
                    .text("wins", percent(even.first_wins, words))
            });
            let none = Message::new("fair-none").text("compared", fair.compared);
            let said = [Some(none), closest, Some(Message::new("fair-none-how"))];
            let said = said.into_iter().flatten();
            let said: Vec<String> = said.map(|message| message.said(words)).collect();
            context.output.talk(&words.sentences(&said));
            return Ok(Exit::Done);
        }
        let rows: Vec<Vec<String>> = listed
            .iter()
            .map(|even| {
                let (first, second) = (players[even.first], players[1 - even.first]);
                let mut row = vec![
                    even.start.to_string(),
                    first.to_string(),
                    second.to_string(),
                ];
                row.push(percent(even.first_wins, words));
                row
            })
            .collect();
        let names = [
            "fair-start",
            "odds-first",
            "odds-second",
            ">odds-first-wins",
        ];
        let headings = headings(names, words);
        context
            .output
            .text(&table(&headings, &rows, context.output.width()))?;
        Ok(Exit::Done)
    }
}

/// A start for a match of two players, the first of whom is drawn too unless it is given, and which of them moves first: 0 or 1. `draw` is below 1.
///
/// # Errors
/// A position is named and not a game, or no start of the game is fair.
pub(crate) fn fair_start(
    context: &Context,
    game: &str,
    players: [Player; 2],
    first: Option<usize>,
    draw: f64,
) -> Result<(Position, usize), Failure> {
    if game.contains([':', '@', '+']) {
        return Err(
            Failure::usage(Message::new("fair-position")).help(Message::new("fair-position-how"))
        );
    }
    let starts = Wanted {
        game: game.to_owned(),
        heaps: None,
        max: 7,
        misere: false,
    };
    let fair = compared(context, &starts, players)?;
    let wanted = |even: &&Even| {
        let mover = first.is_none_or(|first| first == even.first || players[0] == players[1]);
        mover && even.distance() <= FAIR
    };
    let starts: Vec<&Even> = fair.starts.iter().filter(wanted).take(DRAWN).collect();
    let place = (draw * starts.len() as f64) as usize;
    let Some(even) = starts.get(place) else {
        let [one, two] = players;
        let about = |message| {
            Message::new(message)
                .text("game", game)
                .text("first", one)
                .text("second", two)
        };
        let message = about("fair-no-start");
        return Err(
            Failure::told(Exit::Input, "no_fair_start", message).help(about("fair-no-start-how"))
        );
    };
    Ok((even.start.clone(), first.unwrap_or(even.first)))
}
