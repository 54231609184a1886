//! `grundy stats ratings`: all players from all games at once.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use grundy_shared::statistics::{BtError, BtRating, BtResult, SMALLEST_COUNT, bradley_terry};
use grundy_words::{Catalogue, Language, Message};
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::{self, Kind};
use crate::render;

/// The largest file of results.
const MAX_BYTES: usize = 64 << 20;
/// The longest name.
const MAX_NAME: usize = 200;

/// What is read.
const KIND: Kind = Kind {
    name: "results",
    code: "bad_results",
    made_by: "made-by-results",
};

/// Arguments of `stats ratings`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy stats ratings results.csv
  grundy stats ratings - --json < results.csv

Each line is 'winner,loser,count'; a draw is half a game each way. A name with a comma is written \
in double quotes. Empty lines, lines that begin with '#' and a first line 'winner,loser,count' are \
skipped. Ratings are in Elo with a mean of 0. \
They exist if a chain of wins leads from each player to each other; if not, they are null and \
'why' says who is cut off.")]
pub(super) struct Arguments {
    /// The results as CSV; '-' reads stdin
    #[arg(value_name = "FILE")]
    source: PathBuf,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'r> {
    rows: Vec<Row<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Serialize)]
struct Row<'r> {
    name: &'r str,
    elo: Option<f64>,
}

/// Players in the order in which they are first named, and their games.
#[derive(Default)]
struct Field {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
    results: Vec<BtResult>,
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let bytes = record::bytes(&self.source, MAX_BYTES, &KIND)?;
        let field = self.read(&bytes)?;
        let (ratings, why) = match bradley_terry(field.names.len(), &field.results) {
            Ok(ratings) => (Some(ratings), None),
            Err(error @ (BtError::Disconnected(_) | BtError::NotConverged)) => {
                (None, Some(field.reason(&error)))
            }
            Err(error @ (BtError::Empty | BtError::BadResult(_))) => {
                let why = Message::new("ratings-empty").text("said", error);
                return Err(KIND.refused(&self.source, why));
            }
        };
        let mut order: Vec<usize> = (0..field.names.len()).collect();
        if let Some(ratings) = &ratings {
            order.sort_by(|one, two| ratings[*two].elo.total_cmp(&ratings[*one].elo));
        }
        if context.output.json {
            let rows = order.iter().map(|place| Row {
                name: &field.names[*place],
                elo: ratings.as_ref().map(|ratings| ratings[*place].elo),
            });
            let rows = rows.collect();
            let why = why.map(|why| why.said(Catalogue::of(Language::English)));
            context.output.object(&Report { rows, why })?;
        } else {
            let words = context.output.words();
            let mut text = field.table(&order, ratings.as_deref(), words);
            if let Some(why) = why {
                text.push_str(&format!("?  {}\n", render::clean(&why.said(words))));
            }
            context.output.text(&text)?;
        }
        Ok(Exit::Done)
    }

    fn read(&self, bytes: &[u8]) -> Result<Field, Failure> {
        let failure = |line: usize, why: Message| {
            let message = Message::new("ratings-line")
                .text("file", self.source.display())
                .text("line", line)
                .message("why", why);
            Failure::told(Exit::Input, KIND.code, message).help(Message::new(KIND.made_by))
        };
        if bytes.len() > MAX_BYTES {
            return Err(failure(1, Message::new("ratings-too-large")));
        }
        // The lines that count, and their numbers: the crate's own numbers are wrong after empty
        // lines and with "\r\n" (its issues 208 and 395).
        let (mut lines, mut numbers) = (String::new(), Vec::new());
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let number = index + 1;
            let text = std::str::from_utf8(line)
                .map_err(|_| failure(number, Message::new("ratings-not-utf8")))?;
            let text = text.trim_start_matches('\u{feff}').trim();
            let is_title = index == 0
                && text
                    .replace(' ', "")
                    .eq_ignore_ascii_case("winner,loser,count");
            if text.is_empty() || text.starts_with('#') || is_title {
                continue;
            }
            lines.push_str(text);
            lines.push('\n');
            numbers.push(number);
        }
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(lines.as_bytes());
        let mut field = Field::default();
        for (fields, number) in reader.records().zip(numbers) {
            fields
                .map_err(|error| Message::new("ratings-csv").text("said", error))
                .and_then(|fields| field.add(&fields))
                .map_err(|why| failure(number, why))?;
        }
        Ok(field)
    }
}

impl Field {
    /// Reads one line; what is wrong with it, in words.
    fn add(&mut self, fields: &csv::StringRecord) -> Result<(), Message> {
        if fields.iter().any(|field| field.contains('\n')) {
            return Err(Message::new("ratings-quote"));
        }
        let parts: Vec<&str> = fields.iter().collect();
        let [winner, loser, count] = parts.as_slice() else {
            return Err(Message::new("ratings-fields").text("got", parts.len()));
        };
        let number = count.parse::<f64>().ok();
        let count = number
            .filter(|count| *count == 0.0 || (SMALLEST_COUNT..=1e12).contains(count))
            .ok_or_else(|| {
                Message::new("ratings-count")
                    .text("text", render::short(count))
                    .text("least", SMALLEST_COUNT)
            })?;
        let (winner, loser) = (self.place(winner)?, self.place(loser)?);
        if winner == loser {
            return Err(Message::new("ratings-itself"));
        }
        self.results.push(BtResult {
            winner,
            loser,
            count,
        });
        Ok(())
    }

    fn place(&mut self, name: &str) -> Result<usize, Message> {
        if name.is_empty() {
            return Err(Message::new("ratings-no-name"));
        }
        if name.chars().count() > MAX_NAME {
            return Err(Message::new("ratings-long-name").text("most", MAX_NAME));
        }
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        let place = self.names.len();
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        Ok(place)
    }

    /// Why there are no ratings, with the names of those who are cut off.
    fn reason(&self, error: &BtError) -> Message {
        let BtError::Disconnected(part) = error else {
            return Message::new("ratings-not-converged").text("said", error);
        };
        let names: Vec<&str> = part
            .iter()
            .take(5)
            .map(|place| &*self.names[*place])
            .collect();
        let more = part.len().saturating_sub(5);
        Message::new("ratings-disconnected")
            .text("said", error)
            .text("names", names.join(", "))
            .number("more", more as u64)
    }

    fn table(&self, order: &[usize], ratings: Option<&[BtRating]>, words: &Catalogue) -> String {
        let shown: Vec<String> = self.names.iter().map(|name| render::clean(name)).collect();
        let width = shown
            .iter()
            .map(|name| name.width())
            .max()
            .unwrap_or(0)
            .max(4);
        let name = render::padded(&words.say("ratings-name"), width);
        let mut text = format!("{name}       elo   95 %\n");
        for place in order {
            let name = &shown[*place];
            let pad = " ".repeat(width - name.width());
            let figures = match ratings.map(|ratings| ratings[*place]) {
                Some(BtRating {
                    elo,
                    err: Some(err),
                }) => format!("{elo:>8.2}   +/- {err:.2}"),
                Some(BtRating { elo, err: None }) => format!("{elo:>8.2}"),
                None => "       ?".to_owned(),
            };
            writeln!(text, "{name}{pad}  {figures}").expect("writing to a String cannot fail");
        }
        text
    }
}
