//! What a game with lettered heaps says of itself: what may be done to *one* heap, and what that is worth.
//!
//! [`Heaps`](super::heaps::Heaps) makes a game on any number of heaps of it.

use std::fmt::{self, Debug};
use std::hash::Hash;

use crate::erased::GameInfo;
use crate::fact::HeapReason;
use crate::game::EndRule;
use crate::notation::{MAX_NUMBER, NotationError, Word, write_list};
use crate::theory::heap_values::HeapValues;
use crate::theory::take_and_break::Rule;
use crate::theory::{Goal, Meter, MoveList, Stopped, misere_heaps};

/// What happens to one heap in a move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Taking {
    /// How many are taken away; `None` where the heap gives way to others without any number being named.
    pub taken: Option<u64>,
    /// What is left, if it stays one heap (or none: 0). Not used when it is split.
    pub rest: u64,
    /// The heaps that are left, ascending, if it is split in several; else empty.
    pub split: Vec<u64>,
}

/// As in the notation of moves, without the heap: `-2/1,3`.
impl fmt::Display for Taking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(taken) = self.taken {
            write!(f, "-{taken}")?;
        }
        if !self.split.is_empty() {
            f.write_str("/")?;
            write_list(f, &self.split)?;
        }
        Ok(())
    }
}

impl Taking {
    /// Takes from a heap and leaves one heap or none.
    #[must_use]
    pub fn leaving(heap: u64, rest: u64) -> Self {
        Self {
            taken: Some(heap - rest),
            rest,
            split: Vec::new(),
        }
    }

    /// Puts other heaps, ascending, in the place of a heap.
    #[must_use]
    pub fn replacing(parts: &[u64]) -> Self {
        Self {
            taken: None,
            rest: 0,
            split: parts.to_vec(),
        }
    }

    /// The heaps that are left.
    #[must_use]
    pub fn left(&self) -> &[u64] {
        match self.split.is_empty() {
            true => std::slice::from_ref(&self.rest),
            false => &self.split,
        }
    }
}

/// What may be done to one heap; the laws of [`Game`](crate::game::Game) apply to it.
pub trait HeapRule: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// Whether a heap that is split without anything being taken is written `A/1,4`, rather than `A-0/1,4`; the
    /// rule then judges the parts altogether in [`objection`](Self::objection).
    const REPLACES: bool = false;
    /// The largest heap of the game.
    const LARGEST: u64 = MAX_NUMBER;
    /// Whether the value of a heap is a formula, without a table of smaller heaps.
    const HAS_FORMULA: bool = false;

    /// Reads the name and its parameters.
    fn parse(name: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError>;
    /// Writes the name with its parameters; by default there are none.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
    /// What the registry says.
    fn info(&self) -> &'static GameInfo;
    /// How many moves a heap has. O(log) at most.
    fn count(&self, heap: u64) -> u128;
    /// Move number `n < count(heap)`: by the amount taken, then by what is left. O(log) at most.
    fn nth(&self, heap: u64, n: u128) -> Taking;
    /// Why this is not a move of the heap, in words that follow "heap C": `None` when it is legal.
    fn objection(&self, heap: u64, taking: &Taking) -> Option<String>;
    /// The Grundy value of each heap, `None` where it is not known.
    fn values(&self, heaps: &[u64], meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped>;
    /// As [`Game::method`](crate::game::Game::method).
    fn method(&self) -> &'static str;
    /// As [`Game::is_tame`](crate::game::Game::is_tame).
    fn is_tame(&self) -> bool;
    /// As [`Game::replies`](crate::game::Game::replies), of one heap.
    fn replies(
        &self,
        heap: u64,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taking>>, Stopped>;
    /// As [`Game::heap_values`](crate::game::Game::heap_values). For games with a formula this is a list, and cut at a million heaps.
    fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues> {
        const MOST: u64 = 1_000_000;
        let heaps: Vec<u64> = (0..=to.min(MOST).min(Self::LARGEST)).collect();
        let values = self.values(&heaps, meter).ok()?;
        let values: Vec<u64> = values.into_iter().map_while(|value| value).collect();
        let computed = values.len() as u64;
        let value = move |heap| values.get(usize::try_from(heap).ok()?).copied();
        Some(HeapValues::new(computed, None, value))
    }
    /// The rule by which misère quotients are found, where the heaps are not tame.
    fn misere_rule(&self) -> Option<&Rule> {
        None
    }
    /// As [`Game::misere_replies`](crate::game::Game::misere_replies), of one heap; asked where there is a [`misere_rule`](Self::misere_rule).
    fn misere_replies(
        &self,
        _heap: u64,
        _beside: u16,
        _table: &misere_heaps::Table,
        _want: usize,
        _meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taking>>, Stopped> {
        Ok(None)
    }
    /// As [`Game::remoteness`](crate::game::Game::remoteness).
    fn remoteness(&self, _heaps: &[u64], _end: EndRule) -> Option<u64> {
        None
    }
    /// How the nim-value of a heap follows from its size, if not from its moves one by one.
    fn reason(&self, _heap: u64, _meter: &mut Meter<'_>) -> Option<HeapReason> {
        None
    }
    /// Whether that reason is worth a fact: not where the value is the size.
    fn is_nim(&self) -> bool {
        false
    }
    /// As [`Game::explain`](crate::game::Game::explain).
    fn explain(&self, heaps: &[u64], end: EndRule, meter: &mut Meter<'_>) -> Vec<String>;
    /// As [`Game::how_to_win`](crate::game::Game::how_to_win).
    fn how_to_win(&self, _heaps: &[u64], _end: EndRule) -> Vec<String> {
        Vec::new()
    }
}
