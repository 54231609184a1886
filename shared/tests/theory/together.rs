//! Compounds with coloured and loopy components: the moves of the rule, and the verdict of plain recursion or of going over all positions again and again.

use std::collections::BTreeSet;

use crate::certificates::{checked, made};
use crate::drawing::{Chance, drawn, grounded};
use crate::notation::refused;
use crate::{loopy, partizan};
use grundy_shared::Position;
use grundy_shared::certificate::Outcome;
use grundy_shared::conformance::{PlainRecursion, check_notation};
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, explain, reasons, solve};
use grundy_shared::theory::compound::Compound;

/// Random positions, half of them in each end rule.
const POSITIONS: usize = 2_000;
/// Positions that plain recursion may meet for one of them.
const MOST: usize = 800;

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// The compounds that coloured and loopy components can be played in.
fn compounds() -> impl Iterator<Item = Compound> {
    let named = Compound::NAMED.into_iter();
    named.filter(|compound| *compound != Compound::UntilZero)
}

/// A few coloured edges, tied to the ground.
fn bush(chance: &mut Chance) -> String {
    let edges: Vec<String> = grounded(chance, 3)
        .iter()
        .map(|edge| edge.replace('-', ["b", "r", "-"][chance.below(3) as usize]))
        .collect();
    format!("hack:{}", edges.join(","))
}

fn coloured(chance: &mut Chance) -> String {
    let names = ["domineering", "clobber", "col", "snort", "toads", "value"];
    match chance.below(8) {
        0 | 1 => bush(chance),
        n => drawn(names[n as usize - 2], chance).expect("these are drawn"),
    }
}

fn plain(chance: &mut Chance) -> String {
    match chance.below(4) {
        0 => format!("nim:{}", chance.below(4)),
        1 => format!("kayles:{}", chance.below(4)),
        2 => format!("nim:{},{}", chance.below(3), chance.below(2)),
        _ => format!("grundy:{}", 2 + chance.below(4)),
    }
}

/// Two or three of these components in a compound.
fn joined(chance: &mut Chance, mut parts: Vec<String>, other: fn(&mut Chance) -> String) -> String {
    match chance.below(4) {
        0 => parts.push(plain(chance)),
        1 => parts.insert(0, plain(chance)),
        _ => parts.push(other(chance)),
    }
    if chance.below(6) == 0 {
        parts.push(format!(
            "hack:0{}1",
            ["b", "r", "-"][chance.below(3) as usize]
        ));
    }
    let compounds: Vec<Compound> = compounds().collect();
    let word = compounds[chance.below(5) as usize].word();
    let misere = ["", "@misere"][chance.below(2) as usize];
    format!("{}@{word}{misere}", parts.join("+"))
}

#[test]
fn random_coloured_compounds_agree_with_plain_recursion() {
    let mut chance = Chance(0x0c01_2025_0be5_0011);
    let mut judge = PlainRecursion::new();
    let (mut compared, mut of_one_player) = (0, 0);
    while compared < POSITIONS {
        let first = coloured(&mut chance);
        let position = parse(&joined(&mut chance, vec![first], coloured));
        if position.kind() == Kind::Partizan && partizan::agrees(&position, &mut judge, MOST) {
            compared += 1;
            let solution = solve(&position, Seat::First, &Budget::nodes(1 << 30), 0);
            of_one_player += u32::from(matches!(
                solution.outcome,
                OutcomeClass::L | OutcomeClass::R
            ));
        }
    }
    assert!(of_one_player > 100, "{of_one_player}");
}

#[test]
fn random_loopy_compounds_are_what_all_lines_of_play_give() {
    let mut chance = Chance(0x0c01_2025_0be5_0013);
    let (mut compared, mut drawn_out) = (0, 0);
    while compared < POSITIONS {
        let name = ["loopy", "northcott"][chance.below(2) as usize];
        let first = drawn(name, &mut chance).expect("these are drawn");
        let position = parse(&joined(&mut chance, vec![first], bush));
        if position.kind() == Kind::Loopy && loopy::agrees(&position) {
            compared += 1;
            let solution = solve(&position, Seat::First, &Budget::nodes(1 << 30), 0);
            drawn_out += u32::from(solution.outcome == OutcomeClass::D);
        }
    }
    assert!(drawn_out > 100, "{drawn_out}");
}

