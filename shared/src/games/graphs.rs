//! Graphs as text: items `0-1` (an edge or arc) and `3` (a vertex by itself).

use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};

use crate::fact::{GameFact, Sized};
use crate::notation::{NotationCode, NotationError, Word};
use crate::theory::graph::{Pieces, renumbered};

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

/// Reads paths such as `0-1-2` joined by commas as their edges, and vertices by themselves; each with the place of its last vertex.
pub(crate) fn read_paths<'t>(
    text: Word<'t>,
    example: &str,
    mut vertex: impl FnMut(Word<'t>) -> Result<u32, NotationError>,
) -> Result<Vec<(Item, Word<'t>)>, NotationError> {
    if text.text.is_empty() {
        let expected = "edges such as 0-1, paths such as 0-1-2, or vertices";
        let malformed = NotationCode::BadPosition;
        return text.refuse(malformed, "the graph is missing", expected, example);
    }
    let separators = text.text.bytes().filter(|c| matches!(c, b',' | b'-'));
    let count = separators.count() + 1;
    if count > MAX_ITEMS {
        let message = format!("{count} vertices are too many: {MAX_ITEMS} are the limit");
        let expected = format!("at most {MAX_ITEMS} vertices in all paths");
        return text.refuse(NotationCode::OutOfRange, message, expected, example);
    }
    let mut items = Vec::with_capacity(count);
    for path in text.split(',') {
        let mut words = path.split('-').peekable();
        let mut before = None;
        while let Some(word) = words.next() {
            let next = vertex(word)?;
            // The first vertex of a path stands in its first edge.
            match before {
                Some(from) => items.push((
                    Item {
                        from,
                        to: Some(next),
                    },
                    word,
                )),
                None if words.peek().is_none() => items.push((
                    Item {
                        from: next,
                        to: None,
                    },
                    word,
                )),
                None => {}
            }
            before = Some(next);
        }
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

/// The vertices at the ends of the edges.
fn ends(items: &[Item]) -> impl Iterator<Item = u32> + '_ {
    let edges = items.iter().filter_map(|item| Some([item.from, item.to?]));
    edges.flatten()
}

/// Refuses an edge that joins a vertex with itself.
pub(crate) fn refuse_rings(
    typed: &[(Item, Word<'_>)],
    malformed: NotationCode,
    example: &str,
) -> Result<(), NotationError> {
    match typed.iter().find(|(item, _)| item.to == Some(item.from)) {
        None => Ok(()),
        Some((item, word)) => {
            let message = format!("the edge {item} joins a vertex with itself");
            word.refuse(malformed, message, "edges between two vertices", example)
        }
    }
}

/// Without edges that are there already, and without vertices that have an edge or are there already.
pub(crate) fn each_once(items: impl Iterator<Item = Item>) -> Vec<Item> {
    let items: Vec<Item> = items.collect();
    let joined: FxHashSet<u32> = ends(&items).collect();
    let mut met = FxHashSet::default();
    let kept = items.into_iter().filter(|item| {
        let to = item.to.unwrap_or(item.from);
        let new = met.insert((item.from.min(to), item.from.max(to)));
        new && (item.to.is_some() || !joined.contains(&item.from))
    });
    kept.collect()
}

/// Without these vertices and their edges. Vertices that lost all their edges stand by themselves after the others, ascending.
pub(crate) fn without(items: &[Item], gone: &FxHashSet<u32>) -> Vec<Item> {
    let stays =
        |item: &&Item| !gone.contains(&item.from) && item.to.is_none_or(|to| !gone.contains(&to));
    let mut kept: Vec<Item> = items.iter().filter(stays).copied().collect();
    let met: FxHashSet<u32> = vertices(&kept).into_iter().collect();
    let alone = vertices(items).into_iter();
    let alone = alone.filter(|vertex| !gone.contains(vertex) && !met.contains(vertex));
    kept.extend(alone.map(|from| Item { from, to: None }));
    kept
}

/// What the notation calls one of several pieces: its least vertex.
pub(crate) fn piece_name(pieces: &[Vec<Item>], piece: usize) -> String {
    let least = pieces
        .get(piece)
        .and_then(|piece| vertices(piece).first().copied());
    least.map_or_else(String::new, |vertex| vertex.to_string())
}

/// The items of each connected piece, in the order in which they are listed; pieces by their least vertex.
pub(crate) fn pieces(items: &[Item]) -> Vec<Vec<Item>> {
    let labels = vertices(items);
    let place = |label: u32| labels.binary_search(&label).map_or(0, |place| place as u32);
    let mut joined = Pieces::new(labels.len());
    for item in items {
        if let Some(to) = item.to {
            joined.join(place(item.from), place(to));
        }
    }
    let mut of_root: Vec<Vec<Item>> = vec![Vec::new(); labels.len()];
    for item in items {
        of_root[joined.find(place(item.from)) as usize].push(*item);
    }
    // The root of a piece is its least vertex.
    of_root.retain(|piece| !piece.is_empty());
    of_root
}

/// A connected piece with its vertices numbered from 0 by what is around them, those with smaller seeds first; edges lead from smaller to larger numbers.
pub(crate) fn renamed(piece: &[Item], seed: impl Fn(u32) -> u32) -> Vec<Item> {
    let labels = vertices(piece);
    let place = |label: u32| labels.binary_search(&label).map_or(0, |place| place as u32);
    let edges = piece.iter();
    let edges = edges.filter_map(|item| Some((place(item.from), place(item.to?), ())));
    let edges: Vec<(u32, u32, ())> = edges.collect();
    if edges.is_empty() {
        return vec![Item { from: 0, to: None }];
    }
    let seeds: Vec<u32> = labels.iter().map(|label| seed(*label)).collect();
    let edges = renumbered(&edges, &seeds).into_iter();
    let edges = edges.map(|(from, to, ())| Item { from, to: Some(to) });
    edges.collect()
}

/// The number of edges where a connected piece is one path.
pub(crate) fn path_length(piece: &[Item]) -> Option<u64> {
    let edges = piece.iter().filter(|item| item.to.is_some()).count();
    let is_path = edges + 1 == vertices(piece).len() && most_at_a_vertex(piece) <= 2;
    is_path.then_some(edges as u64)
}

/// The number of edges where a connected piece is one ring.
pub(crate) fn ring_length(piece: &[Item]) -> Option<u64> {
    let is_ring = piece.len() == vertices(piece).len() && most_at_a_vertex(piece) == 2;
    is_ring.then_some(piece.len() as u64)
}

/// The most edges at one vertex.
fn most_at_a_vertex(piece: &[Item]) -> usize {
    let mut ends: Vec<u32> = ends(piece).collect();
    ends.sort_unstable();
    let at_each = ends.chunk_by(|a, b| a == b).map(<[u32]>::len);
    at_each.max().unwrap_or(0)
}

/// The items in words; `nothing` where there are none.
pub(crate) fn graph_text(items: &[Item], nothing: &str) -> String {
    const SHOWN: usize = 40;
    let shown: Vec<String> = items.iter().take(SHOWN).map(Item::to_string).collect();
    match items.len() {
        0 => nothing.to_owned(),
        count if count > SHOWN => {
            format!("the graph {} and {} more", shown.join(", "), count - SHOWN)
        }
        _ => format!("the graph {}", shown.join(", ")),
    }
}

/// Pieces that are paths, as heaps of as many as they have vertices in an octal game.
pub(crate) fn path_facts(
    pieces: &[Vec<Item>],
    game: &str,
    values: &[Option<u64>],
) -> Vec<GameFact> {
    const SHOWN: usize = 6;
    let paths = pieces.iter().zip(values).filter_map(|(piece, value)| {
        let vertices = path_length(piece)? + 1;
        Some(GameFact::PathPiece {
            vertex: *self::vertices(piece).first()?,
            game: game.to_owned(),
            heap: Sized {
                size: vertices,
                value: (*value)?,
            },
        })
    });
    paths.take(SHOWN).collect()
}

/// What a move makes of the piece that has this vertex; pieces of one vertex count only where `singles` have a move.
pub(crate) fn piece_change(
    before: &[Item],
    after: &[Item],
    vertex: u32,
    singles: bool,
) -> Option<GameFact> {
    const SHOWN: usize = 8;
    let holds = |piece: &&Vec<Item>| vertices(piece).binary_search(&vertex).is_ok();
    let pieces_before = pieces(before);
    let own = vertices(pieces_before.iter().find(holds)?);
    let left = pieces(after).into_iter().map(|piece| vertices(&piece));
    let left = left.filter(|piece| own.binary_search(&piece[0]).is_ok());
    let left = left.filter(|piece| singles || piece.len() > 1);
    let sizes: Vec<u64> = left.map(|piece| piece.len() as u64).collect();
    Some(GameFact::PieceChange {
        vertices: own.len() as u64,
        left_total: sizes.len() as u64,
        left: sizes.into_iter().take(SHOWN).collect(),
    })
}

/// One line for each connected piece: its vertices and what is known of it.
pub(crate) fn piece_lines(pieces: &[Vec<Item>], known: impl Fn(usize) -> String) -> Vec<String> {
    const PIECES: usize = 16;
    const SHOWN: usize = 8;
    let mut lines = Vec::new();
    for (index, piece) in pieces.iter().enumerate().take(PIECES) {
        let labels = vertices(piece);
        let shown: Vec<String> = labels.iter().take(SHOWN).map(u32::to_string).collect();
        let more = if labels.len() > SHOWN { " ..." } else { "" };
        let noun = if labels.len() == 1 {
            "vertex"
        } else {
            "vertices"
        };
        lines.push(format!(
            "  {} {noun} {}{more}: {}",
            labels.len(),
            shown.join(" "),
            known(index)
        ));
    }
    if pieces.len() > PIECES {
        lines.push(format!("  and {} more pieces", pieces.len() - PIECES));
    }
    lines
}

/// A number that stands for the items where they are hashed again and again.
pub(crate) fn digest(items: &[Item]) -> u64 {
    let mut hasher = FxHasher::default();
    items.hash(&mut hasher);
    hasher.finish()
}
