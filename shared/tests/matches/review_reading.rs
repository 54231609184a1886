//! A review that is read from its JSON is the review that was written, to the last digit.

use grundy_shared::Position;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::{Ply, Seat};
use grundy_shared::review::Review;
use grundy_shared::solver::Budget;

use crate::contest::contest;

/// The review of a match from this start, in which the moves are chosen by a step through their list.
fn review(start: &str, step: u128, plies: u128) -> Review {
    let mut position = Position::parse(start).unwrap_or_else(|error| panic!("{start}: {error:?}"));
    let start = position.to_string();
    let (mut moves, mut seat, mut seen) = (Vec::new(), Seat::First, Vec::new());
    for ply in 1..=plies {
        let Some(choice) = (ply * step).checked_rem(position.move_count(seat)) else {
            break;
        };
        // A repetition ends the match.
        if seen.contains(&(position.clone(), seat)) {
            break;
        }
        seen.push((position.clone(), seat));
        let mv = position.nth_move(seat, choice).expect("below the count");
        moves.push(mv.to_string());
        position = position.play(&mv);
        seat = seat.other();
    }
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    Review::of(&contest(&start, "none", &moves), &Budget::nodes(20_000))
}

#[test]
fn a_review_of_any_game_is_read_as_it_was_written() {
    let compounds = [
        "nim:3,4+kayles:5",
        "nim:2,3+nim:3,4@every",
        "nim:3+kayles:4@conjunctive",
        "hack:0-1,0r2,0b3+domineering:../..",
        "kayles:6,3@misere",
        "nim:4,2+kayles:5@selective",
        "nim:5,3+kayles:4@zero",
        // Values above 2^53-1 are written as text.
        "nim:1000000000000000000,999999999999999999,7",
    ];
    let games = REGISTRY.iter().map(|info| info.examples[0]);
    let mut reasons = 0;
    for start in games.chain(compounds) {
        for step in [5, 3, 1] {
            let review = review(start, step, 10);
            let text = serde_json::to_string(&review).expect("a review is JSON");
            let again =
                Review::read(&text).unwrap_or_else(|error| panic!("{start}: {error}\n{text}"));
            assert_eq!(again, review, "{start}");
            let written = serde_json::to_string(&again).expect("a review is JSON");
            assert_eq!(written, text, "{start}");
            reasons += review
                .turning_points
                .iter()
                .filter(|point| point.why.is_some())
                .count();
        }
    }
    assert!(reasons > 60, "only {reasons} reasons were read");
}

#[test]
fn pages_put_together_are_the_review() {
    let whole = review("nim:9,8,7,6", 3, 30);
    assert!(whole.turning_points.len() > 1);
    let page = |after| {
        let page = whole.page(after, 4);
        let text = serde_json::to_string(&page).expect("a page is JSON");
        Review::read(&text).expect("a page is read as a review")
    };
    let mut read = page(None);
    while !read.has_all_plies() {
        let last = read.plies.last().expect("a page has plies").ply;
        read.add_page(page(Some(Ply(last.0))));
    }
    assert_eq!(read, whole);
    let other = serde_json::to_string(&whole).expect("a review is JSON");
    let other = other.replace("grundy/review/2", "grundy/review/9");
    let error = Review::read(&other).expect_err("another form");
    assert!(error.to_string().contains("grundy/review/9"), "{error}");
}
