//! Moore's Nim: take from one to k heaps at once.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, Terms};
use crate::game::{EndRule, Game};
use crate::games::heaps::{parameter, read_heaps};
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{
    MoveError, NotationCode, NotationError, Word, heap_index, heap_name, write_list,
};
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally, moore};

/// The largest number of heaps: moves take from many at once.
const MAX_HEAPS: usize = 64;
/// Winning moves that are listed; where there are more, none is.
const MOST_REPLIES: usize = 100_000;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "moore",
    title: "Moore's Nim",
    rule: "Take any number of stones, at least one, from each of 1 to k heaps, where k is the number after the name. The player who takes the last stone wins.",
    notation: "moore.2:3,3,3 has three heaps of 3 stones; a move takes from one or two of them",
    move_notation: "A-1 takes 1 stone from heap A; A-1,C-2 takes 1 from heap A and 2 from heap C",
    examples: &[
        "moore.2:3,3,3",
        "moore.2:1,2,4",
        "moore.1:2,3",
        "moore.3:2,2,1",
        "moore.2:1,1,2,1",
    ],
    example_move: "A-1,C-2",
    method: "the sums of the binary columns modulo k + 1; values by a formula for up to k + 1 heaps, otherwise by search",
    complexity: "O(heaps) for the outcome; winning moves are enumerated",
    limits: "64 heaps of up to 10^18, k from 1 to 10^18; winning moves are not listed if there are more than 100,000",
    source: "E. H. Moore, A generalization of the game called Nim, 1910; T. A. Jenkyns, J. P. Mayberry 1980",
    board: BoardKind::Heaps,
    read: erased::read::<Moore>,
};

/// The rule "from one to k heaps".
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Moore {
    most: u64,
}

/// A move: from which heaps, ascending from 0, how many.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Takings(Vec<(usize, u64)>);

impl fmt::Display for Takings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (heap, taken)) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{}-{taken}", heap_name(*heap))?;
        }
        Ok(())
    }
}

impl Moore {
    /// `ways[i][s]`: in how many ways something or nothing may be taken from at most s of the heaps from number i on. O(heaps²).
    fn ways(&self, heaps: &[u64]) -> Vec<Vec<u128>> {
        let most = self.at_once(heaps);
        let mut ways = vec![vec![1u128; most + 1]];
        for heap in heaps.iter().rev() {
            let later = &ways[ways.len() - 1];
            let of = |s: usize| match s {
                0 => 1,
                _ => later[s].saturating_add(later[s - 1].saturating_mul(u128::from(*heap))),
            };
            let row = (0..=most).map(of).collect();
            ways.push(row);
        }
        ways.reverse();
        ways
    }

    /// From how many heaps may be taken at once.
    fn at_once(&self, heaps: &[u64]) -> usize {
        usize::try_from(self.most).map_or(heaps.len(), |most| most.min(heaps.len()))
    }

    /// The move after this one in the list: with one heap more, else with more from the last, else from a later heap.
    fn next(&self, heaps: &[u64], mut items: Vec<(usize, u64)>) -> Option<Vec<(usize, u64)>> {
        let filled = |from: usize| (from..heaps.len()).find(|heap| heaps[*heap] > 0);
        let after = items.last().map_or(0, |(heap, _)| heap + 1);
        if items.len() < self.at_once(heaps)
            && let Some(heap) = filled(after)
        {
            items.push((heap, 1));
            return Some(items);
        }
        while let Some((heap, taken)) = items.pop() {
            if taken < heaps[heap] {
                items.push((heap, taken + 1));
                return Some(items);
            }
            if let Some(later) = filled(heap + 1) {
                items.push((later, 1));
                return Some(items);
            }
        }
        None
    }

