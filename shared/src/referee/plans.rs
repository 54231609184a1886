//! The plans of a match's players.
//!
//! A plan is a list of lines of play. When a move is made, it is removed from the lines that begin with it, and all other lines are dropped.
//! So when the player who planned is to move, the first line begins with the reply.

/// The plans of both players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Plans {
    pub(super) lines: [Vec<Vec<String>>; 2],
    /// How often each player has planned.
    pub(super) made: [u8; 2],
    /// Whether the last plan of each is hidden from the reader of this log.
    pub(super) hidden: [bool; 2],
}

impl Plans {
    /// Follows a move of either player. O(length of the plans).
    pub(super) fn after_move(&mut self, text: &str) {
        for lines in &mut self.lines {
            lines.retain_mut(|line| {
                let fits = line.first().is_some_and(|first| first == text);
                if fits {
                    line.remove(0);
                }
                fits && !line.is_empty()
            });
        }
    }

    /// Drops both plans.
    pub(super) fn clear(&mut self) {
        self.lines = [Vec::new(), Vec::new()];
    }
}
