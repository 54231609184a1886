//! `@zero`: play ends when every component has nim-value 0. The values, the end and the law, each beside plain recursion.

use grundy_shared::Position;
use grundy_shared::conformance::PlainRecursion;
use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::game::EndRule;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::{Millis, Ply, Seat};
use grundy_shared::referee::Command;
use grundy_shared::solver::{Budget, OutcomeClass, explain, reasons, solve};

use crate::certificates::{checked, made};
use crate::contest::{contest, id};
use crate::drawing::{Chance, random_component};
use crate::notation::refused;

/// Random positions that are compared.
const POSITIONS: usize = 2_000;
/// Positions that plain recursion may meet for one of them.
const MOST: usize = 400;
/// And for one that is chosen.
const MOST_CHOSEN: usize = 50_000;

fn parse(text: &str) -> Position {
    Position::parse(text).expect(text)
}

/// The nim-value of each component alone; `None` if it is too large.
fn values(position: &Position, judge: &mut PlainRecursion, most: usize) -> Option<Vec<u64>> {
    let components = position.components();
    let values = components.map(|(_, text)| Some(judge.truth(&parse(&text), most)?.value));
    values.collect()
}

/// Compares the end, the winner, the value, the remoteness and the winning moves. `false` if it is too large.
fn agrees(position: &Position, most: usize) -> bool {
    let judge = &mut PlainRecursion::new();
    let Some(values) = values(position, judge, most) else {
        return false;
    };
    let is_over = values.iter().all(|value| *value == 0);
    assert_eq!(position.is_over(Seat::First), is_over, "{position}");
    let Some(truth) = judge.truth(position, most) else {
        return false;
    };
    let misere = position.end_rule().is_misere();
    // The theorem, as it is stated.
    let xor = values.iter().fold(0, |xor, value| xor ^ value);
    let large = values.iter().any(|value| *value > 1);
    let wins = match misere {
        true => (xor != 0) == large,
        false => xor != 0,
    };
    assert_eq!(!truth.lost, wins, "{position}");
    let solution = solve(position, Seat::First, &Budget::nodes(30_000_000), 10_000);
    let outcome = match wins {
        true => OutcomeClass::N,
        false => OutcomeClass::P,
    };
    assert_eq!(solution.outcome, outcome, "{position}");
    let nim_value = (!misere).then_some(truth.value);
    assert_eq!(solution.nim_value, nim_value, "{position}");
    assert_eq!(solution.remoteness, Some(truth.remoteness), "{position}");
    let winning = position.moves(Seat::First).filter(|mv| {
        let after = judge.truth(&position.play(mv), usize::MAX);
        after.is_some_and(|after| after.lost)
    });
    let winning: Vec<String> = winning.map(|mv| mv.to_string()).collect();
    let said: Vec<String> = solution
        .winning_moves
        .iter()
        .map(|mv| mv.mv.clone())
        .collect();
    assert_eq!(said, winning, "{position}");
    true
}

#[test]
fn random_positions_agree_with_plain_recursion() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let (mut compared, mut over, mut splits) = (0, 0, 0);
    while compared < POSITIONS {
        let count = 1 + chance.below(3);
        let part = |chance: &mut Chance| {
            let info = REGISTRY[chance.below(REGISTRY.len() as u64) as usize];
            random_component(info, chance, 3)
        };
        let parts: Option<Vec<String>> = (0..count).map(|_| part(&mut chance)).collect();
        let Some(parts) = parts else {
            continue;
        };
        let misere = ["", "@misere"][chance.below(2) as usize];
        // Partizan and loopy components, and large ones, are refused.
        let Ok(position) = Position::parse(&format!("{}@zero{misere}", parts.join("+"))) else {
            continue;
        };
        if agrees(&position, MOST) {
            compared += 1;
            over += usize::from(position.is_over(Seat::First));
            splits += usize::from(parts.iter().any(|part| part.contains("kayles")));
        }
    }
    assert!(over > 50 && splits > 50, "{over} over, {splits} split");
}

