//! The terms of a sum.

use serde::{Deserialize, Serialize};

use crate::json::wide;

/// Terms of a sum that a fact names; the rest are counted.
pub const MAX_TERMS: usize = 16;

/// What the summands of a sum are, and so what their names mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Components of the position, by their numbers from 1.
    Component,
    /// Parts of a component, by their numbers from 1 where they have no other name.
    #[default]
    Part,
    /// Heaps, by their letters.
    Heap,
    /// Tokens on a graph, by their nodes.
    Token,
    /// Coins in a row, by their squares.
    Coin,
    /// Rows of a board, by their numbers from 1.
    Row,
    /// Boards, by their numbers from 1.
    Board,
    /// Regions of a board, by their first squares.
    Region,
    /// Pieces of a graph or an order, by their least vertices.
    Piece,
    /// What stands on the ground, by its first edge.
    Bush,
    /// Branches of a tree of strings, by their stems.
    Branch,
    /// Pieces of a strip, by their first places.
    Stretch,
}

/// One summand of a sum: a part of a game, or a component of the position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Term {
    /// The number of a component from 1, or what the notation calls the part: the letter of a heap, the number of a step.
    pub name: String,
    /// Its nim-value, its class, its suspense or its remoteness, as the fact says.
    #[serde(with = "wide")]
    pub value: u64,
}

/// The first terms of a sum, at most [`MAX_TERMS`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Terms {
    /// What they are.
    pub of: PartKind,
    /// The first ones.
    pub first: Vec<Term>,
    /// How many there are.
    pub total: u64,
}

impl Terms {
    /// Without terms.
    #[must_use]
    pub fn of(of: PartKind) -> Self {
        Self {
            of,
            ..Self::default()
        }
    }

    /// Adds a term, which is named if there is room.
    pub fn push(&mut self, name: impl FnOnce() -> String, value: u64) {
        self.total += 1;
        if self.first.len() < MAX_TERMS {
            self.first.push(Term {
                name: name(),
                value,
            });
        }
    }

    /// The values of the terms, if all of them are named.
    #[must_use]
    pub fn all(&self) -> Option<Vec<u64>> {
        let values = self.first.iter().map(|term| term.value);
        (self.first.len() as u64 == self.total).then(|| values.collect())
    }
}
