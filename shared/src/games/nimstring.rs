//! Nimstring: coins tied to each other and to the ground by strings. A player cuts a string; who frees a coin must cut again, and who cannot loses.
//!
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapter 16: Dots and Boxes without its score, a box being a coin and a side not yet drawn a string. Here a move
//! is a whole turn: cuts that each free a coin, and at last one that frees none. A turn that cannot end so is lost, and is no move. A turn may go on in another
//! piece of the graph, so a graph is one game and not the sum of its pieces.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::GameFact;
use crate::game::{EndRule, Game};
use crate::games::graphs::{Item, graph_text, read_paths, read_vertex, refuse_rings, vertices};
use crate::games::heaps::no_parameters;
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::Meter;
use crate::theory::graph::renumbered;

const EXAMPLE: &str = "nimstring:0-1-2-3-0,0-4-0";

/// The largest number of strings, as many as two by two boxes have: turns are listed one by one, and there may be as many as sets of strings.
const MAX_STRINGS: usize = 12;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "nimstring",
    title: "Nimstring",
    rule: "Cut one string. If it was the last string of a coin, or of two coins, these are freed, and you must cut another string in the same turn, until a cut frees no coin. A turn must end with such a cut: if only strings are left that free coins, the player to move has no move. The player who makes the last move wins.",
    notation: "nimstring:0-1-2-3-0,0-4-0 has three coins on a chain that begins and ends at the ground, which is 0, and a fourth one with two strings to the ground; a pair may have several strings",
    move_notation: "0-4 cuts that string; 0-1,1-2,2-3 is a turn of three cuts, in this order, of which the first two free coins",
    examples: &[
        EXAMPLE,
        "nimstring:0-1-2,0-3-0",
        "nimstring:0-1-0",
        "nimstring:0-1-2-0",
        "nimstring:1-2-3-1,0-1",
        "nimstring:0-1,2-3,0-4-0",
        "nimstring:_",
    ],
    example_move: "0-4",
    method: "exhaustive search over whole turns; a turn that frees coins goes on anywhere in the graph, so its pieces are no summands, and chains and loops have other values than in books, where such a move counts as loony",
    complexity: "exponential in the number of strings",
    limits: "12 strings, vertices up to 999,999,999",
    source: "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 16; E. R. Berlekamp, The Dots and Boxes Game, 2000",
    board: BoardKind::Cuts,
    read: erased::read::<Nimstring>,
};

/// The rules of Nimstring.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nimstring;

/// The strings that are left.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Strings {
    items: Vec<Item>,
}

/// A turn: the strings in the order in which they are cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn(Vec<Item>);

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &self.0)
    }
}

/// The two ends of a string, the lower first.
fn ends(string: &Item) -> (u32, u32) {
    let to = string.to.unwrap_or(string.from);
    (string.from.min(to), string.from.max(to))
}

impl Strings {
    /// Whether cutting a string, after others of this set were cut, frees a coin.
    fn frees(&self, cut: u32, string: usize) -> bool {
        let (a, b) = ends(&self.items[string]);
        [a, b].into_iter().any(|coin| {
            let left = (0..self.items.len()).filter(|other| {
                let (a, b) = ends(&self.items[*other]);
                *other != string && cut >> other & 1 == 0 && (a == coin || b == coin)
            });
            coin != 0 && left.count() == 0
        })
    }

