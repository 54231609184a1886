//! What the facts of partizan sums say.

use grundy_shared::fact::{PartKind, Stake, Worth};
use grundy_shared::ids::Seat;
use grundy_shared::solver::OutcomeClass;

use super::list::{self, capital};
use super::sentence::Sentence;
use crate::Catalogue;
use crate::message::Message;

/// Summands of which it is said what is at stake.
const SHOWN: usize = 6;

/// A partizan sum.
pub(super) struct Sum<'f> {
    pub(super) of: PartKind,
    pub(super) terms: &'f [Worth],
    pub(super) terms_total: u64,
    pub(super) total: &'f str,
    pub(super) stake: &'f Stake,
    pub(super) hottest: Option<&'f str>,
}

/// The values, who wins, and what is at stake in each summand.
pub(super) fn sum(catalogue: &Catalogue, sum: &Sum<'_>, outcome: OutcomeClass) -> Vec<Sentence> {
    let meaning = match outcome {
        OutcomeClass::L => "left",
        OutcomeClass::R => "right",
        OutcomeClass::P => "previous",
        _ => "next",
    };
    if sum.terms_total <= 1 {
        let value = Message::new("worth-one")
            .text("total", sum.total)
            .text("outcome", meaning);
        let mut said = vec![Sentence::plain(catalogue, &value)];
        said.push(at_stake(catalogue, ("whole", ""), sum.stake));
        return said;
    }
    let values = Message::new("worth-sum")
        .text(
            "list",
            list::worths(catalogue, sum.of, sum.terms, sum.terms_total),
        )
        .text("total", sum.total)
        .text("outcome", meaning);
    let mut said = vec![Sentence::plain(catalogue, &values)];
    let kind = list::kind(sum.of);
    for term in sum.terms.iter().take(SHOWN) {
        said.push(at_stake(catalogue, (kind, &term.name), &term.stake));
    }
    said.extend(sum.hottest.map(|name| {
        let hottest = named("worth-hottest", (kind, name));
        capitalized(Sentence::plain(catalogue, &hottest))
    }));
    said
}

fn capitalized(said: Sentence) -> Sentence {
    Sentence {
        text: capital(&said.text),
        ..said
    }
}

/// A message about a summand: what it is called, and its name.
fn named(message: &'static str, (kind, name): (&str, &str)) -> Message {
    Message::new(message).text("kind", kind).text("name", name)
}

/// What moving first is worth in a value.
fn at_stake(catalogue: &Catalogue, subject: (&str, &str), stake: &Stake) -> Sentence {
    let (rule, text) = match stake {
        Stake::Number { number } => {
            let text = named("worth-number", subject).text("hand", in_hand(catalogue, number));
            ("number-rule", text)
        }
        Stake::Infinitesimal { number, ahead } if number == "0" => {
            let ahead = match ahead {
                Some(Seat::First) => "left",
                Some(Seat::Second) => "right",
                None => "first",
            };
            let text = named("worth-infinitesimal", subject).text("ahead", ahead);
            ("infinitesimal-rule", text)
        }
        Stake::Infinitesimal { number, .. } => {
            let text = named("worth-close", subject)
                .text("close", number)
                .text("hand", in_hand(catalogue, number));
            ("infinitesimal-rule", text)
        }
        Stake::Hot { left, right } => {
            let text = named("worth-hot", subject)
                .text("left", in_hand(catalogue, left))
                .text("right", in_hand(catalogue, right));
            ("hot-rule", text)
        }
    };
    capitalized(Sentence::by(catalogue, rule, &text))
}

/// By how many moves a player is ahead.
fn in_hand(catalogue: &Catalogue, number: &str) -> String {
    let (player, count) = match number.strip_prefix('-') {
        Some(count) => ("player-right", count),
        None => ("player-left", number),
    };
    let form = match count {
        "0" => "zero",
        "1" => "single",
        _ if count.contains('/') => "fraction",
        _ => "several",
    };
    Message::new("in-hand")
        .text("count", form)
        .text("player", catalogue.say(player))
        .text("number", count)
        .said(catalogue)
}
