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

ply who    move          Ada wins now   :bo-bot wins now  left val time
  0        start        |               A               |   15   4
  1 Ada    D-4          |              A:               |   14   0 1.0s
  2 bo-bot C-1       !? |           A   :               |   11   3 1.0s
  3 Ada    B-4       ?? |               :       B       |    7   7 1.0s
  4 bo-bot C-3       !! |               :        B      |    6   0 1.0s
  5 Ada    D-1       !? |               :         B     |    5   1 1.0s
  6 bo-bot C-2       ?? |   A           :               |    3   3 1.0s
  7 Ada    D-1       !  |  A            :               |    2   0 1.0s
  8 bo-bot A-1          | A             :               |    1   1 1.0s
  9 Ada    D-1       [] |A              :               |    0   0 1.0s

A: Ada wins, B: bo-bot wins; the closer to the edge, the fewer plies remain.
Marks: !! the only winning move of three or more, and hard to see; ! the only winning move of three or more; !? lost, but the best try: at least 4 of 5 replies throw the win back; ?? gave away the win or the draw; [] the only move.

        chances kept   bits found           !!   !  !?  ?!  ??  []
Ada     3 of 4         4.2 of 7.9     53%   0   1   1   0   1   1
bo-bot  1 of 2         3.2 of 5.5     58%   1   0   1   0   1   0

        skill (95% interval)   resistance         time
Ada     0.56 (0.00 to 0.97)    0.8 of 0.8  100%   5.0s
bo-bot  0.44 (0.00 to 0.96)    0.9 of 0.9  100%   4.0s

What a sign or a figure means: grundy explain '??' (or left, val, bits, skill, resistance).

Why ply 3, Ada to move:
  nim:1,4,5,3: the player to move wins.
    The nim-values are A 1, B 4, C 5, D 3; their xor is 3, not 0, so the player to move wins.

  B-4 loses: it gives the win away.
    It makes heap B smaller, from 4 to 0.
    It leaves nim:1,0,5,3, where the opponent is to move and wins.
      The nim-values are A 1, C 5, D 3; their xor is 7, not 0, so the player to move wins.
    The winning reply is C-3.
      It makes heap C smaller, from 5 to 2.
      It leaves nim:1,0,2,3, where you are to move and lose.
        The nim-values are A 1, C 2, D 3; their xor is 0, so the player to move loses.

  D-3 is the best move: it wins.
    It makes heap D smaller, from 3 to 0.
    It leaves nim:1,4,5,0, where the opponent is to move and loses.
      The nim-values are A 1, B 4, C 5; their xor is 0, so the player to move loses.
  B-4 was answered by C-3.
";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("  C-2 was answered by D-1.\n"), "{text}");
    assert!(text.is_ascii());
}

/// Sentences are broken by whoever prints them; everything else has to fit.
#[test]
fn tables_fit_screens_of_40_to_200_columns() {
    let long = ["A-1"; 60];
    let matches = [
        contest("nim:1,4,6,7", "3+2", &MOVES),
        contest("nim:60", "none", &long),
        contest("kayles:90,80", "none", &["A-2/40,48", "B-1/9,70"]),
        contest(
            "cram:......./......./......./......./.......",
            "none",
            &["1:1-1:2"],
        ),
    ];
    for referee in &matches {
        // Too little for the last one: its graph is replaced by a question, and bars.
        let review = Review::of(referee, &Budget::nodes(20_000));
        for width in 40..=200 {
            let text = review.text(width);
            let is_sentence = |line: &&str| {
                let word = line.split(' ').next().unwrap_or_default();
                [
                    "A:", "Marks:", "Ada", "Ada:", "bo-bot:", "Methods", "=:", "?:",
                ]
                .contains(&word)
                    || line.starts_with("  ")
                    || line.ends_with('.')
            };
            let table = text.lines().filter(|line| line.contains('|'));
            let rest = text.lines().filter(|line| !is_sentence(line));
            for line in table.chain(rest) {
                assert!(line.len() <= width, "{width}\n{line}\n{text}");
            }
            let rows = text.lines().filter(|line| line.matches('|').count() == 2);
            assert_eq!(rows.count(), review.plies.len(), "{width}\n{text}");
        }
    }
}

/// Text, picture and JSON print one structure.
#[test]
fn the_picture_says_what_the_text_says() {
    let review = review();
    let svg = review.svg();
    let told: Vec<&str> = svg
        .split("<title>")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once("</title>")?.0))
        .collect();
    let name = |seat: Option<Seat>| seat.map(|seat| ["Ada", "bo-bot"][seat.index()]);
    let expected: Vec<String> = review
        .plies
        .iter()
        .map(|ply| {
            let mark = ply.mark.map_or(String::new(), |mark| format!(" {mark}"));
            let made = match (&ply.mv, name(ply.seat)) {
                (Some(mv), Some(who)) => format!("{}. {who} {mv}{mark}", ply.ply),
                _ => "start".to_owned(),
            };
            let wins = name(ply.wins.and_then(Outcome::winner)).expect("decided");
            let (left, value) = (ply.left.expect("known"), ply.nim_value.expect("known"));
            format!("{made}: {wins} wins, {left} left, nim-value {value}")
        })
        .collect();
    assert_eq!(told, expected);
    assert_eq!(
        svg.matches("class=\"turn\"").count(),
        review.turning_points.len()
    );
    // The points of the first player's wins are left of the middle, at 180.
    let places = svg
        .split("cx=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    for x in places.map(|x| x.parse::<f64>().expect("a number")) {
        assert!(x < 180.0, "{svg}");
    }
}

#[test]
fn the_time_of_a_move_is_that_of_its_clock_or_of_the_events() {
    let spent = |referee| {
        let review = Review::of(&referee, &Budget::nodes(1_000));
        let plies = review.plies.into_iter().skip(1);
        plies
            .map(|ply| ply.spent_ms.map(|spent| spent.0))
            .collect::<Vec<_>>()
    };
    // A second each, and on a clock also the first.
    let [clock, none] = ["3+2", "none"].map(|clock| spent(contest("nim:3,4", clock, &["A-1"; 3])));
    assert_eq!(clock, [Some(1_000); 3]);
    assert_eq!(none, [None, Some(1_000), Some(1_000)]);
}

#[test]
fn the_json_says_what_the_text_says() {
    let json = serde_json::to_value(review()).expect("a review has only string keys");
    assert_eq!(json["schema"], "grundy/review/2");
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
