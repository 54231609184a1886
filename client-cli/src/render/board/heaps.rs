//! Lettered heaps, one row each, and rows of pins.

use grundy_shared::notation::heap_name;
use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line, digits, row_of};
use super::part::Part;

/// A heap with its name.
pub(super) struct Heap {
    pub(super) name: String,
    pub(super) size: u64,
}

/// Heaps of stones; of Fibonacci Nim also how many may be taken.
pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let (list, quota) = match part.state.split_once('/') {
        None => (part.state, None),
        Some((list, quota)) => (list, quota.parse::<u64>().ok()),
    };
    let heaps = lettered(list);
    let frame = Frame {
        rows: frame.rows - usize::from(quota.is_some()),
        ..*frame
    };
    rows(&heaps, frame.glyphs.stone, &frame, drawing);
    if let Some(quota) = quota {
        let most = Message::new("board-quota").number("count", quota);
        drawing.push(Line::note(&frame.said(most), &frame));
    }
}

/// Rows of pins with a ruler below.
pub(super) fn draw_pins(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let heaps = lettered(part.state);
    let inner = Frame {
        rows: frame.rows - 1,
        ..*frame
    };
    let at = rows(&heaps, 'I', &inner, drawing);
    let longest = heaps.iter().map(|heap| heap.size).max().unwrap_or(0);
    let Some(columns) = at.filter(|_| longest > 1) else {
        return;
    };
    let mut ruler = Line::new();
    for number in std::iter::once(1).chain((1..).map(|n| n * 5)) {
        let column = columns + 2 * (number as usize - 1);
        if number > longest || column + digits(number) > frame.width {
            break;
        }
        ruler = ruler.to(column).put(Ink::Note, number.to_string());
    }
    drawing.push(ruler);
}

/// The heaps of a list with their letters.
fn lettered(list: &str) -> Vec<Heap> {
    let sizes = list.split(',').filter_map(|item| item.parse().ok());
    sizes
        .enumerate()
        .map(|(index, size)| Heap {
            name: heap_name(index),
            size,
        })
        .collect()
}

/// One row for each heap: its name, its size, and its stones as far as they fit. The column of the first stone if every stone
/// is shown with a space before the next.
pub(super) fn rows(
    heaps: &[Heap],
    stone: char,
    frame: &Frame,
    drawing: &mut Drawing,
) -> Option<usize> {
    let standing = heaps.iter().filter(|heap| heap.size > 0).count();
    // Empty heaps keep their names, but they are the first to go.
    let all = heaps.len() <= frame.rows;
    let fits = match all {
        true => heaps.len(),
        false => frame.rows.saturating_sub(1),
    };
    let shown: Vec<&Heap> = heaps
        .iter()
        .filter(|heap| all || heap.size > 0)
        .take(fits)
        .collect();
    let names = shown.iter().map(|heap| heap.name.len()).max()?;
    let numbers = shown.iter().map(|heap| digits(heap.size)).max()?;
    let column = 1 + names + 2 + numbers + 2;
    let room = frame.width.saturating_sub(column);
    let mut spaced = true;
    for heap in &shown {
        let (name, size) = (&heap.name, heap.size);
        let stones = stones(size, stone, room);
        spaced &= size < 2 || stones.contains(' ');
        drawing.push(
            Line::new()
                .put(Ink::Label, format!("{name:<names$}"))
                .plain(format!("  {size:>numbers$}  "))
                .put(Ink::Piece, stones),
        );
    }
    if !all {
        let more = standing.saturating_sub(shown.len());
        let words = match more {
            0 => Message::new("board-empty-heaps").number("count", empty(heaps)),
            more => Message::new("board-more-heaps").number("count", more as u64),
        };
        drawing.push(Line::note(&frame.said(words), frame));
    }
    spaced.then_some(column)
}

fn empty(heaps: &[Heap]) -> u64 {
    heaps.iter().filter(|heap| heap.size == 0).count() as u64
}

/// The stones of a heap: apart if they fit, else side by side, else with a gap for those that do not.
pub(super) fn stones(size: u64, stone: char, room: usize) -> String {
    let fits = usize::try_from(size).ok().filter(|size| *size <= room);
    match fits {
        Some(0) => "-".to_owned(),
        Some(size) if 2 * size - 1 <= room => {
            let stones = vec![stone.to_string(); size];
            stones.join(" ")
        }
        Some(size) => row_of(stone, size),
        None if room < 8 => String::new(),
        None => format!("{}...{stone}", row_of(stone, room - 4)),
    }
}
