//! Domineering: dominoes on a board, laid upright by Left and lying by Right.
//!
//! G. Andersson, M. Gardner (1974), there named Crosscram; J. H. Conway, *On Numbers and Games* (1976); E. R. Berlekamp, J. H. Conway, R. K. Guy,
//! *Winning Ways* (1982), chapter 5. A board is the sum of its connected free regions; a reflection changes nothing.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::PartKind;
use crate::game::{EndRule, Game, Kind};
use crate::games::domino::{read_domino, squares};
use crate::games::grid::{Grid, Pair};
use crate::games::heaps::no_parameters;
use crate::games::partizan::{READING, part_lines, whole_numbers};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::{BitBoard, BitMove, CanonicalForm, CanonicalForms, Meter, Stopped};

const EXAMPLE: &str = "domineering:..x/...";

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "domineering",
    title: "Domineering",
    rule: "Cover two adjacent free squares: Left, the first player, two squares of a column, and Right two squares of a row. The player who makes the last move wins.",
    notation: "domineering:..x/... has two rows of three squares; . is free and x is covered",
    move_notation: "1:1-2:1 covers the first square of row 1 and of row 2 (a move of Left); 1:1-1:2 covers the first two squares of row 1 (a move of Right)",
    examples: &[
        EXAMPLE,
        "domineering:../..",
        "domineering:.../...",
        "domineering:.../.../...",
        "domineering:.x.x/....",
        "domineering:....",
        "domineering:x.x/...",
        "domineering:.",
    ],
    example_move: "1:1-2:1",
    method: "canonical forms of the connected free regions, reflected ones once: straight regions are whole numbers, others by their options; for larger boards, and in misere play, a search for the winner",
    complexity: "exponential in the largest region that is not straight",
    limits: "100,000 squares; values of regions of about 20 squares take a second, of 25 some seconds; the winner is found up to about 36 squares",
    source: "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 5; E. R. Berlekamp 1988; D. Lachmann, C. Moore, I. Rapaport 2002",
    board: BoardKind::Grid,
    read: erased::read::<Domineering>,
};

/// The rules of Domineering.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Domineering;

/// The free square that a player's domino on a free square would cover too: below it for Left, to its right for Right.
fn partner(board: &Grid, square: usize, seat: Seat) -> Option<usize> {
    let next = match seat {
        Seat::First => board.below(square),
        Seat::Second => board.right(square),
    };
    next.filter(|next| board.is_free(square) && board.is_free(*next))
}

/// The moves that a straight region has, for Left if positive: as many dominoes as fit, and the longest first.
fn straight(region: &Grid) -> Option<i64> {
    let dominoes = region.cells().len() as i64 / 2;
    match (region.rows(), region.columns()) {
        (_, 1) => Some(dominoes),
        (1, _) => Some(-dominoes),
        _ => None,
    }
}

impl Game for Domineering {
    type State = Grid;
    type Move = Pair;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Grid), NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok((Self, Grid::read(state, &squares(EXAMPLE))?))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, board: &Grid, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{board}")
    }

    fn move_count(&self, board: &Grid, seat: Seat) -> u128 {
        let squares = 0..board.cells().len();
        let begins = |square: &usize| partner(board, *square, seat).is_some();
        squares.filter(begins).count() as u128
    }

    fn nth_move(&self, board: &Grid, seat: Seat, n: u128) -> Option<Pair> {
        self.moves(board, seat).nth(usize::try_from(n).ok()?)
    }

    /// Region by region, square by square.
    fn moves<'s>(&'s self, board: &'s Grid, seat: Seat) -> Box<dyn Iterator<Item = Pair> + 's> {
        let squares = board.free_regions().into_iter().flatten();
        Box::new(squares.filter_map(move |square| {
            let next = partner(board, square, seat)?;
            Some(board.pair(square, next))
        }))
    }

    fn read_move(&self, board: &Grid, seat: Seat, text: &str) -> Result<Pair, MoveError> {
        read_domino(board, text, |first, second| match seat {
            _ if partner(board, first, seat) == Some(second) => None,
            Seat::First => Some("Left covers two squares of a column"),
            Seat::Second => Some("Right covers two squares of a row"),
        })
    }

    fn play(&self, board: &Grid, domino: &Pair) -> Grid {
        board.covered_by(domino)
    }

    fn describe(&self, board: &Grid) -> String {
        board.told(&board.free_text())
    }

    fn describe_move(&self, _: &Grid, domino: &Pair, prefix: &str) -> String {
        format!("covered {prefix}{domino}")
    }

    fn kind(&self, _: &Grid) -> Kind {
        Kind::Partizan
    }

    fn parts(&self, board: &Grid) -> Vec<Grid> {
        let regions = board.free_regions();
        let cut_out = |region: &Vec<usize>| board.cut_out(region, b'x', false);
        regions.iter().map(cut_out).collect()
    }

    fn part_name(&self, board: &Grid, part: usize) -> String {
        board.region_name(&board.free_regions(), part)
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Region
    }

    fn forms(
        &self,
        board: &Grid,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<CanonicalForm>>, Stopped> {
        meter.work(board.cells().len() as u64 / 8)?;
        let parts = self.parts(board);
        whole_numbers(parts.iter().map(straight), forms, meter)
    }

    fn method(&self) -> &'static str {
        "free regions"
    }

    fn bytes(&self, board: &Grid) -> u64 {
        board.cells().len() as u64
    }

    /// A bit for each square that a domino might cover.
    fn bit_board(&self, board: &Grid) -> Option<BitBoard> {
        let mut squares: Vec<usize> = board.free_regions().into_iter().flatten().collect();
        squares.sort_unstable();
        let bit = |square| BitBoard::bit(&squares, &square);
        let domino = |domino: Pair| BitMove::taking(bit(domino.from) | bit(domino.to));
        (squares.len() <= BitBoard::BITS).then(|| BitBoard {
            bits: squares.iter().fold(0, |bits, square| bits | bit(*square)),
            width: squares.len() as u32,
            moves: Seat::BOTH.map(|seat| self.moves(board, seat).map(domino).collect()),
            most_moves: squares.len() as u32 / 2,
        })
    }

    /// Dominoes that do not touch the same square, as many of one player as of the other: so many moves of each can be made in any order.
    fn free_choices(&self, board: &Grid) -> usize {
        let mut taken = vec![false; board.cells().len()];
        let mut laid = [0, 0];
        for square in 0..taken.len() {
            let mut players = Seat::BOTH;
            players.sort_by_key(|seat| laid[seat.index()]);
            for seat in players {
                let next = partner(board, square, seat);
                if let Some(next) = next.filter(|next| !taken[square] && !taken[*next]) {
                    (taken[square], taken[next]) = (true, true);
                    laid[seat.index()] += 1;
                }
            }
        }
        laid[0].min(laid[1])
    }

    fn explain(&self, board: &Grid, _: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec![
            "Left covers two squares of a column, Right two squares of a row. Free regions do not touch each other, so the board is their sum.".to_owned(),
            READING.to_owned(),
        ];
        let regions = board.free_regions();
        let parts = self.parts(board).into_iter().zip(&regions);
        lines.extend(part_lines(parts.map(|(part, region)| {
            let from = board.square_name(region[0]);
            (
                format!("from {from}, {} squares", region.len()),
                straight(&part),
            )
        })));
        lines
    }
}
