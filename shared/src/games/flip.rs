//! Coin turning by numbers: Turtles, Mock Turtles, Twins and their kin.
//!
//! H. W. Lenstra, *Nim multiplication* (1977); E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapter 14.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::HeadLaw;
use crate::games::coins::{CoinRule, Coins};
use crate::games::heaps::no_parameters;
use crate::games::letters::Letters;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::fickle::Fickle;
use crate::theory::{Meter, MoveList, Stopped, coins};

/// The largest number of coins turned at once.
const MOST_TURNED: u64 = 64;

const EXAMPLE: &str = "flip.1.2:TTHTH";

/// What the registry says of rules given by their numbers, and all named ones have in common.
pub(crate) const BY_NUMBERS: GameInfo = GameInfo {
    name: "flip",
    title: "Coin turning",
    rule: "Turn over k coins of the row, adjacent or not, where k is one of the numbers after the name. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.",
    notation: "flip.1.2:TTHTH is a row of five coins, of which a move turns one or two; H is heads and T is tails (. is read as T)",
    move_notation: "4 turns coin 4; 2,4 turns coins 2 and 4; coins are counted from 1 at the left",
    examples: &[
        EXAMPLE,
        "flip.1.2.3:HHTH",
        "flip.2:HTHH",
        "flip.1.3:TTHHH",
        "flip.1:HHT",
        "flip.3:TTHHT",
        "flip.1.2.3.4.5:TTHTH",
    ],
    example_move: "1,3",
    method: "the xor of single heads by closed forms or a table; misere play by the theory of tame games where a check of the values allows it, otherwise by exhaustive search",
    complexity: "O(heads) for the value if the numbers are 1, 2, 1.2 or 1.2.3, otherwise a table over the coins; O(coins^(k-2)) for the winning moves that turn k",
    limits: "1,000,000 coins, numbers from 1 to 64; values of single heads below 2^20",
    source: "H. W. Lenstra, Nim multiplication, 1977; Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 14",
    board: BoardKind::Coins,
    read: erased::read::<Coins<Flip>>,
};

/// What the registry says of coin turning by numbers.
pub static INFO: GameInfo = BY_NUMBERS;

/// What the registry says of Turning Turtles.
pub static TURTLES: GameInfo = GameInfo {
    name: "turtles",
    title: "Turning Turtles",
    rule: "Turn over one or two coins of the row. The rightmost coin turned must go from heads to tails; the other may be turned either way. The player who makes the last move wins.",
    notation: "turtles:TTHTH is a row of five coins; the same game as flip.1.2; H is heads and T is tails (. is read as T)",
    examples: &[
        "turtles:TTHTH",
        "turtles:HTTHHT",
        "turtles:HH",
        "turtles:TTTTH",
    ],
    example_move: "1,3",
    method: "the value of a head is its place, as in Nim; misere play by the theory of tame games",
    complexity: "O(heads) for the value, O(coins) for the winning moves",
    limits: "1,000,000 coins",
    ..BY_NUMBERS
};

/// What the registry says of Mock Turtles.
pub static MOCK_TURTLES: GameInfo = GameInfo {
    name: "mockturtles",
    title: "Mock Turtles",
    rule: "Turn over one, two or three coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.",
    notation: "mockturtles:HHTH is a row of four coins; the same game as flip.1.2.3; H is heads and T is tails (. is read as T)",
    examples: &[
        "mockturtles:HHTH",
        "mockturtles:TTHHT",
        "mockturtles:THTHTH",
        "mockturtles:HHHHHHHH",
    ],
    example_move: "1,2,4",
    method: "the value of head n is the n-th number with an odd number of binary ones; misere play by the theory of tame games",
    complexity: "O(heads) for the value, O(coins^2) for the winning moves",
    limits: "1,000,000 coins",
    ..BY_NUMBERS
};

/// What the registry says of Moebius.
pub static MOEBIUS: GameInfo = GameInfo {
    name: "moebius",
    title: "Moebius",
    rule: "Turn over one to five coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.",
    notation: "moebius:TTHTH is a row of five coins; the same game as flip.1.2.3.4.5; H is heads and T is tails (. is read as T)",
    examples: &["moebius:TTHTH", "moebius:HHHTHH", "moebius:TTTTTH"],
    example_move: "1,2,5",
    ..BY_NUMBERS
};

/// What the registry says of Mogul.
pub static MOGUL: GameInfo = GameInfo {
    name: "mogul",
    title: "Mogul",
    rule: "Turn over one to seven coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.",
    notation: "mogul:TTHTH is a row of five coins; the same game as flip.1.2.3.4.5.6.7; H is heads and T is tails (. is read as T)",
    examples: &["mogul:TTHTH", "mogul:HTTHTHT", "mogul:HHTHHTH"],
    example_move: "2,3",
    ..BY_NUMBERS
};

