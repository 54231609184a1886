//! Boards of three by three cells: a free cell shows its number, which is how it is typed.

use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line};
use super::part::Part;

/// Columns of a board with the gap after it.
const BOARD: usize = 9;
/// Lines of a board with its name.
const ROWS: usize = 4;
/// The lines of a board, counted from 0.
const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let boards: Vec<&[u8]> = part
        .state
        .split('/')
        .map(str::as_bytes)
        .filter(|board| board.len() == 9)
        .collect();
    let across = ((frame.width - 1) / BOARD).max(1);
    let bands = boards.len().div_ceil(across);
    let fits = match bands * ROWS <= frame.rows {
        true => bands,
        false => ((frame.rows - 1) / ROWS).max(1),
    };
    if frame.rows < ROWS {
        drawing.push(Line::note(&frame.say("board-no-room"), frame));
        return;
    }
    let numbered: Vec<(usize, &[u8])> = (1..).zip(boards.iter().copied()).collect();
    for band in numbered.chunks(across).take(fits) {
        draw_band(band, frame, drawing);
    }
    let shown = across * fits;
    if shown < boards.len() && drawing.lines.len() < frame.rows {
        let more = (boards.len() - shown) as u64;
        let more = Message::new("board-more-boards").number("count", more);
        drawing.push(Line::note(&frame.said(more), frame));
    }
}

/// Boards side by side.
fn draw_band(band: &[(usize, &[u8])], frame: &Frame, drawing: &mut Drawing) {
    let mut head = Line::new();
    for (at, (number, cells)) in band.iter().enumerate() {
        let dead = match is_dead(cells) {
            true => format!(" {}", frame.say("board-dead")),
            false => String::new(),
        };
        let name: String = format!("{number}:{dead}").chars().take(BOARD - 1).collect();
        head = head.to(1 + at * BOARD).put(Ink::Label, name);
    }
    drawing.push(head);
    for row in 0..3 {
        let mut line = Line::new();
        for (at, (number, cells)) in band.iter().enumerate() {
            line = line.to(1 + at * BOARD);
            for column in 0..3 {
                let cell = 3 * row + column;
                let (ink, sign) = match cells[cell] {
                    b'x' => (Ink::Piece, "x".to_owned()),
                    _ if is_dead(cells) => (Ink::Plain, frame.glyphs.free.to_string()),
                    _ => (Ink::Plain, (cell + 1).to_string()),
                };
                let holds = if cells[cell] == b'x' { "x" } else { "" };
                let (row, at) = (drawing.lines.len(), line.width());
                drawing.site(format!("{number}:{}", cell + 1), holds, row, at..at + 1);
                line = line.put(ink, sign).plain(" ");
                if cells[cell] != b'x' && !is_dead(cells) {
                    let typed = format!("{number}:{}", cell + 1);
                    drawing.label(typed.clone(), typed);
                }
            }
        }
        drawing.push(line);
    }
}

/// Whether a board has a line.
fn is_dead(cells: &[u8]) -> bool {
    let full = |line: &[usize; 3]| line.iter().all(|cell| cells[*cell] == b'x');
    LINES.iter().any(full)
}
