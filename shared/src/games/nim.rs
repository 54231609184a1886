//! Nim: take any number from one heap.
//!
//! Bouton, *Nim, a game with a complete mathematical theory* (1901): the value of a heap is its size.

use crate::erased::{self, BoardKind, GameInfo};
use crate::game::EndRule;
use crate::games::heap_rule::{HeapRule, Taking};
use crate::games::heaps::{Heaps, no_parameters};
use crate::notation::{NotationError, Word, heap_name};
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "nim",
    title: "Nim",
    rule: "Take any number of stones, at least one, from one heap. The player who takes the last stone wins.",
    notation: "nim:3,4,5 has heaps A, B and C of 3, 4 and 5 stones; nim:_ has no heaps",
    move_notation: "C-5 takes 5 stones from heap C",
    examples: &[
        "nim:3,5,7",
        "nim:1,4,6,7",
        "nim:2,2,1",
        "nim:1,1,0,1",
        "nim:6",
        "nim:_",
    ],
    example_move: "A-1",
    method: "the xor of the heaps; in misere play the same unless no heap is above 1",
    complexity: "O(heaps)",
    limits: "100,000 heaps of up to 10^18",
    source: "C. L. Bouton, Nim, a game with a complete mathematical theory, 1901",
    board: BoardKind::Heaps,
    read: erased::read::<Heaps<Nim>>,
};

/// The rule of Nim.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nim;

impl HeapRule for Nim {
    const HAS_FORMULA: bool = true;

    fn parse(_: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok(Self)
    }

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn count(&self, heap: u64) -> u128 {
        u128::from(heap)
    }

    fn nth(&self, heap: u64, n: u128) -> Taking {
        Taking::leaving(heap, heap - 1 - n as u64)
    }

    fn objection(&self, _: u64, taking: &Taking) -> Option<String> {
        match taking {
            Taking { split, .. } if !split.is_empty() => Some("cannot be split in Nim".to_owned()),
            Taking { taken: Some(0), .. } => Some("must give at least 1".to_owned()),
            _ => None,
        }
    }

    fn values(&self, heaps: &[u64], _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        Ok(heaps.iter().copied().map(Some).collect())
    }

    fn method(&self) -> &'static str {
        "nim-sum"
    }

    /// A heap of value 0 is empty.
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
        let rest = goal.of_one_part();
        let mut replies = MoveList::default();
        if rest < heap {
            replies.push(want, || Taking::leaving(heap, rest));
        }
        Ok(Some(replies))
    }

    /// A lost position with n objects lasts n plies in normal play.
    ///
    /// Not more, since every ply takes one at least. Not less: the loser takes one from a heap whose lowest binary 1
    /// is lowest of all, at place k. That makes the xor 2^(k+1) - 1, so the winner must reduce a heap that has bit k; its bits
    /// below k are 0 like everybody's, so he takes exactly one, too. By induction n plies are reached.
    ///
    /// In misère play, with a heap above 1, a lost position lasts n - 1 plies: n is even there (the xor is 0), the loser makes
    /// the last ply, so the number of plies is odd; and the same way of delaying reaches n - 1, taking from a heap of 1 where there is one: as
    /// long as two heaps above 1 stay after his move the winner must answer as in normal play, and where only one would stay,
    /// the position is 2,2 (an even number of heaps of 1 would be taken from first), which lasts 3 plies. With no heap above 1, n plies.
    ///
    /// A won position lasts one ply more than the shortest lost position that a winning move leads to.
    fn remoteness(&self, heaps: &[u64], end: EndRule) -> Option<u64> {
        let misere = end.is_misere();
        let tally: Tally = heaps.iter().copied().collect();
        let total: u128 = heaps.iter().copied().map(u128::from).sum();
        let lost = |total: u128, large: u64| match misere && large > 0 {
            true => total - 1,
            false => total,
        };
        if tally.is_lost(misere) {
            return u64::try_from(lost(total, tally.large)).ok();
        }
        let after = heaps.iter().filter_map(|heap| {
            let others = tally.without(*heap);
            let rest = others.wanted(misere);
            let left = total - u128::from(*heap) + u128::from(rest);
            (rest < *heap).then(|| lost(left, others.with(rest).large))
        });
        match after.min() {
            Some(shortest) => u64::try_from(shortest + 1).ok(),
            None => Some(0),
        }
    }

    fn is_nim(&self) -> bool {
        true
    }

    fn explain(&self, heaps: &[u64], _: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        columns(heaps, heaps.iter().copied().collect())
    }

    fn how_to_win(&self, heaps: &[u64], end: EndRule) -> Vec<String> {
        let tally: Tally = heaps.iter().copied().collect();
        if !end.is_misere() {
            return repair(heaps, tally);
        }
        let mut lines = vec![misere_reason(tally)];
        match tally.large {
            0 => {}
            1 => lines.push(last_large(heaps, tally)),
            _ => lines.extend(repair(heaps, tally)),
        }
        lines
    }
}

