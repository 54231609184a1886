//! What the facts of compounds say.

use grundy_shared::fact::{Standing, Terms};

use super::list;
use super::sentence::{About, Sentence};
use super::sums::in_sum;
use crate::Catalogue;
use crate::message::Message;

/// `@every`: the component that lasts longest.
pub(super) fn greatest_suspense(
    about: About<'_>,
    terms: &Terms,
    (greatest, decides, others): (u64, u64, u64),
) -> Sentence {
    let text = about
        .message("suspense")
        .text("list", list::terms(about.catalogue, terms))
        .text("decides", decides)
        .number("greatest", greatest)
        .text("others", others)
        .whether("level", others == greatest)
        .text("parity", parity(greatest));
    Sentence::by(about.catalogue, "suspense-rule", &text)
}

/// `@conjunctive`: the component that ends first.
pub(super) fn least_remoteness(
    about: About<'_>,
    terms: &Terms,
    (least, decides, others): (u64, u64, u64),
) -> Sentence {
    let text = about
        .message("remoteness")
        .text("list", list::terms(about.catalogue, terms))
        .text("decides", decides)
        .number("least", least)
        .text("others", others)
        .whether("level", others == least)
        .text("parity", parity(least));
    Sentence::by(about.catalogue, "remoteness-rule", &text)
}

fn parity(number: u64) -> &'static str {
    match number.is_multiple_of(2) {
        true => "even",
        false => "odd",
    }
}

/// The components that the player to move wins alone.
pub(super) struct Won<'f> {
    pub(super) misere: bool,
    pub(super) last_in_misere: bool,
    pub(super) short: bool,
    pub(super) numbers: &'f [u64],
    pub(super) total: u64,
    pub(super) alive: u64,
}

/// `@selective` and `@shortselective`: whether every component is lost.
pub(super) fn won_components(about: About<'_>, of: &Won<'_>) -> Sentence {
    let rule = match (of.last_in_misere, of.short) {
        (false, false) => "selective-rule",
        (false, true) if of.misere => "selective-short-misere-rule",
        (false, true) => "selective-short-rule",
        (true, _) => "selective-misere-rule",
    };
    let text = match of.total {
        0 => about.message("selective-none").number("alive", of.alive),
        _ => about
            .message("selective-won")
            .number("won", of.total)
            .number("others", of.alive.saturating_sub(of.total))
            .text("list", list::numbers(about.catalogue, of.numbers, of.total)),
    };
    let play = if of.misere { "misere" } else { "normal" };
    Sentence::by(about.catalogue, rule, &text.text("play", play))
}

/// `@shortsum`: the foreclosed values.
pub(super) fn foreclosed(
    about: About<'_>,
    terms: &Terms,
    ending: &[u64],
    xor: Option<u64>,
) -> Sentence {
    let Some(xor) = xor else {
        let total = ending.len() as u64;
        let text = Message::new("shortsum-ends")
            .number("ending", total)
            .text("list", list::numbers(about.catalogue, ending, total));
        return Sentence::plain(about.catalogue, &text);
    };
    let rule = match about.misere {
        false => "shortsum-rule",
        true => "shortsum-misere-rule",
    };
    let text = in_sum(about, about.message("shortsum"), terms, xor);
    Sentence::by(about.catalogue, rule, &text)
}

/// What a move changes in one component.
pub(super) fn change(
    catalogue: &Catalogue,
    component: u64,
    before: Standing,
    after: Standing,
) -> Sentence {
    let message = |name: &'static str| Message::new(name).text("component", component);
    let (what, before, after) = match (before, after) {
        (_, Standing::Over {}) => return Sentence::plain(catalogue, &message("standing-ends")),
        (Standing::Hot {}, Standing::Hot {}) => {
            return Sentence::plain(catalogue, &message("standing-stays-hot"));
        }
        (_, Standing::Hot {}) => {
            return Sentence::plain(catalogue, &message("standing-becomes-hot"));
        }
        (Standing::Outcome { lost: before }, Standing::Outcome { lost: after }) => {
            let change = match (before, after) {
                (true, true) => "stays-lost",
                (false, false) => "stays-won",
                (true, false) => "becomes-won",
                (false, true) => "becomes-lost",
            };
            let text = message("standing-outcome").text("change", change);
            return Sentence::plain(catalogue, &text);
        }
        (Standing::Suspense { plies: before }, Standing::Suspense { plies: after }) => {
            ("suspense", before, after)
        }
        (Standing::Remoteness { plies: before }, Standing::Remoteness { plies: after }) => {
            ("remoteness", before, after)
        }
        (Standing::NimValue { value: before }, Standing::NimValue { value: after }) => {
            ("nim-value", before, after)
        }
        (Standing::Foreclosed { value: before }, Standing::Foreclosed { value: after }) => {
            ("foreclosed", before, after)
        }
        // A hot component that no longer is, and what no law compares.
        (_, Standing::Foreclosed { value }) => {
            return Sentence::plain(catalogue, &message("standing-cools").text("value", value));
        }
        _ => return Sentence::plain(catalogue, &message("standing-moves")),
    };
    let name = match before == after {
        true => "standing-stays",
        false => "standing-changes",
    };
    let text = message(name)
        .text("what", what)
        .text("before", before)
        .text("after", after);
    Sentence::plain(catalogue, &text)
}
