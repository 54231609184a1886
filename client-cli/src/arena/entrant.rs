//! The bots of an arena as they are named on the command line or described in a file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use grundy_shared::bot::Bot;
use grundy_words::Message;
use serde::{Deserialize, Serialize};

use super::time::Time;
use crate::bot::limits::{self, Limits};
use crate::bot::options;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::misread::Misread;
use crate::system;

/// The longest name.
const NAME_CHARACTERS: usize = 40;
/// What a name is.
const NAME: &str = "entrant-name-how";

/// A bot that takes part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Entrant {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) kind: Kind,
    /// Its own time, where it differs from the others'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<Time>,
}

/// What a bot is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// A built-in bot of this name.
    Builtin(String),
    /// A program.
    Program(Program),
}

/// How a program is started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    pub(crate) command: Vec<String>,
    pub(crate) directory: PathBuf,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) options: BTreeMap<String, String>,
    /// A new process for each game.
    #[serde(default)]
    pub(crate) restart: bool,
    pub(crate) memory: u64,
    pub(crate) files: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cpu: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) processes: Option<u64>,
}

impl Program {
    /// The bounds of its process.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            memory: self.memory,
            cpu: self.cpu,
            files: self.files,
            processes: self.processes,
        }
    }
}

/// The file of a bot.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    builtin: Option<String>,
    command: Option<CommandLine>,
    directory: Option<PathBuf>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    options: BTreeMap<String, toml::Value>,
    #[serde(default)]
    restart: bool,
    time: Option<String>,
    memory_mib: Option<u64>,
    files: Option<u64>,
    cpu_seconds: Option<u64>,
    processes: Option<u64>,
}

/// A command as a shell takes it, or in words.
#[derive(Deserialize)]
#[serde(untagged)]
enum CommandLine {
    Shell(String),
    Words(Vec<String>),
}

impl CommandLine {
    fn words(self) -> Vec<String> {
        match self {
            Self::Words(words) => words,
            // The shell becomes the bot, so that nothing stands between.
            Self::Shell(text) if text.trim().is_empty() => Vec::new(),
            Self::Shell(text) => vec!["sh".to_owned(), "-c".to_owned(), format!("exec {text}")],
        }
    }
}

impl Entrant {
    /// Reads `perfect`, `cmd:./mybot --fast`, `xor.toml`, each with a name before it if wanted: `fast=cmd:./mybot --fast`.
    ///
    /// # Errors
    /// It is none of these, or the file is not right; the error names the place.
    pub(crate) fn read(text: &str, limits: &Limits) -> Result<Self, Failure> {
        let (name, what) = split_name(text);
        let mut entrant = if let Some(command) = what.strip_prefix("cmd:") {
            if command.trim().is_empty() {
                return Err(wrong(text, Message::new("entrant-no-command")));
            }
            let words = CommandLine::Shell(command.to_owned()).words();
            Self {
                name: name_of_command(command),
                kind: Kind::Program(program(words, here()?, limits)),
                time: None,
            }
        } else if Path::new(what).extension().is_some_and(|end| end == "toml") {
            from_file(Path::new(what), limits)?
        } else if let Some((name, _)) = text.split_once('=').filter(|_| name.is_none()) {
            return Err(no_name(text, name));
        } else {
            let bot: Bot = what
                .parse()
                .map_err(|error| wrong(text, Message::new("entrant-no-bot").text("said", error)))?;
            Self {
                name: bot.to_string(),
                kind: Kind::Builtin(bot.to_string()),
                time: None,
            }
        };
        if let Some(name) = name {
            entrant.name = name.to_owned();
        }
        match is_name(&entrant.name) {
            true => Ok(entrant),
            false => Err(no_name(text, &entrant.name)),
        }
    }
}

/// The name before a bot, if there is one, and the bot.
fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, what)) if is_name(name) => (Some(name), what),
        _ => (None, text),
    }
}

/// A bot as it is named on the command line, without the name that stands before it.
pub(crate) fn without_name(text: &str) -> &str {
    split_name(text).1
}

fn here() -> Result<PathBuf, Failure> {
    Ok(std::env::current_dir()?)
}

fn program(command: Vec<String>, directory: PathBuf, limits: &Limits) -> Program {
    Program {
        command,
        directory,
        env: BTreeMap::new(),
        options: BTreeMap::new(),
        restart: false,
        memory: limits.memory,
        files: limits.files,
        cpu: limits.cpu,
        processes: limits.processes,
    }
}

fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:-".contains(c);
    (1..=NAME_CHARACTERS).contains(&name.chars().count())
        && name.chars().all(plain)
        && !name.starts_with("cmd:")
}

/// The last word of a command that is a path, without its ending: `python3 ./bots/xor.py --fast` is `xor`.
fn name_of_command(command: &str) -> String {
    let words = command.split_whitespace();
    let paths = words.filter(|word| !word.starts_with('-'));
    let chosen = paths.clone().rfind(|word| word.contains(['/', '.']));
    let path = chosen.or_else(|| paths.clone().next()).unwrap_or("bot");
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str());
    let name: String = stem
        .unwrap_or("bot")
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "._-".contains(*c))
        .take(NAME_CHARACTERS)
        .collect();
    match name.is_empty() {
        true => "bot".to_owned(),
        false => name,
    }
}

