//! Published sequences, proved periods, counts of lines of play, and the places where a plausible rule is wrong.

use grundy_shared::Position;
use grundy_shared::conformance::perft;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, Solution, explain, solve};
use grundy_shared::theory::take_and_break::{self, Rule};
use grundy_shared::theory::{Meter, Tally, queen, queen_levels};

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn solved(text: &str) -> Solution {
    solve(&parse(text), Seat::First, &Budget::nodes(1 << 26), 1_000)
}

/// The values of heaps from..from+expected.len() of this game.
fn values(game: &str, from: u64, expected: &[u64]) {
    for (heap, value) in (from..).zip(expected) {
        let text = format!("{game}:{heap}");
        assert_eq!(solved(&text).nim_value, Some(*value), "{text}");
    }
}

#[test]
fn sequences_of_the_encyclopedia() {
    values("kayles", 0, &[0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]); // A002186
    values("dawsonchess", 0, &[0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2]); // A002187
    values("dawsonkayles", 0, &[0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3]);
    values("octal.0.17", 0, &[0, 1, 1, 0, 2, 1, 3, 0, 1, 1, 3, 2]); // A071431
    values("octal.0.177", 1, &[1, 1, 2, 2, 3, 1, 1, 4]); // A071435
    values("octal.0.127", 1, &[1, 0, 2, 2, 1, 0, 4, 4]); // A071464
    values("octal.0.117", 1, &[1, 1, 1, 0, 2, 2, 1, 3]); // A071453
    values("octal.0.115", 1, &[1, 1, 1, 0, 1, 1, 1, 2]); // A125829
    values("octal.0.141", 1, &[1, 0, 1, 1, 0, 1, 2, 2]); // A125912
    values("octal.0.176", 1, &[1, 1, 0, 2, 2, 3, 4, 4]); // A125920
    values("octal.4.3", 0, &[0, 1, 2, 0, 2, 0, 2]);
    for (a, expected) in [(3, [3, 4, 5, 6, 2, 0, 1, 9]), (4, [4, 5, 3, 2, 7, 6, 9, 0])] {
        for (b, value) in expected.iter().enumerate() {
            assert_eq!(solved(&format!("wythoff:{a},{b}")).nim_value, Some(*value)); // A004484, A004485
        }
    }
}

#[test]
fn periods_are_proved_as_published() {
    let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
    for (digits, length, largest_exception) in [
        (&[0u8, 7, 7][..], 12, Some(70)),
        (&[0, 0, 7], 34, Some(52)),
        (&[0, 1, 3, 7], 34, Some(51)),
        (&[0, 1, 5, 6], 349, Some(3478)),
    ] {
        let table = take_and_break::table(&Rule::code(digits), 1 << 40, &mut meter);
        let period = table
            .period()
            .unwrap_or_else(|| panic!("{digits:?} has a proved period"));
        assert_eq!(period.length, length, "{digits:?}");
        if let Some(exception) = largest_exception {
            assert_eq!(period.start, exception + 1, "{digits:?}");
        }
    }
}

#[test]
fn the_parity_rule_is_not_applied_to_games_that_split() {
    let tally: Tally = [1, 4].into_iter().collect();
    assert!(
        !tally.is_lost(true),
        "the rule of tame sums would say that Kayles 1,5 is won"
    );
    let solution = solved("kayles:1,5@misere");
    assert_eq!(solution.outcome, OutcomeClass::P);
    assert_eq!(solution.method, "misere quotient");
    assert_eq!(solved("wythoff:3,5+nim:0@misere").outcome, OutcomeClass::P);
}

#[test]
fn misere_quotients_decide_sums_of_any_size() {
    let large = "1000000000000000000";
    let many = vec!["25"; 5_000].join(",");
    for text in [
        format!("kayles:{large}@misere"),
        format!("kayles:{large},999999999999999999,7@misere"),
        format!("octal.0.53:{large},{large},17@misere"),
        format!("octal.0.77:30,2+kayles:{large}@misere"),
        format!("kayles:{many}@misere"),
        "dawsonkayles:20,9@misere".to_owned(),
        "grundy:18,7@misere".to_owned(),
    ] {
        let solution = solved(&text);
        assert!(
            solution.method == "misere quotient",
            "{text}: {}",
            solution.method
        );
        let lost = solution.outcome == OutcomeClass::P;
        assert_eq!(solution.winning_moves.is_empty(), lost, "{text}");
        for winning in solution.winning_moves.iter().step_by(97) {
            assert_eq!(
                solved(&winning.to).outcome,
                OutcomeClass::P,
                "{text} {}",
                winning.mv
            );
        }
    }
}

