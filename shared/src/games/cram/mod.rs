//! Cram: dominoes on a board, laid either way by both players.
//!
//! M. Gardner (1974). A board is the sum of its connected free regions, each looked at once in one of its eight positions.

mod cells;
#[cfg(test)]
mod oracle;
mod search;
mod table;

use std::fmt;
use std::sync::Arc;

use crate::erased::{self, BoardKind, GameInfo};
use crate::game::{EndRule, Game};
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::take_and_break::{self, Rule, Table};
use crate::theory::{Goal, Meter, MoveList, Stopped};

use search::Region;

const EXAMPLE: &str = "cram:..x/...";

/// Two neighbours are taken from a line, and two lines may be left: the digits of Dawson's Kayles.
const LINE_DIGITS: [u8; 3] = [0, 0, 7];

/// The largest number of squares.
const MAX_SQUARES: usize = 100_000;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "cram",
    title: "Cram",
    rule: "Cover two free squares that are adjacent in a row or column. The player who covers the last two wins.",
    notation: "cram:..x/... has two rows; . is free and x is covered",
    move_notation: "1:2-1:3 covers squares 2 and 3 of row 1",
    examples: &[
        EXAMPLE,
        "cram:...../.....",
        "cram:.../.../...",
        "cram:......",
        "cram:.x.x/....",
        "cram:./.",
    ],
    example_move: "1:1-2:1",
    method: "lines as rows of Dawson's Kayles; connected regions: those with half-turn symmetry by symmetry, others of up to 7 by 16 squares by a nimber search, larger ones by their options; misere play by exhaustive search",
    complexity: "exponential in the largest region; O(squares) if symmetry shows that all regions are lost",
    limits: "100,000 squares",
    source: "M. Gardner, Cram, crosscram and quadraphage, 1974; J. Lemoine, S. Viennot 2012",
    board: BoardKind::Grid,
    read: erased::read::<Cram>,
};

/// The rules of Cram.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cram;

/// A rectangular board.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Board {
    columns: usize,
    /// Row by row: whether the square is free.
    free: Vec<bool>,
}

/// The values of straight regions: rows of Dawson's Kayles.
fn lines_up_to(length: usize, meter: &mut Meter<'_>) -> Arc<Table> {
    take_and_break::table(&Rule::code(&LINE_DIGITS), length as u64, meter)
}

fn line_value(length: usize, meter: &mut Meter<'_>) -> Option<u64> {
    lines_up_to(length, meter).value(length as u64)
}

/// Two squares, by their places in the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domino {
    first: usize,
    second: usize,
    columns: usize,
}

impl fmt::Display for Domino {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |square: usize| square / self.columns + 1;
        let column = |square: usize| square % self.columns + 1;
        write!(
            f,
            "{}:{}-{}:{}",
            row(self.first),
            column(self.first),
            row(self.second),
            column(self.second)
        )
    }
}

impl Board {
    fn domino(&self, first: usize, second: usize) -> Domino {
        Domino {
            first,
            second,
            columns: self.columns,
        }
    }