#[test]
fn the_end_makes_the_rule_of_nim_right_for_games_that_split() {
    // In misère play to the last move the rule of tame sums is wrong for these; see SOLVER.md and Kayles (1,5).
    for text in [
        "kayles:1+kayles:5@zero@misere",
        "grundy:3+grundy:13@zero@misere",
        "wythoff:3,5+nim:1@zero@misere",
        "hack:0-1,1-2,2-3,3-0+nim:2@zero@misere",
    ] {
        assert!(agrees(&parse(text), MOST_CHOSEN), "{text}");
    }
}

#[test]
fn giants_are_solved_by_their_values() {
    let giant = "1000000000000000000";
    let budget = Budget::nodes(100_000);
    for (text, outcome, winning) in [
        (
            format!("nim:{giant}+bash.2:{giant}@zero"),
            OutcomeClass::N,
            "1.A-999999999999999999",
        ),
        (
            format!("nim:{giant}+nim:{giant}@zero@misere"),
            OutcomeClass::P,
            "",
        ),
        (
            format!("nim:{giant}+nim:1@zero@misere"),
            OutcomeClass::N,
            "1.A-1000000000000000000",
        ),
        (
            format!("nim:1+nim:1+euclid:{giant},{giant}@zero@misere"),
            OutcomeClass::P,
            "",
        ),
    ] {
        let solution = solve(&parse(&text), Seat::First, &budget, 5);
        assert_eq!(solution.outcome, outcome, "{text}");
        let first = solution.winning_moves.first().map_or("", |mv| &*mv.mv);
        assert_eq!(first, winning, "{text}");
    }
}

#[test]
fn what_is_over_by_the_values_has_no_move() {
    for (text, misere) in [
        ("kayles:1,1+nim:0@zero", false),
        ("bash.2:3+grundy:2@zero@misere", true),
    ] {
        let position = parse(text);
        assert_eq!(position.move_count(Seat::First), 0, "{text}");
        assert_eq!(position.moves(Seat::First).count(), 0);
        assert_eq!(position.nth_move(Seat::First, 0), None);
        assert!(position.parse_move(Seat::First, "1.A-1").is_err());
        assert_eq!(position.end_rule() == EndRule::Misere, misere);
        let winner = position.winner_if_over(Seat::First);
        assert_eq!(
            winner,
            Some([Seat::Second, Seat::First][usize::from(misere)])
        );
        let explained = explain(&position, Seat::First, &Budget::nodes(100_000));
        assert!(
            explained.lines[0].contains("Every component has nim-value 0"),
            "{explained}"
        );
    }
    // Components that have moves, with values of 0, go on beside another.
    assert!(parse("bash.2:3+nim:1@zero").move_count(Seat::First) == 3);
}

#[test]
fn a_match_ends_when_every_component_has_the_value_0() {
    // Three stones of which one or two may be taken have the value 0, and stay on the table.
    for (start, moves, winner) in [
        ("bash.2:3+nim:2@zero", &["2.A-2"][..], Seat::First),
        ("bash.2:3+nim:2@zero@misere", &["2.A-2"], Seat::Second),
        (
            "bash.2:3+nim:2@zero",
            &["1.A-1", "2.A-1", "1.A-2", "2.A-1"],
            Seat::Second,
        ),
    ] {
        let before = contest(start, "none", &moves[..moves.len() - 1]);
        assert_eq!(before.outcome(), None, "{start}");
        let ended = contest(start, "none", moves);
        let outcome = Outcome::win_of(winner);
        assert_eq!(
            ended.outcome(),
            Some((outcome, EndReason::LastMove)),
            "{start}"
        );
        let late = Command::Move {
            player: id(Seat::to_move_at(Ply(moves.len() as u32))),
            ply: Ply(moves.len() as u32 + 1),
            client_move_id: None,
            text: "1.A-1".to_owned(),
            opponent_lag: Millis(0),
            hints: 0,
        };
        assert!(ended.handle(Millis(60_000), &late).is_err(), "{start}");
    }
}

