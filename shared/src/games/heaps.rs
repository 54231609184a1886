//! What all games with lettered heaps share: lists of heaps, moves such as `C-5` and `A-2/1,4`, and their words.
//!
//! A game of this kind only says what may be done to *one* heap ([`HeapRule`]).

use std::fmt;

use crate::erased::GameInfo;
use crate::fact::{GameFact, HeapReason, PartKind, Reached, Sized};
use crate::game::{EndRule, Game};
use crate::games::heap_rule::{HeapRule, Taking};
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{
    MAX_NUMBER, MoveError, NotationCode, NotationError, Word, heap_index, heap_name, write_list,
};
use crate::theory::heap_values::HeapValues;
use crate::theory::misere_heaps::{self, Classes};
use crate::theory::{Goal, Meter, MoveList, Stopped};

/// Heaps of different sizes whose values are explained.
const EXPLAINED_HEAPS: usize = 6;
/// Heaps up to this size whose tables are made within milliseconds in every game.
const SMALL: u64 = 300;
/// Heaps that are named of those in the place of one.
const EXPLAINED_PARTS: usize = 8;
/// A heap with more moves than this is not explained by them.
const EXPLAINED_MOVES: u128 = 2_000;
/// Nor one of a larger value.
const EXPLAINED_VALUES: u64 = 16;

/// The game on any number of heaps under one rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heaps<R>(R);

/// A move: which heap, and what happens to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HeapMove {
    /// Which heap, from 0.
    heap: usize,
    taking: Taking,
}

impl fmt::Display for HeapMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", heap_name(self.heap), self.taking)
    }
}

impl<R: HeapRule> Heaps<R> {
    /// Why a heap has its value; `None` if it has too many moves.
    fn value_of_heap(&self, index: usize, heap: u64, meter: &mut Meter<'_>) -> Option<GameFact> {
        let value = self.0.values(&[heap], meter).ok()?.first().copied()??;
        let reason = match self.0.reason(heap, meter) {
            Some(reason) => reason,
            None => HeapReason::Mex {
                reached: self.reached(index, heap, value, meter)?,
            },
        };
        Some(GameFact::HeapValue {
            name: heap_name(index),
            heap: Sized { size: heap, value },
            reason,
        })
    }

