//! The facts that decide a compound: one number of each component, and the law that combines them.

use super::sums;
use crate::erased::Component;
use crate::fact::{Fact, MAX_TERMS, Terms};
use crate::game::EndRule;
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::compound::Compounded;
use crate::solver::verdict::answer;
use crate::theory::Meter;
use crate::theory::compound::Compound;
use crate::theory::foreclosed::HOT;

/// The facts that decide a compound of several components in which there is a move.
pub(super) fn facts(
    position: &Position,
    mut compounded: Compounded<'_>,
    meter: &mut Meter<'_>,
) -> Vec<Fact> {
    let compound = position.compound();
    let components = position.sum.components().iter().enumerate();
    let alive = components.filter(|(_, component)| component.move_count(Seat::First) > 0);
    let alive: Vec<(u64, &Component)> = alive
        .map(|(index, component)| (index as u64 + 1, component))
        .collect();
    if let [(number, _)] = alive[..]
        && !compound.is_short()
        && compound != Compound::UntilZero
    {
        // The same game as a sum, whose moves have the same names.
        let sum = Position::of(position.sum.components().to_vec(), position.end_rule());
        let mut facts = vec![Fact::OneLeft { component: number }];
        facts.extend(sums::facts(&sum, Seat::First, meter));
        return facts;
    }
    let law = match compound {
        Compound::Selective => won_components(&alive, EndRule::Normal, meter),
        Compound::ShortSelective => won_components(&alive, position.end_rule(), meter),
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
    let mut terms = Terms::of_components(true);
    for (number, of_component) in numbers {
        if !(compound == Compound::ShortSum && *of_component == HOT) {
            terms.push(|| number.to_string(), *of_component);
        }
    }
    match compound {
        Compound::Every => Fact::GreatestSuspense {
            terms,
            greatest: all().max().unwrap_or(0),
        },
        Compound::Conjunctive => Fact::LeastRemoteness {
            terms,
            least: all().min().unwrap_or(0),
        },
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

/// Which components the player to move would win alone; `None` if one is not decided within the budget.
fn won_components(
    alive: &[(u64, &Component)],
    end: EndRule,
    meter: &mut Meter<'_>,
) -> Option<Fact> {
    let (mut won, mut won_total) = (Vec::new(), 0);
    for (number, component) in alive {
        let alone = Position::of(vec![(*component).clone()], end);
        if !answer(&alone, 0, false, meter).ok()?.lost {
            won_total += 1;
            if won.len() < MAX_TERMS {
                won.push(*number);
            }
        }
    }
    Some(Fact::WonComponents {
        misere: end.is_misere(),
        won,
        won_total,
        alive: alive.len() as u64,
    })
}
