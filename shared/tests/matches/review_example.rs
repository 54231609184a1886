//! The worked example of a review, number by number, and its text.

use crate::contest::{command, contest, id};
use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::ids::{Ply, Seat};
use grundy_shared::referee::Command;
use grundy_shared::review::{Mark, Review};
use grundy_shared::solver::Budget;

const MOVES: [&str; 9] = [
    "D-4", "C-1", "B-4", "C-3", "D-1", "C-2", "D-1", "A-1", "D-1",
];

fn review() -> Review {
    let referee = contest("nim:1,4,6,7", "3+2", &MOVES);
    assert_eq!(
        referee.outcome(),
        Some((Outcome::First, EndReason::LastMove))
    );
    Review::of(&referee, &Budget::nodes(1_000_000))
}

#[test]
fn every_number_of_the_example_is_as_computed_by_hand() {
    let review = review();
    let column = |of: fn(&grundy_shared::review::PlyReview) -> Option<u64>| -> Vec<u64> {
        let values: Option<Vec<u64>> = review.plies.iter().map(of).collect();
        values.expect("all are known")
    };
    assert_eq!(column(|ply| ply.left), [15, 14, 11, 7, 6, 5, 3, 2, 1, 0]);
    assert_eq!(column(|ply| ply.nim_value), [4, 0, 3, 7, 0, 1, 3, 0, 1, 0]);
    assert_eq!(
        review.marks(),
        ["", "!?", "??", "!!", "!?", "??", "!", "", "[]"]
    );
    let wins: String = review
        .plies
        .iter()
        .map(|ply| match ply.wins {
            Some(Outcome::First) => 'A',
            Some(Outcome::Second) => 'B',
            _ => '?',
        })
        .collect();
    assert_eq!(wins, "AAABBBAAAA");

    let [ada, bo] = Seat::BOTH.map(|seat| review.summary.of(seat));
    assert_eq!(
        [(ada.kept, ada.chances), (bo.kept, bo.chances)],
        [(3, 4), (1, 2)]
    );
    let bits = [
        ada.bits_found,
        ada.bits_offered,
        bo.bits_found,
        bo.bits_offered,
    ];
    assert_eq!(
        bits.map(|bits| format!("{bits:.1}")),
        ["4.2", "7.9", "3.2", "5.5"]
    );
    let counts = [ada, bo].map(|summary| Mark::ALL.map(|mark| summary.marks.of(mark)));
    assert_eq!(counts, [[0, 1, 1, 0, 1, 1], [1, 0, 1, 0, 1, 0]]);
    assert_eq!(
        [Seat::First, Seat::Second].map(|seat| review.blunders(seat)),
        [1, 1]
    );
    assert_eq!(review.decisive_ply, Some(Ply(6)));
}

#[test]
fn the_text_is_the_one_agreed_on() {
    let text = review().to_string();
    let expected = "\
Ada 1-0 bo-bot   nim:1,4,6,7   normal play   9 plies   3m+2s   1970-01-01

Turning points
  3. Ada     B-4 ??   only D-3 would have kept the win (1 of 13)   Ada -> bo-bot
  6. bo-bot  C-2 ??   only A-1 would have kept the win (1 of 5)    bo-bot -> Ada   decisive

ply who    move          Ada wins now   :bo-bot wins now  left val
  0        start        |               A               |   15   4
  1 Ada    D-4          |              A:               |   14   0
  2 bo-bot C-1       !? |           A   :               |   11   3
  3 Ada    B-4       ?? |               :       B       |    7   7
  4 bo-bot C-3       !! |               :        B      |    6   0
  5 Ada    D-1       !? |               :         B     |    5   1
  6 bo-bot C-2       ?? |   A           :               |    3   3
  7 Ada    D-1       !  |  A            :               |    2   0
  8 bo-bot A-1          | A             :               |    1   1
  9 Ada    D-1       [] |A              :               |    0   0

A: Ada wins, B: bo-bot wins; the closer to the edge, the fewer plies remain.

        chances kept   bits found           !!   !  !?  ?!  ??  []
Ada     3 of 4         4.2 of 7.9     53%   0   1   1   0   1   1
bo-bot  1 of 2         3.2 of 5.5     58%   1   0   1   0   1   0

Why ply 3: nim:1,4,5,3
";
    assert!(text.starts_with(expected), "{text}");
    assert!(
        text.contains("  B-4 left nim-value 7, and C-3 answered it.\n"),
        "{text}"
    );
    assert!(
        text.contains("  C-2 left nim-value 3, and D-1 answered it.\n"),
        "{text}"
    );
    assert!(text.is_ascii());
}

