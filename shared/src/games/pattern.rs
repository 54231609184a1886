//! Coin turning by patterns: three coins equally far apart (Turnips), or four in mirror image that begin with the first of the row (Grunt).
//!
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapter 14. Grunt is [Grundy's game](super::grundy): a head with n coins to its left is a
//! heap of n, which a move splits into two different heaps, and the first coin is worth nothing.

use std::fmt;
use std::sync::LazyLock;

use crate::erased::{self, GameInfo};
use crate::fact::HeadLaw;
use crate::games::coins::{CoinRule, Coins};
use crate::games::flip::{self, Turned};
use crate::games::heaps::no_parameters;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::take_and_break::{self, Rule};
use crate::theory::{Meter, MoveList, Stopped, coins};

/// What both have in common.
const COMMON: GameInfo = GameInfo {
    complexity: "O(coins) for the value, O(heads x coins) for the winning moves",
    limits: "1,000,000 coins",
    source: "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 14",
    read: erased::read::<Coins<Pattern>>,
    ..flip::BY_NUMBERS
};

/// What the registry says of Turnips.
pub static TURNIPS: GameInfo = GameInfo {
    name: "turnips",
    title: "Turnips",
    rule: "Turn over three equally spaced coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.",
    notation: "turnips:TTHTH is a row of five coins; H is heads and T is tails (. is read as T)",
    move_notation: "1,3,5 turns coins 1, 3 and 5; coins are counted from 1 at the left",
    examples: &[
        "turnips:TTHTH",
        "turnips:TTTTHHH",
        "turnips:HH",
        "turnips:HTHHTH",
    ],
    example_move: "1,3,5",
    method: "the value of a head depends on the lowest 2 in base 3 of the number of coins to its left; misere play by exhaustive search",
    ..COMMON
};

/// What the registry says of Grunt.
pub static GRUNT: GameInfo = GameInfo {
    name: "grunt",
    title: "Grunt",
    rule: "Turn over four coins of the row that lie symmetrically: coin 1, a last coin, and two coins between them, one as far from coin 1 as the other from the last. The last of the four must go from heads to tails; the others may be turned either way. The player who makes the last move wins.",
    notation: "grunt:TTTHTH is a row of six coins; H is heads and T is tails (. is read as T)",
    move_notation: "1,3,4,6 turns coins 1, 3, 4 and 6; coins are counted from 1 at the left",
    examples: &[
        "grunt:TTTHTH",
        "grunt:TTTTTTHH",
        "grunt:HHH",
        "grunt:TTTHHTH",
    ],
    example_move: "1,3,4,6",
    method: "a head with n coins to its left has the value of a heap of n in Grundy's game; misere play by exhaustive search",
    ..COMMON
};

/// Grundy's game.
static UNEQUAL_SPLIT: LazyLock<Rule> = LazyLock::new(Rule::unequal_split);

/// Which coins are turned together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// Three, equally far apart.
    EquallySpaced,
    /// Four in mirror image, the leftmost being the first of the row.
    Symmetric,
}

impl Pattern {
    /// The coins of move number `n` with this right end.
    fn coins(self, right: u32, n: u32) -> Vec<u32> {
        match self {
            Self::EquallySpaced => {
                let distance = self.ways(right) - n;
                vec![right - 2 * distance, right - distance, right]
            }
            Self::Symmetric => vec![1, 2 + n, right - 1 - n, right],
        }
    }

    /// How many moves have this right end.
    fn ways(self, right: u32) -> u32 {
        match self {
            Self::EquallySpaced => (right - 1) / 2,
            Self::Symmetric => right.saturating_sub(2) / 2,
        }
    }

    /// The values of heads at places 1 to `coins`, fewer where a table ends.
    fn table(self, coins: u32, meter: &mut Meter<'_>) -> Result<Vec<u64>, Stopped> {
        meter.work(u64::from(coins) / 16)?;
        let left = 0..u64::from(coins);
        Ok(match self {
            Self::EquallySpaced => left.map(coins::equally_spaced_value).collect(),
            Self::Symmetric => {
                let heaps = take_and_break::table(&UNEQUAL_SPLIT, u64::from(coins), meter);
                left.map_while(|heap| heaps.value(heap)).collect()
            }
        })
    }
}

impl CoinRule for Pattern {
    type Turn = Turned;

    fn parse(name: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        let pattern = match name.text == TURNIPS.name {
            true => Self::EquallySpaced,
            false => Self::Symmetric,
        };
        no_parameters(parameters, pattern.info())?;
        Ok(pattern)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }

    fn info(&self) -> &'static GameInfo {
        match self {
            Self::EquallySpaced => &TURNIPS,
            Self::Symmetric => &GRUNT,
        }
    }

    fn count(&self, right: u32) -> u128 {
        self.ways(right).into()
    }

    fn nth(&self, right: u32, n: u128) -> Turned {
        Turned::new(self.coins(right, n as u32))
    }

    fn turned(&self, turn: &Turned) -> Vec<u32> {
        turn.coins().to_vec()
    }

    fn read(&self, text: &str) -> Result<Turned, MoveError> {
        let turn = Turned::read(text)?;
        let (is_of_pattern, wanted) = match (self, turn.coins()) {
            (Self::EquallySpaced, [a, b, c]) => (b - a == c - b, "three coins equally far apart"),
            (Self::EquallySpaced, _) => (false, "three coins equally far apart"),
            (Self::Symmetric, [first, a, b, last]) => (
                *first == 1 && a - 1 == last - b,
                "four coins in mirror image, the first coin of the row among them",
            ),
            (Self::Symmetric, _) => (false, "four coins in mirror image"),
        };
        match is_of_pattern {
            true => Ok(turn),
            false => Err(MoveError::at(1, format!("a move turns {wanted}"))),
        }
    }

    fn values(&self, heads: &[u32], meter: &mut Meter<'_>) -> Result<Option<Vec<u64>>, Stopped> {
        let table = self.table(heads.last().copied().unwrap_or(0), meter)?;
        let value = |head: &u32| table.get(*head as usize - 1).copied();
        Ok(heads.iter().map(value).collect())
    }

    fn changing(
        &self,
        heads: &[u32],
        change: u64,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Turned>>, Stopped> {
        let last = heads.last().copied().unwrap_or(0);
        let table = self.table(last, meter)?;
        if table.len() < last as usize {
            return Ok(None);
        }
        let mut replies = MoveList::default();
        for right in heads {
            let ways = self.ways(*right);
            meter.work(u64::from(ways) / 4)?;
            for n in 0..ways {
                let coins = self.coins(*right, n);
                let values = coins.iter().map(|coin| table[*coin as usize - 1]);
                if values.fold(0, |xor, value| xor ^ value) == change {
                    replies.push(want, || Turned::new(coins));
                }
            }
        }
        Ok(Some(replies))
    }

    fn method(&self) -> &'static str {
        "single heads"
    }

    fn law(&self) -> HeadLaw {
        match self {
            Self::EquallySpaced => HeadLaw::BaseThree {},
            Self::Symmetric => HeadLaw::Splits {},
        }
    }
}
