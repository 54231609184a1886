//! The answer to `moves`: legal moves, by pages where there are many.

use std::fmt::Write as _;

use grundy_shared::Position;
use grundy_shared::ids::Seat;

use super::line::LINE_BYTES;

/// Moves in one answer at most.
const PAGE: u128 = 1_000;

/// Writes `moves ID TOTAL MOVE MOVE …`: the legal moves from number `from` on, as many as fit into a line, 1,000 at most.
pub(crate) fn write(text: &mut String, id: u64, from: u128, position: &Position, to_move: Seat) {
    let total = position.move_count(to_move);
    let begun = text.len();
    let _ = write!(text, "moves {id} {total}");
    for n in from..from.saturating_add(PAGE).min(total) {
        let Some(mv) = position.nth_move(to_move, n) else {
            break;
        };
        let before = text.len();
        let _ = write!(text, " {mv}");
        if text.len() - begun > LINE_BYTES {
            text.truncate(before);
            break;
        }
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(position: &str, from: u128) -> String {
        let mut text = String::new();
        let position = Position::parse(position).expect("a position");
        write(&mut text, 7, from, &position, Seat::First);
        text
    }

    #[test]
    fn few_moves_are_one_page_and_many_are_several() {
        assert_eq!(page("nim:1,2", 0), "moves 7 3 A-1 B-1 B-2\n");
        assert_eq!(page("nim:1,2", 2), "moves 7 3 B-2\n");
        assert_eq!(page("nim:1,2", 3), "moves 7 3\n");
        assert_eq!(page("nim:0", 0), "moves 7 0\n");
        let many = page("nim:1000000000000000000", 5);
        assert!(many.starts_with("moves 7 1000000000000000000 A-6 "));
        assert_eq!(many.split(' ').count(), 1_003);
        assert!(page("nim:5", u128::MAX).starts_with("moves 7 5\n"));
    }

    #[test]
    fn no_page_is_longer_than_a_line_may_be() {
        let heaps: Vec<String> = (0..300).map(|_| "kayles:9".to_owned()).collect();
        let wide = format!("{}@every", heaps.join("+"));
        let text = page(&wide, 0);
        assert!(text.len() <= LINE_BYTES + 1, "{}", text.len());
        assert!(text.split(' ').count() > 3, "at least one move fits");
    }
}
