//! How many commits one transaction takes. Other servers wait for the tally as long as a transaction of commits with more than events lasts, and each statement is a
//! round trip: so there is a bound on both. Where even that is too late, portions become smaller until they are in time.

use super::lane::Lane;
use crate::store::{Commit, Projection};

/// Commits of moves in one transaction, at most. A few statements write all of them.
const MOVES: usize = 1_024;
/// Other commits in one transaction, at most.
const ORDERED: usize = 64;
/// Statements for single commits in one transaction, unless one commit needs more. With those for all together, they take less than a wait for a lock may take, also where a round trip takes
/// 80 ms.
const STATEMENTS: usize = 32;

/// The size of portions.
pub(super) struct Portion {
    most: usize,
    /// What is taken now: less after one that was too late.
    now: usize,
}

impl Portion {
    /// For commits that go this way.
    pub(super) fn of(lane: Lane) -> Self {
        let most = match lane {
            Lane::Moves => MOVES,
            Lane::Order | Lane::Signs => ORDERED,
        };
        Self { most, now: most }
    }

    /// The most commits in a portion.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// How many of these, from the first, make the next portion: at least one, if there is one.
    pub(super) fn next(&self, commits: &[&Commit]) -> usize {
        let mut statements = 0;
        let fits = commits.iter().take(self.now).take_while(|commit| {
            statements += self::statements(commit);
            statements <= STATEMENTS
        });
        fits.count().max(1).min(commits.len())
    }

    /// A portion of this size was too late.
    pub(super) fn was_late(&mut self, size: usize) {
        self.now = (size / 2).max(1);
    }

    /// A portion was in time.
    pub(super) fn was_in_time(&mut self) {
        self.now = (self.now * 2).min(self.most);
    }
}

/// About how many statements a commit needs for itself, beside those that all commits of a transaction share.
fn statements(commit: &Commit) -> usize {
    let of = |projection: &Projection| match projection {
        Projection::Match { .. }
        | Projection::JoinCode { .. }
        | Projection::CreateId { .. }
        | Projection::Address { .. }
        | Projection::Mistakes { .. }
        | Projection::Review { .. }
        | Projection::Puzzle { .. }
        | Projection::Word(_) => 0,
        Projection::Rating { .. } | Projection::Kept(_) => 1,
        Projection::Rename { .. }
        | Projection::Server(_)
        | Projection::AddressSecret(_)
        | Projection::Ban(_)
        | Projection::Unban(_) => 2,
        Projection::Player(_) => 3,
        Projection::Account { .. }
        | Projection::Attempt(_)
        | Projection::SumUp(_)
        | Projection::ForgetWords(_)
        | Projection::Usage { .. }
        | Projection::Erase(_)
        | Projection::ForgetNames(_)
        | Projection::Erased(_) => 8,
    };
    commit.projections.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use grundy_shared::ids::PlayerId;

    use super::*;

    #[test]
    fn a_portion_has_a_bound_and_is_halved_when_it_was_late() {
        let kept = Commit::default().with(Projection::Kept(PlayerId::from_random(1)));
        let empty = Commit::default();
        let mut portion = Portion::of(Lane::Order);
        assert_eq!(portion.next(&[&empty; 100]), ORDERED);
        assert_eq!(portion.next(&[&kept; 100]), STATEMENTS);
        assert_eq!(portion.next(&[]), 0);
        let large = Commit {
            projections: vec![Projection::Kept(PlayerId::from_random(1)); STATEMENTS + 1],
            ..Commit::default()
        };
        assert_eq!(portion.next(&[&large, &large]), 1);
        portion.was_late(ORDERED);
        assert_eq!(portion.next(&[&empty; 100]), ORDERED / 2);
        portion.was_late(1);
        assert_eq!(portion.next(&[&empty; 100]), 1);
        for _ in 0..9 {
            portion.was_in_time();
        }
        assert_eq!(portion.next(&[&empty; 100]), ORDERED);
    }
}
