//! A message with the values of its variables.

use crate::{Catalogue, Value};

/// A value that the message owns.
enum Owned {
    Text(String),
    Number(u64),
}

/// A message with the values of its variables, before it is said in a language.
pub(crate) struct Message {
    name: &'static str,
    variables: Vec<(&'static str, Owned)>,
}

impl Message {
    /// The message with this name, without variables.
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            variables: Vec::new(),
        }
    }

    /// With a text, or a number that no form depends on.
    pub(crate) fn text(mut self, variable: &'static str, value: impl ToString) -> Self {
        self.variables
            .push((variable, Owned::Text(value.to_string())));
        self
    }

    /// With a number on which the form of a word may depend.
    pub(crate) fn number(mut self, variable: &'static str, value: u64) -> Self {
        self.variables.push((variable, Owned::Number(value)));
        self
    }

    /// With an answer to a question.
    pub(crate) fn whether(self, variable: &'static str, yes: bool) -> Self {
        self.text(variable, if yes { "yes" } else { "no" })
    }

    /// In the language of a catalogue.
    pub(crate) fn said(&self, catalogue: &Catalogue) -> String {
        let variables = self.variables.iter().map(|(name, value)| {
            let value = match value {
                Owned::Text(text) => Value::Text(text),
                Owned::Number(number) => Value::Number(*number),
            };
            (*name, value)
        });
        catalogue.with(self.name, &variables.collect::<Vec<_>>())
    }
}
