//! Node Kayles: choose a vertex, and it goes with its neighbours.
//!
//! T. J. Schaefer, *On the complexity of some two-person perfect-information games* (1978). A graph is the sum of its
//! connected pieces; on a path the game is Dawson's chess.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, PartKind};
use crate::game::{EndRule, Game};
use crate::games::graphs::{
    Item, each_once, graph_text, path_facts, path_length, piece_change, piece_lines, piece_name,
    pieces, read_items, refuse_rings, renamed, vertices, without,
};
use crate::games::heaps::no_parameters;
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::take_and_break::{self, Rule};
use crate::theory::{Meter, Stopped};

const EXAMPLE: &str = "nodekayles:0-1,1-2,3";

/// The digits of Dawson's chess.
const PATH_DIGITS: [u8; 4] = [0, 1, 3, 7];

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "nodekayles",
    title: "Node Kayles",
    rule: "Choose a vertex of the graph: it is removed together with all its neighbours. The player who removes the last vertex wins.",
    notation: "nodekayles:0-1,1-2,3 has edges 0-1 and 1-2, and vertex 3 without edges",
    move_notation: "1 removes vertex 1 and its neighbours",
    examples: &[
        EXAMPLE,
        "nodekayles:0-1,1-2,2-3,3-4",
        "nodekayles:0-1,1-2,2-0,2-3",
        "nodekayles:0-1,1-2,2-3,3-0,4",
        "nodekayles:0-1,0-2,0-3,3-4,5-6",
    ],
    example_move: "1",
    method: "connected components, isomorphic ones once: paths by the table of Dawson's chess, others by their options; misere play by exhaustive search",
    complexity: "exponential in the largest component that is not a path",
    limits: "200,000 edges in at most 100,000 paths, vertices up to 999,999,999",
    source: "T. J. Schaefer 1978; R. Sprague 1935, P. M. Grundy 1939",
    board: BoardKind::Vertices,
    read: erased::read::<NodeKayles>,
};

/// The rules of Node Kayles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NodeKayles;

/// The graph that is left: edges, and vertices by themselves only where they have no edge.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Left {
    items: Vec<Item>,
}

/// A vertex is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice(u32);

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Game for NodeKayles {
    type State = Left;
    type Move = Choice;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Left), NotationError> {
        no_parameters(parameters, &INFO)?;
        if state.text == "_" {
            return Ok((Self, Left { items: Vec::new() }));
        }
        let bad = NotationCode::BadPosition;
        let typed = read_items(state, ',', bad, EXAMPLE)?;
        refuse_rings(&typed, bad, EXAMPLE)?;
        let items = each_once(typed.into_iter().map(|(item, _)| item));
        Ok((Self, Left { items }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nodekayles")
    }

    fn write_state(&self, left: &Left, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &left.items)
    }

    fn move_count(&self, left: &Left, _: Seat) -> u128 {
        vertices(&left.items).len() as u128
    }

    fn nth_move(&self, left: &Left, seat: Seat, n: u128) -> Option<Choice> {
        self.moves(left, seat).nth(usize::try_from(n).ok()?)
    }

    /// Piece by piece, ascending in each.
    fn moves<'s>(&'s self, left: &'s Left, _: Seat) -> Box<dyn Iterator<Item = Choice> + 's> {
        let pieces = pieces(&left.items).into_iter();
        Box::new(pieces.flat_map(|piece| vertices(&piece)).map(Choice))
    }

    fn read_move(&self, left: &Left, _: Seat, text: &str) -> Result<Choice, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let label = letters.number()?;
        if letters.peek().is_some() {
            return Err(MoveError::at(letters.column(), "the move should end here"));
        }
        let vertex = u32::try_from(label).ok();
        match vertex.filter(|vertex| vertices(&left.items).binary_search(vertex).is_ok()) {
            Some(vertex) => Ok(Choice(vertex)),
            None => Err(MoveError::at(
                column,
                format!("there is no vertex {label} left"),
            )),
        }
    }

    fn play(&self, left: &Left, Choice(chosen): &Choice) -> Left {
        let mut gone: FxHashSet<u32> = [*chosen].into_iter().collect();
        for item in &left.items {
            match item.to {
                Some(to) if item.from == *chosen => drop(gone.insert(to)),
                Some(to) if to == *chosen => drop(gone.insert(item.from)),
                _ => {}
            }
        }
        Left {
            items: without(&left.items, &gone),
        }
    }

    fn describe(&self, left: &Left) -> String {
        graph_text(&left.items, "no vertices")
    }

    fn describe_move(&self, left: &Left, choice: &Choice, prefix: &str) -> String {
        let before = vertices(&left.items).len();
        let gone = before - vertices(&self.play(left, choice).items).len();
        match gone {
            1 => format!("took vertex {prefix}{choice}"),
            2 => format!("took vertex {prefix}{choice} and its neighbour"),
            _ => format!(
                "took vertex {prefix}{choice} and its {} neighbours",
                gone - 1
            ),
        }
    }

    fn parts(&self, left: &Left) -> Vec<Left> {
        let pieces = pieces(&left.items).into_iter();
        let parts = pieces.map(|piece| Left {
            items: renamed(&piece, |_| 0),
        });
        parts.collect()
    }

    fn values(&self, left: &Left, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(left.items.len() as u64)?;
        let pieces = pieces(&left.items);
        let lengths: Vec<Option<u64>> = pieces
            .iter()
            .map(|piece| Some(path_length(piece)? + 1))
            .collect();
        let longest = lengths.iter().flatten().max().copied().unwrap_or(0);
        let table = take_and_break::table(&Rule::code(&PATH_DIGITS), longest, meter);
        Ok(lengths
            .into_iter()
            .map(|length| table.value(length?))
            .collect())
    }

    fn method(&self) -> &'static str {
        "connected pieces"
    }

    fn bytes(&self, left: &Left) -> u64 {
        left.items.len() as u64 * 16
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Piece
    }

    fn part_name(&self, left: &Left, part: usize) -> String {
        piece_name(&pieces(&left.items), part)
    }

    fn facts(&self, left: &Left, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        match (end, self.values(left, meter)) {
            (EndRule::Normal, Ok(values)) => {
                path_facts(&pieces(&left.items), "dawsonchess", &values)
            }
            _ => Vec::new(),
        }
    }

    fn changes(
        &self,
        left: &Left,
        choice: &Choice,
        _: EndRule,
        _: &mut Meter<'_>,
    ) -> Vec<GameFact> {
        let after = self.play(left, choice);
        let Choice(chosen) = choice;
        piece_change(&left.items, &after.items, *chosen, true)
            .into_iter()
            .collect()
    }

    fn explain(&self, left: &Left, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec!["Each connected piece of the graph is a game of its own; a path is a row of Dawson's chess.".to_owned()];
        let values = self.values(left, meter).unwrap_or_default();
        lines.extend(piece_lines(&pieces(&left.items), |index| {
            match values.get(index).copied().flatten() {
                Some(value) => format!("a path, value {value}"),
                None => "value by its moves".to_owned(),
            }
        }));
        if end.is_misere() {
            lines.push("Misere play: a move may break a piece, so values do not decide; only a search of all lines of play does.".to_owned());
        }
        lines
    }

    fn explained_by_options(&self, left: &Left) -> bool {
        let pieces = pieces(&left.items);
        pieces.iter().any(|piece| path_length(piece).is_none())
    }
}
