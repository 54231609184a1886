//! Col and Snort: the players paint the vertices of a graph, Left blue and Right red. Under the rule of Col no edge joins two vertices of one colour, under the rule
//! of Snort none joins two of different colours.
//!
//! J. H. Conway, *On Numbers and Games* (1976), chapter 8; E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapters 2 and 6. The games are due to C. Vout and
//! S. Norton. What is painted only limits its neighbours, so a state is the graph still to be painted, each vertex open to both players or to one alone; a vertex
//! open to nobody is gone. An edge between vertices that cannot limit each other has no effect, and the connected pieces of the others are summands.

mod unpainted;

use std::collections::BTreeMap;
use std::fmt;

use rustc_hash::FxHashSet;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::PartKind;
use crate::game::{EndRule, Game, Kind};
use crate::games::graphs::{
    Item, each_once, graph_text, path_length, piece_name, pieces, renamed, ring_length, vertices,
    without,
};
use crate::games::heaps::no_parameters;
use crate::games::letters::Letters;
use crate::games::partizan::{READING, part_lines, whole_numbers};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::{BitBoard, BitMove, CanonicalForm, CanonicalForms, Meter, Stopped};

pub use unpainted::Unpainted;
use unpainted::{letter, painter, read_state};

/// What the registry says about Col.
pub static COL: GameInfo = GameInfo {
    name: "col",
    title: "Col",
    rule: "Paint a vertex of the graph: Left, the first player, paints it blue, and Right red; two adjacent vertices may not have the same colour. Vertices that neither player may paint stay unpainted. The player who makes the last move wins.",
    notation: "col:0-1,1b-2,3r is a path of three vertices and a single one, none of them painted yet; vertex 1 is open to Left alone (b), vertex 3 to Right alone (r); a painted vertex is left out, and its neighbours are closed to one player or to both; 0-1-2 is short for 0-1,1-2",
    move_notation: "1b paints vertex 1 blue (Left), 1r red (Right); 1 is enough",
    examples: &[
        "col:0-1-2,3",
        "col:0-1,1b-2,3r",
        "col:0-1-2-3-4",
        "col:0-1-2-0,2-3",
        "col:0b-1r,1-2r,3b",
        "col:0-1-2-3-0",
        "col:_",
    ],
    example_move: "1b",
    method: "canonical forms of the connected pieces, isomorphic ones once: whole numbers for paths and rings open to one player, others by their options; for larger graphs, and in misere play, a search for the winner",
    complexity: "exponential in the largest piece",
    limits: "200,000 vertices and edges; values of pieces of about 12 vertices take a second; the winner is found up to about 25 vertices",
    source: "J. H. Conway, On Numbers and Games, 1976, chapter 8 (invented by C. Vout); Winning Ways, 1982, chapter 2",
    board: BoardKind::Tints,
    read: erased::read::<Painting>,
};

/// What the registry says about Snort.
pub static SNORT: GameInfo = GameInfo {
    name: "snort",
    title: "Snort",
    rule: "Paint a vertex of the graph: Left, the first player, paints it blue, and Right red; two adjacent vertices may not have different colours. Vertices that neither player may paint stay unpainted. The player who makes the last move wins.",
    notation: "snort:0-1,1b-2,3r is a path of three vertices and a single one, none of them painted yet; vertex 1 is open to Left alone (b), vertex 3 to Right alone (r); a painted vertex is left out, and its neighbours are closed to one player or to both; 0-1-2 is short for 0-1,1-2",
    examples: &[
        "snort:0-1-2,3",
        "snort:0-1,1b-2,3r",
        "snort:0-1-2-3-4",
        "snort:0-1-2-0,2-3",
        "snort:0b-1r,1-2r,3b",
        "snort:0-1-2-3-0",
        "snort:_",
    ],
    method: "canonical forms of the connected pieces, isomorphic ones once: single vertices are numbers or stars, others by their options; for larger graphs, and in misere play, a search for the winner",
    source: "J. H. Conway, On Numbers and Games, 1976, chapter 8 (invented by S. Norton); Winning Ways, 1982, chapter 6",
    ..COL
};

/// Which colours may be neighbours, by the name of the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Painting {
    /// Only different colours.
    Col,
    /// Only equal colours.
    Snort,
}

/// A vertex is painted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stroke {
    vertex: u32,
    painter: Seat,
}

impl fmt::Display for Stroke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.vertex, letter(self.painter))
    }
}

