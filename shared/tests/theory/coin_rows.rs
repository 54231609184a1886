//! Misère play of rows of coins against plain recursion, alone and beside a heap of Nim.

use std::collections::HashMap;

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, solve};

/// Coins in a row; the bits of a number are its heads.
const COINS: u32 = 8;

/// The masks of coins that a move of the game turns, each with its right end as its highest bit.
fn turns(game: &str) -> Vec<u32> {
    (1..1 << COINS)
        .filter(|mask: &u32| match game {
            "ruler" => (mask >> mask.trailing_zeros()).trailing_ones() == mask.count_ones(),
            _ => counts(game).contains(&mask.count_ones()),
        })
        .collect()
}

fn counts(game: &str) -> Vec<u32> {
    match game {
        "turtles" => vec![1, 2],
        "twins" => vec![2],
        "mockturtles" => vec![1, 2, 3],
        "moebius" => vec![1, 2, 3, 4, 5],
        numbers => numbers
            .split('.')
            .filter_map(|word| word.parse().ok())
            .collect(),
    }
}

/// Who loses a row beside a heap in misère play, by plain recursion.
struct Oracle {
    turns: Vec<u32>,
    known: HashMap<(u32, u32), bool>,
}

impl Oracle {
    fn options(&self, row: u32, heap: u32) -> Vec<(u32, u32)> {
        let top = |mask: u32| 31 - mask.leading_zeros();
        let turns = self.turns.iter().filter(|turn| row >> top(**turn) & 1 == 1);
        let rows = turns.map(|turn| (row ^ turn, heap));
        rows.chain((0..heap).map(|less| (row, less))).collect()
    }

    fn is_lost(&mut self, row: u32, heap: u32) -> bool {
        if let Some(lost) = self.known.get(&(row, heap)) {
            return *lost;
        }
        let options = self.options(row, heap);
        let lost =
            !options.is_empty() && !options.iter().any(|(row, heap)| self.is_lost(*row, *heap));
        self.known.insert((row, heap), lost);
        lost
    }
}

fn text(game: &str, row: u32, heap: u32) -> String {
    let coins: String = (0..COINS)
        .map(|coin| if row >> coin & 1 == 1 { 'H' } else { 'T' })
        .collect();
    match heap {
        0 => format!("{game}:{coins}@misere"),
        _ => format!("{game}:{coins}+nim:{heap}@misere"),
    }
}

#[test]
fn misere_rows_of_coins_agree_with_plain_recursion() {
    for game in [
        "turtles",
        "twins",
        "mockturtles",
        "moebius",
        "ruler",
        "flip.1",
        "flip.3",
        "flip.1.3",
        "flip.2.3",
        "flip.2.4",
    ] {
        let mut oracle = Oracle {
            turns: turns(game),
            known: HashMap::new(),
        };
        for row in (0..1 << COINS).step_by(5) {
            for heap in 0..4 {
                let position = text(game, row, heap);
                let options = oracle.options(row, heap);
                let won = options
                    .into_iter()
                    .filter(|(row, heap)| oracle.is_lost(*row, *heap))
                    .count() as u64;
                let lost = oracle.is_lost(row, heap);
                let position = Position::parse(&position).expect("a position");
                let solution = solve(&position, Seat::First, &Budget::nodes(1 << 20), 64);
                assert!(solution.exact, "{position}");
                let loser = if lost { Seat::First } else { Seat::Second };
                assert_eq!(
                    solution.outcome.winner(Seat::First),
                    Some(loser.other()),
                    "{position}"
                );
                assert_eq!(solution.winning_moves_total, Some(won), "{position}");
            }
        }
    }
}

/// Rows beyond any search are solved by their rule.
#[test]
fn long_misere_rows_are_solved() {
    let long = [
        "turtles",
        "twins",
        "mockturtles",
        "moebius",
        "mogul",
        "ruler",
    ];
    let rows = long.iter().map(|game| (*game, 6));
    for (game, times) in rows.chain([("moidores", 3)]) {
        let row = "HTHHTTH".repeat(times);
        let position = Position::parse(&format!("{game}:{row}@misere")).expect("a position");
        let solution = solve(&position, Seat::First, &Budget::nodes(1 << 20), 1);
        assert!(solution.exact, "{position}");
    }
}
