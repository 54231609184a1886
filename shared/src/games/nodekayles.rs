//! Node Kayles: choose a vertex, and it goes with its neighbours.
//!
//! T. J. Schaefer, *On the complexity of some two-person perfect-information games* (1978). A graph is the sum of its
//! connected pieces; on a path the game is Dawson's chess.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::erased::{self, BoardKind, GameInfo};
use crate::game::{EndRule, Game};
use crate::games::graphs::{Item, read_items, vertices};
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::graph::{Pieces, renumbered};
use crate::theory::take_and_break::{self, Rule};
use crate::theory::{Meter, Stopped};

const EXAMPLE: &str = "nodekayles:0-1,1-2,3";

/// The digits of Dawson's chess.
const PATH_DIGITS: [u8; 4] = [0, 1, 3, 7];

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "nodekayles",
    title: "Node Kayles",
    rule: "Choose a vertex of the graph: it is removed together with its neighbours. The player who takes the last vertex wins.",
    notation: "nodekayles:0-1,1-2,3 is a path of three vertices and an isolated vertex",
    move_notation: "1 takes vertex 1 and its neighbours",
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

impl Left {
    /// Drops edges that are there already, and vertices by themselves that have an edge or are there already.
    fn new(items: impl Iterator<Item = Item>) -> Self {
        let items: Vec<Item> = items.collect();
        let joined = items.iter().filter(|item| item.to.is_some());
        let joined: FxHashSet<u32> = joined
            .flat_map(|item| [Some(item.from), item.to])
            .flatten()
            .collect();
        let mut met = FxHashSet::default();
        let kept = items.into_iter().filter(|item| {
            let to = item.to.unwrap_or(item.from);
            let new = met.insert((item.from.min(to), item.from.max(to)));
            new && (item.to.is_some() || !joined.contains(&item.from))
        });
        Self {
            items: kept.collect(),
        }
    }

    /// The vertices of each piece, ascending; pieces by their least vertex.
    fn pieces(&self) -> Vec<Vec<u32>> {
        let labels = vertices(&self.items);
        let place = |label: u32| labels.binary_search(&label).map_or(0, |place| place as u32);
        let mut pieces = Pieces::new(labels.len());
        for item in &self.items {
            if let Some(to) = item.to {
                pieces.join(place(item.from), place(to));
            }
        }
        let mut of_root: Vec<Vec<u32>> = vec![Vec::new(); labels.len()];
        for (place, label) in labels.iter().enumerate() {
            of_root[pieces.find(place as u32) as usize].push(*label);
        }
        of_root.retain(|piece| !piece.is_empty());
        of_root
    }

    /// The piece of these vertices with its vertices numbered anew.
    fn piece(&self, piece: &[u32], edges: &[Item]) -> Self {
        let place = |label: u32| piece.binary_search(&label).map_or(0, |place| place as u32);
        let ends = edges
            .iter()
            .filter_map(|item| Some((place(item.from), place(item.to?), ())));
        let ends: Vec<(u32, u32, ())> = ends.collect();
        if ends.is_empty() {
            return Self {
                items: vec![Item { from: 0, to: None }],
            };
        }
        let renamed = renumbered(&ends, &vec![0; piece.len()]).into_iter();
        Self {
            items: renamed
                .map(|(from, to, ())| Item { from, to: Some(to) })
                .collect(),
        }
    }

