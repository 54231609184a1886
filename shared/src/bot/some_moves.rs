//! Moves of a position of which there may be 10^18: any one, or so many spread evenly over the list.

use super::chance::{Bits, below};
use crate::ids::Seat;
use crate::position::{Move, Position};

/// Any legal move, all equally likely; `None` when there is none. O(parts).
pub(super) fn any_move(position: &Position, to_move: Seat, random: Bits<'_>) -> Option<Move> {
    let count = position.move_count(to_move);
    if count == 0 {
        return None;
    }
    position.nth_move(to_move, below(count, random))
}

/// All moves if there are at most `most` (two or more), otherwise `most` of them spread evenly, the first and the last included.
pub(super) fn spread_moves(position: &Position, to_move: Seat, most: u128) -> Vec<Move> {
    let count = position.move_count(to_move);
    if count <= most {
        return position.moves(to_move).collect();
    }
    let (step, rest) = ((count - 1) / (most - 1), (count - 1) % (most - 1));
    (0..most)
        .filter_map(|n| position.nth_move(to_move, n * step + n * rest / (most - 1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_spread_over_with_both_ends() {
        let position = Position::parse("nim:1000000000000000000,5").expect("a position");
        let spread = spread_moves(&position, Seat::First, 10);
        let texts: Vec<String> = spread.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 10);
        assert_eq!(texts[0], "A-1");
        assert_eq!(texts[9], "B-5");
        let short = spread_moves(&position, Seat::First, 2);
        assert_eq!(short.len(), 2);
        let all = Position::parse("nim:2,1").expect("a position");
        assert_eq!(spread_moves(&all, Seat::First, 3).len(), 3);
    }
}
