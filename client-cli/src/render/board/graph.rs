//! Graphs: a row for each vertex, and for each edge a track on the right that joins its two rows.
//!
//! An arc begins at its letter, or at `+`, and ends at `<`; an edge has `+` at both ends.

use std::collections::{BTreeMap, BTreeSet};

use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line, Site, digits};
use super::canvas::{Canvas, letter};
use super::paint::Coat;
use super::part::Part;

/// Moves that get letters; more would be longer than the moves.
const LETTERED: usize = 22;

/// A graph in the order of its vertices' numbers.
#[derive(Default)]
struct Graph {
    vertices: Vec<u64>,
    edges: Vec<(u64, u64)>,
}

/// How the edges are drawn.
struct Edges {
    directed: bool,
    /// Arcs from these vertices are moves.
    movable: BTreeSet<u64>,
}

/// What is on a vertex.
struct Sign {
    ink: Ink,
    text: String,
    /// The parts of it that a move can change.
    holds: String,
}

impl Sign {
    /// A sign that a move can change.
    fn piece(ink: Ink, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            ink,
            holds: text.clone(),
            text,
        }
    }

    /// A sign that no move changes.
    fn free(ink: Ink, text: impl Into<String>) -> Self {
        Self {
            ink,
            text: text.into(),
            holds: String::new(),
        }
    }
}

impl Graph {
    fn read<'t>(items: impl Iterator<Item = &'t str>) -> Self {
        let mut vertices = BTreeSet::new();
        let mut edges = Vec::new();
        for item in items {
            let ends: Vec<u64> = item.split('-').filter_map(|end| end.parse().ok()).collect();
            vertices.extend(&ends);
            edges.extend(ends.windows(2).map(|pair| (pair[0], pair[1])));
        }
        Self {
            vertices: vertices.into_iter().collect(),
            edges,
        }
    }
}

/// Tokens on the ends of arcs.
pub(super) fn draw_arcs(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let mut graph = Graph::read(part.parameters());
    let mut tokens: BTreeMap<u64, u64> = BTreeMap::new();
    for node in part.numbers() {
        *tokens.entry(node).or_default() += 1;
    }
    // What stands highest first: most arcs lead to lower numbers.
    graph.vertices.reverse();
    let edges = Edges {
        directed: true,
        movable: tokens.keys().copied().collect(),
    };
    draw(&graph, &edges, frame, drawing, |node| {
        match tokens.get(&node) {
            None => Sign::free(Ink::Plain, frame.glyphs.free),
            Some(1) => Sign::piece(Ink::Piece, frame.glyphs.token),
            Some(many) => Sign::piece(Ink::Piece, format!("{}{many}", frame.glyphs.token)),
        }
    });
}

/// A token that leaves a path behind it.
pub(super) fn draw_walk(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    // Where the token may be placed: `_`, `_0/2`, with another `_` by the opponent.
    let starts = part.state.trim_start_matches('_');
    let starts: Vec<u64> = starts
        .split('/')
        .filter_map(|start| start.parse().ok())
        .collect();
    let passes = part.state.starts_with("__");
    let mut path = part.numbers();
    let token = path.pop();
    let mut graph = Graph::read(part.parameters());
    if let Some(token) = token.filter(|token| !graph.vertices.contains(token)) {
        graph.vertices.push(token);
        graph.vertices.sort_unstable();
    }
    let visited: BTreeSet<u64> = path.into_iter().collect();
    let beside: BTreeSet<u64> = match token {
        None if !starts.is_empty() => starts.into_iter().collect(),
        None => graph.vertices.iter().copied().collect(),
        Some(token) => {
            let other = |(from, to): &(u64, u64)| match (*from == token, *to == token) {
                (true, _) => Some(*to),
                (_, true) => Some(*from),
                _ => None,
            };
            let beside = graph.edges.iter().filter_map(other);
            beside.filter(|next| !visited.contains(next)).collect()
        }
    };
    let edges = Edges {
        directed: false,
        movable: BTreeSet::new(),
    };
    draw(&graph, &edges, frame, drawing, |vertex| match vertex {
        _ if Some(vertex) == token => Sign::piece(Ink::Piece, frame.glyphs.token),
        _ if visited.contains(&vertex) => Sign::free(Ink::Plain, 'x'),
        _ if beside.contains(&vertex) => Sign::free(Ink::Label, '+'),
        _ => Sign::free(Ink::Plain, frame.glyphs.free),
    });
    if passes {
        drawing.label("pass".to_owned(), "pass".to_owned());
        return;
    }
    for vertex in beside.iter().take(LETTERED) {
        drawing.label(vertex.to_string(), vertex.to_string());
    }
}

/// The vertices that can be taken, and the edges between them.
pub(super) fn draw_vertices(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    draw_stones(part, false, frame, drawing);
}

/// The elements that can be taken, and arcs from each to those above it.
pub(super) fn draw_order(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    draw_stones(part, true, frame, drawing);
}

