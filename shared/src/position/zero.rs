//! The end of `@zero`: play is over when every component has nim-value 0. The referee asks this after every move, so a position is accepted only if the
//! nim-values of all that can be reached from it are found quickly, by rules that do not depend on what was computed before.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::erased::Component;
use crate::ids::Seat;
use crate::notation::{NotationCode, NotationError, Word};
use crate::theory::{Meter, mex};

/// Parts that the search for the nim-values of one position may meet.
const MOST_PARTS: usize = 1_000;
/// Moves that it may look at.
const MOST_MOVES: u128 = 50_000;
/// Nodes and bytes of a method that keeps its values. What is accepted takes far less.
const NODES: u64 = 1 << 32;
const BYTES: u64 = 1 << 30;

/// The nim-values of all parts that can be reached from the components whose games do not keep their values. They follow from
/// the position that was read, so they do not count where positions are compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    known: Arc<FxHashMap<Component, u64>>,
}

impl PartialEq for Values {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Values {}

impl Hash for Values {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Values {
    /// The values for these components, each with the word that it was read from; refuses one whose values are not found quickly. O(size), with a search of
    /// at most 1,000 parts and 50,000 moves.
    pub(super) fn read<'t>(
        components: &[Component],
        words: impl Iterator<Item = Word<'t>>,
    ) -> Result<Self, NotationError> {
        let before = FxHashMap::default();
        let mut search = Search::new(&before);
        for (component, word) in components.iter().zip(words) {
            let found = match component.keeps_values() {
                true => kept(component).map(drop),
                false => search.meet(component),
            };
            if found.is_none() {
                return refuse(word);
            }
        }
        Ok(Self {
            known: Arc::new(search.known),
        })
    }

    /// Whether every component has nim-value 0. They are those that were read, or come from them by moves. O(parts).
    pub(super) fn are_zero(&self, components: &[Component]) -> bool {
        components.iter().all(|component| {
            let found = match component.keeps_values() {
                true => kept(component),
                false => {
                    let mut search = Search::new(&self.known);
                    search.value_of(component).or_else(|| {
                        // The vertices of a part may have other numbers than when it was met. It is the same small game, and most of what its moves
                        // leave was met under the same numbers.
                        search.most_parts = usize::MAX;
                        search.most_moves = u128::MAX;
                        search.meet(component)?;
                        search.value_of(component)
                    })
                }
            };
            debug_assert!(found.is_some(), "{component} was not reached by moves");
            found == Some(0)
        })
    }
}

fn refuse<T>(word: Word<'_>) -> Result<T, NotationError> {
    word.refuse(
        NotationCode::OutOfRange,
        format!(
            "'{}' is too large for @zero: its nim-values are not found quickly enough to end a match by them",
            word.shown()
        ),
        format!(
            "components whose values have a formula, or from which at most {MOST_PARTS} parts can be reached"
        ),
        "nim:3+kayles:7@zero",
    )
}

/// The nim-value of a component by its game.
fn kept(component: &Component) -> Option<u64> {
    let mut meter = Meter::new(NODES, BYTES, &|| false);
    let parts = component.values(&mut meter).ok()?;
    parts.into_iter().try_fold(0, |xor, part| Some(xor ^ part?))
}

/// A search of all parts that can be reached.
struct Search<'k> {
    /// What was known before.
    before: &'k FxHashMap<Component, u64>,
    known: FxHashMap<Component, u64>,
    moves: u128,
    most_parts: usize,
    most_moves: u128,
}

/// A part whose options are being looked at.
struct Frame {
    part: Component,
    /// The parts that each move leaves.
    options: Vec<Vec<Component>>,
    seen: Vec<u64>,
}

impl<'k> Search<'k> {
    /// Within the bounds of a position that is read.
    fn new(before: &'k FxHashMap<Component, u64>) -> Self {
        Self {
            before,
            known: FxHashMap::default(),
            moves: 0,
            most_parts: MOST_PARTS,
            most_moves: MOST_MOVES,
        }
    }

    fn value(&self, part: &Component) -> Option<u64> {
        let found = self.before.get(part).or_else(|| self.known.get(part));
        found.copied()
    }

    /// The nim-value of a component from those of its parts.
    fn value_of(&self, component: &Component) -> Option<u64> {
        self.together(&component.parts())
    }

    fn together(&self, parts: &[Component]) -> Option<u64> {
        let mut values = parts.iter().map(|part| self.value(part));
        values.try_fold(0, |xor, value| Some(xor ^ value?))
    }

    /// Finds the values of all parts that can be reached; `None` if they are too many. Depth first without recursion: lines of play are long.
    fn meet(&mut self, component: &Component) -> Option<()> {
        for start in component.parts() {
            let mut path = Vec::new();
            if self.value(&start).is_none() {
                path.push(self.frame(start)?);
            }
            loop {
                let met = self.known.len() + path.len();
                let Some(top) = path.last_mut() else {
                    break;
                };
                let Some(option) = top.options.last() else {
                    self.known.insert(top.part.clone(), mex(&top.seen));
                    path.pop();
                    continue;
                };
                let unknown = option.iter().find(|part| self.value(part).is_none());
                match unknown {
                    None => {
                        top.seen.extend(self.together(option));
                        top.options.pop();
                    }
                    Some(part) if met < self.most_parts => {
                        let below = self.frame(part.clone())?;
                        path.push(below);
                    }
                    Some(_) => return None,
                }
            }
        }
        Some(())
    }

    fn frame(&mut self, part: Component) -> Option<Frame> {
        self.moves = self.moves.saturating_add(part.move_count(Seat::First));
        if self.moves > self.most_moves {
            return None;
        }
        let options = part.moves(Seat::First).map(|mv| part.play(&*mv).parts());
        Some(Frame {
            options: options.collect(),
            part,
            seen: Vec::new(),
        })
    }
}
