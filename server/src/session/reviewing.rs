//! Reviews of finished matches: from memory, from the store, or from the solver's threads.

use std::cell::Cell;
use std::sync::Arc;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Ply, Seq};
use grundy_shared::protocol::client::Review;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::review::{self, StoredReview};
use grundy_shared::solver::{Budget, VERSION};

use super::answers::{Question, page_limit, too_large};
use super::player::Player;
use super::requests::match_id;
use super::running::Shown;
use super::socket::Socket;
use crate::analysis::Progress;
use crate::analysis::reviews::Standing;
use crate::matches::{refusal, sight};
use crate::metrics::BySource;
use crate::store::{MatchRow, MatchStatus};

/// Which plies of a review are asked for.
struct Wanted {
    match_id: MatchId,
    /// As the summary of the match has them: the text of a review names nobody.
    players: [Option<PlayerInfo>; 2],
    after: Ply,
    limit: usize,
    /// Bytes of the page.
    room: usize,
}

impl Wanted {
    /// The page.
    fn of(self, review: &StoredReview) -> Result<Reply, ErrorBody> {
        let page = review.page(self.players, self.after, self.limit, self.room);
        let page = page.map_err(|error| {
            tracing::error!(%error, id = %self.match_id, "a review cannot be read");
            refusal::internal()
        })?;
        match page {
            Some(page) => Ok(Reply::Reviewed {
                match_id: self.match_id,
                review: page.review,
                next_after_ply: page.next_after,
            }),
            None => Err(too_large("one ply of the review does not fit one message")),
        }
    }
}

impl<S: Socket> Player<S> {
    pub(super) async fn review(&self, id: u64, ask: &Review) -> Result<Option<Reply>, ErrorBody> {
        let match_id = match_id(&ask.match_id)?;
        let limit = page_limit(ask.limit, 1)?;
        self.check_may_ask_solver().await?;
        let row = self.reviewable(match_id).await?;
        let has_moves = row.plies > Ply(0);
        let positions = row.plies.0.saturating_add(1);
        let wanted = Wanted {
            match_id,
            players: [row.first, row.second],
            after: ask.after_ply,
            limit,
            room: self.room(),
        };
        if let Some(review) = self.known_review(match_id).await? {
            return wanted.of(&review).map(Some);
        }
        let app = &self.connection.app;
        let referee = app.matches.replay(match_id).await?;
        let referee = referee.ok_or_else(|| refusal::no_such_match(&match_id.to_string()))?;
        let (reviews, clock) = (app.reviews.clone(), app.clock.clone());
        let made = app
            .metrics
            .reviews
            .get_or_create(&BySource { source: "solver" });
        let made = made.clone();
        let asker = self.connection.outbox.clone();
        let progress = Progress::default();
        let shown = ask.progress.then(|| Shown {
            progress: progress.clone(),
            match_id,
            positions,
        });
        let work = move |budget: &Budget<'_>| {
            let cut = Cell::new(false);
            let stop = || {
                let stop = (budget.stop)();
                cut.set(cut.get() || stop);
                stop
            };
            let budget = Budget {
                stop: &stop,
                ..*budget
            };
            progress.set(0);
            let tell = |done| progress.set(done);
            let review = review::Review::with_progress(&referee, &budget, &tell);
            let review = StoredReview::of(&review);
            (review.map(Arc::new), cut.get())
        };
        let question = Question {
            kind: "review",
            heeds_time: true,
            shown,
        };
        self.work_out(id, question, work, move |reply, (review, cut)| {
            made.inc();
            let Ok(review) = review else {
                return reply.refuse(refusal::internal());
            };
            let standing = match cut {
                true => Standing::CutOff(clock.now()),
                // Nobody learns from a match without a move.
                false if has_moves => Standing::New,
                false => Standing::Stored,
            };
            // Whose asker is gone was cut off at any moment, and is nobody's.
            if !cut || !asker.is_gone() {
                reviews.put(match_id, review.clone(), standing);
            }
            match wanted.of(&review) {
                Ok(page) => reply.send(&page),
                Err(error) => reply.refuse(error),
            }
        })
    }

    /// The review of a match whose log is sound, if it was made before, by this version of the solver.
    async fn known_review(&self, id: MatchId) -> Result<Option<Arc<StoredReview>>, ErrorBody> {
        let app = &self.connection.app;
        let sound = app.store.load(id.into(), Seq(0), 1).await;
        sound.map_err(|error| app.matches.unreadable(id, &error))?;
        if let Some(review) = app.reviews.get(id, app.clock.now()) {
            self.count_review("memory");
            return Ok(Some(review));
        }
        let row = match app.store.review(id).await {
            Ok(row) => row.filter(|row| row.version == VERSION),
            Err(error) if error.is_damage() => {
                tracing::error!(%error, %id, "a stored review is made anew");
                None
            }
            Err(error) => return Err(refusal::of_store(&error)),
        };
        let Some(row) = row else {
            return Ok(None);
        };
        match StoredReview::read(row.text) {
            Ok(review) => {
                let review = Arc::new(review);
                app.reviews.put(id, review.clone(), Standing::Stored);
                self.count_review("store");
                Ok(Some(review))
            }
            Err(error) => {
                tracing::error!(%error, %id, "a stored review is made anew");
                Ok(None)
            }
        }
    }

    fn count_review(&self, source: &'static str) {
        let reviews = &self.connection.app.metrics.reviews;
        reviews.get_or_create(&BySource { source }).inc();
    }

    /// A match that may be reviewed: over, and not too long.
    async fn reviewable(&self, match_id: MatchId) -> Result<MatchRow, ErrorBody> {
        let app = &self.connection.app;
        let row = app.store.row(match_id).await;
        let row = row.map_err(|error| app.matches.unreadable(match_id, &error))?;
        let Some(row) = row.filter(|row| self.may_see(row)) else {
            return Err(refusal::no_such_match(&match_id.to_string()));
        };
        if row.status != MatchStatus::Over {
            let words = "the match is still going on: it can be reviewed when it is over";
            return Err(ErrorBody::new(ErrorCode::NotOver, words));
        }
        let most = app.config.current().solver.review_plies;
        if row.plies.0 > most {
            return Err(too_large("the match is too long to be reviewed here")
                .limit(most)
                .got(&row.plies.to_string()));
        }
        app.matches.check(match_id)?;
        let running = sight::is_of_running_pair(&*app.store, &row).await;
        if running.map_err(|error| app.matches.unreadable(match_id, &error))? {
            let words =
                "the rated pair is still in progress: its games can be reviewed when both are over";
            return Err(ErrorBody::new(ErrorCode::NotOver, words));
        }
        Ok(row)
    }
}
