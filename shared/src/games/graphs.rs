//! Graphs as text: items `0-1` (an edge or arc) and `3` (a vertex by itself).

use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::notation::{NotationCode, NotationError, Word};

/// The largest number of items in one graph.
pub(crate) const MAX_ITEMS: usize = 200_000;

/// The largest number that names a vertex.
pub(crate) const MAX_VERTEX: u64 = 999_999_999;

/// An edge, or a vertex by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Item {
    pub(crate) from: u32,
    pub(crate) to: Option<u32>,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            None => self.from.fmt(f),
            Some(to) => write!(f, "{}-{to}", self.from),
        }
    }
}

/// Reads the number of a vertex.
pub(crate) fn read_vertex(
    word: Word<'_>,
    malformed: NotationCode,
    example: &str,
) -> Result<u32, NotationError> {
    let number = word.number("the number of a vertex", 0, MAX_VERTEX, malformed, example)?;
    Ok(number as u32)
}

/// Reads items joined by a separator, each with its place.
pub(crate) fn read_items<'t>(
    text: Word<'t>,
    separator: char,
    malformed: NotationCode,
    example: &str,
) -> Result<Vec<(Item, Word<'t>)>, NotationError> {
    if text.text.is_empty() {
        let expected = "edges such as 0-1, or vertices";
        return text.refuse(malformed, "the graph is missing", expected, example);
    }
    let count = text
        .text
        .bytes()
        .filter(|byte| *byte == separator as u8)
        .count()
        + 1;
    if count > MAX_ITEMS {
        let message = format!("{count} edges are too many: {MAX_ITEMS} are the limit");
        let expected = format!("at most {MAX_ITEMS} edges and vertices");
        return text.refuse(NotationCode::OutOfRange, message, expected, example);
    }
    let mut items = Vec::with_capacity(count);
    for word in text.split(separator) {
        let item = match word.split_once('-') {
            None => Item {
                from: read_vertex(word, malformed, example)?,
                to: None,
            },
            Some((from, to)) => Item {
                from: read_vertex(from, malformed, example)?,
                to: Some(read_vertex(to, malformed, example)?),
            },
        };
        items.push((item, word));
    }
    Ok(items)
}

/// The vertices named in the items, ascending.
pub(crate) fn vertices(items: &[Item]) -> Vec<u32> {
    let mut all: Vec<u32> = items
        .iter()
        .flat_map(|item| [Some(item.from), item.to])
        .flatten()
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A number that stands for the items where they are hashed again and again.
pub(crate) fn digest(items: &[Item]) -> u64 {
    let mut hasher = FxHasher::default();
    items.hash(&mut hasher);
    hasher.finish()
}
