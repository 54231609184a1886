//! A strip: places with their numbers above, in as many bands as it takes.

use std::collections::BTreeMap;

use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line, digits};
use super::part::Part;

/// A place of a strip.
struct Place {
    number: u64,
    ink: Ink,
    sign: String,
}

/// A row of coins, heads and tails.
pub(super) fn draw_coins(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let heads = |at: u64| part.state.as_bytes().get(at as usize - 1) == Some(&b'H');
    let count = match part.state {
        "_" => 0,
        coins => coins.len() as u64,
    };
    let shown = bands(1, count, frame, drawing, |number| match heads(number) {
        true => (Ink::Piece, "H".to_owned()),
        false => (Ink::Plain, frame.glyphs.free.to_string()),
    });
    if shown < count {
        let more = (shown + 1..=count).filter(|at| heads(*at)).count();
        left_out("board-coins", (shown, count, more), frame, drawing);
    }
}

/// Cells, free or with a mark: an `x` of both players, a toad of Left, a frog of Right.
pub(super) fn draw_cells(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let cells = match part.state {
        "_" => &[],
        cells => cells.as_bytes(),
    };
    let count = cells.len() as u64;
    let shown = bands(1, count, frame, drawing, |number| {
        match cells[number as usize - 1] {
            b'.' => (Ink::Plain, frame.glyphs.free.to_string()),
            mark => {
                let ink = match mark {
                    b'T' => Ink::Left,
                    b'F' => Ink::Right,
                    _ => Ink::Piece,
                };
                (ink, char::from(mark).to_string())
            }
        }
    });
    if shown < count {
        let rest = &cells[shown as usize..];
        let more = rest.iter().filter(|cell| **cell != b'.').count();
        left_out("board-cells", (shown, count, more), frame, drawing);
    }
}

/// Coins on squares from 0; a square with several coins shows how many.
pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let mut coins: BTreeMap<u64, u64> = BTreeMap::new();
    for square in part.numbers() {
        *coins.entry(square).or_default() += 1;
    }
    let Some(last) = coins.keys().next_back().copied() else {
        return;
    };
    let sign = |square: u64| match coins.get(&square) {
        None => (Ink::Plain, frame.glyphs.free.to_string()),
        Some(1) => (Ink::Piece, frame.glyphs.stone.to_string()),
        Some(many) => (Ink::Piece, many.to_string()),
    };
    let columns = columns_of(last, frame);
    let bands_needed = (u128::from(last) + 1).div_ceil(columns as u128);
    let fits = bands_needed * 2 <= frame.rows as u128;
    let widest = coins.values().copied().max().unwrap_or(1);
    if fits && digits(widest) < digits(last).max(2) {
        bands(0, last + 1, frame, drawing, sign);
        return;
    }
    far_apart(&coins, frame, drawing);
}

/// Coins too far apart to show the squares between them: one row for each square that has any.
fn far_apart(coins: &BTreeMap<u64, u64>, frame: &Frame, drawing: &mut Drawing) {
    let all = coins.len() <= frame.rows;
    let fits = match all {
        true => coins.len(),
        false => frame.rows - 1,
    };
    let width = coins.keys().next_back().map_or(1, |last| digits(*last));
    for (square, many) in coins.iter().take(fits) {
        let line = Line::new()
            .plain(format!("{} ", frame.say("board-square")))
            .put(Ink::Label, format!("{square:>width$}"))
            .plain("  ")
            .put(Ink::Piece, frame.glyphs.stone.to_string());
        drawing.push(match many {
            1 => line,
            many => line.plain(format!(" x{many}")),
        });
    }
    if !all {
        let more = (coins.len() - fits) as u64;
        let more = Message::new("board-more-squares").number("count", more);
        drawing.push(Line::note(&frame.said(more), frame));
    }
}

/// Places that fit beside each other when the last has this number.
fn columns_of(last: u64, frame: &Frame) -> usize {
    ((frame.width - 1) / (digits(last).max(1) + 1)).max(1)
}

/// Draws `count` places from number `first`; how many were drawn.
fn bands(
    first: u64,
    count: u64,
    frame: &Frame,
    drawing: &mut Drawing,
    sign: impl Fn(u64) -> (Ink, String),
) -> u64 {
    if count == 0 {
        return 0;
    }
    let last = first + count - 1;
    let columns = columns_of(last, frame) as u64;
    let cell = digits(last).max(1) + 1;
    let mut bands_left = frame.rows as u64 / 2;
    // What is left out takes a line.
    if count.div_ceil(columns) > bands_left {
        bands_left = (frame.rows as u64 - 1) / 2;
    }
    let mut number = first;
    while number <= last && bands_left > 0 {
        let end = last.min(number + columns - 1);
        let places: Vec<Place> = (number..=end)
            .map(|number| {
                let (ink, sign) = sign(number);
                Place { number, ink, sign }
            })
            .collect();
        let mut above = Line::default();
        let mut below = Line::default();
        for place in places {
            above = above.put(Ink::Label, format!("{:>cell$}", place.number));
            below = below.put(place.ink, format!("{:>cell$}", place.sign));
        }
        drawing.push(above);
        drawing.push(below);
        number = end + 1;
        bands_left -= 1;
    }
    number - first
}

/// Says which places are shown, and what is on the others.
fn left_out(
    words: &'static str,
    (shown, count, more): (u64, u64, usize),
    frame: &Frame,
    drawing: &mut Drawing,
) {
    let words = Message::new(words)
        .number("shown", shown)
        .number("count", count)
        .number("more", more as u64);
    drawing.push(Line::note(&frame.said(words), frame));
}
