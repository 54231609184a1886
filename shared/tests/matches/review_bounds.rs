//! Reviews of what is too large, unfinished or hostile: bounded, honest and printable.

use crate::contest::{command, contest, id};
use grundy_shared::event::{EndReason, PlayerInfo};
use grundy_shared::ids::{Millis, PlayerId, Ply, Seat};
use grundy_shared::referee::{Command, Referee, Terms};
use grundy_shared::review::{EXPLAINED, Mark, Review, TRAP_MOVES};
use grundy_shared::solver::Budget;
use grundy_shared::{Move, Position};

fn enough() -> Budget<'static> {
    Budget::nodes(1_000_000)
}

#[test]
fn without_a_budget_nothing_is_claimed() {
    let referee = contest(
        "nim:1,4,6,7",
        "none",
        &["D-4", "C-1", "B-4", "C-3", "D-1", "C-2"],
    );
    let stopped = Budget {
        stop: &|| true,
        ..enough()
    };
    for budget in [Budget::nodes(0), stopped] {
        let review = Review::of(&referee, &budget);
        for ply in &review.plies {
            // A closed form may cost nothing; what is not known has no mark.
            if ply.wins.is_none() {
                assert_eq!((ply.mark, ply.left, ply.nim_value), (None, None, None));
            }
        }
        let unknown = review.plies.iter().filter(|ply| ply.wins.is_none()).count();
        assert_eq!(review.unknown_positions as usize, unknown);
        let said = review.to_string().contains("unknown within the budget");
        assert_eq!(said, unknown > 0);
    }
}

#[test]
fn a_stop_in_the_middle_keeps_what_was_found() {
    let referee = contest(
        "nim:3,4,5",
        "none",
        &["A-2", "B-1", "C-5", "B-2", "A-1", "B-1"],
    );
    let full = Review::of(&referee, &enough());
    for patience in 0..400 {
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > patience
        };
        let budget = Budget {
            stop: &stop,
            ..enough()
        };
        let review = Review::of(&referee, &budget);
        for (ply, whole) in review.plies.iter().zip(&full.plies) {
            assert!(ply.wins.is_none() || ply.wins == whole.wins);
            assert!(ply.left.is_none() || ply.left == whole.left);
            assert!(ply.mark.is_none() || ply.mark == whole.mark);
        }
    }
}

#[test]
fn a_beginning_that_is_too_hard_leaves_time_for_the_end() {
    let mut position =
        Position::parse("cram:......./......./......./......./.......").expect("legal");
    let start = position.to_string();
    let mut moves = Vec::new();
    let mut seat = Seat::First;
    loop {
        let choice: Vec<Move> = position.moves(seat).take(3).collect();
        let Some(mv) = choice.get(moves.len() % choice.len().max(1)) else {
            break;
        };
        moves.push(mv.to_string());
        position = position.play(mv);
        seat = seat.other();
    }
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let referee = contest(&start, "none", &moves);
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 2_000
    };
    let budget = Budget {
        nodes: 1_000_000,
        stop: &stop,
        ..enough()
    };
    let review = Review::of(&referee, &budget);
    assert!(review.plies[0].wins.is_none(), "hard to begin with");
    let known = review.plies.iter().rev();
    let known = known.take_while(|ply| ply.wins.is_some()).count();
    assert!(known * 2 > review.plies.len(), "{known} of {moves:?}");
}

#[test]
fn too_many_alternatives_are_not_compared_and_that_is_said() {
    let ones = |heaps: usize| format!("nim:{}", vec!["1"; heaps].join(","));
    let most = TRAP_MOVES as usize;
    let within = Review::of(&contest(&ones(most), "none", &["A-1"]), &enough());
    assert_eq!(
        (within.traps_unknown, within.plies[1].trap_rate),
        (0, Some(0.0))
    );

    let beyond = Review::of(&contest(&ones(most + 2), "none", &["A-1"]), &enough());
    assert_eq!((beyond.traps_unknown, beyond.plies[1].trap_rate), (1, None));
    assert_eq!(beyond.plies[1].mark, None);
    assert!(beyond.to_string().contains("too many alternatives"));
    assert_eq!(
        (beyond.traps_unknown_why.alternatives, beyond.cut_off),
        (1, false)
    );
}

#[test]
fn moves_that_were_not_compared_for_lack_of_budget_are_not_called_too_many() {
    // A lost position, of which the verdict is a formula, and whose alternatives are searched.
    let moves = ["A-1", "B-1", "C-1", "A-1"];
    let referee = contest("nim:3,5,6", "none", &moves);
    let full = Review::of(&referee, &enough());
    assert_eq!((full.traps_unknown, full.cut_off), (0, false));
    assert!(full.is_whole());
    let mut caused = 0;
    for patience in 0..100 {
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > patience
        };
        let budget = Budget {
            stop: &stop,
            ..enough()
        };
        let review = Review::of(&referee, &budget);
        let why = review.traps_unknown_why;
        assert_eq!(
            why.alternatives + why.hard + why.budget,
            review.traps_unknown
        );
        assert_eq!((why.alternatives, why.hard), (0, 0));
        let text = review.to_string();
        assert!(!text.contains("alternatives"), "{text}");
        let said = text.contains("The budget was used up before");
        assert_eq!(said, why.budget > 0, "{text}");
        caused += why.budget;
        // Only a review that nothing ended is whole.
        assert_eq!(review.is_whole(), review == full);
        assert!(review.is_whole() || review.cut_off);
    }
    assert!(caused > 0, "no review was stopped while it compared moves");
}

