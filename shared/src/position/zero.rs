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
        let mut search = Search::default();
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
                    let value = value_by(&self.known, component);
                    // The vertices of a part may have other numbers than when it was met. It is the same small game.
                    value.or_else(|| {
                        let mut search = Search {
                            most_parts: usize::MAX,
                            most_moves: u128::MAX,
                            ..Search::default()
                        };
                        search.meet(component)?;
                        value_by(&search.known, component)
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

/// The nim-value of a component from those of its parts.
fn value_by(known: &FxHashMap<Component, u64>, component: &Component) -> Option<u64> {
    let parts = component.parts().into_iter();
    let mut values = parts.map(|part| known.get(&part).copied());
    values.try_fold(0, |xor, value| Some(xor ^ value?))
}

/// A search of all parts that can be reached.
struct Search {
    known: FxHashMap<Component, u64>,
    moves: u128,
    most_parts: usize,
    most_moves: u128,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            known: FxHashMap::default(),
            moves: 0,
            most_parts: MOST_PARTS,
            most_moves: MOST_MOVES,
        }
    }
}

/// A part whose options are being looked at.
struct Frame {
    part: Component,
    /// The parts that each move leaves.
    options: Vec<Vec<Component>>,
    seen: Vec<u64>,
}

impl Search {
    /// Finds the values of all parts that can be reached; `None` if they are too many. Depth first without recursion: lines of play are long.
    fn meet(&mut self, component: &Component) -> Option<()> {
        for start in component.parts() {
            let mut path = Vec::new();
            if !self.known.contains_key(&start) {
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
                let unknown = option.iter().find(|part| !self.known.contains_key(*part));
                match unknown {
                    None => {
                        let values = option.iter().map(|part| self.known[part]);
                        top.seen.push(values.fold(0, |xor, value| xor ^ value));
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
