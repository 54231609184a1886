//! The drawing of a position as cells, and which of them a move changes.
//!
//! This module knows no game. It compares the drawings before and after a move, place by place if they name the places of their board, otherwise line by line.

use std::collections::{BTreeSet, HashMap};

use grundy_shared::Position;
use grundy_shared::ids::Seat;

use crate::render::board::{Drawing, Frame, Ink, Paint, Site, draw_painted};

/// Lines of a drawing; where there is not room for all, it is scrolled to the chosen move. What is longer still is cut.
pub(super) const TALL: usize = 200;

/// Moves that are looked at to find the one that was clicked.
const LOOKED_AT: usize = 256;

/// A sign of the drawing and what it shows.
pub(super) type Cell = (char, Ink);

/// A place in the drawing: its line and its column, from 0.
pub(super) type Place = (usize, usize);

/// The drawing of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Board {
    pub(super) lines: Vec<Vec<Cell>>,
    labels: Vec<(String, String)>,
    sites: Vec<Site>,
}

impl Board {
    /// Draws a position in which this was painted.
    pub(super) fn of(position: &Position, paint: &Paint, frame: Frame) -> Self {
        let drawing = draw_painted(position, paint, frame);
        let labels = drawing.labels().iter();
        Self {
            lines: cells(&drawing),
            labels: labels.map(|l| (l.shown.clone(), l.mv.clone())).collect(),
            sites: drawing.sites().to_vec(),
        }
    }

    /// The cells of this drawing that differ in another one of the same match: before a move those that it takes. The names of places
    /// and remarks do not count. None if the drawings cannot be compared.
    pub(super) fn changed(&self, other: &Self) -> BTreeSet<Place> {
        let held: HashMap<&str, &str> = other
            .sites
            .iter()
            .map(|site| (&*site.name, &*site.holds))
            .collect();
        let differs =
            |site: &&Site| held.get(&*site.name).copied().unwrap_or_default() != site.holds;
        let sites = self.sites.iter().filter(differs);
        let mut changed: BTreeSet<Place> =
            sites.flat_map(|site| site.cells.iter().copied()).collect();
        if self.lines.len() != other.lines.len() {
            return changed;
        }
        let named: BTreeSet<usize> = self
            .sites
            .iter()
            .flat_map(|site| &site.cells)
            .map(|(row, _)| *row)
            .collect();
        for (row, (own, others)) in self.lines.iter().zip(&other.lines).enumerate() {
            if named.contains(&row) {
                continue;
            }
            let columns = removed(own, others).into_iter();
            let counts = |column: &usize| !matches!(own[*column].1, Ink::Label | Ink::Note);
            changed.extend(columns.filter(counts).map(|column| (row, column)));
        }
        changed
    }

    /// The cells that the choice of a move marks: those that it changes, or else the letter that stands for it.
    pub(super) fn marked(&self, after: &Self, mv: &str) -> BTreeSet<Place> {
        let changed = self.changed(after);
        match self.label(mv) {
            Some(label) if changed.is_empty() => self.places_of(label),
            _ => changed,
        }
    }

    /// Where a letter is that stands for a move.
    fn places_of(&self, label: &str) -> BTreeSet<Place> {
        let mut letters = label.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            return BTreeSet::new();
        };
        let lines = self.lines.iter().enumerate();
        let cells = lines.flat_map(|(row, line)| {
            let cells = line.iter().enumerate();
            cells.map(move |(column, cell)| ((row, column), cell.0))
        });
        let found = cells.filter(|(_, sign)| *sign == letter && letter.is_alphabetic());
        found.map(|(place, _)| place).collect()
    }

    /// The move that a typed label stands for.
    pub(super) fn meant(&self, typed: &str) -> Option<&str> {
        let mut labels = self.labels.iter();
        let label = labels.find(|(shown, _)| shown.eq_ignore_ascii_case(typed))?;
        Some(&label.1)
    }

    /// The label that stands for this move in the drawing: `c` for `1-2`.
    pub(super) fn label(&self, mv: &str) -> Option<&str> {
        let label = self.labels.iter().find(|(_, of)| of == mv)?;
        Some(&label.0)
    }
}

/// The number of the move that this cell is marked for, and the fewest others.
pub(super) fn clicked(
    position: &Position,
    seat: Seat,
    paint: &Paint,
    frame: Frame,
    place: Place,
) -> Option<u128> {
    let board = Board::of(position, paint, frame);
    let moves = position.moves(seat).take(LOOKED_AT).zip(0..);
    let touching = moves.filter_map(|(mv, number)| {
        let text = mv.to_string();
        let after = Board::of(&position.play(&mv), &paint.with(&text), frame);
        let marked = board.marked(&after, &text);
        marked.contains(&place).then_some((marked.len(), number))
    });
    touching.min().map(|(_, number)| number)
}

fn cells(drawing: &Drawing) -> Vec<Vec<Cell>> {
    let line = |pieces: &[(Ink, String)]| {
        let cells = pieces
            .iter()
            .flat_map(|(ink, text)| text.chars().map(|c| (c, *ink)));
        cells.collect()
    };
    drawing.pieces().map(line).collect()
}