    /// The number of vertices, where the graph is one path.
    fn path_length(&self) -> Option<u64> {
        let labels = vertices(&self.items);
        let edges = self.items.iter().filter(|item| item.to.is_some()).count();
        let mut degrees = vec![0_u8; labels.len()];
        for label in self
            .items
            .iter()
            .flat_map(|item| [item.to.map(|_| item.from), item.to])
            .flatten()
        {
            let degree = &mut degrees[labels.binary_search(&label).ok()?];
            *degree = degree.saturating_add(1);
        }
        let path = edges + 1 == labels.len() && degrees.iter().all(|degree| *degree <= 2);
        path.then_some(labels.len() as u64)
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
        if let Some(word) = parameters {
            let message = "nodekayles has no parameters";
            return word.refuse(
                NotationCode::BadGameCode,
                message,
                "a colon and the graph",
                EXAMPLE,
            );
        }
        if state.text == "_" {
            return Ok((Self, Left { items: Vec::new() }));
        }
        let bad = NotationCode::BadPosition;
        let typed = read_items(state, ',', bad, EXAMPLE)?;
        if let Some((item, word)) = typed.iter().find(|(item, _)| item.to == Some(item.from)) {
            let message = format!("the edge {item} joins a vertex with itself");
            return word.refuse(bad, message, "edges between two vertices", EXAMPLE);
        }
        Ok((Self, Left::new(typed.into_iter().map(|(item, _)| item))))
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
        Box::new(left.pieces().into_iter().flatten().map(Choice))
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

    /// Vertices that lost all their edges stand by themselves after the others, ascending.
    fn play(&self, left: &Left, Choice(chosen): &Choice) -> Left {
        let mut gone: FxHashSet<u32> = [*chosen].into_iter().collect();
        for item in &left.items {
            match item.to {
                Some(to) if item.from == *chosen => drop(gone.insert(to)),
                Some(to) if to == *chosen => drop(gone.insert(item.from)),
                _ => {}
            }
        }
        let stays = |item: &&Item| {
            !gone.contains(&item.from) && item.to.is_none_or(|to| !gone.contains(&to))
        };
        let kept = left.items.iter().filter(stays).copied();
        let met: FxHashSet<u32> = kept
            .clone()
            .flat_map(|item| [Some(item.from), item.to])
            .flatten()
            .collect();
        let alone = vertices(&left.items).into_iter();
        let alone = alone.filter(|vertex| !gone.contains(vertex) && !met.contains(vertex));
        Left {
            items: kept
                .chain(alone.map(|from| Item { from, to: None }))
                .collect(),
        }
    }

    fn describe(&self, left: &Left) -> String {
        const SHOWN: usize = 40;
        let shown: Vec<String> = left.items.iter().take(SHOWN).map(Item::to_string).collect();
        match left.items.len() {
            0 => "no vertices".to_owned(),
            count if count > SHOWN => {
                format!("the graph {} and {} more", shown.join(", "), count - SHOWN)
            }
            _ => format!("the graph {}", shown.join(", ")),
        }
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
        let pieces = left.pieces();
        let mut piece_of: Vec<(u32, usize)> = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            piece_of.extend(piece.iter().map(|label| (*label, index)));
        }
        piece_of.sort_unstable();
        let mut edges: Vec<Vec<Item>> = vec![Vec::new(); pieces.len()];
        for item in &left.items {
            if let Ok(place) = piece_of.binary_search_by_key(&item.from, |(label, _)| *label) {
                edges[piece_of[place].1].push(*item);
            }
        }
        pieces
            .iter()
            .zip(&edges)
            .map(|(piece, edges)| left.piece(piece, edges))
            .collect()
    }

    fn values(&self, left: &Left, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(left.items.len() as u64)?;
        let lengths: Vec<Option<u64>> = self.parts(left).iter().map(Left::path_length).collect();
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

    fn explain(&self, left: &Left, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        const SHOWN: usize = 16;
        let pieces = left.pieces();
        let mut lines = vec!["Each connected piece of the graph is a game of its own; a path is a row of Dawson's chess.".to_owned()];
        let values = self.values(left, meter).unwrap_or_default();
        for (index, piece) in pieces.iter().enumerate().take(SHOWN) {
            let shown: Vec<String> = piece.iter().take(8).map(u32::to_string).collect();
            let more = if piece.len() > 8 { " ..." } else { "" };
            let value = match values.get(index).copied().flatten() {
                Some(value) => format!("a path, value {value}"),
                None => "value by its moves".to_owned(),
            };
            lines.push(format!(
                "  {} vertices {}{more}: {value}",
                piece.len(),
                shown.join(" ")
            ));
        }
        if pieces.len() > SHOWN {
            lines.push(format!("  and {} more pieces", pieces.len() - SHOWN));
        }
        if end.is_misere() {
            lines.push("Misere play: a move may break a piece, so values do not decide; only a search of all lines of play does.".to_owned());
        }
        lines
    }

    fn explained_by_options(&self, left: &Left) -> bool {
        let parts = self.parts(left);
        parts.iter().any(|piece| piece.path_length().is_none())
    }
}
