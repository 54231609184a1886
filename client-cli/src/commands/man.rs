//! `grundy man`: the manual pages, one for each command.

use std::fs;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::Args;
use grundy_words::Message;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy man | man -l -
  grundy man tournament create | man -l -
  grundy man --to ~/.local/share/man/man1     every page, so that 'man grundy-play' works")]
pub(crate) struct Arguments {
    /// The command whose page to print [default: the page of grundy itself]
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    command: Vec<String>,
    /// Write the pages of all commands to this directory
    #[arg(long, value_name = "DIRECTORY")]
    to: Option<PathBuf>,
}

impl Arguments {
    /// Prints one page, or writes all of them.
    pub(crate) fn run(&self, context: &Context, tree: clap::Command) -> Result<Exit, Failure> {
        let mut tree = without_help(tree);
        tree.build();
        if let Some(directory) = &self.to {
            fs::create_dir_all(directory)?;
            let count = write_all(&tree, directory)?;
            let written = Message::new("man-written")
                .number("pages", count)
                .text("directory", directory.display());
            context.output.talk(&written.said(context.output.words()));
            return Ok(Exit::Done);
        }
        let mut command = &tree;
        for name in &self.command {
            command = command.find_subcommand(name).ok_or_else(|| {
                let shown = crate::render::clean(&crate::render::short(name));
                let message = Message::new("no-command")
                    .text("command", display_name(command))
                    .text("text", shown);
                Failure::told(Exit::NotFound, "no_such_command", message)
                    .help(Message::new("no-command-how"))
            })?;
        }
        context.output.text(&page(command)?)?;
        // The source of a manual page is not readable as text.
        if std::io::stdout().is_terminal() {
            let pipe = ["grundy man"]
                .into_iter()
                .chain(self.command.iter().map(String::as_str));
            let pipe = format!("{} | man -l -", pipe.collect::<Vec<_>>().join(" "));
            let how = Message::new("man-read").text("command", pipe);
            context.output.talk(&how.said(context.output.words()));
        }
        Ok(Exit::Done)
    }
}

/// The tree without the `help` commands, which have no pages.
fn without_help(tree: clap::Command) -> clap::Command {
    let tree = tree.disable_help_subcommand(true);
    let inner: Vec<String> = tree
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    inner
        .into_iter()
        .fold(tree, |tree, name| tree.mut_subcommand(name, without_help))
}

fn display_name(command: &clap::Command) -> &str {
    command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
}

fn page(command: &clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Writes the page of a command and those of the commands in it; how many there are.
fn write_all(command: &clap::Command, directory: &std::path::Path) -> Result<u64, Failure> {
    let path = directory.join(format!("{}.1", display_name(command)));
    fs::write(path, page(command)?)?;
    let mut count = 1;
    for inner in command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set())
    {
        count += write_all(inner, directory)?;
    }
    Ok(count)
}