/// Every way to choose components and a move in each, without the program's numbering of moves.
fn by_the_rule(components: &[Position], compound: Compound, seat: Seat) -> BTreeSet<String> {
    let mut all = vec![Vec::new()];
    for (index, component) in components.iter().enumerate() {
        let moves: Vec<String> = component.moves(seat).map(|mv| mv.to_string()).collect();
        let mut longer = Vec::new();
        for chosen in &all {
            longer.push(chosen.clone());
            longer.extend(moves.iter().map(|mv| {
                let mut chosen: Vec<(usize, String)> = chosen.clone();
                chosen.push((index, mv.clone()));
                chosen
            }));
        }
        all = longer;
    }
    let alive = |component: &&Position| component.move_count(seat) > 0;
    let alive = components.iter().filter(alive).count();
    let allowed = |chosen: &Vec<(usize, String)>| match compound {
        Compound::Sum | Compound::UntilZero => unreachable!("not drawn"),
        Compound::Every => alive > 0 && chosen.len() == alive,
        Compound::Selective => !chosen.is_empty(),
        _ if alive < components.len() => false,
        Compound::Conjunctive => chosen.len() == alive,
        Compound::ShortSum => chosen.len() == 1,
        Compound::ShortSelective => !chosen.is_empty(),
    };
    let written = all.iter().filter(|chosen| allowed(chosen)).map(|chosen| {
        let steps: Vec<String> = chosen
            .iter()
            .map(|(index, mv)| format!("{}.{mv}", index + 1))
            .collect();
        steps.join(",")
    });
    written.collect()
}

#[test]
fn the_moves_of_each_player_are_those_of_the_rule() {
    let mut chance = Chance(0x0c01_2025_0be5_0015);
    for _ in 0..300 {
        let texts = [coloured(&mut chance), bush(&mut chance), plain(&mut chance)];
        let components: Vec<Position> = texts.iter().map(|text| parse(text)).collect();
        for compound in compounds() {
            let position = parse(&format!("{}@{}", texts.join("+"), compound.word()));
            for seat in Seat::BOTH {
                let wanted = by_the_rule(&components, compound, seat);
                let listed: BTreeSet<String> =
                    position.moves(seat).map(|mv| mv.to_string()).collect();
                assert_eq!(listed, wanted, "{position} {seat}");
            }
            let few = position.move_count(Seat::First) < 60;
            if few && position.move_count(Seat::Second) < 60 {
                check_notation(&position).unwrap_or_else(|fault| panic!("{fault}"));
            }
        }
    }
}

/// A player who has no move in a component is done there, whatever the opponent has.
#[test]
fn only_the_moves_of_the_player_to_move_count() {
    for (text, left, right) in [
        ("hack:0b1+nim:2@every", 2, 2),
        ("hack:0b1+nim:2@selective", 5, 2),
        ("hack:0b1+nim:2@conjunctive", 2, 0),
        ("hack:0b1+nim:2@shortsum", 3, 0),
        ("hack:0b1+nim:2@shortselective", 5, 0),
    ] {
        let position = parse(text);
        assert_eq!(position.move_count(Seat::First), left, "{text}");
        assert_eq!(position.move_count(Seat::Second), right, "{text}");
        let over = position.winner_if_over(Seat::Second);
        assert_eq!(over, (right == 0).then_some(Seat::First), "{text}");
    }
    let text = "hack:0b1+nim:2@conjunctive@misere";
    assert_eq!(parse(text).winner_if_over(Seat::Second), Some(Seat::Second));
    let read = parse("hack:0b1+nim:2@every").parse_move(Seat::Second, "2.A-1");
    assert!(read.is_ok(), "{read:?}");
    let left_out = parse("hack:0b1+nim:2@every").parse_move(Seat::First, "2.A-1");
    assert!(left_out.is_err());
}

#[test]
fn a_component_without_a_nim_value_is_refused_where_the_values_end_the_game() {
    for (text, column, length) in [
        ("nim:3+hack:0b1@zero", 7, 8),
        ("loopy.0-1.1-0:0+nim:1@zero", 1, 15),
        ("domineering:../..+nim:1@zero@misere", 1, 17),
    ] {
        refused(text, "bad_position", column, length);
    }
    let message = Position::parse("value:1+nim:1@zero")
        .expect_err("refused")
        .message;
    assert!(message.contains("nim-values"), "{message}");
}

#[test]
fn explanations_say_that_only_a_search_decides_and_show_the_line() {
    for text in [
        "domineering:.../...+clobber:xo/ox@selective",
        "domineering:../..+nim:2@every@misere",
        "loopy.0-1.1-0.1-2:0+nim:2@shortselective",
    ] {
        let position = parse(text);
        let explained = explain(&position, Seat::First, &Budget::nodes(1 << 26)).to_string();
        let sided = text.contains("domineering");
        assert_eq!(explained.contains("Only the moves"), sided, "{explained}");
        assert!(
            explained.contains("only a search of all lines of play decides"),
            "{explained}"
        );
        assert!(explained.contains("it ends after"), "{explained}");
        assert!(!explained.contains("All together"), "{explained}");
        let mv = position.nth_move(Seat::First, 0).expect("a move");
        let found = reasons(&position, Seat::First, &[mv], &Budget::nodes(1 << 26));
        let lines = found.lines.join("\n");
        assert!(lines.contains("only a search"), "{lines}");
    }
}