/// What the registry says of Moidores.
pub static MOIDORES: GameInfo = GameInfo {
    name: "moidores",
    title: "Moidores",
    rule: "Turn over one to nine coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.",
    notation: "moidores:TTHTH is a row of five coins; the same game as flip.1.2.3.4.5.6.7.8.9; H is heads and T is tails (. is read as T)",
    examples: &["moidores:TTHTH", "moidores:HTTHTHT", "moidores:THHTHHH"],
    example_move: "5",
    ..BY_NUMBERS
};

/// What the registry says of Twins.
pub static TWINS: GameInfo = GameInfo {
    name: "twins",
    title: "Twins",
    rule: "Turn over two coins of the row. The right one must go from heads to tails; the left one may be turned either way. The player who makes the last move wins.",
    notation: "twins:HTHH is a row of four coins; the same game as flip.2; H is heads and T is tails (. is read as T)",
    examples: &["twins:HTHH", "twins:HHTTH", "twins:H", "twins:THTHHT"],
    move_notation: "2,4 turns coins 2 and 4; coins are counted from 1 at the left",
    example_move: "2,4",
    method: "the value of a head is the number of coins to its left; misere play by the theory of tame games",
    complexity: "O(heads) for the value, O(coins) for the winning moves",
    limits: "1,000,000 coins",
    ..BY_NUMBERS
};

/// The rules that have a name of their own.
const NAMED: [(&GameInfo, &[u32]); 6] = [
    (&TURTLES, &[1, 2]),
    (&MOCK_TURTLES, &[1, 2, 3]),
    (&MOEBIUS, &[1, 2, 3, 4, 5]),
    (&MOGUL, &[1, 2, 3, 4, 5, 6, 7]),
    (&MOIDORES, &[1, 2, 3, 4, 5, 6, 7, 8, 9]),
    (&TWINS, &[2]),
];

/// How many coins may be turned at once, ascending, and the name under which this was asked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Flip {
    info: &'static GameInfo,
    counts: Vec<u32>,
}

/// The coins turned, ascending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turned(Vec<u32>);

impl fmt::Display for Turned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &self.0)
    }
}

impl Turned {
    /// These coins, ascending.
    pub(crate) fn new(coins: Vec<u32>) -> Self {
        Self(coins)
    }

    /// Reads `2,4`, in any order.
    pub(crate) fn read(text: &str) -> Result<Self, MoveError> {
        let mut letters = Letters::new(text);
        let mut turned = Vec::new();
        loop {
            let column = letters.column();
            let coin = letters.number()?;
            let coin = u32::try_from(coin).ok().filter(|coin| *coin > 0);
            turned.push(coin.ok_or_else(|| MoveError::at(column, "there is no such coin"))?);
            match letters.peek() {
                None => break,
                Some(',') => letters.skip(),
                Some(_) => {
                    return Err(MoveError::at(
                        letters.column(),
                        "coins are joined by commas",
                    ));
                }
            }
        }
        turned.sort_unstable();
        match turned.windows(2).any(|pair| pair[0] == pair[1]) {
            true => Err(MoveError::at(1, "a coin is named twice")),
            false => Ok(Self(turned)),
        }
    }

    /// The coins, ascending.
    pub(crate) fn coins(&self) -> &[u32] {
        &self.0
    }
}

impl CoinRule for Flip {
    type Turn = Turned;

