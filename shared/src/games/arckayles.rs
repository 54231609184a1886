//! Arc Kayles: choose an edge, and it goes with both its ends and every edge at them.
//!
//! T. J. Schaefer, *On the complexity of some two-person perfect-information games* (1978). A graph is the sum of its
//! connected pieces; on a path the game is Dawson's Kayles.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, PartKind};
use crate::game::{EndRule, Game};
use crate::games::graphs::{
    Item, each_once, graph_text, path_facts, path_length, piece_change, piece_lines, piece_name,
    pieces, read_items, refuse_rings, renamed, ring_length,
};
use crate::games::heaps::no_parameters;
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::take_and_break::{self, Rule, Table};
use crate::theory::{Meter, Stopped};

const EXAMPLE: &str = "arckayles:0-1,1-2,2-3,1-4";

/// The digits of Dawson's Kayles: the heaps are the vertices of paths.
const PATH_DIGITS: [u8; 3] = [0, 0, 7];

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "arckayles",
    title: "Arc Kayles",
    rule: "Choose an edge of the graph: it is removed together with both its ends and every edge at them. The player who removes the last edge wins.",
    notation: "arckayles:0-1,1-2,2-3,1-4 has four edges: a path from 0 to 3, and vertex 4 joined to 1; arckayles:_ has no edges",
    move_notation: "1-2 removes the edge between 1 and 2 with both its ends",
    examples: &[
        EXAMPLE,
        "arckayles:0-1,1-2,2-3,3-4",
        "arckayles:0-1,1-2,2-0,2-3",
        "arckayles:0-1,1-2,2-3,3-0,4-5",
        "arckayles:0-1,0-2,0-3,1-2,1-3,2-3,3-4",
        "arckayles:_",
    ],
    example_move: "1-2",
    method: "connected pieces, isomorphic ones once: paths and rings by the table of Dawson's Kayles, others by their options; misere play by exhaustive search",
    complexity: "exponential in the largest piece that is neither a path nor a ring",
    limits: "200,000 edges, vertices up to 999,999,999",
    source: "T. J. Schaefer 1978; R. Sprague 1935, P. M. Grundy 1939",
    board: BoardKind::Edges,
    read: erased::read::<ArcKayles>,
};

/// The rules of Arc Kayles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArcKayles;

/// The edges that are left, each once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edges {
    items: Vec<Item>,
}

/// An edge is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice(Item);

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The value of a piece that is a path or a ring: a ring becomes the path of the vertices that are left, whichever edge is chosen.
fn value(piece: &[Item], paths: &Table) -> Option<u64> {
    match (path_length(piece), ring_length(piece)) {
        (Some(edges), _) => paths.value(edges + 1),
        (None, Some(edges)) => Some(u64::from(paths.value(edges - 2)? == 0)),
        (None, None) => None,
    }
}

