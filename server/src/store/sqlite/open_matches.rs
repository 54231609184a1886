//! Who sits in which match that is not over: the writer's memory of it, so that a quota costs SQLite no question.
//!
//! Nobody else writes to the database (see [`super::lock`]). Memory: about 100 bytes a match.

use grundy_shared::ids::{MatchId, PlayerId};
use rustc_hash::FxHashMap;
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::rows::match_id;
use crate::store::{Commit, MatchRow, MatchStatus, Projection, StoreError};

/// The players of a match.
type Seats = [Option<PlayerId>; 2];

/// The matches that are not over.
#[derive(Debug, Default)]
pub(super) struct OpenMatches {
    seats: FxHashMap<MatchId, Seats>,
    counts: FxHashMap<PlayerId, i64>,
}

impl OpenMatches {
    /// Reads them. Cost: linear in their number.
    pub(super) async fn read(connection: &mut SqliteConnection) -> Result<Self, StoreError> {
        let rows = sqlx::query("SELECT id, first_id, second_id FROM match WHERE status <> 'over'")
            .fetch_all(connection)
            .await?;
        let mut open = Self::default();
        for row in rows {
            let id = match_id(row.try_get("id")?)?;
            // What is no id of a player is nobody's: fsck names it.
            let seat = |column| {
                let bytes = row.try_get::<Option<&[u8]>, _>(column)?;
                Ok::<_, StoreError>(bytes.and_then(PlayerId::from_bytes))
            };
            open.sit(id, [seat("first_id")?, seat("second_id")?]);
        }
        Ok(open)
    }

    /// Takes in what a commit says of a match.
    pub(super) fn set(&mut self, id: MatchId, row: &MatchRow) {
        if let Some(seats) = self.seats.remove(&id) {
            for player in players(seats) {
                if let Some(count) = self.counts.get_mut(&player) {
                    *count -= 1;
                    if *count == 0 {
                        self.counts.remove(&player);
                    }
                }
            }
        }
        if row.status != MatchStatus::Over {
            let seat = |who: &Option<_>| {
                who.as_ref()
                    .map(|who: &grundy_shared::event::PlayerInfo| who.id)
            };
            self.sit(id, [seat(&row.first), seat(&row.second)]);
        }
    }

    fn sit(&mut self, id: MatchId, seats: Seats) {
        for player in players(seats) {
            *self.counts.entry(player).or_default() += 1;
        }
        self.seats.insert(id, seats);
    }

    /// How many there are once a commit is made: of this player, or all.
    pub(super) fn after(&self, commit: &Commit, of: Option<PlayerId>) -> i64 {
        let now = match of {
            None => i64::try_from(self.seats.len()).unwrap_or(i64::MAX),
            Some(player) => self.counts.get(&player).copied().unwrap_or(0),
        };
        let changes = commit
            .projections
            .iter()
            .map(|projection| match projection {
                Projection::Match { id, row } => {
                    i64::from(row.is_open(of)) - i64::from(self.counted(*id, of))
                }
                _ => 0,
            });
        now + changes.sum::<i64>()
    }

    /// Whether the match is counted now.
    fn counted(&self, id: MatchId, of: Option<PlayerId>) -> bool {
        let seats = self.seats.get(&id);
        seats.is_some_and(|seats| of.is_none() || seats.contains(&of))
    }
}

/// Who sits there; who has both seats is told once.
fn players([first, second]: Seats) -> impl Iterator<Item = PlayerId> {
    first.into_iter().chain(second.filter(|_| second != first))
}
