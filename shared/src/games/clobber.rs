//! Clobber: a stone moves onto a neighbouring stone of the other player, which is gone.
//!
//! M. H. Albert, J. P. Grossman, R. J. Nowakowski, D. Wolfe, *An introduction to Clobber* (2005). A board is the sum of its connected groups of stones; rotations
//! and reflections change nothing. If one player can move, the other can, so that all values are infinitesimal.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::PartKind;
use crate::game::{EndRule, Game, Kind};
use crate::games::grid::{Alphabet, Grid, Pair};
use crate::games::heaps::no_parameters;
use crate::games::partizan::{READING, part_lines};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::{BitBoard, BitMove, Meter};

const EXAMPLE: &str = "clobber:xo./oxo";

/// Stones of Left, stones of Right, and empty squares.
const STONES: Alphabet = Alphabet {
    letters: "x o .",
    expected: "rows of x, o and . of one length joined by /",
    example: EXAMPLE,
};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "clobber",
    title: "Clobber",
    rule: "Move one of your stones onto a stone of the other player that is beside it in its row or column; the stone that was there is removed. The player who makes the last move wins.",
    notation: "clobber:xo./oxo has two rows of three squares; x is a stone of Left, the first player, o one of Right, and . an empty square",
    move_notation: "1:1-1:2 moves the stone on square 1 of row 1 to square 2 of row 1",
    examples: &[
        EXAMPLE,
        "clobber:xo",
        "clobber:xoxo",
        "clobber:xxo",
        "clobber:xoxoxo",
        "clobber:xo/xo/ox",
        "clobber:x.o",
    ],
    example_move: "1:1-1:2",
    method: "canonical forms of the connected groups of stones, equal ones once, by their options; for larger boards, and in misere play, a search for the winner",
    complexity: "exponential in the largest group that has stones of both players",
    limits: "100,000 squares; values of groups of about 12 stones take a second, of 16 some seconds; the winner is found up to about 20 stones",
    source: "Albert, Grossman, Nowakowski, Wolfe, An introduction to Clobber, 2005",
    board: BoardKind::Stones,
    read: erased::read::<Clobber>,
};

/// The rules of Clobber.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Clobber;

/// The letter of a player's stones.
fn stone(seat: Seat) -> u8 {
    match seat {
        Seat::First => b'x',
        Seat::Second => b'o',
    }
}

/// The squares that this player's stone on a square can move to.
fn targets(board: &Grid, square: usize, seat: Seat) -> impl Iterator<Item = usize> + '_ {
    let own = board.cells()[square] == stone(seat);
    let around = board.around(square);
    around.filter(move |next| own && board.cells()[*next] == stone(seat.other()))
}

/// The connected groups of stones of any colour.
fn groups(board: &Grid) -> Vec<Vec<usize>> {
    board.regions(|cell| cell != b'.')
}

