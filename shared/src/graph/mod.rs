//! The game graph of a small position: every position that can be reached, with its value and its moves, in levels by the longest
//! play that is left. Found by the rules alone.

mod dot;
mod svg;
mod text;

use std::collections::HashMap;

use serde::Serialize;

use crate::game::Kind;
use crate::ids::Seat;
use crate::position::Position;
use crate::theory::mex;

/// The most positions that are drawn.
pub const MAX_POSITIONS: usize = 2_000;

/// Positions that are counted before a refusal says "more than".
const MAX_COUNTED: usize = 20_000;

/// Moves that are looked at before it is given up.
const MAX_MOVES: usize = 1_000_000;

/// Every position that can be reached from one, numbered from 0, the first by itself; longer plays come first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameGraph {
    /// Always `grundy/graph/1`.
    pub schema: &'static str,
    /// The position that it was asked for, canonical.
    pub position: String,
    /// The positions.
    pub nodes: Vec<Node>,
    /// The moves, by the position that they are made in, then in the order of its list of moves.
    pub moves: Vec<Edge>,
}

/// One position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Node {
    /// The position, canonical.
    pub position: String,
    /// Whether the player to move loses.
    pub lost: bool,
    /// The Grundy value in normal play.
    pub nim_value: Option<u64>,
    /// Plies of the longest play from here.
    pub longest: u64,
}

impl Node {
    /// What is written at the node: the value in normal play, else the outcome.
    fn verdict(&self) -> String {
        match self.nim_value {
            Some(value) => value.to_string(),
            None => self.outcome().to_owned(),
        }
    }

    fn outcome(&self) -> &'static str {
        if self.lost { "P" } else { "N" }
    }
}

/// The moves from one position to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Edge {
    /// The number of the position that they are made in.
    pub from: usize,
    /// The number of the position that they lead to.
    pub to: usize,
    /// The moves: mostly one.
    pub moves: Vec<String>,
    /// Whether they win.
    pub wins: bool,
}

/// Why a graph is not drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotDrawn {
    /// Too many positions can be reached: so many were counted, and there may be more.
    #[error("{}{counted} positions are reachable, but at most {MAX_POSITIONS} can be drawn", if *.complete { "" } else { "more than " })]
    TooLarge {
        /// The positions counted.
        counted: usize,
        /// Whether these are all.
        complete: bool,
    },
    /// The players have different moves, or play may go on for ever, so that there are no levels.
    #[error("only positions in which both players have the same moves and play ends can be drawn")]
    OtherKind,
}

impl GameGraph {
    /// The graph of a position. O(positions + moves), at most 20,000 and 1,000,000 of them.
    pub fn of(position: &Position) -> Result<Self, NotDrawn> {
        if position.kind() != Kind::Impartial {
            return Err(NotDrawn::OtherKind);
        }
        let mut found = explore(position)?;
        let order = found.order();
        let nodes = found.evaluate(&order, position.end_rule().is_misere());
        let mut numbers = vec![0; order.len()];
        for (number, place) in order.iter().rev().enumerate() {
            numbers[*place] = number;
        }
        let mut moves = Vec::new();
        for place in order.iter().rev() {
            let options = std::mem::take(&mut found.options[*place]);
            moves.extend(options.into_iter().map(|(to, moves)| Edge {
                from: numbers[*place],
                to: numbers[to],
                moves,
                wins: nodes[to].lost,
            }));
        }
        Ok(Self {
            schema: "grundy/graph/1",
            position: position.to_string(),
            nodes: order
                .iter()
                .rev()
                .map(|place| nodes[*place].clone())
                .collect(),
            moves,
        })
    }

    /// The moves made in a position.
    fn moves_of(&self, node: usize) -> &[Edge] {
        let start = self.moves.partition_point(|edge| edge.from < node);
        let end = self.moves.partition_point(|edge| edge.from <= node);
        &self.moves[start..end]
    }
}

/// The positions met, and what the moves of each lead to.
struct Found {
    texts: Vec<String>,
    options: Vec<Vec<(usize, Vec<String>)>>,
}

/// Meets every position that can be reached, breadth first.
fn explore(position: &Position) -> Result<Found, NotDrawn> {
    let mut numbers = HashMap::new();
    numbers.insert(position.to_string(), 0);
    let mut found = Found {
        texts: vec![position.to_string()],
        options: Vec::new(),
    };
    let mut queue = vec![position.clone()];
    let mut looked_at = 0;
    while let Some(here) = queue.get(found.options.len()).cloned() {
        let mut options: Vec<(usize, Vec<String>)> = Vec::new();
        let mut places = HashMap::new();
        for mv in here.moves(Seat::First) {
            looked_at += 1;
            if looked_at > MAX_MOVES || queue.len() > MAX_COUNTED {
                return Err(NotDrawn::TooLarge {
                    counted: queue.len().min(MAX_COUNTED),
                    complete: false,
                });
            }
            let after = here.play(&mv);
            let text = after.to_string();
            let number = *numbers.entry(text.clone()).or_insert_with(|| {
                found.texts.push(text);
                queue.push(after);
                queue.len() - 1
            });
            let place = *places.entry(number).or_insert_with(|| {
                options.push((number, Vec::new()));
                options.len() - 1
            });
            options[place].1.push(mv.to_string());
        }
        found.options.push(options);
    }
    match queue.len() > MAX_POSITIONS {
        false => Ok(found),
        true => Err(NotDrawn::TooLarge {
            counted: queue.len(),
            complete: true,
        }),
    }
}

impl Found {
    /// All positions, since every line of play ends, by their longest plays, shortest first; those of one level as they were met, the last first.
    fn order(&self) -> Vec<usize> {
        let count = self.options.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut open: Vec<usize> = self.options.iter().map(Vec::len).collect();
        for (from, options) in self.options.iter().enumerate() {
            options.iter().for_each(|(to, _)| before[*to].push(from));
        }
        let mut level: Vec<usize> = (0..count).rev().filter(|node| open[*node] == 0).collect();
        let mut order = Vec::with_capacity(count);
        // Each level: what has no move left but to the levels before.
        while !level.is_empty() {
            let mut next = Vec::new();
            for node in &level {
                for from in &before[*node] {
                    open[*from] -= 1;
                    if open[*from] == 0 {
                        next.push(*from);
                    }
                }
            }
            order.append(&mut level);
            next.sort_unstable_by(|a, b| b.cmp(a));
            level = next;
        }
        order
    }

    /// Values, outcomes and levels, from the end backwards.
    fn evaluate(&self, order: &[usize], misere: bool) -> Vec<Node> {
        let mut nodes: Vec<Node> = self
            .texts
            .iter()
            .map(|text| Node {
                position: text.clone(),
                lost: false,
                nim_value: None,
                longest: 0,
            })
            .collect();
        for place in order {
            let after: Vec<&Node> = self.options[*place]
                .iter()
                .map(|(to, _)| &nodes[*to])
                .collect();
            let values: Vec<u64> = after.iter().filter_map(|node| node.nim_value).collect();
            let lost = match after.is_empty() {
                true => !misere,
                false => after.iter().all(|node| !node.lost),
            };
            let longest = after.iter().map(|node| node.longest + 1).max().unwrap_or(0);
            let node = &mut nodes[*place];
            node.lost = lost;
            node.nim_value = (!misere).then(|| mex(&values));
            node.longest = longest;
        }
        nodes
    }
}
