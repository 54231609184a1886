//! The summands of a sum: components if there are several, otherwise the parts of the only one.

use crate::erased::Component;
use crate::fact::PartKind;
use crate::position::Position;

/// What they are.
pub(super) fn summand_kind(position: &Position) -> PartKind {
    match position.sum.components() {
        [only] => only.part_kind(),
        _ => PartKind::Component,
    }
}

/// All of them with their names.
pub(super) fn named_summands(position: &Position) -> Vec<(String, Component)> {
    match position.sum.components() {
        [only] => {
            let parts = only.parts().into_iter().enumerate();
            let named = parts.map(|(part, state)| (only.part_name(part), state));
            named.collect()
        }
        components => {
            let numbered = (1..).zip(components);
            let named = numbered.map(|(number, component)| (number.to_string(), component.clone()));
            named.collect()
        }
    }
}
