//! Boards of squares as text, rows of letters joined by `/`, and what games on them share: neighbours, connected regions, moves that name two squares.

use std::fmt;

use crate::games::letters::Letters;
use crate::notation::{MoveError, NotationCode, NotationError, Word};

/// The largest number of squares.
pub(crate) const MAX_SQUARES: usize = 100_000;

/// A rectangular board.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Grid {
    columns: usize,
    /// Row by row: the letter of each square.
    cells: Vec<u8>,
}

/// What the squares of a game are written with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alphabet {
    /// Every letter, with spaces between.
    pub(crate) letters: &'static str,
    /// What a board is, for refusals.
    pub(crate) expected: &'static str,
    /// A position that is accepted.
    pub(crate) example: &'static str,
}

impl Alphabet {
    /// Reads one row, which may be empty.
    pub(crate) fn read_row(&self, row: Word<'_>) -> Result<Vec<u8>, NotationError> {
        let is_letter = |letter: u8| letter != b' ' && self.letters.as_bytes().contains(&letter);
        match row.text.bytes().position(|letter| !is_letter(letter)) {
            None => Ok(row.text.bytes().collect()),
            Some(index) => {
                let place = row.part(index, index + 1);
                let message = format!("'{}' is none of {}", place.text, self.letters);
                place.refuse(
                    NotationCode::BadPosition,
                    message,
                    self.expected,
                    self.example,
                )
            }
        }
    }
}

/// Reads `.` as free and `x` as taken.
pub(crate) fn read_squares(
    row: Word<'_>,
    expected: &'static str,
    example: &'static str,
) -> Result<Vec<bool>, NotationError> {
    let alphabet = Alphabet {
        letters: ". x",
        expected,
        example,
    };
    let cells = alphabet.read_row(row)?.into_iter();
    Ok(cells.map(|cell| cell == b'.').collect())
}

impl Grid {
    /// A board with so many columns, at least one, and these squares, row by row.
    pub(crate) fn new(columns: usize, cells: Vec<u8>) -> Self {
        Self { columns, cells }
    }

