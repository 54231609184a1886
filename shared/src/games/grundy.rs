//! Grundy's game: split a heap in two unequal ones.

use std::sync::{Arc, LazyLock};

use crate::erased::{self, BoardKind, GameInfo};
use crate::game::EndRule;
use crate::games::heap_rule::{HeapRule, Taking};
use crate::games::heaps::{Heaps, no_parameters};
use crate::games::working::{options_text, table_lines, value_lines, wild_lines};
use crate::notation::{NotationError, Word, heap_name};
use crate::theory::heap_values::HeapValues;
use crate::theory::take_and_break::{self, Rule, Table};
use crate::theory::{Goal, Meter, MoveList, Stopped, breaks, misere_heaps};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "grundy",
    title: "Grundy's game",
    rule: "Split one heap into two nonempty heaps of different sizes. Heaps of one or two stones cannot be split. The player who makes the last move wins.",
    notation: "grundy:8,5 has heaps of 8 and 5 stones",
    move_notation: "A/1,4 splits heap A into heaps of 1 and 4",
    examples: &[
        "grundy:8,5",
        "grundy:9,3",
        "grundy:9",
        "grundy:2,1",
        "grundy:7,4",
    ],
    example_move: "A/1,7",
    method: "a table of values by sparse space; misere play by a verified quotient, or by exhaustive search",
    complexity: "about O(heap x 1,300) for the table; no period is known",
    limits: "100,000 heaps of up to 10^18; values up to heap 25,165,823, unknown beyond",
    source: "P. M. Grundy, Mathematics and games, 1939; E. Berlekamp, J. Conway, R. Guy, Winning Ways, 1982, chapter 4",
    board: BoardKind::Heaps,
    read: erased::read::<Heaps<Grundy>>,
};

/// The rule "split unequally".
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Grundy;

impl HeapRule for Grundy {
    const REPLACES: bool = true;

    fn parse(_: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok(Self)
    }

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn count(&self, heap: u64) -> u128 {
        u128::from(heap.saturating_sub(1) / 2)
    }

    fn nth(&self, heap: u64, n: u128) -> Taking {
        let part = n as u64 + 1;
        Taking::replacing(&[part, heap - part])
    }

    fn objection(&self, heap: u64, taking: &Taking) -> Option<String> {
        match (taking.taken, &taking.split[..]) {
            (None, [a, b]) if a == b => Some("must be split in two unequal heaps".to_owned()),
            (None, [a, b]) if *a > 0 && u128::from(*a) + u128::from(*b) == u128::from(heap) => None,
            (None, [_, _]) => Some(format!(
                "has {heap}: the two heaps must not be empty and together be {heap}"
            )),
            _ => Some("must be split in two heaps".to_owned()),
        }
    }

    fn values(&self, heaps: &[u64], meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let table = table(heaps.iter().copied().max().unwrap_or(0), meter);
        Ok(heaps.iter().map(|heap| table.value(*heap)).collect())
    }

    fn method(&self) -> &'static str {
        "sparse-space table"
    }

    /// 3,13 is a counterexample to the rule of tame sums.
    fn is_tame(&self) -> bool {
        false
    }

    fn replies(
        &self,
        heap: u64,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taking>>, Stopped> {
        let Goal::Value(goal) = goal else {
            return Ok(None);
        };
        let table = table(heap, meter);
        if table.value(heap).is_none() {
            return Ok(None);
        }
        let splits = 1..=RULE.splits(heap);
        let pairs = breaks::pairs(&*table, heap, splits, want, meter, |x, y| x ^ y == goal)?;
        Ok(Some(pairs.map(|(a, b)| Taking::replacing(&[a, b]))))
    }

    fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues> {
        Some(take_and_break::heap_values(table(to, meter)))
    }

    fn misere_rule(&self) -> Option<&Rule> {
        Some(&RULE)
    }

    fn misere_replies(
        &self,
        heap: u64,
        beside: u16,
        table: &misere_heaps::Table,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taking>>, Stopped> {
        let splits = 1..=RULE.splits(heap);
        let is_lost = |x, y| table.is_lost_with(beside, &[x, y]);
        let pairs = breaks::pairs(table, heap, splits, want, meter, is_lost)?;
        Ok(Some(pairs.map(|(a, b)| Taking::replacing(&[a, b]))))
    }

    fn explain(&self, heaps: &[u64], end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let largest = heaps.iter().copied().max().unwrap_or(0);
        let table = table(largest, meter);
        let values: Vec<Option<u64>> = heaps.iter().map(|heap| table.value(*heap)).collect();
        let mut lines = vec![
            "The value of a heap is the least number that is not the value of a split; the values of the two parts are added by xor.".to_owned(),
        ];
        lines.extend(table_lines(|heap| table.value(heap), None, largest));
        lines.extend(value_lines(heaps, &values, heap_name, |heap| {
            options_text(
                self,
                heap,
                |heap| table.value(heap),
                || "from the table".to_owned(),
            )
        }));
        if end.is_misere() {
            lines.extend(wild_lines(&RULE, heaps, meter));
        }
        lines
    }
}

/// The rule as the theory knows it.
static RULE: LazyLock<Rule> = LazyLock::new(Rule::unequal_split);

/// The table that reaches this heap, as far as the budget allows.
fn table(heap: u64, meter: &mut Meter<'_>) -> Arc<Table> {
    take_and_break::table(&RULE, heap, meter)
}