#[test]
fn alternatives_that_a_first_look_does_not_solve_are_called_hard() {
    let mut hard = 0;
    let start = "cram:....../....../....../......@misere";
    for step in [1, 3] {
        let mut position = Position::parse(start).expect("legal");
        let (mut moves, mut seat) = (Vec::new(), Seat::First);
        loop {
            let choice: Vec<Move> = position.moves(seat).take(step).collect();
            let Some(mv) = choice.get(moves.len() % choice.len().max(1)) else {
                break;
            };
            moves.push(mv.to_string());
            position = position.play(mv);
            seat = seat.other();
        }
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let review = Review::of(&contest(start, "none", &moves), &enough());
        let why = review.traps_unknown_why;
        assert_eq!(why.budget, 0);
        assert_eq!(why.alternatives + why.hard, review.traps_unknown);
        let said = review.to_string().contains("too hard to solve");
        assert_eq!(said, why.hard > 0);
        hard += why.hard;
    }
    assert!(hard > 0, "no move was hard to compare");
}

#[test]
fn the_largest_heaps_are_reviewed_like_small_ones() {
    let heap = "1000000000000000000";
    let referee = contest(
        &format!("nim:{heap},{heap},1"),
        "none",
        &["C-1", "A-1", "B-2"],
    );
    let review = Review::of(&referee, &enough());
    assert_eq!(review.marks(), ["!!", "", "??"]);
    assert!(review.summary.first.bits_offered > 100.0);
    assert!(review.to_string().lines().all(|line| line.len() < 160));
}

#[test]
fn only_the_last_turning_points_are_explained() {
    // One heap left to the other player again and again: every move but the last gives the win away.
    let moves = vec!["A-1"; 40];
    let review = Review::of(&contest("nim:40", "none", &moves), &enough());
    assert_eq!(review.turning_points.len(), 39);
    let explained: Vec<bool> = review
        .turning_points
        .iter()
        .map(|point| point.why.is_some())
        .collect();
    assert_eq!(explained.iter().filter(|yes| **yes).count(), EXPLAINED);
    assert!(explained.is_sorted());
    assert_eq!(review.decisive_ply, Some(Ply(39)));
    assert_eq!(review.plies[40].mark, Some(Mark::Forced));
}

#[test]
fn a_match_is_reviewed_at_any_time() {
    let open = Referee::create(
        Terms {
            position: "nim:3".to_owned(),
            clock: "none".parse().expect("a time control"),
            rematch_of: None,
            series: None,
        },
        PlayerInfo {
            id: PlayerId::from_random(0),
            name: "Ada".to_owned(),
            bot: false,
        },
        Seat::Second,
        Millis(0),
    );
    let (open, _) = open.expect("lawful terms");
    let text = Review::of(&open, &enough()).to_string();
    assert!(
        text.starts_with("first against Ada   nim:3   normal play   0 plies"),
        "{text}"
    );

    // Giving up a won position is nobody's mistake on the board.
    let mut given_up = contest("nim:3,1", "none", &["A-1"]);
    command(
        &mut given_up,
        9_000,
        &Command::Resign {
            player: id(Seat::Second),
        },
    );
    let review = Review::of(&given_up, &enough());
    assert_eq!(review.reason, Some(EndReason::Resignation));
    assert_eq!(review.blunders(Seat::First), 1);
    assert_eq!(review.decisive_ply, None);
}

#[test]
fn a_name_cannot_reach_the_terminal() {
    let terms = Terms {
        position: "nim:2,1".to_owned(),
        clock: "none".parse().expect("a time control"),
        rematch_of: None,
        series: None,
    };
    let named = |number: u128, name: &str| PlayerInfo {
        id: PlayerId::from_random(number),
        name: name.to_owned(),
        bot: false,
    };
    let hostile = named(
        0,
        "\u{1b}[2Jx\u{202e}\r\n\u{9b}31m and a very long name behind it",
    );
    let (mut referee, _) =
        Referee::create(terms, hostile, Seat::First, Millis(0)).expect("lawful terms");
    command(
        &mut referee,
        1,
        &Command::Join {
            player: named(1, "b"),
        },
    );
    let text = Review::of(&referee, &enough()).to_string();
    let harmless = |sign: char| sign == '\n' || (' '..='~').contains(&sign);
    assert!(text.chars().all(harmless), "{text:?}");
}

#[test]
fn progress_is_told_and_never_falls() {
    let moves = ["A-2", "B-1", "C-5", "B-2", "A-1", "B-1"];
    let referee = contest("nim:3,4,5", "none", &moves);
    let told = std::cell::RefCell::new(Vec::new());
    let tell = |done| told.borrow_mut().push(done);
    let review = Review::with_progress(&referee, &enough(), &tell);
    assert_eq!(review, Review::of(&referee, &enough()));
    let whole: Vec<u32> = (1..=moves.len() as u32 + 1).collect();
    assert_eq!(*told.borrow(), whole);
    // Where nothing is known at first, each position that gets the whole budget counts, until one is too much for it.
    told.borrow_mut().clear();
    let hard = contest(
        "cram:......./......./......./......./.......@misere",
        "none",
        &[],
    );
    let review = Review::with_progress(&hard, &Budget::nodes(60_000), &tell);
    assert_eq!(review.unknown_positions, 1);
    assert_eq!(*told.borrow(), [1]);
}