#[test]
fn the_component_that_ends_first_decides_conjunctive_play() {
    let loopy = "loopy.0-1.1-2.2-0.2-3.3-4.4-5.5-6.6-7:0";
    for ending in ["", "@misere"] {
        let parts = [
            "domineering:..../..../....",
            "clobber:xoxo/oxox/xo..",
            "toads:TTT...FFF",
            loopy,
        ];
        let whole = format!("{}@conjunctive{ending}", parts.join("+"));
        for seat in Seat::BOTH {
            let budget = Budget::nodes(1 << 26);
            let plies = parts.map(|part| {
                let alone = parse(&format!("{part}{ending}"));
                solve(&alone, seat, &budget, 0).remoteness
            });
            let least = plies.iter().flatten().min().copied();
            let solution = solve(&parse(&whole), seat, &budget, 4);
            assert_eq!(solution.method, "least remoteness", "{whole}");
            assert_eq!(solution.remoteness, least, "{whole} {seat}");
            let wins = least.map(|plies| (plies % 2 == 1) == ending.is_empty());
            let winner = wins.map(|wins| if wins { seat } else { seat.other() });
            assert_eq!(solution.outcome.winner(seat), winner, "{whole} {seat}");
            assert_eq!(solution.winning_moves.is_empty(), winner != Some(seat));
            for winning in &solution.winning_moves {
                let after = solve(&parse(&winning.to), seat.other(), &budget, 0);
                assert_eq!(
                    after.outcome.winner(seat.other()),
                    Some(seat),
                    "{winning:?}"
                );
            }
        }
        let explained = explain(&parse(&whole), Seat::First, &Budget::nodes(1 << 26)).to_string();
        assert!(
            explained.contains("The component that ends first decides."),
            "{explained}"
        );
    }
}

#[test]
fn what_is_left_of_one_component_alone_is_solved_by_its_theory() {
    // Two finished components, and a stalk that is too large for a search.
    let stalk: String = (0..200)
        .map(|n| format!("{n}{}", ["b", "r"][n % 2]))
        .collect();
    let text = format!("hack:{stalk}200+nim:0+toads:.@selective");
    let solution = solve(&parse(&text), Seat::First, &Budget::nodes(1 << 24), 3);
    assert_eq!(solution.outcome, OutcomeClass::L);
    assert_eq!(solution.method, "sum of numbers");
}

#[test]
fn what_is_too_large_for_the_search_is_unknown() {
    let board = ["......"; 6].join("/");
    let position = parse(&format!("domineering:{board}+clobber:xoxo/oxox@every"));
    let solution = solve(&position, Seat::First, &Budget::nodes(1 << 20), 3);
    assert_eq!(solution.outcome, OutcomeClass::Unknown);
    assert_eq!(solution.method, "tried exhaustive search");
}

#[test]
fn certificates_prove_the_outcome_by_a_search() {
    let mut chance = Chance(0x0c01_2025_0be5_0017);
    let mut proved = [0; 5];
    for round in 0..60 {
        let text = match round % 3 {
            0 => {
                let first = drawn("loopy", &mut chance).expect("these are drawn");
                joined(&mut chance, vec![first], bush)
            }
            _ => {
                let first = coloured(&mut chance);
                joined(&mut chance, vec![first], coloured)
            }
        };
        let position = parse(&text);
        if position.kind() == Kind::Impartial {
            continue;
        }
        let certificate = made(&text);
        let solution = solve(&position, Seat::First, &Budget::nodes(1 << 30), 0);
        let expected = match solution.outcome {
            OutcomeClass::N => Outcome::N,
            OutcomeClass::P => Outcome::P,
            OutcomeClass::L => Outcome::L,
            OutcomeClass::R => Outcome::R,
            OutcomeClass::D => Outcome::D,
            OutcomeClass::Unknown => panic!("{text} is not solved"),
        };
        assert_eq!(certificate.outcome, Some(expected), "{text}");
        if certificate.proof.is_some() {
            let verified = checked(certificate.to_json().as_bytes());
            assert!(verified.is_ok(), "{text}: {verified:?}");
            proved[expected as usize] += 1;
        }
    }
    assert!(proved.iter().sum::<i32>() > 30, "{proved:?}");
}
