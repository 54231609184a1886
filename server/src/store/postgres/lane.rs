//! The connections that write, and which commits go which way.
//!
//! Most commits are moves: events for logs that are there, and nothing else. They wait for no other match. All other commits lock the order row until they are
//! flushed, so those of all servers happen one after another. With a connection for each kind, and in the committer a queue for each, no move waits for them. Only a move
//! that is in one batch with an ordered commit for the same log goes its way: the committer makes no such batch.
//!
//! Signs of life have a third connection. They touch rows of their own server only, so a server gives them also while somebody holds for seconds what its commits
//! wait for, and no other server takes it for dead.

use grundy_shared::ids::Seq;
use rustc_hash::FxHashSet;

use crate::store::{Append, Commit, Projection, StreamId};

/// A connection that writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lane {
    /// For events of logs that are there.
    Moves,
    /// For all other commits, and what else changes rows that servers share.
    Order,
    /// For signs of life.
    Signs,
}

impl Lane {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Moves, Self::Order, Self::Signs];

    /// As its column has it.
    pub(super) fn number(self) -> i16 {
        match self {
            Self::Moves => 0,
            Self::Order => 1,
            Self::Signs => 2,
        }
    }
}

/// Whether a commit changes more than logs that are there: then it needs the order row.
#[must_use]
pub fn is_ordered(commit: &Commit) -> bool {
    let makes_stream = |append: &Append| append.expected == Seq(0) && !append.events.is_empty();
    !commit.projections.is_empty()
        || !commit.guards.is_empty()
        || commit.appends.iter().any(makes_stream)
}

/// The streams that decide about a commit.
fn streams(commit: &Commit) -> impl Iterator<Item = StreamId> {
    let appends = commit.appends.iter().map(|append| append.stream);
    let projections = commit.projections.iter().flat_map(|projection| {
        let (one, other) = match projection {
            Projection::Match { id, .. } => (Some((*id).into()), None),
            Projection::Rating { player, family, .. } => {
                (Some(StreamId::Rating(*player, *family)), None)
            }
            Projection::Attempt(attempt) => (
                Some(StreamId::Solving(attempt.player)),
                Some(StreamId::Puzzle(attempt.puzzle)),
            ),
            _ => (None, None),
        };
        one.into_iter().chain(other)
    });
    appends.chain(projections)
}

/// The lane of each commit of a batch. Commits that share a stream, also by way of others, are in one lane, so that each is decided as if those before it were
/// done. Cost: linear in the batch, times the longest such chain.
#[must_use]
pub fn lanes(batch: &[Commit]) -> Vec<Lane> {
    let mut ordered: Vec<bool> = batch.iter().map(is_ordered).collect();
    let mut taken: FxHashSet<StreamId> = FxHashSet::default();
    loop {
        let known = taken.len();
        for (commit, ordered) in batch.iter().zip(&mut ordered) {
            *ordered = *ordered || streams(commit).any(|stream| taken.contains(&stream));
            if *ordered {
                taken.extend(streams(commit));
            }
        }
        if taken.len() == known {
            break;
        }
    }
    let lane = |ordered| if ordered { Lane::Order } else { Lane::Moves };
    ordered.into_iter().map(lane).collect()
}

#[cfg(test)]
mod tests {
    use grundy_shared::ids::MatchId;

    use super::*;
    use crate::store::Guard;

    fn append(bits: u64, expected: u64) -> Commit {
        let stream = MatchId::from_random(bits);
        Commit::append(stream, Seq(expected), vec!["{}".into()])
    }

    #[test]
    fn commits_that_share_a_stream_stay_together() {
        let guard = Guard::OpenMatches {
            of: None,
            at_most: 9,
        };
        let batch = [
            append(1, 1),
            append(2, 1),
            // Of the same match as the next but one, by way of match 4.
            append(3, 5).and(MatchId::from_random(4), Seq(2), Vec::new()),
            append(4, 2),
            append(4, 3).guarded(guard),
            append(5, 0),
            append(5, 1),
            append(6, 1),
        ];
        let (moves, order) = (Lane::Moves, Lane::Order);
        let expected = [moves, moves, order, order, order, order, order, moves];
        assert_eq!(lanes(&batch), expected);
    }
}
