//! Pages that are cut from the text of a review, beside those of the review itself.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{Ply, Seat};
use grundy_shared::referee::Referee;
use grundy_shared::review::{self, Review, StoredReview};
use grundy_shared::solver::Budget;
use serde_json::Value;

use crate::contest::contest;

/// A match of fourteen moves in which wins go to and fro.
fn referee() -> Referee {
    let moves = [
        "A-1", "B-1", "C-1", "A-1", "B-1", "C-1", "A-1", "B-1", "C-1", "C-1", "C-1", "B-1", "B-1",
        "C-1",
    ];
    contest("nim:3,5,6", "3m+2s", &moves)
}

fn reviewed() -> (Review, StoredReview) {
    let review = Review::of(&referee(), &Budget::nodes(1_000_000));
    let stored = StoredReview::of(&review).expect("a review is JSON");
    (review, stored)
}

fn players(review: &Review) -> [Option<PlayerInfo>; 2] {
    Seat::BOTH.map(|seat| review.player(seat).cloned())
}

#[test]
fn pages_are_those_of_the_review_byte_for_byte() {
    let (review, stored) = reviewed();
    assert!(review.turning_points.len() >= 3);
    for after in 0..16 {
        for count in 1..17 {
            let expected = match Ply(after) {
                Ply(0) => review.page(None, count + 1),
                after => review.page(Some(after), count),
            };
            let page = stored
                .page(players(&review), Ply(after), count, usize::MAX)
                .expect("it was written by this program")
                .expect("there is room");
            let text = serde_json::to_string(&expected).expect("a review is JSON");
            assert_eq!(page.review.get(), text, "{count} after {after}");
            let last = expected.plies.last().map(|ply| ply.ply);
            let next = last.filter(|last| last.0 < review.plies_total);
            assert_eq!(page.next_after, next);
        }
    }
}

#[test]
fn little_room_makes_short_pages_and_loses_no_ply() {
    let (review, stored) = reviewed();
    let whole = serde_json::to_string(&review)
        .expect("a review is JSON")
        .len();
    let mut least = None;
    for room in (0..whole + 200).step_by(97) {
        let (mut after, mut plies, mut points) = (Ply(0), Vec::new(), Vec::new());
        loop {
            let page = stored.page(players(&review), after, 50, room);
            let Some(page) = page.expect("it was written by this program") else {
                assert!(least.is_none(), "more room is enough as well");
                break;
            };
            assert!(page.review.get().len() <= room);
            let json: Value = serde_json::from_str(page.review.get()).expect("JSON");
            let of = |field: &str| json[field].as_array().expect("a list").clone();
            plies.extend(of("plies"));
            points.extend(of("turning_points"));
            match page.next_after {
                Some(next) => {
                    assert!(next > after, "each page goes on");
                    after = next;
                }
                None => {
                    assert_eq!(plies.len(), review.plies.len());
                    assert_eq!(points.len(), review.turning_points.len());
                    least.get_or_insert(room);
                    break;
                }
            }
        }
    }
    assert!(least.is_some_and(|least| least < whole / 2));
}

#[test]
fn no_name_is_kept_and_mistakes_are_counted_from_the_text() {
    let (review, stored) = reviewed();
    for player in players(&review).into_iter().flatten() {
        assert!(!stored.as_str().contains(&player.name));
        assert!(!stored.as_str().contains(&player.id.to_string()));
    }
    let again = StoredReview::read(stored.as_str().to_owned()).expect("it was written here");
    assert_eq!(again, stored);
    assert_eq!(stored.plies_total(), Ok(review.plies_total));
    let counted = review::mistakes(&referee(), &Budget::nodes(1_000_000));
    assert!(counted.is_some_and(|counts| counts[0] + counts[1] >= 3));
    assert_eq!(stored.mistakes(), Ok(counted));
    let starved = Review::of(&referee(), &Budget::nodes(0));
    let starved = StoredReview::of(&starved).expect("a review is JSON");
    let unknown = review::mistakes(&referee(), &Budget::nodes(0));
    assert_eq!(starved.mistakes(), Ok(unknown));
}

#[test]
fn a_text_that_is_no_whole_review_is_refused() {
    let (review, stored) = reviewed();
    let text = stored.as_str();
    let one_page = serde_json::to_string(&review.page(Some(Ply(3)), 2)).expect("JSON");
    let named = serde_json::to_string(&review).expect("JSON");
    let bad = [
        String::new(),
        "null".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
        text[..text.len() - 1].to_owned(),
        text.replace("\"misere\":false", "\"misere\":1"),
        text.replacen('{', "{\"more\":1,", 1),
        text.replace("\"turning_points\":[", "\"turning_points\":[{},"),
        one_page,
        named,
    ];
    for text in bad {
        assert!(StoredReview::read(text.clone()).is_err(), "{text}");
    }
}
