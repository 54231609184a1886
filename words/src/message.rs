//! A message with the values of its variables.

use crate::{Catalogue, Value};

/// A value that the message owns.
#[derive(Clone, PartialEq, Debug)]
enum Owned {
    Text(String),
    Number(u64),
    /// What is said one after the other, with spaces between.
    Messages(Vec<Message>),
}

/// A message with the values of its variables, before it is said in a language.
///
/// ```
/// use grundy_words::{Catalogue, Language, Message};
/// let message = Message::new("live-their-move").text("name", "Ada");
/// assert_eq!(message.said(Catalogue::of(Language::English)), "Ada is to move.");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    name: &'static str,
    variables: Vec<(&'static str, Owned)>,
}

impl Message {
    /// The message with this name, without variables.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            variables: Vec::new(),
        }
    }

    /// With a text, or a number that no form depends on.
    #[must_use]
    pub fn text(mut self, variable: &'static str, value: impl ToString) -> Self {
        self.variables
            .push((variable, Owned::Text(value.to_string())));
        self
    }

    /// With a number on which the form of a word may depend. One above 2^53 is a text and takes the form for many.
    #[must_use]
    pub fn number(mut self, variable: &'static str, value: u64) -> Self {
        self.variables.push((variable, Owned::Number(value)));
        self
    }

    /// With an answer to a question.
    #[must_use]
    pub fn whether(self, variable: &'static str, yes: bool) -> Self {
        self.text(variable, if yes { "yes" } else { "no" })
    }

    /// With other messages, which are said in the same language with spaces between.
    #[must_use]
    pub fn messages(mut self, variable: &'static str, messages: Vec<Self>) -> Self {
        self.variables.push((variable, Owned::Messages(messages)));
        self
    }

    /// With another message, which is said in the same language.
    #[must_use]
    pub fn message(self, variable: &'static str, message: Self) -> Self {
        self.messages(variable, vec![message])
    }

    /// In the language of a catalogue. O(length).
    #[must_use]
    pub fn said(&self, catalogue: &Catalogue) -> String {
        let inside = |value: &Owned| match value {
            Owned::Messages(messages) => {
                let said = messages.iter().map(|message| message.said(catalogue));
                said.collect::<Vec<_>>().join(" ")
            }
            Owned::Text(_) | Owned::Number(_) => String::new(),
        };
        let inside: Vec<String> = self.variables.iter().map(|(_, one)| inside(one)).collect();
        let variables = self.variables.iter().zip(&inside);
        let variables = variables.map(|((name, value), inside)| {
            let value = match value {
                Owned::Text(text) => Value::Text(text),
                Owned::Number(number) => Value::Number(*number),
                Owned::Messages(_) => Value::Text(inside),
            };
            (*name, value)
        });
        catalogue.with(self.name, &variables.collect::<Vec<_>>())
    }
}
