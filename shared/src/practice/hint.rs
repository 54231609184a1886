//! Hints in three steps: the idea, where to move, the move.

use serde::Serialize;

use super::theme::Theme;
use crate::fact::{Fact, GameFact};
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::{Budget, Reasons, standing};

/// How many hints there are for one exercise.
pub const RUNGS: u8 = 3;
/// Moves among which the winning one is to be found, where no better hint is known.
pub const AMONG: usize = 4;
/// Moves of a position that are looked at for that.
const CANDIDATES: u128 = 24;

/// A hint. Each says more than the one before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "hint", rename_all = "snake_case")]
pub enum Hint {
    /// The idea that wins.
    Idea {
        /// The idea.
        theme: Theme,
    },
    /// Where a winning move is made.
    Where {
        /// The number of the component, from 1, if there are several and the move is made in one.
        component: Option<u64>,
        /// What in it is moved, if that has a name.
        place: Option<Place>,
    },
    /// Where no place has a name: a winning move is among these, and no other move of these wins.
    Among {
        /// The moves, in alphabetical order.
        moves: Vec<String>,
    },
    /// A winning move.
    Move {
        /// The move.
        #[serde(rename = "move")]
        mv: String,
    },
}

/// A part of a board that a move changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum Place {
    /// A heap.
    Heap {
        /// Its letter.
        name: String,
    },
    /// A step of a staircase.
    Step {
        /// Its number.
        step: u64,
    },
    /// A gap between coins, counted from the right.
    Gap {
        /// Its number.
        gap: u64,
    },
    /// The vertex from which the edge goes up.
    Vertex {
        /// The vertex.
        vertex: u32,
    },
    /// A piece of a graph.
    Piece {
        /// How many vertices it has.
        vertices: u64,
    },
}

impl Hint {
    /// Where the best move of these reasons is made.
    pub(super) fn place_of(
        position: &Position,
        to_move: Seat,
        reasons: &Reasons,
        budget: &Budget<'_>,
    ) -> Option<Self> {
        let text = reasons.best.as_deref()?;
        let best = position.parse_move(to_move, text).ok()?;
        let explained = reasons.moves.iter().find(|reason| reason.mv == text);
        let changes = explained.map_or(&[][..], |reason| &reason.changes);
        let component = match &best.steps[..] {
            [step] if best.numbered => Some(step.component as u64 + 1),
            _ => None,
        };
        let place = changes.iter().find_map(Place::of);
        // The only heap needs no name.
        let place = place.filter(|place| match place {
            Place::Heap { .. } => has_several_heaps(position, &best, to_move),
            _ => true,
        });
        if best.steps.len() > 1 || component.is_none() && place.is_none() {
            return Some(Self::among(position, to_move, &best, budget));
        }
        Some(Self::Where { component, place })
    }

    /// A winning move among moves that do not win, taken from all over the list of moves.
    fn among(position: &Position, to_move: Seat, best: &Move, budget: &Budget<'_>) -> Self {
        let legal = position.move_count(to_move);
        let most = AMONG.min((legal / 2).max(2) as usize);
        let mut moves = vec![best.to_string()];
        let looked_at = legal.min(CANDIDATES);
        for candidate in 0..looked_at {
            if moves.len() >= most {
                break;
            }
            let place = (legal / looked_at) * candidate;
            let Some(mv) = position.nth_move(to_move, place) else {
                break;
            };
            let after = standing(&position.play(&mv), to_move.other(), budget);
            let text = mv.to_string();
            if after.is_some_and(|after| after.winner != Some(to_move)) && !moves.contains(&text) {
                moves.push(text);
            }
        }
        moves.sort();
        Self::Among { moves }
    }
}

/// Whether the component of this move has several parts in which this player can move.
fn has_several_heaps(position: &Position, mv: &Move, to_move: Seat) -> bool {
    let [step] = &mv.steps[..] else {
        return true;
    };
    let parts = position.sum.components()[step.component].parts();
    let live = parts.iter().filter(|part| part.move_count(to_move) > 0);
    live.take(2).count() > 1
}

impl Place {
    /// The place that a fact about a move names.
    fn of(change: &Fact) -> Option<Self> {
        let Fact::Game { of, .. } = change else {
            return None;
        };
        match of {
            GameFact::HeapChange { name, .. } => Some(Self::Heap { name: name.clone() }),
            GameFact::StepChange {
                gap: true, step, ..
            } => Some(Self::Gap { gap: *step }),
            GameFact::StepChange { step, .. } => Some(Self::Step { step: *step }),
            GameFact::Cut { chain, .. } => Some(Self::Vertex {
                vertex: chain.first()?.vertex,
            }),
            GameFact::PieceChange { vertices, .. } => Some(Self::Piece {
                vertices: *vertices,
            }),
            _ => None,
        }
    }
}
