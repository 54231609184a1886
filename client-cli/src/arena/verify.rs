//! Computes an arena again from the files that it wrote, and names the first thing that is not as it should be.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Lines, Read as _};
use std::path::Path;

use grundy_shared::oracle::Oracle;
use serde::Serialize;
use serde_json::Value;

use super::files::{FINAL, GAMES, JOURNAL, STANDINGS, STARTS, TOURNAMENT};
use super::head::{Head, hex};
use super::journal::Journal;
use super::plan::Plan;
use super::replay;
use super::report::{self, Final};
use super::result::GameResult;
use super::settings::Settings;
use super::standings::{self, Row, Table};
use super::suite::Suite;
use super::tally::Tally;
use super::task::{Task, differs};
use super::trf;
use crate::failure::Failure;
use crate::output::to_json;

/// By how much ratings, which come from an iteration, may differ between machines, and by how much other figures.
const RATINGS: f64 = 0.01;
const OTHERS: f64 = 1e-9;
/// The largest file that is read whole.
const MOST_BYTES: u64 = 64 << 20;

/// The first thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Fault {
    pub(crate) file: &'static str,
    /// The line, from 1.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Fault {
    fn new(file: &'static str, line: usize, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            file,
            line,
            message,
        }
    }
}

/// What was found right.
#[derive(Debug, Serialize)]
pub(crate) struct Verified {
    /// What was settled before the first game, to be compared with what was published.
    pub(crate) commitment: String,
    /// The head of the hash chain of all games.
    pub(crate) head: String,
    pub(crate) seed: u64,
    pub(crate) games: u64,
    pub(crate) pairs: u64,
    pub(crate) standings: Vec<Row>,
}

/// Why nothing is verified.
#[derive(Debug)]
enum Trouble {
    Found(Fault),
    /// The files could not be read.
    Failed(Failure),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Found(fault)
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Verifies the arena in this directory: settings, starts, who met whom, the moves, times, results and accuracy of all games, the
/// hash chain, standings, tie-breaks and ratings. Cost: that of pairing, and the solver's work on every position.
///
/// # Errors
/// There is no arena, or a file cannot be read.
pub(crate) fn verify(directory: &Path) -> Result<Result<Verified, Fault>, Failure> {
    match examine(directory) {
        Ok(verified) => Ok(Ok(verified)),
        Err(Trouble::Found(fault)) => Ok(Err(fault)),
        Err(Trouble::Failed(failure)) => Err(failure),
    }
}

fn examine(directory: &Path) -> Result<Verified, Trouble> {
    let (journal, settings) = Journal::inspect(directory)?
        .map_err(|damage| Fault::new(JOURNAL, damage.line, damage.why))?;
    let suite = starts(directory, &settings)?;
    let plan = Plan::new(&settings)
        .map_err(|error| Fault::new(JOURNAL, 1, format!("there is no plan: {error}")))?;
    let mut audit = Audit {
        settings: &settings,
        suite: &suite,
        journal: &journal,
        games: GamesFile::open(directory)?,
        tally: Tally::new(&settings),
        oracle: Oracle::new(settings.solver_nodes()),
        head: Head::new(settings.commitment()),
        found: 0,
    };
    let plan = audit.replay(plan)?;
    let Audit { tally, head, .. } = audit;
    let table = standings::table(&settings, &tally.scores, &plan);
    check_files(directory, &settings, &tally, &plan, &table, head)?;
    Ok(Verified {
        commitment: hex(&settings.commitment()),
        head: head.to_hex(),
        seed: settings.seed,
        games: tally.scores.games,
        pairs: tally.scores.pairs,
        standings: table.rows,
    })
}

/// The starts: they must be those that the settings name, and if they were made, they are made again.
fn starts(directory: &Path, settings: &Settings) -> Result<Suite, Trouble> {
    let text = read(directory, STARTS)?;
    let suite = Suite::listed(&text, STARTS)
        .map_err(|failure| Fault::new(STARTS, 1, failure.to_string()))?;
    if settings.start.starts_with("random:") {
        let made = Suite::read(&settings.start, settings.starts_wanted())
            .map_err(|failure| Fault::new(STARTS, 1, failure.to_string()))?;
        compare_lines(STARTS, &text, &made.text())?;
    }
    match suite.hash == settings.suite && text == suite.text() {
        true => Ok(suite),
        false => {
            let why = format!(
                "these are not the starts of the arena: their hash is {}, and the journal says {}",
                suite.hash, settings.suite
            );
            Err(Fault::new(STARTS, 1, why).into())
        }
    }
}

/// All games of the plan in their order.
struct Audit<'a> {
    settings: &'a Settings,
    suite: &'a Suite,
    journal: &'a Journal,
    games: GamesFile,
    tally: Tally<'a>,
    oracle: Oracle,
    head: Head,
    /// Games of the journal that are in the plan.
    found: u64,
}

