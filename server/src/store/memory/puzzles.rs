//! Puzzles in memory, and the ratings of those who try them.

use std::collections::BTreeMap;

use grundy_shared::ids::{PlayerId, PuzzleId, Seq};
use grundy_shared::rated::RatingState;

use crate::store::{PUZZLES_PAGE, PuzzleAttempt, PuzzleRow, PuzzlesWanted};

/// Puzzles, players who try them, and the numbers of their attempts.
#[derive(Debug, Default)]
pub(super) struct Puzzles {
    rows: BTreeMap<PuzzleId, PuzzleRow>,
    solvers: BTreeMap<PlayerId, RatingState>,
    attempts: BTreeMap<(PlayerId, PuzzleId), Seq>,
}

impl Puzzles {
    /// Adds a puzzle that is not known, unless there are as many already.
    pub(super) fn add(&mut self, row: PuzzleRow, at_most: u64) {
        if (self.rows.len() as u64) < at_most {
            self.rows.entry(row.puzzle.id()).or_insert(row);
        }
    }

    /// Takes in an attempt at a puzzle that is known.
    pub(super) fn take(&mut self, attempt: &PuzzleAttempt) {
        let PuzzleAttempt {
            player,
            solving,
            puzzle,
            tried,
        } = *attempt;
        self.solvers.insert(player, solving);
        self.attempts.insert((player, puzzle), solving.pairs);
        if let Some(row) = self.rows.get_mut(&puzzle) {
            row.state = tried;
        }
    }

    pub(super) fn get(&self, id: PuzzleId) -> Option<&PuzzleRow> {
        self.rows.get(&id)
    }

    pub(super) fn solver(&self, player: PlayerId) -> Option<RatingState> {
        self.solvers.get(&player).copied()
    }

    pub(super) fn attempt(&self, player: PlayerId, puzzle: PuzzleId) -> Option<Seq> {
        self.attempts.get(&(player, puzzle)).copied()
    }

    /// Cost: linear in the puzzles.
    pub(super) fn near(&self, wanted: &PuzzlesWanted) -> Vec<PuzzleRow> {
        let fits = |(id, row): &(&PuzzleId, &PuzzleRow)| {
            self.attempt(wanted.player, **id).is_none()
                && wanted
                    .family
                    .is_none_or(|family| family == row.puzzle.family())
        };
        let mut found: Vec<_> = self.rows.iter().filter(fits).collect();
        found.sort_by_key(|(id, row)| {
            let rating = row.state.strength.rating;
            (rating.abs_diff(wanted.rating), **id)
        });
        let found = found.into_iter().take(wanted.limit.min(PUZZLES_PAGE));
        found.map(|(_, row)| row.clone()).collect()
    }
}
