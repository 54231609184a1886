//! What random positions of a game look like: heaps, distinct squares, rows and boards of letters, graphs.

use std::ops::RangeInclusive;

use super::chance::Chance;
use crate::games::{self, BoardKind};
use crate::position::Position;

/// The form of a state.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A list of numbers.
    Numbers {
        /// Whether no two may be equal.
        distinct: bool,
    },
    /// A row of such letters.
    Row(Vec<u8>),
    /// Rows of one length of such letters.
    Board(Vec<u8>),
    /// Vertices and edges.
    Graph,
}

impl Shape {
    /// Of the game with this name. Letters come as often as in the examples of the game.
    pub(super) fn of(game: &str) -> Self {
        let numbers = Self::Numbers { distinct: false };
        let Some(info) = games::find(game.split('.').next().unwrap_or_default()) else {
            return numbers;
        };
        let states = info.examples.iter();
        let states = states.filter_map(|example| Some(example.split_once(':')?.1));
        let letters = || {
            let bytes = states.flat_map(str::bytes);
            bytes.filter(|letter| !b"/_".contains(letter)).collect()
        };
        match info.board {
            BoardKind::Coins | BoardKind::Cells => Self::Row(letters()),
            BoardKind::Grid | BoardKind::Stones => Self::Board(letters()),
            BoardKind::Vertices | BoardKind::Edges | BoardKind::Tints | BoardKind::Order => {
                Self::Graph
            }
            BoardKind::Squares => Self::Numbers {
                distinct: Position::parse(&format!("{game}:1,1")).is_err(),
            },
            _ => numbers,
        }
    }

    /// How large a state is if nobody says so: the letters of a row, the rows and columns of a board, the vertices of a graph.
    pub(super) fn usual_size(&self) -> Option<RangeInclusive<u64>> {
        match self {
            Self::Numbers { .. } => None,
            Self::Row(_) => Some(7..=10),
            Self::Board(_) => Some(2..=4),
            Self::Graph => Some(6..=8),
        }
    }

    /// A state of such a size.
    pub(super) fn draw(&self, size: &RangeInclusive<u64>, chance: &mut Chance) -> String {
        let mut side = || size.start() + chance.below(size.end() - size.start() + 1);
        match self {
            Self::Numbers { .. } => String::new(),
            Self::Row(letters) => {
                let count = side();
                row(letters, count, chance)
            }
            Self::Board(letters) => {
                let (rows, columns) = (side(), side());
                let rows: Vec<String> = (0..rows).map(|_| row(letters, columns, chance)).collect();
                rows.join("/")
            }
            Self::Graph => {
                let vertices = side();
                graph(vertices, chance)
            }
        }
    }
}

fn row(letters: &[u8], count: u64, chance: &mut Chance) -> String {
    let letter = |_| char::from(letters[chance.below(letters.len() as u64) as usize]);
    (0..count).map(letter).collect()
}

/// A random tree with some more edges.
fn graph(vertices: u64, chance: &mut Chance) -> String {
    let mut edges = Vec::new();
    for vertex in 1..vertices {
        edges.push(format!("{}-{vertex}", chance.below(vertex)));
        if chance.below(3) == 0 {
            edges.push(format!("{}-{vertex}", chance.below(vertex)));
        }
    }
    edges.join(",")
}
