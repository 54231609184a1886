//! Lists of what a fact names, and how many it does not name.

use grundy_shared::fact::{PartKind, Terms, Worth};

use crate::Catalogue;
use crate::message::Message;

/// What the items of a list are called, as the messages name it.
pub(super) fn kind(of: PartKind) -> &'static str {
    match of {
        PartKind::Component => "component",
        PartKind::Part => "part",
        PartKind::Heap => "heap",
        PartKind::Token => "token",
        PartKind::Coin => "coin-on",
        PartKind::Row => "row",
        PartKind::Board => "board",
        PartKind::Region => "region",
        PartKind::Piece => "piece",
        PartKind::Bush => "bush",
        PartKind::Branch => "branch",
        PartKind::Stretch => "stretch",
    }
}

/// The terms of a sum with their values.
pub(super) fn terms(catalogue: &Catalogue, terms: &Terms) -> String {
    terms_of(catalogue, kind(terms.of), terms)
}

/// The same under another name.
pub(super) fn terms_of(catalogue: &Catalogue, kind: &str, terms: &Terms) -> String {
    let shown = terms
        .first
        .iter()
        .map(|term| item(catalogue, kind, &term.name, &term.value.to_string()));
    with_rest(catalogue, shown, terms.total)
}

/// The summands of a sum with their values, written out.
pub(super) fn worths(catalogue: &Catalogue, of: PartKind, terms: &[Worth], total: u64) -> String {
    let shown = terms
        .iter()
        .map(|term| item(catalogue, kind(of), &term.name, &term.value));
    with_rest(catalogue, shown, total)
}

fn item(catalogue: &Catalogue, kind: &str, name: &str, value: &str) -> String {
    Message::new("list-item")
        .text("kind", kind)
        .text("name", name)
        .text("value", value)
        .said(catalogue)
}

/// Numbers, and how many there are besides.
pub(super) fn numbers(
    catalogue: &Catalogue,
    first: impl IntoIterator<Item = impl ToString>,
    total: u64,
) -> String {
    let shown = first.into_iter().map(|number| number.to_string());
    with_rest(catalogue, shown, total)
}

/// Items of a list that is complete.
pub(super) fn joined(catalogue: &Catalogue, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    items.join(&catalogue.say("list-comma"))
}

/// Items, and how many there are besides.
pub(super) fn with_rest(
    catalogue: &Catalogue,
    first: impl Iterator<Item = String>,
    total: u64,
) -> String {
    let first: Vec<String> = first.collect();
    let more = total.saturating_sub(first.len() as u64);
    let list = joined(catalogue, first.into_iter());
    match more {
        0 => list,
        _ => Message::new("list-rest")
            .text("list", list)
            .number("more", more)
            .said(catalogue),
    }
}

/// With a capital at the beginning, where the script has capitals and the sentence begins with a list.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
