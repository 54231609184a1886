//! The silver-dollar game without the dollar: coins on a strip, moved down without jumping or sharing a square.
//!
//! The gaps between neighbouring coins, counted from the right, are the steps of a [staircase](crate::theory::stairs): a coin that moves down makes
//! the gap below it smaller and the gap above it larger by as much.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::GameFact;
use crate::game::{EndRule, Game};
use crate::games::heaps::{no_parameters, read_heaps};
use crate::games::nimble::{Slide, coins_text};
use crate::games::stairs::{odd_steps, step_change};
use crate::games::working::{misere_lines, value_lines};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally, stairs};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "silver",
    title: "Silver dollar",
    rule: "Move one coin to a square with a smaller number, without jumping over a coin or landing on one. The player who makes the last move wins.",
    notation: "silver:2,3,7 has coins on squares 2, 3 and 7; the lowest square is 0; a square holds at most one coin",
    move_notation: "7-4 moves the coin on square 7 to square 4",
    examples: &[
        "silver:1,4,6",
        "silver:2,3,7",
        "silver:0,1,2",
        "silver:5",
        "silver:6,1,3",
        "silver:_",
    ],
    example_move: "4-2",
    method: "the xor of every other gap from the right; misere play as misere Nim on them",
    complexity: "O(coins x log coins)",
    limits: "100,000 coins on squares up to 10^18",
    source: "E. Berlekamp, J. Conway, R. Guy, Winning Ways, 1982, chapter 15",
    board: BoardKind::Squares,
    read: erased::read::<Silver>,
};

/// The rules of the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Silver;

/// The coins by their squares from the right, as places in the list, each with the gap below it.
fn gaps(coins: &[u64]) -> Vec<(usize, u64)> {
    let mut places: Vec<usize> = (0..coins.len()).collect();
    places.sort_unstable_by_key(|place| std::cmp::Reverse(coins[*place]));
    let below = |rank: usize| places.get(rank + 1).map_or(0, |lower| coins[*lower] + 1);
    let gaps = places.iter().enumerate();
    gaps.map(|(rank, place)| (*place, coins[*place] - below(rank)))
        .collect()
}

/// The gaps as steps of a staircase.
fn steps(coins: &[u64]) -> Vec<u64> {
    gaps(coins).into_iter().map(|(_, gap)| gap).collect()
}

/// The gaps in the order of the list of coins.
fn listed(coins: &[u64]) -> Vec<u64> {
    let mut gaps = gaps(coins);
    gaps.sort_unstable();
    gaps.into_iter().map(|(_, gap)| gap).collect()
}

/// Reads coins on different squares.
pub(crate) fn read_coins(state: Word<'_>, example: &str) -> Result<Vec<u64>, NotationError> {
    let coins = read_heaps(state, example)?;
    let mut seen = rustc_hash::FxHashSet::default();
    if let Some(twice) = coins.iter().position(|square| !seen.insert(*square)) {
        let word = state.split(',').nth(twice).unwrap_or(state);
        return word.refuse(
            NotationCode::BadPosition,
            format!("square {} has a coin already", word.shown()),
            "squares that are all different",
            example,
        );
    }
    Ok(coins)
}

