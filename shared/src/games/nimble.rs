//! Nimble: coins on squares, each moved down by itself. A coin on square n is a heap of n in Nim.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::PartKind;
use crate::game::{EndRule, Game};
use crate::games::heap_rule::HeapRule;
use crate::games::heaps::{no_parameters, read_heaps};
use crate::games::letters::Letters;
use crate::games::nim::Nim;
use crate::games::working::{misere_lines, value_lines};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word, write_list};
use crate::theory::{Goal, Meter, MoveList, Stopped};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "nimble",
    title: "Nimble",
    rule: "Move one coin to any square with a smaller number, over other coins or onto them. A coin on square 0 is home and stays there. The player who brings the last coin home wins.",
    notation: "nimble:0,3,5 has coins on squares 0, 3 and 5; a square may hold several coins; nimble:_ has no coins",
    move_notation: "5-2 moves a coin from square 5 to square 2",
    examples: &[
        "nimble:0,3,5",
        "nimble:4,4,1",
        "nimble:2,2,2",
        "nimble:6",
        "nimble:_",
    ],
    example_move: "5-2",
    method: "the xor of the squares; in misere play the same unless no coin is above square 1",
    complexity: "O(coins)",
    limits: "100,000 coins on squares up to 10^18",
    source: "E. Berlekamp, J. Conway, R. Guy, Winning Ways, 1982; C. L. Bouton 1901",
    board: BoardKind::Squares,
    read: erased::read::<Nimble>,
};

/// The rules of Nimble.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nimble;

/// A move: from one square to a lower one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slide {
    from: u64,
    to: u64,
}

impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl Slide {
    /// Reads `5-2`.
    fn read(text: &str) -> Result<(Self, usize), MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let from = letters.number()?;
        if letters.peek() != Some('-') {
            return Err(MoveError::at(
                letters.column(),
                "a hyphen and the square to move to are missing",
            ));
        }
        letters.skip();
        let to = letters.number()?;
        letters.end()?;
        Ok((Self { from, to }, column))
    }

    /// Reads the move of one of these coins to a lower square; gives the column as well.
    pub(crate) fn read_from(coins: &[u64], text: &str) -> Result<(Self, usize), MoveError> {
        let (slide, column) = Self::read(text)?;
        let Self { from, to } = slide;
        if !coins.contains(&from) {
            let message = format!("there is no coin on square {from}");
            return Err(MoveError::at(column, message));
        }
        if to >= from {
            let message = format!("a coin moves down: {to} is not below {from}");
            return Err(MoveError::at(column, message));
        }
        Ok((slide, column))
    }

    pub(crate) fn new(from: u64, to: u64) -> Self {
        Self { from, to }
    }

    /// The coins after the first of those on this square was moved.
    pub(crate) fn made(&self, coins: &[u64]) -> Vec<u64> {
        let mut after = coins.to_vec();
        if let Some(coin) = after.iter_mut().find(|coin| **coin == self.from) {
            *coin = self.to;
        }
        after
    }

    pub(crate) fn from(&self) -> u64 {
        self.from
    }

    pub(crate) fn to(&self) -> u64 {
        self.to
    }

    /// In words without a subject.
    pub(crate) fn told(&self) -> String {
        format!("moved a coin from {} to {}", self.from, self.to)
    }
}

/// The squares in words.
pub(crate) fn coins_text(coins: &[u64]) -> String {
    const SHOWN: usize = 40;
    let shown: Vec<String> = coins.iter().take(SHOWN).map(u64::to_string).collect();
    match coins.len() {
        0 => "no coins".to_owned(),
        1 => format!("a coin on square {}", shown[0]),
        count if count > SHOWN => {
            format!(
                "coins on squares {} and {} more",
                shown.join(", "),
                count - SHOWN
            )
        }
        _ => format!("coins on squares {}", shown.join(", ")),
    }
}

/// Each square that has a coin, in the order of the coins: coins that share a square have one list of moves.
fn squares(coins: &[u64]) -> impl Iterator<Item = u64> + '_ {
    let mut seen = FxHashSet::default();
    coins
        .iter()
        .copied()
        .filter(move |square| seen.insert(*square))
}

impl Game for Nimble {
    type State = Vec<u64>;
    type Move = Slide;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Vec<u64>), NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok((Self, read_heaps(state, INFO.examples[0])?))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, coins: &Vec<u64>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, coins)
    }

    fn move_count(&self, coins: &Vec<u64>, _: Seat) -> u128 {
        squares(coins).map(u128::from).sum()
    }

    fn nth_move(&self, coins: &Vec<u64>, _: Seat, mut n: u128) -> Option<Slide> {
        for square in squares(coins) {
            if n < u128::from(square) {
                return Some(Slide::new(square, square - 1 - n as u64));
            }
            n -= u128::from(square);
        }
        None
    }

    fn moves<'s>(&'s self, coins: &'s Vec<u64>, _: Seat) -> Box<dyn Iterator<Item = Slide> + 's> {
        Box::new(
            squares(coins).flat_map(|from| (0..from).rev().map(move |to| Slide::new(from, to))),
        )
    }

    fn read_move(&self, coins: &Vec<u64>, _: Seat, text: &str) -> Result<Slide, MoveError> {
        Slide::read_from(coins, text).map(|(slide, _)| slide)
    }

    fn play(&self, coins: &Vec<u64>, mv: &Slide) -> Vec<u64> {
        mv.made(coins)
    }

    fn describe(&self, coins: &Vec<u64>) -> String {
        coins_text(coins)
    }

    fn describe_move(&self, _: &Vec<u64>, mv: &Slide, _: &str) -> String {
        mv.told()
    }

    fn parts(&self, coins: &Vec<u64>) -> Vec<Vec<u64>> {
        coins.iter().map(|coin| vec![*coin]).collect()
    }

    fn part_name(&self, coins: &Vec<u64>, part: usize) -> String {
        coins[part].to_string()
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Coin
    }

    fn values(&self, coins: &Vec<u64>, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        Nim.values(coins, meter)
    }

    fn keeps_values(&self, _: &Vec<u64>) -> bool {
        true
    }

    fn method(&self) -> &'static str {
        "nim-sum"
    }

    /// A coin of value 0 is home.
    fn is_tame(&self, _: &Vec<u64>) -> bool {
        true
    }

    fn replies(
        &self,
        coins: &Vec<u64>,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Slide>>, Stopped> {
        let from = coins[part];
        meter.work(part as u64 / 1_024)?;
        if coins[..part].contains(&from) {
            return Ok(Some(MoveList::default()));
        }
        let replies = Nim.replies(from, goal, want, meter)?;
        Ok(replies.map(|replies| replies.map(|taking| Slide::new(from, taking.rest))))
    }

    fn remoteness(&self, coins: &Vec<u64>, end: EndRule) -> Option<u64> {
        Nim.remoteness(coins, end)
    }

    fn explain(&self, coins: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let values: Vec<Option<u64>> = coins.iter().copied().map(Some).collect();
        let mut lines = vec!["A coin on square n is a heap of n in Nim.".to_owned()];
        lines.extend(value_lines(
            coins,
            &values,
            |index| (index + 1).to_string(),
            |square| format!("square {square}"),
        ));
        lines.extend(misere_lines(&values, end));
        lines
    }
}