/// One component is another game with `@zero` than without: it is accepted, solved, proved and played.
#[test]
fn one_component_ends_when_its_value_is_0() {
    for (text, over) in [
        ("stairs:0,2@zero", true),
        ("stairs:0,2@zero@misere", true),
        ("stairs:1,2@zero", false),
        ("stairs:1,2@zero@misere", false),
        ("stairs:3,1,2@zero", false),
        ("bash.2:3@zero@misere", true),
        ("kayles:3,1@zero@misere", false),
        ("grundy:13@zero", false),
    ] {
        let position = Position::parse_typed(text).expect(text);
        assert_eq!(position.is_over(Seat::First), over, "{text}");
        assert_eq!(
            Position::parse_typed(&position.to_string()),
            Ok(position.clone())
        );
        assert!(agrees(&position, MOST_CHOSEN), "{text}");
        let certificate = made(text);
        assert!(certificate.outcome.is_some(), "{text}");
        let verified = checked(certificate.to_json().as_bytes());
        assert!(verified.is_ok(), "{text}: {verified:?}");
    }
    // Four stones of which one or two may be taken have the value 1; three have 0.
    for (start, moves, winner) in [
        ("bash.2:4@zero", &["A-1"][..], Seat::First),
        ("bash.2:4@zero@misere", &["A-1"], Seat::Second),
        ("bash.2:5@zero", &["A-1", "A-1"], Seat::Second),
    ] {
        let before = contest(start, "none", &moves[..moves.len() - 1]);
        assert_eq!(before.outcome(), None, "{start}");
        let ended = contest(start, "none", moves);
        let outcome = Outcome::win_of(winner);
        assert_eq!(
            ended.outcome(),
            Some((outcome, EndReason::LastMove)),
            "{start}"
        );
    }
}

#[test]
fn the_sj_theorem_is_stated_with_its_other_condition() {
    let position = parse("nim:3+kayles:5@zero@misere");
    let found = reasons(&position, Seat::First, &[], &Budget::nodes(1_000_000));
    let text = found.lines.join("\n");
    assert!(text.contains("(SJ theorem)"), "{text}");
    assert!(
        text.contains(
            "whenever all values are 0 and there is a move, some component can be moved to value 1"
        ),
        "{text}"
    );
}

#[test]
fn explanations_show_the_values_and_the_law() {
    let explained = explain(
        &parse("kayles:3+nim:5+bash.2:7@zero@misere"),
        Seat::First,
        &Budget::nodes(1_000_000),
    );
    let text = explained.to_string();
    assert!(
        text.contains("nim-value 3") && text.contains("their xor is 7, and 2 values are above 1"),
        "{text}"
    );
    assert!(text.contains("whatever the games are"), "{text}");
    let position = parse("nim:3+kayles:5@zero@misere");
    let mv = position.nth_move(Seat::First, 0).expect("a move");
    let found = reasons(&position, Seat::First, &[mv], &Budget::nodes(1_000_000));
    let text = found.lines.join("\n");
    assert!(text.contains("above 1"), "{text}");
}

#[test]
fn what_is_too_large_to_end_a_match_by_is_refused() {
    let range = "out_of_range";
    refused("cram:......./......./.......+nim:3@zero", range, 1, 28);
    refused("nim:3+kayles:2000@zero", range, 7, 11);
    refused("wythoff:1000000,5@zero@misere", range, 1, 17);
    refused("hack:0b1@zero", "bad_position", 1, 8);
    refused("loopy.0-1.1-0:0+nim:1@zero", "bad_position", 1, 15);
    // What is accepted once can be read again after every move.
    for text in [
        "kayles:300+grundy:300+octal.0.37:300@zero",
        "chomp:3,3,2+fib:20+wythoff:6,9@zero",
    ] {
        let mut position = parse(text);
        let mut random = Chance(5);
        while position.move_count(Seat::First) > 0 {
            let n = random.below(position.move_count(Seat::First) as u64);
            let mv = position
                .nth_move(Seat::First, u128::from(n))
                .expect("in the list");
            position = position.play(&mv);
            assert_eq!(
                Position::parse(&position.to_string()).as_ref(),
                Ok(&position)
            );
        }
    }
}
