//! The search against plain recursion on the rules.

use std::collections::HashMap;

use super::{Cram, search};
use crate::game::{EndRule, Game};
use crate::games::grid::Grid as Board;
use crate::ids::Seat;
use crate::theory::{Goal, Meter, Stopped, mex};

fn meter() -> Meter<'static> {
    Meter::new(1 << 40, 1 << 30, &|| false)
}

fn board(columns: usize, free: impl Iterator<Item = bool>) -> Board {
    let cells = free.map(|free| if free { b'.' } else { b'x' });
    Board::new(columns, cells.collect())
}

/// Compares all that is told of a board with the values of what its moves leave, given by the rules alone.
fn check(board: &Board, value_of: &mut impl FnMut(&Board) -> u64) {
    let values = Cram.values(board, &mut meter()).expect("budget");
    let values: Vec<u64> = values.into_iter().flatten().collect();
    let regions = board.free_regions();
    assert_eq!(values.len(), regions.len(), "{board:?}");
    let all = values.iter().fold(0, |all, value| all ^ value);
    assert_eq!(all, value_of(board), "{board:?}");
    for (part, squares) in regions.iter().enumerate() {
        // `values` may have it by symmetry.
        let region = board.searchable(squares).expect("small boards");
        let value = search::value(&region, &mut meter()).expect("budget");
        assert_eq!(value, values[part], "{board:?}");
        let judged = board.judged_by_symmetry(squares);
        assert!(judged.is_none_or(|lost| lost == (value == 0)), "{board:?}");
        for goal in 0..3 {
            let replies = Cram.replies(board, part, Goal::Value(goal), 2, &mut meter());
            let replies = replies.expect("budget").expect("the search tells them");
            let moves = Cram.moves(board, Seat::First);
            let reaching = moves.filter(|domino| {
                let others = all ^ value;
                squares.contains(&domino.from)
                    && value_of(&Cram.play(board, domino)) ^ others == goal
            });
            let reaching: Vec<_> = reaching.collect();
            assert_eq!(replies.total, reaching.len() as u128, "{board:?} to {goal}");
            assert_eq!(replies.first, reaching[..reaching.len().min(2)]);
        }
    }
}

/// By the least value that no domino leaves, board by board: those with fewer free squares have smaller numbers.
#[test]
fn all_boards_of_four_by_four_agree_with_plain_recursion() {
    let squares = |number: usize| (0..16).map(move |square| number >> square & 1 == 1);
    let number_of = |board: &Board| {
        let bits = board.cells().iter().enumerate();
        bits.map(|(square, free)| usize::from(*free == b'.') << square)
            .sum::<usize>()
    };
    let mut values: Vec<u64> = Vec::with_capacity(1 << 16);
    for number in 0..1 << 16 {
        let across = (0..16).filter(|square| square % 4 != 3);
        let across = across.map(|square| 0b11 << square);
        let dominoes = across.chain((0..12).map(|square| 0b1_0001 << square));
        let fitting = dominoes.filter(|domino| number & domino == *domino);
        let left: Vec<u64> = fitting.map(|domino| values[number ^ domino]).collect();
        values.push(mex(&left));
    }
    // All of them take too long here: every eleventh, and so all small ones in some position.
    for number in (0..1 << 16).step_by(11) {
        let board = board(4, squares(number));
        check(&board, &mut |board| values[number_of(board)]);
    }
}

/// The value of a board by those of its regions, and theirs by their moves.
fn plainly(board: &Board, known: &mut HashMap<Board, u64>) -> u64 {
    let mut all = 0;
    for part in Cram.parts(board) {
        all ^= known.get(&part).copied().unwrap_or_else(|| {
            let moves = Cram.moves(&part, Seat::First);
            let left: Vec<u64> = moves
                .map(|domino| plainly(&Cram.play(&part, &domino), known))
                .collect();
            let value = mex(&left);
            known.insert(part, value);
            value
        });
    }
    all
}

/// Of all shapes: those that lie, that are longer than eight rows, and squares with holes.
#[test]
fn larger_boards_agree_with_plain_recursion() {
    let mut known = HashMap::new();
    let mut seed = 1u64;
    let mut below = |bound: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    let shapes = [
        (4, 5),
        (7, 3),
        (2, 9),
        (5, 5),
        (12, 2),
        (2, 13),
        (3, 9),
        (16, 2),
        (7, 7),
        (5, 12),
    ];
    for (rows, columns) in shapes {
        for _ in 0..6 {
            let mut free = vec![false; rows * columns];
            for _ in 0..40 {
                if free.iter().filter(|free| **free).count() < 19 {
                    free[below((rows * columns) as u64) as usize] = true;
                }
            }
            let board = board(columns, free.into_iter());
            check(&board, &mut |board| plainly(board, &mut known));
        }
    }
    for (rows, columns) in [(3, 6), (1, 16), (16, 1), (9, 2), (3, 5), (4, 4)] {
        let board = board(columns, std::iter::repeat_n(true, rows * columns));
        check(&board, &mut |board| plainly(board, &mut known));
    }
}

/// The rectangles of odd sides of which the search alone can tell, and one that both tell.
#[test]
fn values_of_rectangles() {
    for (rows, columns, value, winning) in [(3, 7, 1, 4), (5, 5, 0, 0), (4, 7, 3, 5), (5, 7, 1, 10)]
    {
        let board = board(columns, std::iter::repeat_n(true, rows * columns));
        let values = Cram.values(&board, &mut meter());
        assert_eq!(values, Ok(vec![Some(value)]), "{rows}x{columns}");
        let replies = Cram.replies(&board, 0, Goal::Value(0), 1, &mut meter());
        let total = replies.map(|replies| replies.map(|replies| replies.total));
        assert_eq!(total, Ok(Some(winning)), "{rows}x{columns}");
    }
}

/// Boards of any size that half a turn does not change.
#[test]
fn symmetry_judges_boards_too_large_for_the_search() {
    for (rows, columns, judged) in [
        (20, 20, Some(true)),
        (20, 31, Some(false)),
        (31, 20, Some(false)),
        (31, 31, None),
    ] {
        let board = board(columns, std::iter::repeat_n(true, rows * columns));
        assert_eq!(Cram.is_p_position(&board, EndRule::Normal), judged);
        assert_eq!(Cram.is_p_position(&board, EndRule::Misere), None);
        let lost = Cram.values(&board, &mut meter());
        assert_eq!(lost, Ok(vec![(judged == Some(true)).then_some(0)]));
        let centre = rows / 2 * columns + columns / 2;
        let board = board.with([(centre, b'x')]);
        let judged = (rows % 2 == 1 && columns % 2 == 1).then_some(true);
        assert_eq!(Cram.is_p_position(&board, EndRule::Normal), judged);
    }
}

/// A search that runs out of its budget says nothing.
#[test]
fn a_value_that_takes_too_long_is_not_told() {
    let board = board(7, std::iter::repeat_n(true, 49));
    for (nodes, bytes) in [(0, 1 << 30), (5_000, 1 << 30), (1 << 40, 1 << 10)] {
        let values = Cram.values(&board, &mut Meter::new(nodes, bytes, &|| false));
        assert_eq!(values, Err(Stopped));
    }
}
