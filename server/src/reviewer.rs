//! Reviews finished matches in the background, when the solver has nothing else to do, counts the wins that players gave away, and makes puzzles of them.
//!
//! There is no queue. The store knows which finished matches have no count, so nothing is lost in a restart, and matches that are older than
//! this feature are counted too. A match is reviewed only after its end is stored. Reviews that were made for a request are stored here, too.
//! See docs/decisions/0024, 0041 and 0044.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use grundy_shared::ids::{MatchId, Ply, Seat};
use grundy_shared::practice::Exercise;
use grundy_shared::puzzle::Puzzle;
use grundy_shared::referee::Referee;
use grundy_shared::review::{Review, StoredReview};
use grundy_shared::solver::{Budget, VERSION};
use rustc_hash::FxHashMap;
use tokio::sync::oneshot;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use crate::admission::{Admission, Work};
use crate::analysis::reviews::Reviews;
use crate::analysis::{Analysis, Job, Owner, Purpose};
use crate::hall::Hall;
use crate::lifecycle::Lifecycle;
use crate::matches::{Matches, sight};
use crate::metrics::{BySource, Metrics};
use crate::puzzles::new_puzzle;
use crate::store::committer::Committer;
use crate::store::{
    Commit, Cursor, Mistakes, Order, Page, Projection, ReviewRow, Store, StoreError,
};

/// Time between two searches for finished matches.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Time before a match is tried again after its review gave way to other work.
const TRY_AGAIN: Duration = Duration::from_millis(200);
/// How often in a row a match is tried whose review gives way to other work.
const ATTEMPTS: u32 = 5;
/// Before a match is looked at again that was left for later.
const LATER: Duration = Duration::from_secs(5);
/// Pages without a match for this server that are looked through at once, where several servers share the work.
const PAGES_OF_OTHERS: u32 = 16;
/// Number of matches that are looked up at once. Their counts and reviews are stored in one commit.
const PAGE: usize = 16;
/// Matches with a count but without a whole review that are remembered. The review of another one is made when somebody asks for it, or never.
const UNREVIEWED: usize = 1_000;
/// Puzzles that one match gives at most.
const PUZZLES_MAX: usize = 16;
/// Matches that cannot be counted now or at all, which are remembered so that they do not hold up the others.
const SET_ASIDE: usize = 1_000;

/// The parts of the server that reviewing uses.
pub struct Services {
    /// Finds the matches without a count.
    pub store: Arc<dyn Store>,
    /// Writes to the store.
    pub committer: Committer,
    /// The matches.
    pub matches: Arc<Matches>,
    /// Where several servers share the store: each reviews a part of the matches.
    pub hall: Option<Arc<Hall>>,
    /// The threads of the solver.
    pub analysis: Arc<Analysis>,
    /// Tells when the server has more important work.
    pub admission: Arc<Admission>,
    /// Shows whether the server is stopping.
    pub lifecycle: Lifecycle,
    /// Reviews that were made for requests.
    pub reviews: Arc<Reviews>,
    /// Counts the reviews.
    pub metrics: Arc<Metrics>,
    /// Plies of the longest match that is reviewed.
    pub review_plies: u32,
    /// Bytes of all reviews that are stored.
    pub stored_bytes: u64,
    /// Number of puzzles from which on none is added.
    pub puzzles: u64,
}

/// The task that reviews.
pub struct Reviewer {
    services: Services,
    draining: CancellationToken,
    /// Matches that are not counted now, and when each is looked at again; `None` if its log is damaged. A start tries all of them.
    set_aside: FxHashMap<MatchId, Option<Instant>>,
    /// Matches that were counted, but whose reviews gave way to other work, and when each is tried again; the longest waiting first. Forgotten in a
    /// restart.
    unreviewed: VecDeque<(MatchId, Instant)>,
}

/// What the solver says of a match.
struct Found {
    mistakes: Mistakes,
    review: Option<StoredReview>,
    /// Puzzles made of its mistakes. Each is proved, also if the work ended early.
    puzzles: Vec<Puzzle>,
}

