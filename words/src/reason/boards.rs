//! What the facts of games on boards, rows, graphs and trees say.

use grundy_shared::fact::{HeadLaw, Sized, Terms};

use super::list;
use super::sentence::{About, Sentence};
use super::sums::capitalized;
use crate::Catalogue;
use crate::message::Message;

/// Coins in a row: the values of the heads.
pub(super) fn heads(about: About<'_>, coins: &Terms, xor: u64) -> Sentence {
    let text = about
        .message("heads")
        .text("list", list::terms_of(about.catalogue, "coin", coins))
        .text("xor", xor);
    capitalized(Sentence::by(about.catalogue, "heads-rule", &text))
}

/// Cram: half a turn.
pub(super) fn symmetry(about: About<'_>, made_by: Option<&str>) -> Sentence {
    let text = match made_by {
        None => about.message("symmetry-here"),
        Some(mv) => about.message("symmetry-made").text("move", mv),
    };
    Sentence::by(about.catalogue, "symmetry-rule", &text)
}

/// Hackenbush: the branches on a vertex.
pub(super) fn vertex(catalogue: &Catalogue, vertex: u32, branches: &Terms, xor: u64) -> Sentence {
    let text = Message::new("vertex")
        .text("vertex", vertex)
        .text("list", list::terms_of(catalogue, "branch-to", branches))
        .text("xor", xor);
    Sentence::by(catalogue, "vertex-rule", &text)
}

/// Geography: the matching by which the winner plays.
pub(super) fn matching(
    about: About<'_>,
    (pairs, pairs_total): (&[[u32; 2]], u64),
    token: Option<u32>,
    goal: Option<u32>,
) -> Sentence {
    let shown = pairs.iter().map(|[a, b]| format!("{a}-{b}"));
    let case = match (token, goal) {
        (Some(_), Some(_)) => "partner",
        (Some(_), None) => "without",
        (None, Some(_)) => "place",
        (None, None) => "all",
    };
    let text = about
        .message("matching")
        .text("case", case)
        .number("pairs", pairs_total)
        .text("list", list::with_rest(about.catalogue, shown, pairs_total))
        .text("token", token.unwrap_or_default())
        .text("goal", goal.unwrap_or_default());
    Sentence::by(about.catalogue, "matching-rule", &text)
}

/// Geography: where the token may be placed.
pub(super) fn placing(
    about: About<'_>,
    (pairs, pairs_total): (&[[u32; 2]], u64),
    goal: Option<u32>,
    by_opponent: bool,
) -> Sentence {
    let shown = pairs.iter().map(|[a, b]| format!("{a}-{b}"));
    let case = match (goal.is_some(), by_opponent) {
        (true, false) => "place",
        (true, true) => "place-other",
        (false, false) => "none",
        (false, true) => "none-other",
    };
    let text = about
        .message("placing")
        .text("case", case)
        .number("pairs", pairs_total)
        .text("list", list::with_rest(about.catalogue, shown, pairs_total))
        .text("goal", goal.unwrap_or_default());
    Sentence::by(about.catalogue, "matching-rule", &text)
}

/// Northcott's game: the gaps.
pub(super) fn gaps(about: About<'_>, rows: &Terms, xor: u64) -> Sentence {
    let text = about
        .message("row-gaps")
        .whether("one", rows.total == 1)
        .text("list", list::terms_of(about.catalogue, "row", rows))
        .text("xor", xor);
    capitalized(Sentence::by(about.catalogue, "row-gaps-rule", &text))
}

/// Coins in a row: why heads have their values.
pub(super) fn head_values(catalogue: &Catalogue, law: &HeadLaw) -> Sentence {
    let name = match law {
        HeadLaw::One {} => "one",
        HeadLaw::Place {} => "place",
        HeadLaw::PlaceLessOne {} => "place-less-one",
        HeadLaw::Odious {} => "odious",
        HeadLaw::PowerOfTwo { most: None } => "power",
        HeadLaw::PowerOfTwo { most: Some(_) } => "power-bounded",
        HeadLaw::BaseThree {} => "base-three",
        HeadLaw::Splits {} => "splits",
        HeadLaw::Mex { .. } => "mex",
    };
    let message = Message::new("head-values").text("law", name);
    let message = match law {
        HeadLaw::PowerOfTwo { most: Some(most) } => message.text("most", most).text("list", ""),
        HeadLaw::Mex { others } => {
            let list = list::numbers(catalogue, others, others.len() as u64);
            message.text("most", "").text("list", list)
        }
        _ => message.text("most", "").text("list", ""),
    };
    Sentence::rule(catalogue, &message)
}

/// A piece of a graph that is a path.
pub(super) fn path(catalogue: &Catalogue, vertex: u32, game: &str, heap: Sized) -> Sentence {
    let rule = Message::new("path-rule").text("game", game);
    let text = Message::new("path")
        .text("vertex", vertex)
        .number("size", heap.size)
        .text("value", heap.value);
    Sentence::with_rule(catalogue, &rule, &text)
}

/// Treblecross: the runs of safe cells.
pub(super) fn safe_runs(about: About<'_>, runs: &Terms, xor: u64) -> Sentence {
    let text = match runs.total {
        0 => about.message("safe-none"),
        _ => about
            .message("safe-runs")
            .text("list", list::terms_of(about.catalogue, "cell", runs))
            .text("xor", xor),
    };
    Sentence::by(about.catalogue, "safe-rule", &text)
}

/// Welter's game: the pairs of coins.
pub(super) fn mates(about: About<'_>, pairs: &Terms, single: Option<u64>, xor: u64) -> Sentence {
    let case = match (single, pairs.total) {
        (None, _) => "pairs",
        (Some(_), 0) => "single",
        (Some(_), _) => "both",
    };
    let text = about
        .message("mates")
        .text("case", case)
        .text("list", list::terms_of(about.catalogue, "coins", pairs))
        .text("single", single.unwrap_or_default())
        .text("xor", xor);
    capitalized(Sentence::by(about.catalogue, "mates-rule", &text))
}
