//! What the facts of partizan sums say.

use super::phrases::{Sentence, capital, noun, worths};
use crate::fact::{PartKind, Stake, Worth};
use crate::ids::Seat;
use crate::solver::OutcomeClass;

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
pub(super) fn sum(sum: &Sum<'_>, outcome: OutcomeClass) -> Vec<Sentence> {
    let meaning = match outcome {
        OutcomeClass::L => "is above 0: Left wins, no matter who starts",
        OutcomeClass::R => "is below 0: Right wins, no matter who starts",
        OutcomeClass::P => "is 0: whoever moves first loses",
        _ => "is neither above, below nor equal to 0: whoever moves first wins",
    };
    let total = sum.total;
    if sum.terms_total <= 1 {
        let mut said = vec![Sentence::plain(format!("The value {total} {meaning}."))];
        said.push(at_stake("It", sum.stake));
        return said;
    }
    let mut said = vec![Sentence::plain(format!(
        "The values are {}; the total {total} {meaning}.",
        worths(sum.of, sum.terms, sum.terms_total)
    ))];
    let named = |name: &str| capital(format!("{} {name}", noun(sum.of)).trim());
    for term in sum.terms.iter().take(SHOWN) {
        said.push(at_stake(&named(&term.name), &term.stake));
    }
    said.extend(sum.hottest.map(|name| {
        Sentence::plain(format!(
            "{} has the stops farthest apart: often, but not always, the place to move first.",
            named(name)
        ))
    }));
    said
}

/// What moving first is worth in a value.
fn at_stake(subject: &str, stake: &Stake) -> Sentence {
    match stake {
        Stake::Number { number } => {
            let rule = "A number counts free moves: 2 is two moves that Left has in hand, -2 two that Right has, 1/2 half of one. A move in a number only loses ground, so play elsewhere while you can.";
            Sentence::by(rule, format!("{subject} is a number: {}.", in_hand(number)))
        }
        Stake::Infinitesimal { number, ahead } => {
            let rule = "An infinitesimal, such as a star or an up, is smaller than every fraction of a move: it decides only where the numbers are level.";
            let text = match number.as_str() {
                "0" => {
                    let last = match ahead {
                        Some(Seat::First) => "Left makes the last move in it, no matter who starts",
                        Some(Seat::Second) => {
                            "Right makes the last move in it, no matter who starts"
                        }
                        None => "whoever moves first in it makes the last move there",
                    };
                    format!("{subject} is infinitesimal: {last}.")
                }
                _ => format!(
                    "{subject} is infinitesimally close to {number}: {}, whoever moves first there.",
                    in_hand(number)
                ),
            };
            Sentence::by(rule, text)
        }
        Stake::Hot { left, right } => {
            let rule = "In a hot value the first move gains something. Its stops are the numbers that play comes to if Left moves first, and if Right does.";
            Sentence::by(
                rule,
                format!(
                    "{subject} is hot: if Left moves first there, {}; if Right does, {}.",
                    in_hand(left),
                    in_hand(right)
                ),
            )
        }
    }
}

/// By how many moves a player is ahead.
fn in_hand(number: &str) -> String {
    let (player, count) = match number.strip_prefix('-') {
        Some(count) => ("Right", count),
        None => ("Left", number),
    };
    match count {
        "0" => "neither player has a move in hand".to_owned(),
        "1" => format!("{player} has 1 move in hand"),
        _ if count.contains('/') => format!("{player} has {count} of a move in hand"),
        _ => format!("{player} has {count} moves in hand"),
    }
}