#[test]
fn the_json_says_what_the_text_says() {
    let json = serde_json::to_value(review()).expect("a review has only string keys");
    assert_eq!(json["schema"], "grundy/review/1");
    assert_eq!(json["plies"][4]["mark"], "!!");
    assert_eq!(json["plies"][4]["winning_moves"], 1);
    assert_eq!(json["plies"][4]["legal_moves"], 9);
    assert_eq!(json["plies"][3]["wins"], "second");
    assert_eq!(json["turning_points"][0]["winning_moves"][0], "D-3");
    assert_eq!(json["summary"]["second"]["marks"]["??"], 1);
    assert_eq!(json["decisive_ply"], 6);
}

/// The moves, then this command: the line of the result, and what is said of turning points.
fn ended(start: &str, clock: &str, moves: &[&str], end: &Command, at: u64) -> (String, String) {
    let mut referee = contest(start, clock, moves);
    command(&mut referee, at, end);
    let text = Review::of(&referee, &Budget::nodes(1_000_000)).to_string();
    let head = text.split("   ").next().expect("a first line").to_owned();
    let (_, points) = text.split_once("Turning points\n").expect("the heading");
    let (points, _) = points.split_once("\n\n").expect("the table");
    (head, points.to_owned())
}

#[test]
fn a_win_that_is_given_up_is_told() {
    let resign = |seat| Command::Resign { player: id(seat) };
    let said = |head: &str, points: &str| (head.to_owned(), points.to_owned());
    // Nim 1,2,2 after A-1: 2,2 is lost for bo-bot, who moves next.
    assert_eq!(
        ended("nim:1,2,2", "none", &["A-1"], &resign(Seat::First), 9_000),
        said(
            "Ada 0-1 bo-bot by resignation",
            "  none by a move\n  Ada gave up in a won position   decisive"
        )
    );
    assert_eq!(
        ended("nim:1,2,2", "none", &["A-1"], &resign(Seat::Second), 9_000),
        said(
            "Ada 1-0 bo-bot by resignation",
            "  none: the player with the win never gave it away"
        )
    );
    let (head, points) = ended("nim:1,2,2", "none", &["B-1"], &resign(Seat::Second), 9_000);
    assert_eq!(head, "Ada 1-0 bo-bot by resignation");
    assert!(points.contains("Ada  B-1 ??"), "{points}");
    assert_eq!(points.matches("decisive").count(), 1);
    assert!(
        points.ends_with("\n  bo-bot gave up in a won position   decisive"),
        "{points}"
    );
    let flag = Command::ClockCheck;
    assert_eq!(
        ended("nim:1,2,2", "10s+0", &["A-1", "B-1"], &flag, 99_000),
        said(
            "Ada 0-1 bo-bot on time",
            "  none by a move\n  Ada ran out of time in a won position   decisive"
        )
    );
}

#[test]
fn who_never_held_a_win_did_not_keep_one() {
    let referee = contest("loopy.0-1.1-0:0", "none", &["0-1", "1-0", "0-1", "1-0"]);
    assert_eq!(
        referee.outcome(),
        Some((Outcome::Draw, EndReason::Repetition))
    );
    let text = Review::of(&referee, &Budget::nodes(1_000_000)).to_string();
    assert!(
        text.starts_with("Ada 1/2-1/2 bo-bot by repetition   "),
        "{text}"
    );
    assert!(
        text.contains("\n  none: neither player ever had a won position\n"),
        "{text}"
    );
}

#[test]
fn a_page_has_its_plies_and_turning_points_and_the_whole_summary() {
    let review = review();
    let page = review.page(None, 4);
    assert_eq!(page.plies, review.plies[..4]);
    assert_eq!(page.turning_points, review.turning_points[..1]);
    assert_eq!(page.summary, review.summary);
    let page = review.page(Some(Ply(3)), 100);
    assert_eq!(page.plies, review.plies[4..]);
    assert_eq!(page.turning_points, review.turning_points[1..]);
}

#[test]
fn integers_that_a_json_reader_may_not_keep_are_text() {
    let large = contest("nim:1000000000000000000,3", "none", &["A-1"]);
    let json = serde_json::to_value(Review::of(&large, &Budget::nodes(1_000)));
    let json = json.expect("a review has only string keys");
    assert_eq!(json["plies"][1]["nim_value"], "999999999999999996");
    assert_eq!(
        json["turning_points"][0]["left_value"],
        "999999999999999996"
    );
    assert_eq!(json["plies"][0]["left"], 7);
}