fn draw_stones(part: &Part<'_>, directed: bool, frame: &Frame, drawing: &mut Drawing) {
    let graph = Graph::read(part.items());
    let edges = Edges {
        directed,
        movable: BTreeSet::new(),
    };
    draw(&graph, &edges, frame, drawing, |_| {
        Sign::piece(Ink::Piece, frame.glyphs.stone)
    });
    for vertex in graph.vertices.iter().take(LETTERED) {
        drawing.label(vertex.to_string(), vertex.to_string());
    }
}

/// The vertices that can be painted, by both players, by Left alone (`b`) or by Right alone (`r`), and those that were painted (`B` and `R`).
pub(super) fn draw_tints(
    part: &Part<'_>,
    coat: Option<&Coat>,
    frame: &Frame,
    drawing: &mut Drawing,
) {
    // The vertices that can be painted.
    let mut tints: BTreeMap<u64, &str> = BTreeMap::new();
    for vertex in part.items().flat_map(|item| item.split('-')) {
        let number = vertex.trim_end_matches(['b', 'r']);
        if let Ok(parsed) = number.parse() {
            // The tint stands where the vertex is named first.
            let tint = tints.entry(parsed).or_default();
            *tint = (*tint).max(&vertex[number.len()..]);
        }
    }
    let all = coat.map_or(part.state, |coat| coat.start.as_str());
    let plain = all.replace(['b', 'r'], "");
    let graph = Graph::read(plain.split(',').filter(|item| *item != "_"));
    let colours = coat.map(|coat| &coat.colours);
    let frame = &Frame {
        rows: frame.rows - usize::from(coat.is_some()),
        ..*frame
    };
    let edges = Edges {
        directed: false,
        movable: BTreeSet::new(),
    };
    draw(&graph, &edges, frame, drawing, |vertex| {
        let sign = match (
            colours.and_then(|colours| colours.get(&vertex)),
            tints.get(&vertex),
        ) {
            (Some('b'), _) => return Sign::piece(Ink::Left, 'B'),
            (Some(_), _) => return Sign::piece(Ink::Right, 'R'),
            (None, None) => Sign::free(Ink::Plain, frame.glyphs.free),
            (None, Some(&"")) => Sign::free(Ink::Both, frame.glyphs.stone),
            (None, Some(&"b")) => Sign::free(Ink::Left, 'b'),
            (None, Some(tint)) => Sign::free(Ink::Right, *tint),
        };
        // Without its paint, a painted vertex is not drawn.
        Sign {
            holds: "unpainted".to_owned(),
            ..sign
        }
    });
    if coat.is_some() {
        let legend = Message::new("board-painted").text("free", frame.glyphs.free);
        drawing.push(Line::note(&frame.said(legend), frame));
    }
    for vertex in tints.keys().take(LETTERED) {
        drawing.label(vertex.to_string(), vertex.to_string());
    }
}

/// Coins tied to each other and to the ground, vertex 0.
pub(super) fn draw_cuts(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let graph = Graph::read(part.items());
    let edges = Edges {
        directed: false,
        movable: BTreeSet::new(),
    };
    draw(&graph, &edges, frame, drawing, |vertex| match vertex {
        0 => Sign::free(Ink::Plain, '='),
        _ => Sign::piece(Ink::Piece, frame.glyphs.stone),
    });
}

/// Edges that can be chosen, each with a letter.
pub(super) fn draw_edges(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let graph = Graph::read(part.items());
    let edges = Edges {
        directed: false,
        movable: graph.vertices.iter().copied().collect(),
    };
    draw(&graph, &edges, frame, drawing, |_| {
        Sign::free(Ink::Plain, frame.glyphs.free)
    });
}

/// Draws a graph as tracks if that fits, else as a list.
fn draw(
    graph: &Graph,
    edges: &Edges,
    frame: &Frame,
    drawing: &mut Drawing,
    sign: impl Fn(u64) -> Sign,
) {
    let names = graph
        .vertices
        .iter()
        .copied()
        .map(digits)
        .max()
        .unwrap_or(1);
    let signs: Vec<Sign> = graph.vertices.iter().map(|vertex| sign(*vertex)).collect();
    let widest = signs.iter().map(|sign| sign.text.chars().count()).max();
    // A space, the name, a space, the sign.
    let base = names + 2 + widest.unwrap_or(1);
    let most = frame.width.saturating_sub(base + 2) / 2;
    let tracks = match graph.vertices.len() <= frame.rows {
        true => tracks(graph, most),
        false => None,
    };
    let Some(tracks) = tracks else {
        list(graph, edges.directed, frame, drawing, sign);
        return;
    };
    let mut canvas = Canvas::default();
    for (row, (vertex, sign)) in graph.vertices.iter().zip(&signs).enumerate() {
        canvas.write(row, 1, Ink::Label, &format!("{vertex:>names$}"));
        canvas.write(row, names + 2, sign.ink, &sign.text);
        let columns = 1..names + 2 + sign.text.chars().count();
        drawing.site(vertex.to_string(), &*sign.holds, row, columns);
    }
    let mut named = 0;
    for (place, ((from, to), (track, low, high))) in graph.edges.iter().zip(&tracks).enumerate() {
        let column = base + 1 + 2 * track;
        for row in low + 1..*high {
            canvas.write(row, column, Ink::Plain, "|");
        }
        let [tail, head] = [from, to].map(|end| row_of(graph, *end));
        let start = match edges.movable.contains(from) && named < LETTERED {
            true => {
                named += 1;
                let letter = letter(named - 1);
                drawing.label(letter.clone(), format!("{from}-{to}"));
                letter
            }
            false => "+".to_owned(),
        };
        let ink = if start == "+" { Ink::Plain } else { Ink::Both };
        let end = if edges.directed { "<" } else { "+" };
        match tail == head {
            true => canvas.write(tail, column, ink, &format!("{start}{end}")),
            false => {
                canvas.write(tail, column, ink, &start);
                canvas.write(head, column, Ink::Plain, end);
            }
        }
        let same = graph.edges[..place]
            .iter()
            .filter(|edge| **edge == (*from, *to));
        drawing.sites.push(Site {
            name: format!("{from}-{to}_{}", same.count()),
            holds: "edge".to_owned(),
            cells: (*low..=*high).map(|row| (row, column)).collect(),
        });
    }
    // The lines from the vertices to their tracks pass under everything else.
    for ((from, to), (track, ..)) in graph.edges.iter().zip(&tracks) {
        for end in [from, to] {
            let row = row_of(graph, *end);
            let sign = signs.get(row).map_or(1, |sign| sign.text.chars().count());
            for column in names + 2 + sign..base + 1 + 2 * track {
                canvas.under(row, column, '-');
            }
        }
    }
    canvas.into_drawing(frame, drawing);
}

