//! Games on a poset: choose an element, and it goes with all elements above it.
//!
//! The game was named by D. Gale and A. Neyman, *Nim-type games* (1982); Nim, Chomp, and the divisors of a number (F. Schuh 1952) are games on posets. Where each element covers at most one other, the poset
//! is a forest and the colon principle gives its value (*Winning Ways*, 1982, chapter 7). With a least element the first player takes everything. With a greatest
//! one he wins as well: if taking it alone lost, its answer would have been there at once. What is left is closed downwards, so that the relations among its elements stay as they were.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, PartKind, Terms};
use crate::game::{EndRule, Game};
use crate::games::graphs::{
    Item, each_once, graph_text, piece_name, pieces, read_paths, read_vertex, renamed, vertices,
    without,
};
use crate::games::heaps::no_parameters;
use crate::games::letters::Letters;
use crate::games::partizan::part_lines;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::{Meter, Stopped};

const EXAMPLE: &str = "poset:0-1-3,0-2-3,4";

/// Pieces up to this size are freed of relations that follow from others.
const REDUCED: usize = 64;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "poset",
    title: "Games on a poset",
    rule: "Choose an element of the partial order: it is removed together with every element above it. The player who takes the last element wins.",
    notation: "poset:0-1-3,0-2-3,4 has element 0 below 1 and 2, these two below 3, and element 4 related to no other; 0-1-3 is short for 0-1,1-3",
    move_notation: "1 takes element 1 and all elements above it",
    examples: &[
        EXAMPLE,
        "poset:0-1-2,3-4",
        "poset:0-1,0-2-3,0-2-4",
        "poset:0-2,1-2,1-3",
        "poset:1-2-4,1-3-6,2-6",
        "poset:0-1-2,0-2",
        "poset:0-3,1-3,2-3",
        "poset:_",
    ],
    example_move: "1",
    method: "connected pieces, isomorphic ones once: the colon principle where no element has two directly below it; a piece alone with a least or a greatest element is won; others by their options; misere play by exhaustive search",
    complexity: "O(elements) for forests; otherwise exponential in the largest piece",
    limits: "200,000 elements and relations, elements up to 999,999,999; pieces of about 20 elements are solved within a second",
    source: "D. Gale, A. Neyman, Nim-type games, 1982; F. Schuh 1952; Winning Ways, 1982, chapter 7",
    board: BoardKind::Order,
    read: erased::read::<Poset>,
};

/// The rules of games on a poset.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Poset;

/// The elements that are left: relations from the lower to the upper element, and elements by themselves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Order {
    items: Vec<Item>,
}

/// An element is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice(u32);

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The elements directly above each element that has any.
fn uppers(items: &[Item]) -> FxHashMap<u32, Vec<u32>> {
    let mut above: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for item in items {
        if let Some(to) = item.to {
            above.entry(item.from).or_default().push(to);
        }
    }
    above
}

/// How many elements stand directly below each element that has any.
fn counts_below(items: &[Item]) -> FxHashMap<u32, usize> {
    let mut below = FxHashMap::default();
    for to in items.iter().filter_map(|item| item.to) {
        *below.entry(to).or_default() += 1;
    }
    below
}

/// All elements, each after those below it, with the length of the longest chain below it; elements on or above a circle are missing.
fn from_below(items: &[Item]) -> Vec<(u32, u32)> {
    let above = uppers(items);
    let mut waiting = counts_below(items);
    let all = vertices(items).into_iter();
    let mut order: Vec<(u32, u32)> = all
        .filter(|element| !waiting.contains_key(element))
        .map(|element| (element, 0))
        .collect();
    let mut next = 0;
    while let Some(&(element, height)) = order.get(next) {
        next += 1;
        for upper in above.get(&element).into_iter().flatten() {
            if let Some(count) = waiting.get_mut(upper) {
                *count -= 1;
                // The last of the elements below is the highest, since heights ascend.
                if *count == 0 {
                    order.push((*upper, height + 1));
                }
            }
        }
    }
    order
}