impl Game for Clobber {
    type State = Grid;
    type Move = Pair;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Grid), NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok((Self, Grid::read(state, &STONES)?))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, board: &Grid, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{board}")
    }

    fn move_count(&self, board: &Grid, seat: Seat) -> u128 {
        let squares = 0..board.cells().len();
        let counts = squares.map(|square| targets(board, square, seat).count() as u128);
        counts.sum()
    }

    fn nth_move(&self, board: &Grid, seat: Seat, n: u128) -> Option<Pair> {
        self.moves(board, seat).nth(usize::try_from(n).ok()?)
    }

    /// Group by group, square by square, to the right before down, up and to the left.
    fn moves<'s>(&'s self, board: &'s Grid, seat: Seat) -> Box<dyn Iterator<Item = Pair> + 's> {
        let squares = groups(board).into_iter().flatten();
        Box::new(squares.flat_map(move |square| {
            targets(board, square, seat).map(move |next| board.pair(square, next))
        }))
    }

    fn read_move(&self, board: &Grid, seat: Seat, text: &str) -> Result<Pair, MoveError> {
        let typed = board.read_pair(text)?;
        let refuse = |message: &str| Err(MoveError::at(1, message));
        if board.cells()[typed.from] != stone(seat) {
            return refuse(match seat {
                Seat::First => "on the first square there is no stone of Left, an x",
                Seat::Second => "on the first square there is no stone of Right, an o",
            });
        }
        if !board.around(typed.from).any(|next| next == typed.to) {
            return refuse("the squares are not neighbours");
        }
        match targets(board, typed.from, seat).any(|next| next == typed.to) {
            true => Ok(typed),
            false => refuse("on the second square there is no stone of the other player"),
        }
    }

    fn play(&self, board: &Grid, mv: &Pair) -> Grid {
        let stone = board.cells()[mv.from];
        board.clone().with([(mv.from, b'.'), (mv.to, stone)])
    }

    fn describe(&self, board: &Grid) -> String {
        let (left, right) = (board.count(b'x'), board.count(b'o'));
        board.told(&format!("{left} x of Left, {right} o of Right"))
    }

    fn describe_move(&self, _: &Grid, mv: &Pair, prefix: &str) -> String {
        format!("moved {prefix}{mv}")
    }

    fn kind(&self, _: &Grid) -> Kind {
        Kind::Partizan
    }

    fn parts(&self, board: &Grid) -> Vec<Grid> {
        let groups = groups(board);
        let cut_out = |group: &Vec<usize>| board.cut_out(group, b'.', true);
        groups.iter().map(cut_out).collect()
    }

    fn part_name(&self, board: &Grid, part: usize) -> String {
        board.region_name(&groups(board), part)
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Region
    }

    fn method(&self) -> &'static str {
        "connected groups"
    }

    fn bytes(&self, board: &Grid) -> u64 {
        board.cells().len() as u64
    }

    /// Two bits for each square of a group with stones of both players: whether a stone of Left is there, and whether one of Right.
    fn bit_board(&self, board: &Grid) -> Option<BitBoard> {
        let is_mixed = |group: &Vec<usize>| {
            let has = |seat| group.iter().any(|at| board.cells()[*at] == stone(seat));
            Seat::BOTH.into_iter().all(has)
        };
        let mut squares: Vec<usize> = groups(board)
            .into_iter()
            .filter(is_mixed)
            .flatten()
            .collect();
        squares.sort_unstable();
        if 2 * squares.len() > BitBoard::BITS {
            return None;
        }
        let bit = |square: usize, seat: Seat| {
            BitBoard::bit(&squares, &square) << (seat.index() * squares.len())
        };
        let own = |square: usize| {
            let seat = Seat::BOTH
                .into_iter()
                .find(|seat| board.cells()[square] == stone(*seat));
            seat.map_or(0, |seat| bit(square, seat))
        };
        let clobbering = |(from, to): (usize, usize), seat: Seat| BitMove {
            sets: bit(to, seat),
            ..BitMove::taking(bit(from, seat) | bit(to, seat.other()))
        };
        let moves = |seat: Seat| {
            let legal = self.moves(board, seat).map(|mv| (mv.from, mv.to));
            let pairs = squares.iter().flat_map(|from| {
                let around = board.around(*from).map(|to| (*from, to));
                around.filter(|(_, to)| squares.binary_search(to).is_ok())
            });
            let is_later =
                |(from, to): &(usize, usize)| !targets(board, *from, seat).any(|next| next == *to);
            let all = legal.chain(pairs.filter(is_later));
            all.map(|pair| clobbering(pair, seat)).collect()
        };
        Some(BitBoard {
            bits: squares.iter().fold(0, |bits, square| bits | own(*square)),
            width: 2 * squares.len() as u32,
            moves: Seat::BOTH.map(moves),
            most_moves: squares.len() as u32,
        })
    }

    /// Pairs of neighbouring stones, one of each player, that have no stone in common: a move in each can be made in any order, by either player.
    fn free_choices(&self, board: &Grid) -> usize {
        let mut taken = vec![false; board.cells().len()];
        let mut count = 0;
        for square in 0..taken.len() {
            let mut next = Seat::BOTH
                .into_iter()
                .flat_map(|seat| targets(board, square, seat));
            let next = next.find(|next| !taken[square] && !taken[*next]);
            if let Some(next) = next {
                (taken[square], taken[next]) = (true, true);
                count += 1;
            }
        }
        count
    }

    fn explain(&self, board: &Grid, _: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec![
            "Groups of stones that do not touch cannot meet, so the board is their sum.".to_owned(),
            READING.to_owned(),
        ];
        let groups = groups(board).into_iter();
        lines.extend(part_lines(groups.map(|group| {
            let left = group
                .iter()
                .filter(|square| board.cells()[**square] == b'x');
            let left = left.count();
            let right = group.len() - left;
            let idle = left == 0 || right == 0;
            let from = board.square_name(group[0]);
            let part = format!("from {from}, {left} x and {right} o");
            (part, idle.then_some(0))
        })));
        lines
    }
}
