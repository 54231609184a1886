//! Geography with a start that is limited, or chosen by the opponent: beside plain recursion, with certificates.

use grundy_shared::Position;
use grundy_shared::certificate::{Certificate, Matching, Outcome, Proof, verify};
use grundy_shared::conformance::PlainRecursion;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, certify, explain, solve};
use grundy_shared::theory::Meter;

use crate::drawing::Chance;
use crate::notation::refused;

/// Random graphs; each is asked with four starts.
const GRAPHS: u64 = 500;

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn solved(text: &str) -> OutcomeClass {
    solve(&parse(text), Seat::First, &Budget::nodes(1 << 22), 10).outcome
}

fn accepted(certificate: &Certificate) -> bool {
    let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
    verify(certificate, &mut meter).is_ok()
}

/// A random graph of up to seven vertices, and some of them.
fn drawn(chance: &mut Chance) -> (String, Vec<u64>) {
    let nodes = 1 + chance.below(7);
    let mut items: Vec<String> = (0..nodes).map(|node| node.to_string()).collect();
    for from in 0..nodes {
        for to in from + 1..nodes {
            if chance.below(3) == 0 {
                items.push(format!("{from}-{to}"));
            }
        }
    }
    let starts = (0..nodes).filter(|_| chance.below(3) == 0).collect();
    (format!("geo.{}", items.join(".")), starts)
}

#[test]
fn random_starts_agree_with_plain_recursion_and_are_certified() {
    let mut chance = Chance(0x5851_f42d_4c95_7f2d);
    let mut by_matching = 0;
    for _ in 0..GRAPHS {
        let (graph, starts) = drawn(&mut chance);
        let list: Vec<String> = starts.iter().map(u64::to_string).collect();
        let list = list.join("/");
        for state in [
            "_".to_owned(),
            "__".to_owned(),
            format!("_{list}"),
            format!("__{list}"),
        ] {
            let text = format!("{graph}:{state}");
            let position = parse(&text);
            let truth = PlainRecursion::new()
                .truth(&position, 200_000)
                .expect("it is small");
            let solution = solve(&position, Seat::First, &Budget::nodes(1 << 24), 100);
            let wanted = match truth.lost {
                true => OutcomeClass::P,
                false => OutcomeClass::N,
            };
            assert_eq!(solution.outcome, wanted, "{text}");
            assert_eq!(solution.nim_value, Some(truth.value), "{text}");
            assert_eq!(solution.remoteness, Some(truth.remoteness), "{text}");
            let mut judge = PlainRecursion::new();
            let wins = position.moves(Seat::First).filter(|mv| {
                let after = judge.truth(&position.play(mv), 200_000);
                after.is_some_and(|after| after.lost)
            });
            assert_eq!(
                solution.winning_moves_total,
                Some(wins.count() as u64),
                "{text}"
            );
            let certificate = certify(&position, &Budget::nodes(1 << 24));
            assert!(accepted(&certificate), "{text}: {certificate:?}");
            if let Some(Proof::Matching(matching)) = certificate.proof {
                by_matching += 1;
                // The same matching does not prove the opposite.
                let opposite = Certificate {
                    outcome: Some(Outcome::of(true)),
                    winning_move: None,
                    nim_value: None,
                    proof: Some(Proof::Matching(matching)),
                    ..certificate
                };
                assert_eq!(accepted(&opposite), truth.lost, "{text}");
            }
        }
    }
    assert!(by_matching > 500, "{by_matching}");
}

