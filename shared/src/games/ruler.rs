//! Ruler: turn a run of neighbouring coins.
//!
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapter 14: a head is worth the largest power of
//! two that divides its place.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::HeadLaw;
use crate::games::coins::{CoinRule, Coins, MAX_COINS};
use crate::games::letters::Letters;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::fickle::Fickle;
use crate::theory::{Meter, MoveList, Stopped, coins};

const EXAMPLE: &str = "ruler:TTHTTHTH";

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "ruler",
    title: "Ruler",
    rule: "Turn over any number of coins that lie side by side, at most m if a number m follows the name. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.",
    notation: "ruler:TTHTTHTH is a row of eight coins; in ruler.5:THTTTTTH a move turns at most five; H is heads and T is tails (. is read as T)",
    move_notation: "2..4 turns coins 2 to 4, 4..4 turns coin 4; coins are counted from 1 at the left",
    examples: &[
        EXAMPLE,
        "ruler.5:THTTTTTH",
        "ruler.1:HHT",
        "ruler.3:TTHHTH",
        "ruler:HTHT",
    ],
    example_move: "2..3",
    method: "the xor of single heads; each has the value of the largest power of two that divides its place and does not exceed the longest run; misere play by the theory of tame games for runs of any length, otherwise by exhaustive search",
    complexity: "O(coins)",
    limits: "1,000,000 coins, runs of 1 to 1,000,000",
    source: "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 14",
    board: BoardKind::Coins,
    read: erased::read::<Coins<Ruler>>,
};

/// How long a run may be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ruler {
    /// `None`: any length.
    longest: Option<u32>,
}

/// A run, both ends included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    from: u32,
    to: u32,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.from, self.to)
    }
}

impl Ruler {
    fn most(&self) -> u32 {
        self.longest.unwrap_or(MAX_COINS as u32)
    }

    fn value(&self, coin: u32) -> u64 {
        coins::run_value(u64::from(coin), u64::from(self.most()))
    }
}

impl CoinRule for Ruler {
    type Turn = Run;

    fn parse(_: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        let what = "the length of the longest run";
        let read = |word: Word<'_>| {
            word.number(
                what,
                1,
                MAX_COINS as u64,
                NotationCode::BadGameCode,
                "ruler.5:THTTTTTH",
            )
        };
        let longest = parameters.map(read).transpose()?;
        Ok(Self {
            longest: longest.map(|longest| longest as u32),
        })
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ruler")?;
        self.longest
            .map_or(Ok(()), |longest| write!(f, ".{longest}"))
    }

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn count(&self, right: u32) -> u128 {
        u128::from(right.min(self.most()))
    }

    fn nth(&self, right: u32, n: u128) -> Run {
        Run {
            from: right - n as u32,
            to: right,
        }
    }

    fn turned(&self, turn: &Run) -> Vec<u32> {
        (turn.from..=turn.to).collect()
    }

    fn read(&self, text: &str) -> Result<Run, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let from = letters.number()?;
        let dots = letters.take_while(|c| c == '.');
        let to = match dots.is_empty() {
            true => from,
            false => letters.number()?,
        };
        if letters.peek().is_some() {
            return Err(MoveError::at(
                letters.column(),
                "a run is written as its ends, 2..4",
            ));
        }
        if from == 0 || from > to || to > MAX_COINS as u64 {
            return Err(MoveError::at(
                column,
                "a run goes from a coin to one not left of it",
            ));
        }
        let run = Run {
            from: from as u32,
            to: to as u32,
        };
        match run.to - run.from < self.most() {
            true => Ok(run),
            false => {
                let message = format!(
                    "the run has {} coins: {} are the most",
                    run.to - run.from + 1,
                    self.most()
                );
                Err(MoveError::at(column, message))
            }
        }
    }

    fn values(&self, heads: &[u32], meter: &mut Meter<'_>) -> Result<Option<Vec<u64>>, Stopped> {
        meter.work(heads.len() as u64 / 16)?;
        Ok(Some(heads.iter().map(|head| self.value(*head)).collect()))
    }

    /// The xor of a run is that of two beginnings of the row: the places of each beginning's xor are remembered.
    fn changing(
        &self,
        heads: &[u32],
        change: u64,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Run>>, Stopped> {
        let mut beginnings: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        beginnings.insert(0, vec![0]);
        let mut replies = MoveList::default();
        let mut xor = 0;
        let mut heads = heads.iter().copied().peekable();
        for coin in 1..=heads.clone().last().unwrap_or(0) {
            meter.work(1)?;
            xor ^= self.value(coin);
            if heads.next_if_eq(&coin).is_some()
                && let Some(places) = beginnings.get(&(xor ^ change))
            {
                let near = places.partition_point(|before| *before + self.most() < coin);
                let room = want - replies.first.len();
                let runs = places[near..].iter().rev().take(room);
                replies.first.extend(runs.map(|before| Run {
                    from: before + 1,
                    to: coin,
                }));
                replies.total += (places.len() - near) as u128;
            }
            beginnings.entry(xor).or_default().push(coin);
        }
        Ok(Some(replies))
    }

    /// Runs that are cut short can change the value by 1 in other ways.
    fn fickle(&self, coins: u32, _: &mut Meter<'_>) -> Result<Option<Fickle>, Stopped> {
        let fickle = Fickle::InPairs {
            key: |coin| match coin % 2 {
                0 => u64::from(coin),
                _ => 0,
            },
            when: "all heads are on odd places",
        };
        Ok((self.most() >= coins).then_some(fickle))
    }

    fn method(&self) -> &'static str {
        "single heads"
    }

    fn law(&self) -> HeadLaw {
        let most = self.longest.map(|longest| 1 << longest.ilog2());
        HeadLaw::PowerOfTwo { most }
    }
}
