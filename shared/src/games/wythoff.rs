//! Wythoff's game: take from one of two heaps, or the same from both.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::GameFact;
use crate::game::{EndRule, Game};
use crate::games::heaps::{no_parameters, read_heaps};
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::{Goal, Meter, MoveList, Stopped, golden, queen, queen_levels};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "wythoff",
    title: "Wythoff's game",
    rule: "Take any number of stones, at least one, from one of two heaps, or the same number from both. The player who takes the last stone wins.",
    notation: "wythoff:5,8 has heap A of 5 stones and heap B of 8",
    move_notation: "B-2 takes 2 stones from heap B; AB-3 takes 3 from A and 3 from B",
    examples: &[
        "wythoff:5,8",
        "wythoff:6,10",
        "wythoff:2,3",
        "wythoff:4,4",
        "wythoff:0,3",
        "wythoff:7,1",
    ],
    example_move: "AB-1",
    method: "golden-section pairs in exact integers; in sums a table of values, and beyond it the pairs of each small value row by row; in misere sums search",
    complexity: "O(1) alone; in sums (a+1)(b+1) cells of a table",
    limits: "heaps up to 10^18; in sums tables of 4,000,000 cells; beyond them, beside other components of value v, a smaller heap of up to 4,000,000 / (v + 1)",
    source: "W. A. Wythoff, A modification of the game of Nim, 1907; misere: A. S. Fraenkel 1984",
    board: BoardKind::Queen,
    read: erased::read::<Wythoff>,
};

/// The rules of Wythoff's game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Wythoff;

/// From which heaps a move takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum From {
    A,
    B,
    Both,
}

/// A move: so many from one heap or from both.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct QueenMove {
    from: From,
    taken: u64,
}

impl fmt::Display for QueenMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.from {
            From::A => "A",
            From::B => "B",
            From::Both => "AB",
        };
        write!(f, "{name}-{}", self.taken)
    }
}

const EXAMPLE: &str = "wythoff:5,8";

