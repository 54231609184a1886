//! Who wins a compound, from one number of each component.
//!
//! Smith, *Graphs and composite games* (1966); Conway, *On Numbers and Games* (1976), chapter 14. The books tell normal play; the rules of misère play are
//! proved in the same way, and every one of them is compared with plain recursion in `tests/theory/compounds.rs`.
//!
//! * *Every component* lasts as long as its longest component. The winner of that one wins: **the greatest suspense decides.** Who wins a component of greater
//!   suspense can hold it up until all components of smaller suspense that he loses are finished.
//! * *Conjunctive* play ends with its shortest component: **the least remoteness decides.**
//! * *Selective*, normal play: lost iff **every component is lost**; from there any move makes some components won, and the answer makes just these lost
//!   again. In misère play the same while two or more components have a move: the winner can always choose which one, won or lost in misère play, is left alone; with one left it is its own
//!   misère game; with none the player to move has won.
//! * *Short selective* play, nothing over yet: lost iff **every component is lost**, each by the end rule itself; for the winner never needs to end a component that he
//!   loses, and ends one that he wins.
//! * *Short sum*: see [`foreclosed`].
//! * *Until all are zero* (Jia Zhihao 2009, "SJ theorem"): a sum that is over once every component has nim-value 0. In normal play lost iff **the xor is 0**. In misère play, where the last move
//!   loses, lost iff **the xor is 0 and a value is above 1, or it is not 0 and none is.**
//!
//! The proof of the last law needs only that a move changes the value of exactly one component, and that from value v every smaller value can be reached but not v. How a
//! component splits does not matter, and values may go up. Normal play: a move from xor 0 leaves another xor; from another xor a move leaves 0, as in Nim, which wins if play is
//! then over. Misère play: when all values are 0, play is over, and the player to move has won: xor 0 and none above 1. Before that,
//! (1) xor 0 and none above 1: two values are 1 at least; making one of them 0 leaves xor 1 and none above 1, which is lost.
//! (2) xor not 0 and exactly one above 1: make it 0 or 1, so that an odd number of ones is left, which is lost. With two or more above 1: make the xor 0; one above 1 stays, which is lost.
//! (3) xor not 0 and none above 1: an odd number of ones. A move makes their number even, or a value larger than 1 the only such, so that the xor is not 0: both are won.
//! (4) xor 0 and one above 1: then two are above 1. A move leaves another xor and one above 1: won.

use super::compound::Compound;
use super::foreclosed::{self, HOT, OVER};
use super::mex;
use super::suspense::{is_lost, remoteness, suspense};

/// How the numbers of components decide a compound in an end rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Law {
    rule: Rule,
    misere: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    GreatestSuspense,
    LeastRemoteness,
    AllLost,
    /// While two have a move; then the last one alone.
    AllLostButLast,
    AllLostNoneOver,
    Foreclosed,
    /// In normal play the xor is 0; in misère play it is 0 just where a value is above 1.
    NimValues,
}

/// The numbers of some components, taken together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// A greatest or least number, an xor, or bits that say what was met.
    number: u64,
    /// Components that have a move: 0, 1 or more; counted by the rule that asks for it.
    alive: u8,
    /// Whether a component is over that ends the whole; by the rule of nim-values, whether one is above 1.
    over: bool,
}

/// What the selective law of misère play says of one component: bits of its number. A finished component is lost in normal play, won in misère play.
const LOST: u64 = 1;
const LOST_IN_MISERE: u64 = 2;
const ALIVE: u64 = 4;

impl Law {
    /// The law of this compound; `None` for `+`, whose law is that of [`Tally`](super::Tally).
    #[must_use]
    pub fn of(compound: Compound, misere: bool) -> Option<Self> {
        let rule = match compound {
            Compound::Sum => return None,
            Compound::Every => Rule::GreatestSuspense,
            Compound::Conjunctive => Rule::LeastRemoteness,
            Compound::Selective if misere => Rule::AllLostButLast,
            Compound::Selective => Rule::AllLost,
            Compound::ShortSelective => Rule::AllLostNoneOver,
            Compound::ShortSum => Rule::Foreclosed,
            Compound::UntilZero => Rule::NimValues,
        };
        Some(Self { rule, misere })
    }