#[test]
fn the_winning_moves_of_a_quotient_are_all_there_are() {
    let mut seed = 7u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    let mut won = 0;
    for game in [
        "kayles",
        "octal.0.53",
        "octal.0.75",
        "grundy",
        "octal.0.007",
        "octal.0.f",
    ] {
        for _ in 0..15 {
            let heaps = [next(5), next(6), next(8), next(11)].map(|heap| heap.to_string());
            let position = parse(&format!("{game}:{}@misere", heaps.join(",")));
            let solution = solve(&position, Seat::First, &Budget::nodes(1 << 26), 10_000);
            let lost_after = |mv: &grundy_shared::Move| {
                let after = position.play(mv).to_string();
                solved(&after).outcome == OutcomeClass::P
            };
            let expected = position.moves(Seat::First).filter(lost_after);
            let expected: Vec<String> = expected.map(|mv| mv.to_string()).collect();
            let listed = solution.winning_moves.into_iter().map(|winning| winning.mv);
            assert_eq!(listed.collect::<Vec<_>>(), expected, "{position}");
            won += usize::from(!expected.is_empty());
        }
    }
    assert!(won > 40, "{won}");
}

#[test]
fn huge_positions_are_answered_in_closed_form() {
    let wythoff = solved("wythoff:165580140,267914295");
    assert_eq!(wythoff.outcome, OutcomeClass::P);
    assert_eq!(
        solved("wythoff:165580141,267914296").outcome,
        OutcomeClass::N
    );
    let kayles = solved("kayles:1000000000000000000");
    assert_eq!(
        (kayles.outcome, kayles.nim_value),
        (OutcomeClass::N, Some(1))
    );
    assert_eq!(kayles.legal_moves, None);
    assert_eq!(kayles.winning_moves.len(), 1_000);
    let text = "sub.1.3.4:999999999999999999,1000000000000000000";
    assert_eq!(solved(text).winning_moves_total, Some(2));
    let hex = solved("octal.0.f:1000001");
    assert_eq!(hex.nim_value, Some(1));
    assert_eq!(hex.winning_moves_total, hex.legal_moves);
    for text in ["nim", "bash.9", "sub.2.7", "kayles"] {
        let heaps = vec!["1000000000000000000"; 2_000].join(",");
        assert!(solved(&format!("{text}:{heaps}")).exact, "{text}");
    }
}

#[test]
fn a_budget_that_is_used_up_ends_in_unknown() {
    for text in [
        "octal.0.6:400000",
        "dawsonkayles:300,299@misere",
        "wythoff:50000,49999+nim:2",
        "wythoff:900,901+nim:3@misere",
    ] {
        let solution = solve(&parse(text), Seat::First, &Budget::nodes(100_000), 10);
        assert_eq!(
            (solution.outcome, solution.exact),
            (OutcomeClass::Unknown, false),
            "{text}"
        );
        assert!(solution.legal_moves.is_some(), "{text}");
        assert!(
            !explain(&parse(text), Seat::First, &Budget::nodes(100_000))
                .lines
                .is_empty()
        );
        let stopped = Budget {
            nodes: u64::MAX,
            memory_bytes: u64::MAX,
            stop: &|| true,
        };
        assert_eq!(
            solve(&parse(text), Seat::First, &stopped, 10).outcome,
            OutcomeClass::Unknown,
            "{text}"
        );
        let poor = Budget {
            nodes: 1 << 22,
            memory_bytes: 10_000,
            stop: &|| false,
        };
        assert_eq!(
            solve(&parse(text), Seat::First, &poor, 10).outcome,
            OutcomeClass::Unknown,
            "{text}"
        );
    }
}

/// How often a solution asks whether to stop: once every 1,024 nodes.
fn asked(text: &str, memory_bytes: u64) -> (u32, Solution) {
    let asked = std::cell::Cell::new(0);
    let budget = Budget {
        nodes: 1 << 40,
        memory_bytes,
        stop: &|| {
            asked.set(asked.get() + 1);
            false
        },
    };
    let solution = solve(&parse(text), Seat::First, &budget, 10);
    (asked.get(), solution)
}

#[test]
fn memory_is_counted_before_it_is_used_up() {
    // 333,333 ways to break the heap, of which a mebibyte holds few.
    let (asked, solution) = asked("octal.0.f:2000+wythoff:1,2@misere", 1 << 20);
    assert_eq!(solution.outcome, OutcomeClass::Unknown);
    assert!(asked < 100, "{asked}");
}

#[test]
fn a_move_among_many_heaps_costs_more_than_one_among_few() {
    let heaps = vec!["1"; 3_000].join(",");
    let (asked, solution) = asked(&format!("nim:{heaps}+wythoff:2,3@misere"), 1 << 30);
    assert!(solution.winning_moves_total.is_some());
    assert!(asked > 100, "3,000 moves of 3,000 heaps each: {asked}");
}

