//! Which parts of a picture a move touches, so that a player can point at a move.

use super::heaps;
use super::network;
use super::part::Part;
use super::{grid, queen, strip};
use crate::games::BoardKind;
use crate::notation::{heap_index, heap_name};

/// Parts that are named for one move.
const PARTS: u64 = 64;

/// One way to point at a move: names of parts, which may not all be drawn.
pub(super) type Way = Vec<String>;

/// A component, read once for all of its moves.
#[derive(Clone, Debug)]
pub(super) struct Touchable {
    kind: BoardKind,
    text: String,
    /// The sizes of its heaps, if it has heaps.
    sizes: Vec<u64>,
}

impl Touchable {
    /// O(length of the text).
    pub(super) fn new(kind: BoardKind, text: String) -> Self {
        let part = Part::of(&text);
        let sizes = match kind {
            BoardKind::Heaps | BoardKind::Pins => heaps::sizes(part.state),
            BoardKind::Queen | BoardKind::Stairs => part.numbers(),
            _ => Vec::new(),
        };
        Self { kind, text, sizes }
    }
}

/// The ways to point at a move of these components. O(length of the move).
pub(super) fn ways(components: &[Touchable], mv: &str) -> Vec<Way> {
    match components {
        [one] => component(one, mv),
        _ => of_several(components, mv).unwrap_or_default(),
    }
}

/// The ways to point at a move of a compound: `1.C-4,2.A-1`. Only a move in one component has several.
fn of_several(components: &[Touchable], mv: &str) -> Option<Vec<Way>> {
    let mut moves: Vec<(usize, String)> = Vec::new();
    for item in mv.split(',') {
        match (opened(item), moves.last_mut()) {
            (Some((number, rest)), _) => moves.push((number, rest.to_owned())),
            (None, Some((_, own))) => {
                own.push(',');
                own.push_str(item);
            }
            (None, None) => return None,
        }
    }
    let one = moves.len() == 1;
    let mut all = Way::new();
    for (number, own) in moves {
        let mut ways = component(components.get(number.checked_sub(1)?)?, &own);
        for name in ways.iter_mut().flatten() {
            *name = format!("{number}.{name}");
        }
        if one {
            return Some(ways);
        }
        all.append(ways.first_mut()?);
    }
    Some(vec![all])
}

/// The number of the component that an item opens, and the rest.
fn opened(item: &str) -> Option<(usize, &str)> {
    let (number, rest) = item.split_once('.')?;
    Some((number.parse().ok()?, rest))
}

/// The ways to point at a move of a component.
fn component(of: &Touchable, mv: &str) -> Vec<Way> {
    let sizes = &of.sizes;
    let ways = match of.kind {
        BoardKind::Heaps => stones(sizes, mv, false),
        BoardKind::Pins => stones(sizes, mv, true),
        // `+7` is what the step is called.
        BoardKind::Count | BoardKind::Trees => Some(vec![vec![mv.to_owned()]]),
        BoardKind::Queen => moved_queen(sizes, mv),
        BoardKind::Stairs => from_step(sizes, mv).map(|way| vec![way]),
        BoardKind::Coins => coins(mv).map(|way| vec![way]),
        BoardKind::Cells => Some(vec![numbers(mv, &['-'])]),
        BoardKind::Squares => Some(vec![squares(&Part::of(&of.text), mv)]),
        BoardKind::Grid | BoardKind::Stones | BoardKind::Bar | BoardKind::Boards => {
            cells(mv).map(|way| vec![way])
        }
        BoardKind::Arcs | BoardKind::Forks => Some(vec![numbers(mv, &['-', '/'])]),
        BoardKind::Walk | BoardKind::Vertices | BoardKind::Order | BoardKind::Tints => {
            let number = mv.trim_end_matches(['b', 'r']);
            number
                .parse::<u64>()
                .ok()
                .map(|number| vec![vec![number.to_string()]])
        }
        BoardKind::Edges | BoardKind::Cuts => edges(mv).map(|way| vec![way]),
        BoardKind::Options | BoardKind::Strings => None,
    };
    ways.unwrap_or_default()
}

/// Two numbers with this sign between them.
fn pair(text: &str, sign: char) -> Option<(u64, u64)> {
    let (one, other) = text.split_once(sign)?;
    Some((one.parse().ok()?, other.parse().ok()?))
}

fn numbers(text: &str, signs: &[char]) -> Way {
    let numbers = text
        .split(signs)
        .filter_map(|number| number.parse::<u64>().ok());
    let mut way: Way = numbers.map(|number| number.to_string()).collect();
    way.dedup();
    way
}