    /// The number of a component whose options have these; of a finished one, from none.
    #[must_use]
    pub fn number(self, options: &[u64]) -> u64 {
        match self.rule {
            Rule::GreatestSuspense => suspense(options, self.misere),
            Rule::LeastRemoteness | Rule::AllLost | Rule::AllLostNoneOver => {
                remoteness(options, self.misere)
            }
            Rule::Foreclosed => foreclosed::value(options, self.misere),
            Rule::NimValues => mex(options),
            Rule::AllLostButLast if options.is_empty() => LOST,
            Rule::AllLostButLast => [LOST, LOST_IN_MISERE].into_iter().fold(ALIVE, |all, lost| {
                match options.iter().any(|option| option & lost != 0) {
                    true => all,
                    false => all | lost,
                }
            }),
        }
    }

    /// Whether the player to move loses a component with this number alone, in this end rule; of the selective law of misere play.
    #[must_use]
    pub fn is_p_position(self, number: u64, misere: bool) -> bool {
        number & if misere { LOST_IN_MISERE } else { LOST } != 0
    }

    /// Before any component is counted.
    #[must_use]
    pub fn start(self) -> Standing {
        let number = match self.rule {
            Rule::LeastRemoteness => u64::MAX,
            _ => 0,
        };
        Standing {
            number,
            alive: 0,
            over: false,
        }
    }

    /// With one more component, of this number.
    #[must_use]
    pub fn with(self, standing: Standing, number: u64) -> Standing {
        let before = standing.number;
        let won = u64::from(!is_lost(number, self.misere));
        match self.rule {
            Rule::GreatestSuspense => Standing {
                number: before.max(number),
                ..standing
            },
            Rule::LeastRemoteness => Standing {
                number: before.min(number),
                ..standing
            },
            Rule::AllLost => Standing {
                number: before | won,
                ..standing
            },
            Rule::AllLostNoneOver => Standing {
                number: before | won,
                over: standing.over || number == 0,
                ..standing
            },
            Rule::Foreclosed => Standing {
                number: match before == HOT || number == HOT {
                    true => HOT,
                    false => before ^ number,
                },
                over: standing.over || number == OVER,
                ..standing
            },
            Rule::NimValues => Standing {
                number: before ^ number,
                over: standing.over || number > 1,
                ..standing
            },
            Rule::AllLostButLast if number & ALIVE == 0 => standing,
            Rule::AllLostButLast => Standing {
                // Lost components so far, in each end rule; in misère play only the last one counts.
                number: match standing.alive {
                    0 => number & (LOST | LOST_IN_MISERE),
                    _ => before & number & LOST,
                },
                alive: (standing.alive + 1).min(2),
                ..standing
            },
        }
    }

    /// Whether the player to move loses, all components being counted.
    #[must_use]
    pub fn is_lost(self, standing: Standing) -> bool {
        let number = standing.number;
        match self.rule {
            Rule::NimValues if self.misere => (number == 0) == standing.over,
            Rule::NimValues => number == 0,
            _ if standing.over => !self.misere,
            Rule::GreatestSuspense | Rule::LeastRemoteness => is_lost(number, self.misere),
            Rule::AllLost | Rule::AllLostNoneOver | Rule::Foreclosed => number == 0,
            Rule::AllLostButLast => match standing.alive {
                0 => false,
                1 => number & LOST_IN_MISERE != 0,
                _ => number & LOST != 0,
            },
        }
    }

    /// The remoteness of the whole from the numbers of its components, where they tell it; `None` beyond 2^64 as well.
    ///
    /// Conjunctive: the least. Selective in normal play, from a lost position: the sum, because the loser moves in one component after the other and is answered
    /// in the same; from a won one all won components lose a ply at once. Short selective: the same, but of the lost components all except one stop short of
    /// their last plies, two in normal play, one in misère play.
    #[must_use]
    pub fn remoteness(self, numbers: &[u64]) -> Option<u64> {
        let least = numbers.iter().copied().min().unwrap_or(0);
        let spared = match self.rule {
            Rule::LeastRemoteness => return Some(least),
            Rule::AllLost => 0,
            Rule::AllLostNoneOver if least == 0 => return Some(0),
            Rule::AllLostNoneOver if least == 1 && !self.misere => return Some(1),
            Rule::AllLostNoneOver if self.misere => 1,
            Rule::AllLostNoneOver => 2,
            _ => return None,
        };
        let mut plies = spared;
        let mut first = 0;
        for number in numbers {
            let won = u64::from(!is_lost(*number, self.misere));
            first |= won;
            plies = number.checked_sub(won + spared)?.checked_add(plies)?;
        }
        plies.checked_add(first)
    }
}
