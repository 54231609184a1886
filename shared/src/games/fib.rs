//! Fibonacci Nim: take from one heap, at most twice as many as were taken last.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::GameFact;
use crate::game::{EndRule, Game};
use crate::games::heaps::no_parameters;
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MAX_NUMBER, MoveError, NotationCode, NotationError, Word};
use crate::theory::{Goal, Meter, MoveList, Stopped, fibonacci};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "fib",
    title: "Fibonacci Nim",
    rule: "Take at least one stone, and at most twice as many as the move before took. The first move may take any number except the whole heap. The player who takes the last stone wins.",
    notation: "fib:13 is a new heap of 13 stones; fib:10/4 is a heap of 10 from which the next move takes at most 4",
    move_notation: "A-3 takes 3 stones",
    examples: &[
        "fib:10/4", "fib:8/7", "fib:13", "fib:1", "fib:11", "fib:6/6", "fib:12/3",
    ],
    example_move: "A-2",
    method: "the least part of the heap as a sum of nonconsecutive Fibonacci numbers; in sums a table of values",
    complexity: "O(log heap) alone; in sums O(heap^2) once",
    limits: "one heap of up to 10^18; values up to heap 4,096, unknown beyond",
    source: "M. J. Whinihan, Fibonacci Nim, 1963; E. Zeckendorf 1972",
    board: BoardKind::Heaps,
    read: erased::read::<Fib>,
};

/// The rules of Fibonacci Nim.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fib;

/// A heap, and how many may be taken now: no more than there are; `None` while it is fresh.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    heap: u64,
    quota: Option<u64>,
}

impl Heap {
    fn quota(&self) -> u64 {
        self.quota.unwrap_or(self.heap.saturating_sub(1))
    }

    fn without(&self, taken: u64) -> Self {
        let heap = self.heap - taken;
        Self {
            heap,
            quota: Some(heap.min(2 * taken)),
        }
    }
}

/// A move: how many are taken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Taken(u64);

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A-{}", self.0)
    }
}