impl Game for ArcKayles {
    type State = Edges;
    type Move = Choice;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Edges), NotationError> {
        no_parameters(parameters, &INFO)?;
        if state.text == "_" {
            return Ok((Self, Edges { items: Vec::new() }));
        }
        let bad = NotationCode::BadPosition;
        let typed = read_items(state, ',', bad, EXAMPLE)?;
        refuse_rings(&typed, bad, EXAMPLE)?;
        if let Some((item, word)) = typed.iter().find(|(item, _)| item.to.is_none()) {
            let message = format!("vertex {item} has no edge, and only edges are chosen");
            return word.refuse(bad, message, "an edge such as 0-1", EXAMPLE);
        }
        let items = each_once(typed.into_iter().map(|(item, _)| item));
        Ok((Self, Edges { items }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, edges: &Edges, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &edges.items)
    }

    fn move_count(&self, edges: &Edges, _: Seat) -> u128 {
        edges.items.len() as u128
    }

    fn nth_move(&self, edges: &Edges, seat: Seat, n: u128) -> Option<Choice> {
        self.moves(edges, seat).nth(usize::try_from(n).ok()?)
    }

    /// Piece by piece, as listed in each.
    fn moves<'s>(&'s self, edges: &'s Edges, _: Seat) -> Box<dyn Iterator<Item = Choice> + 's> {
        Box::new(pieces(&edges.items).into_iter().flatten().map(Choice))
    }

    fn read_move(&self, edges: &Edges, _: Seat, text: &str) -> Result<Choice, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let from = letters.number()?;
        if letters.peek() != Some('-') {
            let message = "an edge is written as its two ends, such as 1-2";
            return Err(MoveError::at(letters.column(), message));
        }
        letters.skip();
        let to = letters.number()?;
        letters.end()?;
        let joins = |item: &&Item| {
            let ends = (u64::from(item.from), item.to.map(u64::from));
            ends == (from, Some(to)) || ends == (to, Some(from))
        };
        let found = edges.items.iter().find(joins);
        let missing = || MoveError::at(column, format!("there is no edge from {from} to {to}"));
        found.copied().map(Choice).ok_or_else(missing)
    }

    fn play(&self, edges: &Edges, Choice(chosen): &Choice) -> Edges {
        let gone: FxHashSet<u32> = [Some(chosen.from), chosen.to]
            .into_iter()
            .flatten()
            .collect();
        let stays = |item: &&Item| {
            ![Some(item.from), item.to]
                .iter()
                .flatten()
                .any(|end| gone.contains(end))
        };
        Edges {
            items: edges.items.iter().filter(stays).copied().collect(),
        }
    }

    fn describe(&self, edges: &Edges) -> String {
        graph_text(&edges.items, "no edges")
    }

    fn describe_move(&self, edges: &Edges, choice: &Choice, prefix: &str) -> String {
        let gone = edges.items.len() - self.play(edges, choice).items.len() - 1;
        match gone {
            0 => format!("took edge {prefix}{choice}"),
            1 => format!("took edge {prefix}{choice}, and one edge beside it went"),
            _ => format!("took edge {prefix}{choice}, and {gone} edges beside it went"),
        }
    }

    fn parts(&self, edges: &Edges) -> Vec<Edges> {
        let pieces = pieces(&edges.items).into_iter();
        let parts = pieces.map(|piece| Edges {
            items: renamed(&piece, |_| 0),
        });
        parts.collect()
    }

    fn values(&self, edges: &Edges, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(edges.items.len() as u64)?;
        let longest = edges.items.len() as u64 + 1;
        let paths = take_and_break::table(&Rule::code(&PATH_DIGITS), longest, meter);
        let pieces = pieces(&edges.items);
        Ok(pieces.iter().map(|piece| value(piece, &paths)).collect())
    }

    fn method(&self) -> &'static str {
        "connected pieces"
    }

    fn bytes(&self, edges: &Edges) -> u64 {
        edges.items.len() as u64 * 16
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Piece
    }

    fn part_name(&self, edges: &Edges, part: usize) -> String {
        piece_name(&pieces(&edges.items), part)
    }

    fn facts(&self, edges: &Edges, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        match (end, self.values(edges, meter)) {
            (EndRule::Normal, Ok(values)) => {
                path_facts(&pieces(&edges.items), "dawsonkayles", &values)
            }
            _ => Vec::new(),
        }
    }

    fn changes(
        &self,
        edges: &Edges,
        choice: &Choice,
        _: EndRule,
        _: &mut Meter<'_>,
    ) -> Vec<GameFact> {
        let after = self.play(edges, choice);
        let Choice(chosen) = choice;
        piece_change(&edges.items, &after.items, chosen.from, false)
            .into_iter()
            .collect()
    }

    fn explain(&self, edges: &Edges, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec!["Each connected piece of the graph is a game of its own; a path of n vertices is a row of n in Dawson's Kayles.".to_owned()];
        let values = self.values(edges, meter).unwrap_or_default();
        lines.extend(piece_lines(&pieces(&edges.items), |index| {
            match values.get(index).copied().flatten() {
                Some(value) => format!("value {value}"),
                None => "value by its moves".to_owned(),
            }
        }));
        if end.is_misere() {
            lines.push("Misere play: a move may break a piece, so values do not decide; only a search of all lines of play does.".to_owned());
        }
        lines
    }

    fn explained_by_options(&self, edges: &Edges) -> bool {
        let pieces = pieces(&edges.items);
        pieces
            .iter()
            .any(|piece| path_length(piece).or_else(|| ring_length(piece)).is_none())
    }
}
