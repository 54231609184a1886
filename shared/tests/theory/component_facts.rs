//! What reasons say of the components of sums and compounds, against the recursions that define it.

use std::collections::HashMap;

use crate::truth::{Judge, Verdict};
use grundy_shared::Position;
use grundy_shared::fact::{PartKind, Standing, Terms};
use grundy_shared::ids::Seat;
use grundy_shared::theory::compound::Compound;
use grundy_shared::theory::mex;

/// Positions met in plain recursion before one is passed over as too large.
pub(crate) const MOST: usize = 1_500;

pub(crate) fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// One component of a position, alone, in this end rule.
pub(crate) fn alone(position: &Position, component: usize, misere: bool) -> Position {
    let (_, text) = position.components().nth(component).expect("a component");
    parse(&format!("{text}{}", if misere { "@misere" } else { "" }))
}

/// A component alone with its verdict for this player to move; nothing where a compound reaches only a small share of what it can reach alone.
pub(crate) fn judged_alone(
    judge: &mut Judge,
    position: &Position,
    component: usize,
    seat: Seat,
    misere: bool,
) -> Option<(Position, Verdict)> {
    let alone = alone(position, component, misere);
    let found = judge.verdict(&alone, seat, MOST)?;
    Some((alone, found))
}

/// In place of a foreclosed value: the component is over.
const OVER: u64 = u64::MAX;
/// In place of a foreclosed value: a move ends the component, and wins.
const HOT: u64 = u64::MAX - 1;

/// The foreclosed value of a component whose options have these.
pub(crate) fn foreclosed(options: &[u64], misere: bool) -> u64 {
    match options {
        [] => OVER,
        _ if !misere && options.contains(&OVER) => HOT,
        _ => {
            let left = options.iter().copied().filter(|value| *value < HOT);
            mex(&left.collect::<Vec<_>>())
        }
    }
}

/// What terms say of the component with this number.
pub(crate) fn value_of(terms: &Terms, number: u64) -> Option<u64> {
    let mut terms = terms.first.iter();
    let named = terms.find(|term| term.name == number.to_string());
    named.map(|term| term.value)
}

/// What terms say of the other components.
pub(crate) fn others_of(terms: &Terms, number: u64) -> impl Iterator<Item = u64> {
    let others = terms.first.iter();
    let others = others.filter(move |term| term.name != number.to_string());
    others.map(|term| term.value)
}

/// A recursive number of a position from those of its options.
pub(crate) fn recursive(
    position: &Position,
    known: &mut HashMap<Position, u64>,
    of_options: &dyn Fn(&[u64]) -> u64,
) -> u64 {
    if let Some(number) = known.get(position) {
        return *number;
    }
    let moves = position.moves(Seat::First);
    let options: Vec<u64> = moves
        .map(|mv| recursive(&position.play(&mv), known, of_options))
        .collect();
    let number = of_options(&options);
    known.insert(position.clone(), number);
    number
}

/// The xor of the terms that are all named.
pub(crate) fn check_xor(terms: &Terms, xor: u64, position: &Position) {
    if let Some(all) = terms.all() {
        let sum = all.into_iter().fold(0, |sum, value| sum ^ value);
        assert_eq!(sum, xor, "{position}");
    }
}

/// The components that terms name, and what is said of them.
pub(crate) fn components(terms: &Terms, position: &Position) -> Vec<(usize, u64)> {
    let components = position.component_count() > 1;
    assert_eq!(terms.of == PartKind::Component, components, "{position}");
    let terms = terms.first.iter();
    let named = |name: &str| name.parse::<usize>().expect("the number of a component") - 1;
    match position.component_count() {
        1 => Vec::new(),
        _ => terms.map(|term| (named(&term.name), term.value)).collect(),
    }
}

/// The foreclosed values of components, and which of them a move ends with a win.
pub(crate) fn check_foreclosed(
    judge: &mut Judge,
    terms: &Terms,
    ending: &[u64],
    xor: Option<u64>,
    position: &Position,
) {
    let misere = position.end_rule().is_misere();
    let mut hot = Vec::new();
    for component in 0..position.component_count() {
        let alone = alone(position, component, false);
        let mut moves = alone.moves(Seat::First);
        if !misere && moves.any(|mv| alone.play(&mv).is_over(Seat::First)) {
            hot.push(component as u64 + 1);
        }
    }
    assert_eq!(ending, hot, "{position}");
    if let Some(xor) = xor {
        check_xor(terms, xor, position);
    }
    check_terms(judge, terms, position, Seat::First, "foreclosed value");
}

/// What is said of each component against the recursion that defines it.
pub(crate) fn check_terms(
    judge: &mut Judge,
    terms: &Terms,
    position: &Position,
    seat: Seat,
    what: &str,
) {
    for (component, said) in components(terms, position) {
        if let Some(number) = number_alone(judge, position, component, seat, what) {
            assert_eq!(said, number, "{what} of {component} in {position}");
        }
    }
}

/// The number of a component alone that a compound asks for, with this player to move; nothing where it is too large.
pub(crate) fn number_alone(
    judge: &mut Judge,
    position: &Position,
    component: usize,
    seat: Seat,
    what: &str,
) -> Option<u64> {
    let misere = position.end_rule().is_misere();
    let (alone, truth) = judged_alone(judge, position, component, seat, misere)?;
    let lost = |plies: &&u64| plies.is_multiple_of(2) != misere;
    let suspense = |options: &[u64]| match options.iter().filter(lost).max() {
        Some(longest) => longest + 1,
        None => options.iter().min().map_or(0, |shortest| shortest + 1),
    };
    match what {
        "remoteness" => truth.plies,
        "suspense" => Some(recursive(&alone, &mut HashMap::new(), &suspense)),
        "foreclosed value" => {
            let value = |options: &[u64]| foreclosed(options, misere);
            Some(recursive(&alone, &mut HashMap::new(), &value))
        }
        _ => Some(recursive(&alone, &mut HashMap::new(), &|values| {
            mex(values)
        })),
    }
}

/// What is said of a component of a compound.
pub(crate) fn check_standing(
    judge: &mut Judge,
    said: Standing,
    position: &Position,
    component: usize,
    seat: Seat,
) {
    let misere = position.end_rule().is_misere();
    let (what, said) = match said {
        Standing::Suspense { plies } => ("suspense", plies),
        Standing::Remoteness { plies } => ("remoteness", plies),
        Standing::Foreclosed { value } => ("foreclosed value", value),
        Standing::NimValue { value } => ("nim-value", value),
        Standing::Hot {} => ("foreclosed value", HOT),
        Standing::Over {} => {
            return assert!(alone(position, component, misere).is_over(seat));
        }
        Standing::Outcome { lost } => {
            let misere = misere && position.compound() != Compound::Selective;
            if let Some((_, truth)) = judged_alone(judge, position, component, seat, misere) {
                assert_eq!(truth.wins, Some(!lost), "{component} in {position}");
            }
            return;
        }
    };
    if let Some(number) = number_alone(judge, position, component, seat, what) {
        assert_eq!(said, number, "{what} of {component} in {position}");
    }
}