impl Painting {
    fn info(&self) -> &'static GameInfo {
        match self {
            Self::Col => &COL,
            Self::Snort => &SNORT,
        }
    }

    /// The player to whom a neighbour of what this player has painted is closed.
    fn shut_out(&self, painter: Seat) -> Seat {
        match self {
            Self::Col => painter,
            Self::Snort => painter.other(),
        }
    }

    /// Whether painting one of these neighbours can limit the other.
    fn limits(&self, graph: &Unpainted, a: u32, b: u32) -> bool {
        Seat::BOTH.into_iter().any(|seat| {
            let shut_out = self.shut_out(seat);
            [(a, b), (b, a)]
                .iter()
                .any(|(a, b)| graph.is_open(*a, seat) && graph.is_open(*b, shut_out))
        })
    }

    /// The connected pieces of the graph without the edges that have no effect.
    fn pieces(&self, graph: &Unpainted) -> Vec<Vec<Item>> {
        let acts = |item: &&Item| item.to.is_some_and(|to| self.limits(graph, item.from, to));
        let edges = graph.items.iter().filter(acts).copied();
        let all = vertices(&graph.items).into_iter();
        pieces(&each_once(
            edges.chain(all.map(|from| Item { from, to: None })),
        ))
    }

    /// The moves that are left in a path or ring that is open to one player alone: under the rule of Col every second vertex, under that of Snort none limits another.
    fn number(&self, graph: &Unpainted, piece: &[Item]) -> Option<i64> {
        let labels = vertices(piece);
        let owner = graph.tint(labels[0])?;
        if labels.iter().any(|label| graph.tint(*label) != Some(owner)) {
            return None;
        }
        let path = path_length(piece).map(|edges| edges / 2 + 1);
        let moves = path.or_else(|| ring_length(piece).map(|edges| edges / 2))? as i64;
        Some(match owner {
            Seat::First => moves,
            Seat::Second => -moves,
        })
    }
}

