//! Loopy games against going over all positions until nothing changes; matches of them, and who plays them.

use std::collections::HashMap;

use crate::board_games::no_move;
use crate::contest::contest;
use crate::drawing::{Chance, drawn};
use crate::notation::refused;
use crate::truth::fates;
use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::conformance::check_notation;
use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;
use grundy_shared::review::Review;
use grundy_shared::solver::{Budget, OutcomeClass, solve};

/// Random positions in each end rule.
const POSITIONS: usize = 1_000;

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// Compares everything that `solve` says with the truth; `false` when the position is too large for it.
pub(crate) fn agrees(position: &Position) -> bool {
    let Some(fates) = fates(position, 200) else {
        return false;
    };
    let fate = |position: &Position, seat| fates[&(position.clone(), seat)];
    for seat in Seat::BOTH {
        let own = fate(position, seat);
        let solution = solve(position, seat, &Budget::nodes(1 << 34), 1_000_000);
        if position.kind() == Kind::Loopy {
            assert_eq!(solution.nim_value, None, "{position}");
        }
        let wins = match solution.outcome {
            OutcomeClass::N => Some(true),
            OutcomeClass::P => Some(false),
            OutcomeClass::L => Some(seat == Seat::First),
            OutcomeClass::R => Some(seat == Seat::Second),
            OutcomeClass::D => None,
            OutcomeClass::Unknown => panic!("{position} is not solved"),
        };
        assert_eq!(wins, own.map(|(wins, _)| wins), "{position} {seat}");
        assert_eq!(
            solution.remoteness,
            own.map(|(_, plies)| plies),
            "{position} {seat}"
        );
        let mut winning = Vec::new();
        for mv in position.moves(seat) {
            let after = position.play(&mv);
            if matches!(fate(&after, seat.other()), Some((false, _))) {
                winning.push((mv.to_string(), after.to_string()));
            }
        }
        let listed = solution.winning_moves.into_iter();
        let listed: Vec<_> = listed.map(|winning| (winning.mv, winning.to)).collect();
        assert_eq!(listed, winning, "{position} {seat}");
        assert_eq!(
            solution.winning_moves_total,
            Some(winning.len() as u64),
            "{position}"
        );
    }
    true
}

fn check_random(seed: u64, draw: impl Fn(&mut Chance) -> String) {
    let mut chance = Chance(seed);
    for ending in ["", "@misere"] {
        let mut checked = 0;
        while checked < POSITIONS {
            let position = parse(&format!("{}{ending}", draw(&mut chance)));
            check_notation(&position).unwrap_or_else(|fault| panic!("{fault}"));
            checked += usize::from(agrees(&position));
        }
    }
}

fn drawn_of(name: &str, chance: &mut Chance) -> String {
    drawn(name, chance).expect("these are drawn")
}

#[test]
fn random_positions_are_what_all_lines_of_play_give() {
    check_random(0x5eed_0f10_0be5_0001, |chance| drawn_of("loopy", chance));
}

#[test]
fn random_sums_are_what_all_lines_of_play_give() {
    check_random(0x5eed_0f10_0be5_0003, |chance| {
        let other = match chance.below(4) {
            0 => drawn_of("loopy", chance),
            1 => format!("nim:{}", chance.below(4)),
            2 => format!(
                "hack:0b1r2-3,0{}4",
                ["b", "r", "-"][chance.below(3) as usize]
            ),
            _ => drawn_of("dag", chance),
        };
        format!("{}+{other}", drawn_of("loopy", chance))
    });
}

#[test]
fn random_boards_of_northcott_and_sums_are_what_all_lines_of_play_give() {
    check_random(0x5eed_0f10_0be5_0005, |chance| {
        let board = drawn_of("northcott", chance);
        match chance.below(6) {
            0 => format!("{board}+nim:{}", chance.below(3)),
            1 => format!("hack:0b1r2,0r3+{board}"),
            2 => format!("{board}+{}", drawn_of("loopy", chance)),
            _ => board,
        }
    });
}

/// *Winning Ways* (1982), chapter 3: each row is a heap of the squares between its pieces.
#[test]
fn rows_of_northcott_are_heaps_of_their_gaps() {
    let mut chance = Chance(0x0c01_7700_0be5_0007);
    for _ in 0..40 {
        let (mut rows, mut gaps) = (Vec::new(), Vec::new());
        for _ in 0..9 {
            let (left, gap) = (chance.below(4), chance.below(5));
            let right = 7 - left.min(7) - gap.min(7 - left);
            let free = |count: u64| ".".repeat(count as usize);
            let gap = 7 - left - right;
            let pieces = [("x", "o"), ("o", "x")][chance.below(2) as usize];
            let (one, other) = pieces;
            rows.push(format!(
                "{}{one}{}{other}{}",
                free(left),
                free(gap),
                free(right)
            ));
            gaps.push(gap.to_string());
        }
        let said = |text: &str| solve(&parse(text), Seat::First, &Budget::nodes(1 << 16), 0);
        let board = said(&format!("northcott:{}", rows.join("/")));
        let heaps = said(&format!("nim:{}", gaps.join(",")));
        assert_eq!(board.outcome, heaps.outcome, "{rows:?}");
        assert_eq!(board.method, "loopy values");
    }
}

