//! Reviews of finished matches: from memory, from the store, or from the solver's threads.

use std::cell::Cell;
use std::sync::Arc;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Ply};
use grundy_shared::protocol::client::Review;
use grundy_shared::protocol::{ErrorBody, Reply};
use grundy_shared::review::{self, StoredReview};
use grundy_shared::solver::Budget;

use super::answers::{Question, page_limit, too_large};
use super::player::Player;
use super::requests::match_id;
use super::running::Shown;
use super::socket::Socket;
use crate::analysis::Progress;
use crate::analysis::reviews::Standing;
use crate::matches::refusal;
use crate::metrics::BySource;
use crate::reviewed;

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
        let app = &self.connection.app;
        let row = reviewed::reviewable(app, self.info.id, match_id).await?;
        let has_moves = row.plies > Ply(0);
        let positions = row.plies.0.saturating_add(1);
        let wanted = Wanted {
            match_id,
            players: [row.first, row.second],
            after: ask.after_ply,
            limit,
            room: self.room(),
        };
        if let Some(review) = reviewed::known(app, match_id).await? {
            return wanted.of(&review).map(Some);
        }
        let referee = app.matches.replay(self.owner(), match_id).await?;
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
}
