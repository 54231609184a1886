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
mod identity;
mod invitation;
mod library;
mod match_source;
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
mod talk;
mod thinking;
mod trust;
mod verdict;
mod written;

use std::process::ExitCode;
use std::sync::OnceLock;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use grundy_words::Language;

use crate::arguments::Cli;
use crate::commands::Command;
use crate::config::Config;
use crate::context::{Context, Then};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::global::Color;
use crate::output::Output;

fn main() -> ExitCode {
    Color::asked(std::env::args_os()).apply();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli.with_own_meanings(),
        Err(error) => return not_understood(&error).into(),
    };
    let global = &cli.global;
    let mut output = Output::new(global);
    if let Some(failure) = without_effect(&cli) {
        output.failure(&failure);
        return failure.exit().into();
    }
    let result = match cli.command {
        None => {
            // What is wrong with the settings is said where they matter.
            let language = Config::load(global)
                .map_or_else(|_| Language::default(), |config| config.language());
            let words = output.in_language(language).words();
            output
                .prose(&render::welcome::first_screen(words))
                .map(|()| Exit::Done)
        }
        // A process that becomes a bot needs no settings, and must not fail over them.
        Some(Command::Bot(commands::bot::Command::Launch(launch))) => {
            let (failure, code) = launch.run();
            output.failure(&failure);
            return code;
        }
        Some(command) => Config::load(global).and_then(|config| {
            output = output.in_language(config.language());
            let file = config::file_path(global.config.as_deref());
            let context = Context {
                output: output.on_screen(config.screen()),
                config,
                config_file: file,
                then: OnceLock::new(),
            };
            let done = command.run(&context, Cli::command)?;
            then(context).unwrap_or(Ok(done))
        }),
    };
    result
        .unwrap_or_else(|failure| {
            output.failure(&failure);
            failure.exit()
        })
        .into()
}

/// Runs the command that is to follow, with the same settings and on the same kind of screen.
fn then(mut context: Context) -> Option<Result<Exit, Failure>> {
    let Then(arguments) = context.then.take()?;
    context.output.full = context.output.signs.is_some();
    let line = std::iter::once("grundy".to_owned()).chain(arguments);
    // It is a command of this program.
    let command = Cli::try_parse_from(line).ok()?.command?;
    Some(command.run(&context, Cli::command))
}

/// Refuses a flag about a server where none takes part.
fn without_effect(cli: &Cli) -> Option<Failure> {
    let command = cli.command.as_ref().filter(|command| command.is_local())?;
    let flag = cli.global.of_a_server()?;
    let words = format!("{flag} has no effect here: this command works without a server");
    let help = match command {
        Command::Play(_) => "leave out --local to play on the server",
        _ => "leave it out",
    };
    Some(Failure::usage(words).hint(help))
}

/// Prints clap's message: help and version on stdout, an error on stderr, as JSON if requested.
fn not_understood(error: &clap::Error) -> Exit {
    let output = Output::of_errors(std::env::args_os().any(|flag| flag == "--json"));
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return match output.styled(&error.render().ansi().to_string()) {
            Ok(()) => Exit::Done,
            Err(failure) => failure.exit(),
        };
    }
    if output.json {
        let text = error.render().to_string();
        let words = text.trim().trim_start_matches("error: ");
        let (message, hint) = words.split_once("\n\n").unwrap_or((words, ""));
        let mut failure = Failure::usage(message);
        if !hint.is_empty() {
            failure = failure.hint(hint);
        }
        output.failure(&failure);
    } else {
        output.warn(error.render().ansi().to_string().trim_end());
    }
    Exit::Usage
}
