//! One order for positions that differ only in the order of their heaps and components.

use super::Position;
use crate::erased::Component;
use crate::fact::PartKind;

impl Position {
    /// The same position with the heaps of each component in ascending order, and the components in the order of their texts: `nim:3,5` for `nim:5,3`.
    /// Heaps are those of the games of which each heap is a part of its own. Whoever wins the one wins the other. O(size · log size).
    #[must_use]
    pub fn arranged(&self) -> Self {
        let components = self.sum.components();
        let own: Vec<String> = components.iter().map(ToString::to_string).collect();
        let whole = self.to_string();
        // What follows the components: how they are played together, and the end rule.
        let Some(endings) = whole.strip_prefix(&own.join("+")) else {
            return self.clone();
        };
        let mut arranged: Vec<String> = components
            .iter()
            .zip(own.iter().cloned())
            .map(|(component, text)| with_heaps_in_order(component, &text).unwrap_or(text))
            .collect();
        arranged.sort();
        match arranged == own {
            true => self.clone(),
            false => {
                let text = format!("{}{endings}", arranged.join("+"));
                Self::parse(&text).unwrap_or_else(|_| self.clone())
            }
        }
    }
}

/// The text of a component with its heaps in ascending order; `None` if it has none.
fn with_heaps_in_order(component: &Component, text: &str) -> Option<String> {
    if component.part_kind() != PartKind::Heap {
        return None;
    }
    let (name, list) = text.split_once(':')?;
    let heaps: Result<Vec<u64>, _> = list.split(',').map(str::parse).collect();
    let mut heaps = heaps.ok()?;
    if heaps.len() != component.parts().len() {
        return None;
    }
    heaps.sort_unstable();
    let heaps: Vec<String> = heaps.iter().map(u64::to_string).collect();
    Some(format!("{name}:{}", heaps.join(",")))
}