    fn parse(name: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        if let Some((info, counts)) = NAMED.iter().find(|(info, _)| info.name == name.text) {
            no_parameters(parameters, info)?;
            return Ok(Self {
                info,
                counts: counts.to_vec(),
            });
        }
        let mut counts = Vec::new();
        for word in parameters.unwrap_or_else(|| name.end()).split('.') {
            let what = "the number of coins turned";
            counts.push(
                word.number(what, 1, MOST_TURNED, NotationCode::BadGameCode, EXAMPLE)? as u32,
            );
        }
        counts.sort_unstable();
        counts.dedup();
        let info = &INFO;
        Ok(Self { info, counts })
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.name)?;
        let by_numbers = self.info == &INFO;
        let mut counts = self.counts.iter().filter(|_| by_numbers);
        counts.try_for_each(|count| write!(f, ".{count}"))
    }

    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn count(&self, right: u32) -> u128 {
        let counts = self.counts.iter().map(|count| choose(right - 1, count - 1));
        counts.fold(0, u128::saturating_add)
    }

    fn nth(&self, right: u32, mut n: u128) -> Turned {
        let mut turned = Vec::new();
        for count in &self.counts {
            let ways = choose(right - 1, count - 1);
            if n >= ways {
                n -= ways;
                continue;
            }
            let mut coin = 1;
            let mut more = count - 1;
            while more > 0 {
                let with_coin = choose(right - 1 - coin, more - 1);
                if n < with_coin {
                    turned.push(coin);
                    more -= 1;
                } else {
                    n -= with_coin;
                }
                coin += 1;
            }
            break;
        }
        turned.push(right);
        Turned(turned)
    }

    fn turned(&self, turn: &Turned) -> Vec<u32> {
        turn.0.clone()
    }

    fn read(&self, text: &str) -> Result<Turned, MoveError> {
        let turn = Turned::read(text)?;
        let turned = turn.coins().len();
        match self.counts.contains(&(turned as u32)) {
            true => Ok(turn),
            false => {
                let counts: Vec<String> = self.counts.iter().map(u32::to_string).collect();
                let coins = if turned == 1 { "coin is" } else { "coins are" };
                let message = format!(
                    "{turned} {coins} turned: it must be {}",
                    counts.join(" or ")
                );
                Err(MoveError::at(1, message))
            }
        }
    }

    fn values(&self, heads: &[u32], meter: &mut Meter<'_>) -> Result<Option<Vec<u64>>, Stopped> {
        let coins = heads.last().copied().unwrap_or(0) as usize;
        let table = coins::count_values(&self.counts, coins, meter)?;
        Ok(heads
            .iter()
            .map(|head| table.get(*head as usize - 1).copied())
            .collect())
    }

    fn changing(
        &self,
        heads: &[u32],
        change: u64,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Turned>>, Stopped> {
        let coins = heads.last().copied().unwrap_or(0) as usize;
        let table = coins::count_values(&self.counts, coins, meter)?;
        if table.len() < coins {
            return Ok(None);
        }
        let mut places: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for (value, coin) in table.iter().zip(1..=coins as u32) {
            places.entry(*value).or_default().push(coin);
        }
        let mut finder = Finder {
            table: &table,
            places,
            want,
            replies: MoveList::default(),
        };
        for right in heads {
            let need = change ^ table[*right as usize - 1];
            for count in &self.counts {
                finder.add(&mut Vec::new(), *right, count - 1, need, meter)?;
            }
        }
        Ok(Some(finder.replies))
    }

    fn fickle(&self, coins: u32, meter: &mut Meter<'_>) -> Result<Option<Fickle>, Stopped> {
        Ok(match self.counts[..] {
            [2] => Some(Fickle::InPairs {
                key: |coin| u64::from(coin - 1) / 2,
                when: "coins 3 and 4 show the same side, coins 5 and 6 as well, and so on",
            }),
            [1, 2] => Some(Fickle::InPairs {
                key: |coin| u64::from(coin) / 2,
                when: "coins 2 and 3 show the same side, coins 4 and 5 as well, and so on",
            }),
            _ => {
                let fickle = coins::are_fickle(&self.counts, coins as usize, meter)?;
                fickle.then_some(Fickle::ByValue)
            }
        })
    }

    fn method(&self) -> &'static str {
        "single heads"
    }

    fn law(&self) -> HeadLaw {
        match self.counts[..] {
            [1] => HeadLaw::One {},
            [2] => HeadLaw::PlaceLessOne {},
            [1, 2] => HeadLaw::Place {},
            [1, 2, 3] => HeadLaw::Odious {},
            _ => HeadLaw::Mex {
                others: self.counts.iter().map(|count| count - 1).collect(),
            },
        }
    }
}

/// Looks for coins whose values have a given xor.
struct Finder<'t> {
    table: &'t [u64],
    /// The coins of each value, ascending.
    places: FxHashMap<u64, Vec<u32>>,
    want: usize,
    replies: MoveList<Turned>,
}

impl Finder<'_> {
    /// Adds the moves that turn `more` coins between the last of `turned` and `right`, with this xor. No deeper than
    /// the number of coins turned at once.
    fn add(
        &mut self,
        turned: &mut Vec<u32>,
        right: u32,
        more: u32,
        need: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        meter.work(1)?;
        let last = turned.last().copied().unwrap_or(0);
        match more {
            0 if need == 0 => {
                let all = turned.iter().copied().chain([right]);
                self.replies.push(self.want, || Turned(all.collect()));
            }
            0 => {}
            1 => {
                let Some(places) = self.places.get(&need) else {
                    return Ok(());
                };
                let from = places.partition_point(|coin| *coin <= last);
                let to = places.partition_point(|coin| *coin < right);
                let room = self.want - self.replies.first.len();
                for coin in places[from..to.max(from)].iter().take(room) {
                    let all = turned.iter().copied().chain([*coin, right]);
                    self.replies.first.push(Turned(all.collect()));
                }
                let found = to.saturating_sub(from) as u128;
                self.replies.total = self.replies.total.saturating_add(found);
            }
            _ => {
                for coin in last + 1..right {
                    turned.push(coin);
                    self.add(
                        turned,
                        right,
                        more - 1,
                        need ^ self.table[coin as usize - 1],
                        meter,
                    )?;
                    turned.pop();
                }
            }
        }
        Ok(())
    }
}

/// How many ways there are to choose so many of so many: exact, saturating.
fn choose(of: u32, many: u32) -> u128 {
    if many > of {
        return 0;
    }
    let mut ways: u128 = 1;
    for step in 1..=u128::from(many.min(of - many)) {
        let factor = u128::from(of) + 1 - step;
        let common = gcd(ways, step);
        let Some(next) = (ways / common).checked_mul(factor / (step / common)) else {
            return u128::MAX;
        };
        ways = next;
    }
    ways
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