    /// For each smaller value the first move of a heap that leaves it.
    fn reached(
        &self,
        index: usize,
        heap: u64,
        value: u64,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Reached>> {
        let count = self.0.count(heap);
        if count > EXPLAINED_MOVES || value > EXPLAINED_VALUES {
            return None;
        }
        meter.work(count as u64).ok()?;
        let takings: Vec<Taking> = (0..count).map(|n| self.0.nth(heap, n)).collect();
        let left: Vec<u64> = takings.iter().flat_map(Taking::left).copied().collect();
        let mut values = self.0.values(&left, meter).ok()?.into_iter();
        let mut first: Vec<Option<String>> = vec![None; value as usize];
        for taking in takings {
            let mut parts = values.by_ref().take(taking.left().len());
            let xor = parts.try_fold(0, |xor, part| Some(xor ^ part?))?;
            let mv = || HeapMove {
                heap: index,
                taking: taking.clone(),
            };
            if let Some(place) = first.get_mut(usize::try_from(xor).ok()?) {
                place.get_or_insert_with(|| mv().to_string());
            }
        }
        let first = (0..).zip(first);
        first
            .map(|(value, mv)| Some(Reached { mv: mv?, value }))
            .collect()
    }
}

impl<R: HeapRule> Game for Heaps<R> {
    type State = Vec<u64>;
    type Move = HeapMove;

    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Vec<u64>), NotationError> {
        let rule = R::parse(name, parameters)?;
        let example = rule.info().examples[0];
        Ok((Self(rule), read_heaps_up_to(R::LARGEST, state, example)?))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f)
    }

    fn write_state(&self, heaps: &Vec<u64>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, heaps)
    }

    fn move_count(&self, heaps: &Vec<u64>, _: Seat) -> u128 {
        let counts = heaps.iter().map(|heap| self.0.count(*heap));
        counts.fold(0, u128::saturating_add)
    }

    fn nth_move(&self, heaps: &Vec<u64>, _: Seat, mut n: u128) -> Option<HeapMove> {
        for (index, heap) in heaps.iter().enumerate() {
            let count = self.0.count(*heap);
            if n < count {
                let taking = self.0.nth(*heap, n);
                return Some(HeapMove {
                    heap: index,
                    taking,
                });
            }
            n -= count;
        }
        None
    }

    fn moves<'s>(
        &'s self,
        heaps: &'s Vec<u64>,
        _: Seat,
    ) -> Box<dyn Iterator<Item = HeapMove> + 's> {
        Box::new(heaps.iter().enumerate().flat_map(move |(index, heap)| {
            let takings = (0..self.0.count(*heap)).map(move |n| self.0.nth(*heap, n));
            takings.map(move |taking| HeapMove {
                heap: index,
                taking,
            })
        }))
    }

    fn read_move(&self, heaps: &Vec<u64>, _: Seat, text: &str) -> Result<HeapMove, MoveError> {
        let typed = Typed::read(text)?;
        let name = heap_name(typed.heap);
        let Some(&heap) = heaps.get(typed.heap) else {
            let message = match heaps.len() {
                0 => "there is no heap".to_owned(),
                1 => format!("there is no heap {name}: the only heap is A"),
                count => format!(
                    "there is no heap {name}: they are A to {}",
                    heap_name(count - 1)
                ),
            };
            return Err(MoveError::at(typed.column, message));
        };
        let refuse = |why: String| MoveError::at(typed.column, format!("heap {name} {why}"));
        let taken = match typed.amount {
            Amount::Take(taken) => taken,
            Amount::Leave(rest) if rest > heap => {
                return Err(refuse(format!("has {heap}: {rest} cannot be left")));
            }
            Amount::Leave(rest) => heap - rest,
        };
        let Some(rest) = heap.checked_sub(taken) else {
            return Err(refuse(format!("has {heap}: {taken} cannot be taken")));
        };
        if self.0.count(heap) == 0 {
            return Err(refuse(format!("has {heap}, and no move is left in it")));
        }
        let mut split = typed.split;
        split.sort_unstable();
        if R::REPLACES && taken == 0 && !split.is_empty() {
            let taking = Taking::replacing(&split);
            return match self.0.objection(heap, &taking) {
                Some(why) => Err(refuse(why)),
                None => Ok(HeapMove {
                    heap: typed.heap,
                    taking,
                }),
            };
        }
        let sum: u128 = split.iter().copied().map(u128::from).sum();
        if !split.is_empty() && (sum != u128::from(rest) || split[0] == 0) {
            return Err(refuse(format!(
                "has {heap}: after taking {taken} the heaps left must not be empty and together be {rest}"
            )));
        }
        if split.len() == 1 {
            split.clear();
        }
        let taking = Taking {
            taken: Some(taken),
            rest: if split.is_empty() { rest } else { 0 },
            split,
        };
        match self.0.objection(heap, &taking) {
            Some(why) => Err(refuse(why)),
            None => Ok(HeapMove {
                heap: typed.heap,
                taking,
            }),
        }
    }

    fn play(&self, heaps: &Vec<u64>, mv: &HeapMove) -> Vec<u64> {
        let left = mv.taking.left();
        let mut after = Vec::with_capacity(heaps.len() + left.len() - 1);
        after.extend_from_slice(heaps);
        after[mv.heap] = left[0];
        after.extend_from_slice(&left[1..]);
        after
    }

    fn describe(&self, heaps: &Vec<u64>) -> String {
        const SHOWN: usize = 40;
        let named = |(index, heap): (usize, &u64)| format!("{} {heap}", heap_name(index));
        let list: Vec<String> = heaps.iter().enumerate().take(SHOWN).map(named).collect();
        match heaps.len() {
            0 => "no heaps".to_owned(),
            1 => format!("heap {}", list[0]),
            count if count > SHOWN => {
                format!("heaps {} and {} more", list.join(", "), count - SHOWN)
            }
            _ => format!("heaps {}", list.join(", ")),
        }
    }

    fn describe_move(&self, heaps: &Vec<u64>, mv: &HeapMove, prefix: &str) -> String {
        let name = format!("{prefix}{}", heap_name(mv.heap));
        let Taking { taken, rest, split } = &mv.taking;
        let parts: Vec<String> = split.iter().map(u64::to_string).collect();
        let taken = taken.unwrap_or(0);
        match (parts.split_last(), taken) {
            (None, _) => format!("took {taken} from {name}, leaving {rest}"),
            (Some((last, others)), 0) => {
                let whole = split.iter().copied().map(u128::from).sum::<u128>();
                let verb = match whole == u128::from(heaps[mv.heap]) {
                    true => "split",
                    false => "replaced",
                };
                let by = if verb == "split" { "into" } else { "by" };
                format!("{verb} {name} {by} {} and {last}", others.join(", "))
            }
            (Some((last, others)), _) => format!(
                "took {taken} from {name}, leaving {} and {last}",
                others.join(", ")
            ),
        }
    }

    fn parts(&self, heaps: &Vec<u64>) -> Vec<Vec<u64>> {
        heaps.iter().map(|heap| vec![*heap]).collect()
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Heap
    }

    fn part_name(&self, _: &Vec<u64>, part: usize) -> String {
        heap_name(part)
    }

    fn values(&self, heaps: &Vec<u64>, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        self.0.values(heaps, meter)
    }

    fn keeps_values(&self, heaps: &Vec<u64>) -> bool {
        R::HAS_FORMULA || heaps.iter().all(|heap| *heap <= SMALL)
    }

    fn method(&self) -> &'static str {
        self.0.method()
    }

    fn is_tame(&self, _: &Vec<u64>) -> bool {
        self.0.is_tame()
    }

    fn replies(
        &self,
        heaps: &Vec<u64>,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<HeapMove>>, Stopped> {
        let replies = self.0.replies(heaps[part], goal, want, meter)?;
        Ok(replies.map(|replies| replies.map(|taking| HeapMove { heap: part, taking })))
    }

    fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues> {
        self.0.heap_values(to, meter)
    }

    fn misere_classes(
        &self,
        heaps: &Vec<u64>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Classes>, Stopped> {
        let rule = self.0.misere_rule();
        rule.map_or(Ok(None), |rule| Classes::of_heaps(rule, heaps, meter))
    }

    fn misere_replies(
        &self,
        heaps: &Vec<u64>,
        part: usize,
        beside: u16,
        table: &misere_heaps::Table,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<HeapMove>>, Stopped> {
        let rule = &self.0;
        let replies = rule.misere_replies(heaps[part], beside, table, want, meter)?;
        Ok(replies.map(|replies| replies.map(|taking| HeapMove { heap: part, taking })))
    }

    fn remoteness(&self, heaps: &Vec<u64>, end: EndRule) -> Option<u64> {
        self.0.remoteness(heaps, end)
    }

    fn facts(&self, heaps: &Vec<u64>, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        if self.0.is_nim() || end.is_misere() && !self.0.is_tame() {
            return Vec::new();
        }
        let mut met = Vec::new();
        let mut facts = Vec::new();
        for (index, heap) in heaps.iter().enumerate() {
            if facts.len() == EXPLAINED_HEAPS {
                break;
            }
            if self.0.count(*heap) > 0 && !met.contains(heap) {
                met.push(*heap);
                facts.extend(self.value_of_heap(index, *heap, meter));
            }
        }
        facts
    }

    fn changes(
        &self,
        heaps: &Vec<u64>,
        mv: &HeapMove,
        end: EndRule,
        meter: &mut Meter<'_>,
    ) -> Vec<GameFact> {
        let heap = heaps[mv.heap];
        let left = mv.taking.left();
        let all: Vec<u64> = [heap].iter().chain(left).copied().collect();
        let classes = end.is_misere() && !self.0.is_tame();
        let values: Option<Vec<u64>> = match classes {
            false => {
                let values = self.0.values(&all, meter);
                values.ok().and_then(|values| values.into_iter().collect())
            }
            true => self
                .misere_classes(&all, meter)
                .ok()
                .flatten()
                .map(|found| {
                    let classes = found.classes.into_iter();
                    classes.map(u64::from).collect()
                }),
        };
        let Some(values) = values else {
            return Vec::new();
        };
        let sized = all.into_iter().zip(values);
        let mut sized = sized.map(|(size, value)| Sized { size, value });
        let before = sized.next();
        let changed = before.map(|before| GameFact::HeapChange {
            name: heap_name(mv.heap),
            before,
            after: sized.take(EXPLAINED_PARTS).collect(),
            after_total: left.len() as u64,
            classes,
        });
        changed.into_iter().collect()
    }

    fn explain(&self, heaps: &Vec<u64>, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        self.0.explain(heaps, end, meter)
    }

    fn how_to_win(&self, heaps: &Vec<u64>, end: EndRule) -> Vec<String> {
        self.0.how_to_win(heaps, end)
    }
}

/// Reads `3,4,5` or `_`.
pub(crate) fn read_heaps(state: Word<'_>, example: &str) -> Result<Vec<u64>, NotationError> {
    read_heaps_up_to(MAX_NUMBER, state, example)
}

/// Reads `3,4,5` or `_`, no heap being larger than `largest`.
pub(crate) fn read_heaps_up_to(
    largest: u64,
    state: Word<'_>,
    example: &str,
) -> Result<Vec<u64>, NotationError> {
    if state.text == "_" {
        return Ok(Vec::new());
    }
    if state.text.is_empty() {
        return state.refuse(
            NotationCode::BadPosition,
            "the heaps are missing",
            "heaps joined by commas, or _ for none",
            example,
        );
    }
    let heap = |word: Word<'_>| {
        word.number(
            "a heap size",
            0,
            largest,
            NotationCode::BadPosition,
            example,
        )
    };
    state.split(',').map(heap).collect()
}

/// How much, as typed.
enum Amount {
    Take(u64),
    Leave(u64),
}

/// A move as typed, before anybody asked whether it is legal.
struct Typed {
    heap: usize,
    /// Where the move begins.
    column: usize,
    amount: Amount,
    split: Vec<u64>,
}

impl Typed {
    /// Reads `C-5`, `c5`, `C - 5`, `C=2`, `A-2/1,4` and `A/1,4`.
    fn read(text: &str) -> Result<Self, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let name = letters.take_while(|c| c.is_ascii_alphabetic());
        if name.is_empty() {
            return Err(MoveError::at(
                column,
                "a move begins with the letter of a heap",
            ));
        }
        let Some(heap) = heap_index(&name) else {
            return Err(MoveError::at(column, "there is no heap with such a name"));
        };
        let amount = match letters.peek() {
            Some('=') => {
                letters.skip();
                Amount::Leave(letters.number()?)
            }
            Some('/') => Amount::Take(0),
            Some('-') => {
                letters.skip();
                Amount::Take(letters.number()?)
            }
            _ => Amount::Take(letters.number()?),
        };
        let mut split = Vec::new();
        if letters.peek() == Some('/') {
            letters.skip();
            split.push(letters.number()?);
            while letters.peek() == Some(',') {
                letters.skip();
                split.push(letters.number()?);
            }
        }
        letters.end()?;
        Ok(Self {
            heap,
            column,
            amount,
            split,
        })
    }
}

/// Refuses parameters of a game that has none.
pub(crate) fn no_parameters(
    parameters: Option<Word<'_>>,
    info: &GameInfo,
) -> Result<(), NotationError> {
    match parameters {
        None => Ok(()),
        Some(word) => word.refuse(
            NotationCode::BadGameCode,
            format!("{} has no parameters", info.name),
            "a colon and the state",
            info.examples[0],
        ),
    }
}

/// Reads the one number that a game such as `bash.10` has as its parameter: from 1 to 10^18.
pub(crate) fn parameter(
    name: Word<'_>,
    parameters: Option<Word<'_>>,
    what: &str,
    example: &str,
) -> Result<u64, NotationError> {
    let word = parameters.unwrap_or_else(|| name.end());
    word.number(what, 1, MAX_NUMBER, NotationCode::BadGameCode, example)
}
