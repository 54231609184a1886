//! The games with heaps, steps and coins: texts that are refused, heaps of 10^18, and tables beyond what plain recursion reaches.

use grundy_shared::Position;
use grundy_shared::game::EndRule;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, Solution, explain, solve};

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn solved(text: &str) -> Solution {
    solve(&parse(text), Seat::First, &Budget::nodes(1 << 20), 100)
}

#[test]
fn refusals_point_at_the_place() {
    for (text, code, column, length) in [
        ("race:5", "bad_game_code", 5, 1),
        ("race.3:5", "bad_game_code", 7, 1),
        ("race.0.9:5", "out_of_range", 6, 1),
        ("race.3.9:10", "out_of_range", 10, 2),
        ("race.3.9.1:0", "bad_game_code", 8, 3),
        ("fib:x", "bad_position", 5, 1),
        ("fib:5/0", "out_of_range", 7, 1),
        ("fib:5/", "bad_position", 7, 1),
        ("fib.2:5", "bad_game_code", 5, 1),
        ("fib:5,5", "bad_position", 5, 3),
        ("stairs:1,,2", "bad_position", 10, 1),
        ("stairs:1000000000000000000,0,1", "out_of_range", 30, 1),
        ("merge:1,1000000000000000000", "out_of_range", 9, 19),
        ("multi:5,1001", "out_of_range", 9, 4),
        ("moore:5", "bad_game_code", 6, 1),
        ("moore.0:5", "out_of_range", 7, 1),
        ("lasker.2:5", "bad_game_code", 8, 1),
        ("silver:3,4,3", "bad_position", 12, 1),
        ("welter:3,4,3", "bad_position", 12, 1),
        ("welter:3,x", "bad_position", 10, 1),
        ("welter.2:3", "bad_game_code", 8, 1),
        ("welter:1000000000000000001", "out_of_range", 8, 19),
        ("euclid:3", "bad_position", 8, 1),
        ("euclid:3,4,5", "bad_position", 8, 5),
        ("nimble:-1", "bad_position", 8, 2),
    ] {
        let error = Position::parse(text).expect_err(text);
        let got = (error.code.as_str(), error.column, error.length);
        assert_eq!(got, (code, column, length), "{text}: {error:?}");
        assert!(
            Position::parse(&error.help).is_ok(),
            "{text}: {}",
            error.help
        );
    }
}

#[test]
fn wrong_moves_are_explained_with_a_legal_example() {
    for (position, typed) in [
        ("race.3.9:7", "+3"),
        ("race.3.9:7", "+0"),
        ("race.3.9:7", "A-1"),
        ("fib:10/4", "A-5"),
        ("fib:10/4", "B-1"),
        ("stairs:1,2", "3:1"),
        ("stairs:1,2", "0:1"),
        ("stairs:1,2", "2:3"),
        ("stairs:1,2", "2"),
        ("moore.2:3,4,5", "A-1,B-1,C-1"),
        ("moore.2:3,4,5", "A-1,A-1"),
        ("moore.2:3,4,5", "A-1,B-5"),
        ("moore.2:3,4,5", "A-1,"),
        ("lasker:5", "A/2,2"),
        ("lasker:5", "A/1,2,2"),
        ("lasker:5", "A-1/2,2"),
        ("lasker:5", "A/0,5"),
        ("lasker:5", "A-0"),
        ("multi:5", "A/5"),
        ("multi:5", "A/1,1,1"),
        ("split:5", "A/2,5"),
        ("split:5", "A-2"),
        ("split:5", "A/18446744073709551615,18446744073709551615"),
        ("grundy:6", "A/3,3"),
        ("grundy:6", "A-1"),
        ("merge:3,0,1", "A+B"),
        ("merge:3,0,1", "A+A"),
        ("merge:3,0,1", "A-2"),
        ("merge:3,0,1", "A+"),
        ("nimble:3,5", "4-1"),
        ("nimble:3,5", "3-3"),
        ("silver:3,5", "5-2"),
        ("silver:3,5", "5-3"),
        ("welter:3,5", "5-3"),
        ("welter:3,5", "4-1"),
        ("welter:3,5", "3-6"),
        ("euclid:9,21", "B-10"),
        ("euclid:9,21", "A-9"),
        ("euclid:9,21", "B-27"),
    ] {
        let place = parse(position);
        let error = place.parse_move(Seat::First, typed).expect_err(typed);
        let example = error
            .example
            .unwrap_or_else(|| panic!("{typed} in {position}"));
        assert!(
            place.parse_move(Seat::First, &example).is_ok(),
            "{example} in {position}"
        );
    }
}

