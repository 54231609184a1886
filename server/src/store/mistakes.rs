//! How many wins the players of a finished match gave away: counted after its end, and kept beside its summary.

use grundy_shared::ids::{MatchId, PlayerId, Seat};

use super::cursor::Cursor;
use super::summary::MatchRow;

/// The wins that each player gave away: the first player's, then the second's.
pub type MistakeCounts = [u32; 2];

/// What is known of the mistakes of a finished match. It follows from the log, like its summary, but only a solver computes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistakes {
    /// So many.
    Known(MistakeCounts),
    /// The solver's budget did not suffice, or the match is too long to be reviewed.
    Unknown,
}

/// Whose mistakes are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MistakesBy {
    /// Those of this player.
    Player(PlayerId),
    /// Those of the opponent of this player.
    OpponentOf(PlayerId),
    /// Those of at least one of the two.
    Either,
}

/// How many mistakes are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MistakesWanted {
    /// Whose.
    pub by: MistakesBy,
    /// At least so many.
    pub least: u32,
    /// At most so many.
    pub most: u32,
}

/// A finished match whose mistakes are not counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uncounted {
    /// Its place in the order of ends, to go on from.
    pub cursor: Cursor,
    /// Its id.
    pub id: MatchId,
}

impl MistakesWanted {
    /// Whether these counts, of the match with this summary, are asked for.
    pub(super) fn are(self, counts: MistakeCounts, row: &MatchRow) -> bool {
        let sits = |seat: Seat, id| row.player(seat).is_some_and(|player| player.id == id);
        let mut seats = Seat::BOTH.into_iter().zip(counts);
        seats.any(|(seat, count)| {
            let counts = match self.by {
                MistakesBy::Player(id) => sits(seat, id),
                MistakesBy::OpponentOf(id) => sits(seat.other(), id),
                MistakesBy::Either => true,
            };
            counts && (self.least..=self.most).contains(&count)
        })
    }
}
