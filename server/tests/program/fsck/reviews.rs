//! Reviews that are kept beside the matches.

use std::path::Path;

use grundy_server::fsck::{Problem, fsck};
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{Commit, Lease, Mistakes, Projection, ReviewRow, Store};
use grundy_shared::event::Event;
use grundy_shared::ids::MatchId;
use grundy_shared::referee::Referee;
use grundy_shared::review::{Review, StoredReview};
use grundy_shared::solver::{Budget, VERSION};
use sqlx::Connection;

use super::{database, tamper};
use crate::blobs::other_hand;
use crate::played::{self, Played};

/// What the solver of this program says of a match.
pub(super) fn review_of(played: &Played) -> ReviewRow {
    let bodies = played.steps.iter().flat_map(|step| &step.events);
    let events: Vec<Event> = bodies
        .map(|body| serde_json::from_str(body).expect("an event"))
        .collect();
    let referee = Referee::replay(&events).expect("a lawful match");
    let review = Review::of(&referee, &Budget::nodes(100_000));
    let stored = StoredReview::of(&review).expect("a review is JSON");
    ReviewRow {
        version: VERSION,
        text: stored.as_str().to_owned(),
    }
}

/// Keeps the review of a match.
pub(super) async fn keep(store: &dyn Store, lease: Lease, of: u64, review: ReviewRow) {
    let kept = Projection::Review {
        match_id: MatchId::from_random(of),
        review,
        most_bytes: 1_000_000,
    };
    let kept = Commit::default().with(kept);
    played::commit(store, lease, kept).await.expect("kept");
}

/// Why the reviews do not fit their matches.
async fn wrong(path: &Path) -> Vec<(Option<MatchId>, String)> {
    let report = fsck(path).await.expect("it can be checked");
    let wrong = report.findings.into_iter().filter_map(|finding| {
        match finding.problem {
            Problem::BadValue { table, why, .. } if table == "review" => Some((finding.id, why)),
            // The other hand has left no sum.
            Problem::ChangedRows { .. } => None,
            other => panic!("{other}"),
        }
    });
    wrong.collect()
}

#[tokio::test]
async fn a_review_fits_its_match_and_an_older_one_is_not_looked_into() {
    let (_directory, path) = database().await;
    let store = SqliteStore::open(&path).await.expect("a store");
    let lease = played::lease(&store).await;
    let first = review_of(&played::match_of(1, "nim:2,3"));
    let older = ReviewRow {
        version: VERSION - 1,
        text: "what an older solver said".to_owned(),
    };
    keep(&store, lease, 1, first.clone()).await;
    keep(&store, lease, 2, older).await;
    store.close().await;
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report}");

    let named = |of| Some(MatchId::from_random(of));
    let current = format!("UPDATE review SET solver = {VERSION} WHERE match = 2");
    tamper(&path, &current).await;
    let found = wrong(&path).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == named(2) && found[0].1.starts_with("this is no stored review"));

    // The review of another match.
    let other = review_of(&played::match_of(9, "nim:1"));
    let mut connection = other_hand(&path).await;
    sqlx::query("UPDATE review SET body = ?1, bytes = ?2 WHERE match = 2")
        .bind(other.text.clone())
        .bind(other.text.len() as i64)
        .execute(&mut connection)
        .await
        .expect("a row");
    connection.close().await.expect("closed");
    let found = wrong(&path).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.starts_with("it is of 1 moves"), "{found:?}");

    tamper(&path, "UPDATE review SET bytes = bytes + 1 WHERE match = 2").await;
    let found = wrong(&path).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.contains("bytes, not"), "{found:?}");
    tamper(&path, "UPDATE review SET match = 3 WHERE match = 2").await;
    tamper(&path, "UPDATE review SET bytes = bytes - 1 WHERE match = 3").await;
    let found = wrong(&path).await;
    assert_eq!(found, [(named(3), "the match is not over".to_owned())]);
}

#[tokio::test]
async fn a_review_and_the_count_of_mistakes_agree() {
    let (_directory, path) = database().await;
    let store = SqliteStore::open(&path).await.expect("a store");
    let lease = played::lease(&store).await;
    let played = played::match_of(1, "nim:2,3");
    let review = review_of(&played);
    let read = StoredReview::read(review.text.clone()).expect("a review");
    let counted = read.mistakes().expect("readable").expect("all is solved");
    keep(&store, lease, 1, review).await;
    let mistakes = |counts| Projection::Mistakes {
        match_id: MatchId::from_random(1),
        mistakes: Mistakes::Known(counts),
    };
    let agrees = Commit::default().with(mistakes(counted));
    played::commit(&store, lease, agrees).await.expect("kept");
    store.close().await;
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report}");

    let store = SqliteStore::open(&path).await.expect("a store");
    let lease = played::lease(&store).await;
    let differs = Commit::default().with(mistakes([counted[0], counted[1] + 1]));
    played::commit(&store, lease, differs).await.expect("kept");
    store.close().await;
    let report = fsck(&path).await.expect("it can be checked");
    let says = report.to_string();
    assert!(says.contains("the match has"), "{says}");
}

#[tokio::test]
async fn a_database_from_before_the_reviews_is_taken_over() {
    let (_directory, path) = database().await;
    // As the server before left it.
    tamper(
        &path,
        "ALTER TABLE player DROP COLUMN known; DROP TABLE review; DROP TABLE puzzle; DROP TABLE solver; DROP TABLE puzzle_attempt; \
         DELETE FROM _sqlx_migrations WHERE version >= 19; \
         DELETE FROM table_sum WHERE name IN ('player', 'review', 'puzzle', 'solver', 'puzzle_attempt', 'sqlite_schema', '_sqlx_migrations')",
    )
    .await;
    assert!(fsck(&path).await.is_err(), "it has an older schema");
    let store = SqliteStore::open(&path).await.expect("it is taken over");
    let lease = played::lease(&store).await;
    let id = MatchId::from_random(1);
    assert_eq!(store.review(id).await, Ok(None));
    let review = review_of(&played::match_of(1, "nim:2,3"));
    keep(&store, lease, 1, review.clone()).await;
    store.close().await;
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
    let store = SqliteStore::open(&path).await.expect("a store");
    assert_eq!(store.review(id).await, Ok(Some(review)));
    store.close().await;
}
