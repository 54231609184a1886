//! The help of commands in other languages than English, whose texts are the comments of the arguments.

use clap::builder::PossibleValue;
use clap::{Arg, Command};

use grundy_words::{Catalogue, Language, Message};

/// The text after the arguments, among the texts of a command.
pub(crate) const EPILOGUE: &str = "epilogue";

/// The message with what stands for values.
pub(crate) const VALUES: &str = "values";

/// The name of the command above all others.
pub(crate) const ROOT: &str = "grundy";

/// The commands by purpose, in the order in which the help lists them. Each heading is a message.
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "help-group-play",
        &[
            "play",
            "join",
            "resume",
            "watch",
            "lobby",
            "challenge",
            "challenges",
            "offers",
            "resign",
            "abort",
            "claim",
            "rating",
            "leaderboard",
        ],
    ),
    (
        "help-group-study",
        &[
            "puzzle", "learn", "solve", "explain", "review", "explore", "moves", "rules", "games",
            "graph", "odds", "fair", "verify",
        ],
    ),
    ("help-group-bots", &["bot", "arena", "tournament", "stats"]),
    (
        "help-group-account",
        &[
            "login", "logout", "whoami", "name", "password", "recover", "token", "identity",
            "mute", "unmute",
        ],
    ),
    (
        "help-group-tools",
        &["config", "completions", "man", "load", "admin", "help"],
    ),
];

/// The tree of commands with the texts of a language, and its commands in groups. What has no text keeps its English.
pub(crate) fn in_language(mut tree: Command, words: &Catalogue) -> Command {
    // The flags of every command, and the help of help, are made by this.
    tree.build();
    grouped(
        match words.language() {
            Language::English => tree,
            _ => translated(tree, ROOT, words),
        },
        words,
    )
}

/// The root with the list of its commands in groups, for which the parser has no notion: it writes the list, and this adds the headings.
fn grouped(root: Command, words: &Catalogue) -> Command {
    let names = GROUPS.iter().flat_map(|(_, names)| *names).enumerate();
    let root = names.fold(root, |root, (order, name)| {
        root.mut_subcommand(name, |command| command.display_order(order))
    });
    let list = root.clone().help_template("{subcommands}").render_help();
    let (header, literal) = (
        *root.get_styles().get_header(),
        *root.get_styles().get_literal(),
    );
    let heading = |message: &str| format!("\n{header}{}:{header:#}\n", words.say(message));
    let mut text = String::new();
    for line in list.ansi().to_string().lines() {
        let begins = |first: &str| line.starts_with(&format!("  {literal}{first}{literal:#}"));
        if let Some((message, _)) = GROUPS.iter().find(|(_, names)| begins(names[0])) {
            text.push_str(&heading(message));
        }
        text.push_str(line);
        text.push('\n');
    }
    let usage = match words.language() {
        Language::English => "{usage-heading} ".to_owned(),
        _ => words.say("help-usage"),
    };
    let options = heading("help-global");
    root.help_template(format!(
        "{{about-with-newline}}\n{usage}{{usage}}\n{text}{options}{{options}}{{after-help}}"
    ))
}

/// The name of a command below another one among the texts: `tournament-create`.
pub(crate) fn path(above: &str, name: &str) -> String {
    match above {
        ROOT => name.to_owned(),
        above => format!("{above}-{name}"),
    }
}

/// The command among whose texts an argument of a command stands: the one that gives it to those below.
pub(crate) fn home<'n>(argument: &Arg, command: &'n str) -> &'n str {
    match (argument.is_global_set(), argument.get_help_heading()) {
        (false, _) => command,
        (true, Some(_)) => ROOT,
        (true, None) => command.split('-').next().unwrap_or(command),
    }
}