/// The columns of `before` that have no counterpart in `after`, spaces left out: the longest common subsequence stays, and of
/// equal signs in a row the last ones go.
fn removed(before: &[Cell], after: &[Cell]) -> Vec<usize> {
    let common = before.iter().zip(after);
    let start = common.take_while(|(one, other)| one.0 == other.0).count();
    let (before, after) = (&before[start..], &after[start..]);
    let width = after.len() + 1;
    // lengths[i * width + j]: of what is common to before[i..] and after[j..].
    let mut lengths = vec![0_u16; (before.len() + 1) * width];
    for i in (0..before.len()).rev() {
        for j in (0..after.len()).rev() {
            lengths[i * width + j] = match before[i].0 == after[j].0 {
                true => lengths[(i + 1) * width + j + 1] + 1,
                false => lengths[(i + 1) * width + j].max(lengths[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut removed = Vec::new();
    while i < before.len() {
        if j < after.len() && before[i].0 == after[j].0 {
            (i, j) = (i + 1, j + 1);
        } else if j < after.len() && lengths[i * width + j + 1] >= lengths[(i + 1) * width + j] {
            j += 1;
        } else {
            if before[i].0 != ' ' {
                removed.push(start + i);
            }
            i += 1;
        }
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::board::Glyphs;
    use grundy_words::Language;

    const FRAME: Frame = Frame {
        width: 60,
        rows: 18,
        glyphs: Glyphs::ASCII,
        language: Language::English,
    };

    /// The drawing with `x` where the move changes it.
    fn marked(position: &str, mv: &str) -> Vec<String> {
        let position = Position::parse(position).expect("a position");
        let mv = position.parse_move(Seat::First, mv).expect("a move");
        let paint = Paint::of(&position, []);
        let (board, text) = (Board::of(&position, &paint, FRAME), mv.to_string());
        let after = Board::of(&position.play(&mv), &paint.with(&text), FRAME);
        let changed = board.marked(&after, &text);
        let lines = board.lines.iter().enumerate().map(|(row, line)| {
            let cells = line.iter().enumerate().map(|(column, cell)| {
                if changed.contains(&(row, column)) {
                    'x'
                } else {
                    cell.0
                }
            });
            cells.collect::<String>().trim_end().to_owned()
        });
        lines.collect()
    }

    #[test]
    fn a_move_marks_what_it_takes() {
        assert_eq!(
            marked("nim:1,7", "B-4"),
            [" A  1  o", " B  x  o o o x x x x"]
        );
        // The column of numbers becomes narrower: the rest stays unmarked.
        assert_eq!(
            marked("nim:3,10", "B-1"),
            [" A   3  o o o", " B  xx  o o o o o o o o o x"]
        );
        // Where the drawing becomes another one, the letter of the move is marked.
        assert_eq!(
            marked("hack:0-1-2-3,0-4-5", "0-1"),
            [" =0-x-1-b-2-c-3", "  +-d-4-e-5"]
        );
        assert_eq!(
            marked("treblecross:.......", "3"),
            [" 1 2 3 4 5 6 7", " . . x . . . ."]
        );
    }

    #[test]
    fn only_what_the_move_takes_is_marked() {
        // The token's vertex, and not those that it can reach then.
        assert_eq!(
            marked("geo.0-1.1-2.1-3.3-0:_", "1"),
            [
                " 0 +-+-----+",
                " xxx-+-+-+ |",
                " 2 +---+ | |",
                " 3 +-----+-+"
            ]
        );
        assert_eq!(
            marked("geo.0-1.1-2.1-3.3-0:0", "1"),
            [
                " xxx-+-----+",
                " xxx-+-+-+ |",
                " 2 .---+ | |",
                " 3 +-----+-+"
            ]
        );
        // The squares, and not the numbers of the columns and rows that go.
        assert_eq!(
            marked("chomp:3,3", "1:2"),
            ["   1 2 3", " 1 ! x x", " 2 # x x"]
        );
        assert_eq!(
            marked("chomp:3,3", "2:1"),
            ["   1 2 3", " 1 ! # #", " 2 x x x"]
        );
        // The painted vertex, and not its neighbour, which only one player can paint then.
        assert_eq!(marked("col:0-1,2", "0b"), [" xxx-+", " 1 o-+", " 2 o"]);
        // A vertex goes with its neighbours.
        assert_eq!(
            marked("nodekayles:0-1,2", "0"),
            [" xxx-x", " xxx-x", " 2 o"]
        );
        assert_eq!(
            marked("cram:../..", "1:1-2:1"),
            ["   1 2", " 1 x .", " 2 x ."]
        );
    }

    #[test]
    fn a_click_chooses_the_move_that_changes_the_least() {
        let position = Position::parse("nim:3,7").expect("a position");
        // The fourth stone of the second heap: it goes, and those to its right.
        let column = " B  7  o o o o".len() - 1;
        let none = Paint::default();
        let number = clicked(&position, Seat::First, &none, FRAME, (1, column)).expect("a move");
        let mv = position.nth_move(Seat::First, number).expect("a move");
        assert_eq!(mv.to_string(), "B-4");
        assert_eq!(clicked(&position, Seat::First, &none, FRAME, (1, 1)), None);
    }
}
