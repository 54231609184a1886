//! What is said of one fact.

use crate::Catalogue;
use crate::message::Message;

/// What is said of one fact.
pub(super) struct Sentence {
    /// The rule behind it, which is said once in an explanation.
    pub(super) rule: Option<String>,
    /// The sentence about this position or move; empty if there is only the rule.
    pub(super) text: String,
}

impl Sentence {
    /// Without a rule.
    pub(super) fn plain(catalogue: &Catalogue, text: &Message) -> Self {
        Self {
            rule: None,
            text: text.said(catalogue),
        }
    }

    /// A rule alone.
    pub(super) fn rule(catalogue: &Catalogue, rule: &Message) -> Self {
        Self {
            rule: Some(rule.said(catalogue)),
            text: String::new(),
        }
    }

    /// With a rule that has no variables.
    pub(super) fn by(catalogue: &Catalogue, rule: &'static str, text: &Message) -> Self {
        Self::with_rule(catalogue, &Message::new(rule), text)
    }

    /// With a rule.
    pub(super) fn with_rule(catalogue: &Catalogue, rule: &Message, text: &Message) -> Self {
        Self {
            rule: Some(rule.said(catalogue)),
            text: text.said(catalogue),
        }
    }
}

/// Of what a fact is true: what its sentence says besides.
#[derive(Clone, Copy)]
pub(super) struct About<'c> {
    /// In which language it is said.
    pub(super) catalogue: &'c Catalogue,
    /// Who wins, as the message `outcome` names it.
    pub(super) outcome: &'static str,
    /// Whether the position is played in misere play.
    pub(super) misere: bool,
}

impl About<'_> {
    /// A message that ends with who wins.
    pub(super) fn message(&self, name: &'static str) -> Message {
        Message::new(name).text("outcome", self.outcome)
    }
}
