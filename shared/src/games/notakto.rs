//! Notakto: both players put an x, and a board with a line is dead.
//!
//! T. Plambeck, G. Whitehead, *The secrets of Notakto: winning at X-only tic-tac-toe* (2013).

use std::fmt::{self, Write as _};

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::PartKind;
use crate::game::{EndRule, Game};
use crate::games::grid::read_squares;
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::Meter;

const EXAMPLE: &str = "notakto:x...x....";

/// The cells of each line, as bits.
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "notakto",
    title: "Notakto",
    rule: "Put an x on a free cell of a board; both players write x. A board with three x in a row, column or diagonal is dead, and nobody may play on it any more. Play ends when all boards are dead. The player who makes the last move wins; in the classic game, written with @misere, that player loses.",
    notation: "notakto:x...x..../......... has two boards; a board is nine cells, row by row from the top; x is marked and . is free",
    move_notation: "1:5 puts an x on cell 5, the centre, of board 1; cells are counted from 1, row by row",
    examples: &[
        EXAMPLE,
        "notakto:x.x.x..../xx.xx.x..",
        "notakto:.x..x.x..",
        "notakto:xxx....../x.x.x.x..",
    ],
    example_move: "1:3",
    method: "boards by their options, rotated and reflected boards being equal; misere play by search, and of many boards by the misere quotient of all boards",
    complexity: "O(boards); in misere play 18 classes of boards, found and verified in about 0.1 s",
    limits: "10,000 boards",
    source: "T. Plambeck, G. Whitehead, The secrets of Notakto, 2013",
    board: BoardKind::Boards,
    read: erased::read::<Notakto>,
};

/// The largest number of boards.
const MAX_BOARDS: usize = 10_000;

/// The rules of Notakto.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Notakto;

/// An x on a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    board: usize,
    cell: usize,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.board + 1, self.cell + 1)
    }
}

fn is_dead(board: u16) -> bool {
    LINES.iter().any(|line| board & line == *line)
}

/// The free cells of a board that lives.
fn free(board: u16) -> impl Iterator<Item = usize> {
    (0..9).filter(move |cell| !is_dead(board) && board >> cell & 1 == 0)
}

fn letter(board: u16, cell: usize) -> char {
    if board >> cell & 1 == 1 { 'x' } else { '.' }
}

/// A board as it is read aloud: three rows, and how many marks it has unless it is dead.
fn rows(board: u16) -> String {
    let row = |row: usize| (0..3).map(move |column| letter(board, 3 * row + column));
    let rows: [String; 3] = std::array::from_fn(|index| row(index).collect());
    let state = match board.count_ones() {
        _ if is_dead(board) => "dead".to_owned(),
        1 => "1 mark".to_owned(),
        marks => format!("{marks} marks"),
    };
    format!("{} ({state})", rows.join(" "))
}

/// The least of the eight positions of a board.
fn turned(board: u16) -> u16 {
    let position = |turn: usize| {
        (0..9)
            .filter(|cell| board >> cell & 1 == 1)
            .fold(0, |turned, cell| {
                let (mut row, mut column) = (cell / 3, cell % 3);
                if turn & 1 != 0 {
                    row = 2 - row;
                }
                if turn & 2 != 0 {
                    column = 2 - column;
                }
                if turn & 4 != 0 {
                    (row, column) = (column, row);
                }
                turned | 1 << (row * 3 + column)
            })
    };
    (1..8).map(position).fold(position(0), u16::min)
}