fn row_of(graph: &Graph, vertex: u64) -> usize {
    let place = graph.vertices.iter().position(|known| *known == vertex);
    place.unwrap_or(0)
}

/// For each edge its track and its rows; no two edges on a track touch. `None` if there are not enough tracks.
fn tracks(graph: &Graph, most: usize) -> Option<Vec<(usize, usize, usize)>> {
    if graph.edges.len() > most * graph.vertices.len() {
        return None;
    }
    let rows = |(from, to): &(u64, u64)| {
        let [a, b] = [from, to].map(|end| row_of(graph, *end));
        (a.min(b), a.max(b))
    };
    let mut order: Vec<usize> = (0..graph.edges.len()).collect();
    let spans: Vec<(usize, usize)> = graph.edges.iter().map(rows).collect();
    // Short edges come next to the vertices.
    order.sort_by_key(|edge| (spans[*edge].1 - spans[*edge].0, spans[*edge].0));
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut tracks = vec![(0, 0, 0); graph.edges.len()];
    for edge in order {
        let (low, high) = spans[edge];
        let free =
            |spans: &Vec<(usize, usize)>| spans.iter().all(|(from, to)| high < *from || *to < low);
        let track = taken.iter().position(free).unwrap_or(taken.len());
        if track >= most {
            return None;
        }
        if track == taken.len() {
            taken.push(Vec::new());
        }
        taken[track].push((low, high));
        tracks[edge] = (track, low, high);
    }
    Some(tracks)
}

/// One row for each vertex with where it leads, as many as fit: first those with something on them.
fn list(
    graph: &Graph,
    directed: bool,
    frame: &Frame,
    drawing: &mut Drawing,
    sign: impl Fn(u64) -> Sign,
) {
    let mut leads: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for (from, to) in &graph.edges {
        leads.entry(*from).or_default().push(*to);
        if !directed {
            leads.entry(*to).or_default().push(*from);
        }
    }
    let mut vertices: Vec<(u64, Sign)> = graph
        .vertices
        .iter()
        .map(|vertex| (*vertex, sign(*vertex)))
        .collect();
    vertices.sort_by_key(|(_, sign)| sign.ink != Ink::Piece);
    let all = vertices.len() <= frame.rows;
    let fits = match all {
        true => vertices.len(),
        false => frame.rows - 1,
    };
    for (vertex, sign) in vertices.iter().take(fits) {
        let head = format!("{vertex} ");
        let mut line = Line::new().put(Ink::Label, head).put(sign.ink, &*sign.text);
        let (row, columns) = (drawing.lines.len(), 1..line.width());
        drawing.site(vertex.to_string(), &*sign.holds, row, columns);
        let next = leads.get(vertex).map_or(&[][..], Vec::as_slice);
        let arrow = if directed { " -> " } else { " - " };
        let room = frame.width.saturating_sub(line.width() + arrow.len());
        if !next.is_empty() && room > 4 {
            line = line.plain(format!("{arrow}{}", joined(next, room)));
        }
        drawing.push(line);
    }
    if !all {
        let more = (vertices.len() - fits) as u64;
        let more = Message::new("board-more-vertices").number("count", more);
        drawing.push(Line::note(&frame.said(more), frame));
    }
}

/// Numbers joined by commas, as many as fit.
fn joined(numbers: &[u64], room: usize) -> String {
    let mut text = String::new();
    for number in numbers {
        let next = match text.is_empty() {
            true => number.to_string(),
            false => format!(",{number}"),
        };
        if text.len() + next.len() + 4 > room {
            return text + ",...";
        }
        text.push_str(&next);
    }
    text
}
