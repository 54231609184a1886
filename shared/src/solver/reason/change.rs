//! What a move changes.

use crate::fact::Fact;
use crate::game::Kind;
use crate::position::{Move, Position};
use crate::solver::bounds::BOUNDED_NODES;
use crate::solver::part_interner::PartInterner;
use crate::theory::compound::Compound;
use crate::theory::{Meter, Stopped};

/// The facts about a move, as many as the budget allows.
pub(super) fn facts(position: &Position, mv: &Move, meter: &mut Meter<'_>) -> Vec<Fact> {
    let in_sum = position.compound() == Compound::Sum && !position.end_rule().is_misere();
    let mut facts = Vec::new();
    if let [step] = &mv.steps[..]
        && in_sum
        && position.kind() == Kind::Impartial
    {
        let component = &position.sum.components()[step.component];
        let values = meter.with_at_most(BOUNDED_NODES, |meter| {
            let mut interner = PartInterner::default();
            let before = interner.value_of(component, meter)?;
            let after = interner.value_of(&component.play(&*step.inner), meter)?;
            Ok::<_, Stopped>((before, after))
        });
        facts.extend(values.map(|(before, after)| Fact::NimChange {
            component: mv.numbered.then_some(step.component as u64 + 1),
            before,
            after,
        }));
    }
    facts
}
