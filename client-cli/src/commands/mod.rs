//! The commands, one file each: its arguments, and what it does.

mod completions;
mod config;
mod explain;
mod games;
mod graph;
mod join;
mod load;
mod man;
mod play;
mod resume;
mod review;
mod rules;
pub(crate) mod solve;
mod tables;
mod verify;
mod watch;
mod whoami;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand, ValueEnum};
use grundy_shared::Position;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::solver::Budget;

use crate::config::Config;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// What every command is given.
#[derive(Debug)]
pub(crate) struct Context {
    /// Where to speak.
    pub(crate) output: Output,
    /// What is set.
    pub(crate) config: Config,
    /// The file of settings, whether or not it exists.
    pub(crate) config_file: Option<PathBuf>,
}

/// What can be asked for.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a position: against a bot, a friend, or here without a server
    #[command(visible_alias = "p")]
    Play(play::Arguments),
    /// Take the other seat of a match by its code
    Join(join::Arguments),
    /// Go back into a match that is still running
    Resume(resume::Arguments),
    /// Follow a match that others play
    #[command(visible_alias = "w")]
    Watch(watch::Arguments),
    /// Show who threw the win away, where, and what would have kept it
    Review(review::Arguments),
    /// Say who wins a position, and with which moves
    #[command(visible_alias = "s")]
    Solve(solve::Arguments),
    /// Say why a position is won or lost, in the game's own terms
    Explain(explain::Arguments),
    /// Draw every position that can be reached, with its value
    Graph(graph::Arguments),
    /// Check the certificate of a verdict, without the solver
    Verify(verify::Arguments),
    /// List the games, or show how one is played and written
    Rules(rules::Arguments),
    /// List, show or export matches of the server
    Games(games::Arguments),
    /// Measure a server of your own under many matches
    Load(load::Load),
    /// Say who you are at the server
    Whoami(whoami::Arguments),
    /// Show the settings and the files they come from
    Config(config::Arguments),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
    /// Print the manual page
    Man(man::Arguments),
}

impl Command {
    /// Does it.
    pub(crate) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::Play(arguments) => online(arguments.run(context)),
            Self::Join(arguments) => online(arguments.run(context)),
            Self::Resume(arguments) => online(arguments.run(context)),
            Self::Watch(arguments) => online(arguments.run(context)),
            Self::Review(arguments) => online(arguments.run(context)),
            Self::Solve(arguments) => arguments.run(context),
            Self::Explain(arguments) => arguments.run(context),
            Self::Graph(arguments) => arguments.run(context),
            Self::Verify(arguments) => arguments.run(context),
            Self::Rules(arguments) => arguments.run(context),
            Self::Games(arguments) => online(arguments.run(context)),
            Self::Load(arguments) => measure(&arguments, context),
            Self::Whoami(arguments) => online(arguments.run(context)),
            Self::Config(arguments) => arguments.run(context),
            Self::Completions(arguments) => arguments.run(context),
            Self::Man(arguments) => arguments.run(context),
        }
    }
}

/// Runs the load generator, which keeps its own runtime. It measures a server of its own unless one was named.
fn measure(arguments: &load::Load, context: &Context) -> Result<Exit, Failure> {
    let server = context.config.named_server();
    match load::run(arguments, server.as_deref()) {
        Ok(Some(report)) => {
            match context.output.json {
                true => context.output.object(&report)?,
                false => context.output.line(&report.to_string())?,
            }
            Ok(match report.clean() {
                true => Exit::Done,
                false => Exit::Failed,
            })
        }
        // This was the process of the relay, which has spoken already.
        Ok(None) => Ok(Exit::Done),
        Err(error) => {
            let exit = Exit::ALL
                .iter()
                .find(|exit| exit.number() == error.exit_code());
            let exit = exit.copied().unwrap_or(Exit::Failed);
            Err(Failure::new(exit, "load", error.to_string()))
        }
    }
}

/// Runs a command that talks to others on this thread.
fn online(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let result = runtime.block_on(command);
    // A thread that waits for a line of stdin is not waited for.
    runtime.shutdown_background();
    result
}

/// Reads a position.
fn position(text: &str) -> Result<Position, Failure> {
    Position::parse(text).map_err(|error| Failure::notation(text, &error))
}

/// Reads a match id.
fn match_id(text: &str) -> Result<MatchId, Failure> {
    text.parse().map_err(|_| {
        let shown = crate::render::clean(text);
        Failure::new(Exit::Input, "bad_match", format!("'{shown}' is not a match id"))
            .hint("a match id is ten letters and digits such as 7Kq2mVx9Rt; 'grundy games list --mine' shows yours")
    })
}

/// The player of a coloured position.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colour {
    /// Owns blue.
    Left,
    /// Owns red.
    Right,
}

/// How long the solver may think, and for whom.
#[derive(Debug, Args)]
struct Thinking {
    /// Who is to move in a coloured position
    #[arg(long, value_name = "SIDE", default_value = "left")]
    side: Colour,
    /// How long to think about one position
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    budget: Duration,
    /// How much memory to use for it, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

impl Thinking {
    fn to_move(&self) -> Seat {
        match self.side {
            Colour::Left => Seat::First,
            Colour::Right => Seat::Second,
        }
    }

    /// Lets `work` think for the time given, counted from now.
    fn think<T>(&self, work: impl FnOnce(&Budget<'_>) -> T) -> T {
        think(self.budget, self.memory << 20, work)
    }
}

/// Lets `work` think for so long, counted from now.
pub(crate) fn think<T>(
    time: Duration,
    memory_bytes: u64,
    work: impl FnOnce(&Budget<'_>) -> T,
) -> T {
    let begun = Instant::now();
    work(&Budget {
        nodes: u64::MAX,
        memory_bytes,
        stop: &|| begun.elapsed() >= time,
    })
}
