//! Subtraction games: take a number of a given set from one heap.
//!
//! Values from a table whose period is proved ([`subtraction`]). Misère play: T. S. Ferguson, *On sums of graph games with
//! last player losing* (1974): a heap has value 1 iff taking the least member of the set from it leaves value 0.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::HeapReason;
use crate::game::EndRule;
use crate::games::heap_rule::{HeapRule, Taking};
use crate::games::heaps::Heaps;
use crate::games::working::{by_period, misere_lines, table_lines, value_lines};
use crate::notation::{MAX_NUMBER, NotationCode, NotationError, Word, heap_name};
use crate::theory::heap_values::HeapValues;
use crate::theory::{Goal, Meter, MoveList, Stopped, subtraction};

/// The largest number of members of a set.
const MAX_MEMBERS: usize = 10_000;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "sub",
    title: "Subtraction game",
    rule: "Take from one heap a number of stones that is listed after the name. The player who makes the last move wins.",
    notation: "sub.1.3.4:8,5 has heaps of 8 and 5 stones, from which a move takes 1, 3 or 4",
    move_notation: "A-3 takes 3 stones from heap A",
    examples: &[
        "sub.1.3.4:8,5,12",
        "sub.2.5:10,9",
        "sub.1.2:5,5",
        "sub.3.5.7:21",
        "sub.4.6:13,9",
        "sub.2:7,3",
    ],
    example_move: "A-1",
    method: "a table of values with a proved period; the misere rule of tame sums (Ferguson)",
    complexity: "O(heap x members) once for the table, then O(heaps x members)",
    limits: "100,000 heaps of up to 10^18; sets of up to 10,000 numbers; tables of 4,194,304 values",
    source: "E. Berlekamp, J. Conway, R. Guy, Winning Ways, 1982, chapter 4; T. S. Ferguson 1974",
    board: BoardKind::Heaps,
    read: erased::read::<Heaps<Sub>>,
};

/// The rule "take a number of this set".
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sub {
    /// Ascending, without zero, not empty.
    set: std::sync::Arc<[u64]>,
}

impl Sub {
    /// The members that fit into a heap.
    fn fitting(&self, heap: u64) -> &[u64] {
        &self.set[..self.set.partition_point(|member| *member <= heap)]
    }
}

impl HeapRule for Sub {
    fn parse(name: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        const EXAMPLE: &str = "sub.1.3.4:8,5,12";
        let code = NotationCode::BadGameCode;
        let expected = "numbers joined by dots";
        let Some(list) = parameters else {
            let message = "sub needs the numbers that may be taken";
            return name.end().refuse(code, message, expected, EXAMPLE);
        };
        if list.text.bytes().filter(|byte| *byte == b'.').count() >= MAX_MEMBERS {
            let message = format!("too many numbers: {MAX_MEMBERS} are the limit of a set");
            return list.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
        }
        let member = |word: Word<'_>| word.number("a number to take", 0, MAX_NUMBER, code, EXAMPLE);
        let mut set = list
            .split('.')
            .map(member)
            .collect::<Result<Vec<u64>, _>>()?;
        set.sort_unstable();
        set.dedup();
        set.retain(|member| *member > 0);
        if set.is_empty() {
            let message = "the set has no number above 0";
            return list.refuse(code, message, expected, EXAMPLE);
        }
        Ok(Self { set: set.into() })
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sub")?;
        self.set
            .iter()
            .try_for_each(|member| write!(f, ".{member}"))
    }

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn count(&self, heap: u64) -> u128 {
        self.fitting(heap).len() as u128
    }

    fn nth(&self, heap: u64, n: u128) -> Taking {
        Taking::leaving(heap, heap - self.set[n as usize])
    }

    fn objection(&self, _: u64, taking: &Taking) -> Option<String> {
        match taking {
            Taking { split, .. } if !split.is_empty() => {
                Some("cannot be split in this game".to_owned())
            }
            Taking { taken, .. } => {
                let taken = taken.unwrap_or(0);
                let legal = self.set.binary_search(&taken).is_ok();
                (!legal)
                    .then(|| format!("cannot give {taken}: it may give {}", set_text(&self.set)))
            }
        }
    }

    fn values(&self, heaps: &[u64], meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let largest = heaps.iter().copied().max().unwrap_or(0);
        let table = subtraction::table(&self.set, largest, meter);
        Ok(heaps.iter().map(|heap| table.value(*heap)).collect())
    }

    fn method(&self) -> &'static str {
        "subtraction table"
    }

    /// Let s be the least member. By Ferguson's pairing a heap n has value 1 iff n - s has value 0. Let n >= s have value 0;
    /// then n - s has not, so it has an option n - s - t of value 0, and n - t has value 1.
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
        let value = goal.of_one_part();
        let table = subtraction::table(&self.set, heap, meter);
        let fitting = self.fitting(heap);
        meter.work(fitting.len() as u64 / 16)?;
        let mut replies = MoveList::default();
        for member in fitting {
            let rest = heap - member;
            match table.value(rest) {
                Some(found) if found == value => replies.push(want, || Taking::leaving(heap, rest)),
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(replies))
    }

    fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues> {
        let table = subtraction::table(&self.set, to, meter);
        // Where a large member was left out, nothing is said of heaps that it fits in.
        let period = table.period().filter(|_| table.has_all(&self.set));
        let computed = match (table.period(), period) {
            (Some(_), None) => to.saturating_add(1),
            _ => table.computed(),
        };
        Some(HeapValues::new(computed, period, move |heap| {
            table.value(heap)
        }))
    }

    fn reason(&self, heap: u64, meter: &mut Meter<'_>) -> Option<HeapReason> {
        by_period(subtraction::table(&self.set, heap, meter).period(), heap)
    }

    fn explain(&self, heaps: &[u64], end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let largest = heaps.iter().copied().max().unwrap_or(0);
        let table = subtraction::table(&self.set, largest, meter);
        let values: Vec<Option<u64>> = heaps.iter().map(|heap| table.value(*heap)).collect();
        let mut lines = vec![format!(
            "A move takes {} from a heap. The value of a heap is the least number that is not the value of an option.",
            set_text(&self.set)
        )];
        lines.extend(table_lines(
            |heap| table.value(heap),
            table.period(),
            largest,
        ));
        lines.extend(value_lines(heaps, &values, heap_name, |heap| {
            self.options(heap, &table)
        }));
        lines.extend(misere_lines(&values, end));
        lines
    }
}

impl Sub {
    /// The values of a heap's options, in words.
    fn options(&self, heap: u64, table: &subtraction::Table) -> String {
        let fitting = self.fitting(heap);
        if fitting.is_empty() {
            return "no move".to_owned();
        }
        let option = |member: &u64| {
            let value = table.value(heap - member);
            value.map_or("?".to_owned(), |value| value.to_string())
        };
        let mut values: Vec<String> = fitting.iter().take(12).map(option).collect();
        if fitting.len() > values.len() {
            values.push("...".to_owned());
        }
        format!("options have the values {}", values.join(", "))
    }
}

/// The set in words: `1, 3 or 4`.
fn set_text(set: &[u64]) -> String {
    const SHOWN: usize = 12;
    let members: Vec<String> = set.iter().take(SHOWN).map(u64::to_string).collect();
    match (members.split_last(), set.len() > SHOWN) {
        (_, true) => format!("{} and {} more", members.join(", "), set.len() - SHOWN),
        (Some((last, [])), _) => last.clone(),
        (Some((last, others)), _) => format!("{} or {last}", others.join(", ")),
        (None, _) => String::new(),
    }
}
