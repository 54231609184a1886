//! Positions as drawings: pure functions from a position, a size and a set of characters to lines, one file for each kind of board.
//!
//! A drawing shows the position and nothing of its solution. It is never more than its frame: what does not fit is left out, and a
//! line says so.

mod art;
mod bar;
mod boards;
mod canvas;
mod count;
mod forks;
mod graph;
mod grid;
mod heaps;
mod options;
mod paint;
mod part;
mod queen;
mod squares;
mod stairs;
mod strings;
#[cfg(test)]
mod tests;
mod trees;

use grundy_shared::Position;
use grundy_shared::games::BoardKind;
use grundy_words::{Catalogue, Message};

use art::Line;
pub(crate) use art::{Drawing, Frame, Glyphs, Ink, Site};
use paint::Coat;
pub(crate) use paint::Paint;
use part::Part;

use super::sentences::title;

/// The narrowest frame that is drawn in: the largest numbers of the games need as much.
const LEAST_WIDTH: usize = 40;
/// Lines that a component needs at least, with its heading.
const LEAST_ROWS: usize = 6;

/// Draws a position.
pub(crate) fn draw(position: &Position, frame: Frame) -> Drawing {
    draw_painted(position, &Paint::default(), frame)
}

/// Draws a position of a match in which this was painted.
pub(crate) fn draw_painted(position: &Position, paint: &Paint, frame: Frame) -> Drawing {
    let frame = Frame {
        width: frame.width.max(LEAST_WIDTH),
        rows: frame.rows.max(LEAST_ROWS),
        ..frame
    };
    let count = position.component_count();
    if count == 1 {
        let mut drawing = Drawing::default();
        for (info, text) in position.components() {
            component(info.board, &text, paint.coat(1), &frame, &mut drawing);
        }
        return drawing;
    }
    several(position, paint, count, &frame)
}

/// The components one below the other, each with its number, as many as there is room for.
fn several(position: &Position, paint: &Paint, count: usize, frame: &Frame) -> Drawing {
    let mut drawing = Drawing::default();
    for ((info, text), number) in position.components().zip(1..) {
        let left = frame.rows - drawing.lines.len();
        let missing = count - number;
        // The last line says what is missing.
        let room = left - usize::from(missing > 0);
        if room < LEAST_ROWS {
            let more = Message::new("board-more-components").number("count", missing as u64 + 1);
            drawing.push(Line::note(&frame.said(more), frame));
            break;
        }
        drawing.push(
            Line::default()
                .put(Ink::Label, format!("{number}."))
                .plain(format!(" {}", title(info, Catalogue::of(frame.language)))),
        );
        let rows = (left / (missing + 1)).clamp(LEAST_ROWS, room) - 1;
        let mut part = Drawing::default();
        let coat = paint.coat(number);
        component(
            info.board,
            &text,
            coat,
            &Frame { rows, ..*frame },
            &mut part,
        );
        let above = drawing.lines.len();
        for mut site in part.sites {
            site.name = format!("{number}.{}", site.name);
            site.cells.iter_mut().for_each(|(row, _)| *row += above);
            drawing.sites.push(site);
        }
        drawing.lines.append(&mut part.lines);
        for label in part.labels {
            drawing.label(
                format!("{number}.{}", label.shown),
                format!("{number}.{}", label.mv),
            );
        }
    }
    drawing
}

/// Draws one component.
fn component(
    kind: BoardKind,
    text: &str,
    coat: Option<&Coat>,
    frame: &Frame,
    drawing: &mut Drawing,
) {
    let (head, state) = text.split_once(':').unwrap_or((text, "_"));
    let part = Part { head, state };
    match kind {
        BoardKind::Heaps => heaps::draw(&part, frame, drawing),
        BoardKind::Pins => heaps::draw_pins(&part, frame, drawing),
        BoardKind::Count => count::draw(&part, frame, drawing),
        BoardKind::Queen => queen::draw(&part, frame, drawing),
        BoardKind::Stairs => stairs::draw(&part, frame, drawing),
        BoardKind::Coins => squares::draw_coins(&part, frame, drawing),
        BoardKind::Squares => squares::draw(&part, frame, drawing),
        BoardKind::Cells => squares::draw_cells(&part, frame, drawing),
        BoardKind::Grid => grid::draw(&part, frame, drawing),
        BoardKind::Stones => grid::draw_stones(&part, frame, drawing),
        BoardKind::Bar => bar::draw(&part, frame, drawing),
        BoardKind::Boards => boards::draw(&part, frame, drawing),
        BoardKind::Arcs => graph::draw_arcs(&part, frame, drawing),
        BoardKind::Walk => graph::draw_walk(&part, frame, drawing),
        BoardKind::Edges => graph::draw_edges(&part, frame, drawing),
        BoardKind::Vertices => graph::draw_vertices(&part, frame, drawing),
        BoardKind::Tints => graph::draw_tints(&part, coat, frame, drawing),
        BoardKind::Order => graph::draw_order(&part, frame, drawing),
        BoardKind::Cuts => graph::draw_cuts(&part, frame, drawing),
        BoardKind::Trees => trees::draw(&part, frame, drawing),
        BoardKind::Forks => forks::draw(&part, frame, drawing),
        BoardKind::Options => options::draw(&part, frame, drawing),
        BoardKind::Strings => strings::draw(&part, frame, drawing),
    }
    if drawing.lines.is_empty() {
        drawing.push(Line::note(&frame.say("board-empty"), frame));
    }
}
