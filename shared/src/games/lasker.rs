//! Lasker's game: take any number from a heap, or split it in two.

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::HeapReason;
use crate::game::EndRule;
use crate::games::heap_rule::{HeapRule, Taking};
use crate::games::heaps::{Heaps, no_parameters};
use crate::games::working::{misere_lines, value_lines};
use crate::notation::{NotationError, Word, heap_name};
use crate::theory::{Goal, Meter, MoveList, Stopped, lasker};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "lasker",
    title: "Lasker's game",
    rule: "Take any number of stones, at least one, from one heap, or split one heap into two nonempty heaps. The player who makes the last move wins.",
    notation: "lasker:3,4 has heaps of 3 and 4 stones",
    move_notation: "A-2 takes 2 stones from heap A; A/2,5 splits heap A into heaps of 2 and 5",
    examples: &[
        "lasker:3,4",
        "lasker:7",
        "lasker:4,1,1",
        "lasker:1,1,1",
        "lasker:5,0,2",
    ],
    example_move: "A/1,2",
    method: "the size of each heap, 4k+3 and 4k+4 exchanged, added by xor",
    complexity: "O(heaps)",
    limits: "100,000 heaps of up to 10^18",
    source: "E. Lasker, Brettspiele der Voelker, 1931",
    board: BoardKind::Heaps,
    read: erased::read::<Heaps<Lasker>>,
};

/// The rule "take or split in two".
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lasker;

impl HeapRule for Lasker {
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
        u128::from(heap) + u128::from(heap / 2)
    }

    fn nth(&self, heap: u64, n: u128) -> Taking {
        let n = n as u64;
        match n.checked_sub(heap) {
            None => Taking::leaving(heap, heap - 1 - n),
            Some(split) => Taking::replacing(&[split + 1, heap - split - 1]),
        }
    }

    fn objection(&self, heap: u64, taking: &Taking) -> Option<String> {
        match (taking.taken, &taking.split[..]) {
            (Some(0), []) => Some("must give at least 1, or be split".to_owned()),
            (Some(_), []) => None,
            (None, [a, b]) if *a > 0 && u128::from(*a) + u128::from(*b) == u128::from(heap) => None,
            (None, [_, _]) => Some(format!(
                "has {heap}: the two heaps must not be empty and together be {heap}"
            )),
            (None, _) => Some("can be split in two heaps only".to_owned()),
            (Some(_), _) => Some("is either split or taken from, not both".to_owned()),
        }
    }

    fn values(&self, heaps: &[u64], _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        Ok(heaps
            .iter()
            .map(|heap| Some(lasker::value(*heap)))
            .collect())
    }

    fn method(&self) -> &'static str {
        "Lasker's rule of four"
    }

    /// By the conditions of [`Tally`](crate::theory::Tally): (a) a heap of value 0 is empty; (b) a heap of value 1 is 1 and only can be taken; (c)
    /// a larger heap can be taken down to 0 and to 1.
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
        let mut replies = MoveList::default();
        let (left, xor) = match goal {
            Goal::Value(value) => (lasker::value(value), value),
            // Beside parts of value at most 1, parts that are not above 1 must add xor 1, others xor 0.
            Goal::MisereLoss(beside) => (beside ^ 1, beside ^ u64::from(heap == 2)),
        };
        if left < heap {
            replies.push(want, || Taking::leaving(heap, left));
        }
        let room = want - replies.first.len();
        let pairs = lasker::pairs_of_value(heap, xor, room);
        replies.append(pairs.map(|(a, b)| Taking::replacing(&[a, b])));
        Ok(Some(replies))
    }

    fn reason(&self, _: u64, _: &mut Meter<'_>) -> Option<HeapReason> {
        Some(HeapReason::Exchanged {})
    }

    fn explain(&self, heaps: &[u64], end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let values: Vec<Option<u64>> = heaps
            .iter()
            .map(|heap| Some(lasker::value(*heap)))
            .collect();
        let mut lines = vec![
            "The value of a heap is its size, except that 4k+3 and 4k+4 have each other's: splitting gives 4k+3 an option whose value is its own size.".to_owned(),
        ];
        lines.extend(value_lines(heaps, &values, heap_name, |heap| {
            match heap % 4 {
                0 if heap > 0 => format!("= 4 x {} + 4, value one less", heap / 4 - 1),
                3 => format!("= 4 x {} + 3, value one more", heap / 4),
                _ => "value its size".to_owned(),
            }
        }));
        lines.extend(misere_lines(&values, end));
        lines
    }
}
