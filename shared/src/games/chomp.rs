//! Chomp: choose a square of the bar, and it goes with everything to its right and in later rows.
//!
//! F. Schuh (1952), D. Gale (1974). A bar with two arms is a sum of two Nim heaps; nobody knows a rule for the others, but that rectangles
//! are won: if biting the far corner lost, its answer would have been there at once.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::GameFact;
use crate::game::{EndRule, Game};
use crate::games::heaps::read_heaps;
use crate::games::letters::Letters;
use crate::games::working::misere_lines;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::chomp_table::chomp_table;
use crate::theory::suspense::is_lost;
use crate::theory::{Goal, Meter, MoveList, Stopped};

const EXAMPLE: &str = "chomp:5,4,2";

/// The largest number of rows.
const MAX_ROWS: usize = 1_000;

/// ChompTable with rows up to this long are looked at once with their mirror image.
const MIRRORED: u64 = 1_000;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "chomp",
    title: "Chomp",
    rule: "Choose a square of the bar: it is eaten with all squares that are in its row or below and in its column or to the right. The top left square, 1:1, is poisoned and may not be chosen. The player who makes the last move wins.",
    notation: "chomp:5,4,2 has rows of 5, 4 and 2 squares from top to bottom; no row is longer than the one above",
    move_notation: "2:3 chooses square 3 of row 2",
    examples: &[
        EXAMPLE,
        "chomp:3,2",
        "chomp:3,3,3",
        "chomp:4,1,1",
        "chomp:2,2,2,1",
    ],
    example_move: "2:3",
    method: "two arms as two Nim heaps; otherwise a table of all bars inside this one, for both end rules; if there are too many (over 2^23), two rows by their rule, rectangles by strategy stealing, others by exhaustive search",
    complexity: "O(rows) for two arms; otherwise the number of bars inside times the number of squares below the first row",
    limits: "1,000 rows of up to 10^18",
    source: "F. Schuh 1952; D. Gale, A curious Nim-type game, 1974",
    board: BoardKind::Bar,
    read: erased::read::<Chomp>,
};

/// The rules of Chomp.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Chomp;

/// A square: row and column, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bite {
    row: usize,
    column: u64,
}

impl fmt::Display for Bite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.row, self.column)
    }
}

/// The first column of a row that may be chosen.
fn first_column(row: usize) -> u64 {
    if row == 1 { 2 } else { 1 }
}

/// The squares of the two arms beyond the corner, where there is nothing else.
fn arms(rows: &[u64]) -> Option<(u64, u64)> {
    let (first, others) = rows.split_first()?;
    let down = others.iter().filter(|row| **row > 0).count() as u64;
    (*first > 0 && others.iter().all(|row| *row <= 1)).then(|| (first - 1, down))
}

/// The lengths of two rows, where there are no more. They are lost for the player to move if and only if the first is one longer: a bite in
/// either is answered in the other so that it is again, and of any others one bite leaves such rows.
fn two_rows(rows: &[u64]) -> Option<(u64, u64)> {
    match rows {
        [first, second, empty @ ..] if *second > 0 && empty.iter().all(|row| *row == 0) => {
            Some((*first, *second))
        }
        _ => None,
    }
}

/// The bite that leaves two rows of which the first is one longer, or the corner alone.
fn replies_in_two((first, second): (u64, u64), want: usize) -> MoveList<Bite> {
    let mut replies = MoveList::default();
    if first == second {
        replies.push(want, || Bite {
            row: 2,
            column: second,
        });
    } else if first > second + 1 {
        replies.push(want, || Bite {
            row: 1,
            column: second + 2,
        });
    }
    replies
}

/// Whether all rows are of the same length and not only an arm.
fn is_rectangle(rows: &[u64]) -> bool {
    let mut live = rows.iter().filter(|row| **row > 0);
    arms(rows).is_none()
        && live
            .next()
            .is_some_and(|first| live.all(|row| row == first))
}

/// The side of a square of at least two rows.
fn side_of_square(rows: &[u64]) -> Option<u64> {
    let height = rows.iter().filter(|row| **row > 0).count() as u64;
    (is_rectangle(rows) && rows[0] == height).then_some(height)
}

