//! The messages of a language.

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentError, FluentResource, FluentValue};

use crate::Language;

/// Lists files that each language has.
macro_rules! files {
    ($($name:literal)*) => {
        [$(
            ($name, Language::English, include_str!(concat!("../locales/en/", $name, ".ftl"))),
            ($name, Language::Chinese, include_str!(concat!("../locales/zh-CN/", $name, ".ftl"))),
        )*]
    };
}

/// The files of each language: their name, the language and the text.
pub const FILES: &[(&str, Language, &str)] = &files!(
    "account"
    "accounts"
    "advice"
    "board"
    "bots"
    "career"
    "contests"
    "ending"
    "explore"
    "failure"
    "faults"
    "figures"
    "games"
    "learning"
    "load"
    "lobby"
    "match"
    "matches"
    "page"
    "practice"
    "reason"
    "records"
    "reviewed"
    "screen"
    "sheet"
    "solver"
    "study"
    "tournaments"
    "typed"
    "usage"
    "welcome"
);

/// The help of commands in languages other than English, which is written in the program: for each command a message, whose attributes are the texts of its arguments.
pub const HELP: &[(Language, &str)] =
    &[(Language::Chinese, include_str!("../locales/zh-CN/help.ftl"))];

/// The greatest number that a message can count with: above it, a number is put in as text, and takes the form for many.
const COUNTED_MAX: u64 = 1 << 53;

/// The value of a variable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'v> {
    /// A text, which is put in as it is.
    Text(&'v str),
    /// A number, by which a message may choose the form of a word.
    Number(u64),
}

/// The messages of one language.
pub struct Catalogue {
    language: Language,
    bundle: FluentBundle<FluentResource>,
    help: OnceLock<FluentBundle<FluentResource>>,
}