    /// The free neighbours to the right of a square and below it.
    fn onward(&self, square: usize) -> impl Iterator<Item = usize> + '_ {
        let right = (!(square + 1).is_multiple_of(self.columns)).then_some(square + 1);
        let below = Some(square + self.columns);
        let both = [right, below].into_iter().flatten();
        both.filter(move |next| self.free[square] && self.free.get(*next) == Some(&true))
    }

    /// Whether all squares of a region are in one row, or in one column.
    fn is_straight(&self, region: &[usize]) -> bool {
        let in_line = |of: fn(usize, usize) -> usize| {
            let mut lines = region.iter().map(|square| of(*square, self.columns));
            let first = lines.next();
            lines.all(|line| Some(line) == first)
        };
        in_line(|square, columns| square / columns) || in_line(|square, columns| square % columns)
    }

    /// The moves in a straight region that leave this value: each leaves two lines.
    fn replies_in_line(
        &self,
        squares: &[usize],
        value: u64,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Domino>>, Stopped> {
        let mut replies = MoveList::default();
        let left = squares.len() - 2;
        meter.work(left as u64 / 8)?;
        let table = lines_up_to(left, meter);
        for (place, pair) in squares.windows(2).enumerate() {
            let sides = [place, left - place].map(|line| table.value(line as u64));
            let [Some(before), Some(after)] = sides else {
                return Ok(None);
            };
            if before ^ after == value {
                replies.push(want, || self.domino(pair[0], pair[1]));
            }
        }
        Ok(Some(replies))
    }

    /// The squares of each region of two or more, ascending, in the order of their first squares.
    fn regions(&self) -> Vec<Vec<usize>> {
        let mut met = vec![false; self.free.len()];
        let mut regions = Vec::new();
        for start in 0..self.free.len() {
            if met[start] || !self.free[start] {
                continue;
            }
            met[start] = true;
            let mut region = vec![start];
            let mut looked = 0;
            while let Some(&square) = region.get(looked) {
                looked += 1;
                let left = (square % self.columns != 0).then(|| square - 1);
                let right = (!(square + 1).is_multiple_of(self.columns)).then_some(square + 1);
                let above = square.checked_sub(self.columns);
                let around = [left, right, above, Some(square + self.columns)];
                for next in around.into_iter().flatten() {
                    if self.free.get(next) == Some(&true)
                        && !std::mem::replace(&mut met[next], true)
                    {
                        region.push(next);
                    }
                }
            }
            if region.len() > 1 {
                region.sort_unstable();
                regions.push(region);
            }
        }
        regions
    }

    /// A region as the search has it, unless it is too large.
    fn searchable(&self, region: &[usize]) -> Option<Region> {
        let squares = region.iter();
        Region::new(squares.map(|square| (square / self.columns, square % self.columns)))
    }

    /// Whether a region that half a turn does not change is lost: every domino is answered by its image, unless the two are one, in
    /// the centre; then laying that one first wins. A domino on a square that is its own image has no answer. O(squares).
    fn judged_by_symmetry(&self, region: &[usize]) -> Option<bool> {
        let (first, last) = (region.first()?, region.last()?);
        let columns = || region.iter().map(|square| square % self.columns);
        let ends = columns().min()? + columns().max()?;
        let rows = first / self.columns + last / self.columns;
        let image = |square: usize| {
            let (row, column) = (square / self.columns, square % self.columns);
            (rows - row) * self.columns + ends - column
        };
        let images = region.iter().rev().map(|square| image(*square));
        if !region.iter().copied().eq(images) {
            return None;
        }
        let mut central = region.iter().map(|square| (*square, image(*square)));
        match (rows % 2, ends % 2) {
            (0, 0) => central
                .all(|(square, image)| square != image)
                .then_some(true),
            (1, 1) => Some(true),
            _ => {
                Some(!central.any(|(square, image)| self.onward(square).any(|next| next == image)))
            }
        }
    }

    /// A region on the smallest board that holds it, in the least of its eight positions.
    fn cut_out(&self, region: &[usize]) -> Self {
        let cells: Vec<(usize, usize)> = region
            .iter()
            .map(|square| (square / self.columns, square % self.columns))
            .collect();
        let top = cells.iter().map(|(row, _)| *row).min().unwrap_or(0);
        let left = cells.iter().map(|(_, column)| *column).min().unwrap_or(0);
        let height = cells
            .iter()
            .map(|(row, _)| row - top + 1)
            .max()
            .unwrap_or(1);
        let width = cells
            .iter()
            .map(|(_, column)| column - left + 1)
            .max()
            .unwrap_or(1);
        let position = |turn: usize| {
            let (columns, rows) = if turn & 4 == 0 {
                (width, height)
            } else {
                (height, width)
            };
            let mut free = vec![false; rows * columns];
            for (row, column) in &cells {
                let (mut row, mut column) = (row - top, column - left);
                if turn & 1 != 0 {
                    row = height - 1 - row;
                }
                if turn & 2 != 0 {
                    column = width - 1 - column;
                }
                let (row, column) = if turn & 4 == 0 {
                    (row, column)
                } else {
                    (column, row)
                };
                free[row * columns + column] = true;
            }
            Self { columns, free }
        };
        (1..8).map(position).fold(position(0), Ord::min)
    }
}