fn from_file(path: &Path, defaults: &Limits) -> Result<Entrant, Failure> {
    let text = fs::read_to_string(path).map_err(|error| {
        let exit = match error.kind() {
            std::io::ErrorKind::NotFound => Exit::NotFound,
            _ => Exit::Failed,
        };
        let message = Message::new("file-fault").text("file", path.display());
        Failure::told(
            exit,
            "bot_file",
            message.message("why", system::said(&error)),
        )
        .help(Message::new("bot-file-absent-how"))
    })?;
    let file: File = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| {
            text[..span.start.min(text.len())].matches('\n').count() + 1
        });
        let message = Message::new("bot-file-syntax")
            .text("file", path.display())
            .text("line", line)
            .text("said", error.message());
        Failure::told(Exit::Input, "bot_file", message).help(Message::new("bot-file-syntax-how"))
    })?;
    let refuse = |why: Message| {
        let message = Message::new("file-fault").text("file", path.display());
        Failure::told(Exit::Input, "bot_file", message.message("why", why))
    };
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => fs::canonicalize(parent)?,
        _ => here()?,
    };
    let time =
        match file.time {
            None => None,
            Some(time) => Some(time.parse().map_err(|Misread(why)| {
                refuse(Message::new("bot-file-time").message("why", why))
            })?),
        };
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let name = file
        .name
        .unwrap_or_else(|| stem.unwrap_or("bot").to_owned());
    let kind = match (file.builtin, file.command) {
        (Some(name), None) => {
            let bot: Bot = name
                .parse()
                .map_err(|error: grundy_shared::bot::BotError| {
                    refuse(Message::new("bot-file-builtin").text("said", error))
                })?;
            Kind::Builtin(bot.to_string())
        }
        (None, Some(command)) => {
            let words = command.words();
            if words.iter().all(|word| word.trim().is_empty()) {
                return Err(refuse(Message::new("bot-file-no-command")));
            }
            let directory = parent.join(file.directory.unwrap_or_default());
            if !directory.is_dir() {
                let why = Message::new("bot-file-directory");
                return Err(refuse(why.text("directory", directory.display())));
            }
            let bounds = [
                ("memory_mib", file.memory_mib, limits::MEMORY_MIB),
                ("files", file.files, limits::FILES),
                ("cpu_seconds", file.cpu_seconds, limits::CPU_SECONDS),
                ("processes", file.processes, limits::PROCESSES),
            ];
            for (key, value, range) in bounds {
                if value.is_some_and(|value| !range.contains(&value)) {
                    let (value, least, most) =
                        (value.unwrap_or_default(), range.start(), range.end());
                    let why = Message::new("bot-file-bound")
                        .text("key", key)
                        .text("value", value);
                    return Err(refuse(why.text("least", least).text("most", most)));
                }
            }
            let mut program = program(words, directory, defaults);
            for (name, value) in &file.env {
                options::check_variable(name, value)
                    .map_err(|said| refuse(Message::new("bot-file-variable").text("said", said)))?;
            }
            program.env = file.env;
            for (name, value) in file.options {
                let value = match value {
                    toml::Value::String(text) => text,
                    other => other.to_string(),
                };
                options::check_line(&name, &value)
                    .map_err(|said| refuse(Message::new("bot-file-option").text("said", said)))?;
                program.options.insert(name, value);
            }
            program.restart = file.restart;
            program.memory = file.memory_mib.unwrap_or(program.memory);
            program.files = file.files.unwrap_or(program.files);
            program.cpu = file.cpu_seconds.or(program.cpu);
            program.processes = file.processes.or(program.processes);
            Kind::Program(program)
        }
        (Some(_), Some(_)) => {
            return Err(refuse(Message::new("bot-file-both")));
        }
        (None, None) => {
            return Err(refuse(Message::new("bot-file-neither")));
        }
    };
    Ok(Entrant { name, kind, time })
}

fn wrong(text: &str, why: Message) -> Failure {
    let message = Message::new("entrant-bad").text("text", text);
    Failure::told(Exit::Input, "bad_bot", message.message("why", why))
        .help(Message::new("entrant-bad-how"))
}

fn no_name(text: &str, name: &str) -> Failure {
    let why = Message::new("entrant-no-name").text("name", name);
    wrong(text, why).help(Message::new(NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_names_of_their_programs() {
        for (command, name) in [
            ("./mybot", "mybot"),
            ("python3 bots/xor.py --fast", "xor"),
            ("node /a/b/greedy.mjs", "greedy"),
            ("mybot", "mybot"),
            ("'./odd name'", "odd"),
        ] {
            assert_eq!(name_of_command(command), name, "{command}");
        }
    }

    #[test]
    fn a_name_may_stand_before_a_bot() {
        let limits = Limits::default();
        let read = |text: &str| Entrant::read(text, &limits).map(|entrant| entrant.name);
        assert_eq!(read("skill:0.50").ok().as_deref(), Some("skill:0.5"));
        assert_eq!(read("weak=skill:0.1").ok().as_deref(), Some("weak"));
        assert_eq!(read("cmd:DEPTH=3 ./x").ok().as_deref(), Some("x"));
        assert!(read("cmd:").is_err());
        assert!(read("perfekt").is_err());
        assert!(read("a b=perfect").is_err());
    }
}
