//! The order of heaps and components makes no difference to who wins.

use grundy_shared::Position;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, solve};

/// The position with the list of its first component turned round.
fn turned(text: &str) -> Option<Position> {
    let (name, rest) = text.split_once(':')?;
    let end = rest.find(['+', '@']).unwrap_or(rest.len());
    let (list, endings) = rest.split_at(end);
    let turned: Vec<&str> = list.rsplit(',').collect();
    Position::parse(&format!("{name}:{}{endings}", turned.join(","))).ok()
}

/// The position, printed and read.
fn printed(position: &Position) -> Position {
    Position::parse(&position.to_string()).expect("what was printed is read")
}

#[test]
fn an_arranged_position_is_won_by_the_same_player_and_arranged_already() {
    let mut changed = 0;
    let examples = REGISTRY
        .iter()
        .flat_map(|info| info.examples.iter().copied());
    let more = [
        "nim:5,3,9",
        "nim:5,3@misere",
        "nim:5,3+kayles:4",
        "nim:2,1+kayles:4,3@every",
        "kayles:5,3+nim:4,3@selective@misere",
        "sub.1,3:7,5",
        "nim:3+kayles:6@shortsum",
    ];
    for text in examples.chain(more) {
        for position in [Position::parse(text).ok(), turned(text)]
            .into_iter()
            .flatten()
        {
            let arranged = position.arranged();
            assert_eq!(arranged.arranged(), arranged, "{text}");
            assert_eq!(printed(&arranged), arranged, "{text}");
            changed += u32::from(arranged != position);
            for seat in Seat::BOTH {
                assert_eq!(
                    arranged.move_count(seat),
                    position.move_count(seat),
                    "{text}"
                );
                let [own, other] =
                    [&arranged, &position].map(|of| solve(of, seat, &Budget::nodes(200_000), 0));
                assert_eq!(own.outcome, other.outcome, "{text}");
                assert_eq!(own.nim_value, other.nim_value, "{text}");
                assert_eq!(own.winning_moves_total, other.winning_moves_total, "{text}");
            }
        }
    }
    assert!(changed > 10, "only {changed} positions were arranged");
}

#[test]
fn heaps_and_components_stand_in_order() {
    for (text, arranged) in [
        ("nim:5,3", "nim:3,5"),
        ("nim:10,9,2,0", "nim:0,2,9,10"),
        ("nim:5,3+kayles:7,2@misere", "kayles:2,7+nim:3,5@misere"),
        ("sub.1.3:7,5", "sub.1.3:5,7"),
        // Its squares are no heaps: they stay where they are.
        ("wythoff:5,3", "wythoff:5,3"),
    ] {
        let position = Position::parse(text).expect("a position");
        assert_eq!(position.arranged().to_string(), arranged);
    }
}
