//! Nimstring: what theory says of chains and loops, and what is refused.

use crate::board_games::{no_move, solved};
use crate::notation::refused;
use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::OutcomeClass;

/// Chains of so many coins from the ground to the ground, and loops of so many coins that touch nothing.
fn arena(chains: &[u32], loops: &[u32]) -> String {
    let mut next = 1;
    let mut coins = |count: u32| {
        let named: Vec<String> = (next..next + count).map(|coin| coin.to_string()).collect();
        next += count;
        named.join("-")
    };
    let mut paths: Vec<String> = Vec::new();
    for chain in chains {
        paths.push(format!("0-{}-0", coins(*chain)));
    }
    for ring in loops {
        let coins = coins(*ring);
        let first = coins.split('-').next().expect("a coin");
        paths.push(format!("{coins}-{first}"));
    }
    format!("nimstring:{}", paths.join(","))
}

/// *Winning Ways* (1982), chapter 16: a chain of one or two coins is worth one cut, a longer one and a loop of four or more are worth none, since opening them loses.
#[test]
fn short_chains_decide_by_their_number() {
    for (chains, loops) in [
        (&[1][..], &[][..]),
        (&[2], &[]),
        (&[3], &[]),
        (&[4], &[]),
        (&[1, 1], &[]),
        (&[1, 2], &[]),
        (&[2, 2], &[]),
        (&[1, 3], &[]),
        (&[1, 1, 1], &[]),
        (&[1, 1, 3], &[]),
        (&[], &[4]),
        (&[1], &[4]),
        (&[3, 3], &[]),
    ] {
        let short = chains.iter().filter(|coins| **coins < 3).count();
        let expected = match short % 2 {
            0 => OutcomeClass::P,
            _ => OutcomeClass::N,
        };
        let text = arena(chains, loops);
        assert_eq!(solved(&text).outcome, expected, "{text}");
    }
}

#[test]
fn a_turn_ends_with_a_cut_that_frees_nothing() {
    let turns = |text: &str| {
        let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let moves: Vec<String> = position
            .moves(Seat::First)
            .map(|mv| mv.to_string())
            .collect();
        moves
    };
    assert_eq!(turns("nimstring:0-1,2-3"), Vec::<String>::new());
    assert_eq!(turns("nimstring:0-1-0"), ["0-1"]);
    // The string to the ground frees coin 1 only if 1-2 is gone, which frees nothing as long as both have another string.
    let pair = "nimstring:0-1-2-0,3-0";
    assert_eq!(
        turns(pair),
        ["0-1", "1-2", "2-0", "3-0,0-1", "3-0,1-2", "3-0,2-0"]
    );
}

#[test]
fn strings_are_refused_at_the_place() {
    let (bad, range, code) = ("bad_position", "out_of_range", "bad_game_code");
    refused("nimstring:", bad, 11, 1);
    refused("nimstring:1-1", bad, 13, 1);
    refused("nimstring:0-1,2", bad, 15, 1);
    refused("nimstring:0-x", bad, 13, 1);
    refused("nimstring:0-1000000000", range, 13, 10);
    refused("nimstring.2:0-1", code, 11, 1);
    let large = format!("nimstring:{}", ["0-1"; 7].join("-"));
    // The thirteenth string.
    refused(&large, range, 37, 1);
    let strings = "nimstring:0-1-2-0,0-3,0-4-0";
    no_move(strings, Seat::First, "0-3", 1);
    no_move(strings, Seat::First, "0-1,0-2", 4);
    no_move(strings, Seat::First, "1-3", 1);
    no_move(strings, Seat::First, "0-3,0-3", 5);
    no_move(strings, Seat::First, "0", 2);
    no_move(strings, Seat::First, "0-1x", 4);
}