impl Game for Silver {
    type State = Vec<u64>;
    type Move = Slide;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Vec<u64>), NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok((Self, read_coins(state, INFO.examples[0])?))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, coins: &Vec<u64>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, coins)
    }

    /// The squares without a coin below the highest coin, each counted for the coin next above it.
    fn move_count(&self, coins: &Vec<u64>, _: Seat) -> u128 {
        let highest = coins.iter().max();
        highest.map_or(0, |highest| u128::from(*highest) + 1 - coins.len() as u128)
    }

    fn nth_move(&self, coins: &Vec<u64>, _: Seat, mut n: u128) -> Option<Slide> {
        for (square, gap) in coins.iter().zip(listed(coins)) {
            if n < u128::from(gap) {
                return Some(Slide::new(*square, square - 1 - n as u64));
            }
            n -= u128::from(gap);
        }
        None
    }

    fn moves<'s>(&'s self, coins: &'s Vec<u64>, _: Seat) -> Box<dyn Iterator<Item = Slide> + 's> {
        let coins = coins.iter().zip(listed(coins));
        Box::new(coins.flat_map(|(from, gap)| {
            (1..=gap).map(move |distance| Slide::new(*from, from - distance))
        }))
    }

    fn read_move(&self, coins: &Vec<u64>, _: Seat, text: &str) -> Result<Slide, MoveError> {
        let (slide, column) = Slide::read_from(coins, text)?;
        let (from, to) = (slide.from(), slide.to());
        let refuse = |why| Err(MoveError::at(column, why));
        match coins.iter().filter(|coin| (to..from).contains(coin)).max() {
            Some(other) if *other == to => refuse(format!("there is a coin on square {to}")),
            Some(other) => refuse(format!("the coin on square {other} is in the way")),
            None => Ok(slide),
        }
    }

    fn play(&self, coins: &Vec<u64>, mv: &Slide) -> Vec<u64> {
        mv.made(coins)
    }

    fn describe(&self, coins: &Vec<u64>) -> String {
        coins_text(coins)
    }

    fn describe_move(&self, _: &Vec<u64>, mv: &Slide, _: &str) -> String {
        mv.told()
    }

    fn parts(&self, coins: &Vec<u64>) -> Vec<Vec<u64>> {
        let mut sorted = coins.clone();
        sorted.sort_unstable();
        vec![sorted]
    }

    fn values(&self, coins: &Vec<u64>, _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        Ok(vec![Some(stairs::value(&steps(coins)))])
    }

    fn keeps_values(&self, _: &Vec<u64>) -> bool {
        true
    }

    fn method(&self) -> &'static str {
        "alternate gaps"
    }

    fn misere_tallies(
        &self,
        coins: &Vec<u64>,
        _: &mut Meter<'_>,
    ) -> Result<Vec<Option<Tally>>, Stopped> {
        Ok(vec![Some(stairs::odd(&steps(coins)))])
    }

    fn is_p_position(&self, coins: &Vec<u64>, end: EndRule) -> Option<bool> {
        Some(stairs::is_lost(&steps(coins), end.is_misere()))
    }

    fn replies(
        &self,
        coins: &Vec<u64>,
        _: usize,
        goal: Goal,
        want: usize,
        _: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Slide>>, Stopped> {
        let gaps = gaps(coins);
        let steps: Vec<u64> = gaps.iter().map(|(_, gap)| *gap).collect();
        let found = stairs::replies(&steps, goal).map(|(step, distance)| (gaps[step].0, distance));
        let mut found: Vec<(usize, u64)> = found.collect();
        found.sort_unstable();
        let mut replies = MoveList::default();
        for (place, distance) in found {
            replies.push(want, || Slide::new(coins[place], coins[place] - distance));
        }
        Ok(Some(replies))
    }

    fn facts(&self, coins: &Vec<u64>, _: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        vec![odd_steps(&steps(coins), true)]
    }

    fn changes(
        &self,
        coins: &Vec<u64>,
        mv: &Slide,
        _: EndRule,
        _: &mut Meter<'_>,
    ) -> Vec<GameFact> {
        let (before, after) = (steps(coins), steps(&self.play(coins, mv)));
        // The gap of the coin gets smaller, the one above it larger.
        let moved = before.iter().zip(&after).position(|(old, new)| new < old);
        let change = moved.map(|from| step_change(&before, &after, from, true));
        change.into_iter().collect()
    }

    fn explain(&self, coins: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let gaps = gaps(coins);
        let counted: Vec<(usize, u64)> = gaps.iter().step_by(2).copied().collect();
        let sizes: Vec<u64> = counted.iter().map(|(_, gap)| *gap).collect();
        let values: Vec<Option<u64>> = sizes.iter().copied().map(Some).collect();
        let mut lines = vec![
            "Count the free squares below the rightmost coin, below the third from the right, and so on: each such gap is a heap of Nim.".to_owned(),
            "If a coin makes such a gap larger, the coin above it can follow and restore it.".to_owned(),
        ];
        let name = |index: usize| (index + 1).to_string();
        lines.extend(value_lines(&sizes, &values, name, |_| {
            "free squares in the gap".to_owned()
        }));
        lines.extend(misere_lines(&values, end));
        lines
    }
}
