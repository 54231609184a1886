//! Compounds beyond the size of plain recursion: budgets, totals, bots, and matches to the end.

use std::collections::HashSet;

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, Solution, explain, solve};
use grundy_shared::theory::compound::Compound;

const NODES: u64 = 1_000_000;

fn solved(text: &str) -> Solution {
    let position: Position = text.parse().expect("a position");
    solve(&position, Seat::First, &Budget::nodes(NODES), 5)
}

#[test]
fn giants_are_solved_by_the_methods_of_their_games_or_unknown() {
    let giant = "1000000000000000000";
    let selective = solved(&format!("nim:{giant}+nim:3,5+kayles:700@selective"));
    assert_eq!(selective.outcome, OutcomeClass::N);
    assert_eq!(selective.winning_moves.len(), 5);
    for winning in &selective.winning_moves {
        assert!(winning.mv.starts_with(&format!("1.A-{giant},2.B-2,3.A-")));
        assert_eq!(
            solved(&winning.to).outcome,
            OutcomeClass::P,
            "{}",
            winning.to
        );
    }
    let conjunctive = solved(&format!("nim:{giant},{giant}+nim:2,2@conjunctive"));
    assert_eq!(conjunctive.outcome, OutcomeClass::P);
    assert_eq!(
        (conjunctive.remoteness, conjunctive.nim_value),
        (Some(4), Some(0))
    );
    let every = solved(&format!("nim:{giant},5+wythoff:{giant},7@every"));
    assert_eq!(every.outcome, OutcomeClass::Unknown);
    assert_eq!(every.legal_moves, None);
    assert!(!every.exact);
}

#[test]
fn many_components_are_no_trouble() {
    for compound in Compound::NAMED {
        let word = compound.word();
        let text = format!("{}@{word}", vec!["nim:1"; 2_001].join("+"));
        let position: Position = text.parse().expect("a position");
        let solution = solve(&position, Seat::First, &Budget::nodes(10_000_000), 2);
        assert_eq!(solution.outcome, OutcomeClass::N, "{word}");
        assert!(!solution.winning_moves.is_empty(), "{word}");
        let explained = explain(&position, Seat::First, &Budget::nodes(NODES));
        assert!(explained.lines.len() < 40);
    }
}

/// Two perfect players: the one who had the win at the start has it at the end, and every move is told and reads back.
#[test]
fn bots_play_compounds_to_the_end() {
    let mut told = HashSet::new();
    for compound in Compound::NAMED {
        for ending in ["", "@misere"] {
            let word = compound.word();
            let text = format!("nim:3,1+kayles:4+chomp:2,2@{word}{ending}");
            let mut position: Position = text.parse().expect("a position");
            let wins = solved(&text).outcome == OutcomeClass::N;
            let mut seat = Seat::First;
            let mut random = 7u64;
            let winner = loop {
                if let Some(winner) = position.winner_if_over(seat) {
                    break winner;
                }
                let budget = Budget::nodes(NODES);
                let mv = Bot::perfect().choose(&position, seat, &budget, &mut || {
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    random
                });
                let mv = mv.expect("it is not over");
                assert_eq!(position.parse_move(seat, &mv.to_string()), Ok(mv.clone()));
                told.insert(position.describe_move(&mv));
                position = position.play(&mv);
                seat = seat.other();
            };
            assert_eq!(winner == Seat::First, wins, "{text}");
        }
    }
    assert!(told.iter().any(|told| told.contains("; ")), "{told:?}");
}
