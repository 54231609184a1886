//! Take or merge: take one stone from a heap, or pour two heaps together.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::GameFact;
use crate::game::{EndRule, Game};
use crate::games::heaps::{no_parameters, read_heaps};
use crate::games::letters::Letters;
use crate::games::stairs::check_total;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word, heap_index, heap_name, write_list};
use crate::theory::{Goal, Meter, MoveList, Stopped, merging};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "merge",
    title: "Take or merge",
    rule: "Take one stone from one heap, or put two nonempty heaps together into one. The player who makes the last move wins.",
    notation: "merge:3,2,1 has heaps of 3, 2 and 1 stones",
    move_notation: "A-1 takes one stone from heap A; A+B puts all stones of B onto A",
    examples: &[
        "merge:3,2,1",
        "merge:1,1,1",
        "merge:2,1",
        "merge:4,0,2",
        "merge:2,2",
        "merge:_",
    ],
    example_move: "A+B",
    method: "a closed form from the number of heaps of one stone and the longest play on the others; values for sums, and misere play, by search",
    complexity: "O(heaps)",
    limits: "100,000 heaps with up to 10^18 stones in total",
    source: "the closed form is proved in the documentation of theory::merging",
    board: BoardKind::Heaps,
    read: erased::read::<Merge>,
};

/// The rules of take or merge.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Merge;

/// A move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pour {
    /// Takes a stone from this heap, from 0.
    Take(usize),
    /// Pours the second heap, which comes later, into the first.
    Into(usize, usize),
}

impl fmt::Display for Pour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Take(heap) => write!(f, "{}-1", heap_name(*heap)),
            Self::Into(a, b) => write!(f, "{}+{}", heap_name(*a), heap_name(*b)),
        }
    }
}

/// The places of the heaps that are not empty.
fn filled(heaps: &[u64]) -> Vec<usize> {
    (0..heaps.len()).filter(|place| heaps[*place] > 0).collect()
}

/// Reads the name of a heap that is not empty.
fn read_heap(letters: &mut Letters<'_>, heaps: &[u64]) -> Result<usize, MoveError> {
    let column = letters.column();
    let name = letters.take_while(|c| c.is_ascii_alphabetic());
    let place = heap_index(&name).filter(|place| *place < heaps.len());
    match place {
        None => Err(MoveError::at(
            column,
            "the letter of a heap is missing here",
        )),
        Some(place) if heaps[place] == 0 => {
            let message = format!("heap {} is empty", heap_name(place));
            Err(MoveError::at(column, message))
        }
        Some(place) => Ok(place),
    }
}