impl Catalogue {
    /// The catalogue of a language, which is read once, when it is first asked for.
    #[must_use]
    pub fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Catalogue>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        ALL[language as usize].get_or_init(|| Self::read(language))
    }

    fn read(language: Language) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.identifier()]);
        // A page marks the direction of names itself, and a terminal shows the marks as boxes.
        bundle.set_use_isolating(false);
        for &(_, of, text) in FILES {
            if of == language {
                // Slips are left out here, and a test finds them.
                let resource = FluentResource::try_new(text.to_owned());
                let resource = resource.unwrap_or_else(|(resource, _)| resource);
                bundle.add_resource_overriding(resource);
            }
        }
        Self {
            language,
            bundle,
            help: OnceLock::new(),
        }
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// These sentences, one after the other. O(length).
    #[must_use]
    pub fn sentences(&self, said: &[String]) -> String {
        said.join(match self.language {
            Language::English => " ",
            Language::Chinese => "",
        })
    }

    /// A message without variables. O(length).
    #[must_use]
    pub fn say(&self, name: &str) -> String {
        self.with(name, &[])
    }

    /// A message with these variables. A name that no catalogue has is returned itself, in brackets. O(length).
    #[must_use]
    pub fn with(&self, name: &str, variables: &[(&str, Value<'_>)]) -> String {
        self.format(name, variables, &mut Vec::new())
    }

    /// The help of a command, or of a part of it: an attribute of its message, or of the message `common`. `None` if the language has no such text. O(length), and reads the
    /// file of help when it is first asked.
    #[must_use]
    pub fn help(&self, command: &str, part: Option<&str>) -> Option<String> {
        let bundle = self.help.get_or_init(|| self.read_help());
        let of = |message: &str| {
            let message = bundle.get_message(message)?;
            let pattern = match part {
                None => message.value(),
                Some(part) => message.get_attribute(part).map(|one| one.value()),
            };
            let text = bundle.format_pattern(pattern?, None, &mut Vec::new());
            Some(text.into_owned())
        };
        of(command).or_else(|| of("common"))
    }

    fn read_help(&self) -> FluentBundle<FluentResource> {
        let mut bundle = FluentBundle::new_concurrent(vec![self.language.identifier()]);
        bundle.set_use_isolating(false);
        let texts = HELP.iter().filter(|(of, _)| *of == self.language);
        for (_, text) in texts {
            let resource = FluentResource::try_new((*text).to_owned());
            bundle.add_resource_overriding(resource.unwrap_or_else(|(resource, _)| resource));
        }
        bundle
    }

    /// The same; what is wrong with the message is added to `slips`.
    fn format(
        &self,
        name: &str,
        variables: &[(&str, Value<'_>)],
        slips: &mut Vec<FluentError>,
    ) -> String {
        let Some(pattern) = self
            .bundle
            .get_message(name)
            .and_then(|message| message.value())
        else {
            return match self.language {
                Language::English => format!("[{name}]"),
                Language::Chinese => Self::of(Language::English).format(name, variables, slips),
            };
        };
        let arguments: FluentArgs<'_> = variables
            .iter()
            .map(|(name, value)| match value {
                Value::Text(text) => (*name, FluentValue::from(*text)),
                // Fluent counts in floating point, in which these are exact.
                Value::Number(number) if *number <= COUNTED_MAX => {
                    (*name, FluentValue::from(*number))
                }
                Value::Number(number) => (*name, FluentValue::from(number.to_string())),
            })
            .collect();
        let text = self.bundle.format_pattern(pattern, Some(&arguments), slips);
        text.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use fluent_syntax::ast;
    use fluent_syntax::parser::parse;

    use super::*;

    /// The messages of a language with the variables that each uses.
    fn messages(language: Language) -> BTreeMap<String, BTreeSet<String>> {
        let mut found = BTreeMap::new();
        for &(file, of, text) in FILES {
            if of != language {
                continue;
            }
            let resource = parse(text).unwrap_or_else(|(_, slips)| panic!("{file}: {slips:?}"));
            for entry in resource.body {
                if let ast::Entry::Message(message) = entry {
                    let mut variables = BTreeSet::new();
                    let value = message.value.as_ref().expect("every message has a text");
                    gather(value, &mut variables);
                    let twice = found.insert(message.id.name.to_owned(), variables);
                    assert!(twice.is_none(), "{} is there twice", message.id.name);
                }
            }
        }
        with_those_inside(&found)
    }

    /// The variables of each message, with those of the messages that it has inside.
    fn with_those_inside(
        found: &BTreeMap<String, BTreeSet<String>>,
    ) -> BTreeMap<String, BTreeSet<String>> {
        let whole = |name: &String| {
            let (mut variables, mut open) = (BTreeSet::new(), vec![name.clone()]);
            while let Some(name) = open.pop() {
                for variable in &found[&name] {
                    match variable.strip_prefix('@') {
                        Some(inside) => open.push(inside.to_owned()),
                        None => {
                            variables.insert(variable.clone());
                        }
                    }
                }
            }
            variables
        };
        let names = found.keys();
        names.map(|name| (name.clone(), whole(name))).collect()
    }

    /// The variables of a pattern, and the names of the messages in it, which have the same variables: `@NAME`.
    fn gather(pattern: &ast::Pattern<&str>, variables: &mut BTreeSet<String>) {
        for element in &pattern.elements {
            if let ast::PatternElement::Placeable { expression } = element {
                let inline = match expression {
                    ast::Expression::Inline(inline) => inline,
                    ast::Expression::Select { selector, variants } => {
                        for variant in variants {
                            gather(&variant.value, variables);
                        }
                        selector
                    }
                };
                match inline {
                    ast::InlineExpression::VariableReference { id } => {
                        variables.insert(id.name.to_owned());
                    }
                    ast::InlineExpression::MessageReference { id, .. } => {
                        variables.insert(format!("@{}", id.name));
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn every_language_has_the_same_messages_with_the_same_variables() {
        let english = messages(Language::English);
        assert!(english.len() > 50);
        for language in Language::ALL {
            let own = messages(language);
            let names: Vec<&String> = own.keys().collect();
            assert_eq!(names, english.keys().collect::<Vec<_>>(), "{language:?}");
            for (name, variables) in &own {
                // A language without plurals may leave out a number that only chooses a form.
                assert!(variables.is_subset(&english[name]), "{language:?} {name}");
            }
        }
    }

    #[test]
    fn every_message_can_be_said() {
        for language in Language::ALL {
            let catalogue = Catalogue::of(language);
            for (name, variables) in messages(language) {
                let values: Vec<(&str, Value<'_>)> = variables
                    .iter()
                    .map(|variable| (variable.as_str(), Value::Number(3)))
                    .collect();
                let mut slips = Vec::new();
                let text = catalogue.format(&name, &values, &mut slips);
                assert!(slips.is_empty(), "{language:?} {name}: {slips:?}");
                assert_ne!(text, format!("[{name}]"), "{language:?}");
                assert!(!text.trim().is_empty(), "{language:?} {name}");
            }
        }
    }

    #[test]
    fn the_help_of_each_language_is_read_without_a_slip() {
        for (language, text) in HELP {
            let resource = parse(*text).unwrap_or_else(|(_, slips)| panic!("{slips:?}"));
            assert!(resource.body.len() > 50);
            let catalogue = Catalogue::of(*language);
            let own = catalogue.help("play", Some("bot"));
            assert_ne!(own, None);
            assert_ne!(own, catalogue.help("tournament-create", Some("bot")));
            let common = catalogue.help("play", Some("record"));
            assert_eq!(common, catalogue.help("join", Some("record")));
            assert_eq!(catalogue.help("play", Some("nothing")), None);
        }
        let english = Catalogue::of(Language::English);
        assert_eq!(english.help("play", None), None);
    }

    #[test]
    fn what_is_not_there_is_named() {
        for language in Language::ALL {
            assert_eq!(
                Catalogue::of(language).say("no-such-message"),
                "[no-such-message]"
            );
        }
    }

    #[test]
    fn a_name_from_elsewhere_is_put_in_as_it_is() {
        let hostile = "{ $x } <b>\u{202e}";
        let text = Catalogue::of(Language::English)
            .with("live-their-move", &[("name", Value::Text(hostile))]);
        assert!(text.contains(hostile), "{text}");
    }
}
