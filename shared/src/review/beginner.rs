//! What a beginner tries in a game of heaps: copy the last move, empty the largest heap, level the two largest.

use crate::position::Position;

/// Games with this list of things to try, by their registered name. Other games have no list yet.
const HEAP_GAMES: [&str; 8] = [
    "nim",
    "bash",
    "sub",
    "wythoff",
    "octal",
    "kayles",
    "dawsonkayles",
    "dawsonchess",
];

/// Whether a beginner would have found this move; `None` where there is no list of things to try.
pub(super) fn finds(position: &Position, last: Option<&str>, played: &str) -> Option<bool> {
    let heaps = heaps(position)?;
    let played = Taking::read(played)?;
    let is_from_one = |taking: &Taking<'_>| taking.single_heap(&heaps).is_some();
    let copies = last
        .and_then(Taking::read)
        .is_some_and(|last| is_from_one(&last) == is_from_one(&played) && last.what == played.what);
    Some(copies || takes_from_largest(&heaps, &played))
}

/// The heaps of a position of one component; `None` for other games and for sums.
fn heaps(position: &Position) -> Option<Vec<u64>> {
    let [game] = position.games()[..] else {
        return None;
    };
    let text = position.to_string();
    if !HEAP_GAMES.contains(&game.name) || text.contains('+') {
        return None;
    }
    let (_, state) = text.split_once(':')?;
    let (state, _) = state.split_once('@').unwrap_or((state, ""));
    state.split(',').map(|heap| heap.parse().ok()).collect()
}

/// Whether the move empties a largest heap, or makes it as large as the second largest.
fn takes_from_largest(heaps: &[u64], played: &Taking<'_>) -> bool {
    let (Some(heap), Some(taken)) = (played.single_heap(heaps), played.whole_number()) else {
        return false;
    };
    let mut sorted = heaps.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let second = sorted.get(1).copied().unwrap_or(0);
    heap == sorted[0] && (taken == heap || taken == heap - second)
}

/// A move such as `B-4`, `AB-3` or `A-2/1,4`, cut in two.
struct Taking<'m> {
    /// The letters of the heaps.
    of: &'m str,
    /// What is done with them.
    what: &'m str,
}

impl<'m> Taking<'m> {
    fn read(text: &'m str) -> Option<Self> {
        let (of, what) = text.split_once('-')?;
        Some(Self { of, what })
    }

    /// The number taken, if the move does nothing else.
    fn whole_number(&self) -> Option<u64> {
        self.what.parse().ok()
    }

    /// The size of the heap that is taken from, where it is one: A to Z, AA, AB, … Beside two heaps `AB` names
    /// both, and there is no heap of that name.
    fn single_heap(&self, heaps: &[u64]) -> Option<u64> {
        let number = self.of.bytes().try_fold(0usize, |number, letter| {
            let digit = usize::from(letter.checked_sub(b'A')?) + 1;
            number.checked_mul(26)?.checked_add(digit)
        })?;
        heaps.get(number.checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(position: &str, last: Option<&str>, played: &str) -> Option<bool> {
        finds(
            &Position::parse(position).expect("a position"),
            last,
            played,
        )
    }

    #[test]
    fn the_three_things_a_beginner_tries_are_found() {
        // Take as many as the opponent did, from any heap.
        assert_eq!(found("nim:1,0,5,3", Some("B-4"), "C-4"), Some(true));
        assert_eq!(found("nim:1,0,5,3", Some("B-3"), "D-3"), Some(true));
        // Empty the largest; level it with the second.
        assert_eq!(found("nim:1,0,5,3", None, "C-5"), Some(true));
        assert_eq!(found("nim:1,0,5,3", None, "C-2"), Some(true));
        assert_eq!(found("nim:1,0,5,3@misere", None, "C-2"), Some(true));
        assert_eq!(found("nim:7", None, "A-7"), Some(true));
        // Not these.
        assert_eq!(found("nim:1,0,5,3", Some("B-4"), "C-3"), Some(false));
        assert_eq!(found("nim:1,0,5,3", None, "D-3"), Some(false));
        assert_eq!(found("nim:5,5", None, "A-1"), Some(false));
    }

    #[test]
    fn heaps_beyond_z_are_found_by_their_names() {
        let many = format!("nim:{}9,4", "1,".repeat(26));
        assert_eq!(found(&many, None, "AA-9"), Some(true));
        assert_eq!(found(&many, None, "AA-5"), Some(true));
        assert_eq!(found(&many, None, "AB-4"), Some(false));
    }

    #[test]
    fn the_last_move_is_copied_whatever_the_heap_is_called() {
        let many = format!("nim:{}9,4", "1,".repeat(26));
        assert_eq!(found(&many, Some("Z-1"), "AA-1"), Some(true));
        // From both heaps is another thing than from one.
        assert_eq!(found("wythoff:5,8", Some("AB-2"), "A-2"), Some(false));
        assert_eq!(found("wythoff:5,8", Some("AB-2"), "AB-2"), Some(true));
    }

    #[test]
    fn a_sum_has_no_list() {
        assert_eq!(found("nim:1,2+nim:3", None, "1.A-1"), None);
    }
}
