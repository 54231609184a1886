//! What games with a row of coins share: heads and tails, moves that turn coins, the rightmost from heads to tails.
//!
//! A game of this kind only says which coins may be turned together ([`CoinRule`]).

use std::fmt::{self, Debug};
use std::hash::Hash;

use crate::erased::GameInfo;
use crate::fact::{GameFact, HeadLaw, Terms};
use crate::game::{EndRule, Game};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::fickle::{Fickle, unpaired};
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally};

/// The largest number of coins in a row.
pub const MAX_COINS: usize = 1_000_000;

/// Coins shown one by one.
const SHOWN: usize = 24;

/// Which coins may be turned together; the laws of [`Game`] apply to it.
pub trait CoinRule: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// What one move turns. It prints as the move.
    type Turn: Clone + Debug + fmt::Display + Eq + Send + Sync + 'static;
    /// Reads the name and its parameters.
    fn parse(name: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError>;
    /// Writes the name with its parameters.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    /// What the registry says.
    fn info(&self) -> &'static GameInfo;
    /// How many moves have their right end at this coin.
    fn count(&self, right: u32) -> u128;
    /// Move number `n < count(right)` with this right end.
    fn nth(&self, right: u32, n: u128) -> Self::Turn;
    /// The coins that are turned, ascending, from 1.
    fn turned(&self, turn: &Self::Turn) -> Vec<u32>;
    /// Reads a move and says why it is none of this rule; whether its right end is a head is asked elsewhere.
    fn read(&self, text: &str) -> Result<Self::Turn, MoveError>;
    /// The value of a head at each of these places, in a row of so many coins; `None` where no method reaches.
    fn values(&self, heads: &[u32], meter: &mut Meter<'_>) -> Result<Option<Vec<u64>>, Stopped>;
    /// The moves that change the xor of the values by `change`.
    fn changing(
        &self,
        heads: &[u32],
        change: u64,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Self::Turn>>, Stopped>;
    /// Which rows of so many coins are fickle, in the words of [`crate::theory::fickle`]; `None` where no rule of misère play is known.
    fn fickle(&self, _coins: u32, _meter: &mut Meter<'_>) -> Result<Option<Fickle>, Stopped> {
        Ok(None)
    }
    /// As [`Game::method`].
    fn method(&self) -> &'static str;
    /// Why heads are worth what they are.
    fn law(&self) -> HeadLaw;
}

/// The game on a row under one rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Coins<R>(R);

/// A row of coins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    /// Places of the heads, from 1, ascending.
    heads: Vec<u32>,
    length: u32,
}

impl Row {
    fn is_head(&self, coin: u32) -> bool {
        self.heads.binary_search(&coin).is_ok()
    }
}

impl<R: CoinRule> Coins<R> {
    /// The values of heads at these places and their xor; nothing in misère play, in which they do not decide.
    fn valued(&self, places: &[u32], end: EndRule, meter: &mut Meter<'_>) -> Option<(Terms, u64)> {
        let values = match end {
            EndRule::Misere => None,
            EndRule::Normal => self.0.values(places, meter).ok().flatten(),
        }?;
        let mut terms = Terms::default();
        for (place, value) in places.iter().zip(&values) {
            terms.push(|| place.to_string(), *value);
        }
        Some((terms, xor(&values)))
    }
}

impl<R: CoinRule> Coins<R> {
    /// The moves that leave the row firm where they change its value by `change`, or fickle by one more or less. `None` where no rule is known.
    fn misere_replies(
        &self,
        row: &Row,
        change: u64,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<R::Turn>>, Stopped> {
        let heads = &row.heads;
        let last = heads.last().copied().unwrap_or(0);
        let key = match self.0.fickle(last, meter)? {
            None => return Ok(None),
            Some(Fickle::ByValue) => return self.0.changing(heads, change ^ 1, want, meter),
            Some(Fickle::InPairs { key, .. }) => key,
        };
        let odd = unpaired(heads.iter().map(|head| key(*head)));
        let becomes_fickle = |turn: &R::Turn| {
            let turned = unpaired(self.0.turned(turn).into_iter().map(key));
            turned == odd
        };
        let mut all = Vec::new();
        for (change, fickle) in [(change, false), (change ^ 1, true)] {
            let Some(moves) = self.0.changing(heads, change, usize::MAX, meter)? else {
                return Ok(None);
            };
            all.extend(
                moves
                    .first
                    .into_iter()
                    .filter(|turn| becomes_fickle(turn) == fickle),
            );
        }
        // No two of them have the same right end: they would differ by a change of 1, so both were firm or both fickle.
        all.sort_by_key(|turn| self.0.turned(turn).last().copied());
        let total = all.len() as u128;
        all.truncate(want);
        Ok(Some(MoveList { first: all, total }))
    }
}

impl<R: CoinRule> Game for Coins<R> {
    type State = Row;
    type Move = R::Turn;

    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Row), NotationError> {
        let rule = R::parse(name, parameters)?;
        let example = rule.info().examples[0];
        Ok((Self(rule), read_row(state, example)?))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f)
    }

    fn write_state(&self, row: &Row, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if row.length == 0 {
            return f.write_str("_");
        }
        let mut letters = vec![b'T'; row.length as usize];
        for head in &row.heads {
            letters[*head as usize - 1] = b'H';
        }
        letters
            .into_iter()
            .try_for_each(|letter| write!(f, "{}", char::from(letter)))
    }

    fn move_count(&self, row: &Row, _: Seat) -> u128 {
        let counts = row.heads.iter().map(|head| self.0.count(*head));
        counts.fold(0, u128::saturating_add)
    }

    fn nth_move(&self, row: &Row, _: Seat, mut n: u128) -> Option<R::Turn> {
        for head in &row.heads {
            let count = self.0.count(*head);
            if n < count {
                return Some(self.0.nth(*head, n));
            }
            n -= count;
        }
        None
    }

    fn moves<'s>(&'s self, row: &'s Row, _: Seat) -> Box<dyn Iterator<Item = R::Turn> + 's> {
        Box::new(
            row.heads
                .iter()
                .flat_map(move |head| (0..self.0.count(*head)).map(move |n| self.0.nth(*head, n))),
        )
    }

    fn read_move(&self, row: &Row, _: Seat, text: &str) -> Result<R::Turn, MoveError> {
        let turn = self.0.read(text)?;
        let right = self.0.turned(&turn).last().copied().unwrap_or(0);
        if right > row.length {
            let message = format!("there is no coin {right}: they are 1 to {}", row.length);
            return Err(MoveError::at(1, message));
        }
        match row.is_head(right) {
            true => Ok(turn),
            false => {
                let message =
                    format!("coin {right}, the rightmost turned, must be heads: it is tails");
                Err(MoveError::at(1, message))
            }
        }
    }

    fn play(&self, row: &Row, turn: &R::Turn) -> Row {
        let turned = self.0.turned(turn);
        let mut heads = Vec::with_capacity(row.heads.len() + turned.len());
        let mut left = row.heads.iter().copied().peekable();
        for coin in turned {
            while let Some(head) = left.next_if(|head| *head < coin) {
                heads.push(head);
            }
            if left.next_if_eq(&coin).is_none() {
                heads.push(coin);
            }
        }
        heads.extend(left);
        Row {
            heads,
            length: row.length,
        }
    }

    fn describe(&self, row: &Row) -> String {
        let shown: Vec<String> = row.heads.iter().take(SHOWN).map(u32::to_string).collect();
        let more = row.heads.len() - shown.len();
        match row.heads.len() {
            0 => format!("{} coins, all tails", row.length),
            1 => format!("{} coins, heads at {}", row.length, shown[0]),
            _ if more > 0 => format!(
                "{} coins, heads at {} and {more} more",
                row.length,
                shown.join(", ")
            ),
            _ => format!("{} coins, heads at {}", row.length, shown.join(", ")),
        }
    }

    fn describe_move(&self, _: &Row, turn: &R::Turn, prefix: &str) -> String {
        format!("turned {prefix}{turn}")
    }

    fn parts(&self, row: &Row) -> Vec<Row> {
        let length = row.heads.last().copied().unwrap_or(0);
        let heads = row.heads.clone();
        vec![Row { heads, length }]
    }

    fn bytes(&self, row: &Row) -> u64 {
        row.heads.len() as u64 * 4
    }

    fn values(&self, row: &Row, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let values = self.0.values(&row.heads, meter)?;
        Ok(vec![values.map(|values| xor(&values))])
    }

    fn method(&self) -> &'static str {
        self.0.method()
    }

    fn misere_tallies(
        &self,
        row: &Row,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<Tally>>, Stopped> {
        let last = row.heads.last().copied().unwrap_or(0);
        let Some(fickle) = self.0.fickle(last, meter)? else {
            return Ok(vec![None]);
        };
        let values = self.0.values(&row.heads, meter)?;
        let tally = values.map(|values| fickle.tally(&row.heads, xor(&values)));
        Ok(vec![tally])
    }

    fn replies(
        &self,
        row: &Row,
        _: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<R::Turn>>, Stopped> {
        let Some(values) = self.0.values(&row.heads, meter)? else {
            return Ok(None);
        };
        let value = xor(&values);
        match goal {
            Goal::Value(goal) => self.0.changing(&row.heads, value ^ goal, want, meter),
            Goal::MisereLoss(beside) => self.misere_replies(row, value ^ beside, want, meter),
        }
    }

    fn facts(&self, row: &Row, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        let heads = self.valued(&row.heads, end, meter);
        let heads = heads.map(|(coins, xor)| GameFact::Heads { coins, xor });
        let law = GameFact::HeadValues { law: self.0.law() };
        [law].into_iter().chain(heads).collect()
    }

    fn changes(
        &self,
        _: &Row,
        turn: &R::Turn,
        end: EndRule,
        meter: &mut Meter<'_>,
    ) -> Vec<GameFact> {
        let coins = self.valued(&self.0.turned(turn), end, meter);
        let fact = coins.map(|(coins, xor)| GameFact::TurnedCoins { coins, xor });
        fact.into_iter().collect()
    }

    fn explain(&self, row: &Row, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec![
            "The value of a row is the xor of the values of its heads, each taken alone."
                .to_owned(),
        ];
        let Ok(Some(values)) = self.0.values(&row.heads, meter) else {
            lines.push("  These values are outside the table.".to_owned());
            return lines;
        };
        for (head, value) in row.heads.iter().zip(&values).take(SHOWN) {
            lines.push(format!("  head at {head:>6}  value {value}"));
        }
        if values.len() > SHOWN {
            lines.push(format!("  and {} more heads", values.len() - SHOWN));
        }
        lines.push(format!("  XOR of all heads: {}", xor(&values)));
        if end.is_misere() {
            let fickle = self.0.fickle(row.length, meter).ok().flatten();
            lines.push(misere_line(fickle, &row.heads, xor(&values)));
        }
        lines
    }
}

/// What decides in misère play.
fn misere_line(fickle: Option<Fickle>, heads: &[u32], value: u64) -> String {
    match fickle {
        None => "Misere play: these values do not decide; no rule is known, and only an exhaustive search decides.".to_owned(),
        Some(Fickle::ByValue) => "Misere play: a row is lost if its value is 1, and won otherwise.".to_owned(),
        Some(kind @ Fickle::InPairs { when, .. }) => {
            let (so, lost) = match kind.holds(heads, value) {
                true => ("So it is here", 1),
                false => ("It is not so here", 0),
            };
            format!("Misere play: if {when}, a row is lost if its value is 1, otherwise if its value is 0. {so}: value {lost} is lost.")
        }
    }
}

fn xor(values: &[u64]) -> u64 {
    values.iter().fold(0, |xor, value| xor ^ value)
}

fn read_row(state: Word<'_>, example: &str) -> Result<Row, NotationError> {
    const EXPECTED: &str = "H for heads and T or . for tails, or _ for no coins";
    let bad = NotationCode::BadPosition;
    if state.text.is_empty() {
        return state.refuse(bad, "the coins are missing", EXPECTED, example);
    }
    if state.text.len() > MAX_COINS {
        let message = format!(
            "{} coins are too many: {MAX_COINS} are the limit",
            state.text.len()
        );
        let expected = format!("at most {MAX_COINS} coins");
        return state.refuse(NotationCode::OutOfRange, message, expected, example);
    }
    let mut heads = Vec::new();
    let letters = if state.text == "_" { "" } else { state.text };
    for (index, letter) in letters.bytes().enumerate() {
        match letter {
            b'H' => heads.push(index as u32 + 1),
            b'T' | b'.' => {}
            _ => {
                let place = state.part(index, index + 1);
                let message = format!("'{}' is neither heads nor tails", place.text);
                return place.refuse(bad, message, EXPECTED, example);
            }
        }
    }
    Ok(Row {
        heads,
        length: letters.len() as u32,
    })
}