    /// What the heaps may become so that the opponent is lost; `None` when that is too much.
    fn lost_after(
        &self,
        heaps: &[u64],
        misere: bool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Vec<u64>>>, Stopped> {
        let equal = moore::equalized(heaps, self.most, MOST_REPLIES, meter)?;
        if !misere {
            return Ok(equal);
        }
        let Some(mut all) = equal else {
            return Ok(None);
        };
        all.retain(|after| after.iter().any(|heap| *heap > 1));
        let small = moore::left_as_ones(heaps, self.most, MOST_REPLIES, meter)?;
        Ok(small.map(|small| {
            all.extend(small);
            all
        }))
    }
}

impl Game for Moore {
    type State = Vec<u64>;
    type Move = Takings;

    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Vec<u64>), NotationError> {
        let example = INFO.examples[0];
        let most = parameter(
            name,
            parameters,
            "the number of heaps to take from",
            example,
        )?;
        let heaps = read_heaps(state, example)?;
        if heaps.len() > MAX_HEAPS {
            let message = format!("too many heaps: {MAX_HEAPS} are the limit of this game");
            let expected = format!("at most {MAX_HEAPS} heaps");
            return state.refuse(NotationCode::OutOfRange, message, expected, example);
        }
        Ok((Self { most }, heaps))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "moore.{}", self.most)
    }

    fn write_state(&self, heaps: &Vec<u64>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, heaps)
    }

    fn move_count(&self, heaps: &Vec<u64>, _: Seat) -> u128 {
        let ways = self.ways(heaps);
        match ways[0][self.at_once(heaps)] {
            u128::MAX => u128::MAX,
            ways => ways - 1,
        }
    }

    fn nth_move(&self, heaps: &Vec<u64>, seat: Seat, n: u128) -> Option<Takings> {
        if n >= self.move_count(heaps, seat) {
            return None;
        }
        let ways = self.ways(heaps);
        let (mut n, mut left) = (n, self.at_once(heaps));
        let mut items = Vec::new();
        for (heap, size) in heaps.iter().enumerate() {
            if left == 0 {
                break;
            }
            // Each number taken from this heap goes with all ways of taking from later ones.
            let with = ways[heap + 1][left - 1];
            let all = with.saturating_mul(u128::from(*size));
            if n >= all {
                n -= all;
                continue;
            }
            items.push((heap, (n / with) as u64 + 1));
            n %= with;
            left -= 1;
            // The first of them takes nothing more.
            match n.checked_sub(1) {
                None => break,
                Some(rest) => n = rest,
            }
        }
        Some(Takings(items))
    }

    fn moves<'s>(&'s self, heaps: &'s Vec<u64>, _: Seat) -> Box<dyn Iterator<Item = Takings> + 's> {
        let first = self.next(heaps, Vec::new());
        let all = std::iter::successors(first, |items| self.next(heaps, items.clone()));
        Box::new(all.map(Takings))
    }

    fn read_move(&self, heaps: &Vec<u64>, _: Seat, text: &str) -> Result<Takings, MoveError> {
        let mut letters = Letters::new(text);
        let mut items: Vec<(usize, u64)> = Vec::new();
        loop {
            let column = letters.column();
            let refuse = |why| Err(MoveError::at(column, why));
            let name = letters.take_while(|c| c.is_ascii_alphabetic());
            let place = heap_index(&name).filter(|place| *place < heaps.len());
            let Some(heap) = place else {
                return refuse("the letter of a heap is missing here".to_owned());
            };
            if letters.peek() == Some('-') {
                letters.skip();
            }
            let taken = letters.number()?;
            let name = heap_name(heap);
            match taken {
                0 => return refuse(format!("heap {name} must give at least 1, or is left out")),
                _ if taken > heaps[heap] => {
                    return refuse(format!(
                        "heap {name} has {}: {taken} cannot be taken",
                        heaps[heap]
                    ));
                }
                _ if items.iter().any(|(known, _)| *known == heap) => {
                    return refuse(format!("heap {name} stands twice"));
                }
                _ if items.len() as u64 == self.most => {
                    return refuse(format!(
                        "at most {} heaps may be taken from at once",
                        self.most
                    ));
                }
                _ => items.push((heap, taken)),
            }
            if letters.peek() != Some(',') {
                break;
            }
            letters.skip();
        }
        letters.end()?;
        items.sort_unstable();
        Ok(Takings(items))
    }

    fn play(&self, heaps: &Vec<u64>, mv: &Takings) -> Vec<u64> {
        let mut after = heaps.clone();
        for (heap, taken) in &mv.0 {
            after[*heap] -= taken;
        }
        after
    }

    fn describe(&self, heaps: &Vec<u64>) -> String {
        let named = |(index, heap): (usize, &u64)| format!("{} {heap}", heap_name(index));
        let list: Vec<String> = heaps.iter().enumerate().map(named).collect();
        match heaps.len() {
            0 => "no heaps".to_owned(),
            _ => format!("heaps {}, up to {} at once", list.join(", "), self.most),
        }
    }

    fn describe_move(&self, heaps: &Vec<u64>, mv: &Takings, prefix: &str) -> String {
        let told = |(heap, taken): &(usize, u64)| {
            format!(
                "{taken} from {prefix}{}, leaving {}",
                heap_name(*heap),
                heaps[*heap] - taken
            )
        };
        let told: Vec<String> = mv.0.iter().map(told).collect();
        format!("took {}", told.join(", and "))
    }

    /// The heaps that are not empty, in order of size: moves may take from several of them.
    fn parts(&self, heaps: &Vec<u64>) -> Vec<Vec<u64>> {
        let mut sorted: Vec<u64> = heaps.iter().copied().filter(|heap| *heap > 0).collect();
        sorted.sort_unstable();
        vec![sorted]
    }

    fn values(&self, heaps: &Vec<u64>, _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let lost = moore::is_lost(heaps, self.most, false);
        let value = if lost {
            Some(0)
        } else {
            moore::value(heaps, self.most)
        };
        Ok(vec![value])
    }

    fn method(&self) -> &'static str {
        "binary columns modulo k + 1"
    }

    /// From up to k heaps all can be taken, so that their value is 0 when they are gone; more heaps may have the value 0 and no move to 1, such as
    /// `moore.2:2,2,2`.
    fn is_tame(&self, heaps: &Vec<u64>) -> bool {
        let filled = heaps.iter().filter(|heap| **heap > 0).count() as u64;
        filled <= self.most || heaps.iter().all(|heap| *heap <= 1)
    }

    /// With k = 1 they are heaps of Nim, though one part.
    fn misere_tallies(
        &self,
        heaps: &Vec<u64>,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<Tally>>, Stopped> {
        let tally = match self.most == 1 {
            true => Some(heaps.iter().copied().collect()),
            false if self.is_tame(heaps) => {
                let value = self.values(heaps, meter)?.into_iter().next().flatten();
                value.map(|value| Tally::default().with(value))
            }
            false => None,
        };
        Ok(vec![tally])
    }

    fn is_p_position(&self, heaps: &Vec<u64>, end: EndRule) -> Option<bool> {
        Some(moore::is_lost(heaps, self.most, end.is_misere()))
    }

    /// Of the lost positions that can be left the winner takes the one that ends first.
    fn find_remoteness(
        &self,
        heaps: &Vec<u64>,
        end: EndRule,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u64>, Stopped> {
        let misere = end.is_misere();
        let plies = |heaps: &[u64]| moore::plies_of_lost(heaps, self.most, misere);
        if moore::is_lost(heaps, self.most, misere) {
            return Ok(Some(plies(heaps)));
        }
        let Some(lost) = self.lost_after(heaps, misere, meter)? else {
            return Ok(None);
        };
        let shortest = lost.iter().map(|after| plies(after)).min();
        Ok(Some(shortest.map_or(0, |shortest| shortest + 1)))
    }

    fn replies(
        &self,
        heaps: &Vec<u64>,
        _: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Takings>>, Stopped> {
        let misere = match goal {
            Goal::Value(0) => false,
            Goal::MisereLoss(0) => true,
            _ => return Ok(None),
        };
        let Some(lost) = self.lost_after(heaps, misere, meter)? else {
            return Ok(None);
        };
        let mut all: Vec<Takings> = Vec::with_capacity(lost.len());
        for after in &lost {
            let changed = heaps.iter().zip(after).enumerate();
            let changed = changed.filter(|(_, (before, after))| before != after);
            all.push(Takings(
                changed
                    .map(|(heap, (before, after))| (heap, before - after))
                    .collect(),
            ));
        }
        all.sort_unstable();
        let total = all.len() as u128;
        all.truncate(want);
        Ok(Some(MoveList { first: all, total }))
    }

    fn facts(&self, heaps: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        let modulus = self.most + 1;
        if end.is_misere() && heaps.iter().all(|heap| *heap <= 1) {
            return vec![GameFact::OnlyOnes {
                modulus,
                heaps: heaps.iter().sum(),
            }];
        }
        let mut columns = Terms::default();
        let ones = moore::columns(heaps, self.most).into_iter();
        for (place, ones) in (0u32..).zip(ones).collect::<Vec<_>>().into_iter().rev() {
            if ones > 0 {
                columns.push(|| (1u64 << place).to_string(), ones);
            }
        }
        vec![GameFact::Columns { modulus, columns }]
    }

    fn explain(&self, heaps: &Vec<u64>, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let modulus = u128::from(self.most) + 1;
        let mut lines = vec![format!(
            "Write the heaps in binary; the player to move loses iff the number of 1s in every column is a multiple of {modulus}: at most {} of them change at once.",
            self.most
        )];
        let largest = heaps.iter().copied().max().unwrap_or(0);
        let places = u64::BITS - largest.leading_zeros();
        let wrong: Vec<String> = moore::columns(heaps, self.most)
            .iter()
            .enumerate()
            .take(places as usize)
            .rev()
            .map(|(place, rest)| format!("{}s: {rest}", 1u64 << place))
            .take(20)
            .collect();
        lines.push(format!(
            "  1s modulo {modulus} by column, from the left: {}",
            wrong.join(", ")
        ));
        if end.is_misere() {
            lines.push(format!("In misere play the same holds while a heap is above 1; if none is, the player to move loses iff the number of heaps is 1 modulo {modulus}."));
        } else if let Ok(values) = self.values(heaps, meter)
            && let Some(Some(value)) = values.first()
        {
            lines.push(format!("  Its value in sums is {value}."));
        }
        lines
    }
}
