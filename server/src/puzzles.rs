//! Puzzles of a server, and the ratings of the players who solve them.
//!
//! A player's first answer to a puzzle is one commit: an event in the log of the player, one in the log of the puzzle, and the ratings that follow. Each log
//! is appended to with the number that it is expected to have. So no answer counts twice, and none with a rating that was overtaken, however many
//! servers share the store. See docs/decisions/0044.

use std::sync::Arc;

use bytes::Bytes;
use grundy_shared::ids::{PlayerId, PuzzleId, Seq};
use grundy_shared::puzzle::{
    Attempted, Collection, Given, Puzzle, PuzzleEvent, SolvingEvent, first_rating, rate,
};
use grundy_shared::rated::{Family, RatingState};
use rustc_hash::FxHashSet;
use tokio::sync::{Mutex, MutexGuard, OnceCell};

use crate::store::committer::Committer;
use crate::store::{
    Commit, CommitError, PUZZLES_PAGE, Projection, PuzzleAttempt, PuzzleRow, PuzzlesWanted, Store,
    StoreError, StreamId, Unique,
};

/// Conflicts in a row after which an answer is refused, to be given again later.
const CONFLICTS_MAX: usize = 8;
/// Locks among which players are divided, and as many for puzzles.
const LOCKS: usize = 64;
/// Puzzles near a player's rating, of which one is chosen.
const CHOICE: usize = 8;

/// The way to the puzzles of a server.
pub struct Puzzles {
    store: Arc<dyn Store>,
    committer: Committer,
    /// Set once the puzzles that come with the program are in the store: the ids of those that a later edition replaces.
    seeded: OnceCell<FxHashSet<PuzzleId>>,
    /// Answers of one player, and answers to one puzzle, are rated one after another, so that those of one server meet no conflicts. Conflicts with
    /// other servers are decided by the store.
    locks: Vec<Mutex<()>>,
}

/// A first answer as the logs have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// Its number in the log of the player.
    pub seq: Seq,
    /// The answer.
    pub attempt: Attempted,
}

/// What became of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It counts.
    Counted(Answered),
    /// The player had given this one before.
    Repeated(Answered),
}

/// A puzzle that nobody has tried, to be added unless there are as many.
#[must_use]
pub fn new_puzzle(puzzle: Puzzle, at_most: u64) -> Projection {
    let state = first_rating(&puzzle);
    let row = Box::new(PuzzleRow { puzzle, state });
    Projection::Puzzle { row, at_most }
}

