//! Checks that a start of a rated pair can be won by either player.

use std::collections::BTreeSet;

use crate::game::Kind;
use crate::ids::Seat;
use crate::position::Position;

/// Maximum number of moves played out to find a second winner.
const MOVES_MAX: usize = 1_000;
/// Maximum size of the positions reached, in bytes of their notation.
const BYTES_MAX: usize = 256 << 10;

/// Whether every line of play from this start has the same winner, whatever the players do. Then a pair of games from it is drawn before
/// it begins. Also returns `false` if the answer takes more than 1,000 moves or more than 256 KiB of positions, or if play can return to an
/// earlier position.
#[must_use]
pub fn is_forced(start: &Position) -> bool {
    let (mut winner, mut moves, mut bytes) = (None, 0, 0);
    let mut seen = BTreeSet::new();
    let mut left = vec![(start.clone(), Seat::First)];
    while let Some((position, to_move)) = left.pop() {
        if let Some(won) = position.winner_if_over(to_move) {
            if winner.is_some_and(|winner| winner != won) {
                return false;
            }
            winner = Some(won);
            continue;
        }
        for mv in position.moves(to_move) {
            let next = (position.play(&mv), to_move.other());
            let text = next.0.to_string();
            moves += 1;
            bytes += text.len();
            if moves > MOVES_MAX || bytes > BYTES_MAX {
                return false;
            }
            if seen.insert((text, next.1)) {
                left.push(next);
            } else if start.kind() == Kind::Loopy {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forced(text: &str) -> bool {
        is_forced(&Position::parse(text).expect(text))
    }

    #[test]
    fn a_start_that_no_mistake_loses_is_forced() {
        for text in [
            "nim:1",
            "nim:1,1,1",
            "nim:1,1,1@misere",
            "kayles:1",
            "sub.1:7",
            "grundy:3",
        ] {
            assert!(forced(text), "{text}");
        }
    }

    #[test]
    fn a_start_that_can_be_lost_is_not() {
        for text in [
            "nim:2",
            "nim:1,2",
            "nim:3,4,5",
            "nim:1000000000000000000",
            "kayles:3",
            "chomp:2,2",
            "nim:1+kayles:3",
        ] {
            assert!(!forced(text), "{text}");
        }
    }

    #[test]
    fn a_long_search_proves_nothing() {
        let ones = ["1"; 40].join(",");
        assert!(!forced(&format!("sub.1:{ones}")));
    }
}
