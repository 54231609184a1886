//! What reasons say of values in partizan sums, against plain recursion.

use std::collections::HashMap;

use crate::component_facts::{MOST, parse};
use crate::truth::Judge;
use grundy_shared::Position;
use grundy_shared::fact::{Stake, Worth};
use grundy_shared::ids::Seat;

/// Conway's rule of the simplest number, of positions all of whose options are numbers; in units of 1/1024.
pub(crate) fn simplest_number(
    position: &Position,
    known: &mut HashMap<Position, Option<i64>>,
) -> Option<i64> {
    if let Some(number) = known.get(position) {
        return *number;
    }
    let mut options = |seat| -> Option<Vec<i64>> {
        let moves = position.moves(seat);
        moves
            .map(|mv| simplest_number(&position.play(&mv), known))
            .collect()
    };
    let (left, right) = (options(Seat::First), options(Seat::Second));
    let number = left.zip(right).and_then(|(left, right)| {
        let low = left.into_iter().max().unwrap_or(i64::MIN / 2);
        let high = right.into_iter().min().unwrap_or(i64::MAX / 2);
        // The coarsest number in between, of these the one nearest to 0.
        (0..=10).find_map(|halvings| {
            let unit = 1024i64 >> halvings;
            let all = (-64 * (1024 / unit)..=64 * (1024 / unit)).map(|n| n * unit);
            let between = all.filter(|number| low < *number && *number < high);
            between.min_by_key(|number| number.abs())
        })
    });
    known.insert(position.clone(), number);
    number
}

/// A number in units of 1/1024 as text, in lowest terms.
fn fraction(units: i64) -> String {
    let halvings = units.trailing_zeros().min(10);
    match 10 - halvings {
        0 => (units >> 10).to_string(),
        left => format!("{}/{}", units >> halvings, 1 << left),
    }
}

/// A number as text, in units of 1/1024.
pub(crate) fn units(text: &str) -> Option<i64> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let denominator: i64 = denominator.parse().ok()?;
    Some(numerator.parse::<i64>().ok()? * 1024 / denominator)
}

/// What is at stake against plain recursion: who wins if a number a little below or above a stop is taken off.
pub(crate) fn check_stake(
    stake: &Stake,
    position: &Position,
    judge: &mut Judge,
) -> Option<&'static str> {
    let (left, right) = match stake {
        Stake::Number { number } | Stake::Infinitesimal { number, .. } => (number, number),
        Stake::Hot { left, right } => (left, right),
    };
    let (left, right) = (units(left), units(right));
    let (left, right) = (left.expect("a number"), right.expect("a number"));
    assert_eq!(
        matches!(stake, Stake::Hot { .. }),
        left > right,
        "{position}"
    );
    if left.abs().max(right.abs()) > 6 * 1024 {
        return None;
    }
    // A compound in which only one component has a move is played as a sum.
    let components: Vec<String> = position.components().map(|(_, text)| text).collect();
    let position = components.join("+");
    // A quarter of a move, which no infinitesimal outweighs.
    for (seat, stop) in [(Seat::First, left), (Seat::Second, right)] {
        for (shift, left_wins) in [(-256, true), (256, false)] {
            let taken = -(stop + shift);
            let with = parse(&format!("{position}+value:{}", fraction(taken)));
            let truth = judge.verdict(&with, seat, MOST)?;
            let wins = truth.wins == Some(true);
            assert_eq!(wins == (seat == Seat::First), left_wins, "{with} {seat}");
        }
    }
    // Once a number is taken off, whoever moves first loses; of an infinitesimal the player ahead wins, or the one who starts.
    let with = parse(&format!("{position}+value:{}", fraction(-left)));
    if let Stake::Infinitesimal { ahead, .. } = stake {
        for seat in Seat::BOTH {
            let truth = judge.verdict(&with, seat, MOST)?;
            let expected = ahead.is_none_or(|ahead| ahead == seat);
            assert_eq!(truth.wins, Some(expected), "{with} {seat}");
        }
    }
    if matches!(stake, Stake::Number { .. }) {
        for seat in Seat::BOTH {
            let lost = judge.verdict(&with, seat, MOST);
            assert!(lost.is_none_or(|lost| lost.wins == Some(false)), "{with}");
        }
    }
    Some(match stake {
        Stake::Number { .. } => "stakes of numbers",
        Stake::Infinitesimal { .. } => "infinitesimals",
        Stake::Hot { .. } => "stops",
    })
}

/// The summand with most between its stops is the first of those.
pub(crate) fn check_hottest(terms: &[Worth], hottest: Option<&str>, position: &Position) {
    let swing = |worth: &Worth| match &worth.stake {
        Stake::Hot { left, right } => units(left).zip(units(right)).map(|(l, r)| l - r),
        _ => None,
    };
    let most = terms.iter().filter_map(swing).max();
    let first = terms
        .iter()
        .find(|worth| most.is_some() && swing(worth) == most);
    let expected = first.filter(|_| terms.len() > 1);
    assert_eq!(hottest, expected.map(|worth| &*worth.name), "{position}");
}
