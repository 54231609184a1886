//! What a move changes.

use crate::fact::Fact;
use crate::game::Kind;
use crate::position::{Move, Position};
use crate::solver::bounds::BOUNDED_NODES;
use crate::solver::part_interner::PartInterner;
use crate::theory::compound::Compound;
use crate::theory::{Meter, Stopped};

/// The facts about a move, as many as the budget allows: those of the games, and the nim-value of the component where it matters:
/// in a sum in normal play, and where the game has no facts of its own.
pub(super) fn facts(position: &Position, mv: &Move, meter: &mut Meter<'_>) -> Vec<Fact> {
    let end = position.end_rule();
    let number = |component: usize| mv.numbered.then_some(component as u64 + 1);
    let mut facts = Vec::new();
    for step in &mv.steps {
        let component = &position.sum.components()[step.component];
        let changes = component.changes(&*step.inner, end, meter).into_iter();
        facts.extend(changes.map(|of| Fact::Game {
            component: number(step.component),
            of,
        }));
    }
    let in_sum = position.compound() == Compound::Sum && position.kind() == Kind::Impartial;
    if let [step] = &mv.steps[..]
        && in_sum
        && !end.is_misere()
        && let component = &position.sum.components()[step.component]
        && (mv.numbered || facts.is_empty() && component.facts(end, meter).is_empty())
    {
        let values = meter.with_at_most(BOUNDED_NODES, |meter| {
            let mut interner = PartInterner::default();
            let before = interner.value_of(component, meter)?;
            let after = interner.value_of(&component.play(&*step.inner), meter)?;
            Ok::<_, Stopped>((before, after))
        });
        facts.extend(values.map(|(before, after)| Fact::NimChange {
            component: number(step.component),
            before,
            after,
        }));
    }
    facts
}
