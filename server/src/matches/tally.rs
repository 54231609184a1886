//! Who counts the results of matches that are games of a tournament.

use async_trait::async_trait;
use grundy_shared::event::{EndReason, Outcome, TournamentGame};
use grundy_shared::ids::{MatchId, TournamentId};

use crate::store::committer::Completion;
use crate::store::{Commit, StoreError};

/// Who counts results.
#[async_trait]
pub trait Tally: Send + Sync {
    /// Whether a tournament was cancelled, as far as this server knows. If it is cancelled later, its games on this server are ended then.
    ///
    /// # Errors
    /// The store could not be read.
    async fn is_cancelled(&self, id: TournamentId) -> Result<bool, StoreError>;

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
