//! `grundy arena`: bot against bot on this computer.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use grundy_shared::tournament::{Edition, MAX_PLAYERS};
use grundy_words::Message;

use crate::arena::{
    Adjudication, Ended, Entrant, Format, Journal, Keep, Order, Settings, Sprt, Suite, Time, run,
    usual_rounds, without_name,
};
use crate::bot::limits::Limits;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;

/// The solver's work on one position, in nodes, for accuracy and for adjudication.
const ORACLE_NODES: u64 = 200_000;

/// Arguments of `arena`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy arena --bot cmd:./mybot --bot skill:0.7 --pairs 100
  grundy arena --bot new=cmd:./new --bot old=cmd:./old --pairs 5000 --sprt elo0=0,elo1=10 --out new-old
  grundy arena --bot perfect --bot greedy --bot random --start nim:3,5,7 --pairs 10 --json
  grundy arena --resume new-old

Every pair is two games from one start, sides swapped. A bot is cmd:COMMAND, a built-in bot (perfect, random, \
greedy, teacher, trickster, skill:Q) or a TOML file; NAME= before it gives it a name. Starts come from a file with \
one position a line, or are made: random:nim,heaps=3-5,max=15,seed=7. The same seed and bots that always do the \
same give the same output at any concurrency. Ctrl-C once finishes the running games, twice ends them. \
With --screen full the standings, the cross-table and the games are tables while it runs. \
How bots talk: docs/BOTS.md.")]
pub(crate) struct Arguments {
    /// A bot that takes part; at least two
    #[arg(long = "bot", value_name = "BOT", required_unless_present = "resume")]
    bots: Vec<String>,
    /// The starts: a file, a position, or a recipe [default: random:nim,heaps=3-5,max=15]
    #[arg(long, value_name = "SUITE")]
    start: Option<String>,
    /// Pairs of games that two bots play when they meet
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        allow_negative_numbers = true
    )]
    pairs: u32,
    /// Who meets whom
    #[arg(long, value_name = "FORMAT", default_value = "round-robin")]
    format: Format,
    /// Rounds of a Swiss tournament [default: two more than a knockout would have]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    rounds: Option<u32>,
    /// The first bots of a gauntlet, who meet all the others
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    seeds: u32,
    /// Games at once [default: the number of cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    concurrency: Option<u16>,
    /// Time: 100ms for each move, or 10s+100ms for a starting time and an increment
    #[arg(long, value_name = "TIME", default_value = "1s")]
    time: Time,
    /// How far a bot may exceed its time
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = duration)]
    margin: Duration,
    /// How long a bot may take to start
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    start_limit: Duration,
    /// How long a bot that asks to be waited for may take to set up a game
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    new_game_limit: Duration,
    /// Stop when the test between the two bots is decided: elo0=0,elo1=10 in normalised Elo; further keys: alpha=0.05, beta=0.05, model=normalized or logistic
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Seed for all random choices [default: drawn, and shown]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// The order in which the starts are used
    #[arg(long, value_name = "ORDER", default_value = "sequential")]
    order: Order,
    /// A game of so many moves is a draw
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        allow_negative_numbers = true
    )]
    max_plies: u32,
    /// After N moves, end a game as soon as the solver proves who wins
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    adjudicate: Option<u32>,
    /// Do not count accuracy: saves the solver's time
    #[arg(long)]
    no_accuracy: bool,
    /// Faults in a row after which a bot plays no more; 0 for never
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        allow_negative_numbers = true
    )]
    faults: u32,
    /// Stop at the first fault, with exit code 1
    #[arg(long)]
    strict: bool,
    /// Keep a journal, the games and the standings in this directory
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Play the missing games of the arena in this directory, with its own settings
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "bots", "start", "pairs", "format", "rounds", "seeds", "time", "margin", "start_limit", "new_game_limit", "sprt", "seed",
            "order", "max_plies", "adjudicate", "no_accuracy", "faults", "strict", "Limits"
        ]
    )]
    resume: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

