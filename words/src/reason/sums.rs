//! What the facts of sums and searches say.

use grundy_shared::fact::Terms;
use grundy_shared::solver::OutcomeClass;

use super::list::{self, capital};
use super::sentence::{About, Sentence};
use crate::Catalogue;
use crate::message::Message;

/// Which form the sentence of a sum takes.
fn case(terms: &Terms, xor: u64) -> &'static str {
    match (terms.total, xor) {
        (0 | 1, 0) => "one-zero",
        (0 | 1, _) => "one",
        (_, 0) => "many-zero",
        _ => "many",
    }
}

/// A message with the terms of a sum and their xor.
pub(super) fn in_sum(about: About<'_>, message: Message, terms: &Terms, xor: u64) -> Message {
    message
        .text("case", case(terms, xor))
        .text("list", list::terms(about.catalogue, terms))
        .text("xor", xor)
}

/// Why no move is left, and who has won.
pub(super) fn over(
    catalogue: &Catalogue,
    (component, one_sided): (Option<u64>, bool),
    wins: bool,
    until_zero: bool,
) -> Sentence {
    let why = match (component.is_some(), until_zero, wins) {
        (true, _, true) if one_sided => "side-loses",
        (true, _, false) if one_sided => "side-wins",
        (true, _, true) => "component-loses",
        (true, _, false) => "component-wins",
        (false, true, true) => "zero-loses",
        (false, true, false) => "zero-wins",
        (false, false, true) => "player-loses",
        (false, false, false) => "player-wins",
    };
    let text = Message::new("over")
        .text("why", why)
        .text("component", component.unwrap_or_default());
    Sentence::plain(catalogue, &text)
}

/// Normal play: the nim-values.
pub(super) fn nim(about: About<'_>, terms: &Terms, xor: u64, until_zero: bool) -> Sentence {
    let text = in_sum(about, about.message("nim-sum"), terms, xor);
    match until_zero {
        true => Sentence::by(about.catalogue, "until-zero-rule", &text),
        false => Sentence::plain(about.catalogue, &text),
    }
}

/// The rule for sums of tame parts.
pub(super) fn tame(
    about: About<'_>,
    terms: &Terms,
    (xor, large): (u64, u64),
    until_zero: bool,
) -> Sentence {
    let rule = match until_zero {
        true => "until-zero-misere-rule",
        false => "tame-rule",
    };
    let case = if terms.total <= 1 { "one" } else { "many" };
    let text = about
        .message("tame-sum")
        .text("case", case)
        .text("list", list::terms(about.catalogue, terms))
        .text("xor", xor)
        .number("large", large);
    Sentence::by(about.catalogue, rule, &text)
}

/// The classes of a misère quotient.
pub(super) struct Quotient<'f> {
    pub(super) terms: &'f Terms,
    pub(super) product: u16,
    pub(super) order: u64,
    pub(super) lost_order: u64,
    pub(super) lost_classes: &'f [u16],
}

/// Misère play by a quotient.
pub(super) fn quotient(about: About<'_>, of: &Quotient<'_>) -> Sentence {
    let lost = list::numbers(about.catalogue, of.lost_classes, of.lost_order);
    let rule = Message::new("quotient-rule")
        .number("order", of.order)
        .number("lost", of.lost_order)
        .text("list", lost);
    let case = if of.terms.total <= 1 { "one" } else { "many" };
    let text = about
        .message("quotient")
        .text("case", case)
        .text("product", of.product)
        .text("list", list::terms(about.catalogue, of.terms));
    Sentence::with_rule(about.catalogue, &rule, &text)
}

/// A sum in which play can cycle.
pub(super) fn loopy(
    about: About<'_>,
    terms: &Terms,
    xor: u64,
    endless: u64,
    can_exit: bool,
) -> Sentence {
    let text = match endless {
        0 => return nim(about, terms, xor, false),
        1 => {
            let case = match terms.total {
                0 => "none",
                _ => case(terms, xor),
            };
            about
                .message("endless-one")
                .whether("exit", can_exit)
                .text("case", case)
                .text("list", list::terms(about.catalogue, terms))
                .text("xor", xor)
        }
        _ => about.message("endless-several").number("endless", endless),
    };
    Sentence::by(about.catalogue, "endless-rule", &text)
}

/// What a search of all lines of play found.
pub(super) fn searched(
    catalogue: &Catalogue,
    plies: Option<u64>,
    line: &[String],
    outcome: OutcomeClass,
) -> Sentence {
    let rule = "searched-rule";
    let Some(plies) = plies else {
        return match outcome {
            OutcomeClass::D => Sentence::by(catalogue, rule, &Message::new("searched-no-end")),
            _ => Sentence::plain(catalogue, &Message::new(rule)),
        };
    };
    Sentence::by(catalogue, rule, &shortest("searched-line", plies, line))
}

/// The shortest win, if a rule says only who wins.
pub(super) fn shortest_win(catalogue: &Catalogue, plies: Option<u64>, line: &[String]) -> Sentence {
    let text = match plies {
        Some(plies) => shortest("shortest-win", plies, line),
        None => Message::new("shortest-win-open"),
    };
    Sentence::plain(catalogue, &text)
}

/// A message about the line of play in which the winner hurries and the loser delays.
fn shortest(message: &'static str, plies: u64, line: &[String]) -> Message {
    Message::new(message)
        .number("plies", plies)
        .text("line", line.join(" "))
        .whether("all", line.len() as u64 >= plies)
}

/// A sentence that may begin with a list.
pub(super) fn capitalized(said: Sentence) -> Sentence {
    Sentence {
        text: capital(&said.text),
        ..said
    }
}
