//! The number of wins that the players of a finished match gave away. It is counted after the match and stored beside its summary.

use grundy_shared::ids::{MatchId, PlayerId, Seat};

use super::cursor::Cursor;
use super::summary::MatchRow;

/// The wins that each player gave away: the first player's, then the second's.
pub type MistakeCounts = [u32; 2];

/// The known mistakes of a finished match. They follow from the log, like its summary, but only a solver can compute them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistakes {
    /// The counts.
    Known(MistakeCounts),
    /// The solver's budget did not suffice, or the match is too long to be reviewed.
    Unknown,
}

/// Whose mistakes a search counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MistakesBy {
    /// Those of this player.
    Player(PlayerId),
    /// Those of the opponent of this player.
    OpponentOf(PlayerId),
    /// Those of either player: at least one of the two must match.
    Either,
}

/// A filter for the number of mistakes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MistakesWanted {
    /// Whose mistakes count.
    pub by: MistakesBy,
    /// At least this many.
    pub least: u32,
    /// At most this many.
    pub most: u32,
}

/// A finished match whose mistakes are not counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uncounted {
    /// Its place in the order of ends, from which a search continues.
    pub cursor: Cursor,
    /// Its id.
    pub id: MatchId,
}

impl MistakesWanted {
    /// Whether these counts, of the match with this summary, pass the filter.
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
