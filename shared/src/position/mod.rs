//! A whole position and its moves: components, how they are played together, and the end rule.

mod arranged;
mod parse;
mod steps;
mod sum;
mod typed;
mod zero;

use std::fmt;

use crate::erased::{Component, GameInfo};
use crate::game::{EndRule, Kind};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError};
use crate::theory::Meter;
use crate::theory::compound::Compound;
use crate::theory::heap_values::HeapValues;

use parse::{plain, read_endings};
pub use steps::Move;
pub(crate) use steps::Step;
pub(crate) use sum::Sum;

#[cfg(debug_assertions)]
thread_local! {
    static PLAYS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// A whole position: its components and the end rule. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(crate) sum: Sum,
    end_rule: EndRule,
}

impl Position {
    /// Reads a position, such as `nim:3,5+kayles:7@every@misere` (see `docs/NOTATION.md`). O(length), with a few known
    /// factors (letters of an unknown name).
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        let word = plain(text)?;
        let (body, endings) = match word.split_once('@') {
            None => (word, None),
            Some((body, endings)) => (body, Some(endings)),
        };
        let endings = endings.into_iter().flat_map(|endings| endings.split('@'));
        let (compound, end_rule) = read_endings(endings)?;
        let sum = Sum::parse(body, compound)?;
        Ok(Self { sum, end_rule })
    }

    /// The disjunctive sum of these components, at least one, under an end rule. A part of a component need not have a text.
    pub(crate) fn of(components: Vec<Component>, end_rule: EndRule) -> Self {
        Self {
            sum: Sum::of(components),
            end_rule,
        }
    }

    /// Who wins when nobody moves any more.
    #[must_use]
    pub fn end_rule(&self) -> EndRule {
        self.end_rule
    }

    /// How its components are played together.
    #[must_use]
    pub fn compound(&self) -> Compound {
        self.sum.compound()
    }

    /// Whether the two players have different moves, so that it matters who is to move. O(size).
    #[must_use]
    pub fn has_sides(&self) -> bool {
        let mut components = self.sum.components().iter();
        components.any(|component| component.has_sides())
    }

    /// The rule of its compound in one or two sentences; where the players have different moves, it says whose count. O(components).
    #[must_use]
    pub fn compound_rule(&self) -> String {
        let rule = self.compound().rule();
        match self.has_sides() && self.compound() != Compound::Sum {
            true => format!("{rule} {}", Compound::WITH_SIDES),
            false => rule.to_owned(),
        }
    }

    /// How many components it has, finished ones among them; at least one.
    #[must_use]
    pub fn component_count(&self) -> usize {
        self.sum.components().len()
    }

    /// Each component in order: what the registry says of its game, and its text such as `nim:3,5`. O(size).
    pub fn components(&self) -> impl Iterator<Item = (&'static GameInfo, String)> + '_ {
        let parts = self.sum.components().iter();
        parts.map(|part| (part.info(), part.to_string()))
    }

    /// Whose the moves are, and whether play comes to an end: the greatest of the kinds of the components. O(components).
    #[must_use]
    pub fn kind(&self) -> Kind {
        let kinds = self.sum.components().iter().map(|part| part.kind());
        kinds.max().unwrap_or(Kind::Impartial)
    }

    /// Whether this seat has no move, so that the contest is over.
    #[must_use]
    pub fn is_over(&self, to_move: Seat) -> bool {
        self.move_count(to_move) == 0
    }

    /// Who has won by the end rule, when it is over.
    #[must_use]
    pub fn winner_if_over(&self, to_move: Seat) -> Option<Seat> {
        self.is_over(to_move).then(|| self.end_rule.winner(to_move))
    }

    /// How long a move can be that is made in many components at once, written out: in each of them the longer of its first and its
    /// last move. 0 where a move can be made in only one component. O(components).
    #[must_use]
    pub fn wide_move_bytes(&self, to_move: Seat) -> usize {
        self.sum.wide_move_bytes(to_move)
    }

    /// Reads a move of this seat: case and spaces do not matter, and only legal moves are accepted.
    pub fn parse_move(&self, to_move: Seat, text: &str) -> Result<Move, MoveError> {
        self.sum.read_move(to_move, text).map_err(|error| {
            let example = error.example.or_else(|| {
                let first = self.nth_move(to_move, 0)?;
                Some(first.to_string())
            });
            MoveError { example, ..error }
        })
    }

    /// The position after a move that came from this position. O(size of the component moved in + components).
    #[must_use]
    pub fn play(&self, mv: &Move) -> Self {
        #[cfg(debug_assertions)]
        PLAYS.set(PLAYS.get() + 1);
        Self {
            sum: self.sum.play(mv),
            end_rule: self.end_rule,
        }
    }

    /// How often [`Position::play`] was called on this thread: tests count what an operation costs. In builds with debug assertions only.
    #[cfg(debug_assertions)]
    #[must_use]
    pub fn plays_on_this_thread() -> u64 {
        PLAYS.get()
    }

    /// All moves of this seat in canonical order, lazily: there may be 10^18 of them.
    #[must_use]
    pub fn moves(&self, to_move: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        self.sum.moves(to_move)
    }

    /// The moves of this seat in canonical order from number `from`, counted from 0, lazily. O(parts) for the first, whatever its
    /// number.
    #[must_use]
    pub fn moves_from(&self, to_move: Seat, from: u128) -> Box<dyn Iterator<Item = Move> + '_> {
        self.sum.moves_from(to_move, from)
    }

    /// How many moves this seat has: exact, saturating. O(parts).
    #[must_use]
    pub fn move_count(&self, to_move: Seat) -> u128 {
        self.sum.move_count(to_move)
    }

    /// Move number `n` of the list, from 0. O(parts).
    #[must_use]
    pub fn nth_move(&self, to_move: Seat, n: u128) -> Option<Move> {
        self.sum.nth_move(to_move, n)
    }

    /// The position in a sentence: `Heaps A 3, B 5, C 7.`
    #[must_use]
    pub fn describe(&self) -> String {
        self.sum.describe()
    }

    /// A move that came from this position, in words without a subject: `took 4 from D, leaving 3`.
    #[must_use]
    pub fn describe_move(&self, mv: &Move) -> String {
        self.sum.describe_move(mv)
    }

    /// The names of the games in it, for titles: `Nim`, `Nim + Kayles, every component, misere`.
    #[must_use]
    pub fn rules(&self) -> String {
        let mut titles: Vec<&str> = Vec::new();
        for component in self.sum.components() {
            let title = component.info().title;
            if !titles.contains(&title) {
                titles.push(title);
            }
        }
        let mut text = titles.join(" + ");
        if self.compound() != Compound::Sum {
            text.push_str(", ");
            text.push_str(self.compound().title());
        }
        if self.end_rule.is_misere() {
            text.push_str(", misere");
        }
        text
    }

    /// The Grundy values of single heaps under the rules of the only component, up to a heap of `to` at least where the meter
    /// allows; `None` for a sum, and where the game has no heaps.
    #[must_use]
    pub fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues> {
        match self.sum.components() {
            [component] => component.heap_values(to, meter),
            _ => None,
        }
    }

    /// What the registry says of each game in it, in the order of the components, each once.
    #[must_use]
    pub fn games(&self) -> Vec<&'static GameInfo> {
        let mut infos: Vec<&'static GameInfo> = Vec::new();
        for component in self.sum.components() {
            let info = component.info();
            if !infos.iter().any(|known| known.name == info.name) {
                infos.push(info);
            }
        }
        infos
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sum.fmt(f)?;
        if self.compound() != Compound::Sum {
            write!(f, "@{}", self.compound().word())?;
        }
        if self.end_rule.is_misere() {
            f.write_str("@misere")?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Self::parse(text)
    }
}
