//! What can be clicked.

use ratatui::layout::Rect;

use super::board::Place;
use super::keys::Action;

/// What a click does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// The same as a key.
    Key(Action),
    /// The board after so many moves is looked at.
    Ply(u32),
    /// A move is chosen that changes this cell of the board.
    Cell(Place),
    /// This entry of the help is run.
    HelpEntry(usize),
    /// This row of the table is chosen, and at the second click entered.
    Row(usize),
    /// This table is shown.
    Sheet(usize),
}

/// What can be clicked: the later ones lie above the earlier.
pub(super) type Targets = Vec<(Rect, Target)>;