/// Refuses relations that go round in a circle, at one of them.
fn refuse_circles(typed: &[(Item, Word<'_>)]) -> Result<(), NotationError> {
    let items: Vec<Item> = typed.iter().map(|(item, _)| *item).collect();
    let sorted: FxHashSet<u32> = from_below(&items).into_iter().map(|(e, _)| e).collect();
    let mut below: FxHashMap<u32, usize> = FxHashMap::default();
    for (at, item) in items.iter().enumerate() {
        let stuck = item.to.filter(|to| !sorted.contains(to));
        if let Some(to) = stuck.filter(|_| !sorted.contains(&item.from)) {
            below.insert(to, at);
        }
    }
    // From an element that was not reached, ways down lead round a circle.
    let first = below.iter().min_by_key(|(_, at)| **at);
    let Some(mut element) = first.map(|(element, _)| *element) else {
        return Ok(());
    };
    let mut met = FxHashSet::default();
    while met.insert(element) {
        element = below.get(&element).map_or(element, |at| items[*at].from);
    }
    let at = below.get(&element).copied().unwrap_or_default();
    let (item, word) = typed[at];
    let message = format!("the relation {item} closes a circle");
    let expected = "relations in which no element stands above itself";
    word.refuse(NotationCode::BadPosition, message, expected, EXAMPLE)
}

/// A piece without the relations that follow from others, unless it is large.
fn reduced(piece: Vec<Item>) -> Vec<Item> {
    let elements = from_below(&piece);
    if elements.len() > REDUCED {
        return piece;
    }
    let place: FxHashMap<u32, usize> = elements.iter().map(|(e, _)| *e).zip(0..).collect();
    let direct = uppers(&piece);
    // The elements from each one upwards, as bits.
    let mut upwards = vec![0_u64; elements.len()];
    for (at, (element, _)) in elements.iter().enumerate().rev() {
        let above = direct.get(element).into_iter().flatten();
        upwards[at] = above.fold(1 << at, |bits, upper| bits | upwards[place[upper]]);
    }
    let follows = |from: u32, to: u32| {
        let mut between = direct[&from].iter().filter(|upper| **upper != to);
        between.any(|upper| upwards[place[upper]] >> place[&to] & 1 == 1)
    };
    let stays = |item: &Item| item.to.is_none_or(|to| !follows(item.from, to));
    piece.into_iter().filter(stays).collect()
}

/// The elements of a connected piece in which no element has two directly below it, from above to the least one, each with its value: one more than the xor of
/// what stands on it.
fn forest_values(piece: &[Item]) -> Option<Vec<(u32, u64)>> {
    if counts_below(piece).values().any(|count| *count > 1) {
        return None;
    }
    let above = uppers(piece);
    let mut values: FxHashMap<u32, u64> = FxHashMap::default();
    let mut all = Vec::new();
    for (element, _) in from_below(piece).iter().rev() {
        let upper = above.get(element).into_iter().flatten();
        let value = 1 + upper.fold(0, |xor, upper| xor ^ values[upper]);
        values.insert(*element, value);
        all.push((*element, value));
    }
    Some(all)
}

/// The value of such a piece.
fn forest_value(piece: &[Item]) -> Option<u64> {
    let values = forest_values(piece)?;
    Some(values.last().map_or(0, |(_, value)| *value))
}

/// The least element and the greatest one, if they exist.
fn extremes(items: &[Item]) -> (Option<u32>, Option<u32>) {
    let elements = vertices(items);
    let (above, below) = (uppers(items), counts_below(items));
    let only = |of: &dyn Fn(&u32) -> bool| {
        let mut found = elements.iter().copied().filter(|element| of(element));
        found.next().filter(|_| found.next().is_none())
    };
    (
        only(&|element| !below.contains_key(element)),
        only(&|element| !above.contains_key(element)),
    )
}

impl Order {
    /// An element and all above it.
    fn from(&self, chosen: u32) -> FxHashSet<u32> {
        let above = uppers(&self.items);
        let mut gone: FxHashSet<u32> = [chosen].into_iter().collect();
        let mut waiting = vec![chosen];
        while let Some(element) = waiting.pop() {
            let upper = above.get(&element).into_iter().flatten();
            waiting.extend(upper.filter(|upper| gone.insert(**upper)));
        }
        gone
    }

    fn pieces(&self) -> Vec<Vec<Item>> {
        pieces(&self.items).into_iter().map(reduced).collect()
    }

    /// Why forests have their values, from the bottom up: the elements on which several others stand, or the first on which one does.
    fn branches(&self) -> Vec<GameFact> {
        const SHOWN: usize = 8;
        let mut all = Vec::new();
        for piece in self.pieces() {
            let Some(values) = forest_values(&piece) else {
                continue;
            };
            let above = uppers(&piece);
            let of: FxHashMap<u32, u64> = values.iter().copied().collect();
            let elements = values.iter().rev();
            let bearing = elements.filter_map(|(element, value)| {
                let upper = above.get(element)?;
                let mut terms = Terms::default();
                for upper in upper {
                    terms.push(|| upper.to_string(), of[upper]);
                }
                Some(GameFact::Element {
                    element: *element,
                    above: terms,
                    value: *value,
                })
            });
            all.extend(bearing);
        }
        let is_fork =
            |fact: &GameFact| matches!(fact, GameFact::Element { above, .. } if above.total > 1);
        match all.iter().any(is_fork) {
            true => all.retain(is_fork),
            false => all.truncate(1),
        }
        all.truncate(SHOWN);
        all
    }
}

impl Game for Poset {
    type State = Order;
    type Move = Choice;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Order), NotationError> {
        no_parameters(parameters, &INFO)?;
        if state.text == "_" {
            return Ok((Self, Order { items: Vec::new() }));
        }
        let bad = NotationCode::BadPosition;
        let typed = read_paths(state, EXAMPLE, |word| read_vertex(word, bad, EXAMPLE))?;
        refuse_circles(&typed)?;
        let items = each_once(typed.into_iter().map(|(item, _)| item));
        Ok((Self, Order { items }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, order: &Order, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &order.items)
    }

    fn move_count(&self, order: &Order, _: Seat) -> u128 {
        vertices(&order.items).len() as u128
    }

    fn nth_move(&self, order: &Order, seat: Seat, n: u128) -> Option<Choice> {
        self.moves(order, seat).nth(usize::try_from(n).ok()?)
    }

    /// Piece by piece, ascending in each.
    fn moves<'s>(&'s self, order: &'s Order, _: Seat) -> Box<dyn Iterator<Item = Choice> + 's> {
        let pieces = pieces(&order.items).into_iter();
        Box::new(pieces.flat_map(|piece| vertices(&piece)).map(Choice))
    }

    fn read_move(&self, order: &Order, _: Seat, text: &str) -> Result<Choice, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let label = letters.number()?;
        letters.end()?;
        let element = u32::try_from(label).ok();
        let elements = vertices(&order.items);
        let element = element.filter(|element| elements.binary_search(element).is_ok());
        let missing = || MoveError::at(column, format!("there is no element {label} left"));
        element.map(Choice).ok_or_else(missing)
    }

    fn play(&self, order: &Order, Choice(chosen): &Choice) -> Order {
        Order {
            items: without(&order.items, &order.from(*chosen)),
        }
    }

    fn describe(&self, order: &Order) -> String {
        graph_text(&order.items, "no elements").replacen("the graph", "the order", 1)
    }

    fn describe_move(&self, order: &Order, choice: &Choice, prefix: &str) -> String {
        match order.from(choice.0).len() - 1 {
            0 => format!("took element {prefix}{choice}"),
            1 => format!("took element {prefix}{choice} and the one above it"),
            more => format!("took element {prefix}{choice} and the {more} above it"),
        }
    }

    fn parts(&self, order: &Order) -> Vec<Order> {
        let part = |piece: Vec<Item>| {
            let heights: FxHashMap<u32, u32> = from_below(&piece).into_iter().collect();
            // Lower elements get smaller numbers, so that relations still lead upwards.
            Order {
                items: renamed(&piece, |element| heights[&element]),
            }
        };
        order.pieces().into_iter().map(part).collect()
    }

    fn part_name(&self, order: &Order, part: usize) -> String {
        piece_name(&order.pieces(), part)
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Piece
    }

    fn values(&self, order: &Order, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(order.items.len() as u64)?;
        let pieces = order.pieces();
        Ok(pieces.iter().map(|piece| forest_value(piece)).collect())
    }

    fn method(&self) -> &'static str {
        "connected pieces"
    }

    fn bytes(&self, order: &Order) -> u64 {
        order.items.len() as u64 * 16
    }

    /// The elements with nothing above them can be taken in any order.
    fn free_choices(&self, order: &Order) -> usize {
        let above = uppers(&order.items);
        let elements = vertices(&order.items);
        elements.iter().filter(|e| !above.contains_key(e)).count()
    }

    /// With a least element, taking it ends the game. With a greatest one among others, strategy stealing: whatever answers the move that takes it alone
    /// could have been played at once, and would have taken it too.
    fn is_p_position(&self, order: &Order, end: EndRule) -> Option<bool> {
        let (least, greatest) = extremes(&order.items);
        match end {
            EndRule::Normal => least.or(greatest).map(|_| false),
            // One element alone is both.
            EndRule::Misere => greatest.map(|greatest| least == Some(greatest)),
        }
    }

    /// Elements on which several others stand in pieces that are forests; otherwise one on which any stand. The least or the greatest element comes last: it decides.
    fn facts(&self, order: &Order, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        if meter.work(order.items.len() as u64).is_err() {
            return Vec::new();
        }
        let is_normal = end == EndRule::Normal;
        let mut facts = match is_normal {
            true => order.branches(),
            false => Vec::new(),
        };
        let has_two = order.items.iter().any(|item| item.to.is_some());
        let extreme = match extremes(&order.items) {
            (Some(element), _) if is_normal && has_two => Some((element, false)),
            (_, Some(element)) if has_two => Some((element, true)),
            _ => None,
        };
        facts.extend(extreme.map(|(element, greatest)| GameFact::Extreme { element, greatest }));
        facts
    }

    /// Taking the least element.
    fn advised(&self, order: &Order, end: EndRule, _: &mut Meter<'_>) -> Option<Choice> {
        let (least, _) = extremes(&order.items);
        least.filter(|_| end == EndRule::Normal).map(Choice)
    }

    fn explain(&self, order: &Order, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec![
            "Each connected piece of the order is a game of its own. If no element has two directly below it, its value is 1 more than the xor of the values of what stands directly on it (the colon principle).".to_owned(),
        ];
        let normal = end == EndRule::Normal;
        match extremes(&order.items) {
            (Some(_), _) if normal => lines.push(
                "There is a least element: taking it takes everything, so the first player wins."
                    .to_owned(),
            ),
            (_, Some(_)) if normal || order.items.iter().any(|item| item.to.is_some()) => lines.push(
                "There is a greatest element: if taking it alone lost, the reply to it would have been a winning first move, since it takes the greatest element too. So the first player wins."
                    .to_owned(),
            ),
            _ => {}
        }
        let pieces = order.pieces();
        lines.extend(part_lines(pieces.iter().map(|piece| {
            const SHOWN: usize = 8;
            let elements = vertices(piece);
            let shown: Vec<String> = elements.iter().take(SHOWN).map(u32::to_string).collect();
            let more = if elements.len() > SHOWN { " ..." } else { "" };
            let noun = if elements.len() == 1 {
                "element"
            } else {
                "elements"
            };
            let part = format!("{} {noun} {}{more}", elements.len(), shown.join(" "));
            (part, forest_value(piece).map(|value| value as i64))
        })));
        if end.is_misere() {
            lines.push(
                "Misere play: the values do not decide; only a search of all lines of play does."
                    .to_owned(),
            );
        }
        lines
    }

    fn explained_by_options(&self, order: &Order) -> bool {
        order
            .pieces()
            .iter()
            .any(|piece| forest_value(piece).is_none())
    }
}
