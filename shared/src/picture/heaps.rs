//! Lettered heaps of stones, and rows of pins.

use super::canvas::{Anchor, CELL, Canvas, Ink, Point};
use super::part::Part;
use crate::notation::heap_name;

/// Stones side by side: as many as a phone shows at full size.
const ACROSS: u64 = 8;
/// Stones that are drawn, of all heaps together.
const STONES: u64 = 240;
/// Stones of one heap that are drawn: at least and at most.
const OF_A_HEAP: (u64, u64) = (ACROSS, 5 * ACROSS);
/// Heaps that are drawn.
const HEAPS: usize = 60;
/// Left of the stones.
const LEFT: i32 = 72;

/// What a stone looks like.
#[derive(Clone, Copy)]
enum Look {
    Stone,
    Pin,
}

/// Heaps of stones; of Fibonacci Nim also how many may be taken.
pub(super) fn draw(part: &Part<'_>, canvas: &mut Canvas) {
    let (list, quota) = match part.state.split_once('/') {
        None => (part.state, None),
        Some((list, quota)) => (list, Some(quota)),
    };
    let bottom = rows(&sizes(list), heap_name, Look::Stone, canvas);
    if let Some(quota) = quota {
        canvas.note(LEFT, bottom + 20, &format!("≤ {quota}"));
    }
}

/// Rows of pins.
pub(super) fn draw_pins(part: &Part<'_>, canvas: &mut Canvas) {
    rows(&sizes(part.state), heap_name, Look::Pin, canvas);
}

/// Numbered heaps, counted from 1.
pub(super) fn draw_numbered(sizes: &[u64], canvas: &mut Canvas) {
    rows(sizes, |index| (index + 1).to_string(), Look::Stone, canvas);
}

/// The sizes of a list of heaps, which may end with a quota.
pub(super) fn sizes(list: &str) -> Vec<u64> {
    let list = list.split('/').next().unwrap_or(list);
    list.split(',')
        .filter_map(|item| item.parse().ok())
        .collect()
}

/// The number of the first stone that is drawn of a heap of this size among so many heaps, counted from 1. The last ones are drawn.
fn first_drawn(size: u64, heaps: usize) -> u64 {
    let most = STONES / heaps.max(1) as u64;
    let most = most.clamp(OF_A_HEAP.0, OF_A_HEAP.1);
    match size <= most {
        true => 1,
        // One place is for the sign that stones are missing.
        false => size - most + 2,
    }
}

/// The name of a stone, counted from 1.
pub(super) fn stone(heap: &str, number: u64) -> String {
    format!("{heap}.{number}")
}

/// Draws heaps one below the other. Returns where they end.
fn rows(sizes: &[u64], name: impl Fn(usize) -> String, look: Look, canvas: &mut Canvas) -> i32 {
    let mut y = 0;
    for (index, size) in sizes.iter().copied().enumerate().take(HEAPS) {
        y = heap(&name(index), size, sizes.len(), y, look, canvas);
    }
    if sizes.len() > HEAPS {
        canvas.note(LEFT, y + 20, &format!("… +{}", sizes.len() - HEAPS));
        y += CELL;
    }
    if sizes.is_empty() {
        canvas.note(LEFT, 20, "–");
        y = CELL;
    }
    y
}

fn heap(name: &str, size: u64, heaps: usize, y: i32, look: Look, canvas: &mut Canvas) -> i32 {
    let middle = y + CELL / 2;
    canvas.text(Ink::Label, (8, middle + 6), Anchor::Start, name);
    let first = first_drawn(size, heaps);
    // Of a heap that is too large the number stands where the missing stones would be.
    let (missing, number) = match first {
        1 => (0, (LEFT - 12, middle + 6)),
        _ => (1, (LEFT + 6, middle + 6)),
    };
    match first {
        1 => canvas.text(Ink::Note, number, Anchor::End, &size.to_string()),
        _ => canvas.text(
            Ink::Note,
            (8 + 24, middle + 6),
            Anchor::Start,
            &format!("{size}: …"),
        ),
    }
    if first != 1 {
        // The number may be long: the stones go on the next line.
        return stones(name, first..=size, 0, y + CELL, look, canvas);
    }
    if size == 0 {
        canvas.rect(Ink::Used, (LEFT + 12, middle - 1), (CELL - 24, 2), 0);
        return y + CELL;
    }
    stones(name, first..=size, missing, y, look, canvas)
}

/// Draws stones in rows from this height, the first so many places free. Returns where they end.
fn stones(
    name: &str,
    numbers: std::ops::RangeInclusive<u64>,
    free: u64,
    y: i32,
    look: Look,
    canvas: &mut Canvas,
) -> i32 {
    let mut bottom = y + CELL;
    for (number, place) in numbers.zip(free..) {
        let column = i32::try_from(place % ACROSS).unwrap_or(0);
        let row = i32::try_from(place / ACROSS).unwrap_or(0);
        let at = (LEFT + column * CELL, y + row * CELL);
        canvas.part(stone(name, number), |canvas| one(look, at, canvas));
        bottom = at.1 + CELL;
    }
    bottom
}

/// Draws one stone in the square that begins here.
fn one(look: Look, (x, y): Point, canvas: &mut Canvas) {
    canvas.rect(Ink::Room, (x, y), (CELL, CELL), 0);
    match look {
        Look::Stone => canvas.disc(Ink::Piece, (x + CELL / 2, y + CELL / 2), 17),
        Look::Pin => canvas.rect(Ink::Piece, (x + 14, y + 4), (CELL - 28, CELL - 8), 8),
    }
}
