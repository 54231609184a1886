//! What the facts of games with heaps and numbers say.

use grundy_shared::fact::{HeapReason, Sized, Terms};

use super::list;
use super::sentence::{About, Sentence};
use super::sums::capitalized;
use crate::Catalogue;
use crate::message::Message;

/// How the value of a heap follows from its size.
pub(super) fn value(
    catalogue: &Catalogue,
    name: &str,
    heap: Sized,
    reason: &HeapReason,
) -> Sentence {
    let message = |named: &'static str| {
        Message::new(named)
            .text("name", name)
            .text("size", heap.size)
            .text("value", heap.value)
    };
    let (rule, text) = match reason {
        HeapReason::Remainder { modulus, quotient } => (
            Message::new("remainder-rule").text("modulus", modulus),
            message("remainder")
                .text("quotient", quotient)
                .text("modulus", modulus),
        ),
        HeapReason::Exchanged {} => (Message::new("exchanged-rule"), message("exchanged")),
        HeapReason::Odious {} => (
            Message::new("odious-rule"),
            message("odious").text("binary", format_args!("{:b}", heap.value)),
        ),
        HeapReason::Period {
            start,
            length,
            like,
        } => (
            Message::new("period-rule")
                .text("start", start)
                .number("length", *length),
            message("period").text("like", like),
        ),
        HeapReason::Mex { reached } => {
            let moves = reached.iter().map(|reached| {
                Message::new("mex-move")
                    .text("move", &reached.mv)
                    .text("value", reached.value)
                    .said(catalogue)
            });
            let none = Message::new("mex-none").text("value", heap.value);
            let list = list::joined(catalogue, moves.chain([none.said(catalogue)]));
            (Message::new("mex-rule"), message("mex").text("list", list))
        }
    };
    Sentence::with_rule(catalogue, &rule, &text)
}

/// Race to a number: how far the target is.
pub(super) fn distance(
    about: About<'_>,
    (left, target): (u64, u64),
    (modulus, value): (u64, u64),
) -> Sentence {
    let rule = Message::new("distance-rule").text("modulus", modulus);
    let text = about
        .message("distance")
        .text("left", left)
        .text("target", target)
        .text("quotient", left.checked_div(modulus).unwrap_or_default())
        .text("modulus", modulus)
        .text("value", value);
    Sentence::with_rule(about.catalogue, &rule, &text)
}

/// Wythoff's game: the losing pair of a difference.
pub(super) fn golden(about: About<'_>, heaps: [u64; 2], lost: [u64; 2]) -> Sentence {
    let rule = match about.misere {
        false => "golden-rule",
        true => "golden-misere-rule",
    };
    let pair = |[a, b]: [u64; 2]| format!("{a},{b}");
    let text = about
        .message("golden")
        .whether("lost", heaps == lost)
        .text("heaps", pair(heaps))
        .text("pair", pair(lost))
        .text("difference", heaps[1].saturating_sub(heaps[0]));
    Sentence::by(about.catalogue, rule, &text)
}

/// Staircase and silver dollar: the steps or gaps that count.
pub(super) fn odd_steps(
    about: About<'_>,
    gaps: bool,
    steps: &Terms,
    (xor, large): (u64, u64),
) -> Sentence {
    let rule = match (gaps, about.misere) {
        (false, false) => "step",
        (false, true) => "step-misere",
        (true, false) => "gap",
        (true, true) => "gap-misere",
    };
    let rule = Message::new("steps-rule").text("rule", rule);
    let noun = if gaps { "gap" } else { "step" };
    let case = match (steps.total, gaps) {
        (0, false) => "no-step",
        (0, true) => "no-gap",
        _ => "some",
    };
    let text = about
        .message("steps")
        .text("case", case)
        .text("list", list::terms_of(about.catalogue, noun, steps))
        .text("xor", xor);
    let text = match about.misere {
        true => text.number("large", large),
        false => text.text("large", "none"),
    };
    capitalized(Sentence::with_rule(about.catalogue, &rule, &text))
}

/// Fibonacci Nim: the heap as a sum of Fibonacci numbers.
pub(super) fn fibonacci(about: About<'_>, counted: u64, parts: &[u64], quota: u64) -> Sentence {
    let rule = match about.misere {
        false => "fibonacci-rule",
        true => "fibonacci-misere-rule",
    };
    let sum: Vec<String> = parts.iter().map(u64::to_string).collect();
    let text = match parts.last() {
        None => about.message("fibonacci-nothing"),
        Some(least) => about
            .message("fibonacci")
            .whether("may", *least <= quota)
            .text("counted", counted)
            .text("sum", sum.join(" + "))
            .text("least", least)
            .text("quota", quota),
    };
    Sentence::by(about.catalogue, rule, &text)
}

/// Euclid's game: the ratio of the numbers.
pub(super) fn ratio(about: About<'_>, small: u64, large: u64, above: bool) -> Sentence {
    let ratio = match (small == large, about.misere) {
        (true, false) => "equal",
        (true, true) => "equal-misere",
        _ if above => "above",
        _ => "below",
    };
    let text = about
        .message("ratio")
        .text("ratio", ratio)
        .text("small", small)
        .text("large", large);
    Sentence::by(about.catalogue, "ratio-rule", &text)
}

/// Moore's Nim: what remains of each binary column.
pub(super) fn columns(about: About<'_>, modulus: u64, columns: &Terms) -> Sentence {
    let rule = match about.misere {
        false => "columns-rule",
        true => "columns-misere-rule",
    };
    let rule = Message::new(rule).text("modulus", modulus);
    let text = match columns.total {
        0 => about.message("columns-none").text("modulus", modulus),
        _ => {
            let items = columns.first.iter().map(|term| {
                Message::new("columns-item")
                    .text("name", &term.name)
                    .text("value", term.value)
                    .said(about.catalogue)
            });
            let list = list::with_rest(about.catalogue, items, columns.total);
            about.message("columns").text("list", list)
        }
    };
    Sentence::with_rule(about.catalogue, &rule, &text)
}
