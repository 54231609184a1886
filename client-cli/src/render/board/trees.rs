//! Edges that are tied to the ground: the ground on the left, and what falls with an edge on its right.

use std::collections::{BTreeMap, VecDeque};

use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line};
use super::canvas::{Canvas, letter};
use super::part::Part;

/// An edge as typed.
#[derive(Clone, Copy)]
struct Edge {
    from: u64,
    to: u64,
    colour: char,
    /// 1 for the first of parallel edges of its colour.
    twin: usize,
}

/// What grows from a vertex: an edge, and the vertex at its end if the edge leads to a new one.
type Twig = (usize, u64, bool);

/// The drawing of a bush.
struct Bush<'f> {
    edges: Vec<Edge>,
    grows: BTreeMap<u64, Vec<Twig>>,
    frame: &'f Frame,
    /// Rows that may be drawn on.
    rows: usize,
    canvas: Canvas,
    drawn: usize,
    next_row: usize,
}

pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let edges = read(part);
    let total = edges.len();
    let coloured = edges.iter().any(|edge| edge.colour != '-');
    let mut bush = Bush {
        grows: grown(&edges),
        edges,
        frame,
        rows: frame.rows - 1 - usize::from(coloured),
        canvas: Canvas::default(),
        drawn: 0,
        next_row: 0,
    };
    bush.vertex(0, 1, drawing);
    let drawn = bush.drawn;
    bush.canvas.into_drawing(frame, drawing);
    if drawn < total {
        let more = Message::new("board-more-edges").number("count", (total - drawn) as u64);
        drawing.push(Line::note(&frame.said(more), frame));
    }
    if coloured {
        drawing.push(
            Line::new()
                .put(Ink::Both, format!("- {}", frame.say("board-both")))
                .plain("  ")
                .put(Ink::Left, format!("= {}", frame.say("board-left")))
                .plain("  ")
                .put(Ink::Right, format!("~ {}", frame.say("board-right"))),
        );
    }
}

/// The edges of paths such as `0-1b2`.
fn read(part: &Part<'_>) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut like: BTreeMap<(u64, u64, char), usize> = BTreeMap::new();
    for item in part.items() {
        let mut from: Option<u64> = None;
        let mut colour = '-';
        for piece in item.split_inclusive(|c: char| !c.is_ascii_digit()) {
            let number = piece.trim_end_matches(|c: char| !c.is_ascii_digit());
            let Ok(to) = number.parse::<u64>() else {
                continue;
            };
            if let Some(from) = from {
                let twin = like
                    .entry((from.min(to), from.max(to), colour))
                    .or_default();
                *twin += 1;
                edges.push(Edge {
                    from,
                    to,
                    colour,
                    twin: *twin,
                });
            }
            from = Some(to);
            colour = piece.chars().last().unwrap_or('-');
        }
    }
    edges
}

/// What grows from each vertex, by shortest ways from the ground; an edge that leads back is drawn where it is met first.
fn grown(edges: &[Edge]) -> BTreeMap<u64, Vec<Twig>> {
    let mut beside: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (index, edge) in edges.iter().enumerate() {
        beside.entry(edge.from).or_default().push(index);
        if edge.to != edge.from {
            beside.entry(edge.to).or_default().push(index);
        }
    }
    let mut grows: BTreeMap<u64, Vec<Twig>> = BTreeMap::new();
    let mut met = vec![false; edges.len()];
    let mut reached = std::collections::BTreeSet::from([0]);
    let mut waiting = VecDeque::from([0]);
    while let Some(vertex) = waiting.pop_front() {
        for index in beside.get(&vertex).into_iter().flatten().copied() {
            if std::mem::replace(&mut met[index], true) {
                continue;
            }
            let edge = edges[index];
            let end = if edge.from == vertex {
                edge.to
            } else {
                edge.from
            };
            let new = reached.insert(end);
            grows.entry(vertex).or_default().push((index, end, new));
            if new {
                waiting.push_back(end);
            }
        }
    }
    grows
}

impl Bush<'_> {
    /// Draws a vertex on the current row and what grows from it. The depth of calls is bounded by the width.
    fn vertex(&mut self, vertex: u64, column: usize, drawing: &mut Drawing) {
        let row = self.next_row;
        let name = match vertex {
            0 => "=0".to_owned(),
            vertex => vertex.to_string(),
        };
        self.canvas.write(row, column, Ink::Label, &name);
        let twigs = self.grows.remove(&vertex).unwrap_or_default();
        let end = column + name.len();
        // A branch leaves below the last letter of the name.
        let trunk = end - 1;
        let mut last = row;
        for (at, twig) in twigs.into_iter().enumerate() {
            if at > 0 {
                if self.next_row + 1 >= self.rows {
                    return;
                }
                self.next_row += 1;
                for between in last + 1..self.next_row {
                    self.canvas.under(between, trunk, '|');
                }
                self.canvas.write(self.next_row, trunk, Ink::Plain, "+");
                last = self.next_row;
            }
            if !self.twig(twig, end, drawing) {
                self.canvas.write(self.next_row, end, Ink::Note, "...");
                return;
            }
        }
    }

    /// Draws an edge and what it carries; `false` if there is no room.
    fn twig(&mut self, (index, end, new): Twig, column: usize, drawing: &mut Drawing) -> bool {
        let edge = self.edges[index];
        let name = letter(self.drawn);
        let target = match new {
            true => end.to_string(),
            false => format!("({end})"),
        };
        let width = name.len() + 2 + target.len();
        // Room for the sign that something is left out.
        if column + width + 3 > self.frame.width {
            return false;
        }
        let (ink, stroke) = match edge.colour {
            'b' => (Ink::Left, '='),
            'r' => (Ink::Right, '~'),
            _ => (Ink::Both, '-'),
        };
        let row = self.next_row;
        self.canvas
            .write(row, column, ink, &format!("{stroke}{name}{stroke}"));
        self.drawn += 1;
        let twin = match edge.twin {
            1 => String::new(),
            twin => format!("_{twin}"),
        };
        let mv = format!("{}{}{}{twin}", edge.from, edge.colour, edge.to);
        drawing.label(name.clone(), mv);
        let column = column + name.len() + 2;
        match new {
            true => self.vertex(end, column, drawing),
            false => self.canvas.write(row, column, Ink::Label, &target),
        }
        true
    }
}
