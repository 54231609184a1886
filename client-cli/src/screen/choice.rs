//! Which legal move the arrows choose next. A move is named by its number in the order of the game.

use grundy_shared::Position;
use grundy_shared::ids::Seat;

/// The next move, or the one before; round at the ends. `None` if there is no move.
pub(super) fn step(
    position: &Position,
    seat: Seat,
    from: Option<u128>,
    forward: bool,
) -> Option<u128> {
    let count = position.move_count(seat);
    let last = count.checked_sub(1)?;
    Some(match (from, forward) {
        (None, true) => 0,
        (None, false) => last,
        (Some(at), true) if at >= last => 0,
        (Some(at), true) => at + 1,
        (Some(0), false) => last,
        (Some(at), false) => (at - 1).min(last),
    })
}

/// The first move of the next heap or place, or of the one before; round at the ends.
///
/// Cost: some hundred moves are written, however many there are.
pub(super) fn step_place(
    position: &Position,
    seat: Seat,
    from: Option<u128>,
    forward: bool,
) -> Option<u128> {
    let count = position.move_count(seat);
    let last = count.checked_sub(1)?;
    let place_of = |number| {
        let mv = position.nth_move(seat, number)?;
        Some(place(&mv.to_string()).to_owned())
    };
    let Some(at) = from.map(|at| at.min(last)) else {
        return Some(if forward { 0 } else { first_of(last, place_of) });
    };
    if forward {
        let here = place_of(at);
        let mut step = 1;
        while step < count - at && place_of(at + step) == here {
            step *= 2;
        }
        let (mut same, mut other) = (at + step / 2, (at + step).min(count));
        while other - same > 1 {
            let middle = same + (other - same) / 2;
            match place_of(middle) == here {
                true => same = middle,
                false => other = middle,
            }
        }
        return Some(if other >= count { 0 } else { other });
    }
    let first = first_of(at, place_of);
    let before = first.checked_sub(1).unwrap_or(last);
    Some(first_of(before, place_of))
}

/// The first move of the place of this one.
fn first_of(at: u128, place_of: impl Fn(u128) -> Option<String>) -> u128 {
    let here = place_of(at);
    let mut step = 1;
    while step <= at && place_of(at - step) == here {
        step *= 2;
    }
    let mut same = at - step / 2;
    // One before the first that may be of another place.
    let mut other = at.checked_sub(step).map_or(0, |other| other + 1);
    while other < same {
        let middle = other + (same - other) / 2;
        match place_of(middle) == here {
            true => same = middle,
            false => other = middle + 1,
        }
    }
    same
}

/// What a move's text says of the place: all but the number at its end.
fn place(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(position: &Position, next: impl Fn(Option<u128>) -> Option<u128>) -> Vec<String> {
        let mut at = None;
        let mut texts = Vec::new();
        for _ in 0..5 {
            at = next(at);
            let mv = position.nth_move(Seat::First, at.expect("a move"));
            texts.push(mv.expect("a move").to_string());
        }
        texts
    }

    #[test]
    fn arrows_go_through_moves_and_heaps() {
        let position = Position::parse("nim:2,1000000000000000000,3").expect("a position");
        let by_move = |forward| texts(&position, |at| step(&position, Seat::First, at, forward));
        let by_heap = |forward| {
            texts(&position, |at| {
                step_place(&position, Seat::First, at, forward)
            })
        };
        assert_eq!(by_move(true), ["A-1", "A-2", "B-1", "B-2", "B-3"]);
        assert_eq!(by_move(false)[..3], ["C-3", "C-2", "C-1"]);
        assert_eq!(by_heap(true), ["A-1", "B-1", "C-1", "A-1", "B-1"]);
        assert_eq!(by_heap(false), ["C-1", "B-1", "A-1", "C-1", "B-1"]);
    }

    #[test]
    fn where_there_is_no_move_none_is_chosen() {
        let position = Position::parse("nim:_").expect("a position");
        assert_eq!(step(&position, Seat::First, None, true), None);
        assert_eq!(step_place(&position, Seat::First, Some(3), true), None);
    }
}