impl Chomp {
    /// Every bite looked up in the table of the bar; nothing else may be on the board in misère play.
    fn replies_by_table(
        &self,
        rows: &Vec<u64>,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Bite>>, Stopped> {
        if matches!(goal, Goal::MisereLoss(beside) if beside != 0) {
            return Ok(None);
        }
        let Some(table) = chomp_table(rows, meter)? else {
            return Ok(None);
        };
        let mut replies = MoveList::default();
        for bite in self.moves(rows, Seat::First) {
            meter.work(1 + rows.len() as u64 / 8)?;
            let left = self.play(rows, &bite);
            let reaches = match goal {
                Goal::Value(value) => table.value(&left) == Some(value),
                Goal::MisereLoss(_) => {
                    let plies = table.remoteness(&left, true);
                    plies.is_some_and(|plies| is_lost(plies, true))
                }
            };
            if reaches {
                replies.push(want, || bite);
            }
        }
        Ok(Some(replies))
    }
}

impl Game for Chomp {
    type State = Vec<u64>;
    type Move = Bite;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Vec<u64>), NotationError> {
        if let Some(word) = parameters {
            let message = "chomp has no parameters";
            return word.refuse(
                NotationCode::BadGameCode,
                message,
                "a colon and the rows",
                EXAMPLE,
            );
        }
        let rows = read_heaps(state, EXAMPLE)?;
        if rows.len() > MAX_ROWS {
            let message = format!("{} rows are too many: {MAX_ROWS} are the limit", rows.len());
            let expected = format!("at most {MAX_ROWS} rows");
            return state.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
        }
        let longer = rows.windows(2).position(|pair| pair[0] < pair[1]);
        if let Some(place) = longer.and_then(|row| state.split(',').nth(row + 1)) {
            let message = format!("a row of {} is longer than the one before", place.shown());
            return place.refuse(
                NotationCode::BadPosition,
                message,
                "rows of which none is longer than the one before",
                EXAMPLE,
            );
        }
        Ok((Self, rows))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("chomp")
    }