impl Audit<'_> {
    fn replay(&mut self, mut plan: Plan) -> Result<Plan, Trouble> {
        let order = self.settings.order_of(self.suite.positions.len());
        let (mut from, mut pairs) = (0, 0);
        while !self.tally.scores.closed {
            let last = &self.tally.scores.encounters[from..];
            let Some(encounters) = plan.next(last, &self.tally.withdrawn()) else {
                break;
            };
            from = self.tally.scores.encounters.len();
            self.tally.scores.begin(&encounters);
            for encounter in &encounters {
                for nth in 0..encounter.pairs {
                    // Of the rest of the plan nothing counts, and of the journal nothing is left.
                    if self.tally.scores.closed && self.found == self.journal.games() {
                        break;
                    }
                    pairs += 1;
                    let task = Task::of(encounter, pairs, nth, &order);
                    self.game(&task, 0)?;
                    self.game(&task, 1)?;
                }
            }
        }
        self.games.ends()?;
        if self.found < self.journal.games() {
            let game = self.journal.beyond(2 * pairs).unwrap_or(0);
            let line = self.journal.line_of(game).unwrap_or(1);
            let why = format!("game {game} is not in the plan");
            return Err(Fault::new(JOURNAL, line, why).into());
        }
        Ok(plan)
    }

    fn game(&mut self, task: &Task, number: usize) -> Result<(), Trouble> {
        let (game, bots) = (task.game(number), task.players(number));
        let due = task.empty(number, self.settings, self.suite);
        let played = match self.journal.line_of(game) {
            Some(line) => {
                self.found += 1;
                self.played(task, game, line, &due)?
            }
            None if self.tally.scores.closed => return Ok(()),
            None if self.tally.is_out(bots) => due,
            None => {
                let why = format!(
                    "game {game} is missing; to play it: grundy arena --resume {}",
                    self.journal.directory().display()
                );
                return Err(Fault::new(JOURNAL, self.journal.lines() + 1, why).into());
            }
        };
        if self.tally.scores.closed {
            return Ok(());
        }
        let counted = self.tally.as_counted(played, bots);
        let line = to_json(&counted)?;
        self.games.next_is(&line, game)?;
        self.head.add(&line);
        self.tally.count(&counted, bots);
        Ok(())
    }

    /// A game of the journal, which is as the plan wants it and as its moves show it.
    fn played(
        &mut self,
        task: &Task,
        game: u64,
        line: usize,
        due: &GameResult,
    ) -> Result<GameResult, Trouble> {
        let mut result = self.journal.game(game)?;
        if let Some(why) = differs(&result, due) {
            return Err(Fault::new(JOURNAL, line, why).into());
        }
        let bots = [&result.first, &result.second].map(|name| {
            task.bots
                .into_iter()
                .find(|bot| self.settings.bots[*bot].name == *name)
        });
        let bots = [
            bots[0].unwrap_or(task.bots[0]),
            bots[1].unwrap_or(task.bots[1]),
        ];
        let start = &self.suite.positions[task.start];
        replay::check(self.settings, bots, start, &result, &mut self.oracle)
            .map_err(|why| Fault::new(JOURNAL, line, format!("game {game}: {why}")))?;
        result.timing = None;
        Ok(result)
    }
}

/// The games as they were counted.
struct GamesFile {
    lines: Lines<BufReader<File>>,
    line: usize,
}

impl GamesFile {
    fn open(directory: &Path) -> Result<Self, Trouble> {
        let file = File::open(directory.join(GAMES)).map_err(|error| missing(GAMES, error))?;
        let lines = BufReader::with_capacity(1 << 16, file).lines();
        Ok(Self { lines, line: 0 })
    }