    /// The strings that can be cut after those of a set; of several between the same ends the first.
    fn left(&self, cut: u32) -> impl Iterator<Item = usize> + '_ {
        let mut met = FxHashSet::default();
        let left = (0..self.items.len()).filter(move |string| cut >> string & 1 == 0);
        left.filter(move |string| met.insert(ends(&self.items[*string])))
    }

    /// All ways to begin a turn, each set of strings that free coins once, and in an order in which they do.
    fn begun(&self) -> Vec<(u32, Vec<usize>)> {
        let mut begun = vec![(0, Vec::new())];
        let mut met = FxHashSet::default();
        let mut next = 0;
        while let Some((cut, order)) = begun.get(next).cloned() {
            next += 1;
            for string in self.left(cut) {
                let more = cut | 1 << string;
                if self.frees(cut, string) && met.insert(more) {
                    let mut order = order.clone();
                    order.push(string);
                    begun.push((more, order));
                }
            }
        }
        begun
    }

    /// The turns. A string that frees a coin does so after any other cuts, unless one of them freed the coin; so the set of strings says which was the last, and none comes twice.
    fn turns(&self) -> impl Iterator<Item = Turn> + '_ {
        self.begun().into_iter().flat_map(move |(cut, order)| {
            let last: Vec<usize> = self.left(cut).filter(|s| !self.frees(cut, *s)).collect();
            last.into_iter().map(move |last| {
                let all = order.iter().copied().chain([last]);
                Turn(all.map(|string| self.items[string]).collect())
            })
        })
    }

    /// The strings of a coin.
    fn of_coin(&self, coin: u32) -> impl Iterator<Item = usize> + '_ {
        let strings = self.items.iter().enumerate();
        let has_coin = move |string: &Item| {
            let (a, b) = ends(string);
            a == coin || b == coin
        };
        strings.filter_map(move |(at, string)| has_coin(string).then_some(at))
    }

    /// A chain of coins that is open and long enough for the player to move to choose who must move elsewhere: take all its coins and go on elsewhere, or leave the last
    /// two tied together by one string, of a chain open at both ends the last four in two pairs. Suppose that the rest of the graph is lost for the player who
    /// must move in it. Then the rest with such pairs is lost, too, because a player who answers in the rest takes the pairs first. So one of the two ways
    /// wins. O(strings^2).
    fn open_chain(&self) -> Option<(Vec<u32>, bool)> {
        let coins = vertices(&self.items).into_iter().filter(|coin| *coin != 0);
        coins.filter_map(|coin| self.chain_from(coin)).next()
    }

    /// The chain that begins with this coin, if that has only one string.
    fn chain_from(&self, coin: u32) -> Option<(Vec<u32>, bool)> {
        let [mut string] = self.of_coin(coin).collect::<Vec<_>>()[..] else {
            return None;
        };
        let mut chain = vec![coin];
        loop {
            let (a, b) = ends(&self.items[string]);
            let next = if Some(&a) == chain.last() { b } else { a };
            let strings: Vec<usize> = self.of_coin(next).collect();
            match strings[..] {
                _ if next == 0 => break,
                [_] => {
                    chain.push(next);
                    return (chain.len() >= 4).then_some((chain, true));
                }
                [one, two] => {
                    chain.push(next);
                    string = if one == string { two } else { one };
                }
                _ => break,
            }
        }
        (chain.len() >= 2).then_some((chain, false))
    }

    fn coins(&self) -> usize {
        let named = vertices(&self.items).into_iter();
        named.filter(|coin| *coin != 0).count()
    }
}