impl Default for Found {
    fn default() -> Self {
        Self {
            mistakes: Mistakes::Unknown,
            review: None,
            puzzles: Vec::new(),
        }
    }
}

impl Found {
    fn of(review: &Review, puzzles: Vec<Puzzle>) -> Self {
        let counts = Seat::BOTH.map(|seat| review.blunders(seat));
        Self {
            mistakes: match review.unknown_positions {
                0 => Mistakes::Known(counts),
                _ => Mistakes::Unknown,
            },
            review: StoredReview::of(review).ok(),
            puzzles,
        }
    }
}

/// How one attempt to review a match ended.
enum Solved {
    /// With all that its budget suffices for.
    Whole(Found),
    /// It gave way to other work, or the server is stopping; the mistakes are counted if the winner was known at each place by then.
    CutOff(Mistakes),
}

/// What became of one match.
enum Looked {
    Reviewed(Found),
    /// Its mistakes are counted, and the rest of its review gave way to other work each time.
    Counted(Mistakes),
    /// The second game of its rated pair is being played, or it could not be read this time.
    Later,
    /// It gave way to other work each time.
    Busy,
    /// Its log is damaged or missing.
    Damaged,
}

impl Reviewer {
    /// Creates a reviewer. It reviews while [`Reviewer::run`] runs.
    #[must_use]
    pub fn new(services: Services) -> Self {
        Self {
            draining: services.lifecycle.draining(),
            services,
            set_aside: FxHashMap::default(),
            unreviewed: VecDeque::new(),
        }
    }

    /// Counts until the server begins to stop. A match whose count is interrupted is counted after the next start.
    pub async fn run(mut self) {
        let draining = self.draining.clone();
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while draining.run_until_cancelled(looks.tick()).await.is_some() {
            if self.services.admission.refuses(Work::Analysis) {
                continue;
            }
            match draining.run_until_cancelled(self.look()).await {
                None => return,
                Some(Ok(())) => {}
                Some(Err(error)) => {
                    tracing::debug!(%error, "reviewing failed and is tried again later")
                }
            }
        }
    }

    /// Stores the reviews that were made for requests, and reviews what has no count.
    async fn look(&mut self) -> Result<(), StoreError> {
        while let Some((match_id, review)) = self.services.reviews.take_new() {
            let mistakes = review.mistakes().ok().flatten();
            let mistakes = mistakes.map_or(Mistakes::Unknown, Mistakes::Known);
            let count = Projection::Mistakes { match_id, mistakes };
            let commit = Commit::default().with(count);
            self.store(commit.with(self.kept(match_id, &review)))
                .await?;
        }
        self.count_all().await?;
        self.review_counted().await
    }

    /// Reviews matches that were only counted, if their time has come and nobody asked for their reviews meanwhile.
    async fn review_counted(&mut self) -> Result<(), StoreError> {
        for _ in 0..self.unreviewed.len() {
            let Some((match_id, again)) = self.unreviewed.pop_front() else {
                break;
            };
            if again > Instant::now() {
                // Those behind it were put off later.
                self.unreviewed.push_front((match_id, again));
                break;
            }
            let stored = self.services.store.review(match_id).await;
            if stored.is_ok_and(|row| row.is_some_and(|row| row.version == VERSION)) {
                continue;
            }
            match self.count(match_id).await {
                Looked::Reviewed(Found { review, .. }) => {
                    if let Some(review) = review {
                        let commit = Commit::default().with(self.kept(match_id, &review));
                        if let Err(error) = self.store(commit).await {
                            self.review_later(match_id);
                            return Err(error);
                        }
                    }
                }
                Looked::Damaged => {}
                Looked::Counted(_) | Looked::Later | Looked::Busy => self.review_later(match_id),
            }
        }
        Ok(())
    }

