//! Ratings: each rated pair is stored with the end of its last match, in one commit, in the logs of both players.
//!
//! A log is appended to with the number that it is expected to have. So no pair is rated twice, and none with a strength that was
//! overtaken, however many servers share the store.

use std::sync::Arc;

use bytes::Bytes;
use grundy_shared::ids::{Millis, PlayerId};
use grundy_shared::protocol::Notice;
use grundy_shared::protocol::puzzle::SolverRating;
use grundy_shared::protocol::rating::{RatedChange, RatingInfo};
use grundy_shared::rated::{Family, Rated, RatedPair, RatingEvent, RatingState};
use tokio::sync::{Mutex, MutexGuard};

use crate::planted;
use crate::store::committer::Committer;
use crate::store::{Commit, CommitError, Projection, RatingRow, Store, StoreError, StreamId};

/// Conflicts in a row after which the end of a match is refused, to be tried again later.
const CONFLICTS_MAX: usize = 8;
/// Locks among which players are divided.
const LOCKS: usize = 64;

/// The way to the ratings of a server.
pub struct Ratings {
    store: Arc<dyn Store>,
    committer: Committer,
    /// Pairs of one player are rated one after another, so that those of one server meet no conflicts. Conflicts with other servers are
    /// decided by the store.
    locks: Vec<Mutex<()>>,
}

impl Ratings {
    /// The ratings in this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, committer: Committer) -> Self {
        let locks = std::iter::repeat_with(Mutex::default).take(LOCKS).collect();
        Self {
            store,
            committer,
            locks,
        }
    }

    /// Stores the end of a match together with what the pair that is over with it makes of the ratings of its players.
    ///
    /// # Errors
    /// The commit was refused. Nothing of it is stored then, and no rating has changed.
    pub async fn commit(&self, pair: &RatedPair, end: Commit) -> Result<[Rated; 2], CommitError> {
        let _locks = self.lock(pair).await;
        for _ in 0..CONFLICTS_MAX {
            let (commit, rated) = self.with_ratings(pair, end.clone()).await?;
            match self.committer.commit(commit).await {
                Ok(()) => return Ok(rated),
                // Another server has rated a pair of one of the players.
                Err(CommitError::Conflict {
                    stream: StreamId::Rating(..),
                    ..
                }) => {}
                Err(error) => return Err(error),
            }
        }
        let why = "the ratings of the players are being changed elsewhere".to_owned();
        Err(StoreError::Busy { why }.into())
    }

    /// The locks of both players, always in the same order.
    async fn lock(&self, pair: &RatedPair) -> Vec<MutexGuard<'_, ()>> {
        let of = |player: PlayerId| usize::from(player.as_bytes()[15]) % LOCKS;
        let mut places: Vec<usize> = pair.players.iter().map(|player| of(player.id)).collect();
        places.sort_unstable();
        places.dedup();
        let mut locked = Vec::with_capacity(places.len());
        for place in places {
            locked.push(self.locks[place].lock().await);
        }
        locked
    }

    async fn with_ratings(
        &self,
        pair: &RatedPair,
        mut commit: Commit,
    ) -> Result<(Commit, [Rated; 2]), StoreError> {
        let [first, second] = &pair.players;
        let states = [
            self.state(first.id, pair.family).await?,
            self.state(second.id, pair.family).await?,
        ];
        let rated = pair.rate([&states[0], &states[1]]);
        if planted::is("rate_apart") {
            return Ok((commit, rated));
        }
        for ((player, mut state), rated) in pair.players.iter().zip(states).zip(&rated) {
            let stream = StreamId::Rating(player.id, pair.family);
            let event = RatingEvent::Rated(rated.clone());
            commit = commit.and(stream, state.pairs, vec![Bytes::from(event.to_json())]);
            state.take(rated);
            commit = commit.with(Projection::Rating {
                player: player.id,
                family: pair.family,
                row: RatingRow {
                    state,
                    bot: player.bot,
                },
            });
        }
        Ok((commit, rated))
    }

    /// A player's rating in a family; that of a newcomer if the player has none.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn state(&self, player: PlayerId, family: Family) -> Result<RatingState, StoreError> {
        let found = self.store.rating(player, family).await?;
        Ok(found.map(|row| row.state).unwrap_or_default())
    }
}

/// A rating as players see it.
#[must_use]
pub fn info_of(family: Family, state: &RatingState, now: Millis) -> RatingInfo {
    let strength = state.strength_at(now);
    RatingInfo {
        family: family.name().to_owned(),
        rating: points(strength.rating.into()),
        deviation: points(strength.deviation.into()),
        provisional: state.is_provisional(now),
        pairs: state.pairs.0,
        last_at_ms: state.last_at,
    }
}

/// A player's rating in puzzles as players see it.
#[must_use]
pub fn solver_rating(state: &RatingState, now: Millis) -> SolverRating {
    let strength = state.strength_at(now);
    SolverRating {
        rating: points(strength.rating.into()),
        deviation: points(strength.deviation.into()),
        provisional: state.is_provisional(now),
        attempts: state.pairs.0,
    }
}

/// Whole points from hundredths.
#[must_use]
pub fn points(hundredths: i64) -> i64 {
    (hundredths + 50).div_euclid(100)
}

/// What those who follow the last match of a pair are told.
#[must_use]
pub fn notice_of(pair: &RatedPair, rated: &[Rated; 2]) -> Notice {
    let change = |own: usize| {
        let Rated { before, after, .. } = &rated[own];
        let mut state = RatingState::default();
        state.take(&rated[own]);
        let rating = points(after.rating.into());
        RatedChange {
            player: pair.players[own].clone(),
            score: rated[own].score,
            rating,
            change: rating - points(before.rating.into()),
            deviation: points(after.deviation.into()),
            provisional: state.is_provisional(pair.at_ms),
        }
    };
    Notice::Rated {
        pair: pair.pair,
        match_id: pair.last,
        family: pair.family.name().to_owned(),
        first: change(0),
        second: change(1),
    }
}