/// A command and those below it.
fn translated(command: Command, name: &str, words: &Catalogue) -> Command {
    let usage = usage(&command, words);
    let template = format!(
        "{{about-with-newline}}\n{}{{usage}}\n\n{{all-args}}{{after-help}}",
        words.say("help-usage")
    );
    let about = about(&command, name, words);
    let mut command = command
        .mut_args(|argument| of_argument(argument, name, words))
        // A line of help is broken where it is printed: the parser would only break it at spaces.
        .term_width(0)
        .help_template(template)
        .override_usage(usage)
        .subcommand_help_heading(words.say("help-commands"));
    if let Some(about) = about {
        command = command.about(about.clone()).long_about(about);
        let aliases: Vec<String> = command.get_visible_aliases().map(str::to_owned).collect();
        // An alias that is visible would be named in English; it still works.
        command = command.visible_alias(None).aliases(aliases);
    }
    if let Some(epilogue) = words.help(name, Some(EPILOGUE)) {
        command = match command.get_after_help() {
            Some(_) => command.after_help(epilogue),
            None => command.after_long_help(epilogue),
        };
    }
    let inner: Vec<String> = command
        .get_subcommands()
        .map(|inner| inner.get_name().to_owned())
        .collect();
    inner.into_iter().fold(command, |command, inner| {
        let path = path(name, &inner);
        command.mut_subcommand(inner, |inner| translated(inner, &path, words))
    })
}

/// What a command is for, with its other names.
fn about(command: &Command, name: &str, words: &Catalogue) -> Option<String> {
    let about = match words.help(name, None) {
        // The parser's own command.
        None if command.get_name() == "help" => words.say("help-of-help"),
        about => about?,
    };
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    Some(match aliases.is_empty() {
        true => about,
        false => Message::new("help-alias")
            .text("about", about)
            .text("aliases", aliases.join(", "))
            .said(words),
    })
}

/// How a command is written.
fn usage(command: &Command, words: &Catalogue) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    let names = [
        ("[OPTIONS]", "help-options-name"),
        ("[COMMAND]", "help-command-name"),
    ];
    let names = names
        .into_iter()
        .fold(usage.to_owned(), |usage, (name, message)| {
            usage.replace(name, &words.say(message))
        });
    let arguments = command.get_arguments().filter_map(Arg::get_value_names);
    arguments.flatten().fold(names, |usage, name| {
        let own = value_name(name, words);
        let spelt = |open: char, close: char| {
            [
                format!("{open}{name}{close}"),
                format!("{open}{own}{close}"),
            ]
        };
        let [from, to] = spelt('<', '>');
        let usage = usage.replace(&from, &to);
        let [from, to] = spelt('[', ']');
        usage.replace(&from, &to)
    })
}

/// What stands for a value, such as FILE. What has no name in the language keeps its own.
fn value_name(name: &str, words: &Catalogue) -> String {
    let own = |name: &str| {
        let own = words.help(VALUES, Some(&name.to_ascii_lowercase()));
        own.unwrap_or_else(|| name.to_owned())
    };
    name.split('|').map(own).collect::<Vec<_>>().join("|")
}

/// An argument with its text, the values that it may have and the one that it has otherwise.
fn of_argument(argument: Arg, command: &str, words: &Catalogue) -> Arg {
    let id = argument.get_id().to_string();
    let text = match (&*id, argument.get_help_heading()) {
        ("help", None) => Some(words.say("help-help")),
        ("version", None) => Some(words.say("help-version")),
        _ => words.help(home(&argument, command), Some(&id)),
    };
    let heading = words.say(match argument.get_help_heading() {
        Some(_) => "help-global",
        // The root has no other options.
        None if command == ROOT => "help-global",
        None if argument.is_positional() => "help-arguments",
        None => "help-options",
    });
    let names: Vec<String> = argument
        .get_value_names()
        .unwrap_or_default()
        .iter()
        .map(|name| value_name(name, words))
        .collect();
    let takes_value = argument.get_action().takes_values();
    let text = text.map(|text| with_values(&argument, (command, &id), text, words));
    let argument = argument.help_heading(heading);
    let argument = match takes_value && !names.is_empty() {
        true => argument.value_names(names),
        false => argument,
    };
    match text {
        None => argument,
        Some((short, long)) => argument
            .help(short)
            .long_help(long)
            .hide_possible_values(true)
            .hide_default_value(true),
    }
}

