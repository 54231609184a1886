//! What the players of a match have planned.
//!
//! A plan is a list of lines of play. Each move of the match that a line begins with is taken off it, and the other lines are dropped; so
//! when the player who planned is to move, the first line begins with the reply.

/// What both players have planned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Plans {
    pub(super) lines: [Vec<Vec<String>>; 2],
    /// How often each player has planned.
    pub(super) made: [u8; 2],
    /// Whether the last plan of each is hidden from the reader of this log.
    pub(super) hidden: [bool; 2],
}

impl Plans {
    /// A move was made, by whomever: O(length of the plans).
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

    /// Nothing is planned any more.
    pub(super) fn clear(&mut self) {
        self.lines = [Vec::new(), Vec::new()];
    }
}
