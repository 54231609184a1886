//! Euclid's game: subtract a multiple of the smaller number from the larger, until one is 0.
//!
//! Cole and Davie, *A game based on the Euclidean algorithm and a winning strategy for it* (1969). The values here are
//! those of the game that ends at 0; Nivasch's formula is of the game in which both numbers stay positive.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::GameFact;
use crate::game::{EndRule, Game};
use crate::games::heaps::{no_parameters, read_heaps};
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::{Goal, Meter, MoveList, Stopped, euclid};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "euclid",
    title: "Euclid's game",
    rule: "Subtract the smaller number from the larger, once or several times, without going below 0. Of two equal numbers, either counts as the larger. The player who makes a number 0 wins.",
    notation: "euclid:21,9 has the numbers A = 21 and B = 9; play ends when one of them is 0",
    move_notation: "A-18 subtracts 18, twice the smaller number, from A",
    examples: &[
        "euclid:21,9",
        "euclid:5,8",
        "euclid:6,6",
        "euclid:3,7",
        "euclid:0,4",
        "euclid:2,5",
    ],
    example_move: "A-18",
    method: "the golden ratio in exact integers; values by the quotients of Euclid's algorithm; single components in misere play by the same ratio, sums by search",
    complexity: "O(log of the numbers)",
    limits: "two numbers up to 10^18",
    source: "A. J. Cole, A. J. T. Davie, A game based on the Euclidean algorithm, 1969; G. Nivasch, The Sprague-Grundy function of the game Euclid, 2006",
    board: BoardKind::Heaps,
    read: erased::read::<Euclid>,
};

/// The rules of Euclid's game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Euclid;

/// A move: so much from one number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Subtraction {
    from_b: bool,
    taken: u64,
}

impl fmt::Display for Subtraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.from_b { "B" } else { "A" };
        write!(f, "{name}-{}", self.taken)
    }
}

/// How often the other number may be subtracted from A, and from B. Of two equal numbers either may be chosen.
fn quotients((a, b): (u64, u64)) -> (u64, u64) {
    match a.min(b) {
        0 => (0, 0),
        _ => (a / b, b / a),
    }
}

