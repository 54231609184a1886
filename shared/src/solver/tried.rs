//! What is told instead of a verdict.

use std::fmt;

/// The ways to a verdict that did not lead to one before the budget was used up.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Tried(Vec<String>);

impl Tried {
    /// Adds a way, once.
    pub(super) fn push(&mut self, way: impl Into<String>) {
        let way = way.into();
        if !self.0.contains(&way) {
            self.0.push(way);
        }
    }

    /// These and one more.
    pub(super) fn and(mut self, way: impl Into<String>) -> Self {
        self.push(way);
        self
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tried {}", self.0.join(", "))
    }
}
