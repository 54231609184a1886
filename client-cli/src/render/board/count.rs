//! A number that goes up to a target.

use grundy_words::Message;

use super::art::{Drawing, Frame, Ink, Line, row_of};
use super::part::Part;

pub(super) fn draw(part: &Part<'_>, frame: &Frame, drawing: &mut Drawing) {
    let mut parameters = part
        .parameters()
        .filter_map(|text| text.parse::<u64>().ok());
    let (Some(most), Some(target)) = (parameters.next(), parameters.next()) else {
        return;
    };
    let now: u64 = part.state.parse().unwrap_or(0);
    // 0, a space, the bar in its brackets, a space, the target.
    let room = frame.width.saturating_sub(6 + target.to_string().len());
    let full = u128::from(now) * room as u128 / u128::from(target.max(1));
    let full = usize::try_from(full).unwrap_or(room).min(room);
    let of = Message::new("board-target").number("target", target);
    drawing.push(
        Line::new()
            .put(Ink::Label, now.to_string())
            .plain(format!(" {}", frame.said(of))),
    );
    if room >= 4 {
        drawing.push(
            Line::new()
                .plain("0 [")
                .put(Ink::Piece, row_of(frame.glyphs.covered, full))
                .plain(row_of(frame.glyphs.free, room - full))
                .plain(format!("] {target}")),
        );
    }
    let most = most.min(target - now.min(target));
    if most > 0 {
        let add = Message::new("board-add").number("most", most);
        drawing.push(Line::note(&frame.said(add), frame));
    }
}