#[test]
fn boards_of_northcott_are_refused_at_the_place() {
    let (bad, code) = ("bad_position", "bad_game_code");
    refused("northcott:x.o/x..", bad, 15, 3);
    refused("northcott:x.o/xoo", bad, 15, 3);
    refused("northcott:x.o/xo", bad, 15, 2);
    refused("northcott:x.O", bad, 13, 1);
    refused("northcott:", bad, 11, 1);
    refused("northcott:_", bad, 11, 1);
    refused("northcott.8:x.o", code, 11, 1);
    refused("northcott:x.o@zero", bad, 1, 13);
    let board = "northcott:x..o/.o.x";
    no_move(board, Seat::First, "1:4-1:3", 1);
    no_move(board, Seat::First, "1:1-1:4", 1);
    no_move(board, Seat::First, "1:1-2:1", 1);
    no_move(board, Seat::Second, "1:4-1:4", 1);
    no_move(board, Seat::Second, "2:2-2:4", 1);
    no_move(board, Seat::First, "1:1-1:5", 5);
}

#[test]
fn sums_too_large_to_be_searched_are_solved_by_their_values() {
    // From 1 there is a way back to 0, which leads to 1 only: so 0 is worth 0 and 1 is worth 1.
    let road = "loopy.0-1.1-0.1-2.2-3.3-4";
    let tokens = |count: usize, node: &str| vec![node; count].join(",");
    let said = |text: &str| {
        let solution = solve(&parse(text), Seat::First, &Budget::nodes(1 << 22), 10);
        (solution.outcome, solution.method)
    };
    let values = "loopy values".to_owned();
    let big = "nim:1000,2000,3000,4000,5000,6000,7000,8000";
    let heap = 1000 ^ 2000 ^ 3000 ^ 4000 ^ 5000 ^ 6000 ^ 7000 ^ 8000;
    let even = format!("{road}:{}+{big},{heap}", tokens(60, "1"));
    assert_eq!(said(&even), (OutcomeClass::P, values.clone()));
    let odd = format!("{road}:{}+{big},{heap}", tokens(61, "1"));
    assert_eq!(said(&odd), (OutcomeClass::N, values.clone()));
    let (outcome, _) = said("loopy.0-1.1-0:0");
    assert_eq!(outcome, OutcomeClass::D);
    let endless = format!("loopy.0-1.1-0:0+{big}");
    assert_eq!(said(&endless), (OutcomeClass::D, values));
}

#[test]
fn a_match_is_drawn_when_a_position_comes_for_the_third_time() {
    let round = ["0-1", "1-0"];
    let moves = [round, round].concat();
    let before = contest("loopy.0-1.1-0.1-2:0", "none", &moves[..3]);
    assert_eq!(before.outcome(), None);
    let drawn = contest("loopy.0-1.1-0.1-2:0", "none", &moves);
    assert_eq!(
        drawn.outcome(),
        Some((Outcome::Draw, EndReason::Repetition))
    );
    // One move is the way round: after it the other player is to move.
    let turned = contest("loopy.0-0.0-1:0", "none", &["0-0"; 3]);
    assert_eq!(turned.outcome(), None);
    let turned = contest("loopy.0-0.0-1:0", "none", &["0-0"; 4]);
    assert_eq!(
        turned.outcome(),
        Some((Outcome::Draw, EndReason::Repetition))
    );
}

#[test]
fn a_review_marks_the_draw_that_was_lost_and_the_win_that_became_a_draw() {
    // 0 and 1 go round; from 1 a way leads to 2, where the opponent makes the last move.
    let lost = contest("loopy.0-1.1-0.1-2.2-3:1", "none", &["1-2", "2-3"]);
    let review = Review::of(&lost, &Budget::nodes(1 << 20));
    let text = review.to_string();
    assert!(text.contains("1-0 would have kept the draw"), "{text}");
    // How many plies are left of a draw is not a question.
    let start = text
        .lines()
        .find(|line| line.contains("start"))
        .expect("the start");
    assert!(start.ends_with("   -   ?"), "{text}");
    assert_eq!(review.turning_points.len(), 1);
    // 0-2 would have been the last move; on 1 the opponent can stay for ever.
    let drawn = contest("loopy.0-1.0-2.1-0.1-1:0", "none", &["0-1"]);
    let review = Review::of(&drawn, &Budget::nodes(1 << 20));
    assert_eq!(review.turning_points.len(), 1);
    assert_eq!(review.turning_points[0].winning_moves, ["0-2"]);
}

#[test]
fn a_perfect_bot_wins_what_is_won_and_draws_what_is_drawn() {
    let mut chance = Chance(77);
    let mut ends = HashMap::new();
    for _ in 0..60 {
        let position = parse(&drawn_of("loopy", &mut chance));
        let Some(fates) = fates(&position, 200) else {
            continue;
        };
        let due = fates[&(position.clone(), Seat::First)];
        let (mut position, mut to_move) = (position, Seat::First);
        let mut wins = None;
        for _ in 0..40 {
            let bot = if to_move == Seat::First {
                Bot::perfect()
            } else {
                Bot::random()
            };
            let mut bits = || chance.below(1 << 50).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let Some(mv) = bot.choose(&position, to_move, &Budget::nodes(1 << 22), &mut bits)
            else {
                wins = Some(to_move == Seat::Second);
                break;
            };
            position = position.play(&mv);
            to_move = to_move.other();
        }
        match due {
            Some((true, _)) => assert_eq!(wins, Some(true)),
            None => assert_ne!(wins, Some(false)),
            Some((false, _)) => {}
        }
        *ends.entry(due.map(|(wins, _)| wins)).or_insert(0) += 1;
    }
    assert_eq!(ends.len(), 3, "{ends:?}");
}
