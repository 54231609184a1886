//! What a move changes.

use super::compounds;
use super::sums::{Decision, class_of_sum, decision};
use crate::erased::Component;
use crate::fact::{Fact, GameFact};
use crate::game::Kind;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::bounds::BOUNDED_NODES;
use crate::solver::joint::Joint;
use crate::solver::part_interner::PartInterner;
use crate::solver::partizan::Values;
use crate::theory::{Meter, Stopped};

/// The facts about a move, as many as the budget allows: those of the games, and in a sum in normal play the value of the component
/// where it matters, which is not where the game has facts of its own and nothing else is on the board.
pub(super) fn facts(
    position: &Position,
    to_move: Seat,
    mv: &Move,
    meter: &mut Meter<'_>,
) -> Vec<Fact> {
    let end = position.end_rule();
    if Joint::is_searched(position) {
        return meter.with_at_most(BOUNDED_NODES, |meter| {
            compounds::remoteness_changes(position, to_move, mv, meter)
        });
    }
    let number = |component: usize| mv.numbered.then_some(component as u64 + 1);
    let of_compound = meter.with_at_most(BOUNDED_NODES, |meter| {
        compounds::changes(position, mv, meter)
    });
    if let Some(facts) = of_compound {
        return facts;
    }
    let mut facts = Vec::new();
    for step in &mv.steps {
        let component = &position.sum.components()[step.component];
        let changes = component.changes(&*step.inner, end, meter).into_iter();
        facts.extend(changes.map(|of| Fact::Game {
            component: number(step.component),
            of,
        }));
    }
    let [step] = &mv.steps[..] else {
        return facts;
    };
    if end.is_misere() && position.kind() == Kind::Impartial {
        let change = meter.with_at_most(BOUNDED_NODES, |meter| class_change(position, mv, meter));
        facts.extend(change.ok().flatten());
        return facts;
    }
    let before = &position.sum.components()[step.component];
    let explained = |facts: &[Fact], meter: &mut Meter<'_>| {
        let decides = |fact: &GameFact| decision(fact) == Decision::Whole;
        !mv.numbered && (!facts.is_empty() || before.facts(end, meter).iter().any(decides))
    };
    if end.is_misere() {
        return facts;
    }
    let component = number(step.component);
    let after = before.play(&*step.inner);
    let change = meter.with_at_most(BOUNDED_NODES, |meter| match position.kind() {
        Kind::Impartial if !explained(&facts, meter) => {
            nim_change(component, before, &after, meter)
        }
        Kind::Partizan => worth_change(component, before, &after, meter),
        _ => Err(Stopped),
    });
    facts.extend(change);
    facts
}

/// What a move changes in a sum of heaps in misère play, if a quotient decides it and no simpler rule does.
fn class_change(
    position: &Position,
    mv: &Move,
    meter: &mut Meter<'_>,
) -> Result<Option<Fact>, Stopped> {
    let mut tallies = Vec::new();
    for component in position.sum.components() {
        tallies.extend(component.misere_tallies(meter)?);
    }
    if tallies.iter().all(Option::is_some) {
        return Ok(None);
    }
    let before = class_of_sum(position, meter)?;
    let after = class_of_sum(&position.play(mv), meter)?;
    let both = before.zip(after);
    // Tables grow: classes of two of them cannot be compared.
    let both = both.filter(|((before, _), (after, _))| before.shares_classes_with(after));
    Ok(
        both.map(|((_, before), (quotient, after))| Fact::ClassChange {
            before,
            after,
            lost: quotient.monoid().is_lost(after),
        }),
    )
}

fn nim_change(
    component: Option<u64>,
    before: &Component,
    after: &Component,
    meter: &mut Meter<'_>,
) -> Result<Fact, Stopped> {
    let mut interner = PartInterner::default();
    Ok(Fact::NimChange {
        component,
        before: interner.value_of(before, meter)?,
        after: interner.value_of(after, meter)?,
    })
}

fn worth_change(
    component: Option<u64>,
    before: &Component,
    after: &Component,
    meter: &mut Meter<'_>,
) -> Result<Fact, Stopped> {
    let (mut interner, mut values) = (PartInterner::default(), Values::default());
    let mut shown = |of: &Component, meter: &mut Meter<'_>| {
        let parts = interner.parts_of(std::slice::from_ref(of), meter)?;
        let value = values.of_all(&parts, &mut interner, meter)?;
        Ok(values.forms.shown(value))
    };
    Ok(Fact::WorthChange {
        component,
        before: shown(before, meter)?,
        after: shown(after, meter)?,
    })
}