    /// Remembers to review a match that was only counted, unless too many are remembered.
    fn review_later(&mut self, match_id: MatchId) {
        if self.unreviewed.len() < UNREVIEWED {
            self.unreviewed
                .push_back((match_id, Instant::now() + LATER));
        }
    }

    /// A review, to be stored.
    fn kept(&self, match_id: MatchId, review: &StoredReview) -> Projection {
        Projection::Review {
            match_id,
            review: ReviewRow {
                version: VERSION,
                text: review.as_str().to_owned(),
            },
            most_bytes: self.services.stored_bytes,
        }
    }

    async fn store(&self, commit: Commit) -> Result<(), StoreError> {
        let stored = self.services.committer.commit(commit).await;
        stored.map_err(|error| StoreError::Failed {
            why: error.to_string(),
        })
    }

    /// Reviews the matches without a count, the most recently ended first.
    async fn count_all(&mut self) -> Result<(), StoreError> {
        // Each round sets something aside, stores a count, or moves on: there is an end to them.
        let mut from = None;
        loop {
            let (page, last) = self.next_page(from.clone()).await?;
            if page.is_empty() {
                return Ok(());
            }
            let mut commit = Commit::default();
            for match_id in page {
                let again = match self.count(match_id).await {
                    Looked::Reviewed(Found {
                        mistakes,
                        review,
                        puzzles,
                    }) => {
                        commit = commit.with(Projection::Mistakes { match_id, mistakes });
                        let new = |puzzle| new_puzzle(puzzle, self.services.puzzles);
                        self.services
                            .metrics
                            .puzzles_made
                            .inc_by(puzzles.len() as u64);
                        commit.projections.extend(puzzles.into_iter().map(new));
                        if let Some(review) = review {
                            commit = commit.with(self.kept(match_id, &review));
                        }
                        continue;
                    }
                    Looked::Counted(mistakes) => {
                        commit = commit.with(Projection::Mistakes { match_id, mistakes });
                        self.review_later(match_id);
                        continue;
                    }
                    Looked::Later | Looked::Busy if self.draining.is_cancelled() => return Ok(()),
                    Looked::Later => Some(Instant::now() + LATER),
                    Looked::Busy => {
                        // What was counted so far is not to wait any longer.
                        if self.set_aside(match_id, Some(Instant::now() + LATER)) {
                            break;
                        }
                        from.clone_from(&last);
                        continue;
                    }
                    Looked::Damaged => None,
                };
                if !self.set_aside(match_id, again) {
                    from.clone_from(&last);
                }
            }
            if !commit.projections.is_empty() {
                self.store(commit).await?;
            }
        }
    }

    /// The next matches to count behind this place, and the place of the last that was looked at.
    async fn next_page(
        &mut self,
        mut from: Option<Cursor>,
    ) -> Result<(Vec<MatchId>, Option<Cursor>), StoreError> {
        let now = Instant::now();
        let mut pages = 0;
        self.set_aside
            .retain(|_, again| again.is_none_or(|again| again > now));
        loop {
            let page = Page {
                order: Order::Newest,
                from,
                limit: PAGE,
            };
            let found = self.services.store.uncounted(page).await?;
            let Some(last) = found.last() else {
                return Ok((Vec::new(), None));
            };
            from = Some(last.cursor.clone());
            let ids = found.iter().map(|uncounted| uncounted.id);
            let mut ids: Vec<_> = ids.filter(|id| !self.set_aside.contains_key(id)).collect();
            if let Some(hall) = &self.services.hall {
                ids.retain(|id| hall.shares(id.to_i64().unsigned_abs()));
            }
            if !ids.is_empty() {
                return Ok((ids, from));
            }
            pages += 1;
            // Others are at theirs.
            if pages == PAGES_OF_OTHERS && self.services.hall.is_some() {
                return Ok((Vec::new(), None));
            }
        }
    }

    /// Remembers not to look at a match until then, or at all; whether there was room to remember it.
    fn set_aside(&mut self, id: MatchId, again: Option<Instant>) -> bool {
        let has_room = self.set_aside.len() < SET_ASIDE;
        if has_room {
            self.set_aside.insert(id, again);
        }
        has_room
    }