impl Arguments {
    /// Plays.
    pub(crate) fn run(self, context: &Context) -> Result<Exit, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let concurrency = self.concurrency.map_or(cores, usize::from);
        let output = &context.output;
        let (settings, suite, keep) = match &self.resume {
            Some(directory) => {
                let (journal, settings) = Journal::resume(directory)?;
                let suite = Suite::of_arena(directory, &settings)?;
                let before = Message::new("arena-before").text("games", journal.games());
                output.talk(&before.said(output.words()));
                (settings, suite, Keep::Resumed(journal))
            }
            None => {
                let (settings, suite) = self.settings()?;
                let keep = self.out.clone().map_or(Keep::Nowhere, Keep::Anew);
                (settings, suite, keep)
            }
        };
        Ok(match run(settings, suite, concurrency, keep, output)? {
            Ended::Done => Exit::Done,
            Ended::Fault => Exit::Failed,
            Ended::Interrupted => Exit::Interrupted,
        })
    }

    fn settings(&self) -> Result<(Settings, Suite), Failure> {
        let refuse = |why, how| {
            let about = |message| {
                Message::new(message)
                    .text("bots", self.bots.len())
                    .text("most", MAX_PLAYERS)
            };
            Failure::told(Exit::Input, "arena", about(why)).help(about(how))
        };
        if self.pairs == 0 {
            return Err(refuse("arena-no-pairs", "arena-no-pairs-how"));
        }
        if self.max_plies == 0 {
            return Err(refuse("arena-no-plies", "arena-no-plies-how"));
        }
        if self.bots.len() > MAX_PLAYERS as usize {
            return Err(refuse("arena-too-many", "arena-too-many-how"));
        }
        let bots = self.bots.iter().map(|bot| Entrant::read(bot, &self.limits));
        let bots = bots.collect::<Result<Vec<_>, _>>()?;
        if bots.len() < 2 {
            return Err(refuse("arena-alone", "arena-alone-how"));
        }
        let mut names = std::collections::HashSet::new();
        let twice = bots.iter().position(|bot| !names.insert(&bot.name));
        if let Some(twice) = twice {
            let message = Message::new("arena-twice").text("name", &bots[twice].name);
            let how = Message::new("arena-twice-how");
            let how = how.text("bot", without_name(&self.bots[twice]));
            return Err(Failure::told(Exit::Input, "arena", message).help(how));
        }
        if self.sprt.is_some() && bots.len() != 2 {
            return Err(refuse("arena-sprt", "arena-sprt-how"));
        }
        let seed = self
            .seed
            .unwrap_or_else(|| u64::from(rand::random::<u32>()));
        let rounds = self.rounds.unwrap_or_else(|| usual_rounds(bots.len()));
        let start = self
            .start
            .clone()
            .unwrap_or_else(|| format!("random:nim,heaps=3-5,max=15,seed={seed}"));
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let mut settings = Settings {
            bots,
            format: self.format,
            pairs: self.pairs,
            rounds,
            seeds: self.seeds,
            start,
            suite: String::new(),
            order: self.order,
            seed,
            time: self.time,
            margin_ms: millis(self.margin),
            start_ms: millis(self.start_limit),
            new_game_ms: millis(self.new_game_limit),
            max_plies: self.max_plies,
            oracle_nodes: if self.no_accuracy { 0 } else { ORACLE_NODES },
            faults: self.faults,
            strict: self.strict,
            sprt: self.sprt,
            adjudicate: self.adjudicate.map(|plies| Adjudication {
                plies,
                nodes: ORACLE_NODES,
            }),
            tie_breaks: match self.format {
                Format::Swiss => Edition::March2026,
                // The texts agree if every pairing is known beforehand.
                _ => Edition::unnamed(),
            },
        };
        let suite = Suite::read(&settings.start, settings.starts_wanted())?;
        settings.suite = suite.hash.clone();
        Ok((settings, suite))
    }
}