impl Puzzles {
    /// The puzzles in this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, committer: Committer) -> Self {
        let locks = std::iter::repeat_with(Mutex::default).take(2 * LOCKS);
        Self {
            store,
            committer,
            seeded: OnceCell::new(),
            locks: locks.collect(),
        }
    }

    /// A puzzle.
    ///
    /// # Errors
    /// The store could not be read, or what is missing of the puzzles that come with the program could not be added.
    pub async fn get(&self, id: PuzzleId) -> Result<Option<PuzzleRow>, CommitError> {
        self.seed().await?;
        Ok(self.store.puzzle(id).await?)
    }

    /// A puzzle that a player has not tried, of a family or of any, rated about like the player: always the same until the player has answered it. A
    /// puzzle that a later edition replaces is returned only if there is no other near the rating. `None` if the player has tried all.
    ///
    /// # Errors
    /// As [`Puzzles::get`].
    pub async fn next(
        &self,
        player: PlayerId,
        family: Option<Family>,
    ) -> Result<Option<PuzzleRow>, CommitError> {
        let replaced = self.seed().await?;
        let state = self.solver(player).await?;
        let wanted = PuzzlesWanted {
            player,
            family,
            rating: state.strength.rating,
            limit: PUZZLES_PAGE,
        };
        let near = self.store.puzzles_near(wanted).await?;
        let is_replaced = |row: &PuzzleRow| replaced.contains(&row.puzzle.id());
        let (old, mut near): (Vec<_>, Vec<_>) = near.into_iter().partition(is_replaced);
        if near.is_empty() {
            near = old;
        }
        near.truncate(CHOICE);
        if near.is_empty() {
            return Ok(None);
        }
        // Players with one rating get different puzzles, and nobody gets another one by asking again.
        let by = u64::from(player.as_bytes()[15]).wrapping_add(state.pairs.0);
        let place = by % near.len() as u64;
        Ok(Some(near.swap_remove(place as usize)))
    }

    /// The rating of a player in solving; that of a newcomer if the player has tried no puzzle.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn solver(&self, player: PlayerId) -> Result<RatingState, StoreError> {
        Ok(self.store.solver(player).await?.unwrap_or_default())
    }

    /// A player's first answer to a puzzle, if there is one.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn answered(
        &self,
        player: PlayerId,
        puzzle: PuzzleId,
    ) -> Result<Option<Answered>, StoreError> {
        let Some(seq) = self.store.attempt(player, puzzle).await? else {
            return Ok(None);
        };
        let corrupt = |why: String| StoreError::Corrupt { why };
        let before = Seq(seq.0.saturating_sub(1));
        let stream = StreamId::Solving(player);
        let logged = self.store.load(stream, before, 1).await?;
        let logged = logged.and_then(|page| page.into_iter().next());
        let logged = logged.ok_or_else(|| corrupt(format!("attempt {seq} is not in {stream}")))?;
        let SolvingEvent::Attempted(attempt) = serde_json::from_slice(&logged.body)
            .map_err(|error| corrupt(format!("{stream}, event {seq}: {error}")))?;
        if attempt.puzzle != puzzle {
            let why = format!("attempt {seq} in {stream} is at another puzzle");
            return Err(corrupt(why));
        }
        Ok(Some(Answered { seq, attempt }))
    }

    /// Counts an answer, unless the player has answered the puzzle before.
    ///
    /// # Errors
    /// The commit was refused. Nothing of it is stored then, and no rating has changed.
    pub async fn rate(&self, player: PlayerId, given: &Given) -> Result<Outcome, CommitError> {
        let _locks = self.lock(player, given.puzzle).await;
        for _ in 0..CONFLICTS_MAX {
            // The number of the log is read before it is known whether the answer is the first: who answers in between makes a conflict.
            let solving = self.solver(player).await?;
            if let Some(answered) = self.answered(player, given.puzzle).await? {
                return Ok(Outcome::Repeated(answered));
            }
            let row = self.store.puzzle(given.puzzle).await?;
            let tried = row.ok_or_else(|| StoreError::Corrupt {
                why: format!("puzzle {} is gone", given.puzzle),
            })?;
            let (commit, answered) = commit_of(player, given.clone(), solving, tried.state);
            match self.committer.commit(commit).await {
                Ok(()) => return Ok(Outcome::Counted(answered)),
                // Another server has counted an answer of this player or to this puzzle.
                Err(
                    CommitError::Conflict {
                        stream: StreamId::Solving(_) | StreamId::Puzzle(_),
                        ..
                    }
                    | CommitError::Taken(Unique::Attempt),
                ) => {}
                Err(error) => return Err(error),
            }
        }
        let why = "the rating of the puzzle is being changed elsewhere".to_owned();
        Err(StoreError::Busy { why }.into())
    }

    /// The locks of the player and of the puzzle, always in this order: no two calls wait for each other.
    async fn lock(&self, player: PlayerId, puzzle: PuzzleId) -> [MutexGuard<'_, ()>; 2] {
        let of_player = usize::from(player.as_bytes()[15]) % LOCKS;
        let of_puzzle = LOCKS + usize::from(puzzle.as_bytes()[15]) % LOCKS;
        let first = self.locks[of_player].lock().await;
        [first, self.locks[of_puzzle].lock().await]
    }

    /// Adds the puzzles that come with the program, once: a server that nobody asks for puzzles has none of them. Returns the ids of those that a
    /// later edition replaces.
    async fn seed(&self) -> Result<&FxHashSet<PuzzleId>, CommitError> {
        self.seeded
            .get_or_try_init(|| async {
                let (edition, mut replaced) = (Collection::edition(), FxHashSet::default());
                let mut commit = Commit::default();
                for (number, puzzle) in edition.numbered() {
                    if edition.is_replaced(number) {
                        replaced.insert(puzzle.id());
                    }
                    if self.store.puzzle(puzzle.id()).await?.is_none() {
                        commit = commit.with(new_puzzle(puzzle.clone(), u64::MAX));
                    }
                }
                if !commit.projections.is_empty() {
                    self.committer.commit(commit).await?;
                }
                Ok(replaced)
            })
            .await
    }
}

/// The commit that counts an answer with these ratings.
fn commit_of(
    player: PlayerId,
    given: Given,
    mut solving: RatingState,
    mut tried: RatingState,
) -> (Commit, Answered) {
    let puzzle = given.puzzle;
    let expected = [solving.pairs, tried.pairs];
    let (mine, its) = rate(given, &solving, &tried);
    solving.advance(mine.at_ms, mine.after);
    tried.advance(its.at_ms, its.after);
    let event = |json: String| vec![Bytes::from(json)];
    let answered = Answered {
        seq: solving.pairs,
        attempt: mine.clone(),
    };
    let attempt = PuzzleAttempt {
        player,
        solving,
        puzzle,
        tried,
    };
    let mine = event(SolvingEvent::Attempted(mine).to_json());
    let its = event(PuzzleEvent::Tried(its).to_json());
    let commit = Commit::append(StreamId::Solving(player), expected[0], mine)
        .and(StreamId::Puzzle(puzzle), expected[1], its)
        .with(Projection::Attempt(Box::new(attempt)))
        .with(Projection::Kept(player));
    (commit, answered)
}