impl Game for Cram {
    type State = Board;
    type Move = Domino;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Board), NotationError> {
        const EXPECTED: &str = "rows of . and x of one length joined by /";
        if let Some(word) = parameters {
            let message = "cram has no parameters";
            return word.refuse(
                NotationCode::BadGameCode,
                message,
                "a colon and the board",
                EXAMPLE,
            );
        }
        let bad = NotationCode::BadPosition;
        if state.text.bytes().filter(|letter| *letter != b'/').count() > MAX_SQUARES {
            let message = format!("the board is too large: {MAX_SQUARES} squares are the limit");
            let expected = format!("at most {MAX_SQUARES} squares");
            return state.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
        }
        let mut free = Vec::new();
        let mut columns = 0;
        for row in state.split('/') {
            if row.text.is_empty() {
                return row.refuse(bad, "a row is missing", EXPECTED, EXAMPLE);
            }
            if columns != 0 && columns != row.text.len() {
                let message = format!("this row is {} wide, the first {columns}", row.text.len());
                return row.refuse(bad, message, EXPECTED, EXAMPLE);
            }
            columns = row.text.len();
            free.extend(read_squares(row, EXPECTED, EXAMPLE)?);
        }
        Ok((Self, Board { columns, free }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cram")
    }

    fn write_state(&self, board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, free) in board.free.iter().enumerate() {
            if index > 0 && index % board.columns == 0 {
                f.write_str("/")?;
            }
            f.write_str(if *free { "." } else { "x" })?;
        }
        Ok(())
    }

    fn move_count(&self, board: &Board, _: Seat) -> u128 {
        (0..board.free.len())
            .map(|square| board.onward(square).count() as u128)
            .sum()
    }

    fn nth_move(&self, board: &Board, seat: Seat, n: u128) -> Option<Domino> {
        self.moves(board, seat).nth(usize::try_from(n).ok()?)
    }

    /// Region by region, square by square, to the right before down.
    fn moves<'s>(&'s self, board: &'s Board, _: Seat) -> Box<dyn Iterator<Item = Domino> + 's> {
        let squares = board.regions().into_iter().flatten();
        Box::new(squares.flat_map(move |square| {
            board
                .onward(square)
                .map(move |next| board.domino(square, next))
        }))
    }

    fn read_move(&self, board: &Board, _: Seat, text: &str) -> Result<Domino, MoveError> {
        let mut letters = Letters::new(text);
        let mut square = || -> Result<usize, MoveError> {
            let column = letters.column();
            let row = letters.number()?;
            if letters.peek() != Some(':') {
                return Err(MoveError::at(
                    letters.column(),
                    "a square is written as row:column",
                ));
            }
            letters.skip();
            let place = letters.number()?;
            if letters.peek() == Some('-') {
                letters.skip();
            }
            let rows = (board.free.len() / board.columns) as u64;
            if !(1..=rows).contains(&row) || !(1..=board.columns as u64).contains(&place) {
                let message = format!(
                    "there is no square {row}:{place} on a board of {rows} rows and {} columns",
                    board.columns
                );
                return Err(MoveError::at(column, message));
            }
            Ok((row as usize - 1) * board.columns + place as usize - 1)
        };
        let (a, b) = (square()?, square()?);
        if letters.peek().is_some() {
            return Err(MoveError::at(letters.column(), "the move should end here"));
        }
        let (first, second) = (a.min(b), a.max(b));
        match board.onward(first).any(|next| next == second) {
            true => Ok(board.domino(first, second)),
            false if !board.free[first] || !board.free[second] => {
                Err(MoveError::at(1, "one of the squares is covered"))
            }
            false => Err(MoveError::at(1, "the squares are not neighbours")),
        }
    }

    fn play(&self, board: &Board, domino: &Domino) -> Board {
        let mut after = board.clone();
        after.free[domino.first] = false;
        after.free[domino.second] = false;
        after
    }

    fn describe(&self, board: &Board) -> String {
        /// Squares that are read one by one; of more only their number is told.
        const SHOWN: usize = 200;
        let free = match board.free.iter().filter(|free| **free).count() {
            1 => "1 free square".to_owned(),
            free => format!("{free} free squares"),
        };
        let rows = board.free.chunks(board.columns);
        if board.free.len() > SHOWN {
            return format!("a board of {} by {} with {free}", rows.len(), board.columns);
        }
        let noun = if rows.len() == 1 { "row" } else { "rows" };
        let square = |free: &bool| if *free { '.' } else { 'x' };
        let rows: Vec<String> = rows.map(|row| row.iter().map(square).collect()).collect();
        format!("{noun} {}: {free}", rows.join(", "))
    }

    fn describe_move(&self, _: &Board, domino: &Domino, prefix: &str) -> String {
        format!("covered {prefix}{domino}")
    }

    fn parts(&self, board: &Board) -> Vec<Board> {
        board
            .regions()
            .iter()
            .map(|region| board.cut_out(region))
            .collect()
    }

    fn method(&self) -> &'static str {
        "free regions"
    }

    fn bytes(&self, board: &Board) -> u64 {
        board.free.len() as u64
    }

    fn values(&self, board: &Board, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let mut values = Vec::new();
        for region in board.regions() {
            meter.work(region.len() as u64 / 8)?;
            let value = if board.judged_by_symmetry(&region) == Some(true) {
                Some(0)
            } else if board.is_straight(&region) {
                line_value(region.len(), meter)
            } else if let Some(region) = board.searchable(&region) {
                Some(search::value(&region, meter)?)
            } else {
                None
            };
            values.push(value);
        }
        Ok(values)
    }

    /// Whether the whole board is one region that symmetry judges.
    fn is_p_position(&self, board: &Board, end: EndRule) -> Option<bool> {
        match &board.regions()[..] {
            [region] if !end.is_misere() => board.judged_by_symmetry(region),
            _ => None,
        }
    }

    fn replies(
        &self,
        board: &Board,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Domino>>, Stopped> {
        let regions = board.regions();
        let (Some(squares), Goal::Value(value)) = (regions.get(part), goal) else {
            return Ok(None);
        };
        if value == 0 && board.judged_by_symmetry(squares) == Some(true) {
            return Ok(Some(MoveList::default()));
        }
        if board.is_straight(squares) {
            return board.replies_in_line(squares, value, want, meter);
        }
        let Some(region) = board.searchable(squares) else {
            return Ok(None);
        };
        let mut moves = Vec::new();
        let mut dominoes = Vec::new();
        for (square, number) in squares.iter().zip(&region.squares) {
            for next in board.onward(*square) {
                let place = squares.binary_search(&next);
                let place = place.expect("free neighbours are in one region");
                moves.push(board.domino(*square, next));
                dominoes.push((*number, region.squares[place]));
            }
        }
        let reached = search::leaving(&region, &dominoes, value, meter)?;
        let mut replies = MoveList::default();
        for (domino, _) in moves
            .into_iter()
            .zip(reached)
            .filter(|(_, reached)| *reached)
        {
            replies.push(want, || domino);
        }
        Ok(Some(replies))
    }

    /// Dominoes that do not touch the same square, laid out row by row: there may be room for more.
    fn free_choices(&self, board: &Board) -> usize {
        let mut taken = vec![false; board.free.len()];
        let mut count = 0;
        for square in 0..board.free.len() {
            let next = board.onward(square).find(|next| !taken[*next]);
            if let Some(next) = next.filter(|_| !taken[square]) {
                taken[next] = true;
                count += 1;
            }
        }
        count
    }

    fn explain(&self, board: &Board, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let regions = board.regions();
        let sizes: Vec<String> = regions
            .iter()
            .take(16)
            .map(|region| region.len().to_string())
            .collect();
        let mut lines = vec![format!(
            "Free regions do not touch each other, so the board is their sum; they have {} squares.",
            sizes.join(", ")
        )];
        let rows = board.free.len() / board.columns;
        if board.free.iter().all(|free| *free) && !end.is_misere() {
            match (rows % 2, board.columns % 2) {
                (0, 0) => lines.push("Both sides are even: every move can be answered on the other side of the centre.".to_owned()),
                (0, 1) | (1, 0) => lines.push("One side is even: cover the two squares at the centre, and answer every move on the other side of it.".to_owned()),
                _ => {}
            }
        }
        lines.push(match end.is_misere() {
            true => "Misere play: only a search of all lines of play decides.".to_owned(),
            false => "The value of a region is the least number that none of its moves leaves."
                .to_owned(),
        });
        lines
    }

    fn explained_by_options(&self, _: &Board) -> bool {
        true
    }
}

/// Reads `.` as free and `x` as taken.
pub(crate) fn read_squares(
    row: Word<'_>,
    expected: &str,
    example: &str,
) -> Result<Vec<bool>, NotationError> {
    let mut free = Vec::with_capacity(row.text.len());
    for (index, letter) in row.text.bytes().enumerate() {
        match letter {
            b'.' => free.push(true),
            b'x' => free.push(false),
            _ => {
                let place = row.part(index, index + 1);
                let message = format!("'{}' is neither . nor x", place.text);
                return place.refuse(NotationCode::BadPosition, message, expected, example);
            }
        }
    }
    Ok(free)
}
