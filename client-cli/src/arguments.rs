//! The command line: the global flags, the commands, and the text around their list.

use clap::Parser;

use crate::commands::{Command, bot};
use crate::exit::Exit;
use crate::global::Global;

const EXAMPLES: &str = "\
Examples:
  grundy                                  a menu, on a terminal
  grundy play nim                         play the server's bot, from nim:3,5,7
  grundy play nim:3,5,7 --local           play in this process, without a server
  grundy play wythoff:5,8 --invite --clock 3+2
  grundy join KWQHRMTB                    take the other seat; the link works, too
  grundy resume                           return to an unfinished match
  grundy solve nim:1,4,6,7 --json
  grundy review match.ndjson

Settings are taken from, in this order: flags; the environment (GRUNDY_SERVER, GRUNDY_CA, \
GRUNDY_PROFILE, GRUNDY_NAME, GRUNDY_TIMEOUT, GRUNDY_TOKEN_FILE, GRUNDY_GLYPHS, GRUNDY_SCREEN, GRUNDY_LANG); the file that \
'grundy config path' shows; the defaults.
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

impl Cli {
    /// The same where a command gives a flag a meaning of its own: in `bot new`, `--lang` is the language of the program.
    pub(crate) fn with_own_meanings(mut self) -> Self {
        if let Some(Command::Bot(bot::Command::New(_))) = self.command {
            self.global.lang = None;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::{env, fs};

    use clap::CommandFactory as _;
    use grundy_words::{Catalogue, Language};

    use super::*;

    /// The page of `docs/CLI.md`, from the same tree that parses the command line.
    fn page() -> String {
        let mut text = String::from(
            "# The command line\n\nMade from the program itself by `GRUNDY_REGENERATE=1 cargo test -p grundy-cli the_page`.\n",
        );
        text.push_str("\n## Exit codes\n\n| code | meaning | try again |\n|---|---|---|\n");
        for exit in Exit::ALL {
            writeln!(
                text,
                "| {} | {} | {} |",
                exit.number(),
                exit.meaning(),
                exit.retry()
            )
            .expect("writing to a String cannot fail");
        }
        let words = Catalogue::of(Language::English);
        let root = crate::help::in_language(Cli::command().term_width(100), words);
        describe(&root, "grundy", &mut text);
        text
    }

    /// The global options of the root are listed once, there; those of another command at each of its own.
    fn describe(command: &clap::Command, name: &str, text: &mut String) {
        let is_root = command.get_name() == name;
        let root = Cli::command();
        let is_of_the_root = |argument: &clap::Arg| {
            argument.get_id() == "help"
                || root
                    .get_arguments()
                    .any(|of| of.get_id() == argument.get_id())
        };
        let shown = command.clone().term_width(100).mut_args(|argument| {
            let is_elsewhere = argument.is_global_set() && is_of_the_root(&argument) && !is_root;
            let hidden = argument.is_hide_set() || is_elsewhere;
            argument.hide(hidden)
        });
        let help = shown.clone().render_help().to_string();
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        let help = lines.join("\n");
        writeln!(text, "\n## {name}\n\n```text\n{}\n```", help.trim())
            .expect("writing to a String cannot fail");
        for inner in command.get_subcommands() {
            if inner.get_name() != "help" && !inner.is_hide_set() {
                describe(inner, &format!("{name} {}", inner.get_name()), text);
            }
        }
    }

    #[test]
    fn the_page_is_what_the_program_says() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/CLI.md");
        let page = page();
        if env::var_os("GRUNDY_REGENERATE").is_some() {
            fs::write(path, &page).expect("the page can be written");
        }
        let kept = fs::read_to_string(path).expect("docs/CLI.md is there");
        assert!(
            kept == page,
            "docs/CLI.md is not what the program says: run GRUNDY_REGENERATE=1 cargo test -p grundy-cli the_page"
        );
    }

    #[test]
    fn a_flag_of_several_commands_is_on_the_page_of_each() {
        let page = page();
        let section = page.split("\n## grundy token create\n").nth(1);
        let section = section.and_then(|rest| rest.split("\n## ").next());
        let section = section.expect("the section of the command");
        assert!(section.contains("--bot"), "{section}");
        assert!(!section.contains("--server"), "{section}");
    }

    /// The terminal breaks the lines of a paragraph: a break of our own leaves stubs.
    #[test]
    fn no_paragraph_of_a_help_text_has_a_line_break() {
        fn check(command: &clap::Command) {
            for text in [command.get_after_help(), command.get_after_long_help()] {
                let text = text.map(ToString::to_string).unwrap_or_default();
                let lines: Vec<&str> = text.lines().collect();
                for pair in lines.windows(2) {
                    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
                    let is_broken = is_prose(pair[0]) && is_prose(pair[1]);
                    assert!(!is_broken, "{}: {pair:?}", command.get_name());
                }
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }

    #[test]
    fn every_variable_of_the_environment_is_named() {
        let named = epilogue();
        for source in [
            include_str!("config.rs"),
            include_str!("main.rs"),
            include_str!("global.rs"),
        ] {
            let names = source.split("GRUNDY_").skip(1).map(|rest| {
                let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
                &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]
            });
            for name in names.filter(|name| *name != "CONFIG") {
                assert!(named.contains(&format!("GRUNDY_{name}")), "{name}");
            }
        }
    }

    #[test]
    fn the_tree_of_commands_is_consistent() {
        Cli::command().debug_assert();
    }
}