impl Game for Nimstring {
    type State = Strings;
    type Move = Turn;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Strings), NotationError> {
        no_parameters(parameters, &INFO)?;
        if state.text == "_" {
            return Ok((Self, Strings { items: Vec::new() }));
        }
        let bad = NotationCode::BadPosition;
        let expected = "strings between two coins, or a coin and the ground, which is 0";
        let typed = read_paths(state, EXAMPLE, |word| read_vertex(word, bad, EXAMPLE))?;
        refuse_rings(&typed, bad, EXAMPLE)?;
        if let Some((item, word)) = typed.iter().find(|(item, _)| item.to.is_none()) {
            let message = format!("{item} has no string");
            return word.refuse(bad, message, expected, EXAMPLE);
        }
        if let Some((_, word)) = typed.get(MAX_STRINGS) {
            let message = format!("there are more than {MAX_STRINGS} strings");
            let expected = format!("at most {MAX_STRINGS} strings");
            return word.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
        }
        let items = typed.into_iter().map(|(item, _)| item).collect();
        Ok((Self, Strings { items }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, strings: &Strings, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &strings.items)
    }

    fn move_count(&self, strings: &Strings, _: Seat) -> u128 {
        strings.turns().count() as u128
    }

    fn nth_move(&self, strings: &Strings, _: Seat, n: u128) -> Option<Turn> {
        strings.turns().nth(usize::try_from(n).ok()?)
    }

    fn moves<'s>(&'s self, strings: &'s Strings, _: Seat) -> Box<dyn Iterator<Item = Turn> + 's> {
        Box::new(strings.turns())
    }

    fn read_move(&self, strings: &Strings, _: Seat, text: &str) -> Result<Turn, MoveError> {
        let mut letters = Letters::new(text);
        let mut cut = 0;
        loop {
            let column = letters.column();
            let from = letters.number()?;
            if letters.peek() != Some('-') {
                let message = "a string is written as its two ends, such as 1-2";
                return Err(MoveError::at(letters.column(), message));
            }
            letters.skip();
            let to = letters.number()?;
            let typed = (from.min(to), from.max(to));
            let named = |string: &usize| {
                let (a, b) = ends(&strings.items[*string]);
                (u64::from(a), u64::from(b)) == typed
            };
            let Some(string) = strings.left(cut).find(named) else {
                let message = format!("there is no string from {from} to {to}");
                return Err(MoveError::at(column, message));
            };
            let frees = strings.frees(cut, string);
            match letters.peek() {
                Some(',') if frees => letters.skip(),
                Some(',') => {
                    let message = format!("cutting {from}-{to} frees no coin and ends the turn");
                    return Err(MoveError::at(letters.column(), message));
                }
                Some(_) => letters.end()?,
                None if frees => {
                    let message =
                        format!("cutting {from}-{to} frees a coin, so another cut must follow");
                    return Err(MoveError::at(column, message));
                }
                None => {
                    // In the order in which the list has it.
                    let begun = strings.begun().into_iter();
                    let order = begun.filter(|(set, _)| *set == cut).map(|(_, order)| order);
                    let all = order.flatten().chain([string]);
                    return Ok(Turn(all.map(|string| strings.items[string]).collect()));
                }
            }
            cut |= 1 << string;
        }
    }

    fn play(&self, strings: &Strings, Turn(cuts): &Turn) -> Strings {
        let mut items = strings.items.clone();
        for cut in cuts {
            if let Some(at) = items.iter().position(|string| ends(string) == ends(cut)) {
                items.remove(at);
            }
        }
        Strings { items }
    }

    fn describe(&self, strings: &Strings) -> String {
        let text = graph_text(&strings.items, "no strings").replacen("the graph", "the strings", 1);
        let coins = strings.coins();
        let noun = if coins == 1 { "coin" } else { "coins" };
        match coins {
            0 => text,
            _ => format!("{text}: {coins} {noun} (0 is the ground)"),
        }
    }

    fn describe_move(&self, strings: &Strings, turn: &Turn, prefix: &str) -> String {
        let freed = strings.coins() - self.play(strings, turn).coins();
        match freed {
            0 => format!("cut {prefix}{turn}"),
            1 => format!("cut {prefix}{turn}, freeing 1 coin"),
            _ => format!("cut {prefix}{turn}, freeing {freed} coins"),
        }
    }

    /// The whole, with vertices renamed by what is around them, so that graphs of one form are looked at once.
    fn parts(&self, strings: &Strings) -> Vec<Strings> {
        // The ground keeps its name.
        let mut labels = vertices(&strings.items);
        if labels.first() != Some(&0) {
            labels.insert(0, 0);
        }
        let place = |label: u32| labels.binary_search(&label).map_or(0, |place| place as u32);
        let edges = strings.items.iter().map(ends);
        let edges: Vec<(u32, u32, ())> = edges.map(|(a, b)| (place(a), place(b), ())).collect();
        let seeds: Vec<u32> = labels.iter().map(|label| u32::from(*label != 0)).collect();
        let edges = renumbered(&edges, &seeds).into_iter();
        let items = edges.map(|(from, to, ())| Item { from, to: Some(to) });
        vec![Strings {
            items: items.collect(),
        }]
    }

    fn method(&self) -> &'static str {
        "whole turns"
    }

    fn facts(&self, strings: &Strings, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        if end.is_misere() {
            return Vec::new();
        }
        if let Some((coins, both_ends)) = strings.open_chain() {
            return vec![GameFact::OpenChain {
                coins_total: coins.len() as u64,
                coins,
                both_ends,
            }];
        }
        let mut turns = 0;
        for turn in strings.turns() {
            let is_within = meter.work(1 + strings.items.len() as u64).is_ok();
            if !is_within || self.play(strings, &turn).open_chain().is_none() {
                return Vec::new();
            }
            turns += 1;
        }
        match turns {
            0 => Vec::new(),
            _ => vec![GameFact::EveryTurnOpens { turns }],
        }
    }

    fn explain(&self, _: &Strings, _: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        vec![
            "A move is a whole turn: cuts that free coins, then one that frees none. If all that is left can only be freed, the player to move has no move.".to_owned(),
            "If you can free the coins of a chain, you may take all of them and move elsewhere, or leave the last two tied together, so that the opponent must move elsewhere. So opening a long chain loses.".to_owned(),
        ]
    }

    fn explained_by_options(&self, _: &Strings) -> bool {
        true
    }
}
