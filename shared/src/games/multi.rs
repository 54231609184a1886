//! Multi-Nim: take any number from a heap, or split it in any number of parts.

use crate::erased::{self, BoardKind, GameInfo};
use crate::game::EndRule;
use crate::games::heap_rule::{HeapRule, Taking};
use crate::games::heaps::{Heaps, no_parameters};
use crate::games::working::{misere_lines, table_lines, value_lines};
use crate::notation::{NotationError, Word, heap_name};
use crate::theory::{Goal, Meter, MoveList, Stopped, partitions};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "multi",
    title: "Multi-Nim",
    rule: "Take any number of stones, at least one, from one heap, or split one heap into two or more nonempty heaps. The player who makes the last move wins.",
    notation: "multi:4,3 has heaps of 4 and 3 stones",
    move_notation: "A-2 takes 2 stones from heap A; A/1,1,3 splits heap A into heaps of 1, 1 and 3",
    examples: &[
        "multi:4,3",
        "multi:6",
        "multi:1,1,2",
        "multi:5,0",
        "multi:3,2",
    ],
    example_move: "A/1,1,2",
    method: "a table of values from all xors that splits of a heap can reach (not Lasker's rule, which is wrong from 8 on)",
    complexity: "O(heap^2) for the table",
    limits: "100,000 heaps of up to 1,000, whose values are all known",
    source: "R. Sprague 1935, P. M. Grundy 1939; the rule for two parts: E. Lasker 1931",
    board: BoardKind::Heaps,
    read: erased::read::<Heaps<Multi>>,
};

/// The rule "take or split in many".
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Multi;

impl HeapRule for Multi {
    const REPLACES: bool = true;
    const LARGEST: u64 = partitions::LARGEST;

    fn parse(_: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok(Self)
    }

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn count(&self, heap: u64) -> u128 {
        u128::from(heap) + partitions::split_count(heap)
    }

    fn nth(&self, heap: u64, n: u128) -> Taking {
        match n.checked_sub(u128::from(heap)) {
            None => Taking::leaving(heap, heap - 1 - n as u64),
            Some(split) => Taking::replacing(&partitions::nth_split(heap, split)),
        }
    }

    fn objection(&self, heap: u64, taking: &Taking) -> Option<String> {
        let parts = &taking.split;
        let whole = parts.iter().copied().map(u128::from).sum::<u128>();
        match taking.taken {
            Some(0) => Some("must give at least 1, or be split".to_owned()),
            Some(_) if parts.is_empty() => None,
            Some(_) => Some("is either split or taken from, not both".to_owned()),
            None if parts.len() < 2 => Some("must be split in two heaps at least".to_owned()),
            None if parts[0] == 0 || whole != u128::from(heap) => Some(format!(
                "has {heap}: the new heaps must not be empty and together be {heap}"
            )),
            None => None,
        }
    }

    fn values(&self, heaps: &[u64], meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let table = partitions::table(heaps.iter().copied().max().unwrap_or(0), meter);
        Ok(heaps.iter().map(|heap| table.value(*heap)).collect())
    }

    fn method(&self) -> &'static str {
        "table over reachable xors"
    }

    /// By the conditions of [`Tally`](crate::theory::Tally): (a) a heap of value 0 is empty, since a larger one can be taken whole; (b) a heap of value 1 is 1, since a
    /// larger one can be taken down to 1, and only can be taken; (c) a larger heap can be taken down to 0 and to 1.
    fn is_tame(&self) -> bool {
        true
    }

    fn replies(
        &self,
        heap: u64,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taking>>, Stopped> {
        let table = partitions::table(heap, meter);
        if table.value(heap).is_none() {
            return Ok(None);
        }
        let misere = matches!(goal, Goal::MisereLoss(_));
        // In misere play parts that are not above 1, which are ones, must make the xor 1, and others make it 0.
        let (left, xor) = match goal {
            Goal::Value(value) => (table.heap_of(value), value),
            Goal::MisereLoss(beside) => (Some(beside ^ 1), beside),
        };
        let mut replies = MoveList::default();
        if let Some(left) = left.filter(|left| *left < heap) {
            replies.push(want, || Taking::leaving(heap, left));
        }
        let room = want - replies.first.len();
        let splits = partitions::splits_of_value(&table, heap, xor, misere, room, meter)?;
        replies.append(splits.map(|parts| Taking::replacing(&parts)));
        if misere && heap > 1 && heap % 2 != xor {
            replies.push(want, || Taking::replacing(&vec![1; heap as usize]));
        }
        Ok(Some(replies))
    }

    fn explain(&self, heaps: &[u64], end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let largest = heaps.iter().copied().max().unwrap_or(0);
        let table = partitions::table(largest, meter);
        let values: Vec<Option<u64>> = heaps.iter().map(|heap| table.value(*heap)).collect();
        let mut lines = vec![
            "The value of a heap is the least number that is neither the value of a smaller heap nor the xor of a split.".to_owned(),
        ];
        lines.extend(table_lines(|heap| table.value(heap), None, largest));
        lines.extend(value_lines(heaps, &values, heap_name, |heap| match heap {
            0 => "no move".to_owned(),
            _ => format!("{} splits", partitions::split_count(heap)),
        }));
        lines.extend(misere_lines(&values, end));
        lines
    }
}
