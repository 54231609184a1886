//! `grundy puzzle`: won positions of real matches, to be won again.

mod choose;
mod list;
mod make;
mod next;
mod progress;
mod today;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use grundy_shared::puzzle::{Collection, Puzzle};
use humantime::{format_rfc3339_seconds, parse_rfc3339_weak};

use super::lesson::{Limits, Task, hold, tell};
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::local::now;
use crate::practice::deck::Deck;
use crate::practice::event::{Event, Next, SCHEMA};
use crate::practice::schedule::Day;
use crate::practice::store::Store;
use crate::record::{self, Kind};

/// Bytes of a file of puzzles that are read.
const MOST_BYTES: usize = 32 << 20;
/// Seconds of a day.
const DAY_SECONDS: u64 = 24 * 60 * 60;

/// Arguments of `puzzle`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  grundy puzzle                        the puzzle of today, the same for everybody
  grundy puzzle --day 2026-11-24
  grundy puzzle 17                     a puzzle by its number
  grundy puzzle next --family kayles --difficulty hard
  grundy puzzle list --theme pairs
  grundy puzzle make --out mine.ndjson
  grundy puzzle next --from mine.ndjson

Each puzzle is a position of a match in which a player gave the win away. The solver proves that it is won, and knows all winning moves: \
at most half of all moves win, there are at least four, and the next move does not end the game. Any winning move is right. Works without a \
server. A day begins at 0:00 UTC.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    today: today::Arguments,
}

/// What can be done with puzzles.
#[derive(Debug, Subcommand)]
enum Command {
    /// Solve the next puzzles that you have not solved
    Next(next::Arguments),
    /// List puzzles
    List(list::Arguments),
    /// Make puzzles out of the mistakes in matches
    Make(make::Arguments),
    /// Show how your puzzles went
    Progress(progress::Arguments),
}

impl Arguments {
    /// Puts puzzles, lists them or makes new ones.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self.command {
            None => self.today.run(context).await,
            Some(Command::Next(arguments)) => arguments.run(context).await,
            Some(Command::List(arguments)) => arguments.run(context),
            Some(Command::Make(arguments)) => arguments.run(context),
            Some(Command::Progress(arguments)) => arguments.run(context),
        }
    }
}

/// What the solver may use for each answer.
#[derive(Clone, Debug, Args)]
struct Solving {
    /// Time limit for each answer of the solver
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    budget: Duration,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

impl Solving {
    fn limits(&self) -> Limits {
        Limits {
            time: self.budget,
            memory_bytes: self.memory << 20,
        }
    }
}

/// The puzzles of a file, or those that come with the program.
fn collection(from: Option<&PathBuf>) -> Result<Collection, Failure> {
    let Some(path) = from else {
        return Ok(Collection::edition());
    };
    let kind = Kind {
        name: "file of puzzles",
        code: "bad_puzzles",
        made_by: "'grundy puzzle make' writes such a file",
    };
    let bytes = record::bytes(path, MOST_BYTES, &kind)?;
    let bad = |problem: String| {
        let words = format!("{}: {problem}", path.display());
        Failure::new(Exit::Input, "bad_puzzles", words).hint(kind.made_by)
    };
    if bytes.len() > MOST_BYTES {
        return Err(bad(format!("it has more than {MOST_BYTES} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        bad(format!("line {line}: it is not UTF-8"))
    })?;
    Collection::read(&text).map_err(|error| bad(error.to_string()))
}

/// Puts these puzzles with their numbers.
async fn put(
    context: &Context,
    solving: &Solving,
    puzzles: Vec<(usize, Puzzle)>,
    day: Option<Day>,
) -> Result<(), Failure> {
    let store = Store::open()?;
    // A damaged deck is found before the work begins.
    let deck = store.read()?;
    let of = puzzles.len();
    if context.output.json {
        let begin = Event::Begin {
            schema: SCHEMA,
            exercises: of,
        };
        tell(context, &begin)?;
    }
    let tasks = puzzles.into_iter().map(|(number, puzzle)| Task {
        attempt: puzzle.attempt(),
        put: asked(number, &puzzle, day, &deck),
        of: (number, puzzle),
    });
    let keep = |(number, puzzle): &(usize, Puzzle), performance| {
        store.update(|deck| {
            deck.solve_puzzle(&puzzle.key, performance, Day::of(now()));
            Ok(())
        })?;
        let share = || today::shared(*number, puzzle, day, performance);
        Ok(day.is_some().then(|| Event::Text {
            of: "share",
            text: share(),
        }))
    };
    let results = hold(context, solving.limits(), tasks.collect(), keep).await?;
    let left = of - usize::try_from(results.total()).unwrap_or(of);
    let next = Next::Puzzle;
    tell(
        context,
        &Event::End {
            results,
            left,
            next,
        },
    )
}

/// How a puzzle is put.
fn asked(number: usize, puzzle: &Puzzle, day: Option<Day>, deck: &Deck) -> Event<'static> {
    let (position, to_move) = puzzle.position();
    Event::Puzzle {
        number,
        day: day.map(date),
        position: position.to_string(),
        to_move,
        family: puzzle.family().name(),
        difficulty: puzzle.difficulty(),
        solved: deck.puzzle(&puzzle.key).map(|solved| solved.performance),
    }
}

/// A day as `2026-11-25`.
fn date(day: Day) -> String {
    let since_1970 = Duration::from_secs(u64::from(day.0) * DAY_SECONDS);
    let text = format_rfc3339_seconds(std::time::UNIX_EPOCH + since_1970).to_string();
    text.chars().take_while(|letter| *letter != 'T').collect()
}

/// Reads a day.
fn day(text: &str) -> Result<Day, String> {
    let wrong = || "expected a day such as 2026-11-30".to_owned();
    let at = parse_rfc3339_weak(&format!("{text} 00:00:00")).map_err(|_| wrong())?;
    let since_1970 = at
        .duration_since(std::time::UNIX_EPOCH)
        .map_err(|_| wrong())?;
    let days = since_1970.as_secs() / DAY_SECONDS;
    u32::try_from(days).map(Day).map_err(|_| wrong())
}