impl Game for Painting {
    type State = Unpainted;
    type Move = Stroke;

    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Unpainted), NotationError> {
        let game = match name.text == SNORT.name {
            true => Self::Snort,
            false => Self::Col,
        };
        no_parameters(parameters, game.info())?;
        let graph = match state.text {
            "_" => Unpainted {
                items: Vec::new(),
                tints: BTreeMap::new(),
            },
            _ => read_state(state, game.info().examples[0])?,
        };
        Ok((game, graph))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }

    fn write_state(&self, graph: &Unpainted, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{graph}")
    }

    fn move_count(&self, graph: &Unpainted, seat: Seat) -> u128 {
        let all = vertices(&graph.items).into_iter();
        all.filter(|vertex| graph.is_open(*vertex, seat)).count() as u128
    }

    fn nth_move(&self, graph: &Unpainted, seat: Seat, n: u128) -> Option<Stroke> {
        self.moves(graph, seat).nth(usize::try_from(n).ok()?)
    }

    /// Piece by piece, ascending in each.
    fn moves<'s>(
        &'s self,
        graph: &'s Unpainted,
        painter: Seat,
    ) -> Box<dyn Iterator<Item = Stroke> + 's> {
        let pieces = self.pieces(graph).into_iter();
        let all = pieces.flat_map(|piece| vertices(&piece));
        let open = all.filter(move |vertex| graph.is_open(*vertex, painter));
        Box::new(open.map(move |vertex| Stroke { vertex, painter }))
    }

    fn read_move(&self, graph: &Unpainted, seat: Seat, text: &str) -> Result<Stroke, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let label = letters.number()?;
        let player = match seat {
            Seat::First => "Left",
            Seat::Second => "Right",
        };
        let colour = letters.column();
        if let Some(typed) = letters.peek() {
            if painter(typed) != Some(seat) {
                let message = format!("the colour of {player} is {}", letter(seat));
                return Err(MoveError::at(colour, message));
            }
            letters.skip();
        }
        letters.end()?;
        let vertex = u32::try_from(label).ok();
        let left = vertices(&graph.items);
        let vertex = vertex.filter(|vertex| left.binary_search(vertex).is_ok());
        match vertex {
            None => {
                let message = format!("there is no vertex {label} left");
                Err(MoveError::at(column, message))
            }
            Some(vertex) if graph.is_open(vertex, seat) => Ok(Stroke {
                vertex,
                painter: seat,
            }),
            Some(_) => {
                let message = format!("vertex {label} is not open to {player}");
                Err(MoveError::at(column, message))
            }
        }
    }

    fn play(&self, graph: &Unpainted, stroke: &Stroke) -> Unpainted {
        let shut_out = self.shut_out(stroke.painter);
        let mut tints = graph.tints.clone();
        let mut gone: FxHashSet<u32> = [stroke.vertex].into_iter().collect();
        for item in &graph.items {
            let next = match item.to {
                Some(to) if item.from == stroke.vertex => to,
                Some(to) if to == stroke.vertex => item.from,
                _ => continue,
            };
            match graph.tint(next) {
                None => drop(tints.insert(next, shut_out.other())),
                Some(tint) if tint == shut_out => drop(gone.insert(next)),
                Some(_) => {}
            }
        }
        tints.retain(|vertex, _| !gone.contains(vertex));
        Unpainted {
            items: without(&graph.items, &gone),
            tints,
        }
    }

    fn describe(&self, graph: &Unpainted) -> String {
        let text = graph_text(&graph.items, "no vertices");
        let of = |seat: Seat| graph.tints.values().filter(|tint| **tint == seat).count();
        match (of(Seat::First), of(Seat::Second)) {
            (0, 0) => text,
            (left, right) => {
                format!("{text}: {left} open to Left alone, {right} to Right alone")
            }
        }
    }

    fn describe_move(&self, _: &Unpainted, stroke: &Stroke, prefix: &str) -> String {
        let colour = match stroke.painter {
            Seat::First => "blue",
            Seat::Second => "red",
        };
        format!("painted vertex {prefix}{} {colour}", stroke.vertex)
    }

    fn kind(&self, _: &Unpainted) -> Kind {
        Kind::Partizan
    }

    fn parts(&self, graph: &Unpainted) -> Vec<Unpainted> {
        let code = |vertex: u32| match graph.tint(vertex) {
            None => 0,
            Some(Seat::First) => 1,
            Some(Seat::Second) => 2,
        };
        let part = |piece: &Vec<Item>| {
            // Vertices with smaller codes come first in a renamed piece.
            let mut codes: Vec<u32> = vertices(piece).into_iter().map(code).collect();
            codes.sort_unstable();
            let tint = |code: u32| match code {
                0 => None,
                1 => Some(Seat::First),
                _ => Some(Seat::Second),
            };
            let tints = (0..).zip(codes);
            Unpainted {
                items: renamed(piece, code),
                tints: tints
                    .filter_map(|(at, code)| Some((at, tint(code)?)))
                    .collect(),
            }
        };
        self.pieces(graph).iter().map(part).collect()
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Piece
    }

    fn part_name(&self, graph: &Unpainted, part: usize) -> String {
        piece_name(&self.pieces(graph), part)
    }

    fn forms(
        &self,
        graph: &Unpainted,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<CanonicalForm>>, Stopped> {
        meter.work(graph.items.len() as u64)?;
        let pieces = self.pieces(graph);
        let numbers = pieces.iter().map(|piece| self.number(graph, piece));
        whole_numbers(numbers, forms, meter)
    }

    fn method(&self) -> &'static str {
        "connected pieces"
    }

    fn bytes(&self, graph: &Unpainted) -> u64 {
        graph.items.len() as u64 * 16 + graph.tints.len() as u64 * 32
    }

    /// A bit for each vertex and each player to whom it is open.
    fn bit_board(&self, graph: &Unpainted) -> Option<BitBoard> {
        let open = vertices(&graph.items).into_iter().flat_map(|vertex| {
            let seats = Seat::BOTH.into_iter();
            let open = seats.filter(move |seat| graph.is_open(vertex, *seat));
            open.map(move |seat| (vertex, seat.index()))
        });
        let open: Vec<(u32, usize)> = open.take(BitBoard::BITS + 1).collect();
        if open.len() > BitBoard::BITS {
            return None;
        }
        let bit = |vertex: u32, seat: Seat| BitBoard::bit(&open, &(vertex, seat.index()));
        let stroke = |stroke: Stroke| {
            let Stroke { vertex, painter } = stroke;
            let near = graph.items.iter().filter_map(|item| match item.to? {
                to if item.from == vertex => Some(to),
                to if to == vertex => Some(item.from),
                _ => None,
            });
            let shut_out = self.shut_out(painter);
            let closed = near.fold(0, |bits, near| bits | bit(near, shut_out));
            let own = Seat::BOTH.map(|seat| bit(vertex, seat));
            BitMove {
                needs: bit(vertex, painter),
                clears: closed | own[0] | own[1],
                sets: 0,
            }
        };
        Some(BitBoard {
            bits: open
                .iter()
                .fold(0, |bits, one| bits | BitBoard::bit(&open, one)),
            width: open.len() as u32,
            moves: Seat::BOTH.map(|seat| self.moves(graph, seat).map(stroke).collect()),
            most_moves: open.len() as u32,
        })
    }

    /// Vertices open to both players, no two of them neighbours: they can be painted in any order, by either player.
    fn free_choices(&self, graph: &Unpainted) -> usize {
        graph.free_choices()
    }

    fn explain(&self, graph: &Unpainted, _: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec![
            "An edge matters only while painting one of its ends can close the other to a player; the pieces that such edges connect are games of their own.".to_owned(),
        ];
        if *self == Self::Col {
            lines.push(
                "In Col every piece is worth a number, or a number and a star: no move is urgent."
                    .to_owned(),
            );
        }
        lines.push(READING.to_owned());
        let pieces = self.pieces(graph);
        lines.extend(part_lines(pieces.iter().map(|piece| {
            const SHOWN: usize = 8;
            let labels = vertices(piece);
            let marked = |vertex: &u32| match graph.tint(*vertex) {
                None => vertex.to_string(),
                Some(tint) => format!("{vertex}{}", letter(tint)),
            };
            let shown: Vec<String> = labels.iter().take(SHOWN).map(marked).collect();
            let more = if labels.len() > SHOWN { " ..." } else { "" };
            let noun = if labels.len() == 1 {
                "vertex"
            } else {
                "vertices"
            };
            let part = format!("{} {noun} {}{more}", labels.len(), shown.join(" "));
            (part, self.number(graph, piece))
        })));
        lines
    }
}
