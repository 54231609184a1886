//! A component without its type, and what the registry says about its game.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::any_move::{AnyMove, ComponentMove};
use super::board::BoardKind;
use crate::fact::{GameFact, PartKind};
use crate::game::{EndRule, Kind};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::heap_values::HeapValues;
use crate::theory::misere_heaps::{self, Classes};
use crate::theory::{
    BitBoard, CanonicalForm, CanonicalForms, Goal, LoopyValue, Meter, MoveList, Stopped, Tally,
};

/// A component whose game is not known to the holder. Cheap to clone.
pub(crate) type Component = Arc<dyn AnyGame>;

/// The functions of [`Game`](crate::game::Game) on one state, without its types.
pub(crate) trait AnyGame: fmt::Debug + Send + Sync {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn info(&self) -> &'static GameInfo;
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn AnyGame) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
    fn move_count(&self, seat: Seat) -> u128;
    fn nth_move(&self, seat: Seat, n: u128) -> Option<ComponentMove>;
    fn moves(&self, seat: Seat) -> Box<dyn Iterator<Item = ComponentMove> + '_>;
    fn read_move(&self, seat: Seat, text: &str) -> Result<ComponentMove, MoveError>;
    fn play(&self, mv: &dyn AnyMove) -> Component;
    fn describe(&self) -> String;
    fn describe_move(&self, mv: &dyn AnyMove, prefix: &str) -> String;
    fn kind(&self) -> Kind;
    fn has_sides(&self) -> bool;
    fn parts(&self) -> Vec<Component>;
    fn part_name(&self, part: usize) -> String;
    fn part_kind(&self) -> PartKind;
    fn values(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped>;
    fn has_value(&self, value: u64, meter: &mut Meter<'_>) -> Result<Option<bool>, Stopped>;
    fn forms(
        &self,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<CanonicalForm>>, Stopped>;
    fn loopy_values(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<LoopyValue>>, Stopped>;
    fn keeps_values(&self) -> bool;
    fn method(&self) -> &'static str;
    fn is_tame(&self) -> bool;
    fn misere_tallies(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<Tally>>, Stopped>;
    fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues>;
    fn misere_classes(&self, meter: &mut Meter<'_>) -> Result<Option<Classes>, Stopped>;
    fn misere_replies(
        &self,
        part: usize,
        beside: u16,
        table: &misere_heaps::Table,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<ComponentMove>>, Stopped>;
    fn bit_board(&self) -> Option<BitBoard>;
    fn free_choices(&self) -> usize;
    fn bytes(&self) -> u64;
    fn is_p_position(&self, end: EndRule, meter: &mut Meter<'_>) -> Result<Option<bool>, Stopped>;
    fn replies(
        &self,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<ComponentMove>>, Stopped>;
    fn remoteness(&self, end: EndRule, meter: &mut Meter<'_>) -> Result<Option<u64>, Stopped>;
    fn facts(&self, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact>;
    fn changes(&self, mv: &dyn AnyMove, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact>;
    fn advised(&self, end: EndRule, meter: &mut Meter<'_>) -> Option<ComponentMove>;
    fn explain(&self, end: EndRule, meter: &mut Meter<'_>) -> Vec<String>;
    fn explained_by_options(&self) -> bool;
    fn how_to_win(&self, end: EndRule) -> Vec<String>;
}

impl PartialEq for dyn AnyGame {
    fn eq(&self, other: &Self) -> bool {
        self.equals(other)
    }
}

impl Eq for dyn AnyGame {}

impl Hash for dyn AnyGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash_into(state);
    }
}

impl fmt::Display for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

/// What is told of a game, and how its components are read.
#[derive(Debug)]
pub struct GameInfo {
    /// The word before the colon.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The rules: the first sentence is the move in short, the last begins with `The player who` and says who wins.
    pub rule: &'static str,
    /// How a position is written.
    pub notation: &'static str,
    /// How a move is written.
    pub move_notation: &'static str,
    /// Positions that are accepted, small enough for exhaustive search.
    pub examples: &'static [&'static str],
    /// A legal move of the first example.
    pub example_move: &'static str,
    /// How it is solved.
    pub method: &'static str,
    /// What that costs.
    pub complexity: &'static str,
    /// The bounds of its positions.
    pub limits: &'static str,
    /// Where the theory comes from.
    pub source: &'static str,
    /// What a picture of its components shows.
    pub board: BoardKind,
    /// Reads a component: name, parameters, state.
    pub(crate) read: fn(
        &'static GameInfo,
        Word<'_>,
        Option<Word<'_>>,
        Word<'_>,
    ) -> Result<Component, NotationError>,
}

impl PartialEq for GameInfo {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for GameInfo {}

impl std::hash::Hash for GameInfo {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
