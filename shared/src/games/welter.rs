//! Welter's game: coins on different squares, each moved down to any free square, past the others.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, Terms};
use crate::game::{EndRule, Game};
use crate::games::heaps::no_parameters;
use crate::games::nimble::{Slide, coins_text};
use crate::games::silver::read_coins;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word, write_list};
use crate::theory::welter::{Coins, mates};
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally};

/// Coins whose mates are shown one by one.
const SHOWN: usize = 24;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "welter",
    title: "Welter's game",
    rule: "Move one coin to any free square with a smaller number; it may jump over other coins. The player who makes the last move wins.",
    notation: "welter:2,3,7 has coins on squares 2, 3 and 7; the lowest square is 0; a square holds at most one coin",
    move_notation: "7-1 moves the coin on square 7 to square 1",
    examples: &[
        "welter:2,3,7",
        "welter:1,4,6",
        "welter:0,1,2",
        "welter:4,5",
        "welter:5,1,3,8",
        "welter:6",
        "welter:_",
    ],
    example_move: "7-1",
    method: "Welter's function: coins are mated by their low bits, mates a and b count (a xor b) - 1; misere play by the theory of tame games",
    complexity: "O(coins log coins) for the value and the winning moves, for each of 64 bits",
    limits: "100,000 coins on squares up to 10^18",
    source: "C. P. Welter 1954; J. H. Conway, On Numbers and Games, 1976, chapter 13; misere: Y. Yamasaki 1980",
    board: BoardKind::Squares,
    read: erased::read::<Welter>,
};

/// The rules of the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Welter;

/// The coins in ascending order, to find the free squares below one of them.
struct Strip(Vec<u64>);

impl Strip {
    fn new(coins: &[u64]) -> Self {
        let mut sorted = coins.to_vec();
        sorted.sort_unstable();
        Self(sorted)
    }

    /// How many squares below a coin are free.
    fn free_below(&self, coin: u64) -> u64 {
        coin - self.0.partition_point(|other| *other < coin) as u64
    }

    /// Free square number `n` below a coin, from 0, nearest first.
    fn nth_below(&self, coin: u64, n: u64) -> u64 {
        let from_the_left = self.free_below(coin) - 1 - n;
        // Coins are skipped as long as no more free squares than that lie below them.
        let (mut skipped, mut above) = (0, self.0.len());
        while skipped < above {
            let middle = (skipped + above) / 2;
            match self.0[middle] - middle as u64 <= from_the_left {
                true => skipped = middle + 1,
                false => above = middle,
            }
        }
        from_the_left + skipped as u64
    }
}

impl Welter {
    /// The move of a coin that reaches a goal, if it has one: it has at most one square for each value.
    fn reply(sorted: &Coins, all: &[u64], place: usize, goal: Goal) -> Option<Slide> {
        let coin = all[place];
        let below = |value: u64| Some(sorted.square_for(coin, value)).filter(|to| *to < coin);
        let (firm, fickle) = match goal {
            Goal::Value(value) => return below(value).map(|to| Slide::new(coin, to)),
            Goal::MisereLoss(beside) => (below(beside), below(beside ^ 1)),
        };
        let becomes_fickle = |to: &u64| {
            let mut after = all.to_vec();
            after[place] = *to;
            Coins::new(&after).is_fickle()
        };
        let firm = firm.filter(|to| !becomes_fickle(to));
        let to = firm.or_else(|| fickle.filter(becomes_fickle))?;
        Some(Slide::new(coin, to))
    }
}

impl Game for Welter {
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

    fn move_count(&self, coins: &Vec<u64>, _: Seat) -> u128 {
        let squares: u128 = coins.iter().map(|coin| u128::from(*coin)).sum();
        let pairs = coins.len() as u128 * coins.len().saturating_sub(1) as u128 / 2;
        squares - pairs
    }

    fn nth_move(&self, coins: &Vec<u64>, _: Seat, mut n: u128) -> Option<Slide> {
        let strip = Strip::new(coins);
        for coin in coins {
            let free = u128::from(strip.free_below(*coin));
            if n < free {
                return Some(Slide::new(*coin, strip.nth_below(*coin, n as u64)));
            }
            n -= free;
        }
        None
    }

    /// Coin by coin as listed, nearest square first.
    fn moves<'s>(&'s self, coins: &'s Vec<u64>, _: Seat) -> Box<dyn Iterator<Item = Slide> + 's> {
        let strip = Strip::new(coins);
        Box::new(coins.iter().flat_map(move |coin| {
            let taken = strip.0.partition_point(|other| other < coin);
            let mut lower = strip.0[..taken].to_vec();
            let free = (0..*coin).rev().filter(move |square| {
                let is_taken = lower.last() == Some(square);
                if is_taken {
                    lower.pop();
                }
                !is_taken
            });
            free.map(|square| Slide::new(*coin, square))
        }))
    }

