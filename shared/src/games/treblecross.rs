//! Treblecross: both players put an x on a strip, and three in a row end it.
//!
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapter 4. On three cells or more an x within two cells of another
//! lets the opponent complete three; so the players keep away from every x, and that is the octal game .007 on what is free.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, Terms};
use crate::game::{EndRule, Game};
use crate::games::grid::read_squares;
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::take_and_break::{self, Rule};
use crate::theory::{Goal, Meter, MoveList, Stopped};

const EXAMPLE: &str = "treblecross:..x.....";

/// The digits of the octal game .007.
const DIGITS: [u8; 4] = [0, 0, 0, 7];

/// The largest number of cells.
const MAX_CELLS: usize = 100_000;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "treblecross",
    title: "Treblecross",
    rule: "Put an x on a free cell of the strip; both players write x. Nobody may play on a strip with three adjacent x any more. The player who makes the last move wins.",
    notation: "treblecross:..x..... is a strip of eight cells; x is marked and . is free; several strips are combined by +",
    move_notation: "3 puts an x on cell 3; cells are counted from 1 at the left",
    examples: &[
        EXAMPLE,
        "treblecross:.....",
        "treblecross:..",
        "treblecross:.x..x.",
        "treblecross:........",
        "treblecross:.xxx.",
    ],
    example_move: "6",
    method: "runs of cells not near any x as heaps of octal game .007; in sums by options; misere play by exhaustive search",
    complexity: "O(cells) with a table of .007; in sums exponential in the cells",
    limits: "100,000 cells",
    source: "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 4",
    board: BoardKind::Cells,
    read: erased::read::<Treblecross>,
};

/// The rules of Treblecross.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Treblecross;

/// The cells of a strip: whether each is free.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Strip(Vec<bool>);

/// An x on a cell, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cross(usize);

impl fmt::Display for Cross {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Strip {
    fn is_over(&self) -> bool {
        self.0.windows(3).any(|three| three == [false; 3])
    }

    fn free(&self) -> impl Iterator<Item = usize> + '_ {
        let living = if self.is_over() { &[][..] } else { &self.0[..] };
        living
            .iter()
            .enumerate()
            .filter(|(_, free)| **free)
            .map(|(cell, _)| cell)
    }

    /// Whether an x on this free cell makes three in a row.
    fn completes(&self, cell: usize) -> bool {
        let x = |at: Option<usize>| at.is_some_and(|at| self.0.get(at) == Some(&false));
        let (l1, l2) = (x(cell.checked_sub(1)), x(cell.checked_sub(2)));
        let (r1, r2) = (x(Some(cell + 1)), x(Some(cell + 2)));
        l1 && (l2 || r1) || r1 && r2
    }

    /// First cell and length of each run of cells that are further than two from every x.
    fn quiet(&self) -> Vec<(usize, u64)> {
        let mut quiet: Vec<bool> = vec![true; self.0.len()];
        for (cell, _) in self.0.iter().enumerate().filter(|(_, free)| !**free) {
            let end = (cell + 3).min(quiet.len());
            quiet[cell.saturating_sub(2)..end].fill(false);
        }
        let mut runs: Vec<(usize, u64)> = Vec::new();
        for (cell, _) in quiet.iter().enumerate().filter(|(_, quiet)| **quiet) {
            match runs.last_mut() {
                Some((first, length)) if *first + *length as usize == cell => *length += 1,
                _ => runs.push((cell, 1)),
            }
        }
        runs
    }

    /// The values of the quiet runs, a run of m being a heap of m + 2; `None` beyond the table.
    fn heaps(&self, meter: &mut Meter<'_>) -> Result<Option<Heaps>, Stopped> {
        meter.work(self.0.len() as u64 / 8)?;
        let runs = self.quiet();
        let longest = runs.iter().map(|(_, length)| length + 2).max().unwrap_or(0);
        let table = take_and_break::table(&Rule::code(&DIGITS), longest, meter);
        let values: Option<Vec<u64>> = runs
            .iter()
            .map(|(_, length)| table.value(length + 2))
            .collect();
        Ok(values.map(|values| Heaps {
            xor: values.iter().fold(0, |xor, value| xor ^ value),
            values,
            runs,
            table,
        }))
    }
}

