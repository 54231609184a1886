//! Cram: dominoes on a board, laid either way by both players.
//!
//! M. Gardner (1974). A board is the sum of its connected free regions, each looked at once in one of its eight positions.

mod cells;
#[cfg(test)]
mod oracle;
mod search;
mod symmetry;
mod table;

use std::fmt;
use std::sync::Arc;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, PartKind};
use crate::game::{EndRule, Game};
use crate::games::domino::{read_domino, squares};
use crate::games::grid::{Grid, Pair};
use crate::games::heaps::no_parameters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::take_and_break::{self, Rule, Table};
use crate::theory::{Goal, Meter, MoveList, Stopped};

use search::Region;

const EXAMPLE: &str = "cram:..x/...";

/// Two neighbours are taken from a line, and two lines may be left: the digits of Dawson's Kayles.
const LINE_DIGITS: [u8; 3] = [0, 0, 7];

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "cram",
    title: "Cram",
    rule: "Cover two free squares that are side by side in a row or column. The player who makes the last move wins.",
    notation: "cram:..x/... has two rows of three squares; . is free and x is covered",
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

/// The values of straight regions: rows of Dawson's Kayles.
fn lines_up_to(length: usize, meter: &mut Meter<'_>) -> Arc<Table> {
    take_and_break::table(&Rule::code(&LINE_DIGITS), length as u64, meter)
}

fn line_value(length: usize, meter: &mut Meter<'_>) -> Option<u64> {
    lines_up_to(length, meter).value(length as u64)
}

impl Grid {
    /// The free neighbours to the right of a free square and below it.
    fn onward(&self, square: usize) -> impl Iterator<Item = usize> + '_ {
        let both = [self.right(square), self.below(square)];
        let both = both.into_iter().flatten();
        both.filter(move |next| self.is_free(square) && self.is_free(*next))
    }

    /// Whether all squares of a region are in one row, or in one column.
    fn is_straight(&self, region: &[usize]) -> bool {
        let in_line = |of: fn(usize, usize) -> usize| {
            let mut lines = region.iter().map(|square| of(*square, self.columns()));
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
    ) -> Result<Option<MoveList<Pair>>, Stopped> {
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
                replies.push(want, || self.pair(pair[0], pair[1]));
            }
        }
        Ok(Some(replies))
    }

    /// A region as the search has it, unless it is too large.
    fn searchable(&self, region: &[usize]) -> Option<Region> {
        let squares = region.iter();
        Region::new(squares.map(|square| (square / self.columns(), square % self.columns())))
    }
}

impl Game for Cram {
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
        f.write_str("cram")
    }

    fn write_state(&self, board: &Grid, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{board}")
    }

    fn move_count(&self, board: &Grid, _: Seat) -> u128 {
        (0..board.cells().len())
            .map(|square| board.onward(square).count() as u128)
            .sum()
    }

    fn nth_move(&self, board: &Grid, seat: Seat, n: u128) -> Option<Pair> {
        self.moves(board, seat).nth(usize::try_from(n).ok()?)
    }

    /// Region by region, square by square, to the right before down.
    fn moves<'s>(&'s self, board: &'s Grid, _: Seat) -> Box<dyn Iterator<Item = Pair> + 's> {
        let squares = board.free_regions().into_iter().flatten();
        Box::new(squares.flat_map(move |square| {
            board
                .onward(square)
                .map(move |next| board.pair(square, next))
        }))
    }

    fn read_move(&self, board: &Grid, _: Seat, text: &str) -> Result<Pair, MoveError> {
        read_domino(board, text, |_, _| None)
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

    fn parts(&self, board: &Grid) -> Vec<Grid> {
        board
            .free_regions()
            .iter()
            .map(|region| board.cut_out(region, b'x', true))
            .collect()
    }

    fn method(&self) -> &'static str {
        "free regions"
    }

    fn bytes(&self, board: &Grid) -> u64 {
        board.cells().len() as u64
    }

    fn part_name(&self, board: &Grid, part: usize) -> String {
        board.region_name(&board.free_regions(), part)
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Region
    }

    fn values(&self, board: &Grid, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let mut values = Vec::new();
        for region in board.free_regions() {
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
    fn is_p_position(&self, board: &Grid, end: EndRule) -> Option<bool> {
        match &board.free_regions()[..] {
            [region] if !end.is_misere() => board.judged_by_symmetry(region),
            _ => None,
        }
    }

    fn replies(
        &self,
        board: &Grid,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Pair>>, Stopped> {
        let regions = board.free_regions();
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
                moves.push(board.pair(*square, next));
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
    fn free_choices(&self, board: &Grid) -> usize {
        let mut taken = vec![false; board.cells().len()];
        let mut count = 0;
        for square in 0..board.cells().len() {
            let next = board.onward(square).find(|next| !taken[*next]);
            if let Some(next) = next.filter(|_| !taken[square]) {
                taken[next] = true;
                count += 1;
            }
        }
        count
    }

    fn facts(&self, board: &Grid, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        if end.is_misere() {
            return Vec::new();
        }
        if board.is_symmetric() {
            return vec![GameFact::PointSymmetry { made_by: None }];
        }
        let made_by = board.made_symmetric(meter);
        let fact = made_by.map(|domino| GameFact::PointSymmetry {
            made_by: Some(domino.to_string()),
        });
        fact.into_iter().collect()
    }

    fn changes(
        &self,
        board: &Grid,
        domino: &Pair,
        end: EndRule,
        _: &mut Meter<'_>,
    ) -> Vec<GameFact> {
        if end.is_misere() || !board.is_symmetric() {
            return Vec::new();
        }
        let fact = board.image(domino).map(|image| GameFact::SymmetryBroken {
            image: image.to_string(),
        });
        fact.into_iter().collect()
    }

    fn advised(&self, board: &Grid, end: EndRule, meter: &mut Meter<'_>) -> Option<Pair> {
        match end.is_misere() || board.is_symmetric() {
            true => None,
            false => board.made_symmetric(meter),
        }
    }

    fn explain(&self, board: &Grid, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let regions = board.free_regions();
        let sizes: Vec<String> = regions
            .iter()
            .take(16)
            .map(|region| region.len().to_string())
            .collect();
        let mut lines = vec![format!(
            "Free regions do not touch each other, so the board is their sum; they have {} squares.",
            sizes.join(", ")
        )];
        if !end.is_misere() {
            if board.is_symmetric() {
                lines.push("Half a turn does not change the board: every move is answered by its image on the other side of the centre.".to_owned());
            } else if let Some(domino) = board.made_symmetric(meter) {
                lines.push(format!("After {domino}, half a turn does not change what is free: every move is answered by its image on the other side of the centre."));
            }
        }
        lines.push(match end.is_misere() {
            true => "Misere play: only a search of all lines of play decides.".to_owned(),
            false => "The value of a region is the least number that none of its moves leaves."
                .to_owned(),
        });
        lines
    }

    fn explained_by_options(&self, _: &Grid) -> bool {
        true
    }
}
