//! Counts the wins that players gave away in finished matches: in the background, when the solver has nothing else to do.
//!
//! There is no queue. The store knows which finished matches have no count, so nothing is lost in a restart, and matches that are older than
//! this feature are counted too. A match is counted only after its end is stored. See docs/decisions/0024.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use grundy_shared::ids::MatchId;
use grundy_shared::referee::Referee;
use grundy_shared::review;
use grundy_shared::solver::Budget;
use tokio::sync::oneshot;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::analysis::{Analysis, Job, Purpose};
use crate::lifecycle::Lifecycle;
use crate::matches::Matches;
use crate::store::committer::Committer;
use crate::store::{Commit, Cursor, Mistakes, Order, Page, Projection, Store, StoreError};

/// Time between two searches for finished matches.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Time before a match is tried again after its counting gave way to other work.
const TRY_AGAIN: Duration = Duration::from_millis(200);
/// Number of matches that are looked up at once. Their counts are stored in one commit.
const PAGE: usize = 16;
/// Number of unreadable matches that are remembered, so that they do not hold up the others.
const PASSED_OVER: usize = 1_000;

/// The parts of the server that counting uses.
pub struct Services {
    /// Finds the matches without a count.
    pub store: Arc<dyn Store>,
    /// Writes to the store.
    pub committer: Committer,
    /// The matches.
    pub matches: Arc<Matches>,
    /// The threads of the solver.
    pub analysis: Arc<Analysis>,
    /// Shows whether the server is stopping.
    pub lifecycle: Lifecycle,
    /// Plies of the longest match that is reviewed.
    pub review_plies: u32,
}

/// The task that counts.
pub struct MistakeCounter {
    services: Services,
    draining: CancellationToken,
    /// Matches that could not be read. They are tried again after a restart.
    passed_over: HashSet<MatchId>,
}

impl MistakeCounter {
    /// Creates a counter. It counts while [`MistakeCounter::run`] runs.
    #[must_use]
    pub fn new(services: Services) -> Self {
        Self {
            draining: services.lifecycle.draining(),
            services,
            passed_over: HashSet::new(),
        }
    }

    /// Counts until the server begins to stop. A match whose count is interrupted is counted after the next start.
    pub async fn run(mut self) {
        let draining = self.draining.clone();
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while draining.run_until_cancelled(looks.tick()).await.is_some() {
            match draining.run_until_cancelled(self.count_all()).await {
                None => return,
                Some(Ok(())) => {}
                Some(Err(error)) => {
                    tracing::debug!(%error, "counting mistakes failed and is tried again later")
                }
            }
        }
    }

    /// Counts the matches without a count, the most recently ended first.
    async fn count_all(&mut self) -> Result<(), StoreError> {
        loop {
            let page = self.next_page().await?;
            if page.is_empty() {
                return Ok(());
            }
            let mut commit = Commit::default();
            for match_id in page {
                match self.count(match_id).await {
                    Some(mistakes) => {
                        commit = commit.with(Projection::Mistakes { match_id, mistakes });
                    }
                    None => self.pass_over(match_id),
                }
            }
            if !commit.projections.is_empty() {
                let stored = self.services.committer.commit(commit).await;
                stored.map_err(|error| StoreError::Failed {
                    why: error.to_string(),
                })?;
            }
        }
    }

    /// The next matches to count.
    async fn next_page(&self) -> Result<Vec<MatchId>, StoreError> {
        let mut from: Option<Cursor> = None;
        loop {
            let page = Page {
                order: Order::Newest,
                from,
                limit: PAGE,
            };
            let found = self.services.store.uncounted(page).await?;
            let Some(last) = found.last() else {
                return Ok(Vec::new());
            };
            from = Some(last.cursor.clone());
            let ids = found.iter().map(|uncounted| uncounted.id);
            let ids: Vec<_> = ids.filter(|id| !self.passed_over.contains(id)).collect();
            if !ids.is_empty() {
                return Ok(ids);
            }
        }
    }

    fn pass_over(&mut self, id: MatchId) {
        if self.passed_over.len() >= PASSED_OVER {
            self.passed_over.clear();
        }
        self.passed_over.insert(id);
    }

    /// The mistakes of a match; `None` if it cannot be read.
    async fn count(&self, id: MatchId) -> Option<Mistakes> {
        let referee = self.services.matches.replay(id).await.ok().flatten()?;
        if referee.ply().0 > self.services.review_plies {
            return Some(Mistakes::Unknown);
        }
        let referee = Arc::new(referee);
        loop {
            match self.solve(referee.clone()).await {
                Some(counts) => return Some(counts.map_or(Mistakes::Unknown, Mistakes::Known)),
                None => tokio::time::sleep(TRY_AGAIN).await,
            }
        }
    }

    /// The solver's result within its budget; `None` if it gave way to other work, or the server is stopping.
    async fn solve(&self, referee: Arc<Referee>) -> Option<Option<[u32; 2]>> {
        let (sender, answer) = oneshot::channel();
        let gave_way = Arc::<AtomicBool>::default();
        let (draining, yielded) = (self.draining.clone(), gave_way.clone());
        let job = move || {
            let work = move |budget: &Budget<'_>| {
                // The receiver is gone because the server is stopping.
                let _ = sender.send(review::mistakes(&referee, budget));
            };
            Job::giving_way(move || draining.is_cancelled(), yielded, work)
        };
        self.services.analysis.submit(Purpose::Idle, job).ok()?;
        // A panic drops the job with its sender. The job would panic again, so it is not retried.
        let counts = answer.await.unwrap_or(None);
        let cut_off = gave_way.load(Ordering::Relaxed) || self.draining.is_cancelled();
        match counts.is_none() && cut_off {
            true => None,
            false => Some(counts),
        }
    }
}
