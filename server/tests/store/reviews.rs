//! Reviews that are kept beside the matches.

use grundy_server::store::{Commit, CommitError, MatchRow, MatchStatus, Projection, ReviewRow};
use grundy_shared::ids::Seq;

use crate::desk::{Desk, bodies, conflict, id, new_match, on_every_backend, over};

fn review(version: u32, text: &str) -> ReviewRow {
    ReviewRow {
        version,
        text: text.to_owned(),
    }
}

async fn put(desk: &Desk, of: u64, review: ReviewRow, most_bytes: u64) -> Result<(), CommitError> {
    let kept = Projection::Review {
        match_id: id(of),
        review,
        most_bytes,
    };
    desk.commit(Commit::default().with(kept)).await
}

async fn kept(desk: &Desk, of: u64) -> Option<ReviewRow> {
    desk.store.review(id(of)).await.expect("the store is open")
}

async fn end(desk: &Desk, of: u64) {
    desk.commit(new_match(of)).await.unwrap();
    let end = Commit::append(id(of), Seq(1), bodies([2])).with_row(id(of), over(1, 2));
    desk.commit(end).await.unwrap();
}

#[test]
fn law_19_one_review_of_each_match_that_is_over_within_a_bound() {
    on_every_backend(|desk| async move {
        assert_eq!(kept(&desk, 1).await, None);
        let nowhere = put(&desk, 1, review(1, "a"), 9).await;
        assert_eq!(nowhere, Err(conflict(id(1), 0)));
        desk.commit(new_match(1)).await.unwrap();
        put(&desk, 1, review(1, "early"), 9).await.unwrap();
        assert_eq!(kept(&desk, 1).await, None, "the match is not over");
        for of in 2..=5 {
            end(&desk, of).await;
        }
        put(&desk, 2, review(1, "aaaa"), 10).await.unwrap();
        put(&desk, 3, review(1, "bbb"), 10).await.unwrap();
        assert_eq!(kept(&desk, 2).await, Some(review(1, "aaaa")));
        // One more than fits: the one that was stored first goes.
        put(&desk, 4, review(1, "cccc"), 10).await.unwrap();
        assert_eq!(kept(&desk, 2).await, None);
        assert_eq!(kept(&desk, 3).await, Some(review(1, "bbb")));
        // Replaced, it is the newest, and only its new length counts.
        put(&desk, 3, review(2, "BBBBBB"), 10).await.unwrap();
        assert_eq!(kept(&desk, 3).await, Some(review(2, "BBBBBB")));
        assert_eq!(kept(&desk, 4).await, Some(review(1, "cccc")));
        put(&desk, 5, review(2, "d"), 10).await.unwrap();
        assert_eq!(kept(&desk, 4).await, None);
        assert_eq!(kept(&desk, 3).await, Some(review(2, "BBBBBB")));
        // What is too long alone displaces nothing.
        put(&desk, 5, review(3, "0123456789A"), 10).await.unwrap();
        assert_eq!(kept(&desk, 5).await, Some(review(2, "d")));
        // A smaller bound holds for all that are kept.
        put(&desk, 2, review(3, ""), 0).await.unwrap();
        assert_eq!(kept(&desk, 2).await, Some(review(3, "")));
        assert_eq!(kept(&desk, 3).await, None);
        assert_eq!(kept(&desk, 5).await, None);
    });
}

#[test]
fn a_commit_that_is_refused_keeps_no_review_and_the_bound_holds_after_it() {
    on_every_backend(|desk| async move {
        for of in 1..=3 {
            end(&desk, of).await;
        }
        put(&desk, 1, review(1, "aaaaa"), 10).await.unwrap();
        let kept_beside = Projection::Review {
            match_id: id(2),
            review: review(1, "bbbbb"),
            most_bytes: 10,
        };
        let refused = Commit::append(id(3), Seq(7), bodies([8])).with(kept_beside);
        assert!(desk.commit(refused).await.is_err());
        assert_eq!(kept(&desk, 2).await, None);
        put(&desk, 2, review(1, "bbbbb"), 10).await.unwrap();
        assert_eq!(kept(&desk, 1).await, Some(review(1, "aaaaa")));
        put(&desk, 3, review(1, "c"), 10).await.unwrap();
        assert_eq!(kept(&desk, 1).await, None);
        // A match that goes on is not reviewed.
        let live = MatchRow {
            status: MatchStatus::Live,
            ..over(1, 2)
        };
        let again = Commit::append(id(2), Seq(2), bodies([3])).with_row(id(2), live);
        desk.commit(again).await.unwrap();
        assert_eq!(kept(&desk, 2).await, None);
    });
}
