//! Northcott's game: in each row a piece of Left and one of Right face each other; a move slides one's own piece any number of squares along its row, not over the other.
//!
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapter 3. A row is worth a Nim heap of the squares between its pieces, although play
//! may go on for ever: a winner answers a retreat by an advance that restores the gap, and every other winning move of Nim is an
//! advance too. So the winner's pieces only advance, which ends, and the loser cannot help it. Under the misère rule no such argument is known.

use std::fmt;
use std::ops::Range;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, PartKind, Terms};
use crate::game::{EndRule, Game, Kind};
use crate::games::grid::{Alphabet, Grid, Pair};
use crate::games::heaps::no_parameters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::{LoopyValue, Meter, Stopped};

const EXAMPLE: &str = "northcott:x..o./.o.x.";

/// Pieces of Left, pieces of Right, and free squares.
const PIECES: Alphabet = Alphabet {
    letters: "x o .",
    expected: "rows of one length joined by /, each with one x and one o",
    example: EXAMPLE,
};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "northcott",
    title: "Northcott's game",
    rule: "Slide your piece in one row any number of squares, at least one, to the left or right, not onto or over the other piece. The player who makes the last move wins, and endless play is a draw: a match is drawn when a position occurs for the third time with the same player to move.",
    notation: "northcott:x..o./.o.x. has two rows of five squares; x is the piece of Left, the first player, o that of Right, and . a free square; each row has one of each",
    move_notation: "1:1-1:3 slides the piece on row 1, column 1 to column 3",
    examples: &[
        EXAMPLE,
        "northcott:x..o",
        "northcott:xo.",
        "northcott:.xo./x..o",
        "northcott:x.o/ox./o.x",
        "northcott:xo",
    ],
    example_move: "1:1-1:2",
    method: "retrograde analysis of small boards; on larger ones each row is a Nim heap of the squares between its pieces (normal play, also in sums)",
    complexity: "O(rows) by the values of the rows",
    limits: "100,000 squares; misere play: boards with up to about 100,000 positions",
    source: "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 3",
    board: BoardKind::Stones,
    read: erased::read::<Northcott>,
};

/// The rules of Northcott's game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Northcott;

/// The letter of a player's pieces.
fn piece(seat: Seat) -> u8 {
    match seat {
        Seat::First => b'x',
        Seat::Second => b'o',
    }
}

/// The squares of each row, in order.
fn rows(board: &Grid) -> impl ExactSizeIterator<Item = &[u8]> {
    board.cells().chunks(board.columns())
}

/// Where a piece stands in its row.
fn place(row: &[u8], seat: Seat) -> usize {
    let found = row.iter().position(|cell| *cell == piece(seat));
    found.unwrap_or_default()
}

/// The squares between the two pieces of a row.
fn gap(row: &[u8]) -> u64 {
    let [a, b] = Seat::BOTH.map(|seat| place(row, seat));
    a.abs_diff(b) as u64 - 1
}

/// The places in its row that a piece can be on without passing the other, its own among them.
fn reach(row: &[u8], seat: Seat) -> Range<usize> {
    let (own, other) = (place(row, seat), place(row, seat.other()));
    if own < other {
        0..other
    } else {
        other + 1..row.len()
    }
}