#[test]
fn an_explanation_is_short_plain_and_there() {
    let wide = vec!["1000000000000000000"; 50_000].join(",");
    let many = vec!["kayles:5"; 500].join("+");
    for text in [
        "nim:1,4,6,7",
        "nim:3,5,6",
        "nim:1,1@misere",
        "nim:_",
        "bash.10:23@misere",
        "sub.1.3.4:8,5,12",
        "wythoff:5,8",
        "wythoff:6,10@misere",
        "octal.0.77:5,1@misere",
        "octal.8.7:12",
        &format!("nim:{wide}"),
        &format!("sub.3.5:{wide}"),
        &many,
    ] {
        let told = explain(&parse(text), Seat::First, &Budget::nodes(1 << 22));
        let text = told.to_string();
        assert!(!told.lines.is_empty() && text.is_ascii(), "{text}");
        assert!(
            told.lines.len() < 120 && text.len() < 20_000,
            "{} lines",
            told.lines.len()
        );
    }
}

#[test]
fn lines_of_play_are_counted() {
    for (text, counts) in [
        ("nim:1,2", [3, 5, 3, 0]),
        ("kayles:3", [3, 5, 3, 0]),
        ("wythoff:1,2", [4, 7, 3, 0]),
        ("bash.2:3", [2, 3, 1, 0]),
        ("sub.1.3:4", [2, 3, 1, 1]),
    ] {
        for (plies, count) in (1..).zip(counts) {
            assert_eq!(perft(&parse(text), plies), count, "{text} {plies}");
        }
    }
}

#[test]
fn json_holds_large_numbers_as_text() {
    let text = "nim:1000000000000000000";
    let json = serde_json::to_value(solved(text)).expect("a solution is JSON");
    assert_eq!(json["schema"], "grundy/solve/1");
    assert_eq!(json["nim_value"], "1000000000000000000");
    assert_eq!(json["legal_moves"], serde_json::Value::Null);
    assert_eq!(json["winning_moves"][0]["move"], "A-1000000000000000000");
    assert_eq!(json["winning_moves_total"], 1);
    assert_eq!(json["value"], serde_json::Value::Null);
}

#[test]
fn remoteness_is_known_where_few_positions_can_be_reached() {
    for text in [
        "nim:300+nim:300",
        "nim:99999+wythoff:0,0",
        "bash.100:300,300",
        "sub.1.3.4:90000",
        "wythoff:300,300",
        "octal.0.3:90000",
        "octal.0.12:60000",
        "octal.0.12:200,200",
        "kayles:30",
        "sub.2.5.9:300,300",
        "wythoff:1,49000",
        "bash.3:99998",
    ] {
        for ending in ["", "@misere"] {
            let text = format!("{text}{ending}");
            let solution = solve(&parse(&text), Seat::First, &Budget::nodes(1 << 32), 10);
            assert!(
                solution.exact && solution.remoteness.is_some(),
                "{text}: {solution:?}"
            );
            assert!(solution.winning_moves_total.is_some(), "{text}");
            assert_eq!(solution.nim_value.is_some(), ending.is_empty(), "{text}");
        }
    }
}

/// A pair of value 3 beyond the table of all values, found in its row: it is lost beside a heap of 3, and others are won by moving to one.
#[test]
fn sums_with_large_heaps_of_wythoff_are_decided_by_small_values() {
    let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
    let levels = queen_levels::levels(3, 3_000, &mut meter);
    let levels = levels.expect("budget").expect("not too large");
    let has_three = |a: u64, b: u64| levels.has_value(a, b, 3) == Some(true);
    let pairs = (2_900..3_000).map(|a| (a, (a..2 * a + 3).find(|b| has_three(a, *b))));
    let (a, b) = pairs
        .filter_map(|(a, b)| Some((a, b?)))
        .next()
        .expect("some row has its pair of value 3 in a later column");
    assert!((a + 1) * (b + 1) > queen::MAX_CELLS);
    let outcome = |text: &str| {
        let solution = solve(&parse(text), Seat::First, &Budget::nodes(1 << 28), 3);
        (solution.outcome, solution.winning_moves_total)
    };
    let lost = outcome(&format!("wythoff:{a},{b}+nim:3"));
    assert_eq!(lost, (OutcomeClass::P, Some(0)));
    let (won, total) = outcome(&format!("wythoff:{a},{}+nim:3", b + 5));
    assert_eq!(won, OutcomeClass::N);
    assert!(total.is_some_and(|total| total > 0));
}
