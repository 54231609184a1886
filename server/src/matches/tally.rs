//! Who counts the results of matches that are games of a tournament.

use grundy_shared::event::{EndReason, Outcome, TournamentGame};
use grundy_shared::ids::MatchId;

use crate::store::Commit;
use crate::store::committer::Completion;

/// Who counts results.
pub trait Tally: Send + Sync {
    /// A match ends once this commit is made: it is to be made together with what the result changes, and `done` to be told what
    /// became of it. Called while the match is locked; what is done at once may not lock a match.
    fn tally(
        &self,
        match_id: MatchId,
        game: TournamentGame,
        end: (Outcome, EndReason),
        commit: Commit,
        done: Completion,
    );
}