/// A text with what holds if nothing is written, and with what may be: the names of the values in a short help, and what each means in a long one.
fn with_values(
    argument: &Arg,
    (command, id): (&str, &str),
    mut text: String,
    words: &Catalogue,
) -> (String, String) {
    if !argument.get_action().takes_values() {
        return (text.clone(), text);
    }
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<String> = defaults
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    if !defaults.is_empty() && !argument.is_hide_default_value_set() {
        let default = Message::new("help-default").text("value", defaults.join(" "));
        text.push_str(&default.said(words));
    }
    let values = match argument.is_hide_possible_values_set() {
        true => Vec::new(),
        false => argument.get_possible_values(),
    };
    if values.is_empty() {
        return (text.clone(), text);
    }
    let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
    let names = Message::new("help-values").text("values", names.join(&words.say("list-comma")));
    let short = text.clone() + &names.said(words);
    if values.iter().all(|value| value.get_help().is_none()) {
        return (short.clone(), short);
    }
    let meanings = values.iter().map(|value| {
        let part = format!("{id}-{}", value.get_name());
        let about = words.help(home(argument, command), Some(&part));
        let meaning = Message::new("help-value")
            .text("name", value.get_name())
            .text("about", about.unwrap_or_default());
        format!("\n{}", meaning.said(words))
    });
    let meanings: String = meanings.collect();
    let long = format!("{text}\n\n{}{meanings}", words.say("help-values-long"));
    (short, long)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use clap::CommandFactory as _;
    use grundy_words::HELP;

    use super::*;
    use crate::arguments::Cli;

    /// A part of the help: the command, and the argument, the value or the text after the arguments.
    type Part = (String, Option<String>);

    /// Every part of the help that is shown, with its English, without what the parser adds by itself.
    fn wanted(command: &Command, name: &str, parts: &mut BTreeMap<Part, String>) {
        let mut add = |name: &str, part: Option<String>, english: String| {
            parts.insert((name.to_owned(), part), english);
        };
        let about = command.get_about().map(ToString::to_string);
        add(name, None, about.unwrap_or_default());
        let epilogue = command
            .get_after_long_help()
            .or(command.get_after_help())
            .map(ToString::to_string);
        if let Some(epilogue) = epilogue {
            add(name, Some(EPILOGUE.to_owned()), epilogue);
        }
        for argument in command.get_arguments() {
            if argument.is_hide_set() {
                continue;
            }
            let id = argument.get_id().to_string();
            let help = argument.get_help().map(ToString::to_string);
            add(name, Some(id.clone()), help.unwrap_or_default());
            for value in argument.get_possible_values() {
                if let Some(help) = value.get_help() {
                    let part = format!("{id}-{}", value.get_name());
                    add(name, Some(part), help.to_string());
                }
            }
        }
        for inner in command.get_subcommands() {
            if !inner.is_hide_set() {
                wanted(inner, &path(name, inner.get_name()), parts);
            }
        }
    }

    fn all() -> BTreeMap<Part, String> {
        let mut parts = BTreeMap::new();
        wanted(&Cli::command(), ROOT, &mut parts);
        assert!(parts.len() > 400, "{}", parts.len());
        parts
    }

    /// The parts of a file, by the names of its messages and attributes.
    fn written(text: &str) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        let mut command = "";
        for line in text.lines() {
            let Some((name, _)) = line.split_once(" =") else {
                continue;
            };
            match name.strip_prefix("    .") {
                Some(part) => {
                    parts.insert((command.to_owned(), Some(part.to_owned())));
                }
                None if name.starts_with(|c: char| c.is_ascii_lowercase()) => {
                    command = name;
                    if !["common", VALUES].contains(&name) {
                        parts.insert((name.to_owned(), None));
                    }
                }
                None => {}
            }
        }
        parts
    }

    #[test]
    fn every_command_and_argument_has_a_text_in_every_language() {
        for (language, _) in HELP {
            let words = Catalogue::of(*language);
            let missing: Vec<Part> = all()
                .into_keys()
                .filter(|(command, part)| words.help(command, part.as_deref()).is_none())
                .collect();
            assert!(missing.is_empty(), "{language:?}: {missing:#?}");
        }
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut tree = Cli::command();
        tree.build();
        let shown = tree.get_subcommands().filter(|inner| !inner.is_hide_set());
        let shown: BTreeSet<&str> = shown.map(Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        assert_eq!(grouped.len(), shown.len(), "{grouped:?}");
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), shown);
    }

    #[test]
    fn the_help_lists_the_groups_in_every_language_and_width() {
        for language in [Language::English, Language::Chinese] {
            let words = Catalogue::of(language);
            for width in [40, 100] {
                let tree = Cli::command().term_width(width);
                let help = in_language(tree, words).render_help().to_string();
                let mut last = 0;
                for (message, names) in GROUPS {
                    let start = format!("\n\n{}:\n  {}", words.say(message), names[0]);
                    let at = help
                        .find(&start)
                        .unwrap_or_else(|| panic!("{start}: {help}"));
                    assert!(at > last, "{help}");
                    last = at;
                }
                assert!(help.contains("--server"), "{help}");
            }
        }
    }

    #[test]
    fn no_text_belongs_to_something_that_is_gone() {
        let parts = all();
        let is_somewhere = |part: &Option<String>| parts.keys().any(|(_, one)| one == part);
        let names: BTreeSet<String> = {
            let mut names = BTreeSet::new();
            value_names(&Cli::command(), &mut names);
            names
        };
        for (language, text) in HELP {
            let gone: Vec<Part> = written(text)
                .into_iter()
                .filter(|(command, part)| match &**command {
                    "common" => !is_somewhere(part),
                    VALUES => !part.as_ref().is_some_and(|part| names.contains(part)),
                    _ => !parts.contains_key(&(command.clone(), part.clone())),
                })
                .collect();
            assert!(gone.is_empty(), "{language:?}: {gone:#?}");
        }
    }

    fn value_names(command: &Command, names: &mut BTreeSet<String>) {
        let arguments = command.get_arguments().filter_map(Arg::get_value_names);
        for name in arguments.flatten() {
            names.extend(name.split('|').map(str::to_ascii_lowercase));
        }
        for inner in command.get_subcommands() {
            value_names(inner, names);
        }
    }

    /// A text that several commands share must say the same in English.
    #[test]
    fn a_common_text_belongs_to_one_sentence() {
        for (language, text) in HELP {
            let own = written(text);
            let mut english: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for ((command, part), sentence) in all() {
                if own.contains(&(command.clone(), part.clone())) {
                    continue;
                }
                if let Some(part) = part {
                    english.entry(part).or_default().insert(sentence);
                }
            }
            english.retain(|_, sentences| sentences.len() > 1);
            assert!(english.is_empty(), "{language:?}: {english:#?}");
        }
    }

    #[test]
    fn the_tree_in_another_language_reads_the_same_command_lines() {
        for (language, _) in HELP {
            let tree = in_language(Cli::command(), Catalogue::of(*language));
            for line in [
                &["grundy", "solve", "nim:1", "--json"][..],
                &["grundy", "p", "nim:1", "--local", "--side", "first"],
                &["grundy", "token", "create", "x", "--scope", "play", "--bot"],
            ] {
                let read = tree.clone().try_get_matches_from(line);
                assert!(read.is_ok(), "{line:?}: {}", read.unwrap_err());
            }
            for line in [
                &["grundy", "help", "play"][..],
                &["grundy", "tournament", "create", "--help"],
            ] {
                let help = tree.clone().try_get_matches_from(line).unwrap_err();
                assert!(
                    help.to_string().contains("\u{7528}\u{6cd5}\u{ff1a}"),
                    "{help}"
                );
            }
        }
    }
}