impl Game for Euclid {
    type State = (u64, u64);
    type Move = Subtraction;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, (u64, u64)), NotationError> {
        no_parameters(parameters, &INFO)?;
        match read_heaps(state, INFO.examples[0])?[..] {
            [a, b] => Ok((Self, (a, b))),
            ref numbers => state.refuse(
                NotationCode::BadPosition,
                format!("euclid has two numbers, here are {}", numbers.len()),
                "two numbers joined by a comma",
                INFO.examples[0],
            ),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, (a, b): &(u64, u64), f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{a},{b}")
    }

    fn move_count(&self, state: &(u64, u64), _: Seat) -> u128 {
        let (a, b) = quotients(*state);
        u128::from(a) + u128::from(b)
    }

    fn nth_move(&self, state: &(u64, u64), seat: Seat, n: u128) -> Option<Subtraction> {
        if n >= self.move_count(state, seat) {
            return None;
        }
        let (n, (times, _)) = (n as u64, quotients(*state));
        Some(match n < times {
            true => Subtraction {
                from_b: false,
                taken: (n + 1) * state.1,
            },
            false => Subtraction {
                from_b: true,
                taken: (n - times + 1) * state.0,
            },
        })
    }

    fn read_move(
        &self,
        (a, b): &(u64, u64),
        _: Seat,
        text: &str,
    ) -> Result<Subtraction, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let name = letters.take_while(|c| c.is_ascii_alphabetic());
        let from_b = match name.to_ascii_uppercase().as_str() {
            "A" => false,
            "B" => true,
            _ => return Err(MoveError::at(column, "a move begins with A or B")),
        };
        if letters.peek() == Some('-') {
            letters.skip();
        }
        let taken = letters.number()?;
        letters.end()?;
        let (own, other) = if from_b { (*b, *a) } else { (*a, *b) };
        let refuse = |why| Err(MoveError::at(column, why));
        match taken {
            _ if own < other || other == 0 => refuse("subtract from the larger number".to_owned()),
            _ if taken == 0 || !taken.is_multiple_of(other) => {
                refuse(format!("{taken} is not a positive multiple of {other}"))
            }
            _ if taken > own => refuse(format!("{own} is too small to subtract {taken}")),
            _ => Ok(Subtraction { from_b, taken }),
        }
    }

    fn play(&self, (a, b): &(u64, u64), mv: &Subtraction) -> (u64, u64) {
        match mv.from_b {
            false => (a - mv.taken, *b),
            true => (*a, b - mv.taken),
        }
    }

    fn describe(&self, (a, b): &(u64, u64)) -> String {
        format!("numbers A {a}, B {b}")
    }

    fn describe_move(&self, state: &(u64, u64), mv: &Subtraction, prefix: &str) -> String {
        let (a, b) = self.play(state, mv);
        let (name, left) = if mv.from_b { ("B", b) } else { ("A", a) };
        format!(
            "subtracted {} from {prefix}{name}, leaving {left}",
            mv.taken
        )
    }

    /// Without the greatest common divisor, smaller number first: the same moves, the same game.
    fn parts(&self, (a, b): &(u64, u64)) -> Vec<(u64, u64)> {
        let unit = euclid::gcd(*a, *b).max(1);
        vec![(a.min(b) / unit, a.max(b) / unit)]
    }

    fn values(&self, (a, b): &(u64, u64), _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        Ok(vec![Some(euclid::value(*a, *b))])
    }

    fn keeps_values(&self, _: &(u64, u64)) -> bool {
        true
    }

    fn method(&self) -> &'static str {
        "golden ratio and quotients"
    }

    fn is_p_position(&self, (a, b): &(u64, u64), end: EndRule) -> Option<bool> {
        Some(euclid::is_lost(*a, *b, end.is_misere()))
    }

    fn replies(
        &self,
        state: &(u64, u64),
        _: usize,
        goal: Goal,
        want: usize,
        _: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Subtraction>>, Stopped> {
        let (small, large) = (state.0.min(state.1), state.0.max(state.1));
        let mut replies = MoveList::default();
        let times = match (small, goal) {
            (0, _) => None,
            (_, Goal::Value(value)) => euclid::times_left(small, large, value),
            (_, Goal::MisereLoss(_)) => euclid::times_left_to_misere_loss(small, large),
        };
        if let Some(times) = times {
            let taken = small * (large / small - times);
            for from_b in [false, true] {
                let own = if from_b { state.1 } else { state.0 };
                if own == large {
                    replies.push(want, || Subtraction { from_b, taken });
                }
            }
        }
        Ok(Some(replies))
    }

    fn facts(&self, (a, b): &(u64, u64), _: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        let (small, large) = (*a.min(b), *a.max(b));
        vec![GameFact::Ratio {
            small,
            large,
            // Equal numbers are the case in which the end rule matters.
            above: !euclid::is_lost(small, large, true),
        }]
    }

    fn explain(&self, (a, b): &(u64, u64), end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        const SHOWN: usize = 12;
        let (mut small, mut large) = (*a.min(b), *a.max(b));
        let within = if euclid::is_lost(small, large, true) {
            "less"
        } else {
            "more"
        };
        let mut lines = vec![
            "If the quotient is 2 or more, there is a choice, and one of the two smallest results wins; if it is 1, there is no choice.".to_owned(),
            format!("So the player to move wins iff larger : smaller is above 1.618...; {large} : {small} is {within}."),
        ];
        match (small == large, end.is_misere()) {
            (true, false) => lines.push("Equal numbers also win at once.".to_owned()),
            (true, true) => {
                lines.push("Equal numbers lose in misere play: the only move ends it.".to_owned())
            }
            _ => {}
        }
        for _ in 0..SHOWN {
            if small == 0 {
                break;
            }
            let (quotient, rest) = (large / small, large % small);
            lines.push(format!(
                "  {large} = {quotient} x {small} + {rest}: value {}",
                euclid::value(small, large)
            ));
            (small, large) = (rest, small);
        }
        if end.is_misere() {
            lines.push("(values in normal play)".to_owned());
        }
        lines
    }
}
