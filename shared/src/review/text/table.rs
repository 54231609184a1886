//! The table of plies with the tug-of-war graph, and the bars of nim-values.

use std::fmt;

use unicode_width::UnicodeWidthStr as _;

use super::super::column::{cut, padded};
use super::super::graph::{Rope, value_bars};
use super::cells::{MOVE, NAME, span};
use super::legend::write_signs;
use crate::event::Outcome;
use crate::ids::Seat;
use crate::review::{Mark, PlyReview, Review};

/// Letters of a move where there is little room.
const SHORT_MOVE: usize = 9;

/// Writes the table within so many columns.
pub(super) fn write(review: &Review, width: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let names = Seat::BOTH.map(|seat| review.name(seat, NAME));
    let digits = review.plies_total.to_string().len().max(3);
    let rows: Vec<Row> = review
        .plies
        .iter()
        .map(|ply| Row::new(review, ply))
        .collect();
    let widest = |cell: fn(&Row) -> &str, least: usize| {
        let cells = rows.iter().map(|row| cell(row).width());
        cells.max().unwrap_or(0).max(least)
    };
    let left = widest(|row| &row.left, 4);
    let value = widest(|row| &row.value, 3);
    let time = widest(|row| &row.time, 0);
    let time = if time > 0 { time.max(4) } else { 0 };
    let numbers = 1 + left + 1 + value + if time > 0 { time + 1 } else { 0 };
    let mut who = names[0].width().max(names[1].width()).max(3);
    let mut mv = widest(|row| &row.mv, SHORT_MOVE).min(MOVE);
    let words = [
        format!("{} wins now", names[0]),
        format!("{} wins now", names[1]),
    ];
    let wanted = words[0].width().max(words[1].width());
    let around = |who: usize, mv: usize| digits + who + mv + 7 + numbers;
    // What is narrowed first: the graph, then the moves, then the names to their letters.
    let least = |words: usize| Rope::least(&review.plies, words);
    let mut wide = wanted;
    let mut letters = false;
    if around(who, mv) + least(wide) > width {
        mv = mv.min(SHORT_MOVE);
    }
    if around(who, mv) + least(wide) > width {
        (letters, who, wide) = (true, 1, 1);
    }
    let room = width.saturating_sub(around(who, mv));
    let rope = Rope::new(&review.plies, wide, room);
    let head = match letters {
        true => rope.head("A", "B"),
        false => rope.head(&words[0], &words[1]),
    };
    let heading = if letters { "" } else { "who" };
    write!(
        f,
        "\n{:>digits$} {heading:who$} {:mv$}     {head}  {:>left$} {:>value$}",
        "ply", "move", "left", "val"
    )?;
    if time > 0 {
        write!(f, " {:>time$}", "time")?;
    }
    writeln!(f)?;
    for (ply, row) in review.plies.iter().zip(&rows) {
        let name = match (ply.seat, letters) {
            (None, _) => "",
            (Some(seat), false) => &names[seat.index()],
            (Some(seat), true) => ["A", "B"][seat.index()],
        };
        write!(
            f,
            "{:>digits$} {} {} {:<2} |{}| {:>left$} {:>value$}",
            ply.ply.0,
            padded(name, who),
            padded(&cut(&row.mv, mv), mv),
            ply.mark.map_or("", Mark::as_str),
            rope.row(ply),
            row.left,
            row.value
        )?;
        match row.time.is_empty() {
            true => writeln!(f)?,
            false => writeln!(f, " {:>time$}", row.time)?,
        }
    }
    writeln!(
        f,
        "\nA: {} wins, B: {} wins; the closer to the edge, the fewer plies remain.",
        names[0], names[1]
    )?;
    write_signs(review, f)?;
    if let Some(plies) = rope.plies_a_column() {
        writeln!(f, "Each column is about {plies:.1} plies.")?;
    }
    write_bars(review, width, f)
}

/// The cells of one ply.
struct Row {
    mv: String,
    left: String,
    value: String,
    time: String,
}

impl Row {
    fn new(review: &Review, ply: &PlyReview) -> Self {
        let known = |number: Option<u64>| number.map_or("?".to_owned(), |n| n.to_string());
        let value = match (&ply.value, review.misere) {
            (_, true) => "-".to_owned(),
            (Some(number), false) => cut(number, MOVE),
            (None, false) => known(ply.nim_value),
        };
        Self {
            mv: ply.mv.as_deref().unwrap_or("start").to_owned(),
            left: match ply.wins {
                Some(Outcome::Draw) => "-".to_owned(),
                _ => known(ply.left),
            },
            value,
            time: ply.spent_ms.map_or(String::new(), |spent| span(spent.0)),
        }
    }
}

/// The bars, if some remoteness is unknown.
fn write_bars(review: &Review, width: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let all_known = review.plies.iter().all(|ply| ply.left.is_some());
    let bars = value_bars(review, width, ["value", "ply"]);
    if all_known || bars.is_empty() {
        return Ok(());
    }
    writeln!(
        f,
        "\nOne bar of # per ply; no bar means that the player who just moved has the win."
    )?;
    bars.iter()
        .try_for_each(|line| writeln!(f, "{}", line.trim_end()))
}