impl Game for Notakto {
    type State = Vec<u16>;
    type Move = Mark;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Vec<u16>), NotationError> {
        const EXPECTED: &str = "boards of nine . or x joined by /";
        if let Some(word) = parameters {
            let message = "notakto has no parameters";
            return word.refuse(
                NotationCode::BadGameCode,
                message,
                "a colon and the boards",
                EXAMPLE,
            );
        }
        let mut boards = Vec::new();
        for word in state.split('/') {
            let cells = read_squares(word, EXPECTED, EXAMPLE)?;
            if cells.len() != 9 {
                let message = format!("a board has nine cells, not {}", cells.len());
                return word.refuse(NotationCode::BadPosition, message, EXPECTED, EXAMPLE);
            }
            let marks = cells.iter().enumerate().filter(|(_, free)| !**free);
            boards.push(marks.fold(0, |board, (cell, _)| board | 1 << cell));
        }
        if boards.len() > MAX_BOARDS {
            let message = format!(
                "{} boards are too many: {MAX_BOARDS} are the limit",
                boards.len()
            );
            let expected = format!("at most {MAX_BOARDS} boards");
            return state.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
        }
        Ok((Self, boards))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("notakto")
    }

    fn write_state(&self, boards: &Vec<u16>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, board) in boards.iter().enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            for cell in 0..9 {
                f.write_char(letter(*board, cell))?;
            }
        }
        Ok(())
    }

    fn move_count(&self, boards: &Vec<u16>, _: Seat) -> u128 {
        boards
            .iter()
            .map(|board| free(*board).count() as u128)
            .sum()
    }

    fn nth_move(&self, boards: &Vec<u16>, seat: Seat, n: u128) -> Option<Mark> {
        self.moves(boards, seat).nth(usize::try_from(n).ok()?)
    }

    fn moves<'s>(&'s self, boards: &'s Vec<u16>, _: Seat) -> Box<dyn Iterator<Item = Mark> + 's> {
        let boards = boards.iter().enumerate();
        Box::new(
            boards.flat_map(|(board, cells)| free(*cells).map(move |cell| Mark { board, cell })),
        )
    }

    fn read_move(&self, boards: &Vec<u16>, _: Seat, text: &str) -> Result<Mark, MoveError> {
        let mut letters = Letters::new(text);
        let start = letters.column();
        let board = letters.number()?;
        if letters.peek() != Some(':') {
            return Err(MoveError::at(
                letters.column(),
                "a cell is written as board:cell",
            ));
        }
        letters.skip();
        let cell = letters.number()?;
        if letters.peek().is_some() {
            return Err(MoveError::at(letters.column(), "the move should end here"));
        }
        let refuse = |message: String| Err(MoveError::at(start, message));
        let index = usize::try_from(board)
            .ok()
            .and_then(|board| board.checked_sub(1));
        let Some((index, marks)) = index.and_then(|index| Some((index, *boards.get(index)?)))
        else {
            return refuse(format!(
                "there is no board {board}: they are 1 to {}",
                boards.len()
            ));
        };
        match cell {
            1..=9 if is_dead(marks) => refuse(format!("board {board} has a line and is dead")),
            1..=9 if marks >> (cell - 1) & 1 == 1 => refuse(format!("cell {cell} has an x")),
            1..=9 => Ok(Mark {
                board: index,
                cell: cell as usize - 1,
            }),
            _ => refuse("cells are numbered 1 to 9, row by row".to_owned()),
        }
    }

    fn play(&self, boards: &Vec<u16>, mark: &Mark) -> Vec<u16> {
        let mut after = boards.clone();
        after[mark.board] |= 1 << mark.cell;
        after
    }

    fn describe(&self, boards: &Vec<u16>) -> String {
        /// Boards that are read one by one; of more only their number is told.
        const SHOWN: usize = 8;
        if boards.len() > SHOWN {
            let dead = boards.iter().filter(|board| is_dead(**board)).count();
            return format!("{} boards, {dead} of them dead", boards.len());
        }
        let noun = if boards.len() == 1 { "board" } else { "boards" };
        let shown: Vec<String> = boards.iter().map(|board| rows(*board)).collect();
        format!("{noun} {}", shown.join(", "))
    }

    fn describe_move(&self, boards: &Vec<u16>, mark: &Mark, prefix: &str) -> String {
        let after = self.play(boards, mark);
        let end = if is_dead(after[mark.board]) {
            ", which kills the board"
        } else {
            ""
        };
        format!("put an x on {prefix}{mark}{end}")
    }

    fn parts(&self, boards: &Vec<u16>) -> Vec<Vec<u16>> {
        boards.iter().map(|board| vec![turned(*board)]).collect()
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Board
    }

    fn method(&self) -> &'static str {
        "boards"
    }

    fn bytes(&self, boards: &Vec<u16>) -> u64 {
        boards.len() as u64 * 2
    }

    fn explain(&self, boards: &Vec<u16>, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let living = boards.iter().filter(|board| !is_dead(**board)).count();
        let mut lines = vec![format!(
            "A dead board counts for nothing; {living} of {} live, and each is a game of its own.",
            boards.len()
        )];
        lines.push(match end.is_misere() {
            true => "Misere play: boards fall into 18 classes, and a table of their products says which sums are lost (Plambeck and Whitehead 2013). Few boards are decided by a search.".to_owned(),
            false => "The value of a board is the least number that none of its marks leaves; boards are added by xor.".to_owned(),
        });
        lines
    }

    fn explained_by_options(&self, _: &Vec<u16>) -> bool {
        true
    }
}