/// No matching and barrier, of all that there are in a small graph, prove a won position lost.
#[test]
fn nothing_proves_a_won_start_lost() {
    for (graph, edges, state, lost) in [
        ("geo.0-1.1-2", vec![(0, 1), (1, 2)], "_1", true),
        ("geo.0-1.1-2", vec![(0, 1), (1, 2)], "_0/1", false),
        ("geo.0-1.1-2", vec![(0, 1), (1, 2)], "__1", false),
        ("geo.0-1.1-2", vec![(0, 1), (1, 2)], "__2", true),
        ("geo.0-1.1-2.2-0", vec![(0, 1), (1, 2), (0, 2)], "_1", false),
        ("geo.0-1.2", vec![(0, 1)], "_0/1", true),
        ("geo.0-1.2", vec![(0, 1)], "_2", false),
    ] {
        let text = format!("{graph}:{state}");
        assert_eq!(solved(&text) == OutcomeClass::P, lost, "{text}");
        let mut proved = false;
        for chosen in 0..1u32 << edges.len() {
            for barred in 0..8u32 {
                let pairs = edges.iter().enumerate();
                let pairs = pairs.filter(|(index, _)| chosen >> index & 1 == 1);
                let matching = Matching {
                    pairs: pairs.map(|(_, pair)| *pair).collect(),
                    barrier: (0..3).filter(|vertex| barred >> vertex & 1 == 1).collect(),
                };
                let claim = Certificate {
                    outcome: Some(Outcome::of(true)),
                    winning_move: None,
                    nim_value: None,
                    proof: Some(Proof::Matching(matching)),
                    ..certify(&parse(&text), &Budget::nodes(1 << 20))
                };
                proved |= accepted(&claim);
            }
        }
        assert_eq!(proved, lost, "{text}");
    }
}

/// A bipartite board where the first player may choose the start on one side only.
#[test]
fn large_boards_with_a_limited_start_are_solved_by_matching() {
    let side = 60;
    let mut edges = Vec::new();
    for at in 0..side * side {
        if (at + 1) % side != 0 {
            edges.push(format!("{at}-{}", at + 1));
        }
        if at + side < side * side {
            edges.push(format!("{at}-{}", at + side));
        }
    }
    // Without one corner, the vertices of the other colour are one more.
    let edges: Vec<String> = edges.into_iter().skip(2).collect();
    let graph = format!("geo.{}", edges.join("."));
    let of_colour = |colour: u64| {
        let vertices = (1..side * side).filter(|at| (at / side + at % side) % 2 == colour);
        let vertices: Vec<String> = vertices.map(|at| at.to_string()).collect();
        vertices.join("/")
    };
    assert_eq!(
        solved(&format!("{graph}:_{}", of_colour(0))),
        OutcomeClass::P
    );
    assert_eq!(
        solved(&format!("{graph}:_{}", of_colour(1))),
        OutcomeClass::N
    );
    assert_eq!(
        solved(&format!("{graph}:__{}", of_colour(0))),
        OutcomeClass::N
    );
}

#[test]
fn starts_are_read_and_refused_at_the_place() {
    let bad = "bad_position";
    refused("geo.0-1.1-2:_3", bad, 14, 1);
    refused("geo.0-1.1-2:_0/7", bad, 16, 1);
    refused("geo.0-1.1-2:_0/", bad, 16, 1);
    refused("geo.0-1.1-2:_/0", bad, 14, 1);
    refused("geo.0-1.1-2:__x", bad, 15, 1);
    refused("geo.0-1.1-2:___", bad, 15, 1);
    refused("geo.0-1.1-2:_0,1", bad, 14, 3);
    assert_eq!(parse("geo.0-1.1-2:_2/0/2").to_string(), "geo.0-1.1-2:_0/2");
    let position = parse("geo.0-1.1-2:__0/2");
    assert_eq!(position.to_string(), "geo.0-1.1-2:__0/2");
    assert!(position.parse_move(Seat::First, "0").is_err());
    let pass = position
        .parse_move(Seat::First, "Pass")
        .expect("the only move");
    let chosen = position.play(&pass);
    assert_eq!(chosen.to_string(), "geo.0-1.1-2:_0/2");
    let refused = chosen
        .parse_move(Seat::Second, "1")
        .expect_err("not allowed");
    assert!(
        refused.message.contains("may not be placed on 1"),
        "{refused}"
    );
    assert!(chosen.parse_move(Seat::Second, "pass").is_err());
    let placed = chosen.parse_move(Seat::Second, "2").expect("allowed");
    assert_eq!(chosen.play(&placed).to_string(), "geo.0-1.1-2:2");
    for state in ["_0/2", "__0/2", "_1", "__1"] {
        let text = explain(
            &parse(&format!("geo.0-1.1-2:{state}")),
            Seat::First,
            &Budget::nodes(1 << 20),
        );
        let text = text.to_string();
        assert!(text.contains("token"), "{text}");
    }
}
