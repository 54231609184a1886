//! What a built-in bot is at.

use grundy_shared::ids::{Millis, Ply, Seq};

/// What a built-in bot is at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Thinking {
    /// It is not its move, or it has not begun.
    #[default]
    Not,
    /// It thinks about the position after this event.
    About(Seq),
    /// It found no room to think, and tries again at this moment.
    Later(Millis),
    /// It has chosen this move for this ply; `None` means any.
    Chosen(Ply, Option<String>),
}

impl Thinking {
    pub(super) fn stop(&mut self) {
        *self = Self::Not;
    }

    /// When it tries again to think.
    pub(super) fn again_at(&self) -> Option<Millis> {
        match self {
            Self::Later(at) => Some(*at),
            _ => None,
        }
    }
}
