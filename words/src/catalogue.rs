//! The messages of a language.

use std::collections::BTreeMap;
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
    "career"
    "contests"
    "ending"
    "explore"
    "failure"
    "games"
    "learning"
    "lobby"
    "match"
    "matches"
    "page"
    "practice"
    "reason"
    "reviewed"
    "screen"
    "solver"
    "study"
    "tournaments"
    "typed"
    "welcome"
);

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
}

impl Catalogue {
    /// The catalogue of a language, which is read once.
    #[must_use]
    pub fn of(language: Language) -> &'static Self {
        static ALL: OnceLock<BTreeMap<Language, Catalogue>> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            let read = |language| (language, Self::read(language));
            Language::ALL.into_iter().map(read).collect()
        });
        &all[&language]
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
        Self { language, bundle }
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
    use std::collections::BTreeSet;

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