/// The binary columns of at most 24 heaps, at most 20 digits wide: larger ones as plain numbers.
fn columns(heaps: &[u64], tally: Tally) -> Vec<String> {
    const SHOWN: usize = 24;
    let widest = heaps.iter().copied().max().unwrap_or(0).max(1);
    let bits: Vec<u32> = (0..u64::BITS - widest.leading_zeros()).rev().collect();
    let wide = bits.len() > 20;
    let cell = |value: u64, bit: u32, width: usize| {
        let sign = if value >> bit & 1 == 1 { "1" } else { "." };
        format!(" {sign:>width$}")
    };
    let widths: Vec<usize> = bits
        .iter()
        .map(|bit| (1u64 << bit).to_string().len())
        .collect();
    let digits = |value: u64| -> String {
        if wide {
            return String::new();
        }
        let cells = bits.iter().zip(&widths);
        cells
            .map(|(bit, width)| cell(value, *bit, *width))
            .collect()
    };
    let size = widest.max(tally.xor).to_string().len();
    let mut lines = Vec::new();
    if !wide && !heaps.is_empty() {
        let heads = bits.iter().zip(&widths);
        let heads: String = heads
            .map(|(bit, width)| format!(" {:>width$}", 1u64 << bit))
            .collect();
        lines.push(format!("{:1$}{heads}", "", size + 8));
    }
    for (index, heap) in heaps.iter().enumerate().take(SHOWN) {
        let line = format!("  {:<4}{heap:>size$}  {}", heap_name(index), digits(*heap));
        lines.push(line.trim_end().to_owned());
    }
    if heaps.len() > SHOWN {
        lines.push(format!("  and {} more heaps", heaps.len() - SHOWN));
    }
    let line = format!("  XOR {:>size$}  {}", tally.xor, digits(tally.xor));
    lines.push(line.trim_end().to_owned());
    lines
}

/// Which column is odd, and how one heap repairs all of them.
fn repair(heaps: &[u64], tally: Tally) -> Vec<String> {
    const SHOWN: usize = 6;
    let Some(bit) = tally.xor.checked_ilog2() else {
        return vec![
            "Every column has an even number of 1s: any move breaks one, and one answer repairs it.".to_owned(),
        ];
    };
    let place = 1u64 << bit;
    let holders = heaps
        .iter()
        .enumerate()
        .filter(|(_, heap)| **heap & place != 0);
    let repairs =
        holders.map(|(index, heap)| format!("{} {heap} -> {}", heap_name(index), heap ^ tally.xor));
    let repairs: Vec<String> = repairs.collect();
    let more = match repairs.len() > SHOWN {
        true => format!("    and {} more", repairs.len() - SHOWN),
        false => String::new(),
    };
    let shown = &repairs[..repairs.len().min(SHOWN)];
    vec![
        format!(
            "Each column needs an even number of 1s; the {place}s column has {}: odd.",
            repairs.len()
        ),
        format!("Change one heap that has a {place} so that every column is even:"),
        format!("  {}{more}", shown.join("    ")),
    ]
}

/// The turn of misère play: the last heap above 1 becomes 0 or 1, whichever leaves an odd number of ones.
fn last_large(heaps: &[u64], tally: Tally) -> String {
    let large = heaps.iter().enumerate().find(|(_, heap)| **heap > 1);
    let (index, heap) = large.expect("one heap is above 1");
    let rest = tally.without(*heap).wanted(true);
    let name = heap_name(index);
    format!(
        "This is the move that decides: {name} {heap} -> {rest} leaves an odd number of heaps of 1."
    )
}

/// What the misère rule says of this position.
fn misere_reason(tally: Tally) -> String {
    match tally.large {
        0 => "Misere play, and no heap is above 1: an odd number of heaps of 1 loses, an even number wins.".to_owned(),
        _ => "Misere play changes nothing while a heap is above 1: aim for xor 0, but if your move leaves no heap above 1, leave an odd number of heaps of 1.".to_owned(),
    }
}