    fn write_state(&self, rows: &Vec<u64>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, rows)
    }

    fn move_count(&self, rows: &Vec<u64>, _: Seat) -> u128 {
        let squares: u128 = rows.iter().map(|row| u128::from(*row)).sum();
        squares.saturating_sub(1)
    }

    fn nth_move(&self, rows: &Vec<u64>, _: Seat, mut n: u128) -> Option<Bite> {
        for (row, length) in (1..).zip(rows) {
            let first = first_column(row);
            let count = u128::from((length + 1).saturating_sub(first));
            if n < count {
                return Some(Bite {
                    row,
                    column: first + n as u64,
                });
            }
            n -= count;
        }
        None
    }

    fn read_move(&self, rows: &Vec<u64>, _: Seat, text: &str) -> Result<Bite, MoveError> {
        let mut letters = Letters::new(text);
        let start = letters.column();
        let row = letters.number()?;
        if letters.peek() != Some(':') {
            return Err(MoveError::at(
                letters.column(),
                "a square is written as row:column",
            ));
        }
        letters.skip();
        let column = letters.number()?;
        if letters.peek().is_some() {
            return Err(MoveError::at(letters.column(), "the move should end here"));
        }
        let row = usize::try_from(row).unwrap_or(usize::MAX);
        let length = row
            .checked_sub(1)
            .and_then(|row| rows.get(row))
            .copied()
            .unwrap_or(0);
        match (row, column) {
            (1, 1) => Err(MoveError::at(start, "the corner 1:1 may not be chosen")),
            _ if (1..=length).contains(&column) => Ok(Bite { row, column }),
            _ => Err(MoveError::at(
                start,
                format!("there is no square {row}:{column}"),
            )),
        }
    }

    fn play(&self, rows: &Vec<u64>, bite: &Bite) -> Vec<u64> {
        let mut after = rows.clone();
        for row in &mut after[bite.row - 1..] {
            *row = (*row).min(bite.column - 1);
        }
        after
    }

    fn describe(&self, rows: &Vec<u64>) -> String {
        let shown: Vec<String> = rows.iter().take(40).map(u64::to_string).collect();
        let more = if rows.len() > 40 { " ..." } else { "" };
        match rows.is_empty() {
            true => "no bar".to_owned(),
            false => format!("rows of {}{more}", shown.join(", ")),
        }
    }

    fn describe_move(&self, rows: &Vec<u64>, bite: &Bite, prefix: &str) -> String {
        let left = self.play(rows, bite);
        let gone = self.move_count(rows, Seat::First) - self.move_count(&left, Seat::First);
        format!("bit at {prefix}{bite}, taking {gone}")
    }

    /// Two arms each by itself, as a row; else without empty rows, and the smaller of the bar and its mirror image.
    fn parts(&self, rows: &Vec<u64>) -> Vec<Vec<u64>> {
        if let Some((right, down)) = arms(rows) {
            let arms = [right, down].into_iter().filter(|arm| *arm > 0);
            return arms.map(|arm| vec![arm + 1]).collect();
        }
        let bar: Vec<u64> = rows.iter().copied().take_while(|row| *row > 0).collect();
        let columns = bar.first().copied().unwrap_or(0);
        if columns > MIRRORED {
            return vec![bar];
        }
        let height = |column: u64| bar.iter().take_while(|row| **row >= column).count() as u64;
        let mirrored: Vec<u64> = (1..=columns).map(height).collect();
        vec![bar.min(mirrored)]
    }

    fn values(&self, rows: &Vec<u64>, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        Ok(match arms(rows) {
            Some((right, down)) => {
                let arms = [right, down].into_iter().filter(|arm| *arm > 0);
                arms.map(Some).collect()
            }
            None => {
                let table = chomp_table(rows, meter)?;
                vec![table.and_then(|table| table.value(rows))]
            }
        })
    }

    /// Arms are heaps of Nim.
    fn is_tame(&self, rows: &Vec<u64>) -> bool {
        arms(rows).is_some()
    }

    fn method(&self) -> &'static str {
        "bars within the bar, two rows or strategy stealing"
    }

    fn bytes(&self, rows: &Vec<u64>) -> u64 {
        rows.len() as u64 * 8
    }

    fn replies(
        &self,
        rows: &Vec<u64>,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Bite>>, Stopped> {
        let Some((right, down)) = arms(rows) else {
            return match two_rows(rows) {
                Some(rows) if goal == Goal::Value(0) => Ok(Some(replies_in_two(rows, want))),
                _ => self.replies_by_table(rows, goal, want, meter),
            };
        };
        let left = goal.of_one_part();
        let mut replies = MoveList::default();
        match part + usize::from(right == 0) {
            0 if left < right => replies.push(want, || Bite {
                row: 1,
                column: left + 2,
            }),
            1 if left < down => replies.push(want, || Bite {
                row: left as usize + 2,
                column: 1,
            }),
            _ => {}
        }
        Ok(Some(replies))
    }

    fn is_p_position(&self, rows: &Vec<u64>, end: EndRule) -> Option<bool> {
        match two_rows(rows) {
            Some((first, second)) if !end.is_misere() => Some(first == second + 1),
            _ => is_rectangle(rows).then_some(false),
        }
    }

    fn find_p_position(
        &self,
        rows: &Vec<u64>,
        end: EndRule,
        meter: &mut Meter<'_>,
    ) -> Result<Option<bool>, Stopped> {
        if let Some(lost) = self.is_p_position(rows, end) {
            return Ok(Some(lost));
        }
        let plies = self.find_remoteness(rows, end, meter)?;
        Ok(plies.map(|plies| is_lost(plies, end.is_misere())))
    }

    fn find_remoteness(
        &self,
        rows: &Vec<u64>,
        end: EndRule,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u64>, Stopped> {
        let table = chomp_table(rows, meter)?;
        Ok(table.and_then(|table| table.remoteness(rows, end.is_misere())))
    }

    fn facts(&self, rows: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        let mut facts = Vec::new();
        if let Some((right, down)) = arms(rows) {
            facts.push(GameFact::Arms { right, down });
        } else if let Some((first, second)) = two_rows(rows).filter(|_| !end.is_misere()) {
            facts.push(GameFact::TwoRows { first, second });
        } else if let Some(side) = side_of_square(rows).filter(|_| !end.is_misere()) {
            facts.push(GameFact::Square { side });
        } else if is_rectangle(rows) {
            facts.push(GameFact::Rectangle {
                rows: rows.iter().filter(|row| **row > 0).count() as u64,
                columns: rows[0],
            });
        }
        facts
    }

    /// In a square, the bite that leaves two equal arms.
    fn advised(&self, rows: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Option<Bite> {
        let side = side_of_square(rows).filter(|_| !end.is_misere());
        side.map(|_| Bite { row: 2, column: 2 })
    }

    fn explain(&self, rows: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        if let Some((right, down)) = arms(rows) {
            let mut lines = vec![format!(
                "Two arms beside the corner are two heaps of Nim: {right} ^ {down} = {}.",
                right ^ down
            )];
            lines.extend(misere_lines(&[Some(right), Some(down)], end));
            return lines;
        }
        if end.is_misere() {
            return vec![
                "Misere Chomp: no rule is known; all bars inside this one must be computed."
                    .to_owned(),
            ];
        }
        let mut lines = vec!["The value of a bar is the least number that no bite leaves; no rule is known for all bars.".to_owned()];
        if two_rows(rows).is_some() {
            lines.push("Two rows are lost if and only if the first is one longer than the second: every bite has an answer that restores this.".to_owned());
        }
        if is_rectangle(rows) {
            lines.push("A rectangle is always won: if biting the far corner lost, the winning answer to it would have been available as the first move.".to_owned());
            if side_of_square(rows).is_some() {
                lines.push("In a square, 2:2 leaves two equal arms.".to_owned());
            }
        }
        lines
    }

    fn explained_by_options(&self, rows: &Vec<u64>) -> bool {
        arms(rows).is_none()
    }
}
