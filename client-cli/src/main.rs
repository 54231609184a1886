//! `grundy`: play, solve, explain and review Nim and its relatives in a terminal.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod account;
mod address;
mod arena;
mod arguments;
mod bot;
mod challenge;
mod commands;
mod config;
mod confirm;
mod connection;
mod context;
mod duration;
mod exit;
mod exploration;
mod failure;
mod fault;
mod global;
mod glossary;
mod held;
mod help;
mod identity;
mod invitation;
mod library;
mod match_source;
mod misread;
mod misunderstood;
mod moment;
mod output;
mod practice;
mod progress_line;
mod reading;
mod record;
mod render;
mod screen;
mod sealed;
mod secret_input;
mod seeking;
mod session;
mod spreadsheet;
mod system;
mod talk;
mod thinking;
mod trust;
mod verdict;
mod written;

use std::process::ExitCode;
use std::sync::OnceLock;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use grundy_words::{Language, Message};

use crate::arguments::Cli;
use crate::commands::Command;
use crate::config::Config;
use crate::context::{Context, Then};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::global::{Color, Global};
use crate::output::Output;

fn main() -> ExitCode {
    Color::asked(std::env::args_os()).apply();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli.with_own_meanings(),
        Err(error) => return not_understood(error).into(),
    };
    let global = &cli.global;
    let mut output = Output::new(global);
    // Where the settings are wrong, they still say in which language that is said.
    let spoken = || config::language_of(std::env::args_os());
    if let Some(failure) = without_effect(&cli) {
        output.in_language(spoken()).failure(&failure);
        return failure.exit().into();
    }
    let result = match cli.command {
        None => first(global, output, spoken),
        // A process that becomes a bot needs no settings, and must not fail over them.
        Some(Command::Bot(commands::bot::Command::Launch(launch))) => {
            let (failure, code) = launch.run();
            output.failure(&failure);
            return code;
        }
        Some(command) => match Config::load(global) {
            Err(failure) => {
                output = output.in_language(spoken());
                Err(failure)
            }
            Ok(config) => {
                output = output.in_language(config.language());
                run(command, &mut context(global, output, config))
            }
        },
    };
    result
        .unwrap_or_else(|failure| {
            output.failure(&failure);
            failure.exit()
        })
        .into()
}

/// What a command is given.
fn context(global: &Global, output: Output, config: Config) -> Context {
    Context {
        output: output.on_screen(config.screen()),
        config,
        config_file: config::file_path(global.config.as_deref()),
        then: OnceLock::new(),
    }
}

/// Without a command: the menu where there is a full screen, else what can be typed. Settings that are wrong do not prevent the latter.
fn first(global: &Global, output: Output, spoken: impl Fn() -> Language) -> Result<Exit, Failure> {
    if let Ok(config) = Config::load(global) {
        let output = output.in_language(config.language());
        let mut context = context(global, output, config);
        if let Some(signs) = context.output.signs {
            return commands::menu::show(signs, &mut context, |line, context| {
                let command = of_line(line).ok_or_else(|| Failure::internal("no such command"))?;
                run(command, context)
            });
        }
    }
    let words = output.in_language(spoken()).words();
    output.prose(&render::welcome::first_screen(words))?;
    Ok(Exit::Done)
}

/// Runs a command, and those that are to follow each other.
fn run(command: Command, context: &mut Context) -> Result<Exit, Failure> {
    let mut done = command.run(context, Cli::command)?;
    while let Some(next) = then(context) {
        done = next?;
    }
    Ok(done)
}

/// The command of this program with this name and these arguments.
fn of_line(line: Vec<String>) -> Option<Command> {
    let line = std::iter::once("grundy".to_owned()).chain(line);
    Cli::try_parse_from(line).ok()?.command
}

/// Runs the command that is to follow, with the same settings and on the same kind of screen.
fn then(context: &mut Context) -> Option<Result<Exit, Failure>> {
    let Then(arguments) = context.then.take()?;
    context.output.full = context.output.signs.is_some();
    let command = of_line(arguments)?;
    Some(command.run(context, Cli::command))
}

/// Refuses a flag about a server where none takes part.
fn without_effect(cli: &Cli) -> Option<Failure> {
    let command = cli.command.as_ref().filter(|command| command.is_local())?;
    let flag = cli.global.of_a_server()?;
    let message = Message::new("usage-without-server").text("flag", flag);
    let how = Message::new(match command {
        Command::Play(_) => "usage-without-server-play",
        _ => "usage-without-server-how",
    });
    Some(Failure::usage(message).help(how))
}

/// Prints clap's message: help and version on stdout, an error on stderr, as JSON if requested.
fn not_understood(error: clap::Error) -> Exit {
    let output = Output::of_errors(std::env::args_os().any(|flag| flag == "--json"));
    let output = output.in_language(config::language_of(std::env::args_os()));
    // The same tree with the texts and groups of a language fails in the same way.
    let error = help::in_language(Cli::command(), output.words())
        .try_get_matches_from(std::env::args_os())
        .err()
        .unwrap_or(error);
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        let shown = match output.language {
            Language::English => output.styled(&error.render().ansi().to_string()),
            _ => output.text(&render::help::broken(
                &error.render().to_string(),
                output.width(),
            )),
        };
        return match shown {
            Ok(()) => Exit::Done,
            Err(failure) => failure.exit(),
        };
    }
    if output.json {
        let text = error.render().to_string();
        let words = text.trim().trim_start_matches("error: ");
        let (message, hint) = words.split_once("\n\n").unwrap_or((words, ""));
        let mut failure = Failure::new(Exit::Usage, "usage", message);
        if !hint.is_empty() {
            failure = failure.hint(hint);
        }
        output.failure(&failure);
    } else if output.language == Language::English {
        output.warn(error.render().ansi().to_string().trim_end());
    } else if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        output.warn(&render::help::broken(
            &error.render().to_string(),
            output.width(),
        ));
    } else {
        output.warn(&misunderstood::said(&error, output.words()));
    }
    Exit::Usage
}
