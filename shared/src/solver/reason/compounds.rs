//! The facts that decide a compound: one number of each component, and the law that combines them.

use super::sums::{self, Found};
use crate::erased::Component;
use crate::fact::{Fact, MAX_TERMS, PartKind, Standing, Terms};
use crate::game::EndRule;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::bounds::BOUNDED_NODES;
use crate::solver::compound::{Compounded, last_alive};
use crate::solver::conjunctive::{Conjunctive, alone};
use crate::solver::verdict::answer;
use crate::theory::Meter;
use crate::theory::compound::Compound;
use crate::theory::foreclosed::HOT;

/// The facts that decide a compound of several components in which there is a move.
pub(super) fn facts(
    position: &Position,
    mut compounded: Compounded<'_>,
    found: Found<'_>,
    meter: &mut Meter<'_>,
) -> Vec<Fact> {
    let compound = position.compound();
    let components = position.sum.components().iter().enumerate();
    let alive = components.filter(|(_, component)| component.move_count(Seat::First) > 0);
    let alive: Vec<(u64, &Component)> = alive
        .map(|(index, component)| (index as u64 + 1, component))
        .collect();
    if let Some(index) = last_alive(position) {
        // The same game as a sum, whose moves have the same names.
        let sum = Position::of(position.sum.components().to_vec(), position.end_rule());
        let mut facts = vec![Fact::OneLeft {
            component: index as u64 + 1,
        }];
        facts.extend(sums::facts(&sum, Seat::First, found, meter));
        return facts;
    }
    let law = match compound {
        Compound::Selective | Compound::ShortSelective => won_components(position, &alive, meter),
        Compound::Sum
        | Compound::Every
        | Compound::Conjunctive
        | Compound::ShortSum
        | Compound::UntilZero => {
            let numbers: Option<Vec<(u64, u64)>> = alive
                .iter()
                .map(|(number, component)| {
                    let end = position.end_rule();
                    Some((*number, number_of(component, end, &mut compounded, meter)?))
                })
                .collect();
            numbers.map(|numbers| of_numbers(&compounded, &numbers))
        }
    };
    law.into_iter().collect()
}

/// The law of `@conjunctive` for coloured or loopy components: how long each lasts alone. `None` in another compound, where no component has to end, and beyond the budget.
pub(super) fn least_remoteness(
    position: &Position,
    to_move: Seat,
    meter: &mut Meter<'_>,
) -> Option<Fact> {
    let alone = alone(position);
    let mut apart = Conjunctive::new(position, &alone, to_move)?;
    let numbers = meter.with_at_most(BOUNDED_NODES, |meter| apart.numbers(to_move, meter));
    let numbers = numbers.ok()?;
    let ending = (1..).zip(numbers);
    let ending: Vec<(u64, u64)> = ending
        .filter_map(|(number, plies)| Some((number, plies?)))
        .collect();
    (!ending.is_empty()).then(|| of_remotenesses(&ending))
}

/// The component that ends first.
fn of_remotenesses(numbers: &[(u64, u64)]) -> Fact {
    let mut terms = Terms::of(PartKind::Component);
    for (number, plies) in numbers {
        terms.push(|| number.to_string(), *plies);
    }
    let least = numbers.iter().map(|(_, plies)| *plies).min().unwrap_or(0);
    let decides = first_with(least, numbers);
    Fact::LeastRemoteness {
        terms,
        least,
        decides,
        others: besides(decides, numbers).min().unwrap_or(least),
    }
}

/// What the law asks of a component: its suspense, its remoteness or its foreclosed value.
fn number_of(
    component: &Component,
    end: EndRule,
    compounded: &mut Compounded<'_>,
    meter: &mut Meter<'_>,
) -> Option<u64> {
    if compounded.compound == Compound::Conjunctive {
        let alone = Position::of(vec![component.clone()], end);
        let known = answer(&alone, 0, true, meter).ok()?;
        if known.remoteness.is_some() {
            return known.remoteness;
        }
    }
    compounded.number(component, meter)
}

/// The law for components whose numbers, from 1, come with what the law asks of them.
fn of_numbers(compounded: &Compounded<'_>, numbers: &[(u64, u64)]) -> Fact {
    let compound = compounded.compound;
    let all = || numbers.iter().map(|(_, of_component)| *of_component);
    let mut terms = Terms::of(PartKind::Component);
    for (number, of_component) in numbers {
        if !(compound == Compound::ShortSum && *of_component == HOT) {
            terms.push(|| number.to_string(), *of_component);
        }
    }
    match compound {
        Compound::Every => {
            let greatest = all().max().unwrap_or(0);
            let decides = first_with(greatest, numbers);
            Fact::GreatestSuspense {
                terms,
                greatest,
                decides,
                others: besides(decides, numbers).max().unwrap_or(0),
            }
        }
        Compound::Conjunctive => of_remotenesses(numbers),
        Compound::UntilZero => {
            let xor = all().fold(0, |xor, value| xor ^ value);
            match compounded.misere {
                false => Fact::NimSum { terms, xor },
                true => Fact::TameSum {
                    terms,
                    xor,
                    large: all().filter(|value| *value > 1).count() as u64,
                },
            }
        }
        _ => {
            let hot = numbers.iter().filter(|(_, value)| *value == HOT);
            let ending: Vec<u64> = hot.map(|(number, _)| *number).take(MAX_TERMS).collect();
            let xor = all().fold(0, |xor, value| xor ^ value);
            Fact::Foreclosed {
                terms,
                xor: ending.is_empty().then_some(xor),
                ending,
            }
        }
    }
}

