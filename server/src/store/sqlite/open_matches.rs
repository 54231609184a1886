//! Who sits in which match that is not over, and where it was created: the writer's memory of it, so that a quota costs SQLite no question.
//!
//! Nobody else writes to the database (see [`super::lock`]). Memory: about 100 bytes a match.

use std::hash::Hash;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, PlayerId};
use rustc_hash::FxHashMap;
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::rows::match_id;
use crate::store::{AddressDigest, Commit, MatchRow, MatchStatus, Projection, StoreError, Taken};

/// The players of a match.
type Seats = [Option<PlayerId>; 2];

/// A match that is not over.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    seats: Seats,
    address: Option<AddressDigest>,
    /// Nobody has joined it.
    waits: bool,
}

/// The matches that are not over.
#[derive(Debug, Default)]
pub(super) struct OpenMatches {
    matches: FxHashMap<MatchId, Open>,
    /// Of each player.
    counts: FxHashMap<PlayerId, i64>,
    /// Created at each place.
    counts_from: FxHashMap<AddressDigest, i64>,
    /// Those that nobody has joined.
    waiting: i64,
    /// Those of each place.
    waiting_from: FxHashMap<AddressDigest, i64>,
}

impl OpenMatches {
    /// Reads them. Cost: linear in their number.
    pub(super) async fn read(connection: &mut SqliteConnection) -> Result<Self, StoreError> {
        let rows = sqlx::query(
            "SELECT id, first_id, second_id, address, status = 'waiting' AS waits FROM match WHERE status <> 'over'",
        )
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
            let address = row.try_get::<Option<i64>, _>("address")?;
            let address = address.and_then(|address| u16::try_from(address).ok());
            open.add(
                id,
                Open {
                    seats: [seat("first_id")?, seat("second_id")?],
                    address: address.map(AddressDigest),
                    waits: row.try_get("waits")?,
                },
            );
        }
        Ok(open)
    }

    /// Takes in what a commit says of a match.
    pub(super) fn set(&mut self, id: MatchId, row: &MatchRow) {
        let before = self.remove(id);
        if row.status != MatchStatus::Over {
            let seat = |who: &Option<PlayerInfo>| who.as_ref().map(|who| who.id);
            self.add(
                id,
                Open {
                    seats: [seat(&row.first), seat(&row.second)],
                    address: before.address,
                    waits: row.status == MatchStatus::Waiting,
                },
            );
        }
    }

    /// Takes in where a match was created.
    pub(super) fn set_address(&mut self, id: MatchId, address: AddressDigest) {
        if self.matches.contains_key(&id) {
            let before = self.remove(id);
            self.add(
                id,
                Open {
                    address: Some(address),
                    ..before
                },
            );
        }
    }

    fn remove(&mut self, id: MatchId) -> Open {
        let open = self.matches.remove(&id).unwrap_or_default();
        for player in players(open.seats) {
            take_one(&mut self.counts, player);
        }
        if let Some(address) = open.address {
            take_one(&mut self.counts_from, address);
            if open.waits {
                take_one(&mut self.waiting_from, address);
            }
        }
        self.waiting -= i64::from(open.waits);
        open
    }

    fn add(&mut self, id: MatchId, open: Open) {
        for player in players(open.seats) {
            *self.counts.entry(player).or_default() += 1;
        }
        if let Some(address) = open.address {
            *self.counts_from.entry(address).or_default() += 1;
            if open.waits {
                *self.waiting_from.entry(address).or_default() += 1;
            }
        }
        self.waiting += i64::from(open.waits);
        self.matches.insert(id, open);
    }

    /// How many there are once a commit is made: of this player, or all.
    pub(super) fn after(&self, commit: &Commit, of: Option<PlayerId>) -> i64 {
        let now = match of {
            None => i64::try_from(self.matches.len()).unwrap_or(i64::MAX),
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
        let open = self.matches.get(&id);
        open.is_some_and(|open| of.is_none() || open.seats.contains(&of))
    }

    /// How many there are from this place once a commit is made.
    pub(super) fn after_from(&self, commit: &Commit, address: AddressDigest) -> i64 {
        let now = self.counts_from.get(&address).copied().unwrap_or(0);
        let changes = commit
            .projections
            .iter()
            .map(|projection| match projection {
                Projection::Address { address: new, .. } => i64::from(*new == address),
                Projection::Match { id, row } if row.status == MatchStatus::Over => {
                    let open = self.matches.get(id);
                    -i64::from(open.is_some_and(|open| open.address == Some(address)))
                }
                _ => 0,
            });
        now + changes.sum::<i64>()
    }

    /// The places that are taken once a commit is made that creates a match there.
    pub(super) fn taken_after(&self, commit: &Commit, address: AddressDigest) -> Taken {
        let new = i64::from(commit.waits_at(address));
        let here = self.waiting_from.get(&address).copied().unwrap_or(0);
        let count = |count: i64| u64::try_from(count).unwrap_or(0);
        Taken {
            all: count(self.after(commit, None)),
            here: count(self.after_from(commit, address)),
            waiting: count(self.waiting + new),
            waiting_here: count(here + new),
        }
    }
}

/// One fewer; what has none is not kept.
fn take_one<K: Eq + Hash>(counts: &mut FxHashMap<K, i64>, key: K) {
    if let Some(count) = counts.get_mut(&key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&key);
        }
    }
}

/// Who sits there; who has both seats is told once.
fn players([first, second]: Seats) -> impl Iterator<Item = PlayerId> {
    first.into_iter().chain(second.filter(|_| second != first))
}
