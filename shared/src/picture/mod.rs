//! Positions as pictures: what a page or a file shows of a board, and which parts of the picture each move touches.
//!
//! A picture shows the position and nothing of its solution. It holds no words, so it needs no translation: letters, numbers and signs only.
//! Each kind of board has one file. What is too large to draw is written as the text of its notation.

mod canvas;
mod grid;
mod hackenbush;
mod heaps;
mod layout;
mod mark;
mod network;
mod part;
mod queen;
mod race;
mod stairs;
mod strip;
mod svg;
mod touch;
mod writing;

use std::collections::BTreeSet;

use crate::Position;
use crate::games::BoardKind;

use self::canvas::Canvas;
pub use self::mark::{Mark, Sign};
use self::part::Part;
use self::touch::Touchable;

/// The drawn position. Cost of drawing: linear in what is drawn, which is bounded, plus the length of the position's notation.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The notation of the position, which is what the picture is called.
    label: String,
    /// The components that are drawn.
    components: Vec<Touchable>,
    canvas: Canvas,
    /// The parts of the board that are drawn.
    parts: BTreeSet<String>,
}

impl Picture {
    /// Draws a position, its components one below the other.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let mut canvas = Canvas::default();
        let several = position.component_count() > 1;
        let mut components = Vec::new();
        for ((info, text), number) in position.components().zip(1u32..) {
            if number > COMPONENTS || canvas.shapes.len() > SHAPES {
                let more = position.component_count() - (number as usize - 1);
                canvas.below();
                canvas.note(8, 16, &format!("… +{more}"));
                break;
            }
            canvas.below();
            if several {
                canvas.within(format!("{number}."));
                canvas.note(8, 16, &format!("{number}. {}", info.name));
                canvas.below();
            }
            component(info.board, &Part::of(&text), &mut canvas);
            components.push(Touchable::new(info.board, text));
        }
        let parts = canvas.shapes.iter();
        Self {
            label: position.to_string(),
            components,
            parts: parts.filter_map(|shape| shape.part.clone()).collect(),
            canvas,
        }
    }

    /// The parts that a legal move touches, in each way in which it can be pointed at: a move that takes a pin from an end of a row has two. Empty if
    /// the move can only be typed. O(length of the move).
    #[must_use]
    pub fn touched_by(&self, mv: &str) -> Vec<Vec<String>> {
        let mut ways = touch::ways(&self.components, mv);
        ways.retain(|way| !way.is_empty() && way.iter().all(|part| self.parts.contains(part)));
        ways.dedup();
        ways
    }

    /// The names of the parts that can be pointed at.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(String::as_str)
    }
}

/// Components that are drawn.
const COMPONENTS: u32 = 30;
/// Shapes after which no further component is begun.
const SHAPES: usize = 400;

/// Draws one component.
fn component(kind: BoardKind, part: &Part<'_>, canvas: &mut Canvas) {
    match kind {
        BoardKind::Heaps => heaps::draw(part, canvas),
        BoardKind::Pins => heaps::draw_pins(part, canvas),
        BoardKind::Count => race::draw(part, canvas),
        BoardKind::Queen => queen::draw(part, canvas),
        BoardKind::Stairs => stairs::draw(part, canvas),
        BoardKind::Coins => strip::draw_coins(part, canvas),
        BoardKind::Squares => strip::draw_squares(part, canvas),
        BoardKind::Cells => strip::draw_cells(part, canvas),
        BoardKind::Grid => grid::draw(part, canvas),
        BoardKind::Stones => grid::draw_stones(part, canvas),
        BoardKind::Bar => grid::draw_bar(part, canvas),
        BoardKind::Boards => grid::draw_boards(part, canvas),
        BoardKind::Arcs | BoardKind::Forks => network::draw_arcs(part, canvas),
        BoardKind::Walk => network::draw_walk(part, canvas),
        BoardKind::Vertices => network::draw_vertices(part, canvas),
        BoardKind::Edges => network::draw_edges(part, canvas),
        BoardKind::Order => network::draw_order(part, canvas),
        BoardKind::Cuts => network::draw_cuts(part, canvas),
        BoardKind::Tints => network::draw_tints(part, canvas),
        BoardKind::Trees => hackenbush::draw(part, canvas),
        BoardKind::Options | BoardKind::Strings => writing::draw(part, canvas),
    }
}
