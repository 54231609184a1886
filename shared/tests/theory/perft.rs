//! Lines of play counted to a depth, against counts that another program made from the text of the rules alone.

use grundy_shared::Position;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use serde_json::Value;

const ROWS: &str = include_str!("../data/perft.ndjson");

/// How many lines of exactly so many plies there are, each move and each order counted.
fn lines(position: &Position, to_move: Seat, plies: usize) -> u64 {
    if plies == 0 {
        return 1;
    }
    let moves = position.moves(to_move);
    moves
        .map(|mv| lines(&position.play(&mv), to_move.other(), plies - 1))
        .sum()
}

#[test]
fn as_many_lines_of_play_as_the_rules_give() {
    for row in ROWS.lines() {
        let row: Value = serde_json::from_str(row).expect("each row is an object");
        let text = row["position"].as_str().expect("each row has a position");
        let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let expected = row["lines"].as_array().expect("each row has counts");
        for (plies, expected) in (1..).zip(expected) {
            let counted = lines(&position, Seat::First, plies);
            assert_eq!(Some(counted), expected.as_u64(), "{text}, {plies} plies");
        }
    }
}

#[test]
fn every_game_is_counted() {
    let head = |text: &str, name: &str| {
        let rest = text.strip_prefix(name)?;
        rest.starts_with([':', '.']).then_some(())
    };
    for info in REGISTRY {
        let counted = ROWS.lines().any(|row| {
            let row: Value = serde_json::from_str(row).expect("each row is an object");
            let text = row["position"].as_str().unwrap_or_default();
            text.split('+')
                .any(|component| head(component, info.name).is_some())
        });
        assert!(counted, "no row of data/perft.ndjson has {}", info.name);
    }
}