    fn read_move(&self, coins: &Vec<u64>, _: Seat, text: &str) -> Result<Slide, MoveError> {
        let (slide, column) = Slide::read_from(coins, text)?;
        match coins.contains(&slide.to()) {
            true => {
                let message = format!("there is a coin on square {}", slide.to());
                Err(MoveError::at(column, message))
            }
            false => Ok(slide),
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
        vec![Strip::new(coins).0]
    }

    fn bytes(&self, coins: &Vec<u64>) -> u64 {
        coins.len() as u64 * 8
    }

    fn values(&self, coins: &Vec<u64>, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(coins.len() as u64)?;
        Ok(vec![Some(Coins::new(coins).value())])
    }

    fn keeps_values(&self, _: &Vec<u64>) -> bool {
        true
    }

    fn method(&self) -> &'static str {
        "Welter's function"
    }

    fn misere_tallies(
        &self,
        coins: &Vec<u64>,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<Tally>>, Stopped> {
        meter.work(coins.len() as u64)?;
        Ok(vec![Some(Coins::new(coins).tally())])
    }

    fn is_p_position(&self, coins: &Vec<u64>, end: EndRule) -> Option<bool> {
        Some(Coins::new(coins).tally().is_lost(end.is_misere()))
    }

    fn replies(
        &self,
        coins: &Vec<u64>,
        _: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Slide>>, Stopped> {
        let sorted = Coins::new(coins);
        let mut replies = MoveList::default();
        for place in 0..coins.len() {
            // A goal of misère play is checked on all coins.
            let others = match goal {
                Goal::Value(_) => 0,
                Goal::MisereLoss(_) => coins.len() as u64,
            };
            meter.work(16 + others / 4)?;
            if let Some(slide) = Self::reply(&sorted, coins, place, goal) {
                replies.push(want, || slide);
            }
        }
        Ok(Some(replies))
    }

    fn facts(&self, coins: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        if end.is_misere() || coins.len() > SHOWN {
            return Vec::new();
        }
        let (found, single) = mates(coins);
        let mut pairs = Terms::default();
        for (a, b) in found {
            pairs.push(|| format!("{a},{b}"), (a ^ b) - 1);
        }
        vec![GameFact::Mates {
            pairs,
            single,
            xor: Coins::new(coins).value(),
        }]
    }

    fn explain(&self, coins: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let sorted = Coins::new(coins);
        let mut lines = vec![
            "Pair the two coins whose squares agree in most of their lowest binary digits, then the next two among the others, and so on.".to_owned(),
            "A pair on squares a and b has the value (a xor b) - 1, a coin that is left over the number of its square.".to_owned(),
        ];
        if coins.len() <= SHOWN {
            let (pairs, single) = mates(coins);
            for (a, b) in pairs {
                lines.push(format!("  coins {a} and {b}: {}", (a ^ b) - 1));
            }
            lines.extend(single.map(|square| format!("  coin {square} left over: {square}")));
        }
        lines.push(format!("  XOR of the values: {}", sorted.value()));
        if end.is_misere() {
            let double = 2 * coins.len();
            lines.push(match (sorted.is_fickle(), double.checked_sub(1)) {
                (true, Some(sum)) => format!("Misere play, and the coins have one of each two squares that add up to {sum}: here the player to move loses if the value is 1."),
                (false, Some(sum)) => format!("Misere play changes nothing unless a move leaves the coins on one of each two squares that add up to {sum}: then leave value 1."),
                (_, None) => "Misere play, and no coins: the player to move has won.".to_owned(),
            });
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_squares_are_counted_past_the_coins() {
        let coins = vec![2, 9, 3, 5, 0];
        let moves: Vec<Slide> = Welter.moves(&coins, Seat::First).collect();
        let numbered = (0..).map_while(|n| Welter.nth_move(&coins, Seat::First, n));
        assert_eq!(moves, numbered.collect::<Vec<_>>());
        assert_eq!(moves.len() as u128, Welter.move_count(&coins, Seat::First));
        let of_nine: Vec<u64> = moves
            .iter()
            .filter(|mv| mv.from() == 9)
            .map(Slide::to)
            .collect();
        assert_eq!(of_nine, [8, 7, 6, 4, 1]);
    }
}
