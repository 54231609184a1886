//! What is where, by the size of the terminal.

use ratatui::layout::Rect;

/// Rows below a board: for the chosen move, and one free.
const BELOW: u16 = 2;
/// Rows of a board and of the moves beside it, at least.
const BOARD_LEAST: u16 = 8;

/// Lines that panes need at least.
const SMALL: u16 = 12;

/// How much room there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Room {
    /// At least 100 columns and 28 lines: board, moves and messages side by side.
    Wide,
    /// At least 80 columns and 24 lines: messages below the board.
    Usual,
    /// At least 40 columns and 12 lines: one pane at a time.
    Small,
    /// Less: a line that says how things stand, and the line that is typed.
    Line,
}

/// The parts of the screen; an empty one is not drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Areas {
    pub(super) header: Rect,
    pub(super) board: Rect,
    pub(super) moves: Rect,
    pub(super) messages: Rect,
    /// Lines across.
    pub(super) rules: [Rect; 2],
    /// A line down.
    pub(super) divider: Rect,
    pub(super) status: Rect,
    pub(super) prompt: Rect,
    pub(super) footer: Rect,
}

impl Room {
    /// What there is in this area.
    pub(super) fn of(area: Rect) -> Self {
        match (area.width, area.height) {
            (100.., 28..) => Self::Wide,
            (80.., 24..) => Self::Usual,
            (40.., SMALL..) => Self::Small,
            _ => Self::Line,
        }
    }
}

impl Areas {
    /// Divides the screen, with this many status lines. Lines that a board of this many rows does not need go to the messages below it.
    pub(super) fn of(area: Rect, board: u16, standing: u16) -> Self {
        let room = Room::of(area);
        if room == Room::Line {
            return Self::line(area);
        }
        let row = |y: u16, height: u16| Rect::new(area.x, area.y + y, area.width, height);
        let below = area.height - 2 - standing;
        let header = row(0, 2);
        let mut areas = Self {
            header,
            rules: [row(2, 1), Rect::default()],
            status: row(below, standing),
            prompt: row(below + standing, 1),
            footer: row(below + standing + 1, 1),
            ..Self::default()
        };
        let side = match room {
            Room::Wide => (area.width / 3).min(44),
            _ => 24,
        };
        let left = area.width - side.min(area.width);
        match room {
            Room::Wide => {
                areas.rules[1] = row(below - 1, 1);
                let height = below - 1 - 3;
                areas.board = Rect::new(area.x, area.y + 3, left - 1, height);
                areas.divider = Rect::new(area.x + left - 1, area.y + 3, 1, height);
                let moves = height / 2;
                let x = area.x + left;
                areas.moves = Rect::new(x, area.y + 3, side, moves);
                areas.messages = Rect::new(x, area.y + 3 + moves, side, height - moves);
            }
            Room::Usual => {
                let body = below - 3;
                let most = body - body / 3 - 1;
                let height = board.saturating_add(BELOW).clamp(BOARD_LEAST, most);
                let messages = body - height - 1;
                areas.board = Rect::new(area.x, area.y + 3, left - 1, height);
                areas.divider = Rect::new(area.x + left - 1, area.y + 3, 1, height);
                areas.moves = Rect::new(area.x + left, area.y + 3, side, height);
                areas.rules[1] = row(3 + height, 1);
                areas.messages = row(4 + height, messages);
            }
            Room::Small | Room::Line => {
                // The last messages, if the board or the moves are shown.
                let messages = 1 + (area.height - SMALL) / 3;
                let body = row(3, below - 3 - messages);
                (areas.board, areas.moves) = (body, body);
                areas.messages = row(below - messages, messages);
            }
        }
        areas
    }

    fn line(area: Rect) -> Self {
        let last = area.height.saturating_sub(1);
        Self {
            messages: Rect::new(area.x, area.y, area.width, last),
            prompt: Rect::new(area.x, area.y + last, area.width, area.height.min(1)),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_outside_the_screen_and_no_parts_overlap() {
        for width in (1..=130).chain([1_000]) {
            for height in (1..=50).chain([1_000]) {
                let area = Rect::new(0, 0, width, height);
                let areas = Areas::of(area, height % 20, 1 + width % 2);
                let mut parts = vec![
                    areas.header,
                    areas.board,
                    areas.messages,
                    areas.rules[0],
                    areas.rules[1],
                    areas.divider,
                    areas.status,
                    areas.prompt,
                    areas.footer,
                ];
                if Room::of(area) != Room::Small {
                    parts.push(areas.moves);
                }
                parts.retain(|part| !part.is_empty());
                for (at, part) in parts.iter().enumerate() {
                    assert_eq!(
                        area.intersection(*part),
                        *part,
                        "{width}x{height} {areas:?}"
                    );
                    for other in &parts[at + 1..] {
                        assert!(!part.intersects(*other), "{width}x{height} {areas:?}");
                    }
                }
            }
        }
    }
}
