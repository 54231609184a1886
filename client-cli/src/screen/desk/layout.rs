//! What is where on a desk, by the size of the terminal.

use ratatui::layout::Rect;

use crate::screen::layout::Room;

/// Rows below a board: for the chosen move, and one free.
const BELOW: u16 = 2;
/// Rows of a board, at least.
const BOARD_LEAST: u16 = 3;

/// What is shown besides what was said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::screen) enum Shape {
    /// Nothing.
    Bare,
    /// A board with so many rows.
    Board(u16),
    /// Tables.
    Sheets,
}

/// The parts of the screen; an empty one is not drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::screen) struct Areas {
    pub(in crate::screen) head: Rect,
    pub(in crate::screen) body: Rect,
    pub(in crate::screen) messages: Rect,
    /// Lines across.
    pub(in crate::screen) rules: [Rect; 2],
    /// A line down.
    pub(in crate::screen) divider: Rect,
    pub(in crate::screen) note: Rect,
    pub(in crate::screen) prompt: Rect,
    pub(in crate::screen) footer: Rect,
}

impl Areas {
    /// Divides the screen.
    pub(in crate::screen) fn of(area: Rect, shape: Shape) -> Self {
        let room = Room::of(area);
        let row = |y: u16, height: u16| Rect::new(area.x, area.y + y, area.width, height);
        if room == Room::Line {
            let last = area.height.saturating_sub(1);
            let (rest, prompt) = (row(0, last), row(last, area.height.min(1)));
            let (body, messages) = match shape {
                Shape::Sheets => (rest, Rect::default()),
                Shape::Bare | Shape::Board(_) => (Rect::default(), rest),
            };
            return Self {
                body,
                messages,
                prompt,
                ..Self::default()
            };
        }
        let below = area.height - 3;
        let inner = below - 3;
        let mut areas = Self {
            head: row(0, 2),
            rules: [row(2, 1), Rect::default()],
            note: row(below, 1),
            prompt: row(below + 1, 1),
            footer: row(below + 2, 1),
            ..Self::default()
        };
        match (shape, room) {
            (Shape::Bare, _) => areas.messages = row(3, inner),
            (Shape::Board(_), Room::Wide) => {
                let left = area.width / 2;
                let part = |x: u16, width: u16| Rect::new(area.x + x, area.y + 3, width, inner);
                areas.body = part(0, left - 1);
                areas.divider = part(left - 1, 1);
                areas.messages = part(left, area.width - left);
            }
            (Shape::Board(rows), _) => {
                let most = (inner - inner / 3 - 1).max(BOARD_LEAST);
                let height = rows.saturating_add(BELOW).clamp(BOARD_LEAST, most);
                areas.body = row(3, height);
                areas.rules[1] = row(3 + height, 1);
                areas.messages = row(4 + height, inner - height - 1);
            }
            (Shape::Sheets, _) => {
                let said = (inner / 4).clamp(1, 6);
                areas.body = row(3, inner - said - 1);
                areas.rules[1] = row(3 + inner - said - 1, 1);
                areas.messages = row(3 + inner - said, said);
            }
        }
        areas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_outside_the_screen_and_no_parts_overlap() {
        for width in (1..=130).chain([1_000]) {
            for height in (1..=50).chain([1_000]) {
                for shape in [Shape::Bare, Shape::Board(height % 20), Shape::Sheets] {
                    let area = Rect::new(0, 0, width, height);
                    let areas = Areas::of(area, shape);
                    let [one, other] = areas.rules;
                    let parts = [
                        areas.head,
                        areas.body,
                        areas.messages,
                        one,
                        other,
                        areas.divider,
                        areas.note,
                        areas.prompt,
                        areas.footer,
                    ];
                    for (number, part) in parts.iter().enumerate() {
                        assert_eq!(
                            area.intersection(*part),
                            *part,
                            "{width}x{height} {shape:?}"
                        );
                        let others = &parts[number + 1..];
                        let overlaps = others.iter().any(|other| part.intersects(*other));
                        assert!(!overlaps, "{width}x{height} {shape:?}: {areas:?}");
                    }
                    assert!(!areas.prompt.is_empty(), "{width}x{height} {shape:?}");
                }
            }
        }
    }
}
