//! `grundy rules period` and `grundy rules table`: the Grundy values of the single heaps of a game.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use grundy_shared::Position;
use grundy_shared::chart::PeriodStrip;
use grundy_shared::theory::Meter;
use grundy_shared::theory::heap_values::HeapValues;
use grundy_words::Message;
use serde_json::{Value, json};

use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::save;
use crate::render;
use crate::written::{self, Kind};

/// Values that one call lists at most.
const MOST_LISTED: u64 = 100_000_000;
/// The largest heap.
const LARGEST: u64 = 1_000_000_000_000_000_000;
/// Memory for tables, in bytes.
const MEMORY: u64 = 1 << 31;
/// Lines that are written at once.
const PORTION: u64 = 4_096;

/// Arguments of `rules period`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy rules period octal.0.77
  grundy rules period octal.0.16 --json
  grundy rules period kayles --svg kayles.svg
  grundy rules period octal.0.6 --to 100000 --budget 10s

A period is reported only if it is proved. The proof is the bound of Guy and Smith, which needs \
the values beyond twice the preperiod plus the period.")]
pub(crate) struct Period {
    /// The rules of the game, such as octal.0.77, kayles or sub.1.3.4
    game: String,
    /// The largest heap to examine
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=LARGEST))]
    to: u64,
    /// Time limit
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    budget: Duration,
    /// Also write the first values to this file, as a picture in which the period is seen
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Arguments of `rules table`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy rules table kayles --to 20
  grundy rules table octal.0.6 --to 1000000 --last 5
  grundy rules table grundy --to 1000 --json

Each line shows the size of a heap and its value.")]
pub(crate) struct Table {
    /// The rules of the game, such as octal.0.77, grundy or sub.1.3.4
    game: String,
    /// The largest heap
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(0..=LARGEST))]
    to: u64,
    /// List only the last K values
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    last: Option<u64>,
}

impl Period {
    /// Says what is proved.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        if let Some(file) = &self.svg {
            written::check(file, Kind::Svg, &[])?;
        }
        let begun = Instant::now();
        let is_over = || begun.elapsed() >= self.budget;
        let values = values(&self.game, self.to, &is_over, context)?;
        if let Some((file, strip)) = self.svg.as_ref().zip(PeriodStrip::of(&values)) {
            save(file, strip.svg(&self.game).as_bytes())?;
        }
        let period = values.period;
        let checked_to = values.computed.saturating_sub(1);
        let limit_reached = period.is_none() && checked_to < self.to;
        if context.output.json {
            context.output.object(&json!({
                "schema": "grundy/period/1",
                "game": self.game,
                "preperiod": period.map(|period| period.start),
                "period": period.map(|period| period.length),
                "proved": period.is_some(),
                "checked_to": checked_to,
                "max_value": values.largest(),
                "limit_reached": limit_reached,
            }))?;
        } else {
            let words = context.output.words();
            let mut text = render::rules::period(&self.game, &values, words);
            if limit_reached {
                let why = match is_over() {
                    true => "period-stopped",
                    false => "period-no-table",
                };
                text.push_str(&words.say(why));
                text.push('\n');
            }
            context.output.text(&text)?;
        }
        Ok(Exit::Done)
    }
}

impl Table {
    /// Lists the values.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let count = self.last.unwrap_or(u64::MAX).min(self.to + 1);
        if count > MOST_LISTED {
            let message = Message::new("values-too-many")
                .text("count", count)
                .text("most", MOST_LISTED);
            return Err(
                Failure::told(Exit::Input, "out_of_range", message).help(self.last_five(self.to))
            );
        }
        let from = self.to + 1 - count;
        let values = values(&self.game, self.to, &|| false, context)?;
        if values.value(self.to).is_none() {
            let known = values.computed.saturating_sub(1);
            let message = Message::new("values-known-to")
                .text("game", &self.game)
                .text("known", known);
            return Err(
                Failure::told(Exit::Input, "out_of_range", message).help(self.last_five(known))
            );
        }
        if context.output.json {
            let list: Vec<Option<u64>> = (from..=self.to).map(|heap| values.value(heap)).collect();
            let table: Value = json!({
                "schema": "grundy/table/1",
                "game": self.game,
                "from": from,
                "to": self.to,
                "values": list,
            });
            context.output.object(&table)?;
            return Ok(Exit::Done);
        }
        let mut heap = from;
        while heap <= self.to {
            let mut lines = String::new();
            for heap in heap..=self.to.min(heap + PORTION - 1) {
                if let Some(value) = values.value(heap) {
                    writeln!(lines, "{heap}\t{value}").expect("writing to a String cannot fail");
                }
            }
            context.output.text(&lines)?;
            heap += PORTION;
        }
        Ok(Exit::Done)
    }

    /// How to list the last values up to this heap.
    fn last_five(&self, to: u64) -> Message {
        Message::new("values-last-how")
            .text("game", &self.game)
            .text("to", to)
    }
}

/// The values of the heaps of these rules up to `to`, or as far as they are known. Long work shows its progress if stderr is a terminal.
fn values(
    game: &str,
    to: u64,
    is_over: &dyn Fn() -> bool,
    context: &Context,
) -> Result<HeapValues, Failure> {
    let position = rules(game)?;
    let (begun, line) = (Instant::now(), context.output.progress_line());
    let mut reach = to.min(1 << 16);
    loop {
        let is_over = || {
            line.show_with(|| {
                Message::new("values-progress")
                    .text("seconds", begun.elapsed().as_secs())
                    .text("reach", reach)
                    .text("to", to)
                    .said(context.output.words())
            });
            is_over()
        };
        let mut meter = Meter::new(u64::MAX, MEMORY, &is_over);
        let values = position
            .heap_values(reach, &mut meter)
            .ok_or_else(|| no_heaps(game))?;
        let goes_on = values.period.is_none() && values.computed > reach && reach < to;
        if !goes_on {
            return Ok(values);
        }
        reach = reach.saturating_add(reach / 8).min(to);
    }
}

/// A position of these rules.
fn rules(game: &str) -> Result<Position, Failure> {
    let text = format!("{game}:0");
    let position = Position::parse(&text);
    position.map_err(
        |error| match error.column + error.length > game.chars().count() + 1 {
            // What is wrong stands behind the rules: the game has no heap to put there.
            true if !game.contains(':') && error.column > game.chars().count() + 1 => {
                no_heaps(game)
            }
            _ => Failure::notation(&text, &error),
        },
    )
}

/// The game has no heaps that have values of their own.
fn no_heaps(game: &str) -> Failure {
    let shown = render::clean(&render::short(game));
    let message = Message::new("values-none").text("game", shown);
    Failure::told(Exit::Input, "no_values", message).help(Message::new("values-none-how"))
}
