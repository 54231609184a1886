//! How a review shares its budget: who wins each position comes before how long it lasts.

use std::cell::Cell;

use crate::contest::contest;
use grundy_shared::ids::Seat;
use grundy_shared::review::Review;
use grundy_shared::solver::{Budget, solve};
use grundy_shared::{Move, Position};

/// The review of a match in which each move is the first of a list that is legal, or the first of all, and how often it asked whether to go
/// on; after `most` times it is told to stop. It asks at least once in 1,024 nodes.
fn review(start: &str, tried: &[&str], most: u64) -> (Review, u64) {
    let mut position = Position::parse(start).expect("a position");
    let (mut moves, mut seat) = (Vec::new(), Seat::First);
    while !position.is_over(seat) {
        let read = |text: &&str| position.parse_move(seat, text).ok();
        let named: Option<Move> = tried.iter().find_map(read);
        let mv = named.or_else(|| position.nth_move(seat, 0));
        let mv = mv.expect("the game is not over");
        moves.push(mv.to_string());
        position = position.play(&mv);
        seat = seat.other();
    }
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > most
    };
    let budget = Budget {
        stop: &stop,
        ..Budget::nodes(u64::MAX)
    };
    let review = Review::of(&contest(start, "none", &moves), &budget);
    (review, asked.get())
}

#[test]
fn the_winner_of_every_position_is_found_before_any_length() {
    // Each of 1,201 positions takes a look into one table: far less than a search for how long each of them lasts.
    let (review, asked) = review("kayles:1200", &["A-1"], 20_000);
    assert_eq!(review.unknown_positions, 0, "{asked}");
    assert_eq!(review.plies.len(), 1_201);
    assert!(review.plies.iter().all(|ply| ply.nim_value.is_some()));
    assert!(review.plies[1_200].left == Some(0) && review.plies[1_190].left.is_some());
}

#[test]
fn lengths_that_are_not_found_do_not_use_up_the_budget() {
    let (review, asked) = review("kayles:150", &["A-1"], 60_000);
    assert!(!review.cut_off);
    assert_eq!(review.unknown_positions, 0);
    let missing = review.plies.iter().filter(|ply| ply.left.is_none()).count();
    assert!(missing > 0, "all lengths are known");
    assert!(missing < review.plies.len(), "no length is known");
    assert!(asked < 55_000, "{asked}");
}

#[test]
fn what_was_found_of_later_positions_gives_the_lengths_of_earlier_ones() {
    let (review, asked) = review("wythoff:400,400", &["A-1", "B-1"], 60_000);
    assert!(review.plies.iter().all(|ply| ply.left.is_some()));
    assert!(!review.cut_off, "{asked}");
}

#[test]
fn lengths_found_for_all_positions_together_are_those_of_each_alone() {
    for (start, tried) in [
        ("kayles:24", &["A-1"][..]),
        ("kayles:9,8,7", &["A-2/3,4"]),
        ("kayles:5,4@misere", &["A-1"]),
        ("wythoff:13,17", &["AB-1"]),
        ("wythoff:12,12@misere", &["A-1"]),
        ("nim:3,4,5@misere", &["A-1"]),
        ("nim:5,6+kayles:7", &["1.A-1"]),
        ("nim:3+kayles:5@selective", &[]),
        ("nim:3+kayles:4@conjunctive", &[]),
        ("nim:2,3+nim:3,4@every", &[]),
        ("nim:3+kayles:6@shortsum", &[]),
        ("domineering:..../..../....", &[]),
        ("cram:..../....", &[]),
        ("grundy:15", &[]),
    ] {
        let (review, _) = review(start, tried, u64::MAX);
        let mut position = Position::parse(start).expect("a position");
        for (ply, seat) in review.plies.iter().zip(Seat::BOTH.into_iter().cycle()) {
            if let Some(mv) = &ply.mv {
                let mv = position.parse_move(seat.other(), mv).expect("legal");
                position = position.play(&mv);
            }
            let alone = solve(&position, seat, &Budget::nodes(50_000_000), 0);
            assert_eq!(ply.left, alone.remoteness, "{start} {position}");
            assert_eq!(ply.nim_value, alone.nim_value, "{start} {position}");
        }
    }
}
