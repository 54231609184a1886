//! A value as what each player may move to, side by side.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line};
use super::part::Part;

pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let Ok(position) = Position::parse(&format!("{}:{}", part.head, part.state)) else {
        return;
    };
    let half = frame.width / 2;
    // The heading, and the note.
    let room = frame.rows - 2;
    let sides = Seat::BOTH.map(|seat| {
        let options = position.moves(seat).take(room).map(|mv| mv.to_string());
        options.collect::<Vec<_>>()
    });
    let inks = [Ink::Left, Ink::Right];
    let row = |texts: [&str; 2]| {
        let mut line = Line::new();
        for ((text, ink), column) in texts.into_iter().zip(inks).zip([1, half]) {
            // A move is ASCII; a heading is short.
            let shown = match text.len() < half - 2 || !text.is_ascii() {
                true => text.to_owned(),
                false => format!("{}...", &text[..half - 6]),
            };
            line = line.to(column).put(ink, shown);
        }
        line
    };
    let heads = ["board-left-to", "board-right-to"].map(|head| frame.say(head));
    drawing.push(row([&heads[0], &heads[1]]));
    for place in 0..sides[0].len().max(sides[1].len()) {
        let texts = [0, 1].map(|side: usize| sides[side].get(place).map_or("", String::as_str));
        drawing.push(row(texts));
    }
    let counts = Seat::BOTH.map(|seat| position.move_count(seat));
    if counts.iter().any(|count| *count > room as u128) {
        let of = Message::new("board-options");
        let of = of.text("left", counts[0]).text("right", counts[1]);
        drawing.push(Line::note(&frame.said(of), frame));
    }
    for option in sides.into_iter().flatten() {
        if option.len() < half - 2 && drawing.labels.iter().all(|label| label.mv != option) {
            drawing.label(option.clone(), option);
        }
    }
}