/// The first component of which the law asks this.
fn first_with(wanted: u64, numbers: &[(u64, u64)]) -> u64 {
    let first = numbers.iter().find(|(_, number)| *number == wanted);
    first.map_or(0, |(component, _)| *component)
}

/// What the law asks of the other components.
fn besides(component: u64, numbers: &[(u64, u64)]) -> impl Iterator<Item = u64> {
    let others = numbers.iter().filter(move |(other, _)| *other != component);
    others.map(|(_, number)| *number)
}

/// The end rule by which the selective compounds judge a component.
fn judging(position: &Position) -> EndRule {
    match position.compound() {
        Compound::Selective => EndRule::Normal,
        _ => position.end_rule(),
    }
}

/// Whether the player to move loses a component alone; `None` if that is not found within the budget.
fn is_lost(component: &Component, end: EndRule, meter: &mut Meter<'_>) -> Option<bool> {
    let alone = Position::of(vec![component.clone()], end);
    answer(&alone, 0, false, meter)
        .ok()
        .map(|answer| answer.lost)
}

/// What a move changes in the components of a compound, as far as the budget allows. None if the position is played as a sum.
pub(super) fn changes(position: &Position, mv: &Move, meter: &mut Meter<'_>) -> Option<Vec<Fact>> {
    if last_alive(position).is_some() {
        return None;
    }
    let mut compounded = Compounded::new(position, 0)?;
    let mut facts = Vec::new();
    for step in mv.steps.iter().take(MAX_TERMS) {
        let component = &position.sum.components()[step.component];
        let number = step.component as u64 + 1;
        if judging(position) == EndRule::Normal && is_by_outcomes(position.compound()) {
            let of_game = component.changes(&*step.inner, EndRule::Normal, meter);
            facts.extend(of_game.into_iter().map(|of| Fact::Game {
                component: Some(number),
                of,
            }));
        }
        let mut standing =
            |component: &Component| standing(position, component, &mut compounded, meter);
        let before = standing(component);
        let after = standing(&component.play(&*step.inner));
        facts.extend(
            before
                .zip(after)
                .map(|(before, after)| Fact::StandingChange {
                    component: number,
                    before,
                    after,
                }),
        );
    }
    Some(facts)
}

/// What a move changes in coloured or loopy components of `@conjunctive`: how long each lasts for the player to move, as far as the budget allows.
/// Components whose end nobody can force are left out. None in another compound.
pub(super) fn remoteness_changes(
    position: &Position,
    to_move: Seat,
    mv: &Move,
    meter: &mut Meter<'_>,
) -> Vec<Fact> {
    let alone = alone(position);
    let Some(mut apart) = Conjunctive::new(position, &alone, to_move) else {
        return Vec::new();
    };
    let changes = apart.changes(mv, meter).unwrap_or_default();
    let facts = changes.into_iter().filter_map(|change| {
        let remoteness = |plies: Option<u64>| Some(Standing::Remoteness { plies: plies? });
        Some(Fact::StandingChange {
            component: change.component as u64 + 1,
            before: remoteness(change.before)?,
            after: remoteness(change.after)?,
        })
    });
    facts.take(MAX_TERMS).collect()
}

/// Whether only the winner of each component counts.
fn is_by_outcomes(compound: Compound) -> bool {
    matches!(compound, Compound::Selective | Compound::ShortSelective)
}

/// What the law asks of a component alone.
fn standing(
    position: &Position,
    component: &Component,
    compounded: &mut Compounded<'_>,
    meter: &mut Meter<'_>,
) -> Option<Standing> {
    let compound = position.compound();
    if compound.is_short() && component.move_count(Seat::First) == 0 {
        return Some(Standing::Over {});
    }
    if is_by_outcomes(compound) {
        let lost = is_lost(component, judging(position), meter)?;
        return Some(Standing::Outcome { lost });
    }
    let number = number_of(component, position.end_rule(), compounded, meter)?;
    Some(match compound {
        Compound::Every => Standing::Suspense { plies: number },
        Compound::Conjunctive => Standing::Remoteness { plies: number },
        Compound::ShortSum if number == HOT => Standing::Hot {},
        Compound::ShortSum => Standing::Foreclosed { value: number },
        _ => Standing::NimValue { value: number },
    })
}

/// Which components the player to move would win alone; `None` if one is not decided within the budget.
fn won_components(
    position: &Position,
    alive: &[(u64, &Component)],
    meter: &mut Meter<'_>,
) -> Option<Fact> {
    let end = judging(position);
    let (mut won, mut won_total) = (Vec::new(), 0);
    for (number, component) in alive {
        if !is_lost(component, end, meter)? {
            won_total += 1;
            if won.len() < MAX_TERMS {
                won.push(*number);
            }
        }
    }
    Some(Fact::WonComponents {
        misere: end.is_misere(),
        last_in_misere: end != position.end_rule(),
        short: position.compound().is_short(),
        won,
        won_total,
        alive: alive.len() as u64,
    })
}
