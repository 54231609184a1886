//! The command line: flags that every command takes, and how its refusals are told.

use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum};

use crate::commands::Command;
use crate::exit::Exit;

/// Shown when no command is given.
pub(crate) const FIRST_SCREEN: &str = "\
Nim and its relatives: play, solve, review.

  grundy play nim:3,5,7 --local   play a bot right here, no server needed
  grundy solve wythoff:5,8        who wins, and with which move
  grundy play nim:3,5,7 --invite  play a friend (start a server with: grundy-server)

Run 'grundy --help' for all commands, 'grundy rules list' for the games.
";

const EXAMPLES: &str = "\
Examples:
  grundy play nim:3,5,7                   play the server's bot
  grundy play nim:3,5,7 --local           play in this process, without a server
  grundy play wythoff:5,8 --invite --clock 3+2
  grundy join KWQHRMTB                    take the other seat
  grundy resume                           go back into a match that is still running
  grundy solve nim:1,4,6,7 --json
  grundy review match.ndjson

Settings: a flag, else GRUNDY_SERVER, GRUNDY_PROFILE, GRUNDY_NAME, GRUNDY_TIMEOUT, else the file
of 'grundy config path', else the default.
";

/// The text after the list of commands.
fn epilogue() -> String {
    format!("{EXAMPLES}\n{}", Exit::table())
}

/// Play, solve, explain and review Nim and its relatives.
#[derive(Debug, Parser)]
#[command(
    name = "grundy",
    version,
    after_long_help = epilogue(),
    disable_help_subcommand = false,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Flags that every command takes, before or after its name.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The server to talk to [default: GRUNDY_SERVER, the configuration, or http://127.0.0.1:7310]
    #[arg(short, long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// Which of your identities to be
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Results as JSON, for programs; an error is one JSON line on stderr
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Sentences only, nothing drawn (the only way to play as yet)
    #[arg(long, global = true)]
    pub(crate) plain: bool,
    /// When to use colour (nothing is coloured as yet)
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Say nothing besides the result
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Say what the connection does
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Ask nothing, as if stdin were not a terminal
    #[arg(long, global = true)]
    pub(crate) no_input: bool,
    /// The configuration file [default: GRUNDY_CONFIG, or see 'grundy config path']
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// How long to wait for an answer of the server [default: 10s]
    #[arg(long, global = true, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
}
