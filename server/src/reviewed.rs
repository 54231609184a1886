//! What the solver says as readers may have it, by the protocol and on pages: who may ask, which match may be reviewed, and its review if that is known.

use std::sync::Arc;

use grundy_shared::ids::{MatchId, PlayerId, Seq};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_shared::review::StoredReview;
use grundy_shared::solver::VERSION;

use crate::analysis::reviews::Standing;
use crate::app::App;
use crate::matches::{refusal, sight};
use crate::metrics::BySource;
use crate::store::{MatchRow, MatchStatus};

/// A match that this viewer may see, if it may be reviewed: it is over, not too long, and not the first of a rated pair that goes on.
///
/// # Errors
/// There is no such match for this viewer, it may not be reviewed now or at all, or the store cannot be read.
pub async fn reviewable(
    app: &App,
    viewer: PlayerId,
    match_id: MatchId,
) -> Result<MatchRow, ErrorBody> {
    let row = app.store.row(match_id).await;
    let row = row.map_err(|error| app.matches.unreadable(match_id, &error))?;
    let Some(row) = row.filter(|row| row.is_seen_by(viewer)) else {
        return Err(refusal::no_such_match(&match_id.to_string()));
    };
    if row.status != MatchStatus::Over {
        let words = "the match is still going on: it can be reviewed when it is over";
        return Err(ErrorBody::new(ErrorCode::NotOver, words));
    }
    let most = app.config.current().solver.review_plies;
    if row.plies.0 > most {
        let words = "the match is too long to be reviewed here";
        return Err(ErrorBody::new(ErrorCode::AnalysisTooLarge, words)
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

/// The review of a match whose log is sound, if it was made before, by this version of the solver.
///
/// # Errors
/// The store cannot be read, or the log of the match is damaged.
pub async fn known(app: &App, id: MatchId) -> Result<Option<Arc<StoredReview>>, ErrorBody> {
    let sound = app.store.load(id.into(), Seq(0), 1).await;
    sound.map_err(|error| app.matches.unreadable(id, &error))?;
    if let Some(review) = app.reviews.get(id, app.clock.now()) {
        count(app, "memory");
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
            count(app, "store");
            Ok(Some(review))
        }
        Err(error) => {
            tracing::error!(%error, %id, "a stored review is made anew");
            Ok(None)
        }
    }
}

/// Counts a review that need not be made.
fn count(app: &App, source: &'static str) {
    let reviews = &app.metrics.reviews;
    reviews.get_or_create(&BySource { source }).inc();
}
