//! Bash's game: take 1 to m from one heap.
//!
//! C.-G. Bachet, *Problèmes plaisants et délectables* (1612). The value of a heap is its remainder by m + 1.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::HeapReason;
use crate::game::EndRule;
use crate::games::heap_rule::{HeapRule, Taking};
use crate::games::heaps::{Heaps, parameter};
use crate::games::working::{misere_lines, value_lines};
use crate::notation::{NotationError, Word, heap_name};
use crate::theory::heap_values::HeapValues;
use crate::theory::period::Period;
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "bash",
    title: "Bash's game",
    rule: "Take at least 1 and at most m stones from one heap, where m is the number after the name. The player who takes the last stone wins.",
    notation: "bash.10:23 is one heap of 23 stones, from which a move takes 1 to 10; commas separate several heaps",
    move_notation: "A-7 takes 7 stones from heap A",
    examples: &[
        "bash.10:23",
        "bash.3:9,6,1",
        "bash.1:3,2",
        "bash.2:4,4,1",
        "bash.4:12,0",
    ],
    example_move: "A-1",
    method: "the remainder of each heap by m + 1, added by xor; the misere rule of tame sums",
    complexity: "O(heaps)",
    limits: "100,000 heaps of up to 10^18, m from 1 to 10^18",
    source: "C.-G. Bachet, Problemes plaisants et delectables, 1612; misere: T. S. Ferguson 1974",
    board: BoardKind::Heaps,
    read: erased::read::<Heaps<Bash>>,
};

/// The rule "take from 1 to so many".
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bash {
    most: u64,
}

impl Bash {
    /// Taking from 1 to `most`.
    pub(crate) fn up_to(most: u64) -> Self {
        Self { most }
    }

    fn modulus(&self) -> u64 {
        self.most + 1
    }
}

impl HeapRule for Bash {
    const HAS_FORMULA: bool = true;

    fn parse(name: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        let most = parameter(
            name,
            parameters,
            "the largest number that may be taken",
            "bash.10:23",
        )?;
        Ok(Self { most })
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bash.{}", self.most)
    }

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn count(&self, heap: u64) -> u128 {
        u128::from(heap.min(self.most))
    }

    fn nth(&self, heap: u64, n: u128) -> Taking {
        Taking::leaving(heap, heap - 1 - n as u64)
    }

    fn objection(&self, _: u64, taking: &Taking) -> Option<String> {
        match taking {
            Taking { split, .. } if !split.is_empty() => {
                Some("cannot be split in this game".to_owned())
            }
            Taking { taken, .. } if taken.is_some_and(|taken| (1..=self.most).contains(&taken)) => {
                None
            }
            _ => Some(format!("must give from 1 to {}", self.most)),
        }
    }

    fn values(&self, heaps: &[u64], _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        Ok(heaps
            .iter()
            .map(|heap| Some(heap % self.modulus()))
            .collect())
    }

    fn heap_values(&self, _to: u64, _meter: &mut Meter<'_>) -> Option<HeapValues> {
        let modulus = self.modulus();
        let period = Period {
            start: 0,
            length: modulus,
        };
        Some(HeapValues::new(modulus, Some(period), move |heap| {
            Some(heap % modulus)
        }))
    }

    fn method(&self) -> &'static str {
        "remainder"
    }

    /// A heap of value 0 that is not empty is at least m + 1, and taking m leaves a remainder of 1.
    fn is_tame(&self) -> bool {
        true
    }

    /// The m options of a heap have m different remainders, all but its own.
    fn replies(
        &self,
        heap: u64,
        goal: Goal,
        want: usize,
        _: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taking>>, Stopped> {
        let value = goal.of_one_part();
        let mut replies = MoveList::default();
        if value <= self.most {
            let own = heap % self.modulus();
            let taken = if own >= value {
                own - value
            } else {
                own + (self.modulus() - value)
            };
            if taken > 0 && taken <= heap {
                replies.push(want, || Taking::leaving(heap, heap - taken));
            }
        }
        Ok(Some(replies))
    }

    /// In normal play. Let q and r be quotient and remainder of a heap by m + 1, and F the sum of r + 2q over the heaps. A
    /// lost position lasts F plies. Not more: whatever the loser does, the winner can answer so that F falls by two at least in both plies
    /// together (he undoes a move that made r larger, taking the rest of m + 1; else he plays as in Nim on the remainders, where each
    /// ply takes one at least). Not less: the loser takes one from a heap whose r has the lowest binary 1, at place k, so F falls by one;
    /// each answer then changes one r by the xor 2^(k+1) - 1, which lowers r by exactly one, or passes below a multiple of m + 1, where r grows by
    /// 2^(k+1) - 1 >= 1 and q falls by one: F falls by one at most. Where all r are 0 he takes one from a heap with q > 0, and F grows by m - 2;
    /// the answer takes m more there, or one elsewhere, and F falls by two in both plies at most. A won position lasts one ply more
    /// than the shortest lost one that a winning move leads to.
    ///
    /// In misère play only for one heap: it is lost iff its remainder is 1 and then lasts 2q + 1 plies, since the winner can always make two
    /// plies take m + 1 and must; with another remainder one ply comes before, and a heap that is 0 modulo m + 1 has q - 1.
    fn remoteness(&self, heaps: &[u64], end: EndRule) -> Option<u64> {
        let modulus = self.modulus();
        let misere = end.is_misere();
        if misere {
            let mut filled = heaps.iter().copied().filter(|heap| *heap > 0);
            let heap = filled.next().unwrap_or(0);
            if filled.next().is_some() {
                return None;
            }
            let (q, r) = (heap / modulus, heap % modulus);
            return match (q, r) {
                (0, 0) => Some(0),
                (_, 0) => Some(2 * q),
                (_, 1) => Some(2 * q + 1),
                _ => Some(2 * q + 2),
            };
        }
        let force = |heap: u64| u128::from(heap % modulus) + 2 * u128::from(heap / modulus);
        let total: u128 = heaps.iter().map(|heap| force(*heap)).sum();
        let tally: Tally = heaps.iter().map(|heap| heap % modulus).collect();
        if tally.xor == 0 {
            return u64::try_from(total).ok();
        }
        let mut shortest = u128::MAX;
        for heap in heaps {
            let wanted = tally.without(heap % modulus).xor;
            let goal = Goal::Value(wanted);
            let replies = self.replies(*heap, goal, 1, &mut Meter::new(0, 0, &|| false));
            if let Ok(Some(replies)) = replies
                && let Some(reply) = replies.first.first()
            {
                shortest = shortest.min(total - force(*heap) + force(reply.rest));
            }
        }
        u64::try_from(shortest + 1).ok()
    }

    fn reason(&self, heap: u64, _: &mut Meter<'_>) -> Option<HeapReason> {
        let modulus = self.modulus();
        Some(HeapReason::Remainder {
            modulus,
            quotient: heap / modulus,
        })
    }

    fn explain(&self, heaps: &[u64], end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let modulus = self.modulus();
        let mut lines = vec![format!(
            "The answer to any move can bring the two to {modulus} in total, so only the remainder modulo {modulus} counts."
        )];
        let values: Vec<Option<u64>> = heaps.iter().map(|heap| Some(heap % modulus)).collect();
        let name = |index: usize| heap_name(index);
        lines.extend(value_lines(heaps, &values, name, |heap| {
            format!("= {} x {modulus} + {}", heap / modulus, heap % modulus)
        }));
        lines.extend(misere_lines(&values, end));
        lines
    }
}
