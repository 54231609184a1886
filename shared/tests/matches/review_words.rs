//! The words of a review about what is rare: draws, gaps, and the turning points of one player.

use crate::contest::{command, contest, id};
use grundy_shared::ids::Seat;
use grundy_shared::referee::Command;
use grundy_shared::review::Review;
use grundy_shared::solver::Budget;

fn review(start: &str, moves: &[&str], nodes: u64) -> Review {
    Review::of(&contest(start, "none", moves), &Budget::nodes(nodes))
}

/// The review with only the turning points of one player, as the client shows it.
fn of_player(mut review: Review, seat: Seat) -> Review {
    review.turning_points.retain(|point| point.seat == seat);
    review
}

#[test]
fn the_legend_names_every_sign_that_occurs() {
    let drawn = review("loopy.0-1.1-0:0", &["0-1", "1-0"], 1_000_000).to_string();
    assert!(
        drawn.contains("|               =               |"),
        "{drawn}"
    );
    assert!(drawn.contains("\n=: a draw with best play.\n"), "{drawn}");
    let open = "cram:......./......./......./......./.......";
    let open = review(open, &["1:1-1:2"], 1_000).to_string();
    assert!(open.contains("|               ?               |"), "{open}");
    assert!(
        open.contains("\n?: not found within the budget.\n"),
        "{open}"
    );
    let plain = review("nim:3,4,5", &["A-2"], 1_000_000).to_string();
    assert!(!plain.contains("=: ") && !plain.contains("?: "), "{plain}");
}

#[test]
fn a_gap_names_the_methods_once_and_what_to_do() {
    let open = "cram:......./......./......./......./.......";
    let text = review(open, &["1:1-1:2"], 1_000).to_string();
    assert!(text.contains("\nMethods tried: "), "{text}");
    assert!(!text.contains("ried: tried"), "{text}");
    assert!(
        text.contains("\nTo give them more time, use --budget.\n"),
        "{text}"
    );
}

#[test]
fn the_player_without_a_mistake_is_named_and_not_the_one_with_the_win() {
    // Ada gives the win away, and bo-bot takes it.
    let whole = review("nim:3,1", &["A-3", "B-1"], 1_000_000);
    assert_eq!(whole.blunders(Seat::First), 1);
    let text = of_player(whole.clone(), Seat::Second).to_string();
    assert!(
        text.contains("\nTurning points\n  none: bo-bot never gave a win away\n"),
        "{text}"
    );
    let text = of_player(whole, Seat::First).to_string();
    assert!(text.contains("Ada  A-3 ??"), "{text}");

    // Who gives up a won position made no wrong move.
    let mut given_up = contest("nim:3,1", "none", &["A-3"]);
    command(
        &mut given_up,
        9_000,
        &Command::Resign {
            player: id(Seat::Second),
        },
    );
    let given_up = Review::of(&given_up, &Budget::nodes(1_000_000));
    let text = of_player(given_up, Seat::Second).to_string();
    assert!(
        text.contains("\n  none by a move\n  bo-bot gave up in a won position"),
        "{text}"
    );
}