    fn next_line(&mut self) -> Result<Option<String>, Trouble> {
        self.line += 1;
        match self.lines.next().transpose() {
            Ok(line) => Ok(line),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                Err(Fault::new(GAMES, self.line, "it is not UTF-8").into())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn next_is(&mut self, due: &str, game: u64) -> Result<(), Trouble> {
        let why = match self.next_line()? {
            Some(found) if found == due => return Ok(()),
            Some(_) => format!("game {game} is not as in the journal"),
            None => format!("the file ends, and game {game} is due"),
        };
        Err(Fault::new(GAMES, self.line, why).into())
    }

    fn ends(&mut self) -> Result<(), Trouble> {
        match self.next_line()? {
            None => Ok(()),
            Some(_) => {
                Err(Fault::new(GAMES, self.line, "the file has more games than counted").into())
            }
        }
    }
}

fn missing(file: &'static str, error: std::io::Error) -> Trouble {
    match error.kind() {
        ErrorKind::NotFound => Fault::new(file, 1, "the file is missing").into(),
        _ => error.into(),
    }
}

fn read(directory: &Path, name: &'static str) -> Result<String, Trouble> {
    let file = File::open(directory.join(name)).map_err(|error| missing(name, error))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8(bytes);
    text.map_err(|_| Fault::new(name, 1, "it is not UTF-8").into())
}

/// The files that follow from the games.
fn check_files(
    directory: &Path,
    settings: &Settings,
    tally: &Tally<'_>,
    plan: &Plan,
    table: &Table,
    head: Head,
) -> Result<(), Trouble> {
    let scores = &tally.scores;
    let found = read(directory, STANDINGS)?;
    compare_tables(&found, &report::csv(table))?;
    let found = read(directory, TOURNAMENT)?;
    compare_lines(
        TOURNAMENT,
        &found,
        &trf::text(settings, scores, plan, &table.rows),
    )?;
    let cut_short = plan.cut_short();
    let last = Final::of(settings, scores, table, cut_short.as_deref(), head);
    let found = read(directory, FINAL)?;
    let due: Value = serde_json::from_str(&to_json(&last)?)
        .map_err(|error| Fault::new(FINAL, 1, error.to_string()))?;
    let found: Value = serde_json::from_str(&found)
        .map_err(|error| Fault::new(FINAL, 1, format!("it is not JSON: {error}")))?;
    match difference(&found, &due, "") {
        None => Ok(()),
        Some(why) => Err(Fault::new(FINAL, 1, why).into()),
    }
}

fn compare_lines(file: &'static str, found: &str, due: &str) -> Result<(), Fault> {
    let (mut found, mut due) = (found.split_inclusive('\n'), due.split_inclusive('\n'));
    for line in 1.. {
        let why = match (found.next(), due.next()) {
            (None, None) => break,
            (Some(one), Some(two)) if one == two => continue,
            (Some(_), Some(two)) => format!("the line should be '{}'", two.trim_end()),
            (None, Some(two)) => format!("the file ends, and '{}' is due", two.trim_end()),
            (Some(_), None) => "the file should have ended".to_owned(),
        };
        return Err(Fault::new(file, line, why));
    }
    Ok(())
}

fn compare_tables(found: &str, due: &str) -> Result<(), Fault> {
    let names: Vec<&str> = due.lines().next().unwrap_or_default().split(',').collect();
    if found.lines().count() != due.lines().count() {
        let why = format!(
            "it has another number of lines than {}",
            due.lines().count()
        );
        return Err(Fault::new(STANDINGS, 1, why));
    }
    for (line, (found, due)) in (1..).zip(found.lines().zip(due.lines())) {
        let (found, due): (Vec<&str>, Vec<&str>) =
            (found.split(',').collect(), due.split(',').collect());
        if found.len() != due.len() {
            let why = format!("it has {} columns, not {}", found.len(), due.len());
            return Err(Fault::new(STANDINGS, line, why));
        }
        for ((found, due), name) in found.into_iter().zip(due).zip(&names) {
            let close = match (found.parse::<f64>(), due.parse::<f64>()) {
                (Ok(one), Ok(two)) => is_rating(name) && is_close(name, one, two),
                _ => false,
            };
            if found != due && !close {
                let why = format!("{name} is '{found}', and should be '{due}'");
                return Err(Fault::new(STANDINGS, line, why));
            }
        }
    }
    Ok(())
}

fn is_rating(name: &str) -> bool {
    name.contains("elo")
}

fn is_close(name: &str, one: f64, two: f64) -> bool {
    let most = if is_rating(name) { RATINGS } else { OTHERS };
    (one - two).abs() <= most
}

/// The first place in which two values differ, and how.
fn difference(found: &Value, due: &Value, place: &str) -> Option<String> {
    let at = |name: &str| match place {
        "" => name.to_owned(),
        _ => format!("{place}.{name}"),
    };
    match (found, due) {
        (Value::Object(found), Value::Object(due)) => {
            let extra = found.keys().find(|name| !due.contains_key(*name));
            if let Some(name) = extra {
                return Some(format!("{} should not be there", at(name)));
            }
            let members = due.iter();
            members
                .map(|(name, due)| (at(name), found.get(name), due))
                .find_map(|(place, found, due)| match found {
                    Some(found) => difference(found, due, &place),
                    None => Some(format!("{place} is missing")),
                })
        }
        (Value::Array(found), Value::Array(due)) if found.len() == due.len() => {
            let both = found.iter().zip(due).enumerate();
            both.map(|(n, (found, due))| difference(found, due, &at(&(n + 1).to_string())))
                .find_map(|difference| difference)
        }
        (Value::Number(one), Value::Number(two)) if two.is_f64() => {
            let (one, two) = (one.as_f64()?, two.as_f64()?);
            (!is_close(place, one, two)).then(|| format!("{place} is {one}, and should be {two}"))
        }
        _ => (found != due).then(|| format!("{place} is {found}, and should be {due}")),
    }
}