impl Game for Wythoff {
    type State = (u64, u64);
    type Move = QueenMove;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, (u64, u64)), NotationError> {
        no_parameters(parameters, &INFO)?;
        match read_heaps(state, EXAMPLE)?[..] {
            [a, b] => Ok((Self, (a, b))),
            ref heaps => {
                let message = format!("wythoff has two heaps, not {}", heaps.len());
                state.refuse(
                    NotationCode::BadPosition,
                    message,
                    "two heaps joined by a comma",
                    EXAMPLE,
                )
            }
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wythoff")
    }

    fn write_state(&self, (a, b): &(u64, u64), f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{a},{b}")
    }

    fn move_count(&self, (a, b): &(u64, u64), _: Seat) -> u128 {
        u128::from(*a) + u128::from(*b) + u128::from(*a.min(b))
    }

    fn nth_move(&self, (a, b): &(u64, u64), _: Seat, n: u128) -> Option<QueenMove> {
        let (a, b) = (u128::from(*a), u128::from(*b));
        let (from, index) = if n < a {
            (From::A, n)
        } else if n < a + b {
            (From::B, n - a)
        } else if n < a + b + a.min(b) {
            (From::Both, n - a - b)
        } else {
            return None;
        };
        Some(QueenMove {
            from,
            taken: index as u64 + 1,
        })
    }

    fn read_move(&self, (a, b): &(u64, u64), _: Seat, text: &str) -> Result<QueenMove, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let name = letters.take_while(|c| c.is_ascii_alphabetic());
        let from = match name.to_ascii_uppercase().as_str() {
            "A" => From::A,
            "B" => From::B,
            "AB" | "BA" => From::Both,
            _ => return Err(MoveError::at(column, "a move begins with A, B or AB")),
        };
        if letters.peek() == Some('-') {
            letters.skip();
        }
        let taken = letters.number()?;
        letters.end()?;
        let (most, heap) = match from {
            From::A => (*a, "heap A has"),
            From::B => (*b, "heap B has"),
            From::Both => (*a.min(b), "the smaller heap has"),
        };
        match taken {
            0 => Err(MoveError::at(column, "at least 1 must be taken")),
            _ if taken > most => {
                let message = format!("{heap} {most}: {taken} cannot be taken");
                Err(MoveError::at(column, message))
            }
            _ => Ok(QueenMove { from, taken }),
        }
    }

    fn play(&self, (a, b): &(u64, u64), mv: &QueenMove) -> (u64, u64) {
        match mv.from {
            From::A => (a - mv.taken, *b),
            From::B => (*a, b - mv.taken),
            From::Both => (a - mv.taken, b - mv.taken),
        }
    }

    fn describe(&self, (a, b): &(u64, u64)) -> String {
        format!("heaps A {a}, B {b}")
    }

    fn describe_move(&self, state: &(u64, u64), mv: &QueenMove, prefix: &str) -> String {
        let (a, b) = self.play(state, mv);
        let taken = mv.taken;
        match mv.from {
            From::A => format!("took {taken} from {prefix}A, leaving {a}"),
            From::B => format!("took {taken} from {prefix}B, leaving {b}"),
            From::Both => {
                format!("took {taken} from both {prefix}A and {prefix}B, leaving {a} and {b}")
            }
        }
    }

    fn parts(&self, (a, b): &(u64, u64)) -> Vec<(u64, u64)> {
        vec![(*a.min(b), *a.max(b))]
    }

    /// A lost pair is worth 0 however large it is; other values come from the table.
    fn values(
        &self,
        (a, b): &(u64, u64),
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<u64>>, Stopped> {
        if golden::is_lost(*a, *b, false) {
            return Ok(vec![Some(0)]);
        }
        let table = queen::table(*a, *b, meter)?;
        Ok(vec![table.and_then(|table| table.value(*a, *b))])
    }

    /// Small values are known of heaps far beyond the table.
    fn has_value(
        &self,
        (a, b): &(u64, u64),
        value: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<bool>, Stopped> {
        let levels = queen_levels::levels(value, *a.min(b), meter)?;
        Ok(levels.and_then(|levels| levels.has_value(*a, *b, value)))
    }

    fn method(&self) -> &'static str {
        "golden pairs"
    }

    fn is_p_position(&self, (a, b): &(u64, u64), end: EndRule) -> Option<bool> {
        Some(golden::is_lost(*a, *b, end.is_misere()))
    }

    fn replies(
        &self,
        state: &(u64, u64),
        _: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<QueenMove>>, Stopped> {
        match goal {
            Goal::Value(0) => Ok(Some(to_lost_pairs(*state, want, false))),
            Goal::MisereLoss(_) => Ok(Some(to_lost_pairs(*state, want, true))),
            Goal::Value(value) => {
                let table = queen::table(state.0, state.1, meter)?;
                let levels = match table {
                    Some(_) => None,
                    None => queen_levels::levels(value, state.0.min(state.1), meter)?,
                };
                if table.is_none() && levels.is_none() {
                    return Ok(None);
                }
                let has_value = |a: u64, b: u64| match (&table, &levels) {
                    (Some(table), _) => table.value(a, b) == Some(value),
                    (None, Some(levels)) => levels.has_value(a, b, value) == Some(true),
                    (None, None) => false,
                };
                let mut replies = MoveList::default();
                for mv in self.moves(state, Seat::First) {
                    meter.work(1)?;
                    let (a, b) = self.play(state, &mv);
                    if has_value(a, b) {
                        replies.push(want, || mv);
                    }
                }
                Ok(Some(replies))
            }
        }
    }

    fn facts(&self, (a, b): &(u64, u64), end: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        let misere = end.is_misere();
        let heaps = [*a.min(b), *a.max(b)];
        let (low, high) = golden::pair_of_difference(heaps[1] - heaps[0], misere);
        let lost = [low, high];
        let mut facts = vec![GameFact::GoldenPair {
            heaps,
            lost,
            golden: low == golden::lower(high - low),
        }];
        if lost != heaps {
            facts.extend(heaps.map(|heap| GameFact::GoldenPartner {
                heap,
                partner: golden::partner(heap, misere),
            }));
        }
        facts
    }

    fn explain(&self, state: &(u64, u64), end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let misere = end.is_misere();
        let (a, b) = (state.0.min(state.1), state.0.max(state.1));
        let mut lines = vec!["Losing pairs: number k is (floor(k x 1.618...), that plus k); no move leads from one to another.".to_owned()];
        if misere {
            lines.push(
                "In misere play (0,1) and (2,2) replace (0,0) and (1,2); the other pairs stay."
                    .to_owned(),
            );
        }
        let pairs = (0..8).map(|k| golden::pair_of_difference(k, misere));
        let pairs: Vec<String> = pairs.map(|(a, b)| format!("({a},{b})")).collect();
        lines.push(format!("  differences 0 to 7: {} ...", pairs.join(" ")));
        let (low, high) = golden::pair_of_difference(b - a, misere);
        lines.push(match (low, high) == (a, b) {
            true => format!(
                "  ({a},{b}) differs by {}: it is the losing pair of that difference.",
                b - a
            ),
            false => format!(
                "  ({a},{b}) differs by {}: the losing pair of that difference is ({low},{high}).",
                b - a
            ),
        });
        if (low, high) != (a, b) {
            for kept in [a, b] {
                let partner = golden::partner(kept, misere);
                lines.push(format!(
                    "  a heap of {kept} is lost together with one of {partner}."
                ));
            }
        }
        if !misere
            && let Ok(values) = self.values(state, meter)
            && let Some(Some(value)) = values.first()
        {
            lines.push(format!("  Its value in sums is {value}."));
        }
        lines
    }
}

/// The moves to losing pairs: one from each heap and one from both at most, since each line of moves holds one such pair.
fn to_lost_pairs((a, b): (u64, u64), want: usize, misere: bool) -> MoveList<QueenMove> {
    let mut replies = MoveList::default();
    if golden::is_lost(a, b, misere) {
        return replies;
    }
    let (low, _) = golden::pair_of_difference(a.abs_diff(b), misere);
    let ways = [
        (From::A, a, golden::partner(b, misere)),
        (From::B, b, golden::partner(a, misere)),
        (From::Both, a.min(b), low),
    ];
    for (from, heap, goal) in ways {
        if goal < heap {
            replies.push(want, || QueenMove {
                from,
                taken: heap - goal,
            });
        }
    }
    replies
}