impl Game for Fib {
    type State = Heap;
    type Move = Taken;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Heap), NotationError> {
        no_parameters(parameters, &INFO)?;
        let (bad, example) = (NotationCode::BadPosition, INFO.examples[0]);
        let (heap, quota) = match state.split_once('/') {
            None => (state, None),
            Some((heap, quota)) => (heap, Some(quota)),
        };
        let heap = heap.number("the heap", 0, MAX_NUMBER, bad, example)?;
        let read =
            |quota: Word<'_>| quota.number("the quota", heap.min(1), MAX_NUMBER, bad, example);
        let quota = quota.map(read).transpose()?.map(|quota| quota.min(heap));
        Ok((Self, Heap { heap, quota }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, state: &Heap, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match state.quota {
            None => write!(f, "{}", state.heap),
            Some(quota) => write!(f, "{}/{quota}", state.heap),
        }
    }

    fn move_count(&self, state: &Heap, _: Seat) -> u128 {
        u128::from(state.quota())
    }

    fn nth_move(&self, state: &Heap, seat: Seat, n: u128) -> Option<Taken> {
        (n < self.move_count(state, seat)).then(|| Taken(n as u64 + 1))
    }

    fn read_move(&self, state: &Heap, _: Seat, text: &str) -> Result<Taken, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let name = letters.take_while(|c| c.is_ascii_alphabetic());
        if !name.eq_ignore_ascii_case("A") {
            return Err(MoveError::at(column, "a move begins with A, the only heap"));
        }
        if letters.peek() == Some('-') {
            letters.skip();
        }
        let taken = letters.number()?;
        letters.end()?;
        match taken {
            0 => Err(MoveError::at(column, "at least 1 must be taken")),
            _ if taken > state.quota() => {
                let message = format!("at most {} may be taken now", state.quota());
                Err(MoveError::at(column, message))
            }
            _ => Ok(Taken(taken)),
        }
    }

    fn play(&self, state: &Heap, mv: &Taken) -> Heap {
        state.without(mv.0)
    }

    fn describe(&self, state: &Heap) -> String {
        format!("heap A {}, at most {} now", state.heap, state.quota())
    }

    fn describe_move(&self, state: &Heap, mv: &Taken, prefix: &str) -> String {
        let after = state.without(mv.0);
        format!(
            "took {} from {prefix}A, leaving {} and at most {} to take",
            mv.0,
            after.heap,
            after.quota()
        )
    }

    /// With its quota as a number; one that allows no move is as an empty heap.
    fn parts(&self, state: &Heap) -> Vec<Heap> {
        vec![match state.quota() {
            0 => Heap {
                heap: 0,
                quota: Some(0),
            },
            quota => Heap {
                heap: state.heap,
                quota: Some(quota),
            },
        }]
    }

    fn values(&self, state: &Heap, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let quota = state.quota();
        if fibonacci::is_lost(state.heap, quota, false) {
            return Ok(vec![Some(0)]);
        }
        Ok(vec![
            fibonacci::table(state.heap, meter).value(state.heap, quota),
        ])
    }

    fn method(&self) -> &'static str {
        "Zeckendorf parts"
    }

    fn is_p_position(&self, state: &Heap, end: EndRule) -> Option<bool> {
        Some(fibonacci::is_lost(
            state.heap,
            state.quota(),
            end.is_misere(),
        ))
    }

    fn replies(
        &self,
        state: &Heap,
        _: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taken>>, Stopped> {
        let mut replies = MoveList::default();
        let value = match goal {
            Goal::Value(0) | Goal::MisereLoss(_) => {
                let misere = goal != Goal::Value(0);
                for taken in fibonacci::winning(state.heap, state.quota(), misere) {
                    replies.push(want, || Taken(taken));
                }
                return Ok(Some(replies));
            }
            Goal::Value(value) => value,
        };
        let table = fibonacci::table(state.heap, meter);
        if table.value(state.heap, state.quota()).is_none() {
            return Ok(None);
        }
        meter.work(state.quota() / 8)?;
        for taken in 1..=state.quota() {
            if table.value(state.heap - taken, 2 * taken) == Some(value) {
                replies.push(want, || Taken(taken));
            }
        }
        Ok(Some(replies))
    }

    fn facts(&self, state: &Heap, end: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        let counted = state.heap - u64::from(end.is_misere() && state.heap > 0);
        vec![GameFact::Zeckendorf {
            counted,
            parts: fibonacci::zeckendorf(counted),
            quota: state.quota(),
        }]
    }

    fn explain(&self, state: &Heap, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let sum = |number: u64| {
            let parts: Vec<String> = fibonacci::zeckendorf(number)
                .iter()
                .map(u64::to_string)
                .collect();
            format!("{number} = {}", parts.join(" + "))
        };
        let counted = match end.is_misere() {
            false => state.heap,
            true => state.heap.saturating_sub(1),
        };
        let mut lines = vec![
            "Write the heap as a sum of Fibonacci numbers 1, 2, 3, 5, 8, 13, ... no two of them consecutive.".to_owned(),
            "A player who may take the least part wins by taking it: the opponent can then neither take the next part nor leave a heap whose own least part is out of reach.".to_owned(),
        ];
        if end.is_misere() {
            lines.push(
                "In misere play taking the last one loses: leave it out of the count.".to_owned(),
            );
        }
        lines.push(match fibonacci::zeckendorf(counted).last() {
            None => "  Only that last one is left.".to_owned(),
            Some(least) => format!(
                "  {}; the least part is {least}, at most {} may be taken.",
                sum(counted),
                state.quota()
            ),
        });
        if !end.is_misere()
            && let Ok(values) = self.values(state, meter)
            && let Some(Some(value)) = values.first()
        {
            lines.push(format!("  Its value in sums is {value}."));
        }
        lines
    }
}