/// Moves in lettered heaps: `A-3`, `A-2/1,4`, `A/2,5`, `A+B`, `A-1,C-2`, each pointed at by the stones that it takes or divides.
fn stones(sizes: &[u64], mv: &str, in_rows: bool) -> Option<Vec<Way>> {
    let end = mv.find(['-', '/', '+'])?;
    let (name, rest) = mv.split_at(end);
    let heap = Heap::named(name, sizes)?;
    if let Some(other) = rest.strip_prefix('+') {
        let other = Heap::named(other, sizes)?;
        return Some(vec![[heap.last(1)?, other.last(1)?].concat()]);
    }
    if let Some(parts) = rest.strip_prefix('/') {
        let first: u64 = parts.split(',').next()?.parse().ok()?;
        // Where the heap is divided: the stones up to there.
        return Some(vec![heap.range(1, first.max(1))?]);
    }
    let rest = rest.strip_prefix('-')?;
    if let Some((take, parts)) = rest.split_once('/') {
        let take: u64 = take.parse().ok()?;
        let parts: Option<Vec<u64>> = parts.split(',').map(|part| part.parse().ok()).collect();
        let parts = parts?;
        let gaps = parts.first().into_iter().chain(parts.last());
        let way = |before: &u64| match take {
            // Nothing is taken: the stones up to where the heap is divided.
            0 => heap.range(1, *before),
            _ => heap.range(before + 1, before + take),
        };
        return gaps.map(way).collect();
    }
    if rest.contains(',') {
        return several_heaps(mv, sizes).map(|way| vec![way]);
    }
    let take: u64 = rest.parse().ok()?;
    match in_rows {
        true => Some(vec![heap.range(1, take)?, heap.last(take)?]),
        false => Some(vec![heap.last(take)?]),
    }
}

/// `A-1,C-2`.
fn several_heaps(mv: &str, sizes: &[u64]) -> Option<Way> {
    let mut way = Way::new();
    for item in mv.split(',') {
        let (name, take) = item.split_once('-')?;
        way.extend(Heap::named(name, sizes)?.last(take.parse().ok()?)?);
    }
    Some(way)
}

/// A heap with its name.
struct Heap {
    name: String,
    size: u64,
}

impl Heap {
    fn named(name: &str, sizes: &[u64]) -> Option<Self> {
        let index = heap_index(name)?;
        let size = *sizes.get(index)?;
        Some(Self {
            name: heap_name(index),
            size,
        })
    }

    fn last(&self, count: u64) -> Option<Way> {
        self.range(self.size.checked_sub(count)? + 1, self.size)
    }

    /// The stones from one number to another, if they are not too many.
    fn range(&self, from: u64, to: u64) -> Option<Way> {
        let few = to <= self.size && to.checked_sub(from)? < PARTS;
        few.then(|| {
            let names = (from..=to).map(|number| heaps::stone(&self.name, number));
            names.collect()
        })
    }
}

/// `B-2`, `AB-3`: the square where the queen goes, or the stones that are taken.
fn moved_queen(sizes: &[u64], mv: &str) -> Option<Vec<Way>> {
    let (name, take) = mv.split_once('-')?;
    let take: u64 = take.parse().ok()?;
    let [a, b] = *sizes else {
        return None;
    };
    let (from_a, from_b) = (name.contains('A'), name.contains('B'));
    if queen::is_board(a, b) {
        let a = a.checked_sub(if from_a { take } else { 0 })?;
        let b = b.checked_sub(if from_b { take } else { 0 })?;
        return Some(vec![vec![queen::square(a, b)]]);
    }
    let mut way = Way::new();
    for (taken, name) in [(from_a, "A"), (from_b, "B")] {
        if taken {
            way.extend(Heap::named(name, sizes)?.last(take)?);
        }
    }
    Some(vec![way])
}

/// `3:2`: two stones from step 3.
fn from_step(sizes: &[u64], mv: &str) -> Option<Way> {
    let (step, take) = pair(mv, ':')?;
    let size = *sizes.get(usize::try_from(step.checked_sub(1)?).ok()?)?;
    let name = step.to_string();
    Heap { name, size }.last(take)
}

/// `2,4` turns two coins, `2..4` three.
fn coins(mv: &str) -> Option<Way> {
    match mv.split_once("..") {
        None => Some(numbers(mv, &[','])),
        Some((from, to)) => {
            let (from, to): (u64, u64) = (from.parse().ok()?, to.parse().ok()?);
            let few = to.checked_sub(from)? < PARTS;
            few.then(|| (from..=to).map(strip::place).collect())
        }
    }
}

/// `5-2`.
fn squares(part: &Part<'_>, mv: &str) -> Way {
    let mut way = numbers(mv, &['-']);
    if !strip::is_whole(part) {
        // Only the squares with coins are drawn.
        way.truncate(1);
    }
    way
}

/// `1:2-1:3`, `2:3`.
fn cells(mv: &str) -> Option<Way> {
    let square = |text| pair(text, ':').map(|(row, column)| grid::square(row, column));
    mv.split('-').map(square).collect()
}

/// `1-2`, `0-1,1-2,2-3`.
fn edges(mv: &str) -> Option<Way> {
    let edge = |text| pair(text, '-').map(|(from, to)| network::edge(from, to));
    mv.split(',').map(edge).collect()
}