impl Game for Northcott {
    type State = Grid;
    type Move = Pair;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Grid), NotationError> {
        no_parameters(parameters, &INFO)?;
        let board = Grid::read(state, &PIECES)?;
        for row in state.split('/') {
            for letter in ["x", "o"] {
                let count = row.text.matches(letter).count();
                if count != 1 {
                    let message = format!("this row has {count} {letter}");
                    let (bad, expected) = (NotationCode::BadPosition, PIECES.expected);
                    return row.refuse(bad, message, expected, EXAMPLE);
                }
            }
        }
        Ok((Self, board))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, board: &Grid, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{board}")
    }

    fn move_count(&self, board: &Grid, seat: Seat) -> u128 {
        rows(board)
            .map(|row| reach(row, seat).len() as u128 - 1)
            .sum()
    }

    fn nth_move(&self, board: &Grid, seat: Seat, n: u128) -> Option<Pair> {
        self.moves(board, seat).nth(usize::try_from(n).ok()?)
    }

    /// Row by row, from the left.
    fn moves<'s>(&'s self, board: &'s Grid, seat: Seat) -> Box<dyn Iterator<Item = Pair> + 's> {
        Box::new(rows(board).enumerate().flat_map(move |(at, row)| {
            let (first, own) = (at * board.columns(), place(row, seat));
            let to = reach(row, seat).filter(move |to| *to != own);
            to.map(move |to| board.pair(first + own, first + to))
        }))
    }

    fn read_move(&self, board: &Grid, seat: Seat, text: &str) -> Result<Pair, MoveError> {
        let typed = board.read_pair(text)?;
        let refuse = |message: &str| Err(MoveError::at(1, message));
        if board.cells()[typed.from] != piece(seat) {
            return refuse(match seat {
                Seat::First => "on the first square there is no piece of Left, an x",
                Seat::Second => "on the first square there is no piece of Right, an o",
            });
        }
        let columns = board.columns();
        if typed.from / columns != typed.to / columns {
            return refuse("a piece stays in its row");
        }
        let start = typed.from / columns * columns;
        let row = &board.cells()[start..start + columns];
        match reach(row, seat).contains(&(typed.to - start)) && typed.from != typed.to {
            true => Ok(typed),
            false => refuse("a piece goes to another square on its side of the other piece"),
        }
    }

    fn play(&self, board: &Grid, mv: &Pair) -> Grid {
        let piece = board.cells()[mv.from];
        board.clone().with([(mv.from, b'.'), (mv.to, piece)])
    }

    fn describe(&self, board: &Grid) -> String {
        let count = rows(board).len();
        let noun = if count == 1 { "piece" } else { "pieces" };
        board.told(&format!("{count} {noun} of each player"))
    }

    fn describe_move(&self, _: &Grid, mv: &Pair, prefix: &str) -> String {
        format!("slid {prefix}{mv}")
    }

    /// A row of two squares has no move. In a longer one some piece can leave its square, and come back.
    fn kind(&self, board: &Grid) -> Kind {
        match board.columns() {
            ..=2 => Kind::Impartial,
            _ => Kind::Loopy,
        }
    }

    fn has_sides(&self, board: &Grid) -> bool {
        self.kind(board) == Kind::Loopy
    }

    fn parts(&self, board: &Grid) -> Vec<Grid> {
        let part = |row: &[u8]| {
            let reversed = row.iter().rev().copied().collect();
            Grid::new(row.len(), row.to_vec().min(reversed))
        };
        rows(board).map(part).collect()
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Row
    }

    fn values(&self, board: &Grid, _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let value = (self.kind(board) == Kind::Impartial).then_some(0);
        Ok(vec![value; board.rows()])
    }

    fn loopy_values(
        &self,
        board: &Grid,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<LoopyValue>>, Stopped> {
        meter.work(board.rows() as u64)?;
        let values = rows(board).map(|row| Some(LoopyValue::Nimber(gap(row))));
        Ok(values.collect())
    }

    fn method(&self) -> &'static str {
        "gaps of the rows"
    }

    fn bytes(&self, board: &Grid) -> u64 {
        board.cells().len() as u64
    }

    /// Rows in which a piece can move.
    fn free_choices(&self, board: &Grid) -> usize {
        match self.kind(board) {
            Kind::Impartial => 0,
            _ => board.rows(),
        }
    }

    fn facts(&self, board: &Grid, end: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        if end.is_misere() {
            return Vec::new();
        }
        let mut terms = Terms::of(PartKind::Row);
        for (number, row) in (1u64..).zip(rows(board)) {
            terms.push(|| number.to_string(), gap(row));
        }
        vec![GameFact::Gaps {
            rows: terms,
            xor: rows(board).fold(0, |xor, row| xor ^ gap(row)),
        }]
    }

    fn changes(&self, board: &Grid, mv: &Pair, end: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        if end.is_misere() {
            return Vec::new();
        }
        let row = mv.from / board.columns();
        let gap_of = |board: &Grid| rows(board).nth(row).map_or(0, gap);
        vec![GameFact::GapChange {
            row: row as u64 + 1,
            before: gap_of(board),
            after: gap_of(&self.play(board, mv)),
        }]
    }

    fn explain(&self, board: &Grid, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        const SHOWN: usize = 16;
        let mut lines = vec![
            "A row is worth a Nim heap of the squares between its pieces. A retreat changes nothing: the opponent advances by as much, and retreats run out.".to_owned(),
        ];
        let gaps: Vec<u64> = rows(board).map(gap).collect();
        for (number, gap) in (1..).zip(&gaps).take(SHOWN) {
            lines.push(format!("  row {number}: gap {gap}"));
        }
        if gaps.len() > SHOWN {
            lines.push(format!("  and {} more rows", gaps.len() - SHOWN));
        }
        let xor = gaps.iter().fold(0, |xor, gap| xor ^ gap);
        lines.push(format!("  XOR of the gaps: {xor}"));
        if end.is_misere() {
            lines.push(
                "Misere play: the gaps do not decide; only a search of all positions does."
                    .to_owned(),
            );
        }
        lines
    }

    fn how_to_win(&self, _: &Grid, end: EndRule) -> Vec<String> {
        match end {
            EndRule::Normal => vec![
                "Only advance: close a gap so that the XOR becomes 0, and answer each retreat by advancing as far in the same row.".to_owned(),
            ],
            EndRule::Misere => Vec::new(),
        }
    }
}