    /// Reads rows of one length.
    pub(crate) fn read(state: Word<'_>, alphabet: &Alphabet) -> Result<Self, NotationError> {
        let Alphabet {
            expected, example, ..
        } = *alphabet;
        let bad = NotationCode::BadPosition;
        let squares = state.text.bytes().filter(|letter| *letter != b'/').count();
        if squares > MAX_SQUARES {
            let message = format!("the board is too large: {MAX_SQUARES} squares are the limit");
            let expected = format!("at most {MAX_SQUARES} squares");
            return state.refuse(NotationCode::OutOfRange, message, expected, example);
        }
        let mut cells = Vec::with_capacity(squares);
        let mut columns = 0;
        for row in state.split('/') {
            if row.text.is_empty() {
                return row.refuse(bad, "a row is missing", expected, example);
            }
            if columns != 0 && columns != row.text.len() {
                let message = format!("this row is {} wide, the first {columns}", row.text.len());
                return row.refuse(bad, message, expected, example);
            }
            columns = row.text.len();
            cells.extend(alphabet.read_row(row)?);
        }
        Ok(Self { columns, cells })
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// The letters of all squares, row by row.
    pub(crate) fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// With another letter on these squares.
    pub(crate) fn with(mut self, squares: impl IntoIterator<Item = (usize, u8)>) -> Self {
        for (square, letter) in squares {
            self.cells[square] = letter;
        }
        self
    }

    /// How many squares have this letter.
    pub(crate) fn count(&self, letter: u8) -> usize {
        self.cells.iter().filter(|cell| **cell == letter).count()
    }

    /// The square to the right of a square.
    pub(crate) fn right(&self, square: usize) -> Option<usize> {
        (!(square + 1).is_multiple_of(self.columns)).then_some(square + 1)
    }

    /// The square below a square.
    pub(crate) fn below(&self, square: usize) -> Option<usize> {
        Some(square + self.columns).filter(|below| *below < self.cells.len())
    }

    /// The squares to the right of a square, below, above and to its left, as far as they exist.
    pub(crate) fn around(&self, square: usize) -> impl Iterator<Item = usize> + use<> {
        let left = (!square.is_multiple_of(self.columns)).then(|| square - 1);
        let above = square.checked_sub(self.columns);
        let all = [self.right(square), self.below(square), above, left];
        all.into_iter().flatten()
    }

    /// The squares of each connected region of two or more, ascending, in the order of their first squares; only squares with these letters belong to one.
    pub(crate) fn regions(&self, belongs: impl Fn(u8) -> bool) -> Vec<Vec<usize>> {
        let mut waits: Vec<bool> = self.cells.iter().map(|cell| belongs(*cell)).collect();
        let mut regions = Vec::new();
        for start in 0..self.cells.len() {
            if !std::mem::take(&mut waits[start]) {
                continue;
            }
            let mut region = vec![start];
            let mut looked = 0;
            while let Some(&square) = region.get(looked) {
                looked += 1;
                let new = self
                    .around(square)
                    .filter(|next| std::mem::take(&mut waits[*next]));
                region.extend(new);
            }
            if region.len() > 1 {
                region.sort_unstable();
                regions.push(region);
            }
        }
        regions
    }

    /// A region on the smallest board that holds it, other squares having this letter, in the least of its four positions with rows as rows; of its eight if it may be `turned`.
    pub(crate) fn cut_out(&self, region: &[usize], outside: u8, turned: bool) -> Self {
        let rows = || region.iter().map(|square| square / self.columns);
        let columns = || region.iter().map(|square| square % self.columns);
        let top = rows().min().unwrap_or(0);
        let left = columns().min().unwrap_or(0);
        let height = rows().max().map_or(1, |row| row - top + 1);
        let width = columns().max().map_or(1, |column| column - left + 1);
        let position = |turn: usize| {
            let upright = turn & 4 == 0;
            let wide = if upright { width } else { height };
            let mut cells = vec![outside; height * width];
            for ((row, column), square) in rows().zip(columns()).zip(region) {
                let (mut row, mut column) = (row - top, column - left);
                if turn & 1 != 0 {
                    row = height - 1 - row;
                }
                if turn & 2 != 0 {
                    column = width - 1 - column;
                }
                let place = if upright {
                    row * wide + column
                } else {
                    column * wide + row
                };
                cells[place] = self.cells[*square];
            }
            Self::new(wide, cells)
        };
        let turns = if turned { 8 } else { 4 };
        (1..turns).map(position).fold(position(0), Ord::min)
    }

    /// The name of a square: its row and its column, counted from 1.
    pub(crate) fn square_name(&self, square: usize) -> String {
        format!(
            "{}:{}",
            square / self.columns + 1,
            square % self.columns + 1
        )
    }

    /// What the notation calls one of several regions: its first square.
    pub(crate) fn region_name(&self, regions: &[Vec<usize>], region: usize) -> String {
        let first = regions.get(region).and_then(|region| region.first());
        first.map_or_else(String::new, |square| self.square_name(*square))
    }

    /// A move that names two squares.
    pub(crate) fn pair(&self, from: usize, to: usize) -> Pair {
        Pair {
            from,
            to,
            columns: self.columns,
        }
    }

    /// Reads the name of a square, `2:3`: its row and its column, counted from 1.
    pub(crate) fn read_square(&self, letters: &mut Letters<'_>) -> Result<usize, MoveError> {
        let start = letters.column();
        let row = letters.number()?;
        if letters.peek() != Some(':') {
            let message = "a square is written as row:column";
            return Err(MoveError::at(letters.column(), message));
        }
        letters.skip();
        let column = letters.number()?;
        let (rows, columns) = (self.rows() as u64, self.columns as u64);
        if !(1..=rows).contains(&row) || !(1..=columns).contains(&column) {
            let message = format!(
                "there is no square {row}:{column} on a board of {rows} rows and {columns} columns"
            );
            return Err(MoveError::at(start, message));
        }
        Ok((row as usize - 1) * self.columns + column as usize - 1)
    }

    /// Reads two squares, `2:3-2:4`.
    pub(crate) fn read_pair(&self, text: &str) -> Result<Pair, MoveError> {
        let mut letters = Letters::new(text);
        let from = self.read_square(&mut letters)?;
        if letters.peek() == Some('-') {
            letters.skip();
        }
        let to = self.read_square(&mut letters)?;
        letters.end()?;
        Ok(self.pair(from, to))
    }

    /// The board in words, with a remark: its rows, or of a large one its size.
    pub(crate) fn told(&self, remark: &str) -> String {
        /// Squares that are read one by one.
        const SHOWN: usize = 200;
        if self.cells.len() > SHOWN {
            return format!(
                "a board of {} by {} with {remark}",
                self.rows(),
                self.columns
            );
        }
        let noun = if self.rows() == 1 { "row" } else { "rows" };
        let rows = self.to_string().replace('/', ", ");
        format!("{noun} {rows}: {remark}")
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.cells.chunks(self.columns).enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            f.write_str(std::str::from_utf8(row).unwrap_or_default())?;
        }
        Ok(())
    }
}

/// Two squares of a board, in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    pub(crate) from: usize,
    pub(crate) to: usize,
    columns: usize,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square: usize| (square / self.columns + 1, square % self.columns + 1);
        let ((row, column), (to_row, to_column)) = (name(self.from), name(self.to));
        write!(f, "{row}:{column}-{to_row}:{to_column}")
    }
}