/// A strip as a position of .007.
struct Heaps {
    runs: Vec<(usize, u64)>,
    values: Vec<u64>,
    xor: u64,
    table: std::sync::Arc<take_and_break::Table>,
}

impl Game for Treblecross {
    type State = Strip;
    type Move = Cross;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Strip), NotationError> {
        const EXPECTED: &str = "cells . and x, or _ for none";
        if let Some(word) = parameters {
            let message = "treblecross has no parameters";
            return word.refuse(
                NotationCode::BadGameCode,
                message,
                "a colon and the strip",
                EXAMPLE,
            );
        }
        if state.text.is_empty() {
            return state.refuse(
                NotationCode::BadPosition,
                "the strip is missing",
                EXPECTED,
                EXAMPLE,
            );
        }
        if state.text.len() > MAX_CELLS {
            let message = format!(
                "{} cells are too many: {MAX_CELLS} are the limit",
                state.text.len()
            );
            let expected = format!("at most {MAX_CELLS} cells");
            return state.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
        }
        match state.text {
            "_" => Ok((Self, Strip(Vec::new()))),
            _ => Ok((Self, Strip(read_squares(state, EXPECTED, EXAMPLE)?))),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("treblecross")
    }

    fn write_state(&self, strip: &Strip, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if strip.0.is_empty() {
            return f.write_str("_");
        }
        strip
            .0
            .iter()
            .try_for_each(|free| f.write_str(if *free { "." } else { "x" }))
    }

    fn move_count(&self, strip: &Strip, _: Seat) -> u128 {
        strip.free().count() as u128
    }

    fn nth_move(&self, strip: &Strip, _: Seat, n: u128) -> Option<Cross> {
        let n = usize::try_from(n).ok()?;
        strip.free().nth(n).map(|cell| Cross(cell + 1))
    }

    fn moves<'s>(&'s self, strip: &'s Strip, _: Seat) -> Box<dyn Iterator<Item = Cross> + 's> {
        Box::new(strip.free().map(|cell| Cross(cell + 1)))
    }

    fn read_move(&self, strip: &Strip, _: Seat, text: &str) -> Result<Cross, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let cell = letters.number()?;
        if letters.peek().is_some() {
            return Err(MoveError::at(letters.column(), "the move should end here"));
        }
        let place = usize::try_from(cell)
            .ok()
            .and_then(|cell| cell.checked_sub(1));
        let refuse = |message: String| Err(MoveError::at(column, message));
        match place.and_then(|place| Some((place, *strip.0.get(place)?))) {
            None => refuse(format!(
                "there is no cell {cell}: they are 1 to {}",
                strip.0.len()
            )),
            Some(_) if strip.is_over() => refuse("the strip has three in a row".to_owned()),
            Some((_, false)) => refuse(format!("cell {cell} has an x")),
            Some((place, true)) => Ok(Cross(place + 1)),
        }
    }

    fn play(&self, strip: &Strip, Cross(cell): &Cross) -> Strip {
        let mut after = strip.clone();
        after.0[cell - 1] = false;
        after
    }

    fn describe(&self, strip: &Strip) -> String {
        let marks = strip.0.iter().filter(|free| !**free).count();
        format!("a strip of {} cells with {marks} x", strip.0.len())
    }

    fn describe_move(&self, strip: &Strip, cross: &Cross, prefix: &str) -> String {
        let end = if strip.completes(cross.0 - 1) {
            ", three in a row"
        } else {
            ""
        };
        format!("put an x on {prefix}{cross}{end}")
    }

    fn parts(&self, strip: &Strip) -> Vec<Strip> {
        let mut mirrored = strip.clone();
        mirrored.0.reverse();
        vec![mirrored.min(strip.clone())]
    }

    fn method(&self) -> &'static str {
        "quiet cells as .007"
    }

    fn bytes(&self, strip: &Strip) -> u64 {
        strip.0.len() as u64
    }

    fn find_p_position(
        &self,
        strip: &Strip,
        end: EndRule,
        meter: &mut Meter<'_>,
    ) -> Result<Option<bool>, Stopped> {
        if end.is_misere() || strip.0.len() < 3 {
            return Ok(None);
        }
        if strip.free().any(|cell| strip.completes(cell)) {
            return Ok(Some(false));
        }
        let heaps = strip.heaps(meter)?;
        Ok(heaps.map(|heaps| heaps.xor == 0 || strip.is_over()))
    }

    fn replies(
        &self,
        strip: &Strip,
        _: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Cross>>, Stopped> {
        if goal != Goal::Value(0) || strip.0.len() < 3 {
            return Ok(None);
        }
        let mut replies = MoveList::default();
        for cell in strip.free().filter(|cell| strip.completes(*cell)) {
            replies.push(want, || Cross(cell + 1));
        }
        if replies.total > 0 || strip.is_over() {
            return Ok(Some(replies));
        }
        let Some(heaps) = strip.heaps(meter)? else {
            return Ok(None);
        };
        for ((first, length), value) in heaps.runs.iter().zip(&heaps.values) {
            for before in 0..*length {
                meter.work(1)?;
                let left = heaps
                    .table
                    .value(before)
                    .zip(heaps.table.value(length - 1 - before));
                if left.is_some_and(|(a, b)| a ^ b == heaps.xor ^ value) {
                    replies.push(want, || Cross(first + before as usize + 1));
                }
            }
        }
        Ok(Some(replies))
    }

    fn facts(&self, strip: &Strip, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        if end.is_misere() || strip.0.len() < 3 {
            return Vec::new();
        }
        if let Some(cell) = strip.free().find(|cell| strip.completes(*cell)) {
            return vec![GameFact::Completes {
                cell: cell as u64 + 1,
            }];
        }
        let heaps = strip.heaps(meter).ok().flatten();
        let fact = heaps.map(|heaps| {
            let mut runs = Terms::default();
            for ((first, _), value) in heaps.runs.iter().zip(&heaps.values) {
                runs.push(|| (first + 1).to_string(), *value);
            }
            GameFact::SafeRuns {
                runs,
                xor: heaps.xor,
            }
        });
        fact.into_iter().collect()
    }

    fn advised(&self, strip: &Strip, end: EndRule, _: &mut Meter<'_>) -> Option<Cross> {
        let completes = |cell: &usize| !end.is_misere() && strip.completes(*cell);
        strip.free().find(completes).map(|cell| Cross(cell + 1))
    }

    fn explain(&self, strip: &Strip, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        if end.is_misere() || strip.0.len() < 3 {
            return vec!["No formula is known; only an exhaustive search decides.".to_owned()];
        }
        if let Some(cell) = strip.free().find(|cell| strip.completes(*cell)) {
            return vec![format!("An x on {} makes three in a row.", cell + 1)];
        }
        let mut lines = vec!["An x within two cells of another lets the opponent complete three; only cells farther away are safe.".to_owned()];
        if let Ok(Some(heaps)) = strip.heaps(meter) {
            let shown: Vec<String> = heaps
                .runs
                .iter()
                .zip(&heaps.values)
                .take(16)
                .map(|((_, length), value)| format!("{length} (worth {value})"))
                .collect();
            lines.push(match shown.is_empty() {
                true => "  No cell is safe.".to_owned(),
                false => format!(
                    "  Runs of safe cells, as heaps two larger in the game .007: {}",
                    shown.join(", ")
                ),
            });
            lines.push(format!("  XOR: {}", heaps.xor));
        }
        lines
    }
}