#[test]
fn moves_are_played_and_told() {
    for (position, typed, printed, after, told) in [
        (
            "lasker:7,2",
            "a/5,2",
            "A/2,5",
            "lasker:2,2,5",
            "split A into 2 and 5",
        ),
        (
            "lasker:7,2",
            "a - 0 / 5 , 2",
            "A/2,5",
            "lasker:2,2,5",
            "split A into 2 and 5",
        ),
        (
            "moore.2:3,4,5",
            "c2, a-1",
            "A-1,C-2",
            "moore.2:2,4,3",
            "took 1 from A, leaving 2, and 2 from C, leaving 3",
        ),
        (
            "split:4",
            "A/3,3",
            "A/3,3",
            "split:3,3",
            "replaced A by 3 and 3",
        ),
        (
            "split:1",
            "A/0,0",
            "A/0,0",
            "split:0,0",
            "replaced A by 0 and 0",
        ),
        (
            "multi:5,1",
            "A/3,1,1",
            "A/1,1,3",
            "multi:1,1,1,3",
            "split A into 1, 1 and 3",
        ),
        (
            "merge:1,2,3",
            "c+a",
            "A+C",
            "merge:4,2,0",
            "poured C into A, making 4",
        ),
        (
            "stairs:0,3",
            "2:2",
            "2:2",
            "stairs:2,1",
            "moved 2 from step 2 to step 1",
        ),
        (
            "nimble:5,5",
            "5 - 2",
            "5-2",
            "nimble:2,5",
            "moved a coin from 5 to 2",
        ),
        (
            "silver:7,2",
            "7-4",
            "7-4",
            "silver:4,2",
            "moved a coin from 7 to 4",
        ),
        (
            "fib:10/4",
            "a3",
            "A-3",
            "fib:7/6",
            "took 3 from A, leaving 7 and at most 6 to take",
        ),
        (
            "fib:3/3",
            "a3",
            "A-3",
            "fib:0/0",
            "took 3 from A, leaving 0 and at most 0 to take",
        ),
        (
            "race.10.100:90",
            "7",
            "+7",
            "race.10.100:97",
            "added 7, saying 97",
        ),
        (
            "euclid:21,9",
            "A-18",
            "A-18",
            "euclid:3,9",
            "subtracted 18 from A, leaving 3",
        ),
    ] {
        let place = parse(position);
        let mv = place.parse_move(Seat::First, typed).expect(typed);
        let got = (
            mv.to_string(),
            place.play(&mv).to_string(),
            place.describe_move(&mv),
        );
        assert_eq!(got, (printed.to_owned(), after.to_owned(), told.to_owned()));
    }
}

#[test]
fn huge_positions_are_answered_in_closed_form() {
    let large = "1000000000000000000";
    for text in [
        format!("moore.2:{large},3,5"),
        format!("moore.2:{large},{large},{large}"),
        format!("moore.2:{large},1,1,1@misere"),
        format!("race.9.{large}:3"),
        format!("fib:{large}"),
        format!("fib:{large}/40"),
        format!("fib:{large}/40@misere"),
        format!("stairs:3,{large}").replace("3,1000", "3,999"),
        "stairs:300000000000000000,200000000000000000,400000000000000000@misere".to_owned(),
        format!("lasker:{large},999999999999999999,7"),
        format!("lasker:{large},999999999999999999,7@misere"),
        format!("split:{large},999999999999999999,7"),
        format!("split:{large},5@misere"),
        format!("merge:2,1,1,{}", "9".repeat(17)),
        format!("nimble:{large},{large},6@misere"),
        format!("silver:3,7,{large}"),
        format!("silver:3,7,{large}@misere"),
        format!("euclid:{large},618033988749894848"),
        format!("euclid:{large},7@misere"),
        format!("euclid:{large},7+lasker:{large}"),
        "multi:200,30,7".to_owned(),
        "multi:60@misere".to_owned(),
        "grundy:5000,300".to_owned(),
    ] {
        let solution = solved(&text);
        assert!(solution.exact, "{text}: {solution:?}");
        let won = solution.outcome == OutcomeClass::N;
        assert_eq!(won, solution.winning_moves_total != Some(0), "{text}");
        assert_eq!(won, !solution.winning_moves.is_empty(), "{text}");
        for winning in solution.winning_moves.iter().take(1) {
            assert_eq!(
                solved(&winning.to).outcome,
                OutcomeClass::P,
                "{text}: {}",
                winning.mv
            );
        }
        let told = explain(&parse(&text), Seat::First, &Budget::nodes(1 << 18)).to_string();
        assert!(told.is_ascii() && told.lines().count() < 60, "{told}");
    }
}

#[test]
fn values_beyond_a_table_are_not_guessed() {
    for text in ["grundy:100000000000", "fib:5000+nim:3"] {
        let solution = solve(&parse(text), Seat::First, &Budget::nodes(200_000), 10);
        assert_eq!(
            (solution.outcome, solution.exact),
            (OutcomeClass::Unknown, false),
            "{text}"
        );
    }
}

#[test]
fn the_parity_rule_is_used_where_it_is_proved_only() {
    let misere = |text: &str| solved(&format!("{text}@misere"));
    assert_eq!(parse("grundy:3,13@misere").end_rule(), EndRule::Misere);
    assert_eq!(misere("grundy:3,13").method, "misere quotient");
    assert!(
        misere("lasker:9,9")
            .method
            .ends_with("misere rule of tame sums")
    );
    // Three heaps of 2 are worth 0 together, and no move makes them worth 1.
    assert_eq!(misere("moore.2:2,2,2").outcome, OutcomeClass::P);
    assert_eq!(misere("moore.2:2,2,2+nim:1").method, "exhaustive search");
    // On a staircase they count as two heaps.
    assert_eq!(misere("stairs:2,0,2").outcome, OutcomeClass::P);
    assert!(
        misere("stairs:2,0,2+nim:1")
            .method
            .ends_with("misere rule of tame sums")
    );
}

#[test]
fn parts_whose_sum_is_beyond_a_machine_word_are_not_the_rest() {
    let parts = vec!["1000000000000000000"; 19].join(",");
    for text in ["octal.0.7f:5", "lasker:5", "multi:5"] {
        for mv in [format!("A-1/{parts}"), format!("A/{parts}")] {
            let error = parse(text)
                .parse_move(Seat::First, &mv)
                .expect_err("not the rest");
            let sums = error.message.contains("together be") || error.message.contains("split");
            assert!(sums, "{text} {mv}: {}", error.message);
        }
    }
    let error = parse("octal.0.7f:5").parse_move(Seat::First, &format!("A-1/{parts}"));
    let message = error.expect_err("not the rest").message;
    assert!(message.contains("together be 4"), "{message}");
}
