//! The splitting game: replace a heap by two smaller ones, which may be empty.

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::HeapReason;
use crate::game::EndRule;
use crate::games::heap_rule::{HeapRule, Taking};
use crate::games::heaps::{Heaps, no_parameters};
use crate::games::working::{misere_lines, value_lines};
use crate::notation::{NotationError, Word, heap_name};
use crate::theory::{Goal, Meter, MoveList, Stopped, odious};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "split",
    title: "Splitting game",
    rule: "Replace one heap by two heaps, each with fewer stones than it had. Either may be empty, and together they may have more stones than the heap had. The player who makes the last move wins.",
    notation: "split:3,2 has heaps of 3 and 2 stones",
    move_notation: "A/0,3 replaces heap A by an empty heap and a heap of 3",
    examples: &[
        "split:3,2",
        "split:3",
        "split:1,1,2",
        "split:2,0",
        "split:1,3",
    ],
    example_move: "A/1,2",
    method: "the value of heap n is the n-th number with an odd number of binary ones; values are added by xor",
    complexity: "O(heaps)",
    limits: "100,000 heaps of up to 10^18",
    source: "E. Berlekamp, J. Conway, R. Guy, Winning Ways, 1982, chapter 14 (Mock Turtles)",
    board: BoardKind::Heaps,
    read: erased::read::<Heaps<Split>>,
};

/// The rule "replace by two smaller heaps".
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Split;

/// How many pairs a <= b < `heap` have a smaller part below `a`.
fn pairs_below(a: u64, heap: u64) -> u128 {
    let (a, heap) = (u128::from(a), u128::from(heap));
    a * heap - a * a.saturating_sub(1) / 2
}

impl HeapRule for Split {
    const HAS_FORMULA: bool = true;
    const REPLACES: bool = true;

    fn parse(_: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok(Self)
    }

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn count(&self, heap: u64) -> u128 {
        pairs_below(heap, heap)
    }

    fn nth(&self, heap: u64, n: u128) -> Taking {
        let (mut low, mut high) = (0, heap - 1);
        while low < high {
            let middle = (low + high).div_ceil(2);
            match pairs_below(middle, heap) <= n {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        let offset = n - pairs_below(low, heap);
        Taking::replacing(&[low, low + offset as u64])
    }

    fn objection(&self, heap: u64, taking: &Taking) -> Option<String> {
        match (taking.taken, &taking.split[..]) {
            (None, [_, b]) if *b < heap => None,
            (None, [_, _]) => Some(format!("has {heap}: both new heaps must be smaller")),
            _ => Some("must be replaced by two heaps".to_owned()),
        }
    }

    fn values(&self, heaps: &[u64], _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        Ok(heaps
            .iter()
            .map(|heap| Some(odious::value(*heap)))
            .collect())
    }

    fn method(&self) -> &'static str {
        "odious numbers"
    }

    /// By the conditions of [`Tally`](crate::theory::Tally): (a) a heap of value 0 is empty; (b) a heap of value 1 is 1 and can only become 0,0; (c)
    /// a larger heap can become 0,0 and 0,1.
    fn is_tame(&self) -> bool {
        true
    }

    fn replies(
        &self,
        heap: u64,
        goal: Goal,
        want: usize,
        _: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taking>>, Stopped> {
        let pairs = match goal {
            Goal::Value(value) => odious::pairs_of_value(heap, value, want),
            Goal::MisereLoss(beside) => lost_beside(heap, beside, want),
        };
        Ok(Some(pairs.map(|(a, b)| Taking::replacing(&[a, b]))))
    }

    fn reason(&self, _: u64, _: &mut Meter<'_>) -> Option<HeapReason> {
        Some(HeapReason::Odious {})
    }

    fn explain(&self, heaps: &[u64], end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let values: Vec<Option<u64>> = heaps
            .iter()
            .map(|heap| Some(odious::value(*heap)))
            .collect();
        let first: Vec<String> = (0..12)
            .map(|heap| odious::value(heap).to_string())
            .collect();
        let mut lines = vec![
            "The value of heap n is the n-th number with an odd number of binary ones; the xor of two such numbers is never another.".to_owned(),
            format!("values {} ...", first.join(" ")),
        ];
        lines.extend(value_lines(heaps, &values, heap_name, |heap| {
            format!("{:b} in binary", odious::value(heap))
        }));
        lines.extend(misere_lines(&values, end));
        lines
    }
}

/// The pairs that lose in misère play beside parts of value at most 1: none above 1 and the whole xor 1, or one above 1 and xor 0.
fn lost_beside(heap: u64, beside: u64, want: usize) -> MoveList<(u64, u64)> {
    let small = [(0, 0), (0, 1), (1, 1)];
    let mut replies = MoveList::default();
    for (a, b) in small {
        if b < heap && a ^ b == beside ^ 1 {
            replies.push(want, || (a, b));
        }
    }
    let mut large = odious::pairs_of_value(heap, beside, want + small.len());
    let wrong = small.iter().filter(|(a, b)| *b < heap && a ^ b == beside);
    large.total -= wrong.count() as u128;
    large.first.retain(|pair| !small.contains(pair));
    large.first.truncate(want - replies.first.len());
    replies.append(large);
    replies
}