    /// Reviews a match.
    async fn count(&self, id: MatchId) -> Looked {
        let row = match self.services.store.row(id).await {
            Ok(Some(row)) => row,
            Ok(None) => return Looked::Damaged,
            Err(error) => return self.unread(id, error.is_damage()),
        };
        match sight::is_of_running_pair(&*self.services.store, &row).await {
            Ok(false) => {}
            Ok(true) | Err(_) => return Looked::Later,
        }
        if row.plies.0 > self.services.review_plies {
            return Looked::Reviewed(Found::default());
        }
        let referee = match self.services.matches.replay(Owner::SERVER, id).await {
            Ok(Some(referee)) => Arc::new(referee),
            Ok(None) => return Looked::Damaged,
            Err(_) => return self.unread(id, false),
        };
        let mut counted = Mistakes::Unknown;
        for _ in 0..ATTEMPTS {
            match self.solve(id, referee.clone()).await {
                Solved::Whole(mut found) => {
                    // Nobody learns from a match without a move.
                    found.review = found.review.filter(|_| row.plies > Ply(0));
                    let source = "idle";
                    let reviews = &self.services.metrics.reviews;
                    reviews.get_or_create(&BySource { source }).inc();
                    return Looked::Reviewed(found);
                }
                Solved::CutOff(mistakes @ Mistakes::Known(_)) => counted = mistakes,
                Solved::CutOff(Mistakes::Unknown) => {}
            }
            tokio::time::sleep(TRY_AGAIN).await;
        }
        match counted {
            Mistakes::Unknown => Looked::Busy,
            known => Looked::Counted(known),
        }
    }

    /// A match could not be read: only damage lasts.
    fn unread(&self, id: MatchId, is_damage: bool) -> Looked {
        match is_damage || self.services.matches.check(id).is_err() {
            true => Looked::Damaged,
            false => Looked::Later,
        }
    }

    /// The solver's result within its budget.
    async fn solve(&self, match_id: MatchId, referee: Arc<Referee>) -> Solved {
        let (sender, answer) = oneshot::channel();
        let gave_way = Arc::<AtomicBool>::default();
        let (draining, yielded) = (self.draining.clone(), gave_way.clone());
        let makes_puzzles = self.services.puzzles > 0;
        let job = move || {
            Job::new(
                move || draining.is_cancelled(),
                move |budget: &Budget<'_>| {
                    let review = Review::of(&referee, budget);
                    let puzzles = match makes_puzzles {
                        true => puzzles_of(&review, match_id, budget),
                        false => Vec::new(),
                    };
                    Found::of(&review, puzzles)
                },
                |found| {
                    // The receiver is gone because the server is stopping.
                    let _ = sender.send(found.ok().map(|found| found.value));
                },
            )
            .giving_way(yielded)
        };
        let analysis = &self.services.analysis;
        if analysis.submit(Purpose::Idle, Owner::SERVER, job).is_err() {
            return Solved::CutOff(Mistakes::Unknown);
        }
        // A panic drops the job with its sender. The job would panic again, so it is not retried.
        let found = answer.await.ok().flatten().unwrap_or_default();
        let cut_off = gave_way.load(Ordering::Relaxed) || self.draining.is_cancelled();
        match cut_off {
            false => Solved::Whole(found),
            // Who wins is found first: counts that are known are whole, and the rest of the review is not.
            true => Solved::CutOff(found.mistakes),
        }
    }
}

/// The puzzles among the mistakes of a match that everybody may see: those of people that meet the criteria, in the order of the moves.
fn puzzles_of(review: &Review, match_id: MatchId, budget: &Budget<'_>) -> Vec<Puzzle> {
    let exercises = Exercise::all_of(review, match_id, budget);
    let made = exercises
        .iter()
        .filter_map(|one| Puzzle::of(one, budget).ok());
    made.take(PUZZLES_MAX).collect()
}