impl Game for Merge {
    type State = Vec<u64>;
    type Move = Pour;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Vec<u64>), NotationError> {
        no_parameters(parameters, &INFO)?;
        let heaps = read_heaps(state, INFO.examples[0])?;
        check_total(&heaps, state, "stones", INFO.examples[0])?;
        Ok((Self, heaps))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, heaps: &Vec<u64>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, heaps)
    }

    fn move_count(&self, heaps: &Vec<u64>, _: Seat) -> u128 {
        let filled = heaps.iter().filter(|heap| **heap > 0).count() as u128;
        filled * (filled + 1) / 2
    }

    fn nth_move(&self, heaps: &Vec<u64>, _: Seat, n: u128) -> Option<Pour> {
        let filled = filled(heaps);
        let mut n = usize::try_from(n).ok()?;
        for (rank, heap) in filled.iter().enumerate() {
            let moves = filled.len() - rank;
            if n < moves {
                return Some(match n {
                    0 => Pour::Take(*heap),
                    _ => Pour::Into(*heap, filled[rank + n]),
                });
            }
            n -= moves;
        }
        None
    }

    fn moves<'s>(&'s self, heaps: &'s Vec<u64>, _: Seat) -> Box<dyn Iterator<Item = Pour> + 's> {
        let filled = filled(heaps);
        Box::new((0..filled.len()).flat_map(move |rank| {
            let first = filled[rank];
            let later = filled[rank + 1..].to_vec();
            let pours = later
                .into_iter()
                .map(move |second| Pour::Into(first, second));
            std::iter::once(Pour::Take(first)).chain(pours)
        }))
    }

    fn read_move(&self, heaps: &Vec<u64>, _: Seat, text: &str) -> Result<Pour, MoveError> {
        let mut letters = Letters::new(text);
        let first = read_heap(&mut letters, heaps)?;
        if letters.peek() == Some('+') {
            letters.skip();
            let column = letters.column();
            let second = read_heap(&mut letters, heaps)?;
            letters.end()?;
            return match first == second {
                true => Err(MoveError::at(
                    column,
                    "a heap is poured together with another one",
                )),
                false => Ok(Pour::Into(first.min(second), first.max(second))),
            };
        }
        if letters.peek() == Some('-') {
            letters.skip();
        }
        let column = letters.column();
        let taken = letters.number()?;
        letters.end()?;
        match taken {
            1 => Ok(Pour::Take(first)),
            _ => Err(MoveError::at(column, "exactly 1 stone is taken")),
        }
    }

    fn play(&self, heaps: &Vec<u64>, mv: &Pour) -> Vec<u64> {
        let mut after = heaps.clone();
        match *mv {
            Pour::Take(heap) => after[heap] -= 1,
            Pour::Into(a, b) => after[a] += std::mem::take(&mut after[b]),
        }
        after
    }

    fn describe(&self, heaps: &Vec<u64>) -> String {
        const SHOWN: usize = 40;
        let named = |(index, heap): (usize, &u64)| format!("{} {heap}", heap_name(index));
        let list: Vec<String> = heaps.iter().enumerate().take(SHOWN).map(named).collect();
        let more = if heaps.len() > SHOWN { ", ..." } else { "" };
        match heaps.len() {
            0 => "no heaps".to_owned(),
            _ => format!("heaps {}{more}", list.join(", ")),
        }
    }

    fn describe_move(&self, heaps: &Vec<u64>, mv: &Pour, prefix: &str) -> String {
        match *mv {
            Pour::Take(heap) => {
                format!(
                    "took 1 from {prefix}{}, leaving {}",
                    heap_name(heap),
                    heaps[heap] - 1
                )
            }
            Pour::Into(a, b) => format!(
                "poured {prefix}{} into {prefix}{}, making {}",
                heap_name(b),
                heap_name(a),
                heaps[a] + heaps[b]
            ),
        }
    }

    fn parts(&self, heaps: &Vec<u64>) -> Vec<Vec<u64>> {
        let mut sorted: Vec<u64> = heaps.iter().copied().filter(|heap| *heap > 0).collect();
        sorted.sort_unstable();
        vec![sorted]
    }

    /// A lost position is worth 0; for other values no method is known.
    fn values(&self, heaps: &Vec<u64>, _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let lost = merging::Heaps::of(heaps).is_lost();
        Ok(vec![lost.then_some(0)])
    }

    fn method(&self) -> &'static str {
        "take-or-merge rule"
    }

    fn is_p_position(&self, heaps: &Vec<u64>, end: EndRule) -> Option<bool> {
        (!end.is_misere()).then(|| merging::Heaps::of(heaps).is_lost())
    }

    fn replies(
        &self,
        heaps: &Vec<u64>,
        _: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Pour>>, Stopped> {
        if goal != Goal::Value(0) {
            return Ok(None);
        }
        let counted = merging::Heaps::of(heaps);
        let mut replies = MoveList::default();
        for mv in self.moves(heaps, Seat::First) {
            meter.work(1)?;
            let after = match mv {
                Pour::Take(heap) => counted.taken(heaps[heap]),
                Pour::Into(a, b) => counted.poured(heaps[a], heaps[b]),
            };
            if after.is_lost() {
                replies.push(want, || mv);
            }
        }
        Ok(Some(replies))
    }

    fn facts(&self, heaps: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        let counted = merging::Heaps::of(heaps);
        match u64::try_from(counted.moves()) {
            Ok(moves) if !end.is_misere() => vec![GameFact::TakeOrMerge {
                ones: counted.ones,
                moves,
            }],
            _ => Vec::new(),
        }
    }

    fn explain(&self, heaps: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let counted = merging::Heaps::of(heaps);
        let (ones, moves) = (counted.ones, counted.moves());
        let mut lines = vec![
            "Larger heaps last as many moves as they have stones, plus one for each merge; a heap of one stone can be taken, or saved by merging it.".to_owned(),
            format!("  a = {ones}, the heaps of one stone; b = {moves} = stones + heaps - 1 of the larger heaps"),
        ];
        if end.is_misere() {
            lines.push(
                "Misere play: no rule is known; only an exhaustive search decides.".to_owned(),
            );
            return lines;
        }
        lines.push(match moves {
            0 | 2 => "  b is 0 or 2: the player to move loses iff 3 divides a.".to_owned(),
            _ => "  b is 3 or more: the player to move loses iff a and b are even.".to_owned(),
        });
        lines
    }
}
